#ifndef BESPOKE_PASSES_USED_BY
#define BESPOKE_PASSES_USED_BY 16 /* the version that it is of */
/* What checks compare: how many records are in use. */

/* How many records of the container are in use. */
static inline uint32_t bespoke_passes_used(uint32_t few, const void *records, size_t bytes)
{
    uint32_t used = 0;

    for (uint32_t number = 0; number < few; number++) {
        used += !bespoke_passes_is((const unsigned char *)records + number * bytes, 0);
    }
    return used;
}

/* How many of the records behind those of the container are in use. */
static inline uint32_t bespoke_passes_used_more(uint32_t few, struct bespoke_more_passes *more, size_t bytes)
{
    uint32_t used = 0;

    for (uint32_t number = few; number < bespoke_passes_room(few, more); number++) {
        used += !bespoke_passes_is(bespoke_passes_more(more, number, bytes), 0);
    }
    return used;
}

/* How many records of a list are in use. */
#define BESPOKE_PASSES_USED(type, few, list) \
    (bespoke_passes_used(few, (list)->passes, sizeof(type)) + bespoke_passes_used_more(few, (list)->more_passes, sizeof(type)))
#elif BESPOKE_PASSES_USED_BY < 16
#error "a header before this one has an earlier version of BESPOKE_PASSES_USED_BY: include this one first"
#endif
