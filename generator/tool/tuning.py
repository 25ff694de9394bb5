"""The command `tune`: which policies serve best what a program has recorded?"""

import json
import os
import shlex
import shutil
import sys
import tempfile
from typing import Any, Dict, FrozenSet, List, Sequence, Tuple

from ..text import diag
from ..text.files import forget_folder
from .console import ENVIRONMENT, OK, Output, write

SHOWN = 8  # candidates of a container, without --all


def tune(options: Any, output: Output) -> int:
    from ..language.used_names import called_by
    from ..replays.program import compiler
    from ..tuning.program import FLAGS
    from ..tuning.tune import Wanted, tune as measure
    from .specs import load

    if options.write and not options.specs:
        raise diag.failure(ENVIRONMENT, "BSP0414", "--write changes specs, and none is named", help="--spec SPEC names one")
    specs = load(options.specs, options.include, output) if options.specs else []
    words = _words(options.sources)
    flags = options.flags if options.flags is not None else os.environ.get("CFLAGS") or FLAGS
    wanted = Wanted(options.names, options.cc, flags, options.seconds, options.sweep,
                    (lambda container: called_by(container, words)) if options.sources else None,
                    words.__contains__ if options.sources else None)
    folder = options.keep or tempfile.mkdtemp(prefix="bespoke-tune-")
    shown = _Progress(sys.stderr, options.quiet)
    try:
        done = measure(options.trace, os.path.abspath(folder), specs, wanted, shown.tell)
    finally:
        shown.clear()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
            forget_folder(folder)
    built_with = " ".join([*(shlex.split(options.cc) if options.cc else compiler()), *shlex.split(flags)])
    if options.json:
        write(sys.stdout, json.dumps(_data(done, options, built_with), indent=1) + "\n")
    else:
        _print(done, options, built_with)
    if options.write:
        _write_specs(done, specs, options, output)
    return OK if not done.interrupted else 130


def _words(sources: Sequence[str]) -> FrozenSet[str]:
    from ..language.used_names import words_in

    try:
        return words_in(sources)
    except OSError as error:
        raise diag.failure(ENVIRONMENT, "BSP0405", f"cannot read '{error.filename}': {error.strerror or error}")


class _Progress:
    """What is done at present, on a terminal."""

    def __init__(self, stream: Any, quiet: bool):
        self._stream, self._shown = stream, not quiet and stream.isatty()

    def tell(self, text: str) -> None:
        if self._shown:
            write(self._stream, "\r\033[K" + text)
            self._stream.flush()

    def clear(self) -> None:
        self.tell("")


def changed_to(candidate: Any, container: Any) -> str:
    """What a candidate has otherwise than the spec."""
    from ..tuning.writing import changes, spelled

    if candidate.is_now:
        values = candidate.values
        given = (f"{path} {spelled(value)}" for path, value in values.items() if value is not None)
        return "as it is: " + ", ".join(given)
    return ", ".join(f"{path} {value}" if value is not None else f"no {path}"
                     for path, value in changes(container, candidate))


def _print(done: Any, options: Any, built_with: str) -> None:
    for name, why in done.left_out:
        write(sys.stdout, f"`{name}` is not measured: {why}\n")
    for tuned in done.tuned:
        write(sys.stdout, "\n".join(_table(tuned, options)) + "\n")
    if done.interrupted:
        write(sys.stdout, "\ninterrupted: this is what was measured until then\n")
    write(sys.stdout, f"\ncompiled with {built_with}. *: as it is now; +: nothing else is faster and smaller; to now: the median "
                      "of rounds, with an interval of 95 %\n")


def _table(tuned: Any, options: Any) -> List[str]:
    from ..tuning.measures import choice

    lines = ["", f"`{tuned.name}`: {tuned.operations:,} operations in {tuned.frames:,} frames, at most {tuned.most:,} elements; "
             f"{len(tuned.measured)} candidates, {tuned.rounds} rounds, "
             + (f"{tuned.sweep // 1024:,} KB of other memory between frames" if tuned.sweep else "with warm caches")
             + f"; reading the operations takes {_time(tuned.reading)} of the time"]
    rows = [("", "time", "memory", "to now", "", "rounds", "")]
    chosen = choice(tuned.measured, options.price == "memory")
    for one in _rows(tuned, options, chosen):
        mark = "*" * one.candidate.is_now + "+" * one.front
        rows.append((mark, _time(one.nanoseconds), f"{one.bytes:,} B", f"{one.ratio:.2f}", f"{one.low:.2f} to {one.high:.2f}",
                     str(one.rounds), changed_to(one.candidate, tuned.container)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines += ["  ".join([f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(row[1:-1], widths[1:])),
                         row[-1]]).rstrip() for row in rows]
    if len(rows) - 1 < len(tuned.measured):
        lines.append(f"and {len(tuned.measured) - len(rows) + 1} more: --all")
    for one in tuned.parted:
        lines.append(f"at fault: calls return something else with {changed_to(one.candidate, tuned.container)}")
    if tuned.lacking:
        lines.append("left out, since the program may call what they do not have: "
                     + ", ".join(f"{name} ({count})" for name, count in sorted(tuned.lacking.items()))
                     + ("" if options.sources else "; --sources names the files that call"))
    if tuned.skipped:
        lines.append("not in the times: passes that are not over all elements, by what begins them: "
                     + ", ".join(f"{name} ({count:,})" for name, count in sorted(tuned.skipped.items())))
    lines += _how_sure(tuned)
    best = "memory" if options.price == "memory" else "time"
    lines.append(f"best for {best}: " + ("as it is, as far as this can tell" if chosen.candidate.is_now
                                         else changed_to(chosen.candidate, tuned.container)))
    return lines


def _how_sure(tuned: Any) -> List[str]:
    """Is the first half of the trace enough to choose what is best in the second?"""
    from ..tuning.measures import ALIKE, held_out

    more = held_out(tuned.runs)
    return [] if more is None else [
        f"how sure: what is best by the first half of the trace takes {more:.1%} more time in the second than what is best there"
        + "; a longer trace, of what the program usually does, is needed" * (more > ALIKE - 1)]


def _rows(tuned: Any, options: Any, chosen: Any) -> List[Any]:
    """Those that are printed."""
    if options.all:
        return list(tuned.measured)
    return [one for at, one in enumerate(tuned.measured)
            if at < SHOWN or one.front or one.candidate.is_now or one is chosen]


def _time(nanoseconds: float) -> str:
    for unit, size in (("ns", 1e3), ("us", 1e6), ("ms", 1e9)):
        if nanoseconds < size:
            return f"{nanoseconds / size * 1000:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def _data(done: Any, options: Any, built_with: str) -> Dict[str, Any]:
    from ..tuning.measures import choice, held_out
    from ..tuning.writing import changes

    def one_of(one: Any, tuned: Any, chosen: Any) -> Dict[str, Any]:
        return {"now": one.candidate.is_now, "changes": dict(changes(tuned.container, one.candidate)),
                "policy": one.candidate.values, "nanoseconds": one.nanoseconds, "worst": one.worst, "bytes": one.bytes,
                "to_now": one.ratio, "low": one.low, "high": one.high, "long_frames": one.heavy, "rounds": one.rounds,
                "front": one.front,
                "best": one is chosen}

    containers = []
    for tuned in done.tuned:
        chosen = choice(tuned.measured, options.price == "memory")
        containers.append({"name": tuned.name, "operations": tuned.operations, "frames": tuned.frames, "elements": tuned.most,
                           "sweep": tuned.sweep, "reading": tuned.reading, "rounds": tuned.rounds,
                           "candidates": [one_of(one, tuned, chosen) for one in tuned.measured],
                           "faults": [dict(changes(tuned.container, one.candidate)) for one in tuned.parted],
                           "left_out": tuned.lacking, "passes_left_out": tuned.skipped, "held_out": held_out(tuned.runs)})
    return {"trace": options.trace, "compiler": built_with, "for": options.price, "interrupted": done.interrupted,
            "containers": containers, "not_measured": [{"name": name, "why": why} for name, why in done.left_out]}


def _write_specs(done: Any, specs: Sequence[Any], options: Any, output: Output) -> None:
    """Each spec with what is best for its containers."""
    from ..output.writer import fill_output
    from ..tuning.measures import choice
    from ..tuning.writing import changes, is_right, new_text

    for spec in specs:
        chosen: List[Tuple[Any, Any]] = []
        for tuned in done.tuned:
            best = choice(tuned.measured, options.price == "memory").candidate
            if any(tuned.container is each for each in spec.containers) and not best.is_now:
                chosen.append((tuned.container, best))
        text, refused = new_text(spec, chosen)
        done_now = [(container, best) for container, best in chosen if container.name not in refused]
        trial = os.path.join(os.path.dirname(spec.path), f"tuned_{os.getpid()}_{os.path.basename(spec.path)}")
        try:
            problems = diag.Diagnostics()
            if done_now and not fill_output(trial, lambda file, text=text: file.write(text), problems):
                raise diag.Failure(problems, ENVIRONMENT)
            right = bool(done_now) and is_right(trial, options.include, spec, done_now)
        finally:
            if os.path.exists(trial):
                os.remove(trial)
        if right and not fill_output(spec.path, lambda file, text=text: file.write(text), problems):
            raise diag.Failure(problems, ENVIRONMENT)
        for container, best in chosen:
            words = changed_to(best, container)
            output.say(f"{spec.path}: `{container.name}`: {words}" if right and container.name not in refused
                       else f"{spec.path}: not written; `{container.name}` would need {words}")
