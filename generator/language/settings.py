"""The walk over the nodes of a spec: every key to its setting."""

import difflib
from typing import Any, Dict, Optional, Set, Tuple

from ..text.diag import Diagnostics
from ..text.nodes import Mapping, Scalar, Sequence, shape
from ..text.printing import shown
from ..text.suggestions import did_you_mean
from .keys import BY_PATH, KEYS, LISTS, MAPPINGS, Key, in_yaml, members, short_key
from .model import Setting
from .values import KINDS, WrongValue, place_in


class Settings(Dict[str, Setting]):
    """Settings by path, and the paths about which the reader complained: nothing more is said about those."""

    def __init__(self) -> None:
        super().__init__()
        self.spoilt: Set[str] = set()

    def take(self, other: "Settings") -> None:
        self.update(other)
        self.spoilt |= other.spoilt


def read_settings(node: Mapping, diagnostics: Diagnostics, origin: str = "spec", prefix: str = "",
                  skip: Tuple[str, ...] = (), where: str = "") -> Settings:
    """Reads a mapping of keys into settings by path; what is wrong goes to diagnostics, the rest is returned."""
    settings = Settings()
    known = members(prefix)
    for key_node, value in node.entries:
        name = key_node.text
        path = f"{prefix}.{name}" if prefix else name
        if not prefix and name in skip:
            continue
        if name not in known:
            near = _unknown_key(key_node, name, prefix, known, skip, diagnostics)
            settings.spoilt |= _below(f"{prefix}.{near}" if prefix and near else near or prefix or "?")
            continue
        key = known[name]
        if key is None:  # a group
            short = short_key(path)
            if isinstance(value, Mapping):
                if not value.entries:
                    diagnostics.error("BSP0104", f"'{path}' is empty", value.span,
                                      help=f"its keys are: {', '.join(members(path))}")
                    settings.spoilt |= _below(path)
                settings.take(read_settings(value, diagnostics, origin, path, where=where))
            elif short is not None and isinstance(value, _node_of(short)) and not getattr(value, "is_missing", False):
                _read_value(short, value, settings, diagnostics, origin, where)
            elif isinstance(value, Scalar) and value.is_missing:
                diagnostics.error("BSP0102", f"'{path}' has no value", value.span,
                                  help=(short and _expected(short)) or f"its keys are: {', '.join(members(path))}")
                settings.spoilt |= _below(path)
            else:
                wants = "a mapping" + (f" or a value for '{short.path}'" if short else "")
                diagnostics.error("BSP0104", f"'{path}' takes {wants}, not {shape(value)}", value.span,
                                  help=f"its keys are: {', '.join(members(path))}")
                settings.spoilt |= _below(path)
        elif isinstance(value, _node_of(key)) and (not isinstance(value, Mapping) or value.entries):
            _read_value(key, value, settings, diagnostics, origin, where)
        elif key.kind in MAPPINGS:
            diagnostics.error("BSP0104", f"'{path}' takes a mapping, not "
                              + ("an empty one" if isinstance(value, Mapping) else shape(value)), value.span,
                              help=_expected(key) or None)
            settings.spoilt.add(path)
        else:
            wants = "a list of names" if key.kind in LISTS else "one value"
            diagnostics.error("BSP0104", f"'{path}' takes {wants}, not {shape(value)}", value.span,
                              help=_expected(key) or f"write the value behind '{key.leaf}:'")
            settings.spoilt.add(path)
    return settings


def _node_of(key: Key) -> type:
    return Sequence if key.kind in LISTS else Mapping if key.kind in MAPPINGS else Scalar


def _below(path: str) -> Set[str]:
    """A path and all keys below it."""
    return {path} | {key.path for key in KEYS if key.path.startswith(path + ".")}


def _unknown_key(key_node: Scalar, name: str, prefix: str, known: Dict[str, Any], skip: Tuple[str, ...],
                 diagnostics: Diagnostics) -> Optional[str]:
    """Reports a key; gives the one that was probably meant."""
    near = did_you_mean(name, list(known) + list(skip))
    where = f" in '{prefix}'" if prefix else ""
    advice = f"known{where or ' here'}: " + ", ".join(list(skip) + list(known))
    if name in BY_PATH:
        near = None
        advice = f"write it in its group: {in_yaml(name, BY_PATH[name].example or '...')}"
    elif name == "preset" and not prefix:
        near = None
        advice = "a preset is named by each container, and by a preset that builds on it"
    elif near and _plainly(name, near):
        advice = f"did you mean '{near}'?"
    else:
        values = [key for key in KEYS if name in key.values and (not prefix or key.path.startswith(prefix + "."))]
        keys = [key for key in KEYS if name in key.path.split(".")[1:]]
        if values:
            near = None
            advice = "it is a value: " + " or ".join(in_yaml(key.path, name) for key in values[:3])
        elif keys:
            near = None
            advice = "it stands in another group: " \
                + " or ".join(dict.fromkeys(in_yaml(key.path, key.example or "...") for key in keys[:3]))
        elif near:
            advice = f"did you mean '{near}'? " + advice
    diagnostics.error("BSP0101", f"unknown key '{shown(name)}'{where}", key_node.span, help=advice)
    return near


def _plainly(word: str, near: str) -> bool:
    """Is it only a slip of the keyboard?"""
    return difflib.SequenceMatcher(None, word.lower(), near.lower()).ratio() > 0.75


def _read_value(key: Key, node: Any, settings: Settings, diagnostics: Diagnostics, origin: str, where: str) -> None:
    if isinstance(node, Scalar) and node.value is None and node.plain:
        message = f"'{key.path}' has no value" if node.is_missing else f"'{key.path}' cannot be '{node.text}'"
        diagnostics.error("BSP0102", message, node.span, help=_expected(key) or "give one, or leave the key out")
        settings.spoilt.add(key.path)
        return
    try:
        value = KINDS[key.kind](key, node)
    except WrongValue as first:
        for wrong in [first] + first.others:
            diagnostics.error(wrong.code, wrong.message, wrong.span or place_in(node, wrong.at), help=wrong.help or None)
        settings.spoilt.add(key.path)
        return
    settings[key.path] = Setting(value, origin, node.span, where)


def _expected(key: Key) -> str:
    if key.values:
        return "expected one of: " + ", ".join(key.values)
    return f"such as {in_yaml(key.path, key.example)}" if key.example else ""
