static void bt_do_remove_handle(const bt_op *op, unsigned side, bool takes)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned status;
    bool present;
    size_t at;
    bt_frame frame;

    if (bt_it->remove_handle == NULL || !bt_may_remove(side)) {
        return;
    }
    bt_stale_handles(side, true);
    if (model->count == 0 || (bt_exact && op->number >= model->count)) {
        return;
    }
    at = op->number % model->count;
    if (!bt_has_handle(side, model->rows[at].label)) {
        return;
    }
    present = !bt_it->deferred || bt_will_stay(side, model->rows[at].number);
    bt_say("%s_%s(&%s, handles[%u]%s)", bt_it->name, BT_VERB("remove", "take"), bt_names[side],
           bt_handle_name(side, model->rows[at].label), BT_INTO);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = model->rows[at].label;
    frame.number = model->rows[at].number;
    status = BT_TAKES(BT_TAKES_IT, frame.label, bt_it->remove_handle(side, frame.label));
    bt_leave();
    bt_has_removed(&frame, BT_VERB("remove", "take"), status, present, refusals);
}

static void bt_do_remove_from(const bt_op *op, unsigned side)
{
    unsigned other = op->how % 8 == 0 ? side : 1 - side;
    bt_model *from = &bt_models[other];
    unsigned long refusals = bt_refusals;
    size_t removed = BT_ROWS;
    unsigned status;
    bt_frame frame;

    if (bt_it->remove_from != NULL && bt_has_no_pass_left(other)) {
        bt_say("%s_remove_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[other]);
        bt_operations++;
        bt_expect("remove_from", bt_it->remove_from(side, other, &removed), BT_BUSY);
        if (removed != 0) {
            bt_fail("%s_remove_from did not begin, and does not say that it removed none", bt_it->name);
        }
        return;
    }
    if (bt_it->remove_from == NULL || !bt_may_remove(side) || !bt_may_begin(other)
        || bt_under_way(BT_CLEARING, side) || bt_under_way(BT_CLEARING, other) || bt_models[side].replayed > 0
        || (bt_it->deferred && bt_tells(false) && bt_refuse_at != 0)) {
        return;
    }
    if (bt_it->deferred && !bt_it->passes_lock && bt_tells(false) && (!bt_it->ordered || bt_it->begins_back)) {
        return; /* it is open in which order they are removed when that is applied */
    }
    for (size_t i = 0; i < from->count; i++) {
        if (!bt_same_fate(side, from->rows[i].label, 0)) {
            return;
        }
    }
    bt_say("%s_remove_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[other]);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING_FROM, side);
    frame.number = other;
    frame.pass = bt_pass_begins(other, 0, false);
    bt_calm++;
    status = bt_it->remove_from(side, other, &removed);
    bt_calm--;
    bt_leave();
    if (bt_it->records != 0 && status == BT_NO_MEMORY && removed == 0 && !frame.done) { /* the same */
        bt_need_refusal(refusals, "remove_from");
        bt_pass_stops(other, frame.pass, true);
        return;
    }
    bt_removes_rest(&frame, status == BT_NO_MEMORY ? removed : (size_t)BT_ROWS, refusals);
    bt_pass_stops(other, frame.pass, true);
    bt_pass_replays(other, refusals, "remove_from");
    if (removed != frame.taken) {
        bt_show("taken == %lu", (unsigned long)frame.taken);
        bt_fail("%s_remove_from reports %lu removed elements, expected %lu", bt_it->name, (unsigned long)removed,
                (unsigned long)frame.taken);
    }
    bt_expect("remove_from", status, frame.status == BT_OK && frame.queued ? (unsigned)BT_QUEUED : frame.status);
}

static void bt_do_clear(unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    bool defers = bt_defers(side);
    unsigned status;
    bt_frame frame;

    bt_say("%s_clear(&%s)", bt_it->name, bt_names[side]);
    bt_operations++;
    bt_enter(&frame, BT_CLEARING, side);
    for (size_t i = 0; !defers && i < model->count; i++) {
        model->rows[i].doomed = true;
    }
    status = bt_it->clear(side);
    bt_leave();
    if (defers && status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "clear");
        return;
    }
    if (bt_it->deferred) {
        bt_expect("clear", status, defers ? BT_QUEUED : BT_OK);
    }
    if (defers) {
        bt_queue(side, BT_CLEARS, 0, 0, false);
        return;
    }
    for (size_t i = 0; i < model->count; i++) {
        if (model->rows[i].doomed) {
            if (bt_tells(false)) {
                bt_fail("all elements were cleared, but no hook was called for element %u", model->rows[i].label);
            }
            bt_take(model, i--);
        }
    }
    bt_replays(side, refusals, "clear");
}
