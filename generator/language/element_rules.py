"""What elements are, and how they are told apart and found."""

import re
from typing import Dict, List

from ..text.identifiers import is_built_in
from ..text.sentences import enumerated
from .check import Check
from .key_types import FLOATING
from .keys import RUN_TIME
from .model import TREE, Container
from .strategies import by_links

MOST_INLINE = 1 << 20
MOST_KEYS = 1 << 28


def _equal(check: Check) -> str:
    """How two elements held by value can be equal."""
    kind = check.c["element.type"] or "struct"
    ways = ["`identity: {key: element->id}`"] * (not is_built_in(kind) and not kind.endswith("*"))
    if not re.match(r"(const )?(struct|union)\b[^*]*$", kind) and check.c["layout"] != "soa":
        ways.append("`identity: value`" + " for integers, enums and pointers" * len(ways))
    return "say what makes two equal: " + ", or ".join(ways) \
        + "; or hold the elements by pointer" * check.mends("element.by", "pointer")


def identity(check: Check) -> None:
    c = check.c
    by, how, kind = c["element.by"], c["identity.by"], c["element.type"] or ""
    if c["duplicates"] != "allow" and by == "value" and how == "address":
        at, other = check.blame("duplicates", "element.by")
        if c.settings["identity.by"].origin == "spec":
            at, other = "identity.by", at
        check.conflict("BSP0204", "an element held by value has no address before it is added, so duplicates "
                      "cannot be compared by address", at, other, about=("identity.by", "element.by"),
                      help=lambda: _equal(check))
    if c["duplicates"] == "replace" and by == "pointer" and how == "address":
        at, other = check.blame("duplicates", "identity.by")
        check.conflict("BSP0250", "an element held by pointer and identified by its address could only be replaced by itself",
                      at, other, about=("element.by",), help=f"use {check.yaml('duplicates', 'reject')}, or say what "
                      "makes two equal: `identity: {key: element->id}`")
    if how == "key" and c["identity.key"] is None:
        check.conflict("BSP0205", "`identity: key` needs 'identity.key'", "identity.by",
                      help="give an integer: `identity: {key: element->id}`", about=("identity.key",))
    if how == "key" and by == "intrusive":
        at, other = check.blame("identity.by", "element.by")
        check.conflict("BSP0262", "an element with links is found by its owner member, not by a key", at, other,
                      help=f"leave `identity` out, or use {check.yaml('element.by', 'pointer')} and "
                           f"{check.yaml('index.kind', 'hash')}")
    elif how == "value" and by not in ("value", "bit"):
        at, other = check.blame("identity.by", "element.by")
        check.conflict("BSP0206", "elements held by pointer are compared by address or by key, not by value", at,
                      other, help="leave `identity` out, or give a key: `identity: {key: element->id}`")
    elif how == "value" and not kind.endswith("*"):
        why = ""
        what, actual = c.type_info.stands_for(kind) if c.type_info is not None else ("", kind)
        record = what or " ".join(kind.split()[:1])
        if record in ("struct", "union"):
            why = f"C cannot compare two values of type '{kind}'" \
                + (f", which is a {what}" if what and kind.split()[0] != what else "")
        elif actual in FLOATING:
            stands = f", which is '{actual}'," if actual != kind else ""
            why = f"values of type '{kind}'{stands} cannot be compared exactly: rounding, NaN and two zeros"
        if why:
            at, other = check.blame("identity.by", "element.type")
            check.conflict("BSP0207", why, at, other, help="give an integer that is unique: "
                          "`identity: {key: element->id}`" if record in ("struct", "union") else
                          "hold integers, or a struct with a key")


def index(check: Check) -> None:
    c = check.c
    kind = c["index.kind"]
    if kind == "none":
        return
    if kind == "intrusive" and c["element.by"] == "value":
        at, other = check.blame("index.kind", "element.by")
        check.conflict("BSP0208", "an element held by value is found by its address; no index is written into it",
                      at, other, help=check.use(("index.kind", "none"), ("element.by", "pointer")))
        return
    if kind == "intrusive" and c["index.field"] is None:
        check.conflict("BSP0209", "`index: intrusive` needs 'index.field'", "index.kind",
                      help="name a uint32_t member of the element: `index: {kind: intrusive, field: slot}`",
                      about=("index.field",))
    if kind == "intrusive" and c["identity.by"] == "key":
        at, other = check.blame("index.kind", "identity.by")
        check.conflict("BSP0229", "an intrusive index finds the same element, not one with the same "
                      "key", at, other, help=f"use {check.yaml('index.kind', 'hash')}, or leave out `identity`")
    if kind == "dense":
        _dense(check)
    if c["duplicates"] == "allow":
        if kind == "hash" and c["element.by"] == "value" and c["identity.by"] == "address":
            at, other = check.blame("index.kind", "element.by")
            check.conflict("BSP0211", "elements held by value are found by their address without an index", at,
                          other, help=f"use {check.yaml('index.kind', 'none')}, or identify them by a key: "
                          "`identity: {key: element->id}`, `duplicates: reject`", about=("identity.by",))
            return
        at, other = check.blame("index.kind", "duplicates")
        check.conflict("BSP0210", f"{check.yaml('index.kind', kind)} has one entry for each element, so no element can "
                      "be added twice", at, other, help=f"use {check.yaml('duplicates', 'reject')}, or "
                      f"{check.yaml('index.kind', 'none')}")


def _dense(check: Check) -> None:
    """A table by key needs integers, and memory for all that there may be."""
    c = check.c
    keys, kind = c["index.keys"], c["element.type"] or ""
    if c["identity.by"] == "address" or (c["identity.by"] == "value" and kind.endswith("*")):
        at, other = check.blame("index.kind", "identity.by")
        check.conflict("BSP0252", "a dense index is a table with an entry for each key, and addresses are no small integers",
                      at, other, help="give a key: `identity: {key: element->id}`, or use "
                      f"{check.yaml('index.kind', 'hash')}", about=("element.type", "identity.key", "duplicates"))
    if keys in (None, RUN_TIME) and c["capacity.inline"]:
        at, other = check.blame("index.keys" if keys else "index.kind", "capacity.inline")
        check.conflict("BSP0253", "the table of a dense index has the length that the program states, but the size of a struct "
                       "is known when it is compiled" if keys else "the table of a dense index grows with the largest key, but "
                       "inline storage never grows", at, other, about=("index.keys",),
                      help="give the limit of the keys: `index: {kind: dense, keys: 1024}`")
    most = MOST_INLINE if c["capacity.inline"] else MOST_KEYS
    if isinstance(keys, int) and keys > most:
        check.conflict("BSP0254", f"a table for {keys} keys is too large" + (" for a struct" if c["capacity.inline"]
                      else ""), "index.keys", "capacity.inline" if c["capacity.inline"] else None,
                      help=f"at most {most}; for keys that are far apart use {check.yaml('index.kind', 'hash')}")


# Why removals need links that lead back.
_TAKEN_BACK = {
    "tree": "removing an element of a tree removes its subtree, the last element first, and single links do not lead back",
    "heap": "the first element of a heap may have any neighbours, and single links do not lead to the one before it",
    "sorted": "an element of a balanced tree may have any neighbours, and single links do not lead to the one before it"}
# Of members that a help names: those of a ship in a tree.
_MEMBER = {("tree", "parent"): "team_leader"}


def _is_balanced(c: Container) -> bool:
    """Are elements sorted in a tree?"""
    return c["ordering"] == "sorted" and any(c[f"element.link.{name}"] is not None for name in TREE)


def _taken_back(c: Container) -> str:
    """Why removals need links that lead back, if they do."""
    return "" if c["ordering"] == "sorted" and not _is_balanced(c) else _TAKEN_BACK.get(c["ordering"], "")


def _needed(c: Container) -> List[str]:
    """The links that an intrusive element must have."""
    further = {"tree": ["parent", "sibling"], "heap": ["left", "right", "parent"] + ["turn"] * bool(c["sort.stable"]),
               "sorted": [*TREE] * _is_balanced(c)}
    neighbours = ["next"] + ["prev"] * (c["storage.links"] != "single") + ["owner"] * (c["element.link.owned"] is not False)
    return [f"element.link.{name}" for name in neighbours + further.get(c["ordering"], [])]


def _unowned(check: Check) -> None:
    """What looks at the owner of an element."""
    layers = check.c.is_layer
    if check.c["element.link.owned"] is False and (layers or check.c["indexes"] is not None):
        check.conflict("BSP0267", "in layers an element must know which layer it is in" if layers else
                       "an element in named indexes must know which container it is in", "element.link.owned",
                       help="leave it out, and name the member: `element: {link: {owner: team}}`")


def links(check: Check) -> None:
    """Links beside the elements, and elements that hold their own."""
    c = check.c
    if by_links(c) and c["storage.links"] == "single" and c["iteration.direction"] != "forward":
        at, other = check.blame("iteration.direction", "storage.links")
        check.conflict("BSP0264", f"{check.yaml('storage.links', 'single')} have no link from an element to the previous one",
                      at, other, help=f"use {check.yaml('storage.links', 'double')}, or "
                      f"{check.yaml('iteration.direction', 'forward')}")
    backward = _taken_back(c)
    if backward and c["storage.links"] == "single":
        at, other = check.blame("storage.links", "ordering")
        check.conflict("BSP0265", backward, at, other, help=f"use {check.yaml('storage.links', 'double')}")
    if c["element.by"] != "intrusive":
        return
    _unowned(check)
    needed = _needed(c)
    missing = [path for path in needed if c[path] is None]
    if missing and not check.spoilt & set(needed):
        given = next((path for path in needed if c[path] is not None), "element.by")
        check.conflict("BSP0260", "intrusive elements have the links as members; "
                      + enumerated([f"'{path}'" for path in missing]) + (" are" if missing[1:] else " is") + " missing",
                      given, about=("storage.links", "element.by"),
                      help="name the members: `element: {type: struct ship, header: ship.h, link: {next: team_next, "
                           "prev: team_prev, owner: team"
                       + "".join(f", {name}: {_MEMBER.get((c['ordering'], name), f'team_{name}')}"
                                 for path in needed for name in [path.rsplit('.', 1)[1]] if name not in ("next", "prev", "owner"))
                       + "}}`"
                       + "; without `prev`: `storage: {links: single}`"
                       * (missing == ["element.link.prev"] and not backward))
    if c["duplicates"] != "reject":
        at, other = check.blame("duplicates", "element.by")
        check.conflict("BSP0261", "an element has one set of links for this container, so it cannot be added twice", at,
                      other, help=f"leave it out, or use {check.yaml('element.by', 'pointer')}")
    said: Dict[str, str] = {}
    for path in needed:
        if c[path] is not None and c[path] in said:
            check.conflict("BSP0263", f"'{c[path]}' cannot be two links", path, said[c[path]],
                          help="give the element a member for each")
        said.setdefault(c[path], path)


def members(check: Check) -> None:
    """Only a struct or union has members."""
    c = check.c
    kind = c["element.type"] or ""
    none = is_built_in(kind) or kind.endswith("*") or kind.startswith("enum ") \
        or c.type_info is not None and c.type_info.kind not in ("struct", "union", "opaque")
    if not kind or not none:
        return
    for path in ("element.link.next", "index.field", "test.id"):
        if c[path] is not None:
            at, other = check.blame(path, "element.type")
            check.conflict("BSP0228", f"'{path}' names a member, but '{kind}' has none", at, other,
                           help="leave it out: the test numbers such elements by their value" if path == "test.id" else
                           f"name a struct that has the member as the element: `element: {{type: struct ..., header: ...}}`"
                           + (", or leave out 'element.link'" if path == "element.link.next" else f", or leave out '{path}'"))
    for path, names in (("identity.key", "element"), ("identity.length", "element"), ("sort.key", "element"),
                        ("sort.less", "a|b"), ("removal.expired", "element"), ("capacity.keep", "element"),
                        ("capacity.weight", "element"),
                        ("test.expire", "element")):
        found = re.search(rf"\b({names})\s*->\s*\w+", str(c[path] or ""))
        if found:
            at, other = check.blame(path, "element.type")
            check.conflict("BSP0228", f"'{found[0]}' names a member, but '{kind}' has none", at, other,
                          help=f"the element itself is `*{found[1]}`"
                           + (f", what it points to `(*{found[1]})->...`" if re.match(r"(const )?(struct|union)\b.*\*$", kind)
                              else ""))
