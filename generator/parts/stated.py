"""What a removal costs and invalidates, and what is said of it."""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

from ..language.costs import COMPACTS, CONSTANT, LINEAR, Cost, case, linear
from ..text.units import where
from .part import Part


class Apart(NamedTuple):
    """How the elements of a row may lie in two pieces: in words."""

    joins: str  # what makes them one piece
    moves: str  # the same, in short
    when: str  # while they are two
    now: str  # the same, of this moment

    @property
    def cost(self) -> Cost:
        """What it costs to make them one."""
        return LINEAR.also(f" if {self.when}, else O(1)")


LOWEST_FREE = case(", at worst O(n / 64)", "n / 64")  # the lowest free slot is looked for, 64 at a time
SEARCHES_BEFORE = case(" if a pass stands on it, else O(n): searches the one before it", "n")  # where links lead one way


class Stated(Part):
    """What a removal costs and invalidates, and what is said of it."""

    # -- what it costs, and what it invalidates

    filling = CONSTANT  # what it costs an add to find a slot
    overwriting = case("; O(n) if it is full", "n")  # what an add to a full container pays to remove the first element

    @property
    def cost(self) -> Cost:
        """What it costs to remove an element that is found."""
        return self.kept.cost

    @property
    def standing_cost(self) -> Cost:
        """And that on which a pass stands."""
        return CONSTANT

    range_cost = linear("shifts the elements after them")  # and several in a row
    seeking = CONSTANT  # what it costs to find the first or the last element

    def end_cost(self, end: str) -> Cost:
        """And the 'first' or the 'last' one."""
        return self.cost

    @property
    def clear_cost(self) -> Cost:
        """What it costs to remove all."""
        return LINEAR if self.notifies_each else CONSTANT

    @property
    def invalidated(self) -> str:
        """What a removal does to references to elements."""
        if self.parts.element.by_pointer:
            return "nothing"
        if self.parts.order.tree:
            return "the removed elements"
        return self.kept.moves + self.kept.per_pass * self.parts.passes.removes

    @property
    def compacting(self) -> Cost:
        """What it costs to compact the storage, if that is done."""
        return COMPACTS if self.tightens else CONSTANT

    @property
    def settling(self) -> Cost:  # type: ignore[override]
        return LINEAR if self.sweeps else self.compacting

    @property
    def invalidated_by_update(self) -> str:
        """What T_update does to references to elements."""
        if self.parts.element.by_pointer:
            return "nothing"
        if self.linked or self.keeps_slots:
            return "the removed elements"
        return f"the removed elements and {'the last ones' if self.reorders else 'those after them'}"

    @property
    def invalidated_by_step(self) -> List[str]:
        """What a step of a pass does to them."""
        return ["the expired elements that it removes"] * (self.sweeps and self.parts.element.by_value)

    @property
    def settling_moves(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("it compacts",) * (self.tightens and self.parts.element.by_value)

    @property
    def ending(self) -> Cost:
        """What it costs to remove all when the container ends: hooks are called, and members of elements written."""
        return LINEAR if self.notifies_each or self.parts.element.members else CONSTANT

    @property
    def range_invalidated(self) -> str:
        """And that of several in a row."""
        return "nothing" if self.parts.element.by_pointer else self.kept.range_moves

    def end_invalidated(self, end: str) -> str:
        """And that of the first or the last element."""
        return self.invalidated

    @property
    def _alone(self) -> str:
        return "the removed element" if self.parts.element.by_value else "nothing"

    # -- in words

    @property
    def settle_words(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("removes all expired elements",) * self.sweeps + ("compacts the storage",) * self.tightens

    @property
    def clears_with(self) -> str:
        """What else T_deinit does to elements."""
        return ", with their hooks, the last one first" * self.notifies_each

    @property
    def hindered(self) -> Tuple[str, ...]:
        """When a reserved add may fail."""
        return ("has no tombstones",) * self.leaves_dead

    @property
    def frees(self) -> str:
        """What T_shrink_to_fit does not need."""
        return ": all behind the last element" * (self.bitmap and not self.leaves_dead and not self.parts.handles.generational)

    @property
    def unsorted(self) -> str:
        """When T_sort does nothing, where passes do not hinder it."""
        return "Returns BUSY while a clear is in progress." * self.notifies_each

    shifted = "the element and those between"  # what a move of an element by its index invalidates

    @property
    def counted(self) -> str:
        """What T_count counts that has expired."""
        if self.expired is None:
            return ""
        update = self.T.update
        until = where(update, f" until {update} removes them") if self.policy.updates \
            else f" until a pass or {self.T.settle} removes them"
        return f"Expired elements count{until}."
