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
