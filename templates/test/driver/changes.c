#ifdef BT_WITH_CHANGES
/* -- what has changed since a version --------------------------------------------------------------------------------------- */

enum { BT_WAS_ADDED, BT_WAS_MARKED, BT_WAS_REMOVED };
enum { BT_VIEWS = 3 };

/* What is known of a container where its changes are read now and then. */
static struct {
    uint64_t version;
    bool back;      /* an earlier state has come back since */
    unsigned heard; /* changes that were reported since */
    uint64_t last;  /* the version of the last one */
    size_t count;
    struct bt_seen {
        unsigned label;
        unsigned number; /* of its row in the model, */
        unsigned marked; /* and what that said of its content */
        size_t index;    /* of its handle */
        unsigned long generation;
    } rows[BT_ROWS];
} bt_views[BT_SIDES][BT_VIEWS];

static unsigned bt_lives[BT_SIDES]; /* how often a container was made anew: what is known from before means nothing then */
static unsigned bt_marks; /* how often an element was marked */
static unsigned bt_viewer; /* which of the views is brought up to date */

/* What is known of a container is no more. */
static void bt_forget_views(unsigned side)
{
    for (unsigned i = 0; i < BT_VIEWS; i++) {
        bt_views[side][i].version = 0;
        bt_views[side][i].count = 0;
        bt_views[side][i].back = false;
    }
}

/* The loop over changes has come to one. */
static void bt_hears(unsigned side, const bt_news *news)
{
    size_t at = 0;
    size_t row = bt_find_label(&bt_models[side], news->label);
    struct bt_seen *seen = bt_views[side][bt_viewer].rows;
    size_t *count = &bt_views[side][bt_viewer].count;

    if (news->version <= bt_views[side][bt_viewer].last) {
        bt_fail("changes of '%s' are not in the order of their versions", bt_names[side]);
    }
    bt_views[side][bt_viewer].heard++;
    bt_views[side][bt_viewer].last = news->version;
    while (at < *count && seen[at].index != news->index) {
        at++;
    }
    if (news->kind == BT_WAS_REMOVED) {
        if (news->label != BT_NOBODY) {
            bt_fail("element %u is reported as removed, and its handle names it", news->label);
        }
        if (at < *count && seen[at].generation > news->generation) {
            bt_fail("the handle of a removed element is not that of element %u", seen[at].label);
        }
        if (at < *count) {
            seen[at] = seen[--*count];
        }
        return;
    }
    if (row == BT_ROWS) {
        bt_fail("a change is reported of element %u, which is not in '%s'", news->label, bt_names[side]);
    }
    if (news->kind == BT_WAS_MARKED) {
        if (at == *count || seen[at].generation != news->generation || seen[at].label != news->label) {
            bt_fail("element %u is new, and is not reported as added", news->label);
        }
        if (seen[at].number == bt_models[side].rows[row].number && seen[at].marked == bt_models[side].rows[row].marked
            && !bt_views[side][bt_viewer].back && bt_it->update_by_worker == NULL) {
            bt_fail("element %u is reported as marked, and was not", news->label);
        }
    } else {
        if (at < *count && seen[at].generation >= news->generation && !bt_views[side][bt_viewer].back) {
            bt_fail("element %u is reported as added, and was in '%s'", news->label, bt_names[side]);
        }
        *count += at == *count;
    }
    seen[at].label = news->label;
    seen[at].number = bt_models[side].rows[row].number;
    seen[at].marked = bt_models[side].rows[row].marked;
    seen[at].index = news->index;
    seen[at].generation = news->generation;
}

/* Reads what has changed, and must then know all that is in the container. */
static void bt_views_changes(unsigned side, unsigned viewer)
{
    uint64_t version = bt_it->version(side);
    const bt_model *model = &bt_models[side];

    bt_viewer = viewer;
    bt_views[side][viewer].heard = 0;
    bt_views[side][viewer].last = bt_views[side][viewer].version;
    bt_it->changed(side, bt_views[side][viewer].version);
    if (bt_views[side][viewer].last != version && !bt_views[side][viewer].back) {
        bt_fail("the last change of '%s' has version %lu, expected %lu", bt_names[side],
                (unsigned long)bt_views[side][viewer].last, (unsigned long)version);
    }
    for (size_t i = 0; i < bt_views[side][viewer].count; i++) {
        const struct bt_seen *seen = &bt_views[side][viewer].rows[i];
        size_t row = bt_find_label(model, seen->label);

        if (row == BT_ROWS) {
            bt_fail("element %u was removed from '%s', and that is not reported", seen->label, bt_names[side]);
        }
        if (seen->number != model->rows[row].number || seen->marked != model->rows[row].marked) {
            bt_fail("element %u of '%s' was marked or replaced, and that is not reported", seen->label, bt_names[side]);
        }
    }
    if (bt_views[side][viewer].count != model->count) {
        bt_fail("of %lu elements of '%s' %lu are reported as added", (unsigned long)model->count, bt_names[side],
                (unsigned long)bt_views[side][viewer].count);
    }
    bt_views[side][viewer].version = version;
    bt_views[side][viewer].back = false;
}

/* Some read often, some seldom. */
static void bt_same_changes(unsigned side, unsigned step)
{
    for (unsigned viewer = 0; viewer < BT_VIEWS; viewer++) {
        if (step % (1 + viewer * viewer * 5) == 0) {
            bt_views_changes(side, viewer);
        }
    }
}

static void bt_do_mark(const bt_op *op, unsigned side)
{
    const struct bt_seen *seen;
    uint64_t version;
    unsigned status;
    size_t row;

    if (bt_it->mark_handle == NULL || bt_views[side][op->cursor % BT_VIEWS].count == 0) {
        return;
    }
    seen = &bt_views[side][op->cursor % BT_VIEWS].rows[op->number % bt_views[side][op->cursor % BT_VIEWS].count];
    row = bt_find_number(&bt_models[side], seen->number);
    if (row == BT_ROWS && bt_it->replaces) {
        return; /* it was removed, or replaced */
    }
    bt_say("%s_mark(&%s, (%s_handle){.index = %luu, .generation = %luu})", bt_it->name, bt_names[side], bt_it->type,
           (unsigned long)seen->index, seen->generation);
    bt_operations++;
    version = bt_it->version(side);
    status = bt_it->mark_handle(side, seen->index, seen->generation);
    bt_expect("mark", status, row == BT_ROWS ? BT_STALE : BT_OK);
    if (bt_it->version(side) != version + (row != BT_ROWS)) {
        bt_fail("%s_mark counts a change that is none, or none", bt_it->name);
    }
    if (row != BT_ROWS) {
        bt_models[side].rows[row].marked = ++bt_marks;
    }
}
#endif
