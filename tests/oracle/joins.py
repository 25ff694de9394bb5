"""Two containers: what T_add_from moves from one to the other, and what T_remove_from removes.

The second one is filled anew for each call, so it has no passes of its own.
"""

import ctypes

from calls import Frame, MOST
from limits import Limits


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    for name in ('add_from', 'remove_from'):
        if adapter.has(name):
            sets = 'int status = (int)' if adapter.s.operations[name].result != 'void' else 'int status = 0; '
            adapter.function(name, 'int *done', 'size_t number = 0; %s%s; *done = (int)number; return status;'
                             % (sets, adapter.call(name, '&o%d_l[0]' % n, '&o%d_l[1]' % n, '(void *)&number')))
            adapter.lines[-1] = adapter.lines[-1].replace('size_t number', '%s number' % s.size)


class Joins(Limits):
    """Calls that take two containers."""

    def offer(self, m, element, overwrites=True):
        """What T_add does with an element, and the status that it returns; those that had to leave for it."""
        m.number += 1
        element.number = m.number  # it gets its keys now
        same = m.find(element.tag, m.order) if self.s.key is None else m.equal(element.key)
        if m.unique and same is not None:
            if not m.replaces or self.s.kind == 'pointer' and same.tag == element.tag:
                return 'DUPLICATE', []
            if self.taken_but(m, element, same):
                return 'DUPLICATE', []
            victims = self.makes_way(m, element, instead=[same]) if overwrites or self.fits(m, element, [same]) else None
            if victims is None:
                return 'FULL', []
            for each in victims:
                m.leave(each)
            m.replace(same, element)
            return 'REPLACED', [*victims, same]
        if self.taken_but(m, element, None):
            return 'DUPLICATE', []
        victims = self.makes_way(m, element) if overwrites or self.fits(m, element) else None
        if victims is None:
            return 'FULL', []
        for each in victims:
            m.leave(each)
        m.enter(element, m.place(element))
        return 'OK', victims

    def taken_but(self, m, element, but):
        return any(self.value(index, each) == self.value(index, element) for index in self.s.indexes if index.unique for each in m.order
                   if each is not element and each is not but)

    def quietly(self, name, *given):
        """A call whose hooks call nothing; with what they report."""
        frame = Frame()
        frame.quiet = frame.silent = True
        return self.during(frame, name, *given), frame.log

    def hooks_ran(self, what, log, wanted):
        """`wanted`: the kinds and tags that had to be reported, in any order."""
        hooks = self.s.hooks
        if 'move' in hooks or len(set(hooks.values())) != len(hooks):
            return
        log = [each for each in log if each[0] in ('add', 'remove', 'destroy')]
        wanted = sorted(each for each in wanted if each[0] in hooks)
        self.expect('what the hooks of %s report' % what, sorted(log), wanted)

    def fill_other(self, sharing):
        """Puts a few elements into the second container; a model of it. `sharing`: by pointer perhaps some that the first one has."""
        m, s = self.model, self.s
        side = self.a_model()
        for _ in range(self.random.randint(0, 5)):
            taken = {each.tag for each in m.order} | {each.tag for each in side.order} | {each.tag for each in self.waiting}
            there = None
            if sharing and m.order and self.random.random() < .4:
                there = self.random.choice(m.order)
            free = [there.tag] if there is not None else [tag for tag in range(1, MOST + 1) if tag not in taken]
            if not free or there is not None and there in [each.of for each in side.order]:
                continue
            tag = self.random.choice(free)
            key, rank = (there.key, there.written) if there is not None else self.values(tag)
            element = side.make(tag, key, self.ranked(rank))
            element.written, element.of = rank, there
            element.values = self.index_values(tag, there)
            status, _ = self.offer(side, element)
            got, log = self.quietly('add', 1, tag, key, rank, int(there is not None and there.gone))
            element.flag = there is not None and there.gone
            self.expect('add to the other', self.named(got), status)
        return side

    def do_add_from(self):
        m, s = self.model, self.s
        if not self.has('add_from') or self.frames or m.locked() or m.future is not None or self.blind_now():
            return
        if self.live() and self.c['iteration.removes'] == 'current' and self.one:
            return
        side = self.fill_other(s.by == 'pointer' and m.unique and not s.indexes and self.c['index.kind'] != 'intrusive')
        if not m.ordered and not self.all_fit(m, side.order):
            return self.the_other_is(side)  # in no order: which of them do not fit?
        wanted, done, events, moved = 'OK', 0, [], []
        before = list(m.order)
        for each in list(side.order):
            twin = m.make(each.tag, each.key, each.rank)
            twin.written, twin.values, twin.flag = each.written, each.values, each.flag
            status, victims = self.offer(m, twin, overwrites=False)
            if status in ('DUPLICATE', 'FULL'):
                wanted = status
                if status == 'FULL':
                    break
                continue
            if status == 'REPLACED' and wanted == 'OK':
                wanted = status
            side.order.remove(each)
            done += 1
            moved.append(twin)
            events += [('remove', each.tag), ('add', each.tag)]
            events += [(hook, victim.tag) for victim in victims for hook in ('remove', 'destroy')]
        count = ctypes.c_int(0)
        got, log = self.quietly('add_from', ctypes.byref(count))
        self.expect('add_from %s to %s' % (side.order + moved, before), self.named(got), wanted)
        self.expect('taken', count.value, done)
        self.hooks_ran('add_from', log, events)
        for each in m.passes:
            each.uncertain_end = each.uncertain_end or m.fails_fast and not done
        if not m.ordered or not before:  # an empty container takes the storage, with the indexes as they are
            self.filed_in_any_order(moved)
        self.the_other_is(side)
        for each in moved:
            self.note(each)

    def filed_in_any_order(self, moved):
        """In which order elements came is the container's choice: an index shows it, where keys are equal."""
        m = self.model
        for index in [each for each in self.s.indexes if not each.unique]:
            for value in {self.value(index, each) for each in moved}:
                tags = self.listing('range_' + index.name, 0, value, value)
                for each in moved:
                    if self.value(index, each) == value:
                        each.filed[index.number] = m.number + (tags.index(each.tag) if each.tag in tags else 0)
        m.number += 100

    def do_remove_from(self):
        m, s = self.model, self.s
        if not self.has('remove_from') or self.frames or not self.may_remove() or m.locked() or m.future is not None or self.blind_now():
            return
        side = self.fill_other(s.by == 'pointer' and self.c['index.kind'] != 'intrusive')
        if s.key is not None:
            gone = [each for each in m.order if side.equal(each.key)]
        else:
            gone = [each for each in m.order if side.find(each.tag)]
        if s.key is not None and not m.unique and len({each.key for each in m.order}) < len(m.order):
            return self.the_other_is(side)
        if s.key is None and s.kind != 'pointer':
            return self.the_other_is(side)
        count = ctypes.c_int(0)
        got, log = self.quietly('remove_from', ctypes.byref(count))
        self.expect('remove_from', self.named(got), 'OK')
        below = [each for each in m.order if any(each in m.subtree(root) for root in gone)]
        self.expect('removed', count.value, len(gone))
        for each in below:
            m.leave(each)
        self.hooks_ran('remove_from', log, [(hook, each.tag) for each in below for hook in ('remove', 'destroy')])
        for each in m.passes:
            each.uncertain_end = each.uncertain_end or m.fails_fast and not gone
        self.the_other_is(side)

    def the_other_is(self, side):
        """It has these elements, in this order; then it is emptied, or given back."""
        if not self.s.walks and not self.s.unlisted:
            out = (ctypes.c_int * 101)()
            count, _ = self.quietly('list', 1, out)
            tags, wanted = list(out[:count]), [each.tag for each in side.order]
            if self.model.ordered and self.c['iteration.direction'] != 'backward':
                self.expect('the other one', tags, wanted)
            else:
                self.expect('the other one', sorted(tags), sorted(wanted))
        self.sound(1)
        _, log = self.quietly('clear', 1) if self.random.random() < .7 else self.quietly('renew', 1)
        self.hooks_ran('clear of the other one', log, [(hook, each.tag) for each in side.order for hook in ('remove', 'destroy')])
