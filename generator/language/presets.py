"""The well-known structures: names for sets of values, and what to say about them. No code."""

from dataclasses import dataclass, field
from typing import Any, Dict, Tuple

from .model import Duration


@dataclass(frozen=True)
class Preset:
    """A named structure: what it is, the values it stands for, and the keys that its user must give.

    The rest is for its page in docs/structures: when to choose it, and what to take instead when not. In both,
    `{locking_list}` stands for another structure. Its example is the folder of its name in examples/structures.
    """

    title: str
    doc: str
    settings: Dict[str, Any]
    needs: Tuple[str, ...] = ()
    choose: Tuple[str, ...] = ()
    avoid: Dict[str, str] = field(default_factory=dict)


# What may be given instead of what a preset needs.
INSTEAD = {"sort.key": "sort.less"}

PRESETS: Dict[str, Preset] = {
    "read_write_collection": Preset(
        "read-write collection",
        "A list that is read and thinned out in one pass: what leaves opens a gap, and what stays between two that leave "
        "moves up in one run, so a pass that removes any number of elements costs one move per element. Order is kept, "
        "elements that are added in the pass are visited in it, and leaving it early loses nothing.",
        {"ordering": "insertion", "removal.policy": "compact", "iteration.adds": "visited",
         "iteration.removes": "current", "iteration.cursors": "many"},
        choose=(
            "There is one place that walks all elements and decides there and then who stays: particles, shots, timers, "
            "callbacks that are due.",
            "Many leave in the same pass. Each one that stays is moved once at most, however many leave.",
            "The order of adding must hold, and the elements lie in the list, one behind the other.",
        ),
        avoid={
            "Elements are removed from elsewhere in the code, while somebody walks the list": "{deletable_object_list}",
            "The order does not matter: the last element can take the place of the one that leaves":
                "{constant_time_array}, or `removal: swap`",
            "Who leaves is told by a property of the element, and each is updated once a frame anyway": "{entity_list}",
            "Few leave, and there are few: moving all behind one is nothing": "{shift_list}, {array_list}",
            "Others keep pointers to elements": "`element: {by: pointer}`, or {item_pool}",
        }),
    "locking_list": Preset(
        "locking list",
        "A list of distinct elements that does not change while anyone looks: adds, removes and clears made during a "
        "pass, or between T_lock and T_unlock, wait in a journal and are replayed in the order they were made.",
        {"ordering": "insertion", "duplicates": "reject", "index.kind": "hash", "removal.policy": "tombstone",
         "removal.when": "deferred", "iteration.adds": "deferred", "iteration.removes": "any",
         "iteration.cursors": "many"},
        choose=(
            "Code that is called back adds and removes, and must not see, in the middle of a pass, that it happened: "
            "every listener that was in when the event came is told of it.",
            "The list belongs to something that cannot be changed while it works, such as a physics step: lock it for as "
            "long, and let go of the lock once.",
            "Nobody may be in twice, and asking whether somebody is in must not cost a search.",
        ),
        avoid={
            "What is removed must not be visited any more": "{deletable_object_list}, which tells every pass at once",
            "What is added must take part in the same pass": "{entity_list}, {read_write_collection}",
            "An element may be in twice, or the hash table is too much memory": "the same with `duplicates: allow`",
            "The add must be known to have worked when it returns: a journal that waits can run out of memory at the end "
            "of the lock": "any structure that changes at once",
        }),
    "entity_list": Preset(
        "entity list",
        "A list that prunes itself: T_update updates every element and lets go of those that have expired, in one "
        "sweep. Hooks hear of everything that comes and goes, a limit and shrinking are at hand.",
        {"ordering": "insertion", "removal.policy": "prune", "removal.ask": "around_update",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many",
         "capacity.growth": 1.5, "capacity.shrink.below": 25, "capacity.shrink.after": Duration(2, "seconds")},
        needs=("removal.expired",),
        choose=(
            "Things live until they say that they are dead, and one loop a frame updates all of them.",
            "Others must hear of who came and who went: the hooks run when the list is consistent, and may change it.",
            "Numbers go up and down: the list has a limit if you set one, and gives memory back after a quiet time.",
        ),
        avoid={
            "There is no such loop: elements leave whenever somebody removes them": "{deletable_object_list}, "
                                                                                     "{read_write_collection}",
            "The order does not matter and few leave at a time": "{back_copying_list}",
            "Others must know later whether it is still the same element": "{item_pool} with its handles",
        }),
    "deletable_object_list": Preset(
        "deletable object list",
        "A list whose elements say for themselves that they are gone: every pass skips them from that moment on, any "
        "number of passes may be under way, and the list tightens when none is.",
        {"ordering": "insertion", "removal.policy": "tombstone", "removal.dead_share": 20,
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        choose=(
            "Any code anywhere may declare an element dead, by a flag of its own, and every loop that is under way, at "
            "any depth, must pass it over from that moment on.",
            "One element is in several lists: all of them notice by themselves.",
            "Order must hold, and removing must not cost a move of everything behind.",
        ),
        avoid={
            "The memory of an element goes away as soon as it is dead: the list still looks at its flag": "`removal: "
                "tombstone` without `expired` and an explicit remove, or {constant_time_array}",
            "Nearly all die in one place, once a frame": "{entity_list}, {flagged_array}",
            "The order does not matter": "{constant_time_array}: no dead slots to pass over",
            "Elements are wanted as one array without holes": "{read_write_collection}",
        }),
    "constant_time_array": Preset(
        "constant time array",
        "An array of pointers in which adding, removing and asking take constant time: each element holds its own "
        "place, and the last one moves into the place of the one that leaves, without any pass missing a beat.",
        {"ordering": "unordered", "duplicates": "reject", "index.kind": "intrusive", "removal.policy": "swap",
         "element.by": "pointer", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("index.field",),
        choose=(
            "Membership changes all the time, from anywhere, and is asked for: who is near, who is visible, who has "
            "something to do this frame.",
            "Elements live elsewhere, and can spare 32 bits for the place in this list.",
            "Loops over it are hot: pointers lie side by side, with no hole between them.",
        ),
        avoid={
            "The order of adding must hold": "{deletable_object_list}, {read_write_collection}",
            "The element's struct cannot be changed": "{hashed_array}, with a table beside the array",
            "One element may be in twice": "`removal: swap` with `duplicates: allow`",
            "The list should own the memory of its elements": "{item_pool}",
        }),
    "item_pool": Preset(
        "item pool",
        "A fixed number of items that are taken and given back. An item never moves, and a handle of one that was "
        "given back is known as stale for ever, also when the next owner has it.",
        {"ordering": "unordered", "removal.policy": "reuse", "handles.kind": "generational", "addresses": "stable",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("capacity.max",),
        choose=(
            "Somebody must own the elements, and others point at them or name them: bodies, sounds, requests.",
            "A name may be kept for long, by those who never hear of the end: a stale handle is told from a good one, also "
            "when the slot has its next owner.",
            "No allocation is allowed in the middle of the game: all memory is there from the first add, or with "
            "`capacity: {inline: true}` from the start.",
        ),
        avoid={
            "There is no sensible maximum": "{slot_array}, in which pointers become invalid when it grows and handles do not; "
                                            "{colony}, in which nothing moves",
            "Order matters": "keep the elements here, and a list of pointers to them for the order: "
                             "{read_write_collection}",
            "Nearly all time is spent in loops over all elements": "{slot_map}; {entity_list}, if nobody keeps a name of them",
        }),
    "slot_array": Preset(
        "slot array",
        "An array of slots, each with the number of its uses. A handle is a slot and that number: it names its element for "
        "as long as it lives, and nothing after. A slot that becomes free is taken by the next add; the array grows when "
        "none is, and handles do not notice.",
        {"ordering": "unordered", "removal.policy": "reuse", "handles.kind": "generational", "storage.kind": "contiguous",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        choose=(
            "Elements name each other, and any of them may be gone by the time it is asked for: targets, owners, parents.",
            "How many there will be is not known: it grows, and a handle that was given before is as good as ever.",
            "A handle is turned into an element all the time: that is one look at the slot.",
        ),
        avoid={
            "Pointers to elements are kept, not handles: growing moves the elements": "{colony}, or {item_pool} if there is a "
                "maximum",
            "Nearly all time goes into loops over all elements, and many slots are free": "{slot_map}",
            "The order of adding matters": "`removal: unlink`, which keeps slots and their order apart",
        }),
    "colony": Preset(
        "colony",
        "Elements in chunks that never move, each slot with a bit that says whether it holds one. An element stays where it "
        "is from its add to its removal, however many come and go; what becomes free is used again, and a pass goes by "
        "whole words of free slots at once.",
        {"ordering": "unordered", "removal.policy": "reuse", "storage.kind": "chunked", "addresses": "stable",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.1},
        choose=(
            "Others keep pointers to elements, and how many there will be is not known.",
            "Elements are large, or registered somewhere by their address: growing copies none of them.",
            "A loop can take a chunk at a time, 64 elements and the word of their bits: T_chunk gives both.",
        ),
        avoid={
            "There is a sensible maximum": "{item_pool}: one array, and no table of chunks to go through",
            "Nobody keeps an address": "{constant_time_array}, or `removal: swap`: no free slots to pass over",
            "An element must be known as gone by those who still name it": "the same with `handles: generational`",
            "The order of adding matters": "{deletable_object_list}, {linked_list}",
        }),
    "slot_map": Preset(
        "slot map",
        "Elements side by side, without a gap, and handles that lead to them wherever they are: a handle is an id with the "
        "number of its uses, and a table leads from the id to the element's place. The last element takes the place of the "
        "one that leaves, and no handle notices; one whose element is gone never leads to another.",
        {"ordering": "unordered", "removal.policy": "swap", "handles.kind": "generational", "element.by": "value",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        choose=(
            "All elements are walked in every frame, and nothing but elements should pass through the cache.",
            "Others keep a name of an element for long, and must be told when it is gone.",
            "T_data gives all elements as one array, for a loop of your own or for a graphics card.",
        ),
        avoid={
            "Handles are looked up more often than elements are walked": "{slot_array}: a handle is the slot itself, one look "
                "less",
            "Pointers to elements are kept": "{colony}, {item_pool}",
            "Elements have small numbers of their own": "{sparse_set}, which is the same by your numbers",
            "Large elements leave often: each time another one is copied": "{slot_array}",
            "The order of adding matters": "the same with `ordering: insertion` and `removal: tombstone`",
        }),
    "sparse_set": Preset(
        "sparse set",
        "What some of many numbered things have, in an array without gaps: a table tells from a number whether it has one, "
        "and where, so adding, removing and finding take constant time, without a hash, and a pass touches nothing but what "
        "is in.",
        {"ordering": "unordered", "duplicates": "reject", "identity.by": "key", "index.kind": "dense",
         "removal.policy": "swap", "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("identity.key",),
        choose=(
            "Things have small numbers, such as the entities of a game, and each container holds what some of them have: a "
            "component, a tile, a message for a player.",
            "All of them are walked every frame, and now and then one is asked for by its number.",
            "Something is there for a number or it is not: `duplicates: reject` says so, and `duplicates: replace` sets it anew.",
        ),
        avoid={
            "Numbers lie far apart or come from outside: a table would be as long as the largest of them":
                "`index: hash`",
            "Others keep pointers to elements": "{item_pool}",
            "Others keep names of elements that are no numbers of yours": "{slot_map}",
            "The order of adding matters": "`ordering: insertion` with `removal: tombstone`, which takes `index: dense`, too",
        }),
    "shift_list": Preset(
        "shift list",
        "An array in the order of adding, walked by one loop that may remove the element it stands on: those behind it "
        "move up at once, and none is skipped. It knows nothing of live passes, so it costs what the same costs by hand.",
        {"ordering": "insertion", "removal.policy": "shift", "iteration.adds": "visited",
         "iteration.removes": "current", "iteration.cursors": "one"},
        choose=(
            "There are few elements, or few that leave: moving some hundred bytes up is nothing.",
            "One loop at a time walks them and decides who stays. Nothing else removes while it runs.",
            "The order of adding must hold, and elements are asked for by their place: there is never a gap.",
        ),
        avoid={
            "Many leave in one pass: each removal moves all that are behind it": "{read_write_collection}",
            "Loops are nested, or other code removes while one runs": "{array_list}",
            "The order does not matter": "`removal: swap`",
        }),
    "backward_list": Preset(
        "backward list",
        "An array walked from the last element to the first, by one loop that may remove the element it stands on: those "
        "that move up have been visited already. What is added meanwhile waits for the next pass.",
        {"ordering": "insertion", "removal.policy": "shift", "iteration.adds": "next", "iteration.removes": "current",
         "iteration.cursors": "one", "iteration.direction": "backward"},
        choose=(
            "The newest counts most: what was drawn last is asked first whether it was clicked, what was opened last is "
            "closed first.",
            "Elements that a loop adds must not take part in it, and nobody wants to remember where it ended.",
            "Those that leave are mostly among the newest, so that little is behind them.",
        ),
        avoid={
            "Many leave in one pass: each removal moves all that are behind it": "{read_write_collection} with `iteration: "
                "{direction: backward}`",
            "Loops are nested, or other code removes while one runs": "the same with `removes: any` and `cursors: many`",
            "Some loops must go the other way": "the same with `direction: both`",
        }),
    "array_list": Preset(
        "array list",
        "An array in the order of adding, whose elements have places: any of them may be removed by any call, in any of "
        "several nested loops, and those behind it move up at once.",
        {"ordering": "insertion", "removal.policy": "shift", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        choose=(
            "Places mean something: the third in the queue, the row that is selected. Outside of loops and in them, "
            "T_get and T_data see an array without a gap.",
            "There are few elements, or few that leave.",
            "Loops nest and remove what they like; a list that is always whole is the easiest to look at in a debugger.",
        ),
        avoid={
            "Many leave in one pass": "{read_write_collection}, {entity_list}",
            "There are thousands, and any of them may leave at any time": "{deletable_object_list}",
            "The order does not matter": "{constant_time_array}, {hashed_array}",
        }),
    "ring": Preset(
        "ring",
        "A ring buffer: elements are added and taken off at either end without moving another, and are called by their place from "
        "the first or from the last. Elements may also be removed between the ends, during passes, too: the shorter side moves.",
        {"ordering": "fifo", "ends": "both", "removal.policy": "shift", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        choose=(
            "Events, commands or bytes wait and are handled in the order in which they came.",
            "Only the last n count: an undo history, log lines, frame times. `capacity: {max: n, when_full: overwrite}` removes the "
            "oldest one for each that is added.",
            "Work is taken from both ends: what is urgent is added at the front.",
        ),
        avoid={
            "Elements are added at one end only, and leave from anywhere": "{read_write_collection}",
            "What comes next follows from a property of the element": "{sorted_list}",
            "Others keep pointers to elements, which must not move": "{linked_list} of pointers, or {item_pool}",
        }),
    "sorted_list": Preset(
        "sorted list",
        "An array that is in the order of a key at every moment: each element is put where it belongs as it comes in, behind "
        "those with the same key. Any of them may be removed by any call, in any of several nested loops.",
        {"ordering": "sorted", "sort.when": "insert", "removal.policy": "shift", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        needs=("sort.key",),
        choose=(
            "The order is looked at all the time: who is first, what is due next, the ten best. T_get(list, 0) is the first at "
            "any moment.",
            "The key of an element does not change while it is in, or the element is taken out and put in again.",
            "Elements are looked for by what they are sorted by: with the same expression as `identity: {key: ...}` each is "
            "found in O(log n) steps, without an index.",
        ),
        avoid={
            "Keys change while elements are in, as depths do": "{draw_list}",
            "Many come in at once, or there are thousands: each moves all that are behind it": "{draw_list}, which sorts once for "
                "all of them",
            "The caller says where an element belongs, and no key does": "`ordering: explicit`",
            "Only the first is ever taken out": "a heap, which is none of these structures",
        }),
    "draw_list": Preset(
        "draw list",
        "An array that is put in order when a loop begins, and costs little where little has changed since: what is added "
        "comes last until then, and keys may change at any time between two loops. Elements with the same key stay in the order "
        "in which they were added.",
        {"ordering": "sorted", "sort.when": "begin", "removal.policy": "compact", "iteration.adds": "next",
         "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        needs=("sort.key",),
        choose=(
            "Everything is drawn once a frame in the order of a depth, a layer, a distance that moves a little from one frame "
            "to the next.",
            "Many come in at once: they are sorted together, in the next loop.",
            "Two that lie equally deep must not flicker: equal ones never change their order.",
        ),
        avoid={
            "The order must hold outside of loops, too": "{sorted_list}, or T_sort after the last change",
            "A loop must visit what it adds": "the same with `iteration: {adds: visited}`: it comes last, and is sorted in by the next "
                "loop",
            "There are a few fixed depths": "a list for each, walked one after the other",
            "Others keep pointers to elements": "`element: {by: pointer}`",
        }),
    "back_copying_list": Preset(
        "back-copying list",
        "A list without order that updates itself from the back: the last element is copied over each that has expired, "
        "so whoever leaves costs one move, and nobody else moves.",
        {"ordering": "unordered", "removal.policy": "back_copy", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        choose=(
            "Things live until they say that they are dead, one update a frame looks at all of them, and nobody cares who "
            "comes first.",
            "Few die in a frame, and the elements are large: only the holes are filled, where a sweep that keeps the order "
            "moves all that follow the first hole.",
            "Elements that an update adds are updated in it as well, once.",
        ),
        avoid={
            "The order of adding must hold": "{entity_list}",
            "Elements are removed by whoever has a pointer to them": "{constant_time_array}, {hashed_array}",
            "Others keep pointers to elements that lie in the list": "{item_pool}, or `element: {by: pointer}`",
        }),
    "hashed_array": Preset(
        "hashed array",
        "An array of pointers in no order, with a hash table beside it: adding, removing and asking take constant time, "
        "and the elements need no member for it.",
        {"ordering": "unordered", "duplicates": "reject", "index.kind": "hash", "removal.policy": "swap",
         "element.by": "pointer", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        choose=(
            "Membership changes all the time and is asked for, and the struct of the elements is not yours to change.",
            "One element is in many such lists: a member for each would be too much.",
            "Loops over it are hot: pointers lie side by side, with no hole between them.",
        ),
        avoid={
            "The struct can hold its place in the list": "{constant_time_array}: no table, no hashing",
            "Nobody asks whether an element is in, and few are removed": "`removal: swap` without an index",
            "The order of adding must hold": "{locking_list}, or `removal: tombstone`, which takes `index: hash` too",
        }),
    "flagged_array": Preset(
        "flagged array",
        "An array of pointers in which elements only carry a flag that says that they are gone: passes skip them from "
        "then on, and T_update lets go of all of them in one sweep.",
        {"ordering": "unordered", "removal.policy": "prune", "element.by": "pointer", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        choose=(
            "Elements are removed from anywhere, and there is one place in the frame where all lists are tidied.",
            "One element is in several lists: one flag takes it out of all of them.",
            "There is no room for a table, nor for a place in the element.",
        ),
        avoid={
            "The memory of an element goes away before the next update": "{constant_time_array}, which lets go at once",
            "Whether it is in is asked for often: it is looked for": "{hashed_array}",
            "The list must tidy itself, without an update": "{deletable_object_list}",
        }),
    "linked_list": Preset(
        "linked list",
        "A singly linked list: each element knows the one behind it, and nothing moves when one comes or goes. What a pass "
        "stands on leaves in constant time; any other element takes a search for the one before it.",
        {"ordering": "insertion", "removal.policy": "unlink", "storage.kind": "linked", "storage.links": "single",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        choose=(
            "Elements are large and leave one by one, from the pass that walks them: nothing is ever copied but when the "
            "list grows.",
            "Slots must not move, so that handles name them, and the order of adding must hold all the same.",
            "Eight bytes for links are too many, and four will do.",
        ),
        avoid={
            "It is walked often and long: an array is many times faster": "{read_write_collection}",
            "Elements leave from anywhere, not only under a pass": "`storage: {links: double}`, {doubly_linked_list}",
            "Who leaves is told by a property of the element": "{pruning_linked_list}",
            "The caller says where an element comes in": "`ordering: explicit`",
        }),
    "pruning_linked_list": Preset(
        "self-pruning linked list",
        "A linked list that lets go of elements by itself: T_update updates every element, asks whether it has expired, and "
        "unlinks it on the way. No element is copied, however many leave.",
        {"ordering": "insertion", "removal.policy": "prune", "storage.kind": "linked", "storage.links": "single",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        needs=("removal.expired",),
        choose=(
            "Elements are updated once a frame and say themselves that they are done, and they are too large to be moved up.",
            "Slots must not move: handles name the elements, or an index in them.",
            "Elements hold their own links, so that the list allocates nothing: `element: {by: intrusive}`.",
        ),
        avoid={
            "Elements are small: closing gaps costs less than following links": "{entity_list}",
            "Elements leave by a call, not by a property": "{linked_list}, {doubly_linked_list}",
            "The order does not matter": "{back_copying_list}",
        }),
    "doubly_linked_list": Preset(
        "doubly linked list",
        "A list whose elements hold its links themselves. It allocates nothing, and adding, removing and asking take constant "
        "time: each element knows its neighbours and the list that it is in. With a set of links for each, an element can be in "
        "several lists at once.",
        {"ordering": "insertion", "removal.policy": "unlink", "element.by": "intrusive", "storage.kind": "linked",
         "storage.links": "double", "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("element.link.next", "element.link.prev", "element.link.owner"),
        choose=(
            "The elements have memory of their own, and membership in the list changes often: entering and leaving write a "
            "few words and can never fail for want of memory.",
            "An element leaves several lists when it dies, and must not be looked for in any of them.",
            "There are thousands of lists, most of them short or empty: cells of a grid, listeners of an object.",
        ),
        avoid={
            "The list is walked often and long: each step waits for memory": "{constant_time_array}",
            "The elements cannot have further members": "`element: {by: pointer}`, {linked_list}",
            "An element may be in twice": "`element: {by: pointer}`",
        }),
    "mutable_linked_list": Preset(
        "mutable linked list",
        "A doubly linked list in an order that the caller gives: an element comes in before or behind any other, leaves from "
        "anywhere, and every pass that is under way goes on as if the list had always been as it is. Nothing moves but to grow.",
        {"ordering": "explicit", "removal.policy": "unlink", "storage.kind": "linked", "storage.links": "double",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        choose=(
            "Elements have an order that only the game knows, and it changes while others walk the list: who acts next, what is "
            "drawn over what, who is asked first.",
            "Loops nest, and any of them may put in and take out what it likes, where it likes.",
            "An element that is at hand tells the place: inserting beside it and removing it take constant time.",
        ),
        avoid={
            "The order follows from a property of the elements": "`ordering: sorted`",
            "Elements only ever come in at the end": "{linked_list}, {doubly_linked_list}, {read_write_collection}",
            "There are few elements, and they are walked far more often than put in": "`removal: shift` with `ordering: "
                "explicit`, which is one array",
            "The elements have memory of their own": "the same with `element: {by: intrusive}`, which allocates nothing",
        }),
    "scene_tree": Preset(
        "scene tree",
        "Elements that hang below others, each visited before those below it, and those in their order. T_update updates all, from "
        "the top down, and lets go of those that have expired; whatever leaves, leaves with all below it.",
        {"ordering": "tree", "removal.policy": "prune", "storage.kind": "linked", "storage.links": "double",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        choose=(
            "What becomes of an element follows from the one that it is fixed to: a place on the screen, visibility, its end.",
            "Layers come by themselves: what is drawn later hangs lower, or further back below the same.",
            "Parts come and go while the tree is walked, anywhere in it.",
        ),
        avoid={
            "Nothing hangs below anything": "{mutable_linked_list}, {entity_list}",
            "There are few levels, and always the same": "a list for each level",
            "Elements leave by a call only": "the same with `removal: unlink`",
            "Elements are handed from one parent to another": "take it out and add it below the other: what was below it goes, too",
        }),
    "entity_layers": Preset(
        "entity layers",
        "A fixed number of entity lists under names, walked and updated one after the other: each may be switched off, hidden, or "
        "given a time of its own, and an element moves from one to another in one call. What has expired in a layer that is "
        "switched off leaves with T_settle.",
        {"ordering": "layered", "layers.ordering": "insertion", "removal.policy": "prune", "removal.ask": "around_update",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("layers.names", "removal.expired"),
        choose=(
            "What is drawn, updated or asked for falls into a few groups with an order among them: ground, units, air, the "
            "interface on top.",
            "Groups are switched as a whole: the game pauses while the menu goes on, a layer is hidden, time in one runs slower.",
            "An element belongs to one group at a time and seldom changes it.",
        ),
        avoid={
            "There are as many groups as there are things, or they come and go": "a container for each, such as {entity_list}",
            "Only one thing is asked of the groups: what expires in each": "{entity_list}, with the group in the element",
        }),
}
