"""Which layers have handles in common."""

from .check import Check
from .strategies import fixed_storage

# What does not go with that: a key, the values that do, and why.
_WITHOUT = (
    ("removal.when", ("immediate",), "each layer has a journal, and a pending move would be in two of them"),
    ("ordering", ("insertion", "unordered", "sorted", "explicit"), "an element of a tree is moved with all that is below it"),
    ("duplicates", ("allow", "reject"), "an element that replaces another one takes over its handle, and has one already"),
    ("capacity.inline", (None, False), "the table of the handles is allocated, and an inline container allocates nothing"),
    ("threads.workers", (None,), "what workers change is merged in each layer by itself"),
)


def shared_handles(check: Check) -> None:
    """Handles that last where an element is moved to another layer: it must be possible to move it."""
    c = check.c
    if c["layers.handles"] != "shared":
        return
    if not c.is_layer:
        check.conflict("BSP0276", "there are no layers, between which an element could keep its handle", "layers.handles",
                       help="name them in `layers.names`, or leave out layers.handles", about=("layers.names", "ordering"))
        return
    for path, kept, why in _WITHOUT:
        if c[path] not in kept:
            at, other = check.blame("layers.handles", path)
            use = check.use((path, kept[0]), otherwise=f"leave out {check.key(path)}") if kept[0] \
                else f"leave out {check.key(path)}"
            check.conflict("BSP0276", why, at, other, help=use)
            return
    if fixed_storage(c):
        at, other = check.blame("layers.handles", "addresses")
        check.conflict("BSP0276", "an element that is moved to another layer is copied, and has another address there", at, other,
                       help=check.use(("addresses", "moving")))
