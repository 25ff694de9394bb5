#ifndef BESPOKE_TRACED_CALLS
#define BESPOKE_TRACED_CALLS 16 /* the version that it is of */
#if BESPOKE_TRACE
/* -- what wrappers of calls record: a number from 32 on for the call, whose lowest bit is set where more follows -- */

static inline bool bespoke_tracing(void)
{
    return BESPOKE_TRACE_LOAD(&bespoke_trace_state.session) != 0;
}

#if BESPOKE_TRACE > 1
/* An address, as a trace has it: 32 bits of hash. */
static inline uint64_t bespoke_traced_address(const void *address)
{
    return (uint64_t)((uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u >> 32);
}

/* Has a container other memory than it had? `by_itself`: a call has got it; else another container was copied here. */
static inline void bespoke_traced_lies(struct bespoke_trace_thread *thread, const struct bespoke_traced *type, const void *list,
                                       bool by_itself)
{
    struct bespoke_trace_list *known = thread->recent[0];
    const void *memory = type->memory != NULL ? type->memory(list) : NULL;

    if (known->memory != memory) {
        known->memory = memory;
        bespoke_trace_write(thread, 1);
        bespoke_trace_write(thread, by_itself ? 2 : 1);
        bespoke_trace_write(thread, bespoke_traced_address(memory));
    }
}

/* A container as it is before a call. */
static inline void bespoke_traced_found(const struct bespoke_traced *type, const void *list)
{
    struct bespoke_trace_thread *thread = bespoke_trace_own();
    struct bespoke_trace_list *known = thread != NULL ? bespoke_trace_known(thread, type, list) : NULL;

    if (known != NULL && known->memory != type->memory(list) && bespoke_trace_turn(thread, type, list)) {
        bespoke_traced_lies(thread, type, list, false);
    }
    if (thread != NULL) {
        bespoke_trace_done(thread);
    }
}
#endif

/* A change: what it returned, and how many elements there are, where that is not as expected. */
static inline void bespoke_traced_change(const struct bespoke_traced *type, const void *list, uint32_t call, uint32_t status,
                                         int expected,
                                         bool keyed, uint64_t hash, size_t length)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter(type, list);

    if (thread != NULL) {
        struct bespoke_trace_list *known = thread->recent[0];
        size_t count = type->count != NULL ? type->count(list) : status == 0 ? known->count + (size_t)expected
                                                                             : known->count;
        int64_t grown = (int64_t)(count - known->count);
        bool more = status != 0 || grown != expected;

        if (grown != 0) {
            BESPOKE_TRACE_PLOT(type->name, count);
        }
        known->count = count;
        bespoke_trace_write(thread, (uint64_t)(call + 16) << 1 | more);
        if (more) {
            bool other = grown != (status == 0 ? expected : 0);

            bespoke_trace_write(thread, (uint64_t)status << 1 | other);
            if (other) {
                bespoke_trace_write_signed(thread, grown);
            }
        }
        if (keyed) {
            for (unsigned bits = 0; bits < 32; bits += 8) {
                thread->bytes[thread->used++] = (unsigned char)(hash >> bits);
            }
            bespoke_trace_write(thread, length);
        }
        BESPOKE_TRACED_ALSO(bespoke_traced_lies(thread, type, list, true);)
        bespoke_trace_done(thread);
    }
}

/* What any thread may call: nothing is read of the container. Or a look for an element: `status` is not 0 if there was none. */
static inline void bespoke_traced_call(const struct bespoke_traced *type, const void *list, uint32_t call, uint32_t status)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter(type, list);

    if (thread != NULL) {
        BESPOKE_TRACED_ALSO(bespoke_traced_lies(thread, type, list, false);)
        bespoke_trace_write(thread, (uint64_t)(call + 16) << 1 | (status != 0));
        if (status != 0) {
            bespoke_trace_write(thread, status);
        }
        bespoke_trace_done(thread);
    }
}

/* Why a handle led to no element: it is that of none, whose bytes are 0, or stale. */
static inline uint32_t bespoke_traced_miss(const void *handle, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (((const unsigned char *)handle)[i] != 0) {
            return 6;
        }
    }
    return 3;
}

/* What happens in a call. */
static inline void bespoke_traced_event(const struct bespoke_traced *type, const void *list, uint32_t what, size_t a, size_t b)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter(type, list);

    if (thread != NULL) {
        bespoke_trace_write(thread, what << 1);
        bespoke_trace_write(thread, a);
        bespoke_trace_write(thread, b);
        bespoke_trace_done(thread);
    }
}

/* Memory for slots becomes that for others. `stay`: their elements do not move. */
static inline void bespoke_traced_resized(const struct bespoke_traced *type, const void *list, size_t from, size_t to, bool stay)
{
    bespoke_traced_event(type, list, stay ? 4 : 5, from, to);
}

/* Elements are moved together, over free slots. */
static inline void bespoke_traced_compacted(const struct bespoke_traced *type, const void *list, size_t moved, size_t free_slots)
{
    bespoke_traced_event(type, list, 6, moved, free_slots);
}

/* This number of changes of a journal take effect. */
static inline void bespoke_traced_replayed(const struct bespoke_traced *type, const void *list, size_t changes)
{
    bespoke_traced_event(type, list, 7, changes, 0);
}

/* The elements that are moved when those behind the first free slot of a bitmap fill it. */
static inline size_t bespoke_trace_moved(const uint64_t *alive, size_t used, size_t count)
{
    size_t first = 0;

    while (first < used && (alive[first / 64] >> first % 64 & 1) != 0) {
        first++;
    }
    return count - first;
}

/* A pass, or a call that takes time, begins: how many elements there are, and slots that it goes by. `cursor`: of a loop. */
static inline struct bespoke_traced_pass bespoke_traced_begun(const struct bespoke_traced *type, const void *list, uint32_t call,
                                                              bool reads, size_t count, size_t slots, const void *cursor)
{
    struct bespoke_traced_pass pass = {type, list, 0, 0, 0, true, false, reads};
    struct bespoke_trace_thread *thread = list != NULL ? bespoke_trace_enter(type, list) : NULL;

    if (thread != NULL) {
        BESPOKE_TRACED_ALSO(bespoke_traced_lies(thread, type, list, false);)
        if (thread->depth < BESPOKE_TRACE_DEPTH) {
            pass.session = thread->session;
            pass.depth = thread->depth++;
            thread->open[pass.depth].list = NULL;
            thread->cursor[pass.depth] = cursor;
            thread->visited[pass.depth] = thread->told[pass.depth] = 0;
            bespoke_trace_write(thread, (uint64_t)(call + 16) << 1 | (slots != count));
            bespoke_trace_write(thread, count);
            if (slots != count) {
                bespoke_trace_write(thread, slots);
            }
            bespoke_trace_time(thread);
        }
        bespoke_trace_done(thread);
    }
    return pass;
}

/* It is left. */
static inline void bespoke_traced_end(struct bespoke_traced_pass *pass, uint32_t status)
{
    struct bespoke_trace_thread *thread = pass->open && pass->session != 0 ? bespoke_trace_own() : NULL;

    pass->open = false;
    if (thread == NULL) {
        return;
    }
    if (thread->session == pass->session && thread->depth > pass->depth && bespoke_trace_turn(thread, pass->type, pass->list)) {
        struct bespoke_trace_list *known = thread->recent[0];
        uint32_t above = thread->depth - 1 - pass->depth;
        size_t count = pass->reads || pass->type->count == NULL ? known->count : pass->type->count(pass->list);
        int64_t grown = pass->reads ? 0 : (int64_t)(count - known->count);
        BESPOKE_TRACED_ALSO(size_t visited = thread->visited[pass->depth];)

        BESPOKE_TRACED_ALSO(pass->visited = visited > pass->visited ? visited : pass->visited;)

        if (status != 0 || above != 0 || grown != 0) {
            bespoke_trace_write(thread, 9u << 1 | !pass->whole);
            bespoke_trace_write(thread, status);
            bespoke_trace_write(thread, above);
            bespoke_trace_write_signed(thread, grown);
            if (grown != 0) {
                BESPOKE_TRACE_PLOT(pass->type->name, count);
            }
            known->count = count;
        } else {
            bespoke_trace_write(thread, 8u << 1 | !pass->whole);
        }
        bespoke_trace_write(thread, pass->visited);
        bespoke_trace_time(thread);
        BESPOKE_TRACED_ALSO(if (!pass->reads) { bespoke_traced_lies(thread, pass->type, pass->list, true); })
        thread->depth = pass->depth;
    }
    bespoke_trace_done(thread);
}

static inline void bespoke_traced_left(struct bespoke_traced_pass *pass)
{
    bespoke_traced_end(pass, 0);
}

#if BESPOKE_TRACE > 1
static inline bool bespoke_traced_visit(struct bespoke_traced_pass *pass)
{
    pass->visited++;
    if (pass->session != 0 && bespoke_trace_mine->session == pass->session) {
        bespoke_trace_mine->visited[pass->depth] = pass->visited;
    }
    return true;
}
#define BESPOKE_TRACED_VISIT(pass) bespoke_traced_visit(&(pass))
#else
#define BESPOKE_TRACED_VISIT(pass) (++(pass).visited, true)
#endif

/* The condition of a loop: counts what it visits. */
#define BESPOKE_TRACED_STEP(pass, more) ((more) ? BESPOKE_TRACED_VISIT(pass) : ((pass).whole = true, false))

/* Passes that are begun, continued and ended by calls: those of a thread, the one that began last first. */
static inline void bespoke_traced_open(const struct bespoke_traced_pass *pass)
{
    if (pass->session != 0) {
        bespoke_trace_mine->open[pass->depth] = *pass;
    }
}

static inline struct bespoke_traced_pass *bespoke_traced_opened(const void *list)
{
    struct bespoke_trace_thread *thread = bespoke_trace_mine;

    if (thread == NULL || list == NULL || !bespoke_tracing()) {
        return NULL;
    }
    for (uint32_t depth = thread->depth; depth > 0; depth--) {
        if (thread->open[depth - 1].list == list) {
            return &thread->open[depth - 1];
        }
    }
    return NULL;
}

static inline void bespoke_traced_next(const void *list, bool more)
{
    struct bespoke_traced_pass *pass = bespoke_traced_opened(list);

    if (pass != NULL && more) {
        (void)BESPOKE_TRACED_VISIT(*pass);
    } else if (pass != NULL) {
        pass->whole = true;
        bespoke_traced_end(pass, 0);
    }
}

static inline void bespoke_traced_ended(const void *list)
{
    struct bespoke_traced_pass *pass = bespoke_traced_opened(list);

    if (pass != NULL) {
        bespoke_traced_end(pass, 0);
    }
}

#if BESPOKE_TRACE > 1
/* For what nobody asks for. */
static inline size_t *bespoke_traced_unasked(void)
{
    static BESPOKE_TRACE_LOCAL size_t unasked;

    return &unasked;
}

/* What the next call of this thread is given. */
static inline void bespoke_traced_given(const struct bespoke_traced *type, const void *list, uint64_t number)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter(type, list);

    if (thread != NULL) {
        bespoke_trace_write(thread, 0);
        bespoke_trace_write(thread, number);
        bespoke_trace_done(thread);
    }
}

/* Has an element expired? Recorded is how many had not, of those that were asked since one had. */
static inline bool bespoke_traced_asks(const struct bespoke_traced *type, const void *list, bool expired)
{
    struct bespoke_trace_thread *thread = expired ? bespoke_trace_enter(type, list) : bespoke_trace_own();
    struct bespoke_trace_list *known = thread != NULL ? bespoke_trace_known(thread, type, list) : NULL;

    if (known != NULL && !expired) {
        known->asked++;
    } else if (known != NULL) {
        bespoke_trace_write(thread, 1);
        bespoke_trace_write(thread, 0);
        bespoke_trace_write(thread, known->asked);
        known->asked = 0;
    }
    if (thread != NULL) {
        bespoke_trace_done(thread);
    }
    return expired;
}

/* The call that is under way has come to one element more. */
static inline void bespoke_traced_updates(void)
{
    struct bespoke_trace_thread *thread = bespoke_tracing() ? bespoke_trace_mine : NULL;

    if (thread != NULL && thread->depth > 0) {
        thread->visited[thread->depth - 1]++;
    }
}

/* The bits of a number, so that they are in the same order as numbers are. */
static inline uint64_t bespoke_traced_real(double number)
{
    uint64_t bits = 0;
    double unsigned_zero = number + 0.0;

    memcpy(&bits, &unsigned_zero, sizeof unsigned_zero < sizeof bits ? sizeof unsigned_zero : sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

/* The same of a key of any type of number; integers keep all bits. */
#define BESPOKE_TRACED_RANK(key) \
    ((0 ? (key) : 1) / 2 < 0.25 \
         ? (uint64_t)(key) ^ (uint64_t)((0 ? (key) : 1) - 2 < 1) << 63 \
         : bespoke_traced_real((double)(key)))

/* The same of a cursor, unless it is that of the last pass: how many began after its own. */
static inline void bespoke_traced_given_pass(const struct bespoke_traced *type, const void *list, const void *cursor)
{
    struct bespoke_trace_thread *thread = bespoke_tracing() ? bespoke_trace_mine : NULL;
    const struct bespoke_traced_pass *by_calls = thread != NULL ? bespoke_traced_opened(list) : NULL;
    uint32_t depth = thread != NULL ? thread->depth : 0;

    while (depth > 0 && thread->cursor[depth - 1] != cursor) {
        depth--;
    }
    if (depth == 0 && by_calls != NULL) {
        depth = by_calls->depth + 1;
    }
    if (depth != 0 && depth != thread->depth) {
        bespoke_traced_given(type, list, thread->depth - depth);
    }
}
#endif

/* What a trace contains of keys: 32 bits of hash. */
static inline uint64_t bespoke_trace_hash(const void *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    }
    return hash ^ hash >> 32;
}
#endif
#elif BESPOKE_TRACED_CALLS < 16
#error "a header before this one has an earlier version of BESPOKE_TRACED_CALLS: include this one first"
#endif
