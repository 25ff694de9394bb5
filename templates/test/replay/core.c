/* Repeats what a trace has recorded. Each element knows by a number, its label, which one it is; beside each container there is a
 * model of it, which says what calls must return and what passes must visit. */
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RP_PASSES 16 /* that are live at once in a container */
#define RP_INDEXES 4 /* named ones of a container */
#define RP_UNKNOWN UINT32_MAX

enum { RP_CALL, RP_STEP, RP_END, RP_BEGIN, RP_EXPIRES };
enum { RP_OK, RP_QUEUED, RP_DUPLICATE, RP_ABSENT, RP_FULL, RP_NO_MEMORY, RP_STALE };
enum { RP_ALL, RP_PART, RP_PAIRS, RP_SCAN, RP_RANGE, RP_CHANGES, RP_SIDE }; /* what passes visit */
enum { RP_DEAD, RP_ALIVE, RP_EXPIRED, RP_BELOW }; /* the container may have it or not: it has expired, or one above it has */

/* An operation of the trace. `pass`: the number of a pass of the container; `count` is how often a pass steps, or the elements
 * afterwards; `status` what it returned: RP_UNKNOWN where that is not known. */
struct rp_op {
    uint32_t what, list, call, pass, label, key, other, status, count, rank;
    uint32_t to, to_key, to_other;  /* what it is put beside or beneath: a label, or a key or handle; to_key: a layer */
    uint32_t more[RP_INDEXES];      /* keys in named indexes */
};

/* A handle, as the trace has it. */
struct rp_handle {
    uint32_t index, generation;
};

/* One that an element was given: an element may be added again. */
struct rp_given {
    struct rp_handle handle;
    uint32_t label, earlier; /* the one before that with the same index */
};

struct rp_list;

/* What is known of a kind of containers. */
struct rp_kind {
    const char *name;
    size_t list_bytes, cursor_bytes;
    bool unique, keyed, pointers, deferred, ordered, adds_later; /* adds_later: a pass does not visit what it sees added */
    bool expires, sorted, stable, asks; /* asks: T_update asks elements before they are updated */
    size_t limit, keys; /* of elements, and what keys are smaller than: SIZE_MAX: none, 0: until T_init is given it */
    bool alone[RP_INDEXES]; /* named indexes: at most one element has a key */
    bool tree;
    uint32_t layers; /* how many; 0: it has none */
    const struct rp_kind *layer; /* what each of them is */
    void (*run)(struct rp_list *, const struct rp_op *);
    size_t (*count)(const void *list);
    uint64_t (*version)(const void *list); /* or NULL */
    uint32_t sides; /* names of values beside elements */
};

/* A pass. */
struct rp_pass {
    bool open, reads, backward, updates; /* updates: it is a call that goes on by itself */
    int way;             /* RP_ALL, ... */
    uint32_t number;     /* of all passes of the container */
    uint32_t current;    /* the label of the element that it stands on, or 0 */
    uint32_t born, last; /* labels added until then; the place in the order of what it visited last */
    uint32_t rank;       /* and by what that is sorted */
    uint32_t credit;     /* elements that it has still to come to before anything else is done */
    uint32_t *stamp;     /* by label: the last pass that visited it */
    uint32_t first;      /* RP_PART: the element that it begins at; RP_UNKNOWN: it is not known which */
    bool awaited;        /* and has not come to */
    uint32_t index, low, high; /* RP_SCAN, RP_RANGE: a named index, and which keys */
    uint32_t changes;          /* of the container, when it began */
    uint32_t outer, turn;      /* RP_PAIRS: the first element of its pairs; the number under which `stamp` has the second ones */
    uint32_t *outers;          /* by label: the last pass in which it was the first element of pairs */
    uint32_t stands; /* in a tree: what it visited last, or what is before that; 0: nothing, RP_UNKNOWN: it is not known */
    uint64_t since, version; /* RP_CHANGES: the version that it begins with, and that of the change that it stands on */
    uint32_t at;     /* the layer that it is in, or how many there are: it has come to the end */
    bool visible;    /* it is through layers that are visible */
    bool loose, bared; /* RP_SIDE: it may end early; the value that it stands on was taken away */
    void *cursor, *inner;
};

/* Where an element is in a tree: labels. */
struct rp_place {
    uint32_t up, first, last, before, after;
    bool hangs;
};

struct rp_snapshot;
struct rp_side;
struct rp_post;

struct rp_list {
    const struct rp_kind *kind;
    void *list;
    uint32_t self;          /* its number; of a layer that of the whole */
    struct rp_list *layer;  /* models of its layers */
    bool *disabled, *hidden;
    struct rp_place *tree;  /* by label; 0: the top */
    uint64_t *came, *noted; /* by label: the version of its add, and of its last change */
    bool returned;          /* to a snapshot: then these are not known */
    bool stirred;           /* the ranks of a tree are those from before a change */
    size_t limit, keys;
    uint32_t updating; /* the number of the update that is under way */
    uint32_t labels, alive, passes, added; /* room for labels; how many there are; passes that began; adds */
    uint32_t *key, *place, *at, *dense;    /* by label: its key, its place in the order of adds, its index in `dense` */
    uint32_t *rank, *more[RP_INDEXES];     /* by what it is sorted; its keys in named indexes */
    bool rekeyed;                          /* has that changed? Then places say nothing of what is equal */
    uint32_t expired;                      /* labels of that state */
    uint32_t changes;                      /* adds, removals, changed keys */
    uint32_t *changed; /* by label: how many passes had begun when its key in a named index changed */
    const uint32_t *answer;                /* how many that are asked have not expired before the next one that has */
    uint32_t answers, asked;
    struct rp_list *teller; /* that of which this is known */
    unsigned char *state;
    struct rp_handle *handle;
    struct rp_given *given; /* all handles; from 1 on */
    uint32_t *by_index;     /* the last one with this index */
    uint32_t indexes, gave, given_room;
    void **element; /* of pointers */
    uint32_t *table;  /* labels by key */
    uint32_t slots;
    struct rp_pass pass[RP_PASSES];
    struct rp_snapshot *snapshot;
    uint32_t snapshots;
    struct rp_side *side; /* by name */
    struct rp_post *post; /* what threads have noted */
    uint32_t posts, post_room;
    bool placed;                    /* is it known where elements are, */
    uint32_t places, *in_place;     /* their labels in the order of passes, */
    uint32_t place_room, spot_room; /* and by label what leads to them? */
    void **spot;
};

static struct rp_list *rp_lists;
static const struct rp_op *rp_ops;
static uint32_t rp_count;  /* of all operations */
static uint32_t rp_next;   /* the one that is to be repeated next */
static uint32_t rp_number; /* of the operation */
static uint32_t rp_before; /* that before which an element has expired of which it is found out now */
static struct rp_list *rp_now;
static FILE *rp_gone;      /* which these are */
static bool rp_answered;   /* is it known what elements answer? */
static uint32_t rp_list;   /* its container */
static bool rp_shown;      /* is what is visited printed? */
static FILE *rp_seen;      /* labels as they were seen, by this program or by the one before */
static bool rp_compares;

static void rp_fail(const struct rp_list *it, const char *format, ...)
{
    va_list arguments;

    printf("%lu %lu ", (unsigned long)rp_number, (unsigned long)it->self);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    exit(3);
}

static void *rp_room(void *old, size_t count, size_t size)
{
    void *room = realloc(old, count * size);

    if (room == NULL) {
        fputs("no memory\n", stderr);
        exit(2);
    }
    return room;
}

/* Says which element was seen; compares that with what another container has seen. */
static void rp_saw(const struct rp_list *it, uint32_t label)
{
    uint32_t other;

    if (rp_shown) {
        printf("%lu\n", (unsigned long)label);
    }
    if (rp_seen == NULL) {
        return;
    }
    if (!rp_compares) {
        fwrite(&label, sizeof label, 1, rp_seen);
    } else if (fread(&other, sizeof other, 1, rp_seen) != 1 || other != label) {
        rp_fail(it, "element %lu, where the first container has element %lu", (unsigned long)label, (unsigned long)other);
    }
}

/* -- the model -- */

static void rp_rises(struct rp_list *it, uint32_t label);
static uint32_t rp_below(const struct rp_list *it, uint32_t top, uint32_t label);
static void rp_fell(struct rp_list *it, uint32_t label);
static void rp_bares(struct rp_list *it, uint32_t label);
static void rp_beside_room(struct rp_list *it, uint32_t before, uint32_t labels);
static unsigned char rp_state(const struct rp_list *it, uint32_t label);

static void rp_label(struct rp_list *it, uint32_t label)
{
    uint32_t before = it->labels, labels = before == 0 ? 64 : before;

    while (labels <= label) {
        labels *= 2;
    }
    if (labels == before) {
        return;
    }
    for (uint32_t i = 0; i < it->kind->layers; i++) {
        rp_label(&it->layer[i], labels - 1);
    }
    rp_beside_room(it, before, labels);
    it->tree = (struct rp_place *)rp_room(it->tree, labels, sizeof *it->tree);
    memset(it->tree + before, 0, (labels - before) * sizeof *it->tree);
    it->came = (uint64_t *)rp_room(it->came, labels, sizeof *it->came);
    it->noted = (uint64_t *)rp_room(it->noted, labels, sizeof *it->noted);
    it->key = (uint32_t *)rp_room(it->key, labels, sizeof *it->key);
    it->place = (uint32_t *)rp_room(it->place, labels, sizeof *it->place);
    it->rank = (uint32_t *)rp_room(it->rank, labels, sizeof *it->rank);
    for (uint32_t i = 0; i < RP_INDEXES; i++) {
        it->more[i] = (uint32_t *)rp_room(it->more[i], labels, sizeof **it->more);
    }
    it->changed = (uint32_t *)rp_room(it->changed, labels, sizeof *it->changed);
    it->at = (uint32_t *)rp_room(it->at, labels, sizeof *it->at);
    it->dense = (uint32_t *)rp_room(it->dense, labels, sizeof *it->dense);
    it->state = (unsigned char *)rp_room(it->state, labels, 1);
    it->handle = (struct rp_handle *)rp_room(it->handle, labels, sizeof *it->handle);
    it->element = (void **)rp_room(it->element, labels, sizeof *it->element);
    for (uint32_t i = before; i < labels; i++) {
        it->key[i] = it->place[i] = it->at[i] = it->rank[i] = it->changed[i] = 0;
        it->state[i] = RP_DEAD;
        it->handle[i].index = it->handle[i].generation = 0;
        it->element[i] = NULL;
    }
    for (uint32_t i = 0; i < RP_PASSES; i++) {
        it->pass[i].stamp = (uint32_t *)rp_room(it->pass[i].stamp, labels, sizeof *it->pass[i].stamp);
        it->pass[i].outers = (uint32_t *)rp_room(it->pass[i].outers, labels, sizeof *it->pass[i].outers);
        memset(it->pass[i].stamp + before, 0, (labels - before) * sizeof *it->pass[i].stamp);
        memset(it->pass[i].outers + before, 0, (labels - before) * sizeof *it->pass[i].outers);
    }
    it->labels = labels;
}

/* An element has got this handle. */
static void rp_keep_handle(struct rp_list *it, uint32_t label, uint32_t index, uint32_t generation)
{
    if (index >= it->indexes) {
        uint32_t room = index < 64 ? 128 : index * 2;

        it->by_index = (uint32_t *)rp_room(it->by_index, room, sizeof *it->by_index);
        memset(it->by_index + it->indexes, 0, (room - it->indexes) * sizeof *it->by_index);
        it->indexes = room;
    }
    it->handle[label].index = index;
    it->handle[label].generation = generation;
    if (it->gave + 1 >= it->given_room) {
        it->given_room = it->given_room == 0 ? 64 : it->given_room * 2;
        it->given = (struct rp_given *)rp_room(it->given, it->given_room, sizeof *it->given);
    }
    it->gave++;
    it->given[it->gave].handle = it->handle[label];
    it->given[it->gave].label = label;
    it->given[it->gave].earlier = it->by_index[index];
    it->by_index[index] = it->gave;
}

/* The element that has this handle, or had it last; 0: none. */
static uint32_t rp_of_handle(const struct rp_list *it, const struct rp_op *op)
{
    uint32_t at = op->label == 0 && op->key < it->indexes ? it->by_index[op->key] : 0;

    while (at != 0 && it->given[at].handle.generation != op->other) {
        at = it->given[at].earlier;
    }
    if (at == 0) {
        return op->label;
    }
    const struct rp_given *given = &it->given[at];
    const struct rp_handle *now = &it->handle[given->label];

    return now->index == given->handle.index && now->generation == given->handle.generation ? given->label : 0;
}

/* Where an element with this key is in the table, or `label` could be. */
static uint32_t rp_slot(const struct rp_list *it, uint32_t key, uint32_t label)
{
    uint32_t at = (uint32_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 40) & (it->slots - 1);

    while (it->table[at] != 0 && it->table[at] != label
           && (it->key[it->table[at]] != key || it->state[it->table[at]] == RP_DEAD)) {
        at = (at + 1) & (it->slots - 1);
    }
    return at;
}

/* The element with this key; 0: there is none. */
static uint32_t rp_find(const struct rp_list *it, uint32_t key)
{
    return it->slots == 0 ? 0 : it->table[rp_slot(it, key, 0)];
}

static void rp_enter_key(struct rp_list *it, uint32_t label)
{
    if (it->slots < 2 * (it->added + 2)) {
        uint32_t slots = it->slots == 0 ? 64 : it->slots * 4;

        it->table = (uint32_t *)rp_room(it->table, slots, sizeof *it->table);
        memset(it->table, 0, slots * sizeof *it->table);
        it->slots = slots;
        for (uint32_t i = 1; i < it->labels; i++) {
            if (it->state[i] != RP_DEAD) {
                it->table[rp_slot(it, it->key[i], i)] = i;
            }
        }
    }
    it->table[rp_slot(it, it->key[label], label)] = label;
}

static void rp_entered(struct rp_list *it, uint32_t label)
{
    it->expired -= it->state[label] > RP_ALIVE;
    it->added++;
    it->changes++;
    it->place[label] = it->added;
    it->state[label] = RP_ALIVE;
    it->at[label] = it->alive;
    it->dense[it->alive++] = label;
    if (it->kind->keyed) {
        rp_enter_key(it, label);
    }
    if (it->kind->tree) {
        rp_rises(it, label);
    }
    if (it->kind->version != NULL) {
        it->came[label] = it->noted[label] = it->kind->version(it->list);
    }
}

static void rp_left(struct rp_list *it, uint32_t label)
{
    uint32_t last;

    it->changes++;
    rp_bares(it, label);
    if (it->state[label] > RP_ALIVE) {
        it->expired--;
        it->state[label] = RP_DEAD;
        return;
    }
    last = it->dense[--it->alive];
    it->state[label] = RP_DEAD;
    it->dense[it->at[label]] = last;
    it->at[last] = it->at[label];
}

/* An element may have left. */
static void rp_lapses(struct rp_list *it, uint32_t label, unsigned char state)
{
    if (it->state[label] == RP_ALIVE) {
        rp_left(it, label);
        it->expired++;
    }
    it->state[label] = state;
}

/* An element has expired; in a tree, it leaves with what is below it. */
static void rp_expires(struct rp_list *it, uint32_t label)
{
    for (uint32_t i = 0; i < it->kind->layers; i++) {
        rp_expires(&it->layer[i], label);
    }
    if (it->state[label] != RP_ALIVE && it->state[label] != RP_BELOW) {
        return;
    }
    rp_lapses(it, label, RP_EXPIRED);
    for (uint32_t each = it->kind->tree ? rp_below(it, label, label) : 0; each != 0; each = rp_below(it, label, each)) {
        if (it->state[each] == RP_ALIVE) {
            rp_lapses(it, each, RP_BELOW);
        }
    }
}

/* What the container asks of an element. */
bool rp_expired(uint32_t label)
{
    struct rp_list *it = rp_now, *teller = it->teller;
    unsigned char state = label < it->labels ? rp_state(it, label) : RP_DEAD;

    if (!rp_answered) {
        return state == RP_EXPIRED;
    }
    if (teller->answers == 0 || teller->asked++ < *teller->answer) {
        return false;
    }
    teller->asked = 0;
    teller->answer++;
    teller->answers--;
    if (rp_gone != NULL && (state == RP_ALIVE || state == RP_BELOW)) {
        uint32_t found[3] = {rp_before, it->self, label};

        fwrite(found, sizeof *found, 3, rp_gone);
    }
    rp_expires(it, label);
    return true;
}

/* All elements have left; `whole`: with them all that was known of them. */
static void rp_emptied(struct rp_list *it, bool whole)
{
    for (uint32_t i = 0; whole && i < RP_PASSES; i++) {
        it->pass[i].open = false;
    }
    it->posts = whole ? 0 : it->posts;
    if (whole && it->indexes > 0) {
        memset(it->by_index, 0, it->indexes * sizeof *it->by_index);
    }
    while (it->alive > 0) {
        rp_left(it, it->dense[it->alive - 1]);
    }
    for (uint32_t i = 0; it->expired > 0 && i < it->labels; i++) {
        if (it->state[i] > RP_ALIVE) {
            rp_left(it, i);
        }
    }
    if (it->kind->tree && it->labels > 0) {
        memset(it->tree, 0, it->labels * sizeof *it->tree);
    }
    for (uint32_t i = 0; it->kind->tree && i < RP_PASSES; i++) {
        it->pass[i].stands = 0; /* what is added now is behind it */
    }
}

static const char *rp_word(uint32_t status)
{
    static const char *const words[] = {"OK", "QUEUED", "DUPLICATE", "ABSENT", "FULL", "NO_MEMORY", "STALE"};

    return status < sizeof words / sizeof *words ? words[status] : "another status";
}

static void rp_returned(const struct rp_list *it, const struct rp_op *op, uint32_t status)
{
    if (op->status != RP_UNKNOWN && op->status != status) {
        rp_fail(it, "it returned %s, where the trace has %s", rp_word(status), rp_word(op->status));
    }
}

/* What a call must have returned. With a journal the model waits, and it does not know when what has expired is given up. */
static void rp_must(const struct rp_list *it, bool done, bool must, const char *why)
{
    if (done != must && !it->kind->deferred && it->expired == 0) {
        rp_fail(it, "%s, although %s", done ? "it was done" : "it was refused", why);
    }
}

static void rp_add_returned(struct rp_list *it, const struct rp_op *op, uint32_t status, bool may)
{
    rp_returned(it, op, status);
    it->added += status == RP_QUEUED; /* passes come to that many more */
    rp_must(it, status == RP_OK, may,
            may ? "the element is not there, and there is room"
                : "an equal element is there, it is full, or the key is too large");
    if (status == RP_OK && (!it->kind->pointers || it->state[op->label] != RP_ALIVE)) {
        rp_entered(it, op->label);
    }
}

static void rp_remove_returned(struct rp_list *it, const struct rp_op *op, uint32_t status, uint32_t label)
{
    bool there = label != 0 && it->state[label] != RP_DEAD;

    if (!there || it->state[label] == RP_ALIVE || !rp_compares) {
        rp_returned(it, op, status);
    }
    rp_must(it, status == RP_OK, there, there ? "the element is there" : "there is no such element");
    if (status == RP_OK && there && it->kind->tree) {
        rp_fell(it, label);
    } else if (status == RP_OK && there) {
        rp_left(it, label);
    }
}

/* A look for an element: what was found, and what is to be. */
static void rp_found(const struct rp_list *it, const struct rp_op *op, uint32_t found, uint32_t wanted)
{
    if (wanted != RP_UNKNOWN && wanted != 0 && it->state[wanted] > RP_ALIVE && (rp_compares || op->status == RP_UNKNOWN)) {
        return;
    }
    if (op->status != RP_UNKNOWN && (op->status == RP_OK) != (found != 0)) {
        rp_fail(it, "it finds %s, where the trace has %s", found != 0 ? "an element" : "nothing", rp_word(op->status));
    }
    if (wanted != RP_UNKNOWN && !it->kind->deferred && (wanted == 0 || it->state[wanted] <= RP_ALIVE)
        && found != (wanted != 0 && it->state[wanted] != RP_DEAD ? wanted : 0)) {
        rp_fail(it, "it finds element %lu, not element %lu", (unsigned long)found, (unsigned long)wanted);
    }
}
