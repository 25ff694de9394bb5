/* The constant time array: what its original got wrong, and how it is meant to behave (see README.md). The order is
 * nobody's business, so passes are judged by who was visited and how often. */
#include "constant_time_array.h"
#include "check.h"

static struct trace trace;
static struct ship ships[200]; /* ships[1] has id 1 */

static squad squad_of(uint32_t count)
{
    squad list = {0};

    memset(ships, 0, sizeof ships);
    for (uint32_t id = 1; id < sizeof ships / sizeof *ships; id++) {
        ships[id].id = id;
    }
    for (uint32_t id = 1; id <= count; id++) {
        CHECK(squad_add(&list, &ships[id]) == SQUAD_OK);
    }
    return list;
}

static struct trace *held(const squad *list)
{
    static struct trace held;

    CHECK(squad_check(list) == NULL);
    held.count = 0;
    for (size_t i = 0; i < squad_count(list); i++) {
        note(&held, squad_get(list, i)->id);
    }
    return &held;
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

/* Removing did not tell the element that moved into the hole: it could never be removed nor added again. */
static void bug_52_the_moved_element_knows_its_place(void)
{
    squad list = squad_of(3);

    CHECK(squad_remove(&list, &ships[1]) == SQUAD_OK);
    CHECK(squad_contains(&list, &ships[3]) && squad_contains(&list, &ships[2]) && !squad_contains(&list, &ships[1]));
    CHECK_TRACE_OF_ALL(held(&list), "2 3");
    CHECK(squad_remove(&list, &ships[3]) == SQUAD_OK);
    CHECK(squad_add(&list, &ships[3]) == SQUAD_OK);
    CHECK(squad_add(&list, &ships[1]) == SQUAD_OK);
    CHECK_TRACE_OF_ALL(held(&list), "1 2 3");
    squad_deinit(&list);
    for (int id = 1; id <= 3; id++) {
        CHECK(ships[id].squad_slot == 0);
    }

    /* the last one, which is its own successor */
    list = squad_of(1);
    CHECK(squad_remove(&list, &ships[1]) == SQUAD_OK && squad_is_empty(&list));
    CHECK(squad_remove(&list, &ships[1]) == SQUAD_ABSENT);
    CHECK(squad_add(&list, &ships[1]) == SQUAD_OK);
    CHECK_TRACE(held(&list), "1");
    squad_deinit(&list);

    /* all of them, in an order that has nothing to do with that of adding */
    list = squad_of(100);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(squad_remove(&list, &ships[1 + i * 37 % 100]) == SQUAD_OK);
        CHECK(squad_check(&list) == NULL && squad_count(&list) == 99 - i);
    }
    squad_deinit(&list);
}

/* Adding to a full array failed with the element left half in. This one grows; what cannot be is told by the status. */
static void bug_53_adding_beyond_the_first_room(void)
{
    squad list = squad_of(0);
    size_t capacity;

    CHECK(squad_reserve(&list, 16) == SQUAD_OK);
    capacity = squad_capacity(&list);
    for (uint32_t id = 1; id <= 199; id++) {
        CHECK(squad_add(&list, &ships[id]) == SQUAD_OK);
    }
    CHECK(squad_count(&list) == 199 && squad_capacity(&list) > capacity && squad_check(&list) == NULL);
    CHECK(squad_reserve(&list, SIZE_MAX / 2) == SQUAD_NO_MEMORY);
    CHECK(squad_count(&list) == 199 && squad_check(&list) == NULL);
    squad_deinit(&list);
}

/* An element of another container was ignored without a word, by adding and by removing; and removing could hit whoever
 * was at the same place here. It is told apart, and nothing happens to either. */
static void bug_54_elements_of_another_container(void)
{
    squad one = squad_of(3);
    squad other = {0};
    struct ship stray = {0};

    CHECK(squad_add(&other, &ships[4]) == SQUAD_OK && squad_add(&other, &ships[5]) == SQUAD_OK);
    CHECK(squad_add(&other, &ships[1]) == SQUAD_FOREIGN);
    CHECK(!squad_contains(&other, &ships[1]) && !squad_contains(&one, &ships[4]));
    CHECK(squad_remove(&one, &ships[4]) == SQUAD_FOREIGN);
    CHECK(squad_remove(&other, &ships[3]) == SQUAD_FOREIGN);
    CHECK_TRACE_OF_ALL(held(&one), "1 2 3");
    CHECK_TRACE_OF_ALL(held(&other), "4 5");

    /* out of one it may go into the other; and a whole container may go over */
    CHECK(squad_remove(&one, &ships[1]) == SQUAD_OK && squad_add(&other, &ships[1]) == SQUAD_OK);
    CHECK_TRACE_OF_ALL(held(&other), "1 4 5");
    {
        size_t taken = 0;

        CHECK(squad_add_from(&one, &other, &taken) == SQUAD_OK && taken == 3);
        CHECK_TRACE_OF_ALL(held(&one), "1 2 3 4 5");
        CHECK(squad_is_empty(&other) && squad_check(&other) == NULL);
        CHECK(squad_add_from(&other, &one, &taken) == SQUAD_OK && taken == 5);
        CHECK_TRACE_OF_ALL(held(&other), "1 2 3 4 5");
        CHECK(squad_remove(&one, &ships[1]) == SQUAD_FOREIGN && squad_remove(&other, &ships[1]) == SQUAD_OK);
    }

    /* a place that was never zeroed, for one that is in no container */
    stray.squad_slot = 2;
    CHECK(squad_add(&other, &stray) == SQUAD_FOREIGN && squad_remove(&other, &stray) == SQUAD_FOREIGN);
    CHECK_TRACE_OF_ALL(held(&other), "2 3 4 5");
    squad_deinit(&one);
    squad_deinit(&other);
}

/* Adding answered nothing. Every outcome has its name here. */
static void bug_55_adding_answers(void)
{
    squad list = squad_of(1);
    struct ship *array[3] = {&ships[2], &ships[1], &ships[3]};
    size_t taken = 99;

    CHECK(squad_add(&list, &ships[1]) == SQUAD_DUPLICATE);
    CHECK(squad_add_all(&list, array, 3, &taken) == SQUAD_DUPLICATE && taken == 2);
#if !BESPOKE_CHECKS
    CHECK(squad_add(&list, NULL) == SQUAD_ABSENT);
#endif
    CHECK_TRACE_OF_ALL(held(&list), "1 2 3");
    squad_deinit(&list);
}

/* A place was compared with the length of the storage and not with the number of elements, so that what had been there
 * once passed for an element. */
static void bug_56_a_place_behind_the_last_element(void)
{
    squad list = squad_of(4);
    struct ship copy;

    copy = ships[4]; /* knows the last place */
    CHECK(squad_remove(&list, &ships[4]) == SQUAD_OK);
    CHECK(ships[4].squad_slot == 0);
    ships[4].squad_slot = 4; /* in the storage, and behind the last element */
    CHECK(squad_capacity(&list) >= 4);
    CHECK(!squad_contains(&list, &ships[4]) && squad_remove(&list, &ships[4]) == SQUAD_FOREIGN);
    CHECK(!squad_contains(&list, &copy) && squad_remove(&list, &copy) == SQUAD_FOREIGN);
    ships[4].squad_slot = UINT32_MAX;
    CHECK(!squad_contains(&list, &ships[4]) && squad_remove(&list, &ships[4]) == SQUAD_FOREIGN);
    CHECK(squad_get(&list, 3) == NULL && squad_remove_at(&list, 3) == SQUAD_ABSENT);
    CHECK_TRACE_OF_ALL(held(&list), "1 2 3");
    squad_deinit(&list);
}

/* Removing in a loop over an array that fills holes with its last element skips or repeats, and nothing said so. Here: for
 * every size, every moment and every element removed at it, whoever is left is visited exactly once. */
static void bug_59_no_skip_and_no_repeat(void)
{
    for (uint32_t count = 1; count <= 7; count++) {
        for (uint32_t at = 1; at <= count; at++) {
            for (uint32_t whom = 1; whom <= count; whom++) {
                squad list = squad_of(count);
                unsigned visits[8] = {0};
                uint32_t step = 0;
                bool visited = false;

                SQUAD_EACH(&list, ship)
                {
                    visits[ship->id]++;
                    if (++step == at) {
                        visited = visits[whom] == 1;
                        CHECK(squad_remove(&list, &ships[whom]) == SQUAD_OK);
                        CHECK(squad_check(&list) == NULL);
                    }
                }
                for (uint32_t id = 1; id <= count; id++) {
                    CHECK(visits[id] == (id == whom && !visited ? 0 : 1));
                }
                CHECK(squad_count(&list) == count - 1);
                squad_deinit(&list);
            }
        }
    }
}

/* The same with two removals, an add between them, and an outer pass that is at every possible place. */
static void bug_59_nor_with_a_second_pass(void)
{
    const uint32_t count = 5;

    for (uint32_t outer_at = 1; outer_at <= count; outer_at++) {
        for (uint32_t inner_at = 1; inner_at <= count; inner_at++) {
            for (uint32_t one = 1; one <= count; one++) {
                for (uint32_t two = 1; two <= count; two++) {
                    squad list = squad_of(count);
                    unsigned outer_visits[7] = {0}, inner_visits[7] = {0};
                    bool outer_had[7] = {false}, inner_had[7] = {false};
                    uint32_t outer_step = 0, inner_step = 0;

                    SQUAD_EACH(&list, outer)
                    {
                        outer_visits[outer->id]++;
                        if (++outer_step != outer_at) {
                            continue;
                        }
                        SQUAD_EACH(&list, inner)
                        {
                            inner_visits[inner->id]++;
                            if (++inner_step == inner_at) {
                                outer_had[one] = outer_visits[one] > 0;
                                inner_had[one] = inner_visits[one] > 0;
                                outer_had[two] = outer_visits[two] > 0;
                                inner_had[two] = inner_visits[two] > 0;
                                CHECK(squad_remove(&list, &ships[one]) == SQUAD_OK);
                                CHECK(squad_add(&list, &ships[6]) == SQUAD_OK);
                                CHECK(squad_remove(&list, &ships[two]) == (one == two ? SQUAD_ABSENT : SQUAD_OK));
                                CHECK(squad_check(&list) == NULL);
                            }
                        }
                    }
                    for (uint32_t id = 1; id <= 6; id++) {
                        bool gone = id == one || id == two;

                        CHECK(outer_visits[id] == (gone && !outer_had[id] ? 0 : 1));
                        CHECK(inner_visits[id] == (gone && !inner_had[id] ? 0 : 1));
                    }
                    squad_deinit(&list);
                }
            }
        }
    }
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* What is added is visited in the same pass, also behind a removal, also when the storage grows. */
static void row_a_adds_are_visited(void)
{
    squad list = squad_of(2);
    unsigned visits[200] = {0};
    uint32_t next = 3;

    SQUAD_EACH(&list, ship)
    {
        visits[ship->id]++;
        if (ship->id % 2 == 0) {
            CHECK(squad_remove_current(&ship_cursor) == SQUAD_OK);
        }
        if (next < 200) {
            CHECK(squad_add(&list, &ships[next++]) == SQUAD_OK);
        }
    }
    for (uint32_t id = 1; id < 200; id++) {
        CHECK(visits[id] == 1);
    }
    CHECK(squad_count(&list) == 100 && squad_check(&list) == NULL);
    squad_deinit(&list);
}

/* The current element is removed: the one that takes its place is visited all the same. A second time there is none. */
static void row_b_removing_the_current_element(void)
{
    squad list = squad_of(6);
    squad_cursor cursor;

    SQUAD_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id != 4) {
            CHECK(squad_remove_current(&ship_cursor) == SQUAD_OK);
            CHECK(ship->squad_slot == 0);
        }
    }
    CHECK_TRACE_OF_ALL(&trace, "1 2 3 4 5 6");
    CHECK_TRACE(held(&list), "4");
    CHECK(squad_add(&list, &ships[5]) == SQUAD_OK);
    cursor = squad_begin(&list);
#if !BESPOKE_CHECKS
    CHECK(squad_remove_current(&cursor) == SQUAD_ABSENT);
#endif
    CHECK(squad_next(&cursor) != NULL);
    CHECK(squad_remove_current(&cursor) == SQUAD_OK);
#if !BESPOKE_CHECKS
    CHECK(squad_remove_current(&cursor) == SQUAD_ABSENT);
#endif
    CHECK(squad_count(&list) == 1);
    CHECK(squad_next(&cursor) != NULL && squad_next(&cursor) == NULL);
    squad_deinit(&list);
}

/* In a forward loop, the last element moves to a place that was passed already when one is removed that was visited: it
 * was skipped. In the same loop, one removed that is still to come is not visited. */
static void row_c_removing_others(void)
{
    squad list = squad_of(6);
    uint32_t first = 0;

    SQUAD_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (trace.count == 1) {
            first = ship->id;
        } else if (trace.count == 3) {
            CHECK(squad_remove(&list, &ships[first]) == SQUAD_OK);
        }
    }
    CHECK_TRACE_OF_ALL(&trace, "1 2 3 4 5 6");
    CHECK(squad_count(&list) == 5);

    SQUAD_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (trace.count == 1) {
            for (uint32_t id = 1; id <= 6; id++) {
                if (id != ship->id && id != first) {
                    CHECK(squad_remove(&list, &ships[id]) == SQUAD_OK);
                }
            }
        }
    }
    CHECK(trace.count == 1 && squad_count(&list) == 1 && squad_check(&list) == NULL);
    trace.count = 0;
    squad_deinit(&list);
}

/* Eight passes, each a step further than the one before; then half of the elements leave. */
static void row_d_many_passes(void)
{
    squad list = squad_of(40);
    squad_cursor cursors[SQUAD_PASSES];
    unsigned visits[SQUAD_PASSES][41] = {{0}};
    bool had[SQUAD_PASSES][41] = {{false}};

    for (size_t i = 0; i < SQUAD_PASSES; i++) {
        cursors[i] = squad_begin(&list);
        for (size_t step = 0; step < 5 * i; step++) {
            visits[i][squad_next(&cursors[i])->id]++;
        }
    }
    for (uint32_t id = 1; id <= 40; id += 2) {
        for (size_t i = 0; i < SQUAD_PASSES; i++) {
            had[i][id] = visits[i][id] > 0;
        }
        CHECK(squad_remove(&list, &ships[id]) == SQUAD_OK);
        CHECK(squad_check(&list) == NULL);
    }
    for (size_t i = 0; i < SQUAD_PASSES; i++) {
        struct ship *ship;

        while ((ship = squad_next(&cursors[i])) != NULL) {
            visits[i][ship->id]++;
        }
        for (uint32_t id = 1; id <= 40; id++) {
            CHECK(visits[i][id] == (id % 2 == 1 && !had[i][id] ? 0 : 1));
        }
    }
    squad_deinit(&list);
}

/* Leaving early, and a cursor that nobody ends, harm nobody. */
static void row_e_leaving_early(void)
{
    squad list = squad_of(5);

    for (int i = 0; i < 100; i++) {
        SQUAD_EACH(&list, ship)
        {
            CHECK(squad_remove_current(&ship_cursor) == SQUAD_OK && squad_add(&list, ship) == SQUAD_OK);
            break;
        }
    }
    for (int frame = 0; frame < 20; frame++) {
        squad_cursor cursor = squad_begin(&list);

        CHECK(squad_next(&cursor) != NULL);
        squad_settle(&list);
    }
    CHECK_TRACE_OF_ALL(held(&list), "1 2 3 4 5");
    SQUAD_EACH(&list, ship) { note(&trace, ship->id); }
    CHECK_TRACE_OF_ALL(&trace, "1 2 3 4 5");
    squad_deinit(&list);
}

/* The original could not be cleared. Clearing leaves no element with a place, and what is added after it is visited. */
static void row_f_clear_in_a_pass(void)
{
    squad list = squad_of(5);

    SQUAD_EACH(&list, ship)
    {
        note(&trace, ship->id > 5 ? ship->id : 0);
        if (trace.count == 2) {
            squad_clear(&list);
            CHECK(squad_is_empty(&list));
            for (uint32_t id = 1; id <= 5; id++) {
                CHECK(ships[id].squad_slot == 0);
            }
            CHECK(squad_add(&list, &ships[8]) == SQUAD_OK && squad_add(&list, &ships[9]) == SQUAD_OK);
        }
    }
    CHECK_TRACE_OF_ALL(&trace, "0 0 8 9");
    CHECK_TRACE_OF_ALL(held(&list), "8 9");
    squad_deinit(&list);
}

/* Taken out and put in again, an element is visited once more in the same pass. */
static void row_g_remove_and_add_again(void)
{
    squad list = squad_of(4);
    unsigned visits[5] = {0};

    SQUAD_EACH(&list, ship)
    {
        if (++visits[ship->id] == 1 && ship->id == 2) {
            CHECK(squad_remove(&list, ship) == SQUAD_OK && squad_add(&list, ship) == SQUAD_OK);
        }
    }
    CHECK(visits[1] == 1 && visits[2] == 2 && visits[3] == 1 && visits[4] == 1);
    squad_deinit(&list);
}

/* The original had a fixed size. This one grows, and gives memory back when asked. */
static void row_k_capacity(void)
{
    squad list = squad_of(199);
    size_t capacity = squad_capacity(&list);

    for (uint32_t id = 1; id <= 196; id++) {
        CHECK(squad_remove(&list, &ships[id]) == SQUAD_OK);
    }
    CHECK(squad_capacity(&list) == capacity);
    SQUAD_EACH(&list, ship)
    {
        note(&trace, ship->id);
        CHECK(squad_shrink_to_fit(&list) == SQUAD_OK && squad_capacity(&list) == capacity);
    }
    CHECK_TRACE_OF_ALL(&trace, "197 198 199");
    CHECK(squad_shrink_to_fit(&list) == SQUAD_OK && squad_capacity(&list) == 3);
    CHECK_TRACE_OF_ALL(held(&list), "197 198 199");
    squad_deinit(&list);
}

int main(void)
{
    bug_52_the_moved_element_knows_its_place();
    bug_53_adding_beyond_the_first_room();
    bug_54_elements_of_another_container();
    bug_55_adding_answers();
    bug_56_a_place_behind_the_last_element();
    bug_59_no_skip_and_no_repeat();
    bug_59_nor_with_a_second_pass();
    row_a_adds_are_visited();
    row_b_removing_the_current_element();
    row_c_removing_others();
    row_d_many_passes();
    row_e_leaving_early();
    row_f_clear_in_a_pass();
    row_g_remove_and_add_again();
    row_k_capacity();
    return checks_result();
}
