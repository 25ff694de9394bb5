"""How emitted names are spelled: types and functions in the styles of `emit.types` and `emit.functions`."""

from typing import List, Tuple

# What is called T_name and is a type; others are seen in what the text declares.
TYPES = ("status", "cursor", "pass", "change", "change_kind", "handle", "row", "cold_row", "tick", "layer_state", "chunk_data", "span", "const_span", "walk")


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


class Names:
    """The names of one container in templates: `T` is its type, `T.count` its function, `T["count"]` the same for a name that is computed."""

    def __init__(self, name: str):
        self._name = name

    def __str__(self) -> str:
        return self._name

    def __getitem__(self, name: str) -> str:
        return f"{self._name}_{name}"

    __getattr__ = __getitem__
