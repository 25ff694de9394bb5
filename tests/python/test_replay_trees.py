"""Containers in layers, trees, and what has changed since a version, repeated: with faults that are planted."""


import pytest
from test_replay import _quickly, assert_others_do_the_same, assert_shrunk, planted, recorded  # noqa: F401

SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; int hp; };
struct part { int left; struct part *next, *prev, *fixed_to, *together; struct scene *scene; };
#endif
'''
SPEC = '''bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true}
containers:
  storeys: {layers: [cellar, ground, roof], iteration: {direction: both}, identity: {key: element->id}, duplicates: reject, index: hash, removal: unlink}
  burning: {layers: [low, high], removal: {policy: tombstone, expired: element->hp <= 0}}
  waiting: {layers: [low, high], identity: {key: element->id}, duplicates: reject, index: hash, removal: {policy: tombstone, when: deferred}}
  sides: {layers: {names: [near, far], ordering: unordered}, element: {by: pointer}, duplicates: reject, index: hash, removal: swap}
  kept: {layers: {names: [awake, asleep], ordering: insertion, handles: shared}, handles: generational, removal: tombstone}
  plan:
    ordering: tree
    removal: unlink
    handles: generational
    iteration: {direction: both}
    emit: {trace: true, operations: [all, move_before, move_after, move_to_front, move_to_back, move_to_parent]}
  keyed: {ordering: tree, removal: unlink, identity: {key: element->id}, duplicates: reject, index: hash}
  sent: {ordering: unordered, removal: swap, handles: generational, changes: recorded}
  scene:
    preset: scene_tree
    element: {type: struct part, header: ship.h, link: {next: next, prev: prev, owner: scene, parent: fixed_to, sibling: together}}
    removal: {expired: element->left <= 0}
    hooks: {update: scene_ages, context: uint32_t *}
'''
OTHER = SPEC.replace('policy: tombstone, expired', 'policy: tombstone, dead_share: 20, expired').replace('when: deferred', 'when: deferred, dead_share: 20').replace('removal: unlink}', 'removal: unlink, storage: chunked}').replace('removal: swap}', 'removal: swap, storage: chunked}') \
    .replace('removal: swap, handles', 'removal: swap, storage: chunked, handles') \
    .replace('removal: tombstone}', 'removal: unlink}').replace('    removal: unlink\n', '    removal: unlink\n    storage: chunked\n')
BODY = r'''
#include "lists.h"

static uint32_t state = 7;
static uint32_t drawn(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

void scene_ages(scene *list, struct part *element, uint32_t *context)
{
    (void)list;
    ++*context;
    element->left -= drawn(4) == 0;
}

int main(int number, char **arguments)
{
    static struct ship ships[20];
    static struct part parts[30];
    static storeys house;
    static burning fires[2];
    static waiting queue;
    static sides both;
    static kept all;
    static plan drawing;
    static keyed named;
    static scene whole;
    static sent told;
    static sent_handle ship_of[9];
    uint64_t seen = 0;
    static kept_layer_handle known[9];
    static plan_handle node[9];
    uint32_t updated = 0;

    (void)number;
    bespoke_trace_begin(arguments[1]);
    for (uint32_t round = 0; round < 160; round++) {
        struct ship ship = {drawn(60), (int)drawn(9)};
        struct ship *one = &ships[drawn(20)];
        struct part *part = &parts[drawn(30)], *other = &parts[drawn(30)];

        if (drawn(12) == 0) {
            storeys_set_enabled(&house, drawn(3), drawn(3) != 0);
            storeys_set_visible(&house, drawn(3), drawn(3) != 0);
        }
        (void)storeys_add(&house, drawn(3), ship);
        STOREYS_EACH(&house, each) {
            if (drawn(12) == 0) {
                (void)storeys_remove_current(&each_cursor);
            } else if (drawn(30) == 0) {
                (void)storeys_add(&house, drawn(3), ship);
            }
        }
        STOREYS_EACH_BACKWARD(&house, each) {
            if (drawn(25) == 0) {
                break;
            }
            if (drawn(30) == 0) {
                (void)storeys_move(&house, each, drawn(3));
            }
        }
        STOREYS_EACH_VISIBLE_CONST(&house, each) {
            ship.hp += each->hp;
        }
        if (drawn(80) == 0) {
            storeys_clear(&house);
        }
        ship.id = drawn(60);
        (void)storeys_contains(&house, &ship);
        for (uint32_t i = 0; i < 2; i++) {
            (void)burning_add(&fires[drawn(2)], drawn(2), (struct ship){drawn(60), (int)drawn(6) + 1});
            BURNING_EACH(&fires[i], each) {
                each->hp -= drawn(5) == 0;
                if (drawn(30) == 0) {
                    (void)burning_remove_current(&each_cursor);
                }
            }
            if (drawn(5) == 0) {
                burning_settle(&fires[drawn(2)]);
            }
        }
        BURNING_EACH_VISIBLE_CONST(&fires[0], each) {
            ship.hp += each->hp;
        }
        (void)waiting_add(&queue, drawn(2), ship);
        WAITING_EACH(&queue, each) {
            if (drawn(9) == 0) {
                (void)waiting_remove_current(&each_cursor);
            } else if (drawn(9) == 0) {
                (void)waiting_add(&queue, drawn(2), (struct ship){drawn(60), 1});
            }
        }
        waiting_settle(&queue);
        (void)sides_add(&both, drawn(2), one);
        (void)sides_remove(&both, &ships[drawn(20)]);
        SIDES_EACH(&both, each) {
            if (drawn(9) == 0) {
                (void)sides_remove_current(&each_cursor);
            } else if (drawn(20) == 0) {
                (void)sides_add(&both, drawn(2), one);
            }
        }
        (void)sides_move(&both, &ships[drawn(20)], drawn(2));
        (void)kept_add_handle(&all, drawn(2), ship, &known[drawn(9)]);
        (void)kept_get(&all, known[drawn(9)]);
        (void)kept_move(&all, known[drawn(9)], drawn(2));
        (void)kept_contains(&all, known[drawn(9)]);
        (void)kept_remove(&all, known[drawn(9)]);
        KEPT_EACH_VISIBLE(&all, each) {
            if (drawn(9) == 0) {
                (void)kept_move(&all, known[drawn(9)], drawn(2));
            }
        }

        if (drawn(3) == 0) {
            (void)plan_add_handle(&drawing, ship, &node[drawn(9)]);
        } else {
            (void)plan_add_child_handle(&drawing, plan_get(&drawing, node[drawn(9)]), ship, &node[drawn(9)]);
        }
        (void)plan_insert_before(&drawing, plan_get(&drawing, node[drawn(9)]), ship);
        PLAN_EACH(&drawing, each) {
            if (drawn(20) == 0) {
                (void)plan_remove_current(&each_cursor);
            } else if (drawn(20) == 0) {
                (void)plan_insert_after(&drawing, each, ship);
            } else if (drawn(40) == 0) {
                (void)plan_remove(&drawing, node[drawn(9)]);
            }
        }
        PLAN_EACH_BACKWARD(&drawing, each) {
            if (drawn(20) == 0) {
                (void)plan_remove(&drawing, plan_handle_of(&drawing, each));
            }
        }
        if (plan_get(&drawing, node[round % 9]) != NULL) {
            (void)plan_move_to_parent(&drawing, plan_get(&drawing, node[round % 9]), plan_get(&drawing, node[drawn(9)]));
            (void)plan_move_to_front(&drawing, plan_get(&drawing, node[round % 9]));
        }
        (void)keyed_add_child(&named, keyed_find(&named, drawn(30)), (struct ship){drawn(30), 3});
        (void)keyed_insert_after(&named, keyed_find(&named, drawn(30)), (struct ship){drawn(30), 3});
        (void)keyed_remove_key(&named, drawn(30));
        KEYED_EACH_CONST(&named, each) {
            ship.hp += each->hp;
        }
        (void)sent_add_handle(&told, ship, &ship_of[drawn(9)]);
        (void)sent_mark(&told, ship_of[drawn(9)]);
        (void)sent_remove(&told, ship_of[drawn(9)]);
        if (drawn(3) == 0) {
            SENT_EACH_CHANGE(&told, drawn(9) == 0 ? 0 : seen, change) {
                if (change.kind == SENT_WAS_MARKED && drawn(9) == 0) {
                    break;
                }
            }
            seen = sent_version(&told);
        }
        part->left = 3;
        (void)scene_add_child(&whole, scene_contains(&whole, other) ? other : NULL, part);
        scene_update(&whole, &updated);
        SCENE_EACH(&whole, each) {
            if (drawn(20) == 0) {
                (void)scene_remove(&whole, &parts[drawn(30)]);
            }
        }
        bespoke_trace_frame();
    }
    storeys_deinit(&house);
    burning_deinit(&fires[0]);
    burning_deinit(&fires[1]);
    waiting_deinit(&queue);
    sides_deinit(&both);
    kept_deinit(&all);
    plan_deinit(&drawing);
    keyed_deinit(&named);
    scene_deinit(&whole);
    sent_deinit(&told);
    return !bespoke_trace_end();
}
'''
KINDS = ['burning', 'kept', 'keyed', 'plan', 'scene', 'sent', 'sides', 'storeys', 'waiting']
# Of a container: a text of what is generated for a replay with OTHER, and what takes its place.
FAULTS = [
    ('storeys', '(drawing ? list->states[layer].hidden : list->states[layer].disabled)', '(drawing ? list->states[layer].disabled : list->states[layer].hidden)'),
    ('storeys', 'storeys_layer_take_from(&list->layers[layer], &list->layers[from], element);',
     'storeys_layer_take_from(&list->layers[0], &list->layers[from], element);'),
    ('burning', 'burning_layer_expired_(element)', 'false'),  # a pass visits what has expired
    ('sides', 'hole = sides_layer_keep_apart_(list, slot);', 'hole = slot;'),
    ('kept', '        (list - list->layer)->shared.arriving = id + 1;\n', ''),  # the handle is of no element any more
    ('plan', '        last = plan_last_below_(list, slot);\n        plan_take_one_(list, last);\n', '        last = slot;\n        plan_take_one_(list, last);\n'),
    ('plan', 'place.next = place.parent == PLAN_NONE ? list->first - 1 : (size_t)list->next[place.parent] - 1;', 'place.next = PLAN_NONE;'),
    ('keyed', 'place.parent = keyed_slot_at_(list, parent);', 'place.parent = (size_t)list->parent[keyed_slot_at_(list, parent)] - 1;'),
    ('sent', '        sent_note_last_(list, list->ids[slot]);\n    return SENT_OK;', '    return SENT_OK;'),  # a mark
    ('sent', 'list->last_changes[number].added > changes->since ?', 'list->last_changes[number].added <= changes->since ?'),
    ('sent', '    changes.next = sent_first_change_(list, version);', '    changes.next = sent_first_change_(list, version + 1);'),
    ('scene', '            pass->next = next;\n        }\n        if (pass->position == slot) {\n            pass->position = NULL;',
     '            pass->next = next != NULL ? next->next : next;\n        }\n        if (pass->position == slot) {\n            pass->position = NULL;'),
]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """With what a program has recorded."""
    return recorded(tmp_path_factory.mktemp('trees'), SPEC, OTHER, SHIP, BODY)


def test_other_policies_do_the_same(folder):
    assert_others_do_the_same(folder, KINDS)


@pytest.mark.parametrize('name, right, wrong', FAULTS)
def test_a_planted_fault_is_shrunk(folder, tmp_path, planted, name, right, wrong):  # noqa: F811
    assert_shrunk(folder, tmp_path, planted, name, right, wrong)
