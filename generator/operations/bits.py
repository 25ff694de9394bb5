"""Sets of numbers: what is next to one, and what two sets have in common."""

from __future__ import annotations

from ..language.costs import CONSTANT, Cost, case
from ..parts.container_parts import Parts
from .costs import Costs
from .operation import Add

_WORDS = Cost("n / 64")  # n is the largest number


def numbers(p: Parts, op: Add, of: Costs) -> None:
    """What there is where an element is a bit."""
    if not p.order.by_number:
        return
    sought, ahead = p.sought, CONSTANT + case(", at worst O(n / 64)", "n / 64")
    near = "number that is %s than this one, which need not be in the container"
    for name, params, which, none in (("first", [], "smallest number", "it is empty"),
                                      ("last", [], "largest number", "it is empty"),
                                      ("next_after", [sought], f"smallest {near % 'larger'}", "there is none"),
                                      ("previous_before", [sought], f"largest {near % 'smaller'}", "there is none")):
        op(name, p.ref, [of.const_me, *params], f"Returns the {which}; {p.nil} if {none}.", ahead, "nothing", ("bits", name),
           inline=True)
    other = (f"const {p.T} *", "other")
    op("unite", of.status, [of.me, other],
       "Adds all numbers of the other container" + ", or none if one of them is not below the maximum" * bool(p.chosen)
       + ". Live passes go on as with any add.", _WORDS,
       "nothing", ("bits", "unite"), statuses=of.full * bool(p.chosen) + of.memory)
    op("intersect", "void", [of.me, other], "Removes all numbers that are not in the other container.", _WORDS, "nothing",
       ("bits", "intersect"))
    op("subtract", "void", [of.me, other], "Removes all numbers that are in the other container.", _WORDS, "nothing",
       ("bits", "subtract"))
