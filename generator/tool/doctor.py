"""The command `doctor`: what is installed, what is missing, and how to install it."""

import os
import re
import shutil
import subprocess
import sys
from typing import Any, List, Sequence, Tuple

from ..text.diag import Diagnostic
from ..text.project import template_root
from .console import ENVIRONMENT, OK, Output, flush
from .explain import table


def doctor(options: Any, output: Output) -> int:
    text, missing = _health(options.need)
    output.say(text)
    flush(sys.stdout)
    for item in missing:
        output.diagnostic(item)
    return ENVIRONMENT if missing else OK


def _health(need: Sequence[str]) -> Tuple[str, List[Diagnostic]]:
    """A table of what is installed, and an error for each thing that is missing though it is needed."""
    from ..output import clang_format
    rows: List[Tuple[str, str, str]] = []
    missing: List[Diagnostic] = []
    python = "%d.%d.%d" % sys.version_info[:3]
    rows.append(("python", python, sys.executable or "?"))
    if sys.version_info < (3, 8):
        missing.append(Diagnostic("BSP0501", "Python 3.8 or newer is needed, this is " + python))
    for module, shown, debian, pip in (("jinja2", "Jinja2", "python3-jinja2", "jinja2"),
                                       ("yaml", "PyYAML", "python3-yaml", "pyyaml")):
        try:
            found = __import__(module)
        except Exception as error:  # an installation may be broken in any way
            how = f"apt-get install {debian}, or: {os.path.basename(sys.executable or 'python3')} -m pip install {pip}"
            rows.append((shown, "missing", how))
            if "generate" in need:
                missing.append(Diagnostic("BSP0501", f"{type(error).__name__}: {error} ({sys.executable})",
                                          help=f"install it with: {how}"))
            continue
        rows.append((shown, str(getattr(found, "__version__", "found")), os.path.dirname(found.__file__ or "")))
    try:
        rows.append(("templates", "found", template_root()))
    except ImportError:
        pass
    except OSError as error:
        rows.append(("templates", "missing", str(error)))
        missing.append(Diagnostic("BSP0503", str(error), help="install Bespoke again"))
    formatter, problem = clang_format.find_formatter()
    if formatter is not None:
        rows.append(("clang-format", formatter.version, formatter.path))
    else:
        rows.append(("clang-format", "missing", f"{problem}; without it, files are not formatted. "
                                                "apt-get install clang-format-14"))
    rows.append(_compiler())
    try:
        from ..types import libclang
        reads, how = libclang.available()
    except ImportError as error:  # what is missing has been said
        reads, how = False, str(error)
    rows.append(("libclang", "found" if reads else "missing", how if reads else
                 "%s; required only to read types from headers. %s" % (how, "apt-get install python3-clang")))
    if not reads and "types" in need:
        missing.append(Diagnostic("BSP0504", "types cannot be read from headers: " + how,
                                  help="install it with: apt-get install python3-clang"))
    rows.append(_uplot())
    return "\n".join(line[2:] for line in table(rows, (16, 12))), missing


def _uplot() -> Tuple[str, str, str]:
    from ..text.diag import Failure
    try:
        from ..traces.plots import find_library
        return "uPlot", find_library().version, "draws the plots of bespoke report"
    except ImportError as error:  # what is missing has been said
        return "uPlot", "missing", str(error)
    except Failure as error:
        said = "; ".join(each.message for each in error.diagnostics)
        return "uPlot", "missing", f"{said}; required only by bespoke report. npm install uplot"


def _compiler() -> Tuple[str, str, str]:
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        path = shutil.which(name) if name else None
        if path is None:
            continue
        try:
            said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, timeout=20).stdout.decode("utf-8", "replace")
        except (OSError, subprocess.TimeoutExpired):
            continue
        match = re.search(r"\d+\.\d+(?:\.\d+)?", said.split("\n")[0])
        return ("C compiler", match.group() if match else "found", path)
    return ("C compiler", "missing", "required only to compile. apt-get install gcc")
