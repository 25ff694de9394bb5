"""Costs, counted: what is said to be O(1) or O(log n) does not do more where there are eight times as many elements.

gcc calls a function in every block of the emitted code; bytes that are copied or cleared count, too. What is counted is the same
on every machine, and the worst of a whole game of operations divided by their number, so that O(1) amortised is O(1).
"""

import os
import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT
from generator import combinations
from generator import plan as plans
from generator.diag import Diagnostics
from generator.render import Renderer
from generator.resolve import load_spec

sys.path.insert(0, os.path.join(ROOT, 'tests', 'combinations'))
import run as combined  # noqa: E402

FEW, MANY = 128, 1024
# What n elements make of O(log n), and room for how a count happens to fall between two powers of two.
MOST = 2.0

COUNTING = '''
#include <stdlib.h>
#include <string.h>
extern unsigned long counted;
static inline void *counting_move(void *to, const void *from, size_t bytes) { counted += bytes / 64; return memmove(to, from, bytes); }
static inline void *counting_set(void *to, int byte, size_t bytes) { counted += bytes / 64; return memset(to, byte, bytes); }
#define memmove(to, from, bytes) counting_move(to, from, bytes)
#define memcpy(to, from, bytes) counting_move(to, from, bytes)
#define memset(to, byte, bytes) counting_set(to, byte, bytes)
'''
COUNTER = 'unsigned long counted; void __sanitizer_cov_trace_pc(void) { counted++; }'
HEAD = '''
#include "all.h"
#include <stdio.h>
static struct thing *things;
static size_t n, *order;
static unsigned drawn = 1;
static volatile size_t sink;
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
'''


class Game:
    """What is played with one container, in C: (the operation whose cost it is, statements)."""

    def __init__(self, plan):
        self.T, self.TT = plan.T, plan.TT
        self.operations = {operation.name: operation for operation in plan.operations}
        self.lines = []
        parameters = {name: [kind for kind, _ in operation.params][1:] for name, operation in self.operations.items()}
        self.by_pointer = parameters['add'] == ['struct thing *']
        removals = (('remove', ['const struct thing *'], 'f(&list, &things[%s])', self.by_pointer),
                    ('remove', [self.T + '_handle'], 'f(&list, handles[%s])', self.by_pointer),
                    ('remove_key', ['uint64_t'], 'f(&list, things[%s].id)', True))
        self.removal = next(((name, f'(void){self.T}_{name}' + call[1:]) for name, kinds, call, possible in removals
                             if possible and parameters.get(name) == kinds), None)
        self.named = self.removal is not None and 'handles' in self.removal[1]
        self.sought = {'contains': '&things[%s]'} if parameters.get('contains') == ['const struct thing *'] else {}
        if parameters.get('find') == ['uint64_t']:
            self.sought['find'] = 'things[%s].id'
        for name in ('next_of', 'previous_of'):
            if self.by_pointer and parameters.get(name) == ['const struct thing *']:
                self.sought[name] = '&things[%s]'

    def add(self, at):
        return f'(void){self.T}_add(&list, {"&" if self.by_pointer else ""}things[{at}]);'

    def name(self, at):
        return f'handles[{at}] = {self.T}_handle_of(&list, &things[{at}]);' if self.named else ''

    def remove(self, at):
        return self.removal[1] % at + ';'

    def count(self, of, times, *statements):
        """Counts where the costs of all of these operations are small."""
        names = of.split()
        if all(name in self.operations and small(self.operations[name].cost) for name in names):
            self.lines.append(f'COUNT("{self.T} {"+".join(names)} #{len(self.lines)}", {times}, {" ".join(statements)});')
        else:
            self.lines.append(' '.join(statements))

    def text(self):
        T, TT = self.T, self.TT
        every = 'for (size_t i = 0; i < n; i++)'
        shuffled = f'shuffle(); {every}'
        walk = f'{TT}_EACH(&list, one) {{ %s }}'
        removing = walk % f'(void){T}_remove_current(&one_cursor);'
        self.count('add', 'n', shuffled, self.add('order[i]'))
        for name, argument in self.sought.items():
            self.count(name, 'n', shuffled, f'{{ sink += (size_t){T}_{name}(&list, {argument % "order[i]"}); }}')
        self.count('begin end', '100', f'for (int i = 0; i < 100; i++) {{ {T}_cursor cursor = {T}_begin(&list); '
                   f'sink += (size_t){T}_next(&cursor); {T}_end(&cursor); }}')
        self.count('begin next', 'n', walk % 'sink += (size_t)one;')
        if 'remove_current' in self.operations:
            self.count('remove_current next', 'n', 'size_t at = 0;', walk % f'if (at++ % 3 == 0) {{ (void){T}_remove_current(&one_cursor); }}')
            self.count('remove_current next', 'n', removing)
            self.lines.append(f'{T}_clear(&list); {every} {{ {self.add("i")} }} {removing} {self.add("0")}')
            self.count('begin end', '100', f'for (int i = 0; i < 100; i++) {{ {T}_cursor cursor = {T}_begin(&list); '
                       f'sink += (size_t){T}_next(&cursor); {T}_end(&cursor); }}')
        fill = f'{T}_clear(&list); {every} {{ {self.add("i")} {self.name("i")} }} shuffle();'
        if self.removal is not None:
            name = self.removal[0]
            self.lines.append(fill)
            for key in ('draw(n)', 'i % n', 'i % 4'):
                self.count(f'{name} add' + (' handle_of' if self.named else ''), '4 * n', 'for (size_t i = 0; i < 4 * n; i++)',
                           f'{{ size_t at = {key}; {self.remove("at")} {self.add("at")} {self.name("at")} }}')
            for key in ('order[i]', 'i', 'n - 1 - i'):
                self.lines.append(fill)
                self.count(name, 'n', every, f'{{ {self.remove(key)} }}')
        if 'lock' in self.operations and self.removal is not None:
            self.lines.append(f'{fill} {T}_lock(&list);')
            self.count('add', 'n', every, f'{{ {self.add("n + i")} }}')
            self.count(name, 'n', every, f'{{ {self.remove("i")} }}')
            if not self.named:  # what waits has no handle yet
                self.count('add', 'n', every, f'{{ {self.add("i")} }}')
                self.count(name, 'n', every, f'{{ {self.remove("n + i")} }}')
            self.count('unlock', 'n', f'(void){T}_unlock(&list);')  # O(changes that wait)
        lines = '\n    '.join(self.lines)
        handles = f'    static {T}_handle handles[{2 * MANY}];\n' if self.named else ''
        return f'static void play_{T}(void)\n{{\n{handles}    {T} list;\n\n    {T}_init(&list);\n    {lines}\n    {T}_deinit(&list);\n}}\n'


def small(cost):
    """Is an operation said to cost no more for more elements, or hardly more? What is done later is counted there."""
    cost = re.sub(r',? (then )?O\(changes that wait\)|, O\(n\) when there is something to tighten|, at worst O\(n / 64\)', '', cost)
    return 'O(n' not in cost and 'live pass' not in cost


def plays(plan):
    """Can the game be played with it?"""
    operations = {operation.name: operation for operation in plan.operations}
    kinds = [[kind for kind, _ in operations[name].params] for name in ('init', 'add') if name in operations]
    return len(kinds) == 2 and len(kinds[0]) == 1 and {'clear', 'begin'} <= operations.keys() and \
        kinds[1][1:] in (['struct thing *'], ['struct thing'], ['const struct thing'])


@pytest.mark.skipif(shutil.which('gcc') is None, reason='needs gcc')
def test_nothing_grows_that_is_said_not_to(tmp_path):
    found = list(combinations.combinations())
    deferred = [one for one in found if one.settings.get('removal.when') == 'deferred']
    chosen = list(enumerate(combined.sampled(found, 0)[:80] + combined.sampled(deferred, 0)[:40]))
    counts, played = {}, 0
    for batch in (chosen[at:at + 24] for at in range(0, len(chosen), 24)):
        folder = tmp_path / str(batch[0][0])
        folder.mkdir()
        (folder / 'all.yaml').write_text('bespoke: 1\ncontainers:\n' + ''.join(
            combined.container(one, f'c{number}') + '\n' for number, one in batch))
        shutil.copy(os.path.join(ROOT, 'tests', 'combinations', 'thing.h'), folder)
        diagnostics = Diagnostics()
        spec = load_spec(str(folder / 'all.yaml'), diagnostics)
        assert spec is not None, diagnostics.sorted()
        for name, text in Renderer().files(spec, 'bespoke generate').items():
            (folder / name).write_text(text)
        games = [Game(plan) for plan in map(plans.make_plan, spec.emitted) if plays(plan)]
        played += len(games)
        program = HEAD + '\n'.join(game.text() for game in games) + '''
int main(int count, char **arguments)
{
    n = count < 2 ? 0 : (size_t)atoi(arguments[1]);
    things = calloc(2 * n, sizeof *things);
    order = calloc(n, sizeof *order);
''' + ''.join(f'''    memset(things, 0, 2 * n * sizeof *things);
    for (size_t i = 0; i < 2 * n; i++) {{
        things[i].id = (uint32_t)i;
    }}
    play_{game.T}();
''' for game in games) + '    return 0;\n}\n'
        (folder / 'game.c').write_text(program)
        (folder / 'counting.h').write_text(COUNTING)
        (folder / 'counter.c').write_text(COUNTER)
        subprocess.run(['gcc', '-O1', '-c', 'counter.c'], cwd=folder, check=True)
        subprocess.run(['gcc', '-O1', '-w', '-fsanitize-coverage=trace-pc', '-include', 'counting.h', 'game.c', 'all.c', 'counter.o', '-o', 'game'],
                       cwd=folder, check=True)
        for elements in (FEW, MANY):
            done = subprocess.run(['./game', str(elements)], cwd=folder, check=True, stdout=subprocess.PIPE, encoding='utf-8', timeout=300)
            for line in done.stdout.splitlines():
                what, _, each = line.rpartition(' ')
                counts.setdefault((what, folder), []).append(float(each))
    assert played > 60 and len(counts) > 600
    grown = [f'{what}: {few:.1f} for {FEW}, {many:.1f} for {MANY} ({folder})' for (what, folder), (few, many) in counts.items()
             if many > MOST * max(few, 4)]
    assert grown == []
