"""The measurements of builds and of memory, in small: what is built after a change, and that what they count is right."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from building import ROOT, need, run

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
        'everything': (4, 9, 9),  # bespoke.h is one of them
        'nothing changed': (0, 0, 0),
        'header touched': (2, 0, compiled),
        'comment in the header': (2, 0, compiled),
        'another struct in the header': (2, 0, compiled),
        'member added to the struct': (2, 4, compiled),
    }


def test_chaos():
    """The cost of checks and chaos, of one build."""
    said = run(sys.executable, os.path.join(ROOT, 'bench', 'chaos.py'), '--turns', '10', '--only', 'checks')
    assert said.startswith('| checks | ') and said.count(' to ') == 3 and said.count('\n') == 1


def test_one_spec_of_many(tmp_path):
    """After a change of one spec, that one is generated, and its source and the one that uses it are compiled; a bound that is missed
    is an exit code."""
    run(sys.executable, os.path.join(ROOT, 'bench', 'generator_cost.py'), '--only', 'build', '--containers', '6', '--json',
        str(tmp_path / 'rows.json'))
    with open(tmp_path / 'rows.json', encoding='utf-8') as file:
        found = json.load(file)
    assert found['bench'] == 'generator'
    assert {row['what']: row['value'] for row in found['rows'] if row['unit'] != 's'} == {'build: generated': 1, 'build: compiled': 2}


@pytest.mark.skipif(sys.platform != 'linux', reason='it counts what the C library of Linux hands out')
def test_counted_bytes(tmp_path):
    """What the probes of bench/memory.py count: each block with its word, moved ones once, nothing when all is free."""
    (tmp_path / 'count.c').write_text('''#include "counting.h"
#include <malloc.h>
#include <stdlib.h>
int main(void)
{
    size_t before = counted_bytes();
    char *a = malloc(100), *b = calloc(10, 10), *c;
    size_t two = malloc_usable_size(a) + malloc_usable_size(b) + 2 * sizeof(size_t);
    if (counted_bytes() - before != two || two < 216) {
        return 1;
    }
    c = realloc(a, 100000);
    if (counted_bytes() - before != malloc_usable_size(c) + malloc_usable_size(b) + 2 * sizeof(size_t)) {
        return 2;
    }
    free(b);
    free(c);
    free(NULL);
    if (posix_memalign((void **)&a, 64, 128) != 0 || counted_bytes() - before < 128) {
        return 3;
    }
    free(a);
    return counted_bytes() == before ? 0 : 4;
}
''')
    folder = os.path.join(ROOT, 'bench', 'memory')
    run(shutil.which('gcc') or 'cc', '-O1', '-fno-builtin', '-w', '-I' + folder, str(tmp_path / 'count.c'), os.path.join(folder, 'counting.c'), '-o',
        str(tmp_path / 'count'))
    assert subprocess.run([str(tmp_path / 'count')]).returncode == 0
