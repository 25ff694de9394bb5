"""What script/package makes, in an empty folder, from a user who can write neither to the checkout nor beside the package."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

from building import CMAKE, ROOT, environment, need, run

need('git', 'ninja', 'cc', 'make')
# The interpreter with pip and wheel is the system's.
PYTHON = '/usr/bin/python3' if os.path.exists('/usr/bin/python3') else sys.executable
if subprocess.run([PYTHON, '-c', 'import setuptools, wheel, pip'], stderr=subprocess.DEVNULL).returncode:
    pytest.skip('needs pip, setuptools and wheel: script/setup test installs them', allow_module_level=True)


@pytest.fixture(scope='module')
def made():
    """The folder of the packages. The last run's goes first, so that nothing old is tried."""
    run(os.path.join(ROOT, 'script', 'package'))
    return os.path.join(ROOT, 'build', 'packages')


@pytest.fixture
def place():
    """A folder that another user may look into, as pytest's own may not be."""
    with tempfile.TemporaryDirectory(prefix='bespoke-packages-') as folder:
        os.chmod(folder, 0o755)
        yield pathlib.Path(folder)


@pytest.fixture
def game(place):
    """The example of CMake, in a folder that is the other user's."""
    folder = place / 'game'
    shutil.copytree(os.path.join(ROOT, 'examples', 'cmake'), folder)
    return folder


def other(folder, *command, **changes):
    """Runs a command as another user where that is possible, with a folder that is theirs as the working folder."""
    arguments = {}
    if os.geteuid() == 0:
        subprocess.run(['chown', '-R', 'nobody', str(folder)], check=True)
        arguments = {'user': 'nobody'}
    settings = environment(HOME=str(folder), TMPDIR=str(folder), **changes)
    settings['PYTHONPYCACHEPREFIX'] = str(folder / 'cache')
    done = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding='utf-8', env=settings, timeout=300, **arguments)
    assert done.returncode == 0, (command, done.stdout)
    return done.stdout


def generated(folder):
    return {path.name: path.read_bytes() for path in (folder / 'lists').iterdir()}


def expected(game):
    """What a checkout makes."""
    run(PYTHON, os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'fleet.yaml', '-o', 'lists', '--tests', cwd=game)
    files = generated(game)
    shutil.rmtree(game / 'lists')
    assert sorted(files) == ['bespoke_test.h', 'fleet.c', 'fleet.h', 'fleet_test.c']
    return files


def build(game, *settings):
    """Configures, builds, runs; a second build has nothing to do."""
    other(game, CMAKE, '-G', 'Ninja', '-S', '.', '-B', 'out', f'-DBESPOKE_PYTHON={PYTHON}', *settings)
    assert 'Generating containers from fleet.yaml' in other(game, CMAKE, '--build', 'out', '--target', 'game')
    assert other(game, game / 'out' / 'game') == '4 ships left\n'
    assert 'no work to do' in other(game, CMAKE, '--build', 'out', '--target', 'game')


@pytest.mark.parametrize('system', [(), ('-S',)], ids=['modules of the system', 'modules that it carries'])
def test_archive(made, game, system):
    """One file, to check in beside the generated ones. -S: Python sees no module but its own."""
    files = expected(game)
    archive = shutil.copy(os.path.join(made, 'bespoke.pyz'), game)
    said = other(game, PYTHON, '-s', *system, 'bespoke.pyz', 'generate', 'fleet.yaml', '-o', 'lists', '--tests')
    assert '4 written' in said and generated(game) == files
    shutil.rmtree(game / 'lists')
    other(game, PYTHON, '-s', *system, archive, 'generate', '-q', 'fleet.yaml', '-o', 'lists', '--tests', '--stamp', 's', '--depfile', 'd')
    assert generated(game) == files
    assert [line.strip(' \\') for line in (game / 'd').read_text().split('\n')[1:3]] == [str(game / 'fleet.yaml'), archive]
    assert other(game, PYTHON, *system, archive, 'check', 'fleet.yaml', '-o', 'lists', '--tests').startswith('4 files are')
    assert 'templates' in other(game, PYTHON, *system, archive, 'doctor')


def test_archive_in_cmake(made, game):
    (game / 'third').mkdir()
    shutil.copy(os.path.join(made, 'bespoke.pyz'), game / 'third')
    folder = other(game, PYTHON, 'third/bespoke.pyz', 'cmake-dir', '-o', 'third/cmake').strip()
    assert folder == str(game / 'third' / 'cmake')
    build(game, '-DBespoke_DIR=' + folder)


def test_wheel(made, game, place):
    [wheel] = [name for name in os.listdir(made) if name.endswith('.whl')]
    site = place / 'site'
    run(PYTHON, '-m', 'pip', 'install', '-q', '--no-deps', '--no-index', '--no-compile', '--target', site, os.path.join(made, wheel))
    assert sorted(os.listdir(site)) == ['bespoke_containers', sorted(os.listdir(site))[1], 'bin']
    files = expected(game)
    command = (PYTHON, '-m', 'bespoke_containers')
    other(game, *command, 'generate', '-q', 'fleet.yaml', '-o', 'lists', '--tests', PYTHONPATH=str(site))
    assert generated(game) == files
    other(game, PYTHON, site / 'bin' / 'bespoke', 'check', '-q', 'fleet.yaml', '-o', 'lists', '--tests', PYTHONPATH=str(site))
    assert (site / 'bespoke_containers' / 'schema' / 'bespoke.schema.json').exists()
    folder = other(game, *command, 'cmake-dir', PYTHONPATH=str(site)).strip()
    assert folder == str(site / 'bespoke_containers' / 'cmake')
    before = {path: path.stat().st_mtime_ns for path in site.rglob('*')}
    build(game, '-DBespoke_DIR=' + folder)
    assert {path: path.stat().st_mtime_ns for path in site.rglob('*')} == before


def test_licences(made):
    """Of what it carries, too."""
    import zipfile
    with zipfile.ZipFile(os.path.join(made, 'bespoke.pyz')) as archive:
        names = archive.namelist()
        assert {'licences/jinja2.txt', 'licences/markupsafe.txt', 'licences/yaml.txt', 'LICENSE'} <= set(names)
        assert b'MIT' in archive.read('LICENSE') and b'0BSD' in archive.read('LICENSE')
    assert {name.split('.')[-1] for name in os.listdir(made)} == {'whl', 'pyz', 'gz', 'deb'}
