"""Locations, YAML's traps, and that no input whatsoever raises; and how diagnostics look."""

import json
import os
import re
import time

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from generator.text import loader
from generator.text.diag import Diagnostic, Diagnostics, Failure, Note, Source, Span
from generator.text.error_codes import CODES
from generator.text.loader import load, load_text
from generator.text.nodes import Mapping, Scalar, Sequence
from generator.text.printing import render
from generator.text.suggestions import did_you_mean


def read(text, name='spec.yaml'):
    diagnostics = Diagnostics()
    return load_text(text, diagnostics, name=name), diagnostics


def codes(diagnostics):
    return [item.code for item in diagnostics.sorted()]


def values(node):
    """Nodes as plain Python, for comparison."""
    if isinstance(node, Mapping):
        return {key.text: values(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [values(item) for item in node.items]
    return node.value


def where(node):
    return node.span.line, node.span.column, node.span.length


# -- Values --------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('text, value', [
    ('true', True), ('True', True), ('FALSE', False), ('null', None), ('~', None), ('', None),
    ('0', 0), ('12', 12), ('-3', -3), ('+4', 4), ('0o17', 15), ('0x1F', 31),
    ('1.5', 1.5), ('1e3', 1000.0), ('.5', 0.5), ('-1.', -1.0), ('.inf', float('inf')), ('-.INF', float('-inf')),
    ('no', 'no'), ('yes', 'yes'), ('on', 'on'), ('off', 'off'), ('y', 'y'), ('n', 'n'), ('NO', 'NO'), ('tRUE', 'tRUE'),
    ('010', '010'), ('08', '08'), ('12:30', '12:30'), ('12:30:45', '12:30:45'), ('1_000', '1_000'), ('0b11', '0b11'),
    ('2001-01-01', '2001-01-01'), ('-0x1', '-0x1'), ('0xZ', '0xZ'), ('1e', '1e'), ('=', '='),
    ("'true'", 'true'), ('"12"', '12'), ("''", ''), ("'a''b'", "a'b"), ('"a\\tb"', 'a\tb'), ('a b', 'a b'),
    ('9' * 5000, '9' * 5000),
])
def test_scalars_follow_the_core_schema(text, value):
    node, diagnostics = read('key: %s\n' % text)
    assert not diagnostics and len(diagnostics) == 0
    got = node.get('key').value
    assert got == value and type(got) is type(value)


@pytest.mark.parametrize('text', ['no', 'No', 'NO', 'yes', 'on', 'off', 'y', 'N'])
def test_old_booleans_are_marked(text):
    node, _ = read('plain: %s\nquoted: "%s"\n' % (text, text))
    assert node.get('plain').is_yaml11_bool
    assert not node.get('quoted').is_yaml11_bool
    assert not node.get('plain').is_yaml11_int


def test_old_octal_numbers_are_marked():
    node, _ = read('a: 010\nb: "010"\nc: 10\nd: 08\ne: 12:30\nf: 0\n')
    assert node.get('a').is_yaml11_int and int(node.get('a').text, 8) == 8
    assert not any(node.get(key).is_yaml11_int for key in 'bcdef')


def test_text_and_plainness():
    node, _ = read('a: \'x y\'\nb: 0x1F\nc: "q"\nd: |\n  two\n  lines\n')
    assert node.get('a').text == 'x y' and not node.get('a').plain
    assert node.get('b').text == '0x1F' and node.get('b').plain
    assert node.get('d').text == 'two\nlines\n' and not node.get('d').plain


# -- Nodes and places ----------------------------------------------------------------------------------------

EXAMPLE = '''\
# a comment
bespoke: 1
containers:
  fleet:
    element: {type: struct ship, by: value}
    "ordering": 'sorted'   # why
    layers:
      - back
      - front
    empty:
'''


def test_structure():
    node, diagnostics = read(EXAMPLE)
    assert not diagnostics
    assert values(node) == {'bespoke': 1, 'containers': {'fleet': {
        'element': {'type': 'struct ship', 'by': 'value'}, 'ordering': 'sorted', 'layers': ['back', 'front'],
        'empty': None}}}
    assert (node.kind, node.get('bespoke').kind) == ('mapping', 'scalar')
    fleet = node.get('containers').get('fleet')
    assert fleet.get('layers').kind == 'sequence'
    assert node.get('nothing') is None and node.key('nothing') is None
    assert [key.text for key, _ in fleet.entries] == ['element', 'ordering', 'layers', 'empty']


def test_places():
    node, _ = read(EXAMPLE)
    fleet = node.get('containers').get('fleet')
    assert where(node.key('bespoke')) == (2, 1, 7)
    assert where(node.get('bespoke')) == (2, 10, 1)
    assert where(fleet.get('element')) == (5, 14, len('{type: struct ship, by: value}'))
    assert where(fleet.get('element').get('type')) == (5, 21, len('struct ship'))
    assert where(fleet.key('ordering')) == (6, 5, len('"ordering"'))
    assert where(fleet.get('ordering')) == (6, 17, len("'sorted'"))
    assert where(fleet.get('layers').items[1]) == (9, 9, 5)
    # Nothing was written, so the key stands for it.
    assert fleet.get('empty').is_missing
    assert where(fleet.get('empty')) == where(fleet.key('empty')) == (10, 5, 5)
    # A block has no frame; its first word stands for it.
    assert where(fleet) == (5, 5, len('element'))


@pytest.mark.parametrize('end', ['\n', '\r\n', '\r'])
def test_places_with_any_line_end(end):
    node, _ = read(end.join(['# \u00e4 \U0001f600', 'a: "\u00e4\U0001f600"  # x', 'b: 2', '']))
    assert where(node.get('a')) == (2, 4, 4)
    assert where(node.get('b')) == (3, 4, 1)
    assert node.get('b').span.source.line(2).startswith('a: ')


def test_value_over_several_lines_is_cut_at_the_first():
    node, _ = read('a: "one\n  two"\nb: one\n  two\nc: [1,\n  2]\n')
    assert where(node.get('a')) == (1, 4, 4)
    assert where(node.get('b')) == (3, 4, 3) and node.get('b').value == 'one two'
    assert where(node.get('c')) == (5, 4, 3)


def test_top_level_may_be_anything():
    assert isinstance(read('- a\n- b\n')[0], Sequence)
    assert isinstance(read('word\n')[0], Scalar)


def test_byte_order_mark_is_accepted(tmp_path):
    file = tmp_path / 'a.yaml'
    file.write_bytes(b'\xef\xbb\xbfa: 1\n')
    diagnostics = Diagnostics()
    node = load(str(file), diagnostics)
    assert not diagnostics and where(node.key('a')) == (1, 1, 1)


def test_tab_at_the_end_of_a_line_is_harmless():
    node, diagnostics = read('a: b\t\n\t\nc: d \t \n')
    assert not diagnostics and values(node) == {'a': 'b', 'c': 'd'}


def test_one_document_may_be_framed():
    node, diagnostics = read('%YAML 1.2\n---\na: 1\n...\n')
    assert not diagnostics and values(node) == {'a': 1}


# -- Mistakes --------------------------------------------------------------------------------------------------

# text, code, line, column, a word of the message
MISTAKES = [
    ('', 'BSP0004', 1, 1, 'empty'),
    ('# only\n\n', 'BSP0004', 1, 1, 'empty'),
    ('---\n', 'BSP0004', 1, 1, 'empty'),
    ('a: [1, 2\nb: 3\n', 'BSP0005', 1, 4, 'never closed'),
    ('a: [1, 2\n', 'BSP0005', 1, 4, 'never closed'),
    ('a: {x: 1\n', 'BSP0005', 1, 4, 'never closed'),
    ('a: [1}\n', 'BSP0005', 1, 6, 'does not close'),
    ('a: ]\n', 'BSP0005', 1, 4, 'missing'),
    ("a: 'abc\n", 'BSP0005', 1, 4, 'quote'),
    ('a: "\\q"\n', 'BSP0005', 1, 5, 'escape'),
    ('a: "\\xZZ"\n', 'BSP0005', 1, 7, 'hexadecimal'),
    ('a: "\\UFFFFFFFF"\n', 'BSP0005', 1, 5, 'escape'),
    ("a: 'x' y\n", 'BSP0005', 1, 8, 'closing quote'),
    ("a: 'don't'\n", 'BSP0005', 1, 9, 'closing quote'),
    ('a: b: c\n', 'BSP0005', 1, 5, 'second'),
    ('a: x ? y : z\n', 'BSP0005', 1, 10, 'second'),
    ('a: 1\nb:2\nc: 3\n', 'BSP0005', 2, 1, "expected ':'"),
    ('a: 1\n  b: 2\n', 'BSP0005', 2, 3, 'indented further'),
    ('a:\n  b: 1\n c: 2\n', 'BSP0005', 3, 2, 'indented further'),
    ('a: 1\n- b\n', 'BSP0005', 2, 1, 'list item'),
    ('- a\nb: 1\n', 'BSP0005', 2, 1, 'list item'),
    ('a: - b\n', 'BSP0005', 1, 4, 'list item'),
    ('a: @x\n', 'BSP0005', 1, 4, "'@'"),
    ('a: `x`\n', 'BSP0005', 1, 4, "'`'"),
    ('a: %x\n', 'BSP0005', 1, 4, "'%'"),
    ('a: >= 5\n', 'BSP0005', 1, 5, "'>'"),
    ('a: ? b\n', 'BSP0005', 1, 4, "'? '"),
    (': x\n', 'BSP0005', 1, 1, 'key'),
    ('%YAML 2.0\n---\na: 1\n', 'BSP0005', 1, 1, 'directive'),
    ('a:\n\tb: 1\n', 'BSP0006', 2, 1, 'indentation'),
    ('a:\n  \tb: 1\n', 'BSP0006', 2, 3, 'indentation'),
    ('a:\tb\n', 'BSP0006', 1, 3, 'between words'),
    ('a: 1\nb: 2\na: 3\n', 'BSP0007', 3, 1, "'a' is given twice"),
    ('a: 1\n"a": 3\n', 'BSP0007', 2, 1, "'a' is given twice"),
    ('x: {a: 1, a: 2}\n', 'BSP0007', 1, 11, "'a' is given twice"),
    ('a: &x 1\n', 'BSP0008', 1, 4, "'&x'"),
    ('a: *x\n', 'BSP0008', 1, 4, "'*x'"),
    ('a: *p == 0\n', 'BSP0008', 1, 4, "'*p'"),
    ('a: &e->x\n', 'BSP0008', 1, 4, "'&'"),
    ('a: & b\n', 'BSP0008', 1, 4, "'&'"),
    ('a: !dead(e)\n', 'BSP0009', 1, 4, "'!dead(e)'"),
    ('a: !!python/object/apply:os.system [ls]\n', 'BSP0009', 1, 4, 'tags'),
    ('a: !!str 5\n', 'BSP0009', 1, 4, "'!!str'"),
    ('a: !e!x y\n', 'BSP0009', 1, 4, 'tags'),
    ('a: !<x\n', 'BSP0009', 1, 4, 'tags'),
    ('a: 1\n---\nb: 2\n', 'BSP0011', 2, 1, 'second document'),
    ('<<: {a: 1}\n', 'BSP0012', 1, 1, "'<<'"),
    ('[a]: 1\n', 'BSP0013', 1, 1, 'a list'),
    ('{a: 1}: 1\n', 'BSP0013', 1, 1, 'a mapping'),
    ('? \n: 1\n', 'BSP0013', 1, 1, 'missing'),
    ('x: ' + '[' * 40 + ']' * 40, 'BSP0010', 1, 35, 'deep'),
    ('[' * 100000, 'BSP0010', 1, 33, 'deep'),
    ('- ' * 100000, 'BSP0010', 1, 65, 'deep'),
    ('- a\n' * 20001, 'BSP0014', 20000, 3, '20,000'),
    ('a: \x07\n', 'BSP0015', 1, 4, 'U+0007'),
    ('a: \x1b[31mred\n', 'BSP0015', 1, 4, 'U+001B'),
    ('a: x\u202ey\n', 'BSP0015', 1, 5, 'direction'),
    ('a: x\u2028y\n', 'BSP0015', 1, 5, 'line break'),
    ('a: x\x85y\n', 'BSP0015', 1, 5, 'line break'),
    ('a: x\ufeffy\n', 'BSP0015', 1, 5, 'byte order mark'),
    ('a: x\ud800y\n', 'BSP0015', 1, 5, 'U+D800'),
    ('a: x\0y\n', 'BSP0015', 1, 5, 'zero byte'),
    ('a: "\\ud800"\n', 'BSP0015', 1, 4, 'U+D800'),
    ('a: "\\e[31m"\n', 'BSP0015', 1, 4, 'U+001B'),
]


@pytest.mark.parametrize('text, code, line, column, word', MISTAKES, ids=[repr(row[0][:30]) for row in MISTAKES])
def test_mistake(text, code, line, column, word):
    _, diagnostics = read(text)
    assert codes(diagnostics) == [code]
    item = diagnostics.sorted()[0]
    assert (item.span.line, item.span.column) == (line, column)
    assert word in item.message
    render(item).encode('utf-8')


@pytest.mark.parametrize('character', ['\x85', '\u2028', '\u2029', '\x0b', '\x0c'])
def test_lines_are_those_of_an_editor(character):
    """PyYAML ends a line at some characters that do not end one in an editor; what is said behind them names the editor's line."""
    _, diagnostics = read('a: x%sy # %s\nb: "%s"\r\nc: 1\rc: 2\nd: [1\n' % (3 * (character,)))
    assert [(item.code, item.span.line, item.span.column) for item in diagnostics.sorted()] == [
        ('BSP0015', 1, 5), ('BSP0015', 1, 10), ('BSP0015', 2, 5), ('BSP0007', 4, 1), ('BSP0005', 5, 4)]


@pytest.mark.parametrize('text, hint', [
    ('a: !dead(e)\n', 'quotes'), ('a: *p == 0\n', 'quotes'), ('a: &e->x\n', 'quotes'), ('a: x ? y : z\n', 'quotes'),
    ('a: 1\nb:2\nc: 3\n', "space is missing behind the ':' in 'b:2'"), ('a: "\\q"\n', 'single quotes'),
    ('a:\n\tb: 1\n\tc: 2\n\td: 3\n', 'also in lines 3, 4'), ('a: 1\n- b\n', 'indent'),
])
def test_hints(text, hint):
    _, diagnostics = read(text)
    assert any(hint in line for line in diagnostics.sorted()[0].help)


def test_duplicate_names_both_places_and_keeps_the_first():
    node, diagnostics = read('a: 1\nb: 2\na: {c: 1, c: 2}\n')
    assert values(node) == {'a': 1, 'b': 2}
    assert codes(diagnostics) == ['BSP0007', 'BSP0007']  # inside of what is dropped, too
    note = diagnostics.sorted()[0].notes[0]
    assert note.message == 'first given here' and (note.span.line, note.span.column) == (1, 1)


def test_many_mistakes_in_one_run():
    node, diagnostics = read('a:\t1\nb: &x 2\nc: !!int 3\nd: 4\nd: 5\ne: {[z]: 1}\nf: *x\ng: [1\n')
    assert codes(diagnostics) == ['BSP0006', 'BSP0008', 'BSP0009', 'BSP0007', 'BSP0013', 'BSP0008', 'BSP0005']
    assert node is None


def test_harmless_mistakes_leave_a_node():
    node, diagnostics = read('a:\t1\nb: &x 2\nc: !!int 3\nd: 4\nd: 5\n---\nx: 1\n')
    assert len(diagnostics) == 5
    assert values(node) == {'a': 1, 'b': 2, 'c': 3, 'd': 4}
    assert where(node.get('b')) == (2, 7, 1)
    assert where(node.get('c')) == (3, 10, 1)


@pytest.mark.parametrize('text', [
    'a: *x\nb: 1\n', '<<: {a: 1}\nb: 1\n', '[a]: 1\nb: 1\n', ': 1\n', 'a: \x07\n', 'a: "\\0"\n'])
def test_what_leaves_holes_leaves_no_node(text):
    node, diagnostics = read(text)
    assert node is None and diagnostics


def test_value_of_a_key_that_is_no_text_is_not_taken_for_a_key():
    _, diagnostics = read('? [a]\n: [b]\n? {c: d}\n: {e: f}\ng: 1\n')
    assert [item.span.line for item in diagnostics.sorted()] == [1, 3]


def test_rows_of_anchors_are_reported_briefly():
    assert len(read('a: ' + '&x ' * 50)[1]) <= 2
    assert len(read('a: ' + '!x ' * 50)[1]) <= 2


def test_limits_are_inclusive():
    assert not read('[' * 32 + ']' * 32)[1]
    assert not read('- a\n' * 19999)[1]


# -- Files -----------------------------------------------------------------------------------------------------

def test_missing_file(tmp_path):
    (tmp_path / 'fleet.yaml').write_text('a: 1\n')
    diagnostics = Diagnostics()
    assert load(str(tmp_path / 'flet.yaml'), diagnostics) is None
    assert codes(diagnostics) == ['BSP0001']
    assert diagnostics.sorted()[0].help == ("did you mean '%s'?" % (tmp_path / 'fleet.yaml'),)
    diagnostics = Diagnostics()
    assert load(str(tmp_path / 'no' / 'flet.yaml'), diagnostics) is None
    assert 'does not exist' in diagnostics.sorted()[0].help[0]


def test_folder(tmp_path):
    (tmp_path / 'fleet.yaml').write_text('a: 1\n')
    diagnostics = Diagnostics()
    assert load(tmp_path, diagnostics, name='here') is None
    item = diagnostics.sorted()[0]
    assert item.code == 'BSP0001' and 'folder' in item.message and "'here'" in item.message
    assert 'fleet.yaml' in item.help[0]


@pytest.mark.skipif(not hasattr(os, 'geteuid') or os.geteuid() == 0, reason='root reads everything')
def test_unreadable_file(tmp_path):
    file = tmp_path / 'a.yaml'
    file.write_text('a: 1\n')
    file.chmod(0)
    diagnostics = Diagnostics()
    assert load(file, diagnostics) is None
    assert codes(diagnostics) == ['BSP0001']


def test_refused_by_the_system(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, 'Permission denied')
    file = tmp_path / 'a.yaml'
    file.write_text('a: 1\n')
    monkeypatch.setattr('builtins.open', refuse)
    diagnostics = Diagnostics()
    assert load(file, diagnostics) is None
    assert 'permission denied' in diagnostics.sorted()[0].message


@pytest.mark.parametrize('path', ['a\0b', '', b'nothing.yaml', 'x' * 5000, 'a\ud800b'])
def test_odd_paths(path):
    diagnostics = Diagnostics()
    assert load(path, diagnostics) is None
    assert codes(diagnostics) == ['BSP0001']
    render(diagnostics.sorted()[0]).encode('utf-8')


@pytest.mark.parametrize('data, code, word', [
    (b'a: 1\nb: \xff\xc3\n', 'BSP0002', '0xff at offset 8'),
    ('a: 1\n'.encode('utf-16'), 'BSP0002', 'UTF-16'),
    (b'#' * ((1 << 20) + 1), 'BSP0003', '1 MiB'),
    (b'', 'BSP0004', 'empty'),
    (b'\xef\xbb\xbf', 'BSP0004', 'empty'),
    (b'\x7fELF\x00\x01', 'BSP0015', 'zero byte'),
])
def test_bad_bytes(tmp_path, data, code, word):
    file = tmp_path / 'a.yaml'
    file.write_bytes(data)
    diagnostics = Diagnostics()
    assert load(file, diagnostics, name='a.yaml') is None
    assert codes(diagnostics) == [code]
    assert word in diagnostics.sorted()[0].message


def test_place_of_a_bad_byte(tmp_path):
    file = tmp_path / 'a.yaml'
    file.write_bytes('# \u00e4\nb: \u00e4'.encode('utf-8') + b'\xff\n')
    diagnostics = Diagnostics()
    load(file, diagnostics, name='a.yaml')
    assert render(diagnostics.sorted()[0]).splitlines()[:3] == [
        'a.yaml:2:5: error: byte 0xff at offset 10 is not UTF-8 [BSP0002]',
        '    2 | b: \u00e4\\xff',
        '      |     ^^^^']


@pytest.mark.parametrize('text', [
    'a: ' + 'x ' * 500000, '#' * 1000000, 'a: ' + '\t' * 1000000 + 'x', ('\t' * 1000 + 'x\n') * 1000, 'a: 1\n' * 9999,
    'a: ' + '&a ' * 300000, 'a: ' + '! ' * 300000, '? ' * 500000, '- ! b\n' * 19000, '\n' * 1000000, ':' * 1000000,
    '\x01' * 1000000,
], ids=lambda text: repr(text[:8]))
def test_no_file_takes_long(text):
    began = time.process_time()
    node, diagnostics = read(text)
    for item in diagnostics.sorted()[:100]:
        render(item)
    assert node is not None or diagnostics
    assert time.process_time() - began < 15  # about half a second where nothing else runs


# -- Nothing raises --------------------------------------------------------------------------------------------

PIECES = [
    'a', 'b', ': ', ':', '- ', '? ', '\n', '\n  ', '\n    ', '\t', '[', ']', '{', '}', ',', '&x ', '*x', '!t ', '!!str ',
    '!', '<<', '"', "'", '\\', '\\U', '|', '>', '|2', '#', ' # c', '%', '%YAML 1.1\n', '---\n', '...\n', '@', '`', '~',
    '1', '010', 'no', '\r', '\r\n', '\x85', '\u2028', '\ufeff', '\u202e', '\x00', '\x1b', '\U0001f600', '\ud800', ' ']


def check_outcome(node, diagnostics):
    assert (node is not None) or diagnostics.errors > 0
    for item in diagnostics.sorted():
        for style in ('gcc', 'msvc', 'json'):
            text = render(item, style)
            text.encode('utf-8')
            assert not re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]', text)
        if item.span is not None:
            line = item.span.source.line(item.span.line)
            assert 1 <= item.span.line <= item.span.source.line_count
            assert 1 <= item.span.column <= len(line) + 1

    def walk(node):
        line = node.span.source.line(node.span.line)
        assert 1 <= node.span.column <= len(line) + 1
        assert node.span.length == 1 or node.span.column + node.span.length - 1 <= len(line)
        if isinstance(node, Mapping):
            keys = [key.text for key, _ in node.entries]
            assert len(keys) == len(set(keys))
            for key, value in node.entries:
                assert node.get(key.text) is value and node.key(key.text) is key
                walk(key)
                walk(value)
        elif isinstance(node, Sequence):
            for item in node.items:
                walk(item)
    if node is not None:
        walk(node)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200))
def test_any_bytes(tmp_path, data):
    file = tmp_path / 'a.yaml'
    file.write_bytes(data)
    diagnostics = Diagnostics()
    check_outcome(load(file, diagnostics), diagnostics)


@settings(max_examples=800, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
@example(['{', '\r\n', '&x '])      # what is missing is said to be within the line break
def test_any_soup_of_yaml(pieces):
    check_outcome(*read(''.join(pieces)))


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(EXAMPLE)), st.integers(0, 4), st.sampled_from([''] + PIECES)), min_size=1,
                max_size=4))
def test_any_mutation_of_a_spec(edits):
    text = EXAMPLE
    for start, length, piece in edits:
        text = text[:start] + piece + text[start + length:]
    check_outcome(*read(text))


TREES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3),
                            st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3)),
    max_leaves=10)


@settings(max_examples=200, deadline=None)
@given(TREES)
def test_json_reads_as_itself(tree):
    # JSON is YAML, but for control characters, which specs do not take even as escapes; and lone surrogates.
    text = json.dumps(tree)
    node, diagnostics = read('[%s]' % text)
    if not re.search(r'\\u(00|d|202|206)|\\[bf]|\x7f', text):
        assert not diagnostics and values(node) == [tree]


def test_a_failure_inside_of_the_parser_is_a_diagnostic(monkeypatch):
    def fail(self):
        raise RuntimeError('unforeseen')
    monkeypatch.setattr(loader._Parser, 'get_event', fail)
    node, diagnostics = read('a: 1\n')
    assert node is None and codes(diagnostics) == ['BSP0005']

    def recurse(self):
        raise RecursionError()
    monkeypatch.setattr(loader._Parser, 'get_event', recurse)
    node, diagnostics = read('a: 1\n')
    assert node is None and codes(diagnostics) == ['BSP0010']


# -- Diagnostics -----------------------------------------------------------------------------------------------

SPEC = Source('specs/enemy.yaml', '\n' * 5 + 'ordering: sortd\n\n\nremoval: swap\n')


def test_gcc_style():
    item = Diagnostic('BSP0103', "invalid value 'sortd' for 'ordering'", Span(SPEC, 6, 11, 5),
                      help="did you mean 'sorted'? expected one of: insertion, sorted, unordered",
                      notes=(Note('removal set here', Span(SPEC, 9, 10, 4)),))
    assert render(item) == '''\
specs/enemy.yaml:6:11: error: invalid value 'sortd' for 'ordering' [BSP0103]
    6 | ordering: sortd
      |           ^^^^^
specs/enemy.yaml:9:10: note: removal set here
    9 | removal: swap
      |          ^^^^
help: did you mean 'sorted'? expected one of: insertion, sorted, unordered'''
    assert render(item, 'msvc').splitlines()[0] == \
        "specs/enemy.yaml(6,11): error BSP0103: invalid value 'sortd' for 'ordering'"
    record = json.loads(render(item, 'json'))
    assert (record['file'], record['line'], record['column'], record['length']) == ('specs/enemy.yaml', 6, 11, 5)
    assert record['notes'][0]['line'] == 9 and record['code'] == 'BSP0103' and len(record['help']) == 1
    colored = render(item, color=True)
    assert '\033[' in colored and re.sub('\033\\[[0-9;]*m', '', colored) == render(item)
    with pytest.raises(ValueError):
        render(item, 'xml')


def test_without_a_place():
    item = Diagnostic('BSP0001', 'message')
    assert render(item) == 'bespoke: error: message [BSP0001]'
    assert render(item, 'msvc') == 'bespoke : error BSP0001: message'
    assert json.loads(render(item, 'json'))['line'] is None


def carets(text, start, end):
    lines = render(Diagnostic('BSP0001', 'm', Source('x', text).span(start, end))).splitlines()
    return lines[1][8:], lines[2][8:]


def test_carets_line_up():
    assert carets('\tab\tc', 1, 3) == ('        ab      c', '        ^^')
    assert carets('\tab\tc', 4, 5) == ('        ab      c', '                ^')
    assert carets('\u6f22\u5b57 x', 0, 2) == ('\u6f22\u5b57 x', '^^^^')
    assert carets('a\u0301b', 2, 3) == ('a\u0301b', ' ^')
    assert carets('a\x1bb', 2, 3) == ('a\\x1bb', '     ^')
    assert carets('a\u202eb', 1, 2) == ('a\\u202eb', ' ^^^^^^')
    assert carets('abc', 1, 99) == ('abc', ' ^^')
    assert carets('abc', 3, 4) == ('abc', '   ^')
    assert render(Diagnostic('BSP0001', 'm', Span(Source('x', 'abc'), 1, 50, 9))).splitlines()[2][8:] == '   ^'
    assert len(render(Diagnostic('BSP0001', 'm', Span(Source('x', 'abc'), 7, 1))).splitlines()) == 1


def test_long_lines_are_cut_around_the_caret():
    text = 'x' * 5000 + 'HERE' + 'y' * 5000
    shown, mark = carets(text, 5000, 5004)
    assert len(shown) <= 130 and shown.startswith('...') and shown.endswith('...')
    assert shown[mark.index('^'):mark.rindex('^') + 1] == 'HERE'
    shown, mark = carets(text, 0, 9000)
    assert not shown.startswith('...') and len(mark) <= 130
    shown, mark = carets(text, len(text) - 1, len(text))
    assert shown.startswith('...') and shown.endswith('y') and len(shown) == len(mark)


def test_messages_hold_no_control_characters():
    text = render(Diagnostic('BSP0001', 'a\x1b[31m\n\u202e\ud800', Source('n\x07', 'x').span(0), help='h\x9b'))
    assert '\x1b' not in text and '\\x1b[31m\\n\\u202e\\ud800' in text and 'n\\x07:1:1' in text and 'h\\x9b' in text


def test_source():
    source = Source('x', 'a\r\nb\rc\n')
    assert [source.line(number) for number in range(0, 6)] == ['', 'a', 'b', 'c', '', '']
    assert [source.position(offset) for offset in (0, 3, 5, 7, 99)] == [(1, 1), (2, 1), (3, 1), (4, 1), (4, 1)]
    assert Span(source, 2, 3, 4).part(5, 2) == Span(source, 2, 8, 2)


def test_collection():
    source, other = Source('b.yaml', 'x\ny\n'), Source('a.yaml', 'x\n')
    diagnostics = Diagnostics()
    assert not diagnostics
    diagnostics.warning('BSP0004', 'hm', Span(source, 2, 1))
    assert not diagnostics and len(diagnostics) == 1 and diagnostics.warnings == 1
    diagnostics.error('BSP0005', 'second', Span(source, 1, 2), help=['one', 'two'])
    diagnostics.error('BSP0005', 'first', Span(source, 1, 1), help='one')
    diagnostics.error('BSP0005', 'first', Span(Source('b.yaml', 'x\ny\n'), 1, 1), help='one')
    diagnostics.error('BSP0005', 'other', Span(other, 1, 1))
    diagnostics.error('BSP0001', 'nowhere')
    assert diagnostics and diagnostics.errors == 4
    assert [item.message for item in diagnostics.sorted()] == ['nowhere', 'other', 'first', 'second', 'hm']
    assert diagnostics.sorted()[2].help == ('one',)
    with pytest.raises(AssertionError):
        diagnostics.error('BSP9999', 'no such code')
    failure = Failure(diagnostics, 3)
    assert failure.exit_code == 3 and failure.diagnostics is diagnostics
    assert Failure([]).exit_code == 2


def test_codes_are_explained():
    for code, entry in CODES.items():
        assert re.match(r'BSP0[0-5]\d\d\Z', code)
        title, explanation, action = entry
        assert title and explanation.endswith('.') and action.endswith('.')


@pytest.mark.parametrize('word, candidates, expected', [
    ('sortd', ['insertion', 'sorted', 'unordered'], 'sorted'),
    ('SORTED', ['insertion', 'sorted'], 'sorted'),
    ('back-copy', ['back_copy', 'swap'], 'back_copy'),
    ('backcopy', ['back_copy', 'swap'], 'back_copy'),
    ('gen', ['none', 'index', 'generational'], 'generational'),
    ('contig', ['auto', 'contiguous', 'chunked'], 'contiguous'),
    ('sorted_by_key', ['insertion', 'sorted'], 'sorted'),
    ('xyzzy', ['insertion', 'sorted'], None),
    ('', ['insertion'], None),
    ('x', [], None),
])
def test_did_you_mean(word, candidates, expected):
    assert did_you_mean(word, candidates) == expected
