#ifndef BODY_H
#define BODY_H

#include <stdbool.h>
#include <stdint.h>

/* On a line. Numbers are whole, so that the program prints the same everywhere. */
struct body {
    uint32_t id, slot; /* slot: in its set, which writes it */
    int x, speed;
    int still; /* for how many steps it has not moved */
    bool explodes; /* when something touches it */
    bool seen; /* by the search for its island */
};

struct contact {
    struct body *left, *right;
    uint64_t pair;
};

#endif
