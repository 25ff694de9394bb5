"""What is known of the type of an element: from the lock beside the spec, and what a spec needs of it."""

import re
from typing import Dict, List, Optional, Set, Tuple

from ..text.diag import Diagnostics, Note
from ..text.files import there
from ..text.identifiers import is_built_in
from ..text.printing import shown
from ..text.suggestions import suggestion
from ..types import typelock
from ..types.type_info import NAMED, TypeInfo
from .model import Container, Setting



class Locks:
    """Where what is known of types comes from: the locks beside the specs."""

    def __init__(self) -> None:
        self.known: Dict[str, Optional[TypeInfo]] = {}  # by path

    def find(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        """The type of a container's element, or None where it has no lock or the lock is broken."""
        path = typelock.lock_path(folder, container["element.type"])
        if path not in self.known:
            self.known[path] = typelock.read(path, diagnostics, container.span.source.name) \
                if there(path, folder) else None
        info = self.known[path]
        if info is not None and info.type != container["element.type"]:
            diagnostics.error("BSP0323", f"'{path}' is the lock of '{info.type}', not of '{container['element.type']}'",
                              container.span_of("element.type"), notes=[Note("the other type", info.span)],
                              help="rename one of the types, or put the specs into two folders")
            return None
        return info


class LockUsers(Locks):
    """For whoever asks which specs go by a lock: nothing is known of any type."""

    def __init__(self) -> None:
        super().__init__()
        self.specs: Dict[str, List[str]] = {}  # by path of the lock

    def find(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        found = self.specs.setdefault(typelock.lock_path(folder, container["element.type"]), [])
        if container.span.source.name not in found:
            found.append(container.span.source.name)
        return None



def importable(container: Container) -> bool:
    """Is the element of a type that its header declares by name?"""
    type_, header = container["element.type"], container[container.defining]
    return type_ is not None and header is not None and NAMED.match(type_) is not None and not is_built_in(type_)


def needs_members(container: Container) -> bool:
    """Can nothing be generated for a container unless the members of its element are known?"""
    return container["layout"] == "soa" and container["element.fields"] is None \
        or bool(container["emit.persist"]) and container["persist.save"] is None and container["persist.load"] is None


def beside(container: Container, locks: Locks, folder: str, diagnostics: Diagnostics) -> Tuple[Container, ...]:
    """For each type of values beside elements that T_save writes, and that a header declares by name: a container of such,
    with what is known of it."""
    found: Dict[str, Container] = {}
    header = next((path for path in ("element.header", "emit.header") if container[path] is not None), None)
    if header is None or not container["emit.persist"]:
        return ()
    for each in container["side"] or ():
        other = Container(container.name, container.span, {
            "element.type": Setting(each.type, "spec", each.span), "element.header": container.settings[header],
            "emit.persist": container.settings["emit.persist"]})
        if importable(other) and each.type not in found and each.type != container.type_of("handle"):
            other.type_info = locks.find(other, folder, diagnostics)
            found[each.type] = other
    return tuple(found.values())


# Keys that name a member of the element.
_MEMBERS = ("element.link.next", "element.link.prev", "element.link.owner", "element.link.parent", "element.link.sibling",
            "element.link.left", "element.link.right", "element.link.turn", "element.link.balance", "index.field")
# Keys with expressions that may name some.
EXPRESSIONS = ("identity.key", "identity.length", "sort.key", "sort.less", "removal.expired", "capacity.keep", "capacity.weight",
               "test.expire")


def check_type(container: Container, spoilt: Set[str], diagnostics: Diagnostics) -> None:
    """What is known of the element's type must go with what the container does with it."""
    c, info = container, container.type_info
    if info is None or "element.type" in spoilt:
        return
    known = [] if info.span is None else [Note("the lock of the type", info.span)]
    if c["element.by"] == "value" and info.no_value \
        and (c["layout"] != "soa" or not info.fields and info.kind in ("struct", "opaque")):
        advice = ["`element: {by: pointer}` holds their addresses"]
        if info.kind == "opaque":
            advice.append(f"or name as `header` the one that defines it: '{c[c.defining]}' only declares it")
        diagnostics.error("BSP0330", f"elements of type '{info.type}' cannot be held by value: {info.no_value}",
                          c.span_of("element.type"), notes=known, help=advice)
        spoilt.add("element.type")
    named = [(path, name) for path, name in named_members(c) if path not in spoilt]
    if info.kind == "opaque" and named and "element.type" not in spoilt:
        diagnostics.error("BSP0331", f"'{info.type}' has no known member '{named[0][1]}': '{c[c.defining]}' only declares it",
                          c.span_of(named[0][0]), notes=known,
                          help="name the header that defines it, which only the source includes then: `element: {defined_in: "
                               "...}`; "
                               f"then `bespoke type import {shown(c.span.source.name)}`")
        spoilt.add(named[0][0])
    for path, name in named:
        if info.kind not in ("struct", "union") or info.member(name) is not None:
            continue
        advice = [suggestion(name, [member.name for member in info.members]).strip()
                  or "its members: " + ", ".join(member.name for member in info.members[:12])]
        if not info.inputs:  # else the header has just been read
            advice.append("if the header has changed: `bespoke type import`")
        diagnostics.error("BSP0331", f"'{info.type}' has no member '{name}'", c.span_of(path), notes=known, help=advice)
        spoilt.add(path)


def named_members(container: Container) -> List[Tuple[str, str]]:
    """The members of the element that a spec names: by which key, and which."""
    named = [(path, container[path]) for path in _MEMBERS if container[path] is not None]
    for path in EXPRESSIONS:
        found = re.findall(r"\b(?:element|a|b)\s*->\s*(\w+)", str(container[path] or ""))
        named += [(path, name) for name in dict.fromkeys(found)]
    return named


def unguarded(container: Container) -> List[str]:
    """The members that a spec names of a type of which nothing is known: where they change, only the compiler may notice."""
    if container.type_info is not None or container["element.fields"] is not None or not importable(container):
        return []
    return list(dict.fromkeys(name for _, name in named_members(container)))
