"""Which units are printed: those that are asked for, and all that these use.

Templates hand over a tree of blocks for each file (`text.units`). One that nothing uses is left out, so they say whatever a part
may need, and `emit.operations` is no more than a choice of what is asked for.
"""

from __future__ import annotations

import itertools
from copy import copy
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple, Union

from ..text.units import Block, Parts, Where, laid_out

BUILDS = ("chaos", "asan")
_NEWLINE = "\n"


class Reached:
    """What is asked for, and all that this uses."""

    def __init__(self, texts: Sequence[Block], roots: Iterable[str]):
        self.blocks: Set[Block] = set()
        self.names: Set[str] = set()
        self._builds: Tuple[str, ...] = ()  # what these use counts, beside what all do
        self._by_name: Dict[str, List[Block]] = {}
        for text in texts:
            for block in text.units:
                for name in block.names:
                    self._by_name.setdefault(name, []).append(block)
        waiting: List[str] = list(roots)
        for text in texts:
            self._keep(text, waiting)
        self._follow(waiting)

    def and_in(self, *builds: str) -> "Reached":
        """This, and what these builds use beside it."""
        more = copy(self)
        more.blocks, more.names, more._builds = set(self.blocks), set(self.names), builds
        more._follow([name for block in self.blocks if block.uses_in for build in builds
                      for name in block.uses_in.get(build, ())])
        return more

    def _follow(self, waiting: List[str]) -> None:
        while waiting:
            name = waiting.pop()
            if name not in self.names:
                self.names.add(name)
                for block in self._by_name.get(name, ()):
                    self._keep(block, waiting)

    def _keep(self, block: Optional[Block], waiting: List[str]) -> None:
        while block is not None and block not in self.blocks:
            self.blocks.add(block)
            waiting += block.uses
            if block.uses_in:
                for build in self._builds:
                    waiting += block.uses_in.get(build, ())
            block = block.parent


class Printer:
    """Prints blocks: those that are reached."""

    def __init__(self, reached: Reached, under: Mapping[Block, str]):
        """`under`: the condition around units that only some builds use."""
        self._reached, self._under = reached, under

    def text(self, parts: Parts) -> str:
        return "".join(self._pieces(parts))

    def _pieces(self, parts: Parts) -> List[Any]:
        """What is printed: texts, and what a kind of printer lays out."""
        pieces: List[Any] = []
        self._print(parts, pieces)
        return pieces

    def _print_block(self, block: Block, into: List[Any]) -> None:
        self._print(block.parts, into)

    def _print(self, parts: Parts, into: List[Any]) -> None:
        gone = False  # the unit before, and with it the end of its line
        condition = between = ""  # of the unit before, which is not closed yet, and the white space behind that
        for part in parts:
            kind = "" if part.__class__ is str else part.kind
            if kind == "unit":
                gone = part not in self._reached.blocks
                if gone:
                    continue
                new = self._under.get(part, "")
            else:
                if not kind:
                    if gone and part[0] == _NEWLINE:
                        part = part[1:]
                    if condition and not part.strip():
                        between += part
                        continue
                gone, new = False, ""
            if condition != new:
                into += [f"\n#endif{between}" if condition else "", f"{new}\n" if new else ""]
            elif condition:
                into.append(between)
            condition, between = new, ""
            if not kind:
                into.append(part)
            elif kind == "where":
                self._print(part.said if part.name in self._reached.names else part.otherwise, into)
            elif kind == "comment":
                into.append(laid_out("".join(self._pieces(part.parts))))
            else:
                self._print_block(part, into)
        if condition:
            into.append(f"\n#endif{between}")


def in_order(source: Block, reached: Reached, declared: Set[str]) -> Parts:
    """What is in a source, so that public functions stand in their order, each behind what it uses and nothing before it did.
    Text and frames around units come first. `declared`: what the header says is there."""
    tops: Dict[str, List[Block]] = {}  # by name: the blocks at file scope that define it
    uses: Dict[Block, List[str]] = {}  # of all that is in a block at file scope: what headers do not declare
    for unit in source.units:
        top = unit
        while top.parent is not source:
            assert top.parent is not None
            top = top.parent
        uses.setdefault(top, []).extend(name for name in itertools.chain(unit.uses, *unit.uses_in.values()) if name.endswith("_"))
        for name in unit.names:
            tops.setdefault(name, []).append(top)
    ordered: List[Union[str, Block, Where]] = []
    placed: Set[Block] = set()
    printed: Set[Tuple[object, ...]] = set()

    def place(block: Block) -> None:
        if block in reached.blocks and block not in placed:
            placed.add(block)
            for name in uses[block]:
                for other in tops.get(name, ()):
                    place(other)
            text = (*block.names, *block.parts)
            if not block.names or text not in printed:  # what several indexes need is there once
                ordered.extend((block, "\n\n"))
                printed.add(text)

    for part in source.parts:
        if not isinstance(part, Block):
            ordered += [part] * (not isinstance(part, str) or bool(part.strip()))
        elif not part.names:
            place(part)
    units = [part for part in source.parts if isinstance(part, Block)]
    for part in sorted(units, key=lambda unit: (all(name.endswith("_") for name in unit.names), declared.isdisjoint(unit.names))):
        place(part)  # last what only the header uses
    return tuple(ordered)


def conditions(always: Reached, whole: Reached, declared: Set[str]) -> Dict[Block, str]:
    """The units that only some builds use, but for those that a header declares, with the line that says in which: compilers
    would say of the others that nothing uses them."""
    if len(always.blocks) == len(whole.blocks):
        return {}
    chaos, sanitized = (always.and_in(build).blocks for build in BUILDS)
    found: Dict[Block, str] = {}
    for block in whole.blocks - always.blocks:
        around = block.build or (block.parent.build if block.parent is not None else "")
        if not block.names or not declared.isdisjoint(block.names) or around in ("chaos", "all", "asan"):
            continue
        said = ["BESPOKE_CHAOS"] * (block in chaos)
        said += ["BESPOKE_ASAN"] * (block in sanitized and around != "not-asan")
        said += ["BESPOKE_CHAOS && BESPOKE_ASAN"] * (block not in chaos and block not in sanitized)
        found[block] = "#if " + " || ".join(said) if said else ""
    return found
