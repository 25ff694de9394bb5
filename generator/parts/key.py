"""What elements are identified by, and sorted by: one class for each kind of key."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple, Type

from ..language.key_types import type_of_key
from ..text.expressions import identifiers, operand
from ..text.identifiers import BUILT_IN
from ..text.naming import marked
from ..types.declare import constant, pointer_to
from .callbacks import called_by
from .part import Part


class Key(Part):
    """What a key is: how emitted functions hold it, callers pass it, and two are compared."""

    axis = "key"
    multiplies = False  # its hash is a product, whose factor the container may keep
    leads = False  # does it lead to memory of the caller's?
    in_header = True  # is the type in which functions hold it known there?
    pointed = ""  # the type of bytes that it points at, or of the first of them
    kept = ""  # what a caller does to have the old key when that of the element has changed, in words

    def __init__(self, parts: Any, group: str = "identity"):
        super().__init__(parts)
        self.group = group

    @property
    def held(self) -> str:
        """The C type in which emitted functions hold a key."""
        return "uint64_t"

    @property
    def returned(self) -> str:
        """The C type that the user's function of an element returns."""
        return self.held

    @property
    def params(self) -> List[Tuple[str, str]]:
        """The parameters by which callers pass a key: types and names."""
        return [(self.held, "key")]

    @property
    def passed(self) -> str:
        """The key that these parameters are, as an expression of C."""
        return "key"

    def params_as(self, name: str) -> List[Tuple[str, str]]:
        """The same of one key of several."""
        return [(type_, f"{name}_{word}" if word != "key" else name) for type_, word in self.params]

    def passed_as(self, name: str) -> str:
        """The key that those are."""
        return name

    def arguments(self, key: str) -> str:
        """What passes a key that is held, as arguments of a call in C."""
        return key

    @property
    def expression(self) -> str:
        """The key of `element`, as an expression of C."""
        return self.of("element")

    def of(self, name: str) -> str:
        """The key of the element that a variable of this name leads to."""
        key = self.c[f"{self.group}.key"]
        if key.is_function:
            return f"{called_by(self.parts, key)}({name})"
        return self._written(str(key), name)

    def _written(self, text: str, name: str) -> str:
        """An expression over `element` as one over another variable."""
        for found, offset in reversed(identifiers(text)):
            if found == "element":
                text = text[:offset] + name + text[offset + len(found):]
        return operand(text)

    @property
    def to_check(self) -> str:
        """What is as wide as a key, whose conversion would hide that bits are lost."""
        return ""

    def same(self, a: str, b: str) -> str:
        """Are two keys equal? As an expression of C."""
        return f"{a} == {b}"

    def found(self, a: str, b: str) -> str:
        """The same of keys whose hashes are alike, so that they hardly ever differ."""
        return self.same(a, b)

    def differ(self, a: str, b: str) -> str:
        """Are they not?"""
        return f"!{self.same(a, b)}"

    def ordered(self, a: str, sign: str, b: str) -> str:
        """Does key `a` come before (<) or after (>) key `b`?"""
        return f"{a} {sign} {b}"

    @property
    def digest(self) -> str:
        """32 bits of hash of `key`, as an expression of C: keys that share them cannot be found without `list->hash_key`."""
        return ""

    @property
    def traced(self) -> Tuple[str, str]:
        """What a trace has of the key of `element`: a hash, and its bytes, as expressions of C. Nothing of one that is an
        address, or that functions of the user's hash."""
        return "", ""

    def traced_as(self, *params: str) -> str:
        """The same hash of a key that a caller gives, or '' if it cannot be had."""
        return ""

    @property
    def _library(self) -> bool:
        """May functions of the C library be called?"""
        return not self.c["emit.freestanding"]

    def compare_bytes(self, a: str, b: str, size: str) -> str:
        """What compares bytes, as an expression of C."""
        return f"memcmp({a}, {b}, {size})" if self._library else f"{self.T.compare_bytes_}({a}, {b}, {size})"


class Integer(Key):
    """An integer or an address: 64 bits, without a sign."""

    name = "integer"
    multiplies = True

    @property
    def expression(self) -> str:
        c, E = self.c, self.parts.E
        if c["identity.by"] == "key" and c["identity.key"] is not None:
            key = c["identity.key"]
            return f"{called_by(self.parts, key)}(element)" if key.is_function else f"(uint64_t)({key})"
        if c["identity.by"] == "value":
            return "(uint64_t)(uintptr_t)*element" if E.endswith("*") else "(uint64_t)*element"
        return "(uint64_t)(uintptr_t)element"

    @property
    def to_check(self) -> str:
        """C shifts no array, address or floating-point number."""
        if self.c["identity.by"] == "value":
            E = self.parts.E
            return "" if E.endswith("*") or all(word in BUILT_IN for word in E.split()) else "*element"
        key = self.c["identity.key"] if self.c["identity.by"] == "key" else None
        if key is None or key.is_function:
            return ""
        return f"{operand(str(key))} << 0"

    def differ(self, a: str, b: str) -> str:
        return f"{a} != {b}"

    @property
    def traced(self) -> Tuple[str, str]:
        known = self.c["identity.by"] == "key" or self.c["identity.by"] == "value" and not self.parts.E.endswith("*")
        return (f"(uint64_t){operand(self.expression)} * 0x9e3779b97f4a7c15u >> 32", "8") if known else ("", "")

    def traced_as(self, *params: str) -> str:
        return f"(uint64_t){params[0]} * 0x9e3779b97f4a7c15u >> 32" if self.traced[0] else ""


class Ordered(Integer):
    """An integer that elements are ordered by, with a sign."""

    @property
    def held(self) -> str:
        return "int64_t"

    @property
    def expression(self) -> str:
        key = self.c["identity.key"]
        return self.of("element") if key.is_function else f"(int64_t)({key})"


class Number(Key):
    """What elements are sorted by if it is a number, of any type of C."""

    name = "integer"

    @property
    def returned(self) -> str:
        return "double"


class Real(Number):
    """A number that elements are ordered by, of any type of C."""

    @property
    def held(self) -> str:
        return "double"

    @property
    def expression(self) -> str:
        return self.of("element") if self.c["identity.key"].is_function else f"(double)({self.c['identity.key']})"


class Hashed(Key):
    """A key whose bytes are hashed."""

    leads = True
    name = "hashed"
    kept = ", so keep that or a copy until then"

    @property
    def digest(self) -> str:
        function = "bespoke_folded" if self.c["index.hashing"] == "fast" else "bespoke_siphash13"
        return f"(uint32_t)({marked(function)}(list->hash_key, {self._bytes}) >> 32)"

    @property
    def _bytes(self) -> str:
        """Where the bytes of `key` are, and how many."""
        raise NotImplementedError


class Pointed(Hashed):
    """A key that a pointer leads to: in the element, or in memory that the element owns."""

    name = "pointed"

    def same(self, a: str, b: str) -> str:
        equal = self.c["identity.equal"]
        return self._alike(a, b) if equal is None else f"{called_by(self.parts, equal)}({a}, {b}{self.parts.with_context()})"

    def _alike(self, a: str, b: str) -> str:
        """The same where there is no function for it."""
        return f"{self._compared(a, b)} == 0"

    def differ(self, a: str, b: str) -> str:
        if self.c["identity.equal"] is not None:
            return f"!{self.same(a, b)}"
        return f"{self._compared(a, b)} != 0"

    def ordered(self, a: str, sign: str, b: str) -> str:
        return f"{self._compared(a, b)} {sign} 0"

    def _compared(self, a: str, b: str) -> str:
        """Below, above or equal to 0, as `a` comes before or after `b`, or neither."""
        raise NotImplementedError

    @property
    def digest(self) -> str:
        function = self.c["identity.hash"]
        if function is None:
            return super().digest
        hashed = f"{called_by(self.parts, function)}(key, list->hash_key{self.parts.with_context()})"
        return f"{marked('bespoke_spread')}({hashed}, {marked('BESPOKE_MULTIPLIER')})"


class String(Pointed):
    """A string that ends with NUL."""

    name = "string"

    @property
    def held(self) -> str:
        return "const char *"

    def _compared(self, a: str, b: str) -> str:
        return f"strcmp({a}, {b})" if self._library else f"{self.T.compare_strings_}({a}, {b})"

    def found(self, a: str, b: str) -> str:
        own = not self._library or self.c["identity.equal"] is not None
        return self.same(a, b) if own else f"{self.T.same_strings_}({a}, {b})"

    @property
    def _bytes(self) -> str:
        return "key, strlen(key)" if self._library else f"key, {self.T.length_}(key)"

    @property
    def traced(self) -> Tuple[str, str]:
        key = operand(self.expression)
        return f"{marked('bespoke_trace_hash')}({key}, strlen({key}))", f"strlen({key})"

    def traced_as(self, *params: str) -> str:
        return f"{marked('bespoke_trace_hash')}({params[0]}, strlen({params[0]}))"


class Bytes(Pointed):
    """A struct or an array, compared by its bytes."""

    @property
    def of_type(self) -> str:
        """The type of the key; '' if it is not known."""
        return self.c[f"{self.group}.type"] or type_of_key(self.c, f"{self.group}.key")

    @property
    def is_array(self) -> bool:
        """Is that an array?"""
        return "[" in self.of_type

    @property
    def pointed(self) -> str:  # type: ignore[override]
        return self.of_type.partition("[")[0].strip() if self.of_type.count("[") < 2 and self.of_type else "void"

    @property
    def held(self) -> str:
        return pointer_to(constant(self.pointed))

    def of(self, name: str) -> str:
        key = self.c[f"{self.group}.key"]
        whole = super().of(name)
        if key.is_function:
            return whole
        if self.is_array and self.held != "const void *":
            return whole
        return f"&{whole}"

    @property
    def _size(self) -> str:
        if self.of_type:
            return f"sizeof({self.of_type})"
        return f"sizeof({self._written(str(self.c[f'{self.group}.key']), f'(({pointer_to(constant(self.parts.E))})0)')})"

    def _compared(self, a: str, b: str) -> str:
        return self.compare_bytes(a, b, self._size)

    @property
    def _bytes(self) -> str:
        return f"key, {self._size}"

    @property
    def traced(self) -> Tuple[str, str]:
        return f"{marked('bespoke_trace_hash')}({self.expression}, {self._size})", self._size


class Object(Bytes):
    """What two functions of the user's compare and hash."""

    traced = ("", "")


class Slice(Hashed):
    """Bytes from a pointer on, and their number."""

    name = "slice"
    in_header = False

    @property
    def held(self) -> str:
        return f"struct {self.T.slice_}"

    @property
    def returned(self) -> str:
        return "const char *"

    @property
    def params(self) -> List[Tuple[str, str]]:
        return [("const char *", "key"), ("size_t", "length")]

    @property
    def passed(self) -> str:
        return f"{self.T.slice_of_}(key, length)"

    def passed_as(self, name: str) -> str:
        return f"{self.T.slice_of_}({name}, {name}_length)"

    def arguments(self, key: str) -> str:
        return f"{key}.bytes, {key}.length"

    def of(self, name: str) -> str:
        return f"{self.T.slice_of_}({super().of(name)}, {self._count(name)})"

    def _count(self, name: str) -> str:
        """Its bytes, of the element that a variable of this name leads to."""
        length = self.c["identity.length"]
        count = f"{called_by(self.parts, length)}({name})" if length.is_function else self._written(str(length), name)
        return f"(size_t){count}"

    @property
    def traced(self) -> Tuple[str, str]:
        return f"{marked('bespoke_trace_hash')}({super().of('element')}, {self._count('element')})", self._count("element")

    def same(self, a: str, b: str) -> str:
        return f"{self.T.same_slices_}({a}, {b})"

    def ordered(self, a: str, sign: str, b: str) -> str:
        return f"{self.T.compare_slices_}({a}, {b}) {sign} 0"

    @property
    def _bytes(self) -> str:
        return "key.bytes, key.length"


_BY_KIND: Dict[str, Type[Key]] = {"integer": Integer, "number": Number, "string": String, "slice": Slice, "bytes": Bytes,
                                  "object": Object}


def choose(parts: Any) -> Key:
    if parts.container["index.kind"] == "sorted" and parts.container["identity.kind"] in ("integer", "number"):
        return (Ordered if parts.container["identity.kind"] == "integer" else Real)(parts)
    return _BY_KIND[parts.container["identity.kind"] or "integer"](parts)


def sorted_by(parts: Any) -> Key:
    """What `sort.key` is."""
    return _BY_KIND[parts.container["sort.kind"] or "number"](parts, "sort")


