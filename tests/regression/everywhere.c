/* Bugs that any container could have, whatever it is: one program, compiled for each (subjects.h). The numbers are those of
 * README.md. Calls and loops are the same for all; only what a spec promises of adds in a pass, of order and of removing
 * others makes a difference to what must come out. */
#include "lists.h"

/* -- leaving, nesting, ending ------------------------------------------------------------------------------------ */

/* Leaving a pass lost the element that it stood on, or the one after. */
static void bug_01_leaving_a_pass_loses_nothing(void)
{
    for (uint32_t count = 1; count <= 5; count++) {
        for (uint32_t steps = 1; steps <= count; steps++) {
            for (int removes = 0; removes <= 1; removes++) {
                LIST *list = list_of(count);
                uint32_t at = 0, gone = 0;

                EACH(list, element) {
                    if (++at == steps) {
                        if (removes) {
                            gone = BIT(ID(list, element));
                            done((int)CALL(remove_current)(&element_cursor));
                        }
                        break;
                    }
                }
                CHECK(held(list) == (UP_TO(count) & ~gone));
                CALL(deinit)(list);
            }
        }
    }
}

/* All loops shared one cursor, and a nested one ended or emptied the outer; a cached one was no better (29). */
static void bug_02_nested_passes_have_their_own_cursors(void)
{
#if MANY
    for (uint32_t count = 0; count <= 4; count++) {
        for (uint32_t stop = 1; stop <= 5; stop++) {
            LIST *list = list_of(count);
            uint32_t outer_met = 0;

            EACH(list, outer) {
                uint32_t inner_met = 0, steps = 0;

                meet(&outer_met, ID(list, outer));
                EACH(list, inner) {
                    meet(&inner_met, ID(list, inner));
                    if (++steps == stop) {
                        break;
                    }
                }
                CHECK(stop < count ? steps == stop : inner_met == UP_TO(count));
            }
            CHECK(outer_met == UP_TO(count) && held(list) == UP_TO(count));
            CALL(deinit)(list);
        }
    }
#endif
}

/* A pass that was over went on, or failed at a step past its end (15). With checks on, such a step stops the program. */
static void bug_03_a_pass_that_is_over_stays_over(void)
{
#if !BESPOKE_CHECKS
    LIST *list = list_of(2);
    LIST_CURSOR cursor = BEGIN(list);

    CHECK(CALL(next)(&cursor) != NOBODY && CALL(next)(&cursor) != NOBODY && CALL(next)(&cursor) == NOBODY);
    CHECK(CALL(next)(&cursor) == NOBODY);
    put(list, 3);
    CHECK(CALL(next)(&cursor) == NOBODY && CALL(next)(&cursor) == NOBODY);
    CALL(end)(&cursor);
    CHECK(held(list) == UP_TO(3));
    CALL(deinit)(list);
#endif
}

/* A step that was not preceded by the question whether there is one dropped elements. */
static void bug_04_steps_alone_drop_nothing(void)
{
    LIST *list = list_of(4);
    LIST_CURSOR cursor = BEGIN(list);
    uint32_t met = 0;

    for (uint32_t i = 0; i < 4; i++) {
        REF element = CALL(next)(&cursor);

        if (CHECK(element != NOBODY)) {
            meet(&met, ID(list, element));
        }
    }
    CHECK(met == UP_TO(4) && CALL(next)(&cursor) == NOBODY);
    CALL(end)(&cursor);
    CHECK(held(list) == UP_TO(4));
    CALL(deinit)(list);
}

/* Trimming the memory began a pass that was under way anew; compacting in one let it skip (46). */
static void bug_05_shrinking_in_a_pass_leaves_it_alone(void)
{
#if GROWS
    for (uint32_t stop = 1; stop <= 6; stop++) {
        for (int removes = 0; removes <= 1; removes++) {
            LIST *list = list_of(6);
            uint32_t met = 0, at = 0, gone = 0;

            EACH(list, element) {
                meet(&met, ID(list, element));
                if (++at <= stop && removes) {
                    gone |= BIT(ID(list, element));
                    done((int)CALL(remove_current)(&element_cursor));
                }
                if (at == stop) {
                    CHECK(CALL(shrink_to_fit)(list) == SAYS(OK));
                    CHECK(CALL(reserve)(list, 300) == SAYS(OK));
                    CHECK(CALL(shrink_to_fit)(list) == SAYS(OK));
                    CHECK(CALL(check)(list) == NULL);
                }
            }
            CHECK(met == UP_TO(6) && held(list) == (UP_TO(6) & ~gone));
            CHECK(CALL(shrink_to_fit)(list) == SAYS(OK) && held(list) == (UP_TO(6) & ~gone));
            CALL(deinit)(list);
        }
    }
#endif
}

/* Ended twice, a pass counted for two, and storage was tightened under one that was still going; or it failed (50). */
static void bug_41_ending_twice_does_no_harm(void)
{
#if MANY
    LIST *list = list_of(6);
    LIST_CURSOR first = BEGIN(list);
    LIST_CURSOR second = BEGIN(list);
    uint32_t met = 0, gone = 0;
    REF element;

    CHECK(CALL(next)(&second) != NOBODY);
    for (int i = 0; i < 2; i++) {
        element = CALL(next)(&first);
        if (CHECK(element != NOBODY)) {
            meet(&met, ID(list, element));
            gone |= BIT(ID(list, element));
            done((int)CALL(remove_current)(&first));
        }
    }
    CALL(end)(&second);
    CALL(end)(&second);
    CALL(end)(&second);
    while ((element = CALL(next)(&first)) != NOBODY) {
        meet(&met, ID(list, element));
    }
    CALL(end)(&first);
    CALL(end)(&first);
    CHECK(met == UP_TO(6) && held(list) == (UP_TO(6) & ~gone));
    CALL(deinit)(list);
#endif
}

/* And one that was ended counts for none. */
static void bug_41_passes_that_ended_are_over(void)
{
    LIST *list = list_of(3);

    for (int i = 0; i < 100; i++) {
        LIST_CURSOR cursor = BEGIN(list);
        uint32_t met = 0;

        CHECK(CALL(next)(&cursor) != NOBODY);
        CALL(end)(&cursor);
        EACH(list, element) { meet(&met, ID(list, element)); }
        CHECK(met == UP_TO(3));
    }
    CALL(deinit)(list);
}

/* A pass that nobody ended kept the storage from being tightened for ever, or slowed every removal. */
static void bug_42_forgotten_passes_are_over_at_the_frame_boundary(void)
{
    LIST *list = list_of(6);
    uint32_t left = UP_TO(6), next = 7;

    for (int frame = 0; frame < 20; frame++) {
        LIST_CURSOR forgotten = BEGIN(list);
        REF element = CALL(next)(&forgotten);

        if (CHECK(element != NOBODY)) {
            left &= ~BIT(ID(list, element));
            done((int)CALL(remove_current)(&forgotten));
        }
        put(list, next);
        left |= BIT(next);
        next++;
        SETTLE(list);
        CHECK(held(list) == left);
    }
    CALL(deinit)(list);
}

/* -- changes in a pass ------------------------------------------------------------------------------------------- */

/* Removing the current element took effect later, so that it was seen again (30); the pass then stood on the next (48). */
static void bug_30_removing_the_current_element(void)
{
    for (uint32_t which = 0; which < BIT(5); which += 2) {
        LIST *list = list_of(4);
        uint32_t met = 0;

        EACH(list, element) {
            uint32_t id = ID(list, element);

            meet(&met, id);
            if ((which & BIT(id)) != 0) {
                size_t before = CALL(count)(list);

                done((int)CALL(remove_current)(&element_cursor));
                CHECK(CALL(count)(list) == before - (ADDS != DEFERRED));
#if !BESPOKE_CHECKS
                CHECK(CALL(remove_current)(&element_cursor) == SAYS(ABSENT)); /* not whoever came into its place */
#endif
            }
        }
        CHECK(met == UP_TO(4) && held(list) == (UP_TO(4) & ~which));
        CALL(deinit)(list);
    }
}

/* When the last element was removed and another one added, the pass did not come to it; the other way round it did. */
static void bug_47_adding_after_the_last_one_was_removed(void)
{
    for (uint32_t count = 1; count <= 4; count++) {
        for (int added_first = 0; added_first <= 1; added_first++) {
            LIST *list = list_of(count);
            uint32_t met = 0, at = 0, gone = 0;

            EACH(list, element) {
                uint32_t id = ID(list, element);

                meet(&met, id);
                if (++at != count) {
                    continue;
                }
                gone = BIT(id);
                if (added_first) {
                    put(list, 10);
#if ANY
                    take(list, id);
#else
                    done((int)CALL(remove_current)(&element_cursor));
#endif
                } else {
                    done((int)CALL(remove_current)(&element_cursor));
                    put(list, 10);
                }
            }
            CHECK(met == (UP_TO(count) | (ADDS == VISITED ? BIT(10) : 0)));
            CHECK(held(list) == ((UP_TO(count) & ~gone) | BIT(10)));
            CALL(deinit)(list);
        }
    }
}

/* Clear under a pass, or the removal of all there was, left the pass at its old place: it skipped what was added then (40),
 * or what was cleared came back (23). */
static void bug_40_clear_under_a_pass(void)
{
    for (uint32_t steps = 1; steps <= 3; steps++) {
        for (uint32_t added = 0; added <= 4; added++) {
            for (int one_by_one = 0; one_by_one <= ANY; one_by_one++) {
                LIST *list = list_of(3);
                uint32_t met = 0, at = 0, before = 0;

                EACH(list, element) {
                    meet(&met, ID(list, element));
                    if (++at == steps) {
                        before = met;
                        if (one_by_one) {
                            take(list, 1), take(list, 2), take(list, 3);
                        } else {
                            (void)CALL(clear)(list);
                        }
                        CHECK(CALL(count)(list) == (ADDS == DEFERRED ? 3 : 0));
                        for (uint32_t i = 0; i < added; i++) {
                            put(list, 10 + i);
                        }
                    }
                }
                {
                    uint32_t fresh = BIT(10 + added) - BIT(10);

                    CHECK(met == (ADDS == DEFERRED ? UP_TO(3) : ADDS == VISITED ? before | fresh : before));
                    CHECK(held(list) == fresh);
                }
                CALL(deinit)(list);
            }
        }
    }
}

/* The same with another pass around it: it is the inner one that clears, and the outer one that must notice. */
static void bug_40_clear_under_two_passes(void)
{
#if MANY
    for (uint32_t outer_steps = 1; outer_steps <= 3; outer_steps++) {
        for (uint32_t inner_steps = 1; inner_steps <= 3; inner_steps++) {
            LIST *list = list_of(3);
            uint32_t met = 0, outer_at = 0, before = 0;

            EACH(list, outer) {
                meet(&met, ID(list, outer));
                if (++outer_at != outer_steps) {
                    continue;
                }
                before = met;
                {
                    uint32_t inner_met = 0, inner_at = 0;

                    EACH(list, inner) {
                        meet(&inner_met, ID(list, inner));
                        if (++inner_at == inner_steps) {
                            (void)CALL(clear)(list);
                            put(list, 10);
                            put(list, 11);
                        }
                    }
                    CHECK(inner_at == (ADDS == DEFERRED ? 3 : ADDS == VISITED ? inner_steps + 2 : inner_steps));
                }
            }
            CHECK(met == (ADDS == DEFERRED ? UP_TO(3) : ADDS == VISITED ? before | BIT(10) | BIT(11) : before));
            CHECK(held(list) == (BIT(10) | BIT(11)));
            CALL(deinit)(list);
        }
    }
#endif
}

/* Removing any elements, in front and behind, made loops skip some and repeat others; a pass went on along removed
 * ones (17). All cases of four elements. */
static void bug_59_no_skip_and_no_repeat(void)
{
#if ANY
    for (uint32_t steps = 1; steps <= 4; steps++) {
        for (uint32_t which = 0; which < BIT(5); which += 2) {
            LIST *list = list_of(4);
            uint32_t met = 0, at = 0, before = 0;

            EACH(list, element) {
                meet(&met, ID(list, element));
                if (++at == steps) {
                    before = met;
                    for (uint32_t id = 1; id <= 4; id++) {
                        if ((which & BIT(id)) != 0) {
                            take(list, id);
                        }
                    }
                }
            }
            CHECK(met == (ADDS == DEFERRED ? UP_TO(4) : before | (UP_TO(4) & ~which)));
            CHECK(held(list) == (UP_TO(4) & ~which));
            CALL(deinit)(list);
        }
    }
#endif
}

/* The same with a second pass live at another place, and with elements added after. */
static void bug_59_nor_with_a_second_pass(void)
{
#if ANY && MANY
    for (uint32_t outer_steps = 1; outer_steps <= 4; outer_steps++) {
        for (uint32_t inner_steps = 1; inner_steps <= 4; inner_steps++) {
            for (uint32_t which = 0; which < BIT(5); which += 2) {
                LIST *list = list_of(4);
                uint32_t met = 0, at = 0, before = 0, inner_met = 0, inner_before = 0;
                uint32_t fresh = ADDS == VISITED ? BIT(10) | BIT(11) : 0;

                EACH(list, outer) {
                    meet(&met, ID(list, outer));
                    if (++at == outer_steps) {
                        uint32_t inner_at = 0;

                        before = met;
                        EACH(list, inner) {
                            meet(&inner_met, ID(list, inner));
                            if (++inner_at == inner_steps) {
                                inner_before = inner_met;
                                for (uint32_t id = 1; id <= 4; id++) {
                                    if ((which & BIT(id)) != 0) {
                                        take(list, id);
                                    }
                                }
                                put(list, 10);
                                put(list, 11);
                            }
                        }
                    }
                }
                CHECK(met == (ADDS == DEFERRED ? UP_TO(4) : before | (UP_TO(4) & ~which) | fresh));
                CHECK(inner_met == (ADDS == DEFERRED ? UP_TO(4) : inner_before | (UP_TO(4) & ~which) | fresh));
                CHECK(held(list) == ((UP_TO(4) & ~which) | BIT(10) | BIT(11)));
                CALL(deinit)(list);
            }
        }
    }
#endif
}

#ifdef EXPLICIT
/* Does a pass that stands on `current`, or did, come to what is put beside another one? If it has still to come to that. */
static bool is_ahead(uint32_t current, uint32_t beside)
{
    return ORDER == BACKWARD ? beside < current : beside > current;
}

static void insert_beside(LIST *list, uint32_t id, uint32_t beside, bool behind)
{
    REF at = NOBODY;

    EACH(list, element) {
        if (ID(list, element) == beside) {
            at = element;
            break;
        }
    }
    CHECK(at != NOBODY);
    done((int)(behind ? CALL(insert_after)(list, at, ITEM_OF(id)) : CALL(insert_before)(list, at, ITEM_OF(id))));
}
#endif

/* Inserting before the element that a pass stood on moved the pass, which then came to some twice; and whether it came to
 * one that was inserted before the next hung on whether the current one had left. */
static void bug_49_inserting_beside_a_pass(void)
{
#ifdef EXPLICIT
    for (uint32_t which = 0; which < 4 * 4 * 2 * 3; which++) {
        const uint32_t current = 1 + which % 4, beside = 1 + which / 4 % 4, leaves = which / 32; /* 1: first, 2: then */
        const bool behind = which / 16 % 2 != 0;
        const uint32_t first = ORDER == BACKWARD ? 4 : 1;
        LIST *list = list_of(4);
        uint32_t met = 0, outer_met = 0, wanted[5], count = 0, at = 0;

        if (leaves != 1 || beside != current) {
            EACH(list, outer) {
                meet(&outer_met, ID(list, outer));
                if (outer_met != BIT(first)) {
                    continue;
                }
                EACH(list, element) {
                    meet(&met, ID(list, element));
                    if (ID(list, element) != current) {
                        continue;
                    }
                    if (leaves == 1) {
                        done((int)CALL(remove_current)(&element_cursor));
                    }
                    insert_beside(list, 10, beside, behind);
                    if (leaves == 2) {
                        done((int)CALL(remove_current)(&element_cursor));
                    }
                    CHECK(CALL(check)(list) == NULL);
                }
            }
            CHECK(met == (UP_TO(4) | (is_ahead(current, beside) ? BIT(10) : 0)));
            CHECK(outer_met == (BIT(first) | (leaves == 0 || current == first ? UP_TO(4) : UP_TO(4) & ~BIT(current)) |
                                (is_ahead(first, beside) ? BIT(10) : 0)));
            for (uint32_t id = 1; id <= 4; id++) {
                if (id == beside && !behind) {
                    wanted[count++] = 10;
                }
                if (id != current || leaves == 0) {
                    wanted[count++] = id;
                }
                if (id == beside && behind) {
                    wanted[count++] = 10;
                }
            }
            EACH(list, element) {
                CHECK(at < count && ID(list, element) == wanted[ORDER == BACKWARD ? count - 1 - at : at]);
                at++;
            }
            CHECK(at == count);
        }
        CALL(deinit)(list);
    }
#endif
}

/* -- what is in, and how much room there is ---------------------------------------------------------------------- */

/* The answer was upside down. */
static void bug_07_is_empty_when_the_count_is_zero(void)
{
    for (uint32_t count = 0; count <= 2; count++) {
        LIST *list = list_of(count);

        CHECK(CALL(is_empty)(list) == (count == 0) && CALL(count)(list) == count);
        (void)CALL(clear)(list);
        CHECK(CALL(is_empty)(list) && CALL(count)(list) == 0 && held(list) == 0);
        CALL(deinit)(list);
    }
}

/* Removing the only element left the list's idea of its last one behind. */
static void bug_08_nothing_stale_after_the_only_element(void)
{
    for (uint32_t count = 1; count <= 3; count++) {
        LIST *list = list_of(count);

        EACH(list, element) { done((int)CALL(remove_current)(&element_cursor)); }
        CHECK(held(list) == 0);
        put(list, 10);
        put(list, 11);
        CHECK(held(list) == (BIT(10) | BIT(11)));
        CALL(deinit)(list);
    }
}

/* Memory was asked for with the last slot still free. */
static void bug_19_a_full_list_is_full(void)
{
#if GROWS
    LIST *list = list_of(0);
    size_t capacity;

    CHECK(CALL(reserve)(list, 20) == SAYS(OK));
    capacity = CALL(capacity)(list);
    CHECK(capacity >= 20 && capacity < sizeof elements / sizeof *elements - 1);
    for (uint32_t id = 1; id <= capacity - SLOT_0; id++) {
        put(list, id);
    }
    CHECK(CALL(capacity)(list) == capacity && CALL(count)(list) == capacity - SLOT_0);
    put(list, (uint32_t)capacity + 1 - SLOT_0);
    CHECK(CALL(capacity)(list) > capacity && CALL(count)(list) == capacity + 1 - SLOT_0);
    CHECK(CALL(check)(list) == NULL);
    CALL(deinit)(list);
#endif
}

/* A list made of an array was empty. */
static void bug_20_an_array_is_added_whole(void)
{
    LIST *list = list_of(1);
    ITEM array[3] = {ITEM_OF(2), ITEM_OF(3), ITEM_OF(4)};
    size_t taken = 0;

    CHECK(CALL(add_all)(list, array, 3, &taken) == SAYS(OK) && taken == 3);
    CHECK(held(list) == UP_TO(4));
    CALL(deinit)(list);
}

/* What had expired was drawn and updated by those who did not look. */
static void bug_34_passes_skip_the_expired(void)
{
#if defined(EXPIRE) && MANY
    for (uint32_t steps = 1; steps <= 4; steps++) {
        for (uint32_t which = 0; which < BIT(5); which += 2) {
            LIST *list = list_of(4);
            uint32_t met = 0, at = 0, before = 0;

            EACH(list, element) {
                meet(&met, ID(list, element));
                if (++at == steps) {
                    before = met;
                    EACH(list, other) {
                        if ((which & BIT(ID(list, other))) != 0) {
                            EXPIRE(other);
                        }
                    }
                }
            }
            CHECK(met == (before | (UP_TO(4) & ~which)));
            met = 0;
            EACH(list, element) { meet(&met, ID(list, element)); }
            CHECK(met == (UP_TO(4) & ~which) && CALL(check)(list) == NULL);
            CALL(deinit)(list);
        }
    }
#endif
}

/* The container lost track of an element that had to move, or had left: it could neither be removed nor added again. */
static void bug_52_who_leaves_may_come_back(void)
{
    for (uint32_t first = 1; first <= 3; first++) {
        LIST *list = list_of(3);
        uint32_t met = 0;

        for (uint32_t i = 0; i < 6; i++) {
            uint32_t id = (first + i) % 3 + 1;

            take(list, id);
            CHECK(CALL(count)(list) == 2 && CALL(check)(list) == NULL);
            put(list, id);
            CHECK(CALL(count)(list) == 3 && CALL(check)(list) == NULL);
        }
        EACH(list, element) { meet(&met, ID(list, element)); }
        CHECK(met == UP_TO(3));
        for (uint32_t id = 1; id <= 3; id++) {
            take(list, id);
        }
        CHECK(held(list) == 0);
        put(list, 2);
        CHECK(held(list) == BIT(2));
        CALL(deinit)(list);
        (void)ADD(list, 2); /* and from there, too */
        CHECK(held(list) == BIT(2));
        CALL(deinit)(list);
    }
}

/* NULL was taken for an element. With checks on it stops the program. */
static void bug_36_null_is_refused(void)
{
#if POINTERS && !BESPOKE_CHECKS
    LIST *list = list_of(1);
    ITEM array[2] = {NULL, ITEM_OF(2)};
    size_t taken = 0;

    CHECK(CALL(add)(list, NULL) == SAYS(ABSENT));
    CHECK(CALL(add_all)(list, array, 2, &taken) == SAYS(ABSENT) && taken == 1);
    CHECK(held(list) == UP_TO(2));
    CALL(deinit)(list);
#endif
}

/* A node of another list was removed all the same, from a list that never had it (51); or nothing was said (54). */
static void bug_51_elements_of_another_container(void)
{
#if ANY && !KEYED
    LIST *list = list_of(2);
    LIST other = {0};

    put(&other, 3);
    put(&other, 4);
    EACH(&other, element) { CHECK(REMOVE(list, element) != SAYS(OK)); }
    CHECK(held(list) == UP_TO(2));
    CHECK(held(&other) == (BIT(3) | BIT(4)));
    EACH(list, element) { CHECK(REMOVE(&other, element) != SAYS(OK)); }
    CHECK(held(list) == UP_TO(2));
    CHECK(held(&other) == (BIT(3) | BIT(4)));
    CALL(deinit)(list);
    CALL(deinit)(&other);
#endif
}

/* Adding to a full container failed, and left the element half in (53); a pool without a free item did too (57). */
static void bug_53_full_is_told(void)
{
#ifdef MAX
    LIST *list = list_of(0);

    for (size_t i = 0; i < MAX; i++) {
        elements[1].NUMBER = (uint32_t)i + 1;
        CHECK(ADD(list, 1) == SAYS(OK));
    }
    CHECK(ADD(list, 1) == SAYS(FULL) && CALL(count)(list) == MAX && CALL(check)(list) == NULL);
    EACH(list, element) {
        CHECK(CALL(remove_current)(&element_cursor) == SAYS(OK));
        break;
    }
    CHECK(ADD(list, 1) == SAYS(OK) && ADD(list, 1) == SAYS(FULL));
    CHECK(CALL(count)(list) == MAX && CALL(check)(list) == NULL);
    CALL(deinit)(list);
#endif
}

int main(void)
{
    bug_01_leaving_a_pass_loses_nothing();
    bug_02_nested_passes_have_their_own_cursors();
    bug_03_a_pass_that_is_over_stays_over();
    bug_04_steps_alone_drop_nothing();
    bug_05_shrinking_in_a_pass_leaves_it_alone();
    bug_07_is_empty_when_the_count_is_zero();
    bug_08_nothing_stale_after_the_only_element();
    bug_19_a_full_list_is_full();
    bug_20_an_array_is_added_whole();
    bug_30_removing_the_current_element();
    bug_34_passes_skip_the_expired();
    bug_36_null_is_refused();
    bug_40_clear_under_a_pass();
    bug_40_clear_under_two_passes();
    bug_41_ending_twice_does_no_harm();
    bug_41_passes_that_ended_are_over();
    bug_42_forgotten_passes_are_over_at_the_frame_boundary();
    bug_47_adding_after_the_last_one_was_removed();
    bug_49_inserting_beside_a_pass();
    bug_51_elements_of_another_container();
    bug_52_who_leaves_may_come_back();
    bug_53_full_is_told();
    bug_59_no_skip_and_no_repeat();
    bug_59_nor_with_a_second_pass();
    return checks_result();
}
