"""Elements whose members lie in columns of their own."""

import re
from typing import List

from ..text.diag import Note
from ..text.identifiers import is_built_in
from ..text.printing import visible
from ..text.suggestions import did_you_mean
from . import soa
from ..text.sentences import enumerated
from .check import Check, header_of
from .named_indexes import indexes_of


def columns(check: Check) -> None:
    """Members in columns of their own."""
    c = check.c
    if c["layout"] != "soa":
        return
    by, kind, fields = c["element.by"], c["element.type"], soa.listed(c)
    if by != "value":
        at, other = check.blame("layout", "element.by")
        check.conflict("BSP0240", f"with {check.yaml('element.by', by)} the elements live elsewhere: there is nothing to store "
                                  "in columns", at, other,
                      help=f"use {check.yaml('element.by', 'value')}, or leave out `layout: soa`")
        return
    if kind is not None and (is_built_in(kind) or kind.endswith("*") or re.match(r"(union|enum)\b", kind)
                             or c.type_info is not None and c.type_info.kind != "struct"):
        at, other = check.blame("element.type", "layout")
        check.conflict("BSP0242", f"'{kind}' is no struct, so it has no members for columns", at, other,
                      help="leave out 'element.type', and Bespoke declares a struct of 'element.fields'; or name one")
        return
    if fields is None:
        check.spoilt.add("element.header")  # one error for one cause
        reads = f"`bespoke type import {visible(c.span.source.name)}`"
        check.conflict("BSP0241", f"`layout: soa` needs the members of '{kind}'", "layout",
                       about=("element.fields", "element.type"),
                       help=[f"name the header of '{kind}', `element: {{header: {header_of(kind)}}}`, and read them from it: "
                             f"{reads}"
                             if c["element.header"] is None else f"let Bespoke read them from '{c['element.header']}': {reads}",
                             "or leave out 'element.type', and give the members: `element: {fields: {x: float, y: float}}`"
                             if c["element.header"] is None
                             else "or give the members: `element: {fields: {x: float, y: float}}`"])
        return
    if c["identity.by"] == "value":
        at, other = check.blame("identity.by", "layout")
        check.conflict("BSP0207", "a row has no single value that C could compare", at, other,
                      help="give an integer that is unique: `identity: {key: element->id}`")
    if c["element.fields"] is not None and c.type_info is not None:
        said, there = ([(member.name, member.value_type) for member in members] for members in (fields, c.type_info.fields))
        if said != there:
            name = next((name for name, _ in [each for each in there if each not in said] + said if name), "")
            check.conflict("BSP0247", f"'element.fields' differ from the members of '{kind}': see '{name}'", "element.fields",
                          "element.type", help=f"leave out 'element.fields': '{c.type_info.path}' lists the members that "
                                               f"'{c.type_info.header}' declares")
            return
    known = [member.name for member in soa.members(c)]
    where = "under 'element.fields'" if c["element.fields"] is not None else f"of '{kind}'"
    _hot(check, known)
    read = [(path, c, path) for path in ("removal.expired", "capacity.keep", "capacity.weight", "identity.key",
                                         "sort.key", "sort.less", "test.id",
                                         "test.expire")]
    for path, of, name in read + [("identity.key", each, f"indexes.{each.index}.key") for each in indexes_of(c)]:
        text = str(of[path] or "")
        used = [text] if path == "test.id" else re.findall(
            r"\b[ab]\s*->\s*(\w+)" if path == "sort.less" else r"\belement\s*->\s*(\w+)", text)
        missing = [each.split(".")[0] for each in used if each and each.split(".")[0] not in known]
        for member in dict.fromkeys(missing):
            Check(of, check.diagnostics, check.spoilt, check.preset).conflict(
                "BSP0243", f"'{name}' reads '{member}', which is no member {where}", path,
                "element.fields" if c["element.fields"] is not None else "element.type",
                help="the members are: " + ", ".join(known))


def _hot(check: Check, known: List[str]) -> None:
    """Which members have columns of their own."""
    c = check.c
    hot, source = c["element.hot"], "element.fields" if c["element.fields"] is not None else "element.type"
    spans = getattr(hot, "spans", ()) or (None,) * len(hot or ())
    unknown = [(name, span) for name, span in zip(hot or (), spans) if name not in known]
    for name, span in unknown:
        near = did_you_mean(name, known)
        check.conflict("BSP0244", f"'element.hot' names '{name}', which is no member of the element", "element.hot", source,
                      help=(f"did you mean '{near}'? " if near else "") + "the members are: " + ", ".join(known), span=span)
    if unknown:
        return
    if hot is not None and len(hot) == len(known):
        check.conflict("BSP0245", "all members are in 'element.hot', so no cold members are left", "element.hot", source,
                      help="leave out 'element.hot': each member gets a column then")
        return
    if {source, "element.hot"} & check.spoilt:
        return
    for member in soa.members(c):
        if not member.why_not or member.path and not member.lost:
            continue
        notes = [Note("its declaration", member.span)] * (member.span is not None and source == "element.type")
        if member.lost:
            said, advice = f"'{member.name}' cannot be stored: {member.why_not}", ["hold the element without `layout: soa`" + (
                ", and by pointer: `element: {by: pointer}`" if c.type_info is not None and c.type_info.no_value else "")]
        else:
            good = [each.name for each in soa.members(c) if not each.why_not and not each.path]
            said = f"'{member.name}' cannot have a column of its own: {member.why_not}"
            others = [f"'{each.name}'" for each in soa.members(c) if each.why_not and not each.path and each.name != member.name]
            said += f"; nor can {enumerated(others)}" if others else ""
            advice = [f"leave it among the cold members: `element: {{hot: [{', '.join(good)}]}}`"] * bool(good)
            if source == "element.fields":
                advice.append("or put it into a struct")
        at = c.span_of("element.hot" if hot is not None and not member.path else source)
        if source == "element.fields" and hot is None and member.span is not None:
            at = member.span
        check.diagnostics.error("BSP0246", said, at, notes=notes, help=advice)
        return
