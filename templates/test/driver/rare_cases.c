/* -- cases that random sequences rarely reach --------------------------------------------------------------------------- */

/* On an empty container nothing requests memory. */
static void bt_try_empty(void)
{
    static const unsigned char kinds[] = {BT_CLEAR, BT_BEGIN, BT_NEXT, BT_END, BT_READ, BT_REMOVE, BT_REMOVE_NULL, BT_REMOVE_AT,
                                          BT_REMOVE_KEY, BT_REMOVE_FROM, BT_ADD_FROM, BT_UPDATE, BT_LOCK, BT_UNLOCK, BT_SHRINK,
                                          BT_DATA, BT_HASH_KEY, BT_SETTLE, BT_RESTART, BT_RESTART, BT_END};
    unsigned long requests;
    bt_op op;

    bt_begin_run();
    requests = bt_requests;
    memset(&op, 0, sizeof op);
    op.label = 1;
    for (size_t i = 0; i < sizeof kinds; i++) {
        op.kind = kinds[i];
        bt_do(&op);
        bt_compare(0, 0);
        bt_compare(1, 0);
    }
    if (bt_requests != requests) {
        bt_fail("a call on an empty container requested memory");
    }
}

/* Of the calls that note what has been reported. */
static bool bt_has_hooks(void)
{
    return bt_it->on_add || bt_it->on_remove || bt_it->on_destroy;
}

/* As many as the spec allows, and not one more. */
static void bt_try_full(void)
{
    unsigned status;

    if (bt_it->limit == 0 || bt_it->limit >= bt_labels - 1 || (bt_it->keys != 0 && bt_it->limit + 2 >= bt_it->keys) || bt_has_hooks()) {
        return;
    }
    bt_begin_run();
    bt_playing = false; /* the model stays empty */
    for (unsigned label = 1; label <= bt_it->limit; label++) {
        status = bt_it->add(0, label);
        bt_operations++;
        bt_expect("add", status, BT_OK);
    }
    if ((bt_it->capacity != NULL && bt_it->capacity(0) < bt_it->limit) || bt_it->count(0) != bt_it->limit || bt_it->check(0) != NULL) {
        bt_fail("a full container is not in order");
    }
/* @if queues */
    bt_expect("add", bt_it->add(0, (unsigned)bt_it->limit + 1), bt_it->overwrites ? BT_OK : BT_FULL);
/* @else */
    bt_expect("add", bt_it->add(0, (unsigned)bt_it->limit + 1), BT_FULL);
/* @end */
    bt_it->deinit(0);
}

/* A slot that is used more often than its generation can count never makes an old handle come true. */
static void bt_try_handles(void)
{
    if (bt_it->generations == 0 || bt_it->generations >= 100000 || bt_has_hooks()
        || (bt_it->emplace == NULL && bt_it->note_handle == NULL)) {
        return;
    }
    bt_begin_run();
    for (unsigned long use = 0; use <= bt_it->generations + 1; use++) {
        unsigned status = bt_it->emplace != NULL ? bt_it->emplace(0, 1) : bt_it->add(0, 1);

        bt_operations += 2;
        if (status == BT_FULL && bt_it->limit == 1) {
            break;
        }
        bt_expect("add", status, BT_OK);
        if (bt_it->note_handle != NULL) {
            bt_it->note_handle(0, 1);
        }
        bt_it->stale_handles(0, false);
        bt_expect("remove", bt_it->remove_handle(0, 1), BT_OK);
        bt_it->bury_handle(0, 1);
    }
    bt_it->deinit(0);
}

/* Each live pass has a record: one pass more than there are records stops the program. */
static void bt_try_passes(void)
{
    if (!bt_it->counted) {
        return;
    }
    bt_begin_run();
    for (unsigned pass = 0; pass <= bt_it->passes; pass++) {
        bt_operations++;
        bt_fatal = 0;
        bt_it->begin(0, 0, false);
        if (bt_fatal != (pass == bt_it->passes)) {
            bt_fail("%s_begin %s with %u passes live", bt_it->name, bt_fatal != 0 ? "stopped" : "did not stop", pass);
        }
    }
    bt_it->deinit(0);
}

/* Where a bulk call would report how many it has added or removed, NULL is allowed. */
static void bt_try_null_counts(void)
{
    static const unsigned label = 1;

    if (bt_has_hooks()) {
        return;
    }
    bt_begin_run();
    bt_playing = false; /* the model stays empty */
    bt_operations += 3;
    (void)bt_it->add_all(0, &label, 1, NULL);
    if (bt_it->add_from != NULL) {
        (void)bt_it->add_from(1, NULL);
    }
    if (bt_it->remove_from != NULL) {
        (void)bt_it->remove_from(1, 0, NULL);
    }
    if (bt_it->check(0) != NULL || bt_it->check(1) != NULL) {
        bt_fail("a bulk call without a place for its count has left %s not valid", bt_it->name);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* An empty container with a wrong count is not in order. */
static void bt_try_damage(void)
{
    bt_begin_run();
    bt_operations++;
    if (bt_it->check_damaged(0) == NULL || bt_it->check(0) != NULL) {
        bt_fail("%s_check does not notice a wrong count", bt_it->name);
    }
    bt_it->deinit(0);
}

static bool bt_tries(void (*part)(void))
{
    if (setjmp(bt_escape) == 0) {
        bt_calm = 1;
        memset(&bt_set, 0, sizeof bt_set);
        bt_set.range = 8;
        bt_set.blank[0] = bt_set.blank[1] = true;
        part();
        if (bt_block_count == 0) {
            return true;
        }
        snprintf(bt_reason, sizeof bt_reason, "%lu blocks of memory were not freed", (unsigned long)bt_block_count);
    }
    fprintf(stderr, "%s: %s\n", bt_it->name, bt_reason);
    bt_give_back();
    return false;
}

/* Everything about one container. */
BT_SPARE static bool bt_test(uint64_t seed, unsigned long steps, unsigned depth)
{
    unsigned long from;
    clock_t began;
    double seconds;
    char claim[200];

    if (!bt_tries(bt_try_empty) || !bt_tries(bt_try_full) || !bt_tries(bt_try_handles) || !bt_tries(bt_try_passes)
        || !bt_tries(bt_try_damage) || !bt_tries(bt_try_null_counts)) {
        return false;
    }
    if (!bt_exhaust(depth, claim, sizeof claim)) {
        return false;
    }
    from = bt_operations;
    began = clock();
    for (unsigned k = 1; k <= 60; k++) {
        if (!bt_run(seed, k, k, false) || !bt_run(seed, k + 60, k, true)) {
            return false;
        }
    }
    for (unsigned long run = 1000; bt_operations - from < steps; run++) {
        if (!bt_run(seed, run, 0, false)) {
            return false;
        }
    }
    seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    printf("%s: %s on 3 elements: %lu sequences; each request for memory of 60 runs refused, once and permanently; %lu random operations",
           bt_it->name, claim, bt_sequences, bt_operations - from);
    if (seconds > 0) {
        printf(", %.0f a second", (double)(bt_operations - from) / seconds);
    }
    printf("\n");
    return true;
}

/* One run from a file. */
static bool bt_replay(bt_op *ops, size_t number)
{
    bt_tracing = bt_trace_all;
    if (bt_survives(ops, number)) {
        return true;
    }
    bt_tell_story(ops, number, "--replay");
    return false;
}
