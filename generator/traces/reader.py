"""Reads what a program has recorded with BESPOKE_TRACE: the format of docs/tracing.md, as far as the file is whole.

A trace is read once, from its beginning, and what was done comes in the order in which each thread did it.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from ..text.diag import Failure, failure

MAGIC = b"bespoke trace\n"
FORMAT = 1  # of templates/support/trace.h
ENVIRONMENT = 3  # the exit code: the file is not what it should be

# What happened, the first in each tuple.
CALL, BEGIN, END, FRAME, RESIZE, COMPACT, REPLAY, STEP, GIVEN, ASKED, LIES = range(11)
Event = Tuple[Any, ...]
_RECENT = 7  # containers to which records turn by one byte
_FIRST_CALL = 16  # numbers below are no calls
_EXPECTED = {"A": 1, "a": 1, "R": -1, "C": 0, "K": 0}  # elements more after a call, by its letter


class Kind(NamedTuple):
    """A kind of containers."""

    name: str
    policy: Dict[str, str]  # of its spec, by the path of the key
    calls: Dict[int, Tuple[str, str]]  # by number: what it is called, and a letter for what it does
    bytes: int  # of an element
    words: Dict[int, str]  # what calls are given: letters of operations.traced; only for a replay
    spec: str  # the same of what the spec gives

    @property
    def dense(self) -> bool:
        """Does a key lead to its element as the number of a place?"""
        return self.policy.get("index.kind") == "dense"

    @property
    def expires(self) -> bool:
        """Does the container itself find out that an element is to leave?"""
        return '"removal.expired":' in self.spec

    @property
    def by_handle(self) -> Set[int]:
        """The calls that are given a handle."""
        return {call for call, words in self.words.items() if words.startswith("h")}


class Trace:
    """A trace, and what is known of it so far."""

    def __init__(self, path: str, progress: Callable[[int, int], None] = lambda done, of: None, all: bool = False):
        self.path, self._progress, self._all = path, progress, all
        self.kinds: Dict[int, Kind] = {}
        self.lists: Dict[int, int] = {}  # the kind of each container, by its number
        self.whole = False  # does it end as it should?
        self.frames = 0
        self._clock = (0, 0)  # ticks and microseconds that are the same time
        self._frame_clock = [0, 0]
        self._threads: Dict[int, List[int]] = {}  # by number: time, and the last containers
        self._of: Dict[Tuple[int, int], Tuple[Dict[int, Any], Dict[int, str]]] = {}
        self._counted: Optional[List[Event]] = None

    @property
    def microseconds(self) -> float:
        """How long a tick is."""
        ticks, microseconds = self._clock if self._clock[0] else self._frame_clock
        return microseconds / ticks if ticks else 0.01

    def kind(self, number: int) -> Kind:
        """The kind of a container."""
        return self.kinds[self.lists[number]]

    def events(self, counted: Optional[List[Event]] = None) -> Iterator[Event]:
        """What happened: what, the thread, the container, and

        - CALL: the call by number, its status, how many elements more there are, the hash of a key and its bytes (or None)
        - BEGIN: the call, elements, slots, ticks
        - END: how many were visited, was it left early, its status, passes above it that are over, too, elements more, ticks
        - FRAME: ticks, microseconds
        - RESIZE: slots before and after, do elements stay where they are?
        - COMPACT: elements that were moved, free slots that there were
        - REPLAY: changes of the journal
        - STEP: passes above the one that goes on, elements that it has visited (only if `all` are asked for)
        - GIVEN: a number that the next call of the thread is given (the same)
        - ASKED: so many elements had not expired, and the next one had (the same)
        - LIES: where its elements are, 0: nowhere; did a call of the container change that? (the same)

        Into `counted` go, instead, lists of calls that did what was expected, with how often they did: whoever reads empties it,
        and makes these numbers 0.
        """
        self._counted = counted
        with _opened(self.path) as file:
            size = os.fstat(file.fileno()).st_size
            _check_head(file, self.path)
            rest, at = b"", 0
            while True:
                data = rest[at:] + file.read(1 << 20)
                if len(data) == len(rest) - at:
                    break
                rest, at = data, 0
                self._progress(file.tell(), size)
                while True:
                    try:
                        thread, start = _number(data, at)
                        length, start = _number(data, start)
                    except IndexError:
                        break
                    if start + length > len(data):
                        break
                    at = start + length
                    yield from self._records(thread, data[start:at])
            if at < len(rest):
                yield from self._last(rest[at:])

    def _last(self, data: bytes) -> Iterator[Event]:
        """What is whole of the last records of a file that was cut off."""
        try:
            thread, start = _number(data, 0)
            _, start = _number(data, start)
            yield from self._records(thread, data[start:], cut=True)
        except IndexError:
            return

    def _records(self, thread: int, data: bytes, cut: bool = False) -> Iterator[Event]:
        try:
            if thread == 0:
                self._define(data)
            else:
                yield from self._read(thread, data)
        except IndexError:
            if not cut:
                raise _damaged(self.path)
        except (KeyError, UnicodeDecodeError, ValueError):
            raise _damaged(self.path)

    def _define(self, data: bytes) -> None:
        number, at = _number(data, 1)
        more, at = _number(data, at)
        if data[0] in (0, 2):
            self._clock = (number, more)
            self.whole = data[0] == 0
        elif data[0] == 3:
            texts = []
            for _ in range(4):
                length, at = _number(data, at)
                texts.append(data[at:at + length].decode("utf-8"))
                at += length
            if at > len(data):
                raise IndexError
            name, policy, calls, spec = texts
            self.kinds[number] = Kind(
                name, dict(part.split("=", 1) for part in policy.split(";") if "=" in part),
                {int(words[0]): (words[1], words[2]) for words in map(str.split, calls.splitlines())}, more,
                {int(words[0]): words[3] for words in map(str.split, calls.splitlines()) if len(words) > 3}, spec)
        elif data[0] == 4:
            self.lists[number] = more

    def _read(self, thread: int, data: bytes) -> Iterator[Event]:
        """The records of one thread. What is read most often is read without a call."""
        state = self._threads.setdefault(thread, [0] * (1 + _RECENT))
        known, letters = self._known(thread, state[1])
        counted: Any = self._counted
        at, end = 0, len(data)
        number, of = _number, self._of
        while at < end:
            head = data[at]
            event = known.get(head)
            if event is not None:  # it is in one byte, and did what was expected
                at += 1
                if counted is None:
                    yield event
                    continue
                if not event[8]:
                    counted.append(event)
                event[8] += 1
                continue
            if 19 < head < 32:  # what follows is of a container of before
                state.insert(1, state.pop((head >> 1) - 8))
                known, letters = of.get((thread, state[1])) or self._known(thread, state[1])
                at += 1
                continue
            if head in (16, 17):  # a pass ends
                visited, at = number(data, at + 1)
                ticks, at = number(data, at)
                state[0] += ticks
                yield END, thread, state[1], visited, head == 17, 0, 0, 0, state[0]
                continue
            at += 1
            if head > 127:
                head, at = number(data, at - 1)
            call = (head >> 1) - _FIRST_CALL
            if head in (0, 1, 6, 7):
                event, at = _for_replays(thread, state[1], head, data, at)
                if self._all:
                    yield event
                continue
            if call < 0:
                event, at = self._other(thread, state, head, data, at)
                if event is None:
                    known, letters = self._known(thread, state[1])
                else:
                    yield event
                continue
            event, at = self._call(thread, state, call, letters[call], head & 1, data, at)
            yield event

    @staticmethod
    def _call(thread: int, state: List[int], call: int, letter: str, more: int, data: bytes, at: int) -> Tuple[Event, int]:
        """A call of which there is more to say, or that begins a pass."""
        number = _number
        if letter in "PpS":
            slots = count = data[at]
            at += 1
            if count > 127:
                count, at = number(data, at - 1)
                slots = count
            if more:
                slots, at = number(data, at)
            ticks, at = number(data, at)
            state[0] += ticks
            return (BEGIN, thread, state[1], call, count, slots, state[0]), at
        status = size = 0
        grown, hashed = _EXPECTED.get(letter, 0), None
        if more:
            status, at = number(data, at)
            if letter in _EXPECTED:
                if status & 1:
                    grown, at = _signed(data, at)
                elif status:
                    grown = 0
                status >>= 1
        if letter == "a":
            hashed, at = int.from_bytes(data[at:at + 4], "little"), at + 4
            size, at = number(data, at)
        return (CALL, thread, state[1], call, status, grown, hashed, size), at

    def _other(self, thread: int, state: List[int], head: int, data: bytes, at: int) -> Tuple[Any, int]:
        """What is no call: None if what follows is of another container."""
        what, more = head >> 1, head & 1
        a, at = _number(data, at)
        if what == 2:
            state.insert(1, a)
            state.pop()
            return None, at
        if what == 9:
            return self._end(thread, state, a, bool(more), data, at)
        b, at = _number(data, at)
        if what == 1:
            state[0] += a
            self._frame_clock = [state[0], self._frame_clock[1] + b]
            self.frames += 1
            return (FRAME, thread, state[1], state[0], b), at
        if what in (4, 5):
            return (RESIZE, thread, state[1], a, b, what == 4), at
        if what in (6, 7):
            return ((COMPACT, thread, state[1], a, b) if what == 6 else (REPLAY, thread, state[1], a)), at
        raise ValueError(what)

    @staticmethod
    def _end(thread: int, state: List[int], status: int, early: bool, data: bytes, at: int) -> Tuple[Event, int]:
        """The end of a pass or call of which there is more to say."""
        above, at = _number(data, at)
        grown, at = _signed(data, at)
        visited, at = _number(data, at)
        ticks, at = _number(data, at)
        state[0] += ticks
        return (END, thread, state[1], visited, early, status, above, grown, state[0]), at

    def _known(self, thread: int, current: int) -> Tuple[Dict[int, Any], Dict[int, str]]:
        """Of a container: what is in one byte, and the letters of all calls."""
        found = self._of.get((thread, current))
        if found is None:
            letters = {call: letter for call, (_, letter) in self.kind(current).calls.items()} if current else {}
            events: Dict[int, Any] = {
                (call + _FIRST_CALL) << 1: (CALL, thread, current, call, 0, _EXPECTED.get(letter, 0), None, 0)
                for call, letter in letters.items() if letter in "ARCKLW" and (call + _FIRST_CALL) << 1 < 128}
            if self._counted is not None:
                events = {head: [*event, 0] for head, event in events.items()}
            found = self._of[thread, current] = events, letters
        return found


def _for_replays(thread: int, current: int, head: int, data: bytes, at: int) -> Tuple[Event, int]:
    """A step of a pass, or what the next call is given."""
    if head == 6:
        return (STEP, thread, current, 0, 1), at
    number, at = _number(data, at)
    if head == 1:
        more, at = _number(data, at)
        return ((LIES, thread, current, more, number == 2) if number else (ASKED, thread, current, more)), at
    if head == 0:
        return (GIVEN, thread, current, number), at
    steps, at = _number(data, at)
    return (STEP, thread, current, number, steps), at


def _number(data: bytes, at: int) -> Tuple[int, int]:
    """A number in groups of 7 bits, and where it ends."""
    byte = data[at]
    if byte < 128:
        return byte, at + 1
    number, shift = byte & 127, 7
    while True:
        at += 1
        byte = data[at]
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at + 1
        shift += 7


def _signed(data: bytes, at: int) -> Tuple[int, int]:
    number, at = _number(data, at)
    return number >> 1 ^ -(number & 1), at


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise failure(ENVIRONMENT, "BSP0405", f"cannot read '{path}': {error.strerror or error}")


def _check_head(file: BinaryIO, path: str) -> None:
    """Is it a trace, and of this version?"""
    head = file.read(len(MAGIC))
    if head != MAGIC:
        raise failure(ENVIRONMENT, "BSP0413", f"'{path}' is no trace: it does not begin with '{MAGIC.decode().strip()}'",
                      help="a program writes one with bespoke_trace_begin, if it was compiled with -DBESPOKE_TRACE=1")
    version = file.read(1)
    if version != bytes([FORMAT]):
        number = version[0] if version else "none"
        raise failure(ENVIRONMENT, "BSP0413", f"'{path}' is a trace in format {number}; this version reads format {FORMAT}",
                      help="read it with the version that generated the containers, or generate them again and record anew")


def _damaged(path: str) -> Failure:
    return failure(ENVIRONMENT, "BSP0413", f"'{path}' is a damaged trace: it is not what a program wrote",
                   help="record it again; a trace that was cut off at its end can be read")
