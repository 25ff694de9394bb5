#ifdef BT_WITH_NAMED
/* -- named indexes: what is found by their keys, in their order, and under another key ------------------------------------- */

enum { BT_FIND, BT_LOWER_BOUND, BT_UPPER_BOUND }; /* what look_up calls of an index */
enum { BT_KEPT, BT_KEPT_BACK, BT_NOW, BT_NOW_BACK };           /* the ranges of an index */
enum { BT_KEPT_RANGES = 16 };                                      /* of as many indexes, ranges are kept */
enum { BT_HAD_KEY, BT_HAS_KEY };                                   /* of an element that has been given another one */

/* A range of each index from earlier on, as the container has it, and another to go backward: none goes on behind a change. */
static struct {
    unsigned label, steps;
    bool there;
} bt_kept_ranges[BT_SIDES][BT_KEPT_RANGES];

/* A container begins anew. */
BT_SPARE static void bt_forget_ranges(unsigned side)
{
    memset(bt_kept_ranges[side], 0, sizeof bt_kept_ranges[side]);
}

#if !BESPOKE_CHECKS
/* Ranges of an index begin, with the elements of a label's key, and with `steps` of them taken. */
static void bt_begin_ranges(unsigned side, unsigned index, unsigned range, unsigned label, unsigned steps)
{
    for (unsigned back = 0; back < (bt_it->index[index].ordered ? 2u : 1u); back++) {
        bt_it->begin_range(side, index, range + back, label);
        for (unsigned i = 0; i < steps; i++) {
            (void)bt_it->next_in_range(side, index, range + back, false);
        }
    }
}

/* A range from earlier on goes on as one from now would, or ends. One from now is kept. */
static void bt_goes_on(unsigned side, unsigned index, unsigned label)
{
    const bt_index *is = &bt_it->index[index];
    unsigned long misused = bt_misused;

    if (bt_kept_ranges[side][index].there) {
        bool over = bt_it->range_is_over(side, index, BT_KEPT);
        uintptr_t last = is->ordered ? bt_it->next_in_range(side, index, BT_KEPT_BACK, true) : 0;
        uintptr_t place = bt_it->next_in_range(side, index, BT_KEPT, false);

        bt_begin_ranges(side, index, BT_NOW, bt_kept_ranges[side][index].label, bt_kept_ranges[side][index].steps);
        if (is->ordered && last != (over ? 0 : bt_it->next_in_range(side, index, BT_NOW_BACK, true))) {
            bt_fail("%s_previous_%s of '%s' %s", bt_it->name, is->name, bt_names[side],
                    over ? "goes on behind a change" : "has another element than a new range");
        }
        if (place != (over ? 0 : bt_it->next_in_range(side, index, BT_NOW, false))
            || (over && bt_it->next_in_range(side, index, BT_KEPT, false) != 0)) {
            bt_fail("%s_next_%s of '%s' %s", bt_it->name, is->name, bt_names[side],
                    over ? "goes on behind a change" : "has another element than a new range");
        }
        if (bt_it->reports && bt_misused != misused + (over ? is->ordered ? 3 : 2 : 0)) {
            bt_fail("%s_next_%s of '%s' %s", bt_it->name, is->name, bt_names[side],
                    over ? "does not report misuse" : "reports misuse, and there is none");
        }
    }
    bt_misused = misused;
    bt_kept_ranges[side][index].label = label;
    bt_kept_ranges[side][index].steps = label % 2;
    bt_kept_ranges[side][index].there = true;
    bt_begin_ranges(side, index, BT_KEPT, label, label % 2);
}
#endif

/* Where the element of a label is, by its key in an index; 0: nowhere. */
static uintptr_t bt_by_index(unsigned side, unsigned index, unsigned label)
{
    uintptr_t place;

    if (bt_it->index[index].unique) {
        return bt_it->look_up(side, index, BT_FIND, label);
    }
    bt_it->begin_range(side, index, BT_NOW, label);
    do {
        place = bt_it->next_in_range(side, index, BT_NOW, false);
    } while (place != 0 && bt_it->label_of(side, place) != label);
    return place;
}

/* Is an element under the key of a label in an index? */
static bool bt_is_under(unsigned side, unsigned index, uintptr_t place, unsigned label)
{
    uintptr_t found = bt_it->look_up(side, index, BT_FIND, label);

    if (!bt_it->index[index].unique) {
        bt_it->begin_range(side, index, BT_NOW, label);
        do {
            found = bt_it->next_in_range(side, index, BT_NOW, false);
        } while (found != 0 && found != place);
    }
    return found == place;
}

/* Has an index all elements of a label's key, and no other? */
static void bt_finds_all(unsigned side, unsigned index, unsigned label)
{
    const bt_index *is = &bt_it->index[index];
    const bt_model *model = &bt_models[side];
    uintptr_t first = bt_it->look_up(side, index, BT_FIND, label);
    uintptr_t place;
    size_t count = 0;
    size_t found = 0;

    for (size_t i = 0; i < model->count; i++) {
        count += bt_it->compare(index, model->rows[i].label, label) == 0;
    }
    bt_it->begin_range(side, index, BT_NOW, label);
    while ((place = bt_it->next_in_range(side, index, BT_NOW, false)) != 0 && found <= count) {
        unsigned other = bt_it->label_of(side, place);

        if (found++ == 0 && place != first) {
            bt_fail("%s_find_%s of '%s' does not return the first element that %s_range_%s does", bt_it->name, is->name,
                    bt_names[side], bt_it->name, is->name);
        }
        if (bt_find_label(model, other) == BT_ROWS || bt_it->compare(index, other, label) != 0) {
            bt_fail("%s_next_%s of '%s' returns element %u for the key of element %u", bt_it->name, is->name, bt_names[side],
                    other, label);
        }
    }
    if (found != count) {
        bt_fail("%s_range_%s of '%s' has %lu elements for the key of element %u, expected %lu", bt_it->name, is->name,
                bt_names[side], (unsigned long)found, label, (unsigned long)count);
    }
}

/* Is an element under its key in an index? */
static void bt_is_found(unsigned side, unsigned index, unsigned label, bool in)
{
    const bt_index *is = &bt_it->index[index];
    uintptr_t place = bt_by_index(side, index, label);

    if (bt_it->label_of(side, place) != (in ? label : BT_NOBODY)) {
        bt_fail("%s_find_%s of '%s' does not find %s under the key of element %u", bt_it->name, is->name, bt_names[side],
                in ? "it" : "NULL", label);
    }
    if (!is->unique) {
        bt_finds_all(side, index, label);
    }
}

/* The loop over an index visits what a range has. */
static unsigned bt_of_index, bt_left_of_index;

BT_SPARE static void bt_visits_by_index(unsigned side, uintptr_t place)
{
    if (place != bt_it->next_in_range(side, bt_of_index, BT_NOW, false)) {
        bt_fail("the loop over the index %s of '%s' visits another element than a range", bt_it->index[bt_of_index].name,
                bt_names[side]);
    }
    bt_left_of_index--;
}

/* Has an index all elements in the order of their keys, from either end? */
static void bt_is_ordered(unsigned side, unsigned index)
{
    const bt_index *is = &bt_it->index[index];
    size_t count = bt_models[side].count;
    size_t ways[2] = {0, 0};
    unsigned before = BT_NOBODY;
    uintptr_t last = 0;
    uintptr_t place;

    bt_it->begin_range(side, index, BT_NOW, BT_NOBODY);
    bt_it->begin_range(side, index, BT_NOW_BACK, BT_NOBODY);
    for (unsigned back = 0; back < 2; back++) {
        while ((place = bt_it->next_in_range(side, index, BT_NOW + back, back != 0)) != 0 && ways[back] <= count) {
            unsigned label = bt_it->label_of(side, place);

            if (last != 0 && place != last
                && (back != 0 ? bt_it->compare(index, before, label) : bt_it->compare(index, label, before)) < 0) {
                bt_fail("%s_%s_%s of '%s' returns element %u %s", bt_it->name, back != 0 ? "previous" : "next", is->name,
                        bt_names[side], label, back != 0 ? "before one with a smaller key" : "behind one with a larger key");
            }
            last = place;
            before = label;
            ways[back]++;
        }
    }
    if (ways[0] != count || ways[1] != count || bt_it->next_in_range(side, index, BT_NOW, false) != 0
        || bt_it->next_in_range(side, index, BT_NOW_BACK, true) != 0) {
        bt_fail("%s_all_%s of '%s' has not %lu elements", bt_it->name, is->name, bt_names[side], (unsigned long)count);
    }
    bt_it->begin_range(side, index, BT_NOW, BT_NOBODY);
    bt_of_index = index;
    bt_left_of_index = (unsigned)count;
    bt_it->loop_by_index(side, index);
    if (bt_left_of_index != 0) {
        bt_fail("the loop over the index %s of '%s' does not visit %lu elements", is->name, bt_names[side],
                (unsigned long)count);
    }
}

/* Are the first element that is not before the key of a label, and the first behind it, those in the order of the index? */
static void bt_has_bounds(unsigned side, unsigned index, unsigned label)
{
    uintptr_t place;

    bt_it->begin_range(side, index, BT_NOW, BT_NOBODY);
    place = bt_it->next_in_range(side, index, BT_NOW, false);
    for (unsigned bound = BT_LOWER_BOUND; bound <= BT_UPPER_BOUND; bound++) {
        while (place != 0
               && (bound == BT_LOWER_BOUND ? bt_it->compare(index, bt_it->label_of(side, place), label) < 0
                                           : bt_it->compare(index, label, bt_it->label_of(side, place)) >= 0)) {
            place = bt_it->next_in_range(side, index, BT_NOW, false);
        }
        if (bt_it->look_up(side, index, bound, label) != place) {
            bt_fail("%s_%s_bound_%s of '%s' is wrong for the key of element %u", bt_it->name,
                    bound == BT_LOWER_BOUND ? "lower" : "upper", bt_it->index[index].name, bt_names[side], label);
        }
    }
}

/* Are the elements of some labels under their keys in all indexes, and no others? */
static void bt_same_indexes(unsigned side, unsigned first, unsigned count)
{
    for (unsigned index = 0; index < bt_it->indexes; index++) {
        if (bt_it->index[index].ordered) {
            bt_is_ordered(side, index);
        }
        for (unsigned i = 0; i < count; i++) {
            unsigned label = 1 + (first + i) % bt_range % (bt_labels - 1);

            bt_is_found(side, index, label, bt_find_label(&bt_models[side], label) != BT_ROWS);
            if (bt_it->index[index].ordered) {
                bt_has_bounds(side, index, label);
            }
        }
#if !BESPOKE_CHECKS
        if (!bt_it->index[index].unique && index < BT_KEPT_RANGES) {
            bt_goes_on(side, index, 1 + first % bt_range % (bt_labels - 1));
        }
#endif
    }
}

/* Calls T_rekey of an index, and of those beside it, which have the same key. `had`: which key the element had. */
static unsigned bt_rekeys_all(unsigned side, unsigned index, uintptr_t place, unsigned had, unsigned label, const char *done)
{
    unsigned status = bt_it->rekey_by(side, index, place, had, label);

    for (unsigned each = 0; status == BT_OK && each < bt_it->indexes; each++) {
        if ((bt_it->index[index].beside >> each & 1) != 0 && bt_it->rekey_by(side, each, place, had, label) != BT_OK) {
            bt_fail("%s_rekey_%s has not given element %u %s", bt_it->name, bt_it->index[each].name, label, done);
        }
    }
    return status;
}

/* An element has the key of another label, or refuses it: what T_rekey should do. */
static unsigned bt_gets_key(unsigned side, unsigned index, uintptr_t place, unsigned label, unsigned other)
{
    const bt_index *is = &bt_it->index[index];
    bool same = is->unique ? other == label : bt_it->compare(index, other, label) == 0;
    unsigned expected = is->unique && other != label && bt_find_label(&bt_models[side], other) != BT_ROWS ? BT_DUPLICATE : BT_OK;
    unsigned status;

    if (is->names_key && !bt_collided && !same) {
        unsigned wrongly = bt_it->rekey_by(side, index, place, BT_HAS_KEY, label);

        /* as expected of the right one: it takes the one for the other, since both have one tag */
        if (wrongly != (expected == BT_DUPLICATE ? BT_DUPLICATE : BT_ABSENT) && (is->hashes || wrongly != expected)) {
            bt_fail("%s_rekey_%s does not return ABSENT for element %u under a key that it did not have", bt_it->name, is->name,
                    label);
        }
    }
    status = bt_rekeys_all(side, index, place, BT_HAD_KEY, label, "another key");
    if (status != expected) {
        bt_fail("%s_rekey_%s of element %u to the key of %u returns %u, expected %u", bt_it->name, is->name, label, other,
                status, expected);
    }
    if (status == BT_OK) {
        const char *wrong = bt_it->intact(side);

        if (wrong != NULL || !bt_is_under(side, index, place, other)) {
            bt_fail("%s_rekey_%s has not given element %u the key of %u: %s", bt_it->name, is->name, label, other,
                    wrong != NULL ? wrong : "it is not found by it");
        }
    }
    return status;
}

/* The scans of an index have met an element anew. */
static void bt_is_met_anew(unsigned side, unsigned index, unsigned label)
{
#ifdef BT_WITH_SCANS
    if (bt_it->index[index].way != 0) {
        bt_rekeyed(side, bt_it->index[index].way - 1, label);
    }
#else
    (void)side, (void)index, (void)label;
#endif
}

/* An element gets the key of another label in a named index, and its own again: to the model nothing has changed. */
static void bt_rekey_named(unsigned side, unsigned index, unsigned label, unsigned other)
{
    const bt_index *is = &bt_it->index[index];
    uintptr_t place;
    unsigned status;

    if (!is->changes) {
        return;
    }
    place = bt_by_index(side, index, label);
    if (place == 0) {
        if (bt_it->rekey_by(side, index, 0, BT_HAD_KEY, label) != BT_ABSENT) {
            bt_fail("%s_rekey_%s does not return ABSENT for element %u, which is not in '%s'", bt_it->name, is->name, label,
                    bt_names[side]);
        }
        return;
    }
    if (is->unique && !bt_is_known(0, other) && !bt_is_known(1, other) /* another one with its key, and else keys of its own */
        && (bt_it->add_with_key(side, index, label, other) != BT_DUPLICATE || bt_it->intact(side) != NULL)) {
        bt_fail("%s_add does not refuse an element with the key of element %u in the index %s", bt_it->name, label, is->name);
    }
    bt_it->give_key(side, index, place, other);
    status = bt_gets_key(side, index, place, label, other);
    bt_it->give_key(side, index, place, BT_NOBODY);
    if (status == BT_OK && bt_rekeys_all(side, index, place, BT_HAS_KEY, label, "its own key again") != BT_OK) {
        bt_fail("%s_rekey_%s has not given element %u its own key again", bt_it->name, is->name, label);
    }
    for (unsigned each = 0; (status == BT_OK || !is->unique) && each < bt_it->indexes; each++) {
        if (each == index || (is->beside >> each & 1) != 0) {
            bt_is_met_anew(side, each, label);
        }
    }
    bt_is_found(side, index, label, true);
}

static void bt_do_rekey_named(const bt_op *op, unsigned side)
{
    if (bt_it->indexes != 0 && !bt_sweeps_in_silence()) {
        bt_operations++;
        bt_rekey_named(side, op->how % bt_it->indexes, 1 + (op->label - 1) % (bt_labels - 1), 1 + op->number % (bt_labels - 1));
    }
}
#endif
