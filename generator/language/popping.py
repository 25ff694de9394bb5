"""Where elements are removed as the first or as the last, by T_pop and T_pop_back: `emit.operations` names them."""

from typing import NamedTuple, Optional

from .check import Check
from .model import Container
from .policies import FREE

POPS = ("pop", "pop_back")


class Unpopped(NamedTuple):
    """Why no element is."""

    path: str  # the key that it is due to
    why: str
    help: str


def unpopped(c: Container) -> Optional[Unpopped]:
    """Why a container has no T_pop, if it has none."""
    ordering = c["ordering"]
    if ordering in ("fifo", "heap"):
        return None
    if ordering in FREE:
        return Unpopped("ordering", "in no particular order, no element is the first",
                        "use `ordering: insertion`, `fifo` or `heap`")
    if ordering == "tree":
        return Unpopped("ordering", "in a tree, T_first is removed with all its descendants, and T_pop returns one element",
                        "call T_remove for T_first")
    if ordering == "sorted" and c["sort.when"] == "begin":
        return Unpopped("sort.when", "which element is the first is not known before a pass begins",
                        "use `sort: {when: insert}`, or `ordering: heap`")
    if c["removal.when"] == "deferred":
        return Unpopped("removal.when", "while the container is locked, what T_pop returns would stay the first",
                        "use `removal: {when: immediate}`")
    return None


def unpopped_back(c: Container) -> Optional[Unpopped]:
    """Why a container that has T_pop has no T_pop_back, if it has none."""
    if c["ordering"] == "heap":
        return Unpopped("ordering", "a heap knows only its first element", "use `ordering: sorted`")
    if c["ordering"] == "fifo" and c["ends"] == "back":
        return Unpopped("ends", "elements are removed at one end", "use `ends: both`")
    if c["storage.kind"] == "linked" and c["storage.links"] == "single":
        return Unpopped("storage.links", "where links lead one way, the element before the last one would be searched",
                        "use `storage: {links: double}`")
    return None


def popping(check: Check) -> None:
    """What is popped has a place of its own in the order."""
    c, chosen = check.c, check.c["emit.operations"]
    if chosen is None:
        return
    for name, span in zip(chosen, chosen.spans):
        found = (unpopped(c) or name == "pop_back" and unpopped_back(c)) if name in POPS and name not in chosen.usual else None
        if found:
            check.conflict("BSP0233", f"there is no '{name}': {found.why}", "emit.operations", found.path, help=found.help,
                           span=span)
