#ifdef BT_WITH_SCANS
/* -- scans: passes over what a named index finds, over children, and over subtrees ----------------------------------------- */

typedef struct bt_scan {
    bool live;
    unsigned side;
    unsigned index;
    bool back;
    bool all;           /* elements of every key */
    unsigned low, high; /* labels of the first and the last key of what it visits */
    unsigned at;        /* it stands behind an element with the key of this label; BT_NOBODY: before all */
    unsigned family;    /* of children, or a subtree: which of both; 0: of an index */
    unsigned root;      /* the number of the row above them */
} bt_scan;

enum { BT_SCANS = 8, BT_BY_INDEX_BACK = 1, BT_BY_INDEX_ALL = 2, BT_WAYS_OF_INDEX = 4, BT_CHILDREN = 28, BT_SUBTREE = 30 };
static bt_scan bt_scans[BT_SCANS];

/* Is a row among the children, or in the subtree, of a scan? */
static bool bt_is_in_family(const bt_scan *scan, const bt_model *model, size_t at)
{
    size_t root = bt_find_number(model, scan->root);

    if (root == BT_ROWS || at < root || at > bt_last_below(model, root)) {
        return false;
    }
    return scan->family == BT_SUBTREE || model->rows[at].depth == model->rows[root].depth + 1;
}

/* The row that a scan stands on, or behind; BT_ROWS: none. */
static size_t bt_stands_at(const bt_scan *scan, const bt_model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        if ((model->rows[i].stood >> (scan - bt_scans) & 1) != 0) {
            return i;
        }
    }
    return BT_ROWS;
}

/* A row is where it now is in the tree. */
static void bt_scan_meets(const bt_scan *scan, bt_model *model, size_t at)
{
    uint32_t bit = (uint32_t)1 << (scan - bt_scans);
    bt_row *row = &model->rows[at];
    size_t stands = bt_stands_at(scan, model);

    row->scans &= ~bit;
    row->stood &= ~bit;
    row->unsure &= ~bit;
    if (bt_is_in_family(scan, model, at)) {
        row->scans |= stands == BT_ROWS || (scan->back ? at < stands : at > stands) ? bit : 0;
        row->unsure |= bt_it->skips ? bit : 0;
    }
}

/* The rows from one to another are removed, or moved: a scan on one of them stands behind what it has visited before. */
static void bt_scan_unlinks(const bt_scan *scan, bt_model *model, size_t from, size_t to)
{
    uint32_t bit = (uint32_t)1 << (scan - bt_scans);
    size_t stands = bt_stands_at(scan, model);

    if (stands < from || stands >= to) {
        return;
    }
    model->rows[stands].stood &= ~bit;
    for (size_t i = scan->back ? to : from; scan->back ? i < model->count : i-- > 0; i += scan->back) {
        if (bt_is_in_family(scan, model, i)) {
            model->rows[i].stood |= bit;
            return;
        }
    }
}

/* Rows are going to be moved in the tree, or have been: to a scan of what they were, or are, in. */
BT_SPARE static void bt_scans_move(bt_model *model, size_t from, size_t many, bool moved)
{
    for (unsigned i = 0; i < BT_SCANS; i++) {
        bt_scan *scan = &bt_scans[i];
        size_t root = bt_find_number(model, scan->root);

        if (!scan->live || &bt_models[scan->side] != model || scan->family == 0 || (root >= from && root < from + many)) {
            continue;
        }
        for (size_t at = from; moved && at < from + many; at++) {
            bt_scan_meets(scan, model, at);
        }
        if (!moved) {
            bt_scan_unlinks(scan, model, from, from + many);
        }
    }
}

/* Which of the keys of two labels comes first in an index that is scanned? */
static int bt_in_index(unsigned way, unsigned a, unsigned b)
{
#ifdef BT_WITH_NAMED
    for (unsigned i = 0; i < bt_it->indexes; i++) {
        if (bt_it->index[i].way == way + 1) {
            return bt_it->compare(i, a, b);
        }
    }
#else
    (void)way, (void)a, (void)b;
#endif
    return 0;
}

/* Does the key of one label come before that of another, in the direction of a scan? */
static bool bt_comes_before(const bt_scan *scan, unsigned a, unsigned b)
{
    return scan->back ? bt_in_index(scan->index, b, a) < 0 : bt_in_index(scan->index, a, b) < 0;
}

static bool bt_scan_has(const bt_scan *scan, unsigned label)
{
    return scan->all
        || (bt_in_index(scan->index, scan->low, label) <= 0 && bt_in_index(scan->index, label, scan->high) <= 0);
}

/* A row was added, with those above it known. */
static void bt_meets_family(bt_model *model, size_t at)
{
    for (unsigned i = 0; i < BT_SCANS; i++) {
        if (bt_scans[i].live && &bt_models[bt_scans[i].side] == model && bt_scans[i].family != 0) {
            bt_scan_meets(&bt_scans[i], model, at);
        }
    }
}

/* A row was added, or removed from the index and added to it again: behind all that have its key. */
static void bt_meets_scan(const bt_scan *scan, bt_row *row)
{
    uint32_t bit = (uint32_t)1 << (scan - bt_scans);

    row->scans &= ~bit;
    row->stood &= ~bit;
    row->unsure &= ~bit;
    if (bt_scan_has(scan, row->label) && (scan->at == BT_NOBODY || (scan->back ? bt_comes_before(scan, scan->at, row->label)
                                                                               : !bt_comes_before(scan, row->label, scan->at)))) {
        row->scans |= bit;
    }
    if (bt_it->skips && bt_scan_has(scan, row->label)) { /* where expired elements are in the order is not known */
        row->unsure |= bit;
    }
}

static void bt_meets_scans(const bt_model *model, bt_row *row)
{
    row->scans = row->stood = row->unsure = 0;
    for (unsigned i = 0; i < BT_SCANS; i++) {
        if (bt_scans[i].live && bt_scans[i].family == 0 && &bt_models[bt_scans[i].side] == model) {
            bt_meets_scan(&bt_scans[i], row);
        }
    }
}

/* A row is removed: a scan that stands on it stands behind the one before it. Those from `from` to `to` have been removed. */
static void bt_unlinks_scan(bt_scan *scan, bt_model *model, size_t at, size_t from, size_t to)
{
    uint32_t bit = (uint32_t)1 << (scan - bt_scans);
    unsigned label = model->rows[at].label;
    bt_row *found = NULL;

    if ((model->rows[at].stood & bit) == 0) {
        return;
    }
    for (size_t i = 0; i < model->count; i++) {
        bt_row *row = &model->rows[i];

        if (i != at && (i < from || i >= to) && (row->scans & bit) == 0 && !bt_comes_before(scan, label, row->label)
            && bt_scan_has(scan, row->label) && (found == NULL || bt_comes_before(scan, found->label, row->label))) {
            found = row;
        }
    }
    model->rows[at].stood &= ~bit;
    scan->at = BT_NOBODY;
    if (found != NULL) {
        found->stood |= bit;
        scan->at = found->label;
    }
}

static void bt_unlinks_scans(bt_model *model, size_t at, size_t behind)
{
    for (unsigned i = 0; i < BT_SCANS; i++) {
        if (bt_scans[i].live && &bt_models[bt_scans[i].side] == model) {
            if (bt_scans[i].family != 0) {
                bt_scan_unlinks(&bt_scans[i], model, at, behind);
            } else {
                bt_unlinks_scan(&bt_scans[i], model, at, at, behind);
            }
        }
    }
}

/* An element was removed from an index, and added to it again with the same key. */
BT_SPARE static void bt_rekeyed(unsigned side, unsigned index, unsigned label)
{
    bt_model *model = &bt_models[side];
    size_t at = bt_find_label(model, label);

    for (unsigned i = 0; i < BT_SCANS; i++) {
        if (bt_scans[i].live && bt_scans[i].family == 0 && bt_scans[i].side == side && bt_scans[i].index == index
            && at != BT_ROWS) {
            bt_unlinks_scan(&bt_scans[i], model, at, at, at);
            bt_meets_scan(&bt_scans[i], &model->rows[at]);
        }
    }
}

/* Does a pass over what a row is in not come to it because it has expired, or one above it, up to the root of the scan, has? */
static bool bt_is_hidden(const bt_scan *scan, const bt_model *model, size_t at)
{
    size_t root = bt_find_number(model, scan->root);
    unsigned depth = model->rows[at].depth;

    if (!bt_it->skips || bt_is_expired(&model->rows[at]) || scan->family != BT_SUBTREE) {
        return bt_it->skips && bt_is_expired(&model->rows[at]);
    }
    while (at-- > root && root != BT_ROWS) {
        if (model->rows[at].depth < depth) {
            depth = model->rows[at].depth;
            if (bt_is_expired(&model->rows[at])) {
                return true;
            }
        }
    }
    return false;
}

/* A scan has come to an element: was it its turn? */
static void bt_scan_visits(bt_scan *scan, unsigned label)
{
    bt_model *model = &bt_models[scan->side];
    uint32_t bit = (uint32_t)1 << (scan - bt_scans);
    size_t at = bt_find_label(model, label);

    if (at == BT_ROWS || ((model->rows[at].scans | model->rows[at].unsure) & bit) == 0
        || (scan->family != 0 && !bt_is_in_family(scan, model, at))) {
        bt_fail("a scan of '%s' visits element %u, which %s", bt_names[scan->side], label,
                at == BT_ROWS ? "is not in" : "it must not visit (again)");
    }
    if (bt_it->skips && bt_is_expired(&model->rows[at])) {
        bt_fail("a scan of '%s' visits element %u, which has expired", bt_names[scan->side], label);
    }
    for (size_t i = 0; i < model->count; i++) {
        bt_row *row = &model->rows[i];

        row->stood &= ~bit;
        if ((row->scans & bit) == 0
            || !(scan->family != 0 ? (scan->back ? i > at : i < at) : bt_comes_before(scan, row->label, label))) {
            continue;
        }
        if (bt_is_hidden(scan, model, i)) {
            row->scans &= ~bit;
        } else if ((row->unsure & bit) == 0) {
            bt_fail("a scan of '%s' visits element %u, but it is the turn of %u", bt_names[scan->side], label, row->label);
        }
    }
    model->rows[at].scans &= ~bit;
    model->rows[at].unsure &= ~bit;
    model->rows[at].stood |= bit;
    scan->at = label;
}

/* What a scan stands on changes: its key, or its place in the tree. */
static void bt_changes_current(unsigned side, unsigned label)
{
    bt_op op = bt_draw(BT_SETTLE);
    size_t at = bt_find_label(&bt_models[side], label);

    if (bt_calm > 0 || bt_depth >= 3 || bt_budget == 0 || !bt_wild || at == BT_ROWS || !bt_in_step(side)
        || bt_models[side].replaying) {
        return;
    }
    op.side = (unsigned char)side;
    op.label = label;
#ifdef BT_WITH_NAMED
    op.kind = BT_REKEY_NAMED;
#endif
#ifdef BT_WITH_BRANCHING
    if (bt_it->move_branch != NULL && (bt_it->indexes == 0 || op.luck % 2 == 0)) {
        op.kind = BT_MOVE_BRANCH;
        op.label = (unsigned)at + 1;
    }
#endif
    bt_budget--;
    bt_depth++;
    bt_do(&op);
    bt_depth--;
}

/* The body of the loop over a scan. */
static unsigned bt_scanned(unsigned side, unsigned label)
{
    bt_frame *frame = bt_top;
    bt_scan *scan = &bt_scans[frame->many];
    unsigned action = frame->action;
    size_t at;

    bt_scan_visits(scan, label);
    if (frame->at++ < frame->stop) {
        action = BT_GO_ON;
    }
    if (action == BT_BREAK || action == BT_END_IT || action == BT_RETURN) {
        frame->done = true;
        return action;
    }
    if (action == BT_GO_ON || bt_below(3) == 0) {
        bt_mischief(side);
    }
    if (bt_below(4) == 0) {
        bt_changes_current(side, label);
    }
    if (action != BT_REMOVE_CURRENT) {
        return BT_GO_ON;
    }
    at = bt_find_label(&bt_models[side], label);
    if (!bt_may_remove(side) || (bt_it->deferred && bt_models[side].replayed > 0)) {
        return BT_GO_ON;
    }
    if (at == BT_ROWS || (bt_models[side].rows[at].stood >> frame->many & 1) == 0) {
        return BESPOKE_CHECKS ? BT_GO_ON : BT_REMOVE_IT; /* it has been removed: to remove it is misuse */
    }
    bt_say("%s_scan_remove_current(&element_scan)", bt_it->name);
    bt_operations++;
    bt_enter(frame->inner, BT_REMOVING, side);
    frame->inner->label = label;
    frame->inner->number = bt_models[side].rows[at].number;
    frame->inner->many = bt_will_stay(side, frame->inner->number);
    if (!frame->inner->many) {
        frame->inner->number = 0;
    }
    frame->inner->taken = (size_t)bt_refusals;
    return action;
}

/* Returns whether to remove it again, which is misuse. */
static bool bt_scan_removed(unsigned status)
{
    bt_frame *inner = bt_top;

    bt_leave();
    bt_has_removed(inner, "scan_remove_current", status, inner->many != 0, (unsigned long)inner->taken);
    return !BESPOKE_CHECKS && !bt_it->deferred && inner->label % 2 != 0;
}

/* A scan removes an element again, which was removed before. */
static void bt_scan_refused(unsigned status)
{
    bt_expect("scan_remove_current", status, BT_ABSENT);
    bt_reported(true, "scan_remove_current");
}

static void bt_do_scan(const bt_op *op, unsigned side)
{
    static const unsigned actions[] = {BT_GO_ON, BT_REMOVE_CURRENT, BT_GO_ON, BT_BREAK,
                                       BT_GO_ON, BT_REMOVE_CURRENT, BT_END_IT, BT_RETURN};
    unsigned long refusals = bt_refusals;
    bt_model *model = &bt_models[side];
    unsigned way = op->how / 8 % 32;
    unsigned number = 0;
    bt_frame frame;
    bt_frame inner;
    bt_scan *scan;
    bool left;

    while (number < BT_SCANS && bt_scans[number].live) {
        number++;
    }
    if (bt_it->scan == NULL || !bt_it->unique || bt_it->replaces || number == BT_SCANS || !bt_may_begin(side)
        || bt_under_way(BT_CLEARING, side)) {
        return;
    }
    while ((bt_it->scan_ways >> way & 1) == 0) {
        way = (way + 1) % 32;
    }
    scan = &bt_scans[number];
    scan->side = side;
    scan->index = way / BT_WAYS_OF_INDEX;
    scan->back = (way & BT_BY_INDEX_BACK) != 0;
    scan->all = (way & BT_BY_INDEX_ALL) != 0;
    scan->low = 1 + (op->label - 1) % (bt_labels - 1);
    scan->family = way < BT_CHILDREN ? 0 : way < BT_SUBTREE ? BT_CHILDREN : BT_SUBTREE;
    if (scan->family != 0 && model->count > 0 && op->number % 16 != 0) {
        scan->low = model->rows[op->label % model->count].label;
    }
    scan->root = bt_number_of(side, scan->low);
    scan->high = scan->low;
    if (scan->family == 0 && (bt_it->scan_ways >> (way | BT_BY_INDEX_ALL) & 1) != 0) { /* in an order */
        scan->high = 1 + op->number / 8 % (bt_labels - 1);
    }
    if (op->number % 16 != 0 && scan->family == 0 && bt_in_index(scan->index, scan->high, scan->low) < 0) {
        unsigned low = scan->low;

        scan->low = scan->high;
        scan->high = low;
    }
    scan->at = BT_NOBODY;
    bt_operations++;
    bt_say("/* a scan of '%s' by index %u, way %u, from the key of element %u to that of %u */", bt_names[side], scan->index,
           way % BT_WAYS_OF_INDEX, scan->low, scan->high);
    bt_enter(&frame, BT_LOOPING, side);
    frame.action = actions[op->how % 8];
    frame.stop = op->number % 8 / 2;
    frame.inner = &inner;
    frame.many = number;
    frame.pass = bt_it->passes_lock ? bt_pass_begins(side, 0, bt_it->begins_back) : 0;
    scan->live = true;
    for (size_t i = 0; i < model->count; i++) {
        model->rows[i].stood &= ~((uint32_t)1 << number);
    }
    for (size_t i = 0; i < model->count; i++) {
        if (scan->family != 0) {
            bt_scan_meets(scan, model, i);
        } else {
            bt_meets_scan(scan, &model->rows[i]);
        }
        model->rows[i].unsure &= ~((uint32_t)1 << number);
    }
    left = bt_it->scan(side, way, scan->low, scan->high);
    if (!bt_has_no_record(&frame, refusals) && !left && !frame.done) {
        for (size_t i = 0; i < model->count; i++) {
            const bt_row *row = &model->rows[i];

            if ((row->scans & ~row->unsure & (uint32_t)1 << number) != 0 && !bt_is_hidden(scan, model, i)
                && (scan->family == 0 || bt_is_in_family(scan, model, i))) {
                bt_fail("a scan of '%s' is over, but it has not visited element %u", bt_names[side], row->label);
            }
        }
    }
    scan->live = false;
#if !BESPOKE_CHECKS
    if (op->number % 8 == 7 && !bt_it->deferred && bt_may_remove(side)) {
        const char *wrong = bt_it->scan_misused(side, scan->low);

        if (wrong != NULL) {
            bt_fail("%s of '%s' does something", wrong, bt_names[side]);
        }
        (void)bt_has_no_record(&frame, refusals);
    }
#endif
    if (frame.pass != 0) {
        bt_pass_stops(side, frame.pass, true);
    }
    bt_leave();
    bt_pass_replays(side, refusals, "scan_end");
}
#endif
