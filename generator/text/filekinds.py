"""Kinds of generated files, by their names: how a comment is written in them, and what of their text counts.

C is compared by its tokens, which no formatter can change. Nobody formats the others: they are compared line by line.
"""

from typing import Dict, List, Sequence, Tuple

from . import tokens


class Kind:
    """C, and what the other kinds do otherwise."""

    formatted = True  # by clang-format

    def comment(self, lines: Sequence[str]) -> str:
        """Lines of text as one comment, without a line break behind it."""
        return "\n".join(["/*"] + [(" * " + line).rstrip() for line in lines] + [" */"])

    def banner(self, lines: Sequence[str]) -> str:
        """The same in as few lines as there are."""
        return "/* " + "\n * ".join(lines) + " */"

    def line(self, text: str) -> str:
        """One line of text as a comment."""
        return "/* %s */" % text

    def normal(self, text: str) -> str:
        """What counts of a text."""
        return tokens.normal(text)

    def normal_lines(self, text: str) -> List[str]:
        """The same in lines, for a diff."""
        return tokens.normal_lines(text)

    def seal(self, text: str) -> str:
        """A short hash of what counts."""
        return tokens.seal_of_normal(self.normal(text))

    def option(self, name: str) -> str:
        """An option of a command line, in a comment."""
        return " --" + name

    def comment_around(self, text: str, at: int) -> Tuple[int, int]:
        """Where the comment begins that holds a place, and where it ends; (-1, -1): none does."""
        opened, closed = text.rfind("/*", 0, at), text.find("*/", at)
        if opened < 0 or closed < 0 or text.find("*/", opened, at) >= 0:
            return -1, -1
        return opened, closed + 2


class _Lines(Kind):
    formatted = False

    def banner(self, lines: Sequence[str]) -> str:
        return self.comment(lines)

    def normal(self, text: str) -> str:
        return "\n".join(self.normal_lines(text)).strip("\n")

    def normal_lines(self, text: str) -> List[str]:
        return [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]


class _Python(_Lines):
    def comment(self, lines: Sequence[str]) -> str:
        return "\n".join(self.line(line) for line in lines)

    def line(self, text: str) -> str:
        return ("# " + text).rstrip()

    def comment_around(self, text: str, at: int) -> Tuple[int, int]:
        end = 0
        while text.startswith("#", end):
            end = (text.find("\n", end) + 1) or len(text)
        return (0, end - text.endswith("\n", 0, end)) if at < end else (-1, -1)


class _Xml(_Lines):
    """Two hyphens may not stand in a comment. In the name of a spec the second is written as in an address, for it is read
    back."""

    def comment(self, lines: Sequence[str]) -> str:
        said = [line.replace("--", "-%2D").replace("--", "-%2D") if line.startswith("@") else self._apart(line) for line in lines]
        return "\n".join(["<!--"] + [("  " + line).rstrip() for line in said] + ["-->"])

    def option(self, name: str) -> str:
        return " (and its option for %s)" % name

    def line(self, text: str) -> str:
        return "<!-- %s -->" % self._apart(text)

    def _apart(self, text: str) -> str:
        while "--" in text:
            text = text.replace("--", "- -")
        return text

    def comment_around(self, text: str, at: int) -> Tuple[int, int]:
        opened, closed = text.rfind("<!--", 0, at), text.find("-->", at)
        if opened < 0 or closed < 0 or text.find("-->", opened, at) >= 0:
            return -1, -1
        return opened, closed + 3


C, PYTHON, XML = Kind(), _Python(), _Xml()
BY_ENDING: Dict[str, Kind] = {".h": C, ".c": C, ".gdb.py": PYTHON, "_lldb.py": PYTHON, ".natvis": XML}
DEBUGGERS = (".gdb.py", "_lldb.py", ".natvis")
TEST = "_test.c"
FUZZ = "_fuzz.c"
HANDLES = "_handles.h"  # of a spec with `emit.handles_header`


def kind_of(name: str) -> Kind:
    """The kind of a generated file, by its name."""
    for ending, kind in BY_ENDING.items():
        if name.endswith(ending):
            return kind
    return C


def kind_of_text(text: str) -> Kind:
    """The kind of a generated file, by how it begins: with a comment."""
    return PYTHON if text.startswith("# ") else XML if text.startswith("<!--") else C
