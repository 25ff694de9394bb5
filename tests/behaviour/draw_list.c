/* Sorting of lists that are longer than those of the generated test: what has moved a little, what belongs far back, and what is new,
 * against insertion, one by one. */
#include "draw_list.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 900, TRIALS = 400 };

static struct sprite model[MOST];
static uint32_t seed = 1;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static void fill(sprites *list, uint32_t number, uint32_t depths, uint32_t *id)
{
    for (uint32_t i = 0; i < number; i++) {
        struct sprite one = {0, 0, 0, 0, 0};

        one.id = (*id)++;
        one.depth = (float)(depths > 0 ? draw(depths) : number - i);
        if (sprites_add(list, one) != SPRITES_OK) {
            fprintf(stderr, "out of memory\n");
            exit(1);
        }
    }
}

/* The farthest first, and equal ones as they were. */
static void insert(size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct sprite one = model[i];
        size_t at = i;

        for (; at > 0 && one.depth > model[at - 1].depth; at--) {
            model[at] = model[at - 1];
        }
        model[at] = one;
    }
}

int main(void)
{
    for (int trial = 0; trial < TRIALS; trial++) {
        sprites list = {0};
        uint32_t id = 0;
        uint32_t depths = trial % 3 == 0 ? 5 : trial % 3 == 1 ? 1000 : 0;

        fill(&list, 1 + draw(500), depths, &id);
        for (int round = 0; round < 4; round++) {
            size_t count = sprites_count(&list);
            struct sprite *all = sprites_data(&list);

            for (size_t i = 0; i < count; i++) {
                if (round > 0 && draw(20) == 0) {
                    all[i].depth += (float)draw(3) - 1;
                }
                model[i] = all[i];
            }
            insert(count);
            if (sprites_sort(&list) != SPRITES_OK) {
                return 1;
            }
            all = sprites_data(&list);
            for (size_t i = 0; i < count; i++) {
                if (all[i].id != model[i].id) {
                    fprintf(stderr, "draw_list.c: trial %d, round %d: another sprite at place %lu of %lu\n", trial, round,
                            (unsigned long)i, (unsigned long)count);
                    return 1;
                }
            }
            fill(&list, draw(round == 1 ? 100 : 10), 1000, &id);
        }
        sprites_deinit(&list);
    }
    return 0;
}
