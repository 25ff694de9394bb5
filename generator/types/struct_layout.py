"""Sizes of structs, where every type in them is known: as compilers for LP64 (64-bit Linux, macOS, BSD) lay them out."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional, Tuple

from ..text.c_records import Record, record_behind, without_comments
from .type_info import TypeField, TypeInfo

MODEL = "LP64"
_POINTER = (8, 8)
_SCALARS = {**{f"{sign}int{bits}_t": (bits // 8,) * 2 for bits in (8, 16, 32, 64) for sign in ("", "u")},
            **dict.fromkeys(("bool", "_Bool", "char", "signed char", "unsigned char"), (1, 1)),
            **dict.fromkeys(("short", "unsigned short"), (2, 2)),
            **dict.fromkeys(("int", "unsigned", "unsigned int", "signed", "float"), (4, 4)),
            **dict.fromkeys(("long", "unsigned long", "long long", "unsigned long long", "size_t", "ptrdiff_t", "intptr_t",
                             "uintptr_t", "double"), (8, 8))}


class Member(NamedTuple):
    """A member of a struct; of one behind a type that is not known, the offset is None. `bits`: of a bit-field, how many it has,
    and `bit`: in the byte at `offset` the number of the first, from the lowest."""

    name: str
    type: str
    offset: Optional[int]
    bit: Optional[int] = None
    bits: Optional[int] = None


class Struct(NamedTuple):
    """A struct as a header defines it; size and alignment are None where the type of a member is not known, its members are where
    one is no plain declaration: a struct without a name, what a macro aligns."""

    name: str
    members: Optional[List[Member]]
    size: Optional[int]
    alignment: Optional[int]


_UNCOPIED = re.compile(r" BESPOKE_UNCOPIED\(\w+\)")
_STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{", re.MULTILINE)
_ENUM = re.compile(r"^typedef enum (\w+) \{", re.MULTILINE)
_CONSTANT = re.compile(r"^#define (\w+) (\S[^/\n]*)", re.MULTILINE)
_LAYERS = re.compile(r"^enum \{(.*?)\}", re.MULTILINE | re.DOTALL)


class Layouts:
    """Reads the structs of an emitted header."""

    def __init__(self, header: str, types: List[TypeInfo]):
        """`types`: what is known of the user's own."""
        self._types = {info.type: info for each in types for info in (each, *each.uses)}
        header = _plain(header.replace("\\\n", " "))
        self._text = text = without_comments(_UNCOPIED.sub("", header))
        self._bodies = {found[1]: found.end() for found in _STRUCT.finditer(text)}  # where each struct begins
        self._enums = _ENUM.findall(text)
        self._constants = dict(_CONSTANT.findall(header))
        for layers in _LAYERS.findall(text):
            self._constants.update((name, str(number)) for number, name in enumerate(re.findall(r"\w+", layers)))
        self._known: Dict[str, Optional[Tuple[int, int]]] = {}

    def size(self, name: str) -> Optional[int]:
        """The size of one of them; None: it depends on what is not known here."""
        found = self._named(name)
        return found[0] if found is not None else None

    def structs(self) -> List[Struct]:
        """All of them, in their order."""
        found = []
        for name in self._bodies:
            record = self._record(name)
            found.append(self._placed(name, record) if record is not None and record.whole else Struct(name, None, None, None))
        return found

    def _record(self, name: str) -> Optional[Record]:
        return record_behind(self._text, self._bodies[name])

    def constant(self, text: str) -> Optional[int]:
        """The value of an expression of whole numbers and constants of the header."""
        for _ in range(8):  # a constant may be made of another; what is none is a cast, if it is in parentheses
            text = re.sub(r"\b[A-Za-z_]\w*", lambda word: f"({self._constants.get(word[0], '?')})", text).replace("((?))", "")
        text = re.sub(r"(?<=\d)[uUlL]+", "", text)
        return int(eval(text.replace("/", "//"))) if re.fullmatch(r"[\d+*/() -]+", text) and "**" not in text else None

    def _placed(self, name: str, record: Record) -> Struct:
        members: List[Member] = []
        at: Optional[int] = 0  # in bits: where the next member may begin
        alignment = 1
        for member, declared in record.members.items():
            type_, _, width = declared.partition(" : ")
            of = None if at is None else self._of(type_)
            if at is None or of is None:
                members.append(Member(member, type_, None, None, int(width) if width else None))
                at = None
                continue
            size, unit, alignment = int(width or 8 * of[0]), 8 * of[1], max(alignment, of[1])
            if not width or at // unit != (at + size - 1) // unit:  # a bit-field lies in one unit of its type
                at = -(-at // unit) * unit
            members.append(Member(member, type_, at // 8, at % 8, size) if width else Member(member, type_, at // 8))
            at += size
        return Struct(name, members, None, None) if at is None \
            else Struct(name, members, -(-at // (8 * alignment)) * alignment, alignment)

    def _of(self, type_: str) -> Optional[Tuple[int, int]]:
        """Size and alignment of a type as a member has it."""
        array = re.fullmatch(r"(.*?)\s*\[([^\[\]]+)\](.*)", type_)
        if array and "(" not in array[1]:
            inner, length = self._of(array[1] + array[3]), self.constant(array[2])
            return None if inner is None or length is None else (inner[0] * length, inner[1])
        if "(" in type_:
            return _POINTER if re.search(r"\(\s*\*", type_) else None
        if type_.rstrip().endswith("*"):
            return _POINTER
        bare = re.sub(r"\b(?:const|volatile) ", "", type_).strip()
        return _SCALARS.get(bare) or self._named(bare)

    def _named(self, type_: str) -> Optional[Tuple[int, int]]:
        if type_ not in self._known:
            self._known[type_] = None  # none is in itself
            name = type_.split()[-1]
            if name in self._enums:
                self._known[type_] = (4, 4)
            elif name in self._bodies:
                record = self._record(name)
                struct = self._placed(name, record) if record is not None and record.whole else None
                self._known[type_] = (struct.size, struct.alignment) if struct and struct.size and struct.alignment else None
            elif type_ in self._types:
                self._known[type_] = self._of_info(self._types[type_])
        return self._known[type_]

    def _of_info(self, info: TypeInfo) -> Optional[Tuple[int, int]]:
        """Of a type of the user's, if nothing of it is out of the ordinary."""
        if info.kind == "enum":
            return (4, 4) if info.of in ("", "int", "unsigned int") else self._of(info.of)
        if info.kind in ("scalar", "pointer", "array"):
            return self._of(info.of) if info.of else None
        if info.kind != "struct" or info.packed or info.aligned or not all(map(_ordinary, info.fields)):
            return None
        record = Record({member.name: member.type for member in info.fields}, True, "")
        struct = self._placed(info.type, record)
        return (struct.size, struct.alignment) if struct.size is not None and struct.alignment is not None else None


# What a program in C does not have, unless a build defines it.
_ABSENT = re.compile(r" *# *(?:ifdef +|if +(?:defined *\(? *)?)(?:__cplusplus|__cpp_\w+|BESPOKE_TRACE)\b(?!.*\|\|)")
_PRESENT = re.compile(r" *# *(?:ifndef +|if +! *(?:defined *\(? *)?)(?:__cplusplus|__cpp_\w+|BESPOKE_TRACE)\b *\)?$")


_DIRECTIVE = re.compile(r"^ *# *(if|el|endif)[^\n]*\n?", re.MULTILINE)


def _plain(header: str) -> str:
    """A header without what only C++ reads, or a build that records (BESPOKE_TRACE)."""
    kept: List[str] = []
    branches: List[Tuple[bool, bool]] = []  # of each condition that is open: is this text read, and is that of its #else?
    read, at = True, 0
    for directive in _DIRECTIVE.finditer(header):
        line = directive[0]
        kept += [header[at:directive.start()]] * read + [line]
        at = directive.end()
        if directive[1] == "if":
            branches.append((not _ABSENT.match(line), not _PRESENT.match(line)))
        elif directive[1] == "el":
            branches[-1] = (branches[-1][1],) * 2
        else:
            branches.pop()
        read = all(here for here, _ in branches)
    return "".join(kept + [header[at:]] * read)


def _ordinary(member: TypeField) -> bool:
    return bool(member.name) and member.bits is None and not (member.untagged or member.flexible or member.aligned
                                                              or member.packed or member.array)
