"""The environment of templates: how they are read, and how they see parts."""

import os
from collections import deque
from functools import lru_cache
from inspect import getattr_static
from types import SimpleNamespace
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Set, Tuple, Type

import jinja2
import jinja2.runtime

from ..parts.container_parts import Parts
from ..parts.part import Part
from ..text.naming import plain
from ..text.project import read_own, template_root
from ..text.units import Units, where
from .template_cache import TemplateCache, cache_folder
from .template_code import PlainCode, macro, prepared


class _Loader(jinja2.BaseLoader):
    """The templates that are beside the generator."""

    def __init__(self, root: str):
        self._root = root

    def get_source(self, environment: jinja2.Environment, template: str) -> Tuple[str, str, None]:
        path = os.path.join(self._root, *template.split("/"))
        try:
            source = read_own(path).decode("utf-8")
        except OSError:
            raise jinja2.TemplateNotFound(template)
        return source, path, None


def _line(text: object, indent: str) -> str:
    """A line with this text, or none."""
    said = str(text).strip("\n")
    return f"{indent}{said}\n" if said else ""


def _alone(expression: str) -> str:
    """An expression without the parentheses around all of it."""
    inner = expression[1:-1]
    return inner if expression[:1] == "(" and expression[-1:] == ")" and not {"(", ")"} & set(inner) else expression


Macros = Dict[str, Callable[..., str]]


class _Environment(jinja2.Environment):
    def __init__(self, **options: Any):
        super().__init__(**options)
        self.run = lru_cache(maxsize=None)(lambda path: self.get_template(path).root_render_func)  # what prints a template
        self.asking: Set[str] = set()  # templates that ask for names before a macro is called: they are run for each container
        self.free: List[Tuple[_Context, Dict[str, Macros]]] = []  # contexts that no container has, with macros over them

    def preprocess(self, source: str, name: Optional[str] = None, filename: Optional[str] = None) -> str:
        """A template as it is compiled: none that is in the cache."""
        return prepared(str(source), str(name).startswith("test/"))


class _Context(jinja2.runtime.Context):
    """What a template knows. All have the same globals, so none are to be compared with those of another."""

    def __init__(self, environment: jinja2.Environment, parent: Dict[str, Any], name: Optional[str], blocks: Any,
                 globals: Any = None):
        super().__init__(environment, parent, name, blocks)

    def get_all(self) -> Dict[str, Any]:
        """For an import."""
        if isinstance(self.parent, _Watched):
            self.parent.asked = True
        return super().get_all()


class _Watched(Dict[str, Any]):
    """Names, and whether one of them is asked for."""

    asked = False

    def __contains__(self, name: object) -> bool:
        self.asked = True
        return super().__contains__(name)


class Known:
    """What the templates of one container know, by name, and what they print. Macros look names up when they are called, so
    they are made once for all containers that have their context one after the other."""

    def __init__(self, environment: "_Environment", names: Dict[str, Any]):
        """`names`: the globals of templates among them."""
        self.names = names
        self._environment = environment
        self._context, self._macros = environment.free.pop() if environment.free \
            else (_Context(environment, names, None, {}), {})
        self._context.parent = names

    def release(self) -> None:
        """Nothing is printed of it any more. What templates know refers to itself; now nothing of it waits for the collector."""
        self.names.clear()
        self._environment.free.append((self._context, self._macros))

    def _run(self, path: str, context: _Context) -> Iterator[str]:
        return self._environment.run(path)(context)

    def macros(self, path: str) -> Macros:
        """The macros of a template. Those of another one are not known in it."""
        if path in self._macros:
            return self._macros[path]
        if path not in self._environment.asking:
            watched = _Watched(self.names)
            macros = self._made(path, watched)
            if not watched.asked:
                self._macros[path] = macros
                return macros
            self._environment.asking.add(path)
        return self._made(path, self.names)

    def _made(self, path: str, names: Dict[str, Any]) -> Macros:
        context = self._context
        before = context.vars, context.parent  # those of a template that asks a part for this one's macros
        macros: Macros = {}
        context.vars, context.parent = macros, names
        deque(self._run(path, context), 0)
        context.vars, context.parent = before
        return macros

    def text(self, path: str) -> str:
        """What a template prints."""
        try:
            return "".join(self._run(path, _Context(self._environment, self.names, None, {})))
        except Exception:
            self._environment.handle_exception()  # which puts the lines of templates into the trace


class _Required:
    """What an interface prints for a macro that a part must have: any part, or one of which it is called."""

    def __str__(self) -> str:
        raise TypeError("a part lacks a macro that its interface requires")


@lru_cache(maxsize=None)
def _attributes(part: Type[Part]) -> FrozenSet[str]:
    """What a part says of itself, but for what each does."""
    return frozenset(dir(part)).difference(dir(Part))


@lru_cache(maxsize=None)
def _constants(part: Type[Part]) -> Dict[str, Any]:
    """What all parts of this kind say of themselves."""
    return {name: value for name in _attributes(part) for value in [getattr_static(part, name)] if not hasattr(value, "__get__")}


class _Printed:
    """A part as templates see it: what it says of itself, and its macros, of which what they print ends where its last line
    ends."""

    def __init__(self, part: Part, templates: Iterator[Macros]):
        """`templates`: the macros of each, the first of which goes before; they are made when they are needed."""
        self.__dict__.update(_constants(type(part)))
        self.__dict__.update(vars(part))
        self._part, self._templates = part, templates
        self._macros: Macros = {}

    def __getattr__(self, name: str) -> Any:
        said = self.__dict__[name] = getattr(self._part, name) if name in _attributes(type(self._part)) else self._macro(name)
        return said

    def _macro(self, name: str) -> Callable[..., str]:
        while name not in self._macros:
            further = next(self._templates, None)
            if further is None:
                raise AttributeError(f"parts.{self._part.axis} has no macro or attribute '{name}'")
            self._macros = {**further, **self._macros}
        macro = self._macros[name]
        return lambda *arguments, **named: macro(*arguments, **named).strip("\n")


class PrintedParts:
    """The parts of one container as templates see them; they refer to each other by axis."""

    def __init__(self, parts: Parts, known: Known):
        self._parts, self._known = parts, known

    def __getattr__(self, axis: str) -> Any:
        part = getattr(self._parts, axis)
        printed = _Printed(part, map(self._known.macros, part.templates()))
        setattr(self, axis, printed)
        return printed


class Library:
    """What several templates print: `lib.enter.place()` is a macro of lib/enter.j2, over the context of the container."""

    def __init__(self, known: Known):
        self._known = known

    def __getattr__(self, name: str) -> Any:
        macros = SimpleNamespace(**self._known.macros(f"lib/{name}.j2"))
        setattr(self, name, macros)
        return macros


def environment() -> jinja2.Environment:
    """A new environment; undefined names are errors."""
    made = _Environment(
        loader=_Loader(template_root()), undefined=jinja2.StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, autoescape=False, auto_reload=False, cache_size=-1,
        bytecode_cache=TemplateCache(cache_folder()))
    made.context_class = _Context
    made.code_generator_class, made.macro = PlainCode, macro
    made.filters["alone"] = _alone
    made.globals["required"] = made.globals["required_where_called"] = _Required()
    made.filters["plain"] = plain
    made.units = Units()
    made.globals.update(unit=made.units.unit, frame=made.units.frame, only=made.units.only, comment=made.units.comment,
                        where=where)
    made.filters["line"] = _line
    # A variable for a path of members, without the arrays in it.
    made.filters["member"] = lambda path: "_".join(name for name in path.split(".") if "[" not in name)
    made.filters["all"] = lambda conditions: " && ".join(filter(None, conditions))  # those that are not empty, as one
    return made
