"""The language, as one table.

Every key of a container stands here once: what it takes, what it means, its default. From this table come the
validation of a spec, the JSON Schema for editors, the reference page and the starter specs of `bespoke new`.
Which values may stand together is not said here but in `rules.py`.
"""

import difflib
import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

from .policies import POLICIES, STORAGES, having
from ..text import expressions, identifiers
from ..text.diag import Diagnostics, Span, did_you_mean
from ..text.loader import Mapping, Scalar, Sequence
from .model import Callable_, Duration, Field, Fields, Names, Setting

VERSION = 1


@dataclass(frozen=True)
class Key:
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
    """

    path: str
    kind: str
    doc: str
    values: Dict[str, str] = field(default_factory=dict)
    default: Any = None
    derived: str = ""
    role: str = "policy"
    short: bool = False
    only: Dict[str, Tuple[Any, ...]] = field(default_factory=dict)
    required: bool = False
    example: str = ""

    @property
    def group(self) -> str:
        return self.path.split(".")[0] if "." in self.path else ""

    @property
    def leaf(self) -> str:
        return self.path.split(".")[-1]


# What a container keeps of the order of its elements by itself; one in layers leaves it to each layer.
_ORDERS = {"insertion": "In the order in which they were added.",
           "unordered": "In any order; an order that holds today may not hold tomorrow.",
           "sorted": "In the order of `sort.key` or `sort.less`; equal elements in the order in which they were added.",
           "explicit": "T_insert_before and T_insert_after say where; T_add puts an element last.",
           "tree": "Each element before those below it: T_add_child, T_insert_before and T_insert_after say where, T_add puts an "
                   "element last and below none. An element leaves with all below it."}

KEYS: List[Key] = [
    # -- what is stored ------------------------------------------------------------------------------------------
    Key("element.type", "type", "The C type of an element.", role="contract", short=True, required=True,
        example="struct ship"),
    Key("element.header", "header",
        "The header that declares the type, as written behind #include: `ship.h` is looked for beside the spec and in "
        "the include folders, `<chipmunk/chipmunk.h>` is left to the compiler. Built-in types need none.",
        role="contract", example="ship.h"),
    Key("element.defined_in", "header",
        "The header that defines the struct, where the container's header must not include it: since the container is a "
        "member of what is declared there, say. Included by the source alone; `element.header` then only declares the type, and "
        "is not needed for a `struct ship`. For elements held by pointer.",
        role="contract", example="world.h", only={"element.by": ("pointer",)}),
    Key("element.by", "choice", "Whether the container owns the elements or points at them.",
        {"value": "The elements lie in the container.",
         "pointer": "The container holds pointers; the elements live elsewhere and keep their address.",
         "intrusive": "The elements live elsewhere and hold the container's links as members of theirs: the container "
                      "allocates nothing. An element may be in as many containers at once as it has such members for."},
        default="value", role="contract"),
    Key("element.link.next", "field", "The member `E *` that leads to the next element of the container.",
        role="contract", only={"element.by": ("intrusive",)}, example="team_next"),
    Key("element.link.prev", "field", "The member `E *` that leads to the one before; `storage.links: single` has none.",
        role="contract", only={"element.by": ("intrusive",), "storage.links": ("double",)}, example="team_prev"),
    Key("element.link.owner", "field", "The member, `struct T *` or `void *`, that says which container the element is in; NULL: in none. Containers "
        "that an element is in by turns may share it, and the other links with it.",
        role="contract", only={"element.by": ("intrusive",)}, example="team"),
    Key("element.link.parent", "field", "The member `E *` that leads to the one that it is below.",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("tree",)}, example="node_parent"),
    Key("element.link.sibling", "field", "The member `E *` that leads to the next one below the same.",
        role="contract", only={"element.by": ("intrusive",), "ordering": ("tree",)}, example="node_sibling"),
    Key("element.fields", "fields",
        "The members of the element in their order, each a name and its C type: with `layout: soa` each gets a column, "
        "T_name(list) gives it, T_name(list)[row] is the member of one element; in `storage: chunked` each chunk has its own "
        "columns, T_name(list, chunk). If there is an `element.type`, these "
        "are all its members; if not, Bespoke declares T_row, a struct of them. Without `fields` the members are those that "
        "`bespoke type import` has read from `element.header`.",
        role="contract", only={"layout": ("soa",)}, example="{x: float, y: float, owner: struct ship *}"),
    Key("element.hot", "members",
        "The members that get a column each, where not all do: those that loops over all elements look at. The others, the "
        "cold ones, stay together in a struct T_cold_row; T_cold(list) gives the column of those.",
        role="contract", only={"layout": ("soa",)}, example="[x, y, hp]"),
    Key("layout", "choice", "How the elements lie in memory.",
        {"aos": "One behind the other, each in one piece.",
         "soa": "Each member of the element in a column of its own, as a loop over few members wants it; with `element.hot` only "
                "some of them. Columns are aligned to 64 bytes. An element is known by its row, a `size_t`; T_NONE is none; "
                "T_load and T_store gather and scatter a whole one."},
        default="aos", role="contract"),
    # -- contract ------------------------------------------------------------------------------------------------
    Key("ordering", "choice", "The order in which a pass visits the elements.",
        {**_ORDERS,
         "fifo": "First in, first out: a ring. T_add puts an element last, T_pop takes the first.",
         "layered": "Layer by layer: each of `layers` is a container of its own, which all other keys speak of. "
                               "Taken where `layers` are named."},
        default="insertion", role="contract"),
    Key("ends", "choice", "At which ends of a ring elements are added and taken off.",
        {"back": "T_add puts an element last; T_pop takes the first.",
         "both": "T_add_front and T_pop_back, too."},
        default="back", role="contract", only={"ordering": ("fifo",)}),
    Key("sort.key", "callable",
        "What the elements are sorted by, the least first: an integer or floating-point expression over `element` (a "
        "pointer to it), or a function that takes a `const` pointer to the element and gives a `double`. A key must not be NaN, "
        "which comes neither before nor after another: elements around it would not be in order.",
        role="contract", short=True, only={"ordering": ("sorted",)}, example="element->depth"),
    Key("sort.less", "comparison",
        "Which of two elements comes first, instead of a key: an expression over `a` and `b` (pointers to them) that is "
        "true if `a` belongs before `b`, or a function `bool f(const E *a, const E *b)`.",
        role="contract", only={"ordering": ("sorted",)}, example="a->depth < b->depth"),
    Key("sort.when", "choice", "When the elements are put in order.",
        {"insert": "An added element is put where it belongs; keys of elements that are in must not change.",
         "begin": "Added elements come last until T_begin, with no pass live, sorts: keys may change between passes, and "
                  "little work is done where little has changed."},
        default="insert", only={"ordering": ("sorted",)}),
    Key("layers.names", "names", "The names of the layers, in the order in which a pass goes through them. Each becomes a "
        "constant T_NAME; the type of a layer is T_layer.", role="contract", short=True,
        only={"ordering": ("layered",)}, example="[ground, units, air]"),
    Key("layers.ordering", "choice", "The order in which a pass visits the elements of a layer.", _ORDERS,
        default="insertion", role="contract", only={"ordering": ("layered",)}),
    Key("duplicates", "choice", "What happens when an element is added that is there already.",
        {"allow": "It is in the container twice.",
         "reject": "The add is refused and says DUPLICATE.",
         "replace": "The new one takes the old one's place, its slot and its turn in every pass, and the add says "
                    "REPLACED; the old one is told of by the remove and destroy hooks, then the new one by the add hook."},
        default="allow", role="contract"),
    Key("identity.by", "choice", "What makes two elements the same.",
        {"address": "Being the same object.",
         "value": "Being equal (`==`); for integers, enums and pointers held by value.",
         "key": "Having the same `identity.key`."},
        derived="`key` where `identity.key` is given, else `address`", role="contract", short=True),
    Key("identity.key", "callable",
        "The key of an element: an integer expression over `element` (a pointer to it), or a function that takes a "
        "`const` pointer to the element and gives a `uint64_t`.",
        role="contract", only={"identity.by": ("key",)}, example="element->id"),
    Key("iteration.adds", "choice", "When a pass sees elements that are added while it runs.",
        {"visited": "In the same pass.",
         "next": "From the next pass on.",
         "deferred": "They are not in the container until the pass is over."},
        derived="`deferred` where removal is deferred, else `visited`", role="contract"),
    Key("iteration.removes", "choice", "What may be removed while a pass runs.",
        {"current": "Only the element the pass stands on, through T_remove_current.",
         "any": "Any element, by any call."},
        default="any", role="contract"),
    Key("iteration.cursors", "choice", "How many passes may be under way at once.",
        {"one": "One.", "many": "Up to `iteration.passes`, nested or side by side."},
        default="many", role="contract"),
    Key("iteration.passes", "count", "The most passes that may be under way at once (1 to 32).",
        default=8, role="contract", only={"iteration.cursors": ("many",)}),
    Key("iteration.direction", "choice", "Which way a pass goes.",
        {"forward": "From the first element to the last.",
         "backward": "From the last element to the first. Where elements that are added meanwhile are visited, they "
                     "follow when the first has been reached.",
         "both": "T_begin and T_EACH go forward, T_begin_backward and T_EACH_BACKWARD go backward."},
        default="forward", role="contract"),
    Key("addresses", "choice", "Whether an element stays where it is while it lives.",
        {"moving": "Adding and removing may move elements.",
         "stable": "An element keeps its address from its add to its removal."},
        default="moving", role="contract"),
    Key("handles.kind", "choice", "A name for an element that outlives it. It is good in the container that gave it alone: "
        "another would take it for an element of its own.",
        {"none": "Elements are known by their address.",
         "index": "A number: it leads to its element for as long as that lives, whatever moves; later it may lead to "
                  "another one.",
         "generational": "A number with a generation: a handle of an element that is gone is told from every "
                         "other for ever; a number retires before its generation could wrap."},
        default="none", role="contract", short=True),
    Key("handles.index_bits", "bits", "Bits of a handle that number the element (8, 16 or 32). Slots come in "
        "whole blocks, mostly of 64: then 8 bits name 192, and 16 bits 65,472.", default=32,
        role="contract", only={"handles.kind": ("index", "generational")}),
    Key("handles.generation_bits", "bits", "Bits of a handle that count the uses of its number (8, 16 or 32).",
        default=32, role="contract", only={"handles.kind": ("generational",)}),
    # -- policy --------------------------------------------------------------------------------------------------
    Key("removal.policy", "choice", "How an element leaves.",
        {"auto": "The cheapest policy that keeps the contract.",
         **{name: policy.doc for name, policy in POLICIES.items()}},
        default="auto", short=True),
    Key("removal.when", "choice", "Whether a change takes effect at once.",
        {"immediate": "At once.",
         "deferred": "While the container is locked or a pass is live, changes wait in one journal and are replayed "
                     "in the order they were made."},
        default="immediate", role="contract"),
    Key("removal.expired", "callable",
        "Says whether an element is ready to leave: a C expression over `element` (a pointer to it), or a function "
        "`bool f(const E *element)`.",
        only={"removal.policy": having(expired=("may", "must"))}, example="element->hp <= 0"),
    Key("removal.ask", "choice", "When T_update asks whether an element has expired.",
        {"after_update": "Once per element, after its update hook.",
         "before_update": "Once per element, before its update hook, which the expired do not get.",
         "around_update": "Before and after: who expired earlier is not updated, who expires now leaves now."},
        default="after_update", only={"removal.policy": having(updates=True)}),
    Key("removal.dead_share", "percent", "The share of all slots that may be dead before they are squeezed out; with a "
        "hash index, as long as no more than 64 slots and three quarters of the room are in use, more may be.",
        default=25, only={"removal.policy": having(dead=True)}),
    Key("index.kind", "choice", "How an element is found in the container.",
        {"none": "By its address, or by looking through the elements.",
         "hash": "A hash table from its identity to its slot.",
         "intrusive": "Its place is written into the element, in `index.field`.",
         "dense": "A table from the key itself to the slot, four bytes for each key up to the largest: for small integers."},
        default="none", short=True),
    Key("index.keys", "count", "Keys are smaller than this, and the table has an entry for each; an element with a larger "
        "key is refused with RANGE. Without it, the table grows to the largest key that comes in.", role="contract",
        only={"index.kind": ("dense",)}, example="4096"),
    Key("index.field", "field", "The member of the element that holds its place; zero means that it is in no "
        "container. A `uint32_t`, one for each container an element may be in at once.",
        only={"index.kind": ("intrusive",)}, example="slot"),
    Key("storage.kind", "choice", "Where the elements lie.",
        {"auto": "What serves the removal policy best.",
         **{name: storage.doc for name, storage in STORAGES.items()}},
        default="auto", short=True),
    Key("storage.chunk", "chunk", "Slots of a chunk: a multiple of 64.", default=64,
        only={"storage.kind": ("chunked",)}, example="256"),
    Key("storage.links", "choice", "Which way the links lead.",
        {"double": "To the next element and to the one before.",
         "single": "To the next element: one link fewer for each. To remove another element than the one a pass stands on, "
                   "the one before it is looked for from the first on."},
        default="double", only={"storage.kind": ("linked",)}),
    Key("capacity.initial", "count", "Room for this many elements is made by the first add.",
        derived="16, or `capacity.max` where that is given and the storage may not grow"),
    Key("capacity.growth", "growth", "By how much a full container grows: 1.1 to 4.", default=2.0),
    Key("capacity.max", "count", "The most elements it takes; one more says FULL.", role="contract"),
    Key("capacity.when_full", "choice", "What becomes of an element that is added to a ring of `capacity.max` elements.",
        {"reject": "It is refused: FULL.",
         "overwrite": "The element at the other end is removed for it, with its hooks: for T_add the first, for T_add_front the "
                      "last. Live passes stay exact. FULL only where such a hook has filled the ring again; T_add_from never overwrites."},
        default="reject", role="contract", only={"ordering": ("fifo",)}),
    Key("capacity.inline", "flag", "The elements lie in the container's struct itself: nothing is ever allocated.",
        default=False),
    Key("capacity.shrink.below", "percent",
        "T_settle gives memory back when less than this share of it has been used for `capacity.shrink.after`.",
        example="25%"),
    Key("capacity.shrink.after", "duration",
        "How long the share must stay below: `120 settles`, or `2 s` (T_settle is then told the seconds since the "
        "last one).", default="120 settles", example="2 s"),
    # -- hooks ---------------------------------------------------------------------------------------------------
    Key("hooks.add", "function", "void f(struct T *list, E *element): the element is in and counted. With `layout: soa` "
        "this hook, `update` and `move` are told the row, `size_t row`, and not `E *element`; `remove` and `destroy` get "
        "a pointer to a copy."),
    Key("hooks.remove", "function", "void f(struct T *list, E *element): the element is out and no longer counted."),
    Key("hooks.destroy", "function",
        "void f(struct T *list, E *element): as `remove`, and behind it: the last that is heard of the element."),
    Key("hooks.update", "function",
        "void f(struct T *list, E *element, C context): T_update calls it for every element; C is `hooks.context`. In layers: "
        "void f(struct T_layer *layer, E *element, const struct T_tick *tick), with `tick->seconds` and `tick->context`; the other "
        "hooks are told the layer, too.",
        only={"removal.policy": having(updates=True)}),
    Key("hooks.context", "type", "The type of what T_update hands to the update hook.", default="void *",
        only={"removal.policy": having(updates=True)}, example="struct world *"),
    Key("hooks.move", "function", "void f(struct T *list, E *element): an element held by value may have a new address (with "
        "`layout: soa`: has a new row; T_add_from is a remove and an add).",
        only={"element.by": ("value",)}),
    # -- memory --------------------------------------------------------------------------------------------------
    Key("allocator.kind", "choice", "Where memory comes from.",
        {"stdlib": "malloc, realloc and free.",
         "custom": "`allocator.alloc`, `allocator.realloc` and `allocator.free`, with a context given to T_init.",
         "plain": "The same three with the parameters of malloc, realloc and free: no context. With an `allocator.header` "
                  "they may be macros."},
        derived="`custom` where functions are given, else `stdlib`", short=True),
    Key("allocator.alloc", "function", "void *f(void *context, size_t bytes); if `plain`: void *f(size_t bytes)",
        only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.realloc", "function", "void *f(void *context, void *block, size_t old_bytes, size_t new_bytes); if `plain`: void "
        "*f(void *block, size_t bytes)", only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.free", "function", "void f(void *context, void *block, size_t bytes); if `plain`: void f(void *block)",
        only={"allocator.kind": ("custom", "plain")}),
    Key("allocator.header", "header", "The header that declares the three, if the element's does not.",
        only={"allocator.kind": ("custom", "plain")}),
    # -- emission ------------------------------------------------------------------------------------------------
    Key("emit.files", "choice", "What is written; all containers of a spec agree.",
        {"pair": "A header and a source.", "single": "One header; one source file defines X_IMPLEMENTATION."},
        default="pair", role="emission"),
    Key("emit.operations", "operations", "The operations that are emitted, by their names without the prefix, and `each` for the loops "
        "T_EACH and T_each with what they need; T_deinit always is. What these need comes with them, all else is left out. The "
        "struct stays as it is. Of a container in layers it speaks of the layers, too. Without it, all of them.", role="emission",
        example="[add, find, remove_key, each]"),
    Key("emit.prefix", "prefix", "Stands before the name of the type and of every function.", default="",
        role="emission", example="eng_"),
    Key("emit.types", "choice", "How the names of types are spelled; the prefix stays as it is. All containers of a spec agree.",
        {"snake": "As the spec writes them: fleet, fleet_cursor.", "pascal": "Fleet, FleetCursor."},
        default="snake", role="emission"),
    Key("emit.functions", "choice", "How the names of functions are spelled; the prefix stays as it is. T_name in these pages stands for all "
        "of them. Macros and constants are in capitals: FLEET_EACH, FLEET_OK. All containers of a spec agree.",
        {"snake": "As the spec writes the container: fleet_remove_all.",
         "camel": "fleetRemoveAll; behind a prefix without `_` xyFleetRemoveAll.",
         "pascal": "FleetRemoveAll.",
         "type_snake": "The type and what it does: Fleet_remove_all.",
         "type_camel": "Fleet_removeAll.",
         "type_pascal": "Fleet_RemoveAll."},
        default="snake", role="emission"),
    Key("emit.header", "header", "A header of the engine's, which the emitted one includes first: it declares what `emit.export`, "
        "`emit.assert` and `emit.size_type` name. All containers of a spec agree.", role="emission", example="engine/base.h"),
    Key("emit.export", "macro", "A macro that stands before each function that is declared in the header and defined in the source, so that "
        "it can be called from outside of a shared library; `emit.header` names the header that declares it. All containers of a spec "
        "agree.", role="emission", example="ENGINE_API"),
    Key("emit.assert", "macro", "The engine's assertion, which takes a condition: with BESPOKE_CHECKS, misuse is NAME(0 && \"T_add: reason\") "
        "where it is found, and not a message and abort(); `emit.header` names the header that declares it. All containers of a spec "
        "agree.", role="emission", example="ENGINE_ASSERT"),
    Key("emit.size_type", "type", "The type of counts, places and rows, in the functions and in the struct, instead of size_t: unsigned, with at "
        "least the bits of an int and at most those of size_t, which the source asserts. Bytes are still counted in size_t. "
        "`emit.header` names the header that declares it. All containers of a spec agree.", role="emission", example="uint32_t"),
    Key("emit.freestanding", "flag", "Nothing of a C library is called but memcpy, memmove and memset, which a compiler asks for anyway; "
        "it builds with -ffreestanding. Without `emit.assert`, misuse is a trap. All containers of a spec agree.",
        default=False, role="emission"),
    Key("emit.banner", "lines", "What stands at the top of each file, such as a licence: one line or several.", default="",
        role="emission", example="Copyright (c) the authors of Engine"),
    # -- tests ---------------------------------------------------------------------------------------------------
    Key("test.id", "field", "A member of the element that the generated test may write a number into, to know the "
        "element again.", role="emission", example="id"),
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


# -- kinds ---------------------------------------------------------------------------------------------------------


class _Wrong(Exception):
    """A value that its kind does not take. `at`: the offset of the culprit in the text; None: all of it, or `span`."""

    def __init__(self, message: str, help: str = "", at: Optional[int] = None, code: str = "BSP0103",
                 span: Optional[Span] = None):
        super().__init__(message)
        self.message, self.help, self.at, self.code, self.span = message, help, at, code, span
        self.others: List["_Wrong"] = []  # what else is wrong with the value


def _raise_all(found: List[_Wrong]) -> None:
    if found:
        found[0].others = found[1:]
        raise found[0]


def shown(text: str) -> str:
    """Text of a spec as a message quotes it: in one line and not too long."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


def suggestion(word: str, known: Iterable[str]) -> str:
    """`did you mean ...? ` in front of what else there is to say, or nothing."""
    near = did_you_mean(word, known)
    return f"did you mean '{near}'? " if near else ""


def in_yaml(path: str, value: Any) -> str:
    """How a spec gives a key a value: `removal: swap`, `removal: {when: deferred}`."""
    key = BY_PATH[path]
    if isinstance(value, bool):
        value = "true" if value else "false"
    if key.kind in LISTS and not isinstance(value, str):
        value = f"[{', '.join(value)}]"
    if key.short or not key.group:
        return f"`{key.group or path}: {value}`"
    *groups_, leaf = path.split(".")
    return "`" + ": {".join(groups_) + f": {{{leaf}: {value}" + "}" * len(groups_) + "`"


# What others call it: words that are not spelled like the value that they mean.
_OTHER_WORDS: Dict[str, Dict[str, str]] = {
    "element.by": {"reference": "pointer", "ref": "pointer", "copy": "value"},
    "layout": {"columns": "soa", "rows": "aos"},
    "ordering": {"none": "unordered", "any": "unordered", "queue": "fifo", "ring": "fifo", "deque": "fifo", "manual": "explicit"},
    "duplicates": {"unique": "reject", "forbid": "reject", "ignore": "reject", "overwrite": "replace"},
    "identity.by": {"pointer": "address", "id": "key"},
    "iteration.removes": {"all": "any", "others": "any", "self": "current"},
    "iteration.cursors": {"1": "one", "single": "one", **{str(number): "many" for number in range(2, 33)}, "multiple": "many"},
    "iteration.direction": {"reverse": "backward"},
    "addresses": {"fixed": "stable"},
    "handles.kind": {"id": "index", "versioned": "generational"},
    "removal.policy": {"erase": "shift", "memmove": "shift", "mark": "tombstone", "lazy": "tombstone", "free_list": "reuse"},
    "storage.kind": {"array": "contiguous", "vector": "contiguous", "list": "linked", "blocks": "chunked", "paged": "chunked"},
    "index.kind": {"map": "hash", "table": "hash", "sparse": "dense", "member": "intrusive"},
}


def _choice(key: Key, node: Scalar) -> str:
    text = node.text
    if text in key.values:
        return text
    meant = _OTHER_WORDS.get(key.path, {}).get(text.lower())
    advice = (f"did you mean '{meant}'? " if meant else suggestion(text, key.values)) + f"expected one of: {', '.join(key.values)}"
    if node.is_yaml11_bool or isinstance(node.value, bool):
        advice += " (yes, no, true and false mean nothing here)"
    raise _Wrong(f"'{key.path}' cannot be '{shown(text)}'", advice)


def _flag(key: Key, node: Scalar) -> bool:
    if isinstance(node.value, bool):
        return node.value
    hint = "write true or false"
    if node.is_yaml11_bool:
        hint += f": '{node.text}' is plain text in YAML 1.2"
    elif node.text in ("true", "false"):
        hint = "write it without quotes"
    raise _Wrong(f"'{key.path}' takes true or false, not '{shown(node.text)}'", hint)


_LIMIT = 2**31 - 1


def _count(key: Key, node: Scalar) -> int:
    high = 32 if key.path == "iteration.passes" else _LIMIT
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        if 1 <= node.value <= high:
            return node.value
        raise _Wrong(f"'{key.path}' cannot be {shown(node.text)}", f"a whole number from 1 to {high}")
    if node.is_yaml11_int:
        raise _Wrong(f"'{shown(node.text)}' is not a whole number in YAML 1.2",
                     "write it without the leading zero; an octal number would be written 0o17")
    if re.fullmatch(r"[0-9]+", node.text) and not node.plain:
        raise _Wrong(f"'{key.path}' takes a whole number, not text", "write it without quotes")
    if re.fullmatch(r"[0-9]{1,3}(?:[_,'][0-9]{3})+", node.text):
        raise _Wrong(f"'{shown(node.text)}' is not a whole number", "write it without separators")
    raise _Wrong(f"'{key.path}' takes a whole number, not '{shown(node.text)}'", f"a whole number from 1 to {high}")


def _bits(key: Key, node: Scalar) -> int:
    if node.value in (8, 16, 32) and isinstance(node.value, int):
        return node.value
    raise _Wrong(f"'{key.path}' cannot be '{shown(node.text)}'", "expected one of: 8, 16, 32")


MOST_IN_CHUNK = 1 << 16


def _chunk(key: Key, node: Scalar) -> int:
    if isinstance(node.value, int) and not isinstance(node.value, bool) \
            and 64 <= node.value <= MOST_IN_CHUNK and node.value % 64 == 0:
        return node.value
    raise _Wrong(f"'{key.path}' cannot be '{shown(node.text)}'", f"a multiple of 64, from 64 to {MOST_IN_CHUNK}")


def _percent(key: Key, node: Scalar) -> int:
    match = re.fullmatch(r"([0-9]{1,3})\s*%?", node.text)
    if match and 1 <= int(match.group(1)) <= 99:
        return int(match.group(1))
    raise _Wrong(f"'{key.path}' takes a percentage, not '{shown(node.text)}'", "a whole percentage from 1% to 99%")


def _growth(key: Key, node: Scalar) -> float:
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)", node.text)
    if match and 1.1 <= float(match.group(1)) <= 4:
        return float(match.group(1))
    raise _Wrong(f"'{key.path}' takes a factor, not '{shown(node.text)}'", "a factor from 1.1 to 4, such as 1.5")


def _duration(key: Key, node: Scalar) -> Duration:
    match = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s*(s|seconds?|settles?)", node.text)
    if match and 0 < float(match.group(1)) <= 1e6:
        unit = "settles" if match.group(2).startswith("settle") else "seconds"
        if unit == "seconds" or float(match.group(1)).is_integer():
            return Duration(float(match.group(1)), unit)
    raise _Wrong(f"'{key.path}' takes a duration, not '{shown(node.text)}'",
                 "`120 settles` (calls of T_settle, one a frame) or `2 s`, at most a million")


def _type(key: Key, node: Scalar) -> str:
    problem = expressions.check_type(node.text)
    if problem:
        raise _Wrong(problem[1], _unqualified(node.text, problem[0])
                     or "expected a C type such as `struct ship`, `uint32_t` or `cpBody *`", problem[0], "BSP0303")
    return " ".join(node.text.split())


def _unqualified(text: str, at: Optional[int]) -> str:
    """What to write where a qualifier is all that is wrong with a type; '' if it is something else."""
    found = re.compile(r"const\b|volatile\b").match(text, at or 0)
    rest = "" if found is None else " ".join((text[:found.start()] + text[found.end():]).split())
    return f"leave out '{found.group()}': `{rest}`" if rest and expressions.check_type(rest) is None else ""


def _header(key: Key, node: Scalar) -> str:
    problem = expressions.check_header(node.text)
    if problem:
        raise _Wrong(problem[1], "expected a header as it stands behind #include: `ship.h` or `<chipmunk/chipmunk.h>`",
                     problem[0], "BSP0304")
    return node.text


def _function_name(key: Key, text: str) -> str:
    """Bespoke declares the functions that a spec names, so they cannot be those of the library."""
    problem = identifiers.check_identifier(text)
    if problem:
        advice = "give the name of a C function"
        if expressions.check_expression(text) is None and not identifiers.is_keyword(text) and not text.isidentifier():
            advice += "; an expression must be put into one"
        if key.path.startswith("allocator.") and text in ("malloc", "calloc", "realloc", "free"):
            advice = "malloc, realloc and free of the library are what is called where there is no `allocator`: leave it out, or give functions of your own"
        raise _Wrong(f"'{shown(text)}' cannot name a function: {problem}", advice, code="BSP0301")
    return text


def _function(key: Key, node: Scalar) -> str:
    return _function_name(key, node.text)


def _prefix(key: Key, node: Scalar) -> str:
    if node.text == "":
        return ""
    problem = identifiers.check_identifier(node.text + "x", library=False)
    if problem:
        raise _Wrong(f"'{shown(node.text)}' cannot be a prefix: {problem}", "expected a prefix such as `eng_`",
                     code="BSP0301")
    return node.text


def _macro(key: Key, node: Scalar) -> str:
    problem = identifiers.check_identifier(node.text, library=False)
    if problem:
        raise _Wrong(f"'{shown(node.text)}' cannot be '{key.path}': {problem}", f"expected the name of a macro, such as `{key.example}`",
                     code="BSP0301")
    return node.text


def _field(key: Key, node: Scalar) -> str:
    for part in node.text.split("."):
        problem = identifiers.check_identifier(part, library=False)
        if problem:
            raise _Wrong(f"'{shown(node.text)}' cannot be a member: {problem}",
                         "expected the name of a member, or a path such as `links.slot`", code="BSP0301")
    return node.text


def _through_pointers(text: str, names_of: Tuple[str, ...], begin: int = 0) -> None:
    """Elements are pointers in what a spec says of them."""
    for name, offset in expressions.identifiers(text):
        dot = re.compile(r"\s*\.").match(text, offset + len(name))
        if dot and name in names_of:
            raise _Wrong(f"'{name}' is a pointer", f"its members are behind an arrow: `{name}->{text[dot.end():].split()[0]}`",
                         begin + dot.end() - 1, "BSP0302")


def _callable(key: Key, node: Scalar) -> Callable_:
    text = node.text
    if text == "element":
        raise _Wrong("'element' alone is the address of the element",
                     f"look into it, as in `{key.example}`, or at it, with `*element`", code="BSP0302")
    if text.isidentifier() and text not in ("true", "false"):
        return Callable_(_function_name(key, text))
    problem = expressions.check_expression(text)
    if problem:
        raise _Wrong(problem[1], f"expected one C expression over `element`, such as `{key.example}`, or the name of "
                     "a function", problem[0], "BSP0302")
    if not any(name == "element" for name, _ in expressions.identifiers(text)):
        raise _Wrong("this expression does not look at 'element'",
                     f"`element` points to the element that is asked about: `{key.example}`", code="BSP0302")
    _through_pointers(text, ("element",))
    return Callable_(text)


def _comparison(key: Key, node: Scalar) -> Callable_:
    text = node.text
    if text.isidentifier() and text not in ("true", "false", "a", "b"):
        return Callable_(_function_name(key, text))
    problem = expressions.check_expression(text)
    if problem:
        raise _Wrong(problem[1], f"expected one C expression over `a` and `b`, such as `{key.example}`, or the name of "
                     "a function", problem[0], "BSP0302")
    for name in ("a", "b"):
        if not any(found == name for found, _ in expressions.identifiers(text)):
            raise _Wrong(f"this comparison does not look at '{name}'",
                         f"`a` and `b` point to the two elements: `{key.example}`", code="BSP0302")
    _through_pointers(text, ("a", "b"))
    return Callable_(text)


_EQUALS = re.compile(r"(?<![=!<>+\-*/%&|^])=(?!=)")


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")  # what follows T_, so that words of C will do


def _names(key: Key, node: Any) -> Tuple[str, ...]:
    """A list of names that become constants."""
    from .statuses import STATUSES  # whose constants they stand beside
    found: Dict[str, str] = {}
    wrong: List[_Wrong] = []
    for item in node.items:
        text = item.text if isinstance(item, Scalar) else None
        problem = "a name is missing" if text is None else None if _NAME.fullmatch(text) else \
            identifiers.check_identifier(text, library=False) or "it must begin with a letter"
        shouted = identifiers.shout(text or "")
        if not problem and (shouted in STATUSES or shouted in ("LAYERS", "LAYER", "MAX", "NONE", "EACH", "CLOSES")
                            or shouted.startswith(("EACH_", "LAYER_"))):
            problem = f"the container has a constant T_{shouted} of its own"
        if not problem and shouted in found:
            problem = "it is named twice" if found[shouted] == text else f"it gives the same constant as '{found[shouted]}'"
        if problem:
            wrong.append(_Wrong(f"'{shown(text or '')}' cannot name a layer: {problem}", f"such as `{key.example}`", code="BSP0301",
                                span=item.span))
        found.setdefault(shouted, text or "")
    _raise_all(wrong)
    if not found:
        raise _Wrong(f"'{key.path}' is empty", f"such as `{key.example}`", code="BSP0104")
    if len(found) > 64:
        raise _Wrong(f"{len(found)} layers are too many", "at most 64")
    return tuple(found.values())


def _members(key: Key, node: Sequence) -> Tuple[str, ...]:
    """A list of members of the element."""
    found: List[str] = []
    wrong: List[_Wrong] = []
    for item in node.items:
        text = item.text if isinstance(item, Scalar) else None
        problem = "a name is missing" if text is None else "it is named twice" if text in found else \
            identifiers.check_identifier(text, library=False)
        if problem:
            wrong.append(_Wrong(f"'{shown(text or '')}' cannot be a member here: {problem}", f"such as `{key.example}`", code="BSP0301",
                                span=item.span))
        found.append(text or "")
    if not found:
        raise _Wrong(f"'{key.path}' is empty", f"such as `{key.example}`", code="BSP0104")
    _raise_all(wrong)
    names_ = Names(found)
    names_.spans = tuple(item.span for item in node.items)
    return names_


def _operations(key: Key, node: Sequence) -> Tuple[str, ...]:
    """A list of operations; which there are depends on the container."""
    found: List[str] = []
    wrong: List[_Wrong] = []
    for item in node.items:
        text = item.text if isinstance(item, Scalar) else None
        problem = "a name is missing" if not text else "it is named twice" if text in found else \
            None if _NAME.fullmatch(text) else "it must begin with a letter and go on with letters, digits and '_'"
        if problem:
            wrong.append(_Wrong(f"'{shown(text or '')}' cannot be an operation here: {problem}", f"such as `{key.example}`",
                                span=item.span))
        found.append(text or "")
    if not found:
        raise _Wrong(f"'{key.path}' is empty", f"such as `{key.example}`", code="BSP0104")
    _raise_all(wrong)
    names_ = Names(found)
    names_.spans = tuple(item.span for item in node.items)
    return names_


def _statement(key: Key, node: Scalar) -> str:
    equals = _EQUALS.search(node.text)
    if not equals:
        raise _Wrong(f"'{key.path}' takes an assignment, not '{shown(node.text)}'", f"such as `{key.example}`",
                     code="BSP0302")
    for start, end in ((0, equals.start()), (equals.end(), len(node.text))):
        part = node.text[start:end]
        problem = expressions.check_expression(part.strip())
        if problem:
            raise _Wrong(problem[1], f"expected one assignment, such as `{key.example}`",
                         start + len(part) - len(part.lstrip()) + problem[0], "BSP0302")
    if not any(name == "element" for name, _ in expressions.identifiers(node.text[:equals.start()].strip())):
        raise _Wrong("this assignment does not change 'element'", f"such as `{key.example}`", code="BSP0302")
    _through_pointers(node.text[:equals.start()].rstrip(), ("element",))
    return node.text.strip()


def _lines(key: Key, node: Scalar) -> str:
    """Lines of a comment, each without what C would not leave in one."""
    lines = [line.rstrip() for line in node.text.replace("\r\n", "\n").rstrip("\n").split("\n")]
    at = 0
    for line in lines:
        bad = next((i for i, c in enumerate(line) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")), None)
        if bad is not None:
            raise _Wrong(f"'{key.path}' must be lines of plain text", "no tabs and no control characters", at + bad)
        for part in ("*/", "/*", "??/", "@bespoke"):
            if part in line:
                raise _Wrong(f"'{part}' would be read as the end of the banner" if part == "@bespoke" else
                             f"'{part}' would end or open a C comment", f"leave '{part}' out", at + line.index(part))
        if line.endswith("\\"):
            raise _Wrong("a backslash at the end would join two lines of C", "leave it out", at + len(line) - 1)
        at += len(line) + 1
    return "\n".join(lines)


def _fields(key: Key, node: Mapping) -> Fields:
    found: List[Field] = []
    bad: List[_Wrong] = []
    for name, value in node.entries:
        try:
            found.append(_member(name, value))
        except _Wrong as wrong:
            bad.append(wrong)
    _raise_all(bad)
    return Fields(found)


def _member(name: Scalar, value: Any) -> Field:
    """One member of `element.fields`."""
    problem = identifiers.check_identifier(name.text, library=False)
    if problem is None and name.text.endswith("_"):
        problem = "names that end with '_' are the container's own"
    if problem:
        raise _Wrong(f"'{shown(name.text)}' cannot be a member: {problem}", "expected the name of a member",
                     code="BSP0301", span=name.span)
    if not isinstance(value, Scalar) or value.is_missing or value.value is None and value.plain:
        raise _Wrong(f"member '{name.text}' has no type" if isinstance(value, Scalar) else
                     f"member '{name.text}' takes a C type, not {shape(value)}", f"such as `{name.text}: float`",
                     code="BSP0104", span=value.span)
    dimensions = re.search(r"(\[[^][]+\]\s*)+$", value.text)  # an array may be among the members without a column
    wrong = expressions.check_type(value.text[:dimensions.start()].strip() if dimensions else value.text)
    for size in re.finditer(r"\[([^][]+)\]", dimensions.group()) if dimensions and not wrong else ():
        wrong = expressions.check_expression(size.group(1))
        if wrong:
            wrong = (dimensions.start() + size.start(1) + (wrong[0] or 0), wrong[1])
            break
    if wrong:
        raise _Wrong(f"member '{name.text}': {wrong[1]}", _unqualified(value.text, wrong[0])
                     or "expected a C type such as `float` or `struct ship *`", code="BSP0303", span=_inside(value, wrong[0]))
    return Field(name.text, " ".join(value.text.split()), name.span)


KINDS = {
    "choice": _choice, "flag": _flag, "count": _count, "bits": _bits, "chunk": _chunk,
    "percent": _percent, "growth": _growth, "duration": _duration, "type": _type, "header": _header, "function": _function, "prefix": _prefix, "macro": _macro,
    "field": _field, "names": _names, "callable": _callable, "comparison": _comparison, "statement": _statement, "lines": _lines,
    "fields": _fields, "members": _members, "operations": _operations,
}

MAPPINGS = ("fields",)  # kinds that take a mapping
LISTS = ("names", "members", "operations")  # and a list
STRUCTURED = MAPPINGS + LISTS  # and those that take more than one word


# -- the walk over the nodes of a spec -------------------------------------------------------------------------------

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|\+\+|--|->|::|/[/*]|[-+*/%&|^<>=!]=|&&|\|\|")


def _inside(node: Scalar, at: Optional[int]) -> Span:
    """Where in the file the word stands that begins at an offset of a scalar's text; else all of the scalar."""
    span, text = node.span, getattr(node, "text", "")
    if at is None or not text:
        return span
    written = span.source.line(span.line)[span.column - 1:span.column - 1 + span.length]
    if written != text:
        if written[1:-1] != text:
            return span  # it has escapes, or goes over several lines
        span = span.part(1, max(1, len(text)))
    word = _TOKEN.match(text, at)
    return span.part(at, word.end() - at if word else 1)


class Settings(Dict[str, Setting]):
    """Settings by path, and the paths about which the reader complained: nothing more is said about those."""

    def __init__(self) -> None:
        super().__init__()
        self.spoilt: Set[str] = set()

    def take(self, other: "Settings") -> None:
        self.update(other)
        self.spoilt |= other.spoilt


def read_settings(node: Mapping, diagnostics: Diagnostics, origin: str = "spec", prefix: str = "",
                  skip: Tuple[str, ...] = (), where: str = "") -> Settings:
    """Reads a mapping of keys into settings by path; what is wrong goes to diagnostics, the rest is returned."""
    settings = Settings()
    known = members(prefix)
    for key_node, value in node.entries:
        name = key_node.text
        path = f"{prefix}.{name}" if prefix else name
        if not prefix and name in skip:
            continue
        if name not in known:
            near = _unknown_key(key_node, name, prefix, known, skip, diagnostics)
            settings.spoilt |= _below(f"{prefix}.{near}" if prefix and near else near or prefix or "?")
            continue
        key = known[name]
        if key is None:  # a group
            short = short_key(path)
            if isinstance(value, Mapping):
                if not value.entries:
                    diagnostics.error("BSP0104", f"'{path}' is empty", value.span,
                                      help=f"its keys are: {', '.join(members(path))}")
                    settings.spoilt |= _below(path)
                settings.take(read_settings(value, diagnostics, origin, path, where=where))
            elif short is not None and isinstance(value, _node_of(short)) and not getattr(value, "is_missing", False):
                _read_value(short, value, settings, diagnostics, origin, where)
            elif isinstance(value, Scalar) and value.is_missing:
                diagnostics.error("BSP0102", f"'{path}' has no value", value.span,
                                  help=(short and _expected(short)) or f"its keys are: {', '.join(members(path))}")
                settings.spoilt |= _below(path)
            else:
                wants = "a mapping" + (f" or a value for '{short.path}'" if short else "")
                diagnostics.error("BSP0104", f"'{path}' takes {wants}, not {shape(value)}", value.span,
                                  help=f"its keys are: {', '.join(members(path))}")
                settings.spoilt |= _below(path)
        elif isinstance(value, _node_of(key)) and (not isinstance(value, Mapping) or value.entries):
            _read_value(key, value, settings, diagnostics, origin, where)
        elif key.kind in MAPPINGS:
            diagnostics.error("BSP0104", f"'{path}' takes a mapping, not "
                              + ("an empty one" if isinstance(value, Mapping) else shape(value)), value.span,
                              help=_expected(key) or None)
            settings.spoilt.add(path)
        else:
            wants = "a list of names" if key.kind in LISTS else "one value"
            diagnostics.error("BSP0104", f"'{path}' takes {wants}, not {shape(value)}", value.span,
                              help=_expected(key) or None)
            settings.spoilt.add(path)
    return settings


def _node_of(key: Key) -> type:
    return Sequence if key.kind in LISTS else Mapping if key.kind in MAPPINGS else Scalar


def _below(path: str) -> Set[str]:
    """A path and all keys below it."""
    return {path} | {key.path for key in KEYS if key.path.startswith(path + ".")}


def shape(node: Any) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return "nothing" if node.is_missing else f"'{shown(node.text)}'"


def _unknown_key(key_node: Scalar, name: str, prefix: str, known: Dict[str, Any], skip: Tuple[str, ...],
                 diagnostics: Diagnostics) -> Optional[str]:
    """Reports a key; gives the one that was probably meant."""
    near = did_you_mean(name, list(known) + list(skip))
    where = f" in '{prefix}'" if prefix else ""
    advice = f"known{where or ' here'}: " + ", ".join(list(skip) + list(known))
    if name in BY_PATH:
        near = None
        advice = f"write it in its group: {in_yaml(name, BY_PATH[name].example or '...')}"
    elif name == "preset" and not prefix:
        near = None
        advice = "a preset is named by each container, and by a preset that builds on it"
    elif near and _plainly(name, near):
        advice = f"did you mean '{near}'?"
    else:
        values = [key for key in KEYS if name in key.values and (not prefix or key.path.startswith(prefix + "."))]
        keys = [key for key in KEYS if name in key.path.split(".")[1:]]
        if values:
            near = None
            advice = "it is a value: " + " or ".join(in_yaml(key.path, name) for key in values[:3])
        elif keys:
            near = None
            advice = "it stands in another group: " \
                + " or ".join(dict.fromkeys(in_yaml(key.path, key.example or "...") for key in keys[:3]))
        elif near:
            advice = f"did you mean '{near}'? " + advice
    diagnostics.error("BSP0101", f"unknown key '{shown(name)}'{where}", key_node.span, help=advice)
    return near


def _plainly(word: str, near: str) -> bool:
    """Is it only a slip of the keyboard?"""
    return difflib.SequenceMatcher(None, word.lower(), near.lower()).ratio() > 0.75


def _read_value(key: Key, node: Any, settings: Settings, diagnostics: Diagnostics, origin: str, where: str) -> None:
    if isinstance(node, Scalar) and node.value is None and node.plain:
        message = f"'{key.path}' has no value" if node.is_missing else f"'{key.path}' cannot be '{node.text}'"
        diagnostics.error("BSP0102", message, node.span, help=_expected(key) or "give one, or leave the key out")
        settings.spoilt.add(key.path)
        return
    try:
        value = KINDS[key.kind](key, node)
    except _Wrong as first:
        for wrong in [first] + first.others:
            diagnostics.error(wrong.code, wrong.message, wrong.span or _inside(node, wrong.at), help=wrong.help or None)
        settings.spoilt.add(key.path)
        return
    settings[key.path] = Setting(value, origin, node.span, where)


def _expected(key: Key) -> str:
    if key.values:
        return "expected one of: " + ", ".join(key.values)
    return f"such as {in_yaml(key.path, key.example)}" if key.example else ""


def parse_default(path: str) -> Any:
    """The value of a key's default as a spec would give it."""
    key = BY_PATH[path]
    if key.kind == "duration" and isinstance(key.default, str):
        amount, unit = key.default.split()
        return Duration(float(amount), unit)
    return key.default


FUNCTIONS = ("hooks.add", "hooks.remove", "hooks.destroy", "hooks.update", "hooks.move", "removal.expired",
             "identity.key", "sort.key", "sort.less", "allocator.alloc", "allocator.realloc", "allocator.free")
