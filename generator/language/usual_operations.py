"""Which operations a list of a preset usually needs: what `bespoke new` writes, and `bespoke explain` proposes.

They are no values of the presets. A preset that left functions out would take them away from specs that call them.
"""

from typing import Dict, List, Tuple

_ALL = ("add", "remove_current", "clear", "count", "each")

USUAL: Dict[str, Tuple[str, ...]] = {
    "read_write_collection": (),
    "locking_list": ("remove", "contains", "lock", "unlock"),
    "entity_list": ("remove", "update", "settle"),
    "deletable_object_list": ("settle",),
    "constant_time_array": ("remove", "contains"),
    "item_pool": ("get", "handle_of", "remove", "settle"),
    "slot_array": ("get", "handle_of", "remove", "settle"),
    "colony": ("remove", "settle"),
    "slot_map": ("get", "handle_of", "remove"),
    "sparse_set": ("find", "remove_key"),
    "shift_list": ("get", "remove_at"),
    "backward_list": ("get",),
    "array_list": ("get", "remove"),
    "ring": ("pop", "first", "last"),
    "lru_cache": ("find", "move_to_back"),
    "timer_queue": ("add_handle", "get", "first", "pop", "rekey", "remove"),
    "sorted_list": ("get", "remove"),
    "draw_list": ("settle",),
    "back_copying_list": ("update",),
    "hashed_array": ("remove", "contains"),
    "flagged_array": ("update",),
    "linked_list": ("first",),
    "pruning_linked_list": ("update",),
    "doubly_linked_list": ("remove", "contains"),
    "mutable_linked_list": ("insert_before", "insert_after", "first"),
    "scene_tree": ("add_child", "remove", "update"),
    "entity_layers": ("set_enabled", "set_visible", "remove", "update"),
}


def usual(preset: str) -> List[str]:
    """The operations of a preset's list, in the order in which they are read."""
    add, remove_current, clear, count, each = _ALL
    return [add, *USUAL[preset], remove_current, each, count, clear]
