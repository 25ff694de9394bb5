"""How an element is found."""

from __future__ import annotations

from typing import Any

from ..language.costs import CONSTANT, EXPECTED, LOGARITHMIC, Cost, linear
from .part import Part


class Lookup(Part):
    """How an element is found, by what a caller has in hand."""

    axis = "lookup"
    by_order = False  # by halving the places of a sorted container
    cost = CONSTANT  # of finding an equal element, where nothing is searched

    @property
    def named_by(self) -> str:
        """What a caller names an element by: its row, its address, an equal element, the one itself, or the first of several
        that are the same."""
        element = self.parts.element
        if element.rows:
            return self.parts.element.named
        return "address" if element.addressed else "equal" if self.keyed else "one" if self.parts.adding.unique else "first"

    def finding(self, what: str = "it") -> Cost:
        """What it costs to find an equal element."""
        return self.cost

    def locating(self, what: str = "it") -> Cost:
        """What it costs to find the element that the caller has in hand, where an equal one is not meant."""
        element = self.parts.element
        if element.rows:
            return CONSTANT
        if element.named_twice and not element.alone_with_its_key:
            return linear("looks through the chunks") if self.parts.storage.chunk else CONSTANT
        return linear(f"searches {what}") if element.shares_keys else self.finding(what)

    @property
    def given(self) -> Cost:
        """What it costs to find what T_remove names: a handle and a row say where it is."""
        return CONSTANT if self.parts.handles.given or self.parts.element.rows else self.finding()

    @property
    def keyed(self) -> bool:
        """Are two elements equal if their keys are?"""
        return self.c["identity.by"] in ("key", "value")

    @property
    def finds_key(self) -> bool:
        """Are there T_find and T_remove_key?"""
        return self.keyed and not self.parts.element.intrusive and self.parts.index.kind != "intrusive"

    @property
    def slot_of_equal(self) -> str:
        """The slot of an equal element, as an expression of C with a place for the element."""
        return f"{self.T.slot_of_}(list, %s)"

    @property
    def sorted_number(self) -> str:
        """What an element is found by in a sorted container, if it may have a sign: a function has none, nor has an address."""
        if self.c["identity.by"] == "value":
            return "" if self.parts.E.endswith("*") else "*element"
        key = self.c["identity.key"] if self.c["identity.by"] == "key" and self.parts.key.multiplies else None
        return "" if key is None or key.is_function else str(key)

    @property
    def sorted_down(self) -> bool:
        """Are elements with large keys first?"""
        return self.parts.order.sorted_by_identity == ">"


class ByKey(Lookup):
    """By what leads from keys to slots."""

    name = "keyed"


class ByHash(ByKey):
    name = "hash"
    cost = EXPECTED

    @property
    def slot_of_equal(self) -> str:
        if self.parts.element.rows and not self.c.index:
            return super().slot_of_equal
        return f"{self.parts.own('slot_of_key_')}(list, {self.parts.own('key_')}(%s))"


class ByGroups(ByHash):
    name = "groups"


class ByProbing(ByHash):
    name = "probed"


class ByTree(ByHash):
    name = "sorted"

    @property
    def cost(self) -> Cost:  # type: ignore[override]
        return self.parts.index.descending


class ByTreeOfMembers(ByTree):
    name = "sorted_members"


class ByMember(Lookup):
    name = "intrusive"


class ByTable(ByKey):
    name = "dense"


class BySlot(ByKey):
    """The key is the slot."""

    name = "direct"


class ByAddress(Lookup):
    name = "address"


class ByChunks(Lookup):
    name = "chunks"
    cost = LOGARITHMIC


class ByRow(Lookup):
    name = "row"


class ByBit(ByRow):
    """A number is found by its bit, and equal to itself alone."""

    name = "bit"
    keyed = False  # type: ignore[assignment]
    slot_of_equal = "%s"  # type: ignore[assignment]


class BySpreadBit(ByBit):
    """In its chunk, which is searched among the others."""

    name = "spread"
    cost = LOGARITHMIC

    def finding(self, what: str = "it") -> Cost:
        return LOGARITHMIC


class ByScan(Lookup):
    name = "scan"

    def finding(self, what: str = "it") -> Cost:
        return linear(f"searches {what}")


class ByOrder(Lookup):
    name = "ordered"
    by_order = True
    cost = LOGARITHMIC


class ByOwner(Lookup):
    name = "owner"


class ByLinks(Lookup):
    name = "linked"


_BY_INDEX = {"groups": ByGroups, "probed": ByProbing, "intrusive": ByMember, "dense": ByTable, "direct": BySlot, "sorted": ByTree}


def _is_in_order(parts: Any) -> bool:
    """Is an element found by its place in a sorted container?"""
    return parts.container["ordering"] == "sorted" and parts.container["sort.when"] == "insert" and parts.removal.dense \
        and parts.container["layout"] == "aos" and parts.order.sorted_by_identity != ""


def choose(parts: Any) -> Lookup:
    if parts.element.intrusive:
        return (ByTreeOfMembers if parts.container.index else ByOwner if parts.links.tells_where else ByLinks)(parts)
    if not parts.element.stored:
        return (BySpreadBit if parts.removal.spread else ByBit)(parts)
    if parts.index.indexed:
        return _BY_INDEX[parts.index.searched](parts)
    if _is_in_order(parts):
        return ByOrder(parts)
    if not parts.element.by_value or parts.container["identity.by"] in ("key", "value"):
        return ByScan(parts)
    return (ByRow if parts.element.rows else ByChunks if parts.storage.chunk is not None else ByAddress)(parts)
