"""How elements are moved to other places: to those that the caller names, and to that of a key that has changed."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..text.units import where
from .costs import Costs
from .operation import Add


def moves(p: Parts, op: Add, of: Costs) -> None:
    """An element is moved: for passes that is a removal and an add."""
    linked = p.removal.linked
    cost = "O(n): moves the elements between" if not linked else "O(1)" if p.element.named_twice else "O(n): searches it" if of.finding == "O(n)" else of.finding
    if linked and not p.links.doubly and cost == "O(1)":
        cost = "O(1) if a pass stands on it, else O(n): searches the one before it"
    moved = "nothing" if linked or p.element.by_pointer else "all elements, until the gap is closed" if p.removal.kept.gap else "the element and those between"
    seen = "Ends live passes." if not p.passes.removes else "No pass may be live." if p.passes.removes_current else "Live passes do not visit it." if p.passes.bounded else "Live passes visit it if it is moved ahead of them, also if they have visited it before."
    gone = f"Returns ABSENT if %s not in the container{', or is being removed' * p.removal.notifies_each}. {seen}"
    if p.order.refiles:
        op("rekey", of.status, [of.me, p.sought],
           f"Moves an element to its place after its key has changed, up or down: call it before any other function. It goes behind those that are equal. "
           + (f"What the index has it under must not change{where(f'{p.T}_rekey_index', f': see {p.T}_rekey_index')}. " if p.index.by_key and p.lookup.keyed else "")
           + gone % "it is", "O(n): searches its place" if linked else "O(n): moves the elements between", moved, ("moving", "rekey"), statuses=("ABSENT",))
    if p.index.rekeys:
        _rekey(p, op, of, seen)
    if p.order.exchanges:
        _swap(p, op, of, gone)
    if not p.order.moves:
        return
    for name, place in (("before", "right before `at`"), ("after", "right after `at`"), ("to_front", "before all others"), ("to_back", "after all others")):
        beside = name in ("before", "after")
        brief = f"As {p.T}_move_before, {place}." if name != "before" else \
            f"Moves an element {place}, unless it is there. " + gone % "one of them is"
        op(f"move_{name}", of.status, [of.me, p.sought] + [(p.sought[0], "at")] * beside, brief,
           cost, moved, ("moving", f"move_{name}"), statuses=("ABSENT",))


def _swap(p: Parts, op: Add, of: Costs, gone: str) -> None:
    """Two elements exchange their places. Where order is free, the places behind a pass stay behind it: elements are moved across it by removals."""
    if p.order.free and p.passes.removes and not p.passes.removes_current:
        gone = gone.partition("%s")[0] + "%s" + gone.partition("%s")[2].partition(". ")[0] + ". Live passes visit what comes to a place ahead of them, also a second time, and not what comes to a place behind them, or to that where they stand."
    elif p.passes.removes and not p.passes.removes_current:
        gone = gone.replace("visit it if it is moved", "visit each that is moved").replace("if they have visited it before", "if they have visited it before, and to where they stand").replace("do not visit it", "visit neither")
    found = ("O(1) expected" if p.index.kind == "hash" and p.removal.dense else "O(1)") if p.element.named_twice else "O(n): searches them" if of.finding == "O(n)" else of.finding
    op("swap_places", of.status, [of.me, (p.sought[0], "a"), (p.sought[0], "b")], "Exchanges the places of two elements. " + gone % "one of them is",
       found, "both elements" if p.element.held_in_place and not p.removal.linked else "both rows" if p.element.rows else "nothing", ("moving", "swap_places"), statuses=("ABSENT",))


def _rekey(p: Parts, op: Add, of: Costs, seen: str) -> None:
    """An element gets another key in the index."""
    handle = (f"{p.T}_handle", "handle")
    refused = ("DUPLICATE",) + (("RANGE",) if p.index.keys is not None else ("NO_MEMORY",) if p.index.table_grows else ())
    why = {"DUPLICATE": "DUPLICATE if another element has the new key", "RANGE": "RANGE if that is too large", "NO_MEMORY": "NO_MEMORY if the table cannot grow"}
    if p.when.deferred:
        why["DUPLICATE"] += ", or is to be added with it"
    files, both = p.index.files, f", {p.T}_rekey too" if p.index.rekey_name != "rekey" else ""
    op(p.index.rekey_name, of.status, [of.me, handle if p.handles.given else p.sought, *p.key.params],
       "Updates the index after the key of an element has changed" + ", and moves it to its place" * files + f"; `key` is the one that it had{p.key.kept}. Call it before any other function{both}. "
       + "It takes effect immediately, also while the container is locked. " * p.when.deferred + "Returns "
       + " and ".join(why[status] for status in refused) + f": the {'container' if files else 'index'} is then unchanged, so restore the old key. Returns "
       + ("STALE if the element has been removed, " if p.handles.given else "") + "ABSENT if the index does not have it under `key`"
       + f".{' ' + seen if files else ''}",
       "O(n): searches its place" if files else of.finding, body=("moving", "rekey_index"), statuses=("STALE",) * p.handles.given + ("ABSENT",) + refused)
