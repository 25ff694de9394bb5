"""uPlot, which draws the plots of a report: a script, its style, its licence. It is looked for when a report is written."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Iterator, NamedTuple, Optional

from ..text.diag import failure
from ..text.project import ROOT

ENVIRONMENT = 3
VARIABLE = "BESPOKE_UPLOT"


class Library(NamedTuple):
    """What goes into a report."""

    version: str
    script: str
    style: str
    licence: str


def find_library() -> Library:
    for folder in _folders():
        found = _read(folder)
        if found is not None:
            return found
    named = os.environ.get(VARIABLE)
    raise failure(ENVIRONMENT, "BSP0505", f"no uPlot in '{named}', which {VARIABLE} names" if named else "no uPlot is installed",
                  help="install it with: npm install uplot (in this folder or one above it, or with -g); "
                       f"or name its folder in {VARIABLE}")


def _folders() -> Iterator[str]:
    """Where it may be."""
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return
    folder = os.getcwd()
    while True:
        yield os.path.join(folder, "node_modules", "uplot")
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    yield os.path.join(ROOT, "build", "node_modules", "uplot")  # of script/setup
    for modules in ("/usr/share/javascript", "/usr/share/nodejs", "/usr/lib/node_modules", "/usr/local/lib/node_modules"):
        yield os.path.join(modules, "uplot")
    try:
        said = subprocess.run(["npm", "root", "-g"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=20)
        yield os.path.join(said.stdout.decode("utf-8", "replace").strip(), "uplot")
    except (OSError, subprocess.SubprocessError):
        pass


def _read(folder: str) -> Optional[Library]:
    """It as a package of npm, if it is there, and of a version whose calls are known."""
    texts = []
    try:
        for name in ("package.json", "dist/uPlot.iife.min.js", "dist/uPlot.min.css", "LICENSE"):
            with open(os.path.join(folder, *name.split("/")), encoding="utf-8") as file:
                texts.append(file.read())
        version = str(json.loads(texts[0])["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not version.startswith("1.") or "</script" in texts[1].lower() or "</style" in texts[2].lower():
        return None
    return Library(version, *texts[1:])
