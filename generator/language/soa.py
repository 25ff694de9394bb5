"""Elements in columns: which members there are, and in which column each of them lies."""

from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ..text.diag import Span
from ..types.type_info import TypeField
from .model import Container, SpecField

COLD = "cold"  # the column of the members that have none of their own


class Member(NamedTuple):
    """A member of the element, and where it is."""

    name: str
    type: str
    column: str  # as the function is called that gives its column
    path: str  # what leads to it from a cell of that column
    whole: bool = True  # it is assigned; else its bytes are copied
    bits: bool = False  # it has no address
    why_not: str = ""  # why it cannot be a column of its own
    lost: bool = False  # and cannot be copied at all
    span: Optional[Span] = None


def written(field: SpecField) -> TypeField:
    """A member that the spec lists, as one that was read from a header."""
    return TypeField(field.name, field.type, span=field.span)


def listed(container: Container) -> Optional[Sequence[TypeField]]:
    """All members of the element in their order: those that the spec lists, else those that its header has."""
    if container["layout"] != "soa":
        return None
    if container["element.fields"] is not None:
        return [written(field) for field in container["element.fields"]]
    info = container.type_info
    return info.fields if info is not None and info.kind == "struct" else None


def _named(fields: Sequence[TypeField]) -> Iterator[TypeField]:
    """What can be said behind a dot: those of anonymous members, too."""
    for field in fields:
        if field.name:
            yield field
        else:
            yield from _named(field.fields)


def members(container: Container) -> Tuple[Member, ...]:
    """All that is to be kept of an element, in the order of its members."""
    hot = container["element.hot"]
    found: List[Member] = []
    for field in _named(listed(container) or ()):
        own = hot is None or field.name in hot
        copied = field.bits is None and (field.is_array or field.untagged or field.shared)
        found.append(Member(field.name, field.value_type, field.name if own else COLD, "" if own else f".{field.name}",
                            not copied,
                            field.bits is not None, _odd(field) or field.why_not, bool(_odd(field)), field.span))
    return tuple(found)


def _odd(field: TypeField) -> str:
    """Why a copy of it cannot lie elsewhere; '' if it can."""
    if field.flexible or field.const:
        return field.why_not
    if field.untagged and any(part.packed or part.aligned for part in (field, *field.fields)):
        return "its type has no name, and is not laid out as another one with the same members would be"
    return ""


def lanes(container: Container) -> Tuple[SpecField, ...]:
    """The columns of the element's members: their names and what a cell of each is."""
    own = tuple(SpecField(member.name, member.type, member.span) for member in members(container) if not member.path)
    if container["element.hot"] is None:
        return own
    return own + (SpecField(COLD, cold_type(container)),)


def cold_type(container: Container) -> str:
    """What the members without a column of their own are together."""
    return container.names[f"{COLD}_row"]


def cold_members(container: Container) -> List[str]:
    """Their declarations."""
    return list(_cold(listed(container) or (), container["element.hot"] or ()))


def _cold(fields: Sequence[TypeField], hot: Sequence[str]) -> Iterator[str]:
    for field in fields:
        if field.name in hot or not field.name and not field.fields:
            continue  # bits without a name hold nothing
        if not field.name and field.type.startswith("struct"):
            yield from _cold(field.fields, hot)  # some of them may have columns
        else:
            yield field.declare()
