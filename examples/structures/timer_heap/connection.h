#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdint.h>

struct connection {
    const char *name;
    unsigned due; /* when it is closed, if nothing comes before */
    struct connection *next, *prev, *left, *right, *parent;
    struct idle *idle;
    uint64_t turn;
};

#endif
