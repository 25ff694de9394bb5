#ifdef BT_WITH_FILLING
/* -- rare cases: which free slot an add takes ---------------------------------------------------------------------------- */

#define BT_SLOTS 1024 /* of which it is looked at */

static bool bt_slot_in[BT_SLOTS];        /* does the slot hold an element? */
static unsigned bt_slots_freed[BT_SLOTS]; /* those that are free again, in the order in which they were vacated */
static unsigned bt_slots_freed_count, bt_slots_used, bt_slots_turn;

/* The slot of which it is not known yet that it was taken, or vacated. */
static unsigned bt_slot_changed(void)
{
    bool in[BT_SLOTS];
    unsigned changed = BT_SLOTS;
    size_t slots = bt_it->slots_in(0, in, BT_SLOTS);

    for (unsigned slot = 0; slot < slots && slot < BT_SLOTS; slot++) {
        if (in[slot] != bt_slot_in[slot]) {
            if (changed != BT_SLOTS) {
                bt_fail("two slots are not as before");
            }
            changed = slot;
        }
        bt_slot_in[slot] = in[slot];
    }
    return changed;
}

static unsigned bt_slot_expected(void)
{
    static bool in[BT_SLOTS];
    unsigned slot = bt_it->next_slot == 2 ? bt_slots_turn : 0;
    unsigned slots = (unsigned)bt_it->slots_in(0, in, BT_SLOTS);

    if (bt_it->next_slot == 1) {
        return bt_slots_freed_count > 0 ? bt_slots_freed[--bt_slots_freed_count] : bt_slots_used;
    }
    while (slot < slots && bt_slot_in[slot]) {
        slot++;
    }
    for (unsigned i = 0; slot == slots && i < slots; i++) {
        if (!bt_slot_in[i]) {
            return i;
        }
    }
    return slot;
}

static void bt_add_to_slot(unsigned label)
{
    unsigned expected = bt_slot_expected();
    unsigned slot;

    bt_add_some(0, label, label);
    slot = bt_slot_changed();
    if (slot != expected) {
        bt_fail("%s_add takes slot %u, expected %u", bt_it->name, slot, expected);
    }
    bt_slots_turn = slot + 1;
    bt_slots_used = bt_slots_used > slot ? bt_slots_used : slot + 1;
    (void)bt_is_clean(0);
}

/* A slot that is vacated is taken again in the turn that `removal.next` selects, also after a clear. */
static void bt_try_next_slots(void)
{
    unsigned most = bt_fitting(150);
    unsigned label = 1;
    unsigned seed = 1;

    if (bt_it->slots_in == NULL || most < 8
        || (bt_it->remove_current == NULL && bt_it->remove_at == NULL && bt_it->remove_placed == NULL)
        || bt_labels < 500 || (bt_it->keys != 0 && bt_it->keys < 500)
        || (bt_it->generations != 0 && bt_it->generations < 100)) {
        return;
    }
    bt_begin_case();
    memset(bt_slot_in, 0, sizeof bt_slot_in);
    bt_slots_freed_count = bt_slots_used = bt_slots_turn = 0;
    for (unsigned round = 0; round < 3; round++) {
        unsigned number = (unsigned)bt_it->count(0);

        for (; number < most * 3 / 4; number++) {
            bt_add_to_slot(label++);
        }
        for (unsigned i = 0; i < 40; i++) {
            seed = seed * 1103515245u + 12345u;
            if ((seed >> 16) % 8 < (round == 1 ? 2u : 5u) && number > 2) {
                bt_drop_at((seed >> 20) % (number - 1));
                number--;
                bt_slots_freed[bt_slots_freed_count++] = bt_slot_changed();
            } else if (number < most) {
                bt_add_to_slot(label++);
                number++;
            }
            (void)bt_is_clean(0);
        }
        if (round < 2) {
            for (unsigned slot = BT_SLOTS; slot-- > 0;) {
                if (bt_slot_in[slot]) {
                    bt_slots_freed[bt_slots_freed_count++] = slot;
                }
            }
            (void)bt_it->clear(0);
            memset(bt_slot_in, 0, sizeof bt_slot_in);
            (void)bt_is_clean(0);
        }
    }
    bt_it->deinit(0);
}

/* Slots of several words of a bitmap are freed by handles while no pass is live, the lowest one first, and taken again. */
static void bt_try_holes(void)
{
    static const unsigned labels[] = {10, 150, 80};
    unsigned most = bt_fitting(192);

    if (bt_it->add_known == NULL || bt_it->remove_handle == NULL || bt_it->deferred || most < 150) {
        return;
    }
    bt_begin_case();
    bt_operations += most + 3;
    for (unsigned label = 1; label <= most; label++) {
        bt_expect("add", bt_it->add_known(0, label), BT_OK);
    }
    for (unsigned i = 0; i < 3; i++) {
        bt_expect("remove", bt_it->remove_handle(0, labels[i]), BT_OK);
        (void)bt_is_clean(0);
    }
    for (unsigned i = 0; i < 3; i++) {
        bt_add_some(0, labels[i], labels[i]);
        (void)bt_is_clean(0);
    }
    bt_it->deinit(0);
}
#endif
