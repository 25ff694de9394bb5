#ifdef BT_WITH_INDICES
static void bt_replaces_at(bt_frame *frame);
static bool bt_is_replaced_at(bt_frame *frame, unsigned side, unsigned label);

#endif
static void bt_comes_in(unsigned side, unsigned label, bt_frame *frame)
{
    bt_model *model = &bt_models[side];

#ifdef BT_WITH_MERGING
    if (frame != NULL && frame->kind == BT_SETTLING && frame->side == side && bt_merges_in(side, label)) {
        return;
    }
#endif
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
#ifdef BT_WITH_INDICES
    case BT_REPLACING:
        if (frame->side == side && frame->label == label && !frame->done) {
            bt_replaces_at(frame);
            return;
        }
        break;
#endif
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

BT_SPARE static void bt_added(unsigned side, unsigned label)
{
    bt_frame *frame = bt_top;

    bt_need_label(label);
    bt_catch_up(side, frame);
    bt_why_in = bt_why_added(frame);
    bt_comes_in(side, label, frame);
    bt_need_why(label, bt_why_in);
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

#ifdef BT_WITH_QUEUES
/* Is a hook called now for the element that an add to a full container overwrites? */
static bool bt_overwrites(bt_frame *frame)
{
    bt_model *model = &bt_models[frame->side];

    if (!bt_it->overwrites || frame->done) {
        return false;
    }
    if (frame->kind == BT_ADDING) {
        if (frame->overwriting == 0 && !BT_REWEIGHS(frame)
            && bt_refusal_of(frame->side, frame->label, frame->twin, false) != BT_FULL) {
            return false;
        }
        frame->told = true;
        return bt_makes_room(frame, 1, frame->label);
    }
    for (; frame->at < frame->many; frame->at++) { /* those before it, which have no hook */
        unsigned status = bt_refusal_of(frame->side, frame->labels[frame->at], false, false);

        if ((status == BT_FULL || frame->overwriting == frame->at + 1)
            && bt_makes_room(frame, frame->at + 1, frame->labels[frame->at])) {
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

#endif
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
#ifdef BT_WITH_MERGING
    if (destroyed && bt_merge_drops(label)) {
        bt_need_why(label, frame != NULL && frame->kind == BT_CLEARING ? BT_WHY_ENDED : BT_WHY_REFUSED);
        return;
    }
#endif
    if (destroyed && bt_it->on_remove) { /* the remove hook was called before */
        if (bt_due[label] == 0) {
            bt_fail("element %u is destroyed, but it was not removed, or is destroyed for the second time", label);
        }
        if (bt_due_for[label][bt_why]-- == 0) {
            bt_fail("the destroy hook is given another reason than the remove hook of element %u was", label);
        }
        bt_due[label]--;
        bt_due_count--;
        return;
    }
    bt_catch_up(side, frame);
#ifdef BT_WITH_MERGING
    if (frame != NULL && frame->kind == BT_SETTLING && frame->side == side && bt_merges_out(side, label)) {
        bt_need_why(label, BT_WHY_REMOVED);
        bt_owes(label);
        return;
    }
#endif
#ifdef BT_WITH_INDICES
    if (bt_is_replaced_at(frame, side, label) || bt_makes_way(frame, side, label)) {
#else
    if (bt_makes_way(frame, side, label)) {
#endif
        bt_need_why(label, BT_WHY_OVERWRITTEN);
        bt_owes(label);
        return;
    }
    bt_moves_in(frame);
    switch (frame == NULL ? (unsigned)BT_IDLE : frame->kind) {
#ifdef BT_WITH_QUEUES
    case BT_ADDING:
    case BT_ADDING_ALL:
        if (frame->side == side && bt_overwrites(frame)) {
            unsigned added = frame->kind == BT_ADDING ? frame->label : frame->labels[frame->at];

            at = bt_gives_way(model, bt_coming(frame, added), frame->front);
        }
        break;
#endif
    case BT_REMOVING:
        if (frame->side == side && !frame->done) {
            at = bt_find_number(model, frame->number);
            frame->done = true;
            spared = frame->spared;
        }
        break;
    case BT_CLEARING:
        for (size_t i = 0; frame->side == side && i < model->count; i++) { /* the last one */
            if (model->rows[i].doomed && ((bt_it->ordered && !bt_it->resorts) || model->rows[i].label == label)) {
                at = i;
            }
        }
        break;
    case BT_REMOVING_IF: /* what was tested last */
        if (frame->side == side && frame->number != 0) {
            at = bt_find_number(model, frame->number);
        }
        break;
    case BT_SWEEPING: /* the next one that has expired */
    case BT_UPDATING:
        if (frame->side != side || bt_it->passes_lock || bt_defers(side)) {
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
#ifdef BT_WITH_BACK_TREES
            } else if (frame->kind == BT_UPDATING && bt_it->asks_before && bt_is_below_expired(model, turn, frame->pass)) {
                model->rows[turn].todo &= ~frame->pass;
#endif
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
        if (frame->kind == BT_UPDATING || frame->kind == BT_REMOVING_IF) {
            frame->number = at == last ? 0 : model->rows[at].number;
        }
        at = last;
    }
    if (destroyed && spared) {
        bt_fail("element %u is handed over, but destroyed", label);
    }
    if (at == BT_ROWS && bt_it->deferred && model->waiting > 0) {
        for (size_t i = model->replayed; i < model->waiting; i++) {
            if (model->journal[i].kind == BT_CLEARS) {
                bt_need_why(label, BT_WHY_CLEARED);
                break;
            }
            if (model->journal[i].kind == BT_REMOVES && model->journal[i].label == label) {
                spared = model->journal[i].spared;
                bt_need_why(label, spared ? BT_WHY_TAKEN : model->journal[i].passed_by ? BT_WHY_EXPIRED : BT_WHY_REMOVED);
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
        bt_need_why(label, bt_why_now(frame, spared));
        bt_take(model, at);
    }
    if (!spared) {
        bt_owes(label);
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
        && !bt_is_misplaced(side, label) && bt_it->contains(side, label)) {
        bt_show("!%s_contains(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, label));
        bt_fail("element %u is still in the container during its remove hook", label);
    }
    bt_mischief(side);
}

/* T_update has come to an element. Returns whether the hook is to let it expire. */
BT_SPARE static bool bt_updates(unsigned side, unsigned label)
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

#ifdef BT_WITH_BACK_TREES
        if (at != BT_ROWS && !bt_is_expired(&model->rows[at]) && bt_is_below_expired(model, at, frame->pass)) {
            model->rows[at].todo &= ~frame->pass;
            continue;
        }
#endif
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

/* The move hook: a call in progress must have moved the element. */
BT_SPARE static void bt_moved(unsigned side, unsigned label)
{
    bt_need_label(label);
    if (bt_playing && bt_find_label(&bt_models[side], label) == BT_ROWS && bt_top == NULL) {
        bt_fail("the move hook runs for element %u of '%s', which is not in", label, bt_names[side]);
    }
}

/* A hook that stands for several events. */
BT_SPARE static void bt_look_on(unsigned side, unsigned label)
{
    bt_need_label(label);
    (void)side;
}
