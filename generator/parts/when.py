"""Whether changes are made immediately, or wait in the journal while a pass is live."""

from __future__ import annotations

from typing import Any, List

from .part import Part


class When(Part):
    """Immediately, or through the journal?"""

    axis = "when"
    deferred = False  # changes are queued in the journal
    has_table = False  # pending changes are found by a table

    @property
    def in_use(self) -> List[str]:
        """Members of the container that are all 0 if no pass is live and nothing is pending, over a bitmap."""
        return ["passes"] + ["locks", "journal_count"] * self.deferred + ["holds"] * self.parts.removal.seen_holding

    @property
    def reenters(self) -> bool:
        """May hooks call the container while it changes itself?"""
        return any(self.parts.hooks[name] is not None for name in ("add", "remove", "destroy", "move"))

    @property
    def journal_hash(self) -> str:
        """The hash of `key` for the table of the journal, as an expression of C."""
        return f"{self.T.hash_}(list, key)" if self.parts.index.kind == "hash" else "(uint32_t)(key * 0x9e3779b97f4a7c15u >> 32)"


class Immediate(When):
    name = "immediate"


class Deferred(When):
    name = "deferred"
    deferred = True

    @property
    def has_table(self) -> bool:
        """What is found in O(1) in the container is found in O(1) in the journal, too."""
        return self.parts.index.indexed


def choose(parts: Any) -> When:
    return {"immediate": Immediate, "deferred": Deferred}[parts.container["removal.when"]](parts)
