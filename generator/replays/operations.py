"""What a trace has of each container, as operations that a program repeats."""

from __future__ import annotations

from array import array
from typing import Any, Dict, List, Set, Tuple

from ..operations.traced import MERGED_BY, WORKER
from ..traces.reader import ASKED, BEGIN, CALL, END, FRAME, GIVEN, LIES, ORDERED as IN_TURNS, STEP, Kind, Trace
from .turns import in_order

INDEXES = 4  # named indexes of a container, at most
# Numbers of an operation: those of struct rp_op in templates/test/replay/core.c. TO: the element beside or beneath which one is
# put, as a label, or with TO_KEY and TO_OTHER a key or handle; TO_KEY: a layer. Of what a worker notes TO_KEY: its number, TO: by
# what that is ordered. MORE: keys in named indexes.
WHAT, LIST, NUMBER, PASS, LABEL, KEY, OTHER, STATUS, COUNT, RANK, TO, TO_KEY, TO_OTHER, MORE = range(14)
RECORD = MORE + INDEXES
RUN, STEPS, ENDS, BEGINS, EXPIRES = range(5)
UNKNOWN = 0xFFFFFFFF
PASSES = 16
NONE_MORE = (0,) * (RECORD - TO)
NEW = 1 << 30  # numbers of containers that the program made where others had been, from here on
RANKED, HASHED, ORDERED = "sio"  # of operations.traced: the number by which an element is sorted; keys in named indexes
LAYER, AT_ADDRESS, AT_KEY, AT_HANDLE = "lAKH"  # the same: where an element is put
OF_PASS, UNREPEATED = "px"  # the same: the pass of a cursor; what is not recorded
PAIRS = "next_pair"
SECOND = 1 << 16  # is added to what leads to the pass of a cursor, if it is the second one of a pass over pairs
# Calls that begin passes over some elements, as far as they are repeated: by how they begin.
CHANGES = "changes_since"
ANYWHERE = ("begin_at", "begin_backward_at", "begin_after", PAIRS, CHANGES)
BESIDE = "begin_with_"  # the same of values beside elements
IN_INDEX = ("scan_range_", "scan_all_", "scan_range_backward_", "scan_all_backward_", "range_", "all_")
NO_MEMORY, RANGE = 5, 10  # numbers of a status
ABSENT = 3
PLACES = LAYER + AT_ADDRESS + AT_KEY + AT_HANDLE
_APART = RANKED + HASHED + ORDERED + PLACES + WORKER + MERGED_BY
BEYOND = UNKNOWN - 1  # a key that no element has


def operands(words: str) -> str:
    """The letters of what a call is given but for those numbers."""
    return "".join(word for word in words if word not in _APART) or "-"


class _Pass:
    """A pass, or a call that takes time, which is under way."""

    def __init__(self, container: int, number: int, at: int, letter: str):
        self.container, self.number, self.at = container, number, at  # `number` of its container, -1: it is no pass
        self.reads, self.loops = letter in "pq", letter != "S"
        self.left_out = number < 0 and letter in "Qq"  # it is not of all elements, and not repeated
        self.told = 0


def _did_nothing(status: int, letter: str) -> bool:
    """Was there no memory, or, for an add, not the element beside or beneath which it was to be?"""
    return status == NO_MEMORY or status == ABSENT and letter in "Aa"


def numbers_of(words: str, given: List[int]) -> Tuple[int, int]:
    """What an operation has of a handle, a key, or a number."""
    if words == "h":
        index, generation = (given + [0, 0])[:2]
        return index, generation
    if words == "nn":
        limit, keys = (given + [0, 0])[:2]
        return min(limit, UNKNOWN), min(keys, UNKNOWN)
    if words == "m" * len(words):
        first, second = (given + [0, 0])[:2]
        return first, second
    if words == "ak" and len(given) > 1:
        return given[1], given[1] >> 32
    if words in ("k", "n", "d") and given:
        return given[0], given[0] >> 32
    return 0, 0


class Decoded:
    """The operations of the containers of a trace, in the order in which they were done."""

    def __init__(self, trace: Trace):
        self.trace = trace
        self.numbers = array("I")
        self.frames: List[int] = []  # how many operations there were at the end of each
        self.lengths: List[int] = []  # and how many microseconds it took
        self.calls: Dict[int, Dict[int, int]] = {}  # by kind: the calls that were made, and how often
        self.odd: Dict[int, str] = {}  # by kind: why it cannot be repeated
        self.skipped: Dict[int, Dict[str, int]] = {}  # by kind: passes that are not repeated, by what begins them
        self._count: Dict[int, int] = {}
        self._labels: Dict[int, int] = {}
        self._addresses: Dict[int, Dict[int, int]] = {}
        self._passes: Dict[int, List[_Pass]] = {}
        self._live: Dict[int, Set[int]] = {}
        self._given: Dict[int, List[int]] = {}
        self._thread: Dict[int, int] = {}
        self._there = 0  # the container of the trace: what is at one address
        self._counted: Dict[int, int] = {}  # by that: its elements
        self._keys: Dict[int, Dict[int, int]] = {}  # by container: small numbers for keys
        self._moved: Dict[int, int] = {}  # by that: which container lies there, if it is another one
        self._memory: Dict[Tuple[int, int], int] = {}  # by kind, and where its elements are: a container
        self._ranks: Dict[int, int] = {}  # by the place in `numbers`: what is put there as a number in the same order
        self._snapshots: Set[Tuple[int, int]] = set()  # containers, and where states of them are
        self._more = NONE_MORE  # keys in named indexes of the next operation
        self.asked: Dict[int, List[int]] = {}  # by container: how many elements were asked in vain before each that had expired
        for event in in_order(trace):
            self._take(event)
        order = {rank: number for number, rank in enumerate(sorted(set(self._ranks.values())), 1)}
        for at, rank in self._ranks.items():
            self.numbers[at] = order[rank]

    def _take(self, event: Any) -> None:
        what, thread, container = event[:3]
        if what in (CALL, END):
            self._counted[container] = self._counted.get(container, 0) + event[5 if what == CALL else 7]
        if what == LIES:
            self._lies(container, event[3], event[4])
            return
        self._there, container = container, self._moved.get(container, container)
        if what == GIVEN:
            self._given.setdefault(thread, []).append(event[3])
        elif what == ASKED:
            self.asked.setdefault(container, []).append(event[3])
        elif what == STEP:
            passes = self._passes.get(thread, [])
            if event[3] < len(passes):
                self._step(passes[-1 - event[3]], event[4])
        elif what == CALL:
            self._seen(thread, container)
            self._call(thread, container, event)
        elif what == BEGIN:
            self._seen(thread, container)
            self._begin(thread, container, event)
        elif what == END:
            self._end(thread, container, event)
        elif what == FRAME:
            self.frames.append(len(self.numbers) // RECORD)
            self.lengths.append(event[4])

    def _lies(self, there: int, memory: int, by_itself: bool) -> None:
        """Where the elements of a container are: so it is known again if it was moved as a struct."""
        container, kind = self._moved.get(there, there), self.trace.lists[there]
        if by_itself:
            self._memory[kind, memory] = container
        elif memory == 0:
            self._moved[there] = number = NEW + len(self.trace.lists)
            self.trace.lists[number] = kind
        elif (kind, memory) in self._memory:
            self._moved[there] = self._memory[kind, memory]

    def _initialised(self, container: int) -> int:
        """T_init makes an empty container of what is there: another one, if that had elements."""
        if self._count.get(container, 0) == 0:
            self._keys.pop(container, None)
            return container
        self._moved[self._there] = number = NEW + len(self.trace.lists)
        self.trace.lists[number] = self.trace.lists[container]
        return number

    def _seen(self, thread: int, container: int) -> None:
        """Is the order known in which threads used it?"""
        if self._thread.setdefault(container, thread) == thread:
            return
        if not self._in_turns(container):
            return
        if any(each.container == container and each.loops and not each.reads
                 for other, passes in self._passes.items() if other != thread for each in passes):
            self.odd.setdefault(self.trace.lists[container], "a thread used it while a pass of another one was live")

    def _in_turns(self, container: int) -> bool:
        """Does the trace have in which order threads did something?"""
        if self.trace.format < IN_TURNS:
            self.odd.setdefault(self.trace.lists[container], f"several threads used it, in an order that a trace in format "
                                                             f"{self.trace.format} does not have")
        return self.trace.format >= IN_TURNS

    def _kind(self, container: int) -> Kind:
        return self.trace.kind(container)

    def _put(self, what: int, container: int, number: int = 0, passing: int = 0, label: int = 0, key: int = 0, other: int = 0,
             status: int = 0, count: int = UNKNOWN) -> None:
        self.numbers.extend((what, container, number, passing, label, key & UNKNOWN, other & UNKNOWN, status, count, 0,
                             *self._more))
        self._more = NONE_MORE

    def _step(self, passing: _Pass, steps: int) -> None:
        passing.told += steps
        if passing.number >= 0 and steps > 0:
            self._put(STEPS, passing.container, passing=passing.number, other=int(passing.reads), count=steps)

    def _grown(self, container: int, grown: int, name: str, status: int, letter: str) -> int:
        before = self._count.get(container, 0)
        self._count[container] = self._counted[self._there]
        grown = self._count[container] - before
        kind = self._kind(container)
        other = letter in "Aa" and grown not in (0, 1) or letter == "R" and grown not in (0, -1) and not kind.tree
        if other and not kind.expires and not kind.waits:
            self.odd.setdefault(self.trace.lists[container], "it had elements before the trace began, was moved in memory, or "
                                                             "was changed by functions that its calls call")
        return self._count[container]

    def _operands(self, thread: int, container: int, number: int) -> Tuple[str, List[int]]:
        kind = self._kind(container)
        calls = self.calls.setdefault(self.trace.lists[container], {})
        calls[number] = calls.get(number, 0) + 1
        given, words = self._given.pop(thread, []), kind.words.get(number, "x")
        self._more = NONE_MORE
        words = self._take_place(container, words, given)
        self._take_more([word for word in words if word in (RANKED, HASHED, ORDERED)], given)
        return operands(words), given

    def _take_place(self, container: int, words: str, given: List[int]) -> str:
        """The layer, or the element beside or beneath which one is put. The words of what is given besides."""
        at = next((at for at, word in enumerate(words) if word in PLACES), -1)
        if at < 0 or len(given) < len(words):
            return words
        handles = sum(word in ("h", AT_HANDLE) for word in words)
        size = 1 + (len(given) - len(words)) // max(handles, 1)  # numbers of a handle
        first = at + (size - 1) * words[:at].count("h")
        numbers = given[first:first + (size if words[at] == AT_HANDLE else 1)]
        del given[first:first + len(numbers)]
        label = self._address(container, numbers[0]) if words[at] == AT_ADDRESS and numbers[0] else 0
        key, other = (numbers + [0])[:2] if words[at] != AT_ADDRESS else (0, 0)
        if words[at] == LAYER:
            key = min(key, UNKNOWN)
        if words[at] == AT_KEY:  # `other`: there is one
            key, other = (0, 0) if key >> 32 else (self._key(container, key, False), 1)
        self._more = (label, key & UNKNOWN, other & UNKNOWN, *NONE_MORE[3:])
        return words[:at] + words[at + 1:]

    def _take_more(self, words: List[str], given: List[int]) -> None:
        """By what an element is sorted, and its keys in named indexes: the last of what a call is given."""
        numbers = given[len(given) - len(words):] if 0 < len(words) <= len(given) else []
        del given[len(given) - len(numbers):]
        more, at = [*self._more[:MORE - TO], *NONE_MORE[MORE - TO:]], 0
        for word, number in zip(words, numbers):
            if word == RANKED:
                self._ranks[len(self.numbers) + RANK] = number
                continue
            if at == INDEXES:
                break  # it is not repeated
            if word == ORDERED:
                self._ranks[len(self.numbers) + MORE + at] = number
            more[MORE - TO + at] = number & UNKNOWN
            at += 1
        self._more = tuple(more)

    def _forget(self) -> None:
        """An operation is not repeated."""
        self._more = NONE_MORE
        for field in range(RANK, RECORD):
            self._ranks.pop(len(self.numbers) + field, None)

    def _address(self, container: int, address: int) -> int:
        known = self._addresses.setdefault(container, {})
        return known.setdefault(address, len(known) + 1)

    def _call(self, thread: int, container: int, event: Any) -> None:
        _, _, _, number, status, grown, hashed, _ = event
        name, letter = self._kind(container).calls[number]
        if name == "init":
            container = self._initialised(container)
        words, given = self._operands(thread, container, number)
        count = self._grown(container, grown, name, status, letter)
        if _did_nothing(status, letter):
            self._forget()
            return
        label, passing = 0, 0
        key, other = numbers_of(words, given)
        if words == "a" and given:
            label = key = self._address(container, given[0])
        elif words == "p":
            passing = self._pass_of(thread, container, given)
            if passing < 0:
                self.odd.setdefault(self.trace.lists[container], "it removes the element of a pass that is not of all elements, "
                                                                 "or began before the trace")
                self._forget()
                return
            key = int(bool(given) and given[0] >= SECOND)
        if letter in "Aa" and words == "-":
            label = key = self._labels[container] = self._labels.get(container, 0) + 1
        if hashed is not None:
            key = hashed
        if words not in ("h", "n", "nn", "p", "d", "m", "mm"):
            key = self._key(container, key, letter in "Aa" and status != RANGE)
        if words in ("m", "mm") and given:
            self._copied(container, name, given[-1])
        self._put(RUN, container, number, passing, label, key, other, status, count)

    def _copied(self, container: int, name: str, memory: int) -> None:
        """A snapshot is at this address, or is brought back."""
        if name.startswith("snapshot"):
            self._snapshots.add((container, memory))
        elif (container, memory) not in self._snapshots:
            self.odd.setdefault(self.trace.lists[container], "it was brought back from where no snapshot of it was copied to")

    def _key(self, container: int, key: int, added: bool) -> int:
        """The same of a dense index, which has room for each number up to it, without a hash."""
        if not self._kind(container).dense:
            return key
        known = self._keys.setdefault(container, {})
        if added:
            known.setdefault(key, len(known))
        return known.get(key, BEYOND)

    def _pass_of(self, thread: int, container: int, given: List[int]) -> int:
        """The pass that a cursor is of."""
        passes = self._passes.get(thread, [])
        if given:
            passes = passes[:len(passes) - given[0] % SECOND]
        return next((each.number for each in reversed(passes)
                     if each.container == container and (each.number >= 0 and each.loops or each.left_out)), -1)

    def _begin(self, thread: int, container: int, event: Any) -> None:
        number, elements = event[3:5]
        name, letter = self._kind(container).calls[number]
        if letter in "Qq" and not self._repeated(thread, container, number):
            self._given.pop(thread, None)
            skipped = self.skipped.setdefault(self.trace.lists[container], {})
            skipped[name] = skipped.get(name, 0) + 1
            self._passes.setdefault(thread, []).append(_Pass(container, -1, 0, letter))
            return
        words, given = self._operands(thread, container, number)
        live = self._live.setdefault(container, set())
        passing = -1
        if self._count.get(container, 0) != elements and letter in "PS" and not self._kind(container).expires:
            self.odd.setdefault(self.trace.lists[container], "it had elements before the trace began, or was moved in memory")
        if letter in "PpQq" or name == "update":
            passing = next((each for each in range(PASSES) if each not in live), -1)
            if passing < 0:
                self.odd.setdefault(self.trace.lists[container], f"more than {PASSES} of its passes are live")
            live.add(passing)
        label, key, other = self._begun_by(thread, container, words, given) if letter in "Qq" else \
            (0, given[0], given[0] >> 32) if given else (0, 0, 0)
        self._passes.setdefault(thread, []).append(_Pass(container, passing, len(self.numbers), letter))
        self._put(BEGINS if passing >= 0 else RUN, container, number, max(passing, 0), label, key, other, UNKNOWN)

    def _begun_by(self, thread: int, container: int, words: str, given: List[int]) -> Tuple[int, int, int]:
        """What a pass that is not of all elements is given: a label, and what numbers_of has."""
        label = 0
        key, other = numbers_of(words, given)
        if words == OF_PASS:
            key = self._pass_of(thread, container, given)
        elif words == "a":
            label = key = self._address(container, given[0])
        if words in ("a", "k"):
            key = self._key(container, key, False)
        return label, key, other

    def _repeated(self, thread: int, container: int, number: int) -> bool:
        """Is a pass repeated that is not of all elements? Else it is left out, unless it removes elements."""
        kind = self._kind(container)
        name, words, given = kind.calls[number][0], kind.words.get(number, "x"), self._given.get(thread, [])
        if name == PAIRS or not name.startswith((*ANYWHERE, *IN_INDEX, BESIDE)):
            return name == PAIRS
        if words == OF_PASS:
            return self._pass_of(thread, container, given) >= 0
        return UNREPEATED not in words and bool(given or words == "-")

    def _end(self, thread: int, container: int, event: Any) -> None:
        visited, early, status, above = event[3:7]
        passes = self._passes.get(thread, [])
        for each in passes[len(passes) - min(above, len(passes)):]:
            self._live[each.container].discard(each.number)
        del passes[len(passes) - min(above, len(passes)):]
        if not passes:
            return
        ended = passes.pop()
        self._live[ended.container].discard(ended.number)
        self._count[container] = self._counted[self._there]
        if ended.number >= 0:
            self._step(ended, visited - ended.told)
            self._put(ENDS, container, passing=ended.number, key=int(early), other=int(ended.reads),
                      count=UNKNOWN if ended.loops else self._count[container])
        elif not ended.left_out:
            self.numbers[ended.at + STATUS] = status
            self.numbers[ended.at + COUNT] = self._count[container]
