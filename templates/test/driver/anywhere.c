#ifdef BT_WITH_ANYWHERE
/* -- passes that begin anywhere, or behind another one ------------------------------------------------------------------- */

enum { BT_BY_ELEMENT, BT_BY_INDEX, BT_BY_KEY, BT_WAYS_IN };

static bool bt_any_expired(const bt_model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        if (bt_is_expired(&model->rows[i])) {
            return true;
        }
    }
    return false;
}

/* A pass has begun at the element that a pass from the end would visit as number `at`, in the order of `labels`; from `count` on,
 * at none. */
static void bt_has_begun_at(unsigned side, uint32_t pass, bool back, size_t at, const unsigned *labels, size_t count)
{
    bt_model *model = &bt_models[side];

    bt_pass_begins(side, pass, back);
#ifdef BT_WITH_NUMBERS
    bt_reaches(model, pass, at < count ? (back ? labels[at] + 1 : labels[at] - 1)
               : count > 0 ? labels[count - 1] : BT_NOBODY, false);
#endif
    for (size_t i = 0; i < model->count; i++) {
        size_t number = back ? model->count - 1 - i : i;

        if (!bt_it->ordered) {
            for (number = 0; number < count && labels[number] != model->rows[i].label; number++) {
            }
        }
        if (number < at) {
            model->rows[i].todo &= ~pass;
        }
    }
}

static void bt_do_begin_at(const bt_op *op, unsigned side)
{
    static const char *const ways[BT_WAYS_IN] = {"", "_index", "_key"};
    static unsigned labels[BT_ROWS + 1];
    bt_cursor *cursor = &bt_cursors[side][op->cursor];
    bt_model *model = &bt_models[side];
    bool back = bt_goes_back(op);
    unsigned how = op->how % BT_WAYS_IN;
    size_t at = op->number % (model->count + 1);
    size_t count;
    unsigned label;

    if (bt_it->begin_at == NULL || cursor->state == BT_LIVE || cursor->busy || bt_under_way(BT_CLEARING, side)
        || (bt_it->records != 0 && bt_refuse_at != 0) /* what it looks up by is found by a pass */
        || !bt_may_begin(side) || model->waiting > 0 || model->replaying || bt_any_expired(model) || bt_has_twice(model)
        || (bt_it->ways_in >> how & 1) == 0
        || (at == model->count && how == BT_BY_ELEMENT && !bt_it->by_pointer)) {
        return;
    }
    bt_operations++;
    if (bt_it->resorts) { /* so does the pass that looks where the element is */
        (void)bt_sorts(side);
    }
    count = bt_it->visited(side, back, labels);
    if (count != model->count) {
        bt_fail("a pass over '%s' visits %lu elements, expected %lu", bt_names[side], (unsigned long)count,
                (unsigned long)model->count);
    }
    label = at < count ? labels[at] : (unsigned)BT_ELSEWHERE;
    if (how == BT_BY_INDEX) {
        bt_say("%s_cursors[%u] = %s_begin%s_at%s(&%s, %lu)", bt_names[side], (unsigned)op->cursor, bt_it->name,
               back && bt_it->both_ways ? "_backward" : "", ways[how], bt_names[side],
               (unsigned long)(at == count ? count : back ? count - 1 - at : at));
    } else {
        bt_say("%s_cursors[%u] = %s_begin%s_at%s(&%s, %s)", bt_names[side], (unsigned)op->cursor, bt_it->name,
               back && bt_it->both_ways ? "_backward" : "", ways[how], bt_names[side], bt_asked(side, label));
    }
    bt_it->begin_at(side, op->cursor, back, how, at, label);
    bt_has_begun_at(side, (uint32_t)1 << op->cursor, back, at, labels, count);
    bt_comes_to_life(cursor);
#ifdef BT_WITH_FAIL_FAST
    cursor->begun = bt_it->fails_fast ? bt_it->changes(side) : 0;
    bt_says_changed(side, op->cursor);
#endif
}

/* A pass has still to visit what another one has. */
static void bt_follows(unsigned side, uint32_t pass, uint32_t other)
{
    bt_model *model = &bt_models[side];

    bt_pass_begins(side, pass, (model->back & other) != 0);
#ifdef BT_WITH_NUMBERS
    for (unsigned number = 0; number < 32; number++) {
        if (other >> number == 1) {
            bt_reaches(model, pass, model->reached[number], false);
        }
    }
#endif
    for (size_t i = 0; i < model->count; i++) {
        bt_row *row = &model->rows[i];

        row->todo = (row->todo & other) != 0 ? row->todo | pass : row->todo & ~pass;
        row->late = (row->late & other) != 0 ? row->late | pass : row->late & ~pass;
        row->passed = (row->passed & other) != 0 ? row->passed | pass : row->passed & ~pass;
    }
}

static void bt_do_begin_after(const bt_op *op, unsigned side)
{
    bt_cursor *cursor = &bt_cursors[side][op->cursor];
    unsigned from = op->how % BT_CURSORS;
    bt_cursor *other = &bt_cursors[side][from];
    unsigned long refusals = bt_refusals;

    if (bt_it->begin_after == NULL || cursor->state == BT_LIVE || cursor->busy || other->state == BT_NEVER || other->busy
        || !bt_may_follow(side)) {
        return;
    }
    if (other->state != BT_LIVE) { /* there is nothing to follow */
#if !BESPOKE_CHECKS
        bool fails_fast = bt_it->remove_current == NULL;

        if (!fails_fast) {
            bt_say("%s_cursors[%u] = %s_begin_after(&%s_cursors[%u])", bt_names[side], (unsigned)op->cursor, bt_it->name,
           bt_names[side], from);
            bt_operations++;
            bt_it->begin_after(side, op->cursor, from);
            bt_reported(true, "begin_after");
            cursor->state = BT_ENDED;
        }
#endif
        return;
    }
#ifdef BT_WITH_FAIL_FAST
    if (bt_is_changed(side, other->begun)) {
        return;
    }
#endif
    bt_say("%s_cursors[%u] = %s_begin_after(&%s_cursors[%u])", bt_names[side], (unsigned)op->cursor, bt_it->name,
           bt_names[side], from);
    bt_operations++;
    bt_it->begin_after(side, op->cursor, from);
    if (bt_has_no_record(bt_top, refusals)) {
        cursor->state = BT_ENDED;
        return;
    }
    bt_follows(side, (uint32_t)1 << op->cursor, (uint32_t)1 << from);
    bt_comes_to_life(cursor);
#ifdef BT_WITH_FAIL_FAST
    cursor->begun = bt_it->fails_fast ? bt_it->changes(side) : 0;
    bt_says_changed(side, op->cursor);
#endif
}

/* T_current of each cursor is what its pass stands on. */
static void bt_same_currents(unsigned side)
{
    for (unsigned i = 0; bt_it->current != NULL && i < BT_CURSORS; i++) {
        if (bt_cursors[side][i].state == BT_LIVE && !bt_cursors[side][i].busy) {
            size_t at = bt_current(side, (uint32_t)1 << i);
            unsigned label = at == BT_ROWS ? (unsigned)BT_NOBODY : bt_models[side].rows[at].label;

            if (bt_it->current(side, i) != label) {
                bt_show("%s%s_current(&%s_cursors[%u])) == %u", bt_known(side), bt_it->name, bt_names[side], i, label);
                bt_fail("%s_current of a pass over '%s' is %u, expected %u", bt_it->name, bt_names[side],
                        bt_it->current(side, i), label);
            }
        }
    }
}

/* -- pairs ------------------------------------------------------------------------------------------------------------- */

/* How many elements has a pass still to visit? */
static size_t bt_left_of(unsigned side, uint32_t pass)
{
    const bt_model *model = &bt_models[side];
    size_t left = 0;

    for (size_t i = 0; i < model->count; i++) {
        if ((model->rows[i].todo & pass) == 0 || (bt_it->skips && (model->rows[i].passed & pass) != 0)) {
            continue;
        }
#ifdef BT_WITH_BACK_TREES
        if (bt_it->skips && bt_is_below_expired(model, i, pass)) {
            continue;
        }
#endif
        if (bt_it->skips && bt_is_expired(&model->rows[i])) { /* with all below it, unless the pass comes to that before */
            i = (model->back & pass) != 0 ? i : bt_last_below(model, i);
            continue;
        }
        left++;
    }
    return left;
}

/* The inner pass ends if what the outer one stands on has been removed or has expired, and when it has nothing left to visit. */
static void bt_inner_ends(unsigned side, uint32_t outer, uint32_t inner)
{
    size_t at = bt_current(side, outer);

    if ((bt_models[side].passes & inner) == 0) {
        return;
    }
    if (at == BT_ROWS || (bt_it->skips && bt_is_expired(&bt_models[side].rows[at]))) {
        bt_pass_stops(side, inner, true);
    } else if (bt_left_of(side, inner) == 0) {
        bt_is_over(side, inner, bt_it->skips);
    }
}

/* The body of the loop over pairs. `twin`: what bt_is_twin was for the first of them. */
static unsigned bt_pair(unsigned side, unsigned a, bool twin, unsigned b)
{
    bool told = bt_told_twin;
    bt_frame *frame = bt_top;
    bt_model *model = &bt_models[side];
    unsigned action = BT_GO_ON;
    uint32_t pass;
    size_t at;

    bt_inner_ends(side, frame->pass, frame->pass_inner);
    if ((model->passes & frame->pass_inner) == 0) {
        bt_told_twin = twin;
        bt_visits(side, frame->pass, a, bt_it->skips);
        bt_told_twin = told;
        bt_follows(side, frame->pass_inner, frame->pass);
    }
    at = bt_current(side, frame->pass);
    if (at == BT_ROWS || model->rows[at].label != a) {
        bt_answer(false, "!= %u", a);
        bt_fail("a pair of '%s' has element %u, and it is the turn of %u", bt_names[side], a,
                at == BT_ROWS ? BT_NOBODY : model->rows[at].label);
    }
    bt_visits(side, frame->pass_inner, b, bt_it->skips);
    if (at == bt_current(side, frame->pass_inner)) {
        bt_fail("an element of '%s' is paired with itself: %u", bt_names[side], a);
    }
    if (frame->at++ == frame->stop) {
        action = frame->action;
    }
    if (action == BT_BREAK) {
        bt_c("break;");
        frame->done = true;
        return action;
    }
    if (action == BT_GO_ON || bt_it->remove_current == NULL) {
        bt_mischief(side);
#ifdef BT_WITH_FAIL_FAST
        if (bt_is_changed(side, frame->begun)) {
            frame->done = true;
            return BT_BREAK; /* another step would be misuse */
        }
#endif
        return BT_GO_ON;
    }
    pass = action == BT_REMOVE_IT ? frame->pass : frame->pass_inner;
    at = bt_current(side, pass);
    if (at == BT_ROWS || !bt_same_fate(side, model->rows[at].label, pass)) {
        return BT_GO_ON;
    }
    bt_say("%s_remove_current(&%s_cursor)", bt_it->name, action == BT_REMOVE_IT ? "a" : "b");
    bt_operations++;
    bt_enter(frame->inner, BT_REMOVING, side);
    frame->inner->label = model->rows[at].label;
    frame->inner->number = model->rows[at].number;
    frame->inner->many = bt_will_stay(side, model->rows[at].number);
    if (!frame->inner->many) {
        frame->inner->number = 0;
    }
    frame->inner->taken = (size_t)bt_refusals;
    return action;
}

static void bt_pair_removed(unsigned status)
{
    bt_frame *inner = bt_top;

    bt_leave();
    bt_has_removed(inner, "remove_current (in a loop over pairs)", status, inner->many != 0, (unsigned long)inner->taken);
}

static unsigned long bt_pair_loops; /* that were run to their end, and agreed with the model */

static void bt_do_pairs(const bt_op *op, unsigned side)
{
    static const unsigned actions[] = {BT_GO_ON, BT_REMOVE_CURRENT, BT_REMOVE_IT, BT_BREAK};
    unsigned long refusals = bt_refusals;
    bt_model *model = &bt_models[side];
    bt_frame frame;
    bt_frame inner;
    bool left;

    if (bt_it->pairs == NULL || model->live + 2 > 15 || bt_it->sweeps
        || (bt_it->passes != 0 && bt_records_in_use(side) + 2 > bt_it->passes)
        || (bt_it->records != 0 && bt_refuse_at != 0) /* it ends where there is no record for the inner pass */
        || bt_under_way(BT_CLEARING, side) || (bt_it->twice && !bt_it->ordered) || model->count > 32) {
        return;
    }
    bt_said++;
    bt_operations++;
    if (bt_writing || bt_tracing) {
        char line[200];

        bt_call("%s_EACH_PAIR(&%s, a, b)", bt_it->shouted, bt_names[side]);
        bt_pages[bt_at_page].call[0] = 0;
        snprintf(line, sizeof line, "%s_EACH_PAIR(&%s, a, b) {", bt_it->shouted, bt_names[side]);
        bt_open(line);
    }
    bt_enter(&frame, BT_LOOPING, side);
    frame.action = actions[op->how % 4];
    frame.stop = op->number % 8;
    frame.inner = &inner;
    if (bt_it->resorts) {
        (void)bt_sorts(side);
    }
    frame.pass = bt_pass_begins(side, 0, bt_it->begins_back);
    for (frame.pass_inner = frame.pass; (model->passes & frame.pass_inner) != 0; frame.pass_inner <<= 1) {
    }
#ifdef BT_WITH_FAIL_FAST
    frame.begun = bt_it->fails_fast ? bt_it->changes(side) : 0;
#endif
    bt_pairing++;
    left = bt_it->pairs(side);
    bt_pairing--;
    bt_close();
    if (left) {
        bt_pass_stops(side, frame.pass_inner, true);
        bt_pass_stops(side, frame.pass, true);
    } else {
        bt_inner_ends(side, frame.pass, frame.pass_inner);
        if ((model->passes & frame.pass_inner) != 0 || bt_left_of(side, frame.pass) > 1) {
            bt_fail("a loop over pairs of '%s' is over too early: %lu elements are left", bt_names[side],
                    (unsigned long)bt_left_of(side, frame.pass));
        }
        bt_pass_stops(side, frame.pass, true);
    }
    bt_leave();
    bt_pass_replays(side, refusals, "end");
    bt_pair_loops++;
}
#endif
