"""Scans: passes over what a named index finds, in its order, and over children and subtrees of a tree. A container has them if
its spec names one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, List

from ..language.strategies import allocates
from .part import Part
from .records import Kept

if TYPE_CHECKING:
    from .container_parts import IndexParts


def begins_scan(name: str) -> bool:
    """Is this an operation that begins a scan?"""
    return name.startswith(("scan_all_", "scan_range_", "scan_children", "scan_subtree"))


class Scans(Part):
    """What the container knows of live scans."""

    axis = "scans"
    any = False  # are there scans?

    @property
    def keyed(self) -> List[IndexParts]:
        """The named indexes that they go by."""
        return [each for each in self.parts.indexes.named if each.index.ranges]

    @property
    def in_use(self) -> List[str]:
        """Members of the container that are 0 if no scan is live."""
        return ["scans.live.number"] * self.any

    @property
    def example(self) -> str:
        """A function that begins one."""
        return self.T[f"scan_range_{self.keyed[0].index.called}" if self.keyed else "scan_children"]

    @property
    def family(self) -> int:
        """The number by which a record knows those over children; the next one is that of those over subtrees."""
        return len(self.keyed)

    @property
    def steps(self) -> List[str]:
        """By its way: what a scan visits after `slot`, as an expression of C."""
        T, tree = self.T, self.parts.order.tree
        return [f"{each.own('scan_after_')}(list, scan, {'record->back, ' * each.index.ordered}slot)" for each in self.keyed] \
            + [f"{T.scan_kin_after_}(list, record, slot)"] * tree

    @property
    def ways(self) -> int:
        """The bits of what begins one: for each index a range, forward and backward, and all, if it keeps an order; from bit 28
        on for children, forward and backward, and a subtree."""
        if not self.any:
            return 0
        keyed = [15 if each.index.ordered else 1 for each in self.keyed]
        return sum(bits << 4 * way for way, bits in enumerate(keyed)) | (15 << 28 if self.parts.order.tree else 0)

    def way_of(self, called: str) -> int:
        """The number by which a record knows one of them."""
        return [each.index.called for each in self.keyed].index(called)

    @property
    def grows(self) -> bool:
        """May more of them be live than the container has records?"""
        return allocates(self.c)

    @property
    def kept(self) -> Kept:
        """Where its records are."""
        return Kept(self.T.scan_record, str(self.few), self.grows, "scans.")

    @cached_property
    def few(self) -> int:
        """The records in the container."""
        return 2 if self.grows else self.c["iteration.passes"] or 8


class NoScans(Scans):
    name = "none"


class Recorded(Scans):
    name = "recorded"
    any = True


def choose(parts: Any) -> Scans:
    asked = parts.container["emit.operations"] or ()
    over = parts.order.tree or any(each.index.ranges for each in parts.indexes.named)
    there = parts.passes.removes and not parts.container.is_layer and over
    return (Recorded if there and any(map(begins_scan, asked)) else NoScans)(parts)
