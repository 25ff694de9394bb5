"""Files that change while they are read: specs, what they include, locks and headers. What is generated is of the old or the new file, never of half
of one; a change is never overlooked; the next run mends all."""

import os
import random
import subprocess
import sys
import threading
import time

import pytest
from tool import BESPOKE, CREW

from generator.output import clang_format, writer
from generator.text import files
from generator.types import libclang

needs_libclang = pytest.mark.skipif(not libclang.available()[0], reason='needs libclang: apt-get install python3-clang')
LONG = CREW + '  # a comment\n' * 20 + '  deck: {element: int, ordering: unordered}\n  hold: {element: double}\n'


@pytest.fixture
def at(monkeypatch):
    """Runs something before a function of the generator is called for the first time, or behind it."""
    def put(owner, name, effect, behind=False):
        true, done = getattr(owner, name), []

        def called(*arguments, **named):
            if not done and not behind:
                done.append(effect())
            result = true(*arguments, **named)
            if not done:
                done.append(effect())
            return result
        monkeypatch.setattr(owner, name, called)
    return put


def made(tool, spec):
    """What a spec generates."""
    tool.write('alone/crew.yaml', spec)
    tool('generate', '--no-format', 'alone/crew.yaml', '-o', 'alone/out', '-I', 'specs')
    return [tool.read('alone/out/crew' + ending).split('*/', 1)[1] for ending in ('.h', '.c')]


def present(tool):
    return [tool.read('generated/crew' + ending).split('*/', 1)[1] for ending in ('.h', '.c')]


@pytest.mark.parametrize('owner, name, behind', [(files, 'read_bytes', True), (clang_format.Formatting, 'finish', False)])
def test_a_spec_that_changes_before_anything_is_written(tool, at, owner, name, behind):
    old, new = made(tool, CREW), made(tool, LONG)
    tool.write('specs/crew.yaml', CREW)
    tool('generate', '--no-format', 'specs/crew.yaml')
    tool.write('specs/crew.yaml', LONG[:LONG.index('  hold')])  # half of what comes
    at(owner, name, lambda: tool.write('specs/crew.yaml', LONG), behind)
    result = tool('generate', '--no-format', 'specs/crew.yaml', '--stamp', 'stamp', '--depfile', 'dep', code=3)
    assert "'specs/crew.yaml' changed while it was read [BSP0412]" in result.err and 'run the command again' in result.err
    assert present(tool) == old and not os.path.exists('stamp') and not os.path.exists('dep')
    tool('generate', '--no-format', 'specs/crew.yaml', '--stamp', 'stamp')
    assert present(tool) == new and os.path.exists('stamp')


def test_a_spec_that_changes_while_files_are_written(tool, at):
    """They are of the old one, and no stamp says that they are not."""
    at(writer, '_replace', lambda: tool.write('specs/crew.yaml', LONG))
    assert 'BSP0412' in tool('generate', '--no-format', 'specs/crew.yaml', '--stamp', 'stamp', '--depfile', 'dep', code=3).err
    assert present(tool) == made(tool, CREW) and not os.path.exists('stamp') and not os.path.exists('dep')
    assert 'BSP0408' in tool('check', 'specs/crew.yaml', code=1).err
    tool('generate', '--no-format', 'specs/crew.yaml')
    tool('check', 'specs/crew.yaml')


def test_a_spec_that_changes_during_a_check(tool, at):
    from generator.output import drift
    tool('generate', '--no-format')
    at(drift, 'compare', lambda: tool.write('specs/crew.yaml', LONG))
    assert 'BSP0412' in tool('check', code=3).err
    assert 'BSP0408' in tool('check', code=1).err


def test_errors_of_half_a_spec(tool, at):
    """With what may be their reason; not, if the file is as it was."""
    half = LONG[:LONG.index('double')]
    tool.write('specs/crew.yaml', half)
    at(files, 'read_bytes', lambda: tool.write('specs/crew.yaml', LONG), True)
    result = tool('generate', 'specs/crew.yaml', code=2)
    assert 'specs/crew.yaml:' in result.err and 'changed while it was read' in result.err
    tool.write('specs/crew.yaml', half)
    assert 'changed' not in tool('generate', 'specs/crew.yaml', code=2).err


def test_an_included_spec_that_changes_or_goes(tool, at):
    tool.write('specs/common.yaml', 'bespoke: 1\ndefaults: {removal: shift}\n')
    tool.write('specs/crew.yaml', CREW.replace('bespoke: 1\n', 'bespoke: 1\ninclude: common.yaml\n'))
    at(clang_format.Formatting, 'finish', lambda: tool.remove('specs/common.yaml'))
    assert "'specs/common.yaml' changed while" in tool('generate', 'specs/crew.yaml', code=3).err
    assert not os.path.exists('generated')


def test_a_file_that_is_another_one_when_it_is_read_again(tool):
    """A spec that is included as well, as it was before at the end."""
    files.forget_inputs()
    tool.write('file', 'a')
    files.read_input('file')
    tool.write('file', 'b')
    files.read_input('file')
    tool.write('file', 'a')
    assert files.changed_inputs() == ['file']
    files.forget_inputs()
    assert files.changed_inputs() == []


@needs_libclang
def test_a_lock_that_changes(tool, at):
    tool('type', 'import', 'specs/fleet.yaml')
    lock = tool.read('specs/types/struct_ship.yaml')
    at(clang_format.Formatting, 'finish', lambda: tool.write('specs/types/struct_ship.yaml', lock + '\n'))
    assert 'struct_ship.yaml' in tool('generate', '--no-format', 'specs/fleet.yaml', code=3).err
    assert not os.path.exists('generated')
    tool('generate', '--no-format', 'specs/fleet.yaml')


@needs_libclang
@pytest.mark.parametrize('command', [('type', 'import', 'specs/fleet.yaml'), ('type', 'import', 'specs/ship.h', 'struct ship'),
                                     ('generate', '--types', '--no-format', 'specs/fleet.yaml')])
def test_a_header_that_changes(tool, at, command):
    from generator.types.header_reader import Importer
    if command[0] == 'generate':
        tool('type', 'import', 'specs/fleet.yaml')
    new = tool.read('specs/ship.h').replace('int hp;', 'int hp; int more;')
    before = tool.state('specs').get(os.path.join('types', 'struct_ship.yaml'))
    at(Importer, '_files', lambda: tool.write('specs/ship.h', new), True)
    result = tool(*command, code=3)
    assert os.path.join('specs', 'ship.h') + "' changed while it was read [BSP0412]" in result.err
    assert tool.state('specs').get(os.path.join('types', 'struct_ship.yaml')) == before and not os.path.exists('generated')
    tool(*command)


@needs_libclang
def test_what_a_run_writes_itself_is_no_change(tool):
    """Locks that were read first, and are removed or written anew; generated headers that other specs' headers include."""
    tool('type', 'import', 'specs/fleet.yaml')
    tool.edit('specs/ship.h', 'int hp;', 'int hp; int more;')
    assert 'wrote' in tool('type', 'import', 'specs/fleet.yaml').out
    tool.edit('specs/ship.h', '#include <stdint.h>', '#include <stdint.h>\n#include "crew.h"')
    tool('generate', '--no-format', '-I', 'generated', 'specs/crew.yaml')
    tool('type', 'import', 'specs/fleet.yaml', '-I', 'generated')
    tool.edit('specs/crew.yaml', 'int}', 'double}')
    tool('generate', '--no-format', '--types', '-I', 'generated')
    tool.write('specs/fleet.yaml', tool.read('specs/fleet.yaml').replace('struct ship, header: ship.h', 'int'))
    assert 'removed' in tool('type', 'import', 'specs/fleet.yaml', '-I', 'generated').out


@pytest.mark.skipif(os.name == 'nt', reason='such a file cannot be written while it is read')
def test_a_spec_that_is_written_all_the_time(tool):
    """In place, in pieces, as an editor or a checkout may: each run leaves files of one of the two, or fails."""
    # No part of the long one is a spec: where it stays half written for as long as a run takes, nothing can tell.
    texts = (CREW, 'bespoke: 1\ncontainers: {crew: {element: int},\n' + '  # a comment\n' * 20 + '  deck: {element: int, ordering: unordered}}\n')
    both = [made(tool, text) for text in texts]
    stop = threading.Event()

    def write():
        rng = random.Random(1)
        while not stop.is_set():
            text = rng.choice(texts)
            with open('specs/crew.yaml', 'w') as file:
                for start in range(0, len(text), 40):
                    file.write(text[start:start + 40])
                    file.flush()
                    time.sleep(rng.choice((0, .001, .01)))
            time.sleep(rng.choice((0, .01, .4)))
    writing = threading.Thread(target=write)
    writing.start()
    codes = []
    environment = dict(os.environ, PYTHONPYCACHEPREFIX=os.path.abspath('cache'))
    environment.pop('PYTHONDONTWRITEBYTECODE', None)
    try:
        for _ in range(8):
            done = subprocess.run([sys.executable, BESPOKE, 'generate', '-q', '--no-format', 'specs/crew.yaml', '--stamp', 'stamp'], env=environment,
                                  stderr=subprocess.PIPE, universal_newlines=True)
            codes.append(done.returncode)
            assert done.returncode in (0, 2, 3) and bool(done.stderr) == bool(done.returncode), done
            if os.path.exists('generated'):
                assert present(tool) in both
            if done.returncode:
                assert not os.path.exists('stamp') or codes.count(0)
    finally:
        stop.set()
        writing.join()
    tool.write('specs/crew.yaml', texts[1])
    tool('generate', '--no-format', 'specs/crew.yaml')
    assert present(tool) == both[1]
