"""Passes that begin at an element, or behind another pass; what a pass stands on. docs/contract.md: "Begin anywhere, and pairs"."""

from calls import Calls

WAYS = ('at', 'at_index', 'at_key')


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    here, cursor = '&o%d_l[l]' % n, 'o%d_c[c]' % n
    for begins in ('begin', 'begin_backward'):
        for way, given in zip(WAYS, (['o%d_at(l, which)' % n], ['which'], adapter.key('which'))):
            name = '%s_%s' % (begins, way)
            if adapter.has(name) and not (way == 'at' and 'handle' in s.operations[name].params[1][0]):
                adapter.function(name, 'int l, int c, int which', '%s = %s; return 0;' % (cursor, adapter.call(name, here, *given)))
    if adapter.has('begin_after'):
        adapter.function('begin_after', 'int c, int other', '%s = %s; return 0;' % (cursor, adapter.call('begin_after', '&o%d_c[other]' % n)))
    if adapter.has('current'):
        got = adapter.call('current', '&' + cursor)
        adapter.function('current', 'int l, int c',
                         'return o%d_tag_of_row(%s, %s);' % (n, here, got) if s.rows else '(void)l; return o%d_tag(%s);' % (n, got))


class Anywhere(Calls):
    """What a pass that has begun elsewhere has still to visit, and what any stands on."""

    def free_slot(self):
        free = [number for number, each in enumerate(self.slots) if each is None]
        return free[0] if free and self.records() + self.lent() < self.limit and not self.frames and not (self.one and self.live()) else None

    def do_begin_at(self):
        m = self.model
        number = self.free_slot()
        names = [each for each in self.s.operations if each.startswith(('begin_at', 'begin_backward_at'))
                 and not (each.endswith('_at') and 'handle' in self.s.operations[each].params[1][0])]
        if number is None or not names or not m.ordered or self.blind_now():
            return  # what comes behind an element is not said where there is no order
        name = self.random.choice(names)
        backward = 'backward' in name or self.c['iteration.direction'] == 'backward'
        element = self.some()
        if name.endswith('_key') and not m.unique:
            return
        if name.endswith('_index'):
            index = self.random.randint(0, len(m.order))
            element, which = (m.order[index], index) if index < len(m.order) else (None, index)
        elif element is None:
            return
        else:
            which = element.key if name.endswith('_key') else element.tag
        self.call(name, 0, number, which)
        self.slots[number] = m.begin_at(element, backward)
        self.do_current()

    def do_begin_after(self):
        m = self.model
        number = self.free_slot()
        others = [each for each, a_pass in enumerate(self.slots) if a_pass is not None and a_pass.live and not a_pass.busy and not a_pass.changed
                  and not a_pass.uncertain_end]
        if number is None or not others:
            return
        other = self.random.choice(others)
        self.call('begin_after', number, other)
        self.slots[number] = m.begin_after(self.slots[other])
        self.do_current()

    def do_current(self):
        """Also when it has another address; and none before the first step."""
        if not self.has('current'):
            return
        for number, a_pass in enumerate(self.slots):
            if a_pass is not None and a_pass.live and not a_pass.busy and not self.model.passes_lock and not a_pass.changed \
                    and not a_pass.uncertain_end:
                wanted = a_pass.current.tag if a_pass.current is not None else 0
                self.expect('what the pass %d stands on' % number, self.call('current', 0, number), wanted)
