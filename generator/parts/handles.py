"""Handles: numbers that name elements, and find them again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, List, Optional

from ..language.costs import CONSTANT, LINEAR
from ..language.handle_headers import handle_is_split, handle_members, integer_of
from .part import Part


class Handles(Part):
    """Which number an element has, and where that leads."""

    axis = "handles"
    given = True  # elements have handles
    mapped = False  # a handle is no slot, but leads to one
    forgotten = "; handles from before must not be used: later elements may get the same ones"  # after T_deinit, in words
    frees = ": all behind the last slot that was ever in use, since a handle may name it"  # what T_shrink_to_fit frees, in words
    clear_cost = CONSTANT  # what it costs to clear them
    moves = False  # an element keeps its own where it is moved to another layer

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
    def slot_bits(self) -> int:  # type: ignore[override]
        ids = 2 * self.c["handles.index_bits"] if self.mapped else 0
        if not self.generational:
            return ids
        return ids + self.c["handles.generation_bits"] * (2 if self.turned_back else 1) + (0 if self.mapped else 1)

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
        return integer_of(self.c["handles.index_bits"])

    @property
    def members(self) -> List[str]:
        """The members of a handle, as C declares them."""
        return handle_members(self.c)

    @property
    def generation_type(self) -> str:
        """The type of a stored generation, if there are any."""
        return integer_of(self.c["handles.generation_bits"] or 0)

    def index_of(self, number: str) -> str:
        """What is assigned to the index of a handle: a bit-field is given no more bits than it has."""
        return self._fitting(self.c["handles.index_bits"], number)

    def generation_of(self, number: str) -> str:
        """And to its generation."""
        return self._fitting(self.c["handles.generation_bits"], number)

    @property
    def largest_index(self) -> str:
        """The largest index that a handle can have, which names nothing."""
        return f"{2 ** self.c['handles.index_bits'] - 1}u" if self.split else f"({self.id_type})-1"

    @property
    def unpacked(self) -> str:
        """What is assigned to the index, where all of a handle is one number."""
        fills = not self.split and self.id_type == f"uint{self.packed_bits}_t"
        return "number" if fills else self.index_of("number")

    def _fitting(self, bits: int, number: str) -> str:
        return f"{number} & {2 ** bits - 1}u" if self.split else f"({integer_of(bits)}){number}"

    @property
    def split(self) -> bool:
        """Are index and generation bit-fields?"""
        return handle_is_split(self.c)

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
        if not self.generational:
            return None
        bits, kind = self.c["handles.generation_bits"], self.generation_type
        return f"({kind})-1" if kind == f"uint{bits}_t" else f"({kind}){2 ** bits - 1}"

    def is_generation(self, number: str) -> str:
        """Has a handle been given with it? What is stored may have more bits than a generation: a condition of C."""
        bits = self.c["handles.generation_bits"]
        return f"{number} != 0" + f" && {number} <= {self.generation_max}" * (self.generation_type != f"uint{bits}_t")

    @property
    def counts_held(self) -> bool:
        """Must a function say how many slots are spoken for?"""
        return self.mapped and self.generational and self.parts.removal.leaves_dead

    @property
    def most_ids(self) -> int:
        """The number of ids that handles can name."""
        return int(2 ** self.c["handles.index_bits"] - 1)

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


class Shared(Mapped):
    """The ids of all layers are in one table, which the first layer has."""

    name = "shared"
    moves = True
    counts_held = True  # type: ignore[assignment]
    frees = ""

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        index, generation = (int(integer_of(self.c[f"handles.{name}_bits"])[4:-2]) for name in ("index", "generation"))
        wide = max(index, generation)
        return int(index + (index + generation + 8 + wide - 1) // wide * wide)


class Listed(Mapped):
    """Free ids are behind those of the elements, so that their list needs no proof by induction."""

    name = "listed"


def choose(parts: Any) -> Handles:
    if parts.container["handles.kind"] == "none":
        return NoHandles(parts)
    if parts.container["layers.handles"] == "shared":
        return Shared(parts)
    if not parts.removal.renumbers:
        return Slots(parts)
    return (Listed if parts.proven else Mapped)(parts)
