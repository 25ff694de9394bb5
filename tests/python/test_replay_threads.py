"""Containers that several threads use: workers with a journal each, an inbox, a lock of the program. What threads did is repeated in an
order in which it may have been done, so a replay does the same however they ran."""

import re

import machine
import pytest
from test_replay import ROOT, assert_shrunk, bespoke, done, loaded, planted  # noqa: F401

from generator.replays.turns import in_order
from generator.traces.reader import TURN, Trace
from generator.tuning.tune import Wanted, tune

SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; int hp; };
#endif
'''
SPEC = '''bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true}
containers:
  sparks: {ordering: unordered, removal: swap, threads: {workers: 3, inbox: 16}}
  wrecks: {ordering: insertion, removal: tombstone, threads: {workers: 3, merge: key}}
  crew: {ordering: unordered, removal: reuse, handles: generational, threads: {workers: 3, inbox: 16}}
  marks: {ordering: insertion, removal: tombstone, duplicates: reject, identity: {key: element->id}, index: hash, capacity: {max: 30}, threads: {workers: 3, inbox: 16}}
  fleet: {element: {type: struct ship, by: pointer}, ordering: insertion, duplicates: reject, index: hash, threads: {workers: 3, inbox: 16}}
  rows: {layout: soa, element: {type: struct ship, header: ship.h, fields: {id: uint32_t, hp: int}}, ordering: unordered, removal: swap, threads: {workers: 3}}
  ranks: {ordering: sorted, sort: {key: element->hp}, threads: {workers: 3, inbox: 16}}
  held: {ordering: insertion, removal: shift}
  torn: {ordering: insertion, removal: shift}
'''
OTHER = SPEC.replace('held: {ordering: insertion, removal: shift}', 'held: {ordering: insertion, storage: linked}').replace('removal: tombstone, threads', 'removal: shift, threads') \
    .replace('removal: swap, threads', 'removal: swap, storage: chunked, threads') \
    .replace('removal: tombstone, duplicates', 'removal: tombstone, storage: chunked, duplicates')
BODY = r'''
#include "lists.h"
#include <pthread.h>

enum { WORKERS = 3, FRAMES = 60 };
static sparks fire;
static wrecks left;
static crew men;
static crew_handle man[WORKERS * 8];
static marks some;
static fleet all;
static struct ship ships[40];
static rows table;
static ranks sorted;
static held kept;
static torn odd;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t drawn(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static void *work(void *argument)
{
    const size_t number = *(size_t *)argument;
    static uint32_t states[WORKERS] = {3, 5, 7};
    uint32_t *state = &states[number];
    const struct ship made = {drawn(state, 60), (int)drawn(state, 9)};
    sparks_span part = sparks_part(&fire, number, WORKERS);
    wrecks_span old = wrecks_part(&left, number, WORKERS);
    ranks_span line = ranks_part(&sorted, number, WORKERS);

    for (size_t i = 0; i < part.count; i++) {
        if (drawn(state, 4) == 0) {
            (void)sparks_worker_remove(&fire, number, &part.elements[i]);
        } else if (drawn(state, 9) == 0) {
            (void)sparks_worker_update(&fire, number, &part.elements[i], made);
        }
    }
    for (size_t i = 0; i < old.count; i++) {
        if ((old.alive[i / 64] >> i % 64 & 1) != 0 && drawn(state, 4) == 0) {
            (void)wrecks_worker_remove(&left, number, number * 1000 + i, &old.elements[i]);
        }
    }
    for (size_t i = 0; i < line.count; i++) {
        if (drawn(state, 5) == 0) {
            (void)ranks_worker_remove(&sorted, number, &line.elements[i]);
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        (void)sparks_worker_add(&fire, number, made);
        (void)wrecks_worker_add(&left, number, drawn(state, 90) * WORKERS + number, made);
        (void)crew_worker_remove(&men, number, man[drawn(state, WORKERS * 8)]);
        (void)crew_worker_add(&men, number, made);
        (void)marks_worker_add(&some, number, (struct ship){drawn(state, 90), 1});
        (void)fleet_worker_add(&all, number, &ships[drawn(state, 40)]);
        (void)fleet_worker_remove(&all, number, &ships[drawn(state, 40)]);
        (void)rows_worker_add(&table, number, made);
        (void)ranks_worker_add(&sorted, number, made);
    }
    if (drawn(state, 3) == 0 && rows_contains(&table, number)) {
        (void)rows_worker_remove(&table, number, number);
    }
    return NULL;
}

/* Any thread, at any time: also while the containers settle. */
static void *load(void *argument)
{
    uint32_t state = *(uint32_t *)argument;

    for (uint32_t i = 0; i < 200; i++) {
        const struct ship made = {drawn(&state, 90), (int)drawn(&state, 9)};

        (void)sparks_inbox_add(&fire, made);
        (void)crew_inbox_add(&men, made);
        (void)marks_inbox_add(&some, made);
        (void)fleet_inbox_add(&all, &ships[drawn(&state, 40)]);
        (void)ranks_inbox_add(&sorted, made);
        pthread_mutex_lock(&lock);
        (void)held_add(&kept, made);
        HELD_EACH(&kept, one) {
            if (one->hp == made.hp && drawn(&state, 2) == 0) {
                (void)held_remove_current(&one_cursor);
            }
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *add(void *list)
{
    (void)torn_add(list, (struct ship){1, 1});
    return NULL;
}

int main(int number, char **arguments)
{
    pthread_t threads[WORKERS], loaders[2];
    size_t numbers[WORKERS];
    uint32_t seeds[2] = {11, 13}, state = 9;

    (void)number;
    for (uint32_t i = 0; i < 40; i++) {
        ships[i] = (struct ship){i, (int)i};
    }
    bespoke_trace_begin(arguments[1]);
    for (size_t i = 0; i < 2; i++) {
        pthread_create(&loaders[i], NULL, load, &seeds[i]);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        (void)wrecks_part(&left, 0, 1); /* where a pass has removed elements, the first call closes up what it left */
        for (size_t i = 0; i < WORKERS; i++) {
            numbers[i] = i;
            pthread_create(&threads[i], NULL, work, &numbers[i]);
        }
        for (size_t i = 0; i < WORKERS; i++) {
            pthread_join(threads[i], NULL);
        }
        (void)sparks_settle(&fire);
        (void)wrecks_settle(&left);
        (void)crew_settle(&men);
        (void)marks_settle(&some);
        (void)fleet_settle(&all);
        (void)rows_settle(&table);
        (void)ranks_settle(&sorted);
        (void)crew_add_handle(&men, (struct ship){1, 2}, &man[drawn(&state, WORKERS * 8)]);
        WRECKS_EACH(&left, one) {
            if (one->hp == frame % 9) {
                (void)wrecks_remove_current(&one_cursor);
            }
        }
        CREW_EACH(&men, one) {
            if (one->hp == frame % 9) {
                man[drawn(&state, WORKERS * 8)] = crew_handle_of(&men, one);
            }
        }
        (void)marks_remove_key(&some, drawn(&state, 90));
        SPARKS_EACH_CONST(&fire, one) {
            if (one->hp == 9) {
                break;
            }
        }
        bespoke_trace_frame();
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(loaders[i], NULL);
    }
    (void)torn_add(&odd, ships[0]);
    TORN_EACH(&odd, one) { /* while it is live another thread adds: when the pass went on is not recorded */
        pthread_create(&threads[0], NULL, add, &odd);
        pthread_join(threads[0], NULL);
        if (one->hp != 0) {
            break;
        }
    }
    torn_deinit(&odd);
    (void)sparks_worker_add(&fire, 0, ships[0]);
    (void)sparks_inbox_add(&fire, ships[0]);
    sparks_deinit(&fire); /* so nothing waits any more */
    (void)sparks_add(&fire, ships[0]);
    (void)sparks_settle(&fire);
    sparks_deinit(&fire);
    wrecks_deinit(&left);
    crew_deinit(&men);
    marks_deinit(&some);
    fleet_deinit(&all);
    rows_deinit(&table);
    ranks_deinit(&sorted);
    held_deinit(&kept);
    return !bespoke_trace_end();
}
'''
KINDS = ['crew', 'fleet', 'held', 'marks', 'ranks', 'rows', 'sparks', 'wrecks']
# Of a container: a text of what is generated for a replay with OTHER, and what takes its place.
FAULTS = [
    ('wrecks', 'one->journal[next[worker]].key < first->key', 'one->journal[next[worker]].key > first->key'),
    ('sparks', '    sparks_take_leaving_(list);', ''),  # nothing that workers remove is removed
    ('marks', 'list->inbox_head++;\n        status = marks_add(list, element);', 'list->inbox_head++;\n        status = 0;'),  # what was put into the inbox is lost
]


@pytest.fixture(autouse=True)
def _with_atomics(monkeypatch):
    monkeypatch.setenv('CC', 'gcc')
    monkeypatch.setenv('CFLAGS', '-O0 -g0')


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """With what a program has recorded."""
    path = tmp_path_factory.mktemp('threads')
    for name, text in (('lists.yaml', SPEC), ('other.yaml', OTHER), ('ship.h', SHIP), ('main.c', BODY)):
        (path / name).write_text(text)
    done(ROOT + '/bespoke', 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.', cwd=path)
    flags = '-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror -O0 -I. -pthread'.split()
    sanitize = ['-fsanitize=thread', '-g'] * machine.runs('gcc', '-fsanitize=thread')
    done('gcc', *flags, *sanitize, '-DBESPOKE_TRACE=2', 'main.c', 'lists.c', '-o', 'main', cwd=path)
    done('./main', '2.trace', cwd=path)
    return path


def test_other_policies_do_the_same(folder):
    result = bespoke('replay', '2.trace', '--spec', 'other.yaml', cwd=folder)
    assert result.returncode == 0 and 'with other.yaml too' in result.stdout, result
    left_out, replayed = result.stdout.splitlines()
    assert left_out == '`torn` is not replayed: a thread used it while a pass of another one was live'
    assert sorted(re.findall('`(.*?)`', replayed)) == KINDS and 'all as in 2.trace' in replayed, result
    assert int(re.search('replayed ([0-9,]+) operations', replayed).group(1).replace(',', '')) > 5000


def test_a_trace_without_turns(folder):
    """One of the format before."""
    whole = (folder / '2.trace').read_bytes()
    (folder / 'old.trace').write_bytes(whole[:14] + b'\x02' + whole[15:])
    result = bespoke('replay', 'old.trace', cwd=folder)
    assert result.returncode == 3 and '`sparks`: several threads used it, in an order that a trace in format 2 does not have' in result.stderr, result


@pytest.mark.parametrize('name, right, wrong', FAULTS)
def test_a_planted_fault_is_shrunk(folder, tmp_path, planted, name, right, wrong):  # noqa: F811
    text = assert_shrunk(folder, tmp_path, planted, name, right, wrong)
    assert re.search(name + r'_(worker|inbox)_add\(&list, .*element\(', text) and f'{name}_settle(&list);' in text, text


def test_they_are_measured(folder, tmp_path):
    """Each candidate returns what the spec's own does."""
    names = ['crew', 'sparks', 'fleet']
    wanted = Wanted(names, 'gcc', '-O0', 0, 0)
    tuned, left_out, _ = tune(str(folder / '2.trace'), str(tmp_path), [loaded(folder / 'lists.yaml')], wanted, lambda text: None)
    assert [name for name, _ in left_out] == ['torn'] and len(tuned) == len(names), left_out
    assert not any(each.parted for each in tuned) and all(len(each.measured) > 1 for each in tuned), tuned


def test_turns_of_threads(folder):
    """Each container's events are in the order of its turns, and those of each thread in its own."""
    found = list(in_order(Trace(str(folder / '2.trace'), all=True)))
    for thread in {event[1] for event in found}:
        own = [event for event in Trace(str(folder / '2.trace'), all=True).events() if event[1] == thread]
        assert own == [event for event in found if event[1] == thread]
    for container in {event[2] for event in found}:
        turns = [event[3] for event in found if event[0] == TURN and event[2] == container]
        assert turns == sorted(turns) and len(turns) == len(set(turns))
    assert len({event[1] for event in found}) > 3
