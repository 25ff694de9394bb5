"""How emitted names are spelled, and what stands before declarations.

Texts that are not printed yet hold each name so that it is known for one (`text.naming`): the C type T, and T_ before
everything else. What the spec calls them (`emit.types`, `emit.functions`) is put in when they are printed, so code, comments,
examples and messages agree and no template knows of it. Macros and constants stay in capitals.
"""

import re
from typing import Any, Dict, List, Sequence, Set, Tuple

from ..text.naming import A_NAME, PRIVATE_TYPES, TYPES, Name, stays, pascal, plain, tail

_WORD = re.compile(r"[A-Za-z_]\w*")


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


_TEXTS = ("type", "function", "callable", "comparison", "statement", "fields")


def words_of(containers: Sequence[Any], memberships: Sequence[Any]) -> Set[str]:
    """Every name in what a spec says in C, but for members."""
    from ..language.keys import BY_PATH
    found: Set[str] = {membership.name for membership in memberships}
    for container in containers:
        if container.is_layer:
            continue  # said of what it is a layer of
        for path, setting in container.settings.items():
            if setting.value is not None and BY_PATH[path].kind in _TEXTS:
                found.update(_WORD.findall(re.sub(r"(?:\.|->)\s*\w+", " ", str(setting.value))))
    return found


# -- variables that give way to the user's functions --------------------------------------------------------------------

_PIECE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|[^\W\d]\w*|->|\s+|.',
                    re.S | re.M)


def functions_of(containers: Sequence[Any]) -> Set[str]:
    """The functions of the user that emitted code calls by their names."""
    from ..language.keys import FUNCTIONS
    return {str(container[path]) for container in containers for path in FUNCTIONS
            if container[path] is not None and str(container[path]).isidentifier()}


def give_way(text: str, functions: Set[str], taken: Set[str]) -> str:
    """A text in which no function that calls one of these has a parameter or variable of its name. `taken`: names not to use instead."""
    pieces = _PIECE.findall(text)
    meant = [i for i, piece in enumerate(pieces) if not piece.isspace() and not piece.startswith(("/*", "//"))]
    depth = 0
    began = 0  # in `meant`: where what is declared at file scope begins
    for at, i in enumerate(meant):
        piece = pieces[i]
        if piece == "{" and depth == 0 and pieces[meant[at - 1]] == '"C"':
            began = at + 1
        elif piece == "{":
            depth += 1
        elif piece == "}" and depth > 0:
            depth -= 1
        if depth == 0 and (piece in (";", "}") or piece.lstrip(" \t").startswith("#")):
            if piece == "}":
                _give_way(pieces, meant[began:at + 1], functions, taken)
            began = at + 1
    return "".join(pieces)


def _give_way(pieces: List[str], meant: Sequence[int], functions: Set[str], taken: Set[str]) -> None:
    """The same in one definition."""
    words = [pieces[i] for i in meant]
    for name in sorted(functions.intersection(words)):
        uses = [at for at, word in enumerate(words) if word == name]
        calls = [at for at in uses if words[at + 1:at + 2] == ["("]]
        locals_ = [at for at in uses if at not in calls and words[at - 1] not in (".", "->")]
        if not calls or not locals_:
            continue
        other = name + "_"
        while other in words or other in taken:
            other = "its_" + other
        for at in locals_:
            pieces[meant[at]] = other
