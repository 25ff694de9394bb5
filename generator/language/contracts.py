"""Which containers have contracts for a prover (`emit.contracts`), and of which operations.

Every goal of what is listed here is proven by `script/prove`. What is not is refused: a contract that nobody has proven is no
better than a comment.
"""

import re
from typing import Any, Dict, FrozenSet, Tuple

from .check import Check
from .model import Container

_ALWAYS = ("init", "deinit", "settle", "count", "is_empty", "capacity", "get", "add", "clear", "begin", "next", "end", "each")

# By `ordering`, and for unordered containers by `handles`: which values of other keys go with it, and the operations that have
# contracts.
_SLOT_MAP = "unordered, with handles"
_PROVEN: Dict[str, Tuple[Dict[str, Any], Tuple[str, ...]]] = {
    "unordered": ({"removal.policy": "swap", "element.by": "pointer", "duplicates": "reject", "index.kind": "intrusive",
                   "iteration.removes": "current",
                   "iteration.cursors": "one"},
                  ("contains", "remove", "remove_at", "remove_current")),
    _SLOT_MAP: ({"removal.policy": "swap", "element.by": "value", "duplicates": "allow", "index.kind": "none",
                 "iteration.removes": "none",
                 "handles.kind": "generational", "changes": "none", "handles.index_bits": 32, "handles.generation_bits": 32},
                ("add_handle", "remove", "remove_at")),
    "sorted": ({"removal.policy": "shift", "element.by": "value", "duplicates": "allow", "index.kind": "none",
                "iteration.removes": "none", "sort.when": "insert"},
               ("remove_at",)),
    "fifo": ({"removal.policy": "shift", "element.by": "value", "duplicates": "allow", "index.kind": "none",
              "iteration.removes": "none",
              "capacity.when_full": "reject"}, ("first", "last", "get_back", "add_front", "pop", "pop_back")),
}
# What goes with all of them.
_COMMON: Dict[str, Any] = {"capacity.inline": True, "layout": "aos", "removal.when": "immediate",
                           "iteration.direction": "forward",
                           "iteration.adds": "visited", "handles.kind": "none", "identity.by": "address", "emit.size_type": None,
                           "emit.persist": False,
                           "emit.snapshot": False, "emit.trace": False, "threads.workers": None, "threads.inbox": None,
                           "removal.expired": None,
                           "sort.less": None,
                           "hooks.add": None, "hooks.remove": None, "hooks.destroy": None, "hooks.update": None,
                           "hooks.move": None, "hooks.kept_context": None, "hooks.reason": False, "hooks.add_reason": False}
_INTEGER = re.compile(r"u?int(8|16|32|64)_t|(unsigned |signed )?(char|short|int|long|long long)|unsigned|size_t")

# (template of the body, macro): those whose contracts templates/contracts has, also of private functions that these call.
OPERATIONS: FrozenSet[Tuple[str, str]] = frozenset(
    [("lifecycle", name) for name in ("init", "deinit", "settle", "count", "is_empty", "capacity", "clear")]
    + [("adding", name) for name in ("add", "open")]
    + [("removing", name) for name in ("remove", "remove_handle", "remove_at")]
    + [("finding", name) for name in ("contains", "get", "get_handle")]
    + [("ends", name) for name in ("first", "last", "get_back", "pop", "pop_back", "add_front")]
    + [("passes", name) for name in ("begin", "next", "end", "remove_current", "remove_current_here")])


def _kind(c: Container) -> str:
    """The key of `_PROVEN` for a container: a second set of values for an ordering is told from the first one here."""
    return _SLOT_MAP if c["ordering"] == "unordered" and c["handles.kind"] != "none" else str(c["ordering"])


def operations_with_contracts(c: Container) -> Tuple[str, ...]:
    """What is emitted without `emit.operations`."""
    kind = _kind(c)
    return _ALWAYS + _PROVEN[kind][1] if kind in _PROVEN else ()


def contracts(check: Check) -> None:
    """Containers whose contracts are proven."""
    c = check.c
    if c["emit.contracts"] == "none":
        return
    if c["ordering"] not in _PROVEN or c.is_layer:
        at, other = check.blame("emit.contracts", "ordering")
        check.conflict("BSP0299", "there are contracts for `ordering: unordered`, `sorted` and `fifo`", at, other,
                       help="use one of these, or leave out emit.contracts")
        return
    if c["iteration.cursors"] == "none":
        at, other = check.blame("emit.contracts", "iteration.cursors")
        check.conflict("BSP0299", "there are no contracts of readers", at, other,
                       help=f"use {check.yaml('iteration.cursors', 'many')}, or leave out emit.contracts")
        return
    values, _ = _PROVEN[_kind(c)]
    for path, value in {**_COMMON, **values}.items():
        if c[path] != value and not (value is None and c[path] in (None, False)):
            at, other = check.blame("emit.contracts", path)
            check.conflict("BSP0299", "there are no contracts for this combination", at, other,
                           help=f"{'leave out ' + path if value is None else 'use ' + check.yaml(path, value)}, or leave out "
                                "emit.contracts")
            return
    if c["element.by"] == "value" and not _INTEGER.fullmatch(c["element.type"] or ""):
        at, other = check.blame("emit.contracts", "element.type")
        check.conflict("BSP0299", "elements held by value have contracts if they are integers", at, other,
                       help="leave out emit.contracts")
    names, there = c["emit.operations"], operations_with_contracts(c)
    for name, span in zip(names, names.spans):
        if name not in there:
            check.conflict("BSP0299", f"there is no contract for '{name}'", "emit.operations", "emit.contracts", span=span,
                           help="there are contracts for: " + ", ".join(there))
