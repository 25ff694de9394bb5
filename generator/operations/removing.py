"""How elements are removed."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR
from ..parts.container_parts import Parts
from ..text.sentences import sentence, sentences
from ..types.declare import pointer_to
from .costs import Costs, each
from .operation import Add

_REMOVES = {"number": "Removes this number", "row": "Removes the element of this row",
            "address": "Removes the element at this address",
            "equal": "Removes the equal element",
            "handle": "Removes the element that a handle names",
            "one": "Removes this element", "first": "Removes this element, the first of several"}


def removals(p: Parts, op: Add, of: Costs) -> None:
    """How elements are removed."""
    _one(p, op, of)
    if p.removal.dense:
        op("remove_at", of.status, [of.me, (p.size, "index")],
           sentences(f"Removes the element at this index. Returns ABSENT if `index` is {p.T.count} or more.",
                     p.when.removed_already), of.removing + p.when.cost, of.remove_moves,
           ("removing", "remove_at"), statuses=("ABSENT",) + of.replayed)
    if p.lookup.finds_key and not p.when.deferred:
        op("remove_key", of.status, [of.me, *p.key.params],
           "Removes the element with this key." if p.adding.unique else "Removes the first element with this key.",
           of.finding + of.removing, of.remove_moves, ("removing", "remove_key"), inline=p.removal.removes_key_ready,
           statuses=("ABSENT",))
    if p.removal.removes_ready:
        op("take_slot_", "void", [of.me, (p.size, "slot")],
           "Removes the element of a slot where there is more to do than to free that.", body=("removing", "take_slot"),
           silent=p.silent)
    if p.removal.hands_out:
        _takes(p, op, of)
    if p.removal.asks_each:
        _remove_if(p, op, of)
    if p.adding.removes_from:
        op("remove_from", of.status, [of.me, (f"{p.T} *", "other"), (f"{p.size} *", "removed")],
           "Removes every element that is also in the other container. `*removed` (if not NULL) is their number.",
           each(of.remove), of.remove_moves, ("removing", "remove_from"), statuses=("OK",) + p.passes.busy_status + of.replayed)
    op("clear", of.status if p.when.deferred else "void", [of.me],
       sentences(sentence("Removes all elements", p.storage.keeps), p.passes.clear_words,
                 "Hooks run for the last element first. Elements that a hook adds during the call stay."
                 * p.removal.notifies_each),
       p.removal.clear_cost + p.indexes.clear_cost + p.handles.clear_cost, p.when.invalidated("all elements"),
       ("lifecycle", "clear"),
       statuses=of.replayed)
    if p.indexes.leading is not None:
        seed = p.container["index.seed"] if p.indexes.leading.seed else None
        op("set_hash_key", "void", [of.me, ("uint64_t", "key")],
           sentences("Mixes this number into all hashes, so that keys cannot be chosen to collide.",
                     f"Until then it is what {seed} has returned." if seed is not None else "It is 0 until then."),
           LINEAR, "nothing", ("lifecycle", "set_hash_key"))


def _remove_if(p: Parts, op: Add, of: Costs) -> None:
    """Each element is asked about once, in one pass."""
    below = "Its descendants go with it, and are not counted." * p.order.tree
    gone, cost = p.removal.standing_cost + p.order.leaving + p.indexes.upkeep, LINEAR + p.passes.beginning + p.order.beginning
    if gone != CONSTANT:
        most = {"log n": "n log n", "n": "n * n"}.get(gone.most, "")
        cost = cost.also((f", at worst O({most})" if most else "") + f"; each removal is {gone}", most)
    op("remove_if", of.status, [of.me, (p.asks, "matches"), ("void *", "context"), (f"{p.size} *", "removed")],
       sentences(sentence("Removes each element for which `matches` returns true, in one pass, which goes as that of ", p.T.begin,
                          "; the others keep their order" * (not p.order.free)),
                 "`matches` is called once for each, with it and `context`, and must not change the container; hooks may.", below,
                 "`*removed` (if not NULL) is their number.",
                 p.passes.refusal),
       cost, of.remove_moves, ("taking", "remove_if"), statuses=p.passes.busy_status)


def _takes(p: Parts, op: Add, of: Costs) -> None:
    """An element is removed, and is the caller's. Only where a caller may not know what goes: what a named index finds is."""
    T, taken = p.T, (pointer_to(p.item), "taken")
    gone, why = ("STALE",), "Returns STALE if it has been removed"
    if not p.handles.given:
        gone = ("ABSENT",) + ("FOREIGN",) * p.index.knows_foreign
        why = "Returns ABSENT if it is not in the container" + ", FOREIGN if it is in another one" * p.index.knows_foreign
    op("take", of.status, [of.me, (T.handle, "handle") if p.handles.given else p.sought, taken],
       sentences(sentence(_REMOVES["handle" if p.handles.given else p.lookup.named_by], " and hands it over: `*taken` is ",
                          "a copy of it" if p.element.by_value else "its address"),
                 "The destroy hook is not called: it is the caller's." if p.hooks["destroy"] else "",
                 f"{why}; `*taken` is then unchanged."),
       of.remove, of.remove_moves, ("taking", "take_handle" if p.handles.given else "take"), statuses=gone)
    others = [("take_at", "remove_at", [(p.size, "index")], "the element at this index", of.removing)] * p.removal.dense \
        + [("take_key", "remove_key", p.key.params, f"the {'' if p.adding.unique else 'first '}element with this key",
            of.finding + of.removing)] * p.lookup.finds_key
    for name, removal, params, which, cost in others:
        op(name, of.status, [of.me, *params, taken], f"As {T.take}, {which}. Returns ABSENT if there is none.", cost,
           of.remove_moves, ("taking", name), statuses=("ABSENT",))


def _one(p: Parts, op: Add, of: Costs) -> None:
    """The element that the caller has in hand, or a handle of."""
    if p.handles.given:
        op("remove", of.status, [of.me, (p.T.handle, "handle")],
           sentences(sentence("Removes the element that a handle names. Returns STALE if it has been removed; ",
                              p.handles.removed),
                     p.when.removed_already), of.remove, of.remove_moves, ("removing", "remove_handle"),
           inline=p.removal.removes_ready, statuses=("STALE",) + (of.queued + ("ABSENT",) + of.memory if p.when.deferred else ()))
        return
    foreign = p.index.knows_foreign
    op("remove", of.status, [of.me, p.sought],
       sentences(sentence(_REMOVES[p.lookup.named_by], p.order.removed_with),
                 sentence("Returns ABSENT if it is not in the container", ", FOREIGN if it is in another one" * foreign)),
       of.remove, of.remove_moves, (p.element.bodies or "removing", "remove"),
       inline=not p.element.stored or p.removal.removes_ready,
       statuses=("ABSENT",) + of.replayed + ("FOREIGN",) * foreign)
