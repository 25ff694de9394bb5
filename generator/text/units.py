"""Units of emitted C, as data: what the linker keeps or leaves out.

What stands at file scope is handed over by templates in units: `{% call unit(T.sort_) %} ... {% endcall %}`, with its comment,
under the names that others use it by. A unit is printed where one of its names is used (`emitted.linker`), so no template asks
whether it is. Units may hold others: an enumerator in its enum, a definition between `#if` and `#endif`, which is a `frame`.

- `declares`: a unit that declares a function and defines nothing, as a caller reads it: its comment, and one declaration.
- `only`: code in a unit for builds with BESPOKE_CHAOS, or under AddressSanitizer. What only that uses is for these builds, too.
- `where`: what is said where a name is used elsewhere, as in a comment about an operation that is not there always.
- `comment`: a comment that is laid out when it is known what it says.
"""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from .naming import MARK, plain

EDGE = "\x0e"  # stands between a name, what is said where it is used, and what is said else
HELD = "\x12"  # stands before and behind the number of a block in a text
FUNCTION, FORM = "function", "form"  # what a unit declares: a function, or another form of the one before it
_NEWLINE = "\n"

Parts = Tuple[Union[str, "Block", "Where"], ...]
Names = Dict[str, None]  # each once, in their order
_NONE: Mapping[str, Names] = {}  # of most blocks
_NO_UNITS: List[Any] = []


class Where(NamedTuple):
    """What is said where a name is used."""

    kind = "where"  # as a block has one
    name: str
    said: Parts
    otherwise: Parts


class Block:
    """A unit, a frame around units, a piece of one, or all of a text."""

    __slots__ = "kind", "names", "build", "declares", "parts", "parent", "uses", "uses_in", "units"

    def __init__(self, kind: str, parts: Parts = (), names: Tuple[str, ...] = (), build: str = "", declares: str = ""):
        self.kind, self.parts, self.names, self.build, self.declares = kind, parts, names, build, declares
        self.parent: Optional[Block] = None  # the unit or the text that it is in
        self.uses: Names = {}  # names, but for those of units in it
        self.uses_in: Mapping[str, Names] = _NONE  # those that it uses in some builds only
        self.units: List[Block] = _NO_UNITS  # all that are in it
        for part in parts:
            if part.__class__ is str:
                if MARK in part:
                    self.uses.update(dict.fromkeys(part.split(MARK)[1::2]))
            elif part.kind != "where":
                self._take_in(part)

    def _take_in(self, part: Block) -> None:
        if part.kind == "unit":
            part.parent = self
            if not self.units:
                self.units = []
            self.units += [part, *part.units]
            return
        assert not part.units, "a unit in a piece of another one"
        if part.kind == "only":
            self._use_in(part.build, part.uses)
        else:
            self.uses.update(part.uses)
        for build, uses in part.uses_in.items():
            self._use_in(build, uses)

    def _use_in(self, build: str, uses: Names) -> None:
        self.uses_in = {**self.uses_in, build: {**self.uses_in.get(build, {}), **uses}}


class Units:
    """Takes what templates hand over while they print. Their text holds a number for it."""

    def __init__(self) -> None:
        self._handed: List[Block] = []

    def unit(self, *names: object, build: str = "", declares: str = "", caller: Any) -> str:
        """A definition, or declarations. `build`: chaos, asan or not-asan, if it is under their condition; all, if they do not
        matter to it. `declares`: FUNCTION, or FORM of the function before it, if it is no more than the declaration of one."""
        return self._hand("unit", caller(), tuple(map(plain, names)), build, declares) + _NEWLINE

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

    def _hand(self, kind: str, text: str, names: Tuple[str, ...] = (), build: str = "", declares: str = "") -> str:
        self._handed.append(Block(kind, self._parts(text.strip(_NEWLINE)), names, build, declares))
        return f"{HELD}{len(self._handed) - 1}{HELD}"

    def _parts(self, text: str) -> Parts:
        if EDGE not in text:
            return tuple(self._pieces(text))
        first, *clauses = text.split(EDGE)
        found: List[Union[str, Block, Where]] = self._pieces(first)
        for name, yes, no, behind in zip(*[iter(clauses)] * 4):
            found.append(Where(name, self._parts(yes), self._parts(no)))
            found += self._pieces(behind)
        return tuple(found)

    def _pieces(self, text: str) -> List[Union[str, Block, Where]]:
        if HELD not in text:
            return [text] if text else []
        pieces: List[Union[str, Block, Where]] = []
        for at, piece in enumerate(text.split(HELD)):
            if at % 2:
                pieces.append(self._handed[int(piece)])
            elif piece:
                pieces.append(piece)
        return pieces


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
