#ifndef BESPOKE_PASSES
#define BESPOKE_PASSES 16 /* the version that it is of */
/* Live passes of a container that has a record for each. A cursor has the number of its record, and the serial of
 * its pass: records are used again, and that a pass is over shows in the serial that its record has now. All in
 * constant time. */

/* The number of the first free record; where there are fewer, there is none. */
static inline uint32_t bespoke_passes_free(const struct bespoke_passes *live)
{
    return (uint32_t)bespoke_lowest_bit(~(uint64_t)live->records);
}

/* A pass begins with a record that is free; its serial is the next one, live->serial + 1. */
static inline void bespoke_passes_begin(struct bespoke_passes *live, uint32_t record, uint32_t serial)
{
    live->records |= (uint32_t)1 << record;
    live->serial = serial;
}

/* Is this pass live? `noted` is the serial in its record. */
static inline bool bespoke_passes_has(const struct bespoke_passes *live, uint32_t record, uint32_t noted, uint32_t serial)
{
    return (live->records >> record & 1) != 0 && noted == serial;
}

static inline void bespoke_passes_end(struct bespoke_passes *live, uint32_t record)
{
    live->records &= ~((uint32_t)1 << record);
}

/* Ends all that are live. Was one? */
static inline bool bespoke_passes_settle(struct bespoke_passes *live)
{
    bool any = live->records != 0;

    live->records = 0;
    return any;
}

/* Is one live, and no other? Then its record is `*record`. */
static inline bool bespoke_passes_one(const struct bespoke_passes *live, uint32_t *record)
{
    if (live->records == 0 || (live->records & (live->records - 1)) != 0) {
        return false;
    }
    *record = (uint32_t)bespoke_lowest_bit(live->records);
    return true;
}
#elif BESPOKE_PASSES < 16
#error "a header before this one has an earlier version of BESPOKE_PASSES: include this one first"
#endif
