"""generated/ copied into an engine without Python: its own Makefile builds it, as C and as C++, without a warning."""

import os
import shutil

import pytest

from building import ROOT, need, run

need('make', 'cc')
HERE = os.path.dirname(os.path.abspath(__file__))
WARNINGS = '-Wall -Wextra -Wpedantic -Werror'


@pytest.fixture
def engine(tmp_path):
    """Its own Makefile, source and header of types; of Bespoke nothing but what is checked in."""
    folder = tmp_path / 'the engine'
    shutil.copytree(os.path.join(HERE, 'engine'), folder, ignore=shutil.ignore_patterns('*.o'))
    (folder / 'include').mkdir()
    shutil.copy(os.path.join(ROOT, 'specs', 'game.h'), folder / 'include')
    (folder / 'lists').mkdir()
    for name in sorted(os.listdir(os.path.join(ROOT, 'generated'))):
        if name.endswith(('.h', '.c')):
            shutil.copy(os.path.join(ROOT, 'generated', name), folder / 'lists')
    headers = sorted(name for name in os.listdir(folder / 'lists') if name.endswith('.h'))
    assert len(headers) > 20
    (folder / 'include' / 'lists.h').write_text(''.join(f'#include "{name}"\n' for name in headers))
    return folder


@pytest.mark.parametrize('compiler, flags', [
    ('gcc', '-std=c99'), ('clang', '-std=c99'), ('g++', '-x c++ -std=c++17'), ('clang++', '-x c++ -std=c++17')])
def test_build(engine, tools, compiler, flags):
    if not shutil.which(compiler):
        pytest.skip(f'{compiler} is not installed')
    path = tools[1]
    assert not [name for name in os.listdir(path) if 'python' in name or 'bespoke' in name]
    run('make', '-j2', f'CC={compiler}', f'CFLAGS={flags} {WARNINGS}', cwd=engine, PATH=path)
    assert run(engine / 'engine') == '40 welcomed, 40 lost, 40 destroyed, 40 sparks burnt, 0 left\n'
    for name in os.listdir(engine / 'lists'):
        if name.endswith('.h'):
            assert ROOT not in (engine / 'lists' / name).read_text()
