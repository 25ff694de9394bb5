"""The generated test: what is tested of each container, how its elements are made and known again, as data.

The test is one C file that needs no other. `templates/test/driver.j2` holds the operations, the model and the shrinker,
which know no container; `container.j2` prints for each container what the driver calls.
"""

import re
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import jinja2

from ..containers.plan import Plan
from ..language.statuses import STATUSES
from ..text.identifiers import BUILT_IN
from ..types.declare import declare, pointer_to
from .queues import QUEUE_CALLS, QUEUE_RULES, has_queues, provided_by, rules_of
from .tables import Call, Rule

LABELS = 1200  # labels by which the test knows elements; more than two full models can hold
MOST_FILLED = 5000  # containers up to this size are filled to the brim


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

HOOKS = ("add", "remove", "destroy", "update", "move")
ALWAYS = frozenset("ready preface label init deinit settle check count is_empty contains add add_all clear begin next "
                   "remove_current end loop".split())
OPERATIONS = {"shrink": "shrink_to_fit", "insert": "insert_before", "before": "sort", "label_at": "remove_at",
              "stale_handles": "handle_of", "handle_name": "handle_of", "has_handle": "handle_of", "by_handle": "handle_of",
              "remove_handle": "handle_of",
              "bury_handle": "handle_of", "forget_handles": "handle_of"}


def external_names(plan: Plan, header: str) -> List[str]:
    """Every function of a container that is not static and not the user's, from the text of its header."""
    names = re.findall(rf"^(?!static|BESPOKE_INLINE|typedef|#|/|\s)[^\n(=]*?\b({re.escape(plan.T)}_\w+)\(", header, re.M)
    return [name for name in dict.fromkeys(names) if name not in your_names(plan)]


# What a failure that is printed as a program has at file scope, beside the user's functions (`rules.TOLD` may not be theirs) and
# containers (`rules.LOCALS` may not be theirs). Those of two words end in none that an operation has.
PRINTED = frozenset("""
    all asked begins_with blocks emplaced expire expire_at expires expiring found given handles heard key known known_at list_cursors made
    newest nth other_cursors over placed pool probes probes_bits probes_copy rank ranks react requests same scarce_free scarce_malloc scarce_realloc tell times_told told
    updated visited
    """.split())


class Printed:
    """What a failure that is printed as a program calls what is the user's and has a name that it needs itself."""

    def __init__(self, plans: Sequence[Plan]):
        self.functions = sorted(PRINTED.intersection(name for plan in plans if plan.container.layer is None for name in your_names(plan)))
        self.types = sorted(PRINTED.intersection(plan.T for plan in plans))
        self._renamed = re.compile(rf"\b(?:{'|'.join([*self.functions, *self.types]) or '(?!)'})\b")

    def own(self, text: str) -> str:
        """A name or type as the program has it."""
        return self._renamed.sub(lambda name: f"your_{name[0]}", str(text))

    def own_members(self, text: str) -> str:
        """A program: what is behind a dot or an arrow was declared in a header, where such names were others."""
        return re.sub(r"(->|[\w\])]\.)(\w+)", lambda member: member[1] + self.own(member[2]), text)

    def declare(self, type_: str, name: str) -> str:
        return declare(self.own(type_), name)

    def facts(self) -> Dict[str, Any]:
        return {"own": self.own, "decl": self.declare, "clashing": self.functions, "clashing_types": self.types}


def your_names(plan: Plan) -> List[str]:
    """The user's functions that a container calls."""
    c = plan.container
    names = [c[f"hooks.{hook}"] for hook in HOOKS]
    for path in ("removal.expired", "identity.key", "sort.key", "sort.less"):
        if c[path] is not None and c[path].is_function:
            names.append(str(c[path]))
    if plan.custom_allocator:
        names += [c[f"allocator.{name}"] for name in ("alloc", "realloc", "free")]
    return [name for name in dict.fromkeys(names) if name is not None]


class _Subject:
    """The decisions about the test of one container."""

    def __init__(self, plan: Plan, queues: bool = False):
        """`queues`: the file tests a container whose elements are taken off its ends."""
        self.plan, self.c, self.queues = plan, plan.container, queues
        c = self.c
        predicate = c["removal.expired"]
        self.operations = {operation.name: operation for operation in plan.operations if not operation.column}  # members have names of their own
        self.predicate_is_expression = predicate is not None and not predicate.is_function
        self.dense = plan.dense
        self.arithmetic = not plan.rows and all(word in BUILT_IN for word in plan.E.split())
        self.opaque = plan.by_pointer and not self.arithmetic and c[c.defining] is None
        self.context = c["hooks.context"]
        self.sorted = c["ordering"] == "sorted"
        self.ranked_by_function = any(c[path] is not None and c[path].is_function for path in ("sort.key", "sort.less"))
        self.mark = self._mark()
        self.rank_member = self._sort_member() if self._sort_member() != self.mark else ""
        self.assigns_mark = not self.opaque and self._needs_probes(self.mark)
        self.assigns_rank = self._needs_probes(self.rank_member)
        self.labels = self._labels()

    def _mark(self) -> str:
        """The member that the label is written to; '' is the element's first bytes."""
        if self.c["test.id"] is not None:
            return self.c["test.id"]
        key = self.c["identity.key"]
        match = re.fullmatch(r"\(?element->([A-Za-z_][\w.]*)\)?", str(key)) if key is not None else None
        if match:
            return match.group(1)
        sorted_by = self._sort_member() if self.plan.by_value else ""
        if sorted_by and not self._is_bits(sorted_by):
            return sorted_by
        # What lies between members is not kept where each has a column.
        kinds = [member for member in self.plan.fields if "bool" not in member.type and not member.bits] or self.plan.fields
        wide = [member for member in kinds if re.fullmatch(r"u?int(16|32|64)_t|unsigned|int|unsigned int|size_t", member.type)]
        return (wide or kinds)[0].name if kinds else ""

    def _is_bits(self, path: str) -> bool:
        """Is the member known to be a bit-field, which has neither an address nor a size?"""
        member = self.c.type_info.member(path) if self.c.type_info is not None else None
        return member is not None and member.bits is not None

    def _needs_probes(self, path: str) -> bool:
        """Is the member a bit-field or const, or is nothing known of it, so that it may be?"""
        member = self.c.type_info.member(path) if self.c.type_info is not None else None
        if member is not None:
            return member.bits is not None or member.const and not (member.array or member.fields or re.search(r"\[|^(const )?(struct|union) [^*]*$", member.type))
        return bool(path) and not self.arithmetic and path not in [member.name for member in self.plan.fields]

    def ranked(self, element: str, by: str, set_: str, path: str) -> str:
        """Writes what an element is sorted by: few values, so that many are equal. `set_`: a call of what writes any member, begun;
        `path`: what that calls the member."""
        member = element + self.rank_member
        pointer = element[:-2] if element.endswith("->") else f"&{element[:-1]}"
        if self._needs_probes(self.rank_member):
            return f"{set_}, {pointer}, {path}, {by} % {2 if self._is_bits(self.rank_member) else 4});"
        return f"*(unsigned char *)(void *)&{member} = (unsigned char)({by} % (sizeof {member} == 1 ? 2 : 4));"

    def _sort_member(self) -> str:
        """The member that says which element comes first; '' if it is not as simple as that."""
        key, less = self.c["sort.key"], self.c["sort.less"]
        for text, pattern in ((key, r"\(?element->([A-Za-z_][\w.]*)\)?"), (less, r"a->([A-Za-z_][\w.]*) [<>] b->\1")):
            match = re.fullmatch(pattern, str(text)) if text is not None else None
            if match and not self.arithmetic and not self.opaque:
                return match.group(1)
        return ""

    def _stamped(self) -> List[str]:
        """Members in columns that no expression looks at: each says whose it is, so one that is not moved along is found."""
        texts = " ".join(str(self.c[path]) for path in ("removal.expired", "identity.key", "sort.key", "sort.less", "test.expire") if self.c[path] is not None)
        return [member.name for member in self.plan.fields if member.name != self.mark and not member.bits
                and "bool" not in member.type.lower() and not re.search(rf"\b{member.name}\b", texts)]

    def _labels(self) -> str:
        E = self.plan.E
        if self.arithmetic and self.plan.by_value:
            if "bool" in E or "_Bool" in E:
                return "2"
            return "100" if "char" in E or "int8" in E else "(unsigned)BT_LABELS"
        if self.opaque or (self.plan.by_pointer and not self.plan.keyed) or self.assigns_mark:
            return "(unsigned)BT_LABELS"
        of = f"(({pointer_to(E)})0)->{self.mark}" if self.mark and not self.arithmetic else E
        return f"(sizeof({of}) == 1 ? 100u : (unsigned)BT_LABELS)"

    def rules(self, printed: Printed) -> List[Dict[str, str]]:
        c, plan = self.c, self.plan
        by_label = plan.by_pointer or plan.keyed
        narrow = plan.by_value and "BT_LABELS" not in self.labels or (("sizeof" in self.labels or self.assigns_mark) and not by_label)
        used = dict((event, hook) for event, hook in self.hooks()[0])
        passes = 1 if c["iteration.cursors"] == "one" else plan.passes_limit or 0
        values: Dict[str, Any] = {
            "name": f'"{plan.T}"',
            "shouted": f'"{plan.TT}"',
            "type": f'"{printed.own(plan.T)}"',
            "item": f'"{printed.own(plan.item)}"',
            "init_with": '", NULL"' if plan.custom_allocator else '""',
            "update_with": f'"{self.update_context()}"',
            "in_seconds": len(self.operations["settle"].params) == 2,
            "expires_by_function": c["removal.expired"] is not None and not self.predicate_is_expression,
            "has_hooks": bool(self.hooks()[0] or self.hooks()[1]),
            "limit": plan.limit or 0,
            "passes": passes,
            "counted": plan.passes_limit is not None,
            "generations": f"{2 ** c['handles.generation_bits'] - 2}ul" if plan.generational else "0",
            "slots": f"{plan.TT}_MOST_SLOTS_" if plan.has_handles else "0",
            "placed": f'"{self.placed()}"',
            "ordered": c["ordering"] != "unordered" or (c["removal.expired"] is not None and not plan.reorders),
            "unique": plan.unique,
            "replaces": plan.replaces,
            "keys": plan.index_keys or 0,
            "reaches": plan.table_grows,
            "by_pointer": plan.by_pointer,
            "by_label": by_label,
            "by_row": plan.rows,
            "nil": f'"{plan.nil}"',
            "twice": not plan.unique and not plan.has_handles and (by_label or narrow),
            "intrusive": c["index.kind"] == "intrusive" or plan.intrusive,
            "owned": plan.told_apart,
            "bounded": c["iteration.adds"] == "next",
            "deferred": plan.deferred,
            "backwards": self.dense,
            "sorts": self.sorted and plan.inserts,
            "resorts": self.sorted and not plan.inserts,
            "ranks": self.ranked_by_function or bool(self.rank_member),
            "reranks": self.reranks(),
            "inserts": plan.inserts,
            "tree": plan.tree,
            "linked": plan.linked,
            "begins_back": plan.begins_back,
            "updates_back": plan.begins_back or plan.sweeps_back,
            "both_ways": plan.both_ways,
            "removes_current": plan.removes_current,
            "skips": c["removal.expired"] is not None,
            "sweeps": plan.sweeps,
            "asks_before": "update" in self.operations and plan.asks_before,
            "asks_after": "update" in self.operations and plan.asks_after,
            "shares_expiry": plan.by_pointer or not self.predicate_is_expression,
        }
        for event in ("add", "remove", "destroy", "update"):
            values[f"on_{event}"] = event in used
        values.update(rules_of(plan))
        return [{"name": rule.name, "value": str(values[rule.name]).lower() if isinstance(values[rule.name], bool)
                 else str(values[rule.name])} for rule in RULES + (QUEUE_RULES if self.queues else ())]

    def reranks(self) -> bool:
        """Can the test change what an element that is in is sorted by?"""
        return self.ranked_by_function or bool(self.rank_member and self.plan.by_pointer)

    def placed(self) -> str:
        """What a story asks for the element at a place; where T_get takes a handle, a function of its own."""
        return "placed" if self.plan.has_handles else f"{self.plan.T}_get"

    def update_context(self) -> str:
        """What a story gives T_update beside the container."""
        if "update" not in self.operations or len(self.operations["update"].params) < 2:
            return ""
        return ", NULL" if self.context.rstrip().endswith("*") else f", ({self.context}){{0}}"

    def hooks(self) -> Tuple[List[Tuple[str, str]], List[str]]:
        """The hooks whose event is known, and functions that are named for several events."""
        functions = [self.c[f"hooks.{event}"] for event in HOOKS]
        used = [(event, function) for event, function in zip(HOOKS, functions)
                if function is not None and functions.count(function) == 1]
        shared = [function for function in dict.fromkeys(functions) if function is not None and functions.count(function) > 1]
        return used, shared

    def provided(self) -> Set[str]:
        """The calls that there is something to call for."""
        plan, has = self.plan, self.operations
        found = set(ALWAYS)
        for call in CALLS:
            operation = OPERATIONS.get(call.name, call.name)
            if operation in has:
                found.add(call.name)
        if "data" in has or plan.chunk:
            found.update(("data", "contents"))
        if "part" in has:
            found.add("data")
        if plan.placed:
            found.discard("will_contain")
        if self.chained():
            found.add("contents")
            found.update(["kin"] if plan.tree else [])
        if plan.rows and self.dense:
            found.update(("data", "contents"))
        if not self.has_remove():
            found.discard("remove")
        if plan.by_pointer and not self.opaque:
            found.add("fresh")
        if plan.index_keys is not None:
            found.add("key")
        if self.rank_member and plan.by_pointer:
            found.add("rank")
        if plan.has_handles and (plan.by_pointer and not plan.replaces or "find" in has):
            found.add("note_handle")
        if self.c["removal.expired"] is not None and (plan.by_pointer or not self.predicate_is_expression):
            found.add("expire")
        return found | provided_by(plan)

    def chained(self) -> bool:
        """Can the elements be read one behind the other? Of one that is in twice nobody knows which is meant."""
        return self.plan.linked and (self.plan.unique or self.plan.addressed)

    def has_remove(self) -> bool:
        """Can an element be removed by its label? One held by value in no place that can be asked for cannot."""
        return not self.plan.has_handles and (self.dense or self.plan.rows or not self.plan.addressed)

    def values(self, printed: Printed) -> Dict[str, Any]:
        c, plan = self.c, self.plan
        used, shared = self.hooks()
        T = plan.T
        expire = c["test.expire"]
        alive = f"bt_{T}_alive" if self.predicate_is_expression else "0"
        member = f"->{self.mark}" if self.mark else ""

        def label_of(list_: str, element: str) -> str:
            """The label of what the container calls an element."""
            return f"bt_{T}_at({list_}, {element})" if plan.rows else f"bt_{T}_label({element})"

        return {
            "has": {operation: operation in self.operations for operation in
                    ("part const_part data const_rows chunk capacity insert_before sort reserve shrink_to_fit will_contain find emplace add_from remove_at "
                     "remove_key remove_from set_hash_key update lock occupied").split()},
            "gets": f"bt_{T}_placed" if plan.has_handles else f"{T}_get", "story_gets": self.placed(),
            "has_remove": self.has_remove(), "provided": self.provided(), "rules": self.rules(printed), "calls": CALLS + (QUEUE_CALLS if self.queues else ()),
            "labels": self.labels, "opaque": self.opaque, "dense": self.dense, "arithmetic": self.arithmetic,
            "assigns_mark": self.assigns_mark, "assigns": self.assigns_mark or self.assigns_rank,
            "rank_member": self.rank_member, "ranked": self.ranked, "reranks": self.reranks(),
            "sort_key_function": str(c["sort.key"]) if c["sort.key"] is not None and c["sort.key"].is_function else None,
            "sort_less_function": str(c["sort.less"]) if c["sort.less"] is not None and c["sort.less"].is_function else None,
            "own_arena": plan.custom_allocator, "chained": self.chained(),
            "has_predicate": c["removal.expired"] is not None,
            "predicate_is_expression": self.predicate_is_expression,
            "expire": expire, "expire_by_bytes": self.predicate_is_expression and expire is None,
            "expires_in_place": self.predicate_is_expression,
            "expires_by_label": "expire" in self.provided(),
            "alive": alive,
            "mark_at": f"&element{member}" if member else "element", "mark_of": f"element{member}" if member else "*element",
            "mark_at_it": f"&it{member}" if member else "it", "mark_of_it": f"it{member}" if member else "*it",
            "label_of": label_of, "mark": self.mark, "stamped": self._stamped(),
            "mark_in": f"element.{self.mark}" if self.mark else "element",
            "mark_in_pool": f"pool[n].{self.mark}" if self.mark else "pool[n]",
            "by_label": plan.by_pointer or plan.keyed,
            "key_is_function": str(c["identity.key"]) if plan.keyed and c["identity.key"] is not None
            and c["identity.key"].is_function else None,
            "predicate": str(c["removal.expired"]),
            "asked": f"bt_{T}_equal(label)" if plan.keyed else f"bt_{T}_item(label)",
            "outside": c.is_layer, "ticks": c.is_layer and c["hooks.update"] is not None, "around": c.around,
            "hooks_used": used, "hooks_unused": shared,
            "hooks_of_copies": {c["hooks.remove"], c["hooks.destroy"]},  # what has left is shown as a copy
            "rows_end": f"{T}_capacity(list)" if plan.tightens and self.dense else f"{T}_rows(list)",
            "context": self.context, "context_is_pointer": self.context is not None and self.context.rstrip().endswith("*"),
            "updates_with_context": "update" in self.operations and len(self.operations["update"].params) == 2,
            "settle_seconds": len(self.operations["settle"].params) == 2,
        }


def _literal(line: str) -> str:
    """A line of C as a string of C."""
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'


def shared_functions(plans: Sequence[Plan]) -> str:
    """The user's functions that containers may share: predicates, keys, allocators. They ask the driver."""
    texts: Dict[str, str] = {}
    for plan in plans:
        c = plan.container
        element = declare(pointer_to(plan.const_element), "element")
        predicate, key = c["removal.expired"], c["identity.key"]
        if predicate is not None and predicate.is_function:
            texts.setdefault(str(predicate), f"bool {predicate}_under_test({element})\n{{\n    return bt_has_expired(bt_it->label(element));\n}}\n")
        if key is not None and key.is_function and plan.keyed:
            texts.setdefault(str(key), f"uint64_t {key}_under_test({element})\n{{\n    return bt_it->label(element);\n}}\n")
        key, less = c["sort.key"], c["sort.less"]
        if key is not None and key.is_function:
            texts.setdefault(str(key), f"double {key}_under_test({element})\n{{\n    return bt_rank_of(bt_it->label(element));\n}}\n")
        if less is not None and less.is_function:
            texts.setdefault(str(less), f"bool {less}_under_test({declare(pointer_to(plan.const_element), 'a')}, "
                             f"{declare(pointer_to(plan.const_element), 'b')})\n{{\n"
                             "    return bt_rank_of(bt_it->label(a)) < bt_rank_of(bt_it->label(b));\n}\n")
        if plan.custom_allocator:
            alloc, realloc, free = (c[f"allocator.{name}"] for name in ("alloc", "realloc", "free"))
            texts.setdefault(alloc, f"void *{alloc}_under_test(void *context, size_t bytes)\n{{\n    return bt_alloc(context, bytes);\n}}\n")
            texts.setdefault(realloc, f"void *{realloc}_under_test(void *context, void *block, size_t old_bytes, size_t new_bytes)\n{{\n"
                             "    bt_need_bytes(context, block, old_bytes);\n"
                             "    return bt_realloc(context, block, new_bytes);\n}\n")
            texts.setdefault(free, f"void {free}_under_test(void *context, void *block, size_t bytes)\n{{\n"
                             "    bt_need_bytes(context, block, bytes);\n    bt_free(context, block);\n}\n")
    return "\n".join(texts.values())


# What the test of containers in layers must know of one, beside what it knows of a layer.
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


def _around_layers(environment: jinja2.Environment, plan: Plan, printed: Printed) -> Dict[str, Any]:
    """What the test must know of a container in layers, beside what it knows of a layer."""
    inner = plan.inner
    layer = _Subject(inner)
    of_layer = {rule["name"]: rule["value"] for rule in layer.rules(printed)}
    order = inner.container["ordering"]
    said = dict(of_layer, layers=f"{plan.TT}_LAYERS", ordered=order in ("insertion", "explicit"), sorted=order == "sorted",
                next_pass=of_layer["bounded"], exclusive=plan.exclusive, backward=plan.backward,
                both=plan.both_ways, addressed=inner.addressed or inner.rows, settle_with='", 0.0"' if plan.settle_seconds else '""',
                update_with='", given"')
    missing = [call for call, there in (("remove", not inner.has_handles and not inner.rows), ("layer_of", not inner.rows),
                                        ("move", plan.layer_has["take_from"]),
                                        ("update", plan.layer_has["update"]), ("prune", plan.layer_has["prune"]), ("lock", plan.layer_has["lock"]),
                                        ("unlock", plan.layer_has["lock"])) if not there]
    context = dict(plan.context(), decl=declare, pointer_to=pointer_to, addressed=inner.addressed, label_of=layer.values(printed)["label_of"],
                   asked=f"bl_{plan.T}_find(label)" if inner.addressed else f"bt_{inner.T}_equal(label)" if inner.keyed
                   else f"bt_{inner.T}_item(label)", expires_in_place=layer.predicate_is_expression,
                   layer_rules=[{"name": rule.name, "value": str(said[rule.name]).lower() if isinstance(said[rule.name], bool)
                                 else said[rule.name]} for rule in LAYER_RULES],
                   layer_calls=[{"name": name, "provided": name not in missing} for name in LAYER_CALLS])
    found = environment.get_template("test/layers_found.j2")
    as_program = dict(context, **printed.facts())
    paste = environment.get_template("test/layers_paste.j2").render(as_program, found=found.render(as_program, inside=False).strip())
    return dict(context, found=found.render(context, inside=True).strip(),
                preface=[_literal(line) for line in paste.rstrip("\n").split("\n")])


def test_file(environment: jinja2.Environment, stem: str, plans: Sequence[Plan], headers: Sequence[str],
              container_headers: Sequence[str], single: bool, implementation_macro: str,
              functions: Sequence[str] = (), definitions: Sequence[str] = (),
              spelled: Sequence[Tuple[str, str, str]] = (), whole: Optional[Tuple[str, str]] = None) -> str:
    """The text of `<stem>_test.c`, not formatted. `functions`: those that belong to no container; `definitions`: headers that
    may include `<stem>.h`; `spelled`: see `Speller.pairs`; `whole`: header and source with all operations, where they are in no file."""
    around = [plan for plan in plans if plan.container.layer is not None]
    ordinary = [plan for plan in plans if plan.container.layer is None]
    most = max([plan.limit for plan in ordinary if plan.limit is not None and plan.limit <= MOST_FILLED] or [0])
    assigns = any(_Subject(plan).assigns_mark or _Subject(plan).assigns_rank for plan in ordinary)
    queues = has_queues(ordinary)
    drivers = dict(
        queues=queues, assigns=assigns, labels=max(LABELS, most + 2), outside=bool(around), spelled=spelled, rules=RULES + (QUEUE_RULES if queues else ()), calls=CALLS + (QUEUE_CALLS if queues else ()),
        statuses=sorted(((name, number) for name, (number, _) in STATUSES.items()), key=lambda status: status[1]),
        ranks=any(_Subject(plan).ranked_by_function or _Subject(plan).rank_member for plan in ordinary),
        predicates=any(str(plan.container["removal.expired"]) in your_names(plan) for plan in ordinary),
        custom_allocators=any(plan.custom_allocator for plan in ordinary),
        updates=any("update" in dict(_Subject(plan).hooks()[0]) for plan in ordinary),
        moves=any("move" in dict(_Subject(plan).hooks()[0]) for plan in ordinary),
        looks_on=any(_Subject(plan).hooks()[1] for plan in ordinary))
    plain = [(plan.allocator[name], f"bt_plain_{name}") for plan in ordinary if plan.plain_allocator for name in plan.allocator]
    plain = list(dict.fromkeys(plain))
    drivers["plain_allocators"] = plain
    driver = "".join(environment.get_template(f"test/{part}.j2").render(drivers) for part in ("driver", "runs"))
    texts: List[str] = []
    renamed: List[str] = list(functions)
    yours: List[str] = []
    printed = Printed(plans)
    for plan, header in zip(plans, container_headers):
        renamed += external_names(plan, header)
        if plan in around:
            continue
        context: Dict[str, Any] = plan.context()
        context.update(_Subject(plan, queues).values(printed))
        context.update(own=printed.own, decl=declare, pointer_to=pointer_to, stem=stem, chosen=whole is not None, headers=[*headers, *definitions], single=single,
                       implementation_macro=implementation_macro)
        paste = printed.own_members(environment.get_template("test/paste.j2").render(dict(context, **printed.facts())))
        context["preface"] = [_literal(line) for line in paste.strip("\n").split("\n")]
        texts.append(environment.get_template("test/container.j2").render(context))
        yours += your_names(plan)
    if around:
        texts.insert(0, environment.get_template("test/layered.j2").render(rules=LAYER_RULES))
        texts += [environment.get_template("test/layers.j2").render(_around_layers(environment, plan, printed)) for plan in around]
    return environment.get_template("test/file.c.j2").render(
        stem=stem, whole=whole, included=f"{stem}.h" if single else f"{stem}.c", single=single, implementation_macro=implementation_macro,
        headers=headers, definitions=definitions, driver=driver, assigns=assigns, plain_allocators=plain, renamed=renamed, yours=list(dict.fromkeys(yours)), containers=texts,
        prototypes=list(dict.fromkeys(prototype for plan in ordinary for prototype in plan.prototypes)),
        growing=[plan.TT for plan in ordinary if plan.stores and not (plan.inline_storage or plan.fixed_storage)],
        shared=shared_functions(ordinary), names=[plan.T for plan in ordinary],
        around=[plan.T for plan in around])
