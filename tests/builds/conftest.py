"""What tests of builds begin with: the packed archive, unpacked; examples; repositories."""

import os
import shutil
import sys
import tarfile

import pytest

from building import CMAKE, CPACK, PARTS, ROOT, repository, run


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
        file.extractall(folder, **({'filter': 'data'} if hasattr(tarfile, 'data_filter') else {}))  # from 3.14 on what is done anyway
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
