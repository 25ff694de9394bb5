/* -- the reference model: rows in order -------------------------------------------------------------------- */

typedef struct bt_row {
    unsigned label;
    unsigned number;  /* no other row ever has it */
    uint32_t todo;    /* bit p: pass p has still to visit it */
    uint32_t current; /* bit p: pass p stands on it */
    uint32_t away;    /* bit p: it has been moved since pass p came to stand on it */
    uint32_t late;    /* bit p: it was added behind during pass p */
    uint32_t passed;  /* bit p: pass p may have gone by what had expired in its place */
    bool doomed;      /* a clear that is under way will take it out */
    bool due;         /* the sweep of a settle has still to come by */
    bool expired;     /* its predicate is true, if that depends on this copy of it */
    bool twin;        /* it is the other one of the two elements with this label, which are equal */
    bool leaving;     /* it is on its way out with the one above it */
    unsigned depth;   /* how many elements it is below: it is below the last row before it that has less */
#ifdef BT_WITH_CHANGES
    unsigned marked;  /* the number of its last mark */
#endif
#ifdef BT_WITH_BESIDE
    unsigned char beside[BT_BESIDE]; /* what each byte of its values is; 0: it has none */
#endif
#ifdef BT_WITH_SCANS
    uint32_t scans;   /* bit s: scan s has still to visit it */
    uint32_t unsure;  /* bit s: scan s may visit it, or not */
    uint32_t stood;   /* bit s: it is what scan s stands on, or behind */
#endif
} bt_row;

enum { BT_ADDS, BT_REMOVES, BT_CLEARS };

/* A pending change of a locked container. */
typedef struct bt_change {
    unsigned kind;
    unsigned label;
    unsigned number; /* of the row that it adds or removes */
    bool spared;     /* the element lives on in the other container: it is not destroyed */
    bool passed_by;  /* a pass has found that it has expired */
    bool expired;    /* the copy that is added has expired */
} bt_change;

typedef struct bt_model {
    bt_row rows[BT_ROWS];
    size_t count;
    bt_change journal[BT_ROWS];
    size_t waiting;    /* changes in the journal */
    size_t replayed;   /* of them, those whose hooks were called */
    bool clearing;     /* the change at `replayed` is a clear that has begun */
    bool settling;     /* what the journal lets in now is swept in the same call */
    bool replaying;    /* the journal is being applied, with hooks, */
    unsigned depth;    /* by an operation that is nested so deep */
    uint32_t passes;   /* bit p: pass p is live */
#ifdef BT_WITH_NUMBERS
    unsigned reached[32]; /* by pass: the label of the largest number that it has visited, where elements are numbers */
    uint32_t stands;      /* bit p: and stands on that */
#endif
    uint32_t back;     /* bit p: and goes from the last element to the first; elements added late follow */
    unsigned live;     /* how many passes are, those that were left included */
    unsigned locks;
    size_t promised;   /* capacity that was reserved, until an element is removed */
    size_t born;       /* elements that were added since init */
#ifdef BT_WITH_QUEUES
    bool mixed;        /* a heap: elements came from the other one in the order of a pass: which of equal ones is first is open */
#endif
    bool changed;      /* by the operation that is under way */
#ifdef BT_WITH_WEIGHING
    unsigned reweighed;       /* the number of a row whose element has another weight than its label, */
    uint64_t reweighed_to;    /* and that */
#endif
#ifdef BT_WITH_PROMISED
    unsigned in_slot[BT_ROWS]; /* where an order is promised: the labels in it; BT_NOBODY: the slot is free */
    size_t slots;              /* how many of these there are */
    bool order_known;          /* it is as they say */
    bool removed_one;          /* the operation that is under way has removed one */
#endif
} bt_model;

/* What an add needs of the capacity that was reserved: as many slots, or the bit of its number. */
#ifdef BT_WITH_NUMBERS
#define BT_PROMISES(label) (bt_it->by_number && !bt_it->in_chunks ? bt_it->key(label) : model->count)
#define BT_IN_CHUNKS bt_it->in_chunks /* is a chunk of slots reserved for each number? */
#define BT_BY_NUMBER bt_it->by_number /* is an element what a pass stands on when it is added again? */
#else
#define BT_BY_NUMBER false
#define BT_IN_CHUNKS false
#define BT_PROMISES(label) model->count
#endif

static bt_model bt_models[BT_SIDES];
static unsigned bt_next_number;
static bool bt_expired[BT_LABELS]; /* by its predicate the element is to leave, wherever it is in */
static unsigned bt_due[BT_LABELS];           /* elements that were removed and not yet destroyed */
static unsigned bt_due_count;
enum { BT_WHY_REMOVED, BT_WHY_TAKEN, BT_WHY_CLEARED, BT_WHY_EXPIRED, BT_WHY_OVERWRITTEN, BT_WHY_REFUSED, BT_WHY_ENDED,
       BT_WHY_ADDED, BT_WHY_REPLACING, BT_WHY_APPLIED, BT_WHY_RECEIVED, BT_WHY_RETURNED, BT_WHYS };
static unsigned bt_due_for[BT_LABELS][BT_WHYS]; /* the same by the reason that the remove hook was given */
static unsigned bt_why;                         /* that which the hook that runs is given */
static unsigned bt_why_in;                      /* why an element is added, by the model */

#ifdef BT_WITH_WEIGHING
static unsigned bt_heavy = 1; /* 0: all elements are to weigh nothing, */
static bool bt_weightless;    /* and do */
#endif

static unsigned bt_ranks[BT_LABELS]; /* sort keys, where the test sets them */
static bool bt_reranked = true;      /* not as at the beginning of a run */

BT_SPARE static unsigned bt_rank_of(unsigned label)
{
    return label < BT_LABELS ? bt_ranks[label] : 0;
}

/* Does this element say of itself that it is to leave? */
BT_SPARE static bool bt_has_expired(unsigned label)
{
    return label < BT_LABELS && bt_expired[label];
}

/* Narrow handles address few slots; slots retire, and tombstones are not free yet. */
static bool bt_out_of_slots(void)
{
    for (unsigned side = 0; side < BT_SIDES; side++) {
        const bt_model *model = &bt_models[side];
        size_t held = bt_it->slots == 0 ? 0 : bt_it->deferred ? bt_it->capacity(side) + model->waiting : model->count;

        if (bt_it->slots != 0 && (held + BT_BATCH >= bt_it->slots || bt_it->capacity(side) >= bt_it->slots
                                  || (bt_it->generations != 0 && model->born >= bt_it->generations))) {
            return true;
        }
    }
    return false;
}

static bool bt_is_expired(const bt_row *row)
{
    return bt_it->shares_expiry ? bt_expired[row->label] : row->expired;
}

static void bt_expires(bt_row *row)
{
    row->expired = true;
    if (bt_it->shares_expiry) {
        bt_expired[row->label] = true;
    }
}

static size_t bt_find_number(const bt_model *model, unsigned number)
{
    const bt_row *end = model->rows + model->count;

    for (const bt_row *row = model->rows; row != end; row++) {
        if (row->number == number) {
            return (size_t)(row - model->rows);
        }
    }
    return BT_ROWS;
}

static size_t bt_find_label(const bt_model *model, unsigned label)
{
    const bt_row *end = model->rows + model->count;

    for (const bt_row *row = model->rows; row != end; row++) {
        if (row->label == label) {
            return (size_t)(row - model->rows);
        }
    }
    return BT_ROWS;
}

/* Is an element in the other container, and does not know it? Here it may not be named then. */
BT_SPARE static bool bt_is_misplaced(unsigned side, unsigned label)
{
    return bt_it->unowned && bt_find_label(&bt_models[1 - side], label) != BT_ROWS;
}

/* Is an element in twice, so that its neighbours in links are ambiguous? */
static bool bt_has_twice(const bt_model *model)
{
    bool seen[BT_LABELS] = {false};

    for (size_t i = 0; i < model->count; i++) {
        if (seen[model->rows[i].label]) {
            return true;
        }
        seen[model->rows[i].label] = true;
    }
    return false;
}

/* The number of the row of an element; -1: it is not in. */
BT_SPARE static unsigned bt_number_of(unsigned side, unsigned label)
{
    size_t at = bt_find_label(&bt_models[side], label);

    return at == BT_ROWS ? (unsigned)-1 : bt_models[side].rows[at].number;
}

/* Sets for each pass whether a row that was put right behind another one, or right before it, is ahead of it: as that one
 * is. First of all it is behind a pass, unless that goes backward; last of all it is ahead of each. */
static void bt_goes_with(bt_model *model, size_t at, bool behind)
{
    bt_row *row = &model->rows[at];

    if (behind && at == 0) {
        row->todo &= model->back;
        row->late &= ~model->back;
    } else if (behind || at + 1 < model->count) {
        row->todo &= row[behind ? -1 : 1].todo;
        row->late = row[behind ? -1 : 1].late;
    }
}

/* Sets for each pass whether a row that went to its place in an order, or a tree, is ahead of it: right where a pass continues
 * it is. */
static void bt_meets_passes(bt_model *model, size_t at)
{
    bt_row *row = &model->rows[at];

    for (uint32_t pass = 1; pass != 0 && pass <= model->passes; pass <<= 1) {
        const bt_row *before = at > 0 ? row - 1 : NULL;
        const bt_row *after = at + 1 < model->count ? row + 1 : NULL;

        if ((model->passes & pass) == 0) {
            continue;
        }
        if ((model->back & pass) != 0 && (before == NULL || ((before->todo & pass) != 0 && (before->late & pass) == 0))) {
            row->late &= ~pass;
#ifdef BT_WITH_BACK_TREES
        } else if (bt_it->tree && (model->back & pass) != 0) { /* it is behind the pass, also as the last */
            row->todo &= ~pass;
#endif
        } else if (after != NULL && ((after->todo & pass) == 0 || ((model->back & pass) != 0 && (after->late & pass) == 0))) {
            row->todo &= ~pass;
        }
    }
}

/* The last row that is below this one, or this one itself. */
static size_t bt_last_below(const bt_model *model, size_t at)
{
    size_t last = at;

    while (last + 1 < model->count && model->rows[last + 1].depth > model->rows[at].depth) {
        last++;
    }
    return last;
}

#ifdef BT_WITH_NUMBERS
/* Sets for each pass whether a number is ahead of it: it is if the pass has visited neither it nor a larger one, or, going
 * backward, a smaller one. One that comes back is what the pass stands on. */
static void bt_passes_number(const bt_model *model, bt_row *row)
{
    for (unsigned pass = 0; pass < 32; pass++) {
        unsigned reached = model->reached[pass];
        bool back = (model->back >> pass & 1) != 0;

        bool visited = reached != BT_NOBODY && (back ? reached <= row->label : reached >= row->label);

        if ((model->passes >> pass & 1) != 0 && visited) {
            row->todo &= ~((uint32_t)1 << pass);
            row->current |= reached == row->label ? model->stands & (uint32_t)1 << pass : 0;
        }
    }
}

/* A pass has visited this number, on which it `stands`, or goes on as if it had. */
static void bt_reaches(bt_model *model, uint32_t pass, unsigned label, bool stands)
{
    model->stands = stands ? model->stands | pass : model->stands & ~pass;
    for (unsigned number = 0; number < 32; number++) {
        if (pass >> number == 1) {
            model->reached[number] = label;
        }
    }
}

#endif
#ifdef BT_WITH_SCANS
static void bt_meets_scans(const bt_model *model, bt_row *row);
static void bt_meets_family(bt_model *model, size_t at);
static void bt_unlinks_scans(bt_model *model, size_t at, size_t behind);

#endif
#ifdef BT_WITH_PROMISED
/* The order that is promised, after an add or a removal. */
enum { BT_AS_ROWS, BT_LAST_FILLS, BT_LOWEST_SLOT };
static void bt_orders_in(bt_model *model, unsigned label);
static void bt_orders_out(bt_model *model, unsigned label);
BT_SPARE static void bt_orders_exchange(bt_model *model, unsigned a, unsigned b);

#endif
/* Puts a row in at a place: right behind the row before it, or right before the next one. */
static bt_row *bt_insert(bt_model *model, size_t at, unsigned label, unsigned number, bool behind)
{
    bt_row *row = &model->rows[at];

    if (model->count == BT_ROWS) {
        bt_fail("the test's model is full");
    }
    memmove(row + 1, row, (model->count - at) * sizeof *row);
    model->changed = true;
    row->label = label;
    row->number = number;
    row->todo = bt_it->bounded || bt_it->passes_lock ? 0 : model->passes;
    row->current = 0;
    row->away = 0;
    row->passed = 0;
    row->late = model->passes;
    row->doomed = false;
    row->due = model->settling;
    row->expired = false;
    row->twin = false;
    row->leaving = false;
    row->depth = 0;
#ifdef BT_WITH_CHANGES
    row->marked = 0;
#endif
#ifdef BT_WITH_BESIDE
    memset(row->beside, 0, sizeof row->beside);
#endif
#ifdef BT_WITH_SCANS
    bt_meets_scans(model, row);
#endif
    model->count++;
    model->born++;
#ifdef BT_WITH_PROMISED
    if (bt_it->follows != BT_AS_ROWS) {
        bt_orders_in(model, label);
    }
#endif
#ifdef BT_WITH_NUMBERS
    if (bt_it->by_number) {
        row->late = 0;
        bt_passes_number(model, row);
        return row;
    }
#endif
    if (bt_it->sorts || bt_it->tree) {
        bt_meets_passes(model, at);
    } else {
        bt_goes_with(model, at, behind);
    }
    return row;
}

/* How many rows a clear that is under way has still to take out: they are the first. */
static size_t bt_leaving(const bt_model *model)
{
    size_t at = 0;

    while (at < model->count && model->rows[at].doomed) {
        at++;
    }
    return at;
}

/* Puts a row in where an add does: last, or behind all that it does not belong before. */
static bt_row *bt_append(bt_model *model, unsigned label, unsigned number)
{
    size_t first = BT_BY_NUMBER ? 0 : bt_leaving(model); /* where it belongs depends on what a clear has still to take out */
    size_t at = model->count;

    while (bt_it->sorts && at > first && bt_it->before(label, model->rows[at - 1].label)) {
        at--;
    }
    return bt_insert(model, at, label, number, false);
}

static void bt_append_as(bt_model *model, unsigned label, unsigned number, bool expired, bool twin)
{
    bt_row *row = bt_append(model, label, number);

    row->expired = expired;
    row->twin = twin;
}

/* Takes a row out, and those below it. */
static void bt_take(bt_model *model, size_t at)
{
    unsigned side = (unsigned)(model - bt_models);
    size_t behind = bt_last_below(model, at) + 1;

    for (size_t i = at; i < behind; i++) {
        bt_bury_handle(side, model->rows[i].label);
    }
#ifdef BT_WITH_SCANS
    for (size_t i = behind; i-- > at;) {
        bt_unlinks_scans(model, i, behind);
    }
#endif
#ifdef BT_WITH_PROMISED
    for (size_t i = at; i < behind && bt_it->follows != BT_AS_ROWS; i++) {
        bt_orders_out(model, model->rows[i].label);
    }
#endif
    model->changed = true;
    memmove(&model->rows[at], &model->rows[behind], (model->count - behind) * sizeof model->rows[0]);
    model->count -= behind - at;
    model->promised = 0;
}

static void bt_take_all(bt_model *model)
{
    while (model->count > 0) {
        bt_take(model, model->count - 1);
    }
}
