"""tests/mutants/run.py: where it breaks what is emitted, and what it says of tests that do not notice."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

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
    return subprocess.run(['./test', '--steps', '3000', '--exhaustive', '2'], cwd=str(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)


def run(folder, *arguments):
    (folder / 'box.yaml').write_text(SPEC)
    (folder / 'ship.h').write_text('#ifndef SHIP_H\n#define SHIP_H\nstruct ship { unsigned id; };\n#endif\n')
    return subprocess.run([sys.executable, RUN, 'box.yaml', '--json', 'mutants.json', *arguments], cwd=str(folder), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)


def test_mutants_are_counted_and_survivors_listed(tmp_path):
    done = run(tmp_path, '--number', '24', '--test', '--steps 3000 --exhaustive 2')
    assert done.returncode == 0, done.stdout
    [row] = json.loads((tmp_path / 'mutants.json').read_text())
    assert row['container'] == 'box' and 20 <= row['of'] <= 24 and row['of'] / 2 < row['found'] == row['of'] - len(row['survived'])
    for line in row['survived']:
        assert line in done.stdout and re.match(r"box\.[ch]:\d+: (operator|number|condition negated|statement deleted|step reversed): ", line)
    assert done.stdout.endswith(f"{row['found']} of {row['of']} mutants found ({100 * row['found'] / row['of']:.1f} %), {len(row['survived'])} survived\n")


def test_a_test_that_notices_little_is_below_the_least(tmp_path):
    done = run(tmp_path, '--number', '24', '--least', '90', '--test', '--steps 1 --exhaustive 0')
    assert done.returncode == 1 and json.loads((tmp_path / 'mutants.json').read_text())[0]['survived']


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
