/* The item pool: what its original got wrong, and how it is meant to behave (see README.md). */
#include "item_pool.h"
#include "check.h"

static struct trace trace;

static struct spark spark(uint32_t id)
{
    struct spark made = {0};

    made.id = id;
    made.life = 1;
    return made;
}

/* Puts a spark in and gives its handle. */
static effects_handle add(effects *pool, uint32_t id)
{
    struct spark *made = effects_emplace(pool);

    if (!CHECK(made != NULL)) {
        return (effects_handle){0, 0};
    }
    *made = spark(id);
    return effects_handle_of(pool, made);
}

static uint32_t id_of(const effects *pool, effects_handle handle)
{
    const struct spark *found = effects_get(pool, handle);

    return found == NULL ? 0 : found->id;
}

static struct trace *held(effects *pool)
{
    static struct trace held;

    CHECK(effects_check(pool) == NULL);
    held.count = 0;
    EFFECTS_EACH(pool, element) { note(&held, element->id); }
    return &held;
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

/* Taking an item from a pool that had none left failed. It is told, and nothing has happened. */
static void bug_57_an_exhausted_pool_says_full(void)
{
    effects pool = {0};
    voices small = {0};
    effects_handle last = {0, 0};
    struct spark many[40];
    size_t taken = 0;

    for (uint32_t id = 1; id <= EFFECTS_MAX; id++) {
        last = add(&pool, id);
    }
    CHECK(effects_count(&pool) == EFFECTS_MAX && effects_capacity(&pool) == EFFECTS_MAX);
    CHECK(effects_emplace(&pool) == NULL);
    CHECK(effects_add(&pool, spark(1)) == EFFECTS_FULL);
    CHECK(effects_reserve(&pool, EFFECTS_MAX + 1) == EFFECTS_FULL);
    CHECK(effects_count(&pool) == EFFECTS_MAX && effects_check(&pool) == NULL);
    CHECK(effects_remove(&pool, last) == EFFECTS_OK);
    CHECK(effects_add(&pool, spark(999)) == EFFECTS_OK);
    CHECK(effects_add(&pool, spark(1000)) == EFFECTS_FULL);
    effects_deinit(&pool);

    for (uint32_t i = 0; i < 40; i++) {
        many[i] = spark(i + 1);
    }
    CHECK(voices_add_all(&small, many, 40, &taken) == VOICES_FULL && taken == VOICES_MAX);
    CHECK(voices_emplace(&small) == NULL && voices_count(&small) == VOICES_MAX && voices_check(&small) == NULL);
    voices_deinit(&small);
}

/* Whoever kept an item after giving it back could give back the next owner's. A handle knows its element, not its place. */
static void bug_58_a_stale_handle_never_names_the_next_owner(void)
{
    effects pool = {0};
    effects_handle first = add(&pool, 1);
    effects_handle second = {0, 0};
    effects_handle handles[100];

    for (int way = 0; way < 2; way++) {
        CHECK(effects_remove(&pool, first) == EFFECTS_OK);
        if (way == 0) {
            CHECK(effects_add(&pool, spark(2)) == EFFECTS_OK);
            EFFECTS_EACH(&pool, element) { second = effects_handle_of(&pool, element); }
        } else {
            second = add(&pool, 2);
        }
        CHECK(second.index == first.index); /* the same slot: else this would show nothing */
        CHECK(effects_get(&pool, first) == NULL);
        CHECK(effects_remove(&pool, first) == EFFECTS_STALE);
        CHECK(id_of(&pool, second) == 2 && effects_count(&pool) == 1);
        first = second;
    }

    /* twice given back, and a handle that never named anything */
    CHECK(effects_remove(&pool, second) == EFFECTS_OK);
    CHECK(effects_remove(&pool, second) == EFFECTS_STALE);
    CHECK(effects_get(&pool, (effects_handle){0, 0}) == NULL);
    CHECK(effects_remove(&pool, (effects_handle){0, 0}) == EFFECTS_STALE);
    CHECK(effects_remove(&pool, (effects_handle){EFFECTS_MAX, 1}) == EFFECTS_STALE);
    CHECK(effects_remove(&pool, (effects_handle){UINT32_MAX, 1}) == EFFECTS_STALE);
    CHECK(effects_count(&pool) == 0 && effects_check(&pool) == NULL);

    /* clearing makes all handles stale */
    for (uint32_t i = 0; i < 100; i++) {
        handles[i] = add(&pool, i + 1);
    }
    effects_clear(&pool);
    for (uint32_t i = 0; i < 100; i++) {
        add(&pool, 1000 + i);
    }
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(effects_get(&pool, handles[i]) == NULL && effects_remove(&pool, handles[i]) == EFFECTS_STALE);
    }
    CHECK(effects_count(&pool) == 100 && effects_check(&pool) == NULL);
    effects_deinit(&pool);
}

/* Nor does it when the generations of a slot have all been used: the slot is then never used again, and the pool full with
 * one item less. */
static void bug_58_nor_after_all_generations(void)
{
    voices pool = {0};
    voices_handle first = {0}, now;

    CHECK(voices_add(&pool, spark(1)) == VOICES_OK);
    VOICES_EACH(&pool, element) { first = voices_handle_of(&pool, element); }
    now = first;
    for (uint32_t i = 0; i < 70000; i++) {
        struct spark *made;

        if (!CHECK(voices_remove(&pool, now) == VOICES_OK && voices_get(&pool, first) == NULL)) {
            break;
        }
        made = voices_emplace(&pool);
        if (!CHECK(made != NULL)) {
            break;
        }
        now = voices_handle_of(&pool, made);
        if (!CHECK(voices_get(&pool, now) == made && voices_get(&pool, first) == NULL)) {
            break;
        }
    }
    CHECK(now.index != first.index);
    CHECK(voices_count(&pool) == 1 && voices_check(&pool) == NULL);
    for (uint32_t i = 2; i < VOICES_MAX; i++) {
        CHECK(voices_add(&pool, spark(i)) == VOICES_OK);
    }
    CHECK(voices_add(&pool, spark(VOICES_MAX)) == VOICES_FULL && voices_emplace(&pool) == NULL);
    CHECK(voices_count(&pool) == VOICES_MAX - 1 && voices_check(&pool) == NULL);
    voices_deinit(&pool);
}

/* Removing in a loop skips nobody and repeats nobody, whoever is removed and whenever. */
static void bug_59_no_skip_and_no_repeat(void)
{
    for (uint32_t count = 1; count <= 7; count++) {
        for (uint32_t at = 1; at <= count; at++) {
            for (uint32_t whom = 1; whom <= count; whom++) {
                for (int again = 0; again < 2; again++) { /* 1: one is added after it, into the free slot */
                    effects pool = {0};
                    effects_handle handles[8];
                    unsigned visits[9] = {0};
                    uint32_t step = 0;
                    bool visited = false;

                    for (uint32_t id = 1; id <= count; id++) {
                        handles[id] = add(&pool, id);
                    }
                    EFFECTS_EACH(&pool, element)
                    {
                        visits[element->id]++;
                        if (++step == at) {
                            visited = visits[whom] == 1;
                            CHECK(effects_remove(&pool, handles[whom]) == EFFECTS_OK);
                            if (again == 1) {
                                add(&pool, 8);
                            }
                        }
                    }
                    for (uint32_t id = 1; id <= count; id++) {
                        CHECK(visits[id] == (id == whom && !visited ? 0 : 1));
                    }
                    CHECK(visits[8] == (unsigned)again);
                    effects_deinit(&pool);
                }
            }
        }
    }
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* An item stays where it is from the moment it is taken to the moment it is given back, whatever happens to others. */
static void items_never_move(void)
{
    effects pool = {0};
    struct spark *where[EFFECTS_MAX];
    effects_handle handles[EFFECTS_MAX];

    for (uint32_t i = 0; i < EFFECTS_MAX; i++) {
        handles[i] = add(&pool, i + 1);
        where[i] = effects_get(&pool, handles[i]);
    }
    for (uint32_t i = 0; i < EFFECTS_MAX; i += 3) {
        CHECK(effects_remove(&pool, handles[i]) == EFFECTS_OK);
    }
    for (uint32_t i = 0; i < EFFECTS_MAX; i += 6) {
        handles[i] = add(&pool, 1000 + i);
    }
    for (uint32_t i = 0; i < EFFECTS_MAX; i++) {
        if (i % 3 != 0) {
            CHECK(effects_get(&pool, handles[i]) == where[i] && where[i]->id == i + 1);
        }
    }
    effects_settle(&pool);
    CHECK(effects_check(&pool) == NULL);
    CHECK(effects_get(&pool, handles[1]) == where[1]);
    effects_deinit(&pool);
}

/* Giving back what is another pool's, or nobody's, was ignored. The address of it is not an element, and has no handle. */
static void items_of_others_are_told_apart(void)
{
    effects one = {0};
    effects other = {0};
    struct spark outside = spark(1);
    effects_handle none;
    struct spark *mine;

    add(&one, 1);
    add(&other, 2);
    mine = effects_get(&one, add(&one, 3));
    CHECK(effects_contains(&one, mine) && !effects_contains(&other, mine) && !effects_contains(&one, &outside));
    CHECK(!effects_contains(&one, NULL));
    none = effects_handle_of(&other, mine);
    CHECK(none.index == 0 && none.generation == 0);
    CHECK(effects_remove(&other, none) == EFFECTS_STALE);
    none = effects_handle_of(&other, &outside);
    CHECK(effects_remove(&other, none) == EFFECTS_STALE);
    CHECK_TRACE(held(&other), "2");
    CHECK_TRACE_OF_ALL(held(&one), "1 3");
    effects_deinit(&one);
    effects_deinit(&other);
}

/* What is taken during a pass is visited in it, before or behind where the pass stands. */
static void row_a_adds_are_visited(void)
{
    effects pool = {0};
    effects_handle handles[150];

    for (uint32_t id = 1; id <= 140; id++) {
        handles[id] = add(&pool, id);
    }
    EFFECTS_EACH(&pool, element)
    {
        uint32_t id = element->id;

        note(&trace, id);
        if (id == 135) {
            CHECK(effects_remove(&pool, handles[3]) == EFFECTS_OK);
            CHECK(effects_remove(&pool, handles[70]) == EFFECTS_OK);
            CHECK(effects_remove(&pool, handles[137]) == EFFECTS_OK);
            for (uint32_t more = 201; more <= 204; more++) {
                add(&pool, more);
            }
        }
    }
    CHECK(trace.count == 143);
    sort(&trace);
    for (size_t i = 0; i < trace.count; i++) {
        CHECK(trace.ids[i] == (i < 136 ? i + 1 : i < 139 ? i + 2 : i + 62));
    }
    trace.count = 0;
    CHECK(effects_count(&pool) == 141 && effects_check(&pool) == NULL);
    effects_deinit(&pool);
}

/* The current item is given back: once; then the next one is visited. Its slot may be taken again at once, and that one is
 * not the current one. */
static void row_b_removing_the_current_element(void)
{
    effects pool = {0};
    effects_cursor cursor;

    for (uint32_t id = 1; id <= 3; id++) {
        add(&pool, id);
    }
    cursor = effects_begin(&pool);
#if !BESPOKE_CHECKS
    CHECK(effects_remove_current(&cursor) == EFFECTS_ABSENT);
#endif
    note(&trace, effects_next(&cursor)->id);
    CHECK(effects_remove_current(&cursor) == EFFECTS_OK);
#if !BESPOKE_CHECKS
    CHECK(effects_remove_current(&cursor) == EFFECTS_ABSENT);
    add(&pool, 4);
    CHECK(effects_remove_current(&cursor) == EFFECTS_ABSENT);
#else
    add(&pool, 4);
#endif
    for (struct spark *element; (element = effects_next(&cursor)) != NULL;) {
        note(&trace, element->id);
    }
    CHECK_TRACE_OF_ALL(&trace, "1 2 3 4");
    CHECK(effects_count(&pool) == 3);
    effects_deinit(&pool);
}

/* Passes within passes, one of which gives everything back. */
static void row_d_nested_passes(void)
{
    effects pool = {0};

    for (uint32_t id = 1; id <= 3; id++) {
        add(&pool, id);
    }
    EFFECTS_EACH(&pool, outer)
    {
        note(&trace, outer->id);
        EFFECTS_EACH(&pool, inner) { note(&trace, 10 + inner->id); }
    }
    CHECK(trace.count == 12);
    CHECK_TRACE_OF_ALL(&trace, "1 2 3 11 11 11 12 12 12 13 13 13");
    EFFECTS_EACH(&pool, outer)
    {
        note(&trace, 0);
        EFFECTS_EACH(&pool, inner)
        {
            note(&trace, inner->id);
            CHECK(effects_remove_current(&inner_cursor) == EFFECTS_OK);
        }
    }
    CHECK_TRACE_OF_ALL(&trace, "0 1 2 3");
    CHECK(effects_is_empty(&pool));
    effects_deinit(&pool);
}

/* Leaving early, and a cursor that nobody ends. */
static void row_e_leaving_early(void)
{
    effects pool = {0};

    for (uint32_t id = 1; id <= 3; id++) {
        add(&pool, id);
    }
    for (int frame = 0; frame < 20; frame++) {
        effects_cursor cursor = effects_begin(&pool);

        CHECK(effects_next(&cursor) != NULL);
        EFFECTS_EACH(&pool, element)
        {
            CHECK(element->id >= 1 && element->id <= 3);
            break;
        }
        effects_settle(&pool);
        effects_end(&cursor);
    }
    CHECK_TRACE_OF_ALL(held(&pool), "1 2 3");
    effects_deinit(&pool);
}

/* Clearing takes everything from under a pass; what is taken after it is visited. */
static void row_f_clear_in_a_pass(void)
{
    effects pool = {0};

    for (uint32_t id = 1; id <= 100; id++) {
        add(&pool, id);
    }
    EFFECTS_EACH(&pool, element)
    {
        note(&trace, element->id > 100 ? element->id : 0);
        if (trace.count == 90) {
            effects_clear(&pool);
            CHECK(effects_is_empty(&pool));
            add(&pool, 101);
            add(&pool, 102);
            trace.count = 0;
        }
    }
    CHECK_TRACE_OF_ALL(&trace, "101 102");
    CHECK_TRACE_OF_ALL(held(&pool), "101 102");
    effects_deinit(&pool);
}

/* Nothing is allocated before the first item is taken, and all of it then. */
static void row_k_capacity(void)
{
    effects pool = {0};
    voices small = {0};
    struct spark *first;

    EFFECTS_EACH(&pool, element) { CHECK(element == NULL); }
    effects_settle(&pool);
    CHECK(effects_capacity(&pool) == 0 && effects_is_empty(&pool));
    first = effects_get(&pool, add(&pool, 1));
    CHECK(effects_capacity(&pool) == EFFECTS_MAX);
    for (uint32_t id = 2; id <= EFFECTS_MAX; id++) {
        add(&pool, id);
    }
    CHECK(effects_capacity(&pool) == EFFECTS_MAX && first->id == 1 && effects_contains(&pool, first));
    effects_deinit(&pool);

    CHECK(voices_capacity(&small) == VOICES_MAX && voices_is_empty(&small));
    first = voices_emplace(&small);
    CHECK((unsigned char *)first >= (unsigned char *)&small && (unsigned char *)first < (unsigned char *)(&small + 1));
    voices_deinit(&small);
}

int main(void)
{
    bug_57_an_exhausted_pool_says_full();
    bug_58_a_stale_handle_never_names_the_next_owner();
    bug_58_nor_after_all_generations();
    bug_59_no_skip_and_no_repeat();
    items_never_move();
    items_of_others_are_told_apart();
    row_a_adds_are_visited();
    row_b_removing_the_current_element();
    row_d_nested_passes();
    row_e_leaving_early();
    row_f_clear_in_a_pass();
    row_k_capacity();
    return checks_result();
}
