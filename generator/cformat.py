"""C text: formatted by clang-format, and in a normal form that no formatter can change.

The normal form is what seals and the drift check are about: the tokens of a file, with its comments. Two texts have the
same one when they differ in white space only, and in what formatters do beside it: comments that are wrapped elsewhere,
string literals that are split, `#include` lines that are sorted, lines that are continued.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

# The versions that were seen to agree byte for byte on our style.
MAJORS = (14, 15, 16)
ENVIRONMENT = "BESPOKE_CLANG_FORMAT"

_BATCH = 400  # files in one call, so that no command line becomes too long
_TIMEOUT = 120


# -- the normal form -------------------------------------------------------------------------------------------------

_LITERAL = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_COMMENT_EDGE = re.compile(r"\s*\n[ \t]*(?:\*+(?=[\s*]|$))?\s*")
_SPACES = re.compile(r"\s+")

# Single characters stand for what was taken out, so that the passes over the rest are plain substitutions.
_COMMENT, _LINE_COMMENT, _STRING, _CHARACTER = "\x01", "\x02", "\x03", "\x04"
_BEGIN, _END, _KEEP = "\x05", "\x06", "\x07"
_CONTROLS = re.compile("[\x00-\x08]")

_PASSES = (
    # A directive ends with its line. A parenthesis right behind the name of a macro makes it take arguments.
    (re.compile(r"^[ \t]*#[ \t]*([^\n]*)$", re.MULTILINE), _BEGIN + r"#\1" + _END),
    (re.compile(_BEGIN + r"#define\s+(\w+)\("), _BEGIN + r"#define \1" + _KEEP + "("),
    # White space counts where the tokens on both sides would be read as one.
    (re.compile(r"(\w)\s+(?=\w)"), r"\1" + _KEEP),
    (re.compile(r"([-+&|<>=#.:])\s+(?=\1)"), r"\1" + _KEEP),
    (re.compile(r"([-+*/%&|^<>=!])\s+(?==)"), r"\1" + _KEEP),
    (re.compile(r"-\s+(?=>)"), "-" + _KEEP),
    (re.compile(r"/\s+(?=[*/])"), "/" + _KEEP),
    (_SPACES, ""),
    (re.compile(_KEEP), " "),
)
_PUT_BACK = re.compile("%s+|%s+|[%s%s]" % (_STRING, _LINE_COMMENT, _COMMENT, _CHARACTER))
_INCLUDES = re.compile("(?:%s#include[^%s]*%s){2,}" % (_BEGIN, _END, _END))
_OPEN_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]*|[0-7]{1,2})\Z")
_BREAKS = re.compile(r"(;|\{|\}|\*/|%s)(?!\n)" % _END)


def normal(text: str) -> str:
    """The normal form of a C text."""
    text = _CONTROLS.sub("?", text.replace("\r\n", "\n")).replace("\\\n", "")
    taken: List[str] = []

    def take(match) -> str:
        literal = match.group()
        if literal[0] == '"':
            taken.append(literal[1:-1])
            return _STRING
        if literal[0] == "'":
            taken.append(literal)
            return _CHARACTER
        if literal[1] == "/":
            taken.append(_SPACES.sub(" ", literal[2:]).strip())
            return _LINE_COMMENT
        inner = literal[2:-2]
        if "\n" in inner:
            inner = _COMMENT_EDGE.sub(" ", inner)
        taken.append(_SPACES.sub(" ", inner).strip())
        return _COMMENT

    text = _LITERAL.sub(take, text)
    for pattern, replacement in _PASSES:
        text = pattern.sub(replacement, text)
    rest = iter(taken)

    def put(match) -> str:
        kind, count = match.group()[0], len(match.group())
        pieces = [next(rest) for _ in range(count)]
        if kind == _COMMENT:
            return "/* %s */" % pieces[0]
        if kind == _LINE_COMMENT:
            return "// %s%s" % (" ".join(pieces), _END)
        if kind == _CHARACTER:
            return pieces[0]
        # Adjacent strings are one, unless the first ends in an escape that the second would go on with.
        joined = pieces[0]
        for piece in pieces[1:]:
            joined += ('" "' if _OPEN_ESCAPE.search(joined) else "") + piece
        return '"%s"' % joined

    text = _PUT_BACK.sub(put, text)
    return _INCLUDES.sub(_sorted_includes, text)


def _sorted_includes(match) -> str:
    lines = match.group().split(_END)[:-1]
    return "".join(line + _END for line in sorted(lines))


def seal(text: str) -> str:
    """A short hash of the normal form of a text."""
    return seal_of_normal(normal(text))


def seal_of_normal(form: str) -> str:
    return hashlib.sha256(form.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def normal_lines(text: str) -> List[str]:
    """The normal form in lines that can be read, for a diff where there is no formatter."""
    broken = _BREAKS.sub(r"\1\n", normal(text))
    return [line.replace(_BEGIN, "").replace(_END, "") for line in broken.split("\n")]


# -- clang-format ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Formatter:
    """A clang-format that can be called."""

    path: str
    version: str

    def format(self, texts: Sequence[str], style: str) -> Tuple[Optional[List[str]], str]:
        """The texts formatted, or None and what went wrong."""
        folder = tempfile.mkdtemp(prefix="bespoke-")
        try:
            # All are called .c: what is in a header must not make clang-format guess another language.
            names = ["%d.c" % number for number in range(len(texts))]
            for name, text in zip(names, texts):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(text.encode("utf-8", "surrogateescape"))
            problem = self._run(folder, names, style)
            if problem:
                return None, problem
            result = []
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    result.append(file.read().decode("utf-8", "surrogateescape"))
            return result, ""
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, "%s: %s" % (self.path, error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, folder: str, names: List[str], style: str) -> str:
        """Formats files in place; several calls side by side where there is much to do. Gives what went wrong."""
        share = max(1, -(-len(names) // min(4, os.cpu_count() or 1)))
        if len(names) < 16:
            share = len(names) or 1
        share = min(share, _BATCH)
        running = []
        for start in range(0, len(names), share):
            running.append(subprocess.Popen(
                [self.path, "-i", "--style=file:" + style] + names[start:start + share], cwd=folder,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        problem = ""
        for process in running:
            try:
                said = process.communicate(timeout=_TIMEOUT)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                problem = problem or "%s took too long" % self.path
                continue
            if process.returncode != 0:
                lines = said.decode("utf-8", "replace").strip().split("\n")
                problem = problem or "%s failed: %s" % (self.path, lines[0] or "exit code %d" % process.returncode)
        return problem


def find_formatter() -> Tuple[Optional[Formatter], str]:
    """The clang-format to use, or None and why there is none."""
    wanted = os.environ.get(ENVIRONMENT)
    if wanted:
        path = shutil.which(wanted)
        if path is None:
            return None, "%s says '%s', which cannot be run" % (ENVIRONMENT, wanted)
        version = _version(path)
        major = _major(version)
        if major is None or major < MAJORS[0]:
            return None, "%s says '%s', which is no clang-format %d or newer" % (ENVIRONMENT, wanted, MAJORS[0])
        return Formatter(path, version), ""
    for major in MAJORS:
        path = shutil.which("clang-format-%d" % major)
        if path is not None:
            return Formatter(path, str(major)), ""
    path = shutil.which("clang-format")
    if path is None:
        return None, "clang-format was not found"
    version = _version(path)
    if _major(version) in MAJORS:
        return Formatter(path, version), ""
    return None, "clang-format is %s, and not one of %d to %d" % (
        version or "of an unknown version", MAJORS[0], MAJORS[-1])


def _version(path: str) -> str:
    try:
        done = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(rb"version (\d+(?:\.\d+)*)", done.stdout)
    return match.group(1).decode() if match else ""


def _major(version: str) -> Optional[int]:
    return int(version.split(".")[0]) if version else None


def style_file() -> str:
    from .render import template_root
    return os.path.join(template_root(), "clang-format.yaml")


def format_files(files: Dict[str, str]) -> Tuple[Dict[str, str], str]:
    """Files by name, formatted in one go; or as they are, and why they could not be formatted."""
    if not files:
        return files, ""
    formatter, problem = find_formatter()
    if formatter is None:
        return files, problem
    names = list(files)
    texts, problem = formatter.format([files[name] for name in names], style_file())
    if texts is None:
        return files, problem
    return dict(zip(names, texts)), ""
