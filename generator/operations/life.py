"""What makes, empties and checks a container, and what is asked of it."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..text.units import where
from .costs import CONSTANT, LINEAR, Cost, Costs
from .operation import Add


def life(p: Parts, op: Add, of: Costs) -> None:
    """What makes, empties and checks it, and what gives and takes memory."""
    c, T, by_value, deferred, slots = p.container, p.T, p.element.by_value, p.when.deferred, p.removal.kept
    status, me, const_me, moves = of.status, of.me, of.const_me, of.moves
    all_move, full, memory = of.all_move, of.full, of.memory
    if c["allocator.kind"] == "custom":
        op("init", "void", [me, ("void *", "context")],
           "Initialises an empty container whose memory comes from the allocator with this context. Allocates nothing.",
           body=("lifecycle", "init"))
    else:
        op("init", "void", [me], "Initialises an empty container, as zero-initialising it does. Allocates nothing.",
           body=("lifecycle", "init"))
    gone = "Removes all elements" + (", with their hooks, the last one first" if p.removal.notifies_each else "") + ("" if p.element.intrusive else ", frees the memory")
    op("deinit", "void", [me], f"{gone} and ends all passes. It can be used again"
       + ("; handles from before must not be used: later elements may get the same ones." if p.handles.given else "."),
       LINEAR if p.removal.notifies_each or p.index.kind == "intrusive" or p.element.intrusive
       else Cost(f"n / {p.storage.chunk}") if p.storage.chunk else CONSTANT,
       "all elements", ("lifecycle", "deinit"))
    if p.storage.allocated:
        op("reserve", status, [me, (p.size, "count")],
           "Reserves capacity for `count` elements in total: adds up to it cannot fail"
           + (" while it is not locked and has no tombstones" if deferred else
              " while it has no tombstones" if slots.dead else "")
           + (", with keys that are not larger than those before." if p.index.kind == "dense" and c["index.keys"] is None else "."), LINEAR,
           all_move if moves else "nothing", ("lifecycle", "reserve"), statuses=full + memory)
    if p.storage.allocated and not p.storage.fixed:
        op("shrink_to_fit", status, [me], "Frees memory that no element needs"
           + (": all behind the last element." if slots.bitmap and not slots.dead and not p.handles.generational else
              f": all behind the last {'number' if p.handles.mapped else 'slot'} that was ever in use, since a handle may name it."
              if p.handles.given else ".")
           + (" Does nothing while a pass is live." if p.passes.removes else " Ends live passes if that moves elements."),
           LINEAR, all_move if moves else "nothing", ("lifecycle", "shrink_to_fit"), statuses=memory)
    settle_doc = (f"Call it once a frame, when no pass is live. Ends {'abandoned' if p.passes.removes else 'live'} passes"
                  + (", replays a journal that is left" + where(T.lock, f" (unless {T.lock} holds it)") if deferred else "")
                  + (", merges the changes of workers" if p.workers.journals else "")
                  + (", adds the elements in the inbox" if p.inbox.queue else "")
                  + (", removes all expired elements" if p.removal.sweeps else "")
                  + (", compacts the storage" if slots.tightens else "")
                  + (", shrinks it if little of it has been used for long" if p.storage.shrink else "") + ".")
    settle_params = [me] + ([("double", "seconds")] if p.storage.shrink and p.storage.shrink.seconds else [])
    pending = p.workers.journals or p.inbox.queue
    if pending:
        settle_doc += " After NO_MEMORY what was not applied stays pending." if memory or p.workers.journals else " What is FULL stays pending."
    if len(settle_params) == 2:
        settle_doc += " `seconds`: since the last call."
    changes = ["anything is pending"] * (pending and by_value) + ["it compacts"] * (slots.tightens and by_value) \
        + ["it shrinks"] * (p.storage.shrink is not None and moves)
    if not pending:
        changes = changes[:1]
    cost = Cost("1", ", then O(pending changes)" * deferred)
    if pending:
        cost = cost.noting(", then O(n / 64) and what each pending change costs", "n / 64")
    if slots.tightens or p.storage.shrink:
        cost = cost.noting(", O(n) if it compacts", "n")
    op("settle", status, settle_params, settle_doc, LINEAR if p.removal.sweeps else cost,
       f"{all_move if changes == ['it shrinks'] else 'all elements'}, if {' or '.join(changes)}" if changes else "nothing",
       ("lifecycle", "settle"), statuses=memory if deferred or pending or p.storage.shrink else ())
    op("check", "const char *", [const_me], "Verifies every invariant. Returns NULL if all hold, else a text that names one that does not.", LINEAR,
       "nothing", ("lifecycle", "check"))


def questions(p: Parts, op: Add, of: Costs) -> None:
    """What is asked of it as a whole, or of one element."""
    T, deferred, policy = p.T, p.when.deferred, p.removal.policy
    const_me, reading, finding = of.const_me, of.reading, of.finding
    inexact = ""
    if p.removal.expired is not None:
        inexact = " Expired elements count" + (where(T.update, f" until {T.update} removes them") + "." if policy.updates
                                               else f" until a pass or {T.settle} removes them.")
    view = " As a live pass sees it: without pending changes." if deferred else ""
    op("count", p.size, [const_me], "The number of elements." + inexact + view, body=("lifecycle", "count"), inline=True)
    op("is_empty", "bool", [const_me], "Is the container empty?" + view, body=("lifecycle", "is_empty"), inline=True)
    if not p.element.intrusive:
        op("capacity", p.size, [const_me], "The number of slots that are allocated.", body=("lifecycle", "capacity"), inline=True)
    contains_doc = "Is this element in the container?"
    if p.element.rows:
        contains_doc = "Does this row hold an element?"
    elif p.element.by_value and p.element.addressed:
        contains_doc = "Is this the address of an element?"
    elif p.lookup.keyed:
        contains_doc = "Is an equal element in the container?"
    op("contains", "bool", [const_me, p.sought], contains_doc + view, CONSTANT if p.element.rows else finding, "nothing", ("elements", "contains"))
    if deferred:
        op("will_contain", "bool", [const_me, p.sought],
           "Will it be in the container when the journal has been replayed?", CONSTANT if p.element.rows else finding if p.when.has_table else Cost("n + pending changes"),
           "nothing", ("elements", "will_contain"))
        op("predicted_count", p.size, [const_me], "The number of elements when the journal has been replayed.",
           body=("passes", "predicted_count"), inline=True)
    if p.lookup.finds_key:
        op("find", p.ref, [reading, *p.key.params], f"Returns the element with this key, or {p.nil}." + view,
           finding, "nothing", ("elements", "find"))
