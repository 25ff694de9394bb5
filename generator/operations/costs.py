"""What several operations share: parameters, costs, what they invalidate, and what they may return."""

from __future__ import annotations

from typing import Tuple

from ..language.costs import CONSTANT, Cost
from ..parts.container_parts import Parts


class Costs:
    """What the operations of a container share. Each cost is the sum of what parts say of theirs."""

    def __init__(self, p: Parts):
        T, self.p = p.T, p
        self.status = T.status
        self.me, self.const_me, self.cursor = (f"{T} *", "list"), (f"const {T} *", "list"), (f"{T.cursor} *", "cursor")
        # An inline array is part of the struct: a const container has const elements.
        # where an element is handed out
        self.reading = self.me if p.storage.inline and p.element.held_in_place else self.const_me
        self.queued: Tuple[str, ...] = ("QUEUED",) * p.when.deferred
        self.full, self.memory, self.all_statuses = p.adding.full, p.adding.memory, self.queued + p.adding.statuses  # of an add
        self.replayed = self.queued + self.memory if p.when.deferred else ()  # of what a journal may have to note

        self.finding = p.lookup.finding()
        self.removing = p.removal.cost + p.order.leaving + p.indexes.upkeep  # of one that is found
        self.remove = p.lookup.given + self.removing + p.when.cost
        self.add = p.adding.checking + p.order.entering + p.adding.growing + p.indexes.upkeep + p.when.table
        self.remove_moves = p.when.invalidated_by_removal(p.removal.invalidated)
        self.grow_moves = p.storage.invalidated_by_growth
        if p.order.inserts and p.order.sorts_on_add:
            self.grow_moves = self.inserted_moves()
        self.add_moves = p.when.invalidated(self.grow_moves)

    def inserted_moves(self) -> str:
        """What an add at any position invalidates: elements that it moves, and what growth moves."""
        if self.p.removal.linked:
            return self.grow_moves
        return joined_moves("the elements after it", self.grow_moves) if self.p.element.by_value else "nothing"


def joined_moves(*moves: str) -> str:
    """What is invalidated by one thing and by another."""
    return "; ".join(each for each in moves if each != "nothing") or "nothing"


def each(cost: Cost) -> Cost:
    """The cost of several elements."""
    return cost._replace(each=True)


__all__ = ["CONSTANT", "Costs", "each", "joined_moves"]
