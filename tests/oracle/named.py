"""Named indexes: their keys in elements, and the calls by them.

A key is a number below 100, the value of the element in that index, which may also be its tag, its key or its rank.
"""

import re

# k05 k06 ... k1 k11 k12 ...: some are the beginning of others, and all are in the order of their numbers.
TEXT = """static const char *o_text(int value)
{
    static char texts[100][4];
    char *text = texts[value];
    text[0] = 'k', text[1] = (char)('0' + value / 10), text[2] = (char)(value % 10 == 0 ? 0 : '0' + value % 10);
    return text;
}

static inline int o_value(const char *text)
{
    return (text[1] - '0') * 10 + (text[2] == 0 ? 0 : text[2] - '0');
}
"""
OWN = {'bytes': ['guid'], 'object': ['guid'], 'string': ['name', 'tag'], 'slice': ['name']}  # members that functions of keys read
OWN_NUMBERS = ['length', 'left']
READ = ('identity.key', 'identity.length', 'identity.equal', 'identity.hash')


class Key:
    """How a number is written as a key of any kind, and handed on as one."""

    def __init__(self, name, c, members, called):
        self.name, self.kind = name, c['identity.kind'] or 'integer'
        self.functions = {path: c[path] for path in READ if c[path] and re.match(r'^\w+$', str(c[path]))}
        length = re.search(r'->(\w+)', str(c['identity.length'] or ''))
        self.length = length and length.group(1)
        found = re.search(r'^\(?element->(\w+)\)?$', str(c['identity.key']))
        own = [name for name in OWN.get(self.kind, OWN_NUMBERS) if name in members]
        self.member = found.group(1) if found else called.get(self.functions.get('identity.key')) or (own[-1 if name == 'rank' else 0] if own else None)
        self.is_array = members.get(self.member)

    def write(self, element, value):
        """Writes a value into its member, as a statement of C."""
        at = '%s->%s' % (element, self.member)
        if self.kind in ('integer', 'number'):
            return '%s = %s;' % (at, value)
        if self.kind in ('string', 'slice'):
            length = '%s->%s = strlen(o_text(%s));' % (element, self.length, value) if self.length else ''
            if self.is_array:
                return 'memset(%s, 0, sizeof %s); memcpy(%s, o_text(%s), 3); %s' % (at, at, at, value, length)
            return '%s = (char *)o_text(%s); %s' % (at, value, length)
        return 'memset((void *)&%s, 0, sizeof %s); *(unsigned char *)(void *)&%s = (unsigned char)(%s);' % (at, at, at, value)

    def read(self, place):
        """The number of one that is no number."""
        return 'o_value(%s)' % place if self.kind in ('string', 'slice') else '*(const unsigned char *)(const void *)&%s' % place

    def arguments(self, n, value):
        """Those of a call for a key."""
        if self.kind in ('integer', 'number'):
            return [value]
        if self.kind in ('string', 'slice'):
            return ['o_text(%s)' % value] + ['strlen(o_text(%s))' % value] * (self.kind == 'slice')
        return ['(void *)&o%d_made_%s(%s)->%s' % (n, self.name, value, self.member)]

    def made(self, n, E):
        """A function of C that makes an element with a key, to be handed on by address."""
        return '%s *o%d_made_%s(int value)\n{\n    static %s made[2];\n    static int turn;\n    %s *e = &made[turn++ & 1];\n    %s\n    return e;\n}\n' % (
            E, n, self.name, E, E, self.write('e', 'value'))


class Index(Key):
    """A named index, by the settings of the spec."""

    def __init__(self, number, parts, settings, members, called):
        super().__init__(parts.index.called, settings(parts.container), members, called)
        self.number, self.role, self.unique, self.ordered = number, None, parts.index.unique, parts.index.ordered


class Sort(dict):
    """The settings of an order by a key that is no number, as those of an identity."""

    def __init__(self, c):
        super().__init__({**dict.fromkeys(READ), **{'identity.' + name: c['sort.' + name] for name in ('key', 'kind')}})


def indexes_of(plan, settings, members, called):
    """The named indexes of a container. `members`: which are arrays; `called`: those that functions of other keys read."""
    return [Index(number, parts, settings, members, called) for number, parts in enumerate(plan.parts.indexes.named)]


def share(indexes, roles):
    """Gives each index the role of its member, or that of an index before it."""
    for index in indexes:
        index.role = next((role for role, member in roles if member == index.member), index.number)
        roles = roles + [(index.role, index.member)]


def text_of(adapter):
    """The calls of all indexes."""
    s, n, here = adapter.s, adapter.s.number, '&o%d_l[l]' % adapter.s.number
    for index in s.indexes:
        X = index.name
        adapter.put('static ' + index.made(n, s.E))

        def tag(got):
            return 'o%d_tag_of_row(%s, %s)' % (n, here, got) if s.rows else 'o%d_tag(%s)' % (n, got)

        def listed(name, params, begin, step):
            adapter.function(name, 'int l, %sint *out' % params, '%s range = %s; %se; int found = 0;\n    while ((e = %s) != %s && found < 99) out[found++] = %s;\n'
                             '    return found;' % (s.names.range, begin, adapter.ref if adapter.ref.endswith('*') else adapter.ref + ' ',
                                                    adapter.call(step + X, here, '&range'), adapter.none, tag('e')))
        adapter.function('find_' + X, 'int l, int value', 'return %s;' % tag(adapter.call('find_' + X, here, *index.arguments(n, 'value'))))
        if index.unique:
            adapter.function('remove_' + X, 'int l, int value', 'return (int)%s;' % adapter.call('remove_' + X, here, *index.arguments(n, 'value')))
        if index.ordered:
            between = adapter.call('range_' + X, here, *index.arguments(n, 'low'), *index.arguments(n, 'high'))
            listed('range_' + X, 'int low, int high, ', between, 'next_')
            listed('back_' + X, 'int low, int high, ', between, 'previous_')
            listed('all_' + X, '', adapter.call('all_' + X, here), 'next_')
        elif not index.unique:
            listed('range_' + X, 'int low, int high, ', '((void)high, %s)' % adapter.call('range_' + X, here, *index.arguments(n, 'low')), 'next_')
        if index.ordered or not index.unique:
            _kept_range(adapter, index, here)
        _rekeying(adapter, index, here)


def _kept_range(adapter, index, here):
    """A range that is kept while other calls are made."""
    s, n, X = adapter.s, adapter.s.number, index.name
    keys = [*index.arguments(n, 'low'), *index.arguments(n, 'high')] if index.ordered else index.arguments(n, 'low')
    adapter.put('static %s o%d_kept_range_%s;' % (s.names.range, n, X))
    adapter.function('keep_' + X, 'int l, int low, int high', '(void)high; o%d_kept_range_%s = %s; return 0;' % (n, X, adapter.call('range_' + X, here, *keys)))
    for name in ('next_', 'previous_')[:1 + index.ordered]:
        got = adapter.call(name + X, here, '&o%d_kept_range_%s' % (n, X))
        adapter.function(name + X, 'int l', 'return %s;' % ('o%d_tag_of_row(%s, %s)' % (n, here, got) if s.rows else 'o%d_tag(%s)' % (n, got)))


def _rekeying(adapter, index, here):
    """Writes a key, and reports it."""
    s, n, X = adapter.s, adapter.s.number, index.name
    kept = 'o%d_keys[%d][tag] = value;' % (n, index.role) if isinstance(index.role, int) else ''
    if s.rows:
        write = '%s it; size_t at = o%d_at(l, tag); if (at == %s) return -1; it = %s; { %s *e = &it; %s } %s %s;' % (
            s.E, n, adapter.none, adapter.call('load', here, 'at'), s.E, index.write('e', 'value'), kept, adapter.call('store', here, 'at', 'it'))
    else:
        write = '%s *at = o%d_at(l, tag); if (at == NULL) return -1; %s %s' % (s.E, n, index.write('at', 'value'), kept)
    adapter.function('write_' + X, 'int l, int tag, int value', write + ' return 0;')
    who = 'o%d_h[number]' % n if 'handle' in s.operations['rekey_' + X].params[1][0] else 'at'
    adapter.function('rekey_' + X, 'int l, int tag, int old, int value, int number', '%s (void)number, (void)old; return (int)%s;' % (
        write, adapter.call('rekey_' + X, here, who, *([] if index.ordered else index.arguments(n, 'old')))))


def function_of(index, path, params, result):
    """A function of ours that an index calls."""
    if path == 'identity.key':
        value = 'a0->' + index.member
        return 'return (%s)%s;' % (result, ('&' if '*' in result and index.kind not in ('string', 'slice') else '') + value)
    if path == 'identity.length':
        return 'return strlen(a0->%s);' % index.member
    if index.kind == 'string':
        return 'return strcmp(a0, a1) == 0;' if path == 'identity.equal' else 'return (uint64_t)a0[1] * 7 + (uint64_t)a0[2] + a1;'
    return 'return memcmp(a0, a1, sizeof *a0) == 0;' if path == 'identity.equal' else 'return *(const unsigned char *)(const void *)a0 + a1;'
