"""Values of a spec with their places: what was written, and what it means in the core schema of YAML 1.2."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

from .diag import Span
from .printing import shown

_WORDS = {'': None, '~': None, 'null': None, 'Null': None, 'NULL': None, 'true': True, 'True': True, 'TRUE': True,
          'false': False, 'False': False,
          'FALSE': False, **dict.fromkeys(('.nan', '.NaN', '.NAN'), float('nan')),
          **{sign + word: float(sign + 'inf') for sign in ('', '+', '-') for word in ('.inf', '.Inf', '.INF')}}
_INT = re.compile(r'(?:[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+)\Z')
_FLOAT = re.compile(r'[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z')
_YAML11_BOOL = frozenset('y Y yes Yes YES n N no No NO on On ON off Off OFF'.split())
_YAML11_OCTAL = re.compile(r'[-+]?0[0-7]+\Z')
_LEADING_ZERO = re.compile(r'[-+]?0[0-9]+\Z')

# Longer numbers stay text: no setting needs them, and converting them takes quadratic time.
_MAX_DIGITS = 40


def plain_value(text: str) -> Any:
    """The value of a plain scalar in the core schema of YAML 1.2, but numbers with leading zeros stay text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in '+-.0123456789' or len(text) > _MAX_DIGITS or _LEADING_ZERO.match(text):
        return text
    if _INT.match(text):
        return int(text, 0)
    return float(text) if _FLOAT.match(text) else text


class Node:
    """A value of a spec: `.kind` is 'scalar', 'mapping' or 'sequence', `.span` is where it stands."""

    kind = ''

    def __init__(self, span: Span):
        self.span = span


class Scalar(Node):
    """A single value. `.text` is what was written, without quotes; `.value` is what it means."""

    kind = 'scalar'

    def __init__(self, span: Span, text: str, plain: bool):
        super().__init__(span)
        self.text = text
        self.plain = plain
        self.value = plain_value(text) if plain else text

    def __repr__(self) -> str:
        return 'Scalar(%r)' % (self.value,)

    @property
    def is_missing(self) -> bool:
        """Nothing was written, as in `key:`. The span is then that of the key."""
        return self.plain and not self.text

    @property
    def is_yaml11_bool(self) -> bool:
        """Written plainly as yes, no, on, off, y or n: text here, but true or false to older YAML readers."""
        return self.plain and self.text in _YAML11_BOOL

    @property
    def is_yaml11_int(self) -> bool:
        """Written plainly like 010: text here, but octal 8 to older YAML readers. int(text, 8) works on it."""
        return self.plain and len(self.text) <= _MAX_DIGITS and bool(_YAML11_OCTAL.match(self.text))


class Mapping(Node):
    """Keys and values, in the order of the file. No key occurs twice."""

    kind = 'mapping'

    def __init__(self, span: Span):
        super().__init__(span)
        self.entries: List[Tuple[Scalar, Node]] = []
        self._index: Dict[str, Tuple[Scalar, Node]] = {}

    def __repr__(self) -> str:
        return 'Mapping(%r)' % (self.entries,)

    def add(self, key: Scalar, value: Node) -> None:
        entry = (key, value)
        self.entries.append(entry)
        self._index[key.text] = entry

    def get(self, name: str) -> Optional[Node]:
        """The value of a key, or None."""
        entry = self._index.get(name)
        return entry[1] if entry else None

    def key(self, name: str) -> Optional[Scalar]:
        """The key itself, for its place, or None."""
        entry = self._index.get(name)
        return entry[0] if entry else None


class Sequence(Node):
    """A list of values."""

    kind = 'sequence'

    def __init__(self, span: Span):
        super().__init__(span)
        self.items: List[Node] = []

    def __repr__(self) -> str:
        return 'Sequence(%r)' % (self.items,)


def shape(node: Any) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return "nothing" if node.is_missing else f"'{shown(node.text)}'"
