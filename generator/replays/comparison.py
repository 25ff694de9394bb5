"""Replays of a trace: on the containers that it was recorded with, and on those of another spec."""

from __future__ import annotations

import os
from array import array
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..text.diag import Diagnostics
from ..traces.reader import Kind, Trace
from . import operations as ops
from .operations import RECORD, UNKNOWN, Decoded
from .posts import Posted
from .program import Failed, Program
from .refusals import STATED, LeftOut, compare_contracts, over, placed, refuse, refused, unknown, unrepeated
from .shrinking import Reduced, reduced
from .standins import StandIn, Unrepeated, of_container, of_kind, order_of, unknown_calls


class Replay(NamedTuple):
    """What came out of it."""

    repeated: List[str]  # kinds of containers
    left_out: List[Tuple[str, str]]  # those that cannot be repeated, and why
    operations: int
    parted: Optional[Failed]
    other: bool  # was it the containers of the other spec that parted?
    name: str  # of the container that did
    reduced: Optional[Reduced]
    kind: Optional[Kind]  # of the container that parted
    standin: Optional[StandIn]


class Recorded(NamedTuple):
    """What a program has recorded, as far as it can be repeated, and repeated once."""

    decoded: Decoded
    standins: Dict[int, StandIn]  # by kind of containers
    left_out: List[LeftOut]
    numbers: "array[int]"  # the operations
    lists: List[int]  # the kind of each container, from the first on
    frames: List[int]  # by frame: how many operations there are before its end
    program: Program
    failed: Optional[Failed]
    seen: str  # a file: which element each step of a pass, and each look by handle, came to


def recorded(path: str, folder: str, specs: Sequence[Any] = ()) -> Recorded:
    """Repeats a trace in a program that is built in `folder`. `specs`: those that the user names."""
    decoded = Posted(Trace(path, all=True))
    if not decoded.trace.kinds:
        raise refused(path, "no container was used in it", "record one while containers with `emit: {trace: true}` are used")
    if not any(kind.words for kind in decoded.trace.kinds.values()):
        raise refused(path, "it has what a report needs only", "record it with -DBESPOKE_TRACE=2")
    standins, left_out = _standins(decoded)
    if not standins:
        raise refused(path, "; ".join(f"`{name}`: {why}" for name, why in placed(left_out, specs)), STATED)
    numbers, lists, frames, asked = _chosen(decoded, standins)
    program = Program(os.path.join(folder, "recorded"), standins, decoded.trace.kinds, decoded.calls, lists)
    _check_policies(path, decoded, program)
    program.build()
    seen = os.path.join(folder, "seen")
    failed, _ = program.run(numbers, "record", seen, asked)
    if failed is None and any(asked):
        numbers, frames = _with_expired(numbers, frames, seen + ".gone")
    return Recorded(decoded, standins, left_out, numbers, lists, frames, program, failed, seen)


def replay(path: str, folder: str, spec: Any = None) -> Replay:
    """Repeats a trace in programs that are built in `folder`."""
    specs = [spec] if spec is not None else []
    decoded, standins, left_out, numbers, lists, _, program, failed, seen = done = recorded(path, folder, specs)
    others = _others(spec, program, done) if spec is not None else None
    labelled, other = told(done), False
    if failed is None and others is not None:
        program, other = Program(os.path.join(folder, "other"), others, decoded.trace.kinds, decoded.calls, lists), True
        program.build()
        failed, _ = program.run(labelled, "compare", seen)
    parted = lists[failed.container - 1] if failed is not None and failed.container else None
    few = None if failed is None else reduced(program, labelled, failed)
    return Replay([standin.name for standin in standins.values()], placed(left_out, specs), len(numbers) // RECORD, failed, other,
                  standins[parted].name if parted is not None else "a container", few,
                  decoded.trace.kinds.get(parted or 0), (others if other and others else standins).get(parted or 0))


def _standins(decoded: Decoded) -> Tuple[Dict[int, StandIn], List[LeftOut]]:
    """Stand-ins by kind, and for which kinds there are none."""
    standins: Dict[int, StandIn] = {}
    left_out: List[LeftOut] = []

    def leave(name: str, why: str, path: str = "") -> None:
        left_out.append(LeftOut(name, Unrepeated(why, path)))

    of_layers = {f"{kind.name}_layer" for kind in decoded.trace.kinds.values() if kind.layered}
    for number, kind in decoded.trace.kinds.items():
        if kind.name in of_layers:
            if number in decoded.calls:
                leave(kind.name, "its containers are layers, of which only calls for all layers are repeated")
            continue
        standin, odd = of_kind(kind)
        used = decoded.calls.get(number, {})
        other = unknown_calls(kind, standin, used) if standin is not None else []
        why = decoded.odd.get(number, "") or ("it calls " + ", ".join(other) if other else "")
        if odd is not None:
            leave(kind.name, *odd)
        elif why or standin is None or number not in decoded.calls:
            leave(kind.name, why or "it was not used")
        elif any(each.name == standin.name for each in standins.values()):
            leave(kind.name, "another kind of containers in the trace has the same name")
        else:
            standins[number] = standin
    return standins, left_out


def _chosen(decoded: Decoded, standins: Dict[int, StandIn]) -> Tuple["array[int]", List[int], List[int], List[List[int]]]:
    """The operations of these kinds, with their containers numbered anew; the kind of each; the ends of frames; what elements of
    each answered."""
    renumbered: Dict[int, int] = {}
    lists: List[int] = []
    for container, kind in decoded.trace.lists.items():
        if kind in standins:
            lists.append(kind)
            renumbered[container] = len(lists)
    numbers, chosen = decoded.numbers, array("I")
    frames: List[int] = []
    for at in range(0, len(numbers), RECORD):
        while len(frames) < len(decoded.frames) and decoded.frames[len(frames)] * RECORD <= at:
            frames.append(len(chosen) // RECORD)
        container = renumbered.get(numbers[at + ops.LIST])
        if container is not None:
            chosen.extend(numbers[at:at + RECORD])
            chosen[-RECORD + ops.LIST] = container
    return chosen, lists, frames, _answers(decoded, list(renumbered))


def _answers(decoded: Decoded, containers: Sequence[int]) -> List[List[int]]:
    """What elements of each answered. Layers of a kind were asked one after the other, whichever containers they are of: that
    is what the first one of these has."""
    of_layers = {decoded.trace.kind(container).name: asked for container, asked in decoded.asked.items()}
    kinds = [decoded.trace.kind(container) for container in containers]
    return [of_layers.pop(f"{kind.name}_layer", []) if kind.layered else decoded.asked.get(container, [])
            for container, kind in zip(containers, kinds)]


def _with_expired(numbers: "array[int]", frames: List[int], path: str) -> Tuple["array[int]", List[int]]:
    """The operations and ends of frames, with what has expired: the file has operations, containers and elements."""
    gone, whole, at, ends = array("I"), array("I"), 0, []
    with open(path, "rb") as file:
        gone.frombytes(file.read())
    for each in range(0, len(gone), 3):
        operation, container, label = gone[each:each + 3]
        whole.extend(numbers[at * RECORD:operation * RECORD])
        while len(ends) < len(frames) and frames[len(ends)] <= operation:
            ends.append(frames[len(ends)] + each // 3)
        whole.extend((ops.EXPIRES, container, 0, 0, label, 0, 0, 0, UNKNOWN, 0, *ops.NONE_MORE))
        at = operation
    whole.extend(numbers[at * RECORD:])
    return whole, ends + [end + len(gone) // 3 for end in frames[len(ends):]]


def _check_policies(path: str, decoded: Decoded, program: Program) -> None:
    """Does this version of the generator choose what the program had?"""
    from ..operations.traced import policy_of

    for number, container in program.containers.items():
        made = dict(part.split("=", 1) for part in policy_of(container).split(";"))
        for policy, value in decoded.trace.kinds[number].policy.items():
            if policy != "element.type" and made.get(policy) != value:
                raise refused(path, f"`{container.name}` had {policy} {value}, and this version makes it {made.get(policy)}",
                              "replay it with the version that generated the containers")


def _others(spec: Any, first: Program, done: Recorded) -> Dict[int, StandIn]:
    """The stand-ins of another spec for those of the trace."""
    by_name = {container.full_name: container for container in spec.containers}
    found: Dict[int, StandIn] = {}
    problems = Diagnostics()
    for number, standin in done.standins.items():
        container = by_name.get(standin.name)
        if container is None:
            unknown(problems, spec, standin.name, {kind.name for kind in done.decoded.trace.kinds.values()})
            continue
        compare_contracts(first.containers[number], container, problems)
        other, odd = of_container(container)
        if other is None and odd is not None:
            unrepeated(problems, container, odd)
        elif other is not None:
            _check_removal(problems, first.containers[number], container)
            found[number] = other
    over(problems)
    return found


def _check_removal(problems: Diagnostics, recorded: Any, container: Any) -> None:
    """May a container have another removal policy in a replay?"""
    path = "removal.policy"
    was = recorded[path]
    if was == container[path]:
        return
    help = f"`{path}: {was}`, as in the trace; storage, index and growth may differ"
    if order_of(recorded) in ("unordered", "heap"):
        refuse(problems, container, f"has `{path}: {container[path]}` and had `{was}`: without an order, another one visits "
                                    "elements in another order, and the operations in loops are about certain ones", path, help)
    elif recorded["changes"] == "recorded":
        refuse(problems, container, f"has `{path}: {container[path]}` and had `{was}`: another one gives elements other handles, "
                                    "and what has changed is reported by these", path, help)


def seen_labels(done: Recorded) -> "array[int]":
    labels = array("I")
    with open(done.seen, "rb") as file:
        labels.frombytes(file.read())
    return labels


def told(done: Recorded) -> "array[int]":
    """The operations, in which handles are told by the elements that they are of, as the program has found out."""
    kinds, numbers, labels = done.decoded.trace.kinds, done.numbers, seen_labels(done)
    by_handle = [set(), *(kinds[kind].by_handle for kind in done.lists)]
    beside = [set(), *(kinds[kind].beside_handle for kind in done.lists)]
    told, at_label = array("I", numbers), 0
    for at in range(0, len(numbers), RECORD):
        what, kind = numbers[at + ops.WHAT], by_handle[numbers[at + ops.LIST]]
        if what == ops.STEPS:
            at_label += numbers[at + ops.COUNT]
            continue
        for field, calls in ((ops.TO, beside[numbers[at + ops.LIST]]), (ops.LABEL, kind)):
            if what not in (ops.RUN, ops.BEGINS) or numbers[at + ops.NUMBER] not in calls:
                continue
            if at_label >= len(labels):
                return told
            if labels[at_label]:  # else it is of none, or of one that has another by now
                told[at + field] = labels[at_label]
                told[at + field + 1] = told[at + field + 2] = 0
            at_label += 1
    return told
