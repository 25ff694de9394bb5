"""Located messages: what is wrong, where it stands, what would be right.

Nothing in here knows YAML or C. A `Span` points into a `Source`; a `Diagnostic` says something about it;
`Diagnostics` collects them; `render` turns one into text.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import unicodedata
from typing import Iterable, List, Optional, Tuple, Union

# code -> (title, explanation, what to do). `bespoke explain BSPnnnn` prints these.
#   BSP00xx files and YAML (loader)        BSP01xx keys and values (schema)
#   BSP02xx combinations (rules)           BSP03xx names, expressions, types, headers
#   BSP04xx output and check               BSP05xx environment
CODES = {
    # -- BSP00xx: files and YAML -------------------------------------------------------------------------
    'BSP0001': (
        'file cannot be read',
        'The file does not exist, is a folder, or the system did not let Bespoke read it.',
        'Check the path and the permissions. Paths are relative to the working folder.'),
    'BSP0002': (
        'file is not UTF-8',
        'Specs are UTF-8 text. The file holds bytes that are not, at the place shown.',
        'Save the file as UTF-8; a byte order mark is accepted.'),
    'BSP0003': (
        'file is too large',
        'A spec may hold at most 1 MiB. A larger file is hardly a spec and would take very long to read.',
        'Check that the right file was given, or spread the containers over several files.'),
    'BSP0004': (
        'file is empty',
        'The file holds nothing, or nothing but comments.',
        "Write a spec, or let `bespoke new` write one to start from."),
    'BSP0005': (
        'not valid YAML',
        'The text breaks the rules of YAML at the place shown, so that what follows cannot be understood.',
        'Most often a value needs quotes, a bracket or quote is not closed, or a line is indented wrongly.'),
    'BSP0006': (
        'tab used as white space',
        'YAML does not allow tabs for indentation, since their width differs from editor to editor.',
        'Use spaces, and set the editor to insert spaces in YAML files.'),
    'BSP0007': (
        'key given twice',
        'YAML readers silently keep one of two equal keys. Which one was meant cannot be known.',
        'Remove one of the two.'),
    'BSP0008': (
        'anchors and aliases are not supported',
        'YAML anchors (&name) and aliases (*name) can make a small file expand without bounds, and hide where a '
        'value comes from. Specs do without them.',
        "Write the value out. If '&' or '*' belongs to C code, put the whole value in quotes."),
    'BSP0009': (
        'tags are not supported',
        'A YAML tag (!name or !!name) asks the reader to build a special object. Specs hold plain text, numbers, '
        'lists and mappings only.',
        "Remove the tag. If '!' belongs to C code, put the whole value in quotes."),
    'BSP0010': (
        'nested too deep',
        'Lists and mappings may be nested 32 levels deep, which is far more than any spec needs.',
        'Check the brackets and the indentation.'),
    'BSP0011': (
        'several documents in one file',
        "A line '---' begins another YAML document. A spec is a single document.",
        "Put the second document into a file of its own, or remove the '---'."),
    'BSP0012': (
        'merge keys are not supported',
        "The YAML 1.1 merge key '<<' copies the keys of another mapping. It hides where a value comes from.",
        'Write the keys out, or use a preset or an include.'),
    'BSP0013': (
        'key is not text',
        'The keys of a mapping must be plain text. A list, a mapping or nothing at all cannot be a key.',
        "Write the key as a word. A value that begins with '{' or '[' needs quotes."),
    'BSP0014': (
        'too many values',
        'A spec may hold at most 20,000 keys and values.',
        'Spread the containers over several files.'),
    'BSP0015': (
        'control character',
        'The text holds a character that is not visible or that changes the direction of the text, so that it can '
        'look different from what it is.',
        'Remove the character.'),
    # -- BSP01xx: keys and values ------------------------------------------------------------------------
    # -- BSP02xx: combinations ---------------------------------------------------------------------------
    # -- BSP03xx: names, expressions, types, headers -----------------------------------------------------
    # -- BSP04xx: output and check -----------------------------------------------------------------------
    'BSP0401': (
        'the name of a spec file cannot name its output',
        'The generated files are named after the spec file, and that name goes into #include lines, macros and '
        'dependency files.',
        'Use letters, digits, _, - and . in the name of the file.'),
    'BSP0402': (
        'a file that Bespoke did not write is in the way',
        'A file with the name of an output exists, and has no banner of Bespoke. It may be somebody\'s work, so that '
        'nothing was written.',
        'Move the file away, or generate into another folder with -o.'),
    'BSP0403': (
        'generated file was edited by hand',
        'The banner of a generated file holds a seal over its tokens and comments. It does not match any more, so '
        'somebody has changed the file. Formatting it in another style does not break the seal.',
        'Make the change in the spec, then run `bespoke generate --force`, which overwrites the file.'),
    'BSP0404': (
        'output would leave its folder',
        'An output file is a link that leads out of the output folder, or its name holds a path.',
        'Remove the link.'),
    'BSP0405': (
        'file cannot be written',
        'The system did not let Bespoke write a file. No output file was changed.',
        'Check the path, the permissions and the space left.'),
    'BSP0406': (
        'two specs give the same file',
        'Output files are named after the spec file. Two specs of one call would write to the same place.',
        'Rename one of the specs, or generate them into different folders.'),
    'BSP0407': (
        'two specs give the same C name',
        'Containers of the same name cannot be linked into one program, wherever their specs lie.',
        'Rename one of them, or give it an `emit.prefix`.'),
    'BSP0408': (
        'generated file is stale',
        'A generated file is not what its spec says now: the spec, something it includes, or Bespoke has changed '
        'since the file was generated.',
        'Run `bespoke generate` and check in what it writes.'),
    'BSP0409': (
        'generated file is missing',
        'A spec gives a file that is not in the output folder.',
        'Run `bespoke generate` and check in what it writes.'),
    'BSP0410': (
        'generated file without a spec',
        'A file with a banner of Bespoke is in the output folder, but no spec gives it any more.',
        'Remove it, or bring its spec back.'),
    'BSP0411': (
        'nothing to work on',
        'There is no spec, or no folder to compare with. A check that could not run is a failure.',
        'Name the specs on the command line, or put them into specs/; name the output folder with -o.'),
    # -- BSP05xx: environment ----------------------------------------------------------------------------
    'BSP0501': (
        'a Python module is missing',
        'The generator needs Jinja2 and PyYAML. Without them the checked-in files can still be compiled.',
        'Run `apt-get install python3-jinja2 python3-yaml` or `python3 -m pip install jinja2 pyyaml`.'),
    'BSP0502': (
        'files are not formatted',
        'clang-format was not found, is of a version whose layout differs, or failed. The files are valid, only '
        'their layout is plain. `bespoke check` does not mind.',
        'Install clang-format 14, 15 or 16, or name one in the environment variable BESPOKE_CLANG_FORMAT.'),
    'BSP0503': (
        'Bespoke is not complete',
        'The templates are not beside the generator, or cannot be read.',
        'Install Bespoke again.'),
    'BSP0590': (
        'internal error',
        'A template or the generator itself is wrong. No spec should be able to cause this, and no file was written.',
        'Please report it, with the spec and the message; BESPOKE_DEBUG=1 shows where it happened.'),
}

_LINE_BREAK = re.compile(r'\r\n|\n|\r')
_TAB_WIDTH = 8
_WINDOW = 120
_COLORS = {'error': '1;31', 'warning': '1;35', 'note': '1;36', 'help': '1;32', 'where': '1'}


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
        """Line and column, both counted from 1, of a character offset into the text."""
        low, high = 0, len(self._starts)
        offset = max(0, min(offset, len(self.text)))
        while high - low > 1:
            middle = (low + high) // 2
            if self._starts[middle] <= offset:
                low = middle
            else:
                high = middle
        return low + 1, offset - self._starts[low] + 1

    def span(self, start: int, end: Optional[int] = None) -> 'Span':
        """The span of text[start:end], cut at the end of its first line."""
        line, column = self.position(start)
        room = len(self.line(line)) - (column - 1)
        wanted = 1 if end is None else end - start
        return Span(self, line, column, max(1, min(wanted, room)))


@dataclasses.dataclass(frozen=True)
class Span:
    """A piece of one line of a source. Line and column count from 1, in characters."""

    source: Source
    line: int
    column: int
    length: int = 1

    def __post_init__(self):
        if self.length < 1:
            object.__setattr__(self, 'length', 1)

    def part(self, offset: int, length: int = 1) -> 'Span':
        """A span `offset` characters further on in the same line, for a caret inside of a value."""
        return Span(self.source, self.line, self.column + offset, length)

    def _key(self):
        return (self.source.name, self.line, self.column, self.length)


@dataclasses.dataclass(frozen=True)
class Note:
    """A second place that belongs to a diagnostic."""

    message: str
    span: Optional[Span] = None


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One thing to say about a spec."""

    code: str
    message: str
    span: Optional[Span] = None
    severity: str = 'error'
    help: Tuple[str, ...] = ()
    notes: Tuple[Note, ...] = ()

    def __post_init__(self):
        object.__setattr__(self, 'help', _strings(self.help))
        object.__setattr__(self, 'notes', tuple(self.notes))

    def _key(self):
        notes = tuple((note.message, note.span and note.span._key()) for note in self.notes)
        return (self.code, self.message, self.span and self.span._key(), self.severity, self.help, notes)


class Diagnostics:
    """Collects diagnostics. True when it holds an error. The same one twice is kept once."""

    def __init__(self):
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
              help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = ()) -> Diagnostic:
        """Adds an error."""
        return self._say('error', code, message, span, help, notes)

    def warning(self, code: str, message: str, span: Optional[Span] = None, *,
                help: Union[None, str, Iterable[str]] = None, notes: Iterable[Note] = ()) -> Diagnostic:
        """Adds a warning."""
        return self._say('warning', code, message, span, help, notes)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Adds all of another collection."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def _say(self, severity, code, message, span, help, notes):
        assert code in CODES, 'code %s is not in CODES' % code
        return self.add(Diagnostic(code, message, span, severity, _strings(help), tuple(notes)))

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(1 for item in self._items if item.severity == 'error')

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        return sum(1 for item in self._items if item.severity == 'warning')

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


def _strings(value) -> Tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    return tuple(value)


# -- Text that is safe to print ----------------------------------------------------------------------------

def _visible_char(char: str) -> str:
    """A character as it may be printed: what is invisible or steers a terminal becomes an escape."""
    number = ord(char)
    if 0x20 <= number < 0x7f:
        return char
    if char in '\t\n\r':
        return {'\t': '\\t', '\n': '\\n', '\r': '\\r'}[char]
    # Cc controls, Cf format (bidi, zero width), Cs surrogates, Co/Cn unknown glyphs, Zl/Zp line breaks.
    if unicodedata.category(char) in ('Cc', 'Cf', 'Cs', 'Co', 'Cn', 'Zl', 'Zp'):
        if number < 0x100:
            return '\\x%02x' % number
        return '\\u%04x' % number if number < 0x10000 else '\\U%08x' % number
    return char


def visible(text: str) -> str:
    """Text in which control and direction characters are replaced by visible escapes."""
    if text.isascii() and text.isprintable():
        return text
    return ''.join(map(_visible_char, text))


def _width(text: str) -> int:
    """How many terminal columns a piece of printable text takes."""
    if text.isascii():
        return len(text)
    total = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ('Mn', 'Me'):
            continue
        total += 2 if unicodedata.east_asian_width(char) in 'WF' else 1
    return total


def _excerpt(span: Span, paint) -> List[str]:
    """The line of a span with carets below, or nothing when the line is empty or does not exist."""
    text = span.source.line(span.line)
    if not text.strip():
        return []
    first = max(0, min(span.column - 1, len(text)))
    last = max(first, min(first + span.length, len(text)))

    # Only the characters near the caret are looked at, since a line can be a mebibyte long.
    begin = max(0, first - _WINDOW // 3) if len(text) > _WINDOW else 0
    end = min(len(text), begin + _WINDOW) if len(text) > _WINDOW else len(text)
    if begin and end - begin < _WINDOW:
        begin = max(0, end - _WINDOW)
    last = min(last, end)

    shown, caret_at, caret_width, used = [], 0, 0, 0
    if begin > 0:
        shown.append('...')
        used = 3
    for index in range(begin, end):
        if index == first:
            caret_at = used
        char = text[index]
        if char == '\t':
            piece = ' ' * (_TAB_WIDTH - used % _TAB_WIDTH)
        else:
            piece = _visible_char(char)
        width = _width(piece)
        if first <= index < last:
            caret_width += width
        shown.append(piece)
        used += width
    if first >= end:
        caret_at = used
    if end < len(text):
        shown.append('...')

    number = '%5d' % span.line
    blank = ' ' * len(number)
    carets = paint('help', '^' * max(1, caret_width))
    return [('%s | %s' % (number, ''.join(shown))).rstrip(),
            '%s | %s%s' % (blank, ' ' * caret_at, carets)]


# -- Rendering ---------------------------------------------------------------------------------------------

def render(diagnostic: Diagnostic, style: str = 'gcc', color: bool = False) -> str:
    """A diagnostic as text, without a last line break. Styles: gcc, msvc, json (one line)."""
    if style == 'gcc':
        return _render_gcc(diagnostic, color)
    if style == 'msvc':
        return _render_msvc(diagnostic)
    if style == 'json':
        return _render_json(diagnostic)
    raise ValueError('unknown style %r' % (style,))


def _render_gcc(item: Diagnostic, color: bool) -> str:
    def paint(kind, text):
        return '\033[%sm%s\033[0m' % (_COLORS[kind], text) if color else text

    def place(span):
        if span is None:
            return paint('where', 'bespoke:')
        return paint('where', '%s:%d:%d:' % (visible(span.source.name), span.line, span.column))

    kind = item.severity if item.severity in _COLORS else 'note'
    lines = ['%s %s %s [%s]' % (place(item.span), paint(kind, item.severity + ':'), visible(item.message), item.code)]
    if item.span is not None:
        lines += _excerpt(item.span, paint)
    for note in item.notes:
        lines.append('%s %s %s' % (place(note.span), paint('note', 'note:'), visible(note.message)))
        if note.span is not None:
            lines += _excerpt(note.span, paint)
    for text in item.help:
        lines.append('%s %s' % (paint('help', 'help:'), visible(text)))
    return '\n'.join(lines)


def _render_msvc(item: Diagnostic) -> str:
    def place(span):
        if span is None:
            return 'bespoke '
        return '%s(%d,%d)' % (visible(span.source.name), span.line, span.column)

    lines = ['%s: %s %s: %s' % (place(item.span), item.severity, item.code, visible(item.message))]
    for note in item.notes:
        lines.append('%s: note: %s' % (place(note.span), visible(note.message)))
    for text in item.help:
        lines.append('%s: note: %s' % (place(item.span), visible(text)))
    return '\n'.join(lines)


def _render_json(item: Diagnostic) -> str:
    def place(span):
        if span is None:
            return {'file': None, 'line': None, 'column': None, 'length': None}
        return {'file': span.source.name, 'line': span.line, 'column': span.column, 'length': span.length}

    record = {'code': item.code, 'severity': item.severity, 'message': item.message}
    record.update(place(item.span))
    record['help'] = list(item.help)
    record['notes'] = [dict({'message': note.message}, **place(note.span)) for note in item.notes]
    return json.dumps(record)


# -- Suggestions -------------------------------------------------------------------------------------------

def _plain(word: str) -> str:
    return re.sub(r'[\s_\-]+', '', word).casefold()


def did_you_mean(word: str, candidates: Iterable[str]) -> Optional[str]:
    """The candidate that was probably meant, or None. Case, '_' and '-' do not count; prefixes help."""
    word = str(word)[:80]
    wanted = _plain(word)
    by_plain = {}
    for candidate in candidates:
        by_plain.setdefault(_plain(str(candidate)), candidate)
    if not wanted or not by_plain:
        return None
    if wanted in by_plain:
        return by_plain[wanted]
    close = difflib.get_close_matches(wanted, by_plain, n=1, cutoff=0.75)
    if close:
        return by_plain[close[0]]
    if len(wanted) >= 2:
        longer = [name for name in by_plain if name.startswith(wanted)]
        if len(longer) == 1:
            return by_plain[longer[0]]
    shorter = [name for name in by_plain if len(name) >= 3 and wanted.startswith(name)]
    if shorter:
        return by_plain[max(shorter, key=len)]
    close = difflib.get_close_matches(wanted, by_plain, n=1, cutoff=0.6)
    return by_plain[close[0]] if close else None
