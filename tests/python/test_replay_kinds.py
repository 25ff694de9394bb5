"""Kinds of containers of which each is repeated in a program of its own, and measured: columns, sizes that a program states when it runs."""

import re
import shutil

import pytest
from test_replay import _quickly, assert_shrunk, bespoke, loaded, planted, recorded  # noqa: F401

from generator.tuning.tune import Wanted, tune

SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct dot { uint32_t id; int hp; };
struct ship { uint32_t id; int hp; double rank; char name[8]; };
#endif
'''
SPEC = '''bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true}
containers:
  columns: {layout: soa, element: {type: struct dot, header: ship.h, fields: {id: uint32_t, hp: int}}, ordering: unordered, removal: swap}
  keyed:
    layout: soa
    element: {type: struct dot, header: ship.h, fields: {id: uint32_t, hp: int}, hot: [id]}
    ordering: insertion
    duplicates: reject
    identity: {key: element->id}
    index: hash
    handles: generational
  indexed:
    ordering: insertion
    handles: generational
    indexes: {by_id: {key: element->id, unique: true}, by_hp: {key: element->hp}, by_rank: {key: element->rank, key_kind: number, kind: sorted}}
  shared:
    element: {type: struct ship, by: pointer}
    ordering: unordered
    duplicates: reject
    index: hash
    indexes: {by_name: {key: element->name, key_kind: string, unique: true}, by_hp: {key: element->hp, kind: sorted, unique: true}}
  sided: {ordering: unordered, removal: swap, handles: generational, side: {fire: int, target: sided_handle, wind: int, rain: int, snow: int}}
  few: {ordering: insertion, removal: shift, capacity: {max: run_time}}
  table: {ordering: insertion, duplicates: reject, identity: {key: element->id}, index: {kind: dense, keys: run_time}, capacity: {max: run_time}}
'''
OTHER = SPEC.replace('removal: shift', 'removal: tombstone').replace('ordering: unordered, removal: swap', 'ordering: unordered, removal: swap, storage: chunked')
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
    columns rows = {0};
    keyed men = {0};
    keyed_handle man[20] = {0};
    indexed found = {0};
    indexed_handle place[20] = {0};
    shared named = {0};
    struct ship ships[40];
    few some;
    table all;
    sided lit = {0};
    sided_handle torch[9] = {0};

    (void)number;
    bespoke_trace_begin(arguments[1]);
    few_init(&some, 6);
    table_init(&all, 80, 12);
    for (int i = 0; i < 40; i++) {
        ships[i] = (struct ship){0, i - 20, 0, {'a', (char)('a' + i % 20), 0}};
    }
    for (int round = 0; round < 300; round++) {
        for (int i = 0; i < 4; i++) {
            const struct ship ship = {drawn(60), (int)drawn(9), drawn(20) - 10.0, ""};
            uint32_t which = drawn(20);

            (void)columns_add(&rows, (struct dot){ship.id, ship.hp});
            if (keyed_add_handle(&men, (struct dot){ship.id, ship.hp}, &man[which]) != KEYED_OK) {
                (void)keyed_remove(&men, man[drawn(20)]);
            }
            (void)few_add(&some, ship);
            (void)table_add(&all, ship);
            (void)table_find(&all, drawn(60));
            (void)keyed_find(&men, drawn(60));
            (void)keyed_get(&men, man[drawn(20)]);
        }
        {
            struct ship *one;

            (void)indexed_add_handle(&found, (struct ship){drawn(60), (int)drawn(9), drawn(20) - 10.0, ""}, &place[drawn(20)]);
            (void)indexed_find_by_id(&found, drawn(60));
            (void)indexed_find_by_hp_const(&found, drawn(12));
            (void)indexed_lower_bound_by_rank(&found, drawn(24));
            (void)indexed_upper_bound_by_rank(&found, 5);
            one = indexed_get(&found, place[drawn(20)]);
            if (one != NULL) {
                const int old_key = one->hp;

                one->hp = (int)drawn(9);
                (void)indexed_rekey_by_hp(&found, indexed_handle_of(&found, one), (uint64_t)old_key);
                one->rank = drawn(20) - 10.0;
                (void)indexed_rekey_by_rank(&found, indexed_handle_of(&found, one));
                const uint32_t old_id = one->id;

                one->id = drawn(60);
                if (indexed_rekey_by_id(&found, indexed_handle_of(&found, one), old_id) != INDEXED_OK) {
                    one->id = old_id;
                }
            }
            if (drawn(3) == 0) {
                (void)indexed_remove_by_id(&found, drawn(60));
                indexed_range those = indexed_range_by_hp(&found, drawn(12)); /* repeated, but not measured */

                while (indexed_next_by_hp(&found, &those) != NULL) {
                }
            }
            (void)shared_add(&named, &ships[drawn(40)]);
            (void)shared_find_by_name(&named, ships[drawn(40)].name);
            if (drawn(2) == 0) {
                (void)shared_remove(&named, &ships[drawn(40)]);
            }
            (void)shared_remove_by_hp(&named, (int)drawn(40) - 20);
        }
        (void)sided_add_handle(&lit, ships[drawn(40)], &torch[drawn(9)]);
        (void)sided_set_fire(&lit, torch[drawn(9)], round);
        (void)sided_set_target(&lit, torch[drawn(9)], torch[drawn(9)]);
        (void)sided_remove_target(&lit, torch[drawn(9)]);
        (void)sided_set_snow(&lit, torch[drawn(9)], round);
        (void)sided_remove_snow(&lit, torch[drawn(9)]);
        (void)sided_remove(&lit, torch[drawn(9)]);
        SIDED_EACH_WITH_FIRE(&lit, it) {
            if (drawn(9) == 0) {
                (void)sided_remove(&lit, it.handle);
            } else if (drawn(9) == 0) {
                (void)sided_remove_fire(&lit, it.handle);
            } else if (drawn(9) == 0) {
                (void)sided_set_fire(&lit, torch[drawn(9)], round);
            } else if (drawn(60) == 0) {
                break;
            }
        }
        COLUMNS_EACH(&rows, row) {
            COLUMNS_EACH(&rows, other) {
                if (drawn(30) == 0) {
                    (void)columns_remove_current(drawn(2) != 0 ? &row_cursor : &other_cursor);
                    break;
                }
            }
            if (drawn(9) == 0) {
                (void)columns_remove(&rows, drawn(20));
            }
        }
        KEYED_EACH(&men, row) {
            if (drawn(4) == 0) {
                (void)keyed_remove_current(&row_cursor);
            }
        }
        (void)keyed_remove_key(&men, drawn(60));
        FEW_EACH(&some, one) {
            if (drawn(4) == 0) {
                (void)few_remove_current(&one_cursor);
            }
        }
        TABLE_EACH_CONST(&all, one) {
            if (one->hp == 3) {
                break;
            }
        }
        (void)table_remove_key(&all, drawn(60));
        if (drawn(40) == 0) {
            few_deinit(&some);
            few_init(&some, 3 + drawn(12));
        }
        if (round % 150 == 149) {
            table_deinit(&all);
            table_init(&all, 10 + drawn(40), 60 - drawn(20));
        }
        keyed_settle(&men);
        bespoke_trace_frame();
    }
    columns_deinit(&rows);
    keyed_deinit(&men);
    indexed_deinit(&found);
    shared_deinit(&named);
    few_deinit(&some);
    sided_deinit(&lit);
    table_deinit(&all);
    return !bespoke_trace_end();
}
'''
KINDS = ['columns', 'few', 'indexed', 'keyed', 'shared', 'sided', 'table']
# Of a container: a text of what is generated for a replay with OTHER, and what takes its place.
FAULTS = [
    ('columns', 'hole = columns_keep_apart_(list, slot);', 'hole = slot;'),  # what a pass has not visited takes the place of what it has
    ('columns', 'list->chunks[to / COLUMNS_CHUNK]->number_[to % COLUMNS_CHUNK] = list->chunks[from / COLUMNS_CHUNK]->number_[from % COLUMNS_CHUNK];',
     ''),  # a column stays where it is when the others are moved
    ('keyed', 'keyed_index_drop_(list, slot, keyed_hash_(list, key));', ''),
    ('indexed', 'indexed_index_leave_by_hp_(list, slot, indexed_hash_by_hp_(list, old_key));', ''),  # it is found by its old key too
    ('indexed', 'indexed_index_drop_by_id_(list, slot, indexed_hash_by_id_(list, indexed_key_by_id_(&list->items[slot])));', ''),
    ('indexed', 'if (indexed_key_by_rank_(&list->items[slot]) < key) {', 'if (indexed_key_by_rank_(&list->items[slot]) <= key) {'),
    ('shared', 'if (shared_key_by_hp_(list->items[slot]) < key) {', 'if (shared_key_by_hp_(list->items[slot]) <= key) {'),
    ('sided', 'rows->ids[row - 1] = rows->ids[last];', ''),
    ('sided', '    sided_drop_fire_(list, list->ids[slot]);', ''),
    ('sided', 'cursor.left = list->with_fire.count;', 'cursor.left = list->with_fire.count == 0 ? 0 : list->with_fire.count - 1;'),
    ('few', '    if (extra > (size_t)list->max - list->count) {\n        return FEW_FULL;', '    if (false) {\n        return FEW_FULL;'),
    ('table', 'if (list->count == 0 || key >= list->keys ||', 'if (list->count == 0 || key + 1 >= list->keys ||'),  # the largest key is not found
]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """With what a program has recorded."""
    return recorded(tmp_path_factory.mktemp('kinds'), SPEC, OTHER, SHIP, BODY)


def test_the_containers_of_a_trace_do_the_same(folder):
    result = bespoke('replay', '2.trace', cwd=folder)
    assert result.returncode == 0, result
    assert sorted(re.findall('`(.*?)`', result.stdout)) == KINDS and 'all as in 2.trace' in result.stdout, result
    assert int(re.search('replayed ([0-9,]+) operations', result.stdout).group(1).replace(',', '')) > 5000


def test_other_policies_do_the_same(folder):
    result = bespoke('replay', '2.trace', '--spec', 'other.yaml', cwd=folder)
    assert result.returncode == 0 and 'with other.yaml too' in result.stdout, result


@pytest.mark.parametrize('name, right, wrong', FAULTS)
def test_a_planted_fault_is_shrunk(folder, tmp_path, planted, name, right, wrong):  # noqa: F811
    assert_shrunk(folder, tmp_path, planted, name, right, wrong)


@pytest.mark.parametrize('name, candidates', [('columns', 1), ('few', 6), ('indexed', 10), ('shared', 4), ('table', 10), ('keyed', 2)])
def test_they_are_measured(folder, tmp_path, name, candidates):
    """Each candidate returns what the spec's own does. Without the sources any operation is kept."""
    wanted = Wanted([name], shutil.which('tcc'), '-O0', 0, 0)
    (tuned,), left_out, _ = tune(str(folder / '2.trace'), str(tmp_path), [loaded(folder / 'lists.yaml')], wanted, lambda text: None)
    assert not left_out and not tuned.parted and len(tuned.measured) >= candidates, (left_out, tuned.parted, len(tuned.measured))
    assert {one.candidate.container['layout'] for one in tuned.measured} == {'soa' if name in ('columns', 'keyed') else 'aos'}
