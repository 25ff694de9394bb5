"""What several operations cost, and what they may return."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Tuple

from ..parts.container_parts import Parts

FELLING = "O(1) for each removed element, plus a walk up the tree"  # a removal from a tree


@dataclass(frozen=True)
class Costs:
    """What the operations of a container share: parameters, costs, what they invalidate, and what they may return."""

    status: str
    me: Tuple[str, str]
    const_me: Tuple[str, str]
    reading: Tuple[str, str]  # the container, where an element of it is handed out
    cursor: Tuple[str, str]
    moves: bool  # are elements copied when it grows?
    all_move: str
    finding: str
    grow_cost: str
    grow_moves: str
    waits_or_moves: str
    add_cost: str
    leave_cost: str  # of one that is found
    remove_cost: str
    remove_moves: str
    full: Tuple[str, ...]
    busy: Tuple[str, ...]
    memory: Tuple[str, ...]
    queued: Tuple[str, ...]
    all_statuses: Tuple[str, ...]  # of an add


def _kept(p: Parts) -> str:
    """What a change costs that is O(1) but for the indexes."""
    return "O(1) expected" if p.when.has_table else p.indexes.upkeep


def costs_of(p: Parts) -> Costs:
    """What several operations cost, invalidate and return."""
    c, T = p.container, p.T
    by_value, deferred, slots = p.element.by_value, p.when.deferred, p.removal.kept
    me, const_me = (f"{T} *", "list"), (f"const {T} *", "list")
    # An inline array is part of the struct: a const container has const elements.
    reading = me if p.storage.inline and by_value and not p.element.rows else const_me
    status = f"{T}_status"
    all_move = "pointers to columns" if p.element.rows else "all elements"
    cursor = (f"{T}_cursor *", "cursor")
    moves = by_value and c["addresses"] == "moving" and not p.storage.inline and not p.storage.chunk
    grow_cost = "O(1)" if not p.storage.allocated or p.storage.fixed else "O(1) amortised"
    if slots.bitmap and not slots.dead:  # the lowest free slot is looked for, 64 at a time
        grow_cost += ", at worst O(n / 64)"
    grow_moves = f"{all_move}, if it reallocates" if moves else "nothing"
    if slots.gap and by_value:
        grow_moves = "all elements, if it " + ("reallocates or compacts" if moves else "compacts")
    full = ("FULL",) if p.limit is not None or p.storage.inline or p.handles.given else ()
    busy = ("BUSY",) if p.passes.counted else ()
    memory = ("NO_MEMORY",) if p.storage.allocated else ()
    queued = ("QUEUED",) if deferred else ()
    null = ("ABSENT",) if p.element.by_pointer else ()
    duplicate = ("DUPLICATE",) if p.duplicates.unique and (not p.duplicates.replaces or p.element.by_pointer) or p.indexes.refuses else ()
    replaced = ("REPLACED",) if p.duplicates.replaces else ()
    foreign = ("FOREIGN",) if p.index.kind == "intrusive" or p.element.intrusive else ("RANGE",) if c["index.keys"] is not None else ()
    finding = "O(log n)" if p.element.addressed and p.storage.chunk and not p.element.rows else "O(1) expected" if p.index.kind == "hash" or p.when.has_table else "O(1)" if p.index.kind in ("intrusive", "dense") or p.element.intrusive or p.element.addressed else "O(log n)" if p.lookup.by_order else "O(n)"
    leave_cost = slots.cost.replace("O(1)", _kept(p))
    remove_cost, remove_moves = leave_cost, slots.moves
    named = finding  # what leaves is named by a handle, or by itself
    if p.handles.given:
        named = "O(1) expected" if "expected" in leave_cost else "O(1)"
    if named == "O(log n)":
        remove_cost = remove_cost.replace("O(1)", named)
    if p.removal.linked and not p.links.doubly:
        remove_cost = "O(1) if a pass stands on it, else O(n): searches the one before it"
    if named == "O(n)" and not p.element.rows:
        remove_cost = "O(n): searches it"
    if p.element.by_pointer:
        remove_moves = "nothing"
    if deferred:
        tightens = ", O(n) if it compacts" if named != "O(n)" else ""
        remove_cost, remove_moves = f"{named}{tightens}; while locked one entry in the journal", \
            "nothing while locked; else as " + f"{T}_unlock"
    if p.order.upkeep != "O(1)":
        grow_cost = p.order.upkeep + " amortised" * ("amortised" in grow_cost)
        remove_cost, leave_cost = (re.sub(r"O\(1\)( expected)?", p.order.upkeep, cost) for cost in (remove_cost, leave_cost))
    elif p.order.sorts_on_add:
        grow_cost = "O(log n) to find the position, O(n) to insert" if p.removal.dense else "O(n): searches the position" \
            + (", from the last element" if p.links.doubly else "")
        grow_moves = grow_moves if p.removal.linked else "the elements after it" if by_value else "nothing"
    if p.duplicates.overwrites and not p.order.queue and not p.removal.linked:
        grow_cost += "; O(n) if it is full"
    add_cost = grow_cost if not p.duplicates.unique or p.index.kind != "none" or p.element.intrusive or p.lookup.by_order else "O(n): searches duplicates"
    if add_cost.startswith("O(1)") and "expected" in _kept(p):
        add_cost = add_cost.replace("O(1) amortised", f"{_kept(p)}, amortised") if "amortised" in add_cost else add_cost.replace("O(1)", _kept(p))
    all_statuses = queued + replaced + duplicate + null + full + memory + foreign
    waits_or_moves = "nothing while locked; else " + grow_moves if deferred and grow_moves != "nothing" else grow_moves
    return Costs(status, me, const_me, reading, cursor, moves, all_move, finding, grow_cost, grow_moves,
                  waits_or_moves, add_cost, leave_cost, remove_cost, remove_moves, full, busy, memory, queued, all_statuses)
