"""What several operations cost, and what they may return."""

from __future__ import annotations

from typing import NamedTuple, Tuple

from ..language.costs import CONSTANT, LINEAR, Cost
from ..parts.container_parts import Parts

FELLING = Cost("1", " for each removed element, plus a walk up the tree")  # a removal from a tree
SEARCHES = Cost("n", ": searches it")
SEARCHES_BEFORE = Cost("1", " if a pass stands on it, else O(n): searches the one before it", "n")  # where links lead one way


class Costs(NamedTuple):
    """What the operations of a container share: parameters, costs, what they invalidate, and what they may return."""

    status: str
    me: Tuple[str, str]
    const_me: Tuple[str, str]
    reading: Tuple[str, str]  # the container, where an element of it is handed out
    cursor: Tuple[str, str]
    moves: bool  # are elements copied when it grows?
    all_move: str
    finding: Cost
    naming: Cost  # of the element that the caller has in hand
    grow_cost: Cost
    grow_moves: str
    waits_or_moves: str
    add_cost: Cost
    leave_cost: Cost  # of one that is found
    remove_cost: Cost
    remove_moves: str
    full: Tuple[str, ...]
    busy: Tuple[str, ...]
    memory: Tuple[str, ...]
    queued: Tuple[str, ...]
    all_statuses: Tuple[str, ...]  # of an add


def indexed(p: Parts, cost: Cost) -> Cost:
    """What a change costs with the indexes, if it is O(1) without them."""
    if cost.bound != "1":
        return cost
    if p.indexes.ordered:
        return cost._replace(bound="log n", expected=True)
    return cost._replace(expected=True) if p.indexes.hashed or p.when.has_table else cost


def costs_of(p: Parts) -> Costs:
    """What several operations cost, invalidate and return."""
    c, T = p.container, p.T
    by_value, deferred, slots = p.element.by_value, p.when.deferred, p.removal.kept
    me, const_me, cursor = (f"{T} *", "list"), (f"const {T} *", "list"), (f"{T.cursor} *", "cursor")
    # An inline array is part of the struct: a const container has const elements.
    reading = me if p.storage.inline and by_value and not p.element.rows else const_me
    status = T.status
    all_move = "pointers to columns" if p.element.rows else "all elements"
    moves = by_value and c["addresses"] == "moving" and not p.storage.inline and not p.storage.chunk
    grow_cost = Cost(amortised=p.storage.allocated and not p.storage.fixed)
    if slots.bitmap and not slots.dead:  # the lowest free slot is looked for, 64 at a time
        grow_cost = grow_cost.noting(", at worst O(n / 64)", "n / 64")
    grow_moves = f"{all_move}, if it reallocates" if moves else "nothing"
    if slots.gap and by_value:
        grow_moves = "all elements, if it " + ("reallocates or compacts" if moves else "compacts")
    full = ("FULL",) if p.limit is not None or p.storage.inline or p.handles.given else ()
    busy = ("BUSY",) if p.passes.counted else ()
    memory = ("NO_MEMORY",) if p.storage.allocated else ()
    queued = ("QUEUED",) if deferred else ()
    null = ("ABSENT",) if p.element.by_pointer else ()
    duplicate = ("DUPLICATE",) if p.adding.unique and (not p.adding.replaces or p.element.by_pointer) or p.indexes.refuses else ()
    replaced = ("REPLACED",) if p.adding.replaces else ()
    foreign = ("FOREIGN",) if p.index.kind == "intrusive" or p.element.intrusive else ("RANGE",) if c["index.keys"] is not None else ()
    hashed = p.index.kind == "hash" or p.when.has_table
    finding = Cost("log n") if p.element.addressed and p.storage.chunk and not p.element.rows else Cost(expected=True) if hashed \
        else CONSTANT if p.index.kind in ("intrusive", "dense") or p.element.intrusive or p.element.addressed \
        else Cost("log n") if p.lookup.by_order else LINEAR
    leave_cost = indexed(p, slots.cost)
    remove_cost, remove_moves = leave_cost, slots.moves + slots.per_pass * p.passes.removes
    named = finding  # what leaves is named by a handle, or by itself
    if p.handles.given:
        named = Cost(expected=leave_cost.expected)
    if named.bound == "log n" and remove_cost.bound == "1":
        remove_cost = remove_cost._replace(bound=named.bound)
    if p.removal.linked and not p.links.doubly:
        remove_cost = SEARCHES_BEFORE
    if named == LINEAR and not p.element.rows:
        remove_cost = SEARCHES
    if p.element.by_pointer:
        remove_moves = "nothing"
    if deferred:
        tightens = ", O(n) if it compacts" if named != LINEAR else ""
        remove_cost, remove_moves = named.noting(f"{tightens}; while locked one entry in the journal", "n"), f"nothing while locked; else as {T.unlock}"
    if p.order.upkeep != CONSTANT:
        grow_cost = p.order.upkeep._replace(amortised=grow_cost.amortised)
        remove_cost, leave_cost = (cost._replace(bound=p.order.upkeep.bound, expected=False) if cost.bound == "1" else cost for cost in (remove_cost, leave_cost))
    elif p.order.sorts_on_add:
        grow_cost = Cost("log n", " to find the position, O(n) to insert", "n") if p.removal.dense \
            else Cost("n", ": searches the position" + ", from the last element" * p.links.doubly)
        grow_moves = inserted_moves(p, grow_moves)
    if p.adding.overwrites and not p.order.queue and not p.removal.linked:
        grow_cost = grow_cost.noting("; O(n) if it is full", "n")
    add_cost = grow_cost if not p.adding.unique or p.index.kind != "none" or p.element.intrusive or p.lookup.by_order else Cost("n", ": searches duplicates")
    add_cost = indexed(p, add_cost)
    all_statuses = queued + replaced + duplicate + null + full + memory + foreign
    waits_or_moves = "nothing while locked; else " + grow_moves if deferred and grow_moves != "nothing" else grow_moves
    return Costs(status, me, const_me, reading, cursor, moves, all_move, finding, _naming(p, finding), grow_cost, grow_moves,
                  waits_or_moves, add_cost, leave_cost, remove_cost, remove_moves, full, busy, memory, queued, all_statuses)


def _naming(p: Parts, finding: Cost) -> Cost:
    """What it costs to find the element that the caller has in hand, where an equal one is not meant."""
    if p.element.named_twice and not p.element.alone_with_its_key:
        return Cost("n", ": looks through the chunks") if p.storage.chunk else CONSTANT
    return LINEAR if p.element.shares_keys else finding


def inserted_moves(p: Parts, grow_moves: str) -> str:
    """What an add at any position invalidates: elements that it moves, and what growth moves."""
    if p.removal.linked:
        return grow_moves
    return "; ".join(["the elements after it"] + [grow_moves] * (grow_moves != "nothing")) if p.element.by_value else "nothing"
