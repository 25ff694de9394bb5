#ifndef BESPOKE_LIVE_PASSES
#define BESPOKE_LIVE_PASSES
/* Which records of passes are in use, of those that a container has in an array: up to 32. */
struct bespoke_passes {
    uint32_t records; /* bit k: the pass of record k is live */
    uint32_t serial;  /* of the pass that began last */
};
#endif
