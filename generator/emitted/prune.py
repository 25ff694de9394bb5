"""Where a spec chooses operations (`emit.operations`): what is asked for, and what the plan of a container says then."""

import dataclasses
import itertools
from functools import cached_property
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..containers.offered import LOOP, READING_LOOP, index_loops
from ..containers.overview import Said
from ..containers.plan import Plan
from ..language.model import Container
from ..parts.anywhere import begins_at
from ..parts.scans import begins_scan
from ..text.naming import plain
from ..text.units import Block, said
from ..types.struct_layout import Layouts
from .compact import HeaderPrinter
from .linker import BUILDS, Printer, Reached, conditions, in_order

_LOOPS = ("EACH", "EACH_BACKWARD", "EACH_VISIBLE", "each", "each_backward", "each_visible")
# Loops that come with a function.
_LOOPS_OF = {"next_pair": "EACH_PAIR", "begin_after": "EACH_FROM",
             "changes_since": "EACH_CHANGE"}


def chosen(container: Container) -> Optional[Tuple[str, ...]]:
    """The operations that a spec asks for, or None: all of them."""
    return container.chosen


class Sections(NamedTuple):
    """What there is of a container in the files, or of what belongs to several: blocks, and when they are printed texts."""

    declared: Any  # what a header says first
    below: Any  # what stands below its line
    walk: Any  # what is for C++
    handles: Any  # what is in the header of the handles
    trace: Any  # what stands at the end of the header, for traces
    source: Any

    @property
    def header(self) -> List[Block]:
        return list(self[:-1])

    @property
    def units(self) -> List[Block]:
        """Those of the header."""
        return [unit for section in self.header for unit in section.units]


def _loops(plan: Plan, name: str) -> List[str]:
    """What the name of a loop stands for where operations are named."""
    if name == LOOP:
        return [f"{plan.TT if loop.isupper() else plan.T}_{loop}" for loop in _LOOPS]
    if name == READING_LOOP:
        return [plan.TT[f"{loop}_CONST"] if loop.isupper() else plan.T[f"{loop}_const"] for loop in _LOOPS]
    return [plan.TT[loop] for loop in index_loops(plan) if loop.lower() == name]


def _roots(plan: Plan, sections: Sections, whole: bool) -> Iterator[str]:
    """The names that are kept of a container whatever leads to them."""
    names = None if whole else chosen(plan.container)
    if names is None:
        yield from (plan.T[operation.name] for operation in plan.operations if not operation.private)
        yield from (name for unit in sections.units for name in unit.names if not name.endswith("_"))
        yield from (callback.name for callback in plan.all_callbacks)
        if plan.parts.handles.given:
            yield plan.TT.MOST_SLOTS_  # tests ask for it
        return
    loops_of = {**_LOOPS_OF, **{f"begin_with_{each.name}": f"EACH_WITH_{each.name.upper()}" for each in plan.parts.side.all}}
    for name in ("deinit", *names):
        loops = _loops(plan, name)
        yield from loops
        if not loops:
            yield plan.T[name]
            if name in loops_of or begins_at(name):
                yield plan.TT[loops_of.get(name, "EACH_FROM")]
            elif begins_scan(name):
                yield plan.TT.EACH_IN
    if any(each.type.rstrip("* ") == plain(plan.T.handle) for each in plan.parts.side.all):
        yield plan.T.handle  # a value that the spec has given this type
    if plan.parts.allocator.custom:
        yield plan.T.init
    if plan.parts.handles.apart:
        yield plan.T.handle  # headers of elements use it
    yield from (plan.TT[name] for name in ("MAX", "KEYS", "WORKERS", "INBOX", "ALIGNMENT"))


def _defines(part: Any) -> bool:
    """Is it more than the declaration of a function?"""
    return not isinstance(part, Block) or not part.declares


class Linked:
    """What is printed of the containers of a spec."""

    def __init__(self, plans: Sequence[Plan], blocks: Sequence[Sections], whole: bool = False):
        """`blocks`: of each container, and behind them what belongs to none; `whole`: whatever is chosen."""
        self._blocks = blocks
        always = Reached([section for sections in blocks for section in sections],
                         [plain(root) for plan, sections in zip(plans, blocks) for root in _roots(plan, sections, whole)])
        self._reached = always.and_in(*BUILDS)
        self.plans = [plan if whole or chosen(plan.container) is None else self._reduced(plan) for plan in plans]
        self._declared = {name for sections in blocks for unit in sections.units for name in unit.names}
        self._under = conditions(always, self._reached, self._declared)
        self._reached.blocks.difference_update(block for block, condition in self._under.items() if not condition)

    def texts(self) -> List[Sections]:
        """What is printed of each container, and behind them what belongs to none, in its own order."""
        header, source = HeaderPrinter(self._reached, {}), Printer(self._reached, self._under)
        texts, sizes, said = [], self.sizes, Said()
        for plan, sections in itertools.zip_longest(self.plans, self._blocks):
            declared, *others = (header.text(section.parts) for section in sections.header)
            if plan is None:
                texts.append(Sections(declared, *others, source.text(sections.source.parts)))
            else:
                texts.append(Sections(f"{plan.overview(sizes[plain(plan.T)], said)}\n\n{declared}", *others,
                                      source.text(in_order(sections.source, self._reached, self._declared))))
        return texts

    @cached_property
    def sizes(self) -> Dict[str, Optional[int]]:
        """What each container takes by itself, in bytes, by its type; None where that depends on what is not known here."""
        header = Printer(self._reached, {})

        def types(sections: Sections) -> str:
            """What it defines of types, and of what stands in them."""
            return plain("\n".join(header.text(tuple(filter(_defines, section.parts)))
                                   for section in (sections.handles, sections.declared)))

        pieces = list(map(types, self._blocks[:len(self.plans)]))
        shared = types(self._blocks[-3])  # behind what all have stand functions, and what records calls
        sizes: Dict[str, Optional[int]] = {}
        for at, plan in enumerate(self.plans):
            container = plan.container
            own = pieces[at - (container.layer is not None):at + 1]  # a layer comes before what it is in
            known = [container.type_info] if container.type_info is not None else []
            sizes[plain(plan.T)] = Layouts("\n".join([shared, *own]), known).size(plain(plan.T))
        return sizes

    def external(self) -> List[str]:
        """The functions of containers that have external linkage: what a header declares and its source defines."""
        found: List[str] = []
        for plan, sections in zip(self.plans, self._blocks):
            declared = {name: at for at, unit in enumerate(sections.units) if unit in self._reached.blocks for name in unit.names}
            defined = {name for unit in sections.source.units
                       for name in unit.names}.difference(plain(each.name) for each in plan.all_callbacks)
            found += sorted(defined.intersection(declared), key=declared.__getitem__)
        return found

    def _reduced(self, plan: Plan) -> Plan:
        """The plan of a container, in which what has gone is not told."""
        names, T, TT = self._reached.names, plan.T, plan.TT
        kept: Set[str] = {operation.name for operation in plan.operations if plain(T[operation.name]) in names}
        kept.update(loop for loop in (LOOP, READING_LOOP) if plain(TT[loop.upper()]) in names)
        statuses = [status for status in plan.statuses if status.name == "OK" or plain(TT[status.name]) in names]
        there = {status.name for status in statuses}
        operations = [dataclasses.replace(operation, brief=said(operation.brief, names.__contains__),
                                          statuses=tuple(name for name in operation.statuses if name in there))
                      for operation in plan.operations if operation.name in kept]
        return dataclasses.replace(plan, operations=operations, statuses=statuses, kept=frozenset(kept))
