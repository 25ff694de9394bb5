/* Visible things without a body: sparks, rings, shields. */
#ifndef ARENA_EFFECT_H
#define ARENA_EFFECT_H

#include <chipmunk/chipmunk.h>

enum effect_kind { EFFECT_SPARK, EFFECT_RING, EFFECT_SHIELD };

struct effect {
    enum effect_kind kind;
    cpVect at;
    double radius;
    double grows; /* per frame */
    int life, full; /* remaining frames, and all frames */
};

#endif
