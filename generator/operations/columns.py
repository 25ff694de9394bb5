"""Loops over the columns of a structure of arrays."""

from __future__ import annotations

from ..language.costs import CONSTANT
from ..parts.container_parts import Parts
from ..types.declare import constant, pointer_to
from .operation import Add


def columns(p: Parts, op: Add) -> None:
    """Loops over columns, and access to one row."""
    T, slots = p.T, p.removal.kept
    me, const_me, row = (f"{T} *", "list"), (f"const {T} *", "list"), (p.size, "row")
    if p.removal.bitmap:
        op("rows", p.size, [const_me], "All elements are in rows below this one. Rows without an element "
           "contain old values or zeros; loops may compute on them, up to the next multiple of 64.", body=("rows", "rows"),
           inline=True)
        op("occupied", "uint64_t", [const_me, (p.size, "word")],
           "Which of the 64 rows from 64 * word on have an element: bit r for row 64 * word + r."
           + (" They are those of chunk `word`." if p.storage.chunk == 64 else ""),
           body=("rows", "occupied"), inline=True)
        op("masks", "void", [const_me, (p.size, "word"), ("uint32_t", "masks[64]")],
           "The same for a loop that compilers turn into vector instructions: masks[r] has all bits set if row "
           "64 * word + r holds an element, else none.", body=("rows", "masks"), inline=True)
    else:
        op("rows", p.size, [me if slots.gap else const_me], "The number of rows, equal to the number of elements"
           + ("; closes the gap of a live pass first, so call it before loops over columns." if slots.gap else "."),
           p.removal.apart.cost if p.removal.apart else CONSTANT, "all rows, if it compacts" if slots.gap else "nothing",
           ("rows", "rows"), inline=not slots.gap)
        if slots.gap:
            op("const_rows", p.size, [const_me], f"As {T.rows}, for reading; 0 while a live pass has a gap open.",
               body=("rows", "const_rows"), inline=True)
    if p.storage.chunk:
        op("lanes", p.size, [const_me, (p.size, "number")], "All elements of a chunk are in its rows below this one, "
           "counted from its first. The others contain old values or zeros: a loop over a whole chunk, whose "
           f"length is {p.TT.CHUNK}, may compute on them.", body=("rows", "lanes"), inline=True)
    for member in p.element.lanes if p.storage.chunk else ():
        op(member.name, pointer_to(member.type), [me, (p.size, "number")],
           f"{p.element.in_column(member, True)} of the {p.TT.CHUNK} rows of a chunk, of which row r is at r % {p.TT.CHUNK} in "
           f"chunk r / {p.TT.CHUNK}. They stay where they are until the container shrinks. NULL if `number` is {T.chunk_count} "
           "or more.",
           body=("rows", "lane"), inline=True, column=member.name)
        op(f"const_{member.name}", pointer_to(constant(member.type)), [const_me, (p.size, "number")],
           "The same, for reading.", body=("rows", "lane"), inline=True, column=member.name)
    for member in p.element.lanes if not p.storage.chunk else ():
        op(member.name, pointer_to(member.type), [me], f"The column of {p.element.in_column(member)}: "
           f"{T[member.name]}(list)[row] is that of one element. It stays where it is until the container grows or shrinks.",
           body=("rows", "column"), inline=True, column=member.name)
        op(f"const_{member.name}", pointer_to(constant(member.type)), [const_me], "The same, for reading.",
           body=("rows", "column"), inline=True, column=member.name)
    op("load", p.E, [const_me, row], "A copy of the element of this row, gathered from its columns.", body=("rows", "load"),
       inline=True)
    keyed = " Its key must stay the same." if p.index.kind == "hash" else ""
    op("store", "void", [me, row, (p.E, "element")], "Sets every member of the element of this row." + keyed,
       body=("rows", "store"), inline=True, fills=True)
