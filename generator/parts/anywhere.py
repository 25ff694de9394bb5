"""What passes have that may begin elsewhere than at an end."""

from __future__ import annotations

from functools import cached_property

from ..language.costs import CONSTANT, Cost
from .part import Part

ANYWHERE = frozenset("begin_after current next_pair".split())  # operations that a container has if its spec names one of them


def begins_at(name: str) -> bool:
    """Is this an operation that begins a pass elsewhere than at an end?"""
    return name.startswith(("begin_at", "begin_backward_at"))


class Anywhere(Part):
    """Passes that begin at any element, that follow another pass, and those over pairs."""

    removes: bool

    @cached_property
    def anywhere(self) -> bool:
        """Are there T_begin_at and its like? Where the spec names one of them."""
        asked = self.c["emit.operations"] or ()
        return any(name in ANYWHERE or begins_at(name) for name in asked)

    @property
    def finds_current(self) -> bool:
        """Is there T_current?"""
        return self.removes

    @property
    def setting_out(self) -> Cost:
        """What it costs to begin elsewhere, beside finding the element."""
        return CONSTANT

    @property
    def following(self) -> Cost:
        """What it costs to begin a pass of what another has still to visit."""
        return CONSTANT
