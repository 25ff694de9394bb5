"""Containers in layers: passes over all that are enabled, or visible, and what goes from one layer to another. docs/contract.md: "Layers".

Each layer has a model of its own. What else a layer can do by itself is that of any container, which others here try.
"""

import ctypes
import random

from calls import MOST, TOLD, shown
from model import Model, Wrong
from numbers_of_slots import Numbers
from pairs import Reader
from subject import Unsupported

BEGINS = ('begin', 'begin_visible', 'begin_backward')


def text_of(adapter, plan):
    """The calls of a container whose layer an adapter speaks for; it is `o<number>_layers`."""
    s, n, T, inner = adapter.s, adapter.s.number, plan.T, plan.inner
    own = {each.name: each for each in plan.operations}
    here = '&o%d_layers' % n
    if len(plan.layers) < 2:
        raise Unsupported('one layer')
    if s.settings['removal.expired'] is not None or s.settings['removal.when'] != 'immediate':
        raise Unsupported('layers that expire, or wait')

    def put(name, params, body):
        adapter.function('all_' + name, params, body)

    def call(name, *given):
        assert len(own[name].params) == len(given), (name, own[name].params)
        return '%s(%s)' % (T[name], ', '.join(given))

    def status(name, *given):
        return 'return (int)%s;' % call(name, *given) if own[name].result != 'void' else call(name, *given) + '; return 0;'

    def tag(got):
        return 'o%d_tag(%s)' % (n, got)
    if plan.keeps:
        raise Unsupported('handles that layers share')
    if s.rows:
        raise Unsupported('rows in layers')
    adapter.put('static %s o%d_c_all[16];\nstatic %s o%d_r_all[4];\nstatic %s *o%d_which(int tag)\n{\n    int l;\n    for (l = 0; l < %d; l++) {\n'
                '        %s *e = o%d_at(l, tag);\n        if (e != NULL%s) return e;\n    }\n    return NULL;\n}\n' % (
                    T.cursor, n, T.const_cursor, n, s.E, n, len(plan.layers), s.E, n, ' && o%d_has(l, tag)' % n if s.kind == 'pointer' else ''))
    make, it = adapter._new()
    put('open', 'void', 'memset(o%d_pool, 0, sizeof o%d_pool); memset(%s, 0, sizeof *%s); %s; return 0;' % (
        n, n, here, here, adapter.call_of(own['init'], T, here) if 'init' in own else ''))
    put('close', 'void', status('deinit', here))
    put('add', 'int l, ' + adapter.VALUES, make + ' ' + status('add', here, '(size_t)l', it))
    for name in ('clear', 'settle', 'count'):
        if name in own and len(own[name].params) == 1:
            put(name, 'void', status(name, here))
    put('check', 'void', 'return %s != NULL;' % call('check', here))
    for name in ('set_enabled', 'set_visible'):
        put(name, 'int l, int on', status(name, here, '(size_t)l', 'on != 0'))
    if s.kind == 'pointer' or s.key is None:  # else it removes an equal one
        for name in ('remove', 'layer_of', 'contains'):
            if name in own:
                put(name, 'int tag', status(name, here, 'o%d_which(tag)' % n))
        if 'move' in own:
            put('move', 'int tag, int l', status('move', here, 'o%d_which(tag)' % n, '(size_t)l'))
    for name in BEGINS:
        if name in own:
            put(name, 'int c', 'o%d_c_all[c] = %s; return 0;' % (n, call(name, here)))
        if name + '_const' in own:
            put(name + '_const', 'int c', 'o%d_r_all[c] = %s; return 0;' % (n, call(name + '_const', here)))
    put('next', 'int c', 'return %s;' % tag(call('next', '&o%d_c_all[c]' % n)))
    put('next_const', 'int c', 'return %s;' % tag(call('next_const', '&o%d_r_all[c]' % n)))
    for name in ('end', 'remove_current'):
        if name in own:
            put(name, 'int c', status(name, '&o%d_c_all[c]' % n))
    if 'current' in own:
        put('current', 'int c', 'return %s;' % tag(call('current', '&o%d_c_all[c]' % n)))
        put('begin_after', 'int c, int other', 'o%d_c_all[c] = %s; return 0;' % (n, call('begin_after', '&o%d_c_all[other]' % n)))


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

    @property
    def model(self):
        return self.layers.models[self.at]


class LayeredRun:
    """As `Run` of driver.py, over layers."""

    def __init__(self, subject, library, seed, steps):
        self.s, self.library, self.steps = subject, library, steps
        self.random = random.Random('%s %d' % (subject.T, seed))
        c = subject.settings
        self.models = [(Numbers if subject.slots else Model)(c, subject.contract) for _ in range(subject.layers)]
        for each in self.models:
            each.down = subject.down
        self.enabled, self.visible = [[True] * subject.layers for _ in range(2)]
        self.backward = c['iteration.direction'] == 'backward'
        self.one, self.current_only = c['iteration.cursors'] == 'one', c['iteration.removes'] == 'current'
        self.walks, self.readers = [None] * 16, [None] * 4
        self.trace = []
        self.told = TOLD(lambda *_: None)

    def has(self, name):
        return hasattr(self.library, 'o%d_%s' % (self.s.number, name))

    def call(self, name, *given):
        self.trace.append('%s(%s)' % (name, ', '.join(map(shown, given))))
        return getattr(self.library, 'o%d_%s' % (self.s.number, name))(*given)

    def expect(self, what, got, wanted):
        if got != wanted:
            raise Wrong('%s is %s, not %s' % (what, got, wanted))

    def named(self, number):
        return self.s.statuses.get(number, 'OK' if number == 0 else 'status %d' % number)

    def live(self):
        return any(each.passes for each in self.models)

    def anywhere(self):
        """An element, and its layer."""
        there = [(each, l) for l, m in enumerate(self.models) for each in m.order]
        return self.random.choice(there) if there else (None, 0)

    # -- operations --

    def do_add(self):
        l = self.random.randrange(len(self.models))
        m = self.models[l]
        free = sorted(set(range(1, MOST + 1)) - {each.tag for model in self.models for each in model.order})
        if not free:
            return
        tag = self.random.choice(free)
        rank = self.random.randint(1, 6)
        key = rank = rank if self.s.rank_is_key else tag if self.s.rank_is_tag else rank
        key = tag if self.s.key is not None else 0
        full = m.maximum is not None and len(m.order) >= m.maximum
        self.expect('add', self.named(self.call('all_add', l, tag, key, rank, 0)), 'FULL' if full else 'OK')
        if not full:
            element = m.make(tag, key, -rank if self.s.down else rank >> self.s.shift)
            m.enter(element, m.place(element))

    def do_remove(self):
        element, l = self.anywhere()
        if element is None or not self.has('all_remove') or self.current_only and self.live():
            return
        self.expect('remove', self.named(self.call('all_remove', element.tag)), 'OK')
        self.models[l].leave(element)

    def do_move(self):
        """It is removed from one layer, and added to the other."""
        element, l = self.anywhere()
        if element is None or not self.has('all_move') or self.current_only and self.live():
            return
        to = self.random.randrange(len(self.models))
        m = self.models[to]
        full = to != l and m.maximum is not None and len(m.order) >= m.maximum
        self.expect('move', self.named(self.call('all_move', element.tag, to)), 'FULL' if full else 'OK')
        if to != l and not full:
            self.models[l].leave(element)
            twin = m.make(element.tag, element.key, element.rank)
            m.enter(twin, m.place(twin))

    def do_clear(self):
        l = self.random.randrange(len(self.models))
        if self.current_only and self.live() or self.random.random() < .6:
            return
        whole = self.random.random() < .5
        self.call('all_clear') if whole else self.call('clear', l)
        for m in self.models if whole else [self.models[l]]:
            for each in reversed(list(m.order)):
                m.leave(each)

    def do_switch(self):
        l, on = self.random.randrange(len(self.models)), self.random.random() < .6
        name = self.random.choice(['enabled', 'visible'])
        self.call('all_set_' + name, l, int(on))
        getattr(self, name)[l] = on

    def do_begin(self):
        free = [number for number, each in enumerate(self.walks) if each is None]
        ways = [each for each in BEGINS if self.has('all_' + each)]
        if not free or self.one and self.live() or sum(len(m.passes) for m in self.models) >= 6:
            return
        way = self.random.choice(ways)
        self.call('all_' + way, free[0])
        self.walks[free[0]] = Walk(self, way, Model.begin)
        self.forget(free[0])

    def forget(self, number):
        """A pass that finds no layer is over."""
        if self.walks[number].inner is None:
            self.walks[number] = None

    def some_walk(self):
        numbers = [number for number, each in enumerate(self.walks) if each is not None]
        return self.random.choice(numbers) if numbers else None

    def do_begin_after(self):
        other, free = self.some_walk(), [number for number, each in enumerate(self.walks) if each is None]
        if other is None or not free or not self.has('all_begin_after') or sum(len(m.passes) for m in self.models) >= 6:
            return
        self.call('all_begin_after', free[0], other)
        first = self.walks[other]
        walk = Walk.__new__(Walk)
        walk.__dict__.update(first.__dict__)
        walk.inner = first.model.begin_after(first.inner)
        self.walks[free[0]] = walk

    def do_next(self):
        number = self.some_walk()
        if number is None:
            return
        walk, got = self.walks[number], self.call('all_next', number)
        while walk.inner is not None and not walk.inner.ahead(walk.model):
            walk.model.end(walk.inner)
            walk.onward()
        ahead = [each for each, _ in walk.inner.ahead(walk.model)] if walk.inner is not None else []
        self.found('the pass %d' % number, got, ahead)
        if got:
            walk.inner.visit(walk.model, next(each for each in ahead if each.tag == got))
        self.forget(number)

    def found(self, what, got, ahead):
        if got not in ([each.tag for each in ahead] or [0]):
            raise Wrong('%s visits %d, not one of %r' % (what, got, ahead))

    def do_remove_current(self):
        number = self.some_walk()
        if number is None or not self.has('all_remove_current'):
            return
        walk = self.walks[number]
        element = walk.inner.current
        if element is None or self.current_only and sum(len(m.passes) for m in self.models) > 1:
            return
        self.expect('remove_current', self.named(self.call('all_remove_current', number)), 'OK')
        walk.model.leave(element)

    def do_current(self):
        number = self.some_walk()
        if number is not None and self.has('all_current'):
            current = self.walks[number].inner.current
            self.expect('what the pass %d stands on' % number, self.call('all_current', number), current.tag if current else 0)

    def do_end(self):
        number = self.some_walk()
        if number is not None:
            self.call('all_end', number)
            self.walks[number].model.end(self.walks[number].inner)
            self.walks[number] = None

    def do_settle(self):
        if not self.has('all_settle') or self.random.random() < .5 and any(self.walks):
            return
        self.call('all_settle')  # what is left unended is over
        self.walks = [None] * len(self.walks)
        for m in self.models:
            m.passes = []

    def do_read(self):
        number = self.random.randrange(len(self.readers))
        reader = self.readers[number]
        if reader is None:
            way = self.random.choice([each for each in BEGINS if self.has('all_%s_const' % each)])
            self.call('all_%s_const' % way, number)
            reader = Walk(self, way, Reader)
        for _ in range(self.random.randint(0, 3)):
            got = self.call('all_next_const', number)
            while reader.inner is not None and reader.inner.version == reader.model.changes and not reader.inner.ahead(reader.model.ordered):
                reader.onward()
            ended = reader.inner is None or reader.inner.version != reader.model.changes
            ahead = [] if ended else reader.inner.ahead(reader.model.ordered)
            self.found('the reader %d' % number, got, [] if got == 0 and reader.uncertain else ahead)
            if got == 0:
                self.readers[number] = None
                return
            reader.inner.visit(next(each for each in ahead if each.tag == got))
        self.readers[number] = reader if reader.inner is not None else None

    def compare(self):
        if self.has('all_count'):
            self.expect('count', self.call('all_count'), sum(len(m.order) for m in self.models))
        self.expect('check', self.call('all_check'), 0)
        for l, m in enumerate(self.models):
            out = (ctypes.c_int * 101)()
            tags, wanted = list(out[:self.call('list', l, out)]), [each.tag for each in m.order]
            if not m.ordered or self.s.unlisted or self.backward:
                tags, wanted = sorted(tags), sorted(wanted)
            self.expect('layer %d' % l, tags, wanted)
        element, l = self.anywhere()
        if element is not None and self.has('all_layer_of'):
            self.expect('layer_of', self.call('all_layer_of', element.tag), l)

    def go(self):
        self.library.o_told(self.told)
        names = ['add'] * 8 + ['remove'] * 3 + ['move'] * 4 + ['clear', 'switch', 'switch', 'end', 'settle', 'read', 'read', 'read'] + ['begin'] * 4 \
            + ['begin_after', 'current', 'remove_current', 'remove_current'] + ['next'] * 14
        self.call('all_open')
        for _ in range(self.steps):
            name = self.random.choice(names)
            for each in self.readers:
                if each is not None and name in ('settle', 'clear', 'end', 'next'):
                    each.uncertain = True
            getattr(self, 'do_' + name)()
            self.compare()
        self.call('all_close')
