#ifndef UNIT_H
#define UNIT_H

/* One set of links for the group, one for the air. */
struct unit {
    const char *name;
    struct unit *group_next, *group_prev;
    struct group *group;
    struct unit *air_next, *air_prev;
    struct airborne *air;
};

#endif
