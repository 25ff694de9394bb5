"""Bespoke's command line, in this process or in one of its own, on little projects."""

import os
import shutil
import subprocess
import sys

from conftest import ROOT

from generator.output import clang_format
from generator.tool import cli

BESPOKE = os.path.join(ROOT, 'bespoke')
WARNINGS = ['-Werror::DeprecationWarning', '-Werror::PendingDeprecationWarning', '-Werror::SyntaxWarning']  # what a later Python refuses

SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; uint32_t slot; int hp; };
#endif
'''

FLEET = '''bespoke: 1
containers:
  fleet:
    element: {type: struct ship, header: ship.h}
    ordering: unordered
    removal: swap
'''

CREW = '''bespoke: 1
containers:
  crew: {element: int}
'''


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __repr__(self):
        return f'exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}'


class Tool:
    """Runs commands in a folder that holds specs/fleet.yaml and specs/crew.yaml."""

    def __init__(self, folder, capsys=None):
        self.folder, self.capsys = folder, capsys
        self.write('specs/ship.h', SHIP)
        self.write('specs/fleet.yaml', FLEET)
        self.write('specs/crew.yaml', CREW)

    # -- files
    def path(self, name):
        return os.path.join(str(self.folder), *name.split('/'))

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w', encoding='utf-8', newline='') as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding='utf-8', newline='') as file:
            return file.read()

    def edit(self, name, old, new):
        text = self.read(name)
        assert old in text, f'{old!r} is not in {name}'
        self.write(name, text.replace(old, new, 1))

    def exists(self, name):
        return os.path.lexists(self.path(name))

    def remove(self, name):
        os.unlink(self.path(name))

    def state(self, name='generated'):
        """File name -> content and time, of a folder."""
        result = {}
        for folder, _, names in os.walk(self.path(name)):
            for base in names:
                path = os.path.join(folder, base)
                with open(path, 'rb') as file:
                    result[os.path.relpath(path, self.path(name))] = (file.read(), os.stat(path).st_mtime_ns)
        return result

    # -- commands
    def __call__(self, *arguments, code=0):
        """Runs a command in this process; the working folder is the test's."""
        self.capsys.readouterr()
        got = cli.main(list(arguments))
        said = self.capsys.readouterr()
        result = Result(got, said.out, said.err)
        assert got == code, result
        assert 'Traceback' not in result.err
        return result

    def process(self, *arguments, code=0, python=sys.executable, script=BESPOKE, cwd=None, **environment):
        """Runs a command in a process of its own."""
        env = dict(os.environ, **environment)
        if 'PYTHONPYCACHEPREFIX' not in os.environ:  # nothing is to be written beside the sources
            env.setdefault('PYTHONDONTWRITEBYTECODE', '1')
        env = {name: value for name, value in env.items() if value is not None}
        done = subprocess.run([python, *WARNINGS, script, *arguments], cwd=cwd or str(self.folder), env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding='utf-8', timeout=120)
        result = Result(done.returncode, done.stdout, done.stderr)
        if code is not None:
            assert done.returncode == code, result
        assert 'Traceback' not in result.err, result
        return result


FORMATTERS = list(filter(None, (shutil.which(f'clang-format-{major}') for major in clang_format.MAJORS)))
FORMATTER = getattr(clang_format.find_formatter()[0], 'path', None)  # may be of a later version
