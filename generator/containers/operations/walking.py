"""What walks over the elements, and what updates them all."""

from __future__ import annotations

from ...parts import Parts
from ...text.units import where
from .costs import FELLING, Costs
from .operation import Add


def passes(p: Parts, op: Add, of: Costs) -> None:
    """What walks over them, in which order."""
    T, by_value, deferred, slots = p.T, p.element.by_value, p.when.deferred, p.removal.kept
    status, me, cursor, leave_cost = of.status, of.me, of.cursor, of.leave_cost
    remove_moves, memory, queued = of.remove_moves, of.memory, of.queued
    sort_cost = "O(n), O(n log n) when much has changed" + ("; at worst O(n * n)" if p.storage.inline and p.removal.dense else "")
    if p.order.sorts:
        why = ("Sorts now, and not only when the next pass begins." if p.order.sorts_at_begin else
               "Puts the elements in order again when keys have changed." + (" Until then they may not be found." if p.lookup.by_order else ""))
        op("sort", status, [me], why + " BUSY while a pass is live.",
           sort_cost, "elements move" if by_value and p.removal.dense else "nothing", ("passes", "sort"), statuses=("BUSY",))
    lock = " It locks the container until it ends." if deferred else ""
    which = " from the last element to the first" if p.passes.direction == "backward" else ""
    begin_doc = f"Begins a pass{which}" + where(f"{p.TT}_EACH", f"; {p.TT}_EACH does it for you") + f".{lock}"
    if p.passes.counted:
        begin_doc += f" With {p.TT}_PASSES passes live already the cursor is over at once."
    begin_cost, begin_moves = "O(1)", "nothing"
    if p.passes.name == "remaining":
        begin_cost = "O(n / 64)" if p.passes.bounded else "O(1), and O(n / 64) at the first change"
    if p.order.sorts_at_begin:
        begin_doc += " If no other pass is live, it puts the elements in order first."
        begin_cost, begin_moves = sort_cost, "elements move" if by_value and p.removal.dense else "nothing"
    short = p.passes.short
    for name, doc in [("begin", begin_doc)] + [("begin_backward", begin_doc.replace("a pass", "a pass from the last element to the first")
                                                .replace("_EACH", "_EACH_BACKWARD"))] * (p.passes.direction == "both"):
        if short:
            op(name, f"{T}_cursor", [me], doc, begin_cost, begin_moves, ("passes", name), inline=True)
            continue
        op(f"{name}_pass_", f"{T}_cursor", [me], f"The part of {T}_{name} that is no part of a loop.", begin_cost, begin_moves, ("passes", name))
        op(name, f"{T}_cursor", [me], doc, begin_cost, begin_moves, ("passes", f"{name}_here"), inline=True)
    unlocks = " The last one to end replays the journal; if that takes more memory than there is, the changes go on waiting " \
              f"for {T}_settle." if deferred else ""
    op("end", "void", [cursor], "Ends a pass; ending it twice does no harm." + unlocks,
       "O(1)" + (", then O(changes that wait)" if deferred else "") + (", O(n) when there is something to tighten" if slots.tightens else ""),
       "elements may move" if slots.tightens and by_value else "nothing", ("passes", "end"), inline=True)
    next_doc = f"The next element, or {p.nil} when there is none: the pass is over then, and so is its loop."
    if p.removal.expired is not None:
        next_doc += " Elements that have expired are skipped" + (" and let go of." if p.removal.sweeps else ".")
        if p.removal.sweeps:
            op("pass_over_", "void", [me, *p.passes.standing], "Lets go of the element that the pass stands on, which has expired.",
               body=("passes", "pass_over"))
        op("step_", p.ref, [cursor], "As T_next, with the expired.".replace("T_next", f"{T}_next"), "O(1)", "nothing",
           ("passes", "next"))
        op("next", p.ref, [cursor], next_doc, "O(1) amortised", "nothing", ("passes", "next_live"))
    else:
        op("next", p.ref, [cursor], next_doc, "O(1) amortised" if slots.bitmap and not p.removal.linked else "O(1)", "nothing",
           ("passes", "next"), inline=True)
    if p.passes.runs:
        op("run_", "bool", [cursor], "Is there a run of elements for the loop? Nothing in it needs more than a look.", body=("passes", "run"), inline=True)
        op("running_", "bool", [cursor, (f"{p.ref} *", "element")], "The next element of a run, as long as nothing changes.",
           body=("passes", "running"), inline=True)
    leaving = (leave_cost if p.removal.dense else FELLING if p.order.tree else "O(1) expected" if p.index.kind == "hash" and not deferred else "O(1)",
               remove_moves)
    left = ("ABSENT",) + queued + (memory if deferred else ())
    op("take_current_", status, [me, *p.passes.standing], f"The part of {T}_remove_current that is no part of a loop.", *leaving, ("passes", "remove_current"),
       statuses=left)
    op("remove_current", status, [cursor], "Removes the element that the pass stands on. ABSENT if it is gone already.", *leaving,
       ("passes", "remove_current_here"), inline=True, statuses=left)


def updates(p: Parts, op: Add, of: Costs) -> None:
    """What goes over all at once, and what holds changes back."""
    c, T, by_value, deferred, policy, slots = p.container, p.T, p.element.by_value, p.when.deferred, p.removal.policy, p.removal.kept
    status, me, const_me, memory = of.status, of.me, of.const_me, of.memory
    if policy.updates:
        params = [me] + ([(c["hooks.context"], "context")] if p.hooks["update"] else [])
        ask = {"after_update": "asks once whether it has expired", "before_update": "asks once, before its update, whether it has expired",
               "around_update": "asks before and after whether it has expired"}[c["removal.ask"]]
        order = ", from the last to the first," if policy.sweeps_back else ""
        doc = (f"Updates every element{order or ','} {ask}, and lets go of those that have." if p.hooks["update"]
               else f"Asks every element once{order} whether it has expired, and lets go of those that have.")
        hooked = " Hooks may add, remove, clear and begin passes of their own." if any(p.hooks.values()) else ""
        if p.passes.counted:
            hooked += f" It is a pass itself: with {p.TT}_PASSES of them live already it does nothing."
        op("update", "void", params, doc + hooked, "O(n)",
           "nothing" if not by_value or p.removal.linked else "the last element moves into each place that becomes free" if slots.reorders
           else "elements move up behind those that leave", ("passes", "update"))
    if c.is_layer and policy.updates:
        op("prune", "void", [me], "Lets go of all elements that have expired, without an update.", "O(n)",
           "elements move up behind those that leave" if by_value else "nothing", ("passes", "prune"))
    if deferred:
        op("lock", "void", [me], "Holds all changes back until it is unlocked as often; a pass does it too.", body=("passes", "lock"))
        op("unlock", status, [me], "Lets go of one lock; the last one replays the changes that wait, in the order in which they "
           "were made. NO_MEMORY: none of them has taken effect and all go on waiting, until "
           f"{T}_settle.", "O(1), then O(changes that wait), O(n) when there is something to tighten", "elements may move" if by_value else "nothing",
           ("passes", "unlock"), statuses=("ABSENT",) + memory)
        op("is_locked", "bool", [const_me], "Do changes wait?", body=("passes", "is_locked"), inline=True)
