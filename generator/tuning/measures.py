"""Times of candidates that have taken turns: medians, and how sure they are."""

from __future__ import annotations

import math
from statistics import median
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from .candidates import Candidate
from .program import Run

DISTURBED = 3  # a span that took that many times its median: the machine did something else, and it counts as the median
SURE = 0.98  # a change is for the better if it takes less than this share of the time, with the whole interval
ALIKE = 1.02  # and times are alike up to this
SLOWER = 1.5  # what takes that many times as long, and no less memory, is measured no more
TRIAL = 4  # rounds before that
SPANS = 8  # at least, for what is chosen by one half to be compared in the other


class Measured(NamedTuple):
    """What is known of a candidate."""

    candidate: Candidate
    nanoseconds: float  # of all that was recorded
    worst: float  # of the span that takes longest
    bytes: int  # at most, with the containers themselves
    ratio: float  # to what the spec has now: a median over the rounds, and an interval of 95 %
    low: float
    high: float
    rounds: int
    front: bool  # is nothing else faster and smaller?
    heavy: float  # its time by that of what the spec has now, in the frames that take longest: what grows shows there


class Rounds:
    """The runs of all candidates, by round."""

    def __init__(self, candidates: Sequence[Candidate]):
        self.candidates = candidates
        self.runs: List[Dict[int, Run]] = [{} for _ in candidates]
        self.number = 0
        self.dropped: List[int] = []

    def live(self) -> List[int]:
        return [each for each in range(len(self.candidates)) if each not in self.dropped]

    def drop(self) -> None:
        """Those that are not worth more rounds."""
        if self.number != TRIAL:
            return
        sums = [self._rough(each) for each in range(len(self.candidates))]
        for each in self.live():
            if each and any(sums[other] * SLOWER < sums[each] and self._bytes(other) <= self._bytes(each)
                            for other in self.live()):
                self.dropped.append(each)

    def _rough(self, each: int) -> float:
        return median(sum(run.times) for run in self.runs[each].values())

    def _bytes(self, each: int) -> int:
        return max(run.bytes for run in self.runs[each].values())

    def measured(self) -> List[Measured]:
        """Of all that were measured, the fastest first."""
        found = []
        medians = [_medians(list(runs.values())) for runs in self.runs]
        for each, candidate in enumerate(self.candidates):
            if self.runs[each]:
                ratios = sorted(self._ratio(each, number, medians) for number in self.runs[each] if number in self.runs[0])
                low, high = _interval(ratios)
                timed = [time for time in medians[each] if time]
                found.append(Measured(candidate, sum(timed) * len(medians[each]) / max(len(timed), 1), max(timed, default=0),
                                      self._bytes(each), median(ratios) if ratios else math.nan, low, high,
                                      len(self.runs[each]), False, _heavy(medians[each], medians[0])))
        found.sort(key=lambda one: (one.nanoseconds, one.bytes))
        least: Optional[int] = None
        for at, one in enumerate(found):
            if least is None or one.bytes < least:
                least = one.bytes
                found[at] = one._replace(front=True)
        return found

    def _ratio(self, each: int, number: int, medians: List[List[float]]) -> float:
        own, now = (_undisturbed(self.runs[at][number], medians[at]) for at in (each, 0))
        return own / now if now else math.nan


def half(rounds: Rounds, second: bool) -> List[Measured]:
    """What is known by one half of the spans only."""
    other = Rounds(rounds.candidates)
    other.number = rounds.number
    for each, runs in enumerate(rounds.runs):
        for number, run in runs.items():
            middle = len(run.times) // 2
            other.runs[each][number] = run._replace(times=run.times[middle:] if second else run.times[:middle])
    return other.measured()


def held_out(rounds: Rounds) -> Optional[float]:
    """How much more time than the fastest one takes, in the second half, what would be chosen by the first; None: there are no
    halves."""
    if not rounds.runs[0] or any(len(run.times) < SPANS for run in rounds.runs[0].values()):
        return None
    chosen, second = choice(half(rounds, False), False).candidate, half(rounds, True)
    least = min(one.nanoseconds for one in second)
    return next(one.nanoseconds for one in second if one.candidate is chosen) / least - 1 if least else None


def _medians(runs: List[Run]) -> List[float]:
    """By span: of the rounds in which it was timed; 0 where it never was."""
    if not runs:
        return []
    return [float(median([time for time in times if time] or [0])) for times in zip(*(run.times for run in runs))]


def _heavy(own: List[float], now: List[float]) -> float:
    """In the tenth of the spans that take longest with one of the two."""
    both = sorted(((max(a, b), a, b) for a, b in zip(own, now) if a and b), reverse=True)[:max(1, len(now) // 10)]
    return sum(a for _, a, _ in both) / sum(b for _, _, b in both) if both else math.nan


def _undisturbed(run: Run, medians: List[float]) -> float:
    return sum(time if time <= DISTURBED * usual else usual for time, usual in zip(run.times, medians))


def _interval(ratios: List[float]) -> Tuple[float, float]:
    """That of the median, by the order of what was measured: of 95 %, of few rounds all."""
    if not ratios:
        return math.nan, math.nan
    out = max(0, int(len(ratios) / 2 - 0.98 * math.sqrt(len(ratios))))
    return ratios[out], ratios[len(ratios) - 1 - out]


def choice(found: List[Measured], memory: bool) -> Measured:
    """The one to be taken: the least time, or the least memory that takes no more time, if that is sure and true of the longest
    frames, too; else what there is."""
    now = next(one for one in found if one.candidate.is_now)
    if memory:
        smaller = [one for one in found if one.bytes < now.bytes and one.high <= ALIKE and one.heavy <= ALIKE]
        return min(smaller, key=lambda one: (one.bytes, one.nanoseconds)) if smaller else now
    faster = [one for one in found if one.high < SURE and one.heavy <= 1]
    if not faster:
        return now
    least = min(one.ratio for one in faster)
    alike = [one for one in faster if one.ratio <= least * ALIKE]
    return min(alike, key=lambda one: (one.bytes, len(one.candidate.given), one.ratio))
