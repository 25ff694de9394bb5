"""Handles: the header of their own (`emit.handles_header`), with elements of two containers that hold handles of each other; and of equal elements."""

import contextlib
import io
import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

from generator.tool import cli
from generator.types import libclang

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wsign-conversion', '-Wshadow', '-Wundef', '-Wcast-qual', '-Werror']
SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include "game_handles.h"
struct ship { int number; crew_handle captain; };
#endif
'''
SAILOR = '''#ifndef SAILOR_H
#define SAILOR_H
#include "game_handles.h"
struct sailor { int number; fleet_handle ship; };
#endif
'''
GAME = '''bespoke: 1
defaults: {handles: generational, emit: {handles_header: true}}
containers:
  fleet: {element: {type: struct ship, header: ship.h}, ordering: unordered}
  crew: {element: {type: struct sailor, header: sailor.h}, ordering: insertion}
  marks: {element: int, handles: none}
'''
# A ship finds its captain and he finds her, until one of them is gone.
MAIN = '''#include "game.h"
#include <stdio.h>

int main(void)
{
    static fleet ships;
    static crew hands;
    fleet_handle ship = {0, 0};
    crew_handle captain = {0, 0};
    struct ship *found;
    struct sailor *master;
    struct ship one = {1, {0, 0}};
    struct sailor two = {2, {0, 0}};

    if (fleet_add_handle(&ships, one, &ship) != FLEET_OK || crew_add_handle(&hands, two, &captain) != CREW_OK) {
        return 1;
    }
    fleet_get(&ships, ship)->captain = captain;
    crew_get(&hands, captain)->ship = ship;

    CREW_EACH(&hands, sailor) {
        found = fleet_get(&ships, sailor->ship);
        master = found == NULL ? NULL : crew_get(&hands, found->captain);
        printf("sailor %d sails ship %d of captain %d\\n", sailor->number, found->number, master->number);
    }
    if (fleet_remove(&ships, ship) != FLEET_OK || fleet_add(&ships, one) != FLEET_OK) {
        return 1;
    }
    printf("the ship of sailor %d %s\\n", crew_get(&hands, captain)->number,
           fleet_get(&ships, crew_get(&hands, captain)->ship) == NULL ? "is gone" : "is another one");
    fleet_deinit(&ships);
    crew_deinit(&hands);
    return 0;
}
'''
SAYS = 'sailor 2 sails ship 1 of captain 2\nthe ship of sailor 2 is gone\n'


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A folder with a spec, the headers of its elements, and a program."""
    monkeypatch.chdir(tmp_path)
    for name, text in (('game.yaml', GAME), ('ship.h', SHIP), ('sailor.h', SAILOR), ('main.c', MAIN)):
        (tmp_path / name).write_text(text)
    return tmp_path


def bespoke(*arguments, code=0):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        got = cli.main(list(arguments))
    assert got == code, said.getvalue()
    return said.getvalue()


def compiled(*command):
    done = subprocess.run([*command, '-I.', '-Iout', '-o', 'program'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=120)
    assert done.returncode == 0, done.stdout
    return subprocess.run(['./program'], stdout=subprocess.PIPE, encoding='utf-8', timeout=60, check=True).stdout


COMPILERS = [['gcc', '-std=c99', '-Wstrict-prototypes'], ['clang', '-std=c17'], ['g++', '-std=c++17', '-x', 'c++']]


@pytest.mark.parametrize('compiler', COMPILERS, ids=lambda compiler: compiler[0])
def test_two_containers_name_each_others_handles(game, compiler):
    if not shutil.which(compiler[0]):
        pytest.skip(f'{compiler[0]} is not installed')
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', 'out')
    sources = ['main.c', 'out/game.c']
    assert compiled(*compiler, *WARNINGS, *sources) == SAYS
    for name in ('ship.h', 'out/game_handles.h'):  # each stands by itself
        done = subprocess.run([compiler[0], compiler[1], *WARNINGS, '-I.', '-Iout', '-include', name, '-fsyntax-only', '-x',
                               'c++' if compiler[0] == 'g++' else 'c', os.devnull], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize('emit, main', [
    ('files: single', [('#include "game.h"', '#define GAME_IMPLEMENTATION\n#include "game.h"')]),
    ('support: shared, cplusplus: true', []),
    ('operations: [add_handle, get, remove, add, each]', []),
    ('types: pascal, functions: camel, prefix: g_', [
        ('FLEET_', 'G_FLEET_'), ('CREW_', 'G_CREW_'), ('fleet_handle', 'g_FleetHandle'), ('crew_handle', 'g_CrewHandle'),
        ('static fleet', 'static g_Fleet'), ('static crew', 'static g_Crew'),
        *((f'{name}_{what}(', f'g_{name}{"".join(part.title() for part in what.split("_"))}(')
          for name in ('fleet', 'crew') for what in ('add_handle', 'add', 'get', 'remove', 'deinit'))]),
], ids=('single', 'shared', 'chosen', 'styles'))
def test_with_the_other_keys_of_emitting(game, emit, main):
    def respelled(text):
        for old, new in main:
            text = text.replace(old, new)
        return text

    spec = GAME.replace('handles_header: true', f'handles_header: true, {emit}')
    (game / 'game.yaml').write_text(spec.replace('handles: none', 'handles: none, emit: {operations: [add]}') if 'operations' in emit else spec)
    (game / 'main.c').write_text(respelled(MAIN))
    for name, text in (('ship.h', SHIP), ('sailor.h', SAILOR)):
        (game / name).write_text(respelled(text))
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', 'out')
    sources = ['main.c'] if 'single' in emit else ['main.c', 'out/game.c']
    assert compiled(*(COMPILERS[2] if 'cplusplus' in emit and shutil.which('g++') else COMPILERS[0]), *WARNINGS, *sources) == SAYS
    bespoke('check', '-q', 'game.yaml', '-o', 'out')
    assert sorted(bespoke('list', '--outputs', 'game.yaml').split()) == sorted(os.listdir('out'))


def test_what_a_check_finds(game):
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', 'out')
    header = game / 'out' / 'game_handles.h'
    before = header.read_text()
    header.write_text(before.replace('uint32_t index', 'uint16_t index', 1))
    assert "'out/game_handles.h' was edited by hand" in bespoke('check', 'game.yaml', '-o', 'out', code=1)
    header.unlink()
    assert "'out/game_handles.h' is missing" in bespoke('check', 'game.yaml', '-o', 'out', code=1)
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', 'out')
    assert header.read_text() == before
    (game / 'game.yaml').write_text(GAME.replace('handles_header: true', 'handles_header: false'))
    for name in ('ship.h', 'sailor.h'):
        (game / name).write_text(f'struct {name[:-2]} {{ int number; }};\n')
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', 'out')
    said = bespoke('check', 'game.yaml', '-o', 'out', code=1)
    assert "'out/game_handles.h' belongs to no spec: game.yaml does not give it" in said and 'remove: out/game_handles.h' in said


def test_containers_of_handles(game):
    """Handles are elements, and members of elements that have no header."""
    (game / 'game.yaml').write_text(GAME + '''  targets: {element: {type: fleet_handle, header: game_handles.h}, handles: none}
  orders: {layout: soa, element: {fields: {who: crew_handle, where: fleet_handle}, header: game_handles.h}, handles: none}
  idle: {element: int, emit: {operations: [add, each]}}
''')
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', 'out')
    assert (game / 'out' / 'game.h').read_text().count('#include "game_handles.h"') == 1
    assert 'idle_handle;' in (game / 'out' / 'game_handles.h').read_text()  # whatever operations are chosen
    assert compiled('gcc', '-std=c99', *WARNINGS, 'main.c', 'out/game.c') == SAYS


needs_libclang = pytest.mark.skipif(not libclang.available()[0], reason='needs libclang: script/setup test')


@needs_libclang
def test_types_are_read_before_the_header_is_there(game):
    """So a clean checkout can be generated, also where nothing can be without the members of the elements."""
    (game / 'game.yaml').write_text(GAME.replace('ordering: unordered', 'layout: soa'))
    (game / 'inner').mkdir()
    os.rename('ship.h', 'inner/ship.h')
    bespoke('generate', '--types', '-q', '--no-format', 'game.yaml', '-I', 'inner', '-o', 'out', '--stamp', 'stamp', '--depfile', 'depfile')
    inputs = (game / 'depfile').read_text()
    assert 'inner/ship.h' in inputs and 'game.yaml' in inputs and 'game_handles.h' not in inputs and 'foreseen' not in inputs
    assert 'crew_handle *fleet_captain(' in (game / 'out' / 'game.h').read_text()
    bespoke('type', 'import', '-q', 'game.yaml', '-I', 'inner')
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-I', 'inner', '-o', 'out')
    bespoke('check', '--types', '-q', 'game.yaml', '-I', 'inner', '-o', 'out')


@needs_libclang
def test_an_old_header_does_not_stand_in_the_way(game):
    """What is read is what the spec gives now, beside the headers of elements, too."""
    (game / 'game.yaml').write_text(GAME.replace('  crew:', '  hands:'))
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', '.')
    (game / 'game.yaml').write_text(GAME.replace('{handles: generational,', '{handles: {kind: generational, index_bits: 16},'))
    bespoke('type', 'import', '-q', 'game.yaml')
    lock = (game / 'types' / 'struct_ship.yaml').read_text()
    assert 'type: crew_handle' in lock and '{name: index, type: uint16_t}' in lock
    bespoke('generate', '-q', '--no-format', 'game.yaml', '-o', '.')
    assert subprocess.run(['gcc', '-c', *WARNINGS, '-I.', 'game.c']).returncode == 0  # the lock is asserted


@needs_libclang
def test_two_specs_of_a_folder(game):
    """Each is read with what the other will give, in whatever order they are generated."""
    (game / 'game.yaml').unlink()
    for own, other, element in (('fleet', 'crew', 'ship'), ('crew', 'fleet', 'sailor')):
        (game / f'{own}.yaml').write_text(f'''bespoke: 1
containers:
  {own}: {{element: {{type: struct {element}, header: {element}.h}}, handles: generational, layout: soa, emit: {{handles_header: true}}}}
''')
        (game / f'{element}.h').write_text(f'#include "{other}_handles.h"\nstruct {element} {{ int number; {other}_handle it; }};\n')
    bespoke('generate', '-q', '--no-format', '--types', 'crew.yaml', '-o', 'out')
    bespoke('generate', '-q', '--no-format', '--types', 'fleet.yaml', '-o', 'out')
    for name in ('crew', 'fleet'):
        assert subprocess.run(['gcc', '-c', *WARNINGS, '-I.', '-Iout', f'out/{name}.c']).returncode == 0


@needs_libclang
def test_a_header_that_no_spec_gives(game):
    (game / 'game.yaml').write_text(GAME.replace('handles_header: true', 'handles_header: false'))
    said = bespoke('type', 'import', 'game.yaml', code=2)
    assert "'game_handles.h' file not found [BSP0324]" in said and "help: `emit: {handles_header: true}` in 'game.yaml' generates it" in said


EQUAL = """bespoke: 1
defaults: {element: {type: struct one, header: one.h}, identity: {key: element->key}}
containers:
  tight: {ordering: unordered, removal: swap, handles: generational}
  chunky: {ordering: unordered, removal: reuse, storage: chunked, handles: generational}
  chain: {ordering: explicit, storage: linked}
  lent: {element: {by: pointer}, ordering: explicit, storage: linked}
  alone: {element: {by: pointer}, ordering: unordered, removal: reuse, duplicates: reject, index: hash, handles: generational}
  family: {ordering: tree, storage: linked}
"""

EQUAL_MAIN = """
#include "equal.h"
#include <stdio.h>
#include <stdlib.h>

#define HOLDS(what) ((what) ? (void)0 : (void)(printf("line %d: %s\\n", __LINE__, #what), exit(1)))

#define HANDLES(T, OK, STALE) \\
    do { \\
        T list = {0}; \\
        struct one *a, *b, copy = {7, 0}; \\
        T##_handle first, second; \\
\\
        HOLDS(T##_add_handle(&list, (struct one){7, 1}, &first) == OK && T##_add_handle(&list, (struct one){7, 2}, &second) == OK); \\
        a = T##_get(&list, first); \\
        b = T##_get(&list, second); \\
        HOLDS(T##_get(&list, T##_handle_of(&list, a)) == a && T##_get(&list, T##_handle_of(&list, b)) == b); \\
        HOLDS(T##_get(&list, T##_handle_of(&list, &copy)) == NULL); \\
        HOLDS(T##_remove(&list, T##_handle_of(&list, b)) == OK && T##_remove(&list, second) == STALE && T##_get(&list, first)->due == 1); \\
        T##_deinit(&list); \\
    } while (0)

int main(void)
{
    chain links = {0};
    lent pointers = {0};
    alone unique = {0};
    family tree = {0};
    struct one ones[3] = {{7, 0}, {7, 1}, {7, 2}};
    struct one *parent, *child;
    int steps = 0;

    HANDLES(tight, TIGHT_OK, TIGHT_STALE);
    HANDLES(chunky, CHUNKY_OK, CHUNKY_STALE);
    for (int i = 0; i < 3; i++) {
        HOLDS(chain_add(&links, ones[i]) == CHAIN_OK && lent_add(&pointers, &ones[i]) == LENT_OK);
    }
    for (const struct one *at = chain_first(&links); at != NULL; at = chain_next_of(&links, at)) {
        HOLDS(steps < 3 && at->due == steps++);
    }
    for (const struct one *at = lent_last(&pointers); at != NULL; at = lent_previous_of(&pointers, at)) {
        HOLDS(steps > 0 && at == &ones[--steps]);
    }
    HOLDS(lent_move_to_front(&pointers, &ones[2]) == LENT_OK && lent_first(&pointers) == &ones[2]);
    HOLDS(chain_next_of(&links, &ones[1]) == NULL); /* a copy is not in */
    HOLDS(alone_add(&unique, &ones[1]) == ALONE_OK && alone_get(&unique, alone_handle_of(&unique, &ones[1])) == &ones[1]);
    HOLDS(alone_get(&unique, alone_handle_of(&unique, &ones[0])) != NULL);
    HOLDS(family_add(&tree, ones[0]) == FAMILY_OK);
    parent = family_first(&tree);
    HOLDS(family_add_child(&tree, parent, ones[1]) == FAMILY_OK);
    parent = family_first(&tree);
    child = family_first_child_of(&tree, parent);
    HOLDS(child != NULL && child != parent && family_parent_of(&tree, child) == parent && family_parent_of(&tree, parent) == NULL);
    HOLDS(family_first_child_of(&tree, child) == NULL);
    chain_deinit(&links);
    lent_deinit(&pointers);
    alone_deinit(&unique);
    family_deinit(&tree);
    return 0;
}
"""


def test_equal_elements_have_handles_and_neighbours_of_their_own(tmp_path):
    """An element that the caller has in hand is found by its address, also where others have the same key."""
    (tmp_path / 'equal.yaml').write_text(EQUAL)
    (tmp_path / 'one.h').write_text('struct one { int key, due; };\n')
    (tmp_path / 'main.c').write_text(EQUAL_MAIN)
    for command in ([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'equal.yaml', '-o', '.', '--no-format'],
                    [*os.environ.get('CC', 'cc').split(), *WARNINGS, 'main.c', 'equal.c', '-o', 'equal'], ['./equal']):
        done = subprocess.run(command, cwd=str(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        assert done.returncode == 0, done.stdout


SIDES = '''bespoke: 1
containers:
  crowd:
    element: int
    layers: {names: [awake, asleep, stunned], ordering: unordered, handles: shared}
    removal: swap
    handles: generational
    allocator: {kind: plain, alloc: scarce_alloc, realloc: scarce_realloc, free: scarce_free}
'''
# What layers have reserved is theirs, whatever the others add, move and remove; and a handle leads to one element only, wherever that is.
SIDES_MAIN = '''#include "crowd.h"
#include <stdio.h>
#include <stdlib.h>

static bool refuses;

void *scarce_alloc(size_t bytes) { return refuses ? NULL : malloc(bytes); }
void *scarce_realloc(void *block, size_t bytes) { return refuses ? NULL : realloc(block, bytes); }
void scarce_free(void *block) { free(block); }

#define HOLDS(condition) if (!(condition)) { printf("line %d: " #condition "\\n", __LINE__); return 1; }

int main(void)
{
    static crowd list, moved;
    static crowd_layer_handle named[300];
    crowd_layer_handle first;

    HOLDS(crowd_layer_reserve(crowd_layer_at(&list, CROWD_AWAKE), 100) == CROWD_LAYER_OK);
    HOLDS(crowd_layer_reserve(crowd_layer_at(&list, CROWD_STUNNED), 100) == CROWD_LAYER_OK);
    for (int i = 0; i < 100; i++) {
        HOLDS(crowd_add_handle(&list, CROWD_ASLEEP, i, &named[i]) == CROWD_OK);
    }
    refuses = true;
    for (int i = 100; i < 200; i++) {
        HOLDS(crowd_add_handle(&list, CROWD_AWAKE, i, &named[i]) == CROWD_OK);
    }
    for (int i = 0; i < 100; i++) {
        HOLDS(crowd_move(&list, named[i], CROWD_STUNNED) == CROWD_OK);
    }
    HOLDS(crowd_move(&list, named[100], CROWD_STUNNED) == CROWD_NO_MEMORY || crowd_layer_of(&list, named[100]) == CROWD_STUNNED);
    refuses = false;
    moved = list; /* no pass is live, and elements do not know where they are */
    for (int i = 0; i < 200; i++) {
        HOLDS(*crowd_get(&moved, named[i]) == i && (i == 100 || crowd_layer_of(&moved, named[i]) == (i < 100 ? CROWD_STUNNED : CROWD_AWAKE)));
    }
    first = named[0];
    HOLDS(crowd_remove(&moved, first) == CROWD_OK && crowd_get(&moved, first) == NULL && crowd_layer_of(&moved, first) == CROWD_LAYERS);
    HOLDS(crowd_add_handle(&moved, CROWD_AWAKE, 7, &named[0]) == CROWD_OK && named[0].index == first.index);
    HOLDS(crowd_get(&moved, first) == NULL && crowd_move(&moved, first, CROWD_ASLEEP) == CROWD_STALE && crowd_remove(&moved, first) == CROWD_STALE);
    crowd_layer_deinit(crowd_layer_at(&moved, CROWD_AWAKE)); /* the others keep their handles */
    HOLDS(*crowd_get(&moved, named[50]) == 50 && crowd_get(&moved, named[150]) == NULL && crowd_check(&moved) == NULL);
    HOLDS(crowd_move(&moved, named[50], CROWD_AWAKE) == CROWD_OK && *crowd_get(&moved, named[50]) == 50 && crowd_check(&moved) == NULL);
    crowd_deinit(&moved);
    return 0;
}
'''


def test_handles_that_layers_share_keep_what_is_reserved(tmp_path):
    (tmp_path / 'crowd.yaml').write_text(SIDES)
    (tmp_path / 'main.c').write_text(SIDES_MAIN)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        assert cli.main(['generate', str(tmp_path / 'crowd.yaml'), '-o', str(tmp_path), '-q']) == 0, said.getvalue()
    compiled = subprocess.run(['gcc', '-std=c99', '-O1', '-fsanitize=address,undefined', *WARNINGS, '-I.', '-o', 'program', 'main.c', 'crowd.c'], cwd=tmp_path,
                              capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr
    ran = subprocess.run([str(tmp_path / 'program')], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
