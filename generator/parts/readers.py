"""Readers: passes over a const container. They write nothing, and the next change of the container ends them."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Tuple

from ..types.declare import constant, pointer_to
from .part import Part

if TYPE_CHECKING:
    from .container_parts import Parts


class Readers(Part):
    """How a reader goes through the elements. All that the container has for it is a counter of changes."""

    axis = "readers"

    @property
    def counter(self) -> str:
        """The member of the container that counts its changes."""
        return self.parts.passes.changes

    @property
    def ref(self) -> str:
        """The type by which a const container names an element."""
        return self.parts.size if self.parts.element.rows else pointer_to(constant(self.parts.E))

    @property
    def begins(self) -> List[Tuple[str, str, str]]:
        """What begins one: the function, the loop that calls it, and its way in words."""
        return [(f"{name}_const", f"{loop}_CONST", way) for name, loop, way in self.parts.passes.begins]

    @property
    def both_ways(self) -> bool:
        """Can one begin at either end?"""
        return self.parts.passes.both_ways

    @property
    def goes_backward(self) -> bool:
        """Can one begin at the last element?"""
        return self.parts.passes.direction != "forward"

    @property
    def piecewise(self) -> bool:
        """Does it know the address of its next element? They lie in one array, in one piece or two."""
        return False

    @property
    def pieces(self) -> bool:
        """May that be two: around a gap, or around the end of the array?"""
        return self.parts.removal.apart is not None

    @property
    def skips_expired(self) -> bool:
        """Does it pass over elements that have expired?"""
        return self.parts.removal.expired is not None


class InARow(Readers):
    name = "in_a_row"

    @property
    def piecewise(self) -> bool:
        return not (self.goes_backward or self.parts.element.rows or self.parts.storage.chunk)


class OverBits(Readers):
    name = "over_bits"


class Linked(Readers):
    name = "linked"


def choose(parts: Parts) -> Readers:
    removal = parts.removal
    return (Linked if removal.linked else OverBits if removal.bitmap else InARow)(parts)
