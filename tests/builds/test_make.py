"""examples/make."""

import os
import re

import pytest

from building import edit, need, run

need('make', 'cc')


@pytest.fixture
def make(example, tools):
    """Runs make in the example; gives the names of what it generated and what it compiled."""
    def build(*arguments, ok=True, warning=None):
        said = run('make', '-j2', *arguments, cwd=example, ok=ok, PATH=tools[0])
        assert warning in said if warning else not ok or 'warning' not in said
        return (re.findall(r'generate -q --tests (?:.* )?(\S+\.yaml)', said), sorted(re.findall(r'-c -o \S*?(\w+\.o)\b', said)))
    return build


NOTHING = ([], [])


def test_rebuilds(make, example):
    assert make() == (['fleet.yaml'], ['fleet.o', 'main.o'])
    assert run(example / 'build' / 'game') == '4 ships left\n'
    assert make() == NOTHING
    os.utime(example / 'fleet.yaml')
    assert make() == (['fleet.yaml'], [])
    assert make() == NOTHING
    edit(example / 'fleet.yaml', 'removal: swap', 'removal: tombstone')
    assert make() == (['fleet.yaml'], ['fleet.o', 'main.o'])
    assert make() == NOTHING
    edit(example / 'ship.h', 'int hull;', 'int hull; int crew;')
    assert make() == ([], ['fleet.o', 'main.o'])
    os.utime(example / 'main.c')
    assert make() == ([], ['main.o'])
    os.remove(example / 'build' / 'fleet.c')
    assert make() == (['fleet.yaml'], ['fleet.o'])
    assert make() == NOTHING
    assert run(example / 'build' / 'game') == '4 ships left\n'


def test_includes_come_and_go(make, example):
    (example / 'base.yaml').write_text('bespoke: 1\ndefaults: {capacity: {initial: 8}}\n')
    edit(example / 'fleet.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: [base.yaml]\n')
    assert make() == (['fleet.yaml'], ['fleet.o', 'main.o'])
    os.utime(example / 'base.yaml')
    assert make() == (['fleet.yaml'], [])
    os.rename(example / 'base.yaml', example / 'common.yaml')
    edit(example / 'fleet.yaml', 'base.yaml', 'common.yaml')
    assert make() == (['fleet.yaml'], [])
    assert make() == NOTHING


def test_a_type_lock_that_appears(make, example, tools):
    pytest.importorskip('clang.cindex', reason='python3-clang is not installed')
    make()
    run('bespoke', 'type', 'import', 'fleet.yaml', cwd=example, PATH=tools[0])
    for lock in 'struct_ship.yaml', 'struct_boat.yaml', 'struct_ship.yaml':
        [there] = (example / 'types').iterdir()
        os.rename(there, example / 'types' / lock)
        os.utime(example / 'types' / lock, (1e9, 1e9))
        assert make() == (['fleet.yaml'], ['fleet.o', 'main.o'])
        assert make() == NOTHING
        run('bespoke', 'check', '-q', 'fleet.yaml', '-o', 'build', cwd=example, PATH=tools[0])


def test_types(make, example, tools):
    """With a lock, the header is read again whenever it changes; files are written only where it is about the type."""
    pytest.importorskip('clang.cindex', reason='python3-clang is not installed')
    run('bespoke', 'type', 'import', 'fleet.yaml', cwd=example, PATH=tools[0])
    make('TYPES=--types -I.')
    edit(example / 'ship.h', 'struct ship {', '/* A ship. */\nstruct ship {')
    written = os.stat(example / 'build' / 'fleet.c').st_mtime_ns
    assert make('TYPES=--types -I.') == (['fleet.yaml'], ['fleet.o', 'main.o'])
    assert os.stat(example / 'build' / 'fleet.c').st_mtime_ns == written
    edit(example / 'ship.h', 'int hull;', 'int hull; int crew;')
    assert make('TYPES=--types -I.', warning='[BSP0328]') == (['fleet.yaml'], ['fleet.o', 'main.o'])
    assert os.stat(example / 'build' / 'fleet.c').st_mtime_ns > written
    assert make('TYPES=--types -I.') == NOTHING


def test_a_mistake_in_a_spec(make, example, tools):
    make()
    edit(example / 'fleet.yaml', 'removal: swap', 'removal: swop')
    for _ in range(2):
        assert 'fleet.yaml:6:14: error: ' in run('make', cwd=example, ok=False, PATH=tools[0])
    edit(example / 'fleet.yaml', 'removal: swop', 'removal: swap')
    assert make() == (['fleet.yaml'], [])


def test_own_tests(make, example, tools):
    assert ', 0 failed' in run('make', 'test', cwd=example, PATH=tools[0])


def test_checked_in(make, example, tools):
    """Without Python and without Bespoke, what is checked in is compiled."""
    make('-f', 'checked_in.mk', 'regen')
    assert sorted(os.listdir(example / 'generated')) == ['fleet.c', 'fleet.h']
    build = ('make', '-f', 'checked_in.mk')
    said = run(*build, cwd=example, PATH=tools[1])
    assert sorted(re.findall(r'-c -o \S*?(\w+\.o)\b', said)) == ['fleet.o', 'main.o']
    assert run(example / 'objects' / 'game') == '4 ships left\n'
    assert 'up to date' in run(*build, cwd=example, PATH=tools[1])
    make('-f', 'checked_in.mk', 'check')
    edit(example / 'fleet.yaml', 'removal: swap', 'removal: tombstone')
    make('-f', 'checked_in.mk', 'check', ok=False)
    make('-f', 'checked_in.mk', 'regen')
    make('-f', 'checked_in.mk', 'check')
    said = run(*build, cwd=example, PATH=tools[1])
    assert sorted(re.findall(r'-c -o \S*?(\w+\.o)\b', said)) == ['fleet.o', 'main.o']
