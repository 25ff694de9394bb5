#ifdef BT_WITH_PROMISED
/* -- the order that an unordered container promises ---------------------------------------------------------------- */

/* A row was added: it goes last, or into the lowest free slot. */
static void bt_orders_in(bt_model *model, unsigned label)
{
    size_t slot = 0;

    while (slot < model->slots && (bt_it->follows == BT_LAST_FILLS || model->in_slot[slot] != BT_NOBODY)) {
        slot++;
    }
    if (slot == BT_ROWS) {
        bt_fail("the test's model is full");
    }
    model->slots += slot == model->slots;
    model->in_slot[slot] = label;
}

/* A row was removed: the last one fills its slot, or it is free. A live pass has boundaries that no element crosses, and in
 * which order a call removes several is its own: then the order is not known here. */
static void bt_orders_out(bt_model *model, unsigned label)
{
    size_t slot = 0;

    while (slot < model->slots && model->in_slot[slot] != label) {
        slot++;
    }
    for (size_t other = slot + 1; other < model->slots; other++) {
        model->order_known = model->order_known && model->in_slot[other] != label; /* which of the two it is is open */
    }
    if (slot == model->slots) {
        model->order_known = false;
    } else if (bt_it->follows == BT_LOWEST_SLOT) {
        model->in_slot[slot] = BT_NOBODY;
    } else {
        model->order_known = model->order_known && !model->removed_one && model->live == 0 && model->passes == 0;
        model->removed_one = true;
        model->in_slot[slot] = model->in_slot[--model->slots];
    }
}

/* Two elements exchange their places. */
static void bt_orders_exchange(bt_model *model, unsigned a, unsigned b)
{
    for (size_t slot = 0; slot < model->slots; slot++) {
        model->in_slot[slot] = model->in_slot[slot] == a ? b : model->in_slot[slot] == b ? a : model->in_slot[slot];
    }
}

/* Is the order that which the model has come to, as far as it is known? */
static void bt_same_order(unsigned side)
{
    static unsigned labels[BT_ROWS + 1];
    bt_model *model = &bt_models[side];
    size_t count = bt_it->read(side, bt_it->begins_back, labels);
    size_t place = 0;

    if (count == 0) {
        model->slots = 0;
        model->order_known = true;
    } else if (bt_has_twice(model) || count != model->count) { /* two are alike, or a pass skips expired elements */
        model->order_known = false;
    }
    for (size_t slot = 0; slot < model->slots && model->order_known; slot++) {
        unsigned label = model->in_slot[slot];
        unsigned found = label == BT_NOBODY ? label : labels[bt_it->begins_back ? count - 1 - place : place];

        if (found != label) {
            bt_show_read(side, bt_it->begins_back, count, bt_it->begins_back ? count - 1 - place : place, label);
            bt_fail("in the order that is promised, element %u of '%s' is at place %lu, and there is %u", label, bt_names[side],
                    (unsigned long)place, found);
        }
        place += label != BT_NOBODY;
    }
    if (!model->order_known && bt_it->follows == BT_LAST_FILLS && count == model->count) {
        model->order_known = true;
        model->slots = count;
        for (size_t i = 0; i < count; i++) {
            model->in_slot[i] = labels[bt_it->begins_back ? count - 1 - i : i];
        }
    }
}

#endif
