#ifndef BESPOKE_LIVE_PASSES
#define BESPOKE_LIVE_PASSES 16 /* the version that it is of */
/* Live passes of a container that has a record for each. */
struct bespoke_passes {
    uint32_t number; /* passes that are live */
};

/* Records of more passes than the container has records for itself, behind each other: a block of its allocator, with an
 * earlier one. They do not move, so that a pass that begins is none that others must know of. */
struct bespoke_more_passes {
    struct bespoke_more_passes *earlier;
    uint64_t first; /* the number of its first record; it has as many as come before it, at least 8 */
};
#elif BESPOKE_LIVE_PASSES < 16
#error "a header before this one has an earlier version of BESPOKE_LIVE_PASSES: include this one first"
#endif
