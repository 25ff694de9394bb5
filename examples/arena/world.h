/* The arena: a core with turrets, and enemies that come through four gates in waves. */
#ifndef ARENA_WORLD_H
#define ARENA_WORLD_H

#include "clock.h"
#include "parts.h"
#include "physics.h"
#include "tally.h"
#include "things.h"
#include "units.h"

#define ARENA_WIDTH 960
#define ARENA_HEIGHT 720
#define ARENA_SEATS 8  /* positions of turrets */
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
    uint64_t bodies;      /* created */
    uint64_t kills;
    uint64_t chained;     /* killed by the death of another */
    uint64_t fallen;      /* turrets lost */
    uint64_t swept;       /* chunks removed by a clear during a pass */
    uint64_t stale;       /* timers whose effect had been removed */
    uint64_t cancelled;   /* timers of turrets that were lost */
    uint64_t queued;      /* bodies that collision callbacks remove */
    uint64_t twice;       /* and duplicates of these */
    uint64_t step_ns;     /* the physics step of this frame */
};

/* Returns false if there is no memory. */
bool world_open(struct world *world, uint64_t seed);
void world_close(struct world *world);
void world_frame(struct world *world);

/* Returns NULL if every container keeps its invariants and every body points at its thing. */
const char *world_check(struct world *world);

/* Returns the time of this frame's passes with an empty body. */
uint64_t world_walk_ns(struct world *world);

#endif
