"""The driver of all generated tests: plain C in `templates/test/driver`. It depends on no spec, so its text is the same for
all of them. Which parts of it a test compiles is said by macros that the test defines, `BT_WITH_...`."""

from typing import Collection, Dict, List

import jinja2

from ..language.statuses import STATUSES
from ..text.c_tokens import literal
from ..text.project import CONTRACT
from ..types.declare import declare
from .interface import ALL_CALLS, ALL_RULES, LAYER_RULES
from .preprocessing import kept

LABELS = 1200  # by which a test knows elements, if it does not say otherwise; more than two full models can hold
BEFORE = ("base", "assign", "texts")  # the records of containers under test
SHARED = ("assign", "texts")  # with the programs that failing tests print
BEHIND = ("subject", "spelling", "failing", "story", "memory", "handles", "model", "frames", "pending", "passes", "catch_up",
          "merge_model", "reasons", "hooks", "operations", "add", "remove", "moves", "splices", "remove_at", "ends", "indices",
          "numbers", "remove_many", "rekey", "iterate", "update", "taking", "anywhere", "scans", "indexes", "changes", "beside",
          "weighing", "settle", "merge", "room", "saving", "snapshots", "act", "read", "order", "compare", "runs", "replay",
          "sequences", "rare", "rare_removed", "rare_slots", "rare_addresses", "rare_memory", "rare_passes", "rare_orders",
          "rare_refused", "rare_meddled", "rare_saving", "rare_sizes", "rare_workers", "rare_cases", "layers_model",
          "layers_operations", "layers_runs", "layers_rare", "main")


class Driver:
    """The driver, and what of its text stands in other places too."""

    def __init__(self, environment: jinja2.Environment):
        self._environment = environment

    def text(self, alone: bool = False) -> str:
        """All of it; `alone`: not for a file of its own."""
        return self._environment.get_template("test/driver.h.j2").render(
            alone=alone, decl=declare, version=CONTRACT, labels=LABELS, rules=ALL_RULES, calls=ALL_CALLS, layer_rules=LAYER_RULES,
            program=self.program(), statuses=sorted((number, name) for name, (number, _) in STATUSES.items()),
            before=[self._text(name) for name in BEFORE], behind=[self._text(name) for name in BEHIND])

    def within(self, macros: Collection[str]) -> str:
        """What a test compiles that defines these macros."""
        return kept(self.text(alone=True), macros)

    def program(self) -> Dict[str, List[str]]:
        """What is the same in each failure that is printed as a program: strings of C, by the macro that stands for them."""
        texts = {
            "INCLUDES": self._program("includes"), "EXPECT": self._program("expect"), "FILES": self._program("files"),
            "STAMPS": self._program("stamps"),
            "SET": self._shared("assign", bt="", BT="", spare="static "),
            "TEXTS": self._shared("texts", bt="", BT="", spare="", nobody="0u")}
        return {f"BT_PROGRAM_{name}": [literal(line) for line in text.strip().split("\n")] for name, text in texts.items()}

    def _program(self, name: str) -> str:
        return self._environment.get_template(f"test/program/{name}.j2").render()

    def _text(self, name: str) -> str:
        if name in SHARED:
            return self._shared(name, bt="bt_", BT="BT_", spare="BT_SPARE static ", nobody="BT_NOBODY")
        return self._environment.loader.get_source(self._environment, f"test/driver/{name}.c")[0]

    def _shared(self, name: str, **words: str) -> str:
        """What printed programs have too, under names of their own."""
        return self._environment.get_template(f"test/driver/{name}.j2").render(words)
