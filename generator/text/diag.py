"""Located messages: what is wrong, where it stands, what would be right.

Nothing in here knows YAML or C. A `Span` points into a `Source`; a `Diagnostic` says something about it; `Diagnostics`
collects them.
"""

from __future__ import annotations

import re
from typing import Iterable, List, NamedTuple, Optional, Tuple, Union

from .error_codes import CODES

_LINE_BREAK = re.compile(r'\r\n|\n|\r')


class Source:
    """A text with a name (the path as the user gave it) and its lines."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.text = text
        self._lines = _LINE_BREAK.split(text)
        self._starts = [0] + [match.end() for match in _LINE_BREAK.finditer(text)]

    def __repr__(self) -> str:
        return 'Source(%r)' % self.name

    @property
    def line_count(self) -> int:
        """How many lines there are; a last line without text counts."""
        return len(self._lines)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break; '' if there is no such line."""
        if 1 <= number <= len(self._lines):
            return self._lines[number - 1]
        return ''

    def position(self, offset: int) -> Tuple[int, int]:
        """Line and column, both counted from 1, of a character offset into the text; within a line break, the end of its line."""
        low, high = 0, len(self._starts)
        offset = max(0, min(offset, len(self.text)))
        while high - low > 1:
            middle = (low + high) // 2
            if self._starts[middle] <= offset:
                low = middle
            else:
                high = middle
        return low + 1, min(offset - self._starts[low], len(self._lines[low])) + 1

    def span(self, start: int, end: Optional[int] = None) -> 'Span':
        """The span of text[start:end], cut at the end of its first line."""
        line, column = self.position(start)
        room = len(self.line(line)) - (column - 1)
        wanted = 1 if end is None else end - start
        return Span(self, line, column, max(1, min(wanted, room)))


class Span(NamedTuple):
    """A piece of one line of a source. Line and column count from 1, in characters."""

    source: Source
    line: int
    column: int
    length: int = 1

    def part(self, offset: int, length: int = 1) -> 'Span':
        """A span `offset` characters further on in the same line, for a caret inside of a value."""
        return Span(self.source, self.line, self.column + offset, length)

    def _key(self):
        return (self.source.name, self.line, self.column, self.length)


class Note(NamedTuple):
    """A second place that belongs to a diagnostic."""

    message: str
    span: Optional[Span] = None


Short = Tuple[str, Tuple[str, ...]]


class Diagnostic:
    """One thing to say about a spec. `short`: the message for a reader who has these settings in view, and the settings."""

    def __init__(self, code: str, message: str, span: Optional[Span] = None, severity: str = 'error',
                 help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = (), short: Optional[Short] = None):
        self.code = code
        self.message = message
        self.span = span
        self.severity = severity
        self.help = _strings(help)
        self.notes = tuple(notes)
        self.short = short

    def _key(self):
        notes = tuple((note.message, note.span and note.span._key()) for note in self.notes)
        return (self.code, self.message, self.span and self.span._key(), self.severity, self.help, notes)


class Diagnostics:
    """Collects diagnostics. True when it holds an error. The same one twice is kept once.

    Without `helps` they have no help, which takes long where it tries other values.
    """

    def __init__(self, helps: bool = True):
        self._helps = helps
        self._items: List[Diagnostic] = []
        self._seen = set()

    def add(self, diagnostic: Diagnostic) -> Diagnostic:
        """Adds a diagnostic unless an identical one is there."""
        key = diagnostic._key()
        if key not in self._seen:
            self._seen.add(key)
            self._items.append(diagnostic)
        return diagnostic

    def error(self, code: str, message: str, span: Optional[Span] = None, *,
              help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = (),
              short: Optional[Short] = None) -> Diagnostic:
        """Adds an error."""
        return self._say('error', code, message, span, help, notes, short)

    def warning(self, code: str, message: str, span: Optional[Span] = None, *,
                help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = ()) -> Diagnostic:
        """Adds a warning."""
        return self._say('warning', code, message, span, help, notes)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Adds all of another collection."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def drop(self, code: str, message: str) -> None:
        """Takes out what is said better elsewhere."""
        self._items = [item for item in self._items if (item.code, item.message) != (code, message)]

    def _say(self, severity, code, message, span, help, notes, short=None):
        assert code in CODES, 'code %s is not in CODES' % code
        help = None if not self._helps else help() if callable(help) else help
        return self.add(Diagnostic(code, message, span, severity, help, notes, short))

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(1 for item in self._items if item.severity == 'error')

    def sorted(self) -> List[Diagnostic]:
        """All, by file, line and column; those without a place come first."""
        def place(item):
            span = item.span
            return (span.source.name, span.line, span.column) if span else ('', 0, 0)
        return sorted(self._items, key=place)

    def __bool__(self) -> bool:
        return self.errors > 0

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self):
        return iter(list(self._items))


class Failure(Exception):
    """Ends a run with diagnostics. Exit codes: 1 drift, 2 spec error, 3 environment."""

    def __init__(self, diagnostics, exit_code: int = 2):
        super().__init__('; '.join(item.message for item in diagnostics) or 'failed')
        self.diagnostics = diagnostics
        self.exit_code = exit_code


def failure(exit_code: int, code: str, message: str, span: Optional[Span] = None, *, help: Optional[str] = None) -> Failure:
    """The end of a run with one error."""
    problems = Diagnostics()
    problems.error(code, message, span, help=help)
    return Failure(problems, exit_code)


def _strings(value) -> Tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    return tuple(value)
