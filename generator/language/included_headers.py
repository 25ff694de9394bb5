"""The headers that a spec names: whether they exist, and whether they declare what the spec says."""

import os
import re
from typing import Iterator, List, Optional, Sequence as Seq, Set

from ..text.diag import Diagnostics, Note, Span
from ..text.filekinds import HANDLES
from ..text.files import unreadable
from ..text.header_names import LIBRARY_STEMS
from ..text.identifiers import is_built_in
from ..text.suggestions import did_you_mean, suggestion
from .element_types import EXPRESSIONS, importable, named_members
from .handle_headers import handles_header
from .keys import in_yaml
from .model import Container, Spec, Unsound
from .read_types import check_read_type


def find_headers(spec: Spec, unsound: Seq[Unsound], diagnostics: Diagnostics, include_dirs: Seq[str]) -> None:
    folders = [os.path.dirname(spec.path) or "."] + list(include_dirs)
    said: Set[str] = set()  # headers of which something was said: each is told of once
    for each in [Unsound(container, set()) for container in spec.containers] + list(unsound):
        container = each.container
        for path in ("emit.header", "element.header", "element.defined_in", "allocator.header"):
            header = container[path]
            if header is None or path in each.spoilt or header in said or header == spec.handles_header:
                continue
            if header.strip("<>").lower() == spec.stem.lower() + ".h":
                diagnostics.error("BSP0309", f"the spec produces a '{spec.stem}.h' of its own, which cannot include "
                                  f"'{header}'", container.span_of(path),
                                  help=f"rename the spec, to `{spec.stem}_list.yaml` perhaps")
                said.add(header)
                continue
            if header.startswith("<"):
                continue
            found = next((os.path.join(f, header) for f in folders if os.path.isfile(os.path.join(f, header))), None)
            if found is None and (not header.endswith(HANDLES) or handles_header(header, folders[0]) is None):
                _no_header(header, container.span_of(path), folders, diagnostics)
                said.add(header)
            elif found is not None and header not in spec.unguarded and not _guarded(found):
                spec.unguarded.append(header)


_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_GUARD = re.compile(r"\s*#[ \t]*(?:ifndef[ \t]+(\w+)|if[ \t]*![ \t]*defined[ \t]*\(?[ \t]*(\w+)[ \t]*\)?)[ \t]*\n\s*#[ "
                    r"\t]*define[ \t]+(?:\1|\2)\b"
                    r"|(?:[^\n]*\n)*?[ \t]*#[ \t]*pragma[ \t]+once\b")


def _guarded(path: str) -> bool:
    """Has a header an include guard? True if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return _GUARD.match(_COMMENT.sub(" ", file.read())) is not None
    except OSError:
        return True


# Names of the engine's, and the headers that may declare them: those of the emitted header, or of the source as well.
_DECLARED = {"emit.export": ("emit.header", "element.header"), "emit.size_type": ("emit.header", "element.header"),
             "emit.assert": ("emit.header", "element.header", "element.defined_in", "allocator.header")}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)


def find_declared_names(spec: Spec, diagnostics: Diagnostics, include_dirs: Seq[str]) -> None:
    """A name that occurs in no included header: of an element type it is an error, of the engine a warning, since a compiler
    option may define it."""
    folders = [os.path.dirname(spec.path) or "."] + list(include_dirs)
    for container in spec.containers:
        _find_element_type(container, folders, diagnostics)
        if container.type_info is None and container["element.fields"] is None and importable(container) \
                and check_read_type(container, [text for text in _texts(_headers(container), folders) if text is not None],
                                    diagnostics):
            continue
        _find_members(container, folders, diagnostics)
        _find_functions(container, folders, diagnostics)
    first = spec.containers[0]
    for path, places in _DECLARED.items():
        name = first[path]
        if name is None or is_built_in(name):
            continue
        headers = list(dict.fromkeys(c[place] for c in spec.containers for place in places if c[place] is not None))
        if _occurs_in(rf"{re.escape(name)}\b", headers, folders):
            continue
        where = "no header is included"
        if headers:
            named = ", ".join(f"'{each}'" for each in headers)
            where = f"it does not occur in {named} or in what {'that includes' if len(headers) == 1 else 'they include'}"
        diagnostics.warning("BSP0232", f"no header declares '{name}', which '{path}' names: {where}", first.span_of(path),
                            help="name the one that does: `emit: {header: engine/base.h}`, which is included first"
                            if first["emit.header"] is None else None)


def _find_element_type(container: Container, folders: Seq[str], diagnostics: Diagnostics) -> None:
    c = container
    type_, header = c["element.type"], c[c.defining]
    if type_ is None or header is None or c.type_info is not None or c["element.by"] != "value" \
        and re.match(r"(struct|union)\b", type_):
        return
    if type_.endswith("*") and re.match(r"(const |volatile )*(struct|union)\b", type_):
        return
    name = re.sub(r"\b(?:const|volatile|struct|union|enum)\b|\*", "", type_).strip()
    headers = [path for path in (header, c["emit.header"]) if path is not None]
    if is_built_in(type_) or _occurs_in(rf"{re.escape(name)}\b|##", headers, folders):
        return
    diagnostics.error("BSP0325", f"'{header}' and the headers that it includes do not declare '{type_}'",
                      c.span_of("element.type"),
                      notes=[Note("the header", c.span_of(c.defining))],
                      help=lambda: _meant(type_, name, header, headers, folders))


def _meant(type_: str, name: str, header: str, headers: Seq[str], folders: Seq[str]) -> str:
    """What may have been meant by the name of a type that these headers do not declare: one of theirs, or one of another
    header."""
    tag = re.match(r"(?:(?:const|volatile) )*((?:struct|union|enum) )?", type_)
    pattern = rf"\b{tag[1].strip()}\s+(\w+)" if tag and tag[1] else r"\btypedef\b[^;{}]*?\b(\w+)\s*;|\}\s*(\w+)\s*;"
    declared = [word for text in _texts(headers, folders) for found in re.findall(pattern, text or "")
                for word in ([found] if isinstance(found, str) else found) if word]
    near = did_you_mean(name, declared)
    if near:
        before, _, behind = type_.partition(name)
        return f"did you mean '{before}{near}{behind}'?"
    beside = [f"{name}.h"] * any(os.path.isfile(os.path.join(folder, f"{name}.h")) for folder in folders)
    other = next((each for each in beside if each != header), "...")
    return f"check the spelling of the type, or name the header that declares it: `element: {{header: {other}}}`"


def _find_members(container: Container, folders: Seq[str], diagnostics: Diagnostics) -> None:
    """A member of a type without a lock that occurs in no header. A warning: a header may spell it in another way."""
    c = container
    if c.type_info is not None or c["element.fields"] is not None or not importable(c):
        return
    for path, members in named_members(c):
        name = members.split(".")[0]  # where the others are declared is not known
        if not _occurs_in(rf"{name}\b|##", _headers(c), folders):
            diagnostics.warning("BSP0332", f"'{c[c.defining]}' and the headers that it includes do not mention '{name}', which "
                                f"is taken for a member of '{c['element.type']}'", c.span_of(path),
                                notes=[Note("the header", c.span_of(c.defining))],
                                help="check the spelling; `bespoke type import` reads the type, then its members are known")


def _find_functions(container: Container, folders: Seq[str], diagnostics: Diagnostics) -> None:
    """A function that has the name of a member: `id`, where `element->id` was meant. A warning: there may be both."""
    c, info = container, container.type_info
    for path in EXPRESSIONS:
        if path == "test.expire" or c[path] is None or not c[path].is_function:
            continue
        name = str(c[path])
        if info is not None:
            is_member = info.member(name) is not None
        elif c["element.fields"] is not None:
            is_member = name in [member.name for member in c["element.fields"]]
        else:
            texts = list(_texts(_headers(c), folders)) if importable(c) else []
            is_member = None not in texts and any(re.search(rf"\b{name}\s*[;,:[]", str(text)) for text in texts) \
                and not any(re.search(rf"\b{name}\s*\(", str(text)) for text in texts)
        if is_member:
            written = f"a->{name} < b->{name}" if path == "sort.less" else f"element->{name}"
            diagnostics.warning("BSP0333", f"'{name}' is taken for a function, and is the name of a member of '{c.element}'",
                                c.span_of(path),
                                help=f"if the member is meant: {in_yaml(path, written)}")


def _headers(container: Container) -> List[str]:
    return [container[path] for path in ("element.header", "element.defined_in", "emit.header") if container[path] is not None]


def _occurs_in(pattern: str, headers: Seq[str], folders: Seq[str]) -> bool:
    """Does a word occur in one of these headers, or in what they include? True if one of them is not found."""
    word = re.compile(rf"\b{pattern}")
    return any(text is None or word.search(text) for text in _texts(headers, folders))


def _texts(headers: Seq[str], folders: Seq[str]) -> Iterator[Optional[str]]:
    """The texts of headers and of what they include; None of one that is not found."""
    todo = [(header.strip("<>"), "") for header in headers]
    seen: Set[str] = set()
    while todo:
        header, folder = todo.pop()
        if folder and os.path.splitext(header)[0] in LIBRARY_STEMS:
            continue
        places = [folder] * bool(folder) + list(folders)
        found = next((path for path in (os.path.join(place, header) for place in places) if os.path.isfile(path)), None)
        if found is None:
            yield None
        elif found not in seen:
            seen.add(found)
            try:
                with open(found, encoding="utf-8", errors="replace") as file:
                    text = file.read()
            except OSError:
                yield None
            else:
                yield text
                todo += [(inner, os.path.dirname(found) or ".") for inner in _INCLUDE.findall(text)]


def _moved(header: str, folders: Seq[str]) -> str:
    """Says where below the folders there is a header of that name, if it is not far."""
    name = os.path.basename(header)
    for root in dict.fromkeys(folders):
        for number, (folder, below, files) in enumerate(os.walk(root)):
            if name in files:
                return f"did you mean '{os.path.relpath(os.path.join(folder, name), root)}'?"
            if number == 200:
                break
            deep = os.path.relpath(folder, root).count(os.sep) >= 3
            below[:] = [] if deep else sorted(each for each in below if not each.startswith("."))
    return ""


def _no_header(header: str, span: Span, folders: Seq[str], diagnostics: Diagnostics) -> None:
    diagnostics.drop("BSP0324", f"the header cannot be read: '{header}' file not found")  # by whoever wanted to read a type there
    for path in (os.path.normpath(os.path.join(root, header)) for root in folders):
        why = unreadable(path)
        if why:
            diagnostics.drop("BSP0324", f"the header cannot be read: '{path}': {why}")
            diagnostics.error("BSP0307", f"'{path}' is no header: {why}", span)
            return
    near: List[str] = []
    folder = os.path.dirname(header)
    for root in folders:
        try:
            near += sorted(os.path.join(folder, name) for name in os.listdir(os.path.join(root, folder) or ".")
                           if name.endswith((".h", ".hpp", ".hh", ".hxx")))[:2000]
        except OSError:
            pass
    looked = ", ".join(dict.fromkeys(f"'{root}'" for root in folders))
    gives = os.path.normpath(os.path.join(folders[0], header[:-len(HANDLES)] + ".yaml")) if header.endswith(HANDLES) else ""
    if gives and os.path.isfile(gives):
        diagnostics.error("BSP0307", f"there is no header '{header}', and '{gives}' generates none", span,
                          help="a container of it that has handles declares them there with `emit: {handles_header: true}`")
        return
    advice = [_moved(header, folders) or suggestion(header, near).strip(),
              "name its folder with -I; in CMake, with a target in TYPES_FROM"]
    diagnostics.error("BSP0307", f"there is no header '{header}' in {looked}", span,
                      help=[text for text in advice if text] + [f"`<{header}>` is searched by the compiler"])
