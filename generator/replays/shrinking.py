"""As few operations of a trace as still fail."""

from __future__ import annotations

from array import array
from typing import List, NamedTuple, Optional

from . import operations as ops
from .operations import RECORD, UNKNOWN
from .program import Failed, Program


class Reduced(NamedTuple):
    """Operations that fail by themselves, and what is said of them."""

    operations: List["array[int]"]
    said: str


def reduced(program: Program, numbers: "array[int]", failed: Failed) -> Optional[Reduced]:
    """Delta debugging: None if the model alone does not see the difference."""
    whole = [numbers[at:at + RECORD] for at in range(0, len(numbers), RECORD)]
    if failed.operation >= 0:
        whole = [each for each in whole[:failed.operation + 1] if each[ops.LIST] == failed.container]
    for each in whole:
        each[ops.STATUS] = each[ops.COUNT if each[ops.WHAT] != ops.STEPS else ops.STATUS] = UNKNOWN
    return _ddmin(program, _single_steps(whole))


def _single_steps(whole: List["array[int]"]) -> List["array[int]"]:
    return whole


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
