"""The operations that `emit.operations` may name, and what is said of a name that is none of a container's."""

from typing import List, Optional

from ..language.combinations import COMPANIONS
from ..language.keys import KEYS, in_yaml
from ..language.model import Callable_, Container, Names
from ..language.resolve import variant
from ..text.suggestions import suggestion
from .plan import Plan
from .planning import make_plan

LOOP = "each"  # what the loop is called where operations are named
READING_LOOP = "each_const"  # and that over a const container

# What other libraries call an operation: the first of these that a container has.
_ELSEWHERE = {
    "add": "push push_back append insert enqueue put emplace_back", "remove": "erase delete del discard",
    "count": "size length len num", "first": "front peek top head",
    "last": "back tail", "pop": "pop_front dequeue take shift", "add_front": "push_front prepend unshift",
    "deinit": "destroy free dispose release", "init": "create new make",
    "is_empty": "empty", "contains": "has exists includes", "find": "lookup search", "get": "at nth get_at peek front top",
    "reserve": "resize grow",
    "each": "foreach for_each iterate", "clear": "reset remove_all", "settle": "flush", "remove_at": "erase_at delete_at",
    "remove_key": "erase_key delete_key",
    "take": "extract release detach", "find_or_add": "try_emplace get_or_insert get_or_add setdefault intern",
    "remove_if": "erase_if delete_if filter retain",
    "pop_if": "pop_due pop_expired",
    "insert_before": "insert", "begin": "iterator", "remove_current": "erase_current", "replace_at": "set",
}
# Values that keys without a choice may have, where one of them gives a container an operation.
_EXAMPLES = {"identity.key": Callable_("element->id"), "sort.key": Callable_("element->depth"), "capacity.max": 64,
             "threads.workers": 8, "threads.inbox": 64}


def operation_names(container: Container) -> List[str]:
    """What `emit.operations` may name of a container; of one in layers, what its layers can do, too."""
    plans = [make_plan(each) for each in (container, container.layer) if each is not None]
    return list(dict.fromkeys([operation.name for plan in plans for operation in plan.operations if not operation.private]
                              + [loop for loop in (LOOP, READING_LOOP) if loop in plans[0].names]
                              + [loop.lower() for loop in index_loops(plans[-1])]))


def index_loops(plan: Plan) -> List[str]:
    """The loops over a const container in the order of a named index."""
    return [each.index.loop for each in plan.parts.indexes.named if each.index.ordered]


def advice_for(container: Container, name: str) -> List[str]:
    """What may have been meant by the name of no operation, and what would give the container an operation of that name."""
    there = operation_names(container)
    called = [operation for operation, words in _ELSEWHERE.items() if name in words.split()]
    meant = next((operation for operation in called if operation in there or _is_had(container, operation)), None)
    would = None if meant or container.layer is not None \
        else next(filter(None, (_would_have(container, each) for each in (name, *called))), None)
    first = f"did you mean '{meant}'? " if meant else "" if would or called else suggestion(name, there)
    return [would] * bool(would) + [first + "it has: " + ", ".join(there)]


def _is_had(container: Container, name: str) -> bool:
    """Has a container an operation if it is named? Some it has only then."""
    names = Names((name,))
    names.spans = (container.span,)
    other = variant(container, "emit.operations", names)
    return other is not None and name in operation_names(other)


def _would_have(container: Container, name: str) -> Optional[str]:
    """Values of other keys with each of which it would have an operation."""
    found: List[str] = []
    for key in sorted(KEYS, key=lambda key: not key.path.startswith(("removal", "ordering", "handles", "identity"))):
        if key.path.startswith(("emit.contracts", "test.")) or key.path == "ordering" and container["layers.names"]:
            continue
        values = [*key.values, *([True] if key.kind == "flag" else []), *([_EXAMPLES[key.path]] if key.path in _EXAMPLES else [])]
        for value in values:
            if key.path == "emit.operations" or (key.path, str(value)) in COMPANIONS or value in ("auto", container[key.path]):
                continue  # the key that it needs is tried by itself
            other = variant(container, key.path, value)
            if other is not None and _is_had(other, name):
                found.append(in_yaml(key.path, value))
    return f"it would have '{name}' with {' or '.join(found[:3])}" if found else None
