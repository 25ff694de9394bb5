"""Where memory comes from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, List, Sequence, Tuple

from ..language.strategies import allocates
from ..text.naming import marked
from .callbacks import Callback, called_by
from .part import Part

_CONTEXT, _BLOCK = ("void *", "context"), ("void *", "block")


class Allocator(Part):
    axis = "allocator"
    custom = False  # with a context, which T_init is given
    plain = False  # functions like those of the library
    calls_malloc = False  # the functions of the library are called
    declared = False  # the source declares the functions
    context: Sequence[Tuple[str, str]] = ()  # what T_init is given: types and names
    initialises = "Initialises an empty container, as zero-initialising it does."  # what T_init does, as a sentence

    _parameters: Dict[str, Sequence[Tuple[str, str]]] = {}  # of the functions of the user

    @property
    def functions(self) -> SimpleNamespace:
        """Names of the functions of the user: alloc, realloc, free."""
        return SimpleNamespace(**{name: marked(self.c[f"allocator.{name}"]) for name in self._parameters})

    @property
    def calls(self) -> SimpleNamespace:
        """What calls each of them."""
        return SimpleNamespace(**{name: called_by(self.parts, self.c[f"allocator.{name}"]) for name in self._parameters})

    def callbacks(self) -> List[Callback]:
        return [Callback(str(self.c[f"allocator.{name}"]), "void" if name == "free" else "void *", tuple(parameters))
                for name, parameters in self._parameters.items()]


class Stdlib(Allocator):
    name = "stdlib"

    @property
    def calls_malloc(self) -> bool:
        return allocates(self.c)


class Custom(Allocator):
    name = "custom"
    custom = True
    declared = True
    initialises = "Initialises an empty container whose memory comes from the allocator with this context."
    _parameters = {"alloc": [_CONTEXT, ("size_t", "bytes")],
                   "realloc": [_CONTEXT, _BLOCK, ("size_t", "old_bytes"), ("size_t", "new_bytes")],
                   "free": [_CONTEXT, _BLOCK, ("size_t", "bytes")]}

    @property
    def context(self) -> Sequence[Tuple[str, str]]:  # type: ignore[override]
        return (_CONTEXT if self.parts.kept_context is None else ("void *", "memory"),)


class Plain(Allocator):
    name = "plain"
    plain = True
    _parameters = {"alloc": [("size_t", "bytes")], "realloc": [_BLOCK, ("size_t", "bytes")], "free": [_BLOCK]}

    @property
    def declared(self) -> bool:
        return self.c["allocator.header"] is None


def choose(parts: Any) -> Allocator:
    return {"stdlib": Stdlib, "custom": Custom, "plain": Plain}[parts.container["allocator.kind"]](parts)
