/* Elements that are in several containers leave all of them in one call, whatever passes are live. */
#include "memberships.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THINGS = 24, KINDS = 5, BANDS = 2 };

static unsigned checks, failed;
static struct thing things[THINGS];
static band bands[BANDS];
static rota the_rota;
static marked the_marked;
static watch the_watch;
static bool is_in[KINDS][THINGS]; /* two bands, the others */
static unsigned lost, destroyed;
static bool returns; /* the remove hook puts the element into the other band */

#define CHECK(condition) check(condition, __LINE__, #condition)

static bool check(bool good, int line, const char *what)
{
    checks++;
    if (!good) {
        failed++;
        fprintf(stderr, "memberships.c:%d: failed: %s\n", line, what);
    }
    return good;
}

void band_loses(struct band *list, struct thing *thing)
{
    lost++;
    if (returns) {
        returns = false;
        CHECK(band_add(list == &bands[0] ? &bands[1] : &bands[0], thing) == BAND_OK);
        is_in[list == &bands[0] ? 1 : 0][thing - things] = true;
    }
}

void watch_destroys(struct watch_layer *layer, struct thing *thing)
{
    (void)layer;
    destroyed++;
    thing->left = -1; /* nobody may look at it any more */
}

static unsigned below(unsigned limit)
{
    static uint32_t state = 1;

    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void enter(unsigned kind, unsigned at)
{
    struct thing *thing = &things[at];

    if (is_in[kind][at] || (kind < BANDS && (is_in[0][at] || is_in[1][at]))) {
        return;
    }
    switch (kind) {
    case 0:
    case 1: CHECK(band_add(&bands[kind], thing) == BAND_OK); break;
    case 2: CHECK(rota_add(&the_rota, thing) == ROTA_OK); break;
    case 3: CHECK(marked_add(&the_marked, thing) == MARKED_OK); break;
    default: CHECK(watch_add(&the_watch, at % WATCH_LAYERS, thing) == WATCH_OK); break;
    }
    is_in[kind][at] = true;
}

static void compare(void)
{
    size_t counts[KINDS] = {0, 0, 0, 0, 0};

    for (unsigned at = 0; at < THINGS; at++) {
        struct thing *thing = &things[at];
        const bool found[KINDS] = {band_contains(&bands[0], thing), band_contains(&bands[1], thing), rota_contains(&the_rota, thing),
                                   marked_contains(&the_marked, thing), watch_contains(&the_watch, thing)};

        for (unsigned kind = 0; kind < KINDS; kind++) {
            CHECK(found[kind] == is_in[kind][at]);
            counts[kind] += is_in[kind][at];
        }
    }
    CHECK(band_count(&bands[0]) == counts[0] && band_count(&bands[1]) == counts[1]);
    CHECK(rota_count(&the_rota) == counts[2] && marked_count(&the_marked) == counts[3] && watch_count(&the_watch) == counts[4]);
    CHECK(band_check(&bands[0]) == NULL && band_check(&bands[1]) == NULL && rota_check(&the_rota) == NULL);
    CHECK(marked_check(&the_marked) == NULL && watch_check(&the_watch) == NULL);
}

/* It leaves all containers but those that are not said; what is told must be right. */
static void leave(unsigned at, bool rota_too, bool marked_too, bool watch_too)
{
    const bool named[KINDS] = {true, true, rota_too, marked_too, watch_too};
    unsigned lost_before = lost;
    unsigned destroyed_before = destroyed;
    size_t expected = 0;
    bool in_band = is_in[0][at] || is_in[1][at];
    bool in_watch = is_in[4][at] && watch_too;

    for (unsigned kind = 0; kind < KINDS; kind++) {
        expected += named[kind] && is_in[kind][at];
        is_in[kind][at] = is_in[kind][at] && !named[kind];
    }
    CHECK(thing_leaves_all(&things[at], rota_too ? &the_rota : NULL, marked_too ? &the_marked : NULL,
                           watch_too ? &the_watch : NULL) == expected);
    CHECK(lost == lost_before + in_band && destroyed == destroyed_before + in_watch);
}

/* While passes over all of them are live, at any depth, nobody visits who has left, and everybody else once. */
static void leave_under_passes(void)
{
    unsigned visits[KINDS][THINGS];
    unsigned steps = 0;
    bool gone[THINGS];
    band_cursor first = band_begin(&bands[0]), second = band_begin(&bands[1]);
    rota_cursor third = rota_begin(&the_rota);
    marked_cursor fourth = marked_begin(&the_marked);
    watch_cursor fifth = watch_begin(&the_watch);
    bool before[KINDS][THINGS];
    unsigned live = 31;

    memcpy(before, is_in, sizeof before);
    memset(visits, 0, sizeof visits);
    memset(gone, 0, sizeof gone);
    while (live != 0) {
        unsigned kind = below(KINDS);
        struct thing *thing;

        if ((live >> kind & 1) == 0) {
            continue;
        }
        thing = kind == 0 ? band_next(&first) : kind == 1 ? band_next(&second) : kind == 2 ? rota_next(&third)
            : kind == 3 ? marked_next(&fourth) : watch_next(&fifth);
        if (thing == NULL) {
            live &= ~(1u << kind);
            continue;
        }
        CHECK(!gone[thing - things] && is_in[kind][thing - things]);
        visits[kind][thing - things]++;
        if (steps++ % 3 == 0) {
            unsigned at = below(2) == 0 ? (unsigned)(thing - things) : below(THINGS);

            leave(at, true, true, true);
            gone[at] = true;
        }
    }
    for (unsigned at = 0; at < THINGS; at++) {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            CHECK(gone[at] ? visits[kind][at] <= 1 : visits[kind][at] == before[kind][at]);
        }
    }
}

int main(void)
{
    for (unsigned round = 0; round < 400; round++) {
        for (unsigned adds = below(80); adds > 0; adds--) {
            enter(below(KINDS), below(THINGS));
        }
        compare();
        if (round % 3 == 0) {
            leave_under_passes();
        } else {
            leave(below(THINGS), below(4) != 0, below(4) != 0, below(4) != 0);
        }
        compare();
    }

    /* What is in none leaves none; nobody, neither. */
    CHECK(thing_leaves_all(NULL, &the_rota, &the_marked, &the_watch) == 0);
    leave(0, true, true, true);
    CHECK(thing_leaves_all(&things[0], &the_rota, &the_marked, &the_watch) == 0);
    CHECK(thing_leaves_crowds(&things[0], &the_rota, NULL) == 0);
    enter(0, 0);
    enter(2, 0);
    enter(3, 0);
    CHECK(thing_leaves_crowds(&things[0], &the_rota, &the_marked) == 2);
    is_in[2][0] = is_in[3][0] = false;
    compare();

    /* A hook may put it back: into another one it stays. */
    returns = true;
    leave(0, true, true, true);
    is_in[1][0] = true;
    compare();

    /* Memory that was not zeroed: one call makes an element of it that is in none. */
    leave(1, true, true, true);
    memset(&things[1], 0xA5, sizeof things[1]);
    thing_leaves_all_prepare(&things[1]);
    CHECK(thing_leaves_all(&things[1], &the_rota, &the_marked, &the_watch) == 0);
    enter(0, 1);
    enter(2, 1);
    enter(3, 1);
    compare();
    leave(2, true, true, true);
    things[2].place = 7;
    thing_leaves_crowds_prepare(&things[2]);
    CHECK(things[2].place == 0);

    band_deinit(&bands[0]);
    band_deinit(&bands[1]);
    rota_deinit(&the_rota);
    marked_deinit(&the_marked);
    watch_deinit(&the_watch);
    printf("%u checks, %u failed\n", checks, failed);
    return failed == 0 ? 0 : 1;
}
