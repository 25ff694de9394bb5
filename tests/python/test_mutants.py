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
