"""The operations of a container, as data."""

from __future__ import annotations

from typing import Any, List, Tuple

from ..language.costs import CONSTANT, Cost
from ..parts.container_parts import Parts
from .adding import adds, bulk
from .anywhere import anywhere
from .bits import numbers
from .changes import changes
from .costs import Costs
from .ends import ends
from .handles import handles
from .indices import indices
from .life import life, questions
from .moving import moves
from .named import named
from .operation import Operation
from .places import bounds, links, places
from .reading import over_const, readers
from .removing import removals
from .saving import saving, snapshots
from .scans import scans
from .sides import sides
from .threads import threads
from .walking import passes, updates
from .weights import weights


def operations_of(parts: Parts) -> List[Operation]:
    """All that callers may be given, in the order of the header."""
    operations: List[Operation] = []

    def add(name: str, result: str, params: List[Tuple[str, str]], brief: str, cost: Cost = CONSTANT,
            invalidates: str = "nothing",
            body: Tuple[Any, ...] = ("", ""), inline: bool = False, statuses: Tuple[str, ...] = (), column: str = "",
            fills: bool = False, index: str = "", silent: bool = False, getter: bool = False, of: str = "") -> None:
        if result == costs.status and parts.allocator.never_fails and not set(statuses) - {"OK"}:
            result, statuses = "void", ()  # nothing can refuse it
        operations.append(Operation(name, result, params, brief, cost, invalidates, body, inline, statuses, column, index, fills,
                                    silent, getter, of))
        if getter and not parts.element.rows:
            operations.append(over_const(parts, costs, operations[-1]))

    costs = Costs(parts)
    for group in (life, questions, places, bounds, handles, links, ends, adds, bulk, weights, removals, numbers,
                  indices, moves, named, passes, anywhere, scans, readers, updates, threads, saving, snapshots,
                  changes, sides):
        before = len(operations)
        group(parts, add, costs)
        for operation in operations[before:]:
            operation.reports = parts.container["emit.attributes"] and not operation.private and operation.may_fail \
                and operation.result == costs.status and (group in (adds, bulk) or operation.name in ("worker_add", "inbox_add"))
    return operations
