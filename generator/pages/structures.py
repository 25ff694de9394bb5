"""The pages of docs/structures: one for each preset, from its record, its example and its plan."""

import os
import re
from typing import Dict, List, Optional, Tuple

from ..containers.load import load_spec
from ..containers.offered import operation_names
from ..containers.plan import Operation, Plan
from ..containers.planning import make_plan
from ..emitted.render import Renderer
from ..language.keys import BY_PATH, KEYS
from ..language.model import ALL, Container
from ..language.presets import INSTEAD, PRESETS, Preset, usual_operations
from ..language.resolve import variant
from ..text.diag import Diagnostics, Failure, failure
from ..text.identifiers import shout
from ..text.naming import MARK, placed, plain
from ..text.project import ROOT
from ..text.units import said
from . import wording

MADE = "<!-- Made from the tables of the generator: bespoke schema --structures -o docs/structures -->"
INDEX = "README.md"


def example_root() -> str:
    """The folder of the structures' examples. Only a checkout has it."""
    return os.path.join(ROOT, "examples", "structures")


class Example:
    """A structure in use: a spec, the header of its element, a program, and what that prints."""

    def __init__(self, name: str):
        self.folder = os.path.join(example_root(), name)
        names = sorted(os.listdir(self.folder))
        (self.spec,) = [file for file in names if file.endswith(".yaml")]
        self.headers = [file for file in names if file.endswith(".h")]
        problems = Diagnostics()
        spec = load_spec(os.path.join(self.folder, self.spec), problems)
        if spec is None:
            raise Failure(problems, 2)
        self.stem = spec.stem
        self.container: Container = spec.containers[0]
        self.plan: Plan = make_plan(self.container)
        self.size = Renderer().linked(spec).sizes[plain(self.plan.T)]

    def read(self, name: str) -> str:
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()


def no_examples() -> Failure:
    return failure(3, "BSP0411", "there are no examples of the structures in '%s'" % example_root(),
                   help="pages about them are made in a checkout of Bespoke")


def pages() -> Dict[str, str]:
    """Every page by its file name."""
    if not os.path.isdir(example_root()):
        raise no_examples()
    examples = {name: Example(name) for name in PRESETS}
    made = {INDEX: _index(examples)}
    for name, preset in PRESETS.items():
        made[f"{name}.md"] = plain(said(_page(name, preset, examples[name])))
    return made


# -- the index -------------------------------------------------------------------------------------------------------


def _index(examples: Dict[str, Example]) -> str:
    lines = [
        "# The structures", "", MADE, "",
        "Each of these is a preset: a named set of values. A spec may use it as it is or override single keys. The same values "
        "without the preset generate the same code.", ""]
    lines += [f"- [{preset.title}](#{_anchor(preset.title)}): {_lower(_gist(preset))}." for preset in PRESETS.values()]
    lines += ["", "If none fits, set the keys directly. [The reference](../reference.md) lists all keys; "
              "`bespoke explain SPEC` prints the resolved spec.", "",
              "## Side by side", "",
              "n: elements in the container. The costs are those of the example on each page. Other keys change some of them.",
              "", "| structure | order | duplicates | add | contains | remove | addresses of elements |",
              "| --- | --- | --- | --- | --- | --- | --- |"]
    lines += [f"| {_link(name)} | " + " | ".join(map(wording.cell, _in_short(examples[name]))) + " |" for name in PRESETS]
    lines += ["", "During a pass:", "",
              "| structure | an added element | a removed element | may be removed | passes |",
              "| --- | --- | --- | --- | --- |"]
    lines += [f"| {_link(name)} | " + " | ".join(map(wording.cell, _in_a_pass(examples[name]))) + " |" for name in PRESETS]
    lines += ["", "## When to use which", ""]
    for name, preset in PRESETS.items():
        lines += [f"### {_capital(preset.title)}", "", *(f"- {_linked(reason)}" for reason in preset.choose), "",
                  f"When not to use it, an example, costs: {_link(name)}.", ""]
    return "\n".join(lines).rstrip() + "\n"


def _in_short(example: Example) -> Tuple[str, ...]:
    c, plan = example.container, example.plan
    add, remove, contains = (_operation(plan, name) for name in ("add", "remove", "contains"))
    finding = str(contains.cost) if contains is not None else "-"
    return (_value(c, "ordering"), {"allow": "yes"}.get(c["duplicates"], f"no: {c['duplicates']}"),
            "-" if add is None else str(add.cost), finding, "-" if remove is None else str(remove.cost),
            "stable" if c["addresses"] == "stable" else "none" if not plan.parts.element.stored
            else "owned by the caller" if c["element.by"] != "value" else "moving")


def _in_a_pass(example: Example) -> Tuple[str, ...]:
    c = example.container
    adds = {"visited": "is visited", "next": "waits for the next pass", "deferred": "is added after the pass"}
    gone = "is visited, and removed after the pass" if c["removal.when"] == "deferred" else "is removed immediately"
    passes = "one" if c["iteration.cursors"] == "one" else "any number" if example.plan.parts.passes.limit is None \
        else f"up to {c['iteration.passes']}"
    if not example.plan.parts.passes.removes:
        return "ends the pass", "ends the pass", "none", passes
    return (adds[c["iteration.adds"]], gone,
            "any" if c["iteration.removes"] == "any" else "the current one", passes)


# -- a page ----------------------------------------------------------------------------------------------------------


def _page(name: str, preset: Preset, example: Example) -> str:
    plan, container = example.plan, example.container
    lines = [f"# {_capital(preset.title)}", "", MADE, "", _named(plan, preset.text()), "",
             "![What an add, removals under a pass and its end do to "
             f"{'the order' if container['storage.kind'] == 'linked' else 'the slots'}](../pictures/structures/{name}.svg)", "",
             "[How to read the picture](../contract.md#how-to-read-the-pictures)."
             + (" It shows one of the layers." if container["ordering"] == "layered" else ""), ""]
    lines += ["## When to choose it", ""] + [f"- {_linked(reason)}" for reason in preset.choose] + [""]
    lines += ["## When not", "", "| if | use |", "| --- | --- |"]
    lines += [f"| {wording.cell(_linked(reason))} | {wording.cell(_linked(other))} |" for reason, other in preset.avoid.items()]
    lines += ["", "## A spec", "", f"`{example.spec}`:", "", _block("yaml", example.read(example.spec)), ""]
    lines += [f"`preset: {name}` stands for", "", _block("yaml", _settings(preset)), ""]
    if preset.needs:
        lines += ["The spec must also set "
                  + ", ".join(f"`{path}`" + (f" or `{INSTEAD[path]}`" if path in INSTEAD else "") for path in preset.needs)
                  + ".", ""]
    there = {operation.name for operation in plan.operations} | {"each", "each_const"}
    lines += ["`emit: {operations: [usual]}` emits what such a list usually needs: "
              + ", ".join(f"`{operation}`" for operation in usual_operations(name, container["identity.key"] is not None)
                          if operation in there) + ".", ""]
    lines += _otherwise(container)
    lines += ["## A program", ""]
    for header in example.headers:
        lines += [f"`{header}`:", "", _block("c", example.read(header)), ""]
    lines += ["`main.c`:", "", _block("c", example.read("main.c")), "",
              _block("sh", f"bespoke generate {example.spec} -o .\n"
                           f"cc -o program main.c {example.stem}.c && ./program"), "",
              "prints", "", _block("", example.read("output.txt")), "",
              f"The files are in [examples/structures/{name}](../../examples/structures/{name}).", ""]
    lines += ["## During a pass", ""] + [f"- {_named(plan, _capital(line))}" for line in plan.contract] + [""]
    lines += _operations(plan)
    lines += _statuses(plan)
    lines += ["## Memory", "", _capital(plan.memory(example.size)) + ".", ""]
    lines += _related(name)
    return "\n".join(lines).rstrip() + "\n"


def _operations(plan: Plan) -> List[str]:
    lines = ["## Operations", "",
             "n: elements in the container. An empty cell in the last column: the call invalidates nothing.", "",
             "| call | | cost | invalidates |", "| --- | --- | --- | --- |"]
    for operation in plan.operations:
        if not operation.name.endswith("_"):
            cells = (operation.brief, str(operation.cost), "" if operation.invalidates == "nothing" else operation.invalidates)
            lines.append(f"| `{plan.T[operation.name]}` | "
                         + " | ".join(wording.cell(_named(plan, text)) for text in cells) + " |")
    lines.append(f"| `{plan.TT.EACH}` | The loop, as in the program above. | as `{plan.T.next}`, for each | |")
    return lines + [""]


def _statuses(plan: Plan) -> List[str]:
    lines = ["## Statuses", "", "| status | | returned by |", "| --- | --- | --- |"]
    for status in plan.statuses:
        calls = [f"`{operation.name}`" for operation in plan.operations
                 if status.name in operation.statuses and operation.result == plan.T.status and not operation.private]
        of = ", ".join(calls) if status.name != "OK" else "all"
        lines.append(f"| `{plan.TT[status.name]}` | {wording.cell(status.doc)} | {of} |")
    done = " and ".join(f"`{status}`" for status in plan.said_done.split(" and "))
    return lines + ["", f"After any status but {done} the container is unchanged. Bulk calls report how many "
                    "elements they added.", ""]


def _otherwise(container: Container) -> List[str]:
    """What may be said in its place, one key at a time: tried, not told."""
    rows = []
    for key in KEYS:
        if key.path in ("identity.kind", "sort.kind"):  # another kind of key is another expression
            continue
        if key.kind not in ("choice", "flag") or key.role == "emission" or not _open(container, key.path):
            continue
        here = container[key.path]
        choices = list(key.values) if key.kind == "choice" else [False, True]
        others = [value for value in choices if value not in (here, "auto")
                  and accepts(container, key.path, value)]
        if others:
            rows.append(f"| [`{key.path}`](../axes/{key.group or key.path}.md) | {_code(key.path, here)} | "
                        f"{', '.join(_code(key.path, value) for value in others)} |")
    if not rows:
        return []
    return ["Other values that this spec accepts, changing one key:", "", "| key | here | also |", "| --- | --- | --- |",
            *rows, ""]


def accepts(container: Container, path: str, value: object) -> bool:
    """May a key have another value? Not if a chosen operation would be missing."""
    other, chosen = variant(container, path, value), container["emit.operations"]
    return other is not None and (chosen is None or set(chosen) <= {*operation_names(other), *chosen.usual, ALL})


def _open(container: Container, path: str) -> bool:
    return container[path] is not None and all(container[other] in values for other, values in BY_PATH[path].only.items())


def _related(name: str) -> List[str]:
    def mentions(preset: Preset) -> List[str]:
        text = " ".join((*preset.choose, *preset.avoid, *preset.avoid.values()))
        return re.findall(r"\{(\w+)\}", text)

    found = dict.fromkeys(mentions(PRESETS[name]))
    found.update(dict.fromkeys(other for other, preset in PRESETS.items() if name in mentions(preset)))
    found.pop(name, None)
    lines = ["## Related", ""]
    lines += [f"- {_link(other)}: {_lower(_gist(PRESETS[other]))}." for other in found]
    lines += [f"- [All structures]({INDEX})", "- [Every key of a spec](../reference.md)"]
    return lines


# -- words -----------------------------------------------------------------------------------------------------------


def _operation(plan: Plan, name: str) -> Optional[Operation]:
    return next((operation for operation in plan.operations if operation.name == name), None)


def _link(name: str) -> str:
    return f"[{PRESETS[name].title}]({name}.md)"


def _linked(text: str) -> str:
    """Text in which {locking_list} is a link to that page."""
    return re.sub(r"\{([a-z_]+)\}", lambda match: f"the {_link(match.group(1))}", text)


def _code(path: str, value: object) -> str:
    return f"`{wording.value_text(path, value)}`"


def _value(container: Container, path: str) -> str:
    return wording.value_text(path, container[path])


def _anchor(title: str) -> str:
    """Where a heading of this text is found on its page."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _gist(preset: Preset) -> str:
    return wording.first_sentence(preset.doc).rstrip(":.")


def _named(plan: Plan, text: str) -> str:
    """Text in which the names of functions are set as code."""
    name = plan.container.full_name
    return re.sub(rf"(?<!`){MARK}(?:{name}|{shout(name)})_\w+{MARK}(?!`)", r"`\g<0>`", placed(plan.T, text))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if not re.match(r"\w+[_(]", text) else text


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _settings(preset: Preset) -> str:
    """The values of a preset as a spec would give them."""
    order = [key.path for key in KEYS if key.path in preset.settings]
    lines = []
    for head in dict.fromkeys(path.split(".")[0] for path in order):
        lines.append(wording.in_one_line(head, [path for path in order if path.split(".")[0] == head], preset.settings))
    return "\n".join(lines)
