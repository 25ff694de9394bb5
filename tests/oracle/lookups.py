"""Named indexes: what they must find."""

import ctypes

from calls import MOST, Frame


class Named:
    """What the indexes of a container must find: a part of `Run`."""

    def index_values(self, tag, there=None):
        """Values of a new element, of which the keys of the container are told; `there`: one of the same tag that is in it."""
        values = {index.number: self.random.randint(1, MOST if index.unique else 4) for index in self.s.indexes if index.role == index.number}
        if there is not None:
            values = there.values
        for number, value in values.items():
            self.call('value', number, tag, value)
        return values

    def value(self, index, element):
        return {'tag': element.tag, 'key': element.key, 'rank': element.written}.get(index.role) or element.values[index.role]

    def taken(self, element):
        """Does a unique index have the key of an element already?"""
        return any(self.value(index, each) == self.value(index, element) for index in self.s.indexes if index.unique for each in self.model.order if each is not element)

    def under(self, index, low, high):
        """The elements with these keys, in the order of the index."""
        found = [each for each in self.model.order if low <= self.value(index, each) <= high and not each.gone]
        return sorted(found, key=lambda each: (self.value(index, each), each.filed.get(index.number, each.number)))

    def listing(self, name, *given):
        out = (ctypes.c_int * 100)()
        count = self.call(name, *given, out)
        return [tag for tag in out[:count] if self.model.find(tag) is None or not self.model.find(tag).gone]

    def compare_indexes(self):
        for index in self.s.indexes:
            value = self.random.randint(1, MOST if index.unique else 6)
            wanted = [each.tag for each in self.under(index, value, value)]
            got = self.call('find_' + index.name, 0, value)
            if self.model.find(got) is None or not self.model.find(got).gone:
                self.expect('find_%s %d' % (index.name, value), got, {0} if not wanted else {wanted[0]} if index.ordered else set(wanted))
            if index.ordered:
                self.expect('all_%s' % index.name, self.listing('all_' + index.name, 0), [each.tag for each in self.under(index, 0, 99)])
                low, high = self.random.randint(1, 6), self.random.randint(0, MOST)
                wanted = [each.tag for each in self.under(index, low, high)]
                self.expect('range_%s %d %d' % (index.name, low, high), self.listing('range_' + index.name, 0, low, high), wanted)
                self.expect('range_%s %d %d, back' % (index.name, low, high), self.listing('back_' + index.name, 0, low, high), wanted[::-1])
            elif not index.unique:
                self.expect('range_%s %d' % (index.name, value), sorted(self.listing('range_' + index.name, 0, value, value)), sorted(wanted))

    def do_range(self):
        """A range over calls: the next change of its index ends it."""
        m = self.model
        indexes = [index for index in self.s.indexes if index.ordered or not index.unique]
        if not indexes or any(each.gone for each in m.order):
            return
        index = self.random.choice(indexes)
        state = (m.version, self.rekeyed.get(index.role, 0))
        if index not in self.ranges or self.random.random() < .3:
            low = self.random.randint(1, 4)
            high = self.random.randint(low, MOST) if index.ordered else low
            self.call('keep_' + index.name, 0, low, high)
            self.ranges[index] = state, self.under(index, low, high)
            self.certain.add(index)
            return
        was, rest = self.ranges[index]
        name = self.random.choice(['next_', 'previous_'][:1 + index.ordered]) + index.name
        got = self.call(name, 0)
        if was != state:
            self.expect('%s of a range from before a change' % name, got, 0)
            return
        place = -1 if name.startswith('previous') else 0
        wanted = {0} if not rest else {rest[place].tag} if index.ordered else {each.tag for each in rest}
        if index not in self.certain:  # what has been called since may have moved elements
            wanted.add(0)
        self.expect(name, got, wanted)
        self.ranges[index] = was, [each for each in rest if each.tag != got] if got else []

    def do_remove_named(self):
        indexes = [index for index in self.s.indexes if index.unique]
        if not indexes or not self.may_remove() or self.model.locked() or self.blind_now():
            return
        index = self.random.choice(indexes)
        value = self.random.randint(1, MOST)
        found = [each for each in self.model.order if self.value(index, each) == value]
        if not found:
            self.expect('remove_' + index.name, self.named(self.during(Frame(), 'remove_' + index.name, 0, value)), 'ABSENT')
        else:
            self.removal(found[0], 'remove_' + index.name, value)

    def do_rekey_named(self):
        m, element = self.model, self.some()
        indexes = [index for index in self.s.indexes if index.role == index.number and not any(each.role == index.role and each is not index for each in self.s.indexes)]
        if not indexes or element is None or self.blind_now() or self.frames or m.locked() or element.gone:
            return
        index = self.random.choice(indexes)
        old, value = self.value(index, element), self.random.randint(1, MOST if index.unique else 4)
        number = self.number_for('rekey_' + index.name, element)
        if value == old or number is None:
            return
        taken = index.unique and any(self.value(index, each) == value for each in m.order)
        if not index.ordered and self.random.random() < .2:
            self.expect('rekey_%s with another old key' % index.name, self.named(self.call('rekey_' + index.name, 0, element.tag, value, value, number)),
                        'DUPLICATE' if taken else 'ABSENT')
        got = self.named(self.call('rekey_' + index.name, 0, element.tag, old, value, number))
        self.expect('rekey_' + index.name, got, 'DUPLICATE' if taken else 'OK')
        if taken:
            self.call('write_' + index.name, 0, element.tag, old)
            return
        element.values[index.number] = value
        self.rekeyed[index.role] = self.rekeyed.get(index.role, 0) + 1
        m.number += 1
        element.filed[index.number] = m.number
        self.filed_anew(index, element)

    def rekey_shared(self, element, role, old, value):
        """After what an order or the identity reads has changed, which an index reads, too."""
        for index in self.s.indexes:
            if index.role == role and value != old:
                number = self.number_for('rekey_' + index.name, element)
                self.expect('rekey_' + index.name, self.named(self.call('rekey_' + index.name, 0, element.tag, old, value, number)), 'OK')
                self.rekeyed[role] = self.rekeyed.get(role, 0) + 1
                self.model.number += 1
                element.filed[index.number] = self.model.number
                self.filed_anew(index, element)
