"""Which units of the rendered text are printed: those that are asked for, and all that these use.

The text of each file is a tree of blocks (`text.units`). A block that nothing uses is left out, so templates print whatever a
part may need, and `emit.operations` is no more than a choice of what is asked for.
"""

from __future__ import annotations

import itertools
import re
from copy import copy
from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple, Union

from ..text.naming import MARK
from ..text.units import BEGIN, EDGE, ELSE, END, HEAD, laid_out

BUILDS = ("chaos", "asan")
# Which names a text uses is read from it, not listed beside it: a list would have to be kept true by hand. A mark stands before each, or BESPOKE_, or bespoke_.
_OF_CONTAINER, _SHARED = re.compile(MARK + r"\w*"), re.compile(r"(?:BESPOKE|bespoke)_\w*")

Names = Dict[str, None]  # each once, in their order


class Block:
    """A unit, a frame around units, or a piece of one."""

    __slots__ = "kind", "parent", "parts", "names", "build", "otherwise", "uses", "uses_in", "units"

    def __init__(self, kind: str, parent: Optional[Block] = None):
        self.kind, self.parent = kind, parent
        self.parts: List[Union[str, Block]] = []
        self.names: Tuple[str, ...] = ()
        self.build = ""
        self.otherwise = -1  # where in `parts` that begins
        if kind in ("unit", "text"):
            self.uses: Names = {}  # the names that the text of a unit uses
            self.uses_in: Dict[str, Names] = {}  # those that it uses in some builds only
        if kind == "text":
            self.units: List[Block] = []  # all that are in it

    @property
    def defines(self) -> bool:
        """Is it a static function or a macro, of which compilers would say that nothing uses it?"""
        code = self.parts[0] if self.parts and isinstance(self.parts[0], str) else ""
        while code.startswith("/*"):
            code = code.partition("*/")[2].lstrip()
        return code.startswith(("static ", "#define ", "#if "))


def parsed(text: str) -> Block:
    """A text in blocks."""
    at = whole = Block("text")
    first, *pieces = text.split(EDGE)
    uses: Optional[Names] = whole.uses  # where what a piece uses is written down; None: it is only said
    outer: List[Optional[Names]] = []
    for piece in [HEAD + first, *pieces]:
        edge, piece = piece[0], piece[1:]
        if edge == BEGIN:
            kind, *more = piece.split(" ")
            inner = Block(kind, parent=at)
            outer.append(uses)
            if kind == "unit":
                inner.build, inner.names = more[0], tuple(filter(None, more[1:]))
                uses = inner.uses
                whole.units.append(inner)
            elif kind == "only":
                inner.build = more[0]
                if uses is not None:
                    uses = _unit_of(at).uses_in.setdefault(more[0], {})
            elif kind == "where":
                inner.names = tuple(more)
                uses = None
            at.parts.append(inner)
            at = inner
            continue
        if edge == END:
            assert at.parent is not None
            at = at.parent
            uses = outer.pop()
        elif edge == ELSE:
            at.otherwise = len(at.parts)
        if piece:
            at.parts.append(piece)
            if uses is not None:
                if MARK in piece:
                    uses.update(dict.fromkeys(_OF_CONTAINER.findall(piece)))
                if "BESPOKE_" in piece or "bespoke_" in piece:
                    uses.update(dict.fromkeys(_SHARED.findall(piece)))
    assert at.parent is None, "a unit is not closed"
    return whole


def _unit_of(block: Block) -> Block:
    while block.kind not in ("unit", "text"):
        assert block.parent is not None
        block = block.parent
    return block


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
        more._follow([name for block in self.blocks if block.uses_in for build in builds for name in block.uses_in.get(build, ())])
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

    def __init__(self, reached: Reached, under: Dict[Block, str]):
        """`under`: the condition around units that only some builds use."""
        self._reached, self._under = reached, under
        self._closed: Dict[int, Tuple[int, str]] = {}  # where in a list of pieces a condition was closed last, and which

    def text(self, block: Block) -> str:
        pieces: List[str] = []
        self._print(block.parts, pieces)
        self._closed.pop(id(pieces), None)
        return "".join(pieces)

    def _print(self, parts: Sequence[Union[str, Block]], into: List[str]) -> None:
        gone = False
        for part in parts:
            if isinstance(part, str):
                into.append(part[1:] if gone and part[0] == "\n" else part)
                gone = False
            elif part.kind == "unit":
                gone = part not in self._reached.blocks
                if not gone and part in self._under:
                    self._conditional(part, self._under[part], into)
                elif not gone:
                    self._print(part.parts, into)
            elif part.kind == "where":
                said = part.names[0] in self._reached.names
                self._print(part.parts[:part.otherwise] if said else part.parts[part.otherwise:], into)
            elif part.kind == "comment":
                into.append(laid_out(self.text(part)))
            else:
                self._print(part.parts, into)

    def _conditional(self, unit: Block, condition: str, into: List[str]) -> None:
        """Prints a unit under a condition: the same one as that of the unit before, if there is nothing between."""
        last = next((at for at in range(len(into) - 1, -1, -1) if into[at].strip()), -1)
        if self._closed.get(id(into)) == (last, condition):
            del into[last]
        else:
            into.append(condition + "\n")
        self._print(unit.parts, into)
        self._closed[id(into)] = (len(into), condition)
        into.append("\n#endif")


def in_order(source: Block, reached: Reached) -> Block:
    """A source in which public functions stand in their order, each behind what it uses and nothing before it did. Text and frames
    around units come first."""
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
    ordered = Block("text")
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
                ordered.parts += [block, "\n\n"]
                printed.add(text)

    units = [part for part in source.parts if isinstance(part, Block)]
    for part in source.parts:
        if isinstance(part, str):
            ordered.parts += [part] * bool(part.strip())
        elif not part.names:
            place(part)
    for part in sorted(units, key=lambda unit: (all(name.endswith("_") for name in unit.names), unit.defines)):
        place(part)  # last what only the header uses
    return ordered


def conditions(always: Reached, whole: Reached) -> Dict[Block, str]:
    """The units that only some builds use, with the line that says in which."""
    if len(always.blocks) == len(whole.blocks):
        return {}
    chaos, sanitized = (always.and_in(build).blocks for build in BUILDS)
    found: Dict[Block, str] = {}
    for block in whole.blocks - always.blocks:
        around = block.build or (block.parent.build if block.parent is not None else "")
        if not block.defines or around in ("chaos", "all", "asan"):
            continue
        said = ["BESPOKE_CHAOS"] * (block in chaos)
        said += ["BESPOKE_ASAN"] * (block in sanitized and around != "not-asan")
        said += ["BESPOKE_CHAOS && BESPOKE_ASAN"] * (block not in chaos and block not in sanitized)
        found[block] = "#if " + " || ".join(said) if said else ""
    return found
