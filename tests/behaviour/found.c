/* A key is found in a sorted container by halving, and by it the first element that has it, whatever the sign and width of keys. */
#include "found.h"

#include "../regression/check.h"
#include "dice.h"

/* Numbers near zero, near the ends of every width, and any: of both signs when they are cut to a type that has one. */
static uint64_t some_number(void)
{
    uint64_t number = any_number();
    unsigned width = 8u << number % 4;

    switch (number >> 8 & 3) {
    case 0:
        return (number >> 16) % 5 - 2;
    case 1:
        return ((uint64_t)1 << (width - 1)) + (number >> 16) % 5 - 2;
    case 2:
        return (((uint64_t)1 << (width - 1)) << 1) + (number >> 16) % 5 - 2;
    default:
        return number >> 16 >> number % 48;
    }
}

/* Whatever is asked for: what a look at one element after the other finds first. */
#define STORY(T, TT, E, MAKE, KEY)                                                                             \
    static void T##_story(void)                                                                                \
    {                                                                                                          \
        T list = {0};                                                                                          \
        for (unsigned round = 0; round < 120; round++) {                                                       \
            for (unsigned i = 0; i < 300; i++) {                                                               \
                uint64_t key = some_number();                                                                  \
                const E *first = NULL;                                                                         \
                E *found;                                                                                      \
                size_t place;                                                                                  \
                if (i % 2 == 0) { /* of one that is in */                                                      \
                    E given = MAKE;                                                                            \
                    key = KEY(&given);                                                                         \
                }                                                                                              \
                for (place = 0; place < T##_count(&list) && first == NULL; place++) {                          \
                    if (KEY(T##_get(&list, place)) == key) {                                                   \
                        first = T##_get(&list, place);                                                         \
                    }                                                                                          \
                }                                                                                              \
                found = T##_find(&list, key);                                                                  \
                CHECK(found == first);                                                                         \
                if (found != NULL) {                                                                           \
                    CHECK(T##_contains(&list, found));                                                         \
                }                                                                                              \
                if (i % 32 == 31 && found != NULL) {                                                           \
                    size_t count = T##_count(&list);                                                           \
                    CHECK(T##_remove_key(&list, key) == TT##_OK && T##_count(&list) == count - 1);             \
                }                                                                                              \
            }                                                                                                  \
            {                                                                                                  \
                uint64_t key = some_number();                                                                  \
                E added = MAKE;                                                                                \
                CHECK(T##_add(&list, added) == TT##_OK);                                                       \
                CHECK(T##_check(&list) == NULL);                                                               \
            }                                                                                                  \
        }                                                                                                      \
        T##_deinit(&list);                                                                                     \
    }

#define NUMBERS(T, TT, E)                                                                                      \
    static uint64_t T##_number(const E *element)                                                               \
    {                                                                                                          \
        return (uint64_t)*element;                                                                             \
    }                                                                                                          \
    STORY(T, TT, E, (E)key, T##_number)

static uint64_t left_of(const struct dot *dot)
{
    return (uint64_t)dot->left;
}

static uint64_t eighth_of(const struct dot *dot)
{
    return (uint64_t)(dot->left >> 3);
}

static struct dot dot_with(uint64_t key)
{
    struct dot dot = {0, (int)key};

    dot.id = (uint32_t)any_number();
    return dot;
}

NUMBERS(found_i8, FOUND_I8, int8_t)
NUMBERS(found_u16, FOUND_U16, uint16_t)
NUMBERS(found_u16_down, FOUND_U16_DOWN, uint16_t)
NUMBERS(found_u32, FOUND_U32, uint32_t)
NUMBERS(found_i32_down, FOUND_I32_DOWN, int32_t)
NUMBERS(found_i64, FOUND_I64, int64_t)
NUMBERS(found_u64, FOUND_U64, uint64_t)
NUMBERS(found_u64_down, FOUND_U64_DOWN, uint64_t)
STORY(found_left, FOUND_LEFT, struct dot, dot_with(key), left_of)
STORY(found_eighth, FOUND_EIGHTH, struct dot, dot_with(key), eighth_of)

int main(void)
{
    found_i8_story();
    found_u16_story();
    found_u16_down_story();
    found_u32_story();
    found_i32_down_story();
    found_i64_story();
    found_u64_story();
    found_u64_down_story();
    found_left_story();
    found_eighth_story();
    return checks_result();
}
