#ifndef GAME_H
#define GAME_H

#include <stdint.h>

struct ship {
    int32_t x, y, dx, dy; /* in 1/256 */
    int32_t hull, player, reload;
};

struct shot {
    int32_t x, y, dx, dy;
    int32_t left;      /* frames to live */
    uint32_t by, aims; /* handles of ships: index and generation are in two halves */
    uint32_t by_generation, aims_generation;
};

struct rock {
    int32_t x, y;
    int32_t ore; /* what is left of it */
    int32_t hits;
};

#endif
