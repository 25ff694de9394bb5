"""What there is for each named index."""

from __future__ import annotations

from ..language.costs import CONSTANT, EXPECTED
from ..parts.container_parts import IndexParts, Parts
from .costs import Costs
from .operation import Add


def named(p: Parts, op: Add, of: Costs) -> None:
    """Elements are found by further keys."""
    for each in p.indexes.named:
        _named(p, each, op, of)


def _named(p: Parts, each: IndexParts, op: Add, of: Costs) -> None:
    name, params, index = each.index.called, each.key.params, each.index
    cost = each.lookup.cost
    several = "" if index.unique else f": the first of those that {p.T[f'range_{name}']} finds"
    op(f"find_{name}", p.ref, [of.reading, *params], f"Returns the element with this key in the index {name}{several}. {p.nil} "
                                                     "if there is none.",
       cost, "nothing", ("finding", "find"), index=name, getter=True, inline=index.inlined)
    if index.unique:
        op(f"remove_{name}", of.status, [of.me, *params],
           f"Removes the element with this key{' and all its descendants' if p.order.tree else ''}. Returns ABSENT if there is "
           "none.",
           cost + of.removing, of.remove_moves, ("removing", "remove_key"), statuses=("ABSENT",), index=name)
    _ranges(p, each, op, of)
    handle = p.handles.given
    refused = " Returns DUPLICATE if another element has the new key: the index is then unchanged, so restore the old key." \
        if index.unique else ""
    had = "" if index.ordered else f"; {_those(each)} it had"
    finding = (CONSTANT if handle else of.finding) + cost
    gone = "STALE if the element has been removed" if handle else "ABSENT if the element is not in the container"
    other = ("" if index.ordered
             else f", {'ABSENT' if handle else 'or'} if that is not the key that it had: the one that it has now is then in the "
                  "index all the same")
    op(f"rekey_{name}", of.status, [of.me, (p.T.handle, "handle") if handle else p.sought,
                                   *([] if index.ordered else each.key.params_as("old_key"))],
       f"Updates the index {name} after the key of an element has changed{had}. Call it before any other function.{refused} "
       f"Returns {gone}{other}.",
       finding, "nothing", ("named", "rekey_sorted") if index.ordered else ("moving", "rekey_index"),
       statuses=("STALE",) * handle + ("ABSENT",) * (not handle or not index.ordered) + ("DUPLICATE",) * index.unique, index=name)


def _ranges(p: Parts, each: IndexParts, op: Add, of: Costs) -> None:
    """Several elements, one after the other."""
    name, index = each.index.called, each.index
    reading, result = (f"const {p.T} *", "list"), p.T.range
    for which, bound in (("lower", "is not before"), ("upper", "is behind")) if index.ordered else ():
        op(f"{which}_bound_{name}", p.ref, [of.reading, *each.key.params],
           f"Returns the first element, in the order of the index {name}, whose key {bound} this one, which need not be there; "
           f"{p.nil} if there is none.", index.descending, "nothing", ("named", f"{which}_bound"), index=name, getter=True)
    until = "The next change of the index ends the range: an add, a removal, also of what it has returned last, or another key."
    over = f"{p.nil} if it is empty, or the index has been changed since it was found: with BESPOKE_CHECKS that is misuse."
    if index.ordered:
        op(f"range_{name}", result, [reading, *each.key.params_as("low"), *each.key.params_as("high")],
           f"The elements whose keys in the index {name} are at least `low` and at most `high`, for {p.T[f'next_{name}']} and "
           f"{p.T[f'previous_{name}']}. {until}",
           index.descending, "nothing", ("named", "between"), index=name)
        op(f"all_{name}", result, [reading], f"All elements, in the order of the index {name}. {until}", index.descending,
           "nothing", ("named", "all"), index=name)
    elif not index.unique:
        op(f"range_{name}", result, [reading, *each.key.params],
           f"The elements with this key in the index {name}, for {p.T[f'next_{name}']}. {until}",
           EXPECTED, "nothing", ("named", "range"), index=name)
    else:
        return
    op(f"next_{name}", p.ref, [of.reading, (f"{result} *", "span")],
       f"Returns the first element of a range, which then begins behind it; {over}",
       index.stepping, "nothing", ("named", "next"), index=name, getter=True)
    if index.ordered:
        op(f"previous_{name}", p.ref, [of.reading, (f"{result} *", "span")],
           f"Returns the last element of a range, which then ends before it; {over}",
           index.stepping, "nothing", ("named", "previous"), index=name, getter=True)


def _those(each: IndexParts) -> str:
    names = [f"`{name}`" for _, name in each.key.params_as("old_key")]
    return f"{' and '.join(names)} {'are those' if names[1:] else 'is the one'} that"
