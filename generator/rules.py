"""Which values may stand together.

`REMOVAL` is the table of capabilities: what each removal policy keeps of the contract. The rules compare a
container with it and name both lines that conflict, why, and which values would work.
"""

from dataclasses import dataclass
from typing import Any, Callable, Dict, FrozenSet, List, Optional, Tuple

from .diag import Diagnostics, Note
from .model import Container
from .schema import BY_PATH, choices


def _set(*values: str) -> FrozenSet[str]:
    return frozenset(values)


@dataclass(frozen=True)
class Capability:
    """What a removal policy can keep: the values of other axes that it works with."""

    ordering: FrozenSet[str]
    index: FrozenSet[str]
    handles: FrozenSet[str]
    when: FrozenSet[str]
    addresses: FrozenSet[str]  # of elements held by value
    inline: bool
    expired: str  # 'no', 'may', 'must'

    def allows(self, path: str, value: Any) -> bool:
        axis = {"ordering": self.ordering, "index.kind": self.index, "handles.kind": self.handles,
                "removal.when": self.when, "addresses": self.addresses}.get(path)
        return axis is None or value in axis


REMOVAL: Dict[str, Capability] = {
    "shift": Capability(_set("unordered", "insertion"), _set("none"), _set("none"), _set("immediate"),
                        _set("moving"), True, "no"),
    "swap": Capability(_set("unordered"), _set("none", "hash", "intrusive"), _set("none"), _set("immediate"),
                       _set("moving"), True, "no"),
    "compact": Capability(_set("unordered", "insertion"), _set("none"), _set("none"), _set("immediate"),
                          _set("moving"), True, "no"),
    "prune": Capability(_set("unordered", "insertion"), _set("none"), _set("none"), _set("immediate"),
                        _set("moving"), True, "must"),
    "tombstone": Capability(_set("unordered", "insertion"), _set("none", "hash", "intrusive"), _set("none"),
                            _set("immediate", "deferred"), _set("moving"), False, "may"),
    "reuse": Capability(_set("unordered"), _set("none", "hash", "intrusive"), _set("none", "generational"),
                        _set("immediate"), _set("moving", "stable"), True, "no"),
}

# Why a removal policy does not go with a value of another axis.
WHY: Dict[Tuple[str, str], str] = {
    ("swap", "ordering"): "the last element takes the place of the one that leaves",
    ("reuse", "ordering"): "an added element takes whatever slot is free",
    ("shift", "index.kind"): "every removal would renumber all elements behind it",
    ("compact", "index.kind"): "every pass would renumber the elements it carries",
    ("prune", "index.kind"): "every update would renumber the elements it carries",
    ("tombstone", "capacity.inline"): "dead slots need room beside `capacity.max` elements",
}


def auto_removal(container: Container) -> Tuple[str, str]:
    """The policy that `removal: auto` stands for, and the reason."""
    if container["handles.kind"] == "generational":
        return "reuse", "handles name slots, so elements must not move"
    if container["addresses"] == "stable" and container["element.by"] == "value":
        return "reuse", "elements must not move"
    if container["removal.when"] == "deferred":
        return "tombstone", "slots keep their number until the journal is replayed"
    if container["ordering"] == "unordered":
        return "swap", "order is free, so the last element can fill the hole: one move per removal"
    if container["removal.expired"] is not None:
        if container["hooks.update"] is not None:
            return "prune", "there is an update hook and a predicate: one sweep does both"
        return "tombstone", "elements say themselves that they are gone"
    if container["index.kind"] != "none":
        return "tombstone", "order is kept and nothing behind the hole is renumbered"
    return "compact", "order is kept at one move per element and pass, however many leave"


class Rules:
    """Checks one container; every conflict names both lines."""

    def __init__(self, container: Container, diagnostics: Diagnostics):
        self.c = container
        self.diagnostics = diagnostics

    def conflict(self, code: str, message: str, at: str, other: Optional[str], help: Any = None) -> None:
        notes: List[Note] = []
        span = self._span(at)
        if other is not None:
            note = self._describe(other)
            if note.span != span:
                notes.append(note)
        self.diagnostics.error(code, f"{self.c.name}: {message}", span, help=help, notes=notes)

    def _span(self, path: str):
        return self.c.span_of(path)

    def _describe(self, path: str) -> Note:
        setting = self.c.settings.get(path)
        text = "not set" if setting is None else f"is {_show(setting.value)}"
        origin = ""
        if setting is not None and setting.origin != "spec":
            origin = {"preset": f", from preset '{setting.source}'", "defaults": ", from the defaults",
                      "default": ", by default", "derived": f": {setting.source}"}.get(setting.origin, "")
        return Note(f"'{path}' {text}{origin}", self._span(path))

    def blame(self, first: str, second: str) -> Tuple[str, str]:
        """The two paths with the one that the spec itself says in front."""
        rank = {"spec": 0, "preset": 1, "defaults": 2, "derived": 3, "default": 4}
        settings = self.c.settings

        def key(path: str) -> int:
            return rank[settings[path].origin] if path in settings else 5

        return (first, second) if key(first) <= key(second) else (second, first)

    # -- the rules ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        for rule in RULES:
            rule(self)

    def capabilities(self) -> None:
        policy = self.c["removal.policy"]
        capability = REMOVAL[policy]
        for path in ("ordering", "index.kind", "handles.kind", "removal.when", "addresses"):
            value = self.c[path]
            if path == "addresses" and self.c["element.by"] == "pointer":
                continue  # the objects never move, whatever the container does
            if capability.allows(path, value):
                continue
            works = [name for name, other in REMOVAL.items() if other.allows(path, value) and self._else_allowed(other, path)]
            values = [choice for choice in choices(path) if capability.allows(path, choice)]
            why = WHY.get((policy, path))
            at, other = self.blame("removal.policy", path)
            advice = []
            if works:
                advice.append(f"with {path}: {value}, removal can be: {', '.join(works)}")
            advice.append(f"with removal: {policy}, {path} can be: {', '.join(values)}")
            self.conflict("BSP0202", f"removal '{policy}' does not go with {path} '{value}'"
                          + (f": {why}" if why else ""), at, other, help=advice)

    def _else_allowed(self, capability: Capability, but: str) -> bool:
        return all(path == but or capability.allows(path, self.c[path])
                   for path in ("ordering", "index.kind", "handles.kind", "removal.when"))

    def applies(self) -> None:
        """A key that means nothing beside the other values was meant to do something."""
        for path, setting in list(self.c.settings.items()):
            key = BY_PATH[path]
            for other, allowed in key.only.items():
                if self.c[other] in allowed:
                    continue
                if setting.origin == "spec":
                    self.conflict("BSP0201",
                                  f"'{path}' means something only with {other}: {' or '.join(map(str, allowed))}",
                                  path, other, help=f"leave it out, or say {other}: {allowed[0]}")
                elif path in self.c.settings:
                    del self.c.settings[path]

    def expired(self) -> None:
        policy, predicate = self.c["removal.policy"], self.c["removal.expired"]
        need = REMOVAL[policy].expired
        if need == "must" and predicate is None:
            self.conflict("BSP0203", f"removal '{policy}' needs 'removal.expired'", "removal.policy", None,
                          help="say which elements leave: `removal: {policy: prune, expired: \"element->hp <= 0\"}`, "
                               "or name a function")

    def identity(self) -> None:
        by, how = self.c["element.by"], self.c["identity.by"]
        if self.c["duplicates"] == "reject" and by == "value" and how == "address":
            at, other = self.blame("duplicates", "element.by")
            self.conflict("BSP0204", "elements held by value have no address before they are added, so duplicates "
                          "cannot be told by address", at, other,
                          help="say what makes two equal: `identity: {key: element->id}`, or `identity: value` for "
                               "integers and enums; or hold them by pointer")
        if how == "key" and self.c["identity.key"] is None:
            self.conflict("BSP0205", "identity 'key' needs 'identity.key'", "identity.by", None,
                          help="such as `identity: {key: element->id}`")
        if how == "value" and by == "pointer":
            at, other = self.blame("identity.by", "element.by")
            self.conflict("BSP0206", "pointers are compared by address", at, other,
                          help="leave `identity` out, or give an `identity.key`")
        if how == "value" and by == "value" and self.c["element.type"].split()[0] in ("struct", "union"):
            at, other = self.blame("identity.by", "element.type")
            self.conflict("BSP0207", f"C cannot compare two values of {self.c['element.type']}", at, other,
                          help="give a key: `identity: {key: element->id}`")

    def index(self) -> None:
        kind = self.c["index.kind"]
        if kind == "intrusive" and self.c["element.by"] == "value":
            at, other = self.blame("index.kind", "element.by")
            self.conflict("BSP0208", "an element held by value is found by its address; it needs no place written "
                          "into it", at, other, help="use index: none, or element.by: pointer")
        if kind == "intrusive" and self.c["index.field"] is None:
            self.conflict("BSP0209", "index 'intrusive' needs 'index.field'", "index.kind", None,
                          help="name a uint32_t member of the element: `index: {kind: intrusive, field: slot}`")
        if kind != "none" and self.c["duplicates"] == "allow":
            at, other = self.blame("index.kind", "duplicates")
            self.conflict("BSP0210", f"an index of kind '{kind}' finds one place for each element, so no element can "
                          "be in twice", at, other, help="use duplicates: reject, or index: none")
        if kind == "hash" and self.c["element.by"] == "value" and self.c["identity.by"] == "address":
            at, other = self.blame("index.kind", "element.by")
            self.conflict("BSP0211", "elements held by value are found by their address without an index", at, other,
                          help="use index: none, or give an `identity.key` to find them by")

    def deferral(self) -> None:
        when, adds = self.c["removal.when"], self.c["iteration.adds"]
        if (when == "deferred") != (adds == "deferred"):
            at, other = self.blame("removal.when", "iteration.adds")
            self.conflict("BSP0212", "adds and removals wait in one journal: either both are deferred or none",
                          at, other, help="use removal.when: deferred with iteration.adds: deferred, or neither")

    def capacity(self) -> None:
        c = self.c
        most, initial = c["capacity.max"], c["capacity.initial"]
        if c["capacity.inline"]:
            if most is None:
                self.conflict("BSP0213", "inline storage needs 'capacity.max'", "capacity.inline", None,
                              help="say how many: `capacity: {inline: true, max: 64}`")
            if not REMOVAL[c["removal.policy"]].inline:
                at, other = self.blame("capacity.inline", "removal.policy")
                self.conflict("BSP0214", f"removal '{c['removal.policy']}' cannot live in inline storage: "
                              + WHY.get((c["removal.policy"], "capacity.inline"), "it needs room to grow"), at, other,
                              help="use removal: " + ", ".join(n for n, r in REMOVAL.items() if r.inline))
            for path in ("capacity.initial", "capacity.growth", "capacity.shrink.below", "allocator.kind"):
                if path in c.settings and c.settings[path].origin == "spec":
                    self.conflict("BSP0215", f"inline storage never grows, shrinks or allocates: '{path}' means "
                                  "nothing", path, "capacity.inline", help="leave it out")
        if most is not None and initial is not None and initial > most:
            at, other = self.blame("capacity.initial", "capacity.max")
            self.conflict("BSP0216", f"capacity.initial ({initial}) is above capacity.max ({most})", at, other)
        if c["addresses"] == "stable" and c["element.by"] == "value":
            if most is None:
                self.conflict("BSP0217", "in contiguous storage addresses are stable only if it never grows",
                              "addresses", None, help="give a `capacity.max`: room for all is made by the first add")
            if c["capacity.shrink.below"] is not None:
                at, other = self.blame("capacity.shrink.below", "addresses")
                self.conflict("BSP0218", "shrinking would move elements whose addresses are stable", at, other,
                              help="leave out capacity.shrink, or use addresses: moving")
        if c["handles.kind"] == "generational" and most is not None and most > 2 ** c["handles.index_bits"] - 1:
            at, other = self.blame("handles.index_bits", "capacity.max")
            self.conflict("BSP0219", f"{c['handles.index_bits']} bits cannot number {most} slots", at, other,
                          help=f"at most {2 ** c['handles.index_bits'] - 1}")
        if "capacity.shrink.after" in c.settings and c["capacity.shrink.below"] is None:
            if c.settings["capacity.shrink.after"].origin == "spec":
                self.conflict("BSP0220", "'capacity.shrink.after' needs 'capacity.shrink.below'",
                              "capacity.shrink.after", None, help="such as `shrink: {below: 25%, after: 2 s}`")

    def hooks(self) -> None:
        c = self.c
        if c["hooks.move"] is not None and c["addresses"] == "stable" and c["element.by"] == "value":
            at, other = self.blame("hooks.move", "addresses")
            self.conflict("BSP0221", "elements with stable addresses never move", at, other,
                          help="leave out hooks.move")
        used: Dict[str, str] = {}
        for path in ("hooks.add", "hooks.remove", "hooks.destroy", "hooks.update", "hooks.move", "removal.expired",
                     "identity.key", "allocator.alloc", "allocator.realloc", "allocator.free"):
            value = c[path]
            text = None if value is None else str(value)
            if text is None or not text.isidentifier():
                continue
            if text in used and not (path.startswith("hooks") and used[text].startswith("hooks")
                                     and "hooks.update" not in (path, used[text])):
                self.conflict("BSP0222", f"'{text}' cannot be both '{used[text]}' and '{path}': their signatures "
                              "differ", path, used[text])
            used.setdefault(text, path)

    def allocator(self) -> None:
        c = self.c
        if c["allocator.kind"] != "custom":
            return
        missing = [p for p in ("allocator.alloc", "allocator.realloc", "allocator.free") if c[p] is None]
        if missing:
            given = next((p for p in ("allocator.alloc", "allocator.realloc", "allocator.free", "allocator.kind")
                          if p in c.settings and c[p] is not None), "allocator.kind")
            self.conflict("BSP0223", f"a custom allocator needs {', '.join(missing)} too", given, None,
                          help="`allocator: {alloc: f, realloc: g, free: h}`; they are given a context pointer")

    def testing(self) -> None:
        c = self.c
        if c["test.expire"] is not None and (c["removal.expired"] is None or c["removal.expired"].is_function):
            self.conflict("BSP0224", "'test.expire' is for a 'removal.expired' that is an expression", "test.expire",
                          "removal.expired", help="leave it out: the generated test brings its own function")


def _show(value: Any) -> str:
    return f"'{value}'" if not isinstance(value, bool) else ("'true'" if value else "'false'")


RULES: List[Callable[[Rules], None]] = [
    Rules.applies, Rules.capabilities, Rules.expired, Rules.identity, Rules.index, Rules.deferral, Rules.capacity,
    Rules.hooks, Rules.allocator, Rules.testing,
]
