#ifndef CELL_H
#define CELL_H

#include <stdbool.h>

struct cell {
    int column, row;
    bool sunk;
};

#endif
