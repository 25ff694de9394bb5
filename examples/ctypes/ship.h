#ifndef SHIP_H
#define SHIP_H

#include <stdint.h>

struct ship {
    uint32_t number;
    int hull;
};

#endif
