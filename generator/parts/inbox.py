"""What any thread may add at any time."""

from __future__ import annotations

from typing import Any, Optional

from .part import Part


class Inbox(Part):
    """Is there a queue of elements that other threads add?"""

    axis = "inbox"
    queue = False  # T_settle drains it

    @property
    def limit(self) -> Optional[int]:
        """The most elements that wait in it."""
        return self.c["threads.inbox"]


class NoInbox(Inbox):
    name = "none"


class Queue(Inbox):
    name = "queue"
    queue = True


def choose(parts: Any) -> Inbox:
    return (NoInbox if parts.container["threads.inbox"] is None else Queue)(parts)
