"""Specs, locks and headers of a stranger's change: nothing outside of their folder is shown or overwritten."""

import os

import pytest
from tool import Tool

from generator.types import libclang

needs_libclang = pytest.mark.skipif(not libclang.available()[0], reason='needs libclang: apt-get install python3-clang')
needs_fifos = pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='needs FIFOs')
SECRET = 'root:x:0:0:hunter2\nkey: hunter3\n'


@pytest.fixture
def tool(tmp_path, monkeypatch, capsys):
    os.makedirs(tmp_path / 'project')
    (tmp_path / 'secret').write_text(SECRET)
    monkeypatch.chdir(tmp_path / 'project')
    return Tool(tmp_path / 'project', capsys)


@pytest.mark.parametrize('secret', [SECRET, 'hunter2\n', 'a: {hunter2\n', '- hunter2\n', 'hunter2: &a 1\n'])
@pytest.mark.parametrize('linked', [False, True])
def test_an_included_file_that_is_no_spec_is_not_shown(tool, secret, linked):
    tool.write('../secret', secret)
    name = '../../secret'
    if linked:
        os.symlink(os.path.abspath('../secret'), 'specs/common.yaml')
        name = 'common.yaml'
    tool.edit('specs/crew.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: %s\n' % name)
    said = tool('generate', 'specs/crew.yaml', code=2)
    assert 'BSP0107' in said.err and 'no file for Bespoke' in said.err and 'hunter' not in said.err, said


def test_a_mistake_in_an_included_spec_is_shown(tool):
    tool.write('specs/common.yaml', 'bespoke: 1\ndefaults: {orderin: unordered}\n')
    tool.edit('specs/crew.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: common.yaml\n')
    assert 'defaults: {orderin' in tool('generate', 'specs/crew.yaml', code=2).err


@needs_fifos
def test_a_fifo_that_is_included(tool):
    os.mkfifo('specs/pipe.yaml')
    tool.edit('specs/crew.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: pipe.yaml\n')
    assert 'not a regular file' in tool.process('generate', 'specs/crew.yaml', code=2).err


@needs_libclang
@pytest.mark.parametrize('linked', [False, True])
def test_a_header_that_is_none_is_not_shown(tool, linked):
    name = '../../secret'
    if linked:
        os.symlink(os.path.abspath('../secret'), 'specs/secret.h')
        name = 'secret.h'
    tool.edit('specs/ship.h', 'struct ship', '#include "%s"\nstruct ship' % name)
    said = tool('type', 'import', 'specs/fleet.yaml', code=2)
    assert 'BSP0324' in said.err and 'hunter' not in said.err and 'which is no C' in said.err, said


@needs_libclang
@pytest.mark.parametrize('folder', [False, True])
def test_an_import_does_not_follow_links_out_of_the_folder(tool, folder):
    os.makedirs('../elsewhere')
    if folder:
        os.symlink(os.path.abspath('../elsewhere'), 'specs/types')
    else:
        os.makedirs('specs/types')
        os.symlink(os.path.abspath('../elsewhere/new.yaml'), 'specs/types/struct_ship.yaml')
    said = tool('type', 'import', 'specs/fleet.yaml', code=3)
    assert 'BSP0404' in said.err and os.listdir('../elsewhere') == [], said


@needs_libclang
def test_locks_of_others_are_not_removed_through_a_link(tool):
    """They belong to no spec on this side of it."""
    tool('type', 'import', 'specs/fleet.yaml')
    os.makedirs('other')
    os.symlink('../specs/types', 'other/types')
    tool.write('other/crew.yaml', tool.read('specs/crew.yaml').replace('crew:', 'strange:'))
    assert 'removed' not in tool('type', 'import', 'other/crew.yaml').out and os.path.exists('specs/types/struct_ship.yaml')
    tool('generate', '--no-format', 'other/crew.yaml')
    tool('check', 'other/crew.yaml')


@needs_libclang
def test_an_import_overwrites_only_locks(tool):
    tool.write('specs/types/struct_ship.yaml', SECRET)
    said = tool('type', 'import', 'specs/fleet.yaml', code=3)
    assert 'BSP0402' in said.err and tool.read('specs/types/struct_ship.yaml') == SECRET
    tool.write('mine.yaml', SECRET)
    said = tool('type', 'import', 'specs/ship.h', 'struct ship', '-o', 'mine.yaml', code=3)
    assert 'BSP0402' in said.err and tool.read('mine.yaml') == SECRET
    for edited in ('', '<<<<<<< ours\nbespoke-type: 1\n=======\n'):
        tool.write('specs/types/struct_ship.yaml', edited)
        tool('type', 'import', 'specs/fleet.yaml')
        assert 'fingerprint' in tool.read('specs/types/struct_ship.yaml')
