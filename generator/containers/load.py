"""From a spec file to its containers: the language resolves it, then it is checked as a whole."""

import os
import re
from typing import Any, List, Optional
from typing import Sequence as Seq
from typing import Set, Tuple

from ..language.element_types import Locks, LockUsers
from ..language.included_headers import find_declared_names, find_headers
from ..language.keys import BY_PATH
from ..language.model import Spec
from ..language.resolve import read_spec
from ..text.diag import Diagnostics, Note
from ..types import typelock
from .memberships import read
from .names import check_names


def load_spec(path: str, diagnostics: Diagnostics, include_dirs: Seq[str] = (),
              locks: Optional[Locks] = None, included: Optional[Set[str]] = None) -> Optional[Spec]:
    """Reads and resolves one spec file; None when diagnostics holds errors about it. included: collects the files that it
    includes."""
    before = diagnostics.errors
    resolved = read_spec(path, diagnostics, locks, included)
    if resolved is None:
        return None
    spec = resolved.spec
    if spec.containers or resolved.unsound:
        check_names(spec, resolved.unsound, diagnostics)
        find_headers(spec, resolved.unsound, diagnostics, include_dirs)
    if spec.containers:
        _check_shared(spec, diagnostics)
        if diagnostics.errors == before:
            find_declared_names(spec, diagnostics, include_dirs)
        for info in (container.type_info for container in spec.described):
            spec.headers += [path for path in info.inputs + (info.path,) if path] if info is not None else []
        spec.headers = list(dict.fromkeys(spec.headers))
        spec.memberships = read(resolved.memberships, spec, resolved.whole, diagnostics)
    return spec if diagnostics.errors == before else None


# Keys that belong to the files and not to one container.
SHARED = ("emit.files", "emit.types", "emit.functions", "emit.header", "emit.export", "emit.assert", "emit.size_type",
          "emit.freestanding", "emit.cplusplus", "emit.support")


def _shown_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_shared(spec: Spec, diagnostics: Diagnostics) -> None:
    first = spec.containers[0]
    spec.files, spec.support = first["emit.files"], first["emit.support"]
    for container in spec.containers[1:]:
        for path in SHARED:
            if container[path] == first[path]:
                continue
            at, other = container, first
            if path not in container.settings or container.settings[path].origin == "default":
                at, other = first, container
            has = "is not given" if other[path] is None else f"is '{_shown_value(other[path])}'"
            diagnostics.error("BSP0111", f"all containers of a spec are written to the same files, so they share '{path}'",
                              at.span_of(path), notes=[Note(f"'{path}' {has} for container '{other.name}'",
                                                            other.span_of(path))],
                              help=f"give it once: `defaults: {{emit: {{{BY_PATH[path].leaf}: {_shown_value(at[path])}}}}}`")
            return



def left_over(specs: Seq[Spec], include_dirs: Seq[str] = ()) -> List[Tuple[str, str]]:
    """The locks beside specs whose type no spec of their folder has elements of: path and type."""
    found: List[Tuple[str, str]] = []
    for folder in dict.fromkeys(os.path.dirname(spec.path) for spec in specs):
        named = {container["element.type"] for spec in specs if os.path.dirname(spec.path) == folder
                 for container in spec.described}
        locks = [(path, type_) for path, type_ in typelock.written(folder) if type_ not in named]
        if not locks:
            continue
        users = LockUsers()
        doubtful = ""  # specs with errors may have more containers than could be made of them
        seen = {os.path.realpath(spec.path) for spec in specs}
        for name in sorted(os.listdir(folder or os.curdir)):
            path = os.path.join(folder, name)
            if not name.endswith((".yaml", ".yml")) or os.path.realpath(path) in seen:
                continue
            problems = Diagnostics()
            load_spec(path, problems, include_dirs, users)
            if problems.errors:
                doubtful += typelock.text_of(path)
        found += [(path, type_) for path, type_ in locks
                  if path not in users.specs and not re.search(rf"\b{re.escape(type_.split()[-1])}\b", doubtful)]
    return found
