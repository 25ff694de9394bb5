"""With which options a project compiles its headers: given on the command line, in a file, or in compile_commands.json."""

import json
import os
import re
import shlex
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence

from ..text.diag import Diagnostics
from ..text.files import read_bytes, read_input


@dataclass
class Options:
    """With which options the project compiles its headers."""

    include: Sequence[str] = ()
    define: Sequence[str] = ()
    std: Optional[str] = None
    target: Optional[str] = None
    commands: Optional[str] = None  # a compile_commands.json
    file: Optional[str] = None  # with options, one on each line
    database: Any = field(default=None, repr=False)

    @property
    def ms(self) -> bool:
        """Are headers compiled for Windows?"""
        return re.search(r"windows|mingw|cygwin|msvc", self.target or sys.platform) is not None or (
            not self.target and sys.platform == "win32")

    def arguments(self, header: str, folder: str, diagnostics: Diagnostics) -> Optional[List[str]]:
        """The arguments for libclang; None when diagnostics says why there are none."""
        result = ["-x", "c"]
        if self.target:
            result.append("--target=" + self.target)
        if self.commands:
            found = self._from_database(header, folder, diagnostics)
            if found is None:
                return None
            result += found
        result += ["-D" + each for each in self.define]
        result += ["-I" + each for each in self.include]
        if self.file:
            found = self._from_file(diagnostics)
            if found is None:
                return None
            result += found
        if self.std:
            result.append("-std=" + self.std)
        return result

    def _from_file(self, diagnostics: Diagnostics) -> Optional[List[str]]:
        try:
            lines = read_input(self.file).decode("utf-8").replace("\r\n", "\n").split("\n")
        except (OSError, ValueError) as error:
            diagnostics.error("BSP0411", "cannot read '%s': %s" % (self.file, getattr(error, "strerror", None) or error))
            return None
        result: List[str] = []
        for line in lines:
            option, _, value = line.partition("=")
            if option in ("--flag", "--flags"):
                value = value[len("SHELL:"):] if value.startswith("SHELL:") else value
                try:
                    result += _kept({"arguments": ["cc"] + shlex.split(value)})
                except ValueError as error:  # a quote that is never closed
                    diagnostics.error("BSP0411", "cannot read '%s': %s in `%s`" % (self.file, str(error).lower(), line))
                    return None
            elif option == "--std":
                result.append("-std=" + value)
            elif len(line) > 2:  # CMake leaves empty items in lists
                result.append(line)
        return result

    def _from_database(self, header: str, folder: str, diagnostics: Diagnostics) -> Optional[List[str]]:
        if self.database is None:
            try:
                self.database = json.loads(read_input(self.commands).decode("utf-8"))
                if not isinstance(self.database, list) or not all(isinstance(each, dict) for each in self.database):
                    raise ValueError("it is no list of commands")
            except (OSError, ValueError, RecursionError) as error:
                diagnostics.error("BSP0411", "cannot read '%s': %s" % (self.commands, getattr(error, "strerror", None) or error),
                                  help="CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
                self.database = []
                return None
        entry = _nearest(self.database, header, folder)
        if entry is None:
            diagnostics.error("BSP0411", "'%s' holds no command that compiles C" % self.commands)
            return None
        try:
            return _kept(entry)
        except ValueError as error:
            diagnostics.error("BSP0411",
                              "'%s' holds a command that is none: %s in `%s`" % (self.commands, str(error).lower(),
                                                                                 entry["command"]))
            return None


def _nearest(entries: Sequence[Dict[str, Any]], header: str, folder: str) -> Optional[Dict[str, Any]]:
    """The command whose source includes a header, else the one whose source lies nearest to the spec."""
    base = os.path.basename(header.strip("<>"))
    includes = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"](?:[^">]*/)?' + re.escape(base).encode() + rb'[">]', re.MULTILINE)
    here = os.path.realpath(folder or ".").split(os.sep)
    best, best_rank = None, (-1, -1, -1)
    for entry in entries:
        source = os.path.join(str(entry.get("directory", "")), str(entry.get("file", "")))
        if not re.search(r"\.(c|cc|cpp|cxx|C|m|mm)\Z", source):
            continue
        try:
            direct = includes.search(read_bytes(source, 1 << 20)) is not None
        except (OSError, ValueError):
            direct = False
        there = os.path.realpath(os.path.dirname(source)).split(os.sep)
        common = len(os.path.commonprefix([here, there]))
        rank = (int(direct), int(source.endswith(".c")), common)
        if rank > best_rank:
            best, best_rank = entry, rank
    return best


def _kept(entry: Dict[str, Any]) -> List[str]:
    """The options of a command that decide what a header says."""
    words = entry.get("arguments")
    words = list(map(str, words)) if isinstance(words, list) else shlex.split(str(entry.get("command", "")))
    directory = str(entry.get("directory", ""))
    paths = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-I")
    result: List[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if word in paths + ("-D", "-U", "-target") and at < len(words):
            value = words[at]
            at += 1
            plain = word in ("-D", "-U", "-target") or (word in ("-include", "-imacros")
                                                         and not os.path.exists(os.path.join(directory, value)))
            result += [word, value if plain else os.path.join(directory, value)]
            continue
        option = next((each for each in paths if word.startswith(each) and len(word) > len(each)), None)
        if option is not None:
            result += [option, os.path.join(directory, word[len(option):])]
        elif word.startswith("--sysroot="):
            result.append("--sysroot=" + os.path.join(directory, word[len("--sysroot="):]))
        elif word.startswith("-std="):
            if "++" not in word:
                result.append(word)
        elif re.match(r"-(?:D|U)\w|--target=|-m(?:32|64|x32|ms-bitfields|no-ms-bitfields|arch=|sse|avx|cpu=|fpu=|float-abi=)"
                      r"|-f(?:short-enums|no-short-enums|pack-struct|signed-char|unsigned-char|ms-extensions|short-wchar)", word):
            result.append(word)
    return result
