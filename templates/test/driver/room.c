static void bt_do_room(const bt_op *op, unsigned side, bool shrink)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    size_t wanted = op->number % (bt_range < 60 ? 97 : 2 * bt_range);
    size_t dead = 0; /* tombstones, which take slots as long as a pass is live */
    unsigned status;

#ifdef BT_WITH_TOMBSTONES
    if (bt_it->tombstones != NULL) {
        size_t most;

        dead = bt_it->tombstones(side, &most);
    }
#endif
    if (shrink ? bt_it->shrink == NULL : bt_it->reserve == NULL) {
        return;
    }
    bt_operations++;
    if (shrink) {
        bt_say("%s_shrink_to_fit(&%s)", bt_it->name, bt_names[side]);
        model->promised = 0;
#ifdef BT_WITH_BESIDE
        memset(bt_room_beside[side], 0, sizeof bt_room_beside[side]);
#endif
        status = bt_it->shrink(side);
    } else {
        bt_say("%s_reserve(&%s, %lu)", bt_it->name, bt_names[side], (unsigned long)wanted);
        status = bt_it->reserve(side, wanted);
    }
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, shrink ? "shrink_to_fit" : "reserve");
#ifdef BT_WITH_NUMBERS
    } else if (!shrink && bt_it->by_number && bt_it->keys != 0 && wanted > bt_it->keys) {
        bt_expect("reserve", status, BT_RANGE);
#endif
    } else if (!shrink && wanted > model->count
               && ((bt_it->limit != 0 && wanted > bt_it->limit) || (bt_it->slots != 0 && wanted > bt_it->slots))) {
        bt_expect("reserve", status, BT_FULL);
    } else if (status == BT_FULL && (bt_out_of_slots() || (!shrink && bt_it->slots != 0 && wanted + dead > bt_it->slots))) {
        return;
    } else {
        bt_expect(shrink ? "shrink_to_fit" : "reserve", status, BT_OK);
        if (!shrink && bt_it->capacity(side) < wanted) {
            bt_show("%s_capacity(&%s) >= %lu", bt_it->name, bt_names[side], (unsigned long)wanted);
            bt_fail("%s_reserve reserved capacity for %lu elements, not for %lu", bt_it->name,
                    (unsigned long)bt_it->capacity(side), (unsigned long)wanted);
        }
        if (!shrink && wanted > model->promised) {
            model->promised = wanted;
        }
    }
}

static void bt_do_expire(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned label;

    if (bt_it->expire == NULL || !bt_may_expire() || model->count == 0 || (bt_exact && op->number >= model->count)) {
        return;
    }
    label = model->rows[op->number % model->count].label;
    bt_say(bt_it->expires_by_function ? "over[%u] = true" : "expire(&pool[%u])", label);
    bt_expired[label] = true;
    bt_it->expire(label);
}

/* Calls that the documentation forbids and that a release build answers with a status. */
static void bt_do_misuse(const bt_op *op, unsigned side)
{
#if !BESPOKE_CHECKS
    size_t taken = BT_ROWS;

    bt_operations++;
    if (bt_it->by_pointer && op->how % 2 == 0) {
        bt_say("%s_add(&%s, NULL)", bt_it->name, bt_names[side]);
        bt_expect("add", bt_it->add(side, BT_NOBODY), BT_ABSENT);
        bt_reported(true, "add");
    } else if (bt_it->add_from != NULL) {
        bt_say("%s_add_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[side]);
        bt_expect("add_from", bt_it->add_from(side | 2u, &taken), BT_ABSENT);
        if (taken != 0) {
            bt_show("taken == 0");
            bt_fail("%s_add_from is refused and does not report that it added none", bt_it->name);
        }
        bt_reported(true, "add_from");
    }
#else
    (void)op;
    (void)side;
#endif
}
