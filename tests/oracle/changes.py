"""Operations that add and remove elements, and the model in the same way."""

import ctypes

from adapter import STORED
from calls import MOST, Frame
from model import Wrong
from orders import Orders


class Changes(Orders):
    """What adds and removes elements."""

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
        element.values = self.index_values(tag, there)
        names = [each for each in ('add', 'add', 'add_front', 'insert_before', 'insert_after', 'add_child', 'emplace') if self.has(each)]
        name = self.random.choice(names)
        if name == 'emplace' and ('add' in s.hooks or m.unique or m.sorts or m.ordering == 'heap' or m.locked()):
            name = 'add'
        if m.locked():
            element.flag = s.kind == 'pointer' and there is not None and there.flag  # it is the same, and its removal is pending
            self.add_later(element, there)
            return
        same = m.find(tag) if s.key is None else m.equal(key)
        same = same if m.unique else None
        at = None
        if name in ('insert_before', 'insert_after', 'add_child'):
            at = self.some() if self.random.random() < .8 else None
            if any(at in frame.victims for frame in self.frames):
                return
            if m.ordering == 'tree' and at is not None and (self.being_removed(at) or self.unseen(at)):
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
                m.number += 1
                element.number = m.number  # behind what a hook of those that made way has added
                m.enter(element, max(where, m.floor()), self.side_of(name, at))
        frame.commit = commit
        if intrusive and there is not None and there is m.find(tag):
            wanted = {'DUPLICATE'}
        elif same is not None and not m.replaces:
            wanted = {'DUPLICATE'}
        elif same is not None:
            wanted = {'REPLACED'}
            frame.replaced = same
            victims = self.makes_way(m, element, name == 'add_front', [same])
            if victims is None:
                wanted, frame.replaced = {'FULL'}, None
            elif victims and self.hooked:
                wanted, frame.replaced = {'REPLACED', 'OK', 'FULL'}, None
                frame.evicts, frame.left = 'back' if name == 'add_front' else 'front', len(m.order)
            else:
                frame.victims, frame.together = [*victims, same], True
            if m.ordering == 'tree' or at is same:
                return
        elif self.taken(element):
            wanted = {'DUPLICATE'} if self.fits(m, element) else {'DUPLICATE', 'FULL'}
        elif not self.fits(m, element):
            victims = self.makes_way(m, element, name == 'add_front')
            if victims is None:
                wanted = {'FULL'}
            else:
                wanted = {'OK'}
                if self.hooked:
                    wanted |= {'FULL', *(['REPLACED' if m.replaces else 'DUPLICATE'] * m.unique), *['DUPLICATE' for index in self.s.indexes if index.unique]}
                # Which ones a hook may change: then they are known one by one.
                if self.hooked and (m.bound is not None or m.replaces):
                    frame.evicts, frame.left = 'back' if name == 'add_front' else 'front', len(m.order) if m.bound is not None else 1
                else:
                    frame.victims = victims
        given = [0, tag, key, rank, int(there is not None and there.gone)] + ([at.tag if at else 0] if name in ('insert_before', 'insert_after', 'add_child') else [])
        got = self.named(self.during_add(frame, name, given, element))
        if name == 'emplace':
            got = 'OK' if got == 'OK' else 'FULL'
        self.expect(name, got, wanted)
        if got in ('OK', 'REPLACED'):
            self.done(frame)
            if 'add' in s.hooks and 'move' not in [k for k, h in s.hooks.items() if h == s.hooks['add']] \
                    and element in m.order and 'add' not in element.events:
                raise Wrong('the add hook did not run for %d' % tag)
            self.note(element)
        elif got in ('FULL', 'DUPLICATE') and frame.victims:
            self.commit_removals(frame)
            if got == 'DUPLICATE' and m.equal(key) is None and not self.taken(element):
                raise Wrong('%s of %d is DUPLICATE, and no hook has added an equal one' % (name, tag))

    @staticmethod
    def side_of(name, at):
        """What is put in front of all is right behind the front, and what is put last is right before the end."""
        behind = name in ('add_front', 'move_to_front', 'move_after') or name == ('insert_before' if at is None else 'insert_after')
        return 'after' if behind else 'before'

    def during_add(self, frame, name, given, element):
        """The call, or one that gives what it added, too."""
        more = [each for each in ('get', 'handle') if self.has('%s_%s' % (name, each))]
        if not more or self.random.random() < .5 or len(self.by_number) >= STORED:
            return self.during(frame, name, *given)
        if self.random.choice(more) == 'handle':
            number = len(self.by_number)
            self.by_number.append(element)
            got = self.during(frame, name + '_handle', *given, number)
            element.handle = number
            if self.named(got) in ('OK', 'REPLACED'):
                self.commit_add(frame)
            if element.latest in self.model.order or self.c['handles.kind'] == 'generational':
                self.expect('the element of the handle that was given', self.call('named', 0, number), element.latest.tag if element.latest in self.model.order else 0)
            return got
        found = ctypes.c_int(0)
        got = self.during(frame, name + '_get', *given, ctypes.byref(found))
        if self.named(got) in ('OK', 'REPLACED'):
            self.commit_add(frame)
        there = element.latest.tag if element.latest in self.model.order else 0  # a hook may have replaced it
        self.expect('the element that was given', found.value, {there, 0} if element.replaced else there)
        return got

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
        if self.has('note') and element in self.model.order and not hasattr(element, 'handle') and len(self.by_number) < STORED and not self.blind_now():
            self.call('note', 0, element.tag, len(self.by_number))
            element.handle = len(self.by_number)
            self.by_number.append(element)

    def blind_now(self):
        return self.s.blind and self.live()

    def add_later(self, element, there):
        m = self.model
        same = m.find(element.tag, m.then()) if self.s.key is None else m.equal(element.key, m.then())
        full = m.maximum is not None and len(m.then()) >= m.maximum
        wanted = 'DUPLICATE' if m.unique and same is not None else 'FULL' if full else 'QUEUED'
        if there is not None and wanted == 'QUEUED' and m.find(element.tag) is not None and self.s.kind != 'pointer':
            return
        got = self.status('add', 0, element.tag, element.key, element.written, int(there is not None and there.gone))
        self.expect('add while locked', got, wanted)
        if got == 'QUEUED':
            m.waiting().append(element)
            m.pending.append(('add', element.tag))

    def remove_later(self, element, name, *given):
        m = self.model
        other = None if name.endswith('remove_current') else m.find(element.tag, m.then()) if self.s.key is None or self.s.rows else m.equal(element.key, m.then())
        wanted = 'QUEUED' if element in m.then() or other else 'ABSENT'
        got = self.status(name, *given)
        self.expect(name + ' while locked', got, wanted)
        if got == 'QUEUED':
            victim = element if element in m.then() else other
            m.waiting().remove(victim)
            m.pending += [(hook, victim.tag) for hook in self.hooked]

    def do_remove(self):
        m = self.model
        element = self.some()
        if element is None or not self.may_remove() or self.blind_now():
            return
        if self.twin(element) and not self.has('remove_handle') or self.s.walks and element.gone:
            return  # it removes an equal one; or a loop does not find it
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
        if not name.endswith('remove_current'):
            given = (0,) + given
        got = self.named(self.during(frame, name, *given))
        self.expect(name, got, 'OK')
        self.done(frame)

    def do_remove_stale(self):
        gone = [each for each in self.by_number if hasattr(each, 'handle') and not getattr(each, 'lost', False) and each.latest not in self.model.order]
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
        key = self.a_key()
        element = m.equal(key)
        if element is None:
            self.expect('remove_key', self.named(self.during(Frame(), 'remove_key', 0, key)), 'ABSENT')
        elif not self.twin(element):  # which of several?
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
        self.remove_standing(a_pass, 'remove_current', number)

    def remove_standing(self, a_pass, name, number):
        """Removes what a pass, or a scan, stands on."""
        if a_pass.current is None:
            if not getattr(a_pass, 'uncertain', False) and not self.s.walks and self.depth == 0:
                self.expect('removal of what has been removed', self.named(self.during(Frame(), name, number)), 'ABSENT')
            return
        if self.model.locked():
            self.remove_later(a_pass.current, name, number)
            return
        a_pass.busy = True
        self.removal(a_pass.current, name, number)
        a_pass.busy = False

    def do_clear(self):
        m = self.model
        if not self.has('clear'):
            return
        if (self.frames or 'clear' in self.s.without) and not self.may_remove():
            return
        if self.live() and not m.fails_fast and not m.deferred and not any('T_clear removes all' in each or 'T_Clear removes all' in each for each in self.s.contract):
            return
        if m.locked():
            got = self.status('clear', 0)
            self.expect('clear while locked', got, {'QUEUED', 'OK'})
            for each in list(m.waiting()):
                m.waiting().remove(each)
                m.pending += [(hook, each.tag) for hook in self.hooked]
            return
        frame = Frame(victims=list(m.order))  # one by one: until it is removed an element is in the container, also for hooks
        frame.clears = True
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

    def do_add_all(self):
        m, s = self.model, self.s
        if not self.has('add_all') or s.hooks or m.locked() or m.replaces or m.overwrites or self.frames:
            return
        wanted, taken, elements = 'OK', 0, []
        numbers = []
        for _ in range(self.random.randint(0, 4)):
            there = {each.tag for each in m.order + elements + self.waiting}
            free = [tag for tag in range(1, MOST + 1) if tag not in there]
            if not free:
                return
            tag = self.random.choice(free)
            key, rank = self.values(tag)
            element = m.make(tag, key, self.ranked(rank))
            element.written = rank
            element.values = self.index_values(tag)
            elements.append(element)
            numbers += [tag, key, rank, 0]
        count = ctypes.c_int(0)
        got = self.status('add_all', 0, (ctypes.c_int * len(numbers))(*numbers) if numbers else (ctypes.c_int * 1)(), len(elements), ctypes.byref(count))
        for element in elements:
            if m.unique and s.key is not None and m.equal(element.key) is not None or self.taken(element):
                wanted = 'DUPLICATE'
                continue
            if not self.fits(m, element):
                wanted = 'FULL'
                if s.slots and not s.numbers:  # another one may have a place
                    continue
                break
            m.enter(element, m.place(element))
            taken += 1
        self.expect('add_all', got, wanted)
        self.expect('taken', count.value, taken)
        for element in elements:
            if element in m.order:
                self.note(element)
