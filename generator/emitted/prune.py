"""Where a spec chooses operations (`emit.operations`): what is asked for, and what the plan of a container says then."""

import dataclasses
from typing import Iterator, List, Optional, Sequence, Set, Tuple

from ..containers.offered import LOOP
from ..containers.plan import Plan
from ..language.model import Container
from ..operations.operation import finish
from ..text.units import said
from .linker import BUILDS, Block, Printer, Reached, conditions, in_order

_LOOPS = ("EACH", "EACH_BACKWARD", "EACH_VISIBLE", "each", "each_backward", "each_visible")
OVERVIEW = "\x12"  # stands in a header for what depends on what else is printed


def chosen(container: Container) -> Optional[Tuple[str, ...]]:
    """The operations that a spec asks for, or None: all of them."""
    return container["emit.operations"]


def _roots(plan: Plan, header: Block, whole: bool) -> Iterator[str]:
    """The names that are kept of a container whatever leads to them."""
    names = None if whole else chosen(plan.container)
    if names is None:
        yield from (f"{plan.T}_{operation.name}" for operation in plan.operations if not operation.private)
        yield from (name for unit in header.units for name in unit.names if not name.endswith("_"))
        yield from (callback.name for callback in plan.all_callbacks)
        if plan.parts.handles.given:
            yield f"{plan.TT}_MOST_SLOTS_"  # tests ask for it
        return
    for name in ("deinit", *names):
        if name == LOOP:
            yield from (f"{plan.TT if loop.isupper() else plan.T}_{loop}" for loop in _LOOPS)
        else:
            yield f"{plan.T}_{name}"
    if plan.parts.allocator.custom:
        yield f"{plan.T}_init"
    if plan.parts.handles.apart:
        yield f"{plan.T}_handle"  # headers of elements use it
    yield from (f"{plan.TT}_{name}" for name in ("MAX", "KEYS", "WORKERS", "INBOX", "ALIGNMENT"))


class Linked:
    """What is printed of the containers of a spec."""

    def __init__(self, plans: Sequence[Plan], rendered: Sequence[Tuple[Block, Block]], whole: bool = False):
        """`rendered`: header and source of each, and behind them what belongs to no container; `whole`: whatever is chosen."""
        self._rendered = rendered
        texts = [half for halves in rendered for half in halves]
        roots = [root for plan, (header, _) in zip(plans, rendered) for root in _roots(plan, header, whole)]
        always = Reached(texts, roots)
        self._reached = always.and_in(*BUILDS)
        self.plans = [plan if whole or chosen(plan.container) is None else self._reduced(plan) for plan in plans]
        self._under = conditions(always, self._reached)

    def texts(self) -> List[Tuple[str, str]]:
        """Header and source of each container, and behind them what belongs to none, in its own order."""
        blocks = self._reached.blocks - {block for block, condition in self._under.items() if not condition}
        self._reached.blocks = blocks
        header, source = Printer(self._reached, {}), Printer(self._reached, self._under)
        return [(header.text(halves[0]).replace(OVERVIEW, plan.overview), source.text(in_order(halves[1], self._reached)))
                for plan, halves in zip(self.plans, self._rendered)] + [
            (header.text(halves[0]), source.text(halves[1])) for halves in self._rendered[len(self.plans):]]

    def external(self) -> List[str]:
        """The functions of containers that have external linkage: what a header declares and its source defines."""
        found: List[str] = []
        for plan, (header, source) in zip(self.plans, self._rendered):
            declared = {name: at for at, unit in enumerate(header.units) if unit in self._reached.blocks for name in unit.names}
            defined = {name for unit in source.units for name in unit.names}.difference(each.name for each in plan.all_callbacks)
            found += sorted(defined.intersection(declared), key=declared.__getitem__)
        return found

    def _reduced(self, plan: Plan) -> Plan:
        """The plan of a container, in which what has gone is not told."""
        names, T, TT = self._reached.names, plan.T, plan.TT
        kept: Set[str] = {operation.name for operation in plan.operations if f"{T}_{operation.name}" in names}
        kept |= {LOOP} if f"{TT}_EACH" in names else set()
        statuses = [status for status in plan.statuses if status.name == "OK" or f"{TT}_{status.name}" in names]
        there = {status.name for status in statuses}
        operations = []
        for operation in plan.operations:
            if operation.name in kept:
                left = dataclasses.replace(operation, brief=said(operation.brief, names.__contains__),
                                           statuses=tuple(name for name in operation.statuses if name in there))
                finish(T, left)
                operations.append(left)
        return dataclasses.replace(plan, operations=operations, statuses=statuses, kept=frozenset(kept))
