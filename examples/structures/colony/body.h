#ifndef BODY_H
#define BODY_H

struct body {
    int number;
    int x, speed;
    struct body *held_by; /* valid until that body is removed */
};

#endif
