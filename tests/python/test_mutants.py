"""tests/mutants/run.py: where it breaks what is emitted, and what it says of tests that do not notice."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

import rendered
from conftest import ROOT
from generator.types import libclang

RUN = os.path.join(ROOT, 'tests', 'mutants', 'run.py')

pytestmark = pytest.mark.skipif(not libclang.available()[0] or shutil.which('tcc') is None, reason='needs libclang and tcc')

SPEC = """\
bespoke: 1
containers:
  box: {element: {type: struct ship, header: ship.h}, ordering: unordered, removal: swap}
"""


def generated(folder, spec, declared=''):
    (folder / 'box.yaml').write_text(spec)
    (folder / 'ship.h').write_text('#ifndef SHIP_H\n#define SHIP_H\nstruct ship { unsigned id; };\n%s#endif\n' % declared)
    subprocess.run([sys.executable, '-m', 'generator', 'generate', '-q', '--tests', '--no-format', 'box.yaml', '-o', '.'], cwd=str(folder), check=True,
                   env={**os.environ, 'PYTHONPATH': ROOT})


def _result_of(folder):
    subprocess.run(['tcc', '-w', 'box_test.c', '-o', 'test'], cwd=str(folder), check=True)
    return subprocess.run(['./test', '--steps', '10000', '--exhaustive', '2'], cwd=str(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)


def run(folder, *arguments, spec=SPEC):
    (folder / 'box.yaml').write_text(spec)
    (folder / 'ship.h').write_text('#ifndef SHIP_H\n#define SHIP_H\nstruct ship { unsigned id; };\n#endif\n')
    return subprocess.run([sys.executable, RUN, 'box.yaml', '--json', 'mutants.json', *arguments], cwd=str(folder), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)


def test_mutants_are_counted_and_survivors_listed(tmp_path):
    done = run(tmp_path, '--number', '24', '--test', '--steps 10000 --exhaustive 2')
    assert done.returncode == 0, done.stdout
    [row] = json.loads((tmp_path / 'mutants.json').read_text())
    assert row['container'] == 'box' and 20 <= row['of'] <= 24 and row['of'] / 2 < row['found'] == row['of'] - len(row['survived'])
    assert row['places'] > 24 and row['of'] + row['not read'] + row['same code'] + row['explained'] <= 24
    for line in row['survived']:
        assert line in done.stdout and re.match(r"box\.[ch]:\d+: (operator|number|condition negated|statement deleted|step reversed): ", line)
    assert done.stdout.endswith(f"{row['found']} of {row['of']} mutants found ({100 * row['found'] / row['of']:.1f} %), {len(row['survived'])} survived;"
                                f" beside them equivalent: {row['not read']} not read, {row['same code']} same code, {row['explained']} explained\n")


def test_what_was_drawn_is_counted_again_with_what_is_explained_by_now(tmp_path, tool):
    [known] = list(tool.explained())[:1]
    row = {'container': 'box', 'places': 9, 'of': 4, 'found': 2, 'not read': 0, 'same code': 1, 'explained': 0, 'seconds': 1.0,
           'survived': ['box.c:1: one', 'box.c:2: two'], 'known': [known, 'f: two']}
    (tmp_path / 'drawn.json').write_text(json.dumps([row]))
    done = subprocess.run([sys.executable, RUN, '--again', 'drawn.json', '--json', 'now.json', '--least', '60'], cwd=str(tmp_path), stdout=subprocess.PIPE,
                          universal_newlines=True)
    assert done.returncode == 0 and 'box.c:2: two' in done.stdout and 'box.c:1' not in done.stdout
    assert '2 of 3 mutants found (66.7 %), 1 survived; beside them equivalent: 0 not read, 1 same code, 1 explained' in done.stdout
    assert json.loads((tmp_path / 'now.json').read_text())[0]['survived'] == ['box.c:2: two']


def test_a_test_that_notices_little_is_below_the_least(tmp_path):
    (tmp_path / 'one.txt').write_text('container box\nadd list label 1\n')
    least = f"--replay {tmp_path / 'one.txt'}"
    done = run(tmp_path, '--number', '24', '--least', '80', f'--short={least}', f'--test={least}')
    [row] = json.loads((tmp_path / 'mutants.json').read_text())
    assert done.returncode == 1 and len(row['survived']) > row['of'] / 2, done.stdout


def test_what_all_find_together_may_be_below_the_least_too(tmp_path):
    rows = [{'container': name, 'places': 9, 'of': 4, 'found': found, 'not read': 0, 'same code': 0, 'explained': 0, 'seconds': 1.0, 'survived': ['one'] * (4 - found),
             'known': ['f: one'] * (4 - found)} for name, found in (('box', 4), ('file', 2))]
    (tmp_path / 'drawn.json').write_text(json.dumps(rows))

    def again(least):
        return subprocess.run([sys.executable, RUN, '--again', 'drawn.json', '--least', '50', '--in-all', least], cwd=str(tmp_path), stdout=subprocess.PIPE).returncode

    assert [again('75'), again('76')] == [0, 1]


def test_a_test_with_a_copy_of_its_own_is_no_test_of_mutants(tmp_path):
    done = run(tmp_path, spec=SPEC.replace('swap}', 'swap, emit: {operations: [add, each]}}'))
    assert done.returncode == 1 and 'no mutant would reach it' in done.stdout


@pytest.fixture(scope='module')
def tool():
    spec = importlib.util.spec_from_file_location('mutants_run', RUN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_compilers_can_tell_is_not_counted(tmp_path, tool):
    generated(tmp_path, SPEC)
    texts = {name: (tmp_path / name).read_text() for name in ('box.h', 'box.c', 'box_test.c')}
    files = tool.Files('box', texts, [str(tmp_path / name) for name in ('ship.h', 'bespoke_test.h')])

    def told(old, new):
        [name] = [name for name in ('box.h', 'box.c') if texts[name].count(old) == 1]
        at = texts[name].index(old)
        return files.equivalent(tool.Mutant('box_f', name, at, at + len(old), new, 'number'))

    assert told('size_t a = list->count * 7 %', 'size_t a = list->count * 8 %') == 'not read'  # only with BESPOKE_CHAOS
    assert told('wanted < list->capacity ?', 'wanted != list->capacity && wanted < list->capacity ?') == 'same code'
    assert told('wanted < list->capacity ?', 'wanted <= list->capacity ?') is None
    assert told('wanted = list->capacity * 2;', 'wanted = list->capacity * 3;') is None
    assert told('if (list->live.number != 0) {', 'if (list->live.number == 1) {') is None
    report = re.search(r'BOX_MISUSE_\("add_from"[^;]*;', texts['box.c']).group()
    assert told(report, ';') is None  # with BESPOKE_CHECKS it is code


def test_what_is_explained_is_no_survivor(tmp_path, tool):
    source = 'void box_f(box *list)\n{\n    BOX_X_(list->count < 2);\n}\n'
    at = source.index('<')
    mutant = tool.Mutant('box_f', 'box.c', at, at + 1, '<=', 'operator')
    assert mutant.said(source) == "box.c:3: operator: '<' -> '<=' in `BOX_X_(list->count < 2);`"
    assert mutant.known(source, 'box') == "f: operator: '<' -> '<=' in `TT_X_(list->count < 2);`"
    reasons = tool.explained()
    assert reasons and all(reasons.values()) and all(re.match(r"(\w+ )?\w+: [a-z ]+: '.*' -> '.*' in `.*`$", known) for known in reasons), reasons


def test_what_is_explained_may_be_so_in_one_container_only(tool):
    reasons = {'f: a': 'why', 'box g: b': 'why'}
    assert tool.is_explained(reasons, 'box', 'f: a') and tool.is_explained(reasons, 'box', 'g: b')
    assert tool.is_explained(reasons, 'file', 'f: a') and not tool.is_explained(reasons, 'file', 'g: b')


# Containers of tests/specs that have what no preset has, for which something is explained.
BESIDE = ['anywhere_fast', 'fast_linked', 'fast_reused', 'indexes_ranked', 'indexes_saved', 'indexes_tree', 'kinds_names', 'kinds_objects', 'kinds_slices',
          'layers_buried', 'merge_dense', 'relinked', 'saved_swap', 'soa_placed', 'soa_swapped_later', 'soa_waiting']


def test_what_is_explained_is_still_emitted(tool):
    """An explanation of what is no more would be one of something else, one day."""
    emitted, stale = rendered.Emitted(BESIDE), []
    for known in tool.explained():
        name, function, was, line = re.match(r"(?:(\w+) )?(\w+): [a-z ]+: ('.*') -> '.*' in `(.*)`$", known).groups()
        parts = [rendered.without_space(text) for text in (ast.literal_eval(was), line)]
        if not any(all(part in body for part in parts) for body in emitted.bodies(function, name)):
            stale.append(known)
    assert not stale, '\n'.join(stale)


def test_a_mutant_without_an_end_is_stopped(tool):
    status, seconds = tool.ran(['sh', '-c', 'while :; do :; done'], '.', 0)
    assert status != 0 and 0.5 < seconds < 3
    assert tool.ran(['true'], '.', 5)[0] == 0


def test_a_deleted_statement_moves_no_line(tool):
    mutant = tool.Mutant('f', 'f.c', 2, 9, ';', 'statement deleted')
    assert mutant.applied('a\nif {\n}\nb') == 'a\n;\n\nb'


PAIR = """\
bespoke: 1
defaults: {element: {type: struct ship, header: ship.h}}
containers:
  box: {ordering: unordered, removal: swap}
  file: {ordering: sorted, sort: {key: file_key}}
"""


@pytest.mark.parametrize('broken', [False, True])
def test_a_container_behind_one_that_is_not_sorted_has_different_keys(tmp_path, broken):
    """They were all 0, so that no order was wrong."""
    generated(tmp_path, PAIR, 'double file_key(const struct ship *ship);\n')
    source = (tmp_path / 'box.c').read_text()
    compared = 'if (file_before_(element, &list->items[file_slot_(list, middle)])) {'
    assert source.count(compared) == 1
    if broken:
        (tmp_path / 'box.c').write_text(source.replace(compared, 'if (false) {'))
    done = _result_of(tmp_path)
    assert done.returncode == broken, done.stdout


MISUSES = [('a step', 'BOX_MISUSE_("next", "the pass is over'), ('a removal', 'BOX_MISUSE_("remove_current", "the pass stands'),
           ('its own elements', 'BOX_MISUSE_("add_all"'), ('itself', 'BOX_MISUSE_("add_from"'), ('an old cursor', 'BOX_MISUSE_("next", "this pass is over')]


@pytest.mark.parametrize('what,report', MISUSES, ids=[what for what, _ in MISUSES])
def test_a_report_of_misuse_that_is_missing_is_noticed(tmp_path, what, report):
    """Without BESPOKE_CHECKS, as users run their tests."""
    generated(tmp_path, SPEC)
    found = 0
    for name in 'box.h', 'box.c':
        text = (tmp_path / name).read_text()
        found += text.count(report)
        (tmp_path / name).write_text(text.replace(report, 'if (0) ' + report))
    assert found == 1
    done = _result_of(tmp_path)
    assert done.returncode == 1 and 'does not report misuse' in done.stdout, done.stdout


BROKEN = """\
bespoke: 1
containers:
  box: {element: {type: struct cue, header: ship.h}, ordering: unordered, removal: swap, test: {id: id}}
  file: {element: {type: struct cue, header: ship.h}, ordering: sorted, sort: {key: element->due}, test: {id: id}}
  hive: {element: {type: struct cue, header: ship.h}, ordering: unordered, removal: reuse, test: {id: id}}
"""
MUTANTS = [('wanted = list->capacity * 2;', 'wanted = list->capacity * 3;', 'box grows from'),
           ('wanted = list->capacity * 2;', 'wanted = list->capacity + 2;', 'box grows from'),
           ('if (pass->next > list->count) {', 'if (false) {', 'box_check does not notice that `list->passes[0].next` is wrong'),
           ('if (!box_reserve_record_(other)) {', 'if (false) {', 'box_add_from is refused the record'),
           ('return file_place_for_(list, &moved, from + 1, list->count);', 'return file_place_for_(list, &moved, from + 2, list->count);', 'file_check'),
           ('return file_place_for_(list, &moved, 0, from);', 'return file_place_for_(list, &moved, 1, from);', 'file_check'),
           ('list->used) != list->count) {', 'list->used) > list->count) {', 'hive_check does not notice that `list->used` is wrong')]


@pytest.fixture(scope='module')
def emitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp('emitted')
    generated(folder, BROKEN, 'struct cue { unsigned id, due; };\n')
    return folder


@pytest.mark.parametrize('text,broken,said', MUTANTS, ids=[broken.split('\n')[0] for _, broken, _ in MUTANTS])
def test_what_sequences_do_not_reach_is_noticed(emitted, tmp_path, text, broken, said):
    for name in 'box.h', 'box_test.c', 'bespoke_test.h', 'ship.h':
        shutil.copy(str(emitted / name), str(tmp_path))
    source = (emitted / 'box.c').read_text()
    assert text in source
    (tmp_path / 'box.c').write_text(source.replace(text, broken, 1))
    done = _result_of(tmp_path)
    assert done.returncode == 1 and said in done.stdout, done.stdout


POINTERS = """\
bespoke: 1
defaults: {element: {type: struct ship, header: ship.h, by: pointer}, duplicates: reject, identity: {key: element->id}}
containers:
  filed: {ordering: sorted, sort: {key: element->id}}
  linked: {ordering: sorted, removal: unlink, sort: {key: element->id}}
  piled: {ordering: heap, sort: {key: element->id}}
  hashed: {ordering: unordered, removal: swap, index: hash}
  chunked: {ordering: unordered, removal: reuse, index: hash, storage: chunked}
  named: {ordering: insertion, removal: tombstone, index: hash, indexes: {by_place: {key: element->place, kind: sorted}}}
"""


def test_check_reports_an_element_that_is_null_and_reads_no_key_of_it(tmp_path):
    """It compared the keys first."""
    (tmp_path / 'box.yaml').write_text(POINTERS)
    (tmp_path / 'ship.h').write_text('#ifndef SHIP_H\n#define SHIP_H\nstruct ship { unsigned id, place; };\n#endif\n')
    subprocess.run([sys.executable, '-m', 'generator', 'generate', '-q', '--no-format', 'box.yaml', '-o', '.'], cwd=str(tmp_path), check=True,
                   env={**os.environ, 'PYTHONPATH': ROOT})
    names = re.findall(r'^  (\w+): ', POINTERS, re.M)
    calls = ''.join(f'    for (int at = 0; at < 3; at++) {{ {name} list = {{0}}; for (int i = 0; i < 3; i++) (void){name}_add(&list, &ships[i]);\n'
                    f'        list.{"chunks[0]->" if name == "chunked" else ""}items[at] = NULL; puts({name}_check(&list)); }}\n' for name in names)
    (tmp_path / 'main.c').write_text('#include <stdio.h>\n#include "box.c"\nint main(void)\n{\n    struct ship ships[3] = {{1, 2}, {2, 3}, {3, 1}};\n' + calls + '}\n')
    subprocess.run(['tcc', '-w', 'main.c', '-o', 'main'], cwd=str(tmp_path), check=True)
    done = subprocess.run(['./main'], cwd=str(tmp_path), stdout=subprocess.PIPE, universal_newlines=True)
    assert (done.returncode, done.stdout) == (0, 'an element is NULL\n' * 3 * len(names))
