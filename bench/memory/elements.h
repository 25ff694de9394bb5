/* The elements of which the memory is measured, and how the probes choose those that leave. */
#ifndef MEMORY_ELEMENTS_H
#define MEMORY_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct e16 {
    uint32_t id;
    bool gone;
    uint32_t rest[2];
};

struct e64 {
    uint32_t id;
    bool gone;
    uint32_t rest[14];
};

/* One that lies elsewhere, and may hold its place in a container, or its links. */
struct thing {
    uint32_t id;
    bool gone;
    uint32_t place;
    struct thing *next, *prev;
    struct chain *owner;
    uint32_t rest[6];
};
struct chain;

/* Half of them leave, as if at random, and the same ones in each container. */
static inline bool leaves(uint32_t id)
{
    return ((id * UINT32_C(2654435769)) >> 13 & 1) != 0;
}

#endif
