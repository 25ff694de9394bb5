"""Are the generated files what the specs say? Compares tokens and comments, never layout."""

import difflib
import os
import re
import shlex
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..text import tokens
from ..text.diag import Diagnostic, Source, Span
from ..text.filekinds import BY_ENDING, DEBUGGERS, FUZZ, TEST, kind_of
from ..text.files import there
from ..text.printing import visible
from ..text.project import CONTRACT, DRIVER, SUPPORT
from . import clang_format, writer

_MAX_DIFF = 60  # lines of a diff that are shown
_CONTEXT = 3


class Finding(NamedTuple):
    """One file that is not as it should be."""

    path: str
    kind: str  # 'stale', 'edited', 'missing', 'orphan', 'foreign', 'unreadable'
    diagnostic: Diagnostic
    diff: str = ""


@dataclass
class Report:
    """What a comparison found."""

    findings: List[Finding] = field(default_factory=list)
    compared: int = 0

    def has(self, *kinds: str) -> bool:
        return bool(self.paths(*kinds))

    def paths(self, *kinds: str) -> List[str]:
        return [finding.path for finding in self.findings if finding.kind in kinds]


def compare(rendered: Sequence[Tuple[Any, Dict[str, str]]], folder: str, named: bool) -> Report:
    """Compares what specs give with a folder. named: the specs were named, so there may be others."""
    report = Report()
    expected: Dict[str, Tuple[Any, str]] = {}
    for spec, files in rendered:
        for name, body in files.items():
            expected[name] = (spec, body)
    differing: List[Tuple[str, str, str, str]] = []
    for name, (spec, body) in expected.items():
        path = os.path.join(folder, name)
        try:
            text = writer.read_text(path).replace("\r\n", "\n")
        except FileNotFoundError:
            report.findings.append(Finding(path, "missing", Diagnostic(
                "BSP0409", "'%s' is missing: %s gives it" % (path, _origin(spec, name)))))
            continue
        except OSError as error:
            report.findings.append(Finding(path, "unreadable", Diagnostic(
                "BSP0405", "cannot read '%s': %s" % (path, error.strerror or error))))
            continue
        report.compared += 1
        kind = _judge(spec, name, body, text, folder)
        if kind:
            differing.append((name, path, kind, text))
    report.findings += _describe(differing, expected, folder)
    report.findings += _orphans(rendered, expected, folder, named)
    report.findings.sort(key=lambda finding: finding.path)
    return report


def _origin(spec: Any, name: str) -> str:
    """What gives a file: a spec, or whichever has headers or tests that share."""
    return spec.path if spec is not None else "--tests" if name == DRIVER else "emit.support: shared"


def _judge(spec: Any, name: str, body: str, text: str, folder: str) -> str:
    """What is wrong with a file; '' if nothing is."""
    banner = writer.read_banner(text)
    if banner is None:
        return "foreign"
    kind = kind_of(name)
    form = kind.normal(body)
    present = kind.normal(banner.body)
    sealed = tokens.seal_of_normal(present)
    if sealed != banner.seal:
        return "edited"
    if present != form:
        return "stale"
    return "" if _same_banner(banner, spec, name, folder) else "stale"


def _same_banner(banner: writer.Banner, spec: Any, name: str, folder: str) -> bool:
    """But for the way to the spec, which depends on where the output was generated."""
    wanted = writer.read_banner(writer.with_banner("", spec, folder, CONTRACT, banner.seal, name))
    return banner.spec_name == wanted.spec_name and _wording(banner) == _wording(wanted)


def _wording(banner: writer.Banner) -> str:
    return banner.kind.normal(re.sub(r"spec=\S+", "spec", banner.text, count=1))


# -- words and diffs -------------------------------------------------------------------------------------------------


def _describe(differing: Sequence[Tuple[str, str, str, str]], expected: Dict[str, Tuple[Any, str]],
              folder: str) -> List[Finding]:
    """The findings of files that differ, with diffs that show no difference in layout."""
    wanted: Dict[str, str] = {}
    for name, path, kind, text in differing:
        spec, body = expected[name]
        wanted["w" + name] = body
        if kind != "foreign":
            wanted["p" + name] = writer.read_banner(text).body
    formatted, problem = clang_format.format_files(wanted)
    findings = []
    for name, path, kind, text in differing:
        spec, body = expected[name]
        message, code = {
            "edited": ("'%s' was edited by hand: its seal is broken", "BSP0403"),
            "stale": ("'%s' is stale: %s gives something else now", "BSP0408"),
            "foreign": ("'%s' was not written by Bespoke, but %s gives a file of that name", "BSP0402"),
        }[kind]
        message = message % ((path,) if kind == "edited" else (path, _origin(spec, name)))
        if kind == "stale" and writer.read_banner(text).contract != CONTRACT:
            message = ("'%s' is stale: it was generated by another version of Bespoke, which made other code of %s" % (path,
                       _origin(spec, name)))
        span, diff = None, ""
        if kind != "foreign":
            banner = writer.read_banner(text)
            if not problem and formatted["p" + name] == banner.body:
                old = text.split("\n")
                new = writer.with_banner(formatted["w" + name], spec, folder, CONTRACT, kind_of(name).seal(body),
                                         name).split("\n")
                span = _first_difference(path, text, old, new, len(banner.text.split("\n")))
            else:  # its layout is another one: what follows shows none
                form = kind_of(name)
                old = form.normal_lines(banner.text) + form.normal_lines(banner.body)
                head = writer.with_banner("", spec, folder, CONTRACT, form.seal(body), name)
                new = form.normal_lines(head.rstrip("\n")) + form.normal_lines(body)
            diff = _diff(old, new, path, _origin(spec, name))
        findings.append(Finding(path, kind, Diagnostic(code, message, span), diff))
    return findings


def _first_difference(path: str, text: str, old: List[str], new: List[str], head: int) -> Optional[Span]:
    """Where the body of a file begins to differ, else its banner."""
    first = None
    for tag, low, _, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            first = low if first is None or first < head else first
            if low >= head:
                break
    if first is None:
        return None
    source = Source(path, text)
    line = min(first + 1, source.line_count)
    content = source.line(line)
    indent = len(content) - len(content.lstrip())
    return Span(source, line, indent + 1, max(1, len(content.rstrip()) - indent))


def _diff(old: List[str], new: List[str], path: str, spec: str) -> str:
    lines = [visible(line) if not line.isprintable() else line for line in difflib.unified_diff(
        old, new, path, "%s (as %s says)" % (path, spec), n=_CONTEXT, lineterm="")]
    if len(lines) > _MAX_DIFF:
        lines = lines[:_MAX_DIFF] + ["... and %d more lines" % (len(lines) - _MAX_DIFF)]
    return "\n".join(lines)


# -- files that no spec gives ----------------------------------------------------------------------------------------


def _orphans(rendered: Sequence[Tuple[Any, Dict[str, str]]], expected: Dict[str, Any], folder: str,
             named: bool) -> List[Finding]:
    findings = []
    specs = [spec for spec, _ in rendered if spec is not None]
    known = {os.path.basename(spec.path): spec for spec in specs}
    beside = {os.path.dirname(spec.path) for spec in specs}
    there(os.path.join(folder, "*"), folder)  # another one may appear
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name in expected or name.startswith(".") or not name.endswith(tuple(BY_ENDING)) or not os.path.isfile(path):
            continue
        try:
            with open(path, "rb") as file:
                banner = writer.read_banner(file.read(8192).decode("utf-8", "replace"))
        except OSError:
            continue
        if banner is None:
            continue
        if name in (SUPPORT, DRIVER):
            if any(other.endswith(".h" if name == SUPPORT else ".c") and other not in expected
                   and writer.includes(os.path.join(folder, other), name)
                   for other in os.listdir(folder)):
                continue
            said = "no %s here includes it" % writer.includer(name)
        elif banner.spec_name in known:
            said = "%s does not give it" % known[banner.spec_name].path
        elif _has_its_spec(banner, folder, beside, named):
            continue
        else:
            said = "its spec, %s, is not there" % banner.spec
        findings.append(Finding(path, "orphan", Diagnostic("BSP0410", "'%s' belongs to no spec: %s" % (path, said))))
    return findings


def _has_its_spec(banner: writer.Banner, folder: str, beside: Sequence[str], named: bool) -> bool:
    """Is there a spec of the name that a banner tells, though it was not one to compare with?"""
    if os.path.isfile(os.path.join(folder, *banner.spec.split("/"))):
        return True
    if any(os.path.isfile(os.path.join(place, banner.spec_name)) for place in beside):
        return True
    # A bare name may be anywhere; whoever names the specs may have named some of many.
    return named and "/" not in banner.spec


def of_locks(locks: Sequence[Tuple[str, str]]) -> List[Finding]:
    """Type locks that nobody goes by."""
    return [Finding(path, "orphan",
                    Diagnostic("BSP0410", "'%s' belongs to no spec: none beside it has elements of type '%s'" % (path, type_)))
            for path, type_ in locks]


# -- how to mend it --------------------------------------------------------------------------------------------------


def mending(report: Report, options: Any, paths: Sequence[str]) -> str:
    """The commands that put everything right."""
    steps = []
    if report.has("foreign"):
        steps.append("move away what Bespoke did not write")
    if report.has("stale", "missing", "edited", "foreign", "unreadable"):
        words = ["bespoke", "generate"]
        words += list(paths) if options.specs else []
        if options.folder != "generated":
            words += ["-o", options.folder]
        stems = {os.path.splitext(os.path.basename(path))[0] for path in paths}
        wrong = set(map(os.path.basename, report.paths("stale", "missing", "edited", "foreign", "unreadable")))
        words += ["--tests"] if options.tests or wrong & {DRIVER, *(stem + TEST for stem in stems)} else []
        words += ["--fuzz"] if options.fuzz or wrong & {stem + FUZZ for stem in stems} else []
        words += ["--support", options.support] if options.support else []
        words += ["--debuggers"] if options.debuggers \
            or any(path.endswith(DEBUGGERS) for path in report.paths("stale", "missing", "edited")) else []
        for place in options.include:
            words += ["-I", place]
        words += ["--force"] if report.has("edited") else []
        steps.append("run: " + " ".join(shlex.quote(word) for word in words))
        if report.has("edited"):
            steps[-1] += "   (it overwrites what was edited by hand)"
    orphans = [finding.path for finding in report.findings if finding.kind == "orphan"]
    if orphans:
        steps.append("remove: " + " ".join(shlex.quote(path) for path in orphans))
    return "%d file%s to mend; " % (len(report.findings), "s" if len(report.findings) != 1 else "") + "; ".join(steps)
