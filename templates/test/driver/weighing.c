#ifdef BT_WITH_WEIGHING
/* -- weights that change ---------------------------------------------------------------------------------------------------- */

static void bt_compare(unsigned side, unsigned step);

/* An element gets another weight, or its own again: what is too heavy then makes way. `row`: its number, as long as it is in. */
static void bt_reweighs(unsigned side, unsigned row, unsigned label, uint64_t weight, uint64_t before)
{
    bt_model *model = &bt_models[side];
    size_t at = bt_find_number(model, row);
    unsigned expected = at == BT_ROWS ? BT_ABSENT : BT_OK;
    bt_frame frame;

    bt_say("reweigh(&%s, %u, %lu, %lu)", bt_names[side], label, (unsigned long)weight, (unsigned long)before);
    bt_operations++;
    bt_enter(&frame, BT_ADDING, side);
    frame.reweighs = true;
    if (at != BT_ROWS) {
        model->reweighed = row;
        model->reweighed_to = weight;
    }
#ifdef BT_WITH_QUEUES
    while (!bt_tells(false) && bt_makes_room(&frame, 1, label)) {
        bt_take(model, bt_gives_way(model, BT_NOBODY, false));
    }
#endif
    bt_calm++; /* hooks only look on: they could add this element, with another weight than that of its label */
    frame.status = bt_it->reweigh(side, at, label, weight, before);
    bt_calm--;
    bt_leave();
    if (at != BT_ROWS && !bt_fits(model, 0)) {
        expected = BT_FULL;
    }
    bt_expect("reweigh", frame.status, expected);
    if (weight == bt_it->weighs(label)) {
        model->reweighed = 0;
    }
}

static void bt_do_reweigh(const bt_op *op, unsigned side)
{
    const bt_model *model = &bt_models[side];
    uint64_t weight, before;
    unsigned number, label;
    size_t at;

    if (bt_it->reweigh == NULL || model->count == 0 || !bt_may_remove(side) || bt_leaving(model) > 0) {
        return;
    }
    at = (op->label - 1) % model->count;
    label = model->rows[at].label;
    number = model->rows[at].number;
    for (size_t i = 0; i < model->count; i++) { /* which of two is meant is open, and one that is twice in has one weight */
        if (model->rows[i].leaving || (i != at && model->rows[i].label == label)) {
            return;
        }
    }
    if (model->rows[at].twin || (bt_it->by_handle != NULL && !bt_has_handle(side, label))
        || bt_find_label(&bt_models[1 - side], label) != BT_ROWS || bt_is_expired(&model->rows[at])) {
        return;
    }
    before = bt_it->weighs(label);
    weight = op->number % 4 * bt_it->heaviest / 3;
    bt_reweighs(side, number, label, weight, before);
    bt_compare(side, 1);
    if (bt_it->by_pointer || bt_find_number(model, number) != BT_ROWS) {
        bt_reweighs(side, number, label, before, weight);
    }
}

/* Cases without a model count what fits, so elements weigh nothing in them. Where they do all the same, there are none. */
static bool bt_weighs_nothing(void)
{
    bool nothing = true;

    bt_heavy = 0;
    for (unsigned label = 1; bt_it->heaviest != 0 && label < bt_labels; label++) {
        if (bt_it->fresh != NULL) {
            bt_it->fresh(label);
        }
        nothing = nothing && bt_it->weighs(label) == 0;
    }
    return nothing;
}
#endif
