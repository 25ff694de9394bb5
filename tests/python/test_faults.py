"""Faults while files are read and written: runs that are killed, a full disk, FIFOs, a formatter that changes the code, huge specs."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT
from tool import BESPOKE, FORMATTER

from generator.output import clang_format
from generator.text import tokens
from generator.types import libclang

needs_formatter = pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 or later')


@needs_formatter
@pytest.mark.parametrize('tests', [(), ('--tests',)])
def test_a_formatter_that_changes_the_code(tool, monkeypatch, tests):
    """What it made is not used, and the user is told."""
    tool('generate', *tests)
    normal = {name: tokens.normal(tool.read('generated/' + name).split('*/', 1)[1]) for name in os.listdir('generated')}
    shutil.rmtree('generated')
    tool.write('bin/cf', '#!/bin/sh\n%s "$@" || exit\nfor file in "$@"; do case $file in *.c) sed -i "s/return true;/return false;/" "$file";; esac; done\n'
               % FORMATTER)
    os.chmod('bin/cf', 0o755)
    monkeypatch.setenv('BESPOKE_CLANG_FORMAT', os.path.abspath('bin/cf'))
    result = tool('generate', *tests)
    assert 'changed the code' in result.err and 'BSP0502' in result.err
    assert {name: tokens.normal(tool.read('generated/' + name).split('*/', 1)[1]) for name in os.listdir('generated')} == normal
    monkeypatch.delenv('BESPOKE_CLANG_FORMAT')
    tool('check')


@pytest.fixture
def formatter(tool, monkeypatch):
    """Sets a script for what is called in place of clang-format."""
    def use(script):
        tool.write('bin/cf', '#!/bin/sh\ncase $1 in --version) echo clang-format version 14.0.6; exit;; esac\n' + script + '\n')
        os.chmod('bin/cf', 0o755)
        monkeypatch.setenv('BESPOKE_CLANG_FORMAT', os.path.abspath('bin/cf'))
    os.makedirs('temporary')
    monkeypatch.setenv('TMPDIR', os.path.abspath('temporary'))
    monkeypatch.setattr('tempfile.tempdir', None)
    return use


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='needs FIFOs and a shell')
@pytest.mark.parametrize('each, said', [
    (': > $file', 'joined'), ('rm $file', 'No such file'), ('rm $file; mkfifo $file', 'but a FIFO'), ('ln -sf /dev/zero $file', 'but a device'),
    ('yes | head -c 9000000 >> $file', ''), ('kill -9 $$', 'signal 9'), ('yes word | head -c 3000000 >&2; exit 1', 'failed: word')])
@pytest.mark.parametrize('tests', [(), ('--tests',)])
def test_a_formatter_that_leaves_no_file(tool, formatter, each, said, tests):
    """Nor does it make the run wait, or take all memory."""
    formatter('for file in "$@"; do case $file in *.c) %s;; esac; done' % each)
    result = tool('generate', *tests)
    assert said in result.err and 'BSP0502' in result.err and result.err.count('\n') == 1
    tool('check')
    assert os.listdir('temporary') == []


@pytest.mark.skipif(os.name == 'nt', reason='needs a shell')
def test_a_formatter_that_says_much_and_leaves_a_process_behind(tool, formatter):
    """Which has its error stream open; what it made is as good as any."""
    formatter('echo no trouble >&2; sleep 30 & exit 0')
    began = time.monotonic()
    assert tool('generate').err == '' and time.monotonic() - began < 20
    tool('check')


@pytest.mark.skipif(os.name == 'nt', reason='needs a shell')
def test_a_formatter_that_hangs(tool, formatter, monkeypatch):
    """It is ended, with what it has started."""
    monkeypatch.setattr(clang_format, '_TIMEOUT', 1)
    formatter('sleep 600 & echo $! > %s; wait' % os.path.abspath('started'))
    began = time.monotonic()
    result = tool('generate')
    assert 'took more than 1 seconds' in result.err and time.monotonic() - began < 20
    for _ in range(100):
        state = subprocess.run(['ps', '-o', 'stat=', '-p', tool.read('started').strip()], stdout=subprocess.PIPE).stdout.strip()
        if not state or state.startswith(b'Z'):
            break
        time.sleep(0.05)
    else:
        pytest.fail('it still runs')
    assert os.listdir('temporary') == []


def test_temporary_files_of_a_killed_run_are_removed(tool):
    """By the next run; those of a run that is still under way stay."""
    code = ('import os, signal, sys; sys.path.insert(0, %r); from generator.output.scratch import Scratch\n'
            'scratch = Scratch("generated"); open(scratch.file("fleet.h"), "w").close()\n'
            'print(scratch.path, flush=True)\nif sys.argv[1] == "dies": os.kill(os.getpid(), signal.SIGKILL)\nsys.stdin.read()\n' % ROOT)
    tool('generate')
    left = subprocess.run([sys.executable, '-c', code, 'dies'], stdout=subprocess.PIPE).stdout.decode().strip()
    with subprocess.Popen([sys.executable, '-c', code, 'lives'], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        used = other.stdout.readline().decode().strip()
        assert left != used and os.path.isdir(used)
        tool('generate', '--force')
        tool.edit('specs/fleet.yaml', 'swap', 'shift')
        tool('generate')
        assert not os.path.exists(left) and os.listdir(used) == ['fleet.h']
        other.stdin.close()
        other.wait()


def test_folders_that_are_called_nearly_so_stay(tool):
    for name in ('.bespoke-notes.tmp', '.bespoke-1-2.tmp.d', '.bespoke-1-x.tmp'):
        tool.write('generated/%s/notes' % name, 'mine')
    tool('generate')
    assert [tool.read('generated/%s/notes' % name) for name in os.listdir('generated') if name.startswith('.')] == ['mine'] * 3


# Ends the process at the n-th file that is opened for writing, filled, or moved to its place.
_DIES = """import builtins, os, signal, sys
sys.path.insert(0, %r)
from generator.tool.cli import main
left = int(sys.argv[1])
def step(function):
    def counted(*arguments, **named):
        global left
        if function is not builtins_open or 'w' in str(arguments[1:2]):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **named)
    return counted
builtins_open = open
builtins.open, os.replace, os.rmdir = step(open), step(os.replace), step(os.rmdir)
sys.exit(main(sys.argv[2:]))
""" % ROOT


@pytest.mark.skipif(not hasattr(signal, 'SIGKILL'), reason='needs signals')
def test_a_run_that_is_killed_leaves_old_or_new_files(tool):
    """At any step: each file is whole. The next run mends it."""
    files = ['generated/' + name for name in ('crew.c', 'crew.h', 'fleet.c', 'fleet.h')]
    read = lambda: [tool.read(name).replace('\r', '') for name in files]
    tool('generate', '--no-format')
    old = read()
    for name, was, now in (('fleet', 'swap', 'reuse'), ('crew', 'int}', 'int, ordering: unordered}')):
        tool.edit('specs/%s.yaml' % name, was, now)
    tool('generate', '--no-format', '-o', 'other')
    new = [tool.read(name.replace('generated', 'other')) for name in files]
    shutil.copytree('generated', 'before')
    mixed = 0
    environment = dict(os.environ, PYTHONPYCACHEPREFIX=os.path.abspath('cache'))  # which is filled once
    environment.pop('PYTHONDONTWRITEBYTECODE', None)
    subprocess.run([sys.executable, BESPOKE, 'generate', '--no-format', '-q', '-o', 'other'], env=environment, check=True)
    for at in range(1, 40):
        shutil.rmtree('generated')
        shutil.copytree('before', 'generated')
        command = [sys.executable, '-c', _DIES, str(at), 'generate', '--no-format', '-q', '--depfile', 'd/dep', '--stamp', 'd/stamp']
        code = subprocess.run(command, env=environment).returncode
        assert all(text in pair for text, pair in zip(read(), zip(old, new)))
        mixed += read() not in (old, new)
        assert not os.path.exists('d/dep') or tool.read('d/dep').endswith(':\n')
        if at % 3 == 0 or code == 0:
            tool('generate', '--no-format', '--depfile', 'd/dep')
            assert read() == new and sorted(os.listdir('generated')) == sorted(map(os.path.basename, files))
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert at > 8 and mixed > 1 and os.listdir('d') and not any(name.endswith('.tmp') for name in os.listdir('d'))


@pytest.mark.parametrize('count', [2, 8])
def test_runs_at_the_same_time(tool, count):
    """All end well, whichever is first, and leave what one alone would."""
    tool('generate', '--no-format', '-o', 'alone')
    command = [sys.executable, BESPOKE, 'generate', '--no-format', '-q', '--depfile', 'd/dep']
    runs = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(count)]
    assert [(run.communicate()[1], run.returncode) for run in runs] == [(b'', 0)] * count
    assert {name: text for name, (text, _) in tool.state().items()} == {name: text for name, (text, _) in tool.state('alone').items()}
    assert os.listdir('d') == ['dep']


@pytest.mark.skipif(os.name == 'nt', reason='needs signals')
@needs_formatter
def test_a_run_that_is_ended_leaves_no_temporary_files(tool):
    """As at an interrupt: neither its own nor those for the formatter."""
    tool.write('bin/cf', '#!/bin/sh\ncase $1 in --version) exec %s --version;; esac\ntouch started\nexec sleep 60\n' % FORMATTER)
    os.chmod('bin/cf', 0o755)
    os.makedirs('temporary')
    environment = dict(os.environ, TMPDIR=os.path.abspath('temporary'), BESPOKE_CLANG_FORMAT=os.path.abspath('bin/cf'))
    with subprocess.Popen([sys.executable, BESPOKE, 'generate'], env=environment, stderr=subprocess.PIPE) as run:
        for _ in range(600):
            if any('started' in files for _, _, files in os.walk('temporary')):
                break
            time.sleep(0.05)
        run.terminate()
        assert run.wait(20) == 130 and b'interrupted' in run.stderr.read()
    assert os.listdir('temporary') == [] and not os.path.exists('generated')


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='needs FIFOs')
@pytest.mark.parametrize('arguments, fifo', [
    (['generate', 'pipe.yaml'], 'pipe.yaml'), (['check', 'pipe.yaml', '-o', 'specs'], 'pipe.yaml'), (['explain', 'pipe.yaml'], 'pipe.yaml'),
    (['generate'], 'generated/fleet.h'), (['check'], 'generated/fleet.h'), (['generate', '--depfile', 'pipe'], 'pipe'),
    (['schema', '-o', 'pipe'], 'pipe')])
def test_a_fifo_does_not_hang(tool, arguments, fifo):
    os.makedirs('generated')
    os.mkfifo(fifo)
    done = subprocess.run([sys.executable, BESPOKE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    assert done.returncode in (1, 2, 3) and b'not a regular file, but a FIFO' in done.stdout, done.stdout


@pytest.mark.skipif(not hasattr(os, 'mkfifo') or not libclang.available()[0], reason='needs FIFOs and libclang')
@pytest.mark.parametrize('path', ['specs/ship.h', 'specs/deck.h', 'inc/deck.h', 'commands.json', 'options'])
@pytest.mark.parametrize('make, what', [(os.mkfifo, 'a FIFO'), (lambda path: os.symlink('/dev/zero', path), 'a device')])
def test_what_types_are_read_of_does_not_hang(tool, path, make, what):
    """libclang would wait for ever, and hears no signal."""
    os.makedirs('inc')
    tool.edit('specs/ship.h', '#include <stdint.h>', '#include <stdint.h>\n#include "deck.h"')
    if os.path.lexists(path):
        os.unlink(path)
    make(path)
    more = {'commands.json': ['--compile-commands', path], 'options': ['--options-from', path]}.get(path, ['-I', 'inc'])
    for arguments in (['specs/fleet.yaml'], [os.path.join('specs', 'ship.h'), 'struct ship']):
        done = subprocess.run([sys.executable, BESPOKE, 'type', 'import', *arguments, *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=60)
        said = done.stdout.decode()
        assert done.returncode == 2 and f'not a regular file, but {what}' in said and os.path.normpath(path) in said, said
        assert said.count('error:') == 1
    assert not os.path.exists('specs/types')


def test_a_header_that_is_no_file(tool):
    os.unlink('specs/ship.h')
    os.mkdir('specs/ship.h')
    assert "'%s' is no header: it is a folder [BSP0307]" % os.path.join('specs', 'ship.h') in tool('generate', code=2).err


@pytest.mark.skipif(not libclang.available()[0], reason='needs libclang')
@pytest.mark.parametrize('path, data, said', [
    ('options', b'--flags=-DX="\n', 'no closing quotation'), ('options', b'-DX=\xff\n', "can't decode"),
    ('commands.json', b'[{"directory": "/", "file": "a.c", "command": "cc -DX=\'"}]', 'no closing quotation'),
    ('commands.json', b'[' * 100000, '(?i)recursion|stack overflow')],  # as Python says it
    ids=['quote', 'bytes', 'quote of a command', 'levels'])
def test_options_that_cannot_be_read(tool, path, data, said):
    with open(path, 'wb') as file:
        file.write(data)
    option = '--options-from' if path == 'options' else '--compile-commands'
    result = tool('type', 'import', 'specs/fleet.yaml', option, path, code=2)
    assert 'BSP0411' in result.err and path in result.err and re.search(said, result.err), result


@pytest.mark.skipif(not hasattr(os, 'mkfifo'), reason='needs sockets in folders')
def test_a_depfile_that_is_a_socket(tool):
    import socket
    with socket.socket(socket.AF_UNIX) as made:
        made.bind('dep')
        assert 'not a regular file, but a socket' in tool('generate', '--no-format', '--depfile', 'dep', code=3).err


@pytest.mark.skipif(os.name == 'nt', reason='such a folder cannot be deleted')
@pytest.mark.parametrize('command', ['generate', 'generate x.yaml', 'check', 'explain x.yaml', 'schema -o x.json'])
def test_a_deleted_working_folder(tool, command):
    os.makedirs('gone')
    done = subprocess.run('rmdir ../gone && exec "%s" "%s" %s' % (sys.executable, BESPOKE, command), shell=True, cwd='gone',
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 3 and b'working folder' in done.stdout and b'Traceback' not in done.stdout, done.stdout


@pytest.mark.skipif(not hasattr(signal, 'SIGXFSZ'), reason='needs a limit on the size of files')
@pytest.mark.parametrize('before', [None, 'out.stamp: old\n'])
def test_a_full_disk_leaves_no_half_depfile(tool, before):
    if before is not None:
        tool.write('out/out.d', before)
    os.makedirs('out', exist_ok=True)
    limited = 'import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); sys.path.insert(0, %r); ' \
        'from generator.tool.cli import main; sys.exit(main(sys.argv[1:]))' % ROOT
    done = subprocess.run([sys.executable, '-B', '-c', limited, 'generate', '--stdout', '--no-format', '--depfile', 'out/out.d', '--stamp',
                           'out/out.stamp'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 3 and b'BSP0405' in done.stderr, done.stderr
    assert os.listdir('out') == ([] if before is None else ['out.d'])
    assert before is None or tool.read('out/out.d') == before


def _chain(count):
    return ''.join('  p%d: {preset: p%d}\n' % (at, at + 1) for at in range(count - 1))


HUGE = {
    'containers': ('containers:\n' + ''.join('  list%d: {element: int}\n' % at for at in range(5000)), 'BSP0014'),
    'bytes': ('containers:\n' + '  # a comment\n' * 7500000, 'BSP0003'),
    'levels': ('containers: ' + '[' * 100000, 'BSP0010'),
    'aliases': ('a: &a [x, x]\n' + ''.join('%s: &%s [*%s, *%s]\n' % (b, b, a, a) for a, b in zip('abcdefghijk', 'bcdefghijkl')), 'BSP0008'),
    'chain of presets': ('presets:\n' + _chain(3000) + '  p2999: {ordering: sort}\ncontainers: {fleet: {element: int, preset: p0}}\n', 'BSP0103'),
    'circle of presets': ('presets:\n' + _chain(3000) + '  p2999: {preset: p0}\ncontainers: {fleet: {element: int, preset: p0}}\n', 'BSP0114'),
    'unknown presets': ('presets:\n' + ''.join('  p%d: {preset: q%d}\n' % (at, at) for at in range(3000)), 'BSP0113'),
    'itself': ('include: huge.yaml\ncontainers: {fleet: {element: int}}\n', 'BSP0106'),
    'one line': ('containers: {fleet: {element: int, ordering: %s}}\n' % ('x' * 900000), 'BSP0103'),
    'conflicts': ('containers:\n' + ''.join("  c%d: {element: int, storage: linked, capacity: {max: 50}, ordering: explicit, addresses: stable, handles: index, iteration: "
                                            "{direction: backward, removes: none}, removal: {expired: '*element == 1'}}\n" % at for at in range(20)), 'BSP0202'),
    'parentheses': ("containers: {fleet: {element: int, ordering: sorted, sort: {less: '%s'}}}\n" % ('(' * 1000), 'BSP0302')}


@pytest.mark.parametrize('what', HUGE)
def test_a_huge_spec_is_refused_soon(tool, what):
    text, code = HUGE[what]
    tool.write('huge.yaml', 'bespoke: 1\n' + text)
    began = time.process_time()
    assert code in tool('generate', 'huge.yaml', code=2).err
    assert time.process_time() - began < 5


def test_a_ring_of_includes_is_refused_soon(tool):
    """Each of many files includes the next ones, the last ones the first: that is not followed on each way through them."""
    for at in range(60):
        tool.write(f'part{at}.yaml', 'bespoke: 1\ninclude: [%s]\ndefaults: {duplicates: allow}\n' % ', '.join(f'part{(at + n) % 60}.yaml' for n in (1, 2, 3)))
    tool.write('crew.yaml', 'bespoke: 1\ninclude: part0.yaml\ncontainers: {crew: {element: int}}\n')
    began = time.process_time()
    assert 'includes itself [BSP0106]' in tool('generate', 'crew.yaml', code=2).err
    assert time.process_time() - began < 5
