#ifdef BT_WITH_MERGING
/* -- changes of workers, and elements in the inbox -------------------------------------------------------------------- */

/* A change that a worker has noted. */
typedef struct bt_noted {
    bool adds;
    unsigned worker;
    unsigned key;
    unsigned label;
    unsigned number; /* of the row that it removes */
} bt_noted;

static struct {
    bool under_way; /* they are noted, and not yet merged */
    bool dropped;   /* a deinit destroys what would have been added */
    bool taken;     /* the removed elements are out of the model */
    bt_noted out[BT_BATCH];
    size_t outs;
    size_t out_at;  /* how many hooks were called for them */
    bt_noted in[BT_BATCH];
    size_t ins;
    size_t in_at;   /* how many of them are in the model */
} bt_merge;

/* Puts a change where it is merged: behind those that are not merged after it.
 * Several removals of an element are one, the first. */
static void bt_note(bt_noted *changes, size_t *count, const bt_noted *change)
{
    size_t at = *count;

    while (at > 0 && (bt_it->merges_by_key && changes[at - 1].key != change->key ? changes[at - 1].key > change->key
                                                                                : changes[at - 1].worker > change->worker)) {
        at--;
    }
    memmove(&changes[at + 1], &changes[at], (*count - at) * sizeof *changes);
    changes[at] = *change;
    ++*count;
    for (size_t first = 0; !change->adds && first < *count; first++) {
        for (size_t later = first + 1; changes[first].number == change->number && later < *count; later++) {
            if (changes[later].number == change->number) {
                memmove(&changes[later], &changes[later + 1], (--*count - later) * sizeof *changes);
                return;
            }
        }
    }
}

/* All removed elements are out before the first hook is called. */
static void bt_merge_takes(unsigned side)
{
    bt_model *model = &bt_models[side];

    for (size_t i = 0; !bt_merge.taken && i < bt_merge.outs; i++) {
        bt_take(model, bt_find_number(model, bt_merge.out[i].number));
    }
    bt_merge.taken = true;
}

static void bt_merge_adds(unsigned side)
{
    const bt_noted *change = &bt_merge.in[bt_merge.in_at++];

    bt_append(&bt_models[side], change->label, ++bt_next_number);
}

/* Is a hook called now for an element that a worker has removed? */
BT_SPARE static bool bt_merges_out(unsigned side, unsigned label)
{
    if (!bt_merge.under_way) {
        return false;
    }
    bt_merge_takes(side);
    if (bt_merge.out_at == bt_merge.outs) { /* a sweep has begun */
        while (!bt_it->on_add && bt_merge.in_at < bt_merge.ins) {
            bt_merge_adds(side);
        }
        return false;
    }
    if (bt_merge.out[bt_merge.out_at].label != label) {
        bt_fail("a hook is called for the removal of element %u by a worker, though that of element %u comes before it", label,
                bt_merge.out[bt_merge.out_at].label);
    }
    bt_merge.out_at++;
    return true;
}

/* And for one that a worker has added? */
BT_SPARE static bool bt_merges_in(unsigned side, unsigned label)
{
    if (!bt_merge.under_way || bt_merge.in_at == bt_merge.ins) {
        return false;
    }
    bt_merge_takes(side);
    if (bt_merge.in[bt_merge.in_at].label != label || (bt_tells(false) && bt_merge.out_at < bt_merge.outs)) {
        bt_fail("a hook is called for the add of element %u by a worker, which is not the next change", label);
    }
    bt_merge_adds(side);
    return true;
}

/* Is an element destroyed that would have been added? */
BT_SPARE static bool bt_merge_drops(unsigned label)
{
    if (!bt_merge.dropped || bt_merge.in_at == bt_merge.ins || bt_merge.in[bt_merge.in_at].label != label) {
        return false;
    }
    bt_merge.in_at++;
    return true;
}

/* T_settle has returned. */
static void bt_merge_rest(unsigned side, unsigned status)
{
    if (!bt_merge.under_way) {
        return;
    }
    if (status == BT_NO_MEMORY) {
        if (bt_merge.taken || bt_merge.in_at > 0) {
            bt_fail("%s_settle returned NO_MEMORY, but has merged changes of workers", bt_it->name);
        }
        return;
    }
    if ((bt_tells(false) && bt_merge.out_at < bt_merge.outs) || (bt_it->on_add && bt_merge.in_at < bt_merge.ins)) {
        bt_fail("%s_settle has merged the changes of workers, but not called all hooks", bt_it->name);
    }
    bt_merge_takes(side);
    while (bt_merge.in_at < bt_merge.ins) {
        bt_merge_adds(side);
    }
    for (size_t i = 0; bt_it->note_handle != NULL && i < bt_merge.ins; i++) {
        if (bt_find_label(&bt_models[side], bt_merge.in[i].label) != BT_ROWS) {
            bt_it->note_handle(side, bt_merge.in[i].label);
        }
    }
    bt_merge.under_way = false;
}
#endif
