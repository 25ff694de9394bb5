"""What programs record with BESPOKE_TRACE, and what reads it."""

import csv
import json
import os
import shutil
import subprocess

import pytest
from conftest import ROOT

import machine
from generator.text.diag import Failure
from generator.traces import reader
from generator.traces.reader import BEGIN, CALL, END, FRAME, Trace

FLAGS = '-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror'.split()
SPEC = '''bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true}
containers:
  fleet: {ordering: unordered, iteration: {removes: any}}
  crew:
    ordering: insertion
    removal: tombstone
    identity: {key: element->id}
    duplicates: reject
    index: hash
    handles: generational
  names:
    element: {type: struct name, header: ship.h}
    ordering: sorted
    sort: {key: element->text, kind: string}
    identity: {key: element->text, kind: string}
    duplicates: reject
  locked: {ordering: insertion, removal: {when: deferred}}
  post: {ordering: unordered, iteration: {removes: none}, threads: {workers: 4, inbox: 64}, emit: {prefix: x_, operations: [each, each_const, worker_add, inbox_add, settle, deinit, count]}}
'''
SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; int hp; };
struct name { const char *text; };
#endif
'''
BODY = r'''
#include "lists.h"
#include <stdio.h>
#include <string.h>

static size_t room = SIZE_MAX;
static FILE *file;
static bool put(void *context, const void *bytes, size_t size)
{
    (void)context;
    if (size > room) {
        return false;
    }
    room -= size;
    return fwrite(bytes, 1, size, file) == size;
}

int main(int argc, char **argv)
{
    fleet ships = {0};
    crew men = {0};
    names named = {0};
    locked held = {0};
    crew_handle first, second;
    size_t seen = 0;

    if (argc > 2) {
        sscanf(argv[2], "%zu", &room);
        file = fopen(argv[1], "wb");
        bespoke_trace_begin_to(put, NULL);
    } else {
        bespoke_trace_begin(argv[1]);
    }
    for (uint32_t i = 0; i < 10; i++) {
        (void)fleet_add(&ships, (struct ship){i, 1});
    }
    (void)crew_add_handle(&men, (struct ship){1, 1}, &first);
    (void)crew_add_handle(&men, (struct ship){2, 1}, &second);
    (void)crew_add(&men, (struct ship){2, 5});
    (void)names_add(&named, (struct name){"abc"});
    FLEET_EACH(&ships, ship) {
        FLEET_EACH_CONST(&ships, other) {
            seen += other->id;
            break;
        }
        if (ship->id == 4) {
            fleet_remove_current(&ship_cursor);
        }
    }
    FLEET_EACH(&ships, ship) {
        if (ship->id == 2) {
            break;
        }
    }
    crew_remove(&men, first);
    crew_remove(&men, first);
    seen += crew_find(&men, 2) != NULL;
    seen += crew_find(&men, 1) != NULL;
    seen += crew_get(&men, first) != NULL;
    LOCKED_EACH(&held, none) {
        (void)none;
    }
    locked_lock(&held);
    (void)locked_add(&held, (struct ship){7, 7});
    (void)locked_add(&held, (struct ship){8, 7});
    locked_unlock(&held);
    bespoke_trace_frame();
    {
        locked_cursor cursor = locked_begin(&held);

        while (locked_next(&cursor) != NULL) {
            seen++;
        }
        locked_end(&cursor);
    }
    fleet_reserve(&ships, 500);
    crew_settle(&men);
    fleet_deinit(&ships);
    crew_deinit(&men);
    names_deinit(&named);
    locked_deinit(&held);
    for (int i = 0; i < (argc > 3 ? 200000 : 0); i++) {
        (void)fleet_add(&ships, (struct ship){1, 1});
        fleet_remove_at(&ships, 0);
    }
    fleet_deinit(&ships);
    printf("%d %zu\n", bespoke_trace_end(), seen);
    return 0;
}
'''


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """With generated containers, a program that records itself, and what it recorded."""
    path = tmp_path_factory.mktemp('trace')
    (path / 'lists.yaml').write_text(SPEC)
    (path / 'plain.yaml').write_text(SPEC.replace('  emit: {trace: true}\n', ''))
    (path / 'ship.h').write_text(SHIP)
    (path / 'main.c').write_text(BODY)
    for spec, out in (('lists', 'with'), ('plain', 'without')):
        os.rename(path / f'{spec}.yaml', path / 'lists.yaml')
        done(os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', out, cwd=path)
    build(path, '-DBESPOKE_TRACE=1')
    assert done('./main', 'a.trace', cwd=path) == '1 3\n'
    return path


def done(*command, cwd):
    result = subprocess.run(command, cwd=str(cwd), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert result.returncode == 0, result.stdout
    return result.stdout


def build(path, *flags, compiler='gcc', sources=('main.c', 'with/lists.c'), output='main'):
    done(compiler, '-std=c11', *FLAGS, '-O1', *flags, '-I', 'with', '-I', '.', *sources, '-o', output, '-pthread', cwd=path)


def events(path):
    trace = Trace(str(path))
    return trace, list(trace.events())


def told(trace, found):
    """Events by names, without times."""
    said = []
    for event in found:
        name = trace.kind(event[2]).name if event[2] else ''
        if event[0] in (CALL, BEGIN):
            call = trace.kind(event[2]).calls[event[3]][0]
            said.append((name, call, *(event[4:6])) if event[0] == CALL else (name, 'begin ' + call, event[4], event[5]))
        elif event[0] == END:
            said.append((name, 'end', *event[3:8]))
        else:
            said.append((('', '', '', 'frame', 'resize', 'compact', 'replay')[event[0]], *event[3:5]) if event[0] != FRAME else ('frame',))
    return said


def test_the_code_is_the_same_without_the_macro(folder):
    """Not one byte of object code for what nobody records."""
    for out in ('with', 'without'):
        done('gcc', '-std=c11', '-O1', '-c', f'-I{out}', '-I.', f'{out}/lists.c', '-o', f'{out}.o', cwd=folder)
    assert (folder / 'with.o').read_bytes() == (folder / 'without.o').read_bytes()
    text = (folder / 'without' / 'lists.h').read_text() + (folder / 'without' / 'lists.c').read_text()
    assert 'TRACE' not in text and 'trace' not in text
    build(folder, output='off')  # the program is valid without it, and records nothing
    assert done('./off', 'none.trace', cwd=folder) == '1 3\n' and not (folder / 'none.trace').exists()


def test_what_is_recorded(folder):
    trace, found = events(folder / 'a.trace')
    said = told(trace, found)
    assert trace.whole and trace.frames == 1
    assert said.count(('fleet', 'add', 0, 1)) == 10
    assert said.count(('crew', 'add', 2, 0)) == 1, 'a duplicate'
    assert said.count(('crew', 'remove', 6, 0)) == 1 and said.count(('crew', 'remove', 0, -1)) == 1, 'a stale handle'
    assert [entry[2] for entry in said if entry[:2] == ('crew', 'find')] == [0, 3]
    assert ('crew', 'get', 6, 0) in said
    assert said.count(('fleet', 'begin begin_const', 10, 10)) + said.count(('fleet', 'begin begin_const', 9, 9)) == 10
    assert said.count(('fleet', 'end', 1, True, 0, 0, 0)) == 10, 'each was left after one element'
    assert [event[8] for event in found if event[0] == END].count(None) == 8, 'of these, inside of another one, each eighth is timed'
    assert ('fleet', 'remove_current', 0, -1) in said and ('fleet', 'end', 10, False, 0, 0, 0) in said
    assert ('fleet', 'end', 3, True, 0, 0, 0) in said, 'a loop that changes was left, too'
    assert said.count(('locked', 'add', 1, 0)) == 2 and ('replay', 2) in said
    assert ('locked', 'end', 2, False, 0, 0, 0) in said, 'a pass by hand'
    assert [entry[2] for entry in said if entry[0] == 'resize'].count(500) == 1
    hashed = [event for event in found if event[0] == CALL and event[6] is not None]
    assert [event[7] for event in hashed] == [8, 8, 8, 3], 'the bytes of keys'
    assert hashed[1][6] == hashed[2][6] != hashed[0][6]
    policy = trace.kind(found[0][2]).policy
    assert policy['ordering'] == 'unordered' and policy['removal.policy'] == 'swap'


def test_two_runs_differ_in_times_only(folder):
    done('./main', 'b.trace', cwd=folder)
    assert told(*events(folder / 'a.trace')) == told(*events(folder / 'b.trace'))


def test_a_file_that_was_cut_off(folder):
    """What is whole of it is read, wherever it ends."""
    data = (folder / 'a.trace').read_bytes()
    said = told(*events(folder / 'a.trace'))
    counts = []
    for length in range(len(reader.MAGIC) + 1, len(data), 2):
        (folder / 'cut.trace').write_bytes(data[:length])
        trace, found = events(folder / 'cut.trace')
        part = told(trace, found)
        assert part == said[:len(part)] and not trace.whole
        counts.append(len(part))
    assert counts == sorted(counts) and counts[-1] == len(said) and len(set(counts)) > len(said) * 0.4


@pytest.mark.parametrize('data, said', [(b'', 'is no trace'), (b'PNG' * 9, 'is no trace'), (b'bespoke trace\n\x09abc', 'in format 9'),
                                        (b'bespoke trace\n', 'in format none'), (b'bespoke trace\n\x02\x01\x02\x40\x40', 'damaged'),
                                        (b'bespoke trace\n\x01\x01\x02\x40\x40', 'in format 1; this version reads formats 2 to 3')])
def test_foreign_files(tmp_path, data, said):
    (tmp_path / 'x').write_bytes(data)
    with pytest.raises(Failure) as error:
        events(tmp_path / 'x')
    assert said in str([each.message for each in error.value.diagnostics])


def test_an_export_of_a_damaged_file_leaves_what_was_there(tmp_path):
    (tmp_path / 'x').write_bytes(b'bespoke trace\n\x02\x01\x02\x40\x40')
    (tmp_path / 'x.csv').write_text('of an earlier trace')
    exported = subprocess.run([os.path.join(ROOT, 'bespoke'), 'trace', 'export', '--to', 'csv', 'x', '-o', 'x.csv'], cwd=tmp_path, capture_output=True, text=True)
    assert exported.returncode != 0 and 'BSP0413' in exported.stderr, exported
    assert (tmp_path / 'x.csv').read_text() == 'of an earlier trace' and sorted(os.listdir(tmp_path)) == ['x', 'x.csv']


def test_what_cannot_be_written_ends_the_trace(folder):
    for room in (0, 100):
        assert done('./main', 'full.trace', str(room), 'long', cwd=folder) == '0 3\n'
    assert done('./main', 'full.trace', '70000', 'long', cwd=folder) == '0 3\n'
    trace, found = events(folder / 'full.trace')
    assert not trace.whole and len(found) > 1000
    if os.path.exists('/dev/full'):
        assert done('./main', '/dev/full', cwd=folder) == '0 3\n'
    assert done('./main', 'nowhere/a.trace', cwd=folder) == '1 3\n'  # there is none


THREADS = r'''
#include "lists.h"
#include <pthread.h>
#include <stdio.h>

static x_post list;
static locked held;

static void *work(void *number)
{
    for (int i = 0; i < 200; i++) {
        (void)x_post_inbox_add(&list, (struct ship){1, 1});
        (void)x_post_worker_add(&list, *(size_t *)number, (struct ship){2, 2});
        LOCKED_EACH_CONST(&held, ship) {
            if (ship->hp == i) {
                break;
            }
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argc;
    for (int i = 0; i < 20; i++) {
        (void)locked_add(&held, (struct ship){(uint32_t)i, i});
    }
    for (int round = 0; round < 2; round++) {
        bespoke_trace_begin(argv[1]);
        for (int frame = 0; frame < 3; frame++) {
            pthread_t threads[4];
            size_t numbers[4];

            for (size_t i = 0; i < 4; i++) {
                numbers[i] = i;
                pthread_create(&threads[i], NULL, work, &numbers[i]);
            }
            bespoke_trace_frame(); /* while they run */
            if (frame == 2 && round == 0) {
                (void)bespoke_trace_end();
            }
            for (int i = 0; i < 4; i++) {
                pthread_join(threads[i], NULL);
            }
            (void)x_post_settle(&list);
        }
        X_POST_EACH(&list, ship) {
            (void)ship;
        }
        x_post_deinit(&list);
    }
    locked_deinit(&held);
    printf("%d\n", bespoke_trace_end());
    return 0;
}
'''


def test_threads(folder):
    """Workers, an inbox, readers, frames, and an end while others record."""
    if not machine.runs('gcc', '-fsanitize=thread'):
        pytest.skip('no program runs under -fsanitize=thread')
    (folder / 'threads.c').write_text(THREADS)
    build(folder, '-fsanitize=thread', '-DBESPOKE_TRACE=1', sources=('threads.c', 'with/lists.c'), output='threads')
    assert done('./threads', 't.trace', cwd=folder) == '1\n'
    trace, found = events(folder / 't.trace')
    said = [entry for entry in told(trace, found) if len(entry) > 1]
    assert trace.whole and trace.frames == 3
    assert len([entry for entry in said if entry[1] == 'inbox_add']) == 2400 == len([entry for entry in said if entry[1] == 'worker_add'])
    assert len([entry for entry in said if entry[1] == 'begin begin_const']) == 2400
    passes = [entry for entry in said if entry[:2] == ('locked', 'end')]
    assert sum(entry[2] for entry in passes) == 4 * 3 * (sum(range(1, 21)) + 180 * 20)
    settled = [event for event in found if event[0] == END and trace.kind(event[2]).name == 'x_post' and event[7] > 0]
    assert sum(event[7] for event in settled) > 2000, 'what a settle has added'


LOOPS_SPEC = '''bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true, cplusplus: true, operations: [all, begin_at, begin_after, next_pair, current]}
containers:
  fleet: {ordering: insertion, removal: tombstone, handles: generational, iteration: {removes: any, adds: visited}}
  board:
    ordering: insertion
    handles: generational
    indexes: {by_hp: {key: element->hp, kind: sorted}}
    emit: {operations: [all, scan_range_by_hp, scan_all_by_hp]}
  noted: {ordering: unordered, removal: reuse, handles: generational, changes: recorded, emit: {operations: [all]}}
  plain: {ordering: unordered, iteration: {removes: none}, emit: {operations: [all]}}
'''
LOOPS = r'''
#include "loops.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    fleet ships = {0};
    board men = {0};
    noted log = {0};
    plain rest = {0};
    fleet_handle first;
    uint64_t version;
    int steps = 0;

    (void)argc;
    for (uint32_t i = 0; i < 6; i++) {
        if (i == 0) {
            (void)fleet_add_handle(&ships, (struct ship){i, (int)i}, &first);
        } else {
            (void)fleet_add(&ships, (struct ship){i, (int)i});
        }
        (void)board_add(&men, (struct ship){i, (int)i / 2});
        (void)plain_add(&rest, (struct ship){i, (int)i});
    }
    (void)noted_add(&log, (struct ship){1, 1});
    version = noted_version(&log);
    (void)noted_add(&log, (struct ship){2, 1});
    (void)noted_add(&log, (struct ship){3, 1});
    bespoke_trace_begin(argv[1]);
    FLEET_EACH(&ships, ship) {                                         /* 5: id 4 is removed */
        if (ship->id == 2) {
            FLEET_EACH_FROM(fleet_begin_after(&ship_cursor), other) {  /* 3: ids 3 to 5, removes one */
                steps++;
                if (other->id == 4) {
                    fleet_remove_current(&other_cursor);
                }
            }
        }
    }
    FLEET_EACH_FROM(fleet_begin_at(&ships, first), ship) { /* 2, left early */
        if (ship->id == 1) {
            break;
        }
    }
    FLEET_EACH_PAIR(&ships, a, b) { /* 10 */
        steps += a->id < b->id;
    }
    BOARD_EACH_IN(board_scan_range_by_hp(&men, 1, 2), man) { /* 4 */
        BOARD_EACH_IN(board_scan_all_by_hp(&men), other) {   /* 4 times 1, left early */
            steps += other->hp == 0;
            break;
        }
        steps += man->hp > 0;
    }
    BOARD_EACH_BY_HP_CONST(&men, man) { /* 6 */
        steps += man->hp;
    }
    {
        board_range range = board_range_by_hp(&men, 0, 1); /* 4, by calls */

        while (board_next_by_hp(&men, &range) != NULL) {
            steps++;
        }
    }
    NOTED_EACH_CHANGE(&log, version, change) { /* 2 */
        steps += change.kind == NOTED_WAS_ADDED;
    }
    NOTED_EACH_CHANGE(&log, 0, change) { /* 1 of 3 */
        if (change.kind == NOTED_WAS_ADDED) {
            break;
        }
    }
    {
        plain_const_cursor left = plain_begin_const(&rest); /* 1, left without a call: over with the frame */

        steps += plain_next_const(&left) != NULL;
    }
    bespoke_trace_frame();
    PLAIN_EACH(&rest, ship) { /* 6 */
        PLAIN_EACH_CONST(&rest, other) { /* 6 times 6 */
            steps += ship == other;
        }
    }
    fleet_deinit(&ships);
    board_deinit(&men);
    noted_deinit(&log);
    plain_deinit(&rest);
    printf("%d %d\n", steps, bespoke_trace_end());
    return 0;
}
'''
WALKED = [('fleet', 'begin', 5, 1, False), ('fleet', 'begin_after', 3, 2, False), ('fleet', 'begin_at', 2, 1, True), ('fleet', 'next_pair', 10, 1, False),
          ('board', 'scan_range_by_hp', 4, 1, False), *[('board', 'scan_all_by_hp', 1, 2, True)] * 4, ('board', 'all_by_hp', 6, 1, False),
          ('board', 'range_by_hp', 4, 1, False), ('noted', 'changes_since', 2, 1, False), ('noted', 'changes_since', 1, 1, True),
          ('plain', 'begin_const', 1, 1, True), ('plain', 'begin', 6, 1, False), *[('plain', 'begin_const', 6, 2, False)] * 6]


def walked(path):
    """The passes of a trace as they began: container, call, elements visited, how many of its thread were live, was it left early?"""
    trace, found, live = Trace(str(path)), [], {}
    for event in trace.events():
        open_ = live.setdefault(event[1], [])
        if event[0] == BEGIN:
            kind = trace.kind(event[2])
            open_.append([kind.name, kind.calls[event[3]][0], 0, len(open_) + 1, None])
            found += [open_[-1]] * (kind.calls[event[3]][1] in 'PpQq')
        elif event[0] == END:
            del open_[len(open_) - event[6]:]
            ended = open_.pop()
            ended[2], ended[4] = event[3], event[4]
    assert trace.whole
    return [tuple(each) for each in found]


@pytest.fixture(scope='module')
def loops(tmp_path_factory):
    path = tmp_path_factory.mktemp('loops')
    (path / 'loops.yaml').write_text(LOOPS_SPEC)
    (path / 'ship.h').write_text(SHIP)
    (path / 'main.c').write_text(LOOPS)
    done(os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'loops.yaml', '-o', 'with', cwd=path)
    return path


@pytest.mark.parametrize('level', ['1', '2'])
@pytest.mark.parametrize('compiler', ['gcc', 'clang'])
def test_every_way_of_walking(loops, compiler, level):
    """The length and the depth of each pass, whichever loop or calls it is of."""
    if shutil.which(compiler) is None:
        pytest.skip('needs ' + compiler)
    build(loops, '-DBESPOKE_TRACE=' + level, compiler=compiler, sources=('main.c', 'with/loops.c'))
    assert done('./main', 'a.trace', cwd=loops) == '40 1\n'
    assert walked(loops / 'a.trace') == WALKED
    build(loops, compiler=compiler, sources=('main.c', 'with/loops.c'), output='off')
    assert done('./off', 'none.trace', cwd=loops) == '40 1\n', 'the same without the macro'


RANGES = r'''
#include "loops.h"
#include <cstdio>

int main(int, char **argv)
{
    fleet ships{};
    int steps = 0;

    bespoke_trace_begin(argv[1]);
    for (uint32_t i = 0; i < 6; i++) {
        (void)fleet_add(&ships, ship{i, 1});
    }
    {
        auto walk = fleet_each(&ships);
        for (auto &each : walk) { // 6
            if (each.id == 2) {
                (void)walk.remove_current();
            }
            for (const auto &other : fleet_each(static_cast<const fleet *>(&ships))) { // 1, left early
                steps += other.hp;
                break;
            }
        }
    }
    for (auto &each : fleet_each(&ships)) { // 2, left early
        steps++;
        if (each.id == 1) {
            break;
        }
    }
    fleet_deinit(&ships);
    std::printf("%d %d\n", steps, bespoke_trace_end());
}
'''


@pytest.mark.parametrize('level', ['1', '2'])
@pytest.mark.parametrize('compiler', ['g++', 'clang++'])
def test_range_for(loops, compiler, level):
    """The loops of C++17, and what they remove."""
    if shutil.which(compiler) is None:
        pytest.skip('needs ' + compiler)
    (loops / 'main.cc').write_text(RANGES)
    done('gcc', '-std=c11', '-DBESPOKE_TRACE=' + level, '-Iwith', '-I.', '-c', 'with/loops.c', '-o', 'loops.o', cwd=loops)
    done(compiler, '-std=c++17', *FLAGS, '-O1', '-DBESPOKE_TRACE=' + level, '-Iwith', '-I.', 'main.cc', 'loops.o', '-o', 'ranges', cwd=loops)
    assert done('./ranges', 'r.trace', cwd=loops) == '8 1\n'
    assert walked(loops / 'r.trace') == [('fleet', 'begin', 6, 1, False), *[('fleet', 'begin_const', 1, 2, True)] * 6, ('fleet', 'begin', 2, 1, True)]
    assert told(*events(loops / 'r.trace')).count(('fleet', 'remove_current', 0, -1)) == 1


@pytest.mark.skipif(shutil.which('g++') is None, reason='needs g++')
def test_other_languages_and_compilers(folder):
    (folder / 'use.cc').write_text('#include "lists.h"\nint main() { fleet list{}; FLEET_EACH(&list, ship) { (void)ship; }\n'
                                   'fleet_deinit(&list); return bespoke_trace_end() ? 0 : 1; }\n')
    for flags in (['g++', '-std=c++17', 'use.cc'], ['g++', '-std=c++17', '-x', 'c++', 'with/lists.c'], ['gcc', '-std=c99', 'with/lists.c'],
                  *([['clang', '-std=c99', 'main.c']] * bool(shutil.which('clang')))):
        done(*flags, *FLAGS, '-DBESPOKE_TRACE=1', '-fsyntax-only', '-Iwith', '-I.', cwd=folder)


TRACY = r'''/* In place of Tracy's: prints what it is handed. */
#include <stdio.h>
#define TracyCPlot(name, value) printf("%s %g\n", name, value)
#define TracyCFrameMark puts("frame");
'''
LIVE = r'''
#include "lists.h"
static bool none(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    return size > 0;
}
int main(void)
{
    fleet ships = {0};

    (void)fleet_add(&ships, (struct ship){1, 1}); /* no trace yet */
    bespoke_trace_begin_to(none, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        (void)fleet_add(&ships, (struct ship){i, 1});
    }
    bespoke_trace_frame();
    FLEET_EACH(&ships, ship) {
        fleet_remove_current(&ship_cursor);
        break;
    }
    fleet_deinit(&ships);
    return bespoke_trace_end() ? 0 : 1;
}
'''


@pytest.mark.parametrize('compiler', [['gcc', '-std=c11'], ['g++', '-std=c++17', '-x', 'c++']], ids=['C', 'C++'])
def test_beside_a_profiler(folder, compiler):
    """The header of docs/tracing.md, against one that stands in for Tracy's."""
    if shutil.which(compiler[0]) is None:
        pytest.skip('needs ' + compiler[0])
    with open(os.path.join(ROOT, 'docs', 'tracing.md'), encoding='utf-8') as page:
        header = page.read().split('`live.h`:\n\n```c\n')[1].split('```')[0]
    os.makedirs(folder / 'tracy', exist_ok=True)
    (folder / 'tracy' / 'TracyC.h').write_text(TRACY)
    (folder / 'live.h').write_text(header)
    (folder / 'live.c').write_text(LIVE if compiler[0] == 'gcc' else LIVE.replace('{0}', '{}').replace('(struct ship)', 'ship'))
    done(*compiler, *FLAGS, '-O1', '-DBESPOKE_TRACE=1', '-include', 'live.h', '-Iwith', '-I.', 'live.c', 'with/lists.c', '-o', 'live', '-pthread', cwd=folder)
    assert done('./live', cwd=folder) == 'fleet 2\nfleet 3\nframe\nfleet 2\nfleet 0\n'


# -- exported -------------------------------------------------------------------------------------------------------

def test_for_chrome(folder):
    """Each event is as the trace event format documents its phase; spans of a thread lie in each other."""
    text = done(os.path.join(ROOT, 'bespoke'), 'trace', 'export', 'a.trace', cwd=folder)
    exported = json.loads(text)
    assert set(exported) == {'displayTimeUnit', 'traceEvents'} and exported['displayTimeUnit'] in ('ms', 'ns')
    needed = {'X': {'name', 'cat', 'ts', 'dur', 'pid', 'tid', 'args'}, 'C': {'name', 'ts', 'pid', 'tid', 'args'},
              'i': {'name', 'cat', 'ts', 's', 'pid', 'tid', 'args'}, 'M': {'name', 'pid', 'tid', 'args'}}
    for event in exported['traceEvents']:
        assert set(event) == needed[event['ph']] | {'ph'}, event
        assert all(isinstance(event[key], (int, float)) and event[key] >= 0 for key in ('ts', 'dur', 'pid', 'tid') if key in event), event
        assert event['ph'] != 'C' or all(isinstance(value, int) for value in event['args'].values())
        assert event['ph'] != 'i' or event['s'] in 'tpg'
        assert event['ph'] != 'M' or event['name'] in ('process_name', 'thread_name') and set(event['args']) == {'name'}
    spans = [event for event in exported['traceEvents'] if event['ph'] == 'X']
    assert len([event for event in spans if event['name'] == 'fleet: begin_const']) == 2, 'those that are timed'
    outer, left = [event for event in spans if event['name'] == 'fleet: begin']
    assert left['args']['early'] is True and outer['args']['early'] is False
    for event in spans:
        if event['name'] == 'fleet: begin_const':
            assert outer['ts'] <= event['ts'] and event['ts'] + event['dur'] <= outer['ts'] + outer['dur'] + 1e-6
    counters = {event['name']: event['args'] for event in exported['traceEvents'] if event['ph'] == 'C'}
    assert counters['fleet 1'] == {'elements': 9} and counters['locked 4'] == {'elements': 2}


def test_for_tables(folder):
    done(os.path.join(ROOT, 'bespoke'), 'trace', 'export', '--to', 'csv', 'a.trace', '-o', 'a.csv', cwd=folder)
    with open(folder / 'a.csv', newline='') as file:
        rows = list(csv.DictReader(file))
    trace, found = events(folder / 'a.trace')
    assert len(rows) == len(found)
    assert sum(int(row['grown']) for row in rows if row['container'] == 'crew' and row['grown']) == 0, 'as many removed as added'
    assert {row['status'] for row in rows if row['container'] == 'crew'} >= {'OK', 'DUPLICATE', 'STALE', 'ABSENT'}
    assert [row['call'] for row in rows if row['event'] == 'end' and row['container'] == 'locked'] == ['begin', 'unlock', 'begin']
