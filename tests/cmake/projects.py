"""Little projects that use Bespoke, to be configured, built, changed and built again."""

import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.environ.get('BESPOKE_ROOT') or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CMAKE = os.environ.get('BESPOKE_CMAKE', 'cmake')
GENERATORS = {'ninja': 'Ninja', 'makefiles': 'Unix Makefiles'}

# What Bespoke consists of, for a build: a copy of these can be changed without touching the checkout.
PARTS = ('CMakeLists.txt', 'README.md', 'bespoke', 'cmake', 'generator', 'pyproject.toml', 'templates')


def environment(**changes):
    """The environment for all commands, without what an outer make, ctest or user may have left in it."""
    drop = ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'CMAKE_GENERATOR', 'VERBOSE', 'NINJA_STATUS', 'DESTDIR', 'CFLAGS',
            'CXXFLAGS', 'LDFLAGS', 'PYTHONPATH', 'PYTHONDONTWRITEBYTECODE', 'PYTHONPYCACHEPREFIX',
            'VIRTUAL_ENV')
    result = {k: v for k, v in os.environ.items() if k not in drop}
    result.update(LC_ALL='C', **changes)
    return result


def run(*command, ok=True, **changes):
    """Runs a command and returns its output, both streams in one. ok=False demands that it fails, None allows both."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8',
                          env=environment(**changes), timeout=300)
    if ok is not None and (done.returncode == 0) != ok:
        pytest.fail(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}", pytrace=False)
    return done.stdout


def words(text):
    """CMake breaks messages where it likes; this undoes it."""
    return ' '.join(text.split())


def copy_bespoke(folder):
    for part in PARTS:
        source = os.path.join(ROOT, part)
        if os.path.isdir(source):
            shutil.copytree(source, os.path.join(folder, part), ignore=shutil.ignore_patterns('__pycache__'))
        elif os.path.exists(source):
            os.makedirs(folder, exist_ok=True)
            shutil.copy2(source, folder)
    return str(folder)


class Built:
    """What one build did: `generated` from which specs, `compiled` which sources, `configured` anew."""

    def __init__(self, output):
        self.output = output
        self.generated = sorted(re.findall(r'Generating containers from (\S+)\.yaml', output))
        self.compiled = sorted(re.findall(r'Building CX*X? object \S*?([^/\s]+)\.o\b', output))
        self.configured = '-- Configuring done' in output

    def __eq__(self, other):
        return (self.generated, self.compiled) == other

    def __repr__(self):
        return f'generated {self.generated}, compiled {self.compiled}; output:\n{self.output}'


NOTHING = ([], [])

# Generated tests are there to be built and run; what they find in a container is seen where containers are tested.
TESTS = 'TESTS TEST_ARGUMENTS --steps 500 --exhaustive 1'


class Project:
    """A source folder, a build folder, and a CMake generator."""

    def __init__(self, folder, generator='ninja', root=ROOT):
        if not shutil.which('ninja' if generator == 'ninja' else 'make'):
            pytest.skip(f'{generator} is not installed')
        self.folder, self.generator, self.root = str(folder), GENERATORS[generator], root
        self.source, self.binary = os.path.join(self.folder, 'src'), os.path.join(self.folder, 'build')
        os.makedirs(self.source, exist_ok=True)

    # -- files
    def path(self, name):
        return os.path.join(self.source, name)

    def built(self, *names):
        return os.path.join(self.binary, *names)

    def read(self, name):
        with open(os.path.join(self.source, name), encoding='utf-8') as file:
            return file.read()

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w', encoding='utf-8') as file:
            file.write(text)

    def edit(self, name, old, new):
        text = self.read(name)
        assert text.count(old) == 1, f'{old!r} in {text}'
        self.write(name, text.replace(old, new))

    def touch(self, name):
        os.utime(self.path(name))

    def source_files(self):
        """Everything in the source folder with its content, to show that a build left it alone."""
        result = {}
        for folder, _, names in os.walk(self.source):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, 'rb') as file:
                    result[os.path.relpath(path, self.source)] = file.read()
        return result

    # -- commands
    def configure(self, *options, ok=True, python=sys.executable, **changes):
        if python:
            options = (f'-DBESPOKE_PYTHON={python}', *options)
        cache, shared = self.built('CMakeFiles', 'bespoke.pycache'), os.environ.get('PYTHONPYCACHEPREFIX')
        if self.root == ROOT and shared and not os.path.lexists(cache):
            # What a build compiles of Bespoke itself is the same in each of these.
            os.makedirs(shared, exist_ok=True)
            os.makedirs(os.path.dirname(cache), exist_ok=True)
            os.symlink(shared, cache)
        return run(CMAKE, '-G', self.generator, '-S', self.source, '-B', self.binary, f'-DBESPOKE_ROOT={self.root}',
                   *options, ok=ok, **changes)

    def _times(self, ending):
        result = {}
        for folder, _, names in os.walk(self.binary):
            for name in names:
                if name.endswith(ending):
                    path = os.path.join(folder, name)
                    result[path] = os.stat(path).st_mtime_ns
        return result

    def _written(self, before, ending):
        """The base names of the files with this ending that were written since."""
        return sorted(os.path.basename(path)[:-len(ending)] for path, time in self._times(ending).items()
                      if before.get(path) != time)

    def build(self, target=None, ok=True, **changes):
        stamps, objects = self._times('.stamp'), self._times('.o')
        command = [CMAKE, '--build', self.binary, '-j', '2'] + (['--target', target] if target else [])
        result = Built(run(*command, ok=ok, **changes))
        if ok:
            # What the build says and what is on disk must be the same.
            compare_only = {'inputs'}
            assert [n for n in self._written(stamps, '.stamp') if n not in compare_only] == result.generated, result
            assert self._written(objects, '.o') == result.compiled, result
            if target is None and result == NOTHING and not result.configured and self.generator == 'Ninja':
                assert 'no work to do' in result.output
        return result

    def run(self, name='game', **changes):
        return run(self.built(name), **changes)

    def ctest(self, *options, ok=True):
        return run('ctest' if CMAKE == 'cmake' else os.path.join(os.path.dirname(CMAKE), 'ctest'),
                   '--test-dir', self.binary, '--output-on-failure', *options, ok=ok)


# ---- the usual project ----------------------------------------------------------------------------------------------

HEAD = '''cmake_minimum_required(VERSION 3.21)
project(game C)
enable_testing()
'''

CMAKE_LISTS = HEAD + '''add_subdirectory(${BESPOKE_ROOT} bespoke)
bespoke_add_containers(containers SPECS specs/fleet.yaml specs/crew.yaml %s)
add_executable(game main.c other.c)
target_link_libraries(game PRIVATE containers)
'''

FLEET = '''bespoke: 1
include: [base.yaml]
containers:
  fleet:
    # what this list is for
    element: {type: struct ship, header: ship.h, by: value}
    ordering: unordered
    removal: swap
'''

BASE = '''bespoke: 1
defaults:
  # what all lists share
  capacity: {initial: 8}
'''

CREW = '''bespoke: 1
containers:
  crew:
    element: {type: int}
    ordering: insertion
'''

MAIN = '''#include "fleet.h"
#include "crew.h"
int other(void);
int main(void) {
    fleet ships = {0};
    crew hands = {0};
    return (int)fleet_count(&ships) + (int)crew_count(&hands) + other();
}
'''


def usual_project(folder, generator='ninja', root=ROOT, options=''):
    project = Project(folder, generator, root)
    project.write('CMakeLists.txt', CMAKE_LISTS % options)
    project.write('specs/fleet.yaml', FLEET)
    project.write('specs/base.yaml', BASE)
    project.write('specs/crew.yaml', CREW)
    project.write('specs/ship.h', '#ifndef SHIP_H\n#define SHIP_H\nstruct ship { int x; };\n#endif\n')
    project.write('main.c', MAIN)
    project.write('other.c', 'int other(void);\nint other(void) { return 0; }\n')
    return project
