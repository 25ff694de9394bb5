"""How elements are added: one, several, from another container."""

from __future__ import annotations

from typing import Any, List, Tuple

from ..parts.container_parts import Parts
from ..text.units import where as only_with
from ..types.declare import constant, pointer_to
from .costs import CONSTANT, LINEAR, Cost, Costs, inserted_moves
from .operation import Add


_GIVE_IT = ("add", "add_child", "insert_before", "insert_after")


def adds(p: Parts, op: Add, of: Costs) -> None:
    """How one element is added; with handles, also so that the caller receives the handle, and where the spec names it, the element.
    A pending add has none yet."""
    chosen = p.container["emit.operations"] or ()

    def both(name: str, result: str, params: List[Tuple[str, str]], brief: str, *rest: Any, **more: Any) -> None:
        op(name, result, params, brief, *rest, **more)
        if name in _GIVE_IT and p.handles.given and not p.when.deferred:
            op(f"{name}_handle", result, params + [(f"{p.T.handle} *", "added")], f"As {p.T[name]}; `*added` is the handle of the new element, or of none.",
               *rest[:-1], ("elements", f"{name}_handle"), statuses=more["statuses"])
        if name in _GIVE_IT and f"{name}_get" in chosen and p.adding.gives:
            op(f"{name}_get", result, params + [(pointer_to(p.ref), "added")], f"As {p.T[name]}; `*added` is the new element, or {p.nil}.",
               *rest[:-1], ("elements", f"{name}_get"), statuses=more["statuses"])
    if p.element.members:
        op("prepare", "void", [(p.ref, "element")], f"Sets {p.element.members_in_words} of an element in memory that was not zeroed: it is in no container then. "
           "Must not be called while it is in one.", body=("elements", "prepare"))
    _adds(p, both, of)


def _adds(p: Parts, op: Add, of: Costs) -> None:
    c, by_value = p.container, p.element.by_value
    status, me, finding, grow_cost, grow_moves, waits_or_moves = of.status, of.me, of.finding, of.grow_cost, of.grow_moves, of.waits_or_moves
    add_cost, full, memory, all_statuses = of.add_cost, of.full, of.memory, of.all_statuses
    seen = {"visited": "Live passes visit it" + (" if it is added ahead of them." if p.order.inserts else "."), "next": "Live passes do not visit it.",
            "deferred": "While the container is locked, the add is pending in the journal."}[c["iteration.adds"]]
    ahead = seen if p.passes.bounded else "Live passes visit it if it is added ahead of them, also right where a pass continues."
    if not p.passes.removes:
        seen = ahead = "Ends live passes."
    what = "Adds an element" if p.element.by_pointer else "Adds a copy of the element"
    takes = ""
    if p.element.link_back:
        takes = f" Returns FOREIGN if it is in another container: `{p.element.link_back}` must be {'NULL' if p.element.intrusive else '0'} before," \
            f" as it is in zeroed memory{only_with(f'{p.T.prepare}', f', or after {p.T.prepare}')}."
    if p.indexes.refuses:
        names = [each.index.called for each in p.indexes.named if each.index.unique]
        takes += f" Returns DUPLICATE if an element has its key in the index {' or '.join(filter(None, (', '.join(names[:-1]), names[-1])))}."
    owner = " After a failure the caller still owns it." if p.element.by_pointer else ""
    instead = (" Replaces an equal element, also in live passes, and returns REPLACED then."
               + (" Returns DUPLICATE if it is the same element." if p.element.by_pointer else "")) if p.adding.replaces else ""
    if p.index.kind == "dense" and c["index.keys"] is None:
        takes += " The table is as long as the largest key, so a very large key takes much memory."
    op("add", status, [me, (p.item, "element")], f"{what}.{takes} {seen}" + instead + _overwriting(p, "first") + owner, add_cost,
       _or_removed(p, waits_or_moves), ("elements", "add"), inline=p.adding.emplaces,
       statuses=all_statuses, fills=p.adding.emplaces)
    if p.order.both_ends:
        op("add_front", status, [me, (p.item, "element")], f"{what} as the first." + takes
           + f" {ahead}" + instead + _overwriting(p, "last") + owner,
           add_cost, _or_removed(p, grow_moves), ("ends", "add_front"), statuses=all_statuses, inline=p.removal.ends_move_alone, fills=p.removal.ends_move_alone)
        if p.removal.ends_move_alone:
            op("open_first_", status, [me], "Makes room for a first element when a pass is live, or the container is full.", body=("ends", "open_first"),
               silent=p.silent)
    if p.adding.opens:
        op("open_", p.ref, [me, (f"{status} *", "status")],
           f"A new element with undefined content; {p.nil} if `*status` is not OK.", body=("elements", "open"))
    if p.adding.adds_at_once:
        op("make_ready_", status, [me], "Prepares the next slot for an element.", body=("elements", "make_ready"), silent=p.silent)
    if p.adding.emplaces:
        _emplace(p, op, of, seen)
    if p.order.tree:
        where = ahead + instead + owner
        for name, at, doc in (
                ("add_child", "parent", f"Adds an element as the last child of `parent`; {p.nil}: at the top. Returns ABSENT if `parent` is not in the container"),
                ("insert_before", "at", f"Adds an element right before `at`, with the same parent; {p.nil}: as the first of all. Returns ABSENT if `at` is not in the container"),
                ("insert_after", "at", f"Adds an element behind `at` and all its descendants, with the same parent; {p.nil}: as the last of all. "
                                       "Returns ABSENT if `at` is not in the container")):
            being = ", or is being removed. " if p.removal.notifies_each else ". "
            op(name, status, [me, (p.sought[0], at), (p.item, "element")], doc + being + where,
               _insert_cost(p, name, finding, add_cost).noting("; plus a walk up the tree"), grow_moves, ("elements", name),
               statuses=tuple(dict.fromkeys(("ABSENT",) + all_statuses)))
    if p.order.explicit and not p.order.tree:
        for name, where, end in (("insert_before", "before", "first"), ("insert_after", "after", "last")):
            op(name, status, [me, (p.sought[0], "at"), (p.item, "element")],
               f"Adds an element right {where} `at`; {p.nil}: as the {end} of all. Returns ABSENT if `at` is not in the container. "
               + ahead + instead + owner,
               _insert_cost(p, name, finding, add_cost), inserted_moves(p, grow_moves),
               ("elements", name),
               statuses=tuple(dict.fromkeys(("ABSENT",) + all_statuses)))


def _emplace(p: Parts, op: Add, of: Costs, seen: str) -> None:
    op("emplace", p.ref, [of.me], f"Adds an element with undefined content, to be filled in place; {p.nil} if it cannot be added. {seen}"
       + _overwriting(p, "first", f"{p.nil}, as if it were full,"), of.grow_cost, _or_removed(p, of.grow_moves), ("elements", "emplace"), inline=True, statuses=of.full + of.memory)
    if p.adding.adds_at_once:
        op("emplace_later_", p.ref, [of.me], f"As emplace, where the next slot must be prepared; {p.nil} if it cannot be.",
           body=("elements", "emplace_later"), silent=p.silent)


def _overwriting(p: Parts, which: str, full: str = "FULL") -> str:
    """What an add to a full container does with the element at the other end."""
    equal = ", or DUPLICATE if they have added one that is equal" * (p.adding.refuses and full == "FULL")
    hooks = f"; returns {full} if its hooks have filled the container again{equal}; that element stays removed" if p.removal.notifies_each else ""
    return f" If the container is full, removes the {which} element before{hooks}." if p.adding.overwrites else ""


def _stops(p: Parts, of: Costs) -> str:
    """When a bulk add stops."""
    if p.adding.overwrites:
        return "; stops when it is out of memory" * bool(of.memory)
    return "; stops when it is full or out of memory" * bool(of.full + of.memory)


def _or_removed(p: Parts, moves: str) -> str:
    """What an add invalidates, with what it overwrites."""
    if not p.adding.overwrites or not p.element.by_value:
        return moves
    removed = "the removed element" if p.order.queue else p.removal.kept.moves
    return "; ".join([moves] * (moves != "nothing") + [f"{removed}, if it is full"])


def _goes_back(p: Parts) -> str:
    """What becomes of an element that has left its container when a hook of that has filled the one that it moves to."""
    if p.when.deferred or not (p.hooks["remove"] and p.limit is not None if p.element.intrusive else p.hooks["remove"] or p.hooks["move"]):
        return ""
    equal = ", or adds an equal element" * (p.adding.unique or p.indexes.refuses)
    lost = "destroyed" if p.hooks["destroy"] else "in neither"
    return f" If a hook of an element's removal takes the last place here{equal}, it goes back; if there is no place there either, it is {lost}."


def _insert_cost(p: Parts, name: str, finding: Cost, add_cost: Cost) -> Cost:
    searches = Cost("n", ": searches `at`")
    if p.removal.dense:
        return Cost("n", ": moves the elements after it") if p.element.addressed or p.element.by_value and not p.adding.unique else searches
    if p.element.named_twice:
        finding = LINEAR if p.order.tree else CONSTANT
    if finding == LINEAR:
        return searches
    if name == "insert_before" and not p.links.doubly:
        return Cost("1", " where a pass stands, else O(n): searches the one before it", "n")
    return finding if add_cost in (CONSTANT, Cost(expected=True)) else add_cost


def bulk(p: Parts, op: Add, of: Costs) -> None:
    """How several are added at once, or moved from another container."""
    c, T, by_value = p.container, p.T, p.element.by_value
    status, me, waits_or_moves, add_cost = of.status, of.me, of.waits_or_moves, of.add_cost
    remove_cost, leave_cost, busy, all_statuses = of.remove_cost, of.leave_cost, of.busy, of.all_statuses
    replacing = (f" Replacements count, too; without a refusal they make the result REPLACED. Their number is "
                 f"`*taken` minus the growth of {T.count}." if p.adding.replaces else "")
    op("add_all", status, [me, (pointer_to(constant(p.item)), "elements"), (p.size, "count"), (f"{p.size} *", "taken")],
       f"Adds the elements of an array, which must not be the container's, in their order{', and skips refused ones' * p.adding.refuses}"
       f"{_stops(p, of)}. `*taken` (if not NULL) is the number added; the result is "
       + ("the last refusal." if p.adding.refuses else f"{'QUEUED' if p.when.deferred else 'OK'}, or why it stopped.") + replacing + _overwriting(p, "first"),
       add_cost._replace(each=True), _or_removed(p, waits_or_moves), ("elements", "add_all"), statuses=all_statuses)
    # An element whose removal waits still holds its place in this container, so it cannot have one in another.
    stops = "it stops at the first that does not fit" * bool(of.full + of.memory)
    if p.adding.refuses_moving and not p.element.intrusive:
        stay = "; refused ones stay where they are" + f", and {stops}" * bool(stops)
    else:
        stay = "" if p.element.intrusive and p.limit is None else f"; {stops}, which stays where it is, as do those behind it"
    if p.storage.transfers and p.passes.goes_through:
        # Where hooks hear of each, each leaves by itself.
        over = max(add_cost, leave_cost, key=Cost.growth) if p.removal.kept.closes_up and p.when.reenters else add_cost
        op("add_from", status, [me, (f"{T} *", "other"), (f"{p.size} *", "taken")],
           f"Moves the elements of another container to this one, in their order{stay}. "
           "`*taken` (if not NULL) is the number moved." + replacing + " It never overwrites." * p.adding.overwrites
           + (f" An empty container{' without a live pass' * p.passes.removes} takes the storage itself." if p.adding.splices else "")
           + _goes_back(p),
           over._replace(each=True, before="O(1) if it is empty, else " * p.adding.splices),
           "all elements of both" if by_value else "nothing",
           ("linked", "take_over") if p.element.intrusive else ("elements", "add_from"),
           statuses=tuple(dict.fromkeys(all_statuses + ("ABSENT",) + busy)))
    if c.is_layer and p.storage.transfers:
        op("take_from", status, [me, (f"{T} *", "other"), p.sought],
           "Moves this element of another layer to this one. Returns ABSENT if it is not in that layer, OK if both are the same; after "
           "a failure it stays where it is." + " Hooks are notified of the removal there and the add here, and may change both." * bool(p.hooks["add"] or p.hooks["remove"])
           + _goes_back(p),
           max(remove_cost, add_cost, key=Cost.growth),
           "all elements of both" if by_value else "nothing", ("elements", "take_from"),
           statuses=tuple(dict.fromkeys(all_statuses + ("ABSENT",))))
