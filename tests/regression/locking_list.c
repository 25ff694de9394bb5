/* The locking list: what its original got wrong, and how it is meant to behave (see README.md). */
#include "locking_list.h"
#include "check.h"

static struct trace trace;
static struct ship ships[100]; /* ships[1] has id 1 */

/* Ships 1 to `count`. */
static fleet fleet_of(uint32_t count)
{
    fleet list = {0};

    memset(ships, 0, sizeof ships);
    for (uint32_t id = 1; id < sizeof ships / sizeof *ships; id++) {
        ships[id].id = id;
    }
    for (uint32_t id = 1; id <= count; id++) {
        CHECK(fleet_add(&list, &ships[id]) == FLEET_OK);
    }
    return list;
}

/* Notes what the list holds. */
static struct trace *held(fleet *list)
{
    static struct trace held;

    CHECK(fleet_check(list) == NULL);
    held.count = 0;
    FLEET_EACH(list, ship) { note(&held, ship->id); }
    return &held;
}

static struct listener listener(uint64_t event)
{
    struct listener made = {0};

    made.event = event;
    return made;
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

/* The answer was upside down. */
static void bug_07_is_empty_when_the_count_is_zero(void)
{
    fleet list = fleet_of(0);

    CHECK(fleet_is_empty(&list) && fleet_count(&list) == 0);
    CHECK(fleet_add(&list, &ships[1]) == FLEET_OK);
    CHECK(!fleet_is_empty(&list) && fleet_count(&list) == 1);
    CHECK(fleet_remove(&list, &ships[1]) == FLEET_OK);
    CHECK(fleet_is_empty(&list) && fleet_count(&list) == 0);
    fleet_deinit(&list);
}

/* Removing the only element left the list's idea of its last one behind. Adds after it must be all there is. */
static void bug_08_nothing_stale_after_the_only_element(void)
{
    fleet list = fleet_of(1);

    CHECK(fleet_remove(&list, &ships[1]) == FLEET_OK);
    CHECK_TRACE(held(&list), "");
    CHECK(!fleet_contains(&list, &ships[1]));
    CHECK(fleet_remove(&list, &ships[1]) == FLEET_ABSENT);
    CHECK(fleet_add(&list, &ships[2]) == FLEET_OK);
    CHECK(fleet_add(&list, &ships[1]) == FLEET_OK);
    CHECK_TRACE(held(&list), "2 1");
    fleet_deinit(&list);
}

/* Adds were carried out before removals, whatever came first, so that an element was lost that should have stayed. */
static void bug_09_changes_are_replayed_in_their_order(void)
{
    fleet list = fleet_of(2);

    /* removed and added again: it stays, and is the last one now */
    fleet_lock(&list);
    CHECK(fleet_remove(&list, &ships[1]) == FLEET_QUEUED);
    CHECK(fleet_add(&list, &ships[1]) == FLEET_QUEUED);
    CHECK(fleet_unlock(&list) == FLEET_OK);
    CHECK_TRACE(held(&list), "2 1");

    /* added, removed, added again */
    fleet_lock(&list);
    CHECK(fleet_add(&list, &ships[3]) == FLEET_QUEUED);
    CHECK(fleet_remove(&list, &ships[3]) == FLEET_QUEUED);
    CHECK(fleet_add(&list, &ships[4]) == FLEET_QUEUED);
    CHECK(fleet_add(&list, &ships[3]) == FLEET_QUEUED);
    CHECK(fleet_unlock(&list) == FLEET_OK);
    CHECK_TRACE(held(&list), "2 1 4 3");

    /* added and removed: absent */
    fleet_lock(&list);
    CHECK(fleet_add(&list, &ships[5]) == FLEET_QUEUED);
    CHECK(fleet_remove(&list, &ships[5]) == FLEET_QUEUED);
    CHECK(fleet_unlock(&list) == FLEET_OK);
    CHECK_TRACE(held(&list), "2 1 4 3");

    /* the same element again and again: removed, added, removed */
    fleet_lock(&list);
    CHECK(fleet_remove(&list, &ships[4]) == FLEET_QUEUED);
    CHECK(fleet_add(&list, &ships[4]) == FLEET_QUEUED);
    CHECK(fleet_remove(&list, &ships[4]) == FLEET_QUEUED);
    CHECK(fleet_unlock(&list) == FLEET_OK);
    CHECK_TRACE(held(&list), "2 1 3");
    fleet_deinit(&list);
}

/* Every sequence of four changes to two ships, made while locked, ends as it would have ended without the lock, and
 * every call is answered alike. */
static void bug_09_locked_and_unlocked_agree(void)
{
    for (unsigned script = 0; script < 5 * 5 * 5 * 5; script++) {
        fleet locked = fleet_of(2);
        fleet plain = fleet_of(2);
        unsigned rest = script;

        fleet_lock(&locked);
        for (int step = 0; step < 4; step++, rest /= 5) {
            struct ship *ship = &ships[2 + rest % 5 % 2]; /* 2 is in, 3 is not */
            fleet_status now, later;

            if (rest % 5 < 2) {
                now = fleet_add(&plain, ship);
                later = fleet_add(&locked, ship);
            } else if (rest % 5 < 4) {
                now = fleet_remove(&plain, ship);
                later = fleet_remove(&locked, ship);
            } else {
                now = fleet_clear(&plain);
                later = fleet_clear(&locked);
            }
            CHECK(later == (now == FLEET_OK ? FLEET_QUEUED : now));
            CHECK(fleet_predicted_count(&locked) == fleet_count(&plain));
            for (uint32_t id = 1; id <= 3; id++) {
                CHECK(fleet_will_contain(&locked, &ships[id]) == fleet_contains(&plain, &ships[id]));
                CHECK(fleet_contains(&locked, &ships[id]) == (id < 3));
            }
            CHECK(fleet_count(&locked) == 2 && fleet_check(&locked) == NULL);
        }
        CHECK(fleet_unlock(&locked) == FLEET_OK);
        CHECK(fleet_count(&locked) == fleet_count(&plain));
        {
            struct trace one = *held(&plain);
            struct trace other = *held(&locked);

            CHECK(one.count == other.count && memcmp(one.ids, other.ids, one.count * sizeof *one.ids) == 0);
        }
        fleet_deinit(&locked);
        fleet_deinit(&plain);
    }
}

/* The lock was a flag: the end of an inner pass opened the list under the outer one. */
static void bug_10_locks_are_counted(void)
{
    fleet list = fleet_of(4);

    FLEET_EACH(&list, outer)
    {
        note(&trace, outer->id);
        if (outer->id == 1) {
            FLEET_EACH(&list, inner)
            {
                note(&trace, 10 + inner->id);
                if (inner->id == 1) {
                    CHECK(fleet_add(&list, &ships[5]) == FLEET_QUEUED);
                } else if (inner->id == 2 || inner->id == 3) {
                    CHECK(fleet_remove_current(&inner_cursor) == FLEET_QUEUED);
                }
            }
            CHECK(fleet_is_locked(&list));
            CHECK(fleet_count(&list) == 4 && fleet_contains(&list, &ships[2]) && !fleet_contains(&list, &ships[5]));
        }
    }
    CHECK_TRACE(&trace, "1 11 12 13 14 2 3 4");
    CHECK_TRACE(held(&list), "1 4 5");

    /* locks and passes, begun and ended in any order */
    fleet_lock(&list);
    fleet_lock(&list);
    CHECK(fleet_remove(&list, &ships[4]) == FLEET_QUEUED);
    CHECK_TRACE(held(&list), "1 4 5");
    CHECK(fleet_unlock(&list) == FLEET_OK);
    CHECK_TRACE(held(&list), "1 4 5");
    FLEET_EACH(&list, ship)
    {
        if (ship->id == 1) {
            CHECK(fleet_unlock(&list) == FLEET_OK); /* the pass holds on */
            CHECK(fleet_is_locked(&list));
        }
        note(&trace, ship->id);
    }
    CHECK_TRACE(&trace, "1 4 5");
    CHECK(!fleet_is_locked(&list));
    CHECK_TRACE(held(&list), "1 5");

#if !BESPOKE_CHECKS
    /* one unlock too many; with checks on it stops the program */
    CHECK(fleet_unlock(&list) == FLEET_ABSENT);
    CHECK(!fleet_is_locked(&list));
#endif
    CHECK(fleet_add(&list, &ships[6]) == FLEET_OK);
    CHECK_TRACE(held(&list), "1 5 6");
    fleet_deinit(&list);
}

static void leave_by_return(fleet *list)
{
    FLEET_EACH(list, ship)
    {
        if (ship->id == 2) {
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_QUEUED);
#if !defined(__GNUC__)
            fleet_end(&ship_cursor); /* gcc and clang do it by themselves */
#endif
            return;
        }
    }
}

/* Nothing unlocked the list after a loop, not even a loop that ran to its end; changes piled up unseen. */
static void bug_11_the_end_of_a_pass_unlocks(void)
{
    fleet list = fleet_of(4);
    fleet_cursor cursor;

    FLEET_EACH(&list, ship)
    {
        if (ship->id == 1) {
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_QUEUED);
        }
    }
    CHECK(!fleet_is_locked(&list) && fleet_count(&list) == 3);

    FLEET_EACH(&list, ship)
    {
        CHECK(fleet_add(&list, &ships[5]) == FLEET_QUEUED);
        break;
    }
    CHECK(!fleet_is_locked(&list) && fleet_count(&list) == 4);

    leave_by_return(&list);
    CHECK(!fleet_is_locked(&list));
    CHECK_TRACE(held(&list), "3 4 5");

    /* a cursor that nobody ends keeps changes waiting only until the frame's end */
    cursor = fleet_begin(&list);
    CHECK(fleet_next(&cursor) == &ships[3]);
    CHECK(fleet_remove(&list, &ships[4]) == FLEET_QUEUED);
    CHECK(fleet_settle(&list) == FLEET_OK);
    CHECK(!fleet_is_locked(&list));
    CHECK_TRACE(held(&list), "3 5");
    fleet_end(&cursor); /* too late, and without harm */
    CHECK(fleet_add(&list, &ships[6]) == FLEET_OK);
    CHECK_TRACE(held(&list), "3 5 6");
    fleet_deinit(&list);
}

/* While locked, asking for an element saw adds that waited, but neither removals nor clears. Here there are two views,
 * by name: fleet_contains is what a pass sees, fleet_will_contain what will be. */
static void bug_12_two_views_of_who_is_in(void)
{
    fleet list = fleet_of(2);

    fleet_lock(&list);
    (void)fleet_add(&list, &ships[3]);
    fleet_remove(&list, &ships[1]);
    CHECK(fleet_contains(&list, &ships[1]) && !fleet_will_contain(&list, &ships[1]));
    CHECK(fleet_contains(&list, &ships[2]) && fleet_will_contain(&list, &ships[2]));
    CHECK(!fleet_contains(&list, &ships[3]) && fleet_will_contain(&list, &ships[3]));
    CHECK(fleet_clear(&list) == FLEET_QUEUED);
    CHECK(fleet_contains(&list, &ships[2]) && !fleet_will_contain(&list, &ships[2]));
    CHECK(!fleet_contains(&list, &ships[3]) && !fleet_will_contain(&list, &ships[3]));
    CHECK(fleet_unlock(&list) == FLEET_OK);
    for (int id = 1; id <= 3; id++) {
        CHECK(!fleet_contains(&list, &ships[id]) && !fleet_will_contain(&list, &ships[id]));
    }
    fleet_deinit(&list);
}

/* The predicted count was before plus adds less removals, also for those that would change nothing, and after a clear. */
static void bug_13_the_predicted_count_is_what_will_be(void)
{
    fleet list = fleet_of(3);

    CHECK(fleet_predicted_count(&list) == 3);
    fleet_lock(&list);
    CHECK(fleet_add(&list, &ships[1]) == FLEET_DUPLICATE);
    CHECK(fleet_remove(&list, &ships[9]) == FLEET_ABSENT);
    CHECK(fleet_predicted_count(&list) == 3);
    (void)fleet_add(&list, &ships[4]);
    (void)fleet_add(&list, &ships[4]);
    CHECK(fleet_predicted_count(&list) == 4);
    fleet_remove(&list, &ships[2]);
    fleet_remove(&list, &ships[2]);
    CHECK(fleet_predicted_count(&list) == 3);
    fleet_clear(&list);
    CHECK(fleet_predicted_count(&list) == 0);
    (void)fleet_add(&list, &ships[5]);
    CHECK(fleet_predicted_count(&list) == 1 && fleet_count(&list) == 3);
    CHECK(fleet_unlock(&list) == FLEET_OK);
    CHECK(fleet_count(&list) == 1 && fleet_predicted_count(&list) == 1);
    CHECK_TRACE(held(&list), "5");
    fleet_deinit(&list);
}

/* What a call answered while locked meant nothing, so code that acted on it did the wrong thing. Here a change that will
 * happen is QUEUED, and one that would not is refused at once, with the reason that it would have without a lock. */
static void bug_14_answers_while_locked_mean_something(void)
{
    fleet list = fleet_of(2);

    FLEET_EACH(&list, ship)
    {
        if (ship->id == 1) {
            CHECK(fleet_add(&list, &ships[2]) == FLEET_DUPLICATE);
            CHECK(fleet_add(&list, &ships[3]) == FLEET_QUEUED);
            CHECK(fleet_add(&list, &ships[3]) == FLEET_DUPLICATE);
            CHECK(fleet_remove(&list, &ships[4]) == FLEET_ABSENT);
            CHECK(fleet_remove(&list, &ships[2]) == FLEET_QUEUED);
            CHECK(fleet_remove(&list, &ships[2]) == FLEET_ABSENT);
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_QUEUED);
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_ABSENT);
        }
    }
    CHECK_TRACE(held(&list), "3");
    fleet_deinit(&list);
}

/* A step past the end failed. Here it says NULL, again and again; with checks on, asking again stops the program. */
static void bug_15_steps_past_the_end(void)
{
    fleet list = fleet_of(1);
    fleet_cursor cursor = fleet_begin(&list);

    CHECK(fleet_next(&cursor) == &ships[1]);
    CHECK(fleet_next(&cursor) == NULL);
#if !BESPOKE_CHECKS
    CHECK(fleet_next(&cursor) == NULL);
    CHECK(fleet_remove_current(&cursor) == FLEET_ABSENT);
#endif
    fleet_deinit(&list);

    list = fleet_of(0);
    cursor = fleet_begin(&list);
    CHECK(fleet_next(&cursor) == NULL);
    fleet_deinit(&list);
}

/* What made two elements equal was what they held, so one that changed could not be removed, and came in twice. A ship is
 * now the same ship whatever happens to it; listeners have a key that must not change while they are in, and the check
 * tells if one did. */
static void bug_16_an_element_stays_itself(void)
{
    fleet list = fleet_of(3);
    listeners heard = {0};
    struct listener *found;
    struct listener one = listener(1);

    ships[2].id = 77;
    ships[2].hp = -1;
    CHECK(fleet_contains(&list, &ships[2]));
    CHECK(fleet_add(&list, &ships[2]) == FLEET_DUPLICATE);
    ships[4] = ships[3]; /* alike, and another ship */
    CHECK(!fleet_contains(&list, &ships[4]));
    CHECK(fleet_add(&list, &ships[4]) == FLEET_OK);
    CHECK(fleet_remove(&list, &ships[2]) == FLEET_OK);
    CHECK_TRACE(held(&list), "1 3 3");
    fleet_deinit(&list);

    for (uint64_t event = 1; event <= 40; event++) {
        CHECK(listeners_add(&heard, listener(event)) == LISTENERS_OK);
    }
    found = listeners_find(&heard, 20);
    found->user = &heard; /* what is no part of the key may change */
    CHECK(listeners_check(&heard) == NULL);
    CHECK(listeners_add(&heard, listener(20)) == LISTENERS_DUPLICATE);
    CHECK(listeners_find(&heard, 20)->user == &heard);
    found->event = 500;
    CHECK(listeners_check(&heard) != NULL);
    found->event = 20;
    CHECK(listeners_check(&heard) == NULL);
    CHECK(listeners_remove(&heard, &one) == LISTENERS_OK);
    CHECK(listeners_remove(&heard, &one) == LISTENERS_ABSENT);
    CHECK(listeners_find(&heard, 1) == NULL && listeners_count(&heard) == 39);
    listeners_deinit(&heard);
}

/* A removed element still led to the one after it, so a pass walked along elements that were gone. Here removals take
 * effect when no pass is live, and no pass ever meets one after that. */
static void bug_17_no_pass_follows_what_is_gone(void)
{
    fleet list = fleet_of(4);
    fleet_cursor early = fleet_begin(&list);
    fleet_cursor first = fleet_begin(&list);

    CHECK(fleet_next(&early) == &ships[1] && fleet_next(&first) == &ships[1]);
    FLEET_EACH(&list, ship)
    {
        if (ship->id == 2 || ship->id == 3) {
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_QUEUED);
        }
    }
    CHECK(fleet_next(&early) == &ships[2]); /* the lock holds */
    CHECK(fleet_settle(&list) == FLEET_OK); /* the lock is broken: the pass is over */
    CHECK_TRACE(held(&list), "1 4");
#if !BESPOKE_CHECKS
    CHECK(fleet_next(&early) == NULL);
    CHECK(fleet_remove_current(&early) == FLEET_ABSENT);
    CHECK(fleet_next(&first) == NULL); /* though there is one behind the place where it stood */
#endif
    CHECK_TRACE(held(&list), "1 4");
    fleet_deinit(&list);
}

/* Taking another list over was promised to be a splice, and was not. Into an empty list it is: the storage changes hands
 * and no element moves. Else duplicates stay where they were, and are counted. */
static void bug_18_adding_lists(void)
{
    listeners one = {0};
    listeners other = {0};
    struct listener *found;
    struct listener more[5];
    size_t taken = 99;

    for (uint64_t event = 1; event <= 100; event++) {
        CHECK(listeners_add(&other, listener(event)) == LISTENERS_OK);
    }
    found = listeners_find(&other, 50);
    CHECK(listeners_add_from(&one, &other, &taken) == LISTENERS_OK && taken == 100);
    CHECK(listeners_count(&one) == 100 && listeners_is_empty(&other));
    CHECK(listeners_find(&one, 50) == found);
    CHECK(listeners_check(&one) == NULL && listeners_check(&other) == NULL);

    for (uint64_t i = 0; i < 5; i++) {
        more[i] = listener(98 + i);
    }
    CHECK(listeners_add_all(&other, more, 5, &taken) == LISTENERS_OK && taken == 5);
    CHECK(listeners_add_all(&other, more, 5, &taken) == LISTENERS_DUPLICATE && taken == 0);
    CHECK(listeners_add_from(&one, &other, &taken) == LISTENERS_DUPLICATE && taken == 2);
    CHECK(listeners_count(&one) == 102 && listeners_count(&other) == 3);
    CHECK(listeners_find(&other, 98) != NULL && listeners_find(&other, 101) == NULL);
    CHECK(listeners_remove_from(&one, &other, &taken) == LISTENERS_OK && taken == 3);
    CHECK(listeners_count(&one) == 99 && listeners_find(&one, 98) == NULL && listeners_find(&one, 101) != NULL);
    CHECK(listeners_check(&one) == NULL && listeners_check(&other) == NULL);
    listeners_deinit(&one);
    listeners_deinit(&other);
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* What is added in a pass is in when the pass is over. An add of what is in already says DUPLICATE (the original said
 * yes to it while locked). */
static void row_a_adds_wait(void)
{
    fleet list = fleet_of(2);

    for (uint32_t pass = 0; pass < 2; pass++) {
        FLEET_EACH(&list, ship)
        {
            note(&trace, ship->id);
            CHECK(fleet_add(&list, &ships[ship->id + 2]) == (pass == 1 && ship->id < 3 ? FLEET_DUPLICATE : FLEET_QUEUED));
        }
    }
    CHECK_TRACE(&trace, "1 2 1 2 3 4");
    CHECK_TRACE(held(&list), "1 2 3 4 5 6");
    fleet_deinit(&list);
}

/* What is removed in a pass is still visited by it, and by those begun before it is over. */
static void row_bc_removals_wait(void)
{
    fleet list = fleet_of(4);

    FLEET_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 2) {
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_QUEUED);
            CHECK(fleet_remove(&list, &ships[1]) == FLEET_QUEUED);
            CHECK(fleet_remove(&list, &ships[3]) == FLEET_QUEUED);
            CHECK(fleet_count(&list) == 4);
        }
    }
    CHECK_TRACE(&trace, "1 2 3 4");
    CHECK_TRACE(held(&list), "4");
    fleet_deinit(&list);
}

/* A clear that waits drops what waited before it; the pass still visits everything, and adds after it survive. */
static void row_f_clear_waits(void)
{
    fleet list = fleet_of(3);

    FLEET_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 1) {
            CHECK(fleet_add(&list, &ships[7]) == FLEET_QUEUED);
            CHECK(fleet_clear(&list) == FLEET_QUEUED);
            CHECK(fleet_add(&list, &ships[8]) == FLEET_QUEUED);
            CHECK(fleet_add(&list, &ships[2]) == FLEET_QUEUED); /* cleared, so not a duplicate */
            CHECK(fleet_remove(&list, &ships[3]) == FLEET_ABSENT);
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_ABSENT);
        }
    }
    CHECK_TRACE(&trace, "1 2 3");
    CHECK_TRACE(held(&list), "8 2");
    CHECK(fleet_clear(&list) == FLEET_OK);
    CHECK_TRACE(held(&list), "");
    fleet_deinit(&list);
}

/* The order is that of adding; who leaves and comes back is the last one. */
static void row_gh_order(void)
{
    fleet list = fleet_of(3);

    CHECK(fleet_remove(&list, &ships[1]) == FLEET_OK);
    CHECK(fleet_add(&list, &ships[1]) == FLEET_OK);
    CHECK_TRACE(held(&list), "2 3 1");
    FLEET_EACH(&list, ship)
    {
        note(&trace, ship->id);
        if (ship->id == 2) {
            CHECK(fleet_remove_current(&ship_cursor) == FLEET_QUEUED);
            CHECK(fleet_add(&list, ship) == FLEET_QUEUED);
        }
    }
    CHECK_TRACE(&trace, "2 3 1");
    CHECK_TRACE(held(&list), "3 1 2");
    fleet_deinit(&list);
}

/* Each at most once, by what it is; NULL, which the original took once, is refused. */
static void row_i_duplicates(void)
{
    fleet list = fleet_of(2);
    listeners heard = {0};

    CHECK(fleet_add(&list, &ships[1]) == FLEET_DUPLICATE);
#if !BESPOKE_CHECKS
    CHECK(fleet_add(&list, NULL) == FLEET_ABSENT);
#endif
    CHECK(fleet_remove(&list, NULL) == FLEET_ABSENT && !fleet_contains(&list, NULL));
    CHECK_TRACE(held(&list), "1 2");
    fleet_deinit(&list);

    CHECK(listeners_add(&heard, listener(5)) == LISTENERS_OK);
    LISTENERS_EACH(&heard, element)
    {
        CHECK(listeners_add(&heard, *element) == LISTENERS_DUPLICATE);
        CHECK(listeners_add(&heard, listener(0)) == LISTENERS_QUEUED); /* 0 is a key as good as any */
        CHECK(listeners_add(&heard, listener(0)) == LISTENERS_DUPLICATE);
    }
    CHECK(listeners_count(&heard) == 2 && listeners_find(&heard, 0) != NULL);
    listeners_deinit(&heard);
}

/* Slots of those that left are used again: a list through which many pass does not grow. */
static void row_k_memory_follows_the_live(void)
{
    fleet list = fleet_of(4);
    size_t capacity = fleet_capacity(&list);

    for (uint32_t i = 0; i < 5000; i++) {
        fleet_lock(&list);
        CHECK(fleet_remove(&list, &ships[1 + i % 4]) == FLEET_QUEUED);
        CHECK(fleet_add(&list, &ships[1 + i % 4]) == FLEET_QUEUED);
        CHECK(fleet_unlock(&list) == FLEET_OK);
    }
    CHECK(fleet_capacity(&list) == capacity);
    CHECK_TRACE(held(&list), "1 2 3 4");
    CHECK(fleet_clear(&list) == FLEET_OK && fleet_shrink_to_fit(&list) == FLEET_OK && fleet_capacity(&list) == 0);
    fleet_deinit(&list);
}

/* A journal that was long once goes with the memory that nobody needs, and the next one begins anew. */
static void row_k_a_long_journal_is_given_back(void)
{
    fleet list = fleet_of(4);

    fleet_lock(&list);
    for (uint32_t i = 0; i < 500; i++) {
        CHECK(fleet_remove(&list, &ships[1 + i % 4]) == FLEET_QUEUED);
        CHECK(fleet_add(&list, &ships[1 + i % 4]) == FLEET_QUEUED);
    }
    CHECK(fleet_shrink_to_fit(&list) == FLEET_OK && list.journal_capacity >= 1000); /* locked: it is needed */
    CHECK(fleet_unlock(&list) == FLEET_OK && list.journal_capacity >= 1000);
    CHECK(fleet_shrink_to_fit(&list) == FLEET_OK && list.journal_capacity == 0 && list.journal == NULL);
    fleet_lock(&list);
    CHECK(fleet_remove(&list, &ships[1]) == FLEET_QUEUED && !fleet_will_contain(&list, &ships[1]));
    CHECK(fleet_add(&list, &ships[1]) == FLEET_QUEUED && fleet_will_contain(&list, &ships[1]));
    CHECK(fleet_unlock(&list) == FLEET_OK && fleet_check(&list) == NULL);
    CHECK_TRACE(held(&list), "2 3 4 1");
    fleet_deinit(&list);
}

int main(void)
{
    bug_07_is_empty_when_the_count_is_zero();
    bug_08_nothing_stale_after_the_only_element();
    bug_09_changes_are_replayed_in_their_order();
    bug_09_locked_and_unlocked_agree();
    bug_10_locks_are_counted();
    bug_11_the_end_of_a_pass_unlocks();
    bug_12_two_views_of_who_is_in();
    bug_13_the_predicted_count_is_what_will_be();
    bug_14_answers_while_locked_mean_something();
    bug_15_steps_past_the_end();
    bug_16_an_element_stays_itself();
    bug_17_no_pass_follows_what_is_gone();
    bug_18_adding_lists();
    row_a_adds_wait();
    row_bc_removals_wait();
    row_f_clear_waits();
    row_gh_order();
    row_i_duplicates();
    row_k_memory_follows_the_live();
    row_k_a_long_journal_is_given_back();
    return checks_result();
}
