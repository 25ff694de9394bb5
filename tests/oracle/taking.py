"""Elements that are handed over, what is found or added, and removals by what a function of the caller's says: T_take, T_pop_if,
T_find_or_add, T_remove_if, as their headers state them."""

import ctypes

from calls import Calls, Frame

TEXT = """struct o_asked { const int *yes; int times[101]; };
"""


def text_of(adapter):
    s, n, here = adapter.s, adapter.s.number, '&o%d_l[l]' % adapter.s.number
    pointer = s.kind == 'pointer'
    kind = '%s *' % s.E if pointer else s.E + ' '
    taken = 'o%d_tag(it)' % n if pointer else 'o%d_tag(&it)' % n

    def takes(name, params, *given):
        adapter.function(name, params + ', int *tag', '%sit; int status; memset(&it, 0, sizeof it); status = (int)%s; *tag = %s; return status;' % (
            kind, adapter.call(name, *given, '&it'), taken if not pointer else 'it == NULL ? 0 : ' + taken))
    if adapter.has('take'):
        if 'handle' in s.operations['take'].params[1][1]:
            takes('take', 'int l, int which', here, 'o%d_h[which]' % n)
        else:
            takes('take', 'int l, int which', here, 'o%d_at(l, which)' % n)
    for name in ('take_at', 'take_key'):
        if adapter.has(name):
            takes(name, 'int l, int which', here, *(adapter.key('which') if name == 'take_key' else ['which']))
    if adapter.has('take_current'):
        takes('take_current', 'int c', '&o%d_c[c]' % n)
    if adapter.has('pop_if') or adapter.has('remove_if'):
        adapter.put('static bool o%d_asked(const %s *e, void *context)\n{\n    struct o_asked *asked = (struct o_asked *)context;\n'
                    '    asked->times[o%d_tag(e)]++;\n    return asked->yes[o%d_tag(e)] != 0;\n}\n' % (n, s.E, n, n))
    if adapter.has('pop_if'):
        takes('pop_if', 'int l, const int *yes, int *times', here, 'o%d_asked' % n, '&asked')
        _asks(adapter)
    if adapter.has('remove_if'):
        adapter.function('remove_if', 'int l, const int *yes, int *times, int *removed', '%s count = 0; int status = (int)%s; *removed = (int)count; return status;' % (
            s.size, adapter.call('remove_if', here, 'o%d_asked' % n, '&asked', '&count')))
        _asks(adapter)
    if adapter.has('find_or_add'):
        make, it = adapter._new()
        ref = adapter.ref + ' ' * (not adapter.ref.endswith('*'))
        tag = 'o%d_tag_of_row(&o%d_l[l], found)' % (n, n) if s.rows else 'o%d_tag(found)' % n
        adapter.function('find_or_add', 'int l, %s, int *given' % adapter.VALUES, '%s\n    %sfound = %s; int status = (int)%s; *given = %s; return status;' % (
            make, ref, adapter.none, adapter.call('find_or_add', here, it, '&found'), tag))


def _asks(adapter):
    """The function of the caller's has its answers, and counts its calls."""
    adapter.lines[-1] = adapter.lines[-1].replace('{\n', '{\n    struct o_asked asked; memset(&asked, 0, sizeof asked); asked.yes = yes;\n', 1).replace(
        'return status;', 'memcpy(times, asked.times, sizeof asked.times); return status;')


class Taking(Calls):
    """Removals that hand over, ask, or go with a search."""

    def do_take(self):
        m = self.model
        names = [each for each in ('take', 'take_at', 'take_key', 'take_current') if self.has(each)]
        if not names or not m.order or self.blind_now() or m.locked() or m.ordering == 'tree':
            return
        name, tag = self.random.choice(names), ctypes.c_int(0)
        if name == 'take_current':
            return self.take_current(tag)
        element = self.some()
        if not self.may_remove() or self.twin(element) and name != 'take_at' or self.s.walks and element.gone:
            return
        which = element.key if name == 'take_key' else element.tag
        if name == 'take_at':
            if (not m.ordered or m.resorts) and not self.has('get'):
                return
            which = self.random.randint(0, len(m.order))
            element = None if which == len(m.order) else m.order[which] if m.ordered and not m.resorts else m.find(self.call('get', 0, which))
            if element is None:
                self.expect(name, self.named(self.during(Frame(), name, 0, which, ctypes.byref(tag))), 'ABSENT')
                self.expect('what was taken', tag.value, 0)
                return
        elif name == 'take' and 'handle' in self.s.operations['take'].params[1][1]:
            if not hasattr(element, 'handle'):
                return
            which = element.handle
        if any(element in frame.victims for frame in self.frames):
            return
        self.hand_over(element, tag, name, 0, which)

    def take_current(self, tag):
        numbers = [number for number, each in enumerate(self.slots) if each is not None and each.live and not each.busy and each in self.model.passes
                   and not each.moved and not each.changed and each.current is not None]
        if numbers:
            number = self.random.choice(numbers)
            a_pass = self.slots[number]
            a_pass.busy = True
            self.hand_over(a_pass.current, tag, 'take_current', number)
            a_pass.busy = False

    def hand_over(self, element, tag, name, *given):
        """The destroy hook is not called."""
        frame = Frame(victims=[element])
        self.expect(name, self.named(self.during(frame, name, *given, ctypes.byref(tag))), 'OK')
        self.expect('what %s gave' % name, tag.value, element.tag)
        self.done(frame, given_away=True)

    def do_pop_if(self):
        m = self.model
        if not self.has('pop_if') or not self.may_remove() or m.locked() or self.frames or m.resorts:
            return
        first = m.order[0] if m.order else None
        if m.ordering == 'heap' and m.order:
            first = m.find(self.call('first', 0)) if self.has('first') else None
            if first is None:
                return
        yes, times, tag = (ctypes.c_int * 101)(), (ctypes.c_int * 101)(), ctypes.c_int(0)
        due = first is not None and self.random.random() < .6
        if first is not None:
            yes[first.tag] = due
        frame = Frame(victims=[first] if due else [])
        self.expect('pop_if', self.named(self.during(frame, 'pop_if', 0, yes, times, ctypes.byref(tag))), 'OK' if due else 'ABSENT')
        self.expect('what pop_if asked for', [at for at in range(101) if times[at]], [first.tag] if first is not None else [])
        self.expect('what pop_if gave', tag.value, first.tag if due else 0)
        self.done(frame, given_away=True)

    def do_remove_if(self):
        m = self.model
        if not self.has('remove_if') or not self.may_remove() or m.locked() or self.frames or self.one and self.live() \
                or self.records() + self.lent() >= min(self.limit, 7) or any(each.gone for each in m.order):
            return
        m.sort_at_begin()
        yes, times, count = (ctypes.c_int * 101)(), (ctypes.c_int * 101)(), ctypes.c_int(0)
        for tag in range(101):
            yes[tag] = self.random.random() < .3
        got, log = self.quietly('remove_if', 0, yes, times, ctypes.byref(count))
        self.expect('remove_if', self.named(got), 'OK')
        matched = [each for each in m.order if yes[each.tag]]
        gone = [each for each in m.order if any(each in m.subtree(root) for root in matched)]
        asked = {each.tag: times[each.tag] for each in m.order}
        hidden = {each.tag for each in gone if each.parent is not None and each.parent in gone}  # it may have gone with its parent
        self.expect('what remove_if asked for', {tag: number for tag, number in asked.items() if tag not in hidden or number},
                    {tag: 1 for tag in asked if tag not in hidden or asked[tag]})
        self.hooks_ran('remove_if', log, [(hook, each.tag) for each in gone for hook in ('remove', 'destroy')])
        for each in reversed(gone):
            m.leave(each)
        for each in m.passes:
            each.uncertain_end = each.uncertain_end or m.fails_fast and not gone
        self.expect('how many remove_if removed', count.value, {len(gone), len([each for each in matched if each.tag not in hidden])})

    def do_find_or_add(self):
        m, s = self.model, self.s
        if not self.has('find_or_add') or self.frames or m.locked() or self.blind_now():
            return
        tag = self.fresh()
        if tag is None or len(m.order) >= 20:
            return
        key, rank = self.values(tag)
        if m.order and self.random.random() < .4 and not s.key_is_tag and s.key is not None:
            key = self.random.choice(m.order).key
            rank = key if s.rank_is_key else rank
        element = m.make(tag, key, self.ranked(rank))
        element.written, element.values = rank, self.index_values(tag)
        same = [each for each in m.order if (each.key == key if s.key is not None else each.tag == tag)]
        found = ctypes.c_int(0)
        got, log = self.quietly('find_or_add', 0, tag, key, rank, 0, ctypes.byref(found))
        if same:
            self.expect('find_or_add', self.named(got), 'DUPLICATE')
            self.expect('what find_or_add found', found.value, {each.tag for each in same})
            self.hooks_ran('find_or_add', log, [])
            return
        status, victims = self.offer(m, element)
        self.expect('find_or_add', self.named(got), status)
        self.expect('what find_or_add added', found.value, tag if status == 'OK' else 0)
        self.hooks_ran('find_or_add', log, [] if status != 'OK' else [('add', tag)] + [(hook, each.tag) for each in victims for hook in ('remove', 'destroy')])
        self.note(element)
