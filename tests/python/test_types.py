"""Types from headers: locks, what reads headers, and what becomes of both."""

import os

import pytest
from tool import FLEET

from generator.output import writer
from generator.text.diag import Diagnostics
from generator.text.printing import render
from generator.types import typelock
from generator.types.type_differences import differences
from generator.types.type_info import TypeField, TypeInfo

SHIP = TypeInfo('struct ship', 'ship.h', 'struct',
                (TypeField('id', 'uint32_t'), TypeField('slot', 'uint32_t'), TypeField('hp', 'int')))


def read(path):
    said = Diagnostics()
    info = typelock.read(str(path), said)
    assert (info is None) == bool(said)
    return info, ''.join(render(item) for item in said)


def test_members_of_members():
    assert MANY.member('odd').name == 'odd' and MANY.member('odd.y').type == 'int' and MANY.member('b').name == 'b'
    assert MANY.member('odd.z') is None and MANY.member('at.x') is None and MANY.member('y') is None
    assert MANY.member('mat.known_to_c') is not None  # its type has a name, so nobody knows here what is in it


# -- the lock ----------------------------------------------------------------------------------------------------

MANY = TypeInfo('struct ship', '<ship.h>', 'struct', (
    TypeField('id', 'uint32_t'), TypeField('name', 'char[32]'), TypeField('flags', 'unsigned int', bits=3), TypeField('', 'int', bits=0),
    TypeField('call', 'void (*)(int, float *)'), TypeField('table', 'int (*[4])(void)'),
    TypeField('at', 'struct[4]', fields=(TypeField('x', 'float'), TypeField('deep', 'struct', fields=(TypeField('er', 'int'),)))),
    TypeField('', 'union', fields=(TypeField('a', 'int'), TypeField('', 'struct', fields=(TypeField('b', '_Atomic(int (*)(void))'),)))),
    TypeField('kind', 'enum', of='unsigned int'), TypeField('null', 'char *const', const=True), TypeField('mat', 'mat4', array=True),
    TypeField('v', 'float', aligned=16), TypeField('way', 'int *restrict'), TypeField('odd', 'struct', packed=2,
                                                                          fields=(TypeField('x', 'char'), TypeField('y', 'int'))),
    TypeField('grid', 'float (*)[3]'), TypeField('give', 'void (*(*)(int))(float)'), TypeField('data', 'char[]')), packed=True, aligned=16)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / 'lock.yaml'
    path.write_text(typelock.text(MANY))
    assert read(path) == (MANY, '')
    assert '- {name: id, type: uint32_t}\n' in typelock.text(MANY)


@pytest.mark.parametrize('name, declared, why_not', [
    ('id', 'uint32_t id', ''),
    ('name', 'char name[32]', 'it is an array, which C does not assign'),
    ('flags', 'unsigned int flags : 3', 'it is a bit-field, which has no address'),
    ('call', 'void (*call)(int, float *)', ''),
    ('table', 'int (*table[4])(void)', 'it is an array, which C does not assign'),
    ('at', 'struct { float x; struct { int er; } deep; } at[4]', 'its type has no name'),
    ('a', 'int a', 'it shares its memory with the other members of a union'),
    ('b', '_Atomic(int (*)(void)) b', 'it shares its memory with the other members of a union'),
    ('kind', 'unsigned int kind', 'its type has no name'),
    ('null', 'char *const null', 'it is const, so nothing can be assigned to it'),
    ('mat', 'mat4 mat', 'it is an array, which C does not assign'),
    ('way', 'int *restrict way', ''),
    ('grid', 'float (*grid)[3]', ''),
    ('give', 'void (*(*give)(int))(float)', ''),
    ('data', 'char data[]', 'it is an array without a length'),
])
def test_members(tmp_path, name, declared, why_not):
    path = tmp_path / 'lock.yaml'
    path.write_text(typelock.text(MANY))
    member = read(path)[0].member(name)
    assert member.declare() == declared
    assert member.why_not == why_not and member.plain == (not why_not)


def test_a_copy_is_not_restricted():
    assert TypeField('way', 'int *restrict').value_type == 'int *'
    assert TypeField('way', 'float').value_type == 'float'


def test_the_layout_of_a_lock_does_not_count(tmp_path):
    path = tmp_path / 'lock.yaml'
    text = typelock.text(SHIP).replace('{name: id, type: uint32_t}', '\n      name:   "id" # who\n      type: uint32_t')
    path.write_text(text.replace('\n', '\r\n'))
    assert read(path) == (SHIP, '')


@pytest.mark.parametrize('old, new', [
    ('name: hp, type: int}', 'name: hp, type: long}'), ('name: hp', 'name: health'), ('kind: struct', 'kind: union'),
    ('  - {name: slot, type: uint32_t}\n', ''), ('type: int}', 'type: int, bits: 3}'), ('header: ship.h', 'header: ships.h'),
    ('fields:', 'packed: true\nfields:'), ('fingerprint: "', 'fingerprint: "0')])
def test_a_lock_edited_by_hand(tmp_path, old, new):
    path = tmp_path / 'lock.yaml'
    text = typelock.text(SHIP)
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    info, said = read(path)
    assert info is None and '[BSP0322]' in said


WHOLE = typelock.text(SHIP)


@pytest.mark.parametrize('text, said', [
    ('', '1:1: error: the type lock is damaged: the file is empty [BSP0320]'),
    (WHOLE[:100], '1:1: error: the type lock is damaged: the file is empty [BSP0320]'),
    (WHOLE[:WHOLE.index('header')], "2:1: error: the type lock is damaged: 'header' is missing [BSP0320]"),
    ('\0', "is damaged: "),
    ('struct ship', '1:1: error: the type lock is damaged: it is no mapping of keys [BSP0320]'),
    (WHOLE.replace('fields:', 'fields: ['), 'the type lock is damaged: a value is missing here [BSP0320]'),
    ('a: 1\n<<<<<<< HEAD\n' + WHOLE + '=======\n' + WHOLE + '>>>>>>> other\n',
     '2:1: error: the type lock is damaged: it holds the marks of a merge [BSP0320]')])
def test_a_damaged_lock(tool, text, said):
    """It is nothing that anybody mends by hand: there is one error, and the command that makes another one."""
    tool.write('specs/types/struct_ship.yaml', text)
    result = tool('generate', '--no-format', 'specs/fleet.yaml', code=2)
    assert said in result.err and 'specs/types/struct_ship.yaml' in result.err and 'bespoke new' not in result.err
    assert result.err.count(': error: ') == 1 and 'help: `bespoke type import specs/fleet.yaml` makes it anew' in result.err


def test_a_folder_where_a_lock_belongs(tool):
    tool.write('specs/types/struct_ship.yaml/x', '')
    result = tool('generate', '--no-format', 'specs/fleet.yaml', code=2)
    assert '[BSP0001]' in result.err and 'make room for the type lock: `bespoke type import specs/fleet.yaml`' in result.err


def test_paths():
    path = os.path.join('specs', 'types', 'struct_ship.yaml')
    assert typelock.lock_path('specs', 'struct ship') == path
    assert typelock.lock_path('specs', 'cpVect') == os.path.join('specs', 'types', 'cpVect.yaml')


@pytest.mark.parametrize('fields, said', [
    (SHIP.fields, []),
    (SHIP.fields + (TypeField('x', 'float'),), ["'x' is new: `float x`"]),
    (SHIP.fields[:2], ["'hp' is gone: `int hp`"]),
    (SHIP.fields[:2] + (TypeField('hp', 'char[4]'),), ["'hp' is `char[4]` now, and was `int`"]),
    (SHIP.fields[:2] + (TypeField('hp', 'int', bits=3),), ["'hp' is `int : 3` now, and was `int`"]),
    (SHIP.fields[:2] + (TypeField('hp', 'int', const=True),), ["'hp' is still `int`, which is another type now"]),
    (SHIP.fields[:2] + (TypeField('hp', 'int', aligned=16),), ["'hp' is aligned to 16 now"]),
    ((SHIP.fields[1], SHIP.fields[0], SHIP.fields[2]), ["'slot' stands where 'id' was"]),
    ((TypeField('', 'struct', fields=SHIP.fields),),
     ["'(unnamed 1)' is new: `struct { uint32_t id; uint32_t slot; int hp; }`", "'id' is gone: `uint32_t id`",
      "'slot' is gone: `uint32_t slot`", "'hp' is gone: `int hp`"]),
])
def test_differences(fields, said):
    assert differences(SHIP, TypeInfo('struct ship', 'ship.h', 'struct', fields)) == said


def test_differences_deep_inside():
    def ship(*inner, **manner):
        return TypeInfo('struct ship', 'ship.h', 'struct', (TypeField('at', 'struct', fields=inner, **manner),), **manner)
    assert differences(ship(TypeField('x', 'int')), ship(TypeField('x', 'long'))) == ["'at.x' is `long` now, and was `int`"]
    assert differences(ship(packed=True), ship(packed=2, aligned=8)) == [
        'it is packed to 2 now, and was packed', 'it is aligned to 8 now', "'at' is packed to 2 now, and was packed",
        "'at' is aligned to 8 now"]
    assert differences(ship(packed=True), ship()) == ['it is no longer packed', "'at' is no longer packed"]


# -- specs with locks --------------------------------------------------------------------------------------------


def test_a_spec_knows_its_types(tool):
    from generator.containers.load import load_spec
    tool.write('specs/types/struct_ship.yaml', typelock.text(SHIP))
    said = Diagnostics()
    spec = load_spec('specs/fleet.yaml', said)
    assert not said
    assert spec.containers[0].type_info == SHIP
    assert spec.types == SHIP.fingerprint
    tool.write('specs/types/struct_ship.yaml', typelock.text(SHIP).replace('hp', 'hull'))
    assert load_spec('specs/fleet.yaml', said) is None
    assert [item.code for item in said] == ['BSP0322']


def test_another_lock_makes_files_stale(tool):
    tool('generate')
    assert 'types=' not in tool.read('generated/fleet.h')
    tool.write('specs/types/struct_ship.yaml', typelock.text(SHIP))
    result = tool('check', code=1)
    assert 'generated/fleet.h' in result.err and 'generated/crew.h' not in result.err and '[BSP0408]' in result.err
    tool('generate')
    assert f'types={SHIP.fingerprint} ' in tool.read('generated/fleet.h')
    assert writer.read_banner(tool.read('generated/fleet.h')).intact
    tool('check')
    other = TypeInfo('struct ship', 'ship.h', 'struct', SHIP.fields + (TypeField('hidden', 'bool'),))
    tool.write('specs/types/struct_ship.yaml', typelock.text(other))
    assert '[BSP0408]' in tool('check', code=1).err


def test_two_locks_in_one_spec(tool):
    from generator.containers.load import load_spec
    tool.write('specs/ship.h', tool.read('specs/ship.h') + 'typedef struct cpVect { double x; } cpVect;\n')
    tool.write('specs/fleet.yaml', FLEET + '  wing:\n    element: {type: cpVect, header: ship.h}\n')
    tool.write('specs/types/struct_ship.yaml', typelock.text(SHIP))
    said = Diagnostics()
    one = load_spec('specs/fleet.yaml', said).types
    tool.write('specs/types/cpVect.yaml', typelock.text(TypeInfo('cpVect', 'ship.h', 'struct', (TypeField('x', 'double'),))))
    both = load_spec('specs/fleet.yaml', said).types
    assert not said and one == SHIP.fingerprint and len(both) == 16 and both != one


def test_explain_says_what_has_no_guard(tool):
    """Where a spec names members of a type without a lock; and where there is one."""
    assert '\nguards\n' not in tool('explain', 'specs/fleet.yaml').out  # no member is named
    for more, names in (('duplicates: reject\n    identity: {key: element->id}', 'id'), ('index: {field: slot}\n    duplicates: reject', 'slot'),
                        ('removal: {policy: tombstone, expired: "element->hp <= 0 || element->id == 0"}', 'hp, id')):
        tool.write('specs/fleet.yaml', 'bespoke: 1\ncontainers:\n  fleet:\n    element: {type: struct ship, header: ship.h, by: pointer}\n    %s\n' % more)
        out = ' '.join(tool('explain', 'specs/fleet.yaml').out.split())
        assert 'guards None. The spec names members of struct ship (%s), but the type has no lock' % names in out
        assert '`bespoke type import specs/fleet.yaml` writes a lock' in out
        assert tool('generate', '--no-format', 'specs/fleet.yaml').err == ''  # nobody is told each time
    tool.write('specs/types/struct_ship.yaml', typelock.text(SHIP))
    out = ' '.join(tool('explain', 'specs/fleet.yaml').out.split())
    assert 'guards The source asserts that struct ship is as in specs/types/struct_ship.yaml' in out and 'None. ' not in out
    tool.write('specs/ship.h', tool.read('specs/ship.h') + 'struct dot { int x; };\n')
    tool.write('specs/fleet.yaml', 'bespoke: 1\ncontainers:\n  fleet:\n    layout: soa\n    element: {type: struct dot, header: ship.h, fields: {x: int}}\n'
               '    identity: {key: element->x}\n')
    assert 'struct dot is as in element.fields' in ' '.join(tool('explain', 'specs/fleet.yaml').out.split())


def test_a_lock_is_in_the_depfile(tool):
    tool.write('specs/types/struct_ship.yaml', typelock.text(SHIP))
    tool('generate', '--depfile', 'out.d')
    assert tool.path('specs/types/struct_ship.yaml') in tool.read('out.d')
