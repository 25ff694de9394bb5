"""Linked storage: where the links are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, List

from .element import LINKS, NUMBERS
from .part import Part


class Links(Part):
    """What is next, before, first, last."""

    axis = "links"

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        return (64 if self.doubly else 32) * self.parts.removal.linked

    @property
    def doubly(self) -> bool:
        """Do links lead both ways?"""
        return self.parts.removal.linked and self.c["storage.links"] == "double"

    @property
    def beside(self) -> List[str]:
        """Those that the order has beside the neighbours, which are NULL in an element that is in no container."""
        return [self.c[f"element.link.{name}"] for name in ("parent", "sibling", "left", "right")
                if self.c[f"element.link.{name}"] is not None]

    @property
    def link(self) -> SimpleNamespace:
        """The members of an element that are links, and what a heap or a tree has beside them."""
        return SimpleNamespace(**{name: self.c[f"element.link.{name}"] for name in (*LINKS, *NUMBERS)})

    tells_where = False  # does an element know which container it is in?
    moved = ""  # what is wrong if the first element is in another container than its links say

    def told(self, container: str = "list") -> str:
        """The argument, and a comma, by which a function finds the links of slots; not where elements have them."""
        return f"{container}, "

    @property
    def has_first_kept(self) -> bool:
        """Does a clear know the first element that it keeps?"""
        return self.parts.removal.notifies_each


class Columns(Links):
    name = "columns"


class Members(Links):
    name = "members"
    tells_where = True

    def told(self, container: str = "list") -> str:
        return ""

    @property
    def moved(self) -> str:
        """What is wrong if the first element is in another container than its links say."""
        return (f"the container was moved or copied while it had elements, or '{self.link.owner}' of its first one "
                "overwritten")


class Unowned(Members):
    """Without a link to the container: an element that is linked has another one on a side, or is the only one."""

    name = "unowned"
    tells_where = False
    moved = ""  # type: ignore[assignment]


def choose(parts: Any) -> Links:
    if not parts.element.intrusive:
        return Columns(parts)
    return (Members if parts.container["element.link.owned"] is not False else Unowned)(parts)
