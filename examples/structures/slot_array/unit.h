#ifndef UNIT_H
#define UNIT_H

#include <stdint.h>

struct unit {
    const char *name;
    int hp;
    uint32_t target; /* a handle as one number; 0: none */
};

#endif
