#ifndef LIGHT_H
#define LIGHT_H

struct light {
    float x, y;
    float power;
};

#endif
