"""How emitted names are spelled, and what stands before declarations.

Plans and templates know one spelling: the C type T, and T_ before everything else. What a spec asks for beside it (`emit.types`,
`emit.functions`) is made of the rendered text, word by word, so that code, comments, examples and messages agree and no
template knows of it. Macros and constants stay in capitals, and names of the user's stay as he wrote them.
"""

import re
from typing import Any, Dict, Iterable, List, Sequence, Set, Tuple

from ..text.naming import TYPES, head, pascal, tail

_WORD = re.compile(r"[A-Za-z_]\w*")


class _Names:
    """The names of one container."""

    def __init__(self, container: Any):
        from ..text.identifiers import shout
        self.T = container.full_name
        self.TT = shout(self.T)
        self.functions = container["emit.functions"]
        self.head = container.function("")
        self.separate = container["emit.types"] == "snake"  # T and what follows, in types

    def function(self, name: str) -> str:
        return self.head + tail(name, self.functions)

    def type(self, name: str) -> str:
        return f"{self.T}_{name}" if self.separate else self.T + pascal(name)


class Speller:
    """Spells the names in the text of a spec's files as the spec wants them."""

    def __init__(self, containers: Sequence[Any], memberships: Sequence[Any] = ()):
        """All containers that are emitted into the same files, layers included, and functions over several of them."""
        self._of: Dict[str, _Names] = {}
        self._exact: Dict[str, str] = {}
        for container in containers:
            if container.respelled:
                names = _Names(container)
                self._of[names.T] = names
                if container.is_layer:  # also where the text says T_layer
                    self._of[next(each.full_name for each in containers if each.layer is container) + "_layer"] = names
        self.idle = not self._of
        self.pairs: List[Tuple[str, str, str]] = []  # T and the name of an operation, and how the two are spelled
        if self.idle:
            return
        from ..containers.plan import make_plan
        for container in containers:
            names = self._of.get(container.full_name)
            for operation in make_plan(container).operations if names else ():
                self.pairs.append((names.T, operation.name, names.function(operation.name)))
        self._exact = {f"{T}_{name}": spelled for T, name, spelled in self.pairs}
        self._yours = yours(containers, memberships)
        heads = "|".join(sorted(map(re.escape, self._of), key=len, reverse=True))
        # Not a member, nor the name of a file.
        self._token = re.compile(rf"(?<![\w.])(?<!->)({heads})_(\w+)\b(?!\.[a-z])|(\\n|%s)({heads})_(\w+)\b")
        self._declared = re.compile(rf"\b(?:struct|enum|union|class)\s+({heads})_(\w+)|\btypedef\b[^;{{}}()]*?\b({heads})_(\w+)\s*;")
        # In what misuse says, the operation is put together with the name of the container.
        self._said = re.compile(r"\b(%s)_MISUSE_\(\"(\w+)\"" % "|".join(re.escape(names.TT) for names in self._of.values()))
        self._says = re.compile(rf'"({heads})_(?=%s|")')
        self._types: Set[str] = {f"{T}_{name}" for T in self._of for name in TYPES}

    def learn(self, texts: Iterable[str]) -> None:
        """Looks at what the texts declare: a type is spelled in another way than a function."""
        for text in () if self.idle else texts:
            for match in self._declared.finditer(text):
                self._types.add("_".join(part for part in match.groups() if part))

    def spell(self, text: str) -> str:
        if self.idle:
            return text
        by_macro = {names.TT: names for names in self._of.values()}
        text = self._said.sub(lambda m: f'{m[1]}_MISUSE_("{tail(m[2], by_macro[m[1]].functions)}"', text)
        text = self._says.sub(lambda m: '"' + self._of[m[1]].head, text)
        lines = text.split("\n")
        return "\n".join(line if line.startswith("#include") else self._token.sub(self._word, line) for line in lines)

    def _word(self, match: Any) -> str:
        before, T, rest = ("", match[1], match[2]) if match[1] else (match[3], match[4], match[5])
        word = f"{T}_{rest}"
        if word in self._exact:
            return before + self._exact[word]
        names = self._of[T]
        if word in self._yours or (names.TT == T and rest.isupper()):
            return match[0]
        return before + (names.type(rest) if word in self._types else names.function(rest))


_TEXTS = ("type", "function", "callable", "comparison", "statement", "fields")


def yours(containers: Sequence[Any], memberships: Sequence[Any]) -> Set[str]:
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

_PIECE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|[A-Za-z_]\w*|->|\s+|.',
                    re.S | re.M)


def called(containers: Sequence[Any]) -> Set[str]:
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


# -- the macro of an export ---------------------------------------------------------------------------------------------

_LEXEME = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|extern\s*"C"\s*\{|[;{}]|[^\s\0;{}/"\'#]+',
                     re.S | re.M)

_FUNCTION = re.compile(r"(\w+)\s*\(")
_NOT_EXPORTED = ("static", "typedef", "inline", "using", "template")


def exported(header: str, macro: str, yours: Set[str]) -> str:
    """A header, with a macro before each function that it declares and does not define, but for those of the user's."""
    places: List[int] = []
    depth, began, words, opened = 0, -1, [], []  # type: int, int, List[str], List[bool]
    for match in _LEXEME.finditer(header):
        text = match[0]
        if text.startswith(("/*", "//")) or text.lstrip(" \t").startswith("#"):
            continue
        if text.startswith("extern") and text.endswith("{"):
            opened.append(False)
        elif text == "{":
            opened.append(True)
            depth += 1
        elif text == "}":
            if opened and opened.pop():
                depth -= 1
            words = []
        elif depth == 0 and text == ";":
            if words and words[-1].endswith(")") and words[0] not in _NOT_EXPORTED and "(" not in words[0] \
                    and yours.isdisjoint(_FUNCTION.findall(" ".join(words))[:1]):
                places.append(began)
            words = []
        elif depth == 0:
            if not words:
                began = match.start()
            words.append(text)
    for place in reversed(places):
        header = f"{header[:place]}{macro} {header[place:]}"
    return header


# -- the type of sizes ---------------------------------------------------------------------------------------------------

# Bytes are counted as the library and allocators count them.
_MINUS = re.compile(r"\(size_t\)(-\d+)")
_SIZE = re.compile(r"\bsize_t\b(?!\x02| \*?(?:\w*_)?(?:bytes|length)_?\b)")


def kept_sizes(text: str) -> str:
    """A text in which size_t means size_t, whatever becomes of what stands around it."""
    return re.sub(r"\bsize_t\b", "size_t\x02", text)


def sized(text: str, size_type: str) -> str:
    """A text whose numbers, places and rows are of another type than size_t."""
    # A cast that formatters of all ages take for one, though they do not know the type.
    return _SIZE.sub(size_type, _MINUS.sub(r"(size_t)(\1)", text)).replace("\x02", "")
