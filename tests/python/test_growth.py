"""Costs, counted: what a header says of an operation's cost holds for eight times as many elements.

gcc calls a function in every block of the emitted code; bytes that are copied or cleared count, too. What is counted is the same
on every machine, and the sum over a whole game of operations divided by their number, so that O(1) amortised is O(1). The games are
played with containers of all values of all axes, and with every operation that they have.
"""

import concurrent.futures
import multiprocessing
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from listed import combinations as all_combinations
from turns import FULL, share

from generator.containers import planning as plans
from generator.containers.load import load_spec
from generator.containers.names import operation_names
from generator.emitted.render import Renderer
from generator.language import combinations
from generator.language.by_name import unpopped, unpopped_back
from generator.language.strategies import strategy_of
from generator.text.diag import Diagnostics
from generator.text.naming import plain

sys.path.insert(0, os.path.join(ROOT, 'tests', 'combinations'))
import run as combined  # noqa: E402

FEW, MANY = 128, 1024
# How much more a block may run for MANY than for FEW: what they make of O(log n), and of O(n log n), with room for how a count happens
# to fall between two powers of two. `n / 64` is told from n by how many blocks come with each word.
MOST = {'flat': 2.0, 'linear': 16.0}
LEAST = {'flat': 4, 'linear': 4 * FEW}  # what is less is taken for so much: one block more or less
EACH_WORD = 16
ORDERS = {'1': 'flat', 'log n': 'flat', 'layers': 'flat', 'n / 64': 'words', 'n': 'linear', 'n log n': 'linear', 'n * n': 'any'}
KINDS = ('flat', 'words', 'linear', 'any')

# What a cost says of some situations only: (the situation, what is not said of it).
SITUATIONS = (
    # A whole game is counted: what is put right now and then is O(1) for each.
    ('game', r', O\(n\) if it compacts|, at worst O\(n / 64\)'),
    ('current', r' for what the only live pass stands on, else O\(n\)| if a pass stands on it, else O\(n\)'),
    ('closed', r'O\(n\) if a gap is open, else '),
    ('unchanged', r', and O\(n / 64\) at the first change'),
    ('into empty', r', else .*'),
    ('into some', r'^O\(1\) if it is empty, else '),
    ('waiting', r',? then O\(pending changes\)'),
)

SHRINKS = {'capacity.shrink.below': '50%', 'capacity.shrink.after': '1 settles', 'capacity.initial': '1'}
# The settings that go with many combinations: one wears the first of these, from one of them on, that it may.
DRESSES = (
    {},
    combined.HOOKS,
    {'iteration.removes': 'current', 'iteration.cursors': 'one'},
    SHRINKS,
    {'hooks.destroy': '{T}_destroys', 'hooks.move': '{T}_moves', 'hooks.update': '{T}_updates'},
    {'handles.index_bits': '16', 'handles.generation_bits': '8'},
    {'iteration.removes': 'current'},
    {'storage.links': 'single'},
    {'removal.dead_share': '20%', 'iteration.passes': '8'},
    {'capacity.growth': '1.25', 'hooks.remove': '{T}_removes'},
    {'iteration.cursors': 'one'},
    {'iteration.removes': 'none'},
    {'threads.workers': '2'},
    {'sort.key': 'element->id'},
)

COUNTING = '''
#include <stdlib.h>
#include <string.h>
extern unsigned long counted;
static inline void *counting_move(void *to, const void *from, size_t bytes) { counted += bytes / 64; return memmove(to, from, bytes); }
static inline void *counting_set(void *to, int byte, size_t bytes) { counted += bytes / 64; return memset(to, byte, bytes); }
static inline void *counting_realloc(void *block, size_t bytes) { counted += bytes / 64; return realloc(block, bytes); }
#define memmove(to, from, bytes) counting_move(to, from, bytes)
#define memcpy(to, from, bytes) counting_move(to, from, bytes)
#define memset(to, byte, bytes) counting_set(to, byte, bytes)
#define realloc(block, bytes) counting_realloc(block, bytes)
'''
COUNTED = ['-fsanitize-coverage=trace-pc', '-include', 'counting.h']
COUNTER = 'unsigned long counted; void __sanitizer_cov_trace_pc(void) { counted++; }'
HEAD = '''
#include "all.h"
#include <stdio.h>
static struct thing *things, **pointers;
static struct row *rows;
static size_t n, *order;
static unsigned drawn = 1;
static size_t draw(size_t below) { drawn = drawn * 1664525u + 1013904223u; return (drawn >> 8) % below; }
static void shuffle(void)
{
    for (size_t i = 0; i < n; i++) { order[i] = i; }
    for (size_t i = n; i-- > 1;) { size_t j = draw(i + 1), was = order[i]; order[i] = order[j]; order[j] = was; }
}
#define COUNT(what, times, ...) \\
    do { \\
        unsigned long before = counted; \\
        __VA_ARGS__ \\
        printf("%s %.3f\\n", what, (double)(counted - before) / (double)(times)); \\
    } while (0)
#define EXPECT(what, is) do { if (!(is)) { printf("wrong: %s: %s\\n", what, #is); } } while (0)
'''
MAIN = '''
int main(int count, char **arguments)
{
    n = count < 2 ? 0 : (size_t)atoi(arguments[1]);
    things = calloc(2 * n, sizeof *things);
    rows = calloc(2 * n, sizeof *rows);
    pointers = calloc(2 * n, sizeof *pointers);
    order = calloc(n, sizeof *order);
%s
    return 0;
}
'''
FRESH = '''    memset(things, 0, 2 * n * sizeof *things);
    for (size_t i = 0; i < 2 * n; i++) {
        things[i].id = (uint32_t)i;
        things[i].hp = (int)(i * 7919 %% 1009);
        rows[i] = (struct row){.id = things[i].id, .hp = things[i].hp};
        pointers[i] = &things[i];
    }
    play_%s();
'''


def bound(cost, *situations):
    """What a cost says of growth, in these situations."""
    for situation, leaves_out in SITUATIONS:
        if situation in situations:
            cost = re.sub(leaves_out, '', cost)
    cost = cost.replace('n + pending changes', 'n').replace('pending changes', 'n')
    return max((ORDERS[order] for order in re.findall(r'O\(([^)]*)\)', cost)), key=KINDS.index)


def of_any(name):
    """The getter that one of a const container is as."""
    return re.sub('_const$', '', name)


class Game:
    """What is played with one container, in C: what is counted is the cost of one operation, or of several."""

    def __init__(self, plan):
        self.plan, self.T, self.TT, self.c = plan, plain(plan.T), plain(plan.TT), plan.container
        self.layered = plan.container['ordering'] == 'layered'
        self.inner = plan.inner if self.layered else plan
        self.p = self.inner.parts
        self.rows = self.p.element.rows
        self.by_address = self.p.element.by_value and not self.rows and self.p.element.addressed
        self.operations = {operation.name: operation for operation in plan.operations if not operation.private}
        self.gap = strategy_of(self.inner.container).arrangement.gap
        self.lines, self.played = [], set()
        self.many = self.c['iteration.cursors'] == 'many'
        self.any = self.many and self.c['iteration.removes'] == 'any'
        self.seeks = self.rows or self.by_address or 'handle_of' in self.operations  # must things be looked for before they are named?
        self.walk = f'{self.TT}_EACH(%s, one) {{ %s }}'

    # -- one operation, in C

    def value(self, at):
        return f'rows[{at}]' if self.rows else f'{"&" if self.p.element.by_pointer else ""}things[{at}]'

    def sought(self, at, of='&list'):
        return f'{self.T}_known({of}, {at})' if self.rows or self.by_address else f'&things[{at}]'

    def beside(self, at):
        """The same of an element in the container, where it is named by its address though it has a key."""
        if self.p.element.named_twice and 'find' in self.operations and self.p.index.kind != 'none':
            return f'{self.T}_find(&list, {self.key(at)})'
        return self.sought(at)

    def key(self, at):
        return f'(uint64_t)things[{at}].id'

    def add(self, at, to='&list'):
        return f'(void){self.T}_add({to}, {f"({at}) % {len(self.plan.layers)}, " if self.layered else ""}{self.value(at)});'

    def asks(self, name):
        """The arguments of a question about thing order[i], or None."""
        kinds = [kind for kind, _ in self.operations[name].params][1:]
        at = 'order[i]'
        if self.operations[name].column:
            return ', 0' * len(kinds)
        if of_any(name).startswith(('next_after', 'previous_before')):
            return f', {self.key(at)}'
        told = {
            (): '', ('uint64_t',): f', {self.key(at)}', (self.p.sought[0],): f', {self.sought(at)}', (self.plan.T.handle,): f', {self.T}_named(&list, {at})',
            ('size_t', 'size_t'): ', i % 4, 4', ('size_t', self.p.E): f', {self.sought(at)}, rows[{at}]',
            ('size_t', 'const uint64_t **'): ', 0, NULL', ('size_t', 'size_t *'): ', 0, NULL', ('size_t', 'uint32_t'): ', i / 64, masks',
            ('size_t', 'bool'): ', 0, true', ('size_t', 'double'): ', 0, 1.0'}
        if of_any(name) in ('get', 'get_back', 'chunk', 'const_chunk', 'lanes', 'layer_at', 'is_enabled', 'is_visible', 'time_scale', 'occupied') and kinds[0] == 'size_t':
            return ', i % 2' + (', NULL' if len(kinds) > 1 else '')
        return told[tuple(kinds)]

    def removals(self):
        """The ways to take out thing `at`: name -> C."""
        ways = {}
        for name in ('remove', 'remove_key'):
            if name in self.operations:
                kind = self.operations[name].params[1][0]
                ways[name] = f'(void){self.T}_{name}(&list, ' + (
                    f'{self.T}_named(&list, %s)' if plain(kind).endswith('_handle') else self.key('%s') if name == 'remove_key' else self.sought('%s')) + ');'
        return ways

    # -- counting

    def count(self, of, times, *statements, when=('game',)):
        names = [name for name in of.split() if name in self.operations]
        assert names == of.split(), (self.T, of)
        self.played.update(names)
        self.counted("+".join(names), times, " ".join(statements), max((self.growth_of(name, *when) for name in names), key=KINDS.index))

    def growth_of(self, name, *when):
        return bound(str(self.operations[name].cost), *when)

    def counted(self, what, times, statements, kind):
        self.lines.append(f'COUNT("{self.T} {what} #{len(self.lines)} {kind}", {times}, {statements});')

    def do(self, *statements):
        self.lines.append(' '.join(statements))

    def full(self, times='n'):
        """All of them are in, and nothing else."""
        T = self.T
        self.do(f'(void){T}_clear(&list);', f'for (size_t i = 0; i < {times}; i++) {{ {self.add("i")} }}', 'shuffle();',
                f'EXPECT("{T} #{len(self.lines)}", {T}_count(&list) == {times});')

    # -- the games

    def text(self):
        T, operations = self.T, self.operations
        every = 'for (size_t i = 0; i < n; i++)'
        context = ', NULL' if len(operations['init'].params) > 1 else ''
        self.count('init', '1', f'{T}_init(&list{context});')
        if 'prepare' in operations:
            self.count('prepare', 'n', every, f'{{ {T}_prepare({self.value("order[i]")}); }}')
        self.do(f'{T}_init(&other{context});')
        self.count('add', 'n', f'shuffle(); {every}', f'{{ {self.add("order[i]")} }}')
        self.do(f'EXPECT("{T}", {T}_count(&list) == n);')
        self.questions(every)
        self.passes(every)
        self.removing(every)
        self.coming(every)
        self.ends(every)
        self.threads(every)
        if self.layered:
            self.layers(every)
        if 'lock' in operations:
            self.locked(every)
        self.whole(every)
        left = operations.keys() - self.played
        assert not left, f'{T}: no game counts {sorted(left)}'
        body = '\n    '.join(self.lines)
        return f'{self.helpers()}\nstatic void play_{T}(void)\n{{\n    {T} list, other;\n    uint32_t masks[64];\n    size_t taken;\n\n    (void)masks; (void)taken;\n' \
               f'    {body}\n    {T}_deinit(&list);\n    {T}_deinit(&other);\n}}\n'

    def helpers(self):
        """What tells a thing's row, address or handle, and is not counted."""
        T, ref, text = self.T, self.p.ref, ''
        if self.rows or self.by_address:
            ident = f'{T}_load(list, %s).id' if self.rows else '%s->id'
            there = f'{T}_contains(list, known[at])' if 'contains' in self.operations else 'false'
            there = f'{there} && {ident % "known[at]"} == at' if 'contains' in self.operations else 'false'
            text += f'static {ref} {T}_known({T} *list, size_t at)\n{{\n    static {ref} known[{2 * MANY}];\n    unsigned long was = counted;\n' \
                    f'    if (!({there})) {{ {self.walk % ("list", "known[" + ident % "one" + "] = one;")} }}\n    counted = was;\n    return known[at];\n}}\n' \
                if not (self.layered and self.rows) else ''
        if 'handle_of' in self.operations:
            twin = self.p.element.named_twice and 'find' in self.operations  # a copy of an element is none where others may have its key
            found = f'{T}_find(list, {self.key("at")})'
            sought = f'{T}_handle_of(list, {found if twin else self.sought("at", "list")})'
            of = f'{T}_get(list, named[at])'
            ident = f'{T}_load(list, {of}).id' if self.rows else f'{of}->id'
            text += f'static {T}_handle {T}_named({T} *list, size_t at)\n{{\n    static {T}_handle named[{2 * MANY}];\n    unsigned long was = counted;\n' \
                    f'    if ({of} == {self.p.nil} || {ident} != at) {{ named[at] = {sought}; }}\n    counted = was;\n    return named[at];\n}}\n'
        return text

    QUESTIONS = ('count', 'is_empty', 'capacity', 'contains', 'will_contain', 'predicted_count', 'find', 'get', 'get_back', 'const_data', 'chunk_count', 'chunk',
                 'const_chunk', 'part', 'const_part', 'data', 'rows', 'const_rows', 'occupied', 'masks', 'lanes', 'load', 'store', 'handle_of', 'first',
                 'last', 'parent_of', 'first_child_of', 'last_child_of', 'next_sibling_of', 'previous_sibling_of', 'next_of', 'previous_of', 'is_locked', 'layer_of', 'layer_at', 'is_enabled',
                 'next_after', 'next_after_const', 'previous_before', 'previous_before_const', 'set_enabled', 'is_visible', 'set_visible', 'time_scale', 'set_time_scale')

    def questions(self, every):
        for name, operation in self.operations.items():
            if of_any(name) in self.QUESTIONS or operation.column:
                self.count(name, 'n', f'shuffle(); {every}', f'{{ (void){self.T}_{name}(&list{self.asks(name)}); }}', when=('game', 'closed'))
        for name in ('data', 'part', 'rows') if self.gap else ():
            if name in self.operations:  # while one is open
                self.do(f'{{ {self.T}_cursor cursor = {self.T}_begin(&list); for (size_t i = 0; i < n / 2; i++) {{ (void){self.T}_next(&cursor); }} '
                        f'(void){self.T}_remove_current(&cursor);')
                self.count(name, '1', f'{{ size_t i = 0; (void){self.T}_{name}(&list{self.asks(name)}); }}', when=())
                self.do(f'{self.T}_end(&cursor); }}')
                self.full()

        handles = [name for name in ('handle_none', 'handle_equal', 'handle_pack', 'handle_unpack') if name in self.operations]
        if handles:
            packed = f'{self.T}_handle_pack({self.T}_handle_none())'
            self.count(' '.join(handles), 'n', f'{every} {{ (void){self.T}_handle_equal({self.T}_handle_unpack({packed}), {self.T}_handle_none()); }}')

    def passes(self, every):
        T, operations = self.T, self.operations
        begins = [name for name in ('begin', 'begin_visible', 'begin_backward') if name in operations]
        for name in begins:
            cursor = f'{T}_cursor cursor = {T}_{name}(&list);'
            self.count(name, '1', f'{cursor} (void)cursor; {T}_end(&cursor);')
            self.do(f'{{ {cursor}')
            self.count('next', 'n', f'while ({T}_next(&cursor) != {self.p.nil}) {{ }}')
            self.count('end', '1', f'{T}_end(&cursor);')
            self.do('}')
            self.count(f'{name} end', '100', f'for (int i = 0; i < 100; i++) {{ {cursor} (void){T}_next(&cursor); {T}_end(&cursor); }}', when=('game', 'unchanged'))
        for name in (name for name in operations if name.startswith('begin') and name.endswith('_const')):  # readers need no end
            reader = f'{T}_const_cursor reader = {T}_{name}(&list);'
            self.count(name, '1', f'{reader} (void)reader;')
            self.count('next_const', 'n', f'{reader} while ({T}_next_const(&reader) != {self.p.nil}) {{ }}')
            if 'was_changed_const' in operations:  # layers ask their containers
                self.count('was_changed_const', 'n', f'{reader} {every} {{ (void){T}_was_changed_const(&reader); }}')
        if 'remove_current' not in operations:  # fail-fast: a removal ends them
            self.count('was_changed', 'n', f'{T}_cursor cursor = {T}_begin(&list); {every} {{ (void){T}_was_changed(&cursor); }} {T}_end(&cursor);')
            return
        leave = f'(void){T}_remove_current(&one_cursor);'
        self.count('remove_current next', 'n', 'size_t at = 0;', self.walk % ('&list', f'if (at++ % 3 == 0) {{ {leave} }}'), when=('game', 'current', 'waiting'))
        self.count('remove_current next', 'n', self.walk % ('&list', leave), when=('game', 'current', 'waiting'))
        self.do(f'EXPECT("{T}", {T}_count(&list) == 0);')
        for name in begins:  # over nothing, and over one behind many slots that were in use
            self.full()
            self.do(self.walk % ('&list', leave), self.add('0'))
            one = f'for (int i = 0; i < 100; i++) {{ {T}_cursor cursor = {T}_{name}(&list); (void){T}_next(&cursor); {T}_end(&cursor); }}'
            if name == 'begin_backward' and self.p.index.name == 'direct':  # a word for each 64 ids above the largest that is there
                self.counted(f'{name}+end', '100', one, 'words')
            else:
                self.count(f'{name} end', '100', one, when=('game', 'unchanged'))
        # One leaves in each of many passes, which may be left as they are. A gap is closed behind each.
        for end in (f'{T}_end(&cursor);', ''):
            self.full()
            self.pay('remove_current')
            self.count('begin next remove_current end settle', '64', 'for (int i = 0; i < 64; i++)',
                       f'{{ {T}_cursor cursor = {T}_begin(&list); (void){T}_next(&cursor); (void){T}_remove_current(&cursor); {end} {self.settle()} }}',
                       when=('current', 'waiting') + (() if self.gap else ('game',)))
        self.full()
        most = min(64, self.p.passes.limit or 64)
        self.count('begin next settle', str(most), f'for (int i = 0; i < {most}; i++)', f'{{ {T}_cursor cursor = {T}_begin(&list); (void){T}_next(&cursor); }} {self.settle()}',
                   when=('game', 'unchanged', 'waiting'))
        if self.any:
            self.several()

    def pay(self, name):
        """What the adds have put off is done: O(log n), amortised, is that of all calls since the container was empty, so the first removal
        from a heap may look at each element. A game that counts some calls only begins behind that."""
        if 'amortised' in str(self.operations[name].cost) and {'first', 'remove'} <= set(self.operations) and self.p.order.name == 'heap_links':
            self.do(f'{{ {self.p.ref} first = {self.T}_first(&list); (void){self.T}_remove(&list, first); (void){self.T}_add(&list, first); }}')

    def settle(self):
        seconds = ', 1.0' if len(self.operations['settle'].params) > 1 else ''
        return f'(void){self.T}_settle(&list{seconds});'

    def several(self):
        """Elements leave and come under several passes, which are then left, ended, or forgotten."""
        T = self.T
        live = min(4, self.p.passes.limit or 4)
        for after in (f'for (int k = 0; k < {live}; k++) {{ {T}_end(&passes[k]); }}', self.settle()):
            for name, remove in self.removals().items():
                self.full()
                self.do(f'{{ {T}_cursor passes[{live}]; for (size_t k = 0; k < {live}; k++) {{ passes[k] = {T}_begin(&list); '
                        f'for (size_t i = 0; i < k * n / {live}; i++) {{ (void){T}_next(&passes[k]); }} }}')
                self.count(f'{name} add', 'n', f'for (size_t i = 0; i < n; i++) {{ size_t at = draw(n); {remove % "at"} {self.add("at")} }}', when=('game', 'waiting'))
                self.count(name, 'n', f'for (size_t i = 0; i < n; i++) {{ {remove % "order[i]"} }}', when=('game',))
                self.count('end' if 'end(' in after else 'settle', 'n', after, when=('waiting', 'game'))
                self.do('}')
            self.full()
            self.do(f'{{ {T}_cursor passes[{live}]; for (size_t k = 0; k < {live}; k++) {{ passes[k] = {T}_begin(&list); }}')
            self.count('remove_current next', 'n', f'while ({T}_next(&passes[0]) != {self.p.nil}) {{ (void){T}_remove_current(&passes[0]); }}', when=('game', 'waiting'))
            self.count('end' if 'end(' in after else 'settle', 'n', after, when=('waiting', 'game'))
            self.do('}')

    def removing(self, every):
        T = self.T
        rounds = 'n' if self.seeks else '4 * n'
        for name, remove in self.removals().items():
            for key in ('draw(n)', 'i % n', 'i % 4', '0', 'n - 1'):
                self.full()
                self.count(f'{name} add', rounds, f'for (size_t i = 0; i < {rounds}; i++)', f'{{ size_t at = {key}; {remove % "at"} {self.add("at")} }}')
            for key in ('order[i]', 'i', 'n - 1 - i'):
                self.full()
                self.count(name, 'n', every, f'{{ {remove % key} }}')
                self.do(f'EXPECT("{T}", {T}_count(&list) == 0);')
            # A frame in which few leave and few come, and what it costs to have the storage put right: over and over, at every number of
            # elements at which it may want more, or less.
            for share in ('n / 2', 'n / 4', 'n'):
                self.full(share)
                self.count(f'{name} add settle', rounds, f'for (size_t i = 0; i < {rounds}; i++)',
                           f'{{ size_t at = i / 2 * 37 % ({share}); if (i % 2 == 0) {{ {remove % "at"} }} else {{ {self.add("at")} }} {self.settle()} }}')
            if 'capacity' in self.operations:
                self.full()
                self.do(f'size_t some_{name} = n; while (some_{name} < 2 * n && {T}_count(&list) < {T}_capacity(&list)) {{ {self.add(f"some_{name}")} some_{name}++; }}')
                self.count(f'{name} add', rounds, f'for (size_t i = 0; i < {rounds}; i++)',
                           f'{{ size_t at = i / 2 % n; if (i % 2 == 0) {{ {remove % "at"} }} else {{ {self.add("at")} }} }}')
                self.count(f'{name} add', rounds, f'for (size_t i = 0; i < {rounds}; i++)',
                           f'{{ size_t at = i / 2 % n; if (i % 2 == 0) {{ {self.add("(n + at) % (2 * n)")} }} else {{ {remove % "(n + at) % (2 * n)"} }} }}')
        if 'remove_at' in self.operations:
            for key in (f'draw({T}_count(&list))', '0', f'{T}_count(&list) - 1'):
                self.full()
                self.count('remove_at', 'n', every, f'{{ (void){T}_remove_at(&list, {key}); }}')
        if 'remove_range' in self.operations:
            for first, number in (('0', 'n'), ('0', '1'), ('n / 4', 'n / 2'), ('n / 2', '1'), ('n - 1', '1')):
                self.full()
                self.count('remove_range', '1', f'(void){T}_remove_range(&list, {first}, {number});')
        if 'replace_at' in self.operations:
            self.full()
            self.count('replace_at', 'n', every, f'{{ (void){T}_replace_at(&list, i, {self.value("n + i")}); }}')

    def coming(self, every):
        T, operations = self.T, self.operations
        if 'emplace' in operations:
            set_ = f'{T}_store(&list, made, rows[i]);' if self.rows else '*made = things[i];'
            self.do(f'{T}_clear(&list);')
            self.count('emplace', 'n', every, f'{{ {self.p.ref} made = {T}_emplace(&list); if (made != {self.p.nil}) {{ {set_} }} }}')
        for name in ('insert_before', 'insert_after', 'add_child'):
            if name in operations:
                for at in ('0', 'n / 2', 'draw(n / 2)'):
                    self.full('n / 2')
                    self.count(name, 'n / 2', f'for (size_t i = n / 2; i < n; i++) {{ (void){T}_{name}(&list, {self.beside(at)}, {self.value("i")}); }}')
                    if f'{name}_get' in operations:
                        self.full('n / 2')
                        self.count(f'{name}_get', 'n / 2', f'for (size_t i = n / 2; i < n; i++) {{ {self.p.ref} added; '
                                   f'(void){T}_{name}_get(&list, {self.beside(at)}, {self.value("i")}, &added); }}')
                    if f'{name}_handle' in operations:
                        self.full('n / 2')
                        self.count(f'{name}_handle', 'n / 2', f'for (size_t i = n / 2; i < n; i++) {{ {T}_handle added; '
                                   f'(void){T}_{name}_handle(&list, {self.beside(at)}, {self.value("i")}, &added); }}')
        for name in ('move_before', 'move_after', 'move_to_front', 'move_to_back'):
            if name in operations:
                self.full()
                beside = f', {self.beside("draw(n)")}' if operations[name].params[2:] else ''
                self.count(name, 'n', every, f'{{ (void){T}_{name}(&list, {self.beside("order[i]")}{beside}); }}')
        if 'move_to_parent' in operations:
            self.full()
            self.count('move_to_parent', 'n', every, f'{{ (void){T}_move_to_parent(&list, {self.beside("order[i]")}, {self.p.nil}); }}')
        if 'swap_places' in operations:
            self.full()
            self.count('swap_places', 'n', every, f'{{ (void){T}_swap_places(&list, {self.beside("order[i]")}, {self.beside("draw(n)")}); }}')
        if 'add_all' in operations:
            array = 'rows' if self.rows else 'pointers' if self.p.element.by_pointer else 'things'
            kinds = operations['add_all'].params[1][0]
            self.do(f'{T}_clear(&list);')
            self.count('add_all', 'n', f'(void){T}_add_all(&list, ({kinds}){array}, n, &taken);')
            self.do(f'EXPECT("{T} #{len(self.lines)}", {T}_count(&list) == n);')
        more = f'for (size_t i = n; i < 2 * n; i++) {{ {self.add("i", "&other")} }}'
        if 'add_from' in operations:
            for into in ('empty', 'some'):
                self.full()
                self.do(f'(void){T}_clear(&list);' if into == 'empty' else '', f'(void){T}_clear(&other); {more}')
                times = '1' if into == 'empty' and 'if it is empty' in operations['add_from'].cost.before else 'n'
                self.count('add_from', times, f'(void){T}_add_from(&list, &other, &taken);', when=('game', f'into {into}'))
                self.do(f'EXPECT("{T} #{len(self.lines)}", {T}_count(&other) == 0);')
        if 'take_from' in operations:
            self.full()
            self.do(f'(void){T}_clear(&other); {more}')
            self.count('take_from', 'n', f'for (size_t i = 0; i < n; i++) {{ (void){T}_take_from(&list, &other, {self.sought("n + order[i]", "&other")}); }}')
            self.do(f'EXPECT("{T} #{len(self.lines)}", {T}_count(&other) == 0);')
        if 'remove_from' in operations:
            self.full()
            self.do(f'(void){T}_clear(&other); for (size_t i = 0; i < n; i++) {{ {self.add("order[i]", "&other")} }}')
            self.count('remove_from', 'n', f'(void){T}_remove_from(&list, &other, &taken);', when=('game', 'waiting'))
            self.do(f'EXPECT("{T} #{len(self.lines)}", {T}_count(&list) == 0); (void){T}_clear(&other);')

    def ends(self, every):
        T, operations = self.T, self.operations
        for name in ('pop', 'pop_back'):
            if name in operations:
                self.full()
                self.count(name, 'n', every, f'{{ (void){T}_{name}(&list, NULL); }}')
                self.do(f'EXPECT("{T}", {T}_count(&list) == 0);')
                self.full()
                self.count(f'{name} add', '4 * n', 'for (size_t i = 0; i < 4 * n; i++)', f'{{ (void){T}_{name}(&list, NULL); {self.add("i % n")} }}')
        if 'add_front' in operations:
            self.do(f'{T}_clear(&list);')
            self.count('add_front', 'n', every, f'{{ (void){T}_add_front(&list, {self.value("i")}); }}')
            self.do(f'EXPECT("{T}", {T}_count(&list) == n);')

        if 'add_get' in operations:
            self.do(f'{T}_clear(&list); {self.p.ref} got;')
            self.count('add_get', 'n', every, f'{{ (void){T}_add_get(&list, {self.value("i")}, &got); }}')
            self.do(f'EXPECT("{T}", {T}_count(&list) == n);')
        if 'add_handle' in operations:
            self.do(f'{T}_clear(&list); {T}_handle added;')
            self.count('add_handle', 'n', every, f'{{ (void){T}_add_handle(&list, {self.value("i")}, &added); }}')
            self.do(f'EXPECT("{T}", {T}_count(&list) == n);')
        if 'rekey' in operations:
            self.full()
            handle = plain(operations['rekey'].params[1][0]).endswith('_handle')
            there = f'{T}_get(&list, {T}_named(&list, order[i]))' if handle else self.beside('order[i]')
            change = f'struct row row = {T}_load(&list, at); row.hp = (int)draw(1009); {T}_store(&list, at, row);' if self.rows else 'at->hp = (int)draw(1009);'
            told = f'{T}_named(&list, order[i])' if handle else 'at'
            if operations['rekey'].params[2:]:  # by an index: the key is the one that it had
                self.count('rekey', 'n', every, f'{{ {self.p.ref} at = {there}; (void)at; (void){T}_rekey(&list, {told}, {self.key("order[i]")}); }}')
            elif self.p.order.refiles_identity:  # to the other end and back
                for first, then in (('order[i]', '2 * n + order[i]'), ('2 * n + order[i]', 'order[i]')):
                    at = f'{self.p.ref} at = {T}_find(&list, (uint64_t)({first}));'
                    self.count('rekey', 'n', every, f'{{ {at} {change.replace("hp", "id").replace("(int)draw(1009)", f"(uint32_t)({then})")} '
                                                    f'EXPECT("{T}", {T}_rekey(&list, at) == {self.TT}_OK); }}')
            else:
                self.count('rekey', 'n', every, f'{{ {self.p.ref} at = {there}; {change} (void){T}_rekey(&list, {told}); }}')
        if 'rekey_index' in operations:
            self.full()
            told = f'{T}_named(&list, order[i])' if self.p.handles.given else self.beside('order[i]')
            self.count('rekey_index', 'n', every, f'{{ (void){T}_rekey_index(&list, {told}, {self.key("order[i]")}); }}')
        if 'heapify' in operations:
            self.count('heapify', '1', f'{T}_heapify(&list);', when=())

    def threads(self, every):
        T, operations = self.T, self.operations
        for name in ('worker_add', 'worker_remove', 'worker_update', 'inbox_add'):
            if name in operations:
                adds = name.endswith('_add')
                self.full()
                if adds:
                    self.do(f'(void){T}_clear(&list);')
                told = ''
                for kind, parameter in operations[name].params[1:]:
                    told += ', ' + {'worker': f'i % {self.TT}_WORKERS', 'key': '(uint64_t)i', 'handle': f'{T}_named(&list, order[i])', 'value': self.value('order[i]')}.get(
                        parameter, self.value('i') if adds else self.sought('order[i]'))
                self.count(name, 'n', every, f'{{ (void){T}_{name}(&list{told}); }}', when=('game', 'waiting'))
                self.do(self.settle())

    def layers(self, every):
        T = self.T
        if 'move' in self.operations:
            self.full()
            if self.rows:  # a row is one of a layer; what is there first goes over
                self.count('move', 'n', f'for (size_t i = 0; i < n; i++) {{ size_t from = i % 2, row = i / 2; (void){T}_move(&list, from, row, 1 - from); }}')
            else:
                self.count('move', 'n', every, f'{{ (void){T}_move(&list, {self.sought("order[i]")}, order[i] % 2 == 0); }}')

    def locked(self, every):
        T = self.T
        for name, remove in self.removals().items():
            self.full()
            self.do(f'{T}_lock(&list);')
            self.count('add', 'n', f'for (size_t i = n; i < 2 * n; i++) {{ {self.add("i")} }}')
            self.count(name, 'n', every, f'{{ {remove % "i"} }}')
            if not self.seeks:  # what waits has no handle, and is nowhere yet
                self.count('add', 'n', every, f'{{ {self.add("i")} }}')
                self.count(name, 'n', every, f'{{ {remove % "n + i"} }}')
                # The same few come and leave, over and over.
                self.count(f'add {name}', '4 * n', f'for (size_t i = 0; i < 4 * n; i++) {{ size_t at = n + i % 3; {self.add("at")} {remove % "at"} }}')
                self.count(f'{name} add', '4 * n', f'for (size_t i = 0; i < 4 * n; i++) {{ size_t at = i % 3; {remove % "at"} {self.add("at")} }}')
            if self.plan.parts.when.name == 'locked':  # each change then costs what it costs while nothing is locked
                self.played.add('unlock')
                self.counted('unlock', 'n', f'(void){T}_unlock(&list);', max((self.growth_of(each) for each in ('unlock', 'add', name)), key=KINDS.index))
            else:
                self.count('unlock', 'n', f'(void){T}_unlock(&list);', when=('game', 'waiting'))
        self.full()
        self.do(f'{T}_lock(&list);')  # what is cleared waits, too: again and again it is O(1) for each
        self.counted('clear', 'n', f'for (size_t i = 0; i < n; i++) {{ {self.add("i")} (void){T}_clear(&list); }}', self.growth_of('add'))
        self.do(f'(void){T}_unlock(&list);')
        self.full()
        self.count('lock unlock', 'n', f'for (size_t i = 0; i < n; i++) {{ {T}_lock(&list); (void){T}_unlock(&list); }}', when=('game', 'waiting'))
        self.count('lock add unlock', 'n', f'for (size_t i = n; i < 2 * n; i++) {{ {T}_lock(&list); {self.add("i")} (void){T}_unlock(&list); }}', when=('game', 'waiting'))

    def whole(self, every):
        """What is done to all of it at once."""
        T, operations = self.T, self.operations
        self.full()
        if 'reserve' in operations:
            self.count('reserve', '1', f'(void){T}_reserve(&list, 2 * n);', when=())
        for name, rest in (('shrink_to_fit', ''), ('check', ''), ('sort', ''), ('set_hash_key', ', 12345')):
            if name in operations:
                self.count(name, '1', f'(void){T}_{name}(&list{rest});', when=())
        self.count('settle', '1', self.settle(), when=())
        self.count('settle', '1', self.settle())  # nothing to be put right
        for name in ('update', 'prune'):
            if name in operations:
                self.full()
                extra = ', 1.0, NULL' if len(operations[name].params) == 3 else ', NULL' if len(operations[name].params) == 2 else ''
                gone = 'one->gone = draw(2) == 0;' if not self.rows else ''
                self.do(self.walk % ('&list', f'(void)one; {gone}'))
                self.count(name, '1', f'{T}_{name}(&list{extra});', when=())
                self.do(f'for (size_t i = 0; i < 2 * n; i++) {{ things[i].gone = false; }}')
        for fill in ('n', '2 * n'):
            self.full(fill)
            self.count('clear', '1', f'(void){T}_clear(&list);', when=())
        self.full()
        self.count('deinit', '1', f'{T}_deinit(&list);', when=())


def dressed(found, shrinking):
    """The same combinations, each with more settings that the rules accept for it, and room for all that comes; some give memory back."""
    judge = combinations.Judge()
    for number, one in enumerate(found + shrinking):
        settings = {**one.settings, **({'capacity.max': '4096'} if 'capacity.max' in one.settings else {})}
        wears = number if number < len(found) else DRESSES.index(SHRINKS)
        for tries in range(len(DRESSES)):
            more = {path: text.replace('{T}', f'c{number}') for path, text in DRESSES[(wears + tries) % len(DRESSES)].items()}
            if judge.accepts({**settings, **more}):
                yield number, one._replace(settings={**settings, **more})
                break


def hooks(source):
    """Hooks that do nothing, for the functions that a source declares and does not have."""
    return re.sub(r';$', ' { }', '\n'.join(re.findall(r'^void c\d+_(?:adds|removes|destroys|moves|updates)\([^;{]*\);', source, re.MULTILINE)),
                  flags=re.MULTILINE)


def popped(container, there, rows):
    """The operations on the first and the last element that it does not have already."""
    if container.layer or unpopped(container):
        return []
    names = ['first', 'first_const', 'pop'] + ['last', 'last_const', 'pop_back'] * (unpopped_back(container) is None)
    return [name for name in names if name not in there and not (rows and name.endswith('_const'))]


def with_all_operations(path):
    """Every second container names all of its operations, and those that it has only where they are named."""
    spec = load_spec(path, Diagnostics())
    with open(path) as file:
        lines = file.read().splitlines()
    named = {}
    for container in spec.containers[::2]:
        parts, there = plans.make_plan(container.layer or container).parts, operation_names(container)
        exchanges = parts.order.may_exchange and parts.limit != 1 and not parts.when.follows and not container.layer
        given = [f'{name}_get' for name in ('add', 'add_child', 'insert_before', 'insert_after') if name in there and parts.adding.gives and not container.layer]
        named[container.name] = there + given + ['swap_places'] * exchanges \
            + list(parts.order.subtree_moves if parts.order.tree and parts.limit != 1 and not container.layer else ()) \
            + popped(container, there, parts.element.rows)
    for at, line in enumerate(lines):
        name = re.match(r'  (\w+): \{', line)
        if name and name[1] in named:
            lines[at] = f'{line[:-1]}, emit: {{operations: [{", ".join(named[name[1]])}]}}}}'
    with open(path, 'w') as file:
        file.write('\n'.join(lines) + '\n')


def played(batch, folder):
    """The counts of the games of a batch: (the operations, what is said of them) -> that of FEW, that of MANY."""
    os.mkdir(folder)
    with open(os.path.join(folder, 'all.yaml'), 'w') as file:
        file.write('bespoke: 1\ncontainers:\n' + ''.join(combined.container(one, f'c{number}') + '\n' for number, one in batch))
    shutil.copy(os.path.join(ROOT, 'tests', 'combinations', 'thing.h'), folder)
    with_all_operations(os.path.join(folder, 'all.yaml'))
    diagnostics = Diagnostics()
    spec = load_spec(os.path.join(folder, 'all.yaml'), diagnostics)
    assert spec is not None, [each.message for each in diagnostics.sorted()]
    files = Renderer().files(spec, 'bespoke generate')
    games = [Game(plans.make_plan(container)) for container in spec.emitted]
    files['game.c'] = plain(HEAD + hooks(files['all.c']) + '\n'.join(game.text() for game in games) + MAIN % ''.join(FRESH % game.T for game in games))
    files.update({'counting.h': COUNTING, 'counter.c': COUNTER})
    for name, text in files.items():
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)
    for source, options in (('counter.c', ['-O1']), ('game.c', ['-O0'] + COUNTED), ('all.c', ['-O1'] + COUNTED)):  # games are long, and compiled in no time
        subprocess.run(['gcc', '-w', '-c', source] + options, cwd=folder, check=True)
    subprocess.run(['gcc', 'counter.o', 'game.o', 'all.o', '-o', 'game'], cwd=folder, check=True)
    counts, wrong = {}, []
    for elements in (FEW, MANY):
        done = subprocess.run(['./game', str(elements)], cwd=folder, stdout=subprocess.PIPE, encoding='utf-8', timeout=300)
        lines = done.stdout.splitlines()
        wrong += [f'{line} ({elements} elements, {folder})' for line in lines if line.startswith('wrong')]
        assert done.returncode == 0, f'{folder}: {done.returncode} behind {lines[-1:]}'
        for line in lines:
            what, _, each = line.rpartition(' ')
            if not line.startswith('wrong'):
                counts.setdefault((what, folder), []).append(float(each))
    return counts, wrong, len(games)


def grew(what, few, many):
    """Does it grow more than it says?"""
    kind = what.rpartition(' ')[2]
    if kind == 'words':
        return many - few > EACH_WORD * (MANY - FEW) / 64
    return kind != 'any' and many > MOST[kind] * max(few, LEAST[kind])


@pytest.mark.skipif(shutil.which('gcc') is None, reason='needs gcc')
def test_costs_are_what_headers_say(tmp_path):
    counts, wrong, games = {}, [], 0
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context('fork')) as pool:
        found = [one for one in all_combinations() if one.settings.get('element.by') != 'bit']  # numbers are no things to play with
        deferred = [one for one in found if one.settings.get('removal.when') == 'deferred']
        each_way = [{(one.settings['removal.policy'], one.storage): one for one in order}.values() for order in (found, found[::-1])]
        chosen = list(dressed(combined.sampled(found, 0) + combined.sampled(deferred, 0), [one for ways in each_way for one in ways]))
        mine = share(chosen, 8)
        batches = [mine[at:at + 12] for at in range(0, len(mine), 12)]
        for some, failed, number in pool.map(played, batches, [str(tmp_path / str(number)) for number in range(len(batches))]):
            counts.update(some)
            wrong += failed
            games += number
    assert wrong == []
    assert games > (140 if FULL else 15) and len(counts) > (8000 if FULL else 900)
    grown = [f'{what}: {few:.1f} for {FEW}, {many:.1f} for {MANY} ({folder})' for (what, folder), (few, many) in counts.items() if grew(what, few, many)]
    assert grown == []
