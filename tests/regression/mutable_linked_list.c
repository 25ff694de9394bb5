/* The mutable linked list: what its original got wrong, and how it is meant to behave (see README.md). */
#include "mutable_linked_list.h"
#include "check.h"

static struct spark spark(uint32_t id)
{
    struct spark made = {0};

    made.id = id;
    return made;
}

static struct spark *of(layering *list, uint32_t id)
{
    struct spark *found = layering_first(list);

    while (found != NULL && found->id != id) {
        found = layering_next_of(list, found);
    }
    return found;
}

static void before(layering *list, uint32_t at, uint32_t id)
{
    CHECK(layering_insert_before(list, of(list, at), spark(id)) == LAYERING_OK);
}

static void behind(layering *list, uint32_t at, uint32_t id)
{
    CHECK(layering_insert_after(list, of(list, at), spark(id)) == LAYERING_OK);
}

/* The elements 1 to 4, in this order. */
static layering *list_of_four(void)
{
    static layering list;

    layering_init(&list);
    for (uint32_t id = 1; id <= 4; id++) {
        CHECK(layering_add(&list, spark(id)) == LAYERING_OK);
    }
    return &list;
}

static struct trace *held(layering *list)
{
    static struct trace held;

    CHECK(layering_check(list) == NULL);
    held.count = 0;
    LAYERING_EACH(list, element) { note(&held, element->id); }
    return &held;
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

/* When the last element had left under a cursor that stood on it, the cursor was done, and did not see what was added. */
static void bug_47_a_pass_at_the_end_is_not_over(void)
{
    for (int removes_first = 0; removes_first <= 1; removes_first++) {
        layering *list = list_of_four();
        struct trace trace = {0};

        LAYERING_EACH(list, element) {
            note(&trace, element->id);
            if (trace.count == 4) {
                if (removes_first) {
                    CHECK(layering_remove_current(&element_cursor) == LAYERING_OK);
                }
                CHECK(layering_add(list, spark(5)) == LAYERING_OK);
                if (!removes_first) {
                    CHECK(layering_remove_current(&element_cursor) == LAYERING_OK);
                }
            }
        }
        CHECK_TRACE(&trace, "1 2 3 4 5");
        CHECK_TRACE(held(list), "1 2 3 5");
        layering_deinit(list);
    }
}

/* The current element was the next one already once it had been removed, or there was none to ask for. */
static void bug_48_no_current_element_once_it_is_removed(void)
{
    layering *list = list_of_four();
    struct trace trace = {0};

    LAYERING_EACH(list, element) {
        uint32_t id = element->id;

        note(&trace, id);
        CHECK(layering_remove_current(&element_cursor) == LAYERING_OK);
#if !BESPOKE_CHECKS
        CHECK(layering_remove_current(&element_cursor) == LAYERING_ABSENT); /* and not the next one's removal */
#endif
        CHECK(of(list, id) == NULL);
    }
    CHECK_TRACE(&trace, "1 2 3 4");
    CHECK(layering_is_empty(list));
    layering_deinit(list);
}

/* Inserting before the node under a cursor set the cursor back, and elements were visited twice; after the current one had
 * been removed, what was inserted where it had been was not visited. */
static void bug_49_inserting_moves_no_pass(void)
{
    layering *list = list_of_four();
    struct trace trace = {0};

    LAYERING_EACH(list, element) {
        uint32_t id = element->id;

        note(&trace, id);
        if (id < 10) {
            before(list, id, 10 + id); /* behind the pass */
        }
    }
    CHECK_TRACE(&trace, "1 2 3 4");
    CHECK_TRACE(held(list), "11 1 12 2 13 3 14 4");
    layering_deinit(list);

    for (int removes = 0; removes <= 1; removes++) {
        list = list_of_four();
        trace.count = 0;
        LAYERING_EACH(list, element) {
            note(&trace, element->id);
            if (element->id == 2) {
                if (removes) {
                    CHECK(layering_remove_current(&element_cursor) == LAYERING_OK);
                }
                before(list, 3, 30); /* where the pass goes on */
            }
        }
        CHECK_TRACE(&trace, "1 2 30 3 4");
        layering_deinit(list);
    }
}

/* A cursor that was ended for the second time failed. */
static void bug_50_a_pass_may_be_ended_twice(void)
{
    layering *list = list_of_four();
    layering_cursor outer = layering_begin(list);
    layering_cursor inner = layering_begin(list);

    CHECK(layering_next(&outer)->id == 1 && layering_next(&inner)->id == 1);
    layering_end(&inner);
    layering_end(&inner);
    CHECK(layering_next(&outer)->id == 2);
    layering_end(&outer);
    layering_end(&outer);
    CHECK_TRACE(held(list), "1 2 3 4");
    layering_deinit(list);
}

/* A node of another list was removed, and both counts were wrong. A place in another list was taken for one of this one. */
static void bug_51_elements_of_another_list(void)
{
    static line one, other;
    struct ship ships[3] = {{0}};

    CHECK(line_add(&one, &ships[0]) == LINE_OK && line_add(&other, &ships[1]) == LINE_OK);
    CHECK(line_remove(&one, &ships[1]) == LINE_FOREIGN && line_count(&one) == 1 && line_count(&other) == 1);
    CHECK(line_insert_before(&one, &ships[1], &ships[2]) == LINE_ABSENT && ships[2].line == NULL);
    CHECK(line_insert_after(&one, &ships[0], &ships[1]) == LINE_FOREIGN && ships[1].line == &other);
    CHECK(line_remove(&one, &ships[2]) == LINE_ABSENT);
    CHECK(line_insert_before(&one, &ships[0], &ships[2]) == LINE_OK && line_first(&one) == &ships[2]);
    CHECK(line_check(&one) == NULL && line_check(&other) == NULL);
    line_deinit(&one);
    line_deinit(&other);
    CHECK(ships[0].line == NULL && ships[1].line == NULL && ships[2].line_prev == NULL);
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* Every place: before and behind each element, first and last. */
static void row_a_elements_come_in_anywhere(void)
{
    layering *list = list_of_four();

    before(list, 1, 10);
    behind(list, 4, 40);
    before(list, 3, 30);
    behind(list, 1, 15);
    CHECK(layering_insert_before(list, NULL, spark(5)) == LAYERING_OK);
    CHECK(layering_insert_after(list, NULL, spark(50)) == LAYERING_OK);
    CHECK_TRACE(held(list), "5 10 1 15 2 30 3 4 40 50");
    layering_deinit(list);
}

/* A pass that removes others and puts others in, with a second one that looks on. */
static void row_d_passes_side_by_side(void)
{
    layering *list = list_of_four();
    struct trace first = {0}, second = {0};
    layering_cursor looks = layering_begin(list);
    struct spark *seen;

    note(&second, layering_next(&looks)->id); /* it stands on 1, and goes on at 2 */
    LAYERING_EACH(list, element) {
        uint32_t id = element->id;

        note(&first, id);
        if (id == 1) {
            CHECK(layering_remove(list, of(list, 2)) == LAYERING_OK);
            CHECK(layering_remove_current(&element_cursor) == LAYERING_OK);
            before(list, 3, 20);
        } else if (id == 3) {
            before(list, 3, 25);
            behind(list, 4, 45);
        }
    }
    CHECK_TRACE(&first, "1 20 3 4 45");
    while ((seen = layering_next(&looks)) != NULL) {
        note(&second, seen->id);
    }
    CHECK_TRACE(&second, "1 20 25 3 4 45");
    layering_deinit(list);
}

int main(void)
{
    bug_47_a_pass_at_the_end_is_not_over();
    bug_48_no_current_element_once_it_is_removed();
    bug_49_inserting_moves_no_pass();
    bug_50_a_pass_may_be_ended_twice();
    bug_51_elements_of_another_list();
    row_a_elements_come_in_anywhere();
    row_d_passes_side_by_side();
    return checks_result();
}
