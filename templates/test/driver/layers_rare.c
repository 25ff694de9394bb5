#ifdef BT_WITH_LAYERS
/* -- rare cases: layers ------------------------------------------------------------------------------------------------- */

static void bl_begin_case(void)
{
    bl_begin_run();
    bt_playing = false;
    bt_meddled = 0;
    bt_operations += 4;
}

static void bl_end_case(void)
{
    bt_meddle = NULL;
    bt_allow();
    if (bl_it->check() != NULL) {
        bt_fail("%s_check: %s", bl_it->name, bl_it->check());
    }
    bl_it->deinit();
}

static void bl_add_some(unsigned layer, unsigned from, unsigned to)
{
    for (unsigned label = from; label <= to; label++) {
        bt_expect("add", bl_it->add(layer, label), BT_OK);
    }
}

/* An element that is to go to another layer, for which there is no memory there, stays where it is. */
static void bl_try_refused_moves(void)
{
    bl_begin_case();
    bl_add_some(0, 1, 9);
    for (unsigned label = 1; label <= 9; label++) {
        unsigned status;

        bt_refuse();
        status = bl_it->move(label, 1);
        bt_allow();
        if (status == BT_NO_MEMORY) {
            if (bl_it->count(0) != 10 - label || bl_it->count(1) != label - 1) {
                bt_fail("%s_move has moved element %u without memory", bl_it->name, label);
            }
            status = bl_it->move(label, 1);
        }
        bt_expect("move", status, BT_OK);
    }
    bl_end_case();
}

static bool bl_fills_both;

static void bl_fills(unsigned side, unsigned label)
{
    (void)side, (void)label;
    if (bt_meddled++ == 0) {
        (void)bl_it->add(1, 21);
        if (bl_fills_both) {
            (void)bl_it->add(0, 22);
        }
        bt_refuse();
    }
}

/* While an element is moved, a hook fills the layer that it goes to: it stays, unless its own layer is full by now, too. */
static void bl_try_filled(unsigned here, unsigned there)
{
    unsigned status;

    bl_begin_case();
    bl_add_some(0, 1, here);
    bl_add_some(1, 11, 10 + there);
    bt_meddle = bl_fills;
    status = bl_it->move(1, 1);
    bt_meddle = NULL;
    if (status == BT_OK ? bl_it->count(1) != there + 2
        : status != BT_NO_MEMORY || bl_it->count(1) != there + 1 || (!bl_fills_both && bl_it->count(0) != here)) {
        bt_fail("%s_move returns status %u, with %lu and %lu elements in the layers", bl_it->name, status,
                (unsigned long)bl_it->count(0), (unsigned long)bl_it->count(1));
    }
    bl_end_case();
}

/* Where a layer has as many live passes as it may have, one more stops the program. */
static void bl_try_passes(void)
{
    bl_begin_case();
    bl_add_some(0, 1, 1);
    bl_add_some(bl_it->layers - 1, 2, 2);
    for (unsigned pass = 0; pass <= bt_it->passes; pass++) {
        bt_fatal = 0;
        bl_it->begin(BL_FORWARD);
        if (bt_fatal != (pass == bt_it->passes)) {
            bt_fail("%s_begin %s with %u passes live", bl_it->name, bt_fatal != 0 ? "stopped" : "did not stop", pass);
        }
    }
    (void)bl_it->next();
    bl_it->end();
    bt_expect("settle", bl_it->settle(), BT_OK);
    bt_fatal = 0;
    bl_it->begin(BL_FORWARD);
    if (bt_fatal != 0) {
        bt_fail("%s_settle has not ended all passes", bl_it->name);
    }
    bl_it->end();
    bl_end_case();
}

/* Where there is no memory for the record of its pass over a layer, a pass over all visits the others. */
static void bl_try_unrecorded(void)
{
    bl_begin_case();
    bl_add_some(0, 1, 1);
    bl_add_some(bl_it->layers - 1, 2, 2);
    bt_refuse();
    for (unsigned pass = 0; pass <= bt_it->records; pass++) {
        bl_it->begin(BL_FORWARD);
    }
    if (!bt_has_no_record(bt_top, 0) || bl_it->next() == BT_NOBODY) {
        bt_fail("%s_begin does not report that there is no memory for a pass over a layer, or visits no other", bl_it->name);
    }
    if (bl_it->prune != NULL) {
        bl_it->prune();
        if (!bt_has_no_record(bt_top, 0) || bl_it->count(0) != 1) {
            bt_fail("%s_prune does not report that there is no memory for its pass", bl_it->name);
        }
    }
    bl_end_case();
}

static void bl_try_rare(void)
{
    bl_begin_case();
    bl_add_some(0, 1, bl_it->limit != 0 && bl_it->limit < 3 ? (unsigned)bl_it->limit : 3);
    if (bl_it->leave() != 2) {
        bt_fail("a loop over %s goes on behind its end", bl_it->name);
    }
    bl_end_case();
    if (bl_it->foreign != NULL) {
        bl_begin_case();
        bl_it->foreign();
        bl_end_case();
    }
    if (bt_it->counted) {
        bl_try_passes();
    }
    if (bt_it->records != 0 && bl_it->layers > 1 && !BESPOKE_CHECKS && !bt_it->never_fails) {
        bl_try_unrecorded();
    }
    if (bl_it->move == NULL || bl_it->deferred || bl_it->layers < 2 || (bl_it->limit != 0 && bl_it->limit < 12)) {
        return;
    }
    bl_try_refused_moves();
    for (unsigned turn = 0; bl_it->on_remove && turn < 50; turn++) {
        bl_fills_both = turn % 2 != 0;
        bl_try_filled(1 + turn / 2 % 5, turn / 10);
    }
}

/* Everything about the calls around the layers of one container. */
static bool bl_test(uint64_t seed, unsigned long steps, unsigned depth)
{
    unsigned long from;

    depth = depth < 4 ? depth : 4;
    if (!bl_exhaust(depth)) {
        return false;
    }
    from = bt_operations;
    for (unsigned k = 1; k <= 40 && !bl_it->deferred; k++) {
        if (!bl_run(seed, k, k, false) || !bl_run(seed, k + 60, k, true)) {
            return false;
        }
    }
    for (unsigned long run = 1000; bt_operations - from < steps; run++) {
        if (!bl_run(seed, run, 0, false)) {
            return false;
        }
    }
    if (!bt_tries(bl_try_rare)) { /* last, since what fails in them is not printed as a program */
        return false;
    }
    printf("%s: every sequence of <= %u operations on its layers: %lu sequences; %lu random operations\n", bl_it->name, depth,
           bt_sequences, bt_operations - from);
    return true;
}
#endif
