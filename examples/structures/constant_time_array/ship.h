#ifndef SHIP_H
#define SHIP_H

#include <stdint.h>

struct ship {
    int x;
    uint32_t visible_place; /* the list writes it; zero while the ship is not in the list */
};

#endif
