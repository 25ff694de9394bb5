"""What is known of the types of elements, where headers are read: for `type import` and for `--types`."""

import dataclasses
import os
from typing import Dict, Iterator, List, Optional, Tuple

from ..text.diag import Diagnostics
from ..types import typelock
from ..types.header_reader import Importer
from ..types.libclang import Unavailable
from ..types.type_differences import differences
from ..types.type_info import TypeInfo
from .element_types import Locks, importable, needs_members
from .model import Container


class _Reading(Locks):
    """Locks that read headers."""

    def __init__(self, importer: Importer):
        super().__init__()
        self.importer = importer
        self.read: Dict[str, Tuple[Container, TypeInfo]] = {}  # by path of the lock: for whom, and what the header says
        self.unavailable = ""  # why no header could be read
        self._found: Dict[Tuple[str, str, str], Optional[TypeInfo]] = {}

    def from_header(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        type_, header = container["element.type"], container[container.defining]
        key = (folder, header, type_)
        if key not in self._found and not self.unavailable:
            path = typelock.lock_path(folder, type_)
            before = typelock.read(path, Diagnostics()) if os.path.isfile(path) else None
            try:
                self._found[key] = self.importer.read(type_, header, folder, container.span_of("element.type"),
                                                      container.span_of(container.defining), diagnostics, before)
            except Unavailable as error:
                self.unavailable = str(error)
        info = self._found.get(key)
        if info is not None:
            self.read.setdefault(typelock.lock_path(folder, type_), (container, info))
        return info


class Anew(_Reading):
    """For `type import`: what the headers say, whatever the locks do. only_known: of types without a lock only those whose
    members are needed."""

    def __init__(self, importer: Importer, only_known: bool = False):
        super().__init__(importer)
        self.only_known = only_known

    def find(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        if not importable(container):
            return None
        path = typelock.lock_path(folder, container["element.type"])
        if self.only_known and not os.path.lexists(path) and not needs_members(container):
            return None
        return self.from_header(container, folder, diagnostics)


class Compared(_Reading):
    """For `check --types` and `generate --types`: the locks, but where a header says something else it has the last word. A
    type without a lock is read where its members are needed."""

    def __init__(self, importer: Importer):
        super().__init__(importer)
        self.locks: Dict[str, TypeInfo] = {}  # by path, those that were compared

    def find(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        before = diagnostics.errors
        lock = super().find(container, folder, diagnostics)
        if diagnostics.errors != before or not importable(container) or (lock is None and not needs_members(container)):
            return lock
        info = self.from_header(container, folder, diagnostics)
        if info is None or lock is None:
            return info or lock
        self.locks[lock.path] = lock
        chosen = info if differences(lock, info) else lock
        return dataclasses.replace(chosen, path=lock.path, span=lock.span, inputs=info.inputs)

    def differing(self) -> Iterator[Tuple[str, Container, List[str]]]:
        """The locks that headers no longer agree with: path, for whom, and what is different."""
        for path, lock in self.locks.items():
            container, info = self.read[path]
            lines = differences(lock, info)
            if lines:
                yield path, container, lines
