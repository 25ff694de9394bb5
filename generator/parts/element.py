"""How elements are held: by value, by pointer, with links of their own, or as rows of columns."""

from __future__ import annotations

import re
from functools import cached_property
from types import SimpleNamespace
from typing import Any, List, Optional, Sequence

from ..language import soa
from ..language.model import SpecField
from ..text.expressions import identifiers
from ..text.naming import marked
from ..text.units import where
from ..types.declare import pointer_to
from .part import Part

COPIED = "Adds a copy of the element"
OWNED = "After a failure the caller still owns it."
LINKS = ("next", "prev", "owner", "parent", "sibling", "left", "right")  # members of an element that is in a linked container
NUMBERS = ("turn", "balance")  # and what a heap and a tree keep beside them


class Element(Part):
    """How an element is read, written, moved, poisoned and tested. No other part may know."""

    axis = "element"
    by_value = False  # do elements lie in the container?
    rows = False  # an element is named by a number: that of the row in which its members lie, or itself
    columns = False  # and its members lie in columns of their own
    stored = True  # elements are in memory, where they have an address
    bodies = ""  # the template of what adds, removes and finds one, if it is no template for all
    named = "row"  # what callers name one by, if that is a number
    intrusive = False  # elements hold their own links, and nothing is stored
    adds = "Adds an element"  # what an add does, in words
    owned_after_failure = ""  # of a call that takes an element, as a sentence

    @property
    def by_pointer(self) -> bool:
        """Are the elements the caller's?"""
        return not self.by_value

    @property
    def item(self) -> str:
        """The type of what a slot holds."""
        return self.parts.E if self.by_value else pointer_to(self.parts.E)

    @property
    def ref_type(self) -> str:
        """The type by which callers name an element."""
        return self.parts.size if self.rows else pointer_to(self.parts.E)

    @property
    def nil(self) -> str:
        """A `ref` that names none."""
        return self.TT.NONE if self.rows else "NULL"

    @property
    def addressed(self) -> bool:
        """Is an element identified by its address?"""
        return self.by_value and not self.parts.lookup.keyed

    @property
    def placed(self) -> bool:
        """Is an element named by where it is?"""
        return self.addressed or self.rows

    @property
    def named_twice(self) -> bool:
        """Is an element named by its key, and by its address where an equal one is not meant?"""
        return self.by_value and self.parts.lookup.keyed and not self.rows

    @property
    def alone_with_its_key(self) -> bool:
        """Is an element in hand found by its key, since no other one has it? So is a copy of it."""
        return self.parts.lookup.keyed and self.parts.adding.unique

    @property
    def shares_keys(self) -> bool:
        """May several elements that are held by pointer have the same key?"""
        return self.by_pointer and self.parts.lookup.keyed and not self.parts.adding.unique

    @property
    def held_in_place(self) -> bool:
        """Does a slot hold the element itself, in one piece?"""
        return self.by_value and not self.rows

    @property
    def poisons(self) -> bool:
        """Are slots without an element poisoned? Loops may compute on columns over a bitmap or in chunks."""
        return self.by_value and not (self.rows and (self.parts.removal.bitmap or self.parts.storage.chunk is not None))

    @property
    def tells_new_address(self) -> bool:
        """Is the move hook called where the storage has moved?"""
        return self.parts.hooks["move"] is not None and not self.rows

    @cached_property
    def fields(self) -> Sequence[soa.Member]:
        """The members that are known."""
        return soa.members(self.c)

    @cached_property
    def lanes(self) -> Sequence[SpecField]:
        """The columns of the members, if there are some."""
        return ()

    cold: Optional[str] = None  # the type of what members without a column of their own lie together in
    own_struct = False  # the struct of an element is Bespoke's

    @property
    def cold_members(self) -> List[str]:
        """Their declarations."""
        return soa.cold_members(self.c)

    @property
    def own_members(self) -> List[str]:
        """The declarations of all members."""
        return [field.declare() for field in soa.listed(self.c) or ()]

    @property
    def copies_inline(self) -> bool:
        """Does the header copy members by their bytes?"""
        return not all(member.whole for member in self.fields)

    @property
    def aligned(self) -> bool:
        """Does each column begin at a multiple of 64 bytes, for vector loads?"""
        return self.columns

    @property
    def members(self) -> List[str]:
        """The members of an element that the container writes, and which are 0 when it is in none."""
        paths = (self.c["index.field"], *(self.c[f"element.link.{name}"] for name in LINKS))
        return [path for path in paths if path is not None]

    @property
    def members_in_words(self) -> str:
        """What they are, as members of an element."""
        named = [f"`{member}`" for member in self.members]
        return f"the links ({', '.join(named)})" if self.intrusive else f"the index, {named[0]},"

    @property
    def link_back(self) -> str:
        """The member of them that is 0 in an element that is in no container; nothing if there is none."""
        return (self.parts.links.link.owner if self.intrusive else self.c["index.field"]) or ""

    @property
    def unowned(self) -> bool:
        """Does it hold its links, but not which container it is in?"""
        return self.intrusive and not self.parts.links.tells_where

    @property
    def must_be_free(self) -> str:
        """What must hold of it before an element is added, as a sentence."""
        if self.unowned:
            prepare = self.T.prepare
            return (f"Returns DUPLICATE if it is linked, here or in another container: {self.members_in_words} must be NULL "
                    f"before, as in zeroed memory{where(prepare, f', or after {prepare}')}. That it is in another one, alone, "
                    "goes unnoticed: it may not be added then.")
        if not self.link_back:
            return ""
        prepare = self.T.prepare
        return (f"Returns FOREIGN if it is in another container: `{self.link_back}` must be {'NULL' if self.intrusive else '0'} "
                f"before, as it is in zeroed memory{where(prepare, f', or after {prepare}')}.")

    @property
    def looked_at(self) -> SimpleNamespace:
        """Of each expression over elements: the members that it looks at; None: it may be all."""
        sort = self.c["sort.key"] if self.c["sort.key"] is not None else self.c["sort.less"]
        return SimpleNamespace(expired=self._looked_at(self.c["removal.expired"]),
                               kept=self._looked_at(self.c["capacity.keep"]), weighed=self._looked_at(self.c["capacity.weight"]),
                               order=self._looked_at(sort))

    def looked_at_by(self, key: Any) -> Optional[List[soa.Member]]:
        """The same of a key: that of the container, or of a named index."""
        return self._looked_at(key.c["identity.key"])

    def _looked_at(self, text: Any) -> Optional[List[soa.Member]]:
        text = str(text or "")
        names = identifiers(text)  # another one may be a macro that looks at more
        found = re.findall(r"\b(?:element|a|b)\s*->\s*(\w+)", text)
        if not found or len(found) != len(names):
            return None
        return [member for member in self.fields if member.name in found]

    @property
    def alignment(self) -> Optional[SimpleNamespace]:
        """What elements may need of the memory, if it is not given to them whatever they need."""
        if self.by_value and self.parts.storage.allocated and self.c["allocator.kind"] == "stdlib":
            return SimpleNamespace(most=marked("BESPOKE_ALIGNMENT") + "(max_align_t)", who="malloc does",
                                   instead="use an allocator that does")
        return None


class Whole(Element):
    """Elements, or pointers to them, lie in one array."""

    name = "whole"


class Value(Whole):
    name = "value"
    by_value = True
    adds = COPIED


class Pointer(Whole):
    name = "pointer"
    owned_after_failure = OWNED


class Intrusive(Element):
    name = "intrusive"
    owned_after_failure = OWNED
    intrusive = True


class Bit(Element):
    """An element is its own slot, and a bit says whether it is in the container. No memory holds it."""

    name = "bit"
    by_value = True
    adds = "Adds a number"
    rows = True
    stored = False
    bodies = "bits"
    named = "number"
    alignment = None  # type: ignore[assignment]


class SpreadBit(Bit):
    """Its slot is where the chunk of the number lies."""

    name = "spread"
    bodies = "spread"


class Rows(Element):
    name = "rows"
    by_value = True
    adds = COPIED
    rows = True
    columns = True

    @cached_property
    def lanes(self) -> Sequence[SpecField]:
        return soa.lanes(self.c)

    @property
    def cold(self) -> Optional[str]:
        return soa.cold_type(self.c) if self.c["element.hot"] is not None else None

    @property
    def own_struct(self) -> bool:
        return self.c["element.type"] is None

    @property
    def alignment(self) -> Optional[SimpleNamespace]:
        # elements in a journal, or in a buffer
        in_one_piece = self.parts.when.deferred or self.parts.order.sorts_at_begin or self.parts.order.sorts_on_call
        return (super().alignment if in_one_piece else None) or SimpleNamespace(
            most="64", who="columns do", instead="hold it without `layout: soa`")

    def in_column(self, lane: SpecField, first: bool = False) -> str:
        """What a column holds, in words."""
        return f"`{lane.name}`" if lane.type != self.cold else "The other members" if first else "the other members"


def choose(parts: Any) -> Element:
    if parts.container["layout"] == "soa":
        return Rows(parts)
    if parts.container["element.by"] == "bit" and parts.container["storage.kind"] == "chunked":
        return SpreadBit(parts)
    return {"value": Value, "pointer": Pointer, "intrusive": Intrusive, "bit": Bit}[parts.container["element.by"]](parts)
