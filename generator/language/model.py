"""What a resolved spec is made of: settings that remember where they came from."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple

from ..text import naming
from ..text.diag import Span
from ..text.filekinds import HANDLES
from ..text.identifiers import shout


ALL = "all"  # in `emit.operations`: all but those that are only there by name


class Setting(NamedTuple):
    """One value of one key.

    origin is 'spec', 'preset', 'defaults', 'default' or 'derived'; `source` names the preset or gives the
    reason of a derived value; `span` is the line that is responsible for it, if a line is.
    """

    value: Any
    origin: str
    span: Optional[Span] = None
    source: str = ""


@dataclass(frozen=True)
class Callable_:
    """A C function name or a C expression over `element`, as a spec may give either."""

    text: str

    @property
    def is_function(self) -> bool:
        return self.text.isidentifier()

    def __str__(self) -> str:
        return self.text


class SpecField(NamedTuple):
    """A member of an element whose members lie in columns of their own."""

    name: str
    type: str
    span: Optional[Span] = None  # its name in the spec


class Fields(Tuple[SpecField, ...]):
    """The members of an element, in their order."""

    def __str__(self) -> str:
        return "{" + ", ".join(f"{member.name}: " + (f"'{member.type}'" if set(member.type) & set("[,") else member.type)
                               for member in self) + "}"


class Renaming(NamedTuple):
    """What an operation is called instead."""

    operation: str
    name: str
    span: Optional[Span] = None  # the operation in the spec


class Renamings(Tuple[Renaming, ...]):
    """Those of a container."""

    def __str__(self) -> str:
        return "{" + ", ".join(f"{each.operation}: {each.name}" for each in self) + "}"


TREE = ("left", "right", "parent", "balance")  # the members of an element that is in a balanced tree


@dataclass(frozen=True)
class NamedIndex:
    """One of `indexes`: what it is called, and its own settings by their names."""

    name: str
    span: Span
    settings: Dict[str, Setting] = field(hash=False)

    def __str__(self) -> str:
        values = ((name, setting.value) for name, setting in self.settings.items())
        return f"{self.name}: {{" \
            + ", ".join(f"{name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in values) + "}"


class Indexes(Tuple[NamedIndex, ...]):
    """The named indexes of a container, in their order."""

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self)) + "}"


class Names(Tuple[str, ...]):
    """A list of names; `spans`: where each stands in the spec; `usual`: those that the word `usual` stands for."""

    spans: Tuple[Span, ...] = ()
    usual: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Duration:
    """How long something must hold: in settles (frame boundaries) or in seconds."""

    amount: float
    unit: str  # 'settles' or 'seconds'

    def __str__(self) -> str:
        return f"{self.amount:g} {self.unit}"


@dataclass(eq=False, repr=False)
class Container:
    """One container of a spec: its name and every setting by its path, e.g. 'removal.policy'."""

    name: str
    span: Span
    settings: Dict[str, Setting] = field(default_factory=dict)
    preset: Optional[str] = None
    preset_chain: Tuple[str, ...] = ()
    plan: Any = None  # what plan.make_plan has decided
    layer: Optional["Container"] = None  # what each of its layers is
    is_layer: bool = False  # it is the layers of another one
    index: str = ""  # it stands for this named index of another one: see language.named_indexes
    type_info: Any = None  # TypeInfo of the element, where it has a lock
    beside: Tuple["Container", ...] = ()  # for each type of values beside elements that T_save writes: what is known of it

    def __getitem__(self, path: str) -> Any:
        setting = self.settings.get(path)
        return None if setting is None else setting.value

    @property
    def chosen(self) -> Optional[Names]:
        """The operations that are emitted, where they are not all: `all` of them may be named, and with them what is only there
        if it is named."""
        names: Optional[Names] = self["emit.operations"]
        return None if names is None or ALL in names else names

    @property
    def full_name(self) -> str:
        """What its C type is called."""
        return naming.type_name(self["emit.prefix"] or "", self.name, self["emit.types"] or "snake")

    @property
    def defining(self) -> str:
        """The path of the header that says what is in the element's struct."""
        return "element.defined_in" if self["element.defined_in"] is not None else "element.header"

    @property
    def around(self) -> str:
        """What the C type is called of the container that a layer is one of."""
        return naming.type_name(self["emit.prefix"] or "", self.name[:-len("_layer")], self["emit.types"] or "snake")

    def function(self, name: str) -> str:
        """What one of its functions is called."""
        kind = self["emit.functions"] or "snake"
        return naming.head(self["emit.prefix"] or "", self.name, self["emit.types"] or "snake", kind) \
            + (self.renamed(name) or naming.tail(name, kind))

    def renamed(self, name: str) -> Optional[str]:
        """What the spec calls an operation instead, if it does."""
        return next((each.name for each in self["emit.names"] or () if each.operation == name), None)

    def type_of(self, name: str) -> str:
        """What a type is called that belongs to it, such as its cursor."""
        return f"{self.full_name}_{name}" if self["emit.types"] in (None, "snake") else self.full_name + naming.pascal(name)

    def spelled(self, name: str) -> str:
        """What T_name is called: a type, a constant where T itself is in capitals, or a function."""
        beside = [word for each in self["side"] or () for word in (f"with_{each.name}", f"{each.name}_rows")]
        if name in (*naming.TYPES, *naming.PRIVATE_TYPES, *beside) or name.endswith("_" + naming.PRIVATE_TYPES[-1]):
            return self.type_of(name)
        return f"{self.full_name}_{name}" if name.isupper() else self.function(name)

    @property
    def names(self) -> naming.Names:
        """T and what is called after it."""
        return naming.Names(self.full_name, self.spelled if self.respelled else None)

    @property
    def constants(self) -> naming.Names:
        """The same in capitals."""
        return naming.Names(shout(self.full_name))

    @property
    def respelled(self) -> bool:
        """Is anything not called T and T_name?"""
        return bool(self["emit.names"]) \
            or self.function("a_b") != f"{self.full_name}_a_b" or self.type_of("a_b") != f"{self.full_name}_a_b"

    @property
    def element(self) -> str:
        """The C type of an element; of one that only has members, the struct that Bespoke makes of them."""
        return self["element.type"] or self.type_of("row")

    def span_of(self, path: str) -> Span:
        """The line that is responsible for a setting, else the container's own."""
        setting = self.settings.get(path)
        return setting.span if setting is not None and setting.span is not None else self.span


class Unsound(NamedTuple):
    """A container with errors, and the paths that are in doubt: of the others more may be said."""

    container: Container
    spoilt: Set[str]


@dataclass(eq=False)
class Spec:
    """One spec file: its containers in order, and the files that it was read from."""

    path: str
    stem: str
    containers: List[Container] = field(default_factory=list)
    inputs: List[str] = field(default_factory=list)  # the spec itself and all it includes
    headers: List[str] = field(default_factory=list)  # headers that were read for their types, and the locks of these
    unguarded: List[str] = field(default_factory=list)  # headers that must be included once: they have no include guard
    files: str = "pair"
    support: Optional[str] = None  # `emit.support`, if the spec gives it
    memberships: List[Any] = field(default_factory=list)  # functions that take an element out of several containers

    @property
    def types(self) -> str:
        """The fingerprint of the types that are known by their members; '' if none is."""
        known = sorted({each.type_info.type: each.type_info.fingerprint for each in self.described if each.type_info}.items())
        if len(known) < 2:
            return known[0][1] if known else ""
        return hashlib.sha256(repr(known).encode("utf-8")).hexdigest()[:16]

    @property
    def described(self) -> List[Container]:
        """The containers, and what stands for the values beside their elements: types of which something may be known."""
        return [each for container in self.containers for each in (container, *container.beside)]

    @property
    def handles_header(self) -> str:
        """The header of the types of handles, if there is one."""
        return self.stem + HANDLES if any(container["emit.handles_header"] for container in self.containers) else ""

    @property
    def emitted(self) -> List[Container]:
        """The containers as they are written, one behind the other: layers before what they are layers of."""
        return [each for container in self.containers for each in (container.layer, container) if each is not None]
