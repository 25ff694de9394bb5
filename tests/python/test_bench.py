"""bench/: the table of bounds, ratios and their spread, what ends a run, and the report, all from made-up measurements."""

import glob
import itertools
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys

import pytest
from conftest import ROOT

BENCH = os.path.join(ROOT, 'bench')
sys.path.insert(0, BENCH)
import plots  # noqa: E402
import results  # noqa: E402
from results import Case, Problem, Ratio, Targets  # noqa: E402


def bench(script, *options, **environment):
    """What a script says, with its exit code."""
    done = subprocess.run([sys.executable, os.path.join(BENCH, script), *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding='utf-8', timeout=300,
                          env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1', **environment})
    return done.returncode, done.stdout


# A program of Google Benchmark, as far as run.py knows it. What it answers is in a file beside it: {name: time, or a text: what went wrong}.
FAKE = '''#!{python}
import json, re, sys
options = dict(one.lstrip('-').partition('=')[::2] for one in sys.argv[1:])
with open(__file__ + '.answers') as file:
    answers = json.load(file)
if 'benchmark_list_tests' in options:
    print(*answers, sep='\\n')
    sys.exit()
with open(__file__ + '.calls', 'a') as file:
    file.write(options['benchmark_filter'] + '\\n')
found = []
for name, time in answers.items():
    if not re.match(options['benchmark_filter'], name):
        continue
    if time == 'crash':
        sys.exit('out of memory')
    for at in range(int(options['benchmark_repetitions'])):
        one = {{'name': name, 'run_name': name, 'run_type': 'iteration', 'real_time': 7, 'cpu_time': 7, 'time_unit': 'us'}}
        if isinstance(time, str):
            one.update(error_occurred=True, error_message=time)
        else:
            one['real_time' if 'manual_time' in name else 'cpu_time'] = time + at % 3 * time / 1000
        found.append(one)
with open(options['benchmark_out'], 'w') as file:
    json.dump({{'benchmarks': found}}, file)
'''

TARGETS = '''
bounds:
- {row: a loop, workload: loop, ours: bespoke, peers: hand, n: [16, 1000], at_most: 1.1}
- {row: the frame, note: 'of `structs`', workload: frame, what: ['r1', 'r2'], ours: bespoke.*, peers: 'std::vector', ahead: 1.3}
limits: [hand]
other_contracts:
- {workload: frame, what: r2, ours: bespoke-chunked, peers: 'std::vector', why: elements move}
workloads: {loop: A loop.}
plot: {case: loop/64/1000/-, title: a loop}
'''

ANSWERS = {
    'loop/16/16/-/bespoke': 1.08, 'loop/16/16/-/hand': 1,
    'loop/64/1000/-/bespoke': 2, 'loop/64/1000/-/hand': 1,
    'frame/16/1000/r1/bespoke/manual_time': 3, 'frame/16/1000/r1/std::vector/manual_time': 9, 'frame/16/1000/r1/hand/manual_time': 2,
    'frame/16/1000/r2/bespoke-chunked/manual_time': 5, 'frame/16/1000/r2/std::vector/manual_time': 4,
    'frame/16/1000/r2/boost::stable_vector/manual_time': 5.2, 'frame/16/1000/r2/std::list/manual_time': 4.5, 'frame/16/1000/r2/plf::colony/manual_time': 4.9,
}


@pytest.fixture
def programs(tmp_path):
    """A folder with such a program; `programs(answers)` changes what it answers."""
    def make(answers=ANSWERS, targets=TARGETS):
        program = tmp_path / 'bench_fake'
        program.write_text(FAKE.format(python=sys.executable), encoding='utf-8')
        program.chmod(0o755)
        (tmp_path / 'bench_fake.answers').write_text(json.dumps(answers), encoding='utf-8')
        (tmp_path / 'targets.yaml').write_text(targets, encoding='utf-8')
        return ['--programs', str(tmp_path), '--targets', str(tmp_path / 'targets.yaml'), '--minutes', '0.02']
    make.folder = tmp_path
    make.calls = lambda: (tmp_path / 'bench_fake.calls').read_text(encoding='utf-8').split()
    return make


def test_no_script_has_the_name_of_a_package():
    """bench/ is on sys.path here: who comes first would be imported."""
    names = {os.path.splitext(name)[0] for name in os.listdir(BENCH) if name.endswith('.py')}
    assert not names.intersection(os.listdir(ROOT))


# == the table of bounds ==

def test_the_bounds_of_the_project():
    """They can be read, and speak of workloads that some program has. (That each matches a case is checked in each run.)"""
    targets = Targets()
    sources = ''
    for path in glob.glob(os.path.join(BENCH, '*.cc')):
        with open(path, encoding='utf-8') as file:
            sources += file.read()
    assert targets.bounds
    for bound in targets.bounds:
        for workload in bound.wanted['workload']:
            assert f'"{workload}"' in sources, bound.row
    # What the project has set itself a bound for.
    bounded = {workload for bound in targets.bounds for workload in bound.wanted['workload']}
    assert bounded >= {'iterate', 'column', 'stable', 'frame', 'cursors', 'unique', 'insert', 'deletable', 'lookup'}
    for workload in targets.workloads:
        assert f'"{workload}"' in sources, workload


@pytest.mark.parametrize('old, new, said', [
    ('at_most: 1.1', 'at_mots: 1.1', 'unknown: at_mots'),
    ('at_most: 1.1', 'at_most: 1.1, ahead: 2', 'one of `at_most`, `ahead`'),
    ('at_most: 1.1', 'at_most: 0', 'a number above 0'),
    ('row: a loop', 'row: a loop, note: 3', '`note` is a text'),
    ('workload: loop, ', '', '`workload` is wanted'),
    ('ours: bespoke,', 'ours: "bespoke(",', 'ours'),
    ('n: [16, 1000]', 'n: [many]', 'numbers are wanted'),
    ('why: elements move', 'reason: elements move', '`why` is wanted'),
])
def test_a_table_that_is_wrong(programs, old, new, said):
    code, text = bench('run.py', *programs(targets=TARGETS.replace(old, new)))
    assert code == 1 and said in text and 'Traceback' not in text


@pytest.mark.parametrize('old, new, said', [
    ('n: [16, 1000]', 'n: [16, 100000]', 'bounds[0]: n: 100000: there is no such case'),
    ("['r1', 'r2']", "['r1', 'r10']", 'bounds[1]: what: r10: there is no such case'),
    ("peers: 'std::vector', ahead", "peers: 'std::deque', ahead", 'bounds[1]: '),
    ('peers: hand,', 'peers: han,', 'bounds[0]: '),         # all of a part of a name, not the start of it
    ('what: r2,', 'what: r3,', 'other_contracts[0]: '),
])
def test_a_bound_that_checks_nothing(programs, old, new, said):
    code, text = bench('run.py', *programs(targets=TARGETS.replace(old, new)))
    assert code == 1 and said in text and 'there is no such case' in text
    assert not os.path.exists(programs.folder / 'results.json')


# == ratios ==

def test_ratios():
    ratio = Ratio([2.0, 4.0, 3.0], [2.0, 1.0, 30.0])
    assert ratio.value == 1.5
    assert 2 / 30 <= ratio.low < 1.5 < ratio.high <= 4
    alone = Ratio([3.0], [2.0])
    assert (alone.low, alone.value, alone.high) == (1.5, 1.5, 1.5)
    same = Ratio([5.0] * 9, [5.0] * 9)
    assert (same.low, same.value, same.high) == (1, 1, 1)


@pytest.mark.parametrize('times', [(9, 9), (7, 5), (4, 6)])
def test_the_spread_is_that_of_resamples(times):
    """The interval is worked out; drawing resamples at random must come to the same."""
    draw = random.Random(5)
    ours, peer = ([draw.gauss(mean, 1) for _ in range(count)] for count, mean in zip(times, (10, 20)))

    def median(times):      # of an even number, one of the two in the middle
        return draw.choice((statistics.median_low, statistics.median_high))(draw.choices(times, k=len(times)))
    resampled = sorted(median(ours) / median(peer) for _ in range(10000))
    ratio = Ratio(ours, peer)
    assert ratio.low == pytest.approx(resampled[250], rel=0.02) and ratio.high == pytest.approx(resampled[9750], rel=0.02)
    assert ratio.low <= ratio.value <= ratio.high


# == a run ==

def test_a_run(programs):
    code, text = bench('run.py', *programs())
    assert code == 0, text
    assert re.search(r'^loop/64/1000/-\n.*\n.*\n +hand +2\.000 \(', text, re.MULTILINE)
    assert re.search(r'^  missed  .*a loop: at most 1\.1; measured 2\.000 .* in loop/64/1000/-, bespoke / hand; 1 of 2 met', text, re.MULTILINE)
    assert re.search(r'^  missed  .*the frame: .*measured 1\.250 .* in frame/16/1000/r2, bespoke-chunked / std::vector; 1 of 2 met', text,
                     re.MULTILINE)
    found = results.load([str(programs.folder / 'results.json')])
    times = found['rows'][0]['times']
    assert [row['case'] for row in found['rows']] == ['loop/16/16/-', 'loop/64/1000/-', 'frame/16/1000/r1', 'frame/16/1000/r2']
    assert sorted(times) == ['bespoke', 'hand'] and len(times['hand']) >= 3
    assert times['hand'][0] == pytest.approx(1e-6)
    assert found['rows'][2]['times']['std::vector'][0] == pytest.approx(9e-6)    # the time that the benchmark took itself


def test_some_cases(programs):
    """What is not run stays as it was stored; of the bounds, those that were run are shown."""
    options = programs()
    assert bench('run.py', *options)[0] == 0
    programs({**ANSWERS, 'loop/16/16/-/bespoke': 3, 'frame/16/1000/r1/bespoke/manual_time': 8})
    code, text = bench('run.py', *options, '--only', '^loop/16')
    assert code == 0 and 'frame/16' not in text and 'measured 3.000' in text and 'not run: 1 of the 2 bounds' in text
    rows = {row['case']: row['times'] for row in results.load([str(programs.folder / 'results.json')])['rows']}
    assert len(rows) == 4
    assert statistics.median(rows['loop/16/16/-']['bespoke']) == pytest.approx(3e-6, rel=0.01)
    assert statistics.median(rows['frame/16/1000/r1']['bespoke']) == pytest.approx(3e-6, rel=0.01)
    assert 'no such case' in bench('run.py', *options, '--only', 'lop')[1]


def test_a_run_goes_on(programs):
    options = programs()
    stored = programs.folder / 'results.json'
    assert bench('run.py', *options)[0] == 0
    results.store(str(stored), {**results.load([str(stored)]), 'rows': results.load([str(stored)])['rows'][:3]})
    (programs.folder / 'bench_fake.calls').unlink()
    code, text = bench('run.py', *options, '--resume')
    assert code == 0 and '1 cases' in text
    assert set(programs.calls()) == {'^frame/16/1000/r2/'}
    rows = results.load([str(stored)])['rows']
    assert len(rows) == 4 and [row['rounds'] for row in rows] == [3, 3, 3, 3]

    # Interrupted in the second round: what the first has measured counts, and is not measured again.
    for row in rows[2:]:
        row.update(rounds=1, times={peer: [1e-3] for peer in row['times']})
    results.store(str(stored), {**results.load([str(stored)]), 'rows': rows})
    (programs.folder / 'bench_fake.calls').unlink()
    code, text = bench('run.py', *options, '--resume')
    assert code == 0 and '2 cases' in text
    assert [case for case, _ in itertools.groupby(programs.calls())] == ['^frame/16/1000/r1/', '^frame/16/1000/r2/'] * 2
    again = results.load([str(stored)])['rows']
    assert all(row['rounds'] == 3 and all(its.count(1e-3) == 1 and len(its) >= 3 for its in row['times'].values()) for row in again[2:])
    assert again[:2] == rows[:2]


def test_rounds(programs):
    """Each case has its turn in each round, so that what disturbs the machine for a minute is not all that a case is judged by."""
    code, _ = bench('run.py', *programs())
    cases = ['^loop/16/16/-/', '^loop/64/1000/-/', '^frame/16/1000/r1/', '^frame/16/1000/r2/']
    assert code == 0 and [case for case, _ in itertools.groupby(programs.calls())] == cases * 3


def test_the_list_and_the_corners(programs):
    answers = {f'loop/{size}/{n}/-/{peer}': 1 for size in (16, 32, 64) for n in (16, 1000, 100000, 1000000) for peer in ('bespoke', 'hand')}
    targets = TARGETS.replace(TARGETS[TARGETS.index('- {row: the frame'):TARGETS.index('limits')], '').replace(
        TARGETS[TARGETS.index('other_con'):TARGETS.index('workloads')], '')
    code, text = bench('run.py', *programs(answers, targets), '--list')
    assert code == 0 and len(text.splitlines()) == 12 and 'loop/32/16/-: bespoke, hand' in text
    code, text = bench('run.py', *programs(answers, targets), '--list', '--quick')
    assert code == 0
    assert {line.partition(':')[0] for line in text.splitlines()} == {f'loop/{size}/{n}/-' for size in (16, 64) for n in (1000, 100000)}


@pytest.mark.parametrize('answer, said', [('another result than its peers', 'another result than its peers'), ('crash', 'out of memory')])
def test_what_ends_a_run(programs, answer, said):
    """A peer that did other work, or none: there is nothing to compare."""
    code, text = bench('run.py', *programs({**ANSWERS, 'frame/16/1000/r2/std::list/manual_time': answer}))
    assert code == 1 and said in text and 'frame/16/1000/r2' in text.splitlines()[-1]
    assert 'Where it must stand' not in text


def test_two_of_a_name(programs):
    options = programs()
    shutil.copy(programs.folder / 'bench_fake', programs.folder / 'bench_more')
    shutil.copy(programs.folder / 'bench_fake.answers', programs.folder / 'bench_more.answers')
    code, text = bench('run.py', *options)
    assert code == 1 and 'in two programs' in text


DISAGREE = '''
#include "bench.hh"
namespace {
void idle(benchmark::State &state, const bench::Case &of, unsigned sum) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(sum);
    }
    bench::same(state, of, sum);
}
int all() {
    bench::Case of = {"loop", 16, 16, "-"};
    bench::add(of, "bespoke", [](benchmark::State &state, const bench::Case &of) { idle(state, of, 1); });
    bench::add(of, "hand", [](benchmark::State &state, const bench::Case &of) { idle(state, of, std::getenv("AGREE") ? 1 : 2); });
    return 0;
}
const int registered = all();
}
'''


def test_peers_that_disagree(programs):
    """`same()`, with the library."""
    compiler = shutil.which('c++')
    probe = [compiler, '-xc++', '-fsyntax-only', '-']
    if compiler is None or subprocess.run(probe, input=b'#include <benchmark/benchmark.h>', stderr=subprocess.DEVNULL).returncode:
        pytest.skip('libbenchmark-dev is not installed: script/setup bench installs it')
    folder = programs.folder / 'real'
    folder.mkdir()
    (folder / 'it.cc').write_text(DISAGREE, encoding='utf-8')
    (folder / 'targets.yaml').write_text('bounds: [{row: it, workload: loop, ours: bespoke, peers: hand, at_most: 9}]\nlimits: [hand]\n', encoding='utf-8')
    options = ['--programs', str(folder), '--targets', str(folder / 'targets.yaml'), '--minutes', '0.02']
    subprocess.run([compiler, '-std=c++17', '-I', BENCH, '-I', os.path.join(BENCH, 'specs'), str(folder / 'it.cc'),
                    '-o', str(folder / 'bench_it'), '-lbenchmark_main', '-lbenchmark', '-lpthread'], check=True)
    code, text = bench('run.py', *options)
    assert code == 1 and 'another result than its peers' in text
    code, text = bench('run.py', *options, AGREE='yes')
    assert code == 0 and 'it: at most 9' in text


# == stored results, and the report ==

MACHINE = {'processor': 'A Processor', 'family': '25 17', 'cores': 2, 'virtual': True, 'caches': 'L1d 32 KiB, L2 1024 KiB', 'memory': '24 GiB',
           'system': 'Debian', 'compiler': 'c++ 12.2.0', 'options': '-O2 -DNDEBUG'}


def stored(path, answers=ANSWERS, machine=MACHINE):
    rows = {}
    for name, time in answers.items():
        parts = name.split('/')
        rows.setdefault('/'.join(parts[:4]), {})[parts[4]] = [time * 1e-6 * (1 + at / 1000) for at in range(5)]
    results.store(str(path), {'bench': 'run', 'machine': machine, 'rows': [{'case': case, 'times': times} for case, times in rows.items()]})
    return str(path)


def test_results_are_merged(tmp_path):
    first = stored(tmp_path / 'first.json', {name: time for name, time in ANSWERS.items() if name.startswith('loop')})
    second = stored(tmp_path / 'second.json', {**{name: time for name, time in ANSWERS.items() if name.startswith('frame')},
                                               'loop/16/16/-/bespoke': 5, 'loop/16/16/-/hand': 1})
    rows = {row['case']: row['times'] for row in results.load([first, second])['rows']}
    assert len(rows) == 4 and rows['loop/16/16/-']['bespoke'][0] == pytest.approx(5e-6)
    other = stored(tmp_path / 'other.json', machine={**MACHINE, 'compiler': 'c++ 13'})
    with pytest.raises(Problem, match='another machine or compiler'):
        results.load([first, other])


def test_the_machine_has_no_name():
    found = results.machine()
    assert found['processor'] and found['cores'] >= 1
    assert platform.node() not in json.dumps(found).split()


@pytest.mark.parametrize('times,said', [
    ((1.0, 1.05, 1.2, 1.2, 1.25), r'1 of 2, 1 within the spread | **missed**, within the spread |'),
    ((1.15, 1.18, 1.2, 1.2, 1.25), r'1 of 2 | **missed** |'),
    ((1.0, 1.01, 1.02, 1.2, 1.25), r'2 of 2 | met |'),
])
def test_what_is_missed_within_the_spread(programs, tmp_path, times, said):
    """A case whose interval takes the bound in is told from one that misses it whatever the resample."""
    pytest.importorskip('matplotlib', reason='python3-matplotlib is not installed: script/setup bench installs it')
    targets = programs()[3]
    path = stored(tmp_path / 'some.json')
    found = results.load([path])
    next(row for row in found['rows'] if row['case'] == 'loop/64/1000/-')['times'].update(bespoke=list(times), hand=[1.0] * 5)
    results.store(path, found)
    code, text = bench('report.py', '--docs', str(tmp_path / 'docs'), '--targets', targets, path)
    assert code == 0, text
    page = (tmp_path / 'docs' / 'performance.md').read_text(encoding='utf-8')
    assert next(line for line in page.splitlines() if line.startswith('| a loop |')).endswith(said)


MORE = {
    'memory': [
        {'contract': 'stable', 'element': '64', 'subject': 'colony', 'ours': True, 'n': 'mean', 'state': 'full', 'bytes': 66.0,
         'best': 'plf::colony', 'ratio': 1.1},
        {'contract': 'keyed', 'element': '64', 'subject': 'slot_map', 'ours': True, 'n': 'mean', 'state': 'full', 'bytes': 90.0,
         'best': 'uthash', 'ratio': 1.5, 'lacks': 'handles'},
        {'contract': 'stable', 'element': '64', 'subject': 'plf::colony', 'ours': False, 'n': 'mean', 'state': 'full', 'bytes': 60.0},
    ],
    'build_cost': [
        {'subject': subject, 'compiler': 'gcc', 'level': level, 'what': what, 'value': value}
        for subject, value in (('uthash', 8.0), ('bespoke hash', 12.0), ('bespoke hash, all', 40.0))
        for what, level in (('milliseconds', '-O0 -g'), ('milliseconds', '-O2'), ('text', '-Os'), ('errors', '-O0 -g'))
    ],
    'generator': [
        {'what': 'start', 'unit': 's', 'value': 0.2, 'base': 0.16, 'ratio': 1.25, 'most': 1.3},
        {'what': 'specs', 'number': 1000, 'unit': 's', 'value': 10.0, 'most': 8.0},
    ],
}


def test_the_report(programs, tmp_path):
    pytest.importorskip('matplotlib', reason='python3-matplotlib is not installed: script/setup bench installs it')
    options = ['--targets', programs()[3], stored(tmp_path / 'some.json')]
    for name, rows in MORE.items():
        (tmp_path / f'{name}.json').write_text(json.dumps({'bench': name, 'machine': {}, 'rows': rows}), encoding='utf-8')
        options.append(str(tmp_path / f'{name}.json'))
    written = []
    for docs in ('first', 'second'):
        code, text = bench('report.py', '--docs', str(tmp_path / docs), *options)
        assert code == 0, text
        written.append({str(path.relative_to(tmp_path / docs)): path.read_text(encoding='utf-8')
                        for path in sorted((tmp_path / docs).rglob('*')) if path.is_file()})
    assert written[0] == written[1]
    assert sorted(written[0]) == ['performance.md', 'performance/pictures.json', 'performance/summary.svg']
    page, drawn = written[0].pop('performance.md'), json.loads(written[0].pop('performance/pictures.json'))
    assert 'A Processor' in page and 'c++ 12.2.0, -O2 -DNDEBUG' in page
    assert '\n<!-- picture: performance/frame.svg: frame: times ' in page and '](performance/' not in page
    assert drawn['times']['loop']['hand-written'] == ['hand'] and drawn['memory'] == [
        ['colony', '64', 1.1, True], ['slot_map', '64', 1.5, False]]
    for folder in ('first', 'second'):
        assert plots.draw(str(tmp_path / folder), str(tmp_path / 'first' / 'performance' / 'pictures.json')) == ['loop', 'frame', 'memory']
    pictures = [{name: (tmp_path / folder / f'{name}.svg').read_text(encoding='utf-8') for name in ('loop', 'frame', 'memory')}
                for folder in ('first', 'second')]
    assert pictures[0] == pictures[1]
    written[0].update(pictures[0])
    assert '| a loop | at most 1.1 | 2.00 (' in page and '1 of 2 | **missed** |' in page
    assert '| the frame; of `structs` | at most 0.77 (ahead by 1.3) | ' in page
    # The peers of the same contract that are ahead, the worst first: not the loop by hand, not the one whose elements move.
    losses = page[page.index('## Where we lose'):page.index('Not among them')]
    assert re.findall(r'\| (\S+) \| 1 of 1 \| (\d\.\d+) \|', losses) == [('std::list', '1.11'), ('plf::colony', '1.02')]
    assert re.findall(r'\| (\S+) \| (\d\.\d+) \(', losses) == [('std::list', '1.11'), ('plf::colony', '1.02')]
    assert '| frame | bespoke-chunked | std::vector | elements move |' in page
    assert re.findall(r'^\| `(\w+)` \| 64 \| full \| ', page, re.MULTILINE) == ['colony']     # of the memory's losses
    assert '| gcc | bespoke hash | 1.50 | 1.50 | 1.20 | 12 | ' in page and '**missed**, 1.20 of it' in page
    assert '| gcc | bespoke hash, all | 5.00 | 5.00 |  | ' in page     # the bound is that of what is used
    assert '| start |  | 1.25 | 1.3 | 0.96 | met |' in page and '| specs (1 000) |  |  | 8 s | 1.25 | **missed** |' in page
    # No times but the two bounds that are times.
    assert set(re.findall(r'\d+ (?:ns|us|ms|s)\b', page)) == {'10 ms', '8 s'}
    for name, picture in written[0].items():
        assert 'prefers-color-scheme: dark' in picture and '<dc:date>' not in picture, name
    assert Case('frame/16/1000/r1').n == 1000
