/* The element of the example specs. */
#ifndef SHIP_H
#define SHIP_H

#include <stdbool.h>
#include <stdint.h>

struct ship {
    uint32_t id;
    uint32_t slot; /* its place in a constant time array, plus one */
    float x, y;
    int hp;
    bool gone;
};

#endif
