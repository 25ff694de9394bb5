/* An element moves from one layer to another while a hook does what it likes: it ends up in one layer, or destroyed. */
#include "moves.h"

#include <stdio.h>
#include <string.h>

enum { LOW, HIGH };

static unsigned checks, failed, destroyed;
static void *left, *destroyer; /* the layers that the hooks were called with last */
static struct thing things[8];

#define CHECK(condition) check(condition, __LINE__, #condition)

static void check(bool good, int line, const char *what)
{
    checks++;
    if (!good) {
        failed++;
        fprintf(stderr, "moves.c:%d: failed: %s\n", line, what);
    }
}

/* What the remove hook does once: it adds these, each to a layer. */
static struct {
    void *list;
    unsigned count;
    size_t layers[2];
    struct thing *things[2];
} reaction;

#define STORIES(T, TT, LOSES, DESTROYS)                                                                          \
    void LOSES(struct T##_layer *layer, struct thing *thing)                                                     \
    {                                                                                                            \
        unsigned count = reaction.count;                                                                         \
        (void)thing;                                                                                             \
        left = layer;                                                                                            \
        reaction.count = 0;                                                                                      \
        for (unsigned i = 0; i < count; i++) {                                                                   \
            CHECK(T##_add((T *)reaction.list, reaction.layers[i], reaction.things[i]) == TT##_OK);               \
        }                                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    void DESTROYS(struct T##_layer *layer, struct thing *thing)                                                  \
    {                                                                                                            \
        (void)thing;                                                                                             \
        destroyer = layer;                                                                                       \
        destroyed++;                                                                                             \
    }                                                                                                            \
                                                                                                                 \
    static void T##_stories(void)                                                                                \
    {                                                                                                            \
        T list = {0};                                                                                            \
                                                                                                                 \
        /* Nobody is in the way. */                                                                              \
        destroyed = 0;                                                                                           \
        CHECK(T##_add(&list, LOW, &things[1]) == TT##_OK && T##_add(&list, LOW, &things[2]) == TT##_OK);         \
        CHECK(T##_move(&list, &things[1], HIGH) == TT##_OK && T##_layer_of(&list, &things[1]) == HIGH);          \
        CHECK(T##_add(&list, HIGH, &things[3]) == TT##_OK && T##_move(&list, &things[2], HIGH) == TT##_FULL);    \
        CHECK(T##_layer_of(&list, &things[2]) == LOW && T##_count(&list) == 3);                                  \
                                                                                                                 \
        /* The hook uses up the room in the layer that it goes to: it goes back. */                              \
        CHECK(T##_remove(&list, &things[3]) == TT##_OK && destroyed == 1);                                       \
        reaction.list = &list;                                                                                   \
        reaction.count = 1;                                                                                      \
        reaction.layers[0] = HIGH;                                                                               \
        reaction.things[0] = &things[4];                                                                         \
        CHECK(T##_move(&list, &things[2], HIGH) == TT##_FULL);                                                   \
        CHECK(T##_layer_of(&list, &things[2]) == LOW && T##_layer_of(&list, &things[4]) == HIGH);                \
        CHECK(T##_count(&list) == 3 && destroyed == 1 && T##_check(&list) == NULL);                              \
                                                                                                                 \
        /* In both: nobody has room for it any more. */                                                          \
        CHECK(T##_remove(&list, &things[4]) == TT##_OK && T##_add(&list, LOW, &things[5]) == TT##_OK);           \
        CHECK(destroyed == 2);                                                                                   \
        reaction.count = 2;                                                                                      \
        reaction.layers[0] = HIGH;                                                                               \
        reaction.layers[1] = LOW;                                                                                \
        reaction.things[0] = &things[6];                                                                         \
        reaction.things[1] = &things[7];                                                                         \
        CHECK(T##_move(&list, &things[2], HIGH) == TT##_FULL);                                                   \
        CHECK(!T##_contains(&list, &things[2]) && destroyed == 3 && T##_count(&list) == 4);                      \
        CHECK(destroyer == left);                                                                                \
        CHECK(T##_layer_of(&list, &things[6]) == HIGH && T##_layer_of(&list, &things[7]) == LOW);                \
        CHECK(T##_check(&list) == NULL);                                                                         \
        T##_deinit(&list);                                                                                       \
        CHECK(destroyed == 7);                                                                                   \
    }

STORIES(moves_shift, MOVES_SHIFT, shift_loses, shift_destroys)
STORIES(moves_swap, MOVES_SWAP, swap_loses, swap_destroys)

/* A hook puts the very element where it was to go: it goes back, and then is in both, once in each. */
static void it_is_there_already(void)
{
    moves_swap list = {0};

    CHECK(moves_swap_add(&list, LOW, &things[1]) == MOVES_SWAP_OK);
    reaction.list = &list;
    reaction.count = 1;
    reaction.layers[0] = HIGH;
    reaction.things[0] = &things[1];
    CHECK(moves_swap_move(&list, &things[1], HIGH) == MOVES_SWAP_DUPLICATE);
    CHECK(moves_swap_count(&list) == 2 && moves_swap_layer_of(&list, &things[1]) == LOW && moves_swap_check(&list) == NULL);
    moves_swap_deinit(&list);
}

int main(void)
{
    moves_shift_stories();
    moves_swap_stories();
    it_is_there_already();
    printf("%u checks, %u failed\n", checks, failed);
    return failed == 0 ? 0 : 1;
}
