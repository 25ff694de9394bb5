"""The commands `trace export` and `report`: what a program has recorded, for other tools and for people."""

import json
import os
import sys
import time
from typing import Any, Callable

from ..output.writer import fill_output
from ..text import diag
from .console import ENVIRONMENT, OK, Output, write


class _Printed:
    """The standard output, which may be closed before all is written."""

    def write(self, text: str) -> None:
        write(sys.stdout, text)


def export(options: Any, output: Output) -> int:
    from ..traces import export as exporting
    from ..traces.reader import Trace

    trace = Trace(options.trace)
    exported: Any = exporting.to_csv if options.to == "csv" else exporting.to_chrome
    if options.file is None:
        exported(trace, _Printed())
    else:
        _fill(options.file, lambda file: exported(trace, file), output)
    return OK


def report(options: Any, output: Output) -> int:
    from ..traces import report as reporting
    from ..traces.plots import find_library
    from ..traces.reader import Trace

    library = None if options.json else find_library()  # before a long file is read
    data = reporting.data_of(Trace(options.trace, progress(options.trace, sys.stderr)))
    text = json.dumps(data, indent=1) + "\n" if library is None else reporting.html_of(data, library)
    if options.json and options.file is None:
        write(sys.stdout, text)
    else:
        _fill(options.file or os.path.splitext(options.trace)[0] + ".html", lambda file: file.write(text), output)
    return OK


def _fill(path: str, fill: Callable[[Any], object], output: Output) -> None:
    problems = diag.Diagnostics()
    if not fill_output(path, fill, problems):
        raise diag.Failure(problems, ENVIRONMENT)
    output.say("wrote " + path)


def progress(path: str, stream: Any, now: Callable[[], float] = time.monotonic) -> Callable[[int, int], None]:
    """Says on a terminal how far a long file has been read."""
    began, shown = now(), False

    def tell(done: int, of: int) -> None:
        nonlocal shown
        if of and stream.isatty() and (shown or now() - began > 1):
            shown = True
            write(stream, f"\rreading {path}: {100 * min(done, of) // of} %" + "\r\033[K" * (done >= of))
            stream.flush()
    return tell
