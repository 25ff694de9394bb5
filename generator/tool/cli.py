"""The command line: arguments, exit codes, and everything that is printed.

Exit codes: 0 ok, 1 drift, 2 spec or usage error, 3 environment, 4 internal error.
"""

import argparse
import dataclasses
import os
import shlex
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from ..text import diag, printing
from ..text.diag import Diagnostic, Diagnostics, Note, Span
from ..text.error_codes import CODES
from ..text.printing import visible
from ..text.project import CONTRACT, PACKAGE, ROOT
from ..text.suggestions import did_you_mean

OK, DRIFT, SPEC, ENVIRONMENT, INTERNAL = 0, 1, 2, 3, 4

INSTALL = ["apt-get install python3-jinja2 python3-yaml", "python3 -m pip install jinja2 pyyaml"]


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
        _write(sys.stdout, text + "\n")

    def diagnostics(self, items: Diagnostics) -> None:
        for item in items.sorted():
            self.diagnostic(item)

    def diagnostic(self, item: Diagnostic) -> None:
        _flush(sys.stdout)  # so that both come in the right order where they go to the same place
        _write(sys.stderr, printing.render(item, self.style, self.color) + "\n")

    def note(self, code: str, message: str) -> None:
        self.diagnostic(Diagnostic(code, message, severity="note"))

    def remark(self, text: str) -> None:
        """A line for people only, after the diagnostics."""
        if self.style == "gcc":
            _write(sys.stderr, text + "\n")


def _write(stream: Any, text: str) -> None:
    """Prints what the stream's encoding can show, and escapes what it cannot."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    except OSError as error:
        _give_up(stream, error)


def _flush(stream: Any) -> None:
    try:
        stream.flush()
    except OSError as error:
        _give_up(stream, error)


def _give_up(stream: Any, error: OSError) -> None:
    """Nobody reads any more, as in `bespoke check | head`: the command goes on, and its exit code says what it found. Where there
    is another reason, what was asked for is missing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if stream is sys.stdout and not isinstance(error, BrokenPipeError):
        _lost.append(error)


_lost: List[OSError] = []  # why the standard output could not be written


# -- arguments -------------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--diagnostics", choices=("gcc", "msvc", "json"), default="gcc", help="how errors are written")
    common.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours in errors")
    common.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors and what was asked for")

    include = argparse.ArgumentParser(add_help=False)
    include.add_argument("-I", dest="include", metavar="DIR", action="append", default=[],
                         help="a folder to look for element headers in")

    compiled = argparse.ArgumentParser(add_help=False)
    compiled.add_argument("-D", dest="define", metavar="NAME[=VALUE]", action="append", default=[],
                          help="a definition with which headers are read")
    compiled.add_argument("--std", metavar="STANDARD", help="the version of C in which headers are read, such as c11")
    compiled.add_argument("--target", metavar="TRIPLE", help="the machine for which headers are read")
    compiled.add_argument("--compile-commands", dest="commands", metavar="FILE",
                          help="a compile_commands.json to take all of that from")
    compiled.add_argument("--options-from", dest="options_from", metavar="FILE",
                          help="a file with such options, one on each line")

    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("specs", metavar="SPEC", nargs="*", help="spec files; without any: specs/*.yaml")
    output.add_argument("-o", dest="folder", metavar="DIR", default="generated",
                        help="the folder of the generated files (default: generated)")
    output.add_argument("--tests", action="store_true", help="the test of each spec too")
    output.add_argument("--debuggers", action="store_true", help="what shows the containers in gdb and in Visual Studio, too")

    parser = argparse.ArgumentParser(prog="bespoke", description="Cuts C containers to measure from YAML specs.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.required = True

    add = commands.add_parser
    one = add("generate", parents=[common, include, compiled, output], help="write the C files of specs")
    one.add_argument("--types", action="store_true", help="read the types from their headers again, and go by these")
    one.add_argument("--depfile", metavar="FILE", help="write what the output depends on, in make syntax")
    one.add_argument("--stamp", metavar="FILE", help="touch this file on success; the target in the depfile")
    one.add_argument("--no-format", dest="format", action="store_false", help="do without clang-format")
    one.add_argument("--force", action="store_true", help="overwrite files that were edited by hand")
    one.add_argument("--stdout", action="store_true", help="print the files and write none")
    one.set_defaults(run=generate)

    one = add("check", parents=[common, include, compiled, output], help="are the generated files what the specs say?")
    one.add_argument("--types", action="store_true", help="and are the types in the headers what the locks say?")
    one.set_defaults(run=check)

    one = add("type", help="types from headers")
    what = one.add_subparsers(dest="what", metavar="WHAT")
    what.required = True
    one = what.add_parser("import", parents=[common, include, compiled], help="write what headers say of types into locks")
    one.add_argument("subjects", metavar="SPEC | HEADER TYPE", nargs="+",
                     help="specs, of whose elements the types are read; or a header and a type")
    one.add_argument("-o", dest="lock", metavar="LOCK", help="the lock of a single type (default: types/NAME.yaml, beside the specs "
                     "if there is a folder specs, such as specs/types/struct_ship.yaml)")
    one.add_argument("--update", action="store_true", help="only those that have a lock already, or cannot do without")
    one.set_defaults(run=type_import)

    one = add("explain", parents=[common, include], help="what a spec comes to, or what an error code means")
    one.add_argument("subject", metavar="SPEC|CODE", help="a spec file, or a code such as BSP0202")
    one.add_argument("container", metavar="CONTAINER", nargs="?", help="one container of the spec")
    one.set_defaults(run=explain)

    one = add("list", parents=[common, include], help="presets, axes and their values, output files")
    what = one.add_mutually_exclusive_group()
    what.add_argument("--axes", action="store_true", help="every key with its values")
    what.add_argument("--combinations", action="store_true",
                      help="every combination of the policy axes that is accepted, with the storage that serves it")
    what.add_argument("--outputs", action="store_true", help="the files that specs give")
    one.add_argument("specs", metavar="SPEC", nargs="*", help="spec files, for --outputs")
    one.add_argument("--tests", action="store_true", help="with --outputs: the tests too")
    one.add_argument("--debuggers", action="store_true", help="with --outputs: the files for debuggers too")
    one.set_defaults(run=list_)

    one = add("new", parents=[common], help="a commented spec to start from")
    one.add_argument("preset", metavar="PRESET", help="see `bespoke list`")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file, which must not exist")
    one.add_argument("--name", default="fleet", help="the name of the container (default: fleet)")
    one.add_argument("--type", default=None, help="the type of an element (default: struct ship)")
    one.add_argument("--header", default=None, help="the header that declares it (default: ship.h)")
    one.set_defaults(run=new)

    one = add("schema", parents=[common], help="the language: JSON Schema for editors, reference page for people")
    how = one.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="JSON Schema, draft 7 (default)")
    how.add_argument("--markdown", action="store_true", help="the reference page")
    how.add_argument("--structures", action="store_true", help="a page for each preset, into the folder of -o")
    how.add_argument("--axes", action="store_true", help="a page for each axis, into the folder of -o")
    how.add_argument("--errors", action="store_true", help="the page of all errors")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file")
    one.set_defaults(run=schema)

    one = add("doctor", parents=[common], help="what is installed, what is missing, how to get it")
    one.add_argument("--need", choices=("generate", "types"), action="append", default=[],
                     help="fail if something is missing that this command cannot do without")
    one.set_defaults(run=doctor)
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs one command and gives its exit code."""
    _prepare_streams()
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as stop:  # argparse has said what is wrong
        return stop.code if isinstance(stop.code, int) else SPEC
    output = Output(options.diagnostics, options.color, options.quiet)
    try:
        code = options.run(options, output)
        _flush(sys.stdout)
        if _lost:
            output.diagnostic(Diagnostic("BSP0405", f"cannot write the standard output: {os.strerror(_lost.pop().errno or 0).lower()}"))
            return ENVIRONMENT
        return code
    except diag.Failure as failure:
        output.diagnostics(failure.diagnostics)
        return failure.exit_code
    except ImportError as error:
        if os.environ.get("BESPOKE_DEBUG"):
            raise
        return _import_error(error, output)
    except KeyboardInterrupt:
        _write(sys.stderr, "bespoke: interrupted\n")
        return 130
    except Exception as error:  # nothing a spec holds should get here
        if os.environ.get("BESPOKE_DEBUG"):
            raise
        return _internal_error(error, output)


def _prepare_streams() -> None:
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, as by `>&-`: nobody reads, and no file is to get its number
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and os.name == "nt":
            stream.reconfigure(newline="\n")


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


# -- specs -----------------------------------------------------------------------------------------------------------


_SPECS = "specs"  # the folder of those that are meant where none are named


def _spec_paths(given: Sequence[str]) -> List[str]:
    """The specs of the command line, each once; without any, those in specs/."""
    paths = list(given)
    if not paths:
        try:
            names = sorted(os.listdir(_SPECS))
        except OSError:
            names = []
        paths = [os.path.join(_SPECS, name) for name in names if name.endswith(".yaml") and not name.startswith(".")]
        if not paths:
            problems = Diagnostics()
            problems.error("BSP0411", "no specs: none were named, and there are none in specs/",
                           help="name them: bespoke generate SPEC...")
            raise diag.Failure(problems, ENVIRONMENT)
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def load(paths: Sequence[str], include: Sequence[str], output: Output, locks: Any = None) -> List[Any]:
    """All specs resolved, or a Failure with the errors of all of them."""
    specs, problems = _resolved(paths, include, locks)
    if problems:
        raise diag.Failure(problems, SPEC)
    output.diagnostics(problems)  # warnings
    return specs


def _resolved(paths: Sequence[str], include: Sequence[str], locks: Any = None) -> Tuple[List[Any], Diagnostics]:
    """The specs that could be resolved, and what there is to say of all of them."""
    from ..containers.load import load_spec
    from ..language.element_types import Locks
    from ..output.parallel import kept

    problems = Diagnostics()
    locks = Locks() if locks is None else locks
    specs = []
    included: Set[str] = set()
    said: List[Tuple[str, Diagnostics]] = []
    with kept():
        for path in paths:
            own = Diagnostics()
            said.append((os.path.realpath(path), own))
            try:
                spec = load_spec(path, own, include, locks, included)
            except Exception as error:
                error.bespoke_subject = visible(path)
                raise
            if spec is not None:
                specs.append(spec)
    for path, own in said:
        for item in own:
            if item.code != "BSP0105" or path not in included:  # it is not a spec, but a part of others
                problems.add(item)
    _check_together(specs, problems)
    return specs, problems


def _top(spec: Any) -> Optional[Span]:
    """The beginning of a spec file."""
    return spec.containers[0].span.source.span(0) if spec.containers else None


def _check_together(specs: Sequence[Any], problems: Diagnostics) -> None:
    """What only shows when several specs are seen at once."""
    stems: Dict[str, Any] = {}
    names: Dict[str, Tuple[Any, Any]] = {}
    for spec in specs:
        other = stems.setdefault(spec.stem.lower(), spec)
        if other is not spec:
            problems.error("BSP0406", "'%s' and '%s' would both give %s.h" % (other.path, spec.path, spec.stem),
                           _top(spec), notes=[Note("the other one", _top(other))],
                           help="output files are named after the spec: rename one, or generate into two folders")
        for container in spec.containers:
            name = container.full_name
            owner, owned = names.setdefault(name, (spec, container))
            if owner is not spec:
                problems.error("BSP0407", "two containers are called '%s' in C" % name, container.span,
                               notes=[Note("the other one", owned.span)],
                               help="rename one, or give it an `emit.prefix`")


def render(specs: Sequence[Any], tests: Any = False, debuggers: Any = False,
           made: Callable[[str, str, List[str]], None] = lambda name, text, names: None,
           seals: Optional[Dict[str, str]] = None) -> List[Tuple[Any, Dict[str, str]]]:
    """Each spec with its files, not formatted and without banners; each file is told to `made` as soon as there is one, with the names
    in which it differs from others of its kind, and its seal to `seals`.

    tests, debuggers: flags, or functions of the spec."""
    import inspect

    from ..emitted.render import Renderer
    from ..output import cache, writer
    from ..output.parallel import side_by_side
    from ..text.filekinds import kind_of

    renderer = Renderer()
    if renderer.environment.bytecode_cache is None:
        renderer.environment.bytecode_cache = cache.template_cache()
    knows_tests = "tests" in inspect.signature(renderer.files).parameters
    result = []
    owners: Dict[str, Any] = {}
    problems = Diagnostics()

    def files_of(spec: Any) -> Tuple[Dict[str, str], Dict[str, str]]:
        wants = tests(spec) if callable(tests) else tests
        try:
            files = renderer.files(spec, writer.regenerate_line(spec), **({"tests": True} if wants and knows_tests else {}))
            if debuggers(spec) if callable(debuggers) else debuggers:
                files.update(renderer.debuggers(spec))
        except Exception as error:
            error.bespoke_subject = visible(spec.path)
            raise
        return files, {} if seals is None else {name: kind_of(name).seal(text) for name, text in files.items()}

    for spec, (files, sealed) in zip(specs, side_by_side(files_of, specs)):
        if seals is not None:
            seals.update(sealed)
        names = [container.full_name for container in spec.emitted]
        names += [word for word in (str(container["element.type"]).split()[-1] for container in spec.emitted) if word.isidentifier()]
        for name in files:
            other = owners.setdefault(name.lower(), spec)
            if other is not spec:
                problems.error("BSP0406", "'%s' and '%s' would both give %s" % (other.path, spec.path, name), _top(spec),
                               notes=[Note("the other one", _top(other))], help="rename one of the specs")
            made(name, files[name], names)
        result.append((spec, files))
    if problems:
        raise diag.Failure(problems, SPEC)
    return result


# -- commands --------------------------------------------------------------------------------------------------------


def generate(options: Any, output: Output) -> int:
    from ..output import clang_format, writer

    paths = _spec_paths(options.specs)
    locks = _compared(options) if options.types else None
    specs = load(paths, options.include, output, locks)
    if locks is not None:
        _say_differences(locks, output, "warning")
    with clang_format.Formatting() as formatting:
        if not options.format:
            formatting.problem = "it was not asked for"
        seals: Dict[str, str] = {}
        rendered = render(specs, options.tests, options.debuggers, formatting.add, seals)
        formatting.start()
        owners = {name: spec for spec, files in rendered for name in files}
        bodies = formatting.finish()
    if options.format and formatting.problem:
        output.note("BSP0502", "the files are valid, but not formatted: " + formatting.problem)
    files = {name: writer.with_banner(text, owners[name], options.folder, CONTRACT, seals[name], name)
             for name, text in bodies.items()}
    if options.stdout:
        for text in files.values():
            _write(sys.stdout, text)
    else:
        problems = Diagnostics()
        outcome = writer.write_files(files, options.folder, problems, options.force,
                                   keep_layout=bool(formatting.problem))
        if outcome is None:
            code = SPEC if any(item.code in ("BSP0402", "BSP0403", "BSP0404") for item in problems) else ENVIRONMENT
            output.diagnostics(problems)
            output.remark("bespoke: nothing was written")
            return code
        for path in outcome.written:
            output.say("wrote " + path)
        output.say("%d written, %d unchanged" % (len(outcome.written), len(outcome.unchanged)))
    problems = Diagnostics()
    if options.depfile:
        target = options.stamp or os.path.join(options.folder, next(iter(files)))
        writer.write_output(options.depfile, writer.depfile(target, specs), problems)
    if options.stamp and not problems:
        writer.write_output(options.stamp, "", problems)
    if problems:
        raise diag.Failure(problems, ENVIRONMENT)
    return OK


def check(options: Any, output: Output) -> int:
    from ..containers.load import left_over
    from ..language.element_types import unguarded
    from ..output import drift as drift
    from ..text.filekinds import DEBUGGERS

    if not os.path.isdir(options.folder):
        problems = Diagnostics()
        problems.error("BSP0411", "there is no folder '%s' to compare with" % options.folder,
                       help="name the folder of the generated files with -o")
        raise diag.Failure(problems, ENVIRONMENT)
    paths = _spec_paths(options.specs)
    locks = _compared(options) if options.types else None
    specs = load(paths, options.include, output, locks)
    changed = 0
    if locks is not None:
        _must_read(locks)
        changed = _say_differences(locks, output, "error")

    def wants_test(spec: Any) -> bool:
        return options.tests or os.path.lexists(os.path.join(options.folder, spec.stem + "_test.c"))

    def wants_debuggers(spec: Any) -> bool:
        return options.debuggers or any(os.path.lexists(os.path.join(options.folder, spec.stem + ending)) for ending in DEBUGGERS)

    rendered = render(specs, wants_test, wants_debuggers)
    report = drift.compare(rendered, options.folder, named=bool(options.specs))
    report.findings += drift.of_locks(left_over(specs, options.include))
    for finding in report.findings:
        output.diagnostic(finding.diagnostic)
        if finding.diff and output.style == "gcc":
            output.say(finding.diff)
    if not report.findings and not changed:
        output.say("%d files are what %d spec%s" % (report.compared, len(specs), " says" if len(specs) == 1 else "s say"))
        if locks is not None and not locks.locks:
            output.say("no type has a lock, so none was compared: `bespoke type import` writes them")
        elif locks is not None:
            output.say("%d type%s what the header%s" % ((1, " is", " says") if len(locks.locks) == 1 else
                                                        (len(locks.locks), "s are", "s say")))
        for spec in specs if locks is not None else ():
            for container in spec.containers:
                found = unguarded(container)
                if found:
                    output.say("%s.%s names members of %s, which has no lock (%s): `bespoke type import %s` writes it" % (
                        spec.stem, container.name, container.element, ", ".join(found), shlex.quote(spec.path)))
        return OK
    _flush(sys.stdout)
    if changed:
        output.remark("bespoke: %d type%s to import again; run: %s" % (changed, "" if changed == 1 else "s",
                                                                     _import_again(options, paths)))
    if report.findings:
        output.remark("bespoke: " + drift.mending(report, options, paths))
    return DRIFT


# -- types -----------------------------------------------------------------------------------------------------------


def _importer(options: Any) -> Any:
    from ..types.compile_options import Options
    from ..types.header_reader import Importer
    return Importer(Options(options.include, options.define, options.std, options.target, options.commands, options.options_from))


def _compared(options: Any) -> Any:
    from ..language.header_types import Compared
    return Compared(_importer(options))


def _must_read(locks: Any) -> None:
    """A Failure where headers had to be read and could not be."""
    from ..types.libclang import unavailable
    if locks.unavailable:
        problems = Diagnostics()
        unavailable(problems, locks.unavailable)
        raise diag.Failure(problems, ENVIRONMENT)


def _say_differences(locks: Any, output: Output, severity: str) -> int:
    """Says which types are no longer what their locks say; how many."""
    count = 0
    for path, container, lines in locks.differing():
        lock = locks.locks[path]
        advice = ["`bespoke type import` brings the lock up to date, as does the target bespoke-regen in a CMake build"]
        if severity == "warning":
            advice.append("what is generated now goes by the header")
        output.diagnostic(Diagnostic("BSP0328", "'%s' in '%s' is no longer what its lock says" % (
            lock.type, container[container.defining]), lock.span, severity, tuple(advice), tuple(Note(line) for line in lines)))
        count += 1
    if locks.unavailable and severity == "warning":
        output.note("BSP0504", "types are taken from their locks: " + locks.unavailable)
    return count


def _import_again(options: Any, paths: Sequence[str]) -> str:
    words = ["bespoke", "type", "import"] + list(paths)
    for flag, values in (("-I", options.include), ("-D", options.define)):
        for value in values:
            words += [flag, value]
    for flag, value in (("--std", options.std), ("--target", options.target), ("--compile-commands", options.commands),
                        ("--options-from", options.options_from)):
        words += [flag, value] if value else []
    return " ".join(shlex.quote(word) for word in words + ["--update"])


def type_import(options: Any, output: Output) -> int:
    from ..language.element_types import importable
    from ..language.header_types import Anew

    paths = [path for path in options.subjects if path.endswith((".yaml", ".yml"))]
    if not paths:
        return _import_one(options, output)
    wrong = Diagnostics()
    if len(paths) != len(options.subjects) or options.lock:
        wrong.error("BSP0411", "name either specs, or one header and one type",
                    help="bespoke type import SPEC...   or: bespoke type import HEADER TYPE")
        raise diag.Failure(wrong, SPEC)
    locks = Anew(_importer(options), options.update)
    specs, problems = _resolved(paths, options.include, locks)
    _must_read(locks)  # which would be the reason for the rest
    # What the headers say of a type is so whatever is wrong elsewhere.
    changed: List[str] = []
    unwritten = Diagnostics()
    for path, (_, info) in locks.read.items():
        if _write_lock(path, info, output, unwritten):
            changed.append(path)
    if not options.update:
        for spec in specs:
            for container in spec.containers:
                if not importable(container):
                    output.say("no header declares the type of %s.%s, %s" % (spec.stem, container.name, container.element))
    output.say("%d written, %d unchanged" % (len(changed), len(locks.read) - len(changed) - len(unwritten)))
    for path, others in () if output.quiet else _other_users(changed, paths).items():
        output.say("%s: also the lock of %s; generate %s again, too" % (
            path, ", ".join(others), "that spec" if len(others) == 1 else "those"))
    stuck = Diagnostics()
    if not problems and not unwritten:
        _remove_left_over(specs, options.include, output, stuck)
    output.diagnostics(problems)
    output.diagnostics(unwritten)
    output.diagnostics(stuck)
    rest = len(locks.read) - len(unwritten)
    if rest and (problems or unwritten):
        output.remark("bespoke: the rest was imported: %d type%s" % (rest, "" if rest == 1 else "s"))
    return SPEC if problems else ENVIRONMENT if unwritten or stuck else OK


def _remove_left_over(specs: Sequence[Any], include: Sequence[str], output: Output, problems: Diagnostics) -> None:
    """Removes the locks of types that no spec names any more: those that were written by an import, and by nobody since."""
    from ..containers.load import left_over
    from ..types.typelock import is_as_written

    for path, type_ in left_over(specs, include):
        if not is_as_written(path):
            output.say("%s is of no use: no spec beside it has elements of type '%s'; it was edited by hand, so it stays" % (path, type_))
            continue
        try:
            os.remove(path)
        except OSError as error:
            problems.error("BSP0405", "cannot remove '%s': %s" % (path, error.strerror or error))
        else:
            output.say("removed %s: no spec beside it has elements of type '%s'" % (path, type_))


def _other_users(changed: Sequence[str], known: Sequence[str]) -> Dict[str, List[str]]:
    """The specs beside those that are known whose types have one of these locks, by lock."""
    from ..containers.load import load_spec
    from ..language.element_types import LockUsers

    result: Dict[str, List[str]] = {}
    seen = {os.path.realpath(path) for path in known}
    for folder in dict.fromkeys(os.path.dirname(os.path.dirname(path)) for path in changed):
        users = LockUsers()
        for name in sorted(os.listdir(folder or os.curdir)):
            path = os.path.join(folder, name)
            if name.endswith((".yaml", ".yml")) and os.path.realpath(path) not in seen:
                load_spec(path, Diagnostics(), (), users)
        for path in changed:
            if path in users.specs:
                result[path] = users.specs[path]
    return result


def _import_one(options: Any, output: Output) -> int:
    """A type of a header that no spec need know."""
    from ..types.libclang import Unavailable, unavailable
    from ..types.type_info import NAMED
    from ..types.typelock import lock_path

    problems = Diagnostics()
    if len(options.subjects) != 2:
        problems.error("BSP0411", "name specs, or a header and a type", help="bespoke type import ship.h 'struct ship'")
        raise diag.Failure(problems, SPEC)
    header, type_ = options.subjects[0], " ".join(options.subjects[1].split())
    if not NAMED.match(type_):
        problems.error("BSP0411", "'%s' is no name of a type" % type_, help="such as `struct ship` or `ship_t`")
        raise diag.Failure(problems, SPEC)
    lock = options.lock or lock_path(_SPECS if os.path.isdir(_SPECS) else "", type_)
    # In the lock it is spelled as a spec beside the folder of the lock would.
    beside = os.path.dirname(os.path.dirname(os.path.abspath(lock)))
    shown, folder = header, os.curdir
    if not header.startswith("<") and os.path.isfile(header):
        folder, shown = os.path.dirname(header) or os.curdir, os.path.relpath(os.path.abspath(header), beside).replace(os.sep, "/")
        header = os.path.basename(header)
    try:
        info = _importer(options).read(type_, header, folder, None, None, problems)
    except Unavailable as error:
        unavailable(problems, str(error))
        raise diag.Failure(problems, ENVIRONMENT)
    if info is None:
        raise diag.Failure(problems, SPEC)
    written = _write_lock(lock, dataclasses.replace(info, header=shown), output, problems)
    if problems:
        raise diag.Failure(problems, ENVIRONMENT)
    if not written:
        output.say("%s is what the header says" % lock)
    elif os.path.abspath(lock) != lock_path(beside, type_):
        output.say("for a spec, it must be called %s, in a folder types beside the spec" % os.path.basename(lock_path("", type_)))
    return OK


def _write_lock(path: str, info: Any, output: Output, problems: Diagnostics) -> bool:
    """Writes a lock if it says something else now."""
    from ..output.lock_files import write_lock
    from ..types import typelock
    from ..types.type_differences import differences

    before = typelock.read(path, Diagnostics()) if os.path.lexists(path) else None
    if before is not None and not differences(before, info):
        info = dataclasses.replace(info, header=before.header)  # one of the specs that share it names it so
    if not write_lock(path, info, problems):
        return False
    output.say("wrote " + path)
    for line in differences(before, info) if before is not None else ():
        output.say("  " + line)
    if info.kind == "opaque":
        output.say("  %s only declares %s; if members are needed, the header that defines it is `defined_in`" % (info.header, info.type))
    return True


def explain(options: Any, output: Output) -> int:
    from . import explain as words

    subject = options.subject
    if subject.upper() in CODES or words.looks_like_code(subject):
        text = words.code(subject)
        if text is None:
            problems = Diagnostics()
            near = did_you_mean(subject.upper(), CODES)
            problems.error("BSP0411", "there is no code '%s'" % subject, help="did you mean %s?" % near if near else None)
            raise diag.Failure(problems, SPEC)
        output.print(text)
        return OK
    spec = load([subject], options.include, output)[0]
    chosen = [c for c in spec.containers if options.container in (None, c.name)]
    if not chosen:
        names = [c.name for c in spec.containers]
        near = did_you_mean(options.container, names)
        problems = Diagnostics()
        problems.error("BSP0411", "no container '%s' in '%s'" % (options.container, subject), _top(spec),
                       help=("did you mean '%s'? " % near if near else "") + "it holds: " + ", ".join(names))
        raise diag.Failure(problems, SPEC)
    plans = {}
    if any(c["emit.operations"] is not None for c in chosen):  # what else comes with them shows in the text
        from ..emitted.render import Renderer
        plans = {plan.T: plan for plan in Renderer().plans(spec)}
    output.print("\n\n".join(words.container(c, plans.get(c.full_name)) for c in chosen))
    return OK


def list_(options: Any, output: Output) -> int:
    from ..pages import reference

    if options.outputs:
        specs = load(_spec_paths(options.specs), [os.curdir] + options.include, output)
        for spec in specs:
            for name in reference.outputs(spec, options.tests, options.debuggers):
                output.print(name)
    elif options.combinations:
        from ..language import combinations
        found = list(combinations.combinations())
        output.print(combinations.table(found))
        output.say(f"{len(found)} combinations")
    elif options.axes:
        output.print(reference.axes())
    else:
        output.print(reference.presets())
    return OK


def new(options: Any, output: Output) -> int:
    from ..language.presets import PRESETS
    from ..pages import reference

    problems = Diagnostics()
    if options.preset not in PRESETS:
        near = did_you_mean(options.preset, PRESETS)
        problems.error("BSP0113", "unknown preset '%s'" % options.preset,
                       help=("did you mean '%s'? " % near if near else "") + "known: " + ", ".join(PRESETS))
        raise diag.Failure(problems, SPEC)
    text = reference.starter(options.preset, options.name, options.type, options.header, options.file, problems)
    if problems:
        raise diag.Failure(problems, SPEC)
    if options.file is None:
        _write(sys.stdout, text)
        return OK
    if os.path.lexists(options.file):
        problems.error("BSP0402", "'%s' exists" % options.file, help="name another file with -o")
        raise diag.Failure(problems, SPEC)
    if not emit_output(options.file, text, problems):
        raise diag.Failure(problems, ENVIRONMENT)
    output.say("wrote " + options.file)
    return OK


def schema(options: Any, output: Output) -> int:
    from ..pages import reference

    if options.structures:
        from ..pages import structures
        pages = structures.pages()
    elif options.axes:
        from ..pages import axes
        pages = axes.pages()
    elif options.errors:
        from ..pages import errors
        pages = {"": errors.page()}
    else:
        pages = {"": reference.reference() if options.markdown else reference.json_schema_text()}
    problems = Diagnostics()
    for name, text in pages.items():
        if options.file is None:
            _write(sys.stdout, text)
            continue
        path = os.path.join(options.file, name) if name else options.file
        if not emit_output(path, text, problems):
            raise diag.Failure(problems, ENVIRONMENT)
        output.say("wrote " + path)
    return OK


def emit_output(path: str, text: str, problems: Diagnostics) -> bool:
    from ..output import writer
    return writer.write_output(path, text, problems)


def doctor(options: Any, output: Output) -> int:
    from . import explain as words

    text, missing = words.health(options.need)
    output.say(text)
    _flush(sys.stdout)
    for item in missing:
        output.diagnostic(item)
    return ENVIRONMENT if missing else OK
