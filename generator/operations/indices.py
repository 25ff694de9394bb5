"""What is done by indices, where the order defines them: elements are replaced, and removed together."""

from __future__ import annotations

from ..parts.container_parts import Parts
from .costs import CONSTANT, Cost, Costs
from .operation import Add


def indices(p: Parts, op: Add, of: Costs) -> None:
    """What stands at an index is replaced or removed."""
    if p.removal.removes_ranges:
        moved = of.remove_moves.replace("element and", "elements and").replace("after it", "after them")
        op("remove_range", of.status, [of.me, (p.size, "index"), (p.size, "count")],
           f"Removes `count` elements from this index on. Returns ABSENT, and removes none, if the container ends before. {'Live passes visit none of them again' if p.passes.removes else 'Ends live passes'}.",
           Cost("n", ": shifts the shorter side" if p.order.queue else ": shifts the elements after them"), moved, ("indices", "remove_range"), statuses=("ABSENT",))
    if p.order.replaces_places:
        owner = " After a failure the caller still owns it." if p.element.by_pointer else ""
        searched = Cost("n", ": searches duplicates") if p.adding.unique else CONSTANT
        being = ", or the element there is being removed" if p.removal.notifies_each else ""
        passes = "A pass that has visited the old element does not visit the new one." if p.passes.removes else "Ends live passes."
        same = " OK, and nothing happens, if it is there already." if p.element.by_pointer else ""
        hooked = " The add hook is called before those of the removal." if p.hooks["add"] is not None and p.removal.notifies_each else ""
        op("replace_at", of.status, [of.me, (p.size, "index"), (p.item, "element")],
           f"Replaces the element at this index. Returns ABSENT if `index` is {p.T.count} or more{being}"
           + (", DUPLICATE if an equal element is at another index." if p.adding.unique else ".") + same + f" {passes}" + hooked + owner,
           searched, "the replaced element" if p.element.by_value else "nothing", ("indices", "replace_at"),
           statuses=("ABSENT",) + ("DUPLICATE",) * p.adding.unique)
