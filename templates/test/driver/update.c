static void bt_do_update(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    bt_frame frame;

    if (bt_it->update == NULL || !bt_may_begin(side) || !bt_may_remove(side)) {
        return;
    }
    if (bt_it->on_update) {
        bt_c("expiring = 0x%x;", (op->number & op->number >> 8) & 0xff);
        bt_c("updated = 0;");
    }
    bt_say("%s_update(&%s%s)", bt_it->name, bt_names[side], bt_it->update_with);
    bt_operations++;
    bt_enter(&frame, BT_UPDATING, side);
    frame.stop = op->number & op->number >> 8; /* which of the elements that it comes to expire */
    if (bt_it->resorts) {
        (void)bt_sorts(side);
    }
    frame.pass = bt_pass_begins(side, 0, bt_it->updates_back);
    bt_it->update(side);
    for (size_t i = bt_has_no_record(&frame, refusals) ? model->count : 0; i < model->count; i++) {
        bt_row *row = &model->rows[i];
        bool asked = ((row->current & frame.pass) != 0 && bt_it->asks_after)
            || ((row->todo & frame.pass) != 0 && (!bt_it->on_update || bt_it->asks_before));

        if ((row->todo & frame.pass) != 0 && bt_it->on_update && !(asked && bt_is_expired(row))) {
            bt_fail("%s_update did not update element %u", bt_it->name, row->label);
        }
        if (asked && bt_is_expired(row)) {
            if (bt_tells(false)) {
                bt_fail("%s_update did not remove element %u, which has expired", bt_it->name, row->label);
            }
            bt_must_be_clear(side, row->label, frame.pass);
            bt_take(model, i--);
        }
    }
    bt_pass_stops(side, frame.pass, true);
    bt_leave();
}
