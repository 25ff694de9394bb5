"""The generated tests: they pass on what is emitted, and fail on what is not right.

Mutants show the second: each breaks one line of an emitted source on purpose, and the generated test must notice.
"""

import functools
import glob
import os
import re
import shutil
import subprocess

import pytest

from turns import share

from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.language.taken_names import LOCALS
from generator.testgen.printed import PRINTED
from generator.text.diag import Diagnostics
from generator.text.printing import render
from generator.output.lock_files import write_lock
from generator.types import type_info, typelock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPECS = sorted(glob.glob(os.path.join(ROOT, "specs", "*.yaml")))
FLAGS = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror").split()
SANITIZERS = ["-g", "-O1" if os.environ.get("BESPOKE_TEST_ALL") else "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
GCC = shutil.which("gcc")
# What only has to run: most of what a test takes is its compilation.
QUICK = shutil.which("tcc") or GCC

pytestmark = pytest.mark.skipif(GCC is None, reason="needs gcc")

HEADER = """\
#ifndef SHIP_H
#define SHIP_H
#include <stdbool.h>
#include <stdint.h>
struct ship { uint32_t id; uint32_t slot; int hp; bool gone; struct ship *next, *prev, *left, *right, *parent; uint64_t turn; int8_t balance; void *owner; };
enum mood { CALM, ANGRY };
typedef enum mood mood_t;
#endif
"""


def write(folder, stem, text, tests=True):
    """Generates the files of a spec, tests included, into a folder."""
    path = os.path.join(folder, stem + ".yaml")
    with open(path, "w") as file:
        file.write(text)
    with open(os.path.join(folder, "ship.h"), "w") as file:
        file.write(HEADER)
    diagnostics = Diagnostics()
    spec = load_spec(path, diagnostics)
    assert spec is not None and not diagnostics.errors, [render(item) for item in diagnostics.sorted()]
    files = Renderer().files(spec, "bespoke generate", tests=tests)
    for name, content in files.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
    return files


def run(command, folder, limit=120):
    """(exit code, output); a run that does not come to its end counts as failed."""
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return -1, "no end"
    return done.returncode, done.stdout


def compiled(folder, source, *flags, compiler="gcc", output="a.out"):
    code, said = run([compiler, *flags, source, "-o", output], folder)
    assert code == 0, said
    return os.path.join(folder, output)


def one(text):
    return "bespoke: 1\ncontainers:\n  box: " + text + "\n"


SHIP = "element: {type: struct ship, header: ship.h%s}"
KEPT = {
    "compact": one("{%s, removal: compact, ordering: insertion, test: {id: id}}" % (SHIP % "")),
    "next": one("{%s, removal: shift, ordering: insertion, iteration: {adds: next}, test: {id: id}}" % (SHIP % "")),
    "place": one("{%s, preset: constant_time_array, index: {field: slot}}" % (SHIP % ", by: pointer")),
    "swap": one("{%s, ordering: unordered, removal: swap, test: {id: id}, capacity: {max: 12}}" % (SHIP % "")),
    "hash": one("{element: int, ordering: unordered, removal: swap, identity: value, duplicates: reject, index: hash}"),
    "probed": one("{element: uint32_t, ordering: unordered, removal: swap, identity: value, duplicates: reject, index: hash}"),
    "locking": one("{%s, preset: locking_list}" % (SHIP % ", by: pointer")),
    "dead": one("{%s, preset: deletable_object_list, removal: {expired: element->gone}}" % (SHIP % ", by: pointer")),
    "prune": one("{%s, preset: entity_list, removal: {expired: element->hp <= 0}, test: {id: id}, hooks: {add: on_add, "
                 "remove: on_remove, destroy: on_destroy, update: on_update}}" % (SHIP % "")),
    "sorted": one("{%s, ordering: sorted, sort: element->hp, removal: shift, test: {id: id}}" % (SHIP % "")),
    "begin": one("{%s, ordering: sorted, sort: {key: hp_of, when: begin}, removal: compact}" % (SHIP % ", by: pointer")),
    "explicit": one("{%s, ordering: explicit, removal: compact, test: {id: id}}" % (SHIP % "")),
    "columns": one("{element: {fields: {id: uint32_t, x: float, hp: int, owner: struct ship *}}, layout: soa, ordering: unordered, "
                   "removal: swap, test: {id: id}, hooks: {add: on_add, remove: on_remove, move: on_move}}"),
    "lanes": one("{element: {fields: {id: uint32_t, x: float, hp: int}}, layout: soa, ordering: unordered, storage: chunked, "
                 "handles: generational, duplicates: reject, identity: {key: element->id}, test: {id: id}}"),
    "linked": one("{%s, ordering: explicit, removal: unlink, iteration: {direction: both}, test: {id: id}}" % (SHIP % "")),
    "spliced": one("{%s, ordering: explicit, iteration: {direction: both}, emit: {operations: [add, add_from, remove_current, move_to_back, "
                   "splice_before, splice_after, each]}}" % (SHIP % ", link: {next: next, prev: prev, owner: owner}")),
    "back": one("{%s, ordering: insertion, removal: unlink, iteration: {direction: backward}}" % (SHIP % ", by: pointer")),
    "rooted": one("{%s, ordering: heap, sort: {key: element->hp, stable: true}}" % (SHIP % ", link: {next: next, prev: prev, owner: owner, left: "
                  "left, right: right, parent: parent, turn: turn}")),
    "balanced": one("{%s, ordering: sorted, sort: element->hp, hooks: {destroy: on_destroy}}" % (
        SHIP % ", link: {next: next, prev: prev, owner: owner, left: left, right: right, parent: parent, balance: balance}")),
    "tree": one("{%s, ordering: tree, removal: {policy: prune, expired: is_over}, storage: linked, hooks: {destroy: on_destroy}}"
                % (SHIP % ", by: pointer")),
    "branches": one("{%s, ordering: tree, removal: unlink, test: {id: id}, emit: {operations: [add, add_child, contains, remove_current, clear, "
                    "move_before, move_after, move_to_front, move_to_back, move_to_parent, each]}}" % (SHIP % "")),
    "late_branches": one("{%s, ordering: tree, removal: unlink, iteration: {adds: next}, test: {id: id}, emit: {operations: [add, add_child, "
                         "contains, remove_current, move_after, move_to_parent, each]}}" % (SHIP % "")),
    "handed": one("{%s, removal: compact, identity: {key: element->id}, duplicates: reject, hooks: {destroy: on_destroy}, emit: {operations: "
                  "[all, take, take_key, take_current, find_or_add, pop_if, remove_if]}}" % (SHIP % "")),
    "pool": one("{%s, preset: item_pool, capacity: {max: 100}, test: {id: id}}" % (SHIP % "")),
    "scans": one("{%s, ordering: unordered, indexes: {by_id: {key: element->id, unique: true}, by_hp: {key: element->hp}, by_rank: {key: element->hp, "
                 "kind: sorted}}, emit: {operations: [all, scan_range_by_hp, scan_range_backward_by_rank, scan_all_by_rank]}}" % (SHIP % "")),
    "bounds": one("{%s, ordering: sorted, removal: shift, sort: element->hp, emit: {operations: [all, lower_bound, upper_bound]}}" % (SHIP % "")),
    "linked_bounds": one("{%s, ordering: sorted, removal: unlink, sort: element->hp, emit: {operations: [all, lower_bound, upper_bound]}}" % (SHIP % "")),
    "changes": one("{%s, ordering: unordered, removal: swap, handles: generational, changes: recorded, duplicates: replace, identity: {key: element->id}, "
                   "index: hash, emit: {snapshot: true}}" % (SHIP % "")),
    "beside": one("{%s, ordering: unordered, removal: swap, handles: generational, side: {heat: float, dot: struct ship}, test: {id: id}}" % (SHIP % "")),
    "kin": one("{%s, ordering: tree, removal: unlink, duplicates: reject, identity: {key: element->id}, index: hash, emit: {operations: [all, "
               "scan_children, scan_subtree_backward, move_before, move_to_parent]}}" % (SHIP % "")),
}

# What is broken, in which container, and how: a pattern of the emitted source and what takes its place.
MUTANTS = [
    ("a pass goes on with what has gone to another container", "spliced",
     r"(void box_part_\((?:.|\n)*?)pass->next = pass->back \? prev : next;", r"\1;"),
    ("a pass stands on what has gone to another container", "spliced", r"(void box_part_\((?:.|\n)*?)pass->position = NULL;", r"\1;"),
    ("what comes in beside a backward pass is visited from its first element on", "spliced",
     r"(void box_join_\((?:.|\n)*?)pass->back \? last : first", r"\1first"),
    ("elements do not learn that they are in another container", "spliced", r"slot->owner = other;", ";"),
    ("a removal leaves the next place of a pass as it is", "compact", r"pass->next--;", ";"),
    ("a removal does not tell cursors to look again", "compact",
     r"(_closed_up_\(list, place\);\s*)list->changes\+\+;", r"\1;"),
    ("the gap is not closed at the end of a pass", "compact", r"(void box_end_pass_\(box \*list(?:.|\n)*?)box_close_gap_\(list\);", r"\1;"),
    ("clear leaves a count of one", "compact", r"list->count = 0;", "list->count = list->count > 0;"),
    ("a getter of a const container returns the next element", "compact", r"(box_get_const\([^;{]*\)\s*\{\s*return box_get\(list, index)\)", r"\1 + 1)"),
    ("elements that are only read are given with a gap in them", "compact", r"list->gap == 0 \? list->items : NULL", "list->items"),
    ("a refused realloc loses the array", "compact", r"if \(items != NULL\) \{\n(\s*)list->items = items;", "{\n list->items = items;"),
    ("the end of a bounded pass stays where it is", "next", r"pass->end--;", ";"),
    ("the element that moved does not learn its new place", "place", r"list->items\[to\]->slot = \(uint32_t\)\(to \+ 1\);", ";"),
    ("what leaves keeps its place", "place", r"list->items\[slot\]->slot = 0;", ";"),
    ("a swap moves across the borders of live passes", "swap", r"hole = pass->next;", ";"),
    ("one element too few", "swap", r"extra > \(size_t\)BOX_MAX - list->count", "extra >= (size_t)BOX_MAX - list->count"),
    ("a hash table loses those behind the one that leaves", "probed", r"list->table\[hole\] = list->table\[at\];\n\s*hole = at;", ";"),
    ("the table in a row does not hear of a move", "probed",
     r"(static void box_move_\((?:.|\n)*?)list->table\[[^;]*\]\.slot = \(uint32_t\)\(to \+ 1\);", r"\1;"),
    ("what leaves stays in the hash table", "hash", r"bespoke_groups_drop\(list->table[^;]*;", "(void)list, (void)slot, (void)hash;"),
    ("the hash table does not hear of a move", "hash", r"(static void box_move_\((?:.|\n)*?)bespoke_groups_lead\([^;]*;", r"\1;"),
    ("a key is looked for among the first that fit its tag only", "hash", r"return box_slot_further_\([^;]*;", "return BOX_NONE;"),
    ("removals that waited are remembered for ever", "locking", r"list->doomed\[change->at / 64\] = 0;", ";"),
    ("the journal is replayed backwards", "locking", r"size_t number = list->replayed;(?=\n)",
     "size_t number = list->journal_count - 1 - list->replayed;"),
    ("what will leave counts as a duplicate", "locking",
     r"(box_status box_add\(box \*list(?:.|\n)*?)box_staying_\(list, element\)", r"\1box_slot_of_(list, element)"),
    ("one unlock undoes all locks", "locking", r"list->locks--;", "list->locks = 0;"),
    ("the journal is not given back", "locking", r"free\(list->journal\);", ";"),
    ("slots are squeezed out under a live pass", "dead", r"(static void box_tighten_\(box \*list\)\n\{\n\s*if \()", r"\1false && "),
    ("a pass lets nothing go", "dead", r"box_take_\(list, box_current_slot_\(list[^;]*;", ";"),
    ("a clear forgets the hooks of its last element", "prune", r"while \(list->doomed > 0\)", "while (list->doomed > 1)"),
    ("elements are destroyed twice", "prune", r"(on_destroy\(list, &gone\);)", r"\1 \1"),
    ("the expired are updated", "prune", r"\(void\)box_remove_current\(&cursor\);\n\s*continue;", ";"),
    ("what is handed over is destroyed", "handed", r"(box_take_key\((?:.|\n)*?)box_take_out_\(list, slot, true\)", r"\1box_take_out_(list, slot, false)"),
    ("a pass hands over another element", "handed", r"(box_hand_over_current_\((?:.|\n)*?)\*taken = list->items\[\w+\]", r"\1*taken = list->items[0]"),
    ("another element is found than the equal one", "handed", r"\*found = &list->items\[slot\];(\s*return)", r"*found = list->items;\1"),
    ("what is asked about does not always leave", "handed", r"if \(matches\(element, context\)\)", "if (matches(element, context) && done < 2)"),
    ("what leaves is not counted", "handed", r"(box_remove_if\((?:.|\n)*?)done\+\+;", r"\1;"),
    ("the first is popped whether it is due or not", "handed", r"if \(!due\(", "if (false && !due("),
    ("a member stays where it was", "columns", r"list->x_\[to\] = list->x_\[from\];", ";"),
    ("a row is no element's any more", "columns", r"return row < list->count \?", "return row + 1 < list->count ?"),
    ("columns are copied without their last row", "columns", r"memcpy\(hp_, list->hp_, list->count \*", "memcpy(hp_, list->hp_, (list->count - 1) *"),
    ("a new chunk is not cleared", "lanes", r"memset\(chunk, 0, sizeof \*chunk\);", ";"),
    ("a lane too few", "lanes", r"rows -= number \* BOX_CHUNK;", "rows -= number * BOX_CHUNK + 1;"),
    ("an old handle fits the next owner", "pool", r"list->generations\[slot\]\+\+;", "list->generations[slot] = 1;"),
    ("of equal elements the last one added comes first", "sorted",
     r"if \(box_before_\(element, (&list->items\[middle\])\)\)", r"if (!box_before_(\1, element))"),
    ("an element comes in behind a pass, which visits the next one twice", "sorted",
     r"(static void box_opened_up_(?:.|\n)*?)pass->next\+\+;", r"\1;"),
    ("elements that go over to another container stay as well", "sorted", r"list->count -= \*taken;", ";"),
    ("elements are sorted under a pass", "begin", r"if \(list->live.number == 0\) \{(\s*box_sort_\(list\);)", r"{\1"),
    ("elements are not sorted when a pass begins", "begin", r"(box_begin(?:_pass_)?\(box \*list\)\n\{(?:.|\n)*?)box_sort_\(list\);", r"\1;"),
    ("what is out of place goes back one place only", "begin",
     r"while \(to > 0 && box_before_\(element, list->items\[to - 1\]\)\);", "while (false);"),
    ("every other merge is left out", "begin", r"width \*= 2", "width *= 4"),
    ("behind is before", "explicit", r"(box_insert_after\((?:.|\n)*?)place\+\+;", r"\1;"),
    ("the gap is somewhere else than what comes in", "explicit", r"box_move_gap_\(list, place\);", ";"),
    ("what comes in where a pass goes on is not visited", "linked", r"pass->back \? behind && pass->next == prev : !behind && pass->next == next", "false"),
    ("before is behind", "linked", r"(box_insert_after\((?:.|\n)*?)place = \(size_t\)list->next\[place\] - 1;", r"\1;"),
    ("what came in behind is not visited after the first one", "back", r"pass->added_behind = slot;", ";"),
    ("a pass goes on at what has left", "back", r"pass->next = pass->back \? prev : next;", ";"),
    ("what is below an element leaves the heap with it", "rooted", r"(box_heap_out_\((?:.|\n)*?)= box_meld_all_\([^;]*;", r"\1= NULL;"),
    ("the last pair of those below stays behind", "rooted", r"(root = box_meld_pair_\(root, made\);\s*)made = next;", r"\1made = NULL;"),
    ("an element that gets another key comes last of equal ones", "rooted", r"(box_rekey\((?:.|\n)*?)(box_heap_in_\(list, slot\);)",
     r"\1slot->turn = list->arrivals++; \2"),
    ("of equal elements any may be first", "rooted", r"ahead = element->turn < other->turn;", ";"),
    ("an element leads to where it was in the heap", "rooted", r"next->parent = root != NULL \? root : prev;", ";"),
    ("what is taken out is the first still", "rooted", r"list->root = root;", ";"),
    ("a red one stays below a red one", "balanced", r"parent = box_tree_turn_\(list, top, [^;]*;", ";"),
    ("what is above is not told that a side has got lighter", "balanced", r"top = parent->parent;(?= /)", r"return;"),
    ("what is on the inner side comes above as what is on the outer one", "balanced", r"if \(inner\)", "if (inner && slot == NULL)"),
    ("a black one leaves a side lighter", "balanced", r"box_tree_lighter_\(list, parent, right\);", ";"),
    ("the other side keeps its colour", "balanced", r"other->balance = 1;", ";"),
    ("the next one takes a place without what was below it", "balanced", r"parent->left = below;", "parent->left = NULL;"),
    ("the next one brings its own balance", "balanced", r"next->balance = slot->balance;", ";"),
    ("what changes its key leaves the tree as it was", "balanced", r"(box_relocate_\((?:.|\n)*?)box_plant_\(list, from, place\);", r"\1;"),
    ("an element whose key has changed is compared with itself", "balanced", r"at != from \? at : prev\)", "at)"),
    ("an add during a clear looks for its place among what goes", "balanced", r"if \(list->clears > 0\) \{ /\* what a clear that", "if (false) { /* what a clear that"),
    ("a sort leaves the tree as it was", "balanced", r"(box_sort_\((?:.|\n)*?)box_plant_all_\(list\);", r"\1;"),
    ("an element leaves alone", "tree", r"box_last_below_\(list, slot\), moved_out", "slot, moved_out"),
    ("a sibling that has left is still known", "tree", r"list->sibling\[elder\] = \(uint32_t\)\(next \+ 1\);", "(void)next;"),
    ("passes see what is below the expired", "tree", r"pass->next = box_behind_\(cursor->list, pass->position\);", "(void)pass;"),
    ("a child comes first", "tree", r"(box_add_child\((?:.|\n)*?)(box_place_at_\(list, place, element\);)",
     r"\1if (place.parent != BOX_NONE && list->next[place.parent] != 0 && list->parent[list->next[place.parent] - 1] == place.parent + 1) "
     r"{ place.next = list->next[place.parent] - 1u; } \2"),
    ("an element is moved below itself", "branches", r"if \(box_is_below_\(list, place.parent, from\)\)", "if (place.parent == from)"),
    ("a moved element is still known where it was", "branches", r"(static void box_relocate_(?:.|\n)*?)box_uproot_\(list, from\);", r"\1;"),
    ("the one before it does not know a moved element", "branches", r"(static void box_relocate_(?:.|\n)*?)list->sibling\[slot\] = [^;]*;", r"\1;"),
    ("what is below stays where it was", "branches", r"(static void box_relocate_(?:.|\n)*?last = )box_last_below_\(list, from\);", r"\1from;"),
    ("a pass that goes on behind what is moved does not visit it", "branches", r"(static inline void box_tie_(?:.|\n)*?)pass->next = slot;", r"\1;"),
    ("what is there is moved", "branches", r"if \(place.next == from \|\|\s+\(place.parent == [^{]*\)\) \{", "if (place.next == from) {"),
    ("the first of siblings is the first of all", "branches", r"(box_move_to_front\((?:.|\n)*?)place.parent == BOX_NONE \?", r"\1true ?"),
    ("moved descendants are visited", "late_branches", r"(static void box_relocate_(?:.|\n)*?)list->born\[slot\] = ", r"\1list->born[from] = "),
    ("the lower bound is the element before", "scans", r"(box_lower_bound_by_rank\((?:.|\n)*?)box_tree_from_by_rank_", r"\1box_tree_to_by_rank_"),
    ("the upper bound is the last element with the key", "scans", r"slot = slot == BOX_NONE \? (box_tree_first_by_rank_\(list\)) : [^;]*;",
     r"slot = slot == BOX_NONE ? \1 : slot;"),
    ("the lower bound of an order is the element behind", "bounds", r"(box_lower_bound\((?:.|\n)*?)high = middle;", r"\1high = middle, low += low < high;"),
    ("the upper bound of an order is the lower one", "bounds", r"!box_before_\(like, (&list->items\[middle\])\)", r"box_before_(\1, like)"),
    ("the upper bound of links is the lower one", "linked_bounds", r"!box_before_\(like, (&list->items\[slot\])\)", r"box_before_(\1, like)"),
    ("a removal is no change", "changes", r"(box_take_\((?:.|\n)*?)box_note_new_\(list, list->ids\[slot\]\);", r"\1;"),
    ("a clear is no change", "changes", r"(void box_empty_\((?:.|\n)*?)box_note_new_\(list, [^;]*;", r"\1;"),
    ("an element that replaces another is no change", "changes", r"(void box_replace_\((?:.|\n)*?)box_note_last_\([^;]*;", r"\1;"),
    ("an element that is added is not new", "changes", r"list->last_changes\[number\]\.added = list->version;", ";"),
    ("what changes again stays at its place, too", "changes", r"if \(change->version != 0\) \{", "if (0) {"),
    ("the first of what has changed is not linked with the next", "changes", r"if \(change->prev != 0\) \{\n(?=\s*list->last_changes)", "if (0) {\n"),
    ("the handle of a removed element is that of the next", "changes", r"generation--; /\*", "; /*"),
    ("one change too many", "changes", r"(box_first_change_\((?:.|\n)*?)\.version > version", r"\1.version >= version"),
    ("a loop over changes goes on behind one", "changes", r"if \(changes->end != list->version\) \{", "if (0) {"),
    ("what comes back is not new", "changes", r"if \(change->added > version\) \{", "if (0) {"),
    ("what comes back is no change", "changes", r"\bbox_note_back_\(list, since\);", ";"),
    ("a value beside an element stays when that is removed", "beside", r"(box_take_\((?:.|\n)*?)box_drop_heat_\([^;]*;", r"\1;"),
    ("values beside elements outlive a clear", "beside", r"(void box_empty_\((?:.|\n)*?)box_drop_all_dot_\([^;]*;", r"\1;"),
    ("the value that fills a row is not led to", "beside", r"list->beside\[rows->ids\[last\] \* 2\] = ", "if (0) list->beside[0] = "),
    ("the row that is filled has another element", "beside", r"rows->ids\[row - 1\] = rows->ids\[last\];", ";"),
    ("the value of a row that is filled is another one", "beside", r"rows->items\[row - 1\] = rows->items\[last\];", ";"),
    ("what was set again is the value from before", "beside", r"(box_set_heat\((?:.|\n)*?)rows->items\[row - 1\] = value;", r"\1if (rows->count == row) rows->items[row - 1] = value;"),
    ("a loop over values goes on where one before it was removed", "beside", r"rows->removals - cursor->removals != 1 \|\| rows->removed < cursor->left", "0"),
    ("a loop over values ends where what it stands on was removed", "beside", r"if \(rows->removals - cursor->removals != 1 \|\| [^)]*\)", "if (1)"),
    ("a loop over values has the handle of another element", "beside", r"generations\[rows->ids\[row\]\]", "generations[0]"),
    ("memory for values loses one", "beside", r"memcpy\(items, rows->items, rows->count \* sizeof \*items\);", "memcpy(items, rows->items, rows->count / 2 * sizeof *items);"),
    ("values are not freed", "beside", r"(void box_deinit\((?:.|\n)*?)free\(list->with_dot.items\);", r"\1;"),
    ("a scan begins again behind a removal", "scans", r"record->at = record->back \? behind : before;", "record->at = BOX_NONE;"),
    ("a scan goes the other way behind a removal", "scans", r"record->back \? behind : before;", "record->back ? before : behind;"),
    ("a scan does not hear of a move", "scans", r"record->at = to;", ";"),
    ("a scan does not hear what leaves a hash index", "scans", r"(static void box_index_leave_by_hp_\((?:.|\n)*?)box_scans_step_back_\([^;]*;", r"\1;"),
    ("a scan does not hear what leaves a sorted index", "scans", r"(static void box_tree_take_by_rank_\((?:.|\n)*?)box_scans_step_back_\([^;]*;", r"\1;"),
    ("a scan has another key than it is given", "scans", r"scan.keys.by_hp_.key = key;", "scan.keys.by_hp_.key = key + 1;"),
    ("a scan removes what it does not stand on", "scans", r"if \(!record->stands\)", "if (record->at == BOX_NONE)"),
    ("a scan ends twice", "scans", r"if \(record != NULL\) \{\n(\s*bespoke_passes_end\()", r"{\n\1"),
    ("a scan goes beyond its last key", "scans", r"(static size_t box_scan_after_by_rank_\((?:.|\n)*?)return BOX_NONE;\n(?=    \}\n    return slot;)", r"\1;\n"),
    ("a scan of children does not hear of a removal", "kin", r"(static [^;{]*box_take_one_\((?:.|\n)*?)box_scans_uproot_\(list, slot\);", r"\1;"),
    ("a scan does not hear that its parent was removed", "kin", r"if \(record->root == slot\)", "if (false)"),
    ("a scan does not hear of a move in the tree", "kin", r"box_scans_transplant_\(list, from\);", ";"),
    ("a scan goes on beyond its subtree", "kin", r"return box_is_below_\(list, slot, root\) \? slot : BOX_NONE;", "return slot;"),
    ("the last child is the last descendant", "kin", r"(box_last_child_\((?:.|\n)*?)while \(", r"\1while (false && "),
    ("the sibling before an element is what is before it", "kin", r"(box_elder_\((?:.|\n)*?)while \(", r"\1while (false && "),
    ("passes that have begun again have what earlier ones had to visit", "pool", r"(box_begin\(box \*list\)\n(?:.|\n)*?)pass->copied = false;", r"\1;"),
    ("passes do not hear of what is added", "pool", r"(box_comes_\(box \*list(?:.|\n)*?)list->todo\[[^;]*\|=[^;]*;", r"\1;"),
]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The emitted files of a container that mutants are made of."""
    @functools.lru_cache(None)
    def files(name):
        return write(str(tmp_path_factory.mktemp(name)), "box", KEPT[name])
    return files


@pytest.fixture(scope="module")
def mutant(kept, tmp_path_factory):
    """Builds and tests the mutant of a number, once: its folder, and how its test ended (None: not built) with what it said."""
    @functools.lru_cache(None)
    def tried(number):
        _, name, pattern, instead = MUTANTS[number]
        folder = str(tmp_path_factory.mktemp(f"mutant{number}"))
        texts = kept(name)
        tested = ["box.c", "box.h"] if '#include "box.c"' in texts["box_test.c"] else ["box_test.c"]  # of chosen operations it has a copy of its own
        broken = {file: re.subn(pattern, instead, texts[file]) for file in tested}
        if not any(count for _, count in broken.values()):
            return folder, None, "the pattern finds nothing in what is tested"
        for file, text in dict(texts, **{file: text for file, (text, _) in broken.items()}, **{"ship.h": HEADER}).items():
            with open(os.path.join(folder, file), "w") as handle:
                handle.write(text)
        code, said = run([QUICK, "-w", "box_test.c", "-o", "a.out"], folder)
        if code != 0:
            return folder, None, f"does not compile: {said[:500]}"
        return (folder, *run(["sh", "-c", "ulimit -t 30; exec ./a.out --steps 20000"], folder, limit=600))  # its own seconds: others may keep the machine busy
    return tried


@pytest.mark.parametrize("number", range(len(MUTANTS)), ids=[what for what, *_ in MUTANTS])
def test_mutants_are_found(mutant, number):
    """Every mutant is told from the code that it was made of."""
    _, code, said = mutant(number)
    assert code, said if code is None else "it survives"


DEEP = share(sorted(KEPT), 4)  # of which all sequences of five operations are tried, as a test does by itself


@pytest.mark.parametrize("name", sorted(KEPT))
def test_unbroken_passes(kept, tmp_path, name):
    """What mutants are made of passes; the last line says how much was done."""
    for file, text in dict(kept(name), **{"ship.h": HEADER}).items():
        (tmp_path / file).write_text(text)
    deep = name in DEEP
    program = compiled(str(tmp_path), "box_test.c", "-O1" if deep else "-O0", "-std=c99", "-Wstrict-prototypes", *FLAGS)
    code, said = run([program, "--steps", "20000", "--exhaustive", "5" if deep else "4"], str(tmp_path))
    assert code == 0, said
    match = re.fullmatch(r"1 container, (\d+) operations, 0 failed", said.splitlines()[-1])
    assert match and int(match.group(1)) >= 20000
    claim = re.search(r"^box: every sequence of <= 3 of (\d+) operations, <= 4 of (\d+) operations" + deep * r", <= 5 of (\d+) operations" +
                      r" on 3 elements: (\d+) sequences; ", said, re.M)
    assert claim, said
    assert [int(number) >= least for number, least in zip(claim.groups(), (30, 25, 14, 500000) if deep else (30, 25, 300000))] == \
        [True] * len(claim.groups()), said


def test_failure_is_short_and_repeatable(kept, tmp_path):
    """A failure is told by the fewest operations, and the same ones every time: as a replay, and as a program."""
    for file, text in dict(kept("compact"), **{"ship.h": HEADER}).items():
        (tmp_path / file).write_text(text.replace("pass->next--;", ";"))
    program = compiled(str(tmp_path), "box_test.c", "-O0")
    for options, where in ((["--exhaustive", "0", "--seed", "7"], "--seed 7"), ([], "--exhaustive")):
        code, said = run([program, *options], str(tmp_path))
        assert code == 1 and where in said and "As few as these fail" in said
        assert said.splitlines()[-1].startswith("1 container, ") and said.splitlines()[-1].endswith(", 1 failed")
        assert run([program, *options], str(tmp_path)) == (code, said)
        lines, failure = story(said)
        assert 2 <= len([line for line in lines if line.split()[0] not in SETTINGS]) <= 6, said
        (tmp_path / "failure.txt").write_text("\n".join(lines) + "\n")
        code, said = run([program, "--replay", "failure.txt"], str(tmp_path))
        assert code == 1 and "with --replay" in said


SETTINGS = ("container", "range", "exact", "refuse", "refuse_from", "init")


def story(said):
    """The operations and the program that a failing test prints."""
    match = re.search(r"in a file for --replay:\n(.*?)\n  and then: .*? As C:\n(.*?^}\n)(?=\S*: |\d+ containers?, )", said, re.S | re.M)
    assert match, said
    return match.group(1).splitlines(), match.group(2)


# Where a failure must come out as few operations, and as a program: mutants by what they break.
TOLD = ["a swap moves across the borders of live passes", "one unlock undoes all locks", "what leaves keeps its place",
        "the journal is not given back", "elements are destroyed twice", "the expired are updated",
        "of equal elements the last one added comes first", "an element comes in behind a pass, which visits the next one twice",
        "elements are not sorted when a pass begins", "behind is before", "the gap is somewhere else than what comes in",
        "a member stays where it was", "a lane too few", "a row is no element's any more",
        "an old handle fits the next owner", "what leaves stays in the hash table",
        "what comes in where a pass goes on is not visited", "a sibling that has left is still known", "a child comes first"]


@pytest.mark.parametrize("what", TOLD)
def test_failure_as_a_program(kept, mutant, tmp_path, what):
    """It compiles against the header of the container, fails with what is broken, and passes with what is not."""
    number = next(number for number, one in enumerate(MUTANTS) if one[0] == what)
    for file, text in dict(kept(MUTANTS[number][1]), **{"ship.h": HEADER}).items():
        (tmp_path / file).write_text(text)
    broken, code, said = mutant(number)
    assert code == 1, said
    lines, failure = story(said)
    assert len([line for line in lines if line.split()[0] not in SETTINGS]) <= 6, said
    scarce = re.findall(r"-D\w+=scarce_\w+", failure.splitlines()[0])
    for folder, expected in ((broken, 1), (str(tmp_path), 0)):
        with open(os.path.join(folder, "failure.c"), "w") as file:
            file.write(failure)
        code, said = run([GCC, "-std=c99", "-Wall", "-Wextra", "-Werror", *scarce, "box.c", "failure.c", "-o", "failure"], folder)
        assert code == 0, said
        code, said = run(["./failure"], folder)
        assert code == expected, said + failure


def test_a_printed_program_beside_functions_of_its_names(tmp_path):
    """Functions of the user may be called as those of the program: it says what to compile it with."""
    text = KEPT["prune"]
    for hook, name in (("on_add", "noted"), ("on_remove", "known"), ("on_destroy", "over"), ("on_update", "made")):
        text = text.replace(hook, name)
    files = write(str(tmp_path), "box", text)
    for number, (pattern, instead) in enumerate((("$^", ""), (r"(over\(list, &gone\);)", r"\1 \1"))):
        folder = str(tmp_path / f"turn{number}")
        shutil.copytree(tmp_path, folder, ignore=lambda *_: [f"turn{n}" for n in (0, 1)])
        with open(os.path.join(folder, "box.c"), "w") as file:
            file.write(re.sub(pattern, instead, files["box.c"]))
    assert run([GCC, "-w", "-O0", "box_test.c"], folder)[0] == 0
    code, said = run(["./a.out", "--steps", "20000"], folder)
    assert code == 1, said
    failure = story(said)[1]
    renamed = re.findall(r"-D\w+=\w+", failure[:failure.index("#include")])
    assert len([one for one in renamed if "=your_" in one]) == 4
    for number, expected in ((1, 1), (0, 0)):
        folder = str(tmp_path / f"turn{number}")
        with open(os.path.join(folder, "failure.c"), "w") as file:
            file.write(failure)
        code, said = run([GCC, "-std=c99", "-Wall", "-Wextra", "-Werror", *renamed, "box.c", "failure.c", "-o", "failure"], folder)
        assert code == 0, said
        code, said = run(["./failure"], folder)
        assert code == expected, said + failure


# Of these kinds every one prints something else, and each stands beside containers of all names that are printed.
KINDS = [
    SHIP % "" + ", ordering: insertion, removal: {policy: prune, expired: element->gone}, test: {id: id}, hooks: {add: on_add, update: on_update}",
    SHIP % ", by: pointer" + ", ordering: insertion, removal: {policy: prune, expired: is_gone}, duplicates: reject, identity: {key: key_of}, index: hash",
    SHIP % ", by: pointer" + ", ordering: sorted, sort: {key: rank_of}, removal: shift",
    SHIP % "" + ", preset: slot_map, test: {id: id}",
    SHIP % "" + ", ordering: unordered, removal: swap, handles: generational, test: {id: id}",
    SHIP % "" + ", ordering: explicit, removal: unlink, duplicates: allow, test: {id: id}",
    "element: {fields: {id: uint32_t, hp: int}}, layout: soa, ordering: unordered, removal: swap, test: {id: id}",
    SHIP % "" + ", ordering: layered, layers: {names: [low, high], ordering: insertion}, removal: {policy: prune, expired: element->gone}, test: {id: id}",
    SHIP % ", by: pointer" + ", ordering: layered, layers: {names: [low, high], ordering: insertion}, removal: {policy: prune, expired: is_gone}, hooks: {update: on_seconds}",
]


CHECK = r"(const char \*(\w+)_check\(const \w+ \*list\)\n\{)"


def counted(fails):
    return rf'\1\n    if ({fails}) {{\n        return "wrong";\n    }}\n'


def _printed_programs_are_good(tmp_path, text, names, planted=(CHECK, counted(r"\2_count(list) == 2"))):
    """What fails in these containers of the spec `lists` is printed as a program that compiles, and runs beside them as they should be."""
    files = write(str(tmp_path), "lists", text)
    assert run([GCC, "-std=c99", "-O0", "-c", "lists.c"], str(tmp_path))[0] == 0
    wrong, count = re.subn(*planted, files["lists.c"])
    assert count >= len(names)
    (tmp_path / "lists.c").write_text(wrong)
    code, said = run([QUICK, "-w", "lists_test.c", "-o", "a.out"], str(tmp_path))
    assert code == 0, said
    for name in names:
        code, said = run(["./a.out", "--steps", "100", "--container", name], str(tmp_path))
        assert code == 1, said
        programs = re.findall(r"in a file for --replay:\n.*? As C:\n(.*?^}\n)(?=\S*: |\d+ containers?, )", said, re.S | re.M)
        assert programs, said
        for failure in programs:
            (tmp_path / "failure.c").write_text(failure)
            code, said = run([GCC, "-std=c99", "-Wall", "-Wextra", "-Werror", "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "lists.o",
                              "failure.c", "-o", "failure"], str(tmp_path))
            assert code == 0, said + failure
            code, said = run(["./failure"], str(tmp_path))
            assert code == 0, said + failure


def test_a_printed_program_beside_containers_of_its_names(tmp_path):
    """A container may have any name that a program has which is printed."""
    names = sorted(PRINTED.difference(LOCALS))
    text = "bespoke: 1\ncontainers:\n"
    for number, name in enumerate(names):
        text += f"  {name}: {{{KINDS[number] if number < len(KINDS) else 'element: int'}}}\n"
    _printed_programs_are_good(tmp_path, text, names[:len(KINDS)])


MEMBERS = """\
#ifndef MEMBER_H
#define MEMBER_H
#include <stdbool.h>
#include <stdint.h>
struct tell;
struct member {
    uint32_t known, found, pool, visited;
    int rank, all;
    bool over;
    struct member *heard, *same;
    struct note *note;
};
#endif
"""
MEMBER = "element: {type: struct member, header: member.h%s}"


def test_a_printed_program_where_members_are_called_like_containers(tmp_path):
    """A header that is read while a container has another name has other members, too."""
    kinds = {
        "found": MEMBER % "" + ", ordering: sorted, sort: element->found, identity: {key: element->found}",
        "known": MEMBER % ", by: pointer" + ", ordering: insertion, duplicates: reject, identity: {key: element->known}, index: hash",
        "rank": MEMBER % ", by: pointer" + ", ordering: sorted, sort: {less: a->rank < b->rank}, removal: shift, test: {id: known}",
        "over": MEMBER % "" + ", ordering: insertion, removal: {policy: prune, expired: element->over}, test: {id: known, expire: element->over = true}",
        "note": MEMBER % ", by: intrusive, link: {next: heard, prev: same, owner: note}" + ", ordering: explicit, removal: unlink, test: {id: known}",
        "pool": MEMBER % ", by: pointer" + ", preset: constant_time_array, index: {field: pool}, test: {id: known}",
        "visited": "element: {fields: {visited: uint32_t, all: int}, hot: [visited]}, layout: soa, ordering: unordered, removal: swap, test: {id: visited}",
        "all": MEMBER % "" + ", ordering: layered, layers: {names: [low, high], ordering: insertion}, removal: {policy: prune, "
        "expired: element->all != 0}, test: {id: known, expire: element->all = 1}",
    }
    (tmp_path / "member.h").write_text(MEMBERS)
    text = "bespoke: 1\ncontainers:\n" + "".join(f"  {name}: {{{kind}}}\n" for name, kind in kinds.items())
    _printed_programs_are_good(tmp_path, text + "  heard: {element: int}\n  same: {element: int}\n", list(kinds))


def test_elements_sorted_by_a_bit_field(tmp_path):
    """It has no address. In what is sorted by it, another member tells elements apart."""
    (tmp_path / "card.h").write_text("#pragma once\n#include <stdint.h>\nstruct card { unsigned layer : 4, number : 28; uint32_t id; };\n")
    card = type_info.TypeInfo("struct card", "card.h", "struct", (
        type_info.TypeField("layer", "unsigned int", bits=4), type_info.TypeField("number", "unsigned int", bits=28), type_info.TypeField("id", "uint32_t")))
    os.mkdir(tmp_path / "types")
    assert write_lock(typelock.lock_path(str(tmp_path), card.type), card, Diagnostics())
    kinds = {
        "drawn": "element: {type: struct card, header: card.h}, ordering: sorted, sort: element->layer, test: {id: id}",
        "dealt": "element: {type: struct card, header: card.h, by: pointer}, ordering: sorted, sort: {less: a->layer > b->layer}, test: {id: id}",
        "keyed": "element: {type: struct card, header: card.h}, ordering: insertion, duplicates: reject, identity: {key: element->number}",
    }
    text = "bespoke: 1\ncontainers:\n" + "".join(f"  {name}: {{{kind}}}\n" for name, kind in kinds.items())
    write(str(tmp_path), "lists", text)
    assert run([GCC, "-std=c99", "-Wall", "-Wextra", "-Werror", "lists_test.c"], str(tmp_path)) == (0, "")
    code, said = run(["./a.out", "--steps", "500", "--exhaustive", "1"], str(tmp_path))
    assert code == 0 and "3 containers, " in said, said
    _printed_programs_are_good(tmp_path, text, ["drawn", "dealt", "keyed"])


def test_members_called_as_what_the_driver_calls(tmp_path):
    """The functions that give columns are called like the members, and are no operations."""
    names = "label fresh key before rank expire family contents loop data update sort lock".split()
    text = ("bespoke: 1\ncontainers:\n  rows_of: {element: {fields: {%s}}, layout: soa, ordering: unordered}\n"
            % ", ".join(f"{name}: int" for name in names))
    write(str(tmp_path), "lists", text)
    assert run([GCC, "-std=c99", *FLAGS, "lists_test.c"], str(tmp_path)) == (0, "")
    code, said = run(["./a.out", "--steps", "300", "--exhaustive", "1"], str(tmp_path))
    assert code == 0, said


def test_hooks_of_elements_that_are_defined_elsewhere(tmp_path):
    """The header that defines them need not include that of the containers, whose structs the hooks are given."""
    (tmp_path / "ship.h").write_text(HEADER)
    kinds = {"fleet": "hooks: {add: ship_joins}", "decks": "ordering: layered, layers: {names: [low, high]}, hooks: {add: ship_boards}"}
    write(str(tmp_path), "lists", "bespoke: 1\ncontainers:\n" + "".join(
        f"  {name}: {{element: {{type: struct ship, defined_in: ship.h, by: pointer}}, {kind}}}\n" for name, kind in kinds.items()))
    assert run([GCC, "-std=c99", *FLAGS, "lists_test.c"], str(tmp_path)) == (0, "")


def test_keys_of_elements_that_no_header_defines(tmp_path):
    """Functions know their keys, and the test knows the elements by their addresses."""
    kinds = {"known": "identity: {key: known_key}, index: hash", "spelled": "identity: {key: spelled_name, kind: string}, index: hash",
             "several": "index: hash, indexes: {by_id: {key: several_id, unique: true}, by_rank: {key: several_rank, kind: sorted}}"}
    write(str(tmp_path), "lists", "bespoke: 1\ncontainers:\n" + "".join(
        f"  {name}: {{element: {{type: struct hidden, by: pointer}}, ordering: unordered, duplicates: reject, {kind}}}\n" for name, kind in kinds.items()))
    assert run([GCC, "-std=c99", *FLAGS, "lists_test.c"], str(tmp_path)) == (0, "")
    code, said = run(["./a.out", "--exhaustive", "2", "--steps", "2000"], str(tmp_path))
    assert code == 0 and "3 containers" in said, said


@pytest.mark.parametrize("emit", ["{files: pair}", "{files: single}", "{operations: [add, each]}"])
@pytest.mark.parametrize("header", ["header", "defined_in"])
def test_a_header_without_include_guard(tmp_path, emit, header):
    """The test includes it once, and has its own hooks beside those that the header declares."""
    (tmp_path / "bare.h").write_text("#include <stdbool.h>\nstruct bare {\n    int number, gone;\n};\nbool bare_is_gone(const struct bare *element);\n")
    write(str(tmp_path), "box", one("{element: {type: struct bare, %s: bare.h, by: pointer}, removal: {policy: prune, expired: bare_is_gone}, "
                                    "hooks: {add: bare_joins}, emit: %s}" % (header, emit)))
    assert run([GCC, "-std=c99", *FLAGS, "box_test.c"], str(tmp_path)) == (0, "")
    code, said = run(["./a.out", "--exhaustive", "2", "--steps", "500"], str(tmp_path))
    assert code == 0 and "1 container, " in said, said


MAYBE_BITS = """\
#pragma once
#include <stdbool.h>
#include <stdint.h>
enum suit { SPADES, HEARTS };
struct back;
struct card {
    unsigned up : 1, layer : 4, number : 28;
    int shade : 3, sign : 1;
    bool seen;
    uint8_t value;
    float weight;
    enum suit suit;
    const struct back *back;
    void *any;
    uint32_t id;
};
struct page { /* what is const is known by its address only */
    const uint32_t id;
    const int number;
    const float weight;
    const unsigned shelf : 4;
    struct {
        char kind;
        const uint16_t id;
    } in;
};
"""


CONST_OR_BITS = {
    **{f"paged_{member}": f"element: {{type: struct page, header: card.h, by: pointer}}, ordering: sorted, sort: element->{member}"
       for member in ("number", "weight", "shelf")},
    "turned": "element: {type: struct page, header: card.h, by: pointer}, ordering: sorted, sort: {less: a->number > b->number, when: begin}",
    "bound": "element: {type: struct page, header: card.h, by: pointer}, duplicates: reject, identity: {key: element->id}, index: hash",
    "nested": "element: {type: struct page, header: card.h, by: pointer}, duplicates: reject, identity: {key: element->in.id}, index: hash",
    "named": "element: {type: struct page, header: card.h, by: pointer}, test: {id: id}",
    "booked": "element: {type: struct card, header: card.h}, test: {id: number}",
    "tallied": "element: {type: struct card, header: card.h}, ordering: unordered, removal: swap, test: {id: layer}",
    **{f"signed_{member}": f"element: {{type: struct card, header: card.h, by: pointer}}, ordering: sorted, sort: element->{member}, test: {{id: id}}"
       for member in ("up", "shade", "sign")},
    "shown": "element: {type: struct card, header: card.h, by: pointer}, test: {id: number}",
}


def replayed(folder, kind, lines):
    """What the generated test of a container of pointers prints for these operations."""
    write(folder, "boxes", f"bespoke: 1\ncontainers:\n  box: {{element: {{type: struct ship, by: pointer, header: ship.h}}, {kind}}}\n")
    assert run([GCC, "-std=c99", *FLAGS, "boxes_test.c"], folder) == (0, "")
    with open(os.path.join(folder, "lines.txt"), "w") as file:
        file.write("container box\nrange 300\n" + "".join(line + "\n" for line in lines))
    return run(["./a.out", "--replay", "lines.txt"], folder)


def test_many_blocks_are_no_leak(tmp_path):
    """As long as a pass keeps tombstones from being compacted, each move over takes more chunks."""
    fill = [f"add_all list label {label} number 31 how 0" for label in range(1, 200, 10)]
    passes = ["begin list label 1 cursor 1", "begin other label 1 cursor 2"]
    code, said = replayed(str(tmp_path), "removal: tombstone, storage: chunked", passes + fill + ["add_from other", "add_from list"] * 20)
    assert code == 0 and "1 container, " in said, said


def test_tombstones_may_leave_no_slots_to_reserve(tmp_path):
    """With few slots, those of removed elements are missing as long as a pass is live."""
    fill = [f"add list label {label}" for label in range(1, 121)]
    removals = [f"remove_handle list number {number}" for number in range(100)]
    code, said = replayed(str(tmp_path), "removal: tombstone, handles: {kind: generational, index_bits: 8, generation_bits: 8}",
                          fill + ["begin list label 1 cursor 1"] + removals + ["reserve list number 120"])
    assert code == 0 and "1 container, " in said, said


def test_labels_do_not_make_an_element_expire(tmp_path):
    """Where nothing says what an element is known by, that is its first bytes, which `removal.expired` may look at."""
    (tmp_path / "spark.h").write_text("#pragma once\n#include <stdint.h>\nstruct spark { unsigned lit : 1; uint32_t id; };\n")
    spark = "element: {type: struct spark, header: spark.h}, removal: {policy: prune, expired: element->lit == 0}"
    write(str(tmp_path), "lists", f"bespoke: 1\ncontainers:\n  sparks: {{{spark}}}\n  embers: {{{spark}, test: {{id: id}}}}\n")
    assert run([GCC, "-std=c99", *FLAGS, "lists_test.c"], str(tmp_path)) == (0, "")
    code, said = run(["./a.out", "--steps", "300", "--exhaustive", "1"], str(tmp_path))
    assert code == 0 and "sparks: not tested: by `removal.expired`" in said and "1 container, " in said, said


def test_elements_known_by_what_is_const_or_a_bit_field(tmp_path):
    """A lock says what they are; no warning tells of it."""
    (tmp_path / "card.h").write_text(MAYBE_BITS)
    field = type_info.TypeField
    card = type_info.TypeInfo("struct card", "card.h", "struct", (
        field("up", "unsigned int", bits=1), field("layer", "unsigned int", bits=4), field("number", "unsigned int", bits=28),
        field("shade", "int", bits=3), field("sign", "int", bits=1), field("seen", "bool"), field("value", "uint8_t"), field("weight", "float"), field("suit", "enum suit"),
        field("back", "const struct back *"), field("any", "void *"), field("id", "uint32_t")))
    page = type_info.TypeInfo("struct page", "card.h", "struct", (
        field("id", "const uint32_t", const=True), field("number", "const int", const=True), field("weight", "const float", const=True),
        field("shelf", "const unsigned int", bits=4, const=True),
        field("in", "struct", const=True, fields=(field("kind", "char"), field("id", "const uint16_t", const=True)))))
    os.mkdir(tmp_path / "types")
    for info in (card, page):
        assert write_lock(typelock.lock_path(str(tmp_path), info.type), info, Diagnostics())
    text = "bespoke: 1\ncontainers:\n" + "".join(f"  {name}: {{{kind}}}\n" for name, kind in CONST_OR_BITS.items())
    write(str(tmp_path), "lists", text)
    for compiler in (GCC, shutil.which("clang")):
        if compiler is not None:
            assert run([compiler, "-std=c99", *FLAGS, "lists_test.c"], str(tmp_path)) == (0, "")
            code, said = run(["./a.out", "--steps", "300", "--exhaustive", "1"], str(tmp_path))
            assert code == 0 and f"{len(CONST_OR_BITS)} containers, " in said, said


def test_elements_sorted_by_a_member_of_which_nothing_is_known(tmp_path):
    """Without a lock a member may be a bit-field, and is written as a value of its type, whatever that is."""
    (tmp_path / "card.h").write_text(MAYBE_BITS)
    kinds = {}
    for member in "up layer number shade sign seen value weight suit back any".split():
        kinds[f"value_{member}"] = f"element: {{type: struct card, header: card.h}}, ordering: sorted, sort: {{less: a->{member} < b->{member}}}"
        kinds[f"known_{member}"] = (f"element: {{type: struct card, header: card.h, by: pointer}}, ordering: sorted, "
                                    f"sort: {{less: a->{member} > b->{member}}}, test: {{id: id}}")
    for member in "layer number value id".split():
        kinds[f"keyed_{member}"] = (f"element: {{type: struct card, header: card.h}}, ordering: insertion, duplicates: reject, "
                                    f"identity: {{key: element->{member}}}, index: hash")
        kinds[f"key_of_{member}"] = (f"element: {{type: struct card, header: card.h, by: pointer}}, ordering: insertion, "
                                     f"duplicates: reject, identity: {{key: element->{member}}}")
    kinds["pruned"] = ("element: {type: struct card, header: card.h}, ordering: sorted, sort: element->layer, "
                       "removal: {policy: prune, expired: element->seen}")
    kinds.update(CONST_OR_BITS)
    text = "bespoke: 1\ncontainers:\n" + "".join(f"  {name}: {{{kind}}}\n" for name, kind in kinds.items())
    write(str(tmp_path), "lists", text)
    for compiler, flags in ((GCC, FLAGS), (shutil.which("clang"), FLAGS), (shutil.which("tcc"), ["-Wall", "-Werror"])):
        if compiler is not None:
            assert run([compiler, "-std=c99", *flags, "lists_test.c"], str(tmp_path)) == (0, "")
            code, said = run(["./a.out", "--steps", "300", "--exhaustive", "1"], str(tmp_path))
            assert code == 0, said
            # One bit does not distinguish elements, and one element is no key of few bits.
            untested = re.findall(r"^(\w+): not tested: ", said, re.M)
            assert set(untested) <= {"value_up", "value_sign", "value_seen", "pruned"}, said
    _printed_programs_are_good(tmp_path, text, ["value_layer", "known_layer", "value_back", "known_weight", "keyed_layer", "key_of_layer", "paged_weight", "booked", "tallied"])


def test_options(kept, tmp_path):
    for file, text in dict(kept("compact"), **{"ship.h": HEADER}).items():
        (tmp_path / file).write_text(text)
    program = compiled(str(tmp_path), "box_test.c", "-O0")
    assert run([program, "--what"], str(tmp_path))[0] == 2
    code, said = run([program, "--container", "nobody"], str(tmp_path))
    assert code == 1 and said.startswith("0 containers")
    code, said = run([program, "--run", "5", "--trace"], str(tmp_path))
    assert code == 0 and "box_add(&list, " in said


SPECS_AND_COMPILERS = [(spec, compiler) for number, spec in enumerate(SPECS)
                       for turn, compiler in enumerate(("gcc", "clang"))
                       if os.environ.get("BESPOKE_TEST_ALL") or number % 2 == turn]


@pytest.mark.parametrize("path,compiler", SPECS_AND_COMPILERS, ids=lambda value: os.path.basename(str(value)))
def test_specs_under_sanitizers(tmp_path, path, compiler):
    """The specs that come with Bespoke: no warning, no failure, nothing for the sanitizers; checked and in chaos too."""
    if shutil.which(compiler) is None:
        pytest.skip("needs " + compiler)
    folder = str(tmp_path)
    for header in glob.glob(os.path.join(ROOT, "specs", "*.h")):
        shutil.copy(header, folder)
    stem = os.path.splitext(os.path.basename(path))[0]
    with open(path) as file:
        write(folder, stem, file.read())
    source = stem + "_test.c"
    ways = [["-std=c99"], ["-DBESPOKE_CHECKS=1", "-DBESPOKE_CHAOS=2"]]
    for flags in ways if os.environ.get("BESPOKE_TEST_ALL") else ways[SPECS.index(path) // 2 % 2:][:1]:
        program = compiled(folder, source, *SANITIZERS, *flags, *FLAGS, compiler=compiler)
        code, said = run([program, "--steps", "3000", "--exhaustive", "3"], folder)
        assert code == 0, said
    compiled(folder, source, "-x", "c++", "-std=c++17", "-fsyntax-only", *FLAGS, compiler=compiler)


ODD = """\
bespoke: 1
containers:
  flags: {element: bool, ordering: unordered}
  octets: {element: unsigned char, ordering: insertion, removal: shift}
  reals: {element: double, removal: compact}
  names: {element: "const char *", ordering: unordered}
  moods: {element: {type: enum mood, header: ship.h}, identity: value, duplicates: reject}
  things: {element: {type: struct thing, by: pointer}, ordering: unordered}
  unique_things: {element: {type: struct thing, by: pointer}, duplicates: reject, index: hash}
  plain: {element: {type: struct ship, header: ship.h}, addresses: stable, ordering: unordered, capacity: {max: 70}}
  asked: {element: {type: struct ship, header: ship.h, by: pointer}, removal: {policy: tombstone, expired: is_gone},
          identity: {key: ship_key}, duplicates: reject, hooks: {add: on_either, remove: on_either}}
  arena: {element: {type: struct ship, header: ship.h}, allocator: {alloc: take, realloc: more, free: give},
          test: {id: id}, hooks: {move: on_move}}
"""


def test_all_sorts_of_elements(tmp_path):
    """Scalars, pointers by value, incomplete types, functions of the user's: none needs anything but the test."""
    folder = str(tmp_path)
    write(folder, "odd", ODD)
    program = compiled(folder, "odd_test.c", "-O0", "-std=c99", *FLAGS)
    code, said = run([program, "--steps", "10000", "--exhaustive", "3"], folder)
    assert code == 0, said
    assert said.splitlines()[-1].startswith("10 containers, ")


# Of a bool there are two values, of a char that is a label 100.
FEW_VALUES = """\
bespoke: 1
containers:
  b_bag: {element: bool}
  b_set: {element: bool, duplicates: reject, identity: value}
  b_latest: {element: bool, duplicates: replace, identity: value}
  b_keyed: {element: bool, duplicates: reject, identity: {key: '(uint64_t)*element'}}
  b_waiting: {element: bool, duplicates: reject, identity: value, removal: {when: deferred}, iteration: {adds: deferred}}
  b_handles: {element: bool, handles: generational, removal: reuse, ordering: unordered}
  b_mapped: {element: bool, handles: index, removal: swap, ordering: unordered}
  c_set: {element: char, duplicates: reject, identity: value}
  c_handles: {element: char, handles: generational, removal: reuse, ordering: unordered}
  c_mapped: {element: unsigned char, handles: index, removal: swap, ordering: unordered, capacity: {max: 150}}
"""


def test_elements_of_few_values(tmp_path):
    """The test takes no element for another one, and asks for no label that no element can have."""
    folder = str(tmp_path)
    write(folder, "few", FEW_VALUES)
    for flags in ([], ["-funsigned-char"]):
        program = compiled(folder, "few_test.c", "-O1", "-std=c99", *FLAGS, *flags)
        code, said = run([program, "--steps", "30000", "--exhaustive", "3"], folder)
        assert code == 0, said
        assert said.splitlines()[-1].startswith("10 containers, ")


OVERWRITING = """\
bespoke: 1
containers:
  ring: {element: int, ordering: fifo, capacity: {max: 3, when_full: overwrite}, hooks: {destroy: ring_lost}}
  lone: {element: int, ordering: fifo, capacity: {max: 3, inline: true}}
"""


@pytest.mark.parametrize("flags", [[], ["-DBESPOKE_CHAOS=2"]])
def test_a_ring_that_is_full_again(tmp_path, flags):
    """T_emplace returns no status. The hook of what it overwrites fills the ring, and chaos is refused memory meanwhile: it is FULL."""
    folder = str(tmp_path)
    write(folder, "rings", OVERWRITING)
    program = compiled(folder, "rings_test.c", "-O1", "-std=c99", *FLAGS, *flags)
    for seed in "1", "2":
        code, said = run([program, "--steps", "30000", "--exhaustive", "2", "--seed", seed], folder)
        assert code == 0, said
    with open(os.path.join(folder, "rings_test.c")) as file:
        assert "LONE_NO_MEMORY" not in file.read()  # nor where it is printed: there is no such status


def test_goes_with_the_object_too(tmp_path):
    """`cc x_test.c` and `cc x.c x_test.c` both link; so does the test of a single header."""
    folder = str(tmp_path)
    text = one("{element: int, ordering: unordered, removal: swap}")
    write(folder, "box", text)
    code, said = run([GCC, "box.c", "box_test.c"], folder)
    assert code == 0, said
    write(folder, "lone", "bespoke: 1\ncontainers:\n  lone_box: {element: int, emit: {files: single}}\n")
    program = compiled(folder, "lone_test.c", "-O0", *FLAGS)
    assert run([program, "--steps", "5000"], folder)[0] == 0


FOLLOWED_HEADER = """\
#ifndef UNITS_H
#define UNITS_H
#include <stdint.h>
#include <string.h>
struct info { uint32_t id; const char *title; };
struct unit { struct info *info; int hp; int cells[2]; struct { struct info *best; } crew; const char *title; };
static inline void make_unit(struct unit *unit, uint32_t number)
{
    static struct info infos[8192];

    infos[number].id = number;
    unit->info = unit->crew.best = &infos[number];
    unit->hp = 1;
}
#endif
"""
UNIT = "{type: struct unit, header: units.h%s}"
FOLLOWING = {
    "identity: {key: element->info->id}": ("identity.key", "element->info"),
    "identity: {key: element->crew.best->id}": ("identity.key", "element->crew.best"),
    "identity: {key: '*(uint32_t *)element->info'}": ("identity.key", "(uint32_t *)element->info"),
    "identity: {key: 'element->info[0].id'}": ("identity.key", "element->info"),
    "ordering: sorted, sort: element->info->id": ("sort.key", "element->info"),
    "ordering: sorted, sort: {less: b->info->id < a->info->id}": ("sort.less", "a->info"),
    "removal: {policy: prune, expired: element->info->id > 9}": ("removal.expired", "element->info"),
    "duplicates: reject, identity: {key: element->hp}, indexes: {by_id: {key: element->info->id}}": ("indexes.by_id.key", "element->info"),
}


LETTERED = [f"list_{letter}" for letter in "abcdefghijklmnop"]


def followed(folder, *containers):
    """Compiles the generated test of containers of units; named list_a, list_b ...."""
    with open(os.path.join(folder, "units.h"), "w") as file:
        file.write(FOLLOWED_HEADER)
    text = "bespoke: 1\ncontainers:\n" + "".join(f"  {name}: {{{each}}}\n" for name, each in zip(LETTERED, containers))
    write(folder, "lists", text)
    return compiled(folder, "lists_test.c", "-O0", *FLAGS)


def test_what_elements_point_at_is_not_made_up(tmp_path):
    """An expression that leads out of an element is not called with one that points nowhere: a line names the container and the key."""
    containers = [f"element: {UNIT % by}, {each}" for each in FOLLOWING for by in ("", ", by: pointer")]
    program = followed(str(tmp_path), *containers)
    code, said = run([program, "--steps", "100"], str(tmp_path))
    assert code == 1 and said.splitlines()[-1] == "0 containers, 0 operations, 0 failed", said
    for number, (path, operand) in enumerate(FOLLOWING.values()):
        for each in LETTERED[2 * number:2 * number + 2]:
            assert f"{each}: not tested: `{path}` reads what `{operand}` points at" in said, said
    assert said.count("`test: {element: make_...}`") == len(containers)


def test_what_is_in_an_element_is_not_followed(tmp_path):
    """An array, and the address of a member, are in the element."""
    kept = "ordering: sorted, sort: {less: '(&a->crew)->best < (&b->crew)->best && a->cells[1] < *b->cells'}"
    program = followed(str(tmp_path), f"element: {UNIT % ''}, ordering: sorted, sort: 'element->cells[1]', identity: {{key: element->hp}}",
                       f"element: {UNIT % ''}, {kept}, test: {{id: hp}}")
    code, said = run([program, "--steps", "1000", "--exhaustive", "2"], str(tmp_path))
    assert code == 0 and said.splitlines()[-1].startswith("2 containers, "), said


def test_a_crash_before_the_first_operation(tmp_path):
    """A function that is given what an element points at: what stopped is said, of which container, and no operation of the one before."""
    program = followed(str(tmp_path), "element: int", f"element: {UNIT % ''}, identity: {{key: '(unsigned)strlen(element->title)'}}, duplicates: reject")
    code, said = run([program, "--steps", "1000", "--exhaustive", "2"], str(tmp_path))
    assert code == 1
    [line] = [line for line in said.splitlines() if "signal" in line]
    assert line.startswith("list_b: stopped by signal 11 while the test makes elements") and "test: {element: make_...}" in line
    assert "container list_a" not in said and "--replay" not in said, said


def test_a_printed_program_makes_what_elements_point_at(tmp_path):
    kinds = (", by: pointer}, duplicates: reject, identity: {key: element->info->id}, test: {element: make_unit}",
             "}, duplicates: reject, identity: {key: element->info->id}, index: hash, test: {element: make_unit, id: hp}")
    (tmp_path / "units.h").write_text(FOLLOWED_HEADER)
    containers = "".join(f"  {name}: {{element: {{type: struct unit, header: units.h{each}}}\n" for name, each in zip(LETTERED, kinds))
    _printed_programs_are_good(tmp_path, "bespoke: 1\ncontainers:\n" + containers, LETTERED[:2])


def test_a_printed_program_sets_values_and_saves(tmp_path):
    text = "bespoke: 1\ncontainers:\n  list_a: {element: int, ordering: unordered, handles: generational, "
    values = "side: {heat: float, burns: bool, next: int *}}\n"
    _printed_programs_are_good(tmp_path, text + values, ["list_a"],
                               (CHECK, counted(r"\2_count_heat(list) + \2_count_burns(list) + \2_count_next(list) == 3")))
    _printed_programs_are_good(tmp_path, text + "emit: {persist: true}}\n", ["list_a"],
                               (r"(\nlist_a_status list_a_load\([^{]*\{)", r"\1\n    if (list != NULL) {\n        return LIST_A_ABSENT;\n    }\n"))


def test_a_printed_program_allocates_as_the_container(tmp_path):
    """Its allocator is that of the program, which refuses memory: it is called before it is defined."""
    kinds = ("{kind: plain, alloc: my_alloc, realloc: my_realloc, free: my_free}", "{kind: custom, alloc: a_alloc, realloc: a_realloc, free: a_free}")
    containers = "".join(f"  {name}: {{element: int, ordering: unordered, removal: swap, allocator: {each}}}\n" for name, each in zip(LETTERED, kinds))
    _printed_programs_are_good(tmp_path, "bespoke: 1\ncontainers:\n" + containers, LETTERED[:2])
