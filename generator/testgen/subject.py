"""What the test of one container needs to know of its plan. Test templates and the rest of this package read the records that
are made here and in `layers`."""

from functools import partial
from types import SimpleNamespace
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..containers.plan import Operation, Plan
from ..parts.callbacks import Callback
from ..types.declare import declare, pointer_to
from .elements import Elements
from .functions import HOOKS, scarce_functions, your_names
from .interface import ALL_RULES, Value, values
from .printed import Printed
from .provided import Provided
from .sizes import CHOSEN, chosen, grows, growth, heaviest, limits, rows_end

# Operations that templates have conditions for.
ASKED = ("part const_part data const_rows chunk capacity insert_before sort rekey heapify add_handle add_get add_child_get "
         "append_undefined resize at at_key bytes keys mark_element "
         "insert_before_get insert_after_get replace_at remove_range reserve shrink_to_fit will_contain find emplace add_from "
         "settle lower_bound upper_bound remove remove_at take take_at take_key take_current pop_if remove_if "
         "move_before move_after move_to_front move_to_back move_to_parent splice_before splice_after splice_to_back swap_places "
         "remove_key remove_from "
         "set_hash_key update lock occupied snapshot snapshot_delta worker_add worker_update inbox_add").split()


MOST_BESIDE = 4  # values beside an element that the driver has room for: BT_BESIDE


class Subject(NamedTuple):
    """One container under test. Templates read these attributes by their names."""

    # Names and types, and what the axes say of themselves.
    T: Any
    TT: Any
    E: str
    item: str
    item_pointer: str
    const_element: str
    const_item_pointer: str
    ref: str
    nil: str
    parts: Any
    # Operations, and the functions of the test that stand for them.
    has: SimpleNamespace
    provided: FrozenSet[str]  # the calls of the driver that are not NULL
    rules: Sequence[Value]
    has_remove: bool
    gets: str
    story_gets: str
    slot_item: str  # the element of `slot`, behind `list->`
    checks_added: bool  # are the handles that adds return those of their elements?
    asked: str  # an argument of T_contains
    asked_by: Callable[[str], str]  # the same for the label that this is in C
    rows_end: str
    limit: Optional[int]
    most: Any  # the same, as an expression of C
    chosen_keys: int
    chosen: str  # the last arguments of T_init: sizes
    chosen_behind: str  # those behind the first of them
    grows: bool
    settle_seconds: bool
    settle_fails: bool
    said: Callable[[str, str], str]
    updates_with_context: bool
    # Elements.
    arithmetic: bool
    apart: int
    minus_first: str
    plus_first: str
    opaque: bool
    labels: str
    maker: Optional[str]  # the user's function that makes elements, with what they point at
    maker_prototype: str
    unmarked: bool
    followed: Sequence[Tuple[str, str, str]]
    expires_outside: bool
    by_label: bool
    label_of: Callable[[str, str], str]
    twin: Callable[[str, str], str]
    mark: str
    mark_at: str
    mark_of: str
    mark_at_it: str
    mark_of_it: str
    mark_in: str
    mark_in_pool: str
    assigns_mark: bool
    assigns: bool
    stamped: List[str]
    stamp: Callable[[str, str], str]
    rank_member: str
    rank_order: str
    rank_sign: str
    ranked: Callable[[str, str, str, str], str]
    ranks: bool
    reranks: bool
    weight_member: str  # by which the test says what an element weighs
    weighed_as: Callable[..., str]
    # Functions of the user's: hooks, keys, orders, predicates, allocators.
    hooks_used: List[Tuple[str, str]]
    hooks_unused: List[str]
    hooks_of_copies: Set[Optional[str]]
    hooks_told: Set[Optional[str]]
    context: Optional[str]
    context_is_pointer: bool
    kept_context: Optional[str]
    keys: Any
    indexes: Any  # what the test knows of the named indexes
    uses_text: bool  # is a key spelled?
    plainly: Callable[[str], str]  # what is called as it is
    text: str  # the member that the label is spelled in, if the key is text
    sort_less_function: Optional[str]
    yours: List[str]  # all of them
    prototypes: List[str]
    own_arena: bool
    scarce_functions: Sequence[Tuple[Callback, Sequence[str]]]  # in a printed program
    has_predicate: bool
    predicate_function: Optional[str]
    keep_function: Optional[str]
    weight_function: Optional[str]
    predicate: str
    predicate_is_expression: bool
    expire: Any
    expire_by_bytes: bool
    expires_in_place: bool
    expires_by_label: bool
    alive: str
    # Layers: is the container one, and what is around it?
    outside: bool
    ticks: bool
    around: Any


def _asked(plan: Plan, label: str) -> str:
    """What T_contains and T_find take for the element with a label, in C."""
    return f"bc_{plan.T}_{'equal' if plan.parts.lookup.keyed else 'item'}({label})"


def subject_of(plan: Plan, printed: Printed) -> Subject:
    return _Builder(plan).subject(printed)


def _ordered(parts: Any, skips: bool) -> Dict[str, Any]:
    """Is the order known, and what it follows where one is promised of unordered elements, as the driver models it: not where
    slots retire with their generations. `skips`: passes skip expired elements."""
    retires = parts.handles.generational and parts.container["handles.generation_bits"] < 32
    follows = parts.removal.follows if parts.order.promised else ""
    return {"ordered": not parts.order.free or (skips and not parts.removal.reorders) or follows == "adds",
            "follows": {"fills": "BT_LAST_FILLS", "slots": "BT_LOWEST_SLOT"}.get(follows * (not retires), "0")}


def _named(plan: Plan, elements: Elements) -> Dict[str, Any]:
    """The records of named indexes."""
    return {"indexes": len(elements.indexes), "index": f"bc_{plan.T}_indexes" if elements.indexes else "0"}


def _twin(plan: Plan, name: str, arguments: str) -> str:
    """Compares a getter with its form for const containers, if it has one."""
    T, const = plan.T, f"{name}_const"
    there = any(operation.name == const for operation in plan.operations)
    return f'bt_agrees({T[const]}({arguments}) == {T[name]}({arguments}), "{T[const]}");' if there else ""


def _said(operations: Dict[str, Operation], name: str, call: str) -> str:
    """The status of a call, as an expression of C: OK where it returns nothing."""
    return f"({call}, (unsigned)BT_OK)" if operations[name].result == "void" else f"(unsigned){call}"


def _silent(plan: Plan) -> str:
    """The calls that return nothing, and of another allocator a status, in a text of C."""
    names = [each.name for each in plan.operations if each.result == "void"] if plan.parts.allocator.never_fails else []
    return f'"{" ".join(["", *names, ""]) if names else ""}"'


class _Builder:
    """Makes the record of one container."""

    def __init__(self, plan: Plan):
        self.plan, self.p, self.c = plan, plan.parts, plan.container
        c = self.c
        self.elements = Elements(plan)
        # The functions of single members have names of their own.
        self.operations: Dict[str, Operation] = {operation.name: operation
                                                 for operation in plan.operations if not operation.column}
        self.predicate = c["removal.expired"]
        self.predicate_is_expression = self.predicate is not None and not self.predicate.is_function
        functions = [c[f"hooks.{event}"] for event in HOOKS]
        self.hooks_used = [(event, function) for event, function in zip(HOOKS, functions)
                           if function is not None and functions.count(function) == 1]
        self.hooks_unused = [function for function in dict.fromkeys(functions)
                             if function is not None and functions.count(function) > 1]
        self.context = c["hooks.context"]
        # An element held by value, at an address that no function returns, cannot be removed by its label.
        self.has_remove = not self.p.handles.given \
            and (self.p.removal.dense or self.p.element.rows or not self.p.element.addressed)
        self.by_label = self.p.element.by_pointer or self.p.lookup.keyed or not self.p.element.stored
        self.unique = self.p.adding.unique or self.p.indexes.refuses  # each element has the keys of its label
        # What a story calls for the element at an index; where T_get takes a handle, a function of its own.
        self.placed = "placed" if self.p.handles.given else plan.T.get

    def subject(self, printed: Printed) -> Subject:
        known = self.plan.context()
        provided = Provided(self.plan, self.operations, self.elements, self.has_remove, bool(self.hooks_used)).calls()
        facts = {name: known[name]
                 for name in ("T", "TT", "E", "item", "item_pointer", "const_element", "const_item_pointer", "ref", "nil",
                              "kept_context", "parts")}
        return Subject(rules=values(ALL_RULES, {**self._numbers(printed), **self._promises(), **self._events()}),
                       provided=provided,
                       **facts, **self._calls(), **self._elements(), **self._functions(provided))

    def _calls(self) -> Dict[str, Any]:
        c, T = self.c, self.plan.T
        return {
            "has": SimpleNamespace(**{operation: operation in self.operations for operation in ASKED}),
            "has_remove": self.has_remove,
            "gets": f"bc_{T}_placed" if self.p.handles.given else T.get, "story_gets": self.placed,
            "slot_item": f"chunks[slot / {self.p.TT.CHUNK}]->items[slot % {self.p.TT.CHUNK}]" if self.p.storage.chunk
            else "items[slot]",
            # With hooks, a handle without a generation may name what one of them has added.
            "checks_added": "add_handle" in self.operations
            and (self.p.handles.generational or not (self.hooks_used or self.hooks_unused)),
            "asked": _asked(self.plan, "label"), "asked_by": partial(_asked, self.plan),
            "rows_end": rows_end(self.plan),
            **chosen(self.plan), "grows": grows(self.p), "said": partial(_said, self.operations),
            "settle_seconds": self._has_parameters("settle"), "settle_fails": self._may_fail("settle"),
            "updates_with_context": self._has_parameters("update"),
            "outside": c.is_layer, "ticks": c.is_layer and c["hooks.update"] is not None, "around": c.around,
        }

    def _may_fail(self, operation: str) -> bool:
        """Does it return a status?"""
        return operation in self.operations and bool(self.operations[operation].statuses)

    def _has_parameters(self, operation: str) -> bool:
        """Does it take anything beside the container?"""
        return operation in self.operations and len(self.operations[operation].params) == 2

    def _elements(self) -> Dict[str, Any]:
        elements, T = self.elements, self.plan.T
        member = f"->{elements.mark}" if elements.mark else ""

        def label_of(list_: str, element: str) -> str:
            """The label of what the container calls an element."""
            return f"bc_{T}_at({list_}, {element})" if self.p.element.rows else f"bc_{T}_label({element})"

        copied = ("arithmetic", "apart", "minus_first", "plus_first", "opaque", "labels", "maker", "unmarked", "followed",
                  "expires_outside", "keys", "indexes", "text", "mark", "assigns_mark", "stamped", "stamp", "rank_member",
                  "rank_order", "rank_sign", "ranked", "ranks", "reranks", "assigns", "weight_member", "weighed_as")
        return {
            **{name: getattr(elements, name) for name in copied},
            "maker_prototype": f"void {elements.maker}({declare(pointer_to(self.p.E), 'element')}, uint32_t number)"
            if elements.maker else "",
            "by_label": self.by_label, "label_of": label_of, "twin": partial(_twin, self.plan), "plainly": str,
            "uses_text": any(keys.uses_text for keys in (elements.keys, *(index.keys for index in elements.indexes))),
            "mark_at": f"&element{member}" if member else "element", "mark_of": f"element{member}" if member else "*element",
            "mark_at_it": f"&it{member}" if member else "it", "mark_of_it": f"it{member}" if member else "*it",
            "mark_in": f"element.{elements.mark}" if member else "element",
            "mark_in_pool": f"pool[n].{elements.mark}" if member else "pool[n]",
        }

    def _functions(self, provided: FrozenSet[str]) -> Dict[str, Any]:
        c, plan = self.c, self.plan
        keyed = any(index.is_in(str(c["test.expire"])) for index in self.elements.indexes)
        expire = None if keyed else c["test.expire"]  # keys stay

        def function(path: str) -> Optional[str]:
            return str(c[path]) if c[path] is not None and c[path].is_function else None

        return {
            "hooks_used": self.hooks_used, "hooks_unused": self.hooks_unused,
            "hooks_of_copies": {c["hooks.remove"], c["hooks.destroy"]},  # a removed element is passed as a copy
            "hooks_told": {c[f"hooks.{event}"] for event in HOOKS if self.p.reason_given_to(event)},
            "context": self.context, "context_is_pointer": self.context is not None and self.context.rstrip().endswith("*"),
            "sort_less_function": function("sort.less"),
            "yours": your_names(plan), "prototypes": [each.prototype(each.name) for each in plan.callbacks],
            "own_arena": self.p.allocator.custom, "scarce_functions": list(scarce_functions(self.p.allocator)),
            "has_predicate": self.predicate is not None, "predicate_function": function("removal.expired"),
            "keep_function": function("capacity.keep"), "weight_function": function("capacity.weight"),
            "predicate": str(self.predicate), "predicate_is_expression": self.predicate_is_expression,
            "expire": expire, "expire_by_bytes": self.predicate_is_expression and expire is None,
            "expires_in_place": self.predicate_is_expression, "expires_by_label": "expire" in provided,
            "alive": f"bc_{plan.T}_alive" if self.predicate_is_expression else "0",
        }

    # -- the rules of the driver ---------------------------------------------------------------------------------------

    def _numbers(self, printed: Printed) -> Dict[str, Any]:
        """Names, arguments and limits."""
        c, plan = self.c, self.plan
        return {
            "name": f'"{plan.T}"', "shouted": f'"{plan.TT}"', "type": f'"{printed.own(plan.T)}"',
            "item": f'"{printed.own(self.p.item)}"',
            "init_with": f'"{", NULL" * (self.p.allocator.custom + (self.p.kept_context is not None))}'
                         f'{f", {CHOSEN}" * len(self.p.chosen)}"',
            "update_with": f'"{self._update_argument()}"',
            "placed": f'"{self.placed}"', "nil": f'"{self.p.nil}"',
            "workers": self.p.workers.limit or 0, "inbox": self.p.inbox.limit or 0,
            **limits(self.p), **growth(self.p),
            "passes": 1 if c["iteration.cursors"] == "one" else self.p.passes.limit or 0,
            "one_pass": self.p.passes.one and not self.p.passes.alone,
            "records": self.p.passes.few if self.p.passes.grows else 0,
            "narrow": self.p.size != "size_t" and f"sizeof({self.p.size}) < sizeof(size_t)",
            "generations": f"{2 ** c['handles.generation_bits'] - 2}ul" if self.p.handles.generational else "0",
            "slots": plan.TT.MOST_SLOTS_ if self.p.handles.given else "0", "besides": len(self.p.side.all[:MOST_BESIDE]),
        }

    def _update_argument(self) -> str:
        """What a story passes to T_update beside the container."""
        if not self._has_parameters("update"):
            return ""
        return ", NULL" if self.context.rstrip().endswith("*") else f", ({self.context}){{0}}"

    def _promises(self) -> Dict[str, Any]:
        """What the container promises, by the plan."""
        c, elements = self.c, self.elements
        sorted_, skips, updates = c["ordering"] == "sorted", self.predicate is not None, "update" in self.operations
        narrow = self.p.element.by_value and "BT_LABELS" not in elements.labels or (
            ("sizeof" in elements.labels or elements.assigns_mark) and not self.by_label)
        return {
            "unique": self.unique, **_named(self.plan, elements), "replaces": self.p.adding.replaces,
            "by_pointer": self.p.element.by_pointer, "unowned": self.p.element.unowned, "reports": self.p.stop.shared,
            "deferred": self.p.when.deferred, "passes_lock": self.p.when.by_passes, "linked": self.p.removal.linked,
            "merges_by_key": self.p.workers.journals and self.p.workers.keyed, "inserts": self.p.order.inserts,
            "tree": self.p.order.tree, "begins_back": self.p.passes.begins_back, "both_ways": self.p.passes.both_ways,
            "removes_current": self.p.passes.removes_current, "sweeps": self.p.removal.sweeps,
            "never_fails": self.p.allocator.never_fails, "silent": _silent(self.plan),
            "in_seconds": self._has_parameters("settle"), "settle_fails": self._may_fail("settle"),
            "counted": self.p.passes.limit is not None, **_ordered(self.p, skips),
            "expires_by_function": skips and not self.predicate_is_expression,
            "sorts": sorted_ and self.p.order.in_order, "resorts": sorted_ and not self.p.order.in_order,
            "by_number": self.p.order.by_number, "in_chunks": self.p.removal.spread, "next_slot": self.p.removal.refilled,
            "ranks": elements.ranks, "reranks": elements.reranks,
            "relinks": self.p.adding.takes_links_in_passes, "splice_ways": self.p.adding.splice_ways,
            "reaches": self.p.index.table_grows, "splices": self.p.adding.splices and not self.p.adding.splice_alike,
            "by_label": self.by_label, "by_row": self.p.element.rows,
            "twice": not self.unique and not self.p.handles.given and (self.by_label or narrow),
            "intrusive": c["index.kind"] == "intrusive" or self.p.element.intrusive, "owned": self.p.index.knows_foreign,
            "bounded": c["iteration.adds"] == "next", "moves_stay": self.p.passes.marks,
            "updates_back": self.p.passes.begins_back or self.p.removal.policy.sweeps_back,
            "skips": skips, "asks_before": updates and self.p.removal.asks_before,
            "asks_after": updates and self.p.removal.asks_after,
            "both_ends": self.p.order.pops_back, "heap": self.p.order.rekeys, "stable": self.p.order.stable,
            "overwrites": self.p.adding.overwrites, "heaviest": heaviest(self.p), "takes": self._taken_by(),
            "branch_moves": sum(1 << bit for bit, name in enumerate(self.p.order.subtree_moves) if name in self.operations)
            if self.p.order.reparents else 0,
            "ways_in": 1 | 2 * ("begin_at_index" in self.operations) | 4 * ("begin_at_key" in self.operations),
            "scan_ways": f"{self.p.scans.ways}u",
            "reads": not self.p.passes.offered,
            "fails_fast": not self.p.passes.removes, "files": self.p.index.files or self.p.order.refuses_equal,
            **(self._saving() if self.p.persist.saves else dict.fromkeys(("members", "whole", "exact"), 0)),
            "shares_expiry": self.p.element.by_pointer or not self.predicate_is_expression,
        }

    def _taken_by(self) -> int:
        """The ways in which the driver takes elements: by what T_remove takes, at an index, by key, where a pass stands, and
        what a loop visits by what T_remove takes."""
        ways = ("take" if self.has_remove or self.p.handles.given else "", "take_at", "take_key", "take_current", "take")
        return sum(1 << bit for bit, name in enumerate(ways) if name in self.operations)

    def _saving(self) -> Dict[str, Any]:
        persist = self.p.persist
        return {"members": len(persist.members), "whole": not persist.function("upgrade"),
                "exact": not persist.functions and self.c["ordering"] != "sorted" and not self.p.indexes.with_ties}

    def _events(self) -> Dict[str, Any]:
        """The hooks that the driver counts."""
        return dict(has_hooks=bool(self.hooks_used or self.hooks_unused), reasons=self.p.reasons, add_reasons=self.p.add_reasons,
                    **{f"on_{event}": event in dict(self.hooks_used) for event in ("add", "remove", "destroy", "update")})
