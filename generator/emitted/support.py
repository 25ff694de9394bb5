"""What all containers share: macros for compilers (lib/support.j2), and plain C in templates/support, a file for each subject.

A file defines what others call by its name, and its own guard. It is printed into `bespoke.h`; where a spec has none, into
what uses it: structs and what inline functions call into the header, the rest into the source.
"""

import os
import re
from functools import lru_cache
from typing import NamedTuple, Tuple

from ..text.project import read_own, template_root

# Of lib/support.j2, in their order.
MACROS = ("holds", "alignment", "misuse", "inline", "likely", "in_memory", "exists", "rarely", "in_run", "nothrow", "prefetch",
          "closes")
ATTRIBUTES = ("nodiscard", "lifetimebound")  # before, and in, declarations of functions
STRUCTS = ("live_passes", "group")  # of which containers have members
# In an order in which each stands behind what it calls.
IN_HEADERS = ("lowest_bit", "bits", "sets", "chunks", "passes", "passes_used", "search", "groups", "groups_sum")
TRACING = ("trace", "trace_calls", "traced_calls")  # in headers of traced containers only, and not in `bespoke.h`
IN_SOURCES = ("poison", "ready", "siphash", "folded", "chaos")

_DEFINED = re.compile(r"^(?:#define (BESPOKE_\w+)|(?:static inline|BESPOKE_\w+) [\w *]*?\b(bespoke_\w+)\("
                      r"|(?:typedef )?struct (bespoke_\w+) \{)", re.M)


class Piece(NamedTuple):
    """One of these files."""

    text: str
    names: Tuple[str, ...]  # that it defines


@lru_cache(maxsize=None)
def piece(name: str) -> Piece:
    """A file of templates/support."""
    text = read_own(os.path.join(template_root(), "support", f"{name}.h")).decode("utf-8").replace("\r\n", "\n").rstrip("\n")
    return Piece(text, tuple(dict.fromkeys(found[found.lastindex or 0] for found in _DEFINED.finditer(text))))
