"""What the elements weigh together."""

from __future__ import annotations

from ..language.costs import CONSTANT
from ..parts.container_parts import Parts
from ..text.sentences import sentence, sentences
from .costs import Costs
from .operation import Add


def weights(p: Parts, op: Add, of: Costs) -> None:
    """The sum of the weights, and what is to be called when one has changed."""
    if not p.weight.any:
        return
    TT, handle = p.TT, p.handles.given
    told = f"`{p.weight.of}` of each" if p.weight.of.is_function else f"`{p.weight.of}`"
    op("weight", "uint64_t", [of.const_me],
       f"Returns the sum of the weights of all elements ({told}). It is at most {TT.MAX}, unless {p.T.reweigh} has returned "
       "FULL.",
       body=("weights", "weight"), inline=True)
    gone, evicts = "STALE" if handle else "ABSENT", p.adding.overwrites
    kept = " that are not kept" * (p.adding.kept is not None)
    op("reweigh", of.status, [of.me, (p.T.handle, "handle") if handle else p.sought, ("uint64_t", "old_weight")],
       sentences("Reports that the weight of an element was changed from `old_weight` to what it is now.",
                 sentence("Call it before any other function", ", from an update hook, too" * (p.hooks["update"] is not None)),
                 f"If the sum is then more than {TT.MAX}, removes elements{kept}, the first one first, until it is not: the "
                 "element itself, too, when it is the first of them." * evicts,
                 f"Returns {gone} if it is not in the container, and FULL if the sum is {'still' if evicts else 'now'} more than "
                 f"{TT.MAX}: adds are refused until it is not."),
       (CONSTANT if handle else p.lookup.locating()) + (p.weight.making_way if evicts else CONSTANT),
       sentence(p.removal.invalidated, ", for each that makes way") if evicts and p.element.by_value else "nothing",
       ("weights", "reweigh"), statuses=(gone, "FULL"))
