#ifndef SOUND_H
#define SOUND_H

struct sound {
    const char *name;
    int frames; /* it still plays */
};

#endif
