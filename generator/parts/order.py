"""At which place an add puts its element, and what is sorted when."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Sequence, Tuple

from ..language.costs import CONSTANT, LINEAR, LOGARITHMIC, Cost, case, linear
from ..language.key_types import number_type
from ..language.policies import FREE
from ..language.by_name import POPS, unpopped, unpopped_back
from .column import Column
from .callbacks import called_by
from .index import TOLD
from .key import sorted_by
from .part import Part


class Order(Part):
    """At which place an add puts its element."""

    axis = "order"
    inserts = False  # an add may put its element between others
    explicit = False  # where the caller decides
    tree = False  # elements are below others
    sorts_on_add = False  # an add finds the place of its element
    sorts_at_begin = False  # elements are put in order when a pass begins
    queue = False  # and have a place that is counted from the first and from the last
    both_ends = False  # elements are added and removed at either end
    rekeys = False  # an element may get another key
    rekeys_one = False  # and a caller can name that element
    changed = ("", "")  # what misuse it is if the key of an element has changed: the operation, and the reason
    files_again = False  # an element whose key has changed can be moved to its place in the row, or among the links
    refiles = False  # it is then moved to its place in the row, or among the links
    refiles_identity = False  # and that key is what makes two elements equal
    refuses_equal = False  # and another one may not have it
    arity = 0  # children of an element of a heap
    key_type = ""  # the type of the key of which an entry of a heap has a copy
    entry = ""  # the type of an entry of a heap
    stable = False  # of equal elements of a heap the first one is the one that was added first
    named_places = False  # callers name places that elements are moved to
    read = ""  # what a reader is not given that a pass is, as a sentence
    heapifies = False  # T_add_all orders all its elements together
    entering = CONSTANT  # what an add costs it
    leaving = CONSTANT  # and a removal

    def inserting(self, operation: str) -> Cost:
        """What an add costs it at a position that the caller names."""
        return CONSTANT

    def shifting(self, operation: str) -> Cost:
        """And a move to one, of an element that is found."""
        return CONSTANT

    @property
    def finding_place(self) -> Cost:
        """What it costs to find what the caller names the position by."""
        return self.parts.lookup.locating("`at`")

    @property
    def place_is_slot(self) -> bool:
        """Is the place of an element its slot, and named by callers also while a clear removes the elements one by one?"""
        removal = self.parts.removal
        return not (removal.notifies_each or removal.kept.gap or removal.kept.wraps)

    insertions: Sequence[Tuple[str, str, str, str]] = ()  # each with its name and parameter, the position, and what none means

    @property
    def shifted(self) -> str:
        """And what that invalidates."""
        return "nothing" if self.parts.removal.linked or self.parts.element.by_pointer else self.parts.removal.shifted

    @property
    def refiling(self) -> Cost:
        """And a move to its place, of one whose key has changed."""
        if self.parts.removal.linked:
            return linear("searches its place")
        held = self.refiles_identity and self.parts.element.by_pointer
        return linear("searches it") + linear("moves the elements between") if held else linear("moves the elements between")

    @property
    def sorting(self) -> Cost:
        """What it costs to sort all elements. In place where there is no buffer."""
        cost = LINEAR.also(", O(n log n) if much has changed", "n log n")
        return cost.also("; at worst O(n * n)", "n * n") if self.parts.storage.inline and self.parts.removal.dense else cost

    indexed = " in that order"  # in which elements are counted, in words
    removed_with = ""  # what is removed with an element, in words
    stepping = CONSTANT  # what T_next pays for it beside
    sorted_by_call = ("Sorts the elements; equal ones keep their order. "  # of T_sort
                      "What is added or moved later is not sorted in.")

    @property
    def sorting_moves(self) -> str:
        """What sorting invalidates."""
        return "all elements" if self.parts.element.by_value and self.parts.removal.dense else "nothing"

    @property
    def beginning(self) -> Cost:
        """What a pass pays for the order when it begins."""
        return self.sorting if self.sorts_at_begin else CONSTANT

    @property
    def moves(self) -> bool:
        """Does the caller move elements to other places? One element has one place."""
        return self.named_places and self.parts.limit != 1

    @property
    def pops(self) -> bool:
        """Are elements removed as the first? Where the spec names it."""
        return self.parts.asked(*POPS) and unpopped(self.c) is None

    @property
    def pops_back(self) -> bool:
        """And as the last?"""
        return self.pops and unpopped_back(self.c) is None

    may_exchange = False  # the places of two elements may be exchanged

    @property
    def exchanges(self) -> bool:
        """Is there T_swap_places? Where the spec names it."""
        return self.parts.asked("swap_places") and self.may_exchange and self.parts.limit != 1

    reparents = False  # an element of a tree is moved with its subtree
    asks_upwards = False  # a pass that goes backward comes to what is below an expired element before it comes to that

    @property
    def columns(self) -> List[Column]:
        """What there is for each slot to keep the order."""
        return []

    @property
    def free(self) -> bool:
        """Do passes visit the elements in any order?"""
        return self.c["ordering"] in FREE

    @property
    def numbered(self) -> bool:
        """Do elements in a row have indices that callers can rely on?"""
        return self.parts.removal.dense and not self.free

    @property
    def replaces_places(self) -> bool:
        """May any element stand at any index?"""
        return self.numbered and not self.keeps_sorted

    @property
    def opens_up(self) -> bool:
        """Does an add change the indices of others?"""
        return self.inserts or self.both_ends

    @property
    def renumbers(self) -> bool:
        """Does an add or a move change the indices of others?"""
        return self.opens_up or self.moves

    @property
    def keeps_sorted(self) -> bool:
        """Is the order that of a key, or of a comparison?"""
        return self.sorts_on_add or self.sorts_at_begin

    @property
    def sorts_on_call(self) -> bool:
        """Does the caller define it, and sort it with T_sort?"""
        return not self.keeps_sorted and (self.c["sort.key"] is not None or self.c["sort.less"] is not None)

    @property
    def sorts(self) -> bool:
        """Is there a T_sort? A heap has none."""
        return self.keeps_sorted or self.sorts_on_call

    @property
    def place_type(self) -> str:
        """The type of a place that an insertion takes."""
        return self.parts.slot_type

    @property
    def compares(self) -> bool:
        """Does a key say which of two elements comes first, always or when they are sorted?"""
        return self.keeps_sorted or self.sorts_on_call

    @property
    def before_expression(self) -> str:
        """Does element `a` come before element `b`? As an expression of C."""
        less = self.c["sort.less"]
        if less is not None:
            return f"{called_by(self.parts, less)}(a, b)" if less.is_function else str(less)
        if self.c["sort.key"] is None:
            return ""
        key = sorted_by(self.parts)
        return key.ordered(key.of("a"), "<", key.of("b"))

    def key_at(self, place: str) -> str:
        """The key by which the element of a place is sorted, in ACSL. Provers see what it is where no predicate is around it."""
        return sorted_by(self.parts).of(f"(&list->items[{place}])")

    def key_of(self, element: str) -> str:
        """The same of an element that a pointer leads to."""
        return sorted_by(self.parts).of(element)

    @property
    def key_result(self) -> str:
        """What the user's function that is `sort.key` returns."""
        return sorted_by(self.parts).returned

    @property
    def sorted_by_identity(self) -> str:
        """If what makes two elements equal also decides which comes first: < or >, as sorted; else nothing."""
        same = {"key": str(self.c["identity.key"]), "value": "*element"}.get(self.c["identity.by"], "")
        kind = "number" if self.parts.key.multiplies else self.c["identity.kind"]
        if self.c["identity.equal"] is not None or kind != (self.c["sort.kind"] or "number"):
            return ""
        if self.c["sort.key"] is not None:
            return "<" if same == str(self.c["sort.key"]) else ""
        less = re.sub(r"\ba\b", "element", str(self.c["sort.less"]))
        return next((sign for sign in "<>" if less == f"{same} {sign} " + re.sub(r"\belement\b", "b", same)), "")

    summary = {"insertion": "in insertion order", "unordered": "in no particular order"}  # by `ordering`, in words

    @property
    def in_words(self) -> str:
        """The order, as the head of the container names it."""
        return self.summary[self.c["ordering"]]


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

    def shifting(self, operation: str) -> Cost:
        both = not self.parts.links.doubly and operation == "move_before"
        return case(" if passes stand on both, else O(n): searches those before them", "n") if both else self.parts.removal.cost

    @property
    def may_exchange(self) -> bool:
        return self.parts.links.doubly


class Appended(Order):
    name = "appended"

    @property
    def indexed(self) -> str:  # type: ignore[override]
        return "" if self.free else " in insertion order"


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


class Heap(_BySort):
    """A heap of slots: an element stays in its slot, whatever moves in the heap, so passes, handles and indexes know nothing
    of it."""

    name = "heap"
    kind, suffix = "heap", ", in no order"
    sorts_on_add = True
    sorts = False
    pops = True
    rekeys = True
    entering = leaving = LOGARITHMIC
    arity = 4  # fewer levels than with 2, and the slots of the children share a line of memory

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
    entering = linear("finds its position in O(log n)", "moves the elements after it")


class SortedLinks(_SortedOnAdd):
    name = "sorted_links"

    @property
    def entering(self) -> Cost:
        return linear("searches its position" + " from the last element" * self.parts.links.doubly)


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
        return super().inserting(operation) + case("; plus a walk up the tree", within="n")

    def shifting(self, operation: str) -> Cost:
        return linear("moves its descendants one by one")

    @property
    def stepping(self) -> Cost:  # type: ignore[override]
        """What a step backward costs that tests whether any ancestor has expired."""
        return case(f"; {'backward, ' * self.parts.passes.both_ways}plus a walk up the tree") if self.asks_upwards else CONSTANT

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
_BY_LINKS: Dict[type, type] = {Sorted: SortedLinks, Resorted: ResortedLinks, Placed: PlacedLinks,
                               AppendedInPlaces: AppendedByLinks}


def choose(parts: Any) -> Order:
    c = parts.container
    part = {"sorted": Sorted if c["sort.when"] == "insert" else Resorted, "explicit": Placed, "tree": Branched, "fifo": Queue,
            "heap": Heap}.get(c["ordering"], Appended)
    counted = parts.removal.linked and not parts.element.intrusive  # it is known which elements a pass does not visit any more
    if c["ordering"] == "insertion" and parts.removal.relocates and (counted or c["iteration.adds"] == "visited"):
        part = AppendedInPlaces
    if c["ordering"] == "unordered" and parts.removal.reorders and parts.asked("swap_places"):
        part = Loose
    return (_BY_LINKS.get(part, part) if parts.removal.linked else part)(parts)
