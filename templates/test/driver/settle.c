static void bt_do_unlock(unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned status;
    bt_frame frame;

    if (bt_it->unlock == NULL) {
        return;
    }
#if BESPOKE_CHECKS
    if (model->locks == 0) {
        return;
    }
#endif
    bt_say("%s_unlock(&%s)", bt_it->name, bt_names[side]);
    bt_operations++;
    if (model->locks == 0) {
        bt_expect("unlock", bt_it->unlock(side), BT_ABSENT);
        bt_reported(true, "unlock");
        return;
    }
    model->locks--;
    bt_enter(&frame, BT_REPLAYING, side);
    status = bt_it->unlock(side);
    bt_leave();
    bt_replays(side, refusals, "unlock");
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "unlock");
        if (model->waiting == 0) {
            bt_fail("%s_unlock returned NO_MEMORY, but no change is pending", bt_it->name);
        }
    } else {
        bt_expect("unlock", status, BT_OK);
        if (!bt_is_held(model) && model->waiting > 0 && !bt_is_replaying(side)) {
            bt_fail("%s_unlock returned OK, but changes are pending", bt_it->name);
        }
    }
}

/* Does a settle keep the pass of this cursor alive? */
static bool bt_is_kept(unsigned side, unsigned cursor)
{
#ifdef BT_WITH_KEEPING
    return bt_cursors[side][cursor].state == BT_LIVE && bt_cursors[side][cursor].kept;
#else
    (void)side;
    (void)cursor;
    return false;
#endif
}

static void bt_do_settle(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned status;
    uint32_t kept = 0; /* the passes that it keeps alive */
    bt_frame frame;

    if (bt_it->settle == NULL) {
        return; /* it has nothing to do */
    }
    if (bt_it->in_seconds) {
        bt_say("%s_settle(&%s, %g)", bt_it->name, bt_names[side], op->how % 8 / 4.0);
    } else {
        bt_say("%s_settle(&%s)", bt_it->name, bt_names[side]);
    }
    if (!bt_it->settle_fails && bt_writing) {
        bt_flush(); /* there is no result to expect */
    }
    bt_operations++;
    model->live = 0;
    for (unsigned i = 0; i < BT_CURSORS; i++) {
        if (bt_is_kept(side, i)) {
            kept |= (uint32_t)1 << i;
            model->live++;
        } else if (bt_cursors[side][i].state == BT_LIVE) {
            bt_cursors[side][i].state = BT_SETTLED;
        }
    }
    for (size_t i = 0; i < model->count; i++) {
        model->rows[i].todo &= kept;
        model->rows[i].current &= kept;
        model->rows[i].due = true;
    }
    model->passes &= kept;
    model->settling = model->waiting > 0;
    bt_enter(&frame, BT_SETTLING, side);
    status = bt_it->settle(side, op->how % 8 / 4.0);
    bt_leave();
    model->settling = false;
    bt_replays(side, refusals, "settle");
#ifdef BT_WITH_MERGING
    bt_merge_rest(side, status);
#endif
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "settle");
    } else {
        bt_expect("settle", status, BT_OK);
    }
    for (size_t i = 0; bt_it->sweeps && kept == 0 && !bt_defers(side) && i < model->count; i++) {
        if (bt_is_expired(&model->rows[i]) && (model->rows[i].due || !bt_tells(false))) {
            if (bt_tells(false)) {
                bt_fail("%s_settle did not remove element %u, which has expired", bt_it->name, model->rows[i].label);
            }
            bt_take(model, i--);
        }
    }
    model->promised = 0;
}

/* Removes all elements and frees all memory; then the container is initialised again, or just used again. */
static void bt_do_restart(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    bt_frame frame;

    bt_say("%s_deinit(&%s)", bt_it->name, bt_names[side]);
    bt_operations++;
    for (unsigned i = 0; i < BT_CURSORS; i++) {
        bt_cursors[side][i].state = BT_NEVER;
    }
    model->passes = 0;
    model->live = 0;
    model->locks = 0;
    model->waiting = 0;
    model->replayed = 0;
    model->clearing = model->replaying = false;
    for (size_t i = 0; i < model->count; i++) {
        model->rows[i].todo = 0;
        model->rows[i].current = 0;
        model->rows[i].doomed = true;
    }
    bt_enter(&frame, BT_CLEARING, side);
    frame.ends = true;
    bt_calm++;
    bt_it->deinit(side);
    bt_calm--;
    bt_leave();
    if (bt_tells(false) && model->count > 0) {
        bt_fail("%s_deinit called no hook for element %u", bt_it->name, model->rows[0].label);
    }
    model->count = 0;
    model->promised = 0;
    model->born = 0;
#ifdef BT_WITH_PROMISED
    model->slots = 0;
    model->order_known = true;
#endif
    bt_forget_handles(side);
#ifdef BT_WITH_BESIDE
    memset(bt_room_beside[side], 0, sizeof bt_room_beside[side]);
#endif
#ifdef BT_WITH_CHANGES
    bt_lives[side]++;
    bt_forget_views(side);
#endif
    if (op->how % 2 == 0) {
        bt_say("%s_init(&%s%s)", bt_it->name, bt_names[side], bt_it->init_with);
        bt_it->init(side, false);
    }
}
