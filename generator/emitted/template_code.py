"""What templates are compiled to: Python that reads attributes, calls functions and defines macros as any other does.

Jinja asks for each attribute whether there is an item instead, and for each call whether it wants the context. Here neither is
so.
"""

import hashlib
from functools import lru_cache
from keyword import iskeyword
from typing import Any, Callable, Tuple

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import missing

from ..text import naming
from ..text.project import read_own

# Code that was compiled by another one is not for this.
VERSION = hashlib.sha256(b"".join(map(read_own, (__file__, naming.__file__)))).hexdigest()[:16]

OF_MACROS = ("contracts", "lib", "operations", "parts")  # folders of templates that hold nothing else


@lru_cache(maxsize=None)
def prepared(source: str, is_of_tests: bool) -> str:
    """The text of a template, in which a line of one expression goes if that prints nothing, as a line of one statement goes."""
    text = "".join(map(_line, source.replace("\r\n", "\n").splitlines(True)))
    return text if is_of_tests else naming.of_source(text)


def _line(line: str) -> str:
    """A line of a template; `{{ x }}` in it alone as `{{ (x)|line(indent) }}`, which goes over as many lines."""
    said = line.strip()
    if said[:3] != "{{ " or said[-3:] != " }}" or "}}" in said[3:-3]:
        return line
    return "{{ (%s)|line('%s')\n}}" % (said[3:-3], line[:line.index("{")])


class PlainCode(CodeGenerator):
    """The code of a template."""

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        """What stands between macros is printed by nobody where a template is read for these."""
        if not (frame.toplevel and str(self.name).partition("/")[0] in OF_MACROS):
            super().visit_Output(node, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        reads = not iskeyword(node.attr)
        self.write("" if reads else "getattr(")
        self.visit(node.node, frame)
        self.write(f".{node.attr}" if reads else f", {node.attr!r})")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        self.visit(node.node, frame)
        self.write("(")
        for argument in node.args + node.kwargs:
            self.visit(argument, frame)
            self.write(", ")
        for stars, more in (("*", node.dyn_args), ("**", node.dyn_kwargs)):
            if more is not None:
                self.write(stars)
                self.visit(more, frame)
                self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        parameters = tuple(argument.name for argument in macro_ref.node.args) + ("caller",) * macro_ref.accesses_caller
        self.write(f"environment.macro(macro, {parameters!r})" if parameters else "macro")


def macro(prints: Callable[..., str], parameters: Tuple[str, ...]) -> Callable[..., str]:
    """A macro with parameters, any of which may be given by name or left out."""
    none = (missing,) * len(parameters)

    def called(*given: Any, **named: Any) -> str:
        given += (none[len(given):] if not named
                  else tuple([named.pop(parameter, missing) for parameter in parameters[len(given):]]))
        if named:
            raise TypeError(f"a macro has no parameter {', '.join(named)}")
        return prints(*given)

    return called
