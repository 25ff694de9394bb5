"""What the driver of a generated test reads and calls of a container: the members of its records in C."""

from typing import Any, Callable, Iterable, List, Mapping, NamedTuple, Sequence, Tuple, Union

from ..parts.container_parts import Parts
from ..types.declare import declare


class Rule(NamedTuple):
    """What the driver must know of a container."""

    name: str
    type: str
    doc: str


class Value(NamedTuple):
    """A rule of one container, as C."""

    name: str
    value: str

    @property
    def is_zero(self) -> bool:
        return self.value in ("false", "0")


def values(rules: Sequence[Rule], known: Mapping[str, Any]) -> List[Value]:
    """The rules of one container, in the order of the record."""
    return ([Value(rule.name, str(known[rule.name]).lower() if isinstance(known[rule.name], bool) else str(known[rule.name]))
             for rule in rules])


class Call(NamedTuple):
    """What the driver calls; NULL where a container has no such operation."""

    name: str
    result: str
    params: str

    def declare(self, name: str) -> str:
        return f"{declare(self.result, name)}({self.params})"


RULES = (
    Rule("name", "const char *", "the prefix of its functions"),
    Rule("shouted", "const char *", "the prefix in capitals"),
    Rule("type", "const char *", "its type in a printed program"),
    Rule("item", "const char *", "the type of the argument of T_add"),
    Rule("init_with", "const char *", "further arguments of T_init"),
    Rule("update_with", "const char *", "further arguments of T_update"),
    Rule("in_seconds", "bool", "T_settle takes the elapsed seconds"),
    Rule("settle_fails", "bool", "T_settle returns a status"),
    Rule("never_fails", "bool", "its allocator never returns NULL"),
    Rule("silent", "const char *", "calls that return nothing, where those of other containers return a status"),
    Rule("expires_by_function", "bool", "the expiry predicate is a function of the user"),
    Rule("has_hooks", "bool", "it has a hook"),
    Rule("limit", "size_t", "the maximum count; 0: none"),
    Rule("passes", "unsigned", "the maximum of live passes; 0: none"),
    Rule("counted", "bool", "a pass beyond the maximum is refused"),
    Rule("one_pass", "bool", "a call that goes through it returns BUSY where a pass is live, and nothing else is known of that"),
    Rule("records", "unsigned", "passes whose records are in the container, where more are allocated; 0: they are not"),
    Rule("reports", "bool", "misuse is reported by BESPOKE_MISUSE"),
    Rule("growth", "size_t", "per cent that a full container grows by; 0: unknown"),
    Rule("granule", "size_t", "slots that capacity is rounded up to a multiple of"),
    Rule("capped", "bool", "it grows no further than to the maximum count, rounded up"),
    Rule("first", "size_t", "the initial capacity; 0: no more than that"),
    Rule("bytes", "size_t", "of an element in its slot, and of pending changes beside it, at most"),
    Rule("narrow", "bool", "its functions count in a type that is narrower than size_t"),
    Rule("generations", "unsigned long", "generations per handle index; 0: unknown"),
    Rule("slots", "size_t", "slots that handles can address; 0: no handles"),
    Rule("placed", "const char *", "the function that returns the element at an index"),
    Rule("ordered", "bool", "the order of elements is specified"),
    Rule("sorts", "bool", "elements are sorted on insertion"),
    Rule("resorts", "bool", "elements are sorted when a pass begins"),
    Rule("ranks", "bool", "the test sets the sort key"),
    Rule("reranks", "bool", "the test changes the sort key of contained elements"),
    Rule("linked", "bool", "storage is linked"),
    Rule("tree", "bool", "elements have parents and are removed with them"),
    Rule("inserts", "bool", "elements can be inserted at any index"),
    Rule("unique", "bool", "elements are unique"),
    Rule("replaces", "bool", "an element replaces an equal one"),
    Rule("keys", "uint64_t", "the limit of keys; 0: none"),
    Rule("reaches", "bool", "a large key may allocate"),
    Rule("relinks", "bool", "T_add_from needs no pass of its own, whatever passes are live"),
    Rule("splices", "bool", "T_add_from into an empty container takes over the memory of the other one"),
    Rule("by_pointer", "bool", "elements are held by pointer"),
    Rule("by_label", "bool", "elements are identified by address or key"),
    Rule("by_row", "bool", "elements are identified by row; a pending add has none"),
    Rule("nil", "const char *", "the result for no element"),
    Rule("twice", "bool", "two rows of the model may have the same label"),
    Rule("intrusive", "bool", "an element is in at most one container"),
    Rule("unowned", "bool", "an element does not know which container it is in"),
    Rule("owned", "bool", "removing an element of another container returns FOREIGN"),
    Rule("bounded", "bool", "a pass does not visit elements added during it"),
    Rule("moves_stay", "bool", "a pass that has visited an element, or stands on it, goes on to have done so when it is moved"),
    Rule("deferred", "bool", "changes are pending while it is locked"),
    Rule("passes_lock", "bool", "and while a pass is live"),
    Rule("begins_back", "bool", "passes go backward"),
    Rule("updates_back", "bool", "updates go backward"),
    Rule("both_ways", "bool", "passes go in either direction"),
    Rule("removes_current", "bool", "during a pass, only the current element may be removed"),
    Rule("skips", "bool", "passes skip expired elements"),
    Rule("sweeps", "bool", "passes remove expired elements"),
    Rule("asks_before", "bool", "T_update evaluates the expiry predicate before the hook"),
    Rule("asks_after", "bool", "T_update evaluates it after the hook"),
    Rule("shares_expiry", "bool", "both containers of a pair see the same expiry"),
    Rule("on_add", "bool", "it has the hook `add`"),
    Rule("on_remove", "bool", "it has the hook `remove`"),
    Rule("on_destroy", "bool", "it has the hook `destroy`"),
    Rule("reasons", "bool", "its remove and destroy hooks are given the reason"),
    Rule("add_reasons", "bool", "its add hook is"),
    Rule("on_update", "bool", "it has the hook `update`"),
)

SIDE, LABEL = "unsigned side", "unsigned label"
CALLS = (
    Call("ready", "const char *", "void"),
    Call("preface", "void", "void"),
    Call("label", "unsigned", "const void *element"),
    Call("write_label", "void", "void *element, unsigned label"),
    Call("fresh", "void", LABEL),
    Call("key", "uint64_t", LABEL),
    Call("init", "void", f"{SIDE}, bool zeroed"),
    Call("deinit", "void", SIDE),
    Call("reserve", "unsigned", f"{SIDE}, size_t count"),
    Call("shrink", "unsigned", SIDE),
    Call("settle", "unsigned", f"{SIDE}, double seconds"),
    Call("check", "const char *", SIDE),
    Call("intact", "const char *", SIDE),
    Call("check_damaged", "const char *", SIDE),
    Call("damage", "void", "void"),
    Call("count", "size_t", SIDE),
    Call("is_empty", "bool", SIDE),
    Call("capacity", "size_t", SIDE),
    Call("contains", "bool", f"{SIDE}, {LABEL}"),
    Call("known_slots", "size_t", SIDE),
    Call("false_addresses", "void", f"{SIDE}, bool still"),
    Call("remove_placed", "unsigned", f"{SIDE}, size_t slot"),
    Call("will_contain", "bool", f"{SIDE}, {LABEL}"),
    Call("count_predicted", "size_t", SIDE),
    Call("is_locked", "bool", SIDE),
    Call("find", "unsigned", f"{SIDE}, {LABEL}"),
    Call("label_at", "unsigned", f"{SIDE}, size_t index"),
    Call("contents", "size_t", f"{SIDE}, unsigned *labels"),
    Call("data", "void", SIDE),
    Call("add", "unsigned", f"{SIDE}, {LABEL}"),
    Call("emplace", "unsigned", f"{SIDE}, {LABEL}"),
    Call("add_known", "unsigned", f"{SIDE}, {LABEL}"),
    Call("insert", "unsigned", f"{SIDE}, {LABEL}, size_t place, unsigned at, unsigned how"),
    Call("family", "void", f"{SIDE}, size_t place, unsigned *labels"),
    Call("sort", "unsigned", SIDE),
    Call("reverse", "void", f"{SIDE}, size_t from"),
    Call("before", "bool", "unsigned a, unsigned b"),
    Call("rank", "void", LABEL),
    Call("add_all", "unsigned", f"{SIDE}, const unsigned *labels, size_t count, size_t *taken"),
    Call("add_own", "void", f"{SIDE}, bool behind"),
    Call("add_from", "unsigned", f"{SIDE}, size_t *taken"),
    Call("remove", "unsigned", f"{SIDE}, {LABEL}"),
    Call("remove_absent", "bool", SIDE),
    Call("remove_at", "unsigned", f"{SIDE}, size_t index"),
    Call("remove_key", "unsigned", f"{SIDE}, {LABEL}"),
    Call("remove_from", "unsigned", f"{SIDE}, unsigned other, size_t *removed"),
    Call("clear", "unsigned", SIDE),
    Call("set_hash_key", "void", f"{SIDE}, uint64_t key"),
    Call("begin", "void", f"{SIDE}, unsigned cursor, bool back"),
    Call("next", "unsigned", f"{SIDE}, unsigned cursor"),
    Call("remove_current", "unsigned", f"{SIDE}, unsigned cursor"),
    Call("end", "void", f"{SIDE}, unsigned cursor"),
    Call("loop", "bool", f"{SIDE}, bool back"),
    Call("read", "size_t", f"{SIDE}, bool back, unsigned *labels"),
    Call("reader", "bool", f"{SIDE}, bool begin"),
    Call("update", "void", SIDE),
    Call("lock", "void", SIDE),
    Call("unlock", "unsigned", SIDE),
    Call("expire", "void", LABEL),
    Call("note_handle", "void", f"{SIDE}, {LABEL}"),
    Call("by_handle", "unsigned", f"{SIDE}, {LABEL}"),
    Call("remove_handle", "unsigned", f"{SIDE}, {LABEL}"),
    Call("age", "void", f"{SIDE}, {LABEL}"),
    Call("bury_handle", "void", f"{SIDE}, {LABEL}, unsigned at"),
    Call("stale_handle", "const char *", f"{SIDE}, unsigned at, bool removes"),
    Call("forged_handles", "void", f"{SIDE}, bool removes"),
)


INDEX = "unsigned index"
CHANGE = "unsigned worker, unsigned key, unsigned label"


class Group(NamedTuple):
    """What the tests of those files alone compile that have a container of a kind; its C is between `#ifdef`s of its macro."""

    name: str
    wanted: Callable[[Parts], bool]
    members: Tuple[Union[Rule, Call], ...]

    @property
    def macro(self) -> str:
        return f"BT_WITH_{self.name.upper()}"


GROUPS = (
    Group("queues", lambda parts: parts.order.pops or parts.adding.overwrites, (
        Rule("both_ends", "bool", "elements are removed at either end"),
        Rule("overwrites", "bool", "an add to a full container removes the element at the other end"),
        Rule("heap", "bool", "the first element is the first by the sort key"),
        Rule("stable", "bool", "of equal ones, the one that was added first"),
        Call("add_front", "unsigned", f"{SIDE}, {LABEL}"),
        Call("pop", "unsigned", f"{SIDE}, bool back, unsigned *label"),
        Call("pop_if", "unsigned", f"{SIDE}, unsigned first, bool due, unsigned *label"),
        Call("end_at", "unsigned", f"{SIDE}, bool back"),
        Call("get_back", "unsigned", f"{SIDE}, size_t index"),
        Call("stays", "bool", LABEL),
        Call("slot_at", "size_t", f"{SIDE}, size_t place"),
        Call("rekey", "unsigned", f"{SIDE}, {LABEL}"),
        Call("heapify", "void", SIDE),
    )),
    Group("fail_fast", lambda parts: not parts.passes.removes, (
        Rule("fails_fast", "bool", "a change ends the passes that are live"),
        Rule("reads", "bool", "all passes are readers"),
        Call("changes", "uint32_t", SIDE),
        Call("was_changed", "bool", f"{SIDE}, unsigned cursor"),
    )),
    Group("indices", lambda parts: parts.order.replaces_places or parts.removal.removes_ranges, (
        Call("replace_at", "unsigned", f"{SIDE}, size_t index, {LABEL}"),
        Call("remove_range", "unsigned", f"{SIDE}, size_t index, size_t count"),
    )),
    Group("keyed", lambda parts: parts.index.rekeys or parts.order.refuses_equal, (
        Rule("files", "bool", "an element with another key is moved to its place"),
        Call("rekey_index", "unsigned", f"{SIDE}, {LABEL}, unsigned other"),
    )),
    Group("hashed", lambda parts: parts.container["index.seed"] is not None, (
        Call("hash_key", "uint64_t", SIDE),
    )),
    Group("replacing", lambda parts: parts.adding.replaces, (
        Call("replaced", "unsigned", f"{SIDE}, bool alone, bool moved"),
    )),
    Group("named", lambda parts: bool(parts.indexes.named), (
        Rule("indexes", "unsigned", "the number of named indexes"),
        Rule("index", "const bt_index *", "what they are"),
        Call("label_of", "unsigned", f"{SIDE}, uintptr_t place"),
        Call("compare", "int", f"{INDEX}, unsigned a, unsigned b"),
        Call("look_up", "uintptr_t", f"{SIDE}, {INDEX}, unsigned how, {LABEL}"),
        Call("begin_range", "void", f"{SIDE}, {INDEX}, unsigned range, {LABEL}"),
        Call("next_in_range", "uintptr_t", f"{SIDE}, {INDEX}, unsigned range, bool back"),
        Call("range_is_over", "bool", f"{SIDE}, {INDEX}, unsigned range"),
        Call("loop_by_index", "void", f"{SIDE}, {INDEX}"),
        Call("give_key", "void", f"{SIDE}, {INDEX}, uintptr_t place, {LABEL}"),
        Call("rekey_by", "unsigned", f"{SIDE}, {INDEX}, uintptr_t place, unsigned had, {LABEL}"),
        Call("add_with_key", "unsigned", f"{SIDE}, {INDEX}, {LABEL}, unsigned other"),
        Call("remove_named", "unsigned", f"{SIDE}, {INDEX}, {LABEL}"),
    )),
    Group("bounds", lambda parts: parts.asked("lower_bound") and parts.order.inserts, (
        Call("bounds", "void", f"{SIDE}, {LABEL}"),
    )),
    Group("tombstones", lambda parts: bool(parts.removal.too_many_dead), (
        Call("tombstones", "size_t", f"{SIDE}, size_t *most"),
    )),
    Group("filling", lambda parts: bool(parts.removal.shows), (
        Rule("next_slot", "unsigned", "the slot that an add takes: 0: the lowest, 1: vacated last, 2: the next one"),
        Call("slots_in", "size_t", f"{SIDE}, bool *in, size_t most"),
    )),
    Group("staying", lambda parts: parts.storage.keeps_addresses, (
        Call("addresses", "size_t", f"{SIDE}, const void **at, unsigned *labels"),
    )),
    Group("moving", lambda parts: parts.order.moves or parts.order.refiles or parts.index.files
          or parts.order.exchanges or parts.order.reparents, (
        Call("move", "unsigned", f"{SIDE}, unsigned how, size_t place, size_t at"),
        Call("records_in_use", "unsigned", SIDE),
        Call("refile", "unsigned", f"{SIDE}, size_t place"),
        Call("rank_at", "void", "size_t place, unsigned by"),
    )),
    Group("exchanging", lambda parts: parts.order.exchanges, (
        Call("swap_places", "unsigned", f"{SIDE}, size_t place, size_t at"),
    )),
    Group("splicing", lambda parts: parts.adding.splices_runs, (
        Rule("splice_ways", "unsigned", "the bits of the splices that it has"),
        Call("splice", "unsigned", f"{SIDE}, unsigned how, size_t at, size_t first, size_t last"),
    )),
    Group("taking", lambda parts: parts.removal.hands_out, (
        Rule("takes", "unsigned", "the bits of what T_take and its like name an element by"),
        Call("take", "unsigned", f"{SIDE}, unsigned way, size_t at, unsigned *label"),
    )),
    Group("asking", lambda parts: parts.removal.asks_each, (
        Call("remove_if", "unsigned", f"{SIDE}, size_t *removed"),
    )),
    Group("counted", lambda parts: parts.storage.allocated and parts.asked("bytes"), (
        Call("holds", "size_t", SIDE),
    )),
    Group("chosen", lambda parts: "max" in parts.chosen, (
        Call("begin_with", "void", f"{SIDE}, size_t max"),
        Call("most", "size_t", SIDE),
    )),
    Group("numbers", lambda parts: parts.order.by_number, (
        Rule("by_number", "bool", "a pass visits a number that is added if it is larger than that which it has visited last"),
        Rule("in_chunks", "bool", "what is reserved is for a count of numbers, whichever they are"),
        Call("combine", "unsigned", f"{SIDE}, unsigned other, unsigned how"),
        Call("nearest", "unsigned", f"{SIDE}, unsigned way, {LABEL}"),
    )),
    Group("promised", lambda parts: parts.order.promised and parts.removal.follows != "adds", (
        Rule("follows", "unsigned", "what the order that is promised follows: 0: that of adds; 1: the last element fills a "
             "vacated slot; 2: an add takes the lowest free slot"),
    )),
    Group("finding", lambda parts: parts.adding.finds_or_adds, (
        Call("found_or_new", "unsigned", f"{SIDE}, {LABEL}, bool known"),
    )),
    Group("anywhere", lambda parts: parts.passes.anywhere, (
        Rule("ways_in", "unsigned", "the bits of what such a pass may begin at: an element, an index, a key"),
        Call("visited", "size_t", f"{SIDE}, bool back, unsigned *labels"),
        Call("begin_at", "void", f"{SIDE}, unsigned cursor, bool back, unsigned how, size_t at, {LABEL}"),
        Call("begin_after", "void", f"{SIDE}, unsigned cursor, unsigned other"),
        Call("current", "unsigned", f"{SIDE}, unsigned cursor"),
        Call("pairs", "bool", SIDE),
    )),
    Group("keeping", lambda parts: parts.passes.keeps, (
        Call("keep", "void", f"{SIDE}, unsigned cursor"),
    )),
    Group("scans", lambda parts: parts.scans.any, (
        Rule("scan_ways", "uint32_t", "the bits of what it scans: four for each index"),
        Call("scan", "bool", f"{SIDE}, unsigned way, unsigned low, unsigned high"),
        Call("scan_misused", "const char *", f"{SIDE}, {LABEL}"),
    )),
    Group("changes", lambda parts: parts.changes.recorded, (
        Call("version", "uint64_t", SIDE),
        Call("changed", "void", f"{SIDE}, uint64_t version"),
        Call("mark_handle", "unsigned", f"{SIDE}, size_t index, unsigned long generation"),
    )),
    Group("beside", lambda parts: parts.side.any, (
        Rule("besides", "unsigned", "the values beside elements that the test sets"),
        Call("set_beside", "unsigned", f"{SIDE}, unsigned which, {LABEL}, unsigned stamp"),
        Call("remove_beside", "unsigned", f"{SIDE}, unsigned which, {LABEL}"),
        Call("reserve_beside", "unsigned", f"{SIDE}, unsigned which, size_t count"),
        Call("known_beside", "unsigned", f"{SIDE}, unsigned which, {LABEL}, unsigned stamp"),
        Call("sweep_beside", "size_t", f"{SIDE}, unsigned which, unsigned taken"),
        Call("late_beside", "void", f"{SIDE}, unsigned which"),
    )),
    Group("weighing", lambda parts: parts.weight.any, (
        Rule("heaviest", "uint64_t", "the most that elements may weigh together; 0: they are counted"),
        Call("weighs", "uint64_t", LABEL),
        Call("weight", "uint64_t", SIDE),
        Call("reweigh", "unsigned", f"{SIDE}, size_t place, {LABEL}, uint64_t weight, uint64_t old_weight"),
    )),
    Group("branching", lambda parts: parts.order.reparents, (
        Rule("branch_moves", "unsigned", "the bits of the moves that it has"),
        Call("move_branch", "unsigned", f"{SIDE}, unsigned how, size_t place, size_t at"),
    )),
    Group("back_trees", lambda parts: parts.order.tree and parts.passes.goes_backward, ()),
    Group("saving", lambda parts: parts.persist.saves, (
        Rule("members", "unsigned", "members that the head of a file names"),
        Rule("whole", "bool", "a file must name all of them"),
        Rule("exact", "bool", "whatever is loaded is saved as the same bytes"),
        Call("save", "unsigned", f"{SIDE}, bool loaded, bt_bytes *to"),
        Call("make", "void", SIDE),
        Call("load", "unsigned", f"{SIDE}, bt_bytes *from"),
        Call("adopt", "void", f"{SIDE}, bool taken"),
        Call("stray", "void", f"{SIDE}, {LABEL}"),
    )),
    Group("snapshots", lambda parts: bool(parts.container["emit.snapshot"]), (
        Call("snapshot_size", "size_t", SIDE),
        Call("snapshot", "bool", f"{SIDE}, void *memory, size_t bytes"),
        Call("rollback", "unsigned", f"{SIDE}, const void *memory"),
        Call("snapshot_delta", "size_t", f"{SIDE}, const void *base, void *memory, size_t bytes"),
        Call("rollback_delta", "unsigned", f"{SIDE}, const void *base, const void *memory"),
        Call("keep_handles", "void", f"{SIDE}, unsigned frame"),
        Call("handle_back", "void", f"{SIDE}, unsigned frame, {LABEL}"),
    )),
    Group("merging", lambda parts: parts.workers.journals or parts.inbox.queue, (
        Rule("workers", "unsigned", "the maximum of worker threads; 0: none"),
        Rule("merges_by_key", "bool", "changes of workers have keys"),
        Rule("inbox", "size_t", "the elements that may wait in the inbox; 0: none"),
        Call("add_by_worker", "unsigned", f"{SIDE}, {CHANGE}"),
        Call("remove_by_worker", "unsigned", f"{SIDE}, {CHANGE}"),
        Call("update_by_worker", "unsigned", f"{SIDE}, {CHANGE}"),
        Call("worker_change", "unsigned", f"{SIDE}, {LABEL}, unsigned other"),
        Call("add_by_inbox", "unsigned", f"{SIDE}, {LABEL}"),
    )),
)

_MEMBERS = [member for group in GROUPS for member in group.members]
ALL_RULES = RULES + tuple(member for member in _MEMBERS if isinstance(member, Rule))
ALL_CALLS = CALLS + tuple(member for member in _MEMBERS if isinstance(member, Call))


def needed(containers: Iterable[Parts]) -> List[str]:
    """The macros of the groups that the test of a file with these containers compiles."""
    of = list(containers)
    return [group.macro for group in GROUPS if any(map(group.wanted, of))]


# The records of a container in layers, beside what the driver knows of its layer.
LAYER_RULES = (
    Rule("layers", "unsigned", "the number of layers"),
    Rule("init_with", "const char *", "further arguments of T_init"),
    Rule("settle_with", "const char *", "further arguments of T_settle"),
    Rule("settle_fails", "bool", "T_settle returns a status"),
    Rule("update_with", "const char *", "arguments of T_update after the seconds"),
    Rule("ordered", "bool", "layers are in insertion order"),
    Rule("sorted", "bool", "layers are sorted; their own test covers it"),
    Rule("unique", "bool", "elements are unique in a layer"),
    Rule("replaces", "bool", "an element replaces an equal one"),
    Rule("exclusive", "bool", "an element is in at most one layer"),
    Rule("next_pass", "bool", "a pass does not visit elements added during it"),
    Rule("deferred", "bool", "changes are pending while a layer is locked"),
    Rule("removes_current", "bool", "during a pass, only the current element may be removed"),
    Rule("sweeps", "bool", "passes remove expired elements"),
    Rule("asks_before", "bool", "T_update evaluates the expiry predicate before the hook"),
    Rule("backward", "bool", "passes go backward through layers and elements"),
    Rule("both", "bool", "passes go in either direction"),
    Rule("addressed", "bool", "elements are identified by address"),
    Rule("by_handle", "bool", "elements are identified by handles, which all layers share"),
    Rule("on_add", "bool", "it has the hook `add`"),
    Rule("on_remove", "bool", "it has the hook `remove`"),
    Rule("on_destroy", "bool", "it has the hook `destroy`"),
    Rule("on_update", "bool", "it has the hook `update`"),
    Rule("limit", "size_t", "the maximum count of a layer; 0: none"),
)
LAYER_CALLS = ("init deinit settle check count layer_of add remove move clear begin next remove_current end forget loop read "
               "update prune set get lock unlock expire misuse leave foreign").split()
