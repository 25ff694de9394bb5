"""What a body puts where its pass continues (docs/contract.md, rule 3): in front of the first element, and right behind a visited one, is behind the pass."""
import subprocess

from conftest import ROOT

SPEC = """bespoke: 1
defaults: {element: {type: struct spark, header: game.h}, ordering: explicit, iteration: {adds: visited}}
containers:
  shifted: {removal: shift}
  gapped: {removal: compact, iteration: {direction: both}}
  tied: {storage: linked}
  single: {storage: {kind: linked, links: single}}
"""
MAIN = """#include "put.h"
#include <stdio.h>
static int visits;
#define PUTS(T, E) { T list = {0}; struct spark s = {0}; \\
    for (s.id = 0; s.id < 4; s.id++) { (void)T##_add(&list, s); } \\
    E(&list, spark) { s = *spark; if (++visits > 50) { break; } (void)T##_remove_current(&spark_cursor); (void)T##_insert_before(&list, NULL, s); } \\
    printf("%d ", visits); visits = 0; \\
    E(&list, spark) { s.id = 9; if (++visits > 50) { break; } (void)T##_insert_after(&list, spark, s); } \\
    printf("%d ", visits); visits = 0; \\
    T##_deinit(&list); }
int main(void)
{
    PUTS(shifted, SHIFTED_EACH)
    PUTS(gapped, GAPPED_EACH)
    PUTS(tied, TIED_EACH)
    PUTS(single, SINGLE_EACH)
    return 0;
}
"""


def test_bodies_that_put_elements_where_the_pass_continues_end(tmp_path):
    """Each was endless: removing the current element and inserting it as the first, and inserting one behind the current one."""
    (tmp_path / 'put.yaml').write_text(SPEC)
    (tmp_path / 'main.c').write_text(MAIN)
    include = ['-I%s/specs' % ROOT]
    subprocess.run([ROOT + '/bespoke', 'generate', '-q', 'put.yaml', *include, '-o', '.', '--no-format'], cwd=tmp_path, check=True)
    subprocess.run(['gcc', '-std=c99', *include, 'main.c', 'put.c', '-o', 'main'], cwd=tmp_path, check=True)
    assert subprocess.run(['./main'], cwd=tmp_path, stdout=subprocess.PIPE, universal_newlines=True).stdout == '4 4 ' * 4
