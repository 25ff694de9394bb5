"""Calls of a container, and what its hooks report during them."""

import ctypes
import random

from generator.language.strategies import passes_grow
from subject import HOOKS
from model import Model, Wrong

REASONS = ('REMOVED', 'TAKEN', 'CLEARED', 'EXPIRED', 'OVERWRITTEN', 'REFUSED', 'ENDED')  # by their numbers
# Of what a call removes, by the start of its name; other calls remove what they are called for. A move is one to another layer.
WHY = {'add_from': {'TAKEN', 'OVERWRITTEN'}, 'add': {'OVERWRITTEN'}, 'insert': {'OVERWRITTEN'}, 'find_or_add': {'OVERWRITTEN'}, 'reweigh': {'OVERWRITTEN'},
       'replace_at': {'OVERWRITTEN'}, 'emplace': {'OVERWRITTEN'}, 'clear': {'CLEARED'}, 'renew': {'ENDED'}, 'close': {'ENDED'}, 'take': {'TAKEN'}, 'move': {'TAKEN'},
       'pop_away': {'REMOVED'}, 'pop_back_away': {'REMOVED'}, 'pop': {'TAKEN'}, 'load': {'ENDED', 'REFUSED'}, 'next': {'EXPIRED'}, 'settle': {'EXPIRED'},
       'update': {'EXPIRED'}, 'prune': {'EXPIRED'}, 'list': {'EXPIRED'}, 'end': {'EXPIRED'}}
MOST = 24  # tags in use: few, so that elements meet
TOLD = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)


def why_of(name):
    return next((why for start, why in WHY.items() if name.startswith(start)), {'REMOVED'})


def shown(value):
    """An argument of a call, as the trace has it."""
    return str(list(value)) if isinstance(value, ctypes.Array) and len(value) < 40 else str(value) if isinstance(value, int) else '...'


class Frame:
    """A call that is under way: what it may remove, what it adds."""

    def __init__(self, victims=(), together=False, adds=None, expiry=False, updates=None):
        self.victims = list(victims)
        self.together = together  # all are removed before the first is reported
        self.adds = adds  # the element; `commit` puts it into the model
        self.commit = None
        self.committed = False
        self.expiry = expiry
        self.updates = updates
        self.moved = set()  # what an update may come to a second time
        self.placed = set()  # what a hook of an update has moved: it may be behind the update then
        self.pass_of_update = self.root = None  # of an update of a tree: where it is in the order, and what it removes
        self.quiet = self.silent = False
        self.why = None  # it removes them
        self.clears = False  # it removes them from the last to the first
        self.evicts, self.left = None, 0  # what it removes makes way: from the front, or from the back; how many may
        self.log = []


class Calls:
    """A container and its model, from a seed: how calls are made, and what they report."""

    def __init__(self, subject, library, seed, steps):
        self.s, self.library, self.steps = subject, library, steps
        self.random = random.Random('%s %d' % (subject.T, seed))
        c = subject.settings
        self.c = c
        self.model = self.a_model()
        self.model.down = subject.down
        self.trace, self.frames, self.depth = [], [], 0
        self.slots = [None] * 16  # cursors: the pass of each, or None
        counted = c['iteration.cursors'] == 'many' and not self.model.fails_fast and not passes_grow(c.container) and not subject.slots
        self.counted = counted
        self.limit = c['iteration.passes'] if counted else 15  # where records are allocated, that is only how many are in the container
        one = c['iteration.cursors'] == 'one' and not self.model.fails_fast  # which has no records, and no limit
        tried = subject.operations.get('try_begin')
        one = one and tried is not None and 'BUSY' in tried.statuses  # which counts its passes, and refuses none
        self.most = 1 if one else self.limit if counted else None  # live passes, if there is a limit
        self.limit = min(self.limit, 8) - (1 if subject.walks else 0)
        self.one = c['iteration.cursors'] == 'one'
        if self.one:
            self.limit = 1
        self.by_number = []  # elements, by the number of the handle that was kept of each
        self.failed = None
        self.keyed = c['identity.by'] in ('key', 'value')
        self.ranges, self.rekeyed, self.certain = {}, {}, set()
        self.waiting = []  # in the inbox
        self.heavier = set()  # tags of what has another weight than it was added with
        self.twins = not self.model.unique and self.random.random() < .5 and 'twins' not in subject.without  # equal keys, where they may be
        self.told = TOLD(self._told)
        self.hooked = [kind for kind in ('remove', 'destroy') if kind in subject.hooks]

    def a_model(self):
        return Model(self.c, self.s.contract)

    # -- calls --

    def has(self, name):
        return hasattr(self.library, 'o%d_%s' % (self.s.number, name))

    def call(self, name, *given):
        self.trace.append('%s%s(%s)' % ('    ' * self.depth, name, ', '.join(map(shown, given))))
        result = getattr(self.library, 'o%d_%s' % (self.s.number, name))(*given)
        if self.failed:
            raise self.failed
        return result

    def status(self, name, *given):
        number = self.call(name, *given)
        return 'AWAY' if number == -1 else self.s.statuses.get(number, 'OK' if number == 0 else 'status %d' % number)

    def expect(self, what, got, wanted):
        if isinstance(wanted, set):
            if got not in wanted:
                raise Wrong('%s is %s, not one of %s' % (what, got, sorted(map(str, wanted))))
        elif got != wanted:
            raise Wrong('%s is %s, not %s' % (what, got, wanted))

    # -- what the hooks report --

    def _told(self, _, which, kinds, tag):
        if self.failed:
            return
        try:
            self.event(kinds, tag)
        except Wrong as wrong:
            self.failed = wrong
        except Exception as wrong:  # an error of this program must not get lost in C
            self.failed = wrong

    def event(self, kinds, tag):
        names = [kind for number, kind in enumerate(HOOKS) if kinds >> number & 1]
        self.trace.append('%s* %s %d' % ('    ' * self.depth, '/'.join(names), tag))
        if 'move' in names:
            return
        if not self.frames:
            raise Wrong('hook %s of %d outside of a call' % (names, tag))
        frame = self.frames[-1]
        if self.s.reasons and names[-1] in ('remove', 'destroy'):
            self.reason_is(frame, names)
        if 'update' in names:
            self.update_event(frame, tag)
            return
        if frame.quiet:
            frame.log.append((names[0], tag))
            return
        if names == ['add']:
            if frame.adds is None or frame.adds.tag != tag:
                raise Wrong('the add hook of %d, which is not being added' % tag)
            self.commit_add(frame)
            if 'add' in frame.adds.events:
                raise Wrong('the add hook ran twice')
            frame.adds.events.append('add')
        else:
            element = next((each for each in frame.victims if each.tag == tag
                            and each.events.count(names[0]) < len(names)), None)
            if element is None and frame.expiry:
                element = self.model.find(tag)
                if element is None or not element.gone:
                    raise Wrong('hook %s of %d, which has not expired' % (names, tag))
                frame.victims.append(element)
                if frame.pass_of_update is not None:
                    self.update_removes(frame, element)
            if element is None and frame.evicts is not None:
                element = self.evicted(frame, tag)
            if element is None:
                raise Wrong('hook %s of %d, which is not being removed' % (names, tag))
            if frame.clears and self.model.ordered and not element.events_of_end():
                last = max((each for each in frame.victims if each in self.model.order), key=self.model.order.index, default=element)
                if last is not element:
                    raise Wrong('a clear removes %r before %r' % (element, last))
            if frame.together:
                self.commit_removals(frame)
            elif element in self.model.order:
                self.model.leave(element)
            element.events += names
        count = self.library_count()
        self.expect('count in the hook %s of %d' % (names, tag), count, len(self.model.order))
        self.inside()

    def reason_is(self, frame, names):
        """What is applied later, and what other threads have changed, has the reason that it had then."""
        if (self.model.deferred or self.has('worker_add') or self.has('inbox_add')) and frame.why & {'EXPIRED', 'REMOVED'}:
            return
        got = REASONS[self.library.o_extra()]
        if got not in frame.why:
            raise Wrong('the reason of %s is %s, not one of %s' % (names, got, sorted(frame.why)))

    def update_event(self, frame, tag):
        if frame.updates is None:
            raise Wrong('an update of %d outside of an update' % tag)
        self.step_in_update(frame, tag)

    def step_in_update(self, frame, tag):
        element = self.model.find(tag)
        if element is None:
            raise Wrong('update of %d, which is not in it' % tag)
        if frame.pass_of_update is not None:
            self.update_goes_on(frame, element)  # also a second time, if it was moved
        elif element.gone and (self.c['removal.ask'] or 'after_update') != 'after_update':
            raise Wrong('update of %d, which has expired' % tag)
        elif element in frame.updates and element not in frame.moved:
            raise Wrong('a second update of %d' % tag)
        frame.updates.append(element)
        frame.moved.discard(element)
        if self.random.random() < .3 and self.has('expire') and not element.gone:
            self.call('expire', 0, element.tag, element.key, self.raw(element))
            element.flag = True

    def library_count(self):
        return getattr(self.library, 'o%d_count' % self.s.number)(0) if self.has('count') else len(self.model.order)

    def commit_add(self, frame):
        if frame.adds is not None and not frame.committed:
            frame.committed = True
            frame.commit()

    def commit_removals(self, frame):
        for element in list(frame.victims):
            if element in self.model.order:
                if frame.commit and not frame.committed and frame.replaced is element:
                    self.commit_add(frame)
                else:
                    self.model.leave(element)

    def inside(self):
        """In a hook: other calls, which may call hooks again. Partners destroy each other so."""
        if self.model.deferred or self.depth >= 3 or self.frames[-1].silent or self.random.random() < (.25 if self.model.clears else .55):
            return
        self.depth += 1
        try:
            if self.model.clears and self.random.random() < .6:
                for _ in range(self.random.randint(1, 2)):
                    self.operate(self.random.choice(['add', 'add', 'begin', 'next']))
                return
            for _ in range(self.random.randint(1, 2)):
                self.operate(self.random.choice(['remove', 'remove', 'add', 'add', 'next', 'begin', 'remove_at', 'move', 'remove_key']
                                                + ['clear'] * (self.random.random() < .2)))
        finally:
            self.depth -= 1

    def during(self, frame, name, *given):
        """A call with all that it may report."""
        frame.replaced = getattr(frame, 'replaced', None)
        frame.why = why_of(name)
        self.frames.append(frame)
        try:
            return self.call(name, *given)
        finally:
            self.frames.pop()

    def named(self, number):
        return 'AWAY' if number == -1 else self.s.statuses.get(number, 'OK' if number == 0 else 'status %d' % number)

    def done(self, frame, given_away=False):
        """After a call that succeeded: everything of it has happened, and has been reported once."""
        self.commit_removals(frame)
        self.commit_add(frame)
        for element in frame.victims:
            if element in self.model.order and not frame.adds:
                self.model.leave(element)
            wanted = sorted(each for each in self.hooked if not (given_away and each == 'destroy'))
            if 'move' not in [kind for kind, hook in self.s.hooks.items() if hook in [self.s.hooks[each] for each in self.hooked]]:
                together = [self.s.hooks[each] for each in self.hooked]
                if len(set(together)) == len(together) and sorted(element.events_of_end()) != wanted:
                    raise Wrong('the hooks %s ran for %r, not %s' % (element.events_of_end(), element, wanted))

    def sound(self, l):
        if self.call('check', l):
            said = self.library.o_said
            said.restype = ctypes.c_char_p
            raise Wrong('check: %s' % said().decode())

    def twin(self, element):
        """Is there another one with its key? Calls that look for an equal element may find that."""
        return self.s.key is not None and not self.model.unique and any(each.key == element.key and each is not element for each in self.model.order)

    # -- values --

    def raw(self, element):
        return element.written

    def values(self, tag):
        s = self.s
        unique = self.model.unique
        if s.key is None:
            key = 0
        elif s.key_is_tag:
            key = tag
        elif s.slots:
            key = self.a_key()
        elif unique:
            key = self.random.randint(1, min(MOST, (64 if self.c['index.keys'] == 'run_time' else self.c['index.keys'] or MOST + 1) - 1))
        else:
            key = self.random.randint(1, 6) if self.twins else tag
        rank = 0
        if s.rank is not None:
            rank = tag if s.rank_is_tag else key if s.rank_is_key else self.random.randint(1, 6)
        return key, rank

    def ranked(self, rank):
        rank = rank % self.s.modulus if self.s.modulus else rank
        return -rank if self.s.down else rank >> self.s.shift

    def fresh(self, again=False):
        """A tag that is free; `again`: perhaps one that is in it."""
        there = {each.tag for each in self.model.order} | {each.tag for each in self.model.then()}
        if self.s.kind == 'pointer':  # an add that waits has the element itself, whose key must not change, also if its removal waits, too
            there |= {tag for what, tag in self.model.pending if what == 'add'}
        there |= self.busy()
        if again and there - self.busy() and self.random.random() < .25:
            return self.random.choice(sorted(there - self.busy()))
        free = [tag for tag in range(1, MOST + 1) if tag not in there]
        return self.random.choice(free) if free else None

    def busy(self):
        tags = {element.tag for frame in self.frames for element in frame.victims}
        tags |= {element.tag for element in self.waiting}
        return tags | {frame.adds.tag for frame in self.frames if frame.adds is not None}

    def some(self):
        there = [each for each in self.model.order]
        return self.random.choice(there) if there else None

    # -- operations --

    def live(self):
        return bool(self.model.passes)

    def records(self):
        """How many records of passes are in use at most: where there is a limit, also for what was moved ahead of passes that have visited it."""
        return sum(map(self.records_of, self.model.passes))

    def records_of(self, a_pass):
        return 1 + self.counted * a_pass.noted

    def may_remove(self):
        return not self.live() or self.c['iteration.removes'] != 'current' or self.model.deferred

    def operate(self, name):
        if name not in ('range', 'begin', 'lost', 'foreign', 'read') or name == 'begin' and self.model.resorts:
            self.certain.clear()
        self.forget_weights()
        getattr(self, 'do_' + name)()
