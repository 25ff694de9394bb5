"""The plan of any container, and what is known by it: the names at file scope."""

from __future__ import annotations

from typing import List

from ..language.model import Container
from ..language.statuses import STATUSES
from ..parts.container_parts import Parts
from ..text import naming
from ..text.identifiers import shout
from .layers import plan_layers
from .plan import Plan, plan_of


def make_plan(container: Container) -> Plan:
    """Decides everything about one container, once: it does not change after it is resolved."""
    if container.plan is None:
        if container.layer is not None:
            container.plan = plan_layers(container, make_plan(container.layer))
        else:
            container.plan = plan_of(Parts(container))
    return container.plan


def c_names(container: Container) -> List[str]:
    """Every name at file scope that a container's header declares."""
    plan = make_plan(container)
    t, upper = container.full_name, shout(container.full_name)
    names = [t, f"{t}_status", f"{t}_cursor", f"{t}_pass", f"{t}_change", f"{t}_change_kind", f"{t}_handle", f"{t}_row",
             f"{t}_misuse_", f"{t}_span", f"{t}_const_span", f"{t}_worker", f"{t}_inbox_cell", f"{t}_walk", f"{t}_each",
             f"{t}_each_backward", f"{upper}_EACH", f"{upper}_EACH_BACKWARD", f"{upper}_EACH_FROM", f"{upper}_EACH_PAIR",
             f"{t}_const_cursor", f"{t}_const_walk", f"{upper}_EACH_CONST", f"{upper}_EACH_BACKWARD_CONST",
             f"{upper}_MAX", f"{upper}_KEYS", f"{upper}_WORKERS", f"{upper}_INBOX", f"{upper}_NONE", f"{upper}_PASSES",
             f"{upper}_MISUSE_", f"{upper}_CHUNK", f"{t}_chunk_data", f"{upper}_ALIGNMENT"]
    names += [f"{upper}_{each.index.loop}" for each in plan.parts.indexes.named if each.index.ordered]
    for each in plan.parts.side.all:
        names += [f"{t}_with_{each.name}", f"{t}_{each.name}_rows", f"{upper}_EACH_WITH_{each.name.upper()}"]
    names += [f"{t}_{operation.name}" for operation in plan.operations]
    names += [f"{upper}_{status}" for status in STATUSES]
    names += map(naming.plain, plan.constants)
    if container.respelled:  # both the names that are written and those by which they are known
        spelled = [container.function(operation.name) for operation in plan.operations]
        spelled += [container.type_of(name) for name in naming.TYPES]
        spelled += [container.type_of(name) for each in plan.parts.side.all
                    for name in (f"with_{each.name}", f"{each.name}_rows")]
        names = names[:1] + spelled + [name for name in names[1:] if name not in spelled]
    return names


def declared_as(name: str, container: Container) -> str:
    """What one of these names is."""
    plan = make_plan(container)
    if any(name in (f"{container.full_name}_{each}", container.function(each))
           for each in ("each", "each_backward", *(operation.name for operation in plan.operations))):
        return "function"
    if name in map(naming.plain, (*plan.constants, *(plan.TT[status] for status in STATUSES))):
        return "constant"
    return "macro" if name.startswith(shout(container.full_name) + "_") and name.isupper() else "type"
