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
    if (!present && bt_it->owned && (strcmp(call, "remove") == 0 || strcmp(call, "take") == 0)
        && bt_find_label(&bt_models[1 - side], frame->label) != BT_ROWS) {
        bt_expect(call, status, BT_FOREIGN);
        return;
    }
    bt_expect(call, status, !present ? (unsigned)BT_ABSENT : defers && !frame->done ? (unsigned)BT_QUEUED : (unsigned)BT_OK);
    if (status == BT_QUEUED) {
        bt_queue(side, BT_REMOVES, frame->label, frame->number, false);
    } else if (status == BT_OK && !frame->done) {
        at = bt_find_number(&bt_models[side], frame->number);
        if (bt_tells(frame->spared) && (at != BT_ROWS || !bt_it->tree)) { /* with what it was below it may have left meanwhile */
            bt_fail("element %u was removed, but no hook was called", frame->label);
        }
        if (at != BT_ROWS) {
            bt_take(&bt_models[side], at);
        }
    }
}

#ifdef BT_WITH_TAKING
/* What T_take and its like take an element by. */
enum { BT_TAKES_IT, BT_TAKES_AT, BT_TAKES_KEY, BT_TAKES_CURRENT };

/* Takes an element by one of these ways, instead of removing it, and checks which it was. */
static unsigned bt_takes(bt_frame *frame, unsigned way, size_t at)
{
    unsigned given = BT_NOBODY;
    unsigned status;

    frame->spared = true;
    status = bt_it->take(frame->side, way, at, &given);
    if (status == BT_OK && given != frame->label) {
        bt_show("known(%spopped) == %u", bt_it->by_pointer ? "" : "&", frame->label);
        bt_fail("element %u was handed over, expected %u", given, frame->label);
    }
    return status;
}

#define BT_TAKES(way, at, otherwise) (takes ? bt_takes(&frame, way, at) : (otherwise))
#else
#define BT_TAKES(way, at, otherwise) (otherwise)
#endif
#define BT_VERB(removes, hands_over) (takes ? (hands_over) : (removes))
#define BT_INTO (takes ? ", &popped" : "")

/* Is the element that a loop removes handed over? */
static bool bt_each_may_take(unsigned label)
{
#ifdef BT_WITH_TAKING
    return (bt_it->takes & 16u) != 0 && label % 2 == 0;
#else
    (void)label;
    return false;
#endif
}

#ifdef BT_WITH_NAMED
/* What removes an element by its key in an index; NULL where several may have the same. */
static const char *bt_removal_named(unsigned index)
{
    static char name[100];

    snprintf(name, sizeof name, "remove_%s", bt_it->index[index].name);
    return bt_it->index[index].unique ? name : NULL;
}
#endif

static void bt_do_remove(const bt_op *op, unsigned side, bool by_key, bool takes)
{
    unsigned long refusals = bt_refusals;
    unsigned label = 1 + (op->label - 1) % (bt_labels - 1);
    const char *name = by_key ? BT_VERB("remove_key", "take_key") : BT_VERB("remove", "take");
    const char *key = "";
    unsigned named = 0; /* a named index, from 1 on */
    const bt_row *row;
    unsigned status;
    bool present;
    bt_frame frame;
    unsigned (*call)(unsigned, unsigned) = by_key ? bt_it->remove_key : bt_it->remove;
#ifdef BT_WITH_TAKING
    unsigned way = by_key ? BT_TAKES_KEY : BT_TAKES_IT;
#endif

#ifdef BT_WITH_NAMED
    named = by_key && !takes ? op->how % (bt_it->indexes + 1) : 0;
    if (named != 0) {
        name = bt_removal_named(named - 1);
        key = name == NULL ? "" : name + strlen("remove");
    }
#endif
    if (name == NULL || (call == NULL && named == 0) || !bt_may_remove(side) || bt_is_misplaced(side, label)
        || !bt_same_fate(side, label, 0)) {
        return;
    }
    if (bt_it->deferred && bt_models[side].replayed > 0 && !bt_it->unique) {
        return; /* during a replay it is open which of equal elements is first */
    }
    row = bt_staying(side, label);
    if (bt_it->by_row && !by_key && row != NULL && bt_find_number(&bt_models[side], row->number) == BT_ROWS) {
        row = NULL; /* its add is pending */
    }
    if (bt_it->deferred && !bt_it->by_label && !by_key) { /* what is named by its address is in */
        size_t at = bt_find_label(&bt_models[side], label);

        row = at != BT_ROWS && bt_will_stay(side, bt_models[side].rows[at].number) ? &bt_models[side].rows[at] : NULL;
    }
    present = row != NULL;
    if (by_key) {
        bt_say("%s_%s(&%s, key%s(%u)%s)", bt_it->name, name, bt_names[side], key, label, BT_INTO);
    } else {
        bt_say("%s_%s(&%s, %s%s)", bt_it->name, name, bt_names[side], bt_asked(side, label), BT_INTO);
    }
    bt_operations++;
    bt_enter(&frame, BT_REMOVING, side);
    frame.label = label;
    frame.number = present ? row->number : 0;
#ifdef BT_WITH_NAMED
    status = named != 0 ? bt_it->remove_named(side, named - 1, label) : BT_TAKES(way, label, call(side, label));
#else
    status = BT_TAKES(way, label, call(side, label));
#endif
    bt_leave();
    bt_has_removed(&frame, name, status, present, refusals);
}
