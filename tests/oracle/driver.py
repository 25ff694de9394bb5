"""Random operations on a container and on its model, and a comparison after each."""

import ctypes
import random

from adapter import HOOKS, STORED, TAGS
from model import Model, Wrong

MOST = 24  # tags in use: few, so that elements meet
TOLD = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)


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
        self.quiet = self.silent = False
        self.log = []


class Run:
    """One container, from a seed."""

    def __init__(self, subject, library, seed, steps):
        self.s, self.library, self.steps = subject, library, steps
        self.random = random.Random('%s %d' % (subject.T, seed))
        c = subject.settings
        self.c = c
        self.model = Model(c, subject.contract)
        self.model.down = subject.down
        self.trace, self.frames, self.depth = [], [], 0
        self.slots = [None] * 16  # cursors: the pass of each, or None
        self.limit = c['iteration.passes'] if c['iteration.cursors'] == 'many' and not self.model.fails_fast else 15
        self.limit = min(self.limit, 8) - (1 if subject.walks else 0)
        self.one = c['iteration.cursors'] == 'one'
        if self.one:
            self.limit = 1
        self.by_number = []  # elements, by the number of the handle that was kept of each
        self.failed = None
        self.keyed = c['identity.by'] in ('key', 'value')
        self.told = TOLD(self._told)
        self.hooked = [kind for kind in ('remove', 'destroy') if kind in subject.hooks]

    # -- calls --

    def has(self, name):
        return hasattr(self.library, 'o%d_%s' % (self.s.number, name))

    def call(self, name, *given):
        self.trace.append('%s%s(%s)' % ('    ' * self.depth, name, ', '.join(map(str, given))))
        result = getattr(self.library, 'o%d_%s' % (self.s.number, name))(*given)
        if self.failed:
            raise self.failed
        self.trace[-1] += ''
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
            if element is None:
                raise Wrong('hook %s of %d, which is not being removed' % (names, tag))
            if frame.together:
                self.commit_removals(frame)
            elif element in self.model.order:
                self.model.leave(element)
            element.events += names
        count = self.library_count()
        self.expect('count in the hook %s of %d' % (names, tag), count, len(self.model.order))
        self.inside()

    def update_event(self, frame, tag):
        if frame.updates is None:
            raise Wrong('an update of %d outside of an update' % tag)
        self.step_in_update(frame, tag)

    def step_in_update(self, frame, tag):
        element = self.model.find(tag)
        if element is None:
            raise Wrong('update of %d, which is not in it' % tag)
        if element.gone and (self.c['removal.ask'] or 'after_update') != 'after_update':
            raise Wrong('update of %d, which has expired' % tag)
        if element in frame.updates:
            raise Wrong('a second update of %d' % tag)
        frame.updates.append(element)
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
        if self.model.deferred or self.depth >= 3 or self.frames[-1].silent or self.random.random() < .55:
            return
        self.depth += 1
        try:
            for _ in range(self.random.randint(1, 2)):
                self.operate(self.random.choice(['remove', 'remove', 'add', 'add', 'next', 'begin', 'remove_at', 'move', 'remove_key']
                                                + ['clear'] * (self.random.random() < .2)))
        finally:
            self.depth -= 1

    def during(self, frame, name, *given):
        """A call with all that it may report."""
        frame.replaced = getattr(frame, 'replaced', None)
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
        elif unique:
            key = self.random.randint(1, min(MOST, (self.c['index.keys'] or MOST + 1) - 1))
        else:
            key = tag  # calls that take an element look for an equal one: with several they would not say which
        rank = 0
        if s.rank is not None:
            rank = tag if s.rank_is_tag else key if s.rank_is_key else self.random.randint(1, 6)
        return key, rank

    def ranked(self, rank):
        rank = rank % self.s.modulus if self.s.modulus else rank
        return -rank if self.s.down else rank >> self.s.shift

    def fresh(self, again=False):
        """A tag that is free; `again`: perhaps one that is in it."""
        there = {each.tag for each in self.model.order} | {each.tag for each in self.model.then()} | self.busy()
        if again and there and self.random.random() < .25:
            return self.random.choice(sorted(there - self.busy()) or [1])
        free = [tag for tag in range(1, MOST + 1) if tag not in there]
        return self.random.choice(free) if free else None

    def busy(self):
        tags = {element.tag for frame in self.frames for element in frame.victims}
        return tags | {frame.adds.tag for frame in self.frames if frame.adds is not None}

    def some(self):
        there = [each for each in self.model.order]
        return self.random.choice(there) if there else None

    # -- operations --

    def live(self):
        return bool(self.model.passes)

    def may_remove(self):
        return not self.live() or self.c['iteration.removes'] != 'current' or self.model.deferred

    def operate(self, name):
        getattr(self, 'do_' + name)()

    def do_add(self):
        m, s = self.model, self.s
        intrusive = s.by == 'intrusive'
        again = m.unique and (s.key is None or s.key_is_tag) or intrusive
        tag = self.fresh(again)
        if tag is None or len(m.then()) >= MOST - 2 and self.random.random() < .8:
            return
        there = m.find(tag, m.then()) or m.find(tag)
        if there is not None:
            key, rank = there.key, there.written
            if s.kind == 'value' and not s.key_is_tag and s.key is not None:
                return
        else:
            key, rank = self.values(tag)
        element = m.make(tag, key, self.ranked(rank))
        element.written = rank
        names = [each for each in ('add', 'add', 'add_front', 'insert_before', 'insert_after', 'add_child', 'emplace') if self.has(each)]
        name = self.random.choice(names)
        if name == 'emplace' and ('add' in s.hooks or m.unique or m.sorts or m.ordering == 'heap' or m.locked()):
            name = 'add'
        if m.locked():
            self.add_later(element, there)
            return
        same = m.find(tag) if s.key is None else m.equal(key)
        same = same if m.unique else None
        at = None
        if name in ('insert_before', 'insert_after', 'add_child'):
            at = self.some() if self.random.random() < .8 else None
            if any(at in frame.victims for frame in self.frames):
                return
        index, parent = self.spot(name, element, at)
        wanted = {'OK'}
        frame = Frame(adds=element)
        frame.replaced = None

        def commit():
            if frame.replaced is not None and frame.replaced in m.order:
                m.replace(frame.replaced, element)
                for outer in self.frames:
                    if outer is not frame and frame.replaced in outer.victims:
                        outer.victims.append(element)  # a clear in progress removes what has replaced an element
            else:
                where, below = self.spot(name, element, at)
                element.parent = below
                m.enter(element, max(where, m.floor()), name == 'add_front')
        frame.commit = commit
        if intrusive and there is not None and there is m.find(tag):
            wanted = {'DUPLICATE'}
        elif same is not None and not m.replaces:
            wanted = {'DUPLICATE'}
        elif same is not None:
            wanted = {'REPLACED'}
            frame.replaced = same
            frame.victims, frame.together = [same], True
            if m.ordering == 'tree' or at is same:
                return
        elif m.maximum is not None and len(m.order) >= m.maximum:
            if m.overwrites:
                victim = m.order[-1 if name == 'add_front' else 0]
                if m.ordering == 'fifo' and name == 'add_front':
                    victim = m.order[-1]
                frame.victims = [victim]
                wanted = {'OK', 'FULL'} if self.hooked else {'OK'}
            else:
                wanted = {'FULL'}
        given = [0, tag, key, rank, int(there is not None and there.gone)] + ([at.tag if at else 0] if name in ('insert_before', 'insert_after', 'add_child') else [])
        got = self.named(self.during(frame, name, *given))
        if name == 'emplace':
            got = 'OK' if got == 'OK' else 'FULL'
        self.expect(name, got, wanted)
        if got in ('OK', 'REPLACED'):
            self.done(frame)
            if 'add' in s.hooks and 'move' not in [k for k, h in s.hooks.items() if h == s.hooks['add']] \
                    and element in m.order and 'add' not in element.events:
                raise Wrong('the add hook did not run for %d' % tag)
            self.note(element)
        elif got == 'FULL' and frame.victims:
            self.commit_removals(frame)

    def spot(self, name, element, at):
        """The index that a call names, and the parent there."""
        m = self.model
        if name in ('add', 'emplace'):
            return m.place(element), None
        if name == 'add_front' or name == 'insert_before' and at is None:
            return 0, None
        if at is None:
            return len(m.order), None
        if at not in m.order:
            return len(m.order), None
        if name == 'insert_before':
            return m.order.index(at), at.parent
        return m.end_of(at), at if name == 'add_child' else at.parent

    def note(self, element):
        if self.has('note') and element in self.model.order and len(self.by_number) < STORED and not self.blind_now():
            self.call('note', 0, element.tag, len(self.by_number))
            element.handle = len(self.by_number)
            self.by_number.append(element)

    def blind_now(self):
        return self.s.blind and self.live()

    def add_later(self, element, there):
        m = self.model
        same = m.find(element.tag, m.then()) if self.s.key is None else m.equal(element.key, m.then())
        wanted = 'DUPLICATE' if m.unique and same is not None else 'QUEUED'
        if there is not None and wanted == 'QUEUED' and m.find(element.tag) is not None and self.s.kind != 'pointer':
            return
        got = self.status('add', 0, element.tag, element.key, element.written, 0)
        self.expect('add while locked', got, wanted)
        if got == 'QUEUED':
            if m.future is None:
                m.future = list(m.order)
            m.future.append(element)
            m.pending.append(('add', element.tag))

    def remove_later(self, element, name, *given):
        m = self.model
        other = None if name == 'remove_current' else m.find(element.tag, m.then()) if self.s.key is None or self.s.rows else m.equal(element.key, m.then())
        wanted = 'QUEUED' if element in m.then() or other else 'ABSENT'
        got = self.status(name, *given)
        self.expect(name + ' while locked', got, wanted)
        if got == 'QUEUED':
            if m.future is None:
                m.future = list(m.order)
            victim = element if element in m.future else other
            m.future.remove(victim)
            m.pending += [(hook, victim.tag) for hook in self.hooked]

    def do_remove(self):
        m = self.model
        element = self.some()
        if element is None or not self.may_remove() or self.blind_now():
            return
        if m.locked():
            if self.has('remove'):
                self.remove_later(element, 'remove', 0, element.tag)
            return
        if not m.ordered and self.keyed and not m.unique and self.s.key is not None and sum(each.key == element.key for each in m.order) > 1:
            return
        victim = element
        if self.s.kind == 'pointer' and self.s.key is not None and not m.unique:
            victim = element  # this element, whatever equals it
        if self.has('remove_handle'):
            if not hasattr(victim, 'handle'):
                return
            self.removal(victim, 'remove_handle', victim.handle)
        elif self.has('remove'):
            self.removal(victim, 'remove', victim.tag)

    def removal(self, victim, name, *given):
        m = self.model
        frame = Frame(victims=list(reversed(m.subtree(victim))))
        if name != 'remove_current':
            given = (0,) + given
        got = self.named(self.during(frame, name, *given))
        self.expect(name, got, 'OK')
        self.done(frame)

    def do_remove_stale(self):
        gone = [each for each in self.by_number if each.latest not in self.model.order]
        if not gone or self.model.locked() or not self.may_remove() or self.c['handles.kind'] != 'generational':
            return
        element = self.random.choice(gone)
        if self.has('remove_handle'):
            self.expect('removal by a stale handle', self.named(self.during(Frame(), 'remove_handle', 0, element.handle)), 'STALE')
        if self.has('named'):
            self.expect('element of a stale handle', self.call('named', 0, element.handle), 0)

    def do_remove_absent(self):
        if self.s.kind != 'pointer' or not self.has('remove') or not self.may_remove() or self.model.locked():
            return
        tag = self.fresh()
        if tag is not None:
            if self.s.key is not None:
                return
            self.expect('removal of what is not in it', self.named(self.during(Frame(), 'remove', 0, tag)), 'ABSENT')

    def do_remove_key(self):
        m = self.model
        if not self.has('remove_key') or not self.may_remove() or m.locked():
            return
        key = self.random.randint(1, MOST)
        element = m.equal(key)
        if element is None:
            self.expect('remove_key', self.named(self.during(Frame(), 'remove_key', 0, key)), 'ABSENT')
        else:
            self.removal(element, 'remove_key', key)

    def do_remove_at(self):
        m = self.model
        if not self.has('remove_at') or not self.may_remove() or m.locked() or not self.has('get') and not m.ordered:
            return
        at = self.random.randint(0, len(m.order))
        if at == len(m.order):
            self.expect('remove_at', self.named(self.during(Frame(), 'remove_at', 0, at)), 'ABSENT')
            return
        if m.ordered:
            element = m.order[at]
        else:
            element = m.find(self.call('get', 0, at))
            if element is None:
                raise Wrong('index %d has an element that is not in it' % at)
        self.removal(element, 'remove_at', at)

    def do_remove_current(self):
        cursors = [number for number, each in enumerate(self.slots) if each is not None and each.live and not each.busy and each in self.model.passes]
        if not cursors or not self.has('remove_current'):
            return
        number = self.random.choice(cursors)
        a_pass = self.slots[number]
        if a_pass.moved or a_pass.changed or not getattr(a_pass, 'begun', False):
            return
        if a_pass.current is None:
            if not getattr(a_pass, 'uncertain', False) and not self.s.walks and self.depth == 0:
                self.expect('removal of what has been removed', self.named(self.during(Frame(), 'remove_current', number)), 'ABSENT')
            return
        if self.model.locked():
            self.remove_later(a_pass.current, 'remove_current', number)
            return
        a_pass.busy = True
        self.removal(a_pass.current, 'remove_current', number)
        a_pass.busy = False

    def do_clear(self):
        m = self.model
        if not self.has('clear') or not self.may_remove():
            return
        if self.live() and not m.fails_fast and not m.deferred and not any('T_clear removes all' in each or 'T_Clear removes all' in each for each in self.s.contract):
            return
        if m.locked():
            got = self.status('clear', 0)
            self.expect('clear while locked', got, {'QUEUED', 'OK'})
            m.future = [] if m.future is None else m.future
            for each in list(m.future) or (list(m.order) if not m.pending and got == 'QUEUED' else []):
                m.pending += [(hook, each.tag) for hook in self.hooked]
            m.future = []
            return
        frame = Frame(victims=list(m.order))  # one by one: until it is removed an element is in the container, also for hooks
        m.clears.append(frame.victims)
        got = self.during(frame, 'clear', 0)
        m.clears.pop()
        if m.fails_fast:
            m.touched()
        self.expect('clear', self.named(got), 'OK')
        self.commit_removals(frame)
        self.done(frame)
        if not frame.victims and not self.live():
            return
        for each in m.passes:
            each.todo = [element for element in each.todo if element in m.order]

    def do_pop(self):
        m = self.model
        name = self.random.choice(['pop', 'pop_back', 'pop_away', 'pop_back_away'])
        if not self.has(name) or not self.may_remove():
            return
        away = name.endswith('_away')
        tag = ctypes.c_int(0)
        given = (0,) if away else (0, ctypes.byref(tag))
        if not m.order:
            self.expect(name, self.named(self.during(Frame(), name, *given)), 'ABSENT')
            return
        if m.ordering == 'heap':
            least = min(each.rank for each in m.order)
            first = m.find(self.call('first', 0))
            if first is None or first.rank != least:
                raise Wrong('first is %r, and the least rank %d' % (first, least))
            victim = first
        else:
            victim = m.order[-1 if 'back' in name else 0]
        frame = Frame(victims=[victim], together=True)
        self.expect(name, self.named(self.during(frame, name, *given)), 'OK')
        if not away and self.s.kind != 'pointer' or not away:
            self.expect('what %s gave' % name, tag.value, victim.tag)
        self.done(frame, given_away=not away)

    def do_move(self):
        m = self.model
        names = [each for each in ('move_before', 'move_after', 'move_to_front', 'move_to_back') if self.has(each)]
        if not names or len(m.order) < 1 or self.blind_now() or m.locked():
            return
        if self.live() and (self.c['iteration.removes'] == 'current' or not m.fails_fast and not any('that is moved' in each for each in self.s.contract)):
            return
        name = self.random.choice(names)
        if self.frames and name == 'move_to_front':
            return  # during a clear that is behind what it has still to remove
        element, at = self.some(), self.some()
        if any(each in frame.victims for frame in self.frames for each in (element, at)):
            return
        if self.model.ordering == 'tree':
            return
        old, other = m.order.index(element), m.order.index(at)
        given = [0, element.tag]
        if name in ('move_before', 'move_after'):
            given.append(at.tag)
        got = self.named(self.during(Frame(), name, *given))
        self.expect(name, got, 'OK')
        if name == 'move_to_front':
            index = 0
        elif name == 'move_to_back':
            index = len(m.order) - 1
        else:
            index = other if name == 'move_before' else other + 1
            if old < index:
                index -= 1
        if element is at and name in ('move_before', 'move_after') or index == old:
            for each in m.passes:
                each.uncertain_end = m.fails_fast
            return
        m.move(element, index)

    def do_rekey(self):
        m, s = self.model, self.s
        element = self.some()
        if element is None or s.rank is None or s.rank_is_tag or s.rank_is_key or self.blind_now() or self.frames:
            return
        if s.key is not None and not m.unique:
            return
        rank = self.random.randint(1, 6)
        if self.has('rekey') and (not self.live() or m.fails_fast or m.ordering == 'heap'
                                  or any('that is moved' in each for each in s.contract) or m.sorts and self.c['iteration.removes'] == 'any'):
            number = getattr(element, 'handle', -1)
            if number < 0 and 'handle' in s.operations['rekey'].params[1][0]:
                return
            got = self.named(self.during(Frame(), 'rekey', 0, element.tag, element.key, rank, int(element.gone), max(number, 0)))
            self.expect('rekey', got, 'OK')
            element.rank, element.written = self.ranked(rank), rank
            if m.sorts:
                old = m.order.index(element)
                rest = [each for each in m.order if each is not element]
                index = next((i for i, each in enumerate(rest) if each.rank > element.rank), len(rest))
                if index != old:
                    m.move(element, index)
                else:
                    for each in m.passes:
                        each.uncertain_end = True
            elif m.fails_fast:
                for each in m.passes:
                    each.uncertain_end = True
        elif m.resorts and not self.live() and self.has('change'):
            self.call('change', 0, element.tag, element.key, rank, int(element.gone))
            element.rank, element.written = self.ranked(rank), rank

    def do_sort(self):
        m = self.model
        if not self.has('sort') or self.frames:
            return
        changed = []
        s = self.s
        if m.sorts and not self.live() and s.rank is not None and not s.rank_is_tag and not s.rank_is_key and self.has('change') and not self.blind_now():
            for element in self.random.sample(m.order, min(2, len(m.order))):
                if s.walks or s.kind != 'pointer' and s.key is not None and m.unique and not m.ordered:
                    continue
                changed.append((element, self.random.randint(1, 6)))
            for element, rank in changed:
                self.call('change', 0, element.tag, element.key, rank, int(element.gone))
                element.rank, element.written = self.ranked(rank), rank
        got = self.status('sort', 0)
        if self.live() and not m.fails_fast:
            self.expect('sort under a pass', got, 'BUSY')
            return
        self.expect('sort', got, 'OK')
        m.order.sort(key=lambda each: each.rank)
        for each in m.passes:
            each.uncertain_end = True

    def do_expire(self):
        element = self.some()
        if element is None or not self.has('expire') or self.s.gone is None or self.blind_now() or self.s.rank_is_gone or self.frames or element.gone:
            return
        self.call('expire', 0, element.tag, element.key, element.written)
        element.flag = True

    def do_update(self):
        m = self.model
        if not self.has('update') or self.frames or len(m.passes) >= min(self.limit, 7) or self.live() and self.one:
            return
        if self.live() and self.c['iteration.removes'] != 'any':
            return
        frame = Frame(expiry=True, updates=[])
        m.sort_at_begin()
        before = [each for each in m.order if not each.gone]
        late = {each: each.gone for each in m.order}
        self.during(frame, 'update', 0)
        ask = self.c['removal.ask'] or 'after_update'
        if 'update' in self.s.hooks:
            wanted = [each for each in late if not late[each] or ask == 'after_update']
            if ask != 'after_update' or self.c['removal.policy'] is None:
                pass
            missed = [each for each in wanted if each not in frame.updates and each in before and each in m.order]
            if missed:
                raise Wrong('no update of %r' % missed)
        for each in list(m.order):
            if each.gone and (ask != 'before_update' or late[each]):
                if self.hooked:
                    raise Wrong('%r has expired, and the update left it' % each)
                m.leave(each)
        for element in frame.victims:
            if len(set(self.s.hooks[each] for each in self.hooked)) == len(self.hooked):
                self.expect('hooks of %r' % element, sorted(element.events_of_end()), sorted(self.hooked))

    # -- passes --

    def do_begin(self):
        m = self.model
        free = [number for number, each in enumerate(self.slots) if each is None]
        if not free or len(m.passes) >= self.limit:
            return
        if self.one and self.live() or self.frames and self.c['iteration.removes'] == 'current':
            return  # in a hook: the call that runs it may remove more
        name = 'begin'
        backward = self.c['iteration.direction'] == 'backward'
        if self.has('begin_backward') and self.random.random() < .5:
            name, backward = 'begin_backward', True
        self.call(name, 0, free[0])
        self.slots[free[0]] = m.begin(backward)
        if self.frames and m.fails_fast:
            self.slots[free[0]].uncertain_end = True  # the call that runs the hook may move elements behind it

    def do_next(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None and not each.busy]
        if numbers:
            self.step(self.random.choice(numbers))

    def step(self, number):
        m = self.model
        a_pass = self.slots[number]
        frame = Frame(expiry=m.reach_removes)
        quiet = self.last_of_deferred(a_pass)
        if quiet:
            frame.quiet = True
        before = self.depth
        got = self.during(frame, 'next', 0, number)
        self.depth = before
        if a_pass.changed and not getattr(a_pass, 'uncertain_end', False):
            self.expect('next of a pass after a change', got, 0)
        if got == 0:
            if not a_pass.changed and not getattr(a_pass, 'uncertain_end', False):
                ahead = a_pass.ahead(m)
                if ahead:
                    raise Wrong('the pass %d ends, and %r has not been visited' % (number, [each for each, _ in ahead]))
            if self.has('was_changed') and not getattr(a_pass, 'uncertain_end', False):
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

    def reach(self, frame, a_pass, found):
        """Where a pass removes what has expired: it has, of all that it went by."""
        m = self.model
        if not m.reach_removes:
            return
        if found is None:
            skipped = [each for each in a_pass.line(m) if each.gone]
        else:
            skipped = found[1]
        for each in skipped:
            if each.gone and each in m.order:
                if self.hooked:
                    raise Wrong('the pass went by %r, which has expired, and no hook ran' % each)
                m.leave(each)

    def last_of_deferred(self, a_pass):
        return self.model.deferred and self.model.locks == 0 and self.model.passes == [a_pass]

    def finish(self, number, frame=None):
        a_pass = self.slots[number]
        self.slots[number] = None
        self.model.end(a_pass)
        self.release(frame)

    def release(self, frame):
        """The last lock has gone: what was pending has been done, in its order."""
        m = self.model
        if not m.deferred or m.locked():
            return
        if m.future is not None:
            m.order, m.future = m.future, None
        wanted = [each for each in m.pending if each[0] in self.s.hooks]
        plain = [kind for kind in self.s.hooks if list(self.s.hooks.values()).count(self.s.hooks[kind]) == 1]
        got = frame.log if frame else []
        if self.s.hooks and len(plain) == len(self.s.hooks) and 'move' not in self.s.hooks:
            if sorted(got) != sorted(wanted):
                raise Wrong('the hooks of the replay: %s, not %s' % (sorted(got), sorted(wanted)))
        m.pending = []

    def do_end(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None]
        if not numbers or self.frames:
            return
        number = self.random.choice(numbers)
        frame = Frame()
        frame.quiet = self.last_of_deferred(self.slots[number])
        self.during(frame, 'end', number)
        self.finish(number, frame)
        if self.random.random() < .2:
            self.call('end', number)

    def do_abandon(self):
        numbers = [number for number, each in enumerate(self.slots) if each is not None]
        if not numbers or self.frames or self.random.random() < .7:
            return
        number = self.random.choice(numbers)
        self.trace.append('abandon(%d)' % number)
        if self.model.fails_fast:
            self.model.end(self.slots[number])
        self.slots[number] = None

    def do_settle(self):
        m = self.model
        if self.frames or any(self.slots) or not self.has('settle') or m.locks:
            return
        frame = Frame(expiry=m.reach_removes or self.c['removal.expired'] is not None)
        frame.quiet = m.deferred
        self.expect('settle', self.named(self.during(frame, 'settle', 0)), 'OK')
        m.passes = []
        if m.reach_removes:
            for each in list(m.order):
                if each.gone:
                    if self.hooked:
                        raise Wrong('%r has expired, and settle left it' % each)
                    m.leave(each)
        self.release(frame)

    def do_lock(self):
        m = self.model
        if not self.has('lock'):
            return
        if m.locks and self.random.random() < .6:
            frame = Frame()
            frame.quiet = m.locks == 1 and not m.passes
            self.expect('unlock', self.named(self.during(frame, 'unlock', 0)), 'OK')
            m.locks -= 1
            self.release(frame)
        elif m.locks < 3:
            self.call('lock', 0)
            m.locks += 1

    def do_memory(self):
        if self.frames:
            return
        name = self.random.choice(['reserve', 'shrink_to_fit'])
        if not self.has(name):
            return
        given = (0, self.random.randint(0, 12)) if name == 'reserve' else (0,)
        if self.c['iteration.removes'] == 'current' and self.live():
            return
        got = self.status(name, *given)
        full = name == 'reserve' and self.model.maximum is not None and given[1] > self.model.maximum
        self.expect(name, got, {'FULL'} if full else {'OK'})
        for each in self.model.passes:
            each.uncertain_end = True

    def do_add_all(self):
        m, s = self.model, self.s
        if not self.has('add_all') or s.hooks or m.locked() or m.replaces or m.overwrites or self.frames:
            return
        wanted, taken, elements = 'OK', 0, []
        numbers = []
        for _ in range(self.random.randint(0, 4)):
            there = {each.tag for each in m.order} | {each.tag for each in elements}
            free = [tag for tag in range(1, MOST + 1) if tag not in there]
            if not free:
                return
            tag = self.random.choice(free)
            key, rank = self.values(tag)
            element = m.make(tag, key, self.ranked(rank))
            element.written = rank
            elements.append(element)
            numbers += [tag, key, rank, 0]
        count = ctypes.c_int(0)
        got = self.status('add_all', 0, (ctypes.c_int * len(numbers))(*numbers) if numbers else (ctypes.c_int * 1)(), len(elements), ctypes.byref(count))
        for element in elements:
            if m.unique and s.key is not None and m.equal(element.key) is not None:
                wanted = 'DUPLICATE'
                continue
            if m.maximum is not None and len(m.order) >= m.maximum:
                wanted = 'FULL'
                break
            m.enter(element, m.place(element))
            taken += 1
        self.expect('add_all', got, wanted)
        self.expect('taken', count.value, taken)
        for element in elements:
            if element in m.order:
                self.note(element)

    # -- comparisons --

    def compare(self):
        m = self.model
        if self.has('count'):
            self.expect('count', self.call('count', 0), len(m.order))
        if self.has('is_empty'):
            self.expect('is_empty', self.call('is_empty', 0), int(not m.order))
        if self.has('predicted_count'):
            self.expect('predicted_count', self.call('predicted_count', 0), len(m.then()))
        if self.has('is_locked'):
            self.expect('is_locked', self.call('is_locked', 0), int(m.locked()))
        if self.call('check', 0):
            said = self.library.o_said
            said.restype = ctypes.c_char_p
            raise Wrong('check: %s' % said().decode())
        if self.blind_now():
            return
        self.listed()
        for _ in range(2):
            self.ask()

    def listed(self):
        m = self.model
        if self.s.walks:
            m.sort_at_begin()
        frame = Frame(expiry=m.reach_removes)
        frame.quiet, frame.silent = m.deferred, True
        out = (ctypes.c_int * (TAGS + 1))()
        count = self.during(frame, 'list', 0, out)
        if count < 0:
            return
        tags = list(out[:count])
        if self.s.walks and m.reach_removes:
            for each in list(m.order):
                if each.gone:
                    m.leave(each)
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
        if self.has('will_contain') and element is not None:
            same = m.find(element.tag, m.then()) if self.s.key is None else m.equal(element.key, m.then())
            if self.s.rows:
                same = element if element in m.then() else None  # a row is this element, whatever equals it
            self.expect('will_contain %r' % element, self.call('will_contain', 0, element.tag), int(same is not None))
        if self.s.kind == 'pointer' and self.has('contains') and self.s.key is None:
            tag = self.fresh()
            if tag is not None and m.find(tag) is None:
                self.expect('contains %d' % tag, self.call('contains', 0, tag), 0)
        if self.has('find') and self.s.key is not None:
            key = self.random.randint(1, MOST)
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
        if self.has('last') and m.ordered and not m.resorts:
            self.expect('last', self.call('last', 0), m.order[-1].tag if m.order else 0)
        if self.has('previous_of') and element is not None and m.ordered:
            index = m.order.index(element)
            self.expect('previous_of %r' % element, self.call('previous_of', 0, element.tag), m.order[index - 1].tag if index else 0)
        if self.has('parent_of') and element is not None:
            self.expect('parent_of %r' % element, self.call('parent_of', 0, element.tag), element.parent.tag if element.parent else 0)
        if self.has('named') and self.by_number:
            other = self.random.choice(self.by_number)
            if other.latest in m.order:
                self.expect('the handle of %r' % other, self.call('named', 0, other.handle), other.latest.tag)
            elif self.c['handles.kind'] == 'generational':
                self.expect('the stale handle of %r' % other, self.call('named', 0, other.handle), 0)

    OPERATIONS = (['add'] * 9 + ['next'] * 14 + ['begin'] * 5 + ['remove'] * 5 + ['remove_current'] * 4 + ['remove_at', 'remove_key', 'pop', 'pop', 'move', 'move']
                  + ['rekey', 'rekey', 'rekey', 'sort', 'expire', 'expire', 'update', 'end', 'end', 'abandon', 'settle', 'settle', 'lock', 'lock', 'memory', 'add_all', 'remove_stale', 'remove_absent'])

    def go(self):
        self.library.o_told(self.told)
        self.call('open')
        for step in range(self.steps):
            name = 'clear' if self.random.random() < .015 else self.random.choice(self.OPERATIONS)
            self.operate(name)
            self.compare()
        self.frames.append(Frame(victims=list(self.model.order), expiry=True))
        self.frames[-1].quiet = True
        self.call('close')
        log = self.frames.pop().log
        if self.hooked and len(set(self.s.hooks.values())) == len(self.s.hooks):
            wanted = sorted((hook, each.tag) for each in self.model.order for hook in self.hooked)
            if not self.model.pending and sorted(each for each in log if each[0] in self.hooked) != wanted:
                raise Wrong('deinit: hooks %s, not %s' % (log, wanted))
