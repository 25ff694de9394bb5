/* Parts of containers, handed to threads: each element is met by one worker, once, while others are at theirs; and readers, which
 * all go over all elements. Built with -fsanitize=thread it also says that no two touch the same memory. */

#include "workers.h"

#include <pthread.h>
#include <stdio.h>

#define ELEMENTS 1000
#define WORKERS WORK_DENSE_WORKERS

static int failures;

static void expect(bool good, const char *what, int line)
{
    if (!good) {
        fprintf(stderr, "workers.c:%d: %s\n", line, what);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static bool is_in(const uint64_t *alive, size_t slot)
{
    return (alive[slot / 64] >> slot % 64 & 1) != 0;
}

/* What a worker does: one more for each element of its part. */
typedef struct job {
    void *list;
    size_t number;
    size_t met;
} job;

static void *dense_worker(void *context)
{
    job *mine = context;
    work_dense_span span = work_dense_part(mine->list, mine->number, WORKERS);

    for (size_t i = 0; i < span.count; i++, mine->met++) {
        span.elements[i].left++;
    }
    return NULL;
}

static void *gap_worker(void *context)
{
    job *mine = context;
    work_gap_span span = work_gap_part(mine->list, mine->number, WORKERS);

    for (size_t i = 0; i < span.count; i++, mine->met++) {
        span.elements[i].left++;
    }
    return NULL;
}

static void *slots_worker(void *context)
{
    job *mine = context;
    work_slots_span span = work_slots_part(mine->list, mine->number, WORKERS);

    for (size_t i = 0; i < span.count; i++) {
        if (is_in(span.alive, i)) {
            span.elements[i].left++;
            mine->met++;
        }
    }
    return NULL;
}

static void *tombs_worker(void *context)
{
    job *mine = context;
    work_tombs_span span = work_tombs_part(mine->list, mine->number, WORKERS);

    for (size_t i = 0; i < span.count; i++) {
        if (is_in(span.alive, i)) {
            span.elements[i].left++;
            mine->met++;
        }
    }
    return NULL;
}

static void *chunks_worker(void *context)
{
    job *mine = context;
    work_chunks_span span = work_chunks_part(mine->list, mine->number, WORKERS);

    for (size_t number = span.first; number < span.first + span.count; number++) {
        const uint64_t *alive;
        struct dot *dots = work_chunks_chunk(mine->list, number, &alive);

        for (size_t i = 0; i < WORK_CHUNKS_CHUNK; i++) {
            if (is_in(alive, i)) {
                dots[i].left++;
                mine->met++;
            }
        }
    }
    return NULL;
}

static void *packed_worker(void *context)
{
    job *mine = context;
    work_packed_span span = work_packed_part(mine->list, mine->number, WORKERS);

    for (size_t number = span.first; number < span.first + span.count; number++) {
        size_t count;
        struct dot *dots = work_packed_chunk(mine->list, number, &count);

        for (size_t i = 0; i < count; i++, mine->met++) {
            dots[i].left++;
        }
    }
    return NULL;
}

static void *rows_worker(void *context)
{
    job *mine = context;
    work_rows_span span = work_rows_part(mine->list, mine->number, WORKERS);
    int *left = work_rows_left(mine->list);

    for (size_t row = span.first; row < span.first + span.count; row++, mine->met++) {
        left[row]++;
    }
    return NULL;
}

static void *gaps_worker(void *context)
{
    job *mine = context;
    work_gaps_span span = work_gaps_part(mine->list, mine->number, WORKERS);
    int *left = work_gaps_left(mine->list);

    for (size_t row = span.first; row < span.first + span.count; row++) {
        left[row]++; /* rows without an element may be computed over */
        mine->met += (size_t)(work_gaps_occupied(mine->list, row / 64) >> row % 64 & 1);
    }
    return NULL;
}

static void *lanes_worker(void *context)
{
    job *mine = context;
    work_lanes_span span = work_lanes_part(mine->list, mine->number, WORKERS);

    for (size_t number = span.first; number < span.first + span.count; number++) {
        int *left = work_lanes_left(mine->list, number);

        for (size_t i = 0; i < WORK_LANES_CHUNK; i++) {
            left[i]++;
            mine->met += (size_t)(work_lanes_occupied(mine->list, number) >> i & 1);
        }
    }
    return NULL;
}

/* All workers at once; how many elements they have met. */
static size_t work(void *list, void *(*worker)(void *))
{
    pthread_t threads[WORKERS];
    job jobs[WORKERS];
    size_t met = 0;

    for (size_t number = 0; number < WORKERS; number++) {
        jobs[number] = (job){list, number, 0};
        if (pthread_create(&threads[number], NULL, worker, &jobs[number]) != 0) {
            fputs("workers.c: no thread\n", stderr);
            failures++;
            return 0;
        }
    }
    for (size_t number = 0; number < WORKERS; number++) {
        pthread_join(threads[number], NULL);
        met += jobs[number].met;
    }
    return met;
}

/* With elements that came and went again: each third one leaves in a pass. `left_of` reads what the loop stands on. In that pass, and
 * behind it, each worker reads all. */
#define STORY(list_type, UPPER, kind, left_of)                                               \
    static void *kind##_reader(void *context)                                                \
    {                                                                                        \
        job *mine = context;                                                                 \
        const list_type *list = mine->list;                                                  \
                                                                                             \
        UPPER##_EACH_CONST(list, it) {                                                       \
            mine->met += id_of_##kind(list, it) < ELEMENTS;                                  \
        }                                                                                    \
        return NULL;                                                                         \
    }                                                                                        \
                                                                                             \
    static void kind##_story(void)                                                           \
    {                                                                                        \
        list_type list = {0};                                                                \
        size_t met;                                                                          \
                                                                                             \
        EXPECT(work(&list, kind##_worker) == 0);                                             \
        for (uint32_t id = 0; id < ELEMENTS; id++) {                                         \
            EXPECT(list_type##_add(&list, (struct dot){id, 0}) == UPPER##_OK);               \
        }                                                                                    \
        UPPER##_EACH(&list, it) {                                                            \
            if (id_of_##kind(&list, it) % 3 == 0) {                                          \
                list_type##_remove_current(&it_cursor);                                      \
                if (list_type##_count(&list) == 800) {                                       \
                    EXPECT(work(&list, kind##_reader) == WORKERS * 800);                     \
                }                                                                            \
            }                                                                                \
        }                                                                                    \
        EXPECT(work(&list, kind##_reader) == WORKERS * list_type##_count(&list));            \
        met = work(&list, kind##_worker);                                                    \
        EXPECT(met == list_type##_count(&list) && met == ELEMENTS - (ELEMENTS + 2) / 3);     \
        UPPER##_EACH(&list, it) {                                                            \
            EXPECT(left_of == 1);                                                            \
        }                                                                                    \
        EXPECT(list_type##_check(&list) == NULL);                                            \
        EXPECT(list_type##_part(&list, WORKERS, WORKERS).count == 0);                        \
        EXPECT(list_type##_part(&list, 0, 0).count == 0);                                    \
        EXPECT(list_type##_part(&list, (size_t)-2, (size_t)-1).count == 0);                  \
        list_type##_deinit(&list);                                                           \
    }

#define id_of_dense(list, it) ((it)->id)
#define id_of_gap(list, it) ((it)->id)
#define id_of_slots(list, it) ((it)->id)
#define id_of_tombs(list, it) ((it)->id)
#define id_of_chunks(list, it) ((it)->id)
#define id_of_packed(list, it) ((it)->id)
#define id_of_rows(list, it) (work_rows_load(list, it).id)
#define id_of_gaps(list, it) (work_gaps_load(list, it).id)
#define id_of_lanes(list, it) (work_lanes_load(list, it).id)

STORY(work_dense, WORK_DENSE, dense, it->left)
STORY(work_gap, WORK_GAP, gap, it->left)
STORY(work_slots, WORK_SLOTS, slots, it->left)
STORY(work_tombs, WORK_TOMBS, tombs, it->left)
STORY(work_chunks, WORK_CHUNKS, chunks, it->left)
STORY(work_packed, WORK_PACKED, packed, it->left)
STORY(work_rows, WORK_ROWS, rows, work_rows_load(&list, it).left)
STORY(work_gaps, WORK_GAPS, gaps, work_gaps_load(&list, it).left)
STORY(work_lanes, WORK_LANES, lanes, work_lanes_load(&list, it).left)

/* Parts of a list with tombstones are those of its slots: T_part moves nothing, also if workers call it first. */
static void tombs_stay(void)
{
    work_tombs list = {0};
    work_tombs_span part;

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT(work_tombs_add(&list, (struct dot){id, 0}) == WORK_TOMBS_OK);
    }
    EXPECT(work_tombs_remove(&list, work_tombs_part(&list, 0, 1).elements) == WORK_TOMBS_OK);
    part = work_tombs_part(&list, 0, 1);
    EXPECT(part.count == ELEMENTS && !is_in(part.alive, 0) && part.elements[1].id == 1);
    EXPECT(work(&list, tombs_worker) == ELEMENTS - 1);
    work_tombs_deinit(&list);
}

int main(void)
{
    tombs_stay();
    dense_story();
    gap_story();
    slots_story();
    tombs_story();
    chunks_story();
    packed_story();
    rows_story();
    gaps_story();
    lanes_story();
    return failures != 0;
}
