"""What this machine runs (tests/machine.py): a compiler that links is no compiler whose programs run."""

import importlib.util
import os

import pytest
from conftest import ROOT

import machine

pytestmark = pytest.mark.skipif(os.name == 'nt', reason='needs a shell')


@pytest.fixture
def strange(tmp_path, monkeypatch):
    """A PATH whose compilers make what this kernel does not run: it is no program."""
    for name in ('gcc', 'clang'):
        path = tmp_path / name
        path.write_text('#!/bin/sh\nfor last; do :; done\nprintf "\\177ELF of elsewhere" >"$last"; chmod +x "$last"\n')
        path.chmod(0o755)
    monkeypatch.setenv('PATH', '%s:/bin:/usr/bin' % tmp_path)
    machine.runs.cache_clear()
    yield tmp_path
    machine.runs.cache_clear()


def combinations():
    spec = importlib.util.spec_from_file_location('combinations_run', os.path.join(ROOT, 'tests', 'combinations', 'run.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_links_and_does_not_run(strange, monkeypatch):
    run = combinations()
    monkeypatch.setenv('PATH', str(strange) + ':/bin')  # no emulator of this machine
    monkeypatch.setattr(machine, 'emulator', lambda name: ())
    assert not machine.runs('gcc') and not machine.runs('gcc', '-fsanitize=thread') and not machine.has_fuzzer()
    assert run.under('gcc-32') is None and run.under('gcc-asan') is None
    assert run.under('gcc-c99') == ()  # which is only compiled


def test_an_emulator_takes_its_place(strange):
    run = combinations()
    emulator = strange / 'qemu-i386'
    emulator.write_text('#!/bin/sh\nexit 0\n')
    emulator.chmod(0o755)
    assert run.under('gcc-32') == (str(emulator),)
    assert run.under('gcc') is None  # of this machine's own programs there is none


def test_what_runs():
    assert machine.runs('cc') and not machine.runs('cc', source='int main(void) { return 1; }\n')
    assert not machine.runs('no-such-compiler') and not machine.runs('cc', under=('no-such-emulator',))
