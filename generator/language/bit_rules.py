"""Elements that are numbers, of which a container keeps nothing but a bit each."""

from typing import Tuple

from .check import Check
from .model import Container
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


def is_in_slot(c: Container) -> bool:
    """Does the place of an element follow from its number, or from its key?"""
    return c["element.by"] == "bit" or c["index.kind"] == "direct"


def is_sorted_in(c: Container) -> bool:
    """Is it found among the others by what they are sorted by?"""
    return c["ordering"] == "sorted" and not is_in_slot(c)


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


# What an element whose slot is its key does not go with.
_NOT_DIRECT = (
    ("identity.by", "address", "an address is no slot", "key"),
    ("sort.when", "begin", "elements are always in the order of their keys", "insert"),
)
_NEED_ANOTHER_SLOT: Tuple[Tuple[str, str], ...] = (
    ("sort.key", "elements are in ascending order of their keys"),
    ("sort.less", "elements are in ascending order of their keys"),
    ("capacity.weight", "`capacity.max` limits the keys"),
    ("threads.workers", "T_settle reserves all memory before it adds anything, and a new key may need any number of slots"),
    ("threads.inbox", "T_settle reserves all memory before it adds anything, and a new key may need any number of slots"),
)


def direct(check: Check) -> None:
    """What a container can be in which keys are slots."""
    c = check.c
    if c["index.kind"] != "direct":
        return
    if c.is_layer:
        check.conflict("BSP0269", "a key is a slot of one container, and layers share their slots", "index.kind",
                       help="use a container for each layer")
        check.spoilt |= {"index.kind", "ordering"}
        return
    if c["identity.by"] == "value" and (c["element.type"] or "").endswith("*"):
        at, other = check.blame("index.kind", "identity.by")
        check.conflict("BSP0269", "an address is no slot", at, other, help="give a key: `identity: {key: element->id}`")
    check.refuse("BSP0269", "index.kind", _NOT_DIRECT)
    for path, why in _NEED_ANOTHER_SLOT:
        if c[path] is not None:
            at, other = check.blame(path, "index.kind")
            check.conflict("BSP0269", why, at, other,
                           help=f"leave out {check.key(path)}, or use {check.yaml('index.kind', 'dense')}")
