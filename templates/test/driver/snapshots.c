#ifdef BT_WITH_SNAPSHOTS
/* -- snapshots, and going back to them ------------------------------------------------------------------------------------ */

/* What was true when a snapshot of a container was taken. Where there are deltas, all but the first are relative to that. */
static struct {
    bool taken;
    unsigned char *memory;
    size_t bytes;
    bt_model model;
#ifdef BT_WITH_CHANGES
    unsigned life;
#endif
    unsigned ranks[BT_LABELS];
    bool expired[BT_LABELS];
} bt_snapshots[BT_SIDES][BT_FRAMES];

/* Was this row in the container then? */
BT_SPARE static bool bt_was_in(unsigned side, unsigned frame, unsigned number)
{
    return bt_find_number(&bt_snapshots[side][frame].model, number) != BT_ROWS;
}

/* What is known of the handles of a container: when a snapshot of it is taken, and when it goes back to that. */
static void bt_keep_handles(unsigned side, unsigned frame)
{
    memcpy(bt_handles_then[side][frame].known, bt_handles[side].known, sizeof bt_handles[side].known);
    memcpy(bt_handles_then[side][frame].named, bt_handles[side].named, sizeof bt_handles[side].named);
    bt_handles_then[side][frame].forgotten = false;
    if (bt_it->keep_handles != NULL) {
        bt_it->keep_handles(side, frame);
    }
}

static void bt_roll_handles_back(unsigned side, unsigned frame)
{
    if (bt_handles_then[side][frame].forgotten) {
        bt_forget_handles(side);
    }
    if (bt_it->replaces) { /* of a replacement that was removed: the element that it has replaced may be back */
        bt_handles[side].stale_count = 0;
    }
    for (unsigned label = 0; label < BT_LABELS; label++) {
        if (bt_has_handle(side, label) && bt_was_in(side, frame, bt_number_of(side, label))) {
            continue;
        }
        /* it may be that of the element then, which was replaced since; else it was given since, so it is stale, and stays so */
        if (bt_it->replaces && bt_find_label(&bt_snapshots[side][frame].model, label) != BT_ROWS) {
            bt_handles[side].known[label] = false;
        }
        bt_bury_handle(side, label);
        bt_handles[side].known[label] = bt_handles_then[side][frame].known[label];
        bt_handles[side].named[label] = bt_handles_then[side][frame].named[label];
        bt_it->handle_back(side, frame, label);
    }
    for (unsigned i = 0; i < bt_handles[side].stale_count && i < BT_BURIED; i++) {
        if (bt_was_in(side, frame, bt_handles[side].stale_number[i])) { /* it names its element again */
            bt_it->bury_handle(side, BT_NOBODY, i);
        }
    }
}

/* The memory of a snapshot, with bytes behind it that are not its own. */
static unsigned char *bt_fresh_memory(unsigned side, unsigned frame, size_t bytes)
{
    if (bytes >= bt_snapshots[side][frame].bytes) {
        free(bt_snapshots[side][frame].memory);
        bt_snapshots[side][frame].memory = (unsigned char *)malloc(bytes * 2);
        bt_snapshots[side][frame].bytes = bytes * 2;
        if (bt_snapshots[side][frame].memory == NULL) {
            fputs("out of memory\n", stderr);
            exit(2);
        }
    }
    memset(bt_snapshots[side][frame].memory, 0x5A, bt_snapshots[side][frame].bytes);
    return bt_snapshots[side][frame].memory;
}

static void bt_take_whole(unsigned side, unsigned frame)
{
    size_t bytes = bt_it->snapshot_size(side);
    unsigned char *memory = bt_fresh_memory(side, frame, bytes);

    if (bt_it->snapshot(side, memory, bytes - 1) || memory[0] != 0x5A || !bt_it->snapshot(side, memory, bytes)) {
        bt_fail("%s_snapshot does not agree with %s_snapshot_bytes", bt_it->name, bt_it->name);
    }
    if (memory[bytes] != 0x5A) {
        bt_fail("%s_snapshot writes beyond its bytes", bt_it->name);
    }
    bt_keep_handles(side, frame);
}

static void bt_take_delta(unsigned side, unsigned frame)
{
    const unsigned char *base = bt_snapshots[side][0].memory;
    size_t bytes = bt_it->snapshot_delta(side, base, NULL, 0);
    unsigned char *memory = bt_fresh_memory(side, frame, bytes);

    if (bt_it->snapshot_delta(side, base, memory, bytes - 1) != bytes || memory[bytes - 1] != 0x5A) {
        bt_fail("%s_snapshot_delta writes more than it was given", bt_it->name);
    }
    if (bt_it->snapshot_delta(side, base, memory, bytes) != bytes || memory[bytes] != 0x5A) {
        bt_fail("%s_snapshot_delta writes beyond its bytes", bt_it->name);
    }
    bt_keep_handles(side, frame);
}

static void bt_do_snapshot(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned frame = bt_snapshots[side][0].taken ? op->how % BT_FRAMES : 0;

    if (bt_it->snapshot == NULL || bt_depth > 0 || model->live > 0 || model->passes != 0) {
        return;
    }
#ifdef BT_WITH_BESIDE
    bt_begins_with_values(op, side);
#endif
    bt_say("snapshots(&%s, %u)", bt_names[side], frame);
    bt_operations++;
    if (frame > 0 && bt_it->snapshot_delta != NULL) {
        bt_take_delta(side, frame);
    } else {
        bt_take_whole(side, frame);
    }
    for (unsigned other = 1; frame == 0 && bt_it->snapshot_delta != NULL && other < BT_FRAMES; other++) {
        bt_snapshots[side][other].taken = false; /* the base is another one */
    }
    bt_snapshots[side][frame].taken = true;
#ifdef BT_WITH_CHANGES
    bt_snapshots[side][frame].life = bt_lives[side];
#endif
    bt_snapshots[side][frame].model = *model;
    memcpy(bt_snapshots[side][frame].ranks, bt_ranks, sizeof bt_ranks);
    memcpy(bt_snapshots[side][frame].expired, bt_expired, sizeof bt_expired);
}

/* May the other container keep what it has? No label may be in both then,
 * and what elements are by their label must be as it was. */
static bool bt_may_roll_back(unsigned side, unsigned frame)
{
    const bt_model *then = &bt_snapshots[side][frame].model;

    for (size_t i = 0; i < then->count; i++) {
        if (bt_is_known(1 - side, then->rows[i].label)) {
            return false;
        }
    }
    return memcmp(bt_snapshots[side][frame].ranks, bt_ranks, sizeof bt_ranks) == 0
        && (!bt_it->shares_expiry || memcmp(bt_snapshots[side][frame].expired, bt_expired, sizeof bt_expired) == 0);
}

static void bt_do_rollback(const bt_op *op, unsigned side)
{
    unsigned long refusals = bt_refusals;
    unsigned frame = op->how % BT_FRAMES;
    unsigned status;
    size_t born;

    if (bt_it->rollback == NULL || bt_depth > 0 || !bt_snapshots[side][frame].taken || !bt_may_roll_back(side, frame)) {
        return;
    }
    bt_say("rolls_back(&%s, %u)", bt_names[side], frame);
    bt_operations++;
    status = frame > 0 && bt_it->rollback_delta != NULL
        ? bt_it->rollback_delta(side, bt_snapshots[side][0].memory, bt_snapshots[side][frame].memory)
        : bt_it->rollback(side, bt_snapshots[side][frame].memory);
    if (status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "rollback");
        return;
    }
    bt_expect("rollback", status, BT_OK);
    if (bt_it->handle_back != NULL) {
        bt_roll_handles_back(side, frame);
    }
    for (unsigned i = 0; i < BT_CURSORS; i++) {
        if (bt_cursors[side][i].state == BT_LIVE) {
            bt_cursors[side][i].state = BT_SETTLED;
        }
    }
    born = bt_models[side].born; /* generations that were given are not given again */
    bt_models[side] = bt_snapshots[side][frame].model;
    bt_models[side].born = born;
    bt_models[side].promised = 0;
#ifdef BT_WITH_CHANGES
    if (bt_snapshots[side][frame].life != bt_lives[side]) {
        bt_lives[side]++;
        bt_forget_views(side);
    }
    for (unsigned i = 0; i < BT_VIEWS; i++) {
        bt_views[side][i].back = true;
    }
#endif
#ifdef BT_WITH_FAIL_FAST
    bt_models[side].changed = true;
#endif
}
#endif
