"""Bespoke as users get it, a packed archive that was unpacked somewhere, in builds of several kinds."""

import os
import re
import shutil
import subprocess
import tempfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CMAKE = os.environ.get('BESPOKE_CMAKE', 'cmake')
CPACK = 'cpack' if CMAKE == 'cmake' else os.path.join(os.path.dirname(CMAKE), 'cpack')
# Of byte code and compiled templates: nothing is written beside what runs.
CACHE = tempfile.TemporaryDirectory(prefix='bespoke-cache-')


def need(*tools):
    """For the top of a file whose tests are nothing without a tool: CTest takes it for skipped."""
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f'{tool} is not installed: script/setup test installs it', allow_module_level=True)


def ninja_without_make():
    """What CMake is told where the build program that it takes by itself is missing."""
    return {'CMAKE_GENERATOR': 'Ninja'} if shutil.which('make') is None and shutil.which('ninja') else {}


def environment(**changes):
    """The environment for all commands, without what an outer make, ctest, git or user may have left in it."""
    drop = ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'CMAKE_GENERATOR', 'VERBOSE', 'NINJA_STATUS', 'DESTDIR', 'CFLAGS', 'CC',
            'CXXFLAGS', 'LDFLAGS', 'CPPFLAGS', 'PYTHONPATH', 'VIRTUAL_ENV', 'BESPOKE')
    result = {k: v for k, v in os.environ.items() if k not in drop and not k.startswith('GIT_')}
    result.pop('PYTHONDONTWRITEBYTECODE', None)
    result.update(LC_ALL='C', PYTHONPYCACHEPREFIX=CACHE.name, **ninja_without_make(), **changes)
    return result


def run(*command, cwd=None, ok=True, **changes):
    """Runs a command and returns its output, both streams in one. ok=False demands that it fails."""
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding='utf-8', env=environment(**changes), timeout=300)
    if (done.returncode == 0) != ok:
        pytest.fail(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stdout}", pytrace=False)
    return done.stdout


def edit(file, old, new):
    text = file.read_text()
    assert text.count(old) == 1, f'{old!r} in {text}'
    file.write_text(text.replace(old, new))


# ---- docs/drift.md --------------------------------------------------------------------------------------------------

PARTS = ('bespoke', 'generator', 'templates', '.pre-commit-hooks.yaml')


def block(language, mark):
    """The one block of the page that holds a word."""
    with open(os.path.join(ROOT, 'docs', 'drift.md'), encoding='utf-8') as file:
        found = [text for text in re.findall(r'```' + language + r'\n(.*?)```', file.read(), re.DOTALL) if mark in text]
    assert len(found) == 1, f'{len(found)} {language} blocks with {mark!r}'
    return found[0]


def git(folder, *arguments, ok=True, **changes):
    return run('git', '-c', 'user.name=n', '-c', 'user.email=n@localhost', '-c', 'commit.gpgsign=false', *arguments, cwd=folder,
               ok=ok, **changes)


def repository(folder):
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'all')
    git(folder, 'tag', 'v0.1.0')


def drift(folder):
    """Makes the checked-in list of `game` stale."""
    edit(folder / 'specs' / 'fleet.yaml', 'removal: swap', 'removal: compact')
