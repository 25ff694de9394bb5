/* A firework: in each frame workers move their part of the sparks; old ones burst into others, or go out. Each worker notes that in a
 * journal of its own, and sparks_settle merges them, so the sparks and their order are the same with any number of workers. Rockets
 * come from another thread, through the inbox. */

#include "sparks.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { FRAMES = 120, ROCKETS = 24 };

struct job {
    sparks *list;
    size_t number, workers;
    int failed;
};

static uint32_t drawn(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Moves the sparks of one part. Nothing is added or removed here: that is noted. */
static void *work(void *argument)
{
    struct job *job = argument;
    sparks_span part = sparks_part(job->list, job->number, job->workers);

    for (size_t i = 0; i < part.count; i++) {
        struct spark *spark = &part.elements[i];

        spark->x += spark->vx;
        spark->y += spark->vy;
        spark->vy -= 3;
        if (--spark->life > 0) {
            continue;
        }
        job->failed |= sparks_worker_remove(job->list, job->number, spark) != SPARKS_QUEUED;
        for (uint32_t pieces = spark->seed % 3 == 0 ? 4 : 0; pieces > 0; pieces--) {
            struct spark piece = *spark;

            piece.vx += (int32_t)(drawn(&piece.seed) % 21) - 10 + (int32_t)pieces;
            piece.vy += (int32_t)(drawn(&piece.seed) % 21);
            piece.seed += pieces;
            piece.life = 8 + (int32_t)(drawn(&piece.seed) % 16);
            job->failed |= sparks_worker_add(job->list, job->number, piece) != SPARKS_QUEUED;
        }
    }
    return NULL;
}

/* Lights the rockets. It could do so at any time: they are in the next frame. */
static void *light(void *argument)
{
    sparks *list = argument;

    for (uint32_t i = 0; i < ROCKETS; i++) {
        struct spark rocket = {(int32_t)i * 100, 0, 0, 60, i * 3, 12 + (int32_t)(i % 5)};

        while (sparks_inbox_add(list, rocket) == SPARKS_FULL) {
            sched_yield();
        }
    }
    return NULL;
}

/* Plays the firework; prints how many sparks are left, and a sum over all of them in their order. */
static int play(size_t workers)
{
    sparks list = {0};
    struct job jobs[SPARKS_WORKERS];
    pthread_t threads[SPARKS_WORKERS], lighter;
    uint64_t sum = 0;
    size_t most = 0;
    int failed = 0;

    failed |= pthread_create(&lighter, NULL, light, &list);
    failed |= pthread_join(lighter, NULL); /* before the first frame, so that all runs play the same */
    for (int frame = 0; frame < FRAMES && !failed; frame++) {
        failed |= sparks_settle(&list) != SPARKS_OK;
        most = sparks_count(&list) > most ? sparks_count(&list) : most;
        for (size_t i = 0; i < workers; i++) {
            jobs[i] = (struct job){&list, i, workers, 0};
            failed |= pthread_create(&threads[i], NULL, work, &jobs[i]);
        }
        for (size_t i = 0; i < workers; i++) {
            failed |= pthread_join(threads[i], NULL) | jobs[i].failed;
        }
        for (size_t i = 0; i < sparks_count(&list); i++) {
            const struct spark *spark = sparks_get(&list, i);

            sum = (sum ^ (uint32_t)spark->x ^ (uint64_t)(uint32_t)spark->y << 32) * 0x9e3779b97f4a7c15u;
        }
    }
    printf("workers: %zu, at most %zu sparks, sum %016llx\n", workers, most, (unsigned long long)sum);
    sparks_deinit(&list);
    return failed;
}

int main(void)
{
    return play(1) | play(2) | play(8);
}
