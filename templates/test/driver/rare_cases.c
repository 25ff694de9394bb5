/* -- cases that random sequences rarely reach --------------------------------------------------------------------------- */

/* On an empty container nothing requests memory. */
static void bt_try_empty(void)
{
    static const unsigned char kinds[] = {BT_CLEAR, BT_BEGIN, BT_NEXT, BT_END, BT_READ, BT_REMOVE, BT_REMOVE_NULL, BT_REMOVE_AT,
                                          BT_REMOVE_KEY, BT_REMOVE_FROM, BT_ADD_FROM, BT_UPDATE, BT_LOCK, BT_UNLOCK, BT_SHRINK,
                                          BT_DATA, BT_HASH_KEY, BT_SETTLE, BT_RESTART, BT_RESTART, BT_END};
    unsigned long requests;
    bt_op op;

    bt_begin_run();
    requests = bt_requests;
    memset(&op, 0, sizeof op);
    op.label = 1;
    for (size_t i = 0; i < sizeof kinds; i++) {
        op.kind = kinds[i];
        bt_do(&op);
        bt_compare(0, 0);
        bt_compare(1, 0);
    }
    if (bt_requests != requests) {
        bt_fail("a call on an empty container requested memory");
    }
}

/* A case without a model: hooks are called, and not compared with it. */
static void bt_begin_case(void)
{
    bt_begin_run();
    bt_playing = false;
}

/* As many as the spec allows, and not one more. */
static void bt_try_full(void)
{
    unsigned status;

    if (bt_it->limit == 0 || bt_it->limit >= bt_labels - 1 || (bt_it->keys != 0 && bt_it->limit + 2 >= bt_it->keys)) {
        return;
    }
    bt_begin_case();
    for (unsigned label = 1; label <= bt_it->limit; label++) {
        status = bt_it->add(0, label);
        bt_operations++;
        bt_expect("add", status, BT_OK);
    }
    if ((bt_it->capacity != NULL && bt_it->capacity(0) < bt_it->limit) || bt_it->count(0) != bt_it->limit || bt_it->check(0) != NULL) {
        bt_fail("a full container is not in order");
    }
/* @if queues */
    bt_expect("add", bt_it->add(0, (unsigned)bt_it->limit + 1), bt_it->overwrites ? BT_OK : BT_FULL);
/* @else */
    bt_expect("add", bt_it->add(0, (unsigned)bt_it->limit + 1), BT_FULL);
/* @end */
    bt_it->deinit(0);
}

/* Removes the first element of a pass. */
static void bt_drop_first(void)
{
    if (bt_it->remove_current != NULL) {
        bt_it->begin(0, 2, false);
        (void)bt_it->next(0, 2);
        (void)bt_it->remove_current(0, 2);
        bt_it->end(0, 2);
    } else {
        bt_expect("remove_at", bt_it->remove_at(0, 0), BT_OK);
    }
    bt_operations += 4;
}

static void bt_add_some(unsigned side, unsigned from, unsigned to)
{
    for (unsigned label = from; label <= to; label++) {
        bt_operations++;
        bt_expect("add", bt_it->add(side, label), BT_OK);
    }
}

/* The number of distinct elements that the container can hold, at most `most`. */
static unsigned bt_fitting(unsigned most)
{
    size_t fit = bt_labels - 1;

    if (bt_it->limit != 0 && bt_it->limit < fit) {
        fit = bt_it->limit;
    }
    if (bt_it->keys != 0 && bt_it->keys <= fit) {
        fit = (size_t)bt_it->keys - 1;
    }
    if (bt_it->slots != 0 && bt_it->slots < fit) {
        fit = bt_it->slots;
    }
    return fit < most ? (unsigned)fit : most;
}

/* Writes another number into a member of a container, and returns what was in it. */
BT_SPARE static size_t bt_overwrite(void *number, size_t bytes, size_t value)
{
    uint64_t was = 0;
    unsigned one = 1;
    unsigned char little;

    memcpy(&little, &one, 1);
    for (size_t i = 0; i < bytes; i++) {
        unsigned char *byte = (unsigned char *)number + (little ? i : bytes - 1 - i);

        was |= (uint64_t)*byte << 8 * i;
        *byte = (unsigned char)((uint64_t)value >> 8 * i);
    }
    return (size_t)was;
}

static bool bt_is_clean(unsigned side)
{
    const char *wrong = bt_it->check(side);

    if (wrong != NULL) {
        bt_fail("%s_check: %s", bt_it->name, wrong);
    }
    return true;
}

/* Where a bulk call would report how many it has added or removed, NULL is allowed. */
static void bt_try_null_counts(void)
{
    static const unsigned label = 1;

    bt_begin_case();
    bt_operations += 3;
    (void)bt_it->add_all(0, &label, 1, NULL);
    if (bt_it->remove_absent != NULL && (!bt_it->remove_absent(0) || bt_it->count(0) != 1)) {
        bt_fail("%s_remove removes an element that is elsewhere", bt_it->name);
    }
    if (bt_it->remove_from != NULL) {
        (void)bt_it->remove_from(1, 0, NULL);
    }
    (void)bt_is_clean(0);
    (void)bt_is_clean(1);
    bt_it->deinit(0);
    bt_it->deinit(1);
    for (unsigned how = 0; bt_it->add_from != NULL && how < (bt_it->removes_current ? 2u : 3u) && bt_fitting(3) == 3; how++) {
        unsigned long requests;

        bt_begin_case(); /* into an empty container, into one with elements, and while a pass is live */
        bt_operations++;
        bt_add_some(0, 1, 2);
        if (how > 0) {
            bt_add_some(1, 3, 3);
        }
        if (how > 1) {
            bt_it->begin(0, 0, false);
        }
        requests = bt_requests;
        if (bt_it->add_from(1, NULL) == BT_OK && (how < 2 || !bt_it->deferred) && (bt_it->count(0) != 0 || bt_it->count(1) != (how > 0 ? 3 : 2))) {
            bt_fail("%s_add_from does not move all elements", bt_it->name);
        }
        if (how == 0 && bt_it->splices && bt_requests != requests) {
            bt_fail("%s_add_from requests memory, although the other container has it", bt_it->name);
        }
        (void)bt_is_clean(0);
        (void)bt_is_clean(1);
        bt_it->deinit(0);
        bt_it->deinit(1);
    }
}

/* A slot that is used more often than its generation can count never makes an old handle come true. `others`: elements before it;
 * `clears`: each time all are removed. */
static void bt_try_generations(unsigned others, bool clears)
{
    bool all = others == 0 && !clears && bt_it->generations < 100000; /* or the last ones only */

    bt_begin_case();
    for (unsigned long use = 0; use <= (all ? bt_it->generations + 1 : 6); use++) {
        unsigned status;

        for (unsigned label = 2; label < others + 2 && (clears || use == 0); label++) {
            bt_expect("add", bt_it->add(0, label), BT_OK);
        }
        status = bt_it->emplace != NULL ? bt_it->emplace(0, 1) : bt_it->add(0, 1);
        bt_operations += 2;
        if (status == BT_FULL && bt_it->limit == 1) {
            break;
        }
        bt_expect("add", status, BT_OK);
        if (bt_it->note_handle != NULL) {
            bt_it->note_handle(0, 1);
        }
        if (use == 0 && !all) {
            bt_it->age(0, 1);
        }
        bt_it->stale_handles(0, false);
        if (!all) {
            (void)bt_is_clean(0);
        }
        if (clears) {
            (void)bt_it->clear(0);
        } else {
            bt_expect("remove", bt_it->remove_handle(0, 1), BT_OK);
        }
        for (unsigned label = 1; label < (clears ? others + 2 : 2); label++) {
            bt_it->bury_handle(0, label);
        }
        if (!all) {
            (void)bt_is_clean(0);
        }
    }
    bt_it->deinit(0);
}

static void bt_try_handles(void)
{
    if (bt_it->generations != 0 && (bt_it->emplace != NULL || bt_it->note_handle != NULL)) {
        bt_try_generations(0, false);
        bt_try_generations(bt_fitting(66) == 66 ? 64 : 0, false);
        bt_try_generations(bt_fitting(72) == 72 ? 64 : bt_fitting(12) == 12 ? 3 : 0, bt_it->limit == 0 || bt_it->limit > 8);
    }
}

/* Each live pass has a record: one pass more than there are records stops the program. */
static void bt_try_passes(void)
{
    if (!bt_it->counted) {
        return;
    }
    for (unsigned back = 0; back <= bt_it->both_ways; back++) {
        bt_begin_case();
        for (unsigned pass = 0; pass <= bt_it->passes; pass++) {
            bt_operations++;
            bt_fatal = 0;
            bt_it->begin(0, 0, back != 0);
            if (bt_fatal != (pass == bt_it->passes)) {
                bt_fail("%s_begin %s with %u passes live", bt_it->name, bt_fatal != 0 ? "stopped" : "did not stop", pass);
            }
        }
        bt_fatal = 0;
        if (bt_it->update != NULL && !BESPOKE_CHECKS) { /* which stop the program once more: it calls T_next */
            bt_it->update(0);
            if (bt_fatal == 0) {
                bt_fail("%s_update did not stop with %u passes live", bt_it->name, bt_it->passes);
            }
        }
        bt_it->deinit(0);
    }
    if (bt_it->add_from != NULL && bt_fitting(2) == 2) { /* which needs one itself */
        bt_size taken = BT_ROWS;

        bt_add_some(1, 1, 1);
        bt_add_some(0, 2, 2);
        for (unsigned pass = 0; pass < bt_it->passes; pass++) {
            bt_it->begin(1, 0, false);
        }
        if (bt_it->add_from(0, NULL) != BT_BUSY || bt_it->add_from(0, &taken) != BT_BUSY || taken != 0) {
            bt_fail("%s_add_from is refused and does not report that it added none", bt_it->name);
        }
        taken = BT_ROWS;
        if (bt_it->remove_from != NULL
            && (bt_it->remove_from(0, 1, NULL) != BT_BUSY || bt_it->remove_from(0, 1, &taken) != BT_BUSY || taken != 0)) {
            bt_fail("%s_remove_from is refused and does not report that it removed none", bt_it->name);
        }
        bt_it->deinit(0);
        bt_it->deinit(1);
    }
}

/* What ends a pass: T_deinit, T_settle, T_add_from behind a settle, to or from its container, T_deinit behind a clear, or behind a settle. */
enum { BT_BY_DEINIT, BT_BY_SETTLE, BT_BY_TAKING, BT_BY_GIVING, BT_BY_CLEARED, BT_BY_SETTLED, BT_OLD };

/* A cursor whose pass has been ended visits nothing and ends no other pass. `how`: what has ended it; `ends`: T_end is called, not T_next;
 * `stands`: it stands on an element; `turns`: elements that are removed in between. */
static void bt_try_old_cursor(unsigned how, bool ends, bool stands, unsigned turns)
{
    unsigned side = how == BT_BY_GIVING; /* whose cursors these are */
    bool freed = how == BT_BY_DEINIT || how >= BT_BY_CLEARED;
    bool taken = how == BT_BY_TAKING || how == BT_BY_GIVING;

    bt_begin_case();
    bt_operations += 6;
    if (how != BT_BY_TAKING) {
        bt_add_some(side, 1, 1);
    } else if (turns > 0) { /* then it may have changed as often as the other one */
        bt_it->begin(side, 0, false);
        bt_expect("settle", bt_it->settle(side, 0), BT_OK);
    }
    bt_it->begin(side, 0, false);
    if (how != BT_BY_TAKING && stands) {
        (void)bt_it->next(side, 0);
    }
    if (how == BT_BY_CLEARED) {
        (void)bt_it->clear(side);
    } else if (how != BT_BY_DEINIT) {
        bt_expect("settle", bt_it->settle(side, 0), BT_OK);
    }
    if (freed) {
        bt_it->deinit(side);
        bt_add_some(side, 1, 1);
    }
    if (taken) { /* T_add_from hands over the storage, but not what it records of passes */
        if (how == BT_BY_TAKING) {
            bt_add_some(1, 1, 1);
        }
        bt_expect("add_from", bt_it->add_from(0, NULL), BT_OK);
    }
    if (how == BT_BY_GIVING) {
        bt_add_some(side, 2, 2);
    }
    for (; !taken && turns > 0; turns--) {
        bt_drop_first();
        bt_add_some(0, 1, 1);
    }
    bt_it->begin(side, 1, false);
    if (ends) {
        bt_it->end(side, 0);
    }
#if !BESPOKE_CHECKS
    if (!ends) {
        if (bt_it->next(side, 0) != BT_NOBODY) {
            bt_fail("a pass from before visits an element");
        }
        bt_reported(true, "next");
    }
/* @if fail_fast */
    if (bt_it->passes == 1 && !bt_it->counted && !bt_it->fails_fast) { /* that other one is live still */
/* @else */
    if (bt_it->passes == 1 && !bt_it->counted) { /* that other one is live still */
/* @end */
        bt_it->begin(side, 2, false);
        bt_reported(true, "begin");
    }
#endif
    if (bt_it->next(side, 1) == BT_NOBODY) {
        bt_fail("a cursor from before has ended another pass");
    }
    bt_reported(false, "next");
    if (bt_it->next(side, 1) != BT_NOBODY) {
        bt_fail("a pass visits an element twice");
    }
    (void)bt_is_clean(0);
    (void)bt_is_clean(1);
    bt_it->deinit(0);
    bt_it->deinit(1);
}

static void bt_try_old_cursors(void)
{
    bool turns = (bt_it->remove_current != NULL || bt_it->remove_at != NULL) && !bt_it->tree;

    for (unsigned how = 0; how < BT_OLD && bt_fitting(2) == 2; how++) {
        bool takes = how == BT_BY_TAKING || how == BT_BY_GIVING;

        for (unsigned way = 0; way < 8 && (!takes || bt_it->add_from != NULL); way++) {
            bt_try_old_cursor(how, way % 2 != 0, way / 2 % 2 != 0, turns ? way / 4 : 0);
        }
    }
}

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
/* @if fail_fast */
    if (!bt_it->fails_fast && bt_it->capacity(0) != capacity) {
/* @else */
    if (bt_it->capacity(0) != capacity) {
/* @end */
        bt_fail("%s_shrink_to_fit frees memory while a pass is live", bt_it->name);
    }
    bt_it->end(0, 0);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_it->capacity(0) >= capacity && capacity > 256) {
        bt_fail("%s_shrink_to_fit frees no memory", bt_it->name);
    }
    requests = bt_requests;
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_requests != requests) {
        bt_fail("%s_shrink_to_fit requests memory, although nothing can be freed", bt_it->name);
    }
    capacity = bt_it->capacity(0); /* which holds one element, or more that come in one piece */
    bt_add_some(0, 2, 64); /* as many as fill a word of bits */
    bt_expect("reserve", bt_it->reserve(0, most), BT_OK);
    bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
    if (bt_it->capacity(0) != (63 + capacity) / capacity * capacity) {
        bt_fail("%s_shrink_to_fit keeps a capacity of %lu for 64 elements", bt_it->name, (unsigned long)bt_it->capacity(0));
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* T_reserve reserves capacity for as many elements as it names, and for few more: until there are as many, no add requests memory, but
 * for chaos, which moves the elements. */
static void bt_try_reserve(unsigned count, unsigned wanted)
{
    unsigned long requests;
    size_t capacity, bytes = 0;

    bt_begin_case();
    bt_add_some(0, 1, count);
    capacity = bt_it->capacity(0);
    capacity += capacity * bt_it->growth / 100;
    bt_operations++;
    bt_expect("reserve", bt_it->reserve(0, wanted), BT_OK);
    if (bt_it->growth != 0 && bt_it->capacity(0) > (capacity > wanted ? capacity : wanted) + bt_it->granule) {
        bt_fail("%s_reserve reserves capacity for %lu elements in place of %u", bt_it->name, (unsigned long)bt_it->capacity(0), wanted);
    }
    for (size_t i = 0; i < bt_block_count; i++) {
        bytes += bt_blocks[i].bytes;
    }
    if (!bt_it->reaches && bytes > bt_it->capacity(0) * (bt_it->bytes + 256) + 16384) { /* beside an element little is needed */
        bt_fail("%s_reserve takes %lu bytes for %lu slots", bt_it->name, (unsigned long)bytes, (unsigned long)bt_it->capacity(0));
    }
    requests = bt_requests;
    capacity = bt_it->capacity(0);
    if ((bt_it->limit == 0 || capacity <= bt_it->limit) && (bt_it->slots == 0 || capacity <= bt_it->slots)) {
        bt_expect("reserve", bt_it->reserve(0, capacity), BT_OK);
    }
    bt_add_some(0, count + 1, wanted);
    if (bt_it->capacity(0) != capacity || capacity < wanted || (bt_requests != requests && !bt_it->reaches && !BESPOKE_CHAOS)) {
        bt_fail("%s_reserve did not reserve capacity for %u elements", bt_it->name, wanted);
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
    bt_drop_first();
    requests = bt_requests;
    bt_operations++;
    if (bt_it->reserve(0, count) == BT_OK || bt_requests != requests || !bt_is_clean(0)) {
        bt_fail("%s_reserve does not refuse %lu elements", bt_it->name, (unsigned long)count);
    }
    bt_it->deinit(0);
}

/* A reserve that needs several blocks of memory, and gets but some of them, gives these back. */
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
        if (bt_it->reserve(0, wanted) != BT_OK && (bt_it->capacity(0) != capacity || bt_block_count != blocks || !bt_is_clean(0))) {
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
    if (bt_fitting(300) == 300 && bt_it->remove_current != NULL && !bt_it->deferred) {
        bt_try_reserved_in_pass(300);
    }
    if (sizeof(bt_size) == sizeof(size_t) && (bt_it->remove_current != NULL || bt_it->remove_at != NULL) && !bt_it->tree) {
        bt_try_too_much((size_t)-1);
        bt_try_too_much((size_t)-2);
        bt_try_too_much((size_t)-1 / 2 + 2);
    }
}

/* Where T_settle takes the time that has passed, it frees memory that is not needed for long. */
static void bt_try_slack(void)
{
    unsigned most = bt_fitting(300);
    size_t capacity, less;

    if (!bt_it->in_seconds || bt_it->capacity == NULL || most < 200) {
        return;
    }
    bt_begin_case();
    bt_operations += 5;
    bt_add_some(0, 1, most);
    capacity = bt_it->capacity(0);
    bt_expect("settle", bt_it->settle(0, 1e6), BT_OK);
    if (bt_it->capacity(0) != capacity) {
        bt_fail("%s_settle frees memory that is needed", bt_it->name);
    }
    (void)bt_it->clear(0);
    bt_add_some(0, 1, 2);
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
        if (grown < 2 || (grown != capacity && label <= capacity) || grown > wanted + bt_it->granule
            || (grown != capacity && grown + 1 < wanted && grown + bt_it->granule <= at_most)) {
            bt_fail("%s grows from a capacity of %lu to %lu, expected about %lu", bt_it->name, (unsigned long)capacity, (unsigned long)grown,
                    (unsigned long)wanted);
        }
        capacity = grown;
    }
    bt_it->deinit(0);
}

/* @if moving */
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

/* @end */
/* T_add_from that stops half way, without memory or since it is full, reports it and what it has moved; also out of a live pass, or behind
 * an element that is in already. */
static void bt_try_half_moved(bool scarce, bool live, bool twice)
{
    static unsigned labels[BT_ROWS];
    static bool seen[BT_LABELS];
    unsigned most = bt_fitting(200);
    bt_size taken = BT_ROWS;
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
    if ((status == BT_OK) != (bt_it->count(1) == 0) || taken + 1 + twice != bt_it->count(0) || taken + 1 + bt_it->count(1) != most) {
        bt_fail("%s_add_from returns status %u and has moved %lu of %u elements", bt_it->name, status, (unsigned long)taken, most - 1);
    }
    memset(seen, 0, sizeof seen);
    for (unsigned side = 0; bt_it->contents != NULL && side < BT_SIDES; side++) {
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
    bt_size taken = 0;
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
        bt_add_some(1, 2, (unsigned)capacity);
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
    if (bt_it->add_from != NULL && bt_it->reserve != NULL && bt_it->capacity != NULL && !bt_it->reaches && !bt_it->deferred && !BESPOKE_CHAOS) {
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

/* @if indices */
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

/* @end */
/* A pass whose element has been removed goes on with the same one, whatever is removed before it. */
static void bt_try_beside(void)
{
    unsigned before, removed, after;

    if (bt_it->remove_current == NULL || bt_it->remove_at == NULL || bt_it->removes_current || bt_it->deferred || bt_it->tree || bt_fitting(3) < 3) {
        return;
    }
    bt_begin_case();
    bt_operations += 6;
    bt_add_some(0, 1, 3);
    bt_it->begin(0, 0, false);
    before = bt_it->next(0, 0);
    removed = bt_it->next(0, 0);
    bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
    bt_expect("remove_at", bt_it->remove_at(0, 0), BT_OK);
    after = bt_it->next(0, 0);
    if (after == before || after == removed || (after != BT_NOBODY && bt_it->next(0, 0) != BT_NOBODY)) {
        bt_fail("a pass visits an element twice behind removals");
    }
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Of many elements some are removed and added again, behind and before where a pass stands: it visits each that stays exactly once, and each
   that comes back again, or not, as the contract has it. Where there is an order, that depends on where it comes back. */
static void bt_try_behind(void)
{
    static const unsigned char places[] = {129, 2, 63, 5, 190, 3, 70, 140, 0};
    static bool seen[BT_LABELS], again[BT_LABELS], back[BT_LABELS]; /* visited before that, visited since, added again */
    unsigned most = bt_fitting(200);
    bool live = bt_it->passes != 1 && !bt_it->removes_current && !bt_it->deferred;
    unsigned label;

    if (bt_it->remove_current == NULL || bt_it->tree || (bt_it->generations != 0 && bt_it->generations < 1000) || most < 200) {
        return;
    }
    bt_begin_case();
    memset(seen, 0, sizeof seen);
    memset(again, 0, sizeof again);
    memset(back, 0, sizeof back);
    bt_add_some(0, 1, most);
    if (live) {
        bt_it->begin(0, 0, false);
        for (unsigned i = 0; i < 150; i++) {
            seen[bt_it->next(0, 0) % BT_LABELS] = true;
        }
    }
    for (unsigned turn = 0; turn < sizeof places; turn++) {
        unsigned out[2] = {BT_NOBODY, BT_NOBODY};

        for (unsigned i = 0; i <= turn % 2; i++) {
            bt_operations++;
            bt_it->begin(0, 2, false);
            for (unsigned place = 0; place <= places[(turn + i) % sizeof places]; place++) {
                out[i] = bt_it->next(0, 2);
            }
            bt_expect("remove_current", bt_it->remove_current(0, 2), bt_it->deferred ? BT_QUEUED : BT_OK);
            bt_it->end(0, 2);
            back[out[i] % BT_LABELS] = true;
        }
        for (unsigned i = 0; i <= turn % 2; i++) {
            bt_add_some(0, out[i], out[i]);
        }
        (void)bt_is_clean(0);
    }
    while (live && (label = bt_it->next(0, 0)) != BT_NOBODY) {
        if (again[label % BT_LABELS]) {
            bt_fail("a pass visits element %u twice", label);
        }
        again[label % BT_LABELS] = true;
    }
    for (label = 1; live && label <= most; label++) {
        bool due = back[label] ? !bt_it->bounded : !seen[label];

        if (again[label] != due && !(back[label] && bt_it->ordered)) {
            bt_fail("a pass %s element %u", due ? "does not visit" : "visits again", label);
        }
    }
    while (bt_it->count(0) > 128) { /* until those that are left fill their words */
        bt_drop_first();
    }
    bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}

/* Changes that a replay has no memory for wait until it has. */
static void bt_try_pending_adds(unsigned most, bool leaves)
{
    bt_size taken = 0;

    bt_begin_case();
    bt_operations += 8;
    bt_it->begin(0, 0, false);
    for (unsigned label = 1; label <= most; label++) {
        bt_expect("add", bt_it->add(0, label), BT_QUEUED);
    }
    bt_refuse_on = true;
    bt_refuse_at = bt_requests + 1;
    bt_it->end(0, 0);
    bt_refuse_on = false;
    bt_refuse_at = 0;
    (void)bt_is_clean(0);
    if (bt_it->count(0) == 0 && !bt_it->is_locked(0)) {
        bt_fail("%s_is_locked is false while changes are pending", bt_it->name);
    }
    if (bt_it->count(0) == 0 && leaves) { /* what is pending is not in: the pass of T_add_from ends, and puts it in */
        if (bt_it->add_from != NULL && (bt_it->add_from(1, &taken) != BT_OK || taken != 0 || bt_it->count(1) != 0)) {
            bt_fail("%s_add_from moves what is pending", bt_it->name);
        }
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    } else if (bt_it->count(0) == 0) {
        bt_add_some(1, 3, 3);
        if (bt_it->shrink != NULL) {
            bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
        }
        if (bt_it->add_from != NULL && (bt_it->add_from(0, &taken) != BT_QUEUED || taken != 1)) {
            bt_fail("%s_add_from does not queue while changes are pending", bt_it->name);
        }
        (void)bt_is_clean(0);
        bt_expect("settle", bt_it->settle(0, 0), BT_OK);
    }
    if (bt_it->count(0) != most + taken || !bt_is_clean(0)) {
        bt_fail("%s_settle does not replay the journal", bt_it->name);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* What one journal removes, in the last or the first slot of a word, the next one may, too. */
static void bt_try_doomed(unsigned places)
{
    bt_begin_case();
    for (unsigned turn = 0; turn < 2; turn++) {
        bt_operations += 5;
        bt_add_some(0, 1, bt_fitting(130));
        bt_it->begin(0, 0, false);
        for (unsigned place = 0; place < places; place++) {
            (void)bt_it->next(0, 0);
        }
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_QUEUED);
        bt_it->end(0, 0);
        (void)bt_is_clean(0);
        bt_expect("clear", bt_it->clear(0), BT_OK);
    }
    if (bt_it->remove != NULL && bt_it->by_label && !bt_it->by_row) { /* nor what comes and leaves in one journal */
        bt_add_some(0, 1, places);
        bt_it->begin(0, 0, false);
        bt_expect("add", bt_it->add(0, places + 1), BT_QUEUED);
        bt_expect("remove", bt_it->remove(0, places + 1), BT_QUEUED);
        bt_it->end(0, 0);
        for (unsigned label = 1; label <= places; label++) {
            bt_expect("remove", bt_it->remove(0, label), BT_OK);
        }
    }
    bt_it->deinit(0);
}

static void bt_try_pending(void)
{
    for (unsigned places = 63; places <= 129 && bt_it->deferred && bt_it->remove_current != NULL && bt_fitting(130) == 130; places++) {
        bt_try_doomed(places);
    }
    for (unsigned how = 0; how < 4 && bt_it->deferred && bt_fitting(3) == 3; how++) {
        bt_try_pending_adds(1 + how % 2, how / 2 != 0);
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
/* @if tombstones */
    if (bt_it->tombstones != NULL) { /* which stay while a pass is live */
        bt_it->deinit(0);
        return;
    }
/* @end */
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

/* Merges a long run with a short one behind it, and the other way round, the last without memory for it; and runs some of whose elements,
 * first and last ones, lie where they belong. */
static void bt_try_merges(void)
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
        if (bt_it->check(0) == NULL) {
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

/* @if tombstones */
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
            bt_fail("%s has %lu tombstones, and had %lu before a removal", bt_it->name, (unsigned long)after, (unsigned long)before);
        }
    }
    bt_add_some(0, 1, most);
    (void)bt_it->clear(0);
    if (bt_it->tombstones(0, &allowed) != 0) {
        bt_fail("%s_clear leaves tombstones", bt_it->name);
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
    size_t allowed;

    if (bt_it->tombstones == NULL || bt_it->remove_current == NULL || bt_fitting(60) < 60) {
        return;
    }
    bt_try_tombstones_of(bt_fitting(200));
    bt_try_tombstones_of(60);
    bt_begin_case();
    bt_add_some(0, 1, 52);
    for (unsigned turn = 0; turn < 400 && bt_it->capacity != NULL && bt_it->capacity(0) == 64; turn++) {
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
                    bt_fail("%s_reserve leaves a capacity of %lu", bt_it->name, (unsigned long)bt_it->capacity(0));
                }
            }
        }
        bt_it->deinit(0);
    }
}

/* @end */
/* @if queues */
/* A ring shifts the shorter side: what is at the other end stays where it is. After a clear it begins anew. */
static void bt_try_sides(void)
{
    unsigned most = bt_fitting(400);

    if (bt_it->slot_at == NULL || most < 5 || BESPOKE_CHAOS) {
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
/* @if indices */
        } else if (bt_it->remove_range != NULL) {
            bt_expect("remove_range", bt_it->remove_range(0, back ? most - 3 : 1, 2), BT_OK);
/* @end */
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

/* @end */
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

/* A pass stands on an element while those that it has visited before leave: it can still be removed by the pass. */
static void bt_try_current(bool back)
{
    unsigned seen[5];

    if (bt_it->remove_current == NULL || bt_it->remove == NULL || !bt_it->by_label || bt_it->removes_current || bt_it->deferred || bt_it->tree || bt_fitting(6) < 6) {
        return;
    }
    for (unsigned most = 2; most <= 5; most++) {
        bt_begin_case();
        bt_operations += 2 * most;
        bt_add_some(0, 1, 6);
        bt_it->begin(0, 0, false);
        for (unsigned i = 0; i < most; i++) {
            seen[i] = bt_it->next(0, 0);
        }
        for (unsigned i = 0; i + 1 < most; i++) {
            bt_expect("remove", bt_it->remove(0, seen[back ? most - 2 - i : i]), BT_OK);
        }
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_OK);
        if (bt_it->contains(0, seen[most - 1]) || bt_it->count(0) != 6 - most || !bt_is_clean(0)) {
            bt_fail("%s_remove_current removes another element", bt_it->name);
        }
        bt_it->deinit(0);
    }
}

static void bt_try_currents(void)
{
    bt_try_current(false);
    bt_try_current(true);
}

/* Calls that the header forbids, and that no sequence makes. */
static void bt_try_misuse(void)
{
#if !BESPOKE_CHECKS
    unsigned label;

    if (bt_fitting(2) < 2) {
        return;
    }
    bt_begin_case();
    bt_operations += 4;
    if (bt_it->add_own != NULL) {
        bt_add_some(0, 1, bt_fitting(70)); /* more than one chunk holds */
        bt_it->add_own(0, false);
        bt_reported(true, "add_all");
        bt_it->add_own(0, true);
        bt_reported(false, "add_all");
        bt_it->deinit(0);
        bt_begin_case();
    }
    if (bt_it->by_pointer) {
        static const unsigned labels[] = {1, BT_NOBODY, 2};
        bt_size taken = 0;

        bt_expect("add_all", bt_it->add_all(0, labels, 3, &taken), BT_ABSENT);
        bt_reported(true, "add_all");
        if (taken != 2 || bt_it->count(0) != 2) {
            bt_fail("%s_add_all has added %lu elements of two and NULL", bt_it->name, (unsigned long)taken);
        }
        bt_it->deinit(0);
        bt_begin_case();
    }
    bt_add_some(0, 1, 2);
    if (bt_it->add_from != NULL) {
        bt_expect("add_from", bt_it->add_from(2, NULL), BT_ABSENT);
        bt_reported(true, "add_from");
    }
/* @if indices */
    if (bt_it->by_pointer && bt_it->replace_at != NULL) {
        bt_expect("replace_at", bt_it->replace_at(0, 0, BT_NOBODY), BT_ABSENT);
        bt_reported(true, "replace_at");
    }
/* @end */
    if (bt_it->remove_current != NULL && !bt_it->deferred && bt_fitting(4) == 4) {
        bt_add_some(0, 3, 3);
        bt_it->begin(0, 0, false);
        (void)bt_it->next(0, 0);
        bt_add_some(0, 4, 4);
        if (bt_it->remove_at != NULL && !bt_it->removes_current) { /* which notes by its place what the pass stands on */
            bt_expect("remove_at", bt_it->remove_at(0, bt_it->begins_back ? 0 : 2), BT_OK);
        }
        (void)bt_it->clear(0);
        bt_add_some(0, 1, 4);
        bt_expect("remove_current", bt_it->remove_current(0, 0), BT_ABSENT);
        bt_reported(true, "remove_current");
        bt_it->deinit(0);
        bt_begin_case();
        bt_add_some(0, 1, 2);
    }
    bt_it->begin(0, 0, false);
    label = bt_it->next(0, 0);
    if (bt_it->removes_current) {
        if (bt_it->remove != NULL) {
            (void)bt_it->remove(0, 3 - label);
            bt_reported(true, "remove");
        } else if (bt_it->remove_key != NULL) {
            (void)bt_it->remove_key(0, 3 - label);
            bt_reported(true, "remove_key");
        }
        if (bt_it->remove_at != NULL) {
            (void)bt_it->remove_at(0, 0);
            bt_reported(true, "remove_at");
        }
/* @if moving */
        for (unsigned how = 0; bt_it->move != NULL && how < BT_MOVES; how++) {
            (void)bt_it->move(0, how, BT_ROWS, BT_ROWS);
            bt_reported(true, "move");
        }
/* @end */
/* @if indices */
        for (unsigned place = 0; bt_it->remove_range != NULL && place < 2; place++) {
            (void)bt_it->remove_range(0, place, 1);
            bt_reported(true, "remove_range");
        }
/* @end */
        if (bt_it->passes == 1 && !bt_it->counted) {
            bt_it->begin(0, 1, false);
            bt_reported(true, "begin");
            if (bt_it->add_from != NULL) {
                (void)bt_it->add_from(1, NULL);
                bt_reported(true, "add_from");
            }
        }
        (void)bt_is_clean(0);
        (void)bt_is_clean(1);
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
#endif
}

/* An empty container with a wrong count is not in order. */
static void bt_try_damage(void)
{
    bt_begin_run();
    bt_operations++;
    if (bt_it->check_damaged(0) == NULL || bt_it->check(0) != NULL) {
        bt_fail("%s_check does not notice a wrong count", bt_it->name);
    }
    bt_it->deinit(0);
    for (unsigned most = 3; bt_fitting(most) == most && (most == 3 || !bt_it->linked) && most < 80; most += 64) {
        bt_begin_case();
        bt_operations += 5;
        bt_add_some(0, 1, most);
        bt_it->begin(0, 0, false);
        bt_it->damage();
        (void)bt_it->next(0, 0);
        bt_it->damage();
        (void)bt_is_clean(0);
        bt_it->end(0, 0);
        bt_it->deinit(0);
    }
}

static bool bt_tries(void (*part)(void))
{
    if (setjmp(bt_escape) == 0) {
        bt_calm = 1;
        memset(&bt_set, 0, sizeof bt_set);
        bt_set.range = 8;
        bt_set.blank[0] = bt_set.blank[1] = true;
        part();
        if (bt_block_count == 0) {
            return true;
        }
        snprintf(bt_reason, sizeof bt_reason, "%lu blocks of memory were not freed", (unsigned long)bt_block_count);
    }
    fprintf(stderr, "%s: %s\n", bt_it->name, bt_reason);
    bt_give_back();
    return false;
}

/* Everything about one container. */
BT_SPARE static bool bt_test(uint64_t seed, unsigned long steps, unsigned depth)
{
    unsigned long from, drawn;
    clock_t began;
    double seconds;
    char claim[200];

    if (!bt_exhaust(depth, claim, sizeof claim)) {
        return false;
    }
    from = bt_operations;
    began = clock();
    for (unsigned k = 1; k <= 60; k++) {
        if (!bt_run(seed, k, k, false) || !bt_run(seed, k + 60, k, true)) {
            return false;
        }
    }
    for (unsigned long run = 1000; bt_operations - from < steps; run++) {
        if (!bt_run(seed, run, 0, false)) {
            return false;
        }
    }
    seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    drawn = bt_operations - from;
    /* Last, since what fails in them is not printed as a program. */
    if (!bt_tries(bt_try_empty) || !bt_tries(bt_try_full) || !bt_tries(bt_try_handles) || !bt_tries(bt_try_passes)
        || !bt_tries(bt_try_damage) || !bt_tries(bt_try_null_counts) || !bt_tries(bt_try_old_cursors) || !bt_tries(bt_try_small)
        || !bt_tries(bt_try_turnover) || !bt_tries(bt_try_merges) || !bt_tries(bt_try_misuse) || !bt_tries(bt_try_growth)
        || !bt_tries(bt_try_reserves) || !bt_tries(bt_try_slack) || !bt_tries(bt_try_half) || !bt_tries(bt_try_beside) || !bt_tries(bt_try_behind)
        || !bt_tries(bt_try_pending) || !bt_tries(bt_try_resorts) || !bt_tries(bt_try_currents)) {
        return false;
    }
/* @if queues */
    if (!bt_tries(bt_try_sides)) {
        return false;
    }
/* @end */
/* @if tombstones */
    if (!bt_tries(bt_try_tombstones)) {
        return false;
    }
/* @end */
/* @if indices */
    if (!bt_tries(bt_try_ranges)) {
        return false;
    }
/* @end */
/* @if moving */
    if (!bt_tries(bt_try_rekeys) || !bt_tries(bt_try_absent)) {
        return false;
    }
/* @end */
    printf("%s: %s on 3 elements: %lu sequences; each request for memory of 60 runs refused, once and permanently; %lu random operations",
           bt_it->name, claim, bt_sequences, drawn);
    if (seconds > 0) {
        printf(", %.0f a second", (double)drawn / seconds);
    }
    printf("\n");
    return true;
}

/* One run from a file. */
static bool bt_replay(bt_op *ops, size_t number)
{
    bt_tracing = bt_trace_all;
    if (bt_survives(ops, number)) {
        return true;
    }
    bt_tell_story(ops, number, "--replay");
    return false;
}
