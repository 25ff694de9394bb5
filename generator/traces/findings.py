"""What stands out in a trace: sentences with figures, the most important first."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, NamedTuple

from ..language.statuses import BY_NUMBER, STATUSES
from .totals import (CALL_TICKS, CALLS, EARLY, ELEMENTS, EMPTY, GROWN, JOURNAL, MOVED, PASS_TICKS, PASSED, PASSES, SLOTS, VISITED,
                     Call, Group, Totals)

_SEARCHES = ("find", "contains", "will_contain", "find_or_add", "remove_key")
_MANY = 100  # of what happens less often nothing is said


class Finding(NamedTuple):
    """A sentence about a container, or about frames."""

    weight: float  # from 0, worth a look, to 1
    container: str
    what: str
    text: str
    advice: str
    figures: Dict[str, float]


def count(number: float) -> str:
    """A number for people."""
    if number >= 100 or number == int(number):
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2g}"


def percent(part: float, whole: float) -> str:
    share = 100 * part / whole if whole else 0
    if 99 < share < 100:
        return f"{min(share, 99.9):.1f} %"
    return f"{share:.0f} %" if share >= 1 or share == 0 else f"{share:.1g} %"


def times(number: int) -> str:
    return "once" if number == 1 else f"{count(number)} times"


def time(microseconds: float) -> str:
    """A duration, in a unit that suits it."""
    for unit, of in (("s", 1e6), ("ms", 1e3), ("us", 1)):
        if microseconds >= of:
            return f"{count(microseconds / of)} {unit}"
    return f"{count(microseconds * 1000)} ns"


class Facts:
    """A trace in sum, and how its figures are said."""

    def __init__(self, totals: Totals):
        self.totals = totals
        self.us = totals.trace.microseconds
        self.frames = len(totals.frames)
        self.whole = float(sum(totals.frames))  # microseconds of all frames

    def name(self, group: Group) -> str:
        alike = [each for each in self.totals.groups if each.kind.name == group.kind.name]
        return group.kind.name if len(alike) == 1 else f"{group.kind.name} {group.number}"

    def each_frame(self, number: float) -> str:
        return f", {count(number / self.frames)} a frame" if self.frames > 1 else ""

    def taken(self, group: Group) -> float:
        """Microseconds in its passes and calls."""
        return (group.sum[PASS_TICKS] + group.sum[CALL_TICKS]) * self.us


def findings(totals: Totals) -> List[Finding]:
    facts = Facts(totals)
    found = list(_slow_frames(facts))
    for group in totals.groups:
        for rule in _RULES:
            found += rule(facts, group, facts.name(group))
    return sorted(found, key=lambda each: (-each.weight, each.container, each.what))


def _slow_frames(facts: Facts) -> Iterator[Finding]:
    """The slowest frame, if it is far from the usual one, and the container that took most of the difference."""
    if facts.frames < 20:
        return
    usual = sorted(facts.totals.frames)[facts.frames // 2]
    slowest, number, did = max(facts.totals.slowest, key=lambda each: each[:2])
    if not usual or slowest < 2 * usual:
        return
    text = f"Frame {number:,} took {time(slowest)}, {count(slowest / usual)} times the usual {time(usual)}."
    name = ""
    if did:
        ticks, group = max(did, key=lambda each: each[0])
        more = ticks * facts.us - facts.taken(group) / facts.frames
        if more > 0.05 * (slowest - usual):
            name = facts.name(group)
            text += f" Passes and calls of `{name}` took {time(ticks * facts.us)} of it, {time(more)} more than on average."
        else:
            text += " No container took much more than on average in it: the time was spent elsewhere."
    yield Finding(min(1, slowest / usual / 20), name, "slow frame", text, "", {"frame": number, "us": slowest, "usual_us": usual})


def _time(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    taken, row = facts.taken(group), group.sum
    share = taken / facts.whole if facts.whole else 0
    if share < 0.1:
        return
    each = row[VISITED] / row[PASSES] if row[PASSES] else 0
    text = f"`{name}`: its passes and calls take {percent(taken, facts.whole)} of the frames' time, bodies included " \
           f"({time(taken / facts.frames)} a frame): {count(row[PASSES])} passes{facts.each_frame(row[PASSES])}, " \
           f"over {count(each)} elements on average."
    often = row[VISITED] / facts.frames / row[ELEMENTS] if row[ELEMENTS] else 0
    if often >= 4:
        text += f" An element is visited {count(often)} times a frame."
    advice = "A pass in a pass looks at each pair; if the inner one looks for something, `indexes` find it." \
        if often >= 10 and row[ELEMENTS] > 15 else ""
    yield Finding(0.3 + 0.7 * min(1, share), name, "time", text, advice, {"share": share, "us": taken})


def _empty_slots(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    row = group.sum
    if row[EMPTY] < _MANY or row[EMPTY] < 0.2 * row[PASSED]:
        return
    policy, moving = group.kind.policy.get("removal.policy", ""), group.kind.policy.get("addresses") == "moving"
    called = {"tombstone": "are tombstones", "prune": "are of elements that have left"}.get(policy, "are free")
    text = f"`{name}`: {percent(row[EMPTY], row[PASSED])} of the slots that passes go by {called} " \
           f"({count(row[EMPTY])} of {count(row[PASSED])}{facts.each_frame(row[EMPTY])}): " \
           f"{count(row[PASSED] / max(1, row[VISITED]))} slots for an element visited."
    advice = ""
    if policy == "tombstone":
        advice = "`removal: compact` would close them in each pass, in the same order; `T_settle` does so where it is called."
    elif policy == "reuse" and moving and group.kind.policy.get("ordering") == "unordered":
        advice = "`removal: swap` would keep elements together, if nothing relies on their addresses or slots."
    elif policy == "reuse":
        advice = "Elements may not move here; if nothing relies on that, `addresses: moving` allows policies without free slots."
    weight = 0.2 + 0.5 * row[EMPTY] / row[PASSED] * min(1, row[EMPTY] / (10 * _MANY))
    yield Finding(weight, name, "empty slots", text, advice,
                  {"empty": row[EMPTY], "passed": row[PASSED], "visited": row[VISITED]})


def _of(call: Call, status: str) -> int:
    """How often it returned this."""
    return call.statuses.get(STATUSES[status][0], 0)


def _named(statuses: Dict[int, int]) -> str:
    return ", ".join(f"{count(number)} {BY_NUMBER.get(status, status)}"
                     for status, number in sorted(statuses.items(), key=lambda each: -each[1]))


def _misses(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    for call in group.calls.values():
        missed = sum(call.statuses.values()) if call.letter == "L" else 0
        if missed < _MANY or missed < 0.5 * call.times:
            continue
        text = f"`{name}`: `{call.name}` finds nothing in {percent(missed, call.times)} of its calls " \
               f"({count(missed)} of {count(call.times)}{facts.each_frame(missed)}: {_named(call.statuses)})."
        advice = "A handle that is 0 leads to no element: callers may keep only those that lead to one." \
            if call.name.startswith("get") and _of(call, "ABSENT") > missed / 2 else ""
        weight = 0.15 + 0.4 * min(1, missed / max(1, facts.totals.operations) * 4)
        yield Finding(weight, name, "misses", text, advice, {"missed": missed, "calls": call.times})


def _stale(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    stale = [(_of(call, "STALE"), call) for call in group.calls.values() if _of(call, "STALE")]
    total = sum(number for number, _ in stale)
    if not total:
        return
    by = ", ".join(f"`{call.name}` {count(number)}" for number, call in sorted(stale, key=lambda each: -each[0]))
    yield Finding(0.12 + 0.2 * min(1, total / 1000), name, "stale handles",
                  f"`{name}`: {count(total)} calls came with a handle whose element had been removed: {by}.", "",
                  {"stale": total})


def _refused(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    for call in group.calls.values():
        for status in ("FULL", "NO_MEMORY"):
            refusals = _of(call, status)
            if call.letter in "Aa" and refusals:
                yield Finding(0.75, name, "refused",
                              f"`{name}`: `{call.name}` returned {status} {times(refusals)} of {count(call.times)}.",
                              f"It has {count(group.sum[SLOTS])} slots: `capacity: {{max: ...}}`." if status == "FULL" else "",
                              {"refused": refusals, "calls": call.times})
        refused = {status: number for status, number in call.statuses.items()
                   if call.letter in "AaR" and BY_NUMBER.get(status) in ("DUPLICATE", "ABSENT")}
        total = sum(refused.values())
        if total >= _MANY and total >= 0.2 * call.times:
            yield Finding(0.1 + 0.3 * min(1, 4 * total / max(1, facts.totals.operations)), name, "nothing done",
                          f"`{name}`: `{call.name}` does nothing in {percent(total, call.times)} of its calls "
                          f"({count(total)} of {count(call.times)}{facts.each_frame(total)}: {_named(refused)}).", "",
                          {"refused": total, "calls": call.times})


def _searches(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    """What looks for an element goes by the others, without an index."""
    policy, size = group.kind.policy, group.sum[ELEMENTS]
    if size < 32 or (policy.get("index.kind"), policy.get("identity.by")) != ("none", "key") \
            or policy.get("ordering") == "sorted":
        return
    calls: List[Call] = [call for call in group.calls.values() if call.name in _SEARCHES]
    searches = sum(call.times for call in calls)
    if searches < _MANY:
        return
    yield Finding(0.25 + 0.4 * min(1, searches * size / 1e6), name, "linear searches",
                  f"`{name}`: {count(searches)} searches{facts.each_frame(searches)} go by up to {count(size)} elements each "
                  f"({', '.join(f'`{call.name}`' for call in calls)}).", "`index: hash` would find them in O(1).",
                  {"searches": searches, "elements": size})


def _early(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    row = group.sum
    if row[EARLY] < _MANY or row[EARLY] < 0.5 * row[PASSES] or row[VISITED] < 4 * row[PASSES]:
        return
    yield Finding(0.15 + 0.2 * min(1, row[VISITED] / 1e6), name, "searching passes",
                  f"`{name}`: {percent(row[EARLY], row[PASSES])} of its {count(row[PASSES])} passes are left early, after "
                  f"{count(row[VISITED] / row[PASSES])} elements on average.",
                  "If they look for an element by one of its members, an entry in `indexes` finds it.",
                  {"early": row[EARLY], "passes": row[PASSES]})


def _growth(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    late = group.last_growth > max(2, facts.frames // 10)
    if not group.sum[GROWN] or not late or group.containers > 1:
        return
    yield Finding(0.1 + 0.1 * min(1, group.sum[MOVED] / 1e6), name, "growth",
                  f"`{name}`: its memory grew {times(group.sum[GROWN])}, last in frame {group.last_growth:,}, to "
                  f"{count(group.sum[SLOTS])} slots.",
                  f"`capacity: {{initial: {group.sum[SLOTS]}}}`, or `T_reserve`, would have taken it at once.",
                  {"grown": group.sum[GROWN], "frame": group.last_growth, "slots": group.sum[SLOTS]})


def _unused(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    slots, most = group.sum[SLOTS], group.sum[ELEMENTS]
    spare = (slots - most) * group.kind.bytes
    if group.containers > 1 or slots < 4 * most or spare < 4096:
        return
    yield Finding(0.08 + 0.2 * min(1, spare / 1e6), name, "unused memory",
                  f"`{name}`: never more than {count(most)} elements in {count(slots)} slots; {count(spare)} bytes are not used.",
                  "`capacity: {initial: ...}` may be smaller.", {"spare_bytes": spare})


def _moved(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    moved = group.sum[MOVED]
    if moved < 1e5 or facts.frames < 2:
        return
    yield Finding(0.1 + 0.3 * min(1, moved / facts.frames / 1e5), name, "bytes moved",
                  f"`{name}`: growing and compacting moved {count(moved)} bytes{facts.each_frame(moved)}.", "", {"bytes": moved})


def _journal(facts: Facts, group: Group, name: str) -> Iterator[Finding]:
    changes, applied = group.sum[JOURNAL], max(1, group.sum[CALLS])
    if changes < _MANY:
        return
    yield Finding(0.06, name, "journal",
                  f"`{name}`: {count(changes)} changes went through its journal{facts.each_frame(changes)}.", "",
                  {"changes": changes, "each": changes / applied})


_RULES: List[Callable[[Facts, Group, str], Iterator[Finding]]] = [
    _time, _empty_slots, _misses, _stale, _refused, _searches, _early, _growth, _unused, _moved, _journal]
