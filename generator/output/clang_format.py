"""Formats C text with clang-format, pieces that look alike once; without one, text is only indented."""

import os
import re
import shutil
import signal
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..text import tokens
from ..text.filekinds import kind_of
from ..text.files import read_bytes
from ..text.project import read_own, template_root
from ..text.tokens import LITERAL
from .scratch import Scratch

# The versions that agree byte for byte on our style, and what is made even where they do not. One that is not known is tried on a
# sample.
MAJORS = (14, 15, 16, 17, 18, 19)
_LATER = range(MAJORS[-1] + 1, 2 * MAJORS[-1])
_EVEN = ((" : 1, default : 0)", ": 1, default: 0)"), (", default : 1)", ", default: 1)"), (" * : 1,", " *: 1,"))  # of a _Generic
ENVIRONMENT = "BESPOKE_CLANG_FORMAT"

_BATCH = 200000  # characters in one call
_TIMEOUT = 60  # seconds for a call


class Formatter(NamedTuple):
    """A clang-format that can be called."""

    path: str
    version: str


# A file is formatted in pieces: what stands between two empty lines and in no braces. They look the same wherever they stand.
# What a file is wrapped in has nothing to format, and braces and conditions that other pieces close.
_FRAME = re.compile(r'(?:(?:#(?:ifdef|ifndef) \w+|#define \w+|#endif(?: /\* [^\n]* \*/)?|extern "C" \{|\})(?:\n|\Z))+')
# What headers share is the same in each, as its templates have it, under a guard of its own.
_SHARED = re.compile(r"(?:/\*(?:[^*]|\*(?!/))*\*/\n)?#ifndef BESPOKE_(?!\w*_H\b)\w+[ \n]")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|el|endif)", re.MULTILINE)
# Lines that are aligned to others: they go on with an expression, or have a comment behind them.
_GOES_ON = re.compile(r"\n(?:(?<=[,(&|?:+=<>*\\-]\n)(?! \*)|[ \t]+[&|?:+<>=-])")
_DEEPER = {"if": 1, "el": 0, "endif": -1}
_NEXT = "\n\n/*@@*/\n\n"  # between pieces
_CHANGED = "%s changed the code, and not only its layout"
_LETTERS = "abcdefghijklmnoprstuvwxy"


def _pieces(text: str) -> List[str]:
    """What can be formatted apart; joined by empty lines they are the text."""
    result: List[str] = []
    waiting: List[str] = []
    depth = 0
    for piece in text.split("\n\n"):
        if not waiting and _FRAME.fullmatch(piece):
            result.append(piece)
            continue
        code = LITERAL.sub("", piece) if '"' in piece or "'" in piece else piece
        depth += code.count("{") - code.count("}")
        if "#" in code:
            for word in _CONDITION.findall(code):
                depth += _DEEPER[word]
        waiting.append(piece)
        if depth == 0:
            result.append("\n\n".join(waiting))
            waiting = []
    if waiting:
        result.append("\n\n".join(waiting))
    return result


def _ways(piece: str) -> Tuple[int, ...]:
    """The most alternatives of a condition, for each depth at which there are some. The formatter goes over a file once for each
    way through them, so pieces with few are not in a file with those that have more."""
    most: List[int] = []
    open_: List[int] = []  # the alternatives so far of each condition around
    for word in _CONDITION.findall(piece) if "#" in piece else ():
        if word == "if":
            open_.append(1)
            most += [1] * (len(open_) - len(most))
        elif open_:
            open_[-1] += word == "el"
            most[len(open_) - 1] = max(most[len(open_) - 1], open_[-1])
            if word == "endif":
                open_.pop()
    while most and most[-1] == 1:
        most.pop()
    return tuple(most)


def _made(path: str, given: int) -> str:
    """What the formatter has made of a file of so many characters, if it is still one. More than layout needs is not read."""
    return even(read_bytes(path, 8 * given + (1 << 20)).decode("utf-8", "surrogateescape"))


def differs(text: str, formatted: str) -> bool:
    """Did the formatter change anything but the layout? Of most pieces it changes no more than the indentation."""
    return _lines(text) != _lines(formatted) and tokens.normal(text) != tokens.normal(formatted)


def _lines(text: str) -> List[str]:
    return [line.strip() for line in text.split("\n")]


def even(text: str) -> str:
    """A formatted text as a formatter of any version would have it."""
    for older, newer in _EVEN:
        text = text.replace(older, newer)
    return text


def _has_comment_behind(piece: str) -> bool:
    at = piece.find("/*")
    while at >= 0:
        if piece[:at].rstrip(" \t")[-1:] not in ("", "\n"):
            return True
        at = piece.find("/*", at + 2)
    return False


class _Names:
    """The names that files differ in, and what stands for them while pieces are compared."""

    def __init__(self, names: Sequence[str]):
        stand_ins: Dict[str, str] = {}
        for number, name in enumerate(dict.fromkeys(names)):
            for spelled in (name, name.upper()):
                if len(name) > 3 and number < len(_LETTERS):
                    stand_ins.setdefault(spelled,
                                         ("ZQ" + _LETTERS[number].upper()) if spelled.isupper() else ("zq" + _LETTERS[number]))
        self._stand_ins = sorted(stand_ins.items(), key=lambda pair: len(pair[0]), reverse=True)

    def hide(self, piece: str) -> Tuple[str, Dict[str, str]]:
        """The piece with other names, and what they stand for. Where something is aligned, they are as long as the names."""
        back: Dict[str, str] = {}
        if "zq" in piece or "ZQ" in piece:
            return piece, back
        aligned = _GOES_ON.search(piece) is not None or _has_comment_behind(piece)
        for name, stand_in in self._stand_ins:
            if name in piece:
                if aligned:
                    stand_in = (stand_in * len(name))[:len(name)]
                piece = _renamed(piece, name, stand_in)
                back[stand_in] = name
        return piece, back


def _renamed(piece: str, name: str, to: str) -> str:
    """The piece with another name where this one stands alone, or between underscores."""
    text, *rest = piece.split(name)
    for part in rest:
        text += (name if text[-1:].isalnum() or part[:1].isalnum() else to) + part
    return text


class Formatting:
    """Formats files while others are still being made: pieces that look alike once, a call for many pieces, calls side by side.

    With no formatter, or one that fails, statements are only indented as their braces are, and `problem` says why.
    """

    def __init__(self, formatter: Optional[Formatter] = None) -> None:
        self.problem = ""
        self._style = style()
        self._formatter = formatter
        self._scratch: Optional[Scratch] = None
        self._texts: Dict[str, str] = {}
        self._files: Dict[str, List[Tuple[str, Dict[str, str]]]] = {}  # the pieces of each file, as they are looked up
        self._pieces: Dict[str, str] = {}  # and what becomes of each
        self._waiting: Dict[object, List[str]] = {}  # those that are to be formatted, by what is in one file
        self._waiting_bytes = 0
        self._running: List[Tuple[Any, str, Dict[str, List[str]]]] = []  # calls: what they say, the pieces by their file
        self._written = 0
        self._last: Optional[Tuple[Tuple[str, ...], _Names]] = None

    def __enter__(self) -> "Formatting":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        if self._scratch is not None:
            self._scratch.remove()

    def add(self, name: str, text: str, names: Optional[Sequence[str]] = None) -> None:
        """Takes a file; it may be formatted from now on, if it is C. `names` are what it differs in from others of its kind; a
        file without them is formatted whole."""
        self._texts[name] = text
        if self.problem or not kind_of(name).formatted:
            return
        stand_ins = self._names_of(tuple(names or ()))
        file = self._files[name] = []
        text = text.rstrip("\n")
        for piece in [text] if names is None else _pieces(text):
            if _FRAME.fullmatch(piece) or "#ifndef BESPOKE_" in piece and _SHARED.match(piece):
                self._pieces[piece] = piece
                file.append((piece, {}))
                continue
            hidden, back = stand_ins.hide(piece)
            file.append((hidden, back))
            if hidden not in self._pieces:
                self._pieces[hidden] = hidden
                self._waiting.setdefault(name if names is None else _ways(hidden), []).append(hidden)
                self._waiting_bytes += len(hidden)
        if self._waiting_bytes >= _BATCH:
            self.start()

    def _names_of(self, names: Tuple[str, ...]) -> _Names:
        """Files of a spec have the same, and come one after the other."""
        if self._last is None or self._last[0] != names:
            self._last = names, _Names(names)
        return self._last[1]

    def _write(self, text: str) -> str:
        """A file for the formatter. All are called .c: what is in a header must not make clang-format guess another language."""
        path = self._scratch.file("%d.c" % self._written)
        self._written += 1
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        return path

    def start(self) -> None:
        """Begins to format what has been added."""
        import subprocess  # here, for most commands need none
        import tempfile
        waiting, self._waiting, self._waiting_bytes = self._waiting, {}, 0
        if self.problem or not waiting:
            return
        if self._formatter is None:
            self._formatter, self.problem = find_formatter()
            if self._formatter is None:
                return
        try:
            while len(self._running) >= (os.cpu_count() or 1):
                self._wait()
            if self.problem:
                return
            if self._scratch is None:
                self._scratch = Scratch(tempfile.gettempdir(), "bespoke-format-")
            files = {self._write(_NEXT.join(pieces) + "\n"): pieces for pieces in waiting.values()}
            # In a file, what it says can neither fill a pipe nor be kept open by what it has started.
            with open(self._scratch.file("%d.said" % self._written), "wb") as said:
                self._running.append((subprocess.Popen(
                    [self._formatter.path, "-i", "--style=" + self._style, *files], cwd=self._scratch.path,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True), said.name, files))
        except OSError as error:
            self._fail("%s: %s" % (self._formatter.path, error.strerror or error))

    def _wait(self) -> None:
        """Waits for the call that was begun first, and takes what it made."""
        import subprocess
        process, said, files = self._running[0]
        try:
            code = process.wait(_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._fail("%s took more than %d seconds" % (self._formatter.path, _TIMEOUT))
            return
        del self._running[0]
        if code != 0:
            first = read_bytes(said, 1000).decode("utf-8", "replace").strip().split("\n")[0]
            self._fail("%s failed: %s" % (self._formatter.path,
                                          first or ("exit code %d" % code if code > 0 else "it was ended by signal %d" % -code)))
            return
        for path, pieces in files.items():
            text = _made(path, sum(map(len, pieces)) + len(_NEXT) * len(pieces)).rstrip("\n")
            made = text.split(_NEXT) if len(pieces) > 1 else [text]
            if len(made) != len(pieces):
                self._fail("%s joined what is apart" % self._formatter.path)
                return
            if any(map(differs, pieces, made)):
                self._fail(_CHANGED % self._formatter.path)
                return
            self._pieces.update(zip(pieces, made))

    def _fail(self, problem: str) -> None:
        """Nothing that a formatter makes is used from now on."""
        self.problem = self.problem or problem
        self._stop()

    def _stop(self) -> None:
        """Ends what still runs, with all that it has started."""
        while self._running:
            process = self._running.pop()[0]
            try:
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                pass
            process.kill()
            process.wait()

    def bare(self, name: str) -> str:
        """A file with no more than its indentation put right."""
        from ..text.indent import laid_out
        return laid_out(self._texts[name]) if kind_of(name).formatted else self._texts[name]

    def finish(self) -> Dict[str, str]:
        """All files, formatted; or all with no more than their indentation put right."""
        self.start()
        try:
            while self._running:
                self._wait()
        except OSError as error:
            self._fail("%s: %s" % (self._formatter.path, error.strerror or error))
        if self.problem:
            return {name: self.bare(name) for name in self._texts}
        result = dict(self._texts)
        for name, pieces in self._files.items():
            made = []
            for hidden, back in pieces:
                piece = self._pieces[hidden]
                for stand_in, original in back.items():
                    piece = piece.replace(stand_in, original)
                made.append(piece)
            result[name] = "\n\n".join(made) + "\n"
        return result


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
    problem = "clang-format was not found"
    for name in ["clang-format"] + ["clang-format-%d" % major for major in reversed(_LATER)]:
        path = shutil.which(name)
        if path is None:
            continue
        formatter = Formatter(path, _version(path))
        major = _major(formatter.version)
        later = major is not None and major > MAJORS[-1]
        if major in MAJORS or later and _lays_out_sample(formatter):
            return formatter, ""
        problem = "%s is %s, %s %d to %d" % (name, formatter.version or "of an unknown version",
                                             "whose layout is not that of" if later else "and not one of", MAJORS[0], MAJORS[-1])
    return None, problem


def _lays_out_sample(formatter: Formatter) -> bool:
    """Does it make the layout of the sample anew, without the sample's indentation and alignment?"""
    sample = read_own(os.path.join(template_root(), "clang-format.sample.c")).decode("utf-8")
    with Formatting(formatter) as formatting:
        formatting.add("sample.h", "\n".join(" ".join(line.split()) for line in sample.split("\n")), ())
        return formatting.finish()["sample.h"] == sample and not formatting.problem


def _version(path: str) -> str:
    import subprocess
    try:
        done = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(rb"version (\d+(?:\.\d+)*)", done.stdout)
    return match.group(1).decode() if match else ""


def _major(version: str) -> Optional[int]:
    return int(version.split(".")[0]) if version else None


def style() -> str:
    """templates/clang-format.yaml in one line, as an argument of clang-format."""
    lines = read_own(os.path.join(template_root(), "clang-format.yaml")).decode("utf-8").split("\n")
    return "{%s}" % ", ".join(line for line in lines if line and line[:1] != "#")


def format_files(files: Dict[str, str]) -> Tuple[Dict[str, str], str]:
    """Files by name, formatted; or indented only, and why they could not be formatted."""
    with Formatting() as formatting:
        for name, text in files.items():
            formatting.add(name, text)
        return formatting.finish(), formatting.problem
