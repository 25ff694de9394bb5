"""The tables of `bespoke list`."""

import textwrap
from typing import List, Tuple

from ..language.keys import KEYS
from ..language.model import Spec
from ..language.presets import PRESETS
from ..text.filekinds import DEBUGGERS, FUZZ
from .wording import KIND_WORDS, default_words, first_sentence


def presets() -> str:
    """The presets, with a line each."""
    return _table([(name, first_sentence(preset.doc).rstrip(":.") + ".") for name, preset in PRESETS.items()])


def axes() -> str:
    """Every key with its values."""
    rows = []
    for key in KEYS:
        words = ", ".join(key.values) if key.values else KIND_WORDS[key.kind].replace("`", "")
        default = default_words(key).replace("`", "")
        rows.append((key.path, words + (f"  ({'default: ' if key.default is not None else ''}{default})"
                                        if default != "not set" else "")))
    return _table(rows)


def outputs(spec: Spec, tests: bool, debuggers: bool = False, fuzz: bool = False) -> List[str]:
    """The names of the files that a spec gives."""
    found = [spec.stem + ".h"] + [spec.handles_header] * bool(spec.handles_header) \
        + ([] if spec.files == "single" else [spec.stem + ".c"])
    return (found + ([spec.stem + "_test.c"] if tests or fuzz else []) + ([spec.stem + FUZZ] if fuzz else [])
            + ([spec.stem + ending for ending in DEBUGGERS] if debuggers else []))


def _table(rows: List[Tuple[str, str]], indent: str = "") -> str:
    width = max(len(row[0]) for row in rows)
    lines = []
    for left, right in rows:
        wrapped = textwrap.wrap(right, 116 - width - len(indent)) or [""]
        lines.append(f"{indent}{left:<{width}}  {wrapped[0]}".rstrip())
        lines += [f"{indent}{'':<{width}}  {line}" for line in wrapped[1:]]
    return "\n".join(lines)
