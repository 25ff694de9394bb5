"""One C interface to every container of a spec: written from its signatures, its settings and the headers of its elements.

All functions take and return plain numbers, so that the driver needs to know no type. An element is a number, its tag: for elements
that are pointers an index into a pool, for others a member that the spec does not use otherwise.
"""

import re

import anywhere
import functions
import joins
import limits
import numbers_of_slots
import pairs
import places
import scans
import sides
import states
import taking
import workers
from named import text_of
from subject import Unsupported

TAGS = 100  # tags are below this, so that they fit into the smallest element
STORED = 4096  # handles that are kept for a run


class Adapter:
    """The C text for one container."""

    def __init__(self, subject):
        self.s = subject
        self.lines = []
        if 'next' not in subject.operations and 'next_const' not in subject.operations:
            raise Unsupported('no T_next')
        if not all('find_' + index.name in subject.operations for index in subject.indexes):
            raise Unsupported('an index by which nothing is found')

    def has(self, name):
        return name in self.s.operations

    def call(self, name, *given):
        """A call with these arguments, and defaults for what else it takes: an expression, which is 0 where it returns nothing."""
        return self.call_of(self.s.operations[name], self.s.names, *given)

    def call_of(self, operation, names, *given):
        name, params = operation.name, operation.params
        context = functions.ours(self.s, '0') if given and '[0]' in given[0] else functions.ours(self.s, '1')
        rest = [context if each == 'context' and self.s.context else 'NULL' if '*' in kind else str(self.s.maximum) if each == 'max' else '64' if each == 'keys' else '0'
                for kind, each in params[len(given):]]
        made = '%s(%s)' % (names[name], ', '.join(list(given) + rest))
        return made if operation.result != 'void' else '(%s, 0)' % made

    def put(self, text):
        self.lines.append(text)

    def function(self, name, params, body):
        self.put('int o%d_%s(%s)\n{\n    %s\n}\n' % (self.s.number, name, params or 'void', body))

    def _place(self, role):
        member = getattr(self.s, role)
        if role == 'tag' and member and '[' in member:
            return None
        return '*e' if member == '*' else 'e->' + member if member else None

    def key(self, value):
        """The arguments of a call for the key that a number stands for."""
        return self.s.wide.arguments(self.s.number, value) if self.s.wide else [value]

    def _status(self, name, params, *given):
        if self.has(name):
            self.function(name, params, self._returned(name, *given))

    def _returned(self, name, *given):
        """Statements that return what a call says: 0, which is OK, where it says nothing."""
        call = self.call(name, *given)
        return 'return (int)%s;' % call if self.s.operations[name].result != 'void' else call + '; return 0;'

    def text(self):
        s = self.s
        n, T, E = s.number, s.names, s.E
        self.put('static %s o%d_layers;\n#define o%d_l o%d_layers.layers' % (s.of.T, n, n, n) if s.of else 'static %s o%d_l[2];' % (T, n))
        self.put('static %s o%d_pool[%d];' % (E, n, TAGS + 1))
        if self.has('next'):
            self.put('static %s o%d_c[16];' % (T.cursor, n))
        self._attributes()
        if s.wide and s.wide.kind in ('bytes', 'object'):
            self.put('static ' + s.wide.made(n, E))
        functions.text_of(self)
        self._locate()
        self._adding()
        self._removing()
        self._moving()
        self._reading()
        self._passing()
        self._listing()
        for each in (text_of, joins.text_of, places.text_of, states.text_of, workers.text_of, anywhere.text_of, scans.text_of, pairs.text_of,
                     taking.text_of, limits.text_of, numbers_of_slots.text_of, sides.text_of):
            each(self)
        return '\n'.join(self.lines)

    def _attributes(self):
        s, n, E = self.s, self.s.number, self.s.E
        if s.settings['capacity.weight'] is not None:
            self.put('static int o%d_heavier[%d];' % (n, TAGS + 1))
        sets = limits.written(s) + [index.write('e', 'o%d_keys[%d][tag]' % (n, index.number)) for index in s.indexes if index.role == index.number]
        if s.indexes:
            self.put('static int o%d_keys[%d][%d];' % (n, len(s.indexes), TAGS + 1))
            self.function('value', 'int index, int tag, int value', 'o%d_keys[index][tag] = value; return 0;' % n)
        for role in ('gone', 'rank', 'key', 'tag'):
            place = self._place(role)
            if role == 'gone' and place:
                if s.rank_is_gone:
                    continue
                sets.append('%s = %s;' % (place, 'gone != 0' if s.gone_is_flag else s.gone_value))
            elif role == 'rank' and place:
                sets.append(s.wide_rank.write('e', 'rank') if s.wide_rank else '%s = rank;' % place)
            elif role == 'key' and place:
                sets.append(s.wide.write('e', 'key') if s.wide else '%s = key;' % place)
            elif role == 'tag' and place:
                sets.append('%s = tag%s;' % (place, ' / 2 * %d + tag %% 2' % (2 * s.apart) if s.numbers else ''))
            elif role == 'tag' and s.tag:
                sets.append('memcpy(e->%s, &tag, sizeof tag);' % s.tag.split('[')[0])
        self.put('static void o%d_set(%s *e, int tag, int key, int rank, int gone)\n{\n    (void)tag, (void)key, (void)rank, (void)gone, (void)e;\n'
                 '    %s\n}\n' % (n, E, '\n    '.join(sets)))
        if s.kind == 'pointer':
            read = 'return e == NULL ? 0 : (int)(e - o%d_pool);' % n
        elif '[' in s.tag:
            read = 'int tag; if (e == NULL) return 0; memcpy(&tag, e->%s, sizeof tag); return tag;' % s.tag.split('[')[0]
        else:
            read = 'return e == NULL ? 0 : (int)%s;' % ('(*e / %d * 2 + *e %% %d)' % (2 * s.apart, 2 * s.apart) if s.numbers else self._place('tag'))
        self.put('static int o%d_tag(const %s *e)\n{\n    %s\n}\n' % (n, E, read))
        if s.numbers:
            self.put('static int o%d_tag_of_row(const %s *l, %s row)\n{\n    (void)l;\n    return row == %s ? 0 : (int)(row / %d * 2 + row %% %d);\n}\n' % (
                n, s.names, s.size, s.plan.TT.NONE, 2 * s.apart, 2 * s.apart))
        elif s.rows:
            self.put('static int o%d_tag_of_row(const %s *l, size_t row)\n{\n    %s e;\n    if (row == %s) return 0;\n    e = %s;\n'
                     '    return o%d_tag(&e);\n}\n' % (n, s.names, E, s.plan.TT.NONE, self.call('load', 'l', 'row'), n))

    # -- where is it? --

    def _locate(self):
        """By what the header offers; `o_seek`, where nothing else is there, by a pass."""
        s, n, T, E = self.s, self.s.number, self.s.names, self.s.E
        self.walks = False
        loop = None
        if s.kind == 'pointer':
            body = 'return tag > 0 ? &o%d_pool[tag] : NULL;' % n
            ref = E + ' *'
        elif s.numbers:
            ref = s.size
            body = '%s number = (%s)(tag / 2 * %d + tag %% 2);\n    return %s ? number : %s;' % (
                s.size, s.size, 2 * s.apart, self.call('contains', '&o%d_l[l]' % n, 'number'), s.plan.TT.NONE)
        elif s.rows:
            ref = s.size
            body = ('size_t row, rows = %s;\n    for (row = 0; row < rows; row++) {\n        if (%s && o%d_tag_of_row(&o%d_l[l], row) == tag) return row;\n'
                    '    }\n    return %s;' % (self.call('rows', '&o%d_l[l]' % n), self.call('contains', '&o%d_l[l]' % n, 'row'), n, n, s.plan.TT.NONE))
        else:
            ref = E + ' *'
            here = '&o%d_l[l]' % n
            if self.has('get') and not self.has('handle_of'):
                loop = 'size_t i, count = %s;\n    for (i = 0; i < count; i++) {\n        %s *e = %s;' % (
                    self.call('count', here), E, self.call('get', here, 'i'))
            elif self.has('data'):
                loop = '%s *at = %s;\n    size_t i, count = %s;\n    for (i = 0; i < count; i++) {\n        %s *e = &at[i];' % (
                    E, self.call('data', here), self.call('count', here), E)
            elif self.has('next_of'):
                loop = '%s *e;\n    for (e = %s; e != NULL; e = %s) {' % (E, self.call('first', here), self.call('next_of', here, 'e'))
            elif self.has('begin') and not s.of:
                self.walks = True
                begin = 'begin'
                loop = '%s cursor = %s;\n    %s *e;\n    while ((e = %s) != NULL) {' % (
                    T.cursor, self.call(begin, here), E, self.call('next', '&cursor'))
            elif self.has('begin_const'):  # where there are readers only, and in a layer, which passes may wait for
                s.live_only = s.expired is not None
                loop = '%s cursor = %s;\n    %s *e;\n    while ((e = (%s *)%s) != NULL) {' % (
                    T.const_cursor, self.call('begin_const', here), E, E, self.call('next_const', '&cursor'))
            if loop is None:
                raise Unsupported('elements cannot be listed')
            stop = '%s; ' % self.call('end', '&cursor') if self.walks else ''
            body = '%s\n        if (o%d_tag(e) == tag) { %sreturn e; }\n    }\n    return NULL;' % (loop, n, stop)
        s.walks = self.walks
        if self.walks and s.settings['iteration.cursors'] == 'one':
            s.blind = True  # it cannot be listed during a pass
        self.loop = loop
        self.ref = ref
        self.none = s.plan.TT.NONE if s.rows else 'NULL'
        self.put('static %s o%d_at(int l, int tag)\n{\n    (void)l;\n    %s\n}\n' % (ref if ref.endswith('*') else ref + ' ', n, body))
        self.function('has', 'int l, int tag', '%so%d_at(l, tag) != %s;' % ('return ', n, self.none) if s.kind != 'pointer' or not self.has('contains') else
                      'return %s;' % self.call('contains', '&o%d_l[l]' % n, '&o%d_pool[tag]' % n))
        if self.has('handle_of'):
            self.put('static %s o%d_h[%d];' % (T.handle, n, STORED))
            self.function('note', 'int l, int tag, int number',
                          'o%d_h[number] = %s; return 0;' % (n, self.call('handle_of', '&o%d_l[l]' % n, 'o%d_at(l, tag)' % n)))
            if self.has('get'):
                got = self.call('get', '&o%d_l[l]' % n, 'o%d_h[number]' % n)
                self.function('named', 'int l, int number',
                              'return o%d_tag_of_row(&o%d_l[l], %s);' % (n, n, got) if s.rows else 'return o%d_tag(%s);' % (n, got))

    def _new(self):
        """An element as argument of an add."""
        n = self.s.number
        if self.s.kind == 'pointer':
            return '%s *e = &o%d_pool[tag]; o%d_set(e, tag, key, rank, gone);' % (self.s.E, n, n), 'e'
        return '%s it; memset(&it, 0, sizeof it); o%d_set(&it, tag, key, rank, gone);' % (self.s.E, n), 'it'

    VALUES = 'int tag, int key, int rank, int gone'

    def _adding(self):
        s, n = self.s, self.s.number
        make, it = self._new()
        here = '&o%d_l[l]' % n
        for name in ('add', 'add_front'):
            if self.has(name):
                self.function(name, 'int l, ' + self.VALUES, '%s\n    %s' % (make, self._returned(name, here, it)))
        for name in ('insert_before', 'insert_after', 'add_child'):
            if self.has(name):
                order = [param for _, param in s.operations[name].params]
                other = next(p for p in order if p not in ('list', 'element'))
                given = {'list': here, 'element': it, other: 'at == 0 ? %s : o%d_at(l, at)' % (self.none, n)}
                self.function(name, 'int l, %s, int at' % self.VALUES, '%s\n    %s' % (make, self._returned(name, *[given[p] for p in order])))
        if self.has('emplace') and s.kind == 'value':
            self.function('emplace', 'int l, ' + self.VALUES, '%s *e = %s; if (e == NULL) return 1; memset(e, 0, sizeof *e); o%d_set(e, tag, key, rank, gone); return 0;'
                          % (s.E, self.call('emplace', here), n))
        if self.has('add_all'):
            kind = '%s *' % s.E if s.kind == 'pointer' else s.E
            fill = 'all[i] = &o%d_pool[v[4 * i]]; o%d_set(all[i], ' % (n, n) if s.kind == 'pointer' \
                else 'memset(&all[i], 0, sizeof all[i]); o%d_set(&all[i], ' % n
            self.function('add_all', 'int l, const int *v, int count, int *taken',
                          '%s all[16]; %s done = 0; int i, status = 0;\n    for (i = 0; i < count; i++) { %sv[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]); }\n'
                          '    %s%s; *taken = (int)done; return status;' % (
                              kind, s.size, fill, 'status = (int)' * (s.operations['add_all'].result != 'void'),
                              self.call('add_all', here, 'all', '(size_t)count', '&done')))

    def _removing(self):
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        if self.has('remove'):
            kind = s.operations['remove'].params[1][0]
            if 'handle' in kind.lower():
                self.function('remove_handle', 'int l, int number', 'return (int)%s;' % self.call('remove', here, 'o%d_h[number]' % n))
            else:
                self.function('remove', 'int l, int tag', '%s%sat = o%d_at(l, tag); if (at == %s) return -1; return (int)%s;' % (
                    self.ref, '' if self.ref.endswith('*') else ' ', n, self.none, self.call('remove', here, 'at')))
        self._status('remove_key', 'int l, int key', here, *self.key('key'))
        self._status('remove_at', 'int l, int at', here, 'at')
        self._status('clear', 'int l', here)
        for name in ('pop', 'pop_back'):
            if self.has(name):
                kind = '%s *' % s.E if s.kind == 'pointer' else s.E + ' '
                got = 'o%d_tag(it)' % n if s.kind == 'pointer' else 'o%d_tag(&it)' % n
                self.function(name, 'int l, int *tag', '%sit; int status; memset(&it, 0, sizeof it); status = (int)%s; *tag = status == 0 ? %s : 0; return status;'
                              % (kind, self.call(name, here, '&it'), got))
                self.function(name + '_away', 'int l', 'return (int)%s;' % self.call(name, here, 'NULL'))

    def _rekeys_key(self):
        """The call after what makes two elements equal has changed: of an index, with the old key, or of an order by that."""
        s = self.s
        found = [name for name in ('rekey_index', 'rekey') if s.key and self.has(name) and (s.rank_is_key or len(s.operations[name].params) > 2)]
        return found[0] if found and not s.key_is_tag else None

    def write(self, kept='', gone='gone'):
        """Statements that write an element in its place; `kept` comes before that."""
        s, n = self.s, self.s.number
        if s.rows:
            here = '&o%d_l[l]' % n
            return '%s it; size_t at = o%d_at(l, tag); if (at == %s) return -1; it = %s; %s o%d_set(&it, tag, key, rank, %s); %s;' % (
                s.E, n, self.none, self.call('load', here, 'at'), kept, n, gone, self.call('store', here, 'at', 'it'))
        return '%s *at = o%d_at(l, tag); if (at == NULL) return -1; %s o%d_set(at, tag, key, rank, %s);' % (s.E, n, kept, n, gone)

    def _moving(self):
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        for name in ('move_before', 'move_after', 'move_to_parent'):
            self._status(name, 'int l, int tag, int at', here, 'o%d_at(l, tag)' % n, 'at == 0 ? %s : o%d_at(l, at)' % (self.none, n))
        for name in ('move_to_front', 'move_to_back'):
            self._status(name, 'int l, int tag', here, 'o%d_at(l, tag)' % n)
        keyed = self._rekeys_key()
        if s.rank and (s.settings['ordering'] == 'sorted' or self.has('rekey') or self.has('sort') or self.has('heapify')) or keyed:
            place = re.sub(r'\be\b', '(&it)' if s.rows else 'at', self._place('key')) if keyed else ''
            kept = 'long long old = (long long)%s; (void)old;' % (s.wide.read(place) if s.wide else place) if keyed else ''
            write = self.write(kept)
            self.function('change', 'int l, ' + self.VALUES, write + ' return 0;')
            for name, mine in (('rekey', 'rekey' if s.rank and not s.rank_is_key and keyed != 'rekey' else None), ('rekey_key', keyed)):
                if mine and self.has(mine):
                    handle = 'handle' in s.operations[mine].params[1][0].lower()
                    names = [here, 'o%d_h[number]' % n if handle else 'at']
                    given = names + self.key('old') * (len(s.operations[mine].params) > 2)
                    self.function(name, 'int l, %s, int number' % self.VALUES, '%s (void)number; return (int)%s;' % (write, self.call(mine, *given)))
                    if given != names:
                        self.function('rekey_wrong', 'int l, %s, int number, int wrong' % self.VALUES,
                                      '%s (void)number; return (int)%s;' % (write, self.call(mine, *names, *self.key('wrong'))))
        if s.gone and not s.rank_is_gone:
            write = self.write(gone='1')
            self.function('expire', 'int l, int tag, int key, int rank', write + ' return 0;')
        for name in ('sort', 'heapify', 'settle', 'shrink_to_fit', 'lock', 'unlock', 'update', 'prune'):
            self._status(name, 'int l', here)
        self._status('reserve', 'int l, int count', here, 'count')

    def _reading(self):
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        for name in ('count', 'is_empty', 'is_locked', 'predicted_count', 'capacity'):
            self._status(name, 'int l', here)
        for name in ('contains', 'will_contain'):
            if self.has(name):
                self.function(name, 'int l, int tag', '%s%sat = o%d_at(l, tag); if (at == %s) return -1; return %s;' % (
                    self.ref, '' if self.ref.endswith('*') else ' ', n, self.none, self.call(name, here, 'at')))
        self.function('check', 'int l', 'const char *wrong = %s; if (wrong != NULL) said = wrong; return wrong != NULL;' % self.call('check', here)
                      if self.has('check') else 'return 0 * l;')

        def tag(got):
            return 'o%d_tag_of_row(%s, %s)' % (n, here, got) if s.rows else 'o%d_tag(%s)' % (n, got)
        for name in ('first', 'last'):
            if self.has(name):
                self.function(name, 'int l', 'return %s;' % tag(self.call(name, here)))
        for name in ('next_of', 'previous_of', 'parent_of', 'first_child_of', 'next_sibling_of'):
            if self.has(name):
                self.function(name, 'int l, int tag', 'return %s;' % tag(self.call(name, here, 'o%d_at(l, tag)' % n)))
        if self.has('find'):
            self.function('find', 'int l, int key', 'return %s;' % tag(self.call('find', here, *self.key('key'))))
        if self.has('get') and not self.has('handle_of') and s.kind != 'rows':
            self.function('get', 'int l, int at', 'return %s;' % tag(self.call('get', here, 'at')))

    def _passing(self):
        s, n = self.s, self.s.number
        for name in ('begin', 'begin_backward'):
            if self.has(name):
                self.function(name, 'int l, int c', 'o%d_c[c] = %s; return 0;' % (n, self.call(name, '&o%d_l[l]' % n)))
        for name in ('try_begin', 'try_begin_backward'):
            self._status(name, 'int l, int c', '&o%d_l[l]' % n, '&o%d_c[c]' % n)
        if not self.has('next'):
            return
        got = self.call('next', '&o%d_c[c]' % n)
        self.function('next', 'int l, int c', 'return o%d_tag_of_row(&o%d_l[l], %s);' % (n, n, got) if s.rows else '(void)l; return o%d_tag(%s);' % (n, got))
        for name in ('end', 'remove_current', 'was_changed', 'keep'):
            self._status(name, 'int c', '&o%d_c[c]' % n)

    def _listing(self):
        """All tags, in order; nothing changes by that."""
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        E = s.E
        if s.numbers:
            body = 'int tag, found = 0;\n    for (tag = 0; tag < %d; tag++) { if (%s) out[found++] = tag; }\n    return found;' % (
                TAGS, self.call('contains', here, '(%s)(tag / 2 * %d + tag %% 2)' % (s.size, 2 * s.apart)))
        elif s.rows:
            body = ('size_t row, rows = %s; int found = 0;\n    for (row = 0; row < rows; row++) { if (%s) out[found++] = o%d_tag_of_row(%s, row); }\n    return found;'
                    % (self.call('rows', here), self.call('contains', here, 'row'), n, here))
        elif s.kind == 'pointer' and self.has('get') and not self.has('handle_of'):
            body = 'int i, found = 0;\n    for (i = 0; i < (int)%s; i++) out[found++] = o%d_tag(%s);\n    return found;' % (
                self.call('count', here), n, self.call('get', here, 'i'))
        elif s.kind == 'pointer' and self.has('next_of'):
            body = 'int found = 0; %s *e;\n    for (e = %s; e != NULL && found < %d; e = %s) out[found++] = o%d_tag(e);\n    return found;' % (
                E, self.call('first', here), TAGS, self.call('next_of', here, 'e'), n)
        elif s.kind == 'pointer' and s.key is not None and self.has('next'):
            s.unlisted, s.walks, s.live_only = True, not s.of, s.of and s.expired is not None
            s.blind = s.walks and s.settings['iteration.cursors'] == 'one'
            more, const = ('_const', 'const ') if s.of else ('', '')
            body = '%s cursor = %s; %s%s *e; int found = 0;\n    while ((e = %s) != NULL && found < %d) out[found++] = o%d_tag(e);\n    %s; return found;' % (
                s.names['const_cursor' if s.of else 'cursor'], self.call('begin' + more, here), const, E, self.call('next' + more, '&cursor'), TAGS, n,
                '(void)0' if s.of else self.call('end', '&cursor'))
        elif s.kind == 'pointer':
            s.unlisted = True
            body = 'int tag, found = 0;\n    for (tag = 1; tag < %d; tag++) { if (%s) out[found++] = tag; }\n    return found;' % (
                TAGS, self.call('contains', here, '&o%d_pool[tag]' % n)) if self.has('contains') else 'return -1;'
        else:
            s.unlisted = s.walks
            body = 'int found = 0;\n    %s\n        if (found < %d) out[found++] = o%d_tag(e);\n    }\n    return found;' % (self.loop, TAGS, n)
        self.function('list', 'int l, int *out', body)
        self.function('open', 'void', 'memset(o%d_pool, 0, sizeof o%d_pool); %s; %s; return 0;' % (
            n, n, self.call('init', '&o%d_l[0]' % n) if self.has('init') else 'memset(&o%d_l[0], 0, sizeof o%d_l[0])' % (n, n),
            self.call('init', '&o%d_l[1]' % n) if self.has('init') else 'memset(&o%d_l[1], 0, sizeof o%d_l[1])' % (n, n)))
        self.function('renew', 'int l', '%s; %s; return 0;' % (
            self.call('deinit', '&o%d_l[l]' % n), self.call('init', '&o%d_l[l]' % n) if self.has('init') else 'memset(&o%d_l[l], 0, sizeof o%d_l[l])' % (n, n)))
        self.function('close', 'void', '%s; %s; return 0;' % (self.call('deinit', '&o%d_l[0]' % n), self.call('deinit', '&o%d_l[1]' % n)))
