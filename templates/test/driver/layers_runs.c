#ifdef BT_WITH_LAYERS
/* -- comparing ----------------------------------------------------------------------------------------------------- */

/* Does a reader visit what is in the layers that it goes through, in its order where that is promised? */
static void bl_reads(unsigned way)
{
    unsigned labels[BL_ROWS + 1], wanted[BL_ROWS + 1], tally[BL_LABELS + 1] = {0};
    unsigned count = bl_it->read(way, labels);
    unsigned expected = 0;
    bool wrong;

    for (unsigned layer = 0; layer < bl_it->layers; layer++) {
        for (unsigned at = 0; (way == BL_VISIBLE ? bl_visible[layer] : bl_enabled[layer]) && at < bl_row_count; at++) {
            if (bl_rows[at].layer == layer && !bl_rows[at].coming && !bl_rows[at].expired) {
                tally[bl_rows[at].label]++;
                wanted[expected++] = bl_rows[at].label;
            }
        }
    }
    wrong = count != expected;
    for (unsigned at = 0; at < count && !wrong; at++) {
        wrong = bl_it->ordered && !bl_it->backward && way != BL_BACKWARD ? labels[at] != wanted[at] : tally[labels[at]]-- == 0;
    }
    if (wrong) {
        bt_fail("a reader (%s_const) visits other elements of %s than there are: %u, expected %u", bl_ways[way], bl_it->name,
                count, expected);
    }
}

static void bl_compare(void)
{
    static const char *const events[] = {"add", "remove", "destroy", "update"};
    const char *wrong = bl_it->check();

    if (wrong != NULL) {
        bt_show("%s_check(&all) == NULL", bl_it->name);
        bt_fail("%s_check: %s", bl_it->name, wrong);
    }
    for (unsigned layer = 0; layer < bl_it->layers; layer++) {
        if (bl_it->count(layer) != bl_count(layer, false)) {
            bt_show("%s_count(%s_layer_at(&all, %u)) == %u", bl_it->layer->name, bl_it->name, layer,
                    (unsigned)bl_count(layer, false));
            bt_fail("layer %u of %s holds %lu elements, expected %lu", layer, bl_it->name, (unsigned long)bl_it->count(layer),
                    (unsigned long)bl_count(layer, false));
        }
        if ((bl_it->get(BL_ENABLED, layer) != 0) != bl_enabled[layer] || (bl_it->get(BL_SEEN, layer) != 0) != bl_visible[layer]) {
            bt_show("%s_is_enabled(&all, %u) == %d && %s_is_visible(&all, %u) == %d", bl_it->name, layer, bl_enabled[layer],
                    bl_it->name, layer, bl_visible[layer]);
            bt_fail("layer %u of %s is not as it was set", layer, bl_it->name);
        }
        if (!(bl_it->get(BL_SCALE, layer) >= bl_scale[layer] && bl_it->get(BL_SCALE, layer) <= bl_scale[layer])) {
            bt_show("%s_time_scale(&all, %u) == %g", bl_it->name, layer, bl_scale[layer]);
            bt_fail("the time scale of layer %u of %s is not as it was set", layer, bl_it->name);
        }
    }
    for (unsigned label = 1; bl_it->layer_of != NULL && label <= BL_LABELS && label <= bt_top_label; label++) {
        unsigned at = bl_find(label);
        bool in = at < bl_row_count && !bl_rows[at].coming;
        unsigned expected = in ? bl_rows[at].layer : bl_it->layers;

        if (bl_is_between(label) || (bl_it->addressed && (!in || bl_rows[at].expired || bl_live))) {
            continue;
        }
        if (bl_it->layer_of(label) != expected) {
            bt_show("%s_layer_of(&all, %s) == %u", bl_it->name, bl_asked(label), expected);
            bt_fail("%s_layer_of(%u) is %u, expected %u", bl_it->name, label, bl_it->layer_of(label), expected);
        }
    }
    for (unsigned way = BL_FORWARD; way <= (bl_it->both ? (unsigned)BL_BACKWARD : (unsigned)BL_VISIBLE); way++) {
        bl_reads(way);
    }
    for (unsigned event = 0; event < 4; event++) {
        bool tells = event == 0   ? bl_it->on_add
                     : event == 1 ? bl_it->on_remove
                     : event == 2 ? bl_it->on_destroy
                                  : bl_it->on_update;

        if (tells && bl_heard[event] != bl_told[event]) {
            bt_fail("the %s hook has run %lu times, expected %lu", events[event], bl_heard[event], bl_told[event]);
        }
    }
}

static void bl_step(const bt_op *op, unsigned step)
{
    unsigned long said = bt_said;

    (void)step;
    bl_do(op);
    if (bt_said != said) {
        if (bt_writing) {
            bt_hooks_told();
        }
        bl_compare();
    }
}

static void bl_begin_run(void)
{
    bt_runs++;
    bt_playing = false;
    memset(bl_told, 0, sizeof bl_told);
    memset(bl_heard, 0, sizeof bl_heard);
    memset(bt_expired, 0, sizeof bt_expired);
    bt_rank_anew();
    bl_next_number = 0;
    bl_is_as_new();
    if (bt_writing) {
        bt_begin_story();
        bt_show_fresh();
        if (!bt_set.blank[0]) {
            bt_c("memset((void *)&all, 0xA5, sizeof all);");
        }
        if (!bt_set.blank[0] || bl_it->init_with[0] != 0) {
            bt_c("%s_init(&all%s);", bl_it->name, bl_it->init_with);
        }
    }
    for (unsigned label = 1; bt_it->fresh != NULL && label < bt_labels && label <= BL_LABELS; label++) {
        bt_it->fresh(label);
    }
    bt_top_label = 1;
    bl_it->init(bt_set.blank[0]);
    bt_refuse_on = bt_set.refuse_on;
    bt_refuse_at = bt_set.refuse == 0 ? 0 : bt_requests + bt_set.refuse;
    bt_playing = true;
}

static void bl_end_run(void)
{
    bt_op last;

    bt_refuse_at = 0;
    memset(&last, 0, sizeof last);
    last.label = 1;
    for (last.kind = BL_END; bl_locks > 0;) {
        last.kind = BL_UNLOCK;
        bl_step(&last, 0);
        last.kind = BL_END;
    }
    bl_step(&last, 0);
    last.kind = BL_LOOP;
    bl_step(&last, 0);
    bl_it->misuse();
    last.kind = BL_RESTART;
    last.how = 1;
    bl_step(&last, 0);
    if (bt_block_count != 0) {
        bt_scarce = true;
        bt_show("held == 0");
        bt_fail("%lu blocks of memory were not freed", (unsigned long)bt_block_count);
    }
}

/* -- runs ------------------------------------------------------------------------------------------------------------ */

static const bt_game bl_together = {bl_kinds, BL_KINDS, bl_begin_run, bl_do, bl_step, bl_end_run};

/* The driver is to know no layers, but the whole. */
static void bl_enter_test(const bl_subject *subject)
{
    bl_it = subject;
    bl_as_one = *subject->layer;
    bl_as_one.name = subject->name;
    bl_as_one.shouted = subject->shouted;
    bl_as_one.preface = subject->preface;
    bt_it = &bl_as_one;
    bt_never_refuses = bt_it->never_fails;
    bl_outside = true;
    bt_now = &bl_together;
}

static void bl_leave_test(void)
{
    bl_outside = false;
    bt_now = &bt_alone;
}

static size_t bl_draw_run(bt_op *ops, uint64_t seed)
{
    static const unsigned char kinds[] = {
        BL_ADD, BL_ADD, BL_ADD, BL_ADD, BL_ADD, BL_ADD, BL_REMOVE, BL_REMOVE, BL_MOVE, BL_MOVE, BL_MOVE, BL_SET, BL_SET, BL_BEGIN,
        BL_BEGIN, BL_NEXT, BL_NEXT, BL_NEXT, BL_NEXT, BL_NEXT, BL_NEXT, BL_REMOVE_CURRENT, BL_LOOP, BL_EXPIRE, BL_LOCK, BL_UNLOCK,
        BL_UNLOCK
    };
    static const unsigned char seldom[] = {BL_CLEAR, BL_END, BL_FORGET, BL_SETTLE, BL_RESTART, BL_EXPIRE};
    size_t number;

    bt_chance = seed;
    number = 20 + bt_below(100);
    for (size_t i = 0; i < number; i++) {
        bt_op *op = &ops[i];

        memset(op, 0, sizeof *op);
        op->kind = bt_below(16) == 0 ? seldom[bt_below(sizeof seldom)] : kinds[bt_below(sizeof kinds)];
        op->label = 1 + bt_below(i % 2 == 0 ? 6 : (unsigned)BL_LABELS);
        op->number = bt_below(1 << 16);
        op->how = (unsigned char)bt_below(256);
    }
    bt_set.blank[0] = bt_below(2) == 0;
    bt_set.range = BL_LABELS;
    return number;
}

static bool bl_run(uint64_t seed, unsigned long run, unsigned refuse, bool on)
{
    static bt_op ops[BT_LENGTH];
    size_t number = bl_draw_run(ops, seed + run * 0x2545f4914f6cdd1du);
    char where[80];

    bt_set.refuse = refuse;
    bt_set.refuse_on = on;
    bt_tracing = bt_trace_all;
    if (bt_survives(ops, number)) {
        return true;
    }
    snprintf(where, sizeof where, "--seed %lu, run %lu", (unsigned long)seed, run);
    bt_tell_story(ops, number, where);
    return false;
}

/* Every sequence of operations on two elements and two layers. */
static bool bl_exhaust(unsigned depth)
{
    static bt_op ops[BT_LENGTH];
    unsigned layers = bl_it->layers < 2 ? bl_it->layers : 2;

    memset(&bt_set, 0, sizeof bt_set);
    bt_set.blank[0] = bt_set.blank[1] = true;
    bt_set.range = 2;
    memset(bt_spelt, 0, sizeof bt_spelt);
    bt_sequences = 0;
    bt_letter_count = 0;
    for (unsigned label = 1; label <= 2; label++) {
        for (unsigned layer = 0; layer < layers; layer++) {
            bt_letter(BL_ADD, 0, 0, 0, label, layer);
            bt_letter(BL_MOVE, 0, 0, 0, label, layer);
        }
        bt_letter(BL_REMOVE, 0, 0, 0, label, 0);
    }
    for (unsigned way = BL_FORWARD; way <= (bl_it->both ? BL_BACKWARD : BL_VISIBLE); way++) {
        bt_letter(BL_BEGIN, 0, 0, way, 1, 0);
        bt_letter(BL_SET, 0, 0, way, 3, 0);
        bt_letter(BL_SET, 0, 0, way, 1, layers - 1);
    }
    bt_letter(BL_NEXT, 0, 0, 0, 1, 0);
    bt_letter(BL_REMOVE_CURRENT, 0, 0, 0, 1, 0);
    bt_letter(BL_CLEAR, 0, 0, 0, 1, 0);
    bt_letter(BL_LOCK, 0, 0, 0, 1, 0);
    bt_letter(BL_UNLOCK, 0, 0, 0, 1, 0);
    bt_letter(BL_EXPIRE, 0, 0, 1, 1, 1);
    bt_letter(BL_FORGET, 0, 0, 0, 1, 0);
    for (unsigned length = 1; length <= depth; length++) {
        if (!bt_try_sequences(ops, 0, length, 0)) {
            return false;
        }
    }
    return true;
}
#endif
