"""What any thread may add at any time."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ..language.costs import PENDING
from .part import Part


class Inbox(Part):
    """Is there a queue of elements that other threads add?"""

    axis = "inbox"
    queue = False  # T_settle drains it
    refused = ""  # what is said of a T_settle that is refused a slot

    @property
    def limit(self) -> Optional[int]:
        """The most elements that wait in it."""
        return self.c["threads.inbox"]


class NoInbox(Inbox):
    name = "none"


class Queue(Inbox):
    name = "queue"
    queue = True
    settle_words = ("adds the elements in the inbox",)
    settling = PENDING

    @property
    def settling_moves(self) -> Tuple[str, ...]:
        return ("anything is pending",) * self.parts.element.by_value

    @property
    def refused(self) -> str:
        return "After NO_MEMORY what was not applied stays pending." if self.parts.adding.memory \
            else "What is FULL stays pending." * bool(self.parts.adding.full)


def choose(parts: Any) -> Inbox:
    return (NoInbox if parts.container["threads.inbox"] is None else Queue)(parts)
