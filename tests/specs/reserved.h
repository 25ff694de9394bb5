/* Members with names that C reserves for its library, as those of libraries are. */
#ifndef RESERVED_H
#define RESERVED_H

#include <stdbool.h>
#include <stdint.h>

struct _reserved {
    struct _reserved *_next, *_prev;
    void *_owner;
    uint32_t _id;
    int __rank;
    bool gone;
};

#endif
