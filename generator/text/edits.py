"""Changes of single values in a YAML text: everything else, comments and layout too, stays as it is."""

from __future__ import annotations

import re
from typing import Collection, Iterator, Optional, Tuple

from .diag import Diagnostics, Span
from .loader import load_text
from .nodes import Mapping, Node, Scalar, Sequence

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


def with_value(text: str, where: Tuple[str, ...], path: str, value: Optional[str], short: Collection[str] = ()) -> Optional[str]:
    """The text with another value of `group.key`, or of a key, in the mapping that the keys of `where` lead to; without it if the
    value is None. `short`: groups that may be written as a scalar that stands for one key, by the path of that key. None if the
    text cannot be changed so: the caller compares what the new one means."""
    node = load_text(text, Diagnostics())
    for name in where:
        node = node.get(name) if isinstance(node, Mapping) else None
    if not isinstance(node, Mapping):
        return None
    group, _, leaf = path.rpartition(".")
    if not group:
        return _set(text, node, leaf, value)
    inner = node.get(group)
    if isinstance(inner, Mapping):
        if value is None and [key.text for key, _ in inner.entries] == [leaf]:
            return _set(text, node, group, None)
        return _set(text, inner, leaf, value)
    if isinstance(inner, Scalar):
        stands_for = next((each for each in short if each.rpartition(".")[0] == group), "")
        if stands_for == path:
            return _set(text, node, group, value)
        written = _written(text, inner)
        both = "{%s: %s, %s: %s}" % (stands_for.rpartition(".")[2], written, leaf, value)
        return _set(text, node, group, both) if written and value else None
    if value is None:
        return text
    return _set(text, node, group, value if path in short else "{%s: %s}" % (leaf, value))


def _offset(text: str, span: Span) -> int:
    starts = [0, *(match.end() for match in _LINE.finditer(text))]
    return starts[span.line - 1] + span.column - 1


def _written(text: str, scalar: Scalar) -> str:
    """A plain value of one line as it is written; '' if it is not."""
    at = _offset(text, scalar.span)
    return scalar.text if scalar.plain and scalar.text and text[at:at + len(scalar.text)] == scalar.text else ""


def _set(text: str, mapping: Mapping, name: str, value: Optional[str]) -> Optional[str]:
    """One entry of a mapping changed, added or left out."""
    flow = text[_offset(text, mapping.span):][:1] == "{"
    key, there = mapping.key(name), mapping.get(name)
    if key is None or there is None:
        if value is None:
            return text
        return _added_to_flow(text, mapping, name, value) if flow else _added_to_block(text, mapping, name, value)
    if value is None:
        return _without_in_flow(text, mapping, key) if flow else _without_in_block(text, key, there)
    at = _offset(text, there.span)
    end = at + len(_written(text, there)) if isinstance(there, Scalar) else _end(text, at)
    return text[:at] + value + text[end:] if end is not None and end > at else None


def _added_to_flow(text: str, mapping: Mapping, name: str, value: str) -> Optional[str]:
    end = _end(text, _offset(text, mapping.span))
    if end is None:
        return None
    before = text[:end - 1].rstrip()
    comma = "" if before.endswith((",", "{")) else ","
    return f"{before}{comma}{' ' * (not before.endswith('{'))}{name}: {value}{text[len(before):]}"


def _added_to_block(text: str, mapping: Mapping, name: str, value: str) -> Optional[str]:
    lines = _LINE.findall(text)
    last = _last_line(text, mapping)
    if last is None:
        return None
    indent = " " * (mapping.entries[0][0].span.column - 1)
    if not lines[last - 1].endswith("\n"):
        lines[last - 1] += "\n"
    lines.insert(last, f"{indent}{name}: {value}\n")
    return "".join(lines)


def _without_in_flow(text: str, mapping: Mapping, key: Scalar) -> Optional[str]:
    keys = [each for each, _ in mapping.entries]
    at, start = keys.index(key), _offset(text, key.span)
    if at + 1 < len(keys):
        return text[:start] + text[_offset(text, keys[at + 1].span):]
    end = _end(text, _offset(text, mapping.span))
    before = text[:start].rstrip()
    return None if end is None else (before[:-1] if before.endswith(",") else before) + text[end - 1:]


def _without_in_block(text: str, key: Scalar, value: Node) -> Optional[str]:
    lines = _LINE.findall(text)
    last = _last_line(text, value)
    if last is None or lines[key.span.line - 1][:key.span.column - 1].strip():
        return None
    del lines[key.span.line - 1:max(last, key.span.line)]
    return "".join(lines)


def _inside(node: Node) -> Iterator[Node]:
    yield node
    children = [value for _, value in node.entries] if isinstance(node, Mapping) else []
    for each in node.items if isinstance(node, Sequence) else children:
        yield from _inside(each)


def _last_line(text: str, node: Node) -> Optional[int]:
    """The number of the last line of a value; None if that is not sure."""
    last = 0
    for each in _inside(node):
        last = max(last, each.span.line)
        if isinstance(each, Scalar):
            if "\n" in each.text or text[_offset(text, each.span):][:1] in ("|", ">"):
                return None
        elif text[_offset(text, each.span):][:1] in ("{", "["):
            end = _end(text, _offset(text, each.span))
            if end is None:
                return None
            last = max(last, text.count("\n", 0, end) + 1)
    return last


def _end(text: str, at: int) -> Optional[int]:
    """Where a value in brackets ends that begins there."""
    depth, quote = 0, ""
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\" and quote == '"':
                at += 1
            elif char == quote:
                quote = ""
        elif char in "'\"" and text[at - 1] in " ,:[{":
            quote = char
        elif char == "#" and text[at - 1].isspace():
            at = text.find("\n", at)
            if at < 0:
                return None
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None
