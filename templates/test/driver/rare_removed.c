/* -- rare cases: what has been removed, and words that are full --------------------------------------------------------- */

static bool bt_can_drop(void)
{
    return bt_it->remove_current != NULL || bt_it->remove_at != NULL || bt_it->remove_placed != NULL || (bt_it->remove != NULL && bt_it->by_label);
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
    bt_expect("remove_current", bt_it->remove_current(0, 2), bt_it->deferred ? BT_QUEUED : BT_OK);
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
static void bt_try_strangers(void)
{
    unsigned most = bt_fitting(70);

    if (bt_it->strangers == NULL || most < 4) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    bt_add_some(0, 1, most);
    bt_it->strangers(0, false);
    if (bt_it->remove_current != NULL && !bt_it->deferred) {
        bt_it->begin(0, 0, false);
        (void)bt_it->next(0, 0);
        (void)bt_it->next(0, 0);
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
        bt_it->strangers(0, true);
        bt_it->end(0, 0);
    } else if (bt_can_drop()) {
        bt_drop_at(1);
    }
    bt_it->strangers(0, false);
    if (bt_it->remove_placed != NULL) {
        size_t count = bt_it->count(0);

        bt_expect("remove", bt_it->remove_placed(0, 0), BT_OK);
        if (bt_it->count(0) != count - 1) {
            bt_fail("%s_remove does not remove an element by its address", bt_it->name);
        }
        bt_it->strangers(0, false);
    }
    (void)bt_it->clear(0);
    bt_it->strangers(0, false);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Slots that are free again in several words are filled, and then those behind words which are full. */
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
    if (bt_it->count(0) != 195 - number) {
        bt_fail("%s does not use free slots again", bt_it->name);
    }
    bt_it->deinit(0);
}

static void bt_try_words(void)
{
    static const unsigned forth[] = {1, 99}, back[] = {128, 0, 63}; /* the first slots of the third, first and second word */

    bt_try_full_words(forth, 2);
    bt_try_full_words(back, 3);
}

/* @if queues */
/* If no key has changed, T_heapify and T_rekey keep the order of a heap; what is not in has no place in it. */
static void bt_try_heap(void)
{
    unsigned most = bt_fitting(20);
    unsigned last = BT_NOBODY;
    unsigned label;

    if (bt_it->heapify == NULL || most < 4) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    bt_add_some(0, 2, most);
    if (bt_it->add_known != NULL) {
        bt_expect("add_handle", bt_it->add_known(0, 1), BT_OK);
        bt_expect("rekey", bt_it->rekey(0, 1), BT_OK);
        bt_expect("remove", bt_it->remove_handle(0, 1), BT_OK);
        if (bt_it->generations != 0) {
            bt_expect("rekey", bt_it->rekey(0, 1), BT_STALE);
        }
    } else if (bt_it->rekey != NULL && bt_it->has_handle == NULL) {
        bt_expect("add", bt_it->add(0, 1), BT_OK);
        bt_expect("rekey", bt_it->rekey(0, 1), BT_OK);
        bt_expect("rekey", bt_it->rekey(0, BT_NOBODY), BT_ABSENT);
    }
    bt_it->heapify(0);
    (void)bt_is_clean(0);
    for (size_t count = bt_it->count(0); bt_it->pop != NULL && bt_it->before != NULL && count > 0; count--) {
        bt_expect("pop", bt_it->pop(0, false, &label), BT_OK);
        if (last != BT_NOBODY && bt_it->before(label, last)) {
            bt_fail("%s_pop returns element %u behind %u", bt_it->name, label, last);
        }
        last = label;
    }
    bt_it->deinit(0);
}

/* @end */
/* Keys beyond the limit of the index are refused. */
static void bt_try_range(void)
{
    static unsigned labels[2];
    bt_size taken = BT_ROWS;

    if (bt_it->keys == 0 || bt_it->reaches || bt_it->by_pointer || bt_it->keys > (unsigned)-1 / 2 || bt_it->key((unsigned)bt_it->keys) < bt_it->keys) {
        return;
    }
    bt_begin_case();
    bt_operations += 2;
    labels[0] = 1;
    labels[1] = (unsigned)bt_it->keys;
    bt_expect("add", bt_it->add(0, labels[1]), BT_RANGE);
    bt_expect("add_all", bt_it->add_all(0, labels, 2, &taken), BT_RANGE);
    if (taken != 1 || bt_it->count(0) != 1 || !bt_is_clean(0)) {
        bt_fail("%s_add_all has added %lu elements of two, one of which is out of range", bt_it->name, (unsigned long)taken);
    }
    bt_it->deinit(0);
}
