"""The iteration contract as docs/contract.md states it, over lists of plain numbers.

The page's rules by number, where each is kept: 1 and 2 `Pass`, 3 `Model.enter`, 4 `Model.end`, 5 `Pass.live`, 6 `future`, 7 `Model.leave`
and the driver's events, 8 `Model.empty`. What a header adds to the page (a pass that goes backward, an order, a limit) is kept where it says so.
"""


class Wrong(AssertionError):
    """The container does what the page does not say."""


class Element:
    """One stay of an element in the container. The same tag that is added again is another one."""

    def __init__(self, tag, key, rank, number):
        self.tag, self.key, self.rank, self.number = tag, key, rank, number
        self.replaced = False
        self.flag = False  # it has expired
        self.parent = None
        self.events = []

    @property
    def gone(self):
        """In a tree it expires with what it is below."""
        return self.flag or self.parent is not None and self.parent.gone

    def events_of_end(self):
        return [each for each in self.events if each != 'add']

    def __repr__(self):
        return '%d%s' % (self.tag, '~' if self.gone else '')


class Pass:
    """What one iteration has still to visit."""

    def __init__(self, model, backward):
        self.backward, self.live, self.current, self.changed = backward, True, None, False
        self.at = len(model.order) if backward else 0  # all elements on one side of this have been passed
        self.todo = list(model.order)  # of a container without an order: what is to be visited
        self.allowed = set(model.order) if model.adds == 'next' else None
        self.open = False  # what was added last is also right where it continues: the headers do not say which comes first
        self.late, self.maybe = [], []  # added last to one that goes backward, which visits them after the first; right before those

    def may(self, element):
        return self.allowed is None or element in self.allowed

    def entered(self, model, index, element, moved=False):
        if self.allowed is not None:
            visit = False
        elif model.ordered:
            visit = index <= self.at if self.backward else index >= self.at
        else:
            visit = True
        if not model.ordered:
            if visit:
                self.todo.append(element)
            return
        if not self.backward:
            if index < self.at:
                self.at += 1
        elif index < self.at or index == self.at and (model.positions or index < len(model.order) - 1 or self.allowed is not None):
            self.at += 1
        elif self.allowed is None:
            if index == self.at:
                self.open = True
            first = next((each for each in model.order if each in self.late), None)
            if index == len(model.order) - 1 or first is not None and index > model.order.index(first):
                self.late.append(element)
            elif first is not None and index == model.order.index(first) - 1:
                self.maybe.append(element)

    def left(self, index, element):
        if element in self.todo:
            self.todo.remove(element)
        for waiting in (self.late, self.maybe):
            if element in waiting:
                waiting.remove(element)
        if index < self.at:
            self.at -= 1
        if self.current is element:
            self.current = None

    def replaced(self, old, new):
        if old in self.todo:
            self.todo[self.todo.index(old)] = new
        for waiting in (self.late, self.maybe):
            if old in waiting:
                waiting[waiting.index(old)] = new
        if self.allowed is not None and old in self.allowed:
            self.allowed.add(new)
        if self.current is old:
            self.current, self.moved = None, True

    def emptied(self):
        self.todo, self.late, self.maybe, self.at, self.current = [], [], [], 0, None

    def ahead(self, model):
        """What may come next, each with what is skipped before it; at the end nothing."""
        if not model.ordered:
            return [(element, []) for element in self.todo if not element.gone]
        if self.backward:
            line = [each for each in reversed(model.order[:self.at]) if each not in self.late and each not in self.maybe]
        else:
            line = model.order[self.at:]
        skipped = []
        for element in line:
            if not self.may(element) or element.gone:
                skipped.append(element)
                continue
            return [(element, skipped)] + [(each, []) for each in self.late + self.maybe if self.open and not each.gone]
        return [(each, skipped) for each in self.late + self.maybe if not each.gone]

    def visit(self, model, element):
        self.current = element
        if not model.ordered:
            self.todo.remove(element)
        elif element in self.late or element in self.maybe:
            (self.late if element in self.late else self.maybe).remove(element)
            self.at = 0
        else:
            index = model.order.index(element)
            self.at = index if self.backward else index + 1


class Model:
    """A container, its passes and what is pending."""

    def __init__(self, settings, contract):
        self.adds = settings['iteration.adds']
        self.ordering = settings['ordering']
        self.ordered = self.ordering not in ('unordered', 'heap')
        self.positions = self.ordering in ('explicit', 'sorted', 'tree', 'fifo')
        self.resorts = self.ordering == 'sorted' and settings['sort.when'] == 'begin'
        self.sorts = self.ordering == 'sorted' and not self.resorts
        self.unique = settings['duplicates'] != 'allow'
        self.replaces = settings['duplicates'] == 'replace'
        self.maximum = settings['capacity.max']
        self.overwrites = settings['capacity.when_full'] == 'overwrite'
        self.deferred = settings['removal.when'] == 'deferred'
        self.fails_fast = settings['iteration.removes'] == 'none'
        self.reach_removes = any('a pass that reaches it' in each for each in contract)
        self.down = False
        self.order, self.passes, self.locks, self.number = [], [], 0, 0
        self.future, self.pending = None, []

    # -- the elements --

    def find(self, tag, order=None):
        return next((each for each in (self.order if order is None else order) if each.tag == tag), None)

    def equal(self, key, order=None):
        return next((each for each in (self.order if order is None else order) if each.key == key), None)

    def make(self, tag, key, rank):
        self.number += 1
        return Element(tag, key, rank, self.number)

    def place(self, element):
        """Where an order puts it: behind those that are equal."""
        if not self.sorts:
            return len(self.order)
        index = len(self.order)
        for index, each in enumerate(self.order):
            if each.rank > element.rank:
                return index
        return len(self.order)

    def touched(self):
        """A change, for passes that allow none."""
        if self.fails_fast:
            for each in self.passes:
                each.changed = True

    def enter(self, element, index):
        self.order.insert(index, element)
        for each in self.passes:
            each.entered(self, index, element)
        self.touched()

    def leave(self, element):
        index = self.order.index(element)
        del self.order[index]
        for each in self.passes:
            each.left(index, element)
        self.touched()

    def replace(self, old, new):
        self.order[self.order.index(old)] = new
        new.parent = old.parent
        old.replaced = True
        for each in self.order:
            if each.parent is old:
                each.parent = new
        for each in self.passes:
            each.replaced(old, new)
        self.touched()

    def move(self, element, index):
        """A removal and an add; it stays the same element."""
        old = self.order.index(element)
        del self.order[old]
        for each in self.passes:
            current = each.current
            each.left(old, element)
            if each.allowed is not None:
                each.allowed.discard(element)
            each.moved = current is element
        self.order.insert(index, element)
        for each in self.passes:
            each.entered(self, index, element)
        self.touched()

    def empty(self):
        for each in self.passes:
            each.emptied()
        gone, self.order = self.order, []
        self.touched()
        return gone

    def subtree(self, element):
        if self.ordering != 'tree':
            return [element]
        below = [element]
        for each in self.order:
            if each.parent in below:
                below.append(each)
        return below

    def end_of(self, element):
        """The index behind an element and its descendants."""
        return max(self.order.index(each) for each in self.subtree(element)) + 1

    # -- passes --

    def begin(self, backward):
        if self.resorts and not self.passes:
            self.order.sort(key=lambda each: each.rank)
        started = Pass(self, backward)
        self.passes.append(started)
        return started

    def end(self, a_pass):
        a_pass.live = False
        if a_pass in self.passes:
            self.passes.remove(a_pass)

    def locked(self):
        return self.deferred and (self.locks > 0 or bool(self.passes))

    def then(self):
        """What will be in it when nothing is pending any more."""
        return self.order if self.future is None else self.future
