/* The elements of lists.yaml. */
#ifndef SUBSETS_MEMBERS_H
#define SUBSETS_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"

/* A deletable object list needs only a flag. */
struct deletable {
    struct object base;
    bool gone;
    unsigned char holders; /* lists that still point at it; the last one frees it */
};

struct hot;
struct member;

/* An object's seat in one subset. The list contains seats, not objects: an object may be in a list twice. */
struct seat {
    struct member *owner;
    uint32_t subset;
    union {
        uint32_t slot;   /* the list writes it */
        size_t row;      /* the same, of columns */
        struct hot *hot; /* where its values are */
    };
};

/* What a search reads, in the list itself. */
struct hot {
    float x, y, z;
    struct seat *seat;
};

/* The same, gathered from the columns. */
struct column {
    float x, y, z;
    struct seat *seat;
};

struct member {
    struct object base;
    uint32_t place; /* in the main list, which writes it */
    struct seat seat[2];
};

struct knots;
struct chained;

/* The same with links. */
struct knot {
    struct knot *next, *previous;
    struct knots *subset; /* the list it is in */
    struct chained *owner;
};

struct chains;

struct chained {
    struct object base;
    struct chained *next, *previous;
    struct chains *all;
    struct knot knot[2];
};

#endif
