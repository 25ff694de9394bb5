#ifndef JOINT_H
#define JOINT_H

#include <stdbool.h>

/* A part of a crane: its origin, relative to its parent. */
struct joint {
    const char *name;
    int x, y;
    int screen_x, screen_y; /* the origin on the screen */
    bool broken;
};

#endif
