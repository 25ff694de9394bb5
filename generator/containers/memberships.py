"""Elements that are in several containers: one function that removes an element from all of them.

The owner member of an intrusive element says which container it is in; any other container is a parameter.
"""

from types import SimpleNamespace
from typing import Any, List, NamedTuple, Optional

from ..language.keys import FUNCTIONS
from ..language.model import Container, Spec
from ..text import identifiers
from ..text.naming import tail
from ..text.diag import Diagnostics, Note, Span
from ..text.nodes import Mapping, Scalar, Sequence, shape
from ..text.printing import shown
from ..text.suggestions import suggestion
from ..text.units import laid_out
from ..types.declare import declare, pointer_to
from .plan import Plan
from .planning import c_names, make_plan

_EXAMPLE = "such as `memberships: {enemy_leave_all: [team, targets]}`"


class Member(NamedTuple):
    """A container that elements may be in, and where the spec names it."""

    container: Container
    span: Span


class Membership(NamedTuple):
    """A function, and the containers from which it removes an element, in this order."""

    name: str
    members: List[Member]

    @property
    def links(self) -> List[str]:
        """What these containers have in an element."""
        return list(dict.fromkeys(path for member in self.members for path in make_plan(member.container).parts.element.members))

    @property
    def prepare(self) -> str:
        """The function that sets these; nothing if there are none."""
        functions = self.members[0].container["emit.functions"] or "snake"
        return f"{self.name}{'' if functions in ('camel', 'pascal') else '_'}{tail('prepare', functions)}" if self.links else ""

    @property
    def names(self) -> List[str]:
        """What it declares."""
        return [self.name] + [self.prepare] * (self.prepare != "")


def read(node: Any, spec: Spec, known: bool, diagnostics: Diagnostics) -> List[Membership]:
    """What stands below `memberships`. `known`: nothing was said against any container, so all of them are there."""
    if node is None:
        return []
    if not isinstance(node, Mapping) or not node.entries:
        diagnostics.error("BSP0104", "'memberships' takes a mapping from names of functions to lists of containers", node.span,
                          help=_EXAMPLE)
        return []
    found = []
    for key, value in node.entries:
        if not _name_is_free(key, spec, diagnostics):
            continue
        items = value.items if isinstance(value, Sequence) else []
        if len(items) < 2 or not all(isinstance(item, Scalar) for item in items):
            what = shape(value) if not isinstance(value, Sequence) else "a list of one" if len(items) == 1 else \
                "an empty list" if not items else "this"
            diagnostics.error("BSP0104", f"'{key.text}' takes a list of at least two containers, not {what}", value.span,
                              help=_EXAMPLE)
            continue
        members = [_member(item, spec, known, diagnostics) for item in items]
        whole = [member for member in members if member is not None]
        if len(whole) == len(members) and _check(whole, spec, diagnostics):
            membership = Membership(key.text, whole)
            if not membership.prepare or _name_is_free(Scalar(key.span, membership.prepare, False), spec, diagnostics):
                found.append(membership)
    return found


def _name_is_free(key: Scalar, spec: Spec, diagnostics: Diagnostics) -> bool:
    problem = identifiers.check_identifier(key.text)
    if problem:
        diagnostics.error("BSP0301", f"'{shown(key.text)}' cannot name a function: {problem}", key.span,
                          help=f"call it something else, such as `{identifiers.another_name(key.text, '_remove')}`")
        return False
    for container in spec.emitted:
        if key.text in c_names(container) or any(str(container[path]) == key.text for path in FUNCTIONS):
            diagnostics.error("BSP0306", f"'{key.text}' is a name of container '{container.name}' already", key.span,
                              notes=[Note("the container", container.span)], help="call the function something else")
            return False
    return True


def _member(item: Scalar, spec: Spec, known: bool, diagnostics: Diagnostics) -> Optional[Member]:
    for container in spec.containers:
        if container.name == item.text:
            return Member(container, item.span)
    if known:
        there = [container.name for container in spec.containers]
        diagnostics.error("BSP0270", f"there is no container '{shown(item.text)}' in this file", item.span,
                          help=suggestion(item.text, there) + "there are: " + ", ".join(there))
    return None


def _check(members: List[Member], spec: Spec, diagnostics: Diagnostics) -> bool:
    """Can one call remove an element from all of them? Each error names both places."""
    before = diagnostics.errors
    first = members[0]
    for at, member in enumerate(members):
        c = member.container
        if any(other.container is c for other in members[:at]):
            diagnostics.error("BSP0270", f"'{c.name}' is named twice", member.span, help="once is enough")
            continue
        if c["element.type"] != first.container["element.type"]:
            diagnostics.error("BSP0271", f"'{c.name}' has another element type than '{first.container.name}': "
                              f"'{c['element.type']}', not '{first.container['element.type']}'", member.span,
                              notes=[Note(f"those of '{c.name}'", c.span_of("element.type")),
                                     Note(f"those of '{first.container.name}'", first.container.span_of("element.type"))],
                              help="name containers of the same elements")
            continue
        _check_finding(member, diagnostics)
        for path, value, why, use in (
                *(("removal.when", when, "its removals are deferred while it is locked, and may run out of memory",
                   "`removal: {when: immediate}`") for when in ("deferred", "locked")),
                ("iteration.removes", "current", "while a pass is live, only the current element can be removed",
                 "`iteration: {removes: any}`"),
                ("iteration.removes", "none", "a removal ends the passes that are live", "`iteration: {removes: any}`")):
            if c[path] == value:
                diagnostics.error("BSP0273", f"an element cannot be removed from '{c.name}' at any time: {why}", member.span,
                                  notes=[Note(f"'{path}' is '{value}'", c.span_of(path))], help=f"use {use}")
        if c["hooks.destroy"] is not None and at + 1 < len(members):
            diagnostics.error("BSP0274", f"'{c.name}' destroys removed elements, and the element must still be removed from "
                              f"'{members[at + 1].container.name}'", member.span,
                              notes=[Note("the hook", c.span_of("hooks.destroy"))],
                              help=f"name '{c.name}' last; only one of them can destroy the element")
        _check_owner(member, spec, diagnostics)
    return diagnostics.errors == before


def _check_finding(member: Member, diagnostics: Diagnostics) -> None:
    """The element itself must be found, in constant time."""
    c = member.container
    if c["element.by"] == "intrusive":
        if c["element.link.owned"] is False:
            diagnostics.error("BSP0272", f"'{c.name}' has elements that do not know whether they are in it", member.span,
                              notes=[Note("'element.link.owned' is false", c.span_of("element.link.owned"))],
                              help="give them an owner: `element: {link: {next: ..., prev: ..., owner: ...}}`")
        return
    path = None
    if c["element.by"] != "pointer":
        path, why, use = "element.by", "holds copies, which an element has no link to", "`element: {by: pointer}`, with an index"
    elif c["identity.by"] != "address":
        path, why, use = "identity.by", "would remove any element with the same key", "`identity: address`"
    elif c["index.kind"] not in ("hash", "intrusive"):
        path, why, use = "index.kind", "would search all its elements", "`index: hash`, or `index: {field: ...}`"
    elif c.layer is not None and make_plan(c.layer).parts.handles.given:
        path, why, use = "handles.kind", "removes elements by handle, in each layer", "`handles: none`"
    if path is not None:
        diagnostics.error("BSP0272", f"'{c.name}' {why}", member.span, notes=[Note(f"'{path}' is '{c[path]}'", c.span_of(path))],
                          help=f"use {use}; or links in the elements: `element: {{link: {{next: ..., prev: ..., owner: ...}}}}`")


def _check_owner(member: Member, spec: Spec, diagnostics: Diagnostics) -> None:
    """The owner member points to one container, so it has one type."""
    c = member.container
    if c["element.link.owner"] is None:
        return
    for other in spec.containers:
        if c["element.by"] == "intrusive" and other is not c and other["element.type"] == c["element.type"] \
                and other["element.link.owner"] == c["element.link.owner"]:
            diagnostics.error("BSP0275", f"the owner of an element in '{c.name}' is also that of '{other.name}'", member.span,
                              notes=[Note("its owner is this member", c.span_of("element.link.owner")),
                                     Note("and here", other.span_of("element.link.owner"))],
                              help="give each container an owner member")
            return


def facts(membership: Membership) -> SimpleNamespace:
    """What the templates print."""
    plans: List[Plan] = [make_plan(member.container) for member in membership.members]
    E = membership.members[0].container["element.type"]
    rows, told, given = [], [], []
    params = [(pointer_to(E), "element")]
    for plan in plans:
        c = plan.container
        held = c.layer is not None
        if c["element.by"] == "intrusive":
            T, TT = (plan.L, plan.LL) if held else (plan.T, plan.TT)
            where = f"({T} *)element->{c['element.link.owner']}"
            told.append(f"`{T}`")
            rows.append(SimpleNamespace(there=f"element->{c['element.link.owner']} != NULL", T=T, TT=TT, where=where,
                                        handle=False))
        else:
            params.append((f"{plan.T} *", f"in_{c.name}"))
            given.append(f"`in_{c.name}`")
            rows.append(SimpleNamespace(there=f"in_{c.name} != NULL", T=plan.T, TT=plan.TT, where=f"in_{c.name}",
                                        handle=not held and plan.parts.handles.given))
    text = "Takes an element out of every container that it is in, also while passes over them are live: " \
        + ", and ".join(([f"out of the {' and the '.join(told)} that it is in"] if told else [])
                        + ([f"out of {', '.join(given)} (each may be NULL)"] if given else [])) \
        + ". Returns the number of those that it has left; NULL is in none."
    if any(plan.parts.removal.notifies_each for plan in plans):
        text += " Where a hook puts it meanwhile, it stays."
    last = membership.members[-1].container
    if last["hooks.destroy"] is not None:
        text += f" If it was in `{plans[-1].T}`, it is destroyed."
    prepare = None
    if membership.prepare:
        members = [(path, "0" if path in {plan.container["index.field"] for plan in plans} else "NULL")
                   for path in membership.links]
        prepare = SimpleNamespace(
            prototype=f"void {membership.prepare}({declare(*params[0])})", members=members, comment=laid_out(
                f"Sets what these containers have in an element ({', '.join(membership.links)}), in memory that was not zeroed: "
                "it is in none of them then. Must not be called while it is in one."))
    declared = ", ".join(declare(*param) for param in params)
    parts = plans[0].parts
    returns = parts.signed or parts.size
    return SimpleNamespace(prototype=f"{returns} {membership.name}({declared})", params=params, rows=rows, size=returns,
                           comment=laid_out(text), prepare=prepare)
