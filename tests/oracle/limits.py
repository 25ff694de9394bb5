"""Limits of a container: how many elements, or what they weigh together, and which make way. docs/weights.md, and "full" in docs/choose.md."""

import re

from calls import Calls
from subject import Unsupported

MEMBER = re.compile(r'element->([\w.]+)')


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    if s.settings['capacity.keep'] is None and s.settings['capacity.weight'] is None:
        return
    made = 'static %s it; const %s *element = &it; memset(&it, 0, sizeof it); o%d_set(&it, tag, key, rank, gone); (void)element;' % (s.E, s.E, n)
    for path, name, of_tag in (('capacity.keep', 'stays', 'tag % 3 == 0'), ('capacity.weight', 'weighs', 'tag %% 7 + 1 + o%d_heavier[tag]' % n)):
        if s.settings[path] is None:
            continue
        function = s.settings[path] in s.prototypes
        adapter.function(name, adapter.VALUES, '%s return (int)(%s);' % (made, of_tag if function else s.settings[path]))
        if function:
            called = s.settings[path]
            if '*' not in s.prototypes[called][0]:
                raise Unsupported('a row that a function weighs')
            s.defined.add((called,))
            parameters = ', '.join('%s a%d' % (kind, i) for i, kind in enumerate(s.prototypes[called]))
            adapter.put('%s %s(%s)\n{\n    int tag = o%d_tag(a0);\n    return (%s)(%s);\n}\n' % (
                s.results[called], called, parameters, n, s.results[called], of_tag))
    if s.settings['capacity.weight'] is None:
        return
    here = '&o%d_l[l]' % n
    adapter.function('weight', 'int l', 'return (int)%s;' % adapter.call('weight', here))
    adapter.function('more', 'int tag, int more', 'o%d_heavier[tag] = more; return 0;' % n)
    if adapter.has('reweigh'):
        given = 'o%d_h[number]' % n if 'handle' in s.operations['reweigh'].params[1][1] else 'at'
        adapter.function('reweigh', 'int l, %s, int number, int old' % adapter.VALUES, '%s (void)number; return (int)%s;' % (
            adapter.write(), adapter.call('reweigh', here, given, '(uint64_t)old')))


def written(subject):
    """Statements of C by which what weighs an element, or keeps it, says so: in a member that says nothing else."""
    statements, taken = {}, {subject.key, subject.rank, subject.gone, subject.tag, *(index.member for index in subject.indexes)}
    for path, value in (('capacity.weight', 'tag %% 7 + 1 + o%d_heavier[tag]' % subject.number), ('capacity.keep', 'tag')):
        found = MEMBER.search(str(subject.settings[path]))
        if found is None or subject.settings[path] in subject.prototypes:
            continue
        member = found.group(1)
        if path == 'capacity.weight' and member in taken:
            raise Unsupported('a weight that is a key')
        if member not in taken:
            statements.setdefault(member, 'e->%s = %s;' % (member, value))
    return list(statements.values())


class Limits(Calls):
    """What fits, and what makes way."""

    def stays(self, element):
        return self.c['capacity.keep'] is not None and self.measured('stays', element) != 0

    def weight_of(self, element):
        return self.measured('weighs', element)

    def measured(self, name, element):
        """What the expression of the spec says of an element."""
        return getattr(self.library, 'o%d_%s' % (self.s.number, name))(element.tag, element.key, element.written, int(element.flag))

    def fits(self, m, element, without=()):
        """Does it, when these are gone?"""
        if self.s.slots:
            return m.below is None or (self.s.number_of(element.key) if self.s.numbers else element.key) < m.below
        if m.bound is None:
            return m.maximum is None or len(m.order) - len(without) < m.maximum
        return self.weight_of(element) <= m.bound and sum(self.weight_of(each) for each in m.order if each not in without) + self.weight_of(element) <= m.bound

    def all_fit(self, m, elements):
        if self.s.slots:
            return all(self.fits(m, each) for each in elements)
        if m.bound is None:
            return m.maximum is None or len(m.order) + len(elements) <= m.maximum
        return sum(map(self.weight_of, m.order + elements)) <= m.bound

    def makes_way(self, m, element, at_back=False, instead=()):
        """What is removed so that an element fits, or None where it never does; without an element: so that the rest does. It is put in
        the place of another one, which makes no way."""
        gone = []
        rest = [each for each in (reversed(m.order) if at_back else m.order) if each not in instead and not self.stays(each)] if m.overwrites else []
        while not (self.fits(m, element, [*gone, *instead]) if element is not None else sum(self.weight_of(each) for each in m.order if each not in gone) <= m.bound):
            if not rest:
                return None
            gone.append(rest.pop(0))
        return gone

    def evicted(self, frame, tag):
        """What a hook of an add reports as removed: the next that has to make way, as long as one has to. Hooks may have added some, so
        that it will not fit any more: no more are removed than there were."""
        m = self.model
        same = [each for each in m.order if m.replaces and (each.key == frame.adds.key if self.s.key is not None else each.tag == frame.adds.tag)]
        rest = [each for each in (reversed(m.order) if frame.evicts == 'back' else m.order) if each not in same and not self.stays(each)]
        victims = same if self.fits(m, frame.adds, same) else rest if frame.left > 0 else []
        if not victims or victims[0].tag != tag:
            return None
        frame.victims.append(victims[0])
        frame.left -= 1
        if victims[0] in same:
            frame.replaced, frame.together = same[0], True
        return victims[0]

    def do_reweigh(self):
        m = self.model
        element = self.some()
        if not self.has('reweigh') or element is None or self.frames or self.blind_now() or not self.may_remove() or element.gone or self.twin(element):
            return
        number = self.number_for('reweigh', element)
        if number is None:
            return
        old, element.more = self.weight_of(element), self.random.choice([0, 0, 1, 2, 5, 9])
        self.heavier.add(element.tag)
        self.call('more', element.tag, element.more)
        victims = self.makes_way(m, None)
        got, log = self.quietly('reweigh', 0, element.tag, element.key, element.written, int(element.flag), number, old)
        self.expect('reweigh of %d from %d to %d' % (element.tag, old, self.weight_of(element)), self.named(got), 'FULL' if victims is None else 'OK')
        self.hooks_ran('reweigh', log, [(hook, each.tag) for each in victims or [] for hook in ('remove', 'destroy')])
        for each in victims or []:
            m.leave(each)
        for each in m.passes:
            each.uncertain_end = each.uncertain_end or m.fails_fast and not victims

    def forget_weights(self):
        """An element that is added anew weighs what it would have."""
        there = {each.tag for each in self.model.order}
        for tag in [tag for tag in self.heavier if tag not in there]:
            self.heavier.discard(tag)
            self.call('more', tag, 0)

    def weigh_again(self, more):
        """By tag, as in an earlier state."""
        for tag, value in more.items() if self.model.bound is not None else []:
            self.heavier.add(tag)
            self.call('more', tag, value)
