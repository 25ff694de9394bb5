"""What is known of the types of keys: of a member, from the lock of the element's type."""

import re
from typing import Dict, Optional, Sequence, Tuple

from ..text.identifiers import BUILT_IN
from ..types.type_info import TypeField, TypeInfo
from .model import Container

FLOATING = frozenset({"float", "double", "long double", "double long"})
# Types whose size every ABI agrees on, and which are aligned to it where anything is.
_BYTES: Dict[str, int] = {"char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "_Bool": 1, **{
    f"{sign}int{bits}_t": bits // 8 for sign in ("u", "") for bits in (8, 16, 32, 64)}}


def type_of_key(c: Container, path: str) -> str:
    """Of a key that is a member, if the members are known, or the whole element; else ''."""
    text = str(c[path])
    member = re.fullmatch(r"element->([\w.]+)", text)
    if member is None:
        return (c["element.type"] or "") if re.fullmatch(r"\*\s*element", text) else ""
    if c["element.fields"] is not None:
        return next((each.type for each in c["element.fields"] if each.name == member[1]), "")
    found = c.type_info.member(member[1]) if c.type_info is not None else None
    return found.type if found is not None and found.name == member[1].split(".")[-1] else ""


def number_type(c: Container, path: str) -> str:
    """The number type of C that a key is of in the end, of at most 8 bytes; '' if it is another, or not known."""
    known = type_of_key(c, path)
    actual = c.type_info.stands_for(known)[1] if c.type_info is not None else known
    words = actual.split()
    return actual if words and BUILT_IN.issuperset(words) and not {"long", "double"} <= set(words) else ""


def is_text(actual: str) -> bool:
    """A `char *`, also to const, or a `char` array."""
    of = [word for word in re.findall(r"\w+", actual.partition("[")[0]) if word != "const"]
    return of == ["char"] and (actual.count("*") + actual.count("[")) == 1


def why_no_bytes(info: TypeInfo, type_: str) -> str:
    """Why two values of a type may differ in bytes and be equal; '' if they cannot, or nothing is known of it."""
    return _Layout(info).problem(type_)


class _Layout:
    """How the members of types lie in memory, as far as that is the same everywhere."""

    def __init__(self, info: TypeInfo):
        self.known = {each.type: each for each in info.uses + (info,)}

    def problem(self, type_: str) -> str:
        of = type_.partition("[")[0]
        of = of.strip()
        if of in FLOATING:
            return f"'{of}' has two zeros, and NaN"
        info = self.known.get(of)
        if info is None or of.endswith("*"):
            return ""
        if info.kind in ("scalar", "array") and info.of:
            return self.problem(info.of)
        if info.kind == "union":
            return f"'{of}' is a union, whose bytes need not all be of the member that was written"
        return self._of_members(of, info.fields, bool(info.packed)) if info.kind == "struct" else ""

    def _of_members(self, of: str, members: Sequence[TypeField], packed: bool) -> str:
        at: Optional[int] = 0
        widest = 1
        for member in members:
            if member.bits is not None:
                return f"'{of}' has bit-fields, beside which there are bits that no member has"
            why = self.problem(member.type)
            if why:
                return why
            size, align = self._size(member.type)
            if at is not None and size is not None and align is not None and not packed:
                if at % align:
                    return f"'{of}' has padding before its member '{member.name}'"
                widest = max(widest, align)
            at = at + size if at is not None and size is not None else None
        if at is not None and at % widest and not packed:
            return f"'{of}' has padding behind its last member"
        return ""

    def _size(self, type_: str) -> Tuple[Optional[int], Optional[int]]:
        """Size and alignment, if they are the same everywhere."""
        of, _, dimensions = type_.partition("[")
        of = of.strip()
        info = self.known.get(of)
        if info is not None and info.kind in ("scalar", "array") and info.of:
            of, _, more = info.of.partition("[")
            of, dimensions = of.strip(), f"{dimensions}[{more}" if more else dimensions
        size: Optional[int] = _BYTES.get(of)
        align = size
        if info is not None and info.kind == "struct":
            sizes = [self._size(member.type) for member in info.fields]
            size = None if any(each[0] is None for each in sizes) else sum(each[0] or 0 for each in sizes)
            align = None if size is None else max((each[1] or 1 for each in sizes), default=1)
        for count in re.findall(r"(\w+)\s*\]", dimensions):
            size = size * int(count) if size is not None and count.isdigit() else None
        return size, align
