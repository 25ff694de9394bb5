"""What takes elements out is given: whether they are destroyed, or the reason of the removal."""

from __future__ import annotations

from typing import Tuple

from ..types.declare import declare
from .part import Part


class Leaving(Part):
    """The parameter of what takes elements out."""

    hands_out: bool

    @property
    def moves_out(self) -> bool:
        """Are elements that are popped, or move to another container, removed without being destroyed? (A branch always states
        it.)"""
        return self.parts.reasons or self.parts.hooks["destroy"] is not None \
            and (self.parts.storage.transfers or self.parts.order.tree or self.parts.order.pops or self.hands_out)

    @property
    def told(self) -> Tuple[str, str]:
        """The parameter of T_take_out_ that states how the element is removed: type and name."""
        return (f"{self.T.reason}", "reason") if self.parts.reasons else ("bool", "moved_out")

    @property
    def dropping(self) -> str:
        """The function by which T_update removes the current element of its pass, since it has expired."""
        return str(self.T.expire_current_ if self.parts.reasons else self.T.remove_current)

    @property
    def update_in_header(self) -> bool:
        """Is T_update there?"""
        return bool(self.c["removal.update"] == "inline" and self.policy.updates)

    @property
    def predicate_in_header(self) -> bool:
        """Is the predicate tested there?"""
        return self.predicate_in_loop or self.update_in_header and self.expired is not None

    def telling(self, moved_out: str) -> str:
        """What it is given; `moved_out`, an expression of C: does the element go elsewhere, so that it is not destroyed?"""
        if not self.parts.reasons:
            return moved_out
        plain = {"true": self.TT.TAKEN, "false": self.TT.REMOVED}
        return str(plain.get(moved_out) or f"{moved_out} ? {self.TT.TAKEN} : {self.TT.REMOVED}")

    @property
    def takes(self) -> str:
        """That parameter behind others."""
        return f", {declare(*self.told)}" * self.moves_out

    @property
    def taken(self) -> str:
        """What is given to it where a variable of that name is at hand."""
        return f", {self.told[1]}" * self.moves_out

    def taking(self, moved_out: str) -> str:
        """What is given to it otherwise."""
        return f", {self.telling(moved_out)}" * self.moves_out
