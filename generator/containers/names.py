"""The C names that the containers of a spec declare: none may stand for two things."""

import os
import re
from typing import Dict, Iterator, Optional, Sequence as Seq, Set, Tuple

from ..language.keys import BY_PATH, FUNCTIONS
from ..language.model import ALL, TREE, Container, Spec, Unsound
from ..language.named_indexes import NAMES, indexes_of
from ..language.soa import lanes
from ..language.taken_names import TOLD, locals_of
from ..parts.container_parts import Parts
from ..parts.key import choose, sorted_by
from ..text.diag import Diagnostics, Note, Span
from ..text.filekinds import HANDLES
from ..text.identifiers import is_built_in, shout
from ..text.naming import TYPES, plain
from .offered import LOOP, READING_LOOP, advice_for, operation_names
from .planning import c_names, declared_as


class Claim:
    """A C name of the spec: which container declares it, and as what."""

    def __init__(self, container: Container, span: Span, what: str, shape: str = ""):
        self.container, self.span, self.what, self.shape = container, span, what, shape


def _called(container: Container) -> str:
    """What the spec calls a container."""
    return container.name[:-len("_layer")] if container.is_layer else container.name


def check_names(spec: Spec, unsound: Seq[Unsound], diagnostics: Diagnostics) -> None:
    """No C name may stand for two things."""
    owners: Dict[str, Claim] = {}
    for container in spec.emitted:
        declared = c_names(container)
        for name in declared:
            other = owners.get(name)
            if other is not None and other.container is not container:
                diagnostics.error("BSP0306", _declared_twice(name, other.container, container), container.span,
                                  notes=[Note("the other one", other.span)],
                                  help="rename one, or give one an `emit.prefix`")
                break
        _check_fields(container, declared, diagnostics)
        _check_sides(container, declared, diagnostics)
        for name in declared:
            owners.setdefault(name, Claim(container, container.span, "of the container"))
    for container in spec.containers:
        _check_types(container, owners, diagnostics)
    _check_members(spec, diagnostics)
    for container in spec.containers:
        _check_operations(container, diagnostics)
        _check_renamings(container, diagnostics)
        _check_functions(container.layer or container, owners, diagnostics)
    for each in unsound:
        _check_types(each.container, owners, diagnostics, each.spoilt)
        _check_functions(each.container.layer or each.container, owners, diagnostics, each.spoilt)


def _check_operations(container: Container, diagnostics: Diagnostics) -> None:
    """What is chosen must be something that the container has."""
    names_ = container["emit.operations"]
    if names_ is None:
        return
    there = operation_names(container)
    setting = container.settings["emit.operations"]
    for name, span in zip(names_, names_.spans):
        if name not in there and name not in names_.usual and name != ALL:
            diagnostics.error("BSP0233", f"container '{container.name}' has no operation '{name}'", span,
                              notes=[] if setting.origin == "spec" else [Note("this container", container.span)],
                              help=lambda: advice_for(container, name))


def _check_renamings(container: Container, diagnostics: Diagnostics) -> None:
    """What is called otherwise must be there, unless all containers are told so; its name must be free."""
    renamings = container["emit.names"]
    if not renamings:
        return
    there = [name for name in operation_names(container) if name not in (LOOP, READING_LOOP)]
    taken = {**{container.type_of(name): name for name in TYPES},
             **{container.function(name): name for name in there if container.renamed(name) is None}}
    for each in renamings:
        called = container.function(each.operation)
        if each.operation not in there:
            if container.settings["emit.names"].origin == "spec":
                diagnostics.error("BSP0233", f"container '{container.name}' has no operation '{each.operation}'", each.span,
                                  help=lambda name=each.operation: "a loop is a macro: its name is in capitals"
                                  if name in (LOOP, READING_LOOP) else advice_for(container, name))
        elif taken.setdefault(called, each.operation) != each.operation:
            diagnostics.error("BSP0306", f"'{called}' would be both '{each.operation}' and '{taken[called]}'", each.span,
                              help="give it another name")


def _declared_twice(name: str, first: Container, second: Container) -> str:
    """That two containers would declare one name, and as what."""
    kinds, words = [declared_as(name, each) for each in (first, second)], [f"'{_called(each)}'" for each in (first, second)]
    if kinds[0] != kinds[1]:
        return f"'{name}' would be both a {kinds[0]} of container {words[0]} and a {kinds[1]} of container {words[1]}"
    return f"containers {' and '.join(words)} would both declare the {kinds[0]} '{name}'"


def _check_members(spec: Spec, diagnostics: Diagnostics) -> None:
    """Containers may share links if they share the owner, too."""
    users: Dict[Tuple[str, str], Container] = {}
    for container in spec.containers:
        links = [path for path, key in BY_PATH.items()
                 if path.startswith("element.link.") and key.kind == "field" and path != "element.link.owner"]
        for of, path in [(container, path) for path in links] + [(each, f"element.link.{name}") for each in indexes_of(container)
                                                                 for name in TREE]:
            if of[path] is None:
                continue
            key = (container["element.type"], of[path])
            other = users.setdefault(key, container)
            if other["element.link.owner"] != container["element.link.owner"]:
                diagnostics.error("BSP0263", f"'{key[1]}' of '{key[0]}' is a link of container '{other.name}' already",
                                  of.span_of(path), notes=[Note("the other container", other.span)],
                                  help=["give the element a member for each container",
                                        "if it is in one of them at a time, share the owner, too, as a `void *`"])
                break


def _check_fields(container: Container, declared: Seq[str], diagnostics: Diagnostics) -> None:
    """Each column has a function, whose name must be free."""
    for member in lanes(container):
        for name in (container.function(member.name), container.function(f"const_{member.name}")):
            if declared.count(name) > 1 and member.span is not None:
                diagnostics.error("BSP0311", f"member '{member.name}' would have a function '{name}', which the container "
                                  "already declares", member.span,
                                  help=["call the member something else"] * (container["element.fields"] is not None)
                                  + ["or list members in `hot`, without this one"
                                     if container["element.hot"] is None else "or leave it out of `hot`"])
                break


def _check_sides(container: Container, declared: Seq[str], diagnostics: Diagnostics) -> None:
    """So have values beside elements."""
    for each in container["side"] or ():
        names = [container.function(verb.format(each.name)) for verb in
                 ("set_{}", "get_{}", "get_{}_const", "has_{}", "remove_{}", "count_{}", "reserve_{}", "begin_with_{}")]
        names.append(f"{shout(container.full_name)}_EACH_WITH_{each.name.upper()}")
        twice = next((name for name in names if declared.count(name) > 1), None)
        if twice is not None:
            diagnostics.error("BSP0311", f"'{each.name}' would have a function '{twice}', which the container already declares",
                              each.span or container.span_of("side"), help="call it something else")


def _types_named(container: Container) -> Iterator[Tuple[str, Optional[str]]]:
    """The types that a container takes, and the keys that name them. Its own handle is declared before values beside elements."""
    for path in ("element.type", "hooks.context", "hooks.kept_context"):
        yield path, container[path]
    for member in container["element.fields"] or ():
        yield "element.fields", member.type
    own = (container.layer or container).type_of("handle")
    for each in container["side"] or ():
        if each.type != own:
            yield "side", each.type


def _check_types(container: Container, owners: Dict[str, Claim], diagnostics: Diagnostics, spoilt: Seq[str] = ()) -> None:
    for path, kind in _types_named(container):
        if kind is None or path in spoilt or is_built_in(kind):
            continue
        for name in re.findall(r"[A-Za-z_]\w*", re.sub(r"\b(const|volatile|struct|union|enum)\b", "", kind)):
            other = owners.get(name)
            if other is None:
                if name in locals_of(container) and not re.search(r"\b(struct|union|enum) " + name, kind):
                    diagnostics.error("BSP0305", f"'{name}' cannot be a type here: the emitted functions have "
                                      "parameters and variables of that name", container.span_of(path),
                                      help=f"use its tag, as in `struct {name}`")
                continue
            handle = other.container["handles.kind"] != "none" and name == other.container.type_of("handle")
            if handle and other.container["emit.handles_header"]:
                continue
            if handle:
                diagnostics.error("BSP0305", f"'{name}' is declared for container '{_called(other.container)}', behind the "
                                             "headers of elements",
                                  container.span_of(path), notes=[Note("the container", other.span)],
                                  help="`emit: {handles_header: true}` in that container declares it before them, in a header "
                                       "that can be the element's: "
                                       f"`{os.path.splitext(os.path.basename(container.span.source.name))[0]}{HANDLES}`")
            elif other.container is container:
                diagnostics.error("BSP0305", f"'{name}' is both the container and its element", container.span_of(path),
                                  help=f"call the container something else, such as `{name}_list`",
                                  notes=[Note("the container", container.span)])
            else:
                diagnostics.error("BSP0305", f"'{name}' is declared for container '{other.container.name}' and cannot "
                                  "be a type of its own", container.span_of(path),
                                  notes=[Note("the container", other.span)],
                                  help="rename the container, or give it an `emit.prefix`")


def _told(container: Container, path: str) -> str:
    """The last parameters of a function that is told the reason of a change, or given a context."""
    parts, name = Parts(container), path.partition("hooks.")[2]
    return "".join(f", {plain(kind)}" for kind, _ in (*parts.reason_given_to(name), *parts.given_to(name)))


def _signature(container: Container, path: str) -> str:
    """What the emitted code declares a function as, so that two uses of one name can be compared."""
    element, told = container.element, _told(container, path)
    if path.startswith("hooks."):
        by_row = container["layout"] == "soa" and path not in ("hooks.remove", "hooks.destroy")
        return f"void (struct {container.full_name} *, {'size_t' if by_row else f'{element} *'}{told})"
    if path in ("removal.expired", "capacity.keep"):
        return f"bool (const {element} *{told})"
    if path == "capacity.weight":
        return f"uint64_t (const {element} *{told})"
    if path in ("sort.key", "identity.key"):
        return f"{(sorted_by if path == 'sort.key' else choose)(Parts(container)).returned} (const {element} *)"
    if path == "sort.less":
        return f"bool (const {element} *, const {element} *)"
    if path == "persist.save":
        return f"bool (struct {container.type_of('writer')} *, const {element} *)"
    if path == "persist.load":
        return f"bool (struct {container.type_of('reader')} *, {element} *)"
    if path in ("persist.upgrade", "test.element"):
        return f"void ({element} *, uint32_t)"
    if path == "identity.length":
        return f"size_t (const {element} *)"
    if path in ("identity.equal", "identity.hash"):
        held = choose(Parts(container)).held
        return f"bool ({held}, {held}{told})" if path == "identity.equal" \
            else f"uint64_t ({held}, uint64_t{told})"
    if path == "index.seed":
        return "uint64_t (void)"
    return _of_allocator(container, path)


def _of_allocator(container: Container, path: str) -> str:
    allocator = Parts(container).allocator
    named = zip(allocator.written, allocator.callbacks())
    return {f"allocator.{name}": each.prototype("f") for name, each in named}.get(path, "")


def _key(container: Container, path: str) -> str:
    """What the spec calls a key: see Check.key."""
    return f"indexes.{container.index}.{NAMES[path]}" if container.index else path


def _tags(container: Container) -> Set[str]:
    """The names of the types that a container's functions take, without keywords."""
    types = [container["element.type"], container["hooks.context"], container["hooks.kept_context"]] \
        + [member.type for member in container["element.fields"] or ()]
    return {name for type_ in types if type_ for name in re.findall(r"\b(?:struct|union|enum) (\w+)", type_)}


# What signatures depend on.
_SHAPING = frozenset(("element.type", "element.fields", "layout", "hooks.context", "hooks.kept_context",
                      "hooks.reason", "hooks.add_reason"))


def _check_functions(container: Container, owners: Dict[str, Claim], diagnostics: Diagnostics, spoilt: Seq[str] = ()) -> None:
    for each in (container, *(indexes_of(container) if "indexes" not in spoilt else ())):
        _check_functions_of(each, owners, diagnostics, spoilt if each is container else ())


def _check_functions_of(container: Container, owners: Dict[str, Claim], diagnostics: Diagnostics, spoilt: Seq[str]) -> None:
    """Those of a container, or of the key of a named index."""
    for path in (each for each in FUNCTIONS if not container.index or each in NAMES):
        value = container[path]
        name = "" if value is None else str(value)
        if not name.isidentifier() or path in spoilt:
            continue
        shape = "" if _SHAPING.intersection(spoilt) else _signature(container, path)
        _check_function(container, path, name, shape, owners, diagnostics)


def _check_function(container: Container, path: str, name: str, shape: str, owners: Dict[str, Claim],
                    diagnostics: Diagnostics) -> None:
    """The name of one; `shape`: what it must be, if that is known."""
    heads = tuple(dict.fromkeys((container.full_name + "_", container.function(""))))
    other = owners.get(name)
    span = container.span_of(path)
    if name in _tags(container):
        diagnostics.error("BSP0310", f"'{name}' cannot be '{_key(container, path)}': in C++ it would hide the type of that "
                                     "name", span,
                          notes=[Note("the type", container.span_of("element.type"))],
                          help=f"call the function something else, such as `on_{name}`")
    elif other is None:
        if name in TOLD:
            diagnostics.error("BSP0310", f"'{name}' cannot be '{_key(container, path)}': the programs that generated tests "
                                         "print declare it",
                              span, help=f"call the function something else, such as `{container.name}_{name}`")
        elif name.startswith(heads) and name.endswith("_"):
            taken = next(head for head in heads if name.startswith(head))
            diagnostics.error("BSP0310", f"'{name}' cannot be '{_key(container, path)}': names that begin with '{taken}' "
                              "and end with '_' are private to the container", span,
                              help=f"leave out the '_' at the end: `{name.rstrip('_')}`"
                              if name.rstrip("_") not in owners else "give the function another name")
        elif shape:
            owners[name] = Claim(container, span, _key(container, path), shape)
    elif not other.shape:
        diagnostics.error("BSP0310", f"'{name}' cannot be '{_key(container, path)}': container '{other.container.name}' "
                          "declares it", span, notes=[Note("the container", other.span)],
                          help="give the function another name")
    elif shape and other.shape != shape:
        where = f" of container '{other.container.name}'" if other.container.name != container.name else ""
        notes = [Note(f"'{other.what}'{where} is `{other.shape}`", other.span)]
        diagnostics.error("BSP0222", f"'{name}' cannot be '{_key(container, path)}', `{shape}`: the name is used for "
                                     "another function",
                          span, notes=notes, help="give each its own function; both may call a third")
