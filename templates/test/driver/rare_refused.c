/* -- rare cases: memory that is refused, and limits ---------------------------------------------------------------------- */

static void bt_refuse(void)
{
    bt_refuse_on = true;
    bt_refuse_at = bt_requests + 1;
}

static void bt_allow(void)
{
    bt_refuse_on = false;
    bt_refuse_at = 0;
}

/* An add that needs memory and gets none returns no element and no handle. */
static void bt_try_refused_adds(void)
{
    unsigned most = bt_fitting(300);
    unsigned added = 0;
    unsigned refused = 0;

    bt_begin_case();
    bt_add_some(0, 1, 1);
    bt_refuse();
    for (unsigned label = 2; label <= most && refused < 2; label++) { /* even and odd ones are added by different functions */
        if (bt_it->add(0, label) == BT_OK) {
            added++;
        } else {
            refused++;
        }
        bt_operations++;
    }
    bt_allow();
    if (bt_it->count(0) != added + 1 || !bt_is_clean(0)) {
        bt_fail("%s has %lu elements after one add and %u that returned OK without memory", bt_it->name,
                (unsigned long)bt_it->count(0), added);
    }
    bt_it->deinit(0);
}

/* What is reserved is so for adds that are pending, too. */
static void bt_try_reserved_pending(void)
{
    unsigned wanted = bt_fitting(60);

    if (bt_it->reserve == NULL || !bt_it->deferred || bt_it->lock == NULL || wanted < 4) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    bt_add_some(0, 1, 2);
    bt_expect("reserve", bt_it->reserve(0, wanted), BT_OK);
    bt_it->lock(0);
    bt_refuse();
    for (unsigned label = 3; label <= wanted; label++) {
        if (!bt_it->reaches || bt_it->key(label) < wanted) {
            bt_expect("add", bt_it->add(0, label), BT_QUEUED);
        }
    }
    bt_expect("unlock", bt_it->unlock(0), BT_OK);
    bt_allow();
    if (!bt_it->reaches && bt_it->count(0) != wanted) {
        bt_fail("%s_unlock has not added what was pending", bt_it->name);
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* A settle that would free memory, and gets none for what is to stay, changes nothing; one that could free none requests none. */
static void bt_try_refused_settle(void)
{
    unsigned most = bt_fitting(300);
    unsigned long requests;
    unsigned status;
    size_t capacity;

    if (!bt_it->in_seconds || bt_it->capacity == NULL || most < 100) {
        return;
    }
    bt_begin_case();
    bt_operations += 5;
    bt_add_some(0, 1, most);
    (void)bt_it->clear(0);
    bt_add_some(0, 1, 2);
    capacity = bt_it->capacity(0);
    bt_refuse();
    status = bt_it->settle(0, 1e6); /* chunks are freed without memory for others */
    bt_allow();
    if ((status != BT_OK && (status != BT_NO_MEMORY || bt_it->capacity(0) != capacity)) || bt_it->count(0) != 2
        || !bt_is_clean(0)) {
        bt_fail("%s_settle is refused memory, and the container is not as it was", bt_it->name);
    }
    bt_expect("settle", bt_it->settle(0, 1e6), BT_OK);
    if (bt_it->capacity(0) >= capacity && capacity > 128) {
        bt_fail("%s_settle frees no memory", bt_it->name);
    }
    bt_it->deinit(0);
    bt_begin_case();
    bt_add_some(0, 1, 1);
    (void)bt_it->clear(0);
    capacity = bt_it->capacity(0);
    requests = bt_requests;
    bt_expect("settle", bt_it->settle(0, 1e6), BT_OK);
    if (bt_it->capacity(0) != capacity || (!BESPOKE_CHAOS && bt_requests != requests)) { /* chaos moves it */
        bt_fail("%s_settle frees the capacity behind the first add", bt_it->name);
    }
    bt_it->deinit(0);
}

/* What takes the place of equal elements is moved, too; without memory the rest stays where it was. */
static void bt_try_replaced_from(bool scarce)
{
    size_t taken = BT_ROWS;
    unsigned status;

    if (!bt_it->replaces || bt_it->add_from == NULL || bt_it->deferred || bt_it->intrusive || bt_fitting(60) < 6) {
        return;
    }
    bt_begin_case();
    bt_operations++;
    bt_add_some(0, 1, 4);
    bt_add_some(1, 3, scarce ? bt_fitting(60) : 6);
    if (scarce) {
        bt_refuse();
    }
    status = bt_it->add_from(0, &taken);
    bt_allow();
    if (taken + 4 - bt_it->count(0) > 2
        || (!scarce && !bt_it->by_pointer && (bt_it->count(0) != 6 || bt_it->count(1) != 0 || status != BT_REPLACED))
        || !bt_is_clean(0) || !bt_is_clean(1)) {
        bt_fail("%s_add_from returns status %u and has moved %lu elements", bt_it->name, status, (unsigned long)taken);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* T_add_from into an empty container that gets no memory: while a pass over the other one is live, that keeps its own. */
static void bt_try_refused_from(void)
{
    size_t taken = BT_ROWS;
    unsigned status;

    bt_try_replaced_from(false);
    bt_try_replaced_from(true);
    if (bt_it->add_from == NULL || (bt_it->records == 0 && (!bt_it->counted || bt_it->passes < 2)) || bt_it->removes_current
        || bt_it->deferred || bt_fitting(2) < 2) {
        return;
    }
    bt_begin_case();
    bt_operations += 2;
    bt_add_some(1, 1, 2);
    bt_it->begin(1, 0, false);
    bt_refuse();
    status = bt_it->add_from(0, &taken);
    bt_allow();
    if ((status == BT_OK) != (bt_it->count(1) == 0) || (status != BT_OK && status != BT_NO_MEMORY)
        || taken != bt_it->count(0) || taken + bt_it->count(1) != 2 || !bt_is_clean(0) || !bt_is_clean(1)) {
        bt_fail("%s_add_from returns status %u and has moved %lu of 2 elements", bt_it->name, status, (unsigned long)taken);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
    if (bt_it->records == 0 || bt_it->never_fails) {
        return;
    }
    bt_begin_case(); /* it needs a record itself, and no memory for its element */
    bt_operations++;
    bt_add_some(0, 1, 1);
    bt_add_some(1, 2, 2);
    for (unsigned pass = 0; pass < bt_it->records; pass++) {
        bt_it->begin(1, 0, false);
    }
    bt_refuse();
    if (bt_it->remove_from != NULL && (bt_it->remove_from(0, 1, &taken) != BT_NO_MEMORY || taken != 0
        || bt_it->remove_from(0, 1, NULL) != BT_NO_MEMORY)) {
        bt_fail("%s_remove_from is refused the record of a pass, and reports %lu removed elements", bt_it->name,
                (unsigned long)taken);
    }
    taken = BT_ROWS;
    status = bt_it->add_from(0, NULL) == BT_NO_MEMORY ? bt_it->add_from(0, &taken) : (unsigned)BT_OK;
    bt_allow();
    if (status != BT_NO_MEMORY || taken != 0 || bt_it->count(1) != 1 || !bt_is_clean(0) || !bt_is_clean(1)) {
        bt_fail("%s_add_from is refused the record of a pass, returns status %u, and has moved %lu elements", bt_it->name, status,
                (unsigned long)taken);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* T_update without memory for the record of its pass is no pass, and reports that. */
static void bt_try_refused_update(void)
{
    if (bt_it->update == NULL || bt_it->records == 0 || BESPOKE_CHECKS || bt_it->never_fails || bt_fitting(2) < 2) {
        return;
    }
    bt_begin_case();
    bt_operations++;
    bt_add_some(0, 1, 2);
    bt_refuse();
    for (unsigned pass = 0; pass < bt_it->records; pass++) {
        bt_it->begin(0, 0, false);
    }
    bt_it->update(0);
    bt_allow();
    if (!bt_has_no_record(bt_top, 0) || bt_it->count(0) != 2 || !bt_is_clean(0)) {
        bt_fail("%s_update does not report that there is no memory for its pass", bt_it->name);
    }
    bt_it->deinit(0);
}

/* Removals that cannot wait, since there is no memory for that, are not made. */
static void bt_try_refused_removals(void)
{
    size_t removed = BT_ROWS;

    if (bt_it->remove_from == NULL || !bt_it->deferred || bt_it->intrusive || bt_it->never_fails || bt_fitting(4) < 4) {
        return;
    }
    bt_begin_case();
    bt_operations += 2;
    bt_add_some(0, 1, 4);
    bt_add_some(1, 1, 4);
    bt_it->begin(0, 0, false);
    if (!bt_it->passes_lock) {
        bt_it->lock(0);
    }
    bt_refuse();
    bt_expect("remove_from", bt_it->remove_from(0, 1, &removed), BT_NO_MEMORY);
    bt_allow();
    bt_it->end(0, 0);
    if (removed != 0 || bt_it->count(0) != 4 || !bt_is_clean(0)) {
        bt_fail("%s_remove_from is refused memory, and has removed %lu elements", bt_it->name, (unsigned long)removed);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

#ifdef BT_WITH_MOVING
static void bt_make(unsigned kind, unsigned how, unsigned label, unsigned number)
{
    bt_op op;

    memset(&op, 0, sizeof op);
    op.kind = (unsigned char)kind;
    op.how = (unsigned char)how;
    op.label = label;
    op.number = number;
    bt_step(&op, 0);
}

/* Adds elements, of which a pass visits some; `back`: it goes from the last one to the first. */
static void bt_visit_some(unsigned all, unsigned seen, bool back)
{
    bt_begin_run();
    for (unsigned label = 1; label <= all; label++) {
        bt_make(BT_ADD, 0, label, 0);
    }
    bt_make(BT_BEGIN, 0, back ? 2 : 1, 0);
    for (unsigned i = 0; i < seen; i++) {
        bt_make(BT_NEXT, 0, 1, 0);
    }
}

/* A move needs a record of what a pass has visited: first others take all of them, then each kind of move is tried. */
static void bt_try_unmarked(bool back)
{
    enum { ALL = 60, SEEN = 30, MOVES = 12 };

    bt_visit_some(ALL, SEEN, back);
    bt_refuse();
    for (unsigned i = 0; i < MOVES; i++) { /* each beside others that were not visited */
        bt_make(BT_MOVE, back ? BT_MOVE_BEFORE : BT_MOVE_AFTER, back ? ALL : 1, back ? ALL - SEEN - 1 - 2 * i : SEEN + 2 * i);
    }
    for (unsigned how = 0; how < BT_MOVES; how++) {
        bt_make(BT_MOVE, how, back ? ALL : 1, back ? 2 : ALL - 3);
    }
    bt_allow();
    bt_end_run();
}

/* Three elements that a pass has visited lie among those that it has not: one of them, or another one, is removed. */
static void bt_try_shorter(bool back, unsigned removed)
{
    enum { ALL = 12, SEEN = 6 };

    bt_visit_some(ALL, SEEN, back);
    for (unsigned i = 0; i < 3; i++) {
        bt_make(BT_MOVE, back ? BT_MOVE_BEFORE : BT_MOVE_AFTER, back ? ALL : 1, back ? ALL - SEEN - 2 + i : SEEN + 1 - i);
    }
    bt_make(BT_REMOVE, 0, removed, 0);
    bt_end_run();
}

static void bt_try_marks(void)
{
    if (bt_it->move == NULL || !bt_it->moves_stay || bt_fitting(12) < 12) {
        return;
    }
    for (unsigned back = 0; back <= bt_it->both_ways; back++) {
        for (unsigned removed = 1; removed <= 12; removed++) {
            bt_try_shorter(back != 0, removed);
        }
        if (bt_fitting(60) == 60) {
            bt_try_unmarked(back != 0);
        }
    }
}

#endif
/* T_add_all of two elements where the limit allows one. */
static void bt_try_all_full(void)
{
    unsigned labels[2];
    size_t taken = BT_ROWS;
    unsigned most = (unsigned)bt_it->limit;

    if (most == 0 || bt_it->limit + 1 >= bt_labels || (bt_it->keys != 0 && bt_it->limit + 2 >= bt_it->keys)) {
        return;
    }
#ifdef BT_WITH_QUEUES
    if (bt_it->overwrites) {
        return;
    }
#endif
    bt_begin_case();
    bt_operations += 2;
    bt_add_some(0, 1, most - 1);
    labels[0] = most;
    labels[1] = most + 1;
    bt_expect("add_all", bt_it->add_all(0, labels, 2, &taken), BT_FULL);
    if (taken != 1 || bt_it->count(0) != most || !bt_is_clean(0)) {
        bt_fail("%s_add_all has added %lu elements to a container that lacks one", bt_it->name, (unsigned long)taken);
    }
    bt_it->deinit(0);
}

/* A slot whose generations are used up holds no element any more: where there is no other, the container is full, or grows. */
static void bt_try_retired(void)
{
    unsigned most = (unsigned)bt_it->limit;
    unsigned status;

    if (bt_it->generations == 0 || bt_it->add_known == NULL) {
        return;
    }
    if (most == 0 && bt_it->capacity != NULL) {
        bt_begin_case();
        bt_add_some(0, 1, 1);
        most = (unsigned)bt_it->capacity(0);
        bt_it->deinit(0);
    }
    if (most < 3 || most > 300 || bt_fitting(most) < most) {
        return;
    }
    bt_begin_case();
    bt_operations += 10;
    bt_add_some(0, 2, most - 1);
    for (unsigned use = 0; use < 2; use++) {
        bt_expect("add_handle", bt_it->add_known(0, 1), BT_OK);
        if (use == 0) {
            bt_it->age(0, 1);
        }
        bt_expect("remove", bt_it->remove_handle(0, 1), BT_OK);
    }
    bt_bury_handle(0, 1);
    bt_add_some(0, most, most);
    status = bt_it->add(0, 1);
    if ((status != BT_OK && (status != BT_FULL || (bt_it->growth != 0 && most < bt_it->slots)))
        || bt_it->count(0) != most - (status != BT_OK) || !bt_is_clean(0)) {
        bt_fail("%s_add returns status %u where a slot has retired", bt_it->name, status);
    }
    bt_stale_handles(0, false);
    bt_it->deinit(0);
}

#ifdef BT_WITH_TOMBSTONES
/* Where a full container gets no memory for one element more, it uses its tombstones; so it does where it has many. */
static void bt_try_refused_growth(unsigned dead)
{
    size_t allowed;

    if (bt_it->tombstones == NULL || bt_it->remove_current == NULL || bt_it->capacity == NULL || bt_it->never_fails
        || bt_fitting(67) < 67) {
        return;
    }
    bt_begin_case();
    bt_operations += 3;
    bt_add_some(0, 1, 64);
    if (bt_it->capacity(0) == 64 && !BESPOKE_CHAOS) {
        for (unsigned i = 0; i < dead; i++) {
            bt_drop_at(i);
        }
        if (bt_it->tombstones(0, &allowed) == dead) {
            bt_refuse();
            bt_add_some(0, 65, 65);
            bt_allow();
            if (bt_it->capacity(0) != 64 || bt_it->count(0) != 65 - dead || bt_it->tombstones(0, &allowed) != 0) {
                bt_fail("%s does not use its tombstones", bt_it->name);
            }
        }
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* The elements that are left by a compaction may fill whole words. */
static void bt_try_compacted(void)
{
    size_t allowed;

    if (bt_it->tombstones == NULL || bt_it->remove_current == NULL || bt_it->shrink == NULL || bt_fitting(67) < 67) {
        return;
    }
    bt_begin_case();
    bt_operations++;
    bt_add_some(0, 1, 66);
    bt_drop_at(3);
    bt_drop_at(64);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_it->count(0) != 64 || bt_it->tombstones(0, &allowed) != 0 || !bt_is_clean(0)) {
        bt_fail("%s_shrink_to_fit keeps tombstones", bt_it->name);
    }
    bt_add_some(0, 67, 67);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

static void bt_try_few_tombstones(void)
{
    bt_try_refused_growth(1);
    bt_try_refused_growth(3);
    bt_try_refused_growth(10);
    bt_try_compacted();
}

#endif

/* Keys beyond the limit of the index are refused. */
static void bt_try_range(void)
{
    static unsigned labels[2];
    size_t taken = BT_ROWS;
    unsigned beyond = (unsigned)bt_it->keys;

    if (bt_it->keys == 0 || bt_it->reaches || bt_it->by_pointer || bt_it->keys > (unsigned)-1 / 2) {
        return;
    }
    beyond += bt_it->key(beyond) + 1 == bt_it->keys;
    if (bt_it->key(beyond) < bt_it->keys) {
        return;
    }
    bt_begin_case();
    bt_operations += 2;
    labels[0] = 1;
    labels[1] = beyond;
    bt_expect("add", bt_it->add(0, labels[1]), BT_RANGE);
    bt_expect("add_all", bt_it->add_all(0, labels, 2, &taken), BT_RANGE);
    if (taken != 1 || bt_it->count(0) != 1 || !bt_is_clean(0)) {
        bt_fail("%s_add_all has added %lu elements of two, one of which is out of range", bt_it->name, (unsigned long)taken);
    }
    bt_it->deinit(0);
}
