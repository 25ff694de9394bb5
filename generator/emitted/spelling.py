"""How emitted names are spelled, and what stands before declarations.

Texts that are not printed yet hold each name so that it is known for one (`text.naming`): the C type T, and T_ before
everything else. What the spec calls them (`emit.types`, `emit.functions`) is put in when they are printed, so code, comments,
examples and messages agree and no template knows of it. Macros and constants stay in capitals.
"""

from typing import Any, Dict, List, Sequence, Set, Tuple

from ..text.naming import A_NAME, PRIVATE_TYPES, TYPES, Name, stays, pascal, plain, tail


class _Names:
    """The names of one container."""

    def __init__(self, container: Any):
        self.T = container.full_name
        self.functions = container["emit.functions"]
        self.head = container.function("")
        self.separate = container["emit.types"] == "snake"  # T and what follows, in types
        self.operations: Set[str] = set()

    def function(self, name: str) -> str:
        return self.head + tail(name, self.functions)

    def type(self, name: str) -> str:
        return f"{self.T}_{name}" if self.separate else self.T + pascal(name)

    def spelled(self, rest: str) -> str:
        """What T and this, behind a `_`, is called; nothing: what functions begin with."""
        if rest not in self.operations and (rest in TYPES or rest in PRIVATE_TYPES or rest.endswith("_" + PRIVATE_TYPES[-1])):
            return self.type(rest)
        return self.function(rest)


class Speller:
    """Prints texts: the names in them as the spec calls them."""

    def __init__(self, containers: Sequence[Any], memberships: Sequence[Any] = ()):
        """All containers that are emitted into the same files, layers included."""
        self._of: Dict[str, _Names] = {}
        self._spelled: Dict[str, str] = {}  # by the name as texts hold it
        for container in containers:
            if container.respelled:
                names = _Names(container)
                self._of[Name(names.T).marked] = names
        self._heads = sorted(self._of, key=len, reverse=True)
        self.pairs: List[Tuple[str, str, str]] = []  # T and the name of an operation, and how the two are spelled
        if self._of:
            from ..containers.plan import make_plan
            for container in containers:
                names = self._of.get(Name(container.full_name).marked)
                if names is not None:
                    names.operations.update(operation.name for operation in make_plan(container).operations)
                    self.pairs += [(names.T, operation.name, names.function(operation.name)) for operation in make_plan(container).operations]

    def spell(self, text: str) -> str:
        return plain(A_NAME.sub(self._word, text) if self._of else text)

    def _word(self, match: Any) -> str:
        name = match[0]
        spelled = self._spelled.get(name)
        if spelled is None:
            spelled = self._spelled[name] = self._spell(name)
        return spelled

    def _spell(self, name: str) -> str:
        head = None if stays(name) else next((head for head in self._heads if name.startswith(head + "_")), None)
        return plain(name) if head is None else self._of[head].spelled(name[len(head) + 1:])
