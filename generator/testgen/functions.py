"""Functions outside of a container: the user's."""

from itertools import product
from typing import List

from ..containers.plan import Plan

HOOKS = ("add", "remove", "destroy", "update", "move")


def your_names(plan: Plan) -> List[str]:
    """The user's functions that a container calls."""
    c = plan.container
    names = [c[f"hooks.{hook}"] for hook in HOOKS]
    for each, path in product((c, *(index.container for index in plan.parts.indexes.named)),
                              ("removal.expired", "identity.key", "identity.length", "sort.key", "sort.less")):
        if each[path] is not None and each[path].is_function:
            names.append(str(each[path]))
    names += [c[f"persist.{name}"] for name in ("save", "load", "upgrade")]
    names += ([each[path] for each in (c, *(index.container for index in plan.parts.indexes.named))
               for path in ("identity.equal", "identity.hash", "index.seed")])
    if plan.parts.allocator.custom:
        names += [c[f"allocator.{name}"] for name in ("alloc", "realloc", "free")]
    return [name for name in dict.fromkeys(names) if name is not None]
