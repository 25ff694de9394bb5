#ifdef BT_WITH_LAYERS
/* -- operations ---------------------------------------------------------------------------------------------------- */

enum {
    BL_ADD, BL_REMOVE, BL_MOVE, BL_SET, BL_CLEAR, BL_LOCK, BL_UNLOCK, BL_BEGIN, BL_NEXT, BL_REMOVE_CURRENT, BL_END, BL_FORGET,
    BL_LOOP, BL_EXPIRE, BL_SETTLE, BL_RESTART, BL_KINDS
};

static const struct bt_word_of bl_kinds[BL_KINDS] = {
    {"add", BT_HAS_LABEL | BT_HAS_NUMBER},
    {"remove", BT_HAS_LABEL},
    {"move", BT_HAS_LABEL | BT_HAS_NUMBER},
    {"set", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
    {"clear", 0},
    {"lock", 0},
    {"unlock", 0},
    {"begin", BT_HAS_HOW},
    {"next", 0},
    {"remove_current", 0},
    {"end", 0},
    {"forget", 0},
    {"loop", BT_HAS_HOW},
    {"expire", BT_HAS_NUMBER | BT_HAS_HOW},
    {"settle", 0},
    {"restart", BT_HAS_HOW},
};

/* NO_MEMORY is all right if memory was refused, and then nothing has happened. */
static bool bl_failed(const char *call, unsigned status, unsigned long refusals)
{
    if (status == BT_NO_MEMORY) {
        bt_answer(bt_refusals != refusals, "== %s_NO_MEMORY", bl_it->shouted);
        if (bt_refusals == refusals) {
            bt_scarce = true;
            bt_fail("%s_%s returned NO_MEMORY, but no request for memory was refused", bl_it->name, call);
        }
    }
    return status == BT_NO_MEMORY;
}

static size_t bl_count(unsigned layer, bool stays)
{
    size_t count = 0;

    for (unsigned at = 0; at < bl_row_count; at++) {
        count += bl_rows[at].layer == layer && (stays ? !bl_rows[at].leaving : !bl_rows[at].coming);
    }
    return count;
}

static bool bl_is_full(unsigned layer)
{
    return bl_it->limit != 0 && bl_count(layer, true) >= bl_it->limit;
}

static const char *bl_asked(unsigned label)
{
    static char text[40];

    snprintf(text, sizeof text, bl_it->by_handle ? "named[%u]" : bl_it->addressed ? "found(%u)" : "like(%u)", label);
    return text;
}

/* An element is added, behind the others of its layer. */
static void bl_comes(unsigned label, unsigned layer, bool waits)
{
    bl_row *row = &bl_rows[bl_row_count++];

    memset(row, 0, sizeof *row);
    row->label = label;
    row->number = ++bl_next_number;
    row->layer = layer;
    row->coming = waits;
    row->todo = bl_live && layer == bl_in && !waits && !bl_it->next_pass;
    if (bl_it->sorted) {
        row->maybe = row->todo;
        row->todo = false;
    }
    bl_told[0] += !waits;
}

static void bl_do_add(unsigned label, unsigned layer)
{
    unsigned long refusals = bt_refusals;
    unsigned at = bl_find(label);
    unsigned expected = bl_is_full(layer) ? BT_FULL : bl_is_locked(layer) ? BT_QUEUED : BT_OK;
    unsigned status;

    if (at < bl_row_count) { /* it is in already */
        const bl_row *row = &bl_rows[at];

        if (row->coming || row->leaving || expected == BT_FULL || bl_is_between(label)) {
            return;
        }
        if (row->layer == layer ? !bl_it->unique || bl_it->replaces : !bl_it->exclusive) {
            return; /* it is in twice, or another takes its place: the model has one row of each */
        }
        expected = row->layer != layer ? BT_FOREIGN : BT_DUPLICATE;
    } else {
        if (bt_expired[label]) {
            bt_c(bt_it->expires_by_function ? "over[%u] = false;" : bt_it->by_pointer ? "fresh(%u);" : "/* %u is made anew */",
                 label);
        }
        bt_expired[label] = false;
        if (bt_it->fresh != NULL) {
            bt_it->fresh(label);
        }
    }
    if (bl_it->by_handle) {
        bt_say("added(%u, %u)", layer, label);
    } else {
        bt_say("%s_add(&all, %u, made(%u))", bl_it->name, layer, label);
    }
    status = bl_it->add(layer, label);
    if (bl_failed("add", status, refusals)) {
        return;
    }
    bt_expect("add", status, expected);
    if (status == BT_OK || status == BT_QUEUED) {
        bl_comes(label, layer, status == BT_QUEUED);
    }
}

/* May anything but what the pass stands on be removed, and is it known where it lies? */
static bool bl_can_name(unsigned label)
{
    unsigned at = bl_find(label);

    return !(bl_it->removes_current && bl_live) && !bl_is_between(label)
        && !(bl_it->addressed && (at == bl_row_count || bl_rows[at].coming || bl_rows[at].expired || bl_live));
}

static void bl_do_remove(unsigned label)
{
    unsigned long refusals = bt_refusals;
    unsigned at = bl_find(label);
    bool present = at < bl_row_count && !bl_rows[at].leaving;
    unsigned status;

    if (bl_it->remove == NULL || !bl_can_name(label)) {
        return;
    }
    bt_say("%s_remove(&all, %s)", bl_it->name, bl_asked(label));
    status = bl_it->remove(label);
    if (bl_failed("remove", status, refusals)) {
        return;
    }
    bt_expect("remove", status,
              !present                          ? (unsigned)(bl_it->by_handle ? BT_STALE : BT_ABSENT)
              : bl_is_locked(bl_rows[at].layer) ? (unsigned)BT_QUEUED
                                                : (unsigned)BT_OK);
    if (status == BT_QUEUED) {
        bl_rows[at].leaving = true;
    } else if (status == BT_OK) {
        bl_goes(at, true);
    }
}

static void bl_do_move(unsigned label, unsigned layer)
{
    unsigned long refusals = bt_refusals;
    unsigned at = bl_find(label);
    unsigned expected = at == bl_row_count ? (bl_it->by_handle ? BT_STALE : BT_ABSENT) : bl_rows[at].layer == layer ? BT_OK
        : bl_is_full(layer) ? BT_FULL : bl_is_locked(layer) ? BT_QUEUED : BT_OK;
    unsigned status;
    bool expired;

    if (bl_it->move == NULL || !bl_can_name(label) || (at < bl_row_count && (bl_rows[at].coming || bl_rows[at].leaving))) {
        return;
    }
    if (bt_it->by_row && !bl_it->by_handle) {
        bt_say("%s_move(&all, %u, at(%s_layer_at(&all, %u), %u), %u)", bl_it->name, bl_rows[at].layer, bl_it->name,
               bl_rows[at].layer, label, layer);
    } else {
        bt_say("%s_move(&all, %s, %u)", bl_it->name, bl_asked(label), layer);
    }
    status = bl_it->move(label, layer);
    if (bl_failed("move", status, refusals)) {
        return;
    }
    bt_expect("move", status, expected);
    if ((status != BT_OK && status != BT_QUEUED) || bl_rows[at].layer == layer) {
        return;
    }
    expired = bl_rows[at].expired;
    if (bl_is_locked(bl_rows[at].layer)) {
        bl_rows[at].leaving = bl_rows[at].spared = true;
    } else {
        bl_goes(at, false);
    }
    bl_comes(label, layer, status == BT_QUEUED);
    bl_rows[bl_row_count - 1].expired = expired;
}

static void bl_do_set(unsigned what, unsigned layer, unsigned value)
{
    if (what == BL_SCALE) {
        bt_say("%s_set_time_scale(&all, %u, %u)", bl_it->name, layer, value);
        bl_scale[layer] = value;
    } else {
        bt_say("%s_set_%s(&all, %u, %s)", bl_it->name, bl_states[what], layer, value != 0 ? "true" : "false");
        (what == BL_ENABLED ? bl_enabled : bl_visible)[layer] = value != 0;
    }
    bl_it->set(what, layer, value);
}

static void bl_do_clear(void)
{
    unsigned long refusals = bt_refusals;
    unsigned status;

    if (bl_it->deferred && (bl_locks > 0 || bl_live)) {
        return;
    }
    bt_say("%s_clear(&all)", bl_it->name);
    status = bl_it->clear();
    if (!bl_failed("clear", status, refusals) && bl_it->deferred) {
        bt_expect("clear", status, BT_OK);
    }
    while (bl_row_count > 0) {
        bl_goes(bl_row_count - 1, true);
    }
}

static void bl_do_next(void)
{
    unsigned label;

    if (!bl_live) {
        return;
    }
    bt_said++;
    if (bt_tracing && !bt_writing) { /* as C it is printed with its result */
        bt_call("%s_next(&cursor)", bl_it->name);
    }
    label = bl_it->next();
    bl_visit(label);
    if (label == BT_NOBODY) {
        bl_ends();
    }
}

static void bl_do_remove_current(void)
{
    unsigned at = 0;
    unsigned status;

    if (!bl_live) {
        return;
    }
    while (at < bl_row_count && bl_rows[at].number != bl_current) {
        at++;
    }
    if (at == bl_row_count ? BESPOKE_CHECKS : bl_rows[at].leaving) {
        return;
    }
    bt_say("%s_remove_current(&cursor)", bl_it->name);
    status = bl_it->remove_current();
    bt_expect("remove_current", status, at == bl_row_count ? BT_ABSENT : bl_it->deferred ? BT_QUEUED : BT_OK);
    if (status == BT_QUEUED) {
        bl_rows[at].leaving = true;
    } else if (status == BT_OK) {
        bl_goes(at, true);
    }
}

static void bl_do_settle(void)
{
    unsigned status;

    if (bl_locks > 0) {
        return;
    }
    bt_say("%s_settle(&all%s)", bl_it->name, bl_it->settle_with);
    if (!bl_it->settle_fails && bt_writing) {
        bt_flush(); /* there is no result to expect */
    }
    if (bl_live) { /* it ends what is live, and what is left of it must not be used any more */
        bl_it->forget();
    }
    status = bl_it->settle();
    bl_ends();
    for (unsigned at = 0; at < bl_row_count; at++) {
        if (bl_rows[at].expired && (bl_it->sweeps || (bl_it->prune != NULL && !bl_enabled[bl_rows[at].layer]))) {
            bl_goes(at--, true);
        }
    }
    if (status != BT_NO_MEMORY) {
        bt_expect("settle", status, BT_OK);
    }
}

static void bl_do_loop(unsigned way)
{
    if (bl_live) {
        return;
    }
    bt_say("cursor = %s_%s(&all)", bl_it->name, bl_ways[way]);
    bl_begins(way);
    bl_it->loop(way);
    bl_visit(BT_NOBODY);
    bl_ends();
}

static void bl_compare(void);

/* Elements expire: no pass visits them, and they leave enabled layers with an update, disabled ones with a settle. */
static void bl_do_expire(unsigned which, unsigned how)
{
    double seconds = which % 100 / 8.0;

    if (!bt_can_expire || bl_locks > 0 || bl_live) {
        return;
    }
    for (unsigned at = 0; at < bl_row_count; at++) {
        if ((which >> at % 16 & 1) != 0) {
            bt_say(bt_it->expires_by_function ? "over[%u] = true" : "expires(%u)", bl_rows[at].label);
            bl_rows[at].expired = true;
            bt_expired[bl_rows[at].label] = true;
            bl_it->expire(bl_rows[at].label);
        }
    }
    bl_do_loop(BL_VISIBLE);
    if (bl_it->update != NULL && how % 3 != 0) {
        for (unsigned at = 0; at < bl_row_count; at++) {
            bl_row *row = &bl_rows[at];

            if (!bl_enabled[row->layer]) {
                continue;
            }
            bl_told[3] += !(row->expired && bl_it->asks_before);
            if (row->expired) {
                bl_goes(at--, true);
            }
        }
        if (bl_it->on_update) {
            bt_say("%s_update(&all, %g%s)", bl_it->name, seconds, bl_it->update_with);
        } else {
            bt_say("%s_update(&all)", bl_it->name);
        }
        bl_it->update(seconds);
    }
    if (!bl_it->sweeps) { /* any pass that reaches expired elements removes them */
        bl_compare();
    }
    if (bl_it->sweeps || bl_it->prune != NULL) {
        bl_do_settle();
        bl_compare();
    }
    if (bl_it->prune != NULL) {
        bt_say("%s_prune(&all)", bl_it->name);
        bl_it->prune();
        for (unsigned at = 0; at < bl_row_count; at++) {
            if (bl_rows[at].expired) {
                bl_goes(at--, true);
            }
        }
    }
}

static void bl_is_as_new(void)
{
    bl_row_count = 0;
    bl_locks = 0;
    bl_live = false;
    bl_in = BL_LAYERS;
    for (unsigned layer = 0; layer < BL_LAYERS; layer++) {
        bl_enabled[layer] = bl_visible[layer] = true;
        bl_scale[layer] = 1;
    }
}

static void bl_do_restart(bool init)
{
    for (unsigned at = 0; at < bl_row_count; at++) {
        if (bl_rows[at].coming || bl_rows[at].leaving) {
            return; /* the journal is tested for each layer */
        }
    }
    bt_say("%s_deinit(&all)", bl_it->name);
    bl_it->deinit();
    while (bl_row_count > 0) {
        bl_goes(bl_row_count - 1, true);
    }
    bl_is_as_new();
    if (init) {
        bt_say("%s_init(&all%s)", bl_it->name, bl_it->init_with);
        bl_it->init(false);
    }
}

static void bl_do(const bt_op *op)
{
    unsigned most = bt_labels - 1 < BL_LABELS ? bt_labels - 1 : (unsigned)BL_LABELS;
    unsigned label = 1 + (op->label - 1) % (bt_it->keys != 0 && bt_it->keys - 1 < most ? (unsigned)bt_it->keys - 1 : most);
    unsigned layer = op->number % bl_it->layers;
    unsigned way = op->how % (bl_it->both ? 3u : 2u);

    bt_operations++;
    if (label > bt_top_label) {
        bt_top_label = label;
    }
    switch (op->kind) {
    case BL_ADD: bl_do_add(label, layer); break;
    case BL_REMOVE: bl_do_remove(label); break;
    case BL_MOVE: bl_do_move(label, layer); break;
    case BL_SET: bl_do_set(op->how % (bl_it->update != NULL && bl_it->on_update ? 3u : 2u), layer, op->label % 3); break;
    case BL_CLEAR: bl_do_clear(); break;
    case BL_LOCK:
        if (bl_it->lock != NULL && bl_locks < 2) {
            bt_say("%s_lock(&all)", bl_it->name);
            bl_it->lock();
            bl_locks++;
        }
        break;
    case BL_UNLOCK:
        if (bl_locks > 0) {
            bt_say("%s_unlock(&all)", bl_it->name);
            bl_locks--;
            bt_expect("unlock", bl_it->unlock(), BT_OK);
            bl_replay();
        }
        break;
    case BL_BEGIN:
        if (!bl_live) {
            bt_say("cursor = %s_%s(&all)", bl_it->name, bl_ways[way]);
            bl_begins(way);
            bl_it->begin(way);
        }
        break;
    case BL_NEXT: bl_do_next(); break;
    case BL_REMOVE_CURRENT: bl_do_remove_current(); break;
    case BL_END:
        if (bl_live) {
            bt_say("%s_end(&cursor)", bl_it->name);
            bl_it->end();
            bl_ends();
        }
        break;
    case BL_FORGET: bl_do_settle(); break;
    case BL_LOOP: bl_do_loop(way); break;
    case BL_EXPIRE: bl_do_expire(op->number, op->how); break;
    case BL_SETTLE:
        if (!bl_live) {
            bl_do_settle();
        }
        break;
    default: bl_do_restart(op->how % 2 == 0); break;
    }
}
#endif
