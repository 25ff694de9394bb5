"""How elements are removed."""

from __future__ import annotations

from ..parts.container_parts import Parts
from .costs import CONSTANT, FELLING, LINEAR, Cost, Costs
from .operation import Add


def removals(p: Parts, op: Add, of: Costs) -> None:
    """How elements are removed."""
    T, deferred = p.T, p.when.deferred
    status, me, finding, leave_cost, remove_cost, remove_moves = of.status, of.me, of.finding, of.leave_cost, of.remove_cost, of.remove_moves
    busy, memory, queued = of.busy, of.memory, of.queued
    if p.order.tree and remove_cost.bound != "n":
        remove_cost = FELLING
    if p.handles.given:
        op("remove", status, [me, (T.handle, "handle")], "Removes the element that a handle names. Returns STALE if it has been removed"
           + ("; a later element is only removed if it has replaced that." if p.handles.generational and p.adding.replaces
              else "; later elements are never touched." if p.handles.generational
              else "; if another one has the number, removes that.")
           + (" Returns ABSENT if its removal is pending already." if deferred else ""), remove_cost, remove_moves, ("elements", "remove_handle"),
           statuses=("STALE",) + (queued + ("ABSENT",) + memory if deferred else ()))
    else:
        which = "Removes this element."
        if p.element.rows:
            which = "Removes the element of this row."
        elif p.element.addressed:
            which = "Removes the element at this address."
        elif p.lookup.keyed:
            which = "Removes the equal element."
        elif not p.adding.unique:
            which = "Removes this element, the first of several."
        if p.order.tree:
            which = which[:-1] + " and all its descendants."
        op("remove", status, [me, p.sought], which + " Returns ABSENT if it is not in the container" + (", FOREIGN if it is in another one." if p.index.told_apart else "."), remove_cost,
           remove_moves, ("elements", "remove"), statuses=("ABSENT",) + queued + (memory if deferred else ()) + (("FOREIGN",) if p.index.told_apart else ()))
    if p.removal.dense:
        op("remove_at", status, [me, (p.size, "index")], f"Removes the element at this index. Returns ABSENT if `index` is {T.count} or more.",
           leave_cost, remove_moves, ("elements", "remove_at"), statuses=("ABSENT",))
    if p.lookup.finds_key and not deferred:
        searched = finding.noting(": searches it")
        op("remove_key", status, [me, *p.key.params], ("Removes the element with this key." if p.adding.unique else "Removes the first element with this key."),
           searched if finding == LINEAR else max(remove_cost, searched, key=Cost.growth) if finding.bound == "log n" else remove_cost, remove_moves,
           ("elements", "remove_key"), statuses=("ABSENT",))
    if p.passes.goes_through and not p.element.addressed and not p.element.rows and not p.handles.given and p.index.kind != "intrusive" and not p.element.intrusive and not p.order.tree:
        op("remove_from", status, [me, (f"{T} *", "other"), (f"{p.size} *", "removed")],
           "Removes every element that is also in the other container. `*removed` (if not NULL) is their number.",
           remove_cost._replace(each=True), remove_moves, ("elements", "remove_from"), statuses=("OK",) + busy + queued + (memory if deferred else ()))
    clear_result = status if deferred else "void"
    hooks_say = " Hooks run for the last element first. Elements that a hook adds during the call stay." if p.removal.notifies_each else ""
    cleared = LINEAR if p.removal.notifies_each or p.indexes.any or not p.removal.dense or p.handles.mapped else CONSTANT
    if p.removal.notifies_each and p.removal.linked and not p.links.doubly:
        cleared = cleared.noting(", plus O(sqrt(n)) for each to search the last one")
    keeps = "" if p.element.intrusive else " and keeps the memory"
    op("clear", clear_result, [me], f"Removes all elements{keeps}. {'Live passes visit none of them again' if p.passes.removes else 'Ends live passes'}."
       + hooks_say, cleared,
       "all elements" if not deferred else "nothing while locked; else all elements",
       ("lifecycle", "clear"), statuses=queued + (memory if deferred else ()))
    if p.indexes.leading is not None:
        op("set_hash_key", "void", [me, ("uint64_t", "key")],
           "Mixes this number into all hashes, so that keys cannot be chosen to collide. " + (
               f"Until then it is what {p.container['index.seed']} has returned." if p.indexes.leading.seed else "It is 0 until then."), LINEAR,
           "nothing", ("elements", "set_hash_key"))
