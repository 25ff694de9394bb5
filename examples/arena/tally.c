#define _POSIX_C_SOURCE 199309L
#include "tally.h"

#include <time.h>

uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A call from inside a call that is measured, such as one that a hook makes, is part of it. */
void watch_in(struct watch *watch)
{
    if (watch->on && watch->depth++ == 0) {
        watch->began = now_ns();
    }
}

void watch_out(struct watch *watch)
{
    if (watch->on && --watch->depth == 0) {
        watch->changes += now_ns() - watch->began;
        watch->reads += 2;
    }
}
