"""What worker threads have noted, and what any thread has put into an inbox: done before the T_settle that took it."""

from __future__ import annotations

from array import array
from typing import Any, Dict, List, Tuple

from ..operations.traced import MERGED_BY, NOTES, PLACE, WORKER
from ..traces.reader import CALL, END, PLACED, TURN, Trace
from . import operations as ops
from .operations import ABSENT, NO_MEMORY, NONE_MORE, RECORD, RUN, TO, Decoded

QUEUED = 1  # the number of a status
INBOX = "inbox_add"
POSTS = ("worker_add", "worker_remove", "worker_update", INBOX)
OF_WORKER, TAKEN, PUT = range(3)  # what is at a place: see traces.reader


class Posted(Decoded):
    """The operations of a trace, also of what threads note."""

    def __init__(self, trace: Trace):
        self._inbox: Dict[Tuple[int, int], "array[int]"] = {}  # by container and place
        self._ranked: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}  # the same: fields that `_ranks` has of it
        self._place: Dict[int, int] = {}  # by thread: of the element of which it notes something
        self._turn: Dict[int, int] = {}  # by container
        self._changed: Dict[int, int] = {}  # by container: the turn in which it got or lost elements last
        super().__init__(trace)

    def _take(self, event: Any) -> None:
        what, thread, container = event[:3]
        container = self._moved.get(container, container)
        if what == TURN:
            self._turns(container, event[3], event[4])
        elif what == PLACED:
            self._placed(thread, container, event[3], event[4])
        elif what == CALL and self._kind(container).calls[event[3]][1] == NOTES:
            self._noted(thread, container, event[3], event[4])
        else:
            if what in (CALL, END) and event[5 if what == CALL else 7] != 0:
                self._changed[container] = self._turn.get(container, 0)
            super()._take(event)

    def _turns(self, container: int, turn: int, begun: int) -> None:
        """Another thread uses it. A pass that began before others did is recorded behind what they did."""
        if begun and self._changed.get(container, -1) >= begun:
            self.odd.setdefault(self.trace.lists[container], "a thread used it while a pass of another one was live")
        self._turn[container] = turn

    def _take_place(self, container: int, words: str, given: List[int]) -> str:
        if words[:1] == WORKER and given:
            self._more = (0, given.pop(0), *NONE_MORE[2:])
            if words[1:2] == MERGED_BY and given:
                self._ranks[len(self.numbers) + TO] = given.pop(0)
        return super()._take_place(container, words.lstrip(WORKER + MERGED_BY), given)

    def _placed(self, thread: int, container: int, place: int, what: int) -> None:
        if what == OF_WORKER:
            self._place[thread] = place
        elif what == PUT:
            self._posted(thread, container, place)
        else:
            self._taken(thread, container, place)

    def _noted(self, thread: int, container: int, number: int, status: int) -> None:
        name = self._kind(container).calls[number][0]
        place = self._place.pop(thread, None)
        if name not in POSTS or name == INBOX:
            self._given.pop(thread, None)  # T_part changes nothing; of the inbox it is known by the place
            return
        if not self._in_turns(container):
            return
        words, given = self._operands(thread, container, number)
        if status in (NO_MEMORY, ABSENT) or PLACE in words and place is None:
            self._forget()
            return
        if PLACE in words:
            self._put(RUN, container, number, key=place or 0, status=status)
        else:
            self._put_given(container, number, words, given, status)

    def _put_given(self, container: int, number: int, words: str, given: List[int], status: int) -> None:
        """The same with what a call was given."""
        label = 0
        key, other = ops.numbers_of(words, given)
        if "a" in words and given:
            label = self._address(container, given[0])
        elif words in ("-", "k"):
            label = self._labels[container] = self._labels.get(container, 0) + 1
        if words in ("-", "a"):
            key = label
        if words != "h":
            key = self._key(container, key, True)
        self._put(RUN, container, number, label=label, key=key, other=other, status=status)

    def _posted(self, thread: int, container: int, place: int) -> None:
        """An element is put into the inbox: it is kept until it is taken."""
        number = next(number for number, (name, _) in self._kind(container).calls.items() if name == INBOX)
        if self._kind(container).words.get(number, "-") != "-" and not self._given.get(thread):
            return  # the call itself was not recorded
        at = len(self.numbers)
        words, given = self._operands(thread, container, number)
        self._put_given(container, number, words, given, QUEUED)
        self._inbox[container, place] = self.numbers[at:]
        self._ranked[container, place] = [(field, self._ranks.pop(at + field)) for field in range(RECORD)
                                          if at + field in self._ranks]
        del self.numbers[at:]

    def _taken(self, thread: int, container: int, place: int) -> None:
        """T_settle, which is under way, takes it: so it is there before that."""
        op, passes = self._inbox.pop((container, place), None), self._passes.get(thread, [])
        if op is None or not passes:
            self.odd.setdefault(self.trace.lists[container], "elements were in its inbox before the trace began, or were put "
                                                             "there by calls that are not recorded")
            return
        at = passes[-1].at
        for behind in range(len(self.numbers) - 1, at - 1, -1):
            if behind in self._ranks:
                self._ranks[behind + RECORD] = self._ranks.pop(behind)
        self.numbers[at:at] = op
        for field, rank in self._ranked.pop((container, place)):
            self._ranks[at + field] = rank
        passes[-1].at += RECORD
