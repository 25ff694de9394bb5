/* -- rare cases: what moves elements -------------------------------------------------------------------------------------- */

#ifdef BT_WITH_MOVING
static void bt_rekey_at(unsigned place, unsigned key, unsigned count)
{
    bt_operations++;
    bt_it->rank_at(place, key);
    bt_expect("rekey", bt_it->refile(0, place), BT_OK);
    (void)bt_is_clean(0);
    if (bt_it->count(0) != count) {
        bt_fail("%s_rekey has changed the count", bt_it->name);
    }
}

/* What is in no container is not moved, and nothing is moved beside it. */
static void bt_try_absent(void)
{
    bt_op op;

    if (bt_it->move == NULL || bt_fitting(3) < 3) {
        return;
    }
    bt_begin_run();
    memset(&op, 0, sizeof op);
    op.kind = BT_ADD;
    for (op.label = 1; op.label <= 3; op.label++) {
        bt_do(&op);
    }
    for (unsigned how = 0; how < BT_MOVES; how++) {
        for (unsigned other = 0; other < (how < BT_MOVE_TO_FRONT ? 2u : 1u); other++) {
            bt_operations++;
            bt_expect("move", bt_it->move(0, how, other != 0 ? 0 : BT_ROWS, other != 0 ? BT_ROWS : 0), BT_ABSENT);
        }
    }
    bt_compare(0, 0);
    op.kind = BT_RESTART;
    op.how = 1;
    bt_do(&op);
}

/* Each element gets each key where it is, and is moved by T_rekey. */
static void bt_try_rekeys(void)
{
    static unsigned labels[BT_ROWS];
    unsigned most = bt_fitting(9);
    unsigned found = 0;

    if (bt_it->rank_at == NULL || most < 3) {
        return;
    }
    bt_begin_case();
    bt_add_some(0, 1, most);
    for (unsigned round = 0; round < most; round++) {
        for (unsigned place = most; place > 0; place--) { /* all get the last key, */
            bt_rekey_at(place - 1, 3, most);
        }
        for (unsigned key = 3; key > 0; key--) { /* some go before all others, */
            bt_rekey_at(most - 1, key - 1, most);
        }
        for (unsigned place = 0; place < most; place++) { /* and some between */
            bt_rekey_at(place, round * 5 + place * 3, most);
        }
    }
    for (size_t i = bt_it->contents == NULL ? 0 : bt_it->contents(0, labels); i > 0; i--) {
        found |= 1u << labels[i - 1];
    }
    if (bt_it->contents != NULL && found != (2u << most) - 2) {
        bt_fail("%s_rekey has lost elements", bt_it->name);
    }
    bt_it->deinit(0);
}

#endif
#ifdef BT_WITH_INDICES
/* Where all slots are taken, a removed range takes no other element with it, and none is in twice. */
static void bt_try_ranges(void)
{
    static unsigned labels[BT_ROWS];
    static bool seen[BT_LABELS];
    unsigned most = bt_fitting(64);

    if (bt_it->remove_range == NULL || bt_it->contents == NULL || bt_it->deferred || most < 16) {
        return;
    }
    for (unsigned place = 0; place + 2 <= most; place += most / 8) {
        size_t count;

        bt_begin_case();
        bt_operations++;
        bt_add_some(0, 1, most);
        if (bt_it->shrink != NULL) {
            bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
        }
        bt_expect("remove_range", bt_it->remove_range(0, place, 2), BT_OK);
        count = bt_it->contents(0, labels);
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < count; i++) {
            if (labels[i] > most || seen[labels[i]]) {
                bt_fail("%s_remove_range makes element %u of another", bt_it->name, labels[i]);
            }
            seen[labels[i]] = true;
        }
        if (count != most - 2) {
            bt_fail("%s_remove_range has removed %lu elements in place of 2", bt_it->name, (unsigned long)(most - count));
        }
        bt_it->deinit(0);
    }
}

#endif
/* Merges a long run with a short one behind it, and the other way round, the last without memory for it;
 * and runs some of whose elements, first and last ones, lie where they belong. */
static void bt_try_merges_of_blocks(void)
{
    static unsigned labels[BT_ROWS];
    unsigned most = bt_fitting(200);

    if (bt_it->sort == NULL || bt_it->reverse == NULL || bt_it->contents == NULL) {
        return;
    }
    for (unsigned first = most / 8, turn = 0; first < most && most >= 16; first += turn++ % 2 != 0 ? most / 8 : 0) {
        bool apart = turn % 2 == 0; /* all of one run come before all of the other */

        bt_begin_case();
        bt_add_some(0, 1, most);
        bt_refuse_on = true;
        bt_refuse_at = !apart || first + most / 8 < most ? 0 : bt_requests + 1;
        bt_it->reverse(0, 0);
        (void)bt_it->contents(0, labels); /* all may be equal, by what the test does not choose */
        if (bt_it->check(0) == NULL && bt_it->before(labels[most - 1], labels[0])) {
            bt_fail("%s_check does not notice that the elements are not in order", bt_it->name);
        }
        bt_it->reverse(0, first);
        if (!apart) { /* the first last, and then some of the others behind those */
            bt_it->reverse(0, 0);
            bt_it->reverse(0, most - first);
            bt_it->reverse(0, 0);
            bt_it->reverse(0, first / 2);
        }
        bt_expect("sort", bt_it->sort(0), BT_OK);
        bt_refuse_at = 0;
        (void)bt_is_clean(0);
        if (bt_it->contents(0, labels) != most) {
            bt_fail("%s_sort has lost elements, or made some", bt_it->name);
        }
        for (unsigned at = 1; at < most; at++) {
            if (bt_it->before(labels[at], labels[at - 1])) {
                bt_fail("%s_sort does not sort", bt_it->name);
            }
        }
        bt_it->deinit(0);
    }
}

/* Merges runs whose elements alternate: one has every `share`th, the other the rest; that may be the first. */
static void bt_try_turns(unsigned share, bool others_first)
{
    static unsigned wanted[BT_ROWS], labels[BT_ROWS];
    const unsigned most = 40;
    unsigned count = 0;

    if (bt_it->sort == NULL || bt_it->reverse == NULL || bt_it->contents == NULL || bt_fitting(most) < most) {
        return;
    }
    bt_begin_case();
    bt_operations += 2 * most;
    bt_add_some(0, 1, most);
    (void)bt_it->contents(0, labels);
    for (unsigned turn = 0; turn < 2; turn++) {
        for (unsigned at = 0; at < most; at++) {
            if ((at % share == 0) == ((turn == 0) != others_first)) {
                wanted[count++] = labels[at];
            }
        }
    }
    for (unsigned to = 0; to < most; to++) { /* to the end, and from there to its place */
        unsigned from = to;

        (void)bt_it->contents(0, labels);
        while (labels[from] != wanted[to]) {
            from++;
        }
        bt_it->reverse(0, from);
        bt_it->reverse(0, to);
    }
    bt_expect("sort", bt_it->sort(0), BT_OK);
    if (bt_it->contents(0, labels) != most || !bt_is_clean(0)) {
        bt_fail("%s_sort has lost elements, or made some", bt_it->name);
    }
    bt_it->deinit(0);
}

static void bt_try_merges(void)
{
    bt_try_merges_of_blocks();
    for (unsigned share = 2; share < 6; share++) {
        bt_try_turns(share, false);
        bt_try_turns(share, true);
    }
}

#ifdef BT_WITH_TOMBSTONES
/* A removal compacts as soon as there are too many tombstones, and not sooner; while a pass is live, its end or T_settle does. */
static void bt_try_tombstones_of(unsigned most)
{
    size_t before, after, allowed, then;

    bt_begin_case();
    bt_add_some(0, 1, most);
    for (unsigned label = 1; bt_it->count(0) > 0; label++) {
        before = bt_it->tombstones(0, &allowed);
        if (bt_it->remove != NULL && bt_it->by_label) {
            bt_expect("remove", bt_it->remove(0, label), BT_OK);
        } else {
            bt_drop_first();
        }
        after = bt_it->tombstones(0, &then);
        if (after > then || (after <= before && before < allowed && bt_it->count(0) != 0 && !BESPOKE_CHAOS)) {
            bt_fail("%s has %lu tombstones, and had %lu before a removal", bt_it->name, (unsigned long)after,
                    (unsigned long)before);
        }
    }
    bt_add_some(0, 1, most);
    (void)bt_it->clear(0);
    if (bt_it->tombstones(0, &allowed) != 0) {
        bt_fail("%s_clear does not end tombstones", bt_it->name);
    }
    bt_it->deinit(0);
    for (unsigned ends = 0; ends < 2; ends++) {
        bt_begin_case();
        bt_add_some(0, 1, most);
        bt_it->begin(0, 0, false);
        for (unsigned i = 0; i < most - 2; i++) {
            bt_operations++;
            (void)bt_it->next(0, 0);
            (void)bt_it->remove_current(0, 0);
        }
        if (ends != 0) {
            bt_it->end(0, 0);
        } else {
            bt_expect("settle", bt_it->settle(0, 0), BT_OK);
        }
        if (bt_it->tombstones(0, &allowed) > allowed) {
            bt_fail("%s keeps its tombstones after a pass", bt_it->name);
        }
        bt_it->deinit(0);
    }
}

/* Nor does it grow as long as it has enough of them. */
static void bt_try_tombstones(void)
{
    unsigned long turns = bt_it->generations == 0 || bt_it->generations > 400 ? 400 : bt_it->generations; /* none retires */
    size_t allowed;

    if (bt_it->tombstones == NULL || bt_it->remove_current == NULL || bt_fitting(60) < 60) {
        return;
    }
    bt_try_tombstones_of(bt_fitting(200));
    bt_try_tombstones_of(60);
    bt_begin_case();
    bt_add_some(0, 1, 52);
    for (unsigned turn = 0; turn < turns && bt_it->capacity != NULL && bt_it->capacity(0) == 64; turn++) {
        unsigned label;

        bt_it->begin(0, 2, false);
        label = bt_it->next(0, 2);
        (void)bt_it->remove_current(0, 2);
        bt_it->end(0, 2);
        bt_add_some(0, label, label);
        if (bt_it->capacity(0) != 64) {
            bt_fail("%s grows, although it has enough tombstones", bt_it->name);
        }
    }
    bt_it->deinit(0);
    for (unsigned dead = 0; dead < 3; dead++) { /* for one element more it does not compact, for two it does */
        unsigned most = dead == 0 ? 63 : 64;

        bt_begin_case();
        bt_add_some(0, 1, most < bt_fitting(200) ? most : 1);
        if (bt_it->capacity != NULL && bt_it->capacity(0) == 64 && bt_it->reserve != NULL) {
            for (unsigned i = 0; i < dead || i < 1; i++) {
                bt_drop_first();
            }
            if (bt_it->tombstones(0, &allowed) == (dead == 0 ? 1 : dead)) {
                bt_expect("reserve", bt_it->reserve(0, dead == 0 ? 63 : 64), BT_OK);
                if ((bt_it->capacity(0) != 64) != (dead == 1)) {
                    bt_fail("%s_reserve keeps a capacity of %lu", bt_it->name, (unsigned long)bt_it->capacity(0));
                }
            }
        }
        bt_it->deinit(0);
    }
}

#endif
#ifdef BT_WITH_QUEUES
/* A ring shifts the shorter side: what is at the other end stays where it is. After a clear it begins anew. */
static void bt_try_sides(void)
{
    unsigned most = bt_fitting(400);

    if (bt_it->slot_at == NULL || most < 5 || BESPOKE_CHAOS > 0) {
        return;
    }
    for (unsigned how = 0; how < 4; how++) {
        bool back = how % 2 != 0;
        size_t kept;

        bt_begin_case();
        bt_operations++;
        bt_add_some(0, 1, most);
        kept = bt_it->slot_at(0, back ? 0 : most - 1);
        if (how < 2) {
            bt_expect("remove_at", bt_it->remove_at(0, back ? most - 2 : 1), BT_OK);
#ifdef BT_WITH_INDICES
        } else if (bt_it->remove_range != NULL) {
            bt_expect("remove_range", bt_it->remove_range(0, back ? most - 3 : 1, 2), BT_OK);
#endif
        }
        if (bt_it->slot_at(0, back ? 0 : bt_it->count(0) - 1) != kept) {
            bt_fail("%s shifts the longer side", bt_it->name);
        }
        if (!bt_it->has_hooks) {
            (void)bt_it->clear(0);
            bt_add_some(0, 1, most);
            if (bt_it->slot_at(0, 0) != 0) {
                bt_fail("%s_clear does not let it begin anew", bt_it->name);
            }
        }
        bt_it->deinit(0);
    }
}

#endif
/* Many new elements are sorted when a pass begins; equal ones stay in the order in which they were added. */
static void bt_try_resorts(void)
{
    unsigned most = bt_fitting(200);

    if (!bt_it->resorts || bt_it->before == NULL || most < 100) {
        return;
    }
    for (unsigned count = 66; count <= most; count += 9) {
        unsigned last = BT_NOBODY;
        unsigned seen = 0;
        unsigned label;

        bt_begin_case();
        bt_add_some(0, 1, most); /* of which traces stay in memory */
        (void)bt_it->clear(0);
        bt_add_some(0, 1, count);
        bt_it->begin(0, 0, false);
        for (; (label = bt_it->next(0, 0)) != BT_NOBODY; seen++) {
            unsigned first = bt_it->begins_back ? label : last;
            unsigned second = bt_it->begins_back ? last : label;

            if (seen > 0 && (bt_it->before(second, first) || (!bt_it->before(first, second) && second < first))) {
                bt_fail("a pass visits element %u before %u", last, label);
            }
            last = label;
        }
        if (seen != count || !bt_is_clean(0)) {
            bt_fail("a pass visits %u elements of %u", seen, count);
        }
        bt_it->deinit(0);
    }
}

#ifdef BT_WITH_QUEUES
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
    } else if (bt_it->rekey != NULL && bt_it->by_handle == NULL) {
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

#endif
