/* Elements with keys of each kind. */
#ifndef ASSETS_H
#define ASSETS_H

#include <stddef.h>
#include <stdint.h>

struct guid {
    uint64_t high, low;
};

struct asset {
    char *name;
    uint16_t length; /* of `name`, which need not end */
    char tag[16];
    struct guid guid;
    uint8_t digest[32];
    uint64_t number;
};

#endif
