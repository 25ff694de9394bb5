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
        if (model->locks == 0 && model->live == 0 && model->waiting > 0 && !bt_is_replaying(side)) {
            bt_fail("%s_unlock returned OK, but changes are pending", bt_it->name);
        }
    }
}

static void bt_do_settle(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned status;
    bt_frame frame;

    if (bt_it->in_seconds) {
        bt_say("%s_settle(&%s, %g)", bt_it->name, bt_names[side], op->how % 8 / 4.0);
    } else {
        bt_say("%s_settle(&%s)", bt_it->name, bt_names[side]);
    }
    bt_operations++;
    for (unsigned i = 0; i < BT_CURSORS; i++) {
        if (bt_cursors[side][i].state == BT_LIVE) {
            bt_cursors[side][i].state = BT_SETTLED;
        }
    }
    for (size_t i = 0; i < model->count; i++) {
        model->rows[i].todo = 0;
        model->rows[i].current = 0;
        model->rows[i].due = true;
    }
    model->passes = 0;
    model->live = 0;
    model->settling = model->waiting > 0;
    bt_enter(&frame, BT_SETTLING, side);
    status = bt_it->settle(side, op->how % 8 / 4.0);
    bt_leave();
    model->settling = false;
    bt_replays(side, refusals, "settle");
/* @if merging */
    bt_merge_rest(side, status);
/* @end */
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "settle");
    } else {
        bt_expect("settle", status, BT_OK);
    }
    for (size_t i = 0; bt_it->sweeps && !bt_defers(side) && i < model->count; i++) {
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
    if (bt_it->forget_handles != NULL) {
        bt_it->forget_handles(side);
    }
    if (op->how % 2 == 0) {
        bt_say("%s_init(&%s%s)", bt_it->name, bt_names[side], bt_it->init_with);
        bt_it->init(side, false);
    }
}

/* @merging */
static void bt_do_room(const bt_op *op, unsigned side, bool shrink)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    size_t wanted = op->number % (bt_range < 60 ? 97 : 2 * bt_range);
    size_t dead = 0; /* tombstones, which take slots as long as a pass is live */
    unsigned status;

/* @if tombstones */
    if (bt_it->tombstones != NULL) {
        size_t most;

        dead = bt_it->tombstones(side, &most);
    }
/* @end */
    if (shrink ? bt_it->shrink == NULL : bt_it->reserve == NULL) {
        return;
    }
    bt_operations++;
    if (shrink) {
        bt_say("%s_shrink_to_fit(&%s)", bt_it->name, bt_names[side]);
        model->promised = 0;
        status = bt_it->shrink(side);
    } else {
        bt_say("%s_reserve(&%s, %lu)", bt_it->name, bt_names[side], (unsigned long)wanted);
        status = bt_it->reserve(side, wanted);
    }
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, shrink ? "shrink_to_fit" : "reserve");
    } else if (!shrink && wanted > model->count && ((bt_it->limit != 0 && wanted > bt_it->limit) || (bt_it->slots != 0 && wanted > bt_it->slots))) {
        bt_expect("reserve", status, BT_FULL);
    } else if (status == BT_FULL && (bt_out_of_slots() || (!shrink && bt_it->slots != 0 && wanted + dead > bt_it->slots))) {
        return;
    } else {
        bt_expect(shrink ? "shrink_to_fit" : "reserve", status, BT_OK);
        if (!shrink && bt_it->capacity(side) < wanted) {
            bt_show("%s_capacity(&%s) >= %lu", bt_it->name, bt_names[side], (unsigned long)wanted);
            bt_fail("%s_reserve reserved capacity for %lu elements, not for %lu", bt_it->name, (unsigned long)bt_it->capacity(side),
                    (unsigned long)wanted);
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
    bt_size taken = BT_ROWS;

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

/* @if saving */
/* @saving_operations */

/* @end */
/* @if snapshots */
/* @snapshot_operations */

/* @end */
/* @if fail_fast */
static void bt_act(const bt_op *op)
/* @else */
static void bt_do(const bt_op *op)
/* @end */
{
    unsigned side = op->side;

    bt_touched[side] = bt_used[side] = true;
    if (op->kind == BT_ADD_FROM || op->kind == BT_REMOVE_FROM) {
        bt_touched[1 - side] = bt_used[1 - side] = true;
    }

    switch (op->kind) {
    case BT_ADD: bt_do_add(op, side, BT_BY_ADD); break;
    case BT_EMPLACE: bt_do_add(op, side, BT_BY_EMPLACE); break;
    case BT_INSERT: bt_do_add(op, side, BT_BY_INSERT); break;
    case BT_SORT: bt_do_sort(op, side); break;
    case BT_RANK: bt_do_rank(op); break;
    case BT_ADD_ALL: bt_do_add_all(op, side); break;
    case BT_ADD_FROM: bt_do_add_from(side); break;
    case BT_REMOVE: bt_do_remove(op, side, false); break;
    case BT_REMOVE_NULL: bt_do_remove_null(side); break;
    case BT_REMOVE_AT: bt_do_remove_at(op, side); break;
    case BT_REMOVE_KEY: bt_do_remove(op, side, true); break;
/* @if queues */
    case BT_POP: bt_do_pop(op, side); break;
    case BT_ADD_FRONT: bt_do_add(op, side, BT_BY_FRONT); break;
/* @end */
/* @if moving */
    case BT_MOVE: bt_do_move(op, side); break;
/* @end */
/* @if branching */
    case BT_MOVE_BRANCH: bt_do_move_branch(op, side); break;
/* @end */
/* @if exchanging */
    case BT_SWAP_PLACES: bt_do_swap_places(op, side); break;
/* @end */
/* @if keyed */
    case BT_REKEY_INDEX: bt_do_rekey_index(op, side); break;
/* @end */
/* @if named */
    case BT_REKEY_NAMED: bt_do_rekey_named(op, side); break;
/* @end */
/* @if indices */
    case BT_REPLACE_AT: bt_do_replace_at(op, side); break;
    case BT_REMOVE_RANGE: bt_do_remove_range(op, side); break;
/* @end */
    case BT_REMOVE_HANDLE: bt_do_remove_handle(op, side); break;
    case BT_REMOVE_FROM: bt_do_remove_from(op, side); break;
    case BT_CLEAR: bt_do_clear(side); break;
    case BT_BEGIN: bt_do_begin(op, side); break;
    case BT_NEXT: bt_do_next(op, side); break;
    case BT_REMOVE_CURRENT_OF: bt_do_remove_current(op, side); break;
    case BT_END: bt_do_end(op, side); break;
    case BT_ABANDON: bt_do_abandon(op, side); break;
    case BT_LOOP: bt_do_loop(op, side, false); break;
    case BT_READ: bt_do_loop(op, side, true); break;
    case BT_UPDATE: bt_do_update(op, side); break;
    case BT_LOCK:
        if (bt_it->lock != NULL && bt_models[side].locks < 3) {
            bt_say("%s_lock(&%s)", bt_it->name, bt_names[side]);
            bt_operations++;
            bt_it->lock(side);
            bt_models[side].locks++;
        }
        break;
    case BT_UNLOCK: bt_do_unlock(side); break;
    case BT_RESERVE: bt_do_room(op, side, false); break;
    case BT_SHRINK: bt_do_room(op, side, true); break;
    case BT_EXPIRE: bt_do_expire(op, side); break;
    case BT_DATA:
        if (bt_it->data != NULL) {
            bt_say("%s_data(&%s)", bt_it->name, bt_names[side]);
            bt_operations++;
            bt_it->data(side);
        }
        break;
    case BT_HASH_KEY:
        if (bt_it->set_hash_key != NULL) {
            uint64_t key = op->number * 0x9e3779b97f4a7c15u;

            if (op->number % 4 == 0 && bt_set.range < 40) {
                bt_collided = true;
                key = 0x4f1bbcdcbfa53e0a; /* the multiplier is 1 or 3: all small keys, and addresses side by side, have the same hash */
            }
            bt_say("%s_set_hash_key(&%s, (uint64_t)%lu << 32 | %lu)", bt_it->name, bt_names[side], (unsigned long)(key >> 32), (unsigned long)(key & 0xffffffff));
            bt_operations++;
            bt_it->set_hash_key(side, key);
        }
        break;
    case BT_MISUSE: bt_do_misuse(op, side); break;
    case BT_SETTLE: bt_do_settle(op, side); break;
/* @if saving */
    case BT_RELOAD: bt_do_reload(op, side); break;
/* @end */
/* @if snapshots */
    case BT_SNAPSHOT: bt_do_snapshot(op, side); break;
    case BT_ROLLBACK: bt_do_rollback(op, side); break;
/* @end */
/* @if merging */
    case BT_MERGE: bt_do_merge(op, side); break;
/* @end */
    default: bt_do_restart(op, side); break;
    }
}
/* @if fail_fast */

/* Each change counts, and nothing else does: by that passes know what has become of their container. */
static void bt_do(const bt_op *op)
{
    bool looks = op->kind == BT_BEGIN || op->kind == BT_NEXT || op->kind == BT_END || op->kind == BT_ABANDON || op->kind == BT_READ;
    uint32_t before[BT_SIDES] = {0};
    bool changed[BT_SIDES];

    for (unsigned side = 0; side < BT_SIDES; side++) {
        changed[side] = bt_models[side].changed;
        bt_models[side].changed = false;
        before[side] = bt_it->fails_fast ? bt_it->changes(side) : 0;
    }
    bt_act(op);
    for (unsigned side = 0; side < BT_SIDES; side++) {
        if (bt_models[side].changed && op->kind != BT_RESTART && bt_it->fails_fast && !bt_is_changed(side, before[side])) {
            bt_fail("'%s' was changed, and does not count it", bt_names[side]);
        }
        if (looks && bt_is_changed(side, before[side])) {
            bt_fail("'%s' counts a change that is none", bt_names[side]);
        }
        bt_models[side].changed = bt_models[side].changed || changed[side];
    }
}
/* @end */
