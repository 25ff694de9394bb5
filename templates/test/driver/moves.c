#ifdef BT_WITH_MOVING
/* -- elements that are moved to other places --------------------------------------------------------------------------- */

enum { BT_MOVE_BEFORE, BT_MOVE_AFTER, BT_MOVE_TO_FRONT, BT_MOVE_TO_BACK, BT_MOVES };

/* The row that a move names: that at `place`, or of the same label the first. */
static size_t bt_moved_row(const bt_model *model, size_t place)
{
    return bt_it->by_pointer ? bt_find_label(model, model->rows[place].label) : place;
}

/* How the printed program names a row. */
static void bt_name_row(char *text, size_t size, unsigned side, size_t at)
{
    if (bt_it->by_pointer) {
        snprintf(text, size, "made(%u)", bt_models[side].rows[at].label);
    } else {
        snprintf(text, size, "%s", bt_nth(side, at));
    }
}

#ifdef BT_WITH_SCANS
static void bt_scans_move(bt_model *model, size_t from, size_t many, bool moved);

#endif
/* Inserts a row that was removed before. */
static void bt_put_row(bt_model *model, size_t place, const bt_row *moved, bool behind)
{
    bt_row *row = bt_insert(model, place, moved->label, moved->number, behind);

    model->born--;
    row->due = moved->due;
    row->expired = moved->expired;
    row->twin = moved->twin;
#ifdef BT_WITH_CHANGES
    row->marked = moved->marked;
#endif
#ifdef BT_WITH_BESIDE
    memcpy(row->beside, moved->beside, sizeof row->beside);
#endif
    if (bt_it->moves_stay) {
        row->todo &= moved->todo;
        row->passed = moved->passed;
        row->current = moved->current;
        row->away = moved->away | moved->current;
    }
#ifdef BT_WITH_SCANS
    row->scans = moved->scans; /* which go by keys, not by places */
    row->unsure = moved->unsure;
    row->stood = moved->stood;
#endif
}

/* Moves a row, and nothing if it is there already. Passes see a removal and an insertion; where `moves_stay`, what they have
 * visited they do not visit again. */
static void bt_move_row(bt_model *model, size_t from, size_t place, bool behind)
{
    bt_row moved = model->rows[from];

    if (place == from || place == from + 1) {
        return;
    }
    model->count--;
    memmove(&model->rows[from], &model->rows[from + 1], (model->count - from) * sizeof model->rows[0]);
    place -= place > from;
    bt_put_row(model, place, &moved, behind);
}

static void bt_do_move(const bt_op *op, unsigned side)
{
    static const char *const calls[BT_MOVES] = {"move_before", "move_after", "move_to_front", "move_to_back"};
    bt_model *model = &bt_models[side];
    unsigned how = op->how % BT_MOVES;
    bool beside = how == BT_MOVE_BEFORE || how == BT_MOVE_AFTER;
    unsigned expected = BT_OK;
    unsigned long refusals = bt_refusals;
    unsigned status, spare;
    size_t from, at;
    char which[80], where[80];

    if (bt_it->move == NULL || !bt_may_remove(side) || model->count == 0
        || (bt_pairing > 0 && bt_it->moves_stay && bt_it->records == 0)) { /* no record might be left for an inner pass */
        return;
    }
    from = bt_moved_row(model, (op->label - 1) % model->count);
    at = bt_moved_row(model, op->number % model->count);
    bt_name_row(which, sizeof which, side, from);
    bt_name_row(where, sizeof where, side, at);
    if (beside) {
        bt_say("%s_%s(&%s, %s, %s)", bt_it->name, calls[how], bt_names[side], which, where);
    } else {
        bt_say("%s_%s(&%s, %s)", bt_it->name, calls[how], bt_names[side], which);
    }
    bt_operations++;
    if (model->rows[from].doomed || model->rows[from].leaving
        || (beside && (model->rows[at].doomed || model->rows[at].leaving))) {
        expected = BT_ABSENT;
    }
    spare = bt_it->moves_stay && bt_it->records == 0 ? bt_it->passes - bt_records_in_use(side) : 1;
    status = bt_it->move(side, how, from, at);
    if (bt_it->moves_stay && expected == BT_OK && status != BT_OK && (bt_refusals != refusals || spare < model->live)) {
        expected = bt_it->records == 0 ? BT_BUSY : BT_NO_MEMORY; /* there is no record of what a pass has visited */
    }
    bt_expect(calls[how], status, expected);
    if (status == BT_OK) {
        bt_move_row(model, from, how == BT_MOVE_BEFORE ? at : how == BT_MOVE_AFTER ? at + 1
                                 : how == BT_MOVE_TO_FRONT ? bt_leaving(model) : model->count,
                    how == BT_MOVE_AFTER || how == BT_MOVE_TO_FRONT);
    }
}

#ifdef BT_WITH_BRANCHING
/* Moves a row and all below it: passes see the removal of all of them, then insertions. */
static void bt_move_branch(bt_model *model, size_t from, size_t place, unsigned depth)
{
    static bt_row moved[BT_ROWS];
    size_t many = bt_last_below(model, from) + 1 - from;

    if ((place == from || place == from + many) && depth == model->rows[from].depth) {
        return;
    }
#ifdef BT_WITH_SCANS
    bt_scans_move(model, from, many, false);
#endif
    memcpy(moved, &model->rows[from], many * sizeof moved[0]);
    model->count -= many;
    memmove(&model->rows[from], &model->rows[from + many], (model->count - from) * sizeof model->rows[0]);
    place -= place > from ? many : 0;
    for (size_t i = 0; i < many; i++) {
        bt_put_row(model, place + i, &moved[i], false);
        model->rows[place + i].depth = moved[i].depth - moved[0].depth + depth;
    }
#ifdef BT_WITH_SCANS
    bt_scans_move(model, place, many, true);
#endif
}

static void bt_do_move_branch(const bt_op *op, unsigned side)
{
    static const char *const calls[BT_MOVES + 1] = {"move_before", "move_after", "move_to_front", "move_to_back",
                                                    "move_to_parent"};
    bt_model *model = &bt_models[side];
    unsigned how = op->how % (BT_MOVES + 1);
    bool beside = how == BT_MOVE_BEFORE || how == BT_MOVE_AFTER;
    bool top = how == BT_MOVES && op->how / (BT_MOVES + 1) % 3 == 1; /* the new parent is none */
    bool named = beside || (how == BT_MOVES && !top);
    unsigned expected = BT_OK;
    unsigned depth;
    size_t from, at, place, parent;
    char which[80], where[80];

    if (bt_it->move_branch == NULL || (bt_it->branch_moves >> how & 1) == 0 || !bt_may_remove(side) || model->count == 0) {
        return;
    }
    from = bt_moved_row(model, (op->label - 1) % model->count);
    at = bt_moved_row(model, op->number % model->count);
    bt_name_row(which, sizeof which, side, from);
    bt_name_row(where, sizeof where, side, at);
    if (top) {
        snprintf(where, sizeof where, "%s", bt_it->nil);
    }
    if (named || top) {
        bt_say("%s_%s(&%s, %s, %s)", bt_it->name, calls[how], bt_names[side], which, where);
    } else {
        bt_say("%s_%s(&%s, %s)", bt_it->name, calls[how], bt_names[side], which);
    }
    bt_operations++;
    for (parent = from; parent > 0 && model->rows[parent].depth >= model->rows[from].depth;) {
        parent--;
    }
    depth = model->rows[from].depth;
    if (named) {
        depth = model->rows[at].depth + !beside;
        place = how == BT_MOVE_BEFORE ? at : bt_last_below(model, at) + 1;
    } else if (top || depth == 0) {
        depth = 0;
        place = how == BT_MOVE_TO_FRONT ? bt_leaving(model) : model->count;
    } else {
        place = how == BT_MOVE_TO_FRONT ? parent + 1 : bt_last_below(model, parent) + 1;
    }
    if (model->rows[from].doomed || model->rows[from].leaving || (named && (model->rows[at].doomed || model->rows[at].leaving))) {
        expected = BT_ABSENT;
    } else if (named && at >= from + beside && at <= bt_last_below(model, from)) {
        expected = BT_CYCLE;
    }
    bt_expect(calls[how], bt_it->move_branch(side, how, from, top ? BT_ROWS + 1 : at), expected);
    if (expected == BT_OK) {
        bt_move_branch(model, from, place, depth);
    }
}
#endif

#ifdef BT_WITH_EXCHANGING
/* What a pass stands on at a place has gone: the pass goes on with that place, and with what was put right behind it since. */
static void bt_comes_again(bt_model *model, size_t at)
{
    bt_row *rows = model->rows;

    for (uint32_t pass = 1; !bt_it->bounded && pass != 0 && pass <= rows[at].current; pass <<= 1) {
        bool late = (rows[at].late & pass) != 0;
        bool back = (model->back & pass) != 0 && !late;
        bool meant = (model->back & pass) != 0; /* it comes to what is late, and to what is not */

        if ((rows[at].current & pass) == 0 || (rows[at].away & pass) != 0) { /* or that has come there by a move */
            continue;
        }
        for (size_t i = at; i < model->count; i += back ? (size_t)-1 : 1) {
            if ((rows[i].todo & pass) != 0 && (!meant || ((rows[i].late & pass) != 0) == late)) {
                break;
            }
            rows[i].todo |= pass;
            rows[i].late = late ? rows[i].late | pass : rows[i].late & ~pass;
        }
    }
}

/* Two rows exchange their places. What passes have still to visit are places, and they stand on neither:
 * in an order the place where one stands is ahead of it again, but a bounded pass visits neither. */
static void bt_exchange(bt_model *model, size_t from, size_t at)
{
    bt_row *a = &model->rows[from];
    bt_row *b = &model->rows[at];
    bt_row was = *a;

    if (from == at) {
        return;
    }
#ifdef BT_WITH_PROMISED
    bt_orders_exchange(model, a->label, b->label);
#endif
    a->label = b->label;
    a->number = b->number;
    a->due = b->due;
    a->expired = b->expired;
    a->twin = b->twin;
    b->label = was.label;
    b->number = was.number;
    b->due = was.due;
    b->expired = was.expired;
    b->twin = was.twin;
    for (unsigned turn = 0; turn < 2; turn++) {
        bt_row *row = turn == 0 ? a : b;

        if (bt_it->ordered) {
            row->todo = bt_it->bounded ? 0 : row->todo;
            bt_comes_again(model, (size_t)(row - model->rows));
            row->passed &= ~row->current;
        }
        row->current = 0;
    }
    model->changed = true;
}

static void bt_do_swap_places(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    size_t from, at;
    char which[80], where[80];

    if (bt_it->swap_places == NULL || !bt_may_remove(side) || model->count == 0) {
        return;
    }
    from = bt_moved_row(model, (op->label - 1) % model->count);
    at = bt_moved_row(model, op->number % model->count);
    if (bt_it->ordered) {
        bt_name_row(which, sizeof which, side, from);
        bt_name_row(where, sizeof where, side, at);
    } else {
        for (size_t i = 0; i < model->count; i++) { /* which of equal ones it would be is open */
            if ((i != from && model->rows[i].label == model->rows[from].label)
                || (i != at && model->rows[i].label == model->rows[at].label)) {
                return;
            }
        }
        snprintf(which, sizeof which, "%s", bt_asked(side, model->rows[from].label));
        snprintf(where, sizeof where, "%s", bt_asked(side, model->rows[at].label));
    }
    bt_say("%s_swap_places(&%s, %s, %s)", bt_it->name, bt_names[side], which, where);
    bt_operations++;
    if (model->rows[from].doomed || model->rows[from].leaving || model->rows[at].doomed || model->rows[at].leaving) {
        bt_expect("swap_places", bt_it->swap_places(side, from, at), BT_ABSENT);
        return;
    }
    bt_expect("swap_places", bt_it->swap_places(side, from, at), BT_OK);
    bt_exchange(model, from, at);
}
#endif

/* The place of a row if its key is that of a label. */
static size_t bt_place_by_key(const bt_model *model, size_t from, unsigned label)
{
    size_t place = model->count;

    while (place > bt_leaving(model) && (place - 1 == from || bt_it->before(label, model->rows[place - 1].label))) {
        place--;
    }
    return place;
}

/* The key of an element has changed that is in at most once. */
static void bt_refiles(unsigned side, unsigned label)
{
    bt_model *model = &bt_models[side];
    size_t from = bt_find_label(model, label);
    char which[80];

    if (from == BT_ROWS) {
        return;
    }
    bt_name_row(which, sizeof which, side, from);
    bt_say("%s_rekey(&%s, %s)", bt_it->name, bt_names[side], which);
    bt_operations++;
    if (model->rows[from].doomed || model->rows[from].leaving) {
        bt_expect("rekey", bt_it->refile(side, from), BT_ABSENT);
        return;
    }
    bt_expect("rekey", bt_it->refile(side, from), BT_OK);
    bt_move_row(model, from, bt_place_by_key(model, from, label), false);
}

/* What is not in is not moved, and nothing is moved beside it. */
static void bt_do_move_absent(unsigned side)
{
    if (bt_it->refile != NULL && bt_may_remove(side)) {
        bt_operations++;
        bt_say("%s_rekey(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, BT_ELSEWHERE));
        bt_expect("rekey", bt_it->refile(side, BT_ROWS), BT_ABSENT);
    }
    if (bt_it->move != NULL && bt_may_remove(side)) {
        bt_operations++;
        bt_say("%s_move_to_back(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, BT_ELSEWHERE));
        bt_expect("move_to_back", bt_it->move(side, BT_MOVE_TO_BACK, BT_ROWS, BT_ROWS), BT_ABSENT);
        if (bt_models[side].count > 0) {
            bt_expect("move_before", bt_it->move(side, BT_MOVE_BEFORE, bt_moved_row(&bt_models[side], 0), BT_ROWS), BT_ABSENT);
        }
    }
#ifdef BT_WITH_BRANCHING
    for (unsigned how = 0; bt_it->move_branch != NULL && how <= BT_MOVES && bt_may_remove(side); how++) {
        if ((bt_it->branch_moves >> how & 1) == 0) {
            continue;
        }
        bt_operations++;
        bt_expect("move_branch", bt_it->move_branch(side, how, BT_ROWS, BT_ROWS), BT_ABSENT);
        if (bt_models[side].count > 0
            && (how == BT_MOVE_BEFORE || how == BT_MOVE_AFTER || (how == BT_MOVES && bt_it->by_pointer))) {
            bt_expect("move_branch", bt_it->move_branch(side, how, bt_moved_row(&bt_models[side], 0), BT_ROWS), BT_ABSENT);
        }
    }
#endif
#ifdef BT_WITH_EXCHANGING
    if (bt_it->swap_places != NULL && bt_may_remove(side) && bt_models[side].count > 0) {
        bt_operations++;
        bt_expect("swap_places", bt_it->swap_places(side, bt_moved_row(&bt_models[side], 0), BT_ROWS), BT_ABSENT);
        bt_expect("swap_places", bt_it->swap_places(side, BT_ROWS, bt_moved_row(&bt_models[side], 0)), BT_ABSENT);
    }
#endif
}
#endif
