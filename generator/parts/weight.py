"""Weights: what the elements take of a limit that does not count them, such as bytes."""

from __future__ import annotations

from typing import Any, Optional

from ..language.costs import CONSTANT, Cost, case
from .callbacks import around, called_by
from .part import Part


class Weight(Part):
    """What the container knows of the weights of its elements."""

    axis = "weight"
    any = False  # does it add them up?
    of: Optional[Any] = None  # what an element weighs, by the spec
    limits = "the limit of elements"  # what the maximum is, in words
    bounded = "It may have up to `max` elements"  # the same as a sentence of T_init
    function = ""  # the function around an expression of that
    weigher = ""  # what is called of an element
    limit: Optional[int] = None  # the most that they may weigh together, if the spec has it
    refused = ""  # what is said of an element that other threads add
    replaces = False  # may an element take the place of an equal one, whose weight counts no more?

    @property
    def type(self) -> str:
        """Of the maximum."""
        return self.parts.size

    def context(self, list_: str) -> str:
        """The further arguments of that."""
        return ""

    @property
    def making_way(self) -> Cost:
        """What it costs that elements make way for a new one."""
        return CONSTANT


class NotWeighed(Weight):
    name = "none"


class Summed(Weight):
    """The sum is kept; what a single element weighs is read from it, so a change of that must be reported."""

    name = "summed"
    any = True
    limits = "the limit of the sum of weights"
    bounded = "Its elements may weigh up to `max` together"
    refused = ", or it alone is heavier than the limit"
    type = "uint64_t"  # type: ignore[assignment]

    @property
    def of(self) -> Any:  # type: ignore[override]
        return self.c["capacity.weight"]

    @property
    def function(self) -> str:  # type: ignore[override]
        return around(self.parts, self.of, self.T.weight_of_, f"What an element takes of {self.TT.MAX}.", "uint64_t")

    @property
    def weigher(self) -> str:  # type: ignore[override]
        return called_by(self.parts, self.of) if self.of.is_function else self.T.weight_of_

    def context(self, list_: str) -> str:
        return self.parts.with_context(list_) * self.of.is_function

    @property
    def limit(self) -> Optional[int]:  # type: ignore[override]
        limit: Optional[int] = self.parts.fixed(self.c["capacity.max"])
        return limit

    @property
    def replaces(self) -> bool:  # type: ignore[override]
        replaces: bool = self.parts.adding.replaces
        return replaces

    def room_for(self, pointer: str, list_: str) -> str:
        """Whether what a pointer leads to fits, and a slot is free for it, as an expression of C."""
        weight = f"{self.weigher}({pointer}{self.context(list_)})"
        if self.parts.element.intrusive:
            return f"{self.T.bears_}({list_}, {weight}) ? {self.TT.OK} : {self.TT.FULL}"
        return f"{self.T.make_room_for_}({list_}, {weight})"

    @property
    def making_way(self) -> Cost:
        return case("; if it is full, O(n) with the removals of all that make way", "n")


def choose(parts: Any) -> Weight:
    return (NotWeighed if parts.container["capacity.weight"] is None else Summed)(parts)
