#ifdef BT_WITH_MERGING
/* A row that a worker may name: the only one of its label. */
static const bt_row *bt_named_row(unsigned side, size_t at)
{
    const bt_model *model = &bt_models[side];

    for (size_t i = 0; i < model->count; i++) {
        if (i != at && model->rows[i].label == model->rows[at].label) {
            return NULL;
        }
    }
    return bt_it->by_handle != NULL && !bt_has_handle(side, model->rows[at].label) ? NULL : &model->rows[at];
}

/* What a worker passes to name an element. */
static void bt_say_named(unsigned side, const char *call, const bt_noted *change, bool content)
{
    char key[12] = "";
    char name[80];

    if (bt_it->merges_by_key) {
        snprintf(key, sizeof key, ", %u", change->key);
    }
    if (bt_it->by_handle != NULL) {
        snprintf(name, sizeof name, "handles[%u]", bt_handle_name(side, change->label));
    } else {
        snprintf(name, sizeof name, "%s", bt_asked(side, change->label));
    }
    if (content && (!bt_it->by_label || bt_it->by_row)) {
        bt_say("%s_%s(&%s, %u%s, %s, made(%u))", bt_it->name, call, bt_names[side], change->worker, key, name, change->label);
    } else {
        bt_say("%s_%s(&%s, %u%s, %s)", bt_it->name, call, bt_names[side], change->worker, key, name);
    }
}

#ifdef BT_WITH_WEIGHING
/* Is this label too heavy beside all elements and what is to be added? */
static bool bt_overloads(const bt_model *model, unsigned label)
{
    uint64_t heavy = bt_it->weighs(label);

    for (size_t i = 0; i < bt_merge.ins; i++) {
        heavy += bt_it->weighs(bt_merge.in[i].label);
    }
    return !bt_fits(model, heavy);
}
#endif

/* One change of a worker, or an add of another thread. */
static void bt_note_one(unsigned side, uint32_t luck, size_t *waiting)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    bool inbox = bt_it->add_by_inbox != NULL && (bt_it->add_by_worker == NULL || luck >> 30 == 0);
    bt_noted change = {true, inbox ? BT_LABELS : (luck >> 4) % (bt_it->workers == 0 ? 1 : bt_it->workers), (luck >> 10) % 3, 0,
                       0};
    unsigned status;

    if (!inbox && luck >> 30 != 1 && model->count > 0) {
        const bt_row *row = bt_named_row(side, (luck >> 12) % model->count);
        bool updates = bt_it->update_by_worker != NULL && luck >> 30 == 2;

        if (row == NULL || (updates && bt_is_expired(row))) {
            return;
        }
        change.adds = false;
        change.label = row->label;
        change.number = row->number;
        bt_say_named(side, updates ? "worker_update" : "worker_remove", &change, updates);
        bt_operations++;
        status = updates ? bt_it->update_by_worker(side, change.worker, change.key, change.label)
            : bt_it->remove_by_worker(side, change.worker, change.key, change.label);
        if (status == BT_NO_MEMORY) {
            bt_need_refusal(refusals, "worker_remove");
            return;
        }
        bt_expect(updates ? "worker_update" : "worker_remove", status, BT_QUEUED);
        if (!updates) {
            bt_note(bt_merge.out, &bt_merge.outs, &change);
        }
        return;
    }
    change.label = 1 + (luck >> 8) % (bt_range < bt_labels - 1 ? bt_range : bt_labels - 1);
    for (size_t i = 0; i < bt_merge.ins; i++) {
        if (bt_merge.in[i].label == change.label) {
            return;
        }
    }
#ifdef BT_WITH_WEIGHING
    if (bt_it->heaviest != 0 && bt_overloads(model, change.label)) {
        return;
    }
#endif
    if (bt_is_known(0, change.label) || bt_is_known(1, change.label) || bt_refusal_of(side, change.label, false, false) != BT_OK
        || bt_out_of_slots() || (bt_it->limit != 0 && model->count + bt_merge.ins >= bt_it->limit)) {
        return;
    }
    if (change.label > bt_top_label) {
        bt_top_label = change.label;
    }
    if (bt_it->fresh != NULL) {
        bt_it->fresh(change.label);
    }
    bt_expired[change.label] = false;
    bt_operations++;
    if (inbox) {
        bt_say("%s_inbox_add(&%s, made(%u))", bt_it->name, bt_names[side], change.label);
        status = bt_it->add_by_inbox(side, change.label);
        bt_expect("inbox_add", status, *waiting < bt_it->inbox ? BT_QUEUED : BT_FULL);
        if (status == BT_FULL) {
            return;
        }
        ++*waiting;
        change.key = UINT32_MAX; /* behind those of all workers */
    } else {
        char key[12] = "";

        if (bt_it->merges_by_key) {
            snprintf(key, sizeof key, ", %u", change.key);
        }
        bt_say("%s_worker_add(&%s, %u%s, made(%u))", bt_it->name, bt_names[side], change.worker, key, change.label);
        status = bt_it->add_by_worker(side, change.worker, change.key, change.label);
        if (status == BT_NO_MEMORY) {
            bt_need_refusal(refusals, "worker_add");
            return;
        }
        bt_expect("worker_add", status, BT_QUEUED);
    }
    bt_note(bt_merge.in, &bt_merge.ins, &change);
}

/* Workers note changes, other threads add; T_settle merges all of it. Without memory it is pending, until there is some, or all
   is dropped. */
static void bt_do_merge(const bt_op *op, unsigned side)
{
    uint32_t luck = op->luck;
    size_t waiting = 0;

    if (bt_it->add_by_worker == NULL && bt_it->add_by_inbox == NULL) {
        return;
    }
    if (bt_is_crowded(side) || bt_top != NULL) {
        return;
    }
    memset(&bt_merge, 0, sizeof bt_merge);
    bt_merge.under_way = true;
    for (unsigned i = 0; i < 1 + op->number % BT_BATCH; i++) {
        luck = luck * 1664525u + 1013904223u;
        bt_note_one(side, luck, &waiting);
    }
    bt_calm++;
    for (unsigned tries = 0; tries < 2 && bt_merge.under_way; tries++) {
        bt_do_settle(op, side);
    }
    bt_calm--;
    if (bt_merge.under_way) {
        bt_merge.under_way = false;
        bt_merge.dropped = bt_it->on_destroy && !bt_it->by_pointer;
        bt_do_restart(op, side);
        if (bt_merge.dropped && bt_merge.in_at < bt_merge.ins) {
            bt_fail("%s_deinit has not destroyed element %u, which was to be added", bt_it->name,
                    bt_merge.in[bt_merge.in_at].label);
        }
        bt_merge.dropped = false;
    }
}
#endif
