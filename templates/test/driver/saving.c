#ifdef BT_WITH_SAVING
/* -- containers that are saved, and loaded again -------------------------------------------------------------------------- */

static bt_bytes bt_saved;  /* what the container under test has saved */
static bt_bytes bt_again;  /* what the one has that was loaded */

static bool bt_write_bytes(void *context, const void *bytes, size_t count)
{
    bt_bytes *to = (bt_bytes *)context;

    if (count > to->room - to->count) {
        unsigned char *more = (unsigned char *)realloc(to->bytes, (to->count + count) * 2);

        if (more == NULL) {
            fputs("out of memory\n", stderr);
            exit(2);
        }
        to->bytes = more;
        to->room = (to->count + count) * 2;
    }
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
    return to->fails == 0 || --to->fails > 0;
}

static bool bt_read_bytes(void *context, void *bytes, size_t count)
{
    bt_bytes *from = (bt_bytes *)context;

    if (count > from->count - from->at) {
        return false;
    }
    memcpy(bytes, from->bytes + from->at, count);
    from->at += count;
    return true;
}

/* Damaged bytes are refused, and the container that was to be loaded is as it was. */
static void bt_damage(unsigned side)
{
    size_t count = bt_saved.count;
    size_t at = bt_below((unsigned)count);
    unsigned bit = 1u << bt_below(8);
    unsigned long refusals = bt_refusals;
    unsigned status;

    bt_saved.at = 0;
    bt_saved.bytes[at] ^= (unsigned char)bit;
    if (bt_it->load(side, &bt_saved) == BT_OK) {
        bt_fail("%s_load takes what is damaged: byte %lu of %lu", bt_it->name, (unsigned long)at, (unsigned long)count);
    }
    bt_saved.bytes[at] ^= (unsigned char)bit;
    bt_saved.at = 0;
    bt_saved.count = at;
    status = bt_it->load(side, &bt_saved);
    bt_saved.count = count;
    if (status != BT_IO && !(status == BT_NO_MEMORY && bt_refusals != refusals)) {
        bt_fail("%s_load of %lu bytes of %lu returned %s, expected IO", bt_it->name, (unsigned long)at, (unsigned long)count,
                bt_words[status]);
    }
}

/* Is what was loaded the same? */
static void bt_same_saved(unsigned side)
{
    bt_again.count = 0;
    if (bt_it->save(side, true, &bt_again) != BT_OK || bt_again.count != bt_saved.count
        || memcmp(bt_again.bytes, bt_saved.bytes, bt_saved.count) != 0) {
        bt_fail("%s_save writes other bytes of what was loaded", bt_it->name);
    }
}

/* Saves the container, and goes on with what was loaded. */
static void bt_do_reload(const bt_op *op, unsigned side)
{
    bt_model *model = &bt_models[side];
    unsigned long refusals = bt_refusals;
    unsigned status;

    if (bt_it->save == NULL || bt_depth > 0 || model->live > 0 || model->passes != 0 || model->locks > 0) {
        return;
    }
#ifdef BT_WITH_BESIDE
    bt_begins_with_values(op, side);
#endif
    bt_say("reload(&%s)", bt_names[side]);
    bt_operations++;
    bt_saved.count = bt_saved.at = 0;
    status = bt_it->save(side, false, &bt_saved);
    if (model->waiting > 0) {
        bt_expect("save", status, BT_BUSY);
        return;
    }
    bt_expect("save", status, BT_OK);
    bt_again.count = 0;
    bt_again.fails = 1 + bt_below(4);
    bt_expect("save", bt_it->save(side, false, &bt_again), BT_IO);
    bt_again.fails = 0;
    bt_it->make(side);
    status = bt_it->load(side, &bt_saved);
    if (status != BT_OK) {
        if (status != BT_NO_MEMORY) {
            bt_expect("load", status, BT_OK);
        }
        bt_need_refusal(refusals, "load");
        bt_it->adopt(side, false);
        return;
    }
    if (bt_saved.at != bt_saved.count) {
        bt_fail("%s_load reads %lu bytes of %lu", bt_it->name, (unsigned long)bt_saved.at, (unsigned long)bt_saved.count);
    }
    bt_same_saved(side);
    for (unsigned i = 0; i <= op->how % 4u; i++) {
        bt_damage(side);
    }
    bt_same_saved(side);
    bt_saved.at = 0; /* over what was loaded before */
    if (bt_it->load(side, &bt_saved) == BT_OK) {
        bt_same_saved(side);
    }
    if (bt_it->stray != NULL) { /* handles that were given since are stale, and stay so */
        bt_it->stray(side, 1 + bt_below(bt_labels - 1));
        bt_saved.at = 0;
        status = bt_it->load(side, &bt_saved);
        if (status != BT_OK) {
            bt_expect("load", status, BT_NO_MEMORY);
            bt_need_refusal(refusals, "load");
            bt_it->adopt(side, false);
            return;
        }
        model->born += 4; /* generations that are not given again */
    }
    bt_it->adopt(side, true);
    model->promised = 0;
#ifdef BT_WITH_BESIDE
    memset(bt_room_beside[side], 0, sizeof bt_room_beside[side]); /* what was reserved was of another container */
#endif
#ifdef BT_WITH_CHANGES
    bt_lives[side]++; /* it is another container */
    bt_forget_views(side);
#endif
}
#endif
