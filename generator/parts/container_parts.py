"""The parts of containers: for each axis a module with one class for each of its values."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Tuple, Union

from ..language.keys import RUN_TIME
from ..language.model import Container
from ..language.named_indexes import indexes_of
from ..language.size_types import UNSIGNED, inside
from ..language.strategies import most_of
from ..types.declare import constant, declare, pointer_to
from . import adding, allocator, changes, element, handles, inbox, index, indexes, key, links, lookup, order, passes, persist, \
    readers, removal, scans, side, stop, storage, weight, when, workers
from .callbacks import called_by, callbacks
from .part import Part


SIZES = {"max": "capacity.max", "keys": "index.keys"}  # what T_init may be given, and the key that says so
_CHOSEN = {"keys": "keys are smaller than this"}


class Parts:
    """The parts of one container. They are made when they are first asked for, so that each may ask the others."""

    element: element.Element
    storage: storage.Storage
    removal: removal.Removal
    links: links.Links
    order: order.Order
    passes: passes.Passes
    readers: readers.Readers
    scans: scans.Scans
    index: index.Index
    indexes: indexes.Indexes
    key: key.Key
    lookup: lookup.Lookup
    handles: handles.Handles
    changes: changes.Changes
    side: side.Side
    weight: weight.Weight
    when: when.When
    workers: workers.Workers
    inbox: inbox.Inbox
    adding: adding.Adding
    allocator: allocator.Allocator
    stop: stop.Stop
    persist: persist.Persist

    def __init__(self, container: Container):
        self.container = container
        self.T, self.TT = container.names, container.constants
        self.E: str = container["element.type"] or self.T.row
        self.limit: Union[int, str, None] = most_of(container)  # of elements
        self.chosen = [name for name, path in SIZES.items() if container[path] == RUN_TIME]  # sizes that T_init is given
        for name in self.chosen:
            self.TT.stands_for(name.upper(), f"list->{name}")
        self.hooks: Dict[str, Any] = {name: container[f"hooks.{name}"] for name in ("add", "remove", "destroy", "update", "move")}
        self.reasons: bool = container["hooks.reason"] and (self.hooks["remove"] or self.hooks["destroy"]) is not None
        self.add_reasons: bool = container["hooks.add_reason"] and self.hooks["add"] is not None
        self.kept_context: Optional[str] = container["hooks.kept_context"]

    def __getattr__(self, axis: str) -> Part:
        if axis not in AXES:
            raise AttributeError(f"'{axis}' is no axis")
        part: Part = globals()[axis].choose(self)
        setattr(self, axis, part)
        return part

    def asked(self, *names: str) -> bool:
        """Does the spec name one of these operations, which are there only then?"""
        return not set(names).isdisjoint(self.container["emit.operations"] or ())

    def named_indexes(self) -> List[IndexParts]:
        """The parts of each named index."""
        return [IndexParts(self, container) for container in indexes_of(self.container)]

    def own(self, name: str) -> str:
        """What is called T_name: of a named index, what has its name in it."""
        return f"{self.T[self.tail(name)]}"

    def tail(self, name: str) -> str:
        """The same without T."""
        return name

    @property
    def update_context(self) -> Optional[str]:
        """The type of the context that T_update is given for its hook; None: it is given none."""
        return self.container["hooks.context"] if self.hooks["update"] is not None and self.kept_context is None else None

    def reason_given_to(self, hook: str) -> Tuple[Tuple[str, str], ...]:
        """The parameter by which a hook is told why an element leaves, or comes: type and name, if it is."""
        told = self.add_reasons if hook == "add" else self.reasons and hook in ("remove", "destroy")
        return ((f"enum {self.T.reason}", "reason"),) * told

    def given_to(self, hook: str = "") -> Tuple[Tuple[str, str], ...]:
        """The last parameter of a function of the user's, a context: type and name, if it is given one."""
        context = self.update_context if hook == "update" and self.kept_context is None else self.kept_context
        return () if context is None else ((context, "context"),)

    def with_context(self, list_: str = "list") -> str:
        """The last argument of the user's functions, behind others: the context that a container keeps, if it does."""
        return f", {list_}->context" * (self.kept_context is not None)

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
        return inside(self.container["emit.size_type"])

    @property
    def signed(self) -> str:
        """The signed type of that width, where callers are given it; "" if they are given the same."""
        chosen: str = self.container["emit.size_type"]
        return chosen if chosen in UNSIGNED else ""

    @property
    def proven(self) -> bool:
        """Are there contracts, which a prover must be able to prove?"""
        return self.container["emit.contracts"] != "none"

    @property
    def silent(self) -> bool:
        """Does the container call no function of the user's, which in C++ could throw?"""
        return not any(callbacks(self)) and not self.allocator.callbacks()

    @property
    def largest(self) -> str:
        """The largest number of that type: a name, or a cast that formatters of all ages take for one, though they may not
        know the type."""
        named = {"size_t": "SIZE_MAX", "uintptr_t": "UINTPTR_MAX", "uint32_t": "UINT32_MAX", "uint64_t": "UINT64_MAX"}
        return named.get(self.size) or f"({self.size})(-1)"

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
        return "NULL" if self.element.intrusive else self.TT.NONE

    @property
    def sought(self) -> Tuple[str, str]:
        """By what a caller asks for an element: type and name."""
        return (self.size, self.element.named) if self.element.rows else (pointer_to(constant(self.E)), "element")

    @property
    def asks(self) -> str:
        """The type of a function that a caller gives, which is asked about one element."""
        return f"bool (*)({declare(pointer_to(constant(self.E)), 'element')}, void *context)"

    @property
    def const_element(self) -> str:
        return constant(self.E)

    def words(self) -> Dict[str, Any]:
        """What templates know without asking a part."""
        return {"E": self.E, "item": self.item, "ref": self.ref, "nil": self.nil, "slot_type": self.slot_type,
                "no_slot": self.no_slot,
                "item_pointer": pointer_to(self.item), "const_item_pointer": pointer_to(constant(self.item)),
                "const_element": self.const_element, "sought": self.sought[1], "limit": self.limit, "size": self.size,
                "fixed_limit": self.fixed(self.limit), "fixed_keys": self.fixed(self.index.keys),
                "chosen": [SimpleNamespace(name=name, type=kind, doc=self.weight.limits if name == "max" else _CHOSEN[name])
                           for kind, name in self.sizes_given()],
                "largest": self.largest, "as_size": self.as_size, "as_told": f"({self.signed})" * bool(self.signed),
                "kept_context": self.kept_context, "with_context": self.with_context,
                "reasons": self.reasons, "add_reasons": self.add_reasons,
                "hooks": SimpleNamespace(**{name: hook and called_by(self, hook) for name, hook in self.hooks.items()})}


    def sizes_given(self) -> List[Tuple[str, str]]:
        """What T_init is given of them: type and name."""
        return [(self.weight.type if name == "max" else self.size, name) for name in self.chosen]

    def fixed(self, size: Any) -> Any:
        """A size that is known when the container is compiled, if it is."""
        return None if size == RUN_TIME else size


class IndexParts(Parts):
    """The parts of a named index: index, key and lookup are its own, all else is what the container is made of."""

    def __init__(self, of: Parts, container: Container):
        super().__init__(container)
        self.of = of

    def __getattr__(self, axis: str) -> Any:
        return super().__getattr__(axis) if axis in ("index", "key", "lookup") else getattr(self.of, axis)

    def tail(self, name: str) -> str:
        return f"{name.rstrip('_')}_{self.container.index}_" if name in index.OWN_NAMES else name


AXES = tuple(Parts.__annotations__)
