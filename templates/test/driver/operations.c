/* -- operations ---------------------------------------------------------------------------------------------------- */

enum {
    BT_ADD, BT_EMPLACE, BT_ADD_ALL, BT_ADD_FROM, BT_REMOVE, BT_REMOVE_NULL, BT_REMOVE_AT, BT_REMOVE_KEY, BT_REMOVE_HANDLE,
    BT_REMOVE_FROM, BT_CLEAR, BT_BEGIN, BT_NEXT, BT_REMOVE_CURRENT_OF, BT_END, BT_ABANDON, BT_LOOP, BT_READ, BT_UPDATE, BT_LOCK,
    BT_UNLOCK, BT_RESERVE, BT_SHRINK, BT_EXPIRE, BT_DATA, BT_HASH_KEY, BT_MISUSE, BT_INSERT, BT_SORT, BT_RANK,
#ifdef BT_WITH_QUEUES
    BT_POP, BT_ADD_FRONT,
#endif
#ifdef BT_WITH_MOVING
    BT_MOVE,
#endif
#ifdef BT_WITH_BRANCHING
    BT_MOVE_BRANCH,
#endif
#ifdef BT_WITH_EXCHANGING
    BT_SWAP_PLACES,
#endif
#ifdef BT_WITH_SPLICING
    BT_SPLICE,
#endif
#ifdef BT_WITH_KEYED
    BT_REKEY_INDEX,
#endif
#ifdef BT_WITH_NAMED
    BT_REKEY_NAMED,
#endif
#ifdef BT_WITH_INDICES
    BT_REPLACE_AT, BT_REMOVE_RANGE,
#endif
#ifdef BT_WITH_TAKING
    BT_TAKE,
#endif
#ifdef BT_WITH_ASKING
    BT_REMOVE_IF,
#endif
#ifdef BT_WITH_NUMBERS
    BT_COMBINE, BT_NEAREST,
#endif
#ifdef BT_WITH_FINDING
    BT_FIND_OR_ADD,
#endif
#ifdef BT_WITH_KEEPING
    BT_KEEP,
#endif
#ifdef BT_WITH_ANYWHERE
    BT_BEGIN_AT, BT_BEGIN_AFTER, BT_PAIRS,
#endif
#ifdef BT_WITH_SCANS
    BT_SCAN,
#endif
#ifdef BT_WITH_CHANGES
    BT_MARK,
#endif
#ifdef BT_WITH_BESIDE
    BT_VALUES,
#endif
#ifdef BT_WITH_WEIGHING
    BT_REWEIGH,
#endif
    BT_SETTLE,
#ifdef BT_WITH_SAVING
    BT_RELOAD,
#endif
#ifdef BT_WITH_SNAPSHOTS
    BT_SNAPSHOT, BT_ROLLBACK,
#endif
#ifdef BT_WITH_MERGING
    BT_MERGE,
#endif
    BT_RESTART, BT_KINDS
};

/* How often each is drawn. */
static const unsigned char bt_weights[] = {
    30, 6, 4, 3, 16, 1, 5, 3, 9,
    2, 2, 8, 26, 11, 4, 1, 7, 3, 5, 2,
    4, 2, 2, 6, 2, 1, 2, 24, 3, 6,
#ifdef BT_WITH_QUEUES
    12, 12,
#endif
#ifdef BT_WITH_MOVING
    14,
#endif
#ifdef BT_WITH_BRANCHING
    20,
#endif
#ifdef BT_WITH_EXCHANGING
    12,
#endif
#ifdef BT_WITH_SPLICING
    16,
#endif
#ifdef BT_WITH_KEYED
    6,
#endif
#ifdef BT_WITH_NAMED
    12,
#endif
#ifdef BT_WITH_INDICES
    12, 9,
#endif
#ifdef BT_WITH_TAKING
    20,
#endif
#ifdef BT_WITH_ASKING
    7,
#endif
#ifdef BT_WITH_NUMBERS
    8, 12,
#endif
#ifdef BT_WITH_FINDING
    16,
#endif
#ifdef BT_WITH_KEEPING
    16,
#endif
#ifdef BT_WITH_ANYWHERE
    8, 8, 6,
#endif
#ifdef BT_WITH_SCANS
    24,
#endif
#ifdef BT_WITH_CHANGES
    16,
#endif
#ifdef BT_WITH_BESIDE
    30,
#endif
#ifdef BT_WITH_WEIGHING
    16,
#endif
    3,
#ifdef BT_WITH_SAVING
    3,
#endif
#ifdef BT_WITH_SNAPSHOTS
    8, 8,
#endif
#ifdef BT_WITH_MERGING
    24,
#endif
    1
};

typedef char bt_a_weight_for_each_kind[sizeof bt_weights == BT_KINDS ? 1 : -1];

/* 0: the container has no such operation. */
static unsigned bt_weight(unsigned kind)
{
#ifdef BT_WITH_QUEUES
    if ((kind == BT_POP && bt_it->pop == NULL) || (kind == BT_ADD_FRONT && bt_it->add_front == NULL)) {
        return 0;
    }
#endif
#ifdef BT_WITH_MOVING
    if (kind == BT_MOVE && bt_it->move == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_BRANCHING
    if (kind == BT_MOVE_BRANCH && bt_it->move_branch == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_SPLICING
    if (kind == BT_SPLICE && bt_it->splice == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_EXCHANGING
    if (kind == BT_SWAP_PLACES && bt_it->swap_places == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_MERGING
    if (kind == BT_MERGE && bt_it->add_by_worker == NULL && bt_it->add_by_inbox == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_KEYED
    if (kind == BT_REKEY_INDEX && bt_it->rekey_index == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_NAMED
    if (kind == BT_REKEY_NAMED && bt_it->indexes == 0) {
        return 0;
    }
#endif
#ifdef BT_WITH_TAKING
    if (kind == BT_TAKE && bt_it->take == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_ASKING
    if (kind == BT_REMOVE_IF && bt_it->remove_if == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_NUMBERS
    if ((kind == BT_COMBINE && bt_it->combine == NULL) || (kind == BT_NEAREST && bt_it->nearest == NULL)) {
        return 0;
    }
#endif
#ifdef BT_WITH_FINDING
    if (kind == BT_FIND_OR_ADD && bt_it->found_or_new == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_KEEPING
    if (kind == BT_KEEP && bt_it->keep == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_ANYWHERE
    if ((kind == BT_BEGIN_AT && bt_it->begin_at == NULL) || (kind == BT_BEGIN_AFTER && bt_it->begin_after == NULL)
        || (kind == BT_PAIRS && bt_it->pairs == NULL)) {
        return 0;
    }
#endif
#ifdef BT_WITH_SCANS
    if (kind == BT_SCAN && bt_it->scan == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_WEIGHING
    if (kind == BT_REWEIGH && bt_it->reweigh == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_CHANGES
    if (kind == BT_MARK && bt_it->mark_handle == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_BESIDE
    if (kind == BT_VALUES && bt_it->set_beside == NULL) {
        return 0;
    }
#endif
#ifdef BT_WITH_INDICES
    if ((kind == BT_REPLACE_AT && bt_it->replace_at == NULL) || (kind == BT_REMOVE_RANGE && bt_it->remove_range == NULL)) {
        return 0;
    }
#endif
    return (kind == BT_INSERT && bt_it->insert == NULL) || (kind == BT_SORT && bt_it->sort == NULL)
            || (kind == BT_RANK && !bt_it->reranks) ? 0 : bt_weights[kind];
}

typedef struct bt_op {
    unsigned char kind;
    unsigned char side;
    unsigned char cursor;
    unsigned char how;
    unsigned label;
    unsigned number;
    uint32_t luck;
} bt_op;

enum { BT_NEVER, BT_LIVE, BT_ENDED, BT_SETTLED };

typedef struct bt_cursor {
    unsigned state;
    bool busy; /* a call with it is under way */
#ifdef BT_WITH_KEEPING
    bool kept; /* while it is live: a settle keeps it alive */
#endif
#ifdef BT_WITH_FAIL_FAST
    uint32_t begun; /* the changes of its container when it began */
    bool changed;   /* there were more when it ended */
#endif
} bt_cursor;

static bt_cursor bt_cursors[BT_SIDES][BT_CURSORS];

static void bt_comes_to_life(bt_cursor *cursor)
{
    cursor->state = BT_LIVE;
#ifdef BT_WITH_KEEPING
    cursor->kept = false;
#endif
}
static unsigned bt_range; /* labels are drawn from 1 to this */

static void bt_do(const bt_op *op);

static bt_op bt_draw(unsigned kinds)
{
    bt_op op;
    unsigned total = 0;
    unsigned drawn;

    for (unsigned i = 0; i < kinds; i++) {
        total += bt_weight(i);
    }
    drawn = bt_below(total);
    op.kind = 0;
    while (drawn >= bt_weight(op.kind)) {
        drawn -= bt_weight(op.kind++);
    }
    op.side = bt_below(6) == 0;
    op.cursor = (unsigned char)bt_below(BT_CURSORS);
    op.how = (unsigned char)bt_below(256);
    op.label = 1 + bt_below(bt_range);
    op.number = bt_below(1u << 16);
    op.luck = bt_random();
    return op;
}

/* What a hook or a loop body may be planned to do, by an operation's `luck` less one; above, what it does is drawn. */
static const bt_op bt_plans[] = {
    {BT_ADD, 0, 0, 0, 3, 0, 0},         {BT_ADD, 0, 0, 0, 1, 0, 0},     {BT_REMOVE, 0, 0, 0, 1, 0, 0},
    {BT_REMOVE, 0, 0, 0, 2, 0, 0},      {BT_CLEAR, 0, 0, 0, 1, 0, 0},   {BT_NEXT, 0, 0, 0, 1, 0, 0},
    {BT_REMOVE_CURRENT_OF, 0, 0, 0, 1, 0, 0}, {BT_END, 0, 0, 0, 1, 0, 0}, {BT_READ, 0, 0, 0, 1, 0, 0},
    {BT_REMOVE_HANDLE, 0, 0, 0, 1, 0, 0}, {BT_REMOVE_AT, 0, 0, 0, 1, 0, 0}
};
enum { BT_PLANS = sizeof bt_plans / sizeof bt_plans[0] };

/* Hooks and loop bodies call the container again. */
static void bt_mischief(unsigned side)
{
    unsigned many;

    if (bt_calm > 0 || bt_depth >= 3 || bt_budget == 0 || !bt_in_step(side)
        || (bt_models[side].replaying && bt_refuse_at != 0)) {
        return;
    }
    for (many = bt_wild ? bt_below(3) : 1; many > 0 && bt_budget > 0; many--) {
        bt_op op = bt_wild ? bt_draw(BT_SETTLE) : bt_plans[bt_plan - 1]; /* no settle and no restart: passes are live */

        bt_budget--;
        bt_depth++;
        bt_do(&op);
        bt_depth--;
    }
}

/* What hooks and loop bodies may do while this operation runs. */
static void bt_plan_for(const bt_op *op)
{
    bt_chance = op->luck;
    bt_wild = op->luck > BT_PLANS;
    bt_plan = bt_wild ? 0 : op->luck;
    bt_budget = bt_wild ? 6 : bt_plan != 0;
}

/* Is the label on neither side, and not among those that were chosen for the same call? */
static bool bt_is_free(unsigned label, const unsigned *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (chosen[i] == label) {
            return false;
        }
    }
    return !bt_is_known(0, label) && !bt_is_known(1, label);
}

/* The label that an add will use: the one drawn, or, where each element is its own, a free one. Handles are noted by label: if
 * none is free then, returns BT_NOBODY. */
static unsigned bt_label_for(const bt_op *op, const unsigned *chosen, size_t count)
{
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);
    bool noted = bt_it->slots != 0 && !bt_it->unique;

    if (!bt_it->by_label || noted) {
        for (unsigned tries = 1; tries < bt_labels; tries++, label = 1 + label % (bt_labels - 1)) {
            if (bt_is_free(label, chosen, noted ? count : 0)) {
                break;
            }
        }
        if (noted && !bt_is_free(label, chosen, count)) {
            return BT_NOBODY;
        }
    }
    if (label > bt_top_label) {
        bt_top_label = label;
    }
    if (!bt_is_known(0, label) && !bt_is_known(1, label)) {
        if (bt_it->fresh != NULL) {
            bt_it->fresh(label);
        }
        if (bt_expired[label]) {
            bt_c(bt_it->expires_by_function ? "over[%u] = false;" : "fresh(%u);", label);
        }
        bt_expired[label] = false;
    }
    return label;
}

static bool bt_is_crowded(unsigned side)
{
    return bt_models[side].count + bt_models[side].waiting + BT_BATCH > BT_ROWS / 2;
}

/* May anything be removed but through a cursor? */
static bool bt_may_remove(unsigned side)
{
    return !bt_it->removes_current || bt_models[side].live == 0;
}

/* Does an outer call apply the journal now? */
static bool bt_is_replaying(unsigned side)
{
    return bt_models[side].replaying && bt_depth > bt_models[side].depth;
}

/* After a call that may have let the journal go: it is carried out now, or for want of memory goes on waiting. */
static void bt_replays(unsigned side, unsigned long refusals, const char *call)
{
    bt_model *model = &bt_models[side];

    bool held = bt_is_held(model);

    if (!bt_it->deferred || model->waiting == 0 || (model->replaying ? bt_is_replaying(side) : held)) {
        return;
    }
    model->replaying = false;
    if (!held && bt_it->is_locked(side)) {
        bt_need_refusal(refusals, call);
        if (model->replayed > 0) { /* what a hook has queued was too much: that goes on waiting */
            memmove(model->journal, model->journal + model->replayed,
                    (model->waiting - model->replayed) * sizeof model->journal[0]);
            model->waiting -= model->replayed;
            model->replayed = 0;
        }
        return;
    }
    for (; model->replayed < model->waiting; model->replayed++) {
        const bt_change *change = &model->journal[model->replayed];
        size_t at = bt_find_number(model, change->number);

        if (change->kind == BT_ADDS) {
            if (bt_it->on_add) {
                bt_fail("the journal was applied, but no hook was called for the add of element %u", change->label);
            }
            bt_append_as(model, change->label, change->number, change->expired, false);
        } else if (change->kind == BT_REMOVES) {
            if (at != BT_ROWS && bt_tells(change->spared)) {
                bt_fail("the journal was applied, but no hook was called for the removal of element %u", change->label);
            }
            if (at != BT_ROWS) {
                bt_take(model, at);
            }
        } else {
            for (size_t i = 0; bt_tells(false) && i < model->count; i++) {
                if (model->rows[i].doomed || !model->clearing) {
                    bt_fail("the journal was applied, but no hook was called for the removal of element %u",
                            model->rows[i].label);
                }
            }
            if (!bt_tells(false)) {
                bt_take_all(model);
            }
            model->clearing = false;
        }
    }
    model->waiting = 0;
    model->replayed = 0;
}

/* After the end of a pass, which may have let the journal go. */
static void bt_pass_replays(unsigned side, unsigned long refusals, const char *call)
{
    if (bt_it->passes_lock) {
        bt_replays(side, refusals, call);
    }
}

/* Where an element is inserted, beside another. */
enum { BT_BEFORE, BT_BEHIND, BT_BELOW };
