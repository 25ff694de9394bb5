/* A removal is over: `status` is what the call said, `row` what it had to remove or NULL. */
static void bt_has_removed(const bt_frame *frame, const char *call, unsigned status, bool present, unsigned long refusals)
{
    unsigned side = frame->side;
    bool defers = bt_defers(side);
    size_t at;

    if (present && status == BT_NO_MEMORY && bt_it->deferred) {
        bt_need_refusal(refusals, call);
        return;
    }
    if (!present && bt_it->owned && strcmp(call, "remove") == 0 && bt_find_label(&bt_models[1 - side], frame->label) != BT_ROWS) {
        bt_expect(call, status, BT_FOREIGN);
        return;
    }
    bt_expect(call, status, !present ? (unsigned)BT_ABSENT : defers && !frame->done ? (unsigned)BT_QUEUED : (unsigned)BT_OK);
    if (status == BT_QUEUED) {
        bt_queue(side, BT_REMOVES, frame->label, frame->number, false);
    } else if (status == BT_OK && !frame->done) {
        at = bt_find_number(&bt_models[side], frame->number);
#ifdef BT_WITH_QUEUES
        if (bt_tells(frame->spared) && (at != BT_ROWS || !bt_it->tree)) { /* with what it was below it may have left meanwhile */
#else
        if (bt_tells(false) && (at != BT_ROWS || !bt_it->tree)) { /* with what it was below it may have left meanwhile */
#endif
            bt_fail("element %u was removed, but no hook was called", frame->label);
        }
        if (at != BT_ROWS) {
            bt_take(&bt_models[side], at);
        }
    }
}

static void bt_do_remove(const bt_op *op, unsigned side, bool by_key)
{
    unsigned long refusals = bt_refusals;
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);
    const char *name = by_key ? "remove_key" : "remove";
    const char *key = "";
    unsigned named = 0; /* a named index, from 1 on */
    const bt_row *row;
    unsigned status;
    bool present;
    bt_frame frame;
    unsigned (*call)(unsigned, unsigned) = by_key ? bt_it->remove_key : bt_it->remove;

#ifdef BT_WITH_NAMED
    named = by_key ? op->how % (bt_it->indexes + 1) : 0;
    if (named != 0) {
        name = bt_it->removal_named(named - 1);
        key = name == NULL ? "" : name + strlen("remove");
    }
#endif
    if (name == NULL || (call == NULL && named == 0) || !bt_may_remove(side) || !bt_same_fate(side, label, 0)) {
        return;
    }
    if (bt_it->deferred && bt_models[side].replayed > 0 && !bt_it->unique) {
        return; /* during a replay it is open which of equal elements is first */
    }
    row = bt_staying(side, label);
    if (bt_it->by_row && !by_key && row != NULL && bt_find_number(&bt_models[side], row->number) == BT_ROWS) {
        row = NULL; /* its add is pending */
    }
    present = row != NULL;
    if (by_key) {
        bt_say("%s_%s(&%s, key%s(%u))", bt_it->name, name, bt_names[side], key, label);
    } else {
        bt_say("%s_remove(&%s, %s)", bt_it->name, bt_names[side], bt_asked(side, label));
    }
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = label;
    frame.number = present ? row->number : 0;
#ifdef BT_WITH_NAMED
    status = named != 0 ? bt_it->remove_named(side, named - 1, label) : call(side, label);
#else
    status = call(side, label);
#endif
    bt_leave();
    bt_has_removed(&frame, name, status, present, refusals);
}
