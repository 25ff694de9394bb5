"""What the test of a container in layers needs to know of its plan, beside what it knows of a layer."""

from types import SimpleNamespace
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

import jinja2

from ..containers.plan import Plan
from ..types.declare import declare, pointer_to
from .interface import LAYER_CALLS, LAYER_RULES, Value, values
from ..text.c_tokens import literal
from .printed import Printed
from .subject import subject_of


class Layers(NamedTuple):
    """One container in layers under test. Templates read these attributes by their names."""

    T: Any
    TT: Any
    L: Any  # of a layer
    LL: Any
    ref: str
    nil: str
    context: Optional[str]
    has: SimpleNamespace
    rows: bool
    by_pointer: bool
    by_handle: bool
    keeps: bool
    named: bool  # T_remove takes what identifies an element in any layer
    custom_allocator: bool
    chosen: str  # the last arguments of T_init: sizes
    deferred: bool
    both_ways: bool
    settle_seconds: bool
    settle_fails: bool
    ticks: bool
    knows_foreign: bool
    item: str
    addressed: bool
    expires_in_place: bool
    label_of: Callable[[str, str], str]
    asked: str
    layer_rules: Sequence[Value]
    layer_calls: Sequence[str]


def layers_of(plan: Plan, printed: Printed) -> Layers:
    inner, p = plan.inner, plan.parts
    layer = subject_of(inner, printed)
    known = plan.context()
    copied = ("T", "TT", "L", "LL", "ref", "nil", "context", "has", "rows", "by_pointer", "by_handle", "keeps",
              "custom_allocator", "deferred", "both_ways",
              "settle_seconds", "settle_fails", "ticks", "knows_foreign", "item")
    has = plan.layer_has
    named = plan.keeps or not (p.handles.given or p.element.rows)
    missing = {"remove": not named, "layer_of": p.element.rows and not plan.keeps, "move": not has.take_from,
               "update": not has.update,
               "prune": not has.prune, "foreign": not p.index.knows_foreign or p.handles.given or p.element.rows,
               "lock": not has.lock, "unlock": not has.lock}
    return Layers(
        **{name: known[name] for name in copied}, chosen=layer.chosen,
        named=named, addressed=p.element.addressed and not plan.keeps, expires_in_place=layer.predicate_is_expression,
        label_of=layer.label_of,
        asked=f"bl_{plan.T}_named[label]" if plan.keeps else f"bl_{plan.T}_find(label)" if p.element.addressed else layer.asked,
        layer_rules=_rules(plan, layer.rules),
        layer_calls=[name for name in LAYER_CALLS if not missing.get(name, False)])


def _rules(plan: Plan, of_layer: Sequence[Value]) -> List[Value]:
    p, order = plan.parts, plan.inner.container["ordering"]
    same = {rule.name: rule.value for rule in of_layer}
    return values(LAYER_RULES, dict(
        same, layers=plan.TT.LAYERS, ordered=order in ("insertion", "explicit"), next_pass=same["bounded"],
        sorted=order == "sorted" or p.order.tree and p.passes.goes_backward,  # what is added may be behind the pass
        exclusive=plan.exclusive, backward=plan.backward, both=p.passes.both_ways,
        addressed=(p.element.addressed or p.element.rows) and not plan.keeps, by_handle=plan.keeps,
        settle_fails=bool(plan.of["settle"].statuses),
        settle_with='", 0.0"' if plan.settle_seconds else '""', update_with='", given"'))


def layers_text(environment: jinja2.Environment, plan: Plan, printed: Printed) -> str:
    """The test of one container in layers."""
    context = dict(layers_of(plan, printed)._asdict(), decl=declare, pointer_to=pointer_to, size=plan.parts.size,
                   largest=plan.parts.largest)
    found = environment.get_template("test/layers_found.j2")
    as_program = dict(context, **printed.facts())
    program = environment.get_template("test/layers_paste.j2").render(as_program,
                                                                      found=found.render(as_program, inside=False).strip())
    return environment.get_template("test/layers.j2").render(
        context, found=found.render(context, inside=True).strip(),
        preface=[literal(line) for line in program.rstrip("\n").split("\n")])
