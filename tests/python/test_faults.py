"""Faults while files are written: runs that are killed, a full disk, FIFOs, a formatter that changes the code."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT
from tool import BESPOKE, FORMATTER

from generator.text import tokens

needs_formatter = pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 to 19')


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
    assert done.returncode in (1, 2, 3) and b'not a regular file' in done.stdout, done.stdout


@pytest.mark.skipif(os.name == 'nt', reason='such a folder cannot be deleted')
def test_a_deleted_working_folder(tool):
    os.makedirs('gone')
    done = subprocess.run('rmdir ../gone && exec "%s" "%s" generate x.yaml' % (sys.executable, BESPOKE), shell=True, cwd='gone',
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
