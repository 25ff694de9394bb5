"""Which fact of the plan each attribute of an axis is, as templates name it."""

from typing import Any, Dict

FACTS: Dict[str, Dict[str, str]] = {
    "element": {"by_value": "by_value", "by_pointer": "by_pointer", "intrusive": "intrusive", "rows": "rows", "fields": "fields", "lanes": "lanes", "cold": "cold", "cold_members": "cold_members", "own_members": "own_members", "looked_at": "looked_at", "copies_inline": "copies_inline", "own_struct": "own_struct", "placed": "placed", "addressed": "addressed", "poisons": "poisons", "members": "members", "aligned": "aligned", "alignment": "alignment", "tells_new_address": "tells_new_address", "held_in_place": "walk_holds"},
    "storage": {"inline": "inline_storage", "fixed": "fixed_storage", "chunk": "chunk", "granule": "granule", "columns": "columns", "element_columns": "element_columns", "block_columns": "block_columns", "clears_chunks": "clears_chunks", "most_slots": "most_slots", "grown": "grown", "grows_slowly": "grows_slowly", "initial": "initial", "caps_growth": "caps_growth", "wide_places": "wide_places", "stores": "stores", "shrink": "shrink", "relocates": "relocates", "slots_held": "slots_held"},
    "removal": {"bitmap": "bitmap", "dense": "dense", "linked": "linked", "leaves_dead": "dead_slots", "tightens": "tightens", "reorders": "reorders", "holds": "holds", "sweeps": "sweeps", "trims": "trims", "too_many_dead": "too_many_dead", "moves_once": "moves_once", "permutes": "permutes", "chaos": "chaos", "chaos_on_remove": "chaos_on_remove", "hands_over": "hands_over", "notifies_each": "one_by_one", "spares": "spares", "told_key": "told_key", "take_name": "take_name", "predicate_function": "predicate_function", "predicate_in_loop": "predicate_in_loop", "asks_before": "asks_before", "asks_after": "asks_after"},
    "passes": {"bounded": "bounded", "tracked": "tracked", "backs": "backs", "ahead": "ahead", "ends": "ends", "both_ways": "both_ways", "begins_back": "begins_back", "begin_update": "begin_update", "begins_back_inside": "begins_back_inside", "hands_on": "hands_on", "lates": "lates", "limit": "passes_limit", "todo_words": "todo_words", "boundary_count": "boundary_count", "boundaries": "boundaries", "counted": "counted_passes", "stand_names": "stand_names", "leaves_cursor": "leaves_cursor", "runs": "runs", "walk_looks": "walk_looks", "gapped_runs": "gapped_runs", "points": "points", "lane_moves": "lane_moves", "looks": "looks", "finds_current": "finds_current", "removes_current": "removes_current", "step_function": "step", "splice_keeps": "splice_keeps", "needs_lowest": "needs_lowest", "spans": "spans", "reads_apart": "reads_apart", "skips_expired": "passes_by"},
    "order": {"inserts": "inserts", "explicit": "explicit_order", "tree": "tree", "sorts_at_begin": "sorts_at_begin", "place_type": "place_type", "before_expression": "before_expression"},
    "links": {"doubly": "doubly", "link": "link", "fenced": "fenced"},
    "index": {"indexed": "indexed", "member": "index_field", "has_table": "has_index_table", "keys": "index_keys", "table_grows": "table_grows", "table_mask": "table_mask", "narrow_key": "narrow_key", "keeps_multiplier": "keeps_multiplier", "table_shift": "table_shift", "told_apart": "told_apart"},
    "lookup": {"needs_key": "needs_key", "keyed": "keyed", "sorted_number": "sorted_number", "sorted_down": "sorted_down", "key_expression": "key_expression", "key_to_check": "key_to_check", "finds_equal": "finds_equal", "compares": "compares", "slot_of_equal": "slot_of_equal", "searches_chunks": "searches_chunks"},
    "handles": {"given": "has_handles", "generational": "generational", "id_type": "id_type", "bits": "handle_bits", "generation_max": "generation_max", "counts_held": "counts_held"},
    "when": {"deferred": "deferred", "has_table": "journal_table", "journal_hash": "journal_hash"},
    "allocator": {"custom": "custom_allocator", "plain": "plain_allocator", "declared": "declares_allocator", "calls_malloc": "calls_malloc", "functions": "allocator"},
    "stop": {"assertion": "assertion"},
    "duplicates": {"unique": "unique", "replaces": "replaces", "refuses": "refuses", "refuses_moving": "refuses_moving", "adds_at_once": "adds_at_once", "opens": "opens", "puts": "puts", "puts_last": "puts_last", "adds_itself": "adds_itself", "uses_admit": "uses_admit", "has_admit": "has_admit", "admission": "admission", "admit_moving": "admit_moving", "admit_back": "admit_back", "room_for_one": "room_for_one", "make_room": "make_room", "absent": "absent", "put": "put", "announces": "announces", "stops_bulk": "stops_bulk", "one_slot": "one_slot", "splices": "splices", "splice_alike": "splice_alike", "emplaces": "emplaces"},
}


class Axis:
    """What one axis says of itself, for templates that print none of its parts."""

    def __init__(self, axis: str, facts: Dict[str, Any]):
        self._names, self._facts = FACTS[axis], facts

    def __getattr__(self, name: str) -> Any:
        try:
            return self._facts[self._names[name]]
        except KeyError:
            raise AttributeError(name) from None


class Axes:
    """All of them."""

    def __init__(self, facts: Dict[str, Any]):
        for axis in FACTS:
            setattr(self, axis, Axis(axis, facts))
