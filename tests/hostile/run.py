#!/usr/bin/env python3
"""Gives the generator mutated specs, and says which it does not stand.

    tests/hostile/run.py [--number 700] [--first 0] [--seconds N] [--seed TEXT] [--render 4] [--compile 17] [--one N]

Each spec is one of the repository, changed in its tree or in its bytes (mutate.py). It must be accepted, or refused with errors that have
file, line and column; both within two seconds of computing, and without an exception. Every `--render`th of the accepted is emitted, every
`--compile`th compiled by gcc with -Werror. Where --seed is not given, each turn (tests/turns.py) has another, and a full one 200,000 specs.
--one shows a single spec. Of each kind of failure the first is printed, made small. Exit code: 0, or 1 after failures.
"""

import argparse
import collections
import contextlib
import faulthandler
import io
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT, os.path.join(ROOT, 'tests')]

import turns  # noqa: E402
from hostile.mutate import Mutator  # noqa: E402

from generator.containers.load import load_spec  # noqa: E402
from generator.emitted.render import Renderer  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402
from generator.text.printing import render  # noqa: E402
from generator.tool import cli  # noqa: E402

WARNINGS = ('BSP0232', 'BSP0332', 'BSP0333')  # what the compiler will not know
LIMIT = 2  # seconds of computing
OF_A_WHOLE_FILE = ('BSP0001', 'BSP0002', 'BSP0003')  # which has no line
FLAGS = ['-std=c99', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-fsyntax-only', '-fmax-errors=20']
SHIP = '#include <stdbool.h>\n#include <stdint.h>\nstruct ship { uint32_t id, slot; int hp; bool gone; float x, y; struct { uint32_t slot; } links; };\n'
# What gcc says where the C that stands in the spec is wrong: members that its type lacks, names of its own that nobody declares.
USERS = re.compile(r"has no member named|has no member|request for member|unknown type name|incomplete type|undefined type|No such file|is not a pointer|invalid operands to binary"
                   r"|aggregate value used|-Werror=int-conversion|expression with array type|struct_\w+_has_changed_|support unnamed structs|incompatible types when"
                   r"|invalid type argument|subscripted value|storage size|'(?P<name>\w+)' undeclared|undeclared .*'(?P<called>\w+)'|implicit declaration of function '(?P<function>\w+)'")


class Slow(BaseException):
    """It took longer than LIMIT."""


class Failed(Exception):
    """Something is not as it should be."""


def _alarm(*_):
    raise Slow


class Run:
    """Gives specs to the generator, in folders that are copies of the repository's."""

    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.mutator = Mutator(options.seed)
        self.renderer = Renderer()
        self.count = collections.Counter()
        self.codes = collections.Counter()
        self.slowest = (0, None)
        self.failures = {}
        self.copies = {}
        with open(os.path.join(folder, 'ship.h'), 'w') as file:
            file.write(SHIP)
        signal.signal(signal.SIGPROF, _alarm)

    def place(self, base):
        """Where mutants of a spec are written: beside copies of what it may include."""
        if base.folder not in self.copies:
            copy = self.copies[base.folder] = os.path.join(self.folder, str(len(self.copies)))
            shutil.copytree(base.folder, copy, ignore=lambda path, names: [name for name in names if os.path.isdir(os.path.join(path, name)) and name != 'types'])
        return os.path.join(self.copies[base.folder], 'mutant.yaml')

    def include(self, path):
        return [os.path.dirname(path), self.folder, os.path.join(ROOT, 'specs'), os.path.join(ROOT, 'tests', 'specs'), os.path.join(ROOT, 'tests', 'bad')]

    # -- one spec ------------------------------------------------------------------------------------------------------

    def judge(self, path, data, number):
        """accepted or refused; anything else raises."""
        with open(path, 'wb') as file:
            file.write(data)
        problems = Diagnostics()
        with self.watched('reading'):
            spec = load_spec(path, problems, self.include(path))
            texts = [render(item, 'gcc') for item in problems.sorted()]
        if (spec is None) != bool(problems):
            raise Failed('neither accepted nor refused')
        for item, text in zip(problems.sorted(), texts):
            if item.severity == 'error':
                self.codes[item.code] += 1
            self.check_position(item, text)
        if number % 50 == 0:
            self.commands(path, spec)
        if spec is None:
            return 'refused'
        self.accepted(path, spec, number, any(item.code in WARNINGS for item in problems))
        return 'accepted'

    @staticmethod
    def check_position(item, text):
        span = item.span
        if span is None:
            if item.code not in OF_A_WHOLE_FILE:
                raise Failed('no position: %s' % item.code)
            return
        if not 1 <= span.line <= span.source.line_count or not 1 <= span.column <= len(span.source.line(span.line)) + 1:
            raise Failed('a position that is not in the file: %s' % item.code)
        if not text.startswith('%s:%d:%d: ' % (span.source.name, span.line, span.column)):
            raise Failed('no position in the text: %s' % item.code)

    def accepted(self, path, spec, number, told):
        if number % self.options.render and number % self.options.compile:
            return
        tests = number % (2 * self.options.render) == 0
        with self.watched('emitting'):
            texts = self.renderer.files(spec, 'x', tests)
        self.count['emitted'] += 1
        if number % self.options.compile == 0 and not tests:
            self.compile(path, spec, texts, told)

    def compile(self, path, spec, texts, told):
        folder = os.path.join(self.folder, 'emitted')
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for name, text in texts.items():
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(text)
        source = next(name for name in texts if name.endswith('.c') or len(texts) == 1)
        more = ['-D%s_IMPLEMENTATION' % spec.stem.upper(), '-x', 'c'] if source.endswith('.h') else []
        done = subprocess.run(['gcc', *FLAGS, *more, '-I', folder, *('-I' + each for each in self.include(path)), os.path.join(folder, source)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, 'LC_ALL': 'C'})
        self.count['compiled'] += 1
        if done.returncode:
            said = re.sub(r"[\u2018\u2019]", "'", done.stderr.decode('utf-8', 'replace'))
            if told or users(said, spec, folder):
                self.count['of these with C of the spec that no compiler takes'] += 1
            else:
                errors = re.findall(r'error: (.*)', said) or [said]
                if self.options.one is not None:
                    print(said)
                raise Failed('does not compile: ' + '; '.join(dict.fromkeys(errors))[:300])

    def commands(self, path, spec):
        """The command line says the same."""
        target = os.path.join(self.folder, 'out')
        shutil.rmtree(target, ignore_errors=True)
        more = [word for folder in self.include(path) for word in ('-I', folder)]
        for command in (['generate', path, '-o', target, '--no-format', *more], ['explain', path, *more]):
            said = io.StringIO()
            with self.watched(command[0]), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                code = cli.main(command)
            signal.signal(signal.SIGPROF, _alarm)
            if code != (2 if spec is None else 0):
                raise Failed('exit code %s of %s: %s' % (code, command[0], said.getvalue().replace(self.folder, '')[-200:]))

    @contextlib.contextmanager
    def watched(self, what):
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        began = time.process_time()
        try:
            yield
        except Slow:
            raise Failed('%s takes more than %d seconds' % (what, LIMIT)) from None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.slowest = max(self.slowest, (time.process_time() - began, self.current), key=lambda each: each[0])

    # -- all of them ---------------------------------------------------------------------------------------------------

    def outcome(self, path, data, number):
        """The outcome; of a failure what it is, the same for all of one kind."""
        try:
            return self.judge(path, data, number), ''
        except Failed as failure:
            return 'failed', re.sub(r'\d+', 'N', str(failure))
        except (Exception, Slow) as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            return 'failed', '%s in %s, %s' % (type(error).__name__, os.path.basename(frame.filename), frame.name)

    def one(self, number):
        self.current = number
        base, data = self.mutator.spec(number)
        path = self.place(base)
        outcome, kind = self.outcome(path, data, number)
        self.count[outcome] += 1
        if kind:
            seen = kind in self.failures
            self.failures.setdefault(kind, []).append(number)
            if not seen:
                print('== %s: seed %s, number %s, from %s' % (kind, self.options.seed, number, os.path.relpath(base.path, ROOT)), flush=True)
                print(self.smaller(path, data, number, kind).decode('utf-8', 'backslashreplace'), flush=True)

    def smaller(self, path, data, number, kind):
        """As few lines, and of these as few characters, as fail in the same way; not for ever."""
        faulthandler.cancel_dump_traceback_later()
        until = time.monotonic() + 60
        for unit in (re.compile(rb'[^\n]*\n?'), re.compile(rb'[^\s,:]+|[\s,:]+'), re.compile(rb'(?s).')):
            pieces = [piece for piece in unit.findall(data) if piece]
            size = max(1, len(pieces) // 2)
            while pieces and len(pieces) < 3000:
                at, before = 0, len(pieces)
                while at < len(pieces) and time.monotonic() < until:
                    less = pieces[:at] + pieces[at + size:]
                    if self.outcome(path, b''.join(less), number)[1] == kind:
                        pieces = less
                    else:
                        at += size
                if size == 1 and len(pieces) == before or time.monotonic() >= until:
                    break
                size = max(1, size // 2)
            data = b''.join(pieces)
        return data

    def all(self):
        options = self.options
        began = time.monotonic()
        number = options.first
        interrupted = True
        with contextlib.suppress(KeyboardInterrupt):
            while number < options.first + options.number and (options.seconds is None or time.monotonic() - began < options.seconds):
                faulthandler.dump_traceback_later(60, exit=True)  # of what no signal ends
                self.one(number)
                number += 1
            interrupted = False
        faulthandler.cancel_dump_traceback_later()
        print('%d mutated specs (seed %s, from %d): ' % (number - options.first, options.seed, options.first)
              + ', '.join('%s %s' % (value, name) for name, value in sorted(self.count.items())))
        print('%d codes of errors; the longest took %.2f s of computing (number %s)' % (len(self.codes), *self.slowest))
        for kind, numbers in self.failures.items():
            print('%6d  %s (%s)' % (len(numbers), kind, ', '.join(map(str, numbers[:5]))))
        return 1 if interrupted or self.failures or not self.count['accepted'] or not self.count['refused'] else 0


def users(said, spec, folder):
    """Is the first that the compiler says about C that stands in the spec, or in its headers? What follows may come of it."""
    own = tuple(word for container in spec.emitted for word in (container.full_name + '_', container.full_name.upper() + '_')) + ('bespoke', 'BESPOKE')
    owners = any(container['element.link.owner'] for container in spec.emitted)  # a member of the type that the container has without its styles
    errors = re.split(r'^(?=[^\n]*: (?:fatal )?error: )', said, flags=re.MULTILINE)[1:]  # each with its notes
    if not errors:
        return False
    first = errors[0].partition('\n')[0]
    named = re.search(r"'struct (\w+)' declared inside parameter list", first)
    if named is not None:
        return not named[1].startswith(own)  # a struct of the user's of which there is no header
    found = USERS.search(first)
    if found is None:
        places = re.findall(r'^(/[^:\n]*):\d+:\d+: (?:error|note)', errors[0], re.MULTILINE)
        return any(not path.startswith(folder) for path in places) or owners and re.search('distinct pointer types|incompatible-pointer-types', first) is not None
    return not any(name.startswith(own) for name in found.groupdict().values() if name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--number', type=int, default=200000 if turns.FULL else 700)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--seconds', type=float)
    parser.add_argument('--seed', default=str(turns.turn()))
    parser.add_argument('--render', type=int, default=4)
    parser.add_argument('--compile', type=int, default=17)
    parser.add_argument('--one', type=int)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    with tempfile.TemporaryDirectory() as folder:
        run = Run(folder, options)
        if options.one is not None:
            base, data = run.mutator.spec(options.one)
            run.current = options.one
            print(data.decode('utf-8', 'backslashreplace'))
            print(os.path.relpath(base.path, ROOT), *run.outcome(run.place(base), data, options.one))
            return 0
        return run.all()


if __name__ == '__main__':
    sys.exit(main())
