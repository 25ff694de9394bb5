"""Variables of emitted functions give way to containers: where a container is called `items`, a variable of that name becomes
`the_items`.

Texts hold the names of containers behind a mark (`text.naming`), and C says which of the other words are none of a variable:
members, tags, and all that stands in a struct, in an enum or for the preprocessor.
"""

import re
from typing import List, Sequence, Set

from ..language.taken_names import IN_TEST, LOCALS, THREADED, TRACED
from ..text.naming import MARK

_TOKEN = re.compile(rf"""
    ^{MARK}?[A-Z][A-Z0-9_]*{MARK}?\([^;]*; | (?P<line>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*$)
    | (?P<comment>/\*.*?\*/)
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | \w*(?:{MARK}\w*)+ | (?:->|\.(?!\.))\s*{MARK}?\w+{MARK}?
    | \b(?:struct|union|enum|goto)\s+\w+(?!\w*{MARK}) | \boffsetof\s*\([^,()]*,[^()]*\)
    | \bBT_SET\([^,]*,(?P<target>[^,]*),[^,]*
    | \b_?[Ss]tatic_assert\b[^;]*;
    | (?P<word>[A-Za-z_]\w*) | (?P<brace>[{{}}]) | (?P<end>;)
    """, re.VERBOSE | re.MULTILINE | re.DOTALL)
_RECORD = re.compile(r"\b(?:struct|union|enum)\b[^;{}=]*\Z")
_CODE = re.compile(r"`[^`]*`")


class GivingWay:
    """Prints C: with other names for the variables that are called as these containers."""

    def __init__(self, containers: Sequence[str], traced: bool):
        self._taken = set(containers)
        variables = LOCALS | THREADED | IN_TEST | (TRACED if traced else set())
        self._names = {name: f"the_{name}" for name in sorted(self._taken & variables)}
        for name in self._names:
            while self._names[name] in self._taken:
                self._names[name] = "the_" + self._names[name]
        self._word = re.compile(rf"(?<![\w{MARK}.>])(?:{'|'.join(self._names) or '(?!)'})\b")

    def __call__(self, text: str) -> str:
        if not self._names or not self._word.search(text):
            return text
        printed: List[str] = []
        records: Set[int] = set()  # the depths at which a struct or an enum was begun
        depth, since, at = 0, 0, 0
        for token in _TOKEN.finditer(text):
            printed.append(text[at:token.start()])
            at, word = token.end(), token.group()
            if token["brace"] == "{":
                before = text[since:token.start()]
                if _RECORD.search(before) and not before.endswith((")\n", ") ")):  # else it is the body of a function
                    records.add(depth)
                depth += 1
            elif token["brace"]:
                depth -= 1
                records.discard(depth)
            if token["brace"] or token["end"]:
                since = at
            if token["word"] and not records:
                word = self._names.get(word, word)
            elif token["target"]:
                word = word.replace(token["target"], self._word.sub(self._other, token["target"]), 1)
            elif token["comment"]:
                word = (self._word.sub(self._other, word) if word.startswith("/*@")
                        else _CODE.sub(lambda code: self._word.sub(self._other, code[0]), word))
            printed.append(word)
        return "".join(printed) + text[at:]

    def _other(self, name: "re.Match[str]") -> str:
        return self._names[name[0]]
