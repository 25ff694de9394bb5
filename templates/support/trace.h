#ifndef BESPOKE_TRACES
#define BESPOKE_TRACES 16 /* the version that it is of */
#ifndef BESPOKE_TRACE
#define BESPOKE_TRACE \
    0 /* 1: what callers do to containers with `emit: {trace: true}` is recorded between bespoke_trace_begin and _end; 2: also \
         what `bespoke replay` needs */
#endif

/* Takes the next bytes of a trace; what is false ends the trace, not the program. */
typedef bool bespoke_trace_writer(void *context, const void *bytes, size_t size);

#if !BESPOKE_TRACE
#define BESPOKE_TRACED(event) ((void)0)
#define BESPOKE_TRACED_ASKS(type, list, expired) (expired)
#define BESPOKE_TRACED_UPDATES() ((void)0)
#define BESPOKE_TRACED_PLACED(type, list, place, what) ((void)0)
#else
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__) || defined(__MINGW32__)
#include <sys/time.h>
#else
#include <time.h>
#endif

#define BESPOKE_TRACED(event) event
#if BESPOKE_TRACE > 1
#define BESPOKE_TRACED_ALSO(...) __VA_ARGS__
#define BESPOKE_TRACED_ASKS(type, list, expired) bespoke_traced_asks(type, list, expired)
#define BESPOKE_TRACED_UPDATES() bespoke_traced_updates()
#define BESPOKE_TRACED_PLACED(type, list, place, what) bespoke_traced_event(type, list, 7, place, what)
#else
#define BESPOKE_TRACED_ALSO(...)
#define BESPOKE_TRACED_ASKS(type, list, expired) (expired)
#define BESPOKE_TRACED_UPDATES() ((void)0)
#define BESPOKE_TRACED_PLACED(type, list, place, what) ((void)0)
#endif
#define BESPOKE_TRACE_FORMAT 3 /* the version of what is written */
#ifndef BESPOKE_TRACE_BUFFER
#define BESPOKE_TRACE_BUFFER 16384 /* bytes that each thread collects, at least 1024 */
#endif
#ifndef BESPOKE_TRACE_TIMED
#define BESPOKE_TRACE_TIMED 8 /* of equal passes inside of another one, one behind the other, each eighth is timed */
#endif
#define BESPOKE_TRACE_DEPTH 32 /* passes in each other that are recorded */
#define BESPOKE_TRACE_SEEN 64  /* containers that a thread finds without a lock */
#define BESPOKE_TRACE_SETS 128 /* of four each: what a thread has recorded that may come again */
#define BESPOKE_TRACE_CODES 1024 /* numbers for that; the first of them take one byte */

/* What threads do to the same number. Without such a compiler only one thread may be traced. */
#if defined(__GNUC__) || defined(__clang__)
#define BESPOKE_TRACE_LOAD(number) __atomic_load_n(number, __ATOMIC_ACQUIRE)
#define BESPOKE_TRACE_STORE(number, value) __atomic_store_n(number, value, __ATOMIC_RELEASE)
#define BESPOKE_TRACE_TAKEN(lock) __atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE)
#define BESPOKE_TRACE_LOCAL __thread
#define BESPOKE_TRACE_RARELY __attribute__((__cold__))
#else
#define BESPOKE_TRACE_LOAD(number) (*(number))
#define BESPOKE_TRACE_STORE(number, value) (*(number) = (value))
#define BESPOKE_TRACE_TAKEN(lock) 0u
#define BESPOKE_TRACE_LOCAL
#define BESPOKE_TRACE_RARELY
#endif

/* For other tools, while there is a trace: how many elements containers of a name have; the end of a frame. */
#ifndef BESPOKE_TRACE_PLOT
#define BESPOKE_TRACE_PLOT(name, elements) ((void)0)
#endif
#ifndef BESPOKE_TRACE_MARK
#define BESPOKE_TRACE_MARK() ((void)0)
#endif

/* One of each name in a program, however many sources define it. */
#ifndef BESPOKE_TRACE_ONE
#if defined(_WIN32)
#define BESPOKE_TRACE_ONE __declspec(selectany)
#else
#define BESPOKE_TRACE_ONE __attribute__((__weak__))
#endif
#endif

/* Microseconds, of any clock that goes on while the program waits, if there is one. */
static inline uint64_t bespoke_trace_microseconds(void)
{
#if defined(BESPOKE_TRACE_MICROSECONDS)
    return BESPOKE_TRACE_MICROSECONDS();
#elif defined(__unix__) || defined(__APPLE__) || defined(__MINGW32__)
    struct timeval now;

    (void)gettimeofday(&now, NULL);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_usec;
#else
    return (uint64_t)((double)clock() * 1e6 / CLOCKS_PER_SEC);
#endif
}

/* Time in units of the processor, tens of ns each; a trace contains how long they are. */
static inline uint64_t bespoke_trace_ticks(void)
{
#if defined(BESPOKE_TRACE_TICKS)
    return BESPOKE_TRACE_TICKS();
#elif (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    return (uint64_t)__builtin_ia32_rdtsc() >> 7;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0"
                     : "=r"(ticks));
    return ticks;
#else
    return bespoke_trace_microseconds();
#endif
}

/* What a trace contains of a kind of containers. */
struct bespoke_traced {
    uint32_t kind;                     /* a hash of what follows */
    const char *name, *policy, *calls; /* its policies, and what is recorded of it, by number: a name, and what it does */
    size_t bytes;                      /* of an element */
    size_t (*count)(const void *list); /* its elements, or NULL */
    const char *spec;                  /* what its spec gives, for a replay, or "" */
    const void *(*memory)(const void *list); /* where its elements lie, for a replay, or NULL */
};

/* A container, by its address. */
struct bespoke_trace_list {
    struct bespoke_trace_list *earlier; /* of another kind, at the same address; the next of those of traces that have ended */
    const void *list;
    uint32_t kind, number, session;
    size_t count; /* its elements, as in the trace */
    const void *memory; /* where they lie: with it a container is known again that was moved as a struct */
    size_t asked; /* how often elements were asked if they have expired since one had */
    uint32_t owner, turn, turning; /* for a replay: the thread that used it last, how often that was another one; a lock */
};

/* What a record begins with: a container, and what was done with it. A number stands for what has been recorded before. */
struct bespoke_trace_shape {
    const void *list; /* NULL: there is none */
    uint64_t what;    /* its kind, the call, a status, flags: BESPOKE_TRACE_WHAT */
    struct bespoke_trace_list *known;
    uint32_t code;
};
#define BESPOKE_TRACE_WHAT(type, call, status, flags) \
    ((uint64_t)(type)->kind << 32 | (uint64_t)(call) << 16 | (uint64_t)((status)&255u) << 8 | (uint64_t)(flags))

/* A container that a thread has recorded something of, and how large it was at its last pass. */
struct bespoke_trace_seen {
    struct bespoke_trace_list *known;
    size_t elements, slots;
};

/* A pass or a call that is under way, for whoever goes on with it. */
struct bespoke_traced_pass {
    size_t visited;
    uint32_t session;
    uint16_t depth;
    bool open, whole; /* is it to be left; did it come to its end? */
};

/* A pass or a call that is under way, for its thread. */
struct bespoke_trace_live {
    const struct bespoke_traced *type;
    const void *list;
    size_t elements, slots; /* when it began */
    uint64_t ticks;
    uint32_t call;
    unsigned how;                   /* BESPOKE_TRACED_READS, ... */
    const void *cursor, *second;    /* where that is known; that of the inner one, of a pass over pairs */
    uint32_t repeated;              /* how many like it were here before it, one behind the other */
    bool timed;
    bool by_calls;                  /* it has no loop of its own: */
    struct bespoke_traced_pass pass;
    size_t visited, told; /* for a replay */
    uint32_t turn;        /* of its thread with the container, when it began */
};
#define BESPOKE_TRACED_READS 1u /* it leaves the container as it is */
#define BESPOKE_TRACED_CALL 2u  /* it is no pass */
#define BESPOKE_TRACED_PART 4u  /* it is not of all elements */

/* What a thread has recorded, and is doing. Others read only what is whole, and the session. */
struct bespoke_trace_thread {
    struct bespoke_trace_thread *next;
    const void *identity;
    uint32_t number, session, depth, codes;
    bool begun; /* the pass that began last has not been recorded, and nothing behind it */
    uint64_t ticks;
    size_t at, used, taken; /* of `bytes`: what is written, what of this is whole, and what the trace has: behind its lock */
    struct bespoke_trace_seen seen[BESPOKE_TRACE_SEEN];
    struct bespoke_trace_shape shapes[4 * BESPOKE_TRACE_SETS];
    uint16_t coded[BESPOKE_TRACE_CODES]; /* by code: the place of its shape, plus one */
    struct bespoke_trace_live live[BESPOKE_TRACE_DEPTH];
    unsigned char bytes[BESPOKE_TRACE_BUFFER];
};

/* The trace. */
struct bespoke_trace {
    uint32_t session; /* 0: nothing is recorded */
    uint32_t lock;    /* of what follows */
    uint32_t current; /* the session whose records are taken */
    uint32_t sessions, threads, kinds, lists;
    struct bespoke_trace_thread *thread;
    bool failed;
    FILE *file;
    bespoke_trace_writer *write;
    void *context;
    uint64_t ticks, microseconds, frame; /* when it began, and when the last frame ended */
    uint32_t *kind;                      /* by number */
    struct bespoke_trace_list **table;   /* by address */
    struct bespoke_trace_list *old;      /* of traces that have ended */
    size_t entries, used, clocked;       /* of the table; of `bytes`; written since the clock was */
    unsigned char bytes[65536];
};

BESPOKE_TRACE_ONE struct bespoke_trace bespoke_trace_state;
static BESPOKE_TRACE_LOCAL struct bespoke_trace_thread *bespoke_trace_mine;

static inline void bespoke_trace_lock(uint32_t *lock)
{
    while (BESPOKE_TRACE_TAKEN(lock) != 0) {
    }
}

/* Numbers are written in groups of 7 bits, the lowest first; each but the last has bit 7. */
static inline size_t bespoke_trace_number(unsigned char *bytes, uint64_t number)
{
    size_t used = 0;

    for (; number > 127; number >>= 7) {
        bytes[used++] = (unsigned char)(number | 128);
    }
    bytes[used++] = (unsigned char)number;
    return used;
}

/* Writes a number with a sign, which becomes the lowest bit. */
static inline size_t bespoke_trace_signed(unsigned char *bytes, int64_t number)
{
    return bespoke_trace_number(bytes, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

/* -- what is behind the lock of the trace -- */

static inline void bespoke_trace_stop(bool failed)
{
    BESPOKE_TRACE_STORE(&bespoke_trace_state.session, 0);
    bespoke_trace_state.failed = bespoke_trace_state.failed || failed;
}

static inline void bespoke_trace_hand_over(void)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    bool done = trace->failed;

    if (!done) {
        done = trace->file != NULL ? fwrite(trace->bytes, 1, trace->used, trace->file) == trace->used
                                   : trace->write(trace->context, trace->bytes, trace->used);
        if (!done) {
            bespoke_trace_stop(true);
        }
    }
    trace->used = 0;
}

static inline void bespoke_trace_put(const void *bytes, size_t size)
{
    struct bespoke_trace *trace = &bespoke_trace_state;

    for (const unsigned char *from = (const unsigned char *)bytes; size > 0;) {
        size_t part = size < sizeof trace->bytes - trace->used ? size : sizeof trace->bytes - trace->used;

        memcpy(trace->bytes + trace->used, from, part);
        trace->used += part;
        from += part;
        size -= part;
        if (trace->used == sizeof trace->bytes) {
            bespoke_trace_hand_over();
        }
    }
}

/* Records of one thread; 0 is none. */
static inline void bespoke_trace_records(uint32_t number, const void *bytes, size_t size)
{
    unsigned char head[20];
    size_t used = bespoke_trace_number(head, number);

    used += bespoke_trace_number(head + used, size);
    bespoke_trace_put(head, used);
    bespoke_trace_put(bytes, size);
    bespoke_trace_state.clocked += size;
}

/* How long ticks are. */
static inline void bespoke_trace_clock(unsigned char record)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    unsigned char bytes[24];
    size_t used = 1;

    bytes[0] = record;
    used += bespoke_trace_number(bytes + used, bespoke_trace_ticks() - trace->ticks);
    used += bespoke_trace_number(bytes + used, bespoke_trace_microseconds() - trace->microseconds);
    bespoke_trace_records(0, bytes, used);
    trace->clocked = 0;
}

static inline void bespoke_trace_chunk(uint32_t number, const void *bytes, size_t size)
{
    bespoke_trace_records(number, bytes, size);
    if (bespoke_trace_state.clocked >= sizeof bespoke_trace_state.bytes) {
        bespoke_trace_clock(2);
    }
}

/* A kind, or a container of one, which a thread sees first. */
static inline void bespoke_trace_define(unsigned char record, uint32_t number, uint64_t more, const char *const *texts,
                                        size_t count)
{
    unsigned char head[24], *bytes = head;
    size_t size = sizeof head, used = 1;

    for (size_t i = 0; i < count; i++) {
        size += strlen(texts[i]) + 10;
    }
    if (count > 0) {
        bytes = (unsigned char *)malloc(size);
        if (bytes == NULL) {
            bespoke_trace_stop(true);
            return;
        }
    }
    bytes[0] = record;
    used += bespoke_trace_number(bytes + used, number);
    used += bespoke_trace_number(bytes + used, more);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i]);

        used += bespoke_trace_number(bytes + used, length);
        memcpy(bytes + used, texts[i], length);
        used += length;
    }
    bespoke_trace_chunk(0, bytes, used);
    if (count > 0) {
        free(bytes);
    }
}

static inline size_t bespoke_trace_entry(const struct bespoke_trace *trace, const void *list)
{
    size_t at = (size_t)((uint64_t)(uintptr_t)list * 0x9e3779b97f4a7c15u >> 32) & (trace->entries - 1);

    while (trace->table[at] != NULL && trace->table[at]->list != list) {
        at = (at + 1) & (trace->entries - 1);
    }
    return at;
}

static inline bool bespoke_trace_make_room(struct bespoke_trace *trace)
{
    struct bespoke_trace_list **old = trace->table;
    size_t before = trace->entries, entries = before == 0 ? 64 : before * 2;

    if (trace->lists < before / 2) {
        return true;
    }
    trace->table = (struct bespoke_trace_list **)calloc(entries, sizeof *old);
    if (trace->table == NULL) {
        trace->table = old;
        return false;
    }
    trace->entries = entries;
    for (size_t i = 0; i < before; i++) {
        if (old[i] != NULL) {
            trace->table[bespoke_trace_entry(trace, old[i]->list)] = old[i];
        }
    }
    free(old);
    return true;
}

/* What the last traces knew of containers goes, unless a thread may still be about to record something in one. */
static inline void bespoke_trace_forget(struct bespoke_trace *trace)
{
    struct bespoke_trace_list **from = &trace->old;

    for (size_t i = 0; i < trace->entries; i++) {
        for (struct bespoke_trace_list *list = trace->table[i], *earlier; list != NULL; list = earlier) {
            earlier = list->earlier;
            list->earlier = trace->old;
            trace->old = list;
        }
    }
    free(trace->table);
    trace->table = NULL;
    trace->entries = 0;
    while (*from != NULL) {
        struct bespoke_trace_list *list = *from;
        const struct bespoke_trace_thread *thread = trace->thread;

        while (thread != NULL && (thread->session != list->session || thread == bespoke_trace_mine)) {
            thread = thread->next;
        }
        if (thread == NULL) {
            *from = list->earlier;
            free(list);
        } else {
            from = &list->earlier;
        }
    }
}

/* The number of a kind, from 1 on; 0: there is no memory. */
static inline uint32_t bespoke_trace_kind(struct bespoke_trace *trace, const struct bespoke_traced *type)
{
    const char *const texts[4] = {type->name, type->policy, type->calls, type->spec};
    uint32_t *kinds;

    for (uint32_t i = 0; i < trace->kinds; i++) {
        if (trace->kind[i] == type->kind) {
            return i + 1;
        }
    }
    kinds = (uint32_t *)realloc(trace->kind, (trace->kinds + (size_t)1) * sizeof *kinds);
    if (kinds == NULL) {
        return 0;
    }
    trace->kind = kinds;
    kinds[trace->kinds++] = type->kind;
    bespoke_trace_define(3, trace->kinds, type->bytes, texts, 4);
    return trace->kinds;
}

/* The container at an address. One of another kind there is another one. NULL: there is no memory, or another trace. */
static inline BESPOKE_TRACE_RARELY struct bespoke_trace_list *bespoke_trace_find(uint32_t session,
                                                                                 const struct bespoke_traced *type,
                                                                                 const void *list)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    struct bespoke_trace_list *found = NULL;
    uint32_t kind;

    bespoke_trace_lock(&trace->lock);
    if (trace->current != session) {
        BESPOKE_TRACE_STORE(&trace->lock, 0);
        return NULL;
    }
    if (bespoke_trace_make_room(trace)) {
        size_t at = bespoke_trace_entry(trace, list);

        for (found = trace->table[at]; found != NULL && found->kind != type->kind; found = found->earlier) {
        }
        if (found == NULL) {
            found = (struct bespoke_trace_list *)calloc(1, sizeof *found);
            kind = found != NULL ? bespoke_trace_kind(trace, type) : 0;
            if (kind != 0) {
                found->list = list;
                found->kind = type->kind;
                found->session = session;
                found->number = ++trace->lists;
                found->earlier = trace->table[at];
                trace->table[at] = found;
                bespoke_trace_define(4, found->number, kind, NULL, 0);
            } else {
                free(found);
                found = NULL;
            }
        }
    }
    if (found == NULL) {
        bespoke_trace_stop(true);
    }
    BESPOKE_TRACE_STORE(&trace->lock, 0);
    return found;
}
#endif
#elif BESPOKE_TRACES < 16
#error "a header before this one has an earlier version of BESPOKE_TRACES: include this one first"
#endif
