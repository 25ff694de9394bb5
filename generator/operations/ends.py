"""What is added, removed and looked at at the ends of a ring."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..types.declare import pointer_to
from .costs import Costs
from .operation import Add


def ends(p: Parts, op: Add, of: Costs) -> None:
    """The first and the last element: returned, and removed."""
    if not p.order.pops:
        return
    status, me, reading = of.status, of.me, of.reading
    for name in ("first",) + ("last",) * p.order.queue:
        op(name, p.ref, [reading], f"Returns the {name} element, or {p.nil}.", body=("ends", name), inline=True)
    if p.order.queue:
        op("get_back", p.ref, [reading, ("size_t", "index")],
           f"Returns the element at this index, counted from the last, which is 0, or {p.nil} if `index` is {p.T}_count or more.",
           body=("ends", "get_back"), inline=True)
    spared = " The destroy hook is called only if `element` is NULL." if p.removal.spares else ""
    moves = "the removed element" if p.element.by_value else "nothing"
    for name, which in (("pop", "first"),) + (("pop_back", "last"),) * p.order.both_ends:
        op(name, status, [me, (pointer_to(p.item), "element")],
           f"Removes the {which} element and writes {'a copy of it' if p.element.by_value else 'its address'} to `*element`, if that is not NULL. "
           "Returns ABSENT, and leaves `*element` unchanged, if there is none." + spared,
           "O(1)", moves, ("ends", name), statuses=("ABSENT",))
