"""What worker threads may change while they run, each in a journal of its own."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..language.costs import CONSTANT, PENDING, Cost, case
from .part import Part


class Workers(Part):
    """Have worker threads a journal each?"""

    axis = "workers"
    journals = False  # T_settle merges the changes of workers
    keyed = False  # a key of the caller's orders the changes of all workers
    by_handle = False  # an element is named by its handle
    by_slot = False  # or by where it is; else by its address
    updates = False  # workers may replace an element
    update_names = False  # an update takes the name of the element beside its new content
    keeping_order = CONSTANT  # what it costs to note a change in the order of keys
    unnoted = ""  # what is said of a change that is refused memory
    refused = ""  # what is said of a T_settle that is refused memory

    @property
    def limit(self) -> Optional[int]:
        """The most threads that share the container, if any do."""
        return self.c["threads.workers"]


class NoWorkers(Workers):
    name = "none"


class Journals(Workers):
    name = "journals"
    journals = True
    settle_words = ("merges the changes of workers",)
    settling = PENDING

    @property
    def unnoted(self) -> str:  # type: ignore[override]
        return " After NO_MEMORY nothing is noted." * bool(self.parts.adding.memory)

    @property
    def refused(self) -> str:  # type: ignore[override]
        return "After NO_MEMORY what was not applied stays pending." * bool(self.parts.adding.memory)

    @property
    def settling_moves(self) -> Tuple[str, ...]:
        return ("anything is pending",) * self.parts.element.by_value

    @property
    def keeping_order(self) -> Cost:  # type: ignore[override]
        return case("; O(pending changes) if the keys of a worker do not ascend") if self.keyed else CONSTANT

    @property
    def keyed(self) -> bool:
        """Does a key of the caller's order the changes of all workers?"""
        return self.c["threads.merge"] == "key"

    @property
    def by_handle(self) -> bool:
        """Is an element named by its handle?"""
        return self.parts.handles.given

    @property
    def by_slot(self) -> bool:
        """Is it named by where it is, whatever finds it? Its content may be another worker's: it is not read."""
        return self.parts.element.by_value and not self.by_handle

    @property
    def updates(self) -> bool:
        """May workers replace an element? What finds it, or sorts it when it is added, must stay as it is; named indexes too
        find it by its content; and no content need be destroyed."""
        element, parts = self.parts.element, self.parts
        return element.by_value and parts.hooks["destroy"] is None and not parts.order.sorts_on_add \
            and parts.index.kind != "intrusive" \
            and not (parts.lookup.keyed and (self.by_handle or element.rows)) and not parts.indexes.named

    @property
    def update_names(self) -> bool:
        """Does an update take the name of the element beside its new content? Else the content has the key."""
        return not self.parts.lookup.keyed


def choose(parts: Any) -> Workers:
    c = parts.container
    return (NoWorkers if c["threads.workers"] is None or c["threads.merge"] == "none" else Journals)(parts)
