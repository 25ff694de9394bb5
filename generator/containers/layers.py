"""The plan of a layered container: a fixed number of containers, walked and asked as one.

Each layer is an ordinary container with a plan of its own. Here is only what is around them: which layer is enabled,
visible, how fast its time goes, and the calls that go through all of them.
"""

import textwrap
from typing import Any, Dict, List, Tuple

from ..language.model import Container
from ..language.presets import PRESETS
from ..language.statuses import STATUSES
from ..text.identifiers import shout
from ..text.naming import Name
from .plan import Operation, Plan, cost_table, finish, unsaid, walk_comment

DOCS = {"RANGE": "there is no such layer"}


def plan_layers(container: Container, inner: Plan) -> Plan:
    """Decides everything about a layered container from the plan of its layers."""
    c = container
    T = Name(c.full_name)
    TT = Name(shout(T), constant=True)
    names: Tuple[str, ...] = c["layers.names"]
    layers = [{"name": name, "constant": f"{TT}_{shout(name)}"} for name in names]
    of = {operation.name: operation for operation in inner.operations}
    operations = _Operations(c, inner, T, TT, of).all()
    statuses = {"OK"}
    for operation in operations:
        statuses.update(operation.statuses)
    docs = {status["name"]: status["doc"] for status in inner.statuses}
    context = c["hooks.context"]
    example = inner.walk_example.replace(f"{inner.T}_each", f"{T}_each")
    facts: Dict[str, Any] = {
        "T": T, "TT": TT, "L": inner.T, "LL": inner.TT, "E": inner.E, "item": inner.item, "ref": inner.ref, "nil": inner.nil,
        "walk_holds": inner.walk_holds, "walk_example": example, "walk_comment": walk_comment(T, example), "walk_leave": f"{T}_remove_current", "kept": None,
        "loops": [("each", "begin", "")] + [
            ("each_backward", "begin_backward", f"As {TT}_EACH_BACKWARD goes.")] * (c["iteration.direction"] == "both")
        + [("each_visible", "begin_visible", f"As {TT}_EACH_VISIBLE goes.")],
        "layers": layers,
        "constants": [layer["constant"] for layer in layers] + [f"{TT}_LAYERS", f"{TT}_EACH_VISIBLE", f"{T}_each_visible", f"{T}_tick", f"{T}_layer_state"],
        "statuses": [{"name": n, "number": STATUSES[n][0], "doc": DOCS.get(n, docs.get(n, STATUSES[n][1]))}
                     for n in STATUSES if n in statuses],
        "says": {name: operation.result == f"{inner.T}_status" for name, operation in of.items()},
        "has": {name: name in of for name in ("update", "prune", "lock", "begin_backward", "take_from", "remove", "handle_of",
                                              "will_contain")},
        "rows": inner.rows, "sought": inner.sought[1], "by_handle": inner.has_handles, "told_apart": inner.told_apart,
        "runs": inner.runs, "walk_looks": inner.walk_looks, "points": inner.points, "exclusive": inner.intrusive or inner.index_field is not None, "by_pointer": inner.by_pointer, "deferred": inner.deferred,
        "ticks": c["hooks.update"] is not None, "context": context,
        "backward": c["iteration.direction"] == "backward", "both_ways": c["iteration.direction"] == "both",
        "custom_allocator": inner.custom_allocator, "plain_allocator": inner.plain_allocator, "declares_allocator": False, "allocator": inner.allocator, "calls_malloc": inner.calls_malloc, "assertion": inner.assertion, "removes_current": inner.removes_current,
        "settle_seconds": "settle" in of and len(of["settle"].params) == 2,
        "not_there": inner.absent.replace(f"{inner.TT}_", f"{TT}_"),
        "columns": inner.columns, "inner": inner, "hooks": inner.hooks,
        "bytes_per_element": inner.bytes_per_element + f", in each of the {len(layers)} layers",
        "summary": f"{len(layers)} layers of {inner.summary}",
        "contract": _contract(T, inner), "said_done": inner.said_done.replace(f"{inner.TT}_", f"{TT}_"),
        "templates": "layers",
    }
    plan = Plan(c, dict(inner.parts), operations, facts)
    for operation in operations:
        finish(T, operation)
    facts["overview"] = overview_of(plan)
    return plan


class _Operations:
    """The calls, as data; what a layer has no call for the whole has none for either."""

    def __init__(self, c: Container, inner: Plan, T: str, TT: str, of: Dict[str, Operation]):
        self.c, self.inner, self.T, self.TT, self.of = c, inner, T, TT, of
        self.ops: List[Operation] = []
        self.layers = len(c["layers.names"])

    def op(self, name: str, result: str, params: List[Tuple[str, str]], brief: str, cost: str = "O(1)",
           invalidates: str = "nothing", inline: bool = False, statuses: Tuple[str, ...] = ()) -> None:
        self.ops.append(Operation(name, result, params, brief, cost, invalidates, ("layers", name.rstrip("_")), inline, statuses))

    def like(self, name: str, result: str, params: List[Tuple[str, str]], brief: str, *more: str, each: bool = False,
             inline: bool = False) -> None:
        """A call that costs what the layers' call of that name costs: in one layer, or in each."""
        inner = self.of[name if name != "move" else "take_from"]
        statuses = inner.statuses + more if result.endswith("_status") else ()
        cost = f"{inner.cost}, in each layer" if each and inner.cost != "O(1)" else "O(layers)" if each else inner.cost
        self.op(name, result, params, brief, cost, inner.invalidates, inline, tuple(dict.fromkeys(statuses)))

    def all(self) -> List[Operation]:
        c, T, TT, of, inner = self.c, self.T, self.TT, self.of, self.inner
        me, const_me = (f"{T} *", "list"), (f"const {T} *", "list")
        layer = ("size_t", "layer")
        status = f"{T}_status"
        sought = inner.sought
        cursor = (f"{T}_cursor *", "cursor")
        op, like = self.op, self.like
        # life
        context = [("void *", "context")] if inner.custom_allocator else []
        op("init", "void", [me] + context, "Makes it valid and empty, with all layers enabled and visible at time scale 1"
           + ("." if context else ", as zero-initialising it does.") + " Allocates nothing.")
        like("deinit", "void", [me], "Takes everything out of all layers and gives all memory back. The layers are then as after "
             f"{T}_init.", each=True)
        settle = [me] + ([("double", "seconds")] if len(of["settle"].params) == 2 else [])
        also = " In layers that are disabled it lets go of all that have expired, which no update does." if "prune" in of else ""
        like("settle", status, settle,
             f"A frame boundary: settles every layer, see {inner.T}_settle." + also, each=True)
        like("check", "const char *", [const_me], "Verifies every invariant of every layer. NULL: all hold; else which one does not.",
             each=True)
        # layers
        op("layer_at", f"{inner.T} *", [me, layer], f"The container of a layer, for everything that {inner.T} can do; NULL if "
           "there is no such layer.")
        for what, doc in (("enabled", f"Is the layer walked by {T}_begin" + (" and updated" if "update" in of else "") + "?"),
                          ("visible", f"Is the layer walked by {T}_begin_visible?")):
            op(f"is_{what}", "bool", [const_me, layer], doc, inline=True)
            op(f"set_{what}", "void", [me, layer, ("bool", "on")],
               ("Says whether the layer is walked and updated. A live pass asks when it comes to the layer; it finishes the one it "
                "is in." if what == "enabled" else "Says whether the layer is drawn; it has nothing to do with being enabled."))
        if inner.hooks["update"] is not None:
            op("time_scale", "double", [const_me, layer], "How fast time goes by in the layer; 1 is as it is outside.", inline=True)
            op("set_time_scale", "void", [me, layer, ("double", "scale")],
               "Says how fast time goes by in the layer: 0.5 is slow motion, 0 a still.")
        # questions
        like("count", "size_t", [const_me], "The number of elements in all layers, disabled ones too.", each=True)
        like("is_empty", "bool", [const_me], "Is there no element in any layer?", each=True)
        if not inner.rows:  # a row is one of a layer
            op("layer_of", "size_t", [const_me, sought], "The layer that holds this element, the first if several do; "
               f"{TT}_LAYERS: none.", f"{of['contains'].cost}, in each layer")
            like("contains", "bool", [const_me, sought], "Is this element in any layer?", each=True)
        # coming, leaving, moving
        like("add", status, [me, layer, (inner.item, "element")], f"Adds an element to a layer, as {inner.T}_add does. RANGE: there "
             "is no such layer.", "RANGE")
        if not inner.has_handles and not inner.rows:
            like("remove", status, [me, sought], "Removes this element from the first layer that holds it. ABSENT: none does"
                 + (", FOREIGN: another container does." if inner.told_apart else "."), each=True)
        if "take_from" in of:
            told = inner.hooks["add"] is not None or inner.hooks["remove"] is not None
            like("move", status, [me] + ([("size_t", "from")] if inner.rows else []) + [sought, layer], "Moves this element "
                 + ("of one layer " if inner.rows else "") + "to another, behind those that are in. It is not destroyed" + ("; hooks are told that it is removed from one layer and added to the other. If they "
                                              "take its room in both meanwhile, it is destroyed after all" if told else "")
                 + ". After everything but success it is where it was.", "RANGE", each=not inner.rows)
        clear = of["clear"]
        like("clear", status if clear.result != "void" else "void", [me], "Takes all elements out of all layers and keeps the memory.", each=True)
        # walking
        order = "from the last to the first" if c["iteration.direction"] == "backward" else "in their order"
        op("begin", f"{T}_cursor", [me], f"Begins a pass through the layers that are enabled, {order}; {TT}_EACH does it for you.",
           of["begin"].cost, inline=inner.runs)
        op("begin_visible", f"{T}_cursor", [me], f"Begins a pass through the layers that are visible, enabled or not; "
           f"{TT}_EACH_VISIBLE does it for you.", of["begin"].cost, inline=inner.runs)
        if "begin_backward" in of:
            op("begin_backward", f"{T}_cursor", [me], "Begins a pass through the layers that are enabled, from the last element of the "
               f"last layer to the first of the first; {TT}_EACH_BACKWARD does it for you.", of["begin_backward"].cost)
        op("end", "void", [cursor], "Ends a pass; ending it twice does no harm.", of["end"].cost, of["end"].invalidates, inline=inner.runs)
        op("next", inner.ref, [cursor], "The next element, from the next layer where one is over, or NULL: the pass is over then, and so is its loop.",
           of["next"].cost if "amortised" in of["next"].cost else f"{of['next'].cost} amortised", of["next"].invalidates)
        if inner.runs:
            for name in ("run_", "running_"):
                op(name, "bool", [cursor] + [(f"{inner.ref} *", "element")] * (name == "running_"), of[name].brief, inline=True)
        like("remove_current", status, [cursor], "Removes the element that the pass stands on. ABSENT if it is gone already.", inline=inner.runs)
        if "update" in of:
            ticks = inner.hooks["update"] is not None
            params = [me] + ([("double", "seconds"), (c["hooks.context"], "context")] if ticks else [])
            like("update", "void", params, "Updates every layer that is enabled"
                 + (f", with as many seconds as go by in it; the update hook is given them with the context in a {T}_tick." if ticks
                    else "; all that have expired leave."), each=True)
            like("prune", "void", [me], "Lets go of all elements that have expired, in every layer, without an update.", each=True)
        if "lock" in of:
            like("lock", "void", [me], "Holds all changes back in every layer until it is unlocked as often.", each=True)
            like("unlock", status, [me], f"Lets go of one lock of every layer, see {inner.T}_unlock. The first refusal is the answer, "
                 "and the others are unlocked all the same.", each=True)
        return self.ops


def _contract(T: str, inner: Plan) -> List[str]:
    """What holds during a pass."""
    return [
        "whether a layer is enabled (or visible) is asked when the pass comes to it: one that is switched off before is not "
        "entered, one that is switched off while the pass is in it is walked to its end.",
        f"within a layer it holds what {inner.T} says of its passes, from the moment in which the pass enters it: so what is "
        "added to a layer ahead is visited, and what is added to one behind is not.",
        "an element that moves to a layer ahead is visited there, again if it had been visited.",
        f"it may be left at any point, see {T}_settle."]


def overview_of(plan: Plan) -> str:
    """The comment at the top of the container's half of a header."""
    def has(name: str) -> bool:
        return plan.kept is None or name in plan.kept

    c, T, TT, inner = plan.container, plan.T, plan.TT, plan.inner
    title = PRESETS[c.preset].title if c.preset in PRESETS else None
    lines = textwrap.wrap(f"{T}: {plan.summary}" + (f" ({title})" if title else "") + ".", 108)
    if title:
        lines += [""] + textwrap.wrap(unsaid(PRESETS[c.preset].doc.replace("T_", f"{T}_"), T, has), 108)
    lines += ["", "During a pass:"] * has("begin")
    for sentence in plan.contract if has("begin") else ():
        wrapped = textwrap.wrap(sentence if has("settle") else sentence.replace(f", see {T}_settle", ", but must be ended then"), 104)
        lines += ["- " + wrapped[0]] + ["  " + line for line in wrapped[1:]]
    first = plan.layers[0]["constant"]
    element = "element" if inner.by_pointer or not inner.E.startswith(("struct ", "union ")) else f"({inner.E}){{...}}"
    lines += ["", "For example:"] + ["    " + line if line else "" for line in (
        *((f"{T} list;", "", f"{T}_init(&list, context);") if inner.custom_allocator else (f"{T} list = {{0}};", "")),
        *[f"if ({T}_add(&list, {first}, {element}) != {TT}_OK) {{ ... }}"] * has("add"),
        *[f"{T}_set_enabled(&list, {first}, false);"] * has("set_enabled"),
        *[f"{T}_update(&list{', seconds, context' if plan.ticks else ''});"] * (plan.has["update"] and has("update")),
        *[f"{TT}_EACH_VISIBLE(&list, element) {{ ... }}"] * has("each"),
        f"{T}_deinit(&list);", *["", f"and in C++17: {plan.walk_example}"] * has("each"))]
    lines += [""] + cost_table(c, plan.operations, inner.others)
    lines += [""] + textwrap.wrap("Memory: " + plan.bytes_per_element + ".", 108)
    return "/*\n" + "\n".join((" * " + line).rstrip() for line in lines) + "\n */"
