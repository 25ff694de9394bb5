"""Every combination of the policy axes that the rules accept, with the storage that serves it.

Nothing about validity is said here: the axes and their values are those of the table of keys, the arrangements of
slots narrow them down, and the rules decide about each. `iteration.removes` and `iteration.cursors` go with all of
them and are left out.
"""

import itertools
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

from .policies import POLICIES, AXES as KEPT, Strategy, strategies
from ..text.diag import Diagnostics, Source, Span
from ..text.loader import load_text
from ..text.nodes import Scalar
from .keys import BY_PATH, STRUCTURED, choices
from .model import Container, Setting
from .resolve import finalize
from .values import KINDS

# The axes in the order in which they are printed.
AXES: Tuple[str, ...] = tuple(path for path in (
    "element.by", "layout", "ordering", "sort.when", "ends", "capacity.when_full", "duplicates", "identity.by", "index.kind",
    "removal.policy", "removal.when",
    "iteration.adds", "iteration.direction", "handles.kind", "addresses", "storage.kind") if path in BY_PATH)

# What a value needs beside it to mean anything; the spec's author gives something like it.
COMPANIONS: Dict[Tuple[str, str], Dict[str, str]] = {
    ("ordering", "layered"): {"layers.names": "[low, high]"},
    ("identity.by", "key"): {"identity.key": "element->id"},
    ("identity.kind", "string"): {"identity.key": "element->name"},
    ("identity.kind", "slice"): {"identity.key": "element->name", "identity.length": "element->length"},
    ("identity.kind", "bytes"): {"identity.key": "element->code"},
    ("identity.kind", "object"): {"identity.key": "element->code", "identity.type": "struct thing_code",
                                  "identity.equal": "thing_same", "identity.hash": "thing_hash"},
    ("sort.kind", "string"): {"sort.key": "element->name"},
    ("ordering", "sorted"): {"sort.key": "element->hp"},
    ("ordering", "heap"): {"sort.key": "element->hp"},
    ("capacity.when_full", "overwrite"): {"capacity.max": "8"},
    ("capacity.weight", "element->hp"): {"capacity.max": "30"},
    ("emit.persist", "true"): {"persist.save": "{T}_saves", "persist.load": "{T}_loads"},  # {T}: the container
    ("index.kind", "intrusive"): {"index.field": "slot"},
    ("changes", "recorded"): {"handles.kind": "generational"},
    ("element.by", "intrusive"): {"element.link.next": "next", "element.link.prev": "prev", "element.link.owner": "owner"},
    ("element.by", "bit"): {"element.type": "size_t"},
    ("layout", "soa"): {"element.type": "struct row", "element.fields": "{id: uint32_t, slot: uint32_t, hp: int, gone: bool}"},
}
# And what two of them need together; nothing: not even what one of them needs by itself.
PAIRS: Dict[Tuple[Tuple[str, str], ...], Dict[str, str]] = {
    (("ordering", "sorted"), ("element.by", "bit")): {"sort.key": ""},
    (("ordering", "sorted"), ("index.kind", "direct")): {"sort.key": ""},
    (("ordering", "heap"), ("handles.kind", "generational")): {"sort.stable": "true"},
    (("ordering", "tree"), ("element.by", "intrusive")): {"element.link.parent": "parent", "element.link.sibling": "sibling"},
    (("ordering", "heap"), ("element.by", "intrusive")): {"element.link.left": "left", "element.link.right": "right",
                                                          "element.link.parent": "parent"},
    # forward, they are sorted without a tree
    **{(("ordering", "sorted"), ("sort.when", "insert"), ("element.by", "intrusive"), ("iteration.direction", way)):
       {f"element.link.{name}": name for name in ("left", "right", "parent", "balance")} for way in ("backward", "both")},
}
EXPIRES = {"removal.expired": "element->gone"}
LIMIT = {"capacity.max": "64"}
NEEDS_LIMIT = "BSP0217"

_WHERE = Span(Source("combinations", ""), 1, 1)


class Combination(NamedTuple):
    """One value for each axis, and all that a spec says for it."""

    values: Tuple[str, ...]
    settings: Dict[str, str]  # path -> text, as in a spec

    @property
    def storage(self) -> str:
        return self.values[AXES.index("storage.kind")]


def node_of(path: str, text: str) -> Any:
    """What stands in a spec as the value of a key."""
    return load_text(text, Diagnostics()) if BY_PATH[path].kind in STRUCTURED else Scalar(_WHERE, text, True)


class _Refused(Exception):
    """The rules do not accept a container: the code of the first error."""


class _FirstError(Diagnostics):
    """Ends at the first error: what else is wrong does not matter."""

    def error(self, code: str, *_: Any, **__: Any) -> Any:
        raise _Refused(code)


class Judge:
    """Asks the rules about one container after another."""

    def __init__(self) -> None:
        self._parsed: Dict[Tuple[str, str], Setting] = {}

    def _setting(self, path: str, text: str) -> Setting:
        key = (path, text)
        if key not in self._parsed:
            value = KINDS[BY_PATH[path].kind](BY_PATH[path], node_of(path, text))
            self._parsed[key] = Setting(value, "spec", _WHERE)
        return self._parsed[key]

    def accepts(self, settings: Dict[str, str]) -> bool:
        return not self.refusal(settings)

    def refusal(self, settings: Dict[str, str]) -> str:
        """The code of the first error; "" if there is none."""
        container = Container("c", _WHERE)
        for path, text in settings.items():
            container.settings[path] = self._setting(path, text)
        try:
            finalize(container, _FirstError(), set(), None)
        except _Refused as refused:
            return str(refused)
        return ""


def _element() -> Dict[str, str]:
    return {"element.type": "struct thing", "element.header": "thing.h"}


def _values(path: str, strategy: Strategy) -> List[str]:
    """The values of an axis that a way of removal leaves open."""
    if path == "removal.policy":
        return [strategy.policy]
    if path == "storage.kind":
        return [strategy.storage]
    values = [value for value in choices(path) if value != "auto"]
    if path in KEPT:
        # A pointed-at element keeps its address whatever its slot does, so the rules are asked. Layers keep what order they can.
        values = [value for value in values if path == "addresses" or any(
            strategy.allows(path, each) for each in (choices("layers.ordering") if value == "layered" else [value]))]
    return values


_ITERATION = [path for path in AXES if path.startswith("iteration.")]
_CORE = [path for path in AXES if path not in _ITERATION]


def _means_nothing(path: str, values: Dict[str, str]) -> bool:
    """Is this key about something that the other values leave out?"""
    return any(other in values and values[other] not in allowed for other, allowed in BY_PATH[path].only.items()) \
        or path == "capacity.when_full" and values["element.by"] == "intrusive"  # which are combined without a maximum


def _paired(values: Dict[str, str]) -> Dict[str, str]:
    return {path: text for pair, companions in PAIRS.items() if all(values.get(path) == value for path, value in pair)
            for path, text in companions.items()}


def spell(values: Dict[str, str]) -> Dict[str, str]:
    settings = {**_element(), **{path: value for path, value in values.items()
                                 if value != BY_PATH[path].default or not _means_nothing(path, values)}}
    for path, value in values.items():
        settings.update(COMPANIONS.get((path, value), {}))
    settings.update(_paired(values))
    settings = {path: text for path, text in settings.items() if text}
    if POLICIES[values["removal.policy"]].expired == "must":
        settings.update(EXPIRES)
    if values["ordering"] == "layered":  # layers keep what order they can
        served = [strategy
                  for strategy in strategies()
                  if (strategy.policy, strategy.storage) == (values["removal.policy"], values["storage.kind"])]
        settings["layers.ordering"] = next((order for order in choices("layers.ordering")
                                            if any(strategy.allows("ordering", order) for strategy in served)), "unordered")
    return settings


def combinations(policy: str = "") -> Iterator[Combination]:
    """All of them, or those of one removal policy, in the order of the axes."""
    judge = Judge()
    for strategy in strategies(policy):
        for core in itertools.product(*(_values(path, strategy) for path in _CORE)):
            values = dict(zip(_CORE, core))
            if any(value != BY_PATH[path].default and _means_nothing(path, values) for path, value in values.items()):
                continue  # the rules would refuse each of these
            settings = spell(values)
            if values["removal.when"] == "deferred":
                settings["iteration.adds"] = "deferred"
            refusal = judge.refusal(settings)
            if refusal == NEEDS_LIMIT:  # some storage has a fixed number of slots
                settings.update(LIMIT)
                refusal = judge.refusal(settings)
            if refusal:
                continue
            settings.pop("iteration.adds", None)
            for iteration in itertools.product(*(_values(path, strategy) for path in _ITERATION)):
                ways = dict(zip(_ITERATION, iteration))
                whole = {path: text for path, text in {**settings, **_paired({**values, **ways}), **ways}.items() if text}
                if judge.accepts(whole):
                    yield Combination(tuple({**values, **whole}[path] for path in AXES), whole)


def table(found: List[Combination]) -> str:
    """Combinations for people: one line each, a column for each axis."""
    leaves = [path.split(".")[-1] for path in AXES]
    rows = [tuple(path.split(".")[0] if BY_PATH[path].short else leaf if leaves.count(leaf) == 1 else path
                  for path, leaf in zip(AXES, leaves))]
    for combination in found:
        values = dict(zip(AXES, combination.values))
        rows.append(tuple("-" if _means_nothing(path, values) else value for path, value in values.items()))
    widths = [max(len(row[column]) for row in rows) for column in range(len(AXES))]
    return "\n".join("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows)


def yaml(combination: Combination, name: str) -> str:
    """A container of a spec that asks for this combination."""
    tree: Dict[str, Any] = {}
    for path, text in combination.settings.items():
        *groups, leaf = path.split(".")
        node = tree
        for group in groups:
            node = node.setdefault(group, {})
        node[leaf] = text

    def flow(node: Any) -> str:
        if isinstance(node, dict):
            return "{" + ", ".join(f"{key}: {flow(value)}" for key, value in node.items()) + "}"
        return node
    return f"  {name}: {flow(tree)}"
