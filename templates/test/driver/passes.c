/* -- passes and hooks ------------------------------------------------------------------------------------------------- */

/* Is a hook called for an element that is removed? */
static bool bt_tells(bool spared)
{
    return bt_it->on_remove || (bt_it->on_destroy && !spared);
}

/* Is the element that the container has just shown the other one of its label? */
static bool bt_is_twin(void)
{
    return bt_it->by_pointer && bt_told_twin;
}

/* An element takes the place of the one that is equal: nothing but the element is another. */
static void bt_replace(unsigned side, unsigned label, unsigned number, bool twin)
{
    bt_model *model = &bt_models[side];
    bt_row *row = &model->rows[bt_find_label(model, label)];

    if (bt_is_expired(row) && !bt_it->ordered) { /* where it lies is not known */
        row->passed |= row->todo;
    }
    for (bt_frame *frame = bt_top; row->leaving && frame != NULL; frame = frame->outer) { /* it is removed in place of that one */
        if ((frame->kind == BT_REMOVING || frame->kind == BT_REMOVING_IF || frame->kind == BT_UPDATING)
            && frame->side == side && frame->number == row->number) {
            frame->number = number;
        }
    }
    bt_why_in = BT_WHY_REPLACING;
    row->number = number;
    row->twin = twin;
    row->expired = false;
#ifdef BT_WITH_FAIL_FAST
    model->changed = true;
#endif
}

/* Is the add hook of a replacement still to be called? Not if the element has been removed again. */
static bool bt_is_coming(bt_frame *frame, unsigned side)
{
    if (frame->coming != 0 && bt_find_number(&bt_models[side], frame->coming) == BT_ROWS) {
        frame->coming = 0;
    }
    return frame->coming != 0;
}

/* The add hook is called for a replacement. */
static bool bt_has_come(bt_frame *frame, unsigned side, unsigned label)
{
    if (!bt_is_coming(frame, side) || bt_models[side].rows[bt_find_number(&bt_models[side], frame->coming)].label != label) {
        return false;
    }
    frame->coming = 0;
    bt_why_in = BT_WHY_REPLACING;
    return true;
}

/* What an add_from moves next is out of the other container. */
static bool bt_moves_out(bt_frame *frame, unsigned label)
{
    bt_model *from = &bt_models[1 - frame->side];

    for (size_t i = 0; i < from->count; i++) {
        bt_row *row = &from->rows[i];

        if (row->label == label && (row->todo & frame->pass) != 0) {
            frame->gone = true;
            frame->label = label;
            frame->expired = row->expired;
            frame->twin = row->twin;
            bt_take(from, i);
            return true;
        }
    }
    return false;
}

/* A hook is called for a removal: is the element replaced by an equal one? */
static bool bt_makes_way(bt_frame *frame, unsigned side, unsigned label)
{
    bt_model *model = &bt_models[side];
    unsigned number = 0;
    bool twin = false;
    bool expired = false;

    if (!bt_it->replaces || frame == NULL || frame->side != side || bt_is_coming(frame, side)) {
        return false;
    }
#ifdef BT_WITH_QUEUES
    if (frame->kind == BT_ADDING && frame->told && !frame->done) { /* a hook may have added an equal one meanwhile */
        frame->replaces = bt_refusal_of(side, frame->label, frame->twin, false) == BT_REPLACED;
    }
#endif
    if (frame->kind == BT_ADDING_ALL) {
        while (frame->at < frame->many) { /* those before it, which have no hook */
            unsigned next = frame->labels[frame->at++];
            unsigned status = bt_refusal_of(side, next, false, false);

#ifdef BT_WITH_QUEUES
            if ((status == BT_FULL || frame->overwriting == frame->at)
                && bt_would_make_room(frame, frame->at, next)) { /* for the next one */
                frame->at--;
                return false;
            }
#endif
            if (status == BT_REPLACED) {
                if (next != label) {
                    return false;
                }
                number = ++bt_next_number;
                frame->taken++;
                break;
            }
            if (status != BT_OK) {
                frame->status = status;
            } else if (bt_it->on_add) {
                return false;
            } else {
                bt_append(model, next, ++bt_next_number);
                frame->taken++;
            }
        }
    } else if (frame->kind == BT_ADDING && frame->label == label && frame->replaces && !frame->done) {
        frame->done = true;
        number = frame->number;
        twin = frame->twin;
    } else if (frame->kind == BT_MOVING && bt_find_label(model, label) != BT_ROWS
               && (frame->gone ? frame->label == label : !bt_it->on_remove && bt_moves_out(frame, label))) {
        frame->gone = false;
        frame->taken++;
        number = ++bt_next_number;
        twin = frame->twin;
        expired = frame->expired;
    }
    if (number == 0) {
        return false;
    }
    if (model->rows[bt_find_label(model, label)].twin != bt_is_twin()) {
        bt_fail("element %u is replaced, but the hook is not called for the old one", label);
    }
    bt_replace(side, label, number, twin);
    model->rows[bt_find_label(model, label)].expired = expired;
    frame->replaced = true;
    frame->coming = bt_it->on_add ? number : 0;
    return true;
}

static uint32_t bt_pass_begins(unsigned side, uint32_t pass, bool back)
{
    bt_model *model = &bt_models[side];

    if (pass == 0) { /* any that is free, above those of the cursors */
        pass = (uint32_t)1 << BT_CURSORS;
        while ((model->passes & pass) != 0) {
            pass <<= 1;
        }
    }
    for (size_t i = 0; i < model->count; i++) {
        model->rows[i].todo |= pass;
        model->rows[i].passed &= ~pass;
        model->rows[i].current &= ~pass;
        model->rows[i].late &= ~pass;
    }
#ifdef BT_WITH_NUMBERS
    bt_reaches(model, pass, BT_NOBODY, false);
#endif
    model->passes |= pass;
    model->back = back ? model->back | pass : model->back & ~pass;
    model->live++;
    return pass;
}

/* This pass is not continued; `ended`: it was ended by a call. */
static void bt_pass_stops(unsigned side, uint32_t pass, bool ended)
{
    bt_model *model = &bt_models[side];

    if ((model->passes & pass) == 0) {
        return;
    }
    model->passes &= ~pass;
    for (size_t i = 0; i < model->count; i++) {
        model->rows[i].todo &= ~pass;
        model->rows[i].current &= ~pass;
    }
    if (ended) {
        model->live--;
    }
}

BT_SPARE static unsigned bt_pairing; /* loops over pairs that run: each pass of the inner loop follows that of the outer one */

/* How many records of passes are in use: some are of elements that passes have visited, and that were moved. */
static unsigned bt_records_in_use(unsigned side)
{
#ifdef BT_WITH_MOVING
    if (bt_it->moves_stay && bt_it->records == 0) {
        return bt_it->records_in_use(side);
    }
#endif
    return bt_models[side].live;
}

static bool bt_may_begin(unsigned side)
{
    return (bt_it->passes == 0 || bt_records_in_use(side) < bt_it->passes) && bt_models[side].live < 16;
}

/* May a pass follow another one? It needs records of its own for what that one has visited and was moved. */
BT_SPARE static bool bt_may_follow(unsigned side)
{
    unsigned used = bt_records_in_use(side);

    return bt_may_begin(side) && (bt_it->passes == 0 || 2 * used - bt_models[side].live < bt_it->passes);
}

/* Are as many passes live as there may be? With checks on, one more stops the program. */
static bool bt_has_no_pass_left(unsigned side)
{
    return ((!BESPOKE_CHECKS && bt_it->counted) || bt_it->one_pass) && bt_records_in_use(side) >= bt_it->passes;
}

/* A pass skips an expired element. Returns whether that removes the row. */
static bool bt_passes_by(unsigned side, size_t at, uint32_t pass)
{
    bt_model *model = &bt_models[side];
    bt_row *row = &model->rows[at];

    for (size_t i = at; i <= bt_last_below(model, at); i++) {
        model->rows[i].todo &= ~pass;
    }
    if (!bt_it->sweeps) {
        return false;
    }
    if (bt_defers(side)) {
        if (bt_will_stay(side, row->number)) {
            bt_queue(side, BT_REMOVES, row->label, row->number, false);
            model->journal[model->waiting - 1].passed_by = true;
        }
        return false;
    }
    if (bt_tells(false)) {
        bt_fail("a pass removed element %u, which has expired, but no hook was called", row->label);
    }
    bt_take(model, at);
    return true;
}

/* The row that a pass comes to next; BT_ROWS: none is left. */
static size_t bt_turn(const bt_model *model, uint32_t pass)
{
    if ((model->back & pass) != 0) {
        for (size_t i = model->count; i-- > 0;) {
            if ((model->rows[i].todo & pass) != 0 && (model->rows[i].late & pass) == 0) {
                return i;
            }
        }
    }
    for (const bt_row *row = model->rows; row != model->rows + model->count; row++) {
        if ((row->todo & pass) != 0) {
            return (size_t)(row - model->rows);
        }
    }
    return BT_ROWS;
}

#ifdef BT_WITH_BACK_TREES
/* Does a pass go by this row because one above it has expired? Going backward, it comes to that later. */
static bool bt_is_below_expired(const bt_model *model, size_t at, uint32_t pass)
{
    unsigned depth = bt_it->tree && (model->back & pass) != 0 ? model->rows[at].depth : 0;

    while (depth > 0 && at-- > 0) {
        if (model->rows[at].depth < depth) {
            depth = model->rows[at].depth;
            if (bt_is_expired(&model->rows[at])) {
                return true;
            }
        }
    }
    return false;
}

#endif
/* A pass has come to an element: was it its turn? `skips`: elements that have expired are passed by. */
static void bt_visits(unsigned side, uint32_t pass, unsigned label, bool skips)
{
    bt_model *model = &bt_models[side];
    const bt_row *end = model->rows + model->count;
    bool ordered = bt_it->ordered;
    size_t found = BT_ROWS;

    for (bt_row *row = model->rows; row != end; row++) {
        row->current &= ~pass;
        if (row->label == label && !ordered && found == BT_ROWS && (row->todo & pass) != 0 && !(skips && bt_is_expired(row))) {
            found = (size_t)(row - model->rows);
        }
    }
    while (ordered && found == BT_ROWS) {
        size_t at = bt_turn(model, pass);

        if (at == BT_ROWS) {
            break;
        }
        if (skips && bt_is_expired(&model->rows[at])) {
            (void)bt_passes_by(side, at, pass);
#ifdef BT_WITH_BACK_TREES
        } else if (skips && bt_is_below_expired(model, at, pass)) {
            model->rows[at].todo &= ~pass;
#endif
        } else if (model->rows[at].label == label) {
            found = at;
        } else {
            bt_answer(false, "== %u", model->rows[at].label);
            bt_fail("a pass over '%s' visits element %u, but it is the turn of %u", bt_names[side], label,
                    model->rows[at].label);
        }
    }
    if (found == BT_ROWS) {
        bt_answer(false, "!= %u", label);
        bt_fail("a pass over '%s' visits element %u, which %s", bt_names[side], label,
                bt_find_label(model, label) == BT_ROWS ? "is not in" : "it must not visit (again)");
    }
    if (!ordered && (model->back & pass) != 0) {
        bt_must_be_clear(side, label, UINT32_MAX); /* it may be another one of them whose removal is pending */
    }
    if (bt_it->replaces && model->rows[found].twin != bt_is_twin()) {
        bt_fail("a pass over '%s' visits an element that was replaced by another %u", bt_names[side], label);
    }
    model->rows[found].todo &= ~pass;
    model->rows[found].current |= pass;
#ifdef BT_WITH_NUMBERS
    bt_reaches(model, pass, label, true);
#endif
    model->rows[found].away &= ~pass;
}

/* A pass has ended: has it visited all elements? */
static void bt_is_over(unsigned side, uint32_t pass, bool skips)
{
    bt_model *model = &bt_models[side];

    for (size_t i = 0; i < model->count; i++) {
        if ((model->rows[i].todo & pass) == 0) {
            continue;
        }
#ifdef BT_WITH_BACK_TREES
        if (skips && bt_is_below_expired(model, i, pass)) {
            continue;
        }
#endif
        if (!(skips && (bt_is_expired(&model->rows[i]) || (model->rows[i].passed & pass) != 0))) {
            bt_answer(false, "!= 0");
            bt_fail("a pass over '%s' is over, but it has not visited element %u", bt_names[side], model->rows[i].label);
        }
        i -= bt_passes_by(side, i, pass) ? 1u : 0u;
    }
    bt_pass_stops(side, pass, true);
}
