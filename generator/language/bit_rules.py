"""Elements that are numbers, of which a container keeps nothing but a bit each."""

from typing import Tuple

from .check import Check
from .size_types import inside

# What a number that is no more than a bit does not go with: a value, why, and what does.
_NOT_A_BIT = (
    ("duplicates", "allow", "a number has one bit, so it cannot be in the container twice", "reject"),
    ("duplicates", "replace", "an equal number is the same number: there is nothing to replace it with", "reject"),
    ("addresses", "stable", "a number that is a bit has no address", "moving"),
    ("sort.when", "begin", "numbers are always in order", "insert"),
    ("identity.by", "address", "a number that is a bit has no address", "value"),
    ("identity.by", "key", "a number is its own key", "value"),
)
# Keys that say something of elements in memory, and why not of bits.
_NEED_MORE: Tuple[Tuple[str, str], ...] = (
    ("sort.key", "numbers are in ascending order"),
    ("sort.less", "numbers are in ascending order"),
    ("removal.expired", "a number has no state that could expire"),
    ("indexes", "a number has no other key"),
    ("hooks.add", "a number has nothing that a hook could write to"),
    ("hooks.remove", "a number has nothing that a hook could release"),
    ("hooks.destroy", "a number has nothing that a hook could release"),
    ("hooks.update", "a number has nothing that a hook could update"),
    ("hooks.move", "a number never moves"),
    ("threads.workers", "changes of two numbers may write to the same word"),
    ("threads.inbox", "an inbox holds elements in memory"),
)


def bits(check: Check) -> None:
    """What a container of bits can be."""
    c = check.c
    if c["element.by"] != "bit":
        return
    if c.is_layer:
        check.conflict("BSP0266", "a number is in one container, and has no bit in each layer", "element.by",
                       help="use a container for each layer")
        check.spoilt |= {"element.by", "ordering"}
        return
    check.refuse("BSP0266", "element.by", _NOT_A_BIT)
    for path, why in _NEED_MORE:
        if c[path] is not None:
            at, other = check.blame(path, "element.by")
            check.conflict("BSP0266", why, at, other,
                           help=f"leave out {check.key(path)}, or use {check.yaml('element.by', 'value')}")
    size = inside(c["emit.size_type"])
    if c["element.type"] != size:
        at, other = check.blame("element.type", "emit.size_type")
        check.conflict("BSP0266", f"numbers are as wide as counts, which are of type '{size}'", at, other, about=("element.by",),
                       help=[f"`element: {{type: {size}, by: bit}}`"]
                       + [f"or count in that type: `emit: {{size_type: {c['element.type']}}}`"] * (c["emit.size_type"] is None))
