/* Bodies on a line that push, wake and blow up each other, in two sets: those that move, and those that have come to rest. */
#include "space.h"

#include <stdio.h>
#include <stdlib.h>

enum { REACH = 2, BLAST = 5, RESTS_AFTER = 3, EDGE = 200 };

struct space {
    bodies bodies;
    contacts contacts;
    uint32_t last_id;
    unsigned destroyed;
};

static void needs(bool holds)
{
    if (!holds) {
        fputs("bodies: out of memory\n", stderr);
        exit(1);
    }
}

static struct body *make(struct space *space, size_t set, int x, int speed)
{
    struct body *body = calloc(1, sizeof *body);

    needs(body != NULL);
    body->id = ++space->last_id;
    body->x = x;
    body->speed = speed;
    needs(bodies_add(&space->bodies, set, body) == BODIES_OK);
    return body;
}

/* Takes it out of its set and of all contacts, whatever is going over them. */
static void destroy(struct space *space, struct body *body)
{
    (void)bodies_remove(&space->bodies, body);
    CONTACTS_EACH_IN(contacts_scan_range_by_left(&space->contacts, body->id), contact) {
        (void)contacts_scan_remove_current(&contact_scan);
    }
    CONTACTS_EACH_IN(contacts_scan_range_by_right(&space->contacts, body->id), contact) {
        (void)contacts_scan_remove_current(&contact_scan);
    }
    free(body);
    space->destroyed++;
}

static void wake(struct space *space, struct body *body)
{
    body->still = 0;
    needs(bodies_move(&space->bodies, body, BODIES_AWAKE) == BODIES_OK);
}

/* -- all are woken ---------------------------------------------------------------------------------------------------- */

/* The loop of many engines: waking takes the body out of the array, and the last one fills its place. */
static unsigned woken_by_hand(unsigned count)
{
    unsigned asleep[10], woken = 0;

    for (unsigned i = 0; i < count; i++) {
        asleep[i] = i;
    }
    for (unsigned i = 0; i < count; i++) {
        asleep[i] = asleep[--count];
        woken++;
    }
    return woken;
}

static void set_gravity(struct space *space)
{
    BODIES_LAYER_EACH(bodies_layer_at(&space->bodies, BODIES_ASLEEP), body) {
        wake(space, body);
    }
}

static void wake_all(void)
{
    struct space space = {.last_id = 0};

    for (int i = 0; i < 10; i++) {
        (void)make(&space, BODIES_ASLEEP, 10 * i, 0);
    }
    set_gravity(&space);
    printf("woken: %u of 10 by a hand-written loop, %u here\n", woken_by_hand(10),
           (unsigned)bodies_layer_count(bodies_layer_at(&space.bodies, BODIES_AWAKE)));
    BODIES_EACH(&space.bodies, body) {
        destroy(&space, body);
    }
    bodies_deinit(&space.bodies);
    contacts_deinit(&space.contacts);
}

/* -- steps ------------------------------------------------------------------------------------------------------------ */

static bool near(const struct body *a, const struct body *b, int reach)
{
    return abs(a->x - b->x) <= reach;
}

/* Destroys it and all around it: bodies that loops outside stand on, or would come to next. */
static void blow_up(struct space *space, struct body *bomb)
{
    struct body center = *bomb;

    BODIES_EACH(&space->bodies, body) {
        if (near(body, &center, BLAST)) {
            destroy(space, body);
        }
    }
}

/* The one that moves hands its speed to the other. */
static void touch(struct space *space, struct body *a, struct body *b)
{
    struct body *left = a->id < b->id ? a : b, *right = a->id < b->id ? b : a;
    struct contact made = {.left = left, .right = right, .pair = (uint64_t)left->id << 32 | right->id};

    if (contacts_find_by_pair(&space->contacts, made.pair) != NULL) {
        return;
    }
    needs(contacts_add(&space->contacts, made) == CONTACTS_OK);
    if (a->speed != 0) {
        b->speed += a->speed;
        a->speed = 0;
        wake(space, b);
    }
    if (a->explodes || b->explodes) {
        blow_up(space, a->explodes ? a : b);
    }
}

/* Does all of its island rest? Those that are seen count once. */
static bool rests(struct space *space, struct body *body)
{
    bool all = body->still >= RESTS_AFTER;
    contacts_range range;
    const struct contact *contact;

    body->seen = true;
    range = contacts_range_by_left(&space->contacts, body->id);
    while ((contact = contacts_next_by_left(&space->contacts, &range)) != NULL) {
        all = (contact->right->seen || rests(space, contact->right)) && all;
    }
    range = contacts_range_by_right(&space->contacts, body->id);
    while ((contact = contacts_next_by_right(&space->contacts, &range)) != NULL) {
        all = (contact->left->seen || rests(space, contact->left)) && all;
    }
    return all;
}

static void sleep_with_island(struct space *space, struct body *body)
{
    contacts_range range = contacts_range_by_left(&space->contacts, body->id);
    const struct contact *contact;

    if (bodies_layer_contains(bodies_layer_at(&space->bodies, BODIES_ASLEEP), body)) {
        return;
    }
    needs(bodies_move(&space->bodies, body, BODIES_ASLEEP) == BODIES_OK);
    while ((contact = contacts_next_by_left(&space->contacts, &range)) != NULL) {
        sleep_with_island(space, contact->right);
    }
    range = contacts_range_by_right(&space->contacts, body->id);
    while ((contact = contacts_next_by_right(&space->contacts, &range)) != NULL) {
        sleep_with_island(space, contact->left);
    }
}

static void step(struct space *space)
{
    bodies_layer *awake = bodies_layer_at(&space->bodies, BODIES_AWAKE);

    BODIES_LAYER_EACH(awake, body) {
        body->x += body->speed;
        body->speed = body->x < EDGE ? body->speed : 0;
        body->still = body->speed == 0 ? body->still + 1 : 0;
        body->seen = false;
    }
    BODIES_LAYER_EACH(awake, a) {
        BODIES_EACH(&space->bodies, b) {
            if (a != b && near(a, b, REACH)) {
                unsigned before = space->destroyed;

                touch(space, a, b);
                if (space->destroyed != before) {
                    break; /* `a` may have been destroyed; both loops go on with what remains */
                }
            }
        }
    }
    CONTACTS_EACH(&space->contacts, contact) {
        if (!near(contact->left, contact->right, REACH)) {
            contacts_remove_current(&contact_cursor);
        }
    }
    BODIES_LAYER_EACH(awake, body) {
        if (!body->seen && rests(space, body)) {
            sleep_with_island(space, body); /* takes others out of the set that this loop is going over */
        }
    }
}

/* Every contact is of two bodies that are there and touch, and every two that touch have one. */
static bool is_right(const struct space *space)
{
    size_t pairs = 0;

    BODIES_EACH_CONST(&space->bodies, a) {
        BODIES_EACH_CONST(&space->bodies, b) {
            pairs += a->id < b->id && near(a, b, REACH);
            if (a->id < b->id && near(a, b, REACH) && contacts_find_by_pair_const(&space->contacts, (uint64_t)a->id << 32 | b->id) == NULL) {
                return false;
            }
        }
    }
    return pairs == contacts_count(&space->contacts);
}

static void play(void)
{
    struct space space = {.last_id = 0};
    unsigned steps = 0;

    for (int i = 0; i < 40; i++) {
        (void)make(&space, BODIES_AWAKE, 4 * i - i / 4 * 2, 0); /* groups of four, in which none touches */
    }
    (void)make(&space, BODIES_AWAKE, -20, 1);
    for (int i = 0; i < 3; i++) {
        make(&space, BODIES_AWAKE, 38 + 40 * i, 0)->explodes = true;
    }
    do {
        step(&space);
        if (!is_right(&space)) {
            puts("a contact is wrong");
        }
        steps++;
    } while (!bodies_layer_is_empty(bodies_layer_at(&space.bodies, BODIES_AWAKE)) && steps < 1000);
    printf("%u steps, %u destroyed, %u at rest, %u contacts\n", steps, space.destroyed,
           (unsigned)bodies_layer_count(bodies_layer_at(&space.bodies, BODIES_ASLEEP)), (unsigned)contacts_count(&space.contacts));
    BODIES_EACH(&space.bodies, body) {
        destroy(&space, body);
    }
    bodies_deinit(&space.bodies);
    contacts_deinit(&space.contacts);
}

int main(void)
{
    wake_all();
    play();
    return 0;
}
