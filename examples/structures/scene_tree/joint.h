#ifndef JOINT_H
#define JOINT_H

#include <stdbool.h>

/* A part of a crane: where it begins, seen from the part that it is fixed to. */
struct joint {
    const char *name;
    int x, y;
    int screen_x, screen_y; /* where that is */
    bool broken;
};

#endif
