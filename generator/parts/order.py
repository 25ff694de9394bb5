"""At which place an add puts its element, and what is sorted when."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, List, Tuple

from ..language.costs import CONSTANT, LOGARITHMIC, Cost, case, linear
from ..language.key_types import number_type
from ..language.model import TREE
from .column import Column
from .index import TOLD
from .key import sorted_by
from .ordering import Order


class InPlaces(Order):
    """Callers name places in a row."""

    name = "in_places"
    named_places = True
    may_exchange = True

    def shifting(self, operation: str) -> Cost:
        return linear("moves the elements between")


class ByLinks(Order):
    """The same over links."""

    name = "by_links"
    named_places = True
    takes_runs = True

    def shifting(self, operation: str) -> Cost:
        cost = self.parts.removal.cost if self.parts.links.doubly or operation != "move_before" else case(
            " if passes stand on both, else O(n): searches those before them", "n")
        looks = case("; O(n) for each live pass, which looks for it along the links", "n")
        return cost + looks if self.parts.passes.marks else cost

    @property
    def may_exchange(self) -> bool:
        return self.parts.links.doubly


class Appended(Order):
    name = "appended"
    takes_runs = True

    @property
    def indexed(self) -> str:  # type: ignore[override]
        return "" if self.free else " in insertion order"


class ByNumber(Appended):
    """An element is where its number, or its key, says."""

    by_number = True
    indexed = " in ascending order"

    @property
    def in_words(self) -> str:
        key = self.c["identity.key"]
        return "in ascending order" + (f" of {key}" if key is not None else "")


class AppendedInPlaces(Appended, InPlaces):
    pass


class AppendedByLinks(Appended, ByLinks):
    pass


class Loose(Appended):
    """In no order, and two elements may exchange their places. In chunks the place of an element with a key is not known from
    its address."""

    name = "loose"

    @property
    def may_exchange(self) -> bool:
        return not (self.parts.element.named_twice and self.parts.storage.chunk is not None)


class Queue(Appended):
    indexed = ", counted from the first"
    pops = True
    queue = True
    in_words = "first in, first out"

    @property
    def both_ends(self) -> bool:
        return self.c["ends"] == "both"


class _BySort(Order):
    kind, suffix = "sorted", ""  # what is by the key, in words

    @property
    def in_words(self) -> str:
        key, less = self.c["sort.key"], self.c["sort.less"]
        by = f"by {key}" if key is not None else f"by {less}" if less is not None and less.is_function else f"so that {less}"
        return f"{self.kind} {by}{self.suffix}"


class _Heap(_BySort):
    """A heap finds its first element. It moves none, so passes, handles and indexes know nothing of it."""

    kind, suffix = "heap", ", in no order"
    indexed = ""
    sorts_on_add = True
    sorts = False
    pops = True
    rekeys = True
    has_neighbours = False  # type: ignore[assignment]

    @property
    def stable(self) -> bool:
        return self.c["sort.stable"]

    @property
    def rekeys_one(self) -> bool:
        """Can a caller name the element whose key has changed?"""
        return self.parts.adding.unique or self.parts.element.placed or self.parts.handles.given

    @property
    def changed(self) -> Tuple[str, str]:
        return ("rekey", TOLD) if self.rekeys_one else ("heapify", "was not called after the key of an element had changed")


class Heap(_Heap):
    """A heap of slots: an element stays in its slot, whatever moves in the heap."""

    name = "heap"
    entering = leaving = LOGARITHMIC
    arity = 4  # fewer levels than with 2, and the slots of the children share a line of memory

    @property
    def columns(self) -> List[Column]:
        used, limit = self.parts.removal.used, self.TT.MAX
        columns = [Column("heap", self.entry, "capacity", "list->count", False,
                          f"{'keys and ' if self.key_type else ''}slots, as a {self.arity}-ary heap: that at i comes before "
                          f"none above it, at (i - 1) / {self.arity}", limit, local="new_heap", bytes=16),
                   Column("heap_index", "uint32_t", "capacity", used, False, "by slot: where `heap` has it", limit)]
        if self.stable:
            columns.append(Column("turns", "uint64_t", "capacity", used, False,
                                  "by slot: how many elements were added before its", limit, local="new_turns"))
        return columns

    @property
    def key_type(self) -> str:
        """The type of the key of which an entry of the heap has a copy; '': it is not known, or the keys lie in a column."""
        if self.c["sort.key"] is None or self.c["sort.kind"] != "number" or self.parts.element.rows:
            return ""
        return sorted_by(self.parts).returned if self.c["sort.key"].is_function else number_type(self.c, "sort.key")

    @property
    def entry(self) -> str:
        """The type of an entry of the heap."""
        return self.T.keyed_slot if self.key_type else "uint32_t"

    @property
    def heapifies(self) -> bool:
        """Is the heap put in order once, for all elements of T_add_all? Hooks, and what gets the key of another, would see
        what is not in order yet."""
        return not any(self.parts.hooks.values()) and not self.parts.adding.replaces


class HeapLinks(_Heap):
    """A heap over members of the elements: nothing is allocated, and an add never fails."""

    name = "heap_links"
    leaving = Cost("log n", amortised=True)


class _SortedOnAdd(_BySort):
    inserts = True
    sorts_on_add = True

    @property
    def sorted_by_call(self) -> str:  # type: ignore[override]
        return "Sorts the elements again after keys have changed." \
            + " Until then lookups may miss them." * self.parts.lookup.by_order

    @property
    def changed(self) -> Tuple[str, str]:
        if self.files_again:
            return "rekey", TOLD
        return "check", "the key of an element has changed while it was in the container"

    @property
    def files_again(self) -> bool:
        """Is an element found when its key has changed, and are all others in order then?"""
        once = self.parts.adding.unique or self.parts.element.placed or self.parts.element.intrusive
        return once and self.parts.limit != 1 and self.parts.removal.relocates and not self.parts.when.deferred and (
            self.parts.removal.linked or self.c["iteration.adds"] == "visited")

    @property
    def refiles(self) -> bool:
        """By T_rekey, which does not know the key that it had: that is for an index."""
        return self.files_again and not self.parts.index.files

    @property
    def refiles_identity(self) -> bool:
        """Does T_rekey change what makes two elements equal? Then it is found without its key, and another may have the new
        one."""
        return self.refiles and self.sorted_by_identity != "" and not self.parts.element.intrusive

    @property
    def refuses_equal(self) -> bool:
        """Does T_rekey return DUPLICATE?"""
        return self.refiles_identity and self.parts.adding.unique


class Sorted(_SortedOnAdd):
    name = "sorted"
    bounding = LOGARITHMIC
    entering = linear("finds its position in O(log n)", "moves the elements after it")


class SortedLinks(_SortedOnAdd):
    name = "sorted_links"
    bounding = linear("searches from the first element")

    @property
    def entering(self) -> Cost:
        return linear("searches its position" + " from the last element" * self.parts.links.doubly)


class BalancedLinks(SortedLinks):
    """The same in O(log n): a tree over members of the elements, which says where an element belongs."""

    name = "balanced_links"
    entering = leaving = refiling = bounding = LOGARITHMIC  # type: ignore[assignment]

    @property
    def balanced(self) -> SimpleNamespace:  # type: ignore[override]
        """Its members of an element, and its top, as an expression of C."""
        return SimpleNamespace(root="list->root", **{name: self.c[f"element.link.{name}"] for name in TREE})


class _SortedAtBegin(_BySort):
    sorts_at_begin = True
    read = "Does not sort: elements are where the last sort left them, and those that were added since behind them."
    sorted_by_call = "Sorts now, not when the next pass begins."
    suffix = " when a pass begins"


class Resorted(_SortedAtBegin):
    name = "resorted"


class ResortedLinks(_SortedAtBegin):
    name = "resorted_links"


class _GivenByCaller(Order):
    inserts = True
    explicit = True
    insertions = (("insert_before", "at", "right before `at`", "as the first of all"),
                  ("insert_after", "at", "right after `at`", "as the last of all"))
    in_words = "in the order of the caller"


class Placed(_GivenByCaller, InPlaces):
    name = "placed"

    def inserting(self, operation: str) -> Cost:
        return linear("moves the elements after it")


class _BesideLinks(_GivenByCaller):
    def inserting(self, operation: str) -> Cost:
        return self.parts.removal.cost if operation == "insert_before" else CONSTANT


class PlacedLinks(_BesideLinks, ByLinks):
    name = "placed_links"


class Branched(_BesideLinks):
    name = "branched"
    insertions = (("add_child", "parent", "as the last child of `parent`", "at the top"),
                  ("insert_before", "at", "right before `at`, with the same parent", "as the first of all"),
                  ("insert_after", "at", "behind `at` and all its descendants, with the same parent", "as the last of all"))
    removed_with = " and all its descendants"
    leaving = case(" for each removed element, plus a walk up the tree", within="n")

    def inserting(self, operation: str) -> Cost:
        return super().inserting(operation) + case(", plus a walk up the tree", within="n")

    def shifting(self, operation: str) -> Cost:
        return linear("moves its descendants one by one")

    @property
    def stepping(self) -> Cost:  # type: ignore[override]
        """What a step backward costs that tests whether any ancestor has expired."""
        return case(f", {'backward ' * self.parts.passes.both_ways}plus a walk up the tree") if self.asks_upwards else CONSTANT

    tree = True
    in_words = "in a tree, parents before children"
    subtree_moves = ("move_before", "move_after", "move_to_front", "move_to_back", "move_to_parent")

    @property
    def reparents(self) -> bool:
        """Where the spec names one of these: most trees are built once, and their headers stay short."""
        return self.parts.limit != 1 and self.parts.asked(*self.subtree_moves)

    @property
    def asks_upwards(self) -> bool:
        return self.parts.passes.goes_backward and self.parts.removal.expired is not None

    @property
    def place_type(self) -> str:
        return f"struct {self.T.site_}"


# By `ordering` and `sort.when`, for slots in a row; and the same where links keep the order.
_BY_LINKS: Dict[type, type] = {Heap: HeapLinks, Sorted: SortedLinks, Resorted: ResortedLinks, Placed: PlacedLinks,
                               AppendedInPlaces: AppendedByLinks}


def choose(parts: Any) -> Order:
    c = parts.container
    if parts.removal.given_slots or parts.removal.spread:
        return ByNumber(parts)
    if c["ordering"] == "sorted" and c["element.link.left"] is not None:
        return BalancedLinks(parts)
    part = {"sorted": Sorted if c["sort.when"] == "insert" else Resorted, "explicit": Placed, "tree": Branched, "fifo": Queue,
            "heap": Heap}.get(c["ordering"], Appended)
    counted = parts.removal.linked and not parts.element.intrusive  # it is known which elements a pass does not visit any more
    if c["ordering"] == "insertion" and parts.removal.relocates and (counted or c["iteration.adds"] == "visited"):
        part = AppendedInPlaces
    if c["ordering"] == "unordered" and parts.removal.reorders and parts.asked("swap_places"):
        part = Loose
    return (_BY_LINKS.get(part, part) if parts.removal.linked else part)(parts)
