#ifndef TURN_H
#define TURN_H

/* A name, and its remaining turns. */
struct turn {
    const char *who;
    int left;
};

#endif
