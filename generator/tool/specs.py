"""The specs of a command: found, loaded together, and rendered."""

import os
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from ..text import diag
from ..text.diag import Diagnostics, Note, Span
from ..text.files import there
from ..text.printing import visible
from ..text.project import CONTRACT, DRIVER, SUPPORT
from .console import ENVIRONMENT, SPEC, Output, changes

SPECS = "specs"  # the folder of the specs if none are named


def spec_paths(given: Sequence[str]) -> List[str]:
    """The specs of the command line, each once; without any, those in specs/."""
    paths = list(given)
    if not paths:
        try:
            names = sorted(os.listdir(SPECS))
        except OSError:
            names = []
        paths = [os.path.join(SPECS, name) for name in names if name.endswith(".yaml") and not name.startswith(".")]
        there(os.path.join(SPECS, "*.yaml"), SPECS)  # another one may appear
        if not paths:
            raise diag.failure(ENVIRONMENT, "BSP0411", "no specs: none were named, and there are none in specs/",
                               help="name them: bespoke generate SPEC...")
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def load(paths: Sequence[str], include: Sequence[str], output: Output, locks: Any = None) -> List[Any]:
    """All specs resolved, or a Failure with the errors of all of them."""
    specs, problems = resolve(paths, include, locks)
    if problems:
        raise diag.Failure(problems, SPEC)
    output.diagnostics(problems)  # warnings
    return specs


def resolve(paths: Sequence[str], include: Sequence[str], locks: Any = None) -> Tuple[List[Any], Diagnostics]:
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


def require_same_inputs() -> None:
    """A Failure where what was read has been changed since by something else."""
    problems = Diagnostics()
    problems.extend(changes())
    if problems:
        raise diag.Failure(problems, ENVIRONMENT)


def top(spec: Any) -> Optional[Span]:
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
                           top(spec), notes=[Note("the other one", top(other))],
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
           seals: Optional[Dict[str, str]] = None, support: bool = False, fuzz: Any = False,
           shared: Callable[[Any], bool] = lambda spec: spec.support == "shared",
           alone: Callable[[Any], bool] = lambda spec: True) -> List[Tuple[Any, Dict[str, str]]]:
    """Each spec with its files, not formatted and without banners; each file is told to `made` as soon as there is one, with
    the names in which it differs from others of its kind, and its seal to `seals`.

    tests, debuggers, fuzz: flags, or functions of the spec; shared: is what headers share in a file of its own? alone: is what
    tests share not? These files come last, with no spec, not formatted; support: that of headers also if none includes it."""
    from ..emitted.render import Renderer
    from ..output import writer
    from ..output.parallel import side_by_side
    from ..text.filekinds import TEST, kind_of

    renderer = Renderer()
    result = []
    owners: Dict[str, Any] = {}
    problems = Diagnostics()

    def files_of(spec: Any) -> Tuple[Dict[str, str], Dict[str, str]]:
        fuzzed = fuzz(spec) if callable(fuzz) else fuzz
        wants = fuzzed or (tests(spec) if callable(tests) else tests)
        try:
            files = renderer.files(spec, writer.regenerate_line(spec), wants, shared(spec), alone(spec))
            if debuggers(spec) if callable(debuggers) else debuggers:
                files.update(renderer.debuggers(spec))
            if fuzzed:
                files.update(renderer.fuzz(spec))
        except Exception as error:
            error.bespoke_subject = visible(spec.path)
            raise
        return files, {} if seals is None else {name: kind_of(name).seal(text) for name, text in files.items()}

    for spec, (files, sealed) in zip(specs, side_by_side(files_of, specs)):
        if seals is not None:
            seals.update(sealed)
        names = [container.full_name for container in spec.emitted]
        names += [word
                  for word in (str(container["element.type"]).split()[-1] for container in spec.emitted) if word.isidentifier()]
        for name in files:
            other = owners.setdefault(name.lower(), spec)
            if other is not spec:
                problems.error("BSP0406", "'%s' and '%s' would both give %s" % (other.path, spec.path, name), top(spec),
                               notes=[Note("the other one", top(other))], help="rename one of the specs")
            made(name, files[name], names)
        result.append((spec, files))
    if problems:
        raise diag.Failure(problems, SPEC)
    common = {SUPPORT: renderer.support} if support or any(map(shared, specs)) else {}
    if any(spec.stem + TEST in files and not alone(spec) for spec, files in result):
        common[DRIVER] = renderer.driver
    for name, text_of in common.items():
        text = text_of()
        if seals is not None:
            seals[name] = kind_of(name).seal(text)
        result.append((None, {name: text}))
    return result


def shares(options: Any, spec: Any, there: bool = True) -> bool:
    """Is what a spec's headers share in a file of its own? As the spec says, else the command line, else the output folder:
    the spec's header, or where there is none, the others."""
    from ..output import writer

    said = spec.support or options.support
    if said or not there:
        return said == "shared"
    header, common = (os.path.join(options.folder, name) for name in (spec.stem + ".h", SUPPORT))
    return writer.includes(header, SUPPORT) if os.path.lexists(header) else os.path.lexists(common)


def stands_alone(options: Any, spec: Any, there: bool = True) -> bool:
    """Has the test of a spec in it what tests share? As the spec says, else the command line, else the test in the output
    folder, if it is of this version: older ones all had."""
    from ..output import writer
    from ..text.filekinds import TEST

    said = spec.support or options.support
    if spec.files == "single" or said or not there:
        return bool(spec.files == "single" or said == "inline")
    test = os.path.join(options.folder, spec.stem + TEST)
    return writer.is_of_contract(test, CONTRACT) and not writer.includes(test, DRIVER)
