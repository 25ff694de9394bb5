"""What is next to a number, or to a key that is a slot; and what two sets of numbers have in common."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR, Cost, case
from ..parts.container_parts import Parts
from .costs import Costs
from .operation import Add

_WORDS = Cost("n / 64")  # n is the largest number


def numbers(p: Parts, op: Add, of: Costs) -> None:
    """What there is where an element, or its key, is its slot."""
    if not p.order.by_number:
        return
    spread, bodies = p.removal.spread, p.element.bodies or "bits"
    ahead = (p.lookup.finding() if spread else CONSTANT) + case(", at worst O(n / 64)", "n / 64")
    what, given, near = ("%s number", [p.sought], "number that is %s than this one") if not p.element.stored \
        else \
        ("element with the %s key", p.key.params, "key that is %s than this one")
    for name, params, which, none in (("first", [], "smallest", "it is empty"), ("last", [], "largest", "it is empty"),
                                      ("next_after", given, "larger", "there is none"),
                                      ("previous_before", given, "smaller", "there is none")):
        if not params:
            found = what % which
        else:
            end = "smallest" if which == "larger" else "largest"
            found = f"{'element with the ' * p.element.stored}{end} {near % which}, which need not be in the container"
        op(name, p.ref, [of.reading if p.element.stored else of.const_me, *params],
           f"Returns the {found}; {p.nil} if {none}.", ahead, "nothing", (bodies, name),
           inline=not p.element.stored or p.index.inlined, getter=p.element.stored)
    if not p.element.stored:
        _sets(p, op, of)


def _sets(p: Parts, op: Add, of: Costs) -> None:
    other, bodies, words = (f"const {p.T} *", "other"), p.element.bodies, LINEAR if p.removal.spread else _WORDS
    op("unite", of.status, [of.me, other],
       "Adds all numbers of the other container" + ", or none if one of them is not below the maximum" * bool(p.chosen)
       + ". Live passes go on as with any add.", words,
       "nothing", (bodies, "unite"), statuses=of.full * bool(p.chosen) + of.memory)
    op("intersect", "void", [of.me, other], "Removes all numbers that are not in the other container.", words, "nothing",
       (bodies, "intersect"))
    op("subtract", "void", [of.me, other], "Removes all numbers that are in the other container.", words, "nothing",
       (bodies, "subtract"))
