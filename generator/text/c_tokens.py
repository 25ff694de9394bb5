"""The tokens of C text that a spec brings: names, numbers, strings, operators, and nothing that could end an expression."""

import re
import unicodedata
from typing import List, NamedTuple, Tuple

MAX_LENGTH = 2000

Problem = Tuple[int, str]


class NotC(Exception):
    """The text is not C; `offset` is where."""

    def __init__(self, offset: int, message: str):
        super().__init__(message)
        self.offset = offset
        self.message = message


class Token(NamedTuple):
    kind: str    # 'name', 'number', 'char', 'string', 'op', 'end'
    text: str
    offset: int


_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
_NUMBER = re.compile(r'\.?[0-9](?:[eEpP][-+]|[A-Za-z0-9_.])*')
_INTEGER = re.compile(r'(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)(?:[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?\Z')
_FLOATING = re.compile(
    r'(?:(?:[0-9]*\.[0-9]+|[0-9]+\.)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+'
    r'|0[xX](?:[0-9a-fA-F]*\.[0-9a-fA-F]+|[0-9a-fA-F]+\.?)[pP][-+]?[0-9]+)[fFlL]?\Z')
_QUOTE = re.compile(r'(?:u8|[LuU])?(["\'])')
_ESCAPE = re.compile(r'\\(?:[abfnrtv\\\'"?]|[0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})')
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
_OPERATORS = re.compile(r'<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||::'
                        r'|[-+*/%&|^]=|[-+*/%&|^~!<>=?:.,()\[\]]')
_DIGRAPHS = ('<:', ':>', '<%', '%>', '%:')


def is_hidden(char: str) -> bool:
    """Control, format (bidi, zero width), surrogate or separator characters, which text can hide behind."""
    return unicodedata.category(char) in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp')


def tokens_of(text: str) -> List[Token]:
    """The words of C text. Raises NotC for whatever can never be part of an expression or type."""
    if len(text) > MAX_LENGTH:
        raise NotC(MAX_LENGTH, 'this is longer than %d characters' % MAX_LENGTH)
    trigraph = _TRIGRAPH.search(text)
    if trigraph:
        raise NotC(trigraph.start(), "'%s' is a trigraph, which compilers replace or warn of" % trigraph.group())
    found = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == ' ' or char == '\t':
            at += 1
            continue
        if char in '\n\r\v\f':
            raise NotC(at, 'a line break is not allowed here')
        if char == '\\':
            raise NotC(at, 'a backslash is not allowed outside of quotes')
        if text.startswith(('//', '/*'), at):
            raise NotC(at, 'comments are not allowed here')
        if char in ';{}#@`$':
            raise NotC(at, {
                ';': "';' ends a statement; only a single expression or type is allowed here",
                '{': "'{' begins a block; only a single expression or type is allowed here",
                '}': "'}' ends a block; only a single expression or type is allowed here",
                '#': "'#' belongs to the preprocessor and is not allowed here",
            }.get(char, "'%s' is not part of C" % char))
        if not '\x20' <= char < '\x7f':
            what = 'U+%04X' % ord(char) if is_hidden(char) else "'%s'" % char
            raise NotC(at, '%s is not allowed outside of quotes' % what)
        quote = _QUOTE.match(text, at)
        if quote:
            if char in 'uU':
                raise NotC(at, "the prefix '%s' is not part of C99" % quote.group()[:-1])
            end = _quoted_end(text, at, quote.end(), quote.group(1))
            found.append(Token('string' if quote.group(1) == '"' else 'char', text[at:end], at))
            at = end
            continue
        name = _NAME.match(text, at)
        if name:
            found.append(Token('name', name.group(), at))
            at = name.end()
            continue
        number = _NUMBER.match(text, at)
        if number:
            _check_number(number.group(), at)
            found.append(Token('number', number.group(), at))
            at = number.end()
            continue
        if text.startswith(_DIGRAPHS, at):
            raise NotC(at, "'%s' is a digraph; write the bracket itself" % text[at:at + 2])
        operator = _OPERATORS.match(text, at)
        if not operator:
            raise NotC(at, "'%s' is not allowed here" % char)
        found.append(Token('op', operator.group(), at))
        at = operator.end()
    found.append(Token('end', '', len(text.rstrip())))
    return found


def _quoted_end(text: str, start: int, at: int, quote: str) -> int:
    """Where a string or character constant ends whose content begins at `at`."""
    what = 'string' if quote == '"' else 'character constant'
    count = 0
    while at < len(text):
        char = text[at]
        if char == quote:
            if quote == "'" and count != 1:
                raise NotC(start, 'a character constant holds exactly one character')
            return at + 1
        if char == '\\':
            escape = _ESCAPE.match(text, at)
            if not escape:
                raise NotC(at, 'this is not an escape of C' if at + 1 < len(text) else 'the %s is not closed' % what)
            at = escape.end()
        elif is_hidden(char):
            raise NotC(at, 'U+%04X is not allowed in a %s; write an escape' % (ord(char), what))
        elif quote == "'" and char > '\x7f':
            raise NotC(at, "'%s' is more than one byte; write an escape" % char)
        else:
            at += 1
        count += 1
    raise NotC(start, 'the %s that begins here is not closed' % what)


def _check_number(text: str, offset: int) -> None:
    if _INTEGER.match(text) or _FLOATING.match(text):
        return
    if re.match(r'0[0-9]+\Z', text):
        raise NotC(offset, "'%s' begins with 0 and is octal, but has a digit above 7" % text)
    if re.match(r'0[bB][01]+', text):
        raise NotC(offset, "'%s': binary numbers are not part of C99" % text)
    raise NotC(offset, "'%s' is not a number of C" % text)


def literal(text: str) -> str:
    """A text of one line as a string of C."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
