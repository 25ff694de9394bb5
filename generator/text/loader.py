"""Reads a YAML file into located nodes, without YAML's traps.

Nodes are built from PyYAML's event stream; nothing of PyYAML's constructors runs. Scalars follow the core schema
of YAML 1.2, so `no`, `on`, `010` and `12:30` stay the text that was written. What a spec does not need is an error:
anchors, aliases, tags, merge keys, several documents, deep nesting, huge files.

The loader knows nothing of the language of the specs; a spec that is a list loads well and is the schema's to refuse.
"""

from __future__ import annotations

import os
import re
from typing import List, Optional

import yaml
import yaml.parser
import yaml.reader
import yaml.scanner

from .diag import Diagnostics, Note, Source, Span
from .files import read_source
from .nodes import Mapping, Node, Scalar, Sequence
from .yaml_errors import PROPERTY, QUOTE_HELP, SyntaxProblem, short

MAX_DEPTH = 32
MAX_NODES = 20000

# Mistakes of one kind that are listed before the rest is left out.
_MAX_REPEATS = 8


def load(path, diagnostics: Diagnostics, *, name: Optional[str] = None) -> Optional[Node]:
    """Reads a file. Adds to `diagnostics` whatever is wrong with it; returns None when nothing usable is left.

    `name` is how messages call the file; the path if not given. A node may be returned although there are errors (of
    a kind that leaves the rest meaningful), so that the rest can be checked in the same run.
    """
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    shown = path if name is None else name
    source = read_source(path, shown, diagnostics)
    if source is None:
        return None
    return _Reader(source, diagnostics).run()


def load_text(text: str, diagnostics: Diagnostics, *, name: str = '<text>') -> Optional[Node]:
    """Like `load`, for text that is in memory already."""
    return _Reader(Source(name, text[1:] if text.startswith('\ufeff') else text), diagnostics).run()


# -- From text to nodes --------------------------------------------------------------------------------------

# What YAML forbids, what PyYAML takes for line breaks although editors do not, and what reorders text on the screen
# (embedding, override and isolate controls; plain direction marks are harmless).
# Compiled for what is not plain only, since that takes long.
_FORBIDDEN = (
    '[^\t\n\r\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]')
# In a scalar, an escape can bring in what the text itself cannot hold.
_FORBIDDEN_VALUE = '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u2028-\u202e\u2066-\u2069]'
_PLAIN = re.compile(r'[\t\n\r -~]*\Z')
_LINE_BREAK = re.compile(r'(\r\n|\n|\r)')
# YAML allows one anchor and one tag.
_PROPERTIES = re.compile(r'(?:[!&][^\s,\[\]{}]*(?:\s+|\Z)){1,2}')
_WORD = re.compile(r'[^\s:#,]*')
_STANDARD_TAG = re.compile(r'!!(?:str|int|float|bool|null|map|seq|set|omap|binary|timestamp|python.*)\Z')


class _Stop(Exception):
    """Nothing of the text can be used from here on; a diagnostic says why."""


class _Retry(Exception):
    """The text was mended after a diagnostic; read it again for more."""


class _Parser(yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser):
    """PyYAML's way from text to events, without what would make objects of them.

    The parts written in Python are used even where the one in C is present: messages and places must not depend on
    how PyYAML was built, and specs are small.
    """

    def __init__(self, text: str):
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)


class _Frame:
    """A mapping or sequence that is being filled."""

    def __init__(self, node, key_expected: bool):
        self.node = node
        self.key: Optional[Scalar] = None
        self.key_expected = key_expected
        self.drop = False
        self.in_key = False


class _Reader:
    """Turns a source into nodes. One use each."""

    def __init__(self, source: Source, diagnostics: Diagnostics):
        self.source = source
        self.diagnostics = diagnostics
        self.text = source.text
        self.usable = True
        self.tabs = 0
        # Lines on which an anchor, alias or tag was reported; what follows on them only repeats that.
        self.blamed = set()

    def run(self) -> Optional[Node]:
        if not self._check_characters():
            return None
        # PyYAML chokes on tabs at the end of lines, which are invisible and harmless. Same length, same places.
        if '\t' in self.text:
            self.text = ''.join(part if part[:1] in ('\r', '\n') else part.rstrip(' \t').ljust(len(part))
                                for part in _LINE_BREAK.split(self.text))
        while True:
            try:
                root = self._build()
                break
            except _Retry:
                continue
            except _Stop:
                return None
            except RecursionError:
                self.diagnostics.error('BSP0010', 'nested too deep', self.source.span(0))
                return None
        return root if self.usable else None

    def _check_characters(self) -> bool:
        """Reports control characters. False when the text is not worth parsing."""
        found = [] if _PLAIN.match(self.text) else list(re.finditer(_FORBIDDEN, self.text))
        if not found:
            return True
        self.usable = False
        if '\0' in self.text:
            at = self.text.index('\0')
            self.diagnostics.error('BSP0015', 'the file holds a zero byte; it does not look like text',
                                   self.source.span(at))
            return False
        for match in found[:_MAX_REPEATS]:
            number = ord(match.group())
            what = 'a control character'
            if number in (0x85, 0x2028, 0x2029):
                what = 'a line break that editors do not show'
            elif number == 0xfeff:
                what = 'an invisible byte order mark in the middle of the text'
            elif 0x202a <= number <= 0x2069:
                what = 'a character that changes the direction of text'
            self.diagnostics.error('BSP0015', 'U+%04X, %s, is not allowed in a spec' % (number, what),
                                   self.source.span(match.start()), help='remove the character')
        if len(found) > _MAX_REPEATS:
            return False
        self.text = re.sub(_FORBIDDEN, '\ufffd', self.text)
        return True

    # PyYAML's own loop, with every way it can fail turned into a diagnostic.
    def _next(self, parser):
        try:
            return parser.get_event()
        except yaml.YAMLError as problem:
            self._syntax_error(problem)
        except RecursionError:
            raise
        except Exception:  # e.g. ValueError for "\UFFFFFFFF", which PyYAML hands to chr()
            at = max(0, min(parser.index, len(self.text) - 1))
            message = 'this is not valid YAML'
            if self.text[max(0, at - 2):at] in ('\\U', '\\u'):
                at, message = at - 2, 'this escape does not stand for any character'
            self.diagnostics.error('BSP0005', message, self.source.span(at, at + 2))
        raise _Stop()

    def _build(self) -> Optional[Node]:
        parser = _Parser(self.text)
        root: Optional[Node] = None
        stack: List[_Frame] = []
        first_document: Optional[Span] = None
        count = 0
        try:
            while True:
                event = self._next(parser)
                if isinstance(event, yaml.StreamEndEvent):
                    break
                if isinstance(event, yaml.DocumentStartEvent):
                    span = self._span(event)
                    if first_document is not None:
                        self.diagnostics.error(
                            'BSP0011', 'a second document begins here; a spec is a single document', span,
                            help="remove this line, or move what follows into a file of its own")
                        break
                    first_document = span
                elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                    self._close(stack)
                elif isinstance(event, yaml.AliasEvent):
                    self._alias(event)
                    self._place(stack, None, self._span(event))
                elif isinstance(event, yaml.NodeEvent):
                    count += 1
                    if count > MAX_NODES:
                        self.diagnostics.error('BSP0014', 'more than 20,000 keys and values', self._span(event))
                        raise _Stop()
                    self._properties(event)
                    node = self._node(event, stack)
                    if node.kind == 'scalar':
                        self._place(stack, node, node.span)
                        if not stack:
                            root = node
                    else:
                        if len(stack) >= MAX_DEPTH:
                            self.diagnostics.error('BSP0010', 'nested more than %d levels deep' % MAX_DEPTH, node.span,
                                                  help='no key of a spec needs more than four: is a bracket closed too late?')
                            raise _Stop()
                        if not stack:
                            root = node
                        in_key = self._place(stack, node, node.span)
                        frame = _Frame(node, node.kind == 'mapping')
                        frame.in_key = in_key
                        stack.append(frame)
        finally:
            parser.dispose()
        if first_document is None or (root is not None and root.kind == 'scalar' and root.is_missing):
            self.diagnostics.error('BSP0004', 'the file is empty', Span(self.source, 1, 1),
                                   help='`bespoke new` writes a spec to start from')
            return None
        return root

    def _close(self, stack: List[_Frame]) -> None:
        frame = stack.pop()
        if frame.in_key and stack:
            # The collection was a key; its value comes next and is dropped with it.
            stack[-1].key_expected = False

    def _place(self, stack: List[_Frame], node: Optional[Node], span: Span) -> bool:
        """Puts a node where it belongs. True when it stands in the place of a key and is a collection."""
        if not stack:
            return False
        frame = stack[-1]
        if frame.node.kind == 'sequence':
            if node is not None:
                frame.node.items.append(node)
            return False
        if not frame.key_expected:
            frame.key_expected = True
            if frame.key is not None and node is not None and not frame.drop:
                frame.node.add(frame.key, node)
            return False
        frame.key = None
        frame.drop = True
        if isinstance(node, Scalar):
            frame.key_expected = False
            self._key(frame, node)
            return False
        if node is None:  # an alias, which was reported
            frame.key_expected = False
            return False
        self.usable = False
        what = 'a list' if node.kind == 'sequence' else 'a mapping'
        self.diagnostics.error('BSP0013', 'the key of a mapping must be text, not %s' % what, span,
                               help="a value that begins with '{' or '[' needs quotes")
        return True

    def _key(self, frame: _Frame, key: Scalar) -> None:
        """Takes a scalar as the key of what follows, unless something is wrong with it."""
        if key.is_missing:
            self.usable = False
            self.diagnostics.error('BSP0013', "a key is missing in front of this ':'", key.span)
        elif key.plain and key.text == '<<':
            self.usable = False
            self.diagnostics.error('BSP0012', "merge keys ('<<') are not supported", key.span,
                                   help='write the keys out')
        elif frame.node.key(key.text) is not None:
            first = frame.node.key(key.text)
            self.diagnostics.error('BSP0007', "key '%s' is given twice" % short(key.text), key.span,
                                   help='remove one of the two', notes=[Note('first given here', first.span)])
        else:
            frame.key = key
            frame.drop = False

    def _node(self, event, stack: List[_Frame]) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, stack)
        start = self._content_start(event)
        if getattr(event, 'flow_style', False):
            span = self.source.span(start, _closing(self.text, start))
        else:
            # A block has no visible frame; its first word stands for it.
            word = _WORD.match(self.text, start)
            span = self.source.span(start, max(start + 1, word.end()))
        return Mapping(span) if isinstance(event, yaml.MappingStartEvent) else Sequence(span)

    def _scalar(self, event, stack: List[_Frame]) -> Scalar:
        plain = event.style is None
        start, end = self._content_start(event), event.end_mark.index
        if plain and not event.value:
            frame = stack[-1] if stack else None
            if frame is not None and frame.node.kind == 'mapping' and not frame.key_expected and frame.key is not None:
                span = frame.key.span
            else:
                # A missing item or key: its '-' or ':' stands right before, or right here.
                at = event.start_mark.index
                here = self.text[at:at + 1]
                span = self.source.span(at if here in ('-', ':', '?') else max(0, at - 1))
        elif event.style in ('|', '>'):
            span = self.source.span(start, start + 1)
        else:
            span = self.source.span(start, end)
        scalar = Scalar(span, event.value, plain)
        bad = None if _PLAIN.match(event.value) else re.search(_FORBIDDEN_VALUE, event.value)
        if bad:
            self.usable = False
            self.diagnostics.error('BSP0015', 'the escape for U+%04X, which cannot be printed, is not allowed in a spec'
                                   % ord(bad.group()), span)
        return scalar

    def _properties(self, event) -> None:
        """Reports an anchor or a tag in front of a node. The node itself stays usable."""
        if event.anchor is None and getattr(event, 'tag', None) is None:
            return
        begin = event.start_mark.index
        match = _PROPERTIES.match(self.text, begin)
        end = match.end() if match else begin + 1
        for word in PROPERTY.finditer(self.text, begin, max(end, begin + 1)):
            span = self.source.span(word.start(), word.end())
            if word.group()[0] == '&':
                self._anchor_error(span, word.group())
            else:
                self._tag_error(span, word.group())

    def _anchor_error(self, span: Span, word: str) -> None:
        self.blamed.add(span.line)
        self.diagnostics.error('BSP0008', "anchors ('%s') are not supported" % short(word), span,
                               help=['write the value out wherever it is needed', QUOTE_HELP])

    def _tag_error(self, span: Span, word: str) -> None:
        self.blamed.add(span.line)
        hints = [QUOTE_HELP]
        if _STANDARD_TAG.match(word):
            hints = ['remove the tag; text that looks like a number can be put in quotes']
        self.diagnostics.error('BSP0009', "tags ('%s') are not supported" % short(word), span, help=hints)

    def _alias(self, event) -> None:
        # Without the value, what was left would look incomplete for the wrong reason.
        self.usable = False
        span = self._span(event)
        self.blamed.add(span.line)
        self.diagnostics.error('BSP0008', "aliases ('*%s') are not supported" % short(event.anchor), span,
                               help=['write the value out', QUOTE_HELP])

    def _span(self, event) -> Span:
        return self.source.span(event.start_mark.index, event.end_mark.index)

    def _content_start(self, event) -> int:
        """Where a node begins, behind its anchor and tag."""
        start = event.start_mark.index
        if event.anchor is not None or getattr(event, 'tag', None) is not None:
            match = _PROPERTIES.match(self.text, start)
            if match and match.end() <= event.end_mark.index:
                return match.end()
        return start

    def _syntax_error(self, problem: yaml.YAMLError) -> None:
        """Reports an error of PyYAML. Raises _Retry when the text could be mended."""
        found = SyntaxProblem(self.source, self.text, problem)
        if found.tab is not None:
            self._tab(found.tab)
        elif found.tag is not None:
            self._tag_error(*found.tag)
        elif found.span.line not in self.blamed:
            self.diagnostics.error(found.code, found.message, found.span, help=found.hints, notes=found.notes)

    def _tab(self, at: int) -> None:
        """Reports a tab that is used as white space and reads on without it, if it is not indentation."""
        line, column = self.source.position(at)
        text = self.source.line(line)
        before = text[:column - 1]
        length = len(text) - len(before) - len(text[column - 1:].lstrip('\t'))
        span = Span(self.source, line, column, length)
        self.tabs += 1
        if not before.strip():
            others = [number for number in range(line + 1, self.source.line_count + 1)
                      if re.match(r' *\t[ \t]*\S', self.source.line(number))]
            hints = ['indent with spaces']
            if others:
                hints.append('also in line%s %s%s' % ('s' if len(others) > 1 else '',
                                                      ', '.join(map(str, others[:_MAX_REPEATS])),
                                                      ', ...' if len(others) > _MAX_REPEATS else ''))
            self.diagnostics.error('BSP0006', 'a tab is used for indentation, which YAML does not allow', span,
                                   help=hints)
            return
        self.diagnostics.error('BSP0006', 'a tab stands between words, where YAML allows only spaces', span,
                               help='use a space')
        if self.tabs <= _MAX_REPEATS:
            self.text = self.text[:at] + ' ' * length + self.text[at + length:]
            raise _Retry()


def _closing(text: str, start: int) -> int:
    """Where the flow collection that begins at `start` ends on its line, near enough for a caret."""
    depth = 0
    quote = ''
    for offset in range(start, min(len(text), start + 500)):
        char = text[offset]
        if char in '\r\n':
            return offset
        if quote:
            if char == quote:
                quote = ''
        elif char in '\'"' and text[offset - 1] in ' ,:[{':
            quote = char
        elif char in '[{':
            depth += 1
        elif char in ']}':
            depth -= 1
            if depth == 0:
                return offset + 1
    return start + 1
