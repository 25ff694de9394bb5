"""A spec as data for other tools (`explain --json`): what was resolved, and what the emitted header declares."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Sequence

from ..containers import memberships
from ..containers.plan import Plan
from ..language.keys import KEYS
from ..language.model import Container, Duration, Fields, Indexes, Renamings, Setting, Spec
from ..operations.operation import Operation
from ..text.filekinds import HANDLES
from ..text.naming import plain
from ..text.project import CONTRACT, VERSION
from ..types.struct_layout import MODEL, Layouts
from .render import Renderer

Data = Dict[str, Any]


def described(spec: Spec, chosen: Sequence[Container]) -> Data:
    """The spec, with these of its containers."""
    renderer = Renderer()
    plans = renderer.plans(spec)
    files = renderer.files(spec, "", shared=False)
    headers = [files[name] for name in files if name.endswith((f"{spec.stem}.h", HANDLES))]
    layouts = Layouts("\n".join(reversed(headers)), [each.type_info for each in spec.emitted if each.type_info is not None])
    return {
        "bespoke": VERSION, "contract": CONTRACT, "spec": spec.path,
        "header": f"{spec.stem}.h", "source": f"{spec.stem}.c" if spec.files == "pair" else None,
        "includes": list(dict.fromkeys(each[path] for each in spec.emitted
                                       for path in ("emit.header", "element.header", "element.defined_in", "allocator.header")
                                       if each[path] is not None)),
        "data_model": MODEL,
        "structs": [{"name": struct.name, "size": struct.size, "alignment": struct.alignment,
                     "members": None if struct.members is None else [member._asdict() for member in struct.members]}
                    for struct in layouts.structs()],
        "functions": [function for membership in spec.memberships for function in _membership(membership)],
        "containers": [_container(plan, layouts) for plan in plans
                       if plan.container in chosen or any(plan.container is each.layer for each in chosen)],
    }


def _container(plan: Plan, layouts: Layouts) -> Data:
    c, p, T = plan.container, plan.parts, plan.T
    constants = {plain(name): layouts.constant(plain(name)) for name in (plan.TT[each] for each in (
        "MAX", "KEYS", "PASSES", "WORKERS", "INBOX", "CHUNK", "ALIGNMENT"))}
    return {
        "name": c.name, "type": c.full_name, "preset": c.preset, "presets": list(c.preset_chain), "summary": plain(plan.summary),
        "layer_of": c.around if c.is_layer else None,
        "layers": [{"name": layer.name, "constant": plain(layer.constant), "value": number}
                   for number, layer in enumerate(getattr(plan, "layers", ()))] or None,
        "settings": {key.path: _setting(c.settings[key.path]) for key in KEYS if key.path in c.settings},
        "element": {"type": c.element, "taken": plain(p.item), "returned": plain(p.ref), "none": plain(p.nil),
                    "by": c["element.by"], "header": c["element.header"], "fields": _fields(c)},
        "size_type": p.signed or p.size,
        "constants": {name: value for name, value in constants.items() if value is not None},
        "statuses": [{"name": plain(plan.TT[status.name]), "status": status.name, "value": status.number,
                      "text": plain(status.doc)} for status in plan.statuses],
        "functions": [_function(plan, each) for each in plan.operations if not each.private],
        "loops": [{"macro": plain(plan.TT[name.upper()]), "begin": plain(T[begin])} for name, begin, _ in plan.loops
                  if plan.has("each")],
        "calls": [_called(each) for each in dict.fromkeys(plan.all_callbacks)],
        "contract": [plain(sentence) for sentence in plan.contract],
        "size": layouts.size(plain(plan.T)), "memory": plain(plan.bytes_per_element),
    }


def _function(plan: Plan, operation: Operation) -> Data:
    reports = operation.result == plan.T.status
    statuses: Iterable[str] = dict.fromkeys(("OK", *operation.statuses)) if reports else ()
    return {"name": plain(plan.T[operation.name]), "operation": operation.name, "returns": plain(operation.result),
            "parameters": _parameters(operation.params), "inline": operation.inline,
            "statuses": [plain(plan.TT[name]) for name in statuses], "cost": plain(operation.cost),
            "invalidates": plain(operation.invalidates), "text": plain(operation.brief)}


def _parameters(params: Iterable[Any]) -> List[Data]:
    """Name and type; of an array the length stands behind the type of its elements."""
    split = [(plain(name).partition("["), plain(type_)) for type_, name in params]
    return [{"name": name, "type": f"{type_}{bracket}{length}"} for (name, bracket, length), type_ in split]


def _called(callback: Any) -> Data:
    return {"name": callback.function, "returns": plain(callback.result), "parameters": _parameters(callback.parameters)}


def _membership(membership: Any) -> List[Data]:
    facts = memberships.facts(membership)
    made = [{"name": membership.name, "returns": facts.size, "parameters": _parameters(facts.params)}]
    if facts.prepare is not None:
        made.append({"name": membership.prepare, "returns": "void", "parameters": _parameters(facts.params[:1])})
    return made


def _setting(setting: Setting) -> Data:
    place = {} if setting.span is None else {"file": setting.span.source.name, "line": setting.span.line}
    return {"value": _value(setting.value), "origin": setting.origin, "source": setting.source, **place}


def _fields(c: Container) -> Optional[List[Data]]:
    """The members of an element, where they are known: of the spec, or of the header."""
    fields = c["element.fields"] or (c.type_info.fields if c.type_info is not None else None)
    return [{"name": each.name, "type": each.type} for each in fields] if fields else None


def _value(value: Any) -> Any:
    """A value of a setting as JSON has it."""
    if isinstance(value, Fields):
        return [{"name": each.name, "type": each.type} for each in value]
    if isinstance(value, Renamings):
        return {each.operation: each.name for each in value}
    if isinstance(value, Indexes):
        return {each.name: {name: _value(setting.value) for name, setting in each.settings.items()} for each in value}
    if isinstance(value, Duration):
        return {"amount": value.amount, "unit": value.unit}
    if isinstance(value, (tuple, list)):
        return [_value(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
