#ifndef BODY_H
#define BODY_H

struct body {
    int number;
    int x, speed;
    struct body *held_by; /* an address that stays good while that body is in */
};

#endif
