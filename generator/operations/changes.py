"""What has changed since a version."""

from __future__ import annotations

from ..language.costs import CONSTANT, Cost
from ..parts.container_parts import Parts
from ..text.sentences import sentences
from .costs import Costs
from .operation import Add


def changes(p: Parts, op: Add, of: Costs) -> None:
    """The version, and the changes since one."""
    if not p.changes.recorded:
        return
    T, TT = p.T, p.TT
    brought = " or ".join([T.rollback] * bool(p.container["emit.snapshot"]) + [T[p.persist.reads]] * p.persist.saves)
    op("version", "uint64_t", [of.const_me],
       f"Returns the version of the container: a number that grows with each add, removal and {T.mark}, and never shrinks until "
       f"{T.deinit}. One that was never changed has version 0.", body=("changes", "version"), inline=True)
    op("mark", of.status, [of.me, (T.handle, "handle")],
       "Reports that the content of an element was changed: what is written through a pointer, the container does not see. "
       "Returns STALE if the element has been removed.", CONSTANT, "nothing", ("changes", "mark"), statuses=("STALE",))
    op("mark_element", of.status, [of.me, p.sought],
       f"As {T.mark}, of the element {'in this row' if p.element.rows else 'at this address'}. Returns ABSENT if there is "
       "none.", p.lookup.locating(), "nothing", ("changes", "mark_element"), statuses=("ABSENT",))
    op("changes_since", T.changes, [of.const_me, ("uint64_t", "version")],
       sentences(f"Begins a loop over what has changed since this version of the container, for {TT.EACH_CHANGE}: each index of "
                 "a handle whose element was added, removed or marked since is visited once, in the order of these last changes. "
                 "Since version 0 these are all that ever had an element.",
                 f"After {brought} what differs has changed with it." if brought else ""),
       Cost("changes"), "nothing", ("changes", "changes_since"))
    op("next_change", "bool", [(f"{T.changes} *", "changes")],
       f"Goes on to the next change: `kind`, `handle`, `element` and `version` are those of it. An element is {TT.WAS_ADDED} if "
       f"it was not there at that version, {TT.WAS_MARKED} if it was, and {TT.WAS_REMOVED} if there is none now: then no earlier "
       f"handle with this index names one, and `element` is {p.nil}. Returns false behind the last one, or if the container has "
       "been changed since the loop began: with BESPOKE_CHECKS that is misuse.",
       CONSTANT, "nothing", ("changes", "next_change"))
