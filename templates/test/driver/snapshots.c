
/* -- snapshots, and going back to them ------------------------------------------------------------------------------------ */

/* What was true when the snapshot of a container was taken. */
static struct {
    bool taken;
    unsigned char *memory;
    size_t bytes;
    bt_model model;
    unsigned ranks[BT_LABELS];
    bool expired[BT_LABELS];
} bt_snapshots[BT_SIDES];

static void bt_do_snapshot(unsigned side)
{
    bt_model *model = &bt_models[side];
    size_t bytes;

    if (bt_it->snapshot == NULL || bt_depth > 0 || model->live > 0 || model->passes != 0) {
        return;
    }
    bt_say("snapshots(&%s)", bt_names[side]);
    bt_operations++;
    bytes = bt_it->snapshot_bytes(side);
    if (bytes > bt_snapshots[side].bytes) {
        free(bt_snapshots[side].memory);
        bt_snapshots[side].memory = (unsigned char *)malloc(bytes * 2);
        bt_snapshots[side].bytes = bytes * 2;
        if (bt_snapshots[side].memory == NULL) {
            fputs("out of memory\n", stderr);
            exit(2);
        }
    }
    memset(bt_snapshots[side].memory, 0x5A, bt_snapshots[side].bytes);
    if (bt_it->snapshot(side, bt_snapshots[side].memory, bytes - 1) || !bt_it->snapshot(side, bt_snapshots[side].memory, bytes)) {
        bt_fail("%s_snapshot does not agree with %s_snapshot_bytes", bt_it->name, bt_it->name);
    }
    if (bytes < bt_snapshots[side].bytes && bt_snapshots[side].memory[bytes] != 0x5A) {
        bt_fail("%s_snapshot writes beyond its bytes", bt_it->name);
    }
    bt_snapshots[side].taken = true;
    bt_snapshots[side].model = *model;
    memcpy(bt_snapshots[side].ranks, bt_ranks, sizeof bt_ranks);
    memcpy(bt_snapshots[side].expired, bt_expired, sizeof bt_expired);
}

/* May the other container keep what it has? No label may be in both then, and what elements are by their label must be as it was. */
static bool bt_may_roll_back(unsigned side)
{
    const bt_model *then = &bt_snapshots[side].model;

    for (size_t i = 0; i < then->count; i++) {
        if (bt_is_known(1 - side, then->rows[i].label)) {
            return false;
        }
    }
    return memcmp(bt_snapshots[side].ranks, bt_ranks, sizeof bt_ranks) == 0
        && (!bt_it->shares_expiry || memcmp(bt_snapshots[side].expired, bt_expired, sizeof bt_expired) == 0);
}

static void bt_do_rollback(unsigned side)
{
    unsigned long refusals = bt_refusals;
    unsigned status;

    if (bt_it->rollback == NULL || bt_depth > 0 || !bt_snapshots[side].taken || !bt_may_roll_back(side)) {
        return;
    }
    bt_say("rolls_back(&%s)", bt_names[side]);
    bt_operations++;
    status = bt_it->rollback(side, bt_snapshots[side].memory);
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "rollback");
        return;
    }
    bt_expect("rollback", status, BT_OK);
    for (unsigned i = 0; i < BT_CURSORS; i++) {
        if (bt_cursors[side][i].state == BT_LIVE) {
            bt_cursors[side][i].state = BT_SETTLED;
        }
    }
    bt_models[side] = bt_snapshots[side].model;
    bt_models[side].promised = 0;
/* @if fail_fast */
    bt_models[side].changed = true;
/* @end */
}
