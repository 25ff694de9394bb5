#ifdef BT_WITH_FAIL_FAST
static void bt_act(const bt_op *op)
#else
static void bt_do(const bt_op *op)
#endif
{
    unsigned side = op->side;

    bt_touched[side] = bt_used[side] = true;
#ifdef BT_WITH_PROMISED
    bt_models[side].removed_one = false;
#endif
    if (op->kind == BT_ADD_FROM || op->kind == BT_REMOVE_FROM) {
        bt_touched[1 - side] = bt_used[1 - side] = true;
#ifdef BT_WITH_PROMISED
        bt_models[0].order_known = bt_models[1].order_known = false; /* several go, in the order of a pass */
#endif
    }

    switch (op->kind) {
    case BT_ADD: bt_do_add(op, side, BT_BY_ADD); break;
    case BT_EMPLACE: bt_do_add(op, side, BT_BY_EMPLACE); break;
    case BT_INSERT: bt_do_add(op, side, BT_BY_INSERT); break;
    case BT_SORT: bt_do_sort(op, side); break;
    case BT_RANK: bt_do_rank(op); break;
    case BT_ADD_ALL: bt_do_add_all(op, side); break;
    case BT_ADD_FROM: bt_do_add_from(side); break;
    case BT_REMOVE: bt_do_remove(op, side, false, false); break;
    case BT_REMOVE_NULL: bt_do_remove_null(side); break;
    case BT_REMOVE_AT: bt_do_remove_at(op, side, false); break;
    case BT_REMOVE_KEY: bt_do_remove(op, side, true, false); break;
#ifdef BT_WITH_QUEUES
    case BT_POP: bt_do_pop(op, side); break;
    case BT_ADD_FRONT: bt_do_add(op, side, BT_BY_FRONT); break;
#endif
#ifdef BT_WITH_MOVING
    case BT_MOVE: bt_do_move(op, side); break;
#endif
#ifdef BT_WITH_BRANCHING
    case BT_MOVE_BRANCH: bt_do_move_branch(op, side); break;
#endif
#ifdef BT_WITH_EXCHANGING
    case BT_SWAP_PLACES: bt_do_swap_places(op, side); break;
#endif
#ifdef BT_WITH_WEIGHING
    case BT_REWEIGH: bt_do_reweigh(op, side); break;
#endif
#ifdef BT_WITH_SPLICING
    case BT_SPLICE:
        bt_touched[1 - side] = bt_used[1 - side] = true;
        bt_do_splice(op, side);
        break;
#endif
#ifdef BT_WITH_KEYED
    case BT_REKEY_INDEX: bt_do_rekey_index(op, side); break;
#endif
#ifdef BT_WITH_NAMED
    case BT_REKEY_NAMED: bt_do_rekey_named(op, side); break;
#endif
#ifdef BT_WITH_INDICES
    case BT_REPLACE_AT: bt_do_replace_at(op, side); break;
    case BT_REMOVE_RANGE: bt_do_remove_range(op, side); break;
#endif
#ifdef BT_WITH_TAKING
    case BT_TAKE: bt_do_take(op, side); break;
#endif
#ifdef BT_WITH_ASKING
    case BT_REMOVE_IF: bt_do_remove_if(op, side); break;
#endif
#ifdef BT_WITH_NUMBERS
    case BT_COMBINE: bt_do_combine(op, side); break;
    case BT_NEAREST: bt_do_nearest(op, side); break;
#endif
#ifdef BT_WITH_FINDING
    case BT_FIND_OR_ADD: bt_do_add(op, side, BT_BY_FINDING); break;
#endif
#ifdef BT_WITH_KEEPING
    case BT_KEEP: bt_do_keep(op, side); break;
#endif
#ifdef BT_WITH_ANYWHERE
    case BT_BEGIN_AT: bt_do_begin_at(op, side); break;
    case BT_BEGIN_AFTER: bt_do_begin_after(op, side); break;
    case BT_PAIRS: bt_do_pairs(op, side); break;
#endif
#ifdef BT_WITH_SCANS
    case BT_SCAN: bt_do_scan(op, side); break;
#endif
#ifdef BT_WITH_BESIDE
    case BT_VALUES: bt_do_beside(op, side); break;
#endif
#ifdef BT_WITH_CHANGES
    case BT_MARK: bt_do_mark(op, side); break;
#endif
    case BT_REMOVE_HANDLE: bt_do_remove_handle(op, side, false); break;
    case BT_REMOVE_FROM: bt_do_remove_from(op, side); break;
    case BT_CLEAR: bt_do_clear(side); break;
    case BT_BEGIN: bt_do_begin(op, side); break;
    case BT_NEXT: bt_do_next(op, side); break;
    case BT_REMOVE_CURRENT_OF: bt_do_remove_current(op, side, false); break;
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
                /* the multiplier is 1 or 3: all small keys, and addresses side by side, have the same hash */
                key = 0x35186e44a1ebc5a8;
            }
            bt_say("%s_set_hash_key(&%s, (uint64_t)%lu << 32 | %lu)", bt_it->name, bt_names[side], (unsigned long)(key >> 32),
                   (unsigned long)(key & 0xffffffff));
            bt_operations++;
            bt_it->set_hash_key(side, key);
        }
        break;
    case BT_MISUSE: bt_do_misuse(op, side); break;
    case BT_SETTLE: bt_do_settle(op, side); break;
#ifdef BT_WITH_SAVING
    case BT_RELOAD: bt_do_reload(op, side); break;
#endif
#ifdef BT_WITH_SNAPSHOTS
    case BT_SNAPSHOT: bt_do_snapshot(op, side); break;
    case BT_ROLLBACK: bt_do_rollback(op, side); break;
#endif
#ifdef BT_WITH_MERGING
    case BT_MERGE: bt_do_merge(op, side); break;
#endif
    default: bt_do_restart(op, side); break;
    }
}
#ifdef BT_WITH_FAIL_FAST

/* Each change counts, and nothing else does: by that passes know what has become of their container. */
static void bt_do(const bt_op *op)
{
    bool reads_only =
        op->kind == BT_BEGIN || op->kind == BT_NEXT || op->kind == BT_END || op->kind == BT_ABANDON || op->kind == BT_READ;
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
        if (reads_only && bt_is_changed(side, before[side])) {
            bt_fail("'%s' counts a change that is none", bt_names[side]);
        }
        bt_models[side].changed = bt_models[side].changed || changed[side];
    }
}
#endif
