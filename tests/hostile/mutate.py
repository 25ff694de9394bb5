"""Specs that nobody would write: the repository's own, changed in their tree of YAML nodes or in their bytes. The same seed, the same spec."""

import glob
import os
import random
import re

import yaml

from generator.language.keys import KEYS
from generator.language.presets import PRESETS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ('specs', 'tests/specs', 'tests/bad', 'tests/bad/include', 'tests/bad/types', 'tests/debuggers', 'tests/loops', 'tests/proof', 'bench/specs',
           'examples/*', 'examples/structures/*')
STR, MAP, SEQ = ('tag:yaml.org,2002:' + name for name in ('str', 'map', 'seq'))

# Values for the kinds of keys: C that compiles with `struct ship` of ship.h.
GOOD = {
    'count': ['1', '2', '64', '2147483647'], 'size': ['1', '64', 'run_time'], 'flag': ['true', 'false'], 'bits': ['8', '16', '32'],
    'chunk': ['64', '128', '65536'],
    'percent': ['25%', '1', '99%'], 'growth': ['1.1', '1.25', '2', '4'], 'duration': ['120 settles', '2 s', '0.5 seconds'],
    'type': ['int', 'struct ship', 'uint64_t', 'double', 'struct ship *', 'void *', 'bool', 'const char *'],
    'header': ['ship.h', '<ship.h>'], 'function': ['on_it', 'on_that', 'f1', 'f2', 'f3', 'fleet_on'],
    'macro': ['ENGINE_API', 'engine_macro'], 'prefix': ['eng_', '""', 'E'], 'field': ['slot', 'id', 'links.slot'],
    'callable': ['element->gone', 'is_it', '"*element"', 'key_of', "'element->id % 7u == 0'"],
    'comparison': ['a->hp < b->hp', "'a->id > b->id'", 'comes_first'], 'names': ['[back, front]', '[one]'],
    'members': ['[x]', '[x, hp]', '[id, gone]'], 'operations': ['[add, each]', '[count]', '[update, remove_current]', '[used]'],
    'files': ['[ship.h]', '["*.h", main.c]'],
    'fields': ['{x: float, y: float}', '{id: uint32_t, gone: bool}'],
    'indexes': ['{by_id: {key: element->id}}', '{by_hp: {key: element->hp, kind: sorted}, by_id: {key: element->id, unique: true}}'],
    'renamings': ['{add: Push, pop: Pop}', '{add: remove}'], 'statement': ['element->hp = 0'], 'lines': ['Licence: mine', '""'],
}
BAD = ['no', 'null', '~', '""', '-1', '0', '1e9', 'int;', '"a\\nb"', '[a, b]', '{a: b}', '[]', '{}', '#x', "'*/'",
       'sorted', '999999999999999999999999', '*alias', '&anchor', '!tag', 'class', 'list', 'element', 'a.b', '.',
       'ship.c', '"{{T}}"', '"%s"', "'{% raw %}'", '\u00e4', "'\\'", 'if (x) y', '.inf', '.nan', '0x10', '010', "'x' 'y'", 'x: y']
NUMBERS = ['0', '-0', '-1', '1', '2', '3', '63', '64', '65', '127', '128', '255', '256', '65535', '65536', '65537', '2147483647', '2147483648', '4294967294',
           '4294967295', '4294967296', '9223372036854775807', '9223372036854775808', '18446744073709551615', '18446744073709551616', '9' * 400,
           '1' * 5000, '1.0', '1.5', '0.1', '1e308', '1e309', '1e-400', '-1e309', '.5', '5.', '1_000', '0x7fffffff', '0o17', '0b1', '1%', '100%', '0%', '1e9%',
           '99999999999%', '0.0000001%', '1e400 s', '0 settles', '-1 s', '999999999999999999999 settles', '\u0661\u0662', '\u00b2', '\uff11', '1 2', '+1', '1,5', '.inf',
           '-.inf', '.nan', 'nan', 'inf', 'true', 'True', 'yes', '1e', '0x', '--1']
STRINGS = ['', ' ', '\t', '\n', '\r\n', '\0', '\x1b[31m', '\x7f', '\u0085', '\u2028', '\u202e', '\ufeff', '\ufffd', '\uffff', '\ud800', '\U0001f600', 'e\u0301',
           '\u00df', '\u0130', 'a' * 1000, 'a' * 70000, '_' * 300, '\\' * 50, "'" * 9, '"' * 9, '%s%n%d', '{{ 7 * 7 }}', '{% include "x" %}', '{#', '#}', '*/', '/*', '//',
           '??/', '??=', '\\u0041', '$HOME', '`id`', '$(id)', '../../etc', '/etc/hostname', 'C:\\con', 'con', 'nul.h', '.', '..', '~', '-o', '--', '<x.h>', '<>', '"x.h"',
           '@if', '@end', '@subjects', '<!-- x -->', ']]>', '&lt;', 'a,b', 'a:b', ':', '- a', '? a', '| a', '> a', '[', ']', '{', '}', '#', '!', '&', '*', '@', '=', '<<',
           'bespoke', 'T', 'TT', 'T_', 'list', 'element', 'key', 'self', 'this', 'new', 'int', 'NULL', 'errno', 'main', 'size_t', 'struct', 'typedef', 'union x', 'restrict',
           'a b c', 'struct  ship', 'struct\nship', 'int[3]', 'int(*)(void)', 'void', 'void *const', 'const int', 'volatile int', 'unsigned', 'long long long', '_Bool',
           'float _Complex', 'register int', 'int *restrict', 'static int', 'int &', 'int &&', 'std::string', 'vector<int>', 'struct {int x;}', 'enum e', '__int128', 'va_list',
           'FILE', 'struct ship **', 'struct ship ******************', 'T *', 'fleet', 'struct fleet', 'jmp_buf', 'max_align_t', 'wchar_t', 'char', 'signed char', 'uint8_t']
EXPRESSIONS = ['element', '*element', '&element', 'element->', 'element->id->id', 'element.id', 'element[0]', '(element)', '((((element->id))))', '(' * 200 + 'element' + ')' * 200,
               'element->id' + ' + 1' * 300, '!' * 300 + 'element', 'element->id, 1', 'element->id; 1', 'element->id = 1', 'element->id++', '++element->id', 'f(element)', 'f(',
               'f(element', 'element ? 1 : 0', 'a ? b : c ? d : e', '1', '0', '""', "'x'", "'", '"', '"\\', "'\\''", '"*/"', 'sizeof(element)', 'sizeof element->id',
               '(struct ship *)element', '(int){0}', '({ 1; })', 'element->id /* x', 'element->id // x', 'element->id /* x */', '#define x', '\\', 'a\\\nb', 'a < b', 'a->hp<b->hp',
               'a->hp == b->hp', 'a->hp < a->hp', 'b->hp < a->hp', '*a < *b', 'strcmp(a->name, b->name) < 0', 'element->id == key', 'key', 'list->count', 'a && b || c', 'a & b == c',
               'element->x.y.z', 'element->x[0]', 'element->x[element->y]', 'element->x[', 'element -> id', '- - element->id', '1 / 0', '1 << 99', '0x1p3', '1e400', '07779', '1u', '1ULLL',
               '\u00e4->id', 'element->\u00e4', 'return 1', 'goto x', 'while (1) {}', 'if (1)', '{', '}', '{}', ';', ';;', 'asm("x")', '_Generic(1, int: 1)', '__func__', 'defined(x)',
               '<', '->', '.', 'element->hp -= 1', 'element->hp = element->hp > 0 ? 1 : 2; return', 'offsetof(struct ship, id)', 'element->id %', '% element', '@', '$x', '`x`', 'a b']
CHARACTERS = (0, 9, 10, 11, 13, 32, 33, 34, 35, 37, 38, 39, 42, 44, 45, 58, 62, 63, 64, 91, 92, 93, 96, 123, 124, 125, 126, 127, 0x85, 0xa0, 0x2028, 0x202e, 0xfeff, 0xfffe, 0x10ffff)
BYTES = (b'\0', b'\xff', b'\xfe\xff', b'\xff\xfe', b'\xef\xbb\xbf', b'\xc0\x80', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\x80', b'\xe2\x80', b'\r', b'\r\n', b'\t', b'---\n', b'...\n',
         b'%YAML 9.9\n', b'%TAG ! x\n', b'&a ', b'*a', b'!!python/object:os.system ', b'<<: ', b'? ', b'- ', b'|\n', b'>-\n', b': ', b', ', b'[', b']', b'{', b'}', b"'", b'"', b'#', b'\\')


class Base:
    """A spec of the repository."""

    def __init__(self, path):
        self.path, self.folder = path, os.path.dirname(path)
        with open(path, 'rb') as file:
            self.data = file.read()
        try:
            self.tree = yaml.compose(self.data.decode(), Loader=yaml.BaseLoader)
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
            self.tree = None
        if not isinstance(self.tree, yaml.MappingNode):  # of which only the bytes are changed
            self.tree = None

    def containers(self):
        found = self.tree and value_of(self.tree, 'containers')
        return [pair for pair in found.value if isinstance(pair[1], yaml.MappingNode)] if isinstance(found, yaml.MappingNode) else []


def value_of(mapping, name):
    return next((value for key, value in mapping.value if key.value == name), None)


def scalar(text, style=None):
    return yaml.ScalarNode(STR, text, style=style)


def composed(text):
    return yaml.compose(text, Loader=yaml.BaseLoader)


def nodes_of(root):
    """All nodes below one, each with its parent and its place there: (parent, index, 0 for a key and 1 for a value)."""
    todo, found, seen = [root], [], set()
    while todo:
        node = todo.pop()
        if id(node) in seen:  # it has aliases
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for at, pair in enumerate(node.value):
                found += [(node, at, side) for side in (0, 1)]
                todo += pair
        elif isinstance(node, yaml.SequenceNode):
            found += [(node, at, None) for at in range(len(node.value))]
            todo += node.value
    return found


def copied(node, seen=None):
    """A copy of nodes, without their places in a text; aliases stay aliases."""
    seen = {} if seen is None else seen
    if id(node) not in seen:
        if isinstance(node, yaml.ScalarNode):
            seen[id(node)] = yaml.ScalarNode(node.tag, node.value, style=node.style)
        else:
            new = seen[id(node)] = type(node)(node.tag, [], flow_style=node.flow_style)
            new.value = [copied(item, seen) if isinstance(node, yaml.SequenceNode) else tuple(copied(each, seen) for each in item) for item in node.value]
    return seen[id(node)]


def get(place):
    node, at, side = place
    return node.value[at] if side is None else node.value[at][side]


def put(place, new):
    node, at, side = place
    if at >= len(node.value):  # something before it was deleted
        return
    if side is None:
        node.value[at] = new
    else:
        pair = list(node.value[at])
        pair[side] = new
        node.value[at] = tuple(pair)


class Mutator:
    """Makes the specs of one seed."""

    def __init__(self, seed=1):
        self.seed = seed
        paths = [path for folder in FOLDERS for path in sorted(glob.glob(os.path.join(ROOT, folder, '*.yaml')))]
        self.bases = [base for base in map(Base, paths) if len(base.data) < 60000]
        self.trees = [base for base in self.bases if base.containers()]
        self.sound = [base for base in self.trees if os.sep + 'bad' not in base.folder[len(ROOT):]]
        self.parts = [value for base in self.sound for _, value in base.containers() if value.value]
        self.words = sorted({node.value for base in self.trees for node in map(get, nodes_of(base.tree)) if isinstance(node, yaml.ScalarNode)}
                            | {word for key in KEYS for word in (key.path.split('.')[-1], *key.values)} | set(PRESETS))

    def spec(self, number):
        """The base and the bytes of the mutant with a number."""
        rng = random.Random('%s:%s' % (self.seed, number))
        way = rng.random()
        if way < .2:
            base = rng.choice(self.bases)
            return base, self.bytes_of(rng, base.data)
        base = rng.choice(self.sound if way < .8 else self.trees)
        tree = self.trimmed(rng, base)
        mild = way < .6  # most of these reach the rules, and some are accepted
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3)) if mild else rng.choice((1, 1, 2, 2, 3, 5, 8))):
            (self.mild if mild else self.wild)(rng, tree)
        return base, self.written(rng, tree)

    @staticmethod
    def written(rng, tree):
        try:
            text = yaml.serialize(tree, Dumper=yaml.BaseDumper, allow_unicode=rng.random() < .7, width=rng.choice((20, 80, 10000)), canonical=rng.random() < .03 or None)
        except (yaml.YAMLError, RecursionError, UnicodeError, TypeError):
            return b'bespoke: 1\n'
        return text.encode('utf-8', 'surrogatepass')

    def trimmed(self, rng, base):
        """A copy of the tree with at most three of its containers."""
        kept = base.containers()
        kept = rng.sample(kept, min(len(kept), rng.choice((1, 1, 2, 3))))
        tree = yaml.MappingNode(MAP, [pair for pair in base.tree.value if pair[0].value != 'containers'], flow_style=False)
        tree.value.append((scalar('containers'), yaml.MappingNode(MAP, kept, flow_style=False)))
        return copied(tree)

    # -- changes that leave a spec a spec ---------------------------------------------------------------------------

    def mild(self, rng, tree):
        containers = value_of(tree, 'containers')
        if not isinstance(containers, yaml.MappingNode) or not containers.value:
            return
        container = rng.choice(containers.value)[1]
        if not isinstance(container, yaml.MappingNode):
            return
        what = rng.randrange(10)
        if what < 5:
            key = rng.choice(KEYS)
            value = composed(rng.choice(list(key.values) or GOOD[key.kind]))
            self.set_key(container if rng.random() < .9 else self.section(tree, 'defaults'), key.path, value)
        elif what == 5 and len(container.value) > 1:
            del container.value[rng.randrange(len(container.value))]
        elif what == 6:
            key, value = map(copied, rng.choice(rng.choice(self.parts).value))
            self.drop(container, key.value)
            container.value.append((key, value))
        elif what == 7:
            containers.value.append((scalar(rng.choice(('two', 'fleet', 'ship', 'crew2'))), copied(rng.choice(self.parts))))
        elif what == 8:  # a value of one axis for another
            place = rng.choice([place for place in nodes_of(container) if place[2] != 0] or [(containers, 0, 0)])
            put(place, scalar(rng.choice(self.words)))
        else:  # a setting moves to the defaults, or to a preset
            if container.value:
                pair = container.value.pop(rng.randrange(len(container.value)))
                if rng.random() < .5:
                    self.section(tree, 'defaults').value.append(pair)
                else:
                    self.section(tree, 'presets').value.append((scalar('mine'), yaml.MappingNode(MAP, [pair])))
                    if value_of(container, 'preset') is None:
                        container.value.append((scalar('preset'), scalar('mine')))

    @staticmethod
    def drop(mapping, name):
        mapping.value = [pair for pair in mapping.value if pair[0].value != name]

    @staticmethod
    def section(tree, name):
        found = value_of(tree, name)
        if not isinstance(found, yaml.MappingNode):
            Mutator.drop(tree, name)
            found = yaml.MappingNode(MAP, [], flow_style=False)
            tree.value.insert(1, (scalar(name), found))
        return found

    @staticmethod
    def set_key(mapping, path, value):
        """Whatever stands in the way is replaced."""
        *groups, leaf = path.split('.')
        for group in groups:
            inner = value_of(mapping, group)
            if not isinstance(inner, yaml.MappingNode):
                Mutator.drop(mapping, group)
                inner = yaml.MappingNode(MAP, [])
                mapping.value.append((scalar(group), inner))
            mapping = inner
        Mutator.drop(mapping, leaf)
        mapping.value.append((scalar(leaf), value))

    # -- any change of the tree --------------------------------------------------------------------------------------

    def wild(self, rng, tree):
        places = nodes_of(tree)
        if not places:
            return
        place, other = rng.choice(places), rng.choice(places)
        values = [each for each in places if each[2] != 0 and isinstance(get(each), yaml.ScalarNode)] or places
        what = rng.randrange(17)
        if what == 0:
            del place[0].value[place[1]]
        elif what == 1:  # given twice
            value = place[0].value
            twin = value[place[1]]
            value.insert(rng.randrange(len(value) + 1), tuple(map(copied, twin)) if isinstance(twin, tuple) else copied(twin))
        elif what == 2:
            one, two = get(place), get(other)
            if not self.within(one, two) and not self.within(two, one):
                put(place, two)
                put(other, one)
        elif what == 3:
            put(rng.choice(values), scalar(rng.choice(self.words)))
        elif what == 4:
            put(rng.choice(values), scalar(rng.choice(NUMBERS), rng.choice((None, None, '"', "'"))))
        elif what == 5:
            put(rng.choice((place, rng.choice(values))), scalar(rng.choice(STRINGS), rng.choice((None, None, '"', "'", '|', '>'))))
        elif what == 6:
            put(rng.choice(values), scalar(rng.choice(EXPRESSIONS), rng.choice((None, '"', "'", '|'))))
        elif what == 7:
            node = get(place)
            for _ in range(rng.choice((1, 1, 2, 5, 30, 33, 200))):
                node = yaml.SequenceNode(SEQ, [node], flow_style=True) if rng.random() < .5 else yaml.MappingNode(MAP, [(scalar(rng.choice(self.words)), node)], flow_style=True)
            put(place, node)
        elif what == 8:  # an alias
            put(other, get(place))
        elif what == 9:
            mapping = rng.choice([each for each in map(get, places) if isinstance(each, yaml.MappingNode)] or [tree])
            mapping.value.insert(0, (scalar('<<'), get(place)))
        elif what == 10:
            get(place).tag = rng.choice(('!', '!x', '!!int', 'tag:yaml.org,2002:int', 'tag:yaml.org,2002:python/object/apply:os.system', '!\u00e4'))
        elif what == 11:
            put(place, copied(get(rng.choice(nodes_of(rng.choice(self.sound).tree)))))
        elif what == 12:
            node = get(place)
            put(place, yaml.SequenceNode(SEQ, [copied(node) for _ in range(rng.choice((0, 1, 2, 100)))], flow_style=rng.random() < .5))
        elif what == 13:
            keys = [each for each in places if each[2] == 0]
            put(rng.choice(keys or places), scalar(rng.choice((rng.choice(self.words), rng.choice(STRINGS)))))
        elif what == 14:
            key = rng.choice(KEYS)
            mapping = rng.choice([each for each in map(get, places) if isinstance(each, yaml.MappingNode)] or [tree])
            self.set_key(mapping, key.path, scalar(rng.choice(rng.choice((NUMBERS, STRINGS, EXPRESSIONS, self.words)))))
        elif what == 15:
            node = rng.choice([each for each in map(get, places) if isinstance(each, yaml.ScalarNode)] or [scalar('')])
            text = node.value
            at = rng.randrange(len(text) + 1)
            node.value = text[:at] + rng.choice((chr(rng.choice(CHARACTERS)), rng.choice(EXPRESSIONS), text, '')) + text[at + rng.randrange(3):]
        else:
            self.mild(rng, tree)

    @staticmethod
    def within(inner, outer):
        return inner is outer or any(get(place) is inner for place in nodes_of(outer))

    # -- any change of the bytes -------------------------------------------------------------------------------------

    def bytes_of(self, rng, data):
        for _ in range(rng.choice((1, 1, 2, 3, 8, 40))):
            what = rng.randrange(12)
            at = rng.randrange(len(data) + 1)
            if what == 0:
                data = data[:at] + rng.choice(BYTES) + data[at + rng.randrange(2):]
            elif what == 1:
                data = data[:at] + data[at + rng.choice((1, 1, 2, 5, 20, 200)):]
            elif what == 2 and data:
                at = rng.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
            elif what == 3:
                end = at + rng.choice((1, 3, 10, 50))
                data = data[:end] + data[at:end] * rng.choice((1, 1, 2, 50)) + data[end:]
            elif what == 4:
                other = rng.choice(self.bases).data
                start = rng.randrange(len(other) + 1)
                data = data[:at] + other[start:start + rng.choice((5, 20, 100))] + data[at + rng.randrange(20):]
            elif what == 5:
                data = data[:at]
            elif what == 6:
                data = data[:at] + chr(rng.choice(CHARACTERS)).encode() + data[at:]
            elif what in (7, 8):
                lines = data.split(b'\n')
                line, other = rng.randrange(len(lines)), rng.randrange(len(lines))
                if what == 7:
                    lines[line], lines[other] = lines[other], lines[line]
                else:
                    lines[line] = b' ' * rng.randrange(8) + lines[line].lstrip()
                data = b'\n'.join(lines)
            else:
                found = list(re.finditer(rb'[^\s{},:\[\]]+', data))
                if found:
                    word = rng.choice(found)
                    new = rng.choice((rng.choice(self.words), rng.choice(BAD), rng.choice(NUMBERS), rng.choice(STRINGS))).encode('utf-8', 'surrogatepass')
                    data = data[:word.start()] + new + data[word.end():]
        return data[:200000]
