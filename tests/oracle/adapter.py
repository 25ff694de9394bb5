"""One C interface to every container of a spec: written from its signatures, its settings and the headers of its elements.

All functions take and return plain numbers, so that the driver needs to know no type. An element is a number, its tag: for elements
that are pointers an index into a pool, for others a member that the spec does not use otherwise.
"""

import os
import re
import subprocess

from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.emitted.spelling import Speller
from generator.language import soa
from generator.text.diag import Diagnostics
from generator.text.naming import marked
from named import TEXT, function_of, indexes_of, share, text_of

TAGS = 100  # tags are below this, so that they fit into the smallest element
STORED = 4096  # handles that are kept for a run

HOOKS = ('add', 'remove', 'destroy', 'move', 'update')
SIMPLE = re.compile(r'(?:element|a)->(\w+)')
NUMBER = re.compile(r'^(?:u?int(?:8|16|32|64)_t|int|unsigned|short|long|size_t|float|double|bool|engine_size)$')


class Unsupported(Exception):
    """Why this container is not run."""


class Settings:
    """The settings of a container; expressions and names of functions as text."""

    def __init__(self, container):
        self.container = container

    def __getitem__(self, path):
        value = self.container.settings.get(path)
        value = value and value.value
        return str(value) if type(value).__name__ == 'Callable_' else value


class Subject:
    """A container, and what is publicly known of it."""

    def __init__(self, container, plan, number, headers):
        self.number = number
        self.settings = container = Settings(container)
        self.plan = plan
        self.T = str(plan.T)
        self.marked = marked(plan.T)
        self.operations = {each.name: each for each in plan.operations if not each.private}
        self.statuses = {each.number: each.name for each in plan.statuses}
        self.by = container['element.by']
        self.rows = container['layout'] == 'soa'
        self.kind = 'rows' if self.rows else 'value' if self.by == 'value' else 'pointer'
        self.hooks = {kind: container['hooks.' + kind] for kind in HOOKS if container['hooks.' + kind]}
        self.says = ''  # the contract, as its header states it
        self._roles(headers)

    # -- which members of an element hold what --

    def _members(self, headers):
        listed = soa.listed(self.settings.container)
        if listed is not None:
            return [(member.name, str(member.type)) for member in listed]
        name = str(self.settings.container.element)
        name = re.sub(r'^const ', '', name).rstrip(' *')
        found = re.search(r'^(?:typedef )?(?:struct )?%s ?\{(.*?)\n\}' % re.escape(name if ' ' in name else 'struct ' + name), headers, re.S | re.M) \
            if not NUMBER.match(name) else None
        if found is None:
            return None
        members = []
        for line in found.group(1).split(';'):
            line = re.sub(r'/\*.*?\*/', '', line, flags=re.S).strip()
            match = re.match(r'^((?:\w+ )*\w+) (\**\w+(?:\[\d+\])?(?:, *\**\w+(?:\[\d+\])?)*)$', line)
            if match:
                members += [(declared.strip(), match.group(1)) for declared in match.group(2).split(',')]
        return members

    def _roles(self, headers):
        c = self.settings
        members = self._members(headers)
        self.scalar = members is None
        self.E = str(c.container.element) if not (self.rows and c['element.type'] is None) else self.marked + '_row'
        used = set()
        for path in ('index.field', 'element.link.next', 'element.link.prev', 'element.link.owner', 'element.link.parent', 'element.link.sibling'):
            used.add(c[path])
        usable = [] if self.scalar else [(name, kind) for name, kind in members if re.match(r'^\w+$', name) and NUMBER.match(kind) and name not in used]
        numbers = [name for name, kind in usable if kind != 'bool']

        def member(expression, preferred):
            """The member that an expression reads; for a function of ours, one that suits."""
            if expression is None:
                return None
            if self.scalar:
                return '*'
            found = SIMPLE.search(str(expression))
            if found:
                return found.group(1)
            for name in preferred:
                if name in [each for each, _ in usable]:
                    return name
            raise Unsupported('no member for ' + str(expression))

        ident = c['test.id'] or 'id'
        self.key = member(c['identity.key'], [ident]) if c['identity.by'] == 'key' else '*' if c['identity.by'] == 'value' and self.scalar else None
        if self.key is not None and not re.match(r'^(element->)?\w+$', str(c['identity.key'] or 'value')):
            raise Unsupported('a key that is computed')
        if any(c[path] in ('string', 'slice', 'bytes', 'object') for path in ('identity.kind', 'sort.kind')):
            raise Unsupported('a key that is no number')
        self.less, self.sort_key = c['sort.less'], c['sort.key']
        self.rank = member(self.less or self.sort_key, ['left', 'depth', 'due', 'y', 'place', 'id', 'length'])
        self.down = bool(self.less and '>' in str(self.less).replace('->', '').replace('>>', ''))
        shift = re.search(r'>> (\d)', str(self.less or self.sort_key or ''))
        modulus = re.search(r'% (\d+)', str(self.sort_key or ''))
        self.modulus = int(modulus.group(1)) if modulus else 0
        self.shift = int(shift.group(1)) if shift else 0
        own = {name: role for name, role in ((self.sort_key, self.rank), (c['identity.key'], self.key)) if role}
        self.indexes = indexes_of(self.plan, Settings, {} if self.scalar else {name.strip('*').split('[')[0]: '[' in name for name, _ in members}, own)
        indexed = {index.member for index in self.indexes}
        self.expired = c['removal.expired']
        self.gone = member(self.expired, [name for name in ('gone', 'left', 'life', 'place') if name not in indexed]) if self.expired else None
        self.gone = None if self.gone in indexed else self.gone  # it would change a key
        compared = re.search(r'([<>]=?) *0$', str(self.expired or ''))
        self.gone_value = {'<': '-gone', '>': 'gone', '>=': 'gone - 1'}.get(compared.group(1) if compared else '', '!gone')
        self.gone_is_flag = self.gone is not None and ('gone' == self.gone or 'bool' in dict(usable).get(self.gone, ''))
        taken = {self.key, self.rank, self.gone}
        if self.kind == 'pointer':
            self.tag = None
        elif self.scalar:
            self.tag = '*'
        else:
            free = [name for name in numbers if name not in taken | indexed]
            told_apart = [index.member for index in self.indexes if index.unique and index.kind == 'integer' and index.member in numbers]
            unique = self.key is not None and c['duplicates'] != 'allow'
            self.tag = free[0] if free else self.key if unique else told_apart[0] if told_apart else None
            if self.tag is None:
                self.tag = next((name for name, kind in members if re.match(r'^\w+\[\d+\]$', name) and kind == 'char'), None) \
                    or self.rank
            if self.tag is None:
                raise Unsupported('no member for a tag')
        self.key_is_tag = self.key is not None and self.key == self.tag
        self.rank_is_tag = self.rank is not None and self.rank == self.tag
        self.rank_is_key = self.rank is not None and self.rank == self.key
        self.rank_is_gone = self.rank is not None and self.rank == self.gone
        share(self.indexes, [(role, member) for role, member in (('key', self.key), ('rank', self.rank), ('tag', self.tag)) if member])


class Adapter:
    """The C text for one container."""

    def __init__(self, subject):
        self.s = subject
        self.lines = []
        if 'next' not in subject.operations:
            raise Unsupported('no T_next')

    def has(self, name):
        return name in self.s.operations

    def call(self, name, *given):
        """A call with these arguments, and defaults for what else it takes."""
        params = self.s.operations[name].params
        rest = ['NULL' if '*' in kind else '0' for kind, _ in params[len(given):]]
        return '%s_%s(%s)' % (self.s.marked, name, ', '.join(list(given) + rest))

    def put(self, text):
        self.lines.append(text)

    def function(self, name, params, body):
        self.put('int o%d_%s(%s)\n{\n    %s\n}\n' % (self.s.number, name, params or 'void', body))

    def _place(self, role):
        member = getattr(self.s, role)
        if role == 'tag' and member and '[' in member:
            return None
        return '*e' if member == '*' else 'e->' + member if member else None

    def _status(self, name, params, *given):
        if self.has(name):
            result = self.s.operations[name].result
            call = self.call(name, *given)
            self.function(name, params, 'return (int)%s;' % call if result != 'void' else call + '; return 0;')

    def text(self):
        s = self.s
        n, T, E = s.number, s.marked, s.E
        self.put('static %s o%d_l[2];\nstatic %s_cursor o%d_c[16];\nstatic %s o%d_pool[%d];' % (T, n, T, n, E, n, TAGS + 1))
        self._attributes()
        self._hooks()
        self._locate()
        self._adding()
        self._removing()
        self._moving()
        self._reading()
        self._passing()
        self._listing()
        text_of(self)
        return '\n'.join(self.lines)

    def _attributes(self):
        s, n, E = self.s, self.s.number, self.s.E
        sets = [index.write('e', 'o%d_keys[%d][tag]' % (n, index.number)) for index in s.indexes if index.role == index.number]
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
                sets.append('%s = rank;' % place)
            elif role == 'key' and place:
                sets.append('%s = key;' % place)
            elif role == 'tag' and place:
                sets.append('%s = tag;' % place)
            elif role == 'tag' and s.tag:
                sets.append('memcpy(e->%s, &tag, sizeof tag);' % s.tag.split('[')[0])
        self.put('static void o%d_set(%s *e, int tag, int key, int rank, int gone)\n{\n    (void)tag, (void)key, (void)rank, (void)gone, (void)e;\n'
                 '    %s\n}\n' % (n, E, '\n    '.join(sets)))
        if s.kind == 'pointer':
            read = 'return e == NULL ? 0 : (int)(e - o%d_pool);' % n
        elif '[' in s.tag:
            read = 'int tag; if (e == NULL) return 0; memcpy(&tag, e->%s, sizeof tag); return tag;' % s.tag.split('[')[0]
        else:
            read = 'return e == NULL ? 0 : (int)%s;' % self._place('tag')
        self.put('static int o%d_tag(const %s *e)\n{\n    %s\n}\n' % (n, E, read))
        if s.rows:
            self.put('static int o%d_tag_of_row(const %s *l, size_t row)\n{\n    %s e;\n    if (row == %s_NONE) return 0;\n    e = %s;\n'
                     '    return o%d_tag(&e);\n}\n' % (n, s.marked, E, s.plan.TT, self.call('load', 'l', 'row'), n))

    def _hooks(self):
        s, n = self.s, self.s.number
        for name in dict.fromkeys(s.hooks.values()):
            params = s.prototypes[name]
            kinds = sum(1 << HOOKS.index(kind) for kind, hook in s.hooks.items() if hook == name)
            tag = 'o%d_tag(a1)' % n if '*' in params[1] else 'o%d_tag_of_row(a0, a1)' % n
            self.put('void %s(%s)\n{\n    %s    if (told != NULL) told(%d, (int)(a0 - o%d_l), %d, %s);\n}\n' % (
                name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(params)), '(void)a2;\n' if len(params) > 2 else '', n, n, kinds, tag))
        for path, role in (('identity.key', 'key'), ('sort.key', 'rank'), ('sort.less', 'rank'), ('removal.expired', 'gone')):
            name = s.settings[path]
            if name is None or not re.match(r'^\w+$', str(name)) or name not in s.prototypes:
                continue
            params = s.prototypes[name]
            place = self._place(role)
            if path == 'sort.less':
                value = '%s < %s' % (place.replace('e', 'a0', 1), place.replace('e', 'a1', 1))
            elif path == 'removal.expired':
                value = '%s' % place.replace('e', 'a0', 1) if s.gone_is_flag else '%s <= 0' % place.replace('e', 'a0', 1)
            else:
                value = place.replace('e', 'a0', 1)
            key = (name,)
            if key in s.defined:
                continue
            s.defined.add(key)
            self.put('%s %s(%s)\n{\n    return (%s)(%s);\n}\n' % (
                s.results[name], name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(params)), s.results[name], value))
        for index, path, name in ((index, path, name) for index in s.indexes for path, name in index.functions.items()):
            if (name,) not in s.defined:
                s.defined.add((name,))
                self.put('%s %s(%s)\n{\n    %s\n}\n' % (s.results[name], name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(s.prototypes[name])),
                                                       function_of(index, path, s.prototypes[name], s.results[name])))

    # -- where is it? --

    def _locate(self):
        """By what the header offers; `o_seek`, where nothing else is there, by a pass."""
        s, n, T, E = self.s, self.s.number, self.s.marked, self.s.E
        self.walks = False
        loop = None
        if s.kind == 'pointer':
            body = 'return tag > 0 ? &o%d_pool[tag] : NULL;' % n
            ref = E + ' *'
        elif s.rows:
            ref = 'size_t'
            body = ('size_t row, rows = %s;\n    for (row = 0; row < rows; row++) {\n        if (%s && o%d_tag_of_row(&o%d_l[l], row) == tag) return row;\n'
                    '    }\n    return %s_NONE;' % (self.call('rows', '&o%d_l[l]' % n), self.call('contains', '&o%d_l[l]' % n, 'row'), n, n, s.plan.TT))
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
            elif self.has('begin'):
                self.walks = True
                begin = 'begin'
                loop = '%s_cursor cursor = %s;\n    %s *e;\n    while ((e = %s) != NULL) {' % (
                    T, self.call(begin, here), E, self.call('next', '&cursor'))
            if loop is None:
                raise Unsupported('elements cannot be listed')
            stop = '%s; ' % self.call('end', '&cursor') if self.walks else ''
            body = '%s\n        if (o%d_tag(e) == tag) { %sreturn e; }\n    }\n    return NULL;' % (loop, n, stop)
        s.walks = self.walks
        if self.walks and s.settings['iteration.cursors'] == 'one':
            s.blind = True  # it cannot be listed during a pass
        self.loop = loop
        self.ref = ref
        self.none = '%s_NONE' % s.plan.TT if s.rows else 'NULL'
        self.put('static %s o%d_at(int l, int tag)\n{\n    (void)l;\n    %s\n}\n' % (ref if ref.endswith('*') else ref + ' ', n, body))
        if self.has('handle_of'):
            self.put('static %s_handle o%d_h[%d];' % (T, n, STORED))
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
                self.function(name, 'int l, ' + self.VALUES, '%s\n    return (int)%s;' % (make, self.call(name, here, it)))
        for name in ('insert_before', 'insert_after', 'add_child'):
            if self.has(name):
                order = [param for _, param in s.operations[name].params]
                other = next(p for p in order if p not in ('list', 'element'))
                given = {'list': here, 'element': it, other: 'at == 0 ? %s : o%d_at(l, at)' % (self.none, n)}
                self.function(name, 'int l, %s, int at' % self.VALUES, '%s\n    return (int)%s;' % (make, self.call(name, *[given[p] for p in order])))
        if self.has('emplace') and s.kind == 'value':
            self.function('emplace', 'int l, ' + self.VALUES, '%s *e = %s; if (e == NULL) return 1; memset(e, 0, sizeof *e); o%d_set(e, tag, key, rank, gone); return 0;'
                          % (s.E, self.call('emplace', here), n))
        if self.has('add_all'):
            kind = '%s *' % s.E if s.kind == 'pointer' else s.E
            fill = 'all[i] = &o%d_pool[v[4 * i]]; o%d_set(all[i], ' % (n, n) if s.kind == 'pointer' \
                else 'memset(&all[i], 0, sizeof all[i]); o%d_set(&all[i], ' % n
            self.function('add_all', 'int l, const int *v, int count, int *taken',
                          '%s all[16]; size_t done = 0; int i, status;\n    for (i = 0; i < count; i++) { %sv[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]); }\n'
                          '    status = (int)%s; *taken = (int)done; return status;' % (
                              kind, fill, self.call('add_all', here, 'all', '(size_t)count', '&done')))

    def _removing(self):
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        if self.has('remove'):
            kind = s.operations['remove'].params[1][0]
            if 'handle' in kind:
                self.function('remove_handle', 'int l, int number', 'return (int)%s;' % self.call('remove', here, 'o%d_h[number]' % n))
            else:
                self.function('remove', 'int l, int tag', '%s%sat = o%d_at(l, tag); if (at == %s) return -1; return (int)%s;' % (
                    self.ref, '' if self.ref.endswith('*') else ' ', n, self.none, self.call('remove', here, 'at')))
        self._status('remove_key', 'int l, int key', here, 'key')
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
        found = [name for name in ('rekey_index', 'rekey') if s.key and self.has(name) and (s.rank_is_key or len(s.operations[name].params) == 3)]
        return found[0] if found and not s.key_is_tag else None

    def _moving(self):
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        for name in ('move_before', 'move_after', 'move_to_parent'):
            self._status(name, 'int l, int tag, int at', here, 'o%d_at(l, tag)' % n, 'at == 0 ? %s : o%d_at(l, at)' % (self.none, n))
        for name in ('move_to_front', 'move_to_back'):
            self._status(name, 'int l, int tag', here, 'o%d_at(l, tag)' % n)
        keyed = self._rekeys_key()
        if s.rank and (self.has('rekey') or self.has('sort') or self.has('heapify')) or keyed:
            kept = 'long long old = (long long)%s; (void)old;' % re.sub(r'\be\b', '(&it)' if s.rows else 'at', self._place('key')) if keyed else ''
            if s.rows:
                write = '%s it; size_t at = o%d_at(l, tag); if (at == %s) return -1; it = %s; %s o%d_set(&it, tag, key, rank, gone); %s;' % (
                    s.E, n, self.none, self.call('load', here, 'at'), kept, n, self.call('store', here, 'at', 'it'))
            else:
                write = '%s *at = o%d_at(l, tag); if (at == NULL) return -1; %s o%d_set(at, tag, key, rank, gone);' % (s.E, n, kept, n)
            self.function('change', 'int l, ' + self.VALUES, write + ' return 0;')
            for name, mine in (('rekey', 'rekey' if s.rank and not s.rank_is_key and keyed != 'rekey' else None), ('rekey_key', keyed)):
                if mine and self.has(mine):
                    handle = 'handle' in s.operations[mine].params[1][0]
                    given = [here, 'o%d_h[number]' % n if handle else 'at', 'old'][:len(s.operations[mine].params)]
                    self.function(name, 'int l, %s, int number' % self.VALUES, '%s (void)number; return (int)%s;' % (write, self.call(mine, *given)))
        if s.gone and not s.rank_is_gone:
            if s.rows:
                write = '%s it; size_t at = o%d_at(l, tag); if (at == %s) return -1; it = %s; o%d_set(&it, tag, key, rank, 1); %s;' % (
                    s.E, n, self.none, self.call('load', here, 'at'), n, self.call('store', here, 'at', 'it'))
            else:
                write = '%s *at = o%d_at(l, tag); if (at == NULL) return -1; o%d_set(at, tag, key, rank, 1);' % (s.E, n, n)
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
            self.function('find', 'int l, int key', 'return %s;' % tag(self.call('find', here, 'key')))
        if self.has('get') and not self.has('handle_of') and s.kind != 'rows':
            self.function('get', 'int l, int at', 'return %s;' % tag(self.call('get', here, 'at')))

    def _passing(self):
        s, n = self.s, self.s.number
        for name in ('begin', 'begin_backward'):
            if self.has(name):
                self.function(name, 'int l, int c', 'o%d_c[c] = %s; return 0;' % (n, self.call(name, '&o%d_l[l]' % n)))
        got = self.call('next', '&o%d_c[c]' % n)
        self.function('next', 'int l, int c', 'return o%d_tag_of_row(&o%d_l[l], %s);' % (n, n, got) if s.rows else '(void)l; return o%d_tag(%s);' % (n, got))
        for name in ('end', 'remove_current', 'was_changed'):
            self._status(name, 'int c', '&o%d_c[c]' % n)

    def _listing(self):
        """All tags, in order; nothing changes by that."""
        s, n = self.s, self.s.number
        here = '&o%d_l[l]' % n
        E = s.E
        if s.rows:
            body = ('size_t row, rows = %s; int found = 0;\n    for (row = 0; row < rows; row++) { if (%s) out[found++] = o%d_tag_of_row(%s, row); }\n    return found;'
                    % (self.call('rows', here), self.call('contains', here, 'row'), n, here))
        elif s.kind == 'pointer' and self.has('get') and not self.has('handle_of'):
            body = 'int i, found = 0;\n    for (i = 0; i < (int)%s; i++) out[found++] = o%d_tag(%s);\n    return found;' % (
                self.call('count', here), n, self.call('get', here, 'i'))
        elif s.kind == 'pointer' and self.has('next_of'):
            body = 'int found = 0; %s *e;\n    for (e = %s; e != NULL && found < %d; e = %s) out[found++] = o%d_tag(e);\n    return found;' % (
                E, self.call('first', here), TAGS, self.call('next_of', here, 'e'), n)
        elif s.kind == 'pointer' and s.key is not None:
            s.unlisted = s.walks = True
            s.blind = s.settings['iteration.cursors'] == 'one'
            body = '%s_cursor cursor = %s; %s *e; int found = 0;\n    while ((e = %s) != NULL && found < %d) out[found++] = o%d_tag(e);\n    %s; return found;' % (
                s.marked, self.call('begin', here), E, self.call('next', '&cursor'), TAGS, n, self.call('end', '&cursor'))
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
        self.function('close', 'void', '%s; %s; return 0;' % (self.call('deinit', '&o%d_l[0]' % n), self.call('deinit', '&o%d_l[1]' % n)))


UNUSED = ('index.seed', 'persist.save', 'persist.load', 'persist.upgrade')  # functions whose calls need nothing of ours
ALLOCATE = """
static void *o_alloc(size_t bytes) { return malloc(bytes); }
"""


def headers_of(path):
    """The texts of the headers beside a spec, where its elements are."""
    folder = os.path.dirname(path)
    texts = []
    for name in sorted(os.listdir(folder)):
        if name.endswith('.h'):
            with open(os.path.join(folder, name)) as stream:
                texts.append(stream.read())
    return '\n'.join(texts)


def prototypes_in(text, names):
    """What functions of ours take and return, by their declarations."""
    params, results = {}, {}
    for name in names:
        found = re.search(r'^((?:\w+ |\*)+)%s\(([^;{]*)\);' % re.escape(name), text, re.M)
        if found:
            results[name] = found.group(1).strip()
            params[name] = [re.sub(r'\w+$', '', each.strip()).strip() if each.strip() != 'void' else '' for each in found.group(2).split(',')]
    return params, results


def own_functions(plan):
    """Names of functions of ours that the container calls."""
    container = plan.container
    paths = ['hooks.' + kind for kind in HOOKS] + ['identity.key', 'sort.key', 'sort.less', 'removal.expired',
                                                   'allocator.alloc', 'allocator.realloc', 'allocator.free']
    container = Settings(container)
    named = [name for parts in plan.parts.indexes.named for name in (Settings(parts.container)[path] for path in ('identity.key', 'identity.equal', 'identity.hash'))]
    return [name for name in [container[path] for path in (*paths, *UNUSED)] + named if name and re.match(r'^\w+$', str(name))]


def allocators(container, params, results, defined, macros):
    lines = []
    container = Settings(container)
    names = [macros.get(container['allocator.' + each], container['allocator.' + each]) for each in ('alloc', 'realloc', 'free')]
    for role, name in zip(('alloc', 'realloc', 'free'), names):
        if name in params and name not in defined:
            defined.add(name)
            kinds = params[name]
            first = 1 if len(kinds) > (1 if role == 'alloc' else 2 if role == 'realloc' else 1) else 0
            body = {'alloc': 'return malloc(a%d);' % first, 'realloc': 'return realloc(a%d, a%d);' % (first, len(kinds) - 1), 'free': 'free(a%d);' % first}
            lines.append('%s %s(%s)\n{\n    %s\n}\n' % (results[name], name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(kinds)), body[role]))
    return lines


class Built:
    """A spec, generated, with the interface to each of its containers, compiled into one library."""

    def __init__(self, path, folder, only=None):
        self.left_out = {}
        spec = load_spec(path, Diagnostics())
        renderer = Renderer()
        plans = renderer.plans(spec)
        self.atomic = any(plan.container['threads.inbox'] for plan in plans)
        stem = os.path.splitext(os.path.basename(path))[0]
        for name, text in list(renderer.files(spec, '').items()) + [('bespoke.h', renderer.support())]:
            with open(os.path.join(folder, name), 'w') as stream:
                stream.write(text)
        headers = headers_of(path)
        with open(os.path.join(folder, stem + '.c')) as stream:
            source = stream.read()
        with open(os.path.join(folder, stem + '.h')) as stream:
            header = stream.read()
        names = set()
        for plan in plans:
            names.update(own_functions(plan))
        macros = dict(re.findall(r'^#define (\w+)\([^)]*\) .*?(\w+)\(', headers, re.M))
        names.update(macros[name] for name in list(names) if name in macros)
        params, results = prototypes_in(headers + '\n' + source, names)
        defined = set()
        texts, self.subjects = [], []
        for number, plan in enumerate(plans):
            container = plan.container
            name = str(plan.T)
            texts += allocators(container, params, results, defined, macros)
            try:
                if 'layer' in [param for operation in plan.operations for _, param in operation.params] or container['ordering'] == 'layered':
                    raise Unsupported('layers')
                subject = Subject(container, plan, number, headers)
                subject.prototypes, subject.results, subject.defined = params, results, defined
                subject.blind = subject.unlisted = subject.walks = False
                text = Adapter(subject).text()
                for hook in subject.hooks.values():
                    if (hook,) in defined:
                        raise Unsupported('a hook that several containers share')
                defined.update((hook,) for hook in subject.hooks.values())
                text += ''.join(rest_of(filter(None, map(subject.settings.__getitem__, UNUSED)), params, results, defined))
                subject.contract = contract_in(header, subject.T)
                texts.append(text)
                self.subjects.append(subject)
            except Unsupported as why:
                self.left_out[name] = str(why)
                texts += rest_of(own_functions(plan), params, results, defined)
        texts += ['void %s(const char *file, int line, const char *condition)\n{\n    (void)file, (void)line, (void)condition;\n    abort();\n}\n' % macros[name]
                  for name in {plan.container['emit.assert'] for plan in plans} if name in macros]
        self.spelled = Speller(plans).spell
        more = sorted(set('#include "%s"\n' % plan.container['element.defined_in'] for plan in plans if plan.container['element.defined_in']))
        text = (''.join(more) + '#include "%s.h"\n#include <stdlib.h>\n#include <string.h>\n\ntypedef void (*told_function)(int, int, int, int);\n'
                'static told_function told;\nstatic const char *said;\nvoid o_told(told_function f) { told = f; }\n'
                'const char *o_said(void) { return said; }\n%s\n' % (stem, TEXT)) + self.spelled('\n'.join(texts))
        with open(os.path.join(folder, stem + '_oracle.c'), 'w') as stream:
            stream.write(text)
        self.sources = [os.path.join(folder, stem + '.c'), os.path.join(folder, stem + '_oracle.c')]
        self.library = os.path.join(folder, stem + '.so')
        self.include = ['-I' + folder, '-I' + os.path.dirname(path)]

    def compile(self, compiler):
        if self.atomic and compiler[0] == 'tcc':  # which has no atomic operations
            compiler = ['cc', '-O0', '-std=c11']
        return subprocess.run(compiler + ['-shared', '-fPIC', '-w'] + self.include + self.sources + ['-o', self.library],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)


def rest_of(names, params, results, defined):
    """What the library needs beside that, so that it loads."""
    lines = []
    for name in names:
        if name in params and name not in defined and (name,) not in defined:
            defined.update([name, (name,)])
            body = 'return 0x5eed;' if params[name] == [''] else 'abort();'  # a seed is all that takes nothing
            lines.append('%s %s(%s)\n{\n    %s\n}\n' % (results[name], name, ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(params[name]) if kind), body))
    return lines


def contract_in(header, T):
    """What the header promises during a pass, as one line per promise."""
    found = re.search(r'^ \* %s: (?:(?!^ \*/).)*?^ \* During a pass:\n(.*?)^ \*\n' % re.escape(T), header, re.M | re.S)
    if found is None:
        raise Unsupported('its header states no contract')
    text = re.sub(r'^ \* ?', '', found.group(1), flags=re.M)
    return [' '.join(each.split()).replace(T, 'T') for each in re.split(r'^- ', text, flags=re.M) if each.strip()]
