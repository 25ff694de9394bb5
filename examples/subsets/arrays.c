/* Hand-written arrays. First deletable object lists: an object sets a flag, each list tests it. Then indexed lists: an
 * object contains its slot index in each list, and the list contains pointers, or copies of what a search reads. */
#include <math.h>
#include <stdlib.h>

#include "variant.h"

static size_t grown(size_t capacity)
{
    return capacity == 0 ? LANES : 2 * capacity;
}

/* == deletable object lists ======================================================================================= */

struct flagged {
    struct object base;
    bool gone;
    unsigned char holders; /* lists that still point at it; the last one frees it */
};

struct flagged_list {
    struct flagged **items; /* NULL: a tombstone */
    size_t used, dead, capacity;
};

struct flagged_game {
    struct flagged_list all, subset[SUBSETS];
    struct pool objects;
};

static void *flagged_open(bool slabs)
{
    struct flagged_game *game = need(sizeof *game);

    *game = (struct flagged_game){.objects = {sizeof(struct flagged), slabs, NULL, NULL}};
    return game;
}

static void *flagged_open_heap(void)
{
    return flagged_open(false);
}

static void *flagged_open_pooled(void)
{
    return flagged_open(true);
}

static void flagged_add(struct flagged_list *list, struct flagged *object)
{
    if (list->used == list->capacity) {
        list->capacity = grown(list->capacity);
        list->items = need_more(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->used++] = object;
    object->holders++;
}

static void flagged_let_go(struct flagged_game *game, struct flagged_list *list, size_t slot)
{
    struct flagged *object = list->items[slot];

    list->items[slot] = NULL;
    list->dead++;
    if (--object->holders == 0) {
        object_end(&object->base);
        pool_give(&game->objects, object);
    }
}

/* After a pass, when no other is live. */
static void flagged_squeeze(struct flagged_list *list)
{
    size_t to = 0;

    if (list->dead * 5 <= list->used) {
        return;
    }
    for (size_t from = 0; from < list->used; from++) {
        if (list->items[from] != NULL) {
            list->items[to++] = list->items[from];
        }
    }
    list->used = to;
    list->dead = 0;
}

static void flagged_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct flagged_game *game = state;
    struct flagged *object = pool_take(&game->objects);

    object_begin(&object->base, drawn);
    object->gone = false;
    object->holders = 0;
    flagged_add(&game->all, object);
    for (int i = 0; i < IN; i++) {
        flagged_add(&game->subset[subset[i]], object);
    }
}

static void flagged_destroy(void *state, struct object *object)
{
    (void)state;
    ((struct flagged *)object)->gone = true;
}

static struct object *flagged_search(void *state, unsigned subset, const struct object *from)
{
    struct flagged_game *game = state;
    struct flagged_list *list = &game->subset[subset];
    struct nearest best = {INFINITY, NULL};

    for (size_t slot = 0; slot < list->used; slot++) {
        struct flagged *object = list->items[slot];

        if (object == NULL) {
            continue;
        }
        if (object->gone) {
            flagged_let_go(game, list, slot);
            continue;
        }
        consider(&best, squared_distance(object->base.x, object->base.y, object->base.z, from), &object->base);
    }
    flagged_squeeze(list);
    return best.object;
}

static void flagged_each(void *state, visitor *visit, void *context)
{
    struct flagged_game *game = state;

    for (size_t slot = 0; slot < game->all.used; slot++) {
        struct flagged *object = game->all.items[slot];

        if (object != NULL && object->gone) {
            flagged_let_go(game, &game->all, slot);
        } else if (object != NULL) {
            visit(context, &object->base);
        }
    }
    flagged_squeeze(&game->all);
}

static void flagged_close(void *state)
{
    struct flagged_game *game = state;

    for (int i = 0; i <= SUBSETS; i++) {
        struct flagged_list *list = i < SUBSETS ? &game->subset[i] : &game->all;

        for (size_t slot = 0; slot < list->used; slot++) {
            if (list->items[slot] != NULL) {
                flagged_let_go(game, list, slot);
            }
        }
        free(list->items);
    }
    pool_end(&game->objects);
    free(game);
}

/* == indexed lists ================================================================================================ */

enum layout {
    POINTERS, /* to the objects */
    INLINE,   /* a copy of what a search reads, and a pointer */
    COLUMNS,  /* the same, one array for each member */
};

struct seated {
    struct object base;
    uint32_t place;                 /* in the main list */
    uint32_t subset[IN], slot[IN];
};

struct hot {
    float x, y, z; /* x is NaN: a tombstone */
    struct seated *owner;
};

struct seats {
    enum layout layout;
    struct seated **owners; /* POINTERS and COLUMNS; NULL: a tombstone */
    struct hot *hot;        /* INLINE */
    float *x, *y, *z;       /* COLUMNS; NaN from `used` on, so that a search may read whole blocks */
    size_t used, dead, capacity;
};

struct seated_game {
    struct seated **all; /* NULL: a tombstone */
    size_t used, dead, capacity;
    bool buries; /* a removal from a subset writes a tombstone; else the last element fills the slot */
    struct seats subset[SUBSETS];
};

static struct seated *owner_of(const struct seats *seats, size_t slot)
{
    return seats->layout == INLINE ? seats->hot[slot].owner : seats->owners[slot];
}

static void put(struct seats *seats, size_t slot, struct seated *object)
{
    switch (seats->layout) {
    case COLUMNS:
        seats->x[slot] = object == NULL ? NAN : object->base.x;
        seats->y[slot] = object == NULL ? 0 : object->base.y;
        seats->z[slot] = object == NULL ? 0 : object->base.z;
        seats->owners[slot] = object;
        break;
    case POINTERS:
        seats->owners[slot] = object;
        break;
    case INLINE:
        if (object == NULL) {
            seats->hot[slot] = (struct hot){NAN, 0, 0, NULL};
        } else {
            seats->hot[slot] = (struct hot){object->base.x, object->base.y, object->base.z, object};
        }
        break;
    }
}

static void grow(struct seats *seats)
{
    size_t slot = seats->capacity;

    seats->capacity = grown(seats->capacity);
    switch (seats->layout) {
    case COLUMNS:
        seats->x = need_more(seats->x, seats->capacity * sizeof *seats->x);
        seats->y = need_more(seats->y, seats->capacity * sizeof *seats->y);
        seats->z = need_more(seats->z, seats->capacity * sizeof *seats->z);
        /* fall through */
    case POINTERS:
        seats->owners = need_more(seats->owners, seats->capacity * sizeof *seats->owners);
        break;
    case INLINE:
        seats->hot = need_more(seats->hot, seats->capacity * sizeof *seats->hot);
        break;
    }
    for (; slot < seats->capacity; slot++) {
        put(seats, slot, NULL);
    }
}

/* Writes the new slot index into the seat's owner, which may have two seats here. */
static void move_seat(struct seated_game *game, unsigned subset, size_t from, size_t to)
{
    struct seats *seats = &game->subset[subset];
    struct seated *object = owner_of(seats, from);
    int seat = object->subset[0] == subset && object->slot[0] == from ? 0 : 1;

    if (to != from) {
        put(seats, to, object);
        put(seats, from, NULL);
        object->slot[seat] = (uint32_t)to;
    }
}

static void leave(struct seated_game *game, unsigned subset, size_t slot)
{
    struct seats *seats = &game->subset[subset];
    size_t to = 0;

    put(seats, slot, NULL);
    if (!game->buries) {
        seats->used--;
        if (slot != seats->used) {
            move_seat(game, subset, seats->used, slot);
        }
        return;
    }
    seats->dead++;
    if (seats->dead * 5 > seats->used) { /* no search is live during a removal */
        for (size_t from = 0; from < seats->used; from++) {
            if (owner_of(seats, from) != NULL) {
                move_seat(game, subset, from, to++);
            }
        }
        seats->used = to;
        seats->dead = 0;
    }
}

static void *seated_open(enum layout layout, bool buries)
{
    struct seated_game *game = need(sizeof *game);

    *game = (struct seated_game){.buries = buries};
    for (int i = 0; i < SUBSETS; i++) {
        game->subset[i].layout = layout;
    }
    return game;
}

static void *pointers_open(void)
{
    return seated_open(POINTERS, false);
}

static void *inline_open(void)
{
    return seated_open(INLINE, false);
}

static void *inline_open_burying(void)
{
    return seated_open(INLINE, true);
}

static void *columns_open(void)
{
    return seated_open(COLUMNS, false);
}

static void *columns_open_burying(void)
{
    return seated_open(COLUMNS, true);
}

static void seated_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct seated_game *game = state;
    struct seated *object = need(sizeof *object);

    object_begin(&object->base, drawn);
    if (game->used == game->capacity) {
        game->capacity = grown(game->capacity);
        game->all = need_more(game->all, game->capacity * sizeof *game->all);
    }
    object->place = (uint32_t)game->used;
    game->all[game->used++] = object;
    for (int i = 0; i < IN; i++) {
        struct seats *seats = &game->subset[subset[i]];

        if (seats->used == seats->capacity) {
            grow(seats);
        }
        object->subset[i] = subset[i];
        object->slot[i] = (uint32_t)seats->used;
        put(seats, seats->used++, object);
    }
}

static void seated_destroy(void *state, struct object *base)
{
    struct seated_game *game = state;
    struct seated *object = (struct seated *)base;

    game->all[object->place] = NULL;
    game->dead++;
    for (int i = 0; i < IN; i++) {
        leave(game, object->subset[i], object->slot[i]);
    }
    object_end(base);
    free(object);
}

static struct object *pointers_search(void *state, unsigned subset, const struct object *from)
{
    struct seated_game *game = state;
    struct seats *seats = &game->subset[subset];
    struct nearest best = {INFINITY, NULL};

    for (size_t slot = 0; slot < seats->used; slot++) {
        struct object *object = &seats->owners[slot]->base;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
    }
    return best.object;
}

static struct object *inline_search(void *state, unsigned subset, const struct object *from)
{
    struct seated_game *game = state;
    struct seats *seats = &game->subset[subset];
    struct nearest best = {INFINITY, NULL};

    for (size_t slot = 0; slot < seats->used; slot++) {
        const struct hot *hot = &seats->hot[slot];

        float distance = squared_distance(hot->x, hot->y, hot->z, from);

        if (distance <= best.distance) {
            consider(&best, distance, &hot->owner->base);
        }
    }
    return best.object;
}

static struct object *columns_search(void *state, unsigned subset, const struct object *from)
{
    struct seated_game *game = state;
    struct seats *seats = &game->subset[subset];
    struct nearest best = {INFINITY, NULL};

    for (size_t slot = 0; slot < seats->used; slot++) {
        float distance = squared_distance(seats->x[slot], seats->y[slot], seats->z[slot], from);

        if (distance <= best.distance) {
            consider(&best, distance, &seats->owners[slot]->base);
        }
    }
    return best.object;
}

static struct object *blocks_search(void *state, unsigned subset, const struct object *from)
{
    struct seated_game *game = state;
    struct seats *seats = &game->subset[subset];
    struct nearest best = {INFINITY, NULL};

    for (size_t block = 0; block < seats->used; block += LANES) {
        if (!any_as_near(seats->x + block, seats->y + block, seats->z + block, from, best.distance)) {
            continue;
        }
        for (size_t slot = block; slot < block + LANES; slot++) {
            float distance = squared_distance(seats->x[slot], seats->y[slot], seats->z[slot], from);

            if (distance <= best.distance) {
                consider(&best, distance, &seats->owners[slot]->base);
            }
        }
    }
    return best.object;
}

static void seated_each(void *state, visitor *visit, void *context)
{
    struct seated_game *game = state;
    size_t to = 0;

    for (size_t place = 0; place < game->used; place++) {
        if (game->all[place] != NULL) {
            visit(context, &game->all[place]->base);
        }
    }
    if (game->dead * 5 > game->used) {
        for (size_t from = 0; from < game->used; from++) {
            if (game->all[from] != NULL) {
                game->all[from]->place = (uint32_t)to;
                game->all[to++] = game->all[from];
            }
        }
        game->used = to;
        game->dead = 0;
    }
}

static void seated_close(void *state)
{
    struct seated_game *game = state;

    for (size_t place = 0; place < game->used; place++) {
        if (game->all[place] != NULL) {
            object_end(&game->all[place]->base);
            free(game->all[place]);
        }
    }
    free(game->all);
    for (int i = 0; i < SUBSETS; i++) {
        struct seats *seats = &game->subset[i];

        free(seats->owners);
        free(seats->hot);
        free(seats->x);
        free(seats->y);
        free(seats->z);
    }
    free(game);
}

#define FLAGGED(name, about, open) \
    {name, about, true, open, flagged_create, flagged_destroy, flagged_search, flagged_each, flagged_close}
#define SEATED(name, about, open, search) \
    {name, about, true, open, seated_create, seated_destroy, search, seated_each, seated_close}

const struct variant array_variants[] = {
    FLAGGED("flag", "arrays of pointers, a flag in the object", flagged_open_heap),
    FLAGGED("flag-pooled", "the same, objects pooled", flagged_open_pooled),
    SEATED("swap", "arrays of pointers, the last moves in", pointers_open, pointers_search),
    SEATED("inline-swap", "{x, y, z, pointer}, the last moves in", inline_open, inline_search),
    SEATED("inline-nan", "{x, y, z, pointer}, x is NaN", inline_open_burying, inline_search),
    SEATED("soa-swap", "x[] y[] z[] pointer[], the last moves in", columns_open, columns_search),
    SEATED("soa-nan", "x[] y[] z[] pointer[], x is NaN", columns_open_burying, columns_search),
    SEATED("soa-swap-16", "soa-swap, 16 at a time", columns_open, blocks_search),
    SEATED("soa-nan-16", "soa-nan, 16 at a time", columns_open_burying, blocks_search),
    {NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL},
};
