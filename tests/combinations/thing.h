/* The element of every combination. */
#ifndef THING_H
#define THING_H

#include <stdbool.h>
#include <stdint.h>

/* What an engine brings. */
#define THING_API
#define THING_ASSERT(condition) ((void)(condition))
typedef unsigned thing_size;

struct thing_code {
    uint64_t high, low;
};

struct thing {
    uint32_t id;
    uint32_t slot;
    int hp;
    bool gone;
    struct thing *next, *prev, *parent, *sibling, *left, *right;
    uint64_t turn;
    int8_t balance;
    void *owner;
    const char *name;
    uint16_t length;
    struct thing_code code;
};

/* The same without links, for `layout: soa`. */
struct row {
    uint32_t id;
    uint32_t slot;
    int hp;
    bool gone;
};

#endif
