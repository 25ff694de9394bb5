"""The language, as one table.

Every key of a container stands here once: what it takes, what it means, its default. From this table come the
validation of a spec, the JSON Schema for editors, the reference page and the starter specs of `bespoke new`.
Which values may stand together is not said here but in `rules.py`.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

from .policies import POLICIES, STORAGES, having
from .model import Duration

VERSION = 1
MAPPINGS = ("fields",)  # kinds that take a mapping
LISTS = ("names", "members", "operations")  # and a list
STRUCTURED = MAPPINGS + LISTS  # and those that take more than one word


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
        {**_ORDERS, "layered": "Layer by layer: each of `layers` is a container of its own, which all other keys speak of. "
                               "Taken where `layers` are named."},
        default="insertion", role="contract"),
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
    Key("emit.cplusplus", "flag", "The header has a section for C++17: range-for loops over the container, and its copies are refused. "
        "Without it the header is valid C++17, too. All containers of a spec agree.", default=False, role="emission"),
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


def parse_default(path: str) -> Any:
    """The value of a key's default as a spec would give it."""
    key = BY_PATH[path]
    if key.kind == "duration" and isinstance(key.default, str):
        amount, unit = key.default.split()
        return Duration(float(amount), unit)
    return key.default


FUNCTIONS = ("hooks.add", "hooks.remove", "hooks.destroy", "hooks.update", "hooks.move", "removal.expired",
             "identity.key", "sort.key", "sort.less", "allocator.alloc", "allocator.realloc", "allocator.free")
