"""How many slots a container may have: more than any test can make, so it is read off the plan. And how many passes."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from generator.containers.load import load_spec
from generator.containers.planning import make_plan
from generator.text.diag import Diagnostics
from generator.text.naming import plain
from generator.text.printing import render

# What numbers slots, and the most that it can tell: a table in a row may be two thirds full, and 0 or the last number means none.
KINDS = {
    'ordering: unordered, identity: value, duplicates: reject, index: hash': 2 ** 32 * 2 // 3,
    'element: uint64_t, ordering: unordered, identity: value, duplicates: reject, index: hash': 2 ** 32 - 2,
    'ordering: unordered, identity: value, duplicates: reject, index: dense': 2 ** 32 - 2,
    'ordering: insertion, removal: {when: deferred}': 2 ** 32 - 2,
    'ordering: explicit, removal: unlink': 2 ** 32 - 2,
    'ordering: unordered, removal: {policy: reuse, next: last_freed}': 2 ** 32 - 2,
    'ordering: unordered, handles: {kind: generational, index_bits: 8, generation_bits: 8}': 2 ** 8 - 1,
    'ordering: unordered, handles: {kind: index, index_bits: 16}, removal: swap': 2 ** 16 - 1,
}
BITMAPS = ('generational', 'deferred', 'unlink', 'last_freed')  # their words are whole


def limit(tmp_path, keys):
    """The number that bounds the slots, whatever the elements' size; None: only the size does."""
    found = set(re.findall(r'\b(\d+)u\b', planned(tmp_path, keys).parts.storage.most_slots[1]))
    assert len(found) <= 1
    return int(found.pop()) if found else None


def test_a_set_of_numbers_names_those_without_a_bit(tmp_path):
    """RANGE is about a number, not about the key of an element."""
    (tmp_path / 'lists.yaml').write_text('bespoke: 1\ncontainers:\n  box: {element: {type: size_t, by: bit}, capacity: {max: 200}}\n')
    said = {status.name: plain(status.doc) for status in make_plan(load_spec(str(tmp_path / 'lists.yaml'), Diagnostics()).containers[0]).statuses}
    assert 'key' not in ' '.join(said.values())
    assert said['RANGE'] == 'there are no bits for numbers from BOX_MAX on'


def planned(tmp_path, keys):
    element = '' if 'element' in keys else 'element: uint32_t, '
    (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  box: {{{element}{keys}}}\n')
    problems = Diagnostics()
    spec = load_spec(str(tmp_path / 'lists.yaml'), problems)
    assert not problems.errors, [render(item) for item in problems.sorted()]
    return make_plan(spec.containers[0])


@pytest.mark.parametrize('kind', KINDS)
def test_as_many_as_there_are_numbers(tmp_path, kind):
    most = limit(tmp_path, kind)
    assert KINDS[kind] - 64 < most <= KINDS[kind]
    assert most % 64 == 0 or not any(word in kind for word in BITMAPS)


@pytest.mark.parametrize('kind', ['ordering: insertion, removal: shift', *KINDS])
def test_four_times_as_many_can_be_counted(tmp_path, kind):
    """In the engine's type of sizes, which may be narrower than size_t."""
    assert 4 * limit(tmp_path, kind + ', emit: {size_type: uint32_t}') <= 2 ** 32


def test_nothing_but_memory_bounds_what_has_no_numbers(tmp_path):
    assert limit(tmp_path, 'ordering: insertion, removal: shift') is None


@pytest.mark.parametrize('kind', KINDS)
def test_the_header_says_how_many_a_narrow_handle_can_name(tmp_path, kind):
    said = [status.doc for status in planned(tmp_path, kind).statuses if status.name == 'FULL']
    assert all(f'handles can name {limit(tmp_path, kind):,}' in doc for doc in said) and bool(said) == ('handles' in kind)
    assert 'handles can name' not in str(planned(tmp_path, kind + ', capacity: {max: 100}').statuses)


@pytest.mark.parametrize('keys', ['ordering: unordered, removal: swap', 'removal: shift', 'ordering: unordered, removal: reuse, handles: generational',
                                  'ordering: explicit, removal: unlink', 'removal: compact', 'iteration: {direction: backward'])
def test_a_record_for_each_pass_that_may_be_live(tmp_path, keys):
    """What says that passes do not nest has one record, or none, and not eight."""
    def records(words):
        more = f'{keys}, {words}}}' if keys.startswith('iteration') else f'{keys}, iteration: {{{words}}}'
        return planned(tmp_path, more).parts.passes.limit
    assert records('cursors: one') in (None, 1)
    assert records('cursors: one, removes: current') in (None, 1)
    assert records('passes: 3') in (None, 3)
    assert records('cursors: many') in (None, 8)


# What of a live pass is in its record, in each way.
NESTED = {
    'swap': 'ordering: unordered',
    'late': 'ordering: unordered, iteration: {adds: next}',
    'shift': 'removal: shift',
    'both': 'removal: shift, iteration: {direction: both}',
    'unlink': 'removal: unlink',
}
PROGRAM = """#include "lists.h"
#include <stdio.h>

enum { MANY = 10000 };

static unsigned nested(box *list, unsigned depth)
{
    unsigned deepest = depth;

    BOX_EACH(list, element) {
        if (depth < MANY) {
            deepest = nested(list, depth + 1);
        } else { /* all of them stand on it, and go on behind it */
            (void)box_remove_current(&element_cursor);
            (void)box_add(list, 4);
        }
        break;
    }
    return deepest;
}

int main(void)
{
    static box_cursor left[MANY];
    box list = {0};
    box_const_cursor reader;
    unsigned seen = 0;

    for (uint32_t i = 1; i <= 3; i++) {
        (void)box_add(&list, i);
    }
    if (nested(&list, 1) != MANY || box_count(&list) != 3 || box_check(&list) != NULL || list.live.number != 0) { return 1; }
    (void)box_settle(&list); /* the records have to be allocated again */
    if (list.more_passes != NULL) { return 6; }
    reader = box_begin_const(&list);
    if (box_next_const(&reader) == NULL) { return 5; }
    for (unsigned i = 0; i < MANY; i++) {
        left[i] = box_begin(&list);
        if (box_next(&left[i]) == NULL) { return 2; }
    }
    if (box_next_const(&reader) == NULL || box_next_const(&reader) == NULL) { return 5; } /* none of them was a change */
    (void)box_remove_current(&left[MANY / 2]);
    for (unsigned i = 0; i < MANY; i++) { /* each visits what is left */
        while (box_next(&left[i]) != NULL) { seen++; }
        if (i % 2 == 0) { left[i] = box_begin(&list); } /* and is left */
    }
    if (seen != 2 * MANY || list.live.number != MANY / 2 || box_check(&list) != NULL) { return 3; }
    (void)box_settle(&list);
    if (list.live.number != 0 || list.more_passes != NULL || box_next(&left[0]) != NULL) { return 4; }
    box_deinit(&list);
    return 0;
}
"""


@pytest.mark.parametrize('kind', NESTED)
def test_ten_thousand_passes(tmp_path, kind):
    """Nested, or left: those of more than the container has records for."""
    (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  box: {{element: uint32_t, {NESTED[kind]}}}\n')
    (tmp_path / 'main.c').write_text(PROGRAM)
    for command in ([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                    ['gcc', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', 'main.c', 'lists.c', '-o', 'main'],
                    ['./main']):
        assert subprocess.run(command, cwd=tmp_path).returncode == 0, command


READING = r"""
#include "lists.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    box list = {0};
    box_const_cursor reader;
    unsigned seen = 0;

    for (uint32_t i = 1; i <= 3; i++) {
        if (box_add(&list, i) != BOX_OK) { return 1; }
    }
    BOX_EACH_CONST(&list, outer) {
        BOX_EACH_CONST(&list, inner) { seen += *outer * *inner; }
    }
    reader = box_begin_const(&list);
    if (seen != 36 || box_next_const(&reader) == NULL) { return 2; }
    if (argc > 1) {
        (void)argv;
        (void)box_remove(&list, box_get_const(&list, 2));
        if (!box_was_changed_const(&reader) || box_next_const(&reader) != NULL) { return 3; } /* with checks it stops there */
    }
    box_deinit(&list);
    return 0;
}
"""


def test_readers_only(tmp_path):
    """`iteration: {cursors: none}`: no function, loop or field of other passes; a change under a reader is misuse."""
    (tmp_path / 'lists.yaml').write_text('bespoke: 1\ncontainers:\n  box: {element: uint32_t, removal: shift, '
                                         'iteration: {cursors: none}}\n')
    (tmp_path / 'main.c').write_text(READING)
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                   cwd=tmp_path, check=True)
    header = (tmp_path / 'lists.h').read_text()
    assert not re.search(r'\b(BOX_EACH|BOX_PASSES|box_(begin|next|end|remove_current|settle|was_changed|pass))\b', header)
    struct = re.search(r'typedef struct box \{(.*?)\} box;', header, re.DOTALL)[1]
    assert re.findall(r'(\w+);', struct) == ['count', 'items', 'capacity', 'ready', 'changes']
    for checks in '01':
        subprocess.run(['gcc', '-O1', f'-DBESPOKE_CHECKS={checks}', 'main.c', 'lists.c', '-o', 'main'], cwd=tmp_path, check=True)
        assert subprocess.run(['./main'], cwd=tmp_path).returncode == 0
        changed = subprocess.run(['./main', 'changes'], cwd=tmp_path, stderr=subprocess.PIPE, universal_newlines=True)
        stops = 'box_next_const: the container has been changed since the reader began\n' if checks == '1' else ''
        assert (changed.returncode, changed.stderr) == (-6 if stops else 0, stops)


KEEPING = r"""
#include "lists.h"

int main(int argc, char **argv)
{
    box list = {0};
    box_cursor kept, other;
    unsigned seen = 1;

    (void)argv;
    for (uint32_t i = 1; i <= 3; i++) {
        if (box_add(&list, i) != BOX_OK) { return 1; }
    }
    kept = box_begin(&list);
    if (box_next(&kept) == NULL) { return 1; }
    box_keep(&kept);
    box_keep(&kept);
    for (unsigned i = 0; i < 5; i++) { /* the first of them is in a record that is allocated */
        other = box_begin(&list);
        if (box_next(&other) == NULL) { return 2; }
    }
    for (unsigned i = 0; i < 3; i++) { (void)box_settle(&list); }
    if (argc == 2) { box_keep(&other); } /* with checks it stops there */
    while (box_next(&kept) != NULL) {
        seen++;
        (void)box_settle(&list);
    }
    if (seen != 3 || box_check(&list) != NULL) { return 3; }
    kept = box_begin(&list);
    box_keep(&kept);
    box_deinit(&list);
    for (uint32_t i = 1; i <= 3; i++) { (void)box_add(&list, i); }
    other = box_begin(&list);
    if (argc == 3) { box_keep(&kept); } /* there, too */
    if (box_next(&other) == NULL || box_check(&list) != NULL) { return 4; }
    box_deinit(&list);
    return 0;
}
"""


@pytest.mark.parametrize('removal', ['shift', 'tombstone', 'reuse', 'unlink', 'compact'])
def test_kept_passes(tmp_path, removal):
    """T_settle ends all passes but those of T_keep, T_deinit these as well; T_keep of one that is over is misuse."""
    keys = 'ordering: unordered, ' * (removal == 'reuse') + f'removal: {removal}, emit: {{operations: [all, keep]}}'
    (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  box: {{element: uint32_t, {keys}}}\n')
    (tmp_path / 'main.c').write_text(KEEPING)
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                   cwd=tmp_path, check=True)
    for checks in '01':
        subprocess.run(['gcc', '-O1', '-fsanitize=address,undefined', f'-DBESPOKE_CHECKS={checks}', 'main.c', 'lists.c', '-o', 'main'],
                       cwd=tmp_path, check=True)
        for arguments in ([], ['settled'], ['no', 'more']):
            done = subprocess.run(['./main', *arguments], cwd=tmp_path, stderr=subprocess.PIPE, universal_newlines=True)
            stops = checks == '1' and bool(arguments)
            assert (done.returncode, done.stderr) == (-6 if stops else 0, 'box_keep: the pass is over\n' if stops else '')


@pytest.mark.parametrize('keys, words', [('ordering: unordered, removal: swap', 'Without memory for its record'), ('ordering: unordered, removal: reuse', 'it stops the program')])
def test_whatever_begins_a_pass_says_what_there_is_without_a_record(tmp_path, keys, words):
    """T_begin_at and T_begin_after said that they stop the program also where further records are allocated."""
    plan = planned(tmp_path, keys + ', emit: {operations: [all, begin_at, begin_after]}')
    briefs = {each.name: each.brief for each in plan.operations}
    assert all(words in briefs[name] for name in ('begin', 'begin_at', 'begin_after'))


TRYING = r"""
#include "lists.h"
#include <stdlib.h>

static int spare = 1000;

void *box_alloc(size_t bytes)
{
    return spare-- > 0 ? malloc(bytes) : NULL;
}

void *box_realloc(void *block, size_t bytes)
{
    return spare-- > 0 ? realloc(block, bytes) : NULL;
}

void box_free(void *block)
{
    free(block);
}

int main(void)
{
    box list = {0};
    box_cursor passes[4];
    int live = 0;

    if (box_add(&list, 1) != BOX_OK) { return 1; }
    spare = 0;
    while (live < 3) {
        box_status status = box_TRY(&list, &passes[live]);

        if (status != BOX_OK) {
            if (status != BOX_REFUSED || passes[live].list != NULL || live != BOX_MOST) { return 2; }
            box_end(&passes[live]);
            break;
        }
        if (box_next(&passes[live++]) == NULL) { return 3; }
    }
    while (live-- > 0) { box_end(&passes[live]); }
    if (box_TRY(&list, &passes[0]) != BOX_OK || box_next(&passes[0]) == NULL || box_check(&list) != NULL) { return 4; }
    box_deinit(&list);
    return 0;
}
"""
PLAIN = 'allocator: {kind: plain, alloc: box_alloc, realloc: box_realloc, free: box_free, header: memory.h}'
TRIED = {  # keys of the spec, the status of a pass that is refused, and how many are live then; 3: none is
    f'removal: shift, {PLAIN}': ('NO_MEMORY', 2),
    f'removal: unlink, {PLAIN}, iteration: {{direction: both, passes: 1}}': ('NO_MEMORY', 1),
    'ordering: unordered, removal: swap, capacity: {max: 8, inline: true}, iteration: {passes: 2}': ('BUSY', 2),
    f'ordering: unordered, removal: reuse, {PLAIN}, iteration: {{passes: 2}}': ('BUSY', 2),
    f'removal: shift, {PLAIN}, iteration: {{removes: current, cursors: one}}': ('BUSY', 1),
    f'removal: tombstone, {PLAIN}, iteration: {{removes: current, cursors: one}}': ('BUSY', 1),
    f'removal: tombstone, {PLAIN}, iteration: {{cursors: one}}': ('BUSY', 1),
    f'removal: {{policy: tombstone, when: deferred}}, {PLAIN}, iteration: {{cursors: one}}': ('BUSY', 1),
    f'removal: tombstone, {PLAIN}': ('OK', 3),
    f'removal: shift, {PLAIN}, iteration: {{removes: none}}': ('OK', 3),
}


@pytest.mark.parametrize('keys', TRIED)
def test_a_begin_with_a_status(tmp_path, keys):
    """T_try_begin reports nothing and stops nothing."""
    name = 'try_begin_backward' if 'both' in keys else 'try_begin'
    (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  box: {{element: uint32_t, {keys}, '
                                         f'emit: {{operations: [all, {name}]}}}}\n')
    (tmp_path / 'memory.h').write_text('#include <stddef.h>\nvoid *box_alloc(size_t bytes);\n'
                                       'void *box_realloc(void *block, size_t bytes);\nvoid box_free(void *block);\n')
    (tmp_path / 'main.c').write_text(TRYING)
    status, most = TRIED[keys]
    for command in ([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                    ['gcc', '-O1', '-Wall', '-Wextra', '-Werror', '-fsanitize=address,undefined', '-DBESPOKE_CHECKS=1',
                     f'-Dbox_TRY=box_{name}', f'-DBOX_REFUSED=BOX_{status}', f'-DBOX_MOST={most}', 'main.c', 'lists.c', '-o', 'main']):
        subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(['./main'], cwd=tmp_path, stderr=subprocess.PIPE, universal_newlines=True)
    assert (done.returncode, done.stderr) == (0, '')


def test_what_cannot_fail_in_a_settle_returns_nothing(tmp_path):
    """Only pending changes, and storage that shrinks, may need memory; layers are as their containers are."""
    settles = {'plain': 'removal: swap, ordering: unordered', 'buried': 'removal: {policy: tombstone, expired: "*element == 7"}',
               'few': 'ordering: unordered, capacity: {max: 8, inline: true}, threads: {inbox: 4}',
               'deferred': 'removal: {when: deferred}', 'shrinks': 'capacity: {shrink: {below: 25%, after: 3 settles}}',
               'many': 'threads: {inbox: 4}', 'all': 'layers: {names: [a, b]}',
               'deferred_all': 'layers: {names: [a, b]}, removal: {when: deferred}'}
    (tmp_path / 'lists.yaml').write_text('bespoke: 1\ncontainers:\n' + ''.join(
        f'  {name}: {{element: uint32_t, {keys}}}\n' for name, keys in settles.items()))
    for command in ([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                    ['gcc', '-std=c11', '-Wall', '-Wextra', '-Werror', '-c', 'lists.c']):
        subprocess.run(command, cwd=tmp_path, check=True)
    header = (tmp_path / 'lists.h').read_text()
    returned = {name: result for result, name in re.findall(r'^(\w+) (\w+)_settle\(', header, re.MULTILINE)}
    assert {name: returned[name] != 'void' for name in settles} == {
        name: name in ('deferred', 'shrinks', 'many', 'deferred_all') for name in settles}


LOADED = r"""
#include "lists.h"
#include <string.h>

static unsigned char bytes[4096];
static size_t written, taken;

static bool put(void *context, const void *from, size_t count)
{
    (void)context;
    memcpy(bytes + written, from, count);
    written += count;
    return true;
}

static bool get(void *context, void *to, size_t count)
{
    (void)context;
    if (count > written - taken) { return false; }
    memcpy(to, bytes + taken, count);
    taken += count;
    return true;
}

int main(int argc, char **argv)
{
    static box list;
    box_cursor kept, other;
    unsigned seen = 0;

    (void)argv;
    for (uint32_t i = 1; i <= 3; i++) {
        if (box_add(&list, i) != BOX_OK) { return 1; }
    }
    if (box_save(&list, put, NULL) != BOX_OK) { return 2; }
    kept = box_begin(&list);
    if (box_next(&kept) == NULL) { return 3; }
    box_keep(&kept);
    written--; /* its last byte is missing */
    if (box_load(&list, get, NULL) == BOX_OK || box_next(&kept) == NULL) { return 4; } /* it goes on */
    written++;
    taken = 0;
    if (box_load(&list, get, NULL) != BOX_OK || box_check(&list) != NULL) { return 5; }
    other = box_begin(&list);
    box_keep(&other);
    if (argc > 1) { /* with checks it stops there */
        uint32_t *element = box_next(&kept);

        box_end(&kept);
        if (element != NULL) { return 6; }
    }
    box_settle(&list);
    while (box_next(&other) != NULL) { seen++; }
    if (seen != 3 || box_check(&list) != NULL) { return 7; }
    box_deinit(&list);
    return 0;
}
"""
KEPT = {'swap': 'ordering: unordered', 'shift': 'removal: shift, iteration: {removes: current, cursors: one}', 'bits': 'removal: tombstone',
        'reuse': 'ordering: unordered, removal: reuse', 'linked': 'storage: linked', 'inline': 'ordering: unordered, capacity: {max: 8, inline: true}'}


@pytest.mark.parametrize('kind', KEPT)
def test_a_load_ends_what_is_kept(tmp_path, kind):
    """As it ends all passes: a pass that was kept is over, and one that begins then is not taken for it. A load that fails ends none."""
    (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  box: {{element: uint32_t, identity: value, {KEPT[kind]}, '
                                         'emit: {persist: true, operations: [all, keep]}}\n')
    (tmp_path / 'main.c').write_text(LOADED)
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                   cwd=tmp_path, check=True)
    for checks in '01':
        subprocess.run(['gcc', '-O0', f'-DBESPOKE_CHECKS={checks}', 'main.c', 'lists.c', '-o', 'main'], cwd=tmp_path, check=True)
        assert subprocess.run(['./main'], cwd=tmp_path).returncode == 0
        over = subprocess.run(['./main', 'kept'], cwd=tmp_path, stderr=subprocess.PIPE, universal_newlines=True)
        assert (over.returncode == 0) == (checks == '0') and ('box_next: this pass is over' in over.stderr) == (checks == '1'), over.stderr


GOES_BACK = """
#include "lists.h"

static box one, other;
static struct thing things[3];

void box_removes(box *list, struct thing *element)
{
    if (list == &other && element == &things[0]) {
        (void)box_add(&one, &things[2]); /* it takes the only place */
    }
}

int main(void)
{
    size_t taken = 1;

    box_init(&one, 1);
    box_init(&other, 2);
    if (box_add(&other, &things[0]) != BOX_OK || box_add(&other, &things[1]) != BOX_OK) {
        return 1;
    }
    if (box_add_from(&one, &other, &taken) != BOX_FULL || taken != 0 || box_count(&one) != 1) {
        return 2;
    }
    return box_count(&other) == 2 && box_contains(&other, &things[0]) ? 0 : 3;
}
"""


def test_what_does_not_fit_goes_back_to_a_container_with_another_maximum(tmp_path):
    """T_add_from compared the other container with the maximum of this one."""
    (tmp_path / 'thing.h').write_text('struct thing { struct thing *next, *prev; void *owner; };\n')
    (tmp_path / 'lists.yaml').write_text("""bespoke: 1
containers:
  box:
    element: {type: struct thing, header: thing.h, by: intrusive, link: {next: next, prev: prev, owner: owner}}
    capacity: {max: run_time}
    hooks: {remove: box_removes}
""")
    (tmp_path / 'main.c').write_text(GOES_BACK)
    for command in ([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'lists.yaml', '-o', '.'],
                    ['cc', '-std=c11', '-Wall', '-Werror', 'main.c', 'lists.c', '-o', 'main'], ['./main']):
        done = subprocess.run(command, cwd=str(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')
        assert done.returncode == 0, done.stdout
