#ifndef TIMER_H
#define TIMER_H

struct world;

struct timer {
    unsigned due;                      /* at this time ... */
    void (*fire)(struct world *world); /* ... this is called; it may add, remove and delay any timer */
};

#endif
