"""Which containers T_save can write, T_rollback brings back, and T_EACH_CHANGE knows the changes of."""

from . import saved
from ..text.sentences import enumerated
from .check import Check, header_of
from .keys import RUN_TIME
from ..text.printing import visible

# What saving does not go with: a value, why, and what does.
_NOT_SAVED = (
    ("element.by", "pointer", "the container stores addresses, which lead nowhere in another run", "value"),
    ("element.by", "intrusive", "the elements live elsewhere, and the container could not make them when it is loaded", "value"),
)


def saving(check: Check) -> None:
    """Containers that are saved: elements that can be written, and all that is needed to make them again."""
    c = check.c
    if not c["emit.persist"]:
        return
    if c.is_layer:
        check.conflict("BSP0296", "T_save writes one container, and each layer is one", "emit.persist",
                       help="use a container for each layer, or leave out emit.persist")
        return
    if check.refuse("BSP0296", "emit.persist", _NOT_SAVED, most=1):
        return
    if c["index.kind"] == "dense" and c["index.keys"] is None:
        at, other = check.blame("emit.persist", "index.kind")
        check.conflict("BSP0296", "the table of a dense index is as long as the largest key, and a damaged file has any key", at,
                       other, about=("index.keys",),
                       help="give the limit of the keys: `index: {kind: dense, keys: 1024}`")
    if c["hooks.move"] is not None:
        at, other = check.blame("emit.persist", "hooks.move")
        check.conflict("BSP0296", "T_load makes the elements in another container first, which the hook would be called with",
                       at, other,
                       help="leave out hooks.move, or emit.persist")
    given = [path for path in ("persist.save", "persist.load") if c[path] is not None]
    if len(given) == 1:
        missing = "persist.load" if given == ["persist.save"] else "persist.save"
        check.conflict("BSP0297", f"what '{given[0]}' does needs '{missing}' beside it", given[0], about=(missing,),
                       help="give both: `persist: {save: ship_saves, load: ship_loads}`")
    elif not given:
        _members(check)
    if c["side"] is not None:
        _beside(check)


# What a copy of its bytes does not bring back: a value, why, and what does go with it.
_NOT_COPIED = (
    ("element.by", "intrusive", "the elements live elsewhere, and their links would not be rolled back", "value"),
    ("index.kind", "intrusive", "the index is stored in the elements, which live elsewhere and would not be rolled back", "hash"),
    *(("removal.when", when, "the journal is memory of its own, and pending changes would not be rolled back", "immediate")
      for when in ("deferred", "locked")),
)


def snapshots(check: Check) -> None:
    """Containers whose state is their bytes."""
    c = check.c
    if not c["emit.snapshot"]:
        return
    if c.is_layer:
        check.conflict("BSP0298", "T_snapshot copies one container, and each layer is one", "emit.snapshot",
                       help="use a container for each layer, or leave out emit.snapshot")
        return
    check.refuse("BSP0298", "emit.snapshot", _NOT_COPIED)
    if c["index.kind"] == "dense" and c["index.keys"] == RUN_TIME:
        at, other = check.blame("emit.snapshot", "index.keys")
        check.conflict("BSP0298", "a snapshot has the table of a dense index, and the container may have another one later", at,
                       other,
                       help="give the limit of the keys: `index: {kind: dense, keys: 1024}`")
    if c["index.kind"] == "dense" and c["index.keys"] is None:
        at, other = check.blame("emit.snapshot", "index.kind")
        check.conflict("BSP0298", "the table of a dense index without a limit is memory of its own, which grows by itself", at,
                       other, about=("index.keys",),
                       help="give the limit of the keys: `index: {kind: dense, keys: 1024}`")
    if c["hooks.destroy"] is not None:
        at, other = check.blame("emit.snapshot", "hooks.destroy")
        check.conflict("BSP0298", "T_rollback would bring back elements that the hook has destroyed", at, other,
                       help="use hooks.remove for what is undone outside, or leave out emit.snapshot")


def recorded_changes(check: Check) -> None:
    """Containers that know what has changed."""
    if check.c["changes"] == "recorded" and check.c.is_layer:
        check.conflict("BSP0259", "T_EACH_CHANGE goes over the changes of one container, and each layer is one", "changes",
                       help="use a container for each layer, or leave out changes")


def _beside(check: Check) -> None:
    """Values beside elements can be written, too: the functions of the user are given elements."""
    c = check.c
    described = {each["element.type"]: each for each in c.beside}
    for each, value in zip(c["side"], saved.beside(c)):
        if not value.why_not:
            continue
        why, advice = value.why_not, "leave it out, or emit.persist; or name elements by handles: a handle of the container is " \
            f"saved, `{each.name}: {c.type_of('handle')}`"
        if each.type in described and described[each.type].type_info is None:
            header = described[each.type]["element.header"]
            why = f"the members of '{each.type}' must be known"
            advice = f"let Bespoke read them from '{header}': `bespoke type import {visible(c.span.source.name)}`"
        check.conflict("BSP0295", f"'{each.name}', which is beside elements, cannot be saved: {why}", "side", "emit.persist",
                       span=each.span, help=advice)


def _members(check: Check) -> None:
    """All members can be written without the user's functions."""
    c = check.c
    known, kind = saved.members(c), c["element.type"]
    functions = "`persist: {save: ship_saves, load: ship_loads}`"
    if known is None:
        reads = f"`bespoke type import {visible(c.span.source.name)}`"
        check.conflict("BSP0295", f"`emit: {{persist: true}}` needs the members of '{kind}'", "emit.persist",
                       about=("element.type", "element.header"),
                       help=[f"name the header of '{kind}', `element: {{header: {header_of(kind)}}}`, and read them from it: "
                             f"{reads}"
                             if c["element.header"] is None else f"let Bespoke read them from '{c['element.header']}': {reads}",
                             f"or give two functions that write and read an element: {functions}"])
        return
    unsaved = [member for member in known if member.why_not]
    if unsaved:
        first = unsaved[0]
        what = f"'{first.name}'" if first.name else f"an element of type '{kind}'"
        others = [f"'{member.name}'" for member in unsaved[1:]]
        check.conflict("BSP0295",
                       f"{what} cannot be saved: {first.why_not}" + (f"; nor can {enumerated(others)}" if others else ""),
                       "emit.persist",
                       "element.type", help=f"give two functions for what is left: {functions}")
