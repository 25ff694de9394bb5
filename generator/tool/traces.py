"""The command `trace export`: what a program has recorded, for other tools."""

import sys
from typing import Any

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
        problems = diag.Diagnostics()
        if not fill_output(options.file, lambda file: exported(trace, file), problems):
            raise diag.Failure(problems, ENVIRONMENT)
        output.say("wrote " + options.file)
    return OK
