/* -- calls of hooks ------------------------------------------------------------------------------------------------- */

/* Applies the next change of the journal that has a hook, and those before it that have none. */
static void bt_replay_tells(unsigned side, bool adds, unsigned label)
{
    bt_model *model = &bt_models[side];

    if (!model->replaying) {
        model->replaying = true;
        model->depth = bt_depth;
    }
    while (model->replayed < model->waiting) {
        const bt_change *change = &model->journal[model->replayed];
        size_t at;

        if (change->kind == BT_ADDS) {
            bt_append_as(model, change->label, change->number, change->expired, false);
            model->replayed++;
            if (!bt_it->on_add) {
                continue;
            }
            if (!adds || change->label != label) {
                break;
            }
            return;
        }
        if (change->kind == BT_REMOVES) {
            bool tells = bt_tells(change->spared);

            at = bt_find_number(model, change->number);
            model->replayed++;
            if (at == BT_ROWS) {
                continue;
            }
            bt_take(model, at);
            if (!tells) {
                continue;
            }
            if (adds || change->label != label) {
                break;
            }
            return;
        }
        if (!bt_tells(false)) {
            bt_take_all(model);
            model->replayed++;
            continue;
        }
        for (at = 0; !model->clearing && at < model->count; at++) {
            model->rows[at].doomed = true;
        }
        model->clearing = true;
        for (at = 0; at < model->count && !model->rows[at].doomed; at++) {
        }
        if (at == model->count) {
            model->clearing = false;
            model->replayed++;
            continue;
        }
        for (size_t last = model->count; !adds && last > at; last--) {
            if (model->rows[last - 1].doomed && model->rows[last - 1].label == label) {
                bt_take(model, last - 1);
                return;
            }
            if (model->rows[last - 1].doomed && bt_it->ordered && !bt_it->resorts) {
                break;
            }
        }
        break;
    }
    bt_fail("a hook is called for element %u, which is not the next in the journal", label);
}

/* Has the journal been applied, but for changes without a hook? Then it is empty. */
static void bt_replay_is_done(unsigned side)
{
    bt_model *model = &bt_models[side];
    size_t at = model->replayed;

    if (!(model->replaying ? bt_depth <= model->depth : model->settling)) {
        return;
    }
    for (; at < model->waiting; at++) {
        const bt_change *change = &model->journal[at];
        bool adds_first = false; /* the removed element was added by an earlier change, which has no hook */

        for (size_t i = model->replayed; i < at; i++) {
            adds_first = adds_first || (model->journal[i].kind == BT_ADDS
                                        && (change->kind == BT_CLEARS || model->journal[i].number == change->number));
        }
        if (change->kind == BT_ADDS     ? bt_it->on_add
            : change->kind == BT_REMOVES ? bt_tells(change->spared) && (adds_first || bt_find_number(model, change->number) != BT_ROWS)
                                         : bt_tells(false) && (adds_first || model->count > 0)) {
            return;
        }
    }
    for (; model->replayed < model->waiting; model->replayed++) {
        const bt_change *change = &model->journal[model->replayed];

        at = bt_find_number(model, change->number);
        if (change->kind == BT_ADDS) {
            bt_append_as(model, change->label, change->number, change->expired, false);
        } else if (change->kind == BT_CLEARS) {
            bt_take_all(model);
        } else if (at != BT_ROWS) {
            bt_take(model, at);
        }
    }
    model->waiting = model->replayed = 0;
    model->clearing = model->replaying = false;
}

static void bt_need_label(unsigned label)
{
    if (label == BT_NOBODY || label >= bt_labels) {
        bt_fail("a hook is given something that was never added");
    }
}

/* What an add_from has moved without a hook. `most`: the number moved when memory ran out. */
static void bt_moves_rest(bt_frame *frame, size_t most, unsigned long refusals)
{
    unsigned side = frame->side;
    bt_model *model = &bt_models[side];
    bt_model *from = &bt_models[1 - side];

    for (size_t i = 0; i < from->count; i++) {
        bt_row *row = &from->rows[i];
        unsigned label = row->label;
        unsigned verdict;

        if ((row->todo & frame->pass) == 0) {
            continue;
        }
        row->todo &= ~frame->pass;
        if (bt_it->deferred && !bt_will_stay(1 - side, row->number)) {
            continue; /* it is leaving already */
        }
        verdict = frame->status == BT_FULL ? (unsigned)BT_FULL : bt_refusal_of(side, label, row->twin, true);
        if (verdict == BT_REPLACED) {
            if (bt_it->on_add || bt_tells(false)) {
                bt_fail("element %u was moved over an equal one, but the hooks were not called", label);
            }
            bt_replace(side, label, ++bt_next_number, row->twin);
            model->rows[bt_find_label(model, label)].expired = row->expired;
            frame->taken++;
            frame->replaced = true;
            bt_take(from, i--);
            continue;
        }
        if ((verdict == BT_OK || bt_it->deferred) && frame->taken == most) {
            bt_need_refusal(refusals, "add_from");
            frame->status = BT_NO_MEMORY;
            return;
        }
        if (verdict != BT_OK) {
            frame->status = verdict;
            continue;
        }
        frame->taken++;
        if (bt_it->on_add && !bt_defers(side)) {
            bt_fail("element %u was moved, but the add hook was not called", label);
        }
        if (bt_it->on_remove && !bt_it->deferred) {
            bt_fail("element %u was moved, but the remove hook was not called", label);
        }
        if (bt_defers(side)) {
            frame->queued = true;
            bt_queue(side, BT_ADDS, label, ++bt_next_number, false);
            model->journal[model->waiting - 1].expired = row->expired;
        } else {
            bt_append_as(model, label, ++bt_next_number, row->expired, row->twin);
        }
        if (bt_it->deferred) {
            bt_queue(1 - side, BT_REMOVES, label, row->number, true);
        } else {
            bt_take(from, i--);
        }
    }
}

/* What a remove_from has removed without a hook. */
static void bt_removes_rest(bt_frame *frame, size_t most, unsigned long refusals)
{
    unsigned side = frame->side;
    bt_model *model = &bt_models[side];
    bt_model *from = &bt_models[frame->number];

    for (size_t i = 0; i < from->count; i++) {
        const bt_row *row;

        if ((from->rows[i].todo & frame->pass) == 0) {
            continue;
        }
        from->rows[i].todo &= ~frame->pass;
        row = bt_staying(side, from->rows[i].label);
        if (row == NULL) {
            continue;
        }
        if (bt_defers(side)) {
            if (frame->taken == most) {
                bt_need_refusal(refusals, "remove_from");
                frame->status = BT_NO_MEMORY;
                return;
            }
            bt_queue(side, BT_REMOVES, row->label, row->number, false);
            frame->queued = true;
        } else {
            if (bt_tells(false)) {
                bt_fail("element %u was removed, but no hook was called", row->label);
            }
            bt_take(model, bt_find_number(model, row->number));
            i -= from == model ? 1u : 0u;
        }
        frame->taken++;
    }
}

/* A pass that locks has removed expired elements before it applies the journal at its end. */
static void bt_catch_up(unsigned side, bt_frame *frame)
{
    if (frame != NULL && frame->kind == BT_SWEEPING && !frame->done && bt_it->deferred && bt_it->skips) {
        bt_model *model = &bt_models[frame->side];

        for (size_t i = 0; i < model->count; i++) {
            if ((model->rows[i].todo & frame->pass) != 0 && bt_is_expired(&model->rows[i])) {
                (void)bt_passes_by(frame->side, i, frame->pass);
            }
        }
    } else if (frame != NULL && bt_it->deferred && side != frame->side && frame->kind == BT_MOVING) {
        bt_moves_rest(frame, BT_ROWS, 0);
    } else if (frame != NULL && bt_it->deferred && frame->kind == BT_REMOVING_FROM && side == frame->number) {
        bt_removes_rest(frame, BT_ROWS, 0);
    }
}

/* @merging_model */
/* @if indices */
static void bt_replaces_at(bt_frame *frame);
static bool bt_is_replaced_at(bt_frame *frame, unsigned side, unsigned label);

/* @end */
BT_SPARE static void bt_added(unsigned side, unsigned label)
{
    bt_frame *frame = bt_top;
    bt_model *model = &bt_models[side];

    bt_need_label(label);
    bt_catch_up(side, frame);
/* @if merging */
    if (frame != NULL && frame->kind == BT_SETTLING && frame->side == side && bt_merges_in(side, label)) {
        return;
    }
/* @end */
    switch (frame == NULL ? (unsigned)BT_IDLE : frame->kind) {
    case BT_ADDING:
        if (bt_has_come(frame, side, label)) {
            return;
        }
        if (frame->side != side || frame->label != label || frame->done || (frame->replaces && bt_tells(false))) {
            break;
        }
        frame->done = true;
        if (frame->replaces) {
            bt_replace(side, label, frame->number, frame->twin);
        } else {
            bt_adds(model, frame);
        }
        return;
/* @if indices */
    case BT_REPLACING:
        if (frame->side == side && frame->label == label && !frame->done) {
            bt_replaces_at(frame);
            return;
        }
        break;
/* @end */
    case BT_ADDING_ALL:
        if (bt_has_come(frame, side, label)) {
            return;
        }
        while (frame->side == side && frame->at < frame->many) {
            unsigned next = frame->labels[frame->at++];
            unsigned status = bt_refusal_of(side, next, false, false);

            if (status != BT_OK && status != BT_REPLACED) {
                frame->status = status;
                continue;
            }
            if (next != label || (status == BT_REPLACED && bt_tells(false))) {
                break;
            }
            if (status == BT_REPLACED) {
                bt_replace(side, label, ++bt_next_number, false);
                frame->replaced = true;
            } else {
                bt_append(model, label, ++bt_next_number);
            }
            frame->taken++;
            return;
        }
        break;
    case BT_MOVING:
        if (bt_has_come(frame, side, label)) {
            return;
        }
        if (frame->side == side && !bt_defers(side)) {
            bt_model *from = &bt_models[1 - side];

            for (size_t i = 0; !frame->gone && i < from->count; i++) {
                frame->expired = from->rows[i].expired;
                frame->twin = from->rows[i].twin;
                if (from->rows[i].label == label && (from->rows[i].todo & frame->pass) != 0
                    && (!bt_it->deferred || bt_will_stay(1 - side, from->rows[i].number))) {
                    from->rows[i].todo &= ~frame->pass;
                    if (bt_it->deferred) {
                        bt_queue(1 - side, BT_REMOVES, label, from->rows[i].number, true);
                    } else {
                        if (bt_it->on_remove) {
                            bt_fail("element %u was moved, but the remove hook was not called", label);
                        }
                        bt_take(from, i);
                    }
                    frame->gone = true;
                }
            }
            if (!frame->gone) {
                break;
            }
            frame->gone = false;
            frame->taken++;
            if (bt_it->replaces && bt_find_label(model, label) != BT_ROWS && !bt_tells(false)) {
                bt_replace(side, label, ++bt_next_number, frame->twin);
                model->rows[bt_find_label(model, label)].expired = frame->expired;
                frame->replaced = true;
                return;
            }
            bt_append_as(model, label, ++bt_next_number, frame->expired, frame->twin);
            return;
        }
        bt_replay_tells(side, true, label);
        return;
    default:
        if (bt_it->deferred && model->waiting > 0) {
            bt_replay_tells(side, true, label);
            return;
        }
    }
    bt_fail("a hook is called for the add of element %u to '%s', which was not added", label, bt_names[side]);
}

/* A moved element is in the other container when the hook of its removal has returned, and no other hook is called. */
static void bt_moves_in(bt_frame *frame)
{
    if (frame != NULL && frame->kind == BT_MOVING && frame->gone && !bt_it->on_add) {
        bt_model *model = &bt_models[frame->side];

        bt_append_as(model, frame->label, ++bt_next_number, frame->expired, frame->twin);
        frame->taken++;
        frame->gone = false;
    }
}

/* @if queues */
/* Is a hook called now for the element that an add to a full container overwrites? */
static bool bt_overwrites(bt_frame *frame)
{
    bt_model *model = &bt_models[frame->side];

    if (!bt_it->overwrites || frame->done) {
        return false;
    }
    if (frame->kind == BT_ADDING) {
        bool does = frame->overwriting == 1;

        frame->overwriting = 2;
        return does;
    }
    for (; frame->at < frame->many; frame->at++) { /* those before it, which have no hook */
        unsigned status = bt_refusal_of(frame->side, frame->labels[frame->at], false, false);

        if (status == BT_FULL && frame->overwriting != frame->at + 1) {
            frame->overwriting = frame->at + 1;
            return true;
        }
        if (status == BT_FULL || status == BT_REPLACED || (status == BT_OK && bt_it->on_add)) {
            return false;
        }
        if (status == BT_OK) {
            bt_append(model, frame->labels[frame->at], ++bt_next_number);
            frame->taken++;
        } else {
            frame->status = status;
        }
    }
    return false;
}

/* @end */
/* A hook runs in a case without a model. */
BT_SPARE static void bt_meddles(unsigned side, unsigned label)
{
    if (bt_meddle != NULL) {
        bt_meddle(side, label);
    }
}

BT_SPARE static void bt_left(unsigned side, unsigned label, bool destroyed)
{
    bt_frame *frame = bt_top;
    bt_model *model = &bt_models[side];
    bool spared = false;
    size_t at = BT_ROWS;

    bt_need_label(label);
/* @if merging */
    if (destroyed && bt_merge_drops(label)) {
        return;
    }
/* @end */
    if (destroyed && bt_it->on_remove) { /* the remove hook was called before */
        if (bt_due[label] == 0) {
            bt_fail("element %u is destroyed, but it was not removed, or is destroyed for the second time", label);
        }
        bt_due[label]--;
        bt_due_count--;
        return;
    }
    bt_catch_up(side, frame);
/* @if merging */
    if (frame != NULL && frame->kind == BT_SETTLING && frame->side == side && bt_merges_out(side, label)) {
        if (bt_it->on_remove && bt_it->on_destroy) {
            bt_due[label]++;
            bt_due_count++;
        }
        return;
    }
/* @end */
/* @if indices */
    if (bt_is_replaced_at(frame, side, label) || bt_makes_way(frame, side, label)) {
/* @else */
    if (bt_makes_way(frame, side, label)) {
/* @end */
        if (bt_it->on_remove && bt_it->on_destroy) {
            bt_due[label]++;
            bt_due_count++;
        }
        return;
    }
    bt_moves_in(frame);
    switch (frame == NULL ? (unsigned)BT_IDLE : frame->kind) {
/* @if queues */
    case BT_ADDING:
    case BT_ADDING_ALL:
        if (frame->side == side && bt_overwrites(frame)) {
            at = frame->front ? model->count - 1 : 0;
        }
        break;
/* @end */
    case BT_REMOVING:
        if (frame->side == side && !frame->done) {
            at = bt_find_number(model, frame->number);
            frame->done = true;
/* @if queues */
            spared = frame->spared;
/* @end */
        }
        break;
    case BT_CLEARING:
        for (size_t i = 0; frame->side == side && i < model->count; i++) { /* the last one */
            if (model->rows[i].doomed && ((bt_it->ordered && !bt_it->resorts) || model->rows[i].label == label)) {
                at = i;
            }
        }
        break;
    case BT_SWEEPING: /* the next one that has expired */
    case BT_UPDATING:
        if (frame->side != side || bt_it->deferred) {
            break;
        }
        if (bt_it->tree && frame->number != 0) { /* it is removed with its descendants */
            at = bt_find_number(model, frame->number);
        }
        for (size_t i = 0; at == BT_ROWS && frame->kind == BT_UPDATING && bt_it->asks_after && i < model->count; i++) {
            if ((model->rows[i].current & frame->pass) != 0 && bt_is_expired(&model->rows[i])) {
                at = i;
            }
        }
        for (size_t i = 0; !bt_it->ordered && at == BT_ROWS && i < model->count; i++) {
            const bt_row *row = &model->rows[i];

            if (row->label == label && bt_is_expired(row) && (row->todo & frame->pass) != 0
                && (!bt_it->on_update || bt_it->asks_before)) {
                at = i;
            }
        }
        while (at == BT_ROWS && bt_it->ordered) {
            size_t turn = bt_turn(model, frame->pass);

            if (turn == BT_ROWS) {
                break;
            }
            if (bt_is_expired(&model->rows[turn])) {
                at = turn;
            } else if (frame->kind == BT_UPDATING && !bt_it->on_update) {
                model->rows[turn].todo &= ~frame->pass;
/* @if back_trees */
            } else if (frame->kind == BT_UPDATING && bt_it->asks_before && bt_is_below_expired(model, turn, frame->pass)) {
                model->rows[turn].todo &= ~frame->pass;
/* @end */
            } else {
                break;
            }
        }
        for (size_t i = 0; at != BT_ROWS && (model->rows[at].todo & frame->pass) != 0 && i < model->count; i++) {
            model->rows[i].current &= ~frame->pass; /* the pass has moved on */
        }
        if (at != BT_ROWS && bt_it->tree) { /* and stands on it, while those below it leave */
            model->rows[at].todo &= ~frame->pass;
            model->rows[at].current |= frame->pass;
        }
        break;
    case BT_SETTLING:
        bt_replay_is_done(side);
        model->settling = model->settling && model->waiting > 0;
        for (size_t i = 0; frame->side == side && !model->settling && at == BT_ROWS && i < model->count; i++) {
            if (model->rows[i].due && bt_is_expired(&model->rows[i])) {
                at = i;
            }
            model->rows[i].due = false; /* the sweep has gone by */
        }
        break;
    case BT_MOVING:
        for (size_t i = 0; !bt_it->deferred && frame->side != side && !frame->gone && at == BT_ROWS && i < model->count; i++) {
            if ((model->rows[i].todo & frame->pass) != 0 && model->rows[i].label == label) {
                at = i;
                frame->gone = true;
                frame->label = label;
                frame->expired = model->rows[i].expired;
                frame->twin = model->rows[i].twin;
                spared = true;
            }
        }
        break;
    case BT_REMOVING_FROM:
        for (size_t i = 0; frame->side == side && at == BT_ROWS && i < bt_models[frame->number].count; i++) {
            bt_row *row = &bt_models[frame->number].rows[i]; /* what is removed must be in the other one too */

            if (!bt_defers(side) && row->label == label && (row->todo & frame->pass) != 0) {
                row->todo &= ~frame->pass;
                at = bt_find_label(model, label);
                frame->taken++;
            }
        }
        break;
    default:
        break;
    }
    if (at != BT_ROWS && bt_it->tree) { /* those below it first, the last one first */
        size_t last = bt_last_below(model, at);

        for (size_t i = at; i <= last; i++) {
            model->rows[i].leaving = true;
        }
        frame->done = frame->kind == BT_REMOVING && at == last;
        if (frame->kind == BT_UPDATING) {
            frame->number = at == last ? 0 : model->rows[at].number;
        }
        at = last;
    }
    if (at == BT_ROWS && bt_it->deferred && model->waiting > 0) {
        for (size_t i = model->replayed; i < model->waiting; i++) {
            if (model->journal[i].kind == BT_REMOVES && model->journal[i].label == label) {
                spared = model->journal[i].spared;
                break;
            }
        }
        bt_replay_tells(side, false, label);
    } else if (at == BT_ROWS || model->rows[at].label != label) {
        bt_fail("a hook is called for the removal of element %u from '%s', which was not removed", label, bt_names[side]);
    } else {
        if (frame->kind == BT_SWEEPING || frame->kind == BT_UPDATING) {
            bt_must_be_clear(side, label, frame->pass);
        }
        bt_take(model, at);
    }
    if (bt_it->on_remove && bt_it->on_destroy && !spared) {
        bt_due[label]++;
        bt_due_count++;
    }
}

/* Is the model in step with the container while a hook runs? With all hooks it is; without, it hears of things late. */
static bool bt_in_step(unsigned side)
{
    return !bt_it->deferred || bt_models[side].waiting == 0 || (bt_it->on_add && bt_tells(false));
}

/* Is an update in progress that keeps no order? Then it is open which elements it has visited. */
static bool bt_sweeps_in_silence(void)
{
    for (const bt_frame *frame = bt_top; frame != NULL && !bt_it->ordered; frame = frame->outer) {
        if (frame->kind == BT_UPDATING && !bt_it->on_update) {
            return true;
        }
    }
    return false;
}

/* May an element expire now? Where removals wait, the model cannot know whether there was memory for them to wait in. */
static bool bt_may_expire(void)
{
    return bt_can_expire && !(bt_it->deferred && bt_refuse_at != 0) && !bt_sweeps_in_silence();
}

static void bt_mischief(unsigned side);

/* What must be true whenever a hook runs; then the hook does what hooks do. */
BT_SPARE static void bt_in_hook(unsigned side, unsigned label, bool left)
{
    const bt_model *model = &bt_models[side];
    const char *wrong = bt_it->check(side);

    if (wrong != NULL) {
        bt_show("%s_check(&%s) == NULL", bt_it->name, bt_names[side]);
        bt_fail("while a hook runs, %s_check of '%s': %s", bt_it->name, bt_names[side], wrong);
    }
    if (bt_top != NULL && bt_top->kind == BT_MOVING) {
        return; /* between two containers */
    }
    if (bt_top != NULL && bt_top->kind == BT_UPDATING && !bt_it->ordered && bt_it->asks_before && !bt_tells(false)) {
        return; /* it has removed elements without a hook, in no order that is promised */
    }
    if (bt_in_step(side) && bt_it->count(side) != model->count) {
        bt_show("%s_count(&%s) == %lu", bt_it->name, bt_names[side], (unsigned long)model->count);
        bt_fail("while a hook runs for element %u, %s_count is %lu and not %lu", label, bt_it->name,
                (unsigned long)bt_it->count(side), (unsigned long)model->count);
    }
    if (left && bt_in_step(side) && bt_it->by_label && bt_it->contains != NULL && bt_find_label(model, label) == BT_ROWS
        && bt_it->contains(side, label)) {
        bt_show("!%s_contains(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, label));
        bt_fail("element %u is still in the container during its remove hook", label);
    }
    bt_mischief(side);
}

/* @if updates */
/* T_update has come to an element. Returns whether the hook is to let it expire. */
static bool bt_updates(unsigned side, unsigned label)
{
    bt_frame *frame = bt_top;
    bt_model *model = &bt_models[side];

    if (frame == NULL || frame->kind != BT_UPDATING || frame->side != side) {
        bt_fail("the update hook runs for element %u, but no update is under way", label);
    }
    for (size_t i = 0; i < model->count; i++) {
        if ((model->rows[i].current & frame->pass) != 0 && bt_it->asks_after && bt_is_expired(&model->rows[i])) {
            if (bt_tells(false)) {
                bt_fail("element %u has expired in its update, but is still in afterwards", model->rows[i].label);
            }
            bt_must_be_clear(side, model->rows[i].label, frame->pass);
            bt_take(model, i);
            break;
        }
    }
    while (bt_it->asks_before && bt_it->ordered) {
        size_t at = bt_turn(model, frame->pass);

/* @if back_trees */
        if (at != BT_ROWS && !bt_is_expired(&model->rows[at]) && bt_is_below_expired(model, at, frame->pass)) {
            model->rows[at].todo &= ~frame->pass;
            continue;
        }
/* @end */
        if (at == BT_ROWS || model->rows[at].label == label || !bt_is_expired(&model->rows[at])) {
            break;
        }
        if (bt_tells(false)) {
            bt_fail("element %u had expired before its update, but is still in afterwards", model->rows[at].label);
        }
        bt_take(model, at);
    }
    bt_must_be_clear(side, label, UINT32_MAX); /* the one that has expired, or the other one? */
    bt_visits(side, frame->pass, label, false);
    for (size_t i = 0; i < model->count; i++) {
        if ((model->rows[i].current & frame->pass) != 0) {
            if (bt_it->asks_before && bt_is_expired(&model->rows[i])) {
                bt_fail("element %u is updated though it had expired before", label);
            }
            if (bt_may_expire() && (frame->stop >> frame->at++ % 8 & 1) != 0 && bt_same_fate(side, label, frame->pass)) {
                bt_expires(&model->rows[i]);
                return true;
            }
        }
    }
    return false;
}

/* @end */
/* @if moves */
/* The move hook: a call in progress must have moved the element. */
static void bt_moved(unsigned side, unsigned label)
{
    bt_need_label(label);
    if (bt_playing && bt_find_label(&bt_models[side], label) == BT_ROWS && bt_top == NULL) {
        bt_fail("the move hook runs for element %u of '%s', which is not in", label, bt_names[side]);
    }
}

/* @end */
/* @if looks_on */
/* A hook that stands for several events. */
static void bt_look_on(unsigned side, unsigned label)
{
    bt_need_label(label);
    (void)side;
}

/* @end */

