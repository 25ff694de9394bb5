"""One container under the rules: how a conflict between two of its settings is reported."""

import re
from typing import Any, Callable, Iterable, List, Optional, Set, Tuple

from ..text.diag import Diagnostics, Note, Short, Span
from ..text.sentences import enumerated
from .keys import BY_PATH, in_yaml
from .model import Container
from .named_indexes import NAMES


class Check:
    """Checks one container; every conflict names both lines.

    `spoilt` are paths that something was said about already, `preset` is the line that names the preset. `mends`: does another
    value of a key remove an error, and cause none, if others are left out, too?
    """

    def __init__(self, container: Container, diagnostics: Diagnostics, spoilt: Iterable[str] = (),
                 preset: Optional[Span] = None, mends: Callable[..., bool] = lambda path, value, *without: True):
        self.c = container
        self.diagnostics = diagnostics
        self.spoilt: Set[str] = set(spoilt)
        self.preset = preset
        self.mends = mends

    def conflict(self, code: str, message: str, at: str, other: Optional[str] = None, help: Any = None,
                 about: Tuple[str, ...] = (), because: Iterable[str] = (), span: Optional[Span] = None,
                 short: Optional[Short] = None) -> None:
        """Reports a conflict at one key (or a part of its value, the span) with another. `about`: what else it depends on;
        `because`: what each way comes to; `help`: also a function, called only if the help is printed."""
        if self.spoilt & {at, other, *about}:
            return
        span = span or self.c.span_of(at)
        notes: List[Note] = []
        aside = []  # what has no line of its own to be shown at
        setting = self.c.settings.get(at)
        if setting is not None and setting.origin == "preset" and setting.span == self.preset:
            aside.append(f"{self.yaml(at, setting.value)} is from preset '{setting.source}'")
        if other is not None:
            note = self._describe(other)
            if note.span == span:
                aside.append(note.message)
            else:
                notes.append(note)
        if setting is not None and setting.origin == "preset" and self.preset not in (None, span):
            notes.append(Note(f"container '{self.c.name}' uses preset '{setting.source}' here", self.preset))
        elif setting is not None and setting.origin == "defaults":
            notes.append(Note(f"container '{self.c.name}' has it from these defaults", self.c.span))
        if aside:
            message += f" ({', '.join(aside)})"
        self.diagnostics.error(code, message, span, help=help, notes=notes + [Note(reason) for reason in because], short=short)

    def spare(self, path: str, value: Any) -> List[str]:
        """The keys that the spec gives, and that mean nothing beside a value of another key."""
        return [key for key,
                setting in self.c.settings.items() if setting.origin == "spec"
                and value not in BY_PATH[key].only.get(path, (value,))]

    def use(self, *settings: Tuple[str, Any], otherwise: str = "") -> Callable[[], List[str]]:
        """Advice for a conflict: those of these settings that lead to no other error, with the keys that are left out then; or
        something else."""
        def advice() -> List[str]:
            words = [self.yaml(*setting) for setting in settings if not self.spare(*setting) and self.mends(*setting)]
            found = ["use " + ", or ".join(words)] if words else []
            found += [f"use {self.yaml(*setting)}, and leave out {enumerated([self.key(key) for key in spare])}"
                      for setting in settings for spare in [self.spare(*setting)] if spare and self.mends(*setting, *spare)]
            found += [otherwise] if otherwise else []
            return found[:1] + [f"or {way}" for way in found[1:]]

        return advice

    def warn(self, code: str, message: str, at: str, other: str, help: Any) -> None:
        """Reports what may be meant, but costs more than is seen."""
        self.diagnostics.warning(code, message, self.c.span_of(at), help=help, notes=[self._describe(other)])

    def _value(self, path: str) -> str:
        value = self.c[path]
        if value is None:
            return "is not given"
        return "is " + (str(value).lower() if isinstance(value, (bool, int, float)) else f"'{value}'")

    def _describe(self, path: str) -> Note:
        setting = self.c.settings.get(path)
        origin = ""
        if setting is not None:
            origin = {"preset": f", from preset '{setting.source}'", "defaults": ", from the defaults",
                      "default": ", by default", "derived": f", since {setting.source}"}.get(setting.origin, "")
        return Note(f"'{self.key(path)}' {self._value(path)}{origin}", self.c.span_of(path))

    def refuse(self, code: str, key: str, table: Iterable[Tuple[str, str, str, str]], most: Optional[int] = None) -> bool:
        """Reports values of other keys that a key does not go with: rows of a key, its value, why, and what does. Was there
        one?"""
        found = [row for row in table if self.c[row[0]] == row[1]]
        for path, _, why, instead in found[:most]:
            at, other = self.blame(key, path)
            self.conflict(code, why, at, other, help=f"use {self.yaml(path, instead)}, or leave out {key}")
        return bool(found)

    def blame(self, *paths: str) -> Tuple[str, ...]:
        """The paths with the one that the spec itself says in front."""
        rank = {"spec": 0, "preset": 1, "defaults": 2, "derived": 3, "default": 4}
        settings = self.c.settings
        return tuple(sorted(paths, key=lambda path: rank[settings[path].origin] if path in settings else 5))

    def key(self, path: str) -> str:
        """What the spec calls a key: the order of a layer is a key of the layers, the identity of a named index one of
        `indexes`."""
        if self.c.index and path in NAMES:
            return f"indexes.{self.c.index}.{NAMES[path]}"
        return "layers.ordering" if self.c.is_layer and path == "ordering" else path

    def leaf(self, path: str) -> str:
        """The last word of that."""
        return self.key(path).split(".")[-1]

    def such_as(self, *settings: str, group: str = "identity") -> str:
        """What the spec says of a key, or of the key of a named index: `key: element->id` and other settings, as in
        `identity`."""
        if not self.c.index:
            return f"`{group}: {{{', '.join(settings)}}}`"
        return f"`{self.c.index}: {{" + ", ".join(re.sub(r"^kind:", "key_kind:", each) for each in settings) + "}`"

    def yaml(self, path: str, value: Any) -> str:
        """How the spec gives a key a value."""
        if self.c.index and path in NAMES:
            return f"`{NAMES[path]}: {value}`"
        return in_yaml(self.key(path), value)


def header_of(kind: Optional[str]) -> str:
    """A name for the header of a type, for an example."""
    words = [word for word in re.findall(r"\w+", kind or "") if word not in ("struct", "union", "enum", "const")]
    return (words[-1] if words else "ship") + ".h"
