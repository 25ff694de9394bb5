"""Changes: which elements were added, removed and marked, in the order of their last change."""

from __future__ import annotations

from typing import Any, List

from .column import Column
from .part import Part


class Changes(Part):
    """What the container knows of its changes."""

    axis = "changes"
    recorded = False  # does it know them?
    columns: List[Column] = []  # the array for it


class NotRecorded(Changes):
    name = "none"


class Recorded(Changes):
    name = "recorded"
    recorded = True
    slot_bits = 192

    @property
    def columns(self) -> List[Column]:  # type: ignore[override]
        """By what a handle has as its index: so no removal forgets it, and no move of an element has to be noticed. A state
        that comes back is a change, too."""
        mapped = self.parts.handles.mapped
        return [Column("last_changes", str(self.T.last_change), "capacity", "list->ids_given" if mapped else "list->used", True,
                       f"by {'id' if mapped else 'slot'}: when its element was added, marked or removed", self.TT.MAX, image="",
                       local="last", stays=True, bytes=24)]


def choose(parts: Any) -> Changes:
    return (Recorded if parts.container["changes"] == "recorded" else NotRecorded)(parts)
