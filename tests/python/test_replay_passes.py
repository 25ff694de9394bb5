"""Passes over some of the elements, and what goes back to a snapshot, repeated: with faults that are planted."""

import shutil
from types import SimpleNamespace

import pytest
from test_replay import _quickly, assert_others_do_the_same, assert_shrunk, loaded, planted, recorded  # noqa: F401

from generator.tool.tuning import _table
from generator.tuning.tune import Wanted, tune

SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; int hp; double rank; };
#endif
'''
SPEC = '''bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true}
containers:
  pairs:
    ordering: insertion
    removal: tombstone
    handles: generational
    emit: {trace: true, operations: [all, begin_at, begin_after, next_pair]}
  spots:
    element: {by: pointer}
    ordering: unordered
    duplicates: reject
    index: hash
    removal: swap
    emit: {trace: true, operations: [all, begin_at, begin_at_index, next_pair]}
  keyed:
    ordering: sorted
    sort: {key: element->hp}
    duplicates: reject
    identity: {key: element->id}
    index: hash
    removal: unlink
    iteration: {direction: both}
    emit: {trace: true, operations: [all, begin_at_key, begin_backward_at_key]}
  scanned:
    ordering: insertion
    handles: generational
    indexes: {by_hp: {key: element->hp}, by_rank: {key: element->rank, key_kind: number, kind: sorted}}
    emit: {trace: true, operations: [all, scan_range_by_hp, scan_range_by_rank, scan_all_backward_by_rank]}
  taken:
    ordering: insertion
    duplicates: reject
    identity: {key: element->id}
    index: hash
    removal: tombstone
    emit: {trace: true, operations: [all, take_key, take_current, pop, pop_back]}
  states: {ordering: unordered, removal: swap, handles: generational, storage: chunked, emit: {trace: true, snapshot: true}}
  deltas: {ordering: insertion, removal: tombstone, duplicates: reject, identity: {key: element->id}, index: hash, emit: {trace: true, snapshot: true, operations: [all, next_pair]}}
'''
OTHER = SPEC.replace('removal: tombstone\n', 'removal: unlink\n').replace('storage: chunked, ', '')
BODY = r'''
#include "lists.h"
#include <stdlib.h>

static uint32_t state = 7;
static uint32_t drawn(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

int main(int number, char **arguments)
{
    static struct ship ships[20];
    static unsigned char memory[8][4096], base[8192], changed[2][8192];
    static pairs two;
    static spots spot;
    static keyed by_key;
    static scanned found;
    static states now;
    static deltas small;
    static taken rest;
    struct ship out;
    pairs_handle pair[9] = {{0}};
    states_handle known[9] = {{0}};

    (void)number;
    bespoke_trace_begin(arguments[1]);
    for (uint32_t round = 0; round < 250; round++) {
        struct ship ship = {drawn(60), (int)drawn(9), drawn(20) - 10.0};

        (void)pairs_add_handle(&two, ship, &pair[drawn(9)]);
        PAIRS_EACH_FROM(pairs_begin_at(&two, pair[drawn(9)]), one) {
            if (drawn(6) == 0) {
                (void)pairs_remove_current(&one_cursor);
            }
            if (drawn(3) == 0) {
                PAIRS_EACH_FROM(pairs_begin_after(&one_cursor), behind) {
                    if (drawn(12) == 0) {
                        (void)pairs_remove_current(drawn(3) == 0 ? &one_cursor : &behind_cursor);
                    }
                }
            }
        }
        PAIRS_EACH_PAIR(&two, a, b) {
            if (drawn(40) == 0) {
                (void)pairs_remove_current(drawn(2) == 0 ? &a_cursor : &b_cursor);
            } else if (drawn(90) == 0) {
                (void)pairs_add_handle(&two, ship, &pair[drawn(9)]);
                if (drawn(2) == 0) {
                    break;
                }
            }
        }
        (void)spots_add(&spot, &ships[drawn(20)]);
        SPOTS_EACH_FROM(spots_begin_at(&spot, &ships[drawn(20)]), one) {
            if (drawn(7) == 0) {
                (void)spots_remove(&spot, &ships[drawn(20)]);
            }
        }
        SPOTS_EACH_FROM(spots_begin_at_index(&spot, drawn(9)), one) {
            if (drawn(20) == 0) {
                (void)spots_remove_current(&one_cursor);
                break;
            }
        }
        SPOTS_EACH_PAIR(&spot, a, b) {
            if (drawn(60) == 0) {
                (void)spots_remove_current(&a_cursor);
            }
        }
        (void)keyed_add(&by_key, ship);
        KEYED_EACH_FROM(keyed_begin_at_key(&by_key, drawn(60)), one) {
            if (drawn(7) == 0) {
                (void)keyed_remove_current(&one_cursor);
            }
        }
        KEYED_EACH_FROM(keyed_begin_backward_at_key(&by_key, drawn(60)), one) {
            (void)keyed_find(&by_key, drawn(60));
        }
        (void)scanned_add(&found, ship);
        SCANNED_EACH_IN(scanned_scan_range_by_hp(&found, drawn(9)), one) {
            if (drawn(3) == 0) {
                (void)scanned_scan_remove_current(&one_scan);
            } else if (drawn(4) == 0) {
                scanned_handle handle = scanned_handle_of(&found, one);

                one->rank = drawn(20) - 10.0;
                (void)scanned_rekey_by_rank(&found, handle);
            }
        }
        SCANNED_EACH_IN(scanned_scan_range_by_rank(&found, -4, drawn(9)), one) {
            SCANNED_EACH_IN(scanned_scan_all_backward_by_rank(&found), other) {
                if (drawn(50) == 0) {
                    (void)scanned_scan_remove_current(drawn(2) == 0 ? &one_scan : &other_scan);
                }
            }
        }
        SCANNED_EACH_BY_RANK_CONST(&found, one) {
            if (one->rank > 3) {
                break;
            }
        }
        (void)taken_add(&rest, ship);
        (void)taken_take_key(&rest, drawn(60), &out);
        TAKEN_EACH(&rest, one) {
            if (drawn(9) == 0) {
                (void)taken_take_current(&one_cursor, &out);
                break;
            }
        }
        if (drawn(6) == 0) {
            (void)taken_pop(&rest, &out);
        } else if (drawn(6) == 0) {
            (void)taken_pop_back(&rest, &out);
        }
        (void)states_add_handle(&now, ship, &known[drawn(9)]);
        (void)states_get(&now, known[drawn(9)]);
        STATES_EACH(&now, one) {
            if (drawn(9) == 0) {
                (void)states_remove_current(&one_cursor);
            }
        }
        if (!states_snapshot(&now, memory[round % 8], sizeof memory[0])) {
            return 2;
        }
        if (round > 10 && drawn(5) == 0) {
            (void)states_rollback(&now, memory[(round - drawn(7)) % 8]);
            (void)states_remove(&now, known[drawn(9)]);
        }
        if (deltas_count(&small) < 30) {
            (void)deltas_add(&small, ship);
        }
        (void)deltas_remove_key(&small, drawn(60));
        if (round % 20 == 0 && !deltas_snapshot(&small, base, sizeof base)) {
            return 2;
        }
        if (deltas_snapshot_delta(&small, base, changed[round % 2], sizeof base) > sizeof base) {
            return 2;
        }
        DELTAS_EACH(&small, one) {
            if (drawn(9) == 0) {
                (void)deltas_remove_current(&one_cursor);
            }
        }
        if (round == 50) {
            DELTAS_EACH_PAIR(&small, a, b) {
                (void)deltas_find(&small, a->id + b->id);
            }
        }
        (void)deltas_find(&small, drawn(60));
        if (drawn(6) == 0) {
            (void)deltas_rollback_delta(&small, base, changed[round % 2]);
        } else if (drawn(9) == 0) {
            (void)deltas_rollback(&small, base);
        }
        bespoke_trace_frame();
    }
    pairs_deinit(&two);
    spots_deinit(&spot);
    keyed_deinit(&by_key);
    scanned_deinit(&found);
    states_deinit(&now);
    deltas_deinit(&small);
    taken_deinit(&rest);
    return !bespoke_trace_end();
}
'''
KINDS = ['deltas', 'keyed', 'pairs', 'scanned', 'spots', 'states', 'taken']
# Of a container: a text of what is generated for a replay with OTHER, and what takes its place.
FAULTS = [
    ('pairs', 'PAIRS_PASSES, list, cursor->pass);\n\n        pass->next = slot; /* from here on',
     'PAIRS_PASSES, list, cursor->pass);\n\n        pass->next = slot != PAIRS_NONE && list->next[slot] != 0 ? list->next[slot] - 1 : slot; /* from here on'),
    ('pairs', '        *pass = *(BESPOKE_LIVE_PASS(pairs_pass, PAIRS_PASSES, list, other->pass));\n', ''),  # it begins at the first one again
    ('pairs', '            pairs_end(inner);\n        }\n        if (cursor->list == NULL || (*a = pairs_next(cursor)) == NULL) {',
     '            pairs_end(inner);\n            (void)pairs_next(cursor);\n        }\n        if (cursor->list == NULL || (*a = pairs_next(cursor)) == NULL) {'),
    ('spots', 'hole = spots_keep_apart_(list, slot);', 'hole = slot;'),
    ('spots', 'size_t slot = index < list->count ? index : SPOTS_NONE;', 'size_t slot = index + 1 < list->count ? index + 1 : SPOTS_NONE;'),
    ('keyed', 'keyed_cursor begun = keyed_begin_backward(list);\n    keyed_cursor *cursor = &begun;\n\n    slot = keyed_slot_of_key_(list, key);',
     'keyed_cursor begun = keyed_begin(list);\n    keyed_cursor *cursor = &begun;\n\n    slot = keyed_slot_of_key_(list, key);'),
    ('scanned', '    scan.keys.by_rank_.low = low;', '    scan.keys.by_rank_.low = low + 1;'),
    ('scanned', '(list->equals_by_hp[slot].next & SCANNED_LAST_OF_KEY_) != 0', '(list->equals_by_hp[slot].next & SCANNED_LAST_OF_KEY_) == 0'),
    ('taken', '*the_taken = list->items[slot];\n    taken_take_keyed_', '*the_taken = list->items[0];\n    taken_take_keyed_'),
    ('states', '    states_spend_(list);\n', ''),  # a handle that was given since the snapshot names another element
    ('states', '                    memcpy(list->items, at, list->count * sizeof *list->items);\n', ''),
    ('deltas', '    deltas_patch_(&from, list->alive, held[1]);\n', ''),
    ('deltas', '    deltas_patch_(&from, list->items, held[0]);\n', ''),
]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """With what a program has recorded."""
    return recorded(tmp_path_factory.mktemp('passes'), SPEC, OTHER, SHIP, BODY)


def test_other_policies_do_the_same(folder):
    assert_others_do_the_same(folder, KINDS)


@pytest.mark.parametrize('name, right, wrong', FAULTS)
def test_a_planted_fault_is_shrunk(folder, tmp_path, planted, name, right, wrong):  # noqa: F811
    assert_shrunk(folder, tmp_path, planted, name, right, wrong)


@pytest.mark.parametrize('name, candidates', [('states', 2), ('deltas', 10), ('taken', 1), ('scanned', 1)])
def test_what_goes_back_is_measured(folder, tmp_path, name, candidates):
    wanted = Wanted([name], shutil.which('tcc'), '-O0', 0, 0)
    outcome = tune(str(folder / '2.trace'), str(tmp_path), [loaded(folder / 'lists.yaml')], wanted, lambda text: None)
    if name == 'scanned':
        assert outcome.left_out == [(name, 'its passes are not inside of each other, or remove elements and are not over all of them')]
        return
    tuned, = outcome.tuned
    assert not tuned.parted and len(tuned.measured) >= candidates, (tuned.parted, len(tuned.measured))
    assert tuned.skipped == ({'next_pair': 1} if name == 'deltas' else {})
    if name == 'deltas':
        table = _table(tuned, SimpleNamespace(price='time', all=False, sources=()))
        assert 'not in the times: passes that are not over all elements, by what begins them: next_pair (1)' in table
