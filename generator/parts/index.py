"""The index: what must be kept true so that an element is found without a search."""

from __future__ import annotations

import re
from typing import Any, Optional, Tuple

from .callbacks import called_by
from .part import Part


class Index(Part):
    """What is notified of where elements are."""

    axis = "index"
    indexed = True  # something is notified of where elements are
    by_key = False  # a table leads from keys to slots
    has_table = False  # which lies in the container's block
    table_grows = False  # it is an array of its own, as long as the largest key needs

    @property
    def kind(self) -> str:
        """The kind of the spec."""
        return self.c["index.kind"]

    @property
    def rekeys(self) -> bool:
        """May an element get another key? Not if that is also its place in an order, and it cannot be moved there."""
        order = self.parts.order
        return self.by_key and self.parts.lookup.keyed and not (order.sorts_on_add and order.sorted_by_identity and not order.files_again)

    @property
    def files(self) -> bool:
        """Is it then moved to its place?"""
        return self.rekeys and self.parts.order.files_again and self.parts.order.sorted_by_identity != ""

    @property
    def rekey_name(self) -> str:
        """What updates the index. Where elements are sorted by another key, T_rekey puts them in order again."""
        return "rekey_index" if self.parts.order.refiles or self.parts.order.rekeys else "rekey"

    @property
    def sought(self) -> Tuple[str, str]:
        """What identifies an element for T_rekey: type and name of the parameter."""
        return (self.parts.size, "wanted") if self.parts.handles.given else self.parts.sought

    @property
    def found(self) -> str:
        """Is it the one of a slot, as an expression of C with a place for the reference to that?"""
        return f"slot == {self.sought[1]}" if self.parts.handles.given or self.parts.element.rows else f"%s == {self.sought[1]}"

    @property
    def changed(self) -> Tuple[str, str]:
        """What misuse prints where a key leads to no element: the operation, and what is wrong with it."""
        if self.rekeys:
            return self.rekey_name, "was not called after the key of an element had changed"
        return "check", "the key of an element has changed while it was in the container"

    member: Optional[str] = None  # the member of an element that holds its slot
    keys: Optional[int] = None  # every key is smaller
    narrow_key = False  # keys are known to fit into 32 bits, without a sign
    keeps_multiplier = False  # the factor of the hash is in the container
    table_mask: Optional[str] = None  # entries of the table less one, as an expression of C
    seed = ""  # the user's function of the number that is mixed into hashes
    table_shift: Optional[str] = None  # by how much a hash is shifted to an entry, as an expression of C

    @property
    def told_apart(self) -> bool:
        """Does an element that is not in the container say whether it is in another one? Not where it may be pending in one."""
        return self.parts.element.intrusive


class NoIndex(Index):
    name = "none"
    indexed = False


class Hash(Index):
    name = "hash"
    by_key = True
    has_table = True

    @property
    def entries(self) -> int:
        """Entries of a table in inline storage."""
        size = 16
        while size - size // 3 < (self.parts.limit or 0):
            size *= 2
        return size

    @property
    def table_mask(self) -> str:
        return f"({self.parts.size}){self.entries - 1}" if self.parts.storage.inline else "list->table_mask"

    @property
    def table_shift(self) -> str:
        return f"{33 - self.entries.bit_length()}" if self.parts.storage.inline else "list->table_shift"

    @property
    def keeps_multiplier(self) -> bool:
        """A table in the container is there before anything is made, and a journal's table before the index has one."""
        return self.parts.key.multiplies and not (self.parts.storage.inline or self.parts.when.deferred)

    @property
    def seed(self) -> str:
        return called_by(self.parts, self.c["index.seed"]) if self.c["index.seed"] is not None else ""

    @property
    def narrow_key(self) -> bool:
        c = self.c
        key_type = None
        if c["identity.by"] == "value":
            key_type = self.parts.E
        elif c["identity.by"] == "key" and self.parts.key.multiplies and c.type_info is not None and self.parts.element.by_value:
            path = re.fullmatch(r"element->(\w+)", str(c["identity.key"]))
            member = c.type_info.member(path.group(1)) if path else None
            key_type = member.type if member is not None else None
        return key_type in ("uint8_t", "uint16_t", "uint32_t")


class IntrusiveIndex(Index):
    name = "intrusive"

    @property
    def member(self) -> Optional[str]:
        return self.c["index.field"]

    @property
    def told_apart(self) -> bool:
        return not self.parts.when.deferred


class Dense(Index):
    name = "dense"
    by_key = True

    @property
    def keys(self) -> Optional[int]:
        return self.c["index.keys"]

    @property
    def has_table(self) -> bool:
        return self.keys is not None

    @property
    def table_grows(self) -> bool:
        return self.keys is None


def choose(parts: Any) -> Index:
    return {"none": NoIndex, "hash": Hash, "intrusive": IntrusiveIndex, "dense": Dense}[parts.container["index.kind"]](parts)
