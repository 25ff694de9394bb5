/* The stories of updates.c for container T. */
#ifndef ADDS
#define ADDS VISITED
#endif

static void CALL(anything)(LIST *list, uint32_t self);

bool CALL(is_over)(const struct thing *thing)
{
    CHECK(known[thing->id].in);
    known[thing->id].asked++;
    return thing->left <= 0;
}

void CALL(adds)(LIST *list, struct thing *thing)
{
    known[thing->id].came++;
    known[thing->id].in = true;
    CHECK(CALL(contains)(list, thing) && CALL(check)(list) == NULL);
    if (!quiet && random_number(8) == 0) {
        CALL(anything)(list, 0);
    }
}

void CALL(removes)(LIST *list, struct thing *thing)
{
    known[thing->id].left++;
    known[thing->id].in = false;
    CHECK(!CALL(contains)(list, thing) && CALL(check)(list) == NULL);
}

void CALL(destroys)(LIST *list, struct thing *thing)
{
    known[thing->id].destroyed++;
    CHECK(known[thing->id].destroyed == known[thing->id].left);
    CHECK(!CALL(contains)(list, thing) && CALL(check)(list) == NULL);
    if (!quiet && random_number(4) == 0) {
        CALL(anything)(list, 0);
    }
}

void CALL(updates)(LIST *list, struct thing *thing, void *context)
{
    CHECK(context == things);
    CHECK(known[thing->id].in && CALL(contains)(list, thing) && CALL(check)(list) == NULL);
    CHECK(ASK == AFTER || thing->left > 0); /* who expired before is not updated */
    known[thing->id].updated++;
    if (!quiet) {
        CALL(anything)(list, thing->id);
    }
}

static void CALL(add_one)(LIST *list)
{
    if (next_id < COUNT - 1) {
        uint32_t id = next_id++;

        things[id].id = id;
        things[id].left = 1;
        CHECK(CALL(add)(list, &things[id]) == SAYS(OK));
    }
}

/* What a hook may do. */
static void CALL(anything)(LIST *list, uint32_t self)
{
    uint32_t other = anybody();

    switch (random_number(24)) {
    case 0:
    case 1:
    case 2:
        CALL(add_one)(list);
        break;
    case 3:
    case 4:
        expire(self);
        if (self != 0) {
            known[self].expired_early = false;
        }
        break;
    case 5:
        expire(other);
        break;
    case 6:
        if (self != 0) {
            CHECK(CALL(remove)(list, &things[self]) == SAYS(OK));
            CHECK(CALL(remove)(list, &things[self]) == SAYS(ABSENT));
        }
        break;
    case 7:
    case 8:
        if (other != 0) {
            CHECK(CALL(remove)(list, &things[other]) == SAYS(OK));
        }
        break;
    case 9:
        if (random_number(8) == 0) {
            CALL(clear)(list);
        }
        break;
    case 10:
        nested = true;
        if (depth < 3) {
            uint32_t steps = random_number(6);

            depth++;
            EACH(list, thing) {
                CHECK(known[thing->id].in && thing->left > 0);
                if (steps-- == 0) {
                    CHECK(CALL(remove_current)(&thing_cursor) == SAYS(OK));
                    break;
                }
            }
            depth--;
        }
        break;
    case 11:
        nested = true;
        if (depth < 2 && random_number(4) == 0) {
            depth++;
            CALL(update)(list, things);
            depth--;
        }
        break;
    default:
        break;
    }
}

static void CALL(begin_update)(void)
{
    for (uint32_t id = 1; id < next_id; id++) {
        known[id].updated = known[id].asked = 0;
        known[id].before = known[id].in;
        known[id].expired_early = false;
    }
    nested = false;
}

/* Each that was there and stayed was updated once and asked as often as is said; and so on. */
static void CALL(end_update)(LIST *list)
{
    size_t count = 0;

    for (uint32_t id = 1; id < next_id; id++) {
        unsigned times = known[id].before || ADDS == VISITED ? 1 : 0;

        count += known[id].in;
        CHECK(known[id].came == known[id].left + known[id].in && known[id].left == known[id].destroyed);
        if (nested) {
            continue;
        }
        CHECK(known[id].updated <= times && known[id].asked <= times * (ASK == AROUND ? 2 : 1));
        if (known[id].in) {
            CHECK(known[id].updated == times && known[id].asked == times * (ASK == AROUND ? 2 : 1));
            CHECK(times == 0 || !known[id].expired_early);
        }
    }
    CHECK(CALL(count)(list) == count && CALL(check)(list) == NULL);
}

static void CALL(stories)(void)
{
    for (int round = 0; round < 40; round++) {
        static LIST list; /* where elements may know it by its address */

        memset(&list, 0, sizeof list);
        memset(things, 0, sizeof things);
        memset(known, 0, sizeof known);
        next_id = 1;
        quiet = true;
        for (uint32_t i = 0; i < 20; i++) {
            CALL(add_one)(&list);
        }
        quiet = false;
        for (int frame = 0; frame < 30; frame++) {
            CALL(begin_update)();
            CALL(update)(&list, things);
            CALL(end_update)(&list);
            if (frame % 8 == 7) {
                CALL(settle)(&list);
            }
            while (CALL(count)(&list) < 8 && next_id < COUNT - 1) {
                CALL(add_one)(&list);
            }
        }
        quiet = true; /* and then all that has expired goes, nobody else */
        CALL(begin_update)();
        CALL(update)(&list, things);
        CALL(end_update)(&list);
        for (uint32_t id = 1; id < next_id; id++) {
            CHECK(known[id].in == (known[id].before && things[id].left > 0));
        }
        CALL(deinit)(&list);
        for (uint32_t id = 1; id < next_id; id++) {
            CHECK(!known[id].in && known[id].came == 1 && known[id].left == 1 && known[id].destroyed == 1);
        }
    }
}

#undef T
#undef TT
#undef ASK
#undef ADDS
