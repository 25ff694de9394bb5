/* What all variants have in common: the objects, and which of two is nearer. */
#ifndef SUBSETS_OBJECT_H
#define SUBSETS_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

/* The beginning of every variant's own object type. */
struct object {
    float x, y, z;
    uint32_t number; /* in the order of creation, from 0 */
    void *payload;
    uint32_t payload_size;
};

struct nearest {
    float distance; /* its square */
    struct object *object;
};

static inline float squared_distance(float x, float y, float z, const struct object *from)
{
    float dx = x - from->x, dy = y - from->y, dz = z - from->z;

    return dx * dx + dy * dy + dz * dz;
}

/* Of two at the same distance the younger one wins, so that the order of a list has no influence. NaN never wins. */
static inline void consider(struct nearest *best, float distance, struct object *object)
{
    if (!(distance <= best->distance) || (distance == best->distance && object->number < best->object->number)) {
        return;
    }
    best->distance = distance;
    best->object = object;
}

#define LANES 16

/* Is any of 16 objects as near as the best so far? No branch in it, so that compilers make vectors of it. NaN: no. */
static inline bool any_as_near(const float *x, const float *y, const float *z, const struct object *from, float best)
{
    int any = 0;

    for (int i = 0; i < LANES; i++) {
        any |= squared_distance(x[i], y[i], z[i], from) <= best;
    }
    return any != 0;
}

#endif
