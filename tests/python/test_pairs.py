"""T_EACH_PAIR (docs/contract.md): loops whose bodies are drawn agree with the model, for each kind of record of a pass."""

import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, 'tests')]

import turns  # noqa: E402
from generator.tool import cli  # noqa: E402

SPEC = os.path.join(ROOT, 'tests', 'specs', 'anywhere.yaml')
with open(SPEC) as stream:
    NAMES = [found.group(1) for found in re.finditer(r'^  (anywhere_\w+):.*', stream.read(), re.M) if 'begin_at, current' not in found.group(0)]
LOOPS, STEPS = (40000, 7000000) if turns.FULL else (200, 40000)


@pytest.fixture(scope='module')
def program(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp('pairs'))
    includes = ['-I' + os.path.join(ROOT, *path) for path in (['specs'], ['tests', 'specs'])]
    assert cli.main(['generate', '-q', SPEC, '-o', folder, '--tests', '--no-format', *includes]) == 0
    compiler = ['tcc', '-std=c11'] if shutil.which('tcc') and not turns.FULL else ['cc', '-O1', '-w']
    subprocess.run([*compiler, '-I' + folder, *includes, 'anywhere_test.c', '-o', 'pairs'], cwd=folder, check=True)
    return os.path.join(folder, 'pairs')


@pytest.mark.parametrize('name', turns.share(NAMES, 5))
def test_pairs_of_random_programs(program, name):
    """The generated test draws what a body does: it removes either element, or a third, adds, clears, nests, leaves."""
    done = subprocess.run([program, '--container', name, '--steps', str(STEPS), '--exhaustive', '0'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert int(re.search(r'(\d+) loops over pairs', done.stdout).group(1)) >= LOOPS, done.stdout
