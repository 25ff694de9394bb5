"""Which calls of the driver a container has operations for."""

from typing import Any, Dict, FrozenSet, Iterator, List

from ..containers.plan import Operation, Plan
from ..text.expressions import plain_member
from .elements import Elements
from .interface import ALL_CALLS

ALWAYS = frozenset("ready preface label init deinit check intact check_damaged damage count is_empty contains add add_all clear "
                   "begin next remove_current end loop read reader".split())
OPERATIONS = {"found_or_new": "find_or_add", "holds": "bytes", "begin_with": "max", "most": "max",
              "snapshot_size": "snapshot_bytes", "move": "move_to_back", "records_in_use": "move_to_back",
              "shrink": "shrink_to_fit", "insert": "insert_before", "label_at": "remove_at",
              "end_at": "pop", "refile": "rekey", "rekey_index": "rekey", "count_predicted": "predicted_count",
              "add_by_worker": "worker_add", "remove_by_worker": "worker_remove", "update_by_worker": "worker_update",
              "add_by_inbox": "inbox_add", "visited": "begin_at", "pairs": "next_pair", "scan": "scan_next",
              "bounds": "lower_bound", "scan_misused": "scan_next", "combine": "unite",
              "nearest": "next_after", "changed": "changes_since", "mark_handle": "mark",
              **dict.fromkeys("stale_handle forged_handles by_handle remove_handle bury_handle".split(),
                              "handle_of"), **dict.fromkeys(("make", "load", "adopt"), "save")}


class Provided:
    """The calls of one container."""

    def __init__(self, plan: Plan, operations: Dict[str, Operation], elements: Elements, has_remove: bool, hooked: bool):
        self.p, self.c = plan.parts, plan.container
        self.operations, self.elements, self.has_remove, self.hooked = operations, elements, has_remove, hooked
        self.predicate = self.c["removal.expired"]
        self.predicate_is_expression = self.predicate is not None and not self.predicate.is_function

    def calls(self) -> FrozenSet[str]:
        found = set(ALWAYS).union((call.name for call in ALL_CALLS if OPERATIONS.get(call.name, call.name) in self.operations),
                                  self.p.adding.ways_to_splice, self.p.adding.asked, self.p.removal.shows)
        found.difference_update(self._in_other_ways())
        found.update(self._in_bulk(), self._of_order(), self._of_elements(), self._of_slots(), self._of_handles(),
                     self._at_addresses(), self._of_keys(), self._of_workers(), self._of_old_handles())
        if "refile" in found and self.elements.rank_member and self.p.element.by_value and not self.p.element.rows:
            found.add("rank_at")
        return frozenset(found)

    def _in_other_ways(self) -> Iterator[str]:
        """Those that the test does not call so, though there is an operation of that name."""
        yield from ["will_contain"] * self.p.element.placed + ["move"] * self.p.order.reparents
        yield from ["remove"] * (not self.has_remove) + ["remove_current"] * (not self.p.passes.removes)
        yield from {"rekey", "refile", "rekey_index", "reweigh"} - {
            "refile" if self.p.order.refiles else "rekey" if self.p.order.rekeys else "", self.elements.reweighs}

    def _in_bulk(self) -> Iterator[str]:
        """Those that look at all elements."""
        has = self.operations
        if "data" in has or self.p.storage.chunk or self.p.element.rows and self.p.removal.dense:
            yield from ("data", "contents")
        if "part" in has:
            yield "data"
        if self.p.order.has_neighbours:
            yield from ["contents"] + ["family"] * self.p.order.tree
        if not self.p.passes.removes:
            yield from ("changes", "was_changed")

    def _of_order(self) -> Iterator[str]:
        """Those that look at the order of elements, and change it."""
        has, order = self.operations, self.p.order
        if order.reparents:
            yield "move_branch"
        if order.compares:
            yield "before"
        if "sort" in has and "data" in has and order.sorts_on_add and self.p.index.kind == "none" and not self.p.handles.given:
            yield "reverse"
        if self.elements.rank_member and self.p.element.by_pointer:
            yield "rank"

    def _of_elements(self) -> Iterator[str]:
        """Those that make an element, or change it."""
        has, element = self.operations, self.p.element
        yield from ["write_label"] * (not self.elements.opaque)
        if element.by_value and not element.rows or element.by_pointer and self.p.storage.stores \
            and not self.p.storage.chunk and "capacity" in has:
            yield "add_own"
        if element.by_pointer and not self.elements.opaque:
            yield "fresh"
        if not self.has_remove and "remove" in has and not self.p.handles.given:
            yield "remove_absent"
        if self.predicate is not None and (element.by_pointer or not self.predicate_is_expression):
            yield "expire"

    def _of_slots(self) -> Iterator[str]:
        """Those that look at slots."""
        if self.p.removal.kept.wraps:
            yield "slot_at"
        if self.p.removal.too_many_dead:
            yield "tombstones"
        if "capacity" in self.operations and self.p.storage.stores and self.p.element.addressed and not self.p.element.rows:
            yield "known_slots"

    def _of_old_handles(self) -> Iterator[str]:
        """Those that there are where an old handle names nothing."""
        yield from ["age"] * self.p.handles.generational
        yield from ["keep_handles", "handle_back"] * (self.p.handles.given and "snapshot" in self.operations)
        yield from [f"{what}_beside" for what in ("set", "remove", "reserve", "known", "sweep", "late")] * self.p.side.any

    def _of_handles(self) -> Iterator[str]:
        """Those that remember handles."""
        if self.p.handles.given and (self.p.element.by_pointer and not self.p.adding.replaces or "find" in self.operations):
            yield "note_handle"
        if "add_handle" in self.operations:
            yield from ["add_known"] + ["stray"] * (self.p.handles.turned_back and self.p.persist.saves)

    def _rekeys_index(self) -> bool:
        """May the test give an element another key in the index?"""
        if self.elements.weight_is_marked or not (self.p.index.rekeys or self.p.order.refuses_equal):
            return False
        # A function of the key knows the elements of the test by their addresses, whose labels stay.
        named = self.p.element.by_pointer \
            and any(self.c[path] is not None and self.c[path].is_function for path in ("identity.key", "identity.length"))
        # So does the move hook of the test, by the keys of their labels.
        return not named and not (self.p.order.refiles_identity and self.p.hooks["move"] is not None)

    def _of_keys(self) -> Iterator[str]:
        """Those that look at keys, and at the number in their hashes, and give an element another key."""
        if "find" in self.operations and not self.elements.opaque and self._rekeys_index():
            yield "rekey_index"
        if self.p.indexes.named:
            yield from self._of_named([each.index for each in self.p.indexes.named])
        if self.p.order.by_number:
            yield from ("key", "before")
        if self.p.index.keys is not None or self.p.index.table_grows:
            yield "key"
        if self.c["index.seed"] is not None:
            yield "hash_key"
        if self.p.adding.replaces and self.p.element.by_value and "find" in self.operations and self._reads_members():
            yield "replaced"

    def _of_named(self, indexes: List[Any]) -> Iterator[str]:
        changing = any(each.changes for each in self.elements.indexes)
        yield from ("label_of", "look_up", "compare", "remove_named")
        yield from ["give_key", "rekey_by"] * changing
        yield from ["add_with_key"] * (changing and any(each.unique for each in indexes))
        yield from ["begin_range", "next_in_range", "range_is_over"] * any(each.ranges for each in indexes)
        yield from ["loop_by_index"] * any(each.ordered for each in indexes)

    def _reads_members(self) -> bool:
        """May any bit of an element be another one, since no more than its members are read? Hooks look at all columns."""
        c, named = self.c, [each.container for each in self.p.indexes.named]
        read = [c["removal.expired"], c["sort.less"], c["sort.key"], c["identity.key"], *(each["identity.key"] for each in named)]
        kinds = {c["identity.kind"], *(each["identity.kind"] for each in named)}
        return kinds <= {"integer", "number"} and c["sort.kind"] != "string" and not (self.p.element.rows and self.hooked) \
            and all(each is None or each.is_function or plain_member(each) for each in read)

    def _of_workers(self) -> Iterator[str]:
        """What gives an element another content, where nothing depends on that."""
        if "worker_update" in self.operations and self.p.workers.update_names and self.c["ordering"] != "sorted" \
            and not self.p.indexes.any:
            yield "worker_change"

    def _at_addresses(self) -> Iterator[str]:
        """Those that look at addresses: of elements, at which no element lies, and one at which one does."""
        has, element = self.operations, self.p.element
        yield from ["addresses"] * self.p.storage.keeps_addresses
        if element.by_value and not element.rows and self.p.storage.stores and ("capacity" in has or self.p.limit is not None):
            if element.addressed or "move_to_back" in has and self.p.order.moves \
                and (self.p.removal.bitmap or self.p.removal.linked):
                yield "false_addresses"
            if element.addressed and "remove" in has and not self.p.handles.given:
                yield "remove_placed"
