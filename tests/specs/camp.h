/* Says what is in the struct; and includes the header of the containers, since it has them as members. */
#ifndef CAMP_H
#define CAMP_H

#include <stdbool.h>
#include <stdint.h>
#include "apart.h"

struct camper {
    uint32_t id;
    uint32_t slot;
    float weight;
    bool gone;
};

struct camp {
    apart_swapped swapped;
    apart_buried buried;
    apart_pruned pruned;
    apart_found found;
    apart_sorted sorted;
    apart_chained chained;
    apart_waiting waiting;
};

#endif
