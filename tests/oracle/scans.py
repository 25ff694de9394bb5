"""Scans: passes over what a named index finds, and over what is below an element. docs/contract.md: "Scans"."""

from calls import Calls, Frame
from model import Wrong

SCANS = 16  # at once
BELOW = ('scan_children', 'scan_children_backward', 'scan_subtree', 'scan_subtree_backward')
BY = ('scan_range_', 'scan_range_backward_', 'scan_all_', 'scan_all_backward_')


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    if not adapter.has('scan_next'):
        return
    here, scan = '&o%d_l[l]' % n, 'o%d_s[c]' % n
    adapter.put('static %s o%d_s[%d];' % (s.names.scan, n, SCANS))
    for index in s.indexes:
        for name in BY:
            keys = [] if '_all_' in name else [*index.arguments(n, 'low'), *(index.arguments(n, 'high') if index.ordered else [])]
            if adapter.has(name + index.name):
                adapter.function(name + index.name, 'int l, int c, int low, int high', '(void)low, (void)high; %s = %s; return 0;' % (
                    scan, adapter.call(name + index.name, here, *keys)))
    for name in BELOW:
        if adapter.has(name):
            adapter.function(name, 'int l, int c, int tag', '%s = %s; return 0;' % (scan, adapter.call(name, here, 'o%d_at(l, tag)' % n)))
    got = adapter.call('scan_next', '&' + scan)
    adapter.function('scan_next', 'int l, int c', 'return o%d_tag_of_row(%s, %s);' % (n, here, got) if s.rows else '(void)l; return o%d_tag(%s);' % (n, got))
    for name in ('scan_end', 'scan_remove_current'):
        adapter._status(name, 'int c', '&' + scan)


class Scan:
    """What a scan has still to visit: of a sequence that changes, what is behind the place where it is."""

    def __init__(self, sequence, backward, root=None, whole=False):
        self.sequence, self.backward, self.root, self.whole = sequence, backward, root, whole
        self.line = sequence()
        self.at = len(self.line) if backward else 0
        self.current, self.begun, self.busy, self.ended, self.moved = None, False, False, False, False

    def entered(self, element):
        """Behind all with its key, or where a tree has it. What comes right where the scan continues is ahead of it."""
        self.line = self.sequence()
        if element in self.line:
            index = self.line.index(element)
            self.at += index < self.at or self.backward and index == self.at

    def left(self, element):
        self.ended = self.ended or element is self.root
        if element in self.line:
            self.at -= self.line.index(element) < self.at
            self.line.remove(element)
        if self.current is element:
            self.current = None

    def is_moved(self, element):
        if element in self.line:
            self.moved = self.moved or element is self.current
            self.left(element)

    def ahead(self, within):
        """The next one, or None."""
        self.line = self.sequence()
        rest = self.line[:self.at][::-1] if self.backward else self.line[self.at:]
        expired = None
        for each in rest if not self.ended else []:
            if self.whole and not self.backward:  # behind what it reaches after that has expired
                gone = each.flag or expired in each.line_up()
                expired = each if each.flag and expired not in each.line_up() else expired
            else:
                up = each.line_up()
                gone = any(one.flag for one in up[:up.index(self.root) + 1]) if self.whole else each.flag  # not by what is above the scan
            if within(each) and not gone:
                return each
        return None

    def visit(self, element):
        index = self.line.index(element)
        self.current, self.begun, self.moved = element, True, False
        self.at = index if self.backward else index + 1


class Scanning(Calls):
    """Scans that are begun, continued, left and ended between all other calls."""

    def __init__(self, *given):
        super().__init__(*given)
        self.scans = [None] * SCANS
        bounded = self.c['capacity.inline'] or self.s.by == 'intrusive'  # nothing may be allocated
        self.most_scans = min(6, self.c['iteration.passes'] or 6 if bounded else 6)

    def scan_names(self):
        return [name + index.name for index in self.s.indexes for name in BY if self.has(name + index.name)] + [name for name in BELOW if self.has(name)]

    def do_scan(self):
        m = self.model
        names = self.scan_names()
        free = [number for number, each in enumerate(self.scans) if each is None]
        if not names or not free or len(m.scans) >= self.most_scans:
            return
        name = self.random.choice(names)
        if name in BELOW:
            self.scan_below(name, free[0])
            return
        index = next(each for each in self.s.indexes if name.endswith('_' + each.name))
        low = self.random.randint(1, 5)
        high = self.random.randint(low - 1, low + 4) if index.ordered else low
        self.call(name, 0, free[0], low, high)
        low, high = (0, 100) if '_all_' in name else (low, high)
        scan = Scan(lambda: self.in_index(index), 'backward' in name)
        scan.within = lambda each: low <= self.value(index, each) <= high
        scan.index = index
        self.began(scan, free[0])

    def began(self, scan, number):
        self.scans[number] = scan
        self.model.scans.append(scan)

    def in_index(self, index):
        return sorted(self.model.order, key=lambda each: (self.value(index, each), each.filed.get(index.number, each.number)))

    def scan_below(self, name, number):
        m, root = self.model, self.some()
        if root is None or self.blind_now() or self.unseen(root) or self.being_removed(root):
            return
        self.call(name, 0, number, root.tag)
        if 'children' in name:
            scan = Scan(lambda: [each for each in m.order if each.parent is root], 'backward' in name, root)
        else:
            scan = Scan(lambda: [each for each in m.order if root in each.line_up()], 'backward' in name, root, whole=True)
        scan.within, scan.index = lambda each: True, None
        self.began(scan, number)

    def some_scan(self):
        numbers = [number for number, each in enumerate(self.scans) if each is not None and not each.busy]
        return self.random.choice(numbers) if numbers else None

    def do_scan_next(self):
        number = self.some_scan()
        if number is None:
            return
        scan = self.scans[number]
        frame = Frame()
        frame.quiet = self.last_lock(scan)
        scan.busy = True
        got = self.during(frame, 'scan_next', 0, number)
        scan.busy = False
        wanted = scan.ahead(scan.within)
        self.expect('what the scan %d visits' % number, got, wanted.tag if wanted is not None else 0)
        if wanted is not None:
            scan.visit(wanted)
        else:
            self.finish_scan(number, frame)

    def last_lock(self, scan):
        m = self.model
        return m.passes_lock and m.locks == 0 and not m.passes and m.scans == [scan]

    def finish_scan(self, number, frame):
        scan, self.scans[number] = self.scans[number], None
        self.model.scans.remove(scan)
        self.release(frame)

    def do_scan_end(self):
        number = self.some_scan()
        if number is None or self.frames:
            return
        self.end_scan(number)
        if self.random.random() < .2:
            self.call('scan_end', number)

    def end_scan(self, number):
        frame = Frame()
        frame.quiet = self.last_lock(self.scans[number])
        self.during(frame, 'scan_end', number)
        self.finish_scan(number, frame)

    def do_scan_abandon(self):
        number = self.some_scan()
        if number is not None and not self.frames and self.random.random() < .2:
            self.trace.append('abandon scan %d' % number)
            self.scans[number] = None

    def do_scan_remove_current(self):
        number = self.some_scan()
        if number is None or not self.has('scan_remove_current') or not self.may_remove():
            return
        scan = self.scans[number]
        if scan.moved or not scan.begun:
            return
        self.remove_standing(scan, 'scan_remove_current', number)

    def end_scans(self):
        """T_settle has ended them; or a state from before them has come back."""
        self.model.scans = []
        self.scans = [None] * SCANS

    def filed_anew(self, index, element):
        """Another key counts as a removal and an add."""
        for scan in self.model.scans:
            if scan.index is index:
                scan.left(element)
                scan.entered(element)
