"""The keys of elements in a generated test: how a label is written into one and read again, and the user's functions of keys."""

import re
from typing import Callable, Iterator, NamedTuple, Tuple

from ..parts.container_parts import Parts
from ..text.expressions import plain_member
from ..types.declare import declare, pointer_to

class Function(NamedTuple):
    """A function of the user's: the text of one that stands for it."""

    name: str
    head: str  # `%s` stands for what it is called
    body: str

    def text(self, called: str) -> str:
        return f"{self.head % called}\n{{\n{self.body}}}\n"


def taking_context(parts: Parts, prefix: str) -> Tuple[str, str]:
    """What a function has where the container keeps a context: a last parameter, and the statement that looks at it."""
    if parts.kept_context is None:
        return "", ""
    return f", {declare(parts.kept_context, 'context')}", f"    {'bt_in_context(context)' if prefix else '(void)context'};\n"


class Keys:
    """The keys in the test of one container."""

    def __init__(self, parts: Parts):
        self.p, self.c = parts, parts.container
        self.kind = self.c["identity.kind"] if parts.lookup.keyed else None

    @property
    def is_text(self) -> bool:
        return self.kind in ("string", "slice")

    @property
    def ends(self) -> bool:
        """Does a text end with NUL?"""
        return self.kind != "slice"

    @property
    def member(self) -> str:
        """The member that the label is spelled in, '' if there is none."""
        if self.is_text and self.c["test.id"] in (None, self._member("identity.key")):
            return self._member("identity.key")
        if self.c["test.id"] is not None:
            return ""
        # What elements are sorted by is all that is known of them.
        if self.kind is not None or not self.p.element.by_value:
            return ""
        if self.c["sort.key"] is not None:
            return self._member("sort.key") if self.c["sort.kind"] == "string" else ""
        return self._text_of_an_index()

    def _text_of_an_index(self) -> str:
        """The member that a named index has as its key, if no other one has a number."""
        members = ([(each.container["identity.kind"], plain_member(each.container["identity.key"]))
                    for each in self.p.indexes.named])
        if self.p.element.rows or any(kind in ("integer", "number") and member for kind, member in members):
            return ""
        return next((member for kind, member in members if kind == "string"), "")

    @property
    def length_member(self) -> str:
        """The member that its length is written into."""
        return self._member("identity.length") if self.kind == "slice" else ""

    def length_of(self, element: str) -> str:
        """The length of the text of an element, as an expression of C."""
        length = self.c["identity.length"]
        if length is None:
            return f"strlen({element}->{self.member})"
        return f"(size_t)({length})" if element == "element" else "(size_t)(" + re.sub(r"\belement\b", element, str(length)) + ")"

    def same(self, a: str, b: str) -> str:
        """Are two keys equal? As an expression of C outside of the container's source."""
        equal = self.c["identity.equal"]
        context = "" if self.p.kept_context is None else f", ({self.p.kept_context})(void *)&bc_{self.p.T}_lists[0]"
        return self.p.key.same(a, b) if equal is None else f"{equal}_under_test({a}, {b}{context})"

    def _member(self, path: str) -> str:
        return plain_member(self.c[path])

    @property
    def uses_text(self) -> bool:
        """Is anything spelled?"""
        return self.is_text or self.c["sort.kind"] == "string" and self.c["sort.key"] is not None

    def of_parts(self, own: Callable[[str], str]) -> Iterator[Tuple[str, str, str]]:
        """What stands for `key(n)` in a printed program: type, name, and expression of C, for each argument."""
        names = ("key",) if len(self.p.key.params) == 1 else ("key_bytes", "key_length")
        key, length = self.c["identity.key"], self.c["identity.length"]
        if len(names) == 1:
            yield self.p.key.returned, names[0], own(self.p.key.expression)
            return
        for type_, name, value in zip(("const char *", "size_t"), names, (key, length)):
            yield type_, name, own(f"{value}(element)" if value.is_function else f"({value})")

    def functions(self, which: str, number: str, prefix: str) -> Iterator[Function]:
        """The user's functions of keys: of `identity`, of `sort`, or the `seed`. `number`: an expression of C for what the key
        of `element` says."""
        yield from {"identity": self._of_identity, "sort": self._of_sort, "seed": self._of_seed}[which](number, prefix)

    def _of_identity(self, number: str, prefix: str) -> Iterator[Function]:
        c, held = self.c, self.p.key.returned
        element = declare(pointer_to(self.p.const_element), "element")
        if not self.p.lookup.keyed:
            return
        if c["identity.key"] is not None and c["identity.key"].is_function:
            yield Function(str(c["identity.key"]), f"{declare(held, '%s')}({element})", self._value(number, prefix))
        if c["identity.length"] is not None and c["identity.length"].is_function:
            array = f"(uintptr_t)element->{self.member} == (uintptr_t)(const void *)&element->{self.member}" if self.member \
                else "false"
            yield Function(str(c["identity.length"]), f"size_t %s({element})",
                           f"    return {prefix}text_length({number}, {array});\n")
        both = ", ".join(declare(held, name) for name in ("a", "b"))
        context, told = taking_context(self.p, prefix)
        if c["identity.equal"] is not None:
            yield Function(c["identity.equal"], f"bool %s({both}{context})", told + "    return %s == 0;\n" % (
                "strcmp(a, b)" if self.is_text else "memcmp(a, b, sizeof *a)"))
        if c["identity.hash"] is not None:
            last = "(unsigned char)key[strlen(key) - 1]" if self.is_text else "*(const unsigned char *)(const void *)key"
            yield Function(c["identity.hash"], f"uint64_t %s({declare(held, 'key')}, uint64_t seed{context})",
                           f"{told}    return seed + {last} % 32; /* many are equal */\n")

    def _of_sort(self, number: str, prefix: str) -> Iterator[Function]:
        key, text = self.c["sort.key"], self.c["sort.kind"] == "string"
        if key is not None and key.is_function:
            element = declare(pointer_to(self.p.const_element), "element")
            yield Function(str(key), f"{'const char *' if text else 'double '}%s({element})",
                           f"    return {prefix}text_of({number}, true);\n" if text else f"    return {number};\n")

    def _of_seed(self, number: str, prefix: str) -> Iterator[Function]:
        if self.c["index.seed"] is not None:
            yield Function(self.c["index.seed"], "uint64_t %s(void)", "    return 0x5eed;\n")

    def _value(self, label: str, prefix: str) -> str:
        """The body of the function that returns the key of an element."""
        if self.kind in ("integer", "number"):
            return f"    return {label};\n"
        if self.is_text:
            return f"    return {prefix}text_of({label}, {'true' if self.ends else 'false'});\n"
        labels = f"{prefix.upper()}LABELS"
        keys = declare(self.p.key.pointed, f"keys[{labels} + 1]")
        return (f"    static {keys};\n    unsigned label = {label};\n    unsigned at = label < "
                f"{labels} ? label : {labels};\n\n    for (size_t i = 0; i < sizeof keys[0] && i < 4; i++) {{\n"
                f"        ((unsigned char *)(void *)&keys[at])[i] = (unsigned char)(label >> 8 * i);\n    }}\n    return "
                "&keys[at];\n")
