#ifndef ORDER_H
#define ORDER_H

#include <stdint.h>

struct order {
    uint16_t valve;
    uint8_t opening; /* percent */
    uint8_t tries;   /* that are left */
};

#endif
