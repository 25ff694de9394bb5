"""The parts of containers: for each axis a module with one class for each of its values."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Dict, Optional, Tuple

from ..language.model import Container
from ..text.identifiers import shout
from ..text.naming import Name
from ..types.declare import constant, pointer_to
from . import allocator, duplicates, element, handles, index, links, lookup, order, passes, persist, removal, stop, storage, when
from .callbacks import called_by

AXES = ("element", "storage", "removal", "links", "order", "passes", "index", "lookup", "handles", "when", "duplicates", "allocator", "stop", "persist")


class Parts:
    """The parts of one container. They are made when they are first asked for, so that each may ask the others."""

    def __init__(self, container: Container):
        self.container = container
        self.T = Name(container.full_name)
        self.TT = Name(shout(self.T), constant=True)
        self.E: str = container["element.type"] or f"{self.T}_row"
        self.limit: Optional[int] = container["capacity.max"]
        self.hooks: Dict[str, Any] = {name: container[f"hooks.{name}"] for name in ("add", "remove", "destroy", "update", "move")}

    @cached_property
    def element(self) -> element.Element:
        return element.choose(self)

    @cached_property
    def storage(self) -> storage.Storage:
        return storage.choose(self)

    @cached_property
    def removal(self) -> removal.Removal:
        return removal.choose(self)

    @cached_property
    def links(self) -> links.Links:
        return links.choose(self)

    @cached_property
    def order(self) -> order.Order:
        return order.choose(self)

    @cached_property
    def passes(self) -> passes.Passes:
        return passes.choose(self)

    @cached_property
    def index(self) -> index.Index:
        return index.choose(self)

    @cached_property
    def lookup(self) -> lookup.Lookup:
        return lookup.choose(self)

    @cached_property
    def handles(self) -> handles.Handles:
        return handles.choose(self)

    @cached_property
    def when(self) -> when.When:
        return when.choose(self)

    @cached_property
    def duplicates(self) -> duplicates.Duplicates:
        return duplicates.choose(self)

    @cached_property
    def allocator(self) -> allocator.Allocator:
        return allocator.choose(self)

    @cached_property
    def stop(self) -> stop.Stop:
        return stop.choose(self)

    @cached_property
    def persist(self) -> persist.Persist:
        return persist.choose(self)

    # -- types that all parts use

    @property
    def item(self) -> str:
        return self.element.item

    @property
    def ref(self) -> str:
        return self.element.ref_type

    @property
    def nil(self) -> str:
        return self.element.nil

    @property
    def size(self) -> str:
        """The type of counts, indices and rows; bytes are counted in size_t."""
        return self.container["emit.size_type"] or "size_t"

    @property
    def largest(self) -> str:
        """The largest number of that type. A cast that formatters of all ages take for one, though they may not know the type."""
        return "(size_t)-1" if self.container["emit.size_type"] is None else f"({self.size})(-1)"

    @property
    def as_size(self) -> str:
        """What makes a number of that type of a size_t."""
        return "" if self.container["emit.size_type"] is None else f"({self.size})"

    @property
    def slot_type(self) -> str:
        """What identifies a slot: its number, or the address of the element."""
        return self.element.ref_type if self.element.intrusive else self.size

    @property
    def no_slot(self) -> str:
        """A slot that is none."""
        return "NULL" if self.element.intrusive else f"{self.TT}_NONE"

    @property
    def sought(self) -> Tuple[str, str]:
        """By what a caller asks for an element: type and name."""
        return (self.size, "row") if self.element.rows else (pointer_to(constant(self.E)), "element")

    @property
    def const_element(self) -> str:
        return constant(self.E)

    def words(self) -> Dict[str, Any]:
        """What templates know without asking a part."""
        return {"E": self.E, "item": self.item, "ref": self.ref, "nil": self.nil, "slot_type": self.slot_type, "no_slot": self.no_slot,
                "item_pointer": pointer_to(self.item), "const_item_pointer": pointer_to(constant(self.item)),
                "const_element": self.const_element, "sought": self.sought[1], "limit": self.limit, "size": self.size, "largest": self.largest, "as_size": self.as_size, "hooks": {name: hook and called_by(self, hook) for name, hook in self.hooks.items()}}
