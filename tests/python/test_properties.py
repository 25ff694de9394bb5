"""Whatever a spec says: a message with a place, or C. Never an exception."""

import contextlib
import copy
import io
import os
import random
import re
import tempfile
import time
from unittest import mock

import yaml
from conftest import ROOT
from hypothesis import HealthCheck, given, settings, strategies as st

from generator.containers.load import SHARED, load_spec
from generator.emitted.render import Renderer
from generator.language.keys import KEYS
from generator.language.presets import PRESETS
from generator.pages.starter import starter
from generator.text.diag import Diagnostics
from generator.text.printing import render
from generator.text.loader import load_text
from generator.tool import cli

RENDERER = Renderer()
SETTINGS = settings(max_examples=int(os.environ.get('BESPOKE_TEST_EXAMPLES', '150')), deadline=None,
                    derandomize=not os.environ.get('BESPOKE_TEST_EXAMPLES'),
                    suppress_health_check=list(HealthCheck))
SPECS = os.path.join(ROOT, 'specs')  # whose headers specs of the repository name
SHIP = '#include <stdbool.h>\n#include <stdint.h>\nstruct ship { uint32_t id, slot; int hp; bool gone; };\n'


def resolve(text, stem='fleet'):
    """Resolves a text (or bytes) as a spec in a folder of its own; checks what must hold in any case."""
    data = text if isinstance(text, bytes) else text.encode('utf-8', 'surrogatepass')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, stem + '.yaml')
        with open(path, 'wb') as file:
            file.write(data)
        with open(os.path.join(folder, 'ship.h'), 'w') as file:
            file.write(SHIP)
        diagnostics = Diagnostics()
        spec = load_spec(path, diagnostics, [SPECS])
        assert (spec is None) == bool(diagnostics)
        for item in diagnostics.sorted():
            for style in ('gcc', 'msvc', 'json'):
                assert render(item, style)
            # Of a file that is not UTF-8 at all nothing can be shown.
            assert item.span is not None or item.code in ('BSP0001', 'BSP0002', 'BSP0003')
        if spec is not None:
            assert spec.containers
            texts = RENDERER.files(spec, 'x')
            assert stem + '.h' in texts
            for name, content in texts.items():
                assert os.path.basename(name) == name and content.endswith('\n')
        return spec, diagnostics


def generate(data, stem='fleet'):
    """The same through the command line; gives its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, stem + '.yaml')
        with open(path, 'wb') as file:
            file.write(data)
        with open(os.path.join(folder, 'ship.h'), 'w') as file:
            file.write(SHIP)
        target = os.path.join(folder, 'out')
        said, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors), \
                mock.patch('generator.emitted.render.Renderer', lambda: RENDERER):  # whose templates are compiled
            code = cli.main(['generate', path, '-o', target, '--no-format', '-I', SPECS])
        assert code in (0, 2), errors.getvalue()
        if code == 0:
            assert os.path.exists(os.path.join(target, stem + '.h'))
        else:
            assert not os.path.exists(target) or not os.listdir(target)
            assert re.search(r'^.+: error: .+ \[BSP\d{4}\]$', errors.getvalue(), re.MULTILINE), errors.getvalue()
        assert sorted(set(os.listdir(folder)) - {'out'}) == sorted(['ship.h', stem + '.yaml'])
        return code


# -- Specs from the table of keys ----------------------------------------------------------------------------------

GOOD = {
    'count': ['1', '2', '64', '2147483647'], 'flag': ['true', 'false'], 'bits': ['8', '16', '32'],
    'chunk': ['64', '128', '65536'],
    'percent': ['25%', '1', '99%'], 'growth': ['1.1', '1.25', '2', '4'], 'duration': ['120 settles', '2 s', '0.5 seconds'],
    'type': ['int', 'struct ship', 'uint64_t', 'double', 'struct ship *', 'void *', 'bool', 'const char *'],
    'header': ['ship.h', '<ship.h>'], 'function': ['on_it', 'on_that', 'f1', 'f2', 'f3', 'fleet_on'],
    'macro': ['ENGINE_API', 'engine_macro'], 'prefix': ['eng_', '""', 'E'], 'field': ['slot', 'id', 'links.slot'],
    'callable': ['element->gone', 'is_it', '"*element"', 'key_of', "'element->id % 7u == 0'"],
    'comparison': ['a->hp < b->hp', "'a->id > b->id'", 'comes_first'], 'names': ['[back, front]', '[one]'],
    'members': ['[x]', '[x, hp]', '[id, gone]'], 'operations': ['[add, each]', '[count]', '[update, remove_current]'],
    'fields': ['{x: float, y: float}', '{id: uint32_t, gone: bool}'],
    'indexes': ['{by_id: {key: element->id}}', '{by_hp: {key: element->hp, kind: sorted}, by_id: {key: element->id, unique: true}}'],
    'statement': ['element->hp = 0'], 'lines': ['Licence: mine', '""'],
}
BAD = ['no', 'null', '~', '""', '-1', '0', '1e9', 'int;', '"a\\nb"', '[a, b]', '{a: b}', '[]', '{}', '#x', "'*/'",
       'sorted', '999999999999999999999999', '*alias', '&anchor', '!tag', 'class', 'list', 'element', 'a.b', '.',
       'ship.c', '"{{T}}"', '"%s"', "'{% raw %}'", '\u00e4', "'\\'", 'if (x) y', '.inf', '.nan', '0x10', '010', "'x' 'y'", 'x: y']


def values_of(key):
    """Values for a key: mostly good ones, of a choice all of them."""
    good = list(key.values) if key.values else GOOD[key.kind]
    return st.one_of(st.sampled_from(good), st.sampled_from(good), st.sampled_from(good),
                     st.one_of(st.sampled_from(good), st.sampled_from(good), st.sampled_from(BAD)))


# Keys that stand alone without needing another one.
EASY = [key for key in KEYS if not key.only and key.path not in (
    'element.type', 'element.header', 'capacity.inline', 'capacity.shrink.after', 'allocator.kind', 'test.id',
    'test.expire') + SHARED]


@st.composite
def mappings(draw, most=9, wrong=True):
    """The text of a mapping with keys of the language, in flow style."""
    tree = {}
    some, most = (KEYS, most) if wrong else (EASY, min(most, 4))
    for key in draw(st.lists(st.sampled_from(some), max_size=most)):
        value = draw(values_of(key) if wrong else st.sampled_from(list(key.values) or GOOD[key.kind]))
        parts = key.path.split('.')
        if key.short and draw(st.booleans()):
            tree[parts[0]] = value
            continue
        at = tree
        for part in parts[:-1]:
            if not isinstance(at.get(part), dict):
                at[part] = {}
            at = at[part]
        at[parts[-1]] = value
    if wrong and draw(st.integers(0, 3)) == 0:
        tree['preset'] = draw(st.sampled_from(sorted(PRESETS) + ['mine', 'other', 'nobody']))
    if not wrong:
        by = ', by: pointer' if tree.pop('element', {}).get('by') == 'pointer' else ''
        tree['element'] = '{type: struct ship, header: ship.h%s}' % by
    elif not draw(st.integers(0, 7)) == 0:
        element = draw(st.sampled_from(['{type: struct ship, header: ship.h}', 'int',
                                        '{type: struct ship, header: ship.h, by: pointer}', 'struct ship']))
        tree.setdefault('element', element)
    return tree


def flow(tree):
    if isinstance(tree, dict):
        return '{%s}' % ', '.join('%s: %s' % (key, flow(value)) for key, value in tree.items())
    return tree


@st.composite
def specs(draw, wrong=True):
    lines = ['bespoke: 1']
    if draw(st.integers(0, 2)) == 0:
        lines.append('defaults: ' + flow(draw(mappings(most=3, wrong=wrong))))
    if draw(st.integers(0, 2)) == 0:
        lines.append('presets:')
        for name in draw(st.sampled_from([['mine'], ['mine', 'other']])):
            lines.append('  %s: %s' % (name, flow(draw(mappings(most=4, wrong=wrong)))))
    lines.append('containers:')
    names = ['fleet', 'crew', 'a', 'Fleet', 'fleet_add', 'int', 'x__y', 'ship'] if wrong else ['fleet', 'crew', 'deck']
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)):
        lines.append('  %s: %s' % (name, flow(draw(mappings(wrong=wrong)))))
    return '\n'.join(lines) + '\n'


@SETTINGS
@given(specs())
def test_any_keys_and_values(text):
    resolve(text)


@SETTINGS
@given(specs(wrong=False))
def test_any_keys_with_values_of_their_kind(text):
    resolve(text)


@SETTINGS
@given(st.one_of(specs(), specs(wrong=False)))
def test_the_command_line_says_the_same(text):
    spec, diagnostics = resolve(text)
    assert generate(text.encode('utf-8')) == (2 if diagnostics else 0)


# -- Mutated texts -------------------------------------------------------------------------------------------------

def good_texts():
    folder = os.path.join(ROOT, 'specs')
    for name in sorted(os.listdir(folder)):
        if name.endswith('.yaml'):
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                yield file.read()


TEXTS = list(good_texts()) + [
    'bespoke: 1\ndefaults:\n  ordering: unordered\npresets:\n  bag:\n    removal: swap\ncontainers:\n  fleet:\n'
    '    preset: bag\n    element: {type: struct ship, header: ship.h}\n    identity:\n      key: element->id\n'
    '    duplicates: reject\n    capacity: {max: 64, shrink: {below: 25%, after: 2 s}}\n  crew: {element: int}\n',
]
WORDS = BAD + [key.path.split('.')[-1] for key in KEYS] + [value for key in KEYS for value in key.values]


def mutated(text, rng):
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        lines = text.split('\n')
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        what = rng.randrange(8)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(other, lines[at])
        elif what == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif what == 3:
            lines[at] = ' ' * rng.randrange(8) + lines[at].lstrip()
        elif what == 4 and text:
            place = rng.randrange(len(text))
            char = rng.choice((0, 9, 10, 13, 32, 34, 39, 42, 58, 91, 123, 125, 0x202e, 0xfeff, rng.randrange(0xd800)))
            text = text[:place] + chr(char) + text[place + rng.randrange(2):]
            continue
        elif what == 5 and text:
            place = rng.randrange(len(text))
            text = text[:place] + text[place + rng.randrange(20):]
            continue
        else:
            words = list(re.finditer(r'[^\s{},:\[\]]+', text))
            if words:
                word = rng.choice(words)
                text = text[:word.start()] + rng.choice(WORDS) + text[word.end():]
            continue
        text = '\n'.join(lines)
    return text


@SETTINGS
@given(st.sampled_from(TEXTS), st.integers(0, 2 ** 32))
def test_mutated_specs(text, seed):
    text = mutated(text, random.Random(seed))
    resolve(text)


@SETTINGS
@given(st.sampled_from(TEXTS), st.integers(0, 2 ** 32), st.binary(max_size=6))
def test_mutated_bytes(text, seed, junk):
    data = text.encode('utf-8')
    place = random.Random(seed).randrange(len(data))
    data = data[:place] + junk + data[place + len(junk) // 2:]
    spec, diagnostics = resolve(data)
    assert generate(data) == (2 if diagnostics else 0)


# -- Mutated trees -------------------------------------------------------------------------------------------------

class _Plain(yaml.SafeDumper):
    """Numbers and flags without quotes; no aliases."""

    def ignore_aliases(self, data):
        return True

    def represent_text(self, text):
        plain = re.fullmatch(r'\d[\d.]*%?|true|false|~', text)
        return self.represent_scalar('tag:yaml.org,2002:' + ('str' if not plain else 'null' if text == '~' else 'bool' if text[0] in 'tf' else 'int'), text)


_Plain.add_representer(str, _Plain.represent_text)
TREES = [yaml.load(text, yaml.BaseLoader) for text in TEXTS]
PARTS = [container for tree in TREES for container in tree['containers'].values()]


def set_key(container, path, value):
    """Whatever stands in the way is replaced."""
    *parts, leaf = path.split('.')
    for part in parts:
        if not isinstance(container.get(part), dict):
            container[part] = {}
        container = container[part]
    container[leaf] = value


def mutated_tree(rng):
    """A spec of the repository with keys changed, added and removed: valid YAML, so that most of it reaches the rules."""
    tree = copy.deepcopy(rng.choice(TREES))
    containers = tree['containers']
    for name in list(containers)[3:]:
        del containers[name]
    for _ in range(rng.choice((1, 1, 2, 2, 3, 5))):
        container = containers[rng.choice(list(containers))]
        what, key, other = rng.randrange(8), rng.choice(KEYS), copy.deepcopy(rng.choice(PARTS))
        if what < 4:
            good = list(key.values) or GOOD[key.kind]
            value = yaml.load(rng.choice(good), yaml.BaseLoader)
            set_key(container if rng.random() < .9 else tree.setdefault('defaults', {}), key.path, value)
        elif what == 4 and len(container) > 1:
            del container[rng.choice(list(container))]
        elif what == 5:
            container.update(rng.sample(list(other.items()), 1))
        elif what == 6:
            set_key(container, key.path, rng.choice((['a', 'b'], {'a': 'b'}, '', [], {}, '1', [['x']], {'element': {}}, 'x y')))
        else:
            containers[rng.choice(('two', 'fleet', 'ship'))] = other
    return yaml.dump(tree, Dumper=_Plain, sort_keys=False, default_flow_style=rng.choice((None, True, False)))


def test_mutated_trees():
    """All 20,000 of them with BESPOKE_TEST_ALL=1. None takes long."""
    resolve(TEXTS[0])  # templates are compiled
    good = 0
    for seed in range(20000 if os.environ.get('BESPOKE_TEST_ALL') else 600):
        text = mutated_tree(random.Random(seed))
        began = time.process_time()
        try:
            good += resolve(text)[0] is not None
        except Exception as error:
            raise AssertionError(f'seed {seed}:\n{text}') from error
        assert time.process_time() - began < 2, (seed, text)
    assert good > seed / 10


@SETTINGS
@given(st.sampled_from(KEYS), st.text(max_size=60))
def test_any_text_as_a_value(key, text):
    """As a quoted scalar, so that YAML lets everything through to the checks of the kinds."""
    quoted = "'%s'" % text.replace("'", "''")
    tree = {}
    at = tree
    for part in key.path.split('.')[:-1]:
        at = at.setdefault(part, {})
    at[key.leaf] = quoted
    if key.path != 'element.type':
        tree.setdefault('element', {})['type'] = 'int'
    resolve('bespoke: 1\ncontainers:\n  fleet: %s\n' % flow(tree))


@SETTINGS
@given(st.text(alphabet='abcXYZ_019.$- /\u00e4"\'\\;#*', min_size=1, max_size=30))
def test_any_name_of_a_container(name):
    resolve("bespoke: 1\ncontainers:\n  '%s': {element: int}\n" % name.replace("'", "''"))


# -- What is said once is not said again -----------------------------------------------------------------------------

@SETTINGS
@given(st.sampled_from([key for key in KEYS if key.kind == 'choice']),
       st.sampled_from(sorted(PRESETS)))
def test_a_misspelt_value_is_the_only_error(key, preset):
    """A wrong value gives one message, whatever else depends on it."""
    problems = Diagnostics()
    needs = yaml.safe_load(starter(preset, 'fleet', None, None, None, problems))['containers']['fleet']
    assert not problems
    spec, diagnostics = resolve('bespoke: 1\ncontainers:\n  fleet: %s\n' % flow(needs))
    assert spec is not None
    at = needs
    for part in key.path.split('.')[:-1]:
        at = at.setdefault(part, {})
    at[key.leaf] = 'xyzzy'
    spec, diagnostics = resolve('bespoke: 1\ncontainers:\n  fleet: %s\n' % flow(needs))
    assert [item.code for item in diagnostics] == ['BSP0103']


def test_loading_is_pure():
    """The same text gives the same messages, in the same order."""
    for text in TEXTS:
        for seed in range(20):
            changed = mutated(text, random.Random(seed))
            first, second = Diagnostics(), Diagnostics()
            load_text(changed, first)
            load_text(changed, second)
            assert list(map(render, first.sorted())) == list(map(render, second.sorted()))
