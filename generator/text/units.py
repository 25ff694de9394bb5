"""Units of emitted C, as data: what the linker keeps or leaves out.

What stands at file scope is handed over by templates in units: `{% call unit(T.sort_) %} ... {% endcall %}`, with its comment,
under the names that others use it by. A unit is printed where one of its names is used (`emitted.linker`), so no template asks
whether it is. Units may hold others: an enumerator in its enum, a definition between `#if` and `#endif`, which is a `frame`.

- `only`: code in a unit for builds with BESPOKE_CHAOS, or under AddressSanitizer. What only that uses is for these builds, too.
- `where`: what is said where a name is used elsewhere, as in a comment about an operation that is not there always.
- `comment`: a comment that is laid out when it is known what it says.
"""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from .naming import MARK, plain

EDGE = "\x0e"  # stands between a name, what is said where it is used, and what is said else
_NEWLINE = "\n"

Parts = Tuple[Union[str, "Block", "Where"], ...]  # text, and behind each piece of it but the last a name or what else is no text
Names = Dict[str, None]  # each once, in their order


class Where(NamedTuple):
    """What is said where a name is used."""

    name: str
    said: Parts
    otherwise: Parts


class Block:
    """A unit, a frame around units, a piece of one, or all of a text."""

    __slots__ = "kind", "names", "build", "parts", "parent", "uses", "uses_in", "units"

    def __init__(self, kind: str, parts: Parts = (), names: Tuple[str, ...] = (), build: str = ""):
        self.kind, self.parts, self.names, self.build = kind, parts, names, build
        self.parent: Optional[Block] = None  # the unit or the text that it is in
        self.uses: Names = {}  # names, but for those of units in it
        self.uses_in: Dict[str, Names] = {}  # those that it uses in some builds only
        self.units: List[Block] = []  # all that are in it
        for part in parts[1::2]:
            if isinstance(part, str):
                self.uses[part] = None
            elif isinstance(part, Block):
                self._take_in(part)

    def _take_in(self, part: Block) -> None:
        if part.kind == "unit":
            part.parent = self
            self.units += [part, *part.units]
            return
        assert not part.units, "a unit in a piece of another one"
        (self.uses_in.setdefault(part.build, {}) if part.kind == "only" else self.uses).update(part.uses)
        for build, uses in part.uses_in.items():
            self.uses_in.setdefault(build, {}).update(uses)


class Units:
    """Takes what templates hand over while they print. Their text holds a number for it, between marks as names are."""

    def __init__(self) -> None:
        self._handed: List[Block] = []

    def unit(self, *names: object, build: str = "", caller: Any) -> str:
        """A definition, or declarations. `build`: chaos, asan or not-asan, if it is under their condition; all, if they do not
        matter to it."""
        return self._hand("unit", caller(), tuple(map(plain, names)), build) + _NEWLINE

    def frame(self, build: str = "", caller: Any = None) -> str:
        """What is around units: there if one of them is."""
        return self.unit(build=build, caller=caller)

    def only(self, build: str, caller: Any) -> str:
        return self._hand("only", caller(), (), build) + _NEWLINE

    def comment(self, text: str) -> str:
        return self._hand("comment", text)

    def whole(self, text: str) -> Block:
        """All of a text."""
        return Block("text", self._parts(text))

    def forget(self) -> None:
        """There are no more texts that hold anything."""
        self._handed.clear()

    def _hand(self, kind: str, text: str, names: Tuple[str, ...] = (), build: str = "") -> str:
        self._handed.append(Block(kind, self._parts(text.strip(_NEWLINE)), names, build))
        return f"{MARK}{len(self._handed) - 1}{MARK}"

    def _parts(self, text: str) -> Parts:
        found: List[Union[str, Block, Where]] = []
        first, *clauses = text.split(EDGE)
        self._add(first, found)
        for name, yes, no, behind in zip(*[iter(clauses)] * 4):
            found.append(Where(name, self._parts(yes), self._parts(no)))
            self._add(behind, found)
        return tuple(found)

    def _add(self, text: str, found: List[Union[str, Block, Where]]) -> None:
        pieces = text.split(MARK)
        found.append(pieces[0])
        for held, behind in zip(pieces[1::2], pieces[2::2]):
            found.append(self._handed[int(held)] if held[:1].isdigit() else held)
            found.append(behind)


def where(name: str, text: str, otherwise: str = "") -> str:
    return EDGE.join(("", plain(name), text, otherwise, ""))


def said(text: str, has: Callable[[str], bool] = lambda name: True) -> str:
    """A text with what it says where a name is used."""
    first, *clauses = text.split(EDGE)
    return first + "".join((yes if has(name) else no) + behind for name, yes, no, behind in zip(*[iter(clauses)] * 4))


# -- texts in lines -----------------------------------------------------------------------------------------------------


class _Word(str):
    """A word that is as long as what is printed of it."""

    def __len__(self) -> int:
        return str.__len__(self) - self.count(MARK)


class _Wrapper(textwrap.TextWrapper):
    def _split(self, text: str) -> List[str]:
        return [_Word(word) if MARK in word else word for word in super()._split(text)]


@lru_cache(maxsize=4096)
def _wrapped(text: str, width: int) -> Tuple[str, ...]:
    return tuple(_Wrapper(width).wrap(text))


def wrapped_text(text: str, width: int) -> List[str]:
    """The lines of a text; what fits into one, and what many containers say, costs nothing."""
    if 0 < len(text) - text.count(MARK) <= width and "\n" not in text and "  " not in text and text == text.strip():
        return [text]
    return list(_wrapped(text, width))


def laid_out(text: str) -> str:
    """A comment of C."""
    return "/* " + "\n * ".join(wrapped_text(text, 114)) + " */"
