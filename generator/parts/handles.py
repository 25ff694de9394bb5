"""Handles: numbers that name elements, and find them again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Optional

from ..language.costs import CONSTANT, LINEAR
from .part import Part


class Handles(Part):
    """Which number an element has, and where that leads."""

    axis = "handles"
    given = True  # elements have handles
    mapped = False  # a handle is no slot, but leads to one
    forgotten = "; handles from before must not be used: later elements may get the same ones"  # after T_deinit, in words
    frees = ": all behind the last slot that was ever in use, since a handle may name it"  # what T_shrink_to_fit frees, in words
    clear_cost = CONSTANT  # what it costs to clear them

    @property
    def removed(self) -> str:
        """What T_remove does with an old one, in words."""
        if not self.generational:
            return "if another one has the number, removes that"
        return "a later element is only removed if it has replaced that" if self.parts.adding.replaces \
            else "later elements are never touched"

    @property
    def generational(self) -> bool:
        """Does a handle have a generation, so that an old one names nothing?"""
        return self.c["handles.kind"] == "generational"

    @property
    def turned_back(self) -> bool:
        """May an earlier state come back, by T_rollback or T_load? Generations that were given since are not given again."""
        return self.generational and bool(self.c["emit.snapshot"] or self.c["emit.persist"])

    @property
    def apart(self) -> bool:
        """Is the type of a handle in a header of its own, for the headers of elements?"""
        return bool(self.c["emit.handles_header"])

    @property
    def id_type(self) -> Optional[str]:
        """The type of a stored index."""
        return f"uint{self.c['handles.index_bits']}_t"

    @property
    def bits(self) -> SimpleNamespace:
        """The bits of the parts of a handle."""
        return SimpleNamespace(index=self.c["handles.index_bits"], generation=self.c["handles.generation_bits"])

    @property
    def packed_bits(self) -> int:
        """The width of the number that a handle is packed into."""
        return 32 if self.c["handles.index_bits"] + self.generational * (self.c["handles.generation_bits"] or 0) <= 32 else 64

    @property
    def generation_max(self) -> Optional[str]:
        """The generation after which an index is not used again, as an expression of C."""
        return f"(uint{self.c['handles.generation_bits']}_t)-1" if self.generational else None

    @property
    def counts_held(self) -> bool:
        """Must a function say how many slots are spoken for?"""
        return self.mapped and self.generational and self.parts.removal.leaves_dead

    def named_slots(self, round_to: int) -> int:
        """As many slots as handles can name."""
        return (2 ** self.c["handles.index_bits"] - 1) // round_to * round_to


class NoHandles(Handles):
    name = "none"
    given = False
    forgotten = frees = ""
    apart = False
    id_type = None


class Slots(Handles):
    name = "slots"


class Mapped(Handles):
    name = "mapped"
    mapped = True
    frees = ": all behind the last number that was ever in use, since a handle may name it"
    clear_cost = LINEAR


class Listed(Mapped):
    """Free ids are behind those of the elements, so that their list needs no proof by induction."""

    name = "listed"


def choose(parts: Any) -> Handles:
    if parts.container["handles.kind"] == "none":
        return NoHandles(parts)
    if not parts.removal.renumbers:
        return Slots(parts)
    return (Listed if parts.proven else Mapped)(parts)
