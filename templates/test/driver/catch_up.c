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
            bt_why_in = BT_WHY_APPLIED;
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
        if (change->kind == BT_ADDS ? bt_it->on_add
            : change->kind == BT_REMOVES
                ? bt_tells(change->spared) && (adds_first || bt_find_number(model, change->number) != BT_ROWS)
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
    if (frame != NULL && frame->kind == BT_SWEEPING && !frame->done && bt_it->passes_lock && bt_it->skips) {
        bt_model *model = &bt_models[frame->side];

        for (size_t i = 0; i < model->count; i++) {
            if ((model->rows[i].todo & frame->pass) != 0 && bt_is_expired(&model->rows[i])) {
                (void)bt_passes_by(frame->side, i, frame->pass);
            }
        }
    } else if (frame != NULL && bt_it->passes_lock && side != frame->side && frame->kind == BT_MOVING) {
        bt_moves_rest(frame, BT_ROWS, 0);
    } else if (frame != NULL && bt_it->passes_lock && frame->kind == BT_REMOVING_FROM && side == frame->number) {
        bt_removes_rest(frame, BT_ROWS, 0);
    }
}
