"""Which containers keep values beside some of their elements, and which values."""

import re

from ..text.identifiers import is_built_in
from .check import Check, header_of
from .model import SpecField

# What has no such values: a value of a key, and why.
_WITHOUT = (
    ("capacity.inline", "they are allocated as they are set, and an inline container allocates nothing"),
)


def sides(check: Check) -> None:
    """Values by handles, of types that can be assigned."""
    c = check.c
    if c["side"] is None:
        return
    if c["layers.handles"] == "shared":
        at, other = check.blame("side", "layers.handles")
        check.conflict("BSP0268", "no values can be beside the elements: each layer has those of its own elements, and an "
                       "element that keeps its handle in another layer would be without", at, other,
                       help=check.use(("layers.handles", "own"), otherwise="leave out layers.handles"))
        return
    for path, why in _WITHOUT:
        if c[path]:
            at, other = check.blame("side", path)
            check.conflict("BSP0268", f"no values can be beside the elements: {why}", at, other,
                           help=f"leave out side, or {path}")
            return
    for each in c["side"]:
        _type(check, each)


def _type(check: Check, each: SpecField) -> None:
    """The type of a value."""
    kind = each.type
    if "[" in kind:
        check.conflict("BSP0268", f"'{kind}', the type of '{each.name}', is an array, which cannot be assigned", "side",
                       span=each.span, help="a struct may have it as a member")
    elif check.c["element.header"] is None and check.c["emit.header"] is None and not is_built_in(kind) \
            and kind != check.c.type_of("handle") and not re.fullmatch(r"(const )?(struct|union) \w+ ?(const ?)?\*+", kind):
        check.conflict("BSP0308", f"'{kind}', the type of '{each.name}', is no built-in type, so 'element.header' is needed",
                       "side", about=("element.header", "element.type"), span=each.span,
                       help=f"say where it is declared: `element: {{header: {header_of(kind)}, ...}}`")
