"""The well-known structures: names for sets of values, and what to say about them. No code."""

from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

from .model import Duration


class Preset(NamedTuple):
    """A named structure: what it is, the values it stands for, and the keys that its user must give.

    The rest is for its page in docs/structures: when to choose it, and what to take instead when not. In both,
    `{locking_list}` stands for another structure. Its example is the folder of its name in examples/structures.
    """

    title: str
    doc: str  # of every container of this structure
    settings: Dict[str, Any]
    needs: Tuple[str, ...] = ()
    calls: Dict[str, str] = {}  # by operation: a sentence more, where that is emitted
    usual: Tuple[str, ...] = ()  # operations that such a list usually needs, beside those of every list
    choose: Tuple[str, ...] = ()
    avoid: Dict[str, str] = {}
    backward_doc: str = ""  # the same where passes go backward
    backward_calls: Dict[str, str] = {}

    def text(self, has: Callable[[str], bool] = lambda operation: True, direction: str = "forward") -> str:
        """What it is, with the sentences about the operations that are there."""
        backward = direction == "backward"
        doc, calls = backward and self.backward_doc or self.doc, {**self.calls, **(self.backward_calls if backward else {})}
        return " ".join([doc, *(sentence for operation, sentence in calls.items() if has(operation))])



USUAL = "usual"  # in `emit.operations`


def usual_operations(preset: Optional[str], keyed: bool = False, reads: bool = False) -> Tuple[str, ...]:
    """What `usual` stands for in `emit.operations`: those of a preset between those of every list, in the order of a header.
    `keyed`: elements are found by keys; `reads`: there are readers only."""
    of_preset = PRESETS[preset].usual if preset in PRESETS else ()
    loop = ("each_const",) if reads else ("remove_current", "each")
    return ("add", *of_preset, *(("find",) if keyed and "find" not in of_preset else ()), *loop, "count", "clear")


# What may be given instead of what a preset needs.
INSTEAD = {"sort.key": "sort.less"}

PRESETS: Dict[str, Preset] = {
    "read_write_collection": Preset(
        "read-write collection",
        "A list that one pass reads and filters: removals leave a gap, and the span up to the next removed element shifts down "
        "in one move, so a pass that removes any number of elements moves each element at most once. It keeps insertion order, "
        "visits elements added during the pass, and loses nothing on an early exit.",
        {"ordering": "insertion", "removal.policy": "compact", "iteration.adds": "visited",
         "iteration.removes": "current", "iteration.cursors": "many"},
        choose=(
            "One loop visits all elements and decides which are removed: particles, shots, timers, callbacks that are due.",
            "Many elements are removed in one pass. Each remaining element moves at most once.",
            "Insertion order must hold, and the elements must be contiguous.",
        ),
        avoid={
            "Elements are removed by other code during a pass": "{deletable_object_list}",
            "The order is irrelevant: the last element can fill the vacated slot": "{constant_time_array}, or `removal: swap`",
            "A property of the element decides, and each element is updated once a frame anyway": "{entity_list}",
            "Few elements are removed, and the list is short": "{shift_list}, {array_list}",
            "Other code keeps pointers to elements": "`element: {by: pointer}`, or {item_pool}",
        }),
    "locking_list": Preset(
        "locking list",
        "A set in insertion order that does not change during iteration: adds, removes and clears made during a pass are "
        "queued in a journal and applied in order when it ends.",
        {"ordering": "insertion", "duplicates": "reject", "index.kind": "hash", "removal.policy": "tombstone",
         "removal.when": "deferred", "iteration.adds": "deferred", "iteration.removes": "any",
         "iteration.cursors": "many"},
        calls={"lock": "Changes made between T_lock and T_unlock are queued, too."},
        usual=("remove", "contains", "lock", "unlock"),
        choose=(
            "Callbacks add and remove, and the pass must not observe it: every listener that was in the list when the event "
            "came is called.",
            "The list must not change while something works on it, such as a physics step: lock it, and unlock it at the end.",
            "Elements must be unique, and contains() must be O(1).",
        ),
        avoid={
            "Removed elements must not be visited": "{deletable_object_list}, in which every pass skips them immediately",
            "Added elements must be visited in the same pass": "{entity_list}, {read_write_collection}",
            "Duplicates are allowed, or the hash table takes too much memory": "the same with `duplicates: allow`",
            "The caller of an add must know that it succeeded: the journal can run out of memory when it is applied":
                "any structure that changes immediately",
        }),
    "entity_list": Preset(
        "entity list",
        "A list that prunes itself, with hooks for adds and removes, a maximum, and memory that shrinks.",
        {"ordering": "insertion", "removal.policy": "prune", "removal.ask": "around_update",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many",
         "capacity.growth": 1.5, "capacity.shrink.below": 25, "capacity.shrink.after": Duration(2, "seconds")},
        needs=("removal.expired",),
        calls={"update": "T_update updates every element and removes expired elements, in one sweep."},
        usual=("remove", "update", "settle"),
        choose=(
            "Elements live until their own state marks them as expired, and one loop a frame updates all of them.",
            "Adds and removes must be observed: the hooks run when the list is consistent, and may change it.",
            "The number of elements varies: the list has a maximum if you set one, and releases memory that has been unused for "
            "a while.",
        ),
        avoid={
            "There is no such loop: elements are removed at any time": "{deletable_object_list}, {read_write_collection}",
            "The order is irrelevant and few elements are removed at a time": "{back_copying_list}",
            "Other code must detect later that an element has been removed": "{item_pool} with its handles",
        }),
    "deletable_object_list": Preset(
        "deletable object list",
        "A list whose elements have a flag for removed: every pass skips flagged elements immediately, any number of passes can "
        "be live, and the list is compacted when none is.",
        {"ordering": "insertion", "removal.policy": "tombstone", "removal.dead_share": 20,
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        usual=("settle",),
        choose=(
            "Any code may mark an element as removed, and every live loop, at any depth, must skip it from then on.",
            "An element is in several lists: one flag removes it from all of them.",
            "Insertion order must hold, and a removal must not move all elements after it.",
        ),
        avoid={
            "The memory of an element is freed when it is marked: the list still reads its flag":
                "`removal: tombstone` without `expired` and an explicit remove, or {constant_time_array}",
            "Nearly all elements expire in one place, once a frame": "{entity_list}, {flagged_array}",
            "The order is irrelevant": "{constant_time_array}: it has no tombstones to skip",
            "The elements must be one array without gaps": "{read_write_collection}",
        }),
    "constant_time_array": Preset(
        "constant time array",
        "An array of pointers with add, remove and contains in O(1): each element stores its index, and the last element fills "
        "the vacated slot. Every live pass stays exact.",
        {"ordering": "unordered", "duplicates": "reject", "index.kind": "intrusive", "removal.policy": "swap",
         "element.by": "pointer", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("index.field",),
        usual=("remove", "contains"),
        choose=(
            "Membership changes often, from anywhere, and is queried: units in range, visible objects, active objects.",
            "Elements live elsewhere, and can store a 32-bit index for this list.",
            "Loops over it are hot: the pointers are contiguous.",
        ),
        avoid={
            "Insertion order must hold": "{deletable_object_list}, {read_write_collection}",
            "The element's struct cannot be changed": "{hashed_array}, with a table beside the array",
            "Duplicates are allowed": "`removal: swap` with `duplicates: allow`",
            "The list should own the memory of its elements": "{item_pool}",
        }),
    "item_pool": Preset(
        "item pool",
        "A pool with a fixed number of items that are taken and returned. An item never moves, and the handle of a returned "
        "item is permanently stale, also after its slot is reused.",
        {"ordering": "unordered", "removal.policy": "reuse", "handles.kind": "generational", "addresses": "stable",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("capacity.max",),
        usual=("get", "handle_of", "remove", "settle"),
        choose=(
            "One container must own the elements, and others point to them or keep handles: bodies, sounds, requests.",
            "Handles are kept for a long time: a stale handle is detected, also after its slot is reused.",
            "No allocation is allowed during the game: the first add allocates all memory, or with `capacity: {inline: true}` "
            "nothing is allocated.",
        ),
        avoid={
            "There is no sensible maximum":
                "{slot_array}, in which growing invalidates pointers and not handles; {colony}, in which nothing moves",
            "Order matters": "keep the elements here, and a list of pointers to them for the order: {read_write_collection}",
            "Nearly all time is spent in loops over all elements": "{slot_map}; {entity_list}, if no handles are kept",
        }),
    "slot_array": Preset(
        "slot array",
        "An array of slots, each with a generation. A handle is a slot index and a generation: it identifies its element until "
        "that is removed, and nothing afterwards. The next add reuses a free slot; the array grows if none is free, and handles "
        "stay valid.",
        {"ordering": "unordered", "removal.policy": "reuse", "handles.kind": "generational", "storage.kind": "contiguous",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        usual=("get", "handle_of", "remove", "settle"),
        choose=(
            "Elements refer to each other, and any of them may have been removed: targets, owners, parents.",
            "The number of elements is not known: the array grows, and handles stay valid.",
            "Handles are resolved all the time: that is one access to the slot.",
        ),
        avoid={
            "Pointers to elements are kept, not handles: growing moves the elements":
                "{colony}, or {item_pool} if there is a maximum",
            "Nearly all time is spent in loops over all elements, and many slots are free": "{slot_map}",
            "Insertion order matters": "`removal: unlink`, which keeps slots and their order apart",
        }),
    "id_pool": Preset(
        "id pool",
        "An array of slots whose numbers are ids: an add returns the lowest id that is free, and an id leads to its element in "
        "O(1). `removal.next` selects which id comes next instead: the one that was freed last, or each in turn, so that an "
        "id is used again as late as may be. An id has no generation: once its element has been removed, a later one may have "
        "it.",
        {"ordering": "unordered", "removal.policy": "reuse", "removal.next": "lowest", "handles.kind": "index",
         "storage.kind": "contiguous", "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        usual=("add_handle", "get", "remove"),
        choose=(
            "Others number things by small integers that are in use at most once: descriptors, players, textures, rows of "
            "another table.",
            "Which number comes next matters: the lowest keeps tables of it short, the last that was freed is in the cache, "
            "one in turn is not confused with a recent one.",
            "What has an id learns when it is freed: it is 4 bytes or less, and nothing is compared.",
        ),
        avoid={
            "An id may be kept after its element has been removed": "{slot_array}, or `handles: generational`",
            "The number is chosen by the caller": "{sparse_set}",
            "There is nothing but the number": "{id_set}",
        }),
    "colony": Preset(
        "colony",
        "Elements in chunks that never move, with a bitmap of the slots in use. An element keeps its address from its add to its "
        "removal; free slots are reused, and a pass skips whole words of free slots.",
        {"ordering": "unordered", "removal.policy": "reuse", "storage.kind": "chunked", "addresses": "stable",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many",
         "capacity.growth": 1.1},
        usual=("remove", "settle"),
        choose=(
            "Other code keeps pointers to elements, and the number of elements is not known.",
            "Elements are large, or registered somewhere by address: growing copies none of them.",
            "A loop can process a chunk at a time, 64 elements and the word of their bits: T_chunk returns both.",
        ),
        avoid={
            "There is a sensible maximum": "{item_pool}: one array, and no table of chunks",
            "No addresses are kept": "{constant_time_array}, or `removal: swap`: no free slots to skip",
            "Code that refers to an element must detect that it has been removed": "the same with `handles: generational`",
            "Insertion order matters": "{deletable_object_list}, {linked_list}",
        }),
    "slot_map": Preset(
        "slot map",
        "Contiguous elements, and handles that stay valid wherever they move: a handle is an id with a generation, and a table "
        "maps the id to the element's index. The last element fills the vacated slot; the handle of a removed element never "
        "identifies another one.",
        {"ordering": "unordered", "removal.policy": "swap", "handles.kind": "generational", "element.by": "value",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        usual=("get", "handle_of", "remove"),
        choose=(
            "A loop visits all elements in every frame, and only elements should pass through the cache.",
            "Other code keeps handles for a long time, and must detect removed elements.",
            "T_data returns all elements as one array, for your own loops or for a graphics card.",
        ),
        avoid={
            "Handles are resolved more often than elements are visited": "{slot_array}: a handle is the slot itself, one access "
                                                                         "less",
            "Pointers to elements are kept": "{colony}, {item_pool}",
            "Elements have small numbers of their own": "{sparse_set}, which is the same with your numbers",
            "Large elements are removed often: each removal copies another element": "{slot_array}",
            "Insertion order matters": "the same with `ordering: insertion` and `removal: tombstone`",
        }),
    "sparse_set": Preset(
        "sparse set",
        "A dense array of elements with small integer keys: a table maps each key to its index, so add, remove and find are O(1) "
        "without a hash, and a pass visits only elements.",
        {"ordering": "unordered", "duplicates": "reject", "identity.by": "key", "index.kind": "dense",
         "removal.policy": "swap", "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("identity.key",),
        usual=("find", "remove_key"),
        choose=(
            "Keys are small numbers, such as the entities of a game, and each container holds the elements of some of them: a "
            "component, a tile, a message for a player.",
            "A loop visits all of them every frame, and sometimes one is looked up by key.",
            "Each key has at most one element: `duplicates: reject` keeps the first, and `duplicates: replace` keeps the last.",
        ),
        avoid={
            "Keys are far apart or come from outside: the table is as long as the largest key": "`index: hash`",
            "Other code keeps pointers to elements": "{item_pool}",
            "Other code keeps references that are no keys of yours": "{slot_map}",
            "Insertion order matters": "`ordering: insertion` with `removal: tombstone`, which takes `index: dense`, too",
        }),
    "id_set": Preset(
        "id set",
        "A set of small numbers, a bit each, in ascending order: add, remove and contains are O(1) in the header, and so is the "
        "number next to one. It takes 8 bytes for 64 numbers, and union, intersection and difference with another set go by "
        "words. Any call may change it during any number of passes, which need no record.",
        {"element.by": "bit", "ordering": "sorted", "duplicates": "reject", "removal.policy": "reuse",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        usual=("remove", "contains", "next_after"),
        choose=(
            "The elements are numbers and nothing else: descriptors, entities with some component, cells, connections that have "
            "something to write.",
            "They are visited from the smallest on, or the next one behind a number is looked up, with or without a pass.",
            "Sets are combined: what is in both, in either, in one only.",
        ),
        avoid={
            "Each number has data": "{id_table}, or {sparse_set}, whose elements lie side by side",
            "The numbers are far apart: it has a bit for each up to the largest": "`storage: chunked`, which has bits for the 64 "
                                                                                    "numbers around each, and searches",
            "A number must not be taken for an element that had it before": "handles, of {slot_map} or {item_pool}",
        }),
    "id_table": Preset(
        "id table",
        "A table of elements by a small integer, their id, in ascending order: an element lies in the slot of its id, and a bit "
        "records whether it is there. An element is found, added and removed in O(1), the next one behind an id, which need not "
        "be there, by a look at the bits. Any call may change it during any number of passes, which need no record.",
        {"index.kind": "direct", "ordering": "sorted", "duplicates": "reject", "identity.by": "key", "removal.policy": "reuse",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("identity.key",),
        usual=("find", "remove_key", "next_after"),
        choose=(
            "Small integers are assigned elsewhere: descriptors, players, rows, ids of another table.",
            "The order of the ids matters, in a lockstep simulation or a file, or the next id is looked up.",
            "Most ids are in use, or there are few: 64 ids take 64 elements, or pointers, and 8 bytes.",
        ),
        avoid={
            "Few of many ids are in use, and loops over them must be as short": "{sparse_set}, whose elements lie side by side",
            "The ids are far apart or come from outside: it has a slot for each up to the largest": "`index: hash`",
            "The container chooses the ids": "{id_pool}",
            "There is nothing but the id": "{id_set}",
            "Other code keeps pointers to elements": "the same with `element: {by: pointer}`",
        }),
    "shift_list": Preset(
        "shift list",
        "An array in insertion order, visited by one loop that may remove the current element: the elements after it shift down "
        "immediately, and none is skipped. It keeps no record of live passes, so it costs the same as a hand-written list.",
        {"ordering": "insertion", "removal.policy": "shift", "iteration.adds": "visited",
         "iteration.removes": "current", "iteration.cursors": "one"},
        usual=("get", "remove_at"),
        choose=(
            "There are few elements, or few are removed: moving some hundred bytes is cheap.",
            "One loop at a time visits the elements and decides which are removed. No other code removes during it.",
            "Insertion order must hold, and elements are accessed by index: there is never a gap.",
        ),
        avoid={
            "Many elements are removed in one pass: each removal moves all elements after it": "{read_write_collection}",
            "Loops nest, or other code removes during a loop": "{array_list}",
            "The order is irrelevant": "`removal: swap`",
        }),
    "backward_list": Preset(
        "backward list",
        "An array visited from the last element to the first, by one loop that may remove the current element: the elements that "
        "shift down have been visited already. Elements added during the pass wait for the next one.",
        {"ordering": "insertion", "removal.policy": "shift", "iteration.adds": "next", "iteration.removes": "current",
         "iteration.cursors": "one", "iteration.direction": "backward"},
        usual=("get",),
        choose=(
            "The newest element comes first: what was drawn last gets a click first, what was opened last is closed first.",
            "Elements that a loop adds must not be visited by it.",
            "Removed elements are mostly among the newest, so that few come after them.",
        ),
        avoid={
            "Many elements are removed in one pass: each removal moves all elements after it":
                "{read_write_collection} with `iteration: {direction: backward}`",
            "Loops nest, or other code removes during a loop": "the same with `removes: any` and `cursors: many`",
            "Some loops must go forward": "the same with `direction: both`",
        }),
    "array_list": Preset(
        "array list",
        "An array in insertion order, without gaps: any call may remove any element, in any of several nested loops, and the "
        "elements after it shift down immediately.",
        {"ordering": "insertion", "removal.policy": "shift", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        usual=("get", "remove"),
        choose=(
            "Indices have a meaning: the third in the queue, the selected row. Outside and inside of loops, T_get and T_data "
            "see an array without gaps.",
            "There are few elements, or few are removed.",
            "Loops nest and remove any element; a list without gaps is the easiest to inspect in a debugger.",
        ),
        avoid={
            "Many elements are removed in one pass": "{read_write_collection}, {entity_list}",
            "There are thousands, and any of them may be removed at any time": "{deletable_object_list}",
            "The order is irrelevant": "{constant_time_array}, {hashed_array}",
        }),
    "ring": Preset(
        "ring",
        "A ring buffer: elements are added and removed at either end in O(1), without moving another, and have an index from the "
        "first or from the last. Any call may also remove an element between the ends during a pass; the shorter side shifts.",
        {"ordering": "fifo", "ends": "both", "removal.policy": "shift", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        usual=("pop", "first", "last"),
        choose=(
            "Events, commands or bytes are queued and handled first in, first out.",
            "Only the last n elements are kept: an undo history, log lines, frame times. With `capacity: {max: n, when_full: "
            "overwrite}` an add removes the oldest.",
            "Work is taken from both ends: urgent work is added at the front.",
        ),
        avoid={
            "Elements are added at one end only, and removed anywhere": "{read_write_collection}",
            "A property of the element decides which is next": "{timer_queue}, {sorted_list}",
            "Other code keeps pointers to elements, which must not move": "{linked_list} of pointers, or {item_pool}",
        }),
    "lru_cache": Preset(
        "LRU cache",
        "The elements that were used last, by key: an add to a full cache removes the one that was not used for the longest "
        "time. Passes visit them in the order of their last use; any call may remove any element.",
        {"ordering": "insertion", "duplicates": "replace", "identity.by": "key", "index.kind": "hash", "removal.policy": "unlink",
         "storage.kind": "linked", "storage.links": "double", "capacity.when_full": "overwrite", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("identity.key", "capacity.max"),
        calls={"find": "T_find returns an element in O(1).", "move_to_back": "T_move_to_back notes that it is used."},
        usual=("find", "move_to_back"),
        choose=(
            "What is expensive to make again is kept while it is used: decoded sounds, glyphs, paths, results of queries.",
            "The number of elements is limited, and the one that is given up is the one least recently used. The destroy hook "
            "frees it.",
            "What is in use must stay: `capacity: {keep: element->users > 0}` passes over it, and an add returns FULL where all "
            "are in use.",
            "What elements may take together is bytes, not a number: `capacity: {weight: element->bytes, max: 67108864}`, and as "
            "many make way as must.",
        ),
        avoid={
            "Elements are removed in the order in which they were added, whatever was used": "{ring} with `when_full: overwrite`",
            "Elements are kept until they are removed": "{hashed_array}, {sparse_set}",
            "What is used least often is removed, not what was not used for the longest time": "{timer_queue} with the number "
                                                                                               "of uses as key",
        }),
    "timer_queue": Preset("timer queue",
        "A heap with handles: the first element by a key is returned in O(1), and any is removed or gets another key in O(log "
        "n). Of equal ones the one that was added first is first. Elements stay in their slots: a pass visits each once, in no "
        "order, whatever is popped meanwhile.",
        {"ordering": "heap", "sort.stable": True, "handles.kind": "generational", "removal.policy": "reuse",
         "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("sort.key",),
        usual=("add_handle", "get", "first", "pop", "rekey", "remove"),
        choose=(
            "What is due next is done next: timers, events, tasks. T_pop removes it before it is handled, which may change any "
            "other.",
            "Keys change while elements are in the container, up or down: the open list of A*, deadlines. T_rekey takes a "
            "handle.",
            "There are many elements, and only the first is looked at.",
        ),
        avoid={
            "Elements are visited in the order of their key, or the ten best are": "{sorted_list}",
            "Elements are removed in the order in which they were added": "{ring}",
        }),
    "timer_heap": Preset(
        "timer heap",
        "A heap whose elements have the links as members: it allocates nothing, and an add never fails. The first element by a "
        "key is returned in O(1), and any is removed or gets another key in O(log n), by its address. Of equal ones the one that "
        "was added first is first. A pass visits each once, in no order, whatever is popped meanwhile.",
        {"ordering": "heap", "sort.stable": True, "element.by": "intrusive", "removal.policy": "unlink",
         "storage.kind": "linked", "storage.links": "double", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("sort.key", "element.link.next", "element.link.prev", "element.link.owner", "element.link.left",
               "element.link.right", "element.link.parent", "element.link.turn"),
        usual=("first", "pop", "rekey", "remove"),
        choose=(
            "The elements have memory of their own, such as connections with a timeout, and an add must not fail: an event loop, "
            "a scheduler, a kernel.",
            "Most deadlines are moved or cancelled before they are due: both take a few writes.",
            "An element is removed when it is destroyed, and without a search.",
        ),
        avoid={
            "The elements cannot have further members, or are kept by value": "{timer_queue}",
            "Nearly all elements become due, in a heap of thousands": "`ordering: sorted` with `element.link.balance`: the next "
                                                                      "one is known",
            "Elements are visited in the order of their key": "`ordering: sorted` with the same links, {sorted_list}",
        }),
    "embedded": Preset(
        "embedded list",
        "An array of fixed size in the container itself, for firmware and other programs without a heap: nothing is allocated, "
        "only memcpy, memmove and memset of a C library are called, no function is recursive, each loop is over elements or "
        "over live passes, and misuse is a trap. Any call may remove any element, in up to four nested loops, and the elements "
        "after it shift down immediately.",
        {"ordering": "insertion", "removal.policy": "shift", "capacity.inline": True, "iteration.adds": "visited",
         "iteration.removes": "any",
         "iteration.cursors": "many", "iteration.passes": 4, "emit.freestanding": True},
        needs=("capacity.max",),
        usual=("get", "remove"),
        choose=(
            "There is no heap, or none may be used after the start: the linker's map shows all memory.",
            "Stack and time must be known in advance: the stack of each function is bounded and does not depend on the data, "
            "and all loops are.",
            "The order of the adds must hold, and the maximum is some hundred elements.",
        ),
        avoid={
            "Elements are taken at the ends: bytes of a port, samples": "{ring} with `capacity: {inline: true, max: n}`",
            "Other code keeps references to elements": "{item_pool} with `capacity: {inline: true, max: n}`: its handles detect "
                                                       "removed elements",
            "The order is irrelevant, and removals must be O(1)": "the same with `ordering: unordered, removal: swap`",
            "A prover must show that it is correct": "`emit: {contracts: acsl}`, for what that takes",
        }),
    "sorted_list": Preset(
        "sorted list",
        "An array that is always sorted by a key: an add inserts after the elements with the same key. Any call may remove any "
        "element, in any of several nested loops.",
        {"ordering": "sorted", "sort.when": "insert", "removal.policy": "shift", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        needs=("sort.key",),
        usual=("get", "remove"),
        choose=(
            "The order is read all the time: the first element, what is due next, the ten best. T_get(list, 0) is always the "
            "first.",
            "The key of an element does not change while it is in the container, or the element is removed and added again.",
            "Elements are looked up by their sort key: with the same expression as `identity: {key: ...}` each is found in "
            "O(log n), without an index.",
        ),
        avoid={
            "Keys change while elements are in the container, as depths do": "{draw_list}",
            "Many elements are added at a time, or there are thousands: each add moves all elements after it":
                "{draw_list}, which sorts once for all of them",
            "The caller names the position, and no key does": "`ordering: explicit`",
            "Only the first element is ever removed": "a heap, which is none of these structures",
        }),
    "draw_list": Preset(
        "draw list",
        "An array that is sorted when a loop begins, which is cheap if little has changed: until then added elements come last, "
        "and keys may change between two loops. The sort is stable: equal elements stay in insertion order.",
        {"ordering": "sorted", "sort.when": "begin", "removal.policy": "compact", "iteration.adds": "next",
         "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        needs=("sort.key",),
        usual=("settle",),
        choose=(
            "Everything is drawn once a frame in the order of a depth, a layer, or a distance that changes a little from one "
            "frame to the next.",
            "Many elements are added at a time: the next loop sorts them together.",
            "Two elements of equal depth must not flicker: equal elements never change their order.",
        ),
        avoid={
            "The order must hold outside of loops, too": "{sorted_list}, or T_sort after the last change",
            "A loop must visit what it adds":
                "the same with `iteration: {adds: visited}`: added elements come last, and the next loop sorts them in",
            "There are a few fixed depths": "a list for each, visited one after the other",
            "Other code keeps pointers to elements": "`element: {by: pointer}`",
        }),
    "back_copying_list": Preset(
        "back-copying list",
        "An unordered list that is swept from the last element to the first: the last element is copied over each expired one, "
        "so a removal moves one element.",
        {"ordering": "unordered", "removal.policy": "back_copy", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        calls={"update": "T_update updates every element in that sweep."},
        usual=("update",),
        choose=(
            "Elements live until their own state marks them as expired, one update a frame visits all of them, and the order "
            "is irrelevant.",
            "Few elements expire in a frame, and they are large: only vacated slots are filled, where a sweep that keeps the "
            "order moves all elements after the first one.",
            "Elements that an update adds are updated in it, once.",
        ),
        avoid={
            "Insertion order must hold": "{entity_list}",
            "Elements are removed by calls from anywhere": "{constant_time_array}, {hashed_array}",
            "Other code keeps pointers to elements in the list": "{item_pool}, or `element: {by: pointer}`",
        }),
    "hashed_array": Preset(
        "hashed array",
        "An unordered array of pointers with a hash table: add, remove and contains are O(1) expected, and the elements need no "
        "member for it.",
        {"ordering": "unordered", "duplicates": "reject", "index.kind": "hash", "removal.policy": "swap",
         "element.by": "pointer", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        usual=("remove", "contains"),
        choose=(
            "Membership changes often and is queried, and the struct of the elements cannot be changed.",
            "An element is in many such lists: a member for each would be too much.",
            "Loops over it are hot: the pointers are contiguous.",
        ),
        avoid={
            "The struct can store its index in the list": "{constant_time_array}: no table, no hashing",
            "contains() is never called, and few elements are removed": "`removal: swap` without an index",
            "Insertion order must hold": "{locking_list}, or `removal: tombstone`, which takes `index: hash` too",
        }),
    "flagged_array": Preset(
        "flagged array",
        "An array of pointers whose elements have a flag for removed: passes skip flagged elements immediately.",
        {"ordering": "unordered", "removal.policy": "prune", "element.by": "pointer", "iteration.adds": "visited",
         "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        calls={"update": "T_update removes all of them in one sweep."},
        usual=("update",),
        choose=(
            "Elements are removed from anywhere, and there is one point in the frame at which all lists are compacted.",
            "An element is in several lists: one flag removes it from all of them.",
            "There is no memory for a table, nor for an index in the element.",
        ),
        avoid={
            "The memory of an element is freed before the next update": "{constant_time_array}, which removes immediately",
            "contains() is called often: it is a linear search": "{hashed_array}",
            "The list must compact itself, without an update": "{deletable_object_list}",
        }),
    "linked_list": Preset(
        "linked list",
        "A singly linked list: each element has a link to the next one, and adds and removes move nothing. A pass removes its "
        "current element in O(1); removing any other element searches for the previous one.",
        {"ordering": "insertion", "removal.policy": "unlink", "storage.kind": "linked", "storage.links": "single",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        usual=("first",),
        choose=(
            "Elements are large and are removed one by one, by the pass that visits them: only growing copies elements.",
            "Slots must not move, so that handles can identify them, and insertion order must hold.",
            "Four bytes of links per element are acceptable, and eight are not.",
        ),
        avoid={
            "It is visited often and long: an array is many times faster": "{read_write_collection}",
            "Elements are removed from anywhere, not only by a pass": "`storage: {links: double}`, {doubly_linked_list}",
            "A property of the element decides": "{pruning_linked_list}",
            "The caller names the position of an add": "`ordering: explicit`",
        }),
    "pruning_linked_list": Preset(
        "self-pruning linked list",
        "A linked list that prunes itself: expired elements are unlinked, and no element is copied, however many are removed.",
        {"ordering": "insertion", "removal.policy": "prune", "storage.kind": "linked", "storage.links": "single",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        needs=("removal.expired",),
        calls={"update": "T_update updates every element and unlinks expired elements, in one sweep."},
        usual=("update",),
        choose=(
            "Elements are updated once a frame and expire by their own state, and they are too large to be moved.",
            "Slots must not move: handles or an index identify the elements.",
            "Elements have the links as members, so that the list allocates nothing: `element: {by: intrusive}`.",
        ),
        avoid={
            "Elements are small: closing gaps costs less than following links": "{entity_list}",
            "Elements are removed by a call, not by a property": "{linked_list}, {doubly_linked_list}",
            "The order is irrelevant": "{back_copying_list}",
        }),
    "doubly_linked_list": Preset(
        "doubly linked list",
        "A list whose elements have the links as members. It allocates nothing, and add, remove and contains are O(1): each "
        "element has links to its neighbours and to its list. With a set of links for each, an element can be in several lists.",
        {"ordering": "insertion", "removal.policy": "unlink", "element.by": "intrusive", "storage.kind": "linked",
         "storage.links": "double", "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("element.link.next", "element.link.prev", "element.link.owner"),
        usual=("remove", "contains"),
        choose=(
            "The elements have memory of their own, and membership in the list changes often: an add or a remove writes a few "
            "words and never fails.",
            "An element is removed from several lists when it is destroyed, and without a search.",
            "There are thousands of lists, most of them short or empty: cells of a grid, listeners of an object.",
        ),
        avoid={
            "The list is visited often and long: each step waits for memory": "{constant_time_array}",
            "The elements cannot have further members": "`element: {by: pointer}`, {linked_list}",
            "Duplicates are allowed": "`element: {by: pointer}`",
        }),
    "mutable_linked_list": Preset(
        "mutable linked list",
        "A doubly linked list in an order that the caller defines: an element is inserted before or after any other, any "
        "element can be removed, and every live pass continues correctly. Nothing moves but to grow.",
        {"ordering": "explicit", "removal.policy": "unlink", "storage.kind": "linked", "storage.links": "double",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many", "capacity.growth": 1.5},
        usual=("insert_before", "insert_after", "first"),
        choose=(
            "The order of the elements is defined by the game, and changes during passes: turn order, drawing order, priority of "
            "handlers.",
            "Loops nest, and any of them may insert and remove any element.",
            "The position is an element at hand: inserting beside it and removing it are O(1).",
        ),
        avoid={
            "The order follows from a property of the elements": "`ordering: sorted`",
            "Elements are only ever appended": "{linked_list}, {doubly_linked_list}, {read_write_collection}",
            "There are few elements, and they are visited far more often than inserted":
                "`removal: shift` with `ordering: explicit`, which is one array",
            "The elements have memory of their own": "the same with `element: {by: intrusive}`, which allocates nothing",
        }),
    "scene_tree": Preset(
        "scene tree",
        "A tree in which parents are visited before their children, and siblings in order. Removing an element removes its "
        "subtree.",
        {"ordering": "tree", "removal.policy": "prune", "storage.kind": "linked", "storage.links": "double",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",),
        calls={"update": "T_update updates all elements, from the top down, and removes expired elements."},
        usual=("add_child", "remove", "update"),
        choose=(
            "The state of an element follows from its parent: position, visibility, removal.",
            "Drawing order is tree order: children are drawn over parents, later siblings over earlier ones.",
            "Elements are added and removed during passes, anywhere in the tree.",
            "Subtrees move to other parents, with T_move_to_parent and its siblings in `emit.operations`.",
            "A walk meets children before their parents: what is drawn last is hit first, and a size follows from the children. "
            "That is `iteration: {direction: both}`.",
        ),
        avoid={
            "No element has children": "{mutable_linked_list}, {entity_list}",
            "There are few levels, and always the same": "a list for each level",
            "Elements are removed by calls only": "the same with `removal: unlink`",
        },
        backward_doc="A tree in which children are visited before their parents, and the last sibling first. Removing an "
                     "element removes its subtree.",
        backward_calls={"update": "T_update updates all elements, from the bottom up, and removes expired elements."}),
    "entity_layers": Preset(
        "entity layers",
        "A fixed number of named entity lists, visited and updated in order: each can be disabled, hidden, or run at its own "
        "time scale, and one call moves an element to another layer.",
        {"ordering": "layered", "layers.ordering": "insertion", "removal.policy": "prune", "removal.ask": "around_update",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("layers.names", "removal.expired"),
        calls={"settle": "T_settle removes expired elements of disabled layers."},
        usual=("set_enabled", "set_visible", "remove", "update"),
        choose=(
            "What is drawn, updated or queried falls into a few ordered groups: ground, units, air, the interface on top.",
            "Groups are switched as a whole: the game pauses while the menu runs, a layer is hidden, time in one runs slower.",
            "An element is in one group at a time and seldom changes it.",
        ),
        avoid={
            "There are as many groups as elements, or groups are created and removed": "a container for each, such as "
                                                                                       "{entity_list}",
            "The groups only differ in what expires": "{entity_list}, with the group in the element",
        }),
}
