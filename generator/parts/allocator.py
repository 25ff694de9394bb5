"""Where memory comes from."""

from __future__ import annotations

from typing import Any, Dict

from ..language.strategies import allocates
from ..text.naming import yours
from .part import Part


class Allocator(Part):
    axis = "allocator"
    custom = False  # with a context, which T_init is given
    plain = False  # functions like those of the library
    calls_malloc = False  # the functions of the library are called
    declared = False  # the source declares the functions

    @property
    def functions(self) -> Dict[str, Any]:
        """Names of the functions of the user: alloc, realloc, free."""
        return {name: given and yours(given) for name in ("alloc", "realloc", "free") for given in [self.c[f"allocator.{name}"]]}


class Stdlib(Allocator):
    name = "stdlib"

    @property
    def calls_malloc(self) -> bool:
        return allocates(self.c)


class Custom(Allocator):
    name = "custom"
    custom = True
    declared = True


class Plain(Allocator):
    name = "plain"
    plain = True

    @property
    def declared(self) -> bool:
        return self.c["allocator.header"] is None


def choose(parts: Any) -> Allocator:
    return {"stdlib": Stdlib, "custom": Custom, "plain": Plain}[parts.container["allocator.kind"]](parts)
