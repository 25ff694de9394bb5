"""Elements that are their own slots: sets of numbers, and tables by id. docs/contract.md: "Sets of numbers".

Which number a tag of a set stands for is said in subject.py: not all of them are in one word of bits.
"""

import ctypes

from calls import MOST
from model import Model, Pass
from taking import Taking

SETS = ('unite', 'intersect', 'subtract')


class ByNumber(Pass):
    """All that it knows is the number that it has visited last."""

    def __init__(self, model, backward):
        super().__init__(model, backward)
        self.last, self.stood = 1 << 40 if backward else -1, False

    def entered(self, model, index, element, side):
        if self.stood and element.key == self.last:
            self.current = element  # it stands on it again

    def left(self, index, element):
        if self.current is element:
            self.current = None

    def replaced(self, old, new):
        if self.current is old:
            self.current = new

    def line(self, model):
        return [each for each in reversed(model.order) if each.key < self.last] if self.backward \
            else [each for each in model.order if each.key > self.last]

    def visit(self, model, element):
        self.current, self.last, self.stood = element, element.key, True


class Numbers(Model):
    """A container whose order is that of its slots."""

    kind = ByNumber

    def __init__(self, settings, contract):
        super().__init__(settings, contract)
        self.ordered = self.positions = True
        self.sorts, self.maximum = False, None
        self.below = 100 if settings['capacity.max'] == 'run_time' else settings['capacity.max']  # which each number is

    def place(self, element):
        return next((index for index, each in enumerate(self.order) if each.key > element.key), len(self.order))

    def floor(self):
        return 0

    def begin_at(self, element, backward):
        started = self.begin(backward)
        started.last = element.key + 1 if backward else element.key - 1
        return started

    def begin_after(self, other):
        started = self.begin(other.backward)
        started.last = other.last
        return started


def text_of(adapter):
    s, here = adapter.s, '&o%d_l[l]' % adapter.s.number
    for name in ('next_after', 'previous_before'):
        if adapter.has(name):
            got = adapter.call(name, here, 'number')
            adapter.function(name, 'int l, int number', 'return %s;' % (
                'o%d_tag_of_row(%s, %s)' % (s.number, here, got) if s.rows else 'o%d_tag(%s)' % (s.number, got)))
    for name in SETS:
        if adapter.has(name):
            adapter._status(name, 'int l', here, '&o%d_l[1]' % s.number)
    if s.numbers:
        adapter.function('remove_number', 'int l, int number', 'return (int)%s;' % adapter.call('remove', here, 'number'))


class Numbered(Taking):
    """What goes by numbers: a part of `Run`."""

    def a_model(self):
        return (Numbers if self.s.slots else Model)(self.c, self.s.contract)

    def a_key(self):
        """One that an element may have."""
        tag = self.random.randint(1, MOST)
        return tag if self.s.numbers or not self.s.slots else self.s.number_of(tag)

    def do_neighbour(self):
        """The next one of a number that need not be in it."""
        m, s = self.model, self.s
        number = self.random.randint(0, MOST * s.apart + 70)
        numbers = [(s.number_of(each.key) if s.numbers else each.key, each.tag) for each in m.order]
        after = [tag for other, tag in numbers if other > number]
        before = [tag for other, tag in numbers if other < number]
        self.expect('next_after %d' % number, self.call('next_after', 0, number), after[0] if after else 0)
        self.expect('previous_before %d' % number, self.call('previous_before', 0, number), before[-1] if before else 0)

    def do_remove_number(self):
        """One that is in no set."""
        if self.may_remove() and not self.frames:
            number = self.s.number_of(self.random.randint(0, MOST) // 2 * 2) + 2 if self.s.apart > 1 else 99
            self.expect('remove_number %d' % number, self.named(self.call('remove_number', 0, number)), 'ABSENT')

    def do_set(self):
        """Two sets."""
        m = self.model
        name = self.random.choice(SETS)
        if self.frames or not self.has(name) or name != 'unite' and not self.may_remove():
            return
        other = self.a_model()
        for tag in self.random.sample(range(1, MOST + 1), self.random.randint(0, 8)) + [each.tag for each in m.order if self.random.random() < .4]:
            if other.find(tag) is None:
                element = other.make(tag, tag, 0)
                element.written = 0
                if self.fits(other, element):
                    self.expect('add to the other', self.status('add', 1, tag, tag, 0, 0), 'OK')
                    other.enter(element, other.place(element))
        self.expect(name, self.named(self.call(name, 0)), 'OK')
        theirs = [each.tag for each in other.order]
        for each in [each for each in m.order if name == 'intersect' and each.tag not in theirs or name == 'subtract' and each.tag in theirs]:
            m.leave(each)
        for tag in [tag for tag in theirs if name == 'unite' and m.find(tag) is None]:
            element = m.make(tag, tag, 0)
            element.written, element.values = 0, {}
            m.enter(element, m.place(element))
        m.touched()
        out = (ctypes.c_int * 101)()
        self.expect('the other one', list(out[:self.call('list', 1, out)]), theirs)
        self.call('clear', 1)
