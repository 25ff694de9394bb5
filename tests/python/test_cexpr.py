"""Which texts pass as a C expression, type, header or name, and where the caret stands for those that do not."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings, strategies as st

from generator.text.c_types import check_type
from generator.text.expressions import check_expression, identifiers
from generator.text.header_names import check_header
from generator.text.identifiers import KEYWORDS, LIBRARY, check_identifier, is_keyword, shout

GOOD_EXPRESSIONS = [
    'element->dead',
    'element->hp <= 0 && !element->immortal',
    '!is_alive(element)',
    'a ? b : c ? d : e',
    '(int)x',
    '(struct ship *)p->next',
    '(const char *)p == NULL',
    '(unsigned long long)x >> 3',
    '(foo)(x)',
    '(a) - b',
    '(T)(T)x',
    '(T)(const struct s *)x',
    'sizeof(int) * 2',
    'sizeof x + sizeof(struct s)',
    'f(a, b)[3].c->d()',
    '"a" "b"',
    "c == '\\n' || c == L'x' || c == '\\''",
    '1.5f + 0x1p-3 + .5 + 1e3 + 10ULL + 0x1F + 010 + 1.',
    'a - -b',
    '~*p & -q',
    '&x[1]',
    '"\u00e9 // no comment; {} #"',
    'true',
    'a->class',
    '((((a))))',
    ' a ',
]

# text, offset of the caret, a word that the message must hold
BAD_EXPRESSIONS = [
    ('', 0, 'missing'),
    ('   ', 0, 'missing'),
    ('x; y', 1, "';'"),
    ('{x}', 0, "'{'"),
    ('x }', 2, "'}'"),
    ('#x', 0, 'preprocessor'),
    ('a // b', 2, 'comment'),
    ('a /* b */', 2, 'comment'),
    ('a\nb', 1, 'line break'),
    ('a \\', 2, 'backslash'),
    ('a \\\n+ b', 2, 'backslash'),
    ('(a', 0, 'not closed'),
    ('f(a', 1, 'not closed'),
    ('a[1', 1, 'not closed'),
    ('a)', 1, 'closes nothing'),
    ('(a]', 2, 'does not close'),
    ('a, b', 1, 'commas'),
    ('(a, b)', 2, 'commas'),
    ('a = b', 2, '=='),
    ('a += 1', 2, 'cannot be a predicate'),
    ('a <<= 1', 2, 'cannot be a predicate'),
    ('a++', 1, 'cannot be a predicate'),
    ('--a', 0, 'cannot be a predicate'),
    ('a +', 2, "missing after '+'"),
    ('a ==', 2, "missing after '=='"),
    ('== a', 0, 'operand'),
    ('a b', 2, 'operator is missing'),
    ('1 2', 2, 'operator is missing'),
    ('a "x"', 2, 'operator is missing'),
    ('"abc', 0, 'not closed'),
    ("'a", 0, 'not closed'),
    ("'ab'", 0, 'exactly one'),
    ("''", 0, 'exactly one'),
    ('"\\q"', 1, 'escape'),
    ('"a\\', 2, 'not closed'),
    ('\u00e9', 0, 'outside of quotes'),
    ('a \u202e b', 2, 'U+202E'),
    ('"\u202e"', 1, 'U+202E'),
    ('"\x01"', 1, 'U+0001'),
    ("'\u00e9'", 1, 'byte'),
    ('u8"x"', 0, 'C99'),
    ('a ??/ b', 2, 'trigraph'),
    ('"??="', 1, 'trigraph'),
    ('a <: 1 :>', 2, 'digraph'),
    ('return x', 0, 'statement'),
    ('if (x) y', 0, 'statement'),
    ('x goto', 2, 'statement'),
    ('int', 0, 'type'),
    ('f(int)', 2, 'type'),
    ('new', 0, 'C++'),
    ('a and b', 2, '&&'),
    ('not a', 0, "'!'"),
    ('x::y', 1, 'C++'),
    ('a ? b', 2, "':'"),
    ('a : b', 2, "'?'"),
    ('09', 0, 'octal'),
    ('0b11', 0, 'C99'),
    ('1_000', 0, 'number'),
    ('a.', 1, 'member'),
    ('a.sizeof', 2, 'member'),
    ('a->1', 3, 'member'),
    ('(unsigned float)x', 10, 'not a type'),
    ('(int', 0, 'not closed'),
    ('()', 1, 'operand'),
    ('a[]', 2, 'operand'),
    ('f(a,)', 4, 'operand'),
    ('a @ b', 2, "'@'"),
    ('__attribute__((x)) {', 19, "'{'"),
    ('(' * 40 + 'a' + ')' * 40, 33, 'deep'),
    ('!' * 100 + 'a', 32, 'in a row'),
    ('a' * 3000, 2000, 'longer'),
]


@pytest.mark.parametrize('text', GOOD_EXPRESSIONS)
def test_expression_passes(text):
    assert check_expression(text) is None


@pytest.mark.parametrize('text, offset, word', BAD_EXPRESSIONS)
def test_expression_is_refused(text, offset, word):
    problem = check_expression(text)
    assert problem is not None
    where, message = problem
    assert word in message
    assert where == offset


def test_deep_chains_of_casts_end_in_a_message():
    assert check_expression('(T)' * 20 + 'x') is None
    assert check_expression('(T)' * 600 + 'x') is not None


def test_long_flat_expressions_pass():
    assert check_expression('||'.join(['a'] * 400)) is None


def test_identifiers_are_the_free_names():
    assert identifiers('element->x + f(other.y)[i]') == [('element', 0), ('f', 13), ('other', 15), ('i', 24)]
    assert identifiers('(struct s *)p ? true : sizeof(int)') == [('p', 12)]
    assert [name for name, _ in identifiers('(T)x + (y)')] == ['x', 'y']
    assert identifiers('"element"') == []
    assert identifiers('/* element */') == []
    assert identifiers('a + ;') == []
    assert identifiers('a + )') == [('a', 0)]


TOKENS = ('a b element f 1 2.5f "s" \'c\' ( ) [ ] . -> + - * & && || ! ~ ? : , < << == = ++ int struct const sizeof ; '
          '{ } # // /* */ \\ \n \t " \' ??/ \u202e return').split(' ')


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=12))
def test_what_passes_cannot_leave_its_place(words):
    text = ' '.join(words)
    problem = check_expression(text)
    names = identifiers(text)
    for name, offset in names:
        assert text[offset:offset + len(name)] == name
    if problem is not None:
        assert 0 <= problem[0] <= len(text) and problem[1]
        return
    outside = re.sub(r'"[^"]*"|\'[^\']*\'', '', text)
    assert not set(outside) & set(';{}#\\\n"\'')
    assert '//' not in outside and '/*' not in outside
    assert outside.count('(') == outside.count(')') and outside.count('[') == outside.count(']')


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60))
def test_no_text_raises(text):
    for check in (check_expression, check_type, check_header):
        problem = check(text)
        assert problem is None or (0 <= problem[0] <= len(text) and problem[1])
    identifiers(text)
    check_identifier(text)
    shout(text)


LEAVES = st.sampled_from(['a', 'b', '1', '0x1Fu', "'c'", '"s"', 'p->x', 's.y', 'sizeof(int)', 'sizeof(T *)'])


def _bigger(inner):
    binary = st.sampled_from('+ - * / % < > == != && || & | ^ << >>'.split())
    return st.one_of(
        st.builds('({})'.format, inner),
        st.builds('{} {} {}'.format, inner, binary, inner),
        st.builds('{} ? {} : {}'.format, inner, inner, inner),
        st.builds('f({}, {})'.format, inner, inner),
        st.builds('a[{}]'.format, inner),
        st.builds('!{}'.format, inner),
        st.builds('- {}'.format, inner),
        st.builds('(T){}'.format, inner),
        st.builds('(const struct S *){}'.format, inner))


@settings(max_examples=400, deadline=None)
@given(st.recursive(LEAVES, _bigger, max_leaves=12))
def test_what_is_built_from_the_grammar_passes(text):
    assert check_expression(text) is None


@pytest.mark.skipif(shutil.which('cc') is None, reason='no C compiler')
def test_a_compiler_can_parse_what_passes(tmp_path):
    names = 'typedef int foo, T; int printf(const char *, ...);\n'
    names += 'struct ship { struct ship *next; int dead, hp, immortal, class; }; struct s { int x; };\n'
    skipped = ('f(a, b)[3]', 'a->class', '"a" "b"', '"\u00e9')
    lines = [names]
    for number, text in enumerate(GOOD_EXPRESSIONS):
        if not text.startswith(skipped):
            lines.append('#line %d\nint t%d(void) { return (int)(%s); }\n' % (number + 1, number, text))
    file = tmp_path / 'parse.c'
    file.write_text(''.join(lines), encoding='utf-8')
    said = subprocess.run(['cc', '-std=c99', '-fsyntax-only', '-w', str(file)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True).stdout
    # Names and types are not declared here; only the grammar is of interest.
    assert [line for line in said.splitlines() if 'error: expected' in line] == []


GOOD_TYPES = [
    'int', 'unsigned', 'unsigned long long', 'long long unsigned int', 'long double', 'signed char', 'bool', 'size_t',
    'struct enemy', 'struct enemy *', 'const struct enemy *', 'const char *const *', 'union u **', 'enum e', 'void *',
    'void const *', 'vec3', '__m128', 'volatile int *', ' int ',
]

BAD_TYPES = [
    ('', 0, 'missing'),
    ('const', 0, 'missing'),
    ('*', 0, 'missing'),
    ('const int', 0, 'assignable'),
    ('int const', 4, 'assignable'),
    ('struct enemy *const', 14, 'assignable'),
    ('volatile int', 0, 'volatile'),
    ('void', 0, 'no values'),
    ('int[3]', 3, 'array'),
    ('int (*)(int)', 4, 'function'),
    ('int (int)', 4, 'function'),
    ('int : 3', 4, 'bit-field'),
    ('static int', 0, 'static'),
    ('typedef int', 0, 'typedef'),
    ('long long long', 10, 'not a type'),
    ('unsigned float', 9, 'not a type'),
    ('foo bar', 4, 'bar'),
    ('unsigned foo', 9, 'foo'),
    ('int x', 4, 'x'),
    ('struct', 6, 'name'),
    ('struct {int x;}', 7, "'{'"),
    ('struct a b', 9, 'b'),
    ('struct class', 7, 'C++'),
    ('enum class', 5, 'C++'),
    ('class', 0, 'C++'),
    ('std::vector<int>', 3, 'C++'),
    ('T &', 2, 'C++'),
    ('int, int', 3, 'one type'),
    ('int;', 3, "';'"),
    ('int /* x */', 4, 'comment'),
    ('int\n', 3, 'line break'),
    ('int * restrict', 6, 'C++'),
    ('typeof(x)', 0, 'C23'),
    ('_Bool', 0, 'bool'),
    ('struct a { int y; }; int evil(void){return 0;} struct b', 9, "'{'"),
]


@pytest.mark.parametrize('text', GOOD_TYPES)
def test_type_passes(text):
    assert check_type(text) is None


@pytest.mark.parametrize('text, offset, word', BAD_TYPES)
def test_type_is_refused(text, offset, word):
    problem = check_type(text)
    assert problem is not None
    assert word in problem[1]
    assert problem[0] == offset


@pytest.mark.parametrize('text', [
    'ship.h', 'game/ship.h', '<game/ship.h>', '../ship.h', './ship.h', 'a b.h', '\u00e4.h'])
def test_header_passes(text):
    assert check_header(text) is None


@pytest.mark.parametrize('text, offset', [
    ('', 0), (' ', 0), ('"ship.h"', 0), ('<', 0), ('<>', 1), ('<a.h', 3), ('a.h>', 3), ('a>b.h', 1), ('/a.h', 0),
    ('C:/a.h', 1),
    ('a\\b.h', 1), ('a\n.h', 1), ('a\x07.h', 1), ('a\u202e.h', 1), ('<../a.h>', 1), ('a//b.h', 1), ('a*/b.h', 1),
    ("a'b.h", 1), ('a/', 1), ('a/..', 2), ('..', 0), (' a.h', 0), ('a.h ', 3), ('x' * 300, 255), ('a??/b.h', 1),
])
def test_header_is_refused(text, offset):
    problem = check_header(text)
    assert problem is not None
    assert problem[0] == offset


@pytest.mark.parametrize('text', ['fleet', 'Fleet', 'enemy_list', 'a', 'x1', 'thing_t', 'x' * 48, 'list'])
def test_identifier_passes(text):
    assert check_identifier(text) is None


@pytest.mark.parametrize('text, word', [
    ('', 'missing'), ('_x', 'reserved'), ('__x', 'reserved'), ('a__b', 'C++'), ('9a', 'digit'), ('a-b', 'letters'),
    ('a b', 'letters'), ('a\n', 'letters'), ('\u00e9', 'letter'), ('e\u00e9', 'letters'), ('x' * 49, '48'),
    ('int', 'keyword in C'),
    ('class', 'keyword in C++'), ('_Bool', 'reserved'), ('typeof', 'C23'), ('bool', 'C23 and C++'), ('and', 'C++'),
    ('co_await', 'C++'), ('restrict', 'keyword in C'), ('linux', 'macro'), ('near', 'windows.h'), ('main', 'begins'),
    ('size_t', 'stddef.h'), ('malloc', 'stdlib.h'), ('remove', 'stdio.h'), ('time', 'time.h'), ('signal', 'signal.h'),
    ('div', 'stdlib.h'), ('errno', 'errno.h'), ('NULL', 'stddef.h'), ('printf', 'stdio.h'), ('free', 'stdlib.h'),
])
def test_identifier_is_refused(text, word):
    assert word in check_identifier(text)


def test_names_that_are_referred_to_may_be_of_the_library():
    assert check_identifier('free', library=False) is None
    assert check_identifier('time', library=False) is None
    assert check_identifier('int', library=False) is not None


@pytest.mark.parametrize('text', ['_next', '_Next', 'uv__malloc', 'my__free', '__free'])
def test_names_that_are_only_used_may_be_reserved(text):
    assert 'reserved' in check_identifier(text)
    assert check_identifier(text, defined=False) is None


@pytest.mark.parametrize('text, word', [('_\u00e9', 'letters'), ('_Bool', 'keyword'), ('_a-b', 'letters'), ('_' * 49, '48')])
def test_names_that_are_only_used_are_names(text, word):
    assert word in check_identifier(text, defined=False)


def test_keyword_table():
    assert KEYWORDS['int'] == 'C and C++'
    assert KEYWORDS['restrict'] == 'C'
    assert KEYWORDS['_Generic'] == 'C11'
    assert KEYWORDS['class'] == 'C++'
    assert is_keyword('while') and not is_keyword('linux') and not is_keyword('fleet')
    # The counts of the standards: 37 in C99 (and asm, fortran), 7 more in C11; 92 in C++20 with 11 spellings.
    languages = [where.split(' and ') for where in KEYWORDS.values()]
    assert sum('C' in where for where in languages) == 37 + 2
    assert sum('C11' in where for where in languages) == 7
    assert sum('C++' in where for where in languages) == 92
    assert not set(KEYWORDS) & set(LIBRARY)


@pytest.mark.parametrize('name, loud', [
    ('fleet', 'FLEET'), ('enemy_list', 'ENEMY_LIST'), ('fleetList', 'FLEET_LIST'), ('HTTPServer', 'HTTP_SERVER'),
    ('Fleet', 'FLEET'), ('vec3List', 'VEC3_LIST'), ('vec3D', 'VEC3D'), ('a-b', 'A_B'), ('ABC', 'ABC'),
])
def test_shout(name, loud):
    assert shout(name) == loud
