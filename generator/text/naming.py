"""Emitted names: how types and functions are spelled (`emit.types`, `emit.functions`), and how texts hold them until they are printed.

In a text that is not printed yet, a mark stands before each name, so that it is known for one in code, comments and messages.
When the text is printed, `emitted.spelling` puts in what the spec calls it; `plain` gives it as it is known inside.
"""

from typing import List, Tuple

# What is called T_name and is a type that users see.
TYPES = ("status", "cursor", "pass", "change", "change_kind", "handle", "row", "cold_row", "tick", "layer_state", "chunk_data", "span", "const_span", "range", "worker", "inbox_cell", "walk", "writer", "reader")


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

MARK = "\x13"  # a control character, which no text of a spec may have


def marked(name: object) -> str:
    """What a text holds for a name: of a container, of what is called after it, or of a function of the user's."""
    return f"{MARK}{name!s}"


def plain(text: str) -> str:
    """A text with its names as they are known inside."""
    return text.replace(MARK, "")


class Name(str):
    """The name of a container, `T` or `TT`. In a text that is put together, f"{T}_count", it is marked; by itself it is plain."""

    def __format__(self, how: str) -> str:
        return MARK + self


class Names:
    """The names of one container in templates: `T` is its type, `T.count` its function, `T["count"]` the same for a name that is computed."""

    def __init__(self, name: Name):
        self._name = marked(name)

    def __str__(self) -> str:
        return self._name

    def __getitem__(self, name: str) -> str:
        return f"{self._name}_{name}"

    def __getattr__(self, name: str) -> str:
        whole = self.__dict__[name] = f"{self._name}_{name}"
        return whole
