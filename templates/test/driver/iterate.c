/* What functions and loops of passes are called behind their names: where there are readers only. */
static const char *bt_of_reader(const char *of)
{
#ifdef BT_WITH_FAIL_FAST
    return bt_it->reads ? of : "";
#else
    (void)of;
    return "";
#endif
}

#ifdef BT_WITH_FAIL_FAST
/* Has the container been changed since a pass began? */
static bool bt_is_changed(unsigned side, uint32_t begun)
{
    return bt_it->fails_fast && bt_it->changes(side) != begun;
}

/* T_was_changed is right about the pass. */
static void bt_says_changed(unsigned side, unsigned cursor)
{
    const bt_cursor *pass = &bt_cursors[side][cursor];
    bool changed = pass->state == BT_ENDED ? pass->changed : bt_is_changed(side, pass->begun);

    if (bt_it->reads && pass->state == BT_ENDED) {
        return; /* its cursor leads nowhere */
    }
    if (bt_it->fails_fast && bt_it->was_changed(side, cursor) != changed) {
        bt_show("%s%s_was_changed%s(&%s_cursors[%u])", changed ? "" : "!", bt_it->name, bt_of_reader("_const"), bt_names[side],
                cursor);
        bt_fail("%s_was_changed is wrong: '%s' was%s changed", bt_it->name, bt_names[side], changed ? " not" : "");
    }
}

#endif
static void bt_do_begin(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];
    unsigned long refusals = bt_refusals;
    bool back = bt_goes_back(op);

    if (cursor->state == BT_LIVE || cursor->busy || (bt_it->passes == 1 && bt_under_way(BT_CLEARING, side))) {
        return;
    }
    if (!bt_may_begin(side)) {
        if (bt_it->counted) { /* a pass beyond the limit stops the program */
            bt_operations++;
            bt_fatal = 0;
            bt_it->begin(side, op->cursor, back);
            /* only then in the printed program, which it would stop */
            if (bt_fatal != 1 || (!BESPOKE_CHECKS && bt_it->next(side, op->cursor) != BT_NOBODY)) {
                bt_say("%s_cursors[%u] = %s_begin(&%s)", bt_names[side], (unsigned)op->cursor, bt_it->name, bt_names[side]);
                bt_fail("a pass over '%s' began that was one too many", bt_names[side]);
            }
            bt_reported(!BESPOKE_CHECKS, "next");
            cursor->state = BT_ENDED;
        }
        return;
    }
    bt_say("%s_cursors[%u] = %s_begin%s%s(&%s)", bt_names[side], (unsigned)op->cursor, bt_it->name,
           back && bt_it->both_ways ? "_backward" : "", bt_of_reader("_const"), bt_names[side]);
    bt_operations++;
    if (bt_it->resorts) {
        (void)bt_sorts(side);
    }
    bt_it->begin(side, op->cursor, back);
    if (bt_has_no_record(bt_top, refusals)) {
        if (!BESPOKE_CHECKS && bt_it->next(side, op->cursor) != BT_NOBODY) {
            bt_fail("a pass over '%s' that has no record visits an element", bt_names[side]);
        }
        bt_reported(!BESPOKE_CHECKS, "next");
        cursor->state = BT_ENDED;
        return;
    }
    bt_pass_begins(side, (uint32_t)1 << op->cursor, back);
    bt_comes_to_life(cursor);
#ifdef BT_WITH_FAIL_FAST
    cursor->begun = bt_it->fails_fast ? bt_it->changes(side) : 0;
    bt_says_changed(side, op->cursor);
#endif
}

#ifdef BT_WITH_FAIL_FAST
/* The container has been changed since the pass began: it visits nothing more. With checks on, that stops the program. */
static void bt_do_next_changed(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];

    bt_operations++;
#if BESPOKE_CHECKS
    if (!bt_it->reads) {
        bt_say("%s_end(&%s_cursors[%u])", bt_it->name, bt_names[side], (unsigned)op->cursor);
    }
    bt_it->end(side, op->cursor);
#else
    bt_say("%s%s_next%s(&%s_cursors[%u]))", bt_known(side), bt_it->name, bt_of_reader("_const"), bt_names[side],
           (unsigned)op->cursor);
    if (bt_it->next(side, op->cursor) != BT_NOBODY) {
        bt_answer(false, "== 0");
        bt_fail("a pass over '%s', which has been changed, visits another element", bt_names[side]);
    }
    bt_answer(true, "== 0");
    bt_reported(true, "next");
#endif
    bt_pass_stops(side, (uint32_t)1 << op->cursor, true);
    cursor->state = BT_ENDED;
    cursor->changed = true;
    bt_says_changed(side, op->cursor);
}

#endif
static void bt_do_next(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];
    uint32_t pass = (uint32_t)1 << op->cursor;
    unsigned long refusals = bt_refusals;
    unsigned label;
    bt_frame frame;

    if (cursor->state == BT_NEVER || cursor->busy || ((bt_it->twice || bt_it->passes == 1) && bt_under_way(BT_CLEARING, side))) {
        return;
    }
#if BESPOKE_CHECKS
    if (cursor->state != BT_LIVE) {
        return;
    }
#endif
#ifdef BT_WITH_FAIL_FAST
    if (bt_it->reads && cursor->state == BT_ENDED) {
        return;
    }
    bt_says_changed(side, op->cursor);
    if (cursor->state == BT_LIVE && bt_is_changed(side, cursor->begun)) {
        bt_do_next_changed(op, side);
        return;
    }
#endif
    bt_say("%s%s_next%s(&%s_cursors[%u]))", bt_known(side), bt_it->name, bt_of_reader("_const"), bt_names[side],
           (unsigned)op->cursor);
    bt_operations++;
    bt_enter(&frame, BT_SWEEPING, side);
    frame.pass = pass;
    cursor->busy = true;
    label = bt_it->next(side, op->cursor);
    cursor->busy = false;
    bt_leave();
    if (cursor->state != BT_LIVE) {
        bt_answer(label == BT_NOBODY, "== 0");
        if (label != BT_NOBODY) {
            bt_fail("a pass over '%s' that was over visits element %u", bt_names[side], label);
        }
        bt_reported(true, "next");
#ifdef BT_WITH_FAIL_FAST
        cursor->changed = cursor->changed || cursor->state == BT_SETTLED;
#endif
        cursor->state = BT_ENDED;
        return;
    }
    if (label != BT_NOBODY) {
        bt_visits(side, pass, label, bt_it->skips);
        bt_answer(true, "== %u", label);
        return;
    }
    bt_is_over(side, pass, bt_it->skips);
    bt_answer(true, "== 0");
    cursor->state = BT_ENDED;
#ifdef BT_WITH_FAIL_FAST
    cursor->changed = false;
    bt_says_changed(side, op->cursor);
#endif
    bt_pass_replays(side, refusals, "next");
}

static size_t bt_current(unsigned side, uint32_t pass)
{
    size_t at = 0;

    while (at < bt_models[side].count && (bt_models[side].rows[at].current & pass) == 0) {
        at++;
    }
    return at < bt_models[side].count ? at : (size_t)BT_ROWS;
}

static void bt_do_remove_current(const bt_op *op, unsigned side, bool takes)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];
    uint32_t pass = (uint32_t)1 << op->cursor;
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    size_t at = BT_ROWS;
    bool present;
    unsigned status;
    bt_frame frame;

    if (cursor->state == BT_NEVER || cursor->busy) {
        return;
    }
#ifdef BT_WITH_FAIL_FAST
    if (bt_it->remove_current == NULL) {
        return;
    }
#endif
    if (bt_it->twice && !bt_it->ordered && bt_under_way(BT_CLEARING, side)) {
        return; /* it is open which of equal elements has been removed */
    }
    if (cursor->state == BT_LIVE) {
        at = bt_current(side, pass);
    }
#if BESPOKE_CHECKS
    if (at == BT_ROWS || bt_under_way(BT_CLEARING, side)) { /* it may have been removed before */
        return;
    }
#endif
    if (at != BT_ROWS && !bt_same_fate(side, model->rows[at].label, pass)) {
        return;
    }
    present = at != BT_ROWS && bt_will_stay(side, model->rows[at].number);
    bt_say("%s_%s(&%s_cursors[%u]%s)", bt_it->name, BT_VERB("remove_current", "take_current"), bt_names[side],
           (unsigned)op->cursor, BT_INTO);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = at == BT_ROWS ? BT_NOBODY : model->rows[at].label;
    frame.number = at == BT_ROWS ? 0 : model->rows[at].number;
    cursor->busy = true;
    status = BT_TAKES(BT_TAKES_CURRENT, op->cursor, bt_it->remove_current(side, op->cursor));
    cursor->busy = false;
    bt_leave();
    if (status == BT_ABSENT && !frame.done && bt_under_way(BT_CLEARING, side)) {
        bt_may_report();
        return; /* a clear that is under way may have dropped it already */
    }
    bt_reported(at == BT_ROWS, BT_VERB("remove_current", "take_current"));
    bt_has_removed(&frame, BT_VERB("remove_current", "take_current"), status, present, refusals);
}

static void bt_do_end(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];
    unsigned long refusals = bt_refusals;
    bool live = cursor->state == BT_LIVE;
    bt_frame frame;

    if (cursor->state == BT_NEVER || cursor->busy) {
        return;
    }
    if (bt_of_reader("_")[0] == 0) { /* a reader is just left */
        bt_say("%s_end(&%s_cursors[%u])", bt_it->name, bt_names[side], (unsigned)op->cursor);
    }
    bt_operations++;
    if (live) {
        bt_pass_stops(side, (uint32_t)1 << op->cursor, true);
    }
#ifdef BT_WITH_FAIL_FAST
    cursor->changed = cursor->state == BT_ENDED ? cursor->changed : bt_is_changed(side, cursor->begun);
#endif
    cursor->state = BT_ENDED;
    bt_enter(&frame, BT_REPLAYING, side);
    cursor->busy = true;
    bt_it->end(side, op->cursor);
    cursor->busy = false;
    bt_leave();
#ifdef BT_WITH_FAIL_FAST
    bt_says_changed(side, op->cursor);
#endif
    if (live || bt_it->is_locked == NULL || !bt_it->is_locked(side)) { /* what a settle has ended does not replay */
        bt_pass_replays(side, refusals, "end");
    }
}

#ifdef BT_WITH_KEEPING
/* T_settle keeps the pass alive. */
static void bt_do_keep(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];

    if (bt_it->keep == NULL || cursor->state == BT_NEVER || cursor->busy || (BESPOKE_CHECKS && cursor->state != BT_LIVE)) {
        return;
    }
    bt_say("%s_keep(&%s_cursors[%u])", bt_it->name, bt_names[side], (unsigned)op->cursor);
    bt_operations++;
    bt_it->keep(side, op->cursor);
    bt_reported(cursor->state != BT_LIVE, "keep");
    cursor->kept = cursor->state == BT_LIVE;
}

#endif
static void bt_do_abandon(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];

#ifdef BT_WITH_KEEPING
    if (cursor->kept) {
        return; /* no settle would end it */
    }
#endif

    if (cursor->state == BT_LIVE && !cursor->busy) {
        bt_say("(void)%s_cursors[%u]; /* is forgotten */", bt_names[side], (unsigned)op->cursor);
        bt_pass_stops(side, (uint32_t)1 << op->cursor, false);
        cursor->state = BT_NEVER;
    }
}

static void bt_each_begins(unsigned side)
{
    if (bt_writing && bt_body == NULL) {
        char line[40];

        snprintf(line, sizeof line, "if (visits_%u == %lu) {", bt_depth, (unsigned long)bt_top->at + 1);
        bt_open(line);
        bt_call("%selement)", bt_known(side));
    }
}

/* The body of the loop, called for every element that it visits. */
static unsigned bt_each(unsigned side, unsigned label)
{
    bt_frame *frame = bt_top;
    bt_model *model = &bt_models[side];
    size_t at;
    unsigned action = BT_GO_ON;

    if (bt_body != NULL) {
        return bt_body(side, label);
    }
#ifdef BT_WITH_FAIL_FAST
    if (bt_is_changed(side, frame->begun)) {
        bt_fail("a loop over '%s' goes on behind a change", bt_names[side]);
    }
#endif
    bt_visits(side, frame->pass, label, bt_it->skips);
    bt_answer(true, "== %u", label);
    if (frame->plain) {
        frame->at++;
        bt_close();
        return BT_GO_ON;
    }
    if (frame->at++ == frame->stop || (frame->action == BT_REMOVE_CURRENT && bt_wild && bt_below(2) == 0)) {
        action = frame->action;
    }
    frame->done = action == BT_BREAK || action == BT_GOTO || action == BT_RETURN; /* it does not come to its end */
    if (action == BT_EXPIRE_IT && !bt_same_fate(side, label, frame->pass)) { /* it would be open which of them has expired */
        action = BT_GO_ON;
    }
    if (action == BT_EXPIRE_IT) {
        if (bt_it->by_row && !bt_it->expires_by_function) {
            bt_c("expire_at(&%s, element);", bt_names[side]);
        } else {
            bt_c(bt_it->expires_by_function ? "over[%u] = true;" : "expire(element); /* %u */", label);
        }
        bt_expires(&model->rows[bt_current(side, frame->pass)]);
        bt_close();
        return action;
    }
#ifdef BT_WITH_FAIL_FAST
    if (bt_it->fails_fast && (action == BT_REMOVE_CURRENT || (BESPOKE_CHECKS && action == BT_REMOVE_IT))) {
        action = BT_GO_ON;
    }
#endif
    if (action != BT_REMOVE_IT) {
        bt_mischief(side);
    }
#ifdef BT_WITH_FAIL_FAST
#if BESPOKE_CHECKS
    if (!frame->done && bt_is_changed(side, frame->begun)) {
        frame->done = true;
        action = BT_BREAK; /* another step would stop the program */
    }
#endif
#endif
    if (action == BT_REMOVE_CURRENT || action == BT_REMOVE_IT) {
        bt_frame *inner = frame->inner;
        const bt_row *row = NULL;

        at = bt_current(side, frame->pass);
        if (at == BT_ROWS || !bt_same_fate(side, label, action == BT_REMOVE_IT ? 0 : frame->pass)
            || (action == BT_REMOVE_IT && (!bt_may_remove(side) || (bt_it->deferred && model->replayed > 0)))) {
            bt_close();
            return BT_GO_ON;
        }
        row = &model->rows[at];
        /* the first of those that are the same */
        if (action == BT_REMOVE_IT && bt_it->by_label && !bt_it->by_row && bt_it->remove_handle == NULL) {
            row = bt_staying(side, label);
        } else if (!bt_will_stay(side, row->number)) {
            row = NULL;
        }
        if (action == BT_REMOVE_CURRENT) {
            bt_say("%s_remove_current(&element_cursor)", bt_it->name);
        } else {
            bool takes = bt_each_may_take(label);
            const char *verb = takes ? "take" : "remove", *into = takes ? ", &popped" : "";

            if (bt_it->remove_handle != NULL) {
                bt_say("%s_%s(&%s, %s_handle_of(&%s, element)%s)", bt_it->name, verb, bt_names[side], bt_it->name, bt_names[side],
                       into);
            } else {
                bt_say("%s_%s(&%s, element%s)", bt_it->name, verb, bt_names[side], into);
            }
        }
        bt_operations++;
        bt_enter(inner, BT_REMOVING, side);
        inner->label = label;
        inner->number = row == NULL ? 0 : row->number;
        inner->many = row != NULL;
        inner->spared = action == BT_REMOVE_IT && bt_each_may_take(label);
        inner->taken = (size_t)bt_refusals;
        return action;
    }
    if (action == BT_BREAK && label % 2 != 0) { /* a pass that is ended is left, too */
        action = BT_END_IT;
        bt_c("%s_end(&element_cursor);", bt_it->name);
    } else if (frame->done) {
        bt_c("break;");
    }
    bt_close();
    return action;
}

static void bt_each_removed(unsigned status)
{
    bt_frame *inner = bt_top;

    bt_leave();
    bt_has_removed(inner, "remove (in a loop)", status, inner->many != 0, (unsigned long)inner->taken);
    bt_close();
}

static void bt_do_loop(const bt_op *op, unsigned side, bool plain)
{
    unsigned long refusals = bt_refusals;
    bt_frame frame;
    bt_frame inner;
    bool back = bt_goes_back(op);
    bool left;

    if (!bt_may_begin(side) || (bt_it->twice && bt_under_way(BT_CLEARING, side))) {
        return;
    }
    bt_said++;
    if (bt_writing || bt_tracing) {
        const char *each = back && bt_it->both_ways ? "EACH_BACKWARD" : "EACH", *reads = bt_of_reader("_CONST");
        char line[200];

        bt_call("%s_%s%s(&%s, element)", bt_it->shouted, each, reads, bt_names[side]);
        bt_pages[bt_at_page].call[0] = 0;
        bt_open("{");
        bt_c("unsigned visits_%u = 0;\n", bt_depth);
        snprintf(line, sizeof line, "%s_%s%s(&%s, element) {", bt_it->shouted, each, reads, bt_names[side]);
        bt_open(line);
        bt_c("visits_%u++;", bt_depth);
    }
    bt_operations++;
    bt_enter(&frame, BT_LOOPING, side);
    frame.plain = plain;
    frame.action = op->how % 8;
    frame.stop = op->number % 8;
    frame.inner = &inner;
    if (frame.action == BT_EXPIRE_IT && !bt_may_expire()) {
        frame.action = BT_GO_ON;
    }
    if (bt_it->resorts) {
        (void)bt_sorts(side);
    }
    frame.pass = bt_pass_begins(side, 0, back);
#ifdef BT_WITH_FAIL_FAST
    frame.begun = bt_it->fails_fast ? bt_it->changes(side) : 0;
#endif
    if (bt_it->skips && bt_it->sweeps) {
        frame.kind = BT_SWEEPING;
    }
    left = bt_it->loop(side, back);
    bt_close();
    if (bt_has_no_record(&frame, refusals)) {
        bt_c("EXPECT(visits_%u == 0);", bt_depth);
        if (left || frame.at > 0) {
            bt_fail("a loop over '%s' whose pass has no record visits an element", bt_names[side]);
        }
        left = true;
    }
#ifdef BT_WITH_FAIL_FAST
    bt_reported(!left && bt_is_changed(side, frame.begun), "next");
    if (left || bt_is_changed(side, frame.begun)) {
#else
    if (left) {
#endif
        bt_pass_stops(side, frame.pass, true);
    } else {
        if (bt_writing) {
            bt_call("(visits_%u > %lu)", bt_depth, (unsigned long)frame.at); /* if it is over too early */
        }
        bt_is_over(side, frame.pass, bt_it->skips);
        bt_pages[bt_at_page].call[0] = 0;
        bt_c("EXPECT(visits_%u == %lu);", bt_depth, (unsigned long)frame.at);
    }
    bt_close();
    bt_leave();
    bt_pass_replays(side, refusals, "end");
}
