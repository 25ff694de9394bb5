#ifndef SPARK_H
#define SPARK_H

#include <stdint.h>

/* A particle of a firework. Whole numbers, so that the sum is the same everywhere. */
struct spark {
    int32_t x, y;
    int32_t vx, vy;
    uint32_t seed; /* of its own random numbers */
    int32_t life;  /* frames that are left */
};

#endif
