/* What is due at a time, with the links of the containers that are measured. Each has what it needs in front, behind its deadline. */
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

#include <stdint.h>

struct timer128 {
    uint64_t due;
    struct timer128 *left, *right, *parent, *next, *prev;
    void *owner;
    uint32_t id;
    int8_t balance;
    uint64_t turn; /* read where two are due at the same time */
    char rest[48];
};

#endif
