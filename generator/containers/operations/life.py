"""What makes, empties and checks a container, and what is asked of it."""

from __future__ import annotations

from ...parts import Parts
from ...text.units import where
from .costs import Costs
from .operation import Add


def life(p: Parts, op: Add, of: Costs) -> None:
    """What makes, empties and checks it, and what gives and takes memory."""
    c, T, by_value, deferred, slots = p.container, p.T, p.element.by_value, p.when.deferred, p.removal.kept
    status, me, const_me, moves = of.status, of.me, of.const_me, of.moves
    all_move, full, memory = of.all_move, of.full, of.memory
    if c["allocator.kind"] == "custom":
        op("init", "void", [me, ("void *", "context")],
           "Makes it a valid, empty container whose memory comes from the allocator with this context. Allocates nothing.",
           body=("lifecycle", "init"))
    else:
        op("init", "void", [me], "Makes it a valid, empty container, as zero-initialising it does. Allocates nothing.",
           body=("lifecycle", "init"))
    gone = "Takes all elements out" + (", with their hooks," if p.removal.notifies_each else "")
    op("deinit", "void", [me], f"{gone}{'' if p.element.intrusive else ' and gives all memory back'}. The container is then empty and can be used again. "
       "No pass may go on after it"
       + (", and handles from before are worth nothing: later elements may get the same." if p.handles.given else "."),
       "O(n)" if p.removal.notifies_each or p.index.kind == "intrusive" or p.element.intrusive else f"O(n / {p.storage.chunk})" if p.storage.chunk else "O(1)",
       "every element is gone", ("lifecycle", "deinit"))
    if p.storage.allocated:
        op("reserve", status, [me, ("size_t", "count")],
           "Makes room for `count` elements in all, so that adds up to that many cannot fail"
           + (" while nothing is locked and no dead slots are in the way" if deferred else
              " while no dead slots are in the way" if slots.dead else "")
           + (", and no key is larger than those before." if p.index.kind == "dense" and c["index.keys"] is None else "."), "O(n)",
           all_move if moves else "nothing", ("lifecycle", "reserve"), statuses=full + memory)
    if p.storage.allocated and not p.storage.fixed:
        op("shrink_to_fit", status, [me], "Gives back memory that no element needs"
           + (": all behind the last element." if slots.bitmap and not slots.dead and not p.handles.generational else
              f": all behind the last {'number' if p.handles.mapped else 'slot'} that was ever in use, since a handle may know of it."
              if p.handles.given else ".")
           + " While a pass is live it does nothing.",
           "O(n)", all_move if moves else "nothing", ("lifecycle", "shrink_to_fit"), statuses=memory)
    settle_doc = ("A frame boundary: no pass may be live. Ends passes that were abandoned"
                  + (", replays a journal that is left" + where(f"{T}_lock", f" (unless {T}_lock holds it)") if deferred else "")
                  + (", lets go of all elements that have expired" if p.removal.sweeps else "")
                  + (", tightens the storage" if slots.tightens else "")
                  + (", shrinks it when little of it has been used for long" if p.storage.shrink else "") + ".")
    settle_params = [me] + ([("double", "seconds")] if p.storage.shrink and p.storage.shrink["seconds"] else [])
    if len(settle_params) == 2:
        settle_doc += " `seconds`: since the last call."
    op("settle", status, settle_params, settle_doc,
       "O(n)" if p.removal.sweeps else "O(1)" + (", then O(changes that wait)" if deferred else "")
       + (", O(n) when there is something to tighten" if slots.tightens or p.storage.shrink else ""),
       "elements may move" if slots.tightens and by_value or p.storage.shrink and moves else "nothing",
       ("lifecycle", "settle"), statuses=memory if deferred or p.storage.shrink else ())
    op("check", "const char *", [const_me], "Verifies every invariant. NULL: all hold; else which one does not.", "O(n)",
       "nothing", ("lifecycle", "check"))


def questions(p: Parts, op: Add, of: Costs) -> None:
    """What is asked of it as a whole, or of one element."""
    T, deferred, policy = p.T, p.when.deferred, p.removal.policy
    const_me, reading, finding = of.const_me, of.reading, of.finding
    inexact = ""
    if p.removal.expired is not None:
        inexact = " Those that have expired count" + (where(f"{T}_update", f" until {T}_update lets go of them") + "." if policy.updates
                                                      else f" until a pass or {T}_settle comes across them.")
    view = " What a live pass sees: changes that wait are not in it." if deferred else ""
    op("count", "size_t", [const_me], "The number of elements." + inexact + view, body=("lifecycle", "count"), inline=True)
    op("is_empty", "bool", [const_me], "Is there no element?" + view, body=("lifecycle", "is_empty"), inline=True)
    if not p.element.intrusive:
        op("capacity", "size_t", [const_me], "The number of slots there is memory for.", body=("lifecycle", "capacity"), inline=True)
    contains_doc = "Is this element in?"
    if p.element.rows:
        contains_doc = "Does this row hold an element?"
    elif p.element.by_value and p.element.addressed:
        contains_doc = "Does this address hold an element of the container?"
    elif p.lookup.keyed:
        contains_doc = "Is an equal element in?"
    op("contains", "bool", [const_me, p.sought], contains_doc + view, "O(1)" if p.element.rows else finding, "nothing", ("elements", "contains"))
    if deferred:
        op("will_contain", "bool", [const_me, p.sought],
           "Will it be in when the journal is replayed?", "O(1)" if p.element.rows else finding if p.when.has_table else "O(n + changes that wait)",
           "nothing", ("elements", "will_contain"))
        op("predicted_count", "size_t", [const_me], "What the count will be when the journal is replayed.",
           body=("passes", "predicted_count"), inline=True)
    if p.lookup.finds_key:
        op("find", p.ref, [reading, ("uint64_t", "key")], f"The element with this key, or {p.nil}." + view,
           finding, "nothing", ("elements", "find"))
