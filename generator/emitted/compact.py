"""A header in fewer lines: what is short stands on one line, beside what it belongs to."""

import re
from typing import List, Optional, Tuple

LINE = "/* -- Nothing below"  # how the line begins that divides a header
_WIDTH = 124

# Lines, not C: what fits depends on names as they are spelled, and on neighbours that are only known when the header is whole.
_DECLARED = re.compile(r"(/\* [^\n]* \*/)\n(\w[^\n]*\);)")
_DEFINED = re.compile(r"(static inline [^\n]*\))\n\{\n    ([^\n]*;)\n\}")


def compact(header: str) -> str:
    """The text of a header, which is tidy."""
    above, line, below = header.partition(LINE)
    return "\n\n".join(_declarations(above.split("\n\n"))) + line + "\n\n".join(_definitions(below.split("\n\n")))


def _declarations(blocks: List[str]) -> List[str]:
    """Declarations with a short comment have it behind them, where several follow each other, or the first is as the one
    before it."""
    result: List[str] = []
    run: List[Tuple[str, str]] = []  # declarations and comments
    for block in blocks + [""]:
        match = _DECLARED.fullmatch(block)
        short = match is not None and _width([(match[2], match[1])]) <= _WIDTH
        if short and not run and match[1].startswith("/* As ") and result and result[-1].endswith(");"):
            result[-1] += f"\n{match[2]} {match[1]}"
        elif short and _width(run + [(match[2], match[1])]) <= _WIDTH:
            run.append((match[2], match[1]))
        else:
            result += _run(run)
            run = [(match[2], match[1])] if short else []
            result += [] if short else [block]
    return result[:-1]


def _width(run: List[Tuple[str, str]]) -> int:
    return max(len(declaration) for declaration, _ in run) + 1 + max(len(comment) for _, comment in run)


def _run(run: List[Tuple[str, str]]) -> List[str]:
    if len(run) < 2:
        return [f"{comment}\n{declaration}" for declaration, comment in run]
    width = max(len(declaration) for declaration, _ in run)
    return ["\n".join(f"{declaration:<{width}} {comment}" for declaration, comment in run)]


def _definitions(blocks: List[str]) -> List[str]:
    """Functions of one statement have a line, and those that follow each other no other between them. Behind a directive
    clang-format would break it again."""
    result: List[str] = []
    before: Optional[str] = None
    for block in blocks:
        match = _DEFINED.fullmatch(block)
        one = f"{match[1]} {{ {match[2]} }}" if match is not None else ""
        if not one or len(one) > _WIDTH or before is None and result and result[-1].rpartition("\n")[2].startswith("#"):
            result.append(block)
            before = None
        elif before is None:
            result.append(one)
            before = one
        else:
            result[-1] += "\n" + one
    return result
