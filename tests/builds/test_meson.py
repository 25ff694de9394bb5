"""examples/meson."""

import os
import re

import pytest

from building import edit, need, run

need('meson', 'ninja', 'cc')


@pytest.fixture
def meson(example, tools):
    class Meson:
        binary = example.parent / 'build'
        path = tools[0]

        def __call__(self, command, *arguments, ok=True):
            return run('meson', command, *arguments, cwd=self.binary, ok=ok, PATH=self.path)

        def setup(self, *arguments):
            return run('meson', 'setup', *arguments, self.binary, example, PATH=self.path)

        def build(self, target='game'):
            """What it compiled; None if it found nothing to do at all."""
            said = run('ninja', '-C', self.binary, target, PATH=self.path)
            assert 'warning' not in said
            compiled = re.findall(r'Compiling C object \S*?(?:meson-generated_\.\._|generated_)?([a-z_]+)\.c\.o\b', said)
            return None if 'no work to do' in said else sorted(compiled)
    return Meson()


def test_rebuilds(meson, example):
    meson.setup()
    assert meson.build() == ['fleet', 'main']
    assert run(meson.binary / 'game') == '4 ships left\n'
    assert meson.build() is None
    os.utime(example / 'fleet.yaml')
    assert meson.build() == []
    assert meson.build() is None
    edit(example / 'fleet.yaml', 'removal: swap', 'removal: tombstone')
    assert meson.build() == ['fleet', 'main']
    edit(example / 'ship.h', 'int hull;', 'int hull; int crew;')
    assert meson.build() == ['fleet', 'main']
    os.utime(example / 'main.c')
    assert meson.build() == ['main']
    assert meson.build() is None
    assert run(meson.binary / 'game') == '4 ships left\n'


def test_a_type_lock_that_appears(meson, example, tools):
    pytest.importorskip('clang.cindex', reason='python3-clang is not installed')
    meson.setup()
    meson.build()
    run('bespoke', 'type', 'import', 'fleet.yaml', cwd=example, PATH=tools[0])
    assert meson.build() == ['fleet', 'main']
    assert meson.build() is None
    run('bespoke', 'check', '-q', 'fleet.yaml', '-o', meson.binary, cwd=example, PATH=tools[0])
    os.remove(example / 'types' / 'struct_ship.yaml')
    assert meson.build() == ['fleet', 'main']
    assert meson.build() is None


def test_includes_come_and_go(meson, example):
    (example / 'base.yaml').write_text('bespoke: 1\ndefaults: {capacity: {initial: 8}}\n')
    edit(example / 'fleet.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: [base.yaml]\n')
    meson.setup()
    meson.build()
    os.utime(example / 'base.yaml')
    assert meson.build() == []
    os.rename(example / 'base.yaml', example / 'common.yaml')
    edit(example / 'fleet.yaml', 'base.yaml', 'common.yaml')
    assert meson.build() == []
    assert meson.build() is None


def test_checked_in(meson, example, tools):
    """Without Bespoke, what is checked in is compiled."""
    meson.setup()
    meson('compile', 'regen')
    assert meson.build('fleet_test') == ['fleet', 'fleet_test']
    assert sorted(os.listdir(example / 'generated')) == ['fleet.c', 'fleet.h']
    assert re.search(r'fleet +OK', meson('test', '--test-args=--exhaustive 2'))
    meson('configure', '-Dgenerate=false')
    meson.build()
    assert re.search(r'drift +OK', meson('test'))
    edit(example / 'fleet.yaml', 'removal: swap', 'removal: tombstone')
    assert re.search(r'drift +FAIL', meson('test', ok=False))

    meson.binary = example.parent / 'bare'
    meson.path = os.environ['PATH']
    said = meson.setup('-Dgenerate=false')
    if 'Program bespoke found: NO' in said:  # else one is installed on this machine
        assert 'Tests' not in meson('test')
    assert meson.build() == ['fleet', 'main']
    assert run(meson.binary / 'game') == '4 ships left\n'
