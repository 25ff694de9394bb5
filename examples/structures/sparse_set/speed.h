#ifndef SPEED_H
#define SPEED_H

#include <stdint.h>

struct speed {
    uint32_t entity;
    int x;
};

#endif
