/* The order that `iteration: {order: deterministic}` promises: what passes visit after the same calls, for each removal policy. What it prints is
 * tests/behaviour/order.txt, on every machine, with every compiler and allocator, with BESPOKE_CHECKS and BESPOKE_CHAOS or without. */
#include <stdio.h>
#include <string.h>

#include "promised.h"

enum { THINGS = 20000 };
static struct thing things[THINGS];
static uint32_t made;

/* The same numbers everywhere. */
static uint32_t state;

static uint32_t dice(uint32_t sides)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % sides;
}

static struct thing *thing(void)
{
    struct thing *next = &things[made % THINGS];

    memset(next, 0, sizeof *next);
    next->id = ++made;
    next->left = 5;
    return next;
}

void promised_one_destroys(struct promised_one *list, struct thing *element);
void promised_dense_removes(struct promised_dense *list, struct thing *element);
void promised_stable_destroys(struct promised_stable *list, struct thing *element);

void promised_one_destroys(struct promised_one *list, struct thing *element)
{
    (void)list;
    (void)element;
}

void promised_dense_removes(struct promised_dense *list, struct thing *element)
{
    (void)list;
    (void)element;
}

void promised_stable_destroys(struct promised_stable *list, struct thing *element)
{
    (void)list;
    (void)element;
}

#define BY_VALUE(T, list) (void)T##_add(list, *thing())
#define BY_POINTER(T, list) (void)T##_add(list, thing())
#define BY_ID(T, list) (void)T##_add(list, thing()->id)
#define ID(e) (unsigned)(e)->id
#define ITSELF(e) (unsigned)*(e)

#define PRINT(T, EACH, list, NUMBER) \
    printf(#T ":"); \
    EACH(list, shown) { \
        printf(" %u", NUMBER(shown)); \
    } \
    printf("\n");
/* The same in one number. */
#define SUM(T, EACH, list, NUMBER) \
    sum = 2166136261u; \
    EACH(list, shown) { \
        sum = (sum ^ NUMBER(shown)) * 16777619u; \
    } \
    printf(#T ": %u in an order of %08x\n", (unsigned)T##_count(list), (unsigned)sum);

/* Adds, removals in a pass, and in the passes within one, of which some are left. */
#define PLAY(T, EACH, ADD, NUMBER, NESTED, MORE) \
    static void play_##T(void) \
    { \
        T list = {0}; \
        uint32_t sum; \
        \
        state = 48; \
        made = 0; \
        for (unsigned step = 1; step <= 240; step++) { \
            uint32_t what = dice(16); \
            uint32_t at = dice(12); \
            \
            for (uint32_t i = 0; what < 6 && i <= at / 4; i++) { \
                ADD(T, &list); \
            } \
            if (what >= 6 && what < 10) { \
                EACH(&list, element) { \
                    if (at-- == 0) { \
                        (void)T##_remove_current(&element_cursor); \
                        break; \
                    } \
                } \
            } else if (what == 10) { \
                EACH(&list, element) { \
                    if (NUMBER(element) % 5 == at % 5) { \
                        (void)T##_remove_current(&element_cursor); \
                        ADD(T, &list); \
                    } \
                } \
            } else if (what < 14 && what > 10) { \
                NESTED(T, EACH, ADD, NUMBER) \
            } else if (what == 14) { \
                (void)T##_settle(&list); \
            } else if (what == 15) { \
                MORE(T, ADD) \
            } \
            if (step == 60) { \
                PRINT(T, EACH, &list, NUMBER) \
            } else if (step % 60 == 0) { \
                SUM(T, EACH, &list, NUMBER) \
            } \
        } \
        (void)T##_clear(&list); \
        ADD(T, &list); \
        ADD(T, &list); \
        PRINT(T, EACH, &list, NUMBER) \
        T##_deinit(&list); \
    }
#define WITHIN(T, EACH, ADD, NUMBER) \
    EACH(&list, element) { \
        if (at-- == 0) { \
            EACH(&list, other) { \
                unsigned number = NUMBER(other); \
                \
                if (number % 3 == 0) { \
                    (void)T##_remove_current(&other_cursor); \
                } else if (number % 7 == 0) { \
                    ADD(T, &list); \
                } \
                if (what == 12 && number % 11 == 0) { \
                    break; \
                } \
            } \
        } else if (NUMBER(element) % 8 == 0) { \
            (void)T##_remove_current(&element_cursor); \
        } \
    }
#define ALONE(T, EACH, ADD, NUMBER) ADD(T, &list);
#define SHRINK(T, ADD) (void)T##_shrink_to_fit(&list);
#define NO_MORE(T, ADD) (void)T##_clear(&list);
#define FROM(T, ADD) \
    T from = {0}; \
    ADD(T, &from); \
    ADD(T, &from); \
    ADD(T, &from); \
    (void)T##_add_from(&list, &from, NULL); \
    T##_deinit(&from);
/* Changes of workers are merged in their order. */
#define WORK(T, ADD) \
    (void)T##_worker_add(&list, 2, thing()); \
    (void)T##_worker_add(&list, 0, thing()); \
    (void)T##_worker_add(&list, 1, thing()); \
    (void)T##_settle(&list);

PLAY(promised_swap, PROMISED_SWAP_EACH, BY_VALUE, ID, WITHIN, FROM)
PLAY(promised_chunks, PROMISED_CHUNKS_EACH, BY_POINTER, ID, WITHIN, FROM)
PLAY(promised_back, PROMISED_BACK_EACH_BACKWARD, BY_VALUE, ID, WITHIN, SHRINK)
PLAY(promised_one, PROMISED_ONE_EACH, BY_VALUE, ID, ALONE, SHRINK)
PLAY(promised_hash, PROMISED_HASH_EACH, BY_VALUE, ID, WITHIN, FROM)
PLAY(promised_dense, PROMISED_DENSE_EACH, BY_VALUE, ID, WITHIN, SHRINK)
PLAY(promised_inline, PROMISED_INLINE_EACH, BY_ID, ITSELF, WITHIN, NO_MORE)
PLAY(promised_workers, PROMISED_WORKERS_EACH, BY_POINTER, ID, WITHIN, WORK)
PLAY(promised_copied, PROMISED_COPIED_EACH, BY_VALUE, ID, WITHIN, SHRINK)
PLAY(promised_reuse, PROMISED_REUSE_EACH, BY_VALUE, ID, WITHIN, FROM)
PLAY(promised_freed, PROMISED_FREED_EACH, BY_VALUE, ID, WITHIN, FROM)
PLAY(promised_stable, PROMISED_STABLE_EACH, BY_VALUE, ID, WITHIN, SHRINK)
PLAY(promised_few, PROMISED_FEW_EACH, BY_VALUE, ID, WITHIN, SHRINK)
PLAY(promised_pointers, PROMISED_POINTERS_EACH, BY_POINTER, ID, WITHIN, FROM)
PLAY(promised_dead, PROMISED_DEAD_EACH, BY_VALUE, ID, WITHIN, FROM)
PLAY(promised_waiting, PROMISED_WAITING_EACH, BY_POINTER, ID, WITHIN, FROM)
PLAY(promised_shift, PROMISED_SHIFT_EACH, BY_VALUE, ID, WITHIN, FROM)
PLAY(promised_compact, PROMISED_COMPACT_EACH, BY_POINTER, ID, WITHIN, FROM)
PLAY(promised_links, PROMISED_LINKS_EACH, BY_VALUE, ID, WITHIN, SHRINK)
PLAY(promised_members, PROMISED_MEMBERS_EACH, BY_POINTER, ID, WITHIN, FROM)
PLAY(promised_pruned, PROMISED_PRUNED_EACH, BY_VALUE, ID, WITHIN, SHRINK)

/* Elements that expire by what they are: every fourth, when it is updated. */
static void play_updates(void)
{
    promised_copied copied = {0};
    promised_pruned pruned = {0};

    made = 0;
    for (unsigned i = 0; i < 30; i++) {
        struct thing *next = thing();

        next->left = next->id % 4 == 0 || next->id > 26 ? 0 : 1;
        (void)promised_copied_add(&copied, *next);
        (void)promised_pruned_add(&pruned, *next);
    }
    promised_copied_update(&copied);
    promised_pruned_update(&pruned);
    PRINT(promised_copied, PROMISED_COPIED_EACH, &copied, ID)
    PRINT(promised_pruned, PROMISED_PRUNED_EACH, &pruned, ID)
    promised_copied_deinit(&copied);
    promised_pruned_deinit(&pruned);
}

int main(void)
{
    play_promised_swap();
    play_promised_chunks();
    play_promised_back();
    play_promised_one();
    play_promised_hash();
    play_promised_dense();
    play_promised_inline();
    play_promised_workers();
    play_promised_copied();
    play_promised_reuse();
    play_promised_freed();
    play_promised_stable();
    play_promised_few();
    play_promised_pointers();
    play_promised_dead();
    play_promised_waiting();
    play_promised_shift();
    play_promised_compact();
    play_promised_links();
    play_promised_members();
    play_promised_pruned();
    play_updates();
    return 0;
}
