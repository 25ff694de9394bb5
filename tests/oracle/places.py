"""Elements by their places: exchanged, replaced, removed in a row, asked for from the end. And addresses of what is no element."""

from calls import Calls, Frame
from model import Wrong

FOREIGN = 4  # kinds of addresses


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    here, at = '&o%d_l[l]' % n, 'o%d_at(l, %%s)' % n
    adapter._status('swap_places', 'int l, int a, int b', here, at % 'a', at % 'b')
    adapter._status('remove_range', 'int l, int index, int count', here, 'index', 'count')
    make, it = adapter._new()
    if adapter.has('replace_at'):
        adapter.function('replace_at', 'int l, int index, ' + adapter.VALUES, '%s\n    return (int)%s;' % (make, adapter.call('replace_at', here, 'index', it)))
    if adapter.has('get_back'):
        got = adapter.call('get_back', here, 'at')
        adapter.function('get_back', 'int l, int at', 'return %s;' % ('o%d_tag_of_row(%s, %s)' % (n, here, got) if s.rows else 'o%d_tag(%s)' % (n, got)))
    for name in ('add', 'insert_before', 'insert_after', 'add_child'):
        for what in ('get', 'handle'):
            if adapter.has('%s_%s' % (name, what)):
                _returns(adapter, name, what, make, it)
    if s.kind == 'value' and s.settings['identity.by'] == 'address':
        _foreign(adapter)


def _returns(adapter, name, what, make, it):
    """An add that gives what it added, too: a tag, or a handle, which is kept under a number."""
    s, n, full = adapter.s, adapter.s.number, '%s_%s' % (name, what)
    params = [param for _, param in s.operations[full].params]
    if 'added' not in params:
        return  # where none fails it returns that
    given = {'list': '&o%d_l[l]' % n, 'element': it, 'added': '&added'}
    at = next((param for param in params if param not in given), None)
    given[at] = 'at == 0 ? %s : o%d_at(l, at)' % (adapter.none, n)
    call = adapter.call(full, *[given[param] for param in params])
    more = ', int at' if at else ''
    if what == 'handle':
        adapter.function(full, 'int l, %s%s, int number' % (adapter.VALUES, more),
                         '%s\n    %s added; int status; memset(&added, 0, sizeof added); status = (int)%s; o%d_h[number] = added; return status;' % (make, s.names.handle, call, n))
    else:
        tag = 'o%d_tag_of_row(&o%d_l[l], added)' % (n, n) if s.rows else 'o%d_tag(added)' % n
        adapter.function(full, 'int l, %s%s, int *given' % (adapter.VALUES, more), '%s\n    %s added = %s; int status = (int)%s; *given = %s; return status;' % (
            make, adapter.ref, adapter.none, call, tag))


def _foreign(adapter):
    """Calls with addresses that no element has; none may read what is there."""
    s, n, E = adapter.s, adapter.s.number, adapter.s.E
    adapter.put('static %s *o%d_foreign(int l, int tag, int kind)\n{\n    static %s lone;\n    %s *e = o%d_at(l, tag);\n'
                '    if (kind == 0) return (%s *)((uintptr_t)e + ((uintptr_t)sizeof *e << 32));\n    if (kind == 1) return (%s *)((uintptr_t)e + ((uintptr_t)1 << 32));\n'
                '    if (kind == 2 && sizeof *e > 1) return (%s *)(void *)((char *)e + 1);\n    return &lone;\n}\n' % (E, n, E, E, n, E, E, E))
    here, it = '&o%d_l[l]' % n, 'o%d_foreign(l, tag, kind)' % n
    for name in ('contains', 'remove', 'move_to_back', 'move_to_front', 'rekey'):
        if adapter.has(name) and '*' in s.operations[name].params[1][0]:
            adapter.function('foreign_' + name, 'int l, int tag, int kind', 'return (int)%s;' % adapter.call(name, here, it))
    for name in ('next_of', 'previous_of'):
        if adapter.has(name):
            adapter.function('foreign_' + name, 'int l, int tag, int kind', 'return %s != NULL;' % adapter.call(name, here, it))
    if adapter.has('handle_of'):
        adapter.function('foreign_handle_of', 'int l, int tag, int kind',
                         '%s no, h = %s; memset(&no, 0, sizeof no); return memcmp(&no, &h, sizeof h) != 0;' % (s.names.handle, adapter.call('handle_of', here, it)))


class Places(Calls):
    """Calls that name places."""

    def do_swap_places(self):
        m = self.model
        if not self.has('swap_places') or len(m.order) < 1 or self.blind_now() or m.locked():
            return
        if self.live() and self.c['iteration.removes'] == 'current':
            return
        a, b = self.some(), self.some()
        if self.random.random() < .4 and m.ordered:  # neighbours
            b = m.order[max(0, m.order.index(a) - 1)]
        if any(each in frame.victims for frame in self.frames for each in (a, b)) or self.s.walks and (a.gone or b.gone):
            return
        if self.frames and self.model.clears:
            return  # what has still to be removed would come behind what stays
        self.expect('swap_places', self.named(self.during(Frame(), 'swap_places', 0, a.tag, b.tag)), 'OK')
        if a is b:
            for each in m.passes:
                each.uncertain_end = each.uncertain_end or m.fails_fast
            return
        m.exchange(a, b)
        self.moved_in_frames(a, b, behind=True)

    def do_replace_at(self):
        m, s = self.model, self.s
        if not self.has('replace_at') or m.locked() or self.frames or (not m.ordered or m.resorts) and not self.has('get') or self.blind_now():
            return
        at, tag = self.random.randint(0, len(m.order)), self.fresh()
        if tag is None or self.live() and self.c['iteration.removes'] == 'current':
            return
        key, rank = self.values(tag)
        element = m.make(tag, key, self.ranked(rank))
        element.written, element.values = rank, self.index_values(tag)
        old = None
        if at < len(m.order):
            old = m.order[at] if m.ordered and not m.resorts else m.find(self.call('get', 0, at))
            if old is None:
                raise Wrong('index %d has an element that is not in it' % at)
        equal = m.unique and s.key is not None and any(each.key == key for each in m.order if each is not old)
        wanted = 'ABSENT' if old is None else 'DUPLICATE' if equal or self.taken_but(m, element, old) else 'OK'
        got, log = self.quietly('replace_at', 0, at, tag, key, rank, 0)
        if old is None and equal:
            wanted = {'ABSENT', 'DUPLICATE'}
        elif old is not None and not self.fits(m, element, [old]):
            wanted = {'FULL', wanted} - {'OK'}
        self.expect('replace_at', self.named(got), wanted)
        if self.named(got) != 'OK':
            self.hooks_ran('replace_at', log, [])
            return
        self.hooks_ran('replace_at', log, [('add', tag), ('remove', old.tag), ('destroy', old.tag)])
        m.replace(old, element)
        self.note(element)

    def do_remove_range(self):
        m = self.model
        if not self.has('remove_range') or not self.may_remove() or m.locked() or self.frames or not m.ordered or m.resorts:
            return
        at, count = self.random.randint(0, len(m.order)), self.random.randint(0, 4)
        got, log = self.quietly('remove_range', 0, at, count)
        self.expect('remove_range(%d, %d) of %d' % (at, count, len(m.order)), self.named(got), 'ABSENT' if at + count > len(m.order) else 'OK')
        gone = m.order[at:at + count] if self.named(got) == 'OK' else []
        for each in gone:
            m.leave(each)
        self.hooks_ran('remove_range', log, [(hook, each.tag) for each in gone for hook in ('remove', 'destroy')])
        for each in m.passes:
            each.uncertain_end = each.uncertain_end or m.fails_fast and not gone

    def do_foreign(self):
        """No element has these addresses: nothing happens."""
        element, kind = self.some(), self.random.randrange(FOREIGN)
        if element is None or self.blind_now() or self.frames or self.s.walks and element.gone:
            return
        for name, wanted in (('contains', 0), ('next_of', 0), ('previous_of', 0), ('handle_of', 0)):
            if self.has('foreign_' + name):
                self.expect('%s an address that no element has' % name, self.call('foreign_' + name, 0, element.tag, kind), wanted)
        if self.model.locked() or self.live() or self.model.fails_fast:
            return
        for name in ('remove', 'move_to_back', 'move_to_front', 'rekey'):
            if self.has('foreign_' + name):
                self.expect('%s of an address that no element has' % name, self.named(self.during(Frame(), 'foreign_' + name, 0, element.tag, kind)), 'ABSENT')
