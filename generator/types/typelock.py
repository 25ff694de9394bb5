"""Type locks: what is known of an element's type, checked in beside the specs, so that nobody needs a C parser to generate.

`header_reader` reads a header and makes a `TypeInfo`; this room writes it, reads it again, and tells two of them apart. A lock
holds what the header says and nothing that depends on the machine: no sizes, no offsets.
"""

import json
import os
import re
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ..text.diag import Diagnostics, Note
from ..text.loader import load
from ..text.nodes import Mapping, Node, Scalar, Sequence, plain_value
from ..text.printing import visible
from .type_info import KINDS, VERSION, TypeField, TypeInfo, data_of

FOLDER = "types"

_NAME = re.compile(r"[A-Za-z_]\w*\Z")


def lock_path(spec_folder: str, type_: str) -> str:
    """Where the lock of a type lies for the specs of a folder."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", type_.strip())
    return os.path.join(spec_folder, FOLDER, name + ".yaml")


# -- writing ---------------------------------------------------------------------------------------------------------


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
    said = data_of(info)
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
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read().replace(b"\r\n", b"\n").decode("utf-8", "replace")
    except OSError:
        pass
    return ""


def is_lock(text_: str) -> bool:
    """Is a text that of a lock, whatever was done to it since?"""
    return re.search(r"^bespoke-type:", text_, re.MULTILINE) is not None


def written(folder: str) -> List[Tuple[str, str]]:
    """The locks that Bespoke wrote for the specs of a folder: path and type. A link leads to those of other specs."""
    if os.path.islink(os.path.join(folder, FOLDER)):
        return []
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
            diagnostics.error(item.code, item.message, item.span,
                              help="make room for the type lock: %s writes it there" % command)
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
        diagnostics.error("BSP0320", "'%s' is no kind of type; known: %s" % (values["kind"][:40], ", ".join(KINDS)),
                          node.get("kind").span)


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


def _fields(node: Optional[Node], diagnostics: Diagnostics) -> Tuple[TypeField, ...]:
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
        members.append(TypeField(name, values["type"], values.get("bits"), inner, values.get("const", False),
                             values.get("array", False), values.get("aligned"), values.get("packed", False),
                             values.get("of", ""), values.get("local", False), False,
                                 (item.get("name") or item.get("type")).span))
    return tuple(members)
