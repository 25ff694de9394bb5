"""Starter specs: what a spec must contain, and the values of its preset as comments."""

import os
import re
import textwrap
from typing import Any, Dict, List, Optional, Tuple

from ..language.keys import BY_PATH, KEYS, VERSION
from ..language.presets import PRESETS, Preset, usual_operations
from ..language.taken_names import why_no_container
from ..text.c_types import check_type
from ..text.diag import Diagnostics
from ..text.header_names import check_header
from ..text.identifiers import is_built_in
from ..text.project import ROOT
from .json_schema import IDENTIFIER
from .wording import flow_mapping, in_one_line, in_yaml


def starter(preset_name: str, name: str, ctype: Optional[str], header: Optional[str], file: Optional[str],
            problems: Diagnostics) -> str:
    """A spec to start from: what must be given, and as comments what the preset says."""
    preset = PRESETS[preset_name]
    ctype, header = _element(preset, ctype, header)
    _check(problems, name, ctype, header)
    given: Dict[str, Any] = {"element.type": ctype}
    if header is not None:
        given["element.header"] = header
    said = dict(preset.settings)
    for path in preset.needs:
        given[path] = BY_PATH[path].example or 64
        if is_built_in(ctype) and path in ("removal.expired", "sort.key"):
            given[path] = "*element <= 0" if path == "removal.expired" else "*element"
    if said.get("duplicates") in ("reject", "replace") and "element.by" not in said \
            and not any(p.startswith("identity.") for p in said):
        given["element.by"] = "pointer"
    given["emit.operations"] = usual_operations(preset_name)

    place = _schema_place(file)
    lines = [f"# yaml-language-server: $schema={place}"] if place else \
        ["# For completion in an editor, run `bespoke schema --json -o bespoke.schema.json` beside this file, and begin it with",
         "#     yaml-language-server: $schema=bespoke.schema.json"]
    lines += ["# " + line for line in textwrap.wrap(f"{preset.title[0].upper()}{preset.title[1:]}: {preset.text()}", 100)]
    lines += ["# The commented lines below are the values of the preset. Uncomment a line to change its value.",
              "# `emit.operations` names what such a list usually needs; add to it, or remove it to have all operations.",
              f"# `bespoke explain {os.path.basename(file) if file else 'SPEC'}` shows the resolved spec.",
              f"bespoke: {VERSION}", "containers:", f"  {name}:", f"    preset: {preset_name}"]
    order = [key.path for key in KEYS if key.path in given or key.path in said]
    for head in dict.fromkeys(path.split(".")[0] for path in order):
        lines.append("")
        lines += _starter_group(head, [path for path in order if path.split(".")[0] == head], given, said)
    return "\n".join(lines) + "\n"


def _element(preset: Preset, ctype: Optional[str], header: Optional[str]) -> Tuple[str, Optional[str]]:
    """The type of the elements and the header that declares it."""
    if ctype is None and preset.settings.get("element.by") == "bit":
        return "size_t", header
    if ctype is None:
        return "struct ship", header or "ship.h"
    if header is None and not is_built_in(ctype):
        word = re.findall(IDENTIFIER, ctype)
        header = (word[-1] if word else "element") + ".h"
    return ctype, header


def _starter_group(head: str, paths: List[str], given: Dict[str, Any], said: Dict[str, Any]) -> List[str]:
    lines: List[str] = []
    if not any(path in given for path in paths):
        for path in paths:
            lines += _doc_comment(path, 4)
        return lines + ["    # " + in_one_line(head, paths, said)]
    lines.append(f"    {head}:")
    for leaf in dict.fromkeys(path[len(head) + 1:].split(".")[0] for path in paths):
        path = f"{head}.{leaf}"
        below = [other for other in paths if other.startswith(path + ".")]  # a group in the group
        for other in below or [path]:
            lines += _doc_comment(other, 6)
        if below:
            known = {**said, **given}
            lines.append("      " + ("" if any(other in given for other in below) else "# ")
                         + f"{leaf}: {flow_mapping(path, below, known)}")
        elif path in given:
            lines.append(f"      {leaf}: {in_yaml(path, given[path])}")
        else:
            lines.append(f"      # {leaf}: {in_yaml(path, said[path])}")
    return lines


def _doc_comment(path: str, indent: int) -> List[str]:
    key = BY_PATH[path]
    text = key.doc + (f" One of: {', '.join(key.values)}." if key.values else "")
    text = f"[{path}] {text}"
    wrapped = textwrap.wrap(text, 100 - indent, break_long_words=False, break_on_hyphens=False)
    return [" " * indent + "# " + wrapped[0]] + [" " * indent + "#   " + line for line in wrapped[1:]]


def _check(problems: Diagnostics, name: str, ctype: str, header: Optional[str]) -> None:
    problem = why_no_container(name)
    if problem:
        problems.error("BSP0301", f"'{name}' cannot name a container: {problem}", help="give another with --name")
    for code, option, problem in (("BSP0303", "--type", check_type(ctype)),
                                  ("BSP0304", "--header", header and check_header(header))):
        if problem:
            problems.error(code, f"{option}: {problem[1]}")


def _schema_place(file: Optional[str]) -> str:
    """Where an editor finds the schema, seen from the spec: beside it, or where Bespoke lies in the same project; '' if
    neither."""
    if file is None:
        return ""
    folder = os.path.realpath(os.path.dirname(file) or ".")
    if os.path.isfile(os.path.join(folder, "bespoke.schema.json")):
        return "bespoke.schema.json"
    root = os.path.realpath(ROOT)
    place = os.path.join(root, "docs", "schema", "bespoke.schema.json")
    project = folder
    while not os.path.lexists(os.path.join(project, ".git")) and project not in (root, os.path.dirname(project)):
        project = os.path.dirname(project)
    if project != os.path.dirname(project) and os.path.isfile(place) and os.path.commonpath([project, root]) == project:
        return os.path.relpath(place, folder).replace(os.sep, "/")
    return ""
