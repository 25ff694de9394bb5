"""Random calls of containers in layers, and a comparison after each. docs/contract.md: "Layers"."""

import ctypes

from adapter import STORED
from layered import Walking
from model import Wrong


class LayeredRun(Walking):
    """As `Run` of driver.py, over layers."""

    def do_add(self):
        element, l = self.make(), self.random.randrange(len(self.models))
        if element is None:
            return
        given = (l, element.tag, element.key, element.written, 0)
        if self.has('all_add_handle') and self.random.random() < .5 and len(self.by_number) < STORED:
            element.handle = len(self.by_number)
            got = self.status('all_add_handle', *given, element.handle)
            self.by_number.append(element)
        else:
            got = self.status('all_add', *given)
        if self.joins('add', got, l, element):
            self.note(l, element)

    def do_remove(self):
        element, l = self.anywhere()
        if element is None or not self.may_remove():
            return
        if self.has('all_named'):
            if not hasattr(element, 'handle'):
                return
            got = self.status('all_remove', element.handle)
        elif self.has('all_remove'):
            got = self.status('all_remove', l, element.tag)
        elif self.s.rows and self.has('remove'):  # by the layer itself
            got = self.status('remove', l, element.tag)
        elif self.has('remove_handle') and hasattr(element, 'handle'):
            got = self.status('remove_handle', l, element.handle)
        else:
            return
        l, element = self.staying(l, element, alone=not self.has('all_remove') or self.has('all_named'))
        if element is None:
            self.expect('remove', got, 'ABSENT')
            return
        late = self.models[l].locked()
        self.expect('remove', got, 'QUEUED' if late else 'OK')
        (self.leaves_later if late else self.leaves)(l, element)

    def staying(self, l, element, there=False, alone=False):
        """Where a call finds it: in the first layer that has it and in which no removal of it is pending. `there`: an add that is
        pending does not count; `alone`: only this layer is looked at."""
        layers = range(len(self.models)) if self.s.kind == 'pointer' and not alone else [l]
        for l in layers:
            m = self.models[l]
            found = [each for each in m.then() if each is element or self.s.kind == 'pointer' and each.tag == element.tag]  # a row is this one, and an address
            one = next((each for each in found if each in m.order or not there), None)
            if one is not None:
                return l, one
        return l, None

    def do_move(self):
        """It is removed from one layer, and added to the other."""
        element, l = self.anywhere()
        if element is None or not self.has('all_move') or not self.may_remove():
            return
        shared, to = self.has('all_named'), self.random.randrange(len(self.models))
        if shared and not hasattr(element, 'handle'):
            return
        got = self.status('all_move', element.handle, to) if shared else self.status('all_move', l, element.tag, to)
        l, element = self.staying(l, element, there=True)
        if element is None or to == l:
            self.expect('move', got, 'OK' if element is not None else 'ABSENT')
            return
        m = self.models[to]
        twin = m.make(element.tag, element.key, element.rank)
        twin.written, twin.flag = element.written, element.flag
        if self.joins('move', got, to, twin):
            (self.leaves_later if self.models[l].locked() else self.leaves)(l, element, away=True)
            if shared:
                twin.handle, self.by_number[element.handle] = element.handle, twin
            self.note(to, twin)

    def do_stale(self):
        """A handle names its element in any layer, or none."""
        if not self.by_number:
            return
        number = self.random.randrange(len(self.by_number))
        element = self.by_number[number]
        l = next((l for l, m in enumerate(self.models) if element in m.order), None)
        tag = element.tag if l is not None else 0
        if self.has('all_named'):
            self.expect('the handle of %r' % element, self.call('all_named', number), tag)
            self.expect('layer_of', self.call('all_layer_of', number), l if tag else len(self.models))
            self.expect('contains', self.call('all_contains', number), int(bool(tag)))
            if not tag and self.may_remove():
                self.expect('removal by a stale handle', self.status('all_remove', number), 'STALE')
                self.expect('move by a stale handle', self.status('all_move', number, 0), 'STALE')
        if self.has('named'):
            for other in range(len(self.models)) if self.has('all_named') else [l] if tag else []:
                self.expect('layer_at', self.call('all_layer_at', other), 1)
                self.expect('the handle of %r in layer %d' % (element, other), self.call('named', other, number), tag if other == l else 0)

    def do_clear(self):
        if not self.may_remove() or self.random.random() < .6:
            return
        whole = self.random.random() < .5
        layers = range(len(self.models)) if whole else [self.random.randrange(len(self.models))]
        got = self.status('all_clear') if whole else self.status('clear', layers[0])
        self.expect('clear', got, {'OK', 'QUEUED'} if any(self.models[l].locked() for l in layers) else 'OK')
        for l in layers:
            late = self.models[l].locked()
            for each in reversed(list(self.models[l].then())):
                (self.leaves_later if late else self.leaves)(l, each)

    def do_switch(self):
        l, on = self.random.randrange(len(self.models)), self.random.random() < .6
        name = self.random.choice(['enabled', 'visible'])
        if not self.has('all_set_' + name):
            return
        self.call('all_set_' + name, l, int(on))
        getattr(self, name)[l] = on
        if self.has('all_set_time_scale'):
            self.eighths[l] = self.random.choice([0, 4, 8, 8, 20])
            self.call('all_set_time_scale', l, self.eighths[l])

    # -- expiry, and what waits --

    def do_expire(self):
        element, l = self.anywhere()
        if element is not None and self.has('expire') and not element.gone and element in self.models[l].then():
            self.call('expire', l, element.tag, element.key, element.written)
            for m in self.models:
                for each in m.order + m.then():
                    each.flag = each.flag or each is element or self.s.kind == 'pointer' and each.tag == element.tag

    def do_update(self):
        """Updates the layers that are enabled, and removes what has expired there; T_prune removes it everywhere."""
        name = self.random.choice(['update', 'prune'])
        if not self.has('all_' + name) or not self.may_remove() or self.one and self.live() or self.random.random() < .5:
            return
        self.updated = []
        self.call('all_' + name, *[8] * (name == 'update'))
        asks = (self.c['removal.ask'] or 'after_update') != 'after_update'
        wanted = []
        for l, m in enumerate(self.models):
            if name == 'update' and not self.enabled[l]:
                continue
            if name == 'update' and 'update' in self.hooked:
                there = [(l, each.tag, self.eighths[l]) for each in (reversed(m.order) if self.backward else m.order) if not (each.gone and asks)]
                wanted += there if m.ordered else sorted(there)
            for each in [each for each in m.order if each.gone]:
                self.expired(l, each)
        got = self.updated if all(m.ordered for m in self.models) else sorted(self.updated)
        self.expect('what was updated', got, wanted)

    def do_settle(self):
        if not self.has('all_settle') or self.random.random() < .5 and any(self.walks) or any(m.locks for m in self.models):
            return
        self.expect('settle', self.status('all_settle'), 'OK')  # what is left unended is over
        self.walks, self.pair = [None] * len(self.walks), None
        for l, m in enumerate(self.models):
            m.passes = []
            self.release(l)
            for each in [each for each in m.order if each.gone]:
                if m.reach_removes or self.has('all_prune') and not self.enabled[l]:
                    self.expired(l, each)

    def do_lock(self):
        if not self.has('all_lock'):
            return
        locks = self.models[0].locks
        more = 1 if locks == 0 or locks < 3 and self.random.random() < .4 else -1
        if more > 0:
            self.call('all_lock')
        else:
            self.expect('unlock', self.status('all_unlock'), 'OK')
        for l, m in enumerate(self.models):
            m.locks += more
            self.release(l)

    def compare_hooks(self):
        if self.hooked and sorted(self.log) != sorted(self.wanted):
            raise Wrong('the hooks of the last call: %s, not %s' % (sorted(self.log), sorted(self.wanted)))
        self.log, self.wanted = [], []

    def compare(self):
        self.compare_hooks()
        if self.has('all_count'):
            self.expect('count', self.call('all_count'), sum(len(m.order) for m in self.models))
            self.expect('is_empty', self.call('all_is_empty'), int(not any(m.order for m in self.models)))
        self.expect('check', self.call('all_check'), 0)
        for l, m in enumerate(self.models):
            out = (ctypes.c_int * 101)()
            tags, wanted = list(out[:self.call('list', l, out)]), [each.tag for each in m.order if not (each.gone and self.s.live_only)]
            if not m.ordered or self.s.unlisted or self.backward:
                tags, wanted = sorted(tags), sorted(wanted)
            self.expect('layer %d' % l, tags, wanted)
        element, l = self.anywhere()
        if element is not None and self.has('all_layer_of') and not self.has('all_named'):
            first = next(l for l, m in enumerate(self.models) if m.find(element.tag) is not None) if self.s.kind == 'pointer' else l
            self.expect('layer_of', self.call('all_layer_of', l, element.tag), first)

    NAMES = (['add'] * 8 + ['remove'] * 3 + ['move'] * 4 + ['clear', 'switch', 'switch', 'end', 'settle', 'read', 'read', 'read'] + ['begin'] * 4
             + ['begin_after', 'current', 'remove_current', 'remove_current'] + ['next'] * 14)

    def names(self):
        return self.NAMES + ['begin_pairs'] * 2 * self.has('all_next_pair') + ['next_pair'] * 8 * self.has('all_next_pair') + ['end_pairs'] * self.has('all_next_pair') \
            + ['expire'] * 3 * self.has('expire') + ['update'] * 3 * self.has('all_prune') + ['lock'] * 3 * self.has('all_lock') + ['stale'] * 4 * self.has('named')

    def go(self):
        self.library.o_told(self.told)
        names = self.names()
        self.call('all_open')
        for _ in range(self.steps):
            name = self.random.choice(names)
            for each in self.readers:
                if each is not None and (name in ('settle', 'clear', 'end', 'next', 'update') or self.waits
                                         or name == 'begin' and any(m.resorts for m in self.models)):
                    each.uncertain = True
            getattr(self, 'do_' + name)()
            self.compare()
        self.call('all_close')
        if not self.waits:
            for l, m in enumerate(self.models):
                for each in list(m.order):
                    self.leaves(l, each)
            self.compare_hooks()
