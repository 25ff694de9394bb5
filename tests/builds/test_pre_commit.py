"""The hooks for the pre-commit tool, in repositories of their own; nothing is downloaded."""

import os
import re
import stat
import sys

import pytest
import yaml

from building import ROOT, block, drift, edit, git, need, run

need('git', 'pre-commit')


def pre_commit(folder, *arguments, ok=True):
    return run('pre-commit', *arguments, cwd=folder, ok=ok, PRE_COMMIT_HOME=str(folder.parent / 'pre-commit'),
               XDG_CACHE_HOME=str(folder.parent / 'cache'), PRE_COMMIT_COLOR='never')


def test_hooks_are_what_is_there(bespoke):
    """Each names a program of this project, and a command that this has."""
    with open(os.path.join(ROOT, '.pre-commit-hooks.yaml'), encoding='utf-8') as file:
        hooks = yaml.safe_load(file)
    assert [hook['id'] for hook in hooks] == ['bespoke-check', 'bespoke-generate']
    for hook in hooks:
        program, *arguments = hook['entry'].split()
        assert os.stat(bespoke / program).st_mode & stat.S_IXUSR
        assert hook['language'] == 'script'  # nothing is downloaded
        assert 'usage: ' in run(sys.executable, bespoke / program, *arguments, '--help')


def test_try_repo(game, bespoke):
    check = ('try-repo', str(bespoke), 'bespoke-check', '--all-files')
    assert re.search(r'containers are what their specs say\.+Passed', pre_commit(game, *check))
    drift(game)
    assert "'generated/fleet.c' is stale" in pre_commit(game, *check, ok=False)
    generate = ('try-repo', str(bespoke), 'bespoke-generate', '--all-files')
    assert 'files were modified by this hook' in pre_commit(game, *generate, ok=False)
    assert 'Passed' in pre_commit(game, *check)
    assert 'Passed' in pre_commit(game, *generate)


@pytest.mark.parametrize('where', ['elsewhere', 'local'])
def test_configuration(game, bespoke, where):
    """A commit with a stale list is refused; with the list it is accepted; one that touches no such file asks nobody."""
    text = block('yaml', 'rev: v0.1.0' if where == 'elsewhere' else 'repo: local')
    text = re.sub(r'https://\S+/bespoke', str(bespoke), text)
    (game / '.pre-commit-config.yaml').write_text(text)
    git(game, 'add', '.pre-commit-config.yaml')
    git(game, 'commit', '-qm', 'hooks')
    pre_commit(game, 'install')
    environment = {'PRE_COMMIT_HOME': str(game.parent / 'pre-commit'), 'PRE_COMMIT_COLOR': 'never'}
    drift(game)
    said = git(game, 'commit', '-qam', 'policy', ok=False, **environment)
    assert "'generated/fleet.c' is stale" in said
    run(sys.executable, 'bespoke/bespoke', 'generate', cwd=game)
    assert 'Passed' in git(game, 'commit', '-am', 'policy', **environment)
    (game / 'notes.txt').write_text('nothing\n')
    git(game, 'add', 'notes.txt')
    assert 'Skipped' in git(game, 'commit', '-am', 'notes', **environment)


def test_arguments(game, bespoke):
    """Specs and output elsewhere, as `args` say."""
    os.rename(game / 'specs', game / 'lists')
    os.rename(game / 'generated', game / 'lists' / 'generated')
    text = block('yaml', 'rev: v0.1.0')
    with open(os.path.join(ROOT, 'docs', 'drift.md'), encoding='utf-8') as file:
        arguments = re.search(r'`(args: .*?)`', file.read()).group(1)
    text = re.sub(r'https://\S+/bespoke', str(bespoke), text.rstrip('\n') + '\n        ' + arguments + '\n')
    (game / '.pre-commit-config.yaml').write_text(text)
    git(game, 'add', '-A')
    assert 'Passed' in pre_commit(game, 'run', '--all-files')
    edit(game / 'lists' / 'fleet.yaml', 'removal: swap', 'removal: compact')
    assert "'lists/generated/fleet.c' is stale" in pre_commit(game, 'run', '--all-files', ok=False)
