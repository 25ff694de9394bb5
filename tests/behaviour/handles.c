/* One slot is used more often than 16 bits can count: no handle of an element that is gone ever leads to another one. */
#include "handles.h"
#include "../regression/check.h"

#define TIMES 65537u

/* `others` elements are in all the time; where elements move they do. */
#define REUSES(T, TT, others)                                                                                   \
    static void row_reuses_##T(void)                                                                            \
    {                                                                                                           \
        static T##_handle stale[TIMES];                                                                         \
        T##_handle null, keeps[others + 1];                                                                     \
        T list = {0};                                                                                           \
        size_t wrong = 0;                                                                                       \
                                                                                                                \
        memset(&null, 0, sizeof null);                                                                          \
        for (uint32_t i = 0; i < others; i++) {                                                                 \
            uint32_t *number = T##_emplace(&list);                                                              \
                                                                                                                \
            if (!CHECK(number != NULL)) {                                                                       \
                return;                                                                                         \
            }                                                                                                   \
            *number = i;                                                                                        \
            keeps[i] = T##_handle_of(&list, number);                                                            \
        }                                                                                                       \
        for (uint32_t use = 0; use < TIMES; use++) {                                                            \
            uint32_t *number = T##_emplace(&list);                                                              \
                                                                                                                \
            if (!CHECK(number != NULL)) {                                                                       \
                return;                                                                                         \
            }                                                                                                   \
            *number = 1000 + use;                                                                               \
            stale[use] = T##_handle_of(&list, number);                                                          \
            wrong += T##_get(&list, stale[use]) != number || T##_get(&list, null) != NULL;                      \
            wrong += use > 0 && (T##_get(&list, stale[0]) != NULL || T##_get(&list, stale[use - 1]) != NULL);   \
            wrong += T##_remove(&list, stale[use]) != TT##_OK || T##_remove(&list, stale[use]) != TT##_STALE;   \
            if (use % 8192 == 0) {                                                                              \
                T##_settle(&list);                                                                              \
                CHECK(T##_check(&list) == NULL);                                                                \
            }                                                                                                   \
        }                                                                                                       \
        {                                                                                                       \
            uint32_t *last = T##_emplace(&list);                                                                \
                                                                                                                \
            CHECK(last != NULL);                                                                                \
            for (uint32_t use = 0; use < TIMES; use++) {                                                        \
                wrong += T##_get(&list, stale[use]) != NULL || T##_remove(&list, stale[use]) != TT##_STALE;     \
            }                                                                                                   \
        }                                                                                                       \
        for (uint32_t i = 0; i < others; i++) {                                                                 \
            wrong += T##_get(&list, keeps[i]) == NULL || *T##_get(&list, keeps[i]) != i;                        \
        }                                                                                                       \
        CHECK(wrong == 0 && T##_count(&list) == others + 1 && T##_check(&list) == NULL);                        \
        T##_deinit(&list);                                                                                      \
    }

REUSES(numbers_mapped, NUMBERS_MAPPED, 5)
REUSES(numbers_mapped_short, NUMBERS_MAPPED_SHORT, 5)
REUSES(numbers_buried, NUMBERS_BURIED, 5)
REUSES(numbers_buried_short, NUMBERS_BURIED_SHORT, 5)
REUSES(numbers_reused, NUMBERS_REUSED, 5)
REUSES(numbers_reused_short, NUMBERS_REUSED_SHORT, 5)
REUSES(numbers_linked_short, NUMBERS_LINKED_SHORT, 5)

/* A pass holds dead slots back, so each element takes a new one; its id was another's. */
static void row_ids_under_a_pass(void)
{
    buried_mapped list = {0};
    buried_mapped_handle old[100];
    buried_mapped_cursor cursor;
    struct thing *one;

    one = buried_mapped_emplace(&list);
    if (!CHECK(one != NULL)) {
        return;
    }
    memset(one, 0, sizeof *one);
    cursor = buried_mapped_begin(&list);
    for (uint32_t i = 0; i < 100; i++) {
        one = buried_mapped_emplace(&list);
        if (!CHECK(one != NULL)) {
            return;
        }
        memset(one, 0, sizeof *one);
        one->id = i;
        old[i] = buried_mapped_handle_of(&list, one);
        CHECK(i == 0 || old[i].index == old[0].index);
        CHECK(buried_mapped_remove(&list, old[i]) == BURIED_MAPPED_OK);
    }
    buried_mapped_end(&cursor);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(buried_mapped_get(&list, old[i]) == NULL);
    }
    CHECK(buried_mapped_check(&list) == NULL);
    buried_mapped_deinit(&list);
}

/* When every id has retired, the container is full, and says so. */
static void row_all_retire(void)
{
    mapped_inline list = {0};
    unsigned long uses = 0;
    struct thing nobody;
    struct thing *one;

    memset(&nobody, 0, sizeof nobody);
    while ((one = mapped_inline_emplace(&list)) != NULL && uses <= 20 * 254) {
        memset(one, 0, sizeof *one);
        uses++;
        CHECK(mapped_inline_remove(&list, mapped_inline_handle_of(&list, one)) == MAPPED_INLINE_OK);
    }
    CHECK(uses == 20 * 254 && mapped_inline_count(&list) == 0);
    CHECK(mapped_inline_add(&list, nobody) == MAPPED_INLINE_FULL && mapped_inline_check(&list) == NULL);
    mapped_inline_deinit(&list);
    CHECK(mapped_inline_emplace(&list) != NULL);
    mapped_inline_deinit(&list);
}

/* A handle of 20 and 12 bits fills 32, in memory and as a number. Both numbers retire when their generations have run out. */
static void row_split(void)
{
    static mapped_split list;
    mapped_split_handle first, handle;
    unsigned long uses = 0;
    struct thing *one;
    uint32_t packed;

    memset(&first, 0, sizeof first);
    CHECK(sizeof first == sizeof packed);
    while ((one = mapped_split_emplace(&list)) != NULL && uses <= 2 * 4094) {
        memset(one, 0, sizeof *one);
        handle = mapped_split_handle_of(&list, one);
        packed = mapped_split_handle_pack(handle);
        CHECK(packed == ((uint32_t)handle.generation << 20 | handle.index));
        CHECK(mapped_split_handle_equal(mapped_split_handle_unpack(packed), handle));
        CHECK(mapped_split_get(&list, first) == NULL);
        if (uses++ == 0) {
            first = handle;
        }
        CHECK(mapped_split_remove(&list, handle) == MAPPED_SPLIT_OK);
    }
    CHECK(uses == 2 * 4094 && mapped_split_get(&list, first) == NULL && mapped_split_check(&list) == NULL);
    mapped_split_deinit(&list);
}

int main(void)
{
    row_reuses_numbers_mapped();
    row_reuses_numbers_mapped_short();
    row_reuses_numbers_buried();
    row_reuses_numbers_buried_short();
    row_reuses_numbers_reused();
    row_reuses_numbers_reused_short();
    row_reuses_numbers_linked_short();
    row_ids_under_a_pass();
    row_all_retire();
    row_split();
    return checks_result();
}
