"""The removal policies: one record each, and nothing about them anywhere else.

The record says what a policy keeps of the contract (`rules.py` compares a container with it), which template part
prints it, what kind of storage it makes of the slots, and what its calls cost. The language (`schema.py`), the rules
and the plan all read it from here.
"""

from dataclasses import dataclass, field
from typing import Any, Dict, FrozenSet, Tuple


def _set(*values: str) -> FrozenSet[str]:
    return frozenset(values)


_ANY_ORDER = _set("unordered", "insertion")
_MOVES = {"addresses": "it moves elements", "handles.kind": "a handle names a slot, and elements change their slots"}
_AT_ONCE = {"removal.when": "slots must keep their element until the journal is replayed"}
_GAP = ("O(1) for the element that the only live pass stands on, else O(n)", "elements may move, until the gap is closed")


@dataclass(frozen=True)
class Policy:
    """One way in which elements leave.

    What it keeps of the contract: the values of other axes it works with, and why it does not with the rest.
    """

    doc: str
    part: str  # templates/parts/removal/<part>.j2
    passes: str  # templates/parts/passes/<passes>.j2: what must be known of a live pass
    cost: str  # of a removal whose slot is known
    moves: str  # what it does to the addresses of other elements held by value
    ordering: FrozenSet[str] = _ANY_ORDER
    index: FrozenSet[str] = _set("none")
    handles: FrozenSet[str] = _set("none")
    when: FrozenSet[str] = _set("immediate")
    addresses: FrozenSet[str] = _set("moving")  # of elements held by value
    inline: bool = True
    expired: str = "no"  # a predicate: 'no', 'may', 'must'
    why: Dict[str, str] = field(default_factory=dict)
    # What it makes of the slots.
    bitmap: bool = False  # live slots are told by a bitmap; else they are the first ones
    gap: bool = False  # but for one gap, while a pass is live
    dead: bool = False  # slots of elements that left stay behind, until they are squeezed out
    reorders: bool = False  # a removal moves an element past others
    lone_pass: bool = True  # one cursor that removes only what it stands on needs no record in the container
    updates: bool = False  # it has T_update

    def allows(self, path: str, value: Any) -> bool:
        axis = {"ordering": self.ordering, "index.kind": self.index, "handles.kind": self.handles,
                "removal.when": self.when, "addresses": self.addresses}.get(path)
        return axis is None or value in axis

    @property
    def tightens(self) -> bool:
        """Is there storage to tighten when no pass is live?"""
        return self.gap or self.dead


POLICIES: Dict[str, Policy] = {
    "shift": Policy(
        "The elements behind it move up at once.", "shift", "tracked",
        "O(n): the elements behind move up", "elements behind the one that leaves move",
        why={**_MOVES, **_AT_ONCE, "index.kind": "every removal would renumber all elements behind it"}),
    "swap": Policy(
        "The last element takes its place; every live pass stays exact.", "swap", "tracked",
        "O(1)", "the last element moves; with live passes, one more for each",
        ordering=_set("unordered"), index=_set("none", "hash", "intrusive"), reorders=True,
        why={**_MOVES, **_AT_ONCE, "ordering": "the last element takes the place of the one that leaves"}),
    "compact": Policy(
        "A gap stays where it was, carried along by the pass and closed when the pass is over.", "gap", "tracked",
        *_GAP, gap=True,
        why={**_MOVES, **_AT_ONCE, "index.kind": "every pass would renumber the elements it carries"}),
    "prune": Policy(
        "T_update asks every element whether it has `expired` and closes the gaps in the same sweep.", "gap", "tracked",
        *_GAP, gap=True, expired="must", updates=True, lone_pass=False,
        why={**_MOVES, **_AT_ONCE, "index.kind": "every update would renumber the elements it carries"}),
    "tombstone": Policy(
        "Its slot is marked dead, skipped by every pass at once and squeezed out when no pass is live and enough slots "
        "are dead.", "tombstone", "bits",
        "O(1), and O(n) whenever enough slots are dead and no pass is live",
        "elements move when dead slots are squeezed out, never while a pass is live",
        index=_set("none", "hash", "intrusive"), when=_set("immediate", "deferred"), inline=False, expired="may",
        bitmap=True, dead=True, lone_pass=False,
        why={**_MOVES, "capacity.inline": "dead slots need room beside `capacity.max` elements"}),
    "reuse": Policy(
        "Its slot is free for the next add; nothing ever moves.", "reuse", "remaining", "O(1)", "nothing",
        ordering=_set("unordered"), index=_set("none", "hash", "intrusive"), handles=_set("none", "generational"),
        addresses=_set("moving", "stable"), bitmap=True, lone_pass=False,
        why={**_AT_ONCE, "ordering": "an added element takes whatever slot is free"}),
}


def having(**traits: Any) -> Tuple[str, ...]:
    """The policies with these traits, by name; a tuple of values means any of them."""
    return tuple(name for name, policy in POLICIES.items()
                 if all(getattr(policy, trait) in (value if isinstance(value, tuple) else (value,))
                        for trait, value in traits.items()))
