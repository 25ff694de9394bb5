#ifndef BESPOKE_PASSES
#define BESPOKE_PASSES 16 /* the version that it is of */
/* A record begins with the serial of its pass, a `uint32_t`, and is free if that is 0. A cursor has the number of its record,
 * and the serial of its pass: records are used again, and that a pass is over shows in the serial that its record has now.
 * `records` are the `few` that the container has itself, `more` the last block of further ones, and `bytes` the size of one. */

/* How many records a block has. */
static inline uint32_t bespoke_passes_in(const struct bespoke_more_passes *block)
{
    return block->first < 8 ? 8 : (uint32_t)block->first;
}

/* How many records there are. */
static inline uint32_t bespoke_passes_room(uint32_t few, const struct bespoke_more_passes *more)
{
    return more == NULL ? few : (uint32_t)more->first + bespoke_passes_in(more);
}

#if defined(__GNUC__) || defined(__clang__) /* within a loop it would cost those that have no use for it */
#define BESPOKE_PASSES_APART static __attribute__((__noinline__, __unused__))
#else
#define BESPOKE_PASSES_APART static inline
#endif

/* The record of this number, which is behind those of the container. */
BESPOKE_PASSES_APART void *bespoke_passes_at(struct bespoke_more_passes *more, uint32_t number, size_t bytes)
{
    while (number < more->first) {
        more = more->earlier;
    }
    return (unsigned char *)(void *)(more + 1) + ((size_t)number - (size_t)more->first) * bytes;
}

/* The record of this number, of a pass that may be over. NULL: there is none any more, as its block has been freed. */
BESPOKE_PASSES_APART void *bespoke_passes_more(struct bespoke_more_passes *more, uint32_t number, size_t bytes)
{
    return more != NULL && number < more->first + bespoke_passes_in(more) ? bespoke_passes_at(more, number, bytes) : NULL;
}

/* The record of the pass with this number: in its list, which has the `few`, or behind them; and of a pass that may be over. */
#define BESPOKE_LIVE_PASS(type, few, list, number) \
    ((number) < (few) ? &(list)->passes[number] : (type *)bespoke_passes_at((list)->more_passes, (number), sizeof(type)))
#define BESPOKE_PASS(type, few, list, number) \
    ((number) < (few) ? &(list)->passes[number] : (type *)bespoke_passes_more((list)->more_passes, (number), sizeof(type)))

/* The record of a cursor's pass, which may be over: `record` is its address while nothing has changed. */
#define BESPOKE_CURSOR_PASS(type, few, cursor)                       \
    ((cursor)->changes == (cursor)->list->changes ? (cursor)->record \
                                                  : BESPOKE_PASS(type, few, (cursor)->list, (cursor)->pass))

/* A loop over the records of a list that are in use, each as `pass`, and its number as `record`; with OWN where the list has no
 * others than its own. `continue` ends a turn, and only `return` may leave it. */
#define BESPOKE_EACH_PASS(type, few, list, pass, record) \
    BESPOKE_EACH_RECORD(type, list, BESPOKE_LIVE_PASS(type, few, list, record), pass, record)
#define BESPOKE_EACH_OWN_PASS(type, list, pass, record) BESPOKE_EACH_RECORD(type, list, &(list)->passes[record], pass, record)
#define BESPOKE_EACH_RECORD(type, list, at, pass, record)                                             \
    for (uint32_t record = 0, bespoke_##record = (list)->live.number; bespoke_##record > 0; record++) \
        for (type *pass = (at); pass != NULL && pass->serial != 0; pass = NULL, bespoke_##record--)

/* Is this the record of the pass with this serial? `record` may be NULL. */
static inline bool bespoke_passes_is(const void *record, uint32_t serial)
{
    return record != NULL && *(const uint32_t *)record == serial;
}

/* The number of a free record; UINT32_MAX: there is none. The first try is the right one where the pass that began last ends
 * first. */
static inline uint32_t bespoke_passes_free(const struct bespoke_passes *live, uint32_t few, const void *records,
                                           struct bespoke_more_passes *more, size_t bytes)
{
    const unsigned char *own = (const unsigned char *)records;
    uint32_t number = live->number;

    if (number < few && bespoke_passes_is(own + number * bytes, 0)) {
        return number;
    }
    for (uint32_t first = 0; first < few; first++) {
        if (bespoke_passes_is(own + first * bytes, 0)) {
            return first;
        }
    }
    if (bespoke_passes_is(bespoke_passes_more(more, number, bytes), 0)) {
        return number;
    }
    for (number = few; number < bespoke_passes_room(few, more); number++) {
        if (bespoke_passes_is(bespoke_passes_more(more, number, bytes), 0)) {
            return number;
        }
    }
    return UINT32_MAX;
}

/* How many bytes a block for further records has. 0: the numbers of more would repeat. */
static inline size_t bespoke_passes_block(uint32_t few, const struct bespoke_more_passes *more, size_t bytes)
{
    uint32_t first = bespoke_passes_room(few, more);

    return first >= UINT32_MAX / 4 / bytes ? 0 : sizeof(struct bespoke_more_passes) + (first < 8 ? 8 : first) * bytes;
}

/* Makes further records of such a block of memory. False: it is NULL. */
static inline bool bespoke_passes_add(struct bespoke_more_passes **more, uint32_t few, void *memory, size_t size)
{
    struct bespoke_more_passes *block = (struct bespoke_more_passes *)memory;

    if (block == NULL) {
        return false;
    }
    for (size_t at = 0; at < size; at++) {
        ((unsigned char *)memory)[at] = 0;
    }
    block->first = bespoke_passes_room(few, *more);
    block->earlier = *more;
    *more = block;
    return true;
}

/* Takes the last block away, of which no record is in use: it is to be freed. */
static inline void *bespoke_passes_drop(struct bespoke_more_passes **more)
{
    struct bespoke_more_passes *block = *more;

    *more = block->earlier;
    return block;
}

/* How many bytes the last block has, and how many all of them have. */
static inline size_t bespoke_passes_size(const struct bespoke_more_passes *more, size_t bytes)
{
    return sizeof *more + bespoke_passes_in(more) * bytes;
}
static inline size_t bespoke_passes_held(const struct bespoke_more_passes *more, size_t bytes)
{
    size_t held = 0;

    for (; more != NULL; more = more->earlier) {
        held += bespoke_passes_size(more, bytes);
    }
    return held;
}

/* A pass begins: its serial, which its record gets. It is never 0. `last` is that of the pass that began before. */
static inline uint32_t bespoke_passes_begin(struct bespoke_passes *live, uint32_t *last)
{
    live->number++;
    *last = (*last + 2) | 1;
    return *last;
}

/* The pass of a record ends. */
static inline void bespoke_passes_end(struct bespoke_passes *live, uint32_t *serial)
{
    *serial = 0;
    live->number--;
}

/* Ends all passes that are live. Was one? Records behind those of the container are going to be freed. */
static inline bool bespoke_passes_settle(struct bespoke_passes *live, uint32_t few, void *records, size_t bytes)
{
    bool any = live->number != 0;

    for (uint32_t number = 0; number < few; number++) {
        *(uint32_t *)(void *)((unsigned char *)records + number * bytes) = 0;
    }
    live->number = 0;
    return any;
}
#elif BESPOKE_PASSES < 16
#error "a header before this one has an earlier version of BESPOKE_PASSES: include this one first"
#endif
