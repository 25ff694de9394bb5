"""What shows containers in debuggers: which parts of templates/debug serve a container, and what they are told.

Everything comes from the plan. A part of a container that lies in memory in a new way needs a part there, and a way to it here.
"""

import ast
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Optional, Sequence

from ..containers.plan import Plan
from ..language.strategies import strategy_of
from ..text.expressions import operand

# parts/storage/<part>.j2 -> debug/cells/<part>.j2, where it is another one
CELLS = {"block": "array", "inline": "array", "circular": "array"}
HANDLES = {"listed": "mapped"}  # the same of parts/handles
LINKS = {"unowned": "members"}  # and of parts/links


def parts(plan: Plan) -> Dict[str, str]:
    """The part of each folder of templates/debug that shows a container."""
    slots = strategy_of(plan.container).arrangement
    storage, links = plan.parts.storage.name, plan.parts.links.name
    return {"slots": LINKS.get(links, links) if slots.linked else "bitmap" if slots.bitmap else "gap" if slots.gap else "ring"
            if slots.wraps else "row",
            "cells": CELLS.get(storage, storage) if plan.parts.element.stored else "spread" if slots.spread else "none",
            "element": plan.parts.element.name, "passes": plan.parts.passes.name,
            "handles": HANDLES.get(plan.parts.handles.name, plan.parts.handles.name),
            "side": plan.parts.side.name, "when": "deferred" if plan.parts.when.deferred else "immediate"}


def _tuple(names: Sequence[str]) -> str:
    """A tuple of strings, as Python would write it."""
    return "(" + ", ".join(f'"{name}"' for name in names) + "," * (len(names) == 1) + ")"


class Shape:
    """What the parts ask beside the plan."""

    @staticmethod
    def names(plan: Plan) -> str:
        """The columns of a row's members, as Python would write them."""
        return _tuple([column.name for column in plan.parts.storage.element_columns])

    @staticmethod
    def several(plan: Plan) -> str:
        """Those of them that hold structs of several members."""
        members = {member.name + "_" for member in plan.parts.element.fields}
        return _tuple([column.name for column in plan.parts.storage.element_columns if column.name not in members])

    @staticmethod
    def beside(plan: Plan) -> str:
        """The names of the values beside elements."""
        return _tuple([each.name for each in plan.parts.side.all])

    @staticmethod
    def capacity(plan: Plan) -> str:
        """The number of slots, as C++ would write it."""
        return str(plan.parts.limit) if plan.parts.storage.inline else "capacity"

    @staticmethod
    def grouped(expression: str) -> str:
        return expression if expression.startswith("(") else operand(expression)

    @staticmethod
    def room(plan: Plan) -> Optional[str]:
        """The number of slots where it is no member of the container."""
        return str(plan.parts.limit) if plan.parts.storage.inline else "None" if plan.parts.element.intrusive else None


class _Kind:
    """One container, for the templates."""

    def __init__(self, plan: Plan, layers: Optional[Plan]):
        self.plan, self.T, self.parts, self.summary = plan, plan.T, parts(plan), plan.summary
        self.handles = plan.parts.handles.given
        self.example = f"${plan.T.at}(list, 2)"
        self.layers: Optional[SimpleNamespace] = None
        if layers is not None:
            names = tuple(layer.name for layer in layers.layers)
            self.layers = SimpleNamespace(T=layers.T, plan=layers, names=_tuple(names), list=names,
                                          ticks=layers.ticks)


def kinds(plans: Sequence[Plan]) -> List[_Kind]:
    """The containers of a spec; a container of layers with that of its layers."""
    whole = {plan.inner: plan for plan in plans if plan.container.layer is not None}
    return [_Kind(plan, whole.get(plan)) for plan in plans if plan.container.layer is None]


def files(environment: Any, stem: str, plans: Sequence[Plan]) -> Dict[str, str]:
    """File name -> text of what shows the containers of a spec."""
    containers = kinds(plans)
    modules: Dict[str, Any] = {}

    def part(folder: str, name: str) -> Any:
        path = f"debug/{folder}/{name}.j2"
        if path not in modules:
            modules[path] = environment.get_template(path).make_module({"shape": Shape})
        return modules[path]

    for kind in containers:
        plan = kind.plan
        kind.part = {folder: part(folder, name) for folder, name in kind.parts.items() if name != "none" or folder == "cells"}
        kind.make = {folder: str(module.make(plan)) for folder, module in kind.part.items()}
        kind.arguments = _arguments(kind)
        _expressions(kind)
    used = [(folder, name) for folder in ("slots", "cells", "element", "passes", "handles", "side", "when")
            for name in dict.fromkeys(kind.parts[folder] for kind in containers) if (folder, name) in
            {(folder, name) for kind in containers for folder, name in kind.parts.items() if folder in kind.part}]
    classes = [text for text in (str(part(folder, name).printer()).strip("\n") for folder, name in used) if text]
    if any(kind.layers for kind in containers):
        layers = str(environment.get_template("debug/layers.j2").make_module({}).printer()).strip("\n")
    else:
        layers = ""
    context = {"stem": stem, "containers": containers, "classes": classes, "layers": layers, "shape": Shape,
               "helpers": [], "handles": any(kind.handles for kind in containers)}
    gdb, lldb = (environment.get_template(f"debug/{name}.j2") for name in ("gdb", "lldb"))
    context["helpers"] = _called(environment.get_template("debug/helpers.j2").make_module({}), gdb.render(context))
    return {f"{stem}.gdb.py": _tidy(gdb.render(context)), f"{stem}_lldb.py": _tidy(lldb.render(context)),
            f"{stem}.natvis": _tidy(environment.get_template("debug/natvis.j2").render(context))}


def _called(helpers: Any, text: str) -> List[str]:
    """The functions that a text calls, and those that they call."""
    # Sorted: the names of a template's module come in any order.
    known = {name: str(getattr(helpers, name)()).strip("\n") for name in sorted(vars(helpers)) if not name.startswith("_")}
    found, waiting = set(), [text]
    while waiting:
        calls = [node.func for node in ast.walk(ast.parse(waiting.pop())) if isinstance(node, ast.Call)]
        more = {call.id for call in calls if isinstance(call, ast.Name)}.intersection(known).difference(found)
        found |= more
        waiting += [known[name] for name in more]
    return [body for name, body in known.items() if name in found]


def _arguments(kind: _Kind) -> List[Any]:
    """(name, text) of what is said of a container in Python; what goes without saying is left out."""
    plan, make = kind.plan, kind.make
    said = [("", f'"{plan.T}"')] + [(folder, make[folder]) for folder in ("slots", "cells", "element", "passes")]
    room = Shape.room(plan)
    if room is not None:
        said.append(("room", room))
    if plan.parts.handles.given:
        said.append(("handles", make["handles"]))
    if plan.parts.side.any:
        said.append(("beside", make["side"]))
    if plan.parts.when.deferred:
        said.append(("waits", make["when"]))
    if plan.parts.passes.begins_back:
        said.append(("backward", "True"))
    if plan.parts.order.sorts_at_begin:
        said.append(("note", '"sorted whenever a pass begins"'))
    return said


def _expressions(kind: _Kind) -> None:
    """What the natvis file says: of each column how it is listed, and what a cursor stands on."""
    plan, part = kind.plan, kind.part

    def reader(column: str, list_: str = "") -> Callable[[str], str]:
        return lambda slot: str(part["element"].read(part["cells"].cell(plan, column, slot, list_)))

    columns = ([(column.name.rstrip("_"), column.name) for column in plan.parts.storage.element_columns]
               if plan.parts.element.columns else [("", "items")])
    on = str(part["slots"].slot(plan, part["passes"].on(plan), "list->"))
    kind.lists = [(name, str(part["slots"].items(plan, reader(column))).strip("\n")) for name, column in columns]
    kind.current = [(name, reader(column, "list->")(on)) for name, column in columns]
    kind.is_on = str(part["passes"].is_on(plan))
    kind.handle = str(part["handles"].shown(plan)).strip("\n") if plan.parts.handles.given else ""


def _tidy(text: str) -> str:
    """No trailing blanks, no runs of more than two blank lines, one line break at the end."""
    lines: List[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if line or lines[-2:] != ["", ""]:
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"
