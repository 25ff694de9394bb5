"""Whatever a spec says: a message with a place, or C. Never an exception."""

import contextlib
import io
import os
import re
import tempfile
from unittest import mock

import yaml
from conftest import ROOT
from hostile.mutate import BAD, GOOD, Mutator
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
SHIP = '''#include <stdbool.h>
#include <stdint.h>
struct ship { /* what starters name */
    uint32_t id, slot;
    int hp, depth;
    bool gone;
    struct ship *team_next, *team_prev, *node_parent, *timer_left, *timer_right;
    void *team;
    uint64_t timer_turn;
};
'''


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


# -- Any texts -------------------------------------------------------------------------------------

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
    mutator = Mutator()
    for number in range(500):
        text = mutator.spec(number)[1].decode('utf-8', 'replace')
        first, second = Diagnostics(), Diagnostics()
        load_text(text, first)
        load_text(text, second)
        assert list(map(render, first.sorted())) == list(map(render, second.sorted()))
