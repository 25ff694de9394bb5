"""Random operations on a container and on its model, and a comparison after each."""

import ctypes

from adapter import TAGS
from anywhere import Anywhere
from calls import Frame
from changes import Changes
from joins import Joins
from model import Wrong
from numbers_of_slots import Numbered
from pairs import Pairs
from places import Places
from scans import Scanning
from sides import Sides
from states import States
from workers import Workers


class Run(States, Places, Joins, Workers, Anywhere, Scanning, Pairs, Numbered, Sides, Changes):
    """One container, from a seed: its passes, and what can be asked."""

    # -- passes --

    def do_begin(self):
        m = self.model
        free = [number for number, each in enumerate(self.slots) if each is None]
        updating = sum(each.updates is not None for each in self.frames)  # T_update is a pass itself
        if free and self.has('try_begin') and not self.frames and self.most is not None and len(m.passes) == self.most and not self.pairs:
            self.expect('try_begin of one more', self.status('try_begin', 0, free[0]), 'BUSY')
            return
        if not self.has('begin') or not free or self.records() + self.lent() + updating >= self.limit:
            return
        if m.resorts and m.clears and 'resort' in self.s.without:
            return
        if self.one and self.live() or self.frames and self.c['iteration.removes'] == 'current':
            return  # in a hook: the call that runs it may remove more
        name = 'begin'
        backward = self.c['iteration.direction'] == 'backward'
        if self.has('begin_backward') and self.random.random() < .5:
            name, backward = 'begin_backward', True
        if self.has('try_' + name) and self.random.random() < .5:
            self.expect('try_' + name, self.status('try_' + name, 0, free[0]), 'OK')
        else:
            self.call(name, 0, free[0])
        self.slots[free[0]] = m.begin(backward)
        if self.frames and m.fails_fast:
            self.slots[free[0]].uncertain_end = True  # the call that runs the hook may move elements behind it

    def do_next(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None and not each.busy and not each.paired]
        if numbers:
            self.step(self.random.choice(numbers))

    def step(self, number):
        m = self.model
        a_pass = self.slots[number]
        frame = Frame(expiry=m.reach_removes)
        quiet = self.last_of_deferred(a_pass)
        if quiet:
            frame.quiet = True
        a_pass.busy = True
        got = self.during(frame, 'next', 0, number)
        a_pass.busy = False
        if a_pass.changed and not a_pass.uncertain_end:
            self.expect('next of a pass after a change', got, 0)
        if got == 0:
            if not a_pass.changed and not a_pass.uncertain_end:
                ahead = a_pass.ahead(m)
                if ahead:
                    raise Wrong('the pass %d ends, and %r has not been visited' % (number, [each for each, _ in ahead]))
            if self.has('was_changed') and not a_pass.uncertain_end:
                self.expect('was_changed', self.call('was_changed', number), int(a_pass.changed))
            self.reach(frame, a_pass, None)
            self.finish(number, frame)
            return
        ahead = a_pass.ahead(m)
        found = next((each for each in ahead if each[0].tag == got), None)
        if found is None:
            raise Wrong('the pass %d visits %d, not one of %r' % (number, got, [each for each, _ in ahead]))
        self.reach(frame, a_pass, found)
        a_pass.visit(m, found[0])
        a_pass.moved, a_pass.begun = False, True
        if m.reach_removes and not m.ordered:
            self.look_for_expired()

    def reach(self, frame, a_pass, found):
        """Where a pass removes what has expired: it has, of all that it went by."""
        m = self.model
        if not m.reach_removes:
            return
        if found is None:
            skipped = [each for each in (a_pass.line(m) if m.ordered else a_pass.todo) if each.gone]
        else:
            skipped = found[1]
        for each in skipped:
            if each.gone and each in m.order and a_pass.may(each):
                self.expired(each, 'the pass went by %r, which has expired, and no hook ran')
        if a_pass.allowed is not None and not self.s.walks:
            self.look_for_expired()  # it may have gone by what it does not visit

    def expired(self, element, wrong):
        """It has been removed since it has expired: with changes pending, that is one."""
        m = self.model
        if not m.passes_lock and not m.locked():
            if self.hooked:
                raise Wrong(wrong % element)
            m.leave(element)
        elif element in m.then():
            m.waiting().remove(element)
            m.pending += [(hook, element.tag) for hook in self.hooked]

    def look_for_expired(self):
        """In no order a pass may have come to any of them."""
        m = self.model
        for each in [each for each in m.order if each.gone and each in m.then()]:
            if self.call('will_contain' if m.deferred else 'has', 0, each.tag) != 1:
                self.expired(each, '%r has been removed, and no hook ran')

    def last_of_deferred(self, a_pass):
        return self.model.passes_lock and self.model.locks == 0 and self.model.passes == [a_pass] and not self.model.scans

    def finish(self, number, frame=None):
        a_pass = self.slots[number]
        self.slots[number] = None
        self.model.end(a_pass)
        self.release(frame)

    def release(self, frame, unlocked=False):
        """The last lock has gone: what was pending has been done, in its order."""
        m = self.model
        if not m.deferred or m.locked() or not (m.passes_lock or unlocked):
            return
        m.apply()
        wanted = [each for each in m.pending if each[0] in self.s.hooks]
        plain = [kind for kind in self.s.hooks if list(self.s.hooks.values()).count(self.s.hooks[kind]) == 1]
        got = frame.log if frame else []
        if self.s.hooks and len(plain) == len(self.s.hooks) and 'move' not in self.s.hooks:
            if sorted(got) != sorted(wanted):
                raise Wrong('the hooks of the replay: %s, not %s' % (sorted(got), sorted(wanted)))
        m.pending = []

    def do_end(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None and not each.paired]
        if not numbers or self.frames:
            return
        number = self.random.choice(numbers)
        self.end(number)
        if self.random.random() < .2:
            self.call('end', number)

    def end(self, number):
        frame = Frame()
        frame.quiet = self.last_of_deferred(self.slots[number])
        self.during(frame, 'end', number)
        self.finish(number, frame)

    def end_all(self):
        """No pass is live: what a hook begins then is the first."""
        while self.pairs:
            self.do_end_pairs()
        for number in [number for number, each in enumerate(self.slots) if each is not None]:
            self.end(number)
        for number in [number for number, each in enumerate(self.scans) if each is not None]:
            self.end_scan(number)
        self.do_settle()

    def do_abandon(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None and not each.paired]
        if not numbers or self.frames or self.random.random() < .7:
            return
        number = self.random.choice(numbers)
        self.trace.append('abandon(%d)' % number)
        if self.model.fails_fast:
            self.model.end(self.slots[number])
        self.slots[number] = None

    def do_keep(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None and each.live and not each.busy and not each.paired]
        if numbers and self.has('keep'):
            number = self.random.choice(numbers)
            self.call('keep', number)
            self.slots[number].kept = True

    def do_settle(self):
        m = self.model
        if self.frames or any(each is not None and not each.kept for each in self.slots) or any(self.scans) or not self.has('settle') or m.locks:
            return
        if self.has('worker_add') or self.has('inbox_add'):
            got, log = self.quietly('settle', 0)
            self.expect('settle', self.named(got), 'OK')
            self.after_settle([], log)
            return
        frame = Frame(expiry=m.reach_removes or self.c['removal.expired'] is not None)
        frame.quiet = m.passes_lock
        self.expect('settle', self.named(self.during(frame, 'settle', 0)), 'OK')
        m.passes = [each for each in m.passes if each.kept]
        self.end_scans()
        if m.reach_removes and not m.passes:
            for each in [each for each in m.then() if each.gone]:
                self.expired(each, '%r has expired, and settle left it')
        self.release(frame)

    def do_context(self):
        self.call('set_context', 0)

    def do_lock(self):
        m = self.model
        if not self.has('lock'):
            return
        if m.locks and self.random.random() < .6:
            frame = Frame()
            frame.quiet = m.locks == 1 and not (m.passes_lock and (m.passes or m.scans))
            self.expect('unlock', self.named(self.during(frame, 'unlock', 0)), 'OK')
            m.locks -= 1
            self.release(frame, unlocked=True)
        elif m.locks < 3:
            self.call('lock', 0)
            m.locks += 1

    def do_memory(self):
        if self.frames:
            return
        name = self.random.choice(['reserve', 'shrink_to_fit'])
        if not self.has(name):
            return
        given = (0, self.random.choice([self.random.randint(0, 12), 100, 200])) if name == 'reserve' else (0,)
        if self.c['iteration.removes'] == 'current' and self.live():
            return
        got = self.status(name, *given)
        most = self.model.below if self.s.slots else self.model.maximum
        full = name == 'reserve' and most is not None and given[1] > most
        narrow = given[-1] > 60 and (self.c['handles.index_bits'] or 32) <= 8  # there are not so many handles
        self.expect(name, got, {'FULL'} if full else {'OK', 'FULL'} if narrow else {'OK'})
        for each in self.model.passes:
            each.uncertain_end = True

    # -- comparisons --

    def compare(self):
        m = self.model
        if self.has('count'):
            self.expect('count', self.call('count', 0), len(m.order))
        if m.bound is not None:
            self.expect('weight', self.call('weight', 0), sum(self.weight_of(each) for each in m.order))
        if self.has('is_empty'):
            self.expect('is_empty', self.call('is_empty', 0), int(not m.order))
        if self.has('predicted_count'):
            self.expect('predicted_count', self.call('predicted_count', 0), len(m.then()))
        if self.has('is_locked'):
            self.expect('is_locked', self.call('is_locked', 0), int(m.locked()))
        self.sound(0)
        if self.library.o_astray():
            raise Wrong('a function of ours was given another context')
        if self.blind_now():
            return
        self.listed()
        self.compare_indexes()
        self.compare_sides()
        for _ in range(2):
            self.ask()

    def listed(self):
        m = self.model
        if self.s.walks:
            m.sort_at_begin()
        frame = Frame(expiry=m.reach_removes)
        frame.quiet, frame.silent = m.passes_lock, True
        out = (ctypes.c_int * (TAGS + 1))()
        count = self.during(frame, 'list', 0, out)
        if count < 0:
            return
        tags = list(out[:count])
        if self.s.walks and m.reach_removes:
            for each in list(m.order):
                if each.gone:
                    self.expired(each, '%r has expired, and a pass left it')
        elements = [each.tag for each in m.order if not (self.s.walks and each.gone)]
        if m.ordered and not self.s.unlisted and self.c['iteration.direction'] != 'backward' or not m.ordered and False:
            self.expect('the elements', tags, elements) if tags != elements else None
        elif sorted(tags) != sorted(elements):
            raise Wrong('the elements are %s, not %s' % (sorted(tags), sorted(elements)))
        if self.s.walks:
            self.release(frame)

    def ask(self):
        """What can be asked, at random."""
        m = self.model
        element = self.some()
        if self.has('contains') and element is not None and not (self.s.walks and element.gone):
            self.expect('contains %r' % element, self.call('contains', 0, element.tag), 1)
        if self.has('will_contain') and element is not None and not (self.s.walks and element.gone):
            same = m.find(element.tag, m.then()) if self.s.key is None else m.equal(element.key, m.then())
            if self.s.rows:
                same = element if element in m.then() else None  # a row is this element, whatever equals it
            self.expect('will_contain %r' % element, self.call('will_contain', 0, element.tag), int(same is not None))
        if self.s.kind == 'pointer' and self.has('contains') and self.s.key is None:
            tag = self.fresh()
            if tag is not None and m.find(tag) is None:
                self.expect('contains %d' % tag, self.call('contains', 0, tag), 0)
        if self.has('find') and self.s.key is not None:
            key = self.a_key()
            same = [each.tag for each in m.order if each.key == key]
            got = self.call('find', 0, key)
            if not same or m.unique or m.ordered and m.ordering != 'tree':
                self.expect('find %d' % key, got, same[0] if same else 0)
            else:
                self.expect('find %d' % key, got, set(same))
        if self.has('first') and m.ordering != 'heap' and m.ordered and not m.resorts:
            self.expect('first', self.call('first', 0), m.order[0].tag if m.order else 0)
        if self.has('first') and m.ordering == 'heap' and m.order:
            first = m.find(self.call('first', 0))
            if first is None or first.rank != min(each.rank for each in m.order):
                raise Wrong('first is %r of %r' % (first, [(each, each.rank) for each in m.order]))
        if self.has('get_back') and m.ordered and not m.resorts:
            at = self.random.randint(0, len(m.order))
            self.expect('get_back %d' % at, self.call('get_back', 0, at), m.order[-1 - at].tag if at < len(m.order) else 0)
        if self.has('next_of') and element is not None and m.ordered and not (self.s.walks and element.gone):
            index = m.order.index(element) + 1
            self.expect('next_of %r' % element, self.call('next_of', 0, element.tag), m.order[index].tag if index < len(m.order) else 0)
        if self.has('last') and m.ordered and not m.resorts:
            self.expect('last', self.call('last', 0), m.order[-1].tag if m.order else 0)
        if self.has('previous_of') and element is not None and m.ordered:
            index = m.order.index(element)
            self.expect('previous_of %r' % element, self.call('previous_of', 0, element.tag), m.order[index - 1].tag if index else 0)
        if self.has('parent_of') and element is not None:
            self.expect('parent_of %r' % element, self.call('parent_of', 0, element.tag), element.parent.tag if element.parent else 0)
            children = [each.tag for each in m.order if each.parent is element]
            siblings = [each.tag for each in m.order if each.parent is element.parent] + [0]
            if self.has('first_child_of'):
                self.expect('first_child_of %r' % element, self.call('first_child_of', 0, element.tag), (children + [0])[0])
            if self.has('next_sibling_of'):
                self.expect('next_sibling_of %r' % element, self.call('next_sibling_of', 0, element.tag), siblings[siblings.index(element.tag) + 1])
        if self.has('named') and self.by_number:
            other = self.random.choice(self.by_number)
            if not hasattr(other, 'handle'):
                pass  # it is being given
            elif getattr(other, 'lost', False):
                self.do_lost()
            elif other.latest in m.order:
                self.expect('the handle of %r' % other, self.call('named', 0, other.handle), other.latest.tag)
            elif self.c['handles.kind'] == 'generational':
                self.expect('the stale handle of %r' % other, self.call('named', 0, other.handle), 0)

    OPERATIONS = (['add'] * 9 + ['next'] * 14 + ['begin'] * 5 + ['remove'] * 5 + ['remove_current'] * 4 + ['remove_at', 'remove_key', 'pop', 'pop', 'move', 'move']
                  + ['rekey', 'rekey', 'rekey', 'sort', 'expire', 'expire', 'update', 'end', 'end', 'abandon', 'settle', 'settle', 'lock', 'lock', 'memory', 'add_all', 'remove_stale', 'remove_absent', 'remove_named', 'rekey_named', 'rekey_named'])

    # What few containers have; each as often as it stands there.
    RARE = {'swap_places': ['swap_places'] * 4, 'replace_at': ['replace_at'] * 2, 'remove_range': ['remove_range'], 'add_from': ['add_from'] * 2,
            'remove_from': ['remove_from'], 'snapshot': ['snapshot', 'rollback', 'rollback', 'lost'], 'save': ['save', 'load', 'lost'],
            'begin_at': ['begin_at'] * 4, 'begin_at_index': ['begin_at'] * 3, 'begin_after': ['begin_after'] * 5, 'current': ['current'] * 4,
            'scan_next': ['scan'] * 6 + ['scan_next'] * 14 + ['scan_remove_current'] * 4 + ['scan_end', 'scan_abandon'], 'next_pair': ['begin_pairs'] * 4 + ['next_pair'] * 12 + ['end_pairs'], 'next_const': ['read'] * 5, 'keep': ['keep'] * 2 + ['settle'] * 3, 'take': ['take'] * 3, 'take_current': ['take'] * 2, 'pop_if': ['pop_if'] * 3, 'remove_if': ['remove_if'], 'reweigh': ['reweigh'] * 4,
            'find_or_add': ['find_or_add'] * 4, 'worker_add': ['work'] * 3, 'inbox_add': ['inbox'] * 3, 'foreign_contains': ['foreign'] * 2,
            'set_context': ['context'], 'next_after': ['neighbour'] * 4, 'remove_number': ['remove_number'], 'unite': ['set'] * 4}
    RANGES = ['range'] * 3

    def go(self):
        self.library.o_told(self.told)
        operations = self.OPERATIONS + [each for name, several in self.RARE.items() if self.has(name) for each in several if each not in self.s.without]
        if self.beside and 'side' not in self.s.without:
            operations = operations + ['side'] * 14
        if self.s.indexes and 'range' not in self.s.without:
            operations = operations + self.RANGES
        self.call('open')
        for step in range(self.steps):
            name = 'clear' if self.random.random() < (.03 if self.hooked else .015) else self.random.choice(operations)
            if name == 'clear' and self.hooked and self.random.random() < .4:
                self.end_all()
            self.operate(name)
            self.compare()
        self.frames.append(Frame(victims=list(self.model.order), expiry=True))
        self.frames[-1].quiet, self.frames[-1].why = True, {'ENDED'}
        self.call('close')
        log = self.frames.pop().log
        if self.hooked and len(set(self.s.hooks.values())) == len(self.s.hooks):
            wanted = sorted([(hook, each.tag) for each in self.model.order for hook in self.hooked]
                            + [('destroy', each.tag) for each in self.waiting if 'destroy' in self.hooked and self.s.kind != 'pointer'])
            if not self.model.pending and sorted(each for each in log if each[0] in self.hooked) != wanted:
                raise Wrong('deinit: hooks %s, not %s' % (log, wanted))
