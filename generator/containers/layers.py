"""The plan of a layered container: a fixed number of containers, walked and asked as one.

Each layer is an ordinary container with a plan of its own. Here is only what is around them: which layer is enabled,
visible, how fast its time goes, and the calls that go through all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ..language.costs import CONSTANT, Cost
from ..language.model import Container
from ..language.presets import PRESETS
from ..language.statuses import STATUSES, Status
from ..operations.operation import Operation, finish, signed_of
from ..text.identifiers import shout
from ..text.naming import Names, placed
from ..text.sentences import sentences
from ..text.units import where, wrapped_text
from .overview import Said, begun, ends_of, threads, walk_example
from .plan import Plan

DOCS = {"RANGE": "there is no such layer"}


class Layer(NamedTuple):
    name: str
    constant: str


@dataclass(eq=False)
class LayeredPlan(Plan):
    """All that is printed of a container in layers. Its parts are those of a layer."""

    inner: Any = None  # the plan of a layer
    layers: List[Layer] = field(default_factory=list)
    of: Dict[str, Operation] = field(default_factory=dict)  # the operations of a layer
    templates = "layers"
    counts = False
    traced_memory = ""

    @cached_property
    def T(self) -> Names:
        return self.container.names

    @cached_property
    def TT(self) -> Names:
        return self.container.constants

    @property
    def traced_by(self) -> Names:
        return self.inner.T

    @property
    def L(self) -> str:
        """The type of a layer."""
        return self.inner.T

    @property
    def LL(self) -> str:
        return self.inner.TT

    @property
    def handles_apart(self) -> bool:
        return False  # a layer gives handles, and has a plan of its own

    @property
    def constants(self) -> List[str]:
        T, TT = self.T, self.TT
        return [layer.constant for layer in self.layers] + [
            TT.LAYERS, TT.EACH_VISIBLE, TT.EACH_VISIBLE_CONST, TT.EACH_PAIR, T.each_visible, T.tick, T.layer_state]

    @property
    def backward(self) -> bool:
        return self.container["iteration.direction"] == "backward"

    @property
    def ticks(self) -> bool:
        """Does the update hook get the time of its layer?"""
        return self.container["hooks.update"] is not None

    @property
    def settle_seconds(self) -> bool:
        return len(self.of["settle"].params) == 2

    @property
    def exclusive(self) -> bool:
        """Can an element be in one layer only?"""
        return self.inner.parts.element.intrusive or self.inner.parts.index.member is not None

    @property
    def layer_has(self) -> SimpleNamespace:
        """Does a layer have these operations?"""
        return SimpleNamespace(**{name: name in self.of
                                  for name in ("update", "prune", "lock", "begin_backward", "take_from", "remove", "add_handle",
                                                                     "handle_of", "will_contain", "prepare")})

    @property
    def keeps(self) -> bool:
        """Does an element keep its handle when it is moved to another layer?"""
        return bool(self.inner.parts.handles.moves)

    @property
    def summary(self) -> str:
        return f"{len(self.layers)} layers of {self.inner.summary}"

    @property
    def contract(self) -> List[str]:
        return [
            "whether a layer is enabled (or visible) is read when the pass reaches it: one that is disabled before is "
            "skipped, one that is disabled while the pass is in it is visited to its end.",
            f"within a layer the contract of {self.inner.T} holds, from the moment in which the pass enters it: an element that "
            "is added to a layer ahead is visited, one that is added to a layer behind is not.",
            "an element that is moved to a layer ahead is visited there, again if it has been visited.",
            "a pass may be left at any point, " + (f"see {self.T.settle}." if self.has("settle") else "but must be ended then.")]

    @property
    def bytes_per_element(self) -> str:
        return f"{self.inner.bytes_per_element}, in each of the {len(self.layers)} layers"

    @property
    def walk_example(self) -> str:
        return walk_example(self.inner.parts, self.T)

    def overview(self, size: Optional[int], said: Said) -> str:
        c, T, TT, inner, has = self.container, self.T, self.TT, self.inner, self.has
        title = PRESETS[c.preset].title if c.preset in PRESETS else None
        lines = wrapped_text(f"{T}: {self.summary}" + (f" ({title})" if title else "") + ".", 114)
        if title:
            lines += [""] + wrapped_text(placed(T, PRESETS[c.preset].text(has)), 114)
        lines += ["", "During a pass:"] * has("begin")
        for sentence in self.contract if has("begin") else ():
            wrapped = wrapped_text(sentence, 112)
            lines += ["- " + wrapped[0]] + ["  " + line for line in wrapped[1:]]
        first = self.layers[0].constant
        element = "element" if inner.parts.element.by_pointer or not inner.parts.E.startswith(("struct ", "union ")) \
            else f"({inner.parts.E}){{...}}"
        lines += ["", "For example:"] + ["    " + line if line else "" for line in (
            *begun(inner.parts, T),
            *[f"if ({T.add}(&list, {first}, {element}) != {TT.OK}) {{ ... }}"] * has("add"),
            *[f"{T.set_enabled}(&list, {first}, false);"] * has("set_enabled"),
            *[f"{T.update}(&list{', seconds, context' if self.ticks else ''});"] * (self.layer_has.update and has("update")),
            *[f"{TT.EACH_VISIBLE}(&list, element) {{ ... }}"] * has("each"),
            f"{T.deinit}(&list);", *["", f"and in C++17: {self.walk_example}"] * (has("each") and c["emit.cplusplus"]))]
        lines += ends_of(self, size, threads(self.parts, has, T), said)
        return "/*\n" + "\n".join((" * " + line).rstrip() for line in lines) + "\n */"

    def context(self) -> Dict[str, Any]:
        inner, p = self.inner, self.parts
        return {**super().context(), "L": inner.T, "LL": inner.TT, "layers": self.layers,
                "says": {name: operation.result == inner.T.status for name, operation in self.of.items()}, "has": self.layer_has,
                "rows": p.element.rows, "by_handle": p.handles.given, "keeps": self.keeps,
                "knows_foreign": p.index.knows_foreign, "runs": p.passes.runs,
                "by_pointer": p.element.by_pointer, "deferred": p.when.deferred,
                "ticks": self.ticks, "context": self.container["hooks.context"], "backward": self.backward,
                "both_ways": self.container["iteration.direction"] == "both", "custom_allocator": p.allocator.custom,
                "sizes_given": "".join(f", {name}" for name in p.chosen),
                "removes_current": p.passes.removes_current,
                "settle_seconds": self.settle_seconds, "settle_fails": bool(self.of["settle"].statuses),
                "pairs": any(operation.name == "next_pair" for operation in self.operations),
                "not_there": p.adding.absent_of(self.TT)}


def plan_layers(container: Container, inner: Plan) -> LayeredPlan:
    """Decides everything about a layered container from the plan of its layers."""
    T, TT = container.names, container.constants
    layers = [Layer(name, f"{TT[shout(name)]}") for name in container["layers.names"]]
    of = {operation.name: operation for operation in inner.operations}
    operations = _Operations(container, inner, T, TT, of).all()
    statuses = {"OK"}.union(*(operation.statuses for operation in operations))
    docs = {**{status.name: status.doc for status in inner.statuses}, **DOCS}
    loops = [("each", "begin", "")] + [
        ("each_backward", "begin_backward", f"As {TT.EACH_BACKWARD} goes.")] * (container["iteration.direction"] == "both") + [
        ("each_visible", "begin_visible", f"As {TT.EACH_VISIBLE} goes.")]
    plan = LayeredPlan(
        container, inner.parts, operations,
        [Status(name, number, docs.get(name, said)) for name, (number, said) in STATUSES.items() if name in statuses],
        loops, inner=inner, layers=layers, of=of)
    signed = signed_of(inner.parts)
    for operation in operations:
        operation.reports = container["emit.attributes"] and operation.name == "add"  # RANGE, at least
        finish(T, operation, signed=signed)
    return plan


class _Operations:
    """The calls, as data; what a layer has no call for the whole has none for either."""

    def __init__(self, c: Container, inner: Plan, T: Names, TT: Names, of: Dict[str, Operation]):
        self.c, self.inner, self.p, self.T, self.TT, self.of = c, inner, inner.parts, T, TT, of
        self.ops: List[Operation] = []
        self.layers = len(c["layers.names"])

    def op(self, name: str, result: str, params: List[Tuple[str, str]], brief: str, cost: Cost = CONSTANT,
           invalidates: str = "nothing", inline: bool = False, statuses: Tuple[str, ...] = (), of: str = "") -> None:
        self.ops.append(Operation(name, result, params, brief, cost, invalidates, ("layers", name.rstrip("_")), inline, statuses,
                                  of=of))

    def like(self, name: str, result: str, params: List[Tuple[str, str]], brief: str, *more: str, each: bool = False,
             inline: bool = False) -> None:
        """A call that costs what the layers' call of that name costs: in one layer, or in each."""
        inner = self.of[name if name != "move" else "take_from"]
        statuses = inner.statuses + more if result in (self.T.status, self.inner.T.status) else ()
        cost = inner.cost if not each else Cost("layers") if inner.cost == CONSTANT else inner.cost.also(", in each layer")
        self.op(name, result, params, brief, cost, inner.invalidates, inline, tuple(dict.fromkeys(statuses)))

    def all(self) -> List[Operation]:
        for group in (self._life, self._states, self._changes, self._handles, self._passes, self._updates):
            group(f"{self.T} *", self.op, self.like)
        return self.ops

    def _life(self, T_: str, op: Callable[..., None], like: Callable[..., None]) -> None:
        T, of, inner, me = self.T, self.of, self.inner, (T_, "list")
        context = [("void *", "context")] if self.p.allocator.custom else []
        sizes = self.p.sizes_given()
        op("init", "void", [me] + context + sizes, "Initialises all layers: empty, enabled and visible"
           + ", at time scale 1" * (self.p.hooks["update"] is not None)
           + ("." if context or sizes else ", as zero-initialising does.")
           + " Each may have up to `max` elements." * ("max" in self.p.chosen)
           + " Keys in each are smaller than `keys`." * ("keys" in self.p.chosen)
           + " Allocates nothing.")
        like("deinit", "void", [me], "Removes all elements of all layers and frees all memory. The layers are then as after "
             f"{T.init}.", each=True)
        settle = [me] + ([("double", "seconds")] if len(of["settle"].params) == 2 else [])
        also = " In disabled layers it removes all expired elements, which no update does." if "prune" in of else ""
        like("settle", T.status if of["settle"].statuses else "void", settle,
             f"Call it once a frame: settles every layer, see {inner.T.settle}." + also, each=True)
        like("check", "const char *", [(f"const {T} *", "list")],
             "Verifies every invariant of every layer. Returns NULL if all hold, else a text that names one that does not.",
             each=True)

    def _states(self, T_: str, op: Callable[..., None], like: Callable[..., None]) -> None:
        """The state of a layer, and questions."""
        T, TT, of, inner, me, const_me = self.T, self.TT, self.of, self.inner, (T_, "list"), (f"const {T_}", "list")
        layer, sought = (self.p.size, "layer"), self.p.sought
        op("layer_at", f"{inner.T} *", [me, layer], f"Returns the container of a layer, for all operations of {inner.T}; NULL if "
           "there is no such layer.")
        op("layer_at_const", f"const {inner.T} *", [const_me, layer], f"As {T.layer_at}, of const layers.", of="layer_at")
        for what, doc in (("enabled",
                           f"Does {T.begin} visit the layer" + (", and is it updated" if "update" in of else "") + "?"),
                          ("visible", f"Does {T.begin_visible} visit the layer?")):
            op(f"is_{what}", "bool", [const_me, layer], doc, inline=True)
            op(f"set_{what}", "void", [me, layer, ("bool", "on")],
               ("Sets whether passes visit the layer" + " and updates update it" * ("update" in of)
                + ". A live pass reads this when it reaches the layer; it finishes the one it is in." if what == "enabled"
                else "Sets whether the layer is drawn; independent of being enabled."))
        if self.p.hooks["update"] is not None:
            op("time_scale", "double", [const_me, layer], "The time scale of the layer; 1 is normal speed.", inline=True)
            op("set_time_scale", "void", [me, layer, ("double", "scale")],
               "Sets the time scale of the layer: 0.5 is slow motion, 0 stops it.")
        like("count", self.p.size, [const_me], "The number of elements in all layers, disabled ones included.", each=True)
        like("is_empty", "bool", [const_me], "Are all layers empty?", each=True)
        if not (self.p.element.rows or self.p.handles.moves):  # a row is one of a layer
            op("layer_of", self.p.size, [const_me, sought], "Returns the layer that contains this element, the first of several; "
               f"{TT.LAYERS} if none does.", of["contains"].cost.also(", in each layer"))
            like("contains", "bool", [const_me, sought], "Is this element in any layer?", each=True)

    def _changes(self, T_: str, op: Callable[..., None], like: Callable[..., None]) -> None:
        of, inner, me, layer, sought, status = self.of, self.inner, (T_, "list"), (self.p.size,
                                                                                   "layer"), self.p.sought, self.T.status
        if "prepare" in of:
            like("prepare", "void", [(self.p.ref, "element")], of["prepare"].brief)
        like("add", status, [me, layer, (self.p.item, "element")],
             f"Adds an element to a layer, as {inner.T.add} does. Returns RANGE if there "
             "is no such layer.", "RANGE")
        if not self.p.handles.given and not self.p.element.rows:
            like("remove", status, [me, sought], "Removes this element from the first layer that contains it. Returns ABSENT if "
                                                 "none does"
                 + (", FOREIGN if another container does." if self.p.index.knows_foreign else "."), each=True)
        if "take_from" in of and not self.p.handles.moves:
            told = self.p.hooks["add"] is not None or self.p.hooks["remove"] is not None
            like("move", status, [me] + ([(self.p.size, "from")] if self.p.element.rows else []) + [sought, layer],
                 "Moves this element "
                 + ("of one layer to another" if self.p.element.rows else "to another layer") + ", to where an add would put it"
                 + ". It is not destroyed" * (told or self.p.hooks["destroy"] is not None)
                 + ("; hooks are notified of the removal from one layer and the add to the other. If they "
                                              "use its slot in both, it is destroyed" if told else "")
                 + ". After a failure it is where it was.", "RANGE", each=not self.p.element.rows)
        clear = of["clear"]
        like("clear", status if clear.result != "void" else "void", [me],
             "Removes all elements of all layers and keeps the memory.", each=True)

    def _handles(self, T_: str, op: Callable[..., None], like: Callable[..., None]) -> None:
        """By handles that all layers share."""
        T, TT, of, me, const_me = self.T, self.TT, self.of, (T_, "list"), (f"const {T_}", "list")
        handle, layer, stale = (self.inner.T.handle, "handle"), (self.p.size, "layer"), "Returns STALE if it has been removed"
        if not self.p.handles.moves:
            return
        if "add_handle" in of:
            like("add_handle", T.status, [me, layer, (self.p.item, "element"), (f"{handle[0]} *", "added")],
                 f"As {T.add}; `*added` is the handle of the new element, or of none.", "RANGE")
        op("get", self.p.ref, [me, handle], f"Returns the element that a handle names, in any layer; {self.p.nil} if it has been "
           "removed, or is on its way to another layer.")
        op("layer_of", self.p.size, [const_me, handle], "Returns the layer of the element that a handle names; "
           f"{TT.LAYERS} if {T.get} returns {self.p.nil}.")
        op("contains", "bool", [const_me, handle], "Is the element that a handle names in any layer?")
        if not self.p.element.rows:
            op("handle_of", handle[0], [const_me, self.p.sought], "Returns the handle of an element of any layer; {0, 0} for any "
               "other address.", of["handle_of"].cost.also(", in each layer"))
        like("remove", T.status, [me, handle], f"Removes the element that a handle names, in any layer. {stale}; later elements "
             "are never touched.")
        if "take_from" in of:
            told = self.p.hooks["add"] is not None or self.p.hooks["remove"] is not None
            like("move", T.status, [me, handle, layer], sentences(
                f"Moves the element that a handle names to another layer, behind its elements, where it keeps the handle. {stale}"
                "; after another failure it is where it was.",
                "Hooks are notified of the removal from one layer and the add to the other, between which the handle names no "
                "element. If they use its slot in both, it is destroyed." * told), "RANGE")

    def _passes(self, T_: str, op: Callable[..., None], like: Callable[..., None]) -> None:
        c, T, TT, of, me, cursor = self.c, self.T, self.TT, self.of, (T_, "list"), (f"{self.T.cursor} *", "cursor")
        order = "from the last to the first" if c["iteration.direction"] == "backward" else "in their order"
        op("begin", T.cursor, [me],
           f"Begins a pass through the enabled layers, {order}" + where(TT.EACH, f"; {TT.EACH} calls it") + ".",
           of["begin"].cost, inline=self.p.passes.runs)
        op("begin_visible", T.cursor, [me], "Begins a pass through the visible layers, enabled or not"
           + where(TT.EACH, f"; {TT.EACH_VISIBLE} calls it") + ".", of["begin"].cost, inline=self.p.passes.runs)
        if "begin_backward" in of:
            op("begin_backward", T.cursor, [me], "Begins a pass through the enabled layers, from the last element of the "
               "last layer to the first of the first" + where(TT.EACH, f"; {TT.EACH_BACKWARD} calls it") + ".",
               of["begin_backward"].cost)
        op("end", "void", [cursor], "Ends a pass. Ending it twice is allowed.", of["end"].cost, of["end"].invalidates,
           inline=self.p.passes.runs)
        op("next", self.p.ref, [cursor], "Returns the next element, from the next layer at the end of one; NULL if there is "
                                         "none, which ends the pass.",
           of["next"].cost._replace(amortised=True), of["next"].invalidates)
        if self.p.passes.runs:
            for name in ("run_", "running_"):
                op(name, "bool", [cursor] + [(f"{self.p.ref} *", "element")] * (name == "running_"), of[name].brief, inline=True)
        self._pairs(op)
        self._readers(op)
        like("remove_current", T.status, [cursor], "Removes the element that the pass stands on. Returns ABSENT if it has been "
                                                   "removed already; with BESPOKE_CHECKS that is misuse and stops the program.",
             inline=self.p.passes.runs)

    def _pairs(self, op: Callable[..., None]) -> None:
        """Passes that follow another one, for loops over pairs: where what has expired is not skipped."""
        if "begin_after" not in self.of or self.p.passes.skips_expired:
            return
        T, ref, cursor = self.T, self.p.ref, (f"{self.T.cursor} *", "cursor")
        op("current", ref, [(f"const {T.cursor} *", "cursor")],
           f"Returns the element that the pass stands on; {self.p.nil} if there is none: it has not begun to visit, has ended, "
           "or the element has been removed, or moved to another layer.")
        op("begin_after", T.cursor, [cursor], sentences(
            "Begins a pass of what another one has still to visit.", self.p.passes.beyond,
            "To call it for a pass that is over is misuse."), self.of["begin_after"].cost)
        op("over_", T.cursor, [(T.cursor, "cursor")], f"For {self.TT.EACH_PAIR}: that of a pass that is over.", inline=True)
        op("next_pair", "bool", [cursor, (f"{ref} *", "a"), (f"{T.cursor} *", "inner"), (f"{ref} *", "b")],
           f"For {self.TT.EACH_PAIR}: the next two elements; false if there are none. `inner` is the cursor of a pass behind "
           "`*a`.", self.of["next_pair"].cost)

    def _readers(self, op: Callable[..., None]) -> None:
        T, const_me, reader = self.T, (f"const {self.T} *", "list"), (f"{self.T.const_cursor} *", "cursor")
        for name, which in (("begin", "the enabled layers"), ("begin_visible", "the visible layers, enabled or not"),
                            ("begin_backward", "the enabled layers, backward")):
            if name != "begin_backward" or name in self.of:
                op(f"{name}_const", T.const_cursor, [const_me], f"Begins a reader through {which}: a pass that writes nothing "
                   "and need not be ended.")
        op("next_const", self.p.readers.ref, [reader], f"Returns the next element of a reader; {self.p.nil} if there is none, or "
           "if the layer that it is in has been changed since it came there: with BESPOKE_CHECKS that is misuse.",
           self.of["next_const"].cost)

    def _updates(self, T_: str, op: Callable[..., None], like: Callable[..., None]) -> None:
        c, T, of, inner, me = self.c, self.T, self.of, self.inner, (T_, "list")
        if "update" in of:
            ticks = self.p.hooks["update"] is not None
            params = [me] + ([("double", "seconds"), (c["hooks.context"], "context")] if ticks else [])
            like("update", "void", params, "Updates every enabled layer"
                 + (f" with the seconds of its time scale; the update hook gets them with the context in a {T.tick}." if ticks
                    else " and removes all expired elements."), each=True)
            like("prune", "void", [me], "Removes all expired elements of every layer, without an update.", each=True)
        if "lock" in of:
            like("lock", "void", [me], "Locks every layer: changes are pending until it is unlocked as often.", each=True)
            like("unlock", T.status, [me], f"Releases one lock of every layer, see {inner.T.unlock}. Returns the first failure, "
                 "and unlocks the others anyway.", each=True)
