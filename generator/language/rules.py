"""Which values may stand together.

What each removal policy keeps of the contract stands in `policies.py`. The rules compare a container with it and
name both lines that conflict, why, and which values would work.
"""

import itertools
import re
from typing import Any, Callable, Dict, Iterable, List, Optional, Set, Tuple

from .policies import AXES, POLICIES, STORAGES, WHY_ONLY, Way, ways
from ..text import identifiers
from ..text.diag import Diagnostics, Note, Span, did_you_mean, visible
from ..text.identifiers import is_built_in
from . import soa
from .keys import BY_PATH, choices, in_yaml
from .model import Container

MOST_INLINE = 1 << 20
MOST_KEYS = 1 << 28
FLOATING = frozenset({"float", "double", "long double", "double long"})
# Parameters and variables of the emitted functions, which a global name would clash with.
LOCALS = frozenset("""
    a address adds alive at b backward begun behind bit bits block born boundaries boundary branch buffer by_address bytes capacity change
    changes chunk chunks coming context count current cursor done doomed drawing edge elder elders element element_
    elements entry extra first frame fresh from gap generation generations gone half handle hash held high hint hole home i id
    ids index items journal kept key kind lane large last layer left lefts list list_ listener live low mask masks
    memory middle mine most moved moving new_bytes next noted number offset old old_bytes on one operation other
    parent part parts pass place prev reach reason removed rest retired right rights room root row rows scale seconds serial shift sibling
    siblings sign size slack slot slots span spared spark start status table taken tick tied to todo used wanted width word words
    """.split())


# Of these, what a failure that the generated test prints as a program has at file scope, beside the user's functions.
TOLD = frozenset("at cursor fresh held key list other taken".split())


# What a container cannot be called because of the generated test: functions of its own begin with `bt_` and the container's name.
TESTED = frozenset("due find label labels letter ALIVE ELSEWHERE LABELS".split())


def why_no_container(name: str) -> Optional[str]:
    """None if a container can have this name in emitted code; otherwise what is wrong with it."""
    problem = identifiers.check_identifier(name)
    if not problem and name in LOCALS:
        problem = "the emitted functions have parameters and variables of that name"
    if not problem and name in TESTED:
        problem = "the generated test has functions and variables of that name"
    return problem


def locals_of(container: Container) -> Set[str]:
    """What parameters and variables of a container's functions are called."""
    return LOCALS.union(f"{lane.name}_" for lane in soa.lanes(container))


def slots_of(bits: int, granule: int = 64) -> int:
    """How many slots handles with so many bits can name; they come in words of 64, or in whole chunks."""
    return (2 ** bits - 1) // granule * granule


def asked_of(container: Container) -> List[str]:
    """The axes that the arrangement of slots has to keep for this container."""
    paths = [path for path in (*AXES, "capacity.inline", "layout") if path != "addresses" or container["element.by"] == "value"]
    storage = container.settings.get("storage.kind")  # one that follows from the policy asks nothing of it
    return paths + (["storage.kind"] if storage is not None and storage.origin != "derived" else [])


def serving(policy: str, container: Container, but: Tuple[str, ...] = ()) -> Optional[Way]:
    """The best way in which a removal policy keeps what the other axes (but some) ask for."""
    paths = [path for path in asked_of(container) if path not in but]
    return next((way for way in ways(policy) if all(way.allows(path, container[path]) for path in paths)), None)


def way_of(container: Container) -> Way:
    """The way in which a container without conflicts keeps its slots."""
    paths = asked_of(container)
    return next(way for way in ways(container["removal.policy"]) if way.storage == container["storage.kind"]
                and all(way.allows(path, container[path]) for path in paths))


def keeps(policy: str, container: Container, *but: str) -> bool:
    """Does a removal policy keep what the other axes (but some) ask for?"""
    return serving(policy, container, but) is not None


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
    merges = c["sort.when"] == "begin" and c["storage.kind"] != "linked"
    return in_memory(c) or merges or c["removal.when"] == "deferred"


def auto_storage(container: Container) -> Tuple[str, str]:
    """The storage that `storage: auto` stands for, and the reason."""
    c = container
    policy = c["removal.policy"]
    best = serving(policy, c) or next(ways(policy))
    if c["addresses"] == "stable" and c["element.by"] == "value" and c["capacity.max"] is None:
        for way in ways(policy):  # without a maximum it grows
            if STORAGES[way.storage].stays and all(way.allows(path, c[path]) for path in asked_of(c)):
                best = way
                break
    return best.storage, STORAGES[best.storage].reason


def auto_removal(container: Container) -> Tuple[str, str]:
    """The policy that `removal: auto` stands for, and the reason."""
    wished, reason = _wished_removal(container)
    asked = container["removal.expired"] is not None
    if keeps(wished, container) and (POLICIES[wished].expired != "no" or not asked):
        return wished, reason
    for policy in dict.fromkeys(("swap", "compact", "tombstone", "prune", *POLICIES)):  # the cheapest first
        if keeps(policy, container) and (POLICIES[policy].expired != "must" or asked) \
                and (POLICIES[policy].expired != "no" or not asked):
            return policy, "it is the one that keeps the contract"
    return wished, reason


def _wished_removal(container: Container) -> Tuple[str, str]:
    if container["handles.kind"] != "none":
        return "reuse", "a handle is the number of a slot where elements do not move"
    if container["addresses"] == "stable" and container["element.by"] == "value":
        return "reuse", "elements must not move"
    if container["removal.when"] == "deferred":
        return "tombstone", "slots keep their number until the journal is replayed"
    if container["hooks.update"] is not None and container["ordering"] == "unordered":
        return "back_copy", "there is an update hook and order is free: one sweep updates and lets go, one move for each"
    if container["hooks.update"] is not None:
        return "prune", "there is an update hook: one sweep updates and lets go"
    if container["removal.expired"] is not None:
        return "tombstone", "elements say themselves that they are gone"
    if container["ordering"] == "unordered":
        return "swap", "order is free, so the last element can fill the hole: one move per removal"
    if container["index.kind"] != "none":
        return "tombstone", "order is kept and nothing behind the hole is renumbered"
    return "compact", "order is kept at one move per element and pass, however many leave"


def _either(path: str, values: List[str]) -> str:
    """`removal: swap`, `shift` or `compact`."""
    first, *rest = values
    words = [in_yaml(path, first)] + [f"`{value}`" for value in rest]
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


class Rules:
    """Checks one container; every conflict names both lines.

    `spoilt` are paths that something was said about already, `preset` is the line that names the preset.
    """

    def __init__(self, container: Container, diagnostics: Diagnostics, spoilt: Iterable[str] = (),
                 preset: Optional[Span] = None):
        self.c = container
        self.diagnostics = diagnostics
        self.spoilt: Set[str] = set(spoilt)
        self.preset = preset

    def conflict(self, code: str, message: str, at: str, other: Optional[str] = None, help: Any = None,
                 about: Tuple[str, ...] = (), because: Iterable[str] = (), span: Optional[Span] = None) -> None:
        """Reports a conflict at one key (or a part of its value, the span) with another. `about`: what else it depends on;
        `because`: what each way comes to."""
        if self.spoilt & {at, other, *about}:
            return
        span = span or self.c.span_of(at)
        notes: List[Note] = []
        aside = []  # what has no line of its own to be shown at
        setting = self.c.settings.get(at)
        if setting is not None and setting.origin == "preset" and setting.span == self.preset:
            aside.append(f"{in_yaml(at, setting.value)} is from preset '{setting.source}'")
        if other is not None:
            note = self._describe(other)
            if note.span == span:
                aside.append(note.message)
            else:
                notes.append(note)
        if setting is not None and setting.origin == "preset" and self.preset not in (None, span):
            notes.append(Note(f"container '{self.c.name}' uses preset '{setting.source}' here", self.preset))
        elif setting is not None and setting.origin == "defaults":
            notes.append(Note(f"container '{self.c.name}' has it from these defaults", self.c.span))
        if aside:
            message += f" ({', '.join(aside)})"
        self.diagnostics.error(code, message, span, help=help, notes=notes + [Note(reason) for reason in because])

    def _value(self, path: str) -> str:
        value = self.c[path]
        if value is None:
            return "is not given"
        return "is " + (str(value).lower() if isinstance(value, (bool, int, float)) else f"'{value}'")

    def _describe(self, path: str) -> Note:
        setting = self.c.settings.get(path)
        origin = ""
        if setting is not None:
            origin = {"preset": f", from preset '{setting.source}'", "defaults": ", from the defaults",
                      "default": ", by default", "derived": f", since {setting.source}"}.get(setting.origin, "")
        return Note(f"'{path}' {self._value(path)}{origin}", self.c.span_of(path))

    def blame(self, *paths: str) -> Tuple[str, ...]:
        """The paths with the one that the spec itself says in front."""
        rank = {"spec": 0, "preset": 1, "defaults": 2, "derived": 3, "default": 4}
        settings = self.c.settings
        return tuple(sorted(paths, key=lambda path: rank[settings[path].origin] if path in settings else 5))

    # -- the rules ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        for rule in RULES:
            rule(self)

    def applies(self) -> None:
        """A key that means nothing beside the other values was meant to do something."""
        for path, setting in list(self.c.settings.items()):
            for other, allowed in BY_PATH[path].only.items():
                if self.c[other] in allowed:
                    continue
                if setting.origin == "spec":
                    works = [value for value in allowed if other != "removal.policy" or keeps(value, self.c)] or allowed
                    self.conflict("BSP0201", f"'{path}' means nothing unless '{other}' is "
                                  + " or ".join(f"'{value}'" for value in allowed), path, other,
                                  help=f"leave it out, or use {' or '.join(in_yaml(other, value) for value in works)}")
                else:
                    self.c.settings.pop(path, None)

    def capabilities(self) -> None:
        """Is there a way to arrange the slots that keeps all axes? If not, the fewest that stand in each other's way."""
        policy = self.c["removal.policy"]
        if keeps(policy, self.c):
            return
        if self.c.settings["removal.policy"].origin == "derived" and self._no_policy():
            return
        clashes = [path for path in asked_of(self.c) if not any(way.allows(path, self.c[path]) for way in ways(policy))]
        for path in clashes:
            self._cannot_keep(policy, path)
        if not clashes:
            self._cannot_keep_both(policy)

    def _cannot_keep(self, policy: str, path: str) -> None:
        value = self.c[path]
        why = WHY_ONLY.get((path, value)) or next((way.why(path) for way in ways(policy) if way.why(path)), None)
        works = [name for name in POLICIES if any(way.allows(path, value) for way in ways(name))
                 and keeps(name, self.c, path)]
        if path == "capacity.inline":
            at, other = self.blame(path, "removal.policy")
            self.conflict("BSP0214", f"{in_yaml('removal.policy', policy)} cannot live in inline storage: {why}", at,
                          other, help=f"removal can be: {', '.join(works)}" if works else
                          f"leave out capacity.inline: only '{policy}' keeps the rest of the contract")
            return
        at, other = self.blame("removal.policy", path)
        advice = []
        if works:
            advice.append(f"with {in_yaml(path, value)}, removal can be: {', '.join(works)}")
        advice.append(f"with {in_yaml('removal.policy', policy)}, {path} can be: "
                      + ", ".join(choice for choice in choices(path)
                                  if choice != "auto" and any(way.allows(path, choice) for way in ways(policy))))
        self.conflict("BSP0202", f"{in_yaml('removal.policy', policy)} cannot keep {in_yaml(path, value)}"
                      + (f": {why}" if why else ""), at, other, help=advice)

    def _cannot_keep_both(self, policy: str) -> None:
        """Each axis by itself goes with the policy, but in different kinds of storage."""
        for first, second in itertools.combinations(asked_of(self.c), 2):
            if any(way.allows(first, self.c[first]) and way.allows(second, self.c[second]) for way in ways(policy)):
                continue
            at, other = self.blame(first, second)
            why = [f"with {in_yaml('storage.kind', way.storage)} {way.why(path)}" for way in ways(policy)
                   for path in (first, second) if not way.allows(path, self.c[path]) and way.why(path)]
            works = [name for name in POLICIES if name != policy and keeps(name, self.c)]
            advice = [f"removal can be: {', '.join(works)}"] if works else []
            for path, fixed in ((at, other), (other, at)):
                values = [choice for choice in choices(path) or (False, True) if choice != "auto" and any(
                    way.allows(path, choice) and way.allows(fixed, self.c[fixed]) for way in ways(policy))]
                if values:
                    advice.append(f"with {in_yaml(fixed, self.c[fixed])}, {path} can be: "
                                  + ", ".join(str(value).lower() for value in values))
            self.conflict("BSP0202", f"{in_yaml('removal.policy', policy)} cannot keep {in_yaml(at, self.c[at])} "
                          f"and {in_yaml(other, self.c[other])} at once" + (f": {'; '.join(dict.fromkeys(why))}" if why else ""),
                          at, other, help=advice or None, about=("removal.policy",))
            return

    def _no_policy(self) -> bool:
        """Removal is left to Bespoke: is there no policy for what the other axes ask?"""
        axes = asked_of(self.c)
        for count in range(1, len(axes) + 1):
            for paths in itertools.combinations(axes, count):
                if any(all(way.allows(path, self.c[path]) for path in paths) for way in ways()):
                    continue
                ordered = self.blame(*paths)
                first, rest = ordered[0], ordered[1:]
                advice = []
                for path in ordered:
                    works = [choice for choice in choices(path) if choice != self.c[path] and any(
                        way.allows(path, choice) and all(way.allows(p, self.c[p]) for p in paths if p != path)
                        for way in ways())]
                    if works:
                        advice.append("or ".join(("", in_yaml(path, works[0]))) if advice else "use "
                                      + in_yaml(path, works[0]))
                self.conflict("BSP0227", "no way to remove elements keeps both "
                              + " and ".join(in_yaml(path, self.c[path]) for path in ordered), first,
                              rest[0] if rest else None, help=", ".join(advice) or None, about=rest,
                              because=self._obstacles(paths))
                return True
        return False

    def _obstacles(self, paths: Tuple[str, ...]) -> List[str]:
        """Why the ways that keep all of these values but one do not keep that; rather those that keep all else, too."""
        for asked in (asked_of(self.c), list(paths)):
            reasons: Dict[str, List[str]] = {}
            for path in paths:
                others = [other for other in asked if other != path]
                for way in ways():
                    if not way.allows(path, self.c[path]) and way.why(path) and all(way.allows(p, self.c[p]) for p in others):
                        policies = reasons.setdefault(way.why(path), [])
                        if way.policy not in policies:
                            policies.append(way.policy)
            if reasons:
                return [f"with {_either('removal.policy', policies)}, {reason}" for reason, policies in reasons.items()]
        return []

    def expired(self) -> None:
        policy = self.c["removal.policy"]
        if POLICIES[policy].expired == "must" and self.c["removal.expired"] is None:
            hook = self.c.settings["removal.policy"].origin == "derived" and self.c["hooks.update"] is not None
            self.conflict("BSP0203", f"{'an update hook' if hook else in_yaml('removal.policy', policy)} needs 'removal.expired'",
                          "hooks.update" if hook else "removal.policy",
                          help=f"say which elements leave: `removal: {{policy: {policy}, expired: element->hp <= 0}}`, "
                               "or name a function", about=("removal.policy", "removal.expired"))

    def identity(self) -> None:
        c = self.c
        by, how, kind = c["element.by"], c["identity.by"], c["element.type"] or ""
        if c["duplicates"] != "allow" and by == "value" and how == "address":
            at, other = self.blame("duplicates", "element.by")
            if c.settings["identity.by"].origin == "spec":
                at, other = "identity.by", at
            self.conflict("BSP0204", "an element held by value has no address before it is added, so duplicates "
                          "cannot be told by address", at, other, about=("identity.by", "element.by"),
                          help="say what makes two equal: `identity: {key: element->id}`, or `identity: value` for "
                               "integers, enums and pointers; or hold the elements by pointer")
        if c["duplicates"] == "replace" and by == "pointer" and how == "address":
            at, other = self.blame("duplicates", "identity.by")
            self.conflict("BSP0250", "an element held by pointer and known by its address could only be replaced by itself",
                          at, other, about=("element.by",), help=f"use {in_yaml('duplicates', 'reject')}, or say what "
                          "makes two equal: `identity: {key: element->id}`")
        if how == "key" and c["identity.key"] is None:
            self.conflict("BSP0205", "`identity: key` needs 'identity.key'", "identity.by",
                          help="give an integer: `identity: {key: element->id}`", about=("identity.key",))
        if how == "key" and by == "intrusive":
            at, other = self.blame("identity.by", "element.by")
            self.conflict("BSP0262", "an element that holds its own links is found by them, not by a key", at, other,
                          help=f"leave `identity` out, or use {in_yaml('element.by', 'pointer')} and "
                               f"{in_yaml('index.kind', 'hash')}")
        elif how == "value" and by != "value":
            at, other = self.blame("identity.by", "element.by")
            self.conflict("BSP0206", "elements held by pointer are told apart by address or by key, not by value", at,
                          other, help="leave `identity` out, or give a key: `identity: {key: element->id}`")
        elif how == "value" and not kind.endswith("*"):
            why = ""
            what, actual = c.type_info.stands_for(kind) if c.type_info is not None else ("", kind)
            record = what or " ".join(kind.split()[:1])
            if record in ("struct", "union"):
                why = f"C cannot compare two values of type '{kind}'" + (f", which is a {what}" if what and kind.split()[0] != what else "")
            elif actual in FLOATING:
                stands = f", which is '{actual}'," if actual != kind else ""
                why = f"values of type '{kind}'{stands} cannot be told apart exactly: rounding, NaN and two zeros"
            if why:
                at, other = self.blame("identity.by", "element.type")
                self.conflict("BSP0207", why, at, other, help="give an integer that tells them apart: "
                              "`identity: {key: element->id}`" if record in ("struct", "union") else
                              "hold integers, or a struct with a key")
        elif how == "key":
            known = self._type_of_key()
            what, actual = c.type_info.stands_for(known) if c.type_info is not None else ("", known)
            pointer = actual.endswith("*")
            record = not pointer and (what or actual.split(" ")[0]) in ("struct", "union")
            if record or pointer or actual.endswith("]") or actual in FLOATING or "int128" in actual:
                stands = f", which is '{actual}'" if actual != known else ""
                advice = "give an integer that tells them apart: `identity: {key: element->id}`"
                if known == kind and not record:  # it is the whole element
                    advice = f"use {in_yaml('identity.by', 'value')}" if pointer else "hold integers, or a struct with a key"
                self.conflict("BSP0207", f"'{c['identity.key']}' is of type '{known}'{stands}, and a key is an integer of at most 64 bits",
                              "identity.key", help=advice)

    def _type_of_key(self) -> str:
        """Of a key that is a member, if the members are known, or the whole element; else ''."""
        c = self.c
        text = str(c["identity.key"])
        path = re.fullmatch(r"element->([\w.]+)", text)
        if path is None:
            return (c["element.type"] or "") if re.fullmatch(r"\*\s*element", text) else ""
        if c["element.fields"] is not None:
            return next((member.type for member in c["element.fields"] if member.name == path[1]), "")
        member = c.type_info.member(path[1]) if c.type_info is not None else None
        return member.type if member is not None and member.name == path[1].split(".")[-1] else ""

    def index(self) -> None:
        c = self.c
        kind = c["index.kind"]
        if kind == "none":
            return
        if kind == "intrusive" and c["element.by"] == "value":
            at, other = self.blame("index.kind", "element.by")
            self.conflict("BSP0208", "an element held by value is found by its address; no place is written into it",
                          at, other, help=f"use {in_yaml('index.kind', 'none')}, or "
                          f"{in_yaml('element.by', 'pointer')}")
            return
        if kind == "intrusive" and c["index.field"] is None:
            self.conflict("BSP0209", "`index: intrusive` needs 'index.field'", "index.kind",
                          help="name a uint32_t member of the element: `index: {kind: intrusive, field: slot}`",
                          about=("index.field",))
        if kind == "intrusive" and c["identity.by"] == "key":
            at, other = self.blame("index.kind", "identity.by")
            self.conflict("BSP0229", "an intrusive index tells whether this very element is in, not one with the same "
                          "key", at, other, help=f"use {in_yaml('index.kind', 'hash')}, or leave out `identity`")
        if kind == "dense":
            self._dense()
        if c["duplicates"] == "allow":
            if kind == "hash" and c["element.by"] == "value" and c["identity.by"] == "address":
                at, other = self.blame("index.kind", "element.by")
                self.conflict("BSP0211", "elements held by value are found by their address without an index", at,
                              other, help=f"use {in_yaml('index.kind', 'none')}, or find them by a key: "
                              "`identity: {key: element->id}`, `duplicates: reject`", about=("identity.by",))
                return
            at, other = self.blame("index.kind", "duplicates")
            self.conflict("BSP0210", f"{in_yaml('index.kind', kind)} knows one place of an element, so no element can "
                          "be in twice", at, other, help=f"use {in_yaml('duplicates', 'reject')}, or "
                          f"{in_yaml('index.kind', 'none')}")

    def _dense(self) -> None:
        """A table by key needs integers, and memory for all that there may be."""
        c = self.c
        keys, kind = c["index.keys"], c["element.type"] or ""
        if c["identity.by"] == "address" or (c["identity.by"] == "value" and kind.endswith("*")):
            at, other = self.blame("index.kind", "identity.by")
            self.conflict("BSP0252", "a dense index is a table with an entry for each key, and addresses are no small integers",
                          at, other, help="give a key: `identity: {key: element->id}`, or use "
                          f"{in_yaml('index.kind', 'hash')}", about=("element.type", "identity.key", "duplicates"))
        if keys is None and c["capacity.inline"]:
            at, other = self.blame("index.kind", "capacity.inline")
            self.conflict("BSP0253", "the table of a dense index grows with the largest key, but inline storage never grows",
                          at, other, about=("index.keys",),
                          help="say below what number keys stay: `index: {kind: dense, keys: 1024}`")
        most = MOST_INLINE if c["capacity.inline"] else MOST_KEYS
        if keys is not None and keys > most:
            self.conflict("BSP0254", f"a table for {keys} keys is too large" + (" to lie in a struct" if c["capacity.inline"]
                          else ""), "index.keys", "capacity.inline" if c["capacity.inline"] else None,
                          help=f"at most {most}; keys that lie far apart belong into {in_yaml('index.kind', 'hash')}")

    def links(self) -> None:
        """Links beside the elements, and elements that hold their own."""
        c = self.c
        if c["storage.kind"] == "linked" and c["storage.links"] == "single" and c["iteration.direction"] != "forward":
            at, other = self.blame("iteration.direction", "storage.links")
            self.conflict("BSP0264", f"{in_yaml('storage.links', 'single')} leads from each element to the next one, and no way back",
                          at, other, help=f"use {in_yaml('storage.links', 'double')}, or "
                          f"{in_yaml('iteration.direction', 'forward')}")
        if c["ordering"] == "tree" and c["storage.links"] == "single":
            at, other = self.blame("storage.links", "ordering")
            self.conflict("BSP0265", "an element of a tree leaves with all below it, the last one first, and links that lead one "
                          "way only do not lead back to it", at, other, help=f"use {in_yaml('storage.links', 'double')}")
        if c["ordering"] == "tree" and c["iteration.direction"] != "forward":
            at, other = self.blame("iteration.direction", "ordering")
            self.conflict("BSP0266", "a tree is walked from each element to those below it; backward they would come first", at, other,
                          help=f"use {in_yaml('iteration.direction', 'forward')}")
        if c["element.by"] != "intrusive":
            return
        needed = ["element.link.next", "element.link.prev", "element.link.owner"]
        if c["storage.links"] == "single":
            needed.remove("element.link.prev")
        if c["ordering"] == "tree":
            needed += ["element.link.parent", "element.link.sibling"]
        missing = [path for path in needed if c[path] is None]
        if missing and not self.spoilt & set(needed):
            given = next((path for path in needed if c[path] is not None), "element.by")
            self.conflict("BSP0260", "intrusive elements hold their own links; "
                          + _listed([f"'{path}'" for path in missing]) + (" are" if missing[1:] else " is") + " missing",
                          given, about=("storage.links", "element.by"),
                          help="name the members: `element: {type: struct ship, header: ship.h, link: {next: team_next, "
                               "prev: team_prev, owner: team" + (", parent: team_leader, sibling: team_sibling" if c["ordering"] == "tree"
                                                                 else "") + "}}`"
                               + ("; without `prev`: `storage: {links: single}`" if missing == ["element.link.prev"] else ""))
        if c["duplicates"] != "reject":
            at, other = self.blame("duplicates", "element.by")
            self.conflict("BSP0261", "an element has one set of links for this container, so it cannot be in twice", at,
                          other, help=f"leave it out, or use {in_yaml('element.by', 'pointer')}")
        said: Dict[str, str] = {}
        for path in needed:
            if c[path] is not None and c[path] in said:
                self.conflict("BSP0263", f"'{c[path]}' cannot be two links at once", path, said[c[path]],
                              help="give the element a member for each")
            said.setdefault(c[path], path)

    def sorting(self) -> None:
        c = self.c
        kind = c["element.type"] or ""
        what = c.type_info.stands_for(kind)[0] if c.type_info is not None else " ".join(kind.split()[:1]) * (not kind.endswith("*"))
        for path, whole in (("sort.key", r"\(?\*\s*element\)?"), ("sort.less", r"\*\s*a\s*[<>]\s*\*\s*b")):
            if what in ("struct", "union") and re.fullmatch(whole, str(c[path] or "")):
                at, other = self.blame(path, "element.type")
                self.conflict("BSP0207", f"C cannot compare two values of type '{kind}'", at, other,
                              help="name a member: `sort: element->depth`, or a function: `sort: {less: ship_before}`")
        if c["ordering"] == "sorted" and c["sort.key"] is None and c["sort.less"] is None:
            self.conflict("BSP0280", "`ordering: sorted` needs 'sort.key' or 'sort.less'", "ordering",
                          help="say what it is sorted by: `sort: element->depth`, or which comes first: "
                               "`sort: {less: a->depth < b->depth}`", about=("sort.key", "sort.less"))
        if c["sort.key"] is not None and c["sort.less"] is not None:
            at, other = self.blame("sort.less", "sort.key")
            self.conflict("BSP0281", "either a key or a comparison says what comes first, not both", at, other,
                          help="leave one out")
        if c["ends"] == "both" and c["iteration.adds"] == "next":
            at, other = self.blame("iteration.adds", "ends")
            self.conflict("BSP0282", "an element that is added at the front may lie ahead of a pass, which could not tell it from those "
                          "that were there", at, other, about=("ordering",), help=f"use {in_yaml('iteration.adds', 'visited')}, or "
                          f"{in_yaml('ends', 'back')}")
        if c["ordering"] == "explicit":
            asks: Tuple[str, ...] = ("ordering",)
        elif c["ordering"] == "sorted" and c["sort.when"] == "insert":
            asked = "sort.when" in c.settings and c.settings["sort.when"].origin not in ("default", "derived")
            asks = ("sort.when", "ordering") if asked else ("ordering", "sort.when")
        else:
            return
        if c["iteration.adds"] == "next" and c["storage.kind"] != "linked":
            at, other = self.blame("iteration.adds", asks[0])
            where = "where the caller says" if c["ordering"] == "explicit" else "where its key says"
            help = [f"use {in_yaml('iteration.adds', 'visited')}: what comes in ahead of a pass is visited by it, what "
                    "comes in behind is not"]
            if c["ordering"] == "sorted":
                help.append(f"or {in_yaml('sort.when', 'begin')}: what is added waits at the end")
            self.conflict("BSP0282", f"an element that comes in {where} may lie ahead of a pass, which could not tell it "
                          "from those that were there", at, other, about=asks, help=help)
        if c["duplicates"] == "replace" and c["ordering"] == "sorted":
            at, other = self.blame("duplicates", asks[0])
            self.conflict("BSP0283", "an element that takes the place of an equal one may belong elsewhere in the order",
                          at, other, about=asks, help=f"use {in_yaml('sort.when', 'begin')}, or "
                          f"{in_yaml('duplicates', 'reject')}")

    def deferral(self) -> None:
        when, adds = self.c["removal.when"], self.c["iteration.adds"]
        if (when == "deferred") != (adds == "deferred"):
            at, other = self.blame("removal.when", "iteration.adds")
            self.conflict("BSP0212", "adds and removals wait in one journal: either both are deferred or neither",
                          at, other, help="`removal: {when: deferred}` goes with `iteration: {adds: deferred}`")

    def replacing(self) -> None:
        if self.c["duplicates"] == "replace" and self.c["removal.when"] == "deferred":
            at, other = self.blame("duplicates", "removal.when")
            self.conflict("BSP0251", "an element that waits in the journal has no place yet, and the one whose place it "
                          "would take may be gone by then", at, other, help=f"use {in_yaml('duplicates', 'reject')}, or "
                          f"{in_yaml('removal.when', 'immediate')}")

    def capacity(self) -> None:
        c = self.c
        most, initial = c["capacity.max"], c["capacity.initial"]
        fixed = fixed_storage(c) and any(way.allows("addresses", "stable") for way in ways(c["removal.policy"]))
        if c["capacity.inline"]:
            if most is None:
                self.conflict("BSP0213", "'capacity.inline' needs 'capacity.max'", "capacity.inline",
                              help="say how many elements there is room for: `capacity: {inline: true, max: 64}`",
                              about=("capacity.max",))
            elif most > MOST_INLINE:
                at, other = self.blame("capacity.max", "capacity.inline")
                self.conflict("BSP0226", f"{most} elements are too many to lie in a struct", at, other,
                              help=f"at most {MOST_INLINE}; more belong on the heap: leave out capacity.inline")
        if c["capacity.when_full"] == "overwrite" and most is None:
            self.conflict("BSP0284", "`when_full: overwrite` needs 'capacity.max'", "capacity.when_full", about=("capacity.max",),
                          help="say how many elements are kept: `capacity: {max: 100, when_full: overwrite}`")
        if c["element.by"] == "intrusive" and not c["capacity.inline"]:
            said: Set[str] = set()
            for path in [path for path in BY_PATH if path.startswith(("capacity.", "allocator.")) and path != "capacity.max"]:
                group = path.rpartition(".")[0]
                if path in c.settings and c.settings[path].origin == "spec" and not {path, group} & said:
                    said.update({path, group} - {"capacity"})
                    self.conflict("BSP0215", f"intrusive elements need no storage: '{path}' means nothing", path, "element.by",
                                  help="leave it out")
        if c["capacity.inline"] or fixed:
            what = "inline storage never grows" if c["capacity.inline"] else "storage with stable addresses never grows"
            paths = ["capacity.initial", "capacity.growth"]
            if c["capacity.inline"]:
                paths += [path for path in BY_PATH if path.startswith(("capacity.shrink.", "allocator."))]
                what = "inline storage never grows, shrinks or allocates"
            said = set()
            for path in paths:
                group = path.rpartition(".")[0]
                if group in said or path not in c.settings:
                    continue
                if c.settings[path].origin == "spec":
                    said.update({group} - {"capacity"})
                    self.conflict("BSP0215", f"{what}: '{path}' means nothing", path,
                                  "capacity.inline" if c["capacity.inline"] else "addresses", help="leave it out")
        elif most is not None and initial is not None and initial > most:
            at, other = self.blame("capacity.initial", "capacity.max")
            self.conflict("BSP0216", f"'capacity.initial' is {initial}, more than 'capacity.max' allows ({most})", at,
                          other, help="room for more than the maximum is never used")
        if fixed:
            if most is None:
                at, other = self.blame("addresses", "storage.kind")
                self.conflict("BSP0217", "addresses in one array are stable only if it never grows", at, other,
                              help=["chunks stay where they are while it grows: `storage: chunked`",
                                    "or give a maximum: room for all is made by the first add: `capacity: {max: 64}`"],
                              about=("capacity.max", "removal.policy"))
            if c["capacity.shrink.below"] is not None:
                at, other = self.blame("capacity.shrink.below", "addresses")
                self.conflict("BSP0218", "shrinking would move elements whose addresses are stable", at, other,
                              help=f"use {in_yaml('storage.kind', 'chunked')}, leave out capacity.shrink, or use "
                              f"{in_yaml('addresses', 'moving')}")
        bits, chunk = c["handles.index_bits"], c["storage.chunk"] or 64
        if c["handles.kind"] != "none" and slots_of(bits, chunk) == 0:
            at, other = self.blame("handles.index_bits", "storage.chunk")
            self.conflict("BSP0219", f"handles with {bits} bits of index cannot number the {chunk} slots of a chunk", at,
                          other, help=f"at most {slots_of(bits)} slots a chunk, or more bits: "
                          f"`handles: {{kind: {c['handles.kind']}, index_bits: {bits * 2}}}`", about=("handles.kind",))
        elif c["handles.kind"] != "none" and most is not None and most > slots_of(bits, chunk):
            at, other = self.blame("handles.index_bits", "capacity.max")
            self.conflict("BSP0219", f"handles with {bits} bits of index cannot number {most} slots", at, other,
                          help=f"at most {slots_of(bits, chunk)}, or more bits: "
                          f"`handles: {{kind: {c['handles.kind']}, index_bits: {bits * 2}}}`", about=("handles.kind",))
        after = c.settings.get("capacity.shrink.after")
        if after is not None and after.origin == "spec" and c["capacity.shrink.below"] is None:
            self.conflict("BSP0220", "'capacity.shrink.after' needs 'capacity.shrink.below'", "capacity.shrink.after",
                          help="`capacity: {shrink: {below: 25%, after: 2 s}}`", about=("capacity.shrink.below",))

    def hooks(self) -> None:
        c = self.c
        if c["hooks.move"] is not None and c["addresses"] == "stable" and c["element.by"] == "value":
            at, other = self.blame("hooks.move", "addresses")
            self.conflict("BSP0221", "elements with stable addresses never move", at, other,
                          help="leave out hooks.move")

    def allocator(self) -> None:
        c = self.c
        if c["allocator.kind"] == "stdlib":
            return
        paths = ("allocator.alloc", "allocator.realloc", "allocator.free")
        missing = [path for path in paths if c[path] is None]
        if missing and not self.spoilt & set(paths):
            given = next((path for path in paths if c[path] is not None), "allocator.kind")
            self.conflict("BSP0223", "a custom allocator has three functions; "
                          + _listed([f"'{path}'" for path in missing]) + (" are" if missing[1:] else " is")
                          + " missing", given,
                          help="`allocator: {alloc: my_alloc, realloc: my_realloc, free: my_free}`; each is given a "
                               "context pointer first" if c["allocator.kind"] == "custom" else
                               "`allocator: {kind: plain, alloc: my_malloc, realloc: my_realloc, free: my_free}`")

    def freestanding(self) -> None:
        """Where there is no library, there is no allocator but one of the spec's."""
        c = self.c
        if c["emit.freestanding"] and c["allocator.kind"] == "stdlib" and allocates(c):
            at, other = self.blame("emit.freestanding", "allocator.kind")
            what = "the elements lie in memory" if in_memory(c) else "the changes that wait lie in memory" if c["removal.when"] == "deferred" \
                else "what is sorted when a pass begins is merged through memory"
            self.conflict("BSP0230", f"malloc is not there without a C library, and {what} that must come from somewhere", at, other,
                          help=["name an allocator: `allocator: {alloc: my_alloc, realloc: my_realloc, free: my_free}`"]
                          + (["or have no need of one: `capacity: {inline: true, max: 64}`"]
                             if in_memory(c) else []),
                          about=("capacity.inline", "element.by", "removal.when"))

    def sizes(self) -> None:
        """The engine's names are none of a function's own; its type of sizes is unsigned, and nobody means size_t by size_t then."""
        c = self.c
        for path in ("emit.export", "emit.assert", "emit.size_type"):
            if c[path] in LOCALS:
                self.conflict("BSP0310", f"'{c[path]}' cannot be '{path}': the emitted functions have parameters and variables of that "
                              "name", path, help="give it a name of its own")
        kind = c["emit.size_type"]
        if kind is None:
            return
        words = kind.split()
        narrow = re.fullmatch(r"u?int(_fast|_least)?(8|16)_t", kind) or {"char", "short"} & set(words)
        if not re.fullmatch(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*", kind) or narrow or {"struct", "union", "enum", "signed", "const", "volatile", "bool",
                "_Bool", "float", "double"} & set(words) or ({"int", "long"} & set(words) and "unsigned" not in words) \
                or re.fullmatch(r"int(_fast|_least)?\d+_t|(ptrdiff|ssize|intptr|intmax)_t", kind):
            why = "is too narrow to count with: C computes with int where a type is narrower" if narrow else "is no unsigned integer"
            self.conflict("BSP0231", f"'{kind}' {why}", "emit.size_type", help="use `uint32_t`, or an unsigned type of the engine's "
                          "that has at least the bits of an int and at most those of size_t")
            return
        if kind == "size_t":
            return
        texts = [(path, str(c[path])) for path in ("element.type", "hooks.context", "removal.expired", "identity.key", "sort.key", "sort.less")
                 if c[path] is not None] + [("element.fields", member.type) for member in c["element.fields"] or ()]
        for path, text in texts:
            if re.search(r"\bsize_t\b", text):
                self.conflict("BSP0231", f"'size_t' in '{path}' would become '{kind}', too", path, "emit.size_type",
                              help="give it another name, such as `uintptr_t`, or a typedef")
                return

    def members(self) -> None:
        """Only a struct or union has members."""
        c = self.c
        kind = c["element.type"] or ""
        none = is_built_in(kind) or kind.endswith("*") or kind.startswith("enum ") \
            or c.type_info is not None and c.type_info.kind not in ("struct", "union", "opaque")
        if not kind or not none:
            return
        for path in ("element.link.next", "index.field", "test.id"):
            if c[path] is not None:
                at, other = self.blame(path, "element.type")
                self.conflict("BSP0228", f"'{path}' names a member, but '{kind}' has none", at, other)
        for path, names in (("identity.key", "element"), ("sort.key", "element"), ("sort.less", "a|b"), ("removal.expired", "element"),
                            ("test.expire", "element")):
            found = re.search(rf"\b({names})\s*->\s*\w+", str(c[path] or ""))
            if found:
                at, other = self.blame(path, "element.type")
                self.conflict("BSP0228", f"'{found[0]}' names a member, but '{kind}' has none", at, other,
                              help=f"the element itself is `*{found[1]}`" + (f", what it points to `(*{found[1]})->...`" if re.match(r"(const )?(struct|union)\b.*\*$", kind) else ""))

    def testing(self) -> None:
        c = self.c
        if c["test.expire"] is not None and (c["removal.expired"] is None or c["removal.expired"].is_function):
            self.conflict("BSP0224", "'test.expire' is for a 'removal.expired' that is an expression", "test.expire",
                          "removal.expired", help="leave it out: the generated test brings its own function")

    def columns(self) -> None:
        """Members in columns of their own."""
        c = self.c
        if c["layout"] != "soa":
            return
        by, kind, fields = c["element.by"], c["element.type"], soa.listed(c)
        if by != "value":
            at, other = self.blame("layout", "element.by")
            self.conflict("BSP0240", f"with {in_yaml('element.by', by)} the members lie elsewhere, in one piece: there is "
                          "nothing to put into columns", at, other,
                          help=f"use {in_yaml('element.by', 'value')}, or leave out `layout: soa`")
            return
        if kind is not None and (is_built_in(kind) or kind.endswith("*") or re.match(r"(union|enum)\b", kind)
                                 or c.type_info is not None and c.type_info.kind != "struct"):
            at, other = self.blame("element.type", "layout")
            self.conflict("BSP0242", f"'{kind}' is no struct, so it has no members to put into columns", at, other,
                          help="leave out 'element.type', and Bespoke declares a struct of 'element.fields'; or name one")
            return
        if fields is None:
            reads = f"let Bespoke read them from '{c['element.header']}': `bespoke type import {visible(c.span.source.name)}`"
            self.conflict("BSP0241", f"`layout: soa` must know the members of '{kind}'", "layout", about=("element.fields", "element.type"),
                          help=[reads] * (c["element.header"] is not None)
                          + ["or " * (c["element.header"] is not None)
                             + "say what the members are: `element: {fields: {x: float, y: float}}`"])
            return
        if c["identity.by"] == "value":
            at, other = self.blame("identity.by", "layout")
            self.conflict("BSP0207", "a row has no value of its own that C could compare", at, other,
                          help="give an integer that tells them apart: `identity: {key: element->id}`")
        if c["element.fields"] is not None and c.type_info is not None:
            said, there = ([(member.name, member.value_type) for member in members] for members in (fields, c.type_info.fields))
            if said != there:
                name = next((name for name, _ in [each for each in there if each not in said] + said if name), "")
                self.conflict("BSP0247", f"'element.fields' are not the members that '{kind}' has: see '{name}'", "element.fields",
                              "element.type", help=f"leave out 'element.fields': '{c.type_info.path}' says what '{c.type_info.header}' has")
                return
        known = [member.name for member in soa.members(c)]
        where = "under 'element.fields'" if c["element.fields"] is not None else f"of '{kind}'"
        self.hot(known)
        for path in ("removal.expired", "identity.key", "sort.key", "sort.less", "test.id", "test.expire"):
            text = str(c[path] or "")
            used = [text] if path == "test.id" else re.findall(
                r"\b[ab]\s*->\s*(\w+)" if path == "sort.less" else r"\belement\s*->\s*(\w+)", text)
            missing = [name.split(".")[0] for name in used if name and name.split(".")[0] not in known]
            for name in dict.fromkeys(missing):
                self.conflict("BSP0243", f"'{path}' looks at '{name}', which is no member {where}",
                              path, "element.fields" if c["element.fields"] is not None else "element.type", help="the members are: " + ", ".join(known))

    def hot(self, known: List[str]) -> None:
        """Which members have columns of their own."""
        c = self.c
        hot, source = c["element.hot"], "element.fields" if c["element.fields"] is not None else "element.type"
        spans = getattr(hot, "spans", ()) or (None,) * len(hot or ())
        unknown = [(name, span) for name, span in zip(hot or (), spans) if name not in known]
        for name, span in unknown:
            near = did_you_mean(name, known)
            self.conflict("BSP0244", f"'element.hot' names '{name}', which is no member of the element", "element.hot", source,
                          help=(f"did you mean '{near}'? " if near else "") + "the members are: " + ", ".join(known), span=span)
        if unknown:
            return
        if hot is not None and len(hot) == len(known):
            self.conflict("BSP0245", "all members are in 'element.hot', so none is left to lie beside them", "element.hot", source,
                          help="leave out 'element.hot': each member gets a column then")
            return
        if {source, "element.hot"} & self.spoilt:
            return
        for member in soa.members(c):
            if not member.why_not or member.path and not member.lost:
                continue
            notes = [Note("what is known of it", member.span)] * (member.span is not None and source == "element.type")
            if member.lost:
                said, advice = f"'{member.name}' cannot be kept: {member.why_not}", ["hold the element without `layout: soa`" + (
                    ", and by pointer: `element: {by: pointer}`" if c.type_info is not None and c.type_info.no_value else "")]
            else:
                good = [each.name for each in soa.members(c) if not each.why_not and not each.path]
                said = f"'{member.name}' cannot have a column of its own: {member.why_not}"
                others = [f"'{each.name}'" for each in soa.members(c) if each.why_not and not each.path and each.name != member.name]
                said += f"; nor can {_listed(others)}" if others else ""
                advice = [f"leave it in one piece with other members: `element: {{hot: [{', '.join(good)}]}}`"] * bool(good)
                if source == "element.fields":
                    advice.append("or put it into a struct")
            at = c.span_of("element.hot" if hot is not None and not member.path else source)
            if source == "element.fields" and hot is None and member.span is not None:
                at = member.span
            self.diagnostics.error("BSP0246", said, at, notes=notes, help=advice)
            return

    def header(self) -> None:
        """The emitted code must know the types it uses."""
        c = self.c
        if c["element.header"] is not None:
            return
        kind = c["element.type"]
        for member in (c["element.fields"] or ()) if kind is None else ():
            of, _, size = member.type.partition("[")
            of = of.strip()
            if not (is_built_in(of) and re.fullmatch(r"[\d\s\[\]]*", size)) \
                    and not re.fullmatch(r"(const )?(struct|union) \w+ ?(const ?)?\*+", of):
                self.conflict("BSP0308", f"'{member.type}', the type of member '{member.name}', is no built-in type, so "
                              "'element.header' is needed", "element.fields", about=("element.header", "element.type"),
                              help="say where it is declared: `element: {header: " + _guess(of) + ", fields: ...}`")
                break
        advice = "say where it is declared: `element: {type: " + str(kind) + ", header: " + _guess(kind) + "}`"
        if kind is not None and not is_built_in(kind):
            looks = next((path for path in ("element.link.next", "index.field", "removal.expired", "identity.key", "sort.key", "sort.less",
                                      "test.id", "test.expire")
                          if c[path] is not None and (path in ("element.link.next", "index.field", "test.id", "test.expire")
                                                      or not c[path].is_function)), None)
            pointed = c["element.by"] != "value" and re.fullmatch(r"(struct|union) \w+", kind)
            if pointed and looks and c["element.defined_in"] is None:
                self.conflict("BSP0308", f"'{looks}' looks into the element, so 'element.header' is needed", looks,
                              "element.type", help=advice, about=("element.header", "element.by"))
            elif not pointed:
                self.conflict("BSP0308", f"'{kind}' is no built-in type, so 'element.header' is needed",
                              "element.type", help=advice, about=("element.header", "element.by"))
        context = c["hooks.context"]
        if context is not None and c["hooks.update"] is not None and not is_built_in(context) \
                and context.rstrip("* ") != kind and not re.fullmatch(r"(const )?(struct|union) \w+ ?\*", context):
            self.conflict("BSP0308", f"'{context}' is no built-in type, so a header that declares it is needed",
                          "hooks.context", help="have the element's header declare it, and give that as "
                          "'element.header'", about=("element.header", "element.type"))


def _listed(words: List[str]) -> str:
    return ", ".join(words[:-1]) + " and " * (len(words) > 1) + words[-1]


def _guess(kind: Optional[str]) -> str:
    words = [word for word in re.findall(r"\w+", kind or "") if word not in ("struct", "union", "enum", "const")]
    return (words[-1] if words else "ship") + ".h"


RULES: List[Callable[[Rules], None]] = [
    Rules.applies, Rules.capabilities, Rules.expired, Rules.identity, Rules.index, Rules.links, Rules.sorting, Rules.deferral,
    Rules.replacing, Rules.capacity, Rules.hooks, Rules.allocator, Rules.freestanding, Rules.sizes, Rules.members, Rules.testing, Rules.columns, Rules.header,
]
