"""Operations that a container has only where `emit.operations` names them, and why one does not have them: T_pop, T_take,
T_find_or_add and their like."""

from typing import Callable, Dict, NamedTuple, Optional, Sequence

from .check import Check
from .model import Container
from .policies import FREE
from .strategies import by_links, strategy_if_any

POPS = ("pop", "pop_back", "pop_if")
TAKES = ("take", "take_at", "take_key", "take_current")


class Missing(NamedTuple):
    """Why a container has no such operation."""

    path: Optional[str]  # the key that it is due to
    why: str
    help: str


def unpopped(c: Container) -> Optional[Missing]:
    """Why a container has no T_pop, if it has none."""
    ordering = c["ordering"]
    if ordering in ("fifo", "heap"):
        return None
    if ordering in FREE:
        return Missing("ordering", "in no particular order, no element is the first",
                       "use `ordering: insertion`, `fifo` or `heap`")
    if ordering == "tree":
        return Missing("ordering", "in a tree, T_first is removed with all its descendants, and T_pop returns one element",
                       "call T_remove for T_first")
    if ordering == "sorted" and c["sort.when"] == "begin":
        return Missing("sort.when", "which element is the first is not known before a pass begins",
                       "use `sort: {when: insert}`, or `ordering: heap`")
    if c["removal.when"] != "immediate":
        return Missing("removal.when", "while the container is locked, what T_pop returns would stay the first",
                       "use `removal: {when: immediate}`")
    return None


def unpopped_back(c: Container) -> Optional[Missing]:
    """Why a container that has T_pop has no T_pop_back, if it has none."""
    if c["ordering"] == "heap":
        return Missing("ordering", "a heap knows only its first element", "use `ordering: sorted`")
    if c["ordering"] == "fifo" and c["ends"] == "back":
        return Missing("ends", "elements are removed at one end", "use `ends: both`")
    if by_links(c) and c["storage.links"] == "single":
        return Missing("storage.links", "where links lead one way, the element before the last one would be searched",
                       "use `storage: {links: double}`")
    return None


def _numbered(c: Container) -> Optional[Missing]:
    """Why a container of bits hands nothing over: who names a number has it."""
    if c["element.by"] != "bit":
        return None
    return Missing("element.by", "an element is the number that names it: there is nothing to return", "call T_add and T_remove")


def _layered(c: Container) -> Optional[Missing]:
    if not c.is_layer:
        return None
    return Missing(None, "neither a layer has it, nor all of them together", "use one container for each layer")


def untaken(c: Container) -> Optional[Missing]:
    """Why a container has no T_take, if it has none."""
    if c["ordering"] == "tree":
        return Missing("ordering", "in a tree, an element is removed with all its descendants, and T_take hands over one",
                       "call T_remove")
    if c["removal.when"] != "immediate":
        return Missing("removal.when", "while the container is locked, passes would still visit what T_take has handed over",
                       "use `removal: {when: immediate}`")
    return _layered(c)


def unfound(c: Container) -> Optional[Missing]:
    """Why a container has no T_find_or_add, if it has none."""
    if c["removal.when"] != "immediate":
        return Missing("removal.when", "while the container is locked an add is pending, and there is no new element to return",
                       "use `removal: {when: immediate}`")
    if c["hooks.add"] is not None and c["element.by"] == "value":
        return Missing("hooks.add", "the add hook may have moved or removed the new element before it is returned",
                       "call T_find, then T_add; or use `element: {by: pointer}`")
    if c["identity.by"] not in ("key", "value"):
        return Missing("identity.by", "elements have no key", "use `identity: {key: ...}`, or `identity: value`")
    if c["element.by"] == "intrusive" or c["index.kind"] == "intrusive":
        return Missing("element.by" if c["element.by"] == "intrusive" else "index.kind", "elements are not found by their keys",
                       "use `index: hash`")
    return _layered(c)


def unasked(c: Container) -> Optional[Missing]:
    """Why a container has no T_remove_if, if it has none."""
    if c["iteration.removes"] == "none":
        return Missing("iteration.removes", "a removal would end the pass in which it is made",
                       "use `iteration: {removes: any}` or `{removes: current}`")
    if c["removal.when"] != "immediate":
        return Missing("removal.when", "all removals would wait until its own pass has ended",
                       "call T_remove_current in a loop")
    return _layered(c)


_PLAIN = (("element.by", "value", "the container would hold pointers that point to nothing"),
          ("layout", "aos", "the members of an element lie apart"),
          ("duplicates", "allow", "elements with undefined content cannot be compared"),
          ("index.kind", "none", "an element with undefined content has no key"),
          ("indexes", None, "an element with undefined content has no key"),
          ("hooks.add", None, "the add hook would be given elements with undefined content"),
          ("handles.kind", "none", "each new element has a handle, which T_add_handle returns"),
          ("removal.when", "immediate", "while the container is locked an add is pending"),
          ("capacity.when_full", "reject", "an add to a full container removes the first element"),
          ("capacity.weight", None, "an element with undefined content has no weight"),
          ("capacity.inline", False, "the next slot of a container that allocates nothing is taken by T_emplace"))


def unappended(c: Container) -> Optional[Missing]:
    """Why a container has no T_append_undefined, if it has none: only plain rows have."""
    for path, wanted, why in _PLAIN:
        if c[path] not in (wanted, None):
            return Missing(path, why, "call T_add_all")
    if c["ordering"] not in ("insertion", "unordered"):
        return Missing("ordering", "each element has a place of its own", "call T_add_all")
    kept = strategy_if_any(c)
    if kept is None:
        return None  # there is another error
    if kept.storage != "contiguous" or kept.arrangement.bitmap:
        return Missing("removal.policy" if kept.arrangement.bitmap else "storage.kind", "new elements need not lie side by side",
                       "call T_add_all")
    return _layered(c)


def unresized(c: Container) -> Optional[Missing]:
    """Why a container has no T_resize, if it has none."""
    if c["ordering"] != "insertion":
        return Missing("ordering", "in no particular order, no element is the last", "use `ordering: insertion`")
    for hook in ("remove", "destroy"):
        if c[f"hooks.{hook}"] is not None:
            return Missing(f"hooks.{hook}", "the hooks of a removal may change what is behind it", "call T_remove_at in a loop")
    return unappended(c)


def unkept(c: Container) -> Optional[Missing]:
    """Why a container has no T_keep, if it has none."""
    if c["iteration.removes"] == "none":
        return Missing("iteration.removes", "fail-fast passes end with the next change, and no sooner than that",
                       "use `iteration: {removes: any}` or `{removes: current}`")
    if c["removal.when"] != "immediate":
        return Missing("removal.when", "all changes would wait until the pass ends, over many frames",
                       "use `removal: {when: immediate}`")
    for path in ("threads.workers", "threads.inbox"):
        if c[path] is not None:
            return Missing(path, "T_settle applies what other threads have noted where no pass is live", f"leave {path} out")
    return _layered(c)


def untried_backward(c: Container) -> Optional[Missing]:
    """Why a container has no T_try_begin_backward, though it has T_try_begin."""
    if c["iteration.direction"] != "both":
        return Missing("iteration.direction", "there is no T_begin_backward", "use `iteration: {direction: both}`, or try_begin")
    return None


def unbounded(c: Container) -> Optional[Missing]:
    """Why a container has no T_lower_bound, if it has none."""
    if c["ordering"] != "sorted":
        return Missing("ordering", "its elements are in no order by which one could be searched",
                       "use `ordering: sorted`, or a named index with `kind: sorted`, which has lower_bound_NAME")
    if c["sort.when"] == "begin":
        return Missing("sort.when", "the elements are in order only when a pass has begun", "use `sort: {when: insert}`")
    if c["element.by"] == "bit":
        return Missing("element.by", "T_next_after returns what is larger than a number", "name next_after")
    if c["index.kind"] == "direct":
        return Missing("index.kind", "T_next_after returns the element behind a key", "name next_after")
    return None


def _only_readers(c: Container) -> Optional[Missing]:
    """Why a container has no passes, if it has none."""
    if c["iteration.cursors"] != "none":
        return None
    return Missing("iteration.cursors", "there are only readers", "name each_const, or begin_const and next_const; or use "
                   "`iteration: {cursors: many}`")


PASSES = ("each", "begin", "begin_backward", "next", "end", "remove_current", "take_current", "was_changed", "begin_at",
          "begin_at_index", "begin_at_key", "begin_after", "current", "next_pair", "remove_if", "keep", "try_begin",
          "try_begin_backward")
_WHY: Dict[str, Sequence[Callable[[Container], Optional[Missing]]]] = {
    "pop": (unpopped,), "pop_if": (unpopped,), "pop_back": (unpopped, unpopped_back),
    **dict.fromkeys(TAKES, (untaken, _numbered)),
    "append_undefined": (unappended,), "resize": (unresized,),
    "find_or_add": (unfound, _numbered), "remove_if": (unasked,), "keep": (unkept,), "try_begin": (_layered,),
    "lower_bound": (unbounded,), "upper_bound": (unbounded,),
    "try_begin_backward": (_layered, untried_backward)}
_WHY.update({name: (_only_readers, *_WHY.get(name, ())) for name in PASSES})


def by_name(check: Check) -> None:
    """What is named can be there."""
    c, chosen = check.c, check.c["emit.operations"]
    if chosen is None:
        return
    for name, span in zip(chosen, chosen.spans):
        found = next(filter(None, (why(c) for why in _WHY.get(name, ()) if name not in chosen.usual)), None)
        if found:
            check.conflict("BSP0233", f"there is no '{name}': {found.why}", "emit.operations", found.path, help=found.help,
                           span=span)
