#!/usr/bin/env python3
"""Runs the generated tests of specs, and lists what they do not reach of the emitted code.

    tests/coverage/run.py [SPEC ...] [--container NAME] [--test "--steps 30000 --exhaustive 3"] [--least 100] [--json FILE]
    tests/coverage/run.py --again FILE

A generated test is built with clang's coverage in four ways: plain, with BESPOKE_CHECKS, with BESPOKE_CHAOS=2, with BESPOKE_CHECKS and chaos
now and then; what one of them reaches is reached. Of a container's functions, in header and source, are counted: the lines that have code, and the arms of conditions:
true and false of each operand of `&&` and `||`, the cases of a switch. Only arms of a condition that is reached are counted: of any
other the arm that leads there is. A function that is never called counts as one arm.

dead.txt has those that no test can reach, with the reason. Each other one is printed. Exit code: 0, or 1 if less than `--least` of a hundred
arms of all containers were reached or explained.
"""

import argparse
import bisect
import collections
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT, os.path.dirname(HERE)]

from rendered import Files, as_documented, is_explained, loaded, reasons, with_its_layer  # noqa: E402
from generator.text.tokens import LITERAL  # noqa: E402

BUILDS = [[], ['-DBESPOKE_CHECKS=1'], ['-DBESPOKE_CHAOS=2'], ['-DBESPOKE_CHECKS=1', '-DBESPOKE_CHAOS=1']]
TOOLS = ('clang', 'llvm-profdata', 'llvm-cov')
BRANCH = 4  # the kind of a region of clang's coverage

Place = collections.namedtuple('Place', 'file line column end_line end_column')
Arm = collections.namedtuple('Arm', 'function place missing known')


def measured(files, defines, names, arguments):
    """What llvm-cov exports of one build."""
    with tempfile.TemporaryDirectory() as folder:
        files.written(folder)

        def run(*command):
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, 'LLVM_PROFILE_FILE': '%p.raw'})
            if done.returncode != 0:
                sys.exit(f'{files.stem}: {" ".join(command)}: {done.returncode}\n' + (done.stdout + done.stderr).decode()[-2000:])
            return done.stdout

        run('clang', '-O0', '-w', '-pthread', '-fprofile-instr-generate', '-fcoverage-mapping', *defines, files.stem + '_test.c', '-o', 'test')
        for name in names:
            run('./test', '--container', name, *arguments)
        run('llvm-profdata', 'merge', '-sparse', *glob.glob(os.path.join(folder, '*.raw')), '-o', 'profile')
        return json.loads(run('llvm-cov', 'export', './test', '-instr-profile=profile'))['data'][0]


def lines_with_code(text):
    """Neither empty nor only comments, braces or directives."""
    plain = LITERAL.sub(lambda found: '"' + '\n' * found[0].count('\n') if found[0][0] != '/' else '\n' * found[0].count('\n'), text)
    return {number for number, line in enumerate(plain.split('\n'), 1) if line.strip(' \t{}') and not line.lstrip().startswith('#')}


def lines_run(segments):
    """How often each line has run. A segment begins with a line and column, the count from there on, and whether there is one."""
    counts, before = {}, [0, 0, 0, False, False, False]
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        first = bisect.bisect_left(segments, [line])
        mine = segments[first:bisect.bisect_left(segments, [line + 1])]
        found = [count for _, _, count, counted, *_ in [before, *mine] if counted]
        if found:
            counts[line] = max(found)
        before = mine[-1] if mine else before
    return counts


class Reached:
    """What several builds have reached of the files of a spec."""

    def __init__(self, files):
        self.texts = {name: text for name, text in files.texts.items() if not name.endswith('_test.c')}
        self.lines = collections.Counter()      # by file and line
        self.calls = collections.Counter()      # by function
        self.bodies = {}                        # where each function is
        self.taken = collections.defaultdict(lambda: [0, 0])  # true and false, by function and place

    def add(self, data):
        for file in data['files']:
            name = os.path.basename(file['filename'])
            if name in self.texts:
                for line, count in lines_run(file['segments']).items():
                    self.lines[name, line] += count
        for function in data['functions']:
            files = [os.path.basename(file) for file in function['filenames']]
            name = function['name'].rpartition(':')[2].replace('_under_test', '')
            if files[0] not in self.texts:
                continue
            self.calls[name] += function['count']
            self.bodies[name] = Place(files[0], *function['regions'][0][:4])
            for *place, true, false, file, _, kind in function['branches']:
                if kind == BRANCH and files[file] in self.texts:
                    counts = self.taken[name, Place(files[file], *place)]
                    counts[0] += true
                    counts[1] += false

    def text(self, place):
        lines = self.texts[place.file].split('\n')[place.line - 1:place.end_line]
        lines[-1] = lines[-1][:place.end_column - 1]
        lines[0] = lines[0][place.column - 1:]
        return ' '.join(' '.join(lines).split())

    def of(self, name, functions):
        """The lines that have code, those that have run, the arms, and those that were not taken."""
        code = {file: lines_with_code(text) for file, text in self.texts.items()}
        lines = {(body.file, line) for function in functions for body in [self.bodies[function]] for line in range(body.line, body.end_line + 1)
                 if line in code[body.file] and (body.file, line) in self.lines}
        arms, missing, said = 0, [], collections.Counter()
        for function in sorted(functions, key=lambda function: self.bodies[function]):
            if not self.calls[function]:
                missing.append(self._arm(name, function, self.bodies[function], 'never called', '', said))
            arms += not self.calls[function]
        for (function, place), counts in sorted(self.taken.items(), key=lambda item: item[0][1]):
            if function in functions and any(counts):
                arms += 2
                missing += [self._arm(name, function, place, 'never ' + word, ': ' + self.text(place), said) for word, count in zip(('true', 'false'), counts) if not count]
        return len(lines), sum(self.lines[line] > 0 for line in lines), arms, missing

    @staticmethod
    def _arm(name, function, place, missing, text, said):
        """The same condition a second time in a function has a number."""
        known = as_documented(name, f'{function[len(name) + 1:]}: {missing}{text}')
        said[known] += 1
        return Arm(function, place, missing + text, known + (f' [{said[known]}]' if said[known] > 1 else ''))


def owner(names, function):
    """The container that has this function: of those whose names it begins with, the one with the longest."""
    return max((name for name in names if function.startswith(name + '_')), key=len, default=None)


def of_spec(spec, files, options):
    """A row for each container."""
    chosen = [container for container in spec.containers if options.container in ('', container.name)]
    names = [each.full_name for container in chosen for each in with_its_layer(container)]
    reached = Reached(files)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for data in pool.map(lambda defines: measured(files, defines, names, options.test.split()), BUILDS):
            reached.add(data)
    every = [each.full_name for container in spec.containers for each in with_its_layer(container)]
    return [row_of(reached, name, [function for function in reached.bodies if owner(every, function) == name]) for name in names]


def row_of(reached, name, functions):
    lines, run, arms, missing = reached.of(name, functions)
    return explained_now({
        'container': name, 'lines': lines, 'run': run, 'arms': arms, 'taken': arms - len(missing), 'explained': 0,
        'missing': [f'{arm.place.file}:{arm.place.line}: {arm.function}: {arm.missing}' for arm in missing], 'known': [arm.known for arm in missing]})


def explained_now(row):
    """The row, with the arms that dead.txt has by now."""
    known = reasons(os.path.join(HERE, 'dead.txt'))
    left = [(missing, arm) for missing, arm in zip(row['missing'], row['known']) if not is_explained(known, row['container'], arm)]
    row = {**row, 'explained': row['explained'] + len(row['known']) - len(left), 'missing': [missing for missing, _ in left], 'known': [arm for _, arm in left]}
    tell(row)
    return row


def said(row):
    return f'{row["run"]} of {row["lines"]} lines, {row["taken"]} of {row["arms"]} arms; {row["explained"]} explained, {len(row["missing"])} not'


def tell(row):
    print(f'{row["container"]}: {said(row)}', flush=True)
    for where, known in zip(row['missing'], row['known']):
        print(f'    {where}\n        {known}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('specs', nargs='*', default=sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml'))))
    parser.add_argument('--container', default='')
    parser.add_argument('--test', default='--steps 30000 --exhaustive 3', help='arguments of the generated test')
    parser.add_argument('--least', type=float, default=0, help='of a hundred arms that must be reached or explained')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count() or 2)
    parser.add_argument('--json', default='', help='write what was counted')
    parser.add_argument('--again', default='', help='count what --json has written, with the dead.txt of now')
    options = parser.parse_args()
    if options.again:
        with open(options.again, encoding='utf-8') as file:
            sys.exit(counted([explained_now(row) for row in json.load(file)], options.least))
    if any(shutil.which(tool) is None for tool in TOOLS):
        print('needs ' + ', '.join(TOOLS))
        sys.exit(5)
    rows = []
    for path in options.specs:
        spec = loaded(path)
        files = Files.of(spec, path)
        if not files.includes():
            print(f'{path}: not counted: its test has a copy of its own of the code, since the spec chooses operations')
            continue
        rows += of_spec(spec, files, options)
        if options.json:
            with open(options.json, 'w', encoding='utf-8') as file:
                json.dump(rows, file, indent=1)
    sys.exit(counted(rows, options.least))


def counted(rows, least):
    """Prints the sum; the exit code."""
    total = {key: sum(row[key] for row in rows) for key in ('lines', 'run', 'arms', 'taken', 'explained')}
    total['missing'] = [line for row in rows for line in row['missing']]
    print(f'{len(rows)} containers: {said(total)}: {100 * total["run"] / max(total["lines"], 1):.2f} % of lines, '
          f'{100 * total["taken"] / max(total["arms"], 1):.2f} % of arms')
    return 1 if len(total['missing']) > total['arms'] * (100 - least) / 100 else 0


if __name__ == '__main__':
    main()
