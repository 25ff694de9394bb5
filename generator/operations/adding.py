"""How elements are added: one, several, from another container."""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

from ..language.by_name import unappended
from ..language.costs import CONSTANT, case
from ..parts.adding import GIVING
from ..parts.container_parts import Parts
from ..types.declare import constant, pointer_to
from ..text.sentences import enumerated, sentence, sentences
from .costs import Costs, each, joined_moves
from .operation import Add

_SIDES = {"insert_before": "before", "insert_after": "after", "add_child": "below"}  # of the element that they are given


def adds(p: Parts, op: Add, of: Costs) -> None:
    """How one element is added; with handles, also so that the caller receives the handle, and where the spec names it, the
    element. A pending add has none yet."""
    def both(name: str, result: str, params: List[Tuple[str, str]], brief: str, *rest: Any, **more: Any) -> None:
        op(name, result, params, brief, *rest, **more)
        there = {"inline": p.adding.adds_to_free, "fills": p.adding.adds_to_free}
        if name in GIVING and p.handles.given and not p.when.deferred:
            op(f"{name}_handle", result, params + [(f"{p.T.handle} *", "added")],
               f"As {p.T[name]}; `*added` is the handle of the new element, or of none.",
               *rest[:-1], (*rest[-1], "handle"), statuses=more["statuses"], **there)
        if name in GIVING and p.asked(f"{name}_get") and p.adding.gives and not p.adding.fails and name == "add":
            op(f"{name}_get", p.ref, params, f"As {p.T[name]}; returns the new element.", *rest[:-1], (*rest[-1], "element"),
               **there)
        elif name in GIVING and p.asked(f"{name}_get") and p.adding.gives:
            op(f"{name}_get", result, params + [(pointer_to(p.ref), "added")],
               f"As {p.T[name]}; `*added` is the new element, or {p.nil}.",
               *rest[:-1], (*rest[-1], "element"), statuses=more["statuses"], **there)
    if p.element.members:
        op("prepare", "void", [(p.ref, "element")], f"Sets {p.element.members_in_words} of an element in memory that was not "
           "zeroed: it is in no container then. Must not be called while it is in one.", body=("adding", "prepare"))
    _adds(p, both, of)


def _adds(p: Parts, op: Add, of: Costs) -> None:
    if p.adding.adds_to_free:
        op("take_ready_", "bool", [of.me, (pointer_to(p.slot_type), "taken")],
           "Takes a free slot for an element, which is still to be written; false: there is none, or more to do.",
           p.removal.filling, "nothing", ("adding", "take_ready"), inline=True, fills=True)
    seen = p.passes.adds_seen
    ends = (p.adding.instead, _overwriting(p, "first"), p.element.owned_after_failure)
    refused = (p.element.must_be_free, p.indexes.refused, p.index.warns)
    fills = p.adding.emplaces or p.adding.opens_by_key or p.adding.adds_at_key
    op("add", of.status, [of.me, (p.item, "element")], sentences(f"{p.element.adds}.", *refused, seen, *ends), of.add,
       _or_removed(p, of.add_moves), (p.element.bodies or "adding", "add"),
       inline=fills or not p.element.stored, statuses=of.all_statuses, fills=fills)
    if p.order.both_ends:
        _add_front(p, op, of, refused)
    if p.adding.finds_or_adds:
        _find_or_add(p, op, of, refused, seen)
    _open(p, op, of)
    _make_ready(p, op, of)
    if p.adding.emplaces:
        _emplace(p, op, of, seen)
    being = ", or is being removed" * (p.removal.notifies_each and p.order.tree)
    for name, at, place, none in p.order.insertions:
        op(name, of.status, [of.me, (p.sought[0], at), (p.item, "element")],
           sentences(f"Adds an element {place}; {p.nil}: {none}. Returns ABSENT if `{at}` is not in the container{being}.",
                     p.passes.puts_seen(name), p.adding.instead, p.element.owned_after_failure),
           p.order.finding_place + of.add + p.order.inserting(name),
           of.inserted_moves(), ("adding", "insert", _SIDES[name], at),
           statuses=tuple(dict.fromkeys(("ABSENT",) + of.all_statuses)))


def _open(p: Parts, op: Add, of: Costs) -> None:
    """What opens a slot for a new element, which an add in the header writes."""
    if p.adding.adds_to_free:
        op("open_", p.size, [of.me, *[(f"{of.status} *", "status")] * p.adding.room_fails],
           sentence("The slot of a new element with undefined content",
                    f"; {p.TT.NONE} if `*status` is not OK" * p.adding.room_fails), body=("adding", "open"), silent=p.silent)
    if p.adding.opens:
        told = [(f"{of.status} *", "status")] * p.adding.open_fails
        keyed = [(p.key.held, "key")] * p.adding.opens_by_key
        op("open_", p.ref, [of.me, *keyed, *told],
           sentence("A new element with undefined content" + ", which is found by the key" * p.adding.opens_by_key,
                    f"; {p.nil} if `*status` is not OK" * bool(told)),
           body=("adding", "open"))


def _make_ready(p: Parts, op: Add, of: Costs) -> None:
    """What an add in the header calls where it has more to do than to write."""
    if p.adding.adds_at_key:
        op("make_ready_at_", of.status, [of.me, (p.key.held, "key")],
           "Prepares the slot of this key for an element, if it may be added.", body=("bits", "make_ready_at"),
           statuses=of.all_statuses, silent=p.silent)
    if p.adding.adds_at_once:
        op("make_ready_", of.status, [of.me], "Prepares the next slot for an element.", body=("adding", "make_ready"),
           statuses=of.full + of.memory, silent=p.silent)


def _find_or_add(p: Parts, op: Add, of: Costs, refused: Sequence[str], seen: str) -> None:
    """One look for the element with a key, which is added if there is none."""
    there = "element with its key" if p.container["identity.by"] == "key" else "equal one"
    op("find_or_add", of.status, [of.me, (p.item, "element"), (pointer_to(p.ref), "found")],
       sentences(f"{p.element.adds}, unless an equal one is in the container: `*found` is it, or the {there} that is there, "
                 "and then it returns DUPLICATE and changes nothing.", *refused,
                 sentence(f"After any other refusal `*found` is {p.nil}",
                          ", also where DUPLICATE is due to a named index" * p.indexes.refuses), seen, _overwriting(p, "first"),
                 p.element.owned_after_failure),
       of.add if p.adding.unique else p.lookup.finding() + of.add, _or_removed(p, of.grow_moves), ("taking", "find_or_add"),
       statuses=tuple(dict.fromkeys(("DUPLICATE",) + tuple(each for each in of.all_statuses if each != "REPLACED"))))


def _add_front(p: Parts, op: Add, of: Costs, refused: Sequence[str]) -> None:
    alone = p.removal.ends_move_alone
    op("add_front", of.status, [of.me, (p.item, "element")],
       sentences(f"{p.element.adds} as the first.", *refused, p.passes.puts_seen("add_front"), p.adding.instead,
                 _overwriting(p, "last"),
                 p.element.owned_after_failure),
       of.add, _or_removed(p, of.grow_moves), ("ends", "add_front"), statuses=of.all_statuses, inline=alone, fills=alone)
    if alone:
        op("open_first_", of.status, [of.me], "Makes room for a first element when a pass is live, or the container is full.",
           body=("ends", "open_first"), statuses=of.full + of.memory, silent=p.silent)


def _emplace(p: Parts, op: Add, of: Costs, seen: str) -> None:
    none = f"; {p.nil} if it cannot be added" * p.adding.room_fails
    op("emplace", p.ref, [of.me],
       sentences(sentence("Adds an element with undefined content, to be filled in place", none), seen,
                 _overwriting(p, "first", f"{p.nil}, as if it were full,")),
       of.add, _or_removed(p, of.grow_moves), ("adding", "emplace"), inline=True, statuses=of.full + of.memory)
    if p.adding.adds_at_once or p.adding.adds_to_free:
        op("emplace_later_", p.ref, [of.me],
           sentence("As emplace, where the next slot must be prepared", f"; {p.nil} if it cannot be" * p.adding.room_fails),
           body=("adding", "emplace_later"), silent=p.silent)


def _overwriting(p: Parts, which: str, full: str = "FULL") -> str:
    """What an add to a full container does with the element at the other end."""
    equal = ", or DUPLICATE if they have added one that is equal" * (p.adding.refuses and full == "FULL")
    gone = "those elements stay removed" if p.weight.any else "that element stays removed"
    hooks = f"; returns {full} if its hooks have filled the container again{equal}; {gone}" * p.removal.notifies_each
    if not p.adding.overwrites:
        return ""
    kept = p.adding.kept
    if p.weight.any:
        return _making_way(p, which, full, hooks)
    if kept is None:
        return f"If the container is full, removes the {which} element before{hooks}."
    but = f"for which {kept} is not true" if kept.is_function else f"that is not kept (`{kept}`)"
    return f"If the container is full, removes the {which} element {but} before{hooks}; returns {full} if there is none."


def _making_way(p: Parts, which: str, full: str, hooks: str) -> str:
    """The same where elements have weights: as many as must make way."""
    kept = p.adding.kept
    but = "" if kept is None else f" for which {kept} is not true" if kept.is_function else f" that are not kept (`{kept}`)"
    return (f"If the weights would be more than {p.TT.MAX} together, removes elements{but} before, the {which} one first, until "
            f"they are not{hooks}; returns {full}, and removes none, if that cannot be.")


def _or_removed(p: Parts, moves: str) -> str:
    """What an add invalidates, with what it overwrites."""
    if not p.adding.overwrites or not p.element.by_value:
        return moves
    removed = "the removed element" + "s" * p.weight.any if p.order.queue else p.removal.kept.moves
    return joined_moves(moves, f"{removed}, if it is full")


def _goes_back(p: Parts) -> str:
    """What becomes of an element that has left its container when a hook of that has filled the one that it moves to."""
    if p.when.deferred \
        or not (p.hooks["remove"] and p.adding.bounded if p.element.intrusive else p.hooks["remove"] or p.hooks["move"]):
        return ""
    equal = ", or adds an equal element" * (p.adding.unique or p.indexes.refuses)
    lost = "destroyed" if p.hooks["destroy"] else "in neither"
    return (f"If a hook of an element's removal takes the last place here{equal}, it goes back; if there is no place there "
            f"either, it is {lost}.")


def bulk(p: Parts, op: Add, of: Costs) -> None:
    """How several are added at once, or moved from another container."""
    _add_all(p, op, of)
    _append(p, op, of)
    if not p.storage.transfers:
        return
    both = "all elements of both" if p.element.by_value else "nothing"
    if p.adding.relinks:
        _take_links(p, op, of)
    elif p.adding.takes_over:
        _add_from(p, op, of, both)
    if p.container.is_layer:
        told = p.hooks["add"] is not None or p.hooks["remove"] is not None
        which, absent = (p.T.handle, "handle") if p.handles.moves else p.sought, "STALE" if p.handles.moves else "ABSENT"
        op("take_from", of.status, [of.me, (f"{p.T} *", "other"), which],
           sentences(f"Moves this element of another layer to this one. Returns {absent} if it is not in that layer, OK if both "
                     "are the same; after a failure it stays where it is.", "It keeps its handle." * p.handles.moves,
                     "Hooks are notified of the removal there and the add here, and may change both." * told, _goes_back(p)),
           of.remove + of.add, both, ("adding", "take_from"), statuses=tuple(dict.fromkeys(of.all_statuses + (absent,))))


def _append(p: Parts, op: Add, of: Costs) -> None:
    """Plain rows: several elements at once, whose content is not known yet."""
    if unappended(p.container) is not None:
        return
    if p.asked("append_undefined"):
        none = f"; {p.nil}, and none is added, if not all of them fit" * p.adding.room_fails
        op("append_undefined", p.ref, [of.me, (p.size, "count")],
           sentences(sentence("Adds `count` elements with undefined content behind all others, and returns the first of them: "
                              "the others follow it", none), p.passes.adds_seen),
           p.adding.growing, of.grow_moves, ("plain_rows", "append_undefined"), statuses=of.full + of.memory)
    if p.asked("resize") and p.removal.removes_ranges:
        op("resize", of.status, [of.me, (p.size, "count")],
           sentences("Makes the container hold `count` elements: removes the last ones, or adds elements with undefined content "
                     "behind all others.", p.passes.clear_words),
           p.adding.growing + p.removal.range_cost, joined_moves(of.grow_moves, p.removal.range_invalidated),
           ("plain_rows", "resize"), statuses=of.full + of.memory)


def _replacing(p: Parts) -> str:
    """How the caller learns what has replaced another one."""
    return ("Replacements count, too; without a refusal they make the result REPLACED. Their number is `*taken` minus the "
            f"growth of {p.T.count}."
            if p.adding.replaces else "")


def _add_all(p: Parts, op: Add, of: Costs) -> None:
    stops = enumerated(["full"] * (bool(of.full) and not p.adding.overwrites) + ["out of memory"] * bool(of.memory), " or ")
    done = "QUEUED" if p.when.deferred else "OK"
    op("add_all", of.status, [of.me, (pointer_to(constant(p.item)), "elements"), (p.size, "count"), (f"{p.size} *", "taken")],
       sentences(sentence("Adds the elements of an array, which must not be the container's, in their order",
                          ", and skips refused ones" * p.adding.refuses, f"; stops when it is {stops}" if stops else ""),
                 sentence("`*taken` (if not NULL) is the number added; the result is ",
                          "the last refusal" if p.adding.refuses else f"{done}, or why it stopped"),
                 _replacing(p), _overwriting(p, "first")),
       each(of.add), _or_removed(p, of.add_moves), ("adding", "add_all"), statuses=of.all_statuses)


def _add_from(p: Parts, op: Add, of: Costs, both: str) -> None:
    if p.element.intrusive and p.indexes.refuses:
        return  # a hook may take the key of one that is on its way, which would then be in neither
    # An element whose removal waits still holds its place in this container, so it cannot have one in another.
    stops = "it stops at the first that does not fit" * bool(of.full + of.memory)
    if p.adding.refuses_moving and not p.element.intrusive:
        stay = "; refused ones stay where they are" + f", and {stops}" * bool(stops)
    else:
        stay = f"; {stops}, which stays where it is, as do those behind it" * (p.adding.bounded or not p.element.intrusive)
    # Where hooks hear of each, each leaves by itself.
    cost = of.removing + of.add if p.removal.kept.closes_up and p.when.reenters else of.add
    splices = p.adding.splices
    op("add_from", of.status, [of.me, (f"{p.T} *", "other"), (f"{p.size} *", "taken")],
       sentences(f"Moves the elements of another container to this one, in their order{stay}. `*taken` (if not NULL) is the "
                 "number moved.",
                 _replacing(p), "None makes way for them." * p.adding.overwrites,
                 f"An empty container{' without a live pass' * p.passes.removes} takes the storage itself." * splices,
                 _goes_back(p)),
       each(cost)._replace(before="O(1) if it is empty, else " * splices), both,
       ("linked", "take_over") if p.element.intrusive else ("adding", "add_from"),
       statuses=tuple(dict.fromkeys(of.all_statuses + ("ABSENT",) + p.passes.busy_status)))


def _seen_parted(p: Parts) -> str:
    """What live passes of both containers do with elements that change hands."""
    if not p.passes.removes:
        return p.passes.clear_words and "Ends live passes of both."
    if p.passes.removes_current:
        return "No pass may be live on the other one."
    put = "do not visit them" if p.passes.bounded else "visit them as what is added there"
    return f"Live passes of the other one do not visit them any more; those of this one {put}."


_RUN_PLACES = {"before": "right before `at`, or if that is NULL as the first of all",
               "after": "right after `at`, or if that is NULL as the last of all", "to_back": "after all others"}


def _take_links(p: Parts, op: Add, of: Costs) -> None:
    """Elements change hands as they are linked."""
    stay = "; it stops at the first that does not fit, which stays where it is, as do those behind it" * p.adding.bounded
    busy = p.passes.busy_status * p.passes.removes_current
    seen = _seen_parted(p)
    op("add_from", of.status, [of.me, (f"{p.T} *", "other"), (f"{p.size} *", "taken")],
       sentences(f"Moves the elements of another container to this one, in their order{stay}. `*taken` (if not NULL) is the "
                 "number moved.", seen),
       p.adding.handing_on, "nothing", ("linked", "take_links"), statuses=of.full + ("ABSENT",) + busy)
    back = p.removal.cost if not p.links.doubly else CONSTANT
    for name, place in _RUN_PLACES.items() if p.adding.splices_runs else ():
        beside, which = name != "to_back", "before" if name == "before" else "after"
        if not p.asked(f"splice_{name}") or beside and not p.order.explicit:
            continue
        op(f"splice_{name}", of.status,
           [of.me] + [(p.sought[0], "at")] * beside + [(f"{p.T} *", "other"), (p.ref, "first"), (p.ref, "last")],
           sentences("Moves the elements from `first` to `last` of another container to this one, in their order and as they are "
                     f"linked, {place}.", seen,
                     "Returns ABSENT if `first` is not in `other`, `last` is not behind it"
                     + ", `at` is not in this container" * beside + ", or both are the same container"
                     + ", FULL if they do not fit" * p.adding.bounded + ": then nothing is moved."),
           back + case("; O(1) for each", within="n"), "nothing", ("linked", "splice", which, "at" * beside),
           statuses=of.full + ("ABSENT",))
