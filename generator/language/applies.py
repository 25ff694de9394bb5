"""Keys that mean nothing beside other values."""

from __future__ import annotations

from typing import Container, Optional

from .check import Check
from .keys import BY_PATH
from .strategies import keeps


_CONDITIONAL = {path: key.only for path, key in BY_PATH.items() if key.only}


def applies(check: Check, paths: Optional[Container[str]] = None) -> None:
    """A key that means nothing beside the other values was meant to do something. `paths`: only these are looked at."""
    for path, setting in list(check.c.settings.items()):
        if path not in _CONDITIONAL or paths is not None and path not in paths:
            continue
        for other, allowed in _CONDITIONAL[path].items():
            if check.c[other] in allowed:
                continue
            if setting.origin == "spec":
                works = [value for value in allowed if other != "removal.policy" or keeps(value, check.c)] or allowed
                check.conflict("BSP0201", f"'{check.key(path)}' means nothing unless '{check.key(other)}' is "
                              + " or ".join(f"'{str(value).lower() if value is True else value}'" for value in allowed), path,
                               other,
                              help=f"leave it out, or use {' or '.join(check.yaml(other, value) for value in works)}",
                              because=filter(None, [BY_PATH[path].why]))
            else:
                check.c.settings.pop(path, None)
