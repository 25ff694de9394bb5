"""Where memory comes from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, List, Sequence, Tuple

from ..language.strategies import allocates
from ..language.values import LIBRARY_ALLOCATOR
from ..text.naming import marked
from .callbacks import Callback, called_by
from .part import Part

Parameters = Sequence[Tuple[str, str]]  # types and names


class Allocator(Part):
    axis = "allocator"
    custom = False  # with a context, which T_init is given
    plain = False  # functions of the user without one
    calls_malloc = False  # functions of the library are called
    declared = False  # the source declares the functions
    resizes = True  # there is one for it
    takes_sizes = False  # what frees a block gets its bytes
    aligns = False  # they take the alignment
    never_fails = False  # none of them returns NULL
    context: Parameters = ()  # what T_init is given
    parameters: Dict[str, Parameters] = {}  # of the functions of the user: alloc, realloc, free
    initialises = "Initialises an empty container, as zero-initialising it does."  # what T_init does, as a sentence

    @property
    def written(self) -> Dict[str, Parameters]:
        """The parameters of those that are not of the library."""
        return {name: parameters for name, parameters in self.parameters.items()
                if self.c[f"allocator.{name}"] != LIBRARY_ALLOCATOR[f"allocator.{name}"]}

    @property
    def functions(self) -> SimpleNamespace:
        """Names of the functions of the user."""
        return SimpleNamespace(**{name: marked(self.c[f"allocator.{name}"]) for name in self.parameters})

    def callbacks(self) -> List[Callback]:
        return [Callback(str(self.c[f"allocator.{name}"]), "void" if name == "free" else "void *", tuple(parameters))
                for name, parameters in self.written.items()]

    def call(self, name: str, **values: str) -> str:
        """One of them with these values of its parameters."""
        values.update(context="list->memory", alignment=str(self.TT.ALIGNS_))
        words = ", ".join(values[word] for _, word in self.parameters[name])
        function = self.c[f"allocator.{name}"]
        return f"{called_by(self.parts, function) if name in self.written else function}({words})"


class Stdlib(Allocator):
    name = "stdlib"

    @property
    def calls_malloc(self) -> bool:
        return allocates(self.c)


class Given(Allocator):
    """Functions of the user, with the parameters that the spec chooses."""
    name = "given"

    @property
    def custom(self) -> bool:  # type: ignore[override]
        return bool(self.c["allocator.kind"] == "custom")

    @property
    def plain(self) -> bool:  # type: ignore[override]
        return not self.custom

    @property
    def declared(self) -> bool:  # type: ignore[override]
        return self.custom or self.c["allocator.header"] is None

    @property
    def calls_malloc(self) -> bool:  # type: ignore[override]
        return len(self.written) < len(self.parameters)

    @property
    def resizes(self) -> bool:  # type: ignore[override]
        return self.c["allocator.realloc"] is not None

    @property
    def takes_sizes(self) -> bool:  # type: ignore[override]
        return bool(self.c["allocator.sizes"])

    @property
    def aligns(self) -> bool:  # type: ignore[override]
        return bool(self.c["allocator.aligned"])

    @property
    def never_fails(self) -> bool:  # type: ignore[override]
        return bool(self.c["allocator.never_fails"])

    @property
    def initialises(self) -> str:  # type: ignore[override]
        return "Initialises an empty container whose memory comes from the allocator with this context." if self.custom \
            else Allocator.initialises

    @property
    def context(self) -> Parameters:  # type: ignore[override]
        return [("void *", "context" if self.parts.kept_context is None else "memory")] * self.custom

    @property
    def parameters(self) -> Dict[str, Parameters]:  # type: ignore[override]
        sized = self.takes_sizes
        first, last = [("void *", "context")] * self.custom, [("size_t", "alignment")] * self.aligns
        block, size = ("void *", "block"), ("size_t", "bytes")
        resized = [("size_t", "old_bytes"), ("size_t", "new_bytes")] if sized else [size]
        return {"alloc": [*first, size, *last],
                **({"realloc": [*first, block, *resized, *last]} if self.resizes else {}),
                "free": [*first, block, *[size] * sized]}


def choose(parts: Any) -> Allocator:
    return (Stdlib if parts.container["allocator.kind"] == "stdlib" else Given)(parts)
