"""The language as a JSON Schema (draft 7), for completion and hover help in editors."""

import json
from typing import Any, Dict, Optional

from ..language.keys import LISTS, RUN_TIME, VERSION, Key, members, short_key
from ..language.named_indexes import INDEX_KEYS
from ..language.presets import PRESETS
from ..language.values import LEAST_BITS, MOST_BITS, MOST_IN_CHUNK
from .wording import value_text

_DURATION = r"^[0-9]{1,7}(\.[0-9]{1,6})?\s*(s|seconds?|settles?)$"
IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"
INDEX_NAME = r"^by(_[a-z0-9]+)+$"


def schema() -> Dict[str, Any]:
    """The language as a JSON Schema (draft 7), for completion and hover help in editors."""
    settings = {name: _member_schema(name, key) for name, key in members("").items()}
    presets = {"type": "string", "minLength": 1,
               "description": "A named set of values. Built in: "
                              + "; ".join(f"{name} ({preset.title})" for name, preset in PRESETS.items()) + ".",
               "examples": list(PRESETS)}
    named = {"type": "object", "propertyNames": {"pattern": f"^{IDENTIFIER}$"}}

    def settled(description: str, **more: Any) -> Dict[str, Any]:
        return {"type": "object", "additionalProperties": False, "description": description,
                "properties": {**more, **settings}}

    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Bespoke container spec",
        "description": f"C containers generated from a spec. Version {VERSION} of the language.",
        "type": "object",
        "additionalProperties": False,
        "required": ["bespoke"],
        "properties": {
            "bespoke": {"description": "The version of the language.", "const": VERSION},
            "include": {
                "description": "Files whose defaults and presets also apply here. Paths are relative to this file.",
                "oneOf": [{"type": "string", "minLength": 1},
                          {"type": "array", "items": {"type": "string", "minLength": 1}}]},
            "defaults": {"$ref": "#/definitions/defaults"},
            "presets": {**named, "description": "User-defined presets, by name.",
                        "additionalProperties": {"$ref": "#/definitions/preset"}},
            "containers": {**named, "minProperties": 1,
                           "description": "The containers by name; a name becomes the C type and prefixes its functions.",
                           "additionalProperties": {"$ref": "#/definitions/container"}},
            "memberships": {**named, "minProperties": 1,
                            "description": "Functions that remove an element from several containers in one call, by name. Each "
                                           "lists the containers in the order of the removals.",
                            "additionalProperties": {"type": "array", "minItems": 2, "uniqueItems": True,
                                                     "items": {"type": "string", "minLength": 1}}},
        },
        "definitions": {
            "defaults": settled("Values for all containers of this file that do not set them."),
            "preset": settled("A named set of values.", preset=presets),
            "container": settled("One container.", preset=presets),
        },
    }


def text() -> str:
    return json.dumps(schema(), indent=2, ensure_ascii=True) + "\n"


def _member_schema(path: str, key: Optional[Key]) -> Dict[str, Any]:
    if key is not None:
        return _key_schema(key)
    group = {"type": "object", "additionalProperties": False, "minProperties": 1,
             "properties": {name: _member_schema(f"{path}.{name}", member) for name, member in members(path).items()}}
    short = short_key(path)
    if short is None:
        return {"description": _group_doc(path), **group}
    return {"description": short.doc, "oneOf": [_key_schema(short), group]}


def _group_doc(path: str) -> str:
    return "Group: " + ", ".join(members(path)) + "."


def _key_schema(key: Key) -> Dict[str, Any]:
    schema: Dict[str, Any] = {"description": _long_doc(key)}
    schema.update(_kind_schema(key))
    if key.default is not None:
        schema["default"] = key.default
    if key.kind == "fields":
        schema["examples"] = [{"x": "float", "y": "float", "owner": "struct ship *"}]
    elif key.kind == "renamings":
        schema["examples"] = [{"add": "Push", "remove_at": "RemoveSwap"}]
    elif key.kind == "indexes":
        schema["examples"] = [{"by_name": {"key": "element->name", "key_kind": "string"}}]
    elif key.kind in LISTS:
        schema["examples"] = [key.example.strip("[]").split(", ")]
    elif key.example:
        schema["examples"] = [key.example]
    return schema


_ITEMS: Dict[str, Dict[str, Any]] = {"files": {"minLength": 1}}  # of lists of something else than names


def _count_schema(key: Key) -> Dict[str, Any]:
    count = {"type": "integer", "minimum": 1, "maximum": 65535 if key.path == "iteration.passes" else 2**31 - 1}
    return count if key.kind == "count" else {"oneOf": [count, {"const": RUN_TIME}]}


def _kind_schema(key: Key) -> Dict[str, Any]:
    kind = key.kind
    if kind == "choice":
        return {"type": "string", "enum": list(key.values)}
    if kind == "flag":
        return {"type": "boolean"}
    if kind in ("count", "size"):
        return _count_schema(key)
    if kind == "bits":
        return {"type": "integer", "minimum": LEAST_BITS, "maximum": MOST_BITS}
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
        return {"type": "string", "pattern": f"^{IDENTIFIER}$"}
    if kind == "field":
        return {"type": "string", "pattern": rf"^{IDENTIFIER}(\.{IDENTIFIER})*$"}
    if kind == "prefix":
        return {"type": "string", "pattern": f"^({IDENTIFIER})?$"}
    if kind == "indexes":
        return {"type": "object", "minProperties": 1, "propertyNames": {"pattern": INDEX_NAME}, "additionalProperties": {
            "type": "object", "additionalProperties": False,
            "required": [each.leaf for each in INDEX_KEYS.values() if each.required],
            "properties": {each.leaf: _key_schema(each) for each in INDEX_KEYS.values()}}}
    if kind in ("fields", "renamings"):
        return {"type": "object", "minProperties": 1, "propertyNames": {"pattern": f"^{IDENTIFIER}$"},
                "additionalProperties": {"type": "string", "minLength": 1}}
    if kind == "statement":
        return {"type": "string", "pattern": "="}
    if kind in LISTS:
        return {"type": "array", "minItems": 1, **({"maxItems": 64} if kind == "names" else {}), "uniqueItems": True,
                "items": {"type": "string", **_ITEMS.get(kind, {"pattern": f"^{IDENTIFIER}$"})}}
    if kind == "lines":
        return {"type": ["string", "number", "boolean"]}
    return {"type": "string", "minLength": 1}  # type, header, callable: the C in them is beyond a pattern


def _only_doc(key: Key) -> str:
    return " and ".join(f"{path}: {' or '.join(value_text(path, value) for value in values)}" for path,
                        values in key.only.items())


def _long_doc(key: Key) -> str:
    """The doc with the meaning of each value, as hover help shows it."""
    lines = [key.doc]
    lines += [f"- {value}: {doc}" for value, doc in key.values.items()]
    if key.only:
        lines.append(f"Only with {_only_doc(key)}.")
    if key.derived:
        lines.append(f"If missing: {key.derived}.")
    return "\n".join(lines)
