"""Where elements are, what is next to them, and what workers are given."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..text.sentences import sentence
from ..types.declare import constant, pointer_to
from .columns import columns
from ..language.costs import CONSTANT, case
from .costs import Costs
from .operation import Add


def places(p: Parts, op: Add, of: Costs) -> None:
    """Where elements are, and handles."""
    c, T, by_value, slots, apart = p.container, p.T, p.element.by_value, p.removal.kept, p.removal.apart
    me, const_me, reading = of.me, of.const_me, of.reading
    if p.removal.dense and not p.handles.given:
        op("get", p.ref, [reading, (p.size, "index")],
           sentence("The element at this index", p.order.indexed, f", or {p.nil}"), body=("finding", "get"), inline=True,
           getter=True)
        _at(p, op, of)
    if p.removal.dense and not p.storage.chunk and not p.element.rows:
        op("data", pointer_to(p.item), [me], "All elements, in one array"
           + (f"; {apart.joins} first." if apart else "."),
           apart.cost if apart else CONSTANT,
           f"all elements, if it {apart.moves}" if apart and by_value else "nothing", ("finding", "data"),
           inline=not apart)
        op("const_data", pointer_to(constant(p.item)), [const_me], f"As {T.data}, for reading"
           + (f"; NULL while {apart.now}." if apart else "."), body=("finding", "const_data"), inline=True)
    if p.storage.chunk:
        op("chunk_count", p.size, [const_me], "The number of chunks that may hold elements.", body=("finding", "chunk_count"),
           inline=True)
    if p.storage.chunk and not p.element.rows:
        told = ("alive", pointer_to("const uint64_t *"), "bit s % 64 of word s / 64 of `*alive` is 1 if slot s of it holds an "
                                                         "element") \
            if slots.bitmap else ("count", f"{p.size} *", "the first `*count` slots of it hold elements")
        op("chunk", pointer_to(p.item), [me, (p.size, "number"), (told[1], told[0])],
           f"The slots of a chunk, {p.TT.CHUNK} in one array{p.removal.slots_lie}; "
           f"{told[2]} (`{told[0]}` may be NULL). NULL if `number` is "
           f"{T.chunk_count} or more.",
           body=("finding", "chunk"), inline=True)
        op("const_chunk", pointer_to(constant(p.item)), [const_me, (p.size, "number"), (told[1], told[0])],
           f"As {T.chunk}, for reading.", body=("finding", "chunk"), inline=True)
    if p.passes.spans:
        _part_operation(p, op)
    if p.element.columns:
        columns(p, op)
    if p.handles.given:
        turned = [T.rollback] * bool(c["emit.snapshot"]) + [T[p.persist.reads]] * p.persist.saves
        back = f"after {' or '.join(turned)} one that it has given since may name another element" if turned else ""
        op("get", p.ref, [reading, (T.handle, "handle")],
           f"Returns the element that a handle names, or {p.nil} if it has been removed"
           + ("." if p.handles.generational else f" and no other has the number; {back}." if back
              else " and no other has the number.") + (
               " After an add that returned REPLACED, the handle of the old element names the new one." if p.adding.replaces
               else ""),
           body=("finding", "get_handle"), inline=True, getter=True)
        _at(p, op, of)
        op("handle_of", T.handle, [const_me, p.sought],
           f"Returns the handle of an element of the container; {'{0, 0}' if p.handles.generational else '{0}'} for any other "
           f"{'row' if p.element.rows else 'address'}.",
           p.lookup.locating(), "nothing", ("finding", "handle_of"))


def _at(p: Parts, op: Add, of: Costs) -> None:
    """T_get for callers that know that the element is there."""
    if p.asked("at") and not p.container.is_layer:  # T_layer_at of the whole is another function
        given, wrong, body = ((p.T.handle, "handle"), "a handle that names no element", "at_handle") if p.handles.given \
            else ((p.size, "index"), "an index out of range", "at")
        op("at", p.ref, [of.reading, given], f"As {p.T.get}, but {wrong} is misuse: it is reported with BESPOKE_CHECKS.",
           body=("finding", body), inline=True, getter=True)


def _part_operation(p: Parts, op: Add) -> None:
    """What workers are given."""
    T = p.T
    if p.storage.chunk:
        holds = f"`count` chunks from number `first` on, each of them as {T['lanes' if p.element.rows else 'chunk']} describes it"
    elif p.element.rows:
        holds = "`count` rows from `first` on" + (f", some without an element: see {T.occupied}" if p.removal.bitmap else "")
    elif p.removal.bitmap:
        holds = "`count` slots in one array, the first of which is number `first`; bit s % 64 of word s / 64 of `alive` " \
            "is 1 if slot s of them holds an element"
    else:
        holds = "`count` elements in one array, from number `first` on"
    even = "nearly equal" if p.storage.chunk else "nearly equal, begin at multiples of 64"
    keyed = " (not their keys)" if p.lookup.keyed or p.order.keeps_sorted else ""
    apart = p.removal.apart
    joins = f" {apart.joins.capitalize()}, so call it once before the workers start." if apart else ""
    worker = [(p.size, "number"), (p.size, "parts")]
    op("part", T.span, [(f"{T} *" if p.passes.reads_apart else f"const {T} *", "list"), *worker],
       f"Part `number` of `parts`, for a worker: {holds}. Parts are {even} and cover the container; surplus ones are empty. "
       f"Until all workers are done each may read and write the elements of its part{keyed}, and no thread may add, remove or "
       "begin a pass." + joins,
       apart.cost if apart else CONSTANT,
       f"all elements, if it {apart.moves}" if apart and p.element.by_value else "nothing", ("spans", "part"))
    if p.passes.reads_apart:
        op("const_part", T.span if p.element.rows else T.const_span, [(f"const {T} *", "list"), *worker],
           f"As {T.part}, for reading" + (f"; while {apart.now}, all parts are empty." if apart else "."),
           body=("spans", "const_part"))


def links(p: Parts, op: Add, of: Costs) -> None:
    """What is next to an element, where they are linked."""
    reading, finding = of.reading, p.lookup.locating()
    if p.order.has_neighbours:
        expired_too = ", also an expired one" if p.removal.expired is not None else ""
        twice = "" if p.adding.unique or p.element.by_value or p.lookup.keyed else " (the first of several)"
        for name, which in (("first", "first"), ("last", "last")):
            op(name, p.ref, [reading], f"Returns the {which} element{expired_too}, or NULL.", body=("linked", name), inline=True,
               getter=True)
        walk = case(", plus a walk up the tree")
        for name, which, walks in (("parent_of", "parent", CONSTANT), ("first_child_of", "first child", CONSTANT),
                                   ("last_child_of", "last child", walk), ("next_sibling_of", "next sibling", CONSTANT),
                                   ("previous_sibling_of", "previous sibling", walk)) if p.order.tree else ():
            op(name, p.ref, [reading, p.sought],
               f"Returns the {which} of this element{expired_too}; NULL if there is none, or it is not in the "
               "container.", finding + walks,
               "nothing", ("linked", name), getter=True)
        for name, where in (("next_of", "after"), ("previous_of", "before"))[:2 if p.links.doubly else 1]:
            op(name, p.ref, [reading, p.sought],
               f"Returns the element {where} this one{twice}{expired_too}; NULL if there is none, or it is not in the "
               "container.", finding,
               "nothing", ("linked", name), getter=True)


def bounds(p: Parts, op: Add, of: Costs) -> None:
    """Where an element would be in a sorted order that need not be in it."""
    for which, bound in (("lower", "does not come before `like`"), ("upper", "comes after `like`")):
        if p.asked(f"{which}_bound") and p.order.sorts_on_add and p.order.inserts:
            op(f"{which}_bound", p.ref, [of.reading, (pointer_to(p.const_element), "like")],
               f"Returns the first element that {bound}, or {p.nil} if none does. `like` need not be in the container: of its "
               "members only those that elements are sorted by are read.",
               p.order.bounding, "nothing", ("finding", "bound", which == "upper"), getter=True)
