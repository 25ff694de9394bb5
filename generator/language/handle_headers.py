"""Headers of handles (`emit.handles_header`): what they will declare follows from specs, so that headers of elements, which
include them, can be read before they are written."""

import os
from typing import List, NamedTuple, Optional

from ..text.diag import Diagnostics
from ..text.filekinds import HANDLES
from ..text.files import there
from .element_types import LockUsers
from .model import Container
from .resolve import read_spec


def integer_of(bits: int) -> str:
    """The smallest type of so many bits."""
    return f"uint{8 if bits <= 8 else 16 if bits <= 16 else 32}_t"


def handle_members(container: Container) -> List[str]:
    """The members of a handle, as C declares them: bit-fields, unless each fills its type."""
    generational = container["handles.kind"] == "generational"
    widths = {"index": container["handles.index_bits"]}
    if generational:
        widths["generation"] = container["handles.generation_bits"]
    if not generational or all(bits in (8, 16, 32) for bits in widths.values()):
        return [f"{integer_of(bits)} {name};" for name, bits in widths.items()]
    return [f"uint32_t {name} : {bits};" for name, bits in widths.items()]


class HandlesHeader(NamedTuple):
    """A header that a spec gives: its text for whoever reads headers, and the files that this follows from."""

    text: str
    inputs: List[str]


def handles_header(name: str, folder: str) -> Optional[HandlesHeader]:
    """The header of this name, if a spec of the folder gives it. What else is wrong with the spec does not matter."""
    stem = os.path.basename(name)[:-len(HANDLES)]
    for path in (os.path.join(folder, stem + ending) for ending in (".yaml", ".yml")):
        if not name.endswith(HANDLES) or not there(path, folder, os.path.isfile):
            continue
        resolved = read_spec(path, Diagnostics(), LockUsers())
        containers = [] if resolved is None else resolved.spec.containers + [each.container for each in resolved.unsound]
        types = [_declaration(each.layer or each) for each in containers if each["emit.handles_header"]]
        if types and resolved is not None:
            guard = "".join(letter if letter.isalnum() else "_" for letter in stem).upper() + "_HANDLES_READ_H"
            return HandlesHeader("\n".join([f"#ifndef {guard}", f"#define {guard}", "#include <stdint.h>", *types, "#endif",
                                            ""]), resolved.spec.inputs)
    return None


def _declaration(container: Container) -> str:
    name = container.type_of("handle")
    return f"typedef struct {name} {{ {' '.join(handle_members(container))} }} {name};"
