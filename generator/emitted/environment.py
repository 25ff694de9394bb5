"""The environment of templates: how they are read, and how they see parts."""

import re
from collections import deque
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import jinja2
import jinja2.runtime

from ..parts.container_parts import Parts
from ..parts.part import Part
from ..text import units
from ..text.naming import plain
from ..text.project import template_root

_ALONE = re.compile(r"^([ \t]*)\{\{ ((?:(?!\}\}).)*) \}\}\n", re.MULTILINE)


class _Loader(jinja2.FileSystemLoader):
    """Templates in which a line of one expression goes if that prints nothing, as a line of one statement goes."""

    def get_source(self, environment: jinja2.Environment, template: str) -> Tuple[str, str, Callable[[], bool]]:
        source, path, unchanged = super().get_source(environment, template)
        return _ALONE.sub(r"{{ (\2)|line('\1')\n}}", source), path, unchanged  # of as many lines


def _line(text: object, indent: str) -> str:
    """A line with this text, or none."""
    said = str(text)
    return f"{indent}{said}\n" if said else ""


OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<"}


def _negated(condition: str) -> str:
    """The opposite of a C condition, without a needless `!(...)`."""
    compared = re.fullmatch(r"([^&|?]*[^&|?<>=!]) (==|!=|<|>=) ((?:[^&|?<>=!]|->)*)", condition)
    if compared is None:
        return f"!({condition})"
    return f"{compared[1]} {OPPOSITES[compared[2]]} {compared[3]}"


def _alone(expression: str) -> str:
    """An expression without the parentheses around all of it."""
    inner = expression[1:-1]
    return inner if expression[:1] == "(" and expression[-1:] == ")" and not {"(", ")"} & set(inner) else expression


class _Context(jinja2.runtime.Context):
    """What a template knows. Of what templates call, nothing wants to be given that, so it need not be asked whether it does; and all have
    the same globals, so none are to be compared with those of another."""

    def __init__(self, environment: jinja2.Environment, parent: Dict[str, Any], name: Optional[str], blocks: Any, globals: Any = None):
        super().__init__(environment, parent, name, blocks)

    def call(self, called: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        if named:
            named.pop("_loop_vars", None)
            named.pop("_block_vars", None)
        return called(*arguments, **named)


# Of a template over a context that is not copied for each: it holds the globals, too.


def macros_of(environment: jinja2.Environment, path: str, context: Dict[str, Any]) -> Dict[str, Callable[..., str]]:
    """The macros by their names."""
    known, printed = _printed(environment, path, context)
    deque(printed, 0)
    return known.vars


def text_of(environment: jinja2.Environment, path: str, context: Dict[str, Any]) -> str:
    """What it prints."""
    try:
        return "".join(_printed(environment, path, context)[1])
    except Exception:
        environment.handle_exception()  # which puts the lines of templates into the trace


def _printed(environment: jinja2.Environment, path: str, context: Dict[str, Any]) -> Tuple[_Context, Iterator[str]]:
    template = environment.get_template(path)
    known = template.new_context(context, shared=True)
    return known, template.root_render_func(known)


class _Required:
    """What an interface prints for a macro that a part must have: any part, or one of which it is called."""

    def __str__(self) -> str:
        raise TypeError("a part lacks a macro that its interface requires")


class _Printed:
    """A part as templates see it: what it says of itself, and its macros, of which what they print ends where its last line ends."""

    def __init__(self, part: Part, templates: Iterator[Dict[str, Callable[..., str]]]):
        """`templates`: the macros of each, the first of which goes before; they are made when they are needed."""
        self._part, self._templates = part, templates
        self._macros: Dict[str, Callable[..., str]] = {}

    def __getattr__(self, name: str) -> Any:
        attribute = hasattr(type(self._part), name) and not hasattr(Part, name) or name in vars(self._part)
        said = getattr(self._part, name) if attribute else self._macro(name)
        setattr(self, name, said)
        return said

    def _macro(self, name: str) -> Callable[..., str]:
        while name not in self._macros:
            macros = next(self._templates, None)
            if macros is None:
                # No AttributeError: of that Jinja makes an undefined value, which `is not none`.
                raise TypeError(f"parts.{self._part.axis} has no macro or attribute '{name}'")
            self._macros = {**macros, **self._macros}
        macro = self._macros[name]
        return lambda *arguments, **named: macro(*arguments, **named).strip("\n")


class PrintedParts:
    """The parts of one container as templates see them; they refer to each other by axis."""

    def __init__(self, environment: jinja2.Environment, parts: Parts, context: Dict[str, Any]):
        self._environment, self._parts, self._context = environment, parts, context

    def __getattr__(self, axis: str) -> Any:
        part = getattr(self._parts, axis)
        printed = _Printed(part, (macros_of(self._environment, path, self._context) for path in part.templates()))
        setattr(self, axis, printed)
        return printed


class Library:
    """What several templates print: `lib.enter.place()` is a macro of lib/enter.j2, over the context of the container."""

    def __init__(self, environment: jinja2.Environment, context: Dict[str, Any]):
        self._environment, self._context = environment, context

    def __getattr__(self, name: str) -> Any:
        macros = SimpleNamespace(**macros_of(self._environment, f"lib/{name}.j2", self._context))
        setattr(self, name, macros)
        return macros


def environment() -> jinja2.Environment:
    """A new environment; undefined names are errors."""
    made = jinja2.Environment(
        loader=_Loader(template_root()), undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, autoescape=False, auto_reload=False, cache_size=-1)
    made.context_class = _Context
    made.filters["negated"] = _negated
    made.filters["alone"] = _alone
    made.globals["required"] = made.globals["required_where_called"] = _Required()
    made.filters["plain"] = lambda name: plain(str(name))
    made.globals.update(unit=units.unit, frame=units.frame, only=units.only, where=units.where)
    made.filters["line"] = _line
    made.filters["all"] = lambda conditions: " && ".join(filter(None, conditions))  # those that are not empty, as one
    return made
