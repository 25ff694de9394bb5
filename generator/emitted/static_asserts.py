"""Guards: what an emitted source asserts of a struct whose members it was generated for.

The struct is written down once more, as it was, and compared with the one of the header: size, offsets, types. That holds on any
ABI, since both are laid out by the same compiler. What only fills a gap between members is not seen so; the fingerprint of
the type lock is there for that.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..language.element_types import named_members, unguarded
from ..language.model import TREE, Container
from ..language.named_indexes import indexes_of
from ..types.declare import pointer_to
from ..types.type_info import TypeField as Field


class Check(NamedTuple):
    """One member: what it is called there and in the mirror, and its type as that of a pointer to it; '' if it has no name."""

    name: str  # an identifier for it
    member: str
    was: str
    pointer: str

    @property
    def plain(self) -> bool:
        """Is it called the same everywhere?"""
        return self.name == self.member == self.was


@dataclass(eq=False)
class Guard:
    """The mirror of a struct, and what to compare."""

    type: str
    remedy: str  # what to do, in words
    command: str
    kind: str = "struct"
    mirror: List[str] = field(default_factory=list)
    checks: List[Check] = field(default_factory=list)
    bits: List[Check] = field(default_factory=list)  # bit-fields have no address
    tail: Optional[Check] = None  # the array without a length at the end
    attributes: str = ""
    pack: Optional[int] = None
    extended: bool = False  # needs what not every compiler has
    name: str = ""  # what tells it from the guard of the element's own type
    typedefs: List[Check] = field(default_factory=list)  # of the project, that lie in it: names, and pointers to what they are

    @property
    def first_command(self) -> str:
        return self.command.split(" && ")[0]

    @property
    def typed(self) -> bool:
        return any(check.pointer for check in self.checks) or bool(self.typedefs)

    @property
    def tag(self) -> str:
        """The remedy as an identifier, for compilers that know no messages."""
        return re.sub(r"\W+", "_", f"{self.type} has changed {self.remedy} {self.command}").strip("_")


def guards_of(container: Container, regenerate: str) -> List[Guard]:
    """What to assert for a container: of its element, and of the values that T_save writes beside elements."""
    return _guards(container, regenerate) + [guard for each in container.beside for guard in _guards(each, regenerate, True)]


def _guards(container: Container, regenerate: str, beside: bool = False) -> List[Guard]:
    """Of one type, and of what lies in that under names of the project; nothing if no members are known of a struct that a
    header declares. `beside`: it is not that of the element."""
    info, fields = container.type_info, container["element.fields"]
    if container[container.defining] is None:
        return []
    if info is not None:
        if info.kind not in ("struct", "union") or not info.fields:
            return []
        command = regenerate.replace("generate", "type import", 1) + " && " + regenerate
        name = re.sub(r"\W+", "_", info.type.split()[-1]) if beside else ""
        guard = _filled(Guard(info.type, "run", command, info.kind, name=name), info.fields, info.packed, info.aligned)
        guards = [guard]
        for used in info.uses:
            name = re.sub(r"\W+", "_", used.type.split()[-1])
            if used.fields:
                guards.append(_filled(Guard(used.type, "run", command, used.kind, name=name), used.fields, used.packed,
                                      used.aligned))
            else:
                of = Field("", used.of)
                guard.typedefs.append(Check(name, used.type, "", of.declare("(*)" if of.is_array else "*")))
        return guards
    if fields and container["element.type"] is not None:
        return [_filled(Guard(container["element.type"], "correct element.fields and run", regenerate),
                        tuple(Field(each.name, each.type) for each in fields), False, None)]
    return []


def needs_of(container: Container, regenerate: str) -> List[Tuple[str, str]]:
    """Of a struct of which no members are known: those that the spec names are there, and links are of their types. Each as a
    condition and the words for it, which are in the line that compilers print."""
    if not unguarded(container) or container["emit.contracts"] != "none":
        return []
    type_, spec = container["element.type"], (regenerate.split()[2:] or ["the spec"])[0]
    links = {f"element.link.{path}": f"{type_} *" for path in ("next", "prev", "parent", "sibling", "left", "right")}
    links.update({"element.link.turn": "uint64_t", "element.link.balance": "int8_t"})
    found: Dict[str, Tuple[str, str]] = {}
    trees = [(f"indexes.{each.index}.{name}", f"element.link.{name}", each[f"element.link.{name}"])
             for each in indexes_of(container) for name in TREE]
    links.update((path, links[link]) for path, link, _ in trees)
    for path, name in named_members(container) + [(path, name) for path, _, name in trees if name is not None]:
        member, words = f"(({pointer_to(type_)})0)->{name}", f"{spec}: '{path}' names '{name}' of {type_}"
        if path in links:
            found[name] = (f"_Generic({member}, {links[path]}: 1, default: 0)", f"{words}, which must be a {links[path]}")
        elif path == "element.link.owner":
            found[name] = (f"_Generic({member}, struct {container.full_name} *: 1, void *: 1, default: 0)",
                           f"{words}, which must be a struct {container.full_name} * or a void *")
        else:
            found.setdefault(name, (f"_Generic({member}, default: 1)", words))
    return list(found.values())


def _filled(guard: Guard, members: Sequence[Field], packed: Any, aligned: Optional[int]) -> Guard:
    _Mirror(guard).fill(members, "", "", "    ")
    guard.pack = packed if packed is not True and packed else None
    words = (["packed"] if packed is True else []) + ([f"aligned({aligned})"] if aligned else [])
    if words:
        guard.attributes, guard.extended = f" __attribute__(({', '.join(words)}))", True
    return guard


class _Mirror:
    """Writes the members down, and what is to be compared of each."""

    def __init__(self, guard: Guard):
        self.guard, self.unnamed = guard, 0
        self.names: Dict[str, int] = {}  # of checks: a member `at_x` beside the `x` of an `at`

    def fill(self, members: Sequence[Field], way: str, was: str, indent: str) -> None:
        guard = self.guard
        for member in members:
            name, pack = member.name, None
            if member.flexible:  # C++ knows none, and the size goes without it
                guard.tail = self.check(way + name, was + name)
                continue
            if not name and member.bits is None:
                self.unnamed += 1
                name = f"unnamed_{self.unnamed}"
            if member.untagged and member.fields:
                packed = member.packed is True
                guard.extended |= packed
                if member.packed and not packed:
                    pack = member.packed
                    guard.mirror.append(f"#pragma pack(push, {pack})")
                word = "union" if re.search(r"\bunion\b", member.type) else "struct"
                guard.mirror.append(f"{indent}{word}{' __attribute__((packed))' if packed else ''} {{")
                direct = _dimensions(member.type)
                inner = (name if direct is None else name + "[0]" * direct) + "."
                if direct is None:  # behind a pointer: nothing of it lies here
                    self._members_only(member.fields, indent + "    ")
                else:
                    self.fill(member.fields, way + (inner if member.name else ""), was + inner, indent + "    ")
                guard.mirror.append(f"{indent}}} {_declarator(member, name)};")
            else:
                text = _plain(member).declare(name)
                if member.aligned:
                    guard.extended = True
                    text += f" __attribute__((aligned({member.aligned})))"
                if member.local and not way:
                    # C++ calls the type otherwise.
                    of = guard.type.split()[-1]
                    guard.mirror += ["#ifdef __cplusplus", f"{indent}decltype({of}::{member.name}) {name};", "#else",
                                     f"{indent}{text};", "#endif"]
                else:
                    guard.mirror.append(f"{indent}{text};")
            if pack:
                guard.mirror.append("#pragma pack(pop)")
            if not member.name:
                continue
            if member.bits is not None:
                guard.bits.append(self.check(way + name, was + name))
                continue
            pointer = "" if member.untagged or member.local else member.declare("(*)" if _is_written_array(member) else "*")
            guard.checks.append(self.check(way + name, was + name, pointer))

    def check(self, member: str, was: str, pointer: str = "") -> Check:
        name = wanted = re.sub(r"\W+", "_", member)
        while name in self.names:
            self.names[wanted] += 1
            name = f"{wanted}_{self.names[wanted]}"
        self.names[name] = 1
        return Check(name, member, was, pointer)

    def _members_only(self, members: Sequence[Field], indent: str) -> None:
        before = self.guard.checks, self.guard.bits
        self.guard.checks, self.guard.bits = [], []
        self.fill(members, "", "", indent)
        self.guard.checks, self.guard.bits = before


def _dimensions(type_: str) -> Optional[int]:
    """Of how many dimensions is this an array of a type without a name? None: it only points at one."""
    return None if "*" in type_ else type_.count("[")


def _declarator(member: Field, name: str) -> str:
    """The member behind the type without a name."""
    bare = Field(name, re.sub(r"\b(struct|union|enum)\b", "int", member.type, count=1))
    return bare.declare()[len("int"):].strip()


def _is_written_array(member: Field) -> bool:
    return Field(member.name, member.type).is_array


def _plain(member: Field) -> Any:
    """The same without the const that C++ wants an initializer for; it has no part in where members lie."""
    text = member.type
    if member.const and not member.array:
        text = re.sub(r"\*\s*const\b(?!.*\*\s*const\b)", "*", text) if "*" in text else re.sub(r"\bconst\b\s*", "", text)
    return Field(member.name, text, member.bits, member.fields, of=member.of)
