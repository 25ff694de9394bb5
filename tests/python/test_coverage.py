"""tests/coverage/run.py: what it lists of emitted code that a generated test does not reach."""

import importlib.util
import os
import re
import shutil
import types

import pytest

import rendered
from conftest import ROOT

RUN = os.path.join(ROOT, 'tests', 'coverage', 'run.py')
DEAD = os.path.join(ROOT, 'tests', 'coverage', 'dead.txt')

SPEC = """\
bespoke: 1
containers:
  box: {element: {type: int}, ordering: insertion, removal: shift}
  box_lid: {element: {type: int}, ordering: insertion, removal: shift}
"""
PLANTED = """\
static inline size_t box_unused_(const box *list)
{
    return list->count > 3 ? 1 : 0; /* not reached */
}
static inline size_t box_count(const box *list)
{
    if (list->count > 4000 && list->live.number == 0) {
        return 0;
    }
    return list->count;
}
"""


@pytest.fixture(scope='module')
def tool():
    spec = importlib.util.spec_from_file_location('coverage_run', RUN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if any(shutil.which(each) is None for each in module.TOOLS):
        pytest.skip('needs clang and llvm')
    return module


@pytest.fixture(scope='module')
def rows(tool, tmp_path_factory):
    path = tmp_path_factory.mktemp('coverage') / 'box.yaml'
    path.write_text(SPEC)
    spec = tool.loaded(str(path))
    files = tool.Files.of(spec, str(path))
    counts = 'static inline size_t box_count(const box *list) { return list->count; }\n'
    assert files.texts['box.h'].count(counts) == 1
    files.texts['box.h'] = files.texts['box.h'].replace(counts, PLANTED)
    options = types.SimpleNamespace(container='', jobs=2, test='--steps 100 --exhaustive 1')
    return {row['container']: row for row in tool.of_spec(spec, files, options)}


def test_a_planted_branch_is_found(rows):
    row = rows['box']
    assert 'count: never true: list->count > 4000' in row['known']
    assert 'unused_: never called' in row['known']
    assert not [known for known in row['known'] if 'list->live.number == 0' in known or 'list->count > 3' in known], 'of a condition that is not reached'
    assert len(row['missing']) == len(row['known']) and row['arms'] - row['taken'] - row['explained'] == len(row['known'])
    assert row['lines'] - row['run'] >= 2 and row['taken'] > row['arms'] * 0.8 and row['run'] > row['lines'] * 0.9


def test_each_container_has_its_own_functions(rows):
    assert not [known for row in rows.values() for known in row['known'] if known.startswith('lid_')]
    assert 'count: never true: list->count > 4000' not in rows['box_lid']['known']
    assert rows['box_lid']['arms'] == rows['box']['arms'] - 3  # of the planted ones


def test_what_is_explained_has_a_reason(tool):
    reasons = tool.reasons(DEAD)
    assert all(reasons.values()) and all(': never ' in known for known in reasons)


# Containers of tests/specs that have what no preset has, for which something is explained.
BESIDE = ['dense_buried', 'dense_buried_growing', 'dense_reused', 'dense_stable', 'dense_swap', 'dense_waiting', 'heap_chunks', 'heap_copies_chunks', 'heap_inline',
          'last_dense', 'saved_swap']


def test_what_is_explained_is_still_emitted():
    """An explanation of what is no more would be one of something else, one day. The n-th of a function is there if there are n."""
    emitted, stale = rendered.Emitted(BESIDE), []
    for known in rendered.reasons(DEAD):
        name, function, condition, number = re.match(r'(?:(\w+) )?(\w+): never (?:called|(?:true|false): (.*?))(?: \[(\d+)\])?$', known).groups()
        if not any(text.count(rendered.without_space(condition or '')) >= int(number or 1) for text in emitted.unfolded(function, name)):
            stale.append(known)
    assert not stale, '\n'.join(stale)


def test_less_than_the_least_fails(tool, capsys):
    row = {'container': 'box', 'lines': 10, 'run': 9, 'arms': 10, 'taken': 8, 'explained': 1, 'missing': ['box.c:3: box_f: never called'], 'known': ['f: never called']}
    assert tool.counted([row], 90) == 0 and tool.counted([row], 90.1) == 1
    assert '9 of 10 lines, 8 of 10 arms; 1 explained, 1 not: 90.00 % of lines, 80.00 % of arms' in capsys.readouterr().out


def test_lines_with_code(tool):
    assert tool.lines_with_code('/* a\n * b */\n#if X\nint c; /* d\n   e */\n{\n\n} else {\n"/*"; f();\n') == {4, 8, 9}
    assert tool.lines_run([[2, 1, 5, True, True, False], [3, 4, 0, True, True, False], [5, 2, 5, True, False, False], [6, 2, 0, False, False, False]]) == {
        2: 5, 3: 5, 4: 0, 5: 5, 6: 5}
