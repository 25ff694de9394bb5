"""What is known of a C type: its kind, and its members as their header declares them."""

import functools
import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterator, Optional, Tuple, Union

from ..text.diag import Span

VERSION = 1
KINDS = ("struct", "union", "enum", "scalar", "pointer", "vector", "array", "opaque")

NAMED = re.compile(r"(?:(struct|union|enum)\s+)?([A-Za-z_]\w*)\Z")  # a type that has a name
_UNTAGGED = re.compile(r"\b(struct|union|enum)\b(?!\s+[A-Za-z_])")
_QUALIFIERS = re.compile(r"(?:const|volatile|restrict|__restrict|_Nonnull|_Nullable)\b")


@functools.lru_cache(maxsize=4096)
def _insertion(text: str) -> int:
    """Where the name belongs in a type that is written without one: `char *[4]`, `void (*)(int)`."""
    at = 0
    while True:
        atomic = re.compile(r"_Atomic\s*\(").search(text, at)
        group = re.compile(r"\(\s*\*").search(text, at)
        if atomic is None or (group is not None and group.start() < atomic.start()):
            break
        at = _closed(text, atomic.end() - 1)
    if group is None:
        bracket = text.find("[", at)
        return len(text) if bracket < 0 else bracket
    at = group.end() - 1
    while at < len(text):
        word = _QUALIFIERS.match(text, at)
        if word:
            at = word.end()
        elif text[at] in "* ":
            at += 1
        elif text[at] == "(" and text[at + 1:].lstrip().startswith("*"):
            at += 1
        else:
            break
    return at


def _closed(text: str, opened: int) -> int:
    """Behind the bracket that closes the one at `opened`."""
    depth = 0
    for at in range(opened, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


@dataclass(frozen=True)
class TypeField:
    """A member of a struct or union, as its header declares it.

    `type` is what C would write without the name: `uint32_t`, `char[32]`, `void (*)(int)`. The word `struct`, `union` or `enum`
    alone stands for a type without a name, whose members are `fields`.
    """

    name: str  # '' for an anonymous member and for bits without a name
    type: str
    bits: Optional[int] = None
    fields: Tuple["TypeField", ...] = ()
    const: bool = False  # cannot be assigned, whatever the reason
    array: bool = False  # an array by way of a typedef, which the spelling does not show
    aligned: Optional[int] = None  # more than its type is by itself
    packed: Union[bool, int] = False  # its unnamed type is
    of: str = ""  # the integer type of an enum without a name
    local: bool = False  # its type is declared within the struct, and so has another name in C++
    shared: bool = field(default=False, compare=False)  # lies in an anonymous union
    span: Optional[Span] = field(default=None, compare=False, repr=False)

    @property
    def untagged(self) -> bool:
        """Has its type no name?"""
        return _UNTAGGED.search(self.type) is not None

    @property
    def flexible(self) -> bool:
        """Is it an array without a length, at the end of a struct?"""
        return re.search(r"\[\s*\]", self.type[_insertion(self.type):][:3]) is not None

    @property
    def is_array(self) -> bool:
        """Is it an array, which C does not assign?"""
        return self.array or self.type[_insertion(self.type):].startswith("[")

    @property
    def why_not(self) -> str:
        """Why it cannot be a column of its own; '' if it can."""
        if not self.name:
            return "it has no name"
        if self.bits is not None:
            return "it is a bit-field, which has no address"
        if self.flexible:
            return "it is an array without a length"
        if self.shared:
            return "it shares its memory with the other members of a union"
        if self.const:
            return "it is const, so nothing can be assigned to it"
        if self.untagged:
            return "its type has no name"
        if self.local:
            return "its type is declared within the struct, and has another name in C++"
        if re.search(r"\b_Atomic\b", self.type):
            return "it is atomic, which C99 and C++ do not know"
        if self.is_array:
            return "it is an array, which C does not assign"
        return ""

    @property
    def plain(self) -> bool:
        """May it be a column of its own?"""
        return not self.why_not

    @property
    def value_type(self) -> str:
        """Its type as that of a value elsewhere: what `restrict` promises is not true of a copy."""
        return re.sub(r"\s*\b(?:__)?restrict(?:__)?\b\Z", "", self.type).rstrip()

    def declare(self, name: Optional[str] = None) -> str:
        """The member as C declares it, without the semicolon; `aligned` and `packed` are the caller's to say."""
        name = self.name if name is None else name
        text = self.type
        if self.of and _UNTAGGED.search(text):
            text = _UNTAGGED.sub(self.of, text, count=1)
        at = _insertion(text)
        before, after = text[:at].rstrip(), text[at:]
        glue = "" if not name or before.endswith(("*", "(")) else " "
        if self.fields:
            body = " ".join(member.declare() + ";" for member in self.fields)
            before = _UNTAGGED.sub(lambda word: "%s { %s }" % (word.group(1), body), before, count=1)
        bits = "" if self.bits is None else " : %d" % self.bits
        return before + glue + name + after + bits


@dataclass(frozen=True)
class TypeInfo:
    """A type as its header declares it."""

    type: str  # as a spec spells it: 'struct ship', 'cpVect'
    header: str
    kind: str  # one of KINDS
    fields: Tuple[TypeField, ...] = ()
    packed: Union[bool, int] = False  # True, or the number of a `#pragma pack`
    aligned: Optional[int] = None  # more than its members are
    of: str = ""  # what a scalar, an enum, a pointer or a vector is made of
    uses: Tuple["TypeInfo", ...] = ()  # types of the project that lie in it under their names, of all depths, without a header
    path: str = field(default="", compare=False)  # of the lock it was read from
    span: Optional[Span] = field(default=None, compare=False, repr=False)  # of `type` in the lock
    inputs: Tuple[str, ...] = field(default=(), compare=False, repr=False)  # headers that were read for it

    def __post_init__(self) -> None:
        object.__setattr__(self, "fields", _marked(self.fields, self.kind == "union"))

    @property
    def fingerprint(self) -> str:
        """16 hex digits over all that it says, but not over how that is laid out in the file."""
        text = json.dumps(data_of(self), ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    @property
    def members(self) -> Tuple[TypeField, ...]:
        """All that can be named behind a dot: those of anonymous members too."""
        return tuple(_reachable(self.fields))

    @property
    def no_value(self) -> str:
        """Why a container cannot hold copies of it; '' if it can."""
        if self.kind == "opaque":
            return "its members are not known where the header is included, so it cannot be copied"
        if self.kind in ("struct", "union") and not self.fields:
            return "it has no members, and so no size in C"
        if self.kind == "array":
            return "it is an array, which C does not assign"
        for member in self.fields:
            if member.flexible:
                return "its last member, '%s', is an array without a length, which a copy would leave behind" % member.name
            if member.const:
                return "its member '%s' is const, so nothing can be assigned to it" % (member.name or member.declare())
        return ""

    def member(self, name: str) -> Optional[TypeField]:
        """What can be named so, also with dots, or None."""
        return _named(self.fields, name)

    def stands_for(self, type_: str) -> Tuple[str, str]:
        """What a type that lies in it, or it itself, is in the end: kind and spelling; of what is not known, '' and the type
        as given."""
        kinds = {info.type: info for info in self.uses + (self,)}
        kind = ""
        while type_ in kinds:
            info = kinds.pop(type_)  # no name stands for itself
            kind = info.kind
            type_ = info.of if info.kind in ("scalar", "pointer", "array", "vector") and info.of else type_
        return kind, type_


def _marked(fields: Tuple[TypeField, ...], shared: bool) -> Tuple[TypeField, ...]:
    """Members that know whether they share their memory with others that can be named beside them."""
    return tuple(replace(member, shared=shared, fields=_marked(
        member.fields, member.type == "union" or (shared and not member.name))) for member in fields)


def _named(fields: Tuple[TypeField, ...], name: str) -> Optional[TypeField]:
    first, _, rest = name.partition(".")
    found = next((member for member in _reachable(fields) if member.name == first), None)
    if found is None or not rest or not found.fields:  # of a member whose type has a name, nothing is known of what is in it
        return found
    return None if "[" in found.type else _named(found.fields, rest)


def _reachable(fields: Tuple[TypeField, ...]) -> Iterator[TypeField]:
    for member in fields:
        if member.name:
            yield member
        elif member.fields:
            yield from _reachable(member.fields)


def data_of(info: Union[TypeInfo, TypeField]) -> Dict[str, Any]:
    """What a lock says of a type or member: keys and values in the order of the file, only where there is something to say."""
    if isinstance(info, TypeInfo):
        said: Dict[str, Any] = {"bespoke-type": VERSION, "type": info.type, "header": info.header, "kind": info.kind}
        if not info.header:
            said = {"type": info.type, "kind": info.kind}
    else:
        said = {"name": info.name} if info.name else {}
        said["type"] = info.type
        if info.bits is not None:
            said["bits"] = info.bits
        if info.array:
            said["array"] = True
        if info.const:
            said["const"] = True
        if info.local:
            said["local"] = True
    for key in ("of", "packed", "aligned"):
        if getattr(info, key):
            said[key] = getattr(info, key)
    if info.fields:
        said["fields"] = [data_of(member) for member in info.fields]
    if isinstance(info, TypeInfo) and info.uses:
        said["uses"] = [data_of(used) for used in info.uses]
    return said
