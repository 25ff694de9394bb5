#ifndef SHIP_H
#define SHIP_H

#include <stdint.h>

struct ship {
    uint32_t slot; /* the container's: 0 in none */
    int32_t hp;
};

#endif
