"""What templates and plans have for each other is asked for: no macro that nobody calls, no fact that nobody reads."""

import glob
import os
import re

import pytest
from conftest import ROOT
from jinja2 import meta, nodes

from generator.containers.plan import make_plan
from generator.emitted.render import Renderer
from generator.language.resolve import load_spec
from generator.testgen.driver import DRIVER, LAYERS, Driver
from generator.testgen.holes import filled
from generator.text.diag import Diagnostics

FOLDER = os.path.join(ROOT, 'templates')
CALLED_BY_THE_GENERATOR = {'lib/cplusplus.j2', 'lib/guard.j2', 'lib/chaos.j2', 'memberships.j2'}


@pytest.fixture(scope='module')
def templates():
    environment = Renderer().environment
    paths = glob.glob(os.path.join(FOLDER, '**', '*.j2'), recursive=True)
    texts = {os.path.relpath(path, FOLDER).replace(os.sep, '/'): open(path, encoding='utf-8').read() for path in paths}
    return {name: environment.parse(text) for name, text in texts.items()}


@pytest.fixture(scope='module')
def plans():
    found = []
    for folder in ('specs', 'tests/specs', 'tests/debuggers', 'bench/specs'):
        for path in sorted(glob.glob(os.path.join(ROOT, folder, '*.yaml'))):
            problems = Diagnostics()
            spec = load_spec(path, problems, [os.path.dirname(path)])
            assert not problems.errors, path
            found += [make_plan(container) for container in spec.emitted]
    return found


@pytest.fixture(scope='module')
def generator():
    """Its text, all of it."""
    return '\n'.join(open(path, encoding='utf-8').read() for path in glob.glob(os.path.join(ROOT, 'generator', '**', '*.py'), recursive=True))


def called(tree):
    """What a template calls or reads: what stands before the last dot, or '', and what behind it."""
    for name in tree.find_all(nodes.Name):
        if name.ctx == 'load':
            yield '', name.name
    for attribute in tree.find_all(nodes.Getattr):
        before = attribute.node
        yield getattr(before, 'attr', getattr(before, 'name', '')), attribute.attr


def test_every_macro_of_a_part_is_called(templates, generator):
    """By its axis, from anywhere; or where it stands."""
    asked = {call for tree in templates.values() for call in called(tree)} | set(re.findall(r'parts\.(\w+)\.(\w+)', generator))
    idle = []
    for name, tree in templates.items():
        if name.startswith('parts/'):
            calls = asked | {(name.split('/')[1], word) for before, word in called(tree) if not before}
            idle += [f'{name}: {macro.name}' for macro in tree.find_all(nodes.Macro) if (name.split('/')[1], macro.name) not in calls]
    assert not idle


def test_every_macro_of_lib_is_called(templates, generator):
    asked = {(f'lib/{axis}.j2', word) for axis, word in re.findall(r'parts\.(\w+)\.(\w+)', generator)}
    for name, tree in templates.items():
        files = {each.target: each.template.value for each in tree.find_all(nodes.Import)}
        asked |= {(files.get(before, f'lib/{before}.j2' if before else name), word) for before, word in called(tree)}
    idle = [f'{name}: {macro.name}' for name, tree in templates.items() if name.startswith('lib/') and name not in CALLED_BY_THE_GENERATOR
            for macro in tree.find_all(nodes.Macro) if (name, macro.name) not in asked]
    assert not idle


def test_every_body_has_its_operation(templates, plans):
    bodies = {operation.body_of for plan in plans for operation in plan.operations}
    idle = []
    for name, tree in templates.items():
        if name.startswith('operations/'):
            here = {word for before, word in called(tree) if not before}
            idle += [f'{name}: {macro.name}' for macro in tree.find_all(nodes.Macro)
                     if macro.name not in here and (name[len('operations/'):-len('.j2')], macro.name) not in bodies]
    assert not idle


def test_every_fact_is_read(templates, plans, generator):
    """By a template, or by the generator as a member of the plan."""
    read = set().union(*(meta.find_undeclared_variables(tree) for tree in templates.values()))
    read |= {word for tree in templates.values() for before, word in called(tree) if before == 'plan'}
    read |= {word for pair in re.findall(r'\b(?:plan|inner)\.(?!facts\b)(\w+)|facts(?:\["|\.get\(")(\w+)"(?!\] \+?=)', generator) for word in pair}
    idle = {fact for plan in plans for fact in plan.facts} - read
    assert not idle


def test_no_macro_hides_a_fact(templates, plans):
    """Within a template its macros go before what the plan says: a macro that is asked as if it were a fact is always true."""
    facts = {fact for plan in plans for fact in plan.facts}
    for name, tree in templates.items():
        calls = {id(call.node) for call in tree.find_all(nodes.Call)}
        macros = {macro.name for macro in tree.find_all(nodes.Macro)}
        hidden = [word.name for word in tree.find_all(nodes.Name)
                  if word.ctx == 'load' and id(word) not in calls and word.name in macros & facts]
        assert not hidden, name


def test_the_driver_of_tests_has_the_holes_that_are_filled():
    """Each hole of the C files in templates/test/driver has a text, each condition is closed, and no file is left out."""
    environment = Renderer().environment
    driver = Driver(environment, 'x', [], [], [], [('T', 'add', 'tAdd')])
    names = {os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(FOLDER, 'test', 'driver', '*'))}
    assert names == {*DRIVER, *LAYERS, 'main', 'assign', 'spelling'}
    for name in names:
        assert '/* @' not in driver.text(name)
        text = environment.loader.get_source(environment, f'test/driver/{name}.c')[0]
        assert text.count('/* @if ') == text.count('/* @end */') and '{{ ' not in text and '{%' not in text


def test_holes():
    assert filled('a\n/* @b */\nc = /* @n */ 1, "/* @x */";\n/* @if t */\n1\n/* @else */\n2\n/* @if b */\n3\n/* @end */\n/* @end */\n',
                  {'b': 'B;\nB;', 'n': 7, 't': False}) == 'a\nB;\nB;\nc = 7, "/* @x */";\n2\n3\n'
    with pytest.raises(KeyError):
        filled('/* @none */', {})
