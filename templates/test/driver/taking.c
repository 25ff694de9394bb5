/* -- elements that are handed over, and those that a function names ------------------------------------------------------ */

#ifdef BT_WITH_TAKING
/* Is the element to be taken, in place of being removed? */
BT_SPARE static bool bt_each_takes(void)
{
    return bt_top->spared;
}

BT_SPARE static void bt_each_taken(unsigned status, unsigned label, unsigned given)
{
    if (given != label) {
        bt_fail("element %u was handed over, expected %u", given, label);
    }
    bt_each_removed(status);
}

/* An element is handed over: by whatever names it, or what a pass stands on. */
static void bt_do_take(const bt_op *op, unsigned side)
{
    unsigned way = op->how % 4;

    if ((bt_it->takes >> way & 1) == 0) {
        return;
    }
    switch (way) {
    case BT_TAKES_AT: bt_do_remove_at(op, side, true); break;
    case BT_TAKES_KEY: bt_do_remove(op, side, true, true); break;
    case BT_TAKES_CURRENT: bt_do_remove_current(op, side, true); break;
    default:
        if (bt_it->remove_handle != NULL) {
            bt_do_remove_handle(op, side, true);
        } else {
            bt_do_remove(op, side, false, true);
        }
    }
}

#endif
#ifdef BT_WITH_ASKING
/* What was to be removed has been by now: its hooks have run, if there are any. */
static void bt_has_left(bt_frame *frame)
{
    size_t at = frame->number == 0 ? (size_t)BT_ROWS : bt_find_number(&bt_models[frame->side], frame->number);

    frame->number = 0;
    if (at != BT_ROWS) {
        if (bt_tells(false)) {
            bt_fail("%s_remove_if called no hook for the removal of element %u", bt_it->name,
                    bt_models[frame->side].rows[at].label);
        }
        bt_take(&bt_models[frame->side], at);
    }
}

/* T_remove_if tests an element. */
BT_SPARE static bool bt_leaves(unsigned side, unsigned label)
{
    bt_frame *frame = bt_top;
    bool matches;

    if (frame == NULL || frame->kind != BT_REMOVING_IF || frame->side != side) {
        bt_fail("%s_remove_if tests element %u after its end", bt_it->name, label);
    }
    bt_has_left(frame);
    bt_visits(side, frame->pass, label, false);
    matches = (frame->stop >> frame->at++ % 8 & 1) != 0 && bt_same_fate(side, label, frame->pass);
    if (matches) {
        frame->number = bt_models[side].rows[bt_current(side, frame->pass)].number;
        frame->taken++;
    }
    return matches;
}

static void bt_do_remove_if(const bt_op *op, unsigned side)
{
    unsigned long refusals = bt_refusals;
    size_t removed = BT_ROWS;
    unsigned status;
    bt_frame frame;

    if (bt_has_no_pass_left(side)) {
        bt_say("%s_remove_if(&%s, is_drawn, NULL, &taken)", bt_it->name, bt_names[side]);
        bt_operations++;
        bt_expect("remove_if", bt_it->remove_if(side, &removed), BT_BUSY);
        if (removed != 0) {
            bt_fail("%s_remove_if did not begin, and does not report 0 removed", bt_it->name);
        }
        return;
    }
    if (!bt_may_begin(side) || !bt_may_remove(side) || (bt_it->twice && bt_under_way(BT_CLEARING, side))) {
        return;
    }
    bt_c("leaving = 0x%x;", (op->number | op->number >> 8) & 0xff);
    bt_c("tested = 0;");
    bt_say("%s_remove_if(&%s, is_drawn, NULL, &taken)", bt_it->name, bt_names[side]);
    bt_operations++;
    bt_enter(&frame, BT_REMOVING_IF, side);
    frame.stop = (op->number | op->number >> 8) & 0xff; /* which of the elements that it comes to are removed */
    if (bt_it->resorts) {
        (void)bt_sorts(side);
    }
    frame.pass = bt_pass_begins(side, 0, bt_it->begins_back);
    status = bt_it->remove_if(side, &removed);
    if (bt_it->records != 0 && status == BT_NO_MEMORY && removed == 0 && !frame.done) { /* there is no record for its pass */
        bt_leave();
        bt_need_refusal(refusals, "remove_if");
        bt_pass_stops(side, frame.pass, true);
        return;
    }
    bt_has_left(&frame);
    bt_is_over(side, frame.pass, false);
    bt_leave();
    bt_expect("remove_if", status, BT_OK);
    if (removed != frame.taken) {
        bt_show("taken == %lu", (unsigned long)frame.taken);
        bt_fail("%s_remove_if reports %lu removed elements, expected %lu", bt_it->name, (unsigned long)removed,
                (unsigned long)frame.taken);
    }
}
#endif
