"""docs/drift.md: what is printed there, done. What it says of the pre-commit tool is in test_pre_commit.py."""

import os
import shutil
import sys

import pytest
import yaml

from building import block, drift, need, run

need('git', 'sh')


def steps_of(language):
    """The commands of a continuous integration, without those that install something on its machine."""
    if language == 'github':
        job = yaml.safe_load(block('yaml', 'runs-on'))['jobs']['drift']
        commands = [step['run'] for step in job['steps'] if 'run' in step]
    elif language == 'gitlab':
        job = yaml.safe_load(block('yaml', 'image:'))['drift']
        commands = job['before_script'] + job['script']
    else:
        return [block('sh', '#!/bin/sh')]
    assert 'python3-jinja2 python3-yaml' in commands[0]
    return commands[1:]


@pytest.mark.parametrize('where', ['github', 'gitlab', 'hook'])
def test_snippets(game, where):
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ['PATH']])
    commands = steps_of(where)
    assert commands
    for command in commands:
        run('sh', '-ec', command, cwd=game, PATH=path)
    drift(game)
    said = run('sh', '-ec', '\n'.join(commands), cwd=game, ok=False, PATH=path)
    assert "'generated/fleet.c' is stale" in said and 'run: bespoke generate' in said


def test_commands(game):
    """The two lines on top of the page."""
    lines = [line.split('#')[0].strip() for line in block('sh', 'lists/generated').splitlines()]
    (game / 'lists').mkdir()
    shutil.copy(game / 'specs' / 'fleet.yaml', game / 'lists')
    shutil.copy(game / 'specs' / 'ship.h', game / 'lists')
    shutil.copytree(game / 'generated', game / 'lists' / 'generated')
    (game / 'bin').mkdir()
    (game / 'bin' / 'bespoke').symlink_to(game / 'bespoke' / 'bespoke')
    path = os.pathsep.join([str(game / 'bin'), os.environ['PATH']])
    for line in lines:
        run('sh', '-ec', line, cwd=game, PATH=path)
    (game / 'lists' / 'generated' / 'fleet.c').unlink()
    run('sh', '-ec', lines[0], cwd=game, PATH=path)
    assert 'is missing' in run('sh', '-ec', lines[1], cwd=game, ok=False, PATH=path)
