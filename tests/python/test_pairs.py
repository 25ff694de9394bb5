"""T_EACH_PAIR (docs/contract.md): loops whose bodies are drawn agree with the model, for each kind of record of a pass."""

import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, 'tests')]

import turns  # noqa: E402
from generator.tool import cli  # noqa: E402

SPEC = os.path.join(ROOT, 'tests', 'specs', 'anywhere.yaml')
with open(SPEC) as stream:
    NAMES = [found.group(1) for found in re.finditer(r'^  (anywhere_\w+):.*', stream.read(), re.M) if 'begin_at, current' not in found.group(0)]
LOOPS, STEPS = (40000, 7000000) if turns.FULL else (200, 40000)


@pytest.fixture(scope='module')
def program(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp('pairs'))
    includes = ['-I' + os.path.join(ROOT, *path) for path in (['specs'], ['tests', 'specs'])]
    assert cli.main(['generate', '-q', SPEC, '-o', folder, '--tests', '--no-format', *includes]) == 0
    compiler = ['tcc', '-std=c11'] if shutil.which('tcc') and not turns.FULL else ['cc', '-O1', '-w']
    subprocess.run([*compiler, '-I' + folder, *includes, 'anywhere_test.c', '-o', 'pairs'], cwd=folder, check=True)
    return os.path.join(folder, 'pairs')


@pytest.mark.parametrize('name', turns.share(NAMES, 5))
def test_pairs_of_random_programs(program, name):
    """The generated test draws what a body does: it removes either element, or a third, adds, clears, nests, leaves."""
    done = subprocess.run([program, '--container', name, '--steps', str(STEPS), '--exhaustive', '0'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert int(re.search(r'(\d+) loops over pairs', done.stdout).group(1)) >= LOOPS, done.stdout


LAYERED = r"""
#include "lists.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 400

static uint32_t numbers[MOST], made;
static unsigned char paired[MOST][MOST]; /* by numbers: how often they were a pair */
static unsigned char stayed[MOST];       /* since the loop began, in a layer that is enabled */
static box list;

static uint32_t *fresh(void)
{
    numbers[made] = made;
    return &numbers[made++];
}

/* Removes an element, moves it to another layer, adds one, or clears a layer. */
static void change(uint32_t *one)
{
    switch (rand() % 9) {
    case 0: case 1: case 2:
        if (box_remove(&list, one) == BOX_OK) { stayed[*one] = 0; }
        break;
    case 3:
        if (box_move(&list, one, (size_t)rand() % 3) == BOX_OK) { stayed[*one] = 0; }
        break;
    case 4: case 5:
        if (made < MOST && box_add(&list, (size_t)rand() % 3, fresh()) != BOX_OK) { exit(2); }
        break;
    case 6:
        if (rand() % 8 == 0) {
            box_layer *layer = box_layer_at(&list, (size_t)rand() % 3);

            BOX_LAYER_EACH(layer, element) { stayed[*element] = 0; }
            box_layer_clear(layer);
        }
        break;
    default: break;
    }
}

int main(int argc, char **argv)
{
    unsigned long pairs = 0, loops = strtoul(argv[argc - 1], NULL, 10);

    for (unsigned long loop = 0; loop < loops; loop++) {
        unsigned count = (unsigned)rand() % 9, disabled = (unsigned)rand() % 6;

        srand((unsigned)loop);
        made = 0;
        memset(paired, 0, sizeof paired);
        memset(stayed, 0, sizeof stayed);
        for (unsigned layer = 0; layer < 3; layer++) { box_set_enabled(&list, layer, layer != disabled); }
        for (unsigned i = 0; i < count; i++) {
            unsigned layer = (unsigned)rand() % 3;

            stayed[made] = layer != disabled;
            if (box_add(&list, layer, fresh()) != BOX_OK) { return 2; }
        }
        BOX_EACH_PAIR(&list, a, b) {
            size_t of_a = box_layer_of(&list, a), of_b = box_layer_of(&list, b);

            if (a == b || of_a == BOX_LAYERS || of_b == BOX_LAYERS) { printf("%lu: a pair of what is not there\n", loop); return 1; }
            if (stayed[*a] && stayed[*b] && ++paired[*a < *b ? *a : *b][*a < *b ? *b : *a] > 1) { printf("%lu: twice\n", loop); return 1; }
            pairs++;
            change(rand() % 2 ? a : rand() % 2 ? b : &numbers[(unsigned)rand() % made]);
            if (made == MOST || rand() % 200 == 0) {
                memset(stayed, 0, sizeof stayed); /* the loop is left */
                break;
            }
        }
        for (unsigned i = 0; i < made; i++) {
            for (unsigned j = i + 1; j < made; j++) {
                if (stayed[i] && stayed[j] && paired[i][j] != 1) { printf("%lu: %u and %u are no pair\n", loop, i, j); return 1; }
            }
        }
        if (box_check(&list) != NULL) { printf("%lu: %s\n", loop, box_check(&list)); return 1; }
        box_settle(&list);
        box_clear(&list);
    }
    box_deinit(&list);
    printf("%lu pairs\n", pairs);
    return pairs > loops ? 0 : 3;
}
"""
KINDS = {'swap': 'layers: {names: [a, b, c], ordering: unordered}, duplicates: reject, index: hash', 'compact': 'duplicates: reject, index: hash',
         'tombstones': 'removal: tombstone, duplicates: reject, index: hash', 'links': 'storage: linked, duplicates: reject, index: hash',
         'backward': 'removal: shift, duplicates: reject, iteration: {direction: backward}'}


@pytest.mark.parametrize('kind', KINDS)
def test_pairs_through_layers(tmp_path, kind):
    """Every two elements that stay in enabled layers are a pair once, whatever is removed, moved to another layer, added or cleared."""
    keys = KINDS[kind] if 'layers' in KINDS[kind] else 'layers: [a, b, c], ' + KINDS[kind]
    (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  box: {{element: {{type: uint32_t, by: pointer}}, {keys}, '
                                         'emit: {operations: [all, next_pair]}}\n')
    assert cli.main(['generate', '-q', '--no-format', str(tmp_path / 'lists.yaml'), '-o', str(tmp_path)]) == 0
    (tmp_path / 'main.c').write_text(LAYERED)
    subprocess.run(['cc', '-O1', '-Wall', '-Wextra', '-Werror', '-DBESPOKE_CHECKS=1', 'main.c', 'lists.c', '-o', 'main'], cwd=tmp_path,
                   check=True)
    done = subprocess.run(['./main', str(LOOPS * 10)], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout[-2000:]
