"""Which values may stand together: the rules, in their order.

What each removal policy keeps of the contract stands in `policies.py`. The rules compare a container with it and
name both lines that conflict, why, and which values would work.
"""

import re
from typing import Any, Callable, Iterable, List, Optional, Sequence, Set, Tuple

from .policies import POLICIES, strategies
from ..text.diag import Diagnostics, Span
from ..text.expressions import plain_member
from ..text.identifiers import is_built_in
from .allocator_rules import allocator, freestanding
from .applies import applies
from .check import Check, header_of
from .contracts import contracts
from .element_rules import MOST_INLINE, identity, index, links, members
from .key_rules import keys
from .index_rules import named_indexes
from .keys import BY_PATH, RUN_TIME
from .model import Container
from .bit_rules import bits, direct, is_in_slot, is_sorted_in
from .by_name import by_name
from .removal_rules import capabilities, expired, locking, promised_order, searched_links, update_in_header
from .layer_rules import shared_handles
from .saving_rules import recorded_changes, saving, snapshots
from .side_rules import sides
from .soa_rules import columns
from .size_types import UNSIGNED, inside
from .strategies import fixed_storage, keeps, links_beside, most_of, serving, slots_of
from .taken_names import reserved
from .thread_rules import threads


def _lacks_order(c: Container) -> bool:
    """Is it not said what elements are sorted by? Numbers that are bits need not say it, nor keys that are slots."""
    return c["ordering"] in ("sorted", "heap") and c["sort.key"] is None and c["sort.less"] is None and not is_in_slot(c)


def sorting(check: Check) -> None:
    c = check.c
    kind = c["element.type"] or ""
    what = c.type_info.stands_for(kind)[0] if c.type_info is not None else " ".join(kind.split()[:1]) * (not kind.endswith("*"))
    for path, whole in (("sort.key", r"\(?\*\s*element\)?"), ("sort.less", r"\*\s*a\s*[<>]\s*\*\s*b")):
        if what in ("struct", "union") and re.fullmatch(whole, str(c[path] or "")):
            at, other = check.blame(path, "element.type")
            check.conflict("BSP0207", f"C cannot compare two values of type '{kind}'", at, other,
                          help="name a member: `sort: element->depth`, or a function: `sort: {less: ship_before}`")
    if _lacks_order(c):
        check.conflict("BSP0280", f"{check.yaml('ordering', c['ordering'])} needs 'sort.key' or 'sort.less'", "ordering",
                      help="give a key: `sort: element->depth`, or a comparator: "
                           "`sort: {less: a->depth < b->depth}`", about=("sort.key", "sort.less"))
    asks_sort = next((path for path in ("sort.key", "sort.less") if c[path] is not None), None)
    if asks_sort and c["ordering"] in ("insertion", "explicit") \
        and all(each.arrangement.bitmap and not each.arrangement.linked for each in serving(c["removal.policy"], c)):
        at, other = check.blame(asks_sort, "removal.policy")
        works = [policy for policy in ("shift", "compact", "unlink") if keeps(policy, c)]
        check.conflict("BSP0288", "tombstones keep elements in their slots, in the order in which they were added: T_sort "
                                  "cannot change it", at, other,
                      about=("handles.kind", "index.kind", "removal.when"),
                      help=f"use {' or '.join(check.yaml('removal.policy', policy) for policy in works)}" if works
                       else f"leave {asks_sort} out")
    if c["ordering"] == "heap" and most_of(c) == 1:
        at, other = check.blame("ordering", "capacity.max")
        check.conflict("BSP0285", "one element needs no heap", at, other, 
                       help=check.use(("ordering", "unordered"), otherwise="give a greater maximum"))
    if c["sort.key"] is not None and c["sort.less"] is not None:
        at, other = check.blame("sort.less", "sort.key")
        check.conflict("BSP0281", "the order is defined by a key or by a comparator, not by both", at, other,
                      help="leave one out")
    if c["ends"] == "both" and c["iteration.adds"] == "next":
        at, other = check.blame("iteration.adds", "ends")
        check.conflict("BSP0282", "an element that is added at the front may be ahead of a live pass, which would visit it", at,
                       other,
                      about=("ordering",), help=f"use {check.yaml('iteration.adds', 'visited')}, or {check.yaml('ends', 'back')}")
    if c["ordering"] in ("explicit", "tree"):
        asks: Tuple[str, ...] = ("ordering",)
    elif c["ordering"] == "sorted" and c["sort.when"] == "insert":
        asked = "sort.when" in c.settings and c.settings["sort.when"].origin not in ("default", "derived")
        asks = ("sort.when", "ordering") if asked else ("ordering", "sort.when")
    else:
        return
    if c["iteration.adds"] == "next" and not links_beside(c):
        at, other = check.blame("iteration.adds", asks[0])
        where = "at its sorted position" if c["ordering"] == "sorted" else "beside another"
        help = [f"use {check.yaml('iteration.adds', 'visited')}: a pass visits an inserted element only if it is ahead of the "
                "pass"]
        if c["ordering"] == "sorted":
            help.append(f"or {check.yaml('sort.when', 'begin')}: added elements wait at the end")
        check.conflict("BSP0282", f"an element that is inserted {where} may be ahead of a live pass, which would visit it", at,
                       other, about=asks, help=help)
    if c["duplicates"] == "replace" and is_sorted_in(c):
        at, other = check.blame("duplicates", asks[0])
        check.conflict("BSP0283", "an element that takes the slot of an equal one may have another sorted position",
                      at, other, about=asks, help=f"use {check.yaml('sort.when', 'begin')}, or "
                      f"{check.yaml('duplicates', 'reject')}")


def deferral(check: Check) -> None:
    when, adds = check.c["removal.when"], check.c["iteration.adds"]
    if (when == "deferred") != (adds == "deferred"):
        at, other = check.blame("removal.when", "iteration.adds")
        check.conflict("BSP0212", "adds and removes are queued in one journal: either both are deferred or neither",
                      at, other, help="`removal: {when: deferred}` goes with `iteration: {adds: deferred}`")


def fail_fast(check: Check) -> None:
    """With fail-fast passes the container does not know whether a pass is live: nothing can wait for the end of the last one,
    and no pass goes on behind a change. So it is with readers."""
    c = check.c
    readers = c["iteration.cursors"] == "none"
    if not readers and c["iteration.removes"] != "none":
        return
    path, instead = ("iteration.cursors", "many") if readers else ("iteration.removes", "any")
    they = "readers" if readers else "fail-fast passes"

    def conflict(other: str, why: str, help: str, about: Tuple[str, ...] = ()) -> None:
        at, beside = check.blame(other, path)
        check.conflict("BSP0286", why, at, beside, about=about, help=[help, f"or use {check.yaml(path, instead)}"])

    if readers and c["iteration.removes"] != "none":
        conflict("iteration.removes", "there are only readers, and a removal ends every reader", "leave iteration.removes out")
    if c.is_layer:
        check.conflict("BSP0286", f"a pass begins in one layer after another, and {they} see only changes since they began",
                       path, help=f"use a container for each layer, or {check.yaml(path, instead)}")
    if c["removal.when"] == "deferred":
        conflict("removal.when", f"the journal is replayed when the last pass ends, and {they} leave no record",
                 f"use {check.yaml('removal.when', 'immediate')}", ("iteration.adds",))
    if c["iteration.adds"] == "next":
        conflict("iteration.adds", f"an add ends every {'reader' if readers else 'fail-fast pass'}, so none goes on without the "
                                   "new element", "leave iteration.adds out")
    if c["ordering"] == "sorted" and c["sort.when"] == "begin":
        conflict("sort.when", f"a pass sorts when it begins if no other is live, and {they} leave no record",
                 f"use {check.yaml('sort.when', 'insert')}")
    if c["removal.expired"] is not None and not POLICIES[c["removal.policy"]].updates:
        ends = "readers remove nothing" if readers else "a removal ends every fail-fast pass"
        conflict("removal.expired", f"a pass removes the expired elements that it reaches, and {ends}",
                 "leave removal.expired out, and remove between passes", ("removal.policy",))


def replacing(check: Check) -> None:
    if check.c["duplicates"] == "replace" and check.c["removal.when"] != "immediate":
        at, other = check.blame("duplicates", "removal.when")
        check.conflict("BSP0251", "a pending add has no slot yet, and the element that it would replace may be removed before",
                       at, other, help=f"use {check.yaml('duplicates', 'reject')}, or "
                      f"{check.yaml('removal.when', 'immediate')}")


# What an add that overwrites does not go with: a value, why, and what does.
_OVERWRITES_NOT = (
    *(("removal.when", when, "an add that is pending cannot remove an element", "immediate") for when in ("deferred", "locked")),
    ("removal.policy", "tombstone", "the slot of the removed element is a tombstone during a pass, so the add would need memory "
                                    "after it", "compact"),
    ("handles.kind", "generational", "the slot of the removed element may have used up its generations, so the add would fail "
                                     "after it", "none"),
    ("handles.kind", "index", "the new element takes the slot of the removed one, so its handle would name the new one", "none"),
)


_ASKED = ("removal.expired", "capacity.keep", "capacity.weight")  # functions that are given the context
_WITHOUT_STORAGE = ("capacity.max", "capacity.weight", "capacity.when_full", "capacity.keep")
_WEIGHED_NOT = (
    ("capacity.inline", True, "the slots in the struct are counted, and weights are not", False),
    *(("removal.when", when, "an add that is pending would have no weight yet", "immediate") for when in ("deferred", "locked")),
)


def weighed(check: Check) -> None:
    """A sum of weights has a limit, and is right whatever is pending."""
    c = check.c
    if c["capacity.weight"] is None:
        return
    if c["capacity.max"] is None:
        check.conflict("BSP0294", "'capacity.weight' needs 'capacity.max', the limit of the sum", "capacity.weight",
                       help="give the maximum: `capacity: {weight: element->bytes, max: 1048576}`", about=("capacity.max",))
    path, _, why, instead = next((each for each in _WEIGHED_NOT if c[each[0]] == each[1]), ("",) * 4)
    if path:
        at, other = check.blame("capacity.weight", path)
        check.conflict("BSP0294", why, at, other, help=f"use {check.yaml(path, instead)}, or leave out capacity.weight")


def _inline_maximum(check: Check, most: Any) -> None:
    if most is None:
        check.conflict("BSP0213", "'capacity.inline' needs 'capacity.max'", "capacity.inline",
                       help="give the maximum: `capacity: {inline: true, max: 64}`",
                       about=("capacity.max",))
    elif most == RUN_TIME:
        at, other = check.blame("capacity.max", "capacity.inline")
        check.conflict("BSP0213", "storage in the struct needs a maximum that is known when it is compiled", at, other,
                       help="give the maximum: `capacity: {inline: true, max: 64}`, or leave out capacity.inline")
    elif most > MOST_INLINE:
        at, other = check.blame("capacity.max", "capacity.inline")
        check.conflict("BSP0226", f"{most} elements are too many for a struct", at, other,
                       help=f"at most {MOST_INLINE}; for more, leave out capacity.inline")


def capacity(check: Check) -> None:
    c = check.c
    most, initial = most_of(c), c["capacity.initial"]
    fixed = fixed_storage(c) and any(strategy.allows("addresses", "stable") for strategy in strategies(c["removal.policy"]))
    if c["capacity.inline"]:
        _inline_maximum(check, c["capacity.max"])
        _unused(check,
                [path
                 for path in BY_PATH
                 if path.startswith(("capacity.initial", "capacity.growth", "capacity.shrink.", "allocator."))],
                "inline storage never grows, shrinks or allocates", "capacity.inline")
    elif c["element.by"] == "intrusive":
        _unused(check, [path for path in BY_PATH
                        if path.startswith(("capacity.", "allocator.")) and path not in _WITHOUT_STORAGE],
                "intrusive elements need no storage", "element.by")
    if fixed and not c["capacity.inline"]:
        _unused(check, ["capacity.initial", "capacity.growth"], "storage with stable addresses never grows", "addresses")
        if most is None:
            at, other = check.blame("addresses", "storage.kind")
            check.conflict("BSP0217", "addresses in one array are stable only if it never grows", at, other,
                           help=lambda: _stays(check),
                           about=("capacity.max", "removal.policy"))
        if c["capacity.shrink.below"] is not None:
            at, other = check.blame("capacity.shrink.below", "addresses")
            check.conflict("BSP0218", "shrinking would move elements whose addresses are stable", at, other,
                           help=f"use {check.yaml('storage.kind', 'chunked')}, leave out capacity.shrink, or use "
                           f"{check.yaml('addresses', 'moving')}")
    elif not c["capacity.inline"] and isinstance(most, int) and initial is not None and initial > most:
        at, other = check.blame("capacity.initial", "capacity.max")
        check.conflict("BSP0216", f"'capacity.initial' is {initial}, more than 'capacity.max' allows ({most})", at,
                       other, help="capacity above the maximum is never used")
    if c["capacity.when_full"] == "overwrite" and c["capacity.max"] is None:
        check.conflict("BSP0284", "`when_full: overwrite` needs 'capacity.max'", "capacity.when_full",
                       help="give the maximum: `capacity: {max: 100, when_full: overwrite}`", about=("capacity.max",))
    if c["capacity.when_full"] == "overwrite":
        if c.is_layer:
            check.conflict("BSP0287", "an add to layers never removes an element", "capacity.when_full",
                           help=f"use a container for each layer, or {check.yaml('capacity.when_full', 'reject')}")
        path, _, why, instead = next((each for each in _OVERWRITES_NOT if c[each[0]] == each[1]), ("",) * 4)
        if path:
            at, other = check.blame("capacity.when_full", path)
            check.conflict("BSP0287", why, at, other, help=check.use((path, instead), ("capacity.when_full", "reject")))
    after = c.settings.get("capacity.shrink.after")
    if after is not None and after.origin == "spec" and c["capacity.shrink.below"] is None:
        check.conflict("BSP0220", "'capacity.shrink.after' needs 'capacity.shrink.below'", "capacity.shrink.after",
                       help="`capacity: {shrink: {below: 25%, after: 2 s}}`", about=("capacity.shrink.below",))


def kept(check: Check) -> None:
    """An add that finds a full container in which nothing makes way fails."""
    if check.c["capacity.keep"] is not None and check.c["threads.inbox"] is not None:
        at, other = check.blame("capacity.keep", "threads.inbox")
        check.conflict("BSP0287", "elements of the inbox are added when the container is not full, and kept elements may fill it",
                       at, other, help="leave out threads.inbox, or capacity.keep")


def _stays(check: Check) -> List[str]:
    """How addresses can be stable although the container grows, and how it does not grow."""
    if check.c["capacity.weight"] is not None:  # which limits no number of elements
        chunks = check.mends("storage.kind", "chunked")
        return [f"use {check.yaml('addresses', 'moving')}" + f", or {check.yaml('storage.kind', 'chunked')}" * chunks]
    room = "give a maximum, which the first add allocates: `capacity: {max: 64}`"
    if check.mends("storage.kind", "chunked"):
        return [f"chunks never move: {check.yaml('storage.kind', 'chunked')}", "or " + room]
    if check.mends("ordering", "unordered"):
        return [f"if the order is free, chunks never move: {check.yaml('ordering', 'unordered')}", "or " + room]
    return [room]


def _unused(check: Check, paths: Sequence[str], why: str, other: str) -> None:
    """Keys that mean nothing; of a group it is said once."""
    said: Set[str] = set()
    for path in paths:
        group = path.rpartition(".")[0]
        setting = check.c.settings.get(path)
        if setting is not None and setting.origin == "spec" and group not in said:
            said.update({group} - {"capacity"})
            check.conflict("BSP0215", f"{why}: '{path}' means nothing", path, other, help="leave it out")


def handle_bits(check: Check) -> None:
    """A handle has bits enough for the index of every slot."""
    c = check.c
    most, bits, chunk = most_of(c), c["handles.index_bits"], c["storage.chunk"] or 64
    more = f"or more bits: `handles: {{kind: {c['handles.kind']}, index_bits: {bits * 2 if bits else 0}}}`"
    if c["handles.kind"] != "none" and slots_of(bits, chunk) == 0:
        at, other = check.blame("handles.index_bits", "storage.chunk")
        check.conflict("BSP0219", f"handles with {bits} bits of index cannot number the {chunk} slots of a chunk", at,
                       other, help=f"at most {slots_of(bits)} slots a chunk, {more}", about=("handles.kind",))
    elif c["handles.kind"] != "none" and isinstance(most, int) and most > slots_of(bits, chunk):
        at, other = check.blame("handles.index_bits", "capacity.max")
        check.conflict("BSP0219", f"handles with {bits} bits of index cannot number {most} slots", at, other,
                       help=f"at most {slots_of(bits, chunk)}, {more}", about=("handles.kind",))


def hooks(check: Check) -> None:
    c = check.c
    if c["hooks.move"] is not None and c["addresses"] == "stable" and c["element.by"] == "value":
        at, other = check.blame("hooks.move", "addresses")
        check.conflict("BSP0221", "elements with stable addresses never move", at, other,
                      help="leave out hooks.move")
    if c["hooks.reason"] and c.settings["hooks.reason"].origin == "spec" and not (c["hooks.remove"] or c["hooks.destroy"]):
        check.conflict("BSP0201", "'hooks.reason' means nothing unless there is a remove or a destroy hook", "hooks.reason",
                       help="leave it out, or name one, such as `hooks: {destroy: ship_sinks}`")
    if c["hooks.add_reason"] and c.settings["hooks.add_reason"].origin == "spec" and not c["hooks.add"]:
        check.conflict("BSP0201", "'hooks.add_reason' means nothing unless there is an add hook", "hooks.add_reason",
                       help="leave it out, or name one, such as `hooks: {add: ship_sails}`")
    if c["hooks.kept_context"] is not None:
        _kept_context(check, c["hooks.kept_context"])


def _kept_context(check: Check, kept: str) -> None:
    """What can be kept, and is it for anything?"""
    c = check.c
    path, why, advice = "hooks.kept_context", "", "leave it out"
    said = "hooks.context" in c.settings and c.settings["hooks.context"].origin != "default"
    told = ("hooks.add", "hooks.remove", "hooks.destroy", "hooks.update", "hooks.move", "identity.equal", "identity.hash")
    if c.is_layer:
        why, advice = "layers keep no context: all of them are one container to their callers", \
            "use a container for each layer, or give `hooks.context` to T_update"
    elif not kept.endswith("*"):
        why, advice = f"'{kept}' is no pointer, and containers compare contexts", f"use a pointer: `kept_context: {kept} *`"
    elif said:
        why, advice = "there are two contexts, and T_update takes none where one is kept", "leave out one of them"
    elif all(c[each] is None for each in told) \
            and not any(c[each] is not None and c[each].is_function for each in _ASKED) \
            and not any({"equal", "hash"} & set(each.settings) for each in c["indexes"] or ()):
        why = "no function of the spec takes a context"
        advice = "name one, such as `hooks: {destroy: ship_sinks}`, or leave it out"
    if why:
        check.conflict("BSP0258", why, path, *["hooks.context"] * said, help=advice)


def sizes(check: Check) -> None:
    """Names of the engine are no names of emitted functions; its size type is unsigned, and then no other type is size_t."""
    c = check.c
    for path in ("emit.export", "emit.assert", "emit.size_type"):
        if c[path] in reserved(c):
            check.conflict("BSP0310", f"'{c[path]}' cannot be '{path}': the emitted functions have parameters and variables of "
                          "that name", path, help="give it a name of its own")
    kind = c["emit.size_type"]
    if kind is None:
        return
    if kind in UNSIGNED:
        kind = inside(kind)
    words = kind.split()
    narrow = re.fullmatch(r"u?int(_fast|_least)?(8|16)_t", kind) or {"char", "short"} & set(words)
    if not re.fullmatch(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*", kind) or narrow \
        or {"struct", "union", "enum", "signed", "const", "volatile", "bool",
            "_Bool", "float", "double"} & set(words) or ({"int", "long"} & set(words) and "unsigned" not in words) \
            or re.fullmatch(r"int(_fast|_least)?\d+_t|intmax_t", kind):
        why = "is too narrow: C promotes types that are narrower than int" if narrow \
            else "is no integer, or a signed one whose unsigned type is not known"
        check.conflict("BSP0231", f"'{kind}' {why}", "emit.size_type",
                       help="use `uint32_t`, `int` or `int32_t`, or an unsigned type of the engine that has at least the bits of "
                            "an int and at most those of size_t")
        return
    if kind != "size_t":
        _meant(check, kind)


def _meant(check: Check, kind: str) -> None:
    """No other size_t of the spec is that of counts."""
    c = check.c
    texts = [(path, str(c[path]))
             for path in ("element.type", "hooks.context", "hooks.kept_context", "removal.expired", "capacity.keep",
                          "capacity.weight",
                          "identity.key", "identity.length", "identity.type", "sort.key", "sort.less")
             if c[path] is not None] + [("element.fields", member.type) for member in c["element.fields"] or ()]
    for path, text in texts:
        if re.search(r"\bsize_t\b", text):
            check.conflict("BSP0231", f"'size_t' in '{path}' would become '{kind}', too", path, "emit.size_type",
                          help="give it another name, such as `uintptr_t`, or a typedef")
            return


def testing(check: Check) -> None:
    c = check.c
    if c["test.expire"] is not None and (c["removal.expired"] is None or c["removal.expired"].is_function):
        check.conflict("BSP0224", "'test.expire' is for a 'removal.expired' that is an expression", "test.expire",
                      "removal.expired", help="leave it out: the generated test defines the function")
    if c["test.element"] is None:
        return
    kind = c["element.type"] or ""
    if is_built_in(kind) or kind.endswith("*") or kind.startswith("enum "):
        at, other = check.blame("test.element", "element.type")
        check.conflict("BSP0228", f"'test.element' makes what the members of an element point at, but '{kind}' has none", at,
                       other,
                       help="leave it out" + (f", or let the container point at them: `element: {{type: {kind.rstrip(' *')}, "
                                              f"by: pointer}}`" if kind.endswith("*") else ""))
    elif c["element.by"] == "value" and c["test.id"] is None and not plain_member(c["identity.key"]):
        check.conflict("BSP0257", "the test would not know again an element that 'test.element' has made", "test.element",
                       "element.by",
                       help="name a member for the number of the element, which is written after it: `test: {id: ..., element: "
                       + c["test.element"] + "}`", about=("test.id", "identity.key"))


def header(check: Check) -> None:
    """The emitted code must know the types it uses."""
    c = check.c
    if c["element.header"] is not None:
        return
    kind = c["element.type"]
    for member in (c["element.fields"] or ()) if kind is None else ():
        of, _, size = member.type.partition("[")
        of = of.strip()
        if not (is_built_in(of) and re.fullmatch(r"[\d\s\[\]]*", size)) \
                and not re.fullmatch(r"(const )?(struct|union) \w+ ?(const ?)?\*+", of):
            check.conflict("BSP0308", f"'{member.type}', the type of member '{member.name}', is no built-in type, so "
                          "'element.header' is needed", "element.fields", about=("element.header", "element.type"),
                          help="say where it is declared: `element: {header: " + header_of(of) + ", fields: ...}`")
            break
    advice = "say where it is declared: `element: {type: " + str(kind) + ", header: " + header_of(kind) + "}`"
    if kind is not None and not is_built_in(kind):
        reading = next((path
                      for path in ("element.link.next", "index.field", "removal.expired", "capacity.keep",
                          "capacity.weight",
                                   "identity.key", "identity.length", "sort.key", "sort.less",
                                  "test.id", "test.element", "test.expire")
                      if c[path] is not None
                      and (path in ("element.link.next", "index.field", "test.id", "test.element", "test.expire")
                                                  or not c[path].is_function)), None)
        pointed = c["element.by"] != "value" and re.fullmatch(r"(struct|union) \w+", kind)
        if pointed and reading and c["element.defined_in"] is None:
            check.conflict("BSP0308", f"'{reading}' reads a member of the element, so 'element.header' is needed", reading,
                          "element.type", help=advice, about=("element.header", "element.by"))
        elif not pointed:
            check.conflict("BSP0308", f"'{kind}' is no built-in type, so 'element.header' is needed",
                          "element.type", help=advice, about=("element.header", "element.by"))
    _contexts(check)


def _contexts(check: Check) -> None:
    """The types of contexts."""
    c = check.c
    for path in ["hooks.context"] * (c["hooks.update"] is not None) + ["hooks.kept_context"]:
        kind = c[path]
        if kind is None or is_built_in(kind) or kind.rstrip("* ") == c["element.type"] \
                or re.fullmatch(r"(const )?(struct|union) \w+ ?\*", kind):
            continue
        check.conflict("BSP0308", f"'{kind}' is no built-in type, so a header that declares it is needed", path,
                       help="have the element's header declare it, and give that as 'element.header'",
                       about=("element.header", "element.type"))


RULES: Tuple[Callable[[Check], None], ...] = (
    applies, bits, direct, capabilities, expired, promised_order, update_in_header, searched_links,
    identity, keys, index, named_indexes, links, sorting, deferral, locking,
    fail_fast, replacing, weighed, capacity, kept, handle_bits, hooks,
    threads, allocator, freestanding, sizes, members, testing, columns, saving, snapshots,
    recorded_changes, sides, shared_handles, by_name, contracts, header,
)


def check_rules(container: Container, diagnostics: Diagnostics, spoilt: Iterable[str], preset: Optional[Span],
                mends: Callable[..., bool]) -> None:
    """Checks one container by all rules."""
    check = Check(container, diagnostics, spoilt, preset, mends)
    for rule in RULES:
        rule(check)
