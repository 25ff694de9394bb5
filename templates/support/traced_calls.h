#ifndef BESPOKE_TRACED_CALLS
#define BESPOKE_TRACED_CALLS 16 /* the version that it is of */
#if BESPOKE_TRACE
/* -- what wrappers of calls record -- */

static inline bool bespoke_tracing(void)
{
    return BESPOKE_TRACE_LOAD(&bespoke_trace_state.session) != 0;
}

/* The end of a frame. */
static inline void bespoke_trace_frame(void)
{
    struct bespoke_trace *trace = &bespoke_trace_state;
    struct bespoke_trace_thread *own = bespoke_trace_own();

    while (own != NULL && own->depth > 0 && own->live[own->depth - 1].by_calls && own->live[own->depth - 1].pass.open &&
           (own->live[own->depth - 1].how & BESPOKE_TRACED_READS) != 0) {
        bespoke_traced_left(&own->live[own->depth - 1].pass); /* a reader that was left: there is no call for that */
    }
    own = bespoke_trace_enter();
    if (own != NULL) {
        uint64_t now = bespoke_trace_microseconds();

        bespoke_trace_write(own, 1);
        bespoke_trace_time(own, bespoke_trace_ticks());
        bespoke_trace_lock(&trace->lock);
        bespoke_trace_write(own, now - trace->frame);
        trace->frame = now;
        for (struct bespoke_trace_thread *thread = trace->thread; thread != NULL; thread = thread->next) {
            if (thread != own) {
                bespoke_trace_take(thread);
            }
        }
        bespoke_trace_done(own);
        BESPOKE_TRACE_STORE(&trace->lock, 0);
        bespoke_trace_empty(own);
        BESPOKE_TRACE_MARK();
    }
}

#if BESPOKE_TRACE > 1
/* A container as it is before a call. */
static inline void bespoke_traced_found(const struct bespoke_traced *type, const void *list)
{
    struct bespoke_trace_thread *thread = bespoke_trace_own();
    const struct bespoke_trace_seen *seen = thread != NULL ? bespoke_trace_see(thread, type, list) : NULL;

    if (seen != NULL && seen->known->memory != type->memory(list)) {
        thread = bespoke_trace_enter();
        if (thread != NULL) {
            bespoke_traced_lies(thread, type, list, false);
            bespoke_trace_done(thread);
        }
    }
}
#endif

/* A change: what it returned, and how many elements there are, where that is not as expected. */
static inline void bespoke_traced_change(const struct bespoke_traced *type, const void *list, uint32_t call, uint32_t status,
                                         int expected,
                                         bool keyed, uint64_t hash, size_t length)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter();
    uint64_t what = BESPOKE_TRACE_WHAT(type, call + 16, status, 0);
    const struct bespoke_trace_shape *shape = thread != NULL ? bespoke_trace_shape_of(thread, list, what) : NULL;
    const struct bespoke_trace_seen *seen = thread != NULL && shape == NULL ? bespoke_trace_see(thread, type, list) : NULL;

    if (shape != NULL || seen != NULL) {
        struct bespoke_trace_list *known = shape != NULL ? shape->known : seen->known;
        int usual = status == 0 ? expected : 0;
        size_t count = type->count != NULL ? type->count(list) : known->count + (size_t)usual;
        int64_t grown = (int64_t)(count - known->count);

        if (grown != 0) {
            known->count = count;
            BESPOKE_TRACE_PLOT(type->name, count);
        }
        if (grown == usual) {
            bespoke_trace_head(thread, shape, known, what);
        } else {
            bespoke_trace_head(thread, NULL, known, what | 1);
            bespoke_trace_write_signed(thread, grown);
        }
        if (keyed) {
            for (unsigned bits = 0; bits < 32; bits += 8) {
                thread->bytes[thread->at++] = (unsigned char)(hash >> bits);
            }
            bespoke_trace_write(thread, length);
        }
        BESPOKE_TRACED_ALSO(bespoke_traced_lies(thread, type, list, true);)
        bespoke_trace_done(thread);
    }
}

/* A record without more than a status. False: there is none. */
static inline struct bespoke_trace_thread *bespoke_traced_what(const struct bespoke_traced *type, const void *list, uint64_t what)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter();
    const struct bespoke_trace_shape *shape = thread != NULL ? bespoke_trace_shape_of(thread, list, what) : NULL;
    const struct bespoke_trace_seen *seen = thread != NULL && shape == NULL ? bespoke_trace_see(thread, type, list) : NULL;

    if (shape == NULL && seen == NULL) {
        return NULL;
    }
    bespoke_trace_head(thread, shape, shape != NULL ? shape->known : seen->known, what);
    return thread;
}

/* What any thread may call: nothing is read of the container. Or a look for an element: `status` is not 0 if there was none. */
static inline void bespoke_traced_call(const struct bespoke_traced *type, const void *list, uint32_t call, uint32_t status)
{
    struct bespoke_trace_thread *thread = bespoke_traced_what(type, list, BESPOKE_TRACE_WHAT(type, call + 16, status, 0));

    if (thread != NULL) {
        bespoke_trace_done(thread);
    }
}

/* Why a handle led to no element: it is that of none, whose bytes are 0, or stale. */
BESPOKE_INLINE uint32_t bespoke_traced_miss(const void *handle, size_t size)
{
    uint64_t bits[2] = {0, 0}; /* a handle is no larger */

    memcpy(bits, handle, size < sizeof bits ? size : sizeof bits);
    return (bits[0] | bits[1]) != 0 ? 6 : 3;
}

/* What happens in a call. */
static inline void bespoke_traced_event(const struct bespoke_traced *type, const void *list, uint32_t event, size_t a, size_t b)
{
    struct bespoke_trace_thread *thread = bespoke_traced_what(type, list, BESPOKE_TRACE_WHAT(type, event, 0, 0));

    if (thread != NULL) {
        bespoke_trace_write(thread, a);
        bespoke_trace_write(thread, b);
        bespoke_trace_done(thread);
    }
}

/* Memory for slots becomes that for others. `stay`: their elements do not move. */
static inline void bespoke_traced_resized(const struct bespoke_traced *type, const void *list, size_t from, size_t to, bool stay)
{
    bespoke_traced_event(type, list, stay ? 0 : 1, from, to);
}

/* Elements are moved together, over free slots. */
static inline void bespoke_traced_compacted(const struct bespoke_traced *type, const void *list, size_t moved, size_t free_slots)
{
    bespoke_traced_event(type, list, 2, moved, free_slots);
}

/* This number of changes of a journal take effect. */
static inline void bespoke_traced_replayed(const struct bespoke_traced *type, const void *list, size_t changes)
{
    bespoke_traced_event(type, list, 3, changes, 0);
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

#if BESPOKE_TRACE > 1
/* The turn of a thread with a container. */
static inline uint32_t bespoke_traced_turn(struct bespoke_trace_thread *thread, const struct bespoke_traced *type,
                                           const void *list)
{
    const struct bespoke_trace_seen *seen = bespoke_trace_see(thread, type, list);

    if (seen == NULL) {
        return 0;
    }
    bespoke_trace_turn(thread, seen->known, 0);
    return BESPOKE_TRACE_LOAD(&seen->known->turn);
}
#endif

/* A pass, or a call that takes time, begins: how many elements there are, and slots that it goes by. `cursor`: of a loop. */
static inline struct bespoke_traced_pass bespoke_traced_begun(const struct bespoke_traced *type, const void *list, uint32_t call,
                                                              unsigned how, size_t elements, size_t slots, const void *cursor)
{
    struct bespoke_traced_pass pass = {0, 0, 0, true, false};
    struct bespoke_trace_thread *thread = list != NULL ? bespoke_trace_enter() : NULL;

    if (thread != NULL) {
        BESPOKE_TRACED_ALSO(bespoke_traced_lies(thread, type, list, false);)
        if (thread->depth < BESPOKE_TRACE_DEPTH) {
            struct bespoke_trace_live *live = &thread->live[thread->depth];

            pass.session = thread->session;
            pass.depth = (uint16_t)thread->depth++;
            thread->begun = true;
            live->repeated = live->list == list && live->call == call ? live->repeated + 1 : 0;
            live->timed = pass.depth == 0 || (how & BESPOKE_TRACED_CALL) != 0 || live->repeated % BESPOKE_TRACE_TIMED == 0;
            live->type = type;
            live->list = list;
            live->elements = elements;
            live->slots = slots;
            live->call = call;
            live->how = how;
            live->cursor = cursor;
            live->second = NULL;
            live->by_calls = false;
            live->visited = live->told = 0;
            BESPOKE_TRACED_ALSO(live->turn = bespoke_traced_turn(thread, type, list);)
            live->ticks = live->timed ? bespoke_trace_ticks() : 0;
        }
        bespoke_trace_done(thread);
    }
    return pass;
}

/* A pass over pairs begins, whose inner pass has a cursor of its own. */
static inline struct bespoke_traced_pass bespoke_traced_paired(struct bespoke_traced_pass pass, const void *second)
{
    if (pass.session != 0) {
        bespoke_trace_mine->live[pass.depth].second = second;
    }
    return pass;
}

#if BESPOKE_TRACE > 1
BESPOKE_INLINE bool bespoke_traced_visit(struct bespoke_traced_pass *pass)
{
    pass->visited++;
    if (pass->session != 0 && bespoke_trace_mine->session == pass->session) {
        bespoke_trace_mine->live[pass->depth].visited = pass->visited;
    }
    return true;
}
#define BESPOKE_TRACED_VISIT(pass) bespoke_traced_visit(&(pass))
#define BESPOKE_TRACED_CURSOR(cursor) (&(cursor))
#else
#define BESPOKE_TRACED_VISIT(pass) (++(pass).visited, true)
#define BESPOKE_TRACED_CURSOR(cursor) NULL /* its address goes nowhere: it is in no memory */
#endif

/* The condition of a loop: counts what it visits. */
#define BESPOKE_TRACED_STEP(pass, more) ((more) ? BESPOKE_TRACED_VISIT(pass) : ((pass).whole = true, false))

/* Passes that are begun, continued and ended by calls: those of a thread, the one that began last first. From its first step on
 * a pass is known by the address of its cursor. */
static inline void bespoke_traced_open(struct bespoke_traced_pass pass)
{
    if (pass.session != 0) {
        bespoke_trace_mine->live[pass.depth].by_calls = true;
        bespoke_trace_mine->live[pass.depth].pass = pass;
    }
}

static inline struct bespoke_trace_live *bespoke_traced_opened(const void *list, const void *cursor)
{
    struct bespoke_trace_thread *thread = bespoke_trace_mine;

    if (thread != NULL && list != NULL && bespoke_tracing()) {
        for (uint32_t depth = thread->depth; depth > 0; depth--) {
            struct bespoke_trace_live *live = &thread->live[depth - 1];

            if (live->by_calls && live->list == list && (live->cursor == cursor || live->cursor == NULL || cursor == NULL)) {
                return live;
            }
        }
    }
    return NULL;
}

static inline void bespoke_traced_next(const void *list, const void *cursor, bool more)
{
    struct bespoke_trace_live *live = bespoke_traced_opened(list, cursor);

    if (live != NULL && more) {
        live->cursor = cursor;
        (void)BESPOKE_TRACED_VISIT(live->pass);
    } else if (live != NULL) {
        live->pass.whole = true;
        bespoke_traced_left(&live->pass);
    }
}

static inline void bespoke_traced_ended(const void *list, const void *cursor)
{
    struct bespoke_trace_live *live = bespoke_traced_opened(list, cursor);

    if (live != NULL) {
        bespoke_traced_left(&live->pass);
    }
}

/* The pass that a call began last becomes that of a loop. Without one: what nothing is recorded of. */
static inline struct bespoke_traced_pass bespoke_traced_taken(const void *list, const void *cursor)
{
    struct bespoke_traced_pass none = {0, 0, 0, true, false};
    struct bespoke_trace_live *live = bespoke_traced_opened(list, NULL);

    if (live == NULL) {
        return none;
    }
    live->by_calls = false;
    live->cursor = cursor;
    return live->pass;
}

#if BESPOKE_TRACE > 1
/* For what nobody asks for. */
static inline size_t *bespoke_traced_unasked(void)
{
    static BESPOKE_TRACE_LOCAL size_t unasked;

    return &unasked;
}

/* What the next call of this thread is given. */
static inline void bespoke_traced_given(uint64_t number)
{
    struct bespoke_trace_thread *thread = bespoke_trace_enter();

    if (thread != NULL) {
        bespoke_trace_write(thread, 0);
        bespoke_trace_write(thread, number);
        bespoke_trace_done(thread);
    }
}

/* Has an element expired? Recorded is how many had not, of those that were asked since one had. */
static inline bool bespoke_traced_asks(const struct bespoke_traced *type, const void *list, bool expired)
{
    struct bespoke_trace_thread *thread = expired ? bespoke_trace_enter() : bespoke_trace_own();
    const struct bespoke_trace_seen *seen = thread != NULL ? bespoke_trace_see(thread, type, list) : NULL;

    if (seen != NULL && !expired) {
        seen->known->asked++;
    } else if (seen != NULL) {
        bespoke_trace_event(thread, seen->known, BESPOKE_TRACE_WHAT(type, 4, 0, 0), seen->known->asked, 0);
        seen->known->asked = 0;
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
        thread->live[thread->depth - 1].visited++;
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

/* The bits of a key of any type of number, in the order of numbers; integers keep all bits. */
#define BESPOKE_TRACED_RANK(key) \
    ((0 ? (key) : 1) / 2 < 0.25 \
         ? (uint64_t)(key) ^ (uint64_t)((0 ? (key) : 1) - 2 < 1) << 63 \
         : bespoke_traced_real((double)(key)))

/* A call was given a cursor, if not that of the last pass: how many began after its own; 65,536 more: the second one of pairs. */
static inline void bespoke_traced_given_pass(const void *list, const void *cursor)
{
    struct bespoke_trace_thread *thread = bespoke_tracing() ? bespoke_trace_mine : NULL;
    const struct bespoke_trace_live *by_calls = thread != NULL ? bespoke_traced_opened(list, NULL) : NULL;
    uint32_t depth = thread != NULL ? thread->depth : 0;

    while (depth > 0 && thread->live[depth - 1].cursor != cursor && thread->live[depth - 1].second != cursor) {
        depth--;
    }
    if (depth > 0 && thread->live[depth - 1].second == cursor) {
        bespoke_traced_given(65536u + thread->depth - depth);
        return;
    }
    if (depth == 0 && by_calls != NULL) {
        depth = by_calls->pass.depth + 1u;
    }
    if (depth != 0 && depth != thread->depth) {
        bespoke_traced_given(thread->depth - depth);
    }
}
#endif

#ifdef __cpp_aggregate_bases
/* A loop of C++17 that is recorded, and `bespoke_leave`, which removes its current element and is recorded, too. */
extern "C++" template <typename walk_type, auto bespoke_leave> class bespoke_traced_walk : public walk_type
{
  public:
    struct bespoke_traced_pass pass;

    template <typename cursor_type>
    bespoke_traced_walk(cursor_type begun, struct bespoke_traced_pass recorded)
        : walk_type{begun}, pass(recorded)
    {
        BESPOKE_TRACED_ALSO(if (pass.session != 0) { bespoke_trace_mine->live[pass.depth].cursor = &this->cursor; })
    }
    ~bespoke_traced_walk()
    {
        bespoke_traced_left(&pass);
    }
    auto remove_current()
    {
        return bespoke_leave(&this->cursor);
    }

    struct step : walk_type::step {
        struct bespoke_traced_pass *recorded;

        bool operator!=(typename walk_type::over end)
        {
            return BESPOKE_TRACED_STEP(*recorded, walk_type::step::operator!=(end));
        }
    };
    step begin()
    {
        return step{walk_type::begin(), &pass};
    }
};
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
#else
static inline void bespoke_trace_frame(void)
{
}
#endif
#elif BESPOKE_TRACED_CALLS < 16
#error "a header before this one has an earlier version of BESPOKE_TRACED_CALLS: include this one first"
#endif
