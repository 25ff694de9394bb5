/* -- handles: which elements have one that is known, and which handles lead to none ---------------------------------------- */

enum { BT_BURIED = 32 }; /* stale handles that are kept, per side; the first of all stays */

static struct {
    bool known[BT_LABELS];     /* of the elements that are in, by label */
    unsigned named[BT_LABELS]; /* by which a story calls them */
    unsigned stale_named[BT_BURIED];
    unsigned stale_number[BT_BURIED]; /* the rows of their elements in the model */
    unsigned stale_count;
} bt_handles[BT_SIDES];

#ifdef BT_WITH_SNAPSHOTS
static struct {
    bool known[BT_LABELS];
    unsigned named[BT_LABELS];
    bool forgotten; /* the container has been deinitialised since, so that handles were given twice */
} bt_handles_then[BT_SIDES][BT_FRAMES];
#endif

static unsigned bt_number_of(unsigned side, unsigned label);

static bool bt_has_handle(unsigned side, unsigned label)
{
    return bt_handles[side].known[label];
}

static unsigned bt_handle_name(unsigned side, unsigned label)
{
    return bt_handles[side].named[label];
}

/* Another handle is stale: where the container keeps it. */
static unsigned bt_bury(unsigned side, unsigned name, unsigned number)
{
    unsigned count = bt_handles[side].stale_count++;
    unsigned at = count < BT_BURIED ? count : 1 + count % (BT_BURIED - 1);

    bt_handles[side].stale_named[at] = name;
    bt_handles[side].stale_number[at] = number;
    return at;
}

/* The handle of an element is stale from now on. */
static void bt_bury_handle(unsigned side, unsigned label)
{
    if (bt_it->bury_handle != NULL && bt_has_handle(side, label)) {
        bt_handles[side].known[label] = false;
        bt_it->bury_handle(side, label, bt_bury(side, bt_handle_name(side, label), bt_number_of(side, label)));
    }
}

static void bt_forget_handles(unsigned side)
{
    memset(bt_handles[side].known, 0, sizeof bt_handles[side].known);
    bt_handles[side].stale_count = 0;
#ifdef BT_WITH_SNAPSHOTS
    for (unsigned frame = 0; frame < BT_FRAMES; frame++) {
        bt_handles_then[side][frame].forgotten = true;
    }
#endif
}

/* Handles of removed elements, and handles that were never returned, lead to no element. */
static void bt_stale_handles(unsigned side, bool removes)
{
    for (unsigned i = 0; i < bt_handles[side].stale_count && i < BT_BURIED; i++) {
        const char *wrong = bt_it->stale_handle(side, i, removes);

        if (wrong != NULL && bt_handles[side].stale_named[i] != (unsigned)-1) {
            bt_show("%s_get(&%s, handles[%u]) == %s", bt_it->name, bt_names[side], bt_handles[side].stale_named[i], bt_it->nil);
        }
        if (wrong != NULL) {
            bt_fail("%s", wrong);
        }
    }
    bt_it->forged_handles(side, removes);
}

/* Notes the name of a handle. `changed`: it is another one than the element had. */
BT_SPARE static void bt_learn(unsigned side, unsigned label, bool changed, const char *in, const char *where)
{
    unsigned name = bt_handle_name(side, label);

    if (bt_has_handle(side, label) && changed) {
        bt_show("%s_handle_of(%s, %s).index == handles[%u].index", bt_it->name, in, where, name);
        if (bt_it->age != NULL) {
            bt_show("%s_handle_of(%s, %s).generation == handles[%u].generation", bt_it->name, in, where, name);
        }
        bt_fail("the handle of element %u has changed", label);
    }
    if (!bt_has_handle(side, label)) {
        bt_handles[side].named[label] = bt_handle_count++;
        bt_c("handles[%u] = %s_handle_of(%s, %s);", bt_handle_name(side, label), bt_it->name, in, where);
    }
    bt_handles[side].known[label] = true;
}
