"""Diagnostics as text: as a compiler prints them, as Visual Studio reads them, or as JSON."""

import json
import unicodedata
from typing import List

from .diag import Diagnostic, Span

_TAB_WIDTH = 8
_WINDOW = 120
_COLORS = {'error': '1;31', 'warning': '1;35', 'note': '1;36', 'help': '1;32', 'where': '1'}


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


def shown(text: str) -> str:
    """Text of a spec as a message quotes it: in one line and not too long."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."


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
