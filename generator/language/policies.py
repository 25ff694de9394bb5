"""How elements are removed: the removal policies, and the arrangements of slots that implement them.

A `Policy` is what a spec selects. It says when an element is removed, and names an arrangement for each kind of storage.
An `Arrangement` is how the slots are kept: which template parts print it, what it keeps of the
contract, what its calls cost. The table of keys, the rules and the plan all read both from here.
"""

from typing import Any, Dict, FrozenSet, Iterator, Mapping, NamedTuple, Tuple

from .costs import COMPACTS, CONSTANT, Case, Cost, linear


def _set(*values: str) -> FrozenSet[str]:
    return frozenset(values)


_ANY_ORDER = _set("unordered", "insertion")
_ANY_INDEX = _set("none", "hash", "intrusive", "dense")
_ANY_HANDLES = _set("none", "index", "generational")
_MOVES = {"addresses": "it moves elements"}
_LOCKS = _set("immediate", "locked")  # slots need not keep their element
_AT_ONCE = {"removal.when": "slots must keep their element until the journal is applied"}
_FORWARD = {"iteration.direction": "a pass scans the slots from the first to the last"}
_BITS = {"ordering": "bits lie in the order of their numbers",
         "index.kind": "an element is found by its number already",
         "handles.kind": "a number that is added again is the same number",
         "removal.when": "a pass goes on behind the number that it has visited last, whatever changes",
         "iteration.removes": "a pass goes on behind the number that it has visited last, whatever is removed",
         "iteration.adds": "a pass goes by numbers and keeps no record of what was added",
         "layout": "a number has no members"}
FREE = _set("unordered", "heap")  # in no order: an element may have any slot
_ROW = _set("unordered", "insertion", "sorted", "explicit")  # where an element can be inserted between others
_EITHER_WAY = _set("forward", "backward", "both")
_LINKED = _ROW | {"tree"}
_MEMBERS = _LINKED | {"heap"}  # where elements can hold further links
_FOLLOWED = {"layout": "a loop over a column would not follow the links"}
_RUNS = {"storage.kind": "elements move in spans, which are contiguous only in one array"}


class Arrangement(NamedTuple):
    """One way to keep slots, and what it keeps of the contract: the values of other axes that it works with, and why
    it does not with the rest."""

    part: str  # templates/parts/removal/<part>.j2
    passes: str  # templates/parts/passes/<passes>.j2: what must be known of a live pass
    cost: Cost  # of a removal whose slot is known
    moves: str  # what it does to the addresses of other elements held by value
    per_pass: str = ""  # and where the container knows of live passes
    range_moves: str = ""  # what the removal of several does to them
    ordering: FrozenSet[str] = _ANY_ORDER
    index: FrozenSet[str] = _set("none")
    handles: FrozenSet[str] = _set("none")
    when: FrozenSet[str] = _set("immediate")
    addresses: FrozenSet[str] = _set("moving")  # of elements held by value
    direction: FrozenSet[str] = _EITHER_WAY  # of passes
    by: FrozenSet[str] = _set("value", "pointer")
    adds: FrozenSet[str] = _set("visited", "next", "deferred")
    removes: FrozenSet[str] = _set("current", "any", "none")  # while a pass is live
    inline: bool = True
    soa: bool = True  # the members of its elements can lie in columns of their own
    why: Dict[str, str] = {}
    # What it makes of the slots.
    bitmap: bool = False  # live slots are told by a bitmap; else they are the first ones
    gap: bool = False  # but for one gap, while a pass is live
    dead: bool = False  # slots of elements that left stay behind, until they are squeezed out
    direct: bool = False  # the key of an element is its slot
    spread: bool = False  # slots are those of the chunks that have elements, and of no other
    reorders: bool = False  # a removal moves an element past others
    renumbers: bool = False  # elements change their slots, so handles need a number of their own
    closes_up: bool = False  # a removal moves all elements behind it
    wraps: bool = False  # the elements continue at slot 0 after the last slot of the array
    linked: bool = False  # links tie the elements together; they do not follow from the numbers of slots
    members: bool = False  # and are members of the elements
    lone_pass: bool = True  # one cursor that removes only what it stands on needs no record in the container

    @property
    def tightens(self) -> bool:
        """Is there storage to tighten when no pass is live?"""
        return self.gap or self.dead


ARRANGEMENTS: Dict[str, Arrangement] = {
    "shift": Arrangement(
        "shift", "tracked", linear("shifts the elements after it"), "the removed element and those after it",
        range_moves="the removed elements and those after them",
        ordering=_ROW, closes_up=True, when=_LOCKS,
        why={**_MOVES, **_AT_ONCE, **_RUNS, "index.kind": "every removal would renumber all elements after it",
             "handles.kind": "every removal would update the handles of all elements after it"}),
    "swap": Arrangement(
        "swap", "tracked", CONSTANT, "the removed and the last element", per_pass=", and one more per live pass",
        ordering=FREE, index=_ANY_INDEX, handles=_ANY_HANDLES, when=_LOCKS, reorders=True, renumbers=True,
        why={**_MOVES, **_AT_ONCE, "ordering": "the last element fills the vacated slot"}),
    "gap": Arrangement(
        "gap", "tracked", Cost(cases=(Case(" for what the only live pass stands on, else O(n)", "n"),), amortised=True),
        "all elements, until the gap is closed", range_moves="all elements, until the gap is closed", gap=True, ordering=_ROW,
        when=_LOCKS,
        removes=_set("current", "any"),
        why={**_MOVES, **_AT_ONCE, **_RUNS, "iteration.removes": "it closes its gap when the last pass ends, and fail-fast "
                                                                 "passes leave no record",
             "index.kind": "every pass would renumber the elements that it shifts",
             "handles.kind": "every pass would update the handles of the elements that it shifts"}),
    "ring": Arrangement(
        "ring", "tracked", Cost(cases=(Case(" at either end, else O(n): shifts the shorter side", "n"),)),
        "the removed element and those on the shorter side",
        range_moves="the removed elements and those on the shorter side",
        ordering=_set("fifo"), soa=False, wraps=True,
        why={**_MOVES, **_AT_ONCE, "ordering": "a ring keeps its elements in the order in which they are removed at its ends",
             "index.kind": "a removal between the ends would renumber the elements on one side of it",
             "handles.kind": "a removal between the ends would update the handles of the elements on one side of it",
             "storage.kind": "a ring wraps around at the end of one array",
             "layout": "each column would wrap around, and a loop over a column needs it in one piece"}),
    "tombstone": Arrangement(
        "tombstone", "bits", COMPACTS,
        "the removed element; all elements, if it compacts (no pass is live)",
        index=_ANY_INDEX, handles=_ANY_HANDLES, when=_set("immediate", "deferred", "locked"), inline=False,
        bitmap=True, dead=True, renumbers=True, lone_pass=False, direction=_set("forward"),
        why={**_MOVES, **_FORWARD, "ordering": "slots are filled in insertion order",
             "capacity.inline": "tombstones take slots beside `capacity.max` elements"}),
    "reuse": Arrangement(
        "reuse", "remaining", CONSTANT, "the removed element",
        ordering=FREE, index=_ANY_INDEX, handles=_ANY_HANDLES, when=_LOCKS,
        addresses=_set("moving", "stable"), bitmap=True, lone_pass=False, direction=_set("forward"),
        why={**_AT_ONCE, **_FORWARD, "ordering": "an add fills any free slot"}),
    "bit": Arrangement(
        "bit", "bits", CONSTANT, "nothing", by=_set("bit"), ordering=_set("sorted"), adds=_set("visited"),
        removes=_set("any", "none"), soa=False, bitmap=True, lone_pass=False,
        why=_BITS),
    "spread": Arrangement(
        "spread", "spread", Cost("log n"), "nothing", by=_set("bit"), ordering=_set("sorted"), adds=_set("visited"),
        removes=_set("any", "none"), inline=False, soa=False, bitmap=True, lone_pass=False, spread=True,
        why=_BITS),
    "direct": Arrangement(
        "direct", "bits", CONSTANT, "the removed element", ordering=_set("sorted"), index=_set("direct"), adds=_set("visited"),
        soa=False, bitmap=True, direct=True, lone_pass=False,
        why={**_AT_ONCE,
             "ordering": "elements lie in the order of their keys",
             "addresses": "it moves elements when it grows",
             "index.kind": "the key of an element is its slot",
             "handles.kind": "the key of an element names it already",
             "iteration.adds": "a pass goes by keys and keeps no record of what was added",
             "layout": "elements lie in one array, by their keys"}),
    "unlink": Arrangement(
        "unlink", "linked", CONSTANT, "the removed element",
        ordering=_LINKED, index=_ANY_INDEX, handles=_ANY_HANDLES, when=_LOCKS,
        addresses=_set("moving", "stable"), soa=False, bitmap=True, linked=True, lone_pass=False,
        why={**_AT_ONCE, **_FOLLOWED}),
    "members": Arrangement(
        "unlink", "linked", CONSTANT, "nothing", by=_set("intrusive"), adds=_set("visited", "next"), inline=False,
        ordering=_MEMBERS, soa=False, linked=True, members=True, lone_pass=False,
        why={"removal.when": "the element cannot store a pending change",
             "index.kind": "the owner member of the element identifies its container",
             "handles.kind": "there are no slots to number",
             "capacity.inline": "the elements live elsewhere", **_FOLLOWED}),
}

# Why no other arrangement keeps a value.
WHY_ONLY: Dict[Tuple[str, str], str] = {
    ("ordering", "fifo"): "only a ring adds and removes at its ends without moving the other elements",
    ("ordering", "heap"): "a heap knows its elements by slots, which keep no order of their own, or by members of theirs",
    ("ordering", "tree"): "only links lead from a parent to its children",
}

# Why an arrangement does not keep a value, where it says nothing itself.
WHY: Dict[str, str] = {
    "element.by": "it stores its elements, or pointers to them, in slots",
}


class Storage(NamedTuple):
    """Where the elements are stored: what it is, why Bespoke selects it, what it does not go with."""

    doc: str
    reason: str
    inline: bool = True  # it can lie in the container's struct
    stays: bool = False  # growing moves no element
    why: Dict[str, str] = {}


STORAGES: Dict[str, Storage] = {
    "contiguous": Storage("In one array.", "an array is the fastest to iterate"),
    "chunked": Storage(
        "In chunks of `storage.chunk` slots that never move: growing moves no element, and an element that keeps its "
        "slot keeps its address. With `removal: unlink`, links beside them keep any order. Chunks of numbers that are bits "
        "are only those that have one, side by side, and are searched.",
        "elements must not move when the container grows", inline=False, stays=True,
        why={"capacity.inline": "chunks are allocated one by one"}),
    "linked": Storage(
        "In a linked list: the links are slot indices beside the elements or, with `element: {by: intrusive}`, members "
        "of the elements. Any order can be kept and nothing moves but to grow; iteration is slower than over an array.",
        "links keep any order, and no element moves"),
}


class Policy(NamedTuple):
    """What a spec selects: when an element is removed, and the arrangements in each kind of storage, the best first."""

    doc: str
    arrangements: Dict[str, Tuple[str, ...]]
    expired: str = "no"  # a predicate: 'no', 'may', 'must'
    updates: bool = False  # it has T_update
    sweeps_back: bool = False  # which goes from the last element to the first
    only: Mapping[str, FrozenSet[str]] = {}  # values of axes that it goes with, whatever its arrangements keep
    why: Mapping[str, str] = {}  # and why not with others


_UPDATES: Dict[str, Any] = dict(only={
    "iteration.removes": _set("current", "any"), "removal.when": _set("immediate")}, why={
    "removal.when": "T_update removes expired elements in its pass, and a journal would hold them back",
    "iteration.removes": "T_update removes expired elements in its pass, and a removal ends every fail-fast pass"})

POLICIES: Dict[str, Policy] = {
    "shift": Policy("The elements after it shift down immediately; with `ordering: fifo`, those before it shift up if they are "
                    "fewer.",
                    {"contiguous": ("shift", "ring")}),
    "swap": Policy("The last element fills the vacated slot; every live pass stays exact.",
                   {"contiguous": ("swap",), "chunked": ("swap",)}),
    "compact": Policy("It creates a gap; the span up to the next removed element shifts down in one move, and the rest when the "
                      "pass ends.",
                      {"contiguous": ("gap",)}),
    "prune": Policy("T_update removes expired elements and closes the gaps in the same sweep.",
                    {"contiguous": ("gap",), "linked": ("unlink", "members"), "chunked": ("unlink",)}, expired="must",
                    updates=True, **_UPDATES),
    "back_copy": Policy(
        "T_update visits all elements, from the last to the first, and copies the last one over each expired "
        "element.", {"contiguous": ("swap",), "chunked": ("swap",)}, expired="must", updates=True, sweeps_back=True,
        **_UPDATES),
    "tombstone": Policy(
        "Its slot becomes a tombstone, which every pass skips immediately; the container is compacted when no pass is live and "
        "enough slots are tombstones.", {"contiguous": ("tombstone",), "chunked": ("tombstone",)}, expired="may"),
    "reuse": Policy("The next add may reuse its slot; no element moves.",
                    {"contiguous": ("reuse", "bit", "direct"), "chunked": ("reuse", "spread")}),
    "unlink": Policy("Its neighbours are linked with each other; no element moves.",
                     {"linked": ("unlink", "members"), "chunked": ("unlink",)}),
}


class Strategy(NamedTuple):
    """A policy in one kind of storage, by one arrangement."""

    policy: str
    storage: str
    arrangement: Arrangement

    def allows(self, path: str, value: Any) -> bool:
        """Does it go with this value of another axis?"""
        if path == "storage.kind":
            return value in ("auto", self.storage)
        if path == "indexes":  # each is an index like any other
            return value is None or "hash" in self.arrangement.index or self.arrangement.members
        if path == "layout":
            return value != "soa" or self.arrangement.soa
        if path == "capacity.inline":
            return not value or (self.arrangement.inline and STORAGES[self.storage].inline)
        return value in getattr(self.arrangement, AXES[path]) and value in POLICIES[self.policy].only.get(path, (value,))

    def why(self, path: str) -> str:
        """Why it does not go with other values of an axis, if there is more to say."""
        path = "index.kind" if path == "indexes" else path
        return POLICIES[self.policy].why.get(path) or self.arrangement.why.get(path) or STORAGES[self.storage].why.get(path) \
            or WHY.get(path, "")


# The axes whose values an arrangement must keep, and where it says so.
AXES: Dict[str, str] = {"ordering": "ordering", "index.kind": "index", "handles.kind": "handles",
                        "removal.when": "when", "addresses": "addresses", "iteration.direction": "direction",
                        "element.by": "by", "iteration.adds": "adds", "iteration.removes": "removes"}


def strategies(policy: str = "") -> Iterator[Strategy]:
    """Every policy in every kind of storage, or those of one policy; the best storage first."""
    for name in ([policy] if policy else POLICIES):
        for storage, arrangements in POLICIES[name].arrangements.items():
            for arrangement in arrangements:
                yield Strategy(name, storage, ARRANGEMENTS[arrangement])


def having(**traits: Any) -> Tuple[str, ...]:
    """The policies with these traits, or with an arrangement that has them; a tuple of values means any of them."""
    def has(strategy: Strategy, trait: str, value: Any) -> bool:
        owner = POLICIES[strategy.policy] if hasattr(POLICIES[strategy.policy], trait) else strategy.arrangement
        return getattr(owner, trait) in (value if isinstance(value, tuple) else (value,))
    return tuple(dict.fromkeys(strategy.policy for strategy in strategies()
                               if all(has(strategy, trait, value) for trait, value in traits.items())))
