static unsigned bt_side_of(const bt_op *op)
{
    return bt_it->tree ? op->how % 3 : op->how % 2;
}

/* An insert: right before or behind the element at a place, below it, or none that is in. */
static bool bt_picks_place(const bt_op *op, unsigned side, bt_frame *frame, unsigned *label)
{
    const bt_model *model = &bt_models[side];

    unsigned how = bt_side_of(op);

    frame->placed = true;
    if (op->how / 2 % 8 == 1 || (model->count == 0 && !bt_exact)) {
        *label = BT_NOBODY;
        frame->at = how == BT_BEFORE ? bt_leaving(model) : model->count;
        frame->behind = how == BT_BEFORE;
        return true;
    }
    *label = BT_ELSEWHERE;
    if (op->how / 2 % 8 == 2) {
        return true;
    }
    if (op->number >= model->count && (bt_exact || model->count == 0)) {
        return false;
    }
    frame->at = op->number % model->count;
    frame->behind = how == BT_BEHIND;
    *label = model->rows[frame->at].label;
    if (bt_it->by_pointer) {
        frame->at = bt_find_label(model, *label); /* the first, if it is in twice */
    }
    return true;
}

/* Is an element in the other container, alone, so that its links do not show that? */
static bool bt_is_unnoticed(unsigned side, unsigned label)
{
    return bt_is_misplaced(side, label) && bt_models[1 - side].count == 1;
}

enum { BT_BY_ADD, BT_BY_EMPLACE, BT_BY_INSERT, BT_BY_FRONT, BT_BY_FINDING };

/* Was capacity reserved for it, also if its add is pending? */
static bool bt_is_promised(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];
    size_t adds = 0;

    for (size_t i = 0; bt_defers(side) && i < model->waiting; i++) {
        if (model->journal[i].kind != BT_ADDS) {
            return false;
        }
        adds += i >= model->replayed;
    }
    return BT_PROMISES(label) + adds < model->promised && (!bt_it->reaches || bt_it->key(label) < model->promised);
}

static void bt_do_add(const bt_op *op, unsigned side, unsigned by)
{
    const char *call = by == BT_BY_ADD ? "add" : by == BT_BY_EMPLACE ? "emplace"
#ifdef BT_WITH_QUEUES
        : by == BT_BY_FRONT ? "add_front"
#endif
        : by == BT_BY_FINDING ? "find_or_add"
        : bt_side_of(op) == BT_BEFORE ? "insert_before" : bt_side_of(op) == BT_BEHIND ? "insert_after" : "add_child";
    size_t place = 0;
    unsigned at = BT_NOBODY;
    bt_model *model = &bt_models[side];
    unsigned label;
    unsigned long refusals = bt_refusals;
    unsigned expected;
    unsigned status;
    bool twin;
#ifdef BT_WITH_QUEUES
    bool overwrites = false; /* does it remove elements first? */
#endif
    bt_frame frame;

    if (bt_is_crowded(side) || (by == BT_BY_EMPLACE && bt_it->emplace == NULL) || (by == BT_BY_INSERT && bt_it->insert == NULL)) {
        return;
    }
#ifdef BT_WITH_QUEUES
    if (by == BT_BY_FRONT && bt_it->add_front == NULL) {
        return;
    }
#endif
    bt_enter(&frame, BT_ADDING, side);
    bt_leave();
    if (by == BT_BY_INSERT && !bt_picks_place(op, side, &frame, &at)) {
        return;
    }
    label = bt_label_for(op, NULL, 0);
    if (label == BT_NOBODY || bt_is_unnoticed(side, label)) {
        return;
    }
    twin = bt_it->replaces && bt_it->by_pointer && op->how % 2 != 0 && by != BT_BY_INSERT && by != BT_BY_FINDING;
#ifdef BT_WITH_QUEUES
    twin = twin && by != BT_BY_FRONT;
#endif
    expected = bt_refusal_of(side, label, twin, false);
    if (by == BT_BY_FINDING && bt_find_label(model, label) != BT_ROWS) {
        expected = BT_DUPLICATE; /* it is returned */
    }
#ifdef BT_WITH_QUEUES
    if (by == BT_BY_FRONT) {
        frame.front = frame.placed = true;
    }
    if (bt_it->overwrites && bt_it->reaches && bt_refuse_at != 0 && expected == BT_FULL) {
        return; /* a table of keys that cannot grow refuses the element first */
    }
    if (expected == BT_FULL && bt_would_make_room(&frame, 1, label)) {
        overwrites = true;
        expected = BT_OK;
        while (!bt_tells(false) && bt_makes_room(&frame, 1, label)) {
            bt_take(model, bt_gives_way(model, label, frame.front));
        }
        if (!bt_tells(false)) {
            expected = bt_refusal_of(side, label, twin, false); /* in the place of an equal one, or not */
        }
    }
#endif
    if (expected == BT_OK && bt_defers(side)) {
        expected = BT_QUEUED;
    }
    if (by == BT_BY_INSERT) {
        char where[80];

        place = frame.at;
        if (at == BT_ELSEWHERE || (at != BT_NOBODY && (model->rows[place].doomed || model->rows[place].leaving))) {
            expected = BT_ABSENT;
        } else if (at != BT_NOBODY) {
            frame.depth = model->rows[place].depth + (bt_side_of(op) == BT_BELOW);
            frame.at = bt_side_of(op) == BT_BEFORE ? place : bt_last_below(model, place) + 1;
        }
        if (at == BT_NOBODY) {
            snprintf(where, sizeof where, bt_it->by_row ? "%s_NONE" : "NULL", bt_it->shouted);
        } else if (at == BT_ELSEWHERE) {
            snprintf(where, sizeof where, "%s", bt_asked(side, at));
        } else if (bt_it->by_pointer) {
            snprintf(where, sizeof where, "made(%u)", at);
        } else {
            snprintf(where, sizeof where, "%s", bt_nth(side, place));
        }
        bt_say("%s_%s(&%s, %s, made(%u))", bt_it->name, call, bt_names[side], where, label);
    } else if (by == BT_BY_EMPLACE) {
        bt_say("emplaced(&%s, %u)", bt_names[side], label);
#ifdef BT_WITH_QUEUES
    } else if (by == BT_BY_FRONT) {
        bt_say("%s_add_front(&%s, made(%u))", bt_it->name, bt_names[side], label);
#endif
    } else if (by == BT_BY_FINDING) {
        bt_say("%s_find_or_add(&%s, made(%u), &found)", bt_it->name, bt_names[side], label);
    } else {
        bt_say("%s_add(&%s, made(%s%u))", bt_it->name, bt_names[side], twin ? "LABELS + " : "", label);
    }
    bt_operations++;
    frame.outer = bt_top;
    bt_top = &frame;
    frame.label = label;
    frame.number = ++bt_next_number;
    frame.twin = twin;
    frame.replaces = expected == BT_REPLACED;
    status = by == BT_BY_INSERT ? bt_it->insert(side, label, place, at, bt_side_of(op))
        : by == BT_BY_EMPLACE   ? bt_it->emplace(side, label)
#ifdef BT_WITH_QUEUES
        : by == BT_BY_FRONT     ? bt_it->add_front(side, label)
#endif
#ifdef BT_WITH_FINDING
        : by == BT_BY_FINDING   ? bt_it->found_or_new(side, label, bt_find_label(model, label) != BT_ROWS)
#endif
                                : bt_it->add(side, label + (twin ? (unsigned)BT_LABELS : 0));
    bt_leave();
    if (bt_is_coming(&frame, side)) {
        bt_fail("element %u replaced an equal one, but the add hook was not called", label);
    }
#ifdef BT_WITH_QUEUES
    if (overwrites && !frame.done) {
        if (!frame.told && bt_tells(false)) {
            bt_fail("%s_%s overwrites an element, but no hook was called for it", bt_it->name, call);
        }
        expected = bt_refusal_of(side, label, twin, false); /* hooks may have added some */
    } else if (overwrites && frame.replaces) {
        expected = BT_REPLACED;
    }
#endif
    if (status == BT_NO_MEMORY && (expected == BT_OK || expected == BT_QUEUED || (expected == BT_FULL && bt_it->reaches))) {
        bt_need_refusal(refusals, call);
        if (frame.done) {
            bt_fail("%s_%s returned NO_MEMORY, but the add hook was called for element %u", bt_it->name, call, label);
        }
        if (bt_is_promised(side, label)) {
            bt_fail("%s_%s returned NO_MEMORY, but capacity for %lu elements is reserved and %lu are in the container",
                    bt_it->name, call, (unsigned long)model->promised, (unsigned long)model->count);
        }
        return;
    }
    if (status == BT_FULL && (expected == BT_OK || expected == BT_QUEUED) && bt_out_of_slots()) {
        return; /* slots may have retired */
    }
    bt_expect(call, status, expected);
    if (status == BT_QUEUED) {
        bt_queue(side, BT_ADDS, label, frame.number, false);
    } else if (status == BT_REPLACED && !frame.done) {
        if (bt_it->on_add || bt_tells(false)) {
            bt_fail("element %u was replaced, but the hooks were not called", label);
        }
        bt_replace(side, label, frame.number, twin);
        if (bt_it->note_handle != NULL) {
            bt_it->note_handle(side, label);
        }
    } else if (status == BT_OK && !frame.done) {
        if (bt_it->on_add) {
            bt_fail("element %u was added, but the hook was not called", label);
        }
        bt_adds(model, &frame);
        if (bt_it->note_handle != NULL) {
            bt_it->note_handle(side, label);
        }
    }
}

static void bt_do_add_all(const bt_op *op, unsigned side)
{
    static unsigned labels[4][BT_BATCH]; /* by depth */
    char text[BT_BATCH * 12] = "";
    unsigned *mine = labels[bt_depth];
    unsigned long refusals = bt_refusals;
    size_t taken = BT_ROWS;
    bool stopped = false;
    bool queued = false;
    unsigned status;
    bt_frame frame;
    bt_op one = *op;

    if (bt_is_crowded(side) || bt_is_crowded(1 - side)) {
        return;
    }
#ifdef BT_WITH_QUEUES
    if (bt_it->overwrites && bt_it->reaches && bt_refuse_at != 0) {
        return;
    }
#endif
    bt_enter(&frame, BT_ADDING_ALL, side);
    frame.labels = mine;
    /* a hook may put the next one into the other container, alone */
    for (unsigned i = 0; i < (bt_it->unowned && bt_it->on_add ? 1 : 1 + op->number % BT_BATCH); i++) {
        mine[frame.many] = bt_label_for(&one, mine, frame.many);
        if (mine[frame.many] == BT_NOBODY || bt_is_unnoticed(side, mine[frame.many])) {
            break;
        }
        one.label = mine[frame.many] + 1 + (bt_it->by_label ? op->how % 3 : 0);
        frame.many++;
    }
    if (frame.many == 0) {
        bt_leave();
        return;
    }
    for (size_t i = 0, length = 0; (bt_writing || bt_tracing) && i < frame.many; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%smade(%u)", i == 0 ? "" : ", ", mine[i]);
    }
    bt_say("%s_add_all(&%s, (%s const[]){ %s }, %lu, &taken)", bt_it->name, bt_names[side], bt_it->item, text,
           (unsigned long)frame.many);
    bt_operations++;
    status = bt_it->add_all(side, mine, frame.many, &taken);
    bt_leave();
    if (bt_is_coming(&frame, side)) {
        bt_fail("an element replaced an equal one, but the add hook was not called");
    }
    for (; frame.at < frame.many && !stopped; frame.at++) {
        unsigned label = mine[frame.at];
        unsigned verdict = bt_refusal_of(side, label, false, false);

#ifdef BT_WITH_QUEUES
        while (verdict == BT_FULL && bt_makes_room(&frame, frame.at + 1, label)) {
            if (bt_tells(false)) {
                bt_fail("%s_add_all overwrites an element, but no hook was called for it", bt_it->name);
            }
            bt_take(&bt_models[side], bt_gives_way(&bt_models[side], label, false));
            verdict = bt_refusal_of(side, label, false, false);
        }
#endif
        if (verdict == BT_REPLACED) {
            if (bt_it->on_add || bt_tells(false)) {
                bt_fail("element %u was replaced, but the hooks were not called", label);
            }
            bt_replace(side, label, ++bt_next_number, false);
            frame.taken++;
            frame.replaced = true;
            continue;
        }
        if ((verdict == BT_OK || (verdict == BT_FULL && bt_it->reaches)) && status == BT_NO_MEMORY && frame.taken == taken) {
            bt_need_refusal(refusals, "add_all");
            frame.status = BT_NO_MEMORY;
            break;
        }
        if (verdict == BT_OK && status == BT_FULL && frame.taken == taken && bt_out_of_slots()) {
            frame.status = BT_FULL;
            break;
        }
        if (verdict != BT_OK) {
            frame.status = verdict;
            stopped = verdict == BT_FULL;
            continue;
        }
        frame.taken++;
        if (bt_defers(side)) {
            queued = true;
            bt_queue(side, BT_ADDS, label, ++bt_next_number, false);
            continue;
        }
        if (bt_it->on_add) {
            bt_fail("element %u was added, but the hook was not called", label);
        }
        bt_append(&bt_models[side], label, ++bt_next_number);
        if (bt_it->note_handle != NULL) {
            bt_it->note_handle(side, label);
        }
    }
    if (taken != frame.taken) {
        bt_show("taken == %lu", (unsigned long)frame.taken);
        bt_fail("%s_add_all reports %lu added elements, expected %lu", bt_it->name, (unsigned long)taken,
                (unsigned long)frame.taken);
    }
    bt_expect("add_all", status, frame.status != BT_OK ? frame.status : queued ? (unsigned)BT_QUEUED
              : frame.replaced ? (unsigned)BT_REPLACED : (unsigned)BT_OK);
}

static void bt_do_add_from(unsigned side)
{
    bt_model *model = &bt_models[side];
    bt_model *from = &bt_models[1 - side];
    unsigned long refusals = bt_refusals;
    size_t taken = BT_ROWS;
    unsigned status;
    bt_frame frame;

    if (bt_it->add_from != NULL && !bt_it->relinks && bt_has_no_pass_left(1 - side)) {
        bt_say("%s_add_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[1 - side]);
        bt_operations++;
        bt_expect("add_from", bt_it->add_from(side, &taken), BT_BUSY);
        if (taken != 0) {
            bt_fail("%s_add_from did not begin, and does not say that it took none", bt_it->name);
        }
        return;
    }
    if (bt_it->add_from == NULL || (bt_it->relinks ? from->live >= 16 : !bt_may_begin(1 - side)) || !bt_may_remove(1 - side)
        || model->count + from->count + model->waiting > BT_ROWS / 2 || bt_under_way(BT_CLEARING, 1 - side)) {
        return;
    }
#ifdef BT_WITH_WEIGHING
    if (!bt_it->ordered && bt_it->heaviest != 0 && !bt_fits(model, bt_sum_of(from))) {
        return;
    }
#endif
    if (!bt_it->ordered && (bt_refuse_at != 0 || (bt_it->limit != 0 && model->count + from->count > bt_it->limit))) {
        return; /* it would be open which of them go over */
    }
    if (bt_it->deferred && (bt_it->on_add || bt_it->on_remove) && bt_refuse_at != 0) {
        return; /* hooks run before the number of moved elements is known */
    }
    for (size_t i = 0; i < from->count; i++) {
        if (!bt_same_fate(1 - side, from->rows[i].label, 0)) {
            return;
        }
    }
    bt_say("%s_add_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[1 - side]);
    bt_operations++;
    bt_enter(&frame, BT_MOVING, side);
    frame.pass = bt_pass_begins(1 - side, 0, false);
    bt_calm++;
#ifdef BT_WITH_QUEUES
    model->mixed = true;
#endif
    status = bt_it->add_from(side, &taken);
    bt_calm--;
    bt_leave();
    if (bt_it->records != 0 && status == BT_NO_MEMORY && taken == 0 && !frame.done) { /* there is no record for its pass, say */
        bt_need_refusal(refusals, "add_from");
        bt_pass_stops(1 - side, frame.pass, true);
        return;
    }
    bt_moves_in(&frame);
    bt_moves_rest(&frame, status == BT_NO_MEMORY ? taken : (size_t)BT_ROWS, refusals);
    bt_pass_stops(1 - side, frame.pass, true);
    bt_pass_replays(1 - side, refusals, "add_from");
    if (taken != frame.taken) {
        bt_show("taken == %lu", (unsigned long)frame.taken);
        bt_fail("%s_add_from reports %lu moved elements, expected %lu", bt_it->name, (unsigned long)taken,
                (unsigned long)frame.taken);
    }
    bt_expect("add_from", status, frame.status != BT_OK ? frame.status : frame.queued ? (unsigned)BT_QUEUED
              : frame.replaced ? (unsigned)BT_REPLACED : (unsigned)BT_OK);
    model->promised = from->promised = 0;
}
