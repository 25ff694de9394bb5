"""Headers of handles (`emit.handles_header`): what they will declare follows from specs, so that headers of elements, which
include them, can be read before they are written."""

import os
from typing import Dict, List, NamedTuple, Optional

from ..text.diag import Diagnostics
from ..text.filekinds import HANDLES
from ..text.files import there
from .element_types import LockUsers
from .model import Container
from .resolve import read_spec


def integer_of(bits: int) -> str:
    """The smallest type of so many bits."""
    return f"uint{8 if bits <= 8 else 16 if bits <= 16 else 32}_t"


def _widths(container: Container) -> Dict[str, int]:
    """The members of a handle, in bits."""
    names = ("index", "generation") if container["handles.kind"] == "generational" else ("index",)
    return {name: container[f"handles.{name}_bits"] for name in names}


def handle_is_split(container: Container) -> bool:
    """Are index and generation bit-fields? Unless each fills its type."""
    widths = _widths(container)
    return len(widths) > 1 and not {8, 16, 32}.issuperset(widths.values())


def handle_members(container: Container) -> List[str]:
    """The members of a handle, as C declares them."""
    split = handle_is_split(container)
    return [f"uint32_t {name} : {bits};" if split else f"{integer_of(bits)} {name};" for name, bits in _widths(container).items()]


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
