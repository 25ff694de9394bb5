"""From specs to complete containers: what is laid over what, what follows from what, and where it came from."""

import itertools

import pytest

from generator.containers.load import load_spec
from generator.language.element_rules import MOST_INLINE
from generator.language.keys import BY_PATH, KEYS, in_yaml, members, parse_default, short_key
from generator.language.model import Duration
from generator.language.presets import PRESETS
from generator.language.strategies import AXES, keeps, slots_of
from generator.language.values import KINDS, OTHER_WORDS
from generator.language.policies import POLICIES
from generator.text.diag import Diagnostics
from generator.text.error_codes import CODES
from generator.text.printing import render

SHIP = 'element: {type: struct ship, header: ship.h}'
POINTER = 'element: {type: struct ship, header: ship.h, by: pointer}'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'ship.h').write_text('struct ship { int id, hp, gone, depth, slot; struct ship *next, *prev; void *owner; };\n')
    return tmp_path


def load(text, path='fleet.yaml', include_dirs=()):
    with open(path, 'w') as file:
        file.write(text)
    diagnostics = Diagnostics()
    return load_spec(path, diagnostics, include_dirs), diagnostics


def good(*lines, head=''):
    """The container `fleet` with these lines."""
    spec, diagnostics = load('bespoke: 1\n%scontainers:\n  fleet:\n%s' % (head, ''.join('    %s\n' % l for l in lines)))
    assert spec is not None, '\n'.join(map(render, diagnostics.sorted()))
    return spec.containers[0]


def codes(*lines, head=''):
    spec, diagnostics = load('bespoke: 1\n%scontainers:\n  fleet:\n%s' % (head, ''.join('    %s\n' % l for l in lines)))
    assert spec is None
    return [item.code for item in diagnostics.sorted()]


# -- The table of keys -------------------------------------------------------------------------------------------

def test_the_table_is_sound():
    assert len(BY_PATH) == len(KEYS)
    for key in KEYS:
        assert key.kind in KINDS
        assert (key.kind == 'choice') == bool(key.values), key.path
        assert key.doc.endswith(('.', ')', '`', 'C.')) or key.kind == 'function', key.path
        assert key.role in ('contract', 'policy', 'emission')
        assert not (key.default is not None and key.derived), key.path
        if key.values and key.default is not None:
            assert key.default in key.values
        for other, allowed in key.only.items():
            assert set(allowed) <= ({True, False} if BY_PATH[other].kind == 'flag' else set(BY_PATH[other].values)), key.path
        if key.short:
            assert short_key(key.group) is key
    for name in {key.group for key in KEYS}:
        assert members(name)


def test_presets_are_values_of_the_table():
    for name, preset in PRESETS.items():
        for path, value in preset.settings.items():
            key = BY_PATH[path]
            if key.values:
                assert value in key.values, (name, path)
        for path in preset.needs:
            assert path in BY_PATH and path not in preset.settings
        assert preset.title and preset.doc.endswith('.')


@pytest.mark.parametrize('path, value, text', [
    ('ordering', 'unordered', '`ordering: unordered`'), ('removal.policy', 'swap', '`removal: swap`'),
    ('removal.when', 'deferred', '`removal: {when: deferred}`'),
    ('capacity.inline', True, '`capacity: {inline: true}`'),
    ('capacity.shrink.below', '25%', '`capacity: {shrink: {below: 25%}}`'),
])
def test_how_messages_write_settings(path, value, text):
    assert in_yaml(path, value) == text


# -- Defaults and derived values -----------------------------------------------------------------------------------

def test_the_smallest_spec(folder):
    container = good('element: int')
    assert container.settings['element.type'].origin == 'spec'
    assert container['ordering'] == 'insertion' and container.settings['ordering'].origin == 'default'
    assert container['removal.policy'] == 'compact' and container.settings['removal.policy'].origin == 'derived'
    assert container['identity.by'] == 'address' and container['iteration.adds'] == 'visited'
    assert container['capacity.initial'] == 16 and container['storage.kind'] == 'contiguous'
    assert container['capacity.shrink.after'] == Duration(120, 'settles')
    for key in KEYS:
        if key.default is not None and not key.only:
            assert container[key.path] is not None, key.path


def test_short_forms_and_long_ones_are_the_same(folder):
    short = good(SHIP, 'ordering: unordered', 'removal: swap', 'handles: none', 'storage: contiguous')
    long = good(SHIP, 'ordering: unordered', 'removal: {policy: swap}', 'handles: {kind: none}',
                'storage: {kind: auto}')
    assert {p: s.value for p, s in short.settings.items()} == {p: s.value for p, s in long.settings.items()}
    assert good('element: int')['element.type'] == good('element: {type: int}')['element.type']


@pytest.mark.parametrize('lines, path, value', [
    (['identity: {key: element->id}'], 'identity.by', 'key'),
    (['allocator: {alloc: a1, realloc: a2, free: a3}'], 'allocator.kind', 'custom'),
    (['allocator: {alloc: a1, free: a3}'], 'allocator.sizes', True),
    (['allocator: {kind: plain, alloc: a1, free: a3}'], 'allocator.sizes', False),
    (['removal: {when: deferred}'], 'iteration.adds', 'deferred'),
    (['removal: {when: deferred}'], 'removal.policy', 'tombstone'),
    (['iteration: {adds: deferred}'], 'removal.when', 'deferred'),
    (['capacity: {max: 5}'], 'capacity.initial', 5),
    (['capacity: {max: 500}'], 'capacity.initial', 16),
    (['capacity: {max: 500, inline: true}'], 'capacity.initial', 500),
    (['ordering: unordered', 'addresses: stable', 'capacity: {max: 500}'], 'capacity.initial', 500),
    (['ordering: unordered'], 'removal.policy', 'swap'),
    (['ordering: unordered', 'handles: generational'], 'removal.policy', 'reuse'),
    (['removal: {expired: element->gone}'], 'removal.policy', 'tombstone'),
    (['ordering: unordered', 'removal: {expired: element->gone}'], 'removal.policy', 'tombstone'),
    (['removal: {expired: element->gone}', 'capacity: {inline: true, max: 4}'], 'removal.policy', 'prune'),
    (['removal: {expired: element->gone}', 'hooks: {update: on_update}'], 'removal.policy', 'prune'),
    (['duplicates: reject', 'identity: {key: element->id}', 'index: hash'], 'removal.policy', 'tombstone'),
])
def test_what_follows(folder, lines, path, value):
    container = good(SHIP, *lines)
    assert container[path] == value
    assert container.settings[path].origin == 'derived' and container.settings[path].source


def test_auto_that_was_asked_for_is_at_its_line(folder):
    assert good(SHIP, 'removal: auto').span_of('removal.policy').line == 5
    assert good(SHIP).span_of('removal.policy').line == 3


def test_an_index_follows_from_its_member(folder):
    container = good(POINTER, 'duplicates: reject', 'index: {field: slot}')
    assert container['index.kind'] == 'intrusive'
    assert container.span_of('index.kind').line == 6  # the line that says so


@pytest.mark.parametrize('path', [key.path for key in KEYS if key.default is not None])
def test_defaults_are_values_of_their_kind(path):
    value = parse_default(path)
    key = BY_PATH[path]
    assert value in key.values if key.values else value is not None


def test_keys_that_mean_nothing_are_left_out(folder):
    container = good(SHIP, 'iteration: {cursors: one}')
    assert 'iteration.passes' not in container.settings
    assert 'handles.index_bits' not in container.settings and 'removal.dead_share' not in container.settings


# -- Layers --------------------------------------------------------------------------------------------------------

HEAD = '''defaults: {ordering: unordered, capacity: {max: 10, growth: 3}}
presets:
  base: {duplicates: reject, identity: {key: element->id}, capacity: {max: 20, initial: 4}}
  bag: {preset: base, capacity: {max: 30}}
'''


def test_what_is_laid_over_what(folder):
    container = good(SHIP, 'preset: bag', 'capacity: {growth: 2}', head=HEAD)
    where = {path: (setting.value, setting.origin, setting.source) for path, setting in container.settings.items()}
    assert where['ordering'] == ('unordered', 'defaults', '')
    assert where['duplicates'] == ('reject', 'preset', 'base')
    assert where['capacity.initial'] == (4, 'preset', 'base')
    assert where['capacity.max'] == (30, 'preset', 'bag')
    assert where['capacity.growth'] == (2, 'spec', '')
    assert container.preset is None and container.preset_chain == ('bag', 'base')
    assert container.span_of('capacity.max').line == 5


def test_a_preset_on_a_builtin_one(folder):
    container = good(SHIP, 'preset: pool', head='presets:\n  pool: {preset: item_pool, capacity: {max: 7}}\n')
    assert container.preset == 'item_pool' and container.preset_chain == ('pool', 'item_pool')
    assert container['handles.kind'] == 'generational' and container['capacity.max'] == 7
    assert container.span_of('handles.kind').line == 7  # the `preset:` line of the container


@pytest.mark.parametrize('name', sorted(PRESETS))
def test_every_preset_resolves_to_itself(folder, name):
    needs = {'removal.expired': 'removal: {expired: element->gone}', 'index.field': 'index: {field: slot}',
             'capacity.max': 'capacity: {max: 64}', 'identity.key': 'identity: {key: element->id}', 'sort.key': 'sort: element->hp',
             'layers.names': 'layers: [low, high]'}
    element = POINTER if name == 'locking_list' else 'element: size_t' if PRESETS[name].settings.get('element.by') == 'bit' else SHIP
    if 'element.link.next' in PRESETS[name].needs:
        element = element[:-1] + ', link: {next: next, prev: prev, owner: owner}}'
    if 'element.link.turn' in PRESETS[name].needs:
        (folder / 'ship.h').write_text('struct ship { int id, hp; struct ship *next, *prev, *left, *right, *parent; void *owner; uint64_t turn; };\n')
        element = element[:-2] + ', left: left, right: right, parent: parent, turn: turn}}'
    container = good(element, 'preset: ' + name, *[needs[path] for path in PRESETS[name].needs if path in needs])
    for path, value in PRESETS[name].settings.items():
        assert container[path] == value
        assert container.settings[path].origin == 'preset' and container.settings[path].source == name


@pytest.mark.parametrize('lines', [
    ['preset: entity_list', 'removal: shift'], ['preset: entity_list', 'removal: compact'],
    ['preset: entity_list', 'removal: {policy: tombstone, expired: element->gone}'],
    ['preset: entity_list', 'removal: auto', 'ordering: unordered'],
    ['preset: entity_list', 'removal: {expired: element->gone}', 'capacity: {inline: true, max: 9}'],
    ['preset: item_pool', 'addresses: moving'], ['preset: item_pool', 'handles: none', 'capacity: {max: 3}'],
    ['preset: item_pool', 'capacity: {max: 3, inline: true}'],
    ['preset: deletable_object_list', 'removal: compact'],
    ['preset: read_write_collection', 'removal: swap', 'ordering: unordered'],
    ['preset: read_write_collection', 'iteration: {cursors: one}'],
])
def test_presets_bend(folder, lines):
    """Another policy takes what belonged to the old one with it."""
    container = good(SHIP, *lines)
    for path in container.settings:
        for other, allowed in BY_PATH[path].only.items():
            assert container[other] in allowed


@pytest.mark.parametrize('lines, code', [
    (['preset: entity_list', 'removal: swap'], 'BSP0202'),
    (['preset: item_pool', 'capacity: {max: 4}', 'ordering: insertion'], 'BSP0202'),
    (['preset: constant_time_array', 'element.by: value'], 'BSP0101'),
    (['preset: locking_list', 'removal: compact'], 'BSP0202'),
])
def test_presets_break_with_a_reason(folder, lines, code):
    assert code in codes(SHIP, *lines)


# -- Files -----------------------------------------------------------------------------------------------------------

def test_includes(folder):
    (folder / 'more').mkdir()
    (folder / 'base.yaml').write_text('bespoke: 1\ndefaults: {ordering: unordered, addresses: moving}\n')
    (folder / 'more' / 'a.yaml').write_text('bespoke: 1\ninclude: ../base.yaml\npresets: {bag: {removal: swap}}\n')
    (folder / 'more' / 'b.yaml').write_text('bespoke: 1\ninclude: [../base.yaml]\ndefaults: {duplicates: allow}\n')
    spec, diagnostics = load('bespoke: 1\ninclude: [more/a.yaml, more/b.yaml]\ncontainers:\n'
                             '  fleet: {preset: bag, element: int}\n')
    assert not list(diagnostics)
    assert spec.inputs == ['fleet.yaml', 'more/a.yaml', 'more/../base.yaml', 'more/b.yaml']
    container = spec.containers[0]
    assert container['ordering'] == 'unordered'
    assert container.span_of('ordering').source.name == 'more/../base.yaml'
    assert container.span_of('removal.policy').source.name == 'more/a.yaml'


def test_the_own_file_wins_over_what_it_includes(folder):
    (folder / 'base.yaml').write_text('bespoke: 1\ndefaults: {ordering: unordered, duplicates: reject}\n')
    spec, _ = load('bespoke: 1\ninclude: base.yaml\ndefaults: {duplicates: allow}\n'
                   'containers: {fleet: {element: int}}\n')
    assert spec.containers[0]['duplicates'] == 'allow' and spec.containers[0]['ordering'] == 'unordered'


def test_headers_are_looked_for(folder):
    (folder / 'include' / 'engine').mkdir(parents=True)
    (folder / 'include' / 'engine' / 'entity.h').write_text('typedef int entity;')
    text = 'bespoke: 1\ncontainers: {fleet: {element: {type: entity, header: %s}}}\n'
    spec, diagnostics = load(text % 'engine/entity.h', include_dirs=['include'])
    assert spec.headers == []  # found, and no input
    spec, _ = load(text % '<engine/entity.h>')
    assert spec.headers == []
    spec, diagnostics = load(text % 'engine/entty.h', include_dirs=['include'])
    assert spec is None and "did you mean 'engine/entity.h'?" in render(list(diagnostics)[0])


@pytest.mark.parametrize('lines, names', [
    ('{size_type: u32, assert: CHECK, export: API}', ['API', 'CHECK', 'u32']),
    ('{size_type: u32, assert: CHECK, export: API, header: engine.h}', ['CHECK']),
    ('{size_type: u32, assert: CHECK, export: API, header: other.h}', []),  # it includes what is nowhere here
    ('{assert: assert, header: <assert.h>}', []), ('{size_type: uint32_t}', []), ('{size_type: unsigned long}', []),
    ('{size_type: ship_count}', [])])
def test_names_of_the_engine_are_looked_for(folder, lines, names):
    (folder / 'ship.h').write_text('#include <stdint.h>\n#include "deep/types.h"\nstruct ship { int id; };\n')
    (folder / 'deep').mkdir()
    (folder / 'deep' / 'types.h').write_text('#include "more.h"\n')
    (folder / 'deep' / 'more.h').write_text('#include "types.h"\ntypedef unsigned ship_count;\n')
    (folder / 'engine.h').write_text('#define API extern\n# include "u.h"\n')
    (folder / 'u.h').write_text('typedef unsigned u32;\n')
    (folder / 'other.h').write_text('#include <elsewhere/base.h>\n')
    spec, diagnostics = load('bespoke: 1\ncontainers:\n  fleet: {%s, emit: %s}\n' % (SHIP, lines))
    assert spec is not None
    assert sorted(item.message.split("'")[1] for item in diagnostics if item.code == 'BSP0232') == names


def test_containers_keep_their_order(folder):
    spec, _ = load('bespoke: 1\ncontainers:\n  zoo: {element: int}\n  bar: {element: int}\n  yak: {element: long}\n')
    assert [container.name for container in spec.containers] == ['zoo', 'bar', 'yak'] and spec.stem == 'fleet'


def test_functions_may_be_shared_where_their_signatures_agree(folder):
    spec, diagnostics = load(
        'bespoke: 1\ncontainers:\n'
        '  a1: {element: {type: struct ship, header: ship.h}, removal: {policy: tombstone, expired: is_gone},'
        ' allocator: {alloc: f, realloc: g, free: h}}\n'
        '  a2: {element: {type: struct ship, header: ship.h, by: pointer}, removal: {policy: prune, expired: is_gone},'
        ' allocator: {alloc: f, realloc: g, free: h}, hooks: {add: told, remove: told}}\n')
    assert not list(diagnostics) and len(spec.containers) == 2


# -- Rules -----------------------------------------------------------------------------------------------------------

LINES = {'ordering': ['ordering: insertion', 'ordering: unordered'],
         'index.kind': ['', 'index: {kind: hash}', 'index: {field: slot}'],
         'handles.kind': ['', 'handles: generational'],
         'removal.when': [[], ['when: deferred'], ['when: locked']],
         'addresses': ['', 'addresses: stable']}


@pytest.mark.parametrize('by', ['value', 'pointer'])
def test_auto_finds_a_policy_wherever_there_is_one(folder, by):
    """Removal that is left to Bespoke fails only where each policy would."""
    for values in itertools.product(*LINES.values()):
        for expired, inline in itertools.product(([], ['expired: element->gone']), (False, True)):
            ordering, index, handles, when, addresses = values
            lines = ['element: {type: struct ship, header: ship.h, by: %s}' % by, ordering, index, handles, addresses,
                     'capacity: {max: 8%s}' % (', inline: true' if inline else '')]
            if index:
                lines.append('duplicates: reject')
            if index == LINES['index.kind'][2] and by == 'value':
                continue
            if by == 'value' and index:
                lines.append('identity: {key: element->id}')

            def works(policy):
                removal = ', '.join(['policy: ' + policy] + when + expired)
                spec, diagnostics = load('bespoke: 1\ncontainers: {fleet: {%s}}\n' % ', '.join(
                    [line for line in lines if line] + ['removal: {%s}' % removal]))
                return spec is not None
            assert works('auto') == any(works(policy) for policy in POLICIES), (lines, when, expired)


def test_each_policy_works_somewhere(folder):
    for policy, capability in POLICIES.items():
        container = good(SHIP, 'ordering: unordered', 'removal: {policy: %s%s}' % (
            policy, ', expired: element->gone' if capability.expired == 'must' else ''))
        assert keeps(policy, container)
    assert set(POLICIES) == set(BY_PATH['removal.policy'].values) - {'auto'}
    assert set(AXES) <= set(BY_PATH)


@pytest.mark.parametrize('most, bits, accepted', [
    (192, 8, True), (193, 8, False), (65472, 16, True), (65473, 16, False)])
def test_handles_number_all_slots(folder, most, bits, accepted):
    lines = [SHIP, 'ordering: unordered', 'handles: {kind: generational, index_bits: %d}' % bits,
             'capacity: {max: %d}' % most]
    if accepted:
        assert good(*lines)['capacity.max'] == slots_of(bits) == most
    else:
        assert codes(*lines) == ['BSP0219']


def test_edges_of_numbers(folder):
    assert good(SHIP, 'capacity: {max: 2147483647}')['capacity.max'] == 2147483647
    assert codes(SHIP, 'capacity: {max: 2147483648}') == ['BSP0103']
    assert good(SHIP, 'capacity: {inline: true, max: %d}' % MOST_INLINE)
    assert codes(SHIP, 'capacity: {inline: true, max: %d}' % (MOST_INLINE + 1)) == ['BSP0226']
    assert good(SHIP, 'iteration: {passes: 32}')['iteration.passes'] == 32
    assert good(SHIP, 'capacity: {max: 0x40}')['capacity.max'] == 64
    assert good(SHIP, 'capacity: {growth: 4}')['capacity.growth'] == 4.0
    assert good(SHIP, 'capacity: {growth: 1.1}')['capacity.growth'] == 1.1
    assert codes(SHIP, 'capacity: {growth: 4.1}') == ['BSP0103']
    assert good(SHIP, 'capacity: {max: 8, initial: 8}') and codes(SHIP, 'capacity: {max: 8, initial: 9}') == ['BSP0216']
    assert codes(SHIP, 'capacity: {max: \u0663}') == ['BSP0103']  # a digit, but not one of C


@pytest.mark.parametrize('element, lines', [
    ('{type: struct ship *, header: ship.h}', ['identity: value', 'duplicates: reject']),
    ('int', ['identity: value', 'duplicates: reject', 'index: hash']),
    ('bool', ['identity: value', 'duplicates: reject']),
    ('const char *', ['identity: value', 'duplicates: reject']),
    ('void *', []), ('float', []),
    ('{type: struct ship, by: pointer}', []),
    ('{type: struct ship, by: pointer}', ['identity: {key: key_of}', 'duplicates: reject', 'index: hash']),
    ('{type: union u, by: pointer}', ['removal: {policy: tombstone, expired: is_gone}']),
    ('{type: ship, header: <ship.h>}', []),
    ('int', ['removal: {policy: prune, expired: "*element < 0"}',
             'hooks: {update: on_update, context: struct world *}']),
])
def test_elements_that_are_fine(folder, element, lines):
    good('element: ' + element, *lines)


# -- One mistake, one message ------------------------------------------------------------------------------------------

@pytest.mark.parametrize('lines, expected', [
    (['removal: swop', 'ordering: insertion'], ['BSP0103']),
    (['removal: prnue', 'hooks: {update: on_update}'], ['BSP0103']),
    (['duplicates: reject', 'identity: {key: element->}'], ['BSP0302']),
    (['duplicates: reject', 'identity: {kye: element->id}'], ['BSP0101']),
    (['removal: {policy: prune, expird: element->gone}'], ['BSP0101']),
    (['preset: entity_list', 'removal: {expird: element->gone}'], ['BSP0101']),
    (['preset: entity_lst'], ['BSP0113']),
    (['preset: item_pool', 'capacity: {max: many}'], ['BSP0103']),
    (['capacity: {inline: true, max: 0}'], ['BSP0103']),
    (['removal: {when: defered}', 'iteration: {adds: deferred}'], ['BSP0103']),
    (['iteration: {adds: defered}', 'removal: {when: deferred}'], ['BSP0103']),
    (['allocator: {alloc: a-1, realloc: a2, free: a3}'], ['BSP0301']),
    (['handles: generationl', 'addresses: stable', 'capacity: {max: 4}', 'removal: {when: deferred}'],
     ['BSP0103', 'BSP0227']),
    (['ordering: unorderd', 'handles: generational'], ['BSP0103']),
    (['ordering: unorderd', 'removal: [swap]', 'capacity: {initial: 9, max: 4}'], ['BSP0103', 'BSP0104', 'BSP0216']),
])
def test_no_follow_up_noise(folder, lines, expected):
    assert codes(SHIP, *lines) == expected


def test_all_containers_are_checked(folder):
    spec, diagnostics = load('bespoke: 1\ncontainers:\n  a1: {element: int, removal: swap}\n  b1: {}\n  c1: 3\n'
                             '  d1: {element: int, preset: 4}\n  e1: {element: ship}\n')
    assert [(item.code, item.span.line) for item in diagnostics.sorted()] == [
        ('BSP0202', 3), ('BSP0102', 4), ('BSP0104', 5), ('BSP0113', 6), ('BSP0308', 7)]


def test_codes_are_sorted_into_their_groups():
    assert list(CODES) == sorted(CODES)


def test_other_words_mean_values():
    for path, words in OTHER_WORDS.items():
        assert set(words.values()) <= set(BY_PATH[path].values) and not set(words) & set(BY_PATH[path].values), path


def test_members_of_members_are_not_missed(folder):
    """BSP0332 is about the first member of a path: where the others are declared is not known."""
    (folder / 'node.h').write_text('struct node { struct hook { struct node *next, *prev; void *owner; } links; };\n')
    (folder / 'nodes.yaml').write_text('bespoke: 1\ncontainers:\n  nodes: {element: {type: struct node, header: node.h, by: intrusive, '
                                       'link: {next: links.next, prev: links.prev, owner: lnks.owner}}}\n')
    diagnostics = Diagnostics()
    assert load_spec('nodes.yaml', diagnostics) is not None
    assert [item.code for item in diagnostics.sorted()] == ['BSP0332'] and "'lnks'" in render(diagnostics.sorted()[0])
