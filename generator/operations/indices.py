"""What is done by indices, where the order defines them: elements are replaced, and removed together."""

from __future__ import annotations

from ..parts.container_parts import Parts
from ..text.sentences import sentence, sentences
from .costs import Costs
from .operation import Add


def indices(p: Parts, op: Add, of: Costs) -> None:
    """What stands at an index is replaced or removed."""
    if p.removal.removes_ranges:
        op("remove_range", of.status, [of.me, (p.size, "index"), (p.size, "count")],
           sentences("Removes `count` elements from this index on. Returns ABSENT, and removes none, if the container ends "
                     "before.",
                     p.passes.clear_words), p.removal.range_cost, p.removal.range_invalidated, ("indices", "remove_range"),
           statuses=("ABSENT",))
    if not p.order.replaces_places:
        return
    by_pointer, hooked, unique = p.element.by_pointer, p.removal.notifies_each, p.adding.unique
    op("replace_at", of.status, [of.me, (p.size, "index"), (p.item, "element")],
       sentences("Replaces the element at this index.",
                 sentence(f"Returns ABSENT if `index` is {p.T.count} or more", ", or the element there is being removed" * hooked,
                          ", DUPLICATE if an equal element is at another index" * unique,
                          ", FULL if it is too heavy instead of that one" * p.weight.any),
                 "OK, and nothing happens, if it is there already." * by_pointer, p.passes.replaced,
                 "The add hook is called before those of the removal." * (hooked and p.hooks["add"] is not None),
                 p.element.owned_after_failure),
       p.adding.checking, "the replaced element" if p.element.by_value else "nothing", ("indices", "replace_at"),
       statuses=("ABSENT",) + ("DUPLICATE",) * unique + ("FULL",) * p.weight.any)
