/* The arena: a core with turrets, and enemies that come through four gates in waves. */
#ifndef ARENA_WORLD_H
#define ARENA_WORLD_H

#include "parts.h"
#include "physics.h"
#include "tally.h"
#include "things.h"
#include "units.h"

#define ARENA_WIDTH 960
#define ARENA_HEIGHT 720
#define ARENA_SEATS 8  /* places for turrets */
#define TURRET_HP 18
#define ARENA_REACH 200.0 /* how far from the core an enemy is a threat */

struct world {
    cpSpace *space;
    uint32_t frame;
    uint32_t last_id;
    uint64_t random;
    uint64_t checksum;
    bool sweep; /* the debris is to be cleared */

    hangar hangar;
    enemies enemies;
    threats threats;
    bullets bullets;
    missiles missiles;
    debris debris;
    effects effects;
    timers timers;
    arrivals arrivals;
    turrets turrets;
    hits hits;
    leaving leaving;
    blast blast;

    struct tally lists[LISTS];
    struct watch watch;
    uint64_t bodies;      /* made in all */
    uint64_t kills;
    uint64_t chained;     /* killed by the death of another */
    uint64_t fallen;      /* turrets lost */
    uint64_t swept;       /* chunks that a clear in the middle of a pass took */
    uint64_t stale;       /* timers whose effect was gone before them */
    uint64_t queued;      /* bodies doomed by collision callbacks */
    uint64_t twice;       /* and those that were doomed already */
    uint64_t step_ns;     /* the physics step of this frame */
};

/* False: there is no memory. */
bool world_open(struct world *world, uint64_t seed);
void world_close(struct world *world);
void world_frame(struct world *world);

/* NULL: every container keeps its invariants, and every body points at its thing. */
const char *world_check(struct world *world);

/* The time that this frame's passes take by themselves: each list is walked with an empty body. */
uint64_t world_walk_ns(struct world *world);

#endif
