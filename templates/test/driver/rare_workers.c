#ifdef BT_WITH_MERGING
/* -- rare cases: changes of workers ---------------------------------------------------------------------------------------- */

static void bt_add_known(unsigned from, unsigned to)
{
    for (unsigned label = from; label <= to; label++) {
        bt_operations++;
        bt_expect("add", bt_it->add_known != NULL ? bt_it->add_known(0, label) : bt_it->add(0, label), BT_OK);
    }
}

/* An update replaces what is in its element. */
static void bt_try_update(void)
{
    unsigned found = 0;

    if (bt_it->worker_change == NULL || bt_fitting(3) < 3) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    bt_add_known(1, 2);
    bt_expect("worker_update", bt_it->worker_change(0, 1, 3), BT_QUEUED);
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    bt_it->begin(0, 0, false);
    for (unsigned label = bt_it->next(0, 0); label != BT_NOBODY; label = bt_it->next(0, 0)) {
        found |= 1u << label;
    }
    if (found != (1u << 2 | 1u << 3)) {
        bt_fail("%s_worker_update does not replace the element", bt_it->name);
    }
    bt_it->deinit(0);
}

static void bt_listen(unsigned side, unsigned label)
{
    (void)side, (void)label;
    bt_calls_heard++;
    bt_whys_heard |= 1u << bt_why;
}

/* An equal element is added before what another thread or a worker adds is taken over: that is refused, and destroyed if the
 * container would have held its value. */
static void bt_try_refused_later(void)
{
    unsigned destroyed = !bt_it->by_pointer;

    if ((bt_it->add_by_inbox == NULL && bt_it->add_by_worker == NULL) || !bt_it->on_destroy || !bt_it->unique || bt_it->replaces
        || bt_it->intrusive || bt_fitting(1) < 1) {
        return;
    }
    bt_begin_case();
    bt_operations += 2;
    bt_calls_heard = bt_whys_heard = 0;
    bt_expect("inbox_add", bt_it->add_by_inbox != NULL ? bt_it->add_by_inbox(0, 1) : bt_it->add_by_worker(0, 0, 0, 1), BT_QUEUED);
    bt_add_known(1, 1);
    bt_meddle = bt_listen;
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    bt_meddle = NULL;
    if (bt_calls_heard != destroyed || bt_it->count(0) != 1
        || (bt_it->reasons && bt_whys_heard != destroyed << BT_WHY_REFUSED)) {
        bt_fail("%s_settle calls %u hooks for a refused element, with the reasons %u", bt_it->name, bt_calls_heard,
                bt_whys_heard);
    }
    bt_it->deinit(0);
}

/* The next changes may name the slots that the last ones did; T_shrink_to_fit frees the journals. */
static void bt_try_workers_again(void)
{
    if (bt_it->add_by_worker == NULL || bt_fitting(2) < 2) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    bt_add_known(1, 2);
    for (unsigned label = 1; label <= 2; label++) {
        bt_expect("worker_remove", bt_it->remove_by_worker(0, 0, 0, label), BT_QUEUED);
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    }
    if (bt_it->count(0) != 0 || !bt_is_clean(0)) {
        bt_fail("%s_settle removes no element from a slot whose last element a worker has removed", bt_it->name);
    }
    if (bt_it->shrink != NULL && bt_it->slots == 0) {
        bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
        if (bt_block_count != 0) {
            bt_fail("%s_shrink_to_fit keeps the memory of workers", bt_it->name);
        }
    }
    bt_it->deinit(0);
}

/* What several workers remove is removed once. Without memory for what is to be added, all changes stay pending. */
static void bt_try_workers(void)
{
    unsigned most = bt_fitting(200);
    unsigned full, status;
    bool another = bt_it->workers > 1;

    if (bt_it->add_by_worker == NULL || most < 20) {
        return;
    }
    bt_begin_case();
    bt_operations += 9;
    bt_add_known(1, 4);
    status = bt_it->remove_by_worker(0, 0, 0, BT_NOBODY);
    if (status != BT_ABSENT && status != BT_STALE) {
        bt_fail("%s_worker_remove returns status %u for no element", bt_it->name, status);
    }
    bt_expect("worker_remove", bt_it->remove_by_worker(0, 0, 1, 2), BT_QUEUED);
    bt_expect("worker_remove", bt_it->remove_by_worker(0, another, 2, 2), BT_QUEUED);
    if (bt_it->update_by_worker != NULL) {
        status = bt_it->update_by_worker(0, 0, 0, BT_NOBODY);
        if (status != BT_ABSENT && status != BT_STALE) {
            bt_fail("%s_worker_update returns status %u for no element", bt_it->name, status);
        }
        bt_expect("worker_update", bt_it->update_by_worker(0, 0, 0, 1), BT_QUEUED);
    }
    if (bt_it->shrink != NULL) {
        bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    }
    (void)bt_is_clean(0);
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
#ifdef BT_WITH_CHANGES
    if (bt_it->version != NULL && bt_it->version(0) != 5 + (bt_it->update_by_worker != NULL)) {
        bt_fail("%s_settle does not count each change of a worker once", bt_it->name);
    }
#endif
    if (bt_it->count(0) != 3 || !bt_is_clean(0)) {
        bt_fail("%s_settle has not removed one element for two workers", bt_it->name);
    }
    if (bt_it->capacity != NULL && bt_it->capacity(0) + 8 < most && bt_it->limit == 0) {
        full = (unsigned)bt_it->capacity(0);
        bt_add_known(5, full + 1); /* as many as have slots */
        bt_expect("worker_remove", bt_it->remove_by_worker(0, 0, 0, 3), BT_QUEUED);
        for (unsigned label = full + 2; label <= full + 5; label++) {
            bt_expect("worker_add", bt_it->add_by_worker(0, another, 0, label), BT_QUEUED);
        }
        bt_refuse();
        status = bt_it->settle(0, 0);
        bt_allow();
        if (status == BT_OK ? bt_it->count(0) != full + 3
                            : status != BT_NO_MEMORY || bt_it->count(0) != full || !bt_is_clean(0)) {
            bt_fail("%s_settle is refused memory, and the container is not as it was", bt_it->name);
        }
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
        if (bt_it->count(0) != full + 3 || !bt_is_clean(0)) {
            bt_fail("%s_settle does not merge what was pending", bt_it->name);
        }
    }
#if !BESPOKE_CHECKS
    bt_expect("worker_add", bt_it->add_by_worker(0, bt_it->workers, 0, 19), BT_ABSENT);
    bt_reported(true, "worker_add");
    bt_expect("worker_remove", bt_it->remove_by_worker(0, bt_it->workers, 0, 1), BT_ABSENT);
    bt_reported(true, "worker_remove");
    if (bt_it->update_by_worker != NULL) {
        bt_expect("worker_update", bt_it->update_by_worker(0, bt_it->workers, 0, 1), BT_ABSENT);
        bt_reported(true, "worker_update");
    }
#endif
    bt_it->deinit(0);
}

#ifdef BT_WITH_WEIGHING
/* What is too heavy when workers have added it comes to what calls come to, and so does what they have made heavier. */
static void bt_try_heavy_merges(void)
{
    unsigned last = bt_labels - 1 < 20 ? bt_labels - 1 : 20;
    unsigned label;
    bool heavy;

    if (bt_it->add_by_worker == NULL || bt_it->heaviest == 0) {
        return;
    }
    bt_begin_case();
    bt_heavy = 1;
    for (label = 1; label <= last; label++) {
        if (bt_it->fresh != NULL) {
            bt_it->fresh(label);
        }
    }
    for (label = 1; label <= last; label++) {
        bt_operations += 2;
        (void)bt_it->add(1, label); /* or it is refused, or others make way */
        if (label == 1) {
            (void)bt_it->add(0, label);
        } else {
            bt_expect("worker_add", bt_it->add_by_worker(0, 0, 0, label), BT_QUEUED);
        }
    }
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    bt_it->begin(0, 0, false);
    bt_it->begin(1, 1, false);
    do {
        label = bt_it->next(0, 0);
        if (bt_it->next(1, 1) != label) {
            bt_fail("%s_settle does not add what %s_add would have added: element %u", bt_it->name, bt_it->name, label);
        }
    } while (label != BT_NOBODY);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
    bt_it->deinit(1);
    if (bt_it->worker_change != NULL && last >= 9) {
        bt_operations += 5;
        bt_add_some(0, 1, 3);
        bt_expect("worker_update", bt_it->worker_change(0, 1, 9), BT_QUEUED);
        bt_expect("worker_update", bt_it->worker_change(0, 2, 4), BT_QUEUED);
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
        (void)bt_is_clean(0);
        heavy = bt_it->weight != NULL && bt_it->weight(0) > bt_it->heaviest;
#ifdef BT_WITH_QUEUES
        if (heavy && bt_it->overwrites && bt_it->stays == NULL) {
            bt_fail("nothing makes way in %s_settle for what %s_worker_update has made heavier", bt_it->name, bt_it->name);
        }
#endif
        if (heavy) {
            bt_expect("add", bt_it->add(0, 7), BT_FULL);
        }
        bt_it->deinit(0);
    }
    (void)bt_weighs_nothing();
}

#endif
#endif
