/* The elements of the containers that debuggers are shown. */
#ifndef THING_H
#define THING_H

#include <stdbool.h>
#include <stdint.h>

struct thing {
    uint32_t id;
    int left;
    uint32_t place;
    struct thing *next, *prev, *parent, *sibling, *below, *beside;
    void *owner;
    uint64_t turn;
    struct {
        struct thing *next, *prev;
        void *owner;
    } other;
    struct thing *after, *before; /* without an owner */
};

struct speck {
    uint32_t id;
    int left;
    double x;
    bool lit;
};

/* Members of all kinds, of which some are hot. */
struct craft {
    uint32_t id;
    int left;
    unsigned lit : 1, team : 5;
    char name[5];
    struct {
        int16_t gold, wood;
    };
    union {
        float fuel;
        uint32_t charge;
    };
    int (*mood)(int);
};

#endif
