#ifndef TIMER_H
#define TIMER_H

struct timer {
    const char *what;
    int frames; /* until it is due */
};

#endif
