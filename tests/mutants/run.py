#!/usr/bin/env python3
"""Breaks emitted containers in one place at a time, and runs their generated tests: which breaks do these not find?

    tests/mutants/run.py [SPEC ...] [--container NAME] [--number 200] [--seed 1] [--least 95] [--in-all 97] [--json FILE]
    tests/mutants/run.py --again FILE

The places are those of libclang's tree of header and source: a statement is deleted, a condition negated, a comparison, a logic or
arithmetic operator replaced, a number raised by one, a step reversed. Of all of a container, `--number` are drawn. Each mutant is
compiled with tcc, or gcc where tcc cannot, and tested as a user's TESTS would be, one container alone: in a short run first, since most
are found there. Those that the test does not find are of a class:

    not read      the compiler of the run does not read the place: after the preprocessor, the test has the same tokens
    same code     gcc -O2 makes the same object file of the source, with BESPOKE_CHECKS and without
    explained     equivalent.txt has it, with the reason why nobody can tell
    survived      a fault of the test, until it is explained

Found ones are counted of those that are not equivalent: found and survived. A mutant that does not compile is not counted. Each that
survives is printed. Exit code: 0, or 1 if less than `--least` of a hundred were found in a container, or `--in-all` in all together.
"""

import argparse
import concurrent.futures
import dataclasses
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT, os.path.dirname(HERE)]

import rendered  # noqa: E402
from rendered import as_documented, is_explained, loaded, with_its_layer  # noqa: E402
from generator.types import libclang  # noqa: E402

OPERATORS = {'<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'], '==': ['!='], '!=': ['=='], '&&': ['||'], '||': ['&&'],
             '+': ['-'], '-': ['+'], '*': ['+'], '/': ['*'], '%': ['/'], '<<': ['>>'], '>>': ['<<'], '&': ['|'], '|': ['&'],
             '+=': ['-='], '-=': ['+='], '|=': ['&='], '&=': ['|=']}
EQUIVALENT = ('not read', 'same code', 'explained')
SHORT = '--exhaustive 2 --steps 10000'
STEPS = {'++': '--', '--': '++'}


class Mutant:
    """One replacement in one file."""

    def __init__(self, function, path, start, end, text, kind):
        self.function, self.path, self.start, self.end, self.text, self.kind = function, path, start, end, text, kind

    def applied(self, source):
        """No line moves: some are named in reports."""
        lines = source[self.start:self.end].count('\n') - self.text.count('\n')
        return source[:self.start] + self.text + '\n' * lines + source[self.end:]

    def _change(self, source, spelled=lambda text: text):
        line = source[source.rfind('\n', 0, self.start) + 1:].split('\n', 1)[0].strip()
        was, text, line = (spelled(text) for text in (' '.join(source[self.start:self.end].split()), self.text, line))
        return f'{self.kind}: {was[:60]!r} -> {text[:60]!r} in `{line[:90]}`'

    def said(self, source):
        return f'{self.path}:{source.count(chr(10), 0, self.start) + 1}: {self._change(source)}'

    def known(self, source, name):
        """As equivalent.txt has it."""
        return f'{self.function[len(name) + 1:]}: {self._change(source, lambda text: as_documented(name, text))}'


class Places:
    """Where a file can be broken."""

    def __init__(self, clang, path, source, folder):
        self.clang, self.path, self.source = clang, path, source.encode()
        self.found = []
        file = os.path.join(folder, path)
        unit = clang.Index.create().parse(file, args=['-x', 'c', '-std=c99', '-I' + folder])
        for function in unit.cursor.get_children():
            if function.kind == clang.CursorKind.FUNCTION_DECL and function.is_definition() and str(function.location.file) == file:
                self._walk(function, function.spelling)

    def _text(self, cursor):
        return self.source[cursor.extent.start.offset:cursor.extent.end.offset].decode()

    def _add(self, function, start, end, text, kind):
        self.found.append(Mutant(function, self.path, start, end, text, kind))

    def _walk(self, cursor, function):
        kind = self.clang.CursorKind
        children = list(cursor.get_children())
        if cursor.kind == kind.COMPOUND_STMT:
            for child in children:
                self._statement(child, function)
        elif cursor.kind in (kind.IF_STMT, kind.WHILE_STMT):
            condition = children[0]
            text = self._text(condition)
            if text and condition.kind != kind.DECL_STMT:
                self._add(function, condition.extent.start.offset, condition.extent.end.offset, f'!({text})', 'condition negated')
        elif cursor.kind in (kind.BINARY_OPERATOR, kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            start, end = children[0].extent.end.offset, children[1].extent.start.offset
            between = self.source[start:end].decode()
            sign = between.strip()
            for other in OPERATORS.get(sign, ()):
                at = start + between.index(sign)
                self._add(function, at, at + len(sign), other, 'operator')
        elif cursor.kind == kind.UNARY_OPERATOR:
            text = self._text(cursor)
            for sign, other in STEPS.items():
                if text.startswith(sign) or text.endswith(sign):
                    at = cursor.extent.start.offset if text.startswith(sign) else cursor.extent.end.offset - 2
                    self._add(function, at, at + 2, other, 'step reversed')
        elif cursor.kind == kind.INTEGER_LITERAL:
            text = self._text(cursor)
            if text.isdigit():
                self._add(function, cursor.extent.start.offset, cursor.extent.end.offset, str(int(text) + 1), 'number')
        for child in children:
            self._walk(child, function)

    def _statement(self, child, function):
        kind = self.clang.CursorKind
        if child.kind in (kind.BINARY_OPERATOR, kind.COMPOUND_ASSIGNMENT_OPERATOR, kind.CALL_EXPR, kind.UNARY_OPERATOR, kind.BREAK_STMT, kind.CONTINUE_STMT):
            end = child.extent.end.offset
            if self.source[end:end + 1] == b';':
                self._add(function, child.extent.start.offset, end + 1, ';', 'statement deleted')
        elif child.kind == kind.IF_STMT:
            self._add(function, child.extent.start.offset, child.extent.end.offset, ';', 'statement deleted')


def ran(command, folder, limit):
    """The wait status of a program, and the seconds of the processor that it took, at most `limit`: other work may slow it down."""
    process = subprocess.Popen(['sh', '-c', f'ulimit -t {int(limit) + 1}; exec "$0" "$@"', *command], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return status, usage.ru_utime + usage.ru_stime


class Files(rendered.Files):
    """What a spec emits, and what it needs: written with a mutant, compiled and run."""

    plain = None
    compiler = ['tcc', '-w']

    def written(self, folder, mutant=None):
        super().written(folder)
        if mutant is not None:
            with open(os.path.join(folder, mutant.path), 'w', encoding='utf-8') as file:
                file.write(mutant.applied(self.texts[mutant.path]))

    def tested(self, mutant, names, runs):
        """How the tests of a mutant end: found, survived, or it does not compile. Each run has arguments and a limit in seconds."""
        with tempfile.TemporaryDirectory() as folder:
            self.written(folder, mutant)
            built = subprocess.run([*self.compiler, self.stem + '_test.c', '-o', 'test'], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if built.returncode != 0:
                return 'not compiled', []
            took = []
            for arguments, limit in runs:
                took.append(0.0)
                for name in names:
                    status, seconds = ran(['./test', '--container', name, *arguments], folder, limit)
                    took[-1] += seconds
                    if status != 0:
                        return 'found', took
            return 'survived', took

    def equivalent(self, mutant):
        """How compilers can tell that a mutant is equivalent; None if they cannot."""
        if self.plain is None:
            self.plain = self._compiled(None)
        read, *codes = self._compiled(mutant)
        if read == self.plain[0]:
            return 'not read'
        return 'same code' if codes == self.plain[1:] else None

    def _compiled(self, mutant):
        """What tcc reads of the test, and what gcc makes of the source."""
        with tempfile.TemporaryDirectory() as folder:
            self.written(folder, mutant)
            results = [subprocess.run([*self.compiler, '-E', '-P', self.stem + '_test.c'], cwd=folder, stdout=subprocess.PIPE, check=True).stdout.split()]
            for checks in '0', '1':
                subprocess.run(['gcc', '-std=c99', '-w', '-O2', '-fkeep-inline-functions', '-DBESPOKE_CHECKS=' + checks, '-c', self.stem + '.c', '-o', 'code.o'],
                               cwd=folder, stderr=subprocess.DEVNULL, check=True)
                with open(os.path.join(folder, 'code.o'), 'rb') as file:
                    results.append(file.read())
            return results


def explained():
    """The mutants of equivalent.txt."""
    return rendered.reasons(os.path.join(HERE, 'equivalent.txt'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('specs', nargs='*', default=sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml'))))
    parser.add_argument('--container', default='')
    parser.add_argument('--number', type=int, default=200, help='mutants drawn for each container; 0: all')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--least', type=float, default=0, help='of a hundred that must be found')
    parser.add_argument('--in-all', type=float, default=0, help='of a hundred that must be found in all of them together')
    parser.add_argument('--test', default='', help='arguments of the generated test')
    parser.add_argument('--short', default=SHORT, help='its arguments for a run that comes first')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count() or 2)
    parser.add_argument('--json', default='', help='write what was counted')
    parser.add_argument('--again', default='', help='count what --json has written, with the equivalent.txt of now')
    options = parser.parse_args()
    library = libclang.LIBRARY
    library.load()
    clang = library.cindex
    if options.again:
        with open(options.again, encoding='utf-8') as file:
            sys.exit(counted([explained_now(row) for row in json.load(file)], options))
    result = []
    for path in options.specs:
        spec = loaded(path)
        for container in spec.containers:
            if options.container in ('', container.name):
                alone = dataclasses.replace(spec, containers=[container], memberships=[])
                result.append(one(clang, Files.of(alone, path), container, options))
                write(result, options.json)
    sys.exit(counted(result, options))


def write(result, path):
    """After each container, so that a run that is stopped has counted those before."""
    if path:
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(result, file, indent=1)


def counted(result, options):
    """Prints the sum; the exit code."""
    of, found, *equivalent = (sum(row[key] for row in result) for key in ('of', 'found', *EQUIVALENT))
    print(f'{found} of {of} mutants found ({100 * found / max(of, 1):.1f} %), {of - found} survived; beside them equivalent: '
          + ', '.join(f'{number} {kind}' for number, kind in zip(equivalent, EQUIVALENT)))
    write(result, options.json)
    return 1 if found < of * options.in_all / 100 or any(row['found'] < row['of'] * options.least / 100 for row in result) else 0


def explained_now(row):
    """The row of an earlier run, with the mutants that equivalent.txt has by now."""
    reasons = explained()
    left = [(said, known) for said, known in zip(row['survived'], row['known']) if not is_explained(reasons, row['container'], known)]
    more = len(row['survived']) - len(left)
    row = {**row, 'of': row['of'] - more, 'explained': row['explained'] + more, 'survived': [said for said, _ in left], 'known': [known for _, known in left]}
    tell(row)
    return row


def tell(row):
    print(f'{row["container"]}: {row["found"]} of {row["of"]} found; equivalent: ' + ', '.join(f'{row[kind]} {kind}' for kind in EQUIVALENT)
          + f'; its test takes {row["seconds"]:.1f} s', flush=True)
    for said, known in zip(row['survived'], row['known']):
        print(f'    {said}\n        {known}', flush=True)


def one(clang, files, container, options):
    """The mutants of one container, its layers included."""
    name, names, texts = container.name, [each.full_name for each in with_its_layer(container)], files.texts
    if not files.includes():
        sys.exit(f'the test of {name} has a copy of its own of what it tests, since the spec chooses operations: no mutant would reach it')
    with tempfile.TemporaryDirectory() as folder:
        files.written(folder)
        mine = [place for path in sorted(texts) if not path.endswith('_test.c') for place in Places(clang, path, texts[path], folder).found]
    places = len(mine)
    if options.number and places > options.number:
        mine = random.Random(f'{options.seed} {name}').sample(mine, options.number)
    every, reasons = [options.short.split(), options.test.split()], explained()
    for files.compiler in ['tcc', '-w'], ['gcc', '-w', '-pthread']:
        state, took = files.tested(None, names, [(arguments, 600) for arguments in every])
        if state != 'not compiled':
            break
    assert state == 'survived', f'the test of {name}, as it is: {state}'
    runs = [(arguments, 5 * seconds + 2) for arguments, seconds in zip(every, took)]

    def state_of(mutant):
        state, _ = files.tested(mutant, names, runs)
        if state == 'survived':
            state = 'explained' if is_explained(reasons, name, mutant.known(texts[mutant.path], name)) else files.equivalent(mutant) or state
        return state

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        states = list(pool.map(state_of, mine))
    survived = [mutant for mutant, state in zip(mine, states) if state == 'survived']
    row = {'container': name, 'places': places, 'of': states.count('found') + len(survived), **{kind: states.count(kind) for kind in ('found', *EQUIVALENT)},
           'survived': [mutant.said(texts[mutant.path]) for mutant in survived],
           'known': [mutant.known(texts[mutant.path], name) for mutant in survived], 'seconds': round(took[-1], 2)}
    tell(row)
    return row


if __name__ == '__main__':
    main()
