"""Passes that begin anywhere, that follow another one, and over pairs of elements. A container has them if its spec names one."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR, Cost
from ..parts.container_parts import Parts
from ..text.sentences import sentence, sentences
from .costs import Costs
from .operation import Add


def anywhere(p: Parts, op: Add, of: Costs) -> None:
    """What begins a pass elsewhere than at an end, and what goes on with it."""
    if not p.passes.anywhere:
        return
    for name, _, way in p.passes.begins:
        _at(p, op, of, name, way)
    op("begun_", p.T.cursor, [(p.T.cursor, "cursor")],
       f"For {p.TT.EACH_FROM}: the cursor of a loop is no result of a call, so it is in no memory.",
       body=("anywhere", "begun"), inline=True)
    if p.passes.finds_current:
        op("current", p.ref, [(f"const {p.T.cursor} *", "cursor")],
           f"Returns the element that the pass stands on; {p.nil} if there is none: it has not begun to visit, has ended, or the "
           "element has been removed.", body=("anywhere", "current"))
    if p.passes.alone:
        return
    op("begin_after", p.T.cursor, [of.cursor],
       sentences("Begins a pass of what another one has still to visit.", p.passes.beyond,
                 "To call it for a pass that is over is misuse."),
       p.passes.following, "nothing", ("anywhere", "begin_after"))
    op("over_", p.T.cursor, [(p.T.cursor, "cursor")], f"For {p.TT.EACH_PAIR}: that of a pass that is over.",
       body=("anywhere", "over"), inline=True)
    op("next_pair", "bool", [of.cursor, (f"{p.ref} *", "a"), (f"{p.T.cursor} *", "inner"), (f"{p.ref} *", "b")],
       sentence(f"For {p.TT.EACH_PAIR}: the next two elements; false if there are none. `inner` is the cursor of a pass behind "
                "`*a`"),
       Cost(amortised=True) if p.passes.following == CONSTANT else p.passes.following, "nothing", ("anywhere", "next_pair"))


def _at(p: Parts, op: Add, of: Costs, begins: str, way: str) -> None:
    """A pass begins at an element, by whatever names it."""
    before = LINEAR if p.passes.removes and p.removal.linked and p.passes.knows_before else CONSTANT
    handle = p.handles.given
    ways = [("at", (p.T.handle, "handle") if handle else p.sought, "that this handle names" if handle
             else f"of this {p.element.named}" if p.element.rows else "at this address",
             CONSTANT if handle else p.lookup.locating())]
    if p.removal.dense:
        ways.append(("at_index", (p.size, "index"), "at this index", CONSTANT))
    if p.lookup.finds_key:
        ways.append(("at_key", None, "with this key", of.finding))
    for name, param, which, cost in ways:
        brief = f"Begins a pass{way} at the element {which}, which it visits first" if name == "at" \
            else f"As {p.T[begins + '_at']}, at the element {which}"
        op(f"{begins}_{name}", p.T.cursor, [of.me, *([param] if param else p.key.params)],
           sentences(brief + "." if name != "at" else brief + "; if there is none, at the end.",
                     *([p.when.locks, p.passes.beyond, "It does not sort." * p.order.sorts_at_begin] if name == "at" else ())),
           cost + p.passes.setting_out + before, "nothing", ("anywhere", f"{begins}_{name}"))
