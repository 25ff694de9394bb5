"""Emitted names: how types and functions are spelled (`emit.types`, `emit.functions`), and how texts hold them until they are printed.

In a text that is not printed yet, the first letter of a container's name is from an alphabet of its own, so that a name is
known for one wherever it stands: in code, comments, messages. Everything else of it is as it will be, its length too.
When the text is printed, `emitted.spelling` puts in what the spec calls it; `plain` gives it as it is known inside.
"""

import re
from typing import List, Tuple

# What is called T_name and is a type that users see.
TYPES = ("status", "cursor", "pass", "change", "change_kind", "handle", "row", "cold_row", "tick", "layer_state", "chunk_data", "span", "const_span", "walk", "writer", "reader")


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
PRIVATE_TYPES = ("coming_", "leaving_", "site_", "entry", "same_", "layout_")


# -- names in texts that are not printed yet ----------------------------------------------------------------------------

_NAMES, _CONSTANTS, _USERS = 0xA000, 0xA080, 0xA100  # letters that no C text has: Yi syllables, for each of the three alphabets
MARKED = re.compile("[\uA000-\uA1FF]")
A_NAME = re.compile(r"(?:(?<!\w)|(?<=\\n)|(?<=%s))[\uA000-\uA1FF]\w*")  # one that stands alone, also behind `\n` or `%s` in a string


def marked(name: str, alphabet: int = _NAMES) -> str:
    """What a text holds for this name, or for names that begin with it."""
    return chr(ord(name[0]) + alphabet) + name[1:]


def stays(name: str) -> bool:
    """Is it spelled as it is: one that begins with TT, or a function of the user's?"""
    return ord(name[0]) >= _CONSTANTS


def yours(function: object) -> str:
    """What a text holds for a function of the user's."""
    return marked(str(function), _USERS)


def is_yours(name: str) -> bool:
    return _USERS <= ord(name[0]) < _USERS + 0x80


def plain(text: str) -> str:
    """A text with its names as they are known inside."""
    return text if text.isascii() else MARKED.sub(lambda letter: chr(ord(letter[0]) & 0x7F), text)


class Name(str):
    """The name of a container, `T` or `TT`. In a text that is put together, f"{T}_count", it is known for one; by itself it is plain."""

    def __new__(cls, name: str, constant: bool = False) -> "Name":
        self = super().__new__(cls, name)
        self.marked = marked(name, _CONSTANTS if constant else _NAMES)
        return self

    def __format__(self, how: str) -> str:
        return format(self.marked, how)


class Names:
    """The names of one container in templates: `T` is its type, `T.count` its function, `T["count"]` the same for a name that is computed."""

    def __init__(self, name: Name):
        self._name = name.marked

    def __str__(self) -> str:
        return self._name

    def __getitem__(self, name: str) -> str:
        return f"{self._name}_{name}"

    def __getattr__(self, name: str) -> str:
        whole = self.__dict__[name] = f"{self._name}_{name}"
        return whole
