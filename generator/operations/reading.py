"""Readers: passes over a const container."""

from __future__ import annotations

from dataclasses import replace

from ..language.costs import CONSTANT, Cost
from ..parts.container_parts import Parts
from ..text.sentences import sentence, sentences
from ..text.units import where
from .costs import Costs
from .operation import Add, Operation


def over_const(p: Parts, of: Costs, getter: Operation) -> Operation:
    """The form of a getter that takes a const container and gives a const element. Where elements are a part of the container,
    it does what the other one does, since that takes no const container."""
    other = p.T[getter.name]
    params = ", ".join(name for _, name in getter.params)
    same = of.reading == of.const_me
    return replace(getter, name=f"{getter.name}_const", result=p.readers.ref, params=[of.const_me, *getter.params[1:]],
                   brief=f"As {other}, of a const container.", inline=same or getter.inline, of=getter.name,
                   call=f"{other}({params})" if same else "")


def readers(p: Parts, op: Add, of: Costs) -> None:
    """Passes that write nothing."""
    T, cursor = p.T, (f"{p.T.const_cursor} *", "cursor")
    for name, loop, way in p.readers.begins:
        op(name, T.const_cursor, [of.const_me],
           sentences(sentence("Begins a reader", way, where(p.TT[loop], f", as {p.TT[loop]} does"),
                              ": a pass that writes nothing and need not be ended"), p.order.read),
           body=("readers", name[:-len("_const")]), inline=True)
    ended = f"The next element of a reader, or {p.nil} at its end, or if the container has been changed since it began: with " \
        "BESPOKE_CHECKS that is misuse."
    if p.readers.skips_expired:
        op("step_const_", p.readers.ref, [cursor], f"As {T.next_const}, with expired elements.", CONSTANT, "nothing",
           ("readers", "next"))
    op("next_const", p.readers.ref, [cursor], sentences(ended, "Skips expired elements." * p.readers.skips_expired),
       Cost(amortised=p.readers.skips_expired or p.removal.bitmap and not p.removal.linked), "nothing",
       ("readers", "next_live" if p.readers.skips_expired else "next"), inline=not p.readers.skips_expired)
    op("was_changed_const", "bool", [(f"const {T.const_cursor} *", "cursor")],
       "Has the container been changed since the reader began?", body=("readers", "was_changed"), inline=True)
