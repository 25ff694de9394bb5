/* Runs the examples of docs/contract.md and of the README with real containers. script/pictures reads each printed line:
 *     board NAME          begins a picture
 *     frame WORDS         begins a line of the picture and names the step
 *     slots A B x .       the storage: a letter is an element, x a tombstone, . a free slot
 *     pass N SEEN AT      the elements that pass N has visited, and its current element (- none)
 *     note WORDS          a remark beside the slots
 */
#include "contract.h"
#include <stdio.h>
#include <string.h>

#define PASSES 2

static char seen[PASSES][32];
static char at[PASSES];
static bool live[PASSES];

static void board(const char *name)
{
    printf("board %s\n", name);
    memset(seen, 0, sizeof(seen));
    memset(at, 0, sizeof(at));
    memset(live, 0, sizeof(live));
}

static void begins(int pass)
{
    live[pass] = true;
    at[pass] = 0;
    seen[pass][0] = 0;
}

static void visits(int pass, const char *element)
{
    size_t length = strlen(seen[pass]);

    seen[pass][length] = *element;
    seen[pass][length + 1] = 0;
    at[pass] = *element;
}

static void ends(int pass)
{
    at[pass] = 0;
}

static void passes(void)
{
    for (int pass = 0; pass < PASSES; pass++) {
        if (live[pass]) {
            printf("pass %d %s %c\n", pass + 1, seen[pass][0] != 0 ? seen[pass] : "-", at[pass] != 0 ? at[pass] : '-');
        }
    }
}

/* -- the slots ---------------------------------------------------------------------------------------- */

static void frame_swapped(const swapped *list, const char *words)
{
    printf("frame %s\nslots", words);
    for (size_t slot = 0; slot < 6; slot++) {
        printf(" %c", slot < list->count ? list->items[slot] : '.');
    }
    printf("\n");
    passes();
}

static void frame_gapped(const gapped *list, const char *words)
{
    printf("frame %s\nslots", words);
    for (size_t slot = 0; slot < 6; slot++) {
        bool in_gap = slot >= list->gap_at && slot < list->gap_at + list->gap;

        printf(" %c", !in_gap && slot < list->count + list->gap ? list->items[slot] : '.');
    }
    printf("\n");
    passes();
}

/* The lists with tombstones differ only in their types. */
#define FRAME_WITH_TOMBSTONES(T)                                                                                       \
    static void frame_##T(const T *list, const char *words)                                                           \
    {                                                                                                                  \
        printf("frame %s\nslots", words);                                                                             \
        for (size_t slot = 0; slot < 7; slot++) {                                                                      \
            bool alive = slot < list->used && (list->alive[slot / 64] >> slot % 64 & 1) != 0;                          \
                                                                                                                       \
            printf(" %c", alive ? list->items[slot] : slot < list->used ? 'x' : '.');                                  \
        }                                                                                                              \
        printf("\n");                                                                                                  \
        passes();                                                                                                      \
    }

FRAME_WITH_TOMBSTONES(visiting)
FRAME_WITH_TOMBSTONES(waiting)
FRAME_WITH_TOMBSTONES(locking)
FRAME_WITH_TOMBSTONES(mourned)

/* The index of an element in a list without tombstones. */
static size_t index_of(const swapped *list, char wanted)
{
    size_t index = 0;

    while (*swapped_get(list, index) != wanted) {
        index++;
    }
    return index;
}

#define FILL(T, list, letters) (void)T##_add_all(list, letters, strlen(letters), NULL)

/* -- the README ----------------------------------------------------------------------------------------------------- */

static void frame_plain(const char *items, size_t count, const char *words)
{
    printf("frame %s\nslots", words);
    for (size_t slot = 0; slot < 6; slot++) {
        printf(" %c", slot < count ? items[slot] : '.');
    }
    printf("\n");
    passes();
}

/* The same removal, during a hand-written loop and during a pass. */
static void the_trap(void)
{
    char items[] = "ABCDEF";
    size_t count = 6;
    swapped list = {0};

    board("readme");
    begins(0);
    for (size_t i = 0; i < count; i++) {
        visits(0, &items[i]);
        if (items[i] == 'C') {
            frame_plain(items, count, "hand-written loop: visits C");
            items[0] = items[--count];
            frame_plain(items, count, "removes A: items[0] = items[--count]");
        }
    }
    ends(0);
    frame_plain(items, count, "end of the loop");
    printf("note %s\n", strchr(seen[0], 'F') == NULL ? "F is skipped" : "F is visited");

    FILL(swapped, &list, "ABCDEF");
    begins(0);
    SWAPPED_EACH(&list, element) {
        visits(0, element);
        if (*element == 'C') {
            frame_swapped(&list, "Bespoke, removal: swap: visits C");
            swapped_remove_at(&list, index_of(&list, 'A'));
            frame_swapped(&list, "removes A: C fills A, F fills C");
        }
    }
    ends(0);
    frame_swapped(&list, "end of the pass");
    printf("note %s\n", strchr(seen[0], 'F') == NULL ? "F is skipped" : "each element visited once");
    swapped_deinit(&list);
}

/* -- the rules ------------------------------------------------------------------------------------------------------ */

static void each_exactly_once(void)
{
    swapped list = {0};

    board("rule-1");
    FILL(swapped, &list, "ABCDEF");
    begins(0);
    SWAPPED_EACH(&list, element) {
        visits(0, element);
        if (*element == 'C') {
            frame_swapped(&list, "the pass visits C");
            swapped_remove_at(&list, index_of(&list, 'A'));
            frame_swapped(&list, "removes A, which was visited");
            swapped_remove_at(&list, index_of(&list, 'D'));
            frame_swapped(&list, "removes D, which is still ahead");
        }
    }
    ends(0);
    frame_swapped(&list, "end of the pass");
    swapped_deinit(&list);
}

static void two_passes(void)
{
    swapped list = {0};

    board("rule-1-nested");
    FILL(swapped, &list, "ABCDEF");
    begins(0);
    SWAPPED_EACH(&list, outer) {
        visits(0, outer);
        if (*outer == 'D') {
            begins(1);
            SWAPPED_EACH(&list, inner) {
                visits(1, inner);
                if (*inner == 'B') {
                    frame_swapped(&list, "outer pass at D, inner pass at B");
                    swapped_remove_at(&list, index_of(&list, 'A'));
                    frame_swapped(&list, "removes A: one move per boundary");
                }
            }
            ends(1);
            frame_swapped(&list, "end of the inner pass");
        }
    }
    ends(0);
    frame_swapped(&list, "end of the outer pass");
    swapped_deinit(&list);
}

static void removed_is_not_visited(void)
{
    gapped list = {0};

    board("rule-2");
    FILL(gapped, &list, "ABCDEF");
    begins(0);
    GAPPED_EACH(&list, element) {
        visits(0, element);
        if (*element == 'B') {
            frame_gapped(&list, "the pass visits B");
            gapped_remove_current(&element_cursor);
            at[0] = 0;
            frame_gapped(&list, "removes B: a gap opens");
            gapped_remove(&list, gapped_get(&list, 2));
            frame_gapped(&list, "removes D: one gap for both");
        } else if (*element == 'E') {
            frame_gapped(&list, "E has not moved");
        }
    }
    ends(0);
    frame_gapped(&list, "end of the pass: E F shift down");
    gapped_deinit(&list);
}

#define ADDS(T, word)                                                                                                  \
    do {                                                                                                               \
        T list = {0};                                                                                                  \
        T##_cursor cursor;                                                                                             \
        const char *element;                                                                                           \
                                                                                                                       \
        FILL(T, &list, "ABC");                                                                                         \
        begins(0);                                                                                                     \
        cursor = T##_begin(&list);                                                                                     \
        while ((element = T##_next(&cursor)) != NULL) {                                                                \
            visits(0, element);                                                                                        \
            if (*element == 'B') {                                                                                     \
                (void)T##_add(&list, 'D');                                                                             \
                frame_##T(&list, word ": at B, adds D");                                                            \
            }                                                                                                          \
        }                                                                                                              \
        ends(0);                                                                                                       \
        frame_##T(&list, "end of the pass");                                                                           \
        T##_deinit(&list);                                                                                             \
    } while (0)

static void added_in_a_pass(void)
{
    board("rule-3");
    ADDS(visiting, "adds: visited");
    ADDS(waiting, "adds: next");
    ADDS(locking, "adds: deferred");
}

static void note_passes(const visiting *list)
{
    printf("note live passes: %u\n", (unsigned)list->passes);
}

static void leaving(void)
{
    visiting list = {0};
    visiting_cursor forgotten;

    board("rule-4");
    FILL(visiting, &list, "ABCDE");
    begins(0);
    VISITING_EACH(&list, element) {
        visits(0, element);
        if (*element == 'B') {
            visiting_remove_current(&element_cursor);
            at[0] = 0;
            frame_visiting(&list, "removes B, then break");
            note_passes(&list);
            break;
        }
    }
    live[0] = false;
    frame_visiting(&list, "after the loop");
    note_passes(&list);
    begins(1);
    forgotten = visiting_begin(&list);
    visits(1, visiting_next(&forgotten));
    frame_visiting(&list, "a pass without T_end");
    note_passes(&list);
    live[1] = false;
    visiting_settle(&list);
    frame_visiting(&list, "visiting_settle, once a frame");
    note_passes(&list);
    visiting_deinit(&list);
}

static void compacts_after_the_last_pass(void)
{
    visiting list = {0};

    board("rule-5");
    FILL(visiting, &list, "ABCDEF");
    begins(0);
    VISITING_EACH(&list, outer) {
        visits(0, outer);
        if (*outer == 'C') {
            begins(1);
            VISITING_EACH(&list, inner) {
                visits(1, inner);
                if (*inner == 'A' || *inner == 'B' || *inner == 'D') {
                    visiting_remove_current(&inner_cursor);
                    at[1] = 0;
                }
            }
            ends(1);
            frame_visiting(&list, "an inner pass removes A, B and D");
            live[1] = false;
            frame_visiting(&list, "the inner pass has ended");
        }
    }
    ends(0);
    frame_visiting(&list, "the outer pass has ended");
    visiting_deinit(&list);
}

static void note_journal(const locking *list)
{
    printf("note journal:");
    for (size_t i = 0; i < list->journal_count; i++) {
        const locking_change *change = &list->journal[i];

        if (change->kind == LOCKING_ADDS_) {
            printf(" +%c", change->element);
        } else {
            printf(" -%c", list->items[change->at]);
        }
    }
    printf("%s; count %zu, will be %zu\n", list->journal_count == 0 ? " empty" : "", locking_count(list),
           locking_predicted_count(list));
}

static void replayed_in_order(void)
{
    locking list = {0};

    board("rule-6");
    FILL(locking, &list, "ABCD");
    begins(0);
    LOCKING_EACH(&list, element) {
        visits(0, element);
        if (*element == 'B') {
            (void)locking_add(&list, 'E');
            frame_locking(&list, "at B, adds E");
            note_journal(&list);
            locking_remove(&list, &list.items[2]);
            frame_locking(&list, "removes C");
            note_journal(&list);
            (void)locking_add(&list, 'F');
            frame_locking(&list, "adds F");
            note_journal(&list);
        } else if (*element == 'C') {
            frame_locking(&list, "C is still visited");
            note_journal(&list);
        }
    }
    ends(0);
    frame_locking(&list, "end of the pass: journal applied");
    note_journal(&list);
    locking_deinit(&list);
}

void removed(mourned *list, char *element)
{
    if (*element == 'B') {
        (void)mourned_add(list, 'Z'); /* survives the call that runs the hook */
    }
}

void destroyed(mourned *list, char *element)
{
    char words[64];

    snprintf(words, sizeof(words), "destroy hook of %c%s", *element, *element == 'B' ? "; remove hook adds Z" : "");
    frame_mourned(list, words);
    printf("note count: %zu\n", mourned_count(list));
}

static void hooks_run_once(void)
{
    mourned list = {0};

    board("rule-7");
    FILL(mourned, &list, "ABC");
    frame_mourned(&list, "before mourned_clear");
    printf("note count: %zu\n", mourned_count(&list));
    mourned_clear(&list);
    frame_mourned(&list, "after mourned_clear");
    printf("note count: %zu\n", mourned_count(&list));
    while (mourned_count(&list) > 0) {
        mourned_cursor cursor = mourned_begin(&list);

        mourned_next(&cursor);
        printf("board\n"); /* not shown: empties the list */
        mourned_remove_current(&cursor);
        mourned_end(&cursor);
    }
    mourned_deinit(&list);
}

static void cleared(void)
{
    visiting list = {0};

    board("rule-8");
    FILL(visiting, &list, "ABCDE");
    begins(0);
    VISITING_EACH(&list, element) {
        visits(0, element);
        if (*element == 'C') {
            frame_visiting(&list, "the pass visits C");
            visiting_clear(&list);
            at[0] = 0;
            frame_visiting(&list, "visiting_clear");
            (void)visiting_add(&list, 'X');
            (void)visiting_add(&list, 'Y');
            frame_visiting(&list, "adds X and Y");
        }
    }
    ends(0);
    frame_visiting(&list, "end of the pass");
    visiting_deinit(&list);
}

int main(void)
{
    the_trap();
    each_exactly_once();
    two_passes();
    removed_is_not_visited();
    added_in_a_pass();
    leaving();
    compacts_after_the_last_pass();
    replayed_in_order();
    hooks_run_once();
    cleared();
    return 0;
}
