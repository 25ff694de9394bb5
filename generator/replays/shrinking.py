"""As few operations of a trace as still fail."""

from __future__ import annotations

from array import array
import itertools
from typing import AbstractSet, Iterator, List, NamedTuple, Optional

from . import operations as ops
from .operations import RECORD, UNKNOWN
from .program import Failed, Program


MOST = 16  # steps that are tried one by one
ENOUGH, PAIRS = 10, 40  # with more operations than the first, and no more than the second, any two are left out together


class Reduced(NamedTuple):
    """Operations that fail by themselves, and what is said of them."""

    operations: List["array[int]"]
    said: str


def reduced(program: Program, numbers: "array[int]", failed: Failed) -> Optional[Reduced]:
    """Delta debugging: None if the model alone does not see the difference."""
    whole = [numbers[at:at + RECORD] for at in range(0, len(numbers), RECORD)]
    until = whole
    if failed.operation >= 0:
        whole, until = ([each for each in some if each[ops.LIST] == failed.container]
                        for some in (whole, whole[:failed.operation + 1]))
    for each in whole:
        each[ops.STATUS] = each[ops.COUNT if each[ops.WHAT] != ops.STEPS else ops.STATUS] = UNKNOWN
    found = _ddmin(program, until) or _ddmin(program, whole)  # by itself it may show only later
    return found and _together(program, _fewer_steps(program, found))


def _fewer_steps(program: Program, found: Reduced) -> Reduced:
    """Passes go on by as few steps as still fail, and then fewer operations may do."""
    for at, each in enumerate(found.operations):
        for count in range(1, min(each[ops.COUNT], MOST + 1)) if each[ops.WHAT] == ops.STEPS else ():
            fewer = each[:]
            fewer[ops.COUNT] = count
            said = _said(program, [*found.operations[:at], fewer, *found.operations[at + 1:]])
            if said is not None:
                found = Reduced([*found.operations[:at], fewer, *found.operations[at + 1:]], said)
                break
    return _ddmin(program, found.operations) or found


def _together(program: Program, found: Reduced) -> Reduced:
    """What makes sense only together is left out together."""
    fewer: Optional[Reduced] = found
    while fewer is not None:
        found = fewer
        fewer = next((less for less in (_without(program, found, group) for group in _groups(found.operations))
                      if less is not None), None)
        if fewer is not None:
            fewer = _ddmin(program, fewer.operations) or fewer
    return found


def _groups(operations: List["array[int]"]) -> Iterator[AbstractSet[int]]:
    """What may: all that is done to an element, a pass from its beginning to its end, in a few operations any two."""
    labels = sorted({each[field] for each in operations for field in (ops.LABEL, ops.TO)} - {0})
    passes = [{at for at, each in enumerate(operations) if each[ops.WHAT] in (ops.STEPS, ops.ENDS, ops.BEGINS)
               and each[ops.PASS] == number} for number in range(ops.PASSES)]
    elements = [{at for at, each in enumerate(operations) if label in (each[ops.LABEL], each[ops.TO])} for label in labels]
    yield from (each for each in (*elements, *passes) if len(each) > 1)
    yield from (one | other for one, other in itertools.combinations((*elements, *passes), 2))
    if ENOUGH < len(operations) <= PAIRS:
        yield from map(frozenset, itertools.combinations(range(len(operations)), 2))


def _without(program: Program, found: Reduced, leave: AbstractSet[int]) -> Optional[Reduced]:
    """Does it fail without these operations, too?"""
    rest = [each for at, each in enumerate(found.operations) if at not in leave]
    said = _said(program, rest) if leave and rest else None
    return None if said is None else Reduced(rest, said)


def _said(program: Program, chosen: List["array[int]"]) -> Optional[str]:
    numbers: "array[int]" = array("I")
    for each in chosen:
        numbers.extend(each)
    failed, _ = program.run(numbers, "check")
    return None if failed is None else failed.said


def _ddmin(program: Program, chosen: List["array[int]"]) -> Optional[Reduced]:
    said = _said(program, chosen)
    if said is None:
        return None
    size = max(1, len(chosen) // 2)
    while True:
        at, smaller = 0, False
        while at < len(chosen):
            rest = chosen[:at] + chosen[at + size:]
            without = _said(program, rest) if rest else None
            if without is not None:
                chosen, said, smaller = rest, without, True
            else:
                at += size
        if size == 1 and not smaller:
            return Reduced(chosen, said)
        size = max(1, min(size // 2, len(chosen) // 2)) if not smaller or size > 1 else 1
