"""One of the arrays of a container, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Column:
    """One of the arrays that a container keeps: per slot, per word of 64 slots, or a table."""

    name: str
    type: str
    count: str  # entries for `capacity` slots, as a C expression
    keep: str  # entries that hold something now
    fresh: bool  # entries beyond `keep` must be zero
    doc: str
    fixed: str = ""  # entries in inline storage
    of_element: bool = False  # it holds elements, or parts of them: in chunked storage it lies in the chunks
    image: Optional[str] = None  # entries that a snapshot copies, if not those of `keep`; '': none
    table: bool = False  # it is built anew from the elements when the storage grows
    bytes: int = 8  # of an entry, where its type is no integer
