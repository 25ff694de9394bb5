/* Numbers by chance that are the same in each run. */
#ifndef DICE_H
#define DICE_H

#include <stdint.h>

static inline uint64_t any_number(void)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static inline uint32_t random_number(uint32_t below)
{
    return (uint32_t)(any_number() >> 33) % below;
}

#endif
