"""What the generated test must know of containers whose elements are taken off their ends: only tests of such hold it."""

from __future__ import annotations

from typing import Any, Dict, Set

from ..containers.plan import Plan
from .tables import Call, Rule

QUEUE_RULES = (
    Rule("both_ends", "bool", "elements are added and taken off at either end"),
    Rule("overwrites", "bool", "an add to a full container removes the element at the other end"),
)
QUEUE_CALLS = (
    Call("add_front", "unsigned", "unsigned side, unsigned label"),
    Call("pop", "unsigned", "unsigned side, bool back, unsigned *label"),
    Call("end_at", "unsigned", "unsigned side, unsigned which, size_t index"),
)


def has_queues(plans: Any) -> bool:
    """Is there such a container among these?"""
    return any(plan.parts.order.queue for plan in plans)


def rules_of(plan: Plan) -> Dict[str, Any]:
    """What QUEUE_RULES say of a container."""
    return {"both_ends": plan.parts.order.both_ends, "overwrites": plan.parts.duplicates.overwrites}


def provided_by(plan: Plan) -> Set[str]:
    """Which of QUEUE_CALLS there are."""
    if not plan.parts.order.queue:
        return set()
    return {"pop", "end_at"} | ({"add_front"} if plan.parts.order.both_ends else set())
