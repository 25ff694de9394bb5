"""Is this text one C object type?"""

from typing import List, NamedTuple, Optional, Tuple

from .c_tokens import NotC, Problem, Token, tokens_of
from .identifiers import KEYWORDS, is_keyword

TAGS = ('struct', 'union', 'enum')
QUALIFIERS = ('const', 'volatile', 'restrict')
_STORAGE = ('auto', 'extern', 'register', 'static', 'typedef', 'inline', '_Thread_local', 'thread_local', '_Noreturn',
            'constexpr', '_Alignas', 'alignas', 'mutable')
BASIC_WORDS = ('void', 'char', 'short', 'int', 'long', 'float', 'double', 'signed', 'unsigned', 'bool')


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


class TypeName(NamedTuple):
    end: int              # index of the first token behind the type
    certain: bool         # cannot be an expression
    base: str             # 'void', 'basic', 'tag' or 'name'
    pointers: int
    top: Tuple[Token, ...]    # qualifiers of the type itself, not of what it points to


def parse_type(tokens: List[Token], at: int) -> TypeName:
    """Reads qualifiers, specifiers and '*'s. Raises NotC when tokens[at:] does not begin with a type."""
    top: List[Token] = []
    words: List[Token] = []
    base = ''
    start = tokens[at]
    while tokens[at].kind == 'name':
        token = tokens[at]
        if token.text in ('const', 'volatile'):
            top.append(token)
        elif token.text in TAGS:
            _check_tag(token, tokens[at + 1], base)
            base = 'tag'
            at += 1
        elif token.text in BASIC_WORDS:
            if base not in ('', 'basic'):
                raise NotC(token.offset, "'%s' cannot follow another type" % token.text)
            base = 'basic'
            words.append(token)
        else:
            _check_name(token, base)
            base = 'name'
        at += 1
    if not base:
        if tokens[at].kind == 'end' and top:
            raise NotC(top[-1].offset, 'a type is missing here')
        raise NotC(tokens[at].offset, 'a type is missing here')
    if base == 'basic':
        if tuple(sorted(token.text for token in words)) not in _BASIC:
            raise NotC(words[-1].offset, "'%s' is not a type of C" % ' '.join(token.text for token in words))
        if words[0].text == 'void':
            base = 'void'
    pointers = 0
    while tokens[at].text == '*' and tokens[at].kind == 'op':
        pointers += 1
        top = []
        at += 1
        while tokens[at].kind == 'name' and tokens[at].text in QUALIFIERS:
            if tokens[at].text == 'restrict':
                raise NotC(tokens[at].offset, "'restrict' is not part of C++")
            top.append(tokens[at])
            at += 1
    certain = base != 'name' or pointers > 0 or start.text in QUALIFIERS or bool(top)
    return TypeName(at, certain, base, pointers, tuple(top))


def _check_tag(token: Token, tag: Token, base: str) -> None:
    if base:
        raise NotC(token.offset, "'%s' cannot follow another type" % token.text)
    if tag.kind != 'name':
        raise NotC(tag.offset, "a name must follow '%s'" % token.text)
    if is_keyword(tag.text):
        raise NotC(tag.offset, "'%s' is a keyword in %s" % (tag.text, KEYWORDS[tag.text]))


def _check_name(token: Token, base: str) -> None:
    """Can a word that is none of C's types be the name of one?"""
    word = token.text
    if word == 'restrict':
        raise NotC(token.offset, "'restrict' qualifies pointers only, and is not part of C++")
    if word in _STORAGE:
        raise NotC(token.offset, "'%s' is not part of a type" % word)
    if word == '_Bool':
        raise NotC(token.offset, "'_Bool' does not exist in C++; write 'bool'")
    if is_keyword(word):
        if word == 'operator' or base == '':
            raise NotC(token.offset, "'%s' is not a type but a keyword in %s" % (word, KEYWORDS[word]))
        raise NotC(token.offset, "'%s' cannot follow a type" % word)
    if base:
        raise NotC(token.offset, "'%s' cannot follow another type" % word)


def check_type(text: str) -> Optional[Problem]:
    """None if text is one C object type that elements can have; otherwise offset and message."""
    try:
        tokens = tokens_of(text)
        if len(tokens) == 1:
            raise NotC(0, 'a type is missing')
        type_name = parse_type(tokens, 0)
        rest = tokens[type_name.end]
        if rest.kind != 'end':
            raise NotC(rest.offset, after_type(tokens, type_name.end))
        if type_name.base == 'void' and not type_name.pointers:
            raise NotC(tokens[0].offset, "'void' has no values; a pointer, 'void *', has")
        if type_name.pointers > 8:
            raise NotC(tokens[0].offset, 'too many pointers')
        for token in type_name.top:
            if token.text == 'const':
                raise NotC(token.offset, "elements must be assignable, so the type itself cannot be 'const'")
            raise NotC(token.offset, "elements are copied as a whole, so the type itself cannot be '%s'" % token.text)
    except NotC as bad:
        return bad.offset, bad.message
    return None


def after_type(tokens: List[Token], at: int) -> str:
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
