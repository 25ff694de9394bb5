"""C of which a test keeps what it compiles."""

import re
from typing import Collection, List

_CONDITION = re.compile(r"#(ifdef (BT_WITH_\w+)|if|else|endif)")


def kept(text: str, macros: Collection[str]) -> str:
    """The text without what stands between `#ifdef BT_WITH_...` lines of other macros than these, and without these lines."""
    lines: List[str] = []
    opened: List[str] = []  # of each condition that is open: its macro, or '' where that is none of these
    dropped: List[bool] = []
    for line in text.split("\n"):
        found = _CONDITION.match(line)
        if found is None:
            if not any(dropped):
                lines.append(line)
            continue
        if found[1].startswith("if"):
            opened.append(found[2] or "")
            dropped.append(bool(found[2]) and found[2] not in macros)
        elif found[1] == "else" and opened[-1]:
            dropped[-1] = not dropped[-1]
        is_kept = not opened[-1] and not any(dropped)
        if found[1] == "endif":
            opened.pop()
            dropped.pop()
        if is_kept:
            lines.append(line)
    return "\n".join(lines)
