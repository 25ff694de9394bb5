/* The elements that are measured: four members that loops use, and as much behind them as makes the size. */
#ifndef BENCH_ELEMENTS_H
#define BENCH_ELEMENTS_H

#include <stdint.h>

#define BENCH_MEMBERS                                                                                                           \
    uint32_t id;                                                                                                                \
    int32_t hp;                                                                                                                 \
    float x, vx

struct e16 {
    BENCH_MEMBERS;
};
struct e32 {
    BENCH_MEMBERS;
    float rest[4];
};
struct e64 {
    BENCH_MEMBERS;
    float rest[12];
};
/* Those that are found by other keys than `id`. */
struct wide64 {
    uint64_t key;
    int32_t hp;
    float rest[13];
};
struct named64 {
    const char *name;
    int32_t hp;
    float rest[13];
};
/* What the members of e64 leave of 64 bytes, to be a column. */
struct rest {
    float rest[12];
};
struct e128 {
    BENCH_MEMBERS;
    float rest[28];
};
struct e256 {
    BENCH_MEMBERS;
    float rest[60];
};

/* What waits in a priority queue: types with a lock, so that a heap has copies of their keys. */
struct due16 {
    BENCH_MEMBERS;
};
struct due64 {
    BENCH_MEMBERS;
    float rest[12];
};

/* Like e64, but it knows its place in a container, as an intrusive index wants it. */
struct placed {
    BENCH_MEMBERS;
    uint32_t place;
    float rest[11];
};

#endif
