"""What is done at the ends of a container whose elements are added and removed there."""

from __future__ import annotations

from ...parts import Parts
from ...types.declare import pointer_to
from .costs import Costs
from .operation import Add


def ends(p: Parts, op: Add, of: Costs) -> None:
    """The first and the last element: looked at, and removed."""
    if not p.order.queue:
        return
    status, me, reading = of.status, of.me, of.reading
    for name, which in (("first", "first"), ("last", "last")):
        op(name, p.ref, [reading], f"The {which} element, or NULL.", body=("ends", name), inline=True)
    op("get_back", p.ref, [reading, ("size_t", "index")],
       f"The element at a place counted from the last one, which is 0, or {p.nil} if `index` is {p.T}_count or more.",
       body=("ends", "get_back"), inline=True)
    spared = " The destroy hook runs only if `element` is NULL." if p.removal.spares else ""
    for name, which in (("pop", "first"),) + (("pop_back", "last"),) * p.order.both_ends:
        op(name, status, [me, (pointer_to(p.item), "element")],
           f"Removes the {which} element and writes {'a copy of it' if p.element.by_value else 'its address'} to `*element`, unless that is NULL. "
           f"ABSENT if there is none; `*element` is unchanged then." + spared,
           "O(1)", "nothing", ("ends", name), statuses=("ABSENT",))
