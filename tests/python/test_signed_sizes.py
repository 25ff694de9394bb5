"""`emit: {size_type: int}`: callers count and index in a signed type, and the emitted code computes in the unsigned one of that width."""
import subprocess

import pytest

from conftest import ROOT

import machine
from test_limits import limit, planned

FLAGS = '-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wsign-compare -Wshadow -Wcast-qual -Werror'.split()
KINDS = ['ordering: insertion, removal: shift', 'ordering: unordered, removal: swap, handles: generational', 'ordering: insertion, removal: unlink',
         'ordering: unordered, removal: reuse, storage: chunked', 'ordering: fifo']
SPEC = """bespoke: 1
defaults: {emit: {size_type: %s}}
containers:
  box: {element: int, removal: shift}
  few: {element: int, removal: tombstone, capacity: {max: 3}}
  within: {element: int, removal: shift, capacity: {inline: true, max: 5}}
  chain: {element: {type: struct ring, header: ring.h, link: {next: next, prev: prev, owner: owner}}}
"""
RING = '#ifndef RING_H\n#define RING_H\nstruct ring { struct ring *next, *prev; void *owner; };\n#endif\n'
MAIN = """#include "lists.h"
#include <limits.h>

int main(void)
{
    int (*count)(const box *) = box_count;
    int (*capacity)(const box *) = box_capacity;
    box list = {0};
    few some = {0};
    within held = {0};
    chain links = {0};
    struct ring ring = {0, 0, 0};
    int numbers[4] = {4, 3, 2, 1};
    int taken = -1, sum = 0;

    if (box_add_all(&list, numbers, -1, &taken) != BOX_OK || taken != 0 || count(&list) != 0) { return 1; }
    if (box_add_all(&list, numbers, 4, &taken) != BOX_OK || taken != 4 || count(&list) != 4 || capacity(&list) < 4) { return 2; }
    for (int i = box_count(&list) - 1; i >= 0; i--) { sum = sum * 10 + *box_get(&list, i); }
    if (sum != 1234) { return 3; }
    if (box_get(&list, -1) != NULL || box_get(&list, INT_MIN) != NULL || box_get(&list, 4) != NULL) { return 4; }
    if (box_remove_at(&list, -1) != BOX_ABSENT || box_remove_at(&list, 4) != BOX_ABSENT) { return 5; }
    if (box_remove_range(&list, 1, -1) != BOX_ABSENT || box_remove_range(&list, -1, 1) != BOX_ABSENT) { return 6; }
    if (box_reserve(&list, INT_MAX) == BOX_OK || box_reserve(&list, -1) == BOX_OK || count(&list) != 4) { return 7; }
    if (few_add_all(&some, numbers, 4, &taken) != FEW_FULL || taken != 3 || few_count(&some) != 3) { return 8; }
    if (within_capacity(&held) != 5 || within_get(&held, -1) != NULL || within_add_all(&held, numbers, 4, &taken) != WITHIN_OK) { return 10; }
    links.count = INT_MAX; /* as many as can be counted */
    if (chain_add(&links, &ring) != CHAIN_FULL || chain_count(&links) != INT_MAX) { return 9; }
    box_deinit(&list);
    few_deinit(&some);
    return 0;
}
"""


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, (done.returncode, done.stdout)


@pytest.mark.parametrize('size_type', ['int', 'int32_t', 'signed'])
def test_callers_count_in_a_signed_type(tmp_path, size_type):
    (tmp_path / 'lists.yaml').write_text(SPEC % size_type)
    (tmp_path / 'ring.h').write_text(RING)
    (tmp_path / 'main.c').write_text(MAIN)
    run(tmp_path, ROOT + '/bespoke', 'generate', '-q', 'lists.yaml', '-o', '.', '--no-format')
    for more in ([], ['-DBESPOKE_CHECKS=1', '-fsanitize=undefined', '-fno-sanitize-recover']):
        run(tmp_path, 'gcc', '-std=c99', *FLAGS, *more, 'main.c', 'lists.c', '-o', 'main')
        run(tmp_path, './main')


@pytest.mark.parametrize('size_type', ['ptrdiff_t', 'int64_t', 'long'])
def test_as_wide_as_addresses(tmp_path, size_type):
    (tmp_path / 'lists.yaml').write_text(SPEC % size_type)
    (tmp_path / 'ring.h').write_text(RING)
    (tmp_path / 'main.c').write_text(f"""#include "lists.h"
int main(void)
{{
    box list = {{0}};
    {size_type} taken = -1, count = box_count(&list);

    return box_add_all(&list, NULL, -1, &taken) == BOX_OK && taken == 0 && count == 0 && box_get(&list, -1) == NULL ? 0 : 1;
}}
""")
    run(tmp_path, ROOT + '/bespoke', 'generate', '-q', 'lists.yaml', '-o', '.', '--no-format')
    run(tmp_path, 'gcc', '-std=c99', *FLAGS, 'main.c', 'lists.c', '-o', 'main')
    run(tmp_path, './main')


@pytest.mark.parametrize('kind', KINDS)
def test_it_is_full_before_a_count_is_negative(tmp_path, kind):
    assert 2 * limit(tmp_path, kind + ', emit: {size_type: int}') <= 2 ** 31


def test_links_count_no_further(tmp_path):
    link = 'element: {type: struct ring, header: <ring.h>, link: {next: next, prev: prev, owner: owner}}, emit: {size_type: %s}'
    assert planned(tmp_path, link % 'int32_t').parts.limit == 2 ** 31 - 1
    assert planned(tmp_path, link % 'ptrdiff_t').parts.limit is None


PARTS = """bespoke: 1
defaults: {emit: {size_type: int}}
containers:
  rows: {element: {fields: {id: uint32_t, left: int}}, layout: soa, ordering: unordered, removal: swap, emit: {operations: [all, part]}}
  lanes: {element: {fields: {id: uint32_t, left: int}}, layout: soa, ordering: unordered, removal: reuse, storage: chunked}
  stack: {element: int, layers: [low, high], removal: shift, capacity: {max: run_time}}
  crew: {element: int, ordering: unordered, removal: swap, handles: generational, side: {heat: float}, threads: {workers: 4}}
"""
IN_PARTS = """#include "parts.h"

int main(void)
{
    int (*row_count)(const rows *) = rows_rows;
    int (*layers_count)(const stack *) = stack_count;
    rows list = {0};
    lanes chunks = {0};
    stack layers;
    crew team = {0};
    crew_handle handle;
    int sum = 0;

    for (int i = 0; i < 100; i++) {
        if (rows_add(&list, (rows_row){(uint32_t)i, i}) != ROWS_OK || lanes_add(&chunks, (lanes_row){(uint32_t)i, i}) != LANES_OK) { return 1; }
    }
    for (int row = 0; row < rows_rows(&list); row++) { sum += rows_left(&list)[row]; }
    for (int number = 0; number < lanes_chunk_count(&chunks); number++) {
        for (int lane = 0; lane < lanes_lanes(&chunks, number); lane++) { sum += lanes_left(&chunks, number)[lane]; }
    }
    if (sum != 9900 || row_count(&list) != 100 || lanes_left(&chunks, -1) != NULL || lanes_lanes(&chunks, -1) != 0 || lanes_occupied(&chunks, -1) != 0) { return 2; }
    sum = 0;
    for (int number = 0; number < 3; number++) { sum += (int)rows_part(&list, number, 3).count; }
    if (sum != 100 || rows_part(&list, -1, 3).count != 0) { return 3; }
    stack_init(&layers, 1);
    if (stack_add(&layers, STACK_HIGH, 7) != STACK_OK || stack_add(&layers, STACK_HIGH, 8) != STACK_FULL || layers_count(&layers) != 1) { return 4; }
    stack_deinit(&layers);
    stack_init(&layers, -1); /* more than there is memory for */
    stack_deinit(&layers);
    if (crew_worker_add(&team, 3, 7) != CREW_QUEUED || crew_settle(&team) != CREW_OK || crew_count(&team) != 1) { return 5; }
    if (crew_add_handle(&team, 8, &handle) != CREW_OK || crew_set_heat(&team, handle, 1) != CREW_OK || crew_count_heat(&team) != 1) { return 6; }
    if (crew_part(&team, 0, 1).count != 2 || crew_part(&team, 0, -1).count != 2 || crew_part(&team, -1, 1).count != 0) { return 7; }
    rows_deinit(&list);
    lanes_deinit(&chunks);
    crew_deinit(&team);
    return 0;
}
"""


@pytest.mark.parametrize('compiler', [['gcc', '-std=c99'], ['clang', '-std=c99'], ['gcc', '-std=c99', '-m32', '-fsyntax-only'], ['g++', '-x', 'c++', '-fsyntax-only']])
def test_columns_layers_and_workers(tmp_path, compiler):
    (tmp_path / 'parts.yaml').write_text(PARTS)
    (tmp_path / 'main.c').write_text(IN_PARTS)
    run(tmp_path, ROOT + '/bespoke', 'generate', '-q', 'parts.yaml', '-o', '.', '--no-format')
    if not machine.runs(*(word for word in compiler if word != '-fsyntax-only')):
        pytest.skip('no ' + ' '.join(compiler) + ' here')
    if '-fsyntax-only' in compiler:
        return run(tmp_path, *compiler, *FLAGS, 'parts.c')
    run(tmp_path, *compiler, *FLAGS, '-fsanitize=undefined', '-fno-sanitize-recover', 'main.c', 'parts.c', '-o', 'main')
    return run(tmp_path, './main')
