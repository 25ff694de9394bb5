"""Moves of elements, changes of what they are found and ordered by, expiry and updates."""

from calls import MOST, Frame
from lookups import Named
from model import Wrong
from trees import Trees


class Orders(Named, Trees):
    """What changes elements, or moves them."""

    def do_move(self):
        m = self.model
        names = [each for each in ('move_before', 'move_after', 'move_to_front', 'move_to_back', 'move_to_parent') if self.has(each)]
        if not names or len(m.order) < 1 or self.blind_now() or m.locked():
            return
        if self.live() and (self.c['iteration.removes'] == 'current' or not m.fails_fast and not any('that is moved' in each for each in self.s.contract)):
            return
        if m.ordering == 'tree':
            self.move_subtree()
            return
        name = self.random.choice(names)
        if self.frames and name == 'move_to_front':
            return  # during a clear that is behind what it has still to remove
        element, at = self.some(), self.some()
        if any(each in frame.victims for frame in self.frames for each in (element, at)):
            return
        old, other = m.order.index(element), m.order.index(at)
        given = [0, element.tag]
        if name in ('move_before', 'move_after'):
            given.append(at.tag)
        got = self.named(self.during(Frame(), name, *given))
        if got == 'BUSY' and (self.counted or self.one) and (self.live() or self.frames):
            return  # there is no record for a pass that has visited it
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
        m.move(element, index, self.side_of(name, at))
        self.moved_in_frames(element, behind=m.adds == 'next' or name != 'move_to_back', again=m.positions or not m.exact)

    def moved_in_frames(self, *moved, behind, again=True):
        """An update that is under way may come to them a second time where adds are visited; or not at all if they are behind it then."""
        for frame in self.frames:
            if again and self.model.adds == 'visited':
                frame.moved.update(moved)
            if behind:
                frame.placed.update(moved)

    def do_rekey(self):
        m, s = self.model, self.s
        element = self.some()
        if element is None or self.blind_now() or self.frames:
            return
        if self.has('rekey_key') and m.unique and self.random.random() < .5:
            self.rekey_key(element)
            return
        if s.rank is None or s.rank_is_tag or s.rank_is_key or s.key is not None and not m.unique:
            return
        rank = self.random.randint(1, 6)
        if any(index.unique and index.role == 'rank' for index in s.indexes) and any(rank == other.written for other in m.order):
            return  # that index would have it twice
        if self.has('rekey') and self.may_rekey():
            number = self.number_for('rekey', element)
            if number is None:
                return
            got = self.named(self.during(Frame(), 'rekey', 0, element.tag, element.key, rank, int(element.gone), number))
            self.expect('rekey', got, 'OK')
            old = element.written
            element.rank, element.written = self.ranked(rank), rank
            self.rekey_shared(element, 'rank', old, rank)
            self.filed_again(element)
        elif m.resorts and not self.live() and self.has('change'):
            self.call('change', 0, element.tag, element.key, rank, int(element.gone))
            old = element.written
            element.rank, element.written = self.ranked(rank), rank
            self.rekey_shared(element, 'rank', old, rank)

    def may_rekey(self):
        m = self.model
        return not self.live() or m.fails_fast or m.ordering == 'heap' or any('that is moved' in each for each in self.s.contract) \
            or m.sorts and self.c['iteration.removes'] == 'any'

    def number_for(self, name, element):
        """Of the handle that a call takes: 0 if it takes none; None if none was kept."""
        return getattr(element, 'handle', None) if 'handle' in self.s.operations[name].params[1][0] else 0

    def filed_again(self, element):
        """An order by what has changed."""
        m = self.model
        if m.sorts:
            old = m.order.index(element)
            rest = [each for each in m.order if each is not element]
            index = next((i for i, each in enumerate(rest) if each.rank > element.rank), len(rest))
            if index != old:
                m.move(element, index)
                return
        if m.sorts or m.fails_fast:
            for each in m.passes:
                each.uncertain_end = True

    def rekey_key(self, element):
        """Of what makes two elements equal: no other may have it."""
        m, s = self.model, self.s
        name = 'rekey_index' if 'rekey_index' in s.operations else 'rekey'
        number = self.number_for(name, element)
        if s.rank_is_key and not self.may_rekey() or number is None or m.locked():
            return
        key = self.random.randint(1, min(MOST, (64 if self.c['index.keys'] == 'run_time' else self.c['index.keys'] or MOST + 1) - 1))
        written = key if s.rank_is_key else element.written
        other = m.equal(key)
        if self.has('rekey_wrong') and key != element.key and not s.rank_is_key and self.random.random() < .3:
            wrong = next(each for each in self.random.sample(range(1, 60), 59) if each not in (key, element.key) and m.equal(each) is None)
            got = self.named(self.during(Frame(), 'rekey_wrong', 0, element.tag, key, written, int(element.gone), number, wrong))
            self.expect('rekey to %d with another old key' % key, got, 'DUPLICATE' if other else 'ABSENT')
            if other:
                self.call('change', 0, element.tag, element.key, element.written, int(element.gone))
                return
            old, element.key = element.key, key
            self.rekey_shared(element, 'key', old, key)
            # it is found by that all the same
            if self.has('find'):
                self.expect('find %d' % key, self.call('find', 0, key), element.tag)
            return
        got = self.named(self.during(Frame(), 'rekey_key', 0, element.tag, key, written, int(element.gone), number))
        self.expect('rekey to %d' % key, got, 'DUPLICATE' if other not in (None, element) else 'OK')
        if got == 'DUPLICATE':
            self.call('change', 0, element.tag, element.key, element.written, int(element.gone))
            return
        old, element.key = element.key, key
        if s.rank_is_key:
            element.rank, element.written = self.ranked(written), written
        self.rekey_shared(element, 'key', old, key)
        if s.rank_is_key:
            self.filed_again(element)

    def do_sort(self):
        m = self.model
        if not self.has('sort') or self.frames:
            return
        changed = []
        s = self.s
        if m.sorts and not self.live() and s.rank is not None and not s.rank_is_tag and not s.rank_is_key and self.has('change') and not self.blind_now():
            for element in self.random.sample(m.order, min(2, len(m.order))):
                if s.walks or any(each.role == 'rank' for each in s.indexes) or s.kind != 'pointer' and s.key is not None and m.unique and not m.ordered:
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
        if not self.has('update') or self.frames or self.records() + self.lent() >= min(self.limit, 7) or self.live() and self.one:
            return
        if self.live() and self.c['iteration.removes'] != 'any':
            return
        frame = Frame(expiry=True, updates=[])
        m.sort_at_begin()
        before = [each for each in m.order if not each.gone]
        late = {each: each.gone for each in m.order}
        if m.ordering == 'tree' and 'update' in self.s.hooks:
            self.update_tree(frame)
            self.all_hooks_ran(frame)
            return
        m.updating = True
        self.during(frame, 'update', 0)
        m.updating = False
        ask = self.c['removal.ask'] or 'after_update'
        if 'update' in self.s.hooks:
            wanted = [each for each in late if not late[each] or ask == 'after_update']
            missed = [each for each in wanted if each not in frame.updates and each not in frame.placed and each in before and each in m.order]
            if missed:
                raise Wrong('no update of %r' % missed)
        for each in list(m.order):
            if each in frame.placed and self.call('has', 0, each.tag):
                continue
            if each.gone and (ask != 'before_update' or late.get(each)):  # what was added meanwhile was not asked
                if self.hooked:
                    raise Wrong('%r has expired, and the update left it' % each)
                m.leave(each)
        self.all_hooks_ran(frame)

    def all_hooks_ran(self, frame):
        for element in frame.victims:
            if len(set(self.s.hooks[each] for each in self.hooked)) == len(self.hooked):
                self.expect('hooks of %r' % element, sorted(element.events_of_end()), sorted(self.hooked))
