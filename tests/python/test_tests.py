"""All tests that pytest runs can be run at once, from the top: no two files of tests or helpers have one name."""

import subprocess
import sys

from conftest import ROOT


def test_all_are_collected_at_once():
    done = subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--collect-only', 'tests/python', 'tests/builds', 'tests/cmake'],
                          cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=120)
    assert done.returncode == 0, done.stdout
