"""What threads did with the same containers, in the order in which they did it."""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, Dict, Iterator, List, Tuple

from ..traces.reader import FRAME, GIVEN, STEP, TURN, Trace, threads_of

_OF_THREADS = (STEP, GIVEN, FRAME)  # of no container by itself


class _Turns:
    """The turns that threads take with containers: how much is done in each, and which thread has it."""

    def __init__(self) -> None:
        self.left: Dict[int, Dict[int, int]] = {}  # by container and turn: what is still to be done
        self._begun: Dict[Tuple[int, int], int] = {}  # by thread and container: its turn
        self.threads: Dict[int, None] = {}

    def count(self, event: Any) -> None:
        what, thread, container = event[:3]
        self.threads[thread] = None
        if what == TURN:
            self._begun[thread, container] = event[3]
        elif what not in _OF_THREADS:
            turns = self.left.setdefault(container, {})
            turn = self._begun.get((thread, container), 0)
            turns[turn] = turns.get(turn, 0) + 1

    def begin(self) -> None:
        """All has been counted: it is done from the first turn on."""
        self._begun.clear()
        self.left = {container: dict(sorted(turns.items())) for container, turns in self.left.items()}

    def may(self, event: Any) -> bool:
        """Is it its turn?"""
        what, thread, container = event[:3]
        if what in _OF_THREADS:
            return True
        if what == TURN:
            return next(iter(self.left.get(container, ())), event[3]) >= event[3]
        return self._begun.get((thread, container), 0) == next(iter(self.left[container]))

    def did(self, event: Any) -> bool:
        """Is a turn over with it?"""
        what, thread, container = event[:3]
        if what == TURN:
            self._begun[thread, container] = event[3]
        elif what not in _OF_THREADS:
            turns = self.left[container]
            turn = next(iter(turns))
            turns[turn] -= 1
            if turns[turn] == 0:
                del turns[turn]
                return True
        return False


def in_order(trace: Trace) -> Iterator[Any]:
    """The events of a trace: each thread's in its order, and those of each container in the turns that threads took with it."""
    if threads_of(trace.path) < 2:
        yield from trace.events()
        return
    turns = _Turns()
    for event in Trace(trace.path, all=True).events():
        turns.count(event)
    turns.begin()
    waiting: Dict[int, Deque[Any]] = {thread: deque() for thread in turns.threads}
    for event in trace.events():
        waiting[event[1]].append(event)
        yield from _runs(turns, waiting, [event[1]])
    for rest in waiting.values():  # a file that no program wrote
        yield from rest


def _runs(turns: _Turns, waiting: Dict[int, Deque[Any]], threads: List[int]) -> Iterator[Any]:
    """What threads can do that wait no longer, and others behind them."""
    while threads:
        thread = threads.pop()
        events, over = waiting[thread], False
        while events and turns.may(events[0]):
            event = events.popleft()
            over = turns.did(event) or over
            yield event
        if over:
            threads += [other for other, rest in waiting.items() if other != thread and rest and other not in threads]
