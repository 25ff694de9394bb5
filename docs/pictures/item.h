/* The elements of structures.yaml. */
#ifndef ITEM_H
#define ITEM_H

#include <stdbool.h>
#include <stdint.h>

struct scene_tree;

struct item {
    uint32_t id; /* its letter */
    int depth;   /* what it is sorted by */
    bool gone;
    uint32_t slot;
    struct item *next, *prev, *parent, *sibling, *left, *right;
    uint64_t turn;
    void *list; /* the container that it is in, of those with links in their elements */
    struct scene_tree *tree;
};

#endif
