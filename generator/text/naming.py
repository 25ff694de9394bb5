"""Emitted names: how types and functions are spelled (`emit.types`, `emit.functions`), and how texts hold them until they are
printed.

In a text that is not printed yet, each name stands between two marks, so that it is known for one in code, comments and messages:
the linker asks which names a text uses, and a variable that is called as a container gives way to it.
"""

import re
from typing import Callable, List, Optional, Sequence, Tuple

# What is called T_name and is a type that users see.
TYPES = ("status", "cursor", "pass", "change", "change_kind", "handle", "row", "cold_row", "tick", "layer_state", "chunk_data",
         "span", "const_span", "const_cursor", "range", "worker", "inbox_cell", "walk", "const_walk", "scan",
         "scan_record", "writer", "reader")


def _split(name: str) -> Tuple[List[str], str]:
    """The parts of a name, and the '_' at its end, by which names of the container's own are known."""
    bare = name.rstrip("_")
    return [part for part in bare.split("_") if part], name[len(bare):]


def pascal(name: str) -> str:
    parts, end = _split(name)
    return "".join(part[0].upper() + part[1:] for part in parts) + end


def camel(name: str) -> str:
    whole = pascal(name)
    return whole[:1].lower() + whole[1:]


def type_name(prefix: str, name: str, types: str) -> str:
    """The C type of a container."""
    return prefix + (pascal(name) if types == "pascal" else name)


def head(prefix: str, name: str, types: str, functions: str) -> str:
    """What the functions of a container begin with."""
    if functions.startswith("type_"):
        return type_name(prefix, name, types) + "_"
    if functions == "snake":
        return f"{prefix}{name}_"
    if functions == "camel" and (not prefix or prefix.endswith("_")):
        return prefix + camel(name)
    return prefix + pascal(name)


# How a function goes on behind that.
_TAILS = {"snake": str, "camel": pascal, "pascal": pascal, "type_snake": str, "type_camel": camel, "type_pascal": pascal}


def tail(name: str, functions: str) -> str:
    return _TAILS[functions](name)


# Types that only emitted code uses; names that end in the last one are structs, too.
PRIVATE_TYPES = ("coming_", "leaving_", "site_", "entry", "equals", "node", "same_", "layout_")


# -- names in texts that are not printed yet ----------------------------------------------------------------------------

MARK = "\x13"  # stands before and behind each name in a text; a control character, which no text of a spec may have


def marked(name: object) -> str:
    """What a text holds for a name: of a container, of what is called after it, of what headers share, or of a function of the
    user's."""
    return f"{MARK}{name!s}{MARK}"


def of_source(text: str) -> str:
    """A template, or a file of C, with marks around the names in it that headers share."""
    for head in ("BESPOKE_", "bespoke_"):  # one after the other: a pattern that begins with letters is fast
        if head in text:
            text = re.sub(head + r"\w+", lambda name: marked(name[0]), text)
    return text


def plain(text: object) -> str:
    """A text as it is printed."""
    return str(text).replace(MARK, "")


def nameless(text: str, heads: Sequence[str], element: str) -> str:
    """A text without what its names begin with, and without the type of elements: to compare those of two containers."""
    text = text.replace(element, MARK)
    for each in heads:
        text = text.replace(f"{MARK}{each}", MARK)
    return text


class Names:
    """The names of one container: `T` is its type, `T.count` its function, `T["count"]` the same for a name that is computed."""

    def __init__(self, name: str, spelled: Optional[Callable[[str], str]] = None):
        """`spelled`: how the spec calls T_name; macros and constants stay in capitals."""
        self._name, self._spelled, self._marked = name, spelled, marked(name)

    def __str__(self) -> str:
        return self._marked

    def __getitem__(self, name: str) -> str:
        whole = f"{self._name}_{name}" if self._spelled is None else self._spelled(name)
        return marked(whole) if name else whole  # what all begin with is no name

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        whole = self.__dict__[name] = self[name]
        return whole

    def stands_for(self, name: str, text: str) -> None:
        """What is printed in place of a constant that is none: a member of the container."""
        self.__dict__[name] = text

    def within(self, name: str) -> "Names":
        """Those that have this in them: T_name, T_name_count."""
        spelled = self._spelled
        return Names(f"{self._name}_{name}", None if spelled is None else lambda rest: spelled(f"{name}_{rest}"))


def placed(T: Names, text: str) -> str:
    """A text of the tables with the names of a container in place of `T_count`."""
    return re.sub(r"\bT_(\w+)", lambda name: T[name[1]], text)
