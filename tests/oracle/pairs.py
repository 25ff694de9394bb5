"""Pairs of elements, and readers. docs/contract.md: "Begin anywhere, and pairs", "Readers"."""

import ctypes

from calls import Calls, Frame
from model import Pass, Wrong

READERS = 4  # at once
STARTS = ('begin_const', 'begin_backward_const')


def text_of(adapter):
    s, n, ref = adapter.s, adapter.s.number, adapter.ref + ' ' * (not adapter.ref.endswith('*'))

    def tag(got):
        return 'o%d_tag_of_row(&o%d_l[l], %s)' % (n, n, got) if s.rows else 'o%d_tag(%s)' % (n, got)
    if adapter.has('next_pair'):
        adapter.put('static %so%d_a[16];\nstatic %so%d_b[16];' % (ref, n, ref, n))
        adapter.function('begin_pairs', 'int l, int c, int d', 'o%d_c[c] = %s; memset(&o%d_c[d], 0, sizeof o%d_c[d]); return 0;' % (
            n, adapter.call('begin', '&o%d_l[l]' % n), n, n))
        adapter.function('next_pair', 'int l, int c, int d, int *a, int *b', '(void)l; if (!%s) return 0;\n    *a = %s; *b = %s; return 1;' % (
            adapter.call('next_pair', '&o%d_c[c]' % n, '&o%d_a[c]' % n, '&o%d_c[d]' % n, '&o%d_b[c]' % n), tag('o%d_a[c]' % n), tag('o%d_b[c]' % n)))
    if adapter.has('next_const'):
        adapter.put('static %s o%d_r[%d];' % (s.names.const_cursor, n, READERS))
        for name in STARTS:
            if adapter.has(name):
                adapter.function(name, 'int l, int r', 'o%d_r[r] = %s; return 0;' % (n, adapter.call(name, '&o%d_l[l]' % n)))
        adapter.function('next_const', 'int l, int r', '(void)l; return %s;' % tag(adapter.call('next_const', '&o%d_r[r]' % n)))
        adapter.function('was_changed_const', 'int r', 'return (int)%s;' % adapter.call('was_changed_const', '&o%d_r[r]' % n))


class Reader:
    """What is there when it begins; a change ends it."""

    def __init__(self, model, backward):
        self.version, self.backward, self.tree = model.changes, backward, model.ordering == 'tree'
        self.todo = model.order[::-1] if backward else list(model.order)

    def ahead(self, ordered):
        there, expired = [], None
        for each in self.todo:
            up = each.line_up()
            if self.tree and not self.backward:  # behind the descendants of what it reaches after that has expired
                expired = each if each.flag and expired not in up else expired
                gone = expired in up
            else:
                gone = each.gone
            there += [each] * (not gone)
        return there[:1] if ordered else there

    def visit(self, element):
        place = self.todo.index(element)
        self.todo[:place + 1] = [] if self.tree else [each for each in self.todo[:place] if not each.flag]


class Pairs(Calls):
    """Loops over pairs, of two passes each, and readers."""

    def __init__(self, *given):
        super().__init__(*given)
        self.pairs, self.readers = [], [None] * READERS

    def lent(self):
        """Passes that loops over pairs have not begun yet."""
        return sum(self.slots[inner] is None or not self.slots[inner].live for _, inner in self.pairs)

    def do_begin_pairs(self):
        m = self.model
        free = [number for number, each in enumerate(self.slots) if each is None]
        if len(free) < 2 or self.records() + self.lent() + 2 > self.limit or self.frames or m.reach_removes or self.pairs[1:]:
            return
        self.call('begin_pairs', 0, *free[:2])
        outer = m.begin(self.c['iteration.direction'] == 'backward')
        inner = Pass(m, outer.backward)
        inner.live = False
        outer.paired = inner.paired = True
        self.slots[free[0]], self.slots[free[1]] = outer, inner
        self.pairs.append(tuple(free[:2]))

    def do_next_pair(self):
        if not self.pairs:
            return
        m, pair = self.model, self.random.choice(self.pairs)
        outer, inner = self.slots[pair[0]], self.slots[pair[1]]
        if outer.busy or inner.busy or self.counted and self.records() - self.records_of(inner) * inner.live + self.records_of(outer) > self.limit:
            return  # the next inner pass may find no record
        a, b, frame = ctypes.c_int(0), ctypes.c_int(0), Frame()
        frame.quiet = m.passes_lock and m.locks == 0 and not m.scans and set(m.passes) <= {outer, inner}
        got = self.during(frame, 'next_pair', 0, *pair, ctypes.byref(a), ctypes.byref(b))
        if (outer.changed or outer.uncertain_end or inner.live and (inner.changed or inner.uncertain_end)) and not got:
            return self.end_of_pairs(pair, frame)
        if outer.changed or not got and self.has_pair(outer, inner):
            raise Wrong('the loop over pairs gives %s, and %s' % ((a.value, b.value) if got else 'none', 'a change has ended it' if outer.changed else 'there is one'))
        if not got:
            return self.end_of_pairs(pair, frame)
        if inner.live and (self.over(outer) or not inner.ahead(m)):
            m.end(inner)
        while not inner.live:  # an element of which there is no pair is gone by
            found = outer.ahead(m)
            one = found[0][0] if found and m.ordered else next((each for each, _ in found if each.tag == a.value), None)
            if one is None:
                raise Wrong('the loop over pairs gives %d and %d, and its turn is at one of %r' % (a.value, b.value, [each for each, _ in found]))
            outer.visit(m, one)
            outer.moved, outer.begun = False, True
            inner = m.begin_after(outer)
            inner.paired, self.slots[pair[1]] = True, inner
            if not inner.ahead(m):
                m.end(inner)
        other = next((each for each, _ in inner.ahead(m) if each.tag == b.value), None)
        if outer.current.tag != a.value or other is None:
            raise Wrong('the loop over pairs gives %d and %d, not %r and one of %r' % (a.value, b.value, outer.current, [each for each, _ in inner.ahead(m)]))
        inner.visit(m, other)
        inner.moved, inner.begun = False, True

    @staticmethod
    def over(outer):
        """Has what it stands on no further pairs?"""
        return outer.current is None or outer.moved or outer.current.gone

    def has_pair(self, outer, inner):
        """Is there one more?"""
        m = self.model
        if inner.live and not self.over(outer) and inner.ahead(m):
            return True
        if not m.ordered:
            return len(outer.ahead(m)) > 1
        return sum(outer.may(each) and not each.gone for each in outer.line(m)) > 1

    def end_of_pairs(self, pair, frame):
        outer, inner = self.slots[pair[0]], self.slots[pair[1]]
        self.pairs.remove(pair)
        self.slots[pair[0]] = self.slots[pair[1]] = None
        self.model.end(inner)
        self.model.end(outer)
        self.release(frame)

    def do_end_pairs(self):
        if not self.pairs or self.frames:
            return
        m, pair = self.model, self.random.choice(self.pairs)
        outer, inner = self.slots[pair[0]], self.slots[pair[1]]
        frame = Frame()
        frame.quiet = m.passes_lock and m.locks == 0 and not m.scans and set(m.passes) <= {outer, inner}
        self.during(frame, 'end', pair[1])
        self.during(frame, 'end', pair[0])
        self.end_of_pairs(pair, frame)

    # -- readers --

    def do_read(self):
        m = self.model
        if self.frames or not self.has('next_const'):
            return
        number = self.random.randrange(READERS)
        reader = self.readers[number]
        if reader is None or self.random.random() < .1:  # any may be left
            name = self.random.choice([each for each in STARTS if self.has(each)])
            self.call(name, 0, number)
            self.readers[number] = reader = Reader(m, 'backward' in name or self.c['iteration.direction'] == 'backward')
            self.certain.add(reader)
        for _ in range(self.random.randint(0, 4)):
            ahead = reader.ahead(m.ordered and not m.resorts)
            got = self.call('next_const', 0, number)
            if reader.version != m.changes:
                self.expect('next_const after a change', got, 0)
                self.expect('was_changed_const', self.call('was_changed_const', number), 1)
            elif got == 0:
                changed = self.call('was_changed_const', number)
                if ahead and (not changed or reader in self.certain):
                    raise Wrong('the reader %d ends, and %r has not been visited; was_changed_const: %d' % (number, ahead, changed))
            found = next((each for each in ahead if each.tag == got), None)
            if got == 0:
                self.readers[number] = None
                return
            if found is None:
                raise Wrong('the reader %d visits %d, not one of %r' % (number, got, ahead))
            reader.visit(found)
