"""What other threads may call."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..language.costs import CONSTANT, Cost
from .costs import Costs
from .operation import Add


def threads(p: Parts, op: Add, of: Costs) -> None:
    """Changes that workers note, and adds of any thread."""
    T, me, status = p.T, of.me, of.status
    null = ("ABSENT",) if p.element.by_pointer else ()
    if p.workers.journals:
        worker = [me, (p.size, "worker")]
        key = [("uint64_t", "key")] if p.workers.keyed else []
        cost = Cost(amortised=True) + p.workers.keeping_order
        named = (T.handle, "handle") if p.workers.by_handle else p.sought
        absent = "STALE" if p.workers.by_handle else "ABSENT"
        absences = (absent,) + (("FOREIGN",) if p.index.knows_foreign and not p.workers.by_handle else ())
        searches = p.lookup.given + cost
        where = " It is named by its place: nothing else may change the container before that." if p.workers.by_slot else ""
        op("worker_add", status, [*worker, *key, (p.item, "element")],
           f"While workers run, notes that worker number `worker` adds an element. Returns QUEUED: {T.settle} adds it, or drops "
           f"it if {T.add} refuses it then"
           + (" (the destroy hook is called for it)" if p.hooks["destroy"] is not None and p.element.by_value else "")
           + ". Each worker has a number below " + f"{p.TT.WORKERS} of its own."
           + p.workers.unnoted,
           cost, "nothing", ("workers", "worker_add"), statuses=("QUEUED", *of.memory, "ABSENT"))
        op("worker_remove", status, [*worker, *key, named],
           f"Notes that a worker removes an element. Returns {absent} if it is not in the container, else QUEUED: {T.settle} "
           "removes it, once if several workers do so."
           + where + (f" {T.settle} calls hooks when all such elements have been removed." if p.removal.notifies_each else ""),
           searches, "nothing", ("workers", "worker_remove"), statuses=("QUEUED", *of.memory, "ABSENT", *absences))
        if p.workers.updates:
            value = [named, (p.item, "value")] if p.workers.update_names else [p.sought]
            op("worker_update", status, [*worker, *key, *value],
               ("Notes that a worker replaces the content of an element, also of another worker's part" if p.workers.update_names
                else
                "Notes that a worker replaces the equal element, also of another worker's part")
               + f": {T.settle} assigns it, and calls no hook. Of several updates of an element the last one counts. Returns "
                 f"{absent} if it is not in the container." + where,
               searches, "nothing", ("workers", "worker_update"), statuses=("QUEUED", *of.memory, "ABSENT", *absences))
    if p.inbox.queue:
        op("inbox_add", status, [me, (p.item, "element")],
           f"Adds an element from any thread, at any time. Returns QUEUED: {T.settle} adds it, or drops it if {T.add} refuses "
           "it for another reason than that the container is full" + p.weight.refused
           + (" (the destroy hook is called for it)" if p.hooks["destroy"] is not None and p.element.by_value else "")
           + f"; or FULL, immediately, if {p.TT.INBOX} elements wait. Takes no lock. "
           f"No thread may be in it during {T.init} and {T.deinit}"
           + (", which calls the destroy hook for pending adds." if p.hooks["destroy"] is not None and p.element.by_value
              else ", which drops pending adds."),
           CONSTANT, "nothing", ("inbox", "inbox_add"), statuses=("QUEUED", "FULL", *null))
