"""Is there a strategy that keeps what the other axes ask for?"""

import itertools
from typing import Any, Dict, List, Sequence, Tuple

from .policies import POLICIES, WHY_ONLY, strategies
from .check import Check
from .keys import BY_PATH, choices, in_yaml
from .strategies import asked_of, by_links, fixed_storage, keeps
from ..text.sentences import enumerated


def capabilities(check: Check) -> None:
    """Is there a way to arrange the slots that keeps all axes? If not, the fewest that stand in each other's way."""
    policy = check.c["removal.policy"]
    if keeps(policy, check.c):
        return
    if check.c.settings["removal.policy"].origin == "derived" and _no_policy(check):
        return
    clashes = [path
               for path in asked_of(check.c) if not any(strategy.allows(path, check.c[path]) for strategy in strategies(policy))]
    for path in clashes:
        _cannot_keep(check, policy, path)
    if not clashes:
        _cannot_keep_all(check, policy)


def locking(check: Check) -> None:
    """A journal that is applied while passes are live: what it cannot hold, and what that must not do."""
    c = check.c
    if c["removal.when"] != "locked":
        return
    for path, wanted, why in (
            ("ordering", ("unordered", "insertion"), "the journal holds adds at the end, and no places"),
            ("sort.key", (None,), "T_sort would move elements that pending changes name"),
            ("iteration.removes", ("any",), "T_unlock may remove any element while a pass is live"),
            ("capacity.inline", (False, None), "the journal is allocated, and an inline container allocates nothing")):
        if c[path] not in wanted:
            at, other = check.blame("removal.when", path)
            check.conflict("BSP0312", why, at, other, about=("iteration.adds",),
                           help=[f"use {check.yaml(path, wanted[0])}" if wanted[0] else f"leave {path} out",
                                 f"or {check.yaml('removal.when', 'immediate')}"])
            return
    if c.is_layer:
        check.conflict("BSP0312", "each layer would have a journal of its own, and an element that is moved would be in two",
                       "removal.when", help=f"use {check.yaml('removal.when', 'immediate')}, or a container for each layer")
    if c["handles.kind"] == "generational" and fixed_storage(c):
        at, other = check.blame("removal.when", "addresses")
        check.conflict("BSP0312", "a slot may use up its generations before the journal is applied, and a pending add would "
                                  "have none", at, other,
                       help=check.use(("storage.kind", "chunked"), ("handles.kind", "none"), ("removal.when", "immediate")))


def searched_links(check: Check) -> None:
    """Does one key make sorted elements a linked list, although nothing names that?"""
    c = check.c
    if c["ordering"] != "sorted" or not by_links(c) or c["element.by"] == "intrusive" or any(
            c.settings[path].origin != "derived" for path in ("removal.policy", "storage.kind")):
        return
    asked = asked_of(c)
    for path in asked:
        if path != "ordering" \
            and any(not strategy.arrangement.linked and all(strategy.allows(each, c[each]) for each in asked if each != path)
                    for strategy in strategies()):
            check.warn("BSP0234", f"{check.yaml(path, c[path])} makes sorted elements a linked list, in which an add searches "
                       "its position in O(n)", path, "removal.policy",
                       help=f"in an array it is O(log n): leave out {check.key(path)}, or write "
                            f"{check.yaml('removal.policy', 'unlink')} if the list is meant")
            return


def _cannot_keep(check: Check, policy: str, path: str) -> None:
    value = check.c[path]
    why = WHY_ONLY.get((path, value)) or next((strategy.why(path) for strategy in strategies(policy) if strategy.why(path)), None)
    if path == "capacity.inline":
        at, other = check.blame(path, "removal.policy")

        def inline() -> str:
            works = _can_be(check, "removal.policy")
            return f"removal can be: {works}" if works \
                else f"leave out capacity.inline: only '{policy}' keeps the rest of the contract"

        check.conflict("BSP0214", f"{check.yaml('removal.policy', policy)} cannot use inline storage: {why}", at, other,
                       help=inline)
        return
    at, other = check.blame("removal.policy", path)
    subject, kept = check.yaml("removal.policy", policy), check.yaml(path, value)
    check.conflict("BSP0202", f"{subject} cannot keep {kept}" + (f": {why}" if why else ""), at, other,
                   help=lambda: _either_can_be(check, "removal.policy", path), short=(why, (subject,)) if why else None)


def _mending(check: Check, path: str) -> List[Any]:
    """The values of a key that remove an error and cause none."""
    flags = (False, True) if BY_PATH[path].kind == "flag" else ()
    return [value for value in choices(path) or flags if value != check.c[path] and check.mends(path, value)]


# What is most like a value, where that cannot be.
_NEAR = {"heap": "sorted", "tree": "explicit", "intrusive": "pointer"}


def _nearest(check: Check, path: str, values: Sequence[Any]) -> List[Any]:
    """Values of a key, with what is most like the present one in front."""
    return sorted(values, key=lambda value: value != _NEAR.get(check.c[path]))


def _can_be(check: Check, path: str) -> str:
    return ", ".join(str(value).lower() for value in _mending(check, path) if value != "auto")


def _either_can_be(check: Check, *paths: str) -> List[str]:
    """What each of two keys that conflict can be instead."""
    return [f"with {check.yaml(kept, check.c[kept])}, {'removal' if path == 'removal.policy' else check.key(path)} can be: "
            f"{values}"
            for path, kept in (paths, paths[::-1]) for values in [_can_be(check, path)] if values]


def _cannot_keep_all(check: Check, policy: str) -> None:
    """Each axis by itself goes with the policy, but in different arrangements, or kinds of storage: the fewest that do not go
    together."""
    axes = asked_of(check.c)
    for paths in (*itertools.combinations(axes, 2), *itertools.combinations(axes, 3)):
        if any(all(strategy.allows(path, check.c[path]) for path in paths) for strategy in strategies(policy)):
            continue
        ordered = check.blame(*paths)
        at, other = ordered[:2]
        why = [f"with {check.yaml('storage.kind', strategy.storage)} {strategy.why(path)}" for strategy in strategies(policy)
               for path in paths if not strategy.allows(path, check.c[path]) and strategy.why(path)] if len(paths) == 2 else []
        kept = enumerated([check.yaml(path, check.c[path]) for path in ordered])
        check.conflict("BSP0202", f"{check.yaml('removal.policy', policy)} cannot keep {'all of' if len(paths) > 2 else 'both'} "
                      f"{kept}" + (f": {'; '.join(dict.fromkeys(why))}" if why else ""),
                      at, other, about=("removal.policy",), help=lambda: [f"removal can be: {works}" for works in
                      [_can_be(check, "removal.policy")] if works] + _either_can_be(check, at, other))
        return


def _no_policy(check: Check) -> bool:
    """Removal is left to Bespoke: is there no policy for what the other axes ask?"""
    axes = asked_of(check.c)
    allowing = {path: {number for number, strategy in enumerate(strategies()) if strategy.allows(path, check.c[path])}
                for path in axes}
    for count in range(1, len(axes) + 1):
        for paths in itertools.combinations(axes, count):
            if set.intersection(*(allowing[path] for path in paths)):
                continue
            ordered = check.blame(*paths)
            first, rest = ordered[0], ordered[1:]

            def advice() -> List[str]:
                firsts = [check.yaml(path, values[0]) for path in ordered
                          for values in [_nearest(check, path, _mending(check, path))] if values]
                less = _with_less(check, [path for path in ordered if not _mending(check, path)])[:1]
                return ["use " + ", or ".join(firsts), *(f"or {way}" for way in less)] if firsts else less

            said = f"no way to remove elements keeps {'all of' if count > 2 else 'both'}"
            kept = [check.yaml(path, check.c[path]) for path in ordered]
            check.conflict("BSP0227", f"{said} {enumerated(kept)}", first, rest[0] if rest else None, help=advice, about=rest,
                           because=_obstacles(check, paths), short=(said, tuple(kept)))
            return True
    return False


def _with_less(check: Check, paths: Sequence[str]) -> List[str]:
    """Values that mend an error where keys are left out that mean nothing beside them."""
    tried = ((path, value) for path in paths
             for value in _nearest(check, path, choices(path)) if value != check.c[path] and check.spare(path, value))
    return [way for setting in tried for way in check.use(setting)()]


def _obstacles(check: Check, paths: Tuple[str, ...]) -> List[str]:
    """Why the ways that keep all of these values but one do not keep that; rather those that keep all else, too."""
    for asked in (asked_of(check.c), list(paths)):
        reasons: Dict[str, List[str]] = {}
        for path in paths:
            others = [other for other in asked if other != path]
            for strategy in strategies():
                if not strategy.allows(path, check.c[path]) and strategy.why(path) \
                    and all(strategy.allows(p, check.c[p]) for p in others):
                    policies = reasons.setdefault(strategy.why(path), [])
                    if strategy.policy not in policies:
                        policies.append(strategy.policy)
        if reasons:
            return [f"with {_either('removal.policy', policies)}, {reason}" for reason, policies in reasons.items()]
    return []


def expired(check: Check) -> None:
    policy = check.c["removal.policy"]
    if POLICIES[policy].expired == "must" and check.c["removal.expired"] is None:
        hook = check.c.settings["removal.policy"].origin == "derived" and check.c["hooks.update"] is not None
        check.conflict("BSP0203", f"{'an update hook' if hook else check.yaml('removal.policy', policy)} needs 'removal.expired'",
                      "hooks.update" if hook else "removal.policy",
                      help=f"say which elements are removed: `removal: {{policy: {policy}, expired: element->hp <= 0}}`, "
                           "or name a function", about=("removal.policy", "removal.expired"))


def promised_order(check: Check) -> None:
    """The same calls give the same order where nothing else decides: neither a later version nor the timing of threads."""
    c = check.c
    if c["iteration.order"] != "deterministic" or c["ordering"] != "unordered":
        return
    if c.settings["removal.policy"].origin == "derived":
        check.conflict("BSP0292", "the order follows from the removal policy, which is not named: Bespoke may choose another in "
                                  "a later version, or beside other keys", "iteration.order", "removal.policy",
                       help=check.use(("removal.policy", c["removal.policy"])))
    if c["removal.next"] == "round_robin":
        at, other = check.blame("iteration.order", "removal.next")
        check.conflict("BSP0292", "the turn begins again at the end of the capacity, which a later version may round otherwise",
                       at, other, help=check.use(("removal.next", "lowest"), ("removal.next", "last_freed"),
                                                 ("iteration.order", "free")))
    if c["threads.inbox"] is not None:
        at, other = check.blame("iteration.order", "threads.inbox")
        check.conflict("BSP0292", "the order of what is in the inbox depends on which thread was faster", at, other,
                       help="let the workers add them, which are merged in their order: `threads: {workers: 8}`, or use "
                            f"{check.yaml('iteration.order', 'free')}")


def update_in_header(check: Check) -> None:
    """Only links are few enough lines to go along in a header."""
    c = check.c
    tree, wanted = c["ordering"] == "tree", c["removal.update"] == "inline" and POLICIES[c["removal.policy"]].updates
    if wanted and (tree or not by_links(c)):
        at, other = check.blame("removal.update", "ordering" if tree else "storage.kind")
        check.conflict("BSP0336", "a step of the update " + ("also tests the parents of an element" if tree
                                                              else "is too long for a header, but for linked elements"), at,
                       other,
                       help="leave removal.update out" + f", or use {check.yaml('storage.kind', 'linked')}" * (not tree))


def _either(path: str, values: List[str]) -> str:
    """`removal: swap`, `shift` or `compact`."""
    first, *rest = values
    words = [in_yaml(path, first)] + [f"`{value}`" for value in rest]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
