#!/usr/bin/env python3
"""What checks and chaos cost: an add and a removal by key, in microseconds of processor time, in containers of 10 to 10,000 elements.

    bench/chaos.py [--compiler CC] [--turns N] [--only BUILD]
"""

import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = (10, 100, 10000)
POLICIES = {'swap': 'ordering: unordered', 'reuse': 'ordering: unordered', 'tombstone': 'ordering: insertion', 'unlink': 'ordering: insertion'}
ASAN = ['-fsanitize=address', '-DBESPOKE_CHECKS=1']
BUILDS = (('neither', []), ('checks', ['-DBESPOKE_CHECKS=1']), ('checks, AddressSanitizer', ASAN),
          ('checks, AddressSanitizer, BESPOKE_CHAOS=1', ASAN + ['-DBESPOKE_CHAOS=1']),
          ('checks, AddressSanitizer, BESPOKE_CHAOS=2', ASAN + ['-DBESPOKE_CHAOS=2']))
ELEMENT = '#ifndef ROW_H\n#define ROW_H\nstruct row {\n    int id, rest[9];\n};\n#endif\n'
SPEC = 'bespoke: 1\ndefaults: {element: {type: struct row, header: row.h}, identity: {key: element->id}, duplicates: reject, index: hash}\ncontainers:\n'
PROGRAM = r'''
#include "all.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    int size = atoi(argv[1]), turns = atoi(argv[2]);
    clock_t begun;
    (void)argc;
#define RUN(T)                                       \
    {                                                \
        T list = {0};                                \
        for (int i = 0; i < size; i++) {             \
            (void)T##_add(&list, (struct row){i});   \
        }                                            \
        begun = clock();                             \
        for (int i = 0; i < turns; i++) {            \
            (void)T##_add(&list, (struct row){size + i}); \
            (void)T##_remove_key(&list, i);              \
        }                                            \
        printf("%.4f\n", (double)(clock() - begun) / CLOCKS_PER_SEC / turns * 1e6); \
        T##_deinit(&list);                           \
    }
'''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--compiler', default='gcc')
    parser.add_argument('--turns', type=int, default=200000)
    parser.add_argument('--only', help='one build: neither, checks, ...')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            with open(os.path.join(folder, name), 'w') as file:
                file.write(text)
        write('row.h', ELEMENT)
        write('all.yaml', SPEC + ''.join(f'  by_{name}: {{{order}, removal: {name}}}\n' for name, order in POLICIES.items()))
        write('main.c', PROGRAM + ''.join(f'    RUN(by_{name})\n' for name in POLICIES) + '    return 0;\n}\n')
        subprocess.run([os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'all.yaml', '-o', '.'], cwd=folder, check=True)
        for build, flags in BUILDS:
            if options.only not in (None, build):
                continue
            subprocess.run([options.compiler, '-O1', *flags, 'main.c', 'all.c', '-o', 'run'], cwd=folder, check=True)
            cells = []
            for size in SIZES:
                turns = max(200, options.turns // size) if 'CHAOS=2' in build else options.turns
                done = subprocess.run(['./run', str(size), str(turns)], cwd=folder, stdout=subprocess.PIPE, encoding='ascii', check=True)
                times = sorted(map(float, done.stdout.split()))
                cells.append(' to '.join(f'{time:,.0f}' if time >= 100 else f'{time:.2g}' for time in (times[0], times[-1])))
            print(f'| {build} | ' + ' | '.join(cells) + ' |', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
