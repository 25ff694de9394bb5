#ifndef PLAYER_H
#define PLAYER_H

struct player {
    char name[8];
};

#endif
