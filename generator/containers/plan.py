"""A plan: everything that is printed of one container. Its parts, its operations, and what its header says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from ..language.model import Container
from ..language.statuses import STATUSES, Status
from ..operations.listing import operations_of
from ..operations.operation import Operation, finish, signed_of
from ..operations.traced import Call, calls_of, index_number, kind_number, policy_of, spec_of
from ..parts.callbacks import Callback, callbacks, is_hidden
from ..parts.container_parts import Parts
from ..parts.key import sorted_by
from ..text import naming
from ..text.c_tokens import literal
from .overview import Said, bytes_per_element, contract, overview_of, summary, walk_comment, walk_example

Loop = Tuple[str, str, str]  # a loop of C++: its name, what begins the pass, what is said of it


@dataclass(eq=False)
class Plan:
    """All that is printed of one container."""

    container: Container
    parts: Parts
    operations: List[Operation]
    statuses: List[Status]
    loops: List[Loop]
    callbacks: List[Callback] = field(default_factory=list)  # functions that the user writes, but for an allocator's
    forward_declarations: List[Tuple[str, List[str]]] = field(default_factory=list)
    kept: Optional[FrozenSet[str]] = None  # the operations that are emitted, where they are not all
    templates = "container"
    counts = True  # has it a member with the number of its elements?

    @property
    def constants(self) -> List[str]:
        """Other names at file scope."""
        return [self.parts.element.cold] if self.parts.element.cold else []

    @property
    def T(self) -> naming.Names:
        return self.parts.T

    @property
    def TT(self) -> naming.Names:
        return self.parts.TT

    def has(self, name: str) -> bool:
        """Is an operation emitted? `each` is the loop."""
        return name in (self.names if self.kept is None else self.kept)

    @cached_property
    def names(self) -> FrozenSet[str]:
        """What it may emit: operations, and loops."""
        return frozenset(["each"] * self.parts.passes.offered + ["each_const"]).union(each.name for each in self.operations)

    @property
    def handles_apart(self) -> bool:
        """Is a type of handles declared for it, in their own header?"""
        return self.parts.handles.apart

    @cached_property
    def traced(self) -> List[Call]:
        """What a trace records, if there is one."""
        if not self.container["emit.trace"]:
            return []
        return calls_of(self.operations, self.parts, bool(self.traced_key[0]), bool(self.traced_rank), self.traced_indexes)

    @property
    def traced_by(self) -> naming.Names:
        """Whose functions know what a trace has of an element."""
        return self.T

    @property
    def traced_key(self) -> Tuple[str, str]:
        """A hash of an element's key, and its bytes, as expressions of C."""
        return self.parts.key.traced

    @property
    def traced_rank(self) -> str:
        """The key by which elements are ordered all the time, as an expression of C; '' if it is no number."""
        c = self.container
        sorts = c["ordering"] in ("sorted", "heap") and c["sort.when"] != "begin" and c["sort.key"] is not None
        number = sorts and c["sort.kind"] == "number" and not self.parts.element.rows
        return sorted_by(self.parts).of("element") if number else ""

    @property
    def traced_indexes(self) -> List[str]:
        """For each named index a number that stands for the key of `element`, as an expression of C; '' if there is none."""
        return [index_number(each) for each in self.parts.indexes.named]

    @property
    def traced_memory(self) -> str:
        """Where its elements lie, if that is no part of it, as an expression of C."""
        return self.parts.storage.lies_at

    @property
    def traced_policy(self) -> str:
        return literal(policy_of(self.container))

    @property
    def traced_spec(self) -> str:
        return literal(spec_of(self.container))

    @property
    def traced_kind(self) -> int:
        """What is the same for containers that a trace takes for the same kind."""
        return kind_number(self.container.full_name, policy_of(self.container),
                           *(f"{call.number} {call.operation.name}" for call in self.traced))

    @property
    def summary(self) -> str:
        return summary(self.parts)

    @property
    def contract(self) -> List[str]:
        """What holds during a pass."""
        return contract(self.parts, self.has)

    @property
    def bytes_per_element(self) -> str:
        return bytes_per_element(self.parts)

    @property
    def walk_example(self) -> str:
        """A loop of C++."""
        return walk_example(self.parts, self.T)

    @property
    def said_done(self) -> str:
        """The statuses after which a call has done what was asked."""
        there = {status.name for status in self.statuses}
        return " and ".join(self.TT[status] for status in ("OK", "QUEUED", "REPLACED") if status in there)

    def overview(self, size: Optional[int], said: Said) -> str:
        """The comment at the top of the container's half of a header; `size`: what it takes by itself, if that is known; `said`:
        in those before it."""
        return overview_of(self, size, said)

    def memory(self, size: Optional[int]) -> str:
        """What it costs in memory, in words."""
        own = "" if size is None else f"{size} bytes for the struct on 64-bit systems; "
        return own + self.bytes_per_element

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
        return {"T": self.T, "TT": self.TT, **self.parts.words(), "parts": self.parts, "plan": self,
                "operations": self.operations, "statuses": self.statuses, "loops": self.loops, "summary": self.summary,
                "callbacks": self.callbacks, "hidden": self.hidden, "forward_declarations": self.forward_declarations,
                "walk_comment": walk_comment(self.T, self.walk_example)}


def plan_of(p: Parts) -> Plan:
    """Decides everything about a container that is no other one in layers."""
    operations = operations_of(p)
    statuses = {"OK"}.union(*(operation.statuses for operation in operations))
    loops = [("each", "begin", "")] + [("each_backward", "begin_backward", f"As {p.TT.EACH_BACKWARD} goes.")] * p.passes.both_ways
    plan = Plan(
        p.container, p, operations,
        [Status(name, number, _said(p, name)) for name, (number, _) in STATUSES.items() if name in statuses],
        loops, list(dict.fromkeys(callbacks(p))), _forward(p))
    signed = signed_of(p)
    for operation in operations:
        finish(p.T, operation, p.container["emit.attributes"], p.element.by_value and not p.element.rows, signed)
    return plan


def _said(p: Parts, status: str) -> str:
    """What a status says."""
    if status == "FULL" and p.handles.given and p.container["handles.index_bits"] < 32 and p.limit is None:
        return f"the container is full: handles can name {p.handles.named_slots(p.storage.round_to):,}"
    if status == "BUSY" and p.order.sorts:
        return "a pass is live, or the limit of live passes is reached"
    if status == "FOREIGN":
        return f"it is in another container, or its `{p.element.link_back}` was never zeroed"
    if status == "DUPLICATE" and p.element.unowned:
        return "it is linked already, in this container or another"
    if status == "RANGE" and (p.removal.given_slots or p.removal.spread):
        return p.removal.out_of_range
    if status == "QUEUED" and not p.when.deferred:
        return f"pending until {p.T.settle}"
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
        for each in p.side.all:
            declared += re.findall(r"\b(?:struct|union) \w+", each.type)
    context = p.kept_context or p.update_context
    match = re.search(r"\b(struct|union)\s+(\w+)\s*\*", context or "")
    if match:
        told = f"{match.group(1)} {match.group(2)}"
        if told not in declared:
            functions = [] if p.kept_context else [p.T.update, naming.marked(p.hooks["update"])]
            return [*[(each, []) for each in dict.fromkeys(declared)], (told, functions)]
    return [(each, []) for each in dict.fromkeys(declared)]
