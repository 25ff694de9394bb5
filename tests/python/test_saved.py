"""Whatever bytes T_load reads: tests/fuzz/loads.c under sanitizers, and with `script/test --full` by libFuzzer, too; and back in time."""

import os
import subprocess

import pytest
from conftest import ROOT

import machine
from turns import FULL

SPECS = os.path.join(ROOT, 'tests', 'specs')
PROGRAM = os.path.join(ROOT, 'tests', 'fuzz', 'loads.c')
SANITIZED = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=undefined']


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **more)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp('saved')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(SPECS, 'saved.yaml'), '-o', str(made), '-I', SPECS, '--no-format')
    return made


def built(folder, compiler, name, *options):
    program = str(folder / name)
    run(*compiler.split(), *options, '-I', str(folder), '-I', SPECS, PROGRAM, '-o', program)
    return program


def test_damaged_bytes(folder):
    compiler = os.environ.get('CC', 'cc')
    options = SANITIZED if machine.runs(*compiler.split(), *SANITIZED) else ['-O1']
    printed = run(built(folder, compiler, 'loads', *options), '20000' if FULL else '1000')
    assert printed.count('accepted') == 24


@pytest.mark.skipif(not FULL or not machine.has_fuzzer('address', 'undefined'), reason='only with --full, and with libFuzzer')
def test_libfuzzer(folder):
    program = built(folder, 'clang', 'fuzzes', *SANITIZED, '-fsanitize=fuzzer', '-DFUZZER')
    seeds, found = folder / 'seeds', folder / 'found'
    seeds.mkdir()
    found.mkdir()
    run(built(folder, 'clang', 'loads', *SANITIZED), 'seeds', str(seeds))
    for number in range(24):
        run(program, '-max_total_time=60', '-max_len=4096', '-malloc_limit_mb=256', f'-artifact_prefix={folder}/', str(found), str(seeds),
            env={**os.environ, 'ONLY': str(number)})


def test_rollback(folder):
    """examples/rollback: the game that goes back in each frame is the same as the one that does not."""
    example = os.path.join(ROOT, 'examples', 'rollback')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(example, 'battle.yaml'), '-o', str(folder), '-I', example, '--no-format')
    compiler = os.environ.get('CC', 'cc')
    options = SANITIZED if machine.runs(*compiler.split(), *SANITIZED) else ['-O1']
    program = str(folder / 'rollback')
    run(*compiler.split(), *options, '-I', example, '-I', str(folder), os.path.join(example, 'main.c'), str(folder / 'battle.c'), '-o', program)
    printed = run(program)
    with open(os.path.join(example, 'README.md'), encoding='utf-8') as file:
        assert ''.join(f'# {line}\n' for line in printed.splitlines()) in file.read()
    assert '500 shots' in run(program, 'cost')


OTHER_BASE = """
#include "battle.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    static unsigned char base[sizeof(rocks) + 300 * sizeof(struct rock)], delta[sizeof base * 2];
    rocks list = {0};
    struct rock rock = {1, 2, 3, 4};
    size_t bytes;

    for (int i = 0; i < 300; i++) {
        (void)rocks_add(&list, rock);
    }
    if (!rocks_snapshot(&list, base, sizeof base)) {
        return 2;
    }
    rocks_get(&list, 299)->ore = 7; /* nothing has heard of it */
    bytes = rocks_snapshot_delta(&list, base, delta, 0);
    if (bytes != rocks_snapshot_delta(&list, base, delta, sizeof delta) || bytes > sizeof list + 2 * 256) {
        return 3;
    }
    rocks_get(&list, 299)->ore = 8;
    base[sizeof base - 1] ^= (unsigned char)(count - 1);
    (void)arguments;
    if (rocks_rollback_delta(&list, base, delta) != ROCKS_OK || rocks_get(&list, 299)->ore != 7) {
        return 4;
    }
    rocks_deinit(&list);
    return 0;
}
"""


def test_delta_of_another_base(folder):
    """With BESPOKE_CHECKS it stops the program; and a delta is as long as what has changed."""
    example = os.path.join(ROOT, 'examples', 'rollback')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(example, 'battle.yaml'), '-o', str(folder), '-I', example, '--no-format')
    (folder / 'other.c').write_text(OTHER_BASE, encoding='utf-8')
    program = str(folder / 'other')
    run(*os.environ.get('CC', 'cc').split(), '-DBESPOKE_CHECKS=1', '-I', example, '-I', str(folder), str(folder / 'other.c'), str(folder / 'battle.c'), '-o', program)
    run(program)
    done = subprocess.run([program, 'damaged'], stderr=subprocess.PIPE, universal_newlines=True, check=False)
    assert done.returncode != 0
    assert 'the delta is of another base, or the base has changed since' in done.stderr


BACK = """bespoke: 1
defaults:
  element: {type: struct one, header: one.h}
  emit: {snapshot: true}
containers:
  timers: {preset: timer_queue, sort: {key: element->due}}
  hashed: {element: {by: pointer}, ordering: unordered, duplicates: reject, identity: {key: element->key}, index: hash}
  called: {element: {by: pointer}, ordering: unordered, indexes: {by_key: {key: element->key, unique: true}, by_due: {key: element->due}}}
  keyed: {element: {by: pointer}, ordering: unordered, duplicates: reject, identity: {key: element->key}, index: {kind: dense, keys: 256}}
  both: {element: {by: pointer}, ordering: unordered, duplicates: reject, identity: {key: element->key}, index: {kind: dense, keys: 256},
         indexes: {by_due: {key: element->due, unique: true}}}
"""

BACK_MAIN = """
#include "back.h"
#include <stdio.h>
#include <stdlib.h>

#define HOLDS(what) ((what) ? (void)0 : (void)(printf("line %d: %s\\n", __LINE__, #what), exit(1)))
#define MANY 150

static unsigned char base[1 << 16], memory[1 << 16];
static struct one objects[MANY + 10];

/* A handle that was given after the snapshot is stale for good. */
static void handles_after(void)
{
    timers list = {0};
    timers_handle removed, late[40];
    struct one first = {0, 0};

    for (int i = 1; i <= 6; i++) {
        HOLDS(timers_add(&list, (struct one){i, 10 * i}) == TIMERS_OK);
    }
    HOLDS(timers_add_handle(&list, (struct one){7, 5}, &removed) == TIMERS_OK);
    HOLDS(timers_remove(&list, removed) == TIMERS_OK);
    HOLDS(timers_snapshot(&list, memory, sizeof memory));
    for (int again = 0; again < 4; again++) {
        for (int i = 0; i < 10; i++) {
            HOLDS(timers_add_handle(&list, (struct one){8, 1}, &late[again * 10 + i]) == TIMERS_OK);
        }
        HOLDS(timers_rollback(&list, memory) == TIMERS_OK && timers_check(&list) == NULL);
        for (int adds = 0; adds < 3; adds++) {
            timers_handle added[20];

            for (int i = 0; i < (again + 1) * 10; i++) {
                HOLDS(timers_get(&list, late[i]) == NULL && timers_rekey(&list, late[i]) == TIMERS_STALE && timers_remove(&list, late[i]) == TIMERS_STALE);
            }
            for (int i = 0; i < 20; i++) {
                HOLDS(timers_add_handle(&list, (struct one){9, 2}, &added[i]) == TIMERS_OK);
            }
            for (int i = 0; i < 20; i++) {
                HOLDS(timers_get(&list, added[i])->key == 9);
            }
            for (int i = 0; i < (again + 1) * 10; i++) {
                HOLDS(timers_get(&list, late[i]) == NULL);
            }
            for (int i = 0; i < 20; i++) {
                HOLDS(timers_remove(&list, added[i]) == TIMERS_OK);
            }
        }
    }
    for (int i = 1; i <= 6; i++) {
        HOLDS(timers_pop(&list, &first) == TIMERS_OK && first.key == i);
    }
    timers_deinit(&list);
}

/* Elements that are held by pointer are other ones while the container goes back. With `shrinks` it has less memory than then. */
#define ELEMENTS_ELSEWHERE(T, OK, FIND, shrinks, delta) \\
    do { \\
        T list = {0}; \\
        size_t bytes; \\
\\
        for (int i = 0; i < MANY; i++) { \\
            objects[i] = (struct one){i, i}; \\
        } \\
        if (shrinks) { \\
            HOLDS(T##_reserve(&list, 140) == OK); \\
        } \\
        HOLDS(T##_snapshot(&list, base, sizeof base)); \\
        for (int i = 0; i < 10; i++) { \\
            HOLDS(T##_add(&list, &objects[i]) == OK); \\
        } \\
        bytes = delta ? T##_snapshot_delta(&list, base, memory, sizeof memory) : 0; \\
        HOLDS(delta ? bytes <= sizeof memory : T##_snapshot(&list, memory, sizeof memory)); \\
        if (shrinks) { \\
            T##_clear(&list); \\
            (void)T##_shrink_to_fit(&list); \\
            for (int i = 0; i < 5; i++) { \\
                objects[MANY + i] = (struct one){20 + i, 20 + i}; \\
                HOLDS(T##_add(&list, &objects[MANY + i]) == OK); \\
            } \\
        } else { \\
            for (int i = 10; i < MANY; i++) { \\
                HOLDS(T##_add(&list, &objects[i]) == OK); \\
            } \\
        } \\
        for (int i = 0; i < MANY + 10; i++) { \\
            objects[i] = (struct one){1000000 + i % 3, -1}; /* as if it was freed, or used for something else */ \\
        } \\
        HOLDS((delta ? T##_rollback_delta(&list, base, memory) : T##_rollback(&list, memory)) == OK); \\
        for (int i = 0; i < MANY + 10; i++) { \\
            objects[i] = (struct one){i, i}; \\
        } \\
        HOLDS(T##_check(&list) == NULL && T##_count(&list) == 10); \\
        for (int i = 0; i < MANY; i++) { \\
            HOLDS(FIND(&list, i) == (i < 10 ? &objects[i] : NULL)); \\
        } \\
        for (int i = 10; i < 40; i++) { \\
            HOLDS(T##_add(&list, &objects[i]) == OK && FIND(&list, i) == &objects[i]); \\
        } \\
        T##_deinit(&list); \\
    } while (0)

int main(void)
{
    handles_after();
    for (int delta = 0; delta < 2; delta++) {
        ELEMENTS_ELSEWHERE(hashed, HASHED_OK, hashed_find, 0, delta);
        ELEMENTS_ELSEWHERE(hashed, HASHED_OK, hashed_find, 1, delta);
        ELEMENTS_ELSEWHERE(called, CALLED_OK, called_find_by_key, 0, delta);
        ELEMENTS_ELSEWHERE(called, CALLED_OK, called_find_by_key, 1, delta);
        ELEMENTS_ELSEWHERE(keyed, KEYED_OK, keyed_find, 0, delta);
        ELEMENTS_ELSEWHERE(keyed, KEYED_OK, keyed_find, 1, delta);
        ELEMENTS_ELSEWHERE(both, BOTH_OK, both_find, 0, delta);
        ELEMENTS_ELSEWHERE(both, BOTH_OK, both_find, 1, delta);
        ELEMENTS_ELSEWHERE(both, BOTH_OK, both_find_by_due, 0, delta);
    }
    return 0;
}
"""


def test_what_was_given_and_what_has_changed_since(tmp_path):
    """Handles that were given after the snapshot name nothing, for good; elements that are held by pointer are not looked at."""
    (tmp_path / 'back.yaml').write_text(BACK, encoding='utf-8')
    (tmp_path / 'one.h').write_text('struct one { int key, due; };\n', encoding='utf-8')
    (tmp_path / 'main.c').write_text(BACK_MAIN, encoding='utf-8')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'back.yaml', '-o', '.', '--no-format', cwd=str(tmp_path))
    compiler = os.environ.get('CC', 'cc')
    options = SANITIZED if machine.runs(*compiler.split(), *SANITIZED) else ['-O1']
    run(*compiler.split(), *options, 'main.c', 'back.c', '-o', 'back', cwd=str(tmp_path))
    run('./back', cwd=str(tmp_path))


BESIDE = """bespoke: 1
defaults: {element: int, ordering: unordered, handles: generational, removal: swap, emit: {persist: true}}
containers:
  bare: {}
  one: {side: {heat: float}}
  two: {side: {name: uint16_t, heat: float}}
  whole: {side: {heat: int}}
"""
BESIDE_MAIN = r"""
#include "beside.h"
#include <stdio.h>

static unsigned char file[4096];
static size_t end, at;

static bool put(void *context, const void *bytes, size_t count)
{
    (void)context;
    memcpy(file + end, bytes, count);
    end += count;
    return true;
}

static bool get(void *context, void *bytes, size_t count)
{
    (void)context;
    if (count > end - at) {
        return false;
    }
    memcpy(bytes, file + at, count);
    at += count;
    return true;
}

#define NEED(what) do { if (!(what)) { fprintf(stderr, "%d: %s\n", __LINE__, #what); return 1; } } while (0)
#define SAVE(T, list) (end = 0, T##_save(list, put, NULL))
#define LOAD(T, list) (at = 0, T##_load(list, get, NULL))

int main(void)
{
    bare none = {0};
    one list = {0};
    two both = {0};
    whole other = {0};
    one_handle handle[20];
    two_handle found;

    for (int i = 0; i < 20; i++) {
        NEED(one_add_handle(&list, i, &handle[i]) == ONE_OK && (i % 2 == 0 || one_set_heat(&list, handle[i], i) == ONE_OK));
    }
    NEED(one_remove(&list, handle[3]) == ONE_OK && SAVE(one, &list) == ONE_OK);
    NEED(LOAD(bare, &none) == BARE_OTHER_TYPE && bare_count(&none) == 0); /* which has no values */
    NEED(whole_add(&other, 7) == WHOLE_OK && whole_set_heat(&other, whole_handle_of(&other, other.items), 8) == WHOLE_OK);
    NEED(LOAD(whole, &other) == WHOLE_OTHER_TYPE && whole_count(&other) == 1 && whole_count_heat(&other) == 1); /* which has others */
    NEED(LOAD(two, &both) == TWO_OK && two_count(&both) == 19 && two_count_heat(&both) == 9 && two_count_name(&both) == 0);
    found.index = handle[5].index; /* a name that the file has not */
    found.generation = handle[5].generation;
    NEED(two_get_heat(&both, found) != NULL && *two_get_heat(&both, found) == 5 && two_set_name(&both, found, 500) == TWO_OK);
    NEED(SAVE(two, &both) == TWO_OK && LOAD(one, &list) == ONE_OTHER_TYPE && one_count(&list) == 19);
    NEED(*one_get_heat(&list, handle[5]) == 5 && one_get_heat(&list, handle[3]) == NULL && one_check(&list) == NULL);
    for (size_t less = 1; less < end; less++) { /* what is not whole changes nothing, and nothing is lost */
        size_t all = end;

        end -= less;
        NEED(LOAD(two, &both) == TWO_IO && two_count_heat(&both) == 9 && *two_get_name(&both, found) == 500);
        end = all;
    }
    ONE_EACH_WITH_HEAT(&list, it) { /* which ends with what it goes over */
        NEED(SAVE(one, &list) == ONE_OK && LOAD(one, &list) == ONE_OK);
#if BESPOKE_CHECKS
        break;
#endif
    }
    NEED(one_add_handle(&list, 99, &handle[0]) == ONE_OK && one_set_heat(&list, handle[0], 99) == ONE_OK && one_count_heat(&list) == 10);
    NEED(bare_add(&none, 1) == BARE_OK && SAVE(bare, &none) == BARE_OK && LOAD(two, &both) == TWO_OK); /* as before there were any */
    NEED(two_count(&both) == 1 && two_count_heat(&both) == 0 && two_count_name(&both) == 0);
    bare_deinit(&none);
    one_deinit(&list);
    two_deinit(&both);
    whole_deinit(&other);
    return 0;
}
"""


@pytest.mark.parametrize('checks', [0, 1])
def test_values_beside_elements(tmp_path, checks):
    """docs/saving.md: names may be added, an earlier file has none, and what a container does not have is of another type."""
    (tmp_path / 'beside.yaml').write_text(BESIDE, encoding='utf-8')
    (tmp_path / 'main.c').write_text(BESIDE_MAIN, encoding='utf-8')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'beside.yaml', '-o', '.', '--no-format', cwd=str(tmp_path))
    compiler = os.environ.get('CC', 'cc')
    options = SANITIZED if machine.runs(*compiler.split(), *SANITIZED) else ['-O1']
    run(*compiler.split(), *options, f'-DBESPOKE_CHECKS={checks}', 'main.c', 'beside.c', '-o', 'beside', cwd=str(tmp_path))
    run('./beside', cwd=str(tmp_path))
