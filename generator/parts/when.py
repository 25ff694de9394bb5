"""Whether changes are made immediately, or wait in the journal: while a pass is live, or only while it is locked."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple

from ..language.costs import CONSTANT, EXPECTED, Cost, case
from ..text.units import where
from .column import Column
from .part import Part


class When(Part):
    """Immediately, or through the journal?"""

    axis = "when"
    deferred = False  # there is a journal in which changes are queued
    by_passes = False  # a live pass is a lock, too
    follows = False  # what is pending follows elements that move: slots have the number of the change that removes them
    has_table = False  # pending changes are found by a table
    table = CONSTANT  # what it costs to note a change there
    cost = CONSTANT  # what it costs to note a removal
    replaying = ending = CONSTANT  # what it costs to apply what is pending, and where a pass ends
    while_locked = ""  # what passes do then, as a sentence
    locked = ""  # what is true while the container is locked, where a removal invalidates otherwise
    removed_already = ""  # of a removal that is pending
    rekeyed = ""  # of T_rekey_index, as a sentence
    or_added = ""  # when a key is refused beside
    locks = ""  # what T_begin does beside beginning a pass, as a sentence
    replays = ""  # and T_end beside ending one
    seen = ""  # what an answer about the container does not count, as a sentence

    def invalidated(self, moves: str) -> str:
        """What an add invalidates that is applied immediately, or later."""
        return f"{self.locked}{moves}" if moves != "nothing" else moves

    def invalidated_by_removal(self, moves: str) -> str:
        """The same of a removal."""
        return moves

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


    @property
    def columns(self) -> List[Column]:
        """What there is for each slot."""
        return []

    def between_locks(self, has: Callable[[str], bool]) -> List[str]:
        """What live passes see while it is locked, if that is not what they always see, as clauses of the overview."""
        return []

    @property
    def pending(self) -> List[str]:
        """Members beside those of passes that are 0 if nothing is pending that names elements."""
        return ["journal_count"] * (self.follows and "journal_count" not in self.parts.passes.in_use)


class Immediate(When):
    name = "immediate"


class Deferred(When):
    """Live passes and locks hold changes back: elements keep their slots until the journal is replayed."""

    name = "deferred"
    deferred = True
    by_passes = True
    slot_bits = 1
    replaying = ending = case(", then O(pending changes)")
    removed_already = "Returns ABSENT if its removal is pending already."
    rekeyed = "It takes effect immediately, also while the container is locked."
    or_added = ", or is to be added with it"
    locks = "Locks the container until it ends."
    locked = "nothing while locked; else "
    seen = "As a live pass sees it: without pending changes."

    @property
    def columns(self) -> List[Column]:
        return [Column("doomed", "uint64_t", "capacity / 64", "(list->used + 63) / 64", True,
                       "slots whose element is removed when the journal is replayed", words=True)]

    @property
    def settle_words(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("replays a journal that is left" + where(self.T.lock, f" (unless {self.T.lock} holds it)"),)

    @property
    def replays(self) -> str:  # type: ignore[override]
        return f"The last one to end replays the journal; if memory is refused, the changes stay pending until {self.T.settle}."

    @property
    def predicting(self) -> Cost:
        """What it costs to find an element where changes are pending."""
        if self.parts.element.rows:
            return CONSTANT
        return self.parts.lookup.finding() + self.table if self.has_table else Cost("n + pending changes")

    @property
    def table(self) -> Cost:
        return EXPECTED if self.has_table else CONSTANT

    @property
    def cost(self) -> Cost:
        return self.table + case("; while locked one entry in the journal")

    def invalidated_by_removal(self, moves: str) -> str:
        return f"{self.locked}as {self.T.unlock}"

    @property
    def replay_moves(self) -> str:
        """What the last T_unlock invalidates."""
        return "all elements, if it compacts" if self.parts.element.by_value else "nothing"

    @property
    def has_table(self) -> bool:
        """What is found in O(1) in the container is found in O(1) in the journal, too."""
        return self.parts.index.indexed


class Locked(Deferred):
    """Only locks do. Passes go on while the journal is replayed, and elements move as each change lets them."""

    name = "locked"
    by_passes = False
    follows = True
    slot_bits = 32
    locks = ""
    replays = ""  # type: ignore[assignment]
    seen = "Pending changes do not count."
    while_locked = "Passes are no locks: they go on, and see the container as it was."
    ending = CONSTANT

    @property
    def replaying(self) -> Cost:  # type: ignore[override]
        gone = self.parts.removal.standing_cost
        return case(", then O(pending changes)" if gone == CONSTANT else ", then that of each pending change")

    def invalidated_by_removal(self, moves: str) -> str:
        return f"{self.locked}{moves}" if moves != "nothing" else moves

    @property
    def replay_moves(self) -> str:
        return "all elements, if changes are pending" if self.parts.element.by_value else "nothing"

    def between_locks(self, has: Callable[[str], bool]) -> List[str]:
        T = self.T
        if not (has("lock") and has("unlock")):
            return []
        return [f"between {T.lock} and the last {T.unlock} nothing changes: adds, removals and clears are pending, and that "
                "applies them in the order in which they were made, as if each were made then. Removed elements are visited "
                "until then."]

    @property
    def columns(self) -> List[Column]:
        return [Column("going", "uint32_t", "capacity", self.parts.removal.used, True,
                       "by place: the change in the journal that takes its element out, plus one; 0: none", self.TT.MAX)]


def choose(parts: Any) -> When:
    return {part.name: part for part in (Immediate, Deferred, Locked)}[parts.container["removal.when"]](parts)
