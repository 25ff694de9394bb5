"""Rules of the functions that allocate memory."""

from __future__ import annotations

from .check import Check
from .strategies import allocates, in_memory
from .values import LIBRARY_ALLOCATOR
from ..text.sentences import enumerated

# By what functions of the library have fewer parameters than they would need: key, value, functions, what these take.
_TAKE_MORE = (("allocator.kind", "custom", ("allocator.alloc", "allocator.realloc", "allocator.free"), "a context"),
              ("allocator.sizes", True, ("allocator.realloc", "allocator.free"), "the size of a block"),
              ("allocator.aligned", True, ("allocator.alloc", "allocator.realloc"), "an alignment"))


def allocator(check: Check) -> None:
    c = check.c
    if c["allocator.kind"] == "stdlib":
        return
    paths = ("allocator.alloc", "allocator.free")
    missing = [path for path in paths if c[path] is None]
    if missing and not check.spoilt & set(paths):
        given = next((path for path in (*paths, "allocator.realloc") if c[path] is not None), "allocator.kind")
        check.conflict("BSP0223", "an allocator of yours has at least two functions; "
                      + enumerated([f"'{path}'" for path in missing]) + (" are" if missing[1:] else " is")
                      + " missing", given,
                      help="`allocator: {alloc: my_alloc, realloc: my_realloc, free: my_free}`; the first parameter of each is "
                           "the context" if c["allocator.kind"] == "custom" else
                           "`allocator: {kind: plain, alloc: my_malloc, realloc: my_realloc, free: my_free}`")
    elif not check.spoilt & set(LIBRARY_ALLOCATOR):
        _of_library(check)


def _of_library(check: Check) -> None:
    """Some of the functions may be those of the library: programs check what malloc returns, and call free itself."""
    c = check.c
    given = [path for path in LIBRARY_ALLOCATOR if c[path] is not None]
    library = [path for path in given if c[path] == LIBRARY_ALLOCATOR[path]]
    if library == given:
        check.conflict("BSP0223", "these are the functions that are called where there is no `allocator`", "allocator.free",
                       help="leave it out, or give functions of yours")
        return
    for path in library:
        for at, value, functions, what in _TAKE_MORE:
            if c[at] == value and path in functions:
                check.conflict("BSP0223", f"{c[path]} of the library does not take {what}", path, at,
                               help="give a function of yours" + ", or use `kind: plain`" * (value == "custom"))
                return
    if library and c["emit.freestanding"]:
        check.conflict("BSP0230", f"{c[library[0]]} is a function of the C library", library[0], "emit.freestanding",
                       help="give a function of yours")


def freestanding(check: Check) -> None:
    """Where there is no library, there is no allocator but one of the spec's."""
    c = check.c
    if c["emit.freestanding"] and c["allocator.kind"] == "stdlib" and allocates(c):
        at, other = check.blame("emit.freestanding", "allocator.kind")
        what = "the elements are stored in memory" if in_memory(c) else "pending changes are stored in memory" \
            if c["removal.when"] != "immediate" \
            else "the merge sort of T_begin uses memory"
        check.conflict("BSP0230", f"malloc is a function of the C library, and {what} that must be allocated", at, other,
                      help=["name an allocator: `allocator: {alloc: my_alloc, realloc: my_realloc, free: my_free}`"]
                      + (["or allocate nothing: `capacity: {inline: true, max: 64}`"]
                         if in_memory(c) else []),
                      about=("capacity.inline", "element.by", "removal.when"))
