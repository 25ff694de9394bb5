"""Is this text one C expression, one C object type, one header name?

A spec is untrusted text that ends up in C files. What passes here cannot leave its place: no statement, no second
expression, no comment, no line break, no preprocessor. Whether names exist and types agree is the compiler's to say.

Every check returns None, or the character offset of what is wrong and a message.
"""

from __future__ import annotations

import re
import unicodedata
from typing import List, NamedTuple, Optional, Tuple

from .identifiers import KEYWORDS, is_keyword

MAX_LENGTH = 2000
MAX_DEPTH = 32

Problem = Tuple[int, str]


class _Bad(Exception):
    def __init__(self, offset: int, message: str):
        super().__init__(message)
        self.offset = offset
        self.message = message


class _Token(NamedTuple):
    kind: str    # 'name', 'number', 'char', 'string', 'op', 'end'
    text: str
    offset: int


# -- Words -------------------------------------------------------------------------------------------------

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


def _is_hidden(char: str) -> bool:
    """Control, format (bidi, zero width), surrogate or separator characters, which text can hide behind."""
    return unicodedata.category(char) in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp')


def _tokens(text: str) -> List[_Token]:
    """The words of C text. Raises _Bad for whatever can never be part of an expression or type."""
    if len(text) > MAX_LENGTH:
        raise _Bad(MAX_LENGTH, 'this is longer than %d characters' % MAX_LENGTH)
    trigraph = _TRIGRAPH.search(text)
    if trigraph:
        raise _Bad(trigraph.start(), "'%s' is a trigraph, which compilers replace or warn of" % trigraph.group())
    found = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == ' ' or char == '\t':
            at += 1
            continue
        if char in '\n\r\v\f':
            raise _Bad(at, 'a line break is not allowed here')
        if char == '\\':
            raise _Bad(at, 'a backslash is not allowed outside of quotes')
        if text.startswith(('//', '/*'), at):
            raise _Bad(at, 'comments are not allowed here')
        if char in ';{}#@`$':
            raise _Bad(at, {
                ';': "';' ends a statement; only a single expression or type is allowed here",
                '{': "'{' begins a block; only a single expression or type is allowed here",
                '}': "'}' ends a block; only a single expression or type is allowed here",
                '#': "'#' belongs to the preprocessor and is not allowed here",
            }.get(char, "'%s' is not part of C" % char))
        if not '\x20' <= char < '\x7f':
            what = 'U+%04X' % ord(char) if _is_hidden(char) else "'%s'" % char
            raise _Bad(at, '%s is not allowed outside of quotes' % what)
        quote = _QUOTE.match(text, at)
        if quote:
            if char in 'uU':
                raise _Bad(at, "the prefix '%s' is not part of C99" % quote.group()[:-1])
            end = _quoted_end(text, at, quote.end(), quote.group(1))
            found.append(_Token('string' if quote.group(1) == '"' else 'char', text[at:end], at))
            at = end
            continue
        name = _NAME.match(text, at)
        if name:
            found.append(_Token('name', name.group(), at))
            at = name.end()
            continue
        number = _NUMBER.match(text, at)
        if number:
            _check_number(number.group(), at)
            found.append(_Token('number', number.group(), at))
            at = number.end()
            continue
        if text.startswith(_DIGRAPHS, at):
            raise _Bad(at, "'%s' is a digraph; write the bracket itself" % text[at:at + 2])
        operator = _OPERATORS.match(text, at)
        if not operator:
            raise _Bad(at, "'%s' is not allowed here" % char)
        found.append(_Token('op', operator.group(), at))
        at = operator.end()
    found.append(_Token('end', '', len(text.rstrip())))
    return found


def _quoted_end(text: str, start: int, at: int, quote: str) -> int:
    """Where a string or character constant ends whose content begins at `at`."""
    what = 'string' if quote == '"' else 'character constant'
    count = 0
    while at < len(text):
        char = text[at]
        if char == quote:
            if quote == "'" and count != 1:
                raise _Bad(start, 'a character constant holds exactly one character')
            return at + 1
        if char == '\\':
            escape = _ESCAPE.match(text, at)
            if not escape:
                raise _Bad(at, 'this is not an escape of C' if at + 1 < len(text) else 'the %s is not closed' % what)
            at = escape.end()
        elif _is_hidden(char):
            raise _Bad(at, 'U+%04X is not allowed in a %s; write an escape' % (ord(char), what))
        elif quote == "'" and char > '\x7f':
            raise _Bad(at, "'%s' is more than one byte; write an escape" % char)
        else:
            at += 1
        count += 1
    raise _Bad(start, 'the %s that begins here is not closed' % what)


def _check_number(text: str, offset: int) -> None:
    if _INTEGER.match(text) or _FLOATING.match(text):
        return
    if re.match(r'0[0-9]+\Z', text):
        raise _Bad(offset, "'%s' begins with 0 and is octal, but has a digit above 7" % text)
    if re.match(r'0[bB][01]+', text):
        raise _Bad(offset, "'%s': binary numbers are not part of C99" % text)
    raise _Bad(offset, "'%s' is not a number of C" % text)


# -- Types -------------------------------------------------------------------------------------------------

_TAGS = ('struct', 'union', 'enum')
_QUALIFIERS = ('const', 'volatile', 'restrict')
_STORAGE = ('auto', 'extern', 'register', 'static', 'typedef', 'inline', '_Thread_local', 'thread_local', '_Noreturn',
            'constexpr', '_Alignas', 'alignas', 'mutable')
_BASIC_WORDS = ('void', 'char', 'short', 'int', 'long', 'float', 'double', 'signed', 'unsigned', 'bool')


def _combinations():
    """Every way to write a basic type, as sorted words."""
    found = {('void',), ('bool',), ('float',), ('double',), ('double', 'long'), ('char',), ('char', 'signed'),
             ('char', 'unsigned')}
    for size in ((), ('short',), ('long',), ('long', 'long')):
        for sign in ((), ('signed',), ('unsigned',)):
            for tail in ((), ('int',)):
                words = tuple(sorted(size + sign + tail))
                if words:
                    found.add(words)
    return found


_BASIC = _combinations()


class _TypeName(NamedTuple):
    end: int              # index of the first token behind the type
    certain: bool         # cannot be an expression
    base: str             # 'void', 'basic', 'tag' or 'name'
    pointers: int
    top: Tuple[_Token, ...]    # qualifiers of the type itself, not of what it points to


def _parse_type(tokens: List[_Token], at: int) -> _TypeName:
    """Reads qualifiers, specifiers and '*'s. Raises _Bad when tokens[at:] does not begin with a type."""
    top: List[_Token] = []
    words: List[_Token] = []
    base = ''
    start = tokens[at]
    while tokens[at].kind == 'name':
        token = tokens[at]
        word = token.text
        if word in ('const', 'volatile'):
            top.append(token)
        elif word == 'restrict':
            raise _Bad(token.offset, "'restrict' qualifies pointers only, and is not part of C++")
        elif word in _STORAGE:
            raise _Bad(token.offset, "'%s' is not part of a type" % word)
        elif word == '_Bool':
            raise _Bad(token.offset, "'_Bool' does not exist in C++; write 'bool'")
        elif word in _TAGS:
            if base:
                raise _Bad(token.offset, "'%s' cannot follow another type" % word)
            tag = tokens[at + 1]
            if tag.kind != 'name':
                raise _Bad(tag.offset, "a name must follow '%s'" % word)
            if is_keyword(tag.text):
                raise _Bad(tag.offset, "'%s' is a keyword in %s" % (tag.text, KEYWORDS[tag.text]))
            base = 'tag'
            at += 1
        elif word in _BASIC_WORDS:
            if base not in ('', 'basic'):
                raise _Bad(token.offset, "'%s' cannot follow another type" % word)
            base = 'basic'
            words.append(token)
        elif is_keyword(word):
            if word == 'operator' or base == '':
                raise _Bad(token.offset, "'%s' is not a type but a keyword in %s" % (word, KEYWORDS[word]))
            raise _Bad(token.offset, "'%s' cannot follow a type" % word)
        else:
            if base:
                raise _Bad(token.offset, "'%s' cannot follow another type" % word)
            base = 'name'
        at += 1
    if not base:
        if tokens[at].kind == 'end' and top:
            raise _Bad(top[-1].offset, 'a type is missing here')
        raise _Bad(tokens[at].offset, 'a type is missing here')
    if base == 'basic':
        if tuple(sorted(token.text for token in words)) not in _BASIC:
            raise _Bad(words[-1].offset, "'%s' is not a type of C" % ' '.join(token.text for token in words))
        if words[0].text == 'void':
            base = 'void'
    pointers = 0
    while tokens[at].text == '*' and tokens[at].kind == 'op':
        pointers += 1
        top = []
        at += 1
        while tokens[at].kind == 'name' and tokens[at].text in _QUALIFIERS:
            if tokens[at].text == 'restrict':
                raise _Bad(tokens[at].offset, "'restrict' is not part of C++")
            top.append(tokens[at])
            at += 1
    certain = base != 'name' or pointers > 0 or start.text in _QUALIFIERS or bool(top)
    return _TypeName(at, certain, base, pointers, tuple(top))


def check_type(text: str) -> Optional[Problem]:
    """None if text is one C object type that elements can have; otherwise offset and message."""
    try:
        tokens = _tokens(text)
        if len(tokens) == 1:
            raise _Bad(0, 'a type is missing')
        type_name = _parse_type(tokens, 0)
        rest = tokens[type_name.end]
        if rest.kind != 'end':
            raise _Bad(rest.offset, _after_type(tokens, type_name.end))
        if type_name.base == 'void' and not type_name.pointers:
            raise _Bad(tokens[0].offset, "'void' has no values; a pointer, 'void *', has")
        if type_name.pointers > 8:
            raise _Bad(tokens[0].offset, 'too many pointers')
        for token in type_name.top:
            if token.text == 'const':
                raise _Bad(token.offset, "elements must be assignable, so the type itself cannot be 'const'")
            raise _Bad(token.offset, "elements are copied as a whole, so the type itself cannot be '%s'" % token.text)
    except _Bad as bad:
        return bad.offset, bad.message
    return None


def _after_type(tokens: List[_Token], at: int) -> str:
    text = tokens[at].text
    if text == '[':
        return 'an array cannot be assigned; put it into a struct'
    if text == '(':
        return 'function types are written with a typedef name here'
    if text == ':':
        return 'a bit-field is not a type of its own'
    if text == ',':
        return 'only one type is allowed here'
    if text in ('&', '&&', '::', '<'):
        return "'%s' belongs to C++; the type must be one of C" % text
    if tokens[at].kind == 'name':
        return "'%s' cannot follow a type" % text
    return "'%s' is not part of a type" % text


# -- Expressions -------------------------------------------------------------------------------------------

# Which operator binds closer makes no difference to whether a text is an expression.
_BINARY = ('||', '&&', '|', '^', '&', '==', '!=', '<', '>', '<=', '>=', '<<', '>>', '+', '-', '*', '/', '%')
_UNARY = ('!', '~', '-', '+', '*', '&')
_ASSIGNMENTS = ('=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=')
_STATEMENTS = ('break', 'case', 'continue', 'default', 'do', 'else', 'for', 'goto', 'if', 'return', 'switch', 'while',
               'asm', 'typedef', 'throw', 'try', 'catch')
_TYPE_WORDS = _TAGS + _QUALIFIERS + _BASIC_WORDS
_ALTERNATIVES = {
    'and': '&&', 'or': '||', 'not': '!', 'bitand': '&', 'bitor': '|', 'xor': '^', 'compl': '~', 'not_eq': '!=',
    'and_eq': '&=', 'or_eq': '|=', 'xor_eq': '^=',
}
_LITERAL_WORDS = ('true', 'false')
_CHANGES = 'an expression that changes something cannot be a predicate'


class _Parser:
    """Descends through the tokens of one expression. Builds nothing but the list of free names."""

    def __init__(self, text: str):
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0
        self.names: List[Tuple[str, int]] = []
        self.open: List[_Token] = []

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def is_op(self, *texts: str) -> bool:
        return self.token.kind == 'op' and self.token.text in texts

    def whole(self) -> None:
        if self.token.kind == 'end':
            raise _Bad(0, 'an expression is missing')
        self.expression()
        if self.token.kind != 'end':
            raise _Bad(self.token.offset, self.unexpected())

    def unexpected(self) -> str:
        """What to say about a token that cannot follow a complete expression."""
        token = self.token
        text = token.text
        if token.kind == 'end':
            return "the '%s' is not closed" % self.open[-1].text if self.open else 'the expression ends too early'
        if token.kind == 'op':
            if text == '=':
                return "'=' assigns, and %s; '==' compares" % _CHANGES
            if text in _ASSIGNMENTS:
                return "'%s' assigns, and %s" % (text, _CHANGES)
            if text in ('++', '--'):
                return "'%s' changes its operand, and %s" % (text, _CHANGES)
            if text == ',':
                return 'only one expression is allowed here, not several with commas between them'
            if text in (')', ']'):
                if self.open:
                    return "'%s' does not close '%s'" % (text, self.open[-1].text)
                return "'%s' closes nothing" % text
            if text == ':':
                return "':' without a '?' before it"
            if text == '::':
                return "'::' belongs to C++; the expression must be one of C"
            if text == '...':
                return "'...' is not part of an expression"
        if token.kind == 'name':
            if text in _ALTERNATIVES:
                return "'%s' is a keyword in C++; write '%s'" % (text, _ALTERNATIVES[text])
            if text in _STATEMENTS:
                return "'%s' belongs to statements; only an expression is allowed here" % text
        return "'%s' follows an operand; an operator is missing between them" % _cut(text)

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Bad(self.token.offset, 'nested too deep')

    def leave(self) -> None:
        self.depth -= 1

    def bracket(self, closing: str, content) -> None:
        """Reads content in brackets; the opening one is the current token."""
        self.open.append(self.token)
        self.at += 1
        self.enter()
        content()
        self.leave()
        if not self.is_op(closing):
            if self.token.kind == 'end':
                raise _Bad(self.open[-1].offset, "the '%s' is not closed" % self.open[-1].text)
            raise _Bad(self.token.offset, self.unexpected())
        self.open.pop()
        self.at += 1

    def expression(self) -> None:
        """A conditional expression; C's assignment and comma are left out on purpose."""
        self.binary()
        if not self.is_op('?'):
            return
        mark = self.token
        self.at += 1
        self.enter()
        self.expression()
        if not self.is_op(':'):
            if self.token.kind == 'end':
                raise _Bad(mark.offset, "a ':' is missing for this '?'")
            raise _Bad(self.token.offset, self.unexpected())
        self.at += 1
        self.expression()
        self.leave()

    def binary(self) -> None:
        self.unary()
        while self.is_op(*_BINARY):
            self.at += 1
            self.unary()

    def unary(self) -> None:
        count = 0
        while True:
            count += 1
            if count > MAX_DEPTH:
                raise _Bad(self.token.offset, 'too many operators in a row')
            if self.is_op('++', '--'):
                raise _Bad(self.token.offset, self.unexpected())
            if self.is_op(*_UNARY):
                self.at += 1
                continue
            if self.token.kind == 'name' and self.token.text == 'sizeof':
                self.at += 1
                if self.is_op('(') and self.skip_type(certain_only=True):
                    return
                continue
            if self.is_op('(') and self.skip_cast():
                continue
            break
        self.postfix()

    def skip_type(self, certain_only: bool) -> bool:
        """Steps over `(type)`, if that is what comes next."""
        try:
            type_name = _parse_type(self.tokens, self.at + 1)
        except _Bad:
            word = self.tokens[self.at + 1]
            if word.kind == 'name' and word.text in _TYPE_WORDS:
                raise
            return False
        closing = self.tokens[type_name.end]
        if closing.kind != 'op' or closing.text != ')':
            word = self.tokens[self.at + 1]
            if word.kind == 'name' and word.text in _TYPE_WORDS:
                if closing.kind == 'end':
                    raise _Bad(self.token.offset, "the '(' is not closed")
                raise _Bad(closing.offset, _after_type(self.tokens, type_name.end))
            return False
        if not type_name.certain:
            if certain_only:
                return False
            # `(name)` is a cast only if an operand follows that cannot continue an expression. A name of a value in
            # needless parentheses reads the same before '(', '*', '&', '-' and '+': then it is not a cast.
            after = self.tokens[type_name.end + 1]
            if after.kind == 'op' and after.text == '(':
                # `(name)(type)x` is two casts, `(name)(x)` as good as a call.
                here, self.at = self.at, type_name.end + 1
                another = self.skip_type(certain_only=False)
                self.at = here
                if not another:
                    return False
            elif not (after.kind in ('name', 'number', 'char', 'string') or
                      (after.kind == 'op' and after.text in ('!', '~'))):
                return False
            if after.kind == 'name' and (after.text in _ALTERNATIVES or after.text in _STATEMENTS):
                return False
        self.at = type_name.end + 1
        return True

    def skip_cast(self) -> bool:
        return self.skip_type(certain_only=False)

    def postfix(self) -> None:
        self.primary()
        while True:
            if self.is_op('['):
                self.bracket(']', self.expression)
            elif self.is_op('('):
                self.bracket(')', self.arguments)
            elif self.is_op('.', '->'):
                self.at += 1
                # A member may have a name that only C++ takes; its struct is then not for C++ anyway.
                if self.token.kind != 'name' or KEYWORDS.get(self.token.text, '').startswith('C and') \
                        or KEYWORDS.get(self.token.text) in ('C', 'C11'):
                    operator = self.tokens[self.at - 1]
                    place = operator if self.token.kind == 'end' else self.token
                    raise _Bad(place.offset, "the name of a member must follow '%s'" % operator.text)
                self.at += 1
            elif self.is_op('++', '--'):
                raise _Bad(self.token.offset, self.unexpected())
            else:
                return

    def arguments(self) -> None:
        if self.is_op(')'):
            return
        self.expression()
        while self.is_op(','):
            self.at += 1
            self.expression()

    def primary(self) -> None:
        token = self.token
        if token.kind in ('number', 'char'):
            self.at += 1
            return
        if token.kind == 'string':
            while self.token.kind == 'string':
                self.at += 1
            return
        if token.kind == 'name':
            self.check_name(token)
            if token.text not in _LITERAL_WORDS:
                self.names.append((token.text, token.offset))
            self.at += 1
            return
        if self.is_op('('):
            self.bracket(')', self.expression)
            return
        if token.kind == 'end':
            if self.at == 0:
                raise _Bad(0, 'an expression is missing')
            before = self.tokens[self.at - 1]
            raise _Bad(before.offset, "an operand is missing after '%s'" % before.text)
        if token.text in (')', ']') and not self.open:
            raise _Bad(token.offset, "'%s' closes nothing" % token.text)
        if token.text in _ASSIGNMENTS + ('...', '::') and token.text != '=':
            raise _Bad(token.offset, self.unexpected())
        if token.text == '=' and self.at and self.tokens[self.at - 1].kind == 'op':
            raise _Bad(token.offset, "an operand is missing in front of '='")
        raise _Bad(token.offset, "an operand is missing in front of '%s'" % token.text)

    def check_name(self, token: _Token) -> None:
        word = token.text
        if word in _LITERAL_WORDS:
            return
        if word in _ALTERNATIVES:
            raise _Bad(token.offset, "'%s' is a keyword in C++; write '%s'" % (word, _ALTERNATIVES[word]))
        if word in _STATEMENTS:
            raise _Bad(token.offset, "'%s' belongs to statements; only an expression is allowed here" % word)
        if word in _TYPE_WORDS:
            raise _Bad(token.offset, "'%s' belongs to a type; an operand is expected here" % word)
        if is_keyword(word):
            raise _Bad(token.offset, "'%s' is a keyword in %s and cannot be used here" % (word, KEYWORDS[word]))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + '...'


def check_expression(text: str) -> Optional[Problem]:
    """None if text is exactly one C expression without side effects of its own; otherwise offset and message."""
    try:
        _Parser(text).whole()
    except _Bad as bad:
        return bad.offset, bad.message
    except RecursionError:  # a caller that is deep in recursion itself
        return 0, 'nested too deep'
    return None


def identifiers(text: str) -> List[Tuple[str, int]]:
    """The free names of an expression with their offsets, in order: variables, functions and macros.

    Members after '.' and '->', types in casts, `true` and `false` are not free names. Of text that is no expression,
    the names found up to the mistake.
    """
    try:
        parser = _Parser(text)
    except _Bad:
        return []
    try:
        parser.whole()
    except (_Bad, RecursionError):
        pass
    return parser.names


# -- Headers -----------------------------------------------------------------------------------------------

_HEADER_FORBIDDEN = {
    '"': 'write the header without quotes; Bespoke adds them',
    "'": "a quote is not allowed in the name of a header",
    '\\': "use '/' between folders",
    '*': "'*' is not allowed in the name of a header",
    '?': "'?' is not allowed in the name of a header",
    '|': "'|' is not allowed in the name of a header",
    '<': "'<' must be the first character, and '>' the last",
    '>': "'<' must be the first character, and '>' the last",
    ':': 'the path of a header must be relative',
    '\n': 'a line break is not allowed in the name of a header',
    '\r': 'a line break is not allowed in the name of a header',
}


def check_header(text: str) -> Optional[Problem]:
    """None if text names a header, as `a/b.h` or `<a/b.h>`; otherwise offset and message."""
    if not text.strip():
        return 0, 'the name of a header is missing'
    if len(text) > 255:
        return 255, 'the name of the header is too long'
    angled = text[0] == '<'
    begin, end = 0, len(text)
    if angled:
        begin = 1
        if text[-1] != '>' or len(text) == 1:
            return len(text) - 1, "a '>' is missing at the end"
        end -= 1
    path = text[begin:end]
    for at, char in enumerate(path, begin):
        if char in _HEADER_FORBIDDEN:
            return at, _HEADER_FORBIDDEN[char]
        if _is_hidden(char):
            return at, 'U+%04X is not allowed in the name of a header' % ord(char)
    if not path:
        return 1, 'the name of a header is missing'
    if path[0] == ' ' or path[-1] == ' ':
        return (begin if path[0] == ' ' else end - 1), 'a space at the edge of the name of a header'
    if path[0] == '/':
        return begin, 'the path of a header must be relative'
    if path[-1] == '/':
        return end - 1, 'this names a folder, not a header'
    if '//' in path:
        return begin + path.index('//'), "'//' is not allowed in the name of a header"
    parts = path.split('/')
    if angled and '..' in parts:
        return begin + path.index('..'), "'..' is not allowed between '<' and '>'"
    if parts[-1] in ('.', '..'):
        return end - len(parts[-1]), 'this names a folder, not a header'
    return None
