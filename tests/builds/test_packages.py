"""What script/package makes, in an empty folder, from a user who can write neither to the checkout nor beside the package."""

import json
import os
import pathlib
import re
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


def as_in_checkout(home, *folders):
    """Every file of these folders of the checkout, below `home`, which maps them."""
    for folder in folders:
        for path in run('git', '-C', ROOT, 'ls-files', folder).split():
            assert (home(folder) / os.path.relpath(path, folder)).read_bytes() == pathlib.Path(ROOT, path).read_bytes(), path


@pytest.mark.skipif(shutil.which('pipx') is None, reason='needs pipx: script/setup test installs it')
def test_pipx(made, game, place):
    """From no index: pipx finds its own tools where Debian keeps them, and Bespoke's modules are the system's."""
    [wheel] = [name for name in os.listdir(made) if name.endswith('.whl')]
    home = place / 'home'
    home.mkdir()
    places = {'PIPX_HOME': home / 'pipx', 'PIPX_BIN_DIR': home / 'bin', 'PIP_FIND_LINKS': '/usr/share/python-wheels', 'PIP_NO_INDEX': '1', 'USE_EMOJI': '0'}
    said = other(home, 'pipx', 'install', '--system-site-packages', '--python', PYTHON, os.path.join(made, wheel), **{k: str(v) for k, v in places.items()})
    assert 'installed package bespoke-containers' in said and '- bespoke\n' in said
    files = expected(game)
    program = home / 'bin' / 'bespoke'
    other(game, program, 'generate', '-q', 'fleet.yaml', '-o', 'lists', '--tests')
    assert generated(game) == files
    site = pathlib.Path(other(game, program, 'cmake-dir').strip()).parent
    assert str(home / 'pipx' / 'venvs' / 'bespoke-containers') in str(site)
    as_in_checkout(lambda folder: site if folder == 'generator' else site / folder, 'generator', 'templates')
    shutil.rmtree(game / 'lists')
    build(game, f'-DBespoke_DIR={site}/cmake')


@pytest.mark.skipif(not os.path.exists('/var/lib/dpkg/info/python3-yaml.list') or not os.path.exists('/var/lib/dpkg/info/python3-jinja2.list'),
                    reason='needs dpkg, and the packages python3-jinja2 and python3-yaml')
def test_debian_package(made, game, place):
    """Installed by dpkg into a folder, whose dpkg knows of this system's what the package depends on, and removed again."""
    [package] = [name for name in os.listdir(made) if name.endswith('.deb')]
    root = place / 'root'
    known = root / 'var' / 'lib' / 'dpkg'
    for folder in 'updates', 'info', 'triggers':
        (known / folder).mkdir(parents=True)
    (known / 'status').write_text('')
    dpkg = ('dpkg', f'--root={root}', '--force-not-root', f'--log={root}/log')
    command = (*dpkg, '-i', os.path.join(made, package))
    assert 'depends on python3-jinja2; however' in run(*command, ok=False)
    (known / 'status').write_text(run('dpkg', '-s', 'python3', 'python3-jinja2', 'python3-yaml') + '\n')
    assert 'Setting up bespoke-containers' in run(*command)
    assert run(*dpkg, '--verify', 'bespoke-containers') == ''
    share = root / 'usr' / 'share' / 'bespoke'
    as_in_checkout(lambda folder: share / folder, 'generator', 'templates')
    program = root / 'usr' / 'bin' / 'bespoke'
    assert program.read_text().startswith('#!/usr/bin/python3\n')  # the one that has Debian's modules
    files = expected(game)
    other(game, program, 'generate', '-q', 'fleet.yaml', '-o', 'lists', '--tests')
    assert generated(game) == files
    shutil.rmtree(game / 'lists')
    build(game, f'-DCMAKE_PREFIX_PATH={root}/usr')
    run(*dpkg, '-r', 'bespoke-containers')
    assert not share.exists() and not program.exists()


# ---- package managers, with the files that the page shows ------------------------------------------------------------


def files_of_page(folder, made, *names):
    """Files as docs/build.md shows them; the archive in the folder of the last one."""
    with open(os.path.join(ROOT, 'docs', 'build.md'), encoding='utf-8') as file:
        page = file.read()
    [archive] = [name for name in os.listdir(made) if name.endswith('.tar.gz')]
    assert set(re.findall(r'bespoke-[0-9.]+\.tar\.gz', page)) == {archive}
    for name in names:
        [text] = re.findall(r'`' + re.escape(name) + r'`:\n\n```\w+\n(.*?)```', page, re.DOTALL)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return os.path.join(made, archive), path.parent


@pytest.mark.skipif(shutil.which('meson') is None or shutil.which('bespoke') is not None, reason='needs meson, and no bespoke on the PATH')
def test_meson_wrap(made, place):
    game = place / 'game'
    shutil.copytree(os.path.join(ROOT, 'examples', 'meson'), game)
    archive, folder = files_of_page(game, made, 'subprojects/bespoke.wrap', 'subprojects/packagefiles/bespoke/meson.build')
    shutil.copy(archive, folder.parent)
    assert 'subprojects/bespoke-' in other(game, 'meson', 'setup', 'out')  # where it found the program
    other(game, 'ninja', '-C', 'out', 'game')
    assert other(game, game / 'out' / 'game') == '4 ships left\n'


VCPKG = """
function(vcpkg_extract_source_archive out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ARCHIVE "")
  file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION source)
  file(GLOB found "${CMAKE_CURRENT_BINARY_DIR}/source/*")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME copyright)
endfunction()
include("${CURRENT_PORT_DIR}/portfile.cmake")
"""


def test_vcpkg_port(made, game):
    archive, port = files_of_page(game, made, 'ports/bespoke/vcpkg.json', 'ports/bespoke/portfile.cmake')
    shutil.copy(archive, port)
    about = json.loads((port / 'vcpkg.json').read_text())
    assert about['version'] in archive and about['name'] == port.name
    (game / 'run.cmake').write_text(VCPKG)
    other(game, CMAKE, '-DPORT=' + port.name, f'-DCURRENT_PORT_DIR={port}', f'-DCURRENT_PACKAGES_DIR={game}/installed', '-P', 'run.cmake')
    assert 'MIT' in (game / 'installed' / 'share' / 'bespoke' / 'copyright').read_text()
    build(game, f'-DCMAKE_PREFIX_PATH={game}/installed')


CONAN = {'__init__.py': 'class ConanFile:\n    pass\n', 'tools/__init__.py': '', 'tools/files.py': """
import pathlib, shutil, tarfile


def unzip(recipe, name, strip_root):
    assert strip_root
    with tarfile.open(name) as archive:
        archive.extractall('.')
    for path in list(pathlib.Path('.').glob('*/*')):
        shutil.move(str(path), '.')


def copy(recipe, pattern, source, target):
    shutil.copytree(source + '/' + pattern[:-2], target + '/' + pattern[:-2])
"""}
RECIPE = """
import os, types
import conanfile
recipe = conanfile.Bespoke()
recipe.source_folder, recipe.package_folder = os.getcwd(), os.getcwd() + '/package'
recipe.cpp_info = types.SimpleNamespace(set_property=lambda *_: None)
recipe.source()
recipe.package()
recipe.package_info()
print(recipe.version, recipe.exports_sources, *recipe.cpp_info.builddirs)
"""


def test_conan_recipe(made, game):
    recipe = game / 'recipe'
    archive, _ = files_of_page(recipe, made, 'conanfile.py')
    shutil.copy(archive, recipe)
    for name, text in CONAN.items():
        path = recipe / 'stand_in' / 'conan' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    said = other(recipe, PYTHON, '-c', RECIPE, PYTHONPATH=f'{recipe}/stand_in:{recipe}')
    version, exported, folder = said.split()
    assert exported == os.path.basename(archive) and version in archive
    other(game, recipe / 'package' / 'bin' / 'bespoke', 'doctor')
    build(game, f'-DCMAKE_PREFIX_PATH={recipe}/package/{folder}')


def test_licences(made):
    """Of what it carries, too."""
    import zipfile
    with zipfile.ZipFile(os.path.join(made, 'bespoke.pyz')) as archive:
        names = archive.namelist()
        assert {'licences/jinja2.txt', 'licences/markupsafe.txt', 'licences/yaml.txt', 'LICENSE'} <= set(names)
        assert b'MIT' in archive.read('LICENSE') and b'0BSD' in archive.read('LICENSE')
    assert {name.split('.')[-1] for name in os.listdir(made)} == {'whl', 'pyz', 'gz', 'deb'}
