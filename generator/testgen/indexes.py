"""The named indexes of a container in its generated test: what the keys of an element are, and how they are written into it."""

import re
from itertools import takewhile
from typing import Callable, Dict, Iterator, List

from ..parts.container_parts import IndexParts, Parts
from ..text.expressions import plain_member
from .keys import Function, Keys

SHARED = 5  # keys that several elements have, where an index is not unique


class IndexKeys:
    """The keys of one index: each says a number, which follows from the label of the element."""

    def __init__(self, parts: IndexParts, mark: str, opaque: bool):
        self.parts, self.keys, self._how = parts, Keys(parts), (mark, opaque)
        self.name, self.unique, self.ordered = parts.index.called, parts.index.unique, parts.index.ordered
        self.member = "" if opaque else plain_member(parts.container["identity.key"])
        self.is_mark = self.member == mark != ""
        unique = [parts.of, *(each for each in parts.of.indexes.named if each.index.unique)]
        self.numbered = (self.unique or self.is_mark
                         or any(str(each.container["identity.key"]) == str(parts.container["identity.key"]) for each in unique))

    @property
    def assigns(self) -> bool:
        """Is a number assigned to its member?"""
        return bool(self.member) and self.keys.kind in ("integer", "number") and (not self.is_mark or self.changes)

    @property
    def follows(self) -> bool:
        """Does an element that is given another label have another key?"""
        return self.is_mark or not self.member

    def is_in(self, text: str) -> bool:
        """Is its member in an expression of the spec?"""
        return bool(self.member) and re.search(rf"->{re.escape(self.member)}\b", text) is not None

    @property
    def beside(self) -> List[IndexParts]:
        """The others that have the same key for each element, and take any: they are told of another key together with this
        one."""
        key = str(self.parts.container["identity.key"])
        return [each
                for each in self.parts.of.indexes.named if each is not self.parts and not each.index.unique
                and str(each.container["identity.key"]) == key]

    @property
    def changes(self) -> bool:
        """Can the test give an element another key, and change nothing but that and the indexes beside?"""
        c, of = self.parts.container, self.parts.of
        others = [str(c[path]) for path in ("sort.key", "sort.less", "removal.expired", "capacity.keep", "capacity.weight")]
        others += [str(each.container["identity.key"])
                   for each in (of, *of.indexes.named) if each.container is not c and each not in self.beside]
        if self.is_mark and any(text.isidentifier() and text != "None" for text in others):  # the function reads the label
            return False
        return bool(self.member) and not any(map(self.is_in, others))

    @property
    def repeats(self) -> bool:
        """Is the same written into the same member for an index before it?"""
        before = takewhile(lambda each: each.parts is not self.parts, index_keys(self.parts.of, *self._how))
        return any(self.write("element.", "n", "", str) == each.write("element.", "n", "", str) for each in before)

    @property
    def rekeyed_by_test(self) -> bool:
        """Does the test tell it of another key: of its own, or of one that it shares?"""
        return self.changes or any(each.changes and self.parts in each.beside for each in index_keys(self.parts.of, *self._how))

    @property
    def facts(self) -> Dict[str, str]:
        """What the driver knows of it: the members of its record that are not zero, in their order."""
        named, scans = self.parts.of.indexes.named, self.parts.of.scans
        known = {
            "unique": self.unique, "ordered": self.ordered,
            "names_key": not self.ordered and not self.parts.container["identity.hash"],
            "hashes": bool(self.parts.index.hashes), "changes": self.changes,
            "way": 1 + scans.way_of(self.name) if scans.any and self.parts.index.ranges else 0,
            "beside": sum(1 << number for number, each in enumerate(named) if each in self.beside)}
        return {name: str(value).lower() for name, value in known.items() if value}

    def number(self, label: str) -> str:
        """The number of a label, as an expression of C."""
        return label if self.numbered else f"({label} % {SHARED} + 1)"

    @property
    def computed(self) -> bool:
        """Is the key more than a member, so that only the container's expression says which elements have the same?"""
        key = self.parts.container["identity.key"]
        return not (self.numbered or key.is_function or plain_member(key))

    def alike(self, a: str, b: str) -> str:
        """Have the elements of two labels the same key? As an expression of C."""
        if self.computed:
            return f"bc_{self.parts.T}_alike_{self.name}({a}, {b})"
        return f"{self.number(a)} == {self.number(b)}"

    def write(self, element: str, label: str, set_: str, own: Callable[[str], str], again: bool = False) -> str:
        """The statement that writes its key into an element. `element`: `element->` or `element.`; `set_`: a call of what
        writes any member, begun; `again`: also where the label is written there."""
        number, upper = self.number(label), "BT_" * set_.startswith("BT_")
        pointer = element[:-2] if element.endswith("->") else f"&{element[:-1]}"
        if not self.member or self.is_mark and not again:
            return ""
        at = f"{element}{self.member}"
        if self.keys.is_text:
            text = f"{upper}WRITE_TEXT({at}, {number}, {'true' if self.keys.ends else 'false'})"
            if not self.keys.length_member:
                return f"(void){text};"
            length = f"{element}{self.keys.length_member}"
            return f"{upper.lower()}write_number(&{length}, sizeof {length}, {text});"
        if self.keys.kind in ("integer", "number"):
            return f"{set_}, {pointer}, {own(self.member)}, {number});"
        return "\n".join(f"((unsigned char *)(void *)&{at})[{i}] = (unsigned char)({number} >> {8 * i});" for i in range(2))

    def key_of(self, element: str) -> str:
        """The key of what a variable refers to in the container `side`, as an expression of C."""
        return f"{self.parts.own('key_at_')}(&bc_{self.parts.T}_lists[side], {element})" if self.parts.element.rows \
            else f"{self.parts.own('key_')}({element})"

    def key_of_label(self, label: str) -> str:
        """The key of the element of a label, as an expression of C."""
        return f"{self.parts.own('key_')}(bc_{self.parts.T}_with_keys({label}))"

    def range_of(self, element: str) -> str:
        """The arguments that name all elements with that key."""
        return ", ".join([self.argument(element)] * (2 if self.ordered else 1))

    def had(self, element: str) -> str:
        """The arguments that name the key that an element had, for T_rekey."""
        return "" if self.ordered else f", {self.argument(element)}"

    def argument(self, element: str) -> str:
        """Its key as arguments of a call, where a variable leads to the element."""
        return self.parts.key.arguments(f"{self.parts.own('key_')}({element})")


def key_functions(keys: Keys, indexes: List[IndexKeys], label: str, rank: str, prefix: str) -> Iterator[Function]:
    """The user's functions of keys, each once. `label`, `rank`: expressions of C for those of `element`. A function that
    several keys have in common returns what the identity says, else what the first index says."""
    keyed = [(keys, "identity", label), *((index.keys, "identity", index.number(label)) for index in indexes),
             (keys, "sort", rank), (keys, "seed", "")]
    found: Dict[str, Function] = {}
    for each, which, number in keyed:
        for function in each.functions(which, number, prefix):
            found.setdefault(function.name, function)
    yield from found.values()


def marking_member(parts: Parts, unique: bool = True) -> str:
    """The member that an index has as its key and that tells elements apart: of a unique one, or of any; '' if there is none."""
    for each in parts.indexes.named:
        found = IndexKeys(each, "", False)
        if found.member \
            and (found.keys.kind == "integer" and each.index.unique or not unique and found.keys.kind in ("integer", "number")):
            return found.member
    return ""


def index_keys(parts: Parts, mark: str, opaque: bool) -> List[IndexKeys]:
    """Those of all named indexes."""
    return [IndexKeys(each, mark, opaque) for each in parts.indexes.named]
