"""The layout of generated C where no formatter is at hand: each statement as deep as its braces are.

Templates own the line breaks and put parts together that know nothing of how deep they stand. What goes on over several lines
keeps its shape and moves with the first of them. Comments behind the code of lines that follow each other are aligned, and so
are the backslashes of a macro.
"""

import re
from typing import Iterator, List, Tuple

from .tokens import LITERAL

_OPEN_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*\Z")
_EXTERN = 'extern "C" {'
_LABEL = re.compile(r"(?:case .*|default|(public|private|protected)):\Z")
_BEHIND = re.compile(r"([^\n]*[^\s\\]) *(/\*(?:[^*]|\*(?!/))*\*/|\\)\Z")  # a comment behind code, a backslash
_STARS = re.compile(r"\* (?=\*|const\b)")  # of a pointer to a type that is one
# What ends with a brace or a semicolon, and what comes after it.
_PARENTHESIS = re.compile(r"[()]")
_JOINED = re.compile(r"(?! *#)(?!.*\\\Z)(.*;(?= (?:return|continue|break)\b)| *\}(?=  |\}\Z)) *(?=\S)")


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, of which two may stand in one."""
    for line in text.split("\n"):
        joined = _JOINED.match(line) if "; " in line or line.lstrip()[:1] == "}" else None
        if joined is None:
            yield line
        else:
            yield joined[1]
            yield line[joined.end():]


def laid_out(text: str) -> str:
    """The text with every statement indented by four for each brace around it."""
    lines: List[str] = []
    depth = own = 0
    opened: List[int] = []  # where what stands in each open parenthesis begins
    first = ""  # the line that has moved to `own`, and those that it goes on in with it
    outside: List[int] = []  # how deep each #if stands
    in_comment = in_macro = goes_on = False
    for line in _lines(text):
        said = line.strip()
        if in_macro or said[:1] == "#" and not in_comment:
            lines.append(line if in_macro else said)
            if not in_macro:
                word = said[1:].lstrip()
                if word.startswith("if"):
                    outside.append(depth)
                elif word.startswith("el") and outside:
                    depth = outside[-1]
                elif word.startswith("endif") and outside:
                    outside.pop()
            in_macro = line.endswith("\\")
            continue
        if not said:
            lines.append("")
            continue
        if in_comment:
            lines.append(_moved(line, first, own))
            in_comment = "*/" not in said
            continue
        code = said
        if "/" in said or '"' in said or "'" in said:
            code = LITERAL.sub("", said)
            open_comment = _OPEN_COMMENT.search(code) if "/*" in code else None
            if open_comment is not None:
                in_comment = True
                code = code[:open_comment.start()]
            code = code.strip()
        if opened:
            lines.append(" " * opened[-1] + said)
        elif goes_on and code[:1] != "{":
            lines.append(_moved(line, first, own))
        else:
            label = _LABEL.match(code) if code[-1:] == ":" else None
            own = 4 * (depth - (code[:1] == "}")) - (0 if label is None else 2 if label[1] else 4)
            first, own = line, own if own > 0 else 0
            lines.append(" " * own + said)
        if not code or said.startswith(_EXTERN):
            continue
        if "{" in code or "}" in code:
            depth = max(0, depth + code.count("{") - code.count("}"))
        if opened or code.count("(") != code.count(")"):
            _open(opened, lines[-1])
        goes_on = bool(opened) or code[-1] not in ";{},:"
    return "\n".join(_aligned(lines))


def _open(opened: List[int], line: str) -> None:
    """Notes which parentheses a line opens and closes."""
    for sign in _PARENTHESIS.finditer(LITERAL.sub(lambda literal: " " * len(literal[0]), _spaced(line))):
        if sign[0] == "(":
            opened.append(sign.end())
        elif opened:
            opened.pop()


def _aligned(lines: List[str]) -> Iterator[str]:
    """The lines, with what stands behind the code of several that follow each other in one column."""
    block: List[Tuple[str, str]] = []
    for line in lines + ["\n"]:
        behind = _BEHIND.match(line) if line[-1:] == "\\" or line[-2:] == "*/" and line.lstrip()[:1] not in "/*" else None
        if block and (behind is None or (behind[2] == "\\") != (block[-1][1] == "\\")):
            width = max(len(code) for code, _ in block)
            for code, end in block:
                yield code.ljust(width) + " " + end
            block = []
        if behind is not None:
            block.append((_spaced(behind[1]), behind[2]))
        elif line != "\n":
            yield _spaced(line)


def _spaced(line: str) -> str:
    return _STARS.sub("*", line) if "* " in line and line.lstrip()[:1] not in "/*" else line


def _moved(line: str, first: str, own: int) -> str:
    """A line as far in, or out, as the first has moved to `own`."""
    shift = own - (len(first) - len(first.lstrip()))
    return " " * shift + line if shift >= 0 else line[min(-shift, len(line) - len(line.lstrip())):]
