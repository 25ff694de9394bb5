"""One of the arrays of a container, as data."""

from __future__ import annotations

from typing import NamedTuple, Optional


GROUP = 16  # bytes of a group of a hash index for each slot, at most


class Column(NamedTuple):
    """One of the arrays that a container keeps: per slot, per word of 64 slots, or a table."""

    name: str
    type: str
    count: str  # entries for `capacity` slots, as a C expression
    keep: str  # entries that hold something now
    fresh: bool  # entries beyond `keep` must be zero
    doc: str
    fixed: str = ""  # entries in inline storage
    of_element: bool = False  # it holds elements, or parts of them: in chunked storage it lies in the chunks
    local: str = ""  # what a variable for the new array is called, if not as the column
    image: Optional[str] = None  # entries that a snapshot copies, if not those of `keep`; '': none
    stays: bool = False  # it is no part of the state that a rollback brings back
    table: bool = False  # it is built anew from the elements when the storage grows
    lasting: bool = False  # a table that is as large whatever the capacity
    bytes: int = 8  # of an entry, where its type is no integer
    words: bool = False  # it has a bit for each slot, or several
    each: int = 1  # entries for each slot, where it has whole ones
    apart: str = ""  # it is memory of its own, of so many entries; of none it has no address

    @property
    def bits(self) -> int:
        """Of an entry, where its type is an integer of so many."""
        return {"uint64_t": 64, "uint32_t": 32}.get(self.type, 0)

    @property
    def lined(self) -> bool:
        """Is each entry a line of the cache?"""
        return self.table and self.bytes == GROUP

    @property
    def variable(self) -> str:
        """The variable of the function that makes it anew."""
        return self.local or self.name
