"""What a body puts beside an element is visited exactly if that element is still to be visited (docs/contract.md, rule 3)."""
import subprocess

from conftest import ROOT

SPEC = """bespoke: 1
defaults: {element: {type: struct spark, header: game.h}, ordering: explicit}
containers:
  shifted: {removal: shift, iteration: {direction: both}}
  gapped: {removal: compact}
  tied: {storage: linked, iteration: {direction: both}}
  single: {storage: {kind: linked, links: single}}
  queue: {ordering: fifo, ends: both}
  few: {capacity: {inline: true, max: 9}, iteration: {passes: 3}}
  pruned: {removal: {policy: prune, expired: element->life < 0}}
  team: {element: {type: struct ship, link: {next: team_next, prev: team_prev, owner: team}}}
  later: {ordering: tree, iteration: {adds: next}, emit: {operations: [all, move_to_back]}}
  appended: {ordering: insertion, removal: shift}
  rooted: {ordering: tree, emit: {operations: [all, move_to_back]}}
"""
# Each body puts something where its pass continues, at every element; 0 ends it after 50.
MAIN = """#include "put.h"
#include <stdio.h>
#define COUNTED(T, E, body) { T list = {0}; struct spark s = {0}; int visits = 0; \\
    for (s.id = 0; s.id < 4; s.id++) { (void)T##_add(&list, s); } \\
    E(&list, spark) { s = *spark; if (++visits > 50) { visits = 0; break; } body } \\
    printf("%d ", visits); T##_deinit(&list); }
#define FORWARD(T, E) \\
    COUNTED(T, E, (void)T##_remove_current(&spark_cursor); (void)T##_insert_before(&list, NULL, s);) \\
    COUNTED(T, E, (void)T##_insert_after(&list, spark, s);) \\
    COUNTED(T, E, (void)T##_move_to_front(&list, spark);)
/* The current element is moved, to either end or beside another one, and all of its kind are: what was visited stays so. */
#define MOVING(T, E) \\
    COUNTED(T, E, (void)T##_move_to_back(&list, spark);) \\
    COUNTED(T, E, (void)T##_move_to_front(&list, spark); (void)T##_move_to_back(&list, spark);) \\
    COUNTED(T, E, E(&list, other) { if (other->id % 2 == s.id % 2) { (void)T##_move_to_back(&list, other); } }) \\
    COUNTED(T, E, E(&list, other) { if (other->id == 2) { (void)T##_move_before(&list, spark, other); break; } }) \\
    COUNTED(T, E, E(&list, other) { if (other->id == 1) { (void)T##_move_after(&list, spark, other); break; } })
#define BACKWARD(T, E) \\
    COUNTED(T, E, (void)T##_insert_before(&list, spark, s);) \\
    COUNTED(T, E, (void)T##_insert_after(&list, spark, s);)
int main(void)
{
    FORWARD(shifted, SHIFTED_EACH)
    FORWARD(gapped, GAPPED_EACH)
    FORWARD(tied, TIED_EACH)
    FORWARD(single, SINGLE_EACH)
    MOVING(shifted, SHIFTED_EACH)
    MOVING(gapped, GAPPED_EACH)
    MOVING(few, FEW_EACH)
    MOVING(pruned, PRUNED_EACH)
    MOVING(shifted, SHIFTED_EACH_BACKWARD)
    MOVING(tied, TIED_EACH)
    MOVING(single, SINGLE_EACH)
    MOVING(tied, TIED_EACH_BACKWARD)
    COUNTED(tied, TIED_EACH_BACKWARD, (void)tied_move_to_front(&list, spark);)
    BACKWARD(shifted, SHIFTED_EACH_BACKWARD)
    BACKWARD(tied, TIED_EACH_BACKWARD)
    COUNTED(queue, QUEUE_EACH, (void)queue_remove_current(&spark_cursor); (void)queue_add_front(&list, s);)
    COUNTED(later, LATER_EACH, (void)later_move_to_back(&list, spark);)
    {   /* intrusive */
        team list = {0};
        struct ship ships[4] = {{0}};
        int visits = 0;

        for (int i = 0; i < 4; i++) {
            (void)team_add(&list, &ships[i]);
        }
        TEAM_EACH(&list, ship) {
            if (++visits > 50) {
                break;
            }
            (void)team_move_to_back(&list, ship);
        }
        printf("%d ", visits);
        team_deinit(&list);
    }
    /* These go round, as the page says. */
    COUNTED(appended, APPENDED_EACH, (void)appended_move_to_back(&list, spark);)
    COUNTED(rooted, ROOTED_EACH, (void)rooted_move_to_back(&list, spark);)
    COUNTED(shifted, SHIFTED_EACH, (void)shifted_remove_current(&spark_cursor); (void)shifted_add(&list, s);)
    /* With `next` what is moved is not visited, also if it was not yet. */
    COUNTED(later, LATER_EACH, LATER_EACH(&list, other) { if (other->id % 2 == s.id % 2) { (void)later_move_to_back(&list, other); } })
    return 0;
}
"""


def test_bodies_that_put_elements_where_the_pass_continues_come_to_an_end(tmp_path):
    """What removed the current element and inserted it as the first visited that for ever; so did inserting one behind the current."""
    (tmp_path / 'put.yaml').write_text(SPEC)
    (tmp_path / 'main.c').write_text(MAIN)
    include = ['-I%s/specs' % ROOT]
    subprocess.run([ROOT + '/bespoke', 'generate', '-q', 'put.yaml', *include, '-o', '.', '--no-format'], cwd=tmp_path, check=True)
    subprocess.run(['gcc', '-std=c99', *include, 'main.c', 'put.c', '-o', 'main'], cwd=tmp_path, check=True)
    done = subprocess.run(['./main'], cwd=tmp_path, timeout=60, stdout=subprocess.PIPE, universal_newlines=True)
    assert done.stdout == '4 ' * (4 * 3 + 8 * 5 + 1 + 2 * 2 + 1 + 2) + '0 ' * 3 + '2 '


FOLLOWED = """#include "put.h"
#include <stdio.h>
int main(void)
{
    single list = {0};
    struct spark s = {0};
    single_cursor pass, after;
    struct spark *spark;

    for (s.id = 0; s.id < 4; s.id++) {
        (void)single_add(&list, s);
    }
    pass = single_begin(&list);
    (void)single_move_to_back(&list, single_next(&pass));
    after = single_begin_after(&pass);
    single_end(&pass);
    (void)single_remove(&list, single_first(&list)); /* searched from what the pass knows to lie before it */
    while ((spark = single_next(&after)) != NULL) {
        printf("%d ", (int)spark->id);
    }
    single_end(&after);
    single_deinit(&list);
    return 0;
}
"""


def test_a_pass_follows_one_whose_element_was_moved(tmp_path):
    """Over links that lead one way it took the moved element for the one before its next, and the search for that had no end."""
    (tmp_path / 'put.yaml').write_text(SPEC.replace('links: single}', 'links: single}, emit: {operations: [all, begin_after]}'))
    (tmp_path / 'main.c').write_text(FOLLOWED)
    include = ['-I%s/specs' % ROOT]
    subprocess.run([ROOT + '/bespoke', 'generate', '-q', 'put.yaml', *include, '-o', '.', '--no-format'], cwd=tmp_path, check=True)
    subprocess.run(['gcc', '-std=c99', *include, 'main.c', 'put.c', '-o', 'main'], cwd=tmp_path, check=True)
    done = subprocess.run(['./main'], cwd=tmp_path, timeout=20, stdout=subprocess.PIPE, universal_newlines=True)
    assert done.stdout == '2 3 '


SERIALS = """#include "put.h"
#include <stdio.h>
int main(void)
{
    shifted list = {0};
    shifted_cursor first = shifted_begin(&list), second = shifted_begin(&list), after;

    shifted_end(&first);
    after = shifted_begin_after(&second); /* in the record of the first, which has the counter */
    shifted_end(&after);
    first = shifted_begin(&list);
    printf("%d", second.serial < first.serial);
    shifted_end(&first);
    shifted_end(&second);
    shifted_deinit(&list);
    first = shifted_begin(&list);
    printf(" %d", second.serial < first.serial);
    shifted_deinit(&list);
    return 0;
}
"""


def test_no_pass_has_the_serial_of_another_one(tmp_path):
    """The counter of serials is in the first record: what copies a record, or removes all that the container has, leaves it."""
    (tmp_path / 'put.yaml').write_text(SPEC.replace('iteration: {direction: both}}\n  gapped', 'emit: {operations: [all, begin_after]}}\n  gapped'))
    (tmp_path / 'main.c').write_text(SERIALS)
    include = ['-I%s/specs' % ROOT]
    subprocess.run([ROOT + '/bespoke', 'generate', '-q', 'put.yaml', *include, '-o', '.', '--no-format'], cwd=tmp_path, check=True)
    assert 'passes[0].last_serial' in (tmp_path / 'put.h').read_text()
    subprocess.run(['gcc', '-std=c99', *include, 'main.c', 'put.c', '-o', 'main'], cwd=tmp_path, check=True)
    done = subprocess.run(['./main'], cwd=tmp_path, timeout=20, stdout=subprocess.PIPE, universal_newlines=True)
    assert done.stdout == '1 1'
