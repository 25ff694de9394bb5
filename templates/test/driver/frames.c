/* -- nested operations: which hooks may be called -------------------------------------------------- */

enum { BT_IDLE, BT_ADDING, BT_ADDING_ALL, BT_MOVING, BT_REMOVING, BT_REMOVING_FROM, BT_REMOVING_IF, BT_CLEARING, BT_SWEEPING,
       BT_SETTLING,
#ifdef BT_WITH_INDICES
       BT_LOOPING, BT_UPDATING, BT_REPLAYING, BT_REPLACING };
#else
       BT_LOOPING, BT_UPDATING, BT_REPLAYING };
#endif

typedef struct bt_frame {
    unsigned kind;
    unsigned side;
    unsigned label;
    unsigned number;
    uint32_t pass;          /* the bit of the pass that the operation is, or works with */
    const unsigned *labels; /* of a bulk call */
    size_t many;
    size_t at;              /* how far it is */
    size_t taken;
    unsigned status;
    bool done;              /* the model has been updated */
    bool queued;            /* part of it is queued in the journal */
    bool placed;            /* of an element that is added: its index is `at`, */
    bool behind;            /* and it is put right behind the one before that */
    unsigned depth;         /* its depth in the tree */
    bool gone;              /* of an element that is moved: it has left the other container */
    bool twin;              /* the element is the other one of its label */
    bool replaces;          /* it takes the place of an equal one */
    bool replaced;          /* something of it has */
    unsigned coming;        /* the row that has replaced another, until its add hook is called */
    bool expired;           /* and has expired */
    unsigned stop;          /* a loop: when to do what */
    unsigned action;
    bool plain;             /* a loop that only looks */
    bool spared;            /* the element that is removed is returned, so it is not destroyed */
    bool ends;              /* a clear of what is deinitialised */
#ifdef BT_WITH_WEIGHING
    bool reweighs;          /* no element is added: one that is in got heavier */
#endif
#ifdef BT_WITH_QUEUES
    bool front;             /* an element that is added comes first */
    size_t overwriting;     /* the number of the add of a bulk call, from 1 on, for which some are removed, */
    size_t left;            /* at most this number of others, */
    bool told;              /* and hooks were called for it */
#endif
#ifdef BT_WITH_INDICES
    unsigned old;           /* the element that is replaced */
    bool old_twin;          /* it is the other one of its label */
    bool old_told;          /* a hook was called for its removal */
#endif
#ifdef BT_WITH_FAIL_FAST
    uint32_t begun;         /* a loop: the changes of the container when it began */
#endif
#ifdef BT_WITH_ANYWHERE
    uint32_t pass_inner;    /* a loop over pairs: the pass of the second of them */
#endif
    struct bt_frame *inner; /* a loop: the removal that it has called */
    struct bt_frame *outer;
} bt_frame;

#ifdef BT_WITH_WEIGHING
#define BT_REWEIGHS(frame) (frame)->reweighs
#else
#define BT_REWEIGHS(frame) false
#endif

static bt_frame *bt_top;
static unsigned bt_calm;   /* while above 0 hooks only look on */
static unsigned bt_budget; /* operations that hooks and loop bodies may still make */
static bool bt_wild;       /* what they make is drawn */
static unsigned bt_plan;   /* else it is this one of the planned ones; 0: none */
static bool bt_touched[BT_SIDES]; /* by the operation that is under way */
static bool bt_used[BT_SIDES];    /* in this run */
static bool bt_exact;             /* see bt_setting */
static unsigned bt_top_label = 1; /* labels above were not used in this run */

static void bt_enter(bt_frame *frame, unsigned kind, unsigned side)
{
    memset(frame, 0, sizeof *frame);
    frame->kind = kind;
    frame->side = side;
    frame->outer = bt_top;
    bt_top = frame;
}

static bool bt_unrecorded;             /* there was no memory for the record of a pass, */
static const bt_frame *bt_unrecorded_in; /* in this operation; of T_begin: around it */

BT_SPARE static void bt_no_record(void)
{
    bt_unrecorded = true;
    bt_unrecorded_in = bt_top;
}

/* Is that so of this one, which visits nothing then? */
static bool bt_has_no_record(const bt_frame *frame, unsigned long refusals)
{
    if (!bt_unrecorded || bt_unrecorded_in != frame) {
        return false;
    }
    bt_unrecorded = false;
    if (bt_refusals == refusals) {
        bt_fail("%s_begin reports that there is no memory, and there was", bt_it->name);
    }
    return true;
}

/* What an add, or an insert, has put in. */
static void bt_adds(bt_model *model, const bt_frame *frame)
{
    if (frame->placed) {
#ifdef BT_WITH_QUEUES
        bt_row *row = bt_insert(model, frame->front ? bt_leaving(model) : frame->at, frame->label, frame->number,
                                frame->front || frame->behind);
#else
        bt_row *row = bt_insert(model, frame->at, frame->label, frame->number, frame->behind);
#endif

        row->twin = frame->twin;
        row->depth = frame->depth;
#ifdef BT_WITH_SCANS
        bt_meets_family(model, (size_t)(row - model->rows));
#endif
    } else {
        bt_append(model, frame->label, frame->number)->twin = frame->twin;
    }
}

static void bt_leave(void)
{
    bt_top = bt_top->outer;
}

static bool bt_under_way(unsigned kind, unsigned side)
{
    for (const bt_frame *frame = bt_top; frame != NULL; frame = frame->outer) {
        if (frame->kind == kind && frame->side == side) {
            return true;
        }
    }
    return false;
}

/* Is no pass live, and no clear under way? */
static bool bt_may_sort(unsigned side)
{
    const bt_model *model = &bt_models[side];

#ifdef BT_WITH_FAIL_FAST
    return (model->live == 0 || bt_it->fails_fast) && bt_leaving(model) == 0 && !bt_under_way(BT_CLEARING, side);
#else
    return model->live == 0 && bt_leaving(model) == 0 && !bt_under_way(BT_CLEARING, side);
#endif
}

/* Sorts, if it may; rows that are equal keep their order. */
static bool bt_sorts(unsigned side)
{
    bt_model *model = &bt_models[side];

    if (!bt_may_sort(side)) {
        return false;
    }
    for (size_t i = 1; i < model->count; i++) {
        bt_row row = model->rows[i];
        size_t at = i;

        for (; at > 0 && bt_it->before(row.label, model->rows[at - 1].label); at--) {
            model->rows[at] = model->rows[at - 1];
        }
        model->rows[at] = row;
    }
    return true;
}
