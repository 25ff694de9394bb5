"""What there is for each named index."""

from __future__ import annotations

from ..parts.container_parts import IndexParts, Parts
from .costs import Costs
from .operation import Add


def named(p: Parts, op: Add, of: Costs) -> None:
    """Elements are found by further keys."""
    for each in p.indexes.named:
        _named(p, each, op, of)


def _named(p: Parts, each: IndexParts, op: Add, of: Costs) -> None:
    name, params = each.index.called, each.key.params
    expected = "O(1) expected"
    op(f"find_{name}", p.ref, [of.reading, *params],
       f"Returns the element with this key in the index {name}" + (", or NULL." if each.index.unique else f": the first of those that {p.T}_range_{name} finds. NULL if there is none."),
       expected, "nothing", ("elements", "find"), index=name)
    if each.index.unique:
        op(f"remove_{name}", of.status, [of.me, *params], "Removes the element with this key" + (" and all its descendants" if p.order.tree else "") + ".",
           of.leave_cost if "expected" in of.leave_cost else of.leave_cost.replace("O(1)", expected), of.remove_moves, ("elements", "remove_key"),
           statuses=("ABSENT",), index=name)
    else:
        op(f"range_{name}", f"{p.T}_range", [(f"const {p.T} *", "list"), *params],
           f"The elements with this key, for {p.T}_next_{name}. The range is good until the next change of the container.", expected, "nothing", ("named", "range"), index=name)
        op(f"next_{name}", p.ref, [of.reading, (f"{p.T}_range *", "range")],
           "Returns the first element of a range, which then begins behind it; NULL if there is none.", "O(1)", "nothing", ("named", "next"), index=name)
    _rekey(p, each, op, of)


def _rekey(p: Parts, each: IndexParts, op: Add, of: Costs) -> None:
    """An element gets another key in the index."""
    name, handle = each.index.called, p.handles.given
    refused = " Returns DUPLICATE if another element has the new key: the index is then unchanged, so restore the old key." if each.index.unique else ""
    finding = "O(1)" if handle else of.finding
    op(f"rekey_{name}", of.status, [of.me, (f"{p.T}_handle", "handle") if handle else p.sought, *each.key.params],
       f"Updates the index {name} after the key of an element has changed; {_those(each)} it had. Call it before any other function.{refused} "
       + ("Returns STALE if the element has been removed, " if handle else "Returns ABSENT if the element is not in the container, or ")
       + ("ABSENT " if handle else "") + "if the index does not have it under that key.",
       "O(1) expected" if finding == "O(1)" else finding, "nothing", ("moving", "rekey_index"),
       statuses=("STALE",) * handle + ("ABSENT",) + ("DUPLICATE",) * each.index.unique, index=name)


def _those(each: IndexParts) -> str:
    names = [f"`{name}`" for _, name in each.key.params]
    return f"{' and '.join(names)} {'are those' if names[1:] else 'is the one'} that"
