#ifndef TURN_H
#define TURN_H

/* Who acts, and how often still. */
struct turn {
    const char *who;
    int left;
};

#endif
