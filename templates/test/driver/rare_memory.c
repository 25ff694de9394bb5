/* -- rare cases: what is requested, kept and freed ----------------------------------------------------------------------- */

/* T_shrink_to_fit frees memory that no element needs. */
static void bt_try_small(void)
{
    unsigned most = bt_fitting(400);
    unsigned long requests;
    size_t capacity;

    if (bt_it->capacity == NULL || bt_it->shrink == NULL || most < 100) {
        return;
    }
    bt_begin_case();
    bt_operations += 5;
    bt_expect("reserve", bt_it->reserve(0, most), BT_OK);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_it->capacity(0) != 0 || bt_block_count != 0) {
        bt_fail("%s_shrink_to_fit keeps the memory of an empty container", bt_it->name);
    }
    bt_expect("reserve", bt_it->reserve(0, most), BT_OK);
    capacity = bt_it->capacity(0);
    bt_add_some(0, 1, 1);
    bt_it->begin(0, 0, false);
    (void)bt_it->next(0, 0);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
#ifdef BT_WITH_FAIL_FAST
    if (!bt_it->fails_fast && bt_it->capacity(0) != capacity) {
#else
    if (bt_it->capacity(0) != capacity) {
#endif
        bt_fail("%s_shrink_to_fit frees memory while a pass is live", bt_it->name);
    }
    bt_it->end(0, 0);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_it->capacity(0) >= capacity && capacity > 2 * bt_it->granule) {
        bt_fail("%s_shrink_to_fit frees no memory", bt_it->name);
    }
    requests = bt_requests;
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_requests != requests) {
        bt_fail("%s_shrink_to_fit requests memory, although nothing can be freed", bt_it->name);
    }
    capacity = bt_it->capacity(0); /* which holds one element, or the least that there can be */
    bt_add_some(0, 2, BT_BY_NUMBER ? 63 : 64); /* as many as fill a word of bits: keys begin with 0, or with 1 */
    bt_expect("reserve", bt_it->reserve(0, most), BT_OK);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_it->capacity(0) != (BT_IN_CHUNKS ? ((size_t)bt_it->key(63) / capacity + 1) * capacity
                                            : (63 + capacity) / capacity * capacity)) {
        bt_fail("%s_shrink_to_fit keeps a capacity of %lu for 64 elements", bt_it->name, (unsigned long)bt_it->capacity(0));
    }
    if (bt_can_drop_rest()) {
        bt_add_some(0, 65, most);
        bt_drop_rest(most);
        bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
        if (bt_it->capacity(0) != capacity) {
            bt_fail("%s_shrink_to_fit keeps a capacity of %lu for one element", bt_it->name, (unsigned long)bt_it->capacity(0));
        }
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* T_reserve reserves capacity for as many elements as it names, and for few more:
 * until there are as many, no add requests memory, but for chaos, which moves the elements. */
static void bt_try_reserve(unsigned count, unsigned wanted)
{
    unsigned long requests;
    size_t capacity, slots, bytes = 0;

    bt_begin_case();
    bt_add_some(0, 1, count);
    capacity = bt_it->capacity(0);
    capacity += capacity * bt_it->growth / 100;
    bt_operations++;
    bt_expect("reserve", bt_it->reserve(0, wanted), BT_OK);
    slots = BT_IN_CHUNKS ? wanted * bt_it->granule : wanted;
    if (bt_it->growth != 0 && bt_it->capacity(0) > (capacity > slots ? capacity : slots) + bt_it->granule) {
        bt_fail("%s_reserve reserves capacity for %lu elements in place of %u", bt_it->name, (unsigned long)bt_it->capacity(0),
                wanted);
    }
    for (size_t i = 0; i < bt_block_count; i++) {
        bytes += bt_blocks[i].bytes;
    }
    if (!bt_it->reaches && bytes > bt_it->capacity(0) * (bt_it->bytes + 256) + 16384) { /* beside an element little is needed */
        bt_fail("%s_reserve takes %lu bytes for %lu slots", bt_it->name, (unsigned long)bytes, (unsigned long)bt_it->capacity(0));
    }
    requests = bt_requests;
    capacity = bt_it->capacity(0);
    if ((bt_it->limit == 0 || capacity <= bt_it->limit) && (bt_it->slots == 0 || capacity <= bt_it->slots)
        && (!BT_BY_NUMBER || (!BT_IN_CHUNKS && bt_fitting((unsigned)capacity) == capacity))) {
        bt_expect("reserve", bt_it->reserve(0, capacity), BT_OK);
        if (bt_it->reaches || bt_it->deferred) {
            requests = bt_requests; /* for keys below that, and a longer journal */
        }
    }
    for (unsigned label = count + 1; label <= wanted; label++) {
        if (bt_it->reaches && bt_it->key(label) >= wanted) { /* the table of its index is for smaller keys */
            bt_add_some(0, label, label);
            requests = bt_requests;
        } else {
            bt_add_some(0, label, label);
        }
        if (bt_requests != requests && !BESPOKE_CHAOS) {
            bt_fail("%s_reserve did not reserve capacity for %u elements", bt_it->name, wanted);
        }
    }
    if (bt_it->capacity(0) != capacity || capacity < wanted) {
        bt_fail("%s has a capacity of %lu, %u were reserved", bt_it->name, (unsigned long)bt_it->capacity(0), wanted);
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* What no memory can hold is refused, and not even requested. */
static void bt_try_too_much(size_t count)
{
    unsigned long requests;

    bt_begin_case();
    bt_add_some(0, 1, 3);
    if (bt_it->remove_current != NULL || bt_it->remove_at != NULL) {
        bt_drop_first();
    }
    requests = bt_requests;
    bt_operations++;
    if (bt_it->reserve(0, count) == BT_OK || bt_requests != requests || !bt_is_clean(0)) {
        bt_fail("%s_reserve does not refuse %lu elements", bt_it->name, (unsigned long)count);
    }
    bt_it->deinit(0);
}

/* A reserve that needs several blocks of memory, and gets only some of them, frees these. */
static void bt_try_scarce(void)
{
    size_t wanted = 1200;

    wanted = bt_it->limit != 0 && bt_it->limit < wanted ? bt_it->limit : wanted;
    wanted = bt_it->slots != 0 && bt_it->slots < wanted ? bt_it->slots : wanted;
    for (unsigned turn = 1; turn < 8; turn++) {
        size_t blocks, capacity;

        bt_begin_case();
        bt_add_some(0, 1, turn % 2 * 2);
        blocks = bt_block_count;
        capacity = bt_it->capacity(0);
        bt_refuse_at = bt_requests + turn / 2 + 1;
        if (bt_it->reserve(0, wanted) != BT_OK
            && (bt_it->capacity(0) != capacity || bt_block_count != blocks || !bt_is_clean(0))) {
            bt_fail("%s_reserve is refused memory, and the container is not as it was", bt_it->name);
        }
        bt_refuse_at = 0;
        bt_it->deinit(0);
    }
}

/* A pass visits what it has still to visit, although the memory of all that moves meanwhile. */
static void bt_try_reserved_in_pass(size_t wanted)
{
    unsigned visits[68] = {0};
    unsigned label;

    bt_begin_case();
    bt_operations += 4;
    bt_add_some(0, 1, 65); /* a word of bits, and some more */
    bt_it->begin(0, 0, false);
    for (unsigned i = 0; i < 3; i++) {
        visits[bt_it->next(0, 0)]++;
    }
    bt_add_some(0, 66, 66);
    bt_expect("reserve", bt_it->reserve(0, wanted), BT_OK);
    bt_add_some(0, 67, 67);
    while ((label = bt_it->next(0, 0)) != BT_NOBODY) {
        visits[label]++;
    }
    for (label = 1; label <= 67; label++) {
        if (visits[label] > 1 || (visits[label] == 0 && label <= 65)) {
            bt_fail("a pass visits element %u %u times", label, visits[label]);
        }
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Reserves up to the limit, where capacity would double beyond it. */
static void bt_try_last_growth(void)
{
    size_t limit = BT_BY_NUMBER ? (size_t)bt_it->keys : bt_it->limit;

    bt_begin_case();
    bt_operations += 2;
    bt_expect("reserve", bt_it->reserve(0, limit / 2 + 1), BT_OK);
    bt_expect("reserve", bt_it->reserve(0, limit), BT_OK);
    if (bt_it->capacity != NULL && bt_it->capacity(0) < limit) {
        bt_fail("%s_reserve reserves capacity for %lu elements of %lu", bt_it->name, (unsigned long)bt_it->capacity(0),
                (unsigned long)limit);
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

static void bt_try_reserves(void)
{
    unsigned most = bt_fitting(300);

    if (bt_it->reserve == NULL || most < 4) {
        return;
    }
    for (unsigned count = 1; count < most; count += count / 2 + 1) {
        for (unsigned wanted = count + 1; wanted <= most; wanted += wanted / 3 + 1) {
            bt_try_reserve(count, wanted);
        }
    }
    bt_try_scarce();
    if (BT_BY_NUMBER ? bt_it->keys != 0 && !BT_IN_CHUNKS : bt_it->slots != 0 && bt_it->limit != 0) {
        bt_try_last_growth();
    }
    if (bt_fitting(300) == 300 && bt_it->remove_current != NULL && !bt_it->passes_lock) {
        bt_try_reserved_in_pass(300);
    }
    if (!bt_it->narrow && (!bt_it->never_fails || bt_it->limit != 0 || bt_it->slots != 0)) { /* else it stops the program */
        bt_try_too_much((size_t)-1);
        bt_try_too_much((size_t)-2);
        bt_try_too_much((size_t)-1 / 2 + 2);
    }
}

/* Where T_settle takes the time that has passed, it frees memory that is not needed for long. Returns the capacity that stays. */
static size_t bt_try_slack_behind(unsigned most, bool clears)
{
    size_t capacity, less;

    bt_begin_case();
    bt_operations += 5;
    bt_add_some(0, 1, most);
    capacity = bt_it->capacity(0);
    bt_expect("settle", bt_it->settle(0, 1e6), BT_OK);
    if (bt_it->capacity(0) != capacity) {
        bt_fail("%s_settle frees memory that is needed", bt_it->name);
    }
    if (clears) {
        (void)bt_it->clear(0);
        bt_add_some(0, 1, 2);
    } else {
        bt_drop_rest(most);
    }
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    if (bt_it->capacity(0) != capacity) {
        bt_fail("%s_settle frees memory immediately", bt_it->name);
    }
    bt_expect("settle", bt_it->settle(0, 1e6), BT_OK);
    less = bt_it->capacity(0);
    bt_expect("settle", bt_it->settle(0, 1e6), BT_OK);
    if (less >= capacity || bt_it->capacity(0) != less) {
        bt_fail("%s_settle frees no memory", bt_it->name);
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
    return less;
}

static void bt_try_slack(void)
{
    unsigned most = bt_fitting(300);

    if (!bt_it->in_seconds || bt_it->capacity == NULL || most < 200) {
        return;
    }
    (void)bt_try_slack_behind(most, true);
    if (bt_can_drop_rest() && bt_try_slack_behind(most, false) > bt_it->first + 2 * bt_it->granule) {
        bt_fail("%s_settle keeps memory behind the last element", bt_it->name);
    }
}

/* A full container grows by the factor of its spec. */
static void bt_try_growth(void)
{
    unsigned most = bt_fitting(300);
    size_t at_most = bt_it->limit != 0 ? bt_it->limit : bt_it->slots != 0 ? bt_it->slots : (size_t)-1;
    size_t capacity = 0;

    if (bt_it->capacity == NULL || bt_it->growth == 0 || most < 2) {
        return;
    }
    bt_begin_case();
    for (unsigned label = 1; label <= most; label++) {
        size_t wanted = capacity + capacity * bt_it->growth / 100;
        size_t grown;

        bt_add_some(0, label, label);
        grown = bt_it->capacity(0);
        if (capacity == 0) {
            wanted = bt_it->first == 0 ? 1 : bt_it->first < at_most ? bt_it->first : at_most;
            wanted += bt_it->granule - 1;
            wanted -= wanted % bt_it->granule;
            if (grown != wanted) {
                bt_fail("%s begins with a capacity of %lu, expected %lu", bt_it->name, (unsigned long)grown,
                        (unsigned long)wanted);
            }
        } else if (grown < 2 || grown > wanted + bt_it->granule
            || (grown != capacity && (BT_BY_NUMBER ? bt_it->key(label) < capacity : label <= capacity))
            || (grown != capacity && grown + 1 < wanted && grown + bt_it->granule <= at_most)) {
            bt_fail("%s grows from a capacity of %lu to %lu, expected about %lu", bt_it->name, (unsigned long)capacity,
                    (unsigned long)grown, (unsigned long)wanted);
        }
        capacity = grown;
    }
    bt_it->deinit(0);
}

/* T_add_from that stops half way, without memory or since it is full, reports it and what it has moved;
 * also out of a live pass, or behind an element that is in already. */
static void bt_try_half_moved(bool scarce, bool live, bool twice)
{
    static unsigned labels[BT_ROWS];
    static bool seen[BT_LABELS];
    unsigned most = bt_fitting(200);
    size_t taken = BT_ROWS;
    unsigned status;

    bt_begin_case();
    bt_operations++;
    bt_add_some(1, 2, most);
    bt_add_some(0, 1, twice ? 2 : 1);
    if (live) {
        bt_it->begin(1, 0, false);
    }
    bt_refuse_on = scarce;
    bt_refuse_at = scarce ? bt_requests + 1 : 0;
    status = bt_it->add_from(0, &taken);
    bt_refuse_at = 0;
    if ((status == BT_OK) != (bt_it->count(1) == 0) || taken + 1 + twice != bt_it->count(0)
        || taken + 1 + bt_it->count(1) != most) {
        bt_fail("%s_add_from returns status %u and has moved %lu of %u elements", bt_it->name, status, (unsigned long)taken,
                most - 1);
    }
    memset(seen, 0, sizeof seen);
    for (unsigned side = 0; bt_it->contents != NULL && !(bt_it->linked && twice) && side < BT_SIDES; side++) {
        for (size_t i = bt_it->contents(side, labels); i > 0; i--) {
            if (labels[i - 1] > most || (seen[labels[i - 1]] && !(twice && labels[i - 1] == 2))) {
                bt_fail("%s_add_from has moved element %u, and left it where it was", bt_it->name, labels[i - 1]);
            }
            seen[labels[i - 1]] = true;
        }
    }
    for (unsigned pass = live; bt_it->counted && pass < bt_it->passes; pass++) { /* its own has ended */
        bt_fatal = 0;
        bt_it->begin(1, 0, false);
        if (bt_fatal != 0) {
            bt_fail("%s_add_from has left a pass live", bt_it->name);
        }
    }
    (void)bt_is_clean(0);
    (void)bt_is_clean(1);
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* An add of many stops when memory is refused, even if it would be granted later. */
static void bt_try_stops(void)
{
    static const unsigned labels[] = {1, 2, 3};
    size_t taken = 0;
    unsigned most = bt_fitting(200);

    bt_begin_case();
    bt_operations += 2;
    bt_refuse_at = bt_requests + 1;
    if (bt_it->add_all(0, labels, 3, &taken) == BT_NO_MEMORY && (taken != 0 || bt_it->count(0) != 0)) {
        bt_fail("%s_add_all goes on without memory", bt_it->name);
    }
    bt_refuse_at = 0;
    bt_it->deinit(0);
    if (bt_it->add_from == NULL || most < 9) {
        return;
    }
    bt_begin_case();
    bt_add_some(1, 2, most);
    bt_add_some(0, 1, 1);
    bt_refuse_at = bt_requests + 1;
    if (bt_it->add_from(0, &taken) == BT_NO_MEMORY && bt_it->count(1) < 2) {
        bt_fail("%s_add_from goes on without memory", bt_it->name);
    }
    bt_refuse_at = 0;
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* For all of another container capacity was reserved: T_add_from needs no memory. */
static void bt_try_reserved(void)
{
    unsigned most = bt_fitting(400);
    size_t capacity;

    bt_begin_case();
    bt_operations++;
    bt_expect("reserve", bt_it->reserve(0, most < 60 ? most : 60), BT_OK);
    bt_add_some(0, 1, 1);
    capacity = bt_it->capacity(0);
    if (capacity <= most) {
        bt_add_some(1, 2, (unsigned)capacity - BT_BY_NUMBER); /* keys begin with 1 */
        bt_refuse_on = true;
        bt_refuse_at = bt_requests + 1;
        bt_expect("add_from", bt_it->add_from(0, NULL), BT_OK);
        bt_refuse_at = 0;
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
    bt_it->deinit(1);
}

static void bt_try_half(void)
{
    if (bt_fitting(3) == 3) {
        bt_try_stops();
    }
    if (bt_it->add_from != NULL && bt_it->reserve != NULL && bt_it->capacity != NULL && !bt_it->reaches && !bt_it->deferred
        && !BESPOKE_CHAOS) {
        bt_try_reserved();
    }
    if (bt_it->add_from != NULL && bt_fitting(2) == 2) {
        bool nested = bt_it->counted && bt_it->passes > 1 && !bt_it->removes_current && !bt_it->deferred;

        for (unsigned how = 0; how < (nested ? 4u : 2u); how++) {
            bt_try_half_moved(how % 2 != 0, how / 2 != 0, false);
            if (bt_it->unique && !bt_it->replaces && !bt_it->intrusive) {
                bt_try_half_moved(how % 2 != 0, how / 2 != 0, true);
            }
        }
    }
}

/* Where as many elements are added as removed, nothing grows. */
static void bt_try_turnover(void)
{
    size_t capacity;

    if (bt_it->capacity == NULL || (bt_it->remove_current == NULL && bt_it->remove_at == NULL) || bt_it->tree
        || (bt_it->generations != 0 && bt_it->generations < 100000) || bt_fitting(3) < 3) {
        return;
    }
    bt_begin_case();
    bt_add_some(0, 1, 2);
    capacity = bt_it->capacity(0);
    for (unsigned turn = 0; turn < 1000; turn++) {
        bt_drop_first();
        if (turn < 70 && bt_it->known_slots != NULL && bt_it->known_slots(0) != 1) {
            bt_fail("%s_contains takes a free slot for that of an element", bt_it->name);
        }
        bt_drop_first();
        bt_add_some(0, 1, 2);
    }
    if (bt_it->capacity(0) > 4 * capacity + 64) {
        bt_fail("%s grows, although it has no more elements than before", bt_it->name);
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
    bt_begin_case();
    bt_add_some(0, 1, 2);
    capacity = bt_it->capacity(0);
    if (bt_it->deferred || bt_it->remove_current == NULL || capacity < 2 || bt_fitting(200) < capacity) {
        bt_it->deinit(0);
        return;
    }
#ifdef BT_WITH_TOMBSTONES
    if (bt_it->tombstones != NULL) { /* which stay while a pass is live */
        bt_it->deinit(0);
        return;
    }
#endif
    bt_add_some(0, 3, (unsigned)capacity);
    capacity = bt_it->capacity(0);
    bt_it->begin(0, 0, false);
    for (unsigned turn = 0; turn < 2; turn++) { /* it fills what has become free, also while a pass is live */
        unsigned label = bt_it->next(0, 0);

        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
        bt_add_some(0, label, label);
    }
    if (bt_it->capacity(0) != capacity) {
        bt_fail("%s grows while a pass is live, although it has no more elements than before", bt_it->name);
    }
    bt_it->deinit(0);
}
