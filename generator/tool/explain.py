"""The command `explain`: what a spec resolves to and why, and what an error code means."""

import json
import re
import textwrap
from typing import Any, List, Optional, Sequence, Tuple

from ..language.presets import USUAL, usual_operations
from ..text import diag
from ..text.error_codes import CODES
from ..text.naming import plain
from ..text.printing import visible
from ..text.suggestions import did_you_mean
from .console import OK, SPEC, Output
from .specs import load, top

WIDTH = 116


def explain(options: Any, output: Output) -> int:
    subject = options.subject
    if subject.upper() in CODES or _looks_like_code(subject):
        text = _code(subject, options.json)
        if text is None:
            near = did_you_mean(subject.upper(), CODES)
            raise diag.failure(SPEC, "BSP0411", "there is no code '%s'" % subject,
                               help="did you mean %s?" % near if near else None)
        output.print(text)
        return OK
    spec = load([subject], options.include, output)[0]
    chosen = [c for c in spec.containers if options.container in (None, c.name)]
    if not chosen:
        names = [c.name for c in spec.containers]
        near = did_you_mean(options.container, names)
        raise diag.failure(SPEC, "BSP0411", "no container '%s' in '%s'" % (options.container, subject), top(spec),
                           help=("did you mean '%s'? " % near if near else "") + "it holds: " + ", ".join(names))
    if options.json:
        from ..emitted.described import described
        output.print(_as_json(described(spec, chosen)))
        return OK
    from ..emitted.render import Renderer
    linked = Renderer().linked(spec)  # what comes with chosen operations shows in the text
    plans = {plan.container.full_name: plan for plan in linked.plans}
    output.print("\n\n".join(container(c, plans.get(c.full_name), linked.sizes[plain(c.names)]) for c in chosen))
    return OK


def _as_json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)


# -- error codes -----------------------------------------------------------------------------------------------------


def _looks_like_code(text: str) -> bool:
    return re.fullmatch(r"BSP\d+", text, re.IGNORECASE) is not None


def _code(text: str, as_data: bool) -> Optional[str]:
    """The explanation of an error code."""
    entry = CODES.get(text.upper())
    if entry is None:
        return None
    title, explanation, remedy = entry
    if as_data:
        return _as_json({"code": text.upper(), "title": title, "explanation": explanation, "remedy": remedy})
    return "\n".join([f"{text.upper()}: {title}", ""] + textwrap.wrap(explanation, 100) + [""]
                     + textwrap.wrap("What to do: " + remedy, 100))


# -- a container -----------------------------------------------------------------------------------------------------


def container(c: Any, emitted: Any = None, size: Optional[int] = None) -> str:
    """One resolved container: values, storage, operations, statuses, memory. `emitted`: its plan, where not all of it is
    emitted; `size`: what it takes by itself."""
    from ..containers.planning import make_plan
    from ..language import soa
    from ..language.keys import KEYS
    from ..pages.wording import value_text

    plan = emitted or make_plan(c)
    chain = f" ({' on '.join(c.preset_chain)})" if c.preset_chain else ""
    head = plain(f"{plan.T}: {plan.summary}{chain}")
    lines = [head, "=" * min(len(head), WIDTH), "", "settings"]
    rows: List[Tuple[str, str, str]] = []
    for key in KEYS:
        setting = c.settings.get(key.path)
        if key.path == "emit.support" and setting is None:
            rows.append((key.path, "inline", "default: but `--support` comes before it, and the form of the files in the output "
                                             "folder"))
        if setting is None or setting.value is None or setting.value == "":
            continue
        if key.path == "capacity.shrink.after" and c["capacity.shrink.below"] is None:
            continue  # nothing shrinks
        rows.append((key.path, value_text(key.path, setting.value), _origin(setting)))
    members = soa.listed(c)
    if members is not None and c["element.fields"] is None:
        said = "; ".join(member.declare() for member in members)
        rows.insert(next(i for i, row in enumerate(rows) if row[0] == "layout"),
                    ("element.fields", said, f"read from {c.type_info.header}: {visible(c.type_info.path)}"))
    lines += table(rows)

    lines += ["", "storage"]
    lines += table([(path, c[path], _why(c, path)) for path in ("storage.kind", "removal.policy")])
    if plan.parts.storage.columns:
        lines += [""] + table([(column.name, column.type, column.doc) for column in plan.parts.storage.columns])

    guards = _guards(c)
    if guards:
        lines += ["", "guards"] + ["  " + line for line in textwrap.wrap(guards, WIDTH - 2)]

    lines += ["", "operations"] + _operations(c, plan)
    lines += ["", "signatures"]
    for operation in plan.operations:
        if operation.name.endswith("_"):
            continue
        says = dict.fromkeys(("OK",) + tuple(operation.statuses))
        tells = operation.result == plan.T.status
        lines.append(f"  {plain(operation.prototype)};" + (f"  /* {', '.join(says)} */" if tells else ""))

    lines += ["", "statuses"]
    lines += table([(plan.TT[status.name], str(status.number), status.doc) for status in plan.statuses])
    lines += ["", "memory"] + ["  " + line for line in textwrap.wrap(plain(plan.memory(size)), WIDTH - 2)]
    return "\n".join(lines)


def _operations(c: Any, plan: Any) -> List[str]:
    """What the operations cost; which are not emitted, or need not be."""
    from ..containers.planning import make_plan
    lines = table([("name", "cost", "invalidates")]
                  + [(c.function(operation.name), str(operation.cost), operation.invalidates)
                     for operation in plan.operations if not operation.name.endswith("_")], (34, 40))
    left_out = [operation.name for operation in make_plan(c).operations if not operation.private
                and all(operation.name != other.name for other in plan.operations)]
    proposed = _usual(c, plan)
    said = [f"not emitted (not in `emit.operations`): {', '.join(left_out)}"] * bool(left_out) \
        + [f"such a list usually needs no more than {proposed}"] * bool(proposed)
    for sentence in said:
        lines += textwrap.wrap(sentence, WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
    return lines


def _usual(c: Any, plan: Any) -> str:
    """What a list of a preset usually needs of its operations, if all of them are emitted."""
    if c.chosen is not None or c.preset is None:
        return ""
    names = [name for name in usual_operations(c.preset, c["identity.key"] is not None, c["iteration.cursors"] == "none")
             if name in plan.names]
    return f"`emit: {{operations: [{USUAL}]}}`: {', '.join(names)}"


def _guards(c: Any) -> str:
    """What notices that the element's struct is no longer what the code was generated for."""
    from ..emitted.static_asserts import guards_of
    from ..language.element_types import unguarded
    spec = visible(c.span.source.name)
    names = unguarded(c)
    if names:
        return (f"None. The spec names members of {c.element} ({', '.join(names)}), but the type has no lock, so a change of "
                f"the struct is only noticed if the code no longer compiles. `bespoke type import {spec}` writes a lock. Then "
                "the source asserts the layout of the members, and `bespoke check --types` compares them with the header.")
    if not guards_of(c, ""):
        return ""
    known = "element.fields" if c.type_info is None else visible(c.type_info.path or c.type_info.header)
    return f"The source asserts that {c.element} is as in {known}: its size, and the offset and type of each member."


def _origin(setting: Any) -> str:
    place = f"{visible(setting.span.source.name)}:{setting.span.line}" if setting.span is not None else ""
    if setting.origin == "spec":
        return place
    if setting.origin == "preset":
        from ..language.presets import PRESETS
        own = setting.source in PRESETS or not place
        return f"preset {setting.source}" + ("" if own else f", {place}")
    if setting.origin == "defaults":
        return "defaults" + (f", {place}" if place else "")
    if setting.origin == "derived":
        return f"derived: {setting.source}" + (f" ({place})" if place else "")
    return setting.origin


def _why(c: Any, path: str) -> str:
    """Why a policy has its value."""
    from ..language.keys import BY_PATH
    setting = c.settings[path]
    reason = setting.source if setting.origin == "derived" else _origin(setting)
    doc = BY_PATH[path].values.get(setting.value, "")
    return f"{reason[:1].upper()}{reason[1:]}. {doc}" if setting.origin == "derived" else f"{doc} ({reason})"


def table(rows: Sequence[Tuple[str, ...]], limits: Tuple[int, ...] = (34, 34)) -> List[str]:
    """Rows of three columns, indented; what is too long goes on below."""
    rows = [[plain(str(cell)) for cell in row] for row in rows]
    widths = [min(limit, max(len(row[i]) for row in rows)) for i, limit in enumerate(limits)]
    widths.append(max(30, WIDTH - 6 - sum(widths)))
    lines = []
    for row in rows:
        cells = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths)]
        for number in range(max(map(len, cells))):
            line = "  ".join(f"{cell[number] if number < len(cell) else '':<{width}}" for cell, width in zip(cells, widths))
            lines.append(("  " + line).rstrip())
    return lines
