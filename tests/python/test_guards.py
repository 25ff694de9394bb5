"""Guards: a struct that is no longer what it was when its containers were generated stops the build, and says what to run."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from test_emitted import FLAGS
from test_headers import OTHERS, has

from generator.types import libclang, typelock
from generator.types.type_info import TypeField, TypeInfo

TCC = ['-Wall', '-Werror']
CELLS = {
    'gcc-c99': ['gcc', '-std=c99', '-Wstrict-prototypes', *FLAGS], 'gcc-c11': ['gcc', '-std=c11', '-Wstrict-prototypes', *FLAGS],
    'gcc-c2x': ['gcc', '-std=c2x', *FLAGS], 'clang-c99': ['clang', '-std=c99', '-Wstrict-prototypes', *FLAGS],
    'clang-c11': ['clang', '-std=c11', *FLAGS], 'g++': ['g++', '-xc++', '-std=c++17', *FLAGS],
    'clang++': ['clang++', '-xc++', '-std=c++17', '-Wno-deprecated', *FLAGS], 'tcc': ['tcc', *TCC], 'tcc-c11': ['tcc', '-std=c11', *TCC],
}

BEFORE = '''
#include <stdbool.h>
#include <stdint.h>
typedef float spot[3];
struct point { float x, y; };
enum mood { CALM, CROSS };
struct ship;
'''
MEMBERS = '''
uint32_t id;
char name[32];
long size, version_minor;
bool gone;
spot at;
struct point points[2];
enum mood mood;
void (*call)(int, struct ship *);
struct { int major, minor; } version;
struct { short a, b; } pairs[3];
const char *const label;
unsigned flags : 3, more : 5;
int last;
'''
FIELDS = (
    TypeField('id', 'uint32_t'), TypeField('name', 'char[32]'), TypeField('size', 'long'), TypeField('version_minor', 'long'),
    TypeField('gone', 'bool'), TypeField('at', 'spot', array=True),
    TypeField('points', 'struct point[2]'), TypeField('mood', 'enum mood'), TypeField('call', 'void (*)(int, struct ship *)'),
    TypeField('version', 'struct', fields=(TypeField('major', 'int'), TypeField('minor', 'int'))),
    TypeField('pairs', 'struct[3]', fields=(TypeField('a', 'short'), TypeField('b', 'short'))),
    TypeField('label', 'const char *const', const=True), TypeField('flags', 'unsigned int', bits=3), TypeField('more', 'unsigned int', bits=5),
    TypeField('last', 'int'))

CHANGES = {
    'added last': ('int last;', 'int last; int another;'),
    'added within': ('bool gone;', 'bool gone; double another;'),
    'removed': ('int last;', ''),
    'retyped, of the same size': ('uint32_t id;', 'float id;'),
    'retyped, of another sign': ('int last;', 'unsigned last;'),
    'retyped, longer': ('char name[32];', 'char name[64];'),
    'retyped, a function': ('void (*call)(int, struct ship *);', 'int (*call)(int, struct ship *);'),
    'retyped, of an element': ('struct point points[2];', 'double points[2];'),
    'renamed': ('int last;', 'int latest;'),
    'renamed, a bit-field': ('more : 5', 'less : 5'),
    'renamed, within': ('int major, minor;', 'int major, patch;'),
    'reordered': ('uint32_t id;\nchar name[32];', 'char name[32];\nuint32_t id;'),
    'reordered, within': ('int major, minor;', 'int minor, major;'),
    'packed': ('};/**/', '} __attribute__((packed));'),
}
COMMAND = 'bespoke type import fleet.yaml'


def header(members=MEMBERS):
    return BEFORE + 'struct ship {' + members + '};/**/\n'


def generated(folder, infos, spec, **files):
    """A folder with a spec, the locks of its types, and what is generated."""
    os.makedirs(os.path.join(folder, 'types'), exist_ok=True)
    for name, text in dict(files, fleet_yaml=spec).items():
        with open(os.path.join(folder, name.replace('_', '.', 1)), 'w', encoding='utf-8') as file:
            file.write(text)
    for info in infos:
        with open(typelock.lock_path(folder, info.type), 'w', encoding='utf-8') as file:
            file.write(typelock.text(info))
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'fleet.yaml', '-o', '.', '--no-format'], cwd=folder, check=True)
    return folder


def compiled(folder, cell, source='fleet.c', *more):
    command = CELLS[cell]
    if shutil.which(command[0]) is None:
        pytest.skip(f'{command[0]} is not installed')
    output = ['-c', '-o', 'tcc.o'] if command[0] == 'tcc' else ['-fsyntax-only']  # not /dev/null, which it would remove first
    result = subprocess.run([*command, *output, *more, source], cwd=folder, stderr=subprocess.PIPE, universal_newlines=True)
    return result.returncode, result.stderr


SPEC = '''bespoke: 1
containers:
  fleet: {element: {type: struct ship, header: ship.h, by: pointer}}
  second: {element: {type: struct ship, header: ship.h, by: pointer}, ordering: unordered}
'''


@pytest.fixture(scope='module')
def fleet(tmp_path_factory):
    return generated(str(tmp_path_factory.mktemp('fleet')), [TypeInfo('struct ship', 'ship.h', 'struct', FIELDS)], SPEC, ship_h=header())


@pytest.mark.parametrize('cell', CELLS)
def test_what_has_not_changed_compiles(fleet, cell):
    with open(os.path.join(fleet, 'ship.h'), 'w', encoding='utf-8') as file:
        file.write(header())
    assert compiled(fleet, cell) == (0, '')


@pytest.mark.parametrize('cell,change', [(cell, change) for cell in CELLS if cell not in ('gcc-c2x', 'clang-c11') for change in CHANGES
                                         if change != 'packed' or 'tcc' not in cell])  # which does not know that
def test_a_change_stops_the_build(fleet, cell, change):
    with open(os.path.join(fleet, 'ship.h'), 'w', encoding='utf-8') as file:
        old, new = CHANGES[change]
        assert old in header()
        file.write(header().replace(old, new))
    code, said = compiled(fleet, cell)
    assert code != 0, 'it compiles'
    if cell.startswith('tcc') and 'field not found' in said:  # it tells the line alone, and that tells the rest
        with open(os.path.join(fleet, 'fleet.c'), encoding='utf-8') as file:
            said += file.read().splitlines()[int(re.search(r'fleet\.c:(\d+)', said).group(1)) - 1]
        assert COMMAND in said
        return
    assert COMMAND in said or re.sub(r'\W+', '_', COMMAND) in said, said
    assert 'struct ship' in said or 'struct_ship' in said
    # One error, but where a member is gone, which a compiler says for each time that it is named.
    gone = change in ('removed', 'renamed', 'renamed, a bit-field', 'renamed, within')
    assert gone or len(re.findall(r'\berror: ', said)) == 1, said
    assert gone or 'has changed (' not in said or '(with the -I and -o of the project), or build bespoke-regen' in said


@pytest.mark.parametrize('cell', ['gcc-c99', 'gcc-c11', 'clang-c11', 'g++'])
def test_what_is_new_at_either_end(fleet, cell):
    """What comes first moves all that is behind it, what comes last nothing, and two that change are in one struct: one error each."""
    first, last = ('\nuint32_t id;', '\nfloat id;'), ('int last;', 'float last;')
    for changes in [('\nuint32_t id;', '\ndouble another; uint32_t id;')], [('int last;', 'int last; double another;')], [first, last]:
        text = header()
        for old, new in changes:
            text = text.replace(old, new)
        with open(os.path.join(fleet, 'ship.h'), 'w', encoding='utf-8') as file:
            file.write(text)
        code, said = compiled(fleet, cell)
        assert code != 0 and len(re.findall(r'\berror: ', said)) == 1, said


def test_a_type_is_guarded_once(fleet):
    with open(os.path.join(fleet, 'fleet.c'), encoding='utf-8') as file:
        text = file.read()
    assert text.count('sizeof(struct ship) ==') == 1


# -- columns that the spec lists -----------------------------------------------------------------------------------

LISTED = '''bespoke: 1
containers:
  fleet: {layout: soa, element: {type: struct dot, header: dot.h, fields: {id: uint32_t, x: float, link: struct dot *}}, ordering: unordered}
'''
DOT = '#include <stdint.h>\nstruct dot { uint32_t id; float x; struct dot *link; };\n'


@pytest.fixture(scope='module')
def listed(tmp_path_factory):
    return generated(str(tmp_path_factory.mktemp('listed')), [], LISTED, dot_h=DOT)


@pytest.mark.parametrize('cell', ['gcc-c99', 'gcc-c11', 'clang-c11', 'g++', 'clang++', 'tcc'])
@pytest.mark.parametrize('old,new', [('', ''), ('float x;', 'float x; int y; int z;'), ('float x;', 'int x;'), ('uint32_t id; float x;', 'float x; uint32_t id;'),
                                     ('float x;', 'double x;')])
def test_columns_that_are_listed(listed, cell, old, new):
    with open(os.path.join(listed, 'dot.h'), 'w', encoding='utf-8') as file:
        file.write(DOT.replace(old, new) if old else DOT)
    code, said = compiled(listed, cell)
    assert (code == 0) == (not old), said
    if old:
        assert 'element.fields' in said or 'element_fields' in said
        assert 'bespoke generate fleet.yaml' in said or 'bespoke_generate_fleet_yaml' in said
        assert 'struct dot' in said or 'struct_dot' in said
    else:
        assert said == ''


@pytest.mark.parametrize('cell', ['gcc-c99', 'gcc-c11', 'clang-c11', 'g++', 'clang++'])
def test_columns_without_their_member(listed, cell):
    """The first error says what to do, in what uses the header, too."""
    with open(os.path.join(listed, 'dot.h'), 'w', encoding='utf-8') as file:
        file.write(DOT.replace('float x; ', ''))
    with open(os.path.join(listed, 'user.c'), 'w', encoding='utf-8') as file:
        file.write('#include "fleet.h"\n')
    for source in ('fleet.c', 'user.c'):
        code, said = compiled(listed, cell, source)
        assert code != 0
        [at, *_] = re.findall(r'fleet\.h:(\d+):\d+: error: ', said)
        with open(os.path.join(listed, 'fleet.h'), encoding='utf-8') as file:
            line = file.read().splitlines()[int(at) - 1]
        assert re.search(r'; +/\* if it was removed: bespoke generate fleet\.yaml \*/\Z', line)
        assert line in said[:said.index('error: ', said.index('error: ') + 1)]


# -- types of all kinds ------------------------------------------------------------------------------------------

KINDS = {
    'struct packed': ('struct packed { char c; int i; } __attribute__((packed));',
                      (TypeField('c', 'char'), TypeField('i', 'int')), {'packed': True}),
    'struct squeezed': ('#pragma pack(push, 2)\nstruct squeezed { char c; int i; struct { char a; double d; } in; };\n#pragma pack(pop)',
                        (TypeField('c', 'char'), TypeField('i', 'int'),
                         TypeField('in', 'struct', packed=2, fields=(TypeField('a', 'char'), TypeField('d', 'double')))), {'packed': 2}),
    'struct wide': ('struct wide { char c; } __attribute__((aligned(32)));', (TypeField('c', 'char'),), {'aligned': 32}),
    'struct spaced': ('struct spaced { char c; float f __attribute__((aligned(16))); char d; };',
                      (TypeField('c', 'char'), TypeField('f', 'float', aligned=16), TypeField('d', 'char')), {}),
    'named': ('typedef struct { int a; volatile int b; } named;', (TypeField('a', 'int'), TypeField('b', 'volatile int')), {}),
    'struct deep': ('struct deep { struct { struct { int a[2][3]; } in[2][2]; union { int i; float f; } u; } at; struct { int q; } *to; };',
                    (TypeField('at', 'struct', fields=(
                        TypeField('in', 'struct[2][2]', fields=(TypeField('a', 'int[2][3]'),)),
                        TypeField('u', 'union', fields=(TypeField('i', 'int'), TypeField('f', 'float'))))),
                     TypeField('to', 'struct *', fields=(TypeField('q', 'int'),))), {}),
    'union either': ('union either { int i; float f; char text[8]; };',
                     (TypeField('i', 'int'), TypeField('f', 'float'), TypeField('text', 'char[8]')), {}),
    'struct bits': ('struct bits { unsigned a : 3; unsigned : 0; unsigned b : 5; unsigned : 2; const int c : 4; };',
                    (TypeField('a', 'unsigned int', bits=3), TypeField('', 'unsigned int', bits=0), TypeField('b', 'unsigned int', bits=5),
                     TypeField('', 'unsigned int', bits=2), TypeField('c', 'const int', bits=4, const=True)), {}),
    'struct tables': ('struct tables { int (*all[4])(void); void (*(*give)(int))(float); float (*grid)[3]; enum { ON, OFF } state; };',
                      (TypeField('all', 'int (*[4])(void)'), TypeField('give', 'void (*(*)(int))(float)'), TypeField('grid', 'float (*)[3]'),
                       TypeField('state', 'enum', of='unsigned int')), {}),
}
KINDS['struct outer'] = ('struct outer { struct inner { int a; } in, pair[2]; struct inner *to; enum weather { WET, DRY } now; int last; };', (
    TypeField('in', 'struct inner', local=True), TypeField('pair', 'struct inner[2]', local=True), TypeField('to', 'struct inner *', local=True),
    TypeField('now', 'enum weather', local=True), TypeField('last', 'int')), {})
C_ONLY = {  # what C++ does not have, or not without a warning
    'struct open': ('struct open { int count; char data[]; };', (TypeField('count', 'int'), TypeField('data', 'char[]')), {}),
    'struct sides': ('struct sides { int kind; __extension__ union { int i; __extension__ struct { short a, b; }; }; struct sides *next; };',
                     (TypeField('kind', 'int'), TypeField('', 'union', fields=(TypeField('i', 'int'), TypeField('', 'struct', fields=(
                         TypeField('a', 'short'), TypeField('b', 'short'))))), TypeField('next', 'struct sides *')), {}),
}


@pytest.mark.parametrize('cell', CELLS)
def test_types_of_all_kinds(tmp_path, cell):
    kinds = dict(KINDS) if '++' in cell else dict(KINDS, **C_ONLY)
    infos = [TypeInfo(type_, 'kinds.h', type_.split()[0] if ' ' in type_ else 'struct', fields, **more)
             for type_, (_, fields, more) in kinds.items()]
    spec = 'bespoke: 1\ncontainers:\n' + ''.join(
        '  list_%d: {element: {type: %s, header: kinds.h, by: pointer}}\n' % (number, info.type) for number, info in enumerate(infos))
    text = '\n'.join(text for text, _, _ in kinds.values()) + '\n'
    folder = generated(str(tmp_path), infos, spec, kinds_h=text)
    with open(os.path.join(folder, 'fleet.c'), encoding='utf-8') as file:
        source = file.read()
    for info in infos:
        assert f'{info.type} has changed' in source
    assert compiled(folder, cell) == (0, '')
    for old, new in (('char c; int i; }', 'char c; float i; }'), ('short a, b;', 'short b, a;'), ('wide { char c; }', 'wide { int c; }'), ('int a[2][3]', 'int a[3][2]'),
                     ('float f; char text', 'int f; char text'), ('unsigned b : 5', 'unsigned c : 5'), ('int a; volatile', 'int b; volatile'), ('int last; };', 'int lost; };')):
        if old in text:
            with open(os.path.join(folder, 'kinds.h'), 'w', encoding='utf-8') as file:
                file.write(text.replace(old, new))
            code, said = compiled(folder, cell)
            assert code != 0 and 'fleet.c' in said, (old, said)


# -- with what reads headers -------------------------------------------------------------------------------------------

needs_libclang = pytest.mark.skipif(not libclang.available()[0], reason='needs libclang: apt-get install python3-clang')


def bespoke(folder, *arguments):
    result = subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), *arguments], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, universal_newlines=True)
    return result.returncode, result.stdout


@needs_libclang
def test_from_a_change_of_the_header_to_the_next(tmp_path):
    """What a build sees of each kind of change, and what `check` sees of what hides between two members."""
    folder = str(tmp_path)

    def write(members):
        with open(os.path.join(folder, 'ship.h'), 'w', encoding='utf-8') as file:
            file.write('struct ship { %s };\n' % members)

    write('char kind; double x;')
    with open(os.path.join(folder, 'fleet.yaml'), 'w', encoding='utf-8') as file:
        file.write('bespoke: 1\ncontainers:\n  fleet: {element: {type: struct ship, header: ship.h}}\n')
    bring = (('type', 'import', 'fleet.yaml'), ('generate', '-q', '-o', '.', 'fleet.yaml'))
    check = ('check', '-o', '.', 'fleet.yaml')
    for command in (*bring, check, ('check', '--types', '-o', '.', 'fleet.yaml')):
        assert bespoke(folder, *command)[0] == 0, command
    assert compiled(folder, 'gcc-c99') == (0, '')

    # Between the two members there was room.
    write('char kind; char hidden; double x;')
    assert compiled(folder, 'gcc-c99') == (0, '')
    assert bespoke(folder, *check)[0] == 0
    code, said = bespoke(folder, 'check', '--types', '-o', '.', 'fleet.yaml')
    assert code == 1 and "'hidden' is new" in said
    # A lock that is brought up to date alone is noticed without the header.
    assert bespoke(folder, *bring[0])[0] == 0
    assert bespoke(folder, *check)[0] == 1
    assert bespoke(folder, *bring[1])[0] == 0
    assert bespoke(folder, *check)[0] == 0 and compiled(folder, 'gcc-c99') == (0, '')

    # What it did not hide: the build stops, and what it says to run mends it.
    write('char kind; char hidden; float x;')
    code, said = compiled(folder, 'gcc-c11')
    assert code != 0 and 'struct ship has changed (x): run bespoke type import fleet.yaml && bespoke generate fleet.yaml' in said
    for command in bring:
        assert bespoke(folder, *command)[0] == 0
    assert compiled(folder, 'gcc-c11') == (0, '')


@needs_libclang
@pytest.mark.parametrize('header', list(dict.fromkeys(header for header, _ in OTHERS)))
def test_types_of_others(tmp_path, header):
    """Structs of libraries, in the languages for which they declare the same."""
    if not has(header):
        pytest.skip(f'needs {header}')
    folder = str(tmp_path)
    types = [type_ for other, type_ in OTHERS if other == header]
    with open(os.path.join(folder, 'fleet.yaml'), 'w', encoding='utf-8') as file:
        file.write('bespoke: 1\ncontainers:\n' + ''.join(
            f'  list_{number}: {{element: {{type: {type_}, header: {header}, by: pointer}}}}\n' for number, type_ in enumerate(types)))
    assert bespoke(folder, 'type', 'import', 'fleet.yaml')[0] == 0
    assert bespoke(folder, 'generate', '-q', '--no-format', '-o', '.', 'fleet.yaml')[0] == 0
    with open(os.path.join(folder, 'fleet.c'), encoding='utf-8') as file:
        source = file.read()
    for type_ in types:
        assert f'{type_} has changed' in source
    for cell in ('gcc-c99', 'gcc-c11', 'clang-c11') + (('g++', 'clang++') if header in ('<SDL2/SDL.h>', '<enet/enet.h>') else ()):
        assert compiled(folder, cell) == (0, ''), cell


NAMED = '''#ifndef NODE_H
#define NODE_H
struct node { int id; unsigned bit : 1; float at[3]; struct { int x; } in; struct node *next, *prev; void *owner; };
#endif
'''
RENAMED = {
    'a key': ('int id;', 'int number;', "lists.yaml: 'identity.key' names 'id' of struct node"),
    'a predicate': ('unsigned bit : 1;', 'unsigned flag : 1;', "lists.yaml: 'removal.expired' names 'bit' of struct node"),
    'a sort key': ('{ int x; } in;', '{ int x; } inner;', "lists.yaml: 'sort.key' names 'in' of struct node"),
    'another owner': ('void *owner;', 'int owner;', "lists.yaml: 'element.link.owner' names 'owner' of struct node, which must be a struct chain * or a void *"),
    'another link': ('*prev;', '*other; long prev;', "lists.yaml: 'element.link.prev' names 'prev' of struct node, which must be a struct node *"),
}


@pytest.mark.parametrize('compiler', ['gcc', 'clang'])
def test_members_of_a_type_without_a_lock(tmp_path, compiler):
    """Where a member that the spec names has changed since, the line of an error names the spec, the key and the member."""
    if shutil.which(compiler) is None:
        pytest.skip('needs ' + compiler)
    (tmp_path / 'node.h').write_text(NAMED)
    (tmp_path / 'lists.yaml').write_text('''bespoke: 1
defaults: {element: {type: struct node, header: node.h}}
containers:
  chain: {element: {link: {next: next, prev: prev, owner: owner}}}
  keyed: {identity: {key: element->id}, duplicates: reject}
  crew: {ordering: sorted, sort: element->in.x, removal: {policy: prune, expired: "element->bit || element->at[0] > 1"}}
''')
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'], cwd=tmp_path, check=True)

    def said(standard):
        done = subprocess.run([compiler, f'-std={standard}', *FLAGS, '-c', 'lists.c', '-o', 'lists.o'], cwd=tmp_path, stderr=subprocess.PIPE, encoding='utf-8')
        return done.stderr.replace("\\'", "'") if done.returncode else ''

    assert [said(standard) for standard in ('c99', 'c11', 'c17')] == [''] * 3
    for before, after, words in RENAMED.values():
        (tmp_path / 'node.h').write_text(NAMED.replace(before, after))
        text = said('c11')
        errors = text[text.index('error:'):].split('error:')[1:]
        # An expression is in the header where its function is inlined.
        assert words in (text if 'removal' in words else errors[0]), text
