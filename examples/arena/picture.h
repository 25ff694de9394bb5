#ifndef ARENA_PICTURE_H
#define ARENA_PICTURE_H

#include <stdbool.h>

#include "world.h"

/* Draws the arena as it is into a PNG file. */
bool picture_write(struct world *world, const char *path);

#endif
