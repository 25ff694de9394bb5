"""A plan: everything that is printed of one container. Its parts, its operations, and what its header says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from ..language.model import Container
from ..language.statuses import STATUSES
from ..operations.listing import operations_of
from ..operations.operation import Operation, finish
from ..parts.callbacks import Callback, callbacks, is_hidden
from ..parts.container_parts import Parts
from ..text import naming
from .overview import bytes_per_element, contract, overview_of, summary, walk_comment, walk_example

Loop = Tuple[str, str, str]  # a loop of C++: its name, what begins the pass, what is said of it


@dataclass
class Plan:
    """All that is printed of one container."""

    container: Container
    parts: Parts
    operations: List[Operation]
    statuses: List[Dict[str, Any]]
    loops: List[Loop]
    summary: str
    contract: List[str]
    bytes_per_element: str
    callbacks: List[Callback] = field(default_factory=list)  # functions that the user writes, but for an allocator's
    forward_declarations: List[Tuple[str, List[str]]] = field(default_factory=list)
    overview: str = ""
    kept: Optional[FrozenSet[str]] = None  # the operations that are emitted, where they are not all
    walk_example: str = ""
    walk_comment: str = ""
    said_done: str = ""
    templates = "container"

    @property
    def constants(self) -> List[str]:
        """Other names at file scope."""
        return [self.parts.element.cold] if self.parts.element.cold else []

    @property
    def T(self) -> naming.Name:
        return self.parts.T

    @property
    def TT(self) -> naming.Name:
        return self.parts.TT

    def has(self, name: str) -> bool:
        """Is an operation emitted? `each` is the loop."""
        return self.kept is None or name in self.kept

    @property
    def all_callbacks(self) -> List[Callback]:
        """All functions of the user."""
        return [*self.callbacks, *self.parts.allocator.callbacks()]

    @property
    def hidden(self) -> List[Callback]:
        """Those that the emitted functions cannot call by their names."""
        return [each for each in self.all_callbacks if is_hidden(self.parts, each.function)]

    def context(self) -> Dict[str, Any]:
        """What templates know of it."""
        return {"T": naming.Names(self.T), "TT": naming.Names(self.TT), **self.parts.words(), "parts": self.parts, "plan": self,
                "operations": self.operations, "statuses": self.statuses, "loops": self.loops, "summary": self.summary,
                "callbacks": self.callbacks, "hidden": self.hidden, "forward_declarations": self.forward_declarations, "overview": self.overview,
                "walk_comment": self.walk_comment}


def make_plan(container: Container) -> Plan:
    """Decides everything about one container, once: it does not change after it is resolved."""
    if container.plan is None:
        if container.layer is not None:
            from .layers import plan_layers  # builds on the plan of a layer
            container.plan = plan_layers(container, make_plan(container.layer))
        else:
            container.plan = _plan(Parts(container))
    return container.plan


def _plan(p: Parts) -> Plan:
    operations = operations_of(p)
    statuses = {"OK"}.union(*(operation.statuses for operation in operations))
    example = walk_example(p)
    loops = [("each", "begin", "")] + [("each_backward", "begin_backward", f"As {p.TT}_EACH_BACKWARD goes.")] * p.passes.both_ways
    plan = Plan(
        p.container, p, operations, [{"name": name, "number": number, "doc": _said(p, name)} for name, (number, _) in STATUSES.items()
                                     if name in statuses],
        loops, summary(p), contract(p, lambda name: True), bytes_per_element(p), list(dict.fromkeys(callbacks(p))), _forward(p),
        walk_example=example, walk_comment=walk_comment(p.T, example), said_done=said_done(p.TT, statuses))
    for operation in operations:
        finish(p.T, operation)
    plan.overview = overview(plan)
    return plan


def overview(plan: Plan) -> str:
    """The comment at the top of a container's half of a header."""
    if plan.container.layer is not None:
        from . import layers
        return layers.overview_of(plan)
    return overview_of(plan.parts, plan, plan.has)


def said_done(TT: str, statuses: Any) -> str:
    """The statuses after which a call has done what was asked."""
    return " and ".join(f"{TT}_{status}" for status in ("OK", "QUEUED", "REPLACED") if status in statuses)


def _said(p: Parts, status: str) -> str:
    """What a status says."""
    if status == "FULL" and p.handles.given and p.container["handles.index_bits"] < 32 and p.limit is None:
        return f"the container is full: handles can name {p.handles.named_slots(p.storage.round_to):,}"
    if status == "BUSY" and p.order.sorts:
        return "a pass is live, or the limit of live passes is reached"
    return STATUSES[status][1]


def _forward(p: Parts) -> List[Tuple[str, List[str]]]:
    """Structs that the header only points at: it needs their names, not their headers. With the functions that they are for, if
    they are not for all."""
    declared = []
    if p.element.by_pointer and p.container["element.header"] is None and p.E.startswith(("struct ", "union ")):
        declared.append(p.E.rstrip("* "))
    if p.container["element.header"] is None:
        for member in p.element.fields:
            declared += re.findall(r"\b(?:struct|union) \w+", member.type)
    context = p.container["hooks.context"]
    if p.hooks["update"] is not None and context is not None:
        match = re.search(r"\b(struct|union)\s+(\w+)\s*\*", context)
        if match:
            told = f"{match.group(1)} {match.group(2)}"
            if told not in declared:
                return [*[(each, []) for each in dict.fromkeys(declared)], (told, [f"{p.T}_update", naming.marked(p.hooks["update"])])]
    return [(each, []) for each in dict.fromkeys(declared)]


def c_names(container: Container) -> List[str]:
    """Every name at file scope that a container's header declares."""
    plan = make_plan(container)
    t, upper = str(plan.T), str(plan.TT)
    names = [t, f"{t}_status", f"{t}_cursor", f"{t}_pass", f"{t}_change", f"{t}_change_kind", f"{t}_handle", f"{t}_row", f"{t}_misuse_", f"{t}_span", f"{t}_const_span", f"{t}_walk", f"{t}_each", f"{t}_each_backward", f"{upper}_EACH", f"{upper}_EACH_BACKWARD",
             f"{upper}_MAX", f"{upper}_KEYS", f"{upper}_WORKERS", f"{upper}_NONE", f"{upper}_PASSES", f"{upper}_MISUSE_", f"{upper}_CHUNK", f"{t}_chunk_data", f"{upper}_ALIGNMENT"]
    names += [f"{t}_{operation.name}" for operation in plan.operations]
    names += [f"{upper}_{status}" for status in STATUSES]
    names += map(naming.plain, plan.constants)
    if container.respelled:  # both the names that are written and those by which they are known
        spelled = [container.function(operation.name) for operation in plan.operations]
        spelled += [container.type_of(name) for name in naming.TYPES]
        names = names[:1] + spelled + [name for name in names[1:] if name not in spelled]
    return names


def declared_as(name: str, container: Container) -> str:
    """What one of these names is."""
    plan = make_plan(container)
    if any(name in (naming.plain(f"{plan.T}_{each}"), container.function(each))
           for each in ("each", "each_backward", *(operation.name for operation in plan.operations))):
        return "function"
    if name in map(naming.plain, (*plan.constants, *(f"{plan.TT}_{status}" for status in STATUSES))):
        return "constant"
    return "macro" if name.startswith(str(plan.TT) + "_") and name.isupper() else "type"
