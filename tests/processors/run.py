#!/usr/bin/env python3
"""On processors of other kinds, and on Windows as wine has it (the cells of tests/combinations that are FOREIGN): the generated tests of all
presets and of some 64 combinations, files that are saved by one machine, this one among them, and read by each other, and the order that
unordered containers promise.

    tests/processors/run.py [--only MACHINE,...] [--specs NAME,...] [--beyond] [--combinations 64]

--beyond: the generated tests of tests/specs, too.
Exit code: 0; 1 after a failure, which is printed; 5 where there is no machine but this one.
"""

import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, 'tests', 'combinations'), os.path.join(ROOT, 'tests'), ROOT]

import run as combinations  # noqa: E402

SPECS = os.path.join(ROOT, 'specs')
BEYOND = os.path.join(ROOT, 'tests', 'specs')
STEPS = ['--steps', '1000', '--exhaustive', '2']
PER_FILE = 16


class Machine:
    """A compiler, and what runs its programs."""

    def __init__(self, name, compiler, flags, under):
        self.name, self.compiler, self.under = name, compiler, under
        self.flags = ['-std=c11', '-O1', '-static', *combinations.WARNINGS, *flags]

    def compiles(self, source, program, *folders):
        return done([self.compiler, *self.flags, *('-I' + folder for folder in folders), source, '-o', program])

    def runs(self, program, *arguments):
        return done([*self.under, program, *arguments])


def done(command):
    """What went wrong with it."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, errors='replace', timeout=1200)
    except subprocess.TimeoutExpired:
        return 'not finished: ' + ' '.join(command)
    return '' if result.returncode == 0 else '%s\n%s' % (' '.join(command), result.stdout[-3000:])


def machines(only):
    found = []
    for name, (compiler, flags) in combinations.FOREIGN.items():
        if only and name not in only:
            continue
        under = combinations.under(name)
        if under is None:
            print('not tried, since there is no compiler here or its programs do not run: ' + name)
        else:
            found.append(Machine(name, compiler, flags, under))
    return found


def generated(folder, *sources):
    """The specs of a folder, generated into another one; its headers are found there and in the others."""
    specs = sorted(glob.glob(os.path.join(sources[0], '*.yaml')))
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', *specs, '--tests', '--no-format', '-o', folder,
                    *('-I' + source for source in sources)], stderr=subprocess.DEVNULL, check=True)
    return [os.path.basename(path)[:-5] for path in specs]


def tests_of(them, folder, stems, *sources):
    """What compiles and runs the test of a spec on a machine."""
    def one(each, stem):
        program = os.path.join(folder, stem + '.' + each.name + '.exe')
        return each.compiles(os.path.join(folder, stem + '_test.c'), program, folder, *sources) or each.runs(program, *STEPS)
    return [(one, each, stem) for stem in stems for each in them]


def saved(them, folder):
    """The files of tests/specs/saved.yaml: what each machine writes, every other reads, and would write the same."""
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(BEYOND, 'saved.yaml'), '--no-format', '-o', folder, '-I', BEYOND], check=True)
    every = [Machine('this machine', 'cc', [], ()), *them]
    problems = []
    for each in every:
        each.program, each.files = (os.path.join(folder, what % each.name.replace(' ', '_')) for what in ('loads.%s.exe', 'files.%s'))
        os.mkdir(each.files)
        said = each.compiles(os.path.join(ROOT, 'tests', 'fuzz', 'loads.c'), each.program, folder, BEYOND) or each.runs(each.program, 'files', each.files)
        if said:
            problems.append('%s writes: %s' % (each.name, said))
    number = 0
    for writer in every:
        for reader in every if not problems else ():
            number += len(os.listdir(writer.files))
            said = reader.runs(reader.program, 'reads', writer.files)
            if said:
                problems.append('%s reads what %s has written: %s' % (reader.name, writer.name, said))
    print('saved files: %d read, each by every machine; %d failed' % (number, len(problems)))
    return problems


def ordered(them, folder):
    """The order that tests/specs/promised.yaml promises: the same list from each machine as tests/behaviour/order.txt."""
    generate = [sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(BEYOND, 'promised.yaml'), '--no-format', '-o', folder]
    subprocess.run([*generate, '-I', BEYOND], check=True)
    whole = os.path.join(folder, 'whole.c')
    with open(whole, 'w') as file:
        file.write('#include "%s"\n#include "promised.c"\n' % os.path.join(ROOT, 'tests', 'behaviour', 'order.c'))
    with open(os.path.join(ROOT, 'tests', 'behaviour', 'order.txt')) as file:
        wanted = file.read().splitlines()
    problems = []
    for each in them:
        program = os.path.join(folder, 'order.%s.exe' % each.name.replace(' ', '_'))
        said = each.compiles(whole, program, folder, BEYOND)
        if not said:
            printed = subprocess.run([*each.under, program], stdout=subprocess.PIPE, universal_newlines=True, timeout=1200).stdout
            said = '' if printed.splitlines() == wanted else 'another order: %s' % printed[-3000:]
        if said:
            problems.append('the promised order on %s: %s' % (each.name, said))
    print('promised order: the same on %d machines; %d failed' % (len(them) - len(problems), len(problems)))
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--only', default='', help='machines')
    parser.add_argument('--specs', default='', help='presets; all')
    parser.add_argument('--beyond', action='store_true', help='the tests of tests/specs, too')
    parser.add_argument('--combinations', type=int, default=64)
    options = parser.parse_args()
    them = machines([name for name in options.only.split(',') if name])
    if not them:
        print('no machine but this one: script/processors installs some')
        return 5
    began, failed = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        problems = saved(them, folder) + ordered(them, folder)
    print('\n'.join(problems), flush=True)
    failed += len(problems)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        first, second = os.path.join(folder, 'presets'), os.path.join(folder, 'beyond')
        chosen = [name for name in options.specs.split(',') if name]
        stems = [stem for stem in generated(first, SPECS) if not chosen or stem in chosen]
        jobs = tests_of(them, first, stems, SPECS)
        what = '%d presets' % len(stems)
        if options.beyond:
            stems = generated(second, BEYOND, SPECS)
            jobs += tests_of(them, second, stems, BEYOND, SPECS)
            what += ', %d specs of tests/specs' % len(stems)
        for (_, each, stem), said in zip(jobs, pool.map(lambda job: job[0](*job[1:]), jobs)):
            if said:
                failed += 1
                print('%s on %s: %s' % (stem, each.name, said), flush=True)
    print('%s on %s: %d tests, %d failed in all, %.0f s'
          % (what, ', '.join(each.name for each in them), len(jobs), failed, time.monotonic() - began), flush=True)
    if options.combinations:
        batches = max(1, options.combinations // PER_FILE)
        total = len(combinations.sampled(combinations.listed.combinations(), 0))
        share = max(1, total // PER_FILE // batches)
        sampled = {name: value for name, value in os.environ.items() if name != 'BESPOKE_TEST_ALL'}  # a share of them in a full run, too
        failed += subprocess.run([sys.executable, os.path.join(ROOT, 'tests', 'combinations', 'run.py'), '--cells', ','.join(each.name for each in them),
                                  '--share', str(share), '--per-file', str(PER_FILE), '--steps', '300', '--exhaustive', '1'],
                                 env=sampled).returncode != 0
    print('%s, %.0f s' % ('%d failed' % failed if failed else 'all passed', time.monotonic() - began))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
