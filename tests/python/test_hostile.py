"""tests/hostile/run.py: what it finds in a generator that is broken, and what it lets pass."""

import argparse
import os
import time

import pytest
from hostile import run
from hostile.mutate import Mutator

from generator.text.diag import Source, Span

SPEC = b'bespoke: 1\ncontainers:\n  fleet: {element: int}\n'


@pytest.fixture(scope='module')
def renderer():
    return run.Renderer()


@pytest.fixture
def runs(tmp_path, renderer, monkeypatch):
    monkeypatch.setattr(run, 'Renderer', lambda: renderer)  # whose templates are compiled
    monkeypatch.setattr('generator.emitted.render.Renderer', lambda: renderer)
    options = argparse.Namespace(seed='1', first=0, number=1, seconds=None, render=1, compile=1, one=None)
    made = run.Run(str(tmp_path), options)
    made.current = 1
    os.mkdir(tmp_path / 'specs')

    def outcome(data, number=1):
        return made.outcome(str(tmp_path / 'specs' / 'mutant.yaml'), data, number)
    outcome.run = made
    return outcome


def broken(monkeypatch, effect):
    """Whatever effect does comes before the spec is read."""
    true = run.load_spec

    def load_spec(path, problems, *more):
        with open(path, 'rb') as file:
            effect(file.read(), problems)
        return true(path, problems, *more)
    monkeypatch.setattr(run, 'load_spec', load_spec)


def test_good_and_bad_specs(runs):
    assert runs(SPEC) == ('accepted', '') and runs(SPEC, 50) == ('accepted', '')
    assert runs.run.count['compiled'] == 1
    assert runs(SPEC.replace(b'int', b'[')) == ('refused', '') and runs(b'\xff', 50) == ('refused', '')


def test_exceptions_are_found_and_made_small(runs, monkeypatch, tmp_path):
    def effect(data, problems):
        if b'x' in data:
            raise KeyError('x')
    broken(monkeypatch, effect)
    data = SPEC + b'  box: {element: int}\n' * 9
    outcome, kind = runs(data)
    assert outcome == 'failed' and kind == 'KeyError in test_hostile.py, effect'
    assert runs.run.smaller(str(tmp_path / 'specs' / 'mutant.yaml'), data, 1, kind) == b'x'


def test_errors_without_a_position(runs, monkeypatch):
    broken(monkeypatch, lambda data, problems: problems.error('BSP0101', 'nowhere'))
    assert runs(SPEC.replace(b'int', b'[')) == ('failed', 'no position: BSPN')


def test_positions_that_are_not_in_the_file(runs, monkeypatch):
    broken(monkeypatch, lambda data, problems: problems.error('BSP0101', 'elsewhere', Span(Source('mutant.yaml', 'a: 1'), 2, 1)))
    assert runs(SPEC) == ('failed', 'neither accepted nor refused')
    assert runs(SPEC.replace(b'int', b'[')) == ('failed', 'a position that is not in the file: BSPN')


def test_what_takes_long(runs, monkeypatch):
    monkeypatch.setattr(run, 'LIMIT', .1)

    def effect(data, problems):
        until = time.process_time() + 20
        while time.process_time() < until:
            pass
    broken(monkeypatch, effect)
    began = time.process_time()
    assert 'reading takes more than' in runs(SPEC)[1] and time.process_time() - began < 10


@pytest.mark.parametrize('was, now', [('    return', '    int unused; return'), ('size_t fleet_count', 'size_t fleet_count(void); int fleet_count')])
def test_c_that_does_not_compile(runs, monkeypatch, was, now):
    true = runs.run.renderer.files
    monkeypatch.setattr(runs.run.renderer, 'files', lambda *more: {name: text.replace(was, now, 1) for name, text in true(*more).items()})
    runs.run.options.render = 99
    assert runs(SPEC)[1].startswith('does not compile')


def test_c_of_the_spec_is_the_users(runs):
    data = b'bespoke: 1\ncontainers:\n  fleet: {element: {type: struct ship, header: ship.h}, identity: {key: element->nothing}}\n'
    assert runs(data) == ('accepted', '') and runs.run.count['of these with C of the spec that no compiler takes'] == 1


def test_a_command_that_says_something_else(runs, monkeypatch):
    monkeypatch.setattr(run.cli, 'main', lambda command: 4)
    assert runs(SPEC, 50)[1] == 'exit code N of generate: '


def test_the_same_seed_makes_the_same_specs():
    one, two = Mutator('a'), Mutator('a')
    assert [one.spec(number)[1] for number in range(200)] == [two.spec(number)[1] for number in range(200)]
    assert len({one.spec(number)[1] for number in range(200)}) > 190
