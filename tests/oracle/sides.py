"""Values that only some elements have. docs/side.md: "What is promised"."""

import ctypes

from calls import Calls
from model import Wrong

TEXT = """static void o_put_value(void *to, size_t bytes, int value) { memset(to, 0, bytes); memcpy(to, &value, bytes < sizeof value ? bytes : sizeof value); }
static int o_got_value(const void *from, size_t bytes) { int value = 0; if (from == NULL) return 0; memcpy(&value, from, bytes < sizeof value ? bytes : sizeof value); return value; }
"""


def text_of(adapter):
    s, n, here = adapter.s, adapter.s.number, '&o%d_l[l]' % adapter.s.number
    for each in s.plan.parts.side.all:
        name, named = each.name, 'o%d_h[number]' % n
        adapter.function('set_' + name, 'int l, int number, int value', '%s; o_put_value(&it, sizeof it, value); return (int)%s;' % (
            _declared(each.type, 'it'), adapter.call('set_' + name, here, named, 'it')))
        for call, const in (('get_' + name, ''), ('get_%s_const' % name, 'const')):
            adapter.function(call, 'int l, int number', 'return o_got_value(%s, sizeof *%s);' % (adapter.call(call, here, named), adapter.call(call, here, named)))
        for call in ('has_' + name, 'remove_' + name):
            adapter._status(call, 'int l, int number', here, named)
        adapter._status('count_' + name, 'int l', here)
        adapter._status('reserve_' + name, 'int l, int count', here, 'count')
        adapter.put('static %s o%d_with_%s;' % (s.names['with_' + name], n, name))
        adapter.function('begin_with_' + name, 'int l', 'o%d_with_%s = %s; return 0;' % (n, name, adapter.call('begin_with_' + name, here)))
        got = adapter.call('get', here, 'o%d_with_%s.handle' % (n, name))
        adapter.function('next_with_' + name, 'int l, int *value', 'if (!%s) return 0;\n    *value = o_got_value(o%d_with_%s.value, sizeof *o%d_with_%s.value); return %s;' % (
            adapter.call('next_with_' + name, '&o%d_with_%s' % (n, name)), n, name, n, name, 'o%d_tag_of_row(%s, %s)' % (n, here, got) if s.rows else 'o%d_tag(%s)' % (n, got)))


def _declared(kind, name):
    return '%s %s' % (kind, name)


class Loop:
    """Over the values of one name that are there when it begins."""

    def __init__(self, values):
        self.todo, self.current, self.over, self.uncertain, self.been = set(values), None, False, False, set()

    def loses(self, element):
        """Its value has been removed. One that the loop has been at, and that was set again, may be another one."""
        self.todo.discard(element)
        if element is self.current:
            self.current = None
        elif element in self.been:
            self.uncertain = True
        else:
            self.over = True


class Sides(Calls):
    """What elements have beside them."""

    def __init__(self, *given):
        super().__init__(*given)
        self.beside = {each.name: {} for each in self.s.plan.parts.side.all}  # of each name the values, by element
        self.loops = {}

    def drop_values(self):
        """What has been removed has none; what has replaced another one has those."""
        for name, values in self.beside.items():
            for element in [each for each in values if each not in self.model.order]:
                value, loop = values.pop(element), self.loops.get(name)
                if element.latest in self.model.order:
                    values[element.latest] = value
                    if loop is not None and element in loop.todo:
                        loop.todo = loop.todo - {element} | {element.latest}
                    if loop is not None and loop.current is element:
                        loop.current = element.latest
                elif loop is not None:
                    loop.loses(element)

    def values_are_back(self, beside):
        """A state of then has come back, and loops over what was there until now are over."""
        self.beside = {name: dict(values) for name, values in beside.items()}
        for loop in self.loops.values():
            loop.over, loop.uncertain, loop.current = True, False, None

    def compare_sides(self):
        self.drop_values()
        for name, values in self.beside.items():
            self.expect('count_' + name, self.call('count_' + name, 0), len(values))
            known = [each for each in self.by_number if hasattr(each, 'handle')]
            if known:
                element = self.random.choice(known)
                value = values.get(element.latest, 0)
                self.expect('has_%s %r' % (name, element), self.call('has_' + name, 0, element.handle), int(value != 0))
                self.expect('get_%s %r' % (name, element), self.call(self.random.choice(['get_%s', 'get_%s_const']) % name, 0, element.handle), value)

    def do_side(self):
        self.drop_values()
        known = [each for each in self.by_number if hasattr(each, 'handle') and not getattr(each, 'lost', False)]
        name, what = self.random.choice(sorted(self.beside)), self.random.choice(['set', 'set', 'set', 'remove', 'reserve', 'loop', 'loop', 'loop', 'loop'])
        if what == 'loop':
            return self.step_in_loop(name)
        if what == 'reserve':
            return self.expect('reserve_' + name, self.status('reserve_' + name, 0, self.random.randint(0, 30)), 'OK')
        if not known:
            return None
        there = [each for each in known if each.latest in self.model.order]
        element = self.random.choice(there if there and self.random.random() < .85 else known)
        values, holder = self.beside[name], element.latest if element.latest in self.model.order else None
        if what == 'set':
            value = 1 if 'bool' in str(self.kind_of(name)) else self.random.randint(1, 99)
            self.expect('set_' + name, self.status('set_' + name, 0, element.handle, value), 'OK' if holder else 'STALE')
            if holder:
                values[holder] = value
        else:
            self.expect('remove_' + name, self.status('remove_' + name, 0, element.handle), 'STALE' if not holder else 'OK' if holder in values else 'ABSENT')
            if holder in values:
                del values[holder]
                if name in self.loops:
                    self.loops[name].loses(holder)
        return None

    def kind_of(self, name):
        return next(each.type for each in self.s.plan.parts.side.all if each.name == name)

    def step_in_loop(self, name):
        """One begins where there is none, or is left anywhere; it visits none that came later."""
        values = self.beside[name]
        if name not in self.loops or self.random.random() < .1:
            self.call('begin_with_' + name, 0)
            self.loops[name] = Loop(values)
        loop, value = self.loops[name], ctypes.c_int(0)
        got = self.call('next_with_' + name, 0, ctypes.byref(value))
        if not got:
            if loop.todo and not loop.over and not loop.uncertain:
                raise Wrong('the loop over %s ends, and %r has not been visited' % (name, loop.todo))
            del self.loops[name]
            return
        if loop.over and not loop.uncertain:
            raise Wrong('the loop over %s goes on' % name)
        loop.current = next((each for each in loop.todo if each.tag == got), None)
        self.expect('whether the loop over %s visits %d' % (name, got), loop.current is not None, True)
        loop.todo.discard(loop.current)
        loop.been.add(loop.current)
        self.expect('%s of %d in the loop' % (name, got), value.value, values[loop.current])
