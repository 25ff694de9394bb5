#ifndef UNIT_H
#define UNIT_H

/* In a group and in the air at once: a set of links for each. */
struct unit {
    const char *name;
    struct unit *group_next, *group_prev;
    struct group *group;
    struct unit *air_next, *air_prev;
    struct airborne *air;
};

#endif
