"""Scans: passes over what a named index finds, and over children and subtrees. A container has them if its spec names one."""

from __future__ import annotations

from ..language.costs import CONSTANT, EXPECTED, Cost, case
from ..parts.container_parts import IndexParts, Parts
from ..text.sentences import sentence, sentences
from .costs import Costs
from .operation import Add


def scans(p: Parts, op: Add, of: Costs) -> None:
    """What begins a scan, and what goes on with it."""
    if not p.scans.any:
        return
    for each in p.scans.keyed:
        _begins(p, each, op, of)
    if p.order.tree:
        _family(p, op, of)
    scan = (f"{p.T.scan} *", "scan")
    first = case("; the first step, and one behind a removal of all before it, O(log n) expected", "log n") \
        if p.indexes.ordered else EXPECTED if p.scans.keyed else CONSTANT
    if p.order.tree:
        first += case("; in a tree plus a walk up from the element")
    op("scan_next", p.ref, [scan],
       sentences(f"The next element of a scan, or {p.nil} at its end. Each element is visited once, whatever is removed; what is "
                 "added, or has got another key, is visited if it is ahead, also behind equal keys.",
                 "Skips expired elements." * p.passes.skips_expired),
       Cost(amortised=p.passes.skips_expired) + first, "nothing", ("scans", "next"))
    op("scan_remove_current", of.status, [scan],
       sentences("Removes the current element of a scan. Returns ABSENT if it has been removed, or has got another key; with "
                 "BESPOKE_CHECKS that is misuse and stops the program."),
       CONSTANT if p.when.by_passes else p.removal.standing_cost + p.order.leaving + p.indexes.upkeep, of.remove_moves,
       ("scans", "remove_current"), statuses=("ABSENT",) + of.replayed)
    op("scan_end", "void", [scan], sentences("Ends a scan. Ending it twice is allowed.", p.when.replays), p.when.ending,
       "nothing", ("scans", "end"))


def _family(p: Parts, op: Add, of: Costs) -> None:
    """Children, and a subtree."""
    for what, brief in (("children", "the children of this element"), ("subtree", "this element and all its descendants")):
        name = f"scan_{what}"
        op(name, p.T.scan, [of.me, p.sought],
           sentences(f"Begins a scan of {brief}, for {p.TT.EACH_IN}; if it is not in the container, of none. It ends if this "
                     "element is removed.", p.when.locks, _beyond(p)),
           p.lookup.locating(), "nothing", ("scans", "family", what == "subtree", "false"))
        op(f"{name}_backward", p.T.scan, [of.me, p.sought], sentence(f"As {p.T[name]}, from the last to the first"),
           p.lookup.locating(), "nothing", ("scans", "family", what == "subtree", "true"))


def _beyond(p: Parts) -> str:
    return "" if p.scans.grows else f"If {p.scans.few} scans are live, it stops the program."


def _begins(p: Parts, each: IndexParts, op: Add, of: Costs) -> None:
    name, T = each.index.called, p.T

    def begin(which: str, params: object, brief: str) -> None:
        op(f"scan_{which}_{name}", T.scan, [of.me, *params],  # type: ignore[misc]
           sentences(brief, p.when.locks, _beyond(p)), CONSTANT, "nothing",
           ("scans", "begin", which.endswith("backward"), which.startswith("range")), index=name)

    if not each.index.ordered:
        begin("range", each.key.params,
              f"Begins a scan of the elements with this key in the index {name}, for {p.TT.EACH_IN}. What the key leads to "
              "must stay until the scan ends." if each.key.leads else
              f"Begins a scan of the elements with this key in the index {name}, for {p.TT.EACH_IN}.")
        return
    bounds = [param for bound in each.index.bounds for param in each.key.params_as(bound)]
    kept = "What the keys lead to must stay until the scan ends." if each.key.leads else ""
    begin("range", bounds, sentences(
        f"Begins a scan of the elements whose keys in the index {name} are at least `low` and at most `high`, in its order, for "
        f"{p.TT.EACH_IN}.", kept))
    begin("range_backward", bounds, sentence(f"As {T[f'scan_range_{name}']}, from the last to the first"))
    begin("all", [], f"Begins a scan of all elements in the order of the index {name}, for {p.TT.EACH_IN}.")
    begin("all_backward", [], sentence(f"As {T[f'scan_all_{name}']}, from the last to the first"))
