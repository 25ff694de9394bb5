"""What handles are compared with, and what of them a file or a script holds."""

from __future__ import annotations

from ..parts.container_parts import Parts
from .costs import Costs
from .operation import Add


def handles(p: Parts, op: Add, of: Costs) -> None:
    """A handle is compared, is that of no element, and is put into one number."""
    if not p.handles.given:
        return
    handle, number = p.T.handle, f"uint{p.handles.packed_bits}_t"
    op("handle_none", handle, [], "Returns the handle that names no element.", body=("handles", "handle_none"), inline=True)
    op("handle_equal", "bool", [(handle, "a"), (handle, "b")],
       "Are two handles of one container the same? " + ("A stale one equals none of an element." if p.handles.generational
                                                        else "An old one may equal that of a later element."),
       body=("handles", "handle_equal"), inline=True)
    op("handle_pack", number, [(handle, "handle")], "Returns a handle as one number, for a script or a file; 0 for that of no "
                                                    "element.", body=("handles", "handle_pack"), inline=True)
    op("handle_unpack", handle, [(number, "number")], f"Returns the handle that {p.T.handle_pack} has made this number of.",
       body=("handles", "handle_unpack"), inline=True)
