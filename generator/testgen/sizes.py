"""How many elements a container under test may have, and how its storage grows."""

from typing import Any, Dict, Optional

from ..containers.plan import Plan

CHOSEN = 70  # the size that a test gives T_init: more than a word of bits


def grows(p: Any) -> bool:
    """Does it allocate more slots for more elements?"""
    return p.storage.stores and not (p.storage.inline or p.storage.fixed)


def limits(p: Any) -> Dict[str, Any]:
    """How many elements there may be, and which; and what each takes. Of numbers those below a limit."""
    if not p.element.stored:
        return {"limit": 0, "keys": limit(p) or 0, "bytes": "1"}
    if p.removal.given_slots:
        return {"limit": 0, "keys": limit(p) or 0, "bytes": f"sizeof({p.item})"}
    pending = f" + 2 * sizeof({p.T.change})" * p.when.deferred
    return {"limit": limit(p) or 0, "keys": CHOSEN if "keys" in p.chosen else p.index.keys or 0,
            "bytes": f"sizeof({p.item}){pending}"}


def growth(p: Any) -> Dict[str, Any]:
    """By how much its capacity grows, and from which on; 0: it does not."""
    storage, larger = p.storage, grows(p)
    return {"growth": storage.growth if larger else 0, "capped": storage.caps_growth,
            "first": p.TT.INITIAL_ if larger and storage.begins_larger else 0,
            "granule": p.TT.CHUNK if storage.chunk or p.removal.spread else storage.granule if storage.stores else 1}


def chosen(plan: Plan) -> Dict[str, Any]:
    """What the test gives T_init for sizes."""
    p, given = plan.parts, len(plan.parts.chosen)
    return {"limit": limit(p), "most": CHOSEN if "max" in p.chosen else plan.TT.MAX, "chosen_keys": CHOSEN,
            "chosen": f", {CHOSEN}" * given, "chosen_behind": f", {CHOSEN}" * (given - 1)}


def limit(p: Any) -> Optional[int]:
    """The maximum, or what the test gives T_init for it."""
    return CHOSEN if "max" in p.chosen and not p.weight.any else p.limit


def heaviest(p: Any) -> int:
    """The same of weights."""
    return 0 if not p.weight.any else p.weight.limit or CHOSEN


def rows_end(plan: Plan) -> str:
    """Behind which row there is no element, as an expression of C."""
    T, p = plan.T, plan.parts
    if p.removal.spread:
        return f"({T.last}(list) + 1)"
    return f"{T.capacity}(list)" if p.removal.tightens and p.removal.dense or not p.element.columns else f"{T.rows}(list)"
