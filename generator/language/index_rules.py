"""What named indexes need, and what they do not go with."""

import re
from typing import Any, Dict, Tuple

from ..text.diag import Note
from ..text.identifiers import is_built_in
from ..text.sentences import enumerated
from .applies import applies
from .check import Check, header_of
from .key_rules import hashing, integer, needs, of_kind
from .keys import BY_PATH
from .model import TREE
from .named_indexes import STANDS_FOR, indexes_of

# A value, why, and what does.
_NOT_INDEXED = (
    ("duplicates", "replace", "an element takes the slot of an equal one, and its other keys may be those of a third", "reject"),
)

_OF_KEY = [path for path in STANDS_FOR.values() if path.startswith("identity.")]

_NOT_UNIQUE = ("or leave out `unique`, and look with T_find before an add; what makes elements unique is `identity` with "
               "`duplicates: reject`")


def named_indexes(check: Check) -> None:
    """Containers with several indexes."""
    c = check.c
    if c["indexes"] is None:
        return
    if c.is_layer:
        check.conflict("BSP0291", "each layer would have indexes of its own, and a search would look at one layer only",
                       "indexes",
                       help=["use a container for each layer",
                             "or one container in which the layer is a key: `ordering: unordered`, `indexes: {by_layer: {key: "
                             "element->layer}}`"])
        return
    check.refuse("BSP0291", "indexes", _NOT_INDEXED)
    if any(of["duplicates"] == "reject" for of in indexes_of(c)):
        _taken_by_then(check)
    if c["element.by"] == "pointer" and c["duplicates"] == "allow" \
        and not any(of["duplicates"] == "reject" for of in indexes_of(c)):
        at, other = check.blame("indexes", "element.by")
        check.conflict("BSP0291", "an element that is in the container twice changes its key in two slots, and T_rekey is "
                                  "called for one", at, other, about=("duplicates",),
                       help=[f"use {check.yaml('duplicates', 'reject')}",
                             "or make an index unique: `by_id: {key: element->id, unique: true}`"])
    if c["identity.by"] != "address" and c["duplicates"] == "allow" and c["handles.kind"] == "none":
        at, other = check.blame("indexes", "identity.by")
        check.conflict("BSP0291", "T_rekey of an index finds an element by its identity, and would take another one that is "
                                  "equal", at, other, about=("duplicates",),
                       help=["identify elements by address: leave out identity",
                             f"or use {check.yaml('duplicates', 'reject')}, or {check.yaml('handles.kind', 'generational')}"])
    if "indexes" in check.spoilt or "element.type" in check.spoilt:
        return
    for each in indexes_of(c):
        of = Check(each, check.diagnostics,
                   {path for path in check.spoilt if not path.startswith(("identity.", "index.", "duplicates"))}, check.preset)
        _member(of)
        applies(of, _OF_KEY)
        needs(of)
        hashing(of)
        integer(of)
        of_kind(of, "identity")
        _order(of)
        _members(of)
        _in_columns(of)
    _shared(check)


def _taken_by_then(check: Check) -> None:
    """Adds that wait, and a named index that may refuse them later: none of the others does."""
    c = check.c
    if c["removal.when"] != "immediate":
        at, other = check.blame("indexes", "removal.when")
        check.conflict("BSP0291", "a pending add is in no index yet, so its key in a unique one may be taken when the journal "
                                  "is applied", at, other,
                       help=[f"use {check.yaml('removal.when', 'immediate')}", _NOT_UNIQUE])
    for path in ("threads.workers",) * (c["threads.merge"] != "none") + ("threads.inbox",):
        if c[path] is not None:
            at, other = check.blame("indexes", path)
            check.conflict("BSP0291", "T_settle would merge elements whose keys in a unique index are taken by then, and could "
                                      "not return which", at, other,
                           help=["give each worker its elements only: `threads: {workers: 8, merge: none}`"]
                           * (path == "threads.workers")
                           + [f"leave out {path}", _NOT_UNIQUE])


def _order(check: Check) -> None:
    """A key that is sorted has an order."""
    c = check.c
    if c["index.kind"] == "sorted" and (c["identity.kind"] == "object" or c["identity.equal"] is not None):
        check.conflict("BSP0291", "`kind: sorted` compares strings, slices and bytes by their bytes, and two functions that "
                                  "only find out whether keys are equal give no order",
                       "index.kind", "identity.kind" if c["identity.kind"] == "object" else "identity.equal",
                       help="use `kind: hash`, or a key that is sorted by its bytes")
    elif c["index.kind"] == "hash" and c["identity.kind"] == "number":
        check.conflict("BSP0291", "a hash index looks for equal keys, and floating-point numbers cannot be compared exactly",
                       "identity.kind", "index.kind" if
                       c.settings["index.kind"].origin == "spec" else None, help="use `kind: sorted`, or an integer")


def _members(check: Check) -> None:
    """Elements with links have the tree of an index as members, too; others have none."""
    c = check.c
    paths = [f"element.link.{name}" for name in TREE]
    given = [path for path in paths if c[path] is not None]
    if c["element.by"] != "intrusive":
        if given:
            check.conflict("BSP0201", f"'{check.key(given[0])}' means nothing unless 'element.by' is 'intrusive'", given[0],
                           "element.by", help="leave it out")
        return
    whole = f"`{c.index}: {{key: {c['identity.key']}, kind: sorted, " + ", ".join(
        f"{name}: {c[path] or f'{c.index[3:]}_{name}'}" for name, path in zip(TREE, paths)) + "}`"
    if c["index.kind"] != "sorted":
        check.conflict("BSP0291", "nothing is allocated for elements with links, so there is no table: their index is a balanced "
                                  "tree over members",
                       "index.kind" if c.settings["index.kind"].origin == "spec" else "identity.key", "element.by",
                       help=f"use {whole}")
    elif given != paths:
        check.conflict("BSP0260", "elements with links have the tree of an index as members; "
                       + enumerated([f"'{check.key(path)}'" for path in paths if c[path] is None])
                       + (" is" if len(given) == 3 else " are") + " missing", given[0] if given else "identity.key",
                       help=f"name them: {whole}")


def _shared(check: Check) -> None:
    """A member of an element is in one tree."""
    links = [(path, check.c[path], check.c.span_of(path)) for path in check.c.settings
             if path.startswith("element.link.") and BY_PATH[path].kind == "field"]
    trees = [(f"indexes.{each.index}.{name}", each[path], each.span_of(path)) for each in indexes_of(check.c) for name in TREE
             for path in [f"element.link.{name}"]]
    users: Dict[str, Tuple[str, Any]] = {}
    for path, member, span in links + trees:
        first = users.setdefault(member, (path, span)) if member is not None else (path, span)
        if first[0] != path and path.startswith("indexes."):
            check.diagnostics.error("BSP0263", f"'{member}' cannot be two links", span,
                                    notes=[Note(f"it is '{first[0]}'", first[1])],
                                    help="give the element a member for each")


def _in_columns(check: Check) -> None:
    """A key is read from the columns by value."""
    c = check.c
    if c["layout"] == "soa" and c["identity.kind"] not in ("integer", "number"):
        check.conflict("BSP0291", "a pointer leads to such a key, and a row has no element in one piece for it to lead into",
                       "identity.kind" if
                       c.settings["identity.kind"].origin == "spec" else "identity.key", "layout",
                       help=f"use {check.yaml('layout', 'aos')}, or give an integer")


def _member(check: Check) -> None:
    """Its key reads a member that is there."""
    c = check.c
    found = re.search(r"\belement\s*->\s*\w+", str(c["identity.key"]))
    kind = c["element.type"] or ""
    if not kind:  # a row with members of the spec
        return
    if found and (is_built_in(kind) or kind.endswith("*") or kind.startswith("enum ")):
        check.conflict("BSP0228", f"'{found[0]}' names a member, but '{kind}' has none", "identity.key", "element.type",
                       help="the element itself is `*element`")
    elif found and c["element.header"] is None and c["element.defined_in"] is None:
        check.conflict("BSP0308", f"'{check.key('identity.key')}' reads a member of the element, so 'element.header' is needed",
                       "identity.key", "element.type",
                       about=("element.header",),
                       help="say where it is declared: `element: {type: " + kind + ", header: " + header_of(kind) + "}`")
