"""bench/struct_change.py, in small: what a build does after each change."""

import os
import sys

import pytest

from conftest import ROOT, need, run

need('cmake', 'ninja', 'cc')
pytest.importorskip('clang.cindex', reason='python3-clang is not installed: script/setup test installs it')


def test_struct_change():
    """Four containers over two structs, each in a spec of its own."""
    said = run(sys.executable, os.path.join(ROOT, 'bench', 'struct_change.py'), '--containers', '4', '--structs', '2', '--each', '1',
               '--types', 'locks', '--generators', 'Ninja', '--repeat', '1')
    rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in said.splitlines() if line.startswith('| 4 x')]
    found = {row[3]: tuple(map(int, row[4:7])) for row in rows}
    compiled = 4  # two lists of the struct, and the two sources that use them
    assert found == {
        'everything': (4, 8, 9),
        'nothing changed': (0, 0, 0),
        'header touched': (2, 0, compiled),
        'comment in the header': (2, 0, compiled),
        'another struct in the header': (2, 0, compiled),
        'member added to the struct': (2, 4, compiled),
    }
