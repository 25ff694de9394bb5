"""A header in fewer lines: what is short stands on one line, beside what it belongs to.

Which lines fit depends on names as they are spelled and on neighbours, so it is known when blocks are printed.
"""

from typing import Iterable, Iterator, List, NamedTuple, Union

from ..text.naming import plain
from ..text.units import FORM, Block, Parts
from .linker import Printer

_WIDTH = 124


class _Declared(NamedTuple):
    """A declaration and its comment, a line each."""

    code: str
    comment: str
    is_form: bool  # of the function before it


class _Long(str):
    """A declaration that takes more lines."""


class _Defined(NamedTuple):
    """A function of one statement: on one line, and on four."""

    short: str
    whole: str


_Piece = Union[str, _Declared, _Defined]


class HeaderPrinter(Printer):
    """Prints the blocks of a header."""

    def text(self, parts: Parts) -> str:
        return "".join(_definitions(list(_declarations(self._pieces(parts)))))

    def _print_block(self, block: Block, into: List[_Piece]) -> None:
        if block.kind != "unit" or block.units:
            self._print(block.parts, into)
        elif block.declares:
            into.append(self._declared(block))
        else:
            into.append(_defined("".join(self._pieces(block.parts))))

    def _declared(self, unit: Block) -> Union[_Declared, _Long]:
        comment, code = ("".join(self._pieces(parts)).strip("\n") for parts in (unit.parts[:1], unit.parts[1:]))
        declared = _Declared(code, comment, unit.declares == FORM)
        fits = "\n" not in comment + code and _width([declared]) <= _WIDTH
        return declared if fits else _Long(f"{comment}\n{code}")


def _width(run: List[_Declared]) -> int:
    return max(len(plain(each.code)) for each in run) + 1 + max(len(plain(each.comment)) for each in run)


def _declarations(pieces: Iterable[_Piece]) -> Iterator[Union[str, _Defined]]:
    """Declarations with a short comment have it behind them, where several follow each other, or the first is another form of
    the one before it."""
    run: List[_Declared] = []
    blank = ""  # behind what is printed
    before: _Piece = ""
    for piece in (*pieces, _Long()):
        if isinstance(piece, str) and not piece.strip() and not isinstance(piece, _Long):
            blank += piece
            continue
        if run and not (isinstance(piece, _Declared) and _width(run + [piece]) <= _WIDTH):
            yield from _run(run)
            run = []
        if isinstance(piece, _Declared):
            if not run and piece.is_form and isinstance(before, _Long):
                yield f"\n{piece.code} {piece.comment}"
            else:
                yield "" if run else blank
                run.append(piece)
        else:
            yield blank
            yield piece
        blank, before = "", piece


def _run(run: List[_Declared]) -> Iterator[str]:
    if len(run) == 1:
        yield f"{run[0].comment}\n{run[0].code}"
        return
    width = max(len(plain(each.code)) for each in run)
    yield "\n".join(f"{each.code}{' ' * (width - len(plain(each.code)))} {each.comment}" for each in run)


def _defined(text: str) -> Union[str, _Defined]:
    """A unit, which may be a function of one statement."""
    lines = text.split("\n", 4)
    if len(lines) != 4 or (lines[1], lines[3]) != ("{", "}"):
        return text
    short = f"{lines[0]} {{ {lines[2].strip()} }}"
    return _Defined(short, text) if len(plain(short)) <= _WIDTH else text


def _definitions(pieces: List[Union[str, _Defined]]) -> Iterator[str]:
    """Functions of one statement have a line, and those that follow each other no other between them. Beside a directive
    clang-format would break it again."""
    said = [piece for piece in pieces if isinstance(piece, _Defined) or piece.strip()]
    at, short = -1, False  # of what is said, and is it such a line?
    blank = ""
    for piece in pieces:
        if isinstance(piece, str) and not piece.strip():
            blank += piece
            continue
        at += 1
        together = short and isinstance(piece, _Defined)
        short = isinstance(piece, _Defined) and (together or not _directive_before(said, at)) and not _ends_condition(said, at)
        yield "\n" if together and short else "\n\n" if together else blank
        yield piece if isinstance(piece, str) else piece.short if short else piece.whole
        blank = "\n\n" * short
    yield blank


def _directive_before(said: List[Union[str, _Defined]], at: int) -> bool:
    before = said[at - 1] if at else "#"
    return isinstance(before, str) and before.rstrip().rpartition("\n")[2].startswith("#")


def _ends_condition(said: List[Union[str, _Defined]], at: int) -> bool:
    behind = said[at + 1] if at + 1 < len(said) else "#e"
    return isinstance(behind, str) and behind.lstrip().startswith("#e")
