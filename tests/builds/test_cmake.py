"""examples/cmake, with the archive that cpack makes; and the package for Debian."""

import os
import re
import shutil
import sys

import pytest

from building import CMAKE, CPACK, ROOT, edit, need, run

need(CMAKE, CPACK, 'ninja', 'cc')


def files_of(folder):
    return {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}


def test_example(example, prefix, tmp_path):
    before = files_of(prefix)
    binary = tmp_path / 'build'
    edit(example / 'CMakeLists.txt', 'SPECS fleet.yaml TESTS)', 'SPECS fleet.yaml TESTS TEST_ARGUMENTS --exhaustive 2)')
    run(CMAKE, '-G', 'Ninja', '-S', example, '-B', binary, f'-DCMAKE_PREFIX_PATH={prefix}',
        f'-DBESPOKE_PYTHON={sys.executable}')
    said = run(CMAKE, '--build', binary)
    assert 'Generating containers from fleet.yaml' in said
    assert run(binary / 'game') == '4 ships left\n'
    assert 'no work to do' in run(CMAKE, '--build', binary)
    os.utime(example / 'fleet.yaml')
    said = run(CMAKE, '--build', binary)
    assert 'Generating containers from fleet.yaml' in said and 'Building' not in said
    assert re.search(r'game_lists\.fleet \.+ +Passed', run('ctest', '--test-dir', binary))
    assert files_of(prefix) == before


def test_example_checked_in(example, prefix, tmp_path, tools):
    """As its comment says: bespoke-regen writes the files, and they are what is compiled where there is no Python."""
    lists = example / 'CMakeLists.txt'
    line = re.search(r'^# +(bespoke_add_containers\(.*\))$', lists.read_text(), re.MULTILINE).group(1)
    edit(lists, 'bespoke_add_containers(game_lists SPECS fleet.yaml TESTS)', '')
    edit(lists, '#   ' + line, line)
    binary = tmp_path / 'build'
    configure = (CMAKE, '-G', 'Ninja', '-S', example, '-B', binary, f'-DCMAKE_PREFIX_PATH={prefix}')
    run(*configure, f'-DBESPOKE_PYTHON={sys.executable}')
    run(CMAKE, '--build', binary, '--target', 'bespoke-regen')
    assert sorted(os.listdir(example / 'generated')) == ['fleet.c', 'fleet.h']
    assert 'Generating containers' not in run(CMAKE, '--build', binary)
    assert re.search(r'game_lists\.drift \.+ +Passed', run('ctest', '--test-dir', binary))
    shutil.rmtree(binary)
    assert 'no usable Python' in run(*configure, '-DBESPOKE_PYTHON=/none/python3')
    run(CMAKE, '--build', binary)
    assert run(binary / 'game') == '4 ships left\n'


def test_archive(prefix, packages):
    """Everything lies in one folder, and nothing in it knows where it was made."""
    assert re.fullmatch(r'bespoke-\d+\.\d+\.\d+', prefix.name)
    for name in files_of(prefix):
        text = (prefix / name).read_bytes()
        for place in (ROOT, str(packages)):
            assert place.encode() not in text, name
    assert {'bin/bespoke', 'share/bespoke/bespoke', 'share/bespoke/cmake/BespokeConfig.cmake'} <= files_of(prefix)
    assert not [name for name in files_of(prefix) if '__pycache__' in name or name.endswith('.pyc')]


def test_command(prefix, example):
    run(sys.executable, prefix / 'bin' / 'bespoke', 'generate', 'fleet.yaml', '-o', 'lists', cwd=example)
    run('cc', '-Ilists', '-I.', '-o', 'game', 'main.c', 'lists/fleet.c', cwd=example)
    assert run(example / 'game') == '4 ships left\n'


@pytest.mark.skipif(not shutil.which('dpkg-deb'), reason='packages for Debian are made where there is dpkg-deb')
def test_package_for_debian(packages, prefix, example, tmp_path):
    [package] = packages.glob('*.deb')
    fields = dict(line.split(': ', 1) for line in run('dpkg-deb', '-f', package).splitlines() if ': ' in line)
    assert fields['Architecture'] == 'all'
    assert {'python3-jinja2', 'python3-yaml'} <= set(fields['Depends'].split(', '))
    run('dpkg-deb', '-x', package, tmp_path / 'root')
    assert files_of(tmp_path / 'root' / 'usr') == files_of(prefix)
    run(sys.executable, tmp_path / 'root' / 'usr' / 'bin' / 'bespoke', 'generate', 'fleet.yaml', '-o', 'lists', cwd=example)
    assert sorted(os.listdir(example / 'lists')) == ['fleet.c', 'fleet.h']
