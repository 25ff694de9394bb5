/* Keys of elements that lie in a heap change: T_rekey and T_heapify put them in order, also where the heap has copies of keys. */
#include "heaps.h"
#include "../regression/check.h"
#include "dice.h"

void heap_gains(heap_slots *list, struct thing *thing)
{
    (void)list, (void)thing;
}

void heap_loses(heap_slots *list, struct thing *thing)
{
    (void)list, (void)thing;
}

void heap_ends(heap_slots *list, struct thing *thing)
{
    (void)list, (void)thing;
}

void heap_updates(heap_updated *list, struct thing *thing, void *context)
{
    (void)list, (void)thing, (void)context;
}

bool thing_is_over(const struct thing *thing)
{
    return thing->left < 0;
}

double heap_called_key(const struct thing *thing)
{
    return thing->left;
}

/* `copies`: T_check sees each key that has changed. */
#define STORY(T, TT, ELEMENT, NUMBER, WHICH, copies)                                          \
    static void T##_story(void)                                                               \
    {                                                                                         \
        T list = {0};                                                                         \
                                                                                              \
        for (unsigned round = 0; round < 50; round++) {                                       \
            struct ELEMENT one = {0};                                                         \
            T##_cursor pass;                                                                  \
            struct ELEMENT *element;                                                          \
            int last = -1;                                                                    \
                                                                                              \
            for (uint32_t id = 1; id <= NUMBER; id++) {                                       \
                one.id = id;                                                                  \
                one.left = (int)random_number(100);                                           \
                CHECK(T##_add(&list, one) == TT##_OK);                                        \
            }                                                                                 \
            pass = T##_begin(&list);                                                          \
            while ((element = T##_next(&pass)) != NULL) {                                     \
                element->left = (int)random_number(100) + 100 * (int)(element->id % 3);       \
                if (copies && element->id % 3 != 0) {                                         \
                    CHECK(T##_check(&list) != NULL);                                          \
                }                                                                             \
                CHECK(T##_rekey(&list, WHICH) == TT##_OK && T##_check(&list) == NULL);        \
            }                                                                                 \
            T##_end(&pass);                                                                   \
            if (round % 2 == 1) {                                                             \
                pass = T##_begin(&list);                                                      \
                while ((element = T##_next(&pass)) != NULL) {                                 \
                    element->left = (int)random_number(1000);                                 \
                }                                                                             \
                T##_end(&pass);                                                               \
                T##_heapify(&list);                                                           \
                CHECK(T##_check(&list) == NULL);                                              \
            }                                                                                 \
            for (unsigned left = NUMBER; left > 0; left--) {                                  \
                CHECK(T##_pop(&list, &one) == TT##_OK && last <= (int)one.left);              \
                CHECK(T##_check(&list) == NULL);                                              \
                last = (int)one.left;                                                         \
            }                                                                                 \
        }                                                                                     \
        CHECK(T##_count(&list) == 0);                                              \
        T##_deinit(&list);                                                                    \
    }


STORY(heap_mapped, HEAP_MAPPED, thing, 60, heap_mapped_handle_of(&list, element), false)
STORY(heap_copies, HEAP_COPIES, mote, 60, heap_copies_handle_of(&list, element), true)
STORY(heap_copies_inline, HEAP_COPIES_INLINE, mote, 12, element, true)
STORY(heap_copies_chunks, HEAP_COPIES_CHUNKS, mote, 60, element, true)

int main(void)
{
    heap_mapped_story();
    heap_copies_story();
    heap_copies_inline_story();
    heap_copies_chunks_story();
    return checks_result();
}
