"""Side columns: values that only some elements have, by the index of a handle."""

from __future__ import annotations

from typing import Any, List, Sequence

from ..language.model import SpecField
from .column import Column
from .part import Part


class Side(Part):
    """What the container keeps beside some of its elements."""

    axis = "side"
    any = False  # are there any?
    all: Sequence[SpecField] = ()  # their names and types
    columns: List[Column] = []  # the arrays that lead to them
    rows: List[Column] = []  # and the arrays of values, each in memory of its own

    index_of_row = ""  # what is assigned to the index of the handle of a row: it has the type of one, or is cut to its bits

    def leads(self, name: str, number: str) -> str:
        """What leads to the row of a value, by what a handle has as its index: an expression of C."""
        return ""

    def rounded(self, count: str) -> str:
        """The capacity for so many rows, a multiple of 8: then the ids behind the items are aligned, whatever those are."""
        return f"({count} + 7) / 8 * 8"


class NoSide(Side):
    name = "none"


class Columns(Side):
    """The values of a column lie side by side, in memory of their own. What leads to one is by what a handle has as its index,
    so no move of an element has to be noticed."""

    name = "columns"
    any = True

    @property
    def all(self) -> Sequence[SpecField]:  # type: ignore[override]
        found: Sequence[SpecField] = self.c["side"]
        return found

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        return 32 * len(self.all)

    @property
    def columns(self) -> List[Column]:  # type: ignore[override]
        """One for all of them: a removal looks at those of one element."""
        mapped, number, limit = self.parts.handles.mapped, len(self.all), self.TT.MAX
        given, many = "list->ids_given" if mapped else "list->used", f" * {number}" * (number > 1)
        return [Column("beside", "uint32_t", f"capacity{many}", f"({given}{many})" if many else given, True,
                       f"by {'id' if mapped else 'slot'}: the row of " + (
                           "each value that it has" if many else f"its `{self.all[0].name}`") + ", plus one; 0: it has none",
                       f"{limit}{many}", each=number)]

    @property
    def rows(self) -> List[Column]:  # type: ignore[override]
        """The values and ids of each name, as snapshots copy them."""
        return [Column(f"with_{each.name}.{what}", kind, "", f"list->with_{each.name}.count", False, "",
                       apart=f"list->with_{each.name}.count")
                for each in self.all for what, kind in (("items", each.type), ("ids", "uint32_t"))]

    def leads(self, name: str, number: str) -> str:
        names = [each.name for each in self.all]
        many = f" * {len(names)}" * (len(names) > 1)
        at = names.index(name)
        return f"list->beside[{number}{many}{f' + {at}' * (at > 0)}]"

    @property
    def index_of_row(self) -> str:  # type: ignore[override]
        handles, index = self.parts.handles, "rows->ids[row]"
        return index if handles.id_type == "uint32_t" and not handles.split else str(handles.index_of(index))


def choose(parts: Any) -> Side:
    return (NoSide if parts.container["side"] is None else Columns)(parts)
