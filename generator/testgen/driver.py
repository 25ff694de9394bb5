"""The part of a generated test that is the same for all containers."""

from typing import Sequence, Tuple

import jinja2

from ..language.statuses import STATUSES
from .interface import CALLS, RULES
from .subject import Subject

LABELS = 1200  # labels by which the test knows elements; more than two full models can hold
MOST_FILLED = 5000  # containers up to this size are filled to the brim


def driver_text(environment: jinja2.Environment, subjects: Sequence[Subject], layers: bool,
                plain_allocators: Sequence[Tuple[str, str]], spelled: Sequence[Tuple[str, str, str]]) -> str:
    most = max([subject.limit for subject in subjects if subject.limit is not None and subject.limit <= MOST_FILLED] or [0])
    hooks = {event for subject in subjects for event, _ in subject.hooks_used}
    context = dict(
        assigns=any(subject.assigns for subject in subjects), labels=max(LABELS, most + 2), outside=layers, spelled=spelled, rules=RULES, calls=CALLS,
        statuses=sorted(((name, number) for name, (number, _) in STATUSES.items()), key=lambda status: status[1]),
        ranks=any(subject.ranks for subject in subjects),
        predicates=any(subject.predicate_function for subject in subjects),
        custom_allocators=any(subject.own_arena for subject in subjects), updates="update" in hooks, moves="move" in hooks,
        looks_on=any(subject.hooks_unused for subject in subjects), plain_allocators=plain_allocators)
    return "".join(environment.get_template(f"test/{part}.j2").render(context) for part in ("driver", "runs"))
