#ifdef BT_WITH_STAYING
/* -- rare cases: addresses that are promised ------------------------------------------------------------------------------ */

static const void *bt_stays_at[BT_LABELS]; /* where each element was seen last; NULL: it is not in the container */

/* Elements that were there before lie where they lay. */
static void bt_see_addresses(const char *call)
{
    static const void *at[BT_ROWS];
    static unsigned labels[BT_ROWS];
    static const void *now[BT_LABELS];
    size_t count = bt_it->addresses(0, at, labels);

    memset(now, 0, sizeof now);
    if (count != bt_it->count(0)) {
        bt_fail("%lu of %lu elements have an address", (unsigned long)count, (unsigned long)bt_it->count(0));
    }
    for (size_t i = 0; i < count; i++) {
        unsigned label = labels[i] % BT_LABELS;

        if (bt_stays_at[label] != NULL && bt_stays_at[label] != at[i]) {
            bt_fail("%s_%s has moved element %u, whose address is promised", bt_it->name, call, label);
        }
        now[label] = at[i];
    }
    memcpy(bt_stays_at, now, sizeof now);
}

/* Growing, removing, shrinking and growing again moves no element. */
static void bt_try_addresses(void)
{
    unsigned most = bt_fitting(700);

    if (bt_it->addresses == NULL || most < 4) {
        return;
    }
    bt_begin_case();
    memset(bt_stays_at, 0, sizeof bt_stays_at);
    for (unsigned label = 1; label <= most; label++) {
        bt_add_some(0, label, label);
        if (label % 32 == 1 || label == most) {
            bt_see_addresses("add");
        }
    }
    for (unsigned i = 0; i < most / 3 && bt_can_drop(); i++) {
        bt_drop_at(i);
    }
    bt_see_addresses("remove");
    if (bt_it->shrink != NULL) {
        bt_expect("shrink_to_fit", bt_it->shrink(0), BT_OK);
        bt_see_addresses("shrink_to_fit");
    }
    if (bt_it->settle != NULL) {
        (void)bt_it->settle(0, 0);
        bt_see_addresses("settle");
    }
    if (bt_it->reserve != NULL) {
        bt_expect("reserve", bt_it->reserve(0, most), BT_OK);
        bt_see_addresses("reserve");
    }
    for (unsigned label = 1; label <= most && bt_it->count(0) < most; label++) {
        if (bt_stays_at[label] == NULL) {
            bt_add_some(0, label, label);
        }
    }
    bt_see_addresses("add");
    (void)bt_is_clean(0);
    bt_it->deinit(0);
}
#endif
