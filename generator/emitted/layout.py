"""White space of emitted text: blank lines, and where long lines are broken. Nothing but white space is changed."""

import re
from typing import List


def _apart(before: str, line: str) -> bool:
    """Does a blank line belong between these two?"""
    if before == "#endif":
        return line.startswith("/*")
    return (before == "}" or before.startswith("} ") and before.endswith(";")) and not line.startswith("#e")


_WIDTH = 132  # of a line before it is formatted
# Where a line may end so that the formatter leaves it so, and what is on the way there.
_BREAK = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|[(\[{]|[)\]}]|[,;] | (?:&&|\|\|) '
                    r'|(?<=\w)> (?=\w)| (?=\? )')


def _folded(line: str) -> List[str]:
    """A line of code that names have made too long, broken where the fewest parentheses are open."""
    define = re.match(r"#define \w+(?:\([\w, ]*\))? ", line)
    if line.lstrip().startswith(("#", "*", "/*", "//")) and not define:
        return [line]
    if define:
        lines = [define[0].rstrip()] + [f"    {part}" for part in _parts(line[define.end():], 4)]
        return [f"{each} \\" for each in lines[:-1]] + lines[-1:]
    indent = line[:len(line) - len(line.lstrip())]
    first, *rest = _parts(line.lstrip(), len(indent))
    return [indent + first] + [f"{indent}    {part}" for part in rest]


def _parts(code: str, indent: int) -> List[str]:
    """The same without its indentation."""
    if indent + len(code) <= _WIDTH:
        return [code]
    depth, best, at = 0, None, 0
    for match in _BREAK.finditer(code):
        sign = match[0]
        depth += (sign in "([{") - (sign in ")]}")
        if sign.endswith(" ") and match.end() + indent <= _WIDTH and match.start() > 20 \
            and depth <= (1 if best is None else best):
            best, at = depth, match.end()
    return [code] if best is None else [code[:at].rstrip()] + _parts(code[at:], indent + 4)


def tidy(text: str) -> str:
    """What the formatter would not do by itself: no trailing blanks, no runs of blank lines, none beside a brace, none too
    long."""
    lines: List[str] = []
    last = "{"  # the line before
    for line in text.split("\n"):
        line = line.rstrip()
        if not line:
            if last and last[-1] != "{":
                lines.append(line)
                last = line
            continue
        if not last and (line.lstrip()[0] == "}" or line.startswith("#e")):
            lines.pop()
            last = lines[-1]
        if last[:1] in "}#" and _apart(last, line):
            lines.append("")
        if len(line) <= _WIDTH or line[-1] == "\\" or last[-1:] == "\\":  # a macro goes on, whose lines are the template's
            lines.append(line)
        else:
            lines += _folded(line)
        last = lines[-1]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"
