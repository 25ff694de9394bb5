"""Containers in layers: passes over all that are enabled, or visible, and what goes from one layer to another. docs/contract.md: "Layers".

Each layer has a model of its own. What else a layer can do by itself is that of any container, which others here try.
"""

import ctypes
import random

from adapter import STORED
from calls import MOST, REASONS, TOLD, shown, why_of
from generator.language.strategies import passes_grow
from layers import BEGINS
from model import Model, Wrong
from numbers_of_slots import Numbers
from pairs import Reader
from subject import HOOKS


class Walk:
    """A pass, or a reader, over layers: the layer that it is in, and what it has still to visit there."""

    def __init__(self, layers, way, begin):
        self.layers, self.begin, self.inner = layers, begin, None
        self.uncertain = False  # a reader that may have been ended by what need not have been a change
        self.backward = 'backward' in way or layers.backward
        self.open = layers.visible if 'visible' in way else layers.enabled
        self.at = len(layers.models) if self.backward else -1
        self.onward()

    def onward(self):
        """Whether a layer takes part is read when it reaches it."""
        layers = range(self.at - 1, -1, -1) if self.backward else range(self.at + 1, len(self.layers.models))
        self.at = next((each for each in layers if self.open[each]), None)
        self.inner = None if self.at is None else self.begin(self.layers.models[self.at], self.backward)

    def after(self):
        """A pass of what it has still to visit."""
        walk = Walk.__new__(Walk)
        walk.__dict__.update(self.__dict__)
        walk.inner = self.model.begin_after(self.inner)
        return walk

    @property
    def model(self):
        return self.layers.models[self.at]


class Layers:
    """The models of all layers, how their calls are made, and what those must report."""

    def __init__(self, subject, library, seed, steps):
        self.s, self.library, self.steps = subject, library, steps
        self.random = random.Random('%s %d' % (subject.T, seed))
        self.c = c = subject.settings
        self.models = [(Numbers if subject.slots else Model)(c, subject.contract) for _ in range(subject.layers)]
        for each in self.models:
            each.down = subject.down
        self.enabled, self.visible = [[True] * subject.layers for _ in range(2)]
        self.eighths = [8] * subject.layers  # of a second in each second
        self.backward = c['iteration.direction'] == 'backward'
        self.one, self.current_only = c['iteration.cursors'] == 'one', c['iteration.removes'] == 'current'
        self.waits = self.models[0].deferred
        grows = passes_grow(c.container) or self.models[0].fails_fast or subject.slots
        self.most = 1 if self.one else 6 if grows else min(6, c['iteration.passes'] - 1)  # live passes; and one more for an update
        self.walks, self.readers, self.pair = [None] * 16, [None] * 4, None
        self.trace, self.log, self.wanted, self.updated = [], [], [], []
        self.by_number = []  # elements, by the number of the handle that was kept of each
        # What is told, if each function is told of one thing.
        self.hooked = subject.hooks if len(set(subject.hooks.values())) == len(subject.hooks) else {}
        self.told = TOLD(self.heard)

    def has(self, name):
        return hasattr(self.library, 'o%d_%s' % (self.s.number, name))

    def call(self, name, *given):
        self.trace.append('%s(%s)' % (name, ', '.join(map(shown, given))))
        self.made = name.replace('all_', '')
        return getattr(self.library, 'o%d_%s' % (self.s.number, name))(*given)

    def status(self, name, *given):
        number = self.call(name, *given)
        return self.s.statuses.get(number, 'OK' if number == 0 else 'status %d' % number)

    def expect(self, what, got, wanted):
        if got not in wanted if isinstance(wanted, set) else got != wanted:
            raise Wrong('%s is %s, not %s' % (what, got, wanted))

    # -- hooks --

    def heard(self, _, which, kinds, tag):
        l = getattr(self.library, 'o%d_all_told' % self.s.number)()
        tag = getattr(self.library, 'o%d_all_told_of' % self.s.number)() if self.s.kind == 'pointer' else tag
        for kind in [kind for number, kind in enumerate(HOOKS) if kinds >> number & 1 and kind != 'move']:
            self.trace.append('* %s %d in %d' % (kind, tag, l))
            if kind == 'update':
                self.updated.append((l, tag, self.library.o_extra()))
            else:
                self.log.append((kind, l, tag))
                reason = REASONS[self.library.o_extra()] if self.s.reasons and kind != 'add' and not self.waits else None
                if reason and reason not in why_of(self.made):
                    self.log.append((reason, l, tag))  # a wrong one

    def tells(self, l, tag, *kinds):
        self.wanted += [(kind, l, tag) for kind in kinds if kind in self.hooked]

    def enters(self, l, element):
        m = self.models[l]
        m.enter(element, m.place(element))
        self.tells(l, element.tag, 'add')

    def leaves(self, l, element, away=False):
        """Removed, or handed over to another layer."""
        self.models[l].leave(element)
        self.tells(l, element.tag, 'remove', *['destroy'] * (not away))

    def expired(self, l, element):
        """It has been removed since it has expired: with changes pending, that is one."""
        m = self.models[l]
        if not m.locked():
            self.leaves(l, element)
        elif element in m.then():
            self.leaves_later(l, element)

    # -- what waits --

    def enters_later(self, l, element):
        m = self.models[l]
        m.waiting().append(element)
        m.pending.append(('add', element.tag))

    def leaves_later(self, l, element, away=False):
        m = self.models[l]
        m.waiting().remove(element)
        m.pending += [(kind, element.tag) for kind in ('remove', *['destroy'] * (not away))]

    def release(self, l):
        """If nothing locks a layer any more, what was pending has been done, in its order."""
        m = self.models[l]
        if m.locked() or m.future is None:
            return
        m.apply()
        m.end_fast()
        for kind, tag in m.pending:
            self.tells(l, tag, kind)
        m.pending = []

    def ended(self, walk):
        """A pass has left the layer that it was in."""
        if walk.inner is not None:
            walk.model.end(walk.inner)
            self.release(walk.at)

    # -- elements --

    def live(self):
        return sum(len(m.passes) for m in self.models)

    def may_remove(self):
        return not self.current_only or not self.live() or self.waits

    def anywhere(self):
        """An element, and its layer."""
        there = [(each, l) for l, m in enumerate(self.models) for each in m.order if not (each.gone and self.s.live_only)]
        return self.random.choice(there) if there else (None, 0)

    def make(self):
        """An element that is nowhere yet."""
        free = sorted(set(range(1, MOST + 1)) - {each.tag for m in self.models for each in m.order + m.then()}
                      - {tag for m in self.models for _, tag in m.pending})
        if not free:
            return None
        tag, rank = self.random.choice(free), self.random.randint(1, 6)
        key = rank = rank if self.s.rank_is_key else tag if self.s.rank_is_tag else rank
        key = tag if self.s.key is not None else 0
        element = self.models[0].make(tag, key, -rank if self.s.down else rank >> self.s.shift)
        element.written = rank
        return element

    def joins(self, what, got, l, element):
        """An element that is added, or arrives: did it get in?"""
        m = self.models[l]
        full = not self.fits(m, element)
        self.expect(what, got, 'FULL' if full else 'QUEUED' if m.locked() else 'OK')
        if not full:
            (self.enters_later if m.locked() else self.enters)(l, element)
        return not full

    def fits(self, m, element):
        if m.bound is not None:
            return sum(map(self.weight_of, [*m.then(), element])) <= m.bound
        return m.maximum is None or len(m.then()) < m.maximum

    def weight_of(self, element):
        return getattr(self.library, 'o%d_weighs' % self.s.number)(element.tag, element.key, element.written, 0)

    def note(self, l, element):
        """Keeps the handle of an element; where layers share handles, it has got one by its add."""
        name = 'all_note' if self.has('all_note') else 'note'
        if self.has(name) and element in self.models[l].order and not hasattr(element, 'handle') and len(self.by_number) < STORED:
            self.call(name, l, element.tag, len(self.by_number))
            element.handle = len(self.by_number)
            self.by_number.append(element)


class Walking(Layers):
    """Passes, readers and pairs."""

    def free_walk(self):
        free = [number for number, each in enumerate(self.walks) if each is None and number not in (self.pair or ())]
        return free[0] if free and self.live() < self.most else None

    def some_walk(self):
        numbers = [number for number, each in enumerate(self.walks) if each is not None and number not in (self.pair or ())]
        return self.random.choice(numbers) if numbers else None

    def do_begin(self):
        number = self.free_walk()
        if number is not None:
            way = self.random.choice([each for each in BEGINS if self.has('all_' + each)])
            self.call('all_' + way, number)
            self.walks[number] = Walk(self, way, Model.begin)
            self.forget(number)

    def forget(self, number):
        """A pass that finds no layer is over."""
        if self.walks[number].inner is None:
            self.walks[number] = None

    def do_begin_after(self):
        other, number = self.some_walk(), self.free_walk()
        if other is not None and number is not None and self.has('all_begin_after'):
            self.call('all_begin_after', number, other)
            self.walks[number] = self.walks[other].after()

    def advance(self, walk, got):
        """What it comes to next, of one layer or the next ones; what has expired there, and it has gone by, is removed."""
        while walk.inner is not None:
            m, ahead = walk.model, walk.inner.ahead(walk.model)
            if ahead and not m.ordered and not any(each.tag == got for each, _ in ahead):
                return [each for each, _ in ahead]
            skipped = ahead[0][1] if ahead else walk.inner.line(m) if m.ordered else walk.inner.todo
            for each in list(skipped) if m.reach_removes else []:
                if each.gone and each in m.order and walk.inner.may(each):
                    self.expired(walk.at, each)
            if ahead:
                return [each for each, _ in ahead]
            self.ended(walk)
            walk.onward()
        return []

    def found(self, what, got, ahead):
        if got not in ([each.tag for each in ahead] or [0]):
            raise Wrong('%s visits %d, not one of %r' % (what, got, ahead))

    def visits(self, walk, element):
        walk.inner.visit(walk.model, element)
        if walk.model.reach_removes and not walk.model.ordered:  # it may have come to any of them
            for each in [each for each in walk.model.then() if each.gone]:
                if self.vanished(walk.at, each):
                    self.expired(walk.at, each)

    def vanished(self, l, element):
        if self.models[l].locked():
            return self.call('will_contain', l, element.tag) != 1
        if {'remove', 'destroy'} & set(self.hooked):
            return any(kind in ('remove', 'destroy') and tag == element.tag for kind, _, tag in self.log)
        return not self.call('has', l, element.tag)

    def do_next(self):
        number = self.some_walk()
        if number is None:
            return
        walk, got = self.walks[number], self.call('all_next', number)
        ahead = self.advance(walk, got)
        self.found('the pass %d' % number, got, ahead)
        if got:
            self.visits(walk, next(each for each in ahead if each.tag == got))
        self.forget(number)

    def do_remove_current(self):
        number = self.some_walk()
        if number is None or not self.has('all_remove_current'):
            return
        walk = self.walks[number]
        element = walk.inner.current
        if element is None or self.current_only and not self.waits and self.live() > 1:
            return
        late = walk.model.locked()
        wanted = 'OK' if not late else 'QUEUED' if element in walk.model.then() else 'ABSENT'
        self.expect('remove_current', self.status('all_remove_current', number), wanted)
        if wanted != 'ABSENT':
            (self.leaves_later if late else self.leaves)(walk.at, element)

    def do_current(self):
        number = self.some_walk()
        if number is not None and self.has('all_current'):
            current = self.walks[number].inner.current
            self.expect('what the pass %d stands on' % number, self.call('all_current', number), current.tag if current else 0)

    def do_end(self):
        number = self.some_walk()
        if number is not None:
            self.call('all_end', number)
            self.ended(self.walks[number])
            self.walks[number] = None

    # -- pairs --

    def do_begin_pairs(self):
        free = [number for number, each in enumerate(self.walks) if each is None]
        if self.pair or self.live() + 2 > self.most or not self.has('all_next_pair'):
            return
        self.call('all_begin_pairs', *free[:2])
        self.pair = tuple(free[:2])
        self.walks[free[0]] = Walk(self, 'begin', Model.begin)

    def do_next_pair(self):
        if not self.pair:
            return
        a, b = ctypes.c_int(0), ctypes.c_int(0)
        got = self.call('all_next_pair', *self.pair, ctypes.byref(a), ctypes.byref(b))
        first, second = (a.value, b.value) if got else (0, 0)
        outer, inner = self.walks[self.pair[0]], self.walks[self.pair[1]]
        while True:
            if inner is not None:
                there = self.advance(inner, second) if outer.inner.current is not None else []
                if there:
                    if outer.inner.current.tag != first:
                        raise Wrong('a pair of %d, and it stands on %r' % (first, outer.inner.current))
                    self.found('the loop over pairs, of %d,' % first, second, there)
                    self.visits(inner, next(each for each in there if each.tag == second))
                    self.walks[self.pair[1]] = inner
                    return
                self.ended(inner)
                inner = None
            there = self.advance(outer, first)
            one = next((each for each in there if each.tag == first), there[0] if len(there) == 1 else None)
            if not there:
                self.expect('a pair', got, 0)
                self.walks[self.pair[0]] = self.walks[self.pair[1]] = self.pair = None
                return
            if one is None:
                raise Wrong('a pair of %d, and it was the turn of one of %r' % (first, there))
            self.visits(outer, one)
            inner = outer.after()

    def do_end_pairs(self):
        if self.pair:
            for number in reversed(self.pair):
                self.call('all_end', number)
                if self.walks[number] is not None:
                    self.ended(self.walks[number])
                self.walks[number] = None
            self.pair = None

    # -- readers --

    def read_ahead(self, reader):
        return reader.inner.ahead(reader.model.ordered and not reader.model.resorts)

    def do_read(self):
        number = self.random.randrange(len(self.readers))
        reader = self.readers[number]
        if reader is None:
            if not self.has('all_next_const'):
                return
            way = self.random.choice([each for each in BEGINS if self.has('all_%s_const' % each)])
            self.call('all_%s_const' % way, number)
            reader = Walk(self, way, Reader)
        for _ in range(self.random.randint(0, 3)):
            got = self.call('all_next_const', number)
            while reader.inner is not None and reader.inner.version == reader.model.changes and not self.read_ahead(reader):
                reader.onward()
            ended = reader.inner is None or reader.inner.version != reader.model.changes
            ahead = [] if ended else self.read_ahead(reader)
            self.found('the reader %d' % number, got, [] if got == 0 and reader.uncertain else ahead)
            if got == 0:
                self.readers[number] = None
                return
            reader.inner.visit(next(each for each in ahead if each.tag == got))
        self.readers[number] = reader if reader.inner is not None else None
