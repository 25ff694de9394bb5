#ifdef BT_WITH_LAYERS
/* == containers in layers ============================================================================================== */

enum { BL_FORWARD, BL_VISIBLE, BL_BACKWARD };
enum { BL_ENABLED, BL_SEEN, BL_SCALE };
enum { BL_LAYERS = 64, BL_LABELS = 30, BL_ROWS = 2 * BL_LABELS };
static const char *const bl_ways[] = {"begin", "begin_visible", "begin_backward"};
static const char *const bl_states[] = {"enabled", "visible", "time_scale"};

/* An element of a container, or one whose add is pending. */
typedef struct bl_row {
    unsigned label;
    unsigned number; /* no other row ever has it */
    unsigned layer;
    bool todo;    /* the pass has still to visit it */
    bool maybe;   /* it came into a layer that is sorted: behind the pass, or before it */
    bool coming;  /* it is queued in the journal of its layer */
    bool leaving; /* its removal does */
    bool spared;  /* it goes to another layer and is not destroyed */
    bool expired;
} bl_row;

static const bl_subject *bl_it;
static bt_subject bl_as_one; /* the record of all layers together */
static bl_row bl_rows[BL_ROWS];
static unsigned bl_row_count;
static unsigned bl_next_number;
static bool bl_enabled[BL_LAYERS];
static bool bl_visible[BL_LAYERS];
static double bl_scale[BL_LAYERS];
static unsigned bl_locks;
static bool bl_live;             /* a pass is under way, */
static unsigned bl_way;          /* goes this way, */
static unsigned bl_in;           /* is in this layer; BL_LAYERS: in none, */
static unsigned bl_current;      /* and stands on the row with this number */
static unsigned long bl_told[4]; /* how often hooks must have run: add, remove, destroy, update */

static bool bl_is_locked(unsigned layer)
{
    return bl_it->deferred && (bl_locks > 0 || (bl_live && bl_in == layer));
}

static unsigned bl_find(unsigned label)
{
    unsigned at = 0;

    while (at < bl_row_count && bl_rows[at].label != label) {
        at++;
    }
    return at;
}

/* Is it on its way from one layer to another? Then there are two rows of it. */
static bool bl_is_between(unsigned label)
{
    unsigned rows = 0;

    for (unsigned at = 0; at < bl_row_count; at++) {
        rows += bl_rows[at].label == label;
    }
    return rows > 1;
}

static void bl_goes(unsigned at, bool destroyed)
{
    bl_told[1]++;
    bl_told[2] += destroyed;
    bl_row_count--;
    memmove(&bl_rows[at], &bl_rows[at + 1], (bl_row_count - at) * sizeof bl_rows[0]);
}

/* What waited takes effect in layers that are not locked any more. */
static void bl_replay(void)
{
    for (unsigned at = 0; at < bl_row_count; at++) {
        bl_row *row = &bl_rows[at];

        if ((!row->coming && !row->leaving) || bl_is_locked(row->layer)) {
            continue;
        }
        if (row->coming) {
            row->coming = false;
            bl_told[0]++;
        }
        if (row->leaving) {
            bl_goes(at--, !row->spared);
        }
    }
}

static bool bl_is_backward(void)
{
    return bl_it->backward || bl_way == BL_BACKWARD;
}

/* The next row of the layer that the pass is in, where the order is promised. */
static unsigned bl_turn(void)
{
    unsigned found = bl_row_count;

    for (unsigned at = 0; at < bl_row_count; at++) {
        if (bl_rows[at].layer == bl_in && bl_rows[at].todo && !bl_rows[at].expired
            && (found == bl_row_count || bl_is_backward())) {
            found = at;
        }
    }
    return found;
}

/* The pass enters the first layer that it goes through, from this one on. */
static void bl_enter(unsigned layer)
{
    while (layer < bl_it->layers && !(bl_way == BL_VISIBLE ? bl_visible[layer] : bl_enabled[layer])) {
        layer += bl_is_backward() ? (unsigned)-1 : 1u;
    }
    bl_in = layer < bl_it->layers ? layer : (unsigned)BL_LAYERS;
    bl_live = bl_in != BL_LAYERS;
    for (unsigned at = 0; at < bl_row_count; at++) {
        bl_rows[at].todo = bl_rows[at].layer == bl_in && !bl_rows[at].coming;
        bl_rows[at].maybe = false;
    }
}

/* The pass is over in the layer that it is in. */
static void bl_leave(void)
{
    for (unsigned at = 0; bl_it->sweeps && at < bl_row_count; at++) {
        if (bl_rows[at].layer == bl_in && bl_rows[at].expired) {
            bl_goes(at--, true);
        }
    }
}

/* The pass visits this element, or BT_NOBODY at its end: is that right? */
static void bl_visit(unsigned label)
{
    unsigned turn;
    unsigned at;

    bl_current = 0;
    for (at = 0; bl_live && at < bl_row_count; at++) {
        if (bl_rows[at].maybe && bl_rows[at].label == label && bl_rows[at].layer == bl_in && !bl_rows[at].expired) {
            bl_rows[at].todo = true;
        }
    }
    while (bl_live && bl_turn() == bl_row_count) {
        bl_leave();
        bl_enter(bl_in + (bl_is_backward() ? (unsigned)-1 : 1u));
        bl_replay();
    }
    turn = at = bl_turn();
    if (bl_live && (!bl_it->ordered || bl_is_backward()) && label != BT_NOBODY) {
        for (at = 0; at < bl_row_count && (bl_rows[at].label != label || bl_rows[at].layer != bl_in || bl_rows[at].coming);) {
            at++;
        }
    }
    if (!bl_live ? label != BT_NOBODY
        : at == bl_row_count || bl_rows[at].label != label || !bl_rows[at].todo || bl_rows[at].expired) {
        bt_show("visited(%s_next(&cursor)) == %u", bl_it->name, bl_live ? bl_rows[turn].label : BT_NOBODY);
        bt_fail("a pass through the layers visits element %u (0: it is over), but it is the turn of %u", label,
                bl_live ? bl_rows[turn].label : BT_NOBODY);
    }
    bt_c("EXPECT(visited(%s_next(&cursor)) == %u);", bl_it->name, label);
    if (bl_live) {
        bl_rows[at].todo = bl_rows[at].maybe = false;
        bl_current = bl_rows[at].number;
    }
}

static void bl_begins(unsigned way)
{
    bl_way = way;
    bl_current = 0;
    bl_enter(bl_is_backward() ? bl_it->layers - 1 : 0);
}

static void bl_ends(void)
{
    if (bl_live) {
        bl_leave();
    }
    bl_live = false;
    bl_in = BL_LAYERS;
    bl_replay();
}

/* The body of the loop. */
static void bl_each(unsigned label)
{
    bl_visit(label);
}
#endif
