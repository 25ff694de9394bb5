"""All tests that pytest runs can be run at once, from the top: no two files of tests or helpers have one name. Rooms have tests."""

import os
import re
import subprocess
import sys

from conftest import ROOT


def test_all_are_collected_at_once():
    done = subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--collect-only', 'tests/python', 'tests/builds', 'tests/cmake'],
                          cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=120)
    assert done.returncode == 0, done.stdout


def files(folder, ending):
    return {name[:-len(ending)] for name in os.listdir(os.path.join(ROOT, folder)) if name.endswith(ending)}


def test_rooms_name_tests_that_there_are():
    """What `script/test NAME` runs: a test that was renamed would be left out, and nobody told."""
    python, builds, cmake = ({name[5:] for name in files(folder, '.py') if name.startswith('test_')}
                             for folder in ('tests/python', 'tests/builds', 'tests/cmake'))
    specs = files('specs', '.yaml') | files('tests/specs', '.yaml')
    kinds = {'python': python, 'builds': builds, 'generated': specs | {'drift'}, 'regression.everywhere': specs, 'behaviour.contract': specs,
             'cmake': cmake | {f'rebuilds.ninja.{part}' for part in ('generated', 'checked_in')}}
    with open(os.path.join(ROOT, 'tests', 'areas.txt'), encoding='utf-8') as file:
        rooms = [line.split() for line in file if not line.startswith('#')]
    assert len(rooms) > 10
    for room, *patterns in rooms:
        assert patterns, room
        for pattern in patterns:
            kind = next((kind for kind in kinds if pattern.startswith(kind + '.')), None)
            assert kind is not None, f'{room}: {pattern}'
            rest = pattern[len(kind) + 1:]
            parts = re.fullmatch(r'(.*?)\((.*)\)', rest)
            names = [parts.group(1) + one for one in parts.group(2).split('|')] if parts else [rest]
            assert set(names) <= kinds[kind], f'{room}: {pattern}'


def test_what_a_change_does_to_emitted_code_is_shown(tmp_path):
    """tests/combinations/emitted.py: a small recording, and one spec of it that has changed since."""
    def emitted(*arguments):
        return subprocess.run([sys.executable, 'tests/combinations/emitted.py', *arguments], cwd=ROOT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=300)

    folder = str(tmp_path / 'recorded')
    recorded = emitted('record', folder, '--sample', '0', '--specs', '4')
    assert recorded.returncode == 0, recorded.stdout
    number = int(re.fullmatch(r'(\d+) specs recorded\n', recorded.stdout)[1])
    assert number > 12
    with open(os.path.join(folder, 'combinations', '0005', 'all.yaml'), 'a', encoding='utf-8') as file:
        file.write('  one_more: {element: {type: int}}\n')
    compared = emitted('compare', folder, '--show', '9')
    assert compared.returncode == 1, compared.stdout
    assert f'{number} specs compared\n' in compared.stdout
    changed = re.findall(r'^  (\S+): (\S+)$', compared.stdout, re.M)
    assert {path for path, _ in changed} == {os.path.join('combinations', '0005', 'all.yaml')}
    assert {'all.h', 'all.c', 'all_test.c'} <= {name for _, name in changed}
