/* The things of the arena. Their bodies and shapes are the physics engine's; a body's user data points at its thing. */
#ifndef ARENA_THINGS_H
#define ARENA_THINGS_H

#include <chipmunk/chipmunk.h>
#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "parts.h"

struct world; /* the argument of update hooks */

/* The collision types of shapes, and what the things are. */
enum thing { THING_WALL = 1, THING_ENEMY, THING_BULLET, THING_MISSILE, THING_TURRET, THING_CHUNK };

enum enemy_kind { DRONE, BRUTE, BOMBER, CARRIER, ENEMY_KINDS };

struct enemy {
    uint32_t id;          /* never reused */
    uint32_t threat_slot; /* its index among the threats; the list writes it */
    enum enemy_kind kind;
    int hp, full;
    double radius;
    cpBody *body;
    cpShape *shape;
    effects_handle shield; /* stale after the shield was removed */
};

struct bullet {
    uint32_t id;
    int life;
    int damage;
    bool cluster; /* bursts into others halfway */
    cpBody *body; /* NULL: it has hit something, and its body is about to be removed */
};

struct missile {
    uint32_t id;
    int life;
    cpBody *body;
    targets targets; /* the list of its targets */
};

struct chunk {
    cpBody *body;
    double radius;
    int life;
    int size; /* above 1 it breaks into two */
};

struct arrival {
    enum enemy_kind kind;
    uint32_t gate;
};

struct turret {
    uint32_t id;
    uint32_t seat; /* its position */
    int hp;
    cpVect at, aim;
    cpBody *body;
    timers_handle shots, salvo; /* stale when they have fired */
};

/* Something has run into an enemy. */
struct hit {
    uint32_t enemy;
    uint32_t by;
    enum thing what;
    int damage;
};

#endif
