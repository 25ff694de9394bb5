/* Measures candidates by turns. Each line of the standard input names a candidate, how many bytes are swept before a span, which
 * spans are timed (every n-th, from the m-th on); the answer is the digest, the memory, and the nanoseconds of each span. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 199309L
#endif
#include "core.h"
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include "candidates.h"

struct tn_work tn_work;
uint32_t tn_sum;
uint64_t tn_digest;
size_t tn_bytes, tn_peak;
void *tn_cursor[TN_PASSES];
uint32_t tn_current[TN_PASSES], tn_depth;
uint32_t *tn_mark[TN_PASSES];
uint32_t tn_worker, tn_order;
unsigned char *tn_gone;
struct tn_memory *tn_memory;
char (*tn_texts)[12];

static unsigned char *tn_swept;
static size_t tn_sweep;

void *tn_room(size_t count, size_t bytes)
{
    void *room = calloc(count == 0 ? 1 : count, bytes);

    if (room == NULL) {
        fputs("no memory\n", stderr);
        exit(2);
    }
    return room;
}

void *tn_memory_of(uint32_t number, size_t bytes)
{
    struct tn_memory *memory = &tn_memory[number];

    if (bytes > memory->bytes) {
        free(memory->at);
        memory->at = tn_room(bytes, 1);
        memory->bytes = bytes;
    }
    return memory->at;
}

static void *tn_kept(void *block, size_t before, size_t bytes)
{
    if (block != NULL) {
        tn_bytes += bytes - before;
        tn_peak = tn_bytes > tn_peak ? tn_bytes : tn_peak;
    }
    return block;
}

void *tn_alloc(size_t bytes)
{
    return tn_kept(malloc(bytes), 0, bytes);
}

void *tn_realloc(void *block, size_t before, size_t bytes)
{
    return tn_kept(realloc(block, bytes), before, bytes);
}

void tn_free(void *block, size_t bytes)
{
    if (block != NULL) {
        tn_bytes -= bytes;
    }
    free(block);
}

static uint64_t tn_now(void)
{
    struct timespec now;

#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What it takes to ask for the time. */
static uint64_t tn_asking(void)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < 1000; i++) {
        uint64_t began = tn_now(), took = tn_now() - began;

        least = took < least ? took : least;
    }
    return least;
}

/* No container: what it takes to read the operations. */
static void tn_nothing(void)
{
}

static void tn_reads(uint32_t at, uint32_t end)
{
    for (; at < end; at++) {
        tn_returned(tn_work.ops[at].call);
    }
}

static const struct tn_candidate tn_no_candidate = {tn_nothing, tn_reads, tn_nothing, 0};

/* Other memory takes the place of the containers in the caches. */
static void tn_swept_over(size_t bytes)
{
    if (bytes > tn_sweep) {
        free(tn_swept);
        tn_swept = (unsigned char *)tn_room(bytes, 1);
        tn_sweep = bytes;
    }
    for (size_t i = 0; i < bytes; i += 64) {
        tn_swept[i]++;
    }
}

static uint32_t *tn_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint32_t head[7], *numbers;
    size_t count;

    if (file == NULL || fread(head, sizeof *head, 7, file) != 7) {
        exit(2);
    }
    count = (2 + TN_INDEXES) * (size_t)head[0] + head[2] + head[1] * (sizeof(struct tn_op) / sizeof *head);
    numbers = (uint32_t *)tn_room(count, sizeof *numbers);
    if (fread(numbers, sizeof *numbers, count, file) != count) {
        exit(2);
    }
    fclose(file);
    tn_work.labels = head[0];
    tn_work.number = head[1];
    tn_work.spans = head[2] - 1;
    tn_work.lists = head[3];
    tn_work.texts = head[4];
    tn_work.depth = head[5];
    tn_work.keys = numbers;
    tn_work.ranks = numbers + head[0];
    for (uint32_t i = 0; i < TN_INDEXES; i++) {
        tn_work.more[i] = numbers + (2 + i) * (size_t)head[0];
    }
    tn_work.memories = head[6];
    tn_memory = (struct tn_memory *)tn_room(head[6], sizeof *tn_memory);
    tn_work.starts = numbers + (2 + TN_INDEXES) * (size_t)head[0];
    tn_work.ops = (const struct tn_op *)(const void *)(tn_work.starts + head[2]);
    tn_gone = (unsigned char *)tn_room(head[0], 1);
    return numbers;
}

static void tn_measure(const struct tn_candidate *candidate, size_t sweep, uint32_t every, uint32_t from, uint64_t asking,
                       uint32_t *times)
{
    candidate->prepare();
    memset(tn_gone, 0, tn_work.labels);
    tn_digest = 0;
    tn_bytes = tn_peak = candidate->bytes * tn_work.lists;
    for (uint32_t i = 0; i < tn_work.spans; i++) {
        times[i] = 0;
        if (i % every != from) {
            candidate->run(tn_work.starts[i], tn_work.starts[i + 1]);
            continue;
        }
        tn_swept_over(sweep);
        uint64_t began = tn_now();
        candidate->run(tn_work.starts[i], tn_work.starts[i + 1]);
        uint64_t took = tn_now() - began;
        times[i] = took <= asking ? 1 : took > UINT32_MAX ? UINT32_MAX : (uint32_t)(took - asking);
    }
    candidate->finish();
}

int main(int argc, char **argv)
{
    unsigned long number, sweep, every, from;

    if (argc < 2) {
        return 2;
    }
#ifdef SIGINT
    signal(SIGINT, SIG_IGN); /* what has asked for the measurement ends it */
#endif
    tn_read(argv[1]);
    tn_texts = (char(*)[12])tn_room(tn_work.texts, sizeof *tn_texts);
    for (uint32_t i = 0; i < tn_work.texts; i++) {
        snprintf(tn_texts[i], sizeof *tn_texts, "k%08lx", (unsigned long)i);
    }
    for (uint32_t i = 0; i < tn_work.depth; i++) {
        tn_mark[i] = (uint32_t *)tn_room(tn_work.labels, sizeof **tn_mark);
    }
    uint32_t *times = (uint32_t *)tn_room(tn_work.spans + (size_t)4, sizeof *times);
    uint64_t asking = tn_asking();

    while (scanf("%lu %lu %lu %lu", &number, &sweep, &every, &from) == 4) {
        bool there = number < sizeof tn_candidates / sizeof *tn_candidates;

        tn_measure(there ? tn_candidates[number] : &tn_no_candidate, sweep, (uint32_t)every, (uint32_t)from, asking, times + 4);
        times[0] = (uint32_t)tn_digest;
        times[1] = (uint32_t)(tn_digest >> 32);
        times[2] = (uint32_t)tn_peak;
        times[3] = tn_sum;
        fwrite(times, sizeof *times, tn_work.spans + (size_t)4, stdout);
        fflush(stdout);
    }
    return 0;
}
