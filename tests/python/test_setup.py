"""script/setup where packages cannot be had, and script/fresh where it is stopped: nothing of either is left to chance."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == 'nt' or shutil.which('bash') is None, reason='needs bash')

# Knows no package of $NOT_TO_BE_HAD, and installs what it is asked for by writing it down.
APT_GET = '''#!/bin/bash
simulated=
for word; do
    [ "$word" != -s ] || simulated=yes
    case " $NOT_TO_BE_HAD " in *" $word "*) echo "E: Unable to locate package $word"; exit 100 ;; esac
done
[ -n "$simulated" ] || echo "$*" >>"$ASKED"
'''


class Machine:
    """A PATH with the programs of this one but for some, and with an apt-get that does nothing."""

    def __init__(self, folder):
        self.folder, self.asked = folder / 'bin', folder / 'asked'
        self.folder.mkdir()
        for path in ('/bin', '/usr/bin', '/usr/sbin'):
            for name in os.listdir(path):
                if not os.path.lexists(self.folder / name):
                    os.symlink(os.path.join(path, name), self.folder / name)
        self.program('apt-get', APT_GET)
        self.program('id', '#!/bin/sh\necho 0\n')
        self.program('npm', '#!/bin/sh\nexit 1\n')

    def program(self, name, text):
        if os.path.lexists(self.folder / name):
            os.unlink(self.folder / name)
        if text is not None:
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def run(self, *command, **environment):
        environment = {'PATH': str(self.folder), 'ASKED': str(self.asked), 'NOT_TO_BE_HAD': '', **environment}
        return subprocess.run([os.path.join(ROOT, 'script', command[0]), *command[1:]], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8', timeout=120)

    def installed(self):
        """The packages that apt-get was asked for."""
        return [word for line in self.asked.read_text().splitlines() if ' install ' in line for word in line.split('--no-remove')[1].split()]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def without(machine, *names):
    for name in names:
        machine.program(name, None)


def test_what_only_adds_tests_is_left_out(machine):
    without(machine, 'tcc', 'gdb', 'meson')
    done = machine.run('setup', 'test', NOT_TO_BE_HAD='tcc meson')
    assert done.returncode == 0, done.stdout + done.stderr
    installed = machine.installed()
    assert 'gdb' in installed and not {'tcc', 'meson'} & set(installed)
    assert done.stdout.splitlines()[-2:] == ['setup: no tcc here; tests missing for it: those with tcc, mutants, python.mutants',
                                             'setup: no meson here; tests missing for it: builds.meson']
    assert 'setup: gdb: prints containers, for the tests of docs/debuggers.md\n' in done.stdout


def test_only_what_is_needed(machine):
    """Nothing that adds tests is asked for: what is missing without it is seen where it could be had."""
    without(machine, 'tcc', 'cmake')
    done = machine.run('setup', '--needed', 'test')
    assert (done.returncode, machine.installed()) == (0, ['cmake']), done.stdout + done.stderr
    assert done.stdout.splitlines()[0] == 'setup: cmake: builds' and done.stdout.splitlines()[1].startswith('setup: no ')
    assert 'setup: no tcc here; tests missing for it: those with tcc, mutants, python.mutants\n' in done.stdout
    machine.asked.unlink()
    machine.program('cmake', '#!/bin/sh\n')
    done = machine.run('setup', '--needed', 'test')
    assert (done.returncode, machine.asked.exists()) == (0, False) and 'setup: no tcc here; tests missing' in done.stdout


def test_without_what_is_needed_nothing_is_done(machine):
    without(machine, 'cmake', 'tcc')
    done = machine.run('setup', 'test', NOT_TO_BE_HAD='cmake')
    assert done.returncode == 3 and 'Unable to locate package cmake' in done.stderr and 'setup: apt-get could not install: cmake' in done.stderr


def test_who_may_not_install_goes_on_if_all_that_is_needed_is_there(machine):
    without(machine, 'tcc', 'apt-get')
    done = machine.run('setup', 'test')
    assert (done.returncode, done.stderr) == (0, '') and 'setup: no tcc here; tests missing' in done.stdout
    without(machine, 'cmake')
    done = machine.run('setup', 'test')
    assert done.returncode == 3 and done.stderr.startswith('setup: this machine has no apt-get; install what serves for: cmake')


def test_a_boost_is_the_newest_that_can_be_had(machine):
    machine.program('apt-cache', '#!/bin/sh\nprintf "%s\\n" libboost1.74-dev libboost1.100-dev libboost1.88-dev libboost1.88-all-dev\n')
    machine.program('dpkg-query', '#!/bin/sh\n')
    machine.program('g++', '#!/bin/sh\nexit 1\n')
    machine.program('c++', '#!/bin/sh\nexit 1\n')
    if os.path.exists(os.path.join(ROOT, 'build', 'boost')):
        pytest.skip('one is unpacked in build/boost')
    done = machine.run('setup', 'bench')
    assert done.returncode == 0, done.stderr
    assert [name for name in machine.installed() if 'boost' in name] == ['libboost1.100-dev']


# -- script/fresh ---------------------------------------------------------------------------------------------------------

# In place of a system: a folder of this machine in it, and nothing more comes.
DEBOOTSTRAP = '''#!/bin/sh
mkdir "$4/precious" && mount --bind "$PRECIOUS" "$4/precious" && echo "$4" >"$READY"
%s
'''


def may_mount():
    return subprocess.run(['unshare', '--mount', '--pid', '--fork', 'true'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0 \
        if shutil.which('unshare') else False


def waits(condition):
    for _ in range(300):
        if condition():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(os.name == 'nt' or not may_mount() or not shutil.which('apt-get'), reason='needs the right to mount, and apt')
@pytest.mark.parametrize('how', ['TERM', 'INT', 'KILL', 'fails'])
def test_all_is_given_back(machine, tmp_path, how):
    precious, ready, folder, here = tmp_path / 'precious', tmp_path / 'ready', tmp_path / 'tmp', f'1007.{os.getpid()}'
    precious.mkdir()
    folder.mkdir()
    (precious / 'work').write_text('of years')
    machine.program('debootstrap', DEBOOTSTRAP % ('exit 1' if how == 'fails' else 'exec sleep ' + here))
    machine.program('apt-get', '#!/bin/sh\necho "mirror:/nowhere Debian main"\n')
    environment = {'PATH': str(machine.folder), 'PRECIOUS': str(precious), 'READY': str(ready), 'TMPDIR': str(folder)}
    process = subprocess.Popen([os.path.join(ROOT, 'script', 'fresh'), 'nowhere'], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', start_new_session=True)
    try:
        assert waits(lambda: ready.exists() and ready.read_text().strip()), process.communicate()[0]  # it exists before it is written
        system = ready.read_text().strip()
        if how != 'fails':
            assert os.path.isdir(system)
            process.send_signal(getattr(signal, 'SIG' + how))
        process.wait(60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == {'TERM': 143, 'INT': 130, 'KILL': -9, 'fails': 77}[how]
    assert waits(lambda: not os.path.exists(system)), os.listdir(system)
    assert (precious / 'work').read_text() == 'of years'
    with open('/proc/self/mountinfo') as file:
        assert system not in file.read()
    running = subprocess.run(['ps', '-eo', 'args'], stdout=subprocess.PIPE, encoding='utf-8').stdout
    assert 'sleep ' + here not in running


def test_a_command_that_fails_is_no_system_that_is_missing(machine):
    """Where script/setup could not install, script/test ends with its 3: fresh.<suite> was skipped then."""
    without(machine, 'debootstrap', 'cmake')
    skipped, installed = machine.run('fresh', 'trixie').returncode, machine.run('setup', 'test', NOT_TO_BE_HAD='cmake').returncode
    with open(os.path.join(ROOT, 'tests', 'CMakeLists.txt'), encoding='utf-8') as file:
        assert f'LABELS fresh TIMEOUT ${{limit}} COST 90 PROCESSORS 2 SKIP_RETURN_CODE {skipped})' in file.read()
    assert installed not in (0, skipped)


def test_what_is_missing_is_said(machine):
    without(machine, 'debootstrap')
    done = machine.run('fresh', 'trixie')
    assert (done.returncode, done.stderr) == (77, 'fresh: debootstrap is not installed, which makes the system: apt-get install debootstrap\n')
    for wrong in (), ('trixie', 'tests'), ('--help',):
        done = machine.run('fresh', *wrong)
        assert done.returncode == 2 and 'script/fresh SUITE [demo|test|bench|processors]' in done.stderr
    machine.program('id', '#!/bin/sh\necho 1000\n')
    without(machine, 'sudo')
    done = machine.run('fresh', 'trixie')
    assert (done.returncode, done.stderr) == (77, 'fresh: not root, and no sudo: only root may make a system\n')


def test_what_lacks_what_its_tests_need_is_skipped_and_not_failed():
    """A file that begins with what it needs ends with pytest's 5, which counted as failed for all but builds and two others."""
    with open(os.path.join(ROOT, 'tests', 'CMakeLists.txt')) as file:
        body = file.read().split('function(bespoke_pytest')[1].split('endfunction')[0]
    assert f'SKIP_RETURN_CODE {int(pytest.ExitCode.NO_TESTS_COLLECTED)} ' in body


def test_without_make_cmake_takes_ninja(machine):
    machine.program('make', None)
    machine.program('ninja', '#!/bin/sh\n')
    done = subprocess.run([sys.executable, '-c', 'import sys; sys.path.insert(0, sys.argv[1]); import building; print(building.ninja_without_make())',
                           os.path.join(ROOT, 'tests', 'builds')], env={'PATH': str(machine.folder)}, stdout=subprocess.PIPE, encoding='utf-8')
    assert done.stdout.strip() == "{'CMAKE_GENERATOR': 'Ninja'}"
