"""What the generated test must know of containers whose elements are taken off their ends: only tests of such hold it."""

from __future__ import annotations

from typing import Any, Dict, Set

from ..containers.plan import Plan
from .tables import Call, Rule

QUEUE_RULES = (
    Rule("both_ends", "bool", "elements are added and taken off at either end"),
)
QUEUE_CALLS = (
    Call("pop", "unsigned", "unsigned side, bool back, unsigned *label"),
    Call("end_at", "unsigned", "unsigned side, unsigned which, size_t index"),
)


def has_queues(plans: Any) -> bool:
    """Is there such a container among these?"""
    return any(plan.parts.order.queue for plan in plans)


def rules_of(plan: Plan) -> Dict[str, Any]:
    """What QUEUE_RULES say of a container."""
    return {"both_ends": plan.parts.order.both_ends}


def provided_by(plan: Plan) -> Set[str]:
    """Which of QUEUE_CALLS there are."""
    return {"pop", "end_at"} if plan.parts.order.queue else set()
