/* The game that every variant plays, with the same random numbers. */
#ifndef SUBSETS_WORKLOAD_H
#define SUBSETS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "variant.h"

struct workload {
    uint32_t objects, passes;
    uint64_t seed;
};

struct outcome {
    uint64_t visits, created, destroyed, live;
    uint64_t checksum;      /* visitors, objects found, remaining objects */
    double seconds;         /* CPU time of everything */
    double update_seconds;  /* of the passes alone */
};

struct outcome play(const struct workload *workload, const struct variant *variant);
bool same_outcome(const struct outcome *a, const struct outcome *b); /* except for the time */

#endif
