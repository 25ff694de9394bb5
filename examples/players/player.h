#ifndef PLAYER_H
#define PLAYER_H

#include <stdint.h>

struct player {
    uint32_t id;
    char name[16];
    int team;
    int score;
};

#endif
