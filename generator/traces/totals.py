"""What a trace says in sum: for each container, call and frame; read once, in memory that does not grow with the file.

Frames are kept in spans of 1, 2, 4, ... frames, so that there are at most SPANS of them.
"""

from __future__ import annotations

import heapq
from array import array
from typing import Any, Dict, List, Optional, Tuple

from ..language.statuses import STATUSES
from .reader import BEGIN, CALL, COMPACT, END, FRAME, PASS, RESIZE, Event, Kind, Trace

SPANS = 1024
TOGETHER = 8  # of more containers of a kind the sum is kept
SLOWEST = 5  # frames of which is kept what they did

# What is kept of a container for each span. Of the first LARGEST it is the largest in any frame, of the others the sum.
COLUMNS = ("elements", "slots", "depth", "adds", "removes", "changes", "failures", "looks", "misses", "stale", "passes", "early",
           "visited", "passed", "empty", "pass_ticks", "calls", "call_ticks", "grown", "moved_bytes", "journal")
LARGEST = 3
(ELEMENTS, SLOTS, DEPTH, ADDS, REMOVES, CHANGES, FAILURES, LOOKS, MISSES, STALE, PASSES, EARLY, VISITED,
 PASSED, EMPTY, PASS_TICKS, CALLS, CALL_TICKS, GROWN, MOVED, JOURNAL) = range(len(COLUMNS))
_COLUMN_OF = {"A": ADDS, "a": ADDS, "R": REMOVES, "C": CHANGES, "K": CHANGES, "L": LOOKS, "W": ADDS}
_DONE = tuple(STATUSES[name][0] for name in ("OK", "QUEUED", "REPLACED"))
_STALE = STATUSES["STALE"][0]
Row = List[int]


class Call:
    """What a call of a container did in all."""

    def __init__(self, name: str, letter: str):
        self.name, self.letter = name, letter
        self.times = self.ticks = self.visited = 0
        self.untimed: Dict[int, int] = {}  # by how many passes are around it: since the last one that was timed
        self.timed: Dict[int, List[int]] = {}  # the same: what the last two took
        self.statuses: Dict[int, int] = {}

    def took(self, depth: int, begun: Optional[int], ended: Optional[int]) -> int:
        """Ticks of a pass inside of so many. Those alike that were not timed count with the next one that was, as long as the
        middle one of three: the machine may have disturbed one."""
        if begun is None or ended is None:
            self.untimed[depth] = self.untimed.get(depth, 0) + 1
            return 0
        taken = ended - begun
        if not self.untimed:
            return taken
        three = sorted([taken, *self.timed.get(depth, ())])
        self.timed[depth] = [taken, *self.timed.get(depth, ())][:2]
        return taken + self.untimed.pop(depth, 0) * three[len(three) // 2]


class Group:
    """A container, or all of a kind if they are many."""

    def __init__(self, kind: Kind, number: int):
        self.kind, self.number = kind, number  # 0: several
        self.containers = 1
        self.now: Row = []  # this frame; empty: nothing happened
        self.spans: Dict[int, Row] = {}
        self.calls: Dict[int, Call] = {}
        self.elements = self.slots = 0
        self.sum: Row = [0] * len(COLUMNS)
        self.last_growth = -1  # the frame

    def call(self, number: int) -> Call:
        found = self.calls.get(number)
        if found is None:
            found = self.calls[number] = Call(*self.kind.calls[number])
        return found

    def close(self, span: int) -> None:
        """The end of a frame in which something happened."""
        row = self.now
        row[ELEMENTS] = max(row[ELEMENTS], self.elements)
        row[SLOTS] = max(row[SLOTS], self.slots)
        _put(self.spans, span, row)
        _add(self.sum, row)
        self.now = []

    def absorb(self, other: Group) -> None:
        """Another container of the kind, which is no more told apart."""
        self.containers += other.containers
        for row in [other.now] * bool(other.now):
            self.now = self.now or [0] * len(COLUMNS)
            _add(self.now, row)
        for span, row in other.spans.items():
            _put(self.spans, span, row)
        for number, call in other.calls.items():
            mine = self.call(number)
            mine.times, mine.ticks, mine.visited = mine.times + call.times, mine.ticks + call.ticks, mine.visited + call.visited
            for status, times in call.statuses.items():
                mine.statuses[status] = mine.statuses.get(status, 0) + times
        self.elements, self.slots = self.elements + other.elements, self.slots + other.slots
        self.last_growth = max(self.last_growth, other.last_growth)
        _add(self.sum, other.sum)


def _add(to: Row, row: Row) -> None:
    for at in range(LARGEST):
        if row[at] > to[at]:
            to[at] = row[at]
    for at in range(LARGEST, len(row)):
        if row[at]:
            to[at] += row[at]


def _put(spans: Dict[int, Row], span: int, row: Row) -> None:
    if span in spans:
        _add(spans[span], row)
    else:
        spans[span] = row[:]


class Totals:
    """All of a trace."""

    def __init__(self, trace: Trace):
        self.trace = trace
        self.groups: List[Group] = []
        self.width = 1  # frames in a span
        self.frames = array("q")  # how long each took: microseconds
        self.slowest: List[Tuple[int, int, List[Tuple[int, Group]]]] = []  # microseconds, number, ticks by container
        self.operations = 0
        self._of: Dict[int, Group] = {}
        self._touched: List[Group] = []
        self._open: Dict[int, List[List[Any]]] = {}  # by thread: passes and calls that are under way
        self._counted: List[Any] = []
        self._read()

    def spans(self) -> int:
        """How many there are; what follows the last frame is in none."""
        return -(-len(self.frames) // self.width)

    def _read(self) -> None:
        does = {BEGIN: self._begin, END: self._end, CALL: self._called, FRAME: self._frame}
        passed = self._pass
        for event in self.trace.events(self._counted):
            if event[0] == PASS:
                passed(event)
            else:
                does.get(event[0], self._memory)(event)
        self._close([])

    def _row(self, group: Group) -> Row:
        group.now = [0] * len(COLUMNS)
        self._touched.append(group)
        return group.now

    def _group(self, number: int) -> Group:
        """Of a container that is seen first."""
        kind = self.trace.kind(number)
        alike = [group for group in self.groups if group.kind is kind]
        group = Group(kind, number)
        if len(alike) < TOGETHER and not (alike and alike[0].number == 0):
            self.groups.append(group)
        else:
            group = alike[0]
            group.number = 0
            for other in alike[1:]:
                group.absorb(other)
                self.groups.remove(other)
            gone = {id(other) for other in alike[1:]}
            for known, of in self._of.items():
                if id(of) in gone:
                    self._of[known] = group
            for stack in self._open.values():
                for entry in stack:
                    entry[0] = group if id(entry[0]) in gone else entry[0]
            kept = [each for each in self._touched if id(each) not in gone and each is not group]
            self._touched = kept + [group] * bool(group.now)
            group.containers += 1
        self._of[number] = group
        return group

    def _begin(self, event: Event) -> None:
        _, thread, container, number, count, slots, ticks = event
        stack = self._open.setdefault(thread, [])
        group, call = self._begun(container, number, count, slots, len(stack))
        stack.append([group, call, count, slots, ticks, 0])

    def _begun(self, container: int, number: int, count: int, slots: int, depth: int) -> Tuple[Group, Call]:
        group = self._of.get(container) or self._group(container)
        row = group.now or self._row(group)
        call = group.calls.get(number) or group.call(number)
        call.times += 1
        if call.letter == "S":
            row[CALLS] += 1
        else:
            row[PASSES] += 1
            if depth >= row[DEPTH]:
                row[DEPTH] = depth + 1
        if group.containers == 1:
            if count > row[ELEMENTS]:
                row[ELEMENTS] = count
            if slots > group.slots:
                group.slots = slots
        return group, call

    def _end(self, event: Event) -> None:
        _, thread, container, visited, early, status, above, grown, ticks = event
        stack = self._open.get(thread)
        if above and stack:
            del stack[len(stack) - above:]
        if not stack:
            return
        group, call, count, slots, begun, inside = stack.pop()
        taken = call.took(len(stack), begun, ticks)
        if stack:
            stack[-1][5] += taken
        self._over(group, call, count, slots, visited, early, status, grown, max(0, taken - inside))

    def _pass(self, event: Event) -> None:
        """One that begins and ends."""
        _, thread, container, number, count, slots, begun, visited, early, status, grown, ended = event
        stack = self._open.get(thread)
        group, call = self._begun(container, number, count, slots, len(stack) if stack else 0)
        taken = call.took(len(stack) if stack else 0, begun, ended)
        if stack:
            stack[-1][5] += taken
        self._over(group, call, count, slots, visited, early, status, grown, taken)

    def _over(self, group: Group, call: Call, count: int, slots: int, visited: int, early: bool, status: int, grown: int,
              taken: int) -> None:
        row = group.now or self._row(group)
        call.ticks += taken
        call.visited += visited
        if grown:
            group.elements += grown
            row[ADDS if grown > 0 else REMOVES] += abs(grown)
        if status:
            call.statuses[status] = call.statuses.get(status, 0) + 1
        if call.letter == "S":
            row[CALL_TICKS] += taken
            return
        row[PASS_TICKS] += taken
        row[VISITED] += visited
        if call.letter in "Qq":  # of some elements: which slots it goes by is not known
            count = slots = visited
        if early:
            row[EARLY] += 1
            slots = slots * visited // count if count else 0
            count = min(count, visited)
        row[PASSED] += slots
        if slots > count:
            row[EMPTY] += slots - count

    def _called(self, event: Event, times: int = 1) -> None:
        _, _, container, number, status, grown = event[:6]
        group = self._of.get(container) or self._group(container)
        row = group.now or self._row(group)
        call = group.calls.get(number) or group.call(number)
        call.times += times
        self.operations += times
        group.elements += grown * times
        column = _COLUMN_OF[call.letter]
        if status:
            call.statuses[status] = call.statuses.get(status, 0) + times
        if column == LOOKS:
            row[LOOKS] += times
            row[MISSES] += times * (status != 0)
        elif status in _DONE:
            row[column] += times if abs(grown) < 2 else abs(grown)
        else:
            row[FAILURES] += times
        row[STALE] += times * (status == _STALE)

    def _memory(self, event: Event) -> None:
        group = self._of.get(event[2]) or self._group(event[2])
        row = group.now or self._row(group)
        if event[0] == RESIZE:
            _, _, _, before, after, stay = event
            group.slots += after - before if group.containers > 1 else after - group.slots
            row[GROWN] += after > before > 0
            if after > before > 0:
                group.last_growth = len(self.frames)
            row[MOVED] += 0 if stay else min(before, after, max(0, group.elements)) * group.kind.bytes
        elif event[0] == COMPACT:
            row[MOVED] += event[3] * group.kind.bytes
        else:
            row[JOURNAL] += event[3]

    def _frame(self, event: Event) -> None:
        slow = (event[4], len(self.frames))
        keeps = len(self.slowest) < SLOWEST or slow > self.slowest[0][:2]
        did = self._close([] if keeps else None)
        if keeps:
            heapq.heappush(self.slowest, (*slow, did))
            if len(self.slowest) > SLOWEST:
                heapq.heappop(self.slowest)
        self.frames.append(event[4])
        if len(self.frames) >= SPANS * self.width:
            self.width *= 2
            for group in self.groups:
                old, group.spans = group.spans, {}
                for span, row in old.items():
                    _put(group.spans, span // 2, row)

    def _close(self, did: Any) -> Any:
        """What was counted since the last frame is put where it belongs."""
        for shape in self._counted:
            self._called(shape.event, shape.times)
            shape.times = 0
        self._counted.clear()
        span = len(self.frames) // self.width
        for group in self._touched:
            row = group.now
            self.operations += sum(row[at] for at in (PASSES, CALLS))
            if did is not None:
                did.append((row[PASS_TICKS] + row[CALL_TICKS], group))
            group.close(span)
        self._touched.clear()
        return did
