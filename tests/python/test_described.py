"""`bespoke explain --json` says what libclang reads in the emitted headers: functions, constants, structs; of all presets, and of
specs that presets leave out."""

import glob
import json
import os
import re

import pytest
from conftest import ROOT

from generator.emitted.described import described
from generator.emitted.render import Renderer
from generator.language.presets import PRESETS
from generator.tool import specs
from generator.types import libclang

if not libclang.available()[0]:
    pytest.skip('needs libclang: script/setup test', allow_module_level=True)

STRUCT, ENUM, FUNCTION, ENUM_CONSTANT, FIELD = 2, 5, 8, 7, 6
PRESET_SPECS = sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml')))
OTHERS = sorted(glob.glob(os.path.join(ROOT, 'tests', 'specs', '*.yaml')))
FOLDERS = [os.path.join(ROOT, name) for name in ('specs', os.path.join('tests', 'specs'))]


def loaded(path):
    found, problems = specs.resolve([path], FOLDERS)
    return found[0] if found and not problems.errors else None


def read(folder, spec, header):
    """What libclang reads in a header: functions, constants, structs."""
    path = os.path.join(folder, header)
    libclang.LIBRARY.load()
    cindex = libclang.LIBRARY.cindex
    unit = libclang.LIBRARY.index.parse(path, ['-std=c11', '-xc-header', '--target=x86_64-linux-gnu']
                                        + ['-I' + each for each in (*FOLDERS, folder)])
    errors = [str(each) for each in unit.diagnostics if each.severity >= cindex.Diagnostic.Error]
    assert not errors, errors
    functions, constants, structs = {}, {}, {}
    for cursor in unit.cursor.get_children():
        if cursor.location.file is None or os.path.dirname(cursor.location.file.name) != folder:
            continue
        kind = cursor._kind_id
        if kind == FUNCTION:
            functions.setdefault(cursor.spelling, (cursor.result_type.spelling,  # the first one is what callers see
                                                   [(each.spelling, each.type.spelling) for each in cursor.get_arguments()]))
        elif kind == ENUM:
            constants.update({each.spelling: each.enum_value for each in cursor.get_children() if each._kind_id == ENUM_CONSTANT})
        elif kind == STRUCT and cursor.is_definition():
            members = [(each.spelling, each.type.spelling, each.get_field_offsetof() // 8, each.is_bitfield()
                        and (each.get_field_offsetof() % 8, each.get_bitfield_width())) for each in cursor.get_children()
                       if each._kind_id == FIELD]
            structs[cursor.spelling] = cursor.type.get_size(), cursor.type.get_align(), members
    return functions, constants, structs


def flat(type_):
    """A type without what two spellings of it may differ in."""
    return re.sub(r'unsigned int\b', 'unsigned', type_).replace(' ', '').replace('struct', '').replace('_Bool', 'bool')


def nameless(type_):
    """A type as the data has it: without the names of a function's parameters."""
    return flat(re.sub(r'(?<=[ *])\w+(?=[,)])', '', type_) if '(*)' in type_ else type_)


def compare(path, folder):
    """The data of a spec against what libclang reads; the number of structs whose size is known, and of all."""
    spec = loaded(path)
    assert spec is not None
    for name, text in Renderer().files(spec, '').items():
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)
    data = json.loads(json.dumps(described(spec, spec.containers)))
    functions, constants, structs = read(folder, spec, data['header'])
    said = [*data['functions'], *(function for each in data['containers'] for function in each['functions'])]
    own = {each['name'] for container in data['containers'] for each in container['calls']}
    assert len({each['name'] for each in said}) == len(said)
    assert {each['name'] for each in said} == {name for name in functions if not name.endswith('_') and name not in own
                                               and not name.startswith('bespoke_')}
    for each in [*said, *(call for container in data['containers'] for call in container['calls'])]:
        if each['name'] in functions:  # an allocator's are the user's to declare
            result, parameters = functions[each['name']]
            assert flat(each['returns']) == flat(result), each['name']
            assert [(one['name'], nameless(one['type'])) for one in each['parameters']] \
                == [(name, flat(type_)) for name, type_ in parameters], each['name']
    for container in data['containers']:
        statuses = {one['name']: one['value'] for one in container['statuses']}
        layers = {one['constant']: one['value'] for one in container['layers'] or ()}
        assert {**statuses, **layers}.items() <= constants.items()
        for one in container['functions']:
            assert set(one['statuses']) <= set(statuses) and bool(one['statuses']) == one['returns'].endswith(('_status', 'Status'))
    assert [each['name'] for each in data['structs']] == list(structs)
    sizes = {each['name']: each['size'] for each in data['structs']}
    for struct in data['structs']:
        size, alignment, members = structs[struct['name']]
        if struct['members'] is None:
            assert struct['size'] is None
            continue
        assert [each['name'] for each in struct['members']] == [name for name, *_ in members], struct['name']
        for each, (_, _, offset, bits) in zip(struct['members'], members):
            assert each['offset'] is None or (each['offset'], each['bits'] and (each['bit'], each['bits'])) == (offset, bits or None), each
        if struct['size'] is not None:
            assert (struct['size'], struct['alignment']) == (size, alignment), struct['name']
        else:
            assert any(unknown(each['type'], sizes) for each in struct['members']), struct['name']
    return data


def unknown(type_, sizes):
    """Is it a type that the spec alone does not tell?"""
    base = type_.partition('[')[0].replace('struct ', '').replace('const ', '')
    return not base.endswith('*') and not re.fullmatch(r'u?int\d+_t|bool|size_t|double|float|char|(unsigned )?int|\w+_kind|\w+Kind', base) \
        and sizes.get(base) is None


@pytest.mark.parametrize('path', PRESET_SPECS + OTHERS, ids=os.path.basename)
def test_it_agrees_with_libclang(path, tmp_path):
    compare(path, str(tmp_path))


def test_what_a_program_in_c_does_not_have_is_left_out(tmp_path):
    """The base of containers in C++, and what a build with BESPOKE_TRACE records with."""
    path = tmp_path / 'traced.yaml'
    path.write_text('bespoke: 1\ncontainers:\n  crew: {element: {type: int}, emit: {trace: true, cplusplus: true}}\n')
    data = compare(str(path), str(tmp_path))
    assert {'crew', 'crew_cursor'} <= {each['name'] for each in data['structs']}
    assert not any(each['name'].startswith(('bespoke_trace', 'bespoke_uncopied')) for each in data['structs'])


def test_presets_are_all_there():
    assert {container.preset for path in PRESET_SPECS for container in loaded(path).containers} >= set(PRESETS)


def test_types_that_are_known_have_sizes(tool):
    """The element lies in the container, and the spec says what is in it; a width that the header alone knows gives none."""
    tool.write('specs/crew.yaml', '''bespoke: 1
containers:
  crew:
    element: {type: int64_t}
    capacity: {max: 5, inline: true}
    emit: {operations: [add, find, each]}
    identity: value
  team:
    element: {type: struct ship, header: ship.h}
    capacity: {max: 5, inline: true}
  herd:
    element: {type: int64_t}
    handles: {kind: generational, index_bits: 24, generation_bits: 16}
''')
    data = json.loads(tool('explain', 'specs/crew.yaml', '--json').out)
    sizes = {each['name']: each['size'] for each in data['structs']}
    handle = next(each for each in data['structs'] if each['name'] == 'herd_handle')
    assert (handle['size'], handle['alignment']) == (8, 4)
    assert [(each['name'], each['type'], each['offset'], each['bit'], each['bits']) for each in handle['members']] \
        == [('index', 'uint32_t', 0, 0, 24), ('generation', 'uint32_t', 4, 0, 16)]
    assert sizes['crew'] == structs_size(data, 'crew') and sizes['crew'] % 8 == 0 and sizes['team'] is None
    only = json.loads(tool('explain', 'specs/crew.yaml', 'crew', '--json').out)
    assert [each['name'] for each in only['containers']] == ['crew']
    assert [each['operation'] for each in only['containers'][0]['functions']] \
        == [each['operation'] for each in data['containers'][0]['functions']]
    assert 'reserve' not in {each['operation'] for each in only['containers'][0]['functions']}
    setting = only['containers'][0]['settings']['capacity.max']
    assert (setting['value'], setting['origin'], setting['line']) == (5, 'spec', 5)


def structs_size(data, name):
    """The end of the last member, rounded up."""
    struct = next(each for each in data['structs'] if each['name'] == name)
    last = struct['members'][-1]
    width = {'uint32_t': 4, 'uint64_t': 8, 'size_t': 8}[last['type']]
    return -(-(last['offset'] + width) // struct['alignment']) * struct['alignment']


def test_codes_as_data(tool):
    data = json.loads(tool('explain', 'bsp0202', '--json').out)
    assert data['code'] == 'BSP0202' and set(data) == {'code', 'title', 'explanation', 'remedy'}
