"""What the text of its headers says of an element's type that has no lock: members that it lacks, and why it cannot be stored
by value."""

import re
from typing import List, Sequence

from ..text.c_records import Record, record_of, why_no_value
from ..text.diag import Diagnostics, Note
from ..text.identifiers import is_built_in
from ..text.suggestions import suggestion
from .element_types import named_members
from .model import TREE, Container
from .named_indexes import indexes_of


def check_read_type(c: Container, texts: List[str], diagnostics: Diagnostics) -> bool:
    """Reports what is certain. Is anything wrong?"""
    before = diagnostics.errors
    type_ = c["element.type"]
    header = [Note("the header", c.span_of(c.defining))]
    why = why_no_value(texts, type_) if c["element.by"] == "value" and c["layout"] != "soa" else ""
    if why:
        diagnostics.error("BSP0330", f"elements of type '{type_}' cannot be held by value: {why}", c.span_of("element.type"),
                          notes=header,
                          help="`element: {by: pointer}` holds their addresses" if not why.startswith("it is") else
                          "name a type that can be assigned, such as a struct that has it as a member")
        return True
    record = record_of(texts, type_)
    for path, name in named_members(c) if record is not None else ():
        first = name.split(".")[0]
        if record.whole and first not in record.members:
            diagnostics.error("BSP0331", f"'{type_}' has no member '{first}'", c.span_of(path), notes=header,
                              help=suggestion(first, record.members).strip() or "its members: "
                              + ", ".join(list(record.members)[:12]))
    if record is not None and c["element.by"] == "intrusive":
        _links(c, "element.link", _LINKS, record, diagnostics)
        for each in indexes_of(c):
            _links(each, f"indexes.{each.index}", TREE[:3], record, diagnostics)
    return diagnostics.errors > before


_LINKS = ("next", "prev", "parent", "sibling", "left", "right", "owner")


def _links(c: Container, group: str, paths: Sequence[str], record: Record, diagnostics: Diagnostics) -> None:
    """Links point to elements, and the owner is the container."""
    for path in paths:
        name = c[f"element.link.{path}"]
        has = record.members.get(name or "")
        if has is None:
            continue
        wanted = [f"struct {c.full_name} *", "void *"] if path == "owner" else [f"{c['element.type']} *"]
        of = has.rstrip("* ")
        other = re.match(r"(struct|union|enum) ", of) and has not in wanted and of != wanted[0].rstrip("* ") and not (
            path != "owner" and not re.match(r"(struct|union) ", c["element.type"]))  # a typedef of that struct
        if has.endswith("]") or is_built_in(of) and has not in wanted or other:
            diagnostics.error("BSP0334",
                              f"'{group}.{path}' is a member of type '{has}', and must be a `{wanted[0]}`"
                              + " or a `void *`" * (path == "owner"),
                              c.span_of(f"element.link.{path}"), notes=[Note("the header", c.span_of(c.defining))],
                              help=f"declare it so: `{wanted[0]}{name};`"
                              + (", with `" + wanted[0][:-2] + ";` before the struct" if path == "owner"
                                 else ", or name another member"))
