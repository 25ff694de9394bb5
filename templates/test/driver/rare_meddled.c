/* -- rare cases: hooks and loop bodies that change what calls them ------------------------------------------------------- */

/* What hooks do in a case without a model, the first time. */
enum { BT_ADDS_ONE, BT_DEINITS, BT_TAKES_ALL, BT_GIVES_ALL, BT_FILLS_ONE, BT_FILLS_BOTH, BT_ADDS_EQUAL };
static unsigned bt_meddling;
static unsigned bt_calls_heard; /* hooks that were called */
static unsigned bt_sides_heard; /* bits: of which containers */
static unsigned bt_whys_heard;  /* and for which reasons */

static void bt_meddle_once(unsigned side, unsigned label)
{
    bt_calls_heard++;
    bt_sides_heard |= 1u << side;
    bt_whys_heard |= 1u << bt_why;
    if (bt_meddled != 0 || (bt_it->count(side) != 0 && (bt_meddling == BT_TAKES_ALL || bt_meddling == BT_GIVES_ALL))) {
        return;
    }
    bt_meddled++;
    bt_operations++;
    switch (bt_meddling) {
    case BT_ADDS_ONE: (void)bt_it->add(side, 3); break;
    case BT_DEINITS: bt_it->deinit(side); break;
    case BT_TAKES_ALL: (void)bt_it->add_from(side, NULL); break;
    case BT_GIVES_ALL: (void)bt_it->add_from(1 - side, NULL); break;
    case BT_ADDS_EQUAL: (void)bt_it->add(1 - side, label); break;
    default:
        (void)bt_it->add(1 - side, 201);
        if (bt_meddling == BT_FILLS_BOTH) {
            (void)bt_it->add(side, 202);
        }
        bt_refuse();
    }
}

static void bt_begin_meddling(unsigned meddling)
{
    bt_begin_case();
    bt_meddling = meddling;
    bt_meddled = 0;
    bt_calls_heard = 0;
    bt_sides_heard = 0;
    bt_whys_heard = 0;
    bt_operations += 4;
}

/* While all elements are removed, a hook adds one, calls T_deinit, or moves all from or to another container. */
static void bt_try_meddled_clear(unsigned meddling, bool deinits)
{
    bt_begin_meddling(meddling);
    bt_add_some(0, 1, 2);
    if (meddling == BT_TAKES_ALL) {
        bt_add_some(1, 4, 4);
    }
    bt_meddle = bt_meddle_once;
    if (deinits) {
        bt_it->deinit(0);
    } else {
        (void)bt_it->clear(0);
    }
    bt_meddle = NULL;
    if (meddling == BT_ADDS_ONE && deinits && bt_calls_heard % 3 != 0) { /* each has the same hooks */
        bt_fail("%s_deinit calls %u hooks for two elements and one that a hook has added", bt_it->name, bt_calls_heard);
    }
    if (!bt_is_clean(0) || !bt_is_clean(1) || ((deinits || meddling == BT_DEINITS) && bt_it->count(0) != 0)
        || (meddling == BT_TAKES_ALL && bt_it->count(0) + bt_it->count(1) != 1)) {
        bt_fail("after %s_%s there are %lu and %lu elements", bt_it->name, deinits ? "deinit" : "clear",
                (unsigned long)bt_it->count(0), (unsigned long)bt_it->count(1));
    }
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* Is it full before labels from 101 on are needed, all of which there are? */
static bool bt_is_small(void)
{
    return bt_it->limit >= 2 && bt_it->limit < 90 && bt_labels > 202 && bt_it->keys == 0 && bt_it->slots == 0;
}

/* While an element is moved over, a hook fills the container that it goes to, or adds an
 * equal one there: it stays where it was, or is destroyed, if its slot is not free yet and
 * there is no memory for another. Hooks are called with the container that it was in. */
static void bt_try_meddled_from(unsigned meddling)
{
    size_t full[BT_SIDES];
    size_t taken = BT_ROWS;
    unsigned status;
    size_t lost;

    bt_begin_meddling(meddling);
    bt_add_some(0, 1, 1);
    bt_add_some(1, 101, 101);
    full[0] = bt_is_small() ? bt_it->limit : bt_it->capacity(0);
    full[1] = bt_is_small() ? bt_it->limit : bt_it->capacity(1);
    if (full[0] >= 2 && full[0] < 90 && full[1] < 90) {
        bt_add_some(0, 2, (unsigned)full[0] - 1);
        bt_add_some(1, 102, 100 + (unsigned)full[1]);
        bt_meddle = bt_meddle_once;
        status = bt_it->add_from(0, &taken);
        bt_meddle = NULL;
        bt_allow();
        lost = full[1] + (meddling == BT_FILLS_BOTH) - bt_it->count(1);
        if (bt_meddled != 0 && (status == BT_OK || taken != 0 || bt_it->count(0) != full[0] || lost > 1
                                || bt_calls_heard != 1 + (bt_it->on_destroy ? lost : 0) || bt_sides_heard != 2)) {
            bt_fail("%s_add_from has moved %lu elements, but a hook has filled the container: status %u, %lu and %lu elements",
                    bt_it->name, (unsigned long)taken, status, (unsigned long)bt_it->count(0), (unsigned long)bt_it->count(1));
        }
        if (bt_meddled != 0 && bt_it->reasons
            && bt_whys_heard != (1u << BT_WHY_TAKEN | (unsigned)(bt_it->on_destroy && lost != 0) << BT_WHY_REFUSED)) {
            bt_fail("%s_add_from calls hooks for other reasons than TAKEN%s: bits %u", bt_it->name,
                    lost != 0 ? " and REFUSED" : "", bt_whys_heard);
        }
        if (bt_meddled != 0 && lost == 0 && bt_it->on_add) {
            bt_need_why(101, BT_WHY_RETURNED);
        }
    }
    (void)bt_is_clean(0);
    (void)bt_is_clean(1);
    bt_it->deinit(0);
    bt_it->deinit(1);
}

/* The body of a loop settles, and may begin another pass. */
BT_SPARE static unsigned bt_settles(unsigned side, unsigned label)
{
    (void)label;
    if (bt_meddled++ % 4 == 0) {
        (void)bt_it->settle(side, 0);
        if (bt_meddled != 1) {
            bt_it->begin(side, 1, false);
        }
    }
    return BT_GO_ON;
}

static void bt_try_meddled(void)
{
    if ((bt_it->on_remove || bt_it->on_destroy) && !bt_it->deferred && bt_fitting(4) == 4) {
        bt_try_meddled_clear(BT_ADDS_ONE, true);
        bt_try_meddled_clear(BT_ADDS_ONE, false);
        bt_try_meddled_clear(BT_DEINITS, false);
        for (unsigned meddling = BT_TAKES_ALL; bt_it->add_from != NULL && meddling <= BT_GIVES_ALL; meddling++) {
            bt_try_meddled_clear(meddling, false);
        }
    }
    if (bt_it->on_remove && !bt_it->deferred && bt_it->add_from != NULL && bt_it->capacity != NULL && !bt_it->reaches
        && (bt_is_small() || bt_fitting(202) == 202) && !BESPOKE_CHAOS) {
        bt_try_meddled_from(BT_FILLS_ONE);
        bt_try_meddled_from(BT_FILLS_BOTH);
        if (bt_it->unique && !bt_it->replaces && !bt_it->intrusive) {
            bt_try_meddled_from(BT_ADDS_EQUAL);
        }
    }
#if !BESPOKE_CHECKS
    for (unsigned how = 0; how < 2 && bt_it->settle != NULL && bt_fitting(3) == 3; how++) {
        bt_begin_meddling(0);
        bt_meddled = how * 4;
        bt_add_some(0, 1, 3);
        bt_body = bt_settles;
        (void)bt_it->loop(0, false);
        bt_body = NULL;
        if (bt_meddled != how * 4 + 1) {
            bt_fail("a loop over %s goes on behind a settle", bt_it->name);
        }
        bt_may_report();
        (void)bt_it->settle(0, 0);
        (void)bt_is_clean(0);
        bt_it->deinit(0);
    }
#endif
}
