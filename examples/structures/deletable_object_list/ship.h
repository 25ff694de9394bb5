#ifndef SHIP_H
#define SHIP_H

#include <stdbool.h>

struct ship {
    int number;
    int target; /* the number of another ship */
    bool gone;
};

#endif
