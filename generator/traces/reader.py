"""Reads what a program has recorded with BESPOKE_TRACE: the format of docs/tracing.md, as far as the file is whole.

A trace is read once, from its beginning, and what was done comes in the order in which each thread did it.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from ..text.diag import Failure, failure

MAGIC = b"bespoke trace\n"
FORMAT = 3  # of templates/support/trace.h
ORDERED = 3  # the first that has the turns of threads
OLDEST = 2  # that is read
ENVIRONMENT = 3  # the exit code: the file is not what it should be

# What happened, the first in each tuple.
CALL, BEGIN, END, FRAME, RESIZE, COMPACT, REPLAY, STEP, GIVEN, ASKED, LIES, PASS, TURN, PLACED = range(14)
FOR_REPLAYS = (ASKED, LIES, TURN, PLACED)
Event = Tuple[Any, ...]
_CODES = 1024  # numbers for what was recorded before
_FIRST = 16  # of them, and of calls: numbers below are something else
_SIZED, _CLOSED, _TOLD, _EARLY, _GROWN, _UNTIMED = 1, 2, 4, 8, 16, 32  # flags
_SIMPLE, _CALLED, _PASSED, _MEMORY = range(4)  # what follows the number of a shape
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
    def layered(self) -> bool:
        """Is it several containers, one behind the other?"""
        return self.policy.get("ordering") == "layered"

    @property
    def waits(self) -> bool:
        """Does a pass over several containers apply the changes of each when it leaves it?"""
        return self.layered and self.policy.get("removal.when") == "deferred"

    @property
    def tree(self) -> bool:
        """Are there elements beneath others?"""
        return self.policy.get("ordering") == "tree"

    @property
    def expires(self) -> bool:
        """Does the container itself find out that an element is to leave?"""
        return '"removal.expired":' in self.spec

    @property
    def by_handle(self) -> Set[int]:
        """The calls that are given a handle, or the place, of the element that they are for."""
        return {call for call, words in self.words.items() if "h" in words or "e" in words}

    @property
    def beside_handle(self) -> Set[int]:
        """Those that are given a handle of the element beside or beneath which another one is put."""
        return {call for call, words in self.words.items() if "H" in words}


class _Shape:
    """What a record begins with: a container, what was done with it, and what follows."""

    __slots__ = ("form", "flags", "container", "call", "status", "grown", "keyed", "all", "visits", "event", "times")

    def __init__(self, thread: int, container: int, what: int, status: int, flags: int, letter: str):
        self.container, self.call, self.status, self.flags = container, what - _FIRST, status, flags
        self.grown = 0 if status else _EXPECTED.get(letter, 0)
        self.keyed, self.all, self.visits = letter == "a", letter in "PpS", letter in "Pp"
        self.form = _MEMORY if what < _FIRST else _PASSED if letter in "PpSQq" else _CALLED if flags or self.keyed else _SIMPLE
        self.event = CALL, thread, container, self.call, status, self.grown, None, 0
        self.times = 0  # that it was recorded, where that is counted


class _Thread:
    """What was recorded last in a thread."""

    def __init__(self, number: int):
        self.number, self.time, self.codes = number, 0, 0
        self.shapes: List[Any] = [None] * _FIRST
        self.sizes: Dict[int, Tuple[int, int]] = {}  # of containers at their last pass: elements, slots
        # Passes: the container, how many elements are visited if all are, is it timed?
        self.live: List[Tuple[int, int, bool]] = []


class Trace:
    """A trace, and what is known of it so far."""

    def __init__(self, path: str, progress: Callable[[int, int], None] = lambda done, of: None, all: bool = False):
        self.path, self._progress, self._all = path, progress, all
        self.kinds: Dict[int, Kind] = {}
        self.lists: Dict[int, int] = {}  # the kind of each container, by its number
        self.whole = False  # does it end as it should?
        self.format = FORMAT
        self.frames = 0
        self._clock = (0, 0)  # ticks and microseconds that are the same time
        self._frame_clock = [0, 0]
        self._threads: Dict[int, _Thread] = {}
        self._counted: Optional[List[Any]] = None

    @property
    def microseconds(self) -> float:
        """How long a tick is."""
        ticks, microseconds = self._clock if self._clock[0] else self._frame_clock
        return microseconds / ticks if ticks else 0.01

    def kind(self, number: int) -> Kind:
        """The kind of a container."""
        return self.kinds[self.lists[number]]

    def events(self, counted: Optional[List[Any]] = None) -> Iterator[Event]:
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
        - TURN: from here on its thread uses it, and before that others did: a number that rises; 1 more than that in which the
          pass began that is recorded next, or 0 (the same)
        - PLACED: a place, and of what: 0: an element of which a worker notes something, 1: in the inbox, it is taken from there,
          2: it is put there (the same)

        Into `counted` go, instead, calls of which no more is said, with how often there was one: whoever reads empties it, and
        makes these numbers 0. A pass in which nothing was recorded is one event then, PASS: the call, elements, slots, ticks when
        it began, how many were visited, was it left early, its status, elements more, ticks. Ticks are None in a pass that was
        not timed: one inside of another one, of several alike.
        """
        self._counted = counted
        with _opened(self.path) as file:
            size = os.fstat(file.fileno()).st_size
            self.format = _check_head(file, self.path)
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
        except (AttributeError, KeyError, UnicodeDecodeError, ValueError):
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
        state = self._threads.get(thread)
        if state is None:
            state = self._threads[thread] = _Thread(thread)
        shapes, counted = state.shapes, self._counted
        at, end = 0, len(data)
        while at < end:
            head = data[at]
            at += 1
            if head > 127:
                head, at = _number(data, at - 1)
            if head >= _FIRST:
                shape = shapes[head]
            elif head == 2:
                shape, at = self._shape(state, data, at)
            else:
                event, at = self._other(state, head, data, at)
                if event is not None:
                    yield event
                continue
            form = shape.form
            if form == _SIMPLE:
                if counted is None:
                    yield shape.event
                    continue
                if not shape.times:
                    counted.append(shape)
                shape.times += 1
                continue
            event, at = (_pass if form == _PASSED else _called if form == _CALLED else _happened)(state, shape, data, at)
            if event[0] in FOR_REPLAYS and not self._all:
                continue
            if counted is None and event[0] == PASS:
                yield (BEGIN, *event[1:7])
                yield (END, thread, shape.container, *event[7:10], 0, *event[10:])
            else:
                yield event

    def _shape(self, state: _Thread, data: bytes, at: int) -> Tuple[_Shape, int]:
        """What is recorded first, in full."""
        container, at = _number(data, at)
        what, at = _number(data, at)
        status, at = _number(data, at)
        flags, at = _number(data, at)
        shape = _Shape(state.number, container, what, status, flags,
                       self.kind(container).calls[what - _FIRST][1] if what >= _FIRST else "")
        code = state.codes % _CODES + _FIRST
        state.codes += 1
        if code < len(state.shapes):
            state.shapes[code] = shape
        else:
            state.shapes.append(shape)
        return shape, at

    def _other(self, state: _Thread, head: int, data: bytes, at: int) -> Tuple[Optional[Event], int]:
        """What is of no container by itself: frames, ends of passes; None: what is for replays only."""
        thread = state.number
        if head == 3:
            return (STEP, thread, 0, 0, 1) if self._all else None, at
        if head == 5:
            live = state.live.pop()
            return self._ended(state, live, live[1], False, data, at)
        a, at = _number(data, at)
        if head == 0:
            return (GIVEN, thread, 0, a) if self._all else None, at
        if head in (6, 7):
            return self._ended(state, state.live.pop(), a, head == 7, data, at)
        b, at = _number(data, at)
        if head == 1:
            state.time += a
            self._frame_clock = [state.time, self._frame_clock[1] + b]
            self.frames += 1
            return (FRAME, thread, 0, state.time, b), at
        if head == 4:
            return (STEP, thread, 0, a, b) if self._all else None, at
        if head != 8:
            raise ValueError(head)
        grown, at = _signed(data, at)
        visited, at = _number(data, at)
        above = a >> 1
        live = state.live[-1 - above]
        del state.live[len(state.live) - 1 - above:]
        return self._ended(state, live, visited, bool(a & 1), data, at, b, above, grown)

    @staticmethod
    def _ended(state: _Thread, live: Tuple[int, int, bool], visited: int, early: bool, data: bytes, at: int, status: int = 0,
               above: int = 0, grown: int = 0) -> Tuple[Event, int]:
        container, _, timed = live
        if timed:
            ticks, at = _number(data, at)
            state.time += ticks
        return (END, state.number, container, visited, early, status, above, grown, state.time if timed else None), at


def _pass(state: _Thread, shape: _Shape, data: bytes, at: int) -> Tuple[Event, int]:
    """A pass, or a call that takes time, which may be over."""
    container, flags, number = shape.container, shape.flags, _number
    if flags & _SIZED:
        elements, at = number(data, at)
        slots, at = number(data, at)
        state.sizes[container] = elements, slots
    else:
        elements, slots = state.sizes[container] if shape.all else (0, 0)
    timed, begun, ended = not flags & _UNTIMED, None, None
    if timed:
        begun = data[at]
        at += 1
        if begun > 127:
            begun, at = number(data, at - 1)
        begun += state.time
        state.time = begun
    visited = elements if shape.visits else 0
    if not flags & _CLOSED:
        state.live.append((container, visited, timed))
        return (BEGIN, state.number, container, shape.call, elements, slots, begun), at
    grown = 0
    if flags & _TOLD:
        visited, at = number(data, at)
    if flags & _GROWN:
        grown, at = _signed(data, at)
    if timed:
        ended = data[at]
        at += 1
        if ended > 127:
            ended, at = number(data, at - 1)
        ended += begun
        state.time = ended
    return (PASS, state.number, container, shape.call, elements, slots, begun, visited, flags & _EARLY != 0, shape.status, grown,
            ended), at


def _called(state: _Thread, shape: _Shape, data: bytes, at: int) -> Tuple[Event, int]:
    """A call of which there is more to say."""
    grown, hashed, size = shape.grown, None, 0
    if shape.flags:
        grown, at = _signed(data, at)
    if shape.keyed:
        hashed, at = int.from_bytes(data[at:at + 4], "little"), at + 4
        size, at = _number(data, at)
    return (CALL, state.number, shape.container, shape.call, shape.status, grown, hashed, size), at


def _happened(state: _Thread, shape: _Shape, data: bytes, at: int) -> Tuple[Event, int]:
    """Something in the memory of a container, or in its journal."""
    a, at = _number(data, at)
    b, at = _number(data, at)
    what, which = shape.call + _FIRST, (state.number, shape.container)
    if what < 2:
        return (RESIZE, *which, a, b, what == 0), at
    if what > 5:
        return ((TURN, *which, a, b) if what == 6 else (PLACED, *which, a, b)), at
    if what > 3:
        return ((ASKED, *which, a) if what == 4 else (LIES, *which, a, b == 1)), at
    return (COMPACT, *which, a, b) if what == 2 else (REPLAY, *which, a), at


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


def threads_of(path: str) -> int:
    """How many threads have recorded something."""
    found = set()
    with _opened(path) as file:
        at = len(MAGIC) + 1
        while True:
            file.seek(at)
            head = file.read(20)
            try:
                thread, start = _number(head, 0)
                length, start = _number(head, start)
            except IndexError:
                return len(found - {0})
            found.add(thread)
            at += start + length


def _check_head(file: BinaryIO, path: str) -> int:
    """Is it a trace, and of which version?"""
    head = file.read(len(MAGIC))
    if head != MAGIC:
        raise failure(ENVIRONMENT, "BSP0413", f"'{path}' is no trace: it does not begin with '{MAGIC.decode().strip()}'",
                      help="a program writes one with bespoke_trace_begin, if it was compiled with -DBESPOKE_TRACE=1")
    version = file.read(1)
    if not version or not OLDEST <= version[0] <= FORMAT:
        number = version[0] if version else "none"
        raise failure(ENVIRONMENT, "BSP0413", f"'{path}' is a trace in format {number}; this version reads formats {OLDEST} to "
                      f"{FORMAT}",
                      help="read it with the version that generated the containers, or generate them again and record anew")
    return version[0]


def _damaged(path: str) -> Failure:
    return failure(ENVIRONMENT, "BSP0413", f"'{path}' is a damaged trace: it is not what a program wrote",
                   help="record it again; a trace that was cut off at its end can be read")
