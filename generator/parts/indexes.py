"""All indexes of a container: its own, by which it finds equal elements, and the named ones."""

from __future__ import annotations

from functools import cached_property
from typing import Any, List, Optional, Tuple

from ..language.costs import CONSTANT, EXPECTED, LINEAR, Cost
from ..text.sentences import enumerated
from .index import Index
from .part import Part


class Indexes(Part):
    """All that is notified of where elements are."""

    axis = "indexes"
    name = "all"

    @cached_property
    def named(self) -> List[Any]:
        """For each named index the parts that it is made of: see IndexParts."""
        return self.parts.named_indexes()

    @cached_property
    def all(self) -> List[Index]:
        """The index of the container, if there is one, and the named ones."""
        return [self.parts.index] * self.parts.index.indexed + [each.index for each in self.named]

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        return sum(index.slot_bits for index in self.all)

    @property
    def memory_words(self) -> str:
        """What of all bytes of a slot they take, and what beside, as clauses."""
        hashed = [index.table_bytes for index in self.all if index.kind == "hash"]
        tables = f"each of {len(hashed)} hash tables takes" if hashed[1:] else "the hash table takes"
        within = f" ({tables} {hashed[0][0]} to {hashed[0][1]}, by the capacity)" if hashed else ""
        return within + self.parts.index.memory_words

    @cached_property
    def leading(self) -> Optional[Index]:
        """The first hash index: it has what all of them share, a number that is mixed into hashes, and the size of their
        tables."""
        return next((index for index in self.all if index.kind == "hash"), None)

    @property
    def hashed(self) -> bool:
        """Is there one?"""
        return self.leading is not None

    @property
    def harmed(self) -> List[Tuple[str, str, str]]:
        """The hash tables that the generated test damages: the macro that does so, the table, and how many entries it has."""
        return [(index.harm, index.table, index.entries) for index in self.all if index.harm]

    @property
    def any(self) -> bool:
        """Is anything notified of where elements are?"""
        return bool(self.all)

    @property
    def upkeep(self) -> Cost:
        """What an add or a removal costs them."""
        return sum((index.descending for index in self.all if index.ordered), EXPECTED if self.hashed else CONSTANT)

    @property
    def clear_cost(self) -> Cost:
        """What a clear costs them."""
        return LINEAR if self.any else CONSTANT

    @property
    def refused(self) -> str:
        """Why a named index refuses an element, as a sentence."""
        names = [each.index.called for each in self.named if each.index.unique]
        return f"Returns DUPLICATE if an element has its key in the index {enumerated(names, ' or ')}." if names else ""

    @property
    def hashed_once(self) -> List[Index]:
        """Those with dear hashes that an add looks into and then enters its element into."""
        return [index for index in self.all if index.hashes and index.unique]

    @property
    def tables(self) -> List[Index]:
        """Those that are built anew when the storage grows."""
        return [index for index in self.all if index.has_table]

    @property
    def chains(self) -> bool:
        """Does one of them link elements with the same key?"""
        return any(index.chains for index in self.all)

    @property
    def ordered(self) -> bool:
        """Does one of them keep an order?"""
        return any(index.ordered for index in self.all)

    @property
    def with_ties(self) -> List[Index]:
        """Those that keep elements with equal keys in an order of their own."""
        return [index for index in self.all if index.ordered and not index.unique]

    @property
    def ranges(self) -> bool:
        """Does one of them find several elements?"""
        return self.chains or self.ordered

    @property
    def compares(self) -> bool:
        """Does one of them read the keys of several elements, to find one?"""
        return bool(self.named) or self.parts.index.by_key and self.parts.lookup.keyed

    @property
    def refuses(self) -> bool:
        """May a named index refuse an element?"""
        return any(each.index.unique for each in self.named)


def choose(parts: Any) -> Indexes:
    return Indexes(parts)
