"""How elements are added: one, several, from another container."""

from __future__ import annotations

from ...parts import Parts
from ...types.declare import constant, pointer_to
from .costs import Costs
from .operation import Add, for_each, growth


def adds(p: Parts, op: Add, of: Costs) -> None:
    """How one element comes in."""
    c, by_value = p.container, p.element.by_value
    status, me, finding, grow_cost, grow_moves, waits_or_moves = of.status, of.me, of.finding, of.grow_cost, of.grow_moves, of.waits_or_moves
    add_cost, full, memory, all_statuses = of.add_cost, of.full, of.memory, of.all_statuses
    seen = {"visited": "Passes that are live visit it" + (" if it comes in ahead of them." if p.order.inserts else "."), "next": "Passes that are live do not visit it.",
            "deferred": "While it is locked, the element waits in the journal."}[c["iteration.adds"]]
    takes = "" if p.element.by_pointer else " The container holds a copy."
    if p.element.intrusive:
        takes = " FOREIGN if it is in another one."
    owner = " After a failure it is the caller's as before." if p.element.by_pointer else ""
    instead = (" An equal one leaves, and the new one takes its place, its turn in live passes too; that is said by REPLACED."
               + (" DUPLICATE: it is that very element." if p.element.by_pointer else "")) if p.duplicates.replaces else ""
    if p.index.kind == "dense" and c["index.keys"] is None:
        takes += " The table reaches to the largest key, so a very large one asks for much memory."
    op("add", status, [me, (p.item, "element")], "Adds an element." + takes + f" {seen}" + instead + _overwriting(p, "first") + owner, add_cost,
       waits_or_moves, ("elements", "add"), inline=p.duplicates.emplaces,
       statuses=all_statuses, fills=p.duplicates.emplaces)
    if p.order.both_ends:
        op("add_front", status, [me, (p.item, "element")], "Adds an element as the first." + takes
           + " A pass visits it if it comes in ahead of it, also right where the pass goes on." + instead + _overwriting(p, "last") + owner,
           add_cost, grow_moves, ("ends", "add_front"), statuses=all_statuses)
    if p.duplicates.opens:
        op("open_", p.ref, [me, (f"{status} *", "status")],
           f"A new element, whose content is undefined; {p.nil}: `*status` says why.", body=("elements", "open"))
    if p.duplicates.adds_at_once:
        op("make_ready_", status, [me], "Makes room for an element in the next slot.", body=("elements", "make_ready"))
    if p.duplicates.emplaces:
        op("emplace", p.ref, [me], "A new element, to be filled in place: what it holds is undefined. "
           f"{p.nil}: there is no room for it. {seen}" + _overwriting(p, "first"), grow_cost, grow_moves, ("elements", "emplace"), inline=True, statuses=full + memory)
    if p.order.tree:
        where = "A pass visits it if it comes in ahead of it, also right where the pass goes on." + instead + owner
        for name, at, doc in (
                ("add_child", "parent", f"Adds an element below one that is in, as the last there; {p.nil}: below none. ABSENT if `parent` is not in"),
                ("insert_before", "at", f"Adds an element right before one that is in, below the same; {p.nil}: as the first of all. ABSENT if `at` is not in"),
                ("insert_after", "at", f"Adds an element behind one that is in and all below that, below the same; {p.nil}: as the last of all. "
                                       "ABSENT if `at` is not in")):
            being = ", or being taken out. " if p.removal.notifies_each else ". "
            op(name, status, [me, (p.sought[0], at), (p.item, "element")], doc + being + where,
               f"{_insert_cost(p, name, finding, add_cost)}; looks from the place up the tree", grow_moves, ("elements", name),
               statuses=tuple(dict.fromkeys(("ABSENT",) + all_statuses)))
    if p.order.explicit and not p.order.tree:
        for name, where, end in (("insert_before", "before", "first"), ("insert_after", "behind", "last")):
            op(name, status, [me, (p.sought[0], "at"), (p.item, "element")],
               f"Adds an element right {where} one that is in; {p.nil}: as the {end} of all. ABSENT if `at` is not in. A pass "
               "visits it if it comes in ahead of it, also right where the pass goes on." + instead + owner,
               _insert_cost(p, name, finding, add_cost), grow_moves if p.removal.linked else "elements behind it move" if by_value else "nothing",
               ("elements", name),
               statuses=tuple(dict.fromkeys(("ABSENT",) + all_statuses)))


def _overwriting(p: Parts, which: str) -> str:
    """What becomes of an element at the other end."""
    hooks = "; FULL if its hooks have filled the container again" if p.removal.notifies_each else ""
    return f" In a full container the {which} element is removed for it{hooks}." if p.duplicates.overwrites else ""


def _insert_cost(p: Parts, name: str, finding: str, add_cost: str) -> str:
    if p.removal.dense:
        return "O(n): makes room" if p.element.addressed or p.element.by_value and not p.duplicates.unique else "O(n): `at` is looked for"
    if p.element.by_value and p.lookup.keyed or finding == "O(n)":
        return "O(n): `at` is looked for"
    if name == "insert_before" and not p.links.doubly:
        return "O(1) where a pass stands, else O(n): the one before is looked for"
    return finding if add_cost in ("O(1)", "O(1) expected") else add_cost


def bulk(p: Parts, op: Add, of: Costs) -> None:
    """How many come in at once, or come over from another container."""
    c, T, by_value = p.container, p.T, p.element.by_value
    status, me, waits_or_moves, add_cost = of.status, of.me, of.waits_or_moves, of.add_cost
    remove_cost, leave_cost, busy, all_statuses = of.remove_cost, of.leave_cost, of.busy, of.all_statuses
    replacing = (f" Those that replaced an equal one count; without a refusal they make it REPLACED, and they are as many as "
                 f"`*taken` is more than {T}_count has grown." if p.duplicates.replaces else "")
    op("add_all", status, [me, (pointer_to(constant(p.item)), "elements"), ("size_t", "count"), ("size_t *", "taken")],
       f"Adds the elements of an array in their order{', and goes on past those that are refused one by one' * p.duplicates.refuses}"
       f"{'; stops when there is no room' * bool(of.full + of.memory)}. They must not lie in the container itself. `*taken` (if not NULL) says how many went in; the result is "
       + ("the last refusal." if p.duplicates.refuses else f"{'QUEUED' if p.when.deferred else 'OK'}, or says why there is no more room.") + replacing,
       for_each(add_cost), waits_or_moves, ("elements", "add_all"), statuses=all_statuses)
    # An element whose removal waits still holds its place in this container, so it cannot have one in another.
    left = "that are refused" if p.duplicates.refuses_moving and not p.element.intrusive else "for which there is no room"
    stay = "" if p.element.intrusive and p.limit is None else f"; those {left} stay where they are"
    if p.storage.transfers:
        # Where hooks hear of each, each leaves by itself.
        over = max(add_cost, leave_cost, key=growth) if p.removal.kept.closes_up and any(p.hooks[name] for name in ("add", "remove", "destroy", "move")) else add_cost
        op("add_from", status, [me, (f"{T} *", "other"), ("size_t *", "taken")],
           f"Moves the elements of another container over, in their order{stay}. "
           "`*taken` (if not NULL) says how many went over." + replacing
           + (" If the container is empty and no pass is live, the storage changes hands." if p.duplicates.splices else ""),
           "O(1) into an empty container, else " * p.duplicates.splices + for_each(over),
           "the elements of both may move" if by_value else "nothing",
           ("linked", "take_over") if p.element.intrusive else ("elements", "add_from"),
           statuses=tuple(dict.fromkeys(all_statuses + ("ABSENT",) + busy)))
    if c.is_layer and p.storage.transfers:
        op("take_from", status, [me, (f"{T} *", "other"), p.sought],
           "Moves this element of another layer over. ABSENT if it is not in that one, OK if the other is this one; after "
           "everything but success it stays where it is." + (" Hooks are told that it is removed there and added here, and "
           "may do as always: it goes back if they take its room." if p.hooks["add"] or p.hooks["remove"] else ""),
           max(remove_cost, add_cost, key=growth),
           "the elements of both may move" if by_value else "nothing", ("elements", "take_from"),
           statuses=tuple(dict.fromkeys(all_statuses + ("ABSENT",))))
