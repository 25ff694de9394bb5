"""Which strategy serves a container: a removal policy in one kind of storage, by an arrangement of the slots."""

from functools import lru_cache
from typing import Any, List, Optional, Tuple, Union

from .policies import AXES, FREE, POLICIES, STORAGES, Strategy, strategies
from .model import Container


def most_of(container: Container) -> Union[int, str, None]:
    """How many elements there may be, if there is a limit: where they have weights, `capacity.max` limits these."""
    return container["capacity.max"] if container["capacity.weight"] is None else None


def slots_of(bits: int, granule: int = 64) -> int:
    """How many slots handles with so many bits can name; they come in words of 64, or in whole chunks."""
    return (2 ** bits - 1) // granule * granule


def asked_of(container: Container) -> List[str]:
    """The axes that the arrangement of slots has to keep for this container."""
    paths = [path for path in (*AXES, "capacity.inline", "layout") if path != "addresses" or container["element.by"] == "value"]
    paths += ["indexes"] * (container["indexes"] is not None)
    storage = container.settings.get("storage.kind")  # one that follows from the policy asks nothing of it
    return paths + (["storage.kind"] if storage is not None and storage.origin != "derived" else [])


@lru_cache(maxsize=None)
def _keeping(policy: str, asked: Tuple[Tuple[str, Any], ...]) -> Tuple[Strategy, ...]:
    """The strategies of a removal policy that go with these values of other axes."""
    return tuple(strategy for strategy in strategies(policy) if all(strategy.allows(path, value) for path, value in asked))


def serving(policy: str, container: Container, but: Tuple[str, ...] = ()) -> List[Strategy]:
    """The strategies of a removal policy that keep what the other axes (but some) ask for, the best first."""
    found = list(_keeping(policy, tuple((path, path == "indexes" or container[path])
                                        for path in asked_of(container) if path not in but)))
    if container["addresses"] == "stable" and container["element.by"] == "value" and most_of(container) is None:
        found.sort(key=lambda strategy: not STORAGES[strategy.storage].stays)  # without a maximum it grows
    return found


def strategy_if_any(container: Container) -> Optional[Strategy]:
    """The strategy of a container; None if its removal, its storage and the rest do not go together."""
    return next((strategy for strategy in serving(container["removal.policy"], container)
                 if strategy.storage == container["storage.kind"]), None)


def strategy_of(container: Container) -> Strategy:
    """The strategy of a container without conflicts."""
    strategy = strategy_if_any(container)
    assert strategy is not None
    return strategy


def keeps(policy: str, container: Container, *but: str) -> bool:
    """Does a removal policy keep what the other axes (but some) ask for?"""
    return bool(serving(policy, container, but))


def by_links(container: Container) -> bool:
    """Do links say which element comes next?"""
    strategy = strategy_if_any(container)
    return container["storage.kind"] == "linked" or strategy is not None and strategy.arrangement.linked


def links_beside(container: Container) -> bool:
    """Do they lie beside the elements?"""
    return by_links(container) and container["element.by"] != "intrusive"


def fixed_storage(container: Container) -> bool:
    """Do elements keep their addresses because room for all is made at once?"""
    c = container
    return c["addresses"] == "stable" and c["element.by"] == "value" and not c["capacity.inline"] \
        and c["storage.kind"] in STORAGES and not STORAGES[c["storage.kind"]].stays


def in_memory(container: Container) -> bool:
    """Do its slots lie in memory that it asks for?"""
    return not container["capacity.inline"] and container["element.by"] != "intrusive"


def allocates(container: Container) -> bool:
    """Does it ever ask for memory?"""
    c = container
    merges = c["sort.when"] == "begin" and not by_links(c)
    return in_memory(c) or merges or c["removal.when"] != "immediate"


def passes_grow(container: Container) -> bool:
    """May more passes be live than the container has records? Where it allocates, and each slot has not a bit for each record."""
    c = container
    if c["iteration.cursors"] != "many" or c["iteration.removes"] == "none" or not allocates(c):
        return False
    found = serving(c["removal.policy"], c)
    return bool(found) and found[0].arrangement.passes != "remaining"


def auto_storage(container: Container) -> Tuple[str, str]:
    """The storage that `storage: auto` stands for, and the reason."""
    policy = container["removal.policy"]
    best = next(iter(serving(policy, container) or strategies(policy)))
    return best.storage, STORAGES[best.storage].reason


def auto_removal(container: Container) -> Tuple[str, str]:
    """The policy that `removal: auto` stands for, and the reason."""
    wished, reason = _wished_removal(container)
    asked = container["removal.expired"] is not None
    if keeps(wished, container) and (POLICIES[wished].expired != "no" or not asked):
        return wished, reason
    fitting = [policy for policy in dict.fromkeys(("swap", "compact", "tombstone", "prune", *POLICIES))  # the cheapest first
               if keeps(policy, container) and (POLICIES[policy].expired != "must" or asked)
               and (POLICIES[policy].expired != "no" or not asked)]
    fitting.sort(key=lambda policy: _links_in_chunks(serving(policy, container)[0]))
    return (fitting[0], "it is the one that keeps the contract") if fitting else (wished, reason)


def _links_in_chunks(strategy: Strategy) -> bool:
    """Are these links where chunks are asked for? Only if nothing else will do."""
    return strategy.storage == "chunked" and strategy.arrangement.linked


def _wished_removal(container: Container) -> Tuple[str, str]:
    if container["handles.kind"] != "none":
        return "reuse", "a handle is a slot index if elements do not move"
    if container["addresses"] == "stable" and container["element.by"] == "value":
        return "reuse", "elements must not move"
    if container["removal.when"] == "deferred":
        return "tombstone", "slots keep their index until the journal is applied"
    if container["hooks.update"] is not None and container["ordering"] in FREE:
        return "back_copy", "there is an update hook and order is free: one sweep updates and removes, with one move per removal"
    if container["hooks.update"] is not None:
        return "prune", "there is an update hook: one sweep updates and removes"
    if container["removal.expired"] is not None:
        return "tombstone", "a predicate says which elements have expired"
    if container["ordering"] in FREE:
        return "swap", "order is free, so the last element can fill the vacated slot: one move per removal"
    if container["index.kind"] != "none" or container["indexes"] is not None:
        return "tombstone", "order is kept and no element is renumbered by a removal"
    if container["iteration.removes"] == "none":
        return "shift", "passes are fail-fast, so elements shift between passes only, and a pass reads one array"
    return "compact", "order is kept with at most one move per element and pass"
