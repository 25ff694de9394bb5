/* The interface of a variant. The workload calls nothing else. */
#ifndef SUBSETS_VARIANT_H
#define SUBSETS_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include "object.h"

#define SUBSETS 10
#define IN 2 /* subsets that an object is in; they may be the same one */

typedef void visitor(void *context, struct object *object);

struct variant {
    const char *name;
    const char *about;
    bool by_hand;

    void *(*open)(void);
    /* Creates an object from random values, last in the main list and last in each of its subsets. */
    void (*create)(void *game, const struct object *drawn, const unsigned subset[IN]);
    /* Removes it from every list, for all live passes. */
    void (*destroy)(void *game, struct object *object);
    /* Returns the nearest object of a subset, which may be `from` itself; NULL if there is none. */
    struct object *(*search)(void *game, unsigned subset, const struct object *from);
    /* One pass over the main list, in insertion order. It visits objects created during the pass, and no destroyed
     * ones. */
    void (*each)(void *game, visitor *visit, void *context);
    /* Destroys the remaining objects. */
    void (*close)(void *game);
};

extern const struct variant linked_variants[], array_variants[], generated_variants[]; /* the last has no name */

/* Allocates, or prints an error and exits. */
void *need(size_t bytes);
void *need_more(void *block, size_t bytes);
void out_of_memory(void);

/* Fills in the common part of an object, with a payload of its own. */
void object_begin(struct object *object, const struct object *drawn);
void object_end(struct object *object);

/* Objects of one size, from the heap one by one, or from slabs. */
struct pool {
    size_t size; /* of an object */
    bool slabs;
    void *freed;
    void *first_slab;
};

void *pool_take(struct pool *pool);
void pool_give(struct pool *pool, void *object);
void pool_end(struct pool *pool); /* frees the slabs */

#endif
