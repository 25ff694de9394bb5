"""The command `type import`, and the comparison of type locks with their headers for `--types`."""

import dataclasses
import os
import shlex
from typing import Any, Dict, List, Sequence

from ..output.lock_files import write_lock
from ..text import diag
from ..text.diag import Diagnostic, Diagnostics, Note
from ..text.files import forget_input
from ..types.type_differences import differences
from .console import ENVIRONMENT, OK, SPEC, Output
from .specs import SPECS, require_same_inputs, resolve


def _importer(options: Any) -> Any:
    from ..language.handle_headers import handles_header
    from ..types.compile_options import Options
    from ..types.header_reader import Importer
    return Importer(Options(options.include, options.define, options.std, options.target, options.commands,
                            options.options_from), handles_header)


def compared_locks(options: Any) -> Any:
    from ..language.header_types import Compared
    return Compared(_importer(options))


def require_headers(locks: Any) -> None:
    """A Failure where headers had to be read and could not be."""
    from ..types.libclang import unavailable
    if locks.unavailable:
        problems = Diagnostics()
        unavailable(problems, locks.unavailable)
        raise diag.Failure(problems, ENVIRONMENT)


def report_differences(locks: Any, output: Output, severity: str) -> int:
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


def import_command(options: Any, paths: Sequence[str]) -> str:
    words = ["bespoke", "type", "import"] + list(paths)
    for flag, values in (("-I", options.include), ("-D", options.define)):
        for value in values:
            words += [flag, value]
    for flag, value in (("--std", options.std), ("--target", options.target), ("--compile-commands", options.commands),
                        ("--options-from", options.options_from)):
        words += [flag, value] if value else []
    return " ".join(shlex.quote(word) for word in words + ["--update"])


def import_types(options: Any, output: Output) -> int:
    from ..language.element_types import importable
    from ..language.header_types import Anew

    paths = [path for path in options.subjects if path.endswith((".yaml", ".yml"))]
    if not paths:
        return _import_one(options, output)
    if len(paths) != len(options.subjects) or options.lock:
        raise diag.failure(SPEC, "BSP0411", "name either specs, or one header and one type",
                           help="bespoke type import SPEC...   or: bespoke type import HEADER TYPE")
    locks = Anew(_importer(options), options.update)
    specs, problems = resolve(paths, options.include, locks)
    require_headers(locks)  # which would be the reason for the rest
    require_same_inputs()
    # What the headers say of a type is so whatever is wrong elsewhere.
    changed: List[str] = []
    unwritten = Diagnostics()
    for path, (_, info) in locks.read.items():
        if _write_lock(path, info, os.path.dirname(os.path.dirname(path)) or os.curdir, output, unwritten):
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
            output.say("%s is of no use: no spec beside it has elements of type '%s'; it was edited by hand, so it "
                       "stays" % (path, type_))
            continue
        try:
            os.remove(path)
            forget_input(path)
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
        raise diag.failure(SPEC, "BSP0411", "name specs, or a header and a type", help="bespoke type import ship.h 'struct ship'")
    header, type_ = options.subjects[0], " ".join(options.subjects[1].split())
    if not NAMED.match(type_):
        raise diag.failure(SPEC, "BSP0411", "'%s' is no name of a type" % type_, help="such as `struct ship` or `ship_t`")
    specs = SPECS if os.path.isdir(SPECS) else os.curdir
    lock = options.lock or os.path.normpath(lock_path(specs, type_))
    # In the lock it is spelled as a spec beside the folder of the lock would.
    beside = os.path.dirname(os.path.dirname(os.path.abspath(lock)))
    shown, folder = header, os.curdir
    if not header.startswith("<") and os.path.isfile(header):
        folder, shown = os.path.dirname(header) \
            or os.curdir, os.path.relpath(os.path.abspath(header), beside).replace(os.sep, "/")
        header = os.path.basename(header)
    try:
        info = _importer(options).read(type_, header, folder, None, None, problems)
    except Unavailable as error:
        unavailable(problems, str(error))
        raise diag.Failure(problems, ENVIRONMENT)
    if info is None:
        raise diag.Failure(problems, SPEC)
    require_same_inputs()
    written = _write_lock(lock, dataclasses.replace(info, header=shown), "" if options.lock else specs, output, problems)
    if problems:
        raise diag.Failure(problems, ENVIRONMENT)
    if not written:
        output.say("%s is what the header says" % lock)
    elif os.path.abspath(lock) != lock_path(beside, type_):
        output.say("for a spec, it must be called %s, in a folder types beside the spec" % os.path.basename(lock_path("", type_)))
    return OK


def _write_lock(path: str, info: Any, folder: str, output: Output, problems: Diagnostics) -> bool:
    """Writes a lock if it says something else now. `folder`: what it must lie in, if anything."""
    from ..types import typelock

    before = typelock.read(path, Diagnostics()) if os.path.lexists(path) else None
    if before is not None and not differences(before, info):
        info = dataclasses.replace(info, header=before.header)  # one of the specs that share it names it so
    if not write_lock(path, info, problems, folder):
        return False
    output.say("wrote " + path)
    for line in differences(before, info) if before is not None else ():
        output.say("  " + line)
    if info.kind == "opaque":
        output.say("  %s only declares %s; if members are needed, the header that defines it is `defined_in`" % (info.header,
                                                                                                                 info.type))
    return True
