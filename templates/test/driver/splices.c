#ifdef BT_WITH_SPLICING
/* -- elements of another container, as they are linked --------------------------------------------------------------- */

enum { BT_SPLICE_BEFORE, BT_SPLICE_AFTER, BT_SPLICE_TO_BACK, BT_SPLICES };

/* Moves rows of the other container: their passes see removals, those here insertions, of one behind the other. */
static void bt_splice_rows(unsigned side, size_t first, size_t many, size_t place, bool behind)
{
    bt_model *model = &bt_models[side];
    bt_model *from = &bt_models[1 - side];

    for (size_t i = 0; i < many; i++) {
        bt_row moved = from->rows[first];
        bt_row *row;

        bt_take(from, first);
        row = bt_insert(model, place + i, moved.label, ++bt_next_number, behind);
        row->expired = moved.expired;
        row->twin = moved.twin;
    }
}

static void bt_do_splice(const bt_op *op, unsigned side)
{
    static const char *const calls[BT_SPLICES] = {"splice_before", "splice_after", "splice_to_back"};
    bt_model *model = &bt_models[side];
    bt_model *from = &bt_models[1 - side];
    unsigned how = op->how % BT_SPLICES;
    bool beside = how != BT_SPLICE_TO_BACK;
    unsigned expected = BT_OK;
    size_t first, last, at, place;
    char which[2][80], where[80];

    if (bt_it->splice == NULL || (bt_it->splice_ways >> how & 1) == 0 || !bt_may_remove(1 - side) || from->count == 0
        || model->count + from->count + model->waiting > BT_ROWS / 2) {
        return;
    }
    first = (op->label - 1) % from->count;
    last = (first + op->number) % from->count; /* before it, at times */
    at = op->how / BT_SPLICES % (model->count + 1);
    snprintf(which[0], sizeof which[0], "made(%u)", from->rows[first].label);
    snprintf(which[1], sizeof which[1], "made(%u)", from->rows[last].label);
    if (at == model->count) {
        snprintf(where, sizeof where, "NULL");
    } else {
        snprintf(where, sizeof where, "made(%u)", model->rows[at].label);
    }
    bt_say("%s_%s(&%s, %s%s&%s, %s, %s)", bt_it->name, calls[how], bt_names[side], beside ? where : "", beside ? ", " : "",
           bt_names[1 - side], which[0], which[1]);
    bt_operations++;
    if (from->rows[first].doomed || last < first || (beside && at < model->count && model->rows[at].doomed)) {
        expected = BT_ABSENT;
    } else if (bt_it->limit != 0 && model->count + last - first >= bt_it->limit) {
        expected = BT_FULL;
#ifdef BT_WITH_WEIGHING
    } else if (bt_it->heaviest != 0) {
        uint64_t weight = 0;

        for (size_t i = first; i <= last; i++) {
            weight += bt_weight_of(from, i);
        }
        expected = bt_fits(model, weight) ? BT_OK : BT_FULL;
#endif
    }
    place = !beside || (at == model->count && how == BT_SPLICE_AFTER) ? model->count
        : at == model->count ? bt_leaving(model) : at + (how == BT_SPLICE_AFTER);
    bt_expect(calls[how], bt_it->splice(side, how, at, first, last), expected);
    if (expected == BT_OK) {
        bt_splice_rows(side, first, last + 1 - first, place,
                       beside && (how == BT_SPLICE_AFTER) == (at < model->count));
    }
}
#endif
