/* Hand-written linked lists: a node for each list an object is in. The object points at its nodes, so a removal takes
 * no search. Nodes are allocated, or are members of the object. */
#include <math.h>
#include <stdlib.h>

#include "variant.h"

#define LISTS (1 + IN) /* the main list, and its subsets */

struct node {
    struct node *next, *previous;
    struct object *owner;
};

struct linked {
    struct object base;
    struct node *node[LISTS];
};

struct intrusive {
    struct object base;
    struct node node[LISTS];
};

struct game {
    struct node all, subset[SUBSETS]; /* rings, with these as their ends */
    struct node *current;             /* the current node of the pass over `all` */
    struct pool objects, nodes;
    bool intrusive;
};

static void ring_begin(struct node *ring)
{
    ring->next = ring->previous = ring;
}

static void append(struct node *ring, struct node *node, struct object *owner)
{
    node->owner = owner;
    node->next = ring;
    node->previous = ring->previous;
    ring->previous->next = node;
    ring->previous = node;
}

static void unlink_node(struct node *node)
{
    node->previous->next = node->next;
    node->next->previous = node->previous;
}

static void *linked_open(bool slabs, bool intrusive)
{
    struct game *game = need(sizeof *game);

    *game = (struct game){.intrusive = intrusive};
    game->objects.size = intrusive ? sizeof(struct intrusive) : sizeof(struct linked);
    game->nodes.size = sizeof(struct node);
    game->objects.slabs = game->nodes.slabs = slabs;
    ring_begin(&game->all);
    for (int i = 0; i < SUBSETS; i++) {
        ring_begin(&game->subset[i]);
    }
    return game;
}

static void *open_nodes(void)
{
    return linked_open(false, false);
}

static void *open_pooled_nodes(void)
{
    return linked_open(true, false);
}

static void *open_intrusive(void)
{
    return linked_open(false, true);
}

static void *open_pooled_intrusive(void)
{
    return linked_open(true, true);
}

static struct node *node_of(const struct game *game, struct object *object, int list)
{
    return game->intrusive ? &((struct intrusive *)object)->node[list] : ((struct linked *)object)->node[list];
}

static void linked_create(void *state, const struct object *drawn, const unsigned subset[IN])
{
    struct game *game = state;
    struct object *object = pool_take(&game->objects);

    object_begin(object, drawn);
    for (int i = 0; i < LISTS; i++) {
        if (!game->intrusive) {
            ((struct linked *)object)->node[i] = pool_take(&game->nodes);
        }
        append(i == 0 ? &game->all : &game->subset[subset[i - 1]], node_of(game, object, i), object);
    }
}

static void linked_destroy(void *state, struct object *object)
{
    struct game *game = state;

    if (game->current == node_of(game, object, 0)) {
        game->current = game->current->previous; /* the pass continues after the removed node */
    }
    for (int i = 0; i < LISTS; i++) {
        struct node *node = node_of(game, object, i);

        unlink_node(node);
        if (!game->intrusive) {
            pool_give(&game->nodes, node);
        }
    }
    object_end(object);
    pool_give(&game->objects, object);
}

static struct object *linked_search(void *state, unsigned subset, const struct object *from)
{
    struct game *game = state;
    struct node *ring = &game->subset[subset];
    struct nearest best = {INFINITY, NULL};

    for (struct node *node = ring->next; node != ring; node = node->next) {
        struct object *object = node->owner;

        consider(&best, squared_distance(object->x, object->y, object->z, from), object);
    }
    return best.object;
}

static void linked_each(void *state, visitor *visit, void *context)
{
    struct game *game = state;

    game->current = &game->all;
    while (game->current->next != &game->all) {
        game->current = game->current->next;
        visit(context, game->current->owner);
    }
    game->current = NULL;
}

static void linked_close(void *state)
{
    struct game *game = state;

    while (game->all.next != &game->all) {
        linked_destroy(game, game->all.next->owner);
    }
    pool_end(&game->nodes);
    pool_end(&game->objects);
    free(game);
}

#define LINKED(name, about, open) \
    {name, about, true, open, linked_create, linked_destroy, linked_search, linked_each, linked_close}

const struct variant linked_variants[] = {
    LINKED("linked", "linked lists, nodes from the heap", open_nodes),
    LINKED("linked-pooled", "the same, objects and nodes pooled", open_pooled_nodes),
    LINKED("intrusive", "linked lists, nodes in the objects", open_intrusive),
    LINKED("intrusive-pooled", "the same, objects pooled", open_pooled_intrusive),
    {NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL},
};
