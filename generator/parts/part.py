"""What all parts have in common.

A part is one value of one axis: a class here, and a template of the same name, `templates/parts/<axis>/<name>.j2`. The class
says what the value means to others: a part asks its neighbours by name, `self.parts.passes.bounded`, and answers for itself.
A template reads the same attributes, `parts.passes.bounded`, and calls the macros of other parts the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, List, Tuple

from ..language.costs import CONSTANT, Cost

if TYPE_CHECKING:
    from .container_parts import Parts


class Part:
    """One value of one axis, in one container."""

    axis: ClassVar[str] = ""  # the folder of its template
    name: ClassVar[str] = ""  # its template
    slot_bits = 0  # what it keeps beside the element of each slot
    settle_words: Tuple[str, ...] = ()  # what T_settle does for it, in words
    settling: Cost = CONSTANT  # what that costs
    settling_moves: Tuple[str, ...] = ()  # and when it invalidates elements

    def __init__(self, parts: Parts):
        self.parts = parts
        self.c = parts.container
        self.T, self.TT = parts.T, parts.TT

    @classmethod
    def templates(cls) -> List[str]:
        """Where its macros are, the nearest first: a class has those of the classes that it builds on, and those of the
        interface."""
        return [f"parts/{cls.axis}/{each.__dict__['name']}.j2" for each in cls.__mro__ if each.__dict__.get("name")] + [
            f"parts/{cls.axis}/interface.j2"]
