"""Traces for the tools that people have: chrome's format, which Perfetto, chrome://tracing and Tracy's importer read, and CSV."""

from __future__ import annotations

import csv
import json
from typing import Any, Callable, Dict, Iterator, List, Set, TextIO, Tuple

from ..language.statuses import BY_NUMBER
from .reader import BEGIN, CALL, COMPACT, END, FRAME, REPLAY, RESIZE, Event, Trace

_WORDS = {CALL: "call", BEGIN: "begin", END: "end", FRAME: "frame", RESIZE: "resize", COMPACT: "compact", REPLAY: "replay"}
COLUMNS = ("event", "frame", "thread", "container", "number", "call", "ticks", "status", "grown", "elements", "slots", "visited",
           "early", "key_hash", "key_bytes", "a", "b")


def status(number: int) -> str:
    """What a call returned, by its name."""
    return BY_NUMBER.get(number, str(number))


def rows(trace: Trace) -> Iterator[Tuple[Any, ...]]:
    """A row of COLUMNS for each event."""
    frame = 0
    open_: Dict[int, List[Tuple[int, int]]] = {}  # by thread: the passes that are live
    for event in trace.events():
        what, thread, container = event[:3]
        kind = trace.kind(container) if container else None
        name = kind.name if kind else ""
        head = (_WORDS[what], frame, thread, name, container or "")
        call = kind.calls[event[3]][0] if kind and what in (CALL, BEGIN) else ""
        if what == CALL:
            hashed = ("%08x" % event[6], event[7]) if event[6] is not None else ("", "")
            yield (*head, call, "", status(event[4]), event[5], "", "", "", "", *hashed, "", "")
        elif what == BEGIN:
            open_.setdefault(thread, []).append((container, event[3]))
            yield (*head, call, event[6], "", "", event[4], event[5], "", "", "", "", "", "")
        elif what == END:
            begun = _ended(open_.setdefault(thread, []), event[6])
            call = kind.calls[begun[1]][0] if kind and begun else ""
            yield (*head, call, event[8], status(event[5]), event[7], "", "", event[3], int(event[4]), "", "", "", "")
        elif what == FRAME:
            yield (_WORDS[what], frame, thread, "", "", "", event[3], "", "", "", "", "", "", "", "", event[4], "")
            frame += 1
        else:
            yield (*head, "", "", "", "", "", "", "", "", "", "", *event[3:5], *[""] * (5 - len(event)))


def _ended(open_: List[Any], above: int) -> Any:
    """What ends, of those that are live; `above` it others have been left."""
    del open_[len(open_) - min(above, len(open_)):]
    return open_.pop() if open_ else None


def to_csv(trace: Trace, file: TextIO) -> None:
    """A line for each event, below the names of the columns."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(trace))


class _Chrome:
    """Events of the trace event format: spans (X), counters (C), instants (i), names (M). Times are microseconds."""

    def __init__(self, put: Callable[[Dict[str, Any]], None], microseconds: float):
        self.put, self.us = put, microseconds
        self.open: Dict[int, List[Tuple[Any, ...]]] = {}
        self.counts: Dict[int, int] = {}
        self.changed: Set[int] = set()
        self.now = self.frame = 0.0
        self.threads: Set[int] = set()

    def event(self, trace: Trace, event: Event) -> None:
        what, thread, container = event[:3]
        if thread not in self.threads:
            self.threads.add(thread)
            self.put({"ph": "M", "pid": 1, "tid": thread, "name": "thread_name", "args": {"name": f"thread {thread}"}})
        if what == CALL:
            self._grown(container, event[5])
        elif what == BEGIN:
            self.open.setdefault(thread, []).append((container, event[3], event[4], event[5], event[6]))
        elif what == END:
            self._end(trace, event)
        elif what == FRAME:
            self._frame(trace, event)
        else:
            self._instant(trace, event)

    def _grown(self, container: int, by: int) -> None:
        if by:
            self.counts[container] = self.counts.get(container, 0) + by
            self.changed.add(container)

    def _end(self, trace: Trace, event: Event) -> None:
        begun = _ended(self.open.setdefault(event[1], []), event[6])
        self._grown(event[2], event[7])
        if event[8] is None:
            return  # it was not timed
        self.now = max(self.now, event[8] * self.us)
        if begun is not None:
            kind = trace.kind(begun[0])
            self.put({"ph": "X", "pid": 1, "tid": event[1], "cat": "pass", "name": f"{kind.name}: {kind.calls[begun[1]][0]}",
                      "ts": begun[4] * self.us, "dur": (event[8] - begun[4]) * self.us,
                      "args": {"container": begun[0], "elements": begun[2], "slots": begun[3], "visited": event[3],
                               "early": event[4], "status": status(event[5])}})

    def _frame(self, trace: Trace, event: Event) -> None:
        end = event[3] * self.us
        self.put({"ph": "X", "pid": 1, "tid": 0, "cat": "frame", "name": "frame", "ts": self.frame, "dur": end - self.frame,
                  "args": {"number": trace.frames - 1}})
        self.frame = self.now = end
        for container in sorted(self.changed):
            self.put({"ph": "C", "pid": 1, "tid": 0, "name": f"{trace.kind(container).name} {container}", "ts": end,
                      "args": {"elements": max(0, self.counts[container])}})
        self.changed.clear()

    def _instant(self, trace: Trace, event: Event) -> None:
        name = trace.kind(event[2]).name
        said = {RESIZE: "slots", COMPACT: "moved", REPLAY: "changes"}[event[0]]
        self.put({"ph": "i", "pid": 1, "tid": event[1], "s": "t", "cat": "memory", "name": f"{name}: {_WORDS[event[0]]}",
                  "ts": self.now, "args": {said: event[4] if event[0] == RESIZE else event[3]}})


def to_chrome(trace: Trace, file: TextIO) -> None:
    """One object with a list of events. How long ticks are is known when all has been read: so it is read twice."""
    for _ in trace.events():
        pass
    first = True

    def put(event: Dict[str, Any]) -> None:
        nonlocal first
        file.write("\n" if first else ",\n")
        first = False
        json.dump(event, file)

    file.write('{"displayTimeUnit": "ns", "traceEvents": [')
    again = Trace(trace.path)
    chrome = _Chrome(put, trace.microseconds)
    put({"ph": "M", "pid": 1, "tid": 0, "name": "process_name", "args": {"name": "bespoke"}})
    put({"ph": "M", "pid": 1, "tid": 0, "name": "thread_name", "args": {"name": "frames"}})
    for event in again.events():
        chrome.event(again, event)
    file.write("\n]}\n")
