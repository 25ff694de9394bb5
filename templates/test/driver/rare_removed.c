/* -- rare cases: what has been removed, and words that are full --------------------------------------------------------- */

static bool bt_can_drop(void)
{
    return bt_it->remove_current != NULL || bt_it->remove_at != NULL || bt_it->remove_placed != NULL
           || (bt_it->remove != NULL && bt_it->by_label);
}

/* Removes the element that a pass visits after `before` others; where none can, that of this index or slot, or the next label. */
static void bt_drop_at(unsigned before)
{
    if (bt_it->remove_current == NULL) {
        bt_expect("remove", bt_it->remove_at != NULL ? bt_it->remove_at(0, before)
            : bt_it->remove_placed != NULL ? bt_it->remove_placed(0, before) : bt_it->remove(0, before + 1), BT_OK);
        return;
    }
    bt_it->begin(0, 2, false);
    for (unsigned i = 0; i <= before; i++) {
        (void)bt_it->next(0, 2);
    }
    bt_expect("remove_current", bt_it->remove_current(0, 2), bt_it->passes_lock ? BT_QUEUED : BT_OK);
    bt_it->end(0, 2);
}

/* Can all but the first be removed, which then stays in the first slot, while no handle keeps the others? */
static bool bt_can_drop_rest(void)
{
    return bt_it->slots == 0 && !bt_it->deferred && !bt_it->sorts && bt_can_drop();
}

static void bt_drop_rest(unsigned count)
{
    for (unsigned before = count; before-- > 1;) {
        bt_drop_at(bt_it->remove_current != NULL && bt_it->begins_back ? 0 : before);
    }
}

/* An address at which there is no element, as where one has been, is that of none: while a pass is live, and after it. */
static void bt_try_false_addresses(void)
{
    unsigned most = bt_fitting(70);

    if (bt_it->false_addresses == NULL || most < 4) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    bt_add_some(0, 1, most);
    bt_it->false_addresses(0, false);
    if (bt_it->remove_current != NULL && !bt_it->passes_lock) {
        bt_it->begin(0, 0, false);
        (void)bt_it->next(0, 0);
        (void)bt_it->next(0, 0);
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
        bt_it->false_addresses(0, true);
        bt_it->end(0, 0);
    } else if (bt_can_drop()) {
        bt_drop_at(1);
    }
    bt_it->false_addresses(0, false);
    if (bt_it->remove_placed != NULL) {
        size_t count = bt_it->count(0);

        bt_expect("remove", bt_it->remove_placed(0, 0), BT_OK);
        if (bt_it->count(0) != count - 1) {
            bt_fail("%s_remove does not remove an element by its address", bt_it->name);
        }
        bt_it->false_addresses(0, false);
    }
    (void)bt_it->clear(0);
    bt_it->false_addresses(0, false);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Slots that are free again in several words are filled, and then those behind words which are full.
 * `places`: as for bt_drop_at. */
static void bt_try_full_words(const unsigned *places, unsigned number)
{
    static unsigned labels[BT_ROWS];
    static bool seen[BT_LABELS];

    if (bt_fitting(195) < 195 || !bt_can_drop()) {
        return;
    }
    bt_begin_case();
    bt_operations += 400;
    bt_add_some(0, 1, 192);
    for (unsigned i = 0; i < number; i++) {
        bt_drop_at(places[i]);
        (void)bt_is_clean(0);
    }
    for (unsigned label = 193; label <= 195; label++) {
        bt_add_some(0, label, label);
        (void)bt_is_clean(0);
    }
    memset(seen, 0, sizeof seen);
    for (size_t i = bt_it->contents == NULL ? 0 : bt_it->contents(0, labels); i > 0; i--) {
        if (seen[labels[i - 1] % BT_LABELS]) {
            bt_fail("element %u is in twice", labels[i - 1]);
        }
        seen[labels[i - 1] % BT_LABELS] = true;
    }
    bt_it->deinit(0);
}

static void bt_try_words(void)
{
    static const unsigned forth[] = {1, 99};         /* in the first word, and then in the second */
    /* the third word, the first, the second: slot 64 is the 63rd of a pass by now */
    static const unsigned back[] = {128, 0, 63, 64};

    bt_try_full_words(forth, 2);
    bt_try_full_words(back, 4);
}

/* Goes on to the end of a pass that has visited these labels of `most`: it comes to each of the others once. */
static void bt_finish(unsigned cursor, const unsigned *visited, unsigned count, unsigned most)
{
    bool seen[BT_LABELS] = {false};
    unsigned due = most - count;
    unsigned label;

    for (unsigned i = 0; i < count; i++) {
        seen[visited[i] % BT_LABELS] = true;
    }
    while ((label = bt_it->next(0, cursor)) != BT_NOBODY) {
        if (seen[label % BT_LABELS] || label > most) {
            bt_fail("a pass visits element %u twice behind removals", label);
        }
        seen[label % BT_LABELS] = true;
        due--;
    }
    if (due != 0) {
        bt_fail("behind removals a pass does not visit %u elements", due);
    }
}

/* Elements that passes have visited are removed without one: beside what the only pass stands on, and behind three of them. */
static void bt_try_visited(void)
{
    static const unsigned steps[] = {4, 6, 2}; /* not in the order in which they stand */
    static const unsigned out[] = {1, 2, 0};
    bool handles = bt_it->remove_handle != NULL && bt_it->add_known != NULL;
    unsigned visited[3][6];

    if ((!handles && (bt_it->remove == NULL || !bt_it->by_label)) || bt_it->removes_current || bt_it->deferred || bt_it->tree
        || bt_it->passes == 1 || bt_fitting(8) < 8) {
        return;
    }
#ifdef BT_WITH_FAIL_FAST
    if (bt_it->fails_fast) {
        return;
    }
#endif
    for (unsigned passes = 1; passes <= 3 && (passes == 1 || bt_it->passes == 0 || bt_it->passes > 2); passes += 2) {
        bt_begin_case();
        bt_operations += 8;
        for (unsigned label = 1; label <= 8; label++) {
            bt_expect("add", handles ? bt_it->add_known(0, label) : bt_it->add(0, label), BT_OK);
        }
        for (unsigned pass = 0; pass < passes; pass++) {
            bt_it->begin(0, pass, false);
            for (unsigned i = 0; i < steps[pass]; i++) {
                visited[pass][i] = bt_it->next(0, pass);
            }
        }
        for (unsigned i = 0; i < (passes == 1 ? 3u : 1u); i++) {
            unsigned label = passes == 1 ? visited[0][out[i]] : visited[2][0];

            bt_expect("remove", handles ? bt_it->remove_handle(0, label) : bt_it->remove(0, label), BT_OK);
            (void)bt_is_clean(0);
        }
        for (unsigned pass = 0; pass < passes; pass++) {
            bt_finish(pass, visited[pass], steps[pass], 8);
        }
        bt_it->deinit(0);
    }
}
