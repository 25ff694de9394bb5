#ifdef BT_WITH_INDICES
/* -- by indices, where the order defines them ----------------------------------------------------------------------- */

/* The other element stands where the old one stood: for passes nothing else has changed. */
static void bt_replaces_at(bt_frame *frame)
{
    bt_model *model = &bt_models[frame->side];
    bt_row *row = &model->rows[frame->at];

    bt_why_in = BT_WHY_REPLACING;
    row->label = frame->label;
    row->number = frame->number;
    row->twin = false;
    row->expired = false;
    frame->done = true;
    model->changed = true;
}

/* Is a hook called for the element that T_replace_at has removed? */
static bool bt_is_replaced_at(bt_frame *frame, unsigned side, unsigned label)
{
    if (frame == NULL || frame->kind != BT_REPLACING || frame->side != side || frame->old != label || frame->old_told) {
        return false;
    }
    if (!frame->done) {
        if (bt_it->on_add) {
            bt_fail("element %u is replaced by %u, but the add hook was not called first", label, frame->label);
        }
        bt_replaces_at(frame);
    }
    if (bt_it->replaces && bt_is_twin() != frame->old_twin) {
        bt_fail("element %u is replaced, but the hook is not called for the old one", label);
    }
    frame->old_told = true;
    return true;
}

static void bt_do_replace_at(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    size_t place = op->number % (model->count + 1);
    unsigned expected = BT_OK;
    unsigned label, status;
    bool same = false;
    bt_frame frame;

    if (bt_it->replace_at == NULL || (bt_exact && op->number > model->count)) {
        return;
    }
    label = bt_label_for(op, NULL, 0);
    if (label == BT_NOBODY) {
        return;
    }
    bt_enter(&frame, BT_REPLACING, side);
    frame.label = label;
    frame.number = ++bt_next_number;
    frame.at = place;
    if (place >= model->count || model->rows[place].doomed) {
        expected = BT_ABSENT;
    } else {
        frame.old = model->rows[place].label;
        frame.old_twin = model->rows[place].twin;
        same = bt_it->by_pointer && frame.old == label && !frame.old_twin;
        if (bt_it->unique && frame.old != label && bt_find_label(model, label) != BT_ROWS) {
            expected = BT_DUPLICATE;
        }
#ifdef BT_WITH_WEIGHING
        if (bt_it->heaviest != 0 && expected == BT_OK && !same && !bt_fits_instead(model, place, bt_it->weighs(label))) {
            expected = BT_FULL;
        }
#endif
    }
    bt_say("%s_replace_at(&%s, %lu, made(%u))", bt_it->name, bt_names[side], (unsigned long)place, label);
    bt_operations++;
    status = bt_it->replace_at(side, place, label);
    bt_leave();
    bt_expect("replace_at", status, expected);
    if (status != BT_OK || same) {
        if (frame.done || frame.old_told) {
            bt_fail("%s_replace_at replaced nothing, but a hook was called", bt_it->name);
        }
        return;
    }
    if ((bt_it->on_add && !frame.done) || (bt_tells(false) && !frame.old_told)) {
        bt_fail("element %u was replaced by %u, but not all hooks were called", frame.old, label);
    }
    if (!frame.done) {
        bt_replaces_at(&frame);
    }
}

static void bt_do_remove_range(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    size_t place = op->number % (model->count + 2);
    size_t count = op->how % 4;
    unsigned expected;

    if (bt_it->remove_range == NULL || !bt_may_remove(side) || (bt_exact && op->number > model->count)) {
        return;
    }
    expected = place > model->count || count > model->count - place ? BT_ABSENT : BT_OK;
    bt_say("%s_remove_range(&%s, %lu, %lu)", bt_it->name, bt_names[side], (unsigned long)place, (unsigned long)count);
    bt_operations++;
    bt_expect("remove_range", bt_it->remove_range(side, place, count), expected);
    for (; expected == BT_OK && count > 0; count--) {
        bt_take(model, place);
    }
}
#endif
