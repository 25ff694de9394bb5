#include "timers.h"
#include <stdio.h>

struct world {
    timers queue; /* zero is a valid, empty queue */
    unsigned now;
    unsigned beats;
    timers_handle bomb;
    timers_handle rescue;
};

static timers_handle arm(struct world *world, unsigned delay, void (*fire)(struct world *world))
{
    timers_handle handle;
    struct timer timer;

    timer.due = world->now + delay;
    timer.fire = fire;
    if (timers_add_handle(&world->queue, timer, &handle) != TIMERS_OK) {
        printf("%u: out of memory\n", world->now);
    }
    return handle;
}

static void explode(struct world *world)
{
    printf("%u: the bomb explodes\n", world->now);
}

static void rescue(struct world *world)
{
    if (timers_remove(&world->queue, world->bomb) == TIMERS_OK) { /* one timer cancels another */
        printf("%u: the bomb is defused\n", world->now);
    }
}

static void hurry(struct world *world)
{
    struct timer *timer = timers_get(&world->queue, world->rescue); /* NULL if it has fired */

    if (timer != NULL) {
        timer->due = world->now + 5;
        timers_rekey(&world->queue, world->rescue); /* its key has changed */
        printf("%u: the rescue comes at %u\n", world->now, timer->due);
    }
}

static void beat(struct world *world)
{
    world->beats++;
    printf("%u: beat %u\n", world->now, world->beats);
    if (world->beats < 4) {
        arm(world, 10, beat); /* it arms itself again */
    }
    if (world->beats == 3) {
        world->bomb = arm(world, 10, explode); /* at the time of the last beat, and after it */
    }
}

int main(void)
{
    struct world world = {0};
    struct timer timer;

    arm(&world, 10, beat);
    world.bomb = arm(&world, 30, explode);
    world.rescue = arm(&world, 90, rescue);
    arm(&world, 20, hurry);
    while (timers_pop(&world.queue, &timer) == TIMERS_OK) { /* before it fires: it may change the queue as it likes */
        world.now = timer.due;
        timer.fire(&world);
    }
    printf("%u: %s\n", world.now, timers_get(&world.queue, world.bomb) == NULL ? "nothing is due" : "a timer is left");
    timers_deinit(&world.queue);
    return 0;
}
