/* Counters and times for the report, per list and per frame. The game does not depend on them. */
#ifndef ARENA_TALLY_H
#define ARENA_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum list_id {
    LIST_HANGAR, LIST_ENEMIES, LIST_THREATS, LIST_BULLETS, LIST_MISSILES, LIST_TARGETS, LIST_DEBRIS, LIST_EFFECTS,
    LIST_TIMERS, LIST_ARRIVALS, LIST_TURRETS, LIST_HITS, LIST_LEAVING, LIST_BLAST, LISTS
};

struct tally {
    uint64_t added;   /* adds */
    uint64_t refused; /* full, or a duplicate */
    uint64_t passes;
    uint64_t offered; /* elements in the list at the begin of each pass */
    size_t peak;
    uint32_t walked;  /* passes in this frame */
};

/* A stopwatch that runs in one frame out of sixteen. */
struct watch {
    bool on;
    unsigned depth;
    uint64_t began;
    uint64_t changes; /* ns in calls that change a container */
    uint64_t reads;   /* reads of the clock for it */
};

uint64_t now_ns(void);
void watch_in(struct watch *watch);
void watch_out(struct watch *watch);

#endif
