"""How emitted names are spelled: what tests are told of it."""

from typing import List, Sequence, Tuple

from ..containers.plan import Plan


def spelled_otherwise(plans: Sequence[Plan]) -> List[Tuple[str, str, str]]:
    """T and the name of an operation, and how the two are spelled, where it is not T_name."""
    return [(plan.container.full_name, operation.name, plan.container.function(operation.name))
            for plan in plans if plan.container.respelled for operation in plan.operations]
