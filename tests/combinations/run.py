"""Generates, compiles and tests the accepted combinations of the policy axes, many to a translation unit.

    run.py [--all | --sample N] [--share N] [--cells CELL,...] [--steps N] [--per-file N] [--where AXIS=VALUE]...

A cell is a compiler with its flags; each batch is compiled and its generated test run in every cell that has one.
AXIS is one of the axes, or a key of the language that goes with many of them: each combination that takes the value has it.
Without --all, a fixed sample in which every pair of values of two axes occurs that occurs at all. What a combination of
the axes leaves open (hooks, limits, allocators, how many passes) differs from one to the next.
"""

import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'tests'))
sys.path.insert(0, ROOT)

import listed  # noqa: E402
import machine  # noqa: E402
from turns import share, turn  # noqa: E402

from generator.containers.load import load_spec  # noqa: E402
from generator.emitted.render import Renderer  # noqa: E402
from generator.language import combinations  # noqa: E402
from generator.language.keys import BY_PATH, choices  # noqa: E402
from generator.language.size_types import inside  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402
from generator.text.printing import render  # noqa: E402

WARNINGS = ('-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror').split()
C_ONLY = ['-Wstrict-prototypes', '-Wdeclaration-after-statement']
GCC_ONLY = ['-Wsuggest-attribute=noreturn']  # seen where code is made
CXX_ONLY = ['-Wold-style-cast', '-Wzero-as-null-pointer-constant']
SANITIZE = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
# Tests are not optimized: compiling is most of what they take. Half of that is to check each access for NULL and alignment.
# name -> (compiler, flags, what is compiled: the header or the source alone, or its test, which is run where it becomes a program)
CELLS = {
    'gcc-c99': ('gcc', ['-std=c99', '-fsyntax-only'] + WARNINGS + C_ONLY, 'source'),
    'gcc-c2x': ('gcc', ['-std=c2x', '-fsyntax-only', '-DBESPOKE_CHECKS=1'] + WARNINGS + C_ONLY, 'source'),
    'clang-c11': ('clang', ['-std=c11', '-fsyntax-only'] + WARNINGS + C_ONLY, 'source'),
    'gcc-c++17': ('gcc', ['-xc++', '-std=c++17', '-fsyntax-only'] + WARNINGS, 'source'),
    'clang-c++17': ('clang', ['-xc++', '-std=c++17', '-fsyntax-only', '-Wno-deprecated'] + WARNINGS, 'source'),
    'gcc-c++17-header': ('gcc', ['-xc++', '-std=c++17', '-fsyntax-only', '-Wuseless-cast'] + WARNINGS + CXX_ONLY, 'header'),
    'clang-c++17-header': ('clang', ['-xc++', '-std=c++17', '-fsyntax-only'] + WARNINGS + CXX_ONLY, 'header'),
    'gcc-O2': ('gcc', ['-std=c11', '-O2', '-c', '-o', '{object}'] + WARNINGS + C_ONLY + GCC_ONLY, 'source'),
    'gcc': ('gcc', ['-std=c11'] + WARNINGS + C_ONLY + GCC_ONLY, 'test'),
    'gcc-32': ('gcc', ['-m32', '-std=c11'] + WARNINGS + C_ONLY, 'test'),
    'clang': ('clang', ['-std=c11'] + WARNINGS + C_ONLY, 'test'),
    'gcc-asan': ('gcc', ['-std=c11', '-DBESPOKE_CHAOS=2'] + SANITIZE, 'test'),
    'clang-asan': ('clang', ['-std=c11'] + SANITIZE, 'test'),
    'gcc-warnings': ('gcc', ['-std=c11', '-fsyntax-only'] + WARNINGS + C_ONLY, 'test'),
    'clang-asan-quick': ('clang', ['-std=c11'] + SANITIZE + ['-fno-sanitize=null,alignment'], 'test'),
}
# Of other processors and systems, for script/processors; their programs stand alone. name -> (compiler, flags). clang for MSVC is tried as it
# is, and as a compiler of which nothing but the standard is known: attributes and builtins are left out then, and nobody has warnings turned off.
MSVC = os.path.join(ROOT, 'tests', 'processors', 'msvc', 'clang')
FOREIGN = {'s390x': ('s390x-linux-gnu-gcc', []), 'arm64': ('aarch64-linux-gnu-gcc', []), 'armhf': ('arm-linux-gnueabihf-gcc', []),
           'windows': ('x86_64-w64-mingw32-gcc', []), 'msvc': (MSVC, []), 'msvc-plain': (MSVC, ['-U__clang__', '-w'])}
CELLS.update((cell, (compiler, ['-std=c11', '-static'] + WARNINGS + C_ONLY + flags, 'test')) for cell, (compiler, flags) in FOREIGN.items())
# What qemu calls the machine of a cell whose programs it can run; wine runs those of Windows.
EMULATED = {'gcc-32': 'i386', 's390x': 's390x', 'arm64': 'aarch64', 'armhf': 'arm', 'windows': 'windows', 'msvc': 'windows', 'msvc-plain': 'windows'}
LONG = ('gcc-warnings', 'clang', 'clang-asan-quick')
# Without sanitizers an operation takes a tenth of the time.
QUICK = ('gcc', 'clang')
SHORT = ('clang-c11', 'gcc-c++17', 'clang-c++17-header', 'gcc', 'gcc-32', 'clang-asan')
# Where nothing else is asked for, a batch takes one of these, the next one with the next commit: compiling is most of what they take.
IN_TURN = ('gcc', 'gcc-32', 'clang', 'clang-asan', 'clang-asan-quick')

HOOKS = {'hooks.add': '{T}_adds', 'hooks.remove': '{T}_removes', 'hooks.destroy': '{T}_destroys'}
SAVED = {'emit.persist': 'true', **combinations.COMPANIONS[('emit.persist', 'true')]}
# The axes that go with all of the others: one combination after another wears the next of these that it may.
DRESSES = (
    {},
    HOOKS,
    {'iteration.removes': 'current', 'iteration.cursors': 'one'},
    {'capacity.max': '3'},
    {'capacity.max': 'run_time'},
    {'capacity.max': 'run_time', 'index.keys': 'run_time', **HOOKS},
    {**HOOKS, 'hooks.move': '{T}_moves', 'hooks.update': '{T}_updates'},
    {'allocator.alloc': '{T}_alloc', 'allocator.realloc': '{T}_realloc', 'allocator.free': '{T}_free', 'allocator.aligned': 'true', 'capacity.growth': '1.25'},
    {'hooks.update': '{T}_updates', 'hooks.destroy': '{T}_destroys', 'hooks.context': 'int *', 'removal.ask': 'around_update'},
    {'capacity.max': '5', 'capacity.inline': 'true', **HOOKS},
    {'iteration.removes': 'current'},
    {'capacity.shrink.below': '50%', 'capacity.shrink.after': '1 settles', 'capacity.initial': '1'},
    {'iteration.cursors': 'one', 'hooks.move': '{T}_moves', 'removal.ask': 'before_update'},
    {'iteration.passes': '2', 'removal.dead_share': '1%', 'hooks.remove': '{T}_removes'},
    {'handles.index_bits': '8', 'handles.generation_bits': '8', **HOOKS},
    {'removal.next': 'last_freed'},
    {'removal.next': 'round_robin', **HOOKS},
    {'iteration.removes': 'none'},
    {'iteration.removes': 'none', **HOOKS},
    {'iteration.cursors': 'none'},
    {'threads.workers': '2'},
    {'threads.workers': '3', 'threads.merge': 'key', 'threads.inbox': '4', **HOOKS},
    {'threads.inbox': '2', 'capacity.max': '5'},
    {'emit.operations': '[add, pop, each]'},
    {'indexes': '{by_length: {key: element->length, kind: sorted}}'},
    {'indexes': '{by_length: {key: element->length}}', **HOOKS},
    {'indexes': '{by_length: {key: element->length}, by_size: {key: element->length, kind: sorted}}', 'capacity.max': '5', 'capacity.inline': 'true'},
    {'indexes': '{by_length: {key: element->length}}', 'index.keys': '4096', 'capacity.max': '5', 'capacity.inline': 'true'},
    {'indexes': '{by_length: {key: element->length, kind: sorted}}', 'index.keys': '4096', **HOOKS},
    SAVED,
    {'changes': 'recorded', **HOOKS},
    {'side': '{heat: float, ally: struct thing *}', **HOOKS},
    {'side': '{heat: bool}', 'changes': 'recorded'},
    {**SAVED, 'side': '{heat: float, turn: long}', 'emit.snapshot': 'true', 'hooks.remove': '{T}_removes'},
    {'side': '{heat: bool, ally: struct thing *}', 'changes': 'recorded', 'emit.snapshot': 'true'},
    {**SAVED, 'changes': 'recorded', 'emit.snapshot': 'true', 'hooks.remove': '{T}_removes'},
    {**SAVED, 'emit.snapshot': 'true', 'hooks.remove': '{T}_removes'},
    {**SAVED, 'emit.snapshot': 'true', 'removal.next': 'last_freed'},
)
# And one batch after another goes into an engine that names things in its own way.
_NAMES = 'header: thing.h, assert: THING_ASSERT, export: THING_API, size_type: %s, types: %s, functions: %s'
EMISSIONS = (
    '',
    'defaults:\n  emit: {%s}\n' % _NAMES % ('uint32_t', 'pascal', 'camel'),
    'defaults:\n  emit: {%s, freestanding: true, prefix: b2}\n  allocator: {kind: plain, alloc: thing_malloc, realloc: thing_realloc, '
    'free: thing_free}\n' % _NAMES % ('thing_size', 'pascal', 'type_pascal'),
    'defaults:\n  emit: {size_type: int}\n',
)


def named(settings, name):
    """The settings of a container with that name: its functions are called after it."""
    return {path: text.replace('{T}', name) for path, text in settings.items()}


def dressed(found, kept=()):
    """The same combinations, each with the next set of other settings that the rules accept for it; `kept` are no other's."""
    judge = combinations.Judge()
    for number, one in enumerate(found):
        for tries in range(len(DRESSES)):
            more = DRESSES[(number + tries) % len(DRESSES)]
            settings = {**one.settings, **more}
            if not set(kept).intersection(more) and judge.accepts(named(settings, 'c')):
                yield one._replace(settings=settings)
                break


def with_value(found, path, value):
    """The combinations that a value of another key goes with, with that."""
    judge = combinations.Judge()
    for one in found:
        settings = {**one.settings, path: value, **combinations.COMPANIONS.get((path, value), {})}
        if judge.accepts(named(settings, 'c')):
            yield one._replace(settings=settings)


def sampled(found, count):
    """A fixed sample in which every pair of values occurs that occurs in all of them; at least `count`."""
    missing = set()
    for one in found:
        missing.update(itertools.combinations(enumerate(one.values), 2))
    chosen = []
    # A fixed stride walks through all kinds of them before it comes back to neighbours.
    stride = next(step for step in range(len(found) * 5 // 8, len(found) * 2) if _coprime(step, len(found)))
    order = [found[number * stride % len(found)] for number in range(len(found))]
    for need in (3, 1):  # first those that bring much
        for one in order:
            pairs = missing.intersection(itertools.combinations(enumerate(one.values), 2))
            if len(pairs) >= need:
                chosen.append(one)
                missing -= pairs
    rest = [one for one in order if one not in chosen]
    return chosen + rest[:max(0, count - len(chosen))]


def _coprime(a, b):
    while b:
        a, b = b, a % b
    return a == 1


def container(one, name):
    """The container's lines, with what its test needs to know."""
    settings = named(one.settings, name)
    if settings.get('removal.expired') is not None:
        settings['test.expire'] = 'element->gone = true'
    return combinations.yaml(one._replace(settings=settings), name)


def counted(line, emission):
    """The same where counts have another type: numbers that are bits have it too."""
    size = re.search(r'size_type: (\w+)', emission)
    return line.replace('type: size_t,', 'type: %s,' % inside(size[1])) if size else line


def write(batch, folder):
    """Generates a batch: its source and its test. Gives what was said against it."""
    path = os.path.join(folder, 'all.yaml')
    with open(path, 'w') as file:
        number = batch[0][0] // len(batch)
        emission = EMISSIONS[number % len(EMISSIONS)]
        file.write('bespoke: 1\n%scontainers:\n' % emission)
        file.writelines(counted(container(one, 'c%d' % number), emission) + '\n' for number, one in batch)
    shutil.copy(os.path.join(HERE, 'thing.h'), folder)
    with open(os.path.join(folder, 'all_header.c'), 'w') as file:
        file.write('#include "all.h"\n')
    diagnostics = Diagnostics()
    spec = load_spec(path, diagnostics)
    if spec is None:
        return [render(item) for item in diagnostics.sorted()]
    for name, text in Renderer().files(spec, 'bespoke generate', tests=True).items():
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)
    return []


def try_batch(batch, cells, steps, shorter):
    """What went wrong with a batch, and how many operations its containers survived in each cell."""
    problems, operations, seconds = [], {}, {}
    with tempfile.TemporaryDirectory() as folder:
        problems += write(batch, folder)
        for cell in () if problems else cells:
            compiler, flags, what = CELLS[cell]
            runs = becomes_a_program(cell)
            began = time.monotonic()
            program = os.path.join(folder, cell + '.exe')  # as wine wants it
            source = {'header': 'all_header.c', 'source': 'all.c', 'test': 'all_test.c'}[what]
            command = [compiler] + [flag.format(object=program) for flag in flags] + [source]
            if runs:
                command += ['-o', program]
            run = _run(command, folder, 600)
            if run.returncode == 0 and runs:
                command = [*under(cell), program] + shorter.get(cell in QUICK, steps)
                run = _run(command, folder, 1800)
                count = re.search(r'^\d+ containers?, (\d+) operations', run.stdout, re.MULTILINE)
                operations[cell] = int(count.group(1)) if count else 0
                if run.returncode == 0 and not count:
                    problems.append('%s: the test does not say how many operations it made' % cell)
            seconds[cell] = time.monotonic() - began
            if run.returncode != 0:
                lines = run.stdout.splitlines()
                telling = [line for line in lines if re.search(r'error|warning|ERROR', line)][:12] or \
                    [line for line in lines if ' random operations' not in line][:25]
                problems += ['%s: %s' % (cell, line) for line in telling]
                names = dict.fromkeys(re.findall(r'\b(?:b2)?[cC](\d+)[_A-Z]', '\n'.join(telling)) or
                                      re.findall(r'\b(?:b2)?[cC](\d+)\b', '\n'.join(telling)))
                problems += [container(dict(batch)[int(name)], 'c' + name) for name in names if int(name) in dict(batch)]
    return problems, operations, seconds


def becomes_a_program(cell):
    """Is the test of a batch run in this cell, or only compiled?"""
    _, flags, what = CELLS[cell]
    return what == 'test' and '-fsyntax-only' not in flags


def cells_of(number, cells):
    """The cells of a batch: of those that are tried in turn, one. How a batch names things goes by its number, too."""
    in_turn = [cell for cell in cells if cell in IN_TURN]
    left_out = [cell for cell in in_turn if cell != in_turn[number // len(EMISSIONS) % len(in_turn)]]
    return [cell for cell in cells if cell not in left_out]


def under(cell):
    """What runs the programs of a cell: nothing, an emulator, or None if nothing does here."""
    compiler, flags, _ = CELLS[cell]
    if not becomes_a_program(cell):
        return () if shutil.which(compiler) else None
    command = [compiler, *(flag for flag in flags if not flag.startswith('-W'))]
    emulators = [machine.emulator(EMULATED[cell])] if cell in EMULATED else []
    ways = ([()] if cell not in FOREIGN else []) + [way for way in emulators if way]
    return next((way for way in ways if machine.runs(*command, under=way)), None)


def _run(command, folder, limit):
    try:
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, errors='replace', timeout=limit)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, 'error: not finished after %d s' % limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--sample', type=int, default=0)
    parser.add_argument('--cells', default='')
    parser.add_argument('--steps', type=int, default=0, help='operations drawn for each container (with --all 4000)')
    parser.add_argument('--exhaustive', type=int, default=None, help='all sequences of so many (default: 3, with --all 2)')
    parser.add_argument('--per-file', type=int, default=0, help='containers of a batch (default: 16, with --all 48)')
    parser.add_argument('--share', type=int, default=1, metavar='N', help='every Nth batch, others with the next commit (tests/turns.py)')
    parser.add_argument('--where', action='append', default=[])
    options = parser.parse_args()
    cells = options.cells.split(',') if options.cells else list(LONG if options.all else SHORT)
    for cell in cells:
        if cell not in CELLS:
            parser.error('no such cell: %s; there are %s' % (cell, ', '.join(CELLS)))
    missing = [cell for cell in cells if under(cell) is None]
    if missing:
        print('not tried, since there is no compiler here or its programs do not run: ' + ', '.join(missing))
        cells = [cell for cell in cells if cell not in missing]
    if not any(becomes_a_program(cell) for cell in cells):
        parser.error('nothing would be run')
    found = listed.combinations()
    total = len(found)
    kept = []
    for condition in options.where:
        axis, _, value = condition.partition('=')
        if axis in BY_PATH and axis not in combinations.AXES and (value in choices(axis) or BY_PATH[axis].kind in ('count', 'flag', 'callable')):
            found = list(with_value(found, axis, value))
            kept.append(axis)
            if not found:
                parser.error(f'--where {condition}: no combination takes that')
            continue
        numbers = [i for i, path in enumerate(combinations.AXES) if axis in (path, path.split('.')[0], path.split('.')[-1])]
        if not numbers:
            parser.error(f'--where {condition}: the axes are ' + ', '.join(combinations.AXES))
        values = sorted({one.values[numbers[0]] for one in found}, key=str)
        found = [one for one in found if one.values[numbers[0]] == value]
        if not found:
            parser.error(f'--where {condition}: {axis} may be ' + ', '.join(map(str, values)) + ' there')
    if not options.all:
        found = sampled(found, options.sample)
    numbered = list(enumerate(dressed(found, kept)))
    assert len(numbered) == len(found)
    per_file = options.per_file or (48 if options.all else 16)
    batches = [numbered[at:at + per_file] for at in range(0, len(numbered), per_file)]
    now = turn()
    whose_turn = share(list(enumerate(batches)), options.share, now)
    steps = options.steps or (4000 if options.all else 0)
    drawn = ['--steps', str(steps)] if steps else []
    drawn += ['--exhaustive', str(options.exhaustive if options.exhaustive is not None else 2 if options.all else 3)]
    asked = options.steps or options.exhaustive is not None or os.environ.get('BESPOKE_TEST_ALL')
    shorter = {} if asked or options.all else {True: ['--steps', '30000', '--exhaustive', '3'], False: ['--steps', '10000', '--exhaustive', '2']}
    in_turns = not options.cells and (options.all or not asked)
    began = time.monotonic()
    failed, operations, seconds, tested = 0, {}, {}, {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        jobs = [pool.submit(try_batch, batch, cells_of(number + now, cells) if in_turns else cells, drawn, shorter)
                for number, batch in whose_turn]
        for number, ((_, batch), job) in enumerate(zip(whose_turn, jobs)):
            problems, survived, took = job.result()
            if sys.stderr.isatty() or number % 50 == 49:
                print('%d of %d batches, %d failed, %.0f s' % (number + 1, len(jobs), failed, time.monotonic() - began),
                      file=sys.stderr, flush=True)
            for cell, count in survived.items():
                operations[cell] = operations.get(cell, 0) + count
                tested[cell] = tested.get(cell, 0) + len(batch)
            for cell, time_ in took.items():
                seconds[cell] = seconds.get(cell, 0) + time_
            if problems:
                failed += 1
                print('\n'.join(['-- a batch of %d' % len(batch)] + problems), flush=True)
    for cell in cells:
        note = '%d operations, %d for each of %d' % (operations[cell], operations[cell] // tested[cell], tested[cell]) \
            if cell in operations else 'compiled'
        print('%-12s %s, %.0f s' % (cell, note, seconds.get(cell, 0)))
    print('%d of %d combinations, %d batches, %d failed, %.0f s'
          % (sum(len(batch) for _, batch in whose_turn), total, len(jobs), failed, time.monotonic() - began))
    return 1 if failed or not jobs else 0


if __name__ == '__main__':
    sys.exit(main())
