"""`allocator: {never_fails: true}`: what nothing can refuse returns nothing, and what fills an element in place draws no warning."""
import subprocess

from conftest import ROOT

SPEC = """bespoke: 1
defaults: {element: {type: struct spark, header: game.h}, ordering: unordered}
containers:
  lasting: {removal: swap, %s}
  keyed: {removal: swap, identity: {key: element->id}, index: hash, duplicates: reject, %s}
  few: {removal: swap, capacity: {max: 40}, %s}
"""
SURE = 'allocator: {kind: plain, alloc: sure_alloc, realloc: sure_realloc, free: sure_free, never_fails: true}'
# An engine's allocator, and a spec whose adds return nothing: the pointers would not be of these types otherwise.
MAIN = """#include "sparks.h"
#include <stdlib.h>
void *sure_alloc(size_t bytes) { void *block = malloc(bytes); if (block == NULL) abort(); return block; }
void *sure_realloc(void *old, size_t bytes) { void *block = realloc(old, bytes); if (block == NULL) abort(); return block; }
void sure_free(void *block) { free(block); }
int main(void)
{
    void (*add)(lasting *, struct spark) = lasting_add;
    void (*reserve)(lasting *, size_t) = lasting_reserve;
    void (*shrink)(lasting *) = lasting_shrink_to_fit;
    struct spark *(*got)(lasting *, struct spark) = lasting_add_get;
    keyed_status (*refused)(keyed *, struct spark) = keyed_add;
    lasting list = {0};
    keyed unique = {0};
    few some = {0};
    struct spark spark = {0};
    int full = 0;

    reserve(&list, 10);
    for (unsigned i = 0; i < 100; i++) {
        spark.id = i;
        add(&list, spark);
        lasting_emplace(&list)->id = i;
        full += few_add(&some, spark) == FEW_FULL;
    }
    spark = *got(&list, spark);
    shrink(&list);
    full += refused(&unique, spark) != KEYED_OK || refused(&unique, spark) != KEYED_DUPLICATE;
    lasting_deinit(&list);
    keyed_deinit(&unique);
    few_deinit(&some);
    return full == 60 && spark.id == 99 ? 0 : 1;
}
"""
# All adds are in sight: gcc saw an index beyond an array behind NULL that cannot be there.
FILLS = """#include "sparks.c"
#define FILLED(T) { T list = {0}; for (unsigned i = 0; i < 100; i++) { struct spark *spark = T##_emplace(&list); spark->id = i; } \\
    number += (int)T##_count(&list); T##_deinit(&list); }
int main(void)
{
    int number = 0;

    FILLED(lasting)
    FILLED(few)
    return number;
}
"""


def generated(folder, *more):
    (folder / 'sparks.yaml').write_text(SPEC % more)
    subprocess.run([ROOT + '/bespoke', 'generate', '-q', 'sparks.yaml', f'-I{ROOT}/specs', '-o', '.', '--no-format'], cwd=folder, check=True)
    return (folder / 'sparks.h').read_text() + (folder / 'sparks.c').read_text()


def compiled(folder, text, *options):
    (folder / 'main.c').write_text(text)
    done = subprocess.run(['gcc', '-std=c99', '-Wall', '-Wextra', '-Werror', *options, f'-I{ROOT}/specs', 'main.c', '-o', 'main'], cwd=folder,
                          stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0, done.stderr


def test_what_nothing_can_refuse_returns_nothing(tmp_path):
    text = generated(tmp_path, f'{SURE}, emit: {{operations: [all, add_get]}}', SURE, SURE)
    assert 'NO_MEMORY' not in text and 'items != NULL ?' not in text
    compiled(tmp_path, MAIN, '-Wconversion', 'sparks.c')
    assert subprocess.run([str(tmp_path / 'main')]).returncode == 0


def test_an_allocator_that_may_fail_is_answered_for(tmp_path):
    text = generated(tmp_path, 'capacity: {initial: 4}', 'capacity: {initial: 4}', 'storage: contiguous')
    assert text.count('NO_MEMORY') > 10


def test_elements_filled_in_place_draw_no_warning(tmp_path):
    for more in (('capacity: {initial: 4}', 'capacity: {initial: 4}', 'storage: contiguous'), (SURE, SURE, SURE)):
        generated(tmp_path, *more)
        for level in '23':
            compiled(tmp_path, FILLS, f'-O{level}', '-c')
