/* Is the hook that runs given the right reason? */
BT_SPARE static void bt_need_why(unsigned label, unsigned why)
{
    static const char *const words[] = {"REMOVED", "TAKEN", "CLEARED", "EXPIRED", "OVERWRITTEN", "REFUSED", "ENDED",
                                        "ADDED", "REPLACING", "APPLIED", "RECEIVED", "RETURNED"};

    if ((why < BT_WHY_ADDED ? bt_it->reasons : bt_it->add_reasons) && bt_why != why) {
        bt_fail("the reason that a hook is given for element %u is %s, and it is %s", label, words[bt_why], words[why]);
    }
}

/* The remove hook was called, so the destroy hook is to be, with the same reason. */
BT_SPARE static void bt_owes(unsigned label)
{
    if (bt_it->on_remove && bt_it->on_destroy) {
        bt_due[label]++;
        bt_due_for[label][bt_why]++;
        bt_due_count++;
    }
}

/* The reason for which the operation of this frame removes an element. */
BT_SPARE static unsigned bt_why_now(const bt_frame *frame, bool spared)
{
    switch (frame->kind) {
    case BT_ADDING:
    case BT_ADDING_ALL:
        return BT_WHY_OVERWRITTEN;
    case BT_CLEARING:
        return frame->ends ? BT_WHY_ENDED : BT_WHY_CLEARED;
    case BT_SWEEPING:
    case BT_UPDATING:
    case BT_SETTLING:
        return BT_WHY_EXPIRED;
    default:
        return spared ? BT_WHY_TAKEN : BT_WHY_REMOVED;
    }
}

/* That for which it adds one, if it replaces none. */
BT_SPARE static unsigned bt_why_added(const bt_frame *frame)
{
    unsigned kind = frame == NULL ? (unsigned)BT_IDLE : frame->kind;

    return kind == BT_MOVING ? BT_WHY_RECEIVED : kind == BT_SETTLING ? BT_WHY_APPLIED : BT_WHY_ADDED;
}
