"""Passes, and updates of all elements."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..text.units import where
from .costs import CONSTANT, FELLING, LINEAR, Cost, Costs, indexed
from .operation import Add


def passes(p: Parts, op: Add, of: Costs) -> None:
    """Passes, and the order in which they visit elements."""
    T, by_value, deferred, slots = p.T, p.element.by_value, p.when.deferred, p.removal.kept
    status, me, cursor = of.status, of.me, of.cursor
    sort_cost = Cost("n", ", O(n log n) if much has changed", "n log n")
    if p.storage.inline and p.removal.dense:
        sort_cost = sort_cost.noting("; at worst O(n * n)", "n * n")
    if p.order.sorts:
        why = ("Sorts the elements; equal ones keep their order. What is added or moved later is not sorted in." if p.order.sorts_on_call else
               "Sorts now, not when the next pass begins." if p.order.sorts_at_begin else
               "Sorts the elements again after keys have changed." + (" Until then lookups may miss them." if p.lookup.by_order else ""))
        op("sort", status, [me], why + (" Returns BUSY while a pass is live." if p.passes.removes else " Ends live passes."
                                       + " Returns BUSY while a clear is in progress." * p.removal.notifies_each),
           sort_cost, "all elements" if by_value and p.removal.dense else "nothing", ("passes", "sort"),
           statuses=("BUSY",) * (p.passes.removes or p.removal.notifies_each))
    lock = " Locks the container until it ends." if deferred else ""
    which = " from the last element to the first" if p.passes.direction == "backward" else ""
    begin_doc = f"Begins a pass{which}" + where(p.TT.EACH, f", as {p.TT.EACH} does") + f".{lock}"
    if p.passes.counted:
        begin_doc += f" If {p.TT.PASSES} passes are live, it stops the program."
    begin_cost, begin_moves = CONSTANT, "nothing"
    if p.passes.name == "remaining":
        begin_cost = Cost("n / 64") if p.passes.bounded else Cost("1", ", and O(n / 64) at the first change", "n / 64")
    if p.order.sorts_at_begin:
        begin_doc += " If no other pass is live, it sorts the elements first."
        begin_cost, begin_moves = sort_cost, "all elements" if by_value and p.removal.dense else "nothing"
    short = p.passes.short
    for name, doc in [("begin", begin_doc)] + [("begin_backward", begin_doc.replace("a pass", "a pass from the last element to the first")
                                                .replace("_EACH", "_EACH_BACKWARD"))] * (p.passes.direction == "both"):
        if short:
            op(name, T.cursor, [me], doc, begin_cost, begin_moves, ("passes", name), inline=True)
            continue
        op(f"{name}_pass_", T.cursor, [me], f"The part of {T[name]} that is not inlined into loops.", begin_cost, begin_moves, ("passes", name))
        op(name, T.cursor, [me], doc, begin_cost, begin_moves, ("passes", f"{name}_here"), inline=True)
    unlocks = " The last one to end replays the journal; if memory is refused, the changes stay pending " \
              f"until {T.settle}." if deferred else ""
    tightens = slots.tightens and p.passes.removes
    op("end", "void", [cursor], "Ends a pass. Ending it twice is allowed." + unlocks,
       Cost("1", ", then O(pending changes)" * deferred + ", O(n) if it compacts" * tightens, "n" * tightens),
       "all elements, if it compacts" if tightens and by_value else "nothing", ("passes", "end"), inline=True)
    if p.passes.runs:
        op("run_", "bool", [cursor], "Is there a span of elements that the loop can visit without a call?", body=("passes", "run"), inline=True)
        op("running_", "bool", [cursor, (f"{p.ref} *", "element")], "The next element of that span; false if there is none, or something has changed.",
           body=("passes", "running"), inline=True)
    next_doc = f"The next element, or {p.nil} at the end of the pass."
    if not p.passes.removes:
        next_doc = f"The next element, or {p.nil} at the end of the pass, or if the container has been changed since it began" \
            + where(T.was_changed, f": see {T.was_changed}") + "."
    if p.removal.expired is not None:
        next_doc += " Skips expired elements" + (" and removes them." if p.removal.sweeps else ".")
        if p.removal.sweeps:
            op("pass_over_", "void", [me, *p.passes.standing], "Removes the element that the pass stands on, which has expired.",
               body=("passes", "pass_over"))
        op("step_", p.ref, [cursor], "As T_next, with expired elements.".replace("T_next", T.next), CONSTANT, "nothing",
           ("passes", "next"))
        op("next", p.ref, [cursor], next_doc, Cost(amortised=True).noting(_upwards(p) * p.order.asks_upwards), "nothing", ("passes", "next_live"))
    else:
        op("next", p.ref, [cursor], next_doc, Cost(amortised=slots.bitmap and not p.removal.linked), "nothing",
           ("passes", "next_in_spans" if p.passes.runs else "next"), inline=True)
    _changes(p, op, of)


def _upwards(p: Parts) -> str:
    """What a step backward costs that tests whether any ancestor has expired."""
    return f"; {'backward, ' * p.passes.both_ways}plus a walk up the tree"


def _changes(p: Parts, op: Add, of: Costs) -> None:
    """What a pass removes, or what it says of changes."""
    if not p.passes.removes:
        op("was_changed", "bool", [(f"const {p.T.cursor} *", "cursor")],
           "Has the container been changed since the pass began? After the end of the pass: had it been by then?", body=("passes", "was_changed"), inline=True)
        return
    leaving = (of.leave_cost if p.removal.dense else FELLING if p.order.tree else p.order.upkeep if p.order.upkeep != CONSTANT
               else CONSTANT if p.when.deferred else indexed(p, CONSTANT),
               of.remove_moves)
    left = ("ABSENT",) + of.queued + (of.memory if p.when.deferred else ())
    op("take_current_", of.status, [of.me, *p.passes.standing], f"The part of {p.T.remove_current} that is not inlined into loops.", *leaving, ("passes", "remove_current"),
       statuses=left)
    hooked = any(p.hooks[name] for name in ("remove", "destroy", "move")) and not p.when.deferred
    op("remove_current", of.status, [of.cursor], "Removes the current element of the pass. Returns ABSENT if it has been removed already; with BESPOKE_CHECKS that is misuse and stops the program."
       + " Its hooks must not use this cursor." * hooked, *leaving,
       ("passes", "remove_current_here"), inline=True, statuses=left)


def updates(p: Parts, op: Add, of: Costs) -> None:
    """Updates of all elements, and locks."""
    c, T, by_value, deferred, policy, slots = p.container, p.T, p.element.by_value, p.when.deferred, p.removal.policy, p.removal.kept
    status, me, const_me, memory = of.status, of.me, of.const_me, of.memory
    if policy.updates:
        params = [me] + ([(c["hooks.context"], "context")] if p.hooks["update"] else [])
        ask = {"after_update": "tests it once for expiry", "before_update": "tests it once for expiry, before its update",
               "around_update": "tests it for expiry before and after"}[c["removal.ask"]]
        order = ", from the last to the first," if policy.sweeps_back else ""
        doc = (f"Updates every element{order or ','} {ask}, and removes expired ones." if p.hooks["update"]
               else f"Tests every element once{order} and removes expired ones.")
        hooked = " Hooks may add, remove, clear and begin passes of their own." if any(p.hooks.values()) else ""
        if p.passes.counted:
            hooked += f" It is a pass itself: if {p.TT.PASSES} are live already, it stops the program."
        upwards = p.order.asks_upwards and p.passes.begins_back and p.hooks["update"] is not None and p.removal.asks_before
        op("update", "void", params, doc + hooked, LINEAR.noting("; plus a walk up the tree for each" * upwards),
           "nothing" if not by_value or p.removal.linked else "the removed elements and the last ones" if slots.reorders
           else "the removed elements and those after them", ("passes", "update"))
    if c.is_layer and policy.updates:
        op("prune", "void", [me], "Removes all expired elements, without an update.", LINEAR,
           "the removed elements and those after them" if by_value else "nothing", ("passes", "prune"))
    if deferred:
        op("lock", "void", [me], "Locks the container: changes are pending until it is unlocked as often. A pass locks it, too.", body=("passes", "lock"))
        op("unlock", status, [me], "Releases one lock; the last one replays the pending changes in the order in which they "
           "were made. After NO_MEMORY none of them has taken effect and all stay pending until "
           f"{T.settle}.", Cost("1", ", then O(pending changes), O(n) if it compacts", "n"), "all elements, if it compacts" if by_value else "nothing",
           ("passes", "unlock"), statuses=("ABSENT",) + memory)
        op("is_locked", "bool", [const_me], "Is it locked, or are changes pending?", body=("passes", "is_locked"), inline=True)
