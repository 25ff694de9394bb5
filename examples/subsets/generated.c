/* The same game with generated lists: lists.yaml declares them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "variant.h"

/* An add can only fail for lack of memory. */
#define MUST(call) ((call) == 0 ? (void)0 : out_of_memory())

/* == deletable object lists ======================================================================================= */

struct deletable_game {
    deletables all, subset[SUBSETS];
    deletable_pool pool;
    bool pooled;
};

static struct deletable_game *letting_go; /* a hook gets the list alone */

void deletables_let_go(struct deletables *list, struct deletable *element)
{
    (void)list;
    if (--element->holders > 0) {
        return;
    }
    object_end(&element->base);
    if (letting_go->pooled) {
        deletable_pool_remove(&letting_go->pool, element);
    } else {
        free(element);
    }
}

static void *deletable_open_with(bool pooled)
{
    struct deletable_game *game = need(sizeof *game);

    *game = (struct deletable_game){.pooled = pooled};
    letting_go = game;
    return game;
}

static void *deletable_open(void)
{
    return deletable_open_with(false);
}

static void *deletable_open_pooled(void)
{
    return deletable_open_with(true);
}

static void deletable_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct deletable_game *game = state;
    struct deletable *object = game->pooled ? deletable_pool_emplace(&game->pool) : need(sizeof *object);

    if (object == NULL) {
        out_of_memory();
    }
    object_begin(&object->base, drawn);
    object->gone = false;
    object->holders = 1 + IN;
    MUST(deletables_add(&game->all, object));
    for (int i = 0; i < IN; i++) {
        MUST(deletables_add(&game->subset[subset[i]], object));
    }
}

static void deletable_destroy(void *state, struct object *object)
{
    (void)state;
    ((struct deletable *)object)->gone = true;
}

static struct object *deletable_search(void *state, unsigned subset, const struct object *from)
{
    struct deletable_game *game = state;
    struct nearest best = {INFINITY, NULL};

    DELETABLES_EACH(&game->subset[subset], object) {
        consider(&best, squared_distance(object->base.x, object->base.y, object->base.z, from), &object->base);
    }
    return best.object;
}

static void deletable_each(void *state, visitor *visit, void *context)
{
    struct deletable_game *game = state;

    DELETABLES_EACH(&game->all, object) {
        visit(context, &object->base);
    }
}

static void deletable_close(void *state)
{
    struct deletable_game *game = state;

    deletables_deinit(&game->all);
    for (int i = 0; i < SUBSETS; i++) {
        deletables_deinit(&game->subset[i]);
    }
    deletable_pool_deinit(&game->pool);
    free(game);
}

/* == indexed lists ================================================================================================ */

/* The kinds of subset. */
enum kind { SEATS, KEPT_SEATS, LINKED_SEATS, HOTS, KEPT_HOTS, COLUMNS };

union subset {
    seats seats;
    kept_seats kept_seats;
    linked_seats linked_seats;
    hots hots;
    kept_hots kept_hots;
    columns columns;
};

struct member_game {
    members all;
    enum kind kind;
    union subset subset[SUBSETS];
    member_pool pool;
    bool pooled;
};

void hots_moved(struct hots *list, struct hot *element)
{
    (void)list;
    element->seat->hot = element;
}

void kept_hots_moved(struct kept_hots *list, struct hot *element)
{
    (void)list;
    element->seat->hot = element;
}

void columns_moved(struct columns *list, size_t row)
{
    columns_seat(list)[row]->row = row;
}

static void *member_open(enum kind kind, bool pooled)
{
    struct member_game *game = need(sizeof *game);

    memset(game, 0, sizeof *game); /* an empty list of each kind */
    game->kind = kind;
    game->pooled = pooled;
    return game;
}

#define OPENS(name, kind, pooled)         \
    static void *name(void)               \
    {                                     \
        return member_open(kind, pooled); \
    }

OPENS(seats_open, SEATS, false)
OPENS(seats_open_pooled, SEATS, true)
OPENS(kept_seats_open, KEPT_SEATS, false)
OPENS(linked_seats_open, LINKED_SEATS, false)
OPENS(hots_open, HOTS, false)
OPENS(kept_hots_open, KEPT_HOTS, false)
OPENS(columns_open, COLUMNS, false)

/* Takes a seat in a subset. */
static void sit(struct member_game *game, struct seat *seat)
{
    union subset *subset = &game->subset[seat->subset];
    const struct object *object = &seat->owner->base;

    switch (game->kind) {
    case SEATS:
        MUST(seats_add(&subset->seats, seat));
        break;
    case KEPT_SEATS:
        MUST(kept_seats_add(&subset->kept_seats, seat));
        break;
    case LINKED_SEATS:
        MUST(linked_seats_add(&subset->linked_seats, seat));
        break;
    case HOTS:
    case KEPT_HOTS:
        seat->hot = game->kind == HOTS ? hots_emplace(&subset->hots) : kept_hots_emplace(&subset->kept_hots);
        if (seat->hot == NULL) {
            out_of_memory();
        }
        *seat->hot = (struct hot){object->x, object->y, object->z, seat};
        break;
    case COLUMNS:
        seat->row = columns_rows(&subset->columns);
        MUST(columns_add(&subset->columns, (struct column){object->x, object->y, object->z, seat}));
        break;
    }
}

static void stand_up(struct member_game *game, struct seat *seat)
{
    union subset *subset = &game->subset[seat->subset];

    switch (game->kind) {
    case SEATS:
        seats_remove(&subset->seats, seat);
        break;
    case KEPT_SEATS:
        kept_seats_remove(&subset->kept_seats, seat);
        break;
    case LINKED_SEATS:
        linked_seats_remove(&subset->linked_seats, seat);
        break;
    case HOTS:
        hots_remove(&subset->hots, seat->hot);
        break;
    case KEPT_HOTS:
        kept_hots_remove(&subset->kept_hots, seat->hot);
        break;
    case COLUMNS:
        columns_remove(&subset->columns, seat->row);
        break;
    }
}

static void member_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct member_game *game = state;
    struct member *object = game->pooled ? member_pool_emplace(&game->pool) : need(sizeof *object);

    if (object == NULL) {
        out_of_memory();
    }
    object_begin(&object->base, drawn);
    object->place = 0; /* in no list yet */
    MUST(members_add(&game->all, object));
    for (int i = 0; i < IN; i++) {
        object->seat[i] = (struct seat){.owner = object, .subset = subset[i], .hot = NULL};
        sit(game, &object->seat[i]);
    }
}

static void member_destroy(void *state, struct object *base)
{
    struct member_game *game = state;
    struct member *object = (struct member *)base;

    members_remove(&game->all, object);
    for (int i = 0; i < IN; i++) {
        stand_up(game, &object->seat[i]);
    }
    object_end(base);
    if (game->pooled) {
        member_pool_remove(&game->pool, object);
    } else {
        free(object);
    }
}

static struct object *seats_search(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    seats *list = &game->subset[subset].seats;
    struct seat **data = seats_data(list); /* nothing changes meanwhile, so the plain array is enough */
    struct nearest best = {INFINITY, NULL};

    for (size_t i = 0; i < seats_count(list); i++) {
        struct object *object = &data[i]->owner->base;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
    }
    return best.object;
}

static struct object *kept_seats_search(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    struct nearest best = {INFINITY, NULL};

    KEPT_SEATS_EACH(&game->subset[subset].kept_seats, seat) {
        struct object *object = &seat->owner->base;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
    }
    return best.object;
}

static struct object *linked_seats_search(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    struct nearest best = {INFINITY, NULL};

    LINKED_SEATS_EACH(&game->subset[subset].linked_seats, seat) {
        struct object *object = &seat->owner->base;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
    }
    return best.object;
}

static struct object *hots_search(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    hots *list = &game->subset[subset].hots;
    const struct hot *data = hots_data(list);
    struct nearest best = {INFINITY, NULL};

    for (size_t i = 0; i < hots_count(list); i++) {
        float distance = squared_distance(data[i].x, data[i].y, data[i].z, from);

        if (distance <= best.distance) {
            consider(&best, distance, &data[i].seat->owner->base);
        }
    }
    return best.object;
}

static struct object *kept_hots_search(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    struct nearest best = {INFINITY, NULL};

    KEPT_HOTS_EACH(&game->subset[subset].kept_hots, hot) {
        float distance = squared_distance(hot->x, hot->y, hot->z, from);

        if (distance <= best.distance) {
            consider(&best, distance, &hot->seat->owner->base);
        }
    }
    return best.object;
}

static struct object *columns_search(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    columns *list = &game->subset[subset].columns;
    const float *x = columns_x(list), *y = columns_y(list), *z = columns_z(list);
    struct nearest best = {INFINITY, NULL};

    for (size_t row = 0, rows = columns_rows(list); row < rows; row++) {
        float distance = squared_distance(x[row], y[row], z[row], from);

        if (distance <= best.distance) {
            consider(&best, distance, &columns_seat(list)[row]->owner->base);
        }
    }
    return best.object;
}

/* Tests whether any of 16 rows is as near; compilers vectorise this loop. */
static struct object *columns_search_by_16(void *state, unsigned subset, const struct object *from)
{
    struct member_game *game = state;
    columns *list = &game->subset[subset].columns;
    const float *x = columns_x(list), *y = columns_y(list), *z = columns_z(list);
    struct nearest best = {INFINITY, NULL};
    size_t rows = columns_rows(list);

    for (size_t row = 0; row < rows; row++) {
        float distance;

        if (row % LANES == 0 && rows - row >= LANES && !any_as_near(x + row, y + row, z + row, from, best.distance)) {
            row += LANES - 1;
            continue;
        }
        distance = squared_distance(x[row], y[row], z[row], from);
        if (distance <= best.distance) {
            consider(&best, distance, &columns_seat(list)[row]->owner->base);
        }
    }
    return best.object;
}

static void member_each(void *state, visitor *visit, void *context)
{
    struct member_game *game = state;

    MEMBERS_EACH(&game->all, object) {
        visit(context, &object->base);
    }
}

static void member_close(void *state)
{
    struct member_game *game = state;

    MEMBERS_EACH(&game->all, object) {
        member_destroy(game, &object->base);
    }
    members_deinit(&game->all);
    for (int i = 0; i < SUBSETS; i++) {
        union subset *subset = &game->subset[i];

        switch (game->kind) {
        case SEATS:
            seats_deinit(&subset->seats);
            break;
        case KEPT_SEATS:
            kept_seats_deinit(&subset->kept_seats);
            break;
        case LINKED_SEATS:
            linked_seats_deinit(&subset->linked_seats);
            break;
        case HOTS:
            hots_deinit(&subset->hots);
            break;
        case KEPT_HOTS:
            kept_hots_deinit(&subset->kept_hots);
            break;
        case COLUMNS:
            columns_deinit(&subset->columns);
            break;
        }
    }
    member_pool_deinit(&game->pool);
    free(game);
}

/* == links in the objects ========================================================================================= */

struct chained_game {
    chains all;
    knots subset[SUBSETS];
    chained_pool pool;
    bool pooled;
};

static void *chained_open_with(bool pooled)
{
    struct chained_game *game = need(sizeof *game);

    *game = (struct chained_game){.pooled = pooled};
    return game;
}

static void *chained_open(void)
{
    return chained_open_with(false);
}

static void *chained_open_pooled(void)
{
    return chained_open_with(true);
}

static void chained_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct chained_game *game = state;
    struct chained *object = game->pooled ? chained_pool_emplace(&game->pool) : need(sizeof *object);

    if (object == NULL) {
        out_of_memory();
    }
    *object = (struct chained){.next = NULL}; /* in no list yet */
    object_begin(&object->base, drawn);
    MUST(chains_add(&game->all, object));
    for (int i = 0; i < IN; i++) {
        object->knot[i].owner = object;
        MUST(knots_add(&game->subset[subset[i]], &object->knot[i]));
    }
}

static void chained_destroy(void *state, struct object *base)
{
    struct chained_game *game = state;
    struct chained *object = (struct chained *)base;

    chains_remove(&game->all, object);
    for (int i = 0; i < IN; i++) {
        knots_remove(object->knot[i].subset, &object->knot[i]); /* it contains its list */
    }
    object_end(base);
    if (game->pooled) {
        chained_pool_remove(&game->pool, object);
    } else {
        free(object);
    }
}

static struct object *chained_search(void *state, unsigned subset, const struct object *from)
{
    struct chained_game *game = state;
    struct nearest best = {INFINITY, NULL};

    KNOTS_EACH(&game->subset[subset], knot) {
        struct object *object = &knot->owner->base;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
    }
    return best.object;
}

static void chained_each(void *state, visitor *visit, void *context)
{
    struct chained_game *game = state;

    CHAINS_EACH(&game->all, object) {
        visit(context, &object->base);
    }
}

static void chained_close(void *state)
{
    struct chained_game *game = state;

    CHAINS_EACH(&game->all, object) {
        chained_destroy(game, &object->base);
    }
    chains_deinit(&game->all);
    for (int i = 0; i < SUBSETS; i++) {
        knots_deinit(&game->subset[i]);
    }
    chained_pool_deinit(&game->pool);
    free(game);
}

/* ================================================================================================================= */

#define CHAINED(name, about, open) \
    {name, about, false, open, chained_create, chained_destroy, chained_search, chained_each, chained_close}
#define DELETABLE(name, about, open) \
    {name, about, false, open, deletable_create, deletable_destroy, deletable_search, deletable_each, deletable_close}
#define MEMBER(name, about, open, search) \
    {name, about, false, open, member_create, member_destroy, search, member_each, member_close}

const struct variant generated_variants[] = {
    MEMBER("linked-seats", "unlink, pointers, intrusive index", linked_seats_open, linked_seats_search),
    CHAINED("knots", "unlink, links in the objects", chained_open),
    CHAINED("knots-pooled", "the same, objects in chunks", chained_open_pooled),
    DELETABLE("deletables", "deletable object lists", deletable_open),
    DELETABLE("deletables-pooled", "the same, objects in chunks", deletable_open_pooled),
    MEMBER("kept-seats", "tombstone, pointers, intrusive index", kept_seats_open, kept_seats_search),
    MEMBER("seats", "swap, pointers, intrusive index", seats_open, seats_search),
    MEMBER("seats-pooled", "the same, objects in chunks", seats_open_pooled, seats_search),
    MEMBER("kept-hots", "tombstone, values, move hook", kept_hots_open, kept_hots_search),
    MEMBER("hots", "swap, values, move hook", hots_open, hots_search),
    MEMBER("columns", "swap, x[] y[] z[] seat[], move hook", columns_open, columns_search),
    MEMBER("columns-16", "the same, 16 at a time", columns_open, columns_search_by_16),
    {NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL},
};
