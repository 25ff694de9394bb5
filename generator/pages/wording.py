"""Keys, values and text as pages, lists and starter specs spell them."""

import re
from typing import Any, Dict, List

from ..language.keys import BY_PATH, LISTS, STRUCTURED, Key, short_key

KIND_WORDS = {
    "flag": "`true` or `false`", "count": "a whole number", "size": "a whole number, or `run_time`",
    "bits": "a whole number from 2 to 32",
    "chunk": "a multiple of 64", "percent": "a percentage, `25%`",
    "growth": "a factor from 1.1 to 4", "duration": "`120 settles` or `2 s`", "type": "a C type",
    "header": "a header", "function": "a C function", "prefix": "the beginning of a C name", "macro": "a C macro",
    "field": "a member of the element", "callable": "a C expression over `element`, or a function",
    "comparison": "a C expression over `a` and `b`, or a function", "statement": "an assignment", "names": "a list of names",
    "lines": "one line of text or several",
    "fields": "a mapping from names to C types", "indexes": "a mapping from names to indexes",
    "renamings": "a mapping from operations to names",
    "members": "a list of members of the element", "operations": "a list of operations", "files": "a list of files",
}


def kind_words(key: Key) -> str:
    """What a key takes."""
    return ", ".join(f"`{value}`" for value in key.values) or KIND_WORDS[key.kind]


def default_words(key: Key) -> str:
    """What holds when nobody gives a value."""
    if key.default is not None:
        return f"`{value_text(key.path, key.default)}`" if key.default != "" else "empty"
    if key.derived:
        return key.derived
    return "must be given" if key.required else "not set"


def value_text(path: str, value: Any) -> str:
    """A value as a spec would spell it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    kind = BY_PATH[path].kind if path in BY_PATH else ""  # a key of a named index is a choice or a flag
    if kind == "percent" and isinstance(value, int):
        return f"{value}%"
    if isinstance(value, float):
        return f"{value:g}"
    if kind in LISTS and not isinstance(value, str):
        return f"[{', '.join(value)}]"
    return str(value)


_NEEDS_QUOTES = re.compile(r"""[-?:,\[\]{}#&*!|>'"%@`\s]|.*(?:: |:\Z| \#)|\Z""")
_FLOW = re.compile(r"[,\[\]{}]")


def in_yaml(path: str, value: Any, flow: bool = False) -> str:
    """A value as a YAML scalar."""
    text = value_text(path, value)
    kind = BY_PATH[path].kind
    plain = kind in STRUCTURED or (isinstance(value, (bool, int, float)) and kind != "lines")
    if not plain and (_NEEDS_QUOTES.match(text) or (flow and _FLOW.search(text)) or text != text.strip()):
        return "'" + text.replace("'", "''") + "'"
    return text


def in_one_line(head: str, paths: List[str], said: Dict[str, Any]) -> str:
    """A key, or all that is said of a group, on one line of a spec."""
    short = short_key(head)
    if paths == [head]:
        return f"{head}: {in_yaml(head, said[head])}"
    if short is not None and paths == [short.path]:
        return f"{head}: {in_yaml(short.path, said[short.path])}"
    return f"{head}: {flow_mapping(head, paths, said)}"


def flow_mapping(prefix: str, paths: List[str], said: Dict[str, Any]) -> str:
    parts = []
    for leaf in dict.fromkeys(path[len(prefix) + 1:].split(".")[0] for path in paths):
        path = f"{prefix}.{leaf}"
        if path in said:
            parts.append(f"{leaf}: {in_yaml(path, said[path], flow=True)}")
        else:
            parts.append(f"{leaf}: {flow_mapping(path, [p for p in paths if p.startswith(path + '.')], said)}")
    return "{" + ", ".join(parts) + "}"


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.:]) ", text, maxsplit=1)[0]


def cell(text: str) -> str:
    """Text in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" not in text else text.replace("|", "\\|")


def in_markdown(words: str) -> str:
    """Words of a table or a message as Markdown: `<` and `*` outside of code would mean something."""
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(part if part.startswith("`") else re.sub(r"([<*])", r"\\\1", part) for part in parts)
