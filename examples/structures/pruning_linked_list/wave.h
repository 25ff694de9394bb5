#ifndef WAVE_H
#define WAVE_H

struct wave {
    const char *where;
    int strength;
};

#endif
