"""Bespoke as users get it, a packed archive that was unpacked somewhere, in builds of several kinds."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
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


def environment(**changes):
    """The environment for all commands, without what an outer make, ctest, git or user may have left in it."""
    drop = ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'CMAKE_GENERATOR', 'VERBOSE', 'NINJA_STATUS', 'DESTDIR', 'CFLAGS', 'CC',
            'CXXFLAGS', 'LDFLAGS', 'CPPFLAGS', 'PYTHONPATH', 'VIRTUAL_ENV', 'BESPOKE')
    result = {k: v for k, v in os.environ.items() if k not in drop and not k.startswith('GIT_')}
    result.pop('PYTHONDONTWRITEBYTECODE', None)
    result.update(LC_ALL='C', PYTHONPYCACHEPREFIX=CACHE.name, **changes)
    return result


def run(*command, cwd=None, ok=True, **changes):
    """Runs a command and returns its output, both streams in one. ok=False demands that it fails."""
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding='utf-8', env=environment(**changes), timeout=300)
    if (done.returncode == 0) != ok:
        pytest.fail(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stdout}", pytrace=False)
    return done.stdout


@pytest.fixture(scope='session')
def packages(tmp_path_factory):
    """What cpack makes of this project: a folder."""
    folder = tmp_path_factory.mktemp('packages')
    run(CMAKE, '-S', ROOT, '-B', folder, '-DBESPOKE_BUILD_TESTS=OFF')
    run(CPACK, cwd=folder)
    return folder


@pytest.fixture(scope='session')
def prefix(packages, tmp_path_factory):
    """The archive, unpacked in a folder with a blank in its name."""
    folder = tmp_path_factory.mktemp('unpacked') / 'my tools'
    [archive] = packages.glob('*.tar.gz')
    with tarfile.open(archive) as file:
        file.extractall(folder)
    [prefix] = folder.iterdir()
    return prefix


@pytest.fixture(scope='session')
def tools(prefix, tmp_path_factory):
    """PATH with the command `bespoke`, and PATH without it and without Python."""
    bare = tmp_path_factory.mktemp('bare')
    for tool in ('sh', 'cc', 'c++', 'gcc', 'g++', 'clang', 'clang++', 'as', 'ld', 'ar', 'make', 'ninja', 'rm', 'mkdir', 'test'):
        if shutil.which(tool):
            (bare / tool).symlink_to(shutil.which(tool))
    python = tmp_path_factory.mktemp('python')
    (python / 'python3').symlink_to(sys.executable)
    path = os.environ['PATH']
    return os.pathsep.join([str(prefix / 'bin'), str(python), path]), str(bare)


@pytest.fixture
def example(request, tmp_path):
    """A copy of the example that the test's file is about."""
    name = os.path.basename(request.fspath)[len('test_'):-len('.py')]
    shutil.copytree(os.path.join(ROOT, 'examples', name), tmp_path / 'my game')
    return tmp_path / 'my game'


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


@pytest.fixture
def bespoke(tmp_path):
    """A repository of Bespoke."""
    folder = tmp_path / 'origin' / 'bespoke'
    folder.mkdir(parents=True)
    for part in PARTS:
        source = os.path.join(ROOT, part)
        if os.path.isdir(source):
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns('__pycache__'))
        else:
            shutil.copy2(source, folder / part)
    repository(folder)
    return folder


@pytest.fixture
def game(tmp_path, bespoke):
    """A repository with a checked-in list, and with Bespoke in it."""
    folder = tmp_path / 'my game'
    shutil.copytree(os.path.join(ROOT, 'examples', 'make'), folder / 'specs',
                    ignore=shutil.ignore_patterns('build', 'objects', 'generated'))
    shutil.copytree(bespoke, folder / 'bespoke', ignore=shutil.ignore_patterns('.git'))
    run(sys.executable, 'bespoke/bespoke', 'generate', cwd=folder)
    repository(folder)
    return folder


def drift(folder):
    """Makes the checked-in list of `game` stale."""
    edit(folder / 'specs' / 'fleet.yaml', 'removal: swap', 'removal: compact')
