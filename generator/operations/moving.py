"""How elements are moved to other places: to those that the caller names, and to that of a key that has changed."""

from __future__ import annotations

from ..language.costs import CONSTANT, linear
from ..parts.container_parts import Parts
from ..text.sentences import enumerated, sentence, sentences
from .costs import Costs
from .operation import Add

_PLACES = {"before": "right before `at`", "after": "right after `at`", "to_front": "before all others",
           "to_back": "after all others"}
_SUBTREE_PLACES = {
    "before": ("at", "right before `at`, with the same parent"),
    "after": ("at", "behind `at` and all its descendants, with the same parent"),
    "to_front": ("", "before its siblings"), "to_back": ("", "behind its siblings"),
    "to_parent": ("parent", "to another parent, as its last child; {nil}: to the top, as the last of all")}


def moves(p: Parts, op: Add, of: Costs) -> None:
    """An element is moved: for passes that is a removal and an add."""
    seen = _seen_moved(p)
    being = ", or is being removed" * p.removal.notifies_each
    unmarked = "".join(f"Returns {status} if there is no record for a pass that has visited it: then nothing is moved."
                       for status in p.passes.busy_status * p.passes.marks)
    it, both = (f"Returns ABSENT if {what} not in the container{being}." for what in ("it is", "one of them is"))
    if p.order.refiles:
        _refile(p, op, of, it, seen)
    if p.index.rekeys:
        _rekey(p, op, of, seen)
    if p.order.exchanges:
        _swap(p, op, of, both)
    if p.order.reparents:
        _subtrees(p, op, of, it, both)
    for name, place in _PLACES.items() if p.order.moves else ():
        beside, side = name in ("before", "after"), "before" if name in ("before", "to_front") else "after"
        brief = f"As {p.T.move_before}, {place}." if name != "before" \
            else sentences(f"Moves an element {place}, unless it is there.", both, seen, unmarked)
        op(f"move_{name}", of.status, [of.me, p.sought] + [(p.sought[0], "at")] * beside, brief,
           p.lookup.locating() + p.order.shifting(f"move_{name}"), p.order.shifted, ("moving", "move", side, "at" * beside),
           statuses=("ABSENT",) + p.passes.busy_status * p.passes.marks)


def _refile(p: Parts, op: Add, of: Costs, it: str, seen: str) -> None:
    """An element whose key has changed is moved to its place."""
    unique = p.order.refuses_equal
    op("rekey", of.status, [of.me, p.sought],
       sentences("Moves an element to its place after its key has changed, up or down: call it before any other function.",
                 "Returns DUPLICATE if another element has the new key: the container is then unchanged, so restore the old one."
                 if unique
                 else "It goes behind those that are equal.", p.index.must_keep("it"), it, seen),
       p.order.refiling, p.order.shifted, ("moving", "rekey"), statuses=("ABSENT",) + ("DUPLICATE",) * unique)


def _seen(p: Parts, not_visited: str, visited: str) -> str:
    """What live passes do with what is moved."""
    if not p.passes.removes:
        return p.passes.sorted
    return "No pass may be live." if p.passes.removes_current else f"Live passes {not_visited if p.passes.bounded else visited}."


def _seen_moved(p: Parts, it: str = "it", it_is: str = "it is") -> str:
    again = " and they have not visited it" if p.passes.marks else f", also if they have visited {it} before"
    return _seen(p, f"do not visit {it}", f"visit {it} if {it_is} moved ahead of them{again}")


def _swap(p: Parts, op: Add, of: Costs, gone: str) -> None:
    """Two elements exchange their places. Where order is free, the places behind a pass stay behind it: elements are moved
    across it by removals."""
    free = ("visit what comes to a place ahead of them, also a second time, and not what comes to a place behind them, or to "
            "that where they stand")
    seen = _seen(p, free, free) if p.order.free else _seen(
        p, "visit neither", "visit each that is moved ahead of them, also if they have visited it before, and to where they "
                            "stand")
    cost = p.lookup.locating("them") + (p.indexes.upkeep if p.removal.dense else CONSTANT)
    op("swap_places", of.status, [of.me, (p.sought[0], "a"), (p.sought[0], "b")],
       sentences("Exchanges the places of two elements.", gone, seen), cost,
       "both elements" if p.element.held_in_place and not p.removal.linked else "both rows" if p.element.rows else "nothing",
       ("moving", "swap_places"), statuses=("ABSENT",))


def _subtrees(p: Parts, op: Add, of: Costs, it: str, both: str) -> None:
    """An element of a tree is moved with all its descendants: for passes each of them is removed and added."""
    cost = p.lookup.locating() + p.order.shifting("move")
    cycle = "Returns CYCLE if its parent would be the element itself or one of its descendants, and changes nothing then."
    for name, (other, place) in _SUBTREE_PLACES.items():
        op(f"move_{name}", of.status, [of.me, p.sought] + [(p.sought[0], other)] * bool(other),
           sentences(f"Moves an element, with all its descendants, {place.format(nil=p.nil)}, unless it is there.",
                     *((both, cycle) if other else (it,)), _seen_moved(p, "them", "they are")),
           cost, "nothing", ("moving", "move_subtree", name, other), statuses=("ABSENT",) + ("CYCLE",) * bool(other))


def _rekey(p: Parts, op: Add, of: Costs, seen: str) -> None:
    """An element gets another key in the index."""
    files, gone = p.index.files, ("STALE",) * p.handles.given
    unchanged = f"the {'container' if files else 'index'} is then unchanged, so restore the old key"
    op(p.index.rekey_name, of.status, [of.me, (p.T.handle, "handle") if gone else p.sought, *p.key.params_as("old_key")],
       sentences(sentence("Updates the index after the key of an element has changed", ", and moves it to its place" * files,
                          f"; `old_key` is the one that it had{p.key.kept}"),
                 sentence("Call it before any other function", f", {p.T.rekey} too" * (p.index.rekey_name != "rekey")),
                 p.when.rekeyed,
                 f"Returns {enumerated([f'{status} {why}' for status, why in p.index.rekey_refusals.items()])}: {unchanged}.",
                 "Returns " + "STALE if the element has been removed, " * bool(gone)
                 + "ABSENT if it is not in the container, or `old_key` is not "
                 "the one that it had: what it has now is then in the index all the same.", seen * files),
       linear("searches its place") if files else of.finding + p.when.table, body=("moving", "rekey_index"),
       statuses=gone + ("ABSENT",) + tuple(p.index.rekey_refusals))
