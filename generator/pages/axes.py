"""The pages of docs/axes: one for each group of keys, with what each value costs, and what it goes with.

Nothing is said here about validity: values are put together and the rules are asked, and what they say of a pair that
does not go together is printed."""

import itertools
import os
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from ..containers.planning import make_plan
from ..language.combinations import AXES, COMPANIONS, EXPIRES, LIMIT, PAIRS, node_of
from ..language.keys import BY_PATH, KEYS, Key, choices, groups
from ..language.model import Container, Setting
from ..language.named_indexes import INDEX_KEYS
from ..language.policies import POLICIES
from ..language.presets import PRESETS
from ..language.resolve import finalize
from ..language.values import KINDS
from ..text.diag import Diagnostic, Diagnostics, Source, Span
from ..text.naming import plain
from . import wording
from .structures import Example, example_root

MADE = "<!-- Made from the tables of the generator: bespoke schema --axes -o docs/axes -->"
INDEX = "README.md"

# The keys whose values are put together.
PATHS: Tuple[str, ...] = tuple(key.path for key in KEYS if key.path in AXES or key.path in (
    "iteration.removes", "iteration.cursors", "storage.links", "capacity.inline"))

# What else is given, where two values do not go together by themselves.
_MORE: Tuple[Dict[str, str], ...] = (
    {"identity.by": "key"}, {"element.by": "pointer"}, {"identity.by": "value"}, {"removal.policy": "unlink"},
    {"duplicates": "reject"}, {"ordering": "unordered"}, {"ordering": "sorted"}, {"ordering": "insertion"},
    {"layers.ordering": "unordered"},
    {"removal.policy": "prune"}, {"removal.policy": "tombstone"}, {"removal.policy": "reuse"}, {"sort.when": "begin"},
    {"storage.links": "double"}, {"iteration.adds": "visited"}, LIMIT)

_LINES = [Span(Source("spec", ""), line, 1) for line in range(1, 64)]

_Settings = Dict[str, str]
_Value = Tuple[str, str]  # a key and one of its values


class Answer(NamedTuple):
    """What the rules say of some settings."""

    container: Optional[Container]  # None: they do not go together
    problem: Optional[Diagnostic]
    settings: _Settings

    @property
    def blamed(self) -> Set[str]:
        """The keys whose lines the message shows."""
        assert self.problem is not None
        spans = [self.problem.span, *(note.span for note in self.problem.notes)]
        paths = list(self.settings)
        return {paths[span.line - 2] for span in spans if span is not None and span.line >= 2}


def values_of(path: str) -> List[str]:
    """The values of a key that are put together with others."""
    if BY_PATH[path].kind == "flag":
        return ["true"]
    return [value for value in choices(path) if value != "auto"]


class Bench:
    """Puts values together and asks the rules."""

    def __init__(self) -> None:
        self._parsed: Dict[_Value, Any] = {}
        self._answers: Dict[Tuple[_Value, ...], Answer] = {}
        self._bases: Dict[_Value, Answer] = {}
        self._pairs: Dict[Tuple[_Value, _Value], Tuple[Answer, _Settings]] = {}

    def ask(self, settings: _Settings) -> Answer:
        key = tuple(sorted(settings.items()))
        if key not in self._answers:
            self._answers[key] = self._ask(settings)
        return self._answers[key]

    def _ask(self, settings: _Settings) -> Answer:
        container = Container("fleet", _LINES[0])
        for line, pair in zip(_LINES[1:], settings.items()):
            if pair not in self._parsed:
                key = BY_PATH[pair[0]]
                self._parsed[pair] = KINDS[key.kind](key, node_of(*pair))
            container.settings[pair[0]] = Setting(self._parsed[pair], "spec", line)
        problems = Diagnostics(helps=False)
        finalize(container, problems, set(), None)
        first = next((item for item in problems.sorted() if item.severity == "error"), None)
        return Answer(None if first is not None else container, first, settings)

    def base(self, value: _Value) -> Answer:
        """A spec that says this value, and as little else as it can."""
        if value not in self._bases:
            tried = (self.ask(spell({**more, value[0]: value[1]})) for more in _additions(value[0]))
            self._bases[value] = next(answer for answer in tried if answer.container is not None)
        return self._bases[value]

    def pair(self, one: _Value, other: _Value) -> Tuple[Answer, _Settings]:
        """Do they go together? If so, what else must be said for it; if not, what the rules say."""
        if (one, other) not in self._pairs:
            self._pairs[one, other] = self._pair(one, other)
        return self._pairs[one, other]

    def _pair(self, one: _Value, other: _Value) -> Tuple[Answer, _Settings]:
        mine, its = ({path: text for path, text in self.base(value).settings.items() if path in PATHS} for value in (one, other))
        refusals: List[Answer] = []
        for start in (mine, its):  # from what each needs by itself
            for more in _additions(one[0], other[0]):
                said = {**start, **more, **dict([one, other])}
                answer = self.ask(spell(said))
                if answer.container is not None:
                    new = {path: text for path, text in said.items() if mine.get(path) != text and path != other[0]}
                    return answer, new
                refusals.append(answer)
        # The message that blames these two, or what they cannot do without, and nothing that was only added to see whether
        # it would help.
        related = [{path, *BY_PATH[path].only} for path, _ in (one, other)]

        def beside(answer: Answer) -> Tuple[int, int]:
            assert answer.problem is not None
            named = {path for path, text in answer.settings.items() if _in_words((path, text)) in answer.problem.message}
            foreign = [paths - related[0] - related[1] for paths in (named, answer.blamed)]
            return sum(not paths & answer.blamed for paths in related) + 2 * len(foreign[0]), len(foreign[1])
        return min(refusals, key=beside), {}


def _additions(*but: str) -> Iterator[_Settings]:
    """What may be said beside values of some keys: nothing, one thing, two."""
    for count in range(3):
        for chosen in itertools.combinations(_MORE, count):
            merged = {path: text for more in chosen for path, text in more.items()}
            if len(merged) == count and not set(merged) & set(but):
                yield merged


def _in_words(value: _Value) -> str:
    from ..language.keys import in_yaml
    return in_yaml(*value)


def spell(said: _Settings) -> _Settings:
    """All that a spec says for these values."""
    settings = dict(said)
    for path in said:  # what the key needs to mean something
        for other, allowed in BY_PATH[path].only.items():
            settings.setdefault(other, str(allowed[0]))
    for pair in list(settings.items()):
        for path, text in COMPANIONS.get(pair, {}).items():
            settings.setdefault(path, text)
    for pairs, companions in PAIRS.items():
        if all(settings.get(path) == text for path, text in pairs):
            settings.update(companions)
    if POLICIES.get(settings.get("removal.policy", ""), POLICIES["swap"]).expired == "must":
        settings = {**EXPIRES, **settings}
    if settings.get("capacity.inline"):
        settings.update(LIMIT)
    if settings.get("storage.links") == "single":
        settings.pop("element.link.prev", None)
    if "element.fields" in settings:
        settings.pop("element.type", None)
    elif settings.get("element.by") == "bit":
        settings["element.type"] = "size_t"
    elif settings.get("identity.by") == "value":
        settings["element.type"] = "uint32_t"  # structs have no ==
        settings.update((path, "*element") for path in ("sort.key", "removal.expired") if path in settings)
    else:
        settings.update({"element.type": "struct ship", "element.header": "ship.h"})
    return {path: text for path, text in settings.items() if text}


# -- the pages -------------------------------------------------------------------------------------------------------


def pages(bench: Optional[Bench] = None) -> Dict[str, str]:
    """Every page by its file name."""
    bench, users = bench or Bench(), _users()
    names = groups()
    alone = [key.path for key in KEYS if not key.group]
    order = list(dict.fromkeys(key.group or key.path for key in KEYS))
    assert set(order) == set(alone) | (set(names) - {""})
    made = {INDEX: _index(order)}
    for name in order:
        made[f"{name}.md"] = _page(name, bench, users)
    return made


def _keys(name: str) -> List[Key]:
    return [key for key in KEYS if (key.group or key.path) == name]


def _users() -> Dict[_Value, List[str]]:
    """Which presets have a value; it may be one that nobody said."""
    found: Dict[_Value, List[str]] = {}
    for name, container in _examples():
        for path, setting in container.settings.items():
            if BY_PATH[path].kind in ("choice", "flag"):
                found.setdefault((path, wording.value_text(path, setting.value)), []).append(name)
    return found


def _examples() -> Iterator[Tuple[str, Container]]:
    if not os.path.isdir(example_root()):
        from .structures import no_examples
        raise no_examples()
    for name in PRESETS:
        yield name, Example(name).container


def _index(order: List[str]) -> str:
    lines = ["# The axes", "", MADE, "",
             "A container is a value on each of these axes. Some belong to the *contract*, which callers may rely on. The others "
             "are *policy*: how the contract is kept. With `auto`, Bespoke chooses the policy. Each page lists the meaning of "
             "each value, its cost, the values that it can be combined with, and why not with the others. [The "
             "reference](../reference.md) has all keys on one page.", "",
             "| axis | | values |", "| --- | --- | --- |"]
    for name in order:
        keys = _keys(name)
        main = next((key for key in keys if key.short or key.path == name), None) or keys[0]
        values = ", ".join(f"`{value}`" for value in main.values) if main.kind == "choice" and (main.short or len(keys) == 1) \
            else ", ".join(f"`{key.path[len(name) + 1:]}`" for key in keys)
        about = main.doc if main.short or len(keys) == 1 else _ABOUT[name]
        lines.append(f"| [`{name}`]({name}.md) | {wording.cell(wording.first_sentence(about))} | {values} |")
    lines += ["", "`bespoke list --combinations` prints every valid combination. The "
              "tests compile and run them.", ""]
    return "\n".join(lines)


# What a group without a key of its own name is about.
_ABOUT = {
    "element": "What is stored, and whether the container owns it.",
    "layers": "The names of the layers, and how each is ordered.",
    "iteration": "Which changes a pass sees, and which are allowed during a pass.",
    "threads": "What other threads may do to a container.",
    "capacity": "The capacity, and when memory is released.",
    "hooks": "User functions that the container calls. The header declares them, so a wrong signature does not compile. "
             "Functions written in C++ are `extern \"C\"`.",
    "persist": "What T_save and T_load do with elements: see [saved containers](../saving.md).",
    "emit": "What the files look like.",
    "test": "What the generated test may do to an element.",
}


# What a spec may say where there are no values to put together.
_EXAMPLES: Dict[str, _Settings] = {
    "layers": {"layers.names": "[ground, units, air]", "layers.ordering": "insertion"},
    "indexes": {"indexes": "{by_id: {key: element->id, unique: true}, by_name: {key: element->name, key_kind: string}}"},
    "capacity": {"capacity.initial": "64", "capacity.growth": "1.5", "capacity.max": "1000", "capacity.shrink.below": "25%",
                 "capacity.shrink.after": "2 s"},
    "threads": {"threads.workers": "8", "threads.merge": "worker", "threads.inbox": "1024"},
    "hooks": {"removal.policy": "prune", "removal.expired": "element->hp <= 0", "hooks.add": "ship_joins",
              "hooks.destroy": "ship_sinks", "hooks.update": "ship_flies", "hooks.context": "const struct wind *"},
    "allocator": {"allocator.alloc": "arena_alloc", "allocator.realloc": "arena_realloc", "allocator.free": "arena_free",
                  "allocator.header": "arena.h"},
    "persist": {"emit.persist": "true", "persist.version": "2", "persist.save": "ship_saves", "persist.load": "ship_loads",
                "persist.upgrade": "ship_upgrades"},
    "emit": {"emit.prefix": "Eng", "emit.types": "pascal", "emit.functions": "type_snake", "emit.header": "engine.h",
             "emit.export": "ENGINE_API", "emit.assert": "ENGINE_ASSERT", "emit.banner": "Copyright (c) the authors of Engine"},
    "test": {"removal.policy": "prune", "removal.expired": "element->hp <= 0", "test.id": "id", "test.expire": "element->hp = 0"},
}


def _page(name: str, bench: Bench, users: Dict[_Value, List[str]]) -> str:
    keys = _keys(name)
    lines = [f"# `{name}`", "", MADE, ""]
    if len(keys) > 1:
        lines += [_ABOUT.get(name) or next(key.doc for key in keys if key.short), "",
                  "| key | value | default |", "| --- | --- | --- |"]
        lines += [f"| [`{key.path}`](#{_anchor(key.path)}) | {wording.kind_words(key)} | "
                  f"{wording.cell(wording.default_words(key))} |"
                  for key in keys] + [""]
    if name in _EXAMPLES:
        lines += ["For example:", "", "```yaml", *_spec(bench.ask(spell(_EXAMPLES[name]))), "```", ""]
    for key in keys:
        if len(keys) > 1:
            lines += [f"## `{key.path}`", ""]
        lines += _key(key, bench, users, "###" if len(keys) > 1 else "##")
    lines += ["[All axes](README.md) · [all keys](../reference.md)"]
    return "\n".join(lines).rstrip() + "\n"


def _anchor(text: str) -> str:
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def _key(key: Key, bench: Bench, users: Dict[_Value, List[str]], level: str) -> List[str]:
    lines = [key.doc, ""]
    facts = [f"Belongs to the {key.role}." if key.role != "emission" else ""]
    if key.only:
        facts.append("Only with " + " and ".join(
            f"`{path}`: {' or '.join(f'`{wording.value_text(path, value)}`' for value in values)}" for path,
            values in key.only.items()) + ".")
    facts.append({"must be given": "Must be given.", "not set": ""}.get(
        wording.default_words(key), f"Default: {wording.default_words(key)}."))
    if key.example:
        facts.append(f"Such as `{key.example}`.")
    lines += [" ".join(filter(None, facts)), ""]
    if key.values:
        lines += (["| value | |", "| --- | --- |"] + [f"| `{value}` | {wording.cell(doc)} |" for value, doc in key.values.items()]
                  + [""])
    if key.kind == "indexes":
        for each in INDEX_KEYS.values():
            lines += [f"{level} `{each.path}`", ""] + _key(each, bench, users, level + "#")
    if key.path not in PATHS:
        return lines
    if key.kind == "choice":
        lines += _costs(key, bench)
    for value in values_of(key.path):
        lines += [f"{level} `{key.leaf if key.group else key.path}: {value}`", ""] + _value((key.path, value), bench, users)
    return lines


def _costs(key: Key, bench: Bench) -> List[str]:
    lines = ["The result in a minimal spec (n: elements in the container):", "",
             "| value | removal | storage | add | contains | remove | invalidates | memory |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for value in values_of(key.path):
        container = bench.base((key.path, value)).container
        assert container is not None
        whole = make_plan(container)
        inner = make_plan(container.layer) if container.layer is not None else whole
        operations = {operation.name: operation for operation in inner.operations}
        add, contains, remove = (operations.get(name) for name in ("add", "contains", "remove"))
        row = [f"`{value}`", f"`{container['removal.policy']}`", f"`{container['storage.kind']}`"]
        row += ["-" if operation is None else str(operation.cost) for operation in (add, contains, remove)]
        row += ["-" if remove is None else remove.invalidates, whole.bytes_per_element.split(";")[0]]
        lines.append("| " + " | ".join(map(wording.cell, map(plain, row))) + " |")
    return lines + [""]


def _value(value: _Value, bench: Bench, users: Dict[_Value, List[str]]) -> List[str]:
    lines = ["```yaml", *_spec(bench.base(value)), "```", ""]
    rows: List[Tuple[str, ...]] = []
    reasons: Dict[str, List[str]] = {}
    for path in PATHS:
        if path == value[0]:
            continue
        yes, no = [], []
        for other in values_of(path):
            answer, more = bench.pair(value, (path, other))
            if answer.container is None:
                no.append(other)
            else:
                yes.append(f"`{other}`" + (f" (with {' and '.join(_in_words(pair) for pair in more.items())})" if more else ""))
        if any(parent in PATHS for parent in BY_PATH[path].only) and not (yes and no):
            continue  # what is to say of it is said of the key that it belongs to
        for other in no:
            reasons.setdefault(_reason(bench.pair(value, (path, other))[0], value, (path, other)),
                               []).append(_in_words((path, other)))
        rows.append((path, ", ".join(yes) or "-", ", ".join(f"`{other}`" for other in no)))
    lines += ["| | can be combined with | not with |", "| --- | --- | --- |"]
    lines += [f"| `{path}` | {yes} | {no} |" for path, yes, no in rows] + [""]
    if reasons:
        lines += ["Reasons:", "", *(f"- {', '.join(dict.fromkeys(words))}: {reason}" for reason, words in reasons.items()), ""]
    names = users.get(value, [])
    if names:
        lines += ["Presets: " + ", ".join(f"[{PRESETS[name].title}](../structures/{name}.md)" for name in names) + ".", ""]
    return lines


def _reason(answer: Answer, value: _Value, other: _Value) -> str:
    """Why the rules refuse it, without the two values where they are all that the message begins with."""
    problem = answer.problem
    assert problem is not None
    short, settings = problem.short or (problem.message, ())
    message = short if {_in_words(value), _in_words(other)}.issuperset(settings) else problem.message
    message = "; ".join([message, *(note.message for note in problem.notes if note.span is None)])
    return f"{wording.in_markdown(message)} ([{problem.code}](../errors.md#{problem.code.lower()}))."


def _spec(answer: Answer) -> List[str]:
    """A spec that says all this."""
    assert answer.container is not None
    paths = [key.path for key in KEYS if key.path in answer.settings]
    said = {path: answer.container[path] for path in paths}
    lines = ["bespoke: 1", "containers:", "  fleet:"]
    for head in dict.fromkeys(path.split(".")[0] for path in paths):
        lines.append("    " + wording.in_one_line(head, [path for path in paths if path.split(".")[0] == head], said))
    return lines
