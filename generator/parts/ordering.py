"""What each order says of itself to the others: at which place an add puts its element, and what is sorted when."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import List, Optional, Sequence, Tuple

from ..language.by_name import POPS, unpopped, unpopped_back
from ..language.costs import CONSTANT, LINEAR, Cost, linear
from ..language.policies import FREE
from .callbacks import called_by
from .column import Column
from .key import sorted_by
from .part import Part


class Order(Part):
    """At which place an add puts its element."""

    axis = "order"
    inserts = False  # an add may put its element between others
    explicit = False  # where the caller decides
    tree = False  # elements are below others
    by_number = False  # an element is its own place, so a pass goes on behind the number that it has visited last
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
    balanced: Optional[SimpleNamespace] = None  # the members of an element that are those of a tree, and its top
    bounding = CONSTANT  # what the first element costs that does not come before another
    stable = False  # of equal elements of a heap the first one is the one that was added first
    named_places = False  # callers name places that elements are moved to
    takes_runs = False  # what is added from another container may stay linked: at the end, or at a place that the caller names
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
    def in_order(self) -> bool:
        """Is an element in its place as soon as it is added? Where that depends on the element."""
        return self.inserts or self.by_number

    @property
    def has_neighbours(self) -> bool:
        """Are callers given what is next to an element?"""
        return self.parts.removal.linked

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

    indexed = " in the order of passes"  # in which elements are counted, in words
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
        return self.named_places and self.parts.limit != 1 and not self.parts.when.follows

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
        return self.parts.asked("swap_places") and self.may_exchange and self.parts.limit != 1 and not self.parts.when.follows

    reparents = False  # an element of a tree is moved with its subtree
    asks_upwards = False  # a pass that goes backward comes to what is below an expired element before it comes to that

    @property
    def columns(self) -> List[Column]:
        """What there is for each slot to keep the order."""
        return []

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        links = 64 if self.tree and self.parts.removal.linked else 0
        return links + sum(column.bits for column in self.columns)

    @property
    def free(self) -> bool:
        """Do passes visit the elements in any order?"""
        return self.c["ordering"] in FREE

    @property
    def promised(self) -> bool:
        """Do the same calls give the same order, although it is that of no key?"""
        return self.c["iteration.order"] == "deterministic"

    @property
    def hands_on(self) -> bool:
        """Are elements that go to another container added there in an order that anyone may rely on?"""
        return not self.free or self.promised

    @property
    def numbered(self) -> bool:
        """Do elements in a row have indices that callers can rely on?"""
        return self.parts.removal.dense and not self.free

    @property
    def replaces_places(self) -> bool:
        """May any element stand at any index?"""
        return self.numbered and not self.keeps_sorted and not self.parts.when.deferred

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
        return "in the order that the calls give" if self.promised else self.summary[self.c["ordering"]]
