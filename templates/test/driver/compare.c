/* -- comparing ----------------------------------------------------------------------------------------------------- */

/* Are these the elements, in their order or in any? */
static void bt_same_elements_in(unsigned side, const unsigned *labels, size_t count, const char *call, bool ordered)
{
    static unsigned short tally[BT_LABELS];
    const bt_model *model = &bt_models[side];

    if (count != model->count) {
        bt_show("%s_count(&%s) == %lu", bt_it->name, bt_names[side], (unsigned long)model->count);
        bt_fail("%s_%s returns %lu elements of '%s', expected %lu", bt_it->name, call, (unsigned long)count, bt_names[side],
                (unsigned long)model->count);
    }
    if (ordered) {
        for (size_t i = 0; i < count; i++) {
            if (labels[i] != model->rows[i].label) {
                bt_show("%s%s) == %u", bt_known(side), bt_nth(side, i), model->rows[i].label);
                bt_fail("%s_%s: at place %lu of '%s' is element %u, expected %u", bt_it->name, call, (unsigned long)i,
                        bt_names[side], labels[i], model->rows[i].label);
            }
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tally[labels[i]] = 0;
        tally[model->rows[i].label] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        tally[model->rows[i].label]++;
    }
    for (size_t i = 0; i < count; i++) {
        if (tally[labels[i]]-- == 0) {
            bt_show("%s%s) != %u", bt_known(side), bt_nth(side, i), labels[i]);
            bt_fail("%s_%s returns element %u of '%s', which it does not contain", bt_it->name, call, labels[i], bt_names[side]);
        }
    }
}

/* Are these the elements, in insertion order where that is promised? */
static void bt_same_elements(unsigned side, const unsigned *labels, size_t count, const char *call)
{
    bt_same_elements_in(side, labels, count, call, bt_it->ordered);
}

static void bt_compare(unsigned side, unsigned step)
{
    static unsigned labels[BT_ROWS + 1];
    const bt_model *model = &bt_models[side];
    const char *wrong = bt_it->check(side);
    bool thorough = model->count <= 12 || step % 8 == 0;

    for (size_t i = 0; i < bt_block_count; i++) {
        bt_need_guard(&bt_blocks[i]);
    }
#ifdef BT_WITH_COUNTED
    if (bt_it->holds != NULL) {
        size_t bytes = 0;

        for (size_t i = 0; i < bt_block_count; i++) {
            bytes += bt_blocks[i].bytes;
        }
        if (bt_it->holds(0) + bt_it->holds(1) != bytes) {
            bt_fail("%s_bytes is %lu and %lu, and %lu bytes are allocated", bt_it->name, (unsigned long)bt_it->holds(0),
                    (unsigned long)bt_it->holds(1), (unsigned long)bytes);
        }
    }
#endif
    if (wrong != NULL) {
        bt_show("%s_check(&%s) == NULL", bt_it->name, bt_names[side]);
        bt_fail("%s_check of '%s': %s", bt_it->name, bt_names[side], wrong);
    }
    if (bt_it->count(side) != model->count) {
        bt_show("%s_count(&%s) == %lu", bt_it->name, bt_names[side], (unsigned long)model->count);
        bt_fail("%s_count(&%s) is %lu, expected %lu", bt_it->name, bt_names[side], (unsigned long)bt_it->count(side),
                (unsigned long)model->count);
    }
#ifdef BT_WITH_WEIGHING
    if (bt_it->heaviest != 0 && bt_it->weight != NULL && bt_it->weight(side) != bt_sum_of(model)) {
        bt_show("%s_weight(&%s) == %lu", bt_it->name, bt_names[side], (unsigned long)bt_sum_of(model));
        bt_fail("%s_weight(&%s) is %lu, expected %lu", bt_it->name, bt_names[side], (unsigned long)bt_it->weight(side),
                (unsigned long)bt_sum_of(model));
    }
#endif
    if (bt_it->is_empty(side) != (model->count == 0)) {
        bt_show("%s%s_is_empty(&%s)", model->count == 0 ? "" : "!", bt_it->name, bt_names[side]);
        bt_fail("%s_is_empty(&%s) is wrong", bt_it->name, bt_names[side]);
    }
    if (bt_it->capacity != NULL && bt_it->capacity(side) < model->count) {
        bt_show("%s_capacity(&%s) >= %lu", bt_it->name, bt_names[side], (unsigned long)model->count);
        bt_fail("%s_capacity(&%s) is less than the count", bt_it->name, bt_names[side]);
    }
    if (bt_it->is_locked != NULL) {
        if (bt_it->is_locked(side) != bt_defers(side)) {
            bt_show("%s%s_is_locked(&%s)", bt_defers(side) ? "" : "!", bt_it->name, bt_names[side]);
            bt_fail("%s_is_locked(&%s) is %s", bt_it->name, bt_names[side], bt_defers(side) ? "false" : "true");
        }
        bt_project(side);
        if (bt_it->count_predicted(side) != bt_future_count) {
            bt_show("%s_predicted_count(&%s) == %lu", bt_it->name, bt_names[side], (unsigned long)bt_future_count);
            bt_fail("%s_predicted_count(&%s) is %lu, expected %lu", bt_it->name, bt_names[side],
                    (unsigned long)bt_it->count_predicted(side), (unsigned long)bt_future_count);
        }
    }
    if (bt_it->by_label) {
        unsigned most = thorough ? (bt_range < 16 ? bt_range : 16) : 2;

        for (unsigned i = 0; i < most; i++) {
            unsigned label = 1 + (step + i) % bt_range % (bt_labels - 1);
            bool in = bt_find_label(model, label) != BT_ROWS;

            if (bt_is_misplaced(side, label)) {
                continue;
            }
            if (bt_it->contains(side, label) != in) {
                bt_show("%s%s_contains(&%s, %s)", in ? "" : "!", bt_it->name, bt_names[side], bt_asked(side, label));
                bt_fail("%s_contains(&%s, %u) is %s", bt_it->name, bt_names[side], label, in ? "false" : "true");
            }
            if (bt_it->find != NULL && bt_it->find(side, label) != (in ? label : BT_NOBODY)) {
                bt_show("%s%s_find(&%s, key(%u))) == %u", bt_known(side), bt_it->name, bt_names[side], label,
                        in ? label : BT_NOBODY);
                bt_fail("%s_find(&%s, %u) does not give %s", bt_it->name, bt_names[side], label, in ? "it" : "NULL");
            }
            if (bt_it->find != NULL && bt_it->replaces && in && model->rows[bt_find_label(model, label)].twin != bt_is_twin()) {
                bt_fail("%s_find(&%s, %u) returns an element that was replaced", bt_it->name, bt_names[side], label);
            }
            if (bt_it->will_contain != NULL) {
                in = false; /* what will be was worked out above */
                for (size_t j = 0; j < bt_future_count && !in; j++) {
                    in = bt_future[j].label == label;
                }
                if (bt_it->will_contain(side, label) != in) {
                    bt_show("%s%s_will_contain(&%s, %s)", in ? "" : "!", bt_it->name, bt_names[side], bt_asked(side, label));
                    bt_fail("%s_will_contain(&%s, %u) is %s", bt_it->name, bt_names[side], label, in ? "false" : "true");
                }
            }
        }
    }
#ifdef BT_WITH_CHANGES
    if (bt_it->changed != NULL) {
        bt_same_changes(side, step);
    }
#endif
#ifdef BT_WITH_BESIDE
    if (bt_it->set_beside != NULL) {
        bt_same_beside(side, step);
    }
#endif
#ifdef BT_WITH_ANYWHERE
    bt_same_currents(side);
#endif
#ifdef BT_WITH_NAMED
    if (bt_it->indexes != 0) {
        bt_same_indexes(side, step, thorough ? (bt_range < 16 ? bt_range : 16) : 2);
    }
#endif
#ifdef BT_WITH_QUEUES
    if (bt_it->end_at != NULL) {
        bt_same_ends(side, thorough);
    }
#endif
#ifdef BT_WITH_PROMISED
    if (bt_it->follows != BT_AS_ROWS) {
        bt_same_order(side);
    }
#endif
    if (thorough) {
        bt_reads(side, bt_it->begins_back);
        if (bt_it->both_ways) {
            bt_reads(side, true);
        }
    }
    if (bt_it->linked && bt_it->twice && bt_has_twice(model)) {
        return; /* what follows an element is not known where it is in twice */
    }
#ifdef BT_WITH_BOUNDS
    for (unsigned i = 0; bt_it->bounds != NULL && i < (thorough ? 8u : 2u); i++) {
        bt_it->bounds(side, 1 + (step + i) % bt_range % (bt_labels - 1));
    }
#endif
    if (thorough && bt_it->contents != NULL) {
        bt_same_elements(side, labels, bt_it->contents(side, labels), "get");
    }
    for (size_t i = 0; thorough && bt_it->family != NULL && i < model->count; i++) {
        unsigned parent = BT_NOBODY;
        unsigned child = i < bt_last_below(model, i) ? model->rows[i + 1].label : BT_NOBODY;
        size_t behind = bt_last_below(model, i) + 1;
        unsigned sibling =
            behind < model->count && model->rows[behind].depth == model->rows[i].depth ? model->rows[behind].label : BT_NOBODY;
        unsigned last = BT_NOBODY;
        unsigned elder = BT_NOBODY;
        unsigned family[5];

        for (size_t j = i; parent == BT_NOBODY && j-- > 0;) {
            parent = model->rows[j].depth < model->rows[i].depth ? model->rows[j].label : BT_NOBODY;
        }
        for (size_t j = i + 1; j < behind; j++) {
            last = model->rows[j].depth == model->rows[i].depth + 1 ? model->rows[j].label : last;
        }
        for (size_t j = i; j-- > 0 && model->rows[j].depth >= model->rows[i].depth;) {
            if (model->rows[j].depth == model->rows[i].depth) {
                elder = model->rows[j].label;
                break;
            }
        }
        bt_it->family(side, i, family);
        if (family[0] != parent) {
            bt_show("known(%s_parent_of(&%s, %s)) == %u", bt_it->name, bt_names[side], bt_nth(side, i), parent);
            bt_fail("element %u is below %u, expected %u", model->rows[i].label, family[0], parent);
        }
        if (family[1] != child) {
            bt_show("known(%s_first_child_of(&%s, %s)) == %u", bt_it->name, bt_names[side], bt_nth(side, i), child);
            bt_fail("the first element below %u is %u, expected %u", model->rows[i].label, family[1], child);
        }
        if (family[2] != sibling) {
            bt_show("known(%s_next_sibling_of(&%s, %s)) == %u", bt_it->name, bt_names[side], bt_nth(side, i), sibling);
            bt_fail("the next element beside %u is %u, expected %u", model->rows[i].label, family[2], sibling);
        }
        if (family[3] != last) {
            bt_show("known(%s_last_child_of(&%s, %s)) == %u", bt_it->name, bt_names[side], bt_nth(side, i), last);
            bt_fail("the last element below %u is %u, expected %u", model->rows[i].label, family[3], last);
        }
        if (family[4] != elder) {
            bt_show("known(%s_previous_sibling_of(&%s, %s)) == %u", bt_it->name, bt_names[side], bt_nth(side, i), elder);
            bt_fail("the element before %u is %u, expected %u", model->rows[i].label, family[4], elder);
        }
    }
    if (bt_it->by_handle != NULL) {
        bt_stale_handles(side, false);
        for (size_t i = 0; thorough && i < model->count; i++) {
            unsigned label = model->rows[i].label;

            if (bt_has_handle(side, label) && bt_it->by_handle(side, label) != label) {
                bt_show("%s%s_get(&%s, handles[%u])) == %u", bt_known(side), bt_it->name, bt_names[side],
                        bt_handle_name(side, label), label);
                bt_fail("the handle of element %u does not lead to it", label);
            }
        }
    }
}
