#!/usr/bin/env python3
"""Runs generated tests of containers with inline storage in Frama-C's Eva, with all values known: it reports each step that C does not define.

    tests/proof/eva.py SPEC... [--container NAME] [--from 1] [--runs 1] [-I folder] [--output]

Prints each alarm with the function that it is in. Exits with 0 if all are in KNOWN and the tests have passed, 1 if not, 3 without Frama-C.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT, HERE]

from generator.containers.load import load_spec  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402
from prove import run  # noqa: E402

# What docs/assurance.md explains: the function, of the test or without the name of its container, and what Eva reports in it.
KNOWN = {
    ('bt_name_row', 'function snprintf: precondition valid_read_string(param0) got status unknown.'),
}
SETTINGS = ['-eva', '-eva-slevel', '1000000000', '-eva-plevel', '5000', '-eva-unroll-recursive-calls', '60', '-eva-no-results', '-eva-no-show-progress',
            '-kernel-warn-key', 'annot-error=inactive', '-eva-warn-key', 'builtins:override=inactive']
# The element that an address is of, from integers, which Eva does not follow; in its place the same with addresses.
_OFFSET = re.compile(r'uintptr_t offset = \(uintptr_t\)element - \(uintptr_t\)list->items;.*')
_SEARCHED = """uintptr_t offset = (uintptr_t)-1;

    for (size_t at = 0; at < sizeof list->items / sizeof *list->items; at++) {
        if (element == &list->items[at]) {
            offset = at * sizeof *list->items;
        }
    }
    if (offset == (uintptr_t)-1) {
        return (size_t)-1;
    }"""
# Nothing fails, so nothing is jumped to: Eva would follow both ways out of setjmp.
_MAIN = '''#include <setjmp.h>
#include <stdlib.h>
void Frama_C_show_each_passed(unsigned long operations);
#undef setjmp
#define setjmp(buffer) 0
#define longjmp(buffer, value) abort()
#define main bt_unused_main
#include "%s_test.c"
#undef main

int main(void)
{
    for (size_t i = 0; i < sizeof bt_subjects / sizeof bt_subjects[0]; i++) {
        bt_it = bt_subjects[i];
        if (strcmp(bt_it->name, "%s") == 0) {
            bt_top_label = bt_labels - 1;
            if (bt_it->ready() != NULL) {
                return 1;
            }
            for (unsigned long run = %d; run < %d; run++) {
                if (!bt_run(1, run, run, false)) {
                    return 2;
                }
            }
            Frama_C_show_each_passed(bt_operations);
            return 0;
        }
    }
    return 3;
}
'''


class Interpreted:
    """A spec with its generated test, in a folder."""

    def __init__(self, spec, folder, includes=()):
        self.folder, self.stem = folder, os.path.splitext(os.path.basename(spec))[0]
        self.includes = [os.path.abspath(each) for each in (os.path.dirname(spec) or '.', *includes)]
        loaded = load_spec(spec, Diagnostics(), self.includes)
        self.containers = [each.name for each in loaded.containers if each['capacity.inline']]
        done = run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', '--tests', os.path.abspath(spec), '-o', '.',
                    *(f'-I{each}' for each in self.includes)], folder)
        assert done.returncode == 0, done.stdout
        path = os.path.join(folder, self.stem + '.c')
        with open(path, encoding='utf-8') as stream:
            text = stream.read()
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(_OFFSET.sub(_SEARCHED, text))

    def alarms(self, container, first, runs):
        """(function, text) of each alarm; the operations that were run, None if the test did not come to its end or failed; what Eva printed."""
        with open(os.path.join(self.folder, 'interpreted.c'), 'w', encoding='utf-8') as stream:
            stream.write(_MAIN % (self.stem, container, first, first + runs))
        library = os.path.join(run(['frama-c', '-print-share-path'], self.folder).stdout.strip(), 'libc', 'string.c')
        done = run(['frama-c', '-cpp-extra-args=-std=c99 -U__GNUC__ -U__unix__ -I.' + ''.join(f' -I{each}' for each in self.includes), *SETTINGS,
                    'interpreted.c', library], self.folder)
        found = [(self._function(path, int(line)), re.sub(r'_va_\d+', '', ' '.join(text.split()))) for path, line, text in
                 re.findall(r'^\[eva:alarm\] (\S+?):(\d+): Warning: *\n?(.*(?:\n  .*)*)', done.stdout, re.MULTILINE)]
        passed = re.findall(r'Frama_C_show_each_passed: \{(\d+)\}', done.stdout)
        return found, int(passed[0]) if len(passed) == 1 and done.returncode == 0 else None, done.stdout

    def _function(self, path, line):
        with open(os.path.join(self.folder, path), encoding='utf-8') as stream:
            lines = stream.read().split('\n')[:line]
        return next((found[1] for found in (re.match(r'\w[\w *]*?(\w+)\([^;]*$', text) for text in reversed(lines)) if found), '')


def main():
    parser = argparse.ArgumentParser(prog='tests/proof/eva.py')
    parser.add_argument('specs', nargs='+')
    parser.add_argument('-I', dest='includes', action='append', default=[])
    parser.add_argument('--container', action='append')
    parser.add_argument('--from', dest='first', type=int, default=1)
    parser.add_argument('--runs', type=int, default=1)
    parser.add_argument('--output', action='store_true', help="print what Eva says")
    options = parser.parse_args()
    if shutil.which('frama-c') is None:
        print('tests/proof/eva.py: not installed: frama-c-base', file=sys.stderr)
        return 3
    whole = True
    for spec in options.specs:
        with tempfile.TemporaryDirectory() as folder:
            interpreted = Interpreted(spec, folder, options.includes)
            for name in interpreted.containers:
                if options.container and name not in options.container:
                    continue
                found, operations, printed = interpreted.alarms(name, options.first, options.runs)
                whole = whole and operations is not None and set(found) <= KNOWN
                print(f'{name}: {operations} operations, {len(found)} alarms', flush=True)
                for function, text in found:
                    print(f'    {function}: {text}', flush=True)
                if options.output:
                    print(printed)
    return 0 if whole else 1


if __name__ == '__main__':
    sys.exit(main())
