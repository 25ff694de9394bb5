/* -- running ------------------------------------------------------------------------------------------------------- */

enum { BT_HAS_LABEL = 1, BT_HAS_CURSOR = 2, BT_HAS_NUMBER = 4, BT_HAS_HOW = 8 };

static const struct bt_word_of {
    const char *word;
    unsigned has; /* which of its members say something */
} bt_kinds[] = {
    {"add", BT_HAS_LABEL},
    {"emplace", BT_HAS_LABEL},
    {"add_all", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
    {"add_from", 0},
    {"remove", BT_HAS_LABEL},
    {"remove_null", 0},
    {"remove_at", BT_HAS_NUMBER},
    {"remove_key", BT_HAS_LABEL | BT_HAS_HOW},
    {"remove_handle", BT_HAS_NUMBER},
    {"remove_from", BT_HAS_HOW},
    {"clear", 0},
    {"begin", BT_HAS_CURSOR | BT_HAS_LABEL},
    {"next", BT_HAS_CURSOR},
    {"remove_current", BT_HAS_CURSOR},
    {"end", BT_HAS_CURSOR},
    {"abandon", BT_HAS_CURSOR},
    {"loop", BT_HAS_NUMBER | BT_HAS_HOW | BT_HAS_LABEL},
    {"read", BT_HAS_LABEL},
    {"update", BT_HAS_NUMBER},
    {"lock", 0},
    {"unlock", 0},
    {"reserve", BT_HAS_NUMBER},
    {"shrink", 0},
    {"expire", BT_HAS_NUMBER},
    {"data", 0},
    {"hash_key", BT_HAS_NUMBER},
    {"misuse", BT_HAS_HOW},
    {"insert", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
    {"sort", BT_HAS_NUMBER},
    {"rank", BT_HAS_LABEL | BT_HAS_NUMBER},
#ifdef BT_WITH_QUEUES
    {"pop", BT_HAS_HOW},
    {"add_front", BT_HAS_LABEL},
#endif
#ifdef BT_WITH_MOVING
    {"move", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_BRANCHING
    {"move_branch", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_EXCHANGING
    {"swap_places", BT_HAS_LABEL | BT_HAS_NUMBER},
#endif
#ifdef BT_WITH_SPLICING
    {"splice", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_KEYED
    {"rekey_index", BT_HAS_LABEL | BT_HAS_NUMBER},
#endif
#ifdef BT_WITH_NAMED
    {"rekey_named", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_INDICES
    {"replace_at", BT_HAS_LABEL | BT_HAS_NUMBER},
    {"remove_range", BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_TAKING
    {"take", BT_HAS_LABEL | BT_HAS_CURSOR | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_ASKING
    {"remove_if", BT_HAS_NUMBER},
#endif
#ifdef BT_WITH_NUMBERS
    {"combine", BT_HAS_HOW},
    {"nearest", BT_HAS_LABEL},
#endif
#ifdef BT_WITH_FINDING
    {"find_or_add", BT_HAS_LABEL},
#endif
#ifdef BT_WITH_KEEPING
    {"keep", BT_HAS_CURSOR},
#endif
#ifdef BT_WITH_ANYWHERE
    {"begin_at", BT_HAS_CURSOR | BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
    {"begin_after", BT_HAS_CURSOR | BT_HAS_HOW},
    {"pairs", BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_SCANS
    {"scan", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_CHANGES
    {"mark", BT_HAS_CURSOR | BT_HAS_NUMBER},
#endif
#ifdef BT_WITH_BESIDE
    {"values", BT_HAS_LABEL | BT_HAS_NUMBER | BT_HAS_HOW},
#endif
#ifdef BT_WITH_WEIGHING
    {"reweigh", BT_HAS_LABEL | BT_HAS_NUMBER},
#endif
    {"settle", BT_HAS_HOW},
#ifdef BT_WITH_SAVING
    {"reload", BT_HAS_HOW},
#endif
#ifdef BT_WITH_SNAPSHOTS
    {"snapshot", BT_HAS_HOW},
    {"rollback", BT_HAS_HOW},
#endif
#ifdef BT_WITH_MERGING
    {"merge", BT_HAS_NUMBER | BT_HAS_HOW},
#endif
    {"restart", BT_HAS_HOW},
};

typedef char bt_a_word_for_each_kind[sizeof bt_kinds / sizeof bt_kinds[0] == BT_KINDS ? 1 : -1];

/* What a run is made of. */
typedef struct bt_game {
    const struct bt_word_of *words; /* what its operations are called */
    unsigned kinds;
    void (*begin)(void);
    void (*quick)(const bt_op *op);               /* an operation, */
    void (*step)(const bt_op *op, unsigned step); /* and all that must be true after it */
    void (*end)(void);
} bt_game;

static const bt_op *bt_ops_now; /* what is being played */
static size_t bt_number_now;
static unsigned long bt_runs;

/* In the program that is printed, too, every element is as new. */
static void bt_show_fresh(void)
{
    if (bt_it->fresh != NULL || bt_it->reranks) {
        bt_open("for (unsigned n = 0; n < LABELS; n++) {");
        if (bt_it->fresh != NULL) {
            bt_c("fresh(n);");
        }
        if (bt_it->reranks) {
            bt_c("rank(n, n * 3 %% 4);");
        }
        bt_close();
    }
}

static void bt_rank_anew(void)
{
    if (!bt_it->ranks || !bt_reranked) { /* those of another container in the file are still to be set */
        return;
    }
    for (unsigned label = 0; label < BT_LABELS; label++) {
        bt_ranks[label] = label * 3 % 4;
    }
    bt_reranked = false;
}

static void bt_begin_run(void)
{
    memset(bt_cursors, 0, sizeof bt_cursors);
    memset(bt_expired, 0, (bt_top_label + 1) * sizeof bt_expired[0]);
    bt_rank_anew();
    if (bt_due_count != 0) {
        memset(bt_due, 0, sizeof bt_due);
        memset(bt_due_for, 0, sizeof bt_due_for);
        bt_due_count = 0;
    }
    bt_range = bt_set.range;
    bt_exact = bt_set.exact;
    bt_collided = false;
    bt_used[0] = bt_used[1] = false;
    bt_runs++;
    bt_playing = false;
    bt_top = NULL;
#ifdef BT_WITH_SCANS
    memset(bt_scans, 0, sizeof bt_scans);
#endif
    bt_calm = 0;
    bt_depth = 0;
    bt_next_number = 0;
    bt_forget_reports();
    if (bt_writing) {
        bt_begin_story();
        bt_show_fresh();
        for (unsigned side = 0; side < BT_SIDES; side++) {
            if (!bt_set.blank[side]) {
                bt_c("memset((void *)&%s, 0xA5, sizeof %s);", bt_names[side], bt_names[side]);
            }
            if (!bt_set.blank[side] || bt_it->init_with[0] != 0) {
                bt_c("%s_init(&%s%s);", bt_it->name, bt_names[side], bt_it->init_with);
            }
        }
    }
    for (unsigned side = 0; side < BT_SIDES; side++) {
        bt_model *model = &bt_models[side];

        model->count = model->waiting = model->replayed = model->promised = model->born = 0;
        model->clearing = model->replaying = model->settling = false;
#ifdef BT_WITH_WEIGHING
        model->reweighed = 0;
#endif
        model->passes = 0;
        model->live = model->locks = 0;
#ifdef BT_WITH_PROMISED
        model->slots = 0;
        model->order_known = true;
#endif
#ifdef BT_WITH_SNAPSHOTS
        for (unsigned frame = 0; frame < BT_FRAMES; frame++) {
            bt_snapshots[side][frame].taken = false;
        }
#endif
#ifdef BT_WITH_CHANGES
        bt_forget_views(side);
#endif
#ifdef BT_WITH_BESIDE
        memset(bt_room_beside[side], 0, sizeof bt_room_beside[side]);
#endif
        bt_it->init(side, bt_set.blank[side]);
        bt_forget_handles(side);
    }
    for (unsigned label = 1; bt_it->fresh != NULL && label <= bt_top_label; label++) {
        bt_it->fresh(label);
    }
    bt_top_label = 1;
    bt_refuse_on = bt_set.refuse_on;
    bt_refuse_at = bt_set.refuse == 0 ? 0 : bt_requests + bt_set.refuse;
    bt_playing = true;
}

/* An operation and all that must be true after it. */
static void bt_step(const bt_op *op, unsigned step)
{
    unsigned long said = bt_said;

    bt_touched[0] = bt_touched[1] = false;
    bt_plan_for(op);
    for (unsigned side = 0; side < BT_SIDES; side++) {
        bt_models[side].changed = false;
        (void)bt_it->reader(side, true);
    }
    bt_do(op);
    bt_reported(false, "...");
    for (unsigned side = 0; side < BT_SIDES; side++) {
        bt_reader_sees(side, bt_models[side].changed && op->kind != BT_RESTART);
    }
    if (bt_said == said) {
        return;
    }
    if (bt_writing) {
        bt_hooks_told();
    }
    for (unsigned side = 0; side < BT_SIDES; side++) {
        if (bt_touched[side]) {
            bt_compare(side, step);
        }
    }
    if (bt_due_count != 0) {
        bt_fail("%u elements were removed, but not destroyed", bt_due_count);
    }
}

static void bt_last(const bt_op *op)
{
    bt_do(op);
    if (bt_writing) {
        bt_hooks_told();
    }
}

/* Every run ends so: live passes end, and all memory is freed. */
static void bt_end_run(void)
{
    const bool used[BT_SIDES] = {bt_used[0], bt_used[1]};
    bt_op last;

    bt_refuse_at = 0;
    memset(&last, 0, sizeof last);
    bt_plan_for(&last);
    for (unsigned side = 0; side < BT_SIDES; side++) {
        last.side = (unsigned char)side;
        last.kind = BT_NEXT;
        for (unsigned i = 0; i < BT_CURSORS; i++) {
            last.cursor = (unsigned char)i;
            for (size_t most = 4 * bt_models[side].count; bt_cursors[side][i].state == BT_LIVE; most--) {
                if (most + 4 == 0) {
                    bt_fail("a pass over '%s' does not come to its end", bt_names[side]);
                }
                bt_last(&last);
            }
        }
        if (!used[side]) {
            continue;
        }
        last.kind = BT_SETTLE;
        bt_last(&last);
        last.kind = BT_READ;
        bt_last(&last);
        bt_compare(side, 0);
    }
    for (unsigned side = 0; side < BT_SIDES; side++) {
        if (used[side]) {
            last.side = (unsigned char)side;
            last.kind = BT_RESTART;
            last.how = 1;
            bt_last(&last);
            bt_compare(side, 0);
        }
    }
    if (bt_block_count != 0) {
        bt_scarce = true;
        bt_show("held == 0");
        bt_fail("%lu blocks of memory were not freed", (unsigned long)bt_block_count);
    }
}

static void bt_quick(const bt_op *op)
{
    bt_plan_for(op);
    for (unsigned side = 0; side < BT_SIDES; side++) {
        bt_models[side].changed = false;
        (void)bt_it->reader(side, true);
    }
    bt_do(op);
    bt_reported(false, "...");
    for (unsigned side = 0; side < BT_SIDES; side++) {
        bt_reader_sees(side, bt_models[side].changed && op->kind != BT_RESTART);
    }
}

static const bt_game bt_alone = {bt_kinds, BT_KINDS, bt_begin_run, bt_quick, bt_step, bt_end_run};
static const bt_game *bt_now = &bt_alone;

static void bt_play(const bt_op *ops, size_t number)
{
    bt_ops_now = ops;
    bt_number_now = number;
    bt_now->begin();
    for (size_t i = 0; i < number; i++) {
        bt_now->step(&ops[i], (unsigned)i);
    }
    bt_now->end();
}

static void bt_give_back(void)
{
    for (size_t i = 0; i < bt_block_count; i++) {
        free(bt_blocks[i].whole);
    }
    bt_block_count = 0;
}

/* Plays a run; false if it failed: bt_reason has the reason. */
static bool bt_survives(const bt_op *ops, size_t number)
{
    switch (setjmp(bt_escape)) {
    case 0: bt_play(ops, number); return true;
    case BT_UNCLEAR: bt_give_back(); return true;
    default: bt_give_back(); return false;
    }
}

/* Drops operations that the failure does not need: halves, then quarters, down to single operations. */
static size_t bt_shrink(bt_op *ops, size_t number)
{
    static bt_op fewer[BT_LENGTH];
    size_t chunk = number / 2;

    while (chunk > 0) {
        bool smaller = false;

        for (size_t from = 0; from + chunk <= number;) {
            memcpy(fewer, ops, from * sizeof *ops);
            memcpy(fewer + from, ops + from + chunk, (number - from - chunk) * sizeof *ops);
            if (bt_survives(fewer, number - chunk)) {
                from += chunk;
            } else {
                number -= chunk;
                memcpy(ops, fewer, number * sizeof *ops);
                smaller = true;
            }
        }
        if (!smaller || chunk > number) {
            chunk /= 2;
        }
    }
    for (size_t i = 0; i < number; i++) { /* hooks and loop bodies do nothing, or one thing */
        for (uint32_t luck = 0; luck <= BT_PLANS && ops[i].luck > luck; luck++) {
            memcpy(fewer, ops, number * sizeof *ops);
            fewer[i].luck = luck;
            if (!bt_survives(fewer, number)) {
                ops[i].luck = luck;
            }
        }
    }
    return number;
}

#ifdef BT_WITH_MOVING
/* Most of the operations of a run are moves and removals while passes are live: what they have visited and was moved lies in runs
 * ahead of them, which grow and shrink at both ends. */
static void bt_draw_moves(bt_op *ops, size_t number)
{
    static const unsigned char kinds[] = {BT_MOVE, BT_MOVE, BT_MOVE, BT_MOVE, BT_MOVE, BT_NEXT, BT_NEXT, BT_ADD, BT_REMOVE,
                                          BT_REMOVE, BT_INSERT, BT_BEGIN, BT_ADD_FROM};

    for (size_t i = 0; i < number; i++) {
        if (bt_below(8) != 0) {
            ops[i].kind = i < 8 ? (unsigned char)BT_ADD : kinds[bt_below((unsigned)sizeof kinds)];
            ops[i].side = ops[i].kind == BT_ADD_FROM; /* takes all of them */
        }
    }
}

#endif
/* Draws the operations of a run: mostly on few elements, now and then on hundreds. */
static size_t bt_draw_run(bt_op *ops, uint64_t seed, bool brief)
{
    unsigned profile;
    size_t number;

    bt_chance = seed;
    profile = bt_below(16);
    bt_range = bt_set.range = profile < 9     ? 3 + bt_below(6)
                              : profile < 14  ? 8 + bt_below(24)
                              : profile == 14 ? 90 + bt_below(60)
                                              : 200 + bt_below(200);
    number = brief ? 40 + bt_below(40) : profile < 14 ? 20 + bt_below(180) : (unsigned)BT_LENGTH;
    for (size_t i = 0; i < number; i++) {
        ops[i] = bt_draw(BT_KINDS);
        if (profile >= 14 && i < 60 && i % 3 != 2) { /* grow past the borders of words and tables */
            ops[i].kind = BT_ADD_ALL;
            ops[i].side = 0;
        }
        if (profile >= 14 && (ops[i].kind == BT_RESTART || (ops[i].kind == BT_CLEAR && ops[i].how % 4 != 0))) {
            ops[i].kind = BT_NEXT; /* and stay there */
        }
    }
#ifdef BT_WITH_MOVING
    if (bt_it->moves_stay && bt_it->move != NULL && profile < 14 && profile % 2 == 0) {
        bt_draw_moves(ops, number);
    }
#endif
    bt_set.blank[0] = bt_below(2) == 0;
    bt_set.blank[1] = bt_below(2) == 0;
    return number;
}

#ifdef BT_WITH_LAYERS
static void bl_choose(const char *name);

#endif
