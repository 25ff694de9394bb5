"""What the header says of a container before its types: the overview, with the contract of passes, an example and the costs."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from ..language.model import TREE
from ..language.presets import PRESETS
from ..operations.operation import cost_table
from ..parts.container_parts import Parts
from ..parts.element import LINKS, NUMBERS
from ..text.naming import Names, nameless, placed, plain
from ..text.sentences import enumerated, sentence, sentences
from ..text.units import where, wrapped_text
from ..types.declare import constant, declare, pointer_to

_SEEN_AT_A_GLANCE = 12  # functions: each says what it costs
Has = Callable[[str], bool]  # is an operation emitted? `each` is the loop


def walk_comment(T: Names, example: str) -> str:
    """What stands above the loop of C++."""
    return (f"And in C++17: {example}. With a name, auto pass = {T.each}(&list), "
                   + where(T.remove_current, "it takes pass.remove_current(), and ")
                   + "a second loop over it continues where the first was left.")


def walk_example(p: Parts, T: Names) -> str:
    """A loop of C++ over container T: the elements themselves where it holds them."""
    E = p.E if p.passes.offered else constant(p.E)
    shown = declare(E, "&element") if p.element.by_value else declare(pointer_to(E), "element")
    shown = f"{p.size} {p.element.named}" if p.element.rows else shown
    return f"for ({shown} : {T.each}(&list)) {{ ... }}"


def summary(p: Parts) -> str:
    what = f"pointers to {p.E}" if p.element.by_pointer and not p.element.intrusive else f"{p.E}"
    if p.element.columns:
        what += " in columns"
    once = ", one for each key" if p.adding.replaces else ", unique" if p.adding.unique else ""
    return f"{what}, {p.order.in_words}{once}"


def _descendants(p: Parts) -> str:
    """On which side of its descendants a pass over a tree visits an element."""
    return "an element is visited " + {"forward": "before its descendants", "backward": "after its descendants, of which the "
                                                                                        "last come first",
                                       "both": "before its descendants, and in a backward pass after them"}[p.passes.direction]


def _added_ahead(p: Parts, has: Has) -> str:
    """Which elements a pass visits that are added during it, and when."""
    late = {"forward": "", "backward": ", after the first one",
            "both": "; if that goes backward, after the first one"}[p.passes.direction]
    if p.order.by_number:
        larger = {"forward": "larger", "backward": "smaller", "both": "larger, or smaller where the pass goes backward,"}[
            p.passes.direction]
        it, one = ("it", "the one") if not p.element.stored else ("its key", "that of the one")
        return f" if {it} is {larger} than {one} that the pass has visited last"
    if not p.order.inserts:
        return late + {"forward": ", but not if it is added as the first", "backward": "",
                       "both": "; as the first it is visited only then"}[p.passes.direction] * p.order.both_ends
    late = ""
    if p.passes.sides:
        late = "; one that is put beside another only if that one is still to be visited"
    if p.order.tree and p.passes.goes_backward and has("add"):
        late = f". A {'backward ' * p.passes.both_ways}pass that has gone by the last element does not visit what {p.T.add} adds"
    elif not p.order.tree and p.passes.goes_backward:
        late += f"; {'if that goes backward, ' * p.passes.both_ways}one that is added last is visited after the first one"
    return late if p.passes.sides else " if it is added ahead of it, also right where the pass continues" + late


def _some_are_behind(p: Parts) -> bool:
    """May an add to an empty container be behind a pass?"""
    return p.order.by_number or p.order.tree and p.passes.goes_backward


def _moved(p: Parts, has: Has) -> List[str]:
    """What they see of moves."""
    moved = p.order.moves and any(has(f"move_{name}") for name in ("before", "after", "to_front", "to_back"))
    subtree = ", with all its descendants," * p.order.reparents
    again = f"visited{subtree} if it is ahead of the pass then, also a second time."
    if not (moved or p.order.reparents or p.order.exchanges and has("swap_places")):
        return []
    if p.passes.removes_current:
        return ["no element may be moved."]
    if p.passes.bounded and not p.order.free:
        return [f"an element that is moved is not visited by live passes{', nor are its descendants' * p.order.reparents}."]
    if not (moved and p.passes.marks):
        return ["an element that is moved is " + again]
    return ["an element that is moved is visited if the pass has still to visit it and it is ahead of the pass then, and never a "
            "second time."] + ["one whose place is exchanged is " + again] * (p.order.exchanges and has("swap_places"))


def _immediate(p: Parts, has: Has, expires: List[str]) -> List[str]:
    """What passes see of changes that take effect immediately."""
    c, T = p.container, p.T
    lines = []
    if c["iteration.removes"] == "current":
        lines.append("only the element that the pass stands on may be removed"
                     + (f", through {T.remove_current}." if has("remove_current") else "."))
    else:
        lines.append("any element may be removed, by any call. A removed element is not visited; every other is visited exactly "
                     "once.")
    lines.append({"visited": f"an element that is added is visited in the same pass{_added_ahead(p, has)}.",
                  "next": "an element that is added is visited from the next pass on."}[c["iteration.adds"]])
    lines += _moved(p, has)
    if p.adding.overwrites:
        which = "the element at the other end" if p.adding.kept is None else "the first one that is not kept"
        if p.weight.any:
            which = f"as many elements as must make way, {'none that is kept, ' * (p.adding.kept is not None)}the oldest first"
        lines.append(f"an add to a full container removes {which}, also the current one of a pass; all others are visited "
                     "exactly once.")
    if p.adding.replaces:
        lines.append("an element that replaces another is visited if that one was still to be visited."
                     + (f" A {T.clear} {'or removal ' if p.order.tree else ''}in progress removes it instead."
                        if has("clear") and p.removal.notifies_each else ""))
    lines += expires
    if p.order.tree:
        lines.append(f"{_descendants(p)}. It is removed with all of them, the last one first"
                     + (", and so it expires: passes skip its descendants, too." if p.removal.expired is not None else "."))
    if has("clear"):
        lines.append(f"{T.clear} removes all elements: live passes visit none of them"
                     + ("; elements added after it are "
                        f"visited{' if they are ahead' * _some_are_behind(p)}."
                        if c["iteration.adds"] == "visited" else "."))
    return lines


def _left(p: Parts, has: Has) -> str:
    """What becomes of a pass that is left."""
    T = p.T
    if not p.passes.removes:
        return ", and need not be ended."
    if not has("settle"):
        return f", but must be ended then: otherwise it is live until {T.deinit}."
    kept = f" (with {T.keep} until its end)" * p.passes.keeps
    return f". One that is neither finished nor ended is live until {T.settle}{kept}" \
        f"{', which delays compaction' * p.removal.tightens}."


def _directions(p: Parts, has: Has) -> List[str]:
    """The order in which passes go, if that is another one than from the first to the last."""
    if p.passes.direction == "backward" and p.passes.goes_backward:
        return ["the last element comes first."]
    if p.passes.direction == "both" and has(p.passes.loop):
        each, back = (p.TT[loop] for _, loop, _ in (p.passes if p.passes.offered else p.readers).begins)
        return [f"{each} goes forward, {back} backward."]
    return []


def _readers(p: Parts, has: Has) -> List[str]:
    """What holds of the only passes that there are."""
    over = f"; {p.T.was_changed_const} reports it" * has("was_changed_const")
    return ["all are readers, which go over a const container and write nothing: any number may go on at the same time, in any "
            "number of threads, and each may be left at any point.",
            "no change is allowed during one: an add, a removal, a clear, a sort, or anything else that moves elements ends "
            f"every reader that began before{over}. With BESPOKE_CHECKS its next step is misuse and stops the program.",
            *[f"{_descendants(p)}."] * p.order.tree]


def contract(p: Parts, has: Has) -> List[str]:
    c, T = p.container, p.T
    lines = _directions(p, has)
    expires = []
    if p.removal.expired is not None:
        who = ["a pass that reaches it"] * p.removal.sweeps + [T[name] for name in ("settle",) * p.removal.sweeps
                                                           + ("update",) * p.removal.policy.updates if has(name)]
        expires = ["an expired element is not visited" + (f": {' or '.join(who)} removes it." if who else ".")]
    if not p.passes.offered:
        return lines + _readers(p, has)
    if not p.passes.removes:
        lines.append("no change is allowed: an add, a removal, a clear, a sort, or anything else that moves elements ends every "
                     "live pass. "
                     + (f"{T.next} then returns {p.nil}, as at the end" if has("next") else "Its loop then ends, as at the end")
                     + (f"; {T.was_changed} distinguishes the two." if has("was_changed") else "."))
        if p.order.tree:
            lines.append(f"{_descendants(p)}.")
    elif p.when.by_passes:
        lines.append("nothing changes: adds, removals and clears are pending until the last pass (and lock) ends, and are then "
                     "applied in the order in which they were made. Removed elements are still visited until then.")
        lines += expires
    else:
        lines += _immediate(p, has, expires)
        lines += p.when.between_locks(has)
    lines += [p.passes.how_many + p.passes.one_more, f"a pass may be left at any point{_left(p, has)}"]
    if p.removal.notifies_each:
        hooks = [name for name in ("remove", "destroy") if p.hooks[name] is not None]
        run, them, they_have = ("hook runs", "it", "it has") if len(hooks) == 1 else ("hooks run", "them", "they have")
        lines.append(f"the {' and '.join(hooks)} {run} once for each element, after its removal, with the final count."
                     + (" If it was replaced, the new one is in the container by then." if p.adding.replaces else "")
                     + (f" The add hook runs after {them}, unless {they_have} removed the new one."
                        if p.adding.replaces and p.hooks["add"] else ""))
    return lines


def _added(p: Parts, call: str) -> str:
    """A call of T_add, which may be refused."""
    return f"if ({call} != {p.TT.OK}) {{ ... }}" if p.adding.fails else f"{call};"


def begun(p: Parts, T: Names) -> List[str]:
    """How an example makes a container, and an empty line."""
    given = ["context"] * p.allocator.custom + ["context"] * (p.kept_context is not None and bool(p.chosen))
    given += ["100"] * len(p.chosen)
    return [f"{T} list;", "", f"{T.init}({', '.join(['&list', *given])});"] if given else [f"{T} list = {{0}};", ""]


def _example(p: Parts, has: Has) -> List[str]:
    T, TT = p.T, p.TT
    name = "element"
    lines = begun(p, T)
    add = "element" if p.element.by_pointer else f"({p.E}){{...}}" if p.E.startswith(("struct ", "union ")) else "element"
    if has("add"):
        lines += [_added(p, f"{T.add}(&list, {add})")]
    if p.adding.emplaces and p.handles.given and has("emplace") and has("handle_of"):
        lines += [f"{declare(p.ref, 'added')} = {T.emplace}(&list);",
                  f"if (added != {p.nil}) {{ {'' if p.element.rows else '*added = '}...; handle = {T.handle_of}(&list, added); "
                  f"}}"]
    name = p.element.named if p.element.rows else name
    if p.element.columns and has(p.element.lanes[0].name) and has("chunk_count" if p.storage.chunk else "rows"):
        member = p.element.lanes[0].name
        kind = declare(pointer_to(p.element.lanes[0].type), member)
        if p.storage.chunk:
            lines += [f"for ({p.size} number = 0; number < {T.chunk_count}(&list); number++) {{",
                      f"    {kind} = {T[member]}(&list, number);", "",
                      f"    for ({p.size} i = 0; i < {TT.CHUNK}; i++) {{ {member}[i] = ...; }}", "}"]
        elif p.removal.bitmap:
            lines += [f"for ({p.size} row = 0; row < {T.rows}(&list); row += 64) {{",
                      f"    {kind} = {T[member]}(&list) + row;", "",
                      f"    for ({p.size} i = 0; i < 64; i++) {{ {member}[i] = ...; }}", "}"]
        else:
            lines += [f"for ({p.size} row = 0, rows = {T.rows}(&list); row < rows; row += 64) {{",
                      f"    {kind} = {T[member]}(&list) + row;", "",
                      "    if (rows - row >= 64) {", f"        for ({p.size} i = 0; i < 64; i++) {{ {member}[i] = ...; }}",
                      "    } else {",
                      f"        for ({p.size} i = 0; i < rows - row; i++) {{ {member}[i] = ...; }}", "    }", "}"]
    if has("each") and has("remove_current") and p.passes.removes:
        lines += [f"{TT.EACH}(&list, {name}) {{",
                  f"    if (...) {{ {T.remove_current}(&{name}_cursor); }}",
                  "}"]
    elif has(p.passes.loop):
        lines.append(f"{TT[p.passes.loop.upper()]}(&list, {name}) {{ ... }}")
    if p.removal.policy.updates and has("update"):
        lines.append(f"{T.update}(&list{', context' * (p.update_context is not None)});")
    lines.append(f"{T.deinit}(&list);")
    return lines + ["", f"and in C++17: {walk_example(p, T)}"] * (has(p.passes.loop) and p.container["emit.cplusplus"])


def _loops_over_columns(p: Parts, has: Has) -> str:
    """What compilers make vector instructions of."""
    own = [f"`{lane.name}`" for lane in p.element.lanes[:-1]]
    cold = sentence(f"{enumerated(own)} {'have their own columns' if len(own) > 1 else 'has its own column'}; the other members "
                    "are stored together", f", in that of {p.T.cold}" * has("cold")) if p.element.cold else ""
    chunks = bool(p.storage.chunk)
    return sentences(
        cold,
        sentence(f"Each column {'of a chunk ' * chunks}begins at a multiple of {p.TT.ALIGNMENT} bytes",
                 ", so a container that is allocated must begin at one, too" * bool(p.storage.inline)),
        sentence("Compilers vectorise loops of constant length, also gcc at -O2: ",
                 "over a whole chunk" if chunks else "over 64 rows at a time, in a function that takes the columns as `restrict` "
                                                     "if there are several"),
        f"{p.T.masks} lists for such loops which rows have elements." * (p.removal.bitmap and has("masks")))


def bytes_per_element(p: Parts) -> str:
    """What an element costs beside itself, in words, and what one does that is pending."""
    text = _bytes_per_slot(p) if p.element.stored else _bits(p)
    if p.workers.journals:
        text += (f"; a journal for each of {p.workers.limit} workers, whose first change reserves 16 entries, and which doubles "
                 f"when it is full: each holds sizeof({p.item}) and some words; and while they are merged a bit for each slot")
    if p.inbox.queue:
        text += f"; an inbox in the struct, {p.inbox.limit} times sizeof({p.item}) and a number"
    return text


def _bytes_per_slot(p: Parts) -> str:
    if p.element.intrusive:
        links = len([name for name in (*LINKS, *NUMBERS) if p.container[f"element.link.{name}"] is not None]) \
            + len(TREE) * len(p.indexes.named)
        return f"{links} members of each element; no memory is allocated"
    parts = [f"sizeof({p.item})"]
    if p.element.columns:
        kinds = [lane.type for lane in p.element.lanes]
        parts = [" + ".join(f"{kinds.count(kind)} * sizeof({kind})" if kinds.count(kind) > 1 else f"sizeof({kind})"
                            for kind in dict.fromkeys(kinds))]
    parts += [f"sizeof({column.type})" for column in p.order.columns if not column.bits]
    keeping = (p.removal, p.passes, p.links, p.order, p.handles, p.changes, p.side, p.when, p.indexes)
    bits = sum(part.slot_bits for part in keeping)
    beside = f" and about {round(bits / 8, 1):g} bytes" if bits >= 8 else f" and {bits} bit{'s' if bits > 1 else ''}" * bool(bits)
    return f"{' + '.join(parts)} for each slot{beside}{p.indexes.memory_words}{_slots(p)}"


def _slots(p: Parts) -> str:
    """How many there are, and when, as clauses."""
    room = f"{p.fixed(p.limit) or 'as many'} slot{'s' if p.limit != 1 else ''}{' as the maximum' if 'max' in p.chosen else ''}"
    if p.storage.inline:
        return f"; {room}, all in the struct, no memory is allocated"
    if p.storage.fixed:
        return f"; {room}, allocated by the first add"
    chunks = f", in chunks of {p.storage.chunk} slots" * bool(p.storage.chunk)
    first = p.storage.first_slots
    grows = f", a full container grows by a factor of {p.container['capacity.growth']:g}"
    first_made = f"the first add makes {first} slot{'s' if first != 1 else ''}" + " or more, up to its key" * p.order.by_number
    return f"{chunks}; {first_made}" \
        + (", the capacity limit" if p.fixed(p.limit) is not None and first >= p.limit else grows + _limit(p))


def _limit(p: Parts) -> str:
    return "" if p.limit is None else ", up to the maximum" if "max" in p.chosen else f", up to {p.limit}"


def _bits(p: Parts) -> str:
    """The same where an element is a bit."""
    if p.storage.inline:
        return f"{p.limit} bits, all in the struct, no memory is allocated"
    if p.removal.spread:
        chunk = p.container["storage.chunk"]
        return f"{chunk // 8 + 4} bytes for each {chunk} numbers of which one is in it, side by side; the first add makes " \
            f"{p.storage.first_slots // chunk} of these, more grow by a factor of {p.container['capacity.growth']:g}"
    return f"a bit for each number up to the largest that was added; the first add makes {p.storage.first_slots} bits, " \
        f"more grow by a factor of {p.container['capacity.growth']:g}{_limit(p)}"


def threads(p: Parts, has: Has, T: Names) -> str:
    """Which calls may run side by side, as a sentence."""
    alone = "any other call must be the only one"
    beside = ["those of workers"] * bool(p.workers.journals) + [T.inbox_add] * has("inbox_add")
    return (f"functions that take a const {T} may run side by side in any number of threads; {alone}"
            + (f", but for {' and '.join(beside)}" if beside else "") + ".")


class Said:
    """What overviews of one header have said: what is the same of a later container, but for names, refers to the first."""

    def __init__(self) -> None:
        self._by_text: Dict[str, Names] = {}

    def once(self, plan: Any, begins: str, text: str) -> Optional[str]:
        """The reference, or None: this is the first. `begins`: what a paragraph begins with."""
        alike = begins + nameless(text, (plain(plan.T), plan.container.function(""), plan.TT[""]), plan.parts.E)
        first = self._by_text.setdefault(alike, plan.T)
        return None if first is plan.T else f"{begins} see {first}."


def overview_of(plan: Any, size: Optional[int], said: Said) -> str:
    """The comment at the top of the container's half of a header. `said`: in those before it."""
    p, has, c, T = plan.parts, plan.has, plan.container, plan.T
    lines: List[str] = []
    title = PRESETS[c.preset].title if c.preset in PRESETS else None
    head = f"{T}: {plan.summary}" + (f" ({title})" if title else "")
    lines += wrapped_text(head + ".", 114)
    if title:
        lines += [""] + wrapped_text(placed(T, PRESETS[c.preset].text(has, p.passes.direction)), 114)
    if any(map(has, (p.passes.loop, "begin" if p.passes.offered else "begin_const", "begin_backward", "update", "prune"))):
        rules = [f"{'- ' if at == 0 else '  '}{line}" for rule in plan.contract
                 for at, line in enumerate(wrapped_text(rule, 112))]
        lines += [""] + paragraph(said, plan, "During a pass:" if p.passes.offered else "Passes:", rules)
    if p.element.columns:
        lines += [""] + wrapped_text(_loops_over_columns(p, has), 114)
    lines += [""] + paragraph(said, plan, "For example:", ["    " + line if line else "" for line in _example(p, has)])
    lines += ends_of(plan, size, threads(p, has, T), said)
    body = "\n".join((" * " + line).rstrip() for line in lines)
    return "/*\n" + body + "\n */"


def paragraph(said: Said, plan: Any, begins: str, lines: List[str]) -> List[str]:
    """A paragraph below what it begins with, or where to find one like it."""
    same = said.once(plan, begins, "\n".join(lines))
    return [begins, *lines] if same is None else [same]


def ends_of(plan: Any, size: Optional[int], side_by_side: str, said: Said) -> List[str]:
    """How an overview ends: what calls cost, where they are so many that a table helps, what memory they take, and which threads
    may call them."""
    lines = [""]
    if sum(not operation.private for operation in plan.operations) > _SEEN_AT_A_GLANCE:
        lines += cost_table(plan.container, plan.operations) + [""]
    lines += wrapped_text(f"Memory: {plan.memory(size)}.", 114)
    return lines + wrapped_text(said.once(plan, "Threads:", side_by_side) or f"Threads: {side_by_side}", 114)
