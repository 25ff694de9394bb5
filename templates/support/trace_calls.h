#ifndef BESPOKE_TRACE_CALLS
#define BESPOKE_TRACE_CALLS 16 /* the version that it is of */
#if BESPOKE_TRACE
/* The trace takes what a thread has recorded, as far as it is whole. Behind the lock of the trace. */
static inline void bespoke_trace_take(struct bespoke_trace_thread *thread)
{
    size_t used = BESPOKE_TRACE_LOAD(&thread->used);

    if (thread->session == bespoke_trace_state.current && used > thread->taken) {
        bespoke_trace_chunk(thread->number, thread->bytes + thread->taken, used - thread->taken);
        thread->taken = used;
    }
}

/* Room for records. */
static inline BESPOKE_TRACE_RARELY void bespoke_trace_empty(struct bespoke_trace_thread *thread)
{
    bespoke_trace_lock(&bespoke_trace_state.lock);
    bespoke_trace_take(thread);
    thread->at = thread->taken = 0;
    BESPOKE_TRACE_STORE(&thread->used, 0);
    BESPOKE_TRACE_STORE(&bespoke_trace_state.lock, 0);
}

/* The calling thread, in a trace that it has recorded nothing in. */
static inline BESPOKE_TRACE_RARELY struct bespoke_trace_thread *bespoke_trace_join(uint32_t session)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    struct bespoke_trace_thread *thread;

    bespoke_trace_lock(&trace->lock);
    for (thread = trace->thread; thread != NULL && thread->identity != (const void *)&errno; thread = thread->next) {
    } /* another source may know it; one that has ended left what it had */
    if (thread == NULL) {
        thread = (struct bespoke_trace_thread *)calloc(1, sizeof *thread);
        if (thread != NULL) {
            thread->identity = &errno;
            thread->number = ++trace->threads;
            thread->next = trace->thread;
            trace->thread = thread;
        } else {
            bespoke_trace_stop(true);
        }
    }
    if (thread != NULL && trace->current != session) {
        thread = NULL;
    } else if (thread != NULL && thread->session != session) {
        thread->session = session;
        thread->at = thread->taken = 0;
        BESPOKE_TRACE_STORE(&thread->used, 0);
        thread->depth = thread->codes = 0;
        thread->ticks = trace->ticks;
        thread->begun = false;
        memset(thread->seen, 0, sizeof thread->seen);
        memset(thread->shapes, 0, sizeof thread->shapes);
        memset(thread->coded, 0, sizeof thread->coded);
    }
    BESPOKE_TRACE_STORE(&trace->lock, 0);
    bespoke_trace_mine = thread;
    return thread;
}

/* The calling thread, with room for a record, if there is a trace. */
static inline struct bespoke_trace_thread *bespoke_trace_own(void)
{
    struct bespoke_trace_thread *thread = bespoke_trace_mine;
    uint32_t session = BESPOKE_TRACE_LOAD(&bespoke_trace_state.session);

    if (session == 0) {
        return NULL;
    }
    if (thread == NULL || thread->session != session) {
        thread = bespoke_trace_join(session);
        if (thread == NULL) {
            return NULL;
        }
    }
    if (thread->at > sizeof thread->bytes - 512) {
        bespoke_trace_empty(thread);
    }
    return thread;
}

/* What it has recorded is whole. */
static inline void bespoke_trace_done(struct bespoke_trace_thread *thread)
{
    BESPOKE_TRACE_STORE(&thread->used, thread->at);
}

static inline void bespoke_trace_write(struct bespoke_trace_thread *thread, uint64_t number)
{
    if (number < 128) {
        thread->bytes[thread->at++] = (unsigned char)number;
    } else {
        thread->at += bespoke_trace_number(thread->bytes + thread->at, number);
    }
}

static inline void bespoke_trace_write_signed(struct bespoke_trace_thread *thread, int64_t number)
{
    thread->at += bespoke_trace_signed(thread->bytes + thread->at, number);
}

/* How long after the last time of this thread. */
static inline void bespoke_trace_time(struct bespoke_trace_thread *thread, uint64_t ticks)
{
    if (ticks < thread->ticks) { /* of another processor */
        ticks = thread->ticks;
    }
    bespoke_trace_write(thread, ticks - thread->ticks);
    thread->ticks = ticks;
}

/* A container, which is found without a lock if it was not long ago. */
static inline struct bespoke_trace_seen *bespoke_trace_see(struct bespoke_trace_thread *thread, const struct bespoke_traced *type,
                                                           const void *list)
{
    struct bespoke_trace_seen *seen = &thread->seen[((uintptr_t)list >> 4 ^ (uintptr_t)list >> 10) % BESPOKE_TRACE_SEEN];

    if (seen->known == NULL || seen->known->list != list || seen->known->kind != type->kind) {
        seen->known = bespoke_trace_find(thread->session, type, list);
        seen->elements = seen->slots = SIZE_MAX;
    }
    return seen->known != NULL ? seen : NULL;
}

/* The first of four places for what is done with a container. */
static inline struct bespoke_trace_shape *bespoke_trace_places(struct bespoke_trace_thread *thread, const void *list,
                                                               uint64_t what)
{
    return &thread->shapes[(((uintptr_t)list ^ what) * 0x9e3779b97f4a7c15u >> 32) % BESPOKE_TRACE_SETS * 4];
}

/* What is done with a container, if that has a number; else NULL. */
static inline struct bespoke_trace_shape *bespoke_trace_shape_of(struct bespoke_trace_thread *thread, const void *list,
                                                                 uint64_t what)
{
    struct bespoke_trace_shape *shape = bespoke_trace_places(thread, list, what);

    for (unsigned i = 0; i < 4; i++, shape++) {
        if (shape->what == what && shape->list == list) {
            return shape;
        }
    }
    return NULL;
}

/* What is done with a container has no number: it is written in full, and gets the next one. */
static inline BESPOKE_TRACE_RARELY void bespoke_trace_shaped(struct bespoke_trace_thread *thread,
                                                             struct bespoke_trace_list *known, uint64_t what)
{
    struct bespoke_trace_shape *shape = bespoke_trace_places(thread, known->list, what);
    uint32_t code = thread->codes++ % BESPOKE_TRACE_CODES, i = 0;

    if (thread->coded[code] != 0 && thread->shapes[thread->coded[code] - 1].code == code) {
        thread->shapes[thread->coded[code] - 1].list = NULL;
    }
    while (i < 4 && shape[i].list != NULL) {
        i++;
    }
    shape += i < 4 ? i : code % 4;
    shape->list = known->list;
    shape->what = what;
    shape->known = known;
    shape->code = code;
    thread->coded[code] = (uint16_t)(shape - thread->shapes + 1);
    bespoke_trace_write(thread, 2);
    bespoke_trace_write(thread, known->number);
    bespoke_trace_write(thread, what >> 16 & 65535u);
    bespoke_trace_write(thread, what >> 8 & 255u);
    bespoke_trace_write(thread, what & 255u);
}

#if BESPOKE_TRACE > 1
/* Another thread used a container last: which turn this is. So a replay has the order of what threads did one behind the other.
 * `begun`: behind it a pass is recorded that began in an earlier turn, the one before this number. */
static inline BESPOKE_TRACE_RARELY void bespoke_trace_turns(struct bespoke_trace_thread *thread, struct bespoke_trace_list *known,
                                                            uint32_t begun)
{
    uint64_t what = (uint64_t)known->kind << 32 | (uint64_t)6 << 16;
    const struct bespoke_trace_shape *shape = bespoke_trace_shape_of(thread, known->list, what);
    uint32_t turn;

    bespoke_trace_lock(&known->turning);
    turn = known->owner != 0 ? known->turn + 1 : 0;
    BESPOKE_TRACE_STORE(&known->turn, turn);
    BESPOKE_TRACE_STORE(&known->owner, thread->number);
    BESPOKE_TRACE_STORE(&known->turning, 0);
    if (turn == 0) {
        return;
    }
    if (shape != NULL) {
        bespoke_trace_write(thread, 16 + shape->code);
    } else {
        bespoke_trace_shaped(thread, known, what);
    }
    bespoke_trace_write(thread, turn);
    bespoke_trace_write(thread, begun);
}

static inline void bespoke_trace_turn(struct bespoke_trace_thread *thread, struct bespoke_trace_list *known, uint32_t begun)
{
    if (BESPOKE_TRACE_LOAD(&known->owner) != thread->number) {
        bespoke_trace_turns(thread, known, begun);
    }
}
#endif

/* A record begins. `shape`: if it is known. */
static inline void bespoke_trace_head(struct bespoke_trace_thread *thread, const struct bespoke_trace_shape *shape,
                                      struct bespoke_trace_list *known, uint64_t what)
{
#if BESPOKE_TRACE > 1
    if (BESPOKE_TRACE_LOAD(&known->owner) != thread->number) {
        bespoke_trace_turns(thread, known, 0);
        shape = NULL; /* its number may be that of the turn */
    }
#endif
    if (shape == NULL) {
        shape = bespoke_trace_shape_of(thread, known->list, what);
    }
    if (shape != NULL) {
        bespoke_trace_write(thread, 16 + shape->code);
    } else {
        bespoke_trace_shaped(thread, known, what);
    }
}

/* The pass that began last is recorded, with what is known of its end. */
static inline void bespoke_trace_begun(struct bespoke_trace_thread *thread, struct bespoke_trace_seen *seen, uint32_t status,
                                       unsigned flags)
{
    const struct bespoke_trace_live *live = &thread->live[thread->depth - 1];

    thread->begun = false;
    if (seen == NULL) {
        return;
    }
    if ((live->how & BESPOKE_TRACED_PART) == 0 && (seen->elements != live->elements || seen->slots != live->slots)) {
        seen->elements = live->elements;
        seen->slots = live->slots;
        flags |= 1;
    }
    flags |= live->timed ? 0u : 32u;
    BESPOKE_TRACED_ALSO(bespoke_trace_turn(thread, seen->known, live->turn + 1);)
    bespoke_trace_head(thread, NULL, seen->known, BESPOKE_TRACE_WHAT(live->type, live->call + 16, status, flags));
    if ((flags & 1) != 0) {
        bespoke_trace_write(thread, live->elements);
        bespoke_trace_write(thread, live->slots);
    }
    if (live->timed) {
        bespoke_trace_time(thread, live->ticks);
    }
}

/* The pass that began last is recorded, since something is recorded behind it. */
static inline void bespoke_trace_tell(struct bespoke_trace_thread *thread)
{
    const struct bespoke_trace_live *live = &thread->live[thread->depth - 1];

    bespoke_trace_begun(thread, bespoke_trace_see(thread, live->type, live->list), 0, 0);
}

/* Something of a container that is no call: two numbers. */
static inline void bespoke_trace_event(struct bespoke_trace_thread *thread, struct bespoke_trace_list *known, uint64_t what,
                                       uint64_t a, uint64_t b)
{
    bespoke_trace_head(thread, NULL, known, what);
    bespoke_trace_write(thread, a);
    bespoke_trace_write(thread, b);
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
    struct bespoke_trace_seen *seen = bespoke_trace_see(thread, type, list);
    const void *memory = type->memory != NULL ? type->memory(list) : NULL;

    if (seen != NULL && seen->known->memory != memory) {
        seen->known->memory = memory;
        bespoke_trace_event(thread, seen->known, BESPOKE_TRACE_WHAT(type, 5, 0, 0), bespoke_traced_address(memory), by_itself);
    }
}

/* How far passes have come since the last record. */
static inline void bespoke_trace_steps(struct bespoke_trace_thread *thread)
{
    for (uint32_t depth = 0; depth < thread->depth; depth++) {
        size_t steps = thread->live[depth].visited - thread->live[depth].told;
        uint32_t above = thread->depth - 1 - depth;

        if (steps != 0) {
            bespoke_trace_write(thread, steps != 1 || above != 0 ? 4 : 3);
            if (steps != 1 || above != 0) {
                bespoke_trace_write(thread, above);
                bespoke_trace_write(thread, steps);
            }
            thread->live[depth].told = thread->live[depth].visited;
        }
    }
}
#endif

/* The calling thread, in which something is to be recorded. */
static inline struct bespoke_trace_thread *bespoke_trace_enter(void)
{
    struct bespoke_trace_thread *thread = bespoke_trace_own();

    if (thread != NULL) {
        if (thread->begun) {
            bespoke_trace_tell(thread);
        }
        BESPOKE_TRACED_ALSO(bespoke_trace_steps(thread);)
    }
    return thread;
}

/* A pass, or a call that takes time, is over. */
static inline void bespoke_traced_over(struct bespoke_traced_pass pass, uint32_t status)
{
    struct bespoke_trace_thread *thread = pass.session != 0 ? bespoke_trace_own() : NULL;
    const struct bespoke_trace_live *live;
    struct bespoke_trace_seen *seen;
    unsigned early = !pass.whole;
    bool told;
    int64_t grown = 0;
    uint32_t above;
    uint64_t ticks;

    if (thread == NULL || thread->session != pass.session || thread->depth <= pass.depth) {
        return;
    }
    live = &thread->live[pass.depth];
    ticks = live->timed ? bespoke_trace_ticks() : 0;
    BESPOKE_TRACED_ALSO(pass.visited = live->visited > pass.visited ? live->visited : pass.visited;)
    above = thread->depth - 1 - pass.depth;
    told = pass.visited != ((live->how & BESPOKE_TRACED_CALL) != 0 ? 0 : live->elements);
    seen = bespoke_trace_see(thread, live->type, live->list);
    if (seen != NULL && (live->how & BESPOKE_TRACED_READS) == 0 && live->type->count != NULL) {
        size_t count = live->type->count(live->list);

        grown = (int64_t)(count - seen->known->count);
        if (grown != 0) {
            seen->known->count = count;
            BESPOKE_TRACE_PLOT(live->type->name, count);
        }
    }
    if (thread->begun && above == 0) {
        bespoke_trace_begun(thread, seen, status, 2u | (told ? 4u : 0u) | early << 3 | (grown != 0 ? 16u : 0u));
        if (told) {
            bespoke_trace_write(thread, pass.visited);
        }
        if (grown != 0) {
            bespoke_trace_write_signed(thread, grown);
        }
    } else {
        if (thread->begun) {
            bespoke_trace_tell(thread);
        }
#if BESPOKE_TRACE > 1
        if (seen != NULL) {
            bespoke_trace_turn(thread, seen->known, 0);
        }
#endif
        if (status != 0 || above != 0 || grown != 0) {
            bespoke_trace_write(thread, 8);
            bespoke_trace_write(thread, (uint64_t)above << 1 | early);
            bespoke_trace_write(thread, status);
            bespoke_trace_write_signed(thread, grown);
            bespoke_trace_write(thread, pass.visited);
        } else {
            bespoke_trace_write(thread, early ? 7 : told ? 6 : 5);
            if (early || told) {
                bespoke_trace_write(thread, pass.visited);
            }
        }
    }
    if (live->timed) {
        bespoke_trace_time(thread, ticks);
    }
    thread->depth = pass.depth;
    BESPOKE_TRACED_ALSO(
        if ((live->how & BESPOKE_TRACED_READS) == 0) { bespoke_traced_lies(thread, live->type, live->list, true); })
    bespoke_trace_done(thread);
}

/* A pass is over, once. Loops call it: it is a part of them, or the pass would be in memory. */
BESPOKE_INLINE void bespoke_traced_left(struct bespoke_traced_pass *pass)
{
    if (pass->open) {
        pass->open = false;
        bespoke_traced_over(*pass, 0);
    }
}

/* -- what programs call -- */

static inline bool bespoke_trace_start(FILE *file, bespoke_trace_writer *write, void *context)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    unsigned char head[16] = {'b', 'e', 's', 'p', 'o', 'k', 'e', ' ', 't', 'r', 'a', 'c', 'e', '\n'};

    bespoke_trace_lock(&trace->lock);
    bespoke_trace_forget(trace);
    trace->kinds = trace->lists = 0;
    trace->failed = false;
    trace->file = file;
    trace->write = write;
    trace->context = context;
    trace->ticks = bespoke_trace_ticks();
    trace->microseconds = trace->frame = bespoke_trace_microseconds();
    trace->used = trace->clocked = 0;
    bespoke_trace_put(head, 14 + bespoke_trace_number(head + 14, BESPOKE_TRACE_FORMAT));
    trace->current = ++trace->sessions;
    BESPOKE_TRACE_STORE(&trace->session, trace->current);
    BESPOKE_TRACE_STORE(&trace->lock, 0);
    return true;
}

/* Ends the trace; false if not all of it could be written. */
static inline bool bespoke_trace_end(void)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    struct bespoke_trace_thread *thread = bespoke_trace_enter();
    bool done;

    if (thread != NULL) {
        bespoke_trace_done(thread);
    }
    BESPOKE_TRACE_STORE(&trace->session, 0);
    bespoke_trace_lock(&trace->lock);
    if (trace->current != 0) {
        for (thread = trace->thread; thread != NULL; thread = thread->next) {
            bespoke_trace_take(thread);
        }
        bespoke_trace_clock(0);
        bespoke_trace_hand_over();
        trace->current = 0;
    }
    if (trace->file != NULL) {
        trace->failed = fclose(trace->file) != 0 || trace->failed;
        trace->file = NULL;
    }
    done = !trace->failed;
    BESPOKE_TRACE_STORE(&trace->lock, 0);
    return done;
}

/* Begins a trace to a file; one that is under way ends. */
static inline bool bespoke_trace_begin(const char *path)
{
    FILE *file;

    (void)bespoke_trace_end();
    file = fopen(path, "wb");
    return file != NULL && bespoke_trace_start(file, NULL, NULL);
}

/* Begins a trace to a function; one that is under way ends. */
static inline bool bespoke_trace_begin_to(bespoke_trace_writer *write, void *context)
{
    (void)bespoke_trace_end();
    return write != NULL && bespoke_trace_start(NULL, write, context);
}
#else
static inline bool bespoke_trace_begin(const char *path)
{
    (void)path;
    return false;
}

static inline bool bespoke_trace_begin_to(bespoke_trace_writer *write, void *context)
{
    (void)write;
    (void)context;
    return false;
}

static inline bool bespoke_trace_end(void)
{
    return true;
}
#endif
#elif BESPOKE_TRACE_CALLS < 16
#error "a header before this one has an earlier version of BESPOKE_TRACE_CALLS: include this one first"
#endif
