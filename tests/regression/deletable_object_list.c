/* The deletable object list: what its original got wrong, and how it is meant to behave (see README.md). */
#include "deletable_object_list.h"
#include "check.h"

static struct trace trace;
static struct ship ships[400]; /* ships[1] has id 1 */

bool ship_is_gone(const struct ship *ship)
{
    return ship->gone;
}

/* Ships 1 to `count`. */
static wing wing_of(uint32_t count)
{
    wing list = {0};

    memset(ships, 0, sizeof ships);
    for (uint32_t id = 1; id < sizeof ships / sizeof *ships; id++) {
        ships[id].id = id;
    }
    for (uint32_t id = 1; id <= count; id++) {
        CHECK(wing_add(&list, &ships[id]) == WING_OK);
    }
    return list;
}

/* Notes what a pass over the list visits. */
static struct trace *held(wing *list)
{
    static struct trace held;

    CHECK(wing_check(list) == NULL);
    held.count = 0;
    WING_EACH(list, ship) { note(&held, ship->id); }
    CHECK(wing_check(list) == NULL);
    return &held;
}

/* Visits everything that is left for a cursor. */
static void finish(wing_cursor *cursor)
{
    struct ship *ship;

    while ((ship = wing_next(cursor)) != NULL) {
        note(&trace, ship->id);
    }
}

static struct spark spark(uint32_t id)
{
    struct spark made = {0};

    made.id = id;
    made.life = 1;
    return made;
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

/* Clearing, and removing the last one that lived, emptied the storage under a pass, which then skipped what was added
 * below its place and visited what came to lie above it. All that is added after a clear is visited here. */
static void bug_40_clear_under_a_pass(void)
{
    wing list = wing_of(5);
    wing_cursor second;

    WING_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 3) {
            wing_clear(&list);
            CHECK(wing_is_empty(&list));
            CHECK(wing_add(&list, &ships[6]) == WING_OK);
            CHECK(wing_add(&list, &ships[7]) == WING_OK);
            CHECK(wing_add(&list, &ships[8]) == WING_OK);
        }
    }
    CHECK_TRACE(&trace, "1 2 3 6 7 8");
    CHECK_TRACE(held(&list), "6 7 8");
    wing_deinit(&list);

    /* the last that lives is removed, under two passes, by each of the three ways */
    for (int way = 0; way < 3; way++) {
        list = wing_of(2);
        second = wing_begin(&list);
        CHECK(wing_next(&second) == &ships[1]);
        WING_EACH(&list, ship)
        {
            note(&trace, ship->id);
            if (ship->id <= 2) {
                if (way == 0) {
                    CHECK(wing_remove_current(&ship_cursor) == WING_OK);
                } else if (way == 1) {
                    CHECK(wing_remove(&list, ship) == WING_OK);
                } else {
                    ship->gone = true;
                }
                if (ship->id == 2) {
                    CHECK(wing_add(&list, &ships[3]) == WING_OK);
                }
            }
        }
        CHECK_TRACE(&trace, "1 2 3");
        finish(&second);
        CHECK_TRACE(&trace, "3");
        CHECK_TRACE(held(&list), "3");
        wing_deinit(&list);
    }

    /* empty from the start: what is added is visited, too */
    list = wing_of(0);
    second = wing_begin(&list);
    CHECK(wing_add(&list, &ships[4]) == WING_OK);
    finish(&second);
    CHECK_TRACE(&trace, "4");
    wing_deinit(&list);
}

/* An enumerator that was ended twice made the list believe that no pass was live, and it compacted under one that was. */
static void bug_41_ending_twice(void)
{
    wing list = wing_of(6);
    wing_cursor outer = wing_begin(&list);
    wing_cursor inner;

    CHECK(wing_next(&outer) == &ships[1]);
    CHECK(wing_next(&outer) == &ships[2]);
    CHECK(wing_next(&outer) == &ships[3]);
    inner = wing_begin(&list);
    wing_end(&inner);
    wing_end(&inner);
    CHECK(wing_remove(&list, &ships[1]) == WING_OK);
    CHECK(wing_remove(&list, &ships[2]) == WING_OK);
    CHECK(wing_remove(&list, &ships[3]) == WING_OK);
    CHECK(wing_add(&list, &ships[7]) == WING_OK);
    finish(&outer);
    CHECK_TRACE(&trace, "4 5 6 7");
    wing_end(&outer);
    wing_end(&outer);
    CHECK_TRACE(held(&list), "4 5 6 7");

    /* a pass that came to its end is ended once more */
    outer = wing_begin(&list);
    CHECK(wing_next(&outer) == &ships[4]);
    inner = wing_begin(&list);
    finish(&inner);
    CHECK_TRACE(&trace, "4 5 6 7");
    wing_end(&inner);
    CHECK(wing_remove(&list, &ships[4]) == WING_OK && wing_remove(&list, &ships[5]) == WING_OK);
    finish(&outer);
    CHECK_TRACE(&trace, "6 7");
    CHECK_TRACE(held(&list), "6 7");
    wing_deinit(&list);
}

/* One enumerator that was never ended kept the list from ever compacting again. Here a frame's end puts it right. */
static void bug_42_a_forgotten_cursor(void)
{
    wing list = wing_of(300);
    wing_cursor forgotten = wing_begin(&list);
    size_t capacity = wing_capacity(&list);

    CHECK(wing_next(&forgotten) == &ships[1]);
    for (uint32_t id = 1; id <= 290; id++) {
        CHECK(wing_remove(&list, &ships[id]) == WING_OK);
    }
    CHECK(wing_count(&list) == 10 && list.used == 300);
    CHECK_TRACE(held(&list), "291 292 293 294 295 296 297 298 299 300");
    wing_settle(&list);
    CHECK(list.used == 10);
    wing_end(&forgotten); /* too late, and without harm */
    CHECK_TRACE(held(&list), "291 292 293 294 295 296 297 298 299 300");
    for (uint32_t round = 0; round < 50; round++) {
        for (uint32_t id = 1; id <= 200; id++) {
            CHECK(wing_add(&list, &ships[id]) == WING_OK);
        }
        for (uint32_t id = 1; id <= 200; id++) {
            CHECK(wing_remove(&list, &ships[id]) == WING_OK);
        }
    }
    CHECK(wing_capacity(&list) == capacity);
    wing_deinit(&list);
}

/* The share of dead slots at which it compacts was one of the living, not of all as it said. Here: a fifth of all slots. */
static void bug_43_the_share_of_dead_slots(void)
{
    wing list = wing_of(100);

    for (uint32_t id = 1; id <= 20; id++) {
        CHECK(wing_remove(&list, &ships[id]) == WING_OK);
    }
    CHECK(list.used <= 100 && wing_count(&list) == 80);
#if !BESPOKE_CHAOS
    CHECK(list.used == 100);
#endif
    CHECK(wing_remove(&list, &ships[50]) == WING_OK);
    CHECK(list.used == 79 && wing_count(&list) == 79 && wing_check(&list) == NULL);
    wing_deinit(&list);
}

/* What had expired was only noticed by a pass that came across it, so that a list nobody walked kept it for ever. */
static void bug_44_expired_and_never_walked(void)
{
    wing list = wing_of(100);

    for (uint32_t id = 1; id <= 99; id++) {
        ships[id].gone = true;
    }
    CHECK(wing_count(&list) == 100);
    wing_settle(&list);
    CHECK(wing_count(&list) == 1 && list.used == 1);
    CHECK_TRACE(held(&list), "100");

    /* and a pass that is left early has let go of what it came across */
    for (uint32_t id = 1; id <= 5; id++) {
        ships[id].gone = id < 5;
        CHECK(wing_add(&list, &ships[id]) == WING_OK);
    }
    ships[100].gone = true;
    WING_EACH(&list, ship)
    {
        CHECK(ship == &ships[5]);
        break;
    }
    CHECK(wing_count(&list) == 1);
    CHECK_TRACE(held(&list), "5");
    wing_deinit(&list);
}

/* Compacting by hand during a pass made it skip. (Later it was an error; here it waits: nothing happens.) A frame's end in
 * a pass ends the pass. */
static void bug_46_compacting_in_a_pass(void)
{
    wing list = wing_of(6);
    size_t capacity = wing_capacity(&list);
    wing_cursor cursor;

    WING_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id <= 4) {
            CHECK(wing_remove_current(&ship_cursor) == WING_OK);
        }
        CHECK(wing_shrink_to_fit(&list) == WING_OK);
        CHECK(wing_capacity(&list) == capacity && list.used == 6);
    }
    CHECK_TRACE(&trace, "1 2 3 4 5 6");
    CHECK_TRACE(held(&list), "5 6");

    cursor = wing_begin(&list);
    CHECK(wing_next(&cursor) == &ships[5]);
    wing_settle(&list);
#if !BESPOKE_CHECKS
    CHECK(wing_next(&cursor) == NULL);
    CHECK(wing_remove_current(&cursor) == WING_ABSENT);
#endif
    CHECK_TRACE(held(&list), "5 6");
    wing_clear(&list);
    CHECK(wing_shrink_to_fit(&list) == WING_OK && wing_capacity(&list) == 0);
    wing_deinit(&list);
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* What is added is visited by every pass that is not over, also when the storage grows. */
static void row_a_adds_are_visited(void)
{
    wing list = wing_of(1);
    wing_cursor early = wing_begin(&list);
    size_t i = 0;

    WING_EACH(&list, ship)
    {
        CHECK(ship->id == ++i);
        if (ship->id < 300) {
            CHECK(wing_add(&list, &ships[ship->id + 1]) == WING_OK);
        }
    }
    CHECK(i == 300);
    for (uint32_t id = 1; id <= 300; id++) {
        CHECK(wing_next(&early) == &ships[id]);
    }
    CHECK(wing_add(&list, &ships[301]) == WING_OK);
    CHECK(wing_next(&early) == &ships[301]);
    CHECK(wing_next(&early) == NULL);
    wing_deinit(&list);

    /* the current one, being the last, is removed and then one is added; or the other way about */
    for (int first = 0; first < 2; first++) {
        list = wing_of(2);
        WING_EACH(&list, ship)
        {
            note(&trace, ship->id);
            if (ship->id == 2) {
                if (first == 0) {
                    CHECK(wing_remove_current(&ship_cursor) == WING_OK);
                }
                CHECK(wing_add(&list, &ships[3]) == WING_OK);
                if (first == 1) {
                    CHECK(wing_remove_current(&ship_cursor) == WING_OK);
                }
            }
        }
        CHECK_TRACE(&trace, "1 2 3");
        CHECK_TRACE(held(&list), "1 3");
        wing_deinit(&list);
    }
}

/* Removed or expired, an element that is still to come is skipped from then on; one that was visited makes no difference;
 * the current one may go in either way, once. */
static void row_bc_removals_take_effect_at_once(void)
{
    wing list = wing_of(8);

    WING_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 4) {
            CHECK(wing_remove(&list, &ships[2]) == WING_OK);
            CHECK(wing_remove(&list, &ships[6]) == WING_OK);
            CHECK(wing_remove(&list, &ships[6]) == WING_ABSENT);
            CHECK(!wing_contains(&list, &ships[6]) && wing_contains(&list, &ships[7]));
            ships[1].gone = true;
            ships[5].gone = true;
            CHECK(wing_remove_current(&ship_cursor) == WING_OK);
#if !BESPOKE_CHECKS
            CHECK(wing_remove_current(&ship_cursor) == WING_ABSENT);
#endif
            CHECK(wing_remove(&list, ship) == WING_ABSENT);
        } else if (ship->id == 7) {
            ship->gone = true;
        }
    }
    CHECK_TRACE(&trace, "1 2 3 4 7 8");
    CHECK_TRACE(held(&list), "3 8");
    CHECK(wing_count(&list) == 2);
    wing_deinit(&list);
}

/* Passes side by side, at different places; each sees what is there when it comes to it. */
static void row_d_many_passes(void)
{
    wing list = wing_of(100);
    wing_cursor cursors[100];
    uint32_t step = 0;

    for (uint32_t i = 0; i < 100; i++) {
        cursors[i] = wing_begin(&list);
        for (uint32_t id = 1; id <= i; id++) {
            CHECK(wing_next(&cursors[i]) == &ships[id]);
        }
    }
    for (uint32_t id = 2; id <= 100; id += 2) {
        CHECK(wing_remove(&list, &ships[id]) == WING_OK);
    }
    for (uint32_t i = 0; i < 100; i++) { /* cursor i has visited 1 to i */
        struct ship *ship;
        uint32_t wanted = i % 2 == 0 ? i + 1 : i + 2;

        for (; (ship = wing_next(&cursors[i])) != NULL; wanted += 2, step++) {
            CHECK(ship->id == wanted);
        }
        CHECK(wanted == 101);
    }
    CHECK(step == 50 * 51 / 2 + 49 * 50 / 2);
    CHECK(list.used == 50 && wing_check(&list) == NULL); /* tightened when the last one was over */
    wing_deinit(&list);
}

/* Leaving a pass in any way ends it. */
static void row_e_leaving_early(void)
{
    wing list = wing_of(10);

    WING_EACH(&list, outer)
    {
        WING_EACH(&list, inner)
        {
            if (inner->id < 5) {
                CHECK(wing_remove_current(&inner_cursor) == WING_OK);
            } else {
                break;
            }
        }
        note(&trace, outer->id);
        if (outer->id == 6) {
            break;
        }
    }
    CHECK_TRACE(&trace, "1 5 6");
    CHECK(list.used == 6);
    CHECK_TRACE(held(&list), "5 6 7 8 9 10");
    wing_deinit(&list);
}

/* Taken out and put in again, an element is the last one and visited again. One that was let go of because it had expired
 * may recover and be added again (in the original it had to stay expired). */
static void row_g_remove_and_add_again(void)
{
    wing list = wing_of(3);

    WING_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 1 && trace.count < 3) {
            CHECK(wing_remove_current(&ship_cursor) == WING_OK);
            CHECK(wing_add(&list, ship) == WING_OK);
        } else if (ship->id == 2) {
            ship->gone = true;
        }
    }
    CHECK_TRACE(&trace, "1 2 3 1");
    CHECK_TRACE(held(&list), "3 1");
    ships[2].gone = false;
    CHECK(!wing_contains(&list, &ships[2]));
    CHECK(wing_add(&list, &ships[2]) == WING_OK);
    CHECK_TRACE(held(&list), "3 1 2");
    wing_deinit(&list);
}

/* Order is that of adding. Of one that is in twice, the flag takes all and a removal the first. NULL is refused. */
static void row_hi_order_and_duplicates(void)
{
    wing list = wing_of(2);

    CHECK(wing_add(&list, &ships[1]) == WING_OK);
    CHECK_TRACE(held(&list), "1 2 1");
    CHECK(wing_remove(&list, &ships[1]) == WING_OK);
    CHECK_TRACE(held(&list), "2 1");
    CHECK(wing_add(&list, &ships[1]) == WING_OK);
    ships[1].gone = true;
    CHECK_TRACE(held(&list), "2");
#if !BESPOKE_CHECKS
    CHECK(wing_add(&list, NULL) == WING_ABSENT);
#endif
    CHECK(wing_remove(&list, NULL) == WING_ABSENT);
    CHECK_TRACE(held(&list), "2");
    wing_deinit(&list);
}

/* By value: an element stays where it is while a pass is live, however many leave. (Adding may move it: the list grows.) */
static void row_j_values_stay_put_during_a_pass(void)
{
    trail list = {0};

    for (uint32_t id = 1; id <= 200; id++) {
        CHECK(trail_add(&list, spark(id)) == TRAIL_OK);
    }
    TRAIL_EACH(&list, outer)
    {
        uint32_t id = outer->id;

        if (id == 1) {
            TRAIL_EACH(&list, inner)
            {
                if (inner->id % 2 == 0) {
                    CHECK(trail_remove_current(&inner_cursor) == TRAIL_OK);
                } else if (inner->id % 3 == 0) {
                    inner->life = 0;
                }
            }
            CHECK(outer->id == 1 && trail_contains(&list, outer));
        }
        CHECK(id % 2 == 1 && id % 3 != 0);
        note(&trace, id);
    }
    CHECK(trace.count == 67 && trail_count(&list) == 67 && trail_check(&list) == NULL);
    trace.count = 0;
    CHECK(list.used == 67);
    trail_deinit(&list);
}

/* Memory is given back when asked for; slots of those that left are used again. */
static void row_k_capacity(void)
{
    wing list = wing_of(300);
    size_t capacity = wing_capacity(&list);

    CHECK(wing_reserve(&list, capacity) == WING_OK && wing_capacity(&list) == capacity);
    for (uint32_t id = 1; id <= 299; id++) {
        CHECK(wing_remove(&list, &ships[id]) == WING_OK);
    }
    wing_settle(&list);
    CHECK(wing_capacity(&list) == capacity);
    CHECK(wing_shrink_to_fit(&list) == WING_OK && wing_capacity(&list) <= 64);
    CHECK_TRACE(held(&list), "300");
    wing_deinit(&list);
}

/* Dead slots are squeezed out when the last pass ends, though it began when they were dead and has seen nothing leave. */
static void row_k_passes_side_by_side(void)
{
    wing list = wing_of(300);
    wing_cursor first = wing_begin(&list);
    wing_cursor second;
    wing_cursor third;

    for (uint32_t id = 1; id <= 299; id++) {
        CHECK(wing_remove(&list, &ships[id]) == WING_OK);
    }
    CHECK(list.used == 300);
    second = wing_begin(&list);
    third = wing_begin(&list);
    wing_end(&third);
    CHECK(list.used == 300 && wing_next(&second) == &ships[300]);
    wing_end(&first);
    CHECK(list.used == 300 && wing_check(&list) == NULL);
    wing_end(&second);
    CHECK(list.used == 1 && wing_check(&list) == NULL);
    CHECK_TRACE(held(&list), "300");

    /* One that has begun again after a settle is not ended by a cursor from before. */
    first = wing_begin(&list);
    wing_settle(&list);
    second = wing_begin(&list);
    wing_end(&first);
    CHECK(list.passes == 1 && wing_next(&second) == &ships[300]);
    wing_end(&second);
    wing_end(&second);
    CHECK(list.passes == 0);
    wing_deinit(&list);
}

/* A full list in which one leaves and one comes, over and over, is not squeezed for each that comes. */
static void row_k_full_with_few_dead(void)
{
    wing list = wing_of(256);
    size_t squeezed = 0;

    CHECK(wing_shrink_to_fit(&list) == WING_OK && wing_capacity(&list) == 256);
    for (uint32_t i = 0; i < 2560; i++) {
        size_t used = list.used;

        CHECK(wing_remove(&list, &ships[1 + i % 256]) == WING_OK);
        CHECK(wing_add(&list, &ships[1 + i % 256]) == WING_OK);
        squeezed += list.used <= used;
    }
    CHECK(squeezed <= 2560 / (256 / 8) && wing_capacity(&list) <= 512);
    CHECK(wing_check(&list) == NULL && wing_count(&list) == 256);
    wing_deinit(&list);

    /* Room that was asked for is made of dead slots, if they are enough. */
    list = wing_of(256);
    CHECK(wing_shrink_to_fit(&list) == WING_OK && wing_capacity(&list) == 256);
    CHECK(wing_remove(&list, &ships[1]) == WING_OK && wing_remove(&list, &ships[2]) == WING_OK);
    CHECK(wing_reserve(&list, 256) == WING_OK && wing_capacity(&list) == 256);
    wing_deinit(&list);
}

int main(void)
{
    bug_40_clear_under_a_pass();
    bug_41_ending_twice();
    bug_42_a_forgotten_cursor();
    bug_43_the_share_of_dead_slots();
    bug_44_expired_and_never_walked();
    bug_46_compacting_in_a_pass();
    row_a_adds_are_visited();
    row_bc_removals_take_effect_at_once();
    row_d_many_passes();
    row_e_leaving_early();
    row_g_remove_and_add_again();
    row_hi_order_and_duplicates();
    row_j_values_stay_put_during_a_pass();
    row_k_capacity();
    row_k_passes_side_by_side();
    row_k_full_with_few_dead();
    return checks_result();
}
