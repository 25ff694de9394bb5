"""Units of emitted C, as texts hold them until they are printed.

What stands at file scope is printed by templates in units: `{% call unit(T.sort_) %} ... {% endcall %}`, with its comment, under
the names that others use it by. A unit is printed where one of its names is used (`emitted.linker`), so no template asks whether
it is. Units may hold others: an enumerator in its enum, a definition between `#if` and `#endif`, which is a `frame`.

- `only`: code in a unit for builds with BESPOKE_CHAOS, or under AddressSanitizer. What only that uses is for these builds, too.
- `where`: what is said where a name is used elsewhere, as in a comment about an operation that is not there always.
- `comment`: a comment that is laid out when it is known what it says.
"""

import re
import textwrap
from functools import lru_cache
from typing import Any, Callable, List, Tuple

from .naming import MARK

EDGE = "\x0e"  # stands before each edge of a unit; behind it, which of them it is:
BEGIN, HEAD, ELSE, END = "(:;)"
_NEWLINE = "\n"
_WHERE = re.compile(EDGE + r"\(where ([^{0}]*){0}:([^{0}]*){0};([^{0}]*){0}\)".replace("{0}", EDGE))


def unit(*names: object, build: str = "", caller: Any) -> str:
    """A definition, or declarations. `build`: chaos, asan or not-asan, if it is under their condition; all, if they do not matter to it."""
    return f"{EDGE}{BEGIN}unit {build} {' '.join(map(str, names))}{EDGE}{HEAD}{caller().strip(_NEWLINE)}{EDGE}{END}\n"


def frame(build: str = "", caller: Any = None) -> str:
    """What is around units: there if one of them is."""
    return unit(build=build, caller=caller)


def only(build: str, caller: Any) -> str:
    return f"{EDGE}{BEGIN}only {build}{EDGE}{HEAD}{caller().strip(_NEWLINE)}{EDGE}{END}\n"


def where(name: str, text: str, otherwise: str = "") -> str:
    return f"{EDGE}{BEGIN}where {name}{EDGE}{HEAD}{text}{EDGE}{ELSE}{otherwise}{EDGE}{END}"


def comment(text: str) -> str:
    return f"{EDGE}{BEGIN}comment {EDGE}{HEAD}{text}{EDGE}{END}"


def said(text: str, has: Callable[[str], bool] = lambda name: True) -> str:
    """A text with what it says where a name is used."""
    return _WHERE.sub(lambda match: match[2] if has(match[1]) else match[3], text) if EDGE in text else text


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
