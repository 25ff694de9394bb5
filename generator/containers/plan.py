"""A plan: everything that is printed of one container. Its parts, its operations, and what its header says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from ..language.model import Container
from ..language.statuses import STATUSES
from ..operations.listing import operations_of
from ..operations.operation import Operation, finish
from ..parts.container_parts import Parts
from ..text import naming
from ..types.declare import constant, declare, pointer_to
from .overview import bytes_per_element, contract, overview_of, summary, walk_comment, walk_example

Loop = Tuple[str, str, str]  # a loop of C++: its name, what begins the pass, what is said of it


@dataclass
class Plan:
    """All that is printed of one container."""

    container: Container
    parts: Parts
    operations: List[Operation]
    statuses: List[Dict[str, Any]]
    loops: List[Loop]
    summary: str
    contract: List[str]
    bytes_per_element: str
    prototypes: List[str] = field(default_factory=list)  # functions that the user writes
    forward_declarations: List[Tuple[str, List[str]]] = field(default_factory=list)
    overview: str = ""
    kept: Optional[FrozenSet[str]] = None  # the operations that are emitted, where they are not all
    walk_example: str = ""
    walk_comment: str = ""
    said_done: str = ""
    templates = "container"

    @property
    def constants(self) -> List[str]:
        """Other names at file scope."""
        return [self.parts.element.cold] if self.parts.element.cold else []

    @property
    def T(self) -> naming.Name:
        return self.parts.T

    @property
    def TT(self) -> naming.Name:
        return self.parts.TT

    def has(self, name: str) -> bool:
        """Is an operation emitted? `each` is the loop."""
        return self.kept is None or name in self.kept

    def context(self) -> Dict[str, Any]:
        """What templates know of it."""
        return {"T": naming.Names(self.T), "TT": naming.Names(self.TT), **self.parts.words(), "parts": self.parts, "plan": self,
                "operations": self.operations, "statuses": self.statuses, "loops": self.loops, "summary": self.summary,
                "prototypes": self.prototypes, "forward_declarations": self.forward_declarations, "overview": self.overview,
                "walk_comment": self.walk_comment}

    def __getattr__(self, name: str) -> Any:
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        value = self.__dict__["parts"]
        for step in _ATTRIBUTES[name].split("."):
            value = getattr(value, step)
        return value


def make_plan(container: Container) -> Plan:
    """Decides everything about one container, once: it does not change after it is resolved."""
    if container.plan is None:
        if container.layer is not None:
            from .layers import plan_layers  # builds on the plan of a layer
            container.plan = plan_layers(container, make_plan(container.layer))
        else:
            container.plan = _plan(Parts(container))
    return container.plan


def _plan(p: Parts) -> Plan:
    operations = operations_of(p)
    statuses = {"OK"}.union(*(operation.statuses for operation in operations))
    example = walk_example(p)
    loops = [("each", "begin", "")] + [("each_backward", "begin_backward", f"As {p.TT}_EACH_BACKWARD goes.")] * p.passes.both_ways
    plan = Plan(
        p.container, p, operations, [{"name": name, "number": number, "doc": _said(p, name)} for name, (number, _) in STATUSES.items()
                                     if name in statuses],
        loops, summary(p), contract(p, lambda name: True), bytes_per_element(p), _prototypes(p), _forward(p),
        walk_example=example, walk_comment=walk_comment(p.T, example), said_done=said_done(p.TT, statuses))
    for operation in operations:
        finish(p.T, operation)
    plan.overview = overview(plan)
    return plan


def overview(plan: Plan) -> str:
    """The comment at the top of a container's half of a header."""
    if plan.container.layer is not None:
        from . import layers
        return layers.overview_of(plan)
    return overview_of(plan.parts, plan, plan.has)


def said_done(TT: str, statuses: Any) -> str:
    """The statuses after which a call has done what was asked."""
    return " and ".join(f"{TT}_{status}" for status in ("OK", "QUEUED", "REPLACED") if status in statuses)


def _said(p: Parts, status: str) -> str:
    """What a status says."""
    if status == "FULL" and p.handles.given and p.container["handles.index_bits"] < 32 and p.limit is None:
        return f"the container is full: handles can name {p.handles.named_slots(p.storage.round_to):,}"
    if status == "BUSY" and p.order.sorts:
        return "a pass is live, or the limit of live passes is reached"
    return STATUSES[status][1]


def _forward(p: Parts) -> List[Tuple[str, List[str]]]:
    """Structs that the header only points at: it needs their names, not their headers. With the functions that they are for, if
    they are not for all."""
    declared = []
    if p.element.by_pointer and p.container["element.header"] is None and p.E.startswith(("struct ", "union ")):
        declared.append(p.E.rstrip("* "))
    if p.container["element.header"] is None:
        for member in p.element.fields:
            declared += re.findall(r"\b(?:struct|union) \w+", member.type)
    context = p.container["hooks.context"]
    if p.hooks["update"] is not None and context is not None:
        match = re.search(r"\b(struct|union)\s+(\w+)\s*\*", context)
        if match:
            told = f"{match.group(1)} {match.group(2)}"
            if told not in declared:
                return [*[(each, []) for each in dict.fromkeys(declared)], (told, [f"{p.T}_update", naming.yours(p.hooks["update"])])]
    return [(each, []) for each in dict.fromkeys(declared)]


def _prototypes(p: Parts) -> List[str]:
    """The functions of the user that a container calls, as the header declares them."""
    const_element = constant(p.E)
    lines = []
    context = p.container["hooks.context"]
    for name, function in p.hooks.items():
        if function is None:
            continue
        copied = name in ("remove", "destroy")  # what is out is no row any more
        element = "size_t row" if p.element.rows and not copied else declare(pointer_to(p.E), "element")
        if name == "update":
            lines.append(f"void {naming.yours(function)}(struct {p.T} *list, {element}, {declare(context, 'context')})")
        else:
            lines.append(f"void {naming.yours(function)}(struct {p.T} *list, {element})")
    if p.removal.expired is not None and p.removal.expired.is_function:
        lines.append(f"bool {naming.yours(p.removal.expired)}({declare(pointer_to(const_element), 'element')})")
    key = p.container["identity.key"]
    if key is not None and key.is_function and p.lookup.keyed:
        lines.append(f"uint64_t {naming.yours(key)}({declare(pointer_to(const_element), 'element')})")
    key, less = p.container["sort.key"], p.container["sort.less"]
    if key is not None and key.is_function:
        lines.append(f"double {naming.yours(key)}({declare(pointer_to(const_element), 'element')})")
    if less is not None and less.is_function:
        lines.append(f"bool {naming.yours(less)}({declare(pointer_to(const_element), 'a')}, {declare(pointer_to(const_element), 'b')})")
    return list(dict.fromkeys(lines))


def c_names(container: Container) -> List[str]:
    """Every name at file scope that a container's header declares."""
    plan = make_plan(container)
    t, upper = str(plan.T), str(plan.TT)
    names = [t, f"{t}_status", f"{t}_cursor", f"{t}_pass", f"{t}_change", f"{t}_change_kind", f"{t}_handle", f"{t}_row", f"{t}_misuse_", f"{t}_span", f"{t}_const_span", f"{t}_walk", f"{t}_each", f"{t}_each_backward", f"{upper}_EACH", f"{upper}_EACH_BACKWARD",
             f"{upper}_MAX", f"{upper}_KEYS", f"{upper}_NONE", f"{upper}_PASSES", f"{upper}_MISUSE_", f"{upper}_CHUNK", f"{t}_chunk_data", f"{upper}_ALIGNMENT"]
    names += [f"{t}_{operation.name}" for operation in plan.operations]
    names += [f"{upper}_{status}" for status in STATUSES]
    names += map(naming.plain, plan.constants)
    if container.respelled:  # both the names that are written and those by which they are known
        spelled = [container.function(operation.name) for operation in plan.operations]
        spelled += [container.type_of(name) for name in naming.TYPES]
        names = names[:1] + spelled + [name for name in names[1:] if name not in spelled]
    return names


def declared_as(name: str, container: Container) -> str:
    """What one of these names is."""
    plan = make_plan(container)
    if any(name in (naming.plain(f"{plan.T}_{each}"), container.function(each))
           for each in ("each", "each_backward", *(operation.name for operation in plan.operations))):
        return "function"
    if name in map(naming.plain, (*plan.constants, *(f"{plan.TT}_{status}" for status in STATUSES))):
        return "constant"
    return "macro" if name.startswith(str(plan.TT) + "_") and name.isupper() else "type"


# Where what is asked of a plan by one name is.
_ATTRIBUTES: Dict[str, str] = {
    "sought": "sought", "E": "E", "const_element": "const_element", "todo_stride": "passes.stride", "sweeps_back": "removal.policy.sweeps_back",
    "by_value": "element.by_value", "by_pointer": "element.by_pointer", "intrusive": "element.intrusive", "rows": "element.rows",
    "fields": "element.fields", "lanes": "element.lanes", "cold": "element.cold", "cold_members": "element.cold_members",
    "own_members": "element.own_members", "looked_at": "element.looked_at", "copies_inline": "element.copies_inline",
    "own_struct": "element.own_struct", "placed": "element.placed", "addressed": "element.addressed", "poisons": "element.poisons",
    "members": "element.members", "aligned": "element.aligned", "alignment": "element.alignment",
    "tells_new_address": "element.tells_new_address", "walk_holds": "element.held_in_place", "inline_storage": "storage.inline",
    "fixed_storage": "storage.fixed", "chunk": "storage.chunk", "granule": "storage.granule", "columns": "storage.columns",
    "element_columns": "storage.element_columns", "block_columns": "storage.block_columns", "clears_chunks": "storage.clears_chunks",
    "most_slots": "storage.most_slots", "grown": "storage.grown", "grows_slowly": "storage.grows_slowly", "initial": "storage.initial",
    "caps_growth": "storage.caps_growth", "wide_places": "storage.wide_places", "stores": "storage.stores", "shrink": "storage.shrink",
    "relocates": "storage.relocates", "slots_held": "storage.slots_held", "bitmap": "removal.bitmap", "dense": "removal.dense",
    "linked": "removal.linked", "dead_slots": "removal.leaves_dead", "tightens": "removal.tightens", "reorders": "removal.reorders",
    "holds": "removal.holds", "sweeps": "removal.sweeps", "trims": "removal.trims", "too_many_dead": "removal.too_many_dead",
    "moves_once": "removal.moves_once", "permutes": "removal.permutes", "chaos": "removal.chaos",
    "chaos_on_remove": "removal.chaos_on_remove", "hands_over": "removal.hands_over", "one_by_one": "removal.notifies_each",
    "spares": "removal.spares", "told_key": "removal.told_key", "take_name": "removal.take_name",
    "predicate_function": "removal.predicate_function", "predicate_in_loop": "removal.predicate_in_loop",
    "asks_before": "removal.asks_before", "asks_after": "removal.asks_after", "bounded": "passes.bounded", "tracked": "passes.tracked",
    "backs": "passes.backs", "ahead": "passes.ahead", "ends": "passes.ends", "both_ways": "passes.both_ways",
    "begins_back": "passes.begins_back", "begin_update": "passes.begin_update", "begins_back_inside": "passes.begins_back_inside",
    "hands_on": "passes.hands_on", "lates": "passes.lates", "passes_limit": "passes.limit", "todo_words": "passes.todo_words",
    "boundary_count": "passes.boundary_count", "boundaries": "passes.boundaries", "counted_passes": "passes.counted",
    "stand_names": "passes.stand_names", "leaves_cursor": "passes.leaves_cursor", "runs": "passes.runs",
    "walk_looks": "passes.walk_looks", "gapped_runs": "passes.gapped_runs", "points": "passes.points",
    "lane_moves": "passes.lane_moves", "looks": "passes.looks",
    "removes_current": "passes.removes_current", "step": "passes.step_function", "splice_keeps": "passes.splice_keeps",
    "spans": "passes.spans", "reads_apart": "passes.reads_apart",
    "passes_by": "passes.skips_expired", "inserts": "order.inserts", "explicit_order": "order.explicit", "tree": "order.tree",
    "sorts_at_begin": "order.sorts_at_begin", "place_type": "order.place_type", "before_expression": "order.before_expression",
    "doubly": "links.doubly", "link": "links.link", "fenced": "links.fenced", "indexed": "index.indexed", "index_field": "index.member",
    "has_index_table": "index.has_table", "index_keys": "index.keys", "table_grows": "index.table_grows",
    "table_mask": "index.table_mask", "narrow_key": "index.narrow_key", "keeps_multiplier": "index.keeps_multiplier",
    "table_shift": "index.table_shift", "told_apart": "index.told_apart", "keyed": "lookup.keyed",
    "sorted_number": "lookup.sorted_number", "sorted_down": "lookup.sorted_down", "key_expression": "lookup.key_expression",
    "key_to_check": "lookup.key_to_check",
    "slot_of_equal": "lookup.slot_of_equal", "searches_chunks": "lookup.searches_chunks", "has_handles": "handles.given",
    "generational": "handles.generational", "id_type": "handles.id_type", "handle_bits": "handles.bits",
    "generation_max": "handles.generation_max", "counts_held": "handles.counts_held", "deferred": "when.deferred",
    "journal_table": "when.has_table", "journal_hash": "when.journal_hash", "custom_allocator": "allocator.custom",
    "plain_allocator": "allocator.plain", "declares_allocator": "allocator.declared", "calls_malloc": "allocator.calls_malloc",
    "allocator": "allocator.functions", "assertion": "stop.assertion", "unique": "duplicates.unique", "replaces": "duplicates.replaces",
    "refuses": "duplicates.refuses", "refuses_moving": "duplicates.refuses_moving", "adds_at_once": "duplicates.adds_at_once",
    "opens": "duplicates.opens",
    "adds_itself": "duplicates.adds_itself", "uses_admit": "duplicates.uses_admit",
    "admission": "duplicates.admission", "admit_moving": "duplicates.admit_moving", "admit_back": "duplicates.admit_back",
    "room_for_one": "duplicates.room_for_one", "make_room": "duplicates.make_room", "absent": "duplicates.absent",
    "put": "duplicates.put", "announces": "duplicates.announces", "stops_bulk": "duplicates.stops_bulk",
    "one_slot": "duplicates.one_slot", "splices": "duplicates.splices", "splice_alike": "duplicates.splice_alike",
    "emplaces": "duplicates.emplaces", "E": "E", "item": "item", "ref": "ref", "nil": "nil", "slot_type": "slot_type",
    "no_slot": "no_slot", "limit": "limit", "hooks": "hooks", "others": "element.others",
}
