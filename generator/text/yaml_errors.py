"""What PyYAML says about text that is not valid YAML, in words that help."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

import yaml

from .diag import Note, Source, Span

PROPERTY = re.compile(r'[!&][^\s,\[\]{}]*')
_ENDS_DOCUMENT = re.compile(r'^\.\.\.(?=\s|\Z)', re.MULTILINE)
_REST_OF_LINE = re.compile(r'[^\r\n]*')
_NO_SPACE_AFTER_COLON = re.compile(r'\s*(?:- +)*[A-Za-z_][\w-]*:(?=[^\s:/\\])')

QUOTE_HELP = "if this is C code, put the whole value in quotes: '...'"
_QUOTE_ALL = 'text behind a closing quote is not part of the value; quote all of it'
_QUOTE_COLON = 'put a value that holds ": " in quotes'
_ENDED = "'...' ends the document, and a spec is a single document"


def short(text: str) -> str:
    """Text that is short enough for a message."""
    return text if len(text) <= 60 else text[:57] + '...'


class SyntaxProblem:
    """One error of PyYAML: code, message, span, hints and notes of its diagnostic. `tab` is set instead where the error is
    a tab, and `tag` (span and word) where it is a tag."""

    def __init__(self, source: Source, text: str, problem: yaml.YAMLError):
        mark = getattr(problem, 'problem_mark', None)
        context_mark = getattr(problem, 'context_mark', None)
        said, context = (str(getattr(problem, name, None) or '') for name in ('problem', 'context'))
        self.source, self.text = source, text
        self.at = mark.index if mark is not None else 0
        self.began = context_mark.index if context_mark is not None else self.at
        self.here = text[self.at:self.at + 1]
        self.code, self.message = 'BSP0005', 'this is not valid YAML'
        self.hints: List[str] = []
        self.notes: List[Note] = []
        self.place = (self.at, self.at + 1)
        self.tab = self.at if self.here == '\t' and 'token' in said else None
        self.tag: Optional[Tuple[Span, str]] = None
        if self.tab is not None:
            return
        self.said = context + '\n' + said
        explain = next((explain for pattern, explain in _RULES if re.search(pattern, self.said)), None)
        if explain is not None:
            explain(self)
        self.span = self._visible_span(*self.place)
        self.notes = [note for note in self.notes if note.span.line != self.span.line or 'opened' in note.message]

    def bad_start(self) -> None:
        self.message = "a value cannot begin with '%s'" % self.here
        self.hints = ['put the value in quotes']

    def stray_colon(self) -> None:
        self.message = "a ':' is not allowed here"
        number, column = self.source.position(self.at)
        if re.search(r':\s', self.source.line(number)[:column - 1]):
            self.message = "a second ': ' on the same line"
            self.hints = [_QUOTE_COLON, 'or begin a new line']
        elif not self._glued_colon(self.began) and not self._glued_colon(self.at):
            self.hints = ["check the indentation, and that the line above has a ': '"]
            above = self._value_above(number)
            if above is not None:
                self.message = 'this line is indented further than the one above, whose value it would be a part of'
                self.hints = ['align the two; or, if a key is missing between them, write that']
                self.notes = [Note('the line above', above)]
                self.place = (self.at - len(self.source.line(number)[:column - 1].lstrip()), self.at)

    def no_colon(self) -> None:
        self.message = "expected ':' after this"
        self.place = self._line_end(self.began)
        self._glued_colon(self.began)
        if self.text[self.began:self.began + 1] in ('"', "'"):
            self.hints.append(_QUOTE_ALL)

    def stray_item(self) -> None:
        self.message = "a list item ('- ') is not allowed here"
        self.hints = ['begin the list on a line of its own, or put the value in quotes']

    def stray_question(self) -> None:
        self.message = "'? ' is not allowed here"
        self.hints = ['put the value in quotes']

    def open_quote(self) -> None:
        self.message = 'the quote that is opened here is never closed'
        self.hints = ['close it; a quote inside of single quotes is written twice']
        self.place = (self.began, self.began + 1)

    def bad_escape(self) -> None:
        if 'hexadecimal' in self.said:
            self.message = 'an escape with too few hexadecimal digits'
        else:
            self.message = "'\\%s' is not an escape of YAML" % self.here
            self.place = (self.at - 1, self.at + 1)
        self.hints = ["use single quotes: nothing is an escape between them"]

    def flow_collection(self) -> None:
        opening, closing = ('[', ']') if 'flow sequence' in self.said else ('{', '}')
        later = self.source.position(self.at)[0] > self.source.position(self.began)[0]
        if self.at >= len(self.text.rstrip()) or self.here == ':' and later:
            self.message = "the '%s' that is opened here is never closed" % opening
            self.place = (self.began, self.began + 1)
            if self.at < len(self.text.rstrip()):
                self.notes = [Note("a key was found before its '%s'" % closing, self.source.span(self.at))]
            self.hints = ["close it with '%s'" % closing]
            return
        self.message = "expected ',' or '%s'" % closing
        self.notes = [Note('opened here', self.source.span(self.began))]
        if self.here == ':':
            self.hints = [_QUOTE_COLON]
        elif self.here in ('[', '{', '?'):
            self.hints = ["put a value that holds '%s' in quotes" % self.here]
        elif self.here in ('}', ']'):
            self.message = "'%s' does not close '%s'" % (self.here, opening)
            self.hints = ["close it with '%s'" % closing]
        elif self.text[self.at - 1:self.at] in ('"', "'"):
            self.hints = [_QUOTE_ALL]

    def block(self) -> None:
        at, here, quotes = self.at, self.here, ('"', "'")
        in_mapping = 'mapping' in self.said.split('\n')[0]
        self.message = 'this does not fit what stands above'
        if here == '-' and in_mapping:
            self.message = 'a list item among the keys of a mapping'
            self.hints = ['indent the list below its key']
        elif here in (']', '}'):
            self.message = "'%s' closes nothing" % here
            self.hints = ['remove it, or put the value in quotes']
        elif here in quotes or self.text[at - 1:at] in quotes or self.text[at - 2:at - 1] in quotes:
            self.message = 'text behind a closing quote'
            self.hints = ['quote all of the value']
        elif self.source.position(at)[1] > self.source.position(self.began)[1]:
            self.message = 'this line is indented further than the ones it belongs to'
            self.hints = ['align it with them']
        else:
            self.message = "this is not a key: expected 'key: value'" if in_mapping else "expected a list item ('- ')"
        self.notes = [Note('the block begins here', self.source.span(self.began))]
        self.place = (at, self._line_end(at)[1])

    def bad_tag(self) -> None:
        word = PROPERTY.match(self.text, max(0, min(self.began, self.at)))
        if word:
            self.tag = (self.source.span(word.start(), word.end()), word.group())
        else:
            self.tag = (self.source.span(max(0, self.text.rfind('!', 0, self.at + 1))), '!')

    def bad_anchor(self) -> None:
        self.code = 'BSP0008'
        self.message = "a plain value cannot begin with '%s'" % self.text[self.began:self.began + 1]
        self.hints = [QUOTE_HELP]
        self.place = (self.began, max(self.began + 1, self.at))

    def block_scalar(self) -> None:
        self.message = "nothing but '+', '-' or a number of spaces may follow '%s' here" % self.text[self.began:self.began + 1]
        if 'indentation' in self.said and 'chomping' not in self.said:
            self.message = 'the number of spaces must be from 1 to 9'
        self.hints = ["put a value that begins with '|' or '>' in quotes"]

    def directive(self) -> None:
        self.message = "a line that begins with '%' is a directive of YAML, which specs do not use"
        self.hints = ['remove the line']

    def outside(self) -> None:
        self.message = 'this stands outside of the document'
        self.hints = ['check the indentation, and the lines above']
        end = next(_ENDS_DOCUMENT.finditer(self.text, 0, self.at), None)
        if end:
            self._ended(end.start())

    def no_value(self) -> None:
        self.message = 'a value is missing here'
        if _ENDS_DOCUMENT.match(self.text, self.at):
            self._ended(self.at)
        elif self.here.strip() and self.here not in '.-':
            self.hints = ["put a value that begins with '%s' in quotes" % self.here]
        else:
            self.hints = ['write the value, and close what is open']

    def _ended(self, at: int) -> None:
        self.code, self.message, self.place, self.hints = 'BSP0011', _ENDED, (at, at + 3), ['remove this line']

    def _visible_span(self, start: int, end: int) -> Span:
        """A span; at the end of the file it is moved back to the last thing that was written."""
        if start >= len(self.text.rstrip()):
            start = max(0, len(self.text.rstrip()) - 1)
            end = start + 1
        return self.source.span(start, end)

    def _line_end(self, start: int) -> Tuple[int, int]:
        match = _REST_OF_LINE.match(self.text, start)
        return start, max(start + 1, start + len(match.group().rstrip()))

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

    def _glued_colon(self, offset: int) -> bool:
        """Recognises `key:value`, which YAML takes for a single word."""
        number = self.source.position(offset)[0]
        for candidate in (self.source.line(number), self.source.line(number - 1)):
            if _NO_SPACE_AFTER_COLON.match(candidate):
                self.hints.append("a space is missing behind the ':' in '%s'" % short(candidate.strip()))
                return True
        return False


# Which error is which: found in the context and, in the next line, the problem as PyYAML words them. The first one counts.
_RULES = (
    (r'\n.*cannot start any token', SyntaxProblem.bad_start),
    (r'\n.*mapping values are not allowed', SyntaxProblem.stray_colon),
    (r"\n.*could not find expected ':'", SyntaxProblem.no_colon),
    (r'\n.*sequence entries are not allowed', SyntaxProblem.stray_item),
    (r'\n.*mapping keys are not allowed', SyntaxProblem.stray_question),
    (r'quoted scalar.*\n.*(end of stream|document separator)', SyntaxProblem.open_quote),
    (r'\n.*(unknown escape character|hexadecimal)', SyntaxProblem.bad_escape),
    (r'flow (sequence|mapping).*\n', SyntaxProblem.flow_collection),
    (r'block (mapping|collection|sequence).*\n', SyntaxProblem.block),
    (r'(scanning a tag|parsing a tag).*\n|\n.*tag handle', SyntaxProblem.bad_tag),
    (r'scanning an (alias|anchor).*\n', SyntaxProblem.bad_anchor),
    (r'block scalar.*\n', SyntaxProblem.block_scalar),
    (r'directive|\n.*YAML document', SyntaxProblem.directive),
    (r'\n.*<document start>', SyntaxProblem.outside),
    (r'parsing a node.*\n|\n.*expected the node content', SyntaxProblem.no_value),
)
