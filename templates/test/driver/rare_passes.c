/* -- rare cases: handles and passes --------------------------------------------------------------------------------------- */

/* A slot that is used more often than its generation can count never makes an old handle come true. `others`: elements before it;
 * `clears`: each time all are removed. */
static void bt_try_generations(unsigned others, bool clears)
{
    bool all = others == 0 && !clears && bt_it->generations < 100000; /* or the last ones only */
    size_t capacity = 0;

    bt_begin_case();
    for (unsigned long use = 0; use <= (all ? bt_it->generations + 1 : 6); use++) {
        unsigned status;

        for (unsigned label = 2; label < others + 2 && (clears || use == 0); label++) {
            bt_expect("add", bt_it->add(0, label), BT_OK);
        }
        status = bt_it->emplace != NULL     ? bt_it->emplace(0, 1)
                 : bt_it->add_known != NULL ? bt_it->add_known(0, 1)
                                            : bt_it->add(0, 1);
        bt_operations += 2;
        if (status == BT_FULL && bt_it->limit == 1) {
            break;
        }
        bt_expect("add", status, BT_OK);
        if (bt_it->note_handle != NULL) {
            bt_it->note_handle(0, 1);
        }
        if (use == 0 && !all) {
            bt_it->age(0, 1);
        }
        bt_stale_handles(0, false);
        if (!all) {
            (void)bt_is_clean(0);
        }
        if (use == 0 && bt_it->capacity != NULL) {
            capacity = bt_it->capacity(0);
        } else if (clears && bt_it->generations > 8 && capacity > others + 2
                   && bt_it->capacity(0) != capacity) { /* one has retired */
            bt_fail("after %lu uses of %u slots the capacity is %lu, which was %lu", use + 1, others + 1,
                    (unsigned long)bt_it->capacity(0), (unsigned long)capacity);
        }
        if (clears) {
            (void)bt_it->clear(0);
        } else {
            bt_expect("remove", bt_it->remove_handle(0, 1), BT_OK);
        }
        for (unsigned label = 1; label < (clears ? others + 2 : 2); label++) {
            bt_bury_handle(0, label);
        }
        if (!all) {
            (void)bt_is_clean(0);
        }
    }
    bt_it->deinit(0);
}

static void bt_try_handles(void)
{
    unsigned others = bt_fitting(73) == 73 ? 64 : bt_fitting(12) == 12 ? 3 : 0;

    if (bt_it->generations == 0 || (bt_it->emplace == NULL && bt_it->add_known == NULL && bt_it->note_handle == NULL)) {
        return;
    }
    bt_try_generations(0, false);
    for (unsigned more = 0; more < 2; more++) { /* the first bit of a word, and another one */
        if (others != 0) {
            bt_try_generations(others + more, false);
        }
        if (bt_it->limit == 0 || bt_it->limit > 8) {
            bt_try_generations(others == 0 ? 0 : others + more, true);
        }
    }
}

/* Records are allocated for more passes than the container has. Passes that were left are over when it settles. */
static void bt_try_records(void)
{
    enum { MANY = 200 };
    unsigned most = bt_fitting(3);
    unsigned live = 0;
    unsigned long requests;

    if (bt_it->records == 0) {
        return;
    }
    bt_begin_case();
    bt_add_some(0, 1, most);
    if (!BESPOKE_CHECKS && !bt_it->never_fails) {
        bt_refuse_on = true;
        bt_refuse_at = bt_requests + 1;
        for (; live < MANY && !bt_unrecorded; live++) {
            bt_operations++;
            bt_it->begin(0, 0, bt_it->both_ways && live % 2 != 0);
        }
        if (!bt_has_no_record(bt_top, 0) || live != bt_it->records + 1 || bt_it->next(0, 0) != BT_NOBODY || !bt_is_clean(0)) {
            bt_fail("%s_begin does not report that there is no memory for pass %u, or begins it", bt_it->name, live);
        }
        bt_reported(true, "next");
        bt_refuse_on = false;
        bt_refuse_at = 0;
        live = bt_it->records;
    }
    for (; live < MANY; live++) {
        bt_operations++;
        bt_it->begin(0, 0, bt_it->both_ways && live % 2 != 0);
        if (bt_unrecorded) {
            bt_fail("%s_begin has no record with %u passes live, and there is memory", bt_it->name, live);
        }
    }
    if (most > 0 && bt_it->next(0, 0) == BT_NOBODY) {
        bt_fail("a pass over '%s' is over, but it has visited no element", bt_names[0]);
    }
    bt_it->end(0, 0);
    requests = bt_requests;
    bt_it->begin(0, 1, false); /* in that record again */
    if (bt_requests != requests || bt_unrecorded || !bt_is_clean(0)) {
        bt_fail("%s_begin does not use a record again", bt_it->name);
    }
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    if (!BESPOKE_CHECKS) {
        if (bt_it->next(0, 1) != BT_NOBODY) {
            bt_fail("%s_settle does not end a pass whose record was allocated", bt_it->name);
        }
        bt_reported(true, "next");
    }
    bt_it->end(0, 1);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Each live pass has a record: one pass more than there are records stops the program. */
static void bt_try_passes(void)
{
    if (!bt_it->counted) {
        return;
    }
    for (unsigned back = 0; back <= bt_it->both_ways; back++) {
        bt_begin_case();
        for (unsigned pass = 0; pass <= bt_it->passes; pass++) {
            bt_operations++;
            bt_fatal = 0;
            bt_it->begin(0, 0, back != 0);
            if (bt_fatal != (pass == bt_it->passes)) {
                bt_fail("%s_begin %s with %u passes live", bt_it->name, bt_fatal != 0 ? "stopped" : "did not stop", pass);
            }
        }
        bt_fatal = 0;
        if (bt_it->update != NULL) {
            bt_it->update(0);
            if (bt_fatal == 0) {
                bt_fail("%s_update did not stop with %u passes live", bt_it->name, bt_it->passes);
            }
        }
        bt_it->deinit(0);
    }
    if (bt_it->add_from != NULL && !bt_it->relinks && bt_fitting(2) == 2) { /* which needs one itself */
        size_t taken = BT_ROWS;

        bt_add_some(1, 1, 1);
        bt_add_some(0, 2, 2);
        for (unsigned pass = 0; pass < bt_it->passes; pass++) {
            bt_it->begin(1, 0, false);
        }
        if (bt_it->add_from(0, NULL) != BT_BUSY || bt_it->add_from(0, &taken) != BT_BUSY || taken != 0) {
            bt_fail("%s_add_from is refused and does not report that it added none", bt_it->name);
        }
        taken = BT_ROWS;
        if (bt_it->remove_from != NULL
            && (bt_it->remove_from(0, 1, NULL) != BT_BUSY || bt_it->remove_from(0, 1, &taken) != BT_BUSY || taken != 0)) {
            bt_fail("%s_remove_from is refused and does not report that it removed none", bt_it->name);
        }
        bt_it->deinit(0);
        bt_it->deinit(1);
    }
}

/* What ends a pass: T_deinit, T_settle, T_add_from behind a settle, to or from its container, T_deinit behind a clear, or behind
   a settle. */
enum { BT_BY_DEINIT, BT_BY_SETTLE, BT_BY_TAKING, BT_BY_GIVING, BT_BY_CLEARED, BT_BY_SETTLED, BT_OLD };

/* A cursor whose pass has been ended visits nothing and ends no other pass. `how`: what has ended it; `ends`:
 * T_end is called, not T_next; `stands`: it stands on an element; `turns`: elements that are removed in between. */
static void bt_try_old_cursor(unsigned how, bool ends, bool stands, unsigned turns)
{
    unsigned side = how == BT_BY_GIVING; /* whose cursors these are */
    bool freed = how == BT_BY_DEINIT || how >= BT_BY_CLEARED;
    bool taken = how == BT_BY_TAKING || how == BT_BY_GIVING;

    bt_begin_case();
    bt_operations += 6;
    if (how != BT_BY_TAKING) {
        bt_add_some(side, 1, 1);
    } else if (turns > 0) { /* then it may have changed as often as the other one */
        bt_it->begin(side, 0, false);
        bt_expect("settle", bt_it->settle(side, 0), BT_OK);
    }
    bt_it->begin(side, 0, false);
    if (how != BT_BY_TAKING && stands) {
        (void)bt_it->next(side, 0);
    }
    if (how == BT_BY_CLEARED) {
        (void)bt_it->clear(side);
    } else if (how != BT_BY_DEINIT) {
        bt_expect("settle", bt_it->settle(side, 0), BT_OK);
    }
    if (freed) {
        bt_it->deinit(side);
        bt_add_some(side, 1, 1);
    }
    if (taken) { /* T_add_from hands over the storage, but not what it records of passes */
        if (how == BT_BY_TAKING) {
            bt_add_some(1, 1, 1);
        }
        bt_expect("add_from", bt_it->add_from(0, NULL), BT_OK);
    }
    if (how == BT_BY_GIVING) {
        bt_add_some(side, 2, 2);
    }
    for (; !taken && turns > 0; turns--) {
        bt_drop_first();
        bt_add_some(0, 1, 1);
    }
    bt_it->begin(side, 1, false);
    if (ends) {
        bt_it->end(side, 0);
    }
#if !BESPOKE_CHECKS
    if (!ends) {
        if (bt_it->next(side, 0) != BT_NOBODY) {
            bt_fail("a pass from before visits an element");
        }
        bt_reported(true, "next");
    }
    if (bt_it->passes == 1 && (bt_it->removes_current || bt_it->one_pass) && !bt_it->counted) { /* that other one is live still */
        bt_it->begin(side, 2, false);
        bt_reported(true, "begin");
    }
#endif
    if (bt_it->next(side, 1) == BT_NOBODY) {
        bt_fail("a cursor from before has ended another pass");
    }
    bt_reported(false, "next");
    if (bt_it->next(side, 1) != BT_NOBODY) {
        bt_fail("a pass visits an element twice");
    }
    (void)bt_is_clean(0);
    (void)bt_is_clean(1);
    bt_it->deinit(0);
    bt_it->deinit(1);
}

static void bt_try_old_cursors(void)
{
    bool turns = (bt_it->remove_current != NULL || bt_it->remove_at != NULL) && !bt_it->tree;

    for (unsigned how = 0; how < BT_OLD && bt_fitting(2) == 2; how++) {
        bool takes = how == BT_BY_TAKING || how == BT_BY_GIVING;

        if (bt_it->settle == NULL && how != BT_BY_DEINIT && how != BT_BY_CLEARED) {
            continue;
        }
        for (unsigned way = 0; way < 8 && (!takes || bt_it->add_from != NULL); way++) {
            bt_try_old_cursor(how, way % 2 != 0, way / 2 % 2 != 0, turns ? way / 4 : 0);
        }
    }
}

/* A pass whose element has been removed goes on with the same one, whatever is removed before it. */
static void bt_try_beside(void)
{
    unsigned before, removed, after;

    if (bt_it->remove_current == NULL || bt_it->remove_at == NULL || bt_it->removes_current || bt_it->passes_lock || bt_it->tree
        || bt_fitting(3) < 3) {
        return;
    }
    bt_begin_case();
    bt_operations += 6;
    bt_add_some(0, 1, 3);
    bt_it->begin(0, 0, false);
    before = bt_it->next(0, 0);
    removed = bt_it->next(0, 0);
    bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
    bt_expect("remove_at", bt_it->remove_at(0, 0), BT_OK);
    after = bt_it->next(0, 0);
    if (after == before || after == removed || (after != BT_NOBODY && bt_it->next(0, 0) != BT_NOBODY)) {
        bt_fail("a pass visits an element twice behind removals");
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Of many elements some are removed and added again, behind and before where a pass
 * stands: it visits each that stays exactly once, and each that comes back again, or not,
 * as the contract has it. Where there is an order, that depends on where it comes back. */
static void bt_try_behind(void)
{
    static const unsigned char places[] = {129, 2, 63, 5, 190, 3, 70, 140, 0};
    static bool seen[BT_LABELS], again[BT_LABELS], back[BT_LABELS]; /* visited before that, visited since, added again */
    unsigned most = bt_fitting(200);
    bool live = bt_it->passes != 1 && !bt_it->removes_current && !bt_it->passes_lock;
    unsigned label;

    if (bt_it->remove_current == NULL || bt_it->tree || (bt_it->generations != 0 && bt_it->generations < 1000) || most < 200) {
        return;
    }
    bt_begin_case();
    memset(seen, 0, sizeof seen);
    memset(again, 0, sizeof again);
    memset(back, 0, sizeof back);
    bt_add_some(0, 1, most);
    if (live) {
        bt_it->begin(0, 0, false);
        for (unsigned i = 0; i < 150; i++) {
            seen[bt_it->next(0, 0) % BT_LABELS] = true;
        }
    }
    for (unsigned turn = 0; turn < sizeof places; turn++) {
        unsigned out[2] = {BT_NOBODY, BT_NOBODY};

        for (unsigned i = 0; i <= turn % 2; i++) {
            bt_operations++;
            bt_it->begin(0, 2, false);
            for (unsigned place = 0; place <= places[(turn + i) % sizeof places]; place++) {
                out[i] = bt_it->next(0, 2);
            }
            bt_expect("remove_current", bt_it->remove_current(0, 2), bt_it->passes_lock ? BT_QUEUED : BT_OK);
            bt_it->end(0, 2);
            back[out[i] % BT_LABELS] = true;
        }
        for (unsigned i = 0; i <= turn % 2; i++) {
            bt_add_some(0, out[i], out[i]);
        }
        (void)bt_is_clean(0);
    }
    while (live && (label = bt_it->next(0, 0)) != BT_NOBODY) {
        if (again[label % BT_LABELS]) {
            bt_fail("a pass visits element %u twice", label);
        }
        again[label % BT_LABELS] = true;
    }
    for (label = 1; live && label <= most; label++) {
        bool due = back[label] ? !bt_it->bounded : !seen[label];

        if (again[label] != due && !(back[label] && bt_it->ordered)) {
            bt_fail("a pass %s element %u", due ? "does not visit" : "visits again", label);
        }
    }
    while (bt_it->count(0) > 128) { /* until those that are left fill their words */
        bt_drop_first();
    }
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* What holds changes back, and lets them go. */
static void bt_hold(void)
{
    if (bt_it->passes_lock) {
        bt_it->begin(0, 0, false);
    } else {
        bt_it->lock(0);
    }
}

static void bt_let_go(void)
{
    if (bt_it->passes_lock) {
        bt_it->end(0, 0);
    } else {
        (void)bt_it->unlock(0);
    }
}

/* Changes that a replay has no memory for wait until it has. */
static void bt_try_pending_adds(unsigned most, bool leaves)
{
    size_t taken = 0;

    bt_begin_case();
    bt_operations += 8;
    bt_hold();
    for (unsigned label = 1; label <= most; label++) {
        bt_expect("add", bt_it->add(0, label), BT_QUEUED);
    }
    bt_refuse_on = true;
    bt_refuse_at = bt_requests + 1;
    bt_let_go();
    bt_refuse_on = false;
    bt_refuse_at = 0;
    (void)bt_is_clean(0);
    if (bt_it->count(0) == 0 && !bt_it->is_locked(0)) {
        bt_fail("%s_is_locked is false while changes are pending", bt_it->name);
    }
    if (bt_it->count(0) == 0 && leaves) { /* what is pending is not in: the pass of T_add_from ends, and puts it in */
        if (bt_it->add_from != NULL && (bt_it->add_from(1, &taken) != BT_OK || taken != 0 || bt_it->count(1) != 0)) {
            bt_fail("%s_add_from moves what is pending", bt_it->name);
        }
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    } else if (bt_it->count(0) == 0) {
        bt_add_some(1, 3, 3);
        if (bt_it->shrink != NULL) {
            bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
        }
        if (bt_it->add_from != NULL && (bt_it->add_from(0, &taken) != BT_QUEUED || taken != 1)) {
            bt_fail("%s_add_from does not queue while changes are pending", bt_it->name);
        }
        (void)bt_is_clean(0);
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    }
    if (bt_it->count(0) != most + taken || !bt_is_clean(0)) {
        bt_fail("%s_settle does not replay the journal", bt_it->name);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* What one journal removes, in the last or the first slot of a word, the next one may, too. */
static void bt_try_doomed(unsigned places)
{
    bt_begin_case();
    for (unsigned turn = 0; turn < 2; turn++) {
        bt_operations += 5;
        bt_add_some(0, 1, bt_fitting(130));
        bt_hold();
        if (!bt_it->passes_lock) {
            bt_it->begin(0, 0, false);
        }
        for (unsigned place = 0; place < places; place++) {
            (void)bt_it->next(0, 0);
        }
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_QUEUED);
        bt_let_go();
        if (!bt_it->passes_lock) {
            bt_it->end(0, 0);
        }
        (void)bt_is_clean(0);
        bt_expect("clear", bt_it->clear(0), BT_OK);
    }
    if (bt_it->remove != NULL && bt_it->by_label && !bt_it->by_row) { /* nor what is added and removed in one journal */
        bt_add_some(0, 1, places);
        bt_hold();
        bt_expect("add", bt_it->add(0, places + 1), BT_QUEUED);
        bt_expect("remove", bt_it->remove(0, places + 1), BT_QUEUED);
        bt_let_go();
        for (unsigned label = 1; label <= places; label++) {
            bt_expect("remove", bt_it->remove(0, label), BT_OK);
        }
    }
    bt_it->deinit(0);
}

static void bt_try_pending(void)
{
    for (unsigned places = 63; places <= 129 && bt_it->deferred && bt_it->remove_current != NULL && bt_fitting(130) == 130;
         places++) {
        bt_try_doomed(places);
    }
    for (unsigned how = 0; how < 4 && bt_it->deferred && bt_fitting(3) == 3; how++) {
        bt_try_pending_adds(1 + how % 2, how / 2 != 0);
    }
}

/* A pass stands on an element while those that it has visited before leave: it can still be removed by the pass. */
static void bt_try_current(bool back)
{
    unsigned seen[5];

    if (bt_it->remove_current == NULL || bt_it->remove == NULL || !bt_it->by_label || bt_it->removes_current || bt_it->passes_lock
        || bt_it->tree || bt_fitting(6) < 6) {
        return;
    }
    for (unsigned most = 2; most <= 5; most++) {
        bt_begin_case();
        bt_operations += 2 * most;
        bt_add_some(0, 1, 6);
        bt_it->begin(0, 0, false);
        for (unsigned i = 0; i < most; i++) {
            seen[i] = bt_it->next(0, 0);
        }
        for (unsigned i = 0; i + 1 < most; i++) {
            bt_expect("remove", bt_it->remove(0, seen[back ? most - 2 - i : i]), BT_OK);
        }
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
        if (bt_it->contains(0, seen[most - 1]) || bt_it->count(0) != 6 - most || !bt_is_clean(0)) {
            bt_fail("%s_remove_current removes another element", bt_it->name);
        }
        bt_it->deinit(0);
    }
}

static void bt_try_currents(void)
{
    bt_try_current(false);
    bt_try_current(true);
}
