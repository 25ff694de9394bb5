"""Plain C with marked holes, which a C editor and a formatter can read:

    /* @NAME */             alone on a line: the lines of a text are put there, or none
    /* @NAME */ WORD        the word is replaced by a text
    /* @if NAME */ ... /* @else */ ... /* @end */      each on a line: one of them is kept
"""

import re
from typing import List, Mapping

_LINE = re.compile(r"/\* @(if )?(\w+) \*/\Z")
_WORD = re.compile(r"/\* @(\w+) \*/ (?:\"\w*\"|\w+)")


def filled(text: str, holes: Mapping[str, object]) -> str:
    """The text with its holes filled; a hole that has no entry is an error."""
    lines: List[str] = []
    kept: List[bool] = []  # of each condition that is open
    for line in text.split("\n"):
        mark = _LINE.match(line) if line.startswith("/* @") else None
        if mark is None:
            if all(kept):
                lines.append(_WORD.sub(lambda word: str(holes[word[1]]), line) if "/* @" in line else line)
        elif mark[1]:
            kept.append(bool(holes[mark[2]]))
        elif mark[2] == "else":
            kept.append(not kept.pop())
        elif mark[2] == "end":
            kept.pop()
        elif all(kept) and holes[mark[2]]:
            lines.append(str(holes[mark[2]]).rstrip("\n"))
    return "\n".join(lines)
