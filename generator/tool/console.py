"""What is printed: results to the standard output, diagnostics to the standard error stream; and the exit codes."""

import os
import sys
from typing import Any, Iterator, List

from ..text.diag import Diagnostic, Diagnostics
from ..text.files import changed_inputs
from ..text.printing import render

OK, DRIFT, SPEC, ENVIRONMENT, INTERNAL = 0, 1, 2, 3, 4

lost: List[OSError] = []  # why the standard output could not be written


def changes() -> Iterator[Diagnostic]:
    """What to say of files that are no longer what was read."""
    for path in changed_inputs():
        yield Diagnostic("BSP0412", f"'{path}' changed while it was read", help=["run the command again"])


class Output:
    """Where words go: results to stdout, diagnostics to stderr."""

    def __init__(self, style: str = "gcc", color: str = "auto", quiet: bool = False):
        self.style, self.quiet = style, quiet
        self.color = color == "always" or (
            color == "auto" and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
            and hasattr(sys.stderr, "isatty") and sys.stderr.isatty())

    def say(self, text: str) -> None:
        """What a command did; left out with -q."""
        if not self.quiet:
            self.print(text)

    def print(self, text: str) -> None:
        """What a command was asked for."""
        write(sys.stdout, text + "\n")

    def diagnostics(self, items: Diagnostics) -> None:
        for item in items.sorted():
            self.diagnostic(item)

    def diagnostic(self, item: Diagnostic) -> None:
        flush(sys.stdout)  # so that both come in the right order where they go to the same place
        write(sys.stderr, render(item, self.style, self.color) + "\n")

    def note(self, code: str, message: str) -> None:
        self.diagnostic(Diagnostic(code, message, severity="note"))

    def remark(self, text: str) -> None:
        """A line for people only, after the diagnostics."""
        if self.style == "gcc":
            write(sys.stderr, text + "\n")


def write(stream: Any, text: str) -> None:
    """Prints what the stream's encoding can show, and escapes what it cannot."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    except OSError as error:
        _give_up(stream, error)


def flush(stream: Any) -> None:
    try:
        stream.flush()
    except OSError as error:
        _give_up(stream, error)


def _give_up(stream: Any, error: OSError) -> None:
    """Nobody reads any more, as in `bespoke check | head`: the command goes on, and its exit code says what it found. Where there
    is another reason, what was asked for is missing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if stream is sys.stdout and not isinstance(error, BrokenPipeError):
        lost.append(error)
