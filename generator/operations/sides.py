"""Values that only some elements have."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR, Cost
from ..language.model import SpecField
from ..parts.container_parts import Parts
from ..text.sentences import sentences
from ..types.declare import constant, pointer_to
from .costs import Costs
from .operation import Add


def sides(p: Parts, op: Add, of: Costs) -> None:
    """What there is for each of them."""
    for each in p.side.all:
        _values(p, each, op, of)
        _loop(p, each, op, of)


def _values(p: Parts, each: SpecField, op: Add, of: Costs) -> None:
    """One element has it, or has it no more."""
    name, T, handle = each.name, p.T, (p.T.handle, "handle")
    memory, moved = ("NO_MEMORY",) * (not p.allocator.never_fails), f"pointers to `{name}`, if it reallocates"
    op(f"set_{name}", of.status, [of.me, handle, (each.type, "value")],
       sentences(f"The element of a handle has this `{name}` from now on, in place of an earlier one, until the element is "
                 f"removed or {T[f'remove_{name}']} takes it away.", "Returns STALE if the element has been removed."),
       Cost(amortised=True), moved, ("sides", "set", name), statuses=("STALE",) + memory)
    found = f"Returns `{name}` of the element of a handle, to be read and written. NULL if it has none, or has been removed."
    op(f"get_{name}", pointer_to(each.type), [of.const_me, handle], found, body=("sides", "get", name), inline=True)
    op(f"get_{name}_const", pointer_to(constant(each.type)), [of.const_me, handle], f"As {T[f'get_{name}']}, for reading.",
       body=("sides", "get", name), inline=True, of=f"get_{name}")
    op(f"has_{name}", "bool", [of.const_me, handle], f"Has the element of a handle `{name}`? Not if it has been removed.",
       body=("sides", "has", name), inline=True)
    op(f"remove_{name}", of.status, [of.me, handle],
       f"The element of a handle has no `{name}` any more. Returns ABSENT if it had none, STALE if it has been removed.",
       CONSTANT, f"pointers to the removed value and to the last `{name}`", ("sides", "remove", name),
       statuses=("ABSENT", "STALE"))
    op(f"count_{name}", p.size, [of.const_me], f"The number of elements that have `{name}`.", body=("sides", "count", name),
       inline=True)
    op(f"reserve_{name}", of.status, [of.me, (p.size, "count")],
       f"Reserves memory for `{name}` of `count` elements in total: {T[f'set_{name}']} cannot fail up to that.",
       LINEAR, moved, ("sides", "reserve", name), statuses=memory)


def _loop(p: Parts, each: SpecField, op: Add, of: Costs) -> None:
    """All that have it."""
    name, TT = each.name, p.TT
    cursor = p.T[f"with_{name}"]
    op(f"begin_with_{name}", cursor, [of.const_me],
       f"Begins a loop over the elements that have `{name}`, for {TT[f'EACH_WITH_{name.upper()}']}. It need not be ended.",
       body=("sides", "begin", name), inline=True)
    op(f"next_with_{name}", "bool", [(f"{cursor} *", "cursor")],
       f"Goes on to the next `{name}`, the last one first: `value` and `handle` are those of it. The one that the loop stands on "
       f"may be taken away, and so may its element; what is set for other elements is not visited, and may move `value`. Returns "
       f"false behind the last one, or if another `{name}` has been removed since the last call: with BESPOKE_CHECKS that is "
       "misuse.",
       CONSTANT, "nothing", ("sides", "next", name), inline=True)
