"""What a program has recorded is repeated by all that its containers could be instead, measured by turns, and written into the spec."""

import json
import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from generator.language.policies import AXES as KEPT
from generator.language.policies import POLICIES, strategies
from generator.text.diag import Diagnostics, Failure
from generator.text.edits import with_value
from generator.tool import tuning as command
from generator.tool.cli import main
from generator.tuning import measures, writing
from generator.tuning import program as programs
from generator.tuning.candidates import AXES
from generator.tuning.tune import Wanted, tune

SPEC = '''# What is under way.
bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}   # of all
  emit: {trace: true}
containers:
  fleet: {ordering: unordered, removal: swap}  # in any order

  crew:                       # with handles
    ordering: unordered
    removal: reuse            # quick
    handles: generational
    capacity:
      initial: 512            # more than there ever are

  marks:
    ordering: insertion
    removal: {policy: tombstone, dead_share: 40}    # many leave
    duplicates: reject
    identity: {key: element->id}
    index: hash
    capacity: {max: 40}
    # that is all

  placed: {ordering: explicit}
'''
SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; int hp; char more[24]; };
#endif
'''
BODY = r'''
#include "lists.h"

static uint32_t state = 7;
static uint32_t drawn(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

int main(int number, char **arguments)
{
    fleet all = {0};
    crew men = {0};
    marks some = {0};
    placed ranking = {0};
    crew_handle man[8] = {{0}};

    (void)number;
    bespoke_trace_begin(arguments[1]);
    for (int round = 0; round < 60; round++) {
        struct ship ship = {drawn(60), (int)drawn(9), {0}};

        (void)fleet_add(&all, ship);
        (void)crew_add_handle(&men, ship, &man[drawn(8)]);
        (void)marks_add(&some, ship);
        (void)placed_add(&ranking, ship);
        FLEET_EACH(&all, one) {
            FLEET_EACH(&all, two) {
                if (drawn(40) == 0) {
                    (void)fleet_remove_current(drawn(2) != 0 ? &two_cursor : &one_cursor);
                    break;
                }
            }
            if (drawn(9) == 0) {
                (void)fleet_add(&all, ship);
            }
        }
        if (fleet_count(&all) > 60) {
            fleet_clear(&all);
        }
        (void)crew_get(&men, man[drawn(8)]);
        (void)crew_remove(&men, man[drawn(8)]);
        CREW_EACH(&men, one) {
            if (one->hp == 0) {
                (void)crew_remove_current(&one_cursor);
            }
        }
        MARKS_EACH(&some, one) {
            if (drawn(5) == 0) {
                (void)marks_remove_current(&one_cursor);
                break;
            }
            (void)marks_find(&some, drawn(60));
            MARKS_EACH_CONST(&some, two) {
                if (two->hp > one->hp) {
                    break;
                }
            }
        }
        bespoke_trace_frame();
    }
    fleet_deinit(&all);
    crew_deinit(&men);
    marks_deinit(&some);
    placed_deinit(&ranking);
    return !bespoke_trace_end();
}
'''


def done(*arguments, cwd):
    result = subprocess.run(arguments, cwd=str(cwd), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert result.returncode == 0, result.stdout


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """With what a program has recorded."""
    path = tmp_path_factory.mktemp('tune')
    (path / 'lists.yaml').write_text(SPEC)
    (path / 'ship.h').write_text(SHIP)
    (path / 'main.c').write_text(BODY)
    done(os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.', cwd=path)
    for level in '12':
        done('gcc', '-std=c11', '-O0', '-I.', '-DBESPOKE_TRACE=' + level, 'main.c', 'lists.c', '-o', 'main' + level, cwd=path)
        done('./main' + level, level + '.trace', cwd=path)
    return path


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    if shutil.which('tcc'):
        monkeypatch.setenv('CC', 'tcc')
    monkeypatch.setenv('CFLAGS', '-O0')


def loaded(path):
    from generator.containers.load import load_spec

    diagnostics = Diagnostics()
    spec = load_spec(str(path), diagnostics)
    assert spec is not None, list(diagnostics)
    return spec


def quiet(text):
    pass


@pytest.fixture(scope='module')
def outcome(folder, tmp_path_factory):
    """All containers, with what main.c calls."""
    from generator.language.used_names import called_by, words_in

    words = words_in([str(folder / 'main.c')])
    wanted = Wanted([], shutil.which('tcc'), '-O0', 0, 0, lambda container: called_by(container, words), words.__contains__)
    return tune(str(folder / '2.trace'), str(tmp_path_factory.mktemp('built')), [loaded(folder / 'lists.yaml')], wanted, quiet)


def test_every_policy_that_keeps_the_contract_is_measured(outcome):
    """Those that the tables of policies name for these values, and no others."""
    assert [(name, why.split(': ', 1)[1]) for name, why in outcome.left_out] == [('placed', '`ordering: explicit` cannot be repeated yet')] and not outcome.interrupted
    assert [tuned.name for tuned in outcome.tuned] == ['fleet', 'crew', 'marks']
    for tuned in outcome.tuned:
        c = tuned.container
        expected = {(each.policy, each.storage) for each in strategies() if POLICIES[each.policy].expired != 'must'
                    and all(each.allows(path, c[path]) for path in KEPT if path != 'index.kind')
                    and each.allows('index.kind', c['index.kind'] if c['index.kind'] != 'none' else 'none')}
        found = {(one.candidate.values['removal.policy'], one.candidate.values['storage.kind']) for one in tuned.measured}
        if tuned.name == 'marks':  # without an index others keep the order
            assert expected < found and ('shift', 'contiguous') in found and ('unlink', 'linked') in found
        else:
            assert found == expected, tuned.name
        assert not tuned.parted
        known = [tuple(one.candidate.values[path] for path in AXES) for one in tuned.measured]
        assert len(known) == len(set(known)) > 10
        assert [one.candidate.is_now for one in tuned.measured].count(True) == 1
        assert all(one.rounds >= measures.TRIAL and one.nanoseconds > 0 and one.bytes > 0 for one in tuned.measured)
        assert all(one.low <= one.ratio <= one.high for one in tuned.measured)
        front = [one for one in tuned.measured if one.front]
        for one in tuned.measured:
            assert one.front == (not any(other.nanoseconds <= one.nanoseconds and other.bytes <= one.bytes
                                         for other in tuned.measured if other is not one)), one
        assert front


def test_memory_is_what_was_allocated(outcome):
    crew = next(tuned for tuned in outcome.tuned if tuned.name == 'crew')
    now = next(one for one in crew.measured if one.candidate.is_now)
    small = next(one for one in crew.measured if one.candidate.given == {'capacity.initial': 64})
    assert now.bytes > 512 * 32 and 64 * 32 < small.bytes < now.bytes


def test_operations_that_the_program_calls_are_kept(folder, outcome, tmp_path):
    """Without --sources it may call any; fleet_data is there with swap in one array, and not elsewhere."""
    spec = loaded(folder / 'lists.yaml')
    all_of = tune(str(folder / '2.trace'), str(tmp_path), [spec], Wanted(['fleet'], shutil.which('tcc'), '-O0', 0, 0), quiet).tuned[0]
    assert {(one.candidate.values['removal.policy'], one.candidate.values['storage.kind']) for one in all_of.measured} \
        == {('swap', 'contiguous'), ('shift', 'contiguous'), ('compact', 'contiguous')}
    assert all_of.lacking['data'] >= 3 and 'remove_at' in all_of.lacking
    fleet = next(tuned for tuned in outcome.tuned if tuned.name == 'fleet')
    assert not fleet.lacking and ('reuse', 'chunked') in {
        (one.candidate.values['removal.policy'], one.candidate.values['storage.kind']) for one in fleet.measured}


def test_each_candidate_can_be_written(folder, outcome, tmp_path):
    """With all comments, the other lines as they are, and as a spec that means it."""
    spec = loaded(folder / 'lists.yaml')
    (tmp_path / 'ship.h').write_text(SHIP)
    before = SPEC.splitlines()
    for tuned in outcome.tuned:
        container = next(each for each in spec.containers if each.name == tuned.name)
        begin = next(at for at, line in enumerate(before) if line.startswith(f'  {tuned.name}:'))
        end = next((at for at, line in enumerate(before) if at > begin and re.match('  [a-z]+:', line)), len(before))
        for one in tuned.measured:
            text, refused = writing.new_text(spec, [(container, one.candidate)])
            assert not refused and (text != SPEC) == (not one.candidate.is_now), one.candidate.given
            after = text.splitlines()
            assert after[:begin] == before[:begin] and after[len(after) - len(before) + end:] == before[end:]
            missing = [comment for line in before for comment in re.findall('#.*', line) if comment not in text]
            assert not missing or missing == ['# more than there ever are'] and 'capacity.inline' in one.candidate.given, (missing, text)
            (tmp_path / 'lists.yaml').write_text(text)
            assert writing.is_right(str(tmp_path / 'lists.yaml'), [], spec, [(container, one.candidate)]), (one.candidate.given, text)


def test_the_command(folder, tmp_path, monkeypatch, capsys):
    """The table, the data, and what is written."""
    for name in ('lists.yaml', 'ship.h', 'main.c', '2.trace'):
        shutil.copy(str(folder / name), str(tmp_path))
    monkeypatch.chdir(tmp_path)
    common = ['tune', '2.trace', 'crew', '--spec', 'lists.yaml', '--seconds', '0', '--sweep', '4096', '--sources', 'main.c']
    assert main([*common, '--all']) == 0
    table = capsys.readouterr().out
    rows = [line for line in table.splitlines() if re.search('[0-9,]+ B ', line)]
    assert len([row for row in rows if row.startswith('*')]) == 1 and any('as it is: removal.policy reuse' in row for row in rows)
    assert 'crew`: ' in table and '4 KB of other memory between frames' in table and 'best for time: ' in table and 'how sure: ' in table
    monkeypatch.setattr(measures, 'choice', lambda found, memory: min(found, key=lambda one: (one.bytes, one.nanoseconds)))
    assert main([*common, '--json', '--write']) == 0
    said = capsys.readouterr().out
    data = json.JSONDecoder().raw_decode(said)[0]
    candidates = data['containers'][0]['candidates']
    assert len(candidates) == len(rows) and [one['now'] for one in candidates].count(True) == 1
    best = next(one for one in candidates if one['best'])
    text = (tmp_path / 'lists.yaml').read_text()
    assert text != SPEC and '# quick' in text and '# with handles' in text and '# in any order' in text
    loaded(tmp_path / 'lists.yaml')
    assert all(value is None or value in text for value in best['changes'].values())


@pytest.mark.parametrize('arguments, said', [
    (['ship.h'], 'is no trace'),
    (['1.trace'], "'1.trace' cannot be replayed: it has what a report needs only"),
    (['2.trace', 'fleets'], "'2.trace' cannot be tuned: it has no container `fleets`"),
    (['2.trace', '--write'], '--write changes specs, and none is named'),
    (['2.trace', '--sources', 'none.c'], "cannot read 'none.c'"),
    (['2.trace', '--spec', 'other.yaml'], 'it is of another spec: none of its containers is in other.yaml'),
    (['2.trace', '--spec', 'contract.yaml'], '`crew` has another contract than in the trace: `handles.kind` is `index` and was `generational`'),
    (['2.trace', 'fleet', '--cc', 'false'], 'do not compile'),
])
def test_what_is_refused(folder, monkeypatch, capsys, arguments, said):
    (folder / 'other.yaml').write_text(SPEC.replace('fleet', 'flock').replace('crew', 'men').replace('marks', 'signs').replace('placed:', 'ranks:'))
    (folder / 'contract.yaml').write_text(SPEC.replace('generational', 'index'))
    monkeypatch.chdir(folder)
    assert main(['tune', *arguments]) in (2, 3)
    assert said in capsys.readouterr().err


def test_an_interruption_keeps_what_was_measured(folder, tmp_path):
    def interrupt(text):
        if 'measuring `fleet`: 2 rounds' in text:
            raise KeyboardInterrupt

    wanted = Wanted([], shutil.which('tcc'), '-O0', 0, 0)
    found = tune(str(folder / '2.trace'), str(tmp_path), [], wanted, interrupt)
    assert found.interrupted and [tuned.name for tuned in found.tuned] == ['fleet'] and found.tuned[0].rounds == 2
    assert command._table(found.tuned[0], type('Options', (), dict(price='time', all=True, sources=[])))


def test_a_candidate_at_fault_is_no_candidate(folder, tmp_path, monkeypatch):
    run = programs.Program.run

    def other(self, number, sweep, every, start):
        found = run(self, number, sweep, every, start)
        return found._replace(digest=1) if number == 1 else found
    monkeypatch.setattr(programs.Program, 'run', other)
    found = tune(str(folder / '2.trace'), str(tmp_path), [], Wanted(['marks'], shutil.which('tcc'), '-O0', 0, 0), quiet).tuned[0]
    assert len(found.parted) == 1 and not found.parted[0].candidate.is_now and found.parted[0] not in found.measured
    assert any('at fault: ' in line for line in command._table(found, type('Options', (), dict(price='time', all=True, sources=[]))))


@pytest.mark.parametrize('before, path, value, after', [
    ('a: {removal: swap} # b\n', 'removal.policy', 'reuse', 'a: {removal: reuse} # b\n'),
    ('a: {removal: swap} # b\n', 'removal.dead_share', '50', 'a: {removal: {policy: swap, dead_share: 50}} # b\n'),
    ('a: {removal: swap}\n', 'storage.kind', 'chunked', 'a: {removal: swap, storage: chunked}\n'),
    ('a:\n  removal: swap  # b\n  # c\nd: 1\n', 'storage.chunk', '64', 'a:\n  removal: swap  # b\n  storage: {chunk: 64}\n  # c\nd: 1\n'),
    ('a:\n  capacity:\n    max: 3 # b\n', 'capacity.initial', '2', 'a:\n  capacity:\n    max: 3 # b\n    initial: 2\n'),
    ('a:\n  capacity:\n    max: 3 # b\n    initial: 1\n', 'capacity.max', None, 'a:\n  capacity:\n    initial: 1\n'),
    ('a:\n  capacity:\n    max: 3 # b\n  c: 1\n', 'capacity.max', None, 'a:\n  c: 1\n'),
    ('a: {capacity: {max: 3, initial: 1}}\n', 'capacity.max', None, 'a: {capacity: {initial: 1}}\n'),
    ('a: {capacity: {max: 3, initial: 1}}\n', 'capacity.initial', None, 'a: {capacity: {max: 3}}\n'),
    ('a: {x: "}", index: {field: slot}}', 'index.kind', 'hash', 'a: {x: "}", index: {field: slot, kind: hash}}'),
    ('a: {x: 1,\n    y: 2} # }\n', 'z', '3', 'a: {x: 1,\n    y: 2, z: 3} # }\n'),
    ('a:\n  x: |\n    long\n', 'y', '1', None),
    ('a: [1]\n', 'y', '1', None),
])
def test_edits(before, path, value, after):
    assert with_value(before, ('a',), path, value, ('removal.policy', 'storage.kind', 'index.kind')) == after


def test_the_choice_is_sure():
    one = measures.Measured(type('Candidate', (), dict(is_now=True, given={})), 100, 1, 1000, 1, 1, 1, 9, False, 1)

    def other(ratio, low, high, bytes_, given=1):
        return one._replace(candidate=type('Candidate', (), dict(is_now=False, given=dict.fromkeys(range(given)))), ratio=ratio, low=low,
                            high=high, bytes=bytes_)
    unsure, sure, smaller = other(0.8, 0.7, 1.1, 10), other(0.9, 0.89, 0.91, 2000), other(0.91, 0.9, 0.92, 500)
    assert measures.choice([one, unsure], False) is one
    assert measures.choice([one, unsure, sure], False) is sure
    assert measures.choice([one, unsure, sure, smaller], False) is smaller
    assert measures.choice([one, unsure, sure, smaller], True) is smaller
    assert measures.choice([one, sure._replace(heavy=1.3), unsure], False) is one, 'slower where there is much to do'


def test_what_disturbs_a_span_is_left_out():
    from array import array

    quick, slow = [programs.Run(0, 1, array('I', [100, 100])) for _ in range(9)], programs.Run(0, 1, array('I', [100, 90000]))
    rounds = measures.Rounds([type('Candidate', (), dict(is_now=at == 0, given={})) for at in range(2)])
    for number in range(9):
        rounds.runs[0][number] = quick[number]
        rounds.runs[1][number] = slow if number == 4 else quick[number]
    found = rounds.measured()
    assert all(each.ratio == each.low == each.high == each.heavy == 1 and each.nanoseconds == 200 for each in found)


def test_halves_of_a_trace():
    """What is best in the first half takes twice the time in the second: the trace says too little."""
    from array import array

    rounds = measures.Rounds([type('Candidate', (), dict(is_now=at == 0, given=dict.fromkeys(range(at)))) for at in range(2)])
    for number in range(9):
        rounds.runs[0][number] = programs.Run(0, 1, array('I', [100] * 16))
        rounds.runs[1][number] = programs.Run(0, 1, array('I', [50, 90] * 4 + [200] * 8))
    assert measures.held_out(rounds) == 1
    for runs in rounds.runs:
        runs.update([(number, run._replace(times=run.times[:8])) for number, run in runs.items()])
    assert measures.held_out(rounds) == 0, 'the same in both halves'
    assert measures.held_out(measures.Rounds(rounds.candidates)) is None


def test_failures_are_told(folder, tmp_path):
    with pytest.raises(Failure) as failed:
        tune(str(folder / 'main.c'), str(tmp_path), [], Wanted([], None), quiet)
    assert 'is no trace' in str(failed.value)


def test_the_measure_of_orders():
    import importlib.util

    spec = importlib.util.spec_from_file_location('held_out', os.path.join(ROOT, 'bench', 'held_out.py'))
    held_out = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(held_out)
    assert held_out.kendall([1, 2, 3], [2, 3, 9]) == 1 and held_out.kendall([1, 2, 3], [3, 2, 1]) == -1
    assert held_out.kendall([100, 101, 200], [5, 4, 9]) == pytest.approx(1 / 3) and held_out.kendall([100, 101, 200], [5, 4, 9], 1.1) == 1
