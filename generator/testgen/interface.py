"""What the driver of a generated test reads and calls of a container: the members of its records in C."""

from dataclasses import dataclass
from typing import Any, List, Mapping, NamedTuple, Sequence

from ..types.declare import declare


@dataclass(frozen=True)
class Rule:
    """What the driver must know of a container."""

    name: str
    type: str
    doc: str


class Value(NamedTuple):
    """A rule of one container, as C."""

    name: str
    value: str


def values(rules: Sequence[Rule], known: Mapping[str, Any]) -> List[Value]:
    """The rules of one container, in the order of the record."""
    return [Value(rule.name, str(known[rule.name]).lower() if isinstance(known[rule.name], bool) else str(known[rule.name])) for rule in rules]


@dataclass(frozen=True)
class Call:
    """What the driver calls; NULL where the container has no such operation."""

    name: str
    result: str
    params: str

    def declare(self, name: str) -> str:
        return f"{declare(self.result, name)}({self.params})"


RULES = (
    Rule("name", "const char *", "as its functions are prefixed"),
    Rule("shouted", "const char *", "the same in capitals"),
    Rule("type", "const char *", "what a program that is printed calls it"),
    Rule("item", "const char *", "what an add takes, as C"),
    Rule("init_with", "const char *", "what T_init takes beside the container"),
    Rule("update_with", "const char *", "and T_update"),
    Rule("in_seconds", "bool", "T_settle is told how many have passed"),
    Rule("expires_by_function", "bool", "whether an element has expired is asked of a function of yours"),
    Rule("has_hooks", "bool", "there is any hook"),
    Rule("limit", "size_t", "the most elements it takes; 0: any number"),
    Rule("passes", "unsigned", "the most passes that may be live; 0: any number"),
    Rule("counted", "bool", "one pass more than that is refused"),
    Rule("generations", "unsigned long", "how often a handle's number can be given; 0: it does not say"),
    Rule("slots", "size_t", "how many slots its handles can number; 0: there are none"),
    Rule("placed", "const char *", "what a story asks for the element at a place"),
    Rule("ordered", "bool", "it keeps elements in an order that is known"),
    Rule("sorts", "bool", "they are sorted as they come in"),
    Rule("resorts", "bool", "they are sorted when a pass begins"),
    Rule("ranks", "bool", "by what the test says,"),
    Rule("reranks", "bool", "and says anew while elements are in"),
    Rule("linked", "bool", "elements are tied together by links"),
    Rule("tree", "bool", "elements are below others, and leave with them"),
    Rule("inserts", "bool", "what comes in may come in between others"),
    Rule("unique", "bool", "no element is in twice"),
    Rule("replaces", "bool", "an element takes the place of one that is equal"),
    Rule("keys", "uint64_t", "keys must be smaller; 0: they may be any"),
    Rule("reaches", "bool", "the largest key may ask for memory"),
    Rule("by_pointer", "bool", "elements live elsewhere"),
    Rule("by_label", "bool", "an element can be asked for, by its address or key"),
    Rule("by_row", "bool", "an element is called by its row, so one that waits to come in cannot be named"),
    Rule("nil", "const char *", "what is given where there is no element"),
    Rule("twice", "bool", "two rows of the model may have one label"),
    Rule("intrusive", "bool", "an element can be in one container only"),
    Rule("owned", "bool", "and says so: to remove another one's is FOREIGN"),
    Rule("bounded", "bool", "elements that are added wait for the next pass"),
    Rule("deferred", "bool", "changes wait while it is locked"),
    Rule("backwards", "bool", "a clear takes the last element out first"),
    Rule("begins_back", "bool", "a pass goes from the last element to the first"),
    Rule("updates_back", "bool", "and so does an update"),
    Rule("both_ways", "bool", "there are passes of either direction"),
    Rule("removes_current", "bool", "while a pass is live, only what it stands on may be removed"),
    Rule("skips", "bool", "passes go by elements that have expired"),
    Rule("sweeps", "bool", "and let go of them"),
    Rule("asks_before", "bool", "an update asks before the hook whether an element has expired"),
    Rule("asks_after", "bool", "an update asks after it"),
    Rule("shares_expiry", "bool", "what has expired has expired for both containers of a pair"),
    Rule("on_add", "bool", "there is a hook for this"),
    Rule("on_remove", "bool", "and this"),
    Rule("on_destroy", "bool", "and this"),
    Rule("on_update", "bool", "and this"),
)

SIDE, LABEL = "unsigned side", "unsigned label"
CALLS = (
    Call("ready", "const char *", "void"),
    Call("preface", "void", "void"),
    Call("label", "unsigned", "const void *element"),
    Call("fresh", "void", LABEL),
    Call("key", "uint64_t", LABEL),
    Call("init", "void", f"{SIDE}, bool zeroed"),
    Call("deinit", "void", SIDE),
    Call("reserve", "unsigned", f"{SIDE}, size_t count"),
    Call("shrink", "unsigned", SIDE),
    Call("settle", "unsigned", f"{SIDE}, double seconds"),
    Call("check", "const char *", SIDE),
    Call("count", "size_t", SIDE),
    Call("is_empty", "bool", SIDE),
    Call("capacity", "size_t", SIDE),
    Call("contains", "bool", f"{SIDE}, {LABEL}"),
    Call("will_contain", "bool", f"{SIDE}, {LABEL}"),
    Call("predicted_count", "size_t", SIDE),
    Call("is_locked", "bool", SIDE),
    Call("find", "unsigned", f"{SIDE}, {LABEL}"),
    Call("label_at", "unsigned", f"{SIDE}, size_t index"),
    Call("contents", "size_t", f"{SIDE}, unsigned *labels"),
    Call("data", "void", SIDE),
    Call("add", "unsigned", f"{SIDE}, {LABEL}"),
    Call("emplace", "unsigned", f"{SIDE}, {LABEL}"),
    Call("insert", "unsigned", f"{SIDE}, {LABEL}, size_t place, unsigned at, unsigned how"),
    Call("kin", "void", f"{SIDE}, size_t place, unsigned *labels"),
    Call("sort", "unsigned", SIDE),
    Call("before", "bool", "unsigned a, unsigned b"),
    Call("rank", "void", LABEL),
    Call("add_all", "unsigned", f"{SIDE}, const unsigned *labels, size_t count, size_t *taken"),
    Call("add_from", "unsigned", f"{SIDE}, size_t *taken"),
    Call("remove", "unsigned", f"{SIDE}, {LABEL}"),
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
    Call("update", "void", SIDE),
    Call("lock", "void", SIDE),
    Call("unlock", "unsigned", SIDE),
    Call("expire", "void", LABEL),
    Call("note_handle", "void", f"{SIDE}, {LABEL}"),
    Call("handle_name", "unsigned", f"{SIDE}, {LABEL}"),
    Call("has_handle", "bool", f"{SIDE}, {LABEL}"),
    Call("by_handle", "unsigned", f"{SIDE}, {LABEL}"),
    Call("remove_handle", "unsigned", f"{SIDE}, {LABEL}"),
    Call("bury_handle", "void", f"{SIDE}, {LABEL}"),
    Call("forget_handles", "void", SIDE),
    Call("stale_handles", "void", f"{SIDE}, bool removes"),
)

# The records of a container in layers, beside what the driver knows of its layer.
LAYER_RULES = (
    Rule("layers", "unsigned", "how many there are"),
    Rule("init_with", "const char *", "what T_init takes beside the container"),
    Rule("settle_with", "const char *", "and T_settle"),
    Rule("update_with", "const char *", "and T_update beside the seconds"),
    Rule("ordered", "bool", "layers keep the order in which elements came"),
    Rule("sorted", "bool", "layers keep another order, which is for their own test"),
    Rule("unique", "bool", "no element is in a layer twice"),
    Rule("replaces", "bool", "an element takes the place of one that is equal"),
    Rule("exclusive", "bool", "an element can be in one layer only, and knows that it is in one"),
    Rule("next_pass", "bool", "elements that are added wait for the next pass"),
    Rule("deferred", "bool", "changes wait while a layer is locked"),
    Rule("removes_current", "bool", "while a pass is live, only what it stands on may be removed"),
    Rule("sweeps", "bool", "passes let go of elements that have expired"),
    Rule("asks_before", "bool", "an update asks before the hook whether an element has expired"),
    Rule("backward", "bool", "a pass goes from the last element of the last layer to the first"),
    Rule("both", "bool", "there are passes of either direction"),
    Rule("addressed", "bool", "elements are asked for by their address"),
    Rule("on_add", "bool", "there is a hook for this"),
    Rule("on_remove", "bool", "and this"),
    Rule("on_destroy", "bool", "and this"),
    Rule("on_update", "bool", "and this"),
    Rule("limit", "size_t", "the most elements that a layer takes; 0: any number"),
)
LAYER_CALLS = ("init deinit settle check count layer_of add remove move clear begin next remove_current end forget loop update prune "
               "set get lock unlock expire misuse").split()
