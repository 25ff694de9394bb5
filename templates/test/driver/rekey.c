/* Does the pass that this operation begins go from the last element to the first? */
static bool bt_goes_back(const bt_op *op)
{
    return bt_it->begins_back || (bt_it->both_ways && op->label % 2 == 0);
}

/* An element is sorted by something else from here on, whether it is in or not. */
static void bt_rank(unsigned label, unsigned rank)
{
    bt_say("rank(%u, %u)", label, rank);
    bt_top_label = label > bt_top_label ? label : bt_top_label;
    bt_ranks[label] = rank;
    bt_reranked = true;
    if (bt_it->rank != NULL) {
        bt_it->rank(label);
    }
}

/* Where adds sort, some elements that are in no other container get other keys, which a sort finds. */
static void bt_rank_some(const bt_op *op, unsigned side)
{
    const bt_model *model = &bt_models[side];

    if (!bt_it->sorts || !bt_it->reranks || !bt_may_sort(side)) {
        return;
    }
    for (size_t i = op->number % 2; i < model->count; i += 1 + op->number % 3) {
        if (!bt_is_known(1 - side, model->rows[i].label)) {
            bt_rank(model->rows[i].label, (op->number / 2 + (unsigned)i * 3) % 4);
        }
    }
}

static void bt_do_sort(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    bool sorts;

    if (bt_it->sort == NULL) {
        return;
    }
    if (bt_it->reverse != NULL && op->number % 4 != 3 && model->count > 0 && bt_may_sort(side)) {
        size_t from = op->number % 4 * model->count / 4;

        bt_it->reverse(side, from);
        for (size_t to = model->count; from < to; from++) {
            bt_row row = model->rows[from];

            to--;
            model->rows[from] = model->rows[to];
            model->rows[to] = row;
        }
    }
    bt_rank_some(op, side);
    bt_say("%s_sort(&%s)", bt_it->name, bt_names[side]);
    bt_operations++;
    sorts = bt_sorts(side);
#ifdef BT_WITH_FAIL_FAST
    bt_models[side].changed = bt_models[side].changed || sorts;
#endif
    bt_expect("sort", bt_it->sort(side), sorts ? BT_OK : BT_BUSY);
}

#ifdef BT_WITH_QUEUES
/* The key of an element has changed, or of all that are equal:
 * which is in several times, at its next call all are out of order. */
static void bt_rekeys(unsigned side, unsigned label, bool all)
{
    const bt_model *model = &bt_models[side];
    size_t times = 0;

    for (size_t i = 0; i < model->count; i++) {
        times += model->rows[i].label == label;
    }
    if (all || times > 1 || bt_it->rekey == NULL || (times > 0 && bt_it->by_handle != NULL && !bt_has_handle(side, label))) {
        bt_say("%s_heapify(&%s)", bt_it->name, bt_names[side]);
        bt_it->heapify(side);
    } else if (times > 0 || bt_it->by_handle == NULL) {
        bt_say("%s_rekey(&%s, %s)", bt_it->name, bt_names[side],
               times > 0 && bt_it->by_handle != NULL ? bt_keyed(side, label) : bt_asked(side, label));
        bt_expect("rekey", bt_it->rekey(side, label),
                  times > 0                                                               ? BT_OK
                  : bt_it->owned && bt_find_label(&bt_models[1 - side], label) != BT_ROWS ? BT_FOREIGN
                                                                                          : BT_ABSENT);
    }
}
#endif

#ifdef BT_WITH_MOVING
/* May its sort key change while it is in? Only if it is in once: all others must be in order. */
static bool bt_may_refile(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];
    size_t times = 0;

    for (size_t i = 0; i < model->count; i++) {
        times += model->rows[i].label == label;
    }
    return bt_it->refile != NULL && bt_may_remove(side) && times < 2;
}
#endif

#ifdef BT_WITH_KEYED
/* Will a pending add put in an element with this label? */
static bool bt_is_to_come(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];

    for (size_t i = model->replayed; i < model->waiting; i++) {
        if (model->journal[i].kind == BT_ADDS && model->journal[i].label == label
            && bt_will_stay(side, model->journal[i].number)) {
            return true;
        }
    }
    return false;
}

/* An element gets the key of another label, and its own again. To the model nothing has changed but where it was moved. */
static void bt_do_rekey_index(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);
    unsigned other = 1 + op->number % (bt_labels - 1);
    size_t from = bt_find_label(model, label);
    unsigned long refusals = bt_refusals;
    unsigned expected = BT_OK;
    unsigned status;

    if (bt_it->rekey_index == NULL || bt_sweeps_in_silence() || (bt_it->files && !bt_may_remove(side)) || bt_waits(side, label)
        || bt_is_replaying(side)) {
        return;
    }
    if (from == BT_ROWS) {
        expected = BT_ABSENT;
#ifdef BT_WITH_MOVING
    } else if (bt_it->files && bt_it->refile != NULL && (model->rows[from].doomed || model->rows[from].leaving)) {
        expected = BT_ABSENT; /* found by its place, which it has no more */
#endif
    } else if ((other != label && bt_find_label(model, other) != BT_ROWS) || bt_is_to_come(side, other)) {
        expected = BT_DUPLICATE;
    } else if (bt_it->keys != 0 && bt_it->key(other) >= bt_it->keys) {
        expected = BT_RANGE;
    }
    bt_operations++;
    status = bt_it->rekey_index(side, label, other);
    if (status == BT_NO_MEMORY && expected == BT_OK && bt_it->reaches) {
        bt_need_refusal(refusals, "rekey");
    } else if (status != expected) {
        bt_fail("%s_rekey of element %u to the key of %u returns %u, expected %u", bt_it->name, label, other, status, expected);
    }
#ifdef BT_WITH_MOVING
    if (status == BT_OK && bt_it->files && !model->rows[from].doomed && !model->rows[from].leaving) {
        size_t place = bt_place_by_key(model, from, other);

        bt_move_row(model, from, place, false);
        from = bt_find_label(model, label);
        bt_move_row(model, from, bt_place_by_key(model, from, label), false);
    }
#endif
}
#endif

/* What an element is sorted by changes: while it is in only where a pass sorts again. */
static void bt_do_rank(const bt_op *op)
{
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);

    if (!bt_it->reranks) {
        return;
    }
    for (unsigned side = 0; side < BT_SIDES && bt_it->sorts; side++) {
#ifdef BT_WITH_MOVING
        if (bt_may_refile(side, label)) {
            continue;
        }
#endif
        if (bt_is_known(side, label)) {
            return;
        }
    }
    bt_operations++;
    bt_rank(label, op->number % 4);
#ifdef BT_WITH_QUEUES
    for (unsigned side = 0; side < BT_SIDES && bt_it->heap; side++) {
        bt_rekeys(side, label, op->number % 8 > 5);
    }
#endif
#ifdef BT_WITH_MOVING
    for (unsigned side = 0; side < BT_SIDES && bt_it->refile != NULL; side++) {
        bt_refiles(side, label);
    }
#endif
}
