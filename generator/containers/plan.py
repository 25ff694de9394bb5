"""The decisions: which parts make up a container, its fields, its operations as data.

A plan holds everything that the templates print. They pick nothing: what is here is printed.
"""

import re
import textwrap
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Callable, Dict, FrozenSet, List, Optional, Sequence, Tuple

from ..language import soa as cells
from ..language.model import Container, Field
from ..language.presets import PRESETS
from ..language.rules import allocates, fixed_storage, in_memory, way_of
from ..language.statuses import STATUSES
from ..parts.facts import Axes
from ..parts.policies import POLICIES, Arrangement, Policy
from ..text import naming
from ..text.expressions import identifiers
from ..text.identifiers import BUILT_IN, shout
from ..types.declare import constant, declare, pointer_to

_FELLING = "O(1) for each that leaves, and a look up the tree"  # a removal from a tree
LINKS = ("next", "prev", "owner", "parent", "sibling")  # members of an element that is in a linked container

@dataclass(frozen=True)
class Column:
    """One of the arrays that a container keeps: per slot, per word of 64 slots, or a table."""

    name: str
    type: str
    count: str  # entries for `capacity` slots, as a C expression
    keep: str  # entries that hold something now
    fresh: bool  # entries beyond `keep` must be zero
    doc: str
    fixed: str = ""  # entries in inline storage
    of_element: bool = False  # it holds elements, or parts of them: in chunked storage it lies in the chunks


@dataclass
class Operation:
    """A function that callers see."""

    name: str
    result: str
    params: List[Tuple[str, str]]
    brief: str
    cost: str
    invalidates: str
    body_of: Tuple[str, str]  # (template under operations/, macro)
    inline: bool = False
    statuses: Tuple[str, ...] = ()
    column: str = ""  # the member whose column it gives
    fills: bool = False  # it writes what it is given into a slot, in the header
    body: str = ""
    prototype: str = ""
    definition: str = ""
    comment: str = ""

    @property
    def private(self) -> bool:
        """Only for what is in the header for speed."""
        return self.name.endswith("_")

    @property
    def storage(self) -> str:
        """What a loop takes is a part of it in any case, or its cursor has an address and is in memory. So is an add, or gcc makes
        the element in memory, member by member, and waits for that before it reads it as one piece."""
        of_loop = self.body_of[0] in ("passes", "layers") and (self.params[0][1] == "cursor" or self.name.startswith("begin"))
        return "BESPOKE_INLINE" if of_loop or self.fills else "static inline"


@dataclass
class Plan:
    """All that is printed of one container."""

    container: Container
    parts: Dict[str, str]
    operations: List[Operation]
    facts: Dict[str, Any] = field(default_factory=dict)

    def context(self) -> Dict[str, Any]:
        """What templates know of it."""
        names = {name: naming.Names(self.facts[name]) for name in ("T", "TT", "L", "LL") if name in self.facts}
        facts = self.inner.facts if "inner" in self.facts else self.facts
        return {**self.facts, **names, "parts": Axes(facts)}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["facts"][name]
        except KeyError:
            raise AttributeError(name) from None


@lru_cache(maxsize=4096)
def _wrapped(text: str, width: int) -> Tuple[str, ...]:
    return tuple(textwrap.wrap(text, width))


def wrapped_text(text: str, width: int) -> List[str]:
    """The lines of a text; what fits into one, and what many containers say, costs nothing."""
    if 0 < len(text) <= width and "\n" not in text and "  " not in text and text == text.strip():
        return [text]
    return list(_wrapped(text, width))


def make_plan(container: Container) -> Plan:
    """Decides everything about one container, once: it does not change after it is resolved."""
    if container.plan is None:
        if container.layer is not None:
            from .layers import plan_layers  # builds on the plan of a layer
            container.plan = plan_layers(container, make_plan(container.layer))
        else:
            container.plan = _Planner(container).plan()
    return container.plan


def c_names(container: Container) -> List[str]:
    """Every name at file scope that a container's header declares."""
    plan = make_plan(container)
    t, upper = str(plan.T), str(plan.TT)
    names = [t, f"{t}_status", f"{t}_cursor", f"{t}_pass", f"{t}_change", f"{t}_change_kind", f"{t}_handle", f"{t}_row", f"{t}_misuse_", f"{t}_span", f"{t}_const_span", f"{t}_walk", f"{t}_each", f"{t}_each_backward", f"{upper}_EACH", f"{upper}_EACH_BACKWARD",
             f"{upper}_MAX", f"{upper}_KEYS", f"{upper}_NONE", f"{upper}_PASSES", f"{upper}_MISUSE_", f"{upper}_CHUNK", f"{t}_chunk_data", f"{upper}_ALIGNMENT"]
    names += [f"{t}_{operation.name}" for operation in plan.operations]
    names += [f"{upper}_{status}" for status in STATUSES]
    names += list(map(naming.plain, plan.facts.get("constants", []))) + ([naming.plain(plan.facts["cold"])] if plan.facts.get("cold") else [])
    if container.respelled:  # both the names that are written and those by which they are known
        spelled = [container.function(operation.name) for operation in plan.operations]
        spelled += [container.type_of(name) for name in naming.TYPES]
        names = names[:1] + spelled + [name for name in names[1:] if name not in spelled]
    return names


def declared_as(name: str, container: Container) -> str:
    """What one of these names is."""
    plan = make_plan(container)
    if any(name in (naming.plain(f"{plan.T}_{each}"), container.function(each))
           for each in ("each", "each_backward", *(operation.name for operation in plan.operations))):
        return "function"
    if name in map(naming.plain, (*plan.facts.get("constants", []), *(f"{plan.TT}_{status}" for status in STATUSES))):
        return "constant"
    return "macro" if name.startswith(str(plan.TT) + "_") and name.isupper() else "type"


def finish(T: str, operation: Operation) -> None:
    """The prototype of an operation, for its callers and as it is defined, and the comment above it."""
    def head(kind: Callable[[str], str]) -> str:
        params = ", ".join(declare(kind(ctype) if name == "element" else ctype, name) for ctype, name in operation.params)
        return declare(operation.result, f"{T}_{operation.name}({params})")

    operation.prototype = head(str)
    operation.definition = head(constant) if operation.fills else operation.prototype  # else gcc copies the element once more
    moves = re.sub(r"\Anothing\b", "no element moves", operation.invalidates)
    notes = [operation.cost] + [moves] * (operation.invalidates != "nothing")
    operation.comment = comment(f"{operation.brief} {'; '.join(notes)}.")


def comment(text: str) -> str:
    return "/* " + "\n * ".join(wrapped_text(text, 110)) + " */"


def walk_comment(T: str, example: str, leaves: bool = True) -> str:
    """What stands above the loop of C++. `leaves`: elements may be removed in it."""
    return comment(f"And in C++17: {example}. With a name, auto pass = {T}_each(&list), "
                   + ("it takes pass.remove_current(), and " if leaves else "")
                   + "a second loop over it goes on where the first was left.")


def without_others(T: str, TT: str) -> Dict[str, str]:
    """What is said only where another operation is emitted, too, as a pattern, and which."""
    return {rf"; {TT}_EACH\w* does it for you": "each", rf" \(unless {T}_lock holds it\)": "lock",
            rf" until {T}_update lets go of them": "update",
            rf"(?<=tidying up),\s+until\s+{T}_settle": "settle",
            rf", {T}_remove_current, (?=true|false)": "remove_current"}


def unsaid(text: str, T: str, has: Callable[[str], bool]) -> str:
    """A text without what it says of operations that are not emitted."""
    def stays(piece: str) -> bool:
        return all(map(has, re.findall(rf"\b{T}_(\w+)", piece)))
    sentences = []
    for sentence in re.split(r"(?<=[.]) ", text):
        sentence = re.sub(r", or [^,.]*,", lambda match: match[0] if stays(match[0]) else "", sentence)
        pieces = re.split(r"(?<=[:;]) ", sentence)
        left = [piece for piece in pieces if stays(piece)]
        if left:
            sentences.append(" ".join(left) if left == pieces else re.sub(r"[:;]\Z", ".", " ".join(left)))
    return " ".join(sentences)


def overview(plan: Plan) -> str:
    """The comment at the top of a container's half of a header."""
    if plan.container.layer is not None:
        from .layers import overview_of
        return overview_of(plan)
    return _Planner(plan.container, plan.kept).overview(plan)


def _growth(cost: str) -> Tuple[int, int]:
    """To compare costs: what grows most comes last; of equals, the one that says more."""
    orders = ["1", "log n", "n / 64", "n", "n log n", "n * n"]
    return max(orders.index(order) for order in re.findall(r"O\(([^)]*)\)", cost)), len(cost)


def _for_each(cost: str) -> str:
    """The cost of a call that does for several what costs so much for one."""
    return re.sub(r"^O\([^)]*\)( expected)?(,? amortised)?", r"\g<0> for each", cost)


def cost_table(container: Container, operations: List[Operation], others: str) -> List[str]:
    """What each operation costs, and what it does to the addresses (or rows) of others, as lines of text."""
    told = [operation for operation in operations if not operation.name.endswith("_") and not operation.column]
    names = [container.function(operation.name) for operation in told]
    width = max(map(len, names))
    lines = [f"{'operation':<{width}}  {'cost':<34}  what becomes of the others' {others}"]
    for name, operation in zip(names, told):
        cost = wrapped_text(operation.cost, 34)
        moves = wrapped_text(operation.invalidates, 56)
        for i in range(max(len(cost), len(moves))):
            lines.append(f"{name if i == 0 else '':<{width}}  {cost[i] if i < len(cost) else '':<34}  {moves[i] if i < len(moves) else ''}".rstrip())
    return lines


@dataclass(frozen=True)
class _Costs:
    """What the operations of a container share: parameters, costs, what becomes of references, and what they may say."""

    status: str
    me: Tuple[str, str]
    const_me: Tuple[str, str]
    reading: Tuple[str, str]  # the container, where an element of it is handed out
    cursor: Tuple[str, str]
    moves: bool  # are elements copied when it grows?
    all_move: str
    finding: str
    grow_cost: str
    grow_moves: str
    waits_or_moves: str
    add_cost: str
    leave_cost: str  # of one that is found
    remove_cost: str
    remove_moves: str
    full: Tuple[str, ...]
    busy: Tuple[str, ...]
    memory: Tuple[str, ...]
    queued: Tuple[str, ...]
    all_statuses: Tuple[str, ...]  # of an add


class _Planner:
    def __init__(self, container: Container, kept: Optional[FrozenSet[str]] = None):
        """`kept`: the operations that are emitted, where they are not all."""
        self.c = container
        c = container
        self.kept = kept
        self.policy: Policy = POLICIES[c["removal.policy"]]
        self.slots: Arrangement = way_of(c).arrangement
        self.intrusive = c["element.by"] == "intrusive"  # elements hold their own links
        self.by_value = c["element.by"] == "value"
        self.by_pointer = not self.by_value
        self.deferred = c["removal.when"] == "deferred"
        self.unique = c["duplicates"] != "allow"
        self.replaces = c["duplicates"] == "replace"
        self.index: str = c["index.kind"]
        self.handles = c["handles.kind"] != "none"
        self.generational = c["handles.kind"] == "generational"
        self.mapped = self.handles and self.slots.renumbers  # a handle is no slot, but leads to one
        self.keyed = c["identity.by"] in ("key", "value")
        self.addressed = self.by_value and not self.keyed  # an element is where its address says
        self.limit: Optional[int] = c["capacity.max"]
        self.inline_storage: bool = c["capacity.inline"]
        self.chunk: Optional[int] = c["storage.chunk"] if c["storage.kind"] == "chunked" else None
        self.fixed_storage = fixed_storage(c)
        # May an element go to another container? Not if its address or handle is promised, a journal holds its place, or others
        # hang below it.
        self.transfers = not self.fixed_storage and not self.handles and c["ordering"] != "tree" and not (self.deferred and self.index == "intrusive")
        self.bitmap = self.slots.bitmap
        self.dense = not self.slots.bitmap and not self.slots.linked
        self.linked = self.slots.linked
        self.doubly = self.linked and c["storage.links"] == "double"
        # Does an element that is not in say whether it is in another container? Not where it may wait for one.
        self.told_apart = self.intrusive or (self.index == "intrusive" and not self.deferred)
        self.allocates = in_memory(c)
        self.growth = int(round(c["capacity.growth"] * 100)) - 100  # per cent that a full container grows by
        # Must a pass know where it ends? What waits until all passes are over is ahead of none; but hooks run while it comes in.
        self.bounded = c["iteration.adds"] == "next" or (
            c["iteration.adds"] == "deferred" and any(c[f"hooks.{name}"] for name in ("add", "remove", "destroy", "move")))
        self.direction: str = c["iteration.direction"]
        # Sorted at once, sorted when a pass begins, or where the caller says; else what is added comes last.
        self.order = {"sorted": "sorted" if c["sort.when"] == "insert" else "resorted", "explicit": "placed", "tree": "branched"}.get(
            c["ordering"], "appended")
        self.tree = self.order == "branched"
        self.explicit = self.order in ("placed", "branched")
        self.inserts = self.explicit or self.order == "sorted"
        # T_add puts elements in by itself: it is what is called most, and often all that does.
        self.adds_itself = not self.deferred and not self.replaces and not self.inserts
        self.finds_key = self.keyed and not self.intrusive and self.index != "intrusive"
        self.finds_by_order = self.order == "sorted" and self.dense and c["layout"] == "aos" and self._sorted_by_identity() != ""
        # What a dense pass must know: how many elements are to come from the back, the place it visits next going
        # forward, the place where it ends. A container whose order counts hands its elements on from the first to
        # the last, whichever way its passes go.
        self.backs = self.direction != "forward" or self.policy.sweeps_back
        self.ahead = self.direction != "backward" or not self.bounded or c["ordering"] != "unordered" \
            or self.linked or (c["removal.expired"] is not None and not self.slots.reorders)
        self.ends = self.bounded and self.ahead
        self.hooks = {name: c[f"hooks.{name}"] for name in ("add", "remove", "destroy", "update", "move")}
        # Do hooks hear of each element that leaves? A clear takes them out one by one then.
        self.one_by_one = self.hooks["remove"] is not None or self.hooks["destroy"] is not None
        self.T = naming.Name(c.full_name)
        self.TT = naming.Name(shout(self.T), constant=True)
        self.E: str = c["element.type"] or f"{self.T}_row"
        self.rows = c["layout"] == "soa"  # members lie in columns of their own
        self.fields: Sequence[cells.Member] = cells.members(c)
        self.lanes: Sequence[Field] = cells.lanes(c) if self.rows else ()  # the columns of them
        self.cold = cells.cold_type(c) if self.rows and c["element.hot"] is not None else None  # what the others lie in together
        self.item = pointer_to(self.E) if self.by_pointer else self.E
        self.ref = "size_t" if self.rows else pointer_to(self.E)
        self.nil = f"{self.TT}_NONE" if self.rows else "NULL"
        # An element that is looked for: by what a caller has in hand.
        self.sought = ("size_t", "row") if self.rows else (pointer_to(constant(self.E)), "element")
        self.passes = self._passes()
        # Where slots are used again: the bits that each has for what live passes, and a clear with hooks, have still to visit.
        self.stride = (c["iteration.passes"] or 1) + self.one_by_one
        self.expired = c["removal.expired"]
        self.sweeps = self.slots.dead and self.expired is not None
        # What is found at once where it is in is found at once where it waits in the journal, too.
        self.notes = self.deferred and self.index != "none"
        # Must squeezes wait while hooks of a clear or sweep run?
        self.holds = self.slots.dead and (self.one_by_one or self.sweeps)
        # The loop's macro takes elements by runs, in which compilers can keep everything in registers.
        # Whether an element has expired can be asked there if the header knows its members, and needs nobody to be called.
        told = self.expired is not None and not self.expired.is_function and not self.rows and c["element.defined_in"] is None
        self.runs = not (self.linked or self.backs) and (self.expired is None or told)
        # A run of places in one array, or chunk, needs no look at the container for where its elements lie.
        self.points = self.runs and self.passes in ("single", "tracked") and not self.rows
        # Does memory with the elements of a word of bits move, of which a run keeps the address?
        self.lane_moves = self.runs and self.passes in ("bits", "remaining") and not (self.rows or self.inline_storage)
        self.tracked = self.passes == "tracked"
        # Does an add only write into the next slot while there is room? The header does that then.
        self.adds_at_once = self.by_value and not self.rows and not (self.deferred or self.unique or self.handles or self.slots.linked) \
            and self.index == "none" and self.order == "appended" and self.hooks["add"] is None \
            and (self.dense or self.slots.dead) and not self.inline_storage
        self.emplaces = self.by_value and not (self.deferred or self.unique) and self.index == "none" and self.hooks["add"] is None \
            and self.order != "sorted"
        # Else, is the new slot opened by a call, and written to in the header?
        self.opens = self.emplaces and not self.adds_at_once
        # Do two blocks change hands, where all elements go over to an empty container?
        self.splices = self.transfers and self.allocates and self.hooks["add"] is None and self.hooks["remove"] is None \
            and not self.policy.updates
        # Are elements refused for more than want of room: those that come over from a container, and those that come from elsewhere?
        self.refuses_moving = self.unique and (not self.replaces or self.by_pointer) or self.index == "intrusive" or self.intrusive \
            or c["index.keys"] is not None
        self.refuses = self.refuses_moving or self.by_pointer
        self.counted = self.passes in ("tracked", "remaining", "linked")  # each live pass has a record in the container
        # What of a cursor says which element it stands on.
        self.stand = ([("uint32_t", "number")] if self.counted else [("size_t", "current")]) \
            + [("uint32_t", "changes" if self.passes == "single" else "serial")]

    def _passes(self) -> str:
        """How live passes are known to the container: as little as keeps the contract."""
        one = self.c["iteration.cursors"] == "one" and self.c["iteration.removes"] == "current"
        # Where the last element fills the hole, two borders of one pass would need a record: see `tracked`.
        crosses = self.slots.reorders and self.backs + self.ahead + self.ends > 1
        if one and self.slots.lone_pass and not self.policy.updates and not crosses \
                and not self.inserts:
            return "single"
        return self.slots.passes

    # -- facts -------------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        c, T, TT = self.c, self.T, self.TT
        hooks, one_by_one = self.hooks, self.one_by_one
        # Elements that go over to another container leave without being destroyed. (A branch always says so.)
        spares = hooks["destroy"] is not None and (self.transfers or self.tree)
        told_key = self.index in ("hash", "dense") and self.bitmap and not (self.tree or self.deferred or one_by_one)
        columns = self._columns()
        storage = "none" if self.intrusive else "inline" if self.inline_storage else "chunked" if self.chunk else "array" if len(columns) == 1 and not self.rows else "block"
        lookup = "owner" if self.intrusive else self.index if self.index != "none" else "ordered" if self.finds_by_order else "scan" if not self.addressed else "row" if self.rows else "chunks" if self.chunk else "address"
        parts = {
            "element": "rows" if self.rows else c["element.by"],
            "removal": self.slots.part,
            "order": self.slots.orders.get(self.order, self.order),
            "passes": self.passes,
            "index": self.index,
            "lookup": lookup,
            "handles": "none" if not self.handles else "mapped" if self.mapped else "slots",
            "storage": storage,
            "links": "members" if self.intrusive else "columns",
            "allocator": c["allocator.kind"],
            "stop": "named" if c["emit.assert"] else "trap" if c["emit.freestanding"] else "standard",
            "when": c["removal.when"],
        }
        shrink = None
        if c["capacity.shrink.below"] is not None and self.allocates:
            after = c["capacity.shrink.after"]
            shrink = {"below": c["capacity.shrink.below"], "seconds": after.unit == "seconds",
                      "after": f"{after.amount:g}" if after.unit == "settles" else f"{float(after.amount)!r}"}
        self.shrink = shrink
        const_element = constant(self.E)
        operations = self._operations()
        statuses = {"OK"}
        for operation in operations:
            statuses.update(operation.statuses)
        stops = [s for s in ("FULL", "NO_MEMORY") if s in statuses]
        granule = self._granule(columns)
        facts: Dict[str, Any] = {
            "T": T, "TT": TT, "E": self.E, "item": self.item, "ref": self.ref, "nil": self.nil, "slot_type": self.ref if self.intrusive else "size_t", "no_slot": "NULL" if self.intrusive else f"{TT}_NONE", "item_pointer": pointer_to(self.item), "const_item_pointer": pointer_to(constant(self.item)),
            "const_element": const_element,
            "by_value": self.by_value, "by_pointer": self.by_pointer, "deferred": self.deferred,
            "bitmap": self.bitmap, "dense": self.dense, "unique": self.unique, "keyed": self.keyed, "addressed": self.addressed, "indexed": self.index != "none",
            "sought": self.sought, "rows": self.rows, "fields": self.fields, "lanes": self.lanes, "cold": self.cold, "cold_members": cells.cold_members(c), "own_members": [field.declare() for field in cells.listed(c) or ()],
            "looked_at": {"key": self._looked_at(c["identity.key"]), "expired": self._looked_at(self.expired),
                          "order": self._looked_at(c["sort.key"] if c["sort.key"] is not None else c["sort.less"])},
            "copies_inline": not all(member.whole for member in self.fields), "own_struct": self.rows and c["element.type"] is None,
            "placed": self.addressed or self.rows,  # an element is named by where it is
            # Is an element looked for that is not in, or not yet?
            "compares": not self.rows or self.unique,
            "spans": not self.linked, "reads_apart": self._reads_apart,  # parts that are only read have a call of their own
            "finds_equal": not self.rows or (self.unique and (not self.deferred or self.index == "hash")),
            "poisons": self.by_value and not (self.rows and (self.bitmap or self.chunk)),
            "clears_chunks": bool(self.chunk) and any(column.fresh for column in columns if column.of_element),
            "tells_new_address": hooks["move"] is not None and not self.rows,
            "others": "rows" if self.rows else "addresses",
            "has_handles": self.handles, "generational": self.generational, "dead_slots": self.slots.dead,
            "counts_held": self.mapped and self.generational and self.slots.dead,  # a function must say how many slots are spoken for
            "id_type": f"uint{c['handles.index_bits']}_t" if self.handles else None, "limit": self.limit, "adds_at_once": self.adds_at_once, "opens": self.opens, "puts": self.transfers or self.explicit or not (self.emplaces or self.adds_itself),
            "puts_last": self.explicit and (self.transfers or not self.emplaces), "inline_storage": self.inline_storage,
            "fixed_storage": self.fixed_storage, "bounded": self.bounded, "tracked": self.tracked,
            "backs": self.backs, "ahead": self.ahead, "ends": self.ends, "both_ways": self.direction == "both",
            "begins_back": self.direction == "backward",
            "begin_update": f"{T}_begin" + ("" if not self.policy.sweeps_back else
                                            {"forward": "_back_", "backward": "", "both": "_backward"}[self.direction]),
            "sweeps_back": self.policy.sweeps_back,
            "begins_back_inside": self.policy.sweeps_back and self.direction == "forward"
            or self.order == "resorted" and self.direction != "forward",
            # add_from goes forward all the same
            "hands_on": self.order == "resorted" and (self.direction != "backward" or any(o.name == "remove_from" for o in operations))
            or self.direction == "backward" and self.ahead
            and any(o.name == "add_from" for o in operations),
            "inserts": self.inserts, "explicit_order": self.explicit, "tree": self.tree, "passes_by": self.expired is not None,
            # A removal by key looks at no element where neither hooks nor a move of one do.
            "told_key": told_key,
            "take_name": "take_one_" if self.tree else "take_out_" if spares else "take_keyed_" if told_key else "take_", "sorts_at_begin": self.order == "resorted",
            "lates": self.linked and self.backs and not self.bounded,
            "place_type": f"struct {T}_site_" if self.tree else self.ref if self.intrusive else "size_t",
            "before_expression": self._before_expression(),
            "loops": self._loops(), "walk_holds": self.by_value and not self.rows, "walk_example": self._walk_example(),
            "walk_comment": walk_comment(T, self._walk_example()), "walk_leave": f"{T}_remove_current", "kept": None,
            "hooks": hooks, "columns": columns, "element_columns": [column for column in columns if column.of_element],
            "block_columns": [column for column in columns if not (self.chunk and column.of_element)],
            "chunk": self.chunk, "granule": granule, "searches_chunks": any(column.name == "by_address" for column in columns),
            "one_by_one": one_by_one, "spares": spares,
            "holds": self.holds, "sweeps": self.sweeps, "shrink": shrink,
            "statuses": [{"name": n, "number": STATUSES[n][0], "doc": self._said(n, self._round_to(columns, storage == "block"))} for n in STATUSES if n in statuses],
            "said_done": " and ".join(f"{TT}_{s}" for s in ("OK", "QUEUED", "REPLACED") if s in statuses),
            "passes_limit": (c["iteration.passes"] or 1) if self.counted else None,
            "todo_stride": self.stride, "todo_words": self._todo_words(), "reorders": self.slots.reorders,
            "boundary_count": self._boundary_count(), "boundaries": (self.backs + self.ahead + self.ends) * (c["iteration.passes"] or 1) + self.one_by_one,
            "index_field": c["index.field"] if self.index == "intrusive" else None,
            "linked": self.linked, "doubly": self.doubly, "link": {name: c[f"element.link.{name}"] for name in LINKS},
            "fenced": one_by_one,  # in linked storage, whose removal part has a macro `one_by_one`
            "intrusive": self.intrusive, "told_apart": self.told_apart, "stores": not self.intrusive,
            "members": [path for path in (c["index.field"], *(c[f"element.link.{name}"] for name in LINKS)) if path is not None],
            "handle_bits": {"index": c["handles.index_bits"], "generation": c["handles.generation_bits"]},
            "generation_max": f"(uint{c['handles.generation_bits']}_t)-1" if self.generational else None,
            "too_many_dead": self._too_many_dead(),
            "bytes_per_element": self.bytes_per_element(),
            "tightens": self.slots.tightens,
            # Slots that are not in use any more may be forgotten, unless a handle might still name them.
            "trims": self.passes == "remaining" and not self.generational and not self.inline_storage and not self.fixed_storage,
            "has_index_table": self.index == "hash" or (self.index == "dense" and c["index.keys"] is not None),
            "index_keys": c["index.keys"], "table_grows": self.index == "dense" and c["index.keys"] is None,
            "journal_table": self.notes,
            "journal_hash": f"{T}_hash_(list, key)" if self.index == "hash" else "(uint32_t)(key * 0x9e3779b97f4a7c15u >> 32)",
            "needs_lowest": self.bitmap or self.counted,
            "custom_allocator": c["allocator.kind"] == "custom", "assertion": c["emit.assert"], "plain_allocator": c["allocator.kind"] == "plain",
            "declares_allocator": c["allocator.kind"] == "custom" or (c["allocator.kind"] == "plain" and c["allocator.header"] is None),
            "calls_malloc": c["allocator.kind"] == "stdlib" and allocates(c),
            "allocator": {k: c[f"allocator.{k}"] for k in ("alloc", "realloc", "free")},
            "removes_current": c["iteration.removes"] == "current",
            "most_slots": self._most_slots(columns, storage == "block"), "wide_places": c["emit.size_type"] is None,
            "grown": self._grown(), "grows_slowly": self.growth < 50, "initial": c["capacity.initial"],
            "caps_growth": self.limit is not None and not self.bitmap,
            "slots_held": "list->used" if self.bitmap else "list->count",
            "make_room": f"{T}_make_room_" if self.limit is not None else f"{T}_make_slots_",
            "adds_itself": self.adds_itself,
            "uses_admit": not self.deferred and (self.by_pointer or self.unique),
            "table_mask": "list->table_mask" if not self.inline_storage else f"(size_t){int(columns[-1].fixed) - 1}"
            if self.index == "hash" else None,
            "narrow_key": self.index == "hash" and self._narrow_key(),
            # A table in the container is there before anything is made, and a journal's table before the index has one.
            "keeps_multiplier": self.index == "hash" and not (self.inline_storage or self.deferred),
            "table_shift": None if self.index != "hash" else "list->table_shift" if not self.inline_storage
            else f"{33 - int(columns[-1].fixed).bit_length()}",
            "needs_key": self.keyed or self.index == "hash" or self.notes,
            "sorted_number": self._sorted_number(), "sorted_down": self._sorted_by_identity() == ">",
            "key_expression": self._key_expression(), "key_to_check": self._key_to_check(),
            "predicate_function": self._predicate_function(const_element), "predicate_in_loop": self.runs and self.expired is not None,
            "prototypes": self._prototypes(const_element),
            "asks_before": c["removal.ask"] in ("before_update", "around_update"),
            "asks_after": c["removal.ask"] in ("after_update", "around_update"),
            "stops_bulk": " || ".join(f"one == {TT}_{s}" for s in stops),
            "refuses": self.refuses, "refuses_moving": self.refuses_moving,
            "step": f"{T}_step_" if self.expired is not None else f"{T}_next",
            "splices": self.splices,
            "replaces": self.replaces, "put": f"{T}_put_" if self.replaces else f"{T}_place_",
            "announces": self.replaces and hooks["add"] is not None and one_by_one,
            "taken_statuses": ["OK"] + ["QUEUED"] * self.deferred + ["REPLACED"] * self.replaces,
            "slot_of_equal": f"{T}_slot_of_key_(list, {T}_key_(%s))" if self.index == "hash" and not self.rows else f"{T}_slot_of_(list, %s)",
            "admission": f"{T}_admit_(list, {'element' if self.by_pointer else '&element'})",
            "admit_moving": f"{T}_admit_(list, {'moving' if self.by_pointer else '&moving'})",
            "counted_passes": self.counted, "stand_names": ", ".join(name for _, name in self.stand),
            "leaves_cursor": self.passes != "single", "runs": self.runs,
            # Over a bitmap a run that was found is one in which the pass stands: so it is found when an element is taken.
            "walk_looks": self.runs and self.passes not in ("bits", "remaining"), "gapped_runs": self.runs and self.slots.gap,
            "points": self.points, "lane_moves": self.lane_moves, "looks": self.runs and self.slots.gap or self.points and not self.inline_storage,
            "aligned": self.rows,  # each column, for vector loads
            "alignment": self._alignment(),
            "relocates": self.by_value and c["addresses"] == "moving" and self.allocates,
            "moves_once": not (self.tracked or one_by_one),  # swap: from one place in the text
            # Elements that go over one by one would each move all that are behind them.
            "hands_over": self.slots.closes_up and any(o.name == "add_from" for o in operations)
            and not any(hooks[name] is not None for name in ("add", "remove", "destroy", "move")),
            "summary": self._summary(),
            "contract": self._contract(),
            "forward_declarations": self._forward(),
        }
        facts["room_for_one"] = f"{facts['make_room']}(list, 1)"
        if self.intrusive:
            facts["room_for_one"] = f"{TT}_OK" if self.limit is None else f"list->count < {TT}_MAX ? {TT}_OK : {TT}_FULL"
        facts["absent"] = f"{TT}_ABSENT"
        if self.told_apart:
            elsewhere = f"element->{c['element.link.owner']} != NULL" if self.intrusive else f"element->{c['index.field']} != 0"
            facts["absent"] = f"element != NULL && {elsewhere} ? {TT}_FOREIGN : {TT}_ABSENT"
        if not facts["uses_admit"]:
            facts["admission"] = facts["room_for_one"]
        if not facts["uses_admit"] or self.index == "intrusive" or self.intrusive:
            facts["admit_moving"] = facts["room_for_one"]
        facts["has_admit"] = facts["uses_admit"] and (not self.adds_itself or self.transfers and facts["admit_moving"] != facts["room_for_one"])
        facts["admit_back"] = facts["admit_moving"].replace("(list,", "(other,")
        facts["one_slot"] = self.inline_storage and self.limit == 1 and self.dense  # compilers see that, and warn of any other
        # Does anything but T_remove_current ask which slot a pass stands on?
        facts["finds_current"] = any(
            operation.body_of == ("elements", "add_from") and not facts["one_slot"] or operation.body_of == ("passes", "pass_over")
            or operation.body_of == ("passes", "update") and hooks["update"] is not None and facts["asks_after"] for operation in operations)
        facts["splice_alike"] = ["memory"] * facts["custom_allocator"] + ["hash_key"] * (self.index == "hash")
        # Cursors that are over must not come to life again: whatever a pass or a run of a loop compares.
        facts["splice_keeps"] = ["serial"] + ["changes"] * (not self.linked) + ["looks"] * (self.passes == "single" and facts["looks"])
        facts["permutes"] = self.slots.reorders and self.limit != 1  # chaos: one element has one place
        chaos = facts["relocates"] or facts["permutes"]
        facts["chaos"] = chaos
        facts["chaos_on_remove"] = chaos and not self.bitmap
        plan = Plan(c, parts, operations, facts)
        for operation in operations:
            finish(T, operation)
        facts["overview"] = self.overview(plan)
        return plan

    def _round_to(self, columns: List[Column], block: bool) -> int:
        """Slots come in multiples of this."""
        return self._granule(columns) if self.bitmap or self.chunk or self.rows or self.mapped else 8 if block else 1

    def _named_slots(self, round_to: int) -> int:
        """As many slots as handles can name."""
        return (2 ** self.c["handles.index_bits"] - 1) // round_to * round_to

    def _most_slots(self, columns: List[Column], block: bool) -> str:
        """As many slots as can be told by whatever numbers them, and as bytes, as an expression of C."""
        c = self.c
        round_to = self._round_to(columns, block)
        extra = sum({"uint64_t": 2, "uint32_t": 4}.get(k.type, 8) for k in columns[len(self.lanes) or 1:]) + (16 if self.index == "hash" else 0)
        # Of bytes, and of numbers: twice and four times as many can be told, too.
        limit_type = c["emit.size_type"]
        slots_limit = f"({'SIZE_MAX' if limit_type else '(size_t)-1'} / 4 / (sizeof({self.item}) + {extra + 1}){f' / {round_to} * {round_to}' if round_to > 1 else ''})"
        narrow = None
        if self.handles:
            narrow = self._named_slots(round_to)
        elif self.index == "hash":
            narrow = 2 ** 33 // 3  # two thirds of as many entries as there are hashes
        elif self.index != "none" or self.deferred or self.linked:
            narrow = 2 ** 32 - 2
        if limit_type and (narrow is not None or limit_type in ("uint32_t", "unsigned", "unsigned int")):
            narrow = min(narrow or 2 ** 30, 2 ** 30)
        if narrow is not None:
            narrow = narrow // round_to * round_to
            slots_limit = f"({slots_limit} < {narrow}u ? {slots_limit} : {narrow}u)"
        elif limit_type:
            most = f"(({limit_type})(-1) / 4{f' / {round_to} * {round_to}' if round_to > 1 else ''})"
            slots_limit = f"({slots_limit} < {most} ? {slots_limit} : {most})"
        if limit_type:
            slots_limit = f"(({limit_type}){slots_limit})"
        return slots_limit

    def _grown(self) -> str:
        """What a full container grows to, in integers of C."""
        if self.growth == 100:
            return "list->capacity * 2"
        if self.growth == 50:
            return "list->capacity + list->capacity / 2"
        return f"list->capacity + list->capacity / 100 * {self.growth} + list->capacity % 100 * {self.growth} / 100"

    def has(self, name: str) -> bool:
        """Is an operation emitted? `each` is the loop."""
        return self.kept is None or name in self.kept

    def _todo_words(self) -> str:
        """How many words of what is still to visit there are for 64 slots: one for each pass, and for clears that hooks hear of the last."""
        return f"({self.TT}_PASSES + 1)" if self.one_by_one else f"{self.TT}_PASSES"

    def _boundary_count(self) -> str:
        """How many boundaries there can be at once: those of each pass, and that of a clear that hooks hear of."""
        each = self.backs + self.ahead + self.ends
        return f"{self.TT}_PASSES" + (f" * {each}" if each > 1 else "") + (" + 1" if self.one_by_one else "")

    def _loops(self) -> List[Tuple[str, str, str]]:
        """The loops of C++: name, what begins the pass, what it says of itself."""
        return [("each", "begin", "")] + [
            ("each_backward", "begin_backward", f"As {self.TT}_EACH_BACKWARD goes.")] * (self.direction == "both")

    def _walk_example(self) -> str:
        """A loop of C++: the elements themselves where the container holds them."""
        shown = "size_t row" if self.rows else declare(f"{self.E} &" if self.by_value else self.ref, "element")
        return f"for ({shown.replace('& ', '&')} : {self.T}_each(&list)) {{ ... }}"

    def _forward(self) -> List[str]:
        """Structs that the header only points at: it needs their names, not their headers."""
        declared = []
        if self.by_pointer and self.c["element.header"] is None and self.E.startswith(("struct ", "union ")):
            declared.append(self.E.rstrip("* "))
        if self.c["element.header"] is None:
            for member in self.fields:
                declared += re.findall(r"\b(?:struct|union) \w+", member.type)
        context = self.c["hooks.context"]
        if self.hooks["update"] is not None and context is not None:
            match = re.search(r"\b(struct|union)\s+(\w+)\s*\*", context)
            if match:
                declared.append(f"{match.group(1)} {match.group(2)}")
        return list(dict.fromkeys(declared))

    def _columns(self) -> List[Column]:
        c, T = self.c, self.T
        used = "list->used" if self.bitmap else "(list->count + list->gap)" if self.slots.gap else "list->count"
        words = "(list->used + 63) / 64"
        limit = f"{self.TT}_MAX"
        fixed_words = f"({limit} + 63) / 64"
        if self.intrusive:
            return []
        if self.rows:  # rows without an element hold what was left there, or zeros: a loop may go over them
            columns = [Column(f"{lane.name}_", lane.type, "capacity", used, self.bitmap or bool(self.chunk),
                              f"{self._in_lane(lane)}, by row", f"({limit} + 63) / 64 * 64" if self.bitmap else limit, of_element=True)
                       for lane in self.lanes]
        else:
            columns = [Column("items", self.item, "capacity", used, False, "the elements, by slot", limit, of_element=True)]
        if self.bitmap:
            columns.append(Column("alive", "uint64_t", "(capacity / 64)", words, True, "bit s % 64 of word s / 64: slot s holds an element",
                                  fixed_words))
        if self.linked:
            columns.append(Column("next", "uint32_t", "capacity", used, False, "the slot of the next element, plus one; 0: it is the last", limit))
            if self.doubly:
                columns.append(Column("prev", "uint32_t", "capacity", used, False, "and of the one before; 0: it is the first", limit))
            if self.tree:
                columns.append(Column("parent", "uint32_t", "capacity", used, False, "the slot of the element that it is below, plus one; 0: below none", limit))
                columns.append(Column("sibling", "uint32_t", "capacity", used, False, "the slot of the next one there; 0: it is the last", limit))
            if self.bounded:
                columns.append(Column("born", "uint64_t", "capacity", used, False, "how many elements had come in before it", limit))
        if self.passes == "remaining":
            stride = self._todo_words()
            columns.append(Column("todo", "uint64_t", f"(capacity / 64 * {stride})", f"({words} * {stride})", True,
                                  f"what live passes have still to visit, {self.stride} words for each of `alive`",
                                  f"{fixed_words} * {stride}"))
        if self.mapped:
            number = f"uint{c['handles.index_bits']}_t"
            columns.append(Column("slots", number, "capacity", "list->ids_given", False, "by id: the slot of the element", limit))
            columns.append(Column("ids", number, "capacity", used, False, "by slot: the element's id, which its handles hold", limit))
        elif self.generational:
            columns.append(Column("retired", "uint64_t", "(capacity / 64)", words, True,
                                  "slots whose generation is at its end", fixed_words))
        if self.generational:
            columns.append(Column("generations", f"uint{c['handles.generation_bits']}_t", "capacity",
                                  "list->ids_given" if self.mapped else used, True,
                                  "by id: the generation of its handles, or of the next ones" if self.mapped else "by slot: the generation of its handles, or of the next ones", limit))
        if self.deferred:
            columns.append(Column("doomed", "uint64_t", "(capacity / 64)", words, True,
                                  "slots whose element leaves when the journal is replayed"))
        if self.chunk:
            columns.append(Column("chunks", f"{T}_chunk_data *", f"(capacity / {self.TT}_CHUNK)", "kept", False,
                                  f"slot s is slot s % {self.TT}_CHUNK of chunk s / {self.TT}_CHUNK"))
            if self.addressed and self.index == "none" and not self.rows:
                columns.append(Column("by_address", "uint32_t", f"(capacity / {self.TT}_CHUNK)", "", False,
                                      "numbers of the chunks, in the order of their addresses"))
        if self.index == "hash":
            size = 16
            while size - size // 3 < (self.limit or 0):
                size *= 2
            columns.append(Column("table", f"{T}_entry", f"{T}_table_size_(capacity)", "", False,
                                  "the hash index", str(size)))
        if self.index == "dense" and c["index.keys"] is not None:
            keys = f"{self.TT}_KEYS"
            columns.append(Column("table", "uint32_t", keys, "", False, "by key: the slot, plus one; 0: nobody has the key", keys))
        return columns

    # -- text that depends on the element ------------------------------------------------------------------------

    def _key_expression(self) -> str:
        c = self.c
        if c["identity.by"] == "key" and c["identity.key"] is not None:
            key = c["identity.key"]
            return f"{key}(element)" if key.is_function else f"(uint64_t)({key})"
        if c["identity.by"] == "value":
            return "(uint64_t)(uintptr_t)*element" if self.E.endswith("*") else "(uint64_t)*element"
        return "(uint64_t)(uintptr_t)element"

    def _too_many_dead(self) -> str:
        """So many of the used slots may be dead."""
        share = self.c["removal.dead_share"]
        if share is None:
            return ""
        if 100 % share == 0:
            return f"list->used / {100 // share}"
        return f"list->used / 100 * {share} + list->used % 100 * {share} / 100"

    def _narrow_key(self) -> bool:
        """Is a key known to fit into 32 bits, without a sign?"""
        c = self.c
        key_type = None
        if c["identity.by"] == "value":
            key_type = self.E
        elif c["identity.by"] == "key" and c.type_info is not None and self.by_value:
            path = re.fullmatch(r"element->(\w+)", str(c["identity.key"]))
            member = c.type_info.member(path.group(1)) if path else None
            key_type = member.type if member is not None else None
        return key_type in ("uint8_t", "uint16_t", "uint32_t")

    def _sorted_number(self) -> str:
        """What an element is found by in a sorted container, if it may have a sign: a function gives none, nor has an address."""
        if self.c["identity.by"] == "value":
            return "" if self.E.endswith("*") else "*element"
        return self._written_key()

    def _written_key(self) -> str:
        """The key, where the spec writes it as an expression."""
        key = self.c["identity.key"] if self.c["identity.by"] == "key" else None
        return "" if key is None or key.is_function else str(key)

    def _key_to_check(self) -> str:
        """What is as wide as a key, whose conversion would hide that bits are lost. C shifts no array, address or floating-point number."""
        if self.c["identity.by"] == "value":
            return "" if self.E.endswith("*") or all(word in BUILT_IN for word in self.E.split()) else "*element"
        key = self._written_key()
        return key and (f"{key} << 0" if re.fullmatch(r"[\w.>-]+", key) else f"({key}) << 0")

    def _before_expression(self) -> str:
        """Does element `a` come before element `b`?"""
        key, less = self.c["sort.key"], self.c["sort.less"]
        if less is not None:
            return f"{less}(a, b)" if less.is_function else str(less)
        if key is None:
            return ""
        if key.is_function:
            return f"{key}(a) < {key}(b)"

        def of(name: str) -> str:
            text = str(key)
            for found, offset in reversed(identifiers(text)):
                if found == "element":
                    text = text[:offset] + name + text[offset + len(found):]
            return text if re.fullmatch(r"[\w.>-]+", text) else f"({text})"
        return f"{of('a')} < {of('b')}"

    def _predicate_function(self, const_element: str) -> str:
        if self.expired is None or self.expired.is_function:
            return ""
        return (f"/* Is this element ready to leave? */\nstatic {'inline ' * self.runs}bool {self.T}_expired_({declare(pointer_to(const_element), 'element')})\n"
                f"{{\n    return {self.expired};\n}}")

    def _prototypes(self, const_element: str) -> List[str]:
        lines = []
        context = self.c["hooks.context"]
        for name, function in self.hooks.items():
            if function is None:
                continue
            copied = name in ("remove", "destroy")  # what is out is no row any more
            element = "size_t row" if self.rows and not copied else declare(pointer_to(self.E), "element")
            if name == "update":
                lines.append(f"void {function}(struct {self.T} *list, {element}, {declare(context, 'context')})")
            else:
                lines.append(f"void {function}(struct {self.T} *list, {element})")
        if self.expired is not None and self.expired.is_function:
            lines.append(f"bool {self.expired}({declare(pointer_to(const_element), 'element')})")
        key = self.c["identity.key"]
        if key is not None and key.is_function and self.keyed:
            lines.append(f"uint64_t {key}({declare(pointer_to(const_element), 'element')})")
        key, less = self.c["sort.key"], self.c["sort.less"]
        if key is not None and key.is_function:
            lines.append(f"double {key}({declare(pointer_to(const_element), 'element')})")
        if less is not None and less.is_function:
            lines.append(f"bool {less}({declare(pointer_to(const_element), 'a')}, {declare(pointer_to(const_element), 'b')})")
        return list(dict.fromkeys(lines))

    def _sorted_by_identity(self) -> str:
        """If what makes two elements the same also says which comes first: < or >, as sorted; else nothing."""
        c = self.c
        same = {"key": str(c["identity.key"]), "value": "*element"}.get(c["identity.by"], "")
        if c["sort.key"] is not None:
            return "<" if same == str(c["sort.key"]) else ""
        less = re.sub(r"\ba\b", "element", str(c["sort.less"]))
        return next((sign for sign in "<>" if less == f"{same} {sign} " + re.sub(r"\belement\b", "b", same)), "")

    def _said(self, status: str, round_to: int) -> str:
        if status == "FULL" and self.handles and self.c["handles.index_bits"] < 32 and self.limit is None:
            return f"there is no room for more elements: handles can name {self._named_slots(round_to):,}"
        if status == "BUSY" and self.order in ("sorted", "resorted"):
            return "a pass is live, or as many as there may be"
        return STATUSES[status][1]

    def _looked_at(self, text: Any) -> Optional[List[cells.Member]]:
        """The members that an expression over `element`, or `a` and `b`, looks at; None: it may be all."""
        text = str(text or "")
        names = identifiers(text)  # another one may be a macro that looks at more
        found = re.findall(r"\b(?:element|a|b)\s*->\s*(\w+)", text)
        if not found or len(found) != len(names):
            return None
        return [member for member in self.fields if member.name in found]

    def _alignment(self) -> Optional[Dict[str, str]]:
        """What elements may need of the memory, if it is not given to them whatever they need."""
        whole = not self.rows or self.deferred or self.order == "resorted"  # elements in one piece, in a journal or a buffer
        if whole and self.by_value and self.allocates and self.c["allocator.kind"] == "stdlib":
            return {"c": "_Alignof(max_align_t)", "cxx": "alignof(max_align_t)", "who": "malloc does",
                    "instead": "use an allocator that does"}
        if self.rows:
            return {"c": "64", "cxx": "64", "who": "columns do", "instead": "hold it without `layout: soa`"}
        return None

    def _sorted_by(self) -> str:
        key, less = self.c["sort.key"], self.c["sort.less"]
        by = f"by {key}" if key is not None else f"as {less} says" if less is not None and less.is_function else f"so that {less}"
        return f"sorted {by}" + (", whenever a pass begins" if self.order == "resorted" else "")

    def _summary(self) -> str:
        order = {"insertion": "in the order of adding", "unordered": "in no particular order",
                 "explicit": "in the order that the caller gives them", "tree": "in a tree, each followed by those below it", "sorted": self._sorted_by()}[self.c["ordering"]]
        what = f"pointers to {self.E}" if self.by_pointer and not self.intrusive else f"{self.E}"
        if self.rows:
            what += " in columns"
        once = ", one for each key" if self.replaces else ", each at most once" if self.unique else ""
        return f"{what}, {order}{once}"

    # -- operations ------------------------------------------------------------------------------------------------

    def _operations(self) -> List[Operation]:
        """All that callers may be given, in the order of the header."""
        ops: List[Operation] = []

        def op(name: str, result: str, params: List[Tuple[str, str]], brief: str, cost: str = "O(1)",
               invalidates: str = "nothing", body: Tuple[str, str] = None, inline: bool = False,
               statuses: Tuple[str, ...] = (), column: str = "", fills: bool = False) -> None:
            ops.append(Operation(name, result, params, brief, cost, invalidates, body, inline, statuses, column, fills))

        costs = self._costs()
        for some in (self._life_operations, self._question_operations, self._place_operations,
                     self._link_operations, self._add_operations, self._bulk_operations, self._removal_operations,
                     self._pass_operations, self._update_operations):
            some(op, costs)
        return ops

    def _costs(self) -> _Costs:
        """What several operations cost, and may say."""
        c, T = self.c, self.T
        by_value, deferred, slots = self.by_value, self.deferred, self.slots
        me, const_me = (f"{T} *", "list"), (f"const {T} *", "list")
        # An inline array is part of the struct: a const container has const elements.
        reading = me if self.inline_storage and by_value and not self.rows else const_me
        status = f"{T}_status"
        all_move = "the columns move" if self.rows else "every element moves"
        cursor = (f"{T}_cursor *", "cursor")
        moves = by_value and c["addresses"] == "moving" and not self.inline_storage and not self.chunk
        grow_cost = "O(1)" if not self.allocates or self.fixed_storage else "O(1) amortised"
        if slots.bitmap and not slots.dead:  # the lowest free slot is looked for, 64 at a time
            grow_cost += ", at worst O(n / 64)"
        grow_moves = f"{all_move} when it grows" if moves else "nothing"
        if slots.gap and by_value:
            grow_moves = "elements move when it " + ("grows, or closes its gap instead" if moves else "closes its gap")
        full = ("FULL",) if self.limit is not None or self.inline_storage or self.handles else ()
        busy = ("BUSY",) if self.counted else ()
        memory = ("NO_MEMORY",) if self.allocates else ()
        queued = ("QUEUED",) if deferred else ()
        null = ("ABSENT",) if self.by_pointer else ()
        duplicate = ("DUPLICATE",) if self.unique and (not self.replaces or self.by_pointer) else ()
        replaced = ("REPLACED",) if self.replaces else ()
        foreign = ("FOREIGN",) if self.index == "intrusive" or self.intrusive else ("RANGE",) if c["index.keys"] is not None else ()
        finding = "O(log n)" if self.addressed and self.chunk and not self.rows else "O(1) expected" if self.index == "hash" or self.notes else "O(1)" if self.index in ("intrusive", "dense") or self.intrusive or self.addressed else "O(log n)" if self.finds_by_order else "O(n)"
        leave_cost = slots.cost.replace("O(1)", "O(1) expected") if self.index == "hash" or self.notes else slots.cost
        remove_cost, remove_moves = leave_cost, slots.moves
        named = finding  # what leaves is named by a handle, or by itself
        if self.handles:
            named = "O(1) expected" if "expected" in leave_cost else "O(1)"
        if named == "O(log n)":
            remove_cost = remove_cost.replace("O(1)", named)
        if self.linked and not self.doubly:
            remove_cost = "O(1) if a pass stands on it, else O(n): the one before it is looked for"
        if named == "O(n)" and not self.rows:
            remove_cost = "O(n): it is looked for"
        if self.by_pointer:
            remove_moves = "nothing"
        if deferred:
            tightens = ", O(n) when there is something to tighten" if named != "O(n)" else ""
            remove_cost, remove_moves = f"{named}{tightens}; while locked the journal grows by one instead", \
                "nothing while locked; without a lock as in " + f"{T}_unlock"
        if self.order == "sorted":
            grow_cost = "O(log n) to find its place, O(n) to make room" if self.dense else "O(n): its place is looked for" \
                + (", from the last element on" if self.doubly else "")
            grow_moves = grow_moves if self.linked else "elements behind it move" if by_value else "nothing"
        add_cost = grow_cost if not self.unique or self.index != "none" or self.intrusive or self.finds_by_order else "O(n): duplicates are looked for"
        if (self.index == "hash" or self.notes) and add_cost.startswith("O(1)"):
            add_cost = add_cost.replace("O(1) amortised", "O(1) expected, amortised") if "amortised" in add_cost \
                else add_cost.replace("O(1)", "O(1) expected")
        all_statuses = queued + replaced + duplicate + null + full + memory + foreign
        waits_or_moves = "nothing while locked; else " + grow_moves if deferred and grow_moves != "nothing" else grow_moves
        return _Costs(status, me, const_me, reading, cursor, moves, all_move, finding, grow_cost, grow_moves,
                      waits_or_moves, add_cost, leave_cost, remove_cost, remove_moves, full, busy, memory, queued, all_statuses)

    def _life_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """What makes, empties and checks it, and what gives and takes memory."""
        c, T, by_value, deferred, slots = self.c, self.T, self.by_value, self.deferred, self.slots
        status, me, const_me, moves = of.status, of.me, of.const_me, of.moves
        all_move, full, memory = of.all_move, of.full, of.memory
        if c["allocator.kind"] == "custom":
            op("init", "void", [me, ("void *", "context")],
               "Makes it a valid, empty container whose memory comes from the allocator with this context. Allocates nothing.",
               body=("lifecycle", "init"))
        else:
            op("init", "void", [me], "Makes it a valid, empty container, as zero-initialising it does. Allocates nothing.",
               body=("lifecycle", "init"))
        gone = "Takes all elements out" + (", with their hooks," if self.one_by_one else "")
        op("deinit", "void", [me], f"{gone}{'' if self.intrusive else ' and gives all memory back'}. The container is then empty and can be used again. "
           "No pass may go on after it"
           + (", and handles from before are worth nothing: later elements may get the same." if self.handles else "."),
           "O(n)" if self.one_by_one or self.index == "intrusive" or self.intrusive else f"O(n / {self.chunk})" if self.chunk else "O(1)",
           "every element is gone", ("lifecycle", "deinit"))
        if self.allocates:
            op("reserve", status, [me, ("size_t", "count")],
               "Makes room for `count` elements in all, so that adds up to that many cannot fail"
               + (" while nothing is locked and no dead slots are in the way" if deferred else
                  " while no dead slots are in the way" if slots.dead else "")
               + (", and no key is larger than those before." if self.index == "dense" and c["index.keys"] is None else "."), "O(n)",
               all_move if moves else "nothing", ("lifecycle", "reserve"), statuses=full + memory)
        if self.allocates and not self.fixed_storage:
            op("shrink_to_fit", status, [me], "Gives back memory that no element needs"
               + (": all behind the last element." if slots.bitmap and not slots.dead and not self.generational else
                  f": all behind the last {'number' if self.mapped else 'slot'} that was ever in use, since a handle may know of it."
                  if self.handles else ".")
               + " While a pass is live it does nothing.",
               "O(n)", all_move if moves else "nothing", ("lifecycle", "shrink_to_fit"), statuses=memory)
        settle_doc = ("A frame boundary: no pass may be live. Ends passes that were abandoned"
                      + (", replays a journal that is left (unless T_lock holds it)" if deferred else "")
                      + (", lets go of all elements that have expired" if self.sweeps else "")
                      + (", tightens the storage" if slots.tightens else "")
                      + (", shrinks it when little of it has been used for long" if self.shrink else "") + ".").replace("T_lock", f"{T}_lock")
        settle_params = [me] + ([("double", "seconds")] if self.shrink and self.shrink["seconds"] else [])
        if len(settle_params) == 2:
            settle_doc += " `seconds`: since the last call."
        op("settle", status, settle_params, settle_doc,
           "O(n)" if self.sweeps else "O(1)" + (", then O(changes that wait)" if deferred else "")
           + (", O(n) when there is something to tighten" if slots.tightens or self.shrink else ""),
           "elements may move" if slots.tightens and by_value or self.shrink and moves else "nothing",
           ("lifecycle", "settle"), statuses=memory if deferred or self.shrink else ())
        op("check", "const char *", [const_me], "Verifies every invariant. NULL: all hold; else which one does not.", "O(n)",
           "nothing", ("lifecycle", "check"))

    def _question_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """What is asked of it as a whole, or of one element."""
        T, deferred, policy = self.T, self.deferred, self.policy
        const_me, reading, finding = of.const_me, of.reading, of.finding
        inexact = ""
        if self.expired is not None:
            inexact = " Those that have expired count until " + (f"{T}_update lets go of them." if policy.updates
                                                                 else f"a pass or {T}_settle comes across them.")
        view = " What a live pass sees: changes that wait are not in it." if deferred else ""
        op("count", "size_t", [const_me], "The number of elements." + inexact + view, body=("lifecycle", "count"), inline=True)
        op("is_empty", "bool", [const_me], "Is there no element?" + view, body=("lifecycle", "is_empty"), inline=True)
        if not self.intrusive:
            op("capacity", "size_t", [const_me], "The number of slots there is memory for.", body=("lifecycle", "capacity"), inline=True)
        contains_doc = "Is this element in?"
        if self.rows:
            contains_doc = "Does this row hold an element?"
        elif self.by_value and self.addressed:
            contains_doc = "Does this address hold an element of the container?"
        elif self.keyed:
            contains_doc = "Is an equal element in?"
        op("contains", "bool", [const_me, self.sought], contains_doc + view, "O(1)" if self.rows else finding, "nothing", ("elements", "contains"))
        if deferred:
            op("will_contain", "bool", [const_me, self.sought],
               "Will it be in when the journal is replayed?", "O(1)" if self.rows else finding if self.notes else "O(n + changes that wait)",
               "nothing", ("elements", "will_contain"))
            op("predicted_count", "size_t", [const_me], "What the count will be when the journal is replayed.",
               body=("passes", "predicted_count"), inline=True)
        if self.finds_key:
            op("find", self.ref, [reading, ("uint64_t", "key")], f"The element with this key, or {self.nil}." + view,
               finding, "nothing", ("elements", "find"))

    def _place_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """Where elements lie, and by what else than themselves they are called."""
        c, T, by_value, slots = self.c, self.T, self.by_value, self.slots
        me, const_me, reading, finding = of.me, of.const_me, of.reading, of.finding
        if self.dense and not self.handles:
            op("get", self.ref, [reading, ("size_t", "index")],
               "The element at a place" + ({"unordered": "", "insertion": " in the order of adding"}.get(c["ordering"], " in that order"))
               + f", or {self.nil} if `index` is {T}_count or more.", body=("elements", "get"), inline=True)
        if self.dense and not self.chunk and not self.rows:
            op("data", pointer_to(self.item), [me], f"All elements in one array of {T}_count"
               + (", once the gap of a live pass is closed." if slots.gap else "."),
               "O(n) if a gap is open, else O(1)" if slots.gap else "O(1)",
               "elements may move" if slots.gap and by_value else "nothing", ("elements", "data"),
               inline=not slots.gap)
            op("const_data", pointer_to(constant(self.item)), [const_me], f"As {T}_data, to be read"
               + ("; NULL while a live pass has a gap open." if slots.gap else "."), body=("elements", "const_data"), inline=True)
        if self.chunk:
            op("chunk_count", "size_t", [const_me], "The number of chunks that may hold elements.", body=("elements", "chunk_count"),
               inline=True)
        if self.chunk and not self.rows:
            told = ("alive", pointer_to("const uint64_t *"), "bit s % 64 of word s / 64 of `*alive` says whether slot s of it holds an element") \
                if slots.bitmap else ("count", "size_t *", "the first `*count` slots of it hold elements")
            op("chunk", pointer_to(self.item), [me, ("size_t", "number"), (told[1], told[0])],
               f"The slots of a chunk, {self.TT}_CHUNK in one array; {told[2]} (`{told[0]}` may be NULL). NULL if `number` is {T}_chunk_count or more.",
               body=("elements", "chunk"), inline=True)
            op("const_chunk", pointer_to(constant(self.item)), [const_me, ("size_t", "number"), (told[1], told[0])],
               f"As {T}_chunk, to be read.", body=("elements", "chunk"), inline=True)
        if not self.linked:
            self._part_operation(op)
        if self.rows:
            self._column_operations(op)
        if self.handles:
            op("get", self.ref, [reading, (f"{T}_handle", "handle")],
               f"The element that a handle names, or {self.nil} if it is gone"
               + ("." if self.generational else " and no other has got its number."), body=("elements", "get_handle"), inline=True)
            op("handle_of", f"{T}_handle", [const_me, self.sought],
               f"The handle of an element that is in; {'{0, 0}' if self.generational else '{0}'} for any other {'row' if self.rows else 'address'}.",
               "O(1)" if self.rows else finding, "nothing", ("elements", "handle_of"))

    def _link_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """What is next to an element, where they are linked."""
        reading, finding = of.reading, of.finding
        if self.linked:
            expired_too = ", also one that has expired" if self.expired is not None else ""
            twice = "" if self.unique or self.addressed else " (the first if it is in more than once)"
            for name, which in (("first", "first"), ("last", "last")):
                op(name, self.ref, [reading], f"The {which} element{expired_too}, or NULL.", body=("linked", name), inline=True)
            for name, which in (("parent_of", "one that this is below"), ("first_child_of", "first of those right below this"),
                                ("next_sibling_of", "next one below the same")) if self.tree else ():
                op(name, self.ref, [reading, self.sought], f"The {which}{expired_too}; NULL: there is none, or it is not in.", finding,
                   "nothing", ("linked", name))
            for name, where in (("next_of", "behind"), ("previous_of", "before"))[:2 if self.doubly else 1]:
                op(name, self.ref, [reading, self.sought],
                   f"The element {where} one that is in{twice}{expired_too}; NULL: there is none, or it is not in.", finding,
                   "nothing", ("linked", name))

    def _add_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """How one element comes in."""
        c, by_value = self.c, self.by_value
        status, me, finding, grow_cost, grow_moves, waits_or_moves = of.status, of.me, of.finding, of.grow_cost, of.grow_moves, of.waits_or_moves
        add_cost, full, memory, all_statuses = of.add_cost, of.full, of.memory, of.all_statuses
        seen = {"visited": "Passes that are live visit it" + (" if it comes in ahead of them." if self.inserts else "."), "next": "Passes that are live do not visit it.",
                "deferred": "While it is locked, the element waits in the journal."}[c["iteration.adds"]]
        takes = "" if self.by_pointer else " The container holds a copy."
        if self.intrusive:
            takes = " FOREIGN if it is in another one."
        owner = " After a failure it is the caller's as before." if self.by_pointer else ""
        instead = (" An equal one leaves, and the new one takes its place, its turn in live passes too; that is said by REPLACED."
                   + (" DUPLICATE: it is that very element." if self.by_pointer else "")) if self.replaces else ""
        if self.index == "dense" and c["index.keys"] is None:
            takes += " The table reaches to the largest key, so a very large one asks for much memory."
        op("add", status, [me, (self.item, "element")], "Adds an element." + takes + f" {seen}" + instead + owner, add_cost,
           waits_or_moves, ("elements", "add"), inline=self.emplaces,
           statuses=all_statuses, fills=self.emplaces)
        if self.opens:
            op("open_", self.ref, [me, (f"{status} *", "status")],
               f"A new element, whose content is undefined; {self.nil}: `*status` says why.", body=("elements", "open"))
        if self.adds_at_once:
            op("make_ready_", status, [me], "Makes room for an element in the next slot.", body=("elements", "make_ready"))
        if self.emplaces:
            op("emplace", self.ref, [me], "A new element, to be filled in place: what it holds is undefined. "
               f"{self.nil}: there is no room for it. {seen}", grow_cost, grow_moves, ("elements", "emplace"), inline=True, statuses=full + memory)
        if self.tree:
            where = "A pass visits it if it comes in ahead of it, also right where the pass goes on." + instead + owner
            for name, at, doc in (
                    ("add_child", "parent", f"Adds an element below one that is in, as the last there; {self.nil}: below none. ABSENT if `parent` is not in"),
                    ("insert_before", "at", f"Adds an element right before one that is in, below the same; {self.nil}: as the first of all. ABSENT if `at` is not in"),
                    ("insert_after", "at", f"Adds an element behind one that is in and all below that, below the same; {self.nil}: as the last of all. "
                                           "ABSENT if `at` is not in")):
                being = ", or being taken out. " if self.one_by_one else ". "
                op(name, status, [me, (self.sought[0], at), (self.item, "element")], doc + being + where,
                   f"{self._insert_cost(name, finding, add_cost)}; looks from the place up the tree", grow_moves, ("elements", name),
                   statuses=tuple(dict.fromkeys(("ABSENT",) + all_statuses)))
        if self.order == "placed":
            for name, where, end in (("insert_before", "before", "first"), ("insert_after", "behind", "last")):
                op(name, status, [me, (self.sought[0], "at"), (self.item, "element")],
                   f"Adds an element right {where} one that is in; {self.nil}: as the {end} of all. ABSENT if `at` is not in. A pass "
                   "visits it if it comes in ahead of it, also right where the pass goes on." + instead + owner,
                   self._insert_cost(name, finding, add_cost), grow_moves if self.linked else "elements behind it move" if by_value else "nothing",
                   ("elements", name),
                   statuses=tuple(dict.fromkeys(("ABSENT",) + all_statuses)))

    def _bulk_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """How many come in at once, or come over from another container."""
        c, T, by_value = self.c, self.T, self.by_value
        status, me, waits_or_moves, add_cost = of.status, of.me, of.waits_or_moves, of.add_cost
        remove_cost, leave_cost, busy, all_statuses = of.remove_cost, of.leave_cost, of.busy, of.all_statuses
        replacing = (f" Those that replaced an equal one count; without a refusal they make it REPLACED, and they are as many as "
                     f"`*taken` is more than {T}_count has grown." if self.replaces else "")
        op("add_all", status, [me, (pointer_to(constant(self.item)), "elements"), ("size_t", "count"), ("size_t *", "taken")],
           f"Adds the elements of an array in their order{', and goes on past those that are refused one by one' * self.refuses}"
           f"{'; stops when there is no room' * bool(of.full + of.memory)}. They must not lie in the container itself. `*taken` (if not NULL) says how many went in; the result is "
           + ("the last refusal." if self.refuses else f"{'QUEUED' if self.deferred else 'OK'}, or says why there is no more room.") + replacing,
           _for_each(add_cost), waits_or_moves, ("elements", "add_all"), statuses=all_statuses)
        # An element whose removal waits still holds its place in this container, so it cannot have one in another.
        left = "that are refused" if self.refuses_moving and not self.intrusive else "for which there is no room"
        stay = "" if self.intrusive and self.limit is None else f"; those {left} stay where they are"
        if self.transfers:
            # Where hooks hear of each, each leaves by itself.
            over = max(add_cost, leave_cost, key=_growth) if self.slots.closes_up and any(self.hooks[name] for name in ("add", "remove", "destroy", "move")) else add_cost
            op("add_from", status, [me, (f"{T} *", "other"), ("size_t *", "taken")],
               f"Moves the elements of another container over, in their order{stay}. "
               "`*taken` (if not NULL) says how many went over." + replacing
               + (" If the container is empty and no pass is live, the storage changes hands." if self.splices else ""),
               "O(1) into an empty container, else " * self.splices + _for_each(over),
               "the elements of both may move" if by_value else "nothing",
               ("linked", "take_over") if self.intrusive else ("elements", "add_from"),
               statuses=tuple(dict.fromkeys(all_statuses + ("ABSENT",) + busy)))
        if c.is_layer and self.transfers:
            op("take_from", status, [me, (f"{T} *", "other"), self.sought],
               "Moves this element of another layer over. ABSENT if it is not in that one, OK if the other is this one; after "
               "everything but success it stays where it is." + (" Hooks are told that it is removed there and added here, and "
               "may do as always: it goes back if they take its room." if self.hooks["add"] or self.hooks["remove"] else ""),
               max(remove_cost, add_cost, key=_growth),
               "the elements of both may move" if by_value else "nothing", ("elements", "take_from"),
               statuses=tuple(dict.fromkeys(all_statuses + ("ABSENT",))))

    def _removal_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """How elements leave."""
        T, deferred = self.T, self.deferred
        status, me, finding, leave_cost, remove_cost, remove_moves = of.status, of.me, of.finding, of.leave_cost, of.remove_cost, of.remove_moves
        busy, memory, queued = of.busy, of.memory, of.queued
        if self.tree and not remove_cost.startswith("O(n)"):
            remove_cost = _FELLING
        if self.handles:
            op("remove", status, [me, (f"{T}_handle", "handle")], "Removes the element that a handle names. STALE if it is gone "
               + ("already: what has come since is never touched." if self.generational
                  else "already; if another one has got its number, that is removed.")
               + (" ABSENT if its removal waits already." if deferred else ""), remove_cost, remove_moves, ("elements", "remove_handle"),
               statuses=("STALE",) + (queued + ("ABSENT",) + memory if deferred else ()))
        else:
            which = "Removes this element."
            if self.rows:
                which = "Removes the element of this row."
            elif self.addressed:
                which = "Removes the element at this address."
            elif self.keyed:
                which = "Removes the element that is equal."
            elif not self.unique:
                which = "Removes this element, the first if it is in more than once."
            if self.tree:
                which = which[:-1] + ", and all below it with it."
            op("remove", status, [me, self.sought], which + " ABSENT if it is not in" + (", FOREIGN if it is in another container." if self.told_apart else "."), remove_cost,
               remove_moves, ("elements", "remove"), statuses=("ABSENT",) + queued + (memory if deferred else ()) + (("FOREIGN",) if self.told_apart else ()))
        if self.dense:
            op("remove_at", status, [me, ("size_t", "index")], f"Removes the element at a place. ABSENT if `index` is {T}_count or more.",
               leave_cost, remove_moves, ("elements", "remove_at"), statuses=("ABSENT",))
        if self.finds_key and not deferred:
            op("remove_key", status, [me, ("uint64_t", "key")], ("Removes the element with this key." if self.unique else "Removes the first element with this key."),
               max(remove_cost, f"{finding}: it is looked for", key=_growth) if finding in ("O(n)", "O(log n)") else remove_cost, remove_moves,
               ("elements", "remove_key"), statuses=("ABSENT",))
        if not self.addressed and not self.rows and not self.handles and self.index != "intrusive" and not self.intrusive and not self.tree:
            op("remove_from", status, [me, (f"{T} *", "other"), ("size_t *", "removed")],
               "Removes every element that the other container holds. `*removed` (if not NULL) says how many went.",
               _for_each(remove_cost), remove_moves, ("elements", "remove_from"), statuses=("OK",) + busy + queued + (memory if deferred else ()))
        clear_result = status if deferred else "void"
        hooks_say = " Elements that a hook adds meanwhile stay." if self.one_by_one else ""
        keeps = "" if self.intrusive else " and keeps the memory"
        op("clear", clear_result, [me], f"Takes all elements out{keeps}. Live passes see none of them again."
           + hooks_say, "O(n)" if self.one_by_one or self.index != "none" or not self.dense or self.mapped else "O(1)",
           "every element is gone" if not deferred else "nothing while locked; else every element is gone",
           ("lifecycle", "clear"), statuses=queued + (memory if deferred else ()))
        if self.index == "hash":
            op("set_hash_key", "void", [me, ("uint64_t", "key")],
               "Mixes a number of yours into the hashes, so that keys cannot be chosen to collide. 0 until then.", "O(n)",
               "nothing", ("elements", "set_hash_key"))

    def _pass_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """What walks over them, in which order."""
        T, by_value, deferred, slots = self.T, self.by_value, self.deferred, self.slots
        status, me, cursor, leave_cost = of.status, of.me, of.cursor, of.leave_cost
        remove_moves, memory, queued = of.remove_moves, of.memory, of.queued
        sort_cost = "O(n), O(n log n) when much has changed" + ("; at worst O(n * n)" if self.inline_storage and self.dense else "")
        if self.order in ("sorted", "resorted"):
            why = ("Sorts now, and not only when the next pass begins." if self.order == "resorted" else
                   "Puts the elements in order again when keys have changed." + (" Until then they may not be found." if self.finds_by_order else ""))
            op("sort", status, [me], why + " BUSY while a pass is live.",
               sort_cost, "elements move" if by_value and self.dense else "nothing", ("passes", "sort"), statuses=("BUSY",))
        lock = " It locks the container until it ends." if deferred else ""
        which = " from the last element to the first" if self.direction == "backward" else ""
        begin_doc = f"Begins a pass{which}; {self.TT}_EACH does it for you.{lock}"
        if self.counted:
            begin_doc += f" With {self.TT}_PASSES passes live already the cursor is over at once."
        begin_cost, begin_moves = "O(1)", "nothing"
        if self.passes == "remaining":
            begin_cost = "O(n / 64)" if self.bounded else "O(1), and O(n / 64) at the first change"
        if self.order == "resorted":
            begin_doc += " If no other pass is live, it puts the elements in order first."
            begin_cost, begin_moves = sort_cost, "elements move" if by_value and self.dense else "nothing"
        short = (self.passes in ("single", "tracked", "bits") or self.passes == "remaining" and not self.bounded) and self.order != "resorted"  # what begins a pass is worth no call
        for name, doc in [("begin", begin_doc)] + [("begin_backward", begin_doc.replace("a pass", "a pass from the last element to the first")
                                                    .replace("_EACH", "_EACH_BACKWARD"))] * (self.direction == "both"):
            if short:
                op(name, f"{T}_cursor", [me], doc, begin_cost, begin_moves, ("passes", name), inline=True)
                continue
            op(f"{name}_pass_", f"{T}_cursor", [me], f"The part of {T}_{name} that is no part of a loop.", begin_cost, begin_moves, ("passes", name))
            op(name, f"{T}_cursor", [me], doc, begin_cost, begin_moves, ("passes", f"{name}_here"), inline=True)
        unlocks = " The last one to end replays the journal; if that takes more memory than there is, the changes go on waiting " \
                  f"for {T}_settle." if deferred else ""
        op("end", "void", [cursor], "Ends a pass; ending it twice does no harm." + unlocks,
           "O(1)" + (", then O(changes that wait)" if deferred else "") + (", O(n) when there is something to tighten" if slots.tightens else ""),
           "elements may move" if slots.tightens and by_value else "nothing", ("passes", "end"), inline=True)
        next_doc = f"The next element, or {self.nil} when there is none: the pass is over then, and so is its loop."
        if self.expired is not None:
            next_doc += " Elements that have expired are skipped" + (" and let go of." if self.sweeps else ".")
            if self.sweeps:
                op("pass_over_", "void", [me, *self.stand], "Lets go of the element that the pass stands on, which has expired.",
                   body=("passes", "pass_over"))
            op("step_", self.ref, [cursor], "As T_next, with the expired.".replace("T_next", f"{T}_next"), "O(1)", "nothing",
               ("passes", "next"))
            op("next", self.ref, [cursor], next_doc, "O(1) amortised", "nothing", ("passes", "next_live"))
        else:
            op("next", self.ref, [cursor], next_doc, "O(1) amortised" if slots.bitmap and not self.linked else "O(1)", "nothing",
               ("passes", "next"), inline=True)
        if self.runs:
            op("run_", "bool", [cursor], "Is there a run of elements for the loop? Nothing in it needs more than a look.", body=("passes", "run"), inline=True)
            op("running_", "bool", [cursor, (f"{self.ref} *", "element")], "The next element of a run, as long as nothing changes.",
               body=("passes", "running"), inline=True)
        leaving = (leave_cost if self.dense else _FELLING if self.tree else "O(1) expected" if self.index == "hash" and not deferred else "O(1)",
                   remove_moves)
        left = ("ABSENT",) + queued + (memory if deferred else ())
        op("take_current_", status, [me, *self.stand], f"The part of {T}_remove_current that is no part of a loop.", *leaving, ("passes", "remove_current"),
           statuses=left)
        op("remove_current", status, [cursor], "Removes the element that the pass stands on. ABSENT if it is gone already.", *leaving,
           ("passes", "remove_current_here"), inline=True, statuses=left)

    def _update_operations(self, op: Callable[..., None], of: _Costs) -> None:
        """What goes over all at once, and what holds changes back."""
        c, T, by_value, deferred, policy, slots = self.c, self.T, self.by_value, self.deferred, self.policy, self.slots
        status, me, const_me, memory = of.status, of.me, of.const_me, of.memory
        if policy.updates:
            params = [me] + ([(c["hooks.context"], "context")] if self.hooks["update"] else [])
            ask = {"after_update": "asks once whether it has expired", "before_update": "asks once, before its update, whether it has expired",
                   "around_update": "asks before and after whether it has expired"}[c["removal.ask"]]
            order = ", from the last to the first," if policy.sweeps_back else ""
            doc = (f"Updates every element{order or ','} {ask}, and lets go of those that have." if self.hooks["update"]
                   else f"Asks every element once{order} whether it has expired, and lets go of those that have.")
            hooked = " Hooks may add, remove, clear and begin passes of their own." if any(self.hooks.values()) else ""
            if self.counted:
                hooked += f" It is a pass itself: with {self.TT}_PASSES of them live already it does nothing."
            op("update", "void", params, doc + hooked, "O(n)",
               "nothing" if not by_value or self.linked else "the last element moves into each place that becomes free" if slots.reorders
               else "elements move up behind those that leave", ("passes", "update"))
        if c.is_layer and policy.updates:
            op("prune", "void", [me], "Lets go of all elements that have expired, without an update.", "O(n)",
               "elements move up behind those that leave" if by_value else "nothing", ("passes", "prune"))
        if deferred:
            op("lock", "void", [me], "Holds all changes back until it is unlocked as often; a pass does it too.", body=("passes", "lock"))
            op("unlock", status, [me], "Lets go of one lock; the last one replays the changes that wait, in the order in which they "
               "were made. NO_MEMORY: none of them has taken effect and all go on waiting, until "
               f"{T}_settle.", "O(1), then O(changes that wait), O(n) when there is something to tighten", "elements may move" if by_value else "nothing",
               ("passes", "unlock"), statuses=("ABSENT",) + memory)
            op("is_locked", "bool", [const_me], "Do changes wait?", body=("passes", "is_locked"), inline=True)

    def _part_operation(self, op: Callable[..., None]) -> None:
        """What workers are given."""
        T = self.T
        if self.chunk:
            holds = f"`count` chunks from number `first` on, each of them as {T}_{'lanes' if self.rows else 'chunk'} tells it"
        elif self.rows:
            holds = "`count` rows from `first` on" + (f", some without an element: see {T}_occupied" if self.bitmap else "")
        elif self.bitmap:
            holds = "`count` slots in one array, the first of which is number `first`; bit s % 64 of word s / 64 of `alive` " \
                "says whether slot s of them holds an element"
        else:
            holds = "`count` elements in one array, the first of which is number `first`"
        even = "nearly equal" if self.chunk else "nearly equal, begin at multiples of 64"
        keyed = " (not what they are found or sorted by)" if self.keyed or self.order in ("sorted", "resorted") else ""
        gap = " This closes the gap of a live pass, so call it once before there are workers." if self.slots.gap else ""
        worker = [("size_t", "number"), ("size_t", "parts")]
        op("part", f"{T}_span", [(f"{T} *" if self._reads_apart else f"const {T} *", "list"), *worker],
           f"Part `number` of `parts` of the container, for a worker: {holds}. The parts are {even} and are all there is; too "
           f"many are empty. Until all workers are done each may read and write the elements of its own part{keyed}, and "
           "nobody may add, remove or begin a pass." + gap,
           "O(n) if a gap is open, else O(1)" if self.slots.gap else "O(1)",
           ("elements may move" if self.by_value else "nothing") if self.slots.gap else "nothing", ("spans", "part"))
        if self._reads_apart:
            op("const_part", f"{T}_span" if self.rows else f"{T}_const_span", [(f"const {T} *", "list"), *worker],
               f"As {T}_part, to be read" + ("; while a live pass has a gap open, all parts are empty." if self.slots.gap else "."),
               body=("spans", "const_part"))

    @property
    def _reads_apart(self) -> bool:
        """Is a part of a list that may be changed another one than of a list that is read?"""
        return self.slots.gap or not (self.rows or self.chunk)

    def _column_operations(self, op: Callable[..., None]) -> None:
        """What there is for loops over columns, and for one row."""
        T, slots = self.T, self.slots
        me, const_me, row = (f"{T} *", "list"), (f"const {T} *", "list"), ("size_t", "row")
        if self.bitmap:
            op("rows", "size_t", [const_me], "All elements lie in rows below this one. Rows between them without an element "
               "hold what was left there, or zeros, and may be computed over, up to the next multiple of 64.", body=("rows", "rows"), inline=True)
            op("occupied", "uint64_t", [const_me, ("size_t", "word")],
               "Which of the 64 rows from 64 * word on hold an element: bit r for row 64 * word + r."
               + (" They are those of chunk `word`." if self.chunk == 64 else ""),
               body=("rows", "occupied"), inline=True)
            op("masks", "void", [const_me, ("size_t", "word"), ("uint32_t", "masks[64]")],
               "The same for a loop that compilers turn into vector instructions: masks[r] has all bits set if row "
               "64 * word + r holds an element, else none.", body=("rows", "masks"), inline=True)
        else:
            op("rows", "size_t", [me if slots.gap else const_me], "The number of rows, which is that of the elements"
               + (", once the gap of a live pass is closed: loops over columns begin with it." if slots.gap else "."),
               "O(n) if a gap is open, else O(1)" if slots.gap else "O(1)", "elements may move" if slots.gap else "nothing",
               ("rows", "rows"), inline=not slots.gap)
            if slots.gap:
                op("const_rows", "size_t", [const_me], f"As {T}_rows, of a container that is only read; 0 while a live pass has a gap open.",
                   body=("rows", "const_rows"), inline=True)
        if self.chunk:
            op("lanes", "size_t", [const_me, ("size_t", "number")], "All elements of a chunk lie in its rows below this one, "
               "counted from its first. The others hold what was left there, or zeros: a loop over a whole chunk, whose "
               f"length is {self.TT}_CHUNK, may compute on them.", body=("rows", "lanes"), inline=True)
        for member in self.lanes if self.chunk else ():
            op(member.name, pointer_to(member.type), [me, ("size_t", "number")],
               f"{self._in_lane(member, True)} of the {self.TT}_CHUNK rows of a chunk, of which row r is at r % {self.TT}_CHUNK in chunk "
               f"r / {self.TT}_CHUNK. They stay where they are until the container shrinks. NULL if `number` is {T}_chunk_count or more.",
               body=("rows", "lane"), inline=True, column=member.name)
            op(f"const_{member.name}", pointer_to(constant(member.type)), [const_me, ("size_t", "number")],
               "The same, to be read.", body=("rows", "lane"), inline=True, column=member.name)
        for member in self.lanes if not self.chunk else ():
            op(member.name, pointer_to(member.type), [me], f"The column of {self._in_lane(member)}: {T}_{member.name}(list)[row] is that "
               "of one element. It stays where it is until the container grows or shrinks.",
               body=("rows", "column"), inline=True, column=member.name)
            op(f"const_{member.name}", pointer_to(constant(member.type)), [const_me], "The same, to be read.",
               body=("rows", "column"), inline=True, column=member.name)
        op("load", self.E, [const_me, row], "A copy of the element of this row, gathered from its columns.", body=("rows", "load"),
           inline=True)
        keyed = " What makes its key must stay the same." if self.index == "hash" else ""
        op("store", "void", [me, row, (self.E, "element")], "Sets every member of the element of this row." + keyed,
           body=("rows", "store"), inline=True, fills=True)

    def _in_lane(self, lane: Field, first: bool = False) -> str:
        return f"`{lane.name}`" if lane.type != self.cold else "The other members" if first else "the other members"

    def _insert_cost(self, name: str, finding: str, add_cost: str) -> str:
        if self.dense:
            return "O(n): makes room" if self.addressed or self.by_value and not self.unique else "O(n): `at` is looked for"
        if self.by_value and self.keyed or finding == "O(n)":
            return "O(n): `at` is looked for"
        if name == "insert_before" and not self.doubly:
            return "O(1) where a pass stands, else O(n): the one before is looked for"
        return finding if add_cost in ("O(1)", "O(1) expected") else add_cost

    # -- the overview at the top of a header -----------------------------------------------------------------------

    def overview(self, plan: Plan) -> str:
        c, T = self.c, self.T
        lines: List[str] = []
        title = PRESETS[c.preset].title if c.preset in PRESETS else None
        head = f"{T}: {self._summary()}" + (f" ({title})" if title else "")
        lines += wrapped_text(head + ".", 108)
        if title:
            lines += [""] + wrapped_text(unsaid(PRESETS[c.preset].doc.replace("T_", f"{T}_"), T, self.has), 108)
        if any(map(self.has, ("each", "begin", "begin_backward", "update", "prune"))):
            lines += ["", "During a pass:"]
            for sentence in self._contract():
                wrapped = wrapped_text(sentence, 104)
                lines += ["- " + wrapped[0]] + ["  " + w for w in wrapped[1:]]
        if self.rows:
            lines += [""] + wrapped_text(self._loops_over_columns(), 108)
        lines += ["", "For example:"] + ["    " + line if line else "" for line in self._example()]
        lines += [""] + cost_table(c, plan.operations, plan.others)
        lines += [""] + wrapped_text("Memory: " + self.bytes_per_element() + ".", 108)
        body = "\n".join((" * " + line).rstrip() for line in lines)
        return "/*\n" + body + "\n */"

    def _loops_over_columns(self) -> str:
        """What compilers make vector instructions of."""
        text = ""
        if self.cold:
            own = [f"`{lane.name}`" for lane in self.lanes[:-1]]
            own = [", ".join(own[:-1])] * (len(own) > 1) + own[-1:]
            text = f"{' and '.join(own)} {'have columns of their own' if len(self.lanes) > 2 else 'has a column of its own'}; " \
                "the other members lie together" + (f", in that of {self.T}_cold. " if self.has("cold") else ". ")
        text += f"Each column {'of a chunk ' if self.chunk else ''}begins at a multiple of {self.TT}_ALIGNMENT bytes"
        if self.inline_storage:
            text += ", so a container that is allocated must begin at one, too"
        text += ". Compilers make vector instructions of loops whose length is constant, gcc with -O2, too: "
        text += "over a whole chunk" if self.chunk else "over 64 rows at a time"
        if not self.chunk:
            text += ", in a function that takes the columns as `restrict` if there are several"
        if self.bitmap and self.has("masks"):
            text += f". {self.T}_masks says for such loops which rows hold elements"
        return text + "."

    def bytes_per_element(self) -> str:
        """What an element costs beside itself, in words."""
        if self.intrusive:
            links = len([name for name in LINKS if self.c[f"element.link.{name}"] is not None])
            return f"{links} members of each element; nothing is allocated"
        parts = [f"sizeof({self.item})"]
        if self.rows:
            kinds = [lane.type for lane in self.lanes]
            parts = [" + ".join(f"{kinds.count(kind)} * sizeof({kind})" if kinds.count(kind) > 1 else f"sizeof({kind})"
                                for kind in dict.fromkeys(kinds))]
        extra_bits = 0
        if self.bitmap:
            extra_bits += 1
        if self.passes == "remaining":
            extra_bits += self.stride
        if self.linked:
            extra_bits += (64 if self.doubly else 32) + (64 if self.bounded else 0) + (64 if self.tree else 0)
        if self.mapped:
            extra_bits += 2 * self.c["handles.index_bits"]
        if self.generational:
            extra_bits += self.c["handles.generation_bits"] + (0 if self.mapped else 1)
        if self.deferred:
            extra_bits += 1
        if self.index == "hash":
            extra_bits += 128
        text = f"{parts[0]} for each slot"
        if extra_bits >= 8:
            text += f" and about {extra_bits / 8:.1f} bytes".replace(".0 ", " ")
        elif extra_bits:
            text += f" and {extra_bits} bit{'s' if extra_bits > 1 else ''}"
        if self.index == "hash":
            text += " (12 to 24 of them the hash table)"
        if self.index == "intrusive":
            text += ", and the element's own index member"
        if self.index == "dense":
            text += ", and 4 bytes for each " + (f"of {self.c['index.keys']} keys" if self.c["index.keys"] is not None
                                                 else "key up to the largest that came in")
        room = f"{self.limit} slot{'s' if self.limit != 1 else ''}"
        if self.inline_storage:
            return text + f"; {room}, all in the struct, nothing is allocated"
        if self.fixed_storage:
            return text + f"; {room}, allocated by the first add"
        if self.chunk:
            text += f", in chunks of {self.chunk} slots"
        first = self._first_slots()
        text += f"; the first add makes {first} slot{'s' if first != 1 else ''}"
        if self.limit is not None and first >= self.limit:
            return text + ", room for all that there may be"
        text += f", a full container grows by a factor of {self.c['capacity.growth']:g}"
        return text + (f", until there is room for {self.limit}" if self.limit is not None else "")

    def _first_slots(self) -> int:
        """What the first add allocates: whole chunks, or words of 64 slots where there is more than one array."""
        slots, granule = self.c["capacity.initial"], self._granule(self._columns())
        return (slots + granule - 1) // granule * granule

    def _granule(self, columns: List[Column]) -> int:
        """The capacity is a multiple of this."""
        return self.chunk or (64 if len(columns) > 1 or self.rows else 1)

    def _contract(self) -> List[str]:
        c, T = self.c, self.T
        lines = []
        if self.direction == "backward" and self.backs:
            lines.append("the last element comes first.")
        elif self.direction == "both" and self.has("each"):
            lines.append(f"{self.TT}_EACH goes forward, {self.TT}_EACH_BACKWARD backward.")
        expires = []
        if self.expired is not None:
            who = ["a pass that comes to it"] * self.sweeps + [f"{T}_{name}" for name in ("settle",) * self.sweeps
                                                               + ("update",) * self.policy.updates if self.has(name)]
            expires = ["an element that has expired is not visited" + (f": {' or '.join(who)} lets go of it." if who else ".")]
        if self.deferred:
            lines.append("nothing changes: adds, removals and clears wait until the last pass (and lock) is over, and are then "
                         "carried out in the order in which they were made. Removed elements are still visited until then.")
            lines += expires
        else:
            if c["iteration.removes"] == "current":
                lines.append("only the element that the pass stands on may be removed"
                             + (f", through {T}_remove_current." if self.has("remove_current") else "."))
            else:
                lines.append("any element may be removed, by any call: what is gone is not visited, everything else exactly once.")
            late = {"forward": "", "backward": ", after the first one",
                    "both": "; if that goes backward, after the first one"}[self.direction]
            if self.inserts:
                late = " if it comes in ahead of it, right where the pass goes on included" + {
                    "forward": "", "backward": "; one that comes last is visited after the first one",
                    "both": "; if that goes backward, one that comes last is visited after the first one"}[self.direction]
            lines.append({"visited": f"an element that is added is visited in the same pass{late}.",
                          "next": "an element that is added is visited from the next pass on."}[c["iteration.adds"]])
            if self.replaces:
                lines.append("an element that takes another's place has that one's turn, too: it is visited if that one was "
                             "still to be visited."
                             + (f" A {T}_clear {'or removal ' if self.tree else ''}that is under way takes it out in that one's stead."
                                if self.has("clear") else ""))
            lines += expires
            if self.tree:
                lines.append("an element is visited before those below it. It leaves with all of them, the last one first"
                             + (", and so it expires: passes go by those below it, too." if self.expired is not None else "."))
            if self.has("clear"):
                lines.append(f"{T}_clear takes everything from under it"
                             + ("; elements added after it are visited." if c["iteration.adds"] == "visited" else "."))
        if c["iteration.cursors"] == "many":
            count = "any number of passes" if self.passes == "bits" else f"up to {c['iteration.passes']} passes"
            lines.append(f"{count} may be live at once, nested or side by side.")
        else:
            lines.append("no other pass may be live.")
        lines.append("it may be left at any point"
                     + (f". A pass that is neither finished nor ended costs at most tidying up, until {T}_settle." if self.has("settle")
                        else f", but must be ended then: else it counts as live until {T}_deinit."))
        if self.one_by_one:
            hooks = [name for name in ("remove", "destroy") if self.hooks[name] is not None]
            run, them, they_have = ("hook runs", "it", "it has") if len(hooks) == 1 else ("hooks run", "them", "they have")
            lines.append(f"the {' and '.join(hooks)} {run} once for each element, when it is out and the count is final."
                         + (" Where it was replaced, the new one is in by then." if self.replaces else "")
                         + (f" The add hook runs after {them}, unless {they_have} taken the new one out again."
                            if self.replaces and self.hooks["add"] else ""))
        return lines

    def _example(self) -> List[str]:
        T, TT = self.T, self.TT
        name = "element"
        lines = [f"{T} list = {{0}};", ""]
        if self.c["allocator.kind"] == "custom":
            lines = [f"{T} list;", "", f"{T}_init(&list, context);"]
        add = "element" if self.by_pointer else f"({self.E}){{...}}" if self.E.startswith(("struct ", "union ")) else "element"
        if self.has("add"):
            lines += [f"if ({T}_add(&list, {add}) != {TT}_OK) {{ ... }}"]
        if self.emplaces and self.handles and self.has("emplace") and self.has("handle_of"):
            lines += [f"{declare(self.ref, 'added')} = {T}_emplace(&list);",
                      f"if (added != NULL) {{ *added = ...; handle = {T}_handle_of(&list, added); }}"]
        name = "row" if self.rows else name
        if self.rows and self.has(self.lanes[0].name) and self.has("chunk_count" if self.chunk else "rows"):
            member = self.lanes[0].name
            kind = declare(pointer_to(self.lanes[0].type), member)
            if self.chunk:
                lines += [f"for (size_t number = 0; number < {T}_chunk_count(&list); number++) {{",
                          f"    {kind} = {T}_{member}(&list, number);", "",
                          f"    for (size_t i = 0; i < {TT}_CHUNK; i++) {{ {member}[i] = ...; }}", "}"]
            elif self.bitmap:
                lines += [f"for (size_t row = 0; row < {T}_rows(&list); row += 64) {{",
                          f"    {kind} = {T}_{member}(&list) + row;", "",
                          f"    for (size_t i = 0; i < 64; i++) {{ {member}[i] = ...; }}", "}"]
            else:
                lines += [f"for (size_t row = 0, rows = {T}_rows(&list); row < rows; row += 64) {{",
                          f"    {kind} = {T}_{member}(&list) + row;", "",
                          "    if (rows - row >= 64) {", f"        for (size_t i = 0; i < 64; i++) {{ {member}[i] = ...; }}", "    } else {",
                          f"        for (size_t i = 0; i < rows - row; i++) {{ {member}[i] = ...; }}", "    }", "}"]
        if self.has("each") and self.has("remove_current"):
            lines += [f"{TT}_EACH(&list, {name}) {{",
                      f"    if (...) {{ {T}_remove_current(&{name}_cursor); }}",
                      "}"]
        elif self.has("each"):
            lines.append(f"{TT}_EACH(&list, {name}) {{ ... }}")
        if self.policy.updates and self.has("update"):
            lines.append(f"{T}_update(&list{', context' if self.hooks['update'] else ''});")
        lines.append(f"{T}_deinit(&list);")
        return lines + ["", f"and in C++17: {self._walk_example()}"] * self.has("each")
