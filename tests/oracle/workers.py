"""Changes that wait for T_settle: those of workers, and what comes into the inbox. They are made one after another here."""

from calls import Calls


def text_of(adapter):
    s, n = adapter.s, adapter.s.number
    make, it = adapter._new()
    for name in ('worker_add', 'worker_remove', 'worker_update'):
        if not adapter.has(name):
            continue
        params = [param for _, param in s.operations[name].params]
        row = 'at' if s.kind != 'pointer' else '&o%d_pool[at]' % n
        find = '' if s.kind == 'pointer' or 'handle' in params else '%s%sp = o%d_at(l, at); if (p == %s) return -1;' % (
            adapter.ref, '' if adapter.ref.endswith('*') else ' ', n, adapter.none)
        old = row if s.kind == 'pointer' else 'p'
        by_address = it if s.kind == 'pointer' else '&it'
        given = {'list': '&o%d_l[l]' % n, 'worker': 'worker', 'key': 'order', 'handle': 'o%d_h[at]' % n, 'row': old, 'value': it,
                 'element': it if name == 'worker_add' else by_address if name == 'worker_update' and 'value' not in params else old}
        find = '' if not {'row', 'element'} & set(params) or given['element'] in (it, by_address) and 'row' not in params else find
        adapter.function(name, 'int l, int worker, int order, int at, ' + adapter.VALUES, '%s %s (void)at, (void)order; (void)%s;\n    return (int)%s;' % (
            make, find, it, adapter.call(name, *[given[param] for param in params])))
    if adapter.has('inbox_add'):
        adapter.function('inbox_add', 'int l, ' + adapter.VALUES, '%s\n    return (int)%s;' % (make, adapter.call('inbox_add', '&o%d_l[l]' % n, it)))


class Workers(Calls):
    """What workers note, and what waits in the inbox."""

    def do_inbox(self):
        m, s = self.model, self.s
        if not self.has('inbox_add') or self.frames:
            return
        tag = self.fresh()
        if tag is None or s.kind != 'pointer' and s.key_is_tag:
            return
        key, rank = self.values(tag)
        if m.unique and not s.key_is_tag and m.order and self.random.random() < .5:
            key = self.random.choice(m.order).key  # which T_add refuses, or replaces, whether there is room or not
            rank = key if s.rank_is_key else rank
        element = m.make(tag, key, self.ranked(rank))
        element.written, element.values = rank, self.index_values(tag)
        got = self.status('inbox_add', 0, tag, key, rank, 0)
        self.expect('inbox_add', got, 'FULL' if len(self.waiting) >= self.c['threads.inbox'] else 'QUEUED')
        if got == 'QUEUED':
            self.waiting.append(element)

    def take_inbox(self):
        """T_settle adds what waits, in its order; what does not fit stays, and so does what is behind it. What the hooks report of that."""
        events = []
        while self.waiting:
            element = self.waiting[0]
            status, victims = self.offer(self.model, element)
            if status == 'FULL':
                break
            events += self.added(element, status, victims)
            self.waiting.pop(0)
        return events

    def added(self, element, status, victims):
        if status in ('DUPLICATE', 'FULL'):
            return [('destroy', element.tag)] if self.s.kind != 'pointer' else []
        return [('add', element.tag)] + [(hook, each.tag) for each in victims for hook in ('remove', 'destroy')]

    def do_work(self):
        m, s = self.model, self.s
        if not self.has('worker_add') or self.frames or self.live() or m.locked() or any(self.slots) or any(self.scans):
            return
        changes, number = [], 0
        workers = self.c['threads.workers']
        keyed = 'key' in [param for _, param in s.operations['worker_add'].params] and self.c['threads.merge'] == 'key'
        orders = self.random.sample(range(50), 5)
        tags = set()
        for _ in range(self.random.randint(1, 5)):
            what = self.random.choice(['add', 'add', 'remove', 'update', 'update'])
            worker, order, number = self.random.randrange(workers), orders[number], number + 1
            if self.change(what, worker, order, tags, changes) and len(changes) > 4:
                break
        changes.sort(key=lambda each: each[1] if keyed else each[0])
        got, log = self.quietly('settle', 0)
        self.expect('settle', self.named(got), 'OK')
        events = []
        for _, _, what, element, more in changes:
            if what == 'update' and element in m.order:
                element.tag, element.key, element.written, element.values, element.flag = more.tag, more.key, more.written, more.values, False
                element.rank = more.rank
        for _, _, what, element, _ in changes:
            if what == 'remove' and element in m.order:
                m.leave(element)
                events += [('remove', element.tag), ('destroy', element.tag)]
        if m.bound is not None and any(what == 'update' for _, _, what, _, _ in changes):
            for each in self.makes_way(m, None) or []:
                m.leave(each)
                events += [('remove', each.tag), ('destroy', each.tag)]
        fresh = []
        for _, _, what, element, _ in changes:
            if what == 'add':
                status, victims = self.offer(m, element)
                events += self.added(element, status, victims)
                fresh.append(element)
        self.after_settle(events, log)
        for element in fresh:
            if element in m.order:
                self.note(element)

    def after_settle(self, events, log):
        """What else T_settle does."""
        m = self.model
        m.passes = []
        self.end_scans()
        events += self.take_inbox()
        if m.reach_removes:
            for each in [each for each in m.order if each.gone]:
                m.leave(each)
                events += [('remove', each.tag), ('destroy', each.tag)]
        self.hooks_ran('settle', log, events)

    def change(self, what, worker, order, tags, changes):
        """Notes one change."""
        m, s = self.model, self.s
        name = 'worker_' + what
        if not self.has(name) or s.kind != 'pointer' and s.key_is_tag:
            return False
        free = [tag for tag in range(1, 25) if tag not in tags | {each.tag for each in m.order} | {each.tag for each in self.waiting}]
        if not free:
            return False
        tag = self.random.choice(free)
        key, rank = self.values(tag)
        old = None
        if what != 'add':
            old = self.some()
            if old is None or s.walks and old.gone or s.key is not None and sum(each.key == old.key for each in m.order) > 1:
                return False
            key = old.key
        handle = 'handle' in [param for _, param in s.operations[name].params]
        if handle and old is not None and getattr(old, 'handle', None) is None:
            return False
        element = m.make(tag, key, self.ranked(rank))
        element.written = rank
        element.values = self.index_values(tag)
        at = 0 if old is None else old.handle if handle else old.tag
        got = self.status(name, 0, worker, order, at, tag, key, rank, 0)
        self.expect(name, got, 'QUEUED')
        tags.add(tag)
        changes.append((worker, order, what, old if old is not None else element, element))
        return True
