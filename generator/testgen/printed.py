"""A failure printed as a program: the names in it, and its text as strings of C."""

import re
from typing import Any, Dict, Iterable

from ..language.taken_names import IN_TEST, LOCALS
from ..text.naming import MARK, plain
from ..types.declare import declare

# What a failure that is printed as a program has at file scope, beside the user's functions (`rules.TOLD` may not be theirs) and
# containers (`rules.LOCALS` may not be theirs). Those of two words end in none that an operation has.
PRINTED = frozenset("""
    all begins_with blocks emplaced expire expire_at expires expiring found given handles heard is_stamped key key_bytes
    key_length known known_at like list_cursors made newest note noted nth other_cursors over placed pool probes probes_bits
    probes_copy rank ranks react requests same scarce_free scarce_malloc scarce_realloc spelled stamp text_length text_of
    texts times_noted updated visited write_number write_text
    """.split())


class Printed:
    """What a failure that is printed as a program calls what is the user's and has a name that it needs itself."""

    def __init__(self, functions: Iterable[str], types: Iterable[str]):
        self.functions = sorted(PRINTED.intersection(functions))
        self.types = sorted((PRINTED | LOCALS | IN_TEST).intersection(types))
        # Types and expressions are the user's: which names are in them only a look at their text can tell.
        words = "|".join([*self.functions, *self.types]) or "(?!)"
        self._renamed = re.compile(rf"(?<!{MARK})\b(?:{words})\b|{MARK}(?:{'|'.join(self.types) or '(?!)'}){MARK}")

    def own(self, text: str) -> str:
        """A name or type as the program has it."""
        return self._renamed.sub(lambda name: f"your_{plain(name[0])}", str(text))

    def own_members(self, text: str) -> str:
        """A program: what is behind a dot or an arrow was declared in a header, where such names were others."""
        return re.sub(r"(->|[\w\])]\.)(\w+)", lambda member: member[1] + self.own(member[2]), text)

    def declare(self, type_: str, name: str) -> str:
        return declare(self.own(type_), name)

    def facts(self) -> Dict[str, Any]:
        return {"own": self.own, "decl": self.declare, "clashing": self.functions, "clashing_types": self.types}
