#include "bodies.h"
#include <stdio.h>

static struct body *enter(bodies *world, int number, int speed, struct body *held_by)
{
    struct body *body = bodies_emplace(world);

    if (body != NULL) {
        *body = (struct body){number, 0, speed, held_by};
    }
    return body;
}

int main(void)
{
    bodies world = {0};
    struct body *crane = enter(&world, 0, 3, NULL);
    struct body *crate = enter(&world, 1, 0, crane);
    long sum = 0;

    for (int number = 2; number < 1000; number++) {
        if (enter(&world, number, 1, NULL) == NULL) {
            return 1;
        }
    }
    printf("%lu bodies in %lu chunks; the crate is held by body %d\n", (unsigned long)bodies_count(&world),
           (unsigned long)bodies_chunk_count(&world), crate->held_by->number);

    BODIES_EACH(&world, body) {
        body->x += body->held_by != NULL ? body->held_by->speed : body->speed;
        if (body->number % 2 != 0 && body != crate) {
            bodies_remove_current(&body_cursor);
        }
    }
    printf("the crane is at %d, the crate at %d, and %lu bodies are left\n", crane->x, crate->x, (unsigned long)bodies_count(&world));

    /* The hot loop, without a cursor: 64 slots at a time, with a bitmap word of the occupied ones. Usually all are. */
    for (size_t number = 0; number < bodies_chunk_count(&world); number++) {
        const uint64_t *alive;
        const struct body *slots = bodies_chunk(&world, number, &alive);

        if (*alive == UINT64_MAX) {
            for (int slot = 0; slot < 64; slot++) {
                sum += slots[slot].x;
            }
        } else {
            for (int slot = 0; slot < 64; slot++) {
                sum += (*alive >> slot & 1) != 0 ? slots[slot].x : 0;
            }
        }
    }
    printf("their places sum up to %ld\n", sum);
    bodies_deinit(&world);
    return 0;
}
