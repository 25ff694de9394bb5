/* -- pending changes -------------------------------------------------------------------------------------------- */

/* Is anything live that holds changes back? */
static bool bt_is_held(const bt_model *model)
{
    return (bt_it->passes_lock && model->live > 0) || model->locks > 0;
}

/* Do changes wait? */
static bool bt_defers(unsigned side)
{
    const bt_model *model = &bt_models[side];

    return bt_it->deferred && (bt_is_held(model) || model->waiting > 0);
}

/* What will be in the container when all that waits is carried out, in that order. */
static bt_row bt_future[BT_ROWS];
static size_t bt_future_count;

static void bt_project(unsigned side)
{
    const bt_model *model = &bt_models[side];

    bt_future_count = model->count;
    memcpy(bt_future, model->rows, model->count * sizeof model->rows[0]);
    for (size_t i = model->replayed; i < model->waiting; i++) {
        const bt_change *change = &model->journal[i];

        if (change->kind == BT_CLEARS) {
            bt_future_count = 0;
        } else if (change->kind == BT_ADDS) {
            if (bt_future_count == BT_ROWS) {
                bt_fail("the test's model is full");
            }
            memset(&bt_future[bt_future_count], 0, sizeof bt_future[0]);
            bt_future[bt_future_count].label = change->label;
            bt_future[bt_future_count].number = change->number;
            bt_future_count++;
        } else {
            for (size_t j = 0; j < bt_future_count; j++) {
                if (bt_future[j].number == change->number) {
                    bt_future_count--;
                    memmove(&bt_future[j], &bt_future[j + 1], (bt_future_count - j) * sizeof bt_future[0]);
                    break;
                }
            }
        }
    }
}

/* The first row with this label whose removal is not pending, or whose add is; NULL if there is none. */
static const bt_row *bt_staying(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];

    if (model->waiting == model->replayed) {
        size_t at = bt_find_label(model, label);

        return at == BT_ROWS ? NULL : &model->rows[at];
    }
    bt_project(side);
    for (size_t i = 0; i < bt_future_count; i++) {
        if (bt_future[i].label == label) {
            return &bt_future[i];
        }
    }
    return NULL;
}

static bool bt_will_stay(unsigned side, unsigned number)
{
    const bt_model *model = &bt_models[side];
    bool stays = bt_find_number(model, number) != BT_ROWS;

    for (size_t i = model->replayed; i < model->waiting; i++) {
        if (model->journal[i].kind == BT_CLEARS) {
            stays = false;
        } else if (model->journal[i].number == number) {
            stays = model->journal[i].kind == BT_ADDS;
        }
    }
    return stays;
}

/* Does the journal hold an element with this label, if only to take it out again? */
static bool bt_waits(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];

    for (size_t i = model->replayed; i < model->waiting; i++) {
        if (model->journal[i].kind == BT_ADDS && model->journal[i].label == label) {
            return true;
        }
    }
    return false;
}

/* Is this label on a row, on one that waits, or on its way in? */
static bool bt_is_known(unsigned side, unsigned label)
{
    const bt_model *model = &bt_models[side];

    for (const bt_frame *frame = bt_top; frame != NULL; frame = frame->outer) {
        for (size_t i = frame->at; frame->kind == BT_ADDING_ALL && i < frame->many; i++) {
            if (frame->labels[i] == label) {
                return true;
            }
        }
    }
    return bt_find_label(model, label) != BT_ROWS || bt_waits(side, label);
}

static unsigned bt_queue(unsigned side, unsigned kind, unsigned label, unsigned number, bool spared)
{
    bt_model *model = &bt_models[side];
    bt_change *change = &model->journal[model->waiting];

    if (model->waiting == BT_ROWS) {
        bt_fail("the test's journal is full");
    }
    change->kind = kind;
    change->label = label;
    change->number = number;
    change->spared = spared;
    change->expired = false;
    change->passed_by = false;
    model->waiting++;
    return BT_QUEUED;
}

#ifdef BT_WITH_WEIGHING
static uint64_t bt_weight_of(const bt_model *model, size_t at)
{
    return model->rows[at].number == model->reweighed ? model->reweighed_to : bt_it->weighs(model->rows[at].label);
}

static uint64_t bt_sum_of(const bt_model *model)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < model->count; i++) {
        sum += bt_weight_of(model, i);
    }
    return sum;
}

/* Is this weight within the limit beside those of all elements? */
static bool bt_fits(const bt_model *model, uint64_t weight)
{
    return weight <= bt_it->heaviest && bt_sum_of(model) <= bt_it->heaviest - weight;
}

/* Is this weight within the limit beside those of all elements but one? */
static bool bt_fits_instead(const bt_model *model, size_t at, uint64_t weight)
{
    return weight <= bt_it->heaviest && bt_sum_of(model) - bt_weight_of(model, at) <= bt_it->heaviest - weight;
}
#endif

/* What adding this label must say, but for want of memory. */
static unsigned bt_refusal(unsigned side, unsigned label, bool moving)
{
    const bt_model *model = &bt_models[side];

    if (label == BT_NOBODY) {
        return BT_ABSENT;
    }
    if (bt_it->unique && bt_staying(side, label) != NULL) {
#ifdef BT_WITH_WEIGHING
        if (bt_it->heaviest != 0 && bt_it->replaces
            && !bt_fits_instead(model, bt_find_label(model, label), bt_it->weighs(label))) {
            return BT_FULL;
        }
#endif
        return bt_it->replaces ? BT_REPLACED : BT_DUPLICATE;
    }
    if (bt_it->keys != 0 && bt_it->key(label) >= bt_it->keys) {
        return BT_RANGE;
    }
    if (bt_it->intrusive && !moving && (bt_find_label(&bt_models[1 - side], label) != BT_ROWS || bt_waits(1 - side, label))) {
        return bt_it->unowned ? BT_DUPLICATE : BT_FOREIGN;
    }
#ifdef BT_WITH_WEIGHING
    if (bt_it->heaviest != 0 && !bt_fits(model, bt_it->weighs(label))) {
        return BT_FULL;
    }
#endif
    if (bt_it->limit != 0) {
        size_t count = model->count;

        if (bt_defers(side)) {
            bt_project(side);
            count = bt_future_count;
        }
        if (count >= bt_it->limit) {
            return BT_FULL;
        }
    }
    return BT_OK;
}

/* What adding one of two elements with a label must say: to put one in its own place changes nothing. */
static unsigned bt_refusal_of(unsigned side, unsigned label, bool twin, bool moving)
{
    unsigned status = bt_refusal(side, label, moving);

    return status == BT_REPLACED && bt_it->by_pointer && bt_staying(side, label)->twin == twin ? (unsigned)BT_DUPLICATE : status;
}

#ifdef BT_WITH_QUEUES
/* The row that an element with this label takes the place of; BT_ROWS: none. */
static size_t bt_instead_of(const bt_model *model, unsigned label)
{
    return bt_it->unique && bt_it->replaces && label != BT_NOBODY ? bt_find_label(model, label) : (size_t)BT_ROWS;
}

/* The row that makes way for an add of this label to a full container, for one at the front that which comes last; BT_ROWS:
   none may. */
static size_t bt_gives_way(const bt_model *model, unsigned label, bool front)
{
    for (size_t i = 0; i < model->count; i++) {
        size_t at = front ? model->count - 1 - i : i;

        if (at != bt_instead_of(model, label) && (bt_it->stays == NULL || !bt_it->stays(model->rows[at].label))) {
            return at;
        }
    }
    return BT_ROWS;
}

/* The label that is added; of no element where a weight has changed. */
static unsigned bt_coming(const bt_frame *frame, unsigned label)
{
#ifdef BT_WITH_WEIGHING
    return frame->reweighs ? BT_NOBODY : label;
#else
    (void)frame;
    return label;
#endif
}

#ifdef BT_WITH_WEIGHING
/* Does this weight fit when all elements are removed that may be? */
static bool bt_can_fit(const bt_model *model, unsigned label, uint64_t weight)
{
    uint64_t rest = 0;

    for (size_t i = 0; i < model->count; i++) {
        bool stays = bt_it->stays != NULL && bt_it->stays(model->rows[i].label);

        rest += stays && i != bt_instead_of(model, label) ? bt_weight_of(model, i) : 0;
    }
    return weight <= bt_it->heaviest && rest <= bt_it->heaviest - weight;
}
#endif

/* Is an element removed, or one more, for the add of a bulk call with this number, which finds the container full? */
static bool bt_would_make_room(const bt_frame *frame, size_t number, unsigned label)
{
    const bt_model *model = &bt_models[frame->side];

    label = bt_coming(frame, label);
    if (!bt_it->overwrites || bt_gives_way(model, label, frame->front) == BT_ROWS) {
        return false;
    }
#ifdef BT_WITH_WEIGHING
    if (bt_it->heaviest != 0) {
        uint64_t needs = label == BT_NOBODY ? 0 : bt_it->weighs(label);
        size_t instead = bt_instead_of(model, label);
        bool fits = instead == BT_ROWS ? bt_fits(model, needs) : bt_fits_instead(model, instead, needs);

        if (fits || (frame->overwriting != number && !bt_can_fit(model, label, needs))) {
            return false;
        }
    }
#endif
    return frame->overwriting != number || frame->left > 0;
}

static bool bt_makes_room(bt_frame *frame, size_t number, unsigned label)
{
    if (!bt_would_make_room(frame, number, label)) {
        return false;
    }
    if (frame->overwriting != number) {
        frame->overwriting = number;
        frame->left = 1;
#ifdef BT_WITH_WEIGHING
        frame->left = bt_it->heaviest != 0 ? bt_models[frame->side].count : 1;
#endif
    }
    frame->left--;
    return true;
}

#endif
/* Where it is not said which of several equal rows a call means: does it matter to anyone? */
static bool bt_same_fate(unsigned side, unsigned label, uint32_t but)
{
    const bt_model *model = &bt_models[side];
    const bt_row *first = NULL;

    if (bt_it->ordered) {
        return true;
    }
    for (size_t i = 0; i < model->count; i++) {
        const bt_row *row = &model->rows[i];

        if (row->label != label) {
            continue;
        }
        if (first == NULL) {
            first = row;
        } else if (((row->todo ^ first->todo) & ~but) != 0 || ((row->current ^ first->current) & ~but) != 0
                   || row->doomed != first->doomed
                   || (bt_it->deferred && bt_will_stay(side, row->number) != bt_will_stay(side, first->number))
                   || bt_is_expired(row) != bt_is_expired(first)) {
            return false;
        }
    }
    return true;
}

/* One of several equal rows is removed, and it is open which: where that matters, the run ends here, and has passed. */
static void bt_must_be_clear(unsigned side, unsigned label, uint32_t but)
{
    if (bt_it->twice && !bt_same_fate(side, label, but)) {
        longjmp(bt_escape, BT_UNCLEAR);
    }
}

static const char *bt_word(unsigned status)
{
    return status < sizeof bt_words / sizeof bt_words[0] ? bt_words[status] : "something else";
}

static void bt_expect(const char *call, unsigned status, unsigned expected)
{
    char silent[40];

    snprintf(silent, sizeof silent, " %s ", call);
    if (strstr(bt_it->silent, silent) == NULL) {
        bt_answer(status == expected, "== %s_%s", bt_it->shouted, bt_word(expected));
    } else if (bt_writing) {
        bt_flush(); /* there is no result to expect */
    }
    if (status != expected) {
        bt_fail("%s_%s returned %s, expected %s", bt_it->name, call, bt_word(status), bt_word(expected));
    }
}

#ifdef BT_WITH_QUEUES
/* The handle of an element, as C. */
static const char *bt_keyed(unsigned side, unsigned label)
{
    static char text[40];

    snprintf(text, sizeof text, "handles[%u]", bt_handle_name(side, label));
    return text;
}

#endif
/* The argument for an element, as C. */
static const char *bt_asked(unsigned side, unsigned label)
{
    static char text[80];
    char number[20];

    snprintf(number, sizeof number, label == BT_ELSEWHERE ? "ELSEWHERE" : "%u", label);
    if (bt_it->by_label && !bt_it->by_row) {
        snprintf(text, sizeof text, "like(%s)", number);
    } else {
        snprintf(text, sizeof text, "at(&%s, %s)", bt_names[side], number);
    }
    return text;
}

/* Does an address lie in an object? Else it is what a pointer of it leads to. */
BT_SPARE static bool bt_is_part_of(uintptr_t address, const void *object, size_t size)
{
    return address >= (uintptr_t)object && address - (uintptr_t)object < size;
}

/* The byte of a member in which the bits from 8 * i on of a number are: whole numbers are labels, not multiples of 2^24. */
BT_SPARE static const unsigned bt_one = 1;
#define BT_BYTE(size, i) (*(const unsigned char *)&bt_one == 1 ? (i) : (size) - 1 - (i))

/* Members that lie in columns of their own all say whose they are. */
BT_SPARE static void bt_stamp(void *member, size_t size, unsigned label)
{
    for (size_t i = 0, bytes = size < 4 ? size : 4; i < bytes; i++) {
        ((unsigned char *)member)[BT_BYTE(size, i)] = (unsigned char)(label >> 8 * i);
    }
}

BT_SPARE static bool bt_is_stamped(const void *member, size_t size, unsigned label)
{
    for (size_t i = 0, bytes = size < 4 ? size : 4; i < bytes; i++) {
        if (((const unsigned char *)member)[BT_BYTE(size, i)] != (unsigned char)(label >> 8 * i)) {
            return false;
        }
    }
    return true;
}

/* A member that was read from a row is that in its column, and that of its element. */
BT_SPARE static void bt_reads_column(unsigned side, size_t row, const void *column, const void *member, size_t bytes,
                                     const char *name)
{
    if (memcmp(column, member, bytes) != 0) {
        bt_show("same(&%s, %lu)", bt_names[side], (unsigned long)row);
        bt_fail("the column of '%s' is another than %s_load reads", name, bt_it->name);
    }
}

BT_SPARE static void bt_has_own(unsigned side, size_t row, const void *member, size_t bytes, unsigned label, const char *name)
{
    if (!bt_is_stamped(member, bytes, label)) {
        bt_show("known_at(&%s, %lu) != 0", bt_names[side], (unsigned long)row);
        bt_fail("'%s' of the element in row %lu is another one's", name, (unsigned long)row);
    }
}

/* Are all bytes of a value this number? */
BT_SPARE static bool bt_is_filled(const void *value, size_t bytes, unsigned stamp)
{
    for (size_t i = 0; i < bytes; i++) {
        if (((const unsigned char *)value)[i] != stamp) {
            return false;
        }
    }
    return true;
}

/* How the label of a returned element begins, as C. */
static const char *bt_known(unsigned side)
{
    static char text[40];

    snprintf(text, sizeof text, bt_it->by_row ? "known_at(&%s, " : "known(", bt_names[side]);
    return text;
}

/* The element at a place, as C. */
static const char *bt_nth(unsigned side, size_t place)
{
    static char text[80];

    if (bt_it->linked) {
        snprintf(text, sizeof text, "nth(&%s, %lu)", bt_names[side], (unsigned long)place);
    } else {
        snprintf(text, sizeof text, "%s(&%s, %lu)", bt_it->placed, bt_names[side], (unsigned long)place);
    }
    return text;
}
