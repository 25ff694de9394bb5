#ifndef BESPOKE_LIVE_PASSES
#define BESPOKE_LIVE_PASSES 16 /* the version that it is of */
/* Which records of passes are in use, of those that a container has in an array: up to 32. */
struct bespoke_passes {
    uint32_t records; /* bit k: the pass of record k is live */
    uint32_t serial;  /* of the pass that began last */
};
#elif BESPOKE_LIVE_PASSES < 16
#error "a header before this one has an earlier version of BESPOKE_LIVE_PASSES: include this one first"
#endif
