"""Is this text one C expression?

A spec is untrusted text that ends up in C files. What passes here and in `c_types` and `header_names` cannot leave its place: no
statement, no second expression, no comment, no line break, no preprocessor. Whether names exist and types agree is the compiler's
to say.

Every check returns None, or the character offset of what is wrong and a message.
"""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

from .c_tokens import NotC, Problem, Token, tokens_of
from .c_types import BASIC_WORDS, QUALIFIERS, TAGS, after_type, parse_type
from .identifiers import KEYWORDS, is_keyword
from .naming import MARK

MAX_DEPTH = 32

# Which operator binds closer makes no difference to whether a text is an expression.
_BINARY = ('||', '&&', '|', '^', '&', '==', '!=', '<', '>', '<=', '>=', '<<', '>>', '+', '-', '*', '/', '%')
_UNARY = ('!', '~', '-', '+', '*', '&')
_ASSIGNMENTS = ('=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=')
_STATEMENTS = ('break', 'case', 'continue', 'default', 'do', 'else', 'for', 'goto', 'if', 'return', 'switch', 'while',
               'asm', 'typedef', 'throw', 'try', 'catch')
_TYPE_WORDS = TAGS + QUALIFIERS + BASIC_WORDS
_ALTERNATIVES = {
    'and': '&&', 'or': '||', 'not': '!', 'bitand': '&', 'bitor': '|', 'xor': '^', 'compl': '~', 'not_eq': '!=',
    'and_eq': '&=', 'or_eq': '|=', 'xor_eq': '^=',
}
_LITERAL_WORDS = ('true', 'false')
_CHANGES = 'an expression that changes something cannot be a predicate'


class _Parser:
    """Descends through the tokens of one expression. Builds nothing but the list of free names, and that of the operands that
    it dereferences."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = tokens_of(text)
        self.at = 0
        self.depth = 0
        self.names: List[Tuple[str, int]] = []
        self.dereferenced: List[str] = []  # what an operand needs is in front of it
        self.open: List[Token] = []

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def is_op(self, *texts: str) -> bool:
        return self.token.kind == 'op' and self.token.text in texts

    def whole(self) -> None:
        if self.token.kind == 'end':
            raise NotC(0, 'an expression is missing')
        self.expression()
        if self.token.kind != 'end':
            raise NotC(self.token.offset, self.unexpected())

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
            raise NotC(self.token.offset, 'nested too deep')

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
                raise NotC(self.open[-1].offset, "the '%s' is not closed" % self.open[-1].text)
            raise NotC(self.token.offset, self.unexpected())
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
                raise NotC(mark.offset, "a ':' is missing for this '?'")
            raise NotC(self.token.offset, self.unexpected())
        self.at += 1
        self.expression()
        self.leave()

    def binary(self) -> None:
        self.unary()
        while self.is_op(*_BINARY):
            self.at += 1
            self.unary()

    def since(self, begin: int) -> str:
        """The text from a token to the current one."""
        last = self.tokens[self.at - 1]
        return self.text[self.tokens[begin].offset:last.offset + len(last.text)]

    def unary(self) -> None:
        count = 0
        stars: List[int] = []  # where what they dereference begins
        while True:
            count += 1
            if count > MAX_DEPTH:
                raise NotC(self.token.offset, 'too many operators in a row')
            if self.is_op('++', '--'):
                raise NotC(self.token.offset, self.unexpected())
            if self.is_op(*_UNARY):
                self.at += 1
                if self.tokens[self.at - 1].text == '*':
                    stars.append(self.at)
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
        self.dereferenced += map(self.since, reversed(stars))

    def skip_type(self, certain_only: bool) -> bool:
        """Steps over `(type)`, if that is what comes next."""
        try:
            type_name = parse_type(self.tokens, self.at + 1)
        except NotC:
            word = self.tokens[self.at + 1]
            if word.kind == 'name' and word.text in _TYPE_WORDS:
                raise
            return False
        closing = self.tokens[type_name.end]
        if closing.kind != 'op' or closing.text != ')':
            word = self.tokens[self.at + 1]
            if word.kind == 'name' and word.text in _TYPE_WORDS:
                if closing.kind == 'end':
                    raise NotC(self.token.offset, "the '(' is not closed")
                raise NotC(closing.offset, after_type(self.tokens, type_name.end))
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
        begin = self.at
        self.primary()
        while True:
            if self.is_op('[', '->'):
                self.dereferenced.append(self.since(begin))
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
                    raise NotC(place.offset, "the name of a member must follow '%s'" % operator.text)
                self.at += 1
            elif self.is_op('++', '--'):
                raise NotC(self.token.offset, self.unexpected())
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
                raise NotC(0, 'an expression is missing')
            before = self.tokens[self.at - 1]
            raise NotC(before.offset, "an operand is missing after '%s'" % before.text)
        if token.text in (')', ']') and not self.open:
            raise NotC(token.offset, "'%s' closes nothing" % token.text)
        if token.text in _ASSIGNMENTS + ('...', '::') and token.text != '=':
            raise NotC(token.offset, self.unexpected())
        if token.text == '=' and self.at and self.tokens[self.at - 1].kind == 'op':
            raise NotC(token.offset, "an operand is missing in front of '='")
        raise NotC(token.offset, "an operand is missing in front of '%s'" % token.text)

    def check_name(self, token: Token) -> None:
        word = token.text
        if word in _LITERAL_WORDS:
            return
        if word in _ALTERNATIVES:
            raise NotC(token.offset, "'%s' is a keyword in C++; write '%s'" % (word, _ALTERNATIVES[word]))
        if word in _STATEMENTS:
            raise NotC(token.offset, "'%s' belongs to statements; only an expression is allowed here" % word)
        if word in _TYPE_WORDS:
            raise NotC(token.offset, "'%s' belongs to a type; an operand is expected here" % word)
        if is_keyword(word):
            raise NotC(token.offset, "'%s' is a keyword in %s and cannot be used here" % (word, KEYWORDS[word]))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + '...'


def check_expression(text: str) -> Optional[Problem]:
    """None if text is exactly one C expression without side effects of its own; otherwise offset and message."""
    try:
        _Parser(text).whole()
    except NotC as bad:
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
    except NotC:
        return []
    try:
        parser.whole()
    except (NotC, RecursionError):
        pass
    return parser.names


def dereferenced(text: str) -> List[str]:
    """What an expression dereferences, in the order in which it does: `element` and `element->a` of `element->a->id`."""
    parser = _Parser(text)
    parser.whole()
    return list(dict.fromkeys(parser.dereferenced))


def plain_member(expression: object) -> str:
    """The member of an element that an expression is, and nothing else; '' if it is more."""
    found = re.fullmatch(r"\(?element->([A-Za-z_][\w.]*)\)?", str(expression))
    return found[1] if found else ""


_OPERAND = re.compile(rf"[\w.${MARK}]+(?:->[\w.${MARK}]+)*")


def operand(text: str) -> str:
    """An expression as an operand of any operator: in parentheses, unless it is a name, a number or a member."""
    return text if _OPERAND.fullmatch(text) else f"({text})"
