"""What T_save writes of an element: each member that is the same on every machine, as a number, a truth or bytes."""

import re
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ..text.identifiers import is_built_in
from ..types.type_info import TypeField, TypeInfo
from . import soa
from .model import Container, SpecField

# Bytes that an integer takes in what is saved. Those that differ from machine to machine take as many as on the largest.
_UNSIGNED = {"unsigned char": 1, "uint8_t": 1, "unsigned short": 2, "uint16_t": 2, "char16_t": 2, "unsigned": 4,
             "unsigned int": 4, "uint32_t": 4,
             "char32_t": 4, "uint64_t": 8, "unsigned long": 8, "unsigned long long": 8, "size_t": 8, "uintptr_t": 8,
             "uintmax_t": 8,
             **{f"uint_{how}{bits}_t": 8 for how in ("fast", "least") for bits in (8, 16, 32, 64)}}
_SIGNED = {"char": 1, "signed char": 1, "int8_t": 1, "short": 2, "int16_t": 2, "int": 4, "int32_t": 4, "int64_t": 8, "long": 8,
           "long long": 8,
           "ptrdiff_t": 8, "ssize_t": 8, "intptr_t": 8, "intmax_t": 8,
           **{f"int_{how}{bits}_t": 8 for how in ("fast", "least") for bits in (8, 16, 32, 64)}}
INDICES = ("i", "at")  # variables of the loops over a member that is an array


class Leaf(NamedTuple):
    """One value of an element, or one of each of the elements of an array."""

    kind: str  # unsigned, signed, bool, float, double, bytes
    path: str  # what leads to it from the element, with the index of each loop: `.spot[i].x`
    type: str  # what C calls it
    width: int  # bytes that are written
    loops: Tuple[Tuple[str, str], ...] = ()  # index and count of each
    bits: Optional[int] = None

    @property
    def said(self) -> str:
        """What it is in the description of the type: no name of a type, which may change while what is saved does not."""
        counts = "".join(f"[{count}]" for _, count in self.loops)
        return f"{self.path}{counts}:{self.kind[0]}{self.width}"


class Saved(NamedTuple):
    """A member of an element, as it is saved; one without leaves is left to the user's functions."""

    name: str
    leaves: Tuple[Leaf, ...] = ()
    why_not: str = ""

    @property
    def mark(self) -> int:
        """What distinguishes it from another member, and from itself before a change."""
        return fingerprint(self.name + ";" + ";".join(leaf.said for leaf in self.leaves))


class _Unsaved(Exception):
    """Why a member cannot be saved."""


def fingerprint(text: str) -> int:
    """32 bits of a text, by FNV-1a."""
    number = 0x811C9DC5
    for byte in text.encode("utf-8"):
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    return number


def functions(container: Container) -> bool:
    """Does the user write and read what Bespoke cannot?"""
    return container["persist.save"] is not None and container["persist.load"] is not None


def members(container: Container) -> Optional[List[Saved]]:
    """All members of an element in their order; None if nothing is known of it. An element that is a number is its only
    member."""
    kind, info = container["element.type"], container.type_info
    if container["element.fields"] is not None:
        return [_saved(soa.written(field), info) for field in container["element.fields"]]
    if kind is None:
        return None
    if info is not None and info.kind == "struct":
        return [_saved(field, info) for field in info.members]
    if info is None and not is_built_in(kind):
        return None
    whole = _saved(TypeField("", kind), info)
    return [whole] if info is None or info.kind in ("scalar", "enum", "pointer", "array", "union") else None


def beside(container: Container) -> List[Saved]:
    """The values that T_save writes beside elements, in their order. A handle of the container's own is what it is made of."""
    infos = {each["element.type"]: each.type_info for each in container.beside}
    return [_handle(container, each.name) if each.type == container.type_of("handle")
            else _value_beside(each, infos.get(each.type)) for each in container["side"] or ()]


def _handle(container: Container, name: str) -> Saved:
    index, generation = container["handles.index_bits"], container["handles.generation_bits"]
    split = not {8, 16, 32}.issuperset((index, generation))  # into bit-fields
    return Saved(name, tuple(Leaf("unsigned", f".{member}", "uint32_t" if split else f"uint{bits}_t", 4 if split else bits // 8,
                                  bits=bits if split else None)
                             for member, bits in (("index", index), ("generation", generation))))


def _value_beside(value: SpecField, info: Optional[TypeInfo]) -> Saved:
    try:
        if info is not None and info.kind in ("struct", "union"):
            return Saved(value.name, tuple(_inside(info.kind, info.fields, info, "", ())))
        return Saved(value.name, tuple(_leaves(TypeField("", value.type), info, "", ())))
    except _Unsaved as why:
        return Saved(value.name, (), str(why))


def _saved(field: TypeField, info: Optional[TypeInfo]) -> Saved:
    try:
        return Saved(field.name, tuple(_leaves(field, info, "." + field.name if field.name else "", ())))
    except _Unsaved as why:
        return Saved(field.name, (), str(why))


def _leaves(field: TypeField, info: Optional[TypeInfo], path: str, loops: Tuple[Tuple[str, str], ...]) -> Iterator[Leaf]:
    why = field.why_not if field.shared or field.flexible or field.const else ""
    if why:
        raise _Unsaved(why)
    base, counts = _array(field.type)
    what, actual = _resolved(base, info)
    while what == "array":
        actual, more = _array(actual)
        counts += more
        what, actual = _resolved(actual, info)
    actual = re.sub(r"\b(const|volatile)\b *", "", actual).strip()
    if counts and actual in ("char", "unsigned char", "signed char", "uint8_t", "int8_t"):
        width, counts = counts[-1], counts[:-1]
        inner, loops = _looped(path, counts, loops)
        yield Leaf("bytes", inner, base, int(width), loops)
        return
    inner, loops = _looped(path, counts, loops)
    if field.fields and base in ("struct", "union"):
        yield from _inside(base, field.fields, info, inner, loops)
        return
    if what in ("struct", "union"):
        used = next(used for used in (info.uses if info is not None else ()) if used.type == actual)
        yield from _inside(used.kind, used.fields, info, inner, loops)
        return
    yield _value(field, what, actual, base, inner, loops)


def _inside(kind: str, fields: Sequence[TypeField], info: Optional[TypeInfo], path: str,
            loops: Tuple[Tuple[str, str], ...]) -> Iterator[Leaf]:
    if kind == "union":
        raise _Unsaved("it is a union, which does not say what it holds")
    for field in fields:
        if field.name:
            yield from _leaves(field, info, f"{path}.{field.name}", loops)
        elif field.fields:
            yield from _inside(field.type, field.fields, info, path, loops)


def _value(field: TypeField, what: str, actual: str, spelled: str, path: str, loops: Tuple[Tuple[str, str], ...]) -> Leaf:
    """A single value, or each of an array."""
    if actual.endswith("*") or "(" in actual or what == "pointer":
        raise _Unsaved("it is a pointer, which leads nowhere in another run")
    if field.bits is not None and (actual not in _UNSIGNED and actual not in ("bool", "_Bool")):
        raise _Unsaved("it is a bit-field with a sign or of an enum")
    spelled = re.sub(r"\b(const|volatile)\b *", "", spelled).strip()
    if actual in ("bool", "_Bool"):
        return Leaf("bool", path, spelled, 1, loops)
    if actual in _UNSIGNED:
        return Leaf("unsigned", path, spelled, _UNSIGNED[actual], loops, field.bits)
    if actual in _SIGNED:
        return Leaf("signed", path, spelled, _SIGNED[actual], loops)
    if what == "enum" or re.match(r"enum \w+\Z", actual) or field.of and spelled == "enum":
        if spelled == "enum" or field.local:
            raise _Unsaved("it is of an enum without a name outside of the struct")
        return Leaf("signed", path, spelled, 8, loops)
    if actual in ("float", "double"):
        return Leaf(actual, path, spelled, 4 if actual == "float" else 8, loops)
    raise _Unsaved(f"nothing is known of the type '{actual}'" if actual not in ("struct", "union", "enum")
                   else "its type has no name")


def _resolved(base: str, info: Optional[TypeInfo]) -> Tuple[str, str]:
    """What a type is in the end: kind and spelling."""
    if base in ("struct", "union", "enum"):
        return "", base
    bare = re.sub(r"\b(const|volatile)\b *", "", base).strip()
    if info is None:
        return "", bare
    what, actual = info.stands_for(bare)
    return what if what in ("struct", "union", "enum", "array") else "", actual


def _array(type_: str) -> Tuple[str, Tuple[str, ...]]:
    """The type of the elements of an array, and the counts of its dimensions."""
    base, _, rest = type_.partition("[")
    if not rest or "(" in type_:
        return type_.strip(), ()
    counts = tuple(part.strip().rstrip("]").strip() for part in ("[" + rest).split("[")[1:])
    if not all(count.isdigit() for count in counts):
        raise _Unsaved("it is an array without a length that is known")
    return base.strip(), counts


def _looped(path: str, counts: Sequence[str], loops: Tuple[Tuple[str, str], ...]) -> Tuple[str, Tuple[Tuple[str, str], ...]]:
    for count in counts:
        if len(loops) == len(INDICES):
            raise _Unsaved("it is an array of more than two dimensions")
        index = INDICES[len(loops)]
        path, loops = f"{path}[{index}]", loops + ((index, count),)
    return path, loops
