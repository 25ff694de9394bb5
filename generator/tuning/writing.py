"""A choice written into the spec that it is for."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..containers.load import load_spec
from ..language.keys import BY_PATH
from ..text.diag import Diagnostics
from ..text.edits import with_value
from ..text.files import read_bytes
from .candidates import AXES, Candidate, dropped

SHORT = [path for path in AXES if BY_PATH[path].short]


def spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def changes(container: Any, candidate: Candidate) -> List[Tuple[str, Optional[str]]]:
    """By path: what the spec is to give; None: nothing more."""
    found: List[Tuple[str, Optional[str]]] = [(path, spelled(value)) for path, value in candidate.given.items()]
    return found + [(path, None) for path in dropped(container, candidate.given)]


def new_text(spec: Any, chosen: Sequence[Tuple[Any, Candidate]]) -> Tuple[Optional[str], List[str]]:
    """The text of a spec with these candidates, and the containers that it cannot be written for."""
    text: str = read_bytes(spec.path).decode("utf-8")
    refused = []
    for container, candidate in chosen:
        changed: Optional[str] = text
        for path, value in changes(container, candidate):
            changed = changed and with_value(changed, ("containers", container.name), path, value, SHORT)
        if changed is None:
            refused.append(container.name)
        else:
            text = changed
    return text, refused


def is_right(path: str, include: Sequence[str], before: Any, chosen: Sequence[Tuple[Any, Candidate]]) -> bool:
    """Does the spec of this file say what the other one says, but for these candidates?"""
    spec = load_spec(path, Diagnostics(), include)
    if spec is None:
        return False
    wanted: Dict[str, Any] = {container.name: candidate.container for container, candidate in chosen}
    for old, new in zip(before.containers, spec.containers):
        other = wanted.get(old.name, old)
        paths = {path for path in (*other.settings, *new.settings) if BY_PATH[path].role != "emission" or old is other}
        if old.name != new.name or any(other[path] != new[path] for path in paths):
            return False
    return len(before.containers) == len(spec.containers)
