#ifdef BT_WITH_NUMBERS
/* What two sets of numbers have in common: of all that one may do with another, or with itself. */
static void bt_do_combine(const bt_op *op, unsigned side)
{
    static const char *const calls[] = {"unite", "intersect", "subtract"};
    bt_model *model = &bt_models[side];
    unsigned how = op->how % 3;
    unsigned other = op->how / 3 % 4 == 0 ? side : 1 - side;
    unsigned long refusals = bt_refusals;
    unsigned status;

    if (bt_it->combine == NULL || bt_is_crowded(side) || bt_is_crowded(other)) {
        return;
    }
    bt_say("%s_%s(&%s, &%s)", bt_it->name, calls[how], bt_names[side], bt_names[other]);
    bt_operations++;
    status = bt_it->combine(side, other, how);
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, calls[how]);
        return;
    }
    bt_expect(calls[how], status, BT_OK);
    model->changed = true;
    for (size_t i = 0; how == 0 && i < bt_models[other].count; i++) {
        if (bt_find_label(model, bt_models[other].rows[i].label) == BT_ROWS) {
            (void)bt_append(model, bt_models[other].rows[i].label, ++bt_next_number);
        }
    }
    for (size_t i = how == 0 ? 0 : model->count; i-- > 0;) {
        if ((bt_find_label(&bt_models[other], model->rows[i].label) != BT_ROWS) == (how == 2)) {
            bt_take(model, i);
        }
    }
}

/* The smallest and the largest number, and what is next to one that may be in or not. */
static void bt_do_nearest(const bt_op *op, unsigned side)
{
    static const char *const calls[] = {"first", "last", "next_after", "previous_before"};
    const bt_model *model = &bt_models[side];
    unsigned label = 1 + op->label % (bt_it->by_row ? BT_LABELS + 64 : bt_labels - 1);
    unsigned expected[4] = {BT_NOBODY, BT_NOBODY, BT_NOBODY, BT_NOBODY};

    if (bt_it->nearest == NULL) {
        return;
    }
    for (size_t i = 0; i < model->count; i++) {
        unsigned row = model->rows[i].label;

        expected[0] = i == 0 ? row : expected[0];
        expected[1] = row;
        expected[2] = row > label && expected[2] == BT_NOBODY ? row : expected[2];
        expected[3] = row < label ? row : expected[3];
    }
    bt_operations++;
    for (unsigned way = 0; way < 4; way++) {
        unsigned found = bt_it->nearest(side, way, label);

        if (found != expected[way]) {
            if (way < 2) {
                bt_show("known_at(&%s, %s_%s(&%s)) == %u", bt_names[side], bt_it->name, calls[way], bt_names[side],
                        expected[way]);
            } else {
                bt_show("known_at(&%s, %s_%s(&%s, %lu)) == %u", bt_names[side], bt_it->name, calls[way], bt_names[side],
                        (unsigned long)bt_it->key(label), expected[way]);
            }
            bt_fail("%s_%s returns %u, expected %u", bt_it->name, calls[way], found, expected[way]);
        }
    }
}
#endif
