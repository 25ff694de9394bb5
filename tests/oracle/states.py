"""Back to an earlier state: T_snapshot and T_rollback, whole or as a difference, T_save and T_load.

Of elements by pointer the caller brings back what they hold, as docs/saving.md says: the container has only the pointers.
"""

import copy

from calls import Calls

KEPT = 3  # places for states
TEXT = """struct o_file { unsigned char bytes[65536]; size_t count, at, end; };
static bool o_put(void *context, const void *bytes, size_t count)
{
    struct o_file *file = (struct o_file *)context;
    if (count > sizeof file->bytes - file->count) return false;
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
    return true;
}
static bool o_get(void *context, void *bytes, size_t count)
{
    struct o_file *file = (struct o_file *)context;
    if (count > file->end - file->at) return false;
    memcpy(bytes, file->bytes + file->at, count);
    file->at += count;
    return true;
}
"""


def text_of(adapter):
    n, here = adapter.s.number, '&o%d_l[l]' % adapter.s.number
    if adapter.has('snapshot'):
        adapter.put('static unsigned char *o%d_kept[%d], *o%d_delta[%d];' % (n, KEPT, n, KEPT))
        adapter.function('snapshot', 'int l, int k', 'size_t bytes = (size_t)%s;\n    free(o%d_kept[k]); o%d_kept[k] = (unsigned char *)malloc(bytes + 1);\n'
                         '    if (bytes > 0 && %s) return 2;\n    return %s ? 0 : 1;' % (
                             adapter.call('snapshot_bytes', here), n, n, adapter.call('snapshot', here, 'o%d_kept[k] + 1' % n, 'bytes - 1'),
                             adapter.call('snapshot', here, 'o%d_kept[k] + 1' % n, 'bytes')))
        adapter.function('rollback', 'int l, int k', 'return (int)%s;' % adapter.call('rollback', here, 'o%d_kept[k] + 1' % n))
    if adapter.has('snapshot_delta'):
        adapter.function('snapshot_delta', 'int l, int k', 'size_t bytes = (size_t)%s;\n    free(o%d_delta[k]); o%d_delta[k] = (unsigned char *)malloc(bytes + 1);\n'
                         '    return %s == bytes ? 0 : 1;' % (adapter.call('snapshot_delta', here, 'o%d_kept[k] + 1' % n, 'NULL', '0'), n, n,
                                                              adapter.call('snapshot_delta', here, 'o%d_kept[k] + 1' % n, 'o%d_delta[k]' % n, 'bytes')))
        adapter.function('rollback_delta', 'int l, int k', 'return (int)%s;' % adapter.call('rollback_delta', here, 'o%d_kept[k] + 1' % n, 'o%d_delta[k]' % n))
    if adapter.has('save'):
        adapter.put('static struct o_file o%d_file[%d];' % (n, KEPT))
        adapter.function('save', 'int l, int k', 'o%d_file[k].count = 0; return (int)%s;' % (n, adapter.call('save', here, 'o_put', '&o%d_file[k]' % n)))
        name = 'restore' if adapter.has('restore') else 'load'
        adapter.function('load', 'int l, int k, int less', 'struct o_file *file = &o%d_file[k]; file->at = 0;\n'
                         '    file->end = (size_t)less > file->count ? 0 : file->count - (size_t)less; return (int)%s;' % (n, adapter.call(name, here, 'o_get', 'file')))
    if adapter.s.kind == 'pointer':
        adapter.function('write', adapter.VALUES, 'o%d_set(&o%d_pool[tag], tag, key, rank, gone); return 0;' % (n, n))


class Kept:
    """A state of the model: the elements, and what they held then."""

    def __init__(self, model, how, beside):
        self.how, self.last = how, model.number
        self.order = list(model.order)
        self.beside = {name: dict(values) for name, values in beside.items()}
        self.was = {each: self.content(each) for each in self.order}
        self.delta = None

    @staticmethod
    def content(element):
        kept = dict(element.__dict__)
        kept.update(values=dict(element.values), filed=dict(element.filed), events=list(element.events))
        kept.pop('handle', None)
        return kept

    def back(self, model):
        for each, content in self.was.items():
            for name, value in content.items():
                setattr(each, name, copy.copy(value) if isinstance(value, (dict, list)) else value)
        model.order, model.passes = list(self.order), []


class States(Calls):
    """Snapshots and files."""

    def __init__(self, *given):
        super().__init__(*given)
        self.states = {}

    def settled(self):
        return not self.frames and not self.model.locked() and self.model.future is None and not self.waiting

    def kept(self, how):
        self.drop_values()
        return Kept(self.model, how, self.beside)

    def do_snapshot(self):
        if not self.has('snapshot') or not self.settled():
            return
        place = self.random.randrange(KEPT)
        base = self.states.get(('snapshot', place))
        if base is not None and self.has('snapshot_delta') and self.random.random() < .5:
            self.expect('snapshot_delta', self.call('snapshot_delta', 0, place), 0)
            base.delta = self.kept('rollback_delta')
            return
        self.expect('snapshot', self.call('snapshot', 0, place), 0)
        self.states['snapshot', place] = self.kept('rollback')

    def do_rollback(self):
        m, s = self.model, self.s
        places = [place for what, place in self.states if what == 'snapshot']
        if not places or not self.settled():
            return
        for _ in range(self.random.choice([0, 0, 6, 14])):  # much has changed since
            self.operate(self.random.choice(['add', 'add', 'add', 'remove', 'memory'] + ['clear'] * (self.random.random() < .3)))
        place = self.random.choice(places)
        kept = self.states['snapshot', place]
        kept = kept.delta if kept.delta is not None and self.random.random() < .6 else kept
        first = s.kind == 'pointer' and self.random.random() < .3
        if first:
            self.bring_back(kept)
        self.expect(kept.how, self.named(self.quietly(kept.how, 0, place)[0]), 'OK')
        if s.kind == 'pointer' and not first:
            self.bring_back(kept)
        self.is_back(kept)
        m.touched()

    def bring_back(self, kept):
        """What elements by pointer held."""
        self.weigh_again({each.tag: kept.was[each]['more'] for each in kept.order})
        for each in kept.order:
            was = kept.was[each]
            for number, value in was['values'].items():
                self.call('value', number, was['tag'], value)
            self.call('write', was['tag'], was['key'], was['written'], int(was['flag']))

    def is_back(self, kept):
        m = self.model
        self.slots = [None] * len(self.slots)
        kept.back(m)
        self.values_are_back(kept.beside)
        self.end_scans()
        self.pairs = []
        self.weigh_again({each.tag: each.more for each in m.order})
        for each in m.order:
            for number, value in each.values.items():
                self.call('value', number, each.tag, value)
        for each in self.by_number:
            each.lost = each.number > kept.last or getattr(each, 'lost', False) and each not in kept.was  # it was given after that state

    def do_save(self):
        if not self.has('save') or not self.settled():
            return
        place = self.random.randrange(KEPT)
        self.expect('save', self.named(self.call('save', 0, place)), 'OK')
        self.states['save', place] = self.kept('load')

    def do_load(self):
        m = self.model
        places = [place for what, place in self.states if what == 'save']
        if not places or not self.settled():
            return
        place = self.random.choice(places)
        kept = self.states['save', place]
        if self.random.random() < .2:
            got, log = self.quietly('load', 0, place, self.random.randint(1, 20))
            self.expect('load of a part', self.named(got), {'IO', 'CORRUPT'})
            self.hooks_ran('load of a part', log, [each for each in log if each[0] == 'destroy' and self.c['persist.load']])  # of what that has made
            return
        got, log = self.quietly('load', 0, place, 0)
        self.expect('load', self.named(got), 'OK')
        self.hooks_ran('load', log, [(hook, each.tag) for each in m.order for hook in ('remove', 'destroy')])
        self.is_back(kept)
        m.touched()

    def do_lost(self):
        if 'lost' in self.s.without:
            return
        """A handle of a frame that never was names no element. Without generations it may name another one; all calls say the same of it."""
        lost = [each for each in self.by_number if getattr(each, 'lost', False) and hasattr(each, 'handle')]
        m = self.model
        if not lost or not self.settled() or self.blind_now():
            return
        element = self.random.choice(lost)
        got = self.call('named', 0, element.handle)
        again = self.c['handles.kind'] != 'generational' or m.replaces or self.has('replace_at')  # what replaces an element has its handle
        self.expect('the element of a handle that was given later', got, {0} | ({each.tag for each in m.order} if again else set()))
        if not self.has('remove_handle') or not self.may_remove() or self.random.random() < .5:
            return
        if got == 0:
            self.expect('removal by a handle that was given later', self.named(self.quietly('remove_handle', 0, element.handle)[0]), 'STALE')
        else:
            self.removal(m.find(got), 'remove_handle', element.handle)
