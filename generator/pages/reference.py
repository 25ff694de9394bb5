"""What the tables say in other forms: JSON Schema, reference page, lists, starter specs."""

import json
import os
import re
import textwrap
from typing import Any, Dict, List, Optional, Tuple

from ..language.keys import BY_PATH, KEYS, LISTS, STRUCTURED, VERSION, Key, members, short_key
from ..language.model import Spec
from ..language.presets import INSTEAD, PRESETS
from ..language.taken_names import why_no_container
from ..language.values import MOST_IN_CHUNK
from ..text.c_types import check_type
from ..text.diag import Diagnostics
from ..text.error_codes import CODES
from ..text.filekinds import DEBUGGERS
from ..text.header_names import check_header
from ..text.identifiers import is_built_in
from ..text.project import ROOT

_DURATION = r"^[0-9]{1,7}(\.[0-9]{1,6})?\s*(s|seconds?|settles?)$"
_IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"

ROLES = {
    "contract": "what callers may rely on",
    "policy": "how the contract is kept; may change without touching a caller",
    "emission": "how the code is written and tested",
}


# -- JSON Schema -----------------------------------------------------------------------------------------------------


def json_schema() -> Dict[str, Any]:
    """The language as a JSON Schema (draft 7), for completion and hover help in editors."""
    settings = {name: _member_schema(name, key) for name, key in members("").items()}
    presets = {"type": "string", "minLength": 1,
               "description": "A set of values to start from. Bespoke's own: "
                              + "; ".join(f"{name} ({preset.title})" for name, preset in PRESETS.items()) + ".",
               "examples": list(PRESETS)}
    named = {"type": "object", "propertyNames": {"pattern": f"^{_IDENTIFIER}$"}}

    def settled(description: str, **more: Any) -> Dict[str, Any]:
        return {"type": "object", "additionalProperties": False, "description": description,
                "properties": {**more, **settings}}

    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Bespoke container spec",
        "description": f"C containers cut to measure. Version {VERSION} of the language.",
        "type": "object",
        "additionalProperties": False,
        "required": ["bespoke"],
        "properties": {
            "bespoke": {"description": "The version of the language.", "const": VERSION},
            "include": {
                "description": "Files whose defaults and presets hold here too; paths are relative to this file.",
                "oneOf": [{"type": "string", "minLength": 1},
                          {"type": "array", "items": {"type": "string", "minLength": 1}}]},
            "defaults": {"$ref": "#/definitions/defaults"},
            "presets": {**named, "description": "Presets of your own, by name.",
                        "additionalProperties": {"$ref": "#/definitions/preset"}},
            "containers": {**named, "minProperties": 1,
                           "description": "The containers by name; a name becomes the C type and prefixes its functions.",
                           "additionalProperties": {"$ref": "#/definitions/container"}},
            "memberships": {**named, "minProperties": 1,
                            "description": "Functions that take an element out of several containers at once, by name; each "
                                           "lists the containers, in the order in which the element leaves them.",
                            "additionalProperties": {"type": "array", "minItems": 2, "uniqueItems": True,
                                                     "items": {"type": "string", "minLength": 1}}},
        },
        "definitions": {
            "defaults": settled("Values for all containers of this file that do not say otherwise."),
            "preset": settled("A set of values under a name.", preset=presets),
            "container": settled("One container.", preset=presets),
        },
    }


def json_schema_text() -> str:
    return json.dumps(json_schema(), indent=2, ensure_ascii=True) + "\n"


def _member_schema(path: str, key: Optional[Key]) -> Dict[str, Any]:
    if key is not None:
        return _key_schema(key)
    group = {"type": "object", "additionalProperties": False, "minProperties": 1,
             "properties": {name: _member_schema(f"{path}.{name}", member) for name, member in members(path).items()}}
    short = short_key(path)
    if short is None:
        return {"description": _group_doc(path), **group}
    return {"description": _plain_doc(short), "oneOf": [_key_schema(short), group]}


def _group_doc(path: str) -> str:
    return "Group: " + ", ".join(members(path)) + "."


def _key_schema(key: Key) -> Dict[str, Any]:
    schema: Dict[str, Any] = {"description": _long_doc(key)}
    schema.update(_kind_schema(key))
    if key.default is not None:
        schema["default"] = key.default
    if key.kind == "fields":
        schema["examples"] = [{"x": "float", "y": "float", "owner": "struct ship *"}]
    elif key.kind in LISTS:
        schema["examples"] = [key.example.strip("[]").split(", ")]
    elif key.example:
        schema["examples"] = [key.example]
    return schema


def _kind_schema(key: Key) -> Dict[str, Any]:
    kind = key.kind
    if kind == "choice":
        return {"type": "string", "enum": list(key.values)}
    if kind == "flag":
        return {"type": "boolean"}
    if kind == "count":
        return {"type": "integer", "minimum": 1, "maximum": 32 if key.path == "iteration.passes" else 2**31 - 1}
    if kind == "bits":
        return {"type": "integer", "enum": [8, 16, 32]}
    if kind == "chunk":
        return {"type": "integer", "minimum": 64, "maximum": MOST_IN_CHUNK, "multipleOf": 64}
    if kind == "percent":
        return {"oneOf": [{"type": "integer", "minimum": 1, "maximum": 99},
                          {"type": "string", "pattern": r"^0*([1-9]|[1-9][0-9])\s*%?$"}]}
    if kind == "growth":
        return {"type": "number", "minimum": 1.1, "maximum": 4}
    if kind == "duration":
        return {"type": "string", "pattern": _DURATION}
    if kind in ("function", "macro"):
        return {"type": "string", "pattern": f"^{_IDENTIFIER}$"}
    if kind == "field":
        return {"type": "string", "pattern": rf"^{_IDENTIFIER}(\.{_IDENTIFIER})*$"}
    if kind == "prefix":
        return {"type": "string", "pattern": f"^({_IDENTIFIER})?$"}
    if kind == "fields":
        return {"type": "object", "minProperties": 1, "propertyNames": {"pattern": f"^{_IDENTIFIER}$"},
                "additionalProperties": {"type": "string", "minLength": 1}}
    if kind == "statement":
        return {"type": "string", "pattern": "="}
    if kind in LISTS:
        return {"type": "array", "minItems": 1, **({"maxItems": 64} if kind == "names" else {}), "uniqueItems": True,
                "items": {"type": "string", "pattern": f"^{_IDENTIFIER}$"}}
    if kind == "lines":
        return {"type": ["string", "number", "boolean"]}
    return {"type": "string", "minLength": 1}  # type, header, callable: the C in them is beyond a pattern


# -- words for a key -------------------------------------------------------------------------------------------------

_KIND_WORDS = {
    "flag": "`true` or `false`", "count": "a whole number", "bits": "8, 16 or 32",
    "chunk": "a multiple of 64", "percent": "a percentage, `25%`",
    "growth": "a factor from 1.1 to 4", "duration": "`120 settles` or `2 s`", "type": "a C type",
    "header": "a header", "function": "a C function", "prefix": "the beginning of a C name", "macro": "a C macro",
    "field": "a member of the element", "callable": "a C expression over `element`, or a function",
    "comparison": "a C expression over `a` and `b`, or a function", "statement": "an assignment", "names": "a list of names",
    "lines": "one line of text or several",
    "fields": "a mapping from names to C types", "members": "a list of members of the element", "operations": "a list of operations",
}


def kind_words(key: Key) -> str:
    """What a key takes."""
    return ", ".join(f"`{value}`" for value in key.values) or _KIND_WORDS[key.kind]


def _plain_doc(key: Key) -> str:
    return key.doc


def _only_doc(key: Key) -> str:
    return " and ".join(f"{path}: {' or '.join(map(str, values))}" for path, values in key.only.items())


def _long_doc(key: Key) -> str:
    """The doc with the meaning of each value, as hover help shows it."""
    lines = [key.doc]
    lines += [f"- {value}: {doc}" for value, doc in key.values.items()]
    if key.only:
        lines.append(f"Only with {_only_doc(key)}.")
    if key.derived:
        lines.append(f"If missing: {key.derived}.")
    return "\n".join(lines)


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
    if BY_PATH[path].kind == "percent" and isinstance(value, int):
        return f"{value}%"
    if isinstance(value, float):
        return f"{value:g}"
    if BY_PATH[path].kind in LISTS and not isinstance(value, str):
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


# -- lists -----------------------------------------------------------------------------------------------------------


def _table(rows: List[Tuple[str, str]], indent: str = "") -> str:
    width = max(len(row[0]) for row in rows)
    lines = []
    for left, right in rows:
        wrapped = textwrap.wrap(right, 116 - width - len(indent)) or [""]
        lines.append(f"{indent}{left:<{width}}  {wrapped[0]}".rstrip())
        lines += [f"{indent}{'':<{width}}  {line}" for line in wrapped[1:]]
    return "\n".join(lines)


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.:]) ", text, 1)[0]


def presets() -> str:
    """The presets, with a line each."""
    return _table([(name, first_sentence(preset.doc).rstrip(":.") + ".") for name, preset in PRESETS.items()])


def axes() -> str:
    """Every key with its values."""
    rows = []
    for key in KEYS:
        words = ", ".join(key.values) if key.values else _KIND_WORDS[key.kind].replace("`", "")
        default = default_words(key).replace("`", "")
        rows.append((key.path, words + (f"  ({'default: ' if key.default is not None else ''}{default})"
                                        if default != "not set" else "")))
    return _table(rows)


def outputs(spec: Spec, tests: bool, debuggers: bool = False) -> List[str]:
    """The names of the files that a spec gives."""
    found = [spec.stem + ".h"] + ([] if spec.files == "single" else [spec.stem + ".c"])
    return (found + ([spec.stem + "_test.c"] if tests else [])
            + ([spec.stem + ending for ending in DEBUGGERS] if debuggers else []))


# -- the reference page ----------------------------------------------------------------------------------------------


def reference() -> str:
    """The reference page, in Markdown."""
    lines = [
        "# The language of Bespoke's specs", "",
        "<!-- Made from the tables of the generator: bespoke schema --markdown -o docs/reference.md -->", "",
        f"A spec is a YAML file. It begins with `bespoke: {VERSION}`, the version of the language.", "",
        "```yaml", f"bespoke: {VERSION}", "containers:", "  fleet:",
        "    element: {type: struct ship, header: ship.h}", "    ordering: unordered", "    removal: swap", "```", "",
        "| key | |", "| --- | --- |",
        "| `containers` | The containers by name. A name becomes the C type and prefixes its functions. |",
        "| `defaults` | Values for all containers of the file that do not say otherwise. |",
        "| `presets` | Presets of your own: a name, and values. `preset:` in it names another one to build on. |",
        "| `include` | A file, or a list of files, whose `defaults` and `presets` hold here too. |",
        "| `memberships` | Functions that take an element out of several containers in one call: "
        "`memberships: {enemy_leave_all: [team, targets]}`. |", "",
        "A value is looked for in the container itself, then in its `preset`, then in `defaults`; else the default holds. "
        "`bespoke explain SPEC` shows every value and where it came from.", "",
        "## Keys of a container", ""]
    for role, words in ROLES.items():
        lines.append(f"- **{role}**: {words}.")
    lines += ["", "[The axes](axes/README.md) have a page each. A dot stands for a group: `removal.when` is written as `removal: {when: deferred}`.", ""]
    group = None
    for key in KEYS:
        if key.group != group or not key.group:
            group = key.group
            lines += [f"### `{group or key.path}`", ""]
            short = short_key(group) if group else None
            if short is not None:
                example = short.example or next(iter(short.values))
                lines += [f"`{group}: {example}` means `{group}: {{{short.leaf}: {example}}}`.", ""]
            lines += [f"[On a page of its own](axes/{group or key.path}.md), with examples, costs, and what goes together.", ""]
        lines += _key_lines(key)
    lines += ["## Presets", "", "A preset is a set of values and nothing else. [The structures](structures/README.md) has them side by side.", ""]
    for name, preset in PRESETS.items():
        lines += [f"### `{name}`", "", f"{preset.doc} [An example, when to choose it, what it costs](structures/{name}.md)", ""]
        lines += [f"- `{path}: {in_yaml(path, value)}`" for path, value in preset.settings.items()]
        lines += [f"- `{path}`{' or `' + INSTEAD[path] + '`' if path in INSTEAD else ''} must be given" for path in preset.needs]
        lines.append("")
    lines += ["## Error codes", "", "`bespoke explain CODE` prints the same; [with examples](errors.md).", "", "| code | | what to do |",
              "| --- | --- | --- |"]
    for code, (title, _, remedy) in sorted(CODES.items()):
        lines.append(f"| {code} | {cell(title)} | {cell(remedy)} |")
    return "\n".join(lines).rstrip() + "\n"


def _key_lines(key: Key) -> List[str]:
    facts = [key.role, "takes " + (" / ".join(f"`{value}`" for value in key.values) or _KIND_WORDS[key.kind])]
    default = default_words(key)
    facts.append({"must be given": default}.get(default, "default: " + default))
    if key.example:
        facts.append(f"such as `{key.example}`")
    lines = [f"**`{key.path}`** ({'; '.join(facts)})", "", key.doc, ""]
    if key.only:
        lines += ["Only with " + " and ".join(
            f"`{path}`: {' or '.join(f'`{value}`' for value in values)}" for path, values in key.only.items()) + ".", ""]
    if key.values:
        lines += ["| value | |", "| --- | --- |"]
        lines += [f"| `{value}` | {cell(doc)} |" for value, doc in key.values.items()]
        lines.append("")
    return lines


def cell(text: str) -> str:
    """Text in a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" not in text else text.replace("|", "\\|")


def in_markdown(words: str) -> str:
    """Words of a table or a message as Markdown: `<` and `*` outside of code would mean something."""
    parts = re.split(r"(`[^`]*`)", words)
    return "".join(part if part.startswith("`") else re.sub(r"([<*])", r"\\\1", part) for part in parts)


# -- starter specs ---------------------------------------------------------------------------------------------------


def starter(preset_name: str, name: str, ctype: Optional[str], header: Optional[str], file: Optional[str],
            problems: Diagnostics) -> str:
    """A spec to start from: what must be given, and as comments what the preset says."""
    preset = PRESETS[preset_name]
    if ctype is None:
        ctype, header = "struct ship", header or "ship.h"
    elif header is None and not is_built_in(ctype):
        word = re.findall(_IDENTIFIER, ctype)
        header = (word[-1] if word else "element") + ".h"
    _check(problems, name, ctype, header)
    given: Dict[str, Any] = {"element.type": ctype}
    if header is not None:
        given["element.header"] = header
    said = dict(preset.settings)
    for path in preset.needs:
        given[path] = BY_PATH[path].example or 64
        if is_built_in(ctype) and path in ("removal.expired", "sort.key"):
            given[path] = "*element <= 0" if path == "removal.expired" else "*element"
    by_pointer = said.get("element.by") == "pointer"
    if said.get("duplicates") in ("reject", "replace") and not by_pointer and not any(p.startswith("identity.") for p in said):
        given["element.by"] = "pointer"

    place = _schema_place(file)
    lines = [f"# yaml-language-server: $schema={place}"] if place else \
        ["# For completion in an editor: `bespoke schema --json -o bespoke.schema.json` beside this file, and above all else",
         "#     yaml-language-server: $schema=bespoke.schema.json"]
    lines += ["# " + line for line in textwrap.wrap(f"{preset.title[0].upper()}{preset.title[1:]}: {preset.doc}", 100)]
    lines += ["# What begins with '#' below is what the preset says already: take the '#' away to say something else.",
              f"# `bespoke explain {os.path.basename(file) if file else 'SPEC'}` shows what it comes to.",
              f"bespoke: {VERSION}", "containers:", f"  {name}:", f"    preset: {preset_name}"]
    order = [key.path for key in KEYS if key.path in given or key.path in said]
    for head in dict.fromkeys(path.split(".")[0] for path in order):
        lines.append("")
        lines += _starter_group(head, [path for path in order if path.split(".")[0] == head], given, said)
    return "\n".join(lines) + "\n"


def _starter_group(head: str, paths: List[str], given: Dict[str, Any], said: Dict[str, Any]) -> List[str]:
    lines: List[str] = []
    if not any(path in given for path in paths):
        for path in paths:
            lines += _doc_comment(path, 4)
        return lines + ["    # " + in_one_line(head, paths, said)]
    lines.append(f"    {head}:")
    for leaf in dict.fromkeys(path[len(head) + 1:].split(".")[0] for path in paths):
        path = f"{head}.{leaf}"
        below = [other for other in paths if other.startswith(path + ".")]  # a group in the group
        for other in below or [path]:
            lines += _doc_comment(other, 6)
        if below:
            known = {**said, **given}
            lines.append("      " + ("" if any(other in given for other in below) else "# ")
                         + f"{leaf}: {_flow_mapping(path, below, known)}")
        elif path in given:
            lines.append(f"      {leaf}: {in_yaml(path, given[path])}")
        else:
            lines.append(f"      # {leaf}: {in_yaml(path, said[path])}")
    return lines


def in_one_line(head: str, paths: List[str], said: Dict[str, Any]) -> str:
    """A key, or all that is said of a group, on one line of a spec."""
    short = short_key(head)
    if paths == [head]:
        return f"{head}: {in_yaml(head, said[head])}"
    if short is not None and paths == [short.path]:
        return f"{head}: {in_yaml(short.path, said[short.path])}"
    return f"{head}: {_flow_mapping(head, paths, said)}"


def _flow_mapping(prefix: str, paths: List[str], said: Dict[str, Any]) -> str:
    parts = []
    for leaf in dict.fromkeys(path[len(prefix) + 1:].split(".")[0] for path in paths):
        path = f"{prefix}.{leaf}"
        if path in said:
            parts.append(f"{leaf}: {in_yaml(path, said[path], flow=True)}")
        else:
            parts.append(f"{leaf}: {_flow_mapping(path, [p for p in paths if p.startswith(path + '.')], said)}")
    return "{" + ", ".join(parts) + "}"


def _doc_comment(path: str, indent: int) -> List[str]:
    key = BY_PATH[path]
    text = key.doc + (f" One of: {', '.join(key.values)}." if key.values else "")
    text = f"[{path}] {text}"
    wrapped = textwrap.wrap(text, 100 - indent, break_long_words=False, break_on_hyphens=False)
    return [" " * indent + "# " + wrapped[0]] + [" " * indent + "#   " + line for line in wrapped[1:]]


def _check(problems: Diagnostics, name: str, ctype: str, header: Optional[str]) -> None:
    problem = why_no_container(name)
    if problem:
        problems.error("BSP0301", f"'{name}' cannot name a container: {problem}", help="give another with --name")
    for code, option, problem in (("BSP0303", "--type", check_type(ctype)),
                                  ("BSP0304", "--header", header and check_header(header))):
        if problem:
            problems.error(code, f"{option}: {problem[1]}")


def _schema_place(file: Optional[str]) -> str:
    """Where an editor finds the schema, seen from the spec: beside it, or where Bespoke lies in the same project; '' if neither."""
    if file is None:
        return ""
    folder = os.path.realpath(os.path.dirname(file) or ".")
    if os.path.isfile(os.path.join(folder, "bespoke.schema.json")):
        return "bespoke.schema.json"
    root = os.path.realpath(ROOT)
    place = os.path.join(root, "docs", "schema", "bespoke.schema.json")
    project = folder
    while not os.path.lexists(os.path.join(project, ".git")) and project not in (root, os.path.dirname(project)):
        project = os.path.dirname(project)
    if project != os.path.dirname(project) and os.path.isfile(place) and os.path.commonpath([project, root]) == project:
        return os.path.relpath(place, folder).replace(os.sep, "/")
    return ""
