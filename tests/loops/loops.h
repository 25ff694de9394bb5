/* The loops that are counted: those over containers, and those that one would write by hand. */
#ifndef LOOPS_H
#define LOOPS_H

#include <stddef.h>
#include <stdint.h>

struct spot {
    uint32_t id;
    float x;
    uint32_t rest[2];
};

struct loop {
    const char *name;
    void *(*make)(size_t n);            /* a list of n elements, or with room for them */
    float (*run)(void *list, size_t n); /* one turn for each */
};

extern const struct loop loops[];

#endif
