/* The elements of lists.yaml. */
#ifndef SUBSETS_MEMBERS_H
#define SUBSETS_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"

/* A flag is all that a deletable object list asks for. */
struct deletable {
    struct object base;
    bool gone;
    unsigned char holders; /* lists that still point at it; the last frees it */
};

struct member;

/* An object's seat in one subset. The list holds seats, not objects: an object may be in a list twice. */
struct seat {
    struct member *owner;
    uint32_t subset;
    uint32_t slot; /* the list keeps it */
};

struct member {
    struct object base;
    uint32_t place; /* in the main list, which keeps it */
    struct seat seat[2];
};

struct holder;

/* What a search reads, in the list itself. */
struct hot {
    float x, y, z;
    uint32_t number; /* which of its owner's two this is */
    struct holder *owner;
};

/* An object with such copies. They move, and the lists' move hooks say where to. */
struct holder {
    struct object base;
    uint32_t place;
    uint32_t subset[2];
    struct hot *hot[2];
};

#endif
