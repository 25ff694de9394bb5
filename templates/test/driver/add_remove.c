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
    *label = model->rows[frame->at].label;
    if (bt_it->by_pointer) {
        frame->at = bt_find_label(model, *label); /* the first, if it is in twice */
    }
    return true;
}

/* @if queues */
enum { BT_BY_ADD, BT_BY_EMPLACE, BT_BY_INSERT, BT_BY_FRONT };
/* @else */
enum { BT_BY_ADD, BT_BY_EMPLACE, BT_BY_INSERT };
/* @end */

static void bt_do_add(const bt_op *op, unsigned side, unsigned by)
{
    const char *call = by == BT_BY_ADD ? "add" : by == BT_BY_EMPLACE ? "emplace"
/* @if queues */
        : by == BT_BY_FRONT ? "add_front"
/* @end */
        : bt_side_of(op) == BT_BEFORE ? "insert_before" : bt_side_of(op) == BT_BEHIND ? "insert_after" : "add_child";
    size_t place = 0;
    unsigned at = BT_NOBODY;
    bt_model *model = &bt_models[side];
    unsigned label;
    unsigned long refusals = bt_refusals;
    unsigned expected;
    unsigned status;
    bool twin;
    bt_frame frame;

    if (bt_is_crowded(side) || (by == BT_BY_EMPLACE && bt_it->emplace == NULL) || (by == BT_BY_INSERT && bt_it->insert == NULL)) {
        return;
    }
/* @if queues */
    if (by == BT_BY_FRONT && bt_it->add_front == NULL) {
        return;
    }
/* @end */
    bt_enter(&frame, BT_ADDING, side);
    bt_leave();
    if (by == BT_BY_INSERT && !bt_picks_place(op, side, &frame, &at)) {
        return;
    }
    label = bt_label_for(op, NULL, 0);
    if (label == BT_NOBODY) {
        return;
    }
    twin = bt_it->replaces && bt_it->by_pointer && op->how % 2 != 0 && by != BT_BY_INSERT;
/* @if queues */
    twin = twin && by != BT_BY_FRONT;
/* @end */
    expected = bt_refusal_of(side, label, twin, false);
/* @if queues */
    if (by == BT_BY_FRONT) {
        frame.front = frame.placed = true;
    }
    if (bt_it->overwrites && bt_it->reaches && bt_refuse_at != 0 && expected == BT_FULL) {
        return; /* a table of keys that cannot grow refuses the element first */
    }
    if (bt_it->overwrites && expected == BT_FULL) {
        frame.overwriting = 1;
        expected = BT_OK;
        if (!bt_tells(false)) {
            bt_take(model, frame.front ? model->count - 1 : 0);
        }
    }
/* @end */
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
/* @if queues */
    } else if (by == BT_BY_FRONT) {
        bt_say("%s_add_front(&%s, made(%u))", bt_it->name, bt_names[side], label);
/* @end */
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
/* @if queues */
        : by == BT_BY_FRONT     ? bt_it->add_front(side, label)
/* @end */
                                : bt_it->add(side, label + (twin ? (unsigned)BT_LABELS : 0));
    bt_leave();
    if (bt_is_coming(&frame, side)) {
        bt_fail("element %u replaced an equal one, but the add hook was not called", label);
    }
/* @if queues */
    if (frame.overwriting != 0 && !frame.done) {
        if (frame.overwriting == 1 && bt_tells(false)) {
            bt_fail("%s_%s overwrites an element, but no hook was called for it", bt_it->name, call);
        }
        expected = bt_refusal_of(side, label, twin, false); /* hooks may have added some */
    } else if (frame.overwriting != 0 && frame.replaces) {
        expected = BT_REPLACED;
    }
/* @end */
    if (status == BT_NO_MEMORY && (expected == BT_OK || expected == BT_QUEUED || (expected == BT_FULL && bt_it->reaches))) {
        bt_need_refusal(refusals, call);
        if (frame.done) {
            bt_fail("%s_%s returned NO_MEMORY, but the add hook was called for element %u", bt_it->name, call, label);
        }
        if (!bt_defers(side) && model->count < model->promised && !bt_it->reaches) {
            bt_fail("%s_%s returned NO_MEMORY, but capacity for %lu elements is reserved and %lu are in the container", bt_it->name, call,
                    (unsigned long)model->promised, (unsigned long)model->count);
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
    bt_size taken = BT_ROWS;
    bool stopped = false;
    bool queued = false;
    unsigned status;
    bt_frame frame;
    bt_op one = *op;

    if (bt_is_crowded(side) || bt_is_crowded(1 - side)) {
        return;
    }
/* @if queues */
    if (bt_it->overwrites && bt_it->reaches && bt_refuse_at != 0) {
        return;
    }
/* @end */
    bt_enter(&frame, BT_ADDING_ALL, side);
    frame.labels = mine;
    for (unsigned i = 0; i < 1 + op->number % BT_BATCH; i++) {
        mine[frame.many] = bt_label_for(&one, mine, frame.many);
        if (mine[frame.many] == BT_NOBODY) {
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
    bt_say("%s_add_all(&%s, (%s const[]){ %s }, %lu, &taken)", bt_it->name, bt_names[side], bt_it->item, text, (unsigned long)frame.many);
    bt_operations++;
    status = bt_it->add_all(side, mine, frame.many, &taken);
    bt_leave();
    if (bt_is_coming(&frame, side)) {
        bt_fail("an element replaced an equal one, but the add hook was not called");
    }
    for (; frame.at < frame.many && !stopped; frame.at++) {
        unsigned label = mine[frame.at];
        unsigned verdict = bt_refusal_of(side, label, false, false);

/* @if queues */
        if (verdict == BT_FULL && bt_it->overwrites && frame.overwriting != frame.at + 1) {
            if (bt_tells(false)) {
                bt_fail("%s_add_all overwrites an element, but no hook was called for it", bt_it->name);
            }
            bt_take(&bt_models[side], 0);
            verdict = bt_refusal_of(side, label, false, false);
        }
/* @end */
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
    bt_size taken = BT_ROWS;
    unsigned status;
    bt_frame frame;

    if (bt_it->add_from != NULL && bt_has_no_pass_left(1 - side)) {
        bt_say("%s_add_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[1 - side]);
        bt_operations++;
        bt_expect("add_from", bt_it->add_from(side, &taken), BT_BUSY);
        if (taken != 0) {
            bt_fail("%s_add_from did not begin, and does not say that it took none", bt_it->name);
        }
        return;
    }
    if (bt_it->add_from == NULL || !bt_may_begin(1 - side) || !bt_may_remove(1 - side)
        || model->count + from->count + model->waiting > BT_ROWS / 2 || bt_under_way(BT_CLEARING, 1 - side)) {
        return;
    }
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
/* @if queues */
    model->mixed = true;
/* @end */
    status = bt_it->add_from(side, &taken);
    bt_calm--;
    bt_leave();
    bt_moves_in(&frame);
    bt_moves_rest(&frame, status == BT_NO_MEMORY ? taken : (size_t)BT_ROWS, refusals);
    bt_pass_stops(1 - side, frame.pass, true);
    bt_replays(1 - side, refusals, "add_from");
    if (taken != frame.taken) {
        bt_show("taken == %lu", (unsigned long)frame.taken);
        bt_fail("%s_add_from reports %lu moved elements, expected %lu", bt_it->name, (unsigned long)taken,
                (unsigned long)frame.taken);
    }
    bt_expect("add_from", status, frame.status != BT_OK ? frame.status : frame.queued ? (unsigned)BT_QUEUED
              : frame.replaced ? (unsigned)BT_REPLACED : (unsigned)BT_OK);
    model->promised = from->promised = 0;
}

/* A removal is over: `status` is what the call said, `row` what it had to remove or NULL. */
static void bt_has_removed(const bt_frame *frame, const char *call, unsigned status, bool present, unsigned long refusals)
{
    unsigned side = frame->side;
    bool defers = bt_defers(side);
    size_t at;

    if (present && status == BT_NO_MEMORY && bt_it->deferred) {
        bt_need_refusal(refusals, call);
        return;
    }
    if (!present && bt_it->owned && strcmp(call, "remove") == 0 && bt_find_label(&bt_models[1 - side], frame->label) != BT_ROWS) {
        bt_expect(call, status, BT_FOREIGN);
        return;
    }
    bt_expect(call, status, !present ? (unsigned)BT_ABSENT : defers && !frame->done ? (unsigned)BT_QUEUED : (unsigned)BT_OK);
    if (status == BT_QUEUED) {
        bt_queue(side, BT_REMOVES, frame->label, frame->number, false);
    } else if (status == BT_OK && !frame->done) {
        at = bt_find_number(&bt_models[side], frame->number);
/* @if queues */
        if (bt_tells(frame->spared) && (at != BT_ROWS || !bt_it->tree)) { /* with what it was below it may have left meanwhile */
/* @else */
        if (bt_tells(false) && (at != BT_ROWS || !bt_it->tree)) { /* with what it was below it may have left meanwhile */
/* @end */
            bt_fail("element %u was removed, but no hook was called", frame->label);
        }
        if (at != BT_ROWS) {
            bt_take(&bt_models[side], at);
        }
    }
}

static void bt_do_remove(const bt_op *op, unsigned side, bool by_key)
{
    unsigned long refusals = bt_refusals;
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);
    const char *name = by_key ? "remove_key" : "remove";
    const char *key = "";
    unsigned named = 0; /* a named index, from 1 on */
    const bt_row *row;
    unsigned status;
    bool present;
    bt_frame frame;
    unsigned (*call)(unsigned, unsigned) = by_key ? bt_it->remove_key : bt_it->remove;

/* @if named */
    named = by_key ? op->how % (bt_it->indexes + 1) : 0;
    if (named != 0) {
        name = bt_it->removal_named(named - 1);
        key = name == NULL ? "" : name + strlen("remove");
    }
/* @end */
    if (name == NULL || (call == NULL && named == 0) || !bt_may_remove(side) || !bt_same_fate(side, label, 0)) {
        return;
    }
    if (bt_it->deferred && bt_models[side].replayed > 0 && !bt_it->unique) {
        return; /* during a replay it is open which of equal elements is first */
    }
    row = bt_staying(side, label);
    if (bt_it->by_row && !by_key && row != NULL && bt_find_number(&bt_models[side], row->number) == BT_ROWS) {
        row = NULL; /* its add is pending */
    }
    present = row != NULL;
    if (by_key) {
        bt_say("%s_%s(&%s, key%s(%u))", bt_it->name, name, bt_names[side], key, label);
    } else {
        bt_say("%s_remove(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, label));
    }
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = label;
    frame.number = present ? row->number : 0;
/* @if named */
    status = named != 0 ? bt_it->remove_named(side, named - 1, label) : call(side, label);
/* @else */
    status = call(side, label);
/* @end */
    bt_leave();
    bt_has_removed(&frame, name, status, present, refusals);
}

/* @moving */
static void bt_do_remove_null(unsigned side)
{
/* @if moving */
    bt_do_move_absent(side);
/* @end */
    if (bt_it->remove != NULL && bt_may_remove(side)) {
        bt_operations += 2;
        bt_say("%s_remove(&%s, %s)", bt_it->name, bt_names[side], bt_it->nil);
        bt_expect("remove", bt_it->remove(side, BT_NOBODY), BT_ABSENT);
        bt_say("%s_remove(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, BT_ELSEWHERE));
        bt_expect("remove", bt_it->remove(side, BT_ELSEWHERE), BT_ABSENT);
        if (bt_it->contains(side, BT_NOBODY) || bt_it->contains(side, BT_ELSEWHERE)) {
            bt_show("!%s_contains(&%s, %s) && !%s_contains(&%s, %s)", bt_it->name, bt_names[side], bt_it->nil, bt_it->name,
                    bt_names[side], bt_asked(side, BT_ELSEWHERE));
            bt_fail("%s_contains finds an element that is not in the container", bt_it->name);
        }
    }
}

static void bt_do_remove_at(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    size_t place = op->number % (model->count + 1);
    unsigned label = BT_NOBODY;
    unsigned status;
    size_t at = BT_ROWS;
    bt_frame frame;

    if (bt_it->remove_at == NULL || !bt_may_remove(side) || (bt_exact && op->number > model->count)) {
        return;
    }
    if (place < model->count) {
        label = bt_it->label_at(side, place);
        at = bt_it->ordered ? place : bt_find_label(model, label);
        if (at == BT_ROWS || model->rows[at].label != label || !bt_same_fate(side, label, 0)) {
            if (at == BT_ROWS || model->rows[at].label != label) {
                bt_fail("%s(&%s, %lu) returns element %u, which is not at that index", bt_it->placed, bt_names[side],
                        (unsigned long)place, label);
            }
            return;
        }
    }
    bt_say("%s_remove_at(&%s, %lu)", bt_it->name, bt_names[side], (unsigned long)place);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = label;
    frame.number = at == BT_ROWS ? 0 : model->rows[at].number;
    status = bt_it->remove_at(side, place);
    bt_leave();
    bt_has_removed(&frame, "remove_at", status, at != BT_ROWS, 0);
}

/* @if queues */
/* @ends */
/* @end */
/* @by_index */
static void bt_do_remove_handle(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned status;
    bool present;
    size_t at;
    bt_frame frame;

    if (bt_it->remove_handle == NULL || !bt_may_remove(side)) {
        return;
    }
    bt_it->stale_handles(side, true);
    if (model->count == 0 || (bt_exact && op->number >= model->count)) {
        return;
    }
    at = op->number % model->count;
    if (!bt_it->has_handle(side, model->rows[at].label)) {
        return;
    }
    present = !bt_it->deferred || bt_will_stay(side, model->rows[at].number);
    bt_say("%s_remove(&%s, handles[%u])", bt_it->name, bt_names[side], bt_it->handle_name(side, model->rows[at].label));
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = model->rows[at].label;
    frame.number = model->rows[at].number;
    status = bt_it->remove_handle(side, frame.label);
    bt_leave();
    bt_has_removed(&frame, "remove", status, present, refusals);
}

static void bt_do_remove_from(const bt_op *op, unsigned side)
{
    unsigned other = op->how % 8 == 0 ? side : 1 - side;
    bt_model *from = &bt_models[other];
    unsigned long refusals = bt_refusals;
    bt_size removed = BT_ROWS;
    unsigned status;
    bt_frame frame;

    if (bt_it->remove_from != NULL && bt_has_no_pass_left(other)) {
        bt_say("%s_remove_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[other]);
        bt_operations++;
        bt_expect("remove_from", bt_it->remove_from(side, other, &removed), BT_BUSY);
        if (removed != 0) {
            bt_fail("%s_remove_from did not begin, and does not say that it removed none", bt_it->name);
        }
        return;
    }
    if (bt_it->remove_from == NULL || !bt_may_remove(side) || !bt_may_begin(other)
        || bt_under_way(BT_CLEARING, side) || bt_under_way(BT_CLEARING, other) || bt_models[side].replayed > 0
        || (bt_it->deferred && bt_tells(false) && bt_refuse_at != 0)) {
        return;
    }
    for (size_t i = 0; i < from->count; i++) {
        if (!bt_same_fate(side, from->rows[i].label, 0)) {
            return;
        }
    }
    bt_say("%s_remove_from(&%s, &%s, &taken)", bt_it->name, bt_names[side], bt_names[other]);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING_FROM, side);
    frame.number = other;
    frame.pass = bt_pass_begins(other, 0, false);
    bt_calm++;
    status = bt_it->remove_from(side, other, &removed);
    bt_calm--;
    bt_leave();
    bt_removes_rest(&frame, status == BT_NO_MEMORY ? removed : (size_t)BT_ROWS, refusals);
    bt_pass_stops(other, frame.pass, true);
    bt_replays(other, refusals, "remove_from");
    if (removed != frame.taken) {
        bt_show("taken == %lu", (unsigned long)frame.taken);
        bt_fail("%s_remove_from reports %lu removed elements, expected %lu", bt_it->name, (unsigned long)removed,
                (unsigned long)frame.taken);
    }
    bt_expect("remove_from", status, frame.status == BT_OK && frame.queued ? (unsigned)BT_QUEUED : frame.status);
}

static void bt_do_clear(unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    bool defers = bt_defers(side);
    unsigned status;
    bt_frame frame;

    bt_say("%s_clear(&%s)", bt_it->name, bt_names[side]);
    bt_operations++;
    bt_enter(&frame, BT_CLEARING, side);
    for (size_t i = 0; !defers && i < model->count; i++) {
        model->rows[i].doomed = true;
    }
    status = bt_it->clear(side);
    bt_leave();
    if (defers && status == BT_NO_MEMORY) {
        bt_need_refusal(refusals, "clear");
        return;
    }
    if (bt_it->deferred) {
        bt_expect("clear", status, defers ? BT_QUEUED : BT_OK);
    }
    if (defers) {
        bt_queue(side, BT_CLEARS, 0, 0, false);
        return;
    }
    for (size_t i = 0; i < model->count; i++) {
        if (model->rows[i].doomed) {
            if (bt_tells(false)) {
                bt_fail("all elements were cleared, but no hook was called for element %u", model->rows[i].label);
            }
            bt_take(model, i--);
        }
    }
    bt_replays(side, refusals, "clear");
}

/* Does the pass that this operation begins go from the last element to the first? */
static bool bt_goes_back(const bt_op *op)
{
    return bt_it->begins_back || (bt_it->both_ways && op->label % 2 == 0);
}

static void bt_do_sort(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    bool sorts;

    if (bt_it->sort == NULL) {
        return;
    }
    if (bt_it->reverse != NULL && op->number % 4 != 3 && model->count > 0 && bt_may_sort(side)) {
        size_t from = op->number % 4 * model->count / 4;

        bt_it->reverse(side, from);
        for (size_t to = model->count; from < to; from++) {
            bt_row row = model->rows[from];

            to--;
            model->rows[from] = model->rows[to];
            model->rows[to] = row;
        }
    }
    bt_say("%s_sort(&%s)", bt_it->name, bt_names[side]);
    bt_operations++;
    sorts = bt_sorts(side);
/* @if fail_fast */
    bt_models[side].changed = bt_models[side].changed || sorts;
/* @end */
    bt_expect("sort", bt_it->sort(side), sorts ? BT_OK : BT_BUSY);
}

/* @if queues */
/* The key of an element has changed, or of all that are equal: which is in several times, at its next call all are out of order. */
static void bt_rekeys(unsigned side, unsigned label, bool all)
{
    const bt_model *model = &bt_models[side];
    size_t times = 0;

    for (size_t i = 0; i < model->count; i++) {
        times += model->rows[i].label == label;
    }
    if (all || times > 1 || bt_it->rekey == NULL || (times > 0 && bt_it->has_handle != NULL && !bt_it->has_handle(side, label))) {
        bt_say("%s_heapify(&%s)", bt_it->name, bt_names[side]);
        bt_it->heapify(side);
    } else if (times > 0 || bt_it->has_handle == NULL) {
        bt_say("%s_rekey(&%s, %s)", bt_it->name, bt_names[side], times > 0 && bt_it->has_handle != NULL ? bt_keyed(side, label) : bt_asked(side, label));
        bt_expect("rekey", bt_it->rekey(side, label), times > 0 ? BT_OK : bt_it->owned && bt_find_label(&bt_models[1 - side], label) != BT_ROWS ? BT_FOREIGN : BT_ABSENT);
    }
}
/* @end */

/* @if moving */
/* May its sort key change while it is in? Only if it is in once: all others must be in order. */
static bool bt_may_refile(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];
    size_t times = 0;

    for (size_t i = 0; i < model->count; i++) {
        times += model->rows[i].label == label;
    }
    return bt_it->refile != NULL && bt_may_remove(side) && times < 2;
}
/* @end */

/* @if keyed */
/* Will a pending add put in an element with this label? */
static bool bt_is_to_come(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];

    for (size_t i = model->replayed; i < model->waiting; i++) {
        if (model->journal[i].kind == BT_ADDS && model->journal[i].label == label && bt_will_stay(side, model->journal[i].number)) {
            return true;
        }
    }
    return false;
}

/* An element gets the key of another label, and its own again. To the model nothing has changed but where it was moved. */
static void bt_do_rekey_index(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);
    unsigned other = 1 + op->number % (bt_labels - 1);
    size_t from = bt_find_label(model, label);
    unsigned long refusals = bt_refusals;
    unsigned expected = BT_OK;
    unsigned status;

    if (bt_it->rekey_index == NULL || bt_sweeps_in_silence() || (bt_it->files && !bt_may_remove(side)) || bt_waits(side, label) || bt_is_replaying(side)) {
        return;
    }
    if (from == BT_ROWS) {
        expected = BT_ABSENT;
/* @if moving */
    } else if (bt_it->files && bt_it->refile != NULL && (model->rows[from].doomed || model->rows[from].leaving)) {
        expected = BT_ABSENT; /* found by its place, which it has no more */
/* @end */
    } else if ((other != label && bt_find_label(model, other) != BT_ROWS) || bt_is_to_come(side, other)) {
        expected = BT_DUPLICATE;
    } else if (bt_it->keys != 0 && bt_it->key(other) >= bt_it->keys) {
        expected = BT_RANGE;
    }
    bt_operations++;
    status = bt_it->rekey_index(side, label, other);
    if (status == BT_NO_MEMORY && expected == BT_OK && bt_it->reaches) {
        bt_need_refusal(refusals, "rekey");
    } else if (status != expected) {
        bt_fail("%s_rekey of element %u to the key of %u returns %u, expected %u", bt_it->name, label, other, status, expected);
    }
/* @if moving */
    if (status == BT_OK && bt_it->files && !model->rows[from].doomed && !model->rows[from].leaving) {
        size_t place = bt_place_by_key(model, from, other);

        bt_move_row(model, from, place);
        from = bt_find_label(model, label);
        bt_move_row(model, from, bt_place_by_key(model, from, label));
    }
/* @end */
}
/* @end */

/* @if named */
/* The same in a named index. */
static void bt_do_rekey_named(const bt_op *op, unsigned side)
{
    if (bt_it->rekey_named != NULL && !bt_sweeps_in_silence()) {
        bt_operations++;
        bt_it->rekey_named(side, op->how % bt_it->indexes, 1 + (op->label - 1) % (bt_labels - 1), 1 + op->number % (bt_labels - 1));
    }
}
/* @end */

/* What an element is sorted by changes: while it is in only where a pass sorts again. */
static void bt_do_rank(const bt_op *op)
{
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);

    if (!bt_it->reranks) {
        return;
    }
    for (unsigned side = 0; side < BT_SIDES && bt_it->sorts; side++) {
/* @if moving */
        if (bt_may_refile(side, label)) {
            continue;
        }
/* @end */
        if (bt_is_known(side, label)) {
            return;
        }
    }
    bt_say("rank(%u, %u)", label, op->number % 4);
    bt_operations++;
    bt_top_label = label > bt_top_label ? label : bt_top_label;
    bt_ranks[label] = op->number % 4;
    bt_reranked = true;
    if (bt_it->rank != NULL) {
        bt_it->rank(label);
    }
/* @if queues */
    for (unsigned side = 0; side < BT_SIDES && bt_it->heap; side++) {
        bt_rekeys(side, label, op->number % 8 > 5);
    }
/* @end */
/* @if moving */
    for (unsigned side = 0; side < BT_SIDES && bt_it->refile != NULL; side++) {
        bt_refiles(side, label);
    }
/* @end */
}

