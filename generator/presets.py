"""The well-known structures: names for sets of values, and nothing else."""

from dataclasses import dataclass
from typing import Any, Dict, Tuple

from .model import Duration


@dataclass(frozen=True)
class Preset:
    """A named structure: what it is, the values it stands for, and the keys that its user must give."""

    title: str
    doc: str
    settings: Dict[str, Any]
    needs: Tuple[str, ...] = ()


PRESETS: Dict[str, Preset] = {
    "read_write_collection": Preset(
        "read-write collection",
        "A list that is read and thinned out in one pass: what leaves opens a gap that the pass carries along, so a "
        "pass that removes any number of elements costs one move per element. Order is kept, elements that are added "
        "in the pass are visited in it, and leaving it early loses nothing.",
        {"ordering": "insertion", "removal.policy": "compact", "iteration.adds": "visited",
         "iteration.removes": "current", "iteration.cursors": "many"}),
    "locking_list": Preset(
        "locking list",
        "A list of distinct elements that does not change while anyone looks: adds, removes and clears made during a "
        "pass, or between T_lock and T_unlock, wait in a journal and are replayed in the order they were made.",
        {"ordering": "insertion", "duplicates": "reject", "index.kind": "hash", "removal.policy": "tombstone",
         "removal.when": "deferred", "iteration.adds": "deferred", "iteration.removes": "any",
         "iteration.cursors": "many"}),
    "entity_list": Preset(
        "entity list",
        "A list that prunes itself: T_update updates every element and lets go of those that have expired, in one "
        "sweep. Hooks hear of everything that comes and goes, a limit and shrinking are at hand.",
        {"ordering": "insertion", "removal.policy": "prune", "removal.ask": "around_update",
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many",
         "capacity.growth": 1.5, "capacity.shrink.below": 25, "capacity.shrink.after": Duration(2, "seconds")},
        needs=("removal.expired",)),
    "deletable_object_list": Preset(
        "deletable object list",
        "A list whose elements say for themselves that they are gone: every pass skips them from that moment on, any "
        "number of passes may be under way, and the list tightens when none is.",
        {"ordering": "insertion", "removal.policy": "tombstone", "removal.dead_share": 20,
         "iteration.adds": "visited", "iteration.removes": "any", "iteration.cursors": "many"},
        needs=("removal.expired",)),
    "constant_time_array": Preset(
        "constant time array",
        "An array of pointers in which adding, removing and asking take constant time: each element holds its own "
        "place, and the last one moves into the place of the one that leaves, without any pass missing a beat.",
        {"ordering": "unordered", "duplicates": "reject", "index.kind": "intrusive", "removal.policy": "swap",
         "element.by": "pointer", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("index.field",)),
    "item_pool": Preset(
        "item pool",
        "A fixed number of items that are taken and given back. An item never moves, and a handle of one that was "
        "given back is known as stale for ever, also when the next owner has it.",
        {"ordering": "unordered", "removal.policy": "reuse", "handles.kind": "generational", "addresses": "stable",
         "element.by": "value", "iteration.adds": "visited", "iteration.removes": "any",
         "iteration.cursors": "many"},
        needs=("capacity.max",)),
}
