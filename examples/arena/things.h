/* The things of the arena. Their bodies and shapes are the physics engine's; a body's user data points at its thing. */
#ifndef ARENA_THINGS_H
#define ARENA_THINGS_H

#include <chipmunk/chipmunk.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts.h"

struct world; /* what update hooks are given */

/* The collision types of shapes, and what the things are. */
enum thing { THING_WALL = 1, THING_ENEMY, THING_BULLET, THING_MISSILE, THING_TURRET, THING_CHUNK };

enum enemy_kind { DRONE, BRUTE, BOMBER, CARRIER, ENEMY_KINDS };

struct enemy {
    uint32_t id;          /* never given twice */
    uint32_t threat_slot; /* its place among the threats; the list keeps it */
    enum enemy_kind kind;
    int hp, full;
    double radius;
    cpBody *body;
    cpShape *shape;
    effects_handle shield; /* stale once the shield is gone */
};

struct bullet {
    uint32_t id;
    int life;
    int damage;
    bool cluster; /* bursts into others halfway */
    cpBody *body; /* NULL: it has hit something, and its body is doomed */
};

struct missile {
    uint32_t id;
    int life;
    cpBody *body;
    targets targets; /* its own list of what it hunts */
};

struct chunk {
    cpBody *body;
    double radius;
    int life;
    int size; /* above 1 it breaks into two */
};

enum timer_kind { TIMER_WAVE, TIMER_SHOT, TIMER_SALVO, TIMER_FADE, TIMER_REBUILD };

struct timer {
    enum timer_kind kind;
    uint32_t due;          /* frame */
    uint32_t subject;      /* the number of a wave or of a turret */
    uint32_t left;         /* shots that are still to come */
    effects_handle effect; /* what fades */
};

struct arrival {
    enum enemy_kind kind;
    uint32_t gate;
};

struct turret {
    uint32_t id;
    uint32_t seat; /* where it stands */
    int hp;
    cpVect at, aim;
    cpBody *body;
};

/* Something has run into an enemy. */
struct hit {
    uint32_t enemy;
    uint32_t by;
    enum thing what;
    int damage;
};

#endif
