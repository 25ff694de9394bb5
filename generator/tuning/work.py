"""The operations of one kind of containers as candidates repeat them: passes, and what is done inside of them."""

from __future__ import annotations

import struct
from array import array
from typing import Any, Dict, List, Optional, Tuple

from ..operations.traced import SOME, SOME_READING
from ..replays import operations as ops
from ..replays.comparison import Recorded
from ..replays.operations import HASHED, ORDERED, RANKED, RECORD, UNKNOWN, operands
from ..replays.posts import INBOX, POSTS
from ..replays.standins import StandIn

# Numbers of an operation, as struct tn_op of templates/test/tune/core.h has them.
FIELDS = 5
GROUP = 0xFFFF0000  # no call: what is done while a pass stands on one element
EXPIRES = 0xFFFF0001  # no call: an element has expired
WORKER = 0xFFFF0002  # no call: the number of a worker, and by what the next changes are ordered that it notes
KEYS = 0xFFFF0010  # no call: the key of an element in the first named index; the next ones are the others
REMOVES = 1 << 15  # is added to the call that begins a pass in which nothing is done but to remove the current element
SPANS = 200  # that are timed: frames, or several together
MOST = 5000  # with other memory in between


class Node:
    """An operation, with what is done inside of it."""

    __slots__ = ("call", "list", "label", "key", "inner", "removes")

    def __init__(self, call: int, list_: int, label: int = 0, key: int = 0):
        self.call, self.list, self.label, self.key = call, list_, label, key
        self.inner: List["Node"] = []
        self.removes = False  # is it the removal of the current element of the innermost pass?


class _Pass:
    """One that is under way."""

    def __init__(self, node: Node, number: int):
        self.node, self.number, self.steps, self.label = node, number, 0, 0
        self.group: Optional[Node] = None
        self.left_out = False


class Work:
    """What was done with the containers of one kind."""

    def __init__(self, kind: Any, standin: StandIn):
        self.kind, self._text, self._pointers, self.indexes = kind, standin.text, standin.pointed, standin.indexes
        self.top: List[Node] = []
        self.lists: Dict[int, int] = {}
        self.labels: Dict[Tuple[int, int], int] = {}
        self.keys = [0]  # by label: the key of an element that others point to
        self.ranks = [0]  # by label: what an element is sorted by
        self.more = [[0] for _ in range(ops.INDEXES)]  # by label: its keys in named indexes
        self.memories: Dict[int, int] = {}  # by address: numbers of snapshots
        self.texts: Dict[int, int] = {}
        self.ends: List[int] = []  # of frames: how many operations at the top there were
        self.odd = ""
        self._worker = (0, 0)  # the last one that noted something
        self.inside = False  # is anything done inside of passes?
        self.skipped: Dict[str, int] = {}  # passes that are not over all elements, by what begins them: they are not measured
        self._stack: List[_Pass] = []
        self._measured: List[_Pass] = []  # of these those over all elements
        self.most = self.depth = self.operations = 0

    def label(self, list_: int, label: int) -> int:
        if label == 0:
            return 0
        if self._pointers:
            list_ = 0  # an element may be in several
        found = self.labels.get((list_, label))
        if found is None:
            found = self.labels[list_, label] = len(self.keys)
            self.keys.append(0)
            self.ranks.append(0)
            for each in self.more:
                each.append(0)
        return found

    def _put(self, node: Node) -> None:
        if not self._measured:
            self.top.append(node)
            return
        passing = self._measured[-1]
        self.inside = True
        if passing.group is None:
            passing.group = Node(GROUP, passing.node.list, passing.label, passing.steps)
            passing.node.inner.append(passing.group)
        passing.group.inner.append(node)

    def take(self, op: "array[int]", labels: "array[int]") -> None:
        """The next operation; `labels`: of the elements that its steps came to."""
        self.operations += 1
        what, number, list_ = op[ops.WHAT], op[ops.PASS], self.lists.setdefault(op[ops.LIST], len(self.lists))
        words = operands(self.kind.words.get(op[ops.NUMBER], "")) if what == ops.RUN else ""
        if op[ops.COUNT] != UNKNOWN and what != ops.STEPS:
            self.most = max(self.most, op[ops.COUNT])
        if what == ops.BEGINS:
            self._begins(Node(op[ops.NUMBER], list_, 0, UNKNOWN), number)
        elif what in (ops.STEPS, ops.ENDS):
            self._goes_on(op, list_, labels)
        elif what == ops.EXPIRES:
            self._put(Node(EXPIRES, list_, self.label(op[ops.LIST], op[ops.LABEL])))
        elif words not in ("m", "mm") or op[ops.STATUS] == 0:  # else nothing was copied
            self._put(self._call(op, list_, words))

    def _begins(self, node: Node, number: int) -> None:
        """A pass begins; one over some elements only is not measured."""
        self._stack.append(_Pass(node, number))
        name, letter = self.kind.calls[node.call]
        if letter in (SOME, SOME_READING):
            self.skipped[name] = self.skipped.get(name, 0) + 1
        else:
            self._put(node)
            self._measured.append(self._stack[-1])
            self.depth = max(self.depth, len(self._measured))

    def _goes_on(self, op: "array[int]", list_: int, labels: "array[int]") -> None:
        """It comes to elements, or is over."""
        passing = self._stack[-1] if self._stack else None
        if passing is None or passing.number != op[ops.PASS] or passing.node.list != list_:
            self.odd = self.odd or "its passes are not inside of each other"
        elif op[ops.WHAT] == ops.STEPS:
            passing.steps += op[ops.COUNT]
            passing.label = self.label(op[ops.LIST], labels[-1])
            passing.group = None
        else:
            if op[ops.KEY]:
                passing.node.key, passing.node.label = passing.steps, passing.label
            self._stack.pop()
            self._measured = [each for each in self._measured if each is not passing]

    def _call(self, op: "array[int]", list_: int, words: str) -> Node:
        key, whole, letter = op[ops.KEY], self.kind.words.get(op[ops.NUMBER], ""), self.kind.calls[op[ops.NUMBER]][1]
        label = self.label(op[ops.LIST], op[ops.LABEL])
        letter = self._noted(op, list_) or letter
        if words in ("m", "mm", "nn"):
            first, second = key, op[ops.OTHER]
            if words != "nn":
                first, second = (self.memories.setdefault(each, len(self.memories)) for each in (first, second))
            return Node(op[ops.NUMBER], list_, second, first)
        if HASHED in whole or ORDERED in whole:
            self._named(op, list_, label, letter, words)
            if letter not in "Aa":
                return Node(op[ops.NUMBER], list_, label, op[ops.MORE])
        if RANKED in whole:
            return self._ranked(op, list_, label, words)
        if words == "d":
            return Node(op[ops.NUMBER], list_, 0, min(int(real(op[ops.OTHER] << 32 | key) * 1e6), UNKNOWN))
        if self._text and words in ("k", "-", "ak") and key:
            key = self.texts.setdefault(key, len(self.texts) + 1)
        if words == "p":
            return self._current(op, list_)
        if self._pointers and label:
            self.keys[label] = self.keys[label] or key
        return Node(op[ops.NUMBER], list_, label, key)

    def _noted(self, op: "array[int]", list_: int) -> str:
        """Which worker notes the next change? What that is, if an add."""
        name, worker = self.kind.calls[op[ops.NUMBER]][0], (op[ops.TO_KEY], op[ops.TO])
        if name in POSTS and name != INBOX and worker != self._worker:
            self._worker = worker
            self._put(Node(WORKER, list_, *worker))
        return "A" * (name in POSTS and name.endswith("add"))

    def _current(self, op: "array[int]", list_: int) -> Node:
        """The removal of the element that a pass stands on."""
        depth = next((at for at, each in enumerate(self._measured)
                      if each.number == op[ops.PASS] and each.node.list == list_), None)
        if depth is None:
            self.odd = self.odd or "its passes are not inside of each other, or remove elements and are not over all of them"
            return Node(op[ops.NUMBER], list_)
        node = Node(op[ops.NUMBER], list_, self._measured[depth].label, depth)
        node.removes = depth == len(self._measured) - 1 and self.kind.calls[node.call][0] == "remove_current"
        return node

    def _named(self, op: "array[int]", list_: int, label: int, letter: str, words: str) -> None:
        """What has keys in named indexes is added, or has other keys."""
        adds = letter in "Aa"
        for index, known in enumerate(self.more if adds else ()):
            if self._pointers and known[label] != op[ops.MORE + index]:
                self._put(Node(KEYS + index, list_, label, op[ops.MORE + index]))
            known[label] = op[ops.MORE + index]
        if words in ("h", "a") and not adds and op[ops.STATUS] == 0:
            name = self.kind.calls[op[ops.NUMBER]][0]
            index = next(at for at, each in enumerate(self.indexes) if name == "rekey_" + each)
            if self._pointers:
                self.more[index][label] = op[ops.MORE]

    def _ranked(self, op: "array[int]", list_: int, label: int, words: str) -> Node:
        """An add or T_rekey of what is sorted."""
        self.ranks[label] = self.ranks[label] or op[ops.RANK]
        self.keys[label] = self.keys[label] or op[ops.KEY]
        return Node(op[ops.NUMBER], list_, label, op[ops.RANK] if self._pointers or words.startswith("h") else op[ops.KEY])

    def frame(self) -> None:
        if not self._stack:
            self.ends.append(len(self.top))

    def written(self, by_label: bool, spans: List[int]) -> bytes:
        """The file that programs read; `by_label`: candidates may visit elements in another order; `spans` are timed."""
        numbers = array("I")
        starts: List[int] = []
        for node in self.top:
            starts.append(len(numbers) // FIELDS)
            _flatten(node, numbers, by_label)
        starts.append(len(numbers) // FIELDS)
        timed = array("I", [starts[each] for each in spans])
        head = array("I", [len(self.keys), len(numbers) // FIELDS, len(timed), len(self.lists), len(self.texts) + 1,
                           self.depth, len(self.memories)])
        tables = [array("I", each) for each in (self.keys, self.ranks, *self.more)]
        return b"".join(each.tobytes() for each in (head, *tables, timed, numbers))

    def spans(self, single: bool) -> List[int]:
        """Where what is timed begins, and the end of all: frames, or several together, unless they are to be `single`."""
        ends = [0, *self.ends] if self.ends else [len(self.top) * at // 64 for at in range(64)]
        if ends[-1] != len(self.top):
            ends.append(len(self.top))
        ends = sorted(set(ends))
        step = -(-(len(ends) - 1) // (MOST if single else SPANS)) or 1
        return [*ends[:-1:step], ends[-1]]


def _flatten(node: Node, numbers: "array[int]", by_label: bool) -> None:
    at = len(numbers)
    removes = bool(node.inner) and all(group.key and len(group.inner) == 1 and group.inner[0].removes for group in node.inner)
    numbers.extend((node.call + REMOVES * removes, node.list, node.label, node.key, 0))
    for each in _merged(node.inner) if by_label and node.call != GROUP else node.inner:
        _flatten(each, numbers, by_label)
    numbers[at + 4] = len(numbers) // FIELDS


def _merged(groups: List[Node]) -> List[Node]:
    """One for each element: what is done when the pass comes to it again is done with what was done before."""
    found: Dict[int, Node] = {}
    for group in groups:
        first = found.get(group.label)
        if first is None:
            found[group.label] = group
        else:
            first.inner.extend(group.inner)
    return list(found.values())


def real(bits: int) -> float:
    """A number of a trace: see bespoke_traced_real of templates/support/traced_calls.h."""
    bits = bits ^ 1 << 63 if bits >> 63 else ~bits & (1 << 64) - 1
    return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])


def works(done: Recorded, told: "array[int]", labels: "array[int]") -> Dict[int, Work]:
    """By kind of containers. `told` are its operations, with the elements that handles are of."""
    kinds = done.decoded.trace.kinds
    found = {number: Work(kinds[number], standin) for number, standin in done.standins.items()}
    by_handle = {number: kinds[number].by_handle for number in done.standins}
    beside = {number: kinds[number].beside_handle for number in done.standins}
    at_label, at_frame, none = 0, 0, array("I")
    for at in range(0, len(told), RECORD):
        while at_frame < len(done.frames) and done.frames[at_frame] * RECORD <= at:
            at_frame += 1
            for work in found.values():
                work.frame()
        op, seen = told[at:at + RECORD], none
        kind = done.lists[op[ops.LIST] - 1]
        if op[ops.WHAT] == ops.STEPS:
            seen = labels[at_label:at_label + op[ops.COUNT]]
            at_label += op[ops.COUNT]
        elif op[ops.WHAT] in (ops.RUN, ops.BEGINS):
            at_label += (op[ops.NUMBER] in by_handle[kind]) + (op[ops.NUMBER] in beside[kind])
        found[kind].take(op, seen)
    for number, work in found.items():
        work.skipped.update(done.decoded.skipped.get(number, {}))
    return found
