/* Threads that change containers: workers by their journals, others by the inbox. The result may not depend on their number, nor on
 * who is faster. Built with -fsanitize=thread it also reports if two touch the same memory. */

#include "merging.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 1000
#define MOST 8 /* workers, and producers */
#define FRAMES 6

static int failures;

static void expect(bool good, const char *what, int line)
{
    if (!good) {
        fprintf(stderr, "merging.c:%d: %s\n", line, what);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static uint32_t mixed(uint32_t number)
{
    number ^= number >> 16;
    number *= 0x7feb352du;
    number ^= number >> 15;
    return number * 0x846ca68bu;
}

static uint64_t folded(uint64_t sum, uint32_t id, int left)
{
    return (sum ^ id ^ (uint64_t)(uint32_t)left << 32) * 0x9e3779b97f4a7c15u;
}

static struct dot dot_of(uint32_t id, int left)
{
    struct dot dot;

    memset(&dot, 0, sizeof dot);
    dot.id = id;
    dot.left = left;
    return dot;
}

/* -- what workers do --------------------------------------------------------------------------------------------------- */

typedef struct job {
    void *list;
    size_t number;
    size_t workers;
    uint32_t frame;
} job;

static void run(void *list, size_t workers, uint32_t frame, void *(*worker)(void *))
{
    pthread_t threads[MOST];
    job jobs[MOST];

    for (size_t i = 0; i < workers; i++) {
        jobs[i].list = list;
        jobs[i].number = i;
        jobs[i].workers = workers;
        jobs[i].frame = frame;
        EXPECT(pthread_create(&threads[i], NULL, worker, &jobs[i]) == 0);
    }
    for (size_t i = 0; i < workers; i++) {
        EXPECT(pthread_join(threads[i], NULL) == 0);
    }
}

/* Of each kind some, by number and frame only: some go, some call another one, some change the first one. */
static void *dense_worker(void *context)
{
    const job *mine = context;
    merge_dense *list = mine->list;
    merge_dense_span part = merge_dense_part(list, mine->number, mine->workers);
    struct dot *all = merge_dense_part(list, 0, 1).elements;

    for (size_t i = 0; i < part.count; i++) {
        struct dot *dot = &part.elements[i];
        uint32_t chance = mixed(dot->id + mine->frame * 7919);

        dot->left++;
        if (chance % 5 == 0) {
            EXPECT(merge_dense_worker_remove(list, mine->number, dot) == MERGE_DENSE_QUEUED);
            EXPECT(merge_dense_worker_remove(list, mine->number, dot) == MERGE_DENSE_QUEUED);
        } else if (chance % 5 == 1) {
            EXPECT(merge_dense_worker_add(list, mine->number, dot_of(chance, dot->left)) == MERGE_DENSE_QUEUED);
        } else if (chance % 50 == 2) {
            EXPECT(merge_dense_worker_update(list, mine->number, &all[0], dot_of(chance, -1)) == MERGE_DENSE_QUEUED);
        }
    }
    return NULL;
}

static uint64_t play_dense(size_t workers)
{
    merge_dense list = {0};
    uint64_t sum = 0;

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT(merge_dense_add(&list, dot_of(id, 0)) == MERGE_DENSE_OK);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run(&list, workers, frame, dense_worker);
        EXPECT(merge_dense_settle(&list) == MERGE_DENSE_OK && merge_dense_check(&list) == NULL);
    }
    for (size_t i = 0; i < merge_dense_count(&list); i++) {
        sum = folded(sum, merge_dense_get(&list, i)->id, merge_dense_get(&list, i)->left);
    }
    merge_dense_deinit(&list);
    return sum;
}

/* -- hooks, order, and what they may expect ---------------------------------------------------------------------------- */

static uint64_t heard;
static size_t dead;

void merge_order_gone(struct merge_order *list, struct dot *element)
{
    heard = folded(heard, element->id, (int)merge_order_count(list));
}

void merge_order_dead(struct merge_order *list, struct dot *element)
{
    (void)list;
    (void)element;
    dead++;
}

void merge_order_in(struct merge_order *list, struct dot *element)
{
    heard = folded(heard, element->id, -(int)merge_order_count(list));
}

static void *order_worker(void *context)
{
    const job *mine = context;
    merge_order *list = mine->list;
    merge_order_span part = merge_order_part(list, mine->number, mine->workers);

    for (size_t i = 0; i < part.count; i++) {
        uint32_t chance = mixed(part.elements[i].id + mine->frame);

        if (chance % 4 == 0) {
            EXPECT(merge_order_worker_remove(list, mine->number, &part.elements[i]) == MERGE_ORDER_QUEUED);
        } else if (chance % 4 == 1) {
            EXPECT(merge_order_worker_add(list, mine->number, dot_of(chance, 1)) == MERGE_ORDER_QUEUED);
        }
    }
    return NULL;
}

static uint64_t play_order(size_t workers)
{
    merge_order list = {0};
    uint64_t sum;

    heard = 0;
    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT(merge_order_add(&list, dot_of(id, 0)) == MERGE_ORDER_OK);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run(&list, workers, frame, order_worker);
        EXPECT(merge_order_settle(&list) == MERGE_ORDER_OK && merge_order_check(&list) == NULL);
    }
    sum = heard;
    MERGE_ORDER_EACH(&list, element) {
        sum = folded(sum, element->id, element->left);
    }
    merge_order_deinit(&list);
    return sum;
}

/* -- weights: what is too heavy makes way, the oldest first, whoever has added the new ones --------------------------------- */

static void *weighed_worker(void *context)
{
    const job *mine = context;
    merge_weighed *list = mine->list;
    merge_weighed_span part = merge_weighed_part(list, mine->number, mine->workers);
    struct dot *all = merge_weighed_part(list, 0, 1).elements;

    for (size_t i = 0; i < part.count; i++) {
        uint32_t chance = mixed(part.elements[i].id + mine->frame * 13);

        part.elements[i].left++;
        if (chance % 6 == 0) {
            EXPECT(merge_weighed_worker_remove(list, mine->number, &part.elements[i]) == MERGE_WEIGHED_QUEUED);
        } else if (chance % 6 < 3) {
            EXPECT(merge_weighed_worker_add(list, mine->number, dot_of(chance, 1)) == MERGE_WEIGHED_QUEUED);
        } else if (chance % 60 == 3) {
            EXPECT(merge_weighed_worker_update(list, mine->number, &all[chance % 100], dot_of(chance | 7, 2)) == MERGE_WEIGHED_QUEUED);
        }
    }
    return NULL;
}

static uint64_t play_weighed(size_t workers)
{
    merge_weighed list = {0};
    uint64_t sum = 0;

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT(merge_weighed_add(&list, dot_of(id, 0)) == MERGE_WEIGHED_OK);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        uint64_t weight = 0;

        run(&list, workers, frame, weighed_worker);
        EXPECT(merge_weighed_settle(&list) == MERGE_WEIGHED_OK && merge_weighed_check(&list) == NULL);
        MERGE_WEIGHED_EACH(&list, element) {
            weight += element->id % 8;
        }
        EXPECT(weight == merge_weighed_weight(&list) && weight <= MERGE_WEIGHED_MAX && weight > MERGE_WEIGHED_MAX - 8);
    }
    MERGE_WEIGHED_EACH(&list, element) {
        sum = folded(sum, element->id, element->left);
    }
    merge_weighed_deinit(&list);
    return sum;
}

/* -- jobs that any worker takes: the number of the job is the key ------------------------------------------------------- */

static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;
static size_t next_job;
static merge_named_handle handles[ELEMENTS];

static void *named_worker(void *context)
{
    const job *mine = context;
    merge_named *list = mine->list;

    for (;;) {
        size_t number;

        pthread_mutex_lock(&taking);
        number = next_job++;
        pthread_mutex_unlock(&taking);
        sched_yield(); /* or one worker does all jobs before the next one has begun */
        if (number >= ELEMENTS / 10) {
            return NULL;
        }
        for (size_t i = number * 10; i < number * 10 + 10; i++) {
            uint32_t chance = mixed((uint32_t)i + mine->frame * 31);

            if (chance % 4 == 0) {
                merge_named_status status = merge_named_worker_remove(list, mine->number, number, handles[i]);

                EXPECT(status == (merge_named_get(list, handles[i]) != NULL ? MERGE_NAMED_QUEUED : MERGE_NAMED_STALE));
            } else if (chance % 4 == 1) {
                EXPECT(merge_named_worker_add(list, mine->number, number, dot_of(chance, 0)) == MERGE_NAMED_QUEUED);
            } else if (chance % 4 == 2) {
                (void)merge_named_worker_update(list, mine->number, number, handles[(i + 500) % ELEMENTS], dot_of(chance, 2));
            }
        }
    }
}

static uint64_t play_named(size_t workers)
{
    merge_named list = {0};
    uint64_t sum = 0;

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        struct dot *added;

        EXPECT(merge_named_add(&list, dot_of(id, 0)) == MERGE_NAMED_OK);
        added = &list.items[id];
        handles[id] = merge_named_handle_of(&list, added);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        next_job = 0;
        run(&list, workers, frame, named_worker);
        EXPECT(merge_named_settle(&list) == MERGE_NAMED_OK && merge_named_check(&list) == NULL);
    }
    MERGE_NAMED_EACH(&list, element) {
        sum = folded(sum, element->id, element->left);
    }
    merge_named_deinit(&list);
    return sum;
}

/* -- removals by key, of elements in the parts of others, which write to them meanwhile -------------------------------- */

static void *found_worker(void *context)
{
    const job *mine = context;
    merge_found *list = mine->list;
    merge_found_span part = merge_found_part(list, mine->number, mine->workers);

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        struct dot sought = dot_of(id, -1);

        if (part.count > 0) {
            part.elements[id % part.count].left++;
        }
        if (mixed(id) % 8 == mine->number) {
            EXPECT(merge_found_worker_remove(list, mine->number, &sought) == MERGE_FOUND_QUEUED);
        }
    }
    return NULL;
}

static void remove_found(void)
{
    merge_found list = {0};
    size_t left = 0;

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT(merge_found_add(&list, dot_of(id, 0)) == MERGE_FOUND_OK);
        left += mixed(id) % 8 >= 4;
    }
    run(&list, 4, 0, found_worker);
    EXPECT(merge_found_settle(&list) == MERGE_FOUND_OK && merge_found_check(&list) == NULL && merge_found_count(&list) == left);
    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT((merge_found_find(&list, id) != NULL) == (mixed(id) % 8 >= 4));
    }
    merge_found_deinit(&list);
}

/* -- rows --------------------------------------------------------------------------------------------------------------- */

static void *rows_worker(void *context)
{
    const job *mine = context;
    merge_rows *list = mine->list;
    merge_rows_span part = merge_rows_part(list, mine->number, mine->workers);
    int *left = merge_rows_left(list);

    for (size_t row = part.first; row < part.first + part.count; row++) {
        uint32_t chance = mixed(merge_rows_id(list)[row] + mine->frame);

        left[row]++;
        if (chance % 3 == 0) {
            EXPECT(merge_rows_worker_remove(list, mine->number, row) == MERGE_ROWS_QUEUED);
        } else if (chance % 3 == 1) {
            EXPECT(merge_rows_worker_add(list, mine->number, merge_rows_load(list, row)) == MERGE_ROWS_QUEUED);
        }
    }
    return NULL;
}

static uint64_t play_rows(size_t workers)
{
    merge_rows list = {0};
    uint64_t sum = 0;

    for (uint32_t id = 0; id < ELEMENTS; id++) {
        EXPECT(merge_rows_add(&list, dot_of(id, 0)) == MERGE_ROWS_OK);
    }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run(&list, workers, frame, rows_worker);
        EXPECT(merge_rows_settle(&list) == MERGE_ROWS_OK && merge_rows_check(&list) == NULL);
    }
    for (size_t row = 0; row < merge_rows_count(&list); row++) {
        sum = folded(sum, merge_rows_id(&list)[row], merge_rows_left(&list)[row]);
    }
    merge_rows_deinit(&list);
    return sum;
}

/* -- the inbox: many add, one settles ------------------------------------------------------------------------------------- */

#define EACH 2000

static void *producer(void *context)
{
    const job *mine = context;

    for (uint32_t i = 0; i < EACH;) {
        merge_inbox_status status = merge_inbox_inbox_add(mine->list, dot_of((uint32_t)mine->number * EACH + i, 0));

        EXPECT(status == MERGE_INBOX_QUEUED || status == MERGE_INBOX_FULL);
        i += status == MERGE_INBOX_QUEUED;
    }
    return NULL;
}

static void fill_inbox(void)
{
    static merge_inbox list;
    pthread_t threads[MOST];
    job jobs[MOST];
    uint32_t next[MOST] = {0};
    size_t taken = 0;

    for (size_t i = 0; i < MOST; i++) {
        jobs[i].list = &list;
        jobs[i].number = i;
        EXPECT(pthread_create(&threads[i], NULL, producer, &jobs[i]) == 0);
    }
    while (taken < (size_t)MOST * EACH) {
        struct dot dot;

        EXPECT(merge_inbox_settle(&list) == MERGE_INBOX_OK);
        while (merge_inbox_pop(&list, &dot) == MERGE_INBOX_OK) {
            EXPECT(dot.id == (dot.id / EACH) * EACH + next[dot.id / EACH]++); /* of each thread in its order */
            taken++;
        }
    }
    for (size_t i = 0; i < MOST; i++) {
        EXPECT(pthread_join(threads[i], NULL) == 0);
        EXPECT(next[i] == EACH);
    }
    EXPECT(merge_inbox_settle(&list) == MERGE_INBOX_OK && merge_inbox_is_empty(&list) && merge_inbox_check(&list) == NULL);
    merge_inbox_deinit(&list);
}

/* -- what is refused ------------------------------------------------------------------------------------------------------ */

static void refuse(void)
{
    static merge_keyed list;
    struct dot dot = dot_of(7, 1);

    for (uint32_t id = 0; id < MERGE_KEYED_MAX; id++) {
        EXPECT(merge_keyed_add(&list, dot_of(id, 0)) == MERGE_KEYED_OK);
    }
    EXPECT(merge_keyed_worker_update(&list, 0, 0, &dot) == MERGE_KEYED_QUEUED);
    dot.id = 100;
    EXPECT(merge_keyed_worker_remove(&list, 0, 0, &dot) == MERGE_KEYED_ABSENT && merge_keyed_worker_update(&list, 1, 0, &dot) == MERGE_KEYED_ABSENT);
    EXPECT(merge_keyed_worker_add(&list, 3, 0, dot_of(8, 5)) == MERGE_KEYED_QUEUED);   /* a duplicate by then */
    EXPECT(merge_keyed_worker_add(&list, 1, 6, dot_of(201, 5)) == MERGE_KEYED_QUEUED); /* its key is larger: does not fit behind */
    EXPECT(merge_keyed_worker_add(&list, 2, 5, dot_of(200, 5)) == MERGE_KEYED_QUEUED); /* this one, since one goes */
    dot.id = 9;
    EXPECT(merge_keyed_worker_remove(&list, 1, 0, &dot) == MERGE_KEYED_QUEUED);
    EXPECT(merge_keyed_worker_remove(&list, 2, 0, &dot) == MERGE_KEYED_QUEUED);
    for (uint32_t id = 300; id < 300 + MERGE_KEYED_INBOX; id++) {
        EXPECT(merge_keyed_inbox_add(&list, dot_of(id, 0)) == MERGE_KEYED_QUEUED);
    }
    EXPECT(merge_keyed_inbox_add(&list, dot_of(400, 0)) == MERGE_KEYED_FULL);
    EXPECT(merge_keyed_settle(&list) == MERGE_KEYED_OK && merge_keyed_check(&list) == NULL);
    EXPECT(merge_keyed_count(&list) == MERGE_KEYED_MAX && merge_keyed_find(&list, 9) == NULL && merge_keyed_find(&list, 7)->left == 1);
    EXPECT(merge_keyed_find(&list, 200) != NULL && merge_keyed_find(&list, 201) == NULL && merge_keyed_find(&list, 8)->left == 0);
    EXPECT(merge_keyed_inbox_add(&list, dot_of(400, 0)) == MERGE_KEYED_FULL); /* none was lost, and none has fitted */
    EXPECT(merge_keyed_remove_key(&list, 0) == MERGE_KEYED_OK && merge_keyed_settle(&list) == MERGE_KEYED_OK);
    EXPECT(merge_keyed_find(&list, 300) != NULL && merge_keyed_find(&list, 301) == NULL);
#if !BESPOKE_CHECKS
    EXPECT(merge_keyed_worker_add(&list, MERGE_KEYED_WORKERS, 0, dot) == MERGE_KEYED_ABSENT);
#endif
    merge_keyed_deinit(&list);
}

/* -- without memory, what is pending still names the same elements --------------------------------------------------------- */

static bool no_memory;

void *tight_alloc(void *memory, size_t bytes)
{
    (void)memory;
    return no_memory ? NULL : malloc(bytes);
}

void *tight_realloc(void *memory, void *block, size_t old_bytes, size_t bytes)
{
    (void)memory;
    (void)old_bytes;
    return no_memory ? NULL : realloc(block, bytes);
}

void tight_free(void *memory, void *block, size_t bytes)
{
    (void)memory;
    (void)bytes;
    free(block);
}

/* Tombstones by then: `removed` of 100 elements before the workers begin, `expired` more after that. */
static void keep_pending(uint32_t removed, uint32_t expired)
{
    merge_tight list;
    uint32_t left = 0;

    merge_tight_init(&list, NULL);
    for (uint32_t id = 0; id < 100; id++) {
        EXPECT(merge_tight_add(&list, dot_of(id, 0)) == MERGE_TIGHT_OK);
    }
    for (uint32_t id = 0; id < removed; id++) {
        EXPECT(merge_tight_remove(&list, &list.items[id]) == MERGE_TIGHT_OK);
    }
    for (uint32_t id = removed; id < removed + expired; id++) {
        list.items[id].left = -1;
    }
    EXPECT(merge_tight_worker_remove(&list, 0, &list.items[90]) == MERGE_TIGHT_QUEUED);
    for (uint32_t id = 0; id < 1000; id++) {
        EXPECT(merge_tight_worker_add(&list, 1, dot_of(1000 + id, 0)) == MERGE_TIGHT_QUEUED);
    }
    no_memory = true;
    EXPECT(merge_tight_settle(&list) == MERGE_TIGHT_NO_MEMORY && merge_tight_count(&list) == 100 - removed);
    no_memory = false;
    EXPECT(merge_tight_shrink_to_fit(&list) == MERGE_TIGHT_OK && merge_tight_check(&list) == NULL);
    EXPECT(merge_tight_settle(&list) == MERGE_TIGHT_OK && merge_tight_check(&list) == NULL);
    EXPECT(merge_tight_count(&list) == 1099 - removed - expired);
    MERGE_TIGHT_EACH(&list, dot) {
        EXPECT(dot->id != 90);
        left += dot->id < 100;
    }
    EXPECT(left == 99 - removed - expired);
    merge_tight_deinit(&list);
}

/* -- what is destroyed ----------------------------------------------------------------------------------------------------- */

static uint32_t destroyed; /* a bit for each element */

void merge_owned_dead(struct merge_owned *list, struct dot *element)
{
    (void)list;
    EXPECT((destroyed >> element->id & 1) == 0);
    destroyed |= (uint32_t)1 << element->id;
}

static void destroy_pending(void)
{
    static merge_owned list;

    EXPECT(merge_owned_add(&list, dot_of(0, 0)) == MERGE_OWNED_OK);
    EXPECT(merge_owned_worker_remove(&list, 0, 1, merge_owned_get(&list, 0)) == MERGE_OWNED_QUEUED);
    EXPECT(merge_owned_worker_add(&list, 0, 2, dot_of(1, 0)) == MERGE_OWNED_QUEUED);
    EXPECT(merge_owned_worker_add(&list, 1, 1, dot_of(2, 0)) == MERGE_OWNED_QUEUED);
    EXPECT(merge_owned_inbox_add(&list, dot_of(3, 0)) == MERGE_OWNED_QUEUED);
    EXPECT(merge_owned_inbox_add(&list, dot_of(4, 0)) == MERGE_OWNED_QUEUED);
    merge_owned_deinit(&list);
    EXPECT(destroyed == 0x1f);
    EXPECT(merge_owned_inbox_add(&list, dot_of(5, 0)) == MERGE_OWNED_QUEUED && merge_owned_settle(&list) == MERGE_OWNED_OK);
    EXPECT(destroyed == 0x1f && merge_owned_count(&list) == 1);
    merge_owned_deinit(&list);
    EXPECT(destroyed == 0x3f);
}

static unsigned lent; /* calls of its hook */

void merge_lent_dead(struct merge_lent *list, struct dot *element)
{
    (void)list, (void)element;
    lent++;
}

/* A pointer that is refused is of the element which is there already: it is destroyed once, with that. */
static void refuse_pointers(void)
{
    static merge_lent list;
    static struct dot dot;

    EXPECT(merge_lent_inbox_add(&list, &dot) == MERGE_LENT_QUEUED);
    EXPECT(merge_lent_worker_add(&list, 1, &dot) == MERGE_LENT_QUEUED);
    EXPECT(merge_lent_add(&list, &dot) == MERGE_LENT_OK);
    EXPECT(merge_lent_settle(&list) == MERGE_LENT_OK && merge_lent_count(&list) == 1 && lent == 0);
    EXPECT(merge_lent_inbox_add(&list, &dot) == MERGE_LENT_QUEUED);
    EXPECT(merge_lent_worker_add(&list, 0, &dot) == MERGE_LENT_QUEUED);
    merge_lent_deinit(&list);
    EXPECT(lent == 1);
}

int main(void)
{
    static uint64_t (*const plays[])(size_t) = {play_dense, play_order, play_weighed, play_named, play_rows};
    int runs = getenv("BESPOKE_TEST_ALL") != NULL ? 334 : 4; /* three numbers of workers each */

    for (size_t play = 0; play < sizeof plays / sizeof plays[0]; play++) {
        uint64_t sum = plays[play](1);

        for (int i = 0; i < runs && failures == 0; i++) {
            EXPECT(plays[play](1) == sum);
            EXPECT(plays[play](2) == sum);
            EXPECT(plays[play](8) == sum);
        }
    }
    EXPECT(dead > 0);
    refuse();
    destroy_pending();
    refuse_pointers();
    remove_found();
    keep_pending(10, 0);
    keep_pending(0, 70);
    for (int i = 0; i < (runs + 9) / 10; i++) {
        fill_inbox();
    }
    return failures > 0;
}
