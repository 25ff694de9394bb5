/* What the benchmark of deletable lists has in its lists. */
#ifndef BENCH_BODIES_H
#define BENCH_BODIES_H

#include <stdbool.h>
#include <stdint.h>

struct body {
    float x, y, z;
    uint32_t id;
    uint32_t place;      /* in the list of all */
    uint32_t members[2]; /* in the two lists that it is in */
    uint8_t lists[2];
    bool gone;
    uint8_t kept; /* lists that have not let go of it yet */
    unsigned char *payload;
};

#endif
