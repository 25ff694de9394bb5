/* Elements and functions for specs that only the tests use. */
#ifndef THINGS_H
#define THINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thing {
    uint32_t id;
    uint32_t place;
    int left;
    char name[24];
    struct thing *next, *prev; /* its links, and the container that it is in */
    struct thing *parent, *sibling;
    void *owner;
};

/* What is due at a time: its links among all, and in a heap or a tree. */
struct chime {
    uint32_t id;
    int due;
    struct chime *next, *prev, *left, *right, *parent;
    int8_t balance;
    struct chime *id_left, *id_right, *id_parent;
    int8_t id_balance;
    uint64_t turn;
    void *owner;
};

struct dot {
    uint32_t id;
    int left;
};

struct note {
    char text[12];
    int left;
};

struct serial {
    uint64_t number;
};

struct pair {
    int16_t first, second;
};

/* Members of all sizes, as `layout: soa` lists them. */
struct mote {
    uint32_t id;
    float x, y;
    bool lit;
    struct pair links;
    double left;
    const struct thing *owner;
};

/* What is not all for loops: an array, bits, a struct without a name, a pointer to a function. */
struct craft {
    uint32_t id;
    float x, y;
    char name[13];
    unsigned lit : 1, team : 3;
    double left;
    struct {
        int16_t gold, wood;
        uint8_t days[3];
    } hold;
    const struct thing *owner;
    int (*mood)(int);
};

void *arena_alloc(void *context, size_t bytes);
void *arena_realloc(void *context, void *block, size_t old_bytes, size_t new_bytes);
void arena_free(void *context, void *block, size_t bytes);

#endif
