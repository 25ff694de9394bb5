"""The JSON Schema and the reference page: up to date, and of one mind with the validator."""

import os
import re

import pytest
from conftest import ROOT
from tool import SHIP

from generator.containers.load import load_spec
from generator.language import keys
from generator.language.presets import PRESETS
from generator.pages import json_schema, reference
from generator.text import loader
from generator.text.diag import Diagnostics
from generator.text.error_codes import CODES

MEND = 'run: ./bespoke schema --json -o docs/schema/bespoke.schema.json; ' \
       './bespoke schema --markdown -o docs/reference.md'


def checked_in(name):
    with open(os.path.join(ROOT, 'docs', *name.split('/')), encoding='utf-8', newline='') as file:
        return file.read()


# -- up to date --------------------------------------------------------------------------------------------------

def test_the_schema_is_up_to_date():
    assert checked_in('schema/bespoke.schema.json') == json_schema.text(), MEND


def test_the_reference_page_is_up_to_date():
    assert checked_in('reference.md') == reference.page(), MEND


def test_command(tool):
    assert tool('schema').out == tool('schema', '--json').out == json_schema.text()
    assert tool('schema', '--markdown').out == reference.page()
    tool('schema', '-o', 'out/s.json')
    assert tool.read('out/s.json') == json_schema.text()
    assert 'BSP0405' in tool('schema', '-o', 'specs', code=3).err


def test_the_same_with_every_hash_seed(tool):
    for arguments in (('--json',), ('--markdown',)):
        assert len({tool.process('schema', *arguments, PYTHONHASHSEED=seed).out for seed in ('0', '1', '2')}) == 1


# -- the reference page ------------------------------------------------------------------------------------------

def test_the_reference_page_has_everything():
    text = reference.page()
    for key in keys.KEYS:
        assert f'**`{key.path}`**' in text and key.doc in text
        for value in key.values:
            assert f'| `{value}` |' in text
    for name, preset in PRESETS.items():
        assert f'### `{name}`' in text and preset.doc in text
    for code in CODES:
        assert f'| {code} |' in text


def test_the_tables_of_the_reference_page_are_sound():
    rows = re.findall(r'^\|.*$', reference.page(), re.MULTILINE)
    for row in rows:
        assert row.endswith('|') and len(re.findall(r'(?<!\\)\|', row)) in (3, 4), row


# -- the JSON Schema ---------------------------------------------------------------------------------------------

def parts(node):
    """All schemas in a schema."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from parts(value)
    elif isinstance(node, list):
        for value in node:
            yield from parts(value)


def test_nothing_else_is_allowed_anywhere():
    for part in parts(json_schema.schema()):
        if part.get('type') == 'object' and isinstance(part.get('properties'), dict):
            assert part['additionalProperties'] is False
            for name, member in part['properties'].items():
                assert 'description' in member or '$ref' in member, name


def test_choices_and_defaults_are_in_it():
    container = json_schema.schema()['definitions']['container']['properties']
    assert container['ordering']['enum'] == list(keys.BY_PATH['ordering'].values)
    assert container['ordering']['default'] == 'insertion'
    for value, doc in keys.BY_PATH['ordering'].values.items():
        assert doc in container['ordering']['description']
    short, group = container['removal']['oneOf']
    assert short['enum'] == group['properties']['policy']['enum'] == list(keys.BY_PATH['removal.policy'].values)
    assert container['capacity']['properties']['shrink']['properties']['below']


# -- of one mind with the validator ------------------------------------------------------------------------------

jsonschema = pytest.importorskip('jsonschema')


@pytest.fixture(scope='module')
def validator():
    document = json_schema.schema()
    jsonschema.Draft7Validator.check_schema(document)
    return jsonschema.Draft7Validator(document)


def plain(node):
    """A node as an editor's YAML reader would see it."""
    if isinstance(node, loader.Mapping):
        return {key.text: plain(value) for key, value in node.entries}
    if isinstance(node, loader.Sequence):
        return [plain(item) for item in node.items]
    return node.value


def agrees(validator, path):
    """Whether the schema takes a spec."""
    node = loader.load(path, Diagnostics())
    return node is not None and not list(validator.iter_errors(plain(node)))


def good_specs():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(('.', 'build')) and name != 'bad']
        for name in names:
            path = os.path.join(folder, name)
            if not name.endswith('.yaml') or os.path.basename(folder) in ('templates', 'workflows'):
                continue
            with open(path, encoding='utf-8', errors='replace') as file:
                if re.search(r'^bespoke: 1$', file.read(), re.MULTILINE):
                    yield os.path.relpath(path, ROOT)


@pytest.mark.parametrize('path', sorted(good_specs()))
def test_specs_of_the_project(validator, path):
    assert agrees(validator, os.path.join(ROOT, path))


@pytest.mark.parametrize('preset', sorted(PRESETS))
def test_starters(validator, tool, preset):
    tool('new', preset, '-o', 'start.yaml')
    assert agrees(validator, 'start.yaml')
    tool.write('start.yaml', re.sub(r'(?m)^( +)# ([a-z_]+: )', r'\1\2', tool.read('start.yaml')))
    assert agrees(validator, 'start.yaml')


HEAD = 'bespoke: 1\ncontainers:\n  fleet:\n    element: {type: struct ship, header: ship.h}\n'

GOOD = [
    'bespoke: 1\ncontainers: {fleet: {element: int}}\n',
    'bespoke: 1\ncontainers: {fleet: {element: {type: int, by: value}}}\n',
    'bespoke: 1\ndefaults: {removal: swap, ordering: unordered}\ncontainers: {fleet: {element: int}}\n',
    'bespoke: 1\npresets: {mine: {preset: item_pool, capacity: {max: 8}}}\ncontainers: {fleet: {preset: mine, element: int}}\n',
    HEAD + '    removal: {policy: compact, when: immediate}\n',
    HEAD + '    capacity: {initial: 8, growth: 1.5, max: 100}\n',
    HEAD + '    capacity: {growth: 2, shrink: {below: 25%, after: 2 s}}\n',
    HEAD + '    capacity: {shrink: {below: 25, after: 120 settles}}\n',
    HEAD + '    capacity: {max: 64, inline: true}\n',
    HEAD + '    identity: {key: element->id}\n    duplicates: reject\n    index: hash\n',
    HEAD + '    iteration: {adds: next, removes: any, cursors: many, passes: 4}\n',
    HEAD + '    ordering: unordered\n    handles: {kind: generational, index_bits: 16, generation_bits: 16}\n',
    HEAD + '    hooks: {add: on_add, remove: on_remove}\n',
    HEAD + '    allocator: {alloc: my_alloc, realloc: my_realloc, free: my_free}\n',
    HEAD + '    emit: {files: single, prefix: eng_, banner: "SPDX-License-Identifier: MIT"}\n',
    HEAD + '    emit: {banner: 2024}\n',
    HEAD + '    emit: {prefix: ""}\n',
    HEAD + '    removal: {policy: prune, expired: element->hp <= 0, ask: before_update}\n    test: {expire: element->hp = 0}\n',
]

BAD = [
    'containers: {fleet: {element: int}}\n',
    'bespoke: 2\ncontainers: {fleet: {element: int}}\n',
    'bespoke: "1"\ncontainers: {fleet: {element: int}}\n',
    'bespoke: 1\ncontainer: {fleet: {element: int}}\n',
    'bespoke: 1\ncontainers: [fleet]\n',
    'bespoke: 1\ncontainers: {}\n',
    'bespoke: 1\ncontainers: {fleet: int}\n',
    'bespoke: 1\ncontainers: {2fleet: {element: int}}\n',
    'bespoke: 1\ncontainers: {fle et: {element: int}}\n',
    'bespoke: 1\ninclude: {a: b}\ncontainers: {fleet: {element: int}}\n',
    'bespoke: 1\ndefaults: {preset: item_pool}\ncontainers: {fleet: {element: int}}\n',
    'bespoke: 1\ndefaults: 3\ncontainers: {fleet: {element: int}}\n',
    'bespoke: 1\npresets: {mine: swap}\ncontainers: {fleet: {element: int}}\n',
    HEAD + '    odering: insertion\n',
    HEAD + '    ordering: sideways\n',
    HEAD + '    ordering: [insertion]\n',
    HEAD + '    ordering: {kind: insertion}\n',
    HEAD + '    ordering:\n',
    HEAD + '    removal: swop\n',
    HEAD + '    removal: {}\n',
    HEAD + '    removal: {policy: compact, wen: immediate}\n',
    HEAD + '    removal: {policy: [compact]}\n',
    HEAD + '    capacity: 8\n',
    HEAD + '    capacity: {max: 0}\n',
    HEAD + '    capacity: {max: -1}\n',
    HEAD + '    capacity: {max: 3000000000}\n',
    HEAD + '    capacity: {max: many}\n',
    HEAD + '    capacity: {max: 1.5}\n',
    HEAD + '    capacity: {max: true}\n',
    HEAD + '    capacity: {growth: 9}\n',
    HEAD + '    capacity: {growth: fast}\n',
    HEAD + '    capacity: {inline: yes}\n',
    HEAD + '    capacity: {inline: 1}\n',
    HEAD + '    capacity: {shrink: 25%}\n',
    HEAD + '    capacity: {shrink: {below: 125%}}\n',
    HEAD + '    capacity: {shrink: {below: 0}}\n',
    HEAD + '    capacity: {shrink: {below: 25%, after: 2}}\n',
    HEAD + '    capacity: {shrink: {below: 25%, after: 2 hours}}\n',
    HEAD + '    iteration: {passes: 65536}\n',
    HEAD + '    iteration: many\n',
    HEAD + '    handles: {kind: generational, index_bits: 33}\n',
    HEAD + '    hooks: {add: "a b"}\n',
    HEAD + '    hooks: {add: [on_add]}\n',
    HEAD + '    hooks: on_add\n',
    HEAD + '    emit: {prefix: 1a}\n',
    HEAD + '    emit: {files: one}\n',
    HEAD + '    test: {id: a-b}\n',
    HEAD + '    test: {expire: element->hp}\n',
    HEAD + '    preset: [item_pool]\n',
    HEAD + '    index: {kind: intrusive, field: 1}\n',
]


def resolves(text, tmp_path):
    (tmp_path / 'ship.h').write_text(SHIP)
    path = tmp_path / 'fleet.yaml'
    path.write_text(text)
    problems = Diagnostics()
    spec = load_spec(str(path), problems)
    return spec is not None, str(path), [item.message for item in problems]


@pytest.mark.parametrize('text', GOOD)
def test_both_take_it(validator, tmp_path, text):
    resolved, path, messages = resolves(text, tmp_path)
    assert resolved, messages
    assert agrees(validator, path), [error.message for error in validator.iter_errors(
        plain(loader.load(path, Diagnostics())))]


@pytest.mark.parametrize('text', BAD)
def test_both_refuse_it(validator, tmp_path, text):
    resolved, path, _ = resolves(text, tmp_path)
    assert not resolved
    assert not agrees(validator, path)


def test_what_the_schema_refuses_the_validator_refuses(validator):
    """Of the bad specs of the project, the schema knows some; it never refuses what the validator would take."""
    folder = os.path.join(ROOT, 'tests', 'bad')
    refused = 0
    for name in sorted(os.listdir(folder) if os.path.isdir(folder) else ()):
        if name.endswith('.yaml'):
            path = os.path.join(folder, name)
            if not agrees(validator, path):
                refused += 1
                assert load_spec(path, Diagnostics()) is None, name
    assert refused > 20 or not os.path.isdir(folder)
