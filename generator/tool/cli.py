"""The command line: runs a command and returns its exit code.

Exit codes: 0 ok, 1 drift, 2 spec or usage error, 3 environment, 4 internal error.
"""

import gc
import importlib
import os
import sys
from typing import Optional, Sequence

from ..text import diag
from ..text.diag import Diagnostic
from ..text.files import forget_inputs
from ..text.project import PACKAGE, ROOT
from .arguments import parser
from .console import ENVIRONMENT, INTERNAL, SPEC, Output, changes, flush, lost, write

NO_WORKING_FOLDER = Diagnostic("BSP0411", "the working folder does not exist any more", help="change to a folder that exists")
INSTALL = ["apt-get install python3-jinja2 python3-yaml", "python3 -m pip install jinja2 pyyaml"]


_OBJECTS = 100_000  # made between two collections: all that a spec needs


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs one command and gives its exit code. Without arguments those of the process are meant, which ends then: what it makes
    is not looked through again and again, nor at its end."""
    if arguments is not None:
        return _run(arguments)
    gc.set_threshold(_OBJECTS)
    try:
        return _run(None)
    finally:
        gc.freeze()


def _run(arguments: Optional[Sequence[str]]) -> int:
    _prepare_streams()
    _end_as_interrupted()
    forget_inputs()
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:  # argparse has said what is wrong
        return stop.code if isinstance(stop.code, int) else SPEC
    output = Output(options.diagnostics, options.color, options.quiet)
    try:
        module, function = options.run.split(".")
        code = getattr(importlib.import_module("." + module, __package__), function)(options, output)
        flush(sys.stdout)
        if lost:
            output.diagnostic(Diagnostic("BSP0405", "cannot write the standard output: "
                                                    f"{os.strerror(lost.pop().errno or 0).lower()}"))
            return ENVIRONMENT
        return code
    except diag.Failure as failure:
        output.diagnostics(failure.diagnostics)
        for change in changes() if failure.exit_code == SPEC else ():  # which may be why
            output.diagnostic(change)
        if not _has_working_folder():  # which may be why
            output.diagnostic(NO_WORKING_FOLDER)
        return failure.exit_code
    except ImportError as error:
        if os.environ.get("BESPOKE_DEBUG"):
            raise
        return _import_error(error, output)
    except KeyboardInterrupt:
        write(sys.stderr, "bespoke: interrupted\n")
        return 130
    except Exception as error:  # nothing a spec holds should get here
        if not _has_working_folder():
            output.diagnostic(NO_WORKING_FOLDER)
            return ENVIRONMENT
        if os.environ.get("BESPOKE_DEBUG"):
            raise
        return _internal_error(error, output)


def _has_working_folder() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _prepare_streams() -> None:
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, as by `>&-`: nobody reads, and no file is to get its number
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and os.name == "nt":
            stream.reconfigure(newline="\n")


def _end_as_interrupted() -> None:
    """A command that is ended removes its temporary files, as at an interrupt."""
    import signal

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            try:
                signal.signal(number, end)
            except ValueError:  # not in the main thread
                pass


def _import_error(error: ImportError, output: Output) -> int:
    name = (error.name or "").split(".")[0]
    if name == __package__.split(".")[0]:
        return _internal_error(error, output)
    output.diagnostic(Diagnostic("BSP0501", "%s: %s (%s)" % (type(error).__name__, error, sys.executable),
                                 help=["install it with: " + INSTALL[0], "or with: " + INSTALL[1]]))
    return ENVIRONMENT


def _internal_error(error: BaseException, output: Output) -> int:
    """A bug of ours: one line, with the place in the template or the generator."""
    place, in_template = "", False
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        template = file.endswith(".j2")
        ours = os.path.abspath(file).startswith(PACKAGE + os.sep)
        if template or (ours and not in_template):
            place = "%s:%d" % (os.path.relpath(file, ROOT) if os.path.isabs(file) else file, trace.tb_lineno)
            in_template = in_template or template
        trace = trace.tb_next
    if getattr(error, "lineno", None) and getattr(error, "filename", None) and str(error.filename).endswith(".j2"):
        place = "%s:%d" % (os.path.relpath(error.filename, ROOT), error.lineno)  # a template that cannot be compiled
    subject = getattr(error, "bespoke_subject", "")
    message = "%sinternal error%s: %s: %s" % (
        place + ": " if place else "", " with " + subject if subject else "", type(error).__name__,
        " ".join(str(error).split()) or "no reason given")
    output.diagnostic(Diagnostic("BSP0590", message,
                                 help="this is a bug of Bespoke, please report it; BESPOKE_DEBUG=1 shows where"))
    return INTERNAL
