"""Types read from headers through libclang, compared with what a compiler says of them."""

import os
import random
import shutil
import subprocess

import pytest
from tool import SHIP

from generator.text.diag import Diagnostics
from generator.text.printing import render
from generator.types import header_reader, libclang, typelock
from generator.types.compile_options import Options
from generator.types.header_reader import Importer
from generator.types.type_info import TypeField, TypeInfo

if not libclang.available()[0]:
    pytest.skip('needs libclang: script/setup test', allow_module_level=True)
CC = os.environ.get('CC') or shutil.which('gcc') or 'cc'


def imported(type_, header, **options):
    """A type, and what was said."""
    said = Diagnostics()
    info = Importer(Options(**options)).read(type_, header, '.', None, None, said)
    assert (info is None) == bool(said)
    return info, '\n'.join(render(item) for item in said)


def declared(member):
    """A member as C declares it, with alignment and packing."""
    attribute = f' __attribute__((aligned({member.aligned})))' if member.aligned else ''
    if not (member.fields and member.untagged):
        return f'{member.declare()}{attribute};\n'
    word, inner = member.type.split('[')[0].split(' ')[0], ' '.join(map(declared, member.fields))
    rest = TypeField(member.name, 'int' + member.type[len(word):]).declare()[len('int'):]
    packed = ' __attribute__((packed))' if member.packed is True else ''
    text = f'{word}{packed} {{ {inner}}}{rest}{attribute};\n'
    if member.packed and not packed:
        text = f'\n#pragma pack(push, {member.packed})\n{text}#pragma pack(pop)\n'
    return text


def mirror(info, header, name='mirror'):
    """C that does not compile unless what was read of a type is what the compiler knows of it."""
    aligned = f' __attribute__((aligned({info.aligned})))' if info.aligned else ''
    packed = ' __attribute__((packed))' if info.packed is True else ''
    include = header if header.startswith('<') else f'"{header}"'
    mine = f'{info.kind} {name}'
    lines = [f'#include {include}', '#include <stdbool.h>', '#include <stddef.h>']
    lines += [f'#pragma pack(push, {info.packed})'] if info.packed and not packed else []
    lines += [f'{info.kind}{packed} {name} {{', ' '.join(map(declared, info.fields)), f'}}{aligned};']
    lines += ['#pragma pack(pop)'] if info.packed and not packed else []
    lines += [f'_Static_assert(sizeof({mine}) == sizeof({info.type}), "size");',
              f'_Static_assert(_Alignof({mine}) == _Alignof({info.type}), "alignment");']
    for member in info.members:
        if member.bits is None:
            lines.append(f'_Static_assert(offsetof({mine}, {member.name}) == offsetof({info.type}, {member.name}), '
                         f'"offset of {member.name}");')
        if member.bits is None and not member.untagged:
            lines.append(f'_Static_assert(__builtin_types_compatible_p(__typeof__((({mine} *)0)->{member.name}), '
                         f'__typeof__((({info.type} *)0)->{member.name})), "type of {member.name}");')
    return '\n'.join(lines) + '\n'


def compiles(text, *options):
    done = subprocess.run([CC, '-std=gnu11', '-fsyntax-only', '-w', '-x', 'c', '-I.', *options, '-'], input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=60)
    return done.returncode == 0, done.stdout + text


GAME = '''#include <stdbool.h>
#include <stdint.h>
#define LENGTH 4
typedef float v4f __attribute__((vector_size(16)));
typedef float vec3[3];
typedef const int fixed;
enum colour { RED, GREEN = 7 };
typedef enum { LOW = -1, HIGH } level;
struct ship {
    uint32_t id;
    char name[LENGTH * 8];
    unsigned int flags : 3;
    int : 0;
    signed char small : 2;
    void (*call)(int, float *);
    int (*table[4])(void);
    void (*(*give)(int))(float);
    struct { float x, y; struct { int z; } deep; } at[2][3];
    union { int a; struct { bool b; long c; }; };
    enum { A, B } state;
    enum colour colour;
    struct inner { int q; } inner;
    vec3 direction, several[2];
    v4f four;
    int *restrict way;
    _Atomic(int) count;
    _Atomic long total;
    volatile int seen;
    const char *text;
    struct { int u; } *unnamed;
    float (*grid)[3];
    long double ld;
    struct ship *next;
    __typeof__(1u) same;
    struct __attribute__((packed)) { char c; int i; } tight;
    const volatile unsigned long long int cv;
};
typedef struct { int x, y; } pair;
typedef struct __attribute__((packed)) { char a; int b; short c; } packed;
struct takes_unnamed { void (*f)(struct { int x; } *); };
struct gives_unnamed { struct { int x; } (*f)(void); };
#pragma pack(push, 2)
struct two { char a; int b; double c; };
struct bits_in_two { char a; int b : 20; int c : 20; };
#pragma pack(pop)
struct member_aligned { int a; _Alignas(16) float b[4]; char c; };
struct over_aligned { int a; } __attribute__((aligned(64)));
struct packed_and_aligned { char a; int b; } __attribute__((packed, aligned(4)));
typedef struct { char c; char more[31]; } lined __attribute__((aligned(32)));
typedef struct { char c; } badly_lined __attribute__((aligned(32)));
union number { int i; float f; char bytes[16]; struct { short low, high; }; };
struct bits { unsigned a : 3, b : 30, : 5, c : 1; char d; short e : 9; int : 0; char f : 4; };
struct flexible { int count; char data[]; };
struct constant { const int id; int hp; };
struct holds_constant { struct constant in[2]; int x; };
struct empty_at_end { int x; fixed y; };
struct hidden;
typedef int number;
typedef uint32_t word;
typedef struct ship *ship_ref;
typedef void (*callback)(int);
typedef int function(int);
struct raw { __attribute__((vector_size(16))) float v; };
struct of_unnamed { struct { char c; } __attribute__((aligned(8))) odd; };
'''

RECORDS = ['struct ship', 'pair', 'packed', 'struct two', 'struct bits_in_two', 'struct member_aligned', 'struct over_aligned',
           'struct packed_and_aligned', 'lined', 'union number', 'struct bits', 'struct flexible', 'struct constant',
           'struct holds_constant', 'struct inner']


@pytest.mark.parametrize('type_', RECORDS)
def test_the_compiler_says_the_same(tool, type_):
    tool.write('game.h', GAME)
    info, said = imported(type_, 'game.h')
    assert info is not None, said
    assert info.kind == ('union' if 'union' in type_ else 'struct')
    good, told = compiles(mirror(info, 'game.h'))
    assert good, told
    # And it is read again as it was written.
    tool.write('lock.yaml', typelock.text(info))
    assert typelock.read('lock.yaml', Diagnostics()) == info


class Structs:
    """Structs and unions of all shapes, made up."""

    scalars = ('char', 'short', 'int', 'long', 'unsigned char', 'float', 'double', '_Bool', 'void *', 'long double', 'kind')
    bits = {'int': 32, 'unsigned': 32, 'short': 16, 'unsigned char': 8, 'long': 32, 'signed char': 8, '_Bool': 1, 'kind': 32}

    def __init__(self, seed):
        self.random, self.count = random.Random(seed), 0

    def member(self, depth):
        self.count += 1
        choice, name = self.random.random(), f'm{self.count}'
        if choice < .3:
            type_ = self.random.choice(sorted(self.bits))
            if self.random.random() < .12:
                return f'{type_} : {self.random.choice([0, self.bits[type_]])};'
            return f'{type_} {name} : {self.random.randint(1, self.bits[type_])};'
        if choice < .4 and depth < 2:
            word = self.random.choice(['struct', 'union', 'struct __attribute__((packed))'])
            return f'{word} {{ {self.members(depth + 1)} }} {self.random.choice([name, name + "[2]", ""])};'
        aligned = f' __attribute__((aligned({self.random.choice([4, 16, 32])})))' if choice > .95 and depth == 0 else ''
        return f'{self.random.choice(self.scalars)} {name}{self.random.choice(["", "", "[3]"])}{aligned};'

    def members(self, depth=0):
        return ' '.join(self.member(depth) for _ in range(self.random.randint(1, 6)))

    def header(self, names):
        text = 'typedef enum { E0, E1 } kind;\n'
        for name in names:
            pack = self.random.choice([0, 0, 0, 1, 2, 4, 8])
            how = self.random.choice(['', '', '', 'packed', 'aligned(16)', 'packed, aligned(4)'])
            text += f'#pragma pack(push, {pack})\n' if pack else ''
            text += f'{name} {{ {self.members()} }}' + (f' __attribute__(({how}));\n' if how else ';\n')
            text += '#pragma pack(pop)\n' if pack else ''
        return text


@pytest.mark.parametrize('seed', range(int(os.environ.get('BESPOKE_TEST_STRUCTS', 4))))
def test_layouts(tool, seed):
    names = [f'{"union" if i % 7 == 0 else "struct"} t{i}' for i in range(100)]
    tool.write('any.h', Structs(seed).header(names))
    importer, said, text = Importer(Options()), Diagnostics(), ''
    for i, name in enumerate(names):
        info = importer.read(name, 'any.h', '.', None, None, said)
        text += '' if info is None else mirror(info, 'any.h', f'm{i}')
    # What lies in a union may be aligned by more than can be seen.
    assert all(item.code == 'BSP0327' for item in said) and said.errors < 10, [render(item) for item in said]
    good, told = compiles(text.replace('#include "any.h"\n', '').join(['#include "any.h"\n', '']))
    assert good, told[:2000]


def test_a_mirror_of_something_else_does_not_compile(tool):
    tool.write('game.h', GAME)
    info, _ = imported('struct ship', 'game.h')
    tool.write('game.h', GAME.replace('uint32_t id;', 'int32_t id;'))
    assert 'type of id' in compiles(mirror(info, 'game.h'))[1]


def test_members_as_they_are_spelled(tool):
    tool.write('game.h', GAME)
    info, _ = imported('struct ship', 'game.h')
    spelled = {member.name: member.type for member in info.fields if member.name}
    assert spelled['id'] == 'uint32_t' and spelled['name'] == 'char[32]' and spelled['call'] == 'void (*)(int, float *)'
    assert spelled['at'] == 'struct[2][3]' and spelled['state'] == 'enum' and spelled['colour'] == 'enum colour'
    assert spelled['direction'] == 'vec3' and spelled['unnamed'] == 'struct *' and spelled['count'] == '_Atomic(int)'
    assert info.member('flags').bits == 3 and info.member('b').type == 'bool' and info.member('b').shared
    assert info.member('direction').is_array and info.member('direction').why_not == 'it is an array, which C does not assign'
    assert info.member('cv').const and not info.member('text').const and info.member('tight').packed is True
    assert [member.name for member in info.members if member.plain] == [
        'id', 'call', 'give', 'colour', 'four', 'way', 'seen', 'text', 'grid', 'ld', 'next', 'same']


@pytest.mark.parametrize('type_, kind, of, no_value', [
    ('number', 'scalar', 'int', ''), ('word', 'scalar', 'uint32_t', ''), ('uint32_t', 'scalar', '', ''),
    ('enum colour', 'enum', 'unsigned int', ''), ('level', 'enum', 'int', ''), ('ship_ref', 'pointer', 'struct ship *', ''),
    ('callback', 'pointer', 'void (*)(int)', ''), ('struct hidden', 'opaque', 'struct', 'so it cannot be copied'),
    ('vec3', 'array', 'float[3]', 'it is an array'), ('v4f', 'vector', '__attribute__((__vector_size__(4 * sizeof(float)))) float', ''),
    ('struct flexible', 'struct', '', "'data', is an array without a length"),
    ('struct constant', 'struct', '', "its member 'id' is const"), ('struct holds_constant', 'struct', '', "its member 'in' is const"),
    ('struct empty_at_end', 'struct', '', "its member 'y' is const")])
def test_kinds(tool, type_, kind, of, no_value):
    tool.write('game.h', GAME)
    info, said = imported(type_, 'game.h')
    assert info is not None, said
    assert (info.kind, info.of) == (kind, of)
    assert no_value in info.no_value and bool(no_value) == bool(info.no_value)
    tool.write('lock.yaml', typelock.text(info))
    assert typelock.read('lock.yaml', Diagnostics()) == info


@pytest.mark.parametrize('type_, said', [
    ('function', "'function' in 'game.h' is no type of values: it is `int (int)` [BSP0326]\ngame.h:"),
    ('badly_lined', 'is aligned to more than its size by a typedef'),
    ('struct raw', "its member 'v' has a type that cannot be spelled without `__attribute__`"),
    ('struct takes_unnamed', "its member 'f' is of functions that take or return a type without a name"),
    ('struct gives_unnamed', "its member 'f' is of functions that take or return a type without a name"),
    ('struct of_unnamed', 'has a struct or union without a name, which cannot be described'),
    ('struct shop', "there is no type 'struct shop' in 'game.h' [BSP0325]\nhelp: did you mean 'struct ship'?"),
    ('ship', "there is no type 'ship' in 'game.h' [BSP0325]\nhelp: did you mean 'struct ship'?"),
    ('struct pair', "there is no type 'struct pair' in 'game.h' [BSP0325]\nhelp: did you mean 'pair'?"),
    ('union ship', "help: did you mean 'struct ship'?"),
    ('zebra_crossing_q', 'help: it declares: badly_lined, callback, enum colour, fixed, '),
])
def test_refused(tool, type_, said):
    tool.write('game.h', GAME)
    info, told = imported(type_, 'game.h')
    assert info is None and said in told, told


# -- errors in headers -------------------------------------------------------------------------------------------


def test_a_missing_include_is_an_error(tool):
    """libclang goes on with a struct of one byte."""
    tool.write('ship.h', '#include "hull.h"\nstruct ship {\n    struct hull hull;\n};\n')
    info, said = imported('struct ship', 'ship.h')
    assert info is None
    assert said.startswith("ship.h:1:10: error: 'hull.h' file not found [BSP0324]\n    1 | #include \"hull.h\"\n      |          ^\n")
    assert 'help: name its folder with -I' in said


def test_errors_are_located(tool):
    tool.write('ship.h', 'struct ship {\n    unit32_t id;\n    int hp[;\n};\n')
    _, said = imported('struct ship', 'ship.h')
    assert "ship.h:2:5: error: unknown type name 'unit32_t'" in said and 'ship.h:3:12: error: expected expression [BSP0324]' in said
    assert '    2 |     unit32_t id;\n      |     ^^^^^^^^' in said


def test_many_errors(tool):
    tool.write('ship.h', 'struct ship { ' + ' '.join(f'missing{i} m{i};' for i in range(9)) + ' };\n')
    assert 'and 4 more errors' in imported('struct ship', 'ship.h')[1]


def test_the_header_itself_is_missing(tool):
    _, said = imported('struct ship', '<no/such.h>')
    assert "bespoke: error: the header cannot be read: 'no/such.h' file not found [BSP0324]" in said


def test_warnings_do_not_matter(tool):
    tool.write('ship.h', '#warning old\nstruct ship { int hp; };;\n')
    assert imported('struct ship', 'ship.h')[0] is not None


def test_the_compilers_own_headers_are_found_elsewhere(tool, monkeypatch):
    tool.write('ship.h', '#include <stddef.h>\nstruct ship { size_t id; };\n')
    monkeypatch.setattr(Importer, 'first_arguments', ('-nobuiltininc',))
    info, said = imported('struct ship', 'ship.h')
    assert info is not None, said
    monkeypatch.setattr(header_reader, '_RESOURCES', ())
    assert imported('struct ship', 'ship.h')[0] is not None  # those of another compiler
    monkeypatch.setattr(header_reader.shutil, 'which', lambda name: None)
    info, said = imported('struct ship', 'ship.h')
    assert info is None and 'help: that is a header of the compiler: apt-get install libclang-common-' in said


# -- as the project compiles it ----------------------------------------------------------------------------------

DOUBLE = '''#include "real.h"
struct ship { real x;
#ifdef EXTRA
    int extra;
#endif
#if __STDC_VERSION__ < 201112L
    int old;
#endif
};
'''


def test_definitions_and_folders(tool):
    tool.write('ship.h', DOUBLE)
    tool.write('inc/real.h', 'typedef double real;\n')
    names = lambda **options: [member.name for member in imported('struct ship', 'ship.h', include=['inc'], **options)[0].fields]
    assert names() == ['x']
    assert names(define=['EXTRA=1'], std='c99') == ['x', 'extra', 'old']


def test_compile_commands(tool):
    tool.write('ship.h', DOUBLE)
    tool.write('elsewhere/inc/real.h', 'typedef double real;\n')
    tool.write('near.c', '#include "else.h"\n')
    tool.write('elsewhere/main.c', '#include "../ship.h"\n')
    tool.write('build/compile_commands.json', '''[
      {"directory": "%s", "file": "near.c", "command": "cc -DNOTHING -c near.c"},
      {"directory": "%s/elsewhere", "file": "main.c",
       "arguments": ["cc", "-O2", "-Wall", "-I", "inc", "-DEXTRA", "-std=gnu99", "-o", "main.o", "-c", "main.c"]}]'''
               % (tool.folder, tool.folder))
    info, said = imported('struct ship', 'ship.h', commands='build/compile_commands.json')
    assert info is not None, said
    assert [member.name for member in info.fields] == ['x', 'extra', 'old']
    assert set(info.inputs) == {'bespoke-import.c', 'ship.h', str(tool.folder / 'elsewhere/inc/real.h')} - {'bespoke-import.c'}


@pytest.mark.parametrize('text', [None, '{', '{}', '[]'])
def test_broken_compile_commands(tool, text):
    tool.write('ship.h', SHIP)
    if text is not None:
        tool.write('commands.json', text)
    info, said = imported('struct ship', 'ship.h', commands='commands.json')
    assert info is None and '[BSP0411]' in said and 'commands.json' in said


def test_inputs_are_the_projects_headers(tool):
    tool.write('game.h', '#include <stdio.h>\n#include "a/b.h"\nstruct ship { b at; };\n')
    tool.write('a/b.h', '#include "../c.h"\ntypedef c b;\n')
    tool.write('c.h', 'typedef int c;\n')
    assert imported('struct ship', 'game.h')[0].inputs == ('game.h', os.path.join('a', 'b.h'), 'c.h')


# -- headers of others -------------------------------------------------------------------------------------------

OTHERS = [('<SDL2/SDL.h>', 'SDL_Event'), ('<SDL2/SDL.h>', 'SDL_Rect'), ('<SDL2/SDL.h>', 'SDL_Surface'),
          ('<SDL2/SDL.h>', 'SDL_Vertex'), ('<SDL2/SDL.h>', 'SDL_GameControllerButtonBind'), ('<SDL2/SDL.h>', 'SDL_RWops'),
          ('<chipmunk/chipmunk.h>', 'cpVect'), ('<chipmunk/chipmunk.h>', 'cpBB'),
          ('<chipmunk/chipmunk.h>', 'cpSegmentQueryInfo'), ('<chipmunk/chipmunk_private.h>', 'cpBody'),
          ('<chipmunk/chipmunk_private.h>', 'struct cpArbiter'), ('<chipmunk/chipmunk_private.h>', 'cpSpace'),
          ('<cglm/struct.h>', 'vec3s'), ('<cglm/struct.h>', 'mat4s'), ('<cglm/struct.h>', 'versors'),
          ('<enet/enet.h>', 'ENetPeer'), ('<enet/enet.h>', 'ENetPacket'), ('<enet/enet.h>', 'ENetEvent')]


def has(header):
    return subprocess.run([CC, '-E', '-x', 'c', '-', '-o', os.devnull], input=f'#include {header}\n', encoding='utf-8',
                          stderr=subprocess.DEVNULL).returncode == 0


@pytest.mark.parametrize('header', list(dict.fromkeys(header for header, _ in OTHERS)))
def test_headers_of_others(tmp_path, monkeypatch, header):
    monkeypatch.chdir(tmp_path)
    if not has(header):
        pytest.skip(f'needs {header}')
    importer, said, text = Importer(Options()), Diagnostics(), ''
    for i, (other, type_) in enumerate(OTHERS):
        if other == header:
            info = importer.read(type_, header, '.', None, None, said)
            assert info is not None, [render(item) for item in said]
            assert info.inputs == () and info.fields
            text += mirror(info, header, f'm{i}')
    good, told = compiles(text)
    assert good, told


@pytest.mark.parametrize('header, type_, kind, no_value', [
    ('<SDL2/SDL.h>', 'SDL_Window', 'opaque', 'so it cannot be copied'), ('<SDL2/SDL.h>', 'SDL_KeyCode', 'enum', ''),
    ('<SDL2/SDL.h>', 'Uint32', 'scalar', ''), ('<cglm/cglm.h>', 'mat4', 'array', 'it is an array'),
    ('<cglm/cglm.h>', 'vec4', 'array', 'it is an array'), ('<enet/enet.h>', 'ENetPacketFreeCallback', 'pointer', '')])
def test_kinds_of_others(tmp_path, monkeypatch, header, type_, kind, no_value):
    monkeypatch.chdir(tmp_path)
    if not has(header):
        pytest.skip(f'needs {header}')
    info, said = imported(type_, header)
    assert info is not None, said
    assert info.kind == kind and no_value in info.no_value and bool(no_value) == bool(info.no_value)


# -- the command line --------------------------------------------------------------------------------------------


def test_import_of_specs(tool):
    result = tool('type', 'import', 'specs/fleet.yaml', 'specs/crew.yaml')
    assert tool.read('specs/types/struct_ship.yaml').endswith(
        '  - {name: id, type: uint32_t}\n  - {name: slot, type: uint32_t}\n  - {name: hp, type: int}\n'
        'fingerprint: "%s"\n' % typelock.read('specs/types/struct_ship.yaml', Diagnostics()).fingerprint)
    assert 'wrote ' + os.path.join('specs', 'types', 'struct_ship.yaml') in result.out
    assert 'no header declares the type of crew.crew, int' in result.out and '1 written, 0 unchanged' in result.out
    before = tool.state('specs')
    assert '0 written, 1 unchanged' in tool('type', 'import', 'specs/fleet.yaml').out
    assert tool.state('specs') == before
    tool.edit('specs/ship.h', 'int hp;', 'float hp; int shield;')
    result = tool('type', 'import', 'specs/fleet.yaml')
    assert "  'shield' is new: `int shield`\n  'hp' is `float` now, and was `int`\n" in result.out


def test_the_header_that_defines_the_struct(tool):
    """It may include what Bespoke makes, which must be there then."""
    tool.write('specs/party.yaml', 'bespoke: 1\ncontainers:\n  party: {element: {type: struct guest, by: pointer, defined_in: house.h}}\n')
    tool.write('specs/house.h', '#include "party.h"\nstruct guest { int id; };\nstruct house { party guests; };\n')
    result = tool('type', 'import', 'specs/party.yaml', code=2)
    assert "'party.h' file not found" in result.err and 'help: Bespoke makes it: run `bespoke generate` first' in result.err
    tool('generate', 'specs/party.yaml', '-o', 'out')
    tool('type', 'import', 'specs/party.yaml', '-I', 'out')
    assert '  - {name: id, type: int}' in tool.read('specs/types/struct_guest.yaml')
    tool('generate', 'specs/party.yaml', '-o', 'out')
    told = [CC, '-std=c11', '-c', 'out/party.c', '-o', 'party.o', '-Iout', '-Ispecs']
    subprocess.run(told, check=True)
    tool.edit('specs/house.h', 'int id;', 'int id, hat;')
    done = subprocess.run(told, stderr=subprocess.PIPE, encoding='utf-8')
    assert done.returncode != 0 and 'struct guest has changed' in done.stderr
    assert tool('check', '--types', 'specs/party.yaml', '-o', 'out', '-I', 'out', code=1).err.count('house.h') == 1


@pytest.mark.parametrize('more, said', [
    ('identity: {key: element->sloth}', "'struct ship' has no member 'sloth' [BSP0331]"),
    ('removal: {policy: tombstone, expired: element->hpp <= 0}', "'struct ship' has no member 'hpp' [BSP0331]"),
    ('ordering: sorted, sort: {less: a->hp < b->hpp}', "'struct ship' has no member 'hpp' [BSP0331]")])
def test_members_of_expressions(tool, more, said):
    tool('type', 'import', 'specs/fleet.yaml')
    tool.write('specs/fleet.yaml', 'bespoke: 1\ncontainers:\n  fleet: {element: {type: struct ship, header: ship.h}, %s}\n' % more)
    result = tool('generate', 'specs/fleet.yaml', code=2)
    assert said in result.err and 'did you mean' in result.err


@pytest.mark.parametrize('layout', ['aos', 'soa'])
def test_a_struct_without_members(tool, layout):
    tool.write('specs/ship.h', 'struct ship {};\n')
    tool.write('specs/fleet.yaml', 'bespoke: 1\ncontainers:\n  fleet: {element: {type: struct ship, header: ship.h}, layout: %s}\n' % layout)
    assert 'it has no members' in tool('type', 'import', 'specs/fleet.yaml', code=2).err


DEEP = ('#ifndef SHIP_H\n#define SHIP_H\ntypedef unsigned ident_t;\nstruct ident { ident_t id; };\ntypedef struct { struct ident of[2]; } pair;\n'
        'struct other { int x; };\nstruct ship { pair who; struct other *other; int hp; };\n#endif\n')


@pytest.mark.parametrize('old, new, said', [
    ('unsigned ident_t', 'float ident_t', "in 'ident_t': its type is 'float' now, and was 'unsigned int'"),
    ('ident_t id;', 'float id;', "in 'struct ident': 'id' is `float` now, and was `ident_t`"),
    ('ident_t id;', 'ident_t id, more;', "in 'struct ident': 'more' is new"),
    ('of[2]', 'of[3]', "in 'pair': 'of' is `struct ident[3]` now, and was `struct ident[2]`"),
    ('int x;', 'float x;', '')])
def test_what_lies_in_a_type_counts(tool, old, new, said):
    """Under a name of the project, at any depth; what is only pointed at does not."""
    tool.write('specs/ship.h', DEEP)
    tool.write('specs/fleet.yaml', 'bespoke: 1\ncontainers:\n  fleet: {element: {type: struct ship, header: ship.h}, '
               'duplicates: reject, identity: {key: "element->who.of[0].id"}}\n')
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', 'specs/fleet.yaml', '-o', 'out')
    told = [CC, '-std=c11', '-Wall', '-Wextra', '-Werror', '-c', 'out/fleet.c', '-o', 'fleet.o', '-Iout', '-Ispecs']
    subprocess.run(told, check=True)
    tool.edit('specs/ship.h', old, new)
    result = tool('check', '--types', 'specs/fleet.yaml', '-o', 'out', code=1 if said else 0)
    done = subprocess.run(told, stderr=subprocess.PIPE, encoding='utf-8')
    if said:
        assert said in result.err and 'struct ship has changed' in done.stderr
    else:
        assert done.returncode == 0


def test_update_only_what_is_known(tool):
    assert '0 written, 0 unchanged' in tool('type', 'import', '--update', 'specs/fleet.yaml').out
    tool.write('specs/types/struct_ship.yaml', 'bespoke-type: broken')
    assert '1 written' in tool('type', 'import', '--update', 'specs/fleet.yaml').out
    tool('generate', '--no-format')


def test_locks_that_are_left_over(tool):
    """A type got another name: its old lock belongs to no spec. Only what an import wrote is removed, where no spec can mean it."""
    old, new = os.path.join('specs', 'types', 'struct_ship.yaml'), os.path.join('specs', 'types', 'struct_boat.yaml')
    other = 'bespoke: 1\ncontainers:\n  other: {element: {type: struct ship, header: ship.h, by: pointer}}\n'
    tool('type', 'import', 'specs/fleet.yaml')
    tool.edit('specs/ship.h', 'struct ship', 'struct boat')
    tool.edit('specs/fleet.yaml', 'struct ship', 'struct boat')
    tool('generate')
    result = tool('check', code=1)
    assert f"'{old}' belongs to no spec: none beside it has elements of type 'struct ship' [BSP0410]" in result.err
    assert f'remove: {old}' in result.err and 'BSP0410' in tool('check', 'specs/fleet.yaml', code=1).err
    # Another spec of the folder may go by it, though nobody named it, or may do so when it is whole.
    for text in (other, other.replace('by: pointer', 'by: pointers')):
        tool.write('specs/other.yaml', text)
        assert 'removed' not in tool('type', 'import', 'specs/fleet.yaml').out and os.path.exists(old) and os.path.exists(new)
        tool('generate', 'specs/fleet.yaml')
        tool('check', 'specs/fleet.yaml')
    tool.remove('specs/other.yaml')
    # What was edited, or written by somebody else, is not Bespoke's to remove.
    before = tool.read(old)
    for text in (before + '# kept\n', before.replace('hp', 'health'), 'bespoke-type: 1\ntype: struct ship\n'):
        tool.write(old, text)
        assert 'removed' not in tool('type', 'import', 'specs/fleet.yaml').out and tool.read(old) == text
    tool.write('specs/types/readme.yaml', before)
    tool.write(old, before)
    tool('type', 'import', 'specs/crew.yaml', '-q')
    assert not os.path.exists(old) and os.path.exists(new) and os.path.exists('specs/types/readme.yaml')
    tool.write(old, before)
    assert f"removed {old}: no spec beside it has elements of type 'struct ship'" in tool('type', 'import', '--update', 'specs/fleet.yaml').out
    tool('check')


@pytest.mark.parametrize('command', [('generate', '--types'), ('type', 'import'), ('check', '--types')])
def test_a_missing_header_is_told_once(tool, command):
    """Whoever wanted to read a type there, and whoever wants to include it."""
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate')
    tool.remove('specs/ship.h')
    said = tool(*command, 'specs/fleet.yaml', code=2).err
    assert said.count(': error: ') == 1 and "there is no header 'ship.h' in 'specs' [BSP0307]" in said


def test_a_header_that_has_moved_is_found(tool):
    tool.write('engine/core/ship.h', tool.read('specs/ship.h'))
    tool.remove('specs/ship.h')
    said = tool('generate', 'specs/fleet.yaml', '-I', 'engine', code=2).err
    assert "help: did you mean 'core/ship.h'?\n" in said


def test_import_of_one_type(tool):
    tool('type', 'import', 'specs/ship.h', 'struct ship', '-o', 'specs/types/struct_ship.yaml')
    assert 'header: ship.h\n' in tool.read('specs/types/struct_ship.yaml')
    assert '[BSP0411]' in tool('type', 'import', 'specs/ship.h', code=2).err
    assert '[BSP0411]' in tool('type', 'import', 'specs/ship.h', 'struct ship', 'struct', code=2).err
    assert '[BSP0411]' in tool('type', 'import', 'specs/ship.h', 'struct ship *', '-o', 'x.yaml', code=2).err
    result = tool('type', 'import', 'specs/ship.h', 'struct shop', '-o', 'x.yaml', code=2)
    assert "did you mean 'struct ship'?" in result.err and not tool.exists('x.yaml')


def test_where_the_lock_of_one_type_goes(tool, monkeypatch):
    """To where a spec looks for it: beside those of the folder specs, else beside specs in the working folder."""
    assert tool('type', 'import', 'specs/ship.h', 'struct  ship').out == 'wrote specs/types/struct_ship.yaml\n'
    assert 'is what the header says' in tool('type', 'import', 'specs/ship.h', 'struct ship').out
    tool('generate', '--no-format')
    assert 'types=' in tool.read('generated/fleet.h') and 'types=' not in tool.read('generated/crew.h')
    monkeypatch.chdir(tool.path('specs'))
    assert tool('type', 'import', 'ship.h', 'struct ship').out == 'types/struct_ship.yaml is what the header says\n'
    assert 'in a folder types beside the spec' in tool('type', 'import', 'ship.h', 'struct ship', '-o', 'ship.lock.yaml').out
    assert 'default: types/NAME.yaml' in ' '.join(tool('type', 'import', '--help').out.split())


def test_what_can_be_imported_is(tool):
    """A spec with a mistake does not keep the others from their locks."""
    tool.write('specs/wings.yaml', 'bespoke: 1\ncontainers:\n  wings: {element: {type: struct wing, header: wing.h}}\n')
    tool.write('specs/halves.yaml', 'bespoke: 1\ncontainers:\n  some: {element: {type: struct wing, header: ship.h}}\n'
               '  halves: {element: {type: struct half, header: half.h}}\n')
    tool.write('specs/wing.h', 'struct wing { int span; };\n')
    tool.write('specs/half.h', 'struct half { int x; };\n')
    tool.write('specs/none.yaml', 'bespoke: 1\ncontainers: []\n')
    paths = ['specs/%s.yaml' % name for name in ('halves', 'none', 'fleet', 'wings')]
    result = tool('type', 'import', *paths, code=2)
    assert "there is no type 'struct wing' in 'ship.h' [BSP0325]" in result.err and 'specs/none.yaml:2:13: error' in result.err
    assert '3 written, 0 unchanged' in result.out and result.err.endswith('bespoke: the rest was imported: 3 types\n')
    for name in 'half', 'ship', 'wing':
        assert 'wrote specs/types/struct_%s.yaml' % name in result.out and tool.exists('specs/types/struct_%s.yaml' % name)
    assert '0 written, 3 unchanged' in tool('type', 'import', *paths, code=2).out
    assert tool('type', 'import', 'specs/none.yaml', code=2).err.count('bespoke:') == 0
    # One that cannot be written does not either.
    tool.remove('specs/types/struct_half.yaml')
    os.mkdir('specs/types/struct_half.yaml')
    tool.remove('specs/types/struct_wing.yaml')
    tool.edit('specs/halves.yaml', 'struct wing, header: ship.h', 'struct wing, header: wing.h')
    result = tool('type', 'import', 'specs/halves.yaml', 'specs/wings.yaml', '-q', code=3)
    assert '[BSP0405]' in result.err and tool.exists('specs/types/struct_wing.yaml') and 'rest was imported: 1 type\n' in result.err


def test_a_lock_that_specs_share(tool):
    tool.write('specs/wing.yaml', tool.read('specs/fleet.yaml').replace('fleet', 'wing'))
    assert 'specs/types/struct_ship.yaml: also the lock of specs/wing.yaml; generate that spec again, too\n' in tool(
        'type', 'import', 'specs/fleet.yaml').out
    assert 'also the lock' not in tool('type', 'import', 'specs/fleet.yaml').out  # nothing has changed
    tool.edit('specs/ship.h', 'int hp;', 'long hp;')
    assert 'also the lock' not in tool('type', 'import', 'specs/fleet.yaml', 'specs/wing.yaml').out  # all are known
    tool.edit('specs/ship.h', 'long hp;', 'int hp;')
    tool.write('specs/last.yaml', 'bespoke: 1\ncontainers:\n  last: {element: {type: struct ship, header: ship.h}, index: {field: gone}}\n')
    assert 'of specs/last.yaml, specs/wing.yaml; generate those again' in tool('type', 'import', 'specs/fleet.yaml').out


def test_import_names_the_place_in_the_spec(tool):
    tool.edit('specs/fleet.yaml', 'struct ship', 'struct shipp')
    result = tool('type', 'import', 'specs/fleet.yaml', code=2)
    assert "specs/fleet.yaml:4:21: error: there is no type 'struct shipp' in 'ship.h' [BSP0325]" in result.err
    tool.edit('specs/ship.h', '<stdint.h>', '<stdnit.h>')
    result = tool('type', 'import', 'specs/fleet.yaml', code=2)
    assert "specs/ship.h:3:10: error: 'stdnit.h' file not found [BSP0324]" in result.err
    assert 'specs/fleet.yaml:4:43: note: the header is named here' in result.err


@pytest.mark.parametrize('body, said', [
    ('struct ship;', "its members are not known where the header is included"),
    ('struct ship { int count; char data[]; };', 'an array without a length'),
    ('struct ship { const int id; };', "its member 'id' is const")])
def test_what_cannot_be_held_by_value(tool, body, said):
    tool.write('specs/ship.h', body + '\n')
    result = tool('type', 'import', 'specs/fleet.yaml', code=2)
    assert "specs/fleet.yaml:4:21: error: elements of type 'struct ship' cannot be held by value" in result.err
    assert said in result.err and '[BSP0330]' in result.err
    tool.edit('specs/fleet.yaml', 'header: ship.h', 'header: ship.h, by: pointer')
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')
    tool.edit('specs/fleet.yaml', ', by: pointer', '')
    result = tool('generate', '--no-format', code=2)  # without the header, too
    assert '[BSP0330]' in result.err and 'struct_ship.yaml:3:7: note: ' in result.err


@pytest.mark.parametrize('old, new, said', [
    ('struct ship {', 'struct vessel {', "there is no type 'struct ship' in 'ship.h' [BSP0325]"),
    ('struct ship {', 'struct ship;\nstruct vessel { long first;', "'ship.h' only declares 'struct ship', which had members [BSP0325]"),
    ('struct ship {', 'typedef struct {', "there is no type 'struct ship' in 'ship.h' [BSP0325]")])
def test_a_struct_that_was_renamed(tool, old, new, said):
    """It is known by its members, whatever it is called."""
    tool.edit('specs/ship.h', '#include', 'struct shop { uint32_t id; };\n#include'.replace('uint32_t', 'unsigned'))
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')
    tool.edit('specs/ship.h', old, new)
    name = 'struct vessel' if 'vessel' in new else 'vessel'
    if name == 'vessel':
        tool.edit('specs/ship.h', 'int hp; };', 'int hp; } vessel;')
    for command in ('type', 'import', 'specs/fleet.yaml'), ('check', '--types', 'specs/fleet.yaml'):
        result = tool(*command, code=2)
        assert said in result.err and "did you mean '%s'? it has the members that 'struct ship' had" % name in result.err
    tool.remove('specs/types/struct_ship.yaml')
    assert 'it has the members' not in tool('type', 'import', 'specs/fleet.yaml', code=2).err


def test_a_struct_that_is_only_declared(tool):
    tool.write('specs/fleet.yaml', 'bespoke: 1\ncontainers:\n  fleet: {element: {type: struct hidden, header: ship.h, by: pointer}, '
               'identity: {key: element->id}}\n')
    tool.edit('specs/ship.h', 'struct ship', 'struct hidden;\nstruct ship')
    tool.write('specs/inside.h', '#include "ship.h"\nstruct hidden { int id; };\n')
    result = tool('type', 'import', 'specs/fleet.yaml', code=2)
    assert "'struct hidden' has no known member 'id': 'ship.h' only declares it [BSP0331]" in result.err
    assert 'only declares struct hidden' in result.out and '`element: {defined_in: ...}`' in result.err
    tool.edit('specs/fleet.yaml', 'by: pointer', 'by: pointer, defined_in: inside.h')
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')


def test_a_member_that_is_gone_from_the_header(tool):
    """What has just been read need not be imported."""
    tool.edit('specs/fleet.yaml', 'ordering: unordered', 'ordering: unordered\n    duplicates: reject\n    identity: {key: element->id}')
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')
    tool.edit('specs/ship.h', 'uint32_t id;', 'uint32_t number;')
    for command in ('type', 'import', 'specs/fleet.yaml'), ('check', '--types', 'specs/fleet.yaml'):
        result = tool(*command, code=2)
        assert "'struct ship' has no member 'id' [BSP0331]" in result.err and 'if the header has changed' not in result.err


def test_members_that_keys_name(tool):
    tool('type', 'import', 'specs/fleet.yaml')
    tool.edit('specs/fleet.yaml', 'header: ship.h', 'header: ship.h, by: pointer')
    tool.write('specs/fleet.yaml', tool.read('specs/fleet.yaml') + '    index: {field: slots}\n    duplicates: reject\n')
    result = tool('generate', '--no-format', code=2)
    assert "'struct ship' has no member 'slots' [BSP0331]" in result.err and "did you mean 'slot'?" in result.err
    tool.edit('specs/fleet.yaml', 'slots', 'slot')
    tool('generate', '--no-format')


def test_check_types(tool):
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')
    out = tool('check', '--types').out
    assert '1 type is what the header says' in out and 'has no lock' not in out
    tool.edit('specs/ship.h', '#include', '// a comment\nstruct other { int x; };\n#include')
    tool('check', '--types')
    tool.edit('specs/ship.h', 'int hp;', 'int hp; bool hidden;')
    tool.edit('specs/ship.h', '#include', '#include <stdbool.h>\n#include')
    tool('check')
    result = tool('check', '--types', code=1)
    assert "specs/types/struct_ship.yaml:3:7: error: 'struct ship' in 'ship.h' is no longer what its lock says [BSP0328]" in result.err
    assert "bespoke: note: 'hidden' is new: `bool hidden`" in result.err
    assert 'bespoke: 1 type to import again; run: bespoke type import specs/crew.yaml specs/fleet.yaml --update\n' in result.err
    tool('type', 'import', 'specs/crew.yaml', 'specs/fleet.yaml', '--update')
    assert '[BSP0408]' in tool('check', '--types', code=1).err
    tool('generate', '--no-format')
    tool('check', '--types')


def test_check_types_says_what_has_no_lock(tool):
    tool.edit('specs/fleet.yaml', 'ordering: unordered', 'ordering: unordered\n    duplicates: reject\n    identity: {key: element->id}')
    tool('generate', '--no-format')
    assert 'has no lock' not in tool('check').out
    out = tool('check', '--types').out
    assert 'fleet.fleet names members of struct ship, which has no lock (id): `bespoke type import specs/fleet.yaml` writes it\n' in out
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')
    assert 'has no lock' not in tool('check', '--types').out


def test_check_types_says_how_headers_were_read(tool):
    tool.edit('specs/ship.h', 'int hp;', '\n#ifdef BIG\nlong\n#else\nint\n#endif\nhp;')
    tool('type', 'import', 'specs/fleet.yaml', '-DBIG')
    tool('generate', '--no-format')
    tool('check', '--types', '-DBIG')
    result = tool('check', '--types', '-DSMALL', '--std', 'c11', code=1)
    assert "'hp' is `int` now, and was `long`" in result.err
    assert 'specs/fleet.yaml -D SMALL --std c11 --update\n' in result.err


def test_generate_types(tool):
    """What is written goes by the header; the source tree stays as it is."""
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format')
    before, sources = tool.state(), tool.state('specs')
    tool('generate', '--no-format', '--types', '--depfile', 'out.d')
    assert tool.state() == before
    assert tool.path('specs/ship.h') in tool.read('out.d') and tool.path('specs/types/struct_ship.yaml') in tool.read('out.d')
    assert 'stdint.h' not in tool.read('out.d')
    tool.edit('specs/ship.h', '#include', '/* longer */\n#include')
    assert tool('generate', '--no-format', '--types').err == ''
    assert tool.state() == before
    tool.edit('specs/ship.h', 'int hp', 'long hp')
    sources = tool.state('specs')
    result = tool('generate', '--no-format', '--types')
    assert "warning: 'struct ship' in 'ship.h' is no longer what its lock says [BSP0328]" in result.err
    assert 'bespoke-regen' in result.err and 'what is generated now goes by the header' in result.err
    assert tool.state() != before and tool.state('specs') == sources
    lock = typelock.read('specs/types/struct_ship.yaml', Diagnostics())
    assert lock.fingerprint not in tool.read('generated/fleet.h') and 'types=' in tool.read('generated/fleet.h')


def test_a_header_that_appears_earlier_on_the_path(tool):
    """Folders in which one is looked for before the place where it is found are inputs, too, but not for what the C library has."""
    for folder in 'first', 'second', 'third':
        os.mkdir(folder)
    os.rename('specs/ship.h', 'third/ship.h')
    tool.write('third/ship.h', '#if __has_include("extra.h")\n#include "extra.h"\n#endif\n' + tool.read('third/ship.h'))
    options = ('-Ifirst', '-Ithird', '-Inone/there')
    tool('type', 'import', 'specs/fleet.yaml', *options)
    tool('generate', '--no-format', '--types', 'specs/fleet.yaml', *options, '--depfile', 'out.d')
    needed = tool.read('out.d')
    assert [folder for folder in ('specs', 'first', 'second', 'third', 'none', '') if tool.path(folder).rstrip('/') + ':\n' in needed] == [
        'specs', 'first', 'third']
    tool.write('first/ship.h', tool.read('third/ship.h').replace('int hp', 'long hp'))
    assert "'hp' is `long` now" in tool('generate', '--no-format', '--types', 'specs/fleet.yaml', *options, '--depfile', 'out.d').err


def test_what_gives_a_header_of_handles_later(tool):
    """A spec beside it is asked, one that gives none and one that is not there."""
    tool.write('specs/crew_handles.h', 'typedef struct { int index; } crew_handle;\n')
    tool.write('specs/ship.h', '#include "crew_handles.h"\n' + tool.read('specs/ship.h'))
    tool('generate', '--no-format', '--types', 'specs/fleet.yaml', '--depfile', 'out.d')
    os.rename('specs/crew.yaml', 'other.yaml')
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', '--no-format', '--types', 'specs/fleet.yaml', '--depfile', 'out.d')
    assert tool.path('specs') + ':\n' in tool.read('out.d')
    os.rename('other.yaml', 'specs/crew.yaml')
    tool('generate', '--no-format', '--types', 'specs/fleet.yaml', '--depfile', 'out.d')
    assert tool.path('specs/crew.yaml') in tool.read('out.d')


def test_members_that_are_needed(tool):
    """Without a lock, too, a build that reads headers knows them; from a lock comes the same."""
    tool.write('specs/fleet.yaml', tool.read('specs/fleet.yaml') + '    layout: soa\n')
    assert 'bespoke type import' in tool('generate', '--no-format', 'specs/fleet.yaml', code=2).err
    tool('generate', '--no-format', '--types', 'specs/fleet.yaml')
    before = tool.state()
    assert 'fleet_hp(' in tool.read('generated/fleet.h')
    assert '1 written' in tool('type', 'import', '--update', 'specs/fleet.yaml').out
    tool('generate', '--no-format', 'specs/fleet.yaml')
    assert tool.state() == before


def test_a_broken_header_stops_generating(tool):
    tool('type', 'import', 'specs/fleet.yaml')
    tool.edit('specs/ship.h', 'int hp', 'intt hp')
    assert "specs/ship.h:4:43: error: unknown type name 'intt' [BSP0324]" in tool('generate', '--no-format', '--types', code=2).err
    assert not tool.exists('generated')


RICH = '''#ifndef SHIP_H
#define SHIP_H
#include <stdbool.h>
#include <stdint.h>
#define LENGTH 4
typedef float vec3[3];
typedef float v4f __attribute__((vector_size(16)));
enum colour { RED, GREEN = 7 };
struct inner_before { int q; };
struct ship {
    uint32_t id;
    char name[LENGTH * 8];
    unsigned int flags : 3;
    int : 0;
    signed char small : 2;
    void (*call)(int, float *);
    int (*table[4])(void);
    void (*(*give)(int))(float);
    struct { float x, y; struct { int z; } deep; } at[2][3];
    union { int a; struct { bool b; long c; } s; };
    enum { A, B } state;
    enum colour colour;
    struct inner_before inner;
    vec3 direction, several[2];
    v4f four;
    volatile int seen;
    const char *text;
    struct { int u; } *unnamed;
    float (*grid)[3];
    long double ld;
    struct deeper { int w; } d;
    enum inside { P, Q } in;
    struct ship *next;
    struct __attribute__((packed)) { char c; int i; } tight;
};
#endif
'''


@pytest.mark.parametrize('compiler', [(CC, '-std=c99'), (CC, '-std=c11'), (os.environ.get('CXX') or 'g++', '-x', 'c++', '-std=c++17')],
                         ids=['c99', 'c11', 'c++17'])
def test_what_is_generated_compiles(tool, compiler):
    """The source compares what was read with what the compiler knows."""
    if shutil.which(compiler[0]) is None:
        pytest.skip('needs ' + compiler[0])
    tool.write('specs/ship.h', RICH)
    tool('type', 'import', 'specs/fleet.yaml')
    tool('generate', 'specs/fleet.yaml', '--no-format')
    command = [*compiler, '-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Werror', '-Ispecs', '-fsyntax-only',
               'generated/fleet.c']
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=60)
    assert done.returncode == 0, done.stdout
    tool.edit('specs/ship.h', 'uint32_t id', 'int32_t id')
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=60)
    assert done.returncode != 0 and 'struct_ship_has_changed' in done.stdout.replace(' ', '_')


def test_nothing_of_libclang_is_left_at_the_end(tool):
    """Newer bindings cannot destroy an index when Python has cleared them."""
    result = tool.process('-c', 'import atexit, sys; sys.path.insert(0, sys.argv[1])\n'
                          'from generator.types import libclang; from generator.tool import cli\n'
                          'atexit.register(lambda: setattr(libclang.LIBRARY.cindex, "conf", None))  # runs last\n'
                          'sys.exit(cli.main(sys.argv[2:]))', os.path.dirname(header_reader.__file__) + '/../..',
                          'type', 'import', 'specs/fleet.yaml', script='-I')
    assert result.out.startswith('wrote specs/types/struct_ship.yaml\n') and result.err == ''


# -- without libclang --------------------------------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    library = libclang.Library()
    library.problem = 'there is no Python module clang.cindex'
    monkeypatch.setattr(libclang, 'LIBRARY', library)


def test_without_libclang(tool, without):
    tool.write('specs/types/struct_ship.yaml', typelock.text(TypeInfo('struct ship', 'ship.h', 'struct', (TypeField('hp', 'int'),))))
    for arguments in (('type', 'import', 'specs/fleet.yaml'), ('type', 'import', 'specs/ship.h', 'struct ship', '-o', 'x.yaml')):
        result = tool(*arguments, code=3)
        assert result.err == ('bespoke: error: types cannot be read from headers: there is no Python module clang.cindex [BSP0504]\n'
                              'help: install it with: apt-get install python3-clang   (or: python3 -m pip install libclang)\n')
    tool('generate', '--no-format')
    assert '[BSP0504]' in tool('check', '--types', code=3).err
    before = tool.state()
    assert 'note: types are taken from their locks' in tool('generate', '--no-format', '--types').err
    assert tool.state() == before
    assert 'missing' in [line for line in tool('doctor').out.split('\n') if 'libclang' in line][0]
    tool('doctor', '--need', 'types', code=3)


def test_a_library_that_is_none(tool, monkeypatch):
    tool.write('libclang.so', 'not one')
    result = tool.process('doctor', '--need', 'types', code=3, BESPOKE_LIBCLANG=tool.path('libclang.so'))
    assert 'libclang cannot be loaded' in result.err and '[BSP0504]' in result.err


def test_bindings_of_another_interpreter(tool):
    """Python without the module finds that of the system."""
    result = tool.process('-c', 'import sys; sys.path.insert(0, sys.argv[1]); sys.modules["clang"] = None\n'
                          'from generator.types import libclang; print(libclang.available())', os.path.dirname(header_reader.__file__) + '/../..',
                          script='-I')
    assert result.out.startswith('(True'), result.out
