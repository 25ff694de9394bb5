"""An operation: a function that callers see, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ..language.costs import Cost
from ..language.model import Container
from ..text.naming import Names, marked
from ..text.units import FORM, FUNCTION, wrapped_text
from ..types.declare import constant, declare

Add = Callable[..., None]  # adds an operation: see `operations_of`


# Parameters that count or index, and functions that return such a number.
_COUNTS = frozenset(("count", "index", "keys", "max", "number", "parts", "removed", "slot", "taken", "word", "worker"))
_NONE_BELOW_0 = {("add_all", "count"): "signed_count < 0 ? 0 : "}
_RETURN_COUNTS = frozenset(("capacity", "chunk_count", "count", "keys", "lanes", "max", "predicted_count", "rows", "const_rows"))


class Signed(NamedTuple):
    """The type of counts and indices for callers, where it is not that inside."""
    size: str
    signed: str

    def outside(self, ctype: str, name: str) -> str:
        """What a parameter is for callers."""
        if name not in _COUNTS or ctype.rstrip(" *") != self.size:
            return ctype
        return self.signed + ctype[len(self.size):]


def signed_of(parts: Any) -> Optional[Signed]:
    """That of a container, if it has one."""
    return Signed(parts.size, parts.signed) if parts.signed else None


@dataclass(eq=False)
class Operation:
    """A function that callers see."""

    name: str
    result: str
    params: List[Tuple[str, str]]
    brief: str
    cost: Cost
    invalidates: str
    body_of: Tuple[Any, ...]  # template under operations/, macro, and what that is given
    inline: bool = False
    statuses: Tuple[str, ...] = ()
    column: str = ""  # the member whose column it gives
    index: str = ""  # the named index whose parts its body is printed with
    fills: bool = False  # it writes what it is given into a slot, in the header
    silent: bool = False  # it calls no function of the user's
    getter: bool = False  # it gives an element of a container that it does not change
    of: str = ""  # the operation that it is another form of, over a const container
    call: str = ""  # what it returns then, if that operation does it
    reports: bool = False  # whether it has done so is not for callers to ignore
    inner_params: List[Tuple[str, str]] = field(default_factory=list)  # those of its definition, if other ones
    inner_result: str = ""  # what it returns inside, if that is signed for callers
    unsigned: Tuple[str, ...] = ()  # what makes numbers for callers those that its body computes with, as declarations
    prototype: str = ""
    declaration: str = ""  # the prototype that callers see
    definition: str = ""

    @property
    def comment(self) -> str:
        """What is said of it above its declaration."""
        invalidates = f" Invalidates {self.invalidates}." if self.invalidates != "nothing" else ""
        return f"{self.brief} {self.cost}.{invalidates}"

    @property
    def declares(self) -> str:
        """What the unit of its declaration is."""
        return FORM if self.of else FUNCTION

    @property
    def private(self) -> bool:
        """Only for what is in the header for speed."""
        return self.name.endswith("_")

    @property
    def may_fail(self) -> bool:
        """May its status say that nothing was done?"""
        return bool(set(self.statuses) - {"OK", "QUEUED", "REPLACED"})

    @property
    def warns(self) -> str:
        """What stands before its declaration, so that compilers warn."""
        return f"{marked('BESPOKE_NODISCARD')} " * self.reports

    @property
    def storage(self) -> str:
        """What a loop takes is a part of it in any case, or its cursor has an address and is in memory. So is an add, or gcc
        makes the element in memory, member by member, and waits for that before it reads it as one piece."""
        of_loop = self.body_of[0] in ("passes", "readers", "anywhere", "layers", "sides") \
            and (self.params[0][1] == "cursor" or self.name.startswith("begin"))
        return marked("BESPOKE_INLINE") if of_loop or self.fills else "static inline"

    def named(self, name: str, kind: Callable[[str], str] = str, after_list: str = "", inner: bool = False) -> str:
        """Its prototype, if it is called `name` and the type of its element is of that kind."""
        params = ", ".join(declare(kind(ctype) if param == "element" else ctype, param + after_list * (number == 0))
                           for number, (ctype, param) in enumerate(self.inner_params if inner else self.params))
        return declare(self.result, f"{name}({params or 'void'})")


def _sign(operation: Operation, signed: Signed) -> None:
    """Callers count in a signed type: a negative number becomes one that is larger than any, but for how many elements an array
    has."""
    told = [(signed.outside(ctype, name), name) for ctype, name in operation.params]
    renamed = [(outside, f"signed_{name}" if outside != ctype else name)
               for (outside, name), (ctype, _) in zip(told, operation.params)]
    if not operation.call:  # which hands them on
        operation.unsigned = tuple(
            f"{declare(ctype, name)} = {_NONE_BELOW_0.get((operation.name, name), '')}({ctype}){other};"
            for (ctype, name), (_, other) in zip(operation.params, renamed) if other != name)
    operation.inner_params, operation.params = renamed, told
    if operation.name in _RETURN_COUNTS or operation.body_of[:2] == ("sides", "count"):
        operation.inner_result, operation.result = operation.result, signed.signed


def finish(T: Names, operation: Operation, attributes: bool = False, bound: bool = False,
           signed: Optional[Signed] = None) -> None:
    """The prototype of an operation, for its callers and as it is defined. `attributes`: by which compilers warn; `bound`: an
    element is a part of its container."""
    name = T[operation.name]
    if signed is not None and not operation.private:
        _sign(operation, signed)
    operation.prototype = operation.declaration = operation.named(name)
    if attributes and operation.getter and bound:
        operation.declaration = operation.named(name, after_list=f" {marked('BESPOKE_LIFETIMEBOUND')}")
    # clang forgets the attribute of a parameter at the next declaration; gcc copies an element that is no constant once more
    operation.definition = operation.named(name, constant if operation.fills else str, inner=bool(operation.unsigned)) \
        if operation.fills or operation.unsigned else operation.declaration
    if operation.silent:
        operation.definition = f"{marked('BESPOKE_NOTHROW')} {operation.definition}"


def cost_table(container: Container, operations: List[Operation]) -> List[str]:
    """What operations cost and invalidate, as lines of text: those together that agree in both."""
    head = container.function("")
    alike: Dict[Tuple[str, str], List[str]] = {}
    for operation in operations:
        if not operation.private and not operation.column and not operation.of:
            each = operation.cost.each and not (operation.cost.does or operation.cost.cases)
            alike.setdefault((str(operation.cost._replace(each=False) if each else operation.cost), operation.invalidates),
                             []).append(
                container.function(operation.name)[len(head):] + " (for each)" * each)
    rows = [("cost", "invalidates", f"operations, with the prefix {head}")] \
        + [(*both, ", ".join(names)) for both, names in alike.items()]
    cells = [[wrapped_text(text, limit) for text, limit in zip(row[:2], (28, 32))] for row in rows]
    first, second = (max(len(line) for row in cells for line in row[column]) for column in (0, 1))
    lines = []
    for row, (cost, invalidates) in zip(rows, cells):
        columns = cost, invalidates, wrapped_text(row[2], 110 - first - second)
        for number in range(max(map(len, columns))):
            a, b, c = (column[number] if number < len(column) else "" for column in columns)
            lines.append(f"{a:<{first}}  {b:<{second}}  {c}".rstrip())
    return lines
