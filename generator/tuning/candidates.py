"""What a container could be instead, for the same callers: other policies, storage, index, capacity."""

from __future__ import annotations

import itertools
from typing import AbstractSet, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ..containers.planning import make_plan
from ..language.keys import BY_PATH, choices
from ..language.policies import POLICIES, STORAGES
from ..language.resolve import changed
from ..text.diag import Diagnostics

INLINE = 256  # elements at most that are put into the container's struct
MANY = 4096  # a limit up to which all may be allocated at once
GROWTH = (1.5, 2.0, 4.0)
# What candidates differ in; the first five are the shape, the others sizes.
AXES = ("removal.policy", "storage.kind", "storage.chunk", "storage.links", "index.kind", "removal.dead_share", "capacity.inline",
        "capacity.initial", "capacity.growth")
Values = Dict[str, Any]


class Candidate(NamedTuple):
    """One of them: what it gives otherwise than the spec, and all that tells it from the others."""

    container: Any
    given: Values
    values: Values  # of AXES

    @property
    def is_now(self) -> bool:
        return not self.given


class Found(NamedTuple):
    """The candidates of a container, the spec's own first, and why there are no others."""

    candidates: List[Candidate]
    lacking: Dict[str, int]  # operations that the program may call: how many shapes do not have them


def candidates(container: Any, used: Optional[AbstractSet[str]], most: int, same_policy: bool, same_index: bool) -> Found:
    """`used`: the operations that the program calls, None: any that there are; `most`: the most elements that were in it;
    `same_policy`: can the operations be repeated with the same policy only? `same_index`: the program may read what it writes."""
    now = Candidate(container, {}, _values(container, most))
    needed = {operation.name: (operation.result, operation.params) for operation in make_plan(container).operations
              if not operation.private and (used is None or operation.name in used)}
    found, lacking = {_known(now): now}, {}  # type: Dict[Any, Candidate], Dict[str, int]
    asks = container["removal.expired"] is not None  # T_count tells callers when what has expired is given up
    fixed = {path for path, kept in (("removal.policy", same_policy or asks), ("index.kind", same_index),
                                     ("removal.dead_share", asks)) if kept}
    for shape in _shapes(container):
        other = None if fixed & set(shape) else _other(container, shape)
        if other is None:
            continue
        missing = _missing(needed, other)
        for name in missing:
            lacking[name] = lacking.get(name, 0) + 1
        for sizes in _sizes(other, container, most) if not missing else ():
            given = {**shape, **sizes}
            sized = _other(container, given) if sizes else other
            if sized is not None:
                candidate = Candidate(sized, given, _values(sized, most))
                found.setdefault(_known(candidate), candidate)
    return Found(list(found.values()), lacking)


def _missing(needed: Dict[str, Any], other: Any) -> List[str]:
    """The operations that another container does not have, or has with other parameters."""
    there = {operation.name: (operation.result, operation.params) for operation in make_plan(other).operations}
    return sorted(name for name, seen in needed.items() if there.get(name) != seen)


def _known(candidate: Candidate) -> Tuple[Any, ...]:
    return tuple(candidate.values[path] for path in AXES)


def _shapes(container: Any) -> Iterator[Values]:
    """Policy, storage and index, as the spec would give them."""
    policies = [name for name in POLICIES if POLICIES[name].expired != "must" or container["removal.expired"] is not None]
    indexes = [name for name in choices("index.kind") if name in ("none", "hash") or name == container["index.kind"]]
    for policy, index in itertools.product(policies, indexes):
        for storage in POLICIES[policy].arrangements:
            for detail in _details(policy, storage):
                shape = {"removal.policy": policy, "storage.kind": storage, "index.kind": index, **detail}
                yield {path: value for path, value in shape.items() if container[path] != value}


def _details(policy: str, storage: str) -> List[Values]:
    found: List[Values] = [{}]
    if storage == "chunked":
        found = [{"storage.chunk": 64}, {"storage.chunk": 256}]
    elif storage == "linked":
        found = [{"storage.links": "double"}, {"storage.links": "single"}]
    if policy in BY_PATH["removal.dead_share"].only["removal.policy"]:
        found = [{**each, "removal.dead_share": share} for each in found for share in (25, 50)]
    return found


def _sizes(shaped: Any, container: Any, most: int) -> Iterator[Values]:
    """Capacities, as the spec would give them."""
    limit = container["capacity.max"] if isinstance(container["capacity.max"], int) else None
    yield {}
    for inline in (False, True):
        if inline and (limit is None or limit > INLINE):
            continue
        wanted = {"capacity.inline": inline} if shaped["capacity.inline"] != inline else {}
        if inline or shaped["capacity.initial"] == limit and _is_fixed(shaped):
            yield wanted
            continue
        for initial in _initials(shaped, limit, most):
            growths = (container["capacity.growth"], *GROWTH) if initial < most else (container["capacity.growth"],)
            for growth in dict.fromkeys(growths):
                given = {"capacity.initial": initial, "capacity.growth": growth}
                yield {**wanted, **{path: value for path, value in given.items() if shaped[path] != value}}


def _initials(shaped: Any, limit: Optional[int], most: int) -> List[int]:
    """Capacities to begin with: the spec's, small ones, what was needed, the limit."""
    whole = make_plan(shaped).parts.storage.granule or 1
    found = [shaped["capacity.initial"], *(-(-each // whole) * whole for each in (16, 64, max(most, 1)))]
    if limit is not None and limit <= MANY:
        found.append(limit)
    return [each for each in dict.fromkeys(found) if limit is None or each <= limit]


def _is_fixed(container: Any) -> bool:
    return bool(container["capacity.inline"]) or container.settings["capacity.initial"].origin == "derived"


def _other(container: Any, given: Values) -> Optional[Any]:
    """The container with these values; None if the rules do not accept it."""
    if not given:
        return container
    problems = Diagnostics(helps=False)
    trial = changed(container, given, set(), problems, dropped(container, given))
    return None if problems.errors else trial


def dropped(container: Any, given: Values) -> List[str]:
    """What the spec gives and what means nothing with other values."""
    def value(path: str) -> Any:
        return given.get(path, container[path])
    return [path for path, setting in container.settings.items() if path in AXES + ("index.field",) and path not in given
            and setting.origin not in ("default", "derived")
            and any(value(other) not in allowed for other, allowed in BY_PATH[path].only.items())]


def _values(container: Any, most: int) -> Values:
    """What tells it from others: nothing that has no meaning, or no effect on what was recorded."""
    values = {path: container[path] for path in AXES}
    for path in AXES:
        if any(values.get(other, container[other]) not in allowed for other, allowed in BY_PATH[path].only.items()):
            values[path] = None
    storage = make_plan(container).parts.storage
    if values["capacity.inline"]:
        values["capacity.initial"] = values["capacity.growth"] = None
    else:
        values["capacity.initial"] = storage.first_slots  # rounded up
    if STORAGES[values["storage.kind"]].stays or storage.first_slots >= most:
        values["capacity.growth"] = None
    return values
