"""Containers in layers: the C text of the calls that go through all of them. What they do is in layered.py."""

from subject import Unsupported

BEGINS = ('begin', 'begin_visible', 'begin_backward')


class Text:
    """The calls of a container whose layer an adapter speaks for; it is `o<number>_layers`."""

    def __init__(self, adapter, plan):
        self.adapter, self.plan, self.s, self.n = adapter, plan, adapter.s, adapter.s.number
        self.own = {each.name: each for each in plan.operations}
        self.here = '&o%d_layers' % self.n
        self.ref = adapter.ref + ' ' * (not adapter.ref.endswith('*'))

    def put(self, name, params, body):
        self.adapter.function('all_' + name, params, body)

    def call(self, name, *given):
        assert len(self.own[name].params) == len(given), (name, self.own[name].params)
        return '%s(%s)' % (self.plan.T[name], ', '.join(given))

    def status(self, name, *given):
        return 'return (int)%s;' % self.call(name, *given) if self.own[name].result != 'void' else self.call(name, *given) + '; return 0;'

    def tag(self, got, layer):
        """Of what a call returns: a row is one of a layer."""
        return 'o%d_tag_in(%s, %s)' % (self.n, layer, got) if self.s.rows else 'o%d_tag(%s)' % (self.n, got)

    def all(self):
        s, n, T, put = self.s, self.n, self.plan.T, self.put
        if 'next' not in self.own:
            raise Unsupported('no T_next')
        self.adapter.put('static %s o%d_c_all[16];\n' % (T.cursor, n))
        if 'next_const' in self.own:
            self.adapter.put('static %s o%d_r_all[4];\n' % (T.const_cursor, n))
        if s.rows:
            self.adapter.put('static int o%d_tag_in(size_t layer, %srow)\n{\n    return row == %s ? 0 : o%d_tag_of_row(&o%d_l[layer], row);\n}\n' % (
                n, self.ref, self.adapter.none, n, n))
        put('open', 'void', 'memset(o%d_pool, 0, sizeof o%d_pool); memset(%s, 0, sizeof *%s); %s; return 0;' % (
            n, n, self.here, self.here, self.adapter.call_of(self.own['init'], T, self.here) if 'init' in self.own else ''))
        put('close', 'void', self.status('deinit', self.here))
        for name in ('clear', 'settle', 'count', 'is_empty', 'prune', 'lock', 'unlock'):
            if name in self.own:
                given = ['0'] * (len(self.own[name].params) - 1)  # seconds
                put(name, 'void', self.status(name, self.here, *given))
        put('told', 'void', 'return (int)((const %s *)o_from - o%d_l);' % (s.names, n))
        if s.kind == 'pointer':
            put('told_of', 'void', 'return o%d_tag((const %s *)o_of);' % (n, s.E))
        put('check', 'void', 'return %s != NULL;' % (self.call('check', self.here) if 'check' in self.own else 'NULL'))
        if 'layer_at' in self.own:
            put('layer_at', 'int l', 'return %s == &o%d_l[l];' % (self.call('layer_at', self.here, '(size_t)l'), n))
        for name in [each for each in ('set_enabled', 'set_visible') if each in self.own]:
            put(name, 'int l, int on', self.status(name, self.here, '(size_t)l', 'on != 0'))
        if s.kind == 'value' and s.expired is not None and s.settings['ordering'] == 'unordered' and s.settings['removal.policy'] != 'prune' \
                and (s.settings['removal.when'] != 'immediate' or not {'remove', 'destroy'} & set(s.hooks)):
            raise Unsupported('layers of which nothing says what a pass has removed')
        self.changes()
        self.handles()
        self.passes()
        self.update()

    def changes(self):
        """What adds, removes and moves; `l` is the layer of the element."""
        make, it = self.adapter._new()
        self.put('add', 'int l, ' + self.adapter.VALUES, make + ' ' + self.status('add', self.here, '(size_t)l', it))
        at = 'o%d_at(l, tag)' % self.n
        if self.plan.keeps or self.s.kind == 'value' and self.s.key is not None:  # else it removes an equal one
            return
        for name in ('remove', 'layer_of', 'contains'):
            if name in self.own:
                self.put(name, 'int l, int tag', self.status(name, self.here, at))
        if 'move' in self.own:
            self.put('move', 'int l, int tag, int to', self.status('move', self.here, *['(size_t)l'] * self.s.rows, at, '(size_t)to'))

    def handles(self):
        """Handles that all layers share."""
        if not self.plan.keeps:
            return
        named = 'o%d_h[number]' % self.n
        for name in ('remove', 'layer_of', 'contains'):
            self.put(name, 'int number', self.status(name, self.here, named))
        if 'move' in self.own:
            self.put('move', 'int number, int to', self.status('move', self.here, named, '(size_t)to'))
        self.put('named', 'int number', 'return %s;' % self.tag(self.call('get', self.here, named), self.call('layer_of', self.here, named)))
        if 'handle_of' in self.own:
            self.put('note', 'int l, int tag, int number', '%s = %s; return 0;' % (named, self.call('handle_of', self.here, 'o%d_at(l, tag)' % self.n)))
        if 'add_handle' in self.own:
            make, it = self.adapter._new()
            self.put('add_handle', 'int l, %s, int number' % self.adapter.VALUES, make + ' ' + self.status('add_handle', self.here, '(size_t)l', it, '&' + named))

    def passes(self):
        n, own, put = self.n, self.own, self.put
        cursor, reader = 'o%d_c_all[c]' % n, 'o%d_r_all[c]' % n
        for name in BEGINS:
            if name in own:
                put(name, 'int c', '%s = %s; return 0;' % (cursor, self.call(name, self.here)))
            if name + '_const' in own:
                put(name + '_const', 'int c', '%s = %s; return 0;' % (reader, self.call(name + '_const', self.here)))
        for name, which in [each for each in (('next', cursor), ('next_const', reader)) if each[0] in own]:
            put(name, 'int c', '%sgot = %s; return %s;' % (
                self.ref if name == 'next' or self.s.rows else 'const ' + self.ref, self.call(name, '&' + which), self.tag('got', which + '.layer')))
        for name in ('end', 'remove_current'):
            if name in own:
                put(name, 'int c', self.status(name, '&' + cursor))
        if 'current' in own:
            put('current', 'int c', 'return %s;' % self.tag(self.call('current', '&' + cursor), cursor + '.layer'))
            put('begin_after', 'int c, int other', '%s = %s; return 0;' % (cursor, self.call('begin_after', '&o%d_c_all[other]' % n)))
        if 'next_pair' in own:
            inner = 'o%d_c_all[d]' % n
            self.adapter.put('static %so%d_all_a[16], %so%d_all_b[16];' % (self.ref, n, '*' * self.ref.endswith('*'), n))
            put('begin_pairs', 'int c, int d', '%s = %s; memset(&%s, 0, sizeof %s); return 0;' % (cursor, self.call('begin', self.here), inner, inner))
            put('next_pair', 'int c, int d, int *a, int *b', 'if (!%s) return 0;\n    *a = %s; *b = %s; return 1;' % (
                self.call('next_pair', '&' + cursor, '&o%d_all_a[c]' % n, '&' + inner, '&o%d_all_b[c]' % n),
                self.tag('o%d_all_a[c]' % n, cursor + '.layer'), self.tag('o%d_all_b[c]' % n, inner + '.layer')))

    def update(self):
        """With the time that has passed, and a context, if a hook is given them."""
        if 'update' not in self.own:
            return
        given = self.own['update'].params[1:]
        if given and 'set_time_scale' in self.own:
            if '*' not in given[1][0]:
                raise Unsupported('a context that is no pointer')
            self.put('set_time_scale', 'int l, int eighths', self.status('set_time_scale', self.here, '(size_t)l', 'eighths / 8.0'))
        self.put('update', 'int seconds', '(void)seconds; ' + self.status('update', self.here, *['(double)seconds', '(void *)&o_given'] * bool(given)))
