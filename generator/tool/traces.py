"""The command `trace export`: what a program has recorded, for other tools."""

import sys
from typing import Any

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
        try:
            with open(options.file, "w", encoding="utf-8", newline="") as file:
                exported(trace, file)
        except OSError as error:
            raise diag.failure(ENVIRONMENT, "BSP0405", "cannot write '%s': %s" % (options.file, error.strerror or error))
        output.say("wrote " + options.file)
    return OK
