"""Reads a type from a C header, through libclang. It is loaded only when a type is read."""

import ctypes
import dataclasses
import glob
import os
import re
import shutil
import subprocess
from functools import lru_cache
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from ..text.diag import Diagnostics, Note, Source, Span
from ..text.files import read_bytes, read_input, there, unreadable
from ..text.header_names import LIBRARY_STEMS
from ..text.identifiers import is_built_in
from ..text.suggestions import did_you_mean
from . import libclang
from .compile_options import Options
from .libclang import ARRAYS, BLOCK, ENUM, ENUMERATION, FUNCTIONS, POINTER, RECORD, STRUCT, TYPEDEF, UNION, VECTORS, VOID, \
    Unavailable, by_version
from .record_reader import Refused, read_record, spelled
from .type_info import NAMED, TypeInfo

_RESOURCES = ("/usr/lib/llvm-*/lib/clang/*", "/usr/lib64/clang/*", "/usr/lib/clang/*", "/usr/local/lib/clang/*")
_ERRORS_SHOWN = 5
_WAS = "did you mean '%s'? it has the members that '%s' had, as far as its lock knows"


class _Unit:
    """One header, parsed. `files`: the project's headers that were read; `inputs`: the files that this depends on."""

    def __init__(self, unit: Any, files: Tuple[str, ...], inputs: Tuple[str, ...]):
        self.unit, self.files, self.inputs = unit, files, inputs
        self.tags: Dict[Tuple[int, str], Any] = {}
        self.typedefs: Dict[str, Any] = {}
        self._take(unit.cursor)

    def _take(self, cursor: Any) -> None:
        for child in cursor.get_children():
            kind = child._kind_id
            if kind in (STRUCT, UNION, ENUM):
                # Newer libraries give one without a tag the name of its typedef; the spelling of its type has no keyword.
                tag = re.fullmatch(r"(?:struct|union|enum) (\w+)", child.type.spelling)
                if tag is not None and (child.is_definition() or (kind, tag.group(1)) not in self.tags):
                    self.tags[kind, tag.group(1)] = child
                self._take(child)
            elif kind == TYPEDEF:
                self.typedefs[child.spelling] = child


class Importer:
    """Reads types from headers; each header once."""

    first_arguments: Tuple[str, ...] = ()  # in front of all others

    def __init__(self, options: Options, foreseen: Callable[[str, str], Optional[Any]] = lambda name, folder: None):
        """`foreseen`: the text of a header that is generated, for the specs of a folder, and the files that it follows from."""
        self.options, self._foreseen = options, lru_cache(maxsize=None)(foreseen)
        self._units: Dict[Tuple[str, str], Optional[_Unit]] = {}
        self._sources: Dict[str, Source] = {}

    def read(self, type_: str, header: str, folder: str, at: Optional[Span], header_at: Optional[Span],
             diagnostics: Diagnostics, before: Optional[TypeInfo] = None) -> Optional[TypeInfo]:
        """A type; None when diagnostics says why not. `folder` is where the header is looked for first, `at` and `header_at`
        the places that name type and header; `before` what was known of the type. Raises Unavailable."""
        libclang.LIBRARY.load()
        key = (header, folder)
        if key not in self._units:
            try:
                self._units[key] = self._parse(header, folder, header_at, diagnostics)
            except (AttributeError, TypeError) as error:
                raise Unavailable("%s does not fit its Python module: %s" % (libclang.LIBRARY.path, error))
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
        except Refused as refused:
            span = self._span(refused.cursor.location)
            diagnostics.error(refused.code, "'%s' in '%s' %s" % (type_, header, refused), at,
                              notes=[Note("declared here", span)] if span else [])
            return None

    # -- parsing

    def _parse(self, header: str, folder: str, at: Optional[Span], diagnostics: Diagnostics) -> Optional[_Unit]:
        arguments = self.options.arguments(header, folder, diagnostics)
        if arguments is None:
            return None
        included = _Included(header, folder, arguments, self._foreseen)
        if included.special:
            diagnostics.error("BSP0324", "the header cannot be read: '%s': %s" % included.special, at)
            return None
        arguments = arguments + included.arguments
        own = os.path.normpath(os.path.join(folder, "bespoke-import.c"))
        text = "#include %s\n" % (header if header.startswith("<") else '"%s"' % header)
        unit, errors = None, []
        for more in self._resources():
            cindex = libclang.LIBRARY.cindex
            unit = libclang.LIBRARY.index.parse(own, args=more + arguments, unsaved_files=[(own, text), *included.texts.items()],
                                        options=cindex.TranslationUnit.PARSE_INCOMPLETE
                                        | cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES)
            errors = [item for item in unit.diagnostics if item.severity >= 3]
            if not any(_of_compiler(item.spelling) for item in errors):
                break
        for item in errors[:_ERRORS_SHOWN]:
            span = self._span(item.location)
            # of which nothing is to be shown
            if span is not None and span.source.name != own and not _is_header(span.source.name):
                diagnostics.error("BSP0324", "the header cannot be read: it includes '%s', which is no C" % span.source.name, at)
                continue
            message = "the header cannot be read: " + item.spelling if span is None or span.source.name == own else item.spelling
            notes = [Note("the header is named here", at)] if at is not None and span is not None else []
            advice = None
            if _of_compiler(item.spelling):
                advice = "that is a header of the compiler: apt-get install libclang-common-%s-dev" % (
                    (by_version(os.path.basename(libclang.LIBRARY.path)) or ["NN"])[0])
            elif "file not found" in item.spelling:
                advice = "name its folder with -I, or read the project's own options with --compile-commands"
                missing = re.match(r"'(?:.*/)?(\w+?)(_handles)?\.h' file not found", item.spelling)
                if missing and os.path.isfile(os.path.join(folder, missing.group(1) + ".yaml")):
                    advice = "`emit: {handles_header: true}` in '%s.yaml' generates it" % missing.group(1) if missing.group(2) \
                        else \
                        "Bespoke makes it: run `bespoke generate` first, and name the folder that it goes to with -I"
            if span is not None and span.source.name == own:
                span, notes = at, []
            diagnostics.error("BSP0324", message, span, notes=notes, help=advice)
        if len(errors) > _ERRORS_SHOWN:
            diagnostics.error("BSP0324", "and %d more errors in '%s'" % (len(errors) - _ERRORS_SHOWN, header), at)
        if errors:
            return None
        files = self._files(unit)
        return _Unit(unit, files, tuple(dict.fromkeys([path for path in files if path not in included.texts] + included.inputs)))

    def _resources(self) -> Iterator[List[str]]:
        """Arguments with which the compiler's own headers may be found: libclang's by itself, then those of others."""
        yield list(self.first_arguments)
        for pattern in _RESOURCES:
            for folder in sorted(glob.glob(pattern), key=by_version, reverse=True):
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

    def _files(self, unit: Any) -> Tuple[str, ...]:
        """The project's headers that were read: not those of the system."""
        system = libclang.LIBRARY.cindex.conf.lib.clang_Location_isInSystemHeader
        system.argtypes, system.restype = [libclang.LIBRARY.cindex.SourceLocation], ctypes.c_int
        result = []
        for inclusion in unit.get_includes():
            file = inclusion.include
            path = os.path.normpath(file.name)
            if path in result or os.path.realpath(path).startswith("/usr/include/"):
                continue
            if not system(libclang.LIBRARY.cindex.SourceLocation.from_position(unit, file, 1, 1)):
                result.append(path)
        return tuple(result)

    def _span(self, location: Any) -> Optional[Span]:
        if location is None or location.file is None or location.line < 1:
            return None
        path = os.path.normpath(location.file.name)
        if path not in self._sources:
            try:
                self._sources[path] = Source(path, read_bytes(path).decode("utf-8", "replace"))
            except OSError:
                self._sources[path] = Source(path, "")
        source = self._sources[path]
        line = source.line(location.line).encode("utf-8")[:location.column - 1].decode("utf-8", "replace")
        word = re.match(r"\w+", source.line(location.line)[len(line):])
        return Span(source, location.line, len(line) + 1 if line else location.column, len(word.group()) if word else 1)

    # -- types

    def _find(self, unit: _Unit, type_: str, header: str, at: Optional[Span], diagnostics: Diagnostics,
              before: Optional[TypeInfo]) -> Any:
        tag, name = NAMED.match(type_).groups()
        kinds = {"struct": STRUCT, "union": UNION, "enum": ENUM}
        cursor = unit.tags.get((kinds[tag], name)) if tag else unit.typedefs.get(name)
        if cursor is not None:
            return cursor
        words = {number: word for word, number in kinds.items()}
        known = list(unit.typedefs) + ["%s %s" % (words[kind], other) for kind, other in unit.tags]
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
        words = {STRUCT: "struct ", UNION: "union "}
        found = [(words[kind] + name, cursor) for (kind, name), cursor in unit.tags.items() if kind in words]
        for name, cursor in found + list(unit.typedefs.items()) if was else ():
            if self._is_system(unit, cursor.location):
                continue
            try:
                info = self._info(unit, cursor, name, "")
            except Refused:
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
        given = cursor.underlying_typedef_type if cursor._kind_id == TYPEDEF else cursor.type
        actual = given.get_canonical()
        kind = actual._kind_id

        def info(what: str, **more: Any) -> TypeInfo:
            return TypeInfo(type_, header, what, inputs=unit.inputs, **more)

        if kind == RECORD:
            record = actual.get_declaration()
            what = "union" if record._kind_id == UNION else "struct"
            if not record.is_definition() or actual.get_size() < 0:
                return info("opaque", of=what)
            fields, packed, aligned = read_record(actual, record, self.options.ms)
            # What a typedef adds: an alignment of its own.
            outer = cursor.type.get_align()
            if actual.get_size() % outer:
                raise Refused("is aligned to more than its size by a typedef, so C has no arrays of it; align the struct itself",
                               cursor)
            if outer > actual.get_align():
                aligned = outer
            return info(what, fields=fields, packed=packed, aligned=aligned)
        if kind == ENUMERATION:
            return info("enum", of=spelled(actual.get_declaration().enum_type))
        if kind in ARRAYS:
            return info("array", of=spelled(given, cursor))
        if kind in VECTORS:
            return info("vector", of=spelled(actual))
        if kind == POINTER:
            return info("pointer", of=spelled(given, cursor))
        if kind in FUNCTIONS or kind in (VOID, BLOCK):
            raise Refused("is no type of values: it is `%s`" % spelled(given), cursor, "BSP0326")
        # What a system's own names stand for is another thing on each.
        return info("scalar", of="" if self._is_system(unit, cursor.location) else spelled(given, cursor))

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
            cursor = unit.tags.get(({"struct": STRUCT, "union": UNION, "enum": ENUM}[tag], bare)) if tag \
                else unit.typedefs.get(bare)
            if cursor is None or self._is_system(unit, cursor.location):
                continue
            try:
                used = self._info(unit, cursor, name, "")
            except Refused:
                continue  # the size of the whole is all that is compared
            if used.kind in ("struct", "union", "scalar", "array") and (used.fields or used.of):
                found[name] = dataclasses.replace(used, inputs=())
                todo += _inside(used)
        return tuple(used for used in found.values() if used is not None)

    def _is_system(self, unit: _Unit, location: Any) -> bool:
        file = location.file
        return file is None or os.path.normpath(file.name) not in unit.files


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


_INCLUDE = re.compile(rb'(?:^[ \t]*#[ \t]*(?:include|import)[ \t]*|\b__has_include[ \t]*\([ \t]*)[<"]([^">\n]+)[">]',
                      re.MULTILINE)


def _found(name: str, places: List[str]) -> Optional[str]:
    """The first of its name. Earlier places are inputs, too: from tomorrow on there may be another one."""
    paths = [os.path.normpath(os.path.join(place, name)) for place in places]
    found = next((path for path in paths if os.path.exists(path)), None)
    if found is not None or os.path.splitext(name)[0] not in LIBRARY_STEMS:
        for path, place in zip(paths, places):
            if there(path, place, os.path.exists):
                break
    return found


class _Included:
    """What a header includes, as far as its text shows. Headers that are generated are foreseen: they are read as they will be
    written."""

    def __init__(self, header: str, folder: str, arguments: List[str], foreseen: Callable[[str, str], Optional[Any]]):
        # the first that is a FIFO or a device: of its end the library would wait for ever, and no signal reaches it
        self.special: Tuple[str, ...] = ()
        self.texts: Dict[str, str] = {}  # of those that are foreseen, by path
        self.inputs: List[str] = []  # what these follow from
        self.arguments: List[str] = []  # by which they are found
        absent = os.path.normpath(os.path.join(folder, ".bespoke-foreseen"))  # the folder of those that are not there
        words = iter(arguments)
        folders = [word[2:] or next(words, "") if word[:2] == "-I" else next(words, "") for word in words
                   if word[:2] == "-I" or word in ("-isystem", "-iquote", "-idirafter")]
        todo = [(header.strip("<>"), folder)]
        seen = set()
        while todo:
            name, beside = todo.pop()
            path = _found(name, [beside] + folders)
            made = foreseen(os.path.basename(name), folder)
            if made is not None:
                self.texts[path or os.path.join(absent, name)] = made.text
                self.inputs += made.inputs
                self.arguments = ["-I" + absent]
                continue
            if path is None or path in seen or os.path.isdir(path):
                continue
            seen.add(path)
            why = unreadable(path)
            if why:
                self.special = (path, why)
                return
            try:
                text = read_input(path)
            except OSError:
                continue
            todo += [(os.fsdecode(inner), os.path.dirname(path)) for inner in _INCLUDE.findall(text)]


def _is_header(path: str) -> bool:
    """Is a file called as C headers, and what they include, are?"""
    real = os.path.realpath(path)
    return real.endswith((".h", ".hh", ".hpp", ".hxx", ".H", ".inc", ".inl", ".def", ".c", ".ipp", ".tpp", ".xmacro", ".xm"))


def _of_compiler(message: str) -> bool:
    """Is a header missing that comes with the compiler?"""
    return re.match(r"'(?:std(?:def|arg|bool|int|align|atomic|noreturn)|float|limits|iso646|tgmath|varargs|\w*intrin|"
                    r"__stddef_\w+|arm_neon)\.h' file not found", message) is not None
