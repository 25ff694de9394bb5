"""Reads a type from a C header, through libclang.

The only room that knows libclang, and it is loaded only when a type is read. Only what all its versions have in common is
used: kinds are compared by number, since bindings and library may be of different versions, and each knows its own names.
"""

import ctypes.util
import dataclasses
import glob
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ..text.diag import Diagnostics, Note, Source, Span
from ..text.identifiers import is_built_in
from ..text.suggestions import did_you_mean
from .typelock import NAMED, Field, TypeInfo

INSTALL = "apt-get install python3-clang"
_LIBRARIES = ("/usr/lib/llvm-*/lib/libclang-*.so*", "/usr/lib/llvm-*/lib/libclang.so*", "/usr/lib/*/libclang-*.so*",
              "/usr/lib/*/libclang.so*", "/usr/lib64/libclang.so*", "/usr/lib/libclang.so*", "/usr/local/lib/libclang.so*",
              "/opt/homebrew/opt/llvm/lib/libclang.dylib", "/usr/local/opt/llvm/lib/libclang.dylib",
              "/Library/Developer/CommandLineTools/usr/lib/libclang.dylib", "C:/Program Files/LLVM/bin/libclang.dll")
_BINDINGS = ("/usr/lib/python3/dist-packages", "/usr/lib/llvm-*/lib/python3*/site-packages",
             "/usr/lib/python3*/site-packages", "/usr/lib64/python3*/site-packages")
_RESOURCES = ("/usr/lib/llvm-*/lib/clang/*", "/usr/lib64/clang/*", "/usr/lib/clang/*", "/usr/local/lib/clang/*")
_ERRORS_SHOWN = 5
_WAS = "did you mean '%s'? it has the members that '%s' had, as far as its lock knows"

# Numbers of libclang's interface, which never change.
_STRUCT, _UNION, _ENUM, _TYPEDEF = 2, 3, 5, 20
_VOID, _POINTER, _BLOCK, _RECORD, _ENUMERATION, _FUNCTIONS, _CONSTANT, _VECTORS = 2, 101, 102, 105, 106, (110, 111), 112, (113, 176)
_INCOMPLETE, _ARRAYS = 114, (112, 114, 115, 116)


class Unavailable(Exception):
    """libclang is not there, or cannot be used."""


# -- finding libclang ------------------------------------------------------------------------------------------------


class _Library:
    """libclang with its bindings, found once."""

    def __init__(self) -> None:
        self.cindex: Any = None
        self.index: Any = None
        self.path = ""
        self.problem: Optional[str] = None

    def load(self) -> None:
        if self.problem is not None:
            raise Unavailable(self.problem)
        if self.index is not None:
            return
        try:
            self.cindex = self._bindings()
            self._library()
        except Unavailable as error:
            self.problem = str(error)
            raise

    def _bindings(self) -> Any:
        try:
            return importlib.import_module("clang.cindex")
        except Exception as error:  # an installation may be broken in any way
            reason = error
        # The bindings are of nothing but Python, so those of another interpreter do as well.
        for pattern in _BINDINGS:
            for folder in sorted(glob.glob(pattern), key=_by_version, reverse=True):
                if not os.path.isfile(os.path.join(folder, "clang", "cindex.py")):
                    continue
                sys.path.append(folder)
                for name in [name for name in sys.modules if name.split(".")[0] == "clang"]:
                    del sys.modules[name]
                importlib.invalidate_caches()
                try:
                    return importlib.import_module("clang.cindex")
                except Exception as error:
                    reason = error
                finally:
                    sys.path.remove(folder)
        raise Unavailable("there is no Python module clang.cindex" if isinstance(reason, ImportError) else
                          "the Python module clang.cindex is broken: %s" % reason)

    def _library(self) -> None:
        config = self.cindex.Config
        # Of functions that only newer libraries have, none is used here.
        config.compatibility_check = False
        named = os.environ.get("BESPOKE_LIBCLANG")
        reason = ""
        for path in [named] if named else self._candidates():
            if path:
                config.library_file = path
            try:
                vars(self.cindex.conf).pop("lib", None)
                self.index = self.cindex.Index.create()
                self.path = path or self.cindex.conf.get_filename()
                return
            except Exception as error:  # LibclangError; OSError; AttributeError of a library that is none
                reason = reason or str(error).split(". To provide a path")[0]
        raise Unavailable("libclang cannot be loaded: %s" % (reason or "there is none"))

    def _candidates(self) -> Iterator[str]:
        """Libraries, the one first that the bindings look for by themselves."""
        yield ""
        beside = os.path.join(os.path.dirname(self.cindex.__file__), "native")
        for pattern in (os.path.join(beside, "libclang.*"),) + _LIBRARIES:
            yield from sorted((path for path in glob.glob(pattern) if "libclang-cpp" not in path), key=_by_version, reverse=True)
        found = ctypes.util.find_library("clang")
        if found:
            yield found


def _by_version(path: str) -> List[int]:
    return [int(number) for number in re.findall(r"\d+", path)]


_LIBRARY = _Library()


def available() -> Tuple[bool, str]:
    """Can headers be read? And by which library, or why not."""
    try:
        _LIBRARY.load()
    except Unavailable as error:
        return False, str(error)
    return True, _LIBRARY.path


def unavailable(diagnostics: Diagnostics, reason: str) -> None:
    """Says that libclang is missing, and how to get it."""
    diagnostics.error("BSP0504", "types cannot be read from headers: %s" % reason,
                      help="install it with: %s   (or: python3 -m pip install libclang)" % INSTALL)


# -- how a header is compiled ----------------------------------------------------------------------------------------


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
            with open(self.file, encoding="utf-8") as file:
                lines = [line.rstrip("\n") for line in file]
        except OSError as error:
            diagnostics.error("BSP0411", "cannot read '%s': %s" % (self.file, error.strerror or error))
            return None
        result: List[str] = []
        for line in lines:
            option, _, value = line.partition("=")
            if option in ("--flag", "--flags"):
                value = value[len("SHELL:"):] if value.startswith("SHELL:") else value
                result += _kept({"arguments": ["cc"] + shlex.split(value)})
            elif option == "--std":
                result.append("-std=" + value)
            elif len(line) > 2:  # CMake leaves empty items in lists
                result.append(line)
        return result

    def _from_database(self, header: str, folder: str, diagnostics: Diagnostics) -> Optional[List[str]]:
        if self.database is None:
            try:
                with open(self.commands, encoding="utf-8") as file:
                    self.database = json.load(file)
                if not isinstance(self.database, list) or not all(isinstance(each, dict) for each in self.database):
                    raise ValueError("it is no list of commands")
            except (OSError, ValueError) as error:
                diagnostics.error("BSP0411", "cannot read '%s': %s" % (self.commands, getattr(error, "strerror", None) or error),
                                  help="CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
                self.database = []
                return None
        entry = _nearest(self.database, header, folder)
        if entry is None:
            diagnostics.error("BSP0411", "'%s' holds no command that compiles C" % self.commands)
            return None
        return _kept(entry)


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
            with open(source, "rb") as file:
                direct = includes.search(file.read(1 << 20)) is not None
        except OSError:
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


# -- reading ---------------------------------------------------------------------------------------------------------


class _Refused(Exception):
    """What a header declares cannot be written down."""

    def __init__(self, what: str, cursor: Any, code: str = "BSP0327"):
        super().__init__(what)
        self.cursor, self.code = cursor, code


class _Unit:
    """One header, parsed."""

    def __init__(self, unit: Any, inputs: Tuple[str, ...]):
        self.unit, self.inputs = unit, inputs
        self.tags: Dict[Tuple[int, str], Any] = {}
        self.typedefs: Dict[str, Any] = {}
        self._take(unit.cursor)

    def _take(self, cursor: Any) -> None:
        for child in cursor.get_children():
            kind = child._kind_id
            if kind in (_STRUCT, _UNION, _ENUM):
                # Newer libraries give one without a tag the name of its typedef; the spelling of its type has no keyword.
                tag = re.fullmatch(r"(?:struct|union|enum) (\w+)", child.type.spelling)
                if tag is not None and (child.is_definition() or (kind, tag.group(1)) not in self.tags):
                    self.tags[kind, tag.group(1)] = child
                self._take(child)
            elif kind == _TYPEDEF:
                self.typedefs[child.spelling] = child


class Importer:
    """Reads types from headers; each header once."""

    first_arguments: Tuple[str, ...] = ()  # in front of all others

    def __init__(self, options: Options):
        self.options = options
        self._units: Dict[Tuple[str, str], Optional[_Unit]] = {}
        self._sources: Dict[str, Source] = {}

    def read(self, type_: str, header: str, folder: str, at: Optional[Span], header_at: Optional[Span],
             diagnostics: Diagnostics, before: Optional[TypeInfo] = None) -> Optional[TypeInfo]:
        """A type; None when diagnostics says why not. `folder` is where the header is looked for first, `at` and `header_at`
        the places that name type and header; `before` what was known of the type. Raises Unavailable."""
        _LIBRARY.load()
        key = (header, folder)
        if key not in self._units:
            try:
                self._units[key] = self._parse(header, folder, header_at, diagnostics)
            except (AttributeError, TypeError) as error:
                raise Unavailable("%s does not fit its Python module: %s" % (_LIBRARY.path, error))
        unit = self._units[key]
        if unit is None:
            return None
        try:
            cursor = self._find(unit, type_, header, at, diagnostics, before)
            if cursor is None:
                return None
            info = self._info(unit, cursor, type_, header)
            if info.kind == "opaque" and before is not None and before.fields:
                other = self._renamed(unit, before)
                if other:  # what is left of the old name is a declaration
                    diagnostics.error("BSP0325", "'%s' only declares '%s', which had members" % (header, type_), at,
                                      help=_WAS % (other, type_))
                    return None
            return dataclasses.replace(info, uses=self._uses(unit, info))
        except _Refused as refused:
            span = self._span(refused.cursor.location)
            diagnostics.error(refused.code, "'%s' in '%s' %s" % (type_, header, refused), at,
                              notes=[Note("declared here", span)] if span else [])
            return None

    # -- parsing

    def _parse(self, header: str, folder: str, at: Optional[Span], diagnostics: Diagnostics) -> Optional[_Unit]:
        arguments = self.options.arguments(header, folder, diagnostics)
        if arguments is None:
            return None
        own = os.path.normpath(os.path.join(folder, "bespoke-import.c"))
        text = "#include %s\n" % (header if header.startswith("<") else '"%s"' % header)
        unit, errors = None, []
        for more in self._resources():
            cindex = _LIBRARY.cindex
            unit = _LIBRARY.index.parse(own, args=more + arguments, unsaved_files=[(own, text)],
                                        options=cindex.TranslationUnit.PARSE_INCOMPLETE
                                        | cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
            errors = [item for item in unit.diagnostics if item.severity >= 3]
            if not any(_of_compiler(item.spelling) for item in errors):
                break
        for item in errors[:_ERRORS_SHOWN]:
            span = self._span(item.location)
            message = "the header cannot be read: " + item.spelling if span is None or span.source.name == own else item.spelling
            notes = [Note("the header is named here", at)] if at is not None and span is not None else []
            advice = None
            if _of_compiler(item.spelling):
                advice = "that is a header of the compiler: apt-get install libclang-common-%s-dev" % (
                    (_by_version(os.path.basename(_LIBRARY.path)) or ["NN"])[0])
            elif "file not found" in item.spelling:
                advice = "name its folder with -I, or read the project's own options with --compile-commands"
                missing = re.match(r"'(?:.*/)?(\w+)\.h' file not found", item.spelling)
                if missing and os.path.isfile(os.path.join(folder, missing.group(1) + ".yaml")):
                    advice = "Bespoke makes it: run `bespoke generate` first, and name the folder that it goes to with -I"
            if span is not None and span.source.name == own:
                span, notes = at, []
            diagnostics.error("BSP0324", message, span, notes=notes, help=advice)
        if len(errors) > _ERRORS_SHOWN:
            diagnostics.error("BSP0324", "and %d more errors in '%s'" % (len(errors) - _ERRORS_SHOWN, header), at)
        return None if errors else _Unit(unit, self._inputs(unit))

    def _resources(self) -> Iterator[List[str]]:
        """Arguments with which the compiler's own headers may be found: libclang's by itself, then those of others."""
        yield list(self.first_arguments)
        for pattern in _RESOURCES:
            for folder in sorted(glob.glob(pattern), key=_by_version, reverse=True):
                if os.path.isfile(os.path.join(folder, "include", "stddef.h")):
                    yield ["-resource-dir=" + folder]
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler:
            try:
                said = subprocess.run([compiler, "-print-file-name=include"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, timeout=20).stdout.decode("utf-8", "replace").strip()
            except (OSError, subprocess.TimeoutExpired):
                return
            if os.path.isdir(said):
                yield ["-nobuiltininc", "-isystem", said]

    def _inputs(self, unit: Any) -> Tuple[str, ...]:
        """The project's headers that were read: not those of the system."""
        system = _LIBRARY.cindex.conf.lib.clang_Location_isInSystemHeader
        system.argtypes, system.restype = [_LIBRARY.cindex.SourceLocation], ctypes.c_int
        result = []
        for inclusion in unit.get_includes():
            file = inclusion.include
            path = os.path.normpath(file.name)
            if path in result or os.path.realpath(path).startswith("/usr/include/"):
                continue
            if not system(_LIBRARY.cindex.SourceLocation.from_position(unit, file, 1, 1)):
                result.append(path)
        return tuple(result)

    def _span(self, location: Any) -> Optional[Span]:
        if location is None or location.file is None or location.line < 1:
            return None
        path = os.path.normpath(location.file.name)
        if path not in self._sources:
            try:
                with open(path, "rb") as file:
                    self._sources[path] = Source(path, file.read().decode("utf-8", "replace"))
            except OSError:
                self._sources[path] = Source(path, "")
        source = self._sources[path]
        line = source.line(location.line).encode("utf-8")[:location.column - 1].decode("utf-8", "replace")
        word = re.match(r"\w+", source.line(location.line)[len(line):])
        return Span(source, location.line, len(line) + 1 if line else location.column, len(word.group()) if word else 1)

    # -- types

    def _find(self, unit: _Unit, type_: str, header: str, at: Optional[Span], diagnostics: Diagnostics, before: Optional[TypeInfo]) -> Any:
        tag, name = NAMED.match(type_).groups()
        kinds = {"struct": _STRUCT, "union": _UNION, "enum": _ENUM}
        cursor = unit.tags.get((kinds[tag], name)) if tag else unit.typedefs.get(name)
        if cursor is not None:
            return cursor
        spelled = {number: word for word, number in kinds.items()}
        known = list(unit.typedefs) + ["%s %s" % (spelled[kind], other) for kind, other in unit.tags]
        same = [each for each in known if each.split()[-1] == name]
        # A bare name may be meant for a tag, and the other way round; names of the system are hardly meant.
        near = same[0] if same else did_you_mean(type_, known) or did_you_mean(name, [each for each in known if "__" not in each])
        own = sorted(each for each in known if self._is_own(unit, each, kinds))
        renamed = self._renamed(unit, before)
        advice = []
        if renamed:
            advice.append(_WAS % (renamed, type_))
        elif near:
            advice.append("did you mean '%s'?" % near)
        elif own:
            advice.append("it declares: " + ", ".join(own[:8]) + (", ..." if len(own) > 8 else ""))
        diagnostics.error("BSP0325", "there is no type '%s' in '%s'" % (type_, header), at, help=advice)
        return None

    def _renamed(self, unit: _Unit, before: Optional[TypeInfo]) -> Optional[str]:
        """The struct or union of the project that has most of the members that another one had, which is no longer there."""
        was = {(member.name, member.type) for member in (before.fields if before is not None else ())}
        best, most = None, len(was) // 2  # more than half of them
        words = {_STRUCT: "struct ", _UNION: "union "}
        found = [(words[kind] + name, cursor) for (kind, name), cursor in unit.tags.items() if kind in words]
        for name, cursor in found + list(unit.typedefs.items()) if was else ():
            if self._is_system(unit, cursor.location):
                continue
            try:
                info = self._info(unit, cursor, name, "")
            except _Refused:
                continue
            common = len(was & {(member.name, member.type) for member in info.fields})
            if common > most:
                best, most = name, common
        return best

    def _is_own(self, unit: _Unit, known: str, kinds: Dict[str, int]) -> bool:
        words = known.split()
        cursor = unit.typedefs[words[0]] if len(words) == 1 else unit.tags[kinds[words[0]], words[1]]
        return not self._is_system(unit, cursor.location)

    def _info(self, unit: _Unit, cursor: Any, type_: str, header: str) -> TypeInfo:
        given = cursor.underlying_typedef_type if cursor._kind_id == _TYPEDEF else cursor.type
        actual = given.get_canonical()
        kind = actual._kind_id

        def info(what: str, **more: Any) -> TypeInfo:
            return TypeInfo(type_, header, what, inputs=unit.inputs, **more)

        if kind == _RECORD:
            record = actual.get_declaration()
            what = "union" if record._kind_id == _UNION else "struct"
            if not record.is_definition() or actual.get_size() < 0:
                return info("opaque", of=what)
            fields, packed, aligned = _record(actual, record, self.options.ms)
            # What a typedef adds: an alignment of its own.
            outer = cursor.type.get_align()
            if actual.get_size() % outer:
                raise _Refused("is aligned to more than its size by a typedef, so C has no arrays of it; align the struct itself",
                               cursor)
            if outer > actual.get_align():
                aligned = outer
            return info(what, fields=fields, packed=packed, aligned=aligned)
        if kind == _ENUMERATION:
            return info("enum", of=_spelled(actual.get_declaration().enum_type))
        if kind in _ARRAYS:
            return info("array", of=_spelled(given, cursor))
        if kind in _VECTORS:
            return info("vector", of=_spelled(actual))
        if kind == _POINTER:
            return info("pointer", of=_spelled(given, cursor))
        if kind in _FUNCTIONS or kind in (_VOID, _BLOCK):
            raise _Refused("is no type of values: it is `%s`" % _spelled(given), cursor, "BSP0326")
        # What a system's own names stand for is another thing on each.
        return info("scalar", of="" if self._is_system(unit, cursor.location) else _spelled(given, cursor))

    def _uses(self, unit: _Unit, info: TypeInfo) -> Tuple[TypeInfo, ...]:
        """The types of the project that lie in a type under their names, of all depths: with them it changes, too."""
        found: Dict[str, Optional[TypeInfo]] = {info.type: None}
        todo = list(_inside(info))
        while todo:
            name = todo.pop(0)
            if name in found:
                continue
            found[name] = None
            tag, bare = NAMED.match(name).groups()
            cursor = unit.tags.get(({"struct": _STRUCT, "union": _UNION, "enum": _ENUM}[tag], bare)) if tag else unit.typedefs.get(bare)
            if cursor is None or self._is_system(unit, cursor.location):
                continue
            try:
                used = self._info(unit, cursor, name, "")
            except _Refused:
                continue  # the size of the whole is all that is compared
            if used.kind in ("struct", "union", "scalar", "array") and (used.fields or used.of):
                found[name] = dataclasses.replace(used, inputs=())
                todo += _inside(used)
        return tuple(used for used in found.values() if used is not None)

    def _is_system(self, unit: _Unit, location: Any) -> bool:
        file = location.file
        return file is None or os.path.normpath(file.name) not in unit.inputs


def _inside(info: Any) -> Iterator[str]:
    """The names of types that lie in a type or member, and are not only pointed at."""
    if isinstance(info, TypeInfo):
        texts = [info.of] if info.kind in ("scalar", "array") else []
    else:
        texts = [] if info.fields or info.local else [info.type]
    for text in texts:
        name = re.sub(r"\b(?:const|volatile)\b ?", "", text.split("[")[0]).strip()
        if "*" not in text and "(" not in text and NAMED.match(name) and not is_built_in(name):
            yield name
    for member in info.fields:
        yield from _inside(member)


def _of_compiler(message: str) -> bool:
    """Is a header missing that comes with the compiler?"""
    return re.match(r"'(?:std(?:def|arg|bool|int|align|atomic|noreturn)|float|limits|iso646|tgmath|varargs|\w*intrin|"
                    r"__stddef_\w+|arm_neon)\.h' file not found", message) is not None


def _peeled(type_: Any) -> Any:
    """What an array is of, or a pointer points to, at the end."""
    while True:
        actual = type_.get_canonical()
        if actual._kind_id in _ARRAYS:
            inner = type_.get_array_element_type()
        elif actual._kind_id == _POINTER:
            inner = type_.get_pointee()
        else:
            return type_
        # A typedef has a name of its own, so what it hides need not be spelled.
        if not inner.spelling or re.fullmatch(r"(?:(?:const|volatile) )*[A-Za-z_]\w*", type_.spelling):
            return type_
        type_ = inner


def _unnamed(type_: Any) -> Any:
    """The declaration of a type without a name, or None."""
    if type_.get_canonical()._kind_id not in (_RECORD, _ENUMERATION):
        return None
    declaration = type_.get_canonical().get_declaration()
    if re.search(r"\((?:unnamed|anonymous)\b", type_.spelling):
        return declaration
    return None


def _spelled(type_: Any, cursor: Any = None) -> str:
    """A type as C spells it; one without a name as its keyword alone."""
    text = type_.spelling
    inner = _peeled(type_)
    if _unnamed(inner) is not None:
        spelled = re.sub(r"\A(?:(?:const|volatile|restrict|_Atomic)\s+)+", "", inner.spelling)
        text = text.replace(spelled, spelled.split()[0], 1)
    if re.search(r"\btypeof\b", text):
        text = type_.get_canonical().spelling
    text = re.sub(r"\s*\b_N(?:onnull|ullable(?:_result)?|ull_unspecified)\b", "", text)
    text = re.sub(r"\b_Bool\b", "bool", text)
    text = re.sub(r"(?<=[\w*)])\s+\[", "[", text)
    if cursor is not None and "__attribute__" in text:
        raise _Refused("has a type that cannot be spelled without `__attribute__`; give it a name by a typedef", cursor)
    if cursor is not None and "(^" in text:
        raise _Refused("is a block, which is no C", cursor)
    return text


def _unassignable(type_: Any) -> bool:
    """Is it const, or is something in it?"""
    actual = type_.get_canonical()
    while actual._kind_id in _ARRAYS:
        actual = actual.get_array_element_type().get_canonical()
    if actual.is_const_qualified():
        return True
    return actual._kind_id == _RECORD and any(_unassignable(each.type) for each in actual.get_fields())


def _local(type_: Any) -> bool:
    """Does a struct hold the definition of the type that is spelled?"""
    inner = _peeled(type_)
    tag = re.fullmatch(r"(?:(?:const|volatile) )*(?:struct|union|enum) \w+", inner.spelling)
    if tag is None:
        return False
    definition = inner.get_canonical().get_declaration().get_definition()
    return definition is not None and definition.lexical_parent is not None and definition.lexical_parent._kind_id in (
        _STRUCT, _UNION)


@dataclass
class _Laid:
    """A member and where it lies, in bits."""

    name: str
    offset: int
    size: int
    align: int
    bits: Optional[int]
    cursor: Any


def _record(type_: Any, declaration: Any, ms: bool, unnamed: bool = False) -> Tuple[Tuple[Field, ...], Any, Optional[int]]:
    """Members, packing and alignment of a struct or union; one without a name cannot be aligned by itself. ms: bit-fields are
    as Windows has them."""
    cursors = list(type_.get_fields())
    fields: List[Field] = []
    laid: List[_Laid] = []
    for cursor in cursors:
        kind = cursor.type
        name = cursor.spelling if re.fullmatch(r"[A-Za-z_]\w*", cursor.spelling) else ""
        bits = cursor.get_bitfield_width() if cursor.is_bitfield() else None
        try:
            text = _spelled(kind, cursor)
        except _Refused as refused:
            raise _Refused("cannot be described: its member '%s' %s" % (name or "without a name", refused), cursor)
        inner, packed, of = (), False, ""
        hidden = _unnamed(_peeled(kind))
        if hidden is not None and hidden._kind_id == _ENUM:
            of = _spelled(hidden.enum_type)
        elif hidden is not None:
            inner, packed, _ = _record(hidden.type, hidden, ms, True)
        actual = kind.get_canonical()
        array = actual._kind_id in _ARRAYS
        fields.append(Field(name, text, bits, inner, _unassignable(kind),
                            array and not Field("x", text).is_array, None, packed, of, _local(kind)))
        laid.append(_Laid(name, cursor.get_field_offsetof(), max(0, kind.get_size()) * 8, max(1, kind.get_align()) * 8, bits,
                          cursor))
    size, align = type_.get_size() * 8, type_.get_align() * 8
    union = declaration._kind_id == _UNION
    # A `#pragma pack` that is seen in what lies inside is likely to be around the whole.
    around = [member.packed for member in fields if member.packed and member.packed is not True]
    numbers = [2, 4, 8, 16]
    ways = [(False, True, True)] + [(pack, False, False) for pack in around] + [(True, False, True)]
    ways += [(pack, False, False) for pack in numbers] + [(pack, False, True) for pack in around + numbers] + [(True, True, True)]
    for packed, raising, aligning in ways:
        found = _layout(laid, union, packed, raising, ms)
        if found is None:
            continue
        raised, end, natural = found
        aligned = align if align > natural else None
        if align < natural or -(-end // align) * align != size or (aligned is not None and (unnamed or not aligning)):
            continue
        given = tuple(member if extra is None else dataclasses.replace(member, aligned=extra // 8)
                      for member, extra in zip(fields, raised))
        return given, packed, None if aligned is None else aligned // 8
    raise _Refused(("has a struct or union without a name, which" if unnamed else "has a layout that") + " cannot be described: its "
                   "members do not lie where C would put them", declaration)


def _layout(laid: List[_Laid], union: bool, packed: Any, raising: bool, ms: bool) -> Optional[Tuple[List[Optional[int]], int, int]]:
    """Would C lay the members out like that? Gives which of them are aligned more than their types are, where the last one
    ends, and the alignment of the whole; None if not. All in bits. raising: members may be aligned more than their types are;
    ms: bit-fields as Windows has them."""
    most = 8 if packed is True else packed * 8 if packed else None
    at, end, whole = 0, 0, 8
    unit_end, unit_size = 0, 0
    raised: List[Optional[int]] = []
    for member in laid:
        align = member.align if most is None else min(member.align, most)
        extra: Optional[int] = None
        begin = 0 if union else at
        if member.bits is not None:
            if ms and not union and packed is not True:
                if member.bits == 0 or unit_size != member.size or begin + member.bits > unit_end:
                    begin = -(-max(begin, unit_end) // align) * align
                    unit_size, unit_end = member.size, begin + member.size
            elif member.bits == 0:
                begin = -(-begin // member.align) * member.align
            elif not packed and begin % align + member.bits > member.size:
                begin = -(-begin // align) * align
            if begin != member.offset:
                return None
            if member.name or ms:
                whole = max(whole, align)
            at = begin + member.bits
        else:
            unit_size = 0
            begin = -(-max(begin, unit_end if ms and not union else 0) // align) * align
            unit_end = 0
            extra_align = align * 2
            while begin != member.offset and extra_align <= 1 << 20 and raising and member.name:
                if -(-begin // extra_align) * extra_align == member.offset:
                    begin, extra = member.offset, extra_align
                extra_align *= 2
            if begin != member.offset:
                return None
            whole = max(whole, extra or align)
            at = begin + member.size
        raised.append(extra)
        end = max(end, at if not ms else max(at, unit_end))
    return raised, end, whole
