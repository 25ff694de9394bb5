#ifndef LISTENER_H
#define LISTENER_H

#include <stdint.h>

/* Part of any struct that listens. It is in the list of one signal at most, and must be removed before its memory is freed. */
struct listener {
    void (*notify)(struct listener *listener, void *data);
    uint32_t slot; /* where it is in that list, which writes it */
};

#endif
