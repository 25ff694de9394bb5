#ifdef BT_WITH_CHOSEN
/* -- rare cases: sizes that a program states ------------------------------------------------------------------------------ */

/* As many elements as T_init has said, and no more; T_deinit does not forget it. A file with more is refused. */
static void bt_try_chosen_of(size_t max)
{
    bt_begin_case();
    bt_it->deinit(0);
    bt_it->begin_with(0, max);
    bt_add_some(0, 1, (unsigned)max);
    bt_operations++;
    if (!bt_it->overwrites || max == 0) {
        bt_expect("add", bt_it->add(0, (unsigned)max + 1), BT_BY_NUMBER ? BT_RANGE : BT_FULL);
    }
    if (bt_it->count(0) != max || bt_it->most(0) != max) {
        bt_fail("%s has %lu elements of %lu, where %s_init was given %lu", bt_it->name, (unsigned long)bt_it->count(0),
                (unsigned long)bt_it->most(0), bt_it->name, (unsigned long)max);
    }
    if (bt_it->reserve != NULL && bt_it->reserve(0, max + 1) == BT_OK) {
        bt_fail("%s_reserve does not refuse one more than the maximum", bt_it->name);
    }
#ifdef BT_WITH_SAVING
    if (bt_it->save != NULL && max > 0) {
        bt_saved.count = bt_saved.at = 0;
        bt_expect("save", bt_it->save(0, false, &bt_saved), BT_OK);
        bt_it->deinit(1);
        bt_it->begin_with(1, max - 1);
        bt_it->make(1);
        bt_expect("load", bt_it->load(1, &bt_saved), BT_FULL);
        bt_it->begin_with(1, max);
        bt_it->make(1);
        bt_saved.at = 0;
        bt_expect("load", bt_it->load(1, &bt_saved), BT_OK);
        bt_it->adopt(1, false);
        (void)bt_is_clean(1);
    }
#endif
#ifdef BT_WITH_NUMBERS
    if (BT_BY_NUMBER && bt_it->combine != NULL) { /* another set may have numbers that are too large */
        bt_it->deinit(1);
        bt_it->begin_with(1, max + 100);
        bt_add_some(1, (unsigned)max + 99, (unsigned)max + 100);
        bt_expect("unite", bt_it->combine(0, 1, 0), BT_RANGE);
        bt_expect("clear", bt_it->clear(1), BT_OK);
        bt_add_some(1, 1, (unsigned)max);
        bt_expect("unite", bt_it->combine(0, 1, 0), BT_OK);
        bt_it->deinit(1);
        bt_it->init(1, false);
        if (bt_it->count(0) != max) {
            bt_fail("%s_unite adds what is not below the maximum", bt_it->name);
        }
    }
#endif
    (void)bt_is_clean(0);
    bt_it->deinit(0);
    if (bt_it->most(0) != max) {
        bt_fail("%s_deinit forgets the maximum", bt_it->name);
    }
    bt_it->init(0, false);
}

static void bt_try_chosen(void)
{
    if (bt_it->most != NULL && bt_it->limit != 0) {
        for (size_t max = 0; max < 5; max++) {
            bt_try_chosen_of(max);
        }
    }
}
#endif
