#ifdef BT_WITH_QUEUES
/* -- the first and the last element ------------------------------------------------------------------------------------ */

/* The row of the first element of a heap, which no other comes before. */
static size_t bt_first_by_key(unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned label = bt_it->end_at(side, false);
    size_t at = bt_find_label(model, label);
    size_t first = 0;

    if (at == BT_ROWS) {
        bt_fail("%s_first(&%s) is element %u, which is not in", bt_it->name, bt_names[side], label);
    }
    for (size_t i = 1; i < model->count; i++) {
        if (bt_it->before(model->rows[i].label, model->rows[first].label)) {
            first = i;
        }
    }
    model->mixed = model->mixed && model->count > 1;
    if (bt_it->stable && !model->mixed ? model->rows[first].label != label : bt_it->before(model->rows[first].label, label)) {
        bt_show("known(%s_first(&%s)) == %u", bt_it->name, bt_names[side], model->rows[first].label);
        bt_fail("%s_first(&%s) is element %u, though element %u comes before it", bt_it->name, bt_names[side], label,
                model->rows[first].label);
    }
    return at;
}

static void bt_do_pop(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    bool back = bt_it->both_ends && op->how % 2 != 0;
    bool asks = !back && bt_it->pop_if != NULL && op->how / 8 % 2 != 0;
    bool due = !asks || op->how / 16 % 4 != 0;
    const char *call = back ? "pop_back" : asks ? "pop_if" : "pop";
    unsigned given = BT_NOBODY;
    unsigned status;
    size_t at = BT_ROWS;
    bt_frame frame;

    if (bt_it->pop == NULL || !bt_may_remove(side)) {
        return;
    }
    if (model->count > 0) {
        at = bt_it->heap ? bt_first_by_key(side) : back ? model->count - 1 : 0;
    }
    if (bt_it->heap && at != BT_ROWS && !bt_same_fate(side, model->rows[at].label, 0)) {
        return;
    }
    bt_enter(&frame, BT_REMOVING, side);
    frame.spared = op->how / 2 % 4 != 3;
    frame.label = at == BT_ROWS ? (unsigned)BT_NOBODY : model->rows[at].label;
    frame.number = at == BT_ROWS || !due ? 0 : model->rows[at].number;
    bt_say("%s_%s(&%s, %s%s)", bt_it->name, call, bt_names[side], !asks ? "" : due ? "is_due, (void *)1, " : "is_due, NULL, ",
           frame.spared ? "&popped" : "NULL");
    bt_operations++;
    status = asks ? bt_it->pop_if(side, frame.label, due, frame.spared ? &given : NULL)
                  : bt_it->pop(side, back, frame.spared ? &given : NULL);
    bt_leave();
    bt_has_removed(&frame, call, status, at != BT_ROWS && due, 0);
    if (frame.spared && at != BT_ROWS && due && given != frame.label) {
        bt_show("known(%spopped) == %u", bt_it->by_pointer ? "" : "&", frame.label);
        bt_fail("%s_%s returns element %u, expected %u", bt_it->name, call, given, frame.label);
    }
}

/* Are the first and the last element, and those counted from there, the ones of the model? */
static void bt_same_ends(unsigned side, bool thorough)
{
    const bt_model *model = &bt_models[side];

    if (bt_it->heap && model->count > 0) {
        (void)bt_first_by_key(side);
        return;
    }
    for (unsigned back = 0; back <= (unsigned)!bt_it->heap; back++) {
        unsigned expected = model->count == 0 ? (unsigned)BT_NOBODY : model->rows[back ? model->count - 1 : 0].label;

        if (bt_it->end_at(side, back != 0) != expected) {
            bt_show("known(%s_%s(&%s)) == %u", bt_it->name, back ? "last" : "first", bt_names[side], expected);
            bt_fail("%s_%s(&%s) is another element than %u", bt_it->name, back ? "last" : "first", bt_names[side], expected);
        }
    }
    for (size_t i = 0; thorough && bt_it->get_back != NULL && i <= model->count; i++) {
        unsigned expected = i == model->count ? (unsigned)BT_NOBODY : model->rows[model->count - 1 - i].label;

        if (bt_it->get_back(side, i) != expected) {
            bt_show("known(%s_get_back(&%s, %lu)) == %u", bt_it->name, bt_names[side], (unsigned long)i, expected);
            bt_fail("%s_get_back: at place %lu from the last is another element than %u", bt_it->name, (unsigned long)i,
                    expected);
        }
    }
}
#endif
