"""What is looked at and removed as the first or the last element: of a ring, as the first of a heap, and of any order where the spec names T_pop."""

from __future__ import annotations

from typing import Tuple

from ..parts.container_parts import Parts
from ..text.units import where
from ..types.declare import pointer_to
from .costs import CONSTANT, LINEAR, Cost, Costs, indexed
from .operation import Add


def ends(p: Parts, op: Add, of: Costs) -> None:
    """The first and the last element: returned, removed, and made another one."""
    if not p.order.pops:
        return
    status, me, reading = of.status, of.me, of.reading
    searches = Cost("n / 64") if p.removal.leaves_dead else CONSTANT
    for name in () if p.removal.linked else ("first",) + ("last",) * (p.order.queue or p.order.pops_back):
        op(name, p.ref, [reading], f"Returns the {name} element, or {p.nil}.", searches, body=("ends", name), inline=not p.removal.leaves_dead)
    if p.order.queue:
        op("get_back", p.ref, [reading, (p.size, "index")],
           f"Returns the element at this index, counted from the last, which is 0, or {p.nil} if `index` is {p.T.count} or more.",
           body=("ends", "get_back"), inline=True)
    spared = " The destroy hook is called only if `element` is NULL." if p.removal.moves_out else ""
    for name, which in (("pop", "first"),) + (("pop_back", "last"),) * p.order.pops_back:
        cost, moves = _popping(p, of, which)
        op(name, status, [me, (pointer_to(p.item), "element")],
           f"Removes the {which} element and writes {'a copy of it' if p.element.by_value else 'its address'} to `*element`, if that is not NULL. "
           "Returns ABSENT if there is none; `*element` is then unchanged." + spared,
           cost, moves, ("ends", name), statuses=("ABSENT",), inline=p.removal.ends_move_alone)
    if p.removal.ends_move_alone:
        op("take_end_", "void", [me, (p.size, "slot")], "Removes the first or the last element when a pass is live.", body=("ends", "take_end"), silent=p.silent)
    _heap(p, op, of)


def _popping(p: Parts, of: Costs, which: str) -> Tuple[Cost, str]:
    """What removing the first or the last element costs and invalidates."""
    alone = "the removed element" if p.element.by_value else "nothing"
    if p.order.queue:
        return p.order.upkeep, alone
    if p.order.upkeep != CONSTANT:
        return p.order.upkeep, of.remove_moves
    if p.removal.leaves_dead:
        return indexed(p, CONSTANT)._replace(bound="n / 64", remark=", O(n) if it compacts", worst="n"), of.remove_moves
    if p.removal.linked or which == "last" and not p.removal.kept.gap:
        return indexed(p, CONSTANT), of.remove_moves if p.removal.linked else alone
    return of.leave_cost, of.remove_moves


def _heap(p: Parts, op: Add, of: Costs) -> None:
    """Keys of a heap change."""
    status, me = of.status, of.me
    unindexed = f" What the index has them under must not change{where(f'{p.T.rekey_index}', f': see {p.T.rekey_index}')}." if p.index.by_key and p.lookup.keyed else ""
    if p.order.rekeys:
        op("heapify", "void", [me], "Puts all elements in order again after keys have changed: call it before any other function." + unindexed, LINEAR,
           body=("ends", "heapify"))
    if p.order.rekeys and p.order.rekeys_one:
        handle = p.handles.given
        op("rekey", status, [me, (p.T.handle, "handle") if handle else p.sought],
           f"Puts {'the element that a handle names' if handle else 'this element'} in order again after its key has changed, up or down: call it before any "
           f"other function.{unindexed.replace('them', 'it')} Returns {'STALE' if handle else 'ABSENT'} if it has been removed or is in another container.",
           max(p.order.upkeep, of.naming if not handle else CONSTANT, key=Cost.growth), body=("ends", "rekey_handle" if handle else "rekey"),
           statuses=("STALE" if handle else "ABSENT",))
