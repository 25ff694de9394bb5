"""A disk that is full, a folder that is read only: old files or new ones, no rest, an error that names the file; the next run mends it."""

import os
import subprocess
import sys

import pytest
from tool import BESPOKE

from generator.emitted.template_cache import cache_folder
from generator.types import libclang

needs_libclang = pytest.mark.skipif(not libclang.available()[0], reason='needs libclang: apt-get install python3-clang')


def can_mount():
    """A file system of the test's own, which is gone with its process."""
    try:
        return subprocess.run(['unshare', '-m', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt'], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


needs_mounts = pytest.mark.skipif(not can_mount(), reason='needs the right to mount')


@pytest.fixture
def mounted(tool, monkeypatch):
    """Runs shell commands where a folder is another file system; $b is Bespoke."""
    monkeypatch.setenv('PYTHONPYCACHEPREFIX', os.path.abspath('pycache'))
    monkeypatch.delenv('PYTHONDONTWRITEBYTECODE', raising=False)
    monkeypatch.setenv('b', '%s %s' % (sys.executable, BESPOKE))

    def run(script):
        return subprocess.run(['unshare', '-m', 'sh', '-ec', script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
    return run


# A folder is put on a small disk with what is in it, and the disk filled but for some KB.
SMALL = 'small() { mkdir -p "$1" before; cp -a "$1"/. before/; mount -t tmpfs -o size=${3:-400}k none "$1"; cp -a before/. "$1"/; head -c 9M /dev/zero > "$1/filler" 2> err || true; ' \
    'truncate -s -$(($2 * 1024)) "$1/filler"; }\n'


@needs_mounts
@pytest.mark.parametrize('left', [0, 4, 12, 40])
def test_a_full_disk(tool, mounted, left):
    """At whatever file it is full: the old ones stay."""
    tool('generate', '--no-format')
    old = {name: text for name, (text, _) in tool.state().items()}
    tool.edit('specs/fleet.yaml', 'swap', 'reuse')
    tool.edit('specs/crew.yaml', 'int}', 'int, ordering: unordered}')
    done = mounted(SMALL + 'small generated %d; code=0; $b generate -q --no-format --stamp stamp || code=$?; echo $code; rm generated/filler; cp -a generated after; '
                   '$b generate -q --no-format; cp -a generated mended' % left)
    assert done.stdout == '3\n' and done.stderr.count('error:') == 1 and "cannot write 'generated" in done.stderr and 'no space left' in done.stderr, done
    assert 'BSP0405' in done.stderr and 'nothing was written' in done.stderr and not os.path.exists('stamp')
    assert {name: text for name, (text, _) in tool.state('after').items()} == old
    tool('generate', '--no-format')
    assert {name: text for name, (text, _) in tool.state('mended').items()} == {name: text for name, (text, _) in tool.state().items()} != old


@needs_mounts
@needs_libclang
def test_a_full_disk_of_locks(tool, mounted):
    tool('type', 'import', 'specs/fleet.yaml')
    old = tool.state('specs/types')
    tool.edit('specs/ship.h', 'int hp;', 'int hp; int more[3];')
    done = mounted(SMALL + 'small specs/types 0; code=0; $b type import specs/fleet.yaml || code=$?; echo $code; rm specs/types/filler; cp -a specs/types after; '
                   '$b type import specs/fleet.yaml; cat specs/types/struct_ship.yaml')
    assert '3\nwrote specs/types/struct_ship.yaml' in done.stdout and 'more' in done.stdout and 'BSP0405' in done.stderr, done
    assert {name: text for name, (text, _) in tool.state('after').items()} == {name: text for name, (text, _) in old.items()}


@needs_mounts
def test_a_full_disk_of_a_build(tool, mounted):
    """The old dependencies stay, and the stamp is not written."""
    done = mounted(SMALL + 'mkdir out; echo old > out/file; small out 0; code=0; $b generate -q --no-format --stamp stamp --depfile out/file || code=$?; ls -A out; echo $code; '
                   'rm out/filler; cat out/file; test ! -e stamp')
    assert done.stdout == 'file\nfiller\n3\nold\n' and done.stderr.count('error:') == 1 and 'BSP0405' in done.stderr, done


@needs_mounts
def test_a_full_disk_of_temporary_files(tool, mounted):
    """Which the formatter needs: the files are there, but not formatted, and that is said."""
    done = mounted(SMALL + 'mkdir temporary; small temporary 4; export TMPDIR=$PWD/temporary; $b generate -q; ls -A temporary; rm temporary/filler; $b check')
    assert done.returncode == 0 and done.stderr.count('\n') == 1 and 'BSP0502' in done.stderr, done
    assert 'filler\n4 files are what 2 specs say\n' in done.stdout, done


READ_ONLY = 'locked() { mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; }\n'


@needs_mounts
def test_a_folder_that_is_read_only(tool, mounted):
    tool('generate', '--no-format')
    old = tool.state()
    tool('generate', '--no-format')
    done = mounted(READ_ONLY + 'locked generated; $b generate -q --no-format')  # nothing is to be written
    assert done.returncode == 0, done
    tool.edit('specs/fleet.yaml', 'swap', 'reuse')
    done = mounted(READ_ONLY + 'locked generated; code=0; $b generate -q --no-format --stamp stamp --depfile dep || code=$?; echo $code; $b check || echo $?')
    assert done.stdout.startswith('3\n') and done.stdout.endswith('1\n') and 'BSP0405' in done.stderr and 'read-only file system' in done.stderr, done
    assert tool.state() == old and not os.path.exists('stamp') and not os.path.exists('dep')
    tool('generate', '--no-format')
    assert tool.state() != old


@needs_mounts
def test_all_but_the_output_is_read_only(tool, mounted):
    os.makedirs('home')
    done = mounted(READ_ONLY + 'locked specs; locked home; export HOME=$PWD/home; unset PYTHONPYCACHEPREFIX XDG_CACHE_HOME; '
                   'export PYTHONDONTWRITEBYTECODE=; $b generate -q --no-format')
    assert (done.returncode, done.stderr) == (0, '') and len(os.listdir('generated')) == 4, done
    done = mounted(READ_ONLY + 'mkdir -p below; locked below; $b generate -q --no-format -o below/generated')
    assert done.returncode == 3 and "cannot write 'below/generated': read-only file system [BSP0405]" in done.stderr, done


@needs_mounts
@needs_libclang
def test_locks_that_are_read_only(tool, mounted):
    tool('type', 'import', 'specs/fleet.yaml')
    old = tool.state('specs')
    tool.edit('specs/ship.h', 'int hp;', 'int hp; int more;')
    done = mounted(READ_ONLY + 'locked specs; $b type import specs/fleet.yaml')
    assert done.returncode == 3 and 'struct_ship.yaml' in done.stderr and 'BSP0405' in done.stderr, done
    assert tool.state('specs/types') == {name[len('types/'):]: kept for name, kept in old.items() if name.startswith('types/')}


@pytest.mark.skipif(not hasattr(os, 'getuid'), reason='needs users')
def test_a_cache_of_another_user_is_not_used(tool, monkeypatch):
    monkeypatch.setattr(sys, 'dont_write_bytecode', False)
    monkeypatch.setattr(sys, 'pycache_prefix', None)
    monkeypatch.setenv('XDG_CACHE_HOME', tool.path('cache'))
    assert cache_folder() is not None
    monkeypatch.setattr(os, 'getuid', lambda me=os.getuid(): me + 1)
    assert cache_folder() is None
