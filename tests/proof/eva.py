#!/usr/bin/env python3
"""Runs generated tests of containers with inline storage in Frama-C's Eva, with all values known: it reports each step that C does not define.

    tests/proof/eva.py [SPEC ...] [--container NAME] [--from 1] [--runs 1] [--operations 80] [--seconds 600] [-I folder] [--output]

Without a spec: all containers with inline storage in specs/ and tests/specs. Prints each alarm with the function that it is in, and what the
test calls a failure wherever Eva cannot exclude it. Exits with 0 if there are none and all runs come to their end, 1 if not, 3 without Frama-C.
"""

import argparse
import glob
import os
import re
import shutil
import sys
import tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT, HERE]

from generator.containers.load import load_spec  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402
from prove import run  # noqa: E402

SPECS = [path for folder in ('specs', 'tests/specs') for path in sorted(glob.glob(os.path.join(ROOT, folder, '*.yaml')))]
SETTINGS = ['-eva', '-eva-slevel', '1000000000', '-eva-plevel', '5000', '-eva-unroll-recursive-calls', '60', '-eva-no-results', '-eva-no-show-progress',
            '-kernel-warn-key', 'annot-error=inactive', '-eva-warn-key', 'builtins:override=inactive']
# Integers from addresses, which Eva does not follow; in their place the same with addresses (interpreted.c).
_OFFSET = re.compile(r'\(uintptr_t\)(elements?) - \(uintptr_t\)list->items\b')
_SEARCHED = r'offset_of_(\1, list->items, sizeof list->items, sizeof *list->items)'
_ADDRESS = re.compile(r'\(uint64_t\)\(uintptr_t\)element;')
# Frama-C has no _Alignas, loses structs that are copied into an array with the attribute, and does not know where an array begins.
_ALIGNED = re.compile(r'#elif defined\(__GNUC__\)\n(#define \w+_ALIGNED_) .*')
_MISALIGNED = re.compile(r'if \(\(uintptr_t\)\(const void \*\)\w+\(list[^)]*\) % \w+_ALIGNMENT != 0\)')
# Fewer different elements, and few of them compared: before the first run the test compares all with each other.
_LABELS = re.compile(r'BT_LABELS = \w+')
_COMPARED = re.compile(r'other < label && other < 400')

def containers(spec, includes=()):
    """The names of those with inline storage, and without an inbox: Eva knows no atomic operations."""
    return [each.name for each in load_spec(spec, Diagnostics(), list(includes)).containers if each['capacity.inline'] and each['threads.inbox'] is None]


def _only(spec, container):
    """The text of a spec, without the other containers: Eva keeps a state of all that is in the file."""
    with open(spec, encoding='utf-8') as stream:
        root = yaml.compose(stream)
    root.value = [(key, value) for key, value in root.value if key.value != 'memberships']
    for key, value in root.value:
        if key.value == 'containers':
            value.value = [each for each in value.value if each[0].value == container]
    return yaml.serialize(root)


class Interpreted:
    """A container with its generated test, in a folder."""

    def __init__(self, spec, container, folder, includes=()):
        self.folder, self.stem = folder, os.path.splitext(os.path.basename(spec))[0]
        self.includes = [os.path.abspath(each) for each in (os.path.dirname(spec) or '.', *includes)]
        with open(os.path.join(folder, self.stem + '.yaml'), 'w', encoding='utf-8') as stream:
            stream.write(_only(spec, container))
        types = os.path.join(os.path.dirname(spec), 'types')
        if os.path.exists(types):
            shutil.copytree(types, os.path.join(folder, 'types'))
        done = run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', '--tests', '--support', 'inline', self.stem + '.yaml', '-o', '.',
                    *(f'-I{each}' for each in self.includes)], folder)
        assert done.returncode == 0, done.stdout
        self.replace('_test.c', _LABELS, 'BT_LABELS = 48')
        self.replace('_test.c', _COMPARED, 'other < label && other < 2')
        self.replace('_test.c', _MISALIGNED, 'if (false)')
        for ending in ('.c', '_test.c'):
            self.replace(ending, _OFFSET, _SEARCHED)
            self.replace(ending, _ADDRESS, 'number_of_(element);')
        self.replace('.h', _ALIGNED, r'#elif 1\n\1')

    def replace(self, ending, pattern, text):
        path = os.path.join(self.folder, self.stem + ending)
        with open(path, encoding='utf-8') as stream:
            before = stream.read()
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(pattern.sub(text, before))

    def alarms(self, first, runs, operations, seconds):
        """(function, text) of each alarm, and of each failure that Eva cannot exclude; the operations that were run, None if the test did not
        come to its end; what Eva printed."""
        with open(os.path.join(self.folder, self.stem + '_test.c'), encoding='utf-8') as stream:
            layered = 'bl_enter_test' in stream.read()
        with open(os.path.join(HERE, 'interpreted.c'), encoding='utf-8') as stream:
            played = stream.read()
        with open(os.path.join(self.folder, 'interpreted.c'), 'w', encoding='utf-8') as stream:
            stream.write(f'#define TEST "{self.stem}_test.c"\n#define LAYERED {layered:d}\nenum {{ FIRST = {first}, RUNS = {runs}, OPERATIONS = {operations} }};\n' + played)
        library = os.path.join(run(['frama-c', '-print-share-path'], self.folder).stdout.strip(), 'libc', 'string.c')
        done = run(['timeout', str(seconds), 'frama-c', '-cpp-extra-args=-std=c99 -U__GNUC__ -U__unix__ -I.' + ''.join(f' -I{each}' for each in self.includes),
                    *SETTINGS, 'interpreted.c', library], self.folder)
        found = [(self._function(path, int(line)), re.sub(r'_va_\d+', '', ' '.join(text.split()))) for path, line, text in
                 re.findall(r'^\[eva:alarm\] (\S+?):(\d+): Warning: *\n?(.*(?:\n  .*)*)', done.stdout, re.MULTILINE)]
        found += sorted({('bt_fail', ' '.join(text.split())) for text in re.findall(r'Frama_C_show_each_failed:\s+\{\{ (.*?) \}\}', done.stdout, re.DOTALL)})
        passed = re.findall(r'Frama_C_show_each_passed: \{(\d+)\}', done.stdout)
        return found, int(passed[0]) if len(passed) == 1 and done.returncode == 0 else None, done.stdout

    def _function(self, path, line):
        if path.startswith('FRAMAC_SHARE'):
            return os.path.basename(path)
        with open(os.path.join(self.folder, path), encoding='utf-8') as stream:
            lines = stream.read().split('\n')[:line]
        return next((found[1] for found in (re.match(r'\w[\w *]*?(\w+)\([^;]*$', text) for text in reversed(lines)) if found), '')


def main():
    parser = argparse.ArgumentParser(prog='tests/proof/eva.py')
    parser.add_argument('specs', nargs='*', default=SPECS)
    parser.add_argument('-I', dest='includes', action='append', default=[])
    parser.add_argument('--container', action='append')
    parser.add_argument('--from', dest='first', type=int, default=1)
    parser.add_argument('--runs', type=int, default=1)
    parser.add_argument('--operations', type=int, default=80, help='at most so many a run (80)')
    parser.add_argument('--seconds', type=int, default=600, help='for each container (600)')
    parser.add_argument('--output', action='store_true', help="print what Eva says")
    options = parser.parse_args()
    if shutil.which('frama-c') is None:
        print('tests/proof/eva.py: not installed: frama-c-base', file=sys.stderr)
        return 3
    whole = True
    for spec in options.specs:
        for name in containers(spec, options.includes):
            if options.container and name not in options.container:
                continue
            with tempfile.TemporaryDirectory() as folder:
                found, operations, printed = Interpreted(spec, name, folder, options.includes).alarms(options.first, options.runs, options.operations, options.seconds)
            whole = whole and operations is not None and not found
            print(f'{name}: {operations} operations, {len(found)} alarms', flush=True)
            for function, text in found:
                print(f'    {function}: {text}', flush=True)
            if options.output:
                print(printed)
    return 0 if whole else 1


if __name__ == '__main__':
    sys.exit(main())
