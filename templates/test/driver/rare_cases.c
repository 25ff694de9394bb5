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

/* As many as the spec allows, and not one more. */
static void bt_try_full(void)
{
    unsigned status;
#ifdef BT_WITH_QUEUES
    bool gives_way = false;
#endif

    if (bt_it->limit == 0 || bt_it->limit >= bt_labels - 1 || (bt_it->keys != 0 && bt_it->limit + 2 >= bt_it->keys)) {
        return;
    }
    bt_begin_case();
    for (unsigned label = 1; label <= bt_it->limit; label++) {
        status = bt_it->add(0, label);
        bt_operations++;
        bt_expect("add", status, BT_OK);
#ifdef BT_WITH_QUEUES
        gives_way = gives_way || bt_it->stays == NULL || !bt_it->stays(label);
#endif
    }
    if ((bt_it->capacity != NULL && bt_it->capacity(0) < bt_it->limit) || bt_it->count(0) != bt_it->limit
        || bt_it->check(0) != NULL) {
        bt_fail("a full container is not in order");
    }
    if (bt_it->capped && bt_it->capacity != NULL && bt_it->capacity(0) >= bt_it->limit + bt_it->granule) {
        bt_fail("a full container of %lu has a capacity of %lu", (unsigned long)bt_it->limit, (unsigned long)bt_it->capacity(0));
    }
#ifdef BT_WITH_QUEUES
    bt_expect("add", bt_it->add(0, (unsigned)bt_it->limit + 1), bt_it->overwrites && gives_way ? BT_OK : BT_FULL);
#else
    bt_expect("add", bt_it->add(0, (unsigned)bt_it->limit + 1), BT_FULL);
#endif
    bt_it->deinit(0);
}

/* Where a bulk call would report how many it has added or removed, NULL is allowed. */
static void bt_try_null_counts(void)
{
    static const unsigned label = 1;

    bt_begin_case();
    bt_operations += 4;
    (void)bt_it->add_all(0, &label, 1, NULL);
    if (bt_it->contains(0, BT_NOBODY)) {
        bt_fail("%s_contains finds an element that is in no container", bt_it->name);
    }
    if (bt_it->remove_absent != NULL && (!bt_it->remove_absent(0) || bt_it->count(0) != 1)) {
        bt_fail("%s_remove removes an element that is elsewhere", bt_it->name);
    }
    if (bt_it->remove_from != NULL) {
        (void)bt_it->remove_from(1, 0, NULL);
    }
    (void)bt_is_clean(0);
    (void)bt_is_clean(1);
    bt_it->deinit(0);
    bt_it->deinit(1);
    for (unsigned how = 0; bt_it->add_from != NULL && how < (bt_it->removes_current ? 2u : 3u) && bt_fitting(3) == 3; how++) {
        unsigned long requests;

        bt_begin_case(); /* into an empty container, into one with elements, and while a pass is live */
        bt_operations++;
        bt_add_some(0, 1, 2);
        if (how > 0) {
            bt_add_some(1, 3, 3);
        }
        if (how > 1) {
            bt_it->begin(0, 0, false);
        }
        requests = bt_requests;
        if (bt_it->add_from(1, NULL) == BT_OK && (how < 2 || !bt_it->deferred)
            && (bt_it->count(0) != 0 || bt_it->count(1) != (how > 0 ? 3 : 2))) {
            bt_fail("%s_add_from does not move all elements", bt_it->name);
        }
        if (how == 0 && bt_it->splices && bt_requests != requests) {
            bt_fail("%s_add_from requests memory, although the other container has it", bt_it->name);
        }
        (void)bt_is_clean(0);
        (void)bt_is_clean(1);
        bt_it->deinit(0);
        bt_it->deinit(1);
    }
}

/* Calls that the header forbids, and that no sequence makes. */
static void bt_try_misuse(void)
{
#if !BESPOKE_CHECKS
    unsigned label;

    if (bt_fitting(2) < 2) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    if (bt_it->add_own != NULL) {
        bt_add_some(0, 1, bt_fitting(70)); /* more than one chunk holds */
        bt_it->add_own(0, false);
        bt_reported(true, "add_all");
        bt_it->add_own(0, true);
        bt_reported(false, "add_all");
        bt_it->deinit(0);
        bt_begin_case();
    }
    if (bt_it->by_pointer) {
        static const unsigned labels[] = {1, BT_NOBODY, 2};
        size_t taken = 0;

        bt_expect("add_all", bt_it->add_all(0, labels, 3, &taken), BT_ABSENT);
        bt_reported(true, "add_all");
        if (taken != 2 || bt_it->count(0) != 2) {
            bt_fail("%s_add_all has added %lu elements of two and NULL", bt_it->name, (unsigned long)taken);
        }
        bt_it->deinit(0);
        bt_begin_case();
    }
    bt_add_some(0, 1, 2);
    if (bt_it->add_from != NULL) {
        bt_expect("add_from", bt_it->add_from(2, NULL), BT_ABSENT);
        bt_reported(true, "add_from");
    }
#ifdef BT_WITH_INDICES
    if (bt_it->by_pointer && bt_it->replace_at != NULL) {
        bt_expect("replace_at", bt_it->replace_at(0, 0, BT_NOBODY), BT_ABSENT);
        bt_reported(true, "replace_at");
    }
#endif
    if (bt_it->remove_current != NULL && !bt_it->passes_lock && bt_fitting(4) == 4) {
        bt_add_some(0, 3, 3);
        bt_it->begin(0, 0, false);
        (void)bt_it->next(0, 0);
        bt_add_some(0, 4, 4);
        if (bt_it->remove_at != NULL && !bt_it->removes_current) { /* which notes by its place what the pass stands on */
            bt_expect("remove_at", bt_it->remove_at(0, bt_it->begins_back ? 0 : 2), BT_OK);
        }
        (void)bt_it->clear(0);
        bt_add_some(0, BT_BY_NUMBER && !bt_it->begins_back ? 2 : 1, BT_BY_NUMBER && bt_it->begins_back ? 2 : 4);
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_ABSENT);
        bt_reported(true, "remove_current");
        bt_it->deinit(0);
        bt_begin_case();
        bt_add_some(0, 1, 2);
    }
    bt_it->begin(0, 0, false);
    label = bt_it->next(0, 0);
    if (bt_it->removes_current) {
        if (bt_it->remove != NULL) {
            (void)bt_it->remove(0, 3 - label);
            bt_reported(true, "remove");
        } else if (bt_it->remove_key != NULL) {
            (void)bt_it->remove_key(0, 3 - label);
            bt_reported(true, "remove_key");
        }
        if (bt_it->remove_at != NULL) {
            (void)bt_it->remove_at(0, 0);
            bt_reported(true, "remove_at");
        }
#ifdef BT_WITH_MOVING
        for (unsigned how = 0; bt_it->move != NULL && how < BT_MOVES; how++) {
            (void)bt_it->move(0, how, BT_ROWS, BT_ROWS);
            bt_reported(true, "move");
        }
#endif
#ifdef BT_WITH_INDICES
        for (unsigned place = 0; bt_it->remove_range != NULL && place < 2; place++) {
            (void)bt_it->remove_range(0, place, 1);
            bt_reported(true, "remove_range");
        }
#endif
        if (bt_it->passes == 1 && !bt_it->counted) {
            bt_it->begin(0, 1, false);
            bt_reported(true, "begin");
            if (bt_it->add_from != NULL) {
                (void)bt_it->add_from(1, NULL);
                bt_reported(true, "add_from");
            }
        }
        (void)bt_is_clean(0);
        (void)bt_is_clean(1);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
#endif
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
    for (unsigned most = 3; bt_fitting(most) == most && (most == 3 || !bt_it->linked) && most < 80; most += 64) {
        bt_begin_case();
        bt_operations += 5;
        bt_add_some(0, 1, most);
        bt_it->begin(0, 0, false);
        bt_it->damage();
        (void)bt_it->next(0, 0);
        bt_it->damage();
        if (bt_it->deferred && !bt_it->passes_lock) {
            bt_it->lock(0);
        }
        if (bt_it->deferred && most + 1 == bt_fitting(most + 1)) { /* and while a change is pending */
            bt_expect("add", bt_it->add(0, most + 1), BT_QUEUED);
            bt_it->damage();
        }
        (void)bt_is_clean(0);
        bt_it->end(0, 0);
        bt_it->deinit(0);
    }
}

static bool bt_tries(void (*part)(void))
{
#ifdef BT_WITH_WEIGHING
    if (!bt_weightless) {
        return true;
    }
#endif
    if (setjmp(bt_escape) == 0) {
        bt_calm = 1;
        bt_meddle = NULL;
        bt_body = NULL;
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

#ifdef BT_WITH_REPLACING
/* What replaces an equal element is the element then, with all that it may differ in. */
static void bt_try_replaced(void)
{
    if (bt_it->replaced == NULL) {
        return;
    }
    bt_begin_case();
    for (unsigned moved = 0; moved < 2; moved++) {
        if (bt_it->replaced(0, false, moved != 0) == 0 && bt_it->replaced(1, true, moved != 0) != 0) {
            bt_fail("%s_%s returns REPLACED, but the old element is still there", bt_it->name, moved != 0 ? "add_from" : "add");
        }
    }
}
#endif

#ifdef BT_WITH_HASHED
/* The number that the seed function of the test returns. */
static void bt_try_hash_key(void)
{
    if (bt_it->hash_key != NULL) {
        bt_begin_case();
        bt_add_some(0, 1, 1);
        if (bt_it->hash_key(0) != 0x5eed) {
            bt_fail("%s hashes without the number of its seed function", bt_it->name);
        }
        if (bt_it->set_hash_key != NULL) {
            bt_it->set_hash_key(0, 2);
            if (bt_it->hash_key(0) != 3 || !bt_is_clean(0)) {
                bt_fail("%s_set_hash_key(list, 2) does not make the key of the hashes 3", bt_it->name);
            }
        }
        bt_it->deinit(0);
    }
}
#endif

/* Everything about one container. Where few operations are drawn, fewer requests for memory are refused. */
BT_SPARE static bool bt_test(uint64_t seed, unsigned long steps, unsigned depth)
{
    unsigned long from, drawn;
    unsigned refused = steps < 10000 ? 12 + (unsigned)(steps / 250) : 60;
    clock_t began;
    double seconds;
    char claim[200];

#ifdef BT_WITH_WEIGHING
    bt_heavy = 1;
#endif
    if (!bt_exhaust(depth, claim, sizeof claim)) {
        return false;
    }
    from = bt_operations;
    began = clock();
    refused = bt_it->never_fails ? 0 : refused;
    for (unsigned k = 1; k <= refused; k++) {
        if (!bt_run(seed, k, k, false) || !bt_run(seed, k + 60, k, true)) {
            return false;
        }
    }
#ifdef BT_WITH_ANYWHERE
    bt_pair_loops = 0;
#endif
    for (unsigned long run = 1000; bt_operations - from < steps; run++) {
        if (!bt_run(seed, run, 0, false)) {
            return false;
        }
    }
    seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    drawn = bt_operations - from;
    /* Last, since what fails in them is not printed as a program. */
#ifdef BT_WITH_WEIGHING
    bt_weightless = bt_weighs_nothing();
#endif
    if (!bt_tries(bt_try_empty) || !bt_tries(bt_try_full) || !bt_tries(bt_try_handles) || !bt_tries(bt_try_passes)
        || !bt_tries(bt_try_records) || !bt_tries(bt_try_damage) || !bt_tries(bt_try_null_counts) || !bt_tries(bt_try_old_cursors)
        || !bt_tries(bt_try_small) || !bt_tries(bt_try_turnover) || !bt_tries(bt_try_merges) || !bt_tries(bt_try_misuse)
        || !bt_tries(bt_try_growth) || !bt_tries(bt_try_reserves) || !bt_tries(bt_try_slack) || !bt_tries(bt_try_half)
        || !bt_tries(bt_try_beside) || !bt_tries(bt_try_behind) || !bt_tries(bt_try_visited)
        || !bt_tries(bt_try_pending) || !bt_tries(bt_try_resorts)
        || !bt_tries(bt_try_currents) || !bt_tries(bt_try_false_addresses) || !bt_tries(bt_try_words) || !bt_tries(bt_try_range)
        || !bt_tries(bt_try_refused_settle) || !bt_tries(bt_try_refused_adds) || !bt_tries(bt_try_refused_from)
        || !bt_tries(bt_try_refused_update) || !bt_tries(bt_try_refused_removals)
        || !bt_tries(bt_try_all_full) || !bt_tries(bt_try_retired)
        || !bt_tries(bt_try_reserved_pending) || !bt_tries(bt_try_meddled)) {
        return false;
    }
#ifdef BT_WITH_MOVING
    if (!bt_tries(bt_try_marks)) {
        return false;
    }
#endif
#ifdef BT_WITH_CHOSEN
    if (!bt_tries(bt_try_chosen)) {
        return false;
    }
#endif
#ifdef BT_WITH_QUEUES
    if (!bt_tries(bt_try_sides) || !bt_tries(bt_try_heap)) {
        return false;
    }
#endif
#ifdef BT_WITH_FILLING
    if (!bt_tries(bt_try_next_slots) || !bt_tries(bt_try_holes)) {
        return false;
    }
#endif
#ifdef BT_WITH_STAYING
    if (!bt_tries(bt_try_addresses)) {
        return false;
    }
#endif
#ifdef BT_WITH_TOMBSTONES
    if (!bt_tries(bt_try_tombstones) || !bt_tries(bt_try_few_tombstones)) {
        return false;
    }
#endif
#ifdef BT_WITH_MERGING
    if (!bt_tries(bt_try_workers) || !bt_tries(bt_try_workers_again) || !bt_tries(bt_try_update)
        || !bt_tries(bt_try_refused_later)) {
        return false;
    }
#endif
#if defined BT_WITH_MERGING && defined BT_WITH_WEIGHING
    if (!bt_tries(bt_try_heavy_merges)) {
        return false;
    }
#endif
#ifdef BT_WITH_INDICES
    if (!bt_tries(bt_try_ranges)) {
        return false;
    }
#endif
#ifdef BT_WITH_MOVING
    if (!bt_tries(bt_try_rekeys) || !bt_tries(bt_try_absent)) {
        return false;
    }
#endif
#ifdef BT_WITH_REPLACING
    if (!bt_tries(bt_try_replaced)) {
        return false;
    }
#endif
#ifdef BT_WITH_HASHED
    if (!bt_tries(bt_try_hash_key)) {
        return false;
    }
#endif
#ifdef BT_WITH_SAVING
    if (!bt_tries(bt_try_loads)) {
        return false;
    }
#endif
    printf("%s: %s on 3 elements: %lu sequences; ", bt_it->name, claim, bt_sequences);
    if (refused > 0) {
        printf("each request for memory of %u runs refused, once and permanently; ", refused);
    }
    printf("%lu random operations", drawn);
    if (seconds > 0) {
        printf(", %.0f a second", (double)drawn / seconds);
    }
#ifdef BT_WITH_ANYWHERE
    if (bt_it->pairs != NULL) {
        printf(", %lu loops over pairs", bt_pair_loops);
    }
#endif
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
