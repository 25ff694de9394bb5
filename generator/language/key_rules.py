"""What keys are, and what each kind of key needs."""

import re
from typing import Tuple

from ..text.sentences import enumerated
from .check import Check
from .keys import HASHED
from .key_types import FLOATING, is_text, type_of_key, why_no_bytes


def keys(check: Check) -> None:
    """The key of an element, and what it is sorted by."""
    c = check.c
    if c["identity.by"] == "key" and c["identity.key"] is not None and c["element.by"] != "intrusive":
        integer(check)
        needs(check)
        hashing(check)
        of_kind(check, "identity")
        _elsewhere(check)
        _told_apart(check)
    if c["ordering"] in ("sorted", "heap") or c["sort.key"] is not None or c["sort.less"] is not None:
        _sorted(check)
    for path in ("identity.kind", "sort.kind"):
        if c["emit.persist"] and c[path] in ("string", "slice"):
            at, other = check.blame(path, "emit.persist")
            check.conflict("BSP0248", f"a file may hold any bytes, and a {c[path]} that it damages would be read beyond its end "
                                      "when the elements are loaded", at, other,
                           about=("sort.key",), help="give an integer, or bytes of a fixed size: `identity: {key: element->id, "
                                                     "kind: bytes}`")
    if c["ordering"] == "heap" and c["index.kind"] in ("hash", "dense") and _sorted_by_identity(check):
        at, other = check.blame("index.kind", "sort.key" if c["sort.key"] is not None else "sort.less")
        check.conflict("BSP0289", "T_rekey and T_heapify put elements in order after their keys have changed, and the index "
                                  "would still have them under the old ones",
                       at, other, about=("ordering", "identity.key", "identity.by"),
                       help=[f"use {check.yaml('index.kind', 'none')}, or sort by another member",
                             f"or use {check.yaml('ordering', 'sorted')}, where keys do not change"])
    if c["index.seed"] is not None and c["capacity.inline"]:
        at, other = check.blame("index.seed", "capacity.inline")
        check.conflict("BSP0239", "an inline table is ready when its bytes are 0, so nothing is called before its first hash",
                       at, other,
                       help="leave it out, and call T_set_hash_key")


def _sorted_by_identity(check: Check) -> bool:
    """Is what elements are sorted by, up or down, what makes two of them equal?"""
    c = check.c
    same = {"key": str(c["identity.key"]), "value": "*element"}.get(c["identity.by"])
    if same is None:
        return False
    if c["sort.key"] is not None:
        return str(c["sort.key"]).lstrip("- ") == same
    a, b = (re.sub(r"\belement\b", name, same) for name in "ab")
    return re.fullmatch(rf"{re.escape(a)}\s*[<>]\s*{re.escape(b)}", str(c["sort.less"])) is not None


def _known(check: Check, path: str) -> Tuple[str, str, str]:
    """The type of a key as it is declared, its kind and what it is in the end; '' where nothing is known."""
    info, known = check.c.type_info, type_of_key(check.c, path)
    what, actual = info.stands_for(known) if info is not None else ("", known)
    return known, what \
        or (actual.split(" ")[0] if actual.split(" ")[0] in ("struct", "union") and not actual.endswith("*") else ""), actual


def _stands(known: str, actual: str) -> str:
    return f", which is '{actual}'" if actual != known else ""


def integer(check: Check) -> None:
    """An integer is one."""
    c = check.c
    known, what, actual = _known(check, "identity.key")
    record = what in ("struct", "union") and not actual.endswith("*")
    if c["identity.kind"] != "integer" or not (
            record or actual.endswith(("*", "]")) or actual in FLOATING or "int128" in actual):
        return
    advice = ["give an integer: " + check.such_as("key: element->id")] if c.index \
        else ["give an integer that is unique: `identity: {key: element->id}`"]
    if known == c["element.type"] and not record:  # it is the whole element
        advice = [f"use {check.yaml('identity.by', 'value')}" if actual.endswith("*")
                  else "hold integers, or a struct with a key"]
    elif c["layout"] == "soa":
        pass
    elif is_text(actual):
        advice.append("or say that it is a string: " + check.such_as(f"key: {c['identity.key']}", "kind: string"))
    elif record or "int128" in actual:
        advice.append("or compare its bytes: " + check.such_as(f"key: {c['identity.key']}", "kind: bytes"))
    check.conflict("BSP0207", f"'{c['identity.key']}' is of type '{known}'{_stands(known, actual)}, and a key is an integer of "
                              "at most 64 bits",
                   "identity.key", help=advice)


def needs(check: Check) -> None:
    """The other settings of a kind of key."""
    c = check.c
    kind, key = c["identity.kind"], c["identity.key"]
    missing = []
    if kind == "slice":
        missing = ["identity.length"]
    elif kind == "object":
        missing = ["identity.equal"] + ["identity.hash"] * (c["index.kind"] == "hash")
    elif kind == "string" and (c["identity.equal"] is None) != (c["identity.hash"] is None):
        missing = ["identity.equal"] if c["identity.equal"] is None else ["identity.hash"] * (c["index.kind"] == "hash")
    if kind in ("bytes", "object") and (key.is_function or kind == "object" and not type_of_key(c, "identity.key")):
        missing.append("identity.type")
    missing = [path for path in missing if c[path] is None and path not in check.spoilt]
    if missing:
        example = {"identity.length": "length: element->length", "identity.type": "type: struct guid",
                   "identity.equal": "equal: same_key",
                   "identity.hash": "hash: hash_of_key"}
        check.conflict("BSP0236", f"`{check.leaf('identity.kind')}: {kind}` needs "
                                  f"{enumerated([f'{chr(39)}{check.key(path)}{chr(39)}' for path in missing])}" + (
            f", since '{key}' is a function" if "identity.type" in missing and key.is_function else ""),
            "identity.kind" if c.settings["identity.kind"].origin == "spec" else "identity.key",
            help="such as " + check.such_as(f"key: {key}", f"kind: {kind}", *(example[path] for path in missing)))


def hashing(check: Check) -> None:
    """How bytes are hashed means nothing where none are."""
    c = check.c
    if "index.hashing" not in c.settings or c.settings["index.hashing"].origin != "spec":
        return
    if c["identity.hash"] is not None:
        why, path = "a function of yours hashes the key", "identity.hash"
    elif c.index and c["index.kind"] != "hash":
        why, path = "nothing is hashed", "index.kind"
    elif c.index and c["identity.kind"] not in HASHED:
        why, path = f"no bytes are hashed of a key of kind '{c['identity.kind']}'", "identity.kind"
    else:
        return
    check.conflict("BSP0201", f"'{check.key('index.hashing')}' means nothing here: {why}", "index.hashing",
                   path if c.settings[path].origin == "spec" else None, help="leave it out")


def of_kind(check: Check, group: str) -> None:
    """What is known of the type goes with the kind of key."""
    c = check.c
    path, kind = f"{group}.key", c[f"{group}.kind"]
    known, _, actual = _known(check, path)
    if not known:
        known = (c["identity.type"] or "") if group == "identity" and kind == "bytes" else ""
        actual = known
    if kind in ("string", "slice") and known and not is_text(actual):
        check.conflict("BSP0235", f"'{c[path]}' is of type '{known}'{_stands(known, actual)}, and a {kind} is a `char *` or an "
                                  "array of `char`", path,
                       f"{group}.kind", help=f"leave out '{check.key(f'{group}.kind')}' if it is a number; a struct or array of "
                                             f"fixed size is `{check.leaf(f'{group}.kind')}: bytes`")
    if kind != "bytes" or not known:
        return
    why = (f"'{known}' is a pointer, and its bytes are an address" if actual.endswith("*") else
           why_no_bytes(c.type_info, known) if c.type_info is not None else f"'{known}' has two zeros, and NaN"
           if known in FLOATING
           else "")
    if why:
        advice = ["fill the gap with a member that is always 0"] * ("padding" in why)
        advice += ["say that it is a string: " + check.such_as(f"key: {c[path]}", "kind: string", group=group)] \
            if is_text(actual) else \
            ["sort by a comparator: `sort: {less: comes_before}`"] if group == "sort" \
            else ["compare keys by functions: " + check.such_as(
                f"key: {c[path]}", "kind: object", f"type: {known}", "equal: same_key", "hash: hash_of_key")]
        check.conflict("BSP0237", f"keys that are equal may differ in their bytes: {why}", path, f"{group}.kind", help=advice)


def _elsewhere(check: Check) -> None:
    """What takes integers only."""
    c = check.c
    kind = c["identity.kind"]
    if kind == "integer":
        return
    if c["layout"] == "soa":
        at, other = check.blame("identity.kind", "layout")
        check.conflict("BSP0238", "a pointer leads to such a key, and a row has no element in one piece for it to lead into", at,
                       other,
                       about=("identity.key",), help=f"use {check.yaml('layout', 'aos')}, or give an integer: `identity: {{key: "
                                                     f"element->id}}`")
    if c["index.kind"] in ("dense", "direct"):
        at, other = check.blame("index.kind", "identity.kind")
        check.conflict("BSP0252" if c["index.kind"] == "dense" else "BSP0269",
                       "a dense index is a table with an entry for each key, and only small integers number its entries"
                       if c["index.kind"] == "dense" else "only small integers number slots", at, other,
                       help=f"use {check.yaml('index.kind', 'hash')}")


def _told_apart(check: Check) -> None:
    """The generated test gives each of its elements another key."""
    c = check.c
    key, written = str(c["identity.key"]), str(c["test.id"])
    read = re.findall(r"\belement->(\w+(?:\.\w+)*)", key)
    if c["test.id"] is None or c["test.element"] is not None or c["identity.key"].is_function \
        or len(read) != len(re.findall(r"\belement\b", key)) \
            or any(f"{path}.".startswith(f"{written}.") or f"{written}.".startswith(f"{path}.") for path in read):
        return
    at, other = check.blame("test.id", "identity.key")
    check.conflict("BSP0256", f"the generated test would write its numbers into '{written}', and all its elements would have "
                              f"the same '{key}'", at, other,
                   help="leave 'test.id' out: the test then writes into the key" if key == f"element->{read[0]}"
                   else f"name '{read[0]}' in it")


def _number(check: Check) -> None:
    """What is sorted as a number is one: C compares two pointers as well, and two arrays, by their addresses."""
    c = check.c
    known, what, actual = _known(check, "sort.key")
    record = what in ("struct", "union") and not actual.endswith("*")
    if not (actual.endswith(("*", "]")) or record and known != c["element.type"]):
        return
    advice = ["sort by a number, or by a comparator: `sort: {less: comes_before}`"]
    if c["layout"] == "soa":
        pass
    elif is_text(actual):
        advice.insert(0, f"say that it is a string: `sort: {{key: {c['sort.key']}, kind: string}}`")
    elif not actual.endswith("*") and not (why_no_bytes(c.type_info, known) if c.type_info is not None else ""):
        advice.insert(0, f"sort by its bytes: `sort: {{key: {c['sort.key']}, kind: bytes}}`")
    why = "C cannot compare two" if record else "C would compare addresses"
    check.conflict("BSP0207", f"'{c['sort.key']}' is of type '{known}'{_stands(known, actual)}, and a sort key is a number "
                   f"unless 'sort.kind' names another kind: {why}", "sort.key", help=advice)


def _sorted(check: Check) -> None:
    """What elements are sorted by."""
    c = check.c
    kind = c["sort.kind"] or "number"
    if kind == "number" or c["sort.key"] is None:
        if kind == "number":
            _number(check)
        else:
            check.conflict("BSP0281", "'sort.kind' is of a key, and there is no 'sort.key'", "sort.kind",
                           "sort.less" if c["sort.less"] is not None else None,
                           about=("sort.key",), help="leave it out: the comparator defines the order")
        return
    if kind == "slice" and not (c["sort.key"] == c["identity.key"] and c["identity.kind"] == "slice"):
        check.conflict("BSP0236", "the length of a slice is that of `identity.key`, and 'sort.key' is another key", "sort.kind",
                       "sort.key",
                       help="sort by a comparator: `sort: {less: comes_before}`")
    if kind == "bytes" and c["sort.key"].is_function:
        check.conflict("BSP0236", "the size of what a function leads to is not known", "sort.kind", "sort.key",
                       help="give an expression, or sort by a comparator: `sort: {less: comes_before}`")
    if c["layout"] == "soa":
        at, other = check.blame("sort.kind", "layout")
        check.conflict("BSP0238", "a pointer leads to such a key, and a row has no element in one piece for it to lead into", at,
                       other,
                       about=("sort.key",), help=f"use {check.yaml('layout', 'aos')}, or sort by a comparator: `sort: {{less: "
                                                 f"comes_before}}`")
    of_kind(check, "sort")
