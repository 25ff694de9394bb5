"""The part of a generated test that is the same for all containers: plain C in `templates/test/driver`, a file for each subject."""

from typing import Dict, Sequence, Tuple

import jinja2

from ..language.statuses import OF_SAVING, OF_TREES, STATUSES
from .holes import filled
from .interface import GROUPS, LAYER_RULES, Rule, needed
from .subject import Subject

LABELS = 1200  # labels by which the test knows elements; more than two full models can hold
MOST_FILLED = 5000  # containers up to this size are filled to the brim

DRIVER = ("base", "story", "memory", "model", "frames", "pending", "passes", "hooks", "operations", "add_remove", "iterate", "maintain", "compare",
          "runs", "replay", "sequences", "rare", "rare_removed", "rare_memory", "rare_passes", "rare_orders", "rare_refused", "rare_meddled", "rare_saving",
          "rare_cases")
LAYERS = ("layers_model", "layers_operations", "layers_runs", "layers_rare")


class Driver:
    """The driver of one test."""

    def __init__(self, environment: jinja2.Environment, stem: str, subjects: Sequence[Subject], around: Sequence[str],
                 plain_allocators: Sequence[Tuple[str, str]], spelled: Sequence[Tuple[str, str, str]]):
        self._environment = environment
        most = max([subject.limit for subject in subjects if subject.limit is not None and subject.limit <= MOST_FILLED] or [0])
        hooks = {event for subject in subjects for event, _ in subject.hooks_used}
        has = needed(subject.parts for subject in subjects)
        known = [name for name in STATUSES if ("saving" in has.groups or name not in OF_SAVING)
                 and ("branching" in has.groups or name not in OF_TREES)]
        statuses = sorted(((name, STATUSES[name][0]) for name in known), key=lambda status: status[1])
        groups = {group.name: group.name in has.groups for group in GROUPS}
        self._holes: Dict[str, object] = dict(**groups, **{  # a name that is there twice is an error
            "labels": max(LABELS, most + 2),
            "statuses": ",\n".join(f"    BT_{name} = {number}" for name, number in statuses),
            "status_words": ", ".join(f'"{name}"' for name, _ in statuses),
            "rules": _members(has.rules), "layer_rules": _members(LAYER_RULES),
            "calls": "\n".join(f"    {call.declare(f'(*{call.name})')};" for call in has.calls),
            "assigns": any(subject.assigns for subject in subjects), "spelled": bool(spelled),
            "spellings": "\n".join(f'    {{"{type_}", "{operation}", "{name}"}},' for type_, operation, name in spelled),
            "ranks": any(subject.ranks for subject in subjects), "predicates": any(subject.predicate_function for subject in subjects),
            "custom_allocators": any(subject.own_arena for subject in subjects), "plain_allocators": bool(plain_allocators),
            "updates": "update" in hooks, "moves": "move" in hooks, "looks_on": any(subject.hooks_unused for subject in subjects),
            "outside": bool(around), "texts": any(subject.uses_text for subject in subjects),
            "subjects": ", ".join(f"&bc_{subject.T}_subject" for subject in subjects),
            "layer_subjects": ", ".join(f"&bl_{name}_subject" for name in around),
            "fuzz_command": f"/* The same operations from bytes: clang -DBESPOKE_FUZZ -fsanitize=fuzzer,address {stem}_test.c */",
        })
        self._holes["set_member"] = self.text("assign") if self._holes["assigns"] else ""
        self._holes["ends"] = self.text("ends") if "queues" in has.groups else ""
        self._holes["moving"] = self.text("moves") if "moving" in has.groups else ""
        self._holes["by_index"] = self.text("indices") if "indices" in has.groups else ""
        self._holes["saving_operations"] = self.text("saving") if "saving" in has.groups else ""
        self._holes["snapshot_operations"] = self.text("snapshots") if "snapshots" in has.groups else ""
        self._holes["spell_keys"] = self.text("texts") if self._holes["texts"] else ""
        self._holes["merging_model"] = self.text("merge_model") if "merging" in has.groups else ""
        self._holes["worker_cases"] = self.text("rare_workers") if "merging" in has.groups else ""
        self._holes["merging"] = self.text("merge") if "merging" in has.groups else ""
        self._holes["spelling"] = self.text("spelling") if spelled else ""

    def text(self, *names: str) -> str:
        """Some of its files, one behind the other."""
        return "".join(filled(self._source(name), self._holes) for name in names)

    def _source(self, name: str) -> str:
        return self._environment.loader.get_source(self._environment, f"test/driver/{name}.c")[0]

    def assignment(self) -> str:
        """What writes a member of any type, for a failure that is printed as a program."""
        return self.text("assign").replace("BT_SET", "SET").replace("bt_probes", "probes")

    def spelling(self) -> str:
        """What writes a key that is text, for the same."""
        plain = self.text("texts").replace("BT_SPARE static ", "").replace("static char ", "char ")
        return plain.replace("BT_", "").replace("bt_", "").replace("NOBODY", "0u").strip()


def _members(rules: Sequence[Rule]) -> str:
    return "\n".join(f"    {rule.type} {rule.name}; /* {rule.doc} */" for rule in rules)
