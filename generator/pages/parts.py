"""The page of the interfaces of parts, in Markdown: what a part of each axis has, for whoever adds one.

The macros are those of `templates/parts/<axis>/interface.j2`, the attributes those of the axis' class in `generator/parts`.
`python3 -m generator.pages.parts` prints the page.
"""

import ast
import inspect
import os
import re
from typing import Dict, Iterator, List, NamedTuple, Tuple, Type

from ..parts import container_parts
from ..parts.part import Part
from ..text.project import template_root
from .wording import cell

_MACRO = re.compile(r"\{# ((?:(?! #\}).)*) #\}\n\{% macro (\w+)\((.*?)\) -?%\}(.*?)\{% endmacro %\}", re.DOTALL)


_REQUIRED = {(True, False): " **Required.**", (False, True): " **Required there.**", (False, False): ""}


class Macro(NamedTuple):
    """A macro as the interface of an axis declares it."""

    parameters: str
    doc: str
    required: bool  # every part must have its own, or that of a class that it builds on
    called_for: bool  # a part must have it that is asked for it: its text says when


def interface(axis: str) -> Dict[str, Macro]:
    """The macros of an axis, by name."""
    with open(os.path.join(template_root(), "parts", axis, "interface.j2"), encoding="utf-8") as file:
        text = file.read()
    return {name: Macro(parameters, " ".join(doc.split()), body == "{{ required }}", body == "{{ required_where_called }}")
            for doc, name, parameters, body in _MACRO.findall(text)}


def classes(axis: str) -> List[Type[Part]]:
    """The classes of an axis, the general one first, the others as they stand in its module."""
    module = getattr(container_parts, axis)
    found = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, Part) and each.axis == axis]
    return sorted(found, key=lambda each: len(each.__mro__))


def attributes(axis: str) -> Dict[str, str]:
    """What all parts of an axis say of themselves, with what it means."""
    found: Dict[str, str] = {}
    for each in reversed(classes(axis)[0].__mro__[:-1]):
        for name, doc in _said(each):
            found[name] = doc or found.get(name, "")
    return {name: doc for name, doc in found.items() if not name.startswith("_") and name not in ("axis", "name")}


def _said(base: type) -> Iterator[Tuple[str, str]]:
    """The attributes of a class, with what is said where they are defined."""
    source = inspect.getsource(base)
    lines = source.split("\n")
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.ClassDef)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
            yield statement.name, (ast.get_docstring(statement) or "").replace("\n", " ")
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
            assert isinstance(target, ast.Name)
            yield target.id, lines[statement.lineno - 1].partition("  # ")[2]


def page() -> str:
    """The page, in Markdown."""
    lines = [
        "# The interfaces of parts", "",
        "<!-- Made from generator/parts and templates/parts: script/pages -->", "",
        "For changes of Bespoke: what a part of each axis has. [How Bespoke is built](../ARCHITECTURE.md#parts) defines parts, "
        "and how to add one. Python and templates read the attributes: `parts.passes.bounded`. Templates call the macros: "
        "`parts.removal.vacate()`. They print C in a function with `list`, the container, and what is named here. A part has "
        "all macros that are required, and those that are \"required there\" if what their text names is true of it. Any other "
        "prints nothing, or what its interface prints, if a part has none. A macro whose name begins with `_` belongs to its "
        "template.", ""]
    for axis in container_parts.AXES:
        lines += list(_axis(axis))
    return "\n".join(lines).rstrip() + "\n"


def _axis(axis: str) -> Iterator[str]:
    base, *others = classes(axis)
    yield from (f"## {axis}", "", " ".join((inspect.getdoc(base) or "").split()), "")
    yield from ("Parts: " + ", ".join(f"`{each.name}`" for each in others if "name" in vars(each)) + ".", "") if any(
        "name" in vars(each) for each in others) else ()
    said = attributes(axis)
    if said:
        yield from ("| attribute | |", "| --- | --- |", *(f"| `{name}` | {cell(doc)} |" for name, doc in said.items()), "")
    if axis != "adding":
        yield from ("| macro | |", "| --- | --- |")
        for name, macro in interface(axis).items():
            yield f"| `{name}({macro.parameters})` | {cell(macro.doc)}{_REQUIRED[macro.required, macro.called_for]} |"
        yield ""


if __name__ == "__main__":
    print(page(), end="")
