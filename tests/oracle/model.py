"""The iteration contract as docs/contract.md states it, over lists of plain numbers.

The page's rules by number, where each is kept: 1 and 2 `Pass`, 3 `Model.enter`, 4 `Model.end`, 5 `Pass.live`, 6 `future`, 7 `Model.leave`
and the driver's events, 8 `do_clear` of the driver. What a header adds to the page (a pass that goes backward, an order, a limit) is kept where it says so.
"""

import itertools


class Wrong(AssertionError):
    """The container does what the page does not say."""


class Element:
    """One stay of an element in the container. The same tag that is added again is another one."""

    def __init__(self, tag, key, rank, number):
        self.tag, self.key, self.rank, self.number = tag, key, rank, number
        self.replaced = None  # by which element
        self.flag = False  # it has expired
        self.more = 0  # by which its weight was changed
        self.parent = None
        self.events = []
        self.values, self.filed = {}, {}  # of named indexes: keys, and when a key was given anew

    @property
    def gone(self):
        """In a tree it expires with what it is below."""
        return any(each.flag for each in self.line_up())

    def line_up(self):
        """Itself, and its ancestors."""
        return [self] + (self.parent.line_up() if self.parent is not None else [])

    @property
    def latest(self):
        """The element that its handle leads to: itself, or what has replaced it."""
        return self if self.replaced is None else self.replaced.latest

    def events_of_end(self):
        return [each for each in self.events if each != 'add']

    def __repr__(self):
        return '%d%s' % (self.tag, '~' if self.gone else '')


class Pass:
    """What one iteration has still to visit."""

    def __init__(self, model, backward):
        self.backward, self.live, self.current, self.changed, self.moved = backward, True, None, False, False
        self.at = len(model.order) if backward else 0  # where it continues: all elements on one side of this have been passed
        self.second = False  # it goes backward, and stands on what was added behind it
        self.uncertain_end = False  # it may have been ended by what need not have been a change
        self.kept = False  # T_settle leaves it alive
        self.paired = False  # of a loop over pairs, which continues and ends it
        self.busy = False  # the hooks of its own T_remove_current run, which must not use the cursor
        self.late = self.at  # of one that goes backward: what is from here on was added behind it, and comes after the first element
        self.todo = list(model.order)  # of a container without an order: what is to be visited
        self.seen, self.noted, self.away = set(), 0, False  # moved ahead of it: what it has visited, how often, and is what it stands on
        self.allowed = set(model.order) if model.adds == 'next' else None

    def may(self, element):
        return element not in self.seen and (self.allowed is None or element in self.allowed)

    def entered(self, model, index, element, side):
        """`side`: it was put right `before` or right `after` another one; '': an order, or a tree, has put it where it is."""
        if not model.ordered:
            if self.allowed is None:
                self.todo.append(element)
            return
        beside = model.order[index - 1:index] if side == 'after' else model.order[index + 1:index + 2] if side else []
        if self.seen.intersection(beside):
            self.seen.add(element)
        if index < self.at or index == self.at and (side == 'after' or not side and self.backward):
            self.at += 1
            self.late += 1
        elif index < self.late or index == self.late and side == 'after':
            self.late += 1

    def left(self, index, element):
        if element in self.todo:
            self.todo.remove(element)
        self.seen.discard(element)
        self.at -= index < self.at
        self.late -= index < self.late
        if self.current is element:
            self.current = None

    def replaced(self, old, new):
        if old in self.todo:
            self.todo[self.todo.index(old)] = new
        if self.allowed is not None and old in self.allowed:
            self.allowed.add(new)
        if old in self.seen:
            self.seen.add(new)
        if self.current is old:
            self.current = new

    def exchanged(self, model, a, b):
        """Before two elements exchange their places."""
        stands = self.current if self.current in (a, b) else None
        if not model.ordered:
            if (a in self.todo) != (b in self.todo):  # what comes to a place ahead of it
                old, new = (a, b) if a in self.todo else (b, a)
                self.todo[self.todo.index(old)] = new
                if self.allowed is not None:
                    self.allowed.add(new)
        elif stands is not None and not self.away:  # that place is then ahead of it
            index = model.order.index(stands)
            if not self.backward:
                self.comes_again(model.order[index:self.at], model.order[self.at:])
                self.at = index
            elif self.second:
                self.comes_again(model.order[index:self.late], model.order[self.late:])
                self.late = index
            else:
                self.comes_again(model.order[self.at:index + 1], reversed(model.order[:self.at]))
                self.at = index + 1
        if self.allowed is not None and model.ordered:
            self.allowed -= {a, b}
        if len(self.seen & {a, b}) == 1:  # it has visited what comes to that place
            self.seen ^= {a, b}
        if stands is not None:
            self.current, self.moved = None, True

    def comes_again(self, between, ahead):
        """Also to what was moved there after it had visited it, up to where it continues."""
        self.seen.difference_update(between, list(itertools.takewhile(lambda each: each in self.seen, ahead)))

    def line(self, model):
        """What is ahead of it in an order."""
        if not self.backward:
            return model.order[self.at:]
        late = model.order[self.late:] if model.ordering != 'tree' else []  # children would come after their parents
        return model.order[self.at - 1::-1] * (self.at > 0) + late

    def ahead(self, model):
        """What may come next, each with what is skipped before it; at the end nothing."""
        if not model.ordered:
            return [(element, []) for element in self.todo if not element.gone]
        skipped, expired = [], None
        for element in self.line(model):
            if not self.backward and model.ordering == 'tree':  # it skips the descendants of what it reaches after that has expired
                gone = element.flag or expired in element.line_up()
                expired = element if element.flag and not expired in element.line_up() else expired
            else:
                gone = element.gone
            if self.may(element) and not gone:
                return [(element, skipped)]
            skipped.append(element)
        return []

    def has_visited(self, model, element):
        return element in self.seen or element not in self.line(model)

    def visit(self, model, element):
        self.current, self.away = element, False
        if not model.ordered:
            self.todo.remove(element)
            return
        index = model.order.index(element)
        if not self.backward:
            self.at = index + 1
        elif index < self.at:
            self.at, self.second = index, False
        else:
            self.at, self.late, self.second = 0, index + 1, True


class Future(list):
    """What will be in a container when nothing is pending any more, and the changes that lead to it, in their order."""

    def __init__(self, order):
        super().__init__(order)
        self.changes = []

    def append(self, element):
        super().append(element)
        self.changes.append((element, True))

    def remove(self, element):
        super().remove(element)
        self.changes.append((element, False))


class Model:
    """A container, its passes and what is pending."""

    kind = Pass

    def __init__(self, settings, contract):
        self.adds = settings['iteration.adds']
        self.ordering = settings['ordering']
        # An order that is promised is that of adds, but where an element takes the place of another; then it is free here.
        promised = settings['iteration.order'] == 'deterministic' and settings['removal.policy'] not in ('swap', 'back_copy', 'reuse')
        self.ordered = self.ordering not in ('unordered', 'heap') or promised
        linked = settings['storage.kind'] == 'linked' or settings['removal.policy'] == 'unlink' \
            or (settings['removal.policy'], settings['storage.kind']) == ('prune', 'chunked')
        self.exact = self.ordering == 'explicit' or linked  # a move makes no element new
        self.resorts = self.ordering == 'sorted' and settings['sort.when'] == 'begin'
        self.sorts = self.ordering == 'sorted' and not self.resorts
        self.positions = self.sorts or self.ordering == 'tree'  # of its own
        self.unique = settings['duplicates'] != 'allow'
        self.replaces = settings['duplicates'] == 'replace'
        limit = settings['capacity.max']
        weighs = settings['capacity.weight'] is not None
        self.maximum = None if weighs else 5 if limit == 'run_time' else limit
        self.bound = (30 if limit == 'run_time' else limit) if weighs else None  # of the sum of weights
        self.overwrites = settings['capacity.when_full'] == 'overwrite'
        self.deferred = settings['removal.when'] != 'immediate'
        self.passes_lock = settings['removal.when'] == 'deferred'
        self.fails_fast = settings['iteration.removes'] == 'none'
        self.reach_removes = any('a pass that reaches it' in each for each in contract)
        self.down = False
        self.version = self.changes = 0  # the second counts moves, too
        self.updating = False  # T_update is in progress, a pass itself
        self.clears = []  # in progress, with hooks: what each is to remove
        self.order, self.passes, self.scans, self.locks, self.number = [], [], [], 0, 0
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
        floor = self.floor()
        return next((index for index, each in enumerate(self.order) if index >= floor and each.rank > element.rank), len(self.order))

    def floor(self):
        """What is added during a clear comes behind what that has still to remove."""
        return max((self.order.index(each) + 1 for victims in self.clears for each in victims if each in self.order), default=0)

    def touched(self):
        self.version += 1
        self.end_fast()

    def end_fast(self):
        """A change, for passes that allow none, and for readers."""
        self.changes += 1
        if self.fails_fast:
            for each in self.passes:
                each.changed = True

    def enter(self, element, index, side='before'):
        """Behind the last one is before the end, and before the first one after the front."""
        self.order.insert(index, element)
        for each in self.passes:
            each.entered(self, index, element, '' if self.positions else side)
        for each in self.scans:
            each.entered(element)
        self.touched()

    def leave(self, element):
        index = self.order.index(element)
        del self.order[index]
        for each in self.passes:
            each.left(index, element)
        for each in self.scans:
            each.left(element)
        self.touched()

    def replace(self, old, new):
        self.order[self.order.index(old)] = new
        new.parent = old.parent
        old.replaced = new
        for each in self.order:
            if each.parent is old:
                each.parent = new
        for each in self.passes:
            each.replaced(old, new)
        for each in self.scans:
            each.left(old)
            each.entered(new)
        self.touched()

    def move(self, element, index, side='before'):
        """In the order of the caller, and over links, a pass does not visit again what it has visited; else it is a removal and an add."""
        old = self.order.index(element)
        stays = self.adds == 'visited' and self.exact and not self.positions
        visited = [each for each in self.passes if stays and each.has_visited(self, element)]
        stood = [each for each in self.passes if each.current is element]
        del self.order[old]
        for each in self.passes:
            each.left(old, element)
            if each.allowed is not None:
                each.allowed.discard(element)
            each.moved = each.moved or not stays and each in stood
        self.order.insert(index, element)
        for each in self.passes:
            each.entered(self, index, element, '' if self.positions else side)
        for each in visited:
            each.seen.add(element)
            each.noted += 1
        for each in stood if stays else []:
            each.current, each.away = element, True
        self.end_fast()

    def exchange(self, a, b):
        """The moves of both elements."""
        for each in self.passes:
            each.exchanged(self, a, b)
        i, j = self.order.index(a), self.order.index(b)
        self.order[i], self.order[j] = b, a
        self.end_fast()

    def move_subtree(self, root, parent, behind):
        """The removal of an element of a tree and of its descendants, then an add of each: before `behind`, or as the last child of a parent."""
        moved = self.subtree(root)
        scans = [each for each in self.scans if each.root not in moved and each.root is not None]  # the others go on there
        for each in moved:
            old = self.order.index(each)
            del self.order[old]
            for scan in scans:
                scan.is_moved(each)
            for a_pass in self.passes:
                a_pass.moved = a_pass.moved or a_pass.current is each
                a_pass.left(old, each)
                if a_pass.allowed is not None:
                    a_pass.allowed.discard(each)
        root.parent = parent
        if behind is not None:
            index = self.order.index(behind)
        else:
            index = len(self.order) if parent is None else max(self.order.index(each) for each in self.order if parent in each.line_up()) + 1
        for place, each in enumerate(moved, index):
            self.order.insert(place, each)
            for scan in scans:
                scan.entered(each)
            for a_pass in self.passes:
                a_pass.entered(self, place, each, '')
        self.end_fast()

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

    def sort_at_begin(self):
        if self.resorts and not self.passes and not self.clears and not self.updating:
            self.order.sort(key=lambda each: each.rank)

    def begin(self, backward):
        self.sort_at_begin()
        started = self.kind(self, backward)
        self.passes.append(started)
        return started

    def begin_at(self, element, backward):
        """It visits this one first, then all that a pass that has come there would; none: as one that has visited all. It does not sort."""
        started = Pass(self, backward)
        if element is not None:
            started.at = self.order.index(element) + backward
        else:
            started.at = 0 if backward else len(self.order)
        self.passes.append(started)
        return started

    def begin_after(self, other):
        """Of what that one has still to visit."""
        started = Pass(self, other.backward)
        started.at, started.late, started.todo = other.at, other.late, list(other.todo)
        started.seen, started.noted = set(other.seen), other.noted
        started.allowed = None if other.allowed is None else set(other.allowed)
        self.passes.append(started)
        return started

    def end(self, a_pass):
        a_pass.live = False
        if a_pass in self.passes:
            self.passes.remove(a_pass)

    def locked(self):
        return self.deferred and (self.locks > 0 or self.passes_lock and bool(self.passes or self.scans))

    def apply(self):
        """What was pending has been done: under live passes, if locks alone hold it back. What comes and goes again meets none of them."""
        if self.future is None:
            return
        if self.passes_lock:
            self.order = list(self.future)
        else:
            lasting = set(self.order) ^ set(self.future)
            for each, comes in self.future.changes:
                if each in lasting:
                    self.enter(each, len(self.order)) if comes else self.leave(each)
        self.future = None

    def waiting(self):
        """What is pending, to be changed."""
        if self.future is None:
            self.future = Future(self.order)
        return self.future

    def then(self):
        """What will be in it when nothing is pending any more."""
        return self.order if self.future is None else self.future
