"""Passes, and updates of all elements."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR, Cost, case
from ..parts.container_parts import Parts
from ..text.sentences import sentence, sentences
from ..text.units import where
from ..types.declare import pointer_to
from .costs import Costs
from .operation import Add

_ASKS = {"after_update": "tests it once for expiry", "before_update": "tests it once for expiry, before its update",
         "around_update": "tests it for expiry before and after"}


def passes(p: Parts, op: Add, of: Costs) -> None:
    """Passes, and the order in which they visit elements."""
    if p.order.sorts:
        refused = p.passes.removes or p.removal.notifies_each
        op("sort", of.status, [of.me],
           sentences(p.order.sorted_by_call, p.passes.sorted, p.removal.unsorted * (not p.passes.removes)),
           p.order.sorting, p.order.sorting_moves, ("passes", "sort"), statuses=("BUSY",) * refused)
    _begins(p, op, of)
    _tries(p, op, of)
    op(p.passes.called("end"), "void", [of.cursor], sentences("Ends a pass. Ending it twice is allowed.", p.when.replays),
       p.when.ending + p.passes.compacting,
       p.passes.compacting_moves, ("passes", "end"), inline=True)
    if p.passes.keeps:
        op("keep", "void", [of.cursor],
           sentences(f"From now on {p.T.settle} keeps this pass alive, for a loop that goes on in the next frame: it is live "
                     f"until it has come to its end, {p.T.end} ends it, or {p.T.deinit} all.", p.passes.pins),
           body=("passes", "keep"))
    if p.passes.runs:
        op("run_", "bool", [of.cursor], "Is there a span of elements that the loop can visit without a call?",
           body=("passes", "run"),
           inline=True)
        op("running_", "bool", [of.cursor, (f"{p.ref} *", "element")],
           "The next element of that span; false if there is none, or something has changed.", body=("passes", "running"),
           inline=True)
    _steps(p, op, of)
    _changes(p, op, of)


def _begins(p: Parts, op: Add, of: Costs) -> None:
    """What begins a pass, at either end."""
    full = p.passes.beyond
    sorts = "If no other pass is live, it sorts the elements first." if p.order.sorts_at_begin else ""
    cost = p.passes.beginning + p.order.beginning
    moves = p.order.sorting_moves if p.order.sorts_at_begin else "nothing"
    for name, loop, way in p.passes.begins:
        brief = sentences(sentence("Begins a pass", way, where(p.TT[loop], f", as {p.TT[loop]} does")), p.when.locks, full,
                          sorts)
        here = name if p.passes.short else f"{name}_here"
        if not p.passes.short:
            op(f"{name}_pass_", p.T.cursor, [of.me], f"The part of {p.T[name]} that is not inlined into loops.", cost, moves,
               ("passes", name))
        op(p.passes.called(name), p.T.cursor, [of.me], brief, cost, moves, ("passes", here), inline=True)


def _tries(p: Parts, op: Add, of: Costs) -> None:
    """What begins a pass, and returns whether it could."""
    statuses = ("BUSY",) if p.passes.one else p.passes.busy_status
    why = {"NO_MEMORY": "there is no memory for its record", "BUSY": "no more may be live"}
    for name, _, way in p.passes.begins:
        if p.asked(f"try_{name}"):
            brief = sentences(f"Begins a pass{way}, as {p.T[name]} does, and writes its cursor to `*cursor`.",
                              *(f"Returns {status} if {why[status]}: then the pass is over." for status in statuses))
            op(f"try_{name}", of.status, [of.me, of.cursor], brief, p.passes.beginning + p.order.beginning,
               p.order.sorting_moves if p.order.sorts_at_begin else "nothing", ("passes", f"try_{name}"), statuses=statuses)


def _steps(p: Parts, op: Add, of: Costs) -> None:
    """What moves a pass on. Where there is no further element it ends it."""
    at_end = [f"{p.passes.compacting_moves} at the end of the pass"] * (p.passes.compacting_moves != "nothing")
    moves = "; ".join(p.removal.invalidated_by_step + at_end) or "nothing"
    to_end = sentence(f"The next element, or {p.nil} at the end of the pass", p.passes.stops_early)
    if not p.passes.skips_expired:
        op(p.passes.called("next"), p.ref, [of.cursor], to_end,
           Cost(amortised=p.removal.bitmap and not p.removal.linked) + p.passes.stepping, moves,
           ("passes", "next_in_spans" if p.passes.runs else "next"), inline=True)
        return
    if p.removal.sweeps:
        op("pass_over_", "void", [of.me, *p.passes.standing], "Removes the element that the pass stands on, which has expired.",
           body=("passes", "pass_over"))
    op("step_", p.ref, [of.cursor], f"As {p.T.next}, with expired elements.", CONSTANT, "nothing", ("passes", "next"),
       inline=p.removal.update_in_header)
    op("next", p.ref, [of.cursor], sentences(to_end, sentence("Skips expired elements", " and removes them" * p.removal.sweeps)),
       Cost(amortised=True) + p.order.stepping, moves, ("passes", "next_live"))


def _changes(p: Parts, op: Add, of: Costs) -> None:
    """What a pass removes, or what it says of changes."""
    if not p.passes.offered:
        return
    if not p.passes.removes:
        op("was_changed", "bool", [(f"const {p.T.cursor} *", "cursor")],
           "Has the container been changed since the pass began? After the end of the pass: had it been by then?",
           body=("passes", "was_changed"), inline=True)
        return
    cost = CONSTANT if p.when.by_passes else p.removal.standing_cost + p.order.leaving + p.indexes.upkeep
    statuses = ("ABSENT",) + of.replayed
    op("take_current_", of.status, [of.me, *p.passes.standing],
       f"The part of {p.T.remove_current} that is not inlined into loops.",
       cost, of.remove_moves, ("passes", "remove_current"), statuses=statuses)
    if p.removal.hands_out:
        _take_current(p, op, of, cost)
    if p.reasons and p.removal.policy.updates:
        op("drop_expired_", of.status, [of.me, *p.passes.standing], f"The same of {p.T.expire_current_}.", cost, of.remove_moves,
           ("passes", "drop_expired"), statuses=statuses)
        op("expire_current_", of.status, [of.cursor], f"As {p.T.remove_current}, of an element that has expired.", cost,
           of.remove_moves, ("passes", "drop_expired_here"), statuses=statuses)
    hooked = any(p.hooks[name] for name in ("remove", "destroy", "move")) and not p.when.by_passes
    op("remove_current", of.status, [of.cursor],
       sentences("Removes the current element of the pass. Returns ABSENT if it has been removed already; with BESPOKE_CHECKS "
                 "that is misuse and stops the program.", "Its hooks must not use this cursor." * hooked),
       cost, of.remove_moves, ("passes", "remove_current_here"), inline=True, statuses=statuses)


def _take_current(p: Parts, op: Add, of: Costs, cost: Cost) -> None:
    """What a pass stands on is removed, and is the caller's."""
    taken = (pointer_to(p.item), "taken")
    op("hand_over_current_", of.status, [of.me, *p.passes.standing, taken],
       f"The part of {p.T.take_current} that is not inlined into loops.",
       cost, of.remove_moves, ("passes", "take_current"), statuses=("ABSENT",))
    op("take_current", of.status, [of.cursor, taken],
       f"As {p.T.remove_current}, but the element is the caller's: `*taken` is it, and the destroy hook is not called."
       if p.hooks["destroy"] else f"As {p.T.remove_current}; `*taken` is the element.",
       cost, of.remove_moves, ("passes", "take_current_here"), inline=True, statuses=("ABSENT",))


def updates(p: Parts, op: Add, of: Costs) -> None:
    """Updates of all elements, and locks."""
    by_value, updates = p.element.by_value, p.removal.policy.updates
    if updates:
        _update(p, op, of)
    if p.container.is_layer and updates:
        op("prune", "void", [of.me], "Removes all expired elements, without an update.", LINEAR,
           p.removal.invalidated_by_update, ("passes", "prune"))
    if p.when.deferred:
        op("lock", "void", [of.me], sentences("Locks the container: changes are pending until it is unlocked as often.",
                                              "A pass locks it, too." * p.when.by_passes, p.when.while_locked),
           body=("passes", "lock"))
        op("unlock", of.status, [of.me], "Releases one lock; the last one replays the pending changes in the order in which they "
           "were made."
           + f" After NO_MEMORY none of them has taken effect and all stay pending until {p.T.settle}." * bool(of.memory),
           p.when.replaying + p.removal.compacting, p.when.replay_moves, ("passes", "unlock"),
           statuses=("ABSENT",) + of.memory)
        op("is_locked", "bool", [of.const_me], "Is it locked, or are changes pending?", body=("passes", "is_locked"), inline=True)


def _update(p: Parts, op: Add, of: Costs) -> None:
    """What updates all elements, and removes those that have expired."""
    hook, any_hook = p.hooks["update"] is not None, any(p.hooks.values())
    order = ", from the last to the first," * p.removal.policy.sweeps_back
    does = f"Updates every element{order or ','} {_ASKS[p.container['removal.ask']]}," if hook \
        else f"Tests every element once{order}"
    upwards = p.order.asks_upwards and p.passes.begins_back and hook and p.removal.asks_before
    op("update", "void", [of.me] + [(p.update_context, "context")] * (p.update_context is not None),
       sentences(f"{does} and removes expired ones.", "Hooks may add, remove, clear and begin passes of their own." * any_hook,
                 p.passes.update_beyond),
       LINEAR + case(", plus a walk up the tree for each") if upwards else LINEAR, p.removal.invalidated_by_update,
       ("passes", "update"), inline=p.removal.update_in_header)
