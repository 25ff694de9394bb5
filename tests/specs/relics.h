/* Elements that are saved: members of all kinds that T_save writes, and one that only functions of the user's can. */
#ifndef RELICS_H
#define RELICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t coins;
enum glow { DULL, BRIGHT };

struct spot {
    float x, y;
};

struct relic {
    uint32_t id;
    int rank;
    coins worth;
    enum glow glow;
    bool found;
    unsigned lit : 1, kind : 5;
    char name[12];
    double age;
    long long turns;
    size_t depth;
    struct spot at, path[2];
    int16_t runes[2][3];
    struct {
        uint8_t red, green, blue;
    } hue;
};

/* The same as it was in an older version of the game: without some members. */
struct old_relic {
    uint32_t id;
    int rank;
    coins worth;
    bool found;
    char name[12];
    double age;
    int16_t runes[2][3];
};

/* Elements in columns, whose members the spec lists. */
struct gem {
    uint32_t id;
    int rank;
    bool cut;
    float weight[3];
    long spent;
};

struct star {
    uint32_t id;
    int rank;
    double parsecs;
};

/* And one that owns memory. */
struct tale {
    uint32_t id;
    int rank;
    char *text;
};

#endif
