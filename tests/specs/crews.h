/* Elements that point at what they are known by. */
#ifndef CREWS_H
#define CREWS_H

#include <stdbool.h>
#include <stdint.h>

struct person {
    uint32_t id;
    int rank;
    bool gone;
};

struct seat {
    struct person *holder;
    uint32_t number; /* of the seat */
};

struct post {
    struct person *holder;
    uint32_t number;
};

/* Makes a seat with its holder: `test.element`. */
static inline void make_seat(struct seat *seat, uint32_t number)
{
    static struct person people[8192];

    people[number].id = number;
    people[number].rank = (int)(number * 3 % 4);
    people[number].gone = false;
    seat->holder = &people[number];
    seat->number = number;
}

static inline void make_post(struct post *post, uint32_t number)
{
    struct seat seat;

    make_seat(&seat, number);
    post->holder = seat.holder;
    post->number = number;
}

#endif
