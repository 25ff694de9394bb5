"""The language, as one table.

Every key of a container stands here once: what it takes, what it means, its default. From this table come the
validation of a spec, the JSON Schema for editors, the reference page and the starter specs of `bespoke new`.
Which values may stand together is not said here but in `rules.py`.
"""

from functools import lru_cache
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .policies import POLICIES, STORAGES, having
from .model import Duration

VERSION = 1
MAPPINGS = ("fields", "indexes", "renamings")  # kinds that take a mapping
LISTS = ("names", "members", "operations", "files")  # and a list
STRUCTURED = MAPPINGS + LISTS  # and those that take more than one word


RUN_TIME = "run_time"  # of a size: a program states it when it makes a container


class Key(NamedTuple):
    """One key of the language.

    path      'removal.policy': the group and the key in it, or a key of its own
    kind      what it takes, one of KINDS
    doc       one or two sentences for the reference page and for hover help
    values    for a choice: value -> what it means
    default   the value when nobody gives one; None: there is none, or resolve derives it (see `derived`)
    derived   how a missing value is derived, in words
    role      'contract' (callers may rely on it), 'policy' (how it is kept) or 'emission'
    short     the group may be written as a scalar that means this key: `removal: swap`
    only      the key has a meaning only with these values of other keys
    why       why it has none with others, where its description does not say that
    """

    path: str
    kind: str
    doc: str
    values: Dict[str, str] = {}
    default: Any = None
    derived: str = ""
    role: str = "policy"
    short: bool = False
    only: Dict[str, Tuple[Any, ...]] = {}
    required: bool = False
    example: str = ""
    why: str = ""

    @property
    def group(self) -> str:
        return self.path.split(".")[0] if "." in self.path else ""

    @property
    def leaf(self) -> str:
        return self.path.split(".")[-1]


# What a container keeps of the order of its elements by itself; one in layers leaves it to each layer.
_ORDERS = {"insertion": "In the order in which they were added, but for those that T_move_before or its siblings have moved.",
           "unordered": "In any order, which may change with every call; `iteration.order` promises one.",
           "sorted": "In the order of `sort.key` or `sort.less`; equal elements in the order in which they were added.",
           "explicit": "At the position that T_insert_before, T_insert_after or a move names; T_add appends.",
           "tree": "Parents before their children: T_add_child, T_insert_before and T_insert_after name the position, T_add "
                   "appends a root. Removing an element removes its subtree. T_move_to_parent and its siblings move it with its "
                   "subtree, where `emit.operations` names them."}


def key_kinds(of: str) -> Dict[str, str]:
    """What kinds of keys there are, and what T_find takes; `of`: what the other keys of the same group begin with."""
    return {
        "integer": "An integer of at most 64 bits: they take `uint64_t key`.",
        "string": "A string that ends with NUL, in memory that the element owns or in a `char` array of it: they take `const "
        "char *key`. A function returns a `const char *`.",
        "slice": f"`{of}length` bytes from a `char *` on, also without NUL: they take `const char *key, size_t length`. "
        "A function returns a `const char *`.",
        "bytes": "A struct or array that is compared by its bytes, such as an id of 128 bits: they take `const K *key`, where K "
        "is its type, or `const void *key` if that is not known. A function returns the same pointer.",
        "object": f"Anything that `{of}equal` compares: they take `const K *key`, where K is `{of}type`. A function returns the "
        "same pointer."}


HASHED = ("string", "slice", "bytes")  # kinds of keys whose bytes are hashed
HASHINGS = {
    "keyed": "By SipHash-1-3: if T_set_hash_key or `index.seed` has set a secret number, no keys can be chosen to collide. For "
             "keys from outside.",
    "fast": "By folded multiplication, which that number is mixed into too: in a third of the time. For keys of the program's "
            "own. Differences are in docs/keys.md.",
}


KEYS: List[Key] = [
    # -- what is stored ------------------------------------------------------------------------------------------
    Key("element.type", "type", "The C type of an element.", role="contract", short=True, required=True,
        example="struct ship"),
    Key("element.header", "header",
        "The header that declares the type, as written after #include. `ship.h` is searched for beside the spec and in "
        "the include folders; `<chipmunk/chipmunk.h>` is left to the compiler. Built-in types need none.",
        role="contract", example="ship.h"),
    Key("element.defined_in", "header",
        "The header that defines the struct, if the container's header must not include it, for example because that header "
        "declares a member of the container's type. Only the source includes it; `element.header` then only declares the type, "
        "and is not needed for a `struct ship`. For elements held by pointer.",
        role="contract", example="world.h", only={"element.by": ("pointer",)}),
    Key("element.by", "choice", "Whether the container owns the elements or points at them.",
        {"value": "The container stores the elements.",
         "pointer": "The container stores pointers; the elements live elsewhere and keep their address.",
         "intrusive": "The elements live elsewhere and have the links as members: the container "
                      "allocates nothing. An element can be in one container for each set of link members.",
         "bit": "An element is an unsigned integer, and the container stores a bit for each number from 0 to the largest that "
                "was added, which is 1 if that is in it; with `storage: chunked` only for those of chunks from which a "
                "number was added. With `capacity.max` the numbers are those below it."},
        default="value", role="contract"),
    Key("element.link.next", "field", "The member `E *` that points to the next element of the container.",
        role="contract", only={"element.by": ("intrusive",)}, example="team_next"),
    Key("element.link.prev", "field", "The member `E *` that points to the previous element; `storage.links: single` has none.",
        role="contract", only={"element.by": ("intrusive",), "storage.links": ("double",)}, example="team_prev"),
    Key("element.link.owner", "field", "The member, `struct T *` or `void *`, that points to the container of the element; NULL "
        "if it is in none. Containers may share it, and the other links with it, if an element is in one of them at a time.",
        role="contract", only={"element.by": ("intrusive",), "element.link.owned": (True,)}, example="team"),
    Key("element.link.owned", "flag", "An element has an 'owner'. false: it has none, as in most hand-written lists. Then it "
        "knows whether it is linked, and not where: the caller knows which container an element is in, and to name one of "
        "another container is misuse.",
        default=True, role="contract", only={"element.by": ("intrusive",), "storage.links": ("double",),
                                             "ordering": ("insertion", "unordered", "explicit")},
        why="the links of an element must show by themselves whether it is in"),
    Key("element.link.parent", "field", "The member `E *` that points to the parent. In a heap, to the element that points to "
        "this one: the one above it, or the one before it below the same. Where elements are sorted, to the one above it in "
        "the balanced tree.",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("tree", "heap", "sorted"),
                               "sort.when": ("insert",)}, example="node_parent"),
    Key("element.link.sibling", "field", "The member `E *` that points to the next sibling.",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("tree",)}, example="node_sibling"),
    Key("element.link.left", "field", "The member `E *` that points to the first of the elements below this one in a heap. With "
        "`ordering: sorted` to what is below this one and comes before it: `left`, `right`, `parent` and `balance` make a "
        "balanced tree, in which adds and T_rekey find a place in O(log n) instead of O(n).",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("heap", "sorted"),
                               "sort.when": ("insert",)}, example="timer_left"),
    Key("element.link.right", "field", "The member `E *` that points to the next of those below the same in a heap. With "
        "`ordering: sorted` to what is below this one and comes behind it.",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("heap", "sorted"),
                               "sort.when": ("insert",)}, example="timer_right"),
    Key("element.link.balance", "field",
        "The member `int8_t` by which the tree of `ordering: sorted` is kept balanced: 1 in some elements, 0 in the others.",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("sorted",), "sort.when": ("insert",)},
        example="timer_balance"),
    Key("element.link.turn", "field", "The member `uint64_t` with the number of elements that were added before this one, for "
        "`sort.stable`.",
        role="contract", only={"element.by": ("intrusive",), "sort.stable": (True,)}, example="timer_turn"),
    Key("element.fields", "fields",
        "The members of the element in order, each a name and its C type. With `layout: soa` each has a column: "
        "T_name(list) returns it, T_name(list)[row] is the member of one element; in `storage: chunked` each chunk has its own "
        "columns, T_name(list, chunk). If there is an `element.type`, these "
        "are all its members; if not, Bespoke declares T_row, a struct of them. Without `fields` the members are those that "
        "`bespoke type import` has read from `element.header`.",
        role="contract", only={"layout": ("soa",)}, example="{x: float, y: float, owner: struct ship *}"),
    Key("element.hot", "members",
        "The members that have a column each, if not all do: those that loops over all elements read. The others, the "
        "cold ones, share a struct T_cold_row; T_cold(list) returns its column.",
        role="contract", only={"layout": ("soa",)}, example="[x, y, hp]"),
    Key("layout", "choice", "The memory layout of the elements.",
        {"aos": "An array of elements.",
         "soa": "An array (column) for each member of the element, for loops over few members; with `element.hot` only "
                "for some of them. Columns are aligned to 64 bytes. An element is identified by its row, a `size_t`; T_NONE is "
                "none; T_load and T_store copy a whole element."},
        default="aos", role="contract"),
    # -- contract ------------------------------------------------------------------------------------------------
    Key("ordering", "choice", "The order in which a pass visits the elements.",
        {**_ORDERS, "fifo": "First in, first out, in a ring buffer: T_add appends, T_pop removes the first element.",
         "heap": "In any order; T_first returns, and T_pop removes, the first element by `sort.key` or `sort.less`. It is "
                 "fastest where it can hold a copy of each key: where the lock of the element's type has the member, or "
                 "`sort.key` is a function.",
         "layered": "Layer by layer: each of `layers` is a container, which all other keys describe. "
                    "Implied by `layers`."},
        default="insertion", role="contract"),
    Key("ends", "choice", "The ends of a ring at which elements are added and removed.",
        {"back": "T_add appends, T_pop removes the first element.",
         "both": "Also T_add_front and T_pop_back."},
        default="back", role="contract", only={"ordering": ("fifo",)}),
    Key("sort.key", "callable",
        "The sort key, ascending: an integer or floating-point expression over `element` (a "
        "pointer to it), or a function that takes a `const` pointer to the element and returns a `double`. A key must not be "
        "NaN, which compares neither less nor greater. With `ordering: insertion` and `explicit` it is that of T_sort, and "
        "nothing else sorts.",
        role="contract", short=True, only={"ordering": ("sorted", "heap", "insertion", "explicit")}, example="element->depth"),
    Key("sort.kind", "choice", "What kind of key `sort.key` is.",
        {"number": "An integer or floating-point number; a function returns a `double`.",
         "string": "A string that ends with NUL, sorted by its bytes, as strcmp compares them; a function returns a `const char "
                   "*`.",
         "slice": "The same as `identity.key`, which is a slice: sorted by its bytes, a slice before a longer one that begins "
                  "with it.",
         "bytes": "A struct or array without padding, sorted by its bytes, as memcmp compares them."},
        derived="that of `identity.kind` for the same expression, else `number`", role="contract",
        only={"ordering": ("sorted", "heap", "insertion", "explicit")}),
    Key("sort.less", "comparison",
        "The comparator, instead of a key: an expression over `a` and `b` (pointers to two elements) that is "
        "true if `a` sorts before `b`, or a function `bool f(const E *a, const E *b)`.",
        role="contract", only={"ordering": ("sorted", "heap", "insertion", "explicit")}, example="a->depth < b->depth"),
    Key("sort.when", "choice", "When the elements are sorted.",
        {"insert": "An add inserts at the sorted position; keys of elements in the container must not change.",
         "begin": "An add appends, and T_begin sorts if no pass is live: keys may change between passes. "
                  "Sorting an almost sorted container is cheap."},
        default="insert", only={"ordering": ("sorted",)}),
    Key("sort.stable", "flag", "In a heap, of equal elements the one that was added first comes first, whatever T_rekey is "
        "called for; each element has a 64-bit number for that. `ordering: sorted` always keeps that order.", default=False,
        role="contract",
        only={"ordering": ("heap",)}),
    Key("layers.names", "names", "The names of the layers, in the order in which a pass visits them. Each becomes a "
        "constant T_NAME; the type of a layer is T_layer.", role="contract", short=True,
        only={"ordering": ("layered",)}, example="[ground, units, air]"),
    Key("layers.ordering", "choice", "The order in which a pass visits the elements of a layer.", _ORDERS,
        default="insertion", role="contract", only={"ordering": ("layered",)}),
    Key("layers.handles", "choice", "In which layer the handle of an element is valid.",
        {"each": "In the layer that returned it: T_layer_get finds its element.",
         "shared": "In all of them: T_move moves the element of a handle to another layer, in which it keeps the handle, T_get "
                   "returns the element and T_layer_of its layer, each in O(1). The table that leads from handles to elements "
                   "is allocated apart from the elements, and belongs to all layers."},
        default="each", role="contract", only={"handles.kind": ("generational",)},
        why="an old handle must lead to no element of another layer"),
    Key("duplicates", "choice", "What an add does if the container has an equal element.",
        {"allow": "The container stores both.",
         "reject": "The add fails with DUPLICATE.",
         "replace": "The new element takes the slot of the old one, and its turn in every pass; the add returns "
                    "REPLACED. A handle of the old element, and a pass that stands on it, lead to the new one. The remove and "
                    "destroy hooks are called for the old element, then the add hook for the new one."},
        default="allow", role="contract"),
    Key("identity.by", "choice", "What makes two elements equal.",
        {"address": "They are the same object.",
         "value": "They compare equal (`==`); for integers, enums and pointers held by value.",
         "key": "They have the same `identity.key`."},
        derived="`key` where `identity.key` is given, else `address`", role="contract", short=True),
    Key("identity.key", "callable",
        "The key of an element: an expression over `element` (a pointer to it), or a function that takes a `const` pointer to "
        "the element. It is an integer, and the function returns a `uint64_t`, unless `identity.kind` names another kind of key. "
        "It must not change while the element is in the container.",
        role="contract", only={"identity.by": ("key",)}, example="element->id"),
    Key("identity.kind", "choice", "What kind of key `identity.key` is, and so what T_find and T_remove_key take.",
        key_kinds("identity."),
        derived="`slice` where `identity.length` is given, `object` where `identity.equal` is and no other, else `integer`",
        role="contract", only={"identity.by": ("key",)}),
    Key("identity.length", "callable", "The number of bytes of the key of an element: an integer expression over `element`, or "
        "a function that takes a `const` pointer to the element and returns a `size_t`.", role="contract",
        only={"identity.kind": ("slice",)},
        example="element->length"),
    Key("identity.type", "type", "The type of the key, if no type lock has it: of `bytes` without it, T_find takes a `const "
        "void *`; a function that returns a pointer to the key needs it.", role="contract",
        only={"identity.kind": ("bytes", "object")},
        example="struct guid"),
    Key("identity.equal", "function", "bool f(const K *a, const K *b): Are two keys equal? K is `identity.type`, or `char` for "
                                      "a string.",
        role="contract", only={"identity.kind": ("string", "object")}),
    Key("identity.hash", "function", "uint64_t f(const K *key, uint64_t seed): The hash of a key, the same for equal ones. "
        "`seed` is the number that T_set_hash_key or `index.seed` has set, or 0.",
        only={"identity.kind": ("string", "object"), "index.kind": ("hash",)}),
    Key("iteration.adds", "choice", "When a pass sees elements that are added while it runs.",
        {"visited": "In the same pass.",
         "next": "From the next pass on.",
         "deferred": "They are queued, and added when the last pass ends."},
        derived="`deferred` where removal is deferred, else `visited`", role="contract"),
    Key("iteration.removes", "choice", "What may be removed while a pass runs.",
        {"current": "Only the current element, with T_remove_current. With `removal: {when: deferred}`, any: it is removed when "
                    "the last pass ends.",
         "any": "Any element, with any call.",
         "none": "Nothing, and nothing may be added or moved either: passes are fail-fast. A change of the container ends every "
                 "live pass at its next step, and T_was_changed reports it. For asset tables, configuration and lists that "
                 "frames only read: the container keeps no record of a pass, only a counter of changes, so any number may be "
                 "live."},
        default="any", role="contract"),
    Key("iteration.cursors", "choice", "How many passes can be live.",
        {"one": "One.", "many": "Any number, nested or side by side: see `iteration.passes`.",
         "none": "None but readers, such as T_EACH_CONST and T_begin_const: the container has nothing for passes, and no T_EACH, "
                 "T_begin or T_remove_current. Readers write nothing, and the next change of the container ends them. For "
                 "thousands of small lists; `iteration: {removes: none}` is as small, and its loops may write to elements."},
        default="many", role="contract"),
    Key("iteration.passes", "count", "How many passes have a record in the container (1 to 65,535). More may be live: their "
        "records are allocated, kept for later passes, and freed by T_settle, T_shrink_to_fit and T_deinit. Where there is no "
        "memory for one, T_begin calls BESPOKE_NO_PASS(message), which prints it, and the loop visits nothing. A container that "
        "allocates nothing, or has a bit for each pass beside each slot, has no more: one more pass stops the program, also "
        "without BESPOKE_CHECKS; define BESPOKE_FATAL(message) for another reaction.",
        derived="2 where more can be allocated, else 8", role="contract",
        only={"iteration.cursors": ("many",), "iteration.removes": ("current", "any")}),
    Key("iteration.direction", "choice", "The direction of a pass.",
        {"forward": "From the first element to the last.",
         "backward": "From the last element to the first. Elements added during the pass, if it visits them, "
                     "follow the first element. A tree is walked in the reverse order: children before their parents, the last "
                     "child first; what is added behind the pass is then not visited.",
         "both": "T_begin and T_EACH for forward passes, T_begin_backward and T_EACH_BACKWARD for backward passes."},
        default="forward", role="contract"),
    Key("iteration.order", "choice", "What is promised of the order in which a pass visits unordered elements.",
        {"free": "Nothing. With BESPOKE_CHAOS it changes between passes.",
         "deterministic": "The same calls with the same results give the same order: on every machine, with every compiler and "
                          "allocator, and in later versions of Bespoke. For simulations in lockstep, replays, checksums. It "
                          "follows from `removal.policy`, which must be named. BESPOKE_CHAOS does not change it."},
        default="free", role="contract", only={"ordering": ("unordered",)}),
    Key("addresses", "choice", "Whether the address of an element can change while it is in the container.",
        {"moving": "Adds and removes may move elements.",
         "stable": "An element keeps its address from its add to its removal."},
        default="moving", role="contract"),
    Key("handles.kind", "choice", "A number that identifies an element and outlives it. It is valid only in the container that "
        "returned it: another container takes it for one of its elements.",
        {"none": "No handles: elements are identified by their address.",
         "index": "An index: it identifies its element until that is removed, whatever moves; later it may identify "
                  "another element.",
         "generational": "An index with a generation: the handle of a removed element is never valid again. "
                         "An index is retired before its generation wraps."},
        default="none", role="contract", short=True),
    Key("handles.index_bits", "bits", "Bits of the index in a handle, usually 8, 16 or 32. Slots are allocated in whole blocks, "
        "usually of 64: then 8 bits address 192 slots, 16 bits 65,472, and 20 bits 1,048,512; the next add returns FULL. With "
        "other widths than 8, 16 and 32, index and generation are bit-fields: 20 and 12, or 24 and 8, are a handle of 32 bits, "
        "also as T_handle_pack returns it.", default=32,
        role="contract", only={"handles.kind": ("index", "generational")}),
    Key("handles.generation_bits", "bits", "Bits of the generation in a handle, usually 8, 16 or 32. With b bits an index is "
        "used 2^b - 2 times. Then it is retired, and its slot is lost to the container: with 12 bits after 4,094 uses, with 8 "
        "after 254.",
        default=32, role="contract", only={"handles.kind": ("generational",)}),
    Key("changes", "choice", "Whether the container records which elements were added, removed or marked, and in which order.",
        {"none": "It does not.",
         "recorded": "T_version returns a number that grows with each of these changes, T_mark reports that the content of an "
                     "element was changed, and the loop T_EACH_CHANGE goes over what has changed since a version, in O(changes), "
                     "for what is sent, saved or drawn. 24 bytes for each slot, which no removal and no reader adds to."},
        default="none", role="contract", only={"handles.kind": ("generational",)},
        why="a removed element is named by its handle, and an old handle must name no other one"),
    Key("side", "fields",
        "Values that only some elements have, each a name and its C type: with `burning: float` T_set_burning sets that of the "
        "element of a handle, T_get_burning returns it, T_remove_burning takes it away, and the loop T_EACH_WITH_BURNING goes "
        "over those that there are, which lie side by side. They are dropped when the element is removed, and saved and brought "
        "back with it. Beside what the values take, 4 bytes for each of them and 4 for each slot; they are allocated apart from "
        "the elements.",
        role="contract", only={"handles.kind": ("generational",)},
        why="they are looked up by a handle, and an old handle must lead to none of another element",
        example="{burning: float, target: struct ship *}"),
    Key("threads.workers", "count", "At most this many worker threads share the container (1 to 256): T_part and T_const_part "
        "return the part of the elements that one of them reads and writes, and T_worker_add, T_worker_remove and "
        "T_worker_update note changes in a journal of its own, which T_settle merges. The constant T_WORKERS is the number. An "
        "allocator is called from all of them.", role="contract",
        example="8"),
    Key("threads.merge", "choice", "The order in which T_settle merges the changes of workers: updates, then removals, then "
                                   "adds, each in this order.",
        {"worker": "Those of worker 0, then those of worker 1, each in the order of its calls. If each worker walks through its "
                   "T_part, the result does not depend on their number.",
         "key": "By a key, a `uint64_t` that each call takes; equal ones as with `worker`. If the key is the number of a job, "
                "the result does not depend on which worker did it.",
         "none": "Workers note no changes: there is T_part, and no journal."},
        default="worker", role="contract"),
    Key("threads.inbox", "count", "T_inbox_add puts an element into a queue of this many, a power of two (2 to 65,536), from "
        "any thread at any time, without a lock; FULL is returned immediately. T_settle adds the elements, in the order of "
        "arrival. The queue is "
        "a part of the container's struct.", role="contract", example="1024"),
    # -- policy --------------------------------------------------------------------------------------------------
    Key("removal.policy", "choice", "How elements are removed.",
        {"auto": "The cheapest policy that keeps the contract.",
         **{name: policy.doc for name, policy in POLICIES.items()}},
        default="auto", short=True),
    Key("removal.when", "choice", "When a change takes effect.",
        {"immediate": "Immediately.",
         "deferred": "While the container is locked or a pass is live, changes are queued in one journal, and applied "
                     "in order when that ends.",
         "locked": "Between T_lock and T_unlock changes are queued in one journal, and applied in order by the last T_unlock. "
                   "While it is not locked each takes effect immediately, also in passes."},
        default="immediate", role="contract"),
    Key("removal.expired", "callable",
        "The predicate of expired elements: a C expression over `element` (a pointer to it), or a function "
        "`bool f(const E *element)`.",
        only={"removal.policy": having(expired=("may", "must"))}, example="element->hp <= 0"),
    Key("removal.ask", "choice", "When T_update evaluates `removal.expired`.",
        {"after_update": "Once per element, after its update hook.",
         "before_update": "Once per element, before its update hook, which is not called for expired elements.",
         "around_update": "Before and after: an expired element is not updated, and one that expires in its update is removed "
                          "immediately."},
        default="after_update", only={"removal.policy": having(updates=True)}),
    Key("removal.update", "choice", "Where the body of T_update is.",
        {"source": "In the source, from which each call of the update hook leads into another file.",
         "inline": "In the header: a compiler that sees the hook puts it into the loop. The functions that you write have C "
                   "linkage in C++ then. Over links, but for trees."},
        default="source", only={"removal.policy": having(updates=True)}),
    Key("removal.dead_share", "percent", "The share of slots that may be tombstones before the container is compacted. With a "
        "hash index it may be exceeded while at most 64 slots and three quarters of the capacity are in use.",
        default=25, only={"removal.policy": having(dead=True)}),
    Key("removal.next", "choice", "Which of the free slots an add takes with `removal: reuse`. It is the index of a handle, and "
        "a pass visits slots in their order. Saved containers go on as they would have.",
        {"lowest": "The one with the lowest index, so that passes stay short.",
         "last_freed": "The one that was vacated last, or a new one if none was: O(1), and its memory is likely in the cache. "
                       "A clear vacates the slots from the last to the first. Four bytes for each slot.",
         "round_robin": "The next one behind that of the last add; behind the capacity it goes on with the first. So an index is "
                        "used again as late as may be."},
        default="lowest", role="contract",
        only={"removal.policy": ("reuse",), "element.by": ("value", "pointer")}),
    Key("index.kind", "choice", "How the container finds an element.",
        {"none": "By its address, or by a linear search.",
         "hash": "By a hash table from the identity to the slot.",
         "intrusive": "By its slot index, which is stored in the element, in `index.field`.",
         "dense": "By a table from the key to the slot, with four bytes for each key up to the largest: for small "
                  "integers.",
         "direct": "The key is the slot: the elements lie in an array by their keys, in ascending order, and a bit records which "
                   "are there. For small integers; it has a slot for each key up to the largest, and `capacity.max` limits the "
                   "keys."},
        default="none", short=True),
    Key("index.keys", "size", "Keys are smaller than this, and the table has an entry for each; adding an element with a larger "
        "key fails with RANGE. Without it, the table grows to the largest key that is added. With `run_time` T_init is given it, "
        "and T_keys returns it.", role="contract",
        only={"index.kind": ("dense",)}, example="4096"),
    Key("index.seed", "function", "uint64_t f(void), which is called before the first hash of a container: a secret number, as "
        "T_set_hash_key takes it, so that keys from outside (a network, a file) cannot be chosen to collide.",
        only={"index.kind": ("hash",)}),
    Key("index.hashing", "choice", "How the bytes of a key are hashed, if no function of yours hashes them.",
        HASHINGS, default="keyed", only={"index.kind": ("hash",), "identity.kind": HASHED}),
    Key("index.field", "field", "The member of the element that stores its slot index plus one; 0 if it is in no "
        "container. A `uint32_t`, one for each container that an element can be in.",
        only={"index.kind": ("intrusive",)}, example="slot"),
    Key("indexes", "indexes", "Further indexes by name, each with a key of its own: T_find_NAME returns an element by that key. "
        "An add that one of them refuses changes none of them, and live passes are not affected. A key is changed in place, and "
        "then reported with T_rekey_NAME.",
        role="contract", example="{by_name: {key: element->name, key_kind: string}}"),
    Key("storage.kind", "choice", "Where the elements are stored.",
        {"auto": "The best storage for the removal policy.",
         **{name: storage.doc for name, storage in STORAGES.items()}},
        default="auto", short=True),
    Key("storage.chunk", "chunk", "Slots of a chunk: a multiple of 64.", default=64,
        only={"storage.kind": ("chunked",)}, example="256"),
    Key("storage.links", "choice", "The direction of the links.",
        {"double": "To the next and to the previous element.",
         "single": "To the next element: one link less per element. Removing an element other than the current one "
                   "searches for the previous one from the first on."},
        default="double", only={"storage.kind": ("linked", "chunked"), "removal.policy": ("unlink", "prune")}),
    Key("capacity.initial", "count", "The capacity that the first add allocates: rounded up to whole chunks, to a multiple "
                                     "of 64 where slots have bits (a bitmap, generations) or elements lie in columns, "
        "or of 8 where an array beside the elements must be aligned. The Memory line of the header has the result.",
        derived="16, or 64 with a hash index; or `capacity.max` where that is less, or the storage may not grow"),
    Key("capacity.growth", "growth", "The factor by which a full container grows: 1.1 to 4.", default=2.0),
    Key("capacity.max", "size", "At most this many elements; adding one more fails with FULL. With `run_time` T_init is given "
        "the maximum, and T_max returns it: a zero-initialised container has 0. With `capacity.weight` it limits the sum of the "
        "weights.", role="contract", example="64"),
    Key("capacity.weight", "callable",
        "What an element takes of `capacity.max`, which then limits the sum of the weights, such as bytes, and not the number "
        "of elements: a C expression over `element` (a pointer to it), or a function `uint64_t f(const E *element)`. T_weight "
        "returns the sum. A weight is changed in place, and then reported with T_reweigh. With `when_full: overwrite` as many "
        "elements make way as must, the oldest first; an element that is heavier than `capacity.max` is refused with FULL, and "
        "nothing makes way.",
        role="contract", only={"element.by": ("value", "pointer", "intrusive")}, example="element->bytes"),
    Key("capacity.when_full", "choice", "What an add to a container of `capacity.max` elements does.",
        {"reject": "It fails with FULL.",
         "overwrite": "It removes the element at the other end, with its hooks: T_add the first, T_add_front the "
                      "last. Live passes stay exact. If such a hook fills the container again, or adds an equal element, it "
                      "fails with FULL or DUPLICATE, and the removed element stays removed; T_add_from never overwrites."},
        default="reject", role="contract", only={"ordering": ("fifo", "insertion")},
        why="in another order the first element is not the oldest one"),
    Key("capacity.keep", "callable",
        "Which elements such an add passes over: a C expression over `element` (a pointer to it), or a function `bool f(const E "
        "*element)`. The first of the others makes way, for T_add_front the last; where all are kept, the add fails with FULL.",
        role="contract", only={"capacity.when_full": ("overwrite",)}, example="element->pinned"),
    Key("capacity.inline", "flag", "The elements are stored in the container's struct: nothing is allocated.",
        default=False),
    Key("capacity.shrink.below", "percent",
        "T_settle releases memory if less than this share of the capacity has been in use for `capacity.shrink.after`.",
        example="25%"),
    Key("capacity.shrink.after", "duration",
        "How long the share must stay below: `120 settles`, or `2 s` (T_settle then takes the seconds since the "
        "last call).", default="120 settles", example="2 s"),
    # -- hooks ---------------------------------------------------------------------------------------------------
    Key("hooks.add", "function", "void f(struct T *list, E *element), after the element was added and counted. With `layout: "
        "soa` this hook, `update` and `move` take the row, `size_t row`, instead of `E *element`; `remove` and `destroy` take "
        "a pointer to a copy."),
    Key("hooks.remove", "function",
        "void f(struct T *list, E *element), after the element was removed and is no longer counted."),
    Key("hooks.destroy", "function",
        "void f(struct T *list, E *element), after `remove`: the last call for the element."),
    Key("hooks.update", "function",
        "void f(struct T *list, E *element, C context): T_update calls it for every element; C is `hooks.context`. In layers: "
        "void f(struct T_layer *layer, E *element, const struct T_tick *tick), with `tick->seconds` and `tick->context`; the "
        "other hooks take the layer, too.",
        only={"removal.policy": having(updates=True)}),
    Key("hooks.context", "type", "The type of the last parameter of T_update, which it passes to the update hook.",
        default="void *",
        only={"removal.policy": having(updates=True)}, example="struct world *"),
    Key("hooks.kept_context", "type", "The type, a pointer, of a context that the container keeps: T_init and T_set_context take "
        "it. Every hook, a function `removal.expired`, `identity.equal`, `identity.hash`, and both of a named index are given it "
        "last; T_update takes none. Another context must not change what equal and hash say of elements that are in.",
        example="struct world *"),
    Key("hooks.reason", "flag", "Remove and destroy hooks are given the reason: behind the element they have a parameter "
        "`enum T_reason reason`, and the header has those that can happen: T_REMOVED, T_TAKEN, T_CLEARED, T_EXPIRED, "
        "T_OVERWRITTEN, T_REFUSED, T_ENDED.",
        default=False),
    Key("hooks.add_reason", "flag", "The add hook is given the reason in the same way: T_ADDED (by a call), T_REPLACING (in the "
        "place of another one, however it came), T_APPLIED (it was queued in a journal or an inbox), T_RECEIVED (from another "
        "container), T_RETURNED (back from one that could not take it).",
        default=False),
    Key("hooks.move", "function", "void f(struct T *list, E *element), after an element held by value may have got a new "
        "address (with `layout: soa`: a new row; T_add_from is a remove and an add).",
        only={"element.by": ("value",)}),
    # -- memory --------------------------------------------------------------------------------------------------
    Key("allocator.kind", "choice", "The functions that allocate memory.",
        {"stdlib": "malloc, realloc and free.",
         "custom": "Functions with a context, which T_init is given.",
         "plain": "Functions without a context, as malloc, realloc and free are. With an `allocator.header` they may be macros."},
        derived="`custom` where functions are given, else `stdlib`", short=True),
    Key("allocator.alloc", "function", "void *f(size_t bytes); with `custom`, `void *context` is the first parameter of each of "
        "the three.", only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.realloc", "function", "void *f(void *block, size_t bytes), or with `allocator.sizes` void *f(void *block, "
        "size_t old_bytes, size_t new_bytes). Where none is given, growing takes a new block, copies, and frees the old one.",
        only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.free", "function", "void f(void *block), or with `allocator.sizes` void f(void *block, size_t bytes). With "
        "`plain` it may be free itself, where alloc is a function that calls malloc, and so may the other two be malloc and "
        "realloc.",
        only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.sizes", "flag", "Free and realloc take the size of the block, in bytes.",
        derived="`true` if `custom`, else `false`", only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.aligned", "flag", "Alloc and realloc take the alignment that the block needs: `size_t alignment`, their "
        "last parameter.", default=False, only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.never_fails", "flag", "Alloc and realloc never return NULL: without memory they stop the program themselves. "
        "There is no NO_MEMORY then, T_emplace always returns an element where nothing else can refuse it, and calls that "
        "nothing can refuse, often T_add and T_reserve, return nothing. More elements than sizes can count stop it, too: see "
        "BESPOKE_FATAL.", default=False, role="contract", only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.header", "header", "The header that declares the three, if the element's does not.",
        only={"allocator.kind": ("custom", "plain")}),
    # -- saved containers ----------------------------------------------------------------------------------------
    Key("persist.version", "count", "The version that T_save writes. T_load refuses a newer one, and an older one unless there "
        "is a `persist.upgrade` or `persist.load`.", default=1, role="contract", only={"emit.persist": (True,)}),
    Key("persist.save", "function", "bool f(struct T_writer *to, const E *element): writes with T_write and T_write_number what "
        "of an element T_save cannot write by itself: what pointers lead to, unions, all members if none are known. Returns "
        "false to give up.",
        role="contract", only={"emit.persist": (True,)}),
    Key("persist.load", "function", "bool f(struct T_reader *from, E *element): reads with T_read and T_read_number what "
        "`persist.save` has written. Members that T_load reads itself are set, all others are zero. It must not keep the "
        "address. Returns false if what it reads is not valid, or, with `from->status = T_NO_MEMORY`, if it has no memory.",
        role="contract", only={"emit.persist": (True,)}),
    Key("persist.upgrade", "function", "void f(E *element, uint32_t version): called for each element that was saved by an "
        "older `persist.version`, or before members were added to the struct, which are zero then. `version` is that of the "
        "saved container.",
        role="contract", only={"emit.persist": (True,)}),
    # -- emission ------------------------------------------------------------------------------------------------
    Key("emit.files", "choice", "The files that are written; the same for all containers of a spec.",
        {"pair": "A header and a source.", "single": "One header; one source file defines X_IMPLEMENTATION."},
        default="pair", role="emission"),
    Key("emit.support", "choice", "Where headers have what they share: macros for compilers, and support for C++17. The same "
        "for all containers of a spec.",
        {"inline": "In each header: the files of a spec stand alone.",
         "shared": "In `bespoke.h`, which is written beside the headers and is the same for all specs."},
        derived="`--support`, else the form of the files in the output folder, else `inline`", role="emission"),
    Key("emit.lookups", "choice", "Where T_find, T_find_NAME and T_contains are, if a hash or dense index leads from an "
        "integer to elements that lie in the container; and T_add, if a hash index is the only one.",
        {"header": "In the header, inline: a lookup is no call, and an element is written into its slot.",
         "source": "In the source: callers are smaller, and need not be compiled again where only a lookup changes."},
        default="header", role="emission"),
    Key("emit.handles_header", "flag", "T_handle is declared in a header of its own, X_handles.h for X.yaml, which includes no "
        "header of yours: X.h includes it first, and headers of elements may include it, so that the elements of two containers "
        "hold handles of each other.",
        default=False, role="emission", only={"handles.kind": ("index", "generational")}),
    Key("emit.operations", "operations", "The operations that are emitted, by their names without the prefix; `each` stands for "
        "the loops T_EACH and T_each, `usual` for what a list of its preset usually needs (with T_find where it is keyed), "
        "`used` for what the files of `emit.sources` call, and "
        "`all` for all but those that exist only here: `[all, add_get]` is all of them and one of these. T_deinit always is "
        "emitted. "
        "`part` and `const_part` exist only here or with `threads.workers`; `swap_places`, `add_get`, `add_child_get`, "
        "`insert_before_get` and `insert_after_get` only here, as are passes that begin anywhere (`begin_at`, `begin_at_index`, "
        "`begin_at_key`, `begin_after`, `current`, and `next_pair` with the loop T_EACH_PAIR), `lower_bound` and "
        "`upper_bound` of a `sorted` order, passes that T_settle keeps alive "
        "(`keep`), a begin that returns a status (`try_begin`, and `try_begin_backward`), scans of named indexes "
        "(`scan_range_NAME`, `scan_all_NAME`, `scan_range_backward_NAME`, `scan_all_backward_NAME`, with the loop T_EACH_IN) and "
        "in trees (`scan_children`, `scan_subtree`, `scan_children_backward`, `scan_subtree_backward`), "
        "and with `ordering: tree` also `move_before`, `move_after`, "
        "`move_to_front`, `move_to_back` and `move_to_parent`. `splice_to_back`, and with `ordering: explicit` `splice_before` "
        "and `splice_after`, move a span of intrusive elements from one container to another. `pop` and `pop_back` exist with "
        "`ordering: fifo` and `heap`; "
        "with `insertion`, `explicit` and `sorted` only here, and T_first and T_last with them; where they exist, so does "
        "`pop_if` if it is named here: it pops the first element if a function of the caller's returns true for it. `take`, "
        "`take_at`, `take_key` and `take_current` remove an element as `remove` and its siblings do, and hand it over: its "
        "destroy hook is not called. `remove_if` removes each element that a function of the caller's names. "
        "`find_or_add` returns the element with a key, or adds it. `at` and `at_key` are `get` and `find` for callers that know "
        "that the element is there: with BESPOKE_CHECKS another one is misuse. `bytes` returns the memory that the container "
        "holds. Plain rows have `append_undefined`, which adds several elements to be filled in place, and with `ordering: "
        "insertion` `resize`. "
        "What they need is emitted with "
        "them, all else is left out. The struct does not change. In a layered container it applies to the layers, too. Without "
        "it, all operations.", role="emission",
        example="[usual, find, remove_key]"),
    Key("emit.sources", "files", "The sources of the program, for `emit: {operations: [used]}`: paths relative to the spec, "
        "of which the last part may have `*` and `?`. A word in them that is the name of an operation, or of its loop, is a call "
        "of it, also in a comment; files that Bespoke has generated do not count. Name what a macro puts together, such as "
        "`list##_add`, and the loop of a C++ `for` over a container, beside it: `[used, add, each]`.", role="emission",
        example="[main.c, src/*.c]"),
    Key("emit.prefix", "prefix", "The prefix of the type and of every function.", default="",
        role="emission", example="eng_"),
    Key("emit.types", "choice", "How the names of types are spelled; the prefix stays as it is. The same for all containers of "
                                "a spec.",
        {"snake": "As the spec writes them: fleet, fleet_cursor.", "pascal": "Fleet, FleetCursor."},
        default="snake", role="emission"),
    Key("emit.functions", "choice", "How the names of functions are spelled; the prefix stays as it is. T_name in these pages "
        "stands for all of them. Macros and constants are in capitals: FLEET_EACH, FLEET_OK. The same for all containers of a "
        "spec.",
        {"snake": "As the spec writes the container: fleet_remove_all.",
         "camel": "fleetRemoveAll; behind a prefix without `_` xyFleetRemoveAll.",
         "pascal": "FleetRemoveAll.",
         "type_snake": "The type and what it does: Fleet_remove_all.",
         "type_camel": "Fleet_removeAll.",
         "type_pascal": "Fleet_RemoveAll."},
        default="snake", role="emission"),
    Key("emit.names", "renamings", "What operations are called instead: T_Push and T_RemoveSwap with `{add: Push, "
        "remove_at: RemoveSwap}`. A name stands behind the prefix and the container as it is written, however `emit.functions` "
        "spells the rest; misuse is reported under it. In `defaults` it may name operations that some of the containers lack; a "
        "container's own takes the place of that. In a layered container it applies to the layers, too.", role="emission",
        example="{add: Push, remove_at: RemoveSwap}"),
    Key("emit.header", "header", "A header of the engine, which the emitted header includes before any other: it declares what "
        "`emit.export`, `emit.assert` and `emit.size_type` name, and may define BESPOKE_CHECKS, BESPOKE_CHAOS, BESPOKE_MISUSE "
        "and BESPOKE_FATAL. The same for all containers of a spec.", role="emission", example="engine/base.h"),
    Key("emit.export", "macro", "A macro that stands before each function that is declared in the header and defined in the "
        "source, so that it can be called from outside of a shared library; `emit.header` names the header that declares it. "
        "The same for all containers of a spec.", role="emission", example="ENGINE_API"),
    Key("emit.assert", "macro", "The engine's assertion, which takes a condition: with BESPOKE_CHECKS, misuse calls NAME(0 && "
        "\"T_add: reason\") instead of printing a message and calling abort(); `emit.header` names the header that declares it. "
        "The same for all containers of a spec.", role="emission", example="ENGINE_ASSERT"),
    Key("emit.size_type", "type", "The size type: of counts, indices and rows, in the functions and in the struct, instead of "
        "size_t. Unsigned, at least as wide as int and at most as wide as size_t, which the source asserts; or a signed type of "
        "C itself: `int`, `long`, `int32_t`, `int64_t`, `ptrdiff_t` and their like. Then functions take and return that, and the "
        "struct has the unsigned type of the same width: T_count returns an int. An index that is negative is that of no "
        "element, a negative number of elements of an array is none, and any other negative count is more than there is memory "
        "for. A row of columns, which is an element, the number of a layer and what structs hold have the unsigned type. Bytes "
        "are still counted in size_t. `emit.header` names the header that declares it. The same for all containers of a spec.",
        role="emission",
        example="uint32_t"),
    Key("emit.freestanding", "flag", "No function of a C library is called but memcpy, memmove and memset, which compilers need "
        "anyway; the source builds with -ffreestanding. Without `emit.assert`, misuse is a trap. The same for all containers of "
        "a spec.",
        default=False, role="emission"),
    Key("emit.cplusplus", "flag", "The header has a section for C++17: range-for loops over the container, and copies are "
        "refused. Without it the header is valid C++17, too. All containers of a spec agree.", default=False, role="emission"),
    Key("emit.attributes", "flag", "Compilers warn where a caller ignores the status of an add that may fail: gcc 11 and newer "
        "and clang in all of their languages, and any C23 or C++17; `(void)` silences that. And clang warns in C++ where a "
        "reference to an element outlives a container on the stack. `-DBESPOKE_NODISCARD=` and `-DBESPOKE_LIFETIMEBOUND=` turn "
        "either off in a build.", default=True, role="emission"),
    Key("emit.persist", "flag", "T_save writes the container through a callback, and T_load reads it: elements, order, handles, "
        "free slots. Members are written one by one, in the same bytes on every machine; they are those of the type lock.",
        default=False,
        role="emission"),
    Key("emit.snapshot", "flag", "T_snapshot copies the state of the container into memory of the caller, and T_rollback brings "
        "it back, as netcode does every frame: neither allocates, and hooks are not called. T_snapshot_delta and "
        "T_rollback_delta do the same with what has changed since an earlier snapshot.", default=False, role="emission"),
    Key("emit.trace", "flag", "With -DBESPOKE_TRACE=1 the program may record what it does with its containers: "
        "bespoke_trace_begin, bespoke_trace_frame, bespoke_trace_end; `bespoke trace export` reads that. Without the macro the "
        "code is the same as without this key.", default=False, role="emission"),
    Key("emit.contracts", "choice", "Contracts for a prover, as comments beside the code.",
        {"none": "None.",
         "acsl": "Each function has its contract in ACSL, and each loop its invariant, so that Frama-C's WP proves the absence "
                 "of run-time errors, and that each function keeps its contract. For some containers with `capacity.inline`; "
                 "without `emit.operations` those operations that have contracts."},
        default="none", role="emission"),
    Key("emit.banner", "lines", "Text for the top of each file, such as a licence: one line or several. Without it the banner "
                                "states that generated files carry no conditions (0BSD).", default="",
        role="emission", example="Copyright (c) the authors of Engine"),
    # -- tests ---------------------------------------------------------------------------------------------------
    Key("test.id", "field", "A member of the element that the generated test may write a number into, to identify the "
        "element.", role="emission", example="id"),
    Key("test.element", "function", "void f(E *element, uint32_t number): Makes an element of the generated test together with "
        "what it points at, for expressions that read that, such as `element->info->id`. What a key reads depends on the "
        "number, which is below "
        "8192: the same for equal numbers, and distinct for others; nothing has expired. The element's bytes are all 0 or all 1 "
        "before, and the test "
        "writes `test.id` after it. The element's header defines it `static inline`, or the test is linked with what does.",
        role="emission",
        example="make_unit"),
    Key("test.expire", "statement", "An assignment that makes `*element` expire, for a `removal.expired` that is an "
        "expression.", role="emission", example="element->hp = 0"),
]

BY_PATH: Dict[str, Key] = {key.path: key for key in KEYS}


def groups() -> List[str]:
    """The groups in the order of the table ('' are the keys without one)."""
    return list(dict.fromkeys(key.group for key in KEYS))


@lru_cache(maxsize=None)
def members(prefix: str) -> Dict[str, Any]:
    """The names that may stand below a prefix: leaf -> Key, or None for a group below it."""
    found: Dict[str, Any] = {}
    for key in KEYS:
        if prefix and not key.path.startswith(prefix + "."):
            continue
        rest = key.path[len(prefix) + 1:] if prefix else key.path
        head = rest.split(".")[0]
        found.setdefault(head, key if "." not in rest else None)
    return found


def short_key(prefix: str) -> Optional[Key]:
    """The key that a group means when it is written as a scalar."""
    return next((key for key in KEYS if key.short and key.group == prefix and key.path.count(".") == 1), None)


def choices(path: str) -> List[str]:
    return list(BY_PATH[path].values)


def in_yaml(path: str, value: Any) -> str:
    """How a spec gives a key a value: `removal: swap`, `removal: {when: deferred}`."""
    key = BY_PATH[path]
    if isinstance(value, bool):
        value = "true" if value else "false"
    if key.kind in LISTS and not isinstance(value, str):
        value = f"[{', '.join(value)}]"
    if key.kind == "indexes" and not isinstance(value, str):
        value = "{" + value[0].name + ": ...}"
    if key.short or not key.group:
        return f"`{key.group or path}: {value}`"
    *groups_, leaf = path.split(".")
    return "`" + ": {".join(groups_) + f": {{{leaf}: {value}" + "}" * len(groups_) + "`"


def parse_default(path: str) -> Any:
    """The value of a key's default as a spec would give it."""
    key = BY_PATH[path]
    if key.kind == "duration" and isinstance(key.default, str):
        amount, unit = key.default.split()
        return Duration(float(amount), unit)
    return key.default


FUNCTIONS = ("hooks.add", "hooks.remove", "hooks.destroy", "hooks.update", "hooks.move", "removal.expired",
             "capacity.keep", "capacity.weight", "identity.key", "identity.length", "identity.equal", "identity.hash",
             "index.seed",
             "sort.key", "sort.less", "persist.save", "persist.load", "persist.upgrade", "allocator.alloc", "allocator.realloc",
             "allocator.free", "test.element")
