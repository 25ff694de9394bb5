static void bt_do_remove_null(unsigned side)
{
#ifdef BT_WITH_MOVING
    bt_do_move_absent(side);
#endif
    if (bt_it->remove != NULL && bt_may_remove(side)) {
        bt_operations += 2;
        bt_say("%s_remove(&%s, %s)", bt_it->name, bt_names[side], bt_it->nil);
        bt_expect("remove", bt_it->remove(side, BT_NOBODY), BT_ABSENT);
        bt_say("%s_remove(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, BT_ELSEWHERE));
        bt_expect("remove", bt_it->remove(side, BT_ELSEWHERE), BT_ABSENT);
        if (bt_it->contains(side, BT_NOBODY) || bt_it->contains(side, BT_ELSEWHERE)) {
            bt_show("!%s_contains(&%s, %s) && !%s_contains(&%s, %s)", bt_it->name, bt_names[side], bt_it->nil, bt_it->name,
                    bt_names[side], bt_asked(side, BT_ELSEWHERE));
            bt_fail("%s_contains finds an element that is not in the container", bt_it->name);
        }
    }
}

static void bt_do_remove_at(const bt_op *op, unsigned side, bool takes)
{
    bt_model *model = &bt_models[side];
    size_t place = op->number % (model->count + 1);
    unsigned long refusals = bt_refusals;
    unsigned label = BT_NOBODY;
    unsigned status;
    size_t at = BT_ROWS;
    bool present;
    bt_frame frame;

    if (bt_it->remove_at == NULL || !bt_may_remove(side) || (bt_exact && op->number > model->count)) {
        return;
    }
    if (place < model->count) {
        label = bt_it->label_at(side, place);
        at = bt_it->ordered ? place : bt_find_label(model, label);
        if (at == BT_ROWS || model->rows[at].label != label || !bt_same_fate(side, label, 0)) {
            if (at == BT_ROWS || model->rows[at].label != label) {
                bt_fail("%s(&%s, %lu) returns element %u, which is not at that index", bt_it->placed, bt_names[side],
                        (unsigned long)place, label);
            }
            return;
        }
    }
    bt_say("%s_%s(&%s, %lu%s)", bt_it->name, BT_VERB("remove_at", "take_at"), bt_names[side], (unsigned long)place, BT_INTO);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = label;
    frame.number = at == BT_ROWS ? 0 : model->rows[at].number;
    present = at != BT_ROWS && (!bt_it->deferred || bt_will_stay(side, frame.number));
    status = BT_TAKES(BT_TAKES_AT, place, bt_it->remove_at(side, place));
    bt_leave();
    bt_has_removed(&frame, BT_VERB("remove_at", "take_at"), status, present, refusals);
}
