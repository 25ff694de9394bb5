/* What docs/contract.md shows, done with real containers. Every line that is printed is read by script/pictures:
 *     board NAME          a picture begins
 *     frame WORDS         one line of it, with what is done
 *     slots A B x .       the storage: an element, x a slot whose element is gone, . a free slot
 *     pass N SEEN AT      what pass N has visited, and where it stands (- nowhere any more)
 *     note WORDS          what else there is to see
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

/* -- what lies in the slots ---------------------------------------------------------------------------------------- */

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

/* The tombstone lists differ in their types only. */
#define FRAME_OF_DEAD_SLOTS(T)                                                                                         \
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

FRAME_OF_DEAD_SLOTS(visiting)
FRAME_OF_DEAD_SLOTS(waiting)
FRAME_OF_DEAD_SLOTS(locking)
FRAME_OF_DEAD_SLOTS(mourned)

/* Where an element lies in a list without holes. */
static size_t place(const swapped *list, char wanted)
{
    size_t index = 0;

    while (*swapped_get(list, index) != wanted) {
        index++;
    }
    return index;
}

#define FILL(T, list, letters) T##_add_all(list, letters, strlen(letters), NULL)

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
            frame_swapped(&list, "the pass stands on C");
            swapped_remove_at(&list, place(&list, 'A'));
            frame_swapped(&list, "removes A, behind it");
            swapped_remove_at(&list, place(&list, 'D'));
            frame_swapped(&list, "removes D, ahead of it");
        }
    }
    ends(0);
    frame_swapped(&list, "goes on to the end");
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
                    frame_swapped(&list, "the outer pass on D, an inner on B");
                    swapped_remove_at(&list, place(&list, 'A'));
                    frame_swapped(&list, "A is removed: a move for each boundary");
                }
            }
            ends(1);
            frame_swapped(&list, "the inner pass is over");
        }
    }
    ends(0);
    frame_swapped(&list, "and the outer one");
    swapped_deinit(&list);
}

static void gone_is_gone(void)
{
    gapped list = {0};

    board("rule-2");
    FILL(gapped, &list, "ABCDEF");
    begins(0);
    GAPPED_EACH(&list, element) {
        visits(0, element);
        if (*element == 'B') {
            frame_gapped(&list, "the pass stands on B");
            gapped_remove_current(&element_cursor);
            at[0] = 0;
            frame_gapped(&list, "removes B: a gap opens");
            gapped_remove(&list, gapped_get(&list, 2));
            frame_gapped(&list, "removes D, too: one gap for both");
        } else if (*element == 'E') {
            frame_gapped(&list, "E is visited where it is");
        }
    }
    ends(0);
    frame_gapped(&list, "it is over: E and F move up in one run");
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
                T##_add(&list, 'D');                                                                                   \
                frame_##T(&list, word ": D is added on B");                                                            \
            }                                                                                                          \
        }                                                                                                              \
        ends(0);                                                                                                       \
        frame_##T(&list, "the pass is over");                                                                          \
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
            frame_visiting(&list, "removes B, and leaves by break");
            note_passes(&list);
            break;
        }
    }
    live[0] = false;
    frame_visiting(&list, "behind the loop");
    note_passes(&list);
    begins(1);
    forgotten = visiting_begin(&list);
    visits(1, visiting_next(&forgotten));
    frame_visiting(&list, "begins again; nobody ends this one");
    note_passes(&list);
    live[1] = false;
    visiting_settle(&list);
    frame_visiting(&list, "visiting_settle: a frame is over");
    note_passes(&list);
    visiting_deinit(&list);
}

static void only_when_nobody_looks(void)
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
            frame_visiting(&list, "it is over; the outer one is not");
        }
    }
    ends(0);
    frame_visiting(&list, "both are over");
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

static void in_their_order(void)
{
    locking list = {0};

    board("rule-6");
    FILL(locking, &list, "ABCD");
    begins(0);
    LOCKING_EACH(&list, element) {
        visits(0, element);
        if (*element == 'B') {
            locking_add(&list, 'E');
            frame_locking(&list, "on B: adds E");
            note_journal(&list);
            locking_remove(&list, &list.items[2]);
            frame_locking(&list, "removes C");
            note_journal(&list);
            locking_add(&list, 'F');
            frame_locking(&list, "adds F");
            note_journal(&list);
        } else if (*element == 'C') {
            frame_locking(&list, "C is still visited");
            note_journal(&list);
        }
    }
    ends(0);
    frame_locking(&list, "the pass is over: all is replayed");
    note_journal(&list);
    locking_deinit(&list);
}

void leaves(mourned *list, char *element)
{
    if (*element == 'B') {
        mourned_add(list, 'Z'); /* what a hook adds survives the call that it is called from */
    }
}

void mourns(mourned *list, char *element)
{
    char words[64];

    snprintf(words, sizeof(words), "destroy hook of %c%s", *element, *element == 'B' ? "; remove hook adds Z" : "");
    frame_mourned(list, words);
    printf("note count: %zu\n", mourned_count(list));
}

static void told_once(void)
{
    mourned list = {0};

    board("rule-7");
    FILL(mourned, &list, "ABC");
    frame_mourned(&list, "before mourned_clear");
    printf("note count: %zu\n", mourned_count(&list));
    mourned_clear(&list);
    frame_mourned(&list, "behind it");
    printf("note count: %zu\n", mourned_count(&list));
    while (mourned_count(&list) > 0) {
        mourned_cursor cursor = mourned_begin(&list);

        mourned_next(&cursor);
        printf("board\n"); /* not shown: the list is given back */
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
            frame_visiting(&list, "the pass stands on C");
            visiting_clear(&list);
            at[0] = 0;
            frame_visiting(&list, "visiting_clear");
            visiting_add(&list, 'X');
            visiting_add(&list, 'Y');
            frame_visiting(&list, "adds X and Y");
        }
    }
    ends(0);
    frame_visiting(&list, "the pass is over");
    visiting_deinit(&list);
}

int main(void)
{
    each_exactly_once();
    two_passes();
    gone_is_gone();
    added_in_a_pass();
    leaving();
    only_when_nobody_looks();
    in_their_order();
    told_once();
    cleared();
    return 0;
}
