/* The stories of hooked.c for container T. Their functions are called shifts_bug_26_..., and so on. */
#ifndef ADDS
#define ADDS VISITED
#endif
#ifndef UPDATES
#define UPDATES 0 /* it has an update */
#endif

void CALL(adds)(LIST *list, struct thing *thing)
{
    came[thing->id]++;
    CHECK(CALL(contains)(list, thing) && CALL(check)(list) == NULL);
    if (on_add != NULL) {
        on_add(list, thing);
    }
}

void CALL(removes)(LIST *list, struct thing *thing)
{
    left[thing->id]++;
    CHECK(!CALL(contains)(list, thing) && CALL(check)(list) == NULL);
}

void CALL(destroys)(LIST *list, struct thing *thing)
{
    destroyed[thing->id]++;
    CHECK(left[thing->id] == destroyed[thing->id]);
    CHECK(!CALL(contains)(list, thing) && CALL(check)(list) == NULL);
    if (on_destroy != NULL) {
        on_destroy(list, thing);
    }
}

static LIST *CALL(of)(uint32_t count)
{
    static LIST list; /* where elements may know it by its address */

    begin_story();
    memset(&list, 0, sizeof list);
    for (uint32_t id = 1; id <= count; id++) {
        CHECK(CALL(add)(&list, &things[id]) == SAYS(OK));
    }
    return &list;
}

/* Who is in, as bits. */
static uint32_t CALL(held)(LIST *list)
{
    uint32_t met = 0;
    size_t count = 0;

    EACH(list, thing) {
        CHECK((met >> thing->id & 1) == 0);
        met |= (uint32_t)1 << thing->id;
        count++;
    }
    CHECK(CALL(count)(list) == count && CALL(check)(list) == NULL);
    return met;
}

/* The hooks were told of each that it came as often as it left, but for those that are in. */
static void CALL(end_story)(LIST *list, uint32_t wanted)
{
    CHECK(CALL(held)(list) == wanted);
    for (uint32_t id = 1; id < COUNT; id++) {
        unsigned in = id < 32 ? wanted >> id & 1 : 0;

        CHECK(left[id] == destroyed[id] && came[id] == left[id] + in);
    }
    on_add = on_destroy = on_update = NULL;
    CALL(deinit)(list);
    for (uint32_t id = 1; id < COUNT; id++) {
        CHECK(came[id] == left[id] && left[id] == destroyed[id]);
    }
}

static void CALL(adds_escort)(void *list_, struct thing *thing)
{
    LIST *list = list_;

    if (thing->id <= 2) {
        size_t count = CALL(count)(list);

        (void)CALL(add)(list, &things[thing->id + 10]);
        CHECK(ADDS == DEFERRED || CALL(count)(list) == count + 1);
    }
}

/* The add hook ran before the count was right: an add from it overwrote the element and left a hole. */
static void CALL(bug_26_an_add_hook_adds)(void)
{
    LIST *list = CALL(of)(0);
    struct thing *array[3] = {&things[1], &things[2], &things[3]};
    size_t taken = 0;

    on_add = CALL(adds_escort);
    CHECK(CALL(add_all)(list, array, 3, &taken) == SAYS(OK) && taken == 3);
    CALL(end_story)(list, 0xe | 3u << 11);
}

static void CALL(leaves_wreck)(void *list_, struct thing *thing)
{
    LIST *list = list_;

    if (thing->id < 10) {
        (void)CALL(add)(list, &things[thing->id + 10]);
    }
}

static void CALL(clears)(void *list_, struct thing *thing)
{
    LIST *list = list_;

    if (thing->id == 2) {
        (void)CALL(clear)(list);
    }
}

/* Clearing ran over what its own hooks added: a wreck went at once, or clearing never came to an end. */
static void CALL(bug_27_what_a_hook_adds_survives_clear)(void)
{
    LIST *list = CALL(of)(3);

    on_destroy = CALL(leaves_wreck);
    (void)CALL(clear)(list);
    CALL(end_story)(list, 7u << 11);

    /* under a pass */
    list = CALL(of)(3);
    on_destroy = CALL(leaves_wreck);
    EACH(list, thing) {
        if (thing->id == 2) {
            (void)CALL(clear)(list);
        }
    }
    CALL(end_story)(list, 7u << 11);

    /* clearing from a hook of clear: each is told of once */
    list = CALL(of)(4);
    on_destroy = CALL(clears);
    (void)CALL(clear)(list);
    CALL(end_story)(list, 0);
}

/* Clearing where an element is let go of brought the current one back in place of a new one, and told of its end
 * twice. */
static void CALL(bug_23_a_hook_clears_in_a_pass)(void)
{
    for (uint32_t which = 1; which <= 3; which++) {
        LIST *list = CALL(of)(3);
        uint32_t met = 0;

        on_destroy = CALL(clears);
        EACH(list, thing) {
            met |= (uint32_t)1 << thing->id;
            if (thing->id == which) {
                CALL(remove_current)(&thing_cursor);
                (void)CALL(add)(list, &things[11]);
            }
        }
        if (which != 2) { /* nobody has cleared it */
            CHECK(met == (ADDS == DEFERRED ? 0xeu : 0xe | 1u << 11));
            CALL(end_story)(list, (0xe & ~((uint32_t)1 << which)) | 1u << 11);
        } else { /* all that was there before is gone; deferred, the add had been replayed or not */
            CHECK((met & 1u << 2) != 0 && (ADDS == DEFERRED || (met & 1u << 11) != 0));
            CHECK((CALL(held)(list) & 0xe) == 0);
            CALL(end_story)(list, CALL(held)(list));
        }
    }
}

/* A shared element that one list cleared away lived on in the other, which ended it again: here each list tells of it. */
static void CALL(bug_28_clear_tells_each_once)(void)
{
    LIST *list = CALL(of)(4);

    (void)CALL(clear)(list);
    for (uint32_t id = 1; id <= 4; id++) {
        CHECK(left[id] == 1 && destroyed[id] == 1);
    }
    CALL(end_story)(list, 0);
}

/* Jumping out of a loop left elements in twice, or out: what has happened until then has, and nothing else. */
static void CALL(bug_25_jumping_out_of_a_pass)(void)
{
    static LIST *list; /* static: setjmp leaves it alone */
    static uint32_t gone;

    list = CALL(of)(5);
    gone = 0;
    if (setjmp(away) == 0) {
        LIST_CURSOR cursor = CALL(begin)(list);
        unsigned steps = 0;

        for (struct thing *thing = CALL(next)(&cursor); thing != NULL; thing = CALL(next)(&cursor)) {
            if (++steps <= 2) {
                gone |= (uint32_t)1 << thing->id;
                CALL(remove_current)(&cursor);
            } else if (steps == 4) {
                longjmp(away, 1);
            }
        }
        CHECK(false);
    }
    (void)CALL(settle)(list);
    CALL(end_story)(list, 0x3e & ~gone);
}

#if UPDATES
void CALL(updates)(LIST *list, struct thing *thing, void *context)
{
    CHECK(context == &away);
    updated[thing->id]++;
    if (on_update != NULL) {
        on_update(list, thing);
    }
}

static void CALL(updates_inside)(void *list_, struct thing *thing)
{
    LIST *list = list_;
    static bool inside;

    if (thing->id == 2 && !inside) {
        inside = true;
        things[1].left = things[2].left = things[4].left = 0;
        CALL(update)(list, &away);
        inside = false;
    }
}

/* An update within an update of the same list dropped an element that lived, and told of an end twice. */
static void CALL(bug_24_an_update_in_an_update)(void)
{
    LIST *list = CALL(of)(5);

    on_update = CALL(updates_inside);
    CALL(update)(list, &away);
    CHECK(updated[3] == 2 && updated[5] == 2);
    CALL(end_story)(list, 1u << 3 | 1u << 5);
}

static void CALL(clears_and_adds)(void *list_, struct thing *thing)
{
    LIST *list = list_;

    if (thing->id == 2) {
        thing->left = 0;
        CALL(clear)(list);
        CHECK(CALL(add)(list, &things[11]) == SAYS(OK) && CALL(add)(list, &things[12]) == SAYS(OK));
    }
}

/* The same as above in an update: the current one was brought back, and the new ones lost. */
static void CALL(bug_23_clear_in_an_update)(void)
{
    LIST *list = CALL(of)(3);

    on_update = CALL(clears_and_adds);
    CALL(update)(list, &away);
    CHECK(updated[2] == 1 && updated[11] == 1 && updated[12] == 1);
    CALL(end_story)(list, 3u << 11);
}

static uint32_t CALL(who_left);
static unsigned CALL(steps);

static void CALL(jumps)(void *list, struct thing *thing)
{
    (void)list;
    CALL(steps)++;
    if (CALL(steps) == 2) {
        thing->left = 0;
        CALL(who_left) = thing->id;
    } else if (CALL(steps) == 3) {
        longjmp(away, 1);
    }
}

/* An exception in an update left elements in twice, for ever. */
static void CALL(bug_25_jumping_out_of_an_update)(void)
{
    static LIST *list; /* static: setjmp leaves it alone */

    list = CALL(of)(5);
    CALL(steps) = 0;
    on_update = CALL(jumps);
    if (setjmp(away) == 0) {
        CALL(update)(list, &away);
        CHECK(false);
    }
    on_update = NULL;
    (void)CALL(settle)(list);
    memset(updated, 0, sizeof updated);
    CALL(update)(list, &away);
    for (uint32_t id = 1; id <= 5; id++) {
        CHECK(updated[id] == (id != CALL(who_left)));
    }
    CALL(end_story)(list, 0x3e & ~((uint32_t)1 << CALL(who_left)));
}
#endif

static void CALL(stories)(void)
{
    CALL(bug_23_a_hook_clears_in_a_pass)();
    CALL(bug_25_jumping_out_of_a_pass)();
    CALL(bug_26_an_add_hook_adds)();
    CALL(bug_27_what_a_hook_adds_survives_clear)();
    CALL(bug_28_clear_tells_each_once)();
#if UPDATES
    CALL(bug_23_clear_in_an_update)();
    CALL(bug_24_an_update_in_an_update)();
    CALL(bug_25_jumping_out_of_an_update)();
#endif
}

#undef T
#undef TT
#undef ADDS
#undef UPDATES
