"""How elements are moved to other places: to those that the caller names, and to that of a key that has changed."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..text.units import where
from .costs import CONSTANT, LINEAR, SEARCHES, SEARCHES_BEFORE, Cost, Costs
from .operation import Add

_MOVES = Cost("n", ": moves the elements between")
_SEARCHES_BOTH = Cost("1", " if passes stand on both, else O(n): searches those before them", "n")
_SEARCHES_IT = Cost("n", ": searches the element and moves those between")


def moves(p: Parts, op: Add, of: Costs) -> None:
    """An element is moved: for passes that is a removal and an add."""
    linked = p.removal.linked
    cost = _MOVES if not linked else CONSTANT if p.element.named_twice else SEARCHES if of.finding == LINEAR else of.finding
    one_way = linked and not p.links.doubly and cost != SEARCHES
    if one_way:
        cost = SEARCHES_BEFORE
    moved = "nothing" if linked or p.element.by_pointer else "all elements, until the gap is closed" if p.removal.kept.gap else "the element and those between"
    seen = _seen_moved(p)
    gone = f"Returns ABSENT if %s not in the container{', or is being removed' * p.removal.notifies_each}. "
    if p.order.refiles:
        unique = p.order.refuses_equal
        held = p.order.refiles_identity and p.element.by_pointer
        op("rekey", of.status, [of.me, p.sought],
           "Moves an element to its place after its key has changed, up or down: call it before any other function. "
           + ("Returns DUPLICATE if another element has the new key: the container is then unchanged, so restore the old one. " if unique
              else "It goes behind those that are equal. ")
           + (f"What the index has it under must not change{where(f'{p.T.rekey_index}', f': see {p.T.rekey_index}')}. " if p.index.by_key and p.lookup.keyed else "")
           + gone % "it is" + seen, Cost("n", ": searches its place") if linked else _SEARCHES_IT if held else _MOVES, moved, ("moving", "rekey"),
           statuses=("ABSENT",) + ("DUPLICATE",) * unique)
    if p.index.rekeys:
        _rekey(p, op, of, seen)
    if p.order.exchanges:
        _swap(p, op, of, gone % "one of them is")
    if p.order.reparents:
        _subtrees(p, op, of, gone)
    if not p.order.moves:
        return
    for name, place in (("before", "right before `at`"), ("after", "right after `at`"), ("to_front", "before all others"), ("to_back", "after all others")):
        beside = name in ("before", "after")
        brief = f"As {p.T.move_before}, {place}." if name != "before" else \
            f"Moves an element {place}, unless it is there. " + gone % "one of them is" + seen
        op(f"move_{name}", of.status, [of.me, p.sought] + [(p.sought[0], "at")] * beside, brief,
           _SEARCHES_BOTH if one_way and name == "before" else cost, moved, ("moving", f"move_{name}"), statuses=("ABSENT",))


def _seen(p: Parts, not_visited: str, visited: str) -> str:
    """What live passes do with what is moved."""
    if not p.passes.removes:
        return "Ends live passes."
    return "No pass may be live." if p.passes.removes_current else f"Live passes {not_visited if p.passes.bounded else visited}."


def _seen_moved(p: Parts, it: str = "it", it_is: str = "it is") -> str:
    return _seen(p, f"do not visit {it}", f"visit {it} if {it_is} moved ahead of them, also if they have visited {it} before")


def _swap(p: Parts, op: Add, of: Costs, gone: str) -> None:
    """Two elements exchange their places. Where order is free, the places behind a pass stay behind it: elements are moved across it by removals."""
    free = "visit what comes to a place ahead of them, also a second time, and not what comes to a place behind them, or to that where they stand"
    seen = _seen(p, free, free) if p.order.free else _seen(
        p, "visit neither", "visit each that is moved ahead of them, also if they have visited it before, and to where they stand")
    cost = Cost("n", ": searches them") if of.finding == LINEAR else of.finding
    if p.element.named_twice:
        cost = Cost(expected=p.index.kind == "hash" and p.removal.dense)
    op("swap_places", of.status, [of.me, (p.sought[0], "a"), (p.sought[0], "b")], "Exchanges the places of two elements. " + gone + seen,
       cost, "both elements" if p.element.held_in_place and not p.removal.linked else "both rows" if p.element.rows else "nothing",
       ("moving", "swap_places"), statuses=("ABSENT",))


def _subtrees(p: Parts, op: Add, of: Costs, gone: str) -> None:
    """An element of a tree is moved with all its descendants: for passes each of them is removed and added."""
    cost = Cost("n", ": moves its descendants one by one; plus a walk up the tree" + "; searches it" * (of.finding == LINEAR))
    cycle = "Returns CYCLE if its parent would be the element itself or one of its descendants, and changes nothing then. "
    beside = {"before": "right before `at`, with the same parent", "after": "behind `at` and all its descendants, with the same parent",
              "to_front": "before its siblings", "to_back": "behind its siblings",
              "to_parent": f"to another parent, as its last child; {p.nil}: to the top, as the last of all"}
    for name, place in beside.items():
        other = {"before": "at", "after": "at", "to_parent": "parent"}.get(name)
        op(f"move_{name}", of.status, [of.me, p.sought] + ([(p.sought[0], other)] if other else []),
           f"Moves an element, with all its descendants, {place}, unless it is there. "
           + (gone % "one of them is" + cycle if other else gone % "it is") + _seen_moved(p, "them", "they are"),
           cost, "nothing", ("moving", f"subtree_{name}"), statuses=("ABSENT",) + ("CYCLE",) * (other is not None))


def _rekey(p: Parts, op: Add, of: Costs, seen: str) -> None:
    """An element gets another key in the index."""
    handle = (p.T.handle, "handle")
    refused = ("DUPLICATE",) + (("RANGE",) if p.index.keys is not None else ("NO_MEMORY",) if p.index.table_grows else ())
    why = {"DUPLICATE": "DUPLICATE if another element has the new key", "RANGE": "RANGE if that is too large", "NO_MEMORY": "NO_MEMORY if the table cannot grow"}
    if p.when.deferred:
        why["DUPLICATE"] += ", or is to be added with it"
    files, both = p.index.files, f", {p.T.rekey} too" if p.index.rekey_name != "rekey" else ""
    op(p.index.rekey_name, of.status, [of.me, handle if p.handles.given else p.sought, *p.key.params],
       "Updates the index after the key of an element has changed" + ", and moves it to its place" * files + f"; `key` is the one that it had{p.key.kept}. Call it before any other function{both}. "
       + "It takes effect immediately, also while the container is locked. " * p.when.deferred + "Returns "
       + " and ".join(why[status] for status in refused) + f": the {'container' if files else 'index'} is then unchanged, so restore the old key. Returns "
       + ("STALE if the element has been removed, " if p.handles.given else "") + f"ABSENT if it is not in the container, or `key` is not the one that it had: what it has now is then in the index all the same."
       + f"{' ' + seen if files else ''}",
       Cost("n", ": searches its place") if files else of.finding, body=("moving", "rekey_index"), statuses=("STALE",) * p.handles.given + ("ABSENT",) + refused)
