"""A trace as a report: what stands out, and what each container did over the frames, as data or as one HTML file."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, NamedTuple

from ..text.project import read_own, template_root
from .export import status
from .findings import Facts, count, findings, percent, time
from .plots import Library
from .reader import Trace
from .totals import CALL_TICKS, COLUMNS, ELEMENTS, PASS_TICKS, PASSED, SLOTS, VISITED, Group, Totals

FORMAT = 1  # of the data


class Plot(NamedTuple):
    """A plot of some columns of a container over the frames."""

    title: str
    columns: Dict[str, str]  # and how they are called
    each_frame: bool = True  # the columns are sums: shown for one frame


PLOTS = [
    Plot("Elements and slots", {"elements": "elements", "slots": "slots"}, False),
    Plot("Adds and removals a frame", {"adds": "adds", "removes": "removals", "failures": "not done"}),
    Plot("Searches a frame", {"looks": "searches", "misses": "found nothing", "stale": "stale handles"}),
    Plot("Passes a frame", {"passes": "passes", "early": "left early"}),
    Plot("Elements visited and slots gone by in a frame", {"visited": "elements visited", "passed": "slots gone by"}),
    Plot("Slots gone by for an element visited", {"slots_per_element": "slots"}, False),
    Plot("Passes in each other", {"depth": "deepest"}, False),
    Plot("Time a frame, us", {"pass_us": "passes, bodies included", "call_us": "calls"}),
    Plot("Bytes moved a frame", {"moved_bytes": "bytes"}),
    Plot("Changes of the journal a frame", {"journal": "changes"}),
]


def data_of(trace: Trace) -> Dict[str, Any]:
    """Everything that a report says."""
    totals = Totals(trace)
    facts = Facts(totals)
    spans = totals.spans()
    found = findings(totals)
    return {
        "bespoke_report": FORMAT,
        "trace": os.path.basename(trace.path), "whole": trace.whole,
        "operations": totals.operations, "frames": _frames(totals),
        "span": totals.width, "spans": spans,
        "findings": [{**each._asdict(), "weight": round(each.weight, 3),
                      "figures": {name: _short(figure) for name, figure in each.figures.items()}} for each in found],
        "containers": [_container(facts, group, spans) for group in
                       sorted(totals.groups, key=lambda group: (-facts.taken(group), facts.name(group)))],
    }


def _short(number: float) -> float:
    return number if isinstance(number, int) else float(f"{number:.4g}")


def _frames(totals: Totals) -> Dict[str, Any]:
    frames = totals.frames
    if not frames:
        return {"count": 0, "us": [], "slowest_us": []}
    ordered = sorted(frames)
    width = totals.width
    parts = [frames[at:at + width] for at in range(0, len(frames), width)]
    slowest = sorted(totals.slowest, key=lambda each: (-each[0], each[1]))
    return {"count": len(frames), "median_us": ordered[len(frames) // 2],
            "p99_us": ordered[min(len(frames) - 1, len(frames) * 99 // 100)], "longest_us": ordered[-1],
            "us": [_short(sum(part) / len(part)) for part in parts], "slowest_us": [max(part) for part in parts],
            "slowest": [{"frame": number, "us": us} for us, number, _ in slowest]}


def _container(facts: Facts, group: Group, spans: int) -> Dict[str, Any]:
    return {
        "name": facts.name(group), "kind": group.kind.name, "number": group.number, "containers": group.containers,
        "policy": group.kind.policy, "bytes": group.kind.bytes,
        "total": {**dict(zip(COLUMNS, group.sum)), "pass_us": _short(group.sum[PASS_TICKS] * facts.us),
                  "call_us": _short(group.sum[CALL_TICKS] * facts.us)},
        "calls": [{"call": call.name, "times": call.times, "us": _short(call.ticks * facts.us), "visited": call.visited,
                   "statuses": {status(number): times for number, times in sorted(call.statuses.items())}}
                  for call in sorted(group.calls.values(), key=lambda call: -call.times)],
        "series": _series(facts, group, spans),
    }


def _series(facts: Facts, group: Group, spans: int) -> Dict[str, List[float]]:
    """Each column that is not 0 throughout, by span."""
    rows = [group.spans.get(span) for span in range(spans)]
    found: Dict[str, List[float]] = {}
    for at, name in enumerate(COLUMNS):
        if not group.sum[at]:
            continue
        values: List[float] = [row[at] if row else 0 for row in rows]
        if at in (ELEMENTS, SLOTS):  # what does not change stays
            last = 0.0
            for span, row in enumerate(rows):
                last = values[span] = values[span] if row else last
        elif name.endswith("_ticks"):
            name, values = name[:-len("ticks")] + "us", [_short(value * facts.us) for value in values]
        found[name] = values
    if group.sum[PASSED]:
        found["slots_per_element"] = [_short(row[PASSED] / row[VISITED]) if row and row[VISITED] else 0 for row in rows]
    return found


def html_of(data: Dict[str, Any], library: Library) -> str:
    """One page that needs nothing else."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(count=count, percent=percent, time=time, code=_code)
    page = environment.from_string(read_own(os.path.join(template_root(), "report.html")).decode("utf-8"))
    plots = [{"title": plot.title, "columns": plot.columns, "each_frame": plot.each_frame} for plot in PLOTS]
    shown = {"span": data["span"], "frames": data["frames"], "plots": plots,
             "containers": [{"name": each["name"], "series": each["series"]} for each in data["containers"]]}
    return page.render(data=data, library=library, shown=json.dumps(shown, separators=(",", ":")).replace("<", "\\u003c")) + "\n"


def _code(text: str) -> Any:
    """A sentence whose words between backticks are code."""
    import markupsafe

    parts = text.split("`")
    return markupsafe.Markup("").join(markupsafe.Markup("<code>{}</code>").format(part) if at % 2 else markupsafe.escape(part)
                                      for at, part in enumerate(parts))
