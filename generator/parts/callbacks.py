"""The functions of the user that a container calls by their names: hooks, predicates, keys, orders, allocators."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Tuple

from ..language.taken_names import locals_of
from ..text.naming import marked
from ..types.declare import constant, declare, pointer_to


class Callback(NamedTuple):
    """One of them."""
    function: str
    result: str
    parameters: Tuple[Tuple[str, str], ...]  # type and name

    @property
    def name(self) -> str:
        return marked(self.function)

    def prototype(self, name: str) -> str:
        parameters = ", ".join(declare(kind, self.parameter(word)) for kind, word in self.parameters)
        return f"{declare(self.result, name)}({parameters or 'void'})"

    @property
    def call(self) -> str:
        """The statement of a function with the same parameters."""
        called = f"{self.name}({', '.join(self.parameter(word) for _, word in self.parameters)})"
        return called + ";" if self.result == "void" else f"return {called};"

    def parameter(self, name: str) -> str:
        """What the prototype calls it: not as the function is called."""
        return f"{name}_" if name == self.function else name


def is_hidden(parts: Any, function: object) -> bool:
    """Do the emitted functions have a parameter or variable of this name, so that another function must call it?"""
    return str(function) in locals_of(parts.container)


def called_by(parts: Any, function: object) -> str:
    """What emitted functions call in its place, or itself."""
    return parts.T[f"calls_{function}_"] if is_hidden(parts, function) else marked(function)


def around(parts: Any, expression: Any, name: str, comment: str, result: str = "bool", storage: str = "static") -> str:
    """The function around an expression of the spec about an element; "" where that is a function, or there is none."""
    if expression is None or expression.is_function:
        return ""
    element = declare(pointer_to(constant(parts.E)), "element")
    value = f"({result})({expression})" if result != "bool" else str(expression)
    return f"/* {comment} */\n{storage} {result} {name}({element})\n{{\n    return {value};\n}}"


def _of_key(parts: Any) -> Iterator[Callback]:
    """Those of the key of a container, or of a named index."""
    c, element = parts.container, (pointer_to(constant(parts.E)), "element")
    if parts.lookup.keyed and c["identity.key"] is not None and c["identity.key"].is_function:
        yield Callback(str(c["identity.key"]), parts.key.returned, (element,))
    if parts.lookup.keyed and c["identity.length"] is not None and c["identity.length"].is_function:
        yield Callback(str(c["identity.length"]), "size_t", (element,))
    if parts.lookup.keyed and c["identity.equal"] is not None:
        yield Callback(c["identity.equal"], "bool", ((parts.key.held, "a"), (parts.key.held, "b"), *parts.given_to()))
    if parts.lookup.keyed and c["identity.hash"] is not None:
        yield Callback(c["identity.hash"], "uint64_t", ((parts.key.held, "key"), ("uint64_t", "seed"), *parts.given_to()))


def callbacks(parts: Any) -> Iterator[Callback]:
    """Those of a container but for its allocator's; one that serves as several hooks is there several times."""
    c, element = parts.container, (pointer_to(constant(parts.E)), "element")
    for name, function in parts.hooks.items():
        if function is not None:
            copied = name in ("remove", "destroy")  # what is out is no row any more
            of = (parts.size, "row") if parts.element.rows and not copied else (pointer_to(parts.E), "element")
            yield Callback(function, "void", ((f"struct {parts.T} *", "list"), of,
                                              *parts.reason_given_to(name), *parts.given_to(name)))
    for asked, result in ((parts.removal.expired, "bool"), (parts.adding.kept, "bool"), (parts.weight.of, "uint64_t")):
        if asked is not None and asked.is_function:
            yield Callback(str(asked), result, (element, *parts.given_to()))
    for keyed in (parts, *parts.indexes.named):
        yield from _of_key(keyed)
    if c["index.seed"] is not None:
        yield Callback(c["index.seed"], "uint64_t", ())
    if c["sort.key"] is not None and c["sort.key"].is_function:
        yield Callback(str(c["sort.key"]), parts.order.key_result, (element,))
    if c["sort.less"] is not None and c["sort.less"].is_function:
        yield Callback(str(c["sort.less"]), "bool", ((element[0], "a"), (element[0], "b")))
    for path, result, parameters in (
            ("persist.save", "bool", ((f"struct {parts.T.writer} *", "to"), element)),
            ("persist.load", "bool", ((f"struct {parts.T.reader} *", "from"), (pointer_to(parts.E), "element"))),
            ("persist.upgrade", "void", ((pointer_to(parts.E), "element"), ("uint32_t", "version")))):
        if c[path] is not None:
            yield Callback(c[path], result, parameters)
