#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAYLOAD 10000 /* bytes, at most */
#define CHANCE 10     /* one in 10 destroys; one in 10 creates */
#define SLAB 256      /* objects */

/* -- memory ----------------------------------------------------------------------------------------------------- */

void out_of_memory(void)
{
    fputs("subsets: out of memory\n", stderr);
    exit(1);
}

void *need(size_t bytes)
{
    return need_more(NULL, bytes);
}

void *need_more(void *block, size_t bytes)
{
    block = realloc(block, bytes);
    if (block == NULL) {
        out_of_memory();
    }
    return block;
}

void object_begin(struct object *object, const struct object *drawn)
{
    *object = *drawn;
    object->payload = calloc(1, object->payload_size);
    if (object->payload == NULL) {
        out_of_memory();
    }
}

void object_end(struct object *object)
{
    free(object->payload);
}

void *pool_take(struct pool *pool)
{
    void *object;

    if (!pool->slabs) {
        return need(pool->size);
    }
    if (pool->freed == NULL) {
        unsigned char *slab = need(sizeof(max_align_t) + SLAB * pool->size);

        memcpy(slab, &pool->first_slab, sizeof pool->first_slab);
        pool->first_slab = slab;
        slab += sizeof(max_align_t);
        for (size_t i = SLAB; i > 0; i--) {
            pool_give(pool, slab + (i - 1) * pool->size);
        }
    }
    object = pool->freed;
    memcpy(&pool->freed, object, sizeof pool->freed);
    return object;
}

void pool_give(struct pool *pool, void *object)
{
    if (!pool->slabs) {
        free(object);
        return;
    }
    memcpy(object, &pool->freed, sizeof pool->freed);
    pool->freed = object;
}

void pool_end(struct pool *pool)
{
    while (pool->first_slab != NULL) {
        void *slab = pool->first_slab;

        memcpy(&pool->first_slab, slab, sizeof pool->first_slab);
        free(slab);
    }
}

/* -- the game --------------------------------------------------------------------------------------------------- */

struct play {
    const struct variant *variant;
    void *game;
    uint64_t dice;
    struct outcome outcome;
};

/* A number below `limit`. */
static uint32_t roll(struct play *play, uint32_t limit)
{
    play->dice ^= play->dice << 13;
    play->dice ^= play->dice >> 7;
    play->dice ^= play->dice << 17;
    return (uint32_t)((play->dice >> 32) * limit >> 32);
}

static float coordinate(struct play *play)
{
    return (float)roll(play, 1 << 24) / (1 << 24);
}

static void note(struct play *play, uint64_t value)
{
    play->outcome.checksum = (play->outcome.checksum ^ value) * 0x100000001b3u;
    play->outcome.checksum ^= play->outcome.checksum >> 29;
}

static void create(struct play *play)
{
    struct object drawn = {.number = (uint32_t)play->outcome.created++};
    unsigned subset[IN];

    drawn.x = coordinate(play);
    drawn.y = coordinate(play);
    drawn.z = coordinate(play);
    drawn.payload_size = 1 + roll(play, PAYLOAD);
    for (int i = 0; i < IN; i++) {
        subset[i] = roll(play, SUBSETS);
    }
    play->variant->create(play->game, &drawn, subset);
}

/* An object finds the nearest object in a random subset, perhaps itself. With a chance of one in
 * CHANCE each, it destroys the object found, and creates another. */
static void update(void *context, struct object *object)
{
    struct play *play = context;
    unsigned subset = roll(play, SUBSETS);
    bool destroys = roll(play, CHANCE) == 0, creates = roll(play, CHANCE) == 0;
    struct object *found = play->variant->search(play->game, subset, object);

    play->outcome.visits++;
    note(play, object->number);
    if (found != NULL) {
        note(play, found->number);
        if (destroys) {
            play->variant->destroy(play->game, found);
            play->outcome.destroyed++;
        }
    }
    if (creates) {
        create(play);
    }
}

static void count(void *context, struct object *object)
{
    struct play *play = context;

    play->outcome.live++;
    note(play, object->number);
    note(play, object->payload_size);
}

static double cpu_seconds(clock_t from, clock_t to)
{
    return (to > from ? (double)(to - from) : 1) / CLOCKS_PER_SEC; /* a tick at least */
}

struct outcome play(const struct workload *workload, const struct variant *variant)
{
    struct play play = {.variant = variant, .dice = workload->seed};
    clock_t start = clock(), ready, updated;

    play.game = variant->open();
    for (uint32_t i = 0; i < workload->objects; i++) {
        create(&play);
    }
    ready = clock();
    for (uint32_t pass = 0; pass < workload->passes; pass++) {
        variant->each(play.game, update, &play);
    }
    updated = clock();
    variant->each(play.game, count, &play);
    variant->close(play.game);
    play.outcome.seconds = cpu_seconds(start, clock());
    play.outcome.update_seconds = cpu_seconds(ready, updated);
    return play.outcome;
}

bool same_outcome(const struct outcome *a, const struct outcome *b)
{
    return a->visits == b->visits && a->created == b->created && a->destroyed == b->destroyed && a->live == b->live &&
           a->checksum == b->checksum;
}
