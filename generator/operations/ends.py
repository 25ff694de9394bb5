"""What is looked at and removed as the first or the last element: of a ring, as the first of a heap, and of any order where
the spec names T_pop."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR
from ..parts.container_parts import Parts
from ..text.sentences import sentences
from ..types.declare import pointer_to
from .costs import Costs
from .operation import Add


def ends(p: Parts, op: Add, of: Costs) -> None:
    """The first and the last element: returned, removed, and made another one."""
    if not p.order.pops:
        return
    there = p.order.has_neighbours or p.order.by_number  # by other groups
    for name in () if there else ("first",) + ("last",) * (p.order.queue or p.order.pops_back):
        op(name, p.ref, [of.reading], f"Returns the {name} element, or {p.nil}.", p.removal.seeking, body=("ends", name),
           inline=not p.removal.leaves_dead, getter=True)
    if p.order.queue:
        op("get_back", p.ref, [of.reading, (p.size, "index")],
           f"Returns the element at this index, counted from the last, which is 0, or {p.nil} if `index` is {p.T.count} or more.",
           body=("ends", "get_back"), inline=True, getter=True)
    for name, end in (("pop", "first"),) + (("pop_back", "last"),) * p.order.pops_back:
        op(name, of.status, [of.me, (pointer_to(p.item), "element")],
           sentences(f"Removes the {end} element and writes {'a copy of it' if p.element.by_value else 'its address'} to "
                     "`*element`, if that is not NULL. Returns ABSENT if there is none; `*element` is then unchanged.",
                     "The destroy hook is called only if `element` is NULL." * p.removal.moves_out),
           p.removal.end_cost(end) + p.order.leaving + p.indexes.upkeep, p.removal.end_invalidated(end), ("ends", name),
           statuses=("ABSENT",), inline=p.removal.ends_move_alone)
    if p.asked("pop_if"):
        op("pop_if", of.status, [of.me, (p.asks, "due"), ("void *", "context"), (pointer_to(p.item), "element")],
           f"As {p.T.pop}, if the first element is due: `due` is called with it and `context`, and must not change the "
           f"container. Returns ABSENT if it is not, or there is none: `while ({p.T.pop_if}(...) == {p.TT.OK})` takes all that "
           "are due, where that goes by the order.",
           p.removal.end_cost("first") + p.order.leaving + p.indexes.upkeep, p.removal.end_invalidated("first"),
           ("ends", "pop_if"), statuses=("ABSENT",), inline=p.removal.ends_move_alone)
    if p.removal.ends_move_alone:
        op("take_end_", "void", [of.me, (p.size, "slot")], "Removes the first or the last element when a pass is live.",
           body=("ends", "take_end"), silent=p.silent)
    _heap(p, op, of)


def _heap(p: Parts, op: Add, of: Costs) -> None:
    """Keys of a heap change."""
    if not p.order.rekeys:
        return
    op("heapify", "void", [of.me],
       sentences("Puts all elements in order again after keys have changed: call it before any other function.",
                 p.index.must_keep("them")),
       LINEAR, body=("ends", "heapify"))
    if not p.order.rekeys_one:
        return
    handle = p.handles.given
    what, gone = ("the element that a handle names", "STALE") if handle else ("this element", "ABSENT")
    op("rekey", of.status, [of.me, (p.T.handle, "handle") if handle else p.sought],
       sentences(f"Puts {what} in order again after its key has changed, up or down: call it before any other function.",
                 p.index.must_keep("it"), f"Returns {gone} if it has been removed or is in another container."),
       (CONSTANT if handle else p.lookup.locating()) + p.order.leaving, body=("ends", "rekey_handle" if handle else "rekey"),
       statuses=(gone,))
