"""`layout: soa`: what compilers make of loops over columns, what a look at hot members touches, where columns begin, and that
nothing of an element is lost on its way into columns and back."""

import os
import re
import shutil
import subprocess

import pytest

from generator.types.type_info import TypeField, TypeInfo
from generator.types.typelock import text

CC = os.environ.get('CC') or shutil.which('gcc') or shutil.which('clang') or shutil.which('cc')
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wsign-conversion', '-Wshadow', '-Werror']

DOTS = '''bespoke: 1
defaults:
  element: {fields: {id: uint32_t, x: float, vx: float, hp: int, name: 'char[24]'}, hot: [x, vx, hp]}
  layout: soa
  ordering: unordered
  test: {id: id}
containers:
  dense: {removal: swap}
  within: {removal: swap, capacity: {max: 200, inline: true}}
  spots: {removal: reuse}
  reefs: {removal: reuse, storage: chunked}
  shoals: {removal: swap, storage: {kind: chunked, chunk: 128}}
'''

# Each line that is marked is one that a compiler must turn into vector instructions.
LOOPS = '''#include "dots.h"

static inline void fall(float *restrict x, const float *restrict vx, size_t rows, float dt)
{
    for (size_t i = 0; i < rows; i++) { /* vector */
        x[i] += vx[i] * dt;
    }
}

void of_dense(dense *list, float dt)
{
    for (size_t row = 0, rows = dense_rows(list); row < rows; row += 64) {
        fall(dense_x(list) + row, dense_const_vx(list) + row, rows - row >= 64 ? 64 : rows - row, dt);
    }
}

void of_dense_apart(dense *list, float dt)
{
    for (size_t row = 0, rows = dense_rows(list); row < rows; row += 64) {
        if (rows - row >= 64) {
            fall(dense_x(list) + row, dense_const_vx(list) + row, 64, dt);
        } else {
            fall(dense_x(list) + row, dense_const_vx(list) + row, rows - row, dt);
        }
    }
}

void as_the_header_says(dense *list, float g)
{
    for (size_t row = 0, rows = dense_rows(list); row < rows; row += 64) {
        float *vx = dense_vx(list) + row;

        if (rows - row >= 64) {
            for (size_t i = 0; i < 64; i++) { /* vector */
                vx[i] += g;
            }
        } else {
            for (size_t i = 0; i < rows - row; i++) {
                vx[i] += g;
            }
        }
    }
}

void of_within(within *list, float dt)
{
    for (size_t row = 0, rows = within_rows(list); rows - row >= 64; row += 64) {
        float *x = within_x(list) + row;
        const float *vx = within_const_vx(list) + row;

        for (size_t i = 0; i < 64; i++) { /* vector */
            x[i] += vx[i] * dt;
        }
    }
}

void of_spots(spots *list, float g)
{
    for (size_t row = 0; row < spots_rows(list); row += 64) {
        float *vx = spots_vx(list) + row;

        for (size_t i = 0; i < 64; i++) { /* vector */
            vx[i] += g;
        }
    }
}

void of_chunks(reefs *list, float dt)
{
    for (size_t number = 0; number < reefs_chunk_count(list); number++) {
        float *x = reefs_x(list, number);
        const float *vx = reefs_const_vx(list, number);

        for (size_t i = 0; i < REEFS_CHUNK; i++) { /* vector */
            x[i] += vx[i] * dt;
        }
    }
}

void of_shoals(shoals *list, float dt)
{
    for (size_t number = 0; number < shoals_chunk_count(list); number++) {
        float *x = shoals_x(list, number);
        const float *vx = shoals_const_vx(list, number);

        for (size_t i = 0; i < SHOALS_CHUNK; i++) { /* vector */
            x[i] += vx[i] * dt;
        }
    }
}

/* Only what is there counts: rows without an element may hold anything. */
uint32_t health_of_chunks(const reefs *list)
{
    uint32_t all = 0;

    for (size_t number = 0; number < reefs_chunk_count(list); number++) {
        const int *hp = reefs_const_hp(list, number);
        uint32_t masks[64];

        reefs_masks(list, number, masks);
        for (size_t i = 0; i < REEFS_CHUNK; i++) { /* vector */
            all += (uint32_t)hp[i] & masks[i];
        }
    }
    return all;
}

float middle_of_chunks(const reefs *list)
{
    float sums[64] = {0}, all = 0;

    for (size_t number = 0; number < reefs_chunk_count(list); number++) {
        const float *x = reefs_const_x(list, number);
        uint32_t masks[64];

        reefs_masks(list, number, masks);
        for (size_t i = 0; i < REEFS_CHUNK; i++) { /* vector */
            float here = x[i];

            sums[i] += masks[i] != 0 ? here : 0;
        }
    }
    for (size_t i = 0; i < 64; i++) {
        all += sums[i];
    }
    return all;
}
'''


def generate(tool, name):
    tool('generate', f'specs/{name}.yaml', '-o', 'out', '-q', '--no-format')


def build(tool, compiler, *arguments):
    done = subprocess.run([compiler, '-Iout', '-Ispecs', *arguments], cwd=str(tool.folder), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize('compiler, report, said', [
    ('gcc', '-fopt-info-vec-optimized', r'optimized: +loop vectorized'),
    ('clang', '-Rpass=loop-vectorize', r'remark: vectorized loop')])
def test_simple_loops_become_vector_instructions_at_O2(tool, compiler, report, said):
    if shutil.which(compiler) is None:
        pytest.skip(f'needs {compiler}: script/setup test')
    tool.write('specs/dots.yaml', DOTS)
    tool.write('loops.c', LOOPS)
    generate(tool, 'dots')
    output = build(tool, compiler, '-std=c11', '-O2', report, *WARNINGS, '-c', 'loops.c', '-o', 'loops.o')
    found = {int(line) for line in re.findall(rf'^loops\.c:(\d+):\d+: {said}', output, re.M)}
    wanted = {number for number, line in enumerate(LOOPS.split('\n'), 1) if '/* vector */' in line}
    assert len(wanted) == 8
    missing = sorted(wanted - found)
    assert not missing, [LOOPS.split('\n')[number - 1] + f' (line {number})' for number in missing] + [output]


COLD = '''bespoke: 1
defaults:
  element: {fields: {id: uint32_t, x: float, hp: int, name: 'char[24]', owner: void *}, hot: [id, x, hp]}
  layout: soa
  test: {id: id}
containers:
  found: {ordering: unordered, removal: swap, identity: {key: element->id}}
  hashed: {ordering: unordered, removal: swap, identity: {key: element->id}, duplicates: reject, index: hash}
  pruned: {removal: {policy: prune, expired: element->hp <= 0}, test: {expire: element->hp = 0, id: id}}
  buried: {removal: {policy: tombstone, expired: element->hp <= 0}, test: {expire: element->hp = 0, id: id}}
  orderly: {ordering: sorted, sort: {key: element->x, when: begin}, removal: shift}
'''

# The column of the cold members is taken away: whoever looks at it there falls.
LOOKS = '''#include "cold.h"
#include <stdio.h>
#define FILL(T, list)                                                        \\
    for (uint32_t i = 0; i < 100; i++) {                                     \\
        T##_row element = {i, (float)i, 1, "", NULL};                        \\
        if (T##_add(&list, element) != 0) { return 1; }                      \\
    }                                                                        \\
    T##_cold_row *kept_##T = list.cold_;                                     \\
    list.cold_ = NULL;

int main(void)
{
    found a = {0};
    hashed b = {0};
    pruned c = {0};
    buried d = {0};
    orderly e = {0};
    unsigned seen = 0;
    float last = -1;

    FILL(found, a)
    seen += found_find(&a, 57) == 57;
    a.cold_ = kept_found;
    FILL(hashed, b)
    seen += hashed_find(&b, 57) == 57;
    b.cold_ = kept_hashed;
    FILL(pruned, c)
    pruned_update(&c);
    seen += pruned_count(&c) == 100;
    PRUNED_EACH(&c, row) { seen += pruned_hp(&c)[row] == 1; }
    c.cold_ = kept_pruned;
    FILL(buried, d)
    buried_hp(&d)[7] = 0;
    BURIED_EACH(&d, row) { seen += row != 7; }
    d.cold_ = kept_buried;
    FILL(orderly, e)
    ORDERLY_EACH(&e, row) { seen += orderly_x(&e)[row] > last; last = orderly_x(&e)[row]; }
    e.cold_ = kept_orderly;
    printf("%u\\n", seen);
    found_deinit(&a);
    hashed_deinit(&b);
    pruned_deinit(&c);
    buried_deinit(&d);
    orderly_deinit(&e);
    return 0;
}
'''


@pytest.mark.parametrize('compiler', ['gcc', 'clang'])
def test_who_looks_at_hot_members_touches_no_cold_ones(tool, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f'needs {compiler}: script/setup test')
    tool.write('specs/cold.yaml', COLD)
    tool.write('looks.c', LOOKS)
    generate(tool, 'cold')
    build(tool, compiler, '-std=c11', '-O2', 'looks.c', 'out/cold.c', '-o', 'looks')
    done = subprocess.run([tool.path('looks')], stdout=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, f'{2 + 1 + 100 + 99 + 100}\n')


ODD = '''bespoke: 1
defaults:
  element: {fields: {tag: uint8_t, x: float, y: double, name: 'char[5]'}, hot: [tag, x, y]}
  layout: soa
  ordering: unordered
  allocator: {alloc: odd_alloc, realloc: odd_realloc, free: odd_free}
containers:
  blocks: {removal: swap, capacity: {initial: 1}}
  chunky: {removal: swap, storage: chunked}
  slotted: {removal: reuse, handles: generational}
  within: {removal: swap, capacity: {max: 37, inline: true}}
'''

ALIGNED = '''#include "odd.h"
#include <stdio.h>
#include <stdlib.h>

void *odd_alloc(void *context, size_t bytes);
void *odd_realloc(void *context, void *block, size_t old_bytes, size_t new_bytes);
void odd_free(void *context, void *block, size_t bytes);

static size_t shift, held;

/* Never aligned as the call before; what is given back must be what was given, and as large. */
void *odd_alloc(void *context, size_t bytes)
{
    size_t *block = (size_t *)aligned_alloc(64, (bytes + 128 + 63) / 64 * 64);

    (void)context;
    shift = (shift + 16) % 64;
    block[(64 + shift) / sizeof *block - 2] = 64 + shift;
    block[(64 + shift) / sizeof *block - 1] = bytes;
    held += bytes;
    return (char *)block + 64 + shift;
}

void odd_free(void *context, void *block, size_t bytes)
{
    size_t *at = (size_t *)block;

    (void)context;
    if (at[-1] != bytes) {
        printf("%zu bytes come back as %zu\\n", at[-1], bytes);
    }
    held -= bytes;
    free((char *)block - at[-2]);
}

void *odd_realloc(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    (void)context, (void)block, (void)old_bytes, (void)new_bytes;
    abort();
}

#define AT(pointer) if ((uintptr_t)(pointer) % 64 != 0) { printf("%s\\n", #pointer); }
#define ALL(T, list) AT(T##_tag(list)) AT(T##_x(list)) AT(T##_y(list)) AT(T##_cold(list))
#define GROW(T, list) for (int i = 0; i < 1000; i++) { T##_row element = {1, 2, 3, ""}; (void)T##_add(list, element); ALL(T, list) }

int main(void)
{
    blocks a;
    chunky b;
    slotted c;
    within d = {0};

    blocks_init(&a, NULL);
    GROW(blocks, &a)
    while (blocks_remove_at(&a, 0) == BLOCKS_OK) {
        (void)blocks_shrink_to_fit(&a);
        if (blocks_count(&a) != 0) { ALL(blocks, &a) }
    }
    blocks_deinit(&a);
    chunky_init(&b, NULL);
    for (int i = 0; i < 1000; i++) {
        chunky_row element = {1, 2, 3, ""};

        (void)chunky_add(&b, element);
        for (size_t n = 0; n < chunky_chunk_count(&b); n++) {
            AT(chunky_tag(&b, n)) AT(chunky_x(&b, n)) AT(chunky_y(&b, n)) AT(chunky_cold(&b, n))
        }
    }
    chunky_clear(&b);
    (void)chunky_shrink_to_fit(&b);
    chunky_deinit(&b);
    slotted_init(&c, NULL);
    GROW(slotted, &c)
    slotted_deinit(&c);
    GROW(within, &d)
    printf("%zu held\\n", held);
    return 0;
}
'''


@pytest.mark.parametrize('flags', [[], ['-DBESPOKE_CHAOS=2', '-DBESPOKE_CHECKS=1']])
def test_columns_are_aligned_whatever_the_allocator_gives(tool, flags):
    tool.write('specs/odd.yaml', ODD)
    tool.write('aligned.c', ALIGNED)
    generate(tool, 'odd')
    build(tool, CC, '-std=c11', '-g', '-fsanitize=undefined', *flags, 'aligned.c', 'out/odd.c', '-o', 'aligned')
    done = subprocess.run([tool.path('aligned')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, '0 held\n')


PAGES = '''bespoke: 1
defaults:
  element: {type: struct page, header: page.h}
  identity: {key: element->id}
  allocator: {kind: plain, alloc: page_alloc, free: page_free, aligned: true}
  capacity: {initial: 4}
containers:
  hashed: {ordering: unordered, removal: swap, duplicates: reject, index: hash}
  several: {ordering: insertion, removal: tombstone, duplicates: reject, index: hash, indexes: {by_rank: {key: element->rank}}}
  slots: {ordering: unordered, removal: reuse, index: hash, duplicates: reject, handles: generational, emit: {snapshot: true}}
'''

PAGED = '''#include "pages.h"
#include <stdio.h>
#include <stdlib.h>

void *page_alloc(size_t bytes, size_t alignment) { return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment); }
void page_free(void *block) { free(block); }

#define EACH(T, TT)                                                       \\
    do {                                                                  \\
        T list = {0};                                                     \\
        for (uint32_t id = 0; id < 300; id++) {                           \\
            struct page page = {.id = id, .rank = id % 7};                \\
            if (T##_add(&list, page) != TT##_OK) { return 1; }            \\
            if (id % 3 == 0) { (void)T##_remove_key(&list, id / 2); }     \\
            TT##_EACH(&list, each) {                                      \\
                if ((uintptr_t)each % 256 != 0) { puts(#T); return 1; }   \\
            }                                                             \\
        }                                                                 \\
        if (T##_check(&list) != NULL) { puts(T##_check(&list)); }         \\
        T##_deinit(&list);                                                \\
    } while (0)

int main(void)
{
    EACH(hashed, HASHED);
    EACH(several, SEVERAL);
    EACH(slots, SLOTS);
    return 0;
}
'''


@pytest.mark.parametrize('flags', [['-fsanitize=undefined'], ['-DBESPOKE_CHAOS=2', '-DBESPOKE_CHECKS=1']])
def test_elements_are_aligned_behind_a_table_of_hashes(tool, flags):
    """That is made of lines of the cache, of which there may be one, and elements may need more."""
    tool.write('specs/page.h', '#pragma once\n#include <stdint.h>\nstruct page { _Alignas(256) uint32_t id; uint32_t rank; };\n')
    tool.write('specs/pages.yaml', PAGES)
    tool.write('paged.c', PAGED)
    generate(tool, 'pages')
    build(tool, CC, '-std=c11', '-g', '-Wno-psabi', *flags, 'paged.c', 'out/pages.c', '-o', 'paged')
    done = subprocess.run([tool.path('paged')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, '')


HEADER = '''#ifndef WHOLE_H
#define WHOLE_H
#include <stdint.h>
struct whole {
    float x;
    unsigned lit : 1, team : 3, : 4;
    signed deep : 5;
    union { double wide; char narrow; };
    struct { int low; float high; };
    struct { int16_t a[2]; } inner[2];
    enum { RED, BLUE = 70000 } paint;
    void (*call)(int);
    char name[7];
};
#endif
'''

WHOLE = TypeInfo('struct whole', 'whole.h', 'struct', (
    TypeField('x', 'float'), TypeField('lit', 'unsigned int', 1), TypeField('team', 'unsigned int', 3), TypeField('', 'unsigned int', 4),
    TypeField('deep', 'int', 5),
    TypeField('', 'union', fields=(TypeField('wide', 'double', shared=True), TypeField('narrow', 'char', shared=True))),
    TypeField('', 'struct', fields=(TypeField('low', 'int'), TypeField('high', 'float'))),
    TypeField('inner', 'struct[2]', fields=(TypeField('a', 'int16_t[2]'),)),
    TypeField('paint', 'enum', of='unsigned int'), TypeField('call', 'void (*)(int)'), TypeField('name', 'char[7]')))

TO_AND_FRO = '''#include "wholes.h"
#include <stdio.h>
#include <string.h>

static void called(int with) { (void)with; }

int main(void)
{
    wholes list = {0};
    struct whole element, back;

    for (int i = 0; i < 100; i++) {
        memset(&element, 0, sizeof element);
        element.x = (float)i;
        element.lit = 1;
        element.team = 5;
        element.deep = -9;
        element.wide = 1.25 * i;
        element.low = i;
        element.high = (float)-i;
        element.inner[1].a[1] = (int16_t)i;
        element.paint = BLUE;
        element.call = called;
        memcpy(element.name, "abcdef", 7);
        if (wholes_add(&list, element) != WHOLES_OK) { return 1; }
    }
    (void)wholes_remove_at(&list, 3);
    WHOLES_EACH(&list, row) {
        int i;

        back = wholes_load(&list, row);
        i = (int)back.x;
        if (back.lit != 1 || back.team != 5 || back.deep != -9 || back.wide != 1.25 * i || back.low != i || back.high != (float)-i
            || back.inner[1].a[1] != i || back.inner[0].a[0] != 0 || back.paint != BLUE || back.call != called
            || strcmp(back.name, "abcdef") != 0) {
            printf("row %u is spoilt\\n", (unsigned)row);
        }
        if (wholes_high(&list)[row] != (float)-i || wholes_call(&list)[row] != called || wholes_cold(&list)[row].low != i
            || wholes_cold(&list)[row].wide != back.wide || wholes_cold(&list)[row].team != 5) {
            printf("row %u is another one in its columns\\n", (unsigned)row);
        }
    }
    printf("%u\\n", (unsigned)wholes_count(&list));
    wholes_deinit(&list);
    return 0;
}
'''

WHOLES = '''bespoke: 1
containers:
  wholes: {element: {type: struct whole, header: whole.h, hot: [x, high, call]}, layout: soa, removal: swap, ordering: unordered}
'''


@pytest.fixture
def wholes(tool):
    tool.write('specs/whole.h', HEADER)
    tool.write('specs/types/struct_whole.yaml', text(WHOLE))
    tool.write('specs/wholes.yaml', WHOLES)
    return tool


def test_nothing_is_lost_on_the_way_into_columns_and_back(wholes):
    wholes.write('fro.c', TO_AND_FRO)
    generate(wholes, 'wholes')
    build(wholes, CC, '-std=c11', '-O1', *WARNINGS, 'fro.c', 'out/wholes.c', '-o', 'fro')
    done = subprocess.run([wholes.path('fro')], stdout=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, '99\n')


def test_explain_says_where_members_come_from(wholes):
    result = wholes('explain', 'specs/wholes.yaml')
    said = ' '.join(result.out.split())
    assert 'float x; unsigned int lit : 1;' in said and 'read from whole.h:' in said and 'struct_whole.yaml' in said
    assert re.search(r'cold_ +wholes_cold_row +the other members, by row', result.out)


@pytest.mark.parametrize('more, said', [
    ('', None),  # columns are aligned to more than it needs
    ('removal: {when: deferred}', 'malloc does not align struct broad as it needs'),  # a journal holds whole elements
    ('ordering: sorted, removal: shift, sort: {key: element->x, when: begin}', 'malloc does not align struct broad as it needs')])
def test_elements_that_need_more_than_malloc_gives(tool, more, said):
    tool.write('specs/broad.h', '#pragma once\nstruct broad { _Alignas(32) float x; int id; };\n')
    tool.write('specs/broads.yaml', 'bespoke: 1\ncontainers:\n  broads: {element: {type: struct broad, header: broad.h, '
               'fields: {x: float, id: int}}, layout: soa%s}\n' % (', ' + more if more else ''))
    generate(tool, 'broads')
    # What the spec lists is another struct by its alignment, which its guard would say, too.
    done = subprocess.run([CC, '-Iout', '-Ispecs', '-std=c11', '-c', 'out/broads.c', '-o', 'broads.o'], cwd=str(tool.folder),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert 'columns do not align' not in done.stdout
    assert (said in done.stdout) if said else ('malloc' not in done.stdout), done.stdout
