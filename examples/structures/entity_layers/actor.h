#ifndef ACTOR_H
#define ACTOR_H

#include <stdbool.h>

struct actor {
    const char *name;
    double age; /* seconds of its own time */
    bool gone;
};

struct scene_layer;
struct scene_tick;

void actor_update(struct scene_layer *layer, struct actor *actor, const struct scene_tick *tick);

#endif
