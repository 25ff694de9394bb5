/* The read-write collection: what its original got wrong, and how it is meant to behave (see README.md). */
#include "read_write_collection.h"
#include "check.h"

static struct trace trace;

static struct spark spark(uint32_t id)
{
    struct spark made = {0};

    made.id = id;
    made.life = 1;
    return made;
}

/* Sparks 1 to `count`. */
static sparks sparks_of(uint32_t count)
{
    sparks list = {0};

    for (uint32_t id = 1; id <= count; id++) {
        CHECK(sparks_add(&list, spark(id)) == SPARKS_OK);
    }
    return list;
}

/* Notes what the list holds, by place. */
static struct trace *held(const sparks *list)
{
    static struct trace held;

    CHECK(sparks_check(list) == NULL);
    held.count = 0;
    for (size_t i = 0; i < sparks_count(list); i++) {
        note(&held, sparks_get(list, i)->id);
    }
    return &held;
}

static void walk(sparks *list)
{
    SPARKS_EACH(list, element) { note(&trace, element->id); }
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

static void leave_by_return(sparks *list)
{
    SPARKS_EACH(list, element)
    {
        if (element->id == 1) {
            sparks_remove_current(&element_cursor);
        } else if (element->id == 3) {
#if !defined(__GNUC__)
            sparks_end(&element_cursor); /* gcc and clang do it by themselves */
#endif
            return;
        }
    }
}

/* Leaving a pass early lost the current element, the next one too if the current was removed, and could fail. */
static void bug_01_leaving_a_pass_loses_nothing(void)
{
    /* standing on a kept element, with a gap open before it */
    sparks list = sparks_of(5);
    sparks_cursor cursor;

    SPARKS_EACH(&list, element)
    {
        if (element->id == 2) {
            sparks_remove_current(&element_cursor);
        } else if (element->id == 3) {
            break;
        }
    }
    CHECK_TRACE(held(&list), "1 3 4 5");
    walk(&list);
    CHECK_TRACE(&trace, "1 3 4 5");
    sparks_deinit(&list);

    /* standing on a removed one */
    list = sparks_of(5);
    SPARKS_EACH(&list, element)
    {
        if (element->id == 3) {
            sparks_remove_current(&element_cursor);
            break;
        }
    }
    CHECK_TRACE(held(&list), "1 2 4 5");
    sparks_deinit(&list);

    /* the removed one being the last */
    list = sparks_of(3);
    SPARKS_EACH(&list, element)
    {
        if (element->id == 3) {
            sparks_remove_current(&element_cursor);
            break;
        }
    }
    CHECK_TRACE(held(&list), "1 2");
    CHECK(sparks_add(&list, spark(4)) == SPARKS_OK);
    CHECK_TRACE(held(&list), "1 2 4");
    sparks_deinit(&list);

    list = sparks_of(4);
    leave_by_return(&list);
    CHECK_TRACE(held(&list), "2 3 4");
    sparks_deinit(&list);

    /* out of every depth at once */
    list = sparks_of(4);
    SPARKS_EACH(&list, outer)
    {
        SPARKS_EACH(&list, inner)
        {
            if (inner->id == 2) {
                sparks_remove_current(&inner_cursor);
            } else if (inner->id == 3) {
#if !defined(__GNUC__)
                sparks_end(&inner_cursor);
                sparks_end(&outer_cursor);
#endif
                goto out;
            }
        }
    }
out:
    CHECK_TRACE(held(&list), "1 3 4");
    sparks_deinit(&list);

    /* a cursor that nobody ends: nothing is missing at any moment, and settling tidies up */
    list = sparks_of(5);
    cursor = sparks_begin(&list);
    sparks_next(&cursor);
    sparks_remove_current(&cursor);
    sparks_next(&cursor);
    sparks_next(&cursor);
    sparks_remove_current(&cursor);
    CHECK_TRACE(held(&list), "2 4 5");
    walk(&list);
    CHECK_TRACE(&trace, "2 4 5");
    CHECK(sparks_add(&list, spark(6)) == SPARKS_OK);
    CHECK_TRACE(held(&list), "2 4 5 6");
    sparks_settle(&list);
    CHECK_TRACE(held(&list), "2 4 5 6");
    walk(&list);
    CHECK_TRACE(&trace, "2 4 5 6");
    sparks_deinit(&list);
}

/* All loops shared one cursor: a nested loop destroyed the list, or never came to its end. */
static void bug_02_nested_passes_have_their_own_cursors(void)
{
    sparks list = sparks_of(3);

    SPARKS_EACH(&list, outer)
    {
        note(&trace, outer->id);
        SPARKS_EACH(&list, inner) { note(&trace, 10 + inner->id); }
    }
    CHECK_TRACE(&trace, "1 11 12 13 2 11 12 13 3 11 12 13");
    CHECK_TRACE(held(&list), "1 2 3");

    /* each removes what it stands on, also from under the other */
    SPARKS_EACH(&list, outer)
    {
        uint32_t id = outer->id;

        note(&trace, id);
        SPARKS_EACH(&list, inner)
        {
            note(&trace, 10 + inner->id);
            if (id == 1 && inner->id == 2) {
                sparks_remove_current(&inner_cursor);
            }
        }
        if (id == 3) {
            CHECK(sparks_remove_current(&outer_cursor) == SPARKS_OK);
        }
    }
    CHECK_TRACE(&trace, "1 11 12 13 3 11 13");
    CHECK_TRACE(held(&list), "1");
    sparks_deinit(&list);

    /* the inner pass removes what the outer one stands on */
    list = sparks_of(3);
    SPARKS_EACH(&list, outer)
    {
        note(&trace, outer->id);
        SPARKS_EACH(&list, inner)
        {
            if (inner->id == 1) {
                sparks_remove_current(&inner_cursor);
            }
        }
    }
    CHECK_TRACE(&trace, "1 2 3");
    CHECK_TRACE(held(&list), "2 3");
    sparks_deinit(&list);
}

/* A pass that had said it was over went on when it was asked again. With checks on, asking again stops the program. */
static void bug_03_a_pass_that_is_over_stays_over(void)
{
#if !BESPOKE_CHECKS
    sparks list = sparks_of(2);
    sparks_cursor cursor = sparks_begin(&list);

    CHECK(sparks_next(&cursor)->id == 1);
    CHECK(sparks_next(&cursor)->id == 2);
    CHECK(sparks_next(&cursor) == NULL);
    CHECK(sparks_next(&cursor) == NULL);
    CHECK(sparks_add(&list, spark(3)) == SPARKS_OK);
    CHECK(sparks_next(&cursor) == NULL);
    sparks_end(&cursor);
    sparks_end(&cursor);
    CHECK_TRACE(held(&list), "1 2 3");
    sparks_deinit(&list);
#endif
}

/* Steps without the question whether there are more dropped elements. Here a step is one call, and that is all. */
static void bug_04_steps_alone_drop_nothing(void)
{
    sparks list = sparks_of(3);
    sparks_cursor cursor = sparks_begin(&list);

    CHECK(sparks_next(&cursor)->id == 1);
    CHECK(sparks_next(&cursor)->id == 2);
    CHECK(sparks_next(&cursor)->id == 3);
    CHECK_TRACE(held(&list), "1 2 3");
    CHECK(sparks_next(&cursor) == NULL);
    CHECK_TRACE(held(&list), "1 2 3");
    sparks_deinit(&list);
}

/* Trimming during a pass made it start again and lost the current element. Here it waits: nothing happens. */
static void bug_05_shrinking_in_a_pass_leaves_it_alone(void)
{
    sparks list = sparks_of(4);
    size_t capacity = sparks_capacity(&list);

    SPARKS_EACH(&list, element)
    {
        note(&trace, element->id);
        if (element->id == 2) {
            sparks_remove_current(&element_cursor);
        }
        CHECK(sparks_shrink_to_fit(&list) == SPARKS_OK);
        CHECK(sparks_capacity(&list) == capacity);
    }
    CHECK_TRACE(&trace, "1 2 3 4");
    CHECK_TRACE(held(&list), "1 3 4");
    CHECK(sparks_shrink_to_fit(&list) == SPARKS_OK);
    CHECK(sparks_capacity(&list) == 3);
    CHECK_TRACE(held(&list), "1 3 4");
    sparks_deinit(&list);
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* What is added during a pass is visited in it, also when the storage grows under it or its gap is used up. */
static void row_a_adds_are_visited_in_the_same_pass(void)
{
    sparks list = sparks_of(2);
    uint32_t next = 3;
    uint32_t wanted = 1;

    SPARKS_EACH(&list, element)
    {
        uint32_t id = element->id; /* the address is good until the next add */

        CHECK(id == wanted++);
        if (next <= 200) {
            CHECK(sparks_add(&list, spark(next++)) == SPARKS_OK);
        }
        if (id % 3 == 0) {
            CHECK(sparks_remove_current(&element_cursor) == SPARKS_OK);
        }
    }
    CHECK(wanted == 201);
    CHECK(sparks_count(&list) == 200 - 200 / 3);
    CHECK(sparks_check(&list) == NULL);
    sparks_deinit(&list);

    /* the last one is removed, then one is added */
    list = sparks_of(2);
    SPARKS_EACH(&list, element)
    {
        uint32_t id = element->id;

        note(&trace, id);
        if (id == 2) {
            sparks_remove_current(&element_cursor);
            CHECK(sparks_add(&list, spark(3)) == SPARKS_OK);
        }
    }
    CHECK_TRACE(&trace, "1 2 3");
    CHECK_TRACE(held(&list), "1 3");
    sparks_deinit(&list);
}

/* Removing the current element takes it out at once and keeps the order. A second time, before the first step and
 * after the pass there is no current element: ABSENT. (With checks on, these three stop the program.) */
static void row_b_the_current_element_is_removed_at_once(void)
{
    sparks list = sparks_of(4);
    sparks_cursor cursor = sparks_begin(&list);

#if !BESPOKE_CHECKS
    CHECK(sparks_remove_current(&cursor) == SPARKS_ABSENT);
#endif
    CHECK(sparks_next(&cursor)->id == 1);
    CHECK(sparks_remove_current(&cursor) == SPARKS_OK);
    CHECK(sparks_count(&list) == 3);
#if !BESPOKE_CHECKS
    CHECK(sparks_remove_current(&cursor) == SPARKS_ABSENT);
#endif
    CHECK_TRACE(held(&list), "2 3 4");
    CHECK(sparks_next(&cursor)->id == 2);
    CHECK(sparks_next(&cursor)->id == 3);
    CHECK(sparks_remove_current(&cursor) == SPARKS_OK);
    CHECK_TRACE(held(&list), "2 4");
    CHECK(sparks_next(&cursor)->id == 4);
    CHECK(sparks_next(&cursor) == NULL);
#if !BESPOKE_CHECKS
    CHECK(sparks_remove_current(&cursor) == SPARKS_ABSENT);
#endif
    CHECK_TRACE(held(&list), "2 4");
    sparks_deinit(&list);

    /* all of them */
    list = sparks_of(30);
    SPARKS_EACH(&list, element) { CHECK(sparks_remove_current(&element_cursor) == SPARKS_OK); }
    CHECK(sparks_is_empty(&list) && sparks_check(&list) == NULL);
    sparks_deinit(&list);
}

/* The original had no way to remove another element. Outside of passes there is one, which says ABSENT when it is not
 * in, and so does an address that is not one of an element. */
static void row_c_removal_without_a_pass(void)
{
    sparks list = sparks_of(4);
    struct spark elsewhere = spark(2);

    CHECK(sparks_remove(&list, sparks_get(&list, 1)) == SPARKS_OK);
    CHECK(sparks_remove_at(&list, 2) == SPARKS_OK);
    CHECK_TRACE(held(&list), "1 3");
    CHECK(sparks_remove_at(&list, 2) == SPARKS_ABSENT);
    CHECK(sparks_remove(&list, &elsewhere) == SPARKS_ABSENT);
    CHECK(sparks_remove(&list, NULL) == SPARKS_ABSENT);
    CHECK(!sparks_contains(&list, &elsewhere));
    CHECK_TRACE(held(&list), "1 3");
    sparks_deinit(&list);
}

/* Clearing ends what the pass had before it; what is added after it is visited. */
static void row_f_clear_in_a_pass(void)
{
    sparks list = sparks_of(4);

    SPARKS_EACH(&list, element)
    {
        uint32_t id = element->id;

        note(&trace, id);
        if (id == 2) {
            sparks_remove_current(&element_cursor);
        } else if (id == 3) {
            sparks_clear(&list);
            CHECK(sparks_is_empty(&list) && sparks_count(&list) == 0);
#if !BESPOKE_CHECKS
            CHECK(sparks_remove_current(&element_cursor) == SPARKS_ABSENT);
#endif
            CHECK(sparks_add(&list, spark(7)) == SPARKS_OK);
            CHECK(sparks_add(&list, spark(8)) == SPARKS_OK);
        }
    }
    CHECK_TRACE(&trace, "1 2 3 7 8");
    CHECK_TRACE(held(&list), "7 8");

    /* every live pass, and nothing added */
    SPARKS_EACH(&list, outer)
    {
        note(&trace, outer->id);
        SPARKS_EACH(&list, inner)
        {
            note(&trace, 10 + inner->id);
            sparks_clear(&list);
        }
    }
    CHECK_TRACE(&trace, "7 17");
    CHECK_TRACE(held(&list), "");
    sparks_deinit(&list);
}

/* Taken out and put in again it is the last one, and visited once more in the same pass. */
static void row_g_remove_and_add_again(void)
{
    convoy list = {0};
    struct ship ships[3] = {{0}};
    bool again = true;

    for (uint32_t i = 0; i < 3; i++) {
        ships[i].id = i + 1;
        CHECK(convoy_add(&list, &ships[i]) == CONVOY_OK);
    }
    CONVOY_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 1 && again) {
            again = false;
            CHECK(convoy_remove_current(&ship_cursor) == CONVOY_OK);
            CHECK(convoy_add(&list, ship) == CONVOY_OK);
        }
    }
    CHECK_TRACE(&trace, "1 2 3 1");
    CHECK(convoy_get(&list, 2) == &ships[0] && convoy_check(&list) == NULL);
    convoy_deinit(&list);
}

/* Order is that of adding, and the same ship may be in twice. NULL, which the original took, is refused. */
static void row_hi_order_and_duplicates(void)
{
    convoy list = {0};
    struct ship ships[2] = {{0}};

    ships[0].id = 1;
    ships[1].id = 2;
    CHECK(convoy_add(&list, &ships[1]) == CONVOY_OK);
    CHECK(convoy_add(&list, &ships[0]) == CONVOY_OK);
    CHECK(convoy_add(&list, &ships[1]) == CONVOY_OK);
    CONVOY_EACH(&list, ship) { note(&trace, ship->id); }
    CHECK_TRACE(&trace, "2 1 2");
    CHECK(convoy_remove(&list, &ships[1]) == CONVOY_OK);
    CONVOY_EACH(&list, ship) { note(&trace, ship->id); }
    CHECK_TRACE(&trace, "1 2");
#if !BESPOKE_CHECKS
    CHECK(convoy_add(&list, NULL) == CONVOY_ABSENT);
#endif
    CHECK(convoy_count(&list) == 2 && convoy_check(&list) == NULL);
    convoy_deinit(&list);
}

/* Places shift while a pass removes; asking by place gives the right element all the same, and so does the array. */
static void row_j_places_during_a_pass(void)
{
    sparks list = sparks_of(5);

    SPARKS_EACH(&list, element)
    {
        uint32_t id = element->id;

        note(&trace, id);
        if (id == 1 || id == 3) {
            sparks_remove_current(&element_cursor);
        }
        if (id == 1) {
            CHECK_TRACE(held(&list), "2 3 4 5");
        } else if (id == 3) {
            struct spark *data;

            CHECK_TRACE(held(&list), "2 4 5");
            data = sparks_data(&list);
            CHECK(data[0].id == 2 && data[1].id == 4 && data[2].id == 5);
        }
    }
    CHECK_TRACE(&trace, "1 2 3 4 5");
    CHECK_TRACE(held(&list), "2 4 5");
    sparks_deinit(&list);
}

/* Memory is given back when asked for, never by itself. */
static void row_k_capacity(void)
{
    sparks list = {0};
    size_t capacity;

    CHECK(sparks_capacity(&list) == 0);
    walk(&list);
    sparks_settle(&list);
    CHECK(sparks_capacity(&list) == 0);
    for (uint32_t id = 1; id <= 1000; id++) {
        CHECK(sparks_add(&list, spark(id)) == SPARKS_OK);
    }
    capacity = sparks_capacity(&list);
    CHECK(capacity >= 1000 && capacity <= 2000);
    SPARKS_EACH(&list, element) { sparks_remove_current(&element_cursor); }
    sparks_settle(&list);
    CHECK(sparks_capacity(&list) == capacity);
    CHECK(sparks_shrink_to_fit(&list) == SPARKS_OK);
    CHECK(sparks_capacity(&list) == 0 && sparks_is_empty(&list));
    CHECK(sparks_add(&list, spark(1)) == SPARKS_OK);
    CHECK_TRACE(held(&list), "1");
    sparks_deinit(&list);
}

int main(void)
{
    bug_01_leaving_a_pass_loses_nothing();
    bug_02_nested_passes_have_their_own_cursors();
    bug_03_a_pass_that_is_over_stays_over();
    bug_04_steps_alone_drop_nothing();
    bug_05_shrinking_in_a_pass_leaves_it_alone();
    row_a_adds_are_visited_in_the_same_pass();
    row_b_the_current_element_is_removed_at_once();
    row_c_removal_without_a_pass();
    row_f_clear_in_a_pass();
    row_g_remove_and_add_again();
    row_hi_order_and_duplicates();
    row_j_places_during_a_pass();
    row_k_capacity();
    return checks_result();
}
