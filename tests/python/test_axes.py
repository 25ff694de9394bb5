"""docs/axes: up to date, complete, and of one mind with what the rules accept."""

import os
import re

import pytest
from conftest import ROOT
from listed import combinations as all_combinations

from generator.containers.load import load_spec
from generator.language.combinations import AXES
from generator.language.keys import BY_PATH, KEYS
from generator.pages import axes, structures
from generator.text.diag import Diagnostics
from generator.text.printing import render

MEND = 'run: script/pages'
FOLDER = os.path.join(ROOT, 'docs', 'axes')


@pytest.fixture(scope='module')
def bench():
    return axes.Bench()


@pytest.fixture(scope='module')
def pages(bench):
    return axes.pages(bench)


def test_the_pages_are_up_to_date(pages):
    assert sorted(os.listdir(FOLDER)) == sorted(pages), MEND
    for name, text in pages.items():
        with open(os.path.join(FOLDER, name), encoding='utf-8', newline='') as file:
            assert file.read() == text, MEND


def test_command(tool, pages, monkeypatch):
    monkeypatch.setattr(axes, 'pages', lambda: pages)
    tool('schema', '--axes', '-o', 'out')
    assert {name: tool.read(f'out/{name}') for name in os.listdir('out')} == pages


def test_without_the_examples(tool, monkeypatch):
    monkeypatch.setattr(structures, 'example_root', lambda: 'nowhere')
    monkeypatch.setattr(axes, 'example_root', lambda: 'nowhere')
    assert 'BSP0411' in tool('schema', '--axes', code=3).err


def test_every_key_and_value_has_its_place(pages):
    for key in KEYS:
        page = pages[f'{key.group or key.path}.md']
        assert key.doc in page
        for value in key.values:
            assert f'| `{value}` |' in page
            if key.path in axes.PATHS and value != 'auto':
                assert re.search(rf'^#+ `{key.leaf if key.group else key.path}: {value}`$', page, re.MULTILINE)
    assert set(AXES) <= set(axes.PATHS)


def test_the_specs_say_what_they_stand_for(pages, tool):
    """Each is accepted, and has the value of its heading."""
    tool.write('ship.h', 'struct ship;\n')
    tried = 0
    for name, page in pages.items():
        for leaf, value, text in re.findall(r'^#+ `([\w.]+): (\w+)`\n\n```yaml\n(.*?)^```$', page, re.MULTILINE | re.DOTALL):
            tool.write('one.yaml', text)
            problems = Diagnostics()
            spec = load_spec('one.yaml', problems)
            assert spec is not None, ''.join(map(render, problems))
            path = leaf if leaf in BY_PATH else f'{name[:-3]}.{leaf}'
            assert str(spec.containers[0][path]).lower() == value
            tried += 1
        for text in re.findall(r'^For example:\n\n```yaml\n(.*?)^```$', page, re.MULTILINE | re.DOTALL):
            for header in ('ship.h', 'arena.h', 'engine.h'):
                tool.write(header, 'struct ship;\n')
            tool.write('one.yaml', text)
            assert load_spec('one.yaml', Diagnostics()) is not None and f'    {name[:-3]}:' in text
    assert tried == sum(len(axes.values_of(path)) for path in axes.PATHS)


def test_the_tables_are_sound(pages):
    for name, text in pages.items():
        for table in re.findall(r'(?:^\|.*\n)+', text, re.MULTILINE):
            assert len({len(re.findall(r'(?<!\\)\|', row)) for row in table.splitlines()}) == 1, (name, table)


def test_pairs_are_the_same_both_ways(bench, pages):
    for one in axes.PATHS:
        for other in axes.PATHS:
            if one < other:
                for first in axes.values_of(one):
                    for second in axes.values_of(other):
                        pair, back = bench.pair((one, first), (other, second)), bench.pair((other, second), (one, first))
                        assert (pair[0].container is None) == (back[0].container is None), (one, first, other, second)


@pytest.mark.skipif(not os.environ.get('BESPOKE_TEST_ALL'), reason='takes half a minute: BESPOKE_TEST_ALL=1')
def test_pairs_are_those_of_the_combinations(bench):
    together = set()
    for combination in all_combinations():
        values = [pair for pair in zip(AXES, combination.values)
                  if not any(dict(zip(AXES, combination.values)).get(other, allowed[0]) not in allowed
                             for other, allowed in BY_PATH[pair[0]].only.items())]
        together |= {(one, other) for one in values for other in values}
    for one in AXES:
        for other in AXES:
            if one == other or 'identity.by' in (one, other):  # combinations hold structs, which have no value to compare
                continue
            for first in axes.values_of(one):
                for second in axes.values_of(other):
                    pair = ((one, first), (other, second))
                    if ('capacity.when_full', 'reject') in pair and {('element.by', 'intrusive'), ('ordering', 'layered')} & set(pair):
                        continue  # there combinations do not say it
                    assert (bench.pair(*pair)[0].container is not None) == (pair in together), pair
