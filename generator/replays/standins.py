"""Containers as a replay builds them: those of a trace or of a spec, with elements that stand in for those of the program."""

from __future__ import annotations

import json
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..language.by_name import POPS, TAKES
from ..operations.traced import spec_of
from ..traces.reader import Kind
from .operations import ANYWHERE, BESIDE, IN_INDEX, INDEXES, operands

HEADER = "standins.h"

# Keys of a spec that a replay keeps as they are, and their values where they may not have others.
_KEPT = ("duplicates", "identity.by", "identity.kind", "identity.key", "iteration.", "addresses", "handles.", "removal.policy",
         "removal.when", "removal.dead_share", "removal.ask", "removal.expired", "hooks.update", "sort.", "index.kind",
         "index.keys", "index.field", "indexes", "layers.", "changes", "storage.", "capacity.", "element.link.", "element.fields",
         "element.hot", "side", "threads.")
_VALUES: Dict[str, Tuple[str, ...]] = {
    "ordering": ("unordered", "insertion", "fifo", "sorted", "heap", "layered", "tree"),
    "layers.ordering": ("unordered", "insertion", "sorted"), "sort.kind": ("number",), "sort.when": ("insert",),
    "element.by": ("value", "pointer", "intrusive"), "layout": ("aos", "soa"), "identity.kind": ("number", "string"),
    "identity.by": ("key", "address"), "duplicates": ("allow", "reject"), "iteration.cursors": ("many", "one"),
    "capacity.keep": (), "capacity.weight": ()}
# Calls that are repeated, by what they are given, a letter each; begin, ... and those without a result besides.
CALLS: Dict[str, Sequence[str]] = {
    "init": ("n", "nn"), "add": "-a", "add_handle": "-a", "emplace": "-", "remove": "hakn", "remove_key": "k", "remove_at": "n",
    "remove_current": "p", "take": "hakn", "take_key": "k", "take_at": "n", "take_current": "p", "pop": "-", "pop_back": "-",
    "rekey": "ah", "get": "h", "get_const": "h", "find": "k", "find_const": "k", "contains": "akn", "clear": "-", "deinit": "-",
    "update": "-", "prune": "-", "heapify": "-", "settle": "-d", "reserve": "n", "shrink_to_fit": "-", "lock": "-", "unlock": "-",
    "mark": "h", "scan_remove_current": "p", "snapshot": "m", "snapshot_delta": ("mm",), "rollback": "m",
    "rollback_delta": ("mm",), "worker_add": ("-", "k", "a", "ak"), "worker_remove": "ahe", "worker_update": "ahe",
    "inbox_add": ("-", "k", "a", "ak")}
LINK = "element.link."
# The same of calls of a named index, whose name is behind these, and `_const` behind that.
CALLS_OF_INDEX = {"find_": "-", "lower_bound_": "-", "upper_bound_": "-", "remove_": "-", "rekey_": "ah"}
# The same of values beside elements, whose name is behind these.
CALLS_OF_SIDE = {"set_": "h", "remove_": "h", BESIDE: "-"}
_BEGINS = ("begin", "begin_const", "begin_backward", "begin_backward_const", "begin_visible", "begin_visible_const")
# The same of containers in layers, and of trees.
CALLS_OF_LAYERS: Dict[str, Sequence[str]] = {"set_enabled": "n", "set_visible": "n", "move": "hak", "contains": "hak"}
CALLS_OF_TREES: Dict[str, Sequence[str]] = {
    **dict.fromkeys(("add_child", "insert_before", "insert_after"), "-a"),
    **dict.fromkeys(("add_child_handle", "insert_before_handle", "insert_after_handle"), "-"),
    **dict.fromkeys(("move_before", "move_after", "move_to_front", "move_to_back", "move_to_parent"), "hak")}


class Unrepeated(NamedTuple):
    """Why a container cannot be repeated, and the key of its spec that says so."""

    why: str
    path: str = ""

    @property
    def help(self) -> str:
        """What would be right."""
        values = _VALUES.get(self.path)
        if not values:
            return f"leave `{self.path}` out"
        return f"`{self.path}` may be " + " or ".join(", ".join(f"`{value}`" for value in values).rsplit(", ", 1))


class StandIn(NamedTuple):
    """A container with stand-ins for elements."""

    name: str
    settings: Dict[str, Any]  # of its spec, by path

    @property
    def member(self) -> str:
        """The member of the element with its slot, or ''."""
        return str(self.settings.get("index.field", ""))

    @property
    def text(self) -> bool:
        """Is the key a string?"""
        return self.settings.get("identity.kind") == "string"

    @property
    def ranked(self) -> bool:
        """Is it sorted by a number?"""
        return "sort.key" in self.settings

    @property
    def pointed(self) -> bool:
        """Are its elements the caller's?"""
        return self.settings.get("element.by", "value") != "value"

    @property
    def layers(self) -> List[str]:
        """The names of its layers."""
        return list(self.settings.get("layers.names", ()))

    @property
    def tree(self) -> bool:
        """Are there elements beneath others?"""
        return self.settings.get("ordering") == "tree"

    @property
    def rows(self) -> bool:
        """Are its elements in columns?"""
        return self.settings.get("layout") == "soa"

    @property
    def numbers(self) -> List[str]:
        """Members of an element that are numbers."""
        return ["label", "number", *["rank"] * self.ranked, *[self.member] * bool(self.member),
                *(f"key_{name}" for name in self.indexes)]

    @property
    def indexes(self) -> List[str]:
        """Its named indexes."""
        return list(self.settings.get("indexes", ()))

    def of_index(self, call: str) -> Tuple[str, int]:
        """What a call of a named index does, and the number of the index; ('', 0) of others."""
        bare = call[:-len("_const")] if call.endswith("_const") else call
        return next(((begins, at) for begins in CALLS_OF_INDEX for at, name in enumerate(self.indexes) if bare == begins + name),
                    ("", 0))

    @property
    def sides(self) -> List[str]:
        """The names of values beside its elements."""
        return list(self.settings.get("side", ()))

    def of_side(self, call: str) -> Tuple[str, int]:
        """What a call does with such values, and the number of their name; ('', 0) of others."""
        return next(((begins, at) for begins in CALLS_OF_SIDE for at, name in enumerate(self.sides) if call == begins + name),
                    ("", 0))

    def in_index(self, call: str) -> int:
        """The number of the named index that a pass is over; -1: it is none."""
        return next((at for at, name in enumerate(self.indexes) for begins in IN_INDEX if call == begins + name), -1)

    @property
    def links(self) -> List[str]:
        """Members of an element with which the container links it."""
        types = {"owner": f"struct {self.name} *", "turn": "uint64_t ", "balance": "int8_t "}
        return [types.get(name, f"struct standin_{self.name} *") + str(value) for name, value in
                ((path[len(LINK):], value) for path, value in self.settings.items() if path.startswith(LINK)) if name != "owned"]

    @property
    def declaration(self) -> str:
        """Of its element."""
        return "struct standin_%s {\n    uint32_t %s;\n%s%s};\n" % (
            self.name, ", ".join(self.numbers), "    char text[12];\n" * self.text,
            "".join(f"    {each};\n" for each in self.links))


def asked(standin: StandIn, calls: List[str]) -> StandIn:
    """With what a container has only if its spec says so, as these calls need it."""
    names = sorted({call for call in calls if call.startswith((*ANYWHERE, "scan_", "move_")) or call in POPS + TAKES})
    more: Dict[str, Any] = {"emit.operations": ["all", *names]} if names else {}
    if any(call.startswith(("snapshot", "rollback")) for call in calls):
        more["emit.snapshot"] = True
    return standin._replace(settings={**standin.settings, **more})


def unknown_calls(kind: Kind, standin: StandIn, used: Dict[int, int]) -> List[str]:
    """The calls among those that a replay cannot repeat."""
    by_key = standin.pointed and "identity.key" in standin.settings  # of an element that is not in, the key is not recorded
    return [name for name, letter, words in ((*kind.calls[call], operands(kind.words[call])) for call in sorted(used))
            if letter not in "NEQq" and (words not in _words_of(name, standin) or by_key and words == "a" and letter not in "Aa")]


def _words_of(name: str, standin: StandIn) -> Tuple[str, ...]:
    """What a call may be given."""
    of_index, _ = standin.of_index(name)
    of_side, _ = standin.of_side(name)
    if standin.sides and name.startswith(("snapshot", "rollback")):
        return ()  # not with values beside elements
    more = {**(CALLS_OF_LAYERS if standin.layers else {}), **(CALLS_OF_TREES if standin.tree else {})}
    return tuple("-" if name in _BEGINS else CALLS_OF_INDEX[of_index] if of_index else CALLS_OF_SIDE[of_side] if of_side
                 else more.get(name, CALLS.get(name, "")))


def _together(given: Dict[str, Any]) -> Optional[Unrepeated]:
    """What a spec gives that a replay has only without something else."""
    together = _apart(given) or _beside(given)
    if together is not None:
        return together
    if not isinstance(given.get("indexes", {}), dict) or len(given.get("indexes", ())) > INDEXES:
        return Unrepeated(f"more than {INDEXES} named indexes", "indexes")
    if "sort.key" in given and given["sort.key"] == given.get("identity.key"):
        return Unrepeated("`sort.key`, which is `identity.key` too,", "sort.key")
    if given.get("layout") == "soa" and "sort.key" in given:
        return Unrepeated("`layout: soa` with `sort.key`", "sort.key")
    text = given.get("layout") == "soa" and given.get("identity.kind") == "string"
    return Unrepeated("`layout: soa` with `identity.kind: string`", "identity.kind") if text else None


def _apart(given: Dict[str, Any]) -> Optional[Unrepeated]:
    """The same of layers and trees."""
    if "layers.names" in given:
        if "indexes" in given:
            return Unrepeated("`layers` with `indexes`", "indexes")
        if given.get("layout") == "soa":
            return Unrepeated("`layers` with `layout: soa`", "layout")
        if "side" in given:
            return Unrepeated("`layers` with `side`", "side")
        if "removal.expired" in given and given.get("element.by") == "pointer":  # one may have expired in one layer only
            return Unrepeated("`layers` of pointers with `removal.expired`", "removal.expired")
    if given.get("ordering") == "tree" and "indexes" in given:
        return Unrepeated("`ordering: tree` with `indexes`", "indexes")
    if given.get("ordering") == "tree" and given.get("element.by") == "pointer" and given.get("duplicates") != "reject":
        return Unrepeated("`ordering: tree` of pointers without `duplicates: reject`", "duplicates")
    return None


def _beside(given: Dict[str, Any]) -> Optional[Unrepeated]:
    """The same of values beside elements."""
    if "side" not in given:
        return None
    if not isinstance(given["side"], list):
        return Unrepeated("`side` in a trace of an earlier version", "side")
    return Unrepeated("`side` with `removal.expired`", "removal.expired") if "removal.expired" in given else None


def order_of(container: Any) -> str:
    """The ordering, of layers that of each of them."""
    return str(container["layers.ordering"] if container["ordering"] == "layered" else container["ordering"])


def _expressions(name: str, given: Dict[str, Any]) -> Dict[str, Any]:
    """What stands in for the program's expressions, functions and types."""
    stand_ins: Dict[str, Any] = {"sort.key": "element->rank", "removal.expired": "rp_expired(element->label)",
                                 "hooks.update": f"rp_update_{name}"}
    if "indexes" in given:
        stand_ins["indexes"] = {index: {**keys, "key": f"element->key_{index}"} for index, keys in given["indexes"].items()}
    if "side" in given:
        stand_ins["side"] = dict.fromkeys(given["side"], "uint32_t")
    return {path: value for path, value in stand_ins.items() if path in given}


Found = Tuple[Optional[StandIn], Optional[Unrepeated]]


def of_settings(name: str, given: Dict[str, Any]) -> Found:
    """The stand-in of a container, or why there is none."""
    for path, value in given.items():
        if path != "indexes" and value not in _VALUES.get(path, (value,)) or path not in _VALUES and not path.startswith(_KEPT):
            shown = str(value).lower() if isinstance(value, bool) else value
            return None, Unrepeated(f"`{path}: {shown}` cannot be repeated yet", path)
    settings = {path: value for path, value in given.items() if path != "identity.key"}
    if "identity.key" in given or given.get("identity.by") == "key":
        settings["identity.key"] = "element->text" if given.get("identity.kind") == "string" else "element->number"
    together = _together(given)
    if together is not None:
        return None, together._replace(why=together.why + " cannot be repeated yet")
    settings.update(_expressions(name, given))
    settings["element.type"] = f"struct standin_{name}"
    settings["element.header"] = HEADER
    standin = StandIn(name, settings)
    if standin.rows:
        settings["element.fields"] = dict.fromkeys(standin.numbers, "uint32_t")
        if settings.pop("element.hot", None) is not None:
            settings["element.hot"] = ["label"]
    return standin, None


def of_kind(kind: Kind) -> Found:
    """That of a kind of the trace."""
    try:
        given = json.loads(kind.spec)
    except ValueError:
        given = None
    if not isinstance(given, dict) or not kind.name.isidentifier():
        return None, Unrepeated("the trace does not have what a replay needs")
    return of_settings(kind.name, given)


def of_container(container: Any) -> Found:
    """That of a container of a spec."""
    return of_settings(container.full_name, json.loads(spec_of(container)))


def text_of(standins: List[StandIn]) -> str:
    """A spec of them: JSON, which is YAML."""
    containers: Dict[str, Any] = {}
    for standin in standins:
        keys: Dict[str, Any] = {}
        for path, value in standin.settings.items():
            *groups, leaf = path.split(".")
            at = keys
            for group in groups:
                at = at.setdefault(group, {})
            at[leaf] = value
        containers[standin.name] = keys
    return json.dumps({"bespoke": 1, "containers": containers}, indent=1) + "\n"
