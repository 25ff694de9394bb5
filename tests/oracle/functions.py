"""Functions of the caller's that a container calls: hooks, and those that read, compare, write and read elements.

They tell the driver what they are given: elements, the reason of a removal, a context, the time of a layer.
"""

import re

from named import function_of
from subject import HOOKS

TEXT = """static int o_given, o_strays;
static const void *o_from, *o_of; /* the container whose hook it was, and the element, if that is no row */
int o_extra(void) { return o_given; }
int o_astray(void) { return o_strays; }
"""


def ours(subject, l):
    """The context of a container, as an expression of C."""
    return '(%s)(void *)&o%d_ours[%s][o%d_turn[%s]]' % (subject.context, subject.number, l, subject.number, l) if subject.context else 'NULL'


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    if s.context:
        adapter.put('static int o%d_ours[2][2], o%d_turn[2];\nstatic int o%d_is_ours(const volatile void *context)\n{\n'
                    '    return context == &o%d_ours[0][o%d_turn[0]] || context == &o%d_ours[1][o%d_turn[1]];\n}\n' % ((n,) * 7))
    if adapter.has('set_context'):
        adapter.function('set_context', 'int l', 'o%d_turn[l] ^= 1; %s; return 0;' % (n, adapter.call('set_context', '&o%d_l[l]' % n, ours(s, 'l'))))
    for path, call in (('persist.save', 'write'), ('persist.load', 'read')):
        name = s.settings[path]
        if name in s.prototypes and s.kind != 'pointer':
            s.defined.add((name,))
            _defined(adapter, name, 'bool', 'return %s(a0, a1, sizeof *a1);' % s.names[call])
    for name in [each for each in dict.fromkeys(s.hooks.values()) if each in s.prototypes and not (s.of and (each,) in s.defined)]:  # another one is called by nothing
        params = s.prototypes[name]
        kinds = sum(1 << HOOKS.index(kind) for kind, hook in s.hooks.items() if hook == name)
        tag = 'o%d_tag(a1)' % n if '*' in params[1] else 'o%d_tag_of_row(a0, a1)' % n
        # Afterwards nothing of the element is kept: tests/misuse counts what nothing leads to.
        _defined(adapter, name, 'void', 'o_from = a0;\n    %sif (told != NULL) told(%d, (int)(a0 - o%d_l), %d, %s);\n    o_of = NULL;' % (
            'o_of = a1;\n    ' * ('*' in params[1]), n, n, kinds, tag))
    _readers(adapter)
    for index, path, name in ((index, path, name) for index in [*s.indexes, s.wide, s.wide_rank] if index for path, name in index.functions.items()):
        if (name,) not in s.defined:
            s.defined.add((name,))
            _defined(adapter, name, s.results[name], function_of(index, path, s.prototypes[name], s.results[name]))


def _readers(adapter):
    """Those that read elements."""
    s = adapter.s
    for path, role in (('identity.key', 'key'), ('sort.key', 'rank'), ('sort.less', 'rank'), ('removal.expired', 'gone')):
        name = s.settings[path]
        if name is None or s.wide and path == 'identity.key' or s.wide_rank and path == 'sort.key' or not re.match(r'^\w+$', str(name)) or name not in s.prototypes or (name,) in s.defined:
            continue
        place = adapter._place(role)
        if path == 'sort.less':
            value = '%s < %s' % (place.replace('e', 'a0', 1), place.replace('e', 'a1', 1))
        elif path == 'removal.expired':
            value = '%s' % place.replace('e', 'a0', 1) if s.gone_is_flag else '%s <= 0' % place.replace('e', 'a0', 1)
        else:
            value = place.replace('e', 'a0', 1)
        s.defined.add((name,))
        _defined(adapter, name, s.results[name], 'return (%s)(%s);' % (s.results[name], value))


def _defined(adapter, name, result, body):
    """A function, which first looks at what else it is given."""
    params = adapter.s.prototypes[name]
    more = [_looked_at(adapter.s, kind, 'a%d' % i, params[0], 0 < i == len(params) - 1) for i, kind in enumerate(params)]
    adapter.put('%s %s(%s)\n{\n    %s%s\n}\n' % (result, name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(params)), ''.join(more), body))


def _looked_at(s, kind, name, first, last):
    """A context comes last; an element may have its type."""
    if re.search(r'[Rr]eason$', kind):
        return 'o_given = (int)%s;\n    ' % name
    if kind.startswith('const struct') and re.search(r'[Tt]ick \*$', kind):  # the calls of layers pass this address
        return 'o_given = %s != NULL && (const void *)%s->context == (const void *)&o_given ? (int)%s->seconds : -1;\n    ' % (name, name, name)
    if last and s.context and kind.replace(' ', '') == s.context.replace(' ', ''):
        mine = 'o%d_is_ours((const void *)%s)' % (s.number, name)
        if first.startswith('struct %s *' % s.T):  # T_load makes a third one
            mine = 'a0 == &o{0}_l[0] || a0 == &o{0}_l[1] ? (const void *){1} == &o{0}_ours[a0 - o{0}_l][o{0}_turn[a0 - o{0}_l]] : {2}'.format(s.number, name, mine)
        return 'o_strays += !(%s);\n    ' % mine
    return '(void)%s;\n    ' % name
