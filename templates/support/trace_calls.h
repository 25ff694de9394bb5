#ifndef BESPOKE_TRACE_CALLS
#define BESPOKE_TRACE_CALLS 16 /* the version that it is of */
#if BESPOKE_TRACE
/* -- what is behind the lock of a thread -- */

static inline void bespoke_trace_flush(struct bespoke_trace_thread *thread)
{
    if (thread->used > 0) {
        bespoke_trace_lock(&bespoke_trace_state.lock);
        bespoke_trace_chunk(thread->number, thread->bytes, thread->used);
        BESPOKE_TRACE_STORE(&bespoke_trace_state.lock, 0);
        thread->used = 0;
    }
}

/* The calling thread, locked, if there is a trace. */
static inline struct bespoke_trace_thread *bespoke_trace_own(void)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    struct bespoke_trace_thread *thread = bespoke_trace_mine;
    uint32_t session = BESPOKE_TRACE_LOAD(&trace->session);

    if (session == 0) {
        return NULL;
    }
    if (thread == NULL) { /* another source may know it; one that has ended left what it had */
        bespoke_trace_lock(&trace->lock);
        for (thread = trace->thread; thread != NULL && thread->identity != (const void *)&errno; thread = thread->next) {
        }
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
        BESPOKE_TRACE_STORE(&trace->lock, 0);
        if (thread == NULL) {
            return NULL;
        }
        bespoke_trace_mine = thread;
    }
    bespoke_trace_lock(&thread->lock);
    if (BESPOKE_TRACE_LOAD(&trace->session) != session) {
        BESPOKE_TRACE_STORE(&thread->lock, 0);
        return NULL;
    }
    if (thread->session != session) {
        thread->session = session;
        thread->used = 0;
        thread->depth = 0;
        memset(thread->recent, 0, sizeof thread->recent);
        thread->ticks = trace->ticks;
        memset(thread->seen, 0, sizeof thread->seen);
    }
    if (thread->used > sizeof thread->bytes - 512) {
        bespoke_trace_flush(thread);
    }
    return thread;
}

static inline void bespoke_trace_write(struct bespoke_trace_thread *thread, uint64_t number)
{
    thread->used += bespoke_trace_number(thread->bytes + thread->used, number);
}

static inline void bespoke_trace_write_signed(struct bespoke_trace_thread *thread, int64_t number)
{
    thread->used += bespoke_trace_signed(thread->bytes + thread->used, number);
}

static inline void bespoke_trace_time(struct bespoke_trace_thread *thread)
{
    uint64_t ticks = bespoke_trace_ticks();

    if (ticks < thread->ticks) { /* of another processor */
        ticks = thread->ticks;
    }
    bespoke_trace_write(thread, ticks - thread->ticks);
    thread->ticks = ticks;
}

/* What the trace knows of a container; NULL: there is no memory. */
static inline struct bespoke_trace_list *bespoke_trace_known(struct bespoke_trace_thread *thread,
                                                             const struct bespoke_traced *type, const void *list)
{
    struct bespoke_trace_list **seen = &thread->seen[((uintptr_t)list >> 4 ^ (uintptr_t)list >> 10) % BESPOKE_TRACE_SEEN];

    if (*seen == NULL || (*seen)->list != list || (*seen)->kind != type->kind) {
        *seen = bespoke_trace_find(type, list);
    }
    return *seen;
}

/* What follows is of this container. */
static inline bool bespoke_trace_turn(struct bespoke_trace_thread *thread, const struct bespoke_traced *type, const void *list)
{
    struct bespoke_trace_list *known = bespoke_trace_known(thread, type, list);

    if (known == NULL) {
        return false;
    }
    if (thread->recent[0] != known) {
        unsigned at = 1;

        while (at < BESPOKE_TRACE_RECENT && thread->recent[at] != known) {
            at++;
        }
        if (at < BESPOKE_TRACE_RECENT) {
            bespoke_trace_write(thread, (9u + at) << 1);
        } else {
            at--;
            bespoke_trace_write(thread, 2u << 1);
            bespoke_trace_write(thread, known->number);
        }
        for (; at > 0; at--) {
            thread->recent[at] = thread->recent[at - 1];
        }
        thread->recent[0] = known;
    }
    return true;
}

#if BESPOKE_TRACE > 1
/* How far passes have come since the last record. */
static inline void bespoke_trace_steps(struct bespoke_trace_thread *thread)
{
    for (uint32_t depth = 0; depth < thread->depth; depth++) {
        size_t steps = thread->visited[depth] - thread->told[depth];
        uint32_t above = thread->depth - 1 - depth;

        if (steps != 0) {
            bespoke_trace_write(thread, 3u << 1 | (steps != 1 || above != 0));
            if (steps != 1 || above != 0) {
                bespoke_trace_write(thread, above);
                bespoke_trace_write(thread, steps);
            }
            thread->told[depth] = thread->visited[depth];
        }
    }
}
#endif

static inline struct bespoke_trace_thread *bespoke_trace_enter(const struct bespoke_traced *type, const void *list)
{
    struct bespoke_trace_thread *thread = bespoke_trace_own();

    if (thread == NULL) {
        return NULL;
    }
    BESPOKE_TRACED_ALSO(bespoke_trace_steps(thread);)
    if (!bespoke_trace_turn(thread, type, list)) {
        BESPOKE_TRACE_STORE(&thread->lock, 0);
        return NULL;
    }
    return thread;
}

static inline void bespoke_trace_done(struct bespoke_trace_thread *thread)
{
    BESPOKE_TRACE_STORE(&thread->lock, 0);
}

/* -- what programs call -- */

static inline bool bespoke_trace_start(FILE *file, bespoke_trace_writer *write, void *context)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    unsigned char head[16] = {'b', 'e', 's', 'p', 'o', 'k', 'e', ' ', 't', 'r', 'a', 'c', 'e', '\n'};

    bespoke_trace_lock(&trace->lock);
    trace->kinds = trace->lists = 0;
    for (size_t i = 0; i < trace->entries; i++) {
        for (struct bespoke_trace_list *list = trace->table[i], *earlier; list != NULL; list = earlier) {
            earlier = list->earlier;
            free(list);
        }
    }
    free(trace->table);
    trace->table = NULL;
    trace->entries = 0;
    trace->failed = false;
    trace->file = file;
    trace->write = write;
    trace->context = context;
    trace->ticks = bespoke_trace_ticks();
    trace->microseconds = trace->frame = bespoke_trace_microseconds();
    trace->used = trace->clocked = 0;
    bespoke_trace_put(head, 14 + bespoke_trace_number(head + 14, BESPOKE_TRACE_FORMAT));
    trace->sessions++;
    BESPOKE_TRACE_STORE(&trace->session, trace->sessions);
    BESPOKE_TRACE_STORE(&trace->lock, 0);
    return true;
}

/* Takes what threads have recorded. */
static inline void bespoke_trace_collect(uint32_t session)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    struct bespoke_trace_thread *thread;

    bespoke_trace_lock(&trace->lock);
    thread = trace->thread;
    BESPOKE_TRACE_STORE(&trace->lock, 0);
    for (; thread != NULL; thread = thread->next) {
        bespoke_trace_lock(&thread->lock);
        if (thread->session == session) {
            bespoke_trace_flush(thread);
        }
        BESPOKE_TRACE_STORE(&thread->lock, 0);
    }
}

/* Ends the trace; false if not all of it could be written. */
static inline bool bespoke_trace_end(void)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    uint32_t session = BESPOKE_TRACE_LOAD(&trace->session);
    bool done;

    if (session != 0) {
        BESPOKE_TRACE_STORE(&trace->session, 0);
        bespoke_trace_collect(session);
    }
    bespoke_trace_lock(&trace->lock);
    if (session != 0) {
        bespoke_trace_clock(0);
        bespoke_trace_hand_over();
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

/* The same to a function. */
static inline bool bespoke_trace_begin_to(bespoke_trace_writer *write, void *context)
{
    (void)bespoke_trace_end();
    return write != NULL && bespoke_trace_start(NULL, write, context);
}

/* The end of a frame. */
static inline void bespoke_trace_frame(void)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    uint32_t session = BESPOKE_TRACE_LOAD(&trace->session);
    struct bespoke_trace_thread *thread;

    if (session == 0) {
        return;
    }
    bespoke_trace_collect(session);
    thread = bespoke_trace_own();
    if (thread != NULL) {
        uint64_t now = bespoke_trace_microseconds();

        bespoke_trace_write(thread, 1u << 1);
        bespoke_trace_time(thread);
        bespoke_trace_write(thread, now - trace->frame);
        trace->frame = now;
        bespoke_trace_flush(thread);
        bespoke_trace_done(thread);
        BESPOKE_TRACE_MARK();
    }
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

static inline void bespoke_trace_frame(void)
{
}

static inline bool bespoke_trace_end(void)
{
    return true;
}
#endif
#elif BESPOKE_TRACE_CALLS < 16
#error "a header before this one has an earlier version of BESPOKE_TRACE_CALLS: include this one first"
#endif
