"""Type locks: what is known of an element's type, checked in beside the specs, so that nobody needs a C parser to generate.

`header_reader` reads a header and makes a `TypeInfo`; this room writes it, reads it again, and tells two of them apart. A lock holds
what the header says and nothing that depends on the machine: no sizes, no offsets.
"""

import functools
import hashlib
import json
import os
import re
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from ..text.diag import Diagnostics, Note, Span
from ..text.loader import load
from ..text.nodes import Mapping, Node, Scalar, Sequence, plain_value
from ..text.printing import visible

VERSION = 1
FOLDER = "types"
KINDS = ("struct", "union", "enum", "scalar", "pointer", "vector", "array", "opaque")

NAMED = re.compile(r"(?:(struct|union|enum)\s+)?([A-Za-z_]\w*)\Z")  # a type that has a name
_UNTAGGED = re.compile(r"\b(struct|union|enum)\b(?!\s+[A-Za-z_])")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
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
class Field:
    """A member of a struct or union, as its header declares it.

    `type` is what C would write without the name: `uint32_t`, `char[32]`, `void (*)(int)`. The word `struct`, `union` or `enum`
    alone stands for a type without a name, whose members are `fields`.
    """

    name: str  # '' for an anonymous member and for bits without a name
    type: str
    bits: Optional[int] = None
    fields: Tuple["Field", ...] = ()
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
    fields: Tuple[Field, ...] = ()
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
        text = json.dumps(_data(self), ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]

    @property
    def members(self) -> Tuple[Field, ...]:
        """All that can be named behind a dot: those of anonymous members too."""
        return tuple(_reachable(self.fields))

    @property
    def no_value(self) -> str:
        """Why a container cannot hold copies of it; '' if it can."""
        if self.kind == "opaque":
            return "its members are not known to those who include the header, so it cannot be copied"
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

    def member(self, name: str) -> Optional[Field]:
        """What can be named so, also with dots, or None."""
        return _named(self.fields, name)

    def stands_for(self, type_: str) -> Tuple[str, str]:
        """What a type that lies in it, or it itself, is in the end: kind and spelling; of what is not known, '' and the type as given."""
        kinds = {info.type: info for info in self.uses + (self,)}
        kind = ""
        while type_ in kinds:
            info = kinds.pop(type_)  # no name stands for itself
            kind = info.kind
            type_ = info.of if info.kind in ("scalar", "pointer", "array", "vector") and info.of else type_
        return kind, type_


def _marked(fields: Tuple[Field, ...], shared: bool) -> Tuple[Field, ...]:
    """Members that know whether they share their memory with others that can be named beside them."""
    return tuple(replace(member, shared=shared, fields=_marked(
        member.fields, member.type == "union" or (shared and not member.name))) for member in fields)


def _named(fields: Tuple[Field, ...], name: str) -> Optional[Field]:
    first, _, rest = name.partition(".")
    found = next((member for member in _reachable(fields) if member.name == first), None)
    if found is None or not rest or not found.fields:  # of a member whose type has a name, nothing is known of what is in it
        return found
    return None if "[" in found.type else _named(found.fields, rest)


def _reachable(fields: Tuple[Field, ...]) -> Iterator[Field]:
    for member in fields:
        if member.name:
            yield member
        elif member.fields:
            yield from _reachable(member.fields)


def lock_path(spec_folder: str, type_: str) -> str:
    """Where the lock of a type lies for the specs of a folder."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", type_.strip())
    return os.path.join(spec_folder, FOLDER, name + ".yaml")


# -- writing ---------------------------------------------------------------------------------------------------------


def _data(info: Union[TypeInfo, Field]) -> Dict[str, Any]:
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
        said["fields"] = [_data(member) for member in info.fields]
    if isinstance(info, TypeInfo) and info.uses:
        said["uses"] = [_data(used) for used in info.uses]
    return said


def _scalar(value: Any) -> str:
    if value is True:
        return "true"
    text = str(value)
    if not isinstance(value, str) or (re.fullmatch(r"[A-Za-z_][\w ./*-]*", text) and "- " not in text and " -" not in text
                                      and plain_value(text) == text and text == text.strip()):
        return text
    return json.dumps(text, ensure_ascii=False)


def _lines(fields: List[Dict[str, Any]], indent: str) -> Iterator[str]:
    for said in fields:
        inner = said.get("fields")
        if inner is None:
            yield indent + "- {" + ", ".join("%s: %s" % (key, _scalar(value)) for key, value in said.items()) + "}"
            continue
        dash = "- "
        for key, value in said.items():
            yield indent + dash + key + ":" + ("" if key == "fields" else " " + _scalar(value))
            dash = "  "
        yield from _lines(inner, indent + "    ")


def text(info: TypeInfo) -> str:
    """The lock of a type."""
    said = _data(info)
    lines = [_WRITTEN + "%s in %s. Check it in; to bring it up to date, run that again."
             % (info.type, info.header)]
    for key, value in said.items():
        if key in ("fields", "uses"):
            lines += [key + ":"] + list(_lines(value, "  "))
        else:
            lines.append("%s: %s" % (key, _scalar(value)))
    lines.append('fingerprint: "%s"' % info.fingerprint)
    return "\n".join(lines) + "\n"


_WRITTEN = "# What `bespoke type import` read of "


def text_of(path: str) -> str:
    """What is in a file, with the ends of lines of C; '' if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read().replace(b"\r\n", b"\n").decode("utf-8", "replace")
    except OSError:
        return ""


def written(folder: str) -> List[Tuple[str, str]]:
    """The locks that Bespoke wrote for the specs of a folder: path and type."""
    try:
        names = sorted(os.listdir(os.path.join(folder, FOLDER)))
    except OSError:
        return []
    found = []
    for path in (os.path.join(folder, FOLDER, name) for name in names if name.endswith(".yaml")):
        present = text_of(path)
        type_ = re.search(r"^type: (.*)$", present, re.MULTILINE)
        if present.startswith(_WRITTEN) and type_ and path == lock_path(folder, type_[1].strip('"')):
            found.append((path, type_[1].strip('"')))
    return found


def is_as_written(path: str) -> bool:
    """Is a lock what Bespoke wrote, and by nobody edited since?"""
    info = read(path, Diagnostics())
    return info is not None and text(info) == text_of(path)


# -- reading ---------------------------------------------------------------------------------------------------------

_MERGE = re.compile(r"^(?:<{7}|>{7})(?= )", re.MULTILINE)
_TOP = {"bespoke-type": int, "type": str, "header": str, "kind": str, "of": str, "packed": (bool, int), "aligned": int,
        "fields": list, "uses": list, "fingerprint": str}
_USED = {"type": str, "kind": str, "of": str, "packed": (bool, int), "aligned": int, "fields": list}
_MEMBER = {"name": str, "type": str, "bits": int, "array": bool, "const": bool, "local": bool, "of": str, "packed": (bool, int),
           "aligned": int, "fields": list}
_SHAPES = {int: "a number", str: "text", bool: "`true`", list: "a list of members"}


def read(path: str, diagnostics: Diagnostics, spec: str = "SPEC") -> Optional[TypeInfo]:
    """The type that a lock describes; None when diagnostics says what is wrong with it. spec: one that it was imported for."""
    command = "`bespoke type import %s`" % visible(spec)
    found = Diagnostics()
    info = _read(path, found, command)
    damages = [item for item in found.sorted() if item.code == "BSP0320"]
    for item in found:
        if item.code != "BSP0320":
            diagnostics.add(item)
    if damages:  # nobody writes a lock by hand, so there is one thing to do, however much is wrong
        first = damages[0]
        diagnostics.error("BSP0320", "the type lock%s is damaged: %s" % (
            "" if first.span else " '%s'" % visible(path), first.message), first.span,
                          notes=[Note(item.message, item.span) for item in damages[1:]],
                          help="%s makes it anew from the header; or take back the one that was checked in" % command)
    return info


def _read(path: str, diagnostics: Diagnostics, command: str) -> Optional[TypeInfo]:
    """The same; all that is damaged in it has the code BSP0320."""
    loaded = Diagnostics()
    root = load(path, loaded)
    for item in loaded:
        if item.code == "BSP0001":
            diagnostics.error(item.code, item.message, item.span, help="make room for the type lock: %s writes it there" % command)
        elif item.severity == "error":
            source = None if item.span is None else item.span.source
            mark = None if source is None else _MERGE.search(source.text)
            if mark:
                diagnostics.error("BSP0320", "it holds the marks of a merge", source.span(mark.start(), mark.end()))
            else:
                diagnostics.error("BSP0320", item.message, item.span)
    if root is None or diagnostics.errors:
        return None
    if not isinstance(root, Mapping):
        diagnostics.error("BSP0320", "it is no mapping of keys", root.span)
        return None
    version = root.get("bespoke-type")
    if version is None:
        diagnostics.error("BSP0320", "'bespoke-type' is missing", root.span)
        return None
    if not isinstance(version, Scalar) or isinstance(version.value, bool) or version.value != VERSION:
        said = version.text if isinstance(version, Scalar) else "something else"
        diagnostics.error("BSP0321", "version %s of type locks is not one that this Bespoke knows, which is %d"
                          % (said[:20], VERSION), version.span, help=["update Bespoke", "or make the lock anew: " + command])
        return None
    values = _values(root, _TOP, ("type", "header", "kind", "fingerprint"), diagnostics)
    _check_kind(root, values, diagnostics)
    fields = _fields(root.get("fields"), diagnostics)
    uses = _uses(root.get("uses"), diagnostics)
    if diagnostics.errors:
        return None
    info = TypeInfo(values["type"], values["header"], values["kind"], fields, values.get("packed", False),
                    values.get("aligned"), values.get("of", ""), uses, path, root.get("type").span)
    if values["fingerprint"] != info.fingerprint:
        diagnostics.error("BSP0322", "the fingerprint does not fit what is above it: the lock of '%s' was edited by hand"
                          % info.type, root.get("fingerprint").span, help="bring it up to date: " + command)
        return None
    return info


def _check_kind(node: Mapping, values: Dict[str, Any], diagnostics: Diagnostics) -> None:
    if values.get("kind", KINDS[0]) not in KINDS:
        diagnostics.error("BSP0320", "'%s' is no kind of type; known: %s" % (values["kind"][:40], ", ".join(KINDS)), node.get("kind").span)


def _uses(node: Optional[Node], diagnostics: Diagnostics) -> Tuple[TypeInfo, ...]:
    found = []
    for item in node.items if isinstance(node, Sequence) else ():
        before = diagnostics.errors
        if not isinstance(item, Mapping):
            diagnostics.error("BSP0320", "a type that lies in another one is a mapping of keys", item.span)
            continue
        values = _values(item, _USED, ("type", "kind"), diagnostics)
        _check_kind(item, values, diagnostics)
        fields = _fields(item.get("fields"), diagnostics)
        if diagnostics.errors == before:
            found.append(TypeInfo(values["type"], "", values["kind"], fields, values.get("packed", False), values.get("aligned"),
                                  values.get("of", ""), (), "", item.get("type").span))
    return tuple(found)


def _values(node: Mapping, known: Dict[str, Any], needed: Tuple[str, ...], diagnostics: Diagnostics) -> Dict[str, Any]:
    values: Dict[str, Any] = {}
    for key, value in node.entries:
        kinds = known.get(key.text)
        if kinds is None:
            diagnostics.error("BSP0320", "'%s' is no key of a type lock" % key.text[:40], key.span)
            continue
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        if list in kinds:
            good = isinstance(value, Sequence)
            found: Any = value
        else:
            found = value.value if isinstance(value, Scalar) else None
            if str in kinds and isinstance(value, Scalar) and not value.is_missing:
                found = value.text
            good = type(found) in kinds and found is not False
        if not good:
            diagnostics.error("BSP0320", "'%s' takes %s" % (key.text, " or ".join(_SHAPES[kind] for kind in kinds)),
                              value.span)
            continue
        values[key.text] = found
    for key in needed:
        if node.get(key) is None:
            diagnostics.error("BSP0320", "'%s' is missing" % key, node.span)
    return values


def _fields(node: Optional[Node], diagnostics: Diagnostics) -> Tuple[Field, ...]:
    members = []
    for item in node.items if isinstance(node, Sequence) else ():
        if not isinstance(item, Mapping):
            diagnostics.error("BSP0320", "a member is a mapping, such as `{name: x, type: float}`", item.span)
            continue
        before = diagnostics.errors
        values = _values(item, _MEMBER, ("type",), diagnostics)
        if diagnostics.errors != before:
            continue
        name = values.get("name", "")
        if name and not _NAME.match(name):
            diagnostics.error("BSP0320", "'%s' is no name of a member" % name[:40], item.get("name").span)
            continue
        inner = _fields(item.get("fields"), diagnostics)
        members.append(Field(name, values["type"], values.get("bits"), inner, values.get("const", False),
                             values.get("array", False), values.get("aligned"), values.get("packed", False),
                             values.get("of", ""), values.get("local", False), False, (item.get("name") or item.get("type")).span))
    return tuple(members)


# -- comparing -------------------------------------------------------------------------------------------------------


def differences(old: TypeInfo, new: TypeInfo) -> List[str]:
    """What the header says now (new) and the lock does not (old), a line each; nothing where they agree.

    By which header the type is reached does not count."""
    lines = []
    for what, was, now in (("kind", old.kind, new.kind), ("type", old.of, new.of)):
        if was != now:
            lines.append("its %s is '%s' now, and was '%s'" % (what, now or "none", was or "none"))
    lines += _manner("it", old, new) + _members(old.fields, new.fields, "")
    before = {used.type: used for used in old.uses}
    for used in new.uses:
        if used.type in before:
            lines += ["in '%s': %s" % (used.type, line) for line in differences(before.pop(used.type), used)]
        else:
            lines.append("'%s' lies in it, of which nothing was known" % used.type)
    return lines + ["'%s' lies in it no longer" % gone for gone in before]


def _manner(what: str, old: Any, new: Any) -> List[str]:
    lines = []
    for word, was, now in (("packed", old.packed, new.packed), ("aligned", old.aligned, new.aligned)):
        if was != now:
            said, before = (word if value is True else "%s to %s" % (word, value) for value in (now, was))
            lines.append("%s is no longer %s" % (what, word) if not now else
                         "%s is %s now" % (what, said) + (", and was " + before if was else ""))
    return lines


def _members(old: Tuple[Field, ...], new: Tuple[Field, ...], way: str) -> List[str]:
    def keyed(fields: Tuple[Field, ...]) -> Dict[str, Field]:
        unnamed = 0
        result = {}
        for member in fields:
            if not member.name:
                unnamed += 1
            result[member.name or "(unnamed %d)" % unnamed] = member
        return result

    lines = []
    was, now = keyed(old), keyed(new)
    for name, member in now.items():
        if name not in was:
            lines.append("'%s%s' is new: `%s`" % (way, name, member.declare()))
    for name, member in was.items():
        if name not in now:
            lines.append("'%s%s' is gone: `%s`" % (way, name, member.declare()))
            continue
        other = now[name]
        called = "'%s%s'" % (way, name)
        if (member.type, member.bits, member.array, member.const, member.of, member.local) != (
                other.type, other.bits, other.array, other.const, other.of, other.local):
            plainly = lambda each: each.type + ("" if each.bits is None else " : %d" % each.bits)
            how = "`%s`" % plainly(other)
            if plainly(member) != plainly(other):
                lines.append("%s is %s now, and was `%s`" % (called, how, plainly(member)))
            else:
                lines.append("%s is still %s, which is another type now" % (called, how))
        lines += _manner(called, member, other)
        lines += _members(member.fields, other.fields, way + name + "." if member.name else way)
    both = [name for name in was if name in now]
    moved = [name for name in now if name in was]
    for before, after in zip(both, moved):
        if before != after:
            lines.append("'%s%s' stands where '%s%s' was" % (way, after, way, before))
            break
    return lines
