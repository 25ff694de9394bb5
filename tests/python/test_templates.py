"""What templates and parts have for each other exists and is asked for: no idle macro, no idle attribute, no misspelt name."""

import glob
import inspect
import os
import re
from collections import Counter
from types import SimpleNamespace

import pytest
from conftest import ROOT
from jinja2 import UndefinedError, nodes

from generator.parts import container_parts as parts
from generator.containers.load import load_spec
from generator.containers.planning import make_plan
from generator.emitted.environment import environment
from generator.emitted.render import Renderer
from generator.pages import parts as page
from generator.parts.part import Part
from generator.testgen.driver import BEFORE, BEHIND
from generator.testgen.interface import GROUPS
from generator.testgen.preprocessing import kept
from generator.text.diag import Diagnostics

FOLDER = os.path.join(ROOT, 'templates')
CALLED_BY_THE_GENERATOR = {'lib/guard.j2', 'lib/chaos.j2', 'memberships.j2'}


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


def parts_of(templates):
    """The templates of parts: name, axis, tree."""
    return [(name, name.split('/')[1], tree) for name, tree in templates.items() if name.startswith('parts/')]


def parameters(macro):
    missing = len(macro.args) - len(macro.defaults)
    return [(each.name, macro.defaults[number - missing] if number >= missing else None) for number, each in enumerate(macro.args)]


def test_parts_keep_to_their_interface(templates):
    """A macro is one of its interface with the same parameters, or begins with _ and is called where it is."""
    declared = {(axis, macro.name): parameters(macro) for name, axis, tree in parts_of(templates) if name.endswith('/interface.j2')
                for macro in tree.find_all(nodes.Macro)}
    for name, axis, tree in parts_of(templates):
        local = {each.node.name for each in tree.find_all(nodes.Call) if isinstance(each.node, nodes.Name)}
        here = {macro.name for macro in tree.find_all(nodes.Macro)}
        for macro in tree.find_all(nodes.Macro):
            if macro.name.startswith('_'):
                assert macro.name in local, f'{name}: nothing calls {macro.name}'
            else:
                assert (axis, macro.name) in declared, f'{name}: {macro.name} is not in the interface of {axis}'
                assert parameters(macro) == declared[axis, macro.name], f'{name}: {macro.name} has other parameters than the interface'
        strange = {each for each in local - here if (axis, each) in declared}
        assert not strange, f'{name}: {strange} may be in another template: call parts.{axis}'


def test_interfaces_are_whole(templates, generator):
    """Each macro says what it is for, and is called."""
    asked = {call for tree in templates.values() for call in called(tree)} | set(re.findall(r'parts\.(\w+)\.(\w+)', generator))
    for axis in set(parts.AXES) - {'adding'}:
        macros = [macro.name for macro in templates[f'parts/{axis}/interface.j2'].find_all(nodes.Macro)]
        assert macros == list(page.interface(axis)), axis
        idle = [name for name in macros if (axis, name) not in asked]
        assert not idle, f'nothing calls these macros of {axis}: {idle}'
        assert all(len(macro.doc) > 10 for macro in page.interface(axis).values())
        assert all(page.attributes(axis).values()), f'attributes of {axis} without a sentence'


def test_parts_have_what_their_interface_requires(templates):
    macros = {name: {macro.name for macro in tree.find_all(nodes.Macro)} for name, _, tree in parts_of(templates)}
    for axis in set(parts.AXES) - {'adding'}:
        required = {name for name, macro in page.interface(axis).items() if macro.required}
        for each in page.classes(axis)[1:]:
            if 'name' in vars(each) and not each.__subclasses__():
                lacking = required - set().union(*(macros[path] for path in each.templates()[:-1]))
                assert not lacking, f'{each.__name__} lacks {lacking}'


def test_what_one_part_prints_in_one_place_is_no_macro_of_an_interface(templates, generator):
    """It is printed there. What prints nothing by default is there for parts that print nothing, so that no caller asks which it is."""
    calls = Counter(re.findall(r'\.(\w+)', generator))
    calls.update(each.attr for tree in templates.values() for each in tree.find_all(nodes.Getattr))
    for axis in set(parts.AXES) - {'adding'}:
        inside = [tree for _, of, tree in parts_of(templates) if of == axis]
        printed = Counter(macro.name for tree in inside for macro in tree.find_all(nodes.Macro))  # one is the declaration
        local = Counter(each.node.name for tree in inside for each in tree.find_all(nodes.Call) if isinstance(each.node, nodes.Name))
        lonely = [name for name, macro in page.interface(axis).items()
                  if (macro.required or macro.called_for) and printed[name] == 2 and calls[name] + local[name] == 1]
        assert not lonely, f'{axis}: print these where they are called: {lonely}'


def test_architecture_names_all_parts():
    with open(os.path.join(ROOT, 'ARCHITECTURE.md'), encoding='utf-8') as file:
        rows = dict(re.findall(r'^\| `(\w+)` \| (.*?) \| .*\? \|$|^\| `indexes`', file.read(), re.M))
    assert set(rows) - {''} == set(parts.AXES) - {'indexes'}
    for axis in set(rows) - {'', 'adding'}:
        missing = {each.name for each in page.classes(axis)[1:] if each.name and not each.__subclasses__()} - set(re.findall(r'\w+', rows[axis]))
        assert not missing, f'{axis}: {missing}'


@pytest.mark.parametrize('marker', ['required', 'required_where_called'])
def test_a_macro_that_is_required_is_an_error(marker):
    with pytest.raises(TypeError, match='a part lacks a macro'):
        Renderer().environment.from_string('{{ %s }}' % marker).render()


def test_a_name_that_no_part_has_is_an_error(plans):
    """Where it is only tested, too: Jinja would make an undefined value of it."""
    renderer = Renderer()
    context = renderer.known(next(plan for plan in plans if plan.templates == 'container')).names
    template = renderer.environment.from_string('{% if parts.removal.misspelt is not none %}there{% endif %}')
    with pytest.raises(AttributeError, match="parts.removal has no macro or attribute 'misspelt'"):
        template.render(context)


def test_the_page_of_parts_is_up_to_date():
    with open(os.path.join(ROOT, 'docs', 'parts.md'), encoding='utf-8', newline='') as file:
        assert file.read() == page.page(), 'run script/pages'


def test_every_macro_of_lib_is_called(templates, generator):
    asked = {(f'lib/{axis}.j2', word) for axis, word in re.findall(r'parts\.(\w+)\.(\w+)', generator)}
    for name, tree in templates.items():
        files = {each.target: each.template.value for each in tree.find_all(nodes.Import)}
        asked |= {(files.get(before, f'lib/{before}.j2' if before else name), word) for before, word in called(tree)}
    idle = [f'{name}: {macro.name}' for name, tree in templates.items() if name.startswith('lib/') and name not in CALLED_BY_THE_GENERATOR
            for macro in tree.find_all(nodes.Macro) if (name, macro.name) not in asked]
    assert not idle


def test_every_body_has_its_operation(templates, plans):
    bodies = {operation.body_of[:2] for plan in plans for operation in plan.operations}
    idle = []
    for name, tree in templates.items():
        if name.startswith('operations/'):
            here = {word for before, word in called(tree) if not before}
            idle += [f'{name}: {macro.name}' for macro in tree.find_all(nodes.Macro)
                     if macro.name not in here and (name[len('operations/'):-len('.j2')], macro.name) not in bodies]
    assert not idle


def attributes(axis):
    """What each part of an axis says of itself: class -> names."""
    module = getattr(parts, axis)
    found = [each for _, each in inspect.getmembers(module, inspect.isclass) if issubclass(each, Part) and each.axis == axis]
    return {each: {name for name in dir(each) if not name.startswith('_')} for each in found}


def asked_of_parts(tree):
    """What a template asks of parts: axis and name."""
    for attribute in tree.find_all(nodes.Getattr):
        before = attribute.node
        if isinstance(before, nodes.Getattr) and getattr(before.node, 'name', '') == 'parts':
            yield before.attr, attribute.attr


def test_every_name_that_is_asked_of_a_part_exists(templates):
    """It is a macro of some part of the axis, or an attribute of all of them."""
    macros = {(name.split('/')[1], macro.name) for name, tree in templates.items() if name.startswith('parts/')
              for macro in tree.find_all(nodes.Macro)}
    for name, tree in templates.items():
        for axis, word in asked_of_parts(tree):
            assert axis in parts.AXES, f'{name}: parts.{axis}'
            if (axis, word) not in macros:
                lacking = [each.__name__ for each, names in attributes(axis).items() if word not in names]
                assert not lacking, f'{name}: parts.{axis}.{word}, of {lacking}'


def test_every_attribute_of_a_part_is_read(templates, generator):
    """By a template, or by the generator."""
    read = {(axis, word) for tree in templates.values() for axis, word in asked_of_parts(tree)}
    words = set(re.findall(r'\.(\w+)', generator))
    common = {name for name in dir(Part)}
    idle = {f'{axis}.{name}' for axis in parts.AXES for names in attributes(axis).values() for name in names - common
            if (axis, name) not in read and name not in words}
    assert not idle


def test_no_macro_hides_an_attribute(templates):
    """A macro goes before an attribute of the same name, and is always true where it is asked as if it were one."""
    for name, tree in templates.items():
        if name.startswith('parts/'):
            axis = name.split('/')[1]
            macros = {macro.name for macro in tree.find_all(nodes.Macro)}
            hidden = macros & (set().union(*attributes(axis).values()) - set(dir(Part)))
            assert not hidden, name


# What a template may have at most: lines in a file, conditions in a macro or outside of all, characters in a line.
MOST_LINES, MOST_CONDITIONS, MOST_CHARACTERS = 500, 15, 130


def conditions(node):
    """Those of a template or macro, without those of the macros in it."""
    return sum(isinstance(child, nodes.If) + conditions(child) for child in node.iter_child_nodes() if not isinstance(child, nodes.Macro))


def test_templates_have_limits(templates):
    """A macro is read at once, and a file in one sitting."""
    many = {(name, ''): conditions(tree) for name, tree in templates.items()}
    many.update({(name, macro.name): conditions(macro) for name, tree in templates.items() for macro in tree.find_all(nodes.Macro)})
    assert {where: number for where, number in many.items() if number > MOST_CONDITIONS} == {}
    texts = {}
    for ending in 'j2', 'c', 'h', 'html', 'yaml':
        for path in glob.glob(os.path.join(FOLDER, '**', '*.' + ending), recursive=True):
            with open(path, encoding='utf-8') as stream:
                texts[os.path.relpath(path, FOLDER).replace(os.sep, '/')] = stream.read().split('\n')
    assert {name: len(lines) for name, lines in texts.items() if len(lines) - 1 > MOST_LINES} == {}
    assert [(name, number) for name, lines in texts.items() for number, line in enumerate(lines, 1)
            if len(line) > MOST_CHARACTERS] == []


def test_the_driver_of_tests():
    """It has all C files in templates/test/driver, and depends on no other macros than those of the groups."""
    paths = glob.glob(os.path.join(FOLDER, 'test', 'driver', '*'))
    assert {os.path.splitext(os.path.basename(path))[0] for path in paths} == {*BEFORE, *BEHIND}
    text = Renderer().driver()
    known = {group.macro for group in GROUPS} | {'BT_WITH_LAYERS', 'BT_WITH_SPELLINGS'}
    assert set(re.findall(r'BT_WITH_\w+', text)) - {'BT_WITH_'} == known
    assert len(re.findall(r'^#if', text, re.M)) == len(re.findall(r'^#endif', text, re.M)) and '{{ ' not in text and '{%' not in text


def test_what_a_test_that_stands_alone_keeps_of_the_driver():
    text = 'a\n#ifdef BT_WITH_A\n1\n#if X\n2\n#else\n3\n#endif\n#else\n4\n#ifdef BT_WITH_B\n5\n#endif\n#if Y\n6\n#endif\n#endif\n#ifdef Z\n7\n#endif\nb'
    assert kept(text, {'BT_WITH_A'}) == 'a\n1\n#if X\n2\n#else\n3\n#endif\n#ifdef Z\n7\n#endif\nb'
    assert kept(text, {'BT_WITH_B'}) == 'a\n4\n5\n#if Y\n6\n#endif\n#ifdef Z\n7\n#endif\nb'
    assert kept(text, ()) == 'a\n4\n#if Y\n6\n#endif\n#ifdef Z\n7\n#endif\nb'


@pytest.mark.parametrize('template, text', [
    ('{{ a.pass }} {{ a.name }}', 'p n'),
    ('{{ f(1, *more) }} {{ f(1, **named) }} {{ f(x=1, y=2) }}', '1-7 1-8 1-2'),
    ("{% macro m(x, y='d') %}{{ x }}{{ y }}{% endmacro %}{{ m(1) }} {{ m(1, 2) }} {{ m(y=1, x=2) }}", '1d 12 21'),
    ('{% macro m(x) %}{{ x }}{{ caller() }}{% endmacro %}{% for i in more %}{% call m(i) %}!{% endcall %}{% endfor %}', '7!')])
def test_templates_are_compiled_to_plain_python(template, text):
    known = {'a': SimpleNamespace(**{'pass': 'p', 'name': 'n'}), 'f': lambda x, y: f'{x}-{y}', 'more': [7], 'named': {'y': 8}}
    assert environment().from_string(template).render(known) == text


@pytest.mark.parametrize('template', ['{{ a.nme }}', '{{ b }}', '{% macro m(x) %}{{ x }}{% endmacro %}{{ m() }}',
                                      '{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1, y=2) }}', '{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1, 2) }}'])
def test_what_a_template_lacks_is_an_error(template):
    with pytest.raises((AttributeError, TypeError, UndefinedError)):
        environment().from_string(template).render(a=SimpleNamespace(name='n'))


def test_no_container_has_macros_of_another():
    """They are made once, and look up names when they are called; those of the few that do so before are made for each."""
    specs = [load_spec(os.path.join(ROOT, 'specs', name + '.yaml'), Diagnostics()) for name in ('array_list', 'linked_list', 'draw_list')]
    alone = [Renderer().files(spec, '') for spec in specs]
    one = Renderer()
    assert [one.files(spec, '') for spec in (*specs, *specs)] == alone * 2
    known = one.environment
    assert known.free and known.asking and known.asking.isdisjoint(known.free[0][1])
