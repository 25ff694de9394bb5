"""Contracts: comments in ACSL beside the code that they are about. Without `emit.contracts` they print nothing."""

from typing import Callable

from ..language.contracts import OPERATIONS
from .environment import Known


def annotation(caller: Callable[[], str]) -> str:
    """What a template says to a prover, as a comment of ACSL; nothing if that is nothing."""
    lines = [line.rstrip() for line in caller().strip("\n").split("\n") if line.strip()]
    return "/*@ " + "\n    ".join(lines).strip() + " */\n" if lines else ""


def no_annotation(caller: Callable[[], str]) -> str:
    return ""


def operation_contract(known: Known, module: str, macro: str, *given: object) -> str:
    """The contract of the operation whose body is this macro, if it has one: templates/contracts has it under the same name."""
    if known.names["contract"] is no_annotation or (module, macro) not in OPERATIONS:
        return ""
    return str(known.names["contract"](lambda: known.macros(f"contracts/{module}.j2")[macro](*given)))
