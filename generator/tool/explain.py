"""What a spec comes to and why, what an error code means, what is installed: in words."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from typing import Any, List, Optional, Sequence, Tuple

from ..emitted import spelling
from ..text import diag
from ..text.diag import Diagnostic
from ..text.naming import plain
from ..text.project import template_root

_WIDTH = 116


# -- error codes -----------------------------------------------------------------------------------------------------


def looks_like_code(text: str) -> bool:
    return re.fullmatch(r"BSP\d+", text, re.IGNORECASE) is not None


def code(text: str) -> Optional[str]:
    """The explanation of an error code."""
    entry = diag.CODES.get(text.upper())
    if entry is None:
        return None
    title, explanation, remedy = entry
    return "\n".join([f"{text.upper()}: {title}", ""] + textwrap.wrap(explanation, 100) + [""]
                     + textwrap.wrap("What to do: " + remedy, 100))


# -- a container -----------------------------------------------------------------------------------------------------


def container(c: Any, emitted: Any = None) -> str:
    """One resolved container: values, storage, operations, statuses, memory. `emitted`: its plan, where not all of it is emitted."""
    from ..containers import plan as plans
    from ..language import soa
    from ..language.keys import KEYS
    from ..pages.reference import value_text

    plan = emitted or plans.make_plan(c)
    inner = plan if c.layer is None else plans.make_plan(c.layer)  # of one in layers, what keeps the elements of a layer
    chain = f" ({' on '.join(c.preset_chain)})" if c.preset_chain else ""
    head = f"{plan.T}: {plan.summary}{chain}"
    lines = [head, "=" * min(len(head), _WIDTH), "", "settings"]
    rows: List[Tuple[str, str, str]] = []
    for key in KEYS:
        setting = c.settings.get(key.path)
        if setting is None or setting.value is None or setting.value == "":
            continue
        if key.path == "capacity.shrink.after" and c["capacity.shrink.below"] is None:
            continue  # nothing shrinks
        rows.append((key.path, value_text(key.path, setting.value), _origin(setting)))
    members = soa.listed(c)
    if members is not None and c["element.fields"] is None:
        said = "; ".join(member.declare() for member in members)
        rows.insert(next(i for i, row in enumerate(rows) if row[0] == "layout"),
                    ("element.fields", said, f"read from {c.type_info.header}: {diag.visible(c.type_info.path)}"))
    lines += _table(rows)

    lines += ["", "storage"]
    lines += _table([(path, c[path], _why(c, path)) for path in ("storage.kind", "removal.policy")])
    if plan.columns:
        lines += [""] + _table([(column.name, column.type, column.doc) for column in plan.columns])

    guards = _guards(c)
    if guards:
        lines += ["", "guards"] + ["  " + line for line in textwrap.wrap(guards, _WIDTH - 2)]

    left_out = [operation.name for operation in plans.make_plan(c).operations if not operation.private
                and all(operation.name != other.name for other in plan.operations)]
    lines += ["", "operations"]
    lines += _table([("name", "cost", f"what becomes of the others' {inner.others}")]
                    + [(c.function(operation.name), operation.cost, operation.invalidates)
                       for operation in plan.operations if not operation.name.endswith("_")], (34, 40))
    if left_out:
        lines += textwrap.wrap(f"not emitted, since `emit.operations` names others: {', '.join(left_out)}", _WIDTH - 2,
                               initial_indent="  ", subsequent_indent="  ")
    lines += ["", "signatures"]
    speller = spelling.Speller([each for each in (c.layer, c) if each is not None])
    for operation in plan.operations:
        if operation.name.endswith("_"):
            continue
        says = dict.fromkeys(("OK",) + tuple(operation.statuses))
        tells = operation.result == f"{plan.T}_status"
        prototype = speller.spell(spelling.sized(operation.prototype, c["emit.size_type"] or "size_t"))
        lines.append(f"  {prototype};" + (f"  /* {', '.join(says)} */" if tells else ""))

    lines += ["", "statuses"]
    lines += _table([(f"{plan.TT}_{status['name']}", str(status["number"]), status["doc"]) for status in plan.statuses])
    lines += ["", "memory"] + ["  " + line for line in textwrap.wrap(plan.bytes_per_element, _WIDTH - 2)]
    return plain("\n".join(lines))


def _guards(c: Any) -> str:
    """What notices that the element's struct is no longer what the code was generated for."""
    from ..emitted.static_asserts import guards_of
    from ..language.resolve import unguarded
    spec = diag.visible(c.span.source.name)
    names = unguarded(c)
    if names:
        return (f"None: the spec names members of {c.element} ({', '.join(names)}), and nothing is known of it, so only what does not "
                f"compile is noticed when it changes. `bespoke type import {spec}` writes a lock of the type; then the source asserts "
                "that its members are what they were, and `bespoke check --types` compares them with the header.")
    if not guards_of(c, ""):
        return ""
    known = "element.fields" if c.type_info is None else diag.visible(c.type_info.path or c.type_info.header)
    return f"The source asserts that {c.element} is what {known} says: the size, and where each member lies and its type."


def _origin(setting: Any) -> str:
    place = f"{diag.visible(setting.span.source.name)}:{setting.span.line}" if setting.span is not None else ""
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


def _table(rows: Sequence[Tuple[str, ...]], limits: Tuple[int, ...] = (34, 34)) -> List[str]:
    """Rows of three columns, indented; what is too long goes on below."""
    widths = [min(limit, max(len(str(row[i])) for row in rows)) for i, limit in enumerate(limits)]
    widths.append(max(30, _WIDTH - 6 - sum(widths)))
    lines = []
    for row in rows:
        cells = [textwrap.wrap(str(cell), width) or [""] for cell, width in zip(row, widths)]
        for number in range(max(map(len, cells))):
            line = "  ".join(f"{cell[number] if number < len(cell) else '':<{width}}" for cell, width in zip(cells, widths))
            lines.append(("  " + line).rstrip())
    return lines


# -- what is installed -----------------------------------------------------------------------------------------------


def health(need: Sequence[str]) -> Tuple[str, List[Diagnostic]]:
    """A table of what is installed, and an error for each thing that is missing though it is needed."""
    from ..output import clang_format
    rows: List[Tuple[str, str, str]] = []
    missing: List[Diagnostic] = []
    python = "%d.%d.%d" % sys.version_info[:3]
    rows.append(("python", python, sys.executable or "?"))
    if sys.version_info < (3, 8):
        missing.append(Diagnostic("BSP0501", "Python 3.8 or newer is needed, this is " + python))
    for module, shown, debian, pip in (("jinja2", "Jinja2", "python3-jinja2", "jinja2"),
                                       ("yaml", "PyYAML", "python3-yaml", "pyyaml")):
        try:
            found = __import__(module)
        except Exception as error:  # an installation may be broken in any way
            how = f"apt-get install {debian}, or: {os.path.basename(sys.executable or 'python3')} -m pip install {pip}"
            rows.append((shown, "missing", how))
            if "generate" in need:
                missing.append(Diagnostic("BSP0501", f"{type(error).__name__}: {error} ({sys.executable})",
                                          help=f"install it with: {how}"))
            continue
        rows.append((shown, str(getattr(found, "__version__", "found")), os.path.dirname(found.__file__ or "")))
    try:
        rows.append(("templates", "found", template_root()))
    except ImportError:
        pass
    except OSError as error:
        rows.append(("templates", "missing", str(error)))
        missing.append(Diagnostic("BSP0503", str(error), help="install Bespoke again"))
    formatter, problem = clang_format.find_formatter()
    if formatter is not None:
        rows.append(("clang-format", formatter.version, formatter.path))
    else:
        rows.append(("clang-format", "missing", f"{problem}; without it files are not formatted. "
                                                "apt-get install clang-format-14"))
    rows.append(_compiler())
    try:
        from ..types import cheader
        reads, how = cheader.available()
    except ImportError as error:  # what is missing has been said
        reads, how = False, str(error)
    rows.append(("libclang", "found" if reads else "missing", how if reads else
                 "%s; only reading types from headers needs it. %s" % (how, "apt-get install python3-clang")))
    if not reads and "types" in need:
        missing.append(Diagnostic("BSP0504", "types cannot be read from headers: " + how,
                                  help="install it with: apt-get install python3-clang"))
    return "\n".join(line[2:] for line in _table(rows, (16, 12))), missing


def _compiler() -> Tuple[str, str, str]:
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        path = shutil.which(name) if name else None
        if path is None:
            continue
        try:
            said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, timeout=20).stdout.decode("utf-8", "replace")
        except (OSError, subprocess.TimeoutExpired):
            continue
        match = re.search(r"\d+\.\d+(?:\.\d+)?", said.split("\n")[0])
        return ("C compiler", match.group() if match else "found", path)
    return ("C compiler", "missing", "generating needs none, compiling does. apt-get install gcc")
