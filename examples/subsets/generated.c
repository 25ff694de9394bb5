/* The same game with generated lists: lists.yaml says what each must do. */
#include <math.h>
#include <stdlib.h>

#include "lists.h"
#include "variant.h"

/* An add can fail in one way only here. */
#define MUST(call) ((call) == 0 ? (void)0 : out_of_memory())

/* == deletable object lists ======================================================================================= */

struct deletable_game {
    deletables all, subset[SUBSETS];
    deletable_pool pool;
    bool pooled;
};

static struct deletable_game *letting_go; /* a hook is told the list alone */

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

/* == seats: pointers, and each knows its slot ===================================================================== */

struct member_game {
    members all;
    seats subset[SUBSETS];           /* either these */
    kept_seats kept_subset[SUBSETS]; /* or these */
    member_pool pool;
    bool keeps, pooled;
};

static void *member_open_with(bool keeps, bool pooled)
{
    struct member_game *game = need(sizeof *game);

    *game = (struct member_game){.keeps = keeps, .pooled = pooled};
    return game;
}

static void *member_open(void)
{
    return member_open_with(false, false);
}

static void *member_open_pooled(void)
{
    return member_open_with(false, true);
}

static void *member_open_keeping(void)
{
    return member_open_with(true, false);
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
        object->seat[i] = (struct seat){object, subset[i], 0};
        if (game->keeps) {
            MUST(kept_seats_add(&game->kept_subset[subset[i]], &object->seat[i]));
        } else {
            MUST(seats_add(&game->subset[subset[i]], &object->seat[i]));
        }
    }
}

static void member_destroy(void *state, struct object *base)
{
    struct member_game *game = state;
    struct member *object = (struct member *)base;

    members_remove(&game->all, object);
    for (int i = 0; i < IN; i++) {
        struct seat *seat = &object->seat[i];

        if (game->keeps) {
            kept_seats_remove(&game->kept_subset[seat->subset], seat);
        } else {
            seats_remove(&game->subset[seat->subset], seat);
        }
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
    seats *list = &game->subset[subset];
    struct seat **data = seats_data(list); /* nothing changes meanwhile, so the plain array will do */
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

    KEPT_SEATS_EACH(&game->kept_subset[subset], seat) {
        struct object *object = &seat->owner->base;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
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
        seats_deinit(&game->subset[i]);
        kept_seats_deinit(&game->kept_subset[i]);
    }
    member_pool_deinit(&game->pool);
    free(game);
}

/* == values: what a search reads lies in the list ================================================================= */

struct holder_game {
    holders all;
    hots subset[SUBSETS];           /* either these */
    kept_hots kept_subset[SUBSETS]; /* or these */
    bool keeps;
};

void hots_moved(struct hots *list, struct hot *element)
{
    (void)list;
    element->owner->hot[element->number] = element;
}

void kept_hots_moved(struct kept_hots *list, struct hot *element)
{
    (void)list;
    element->owner->hot[element->number] = element;
}

static void *holder_open_with(bool keeps)
{
    struct holder_game *game = need(sizeof *game);

    *game = (struct holder_game){.keeps = keeps};
    return game;
}

static void *holder_open(void)
{
    return holder_open_with(false);
}

static void *holder_open_keeping(void)
{
    return holder_open_with(true);
}

static void holder_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct holder_game *game = state;
    struct holder *object = need(sizeof *object);

    object_begin(&object->base, drawn);
    object->place = 0; /* in no list yet */
    MUST(holders_add(&game->all, object));
    for (uint32_t i = 0; i < IN; i++) {
        struct hot *hot = game->keeps ? kept_hots_emplace(&game->kept_subset[subset[i]])
                                      : hots_emplace(&game->subset[subset[i]]);

        if (hot == NULL) {
            out_of_memory();
        }
        *hot = (struct hot){drawn->x, drawn->y, drawn->z, i, object};
        object->subset[i] = subset[i];
        object->hot[i] = hot;
    }
}

static void holder_destroy(void *state, struct object *base)
{
    struct holder_game *game = state;
    struct holder *object = (struct holder *)base;

    holders_remove(&game->all, object);
    for (int i = 0; i < IN; i++) {
        if (game->keeps) {
            kept_hots_remove(&game->kept_subset[object->subset[i]], object->hot[i]);
        } else {
            hots_remove(&game->subset[object->subset[i]], object->hot[i]);
        }
    }
    object_end(base);
    free(object);
}

static struct object *hots_search(void *state, unsigned subset, const struct object *from)
{
    struct holder_game *game = state;
    hots *list = &game->subset[subset];
    const struct hot *data = hots_data(list);
    struct nearest best = {INFINITY, NULL};

    for (size_t i = 0; i < hots_count(list); i++) {
        float distance = squared_distance(data[i].x, data[i].y, data[i].z, from);

        if (distance <= best.distance) {
            consider(&best, distance, &data[i].owner->base);
        }
    }
    return best.object;
}

static struct object *kept_hots_search(void *state, unsigned subset, const struct object *from)
{
    struct holder_game *game = state;
    struct nearest best = {INFINITY, NULL};

    KEPT_HOTS_EACH(&game->kept_subset[subset], hot) {
        float distance = squared_distance(hot->x, hot->y, hot->z, from);

        if (distance <= best.distance) {
            consider(&best, distance, &hot->owner->base);
        }
    }
    return best.object;
}

static void holder_each(void *state, visitor *visit, void *context)
{
    struct holder_game *game = state;

    HOLDERS_EACH(&game->all, object) {
        visit(context, &object->base);
    }
}

static void holder_close(void *state)
{
    struct holder_game *game = state;

    HOLDERS_EACH(&game->all, object) {
        holder_destroy(game, &object->base);
    }
    holders_deinit(&game->all);
    for (int i = 0; i < SUBSETS; i++) {
        hots_deinit(&game->subset[i]);
        kept_hots_deinit(&game->kept_subset[i]);
    }
    free(game);
}

/* ================================================================================================================= */

#define DELETABLE(name, about, open) \
    {name, about, false, open, deletable_create, deletable_destroy, deletable_search, deletable_each, deletable_close}
#define MEMBER(name, about, open, search) \
    {name, about, false, open, member_create, member_destroy, search, member_each, member_close}
#define HOLDER(name, about, open, search) \
    {name, about, false, open, holder_create, holder_destroy, search, holder_each, holder_close}

const struct variant generated_variants[] = {
    DELETABLE("deletables", "deletable object lists", deletable_open),
    DELETABLE("deletables-pooled", "the same, objects in an item pool", deletable_open_pooled),
    MEMBER("kept-seats", "tombstone, pointers, intrusive index", member_open_keeping, kept_seats_search),
    MEMBER("seats", "swap, pointers, intrusive index", member_open, seats_search),
    MEMBER("seats-pooled", "the same, objects in an item pool", member_open_pooled, seats_search),
    HOLDER("kept-hots", "tombstone, values, move hook", holder_open_keeping, kept_hots_search),
    HOLDER("hots", "swap, values, move hook", holder_open, hots_search),
    {NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL},
};
