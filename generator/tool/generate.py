"""The commands `generate` and `check`."""

import os
import sys
from typing import Any, Dict, List, Sequence

from ..text import diag
from ..text.diag import Diagnostics
from ..text.project import CONTRACT
from . import type_locks
from .console import DRIFT, ENVIRONMENT, OK, SPEC, Output, flush, write
from .specs import load, render, require_same_inputs, shares, spec_paths, stands_alone


def generate(options: Any, output: Output) -> int:
    from ..output import clang_format, writer

    paths = spec_paths(options.specs)
    locks = type_locks.compared_locks(options) if options.types else None
    specs = load(paths, options.include, output, locks)
    if locks is not None:
        type_locks.report_differences(locks, output, "warning")
    with clang_format.Formatting() as formatting:
        if not options.format:
            formatting.problem = "it was not asked for"
        seals: Dict[str, str] = {}
        rendered = render(specs, options.tests, options.debuggers, formatting.add, seals,
                          support=options.support == "shared", fuzz=options.fuzz,
                          shared=lambda spec: shares(options, spec, there=not options.stdout),
                          alone=lambda spec: stands_alone(options, spec, there=not options.stdout))
        formatting.start()
        owners = {name: spec for spec, files in rendered for name in files}
        bodies = {**formatting.finish(),
                  **{name: text for spec, files in rendered if spec is None for name, text in files.items()}}
    if options.format and formatting.problem:
        output.note("BSP0502", "the files are valid, but not formatted: " + formatting.problem)
    files = {name: writer.with_banner(text, owners[name], options.folder, CONTRACT, seals[name], name)
             for name, text in bodies.items()}
    require_same_inputs()
    if options.stdout:
        for text in files.values():
            write(sys.stdout, text)
    else:
        problems = Diagnostics()

        def bare(name: str) -> str:
            """A file as it would be without a formatter; '' where it is so anyway."""
            return "" if formatting.problem or owners[name] is None else \
                writer.with_banner(formatting.bare(name), owners[name], options.folder, CONTRACT, seals[name], name)

        outcome = writer.write_files(files, options.folder, problems, options.force, bare)
        if outcome is None:
            code = SPEC if any(item.code in ("BSP0402", "BSP0403", "BSP0404") for item in problems) else ENVIRONMENT
            output.diagnostics(problems)
            output.remark("bespoke: nothing was written")
            return code
        for path in outcome.written:
            output.say("wrote " + path)
        output.say("%d written, %d unchanged" % (len(outcome.written), len(outcome.unchanged)))
    require_same_inputs()  # else a stamp would be newer than what changed
    paths = [os.path.join(options.folder, name) for name in files]
    problems = Diagnostics()
    if options.depfile:
        _write_depfile(options, options.stamp or paths[0], specs, paths, problems)
    if options.stamp and not problems:  # it names what was written, for builds that have no other way to know
        writer.write_output(options.stamp, "".join(os.path.abspath(path).replace(os.sep, "/") + "\n" for path in paths), problems)
    if problems:
        raise diag.Failure(problems, ENVIRONMENT)
    return OK


def _write_depfile(options: Any, target: str, specs: Sequence[Any], outputs: Sequence[str], problems: Diagnostics) -> None:
    from ..output import writer

    writer.write_output(options.depfile, writer.depfile(target, specs, [options.depfile, *outputs], options.unwatched), problems)


def check(options: Any, output: Output) -> int:
    specs: List[Any] = []
    try:
        return _check(options, output, specs)
    finally:  # whatever it was that was wrong, it may be gone when an input changes
        if options.depfile:
            problems = Diagnostics()
            _write_depfile(options, os.path.join(options.folder, "checked"), specs, (), problems)
            output.diagnostics(problems)


def _check(options: Any, output: Output, specs: List[Any]) -> int:
    from ..containers.load import left_over
    from ..output import drift
    from ..text.filekinds import DEBUGGERS, FUZZ

    if not os.path.isdir(options.folder):
        raise diag.failure(ENVIRONMENT, "BSP0411", "there is no folder '%s' to compare with" % options.folder,
                           help="name the folder of the generated files with -o")
    paths = spec_paths(options.specs)
    locks = type_locks.compared_locks(options) if options.types else None
    specs += load(paths, options.include, output, locks)
    changed = 0
    if locks is not None:
        type_locks.require_headers(locks)
        changed = type_locks.report_differences(locks, output, "error")

    def wants_test(spec: Any) -> bool:
        return options.tests or os.path.lexists(os.path.join(options.folder, spec.stem + "_test.c"))

    def wants_debuggers(spec: Any) -> bool:
        return options.debuggers or any(os.path.lexists(os.path.join(options.folder, spec.stem + ending)) for ending in DEBUGGERS)

    def wants_fuzz(spec: Any) -> bool:
        return options.fuzz or os.path.lexists(os.path.join(options.folder, spec.stem + FUZZ))

    rendered = render(specs, wants_test, wants_debuggers, shared=lambda spec: shares(options, spec),
                      support=options.support == "shared", fuzz=wants_fuzz,
                      alone=lambda spec: stands_alone(options, spec))
    report = drift.compare(rendered, options.folder, named=bool(options.specs))
    require_same_inputs()
    report.findings += drift.of_locks(left_over(specs, options.include))
    for finding in report.findings:
        output.diagnostic(finding.diagnostic)
        if finding.diff and output.style == "gcc":
            output.say(finding.diff)
    if not report.findings and not changed:
        _report_agreement(report, specs, locks, output)
        return OK
    flush(sys.stdout)
    if changed:
        output.remark("bespoke: %d type%s to import again; run: %s" % (changed, "" if changed == 1 else "s",
                                                                     type_locks.import_command(options, paths)))
    if report.findings:
        output.remark("bespoke: " + drift.mending(report, options, paths))
    return DRIFT


def _report_agreement(report: Any, specs: Sequence[Any], locks: Any, output: Output) -> None:
    """Reports what was compared, and which types could not be."""
    import shlex

    from ..language.element_types import unguarded

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
