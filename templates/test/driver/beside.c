#ifdef BT_WITH_BESIDE
/* -- values that only some elements have ------------------------------------------------------------------------------------ */

static unsigned bt_last_value;
static size_t bt_met;       /* in a loop over them */
static size_t bt_met_last;  /* the row of the last one */
static bool bt_met_rows[BT_ROWS];
static size_t bt_room_beside[BT_SIDES][BT_BESIDE]; /* how many cannot fail */

/* An element has this value from now on, and in its padding too, which may not have been copied. */
static void bt_was_set_beside(unsigned status, void *at, const void *value, size_t bytes, unsigned label)
{
    if (status == BT_OK) {
        BT_FAIL_IF(memcmp(at, value, 1) != 0, "another value beside element %u is set", label);
        memcpy(at, value, bytes);
    }
}

/* A loop has come to a value of this element: what number its bytes have. `first`: that of its first byte. */
static unsigned bt_meets_beside(unsigned side, unsigned which, unsigned label, unsigned first)
{
    const bt_model *model = &bt_models[side];
    size_t found = BT_ROWS;

    for (size_t i = 0; i < model->count; i++) {
        if (model->rows[i].label == label && model->rows[i].beside[which] != 0 && !bt_met_rows[i]
            && (found == BT_ROWS || model->rows[i].beside[which] == first)) {
            found = i;
        }
    }
    if (found == BT_ROWS) {
        bt_fail("element %u of '%s' has a value that was not set, or is visited twice", label, bt_names[side]);
    }
    bt_met_rows[found] = true;
    bt_met_last = found;
    bt_met++;
    return model->rows[found].beside[which];
}

/* What the loop stands on was taken away. */
static void bt_loses_beside(unsigned side, unsigned which)
{
    bt_models[side].rows[bt_met_last].beside[which] = 0;
}

/* A loop over all that have a value. */
static void bt_sweeps_beside(unsigned side, unsigned which, unsigned taken)
{
    const bt_model *model = &bt_models[side];
    size_t before = 0, behind = 0, counted;

    for (size_t i = 0; i < model->count; i++) {
        before += model->rows[i].beside[which] != 0;
    }
    memset(bt_met_rows, 0, sizeof bt_met_rows);
    bt_met = 0;
    counted = bt_it->sweep_beside(side, which, taken);
    for (size_t i = 0; i < model->count; i++) {
        behind += model->rows[i].beside[which] != 0;
    }
    if (bt_met != before) {
        bt_fail("of %lu elements of '%s' that have a value %lu are visited", (unsigned long)before, bt_names[side],
                (unsigned long)bt_met);
    }
    if (counted != behind) {
        bt_fail("%lu elements of '%s' are counted that have a value, expected %lu", (unsigned long)counted, bt_names[side],
                (unsigned long)behind);
    }
}

/* Does this label stand for one element, whose handle is known? */
static bool bt_is_one(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];
    unsigned number = 0;

    for (size_t i = 0; i < model->count; i++) {
        number += model->rows[i].label == label;
        if (model->rows[i].label == label && (model->rows[i].leaving || model->rows[i].twin)) {
            return false;
        }
    }
    return number == 1 && bt_has_handle(side, label);
}

static void bt_same_beside(unsigned side, unsigned step)
{
    const bt_model *model = &bt_models[side];

    for (unsigned which = 0; which < bt_it->besides; which++) {
        bt_sweeps_beside(side, which, 0);
        for (size_t i = 0; step % 4 == 0 && i < model->count; i++) {
            unsigned label = model->rows[i].label;

            if (bt_is_one(side, label)
                && bt_it->known_beside(side, which, label, model->rows[i].beside[which]) != (model->rows[i].beside[which] != 0)) {
                bt_fail("the handle of element %u leads to another value, or to none", label);
            }
        }
    }
}

static void bt_do_beside(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned which, status;
    size_t row, count = 0;

    if (bt_it->set_beside == NULL || bt_leaving(model) > 0) {
        return;
    }
    which = op->number % bt_it->besides;
    bt_operations++;
    if (op->how % 8 == 0) {
        size_t wanted = op->label % 40;

        status = bt_it->reserve_beside(side, which, wanted);
        if (status == BT_NO_MEMORY) {
            bt_need_refusal(refusals, "reserve");
        } else {
            bt_expect("reserve", status, BT_OK);
            if (wanted > bt_room_beside[side][which]) {
                bt_room_beside[side][which] = wanted;
            }
        }
        return;
    }
    if (op->how % 8 == 1) {
        bt_sweeps_beside(side, which, op->label);
        return;
    }
    if (model->count == 0) {
        return;
    }
    row = (op->label - 1) % model->count;
    if (!bt_is_one(side, model->rows[row].label)) {
        return;
    }
    if (op->how % 8 < 4) {
        status = bt_it->remove_beside(side, which, model->rows[row].label);
        bt_expect("remove", status, model->rows[row].beside[which] != 0 ? BT_OK : BT_ABSENT);
        model->rows[row].beside[which] = 0;
        return;
    }
    for (size_t i = 0; i < model->count; i++) {
        count += model->rows[i].beside[which] != 0;
    }
    bt_last_value = bt_last_value % 100 + 1;
    status = bt_it->set_beside(side, which, model->rows[row].label, bt_last_value);
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "set");
        if (model->rows[row].beside[which] != 0 || count < bt_room_beside[side][which]) {
            bt_fail("a value of element %u needs memory that it has, or that was reserved", model->rows[row].label);
        }
        return;
    }
    bt_expect("set", status, BT_OK);
    model->rows[row].beside[which] = (unsigned char)bt_last_value;
#if !BESPOKE_CHECKS
    if (op->how % 32 == 5 && count > 1) {
        memset(bt_met_rows, 0, sizeof bt_met_rows);
        bt_it->late_beside(side, which);
    }
#endif
}

/* Some elements have values before all that there is is kept, so that it has some. */
BT_SPARE static void bt_begins_with_values(const bt_op *op, unsigned side)
{
    for (unsigned i = 0; i < 6; i++) {
        bt_op one = *op;

        one.number = op->number + i % 4;
        one.label = 1 + (op->how + i) % 8;
        one.how = 6; /* set */
        bt_do_beside(&one, side);
    }
}
#endif
