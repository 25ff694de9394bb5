"""Reads a YAML file into located nodes, without YAML's traps.

Nodes are built from PyYAML's event stream; nothing of PyYAML's constructors runs. Scalars follow the core schema
of YAML 1.2, so `no`, `on`, `010` and `12:30` stay the text that was written. What a spec does not need is an error:
anchors, aliases, tags, merge keys, several documents, deep nesting, huge files.

The loader knows nothing of the language of the specs; a spec that is a list loads well and is the schema's to refuse.
"""

from __future__ import annotations

import errno
import os
import re
from typing import Any, Dict, List, Optional, Tuple

import yaml
import yaml.parser
import yaml.reader
import yaml.scanner

from .diag import Diagnostics, Note, Source, Span, did_you_mean

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
MAX_NODES = 20000

# Mistakes of one kind that are listed before the rest is left out.
_MAX_REPEATS = 8

_NULL = re.compile(r'(?:null|Null|NULL|~|)\Z')
_TRUE = re.compile(r'(?:true|True|TRUE)\Z')
_FALSE = re.compile(r'(?:false|False|FALSE)\Z')
_INT = re.compile(r'[-+]?(?:0|[1-9][0-9]*)\Z')
_INT_OCTAL = re.compile(r'0o[0-7]+\Z')
_INT_HEX = re.compile(r'0x[0-9a-fA-F]+\Z')
_FLOAT = re.compile(r'[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z')
_INFINITY = re.compile(r'[-+]?\.(?:inf|Inf|INF)\Z')
_NAN = re.compile(r'\.(?:nan|NaN|NAN)\Z')
_YAML11_BOOL = re.compile(r'(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)\Z')
_YAML11_OCTAL = re.compile(r'[-+]?0[0-7]+\Z')
_LEADING_ZERO = re.compile(r'[-+]?0[0-9]+\Z')

# Longer numbers stay text: no setting needs them, and converting them takes quadratic time.
_MAX_DIGITS = 40


def _resolve(text: str) -> Any:
    """The value of a plain scalar in the core schema of YAML 1.2, but numbers with leading zeros stay text."""
    if _NULL.match(text):
        return None
    if _TRUE.match(text):
        return True
    if _FALSE.match(text):
        return False
    if len(text) > _MAX_DIGITS:
        return text
    if _INT.match(text):
        return int(text)
    if _INT_OCTAL.match(text):
        return int(text[2:], 8)
    if _INT_HEX.match(text):
        return int(text[2:], 16)
    if _LEADING_ZERO.match(text):
        return text
    if _FLOAT.match(text):
        return float(text)
    if _INFINITY.match(text):
        return float('-inf') if text[0] == '-' else float('inf')
    if _NAN.match(text):
        return float('nan')
    return text


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
        self.value = _resolve(text) if plain else text

    def __repr__(self) -> str:
        return 'Scalar(%r)' % (self.value,)

    @property
    def is_missing(self) -> bool:
        """Nothing was written, as in `key:`. The span is then that of the key."""
        return self.plain and not self.text

    @property
    def is_yaml11_bool(self) -> bool:
        """Written plainly as yes, no, on, off, y or n: text here, but true or false to older YAML readers."""
        return self.plain and bool(_YAML11_BOOL.match(self.text))

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

    def _add(self, key: Scalar, value: Node) -> None:
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


def load(path, diagnostics: Diagnostics, *, name: Optional[str] = None) -> Optional[Node]:
    """Reads a file. Adds to `diagnostics` whatever is wrong with it; returns None when nothing usable is left.

    `name` is how messages call the file; the path if not given. A node may be returned although there are errors (of
    a kind that leaves the rest meaningful), so that the rest can be checked in the same run.
    """
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    shown = path if name is None else name
    data = _read(path, shown, diagnostics)
    if data is None:
        return None
    source = _decode(data, shown, diagnostics)
    if source is None:
        return None
    return _Reader(source, diagnostics).run()


def load_text(text: str, diagnostics: Diagnostics, *, name: str = '<text>') -> Optional[Node]:
    """Like `load`, for text that is in memory already."""
    return _Reader(Source(name, text[1:] if text.startswith('\ufeff') else text), diagnostics).run()


# -- From the path to text -----------------------------------------------------------------------------------

def _read(path: str, shown: str, diagnostics: Diagnostics) -> Optional[bytes]:
    """The bytes of a file, or None and a diagnostic."""
    try:
        with open(path, 'rb') as file:
            data = file.read(MAX_BYTES + 1)
    except IsADirectoryError:
        diagnostics.error('BSP0001', "cannot read '%s': it is a folder" % shown, help=_specs_in(path))
        return None
    except FileNotFoundError:
        diagnostics.error('BSP0001', "cannot read '%s': there is no such file" % shown, help=_similar_file(path))
        return None
    except (OSError, ValueError) as problem:
        # ValueError: a NUL in the path. Windows reports folders as lacking permission.
        reason = getattr(problem, 'strerror', None) or str(problem)
        if getattr(problem, 'errno', None) == errno.EACCES and _is_folder(path):
            reason = 'it is a folder'
        diagnostics.error('BSP0001', "cannot read '%s': %s" % (shown, reason[:1].lower() + reason[1:]))
        return None
    if len(data) > MAX_BYTES:
        diagnostics.error('BSP0003', "'%s' is larger than 1 MiB, which no spec may be" % shown)
        return None
    return data


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:
        return False


def _listing(folder: str) -> List[str]:
    try:
        return sorted(os.listdir(folder or os.curdir))[:2000]
    except (OSError, ValueError):
        return []


def _similar_file(path: str) -> Optional[str]:
    folder, base = os.path.split(path)
    if folder and not os.path.isdir(folder):
        return "the folder '%s' does not exist" % folder
    guess = did_you_mean(base, _listing(folder))
    return "did you mean '%s'?" % os.path.join(folder, guess) if guess else None


def _specs_in(path: str) -> Optional[str]:
    specs = [entry for entry in _listing(path) if entry.endswith(('.yaml', '.yml'))]
    if not specs:
        return 'name a file'
    return 'name a file; the folder holds ' + ', '.join(specs[:5]) + (', ...' if len(specs) > 5 else '')


def _decode(data: bytes, shown: str, diagnostics: Diagnostics) -> Optional[Source]:
    """The text of a file, or None and a diagnostic."""
    if data.startswith((b'\xff\xfe', b'\xfe\xff')):
        diagnostics.error('BSP0002', "'%s' is UTF-16, not UTF-8" % shown, help='save the file as UTF-8')
        return None
    if data.startswith(b'\xef\xbb\xbf'):
        data = data[3:]
    try:
        return Source(shown, data.decode('utf-8'))
    except UnicodeDecodeError as problem:
        start = problem.start
        # The rest is needed for the excerpt only; backslashreplace shows the bytes as \xNN.
        source = Source(shown, data.decode('utf-8', 'backslashreplace'))
        offset = len(data[:start].decode('utf-8'))
        diagnostics.error(
            'BSP0002', 'byte 0x%02x at offset %d is not UTF-8' % (data[start], start), source.span(offset, offset + 4),
            help='save the file as UTF-8')
        return None


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
_PROPERTY = re.compile(r'[!&][^\s,\[\]{}]*')
_WORD = re.compile(r'[^\s:#,]*')
_ENDS_DOCUMENT = re.compile(r'^\.\.\.(?=\s|\Z)', re.MULTILINE)
_REST_OF_LINE = re.compile(r'[^\r\n]*')
_STANDARD_TAG = re.compile(r'!!(?:str|int|float|bool|null|map|seq|set|omap|binary|timestamp|python.*)\Z')
_NO_SPACE_AFTER_COLON = re.compile(r'\s*(?:- +)*[A-Za-z_][\w-]*:(?=[^\s:/\\])')

_QUOTE_HELP = "if this is C code, put the whole value in quotes: '...'"


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
                            self.diagnostics.error('BSP0010', 'nested more than %d levels deep' % MAX_DEPTH, node.span)
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
                frame.node._add(frame.key, node)
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
            self.diagnostics.error('BSP0007', "key '%s' is given twice" % _short(key.text), key.span,
                                   help='remove one of the two', notes=[Note('first given here', first.span)])
        else:
            frame.key = key
            frame.drop = False

    def _node(self, event, stack: List[_Frame]) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, stack)
        start = self._content_start(event)
        if getattr(event, 'flow_style', False):
            span = self.source.span(start, self._closing(start))
        else:
            # A block has no visible frame; its first word stands for it.
            word = _WORD.match(self.text, start)
            span = self.source.span(start, max(start + 1, word.end()))
        return Mapping(span) if isinstance(event, yaml.MappingStartEvent) else Sequence(span)

    def _closing(self, start: int) -> int:
        """Where the flow collection that begins at `start` ends on its line, near enough for a caret."""
        depth = 0
        quote = ''
        for offset in range(start, min(len(self.text), start + 500)):
            char = self.text[offset]
            if char in '\r\n':
                return offset
            if quote:
                if char == quote:
                    quote = ''
            elif char in '\'"' and self.text[offset - 1] in ' ,:[{':
                quote = char
            elif char in '[{':
                depth += 1
            elif char in ']}':
                depth -= 1
                if depth == 0:
                    return offset + 1
        return start + 1

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
        for word in _PROPERTY.finditer(self.text, begin, max(end, begin + 1)):
            span = self.source.span(word.start(), word.end())
            if word.group()[0] == '&':
                self._anchor_error(span, word.group())
            else:
                self._tag_error(span, word.group())

    def _anchor_error(self, span: Span, word: str) -> None:
        self.blamed.add(span.line)
        self.diagnostics.error('BSP0008', "anchors ('%s') are not supported" % _short(word), span,
                               help=['write the value out wherever it is needed', _QUOTE_HELP])

    def _tag_error(self, span: Span, word: str) -> None:
        self.blamed.add(span.line)
        hints = [_QUOTE_HELP]
        if _STANDARD_TAG.match(word):
            hints = ['remove the tag; text that looks like a number can be put in quotes']
        self.diagnostics.error('BSP0009', "tags ('%s') are not supported" % _short(word), span, help=hints)

    def _alias(self, event) -> None:
        # Without the value, what was left would look incomplete for the wrong reason.
        self.usable = False
        span = self._span(event)
        self.blamed.add(span.line)
        self.diagnostics.error('BSP0008', "aliases ('*%s') are not supported" % _short(event.anchor), span,
                               help=['write the value out', _QUOTE_HELP])

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

    # -- What PyYAML says, in words ------------------------------------------------------------------------

    def _syntax_error(self, problem: yaml.YAMLError) -> None:
        """Translates an error of PyYAML. Raises _Retry when the text could be mended."""
        mark = getattr(problem, 'problem_mark', None)
        context_mark = getattr(problem, 'context_mark', None)
        said = str(getattr(problem, 'problem', None) or '')
        context = str(getattr(problem, 'context', None) or '')
        at = mark.index if mark is not None else 0
        began = context_mark.index if context_mark is not None else at
        here = self.text[at:at + 1]
        if here == '\t' and 'token' in said:
            self._tab(at)
            return

        code, message, hints, notes = 'BSP0005', '', [], []
        place = (at, at + 1)
        line = self.source.line(self.source.position(at)[0])
        began_line = self.source.line(self.source.position(began)[0])

        if 'cannot start any token' in said:
            message = "a value cannot begin with '%s'" % here
            hints = ['put the value in quotes']
        elif 'mapping values are not allowed' in said:
            message = "a ':' is not allowed here"
            if self._is_second_colon(at):
                message = "a second ': ' on the same line"
                hints = ['put a value that holds ": " in quotes', 'or begin a new line']
            elif not self._glued_colon(began_line, began, hints) and not self._glued_colon(line, at, hints):
                hints = ["check the indentation, and that the line above has a ': '"]
                above = self._value_above(self.source.position(at)[0])
                if above is not None:
                    message = 'this line is indented further than the one above, whose value it would be a part of'
                    hints = ['align the two; or, if a key is missing between them, write that']
                    notes = [Note('the line above', above)]
                    place = (at - len(line[:self.source.position(at)[1] - 1].lstrip()), at)
        elif "could not find expected ':'" in said:
            message = "expected ':' after this"
            place = self._line_end(began)
            self._glued_colon(began_line, began, hints)
            if self.text[began:began + 1] in ('"', "'"):
                hints.append('text behind a closing quote is not part of the value; quote all of it')
        elif 'sequence entries are not allowed' in said:
            message = "a list item ('- ') is not allowed here"
            hints = ['begin the list on a line of its own, or put the value in quotes']
        elif 'mapping keys are not allowed' in said:
            message = "'? ' is not allowed here"
            hints = ['put the value in quotes']
        elif 'quoted scalar' in context and ('end of stream' in said or 'document separator' in said):
            message = 'the quote that is opened here is never closed'
            place = (began, began + 1)
        elif 'unknown escape character' in said:
            message = "'\\%s' is not an escape of YAML" % here
            place = (at - 1, at + 1)
            hints = ["use single quotes: nothing is an escape between them"]
        elif 'hexadecimal' in said:
            message = 'an escape with too few hexadecimal digits'
            hints = ["use single quotes: nothing is an escape between them"]
        elif 'flow sequence' in context or 'flow mapping' in context:
            opening, closing = ('[', ']') if 'sequence' in context else ('{', '}')
            never_closed = "the '%s' that is opened here is never closed" % opening
            if at >= len(self.text.rstrip()):
                message = never_closed
                place = (began, began + 1)
            elif here == ':' and mark.line > context_mark.line:
                message = never_closed
                place = (began, began + 1)
                notes = [Note("a key was found before its '%s'" % closing, self.source.span(at))]
            else:
                message = "expected ',' or '%s'" % closing
                notes = [Note('opened here', self.source.span(began))]
                if here == ':':
                    hints = ['put a value that holds ": " in quotes']
                elif here in ('[', '{', '?'):
                    hints = ["put a value that holds '%s' in quotes" % here]
                elif here in ('}', ']'):
                    message = "'%s' does not close '%s'" % (here, opening)
                    notes = [Note('opened here', self.source.span(began))]
                elif self.text[at - 1:at] in ('"', "'"):
                    hints = ['text behind a closing quote is not part of the value; quote all of it']
        elif 'block mapping' in context or 'block collection' in context or 'block sequence' in context:
            message = 'this does not fit what stands above'
            if here == '-' and 'mapping' in context:
                message = 'a list item among the keys of a mapping'
                hints = ['indent the list below its key']
            elif here in (']', '}'):
                message = "'%s' closes nothing" % here
            elif here in ('"', "'") or self.text[at - 1:at] in ('"', "'") or self.text[at - 2:at - 1] in ('"', "'"):
                message = 'text behind a closing quote'
                hints = ['quote all of the value']
            elif self.source.position(at)[1] > self.source.position(began)[1]:
                message = 'this line is indented further than the ones it belongs to'
                hints = ['align it with them']
            elif 'mapping' in context:
                message = "this is not a key: expected 'key: value'"
            else:
                message = "expected a list item ('- ')"
            notes = [Note('the block begins here', self.source.span(began))]
            place = (at, self._line_end(at)[1])
        elif 'tag handle' in said or 'scanning a tag' in context or 'parsing a tag' in context:
            start = self.text.rfind('!', 0, at + 1)
            word = _PROPERTY.match(self.text, max(0, min(began, at)))
            if word:
                self._tag_error(self.source.span(word.start(), word.end()), word.group())
            else:
                self._tag_error(self.source.span(max(0, start)), '!')
            return
        elif 'scanning an alias' in context or 'scanning an anchor' in context:
            code = 'BSP0008'
            message = "a plain value cannot begin with '%s'" % self.text[began:began + 1]
            hints = [_QUOTE_HELP]
            place = (began, max(began + 1, at))
        elif 'block scalar' in context:
            message = "nothing but '+', '-' or a number of spaces may follow '%s' here" % self.text[began:began + 1]
            if 'indentation' in said and 'chomping' not in said:
                message = 'the number of spaces must be from 1 to 9'
            hints = ["put a value that begins with '|' or '>' in quotes"]
        elif 'directive' in context or 'directive' in said or 'YAML document' in said:
            message = "a line that begins with '%' is a directive of YAML, which specs do not use"
            hints = ['remove the line']
        elif '<document start>' in said:
            message = 'this stands outside of the document'
            hints = ['check the indentation, and the lines above']
            ends = list(_ENDS_DOCUMENT.finditer(self.text, 0, at))
            if ends:
                code, message = 'BSP0011', "'...' ends the document, and a spec is a single document"
                place, hints = (ends[0].start(), ends[0].start() + 3), ['remove this line']
        elif 'expected the node content' in said or 'parsing a node' in context:
            message = 'a value is missing here'
            if _ENDS_DOCUMENT.match(self.text, at):
                code, message = 'BSP0011', "'...' ends the document, and a spec is a single document"
                place, hints = (at, at + 3), ['remove this line']
            elif here.strip() and here not in '.-':
                hints = ["put a value that begins with '%s' in quotes" % here]
        else:
            message = 'this is not valid YAML'
        span = self._visible_span(*place)
        notes = [note for note in notes if note.span.line != span.line or 'opened' in note.message]
        if span.line not in self.blamed:
            self.diagnostics.error(code, message, span, help=hints, notes=notes)

    def _visible_span(self, start: int, end: int) -> Span:
        """A span; at the end of the file it is moved back to the last thing that was written."""
        if start >= len(self.text.rstrip()):
            start = max(0, len(self.text.rstrip()) - 1)
            end = start + 1
        return self.source.span(start, end)

    def _line_end(self, start: int) -> Tuple[int, int]:
        match = _REST_OF_LINE.match(self.text, start)
        return start, max(start + 1, start + len(match.group().rstrip()))

    def _is_second_colon(self, at: int) -> bool:
        line, column = self.source.position(at)
        before = self.source.line(line)[:column - 1]
        return re.search(r':\s', before) is not None

    def _value_above(self, number: int) -> Optional[Span]:
        """The line above that has a key and its value, where this one is indented further."""
        line = self.source.line(number)
        for other in range(number - 1, 0, -1):
            above = self.source.line(other)
            if above.strip() and not above.lstrip().startswith('#'):
                indent, deeper = len(above) - len(above.lstrip()), len(line) - len(line.lstrip())
                value = re.match(r'\s*[\w.-]+:\s+[^\s#]', above)
                return Span(self.source, other, indent + 1, len(above.strip())) if value and deeper > indent else None
        return None

    def _glued_colon(self, line: str, offset: int, hints: List[str]) -> bool:
        """Recognises `key:value`, which YAML takes for a single word."""
        number = self.source.position(offset)[0]
        for candidate in (line, self.source.line(number - 1)):
            match = _NO_SPACE_AFTER_COLON.match(candidate)
            if match:
                hints.append("a space is missing behind the ':' in '%s'" % _short(candidate.strip()))
                return True
        return False

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


def _short(text: str) -> str:
    """Text that is short enough for a message."""
    return text if len(text) <= 60 else text[:57] + '...'
