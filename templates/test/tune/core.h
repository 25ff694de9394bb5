/* What a candidate for a container repeats of a trace, and what is measured of it. */
#ifndef TUNE_CORE_H
#define TUNE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of its own, as loops of programs are in: with those of others it would have fewer registers. */
#if defined(__GNUC__) || defined(__clang__)
#define TN_APART __attribute__((__noinline__))
#else
#define TN_APART
#endif

#define TN_PASSES 64      /* that are inside of each other, at most: those of 4 containers at once */
#define TN_ALL UINT32_MAX /* steps of a pass that is not left early */

#define TN_EXPIRES 0xFFFF0001u /* no call: an element has expired */
#define TN_WORKER 0xFFFF0002u  /* no call: the number of the worker of the next ones, and by what they are ordered */
#define TN_KEYS 0xFFFF0010u    /* no call: the key of an element of the caller in the first named index; next ones: others */
#define TN_REMOVES 0x8000u     /* is added to the call that begins a pass that only removes its current element */

#define TN_INDEXES 4           /* named ones of a container, at most */

/* An operation: the call of the trace, or of a pass what is done on one element; which container; which element; the key, or a
 * number; the operation behind it and all that is done inside of it. Of a pass that is left early `label` is the last element
 * that it visits, and `key` the number of its steps; of what is done on an element, the number of the step. */
struct tn_op {
    uint32_t call, list, label, key, end;
};

struct tn_work {
    uint32_t labels, number, spans, lists, texts, depth;
    const uint32_t *keys; /* by label: of elements that a container points to */
    const uint32_t *ranks; /* by label: what it is sorted by */
    const uint32_t *more[TN_INDEXES]; /* by label: its keys in named indexes */
    uint32_t memories;                /* with snapshots */
    const struct tn_op *ops;
    const uint32_t *starts; /* of spans of operations that are timed, and the end */
};

/* An update that is under way: its pass, the operation at which it is, the step before which that is done. */
struct tn_update {
    const struct tn_op *pass;
    uint32_t at, next, steps, groups;
    uint32_t *mark;
};

struct tn_candidate {
    void (*prepare)(void);
    void (*run)(uint32_t at, uint32_t end);
    void (*finish)(void); /* frees all */
    size_t bytes;         /* of the container itself */
};

extern struct tn_work tn_work;
extern uint32_t tn_sum;            /* of all that was visited: so that it is */
extern uint64_t tn_digest;         /* of all that calls returned */
extern size_t tn_bytes, tn_peak;   /* that are allocated now, and were at most */
extern void *tn_cursor[TN_PASSES]; /* of passes that are live */
extern uint32_t tn_current[TN_PASSES], tn_depth;
extern uint32_t tn_worker, tn_order; /* of what a worker notes */
extern unsigned char *tn_gone;     /* by label: has it expired? */
extern uint32_t *tn_mark[TN_PASSES]; /* by label: what is done on it */

void *tn_alloc(size_t bytes);
void *tn_realloc(void *block, size_t before, size_t bytes);
void tn_free(void *block, size_t bytes);
void *tn_room(size_t count, size_t bytes);

/* The memory of a snapshot. */
extern struct tn_memory {
    void *at;
    size_t bytes;
} *tn_memory;
void *tn_memory_of(uint32_t number, size_t bytes); /* with room for these */

static inline uint32_t tn_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline void tn_returned(uint32_t status)
{
    tn_digest = tn_digest * 31 + status;
}

static inline const char *tn_text(uint32_t key)
{
    extern char (*tn_texts)[12];

    return tn_texts[key];
}
#endif
