"""What is added, removed and looked at at the ends of a ring."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..types.declare import pointer_to
from .costs import Costs
from .operation import Add


def ends(p: Parts, op: Add, of: Costs) -> None:
    """The first and the last element: returned, and removed."""
    if not p.order.queue:
        return
    status, me, reading = of.status, of.me, of.reading
    for name, which in (("first", "first"), ("last", "last")):
        op(name, p.ref, [reading], f"Returns the {which} element, or NULL.", body=("ends", name), inline=True)
    op("get_back", p.ref, [reading, ("size_t", "index")],
       f"Returns the element at this index, counted from the last, which is 0, or {p.nil} if `index` is {p.T}_count or more.",
       body=("ends", "get_back"), inline=True)
    spared = " The destroy hook is called only if `element` is NULL." if p.removal.spares else ""
    moves = "the removed element" if p.element.by_value else "nothing"
    for name, which in (("pop", "first"),) + (("pop_back", "last"),) * p.order.both_ends:
        op(name, status, [me, (pointer_to(p.item), "element")],
           f"Removes the {which} element and writes {'a copy of it' if p.element.by_value else 'its address'} to `*element`, if that is not NULL. "
           "Returns ABSENT if there is none; `*element` is then unchanged." + spared,
           "O(1)", moves, ("ends", name), statuses=("ABSENT",))
