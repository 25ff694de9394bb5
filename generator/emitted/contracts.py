"""Contracts: comments in ACSL beside the code that they are about. Without `emit.contracts` they print nothing."""

from typing import Any, Callable, Dict

import jinja2

from ..language.contracts import OPERATIONS
from .environment import macros_of


def annotation(caller: Callable[[], str]) -> str:
    """What a template says to a prover, as a comment of ACSL; nothing if that is nothing."""
    lines = [line.rstrip() for line in caller().strip("\n").split("\n") if line.strip()]
    return "/*@ " + "\n    ".join(lines).strip() + " */\n" if lines else ""


def no_annotation(caller: Callable[[], str]) -> str:
    return ""


def operation_contract(environment: jinja2.Environment, context: Dict[str, Any], module: str, macro: str) -> str:
    """The contract of the operation whose body is this macro, if it has one: templates/contracts has it under the same name."""
    if context["contract"] is no_annotation or (module, macro) not in OPERATIONS:
        return ""
    return str(context["contract"](macros_of(environment, f"contracts/{module}.j2", context)[macro]))
