"""Which policy, storage, index and capacity serve best what a program has done with its containers."""

from __future__ import annotations

import os
import random
import time
from statistics import median
from typing import AbstractSet, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..replays.comparison import Recorded, recorded, seen_labels, told
from ..replays.refusals import compare_contracts, over, placed, refused, where
from ..replays.standins import Unrepeated, of_container
from ..text.diag import Diagnostics
from .candidates import Found, candidates
from .measures import Measured, Rounds
from .program import FLAGS, Program
from .work import Work, works

SWEEP = 4 << 20  # bytes that are swept before what is timed, at most
SWEPT = 64 << 20  # in one run
LEAST = 6  # rounds
BY_INDEX = ("remove_at", "take_at")
BY_ROW = ("remove", "take", "contains")  # of elements in columns
UNORDERED = ("unordered", "heap")  # a pass may come to elements in another order


class Wanted(NamedTuple):
    """What the caller of `tune` wants."""

    names: Sequence[str]  # of containers; none: all
    cc: Optional[str]
    flags: str = FLAGS
    seconds: float = 45
    sweep: Optional[int] = None  # bytes; None: by the length of frames
    called: Optional[Callable[[Any], AbstractSet[str]]] = None  # the operations of a container that the program calls
    words: Optional[Callable[[str], bool]] = None  # does a word stand in its sources?


class Tuned(NamedTuple):
    """What came out of it for one container."""

    name: str
    container: Any
    operations: int
    frames: int
    most: int  # elements
    sweep: int
    reading: float  # nanoseconds without a container
    rounds: int
    measured: List[Measured]
    lacking: Dict[str, int]
    skipped: Dict[str, int]  # passes that were not measured, by what begins them
    parted: List[Measured]  # candidates that returned something else: they are at fault
    runs: Rounds  # each of them


class Outcome(NamedTuple):
    tuned: List[Tuned]
    left_out: List[Tuple[str, str]]
    interrupted: bool


Progress = Callable[[str], None]


def tune(path: str, folder: str, specs: Sequence[Any], wanted: Wanted, progress: Progress) -> Outcome:
    """Measures candidates for the containers of a trace, in programs that are built in `folder`."""
    progress(f"reading {path}")
    done = recorded(path, folder, specs)
    if done.failed is not None:
        raise refused(path, "its containers part from it when they are repeated, so there is nothing to measure",
                      "`bespoke replay` shows where", "tuned")
    labels = seen_labels(done)
    found = works(done, told(done), labels)
    left_out = placed(done.left_out, specs)
    chosen = _chosen(path, done, found, specs, wanted, left_out)
    tuned: List[Tuned] = []
    spent = 0.0  # in measuring
    try:
        for at, (number, container, of) in enumerate(chosen):
            rest = sum(len(each.candidates) for _, _, each in chosen[at:])
            share = max(0.0, wanted.seconds - spent) * len(of.candidates) / rest
            one, stopped, took = _measure(os.path.join(folder, container.full_name), done, number, container, found[number],
                                          of, wanted, share, progress)
            tuned.append(one)
            spent += took
            if stopped:
                return Outcome(tuned, left_out, True)
    except KeyboardInterrupt:
        if not tuned:
            raise
        return Outcome(tuned, left_out, True)
    return Outcome(tuned, left_out, False)


def _chosen(path: str, done: Recorded, found: Dict[int, Work], specs: Sequence[Any], wanted: Wanted,
            left_out: List[Tuple[str, str]]) -> List[Tuple[int, Any, Found]]:
    """The containers that are measured, each with its candidates."""
    by_name = {container.full_name: (container, spec) for spec in specs for container in spec.containers}
    names = {name for name, _ in left_out} | {standin.name for standin in done.standins.values()}
    _check_names(path, names, specs, by_name, wanted)
    chosen, problems = [], Diagnostics()
    for number, standin in done.standins.items():
        work, recorded_as = found[number], done.program.containers[number]
        container, spec = by_name.get(standin.name, (recorded_as, None))
        if specs and spec is None or wanted.names and standin.name not in wanted.names:
            continue
        if spec is not None:
            compare_contracts(recorded_as, container, problems)
        odd = of_container(container)[1] or _apart(container) or (Unrepeated(work.odd) if work.odd else None)
        if odd is not None:
            left_out.append((standin.name, where(container if spec is not None else None, odd)))
            continue
        used = wanted.called(container) if wanted.called is not None else None
        of = candidates(container, used, work.most, _keeps_policy(container, work, done.decoded.calls[number]),
                        _keeps_field(container, wanted))
        chosen.append((number, container, of))
    over(problems)
    return chosen


def _apart(container: Any) -> Optional[Unrepeated]:
    """What no candidates are known for."""
    if container["changes"] == "recorded":
        return Unrepeated("what has changed (`changes: recorded`) is not measured", "changes")
    if container["side"] is not None:
        return Unrepeated("what elements have beside them (`side`) is not measured", "side")
    apart = {"layered": "containers in layers are not measured", "tree": "trees have one arrangement only"}
    why = apart.get(container["ordering"])
    return Unrepeated(why, "ordering") if why else None


def _check_names(path: str, names: AbstractSet[str], specs: Sequence[Any], by_name: Dict[str, Any], wanted: Wanted) -> None:
    """Does the trace have the containers that are asked for?"""
    for name in wanted.names:
        if name not in names:
            raise refused(path, f"it has no container `{name}`", "those that it has: " + ", ".join(sorted(names)), "tuned")
    if specs and not names & set(by_name):
        raise refused(path, "it is of another spec: none of its containers is in " + ", ".join(spec.path for spec in specs),
                      "its containers: " + ", ".join(sorted(names)), "tuned")


def _keeps_policy(container: Any, work: Work, calls: Dict[int, int]) -> bool:
    """Would another policy do the recorded operations with other elements?"""
    return container["ordering"] in UNORDERED and (
        container["element.by"] == "pointer" and container["duplicates"] == "allow"
        or any(name in BY_INDEX or name in BY_ROW and work.kind.words.get(call) == "n"
               for call, name in ((call, work.kind.calls[call][0]) for call in calls)))


def _keeps_field(container: Any, wanted: Wanted) -> bool:
    """May the program read the member of the element that has its index?"""
    field = container["index.field"]
    return field is not None and (wanted.words is None or wanted.words(field))


def _measure(folder: str, done: Recorded, number: int, container: Any, work: Work, found: Found, wanted: Wanted, seconds: float,
             progress: Progress) -> Tuple[Tuned, bool, float]:
    """The second: was it interrupted? The third: for how long was measured?"""
    name, total = container.full_name, len(found.candidates)
    by_label = container["ordering"] in UNORDERED and len({each.container["removal.policy"] for each in found.candidates}) > 1
    program = Program(folder, work.kind, done.decoded.calls[number], by_label, wanted.cc, wanted.flags)
    program.build(found.candidates, lambda built: progress(f"compiling `{name}`: {built} of {total} candidates"))
    sweep = wanted.sweep if wanted.sweep is not None else sweep_of(done.decoded.lengths)
    spans = work.spans(sweep > 0)
    every = max(1, -(-sweep * (len(spans) - 1) // SWEPT))
    began = time.monotonic()
    program.start(work.written(by_label, spans), len(spans) - 1)
    rounds = Rounds(found.candidates)
    reading = []
    order, stopped = random.Random(1), False
    try:
        while rounds.number < LEAST or time.monotonic() - began < seconds:
            live = rounds.live()
            order.shuffle(live)
            runs = {}
            for each in [total, *live]:
                run = program.run(each, sweep, every, rounds.number % every)
                if run is None:
                    raise refused(done.decoded.trace.path, f"a candidate for `{name}` crashes: {found.candidates[each].given}",
                                  "`bespoke replay --spec` with such a spec shows where", "tuned")
                runs[each] = run
            reading.append(sum(runs.pop(total).times) * every)
            for each, run in runs.items():
                rounds.runs[each][rounds.number] = run
            rounds.number += 1
            rounds.drop()
            progress(f"measuring `{name}`: {rounds.number} rounds, {len(live)} of {total} candidates")
    except KeyboardInterrupt:
        if rounds.number == 0:
            raise
        stopped = True
    finally:
        program.stop()
    return _tuned(name, container, done, work, sweep, reading, rounds, found, by_label), stopped, time.monotonic() - began


def _tuned(name: str, container: Any, done: Recorded, work: Work, sweep: int, reading: List[float], rounds: Rounds, found: Found,
           by_label: bool) -> Tuned:
    measured = rounds.measured()
    digest = next(iter(rounds.runs[0].values())).digest
    others = {id(rounds.candidates[each]) for each, runs in enumerate(rounds.runs)
              if not by_label and any(run.digest != digest for run in runs.values())}
    parted = [one for one in measured if id(one.candidate) in others]
    return Tuned(name, container, work.operations, len(done.frames), work.most, sweep, median(reading), rounds.number,
                 [one for one in measured if id(one.candidate) not in others], found.lacking, work.skipped, parted, rounds)


def sweep_of(lengths: List[int]) -> int:
    """How many bytes are swept before a frame: a byte for each nanosecond that frames take, as a program that goes through
    1 GB/s of other memory in between; at most 4 MB."""
    return min(SWEEP, int(median(lengths)) * 1000 if lengths else 0) // 4096 * 4096

