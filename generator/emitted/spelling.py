"""How emitted names are spelled, and what stands before declarations.

Texts that are not printed yet hold each name behind a mark (`text.naming`): the C type T, and T_ before everything else. What
the spec calls them (`emit.types`, `emit.functions`) is put in when they are printed, so code, comments, examples and messages
agree and no template knows of it. Macros and constants stay in capitals.
"""

import re
from typing import Any, Dict, List, Sequence, Tuple

from ..containers.plan import Plan
from ..text.naming import MARK, PRIVATE_TYPES, TYPES, pascal, plain, tail

_NAME = re.compile(rf"{MARK}(?:(?<!\w{MARK})|(?<=\\n{MARK})|(?<=%s{MARK}))(\w*)")  # that stands alone, also behind `\n` or `%s` in a string


class _Names:
    """The names of one container."""

    def __init__(self, plan: Plan):
        container = plan.container
        self.T = container.full_name
        self.functions = container["emit.functions"]
        self.head = container.function("")
        self.separate = container["emit.types"] == "snake"  # T and what follows, in types
        self.operations = {operation.name for operation in plan.operations}

    def function(self, name: str) -> str:
        return self.head + tail(name, self.functions)

    def type(self, name: str) -> str:
        return f"{self.T}_{name}" if self.separate else self.T + pascal(name)

    def spelled(self, rest: str) -> str:
        """What T and this, behind a `_`, is called; nothing: what functions begin with."""
        if rest in self.operations:
            return self.function(rest)
        if rest in TYPES or rest in PRIVATE_TYPES or rest.endswith("_" + PRIVATE_TYPES[-1]):
            return self.type(rest)
        return f"{self.T}_{rest}" if rest.isupper() else self.function(rest)  # constants, where T itself is in capitals


class Speller:
    """Prints texts: the names in them as the spec calls them."""

    def __init__(self, plans: Sequence[Plan]):
        """All containers that are emitted into the same files, layers included."""
        self._of = {plan.container.full_name: _Names(plan) for plan in plans if plan.container.respelled}
        self._heads = sorted(self._of, key=len, reverse=True)
        self._spelled: Dict[str, str] = {each.function: each.function for plan in plans for each in plan.all_callbacks}
        self.pairs: List[Tuple[str, str, str]] = [  # T and the name of an operation, and how the two are spelled
            (names.T, operation.name, names.function(operation.name))
            for plan in plans for names in [self._of.get(plan.container.full_name)] if names is not None for operation in plan.operations]

    def spell(self, text: str) -> str:
        return plain(_NAME.sub(self._word, text) if self._of else text)

    def _word(self, match: Any) -> str:
        name = match[1]
        spelled = self._spelled.get(name)
        if spelled is None:
            head = next((head for head in self._heads if name.startswith(head + "_")), None)
            spelled = self._spelled[name] = name if head is None else self._of[head].spelled(name[len(head) + 1:])
        return spelled
