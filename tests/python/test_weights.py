"""What generated tests do not reach of weights: an element that replaces a lighter one, a change that is not reported, sums at the end of what a
number can hold, a loop during which elements make way."""

import os
import subprocess

from conftest import ROOT

SPEC = """
bespoke: 1
defaults: {element: {type: struct page, header: page.h}, duplicates: replace, identity: {key: element->name}}
containers:
  pages: {capacity: {weight: element->bytes, max: 100, when_full: overwrite, keep: element->pinned}}
  strict: {removal: shift, capacity: {weight: element->bytes, max: 100}}
  posted: {ordering: unordered, removal: swap, duplicates: allow, capacity: {weight: element->bytes, max: 10}, threads: {inbox: 4}}
  vast: {duplicates: allow, index: none, capacity: {weight: element->bytes, max: 2147483647}}
  decks: {duplicates: allow, index: none, layers: {names: [upper, lower], ordering: unordered, handles: shared}, handles: generational, capacity: {weight: element->bytes, max: 100}}
  knots: {element: {type: struct knot, header: page.h, link: {next: next, prev: prev, owner: owner}}, duplicates: reject, identity: address, capacity: {weight: element->bytes, max: 100}}
"""
HEADER = """
#ifndef PAGE_H
#define PAGE_H
#include <stdbool.h>
#include <stdint.h>
struct page { int name; uint64_t bytes; bool pinned; };
struct knot { uint64_t bytes; struct knot *next, *prev; void *owner; };
#endif
"""
PROGRAM = """
#include "cache.h"
#include <stdio.h>
#include <string.h>
#define EXPECT(what) ((what) ? (void)0 : (void)(printf("line %d: %s\\n", __LINE__, #what), failed = 1))

int main(void)
{
    int failed = 0, visited = 0;
    pages cache = {0};
    strict list = {0};
    vast all = {0};
    posted post; /* what other threads add */
    knots tied = {0}, none = {0};
    struct knot heavy = {60, NULL, NULL, NULL}, light = {0, NULL, NULL, NULL};

    decks both = {0};
    decks_layer_handle one = {0};

    EXPECT(decks_add_handle(&both, DECKS_UPPER, (struct page){1, 60, false}, &one) == DECKS_OK);
    EXPECT(decks_add(&both, DECKS_UPPER, (struct page){2, 50, false}) == DECKS_FULL);
    EXPECT(decks_add(&both, DECKS_LOWER, (struct page){2, 50, false}) == DECKS_OK); /* each layer has the limit */
    EXPECT(decks_move(&both, one, DECKS_LOWER) == DECKS_FULL && decks_layer_of(&both, one) == DECKS_UPPER);
    decks_get(&both, one)->bytes = 40;
    EXPECT(decks_layer_reweigh(decks_layer_at(&both, DECKS_UPPER), one, 60) == DECKS_LAYER_OK);
    EXPECT(decks_move(&both, one, DECKS_LOWER) == DECKS_OK && decks_layer_of(&both, one) == DECKS_LOWER);
    EXPECT(decks_layer_weight(decks_layer_at(&both, DECKS_UPPER)) == 0 && decks_layer_weight(decks_layer_at(&both, DECKS_LOWER)) == 90);
    EXPECT(decks_check(&both) == NULL && decks_count(&both) == 2);
    decks_deinit(&both);
    posted_init(&post);
    EXPECT(posted_inbox_add(&post, (struct page){1, 8, false}) == POSTED_QUEUED && posted_settle(&post) == POSTED_OK);
    EXPECT(posted_inbox_add(&post, (struct page){2, 5, false}) == POSTED_QUEUED && posted_weight(&post) == 8);
    EXPECT(posted_inbox_add(&post, (struct page){3, 11, false}) == POSTED_QUEUED);
    EXPECT(posted_inbox_add(&post, (struct page){4, 1, false}) == POSTED_QUEUED);
    EXPECT(posted_settle(&post) == POSTED_OK && posted_weight(&post) == 8); /* 2 is too heavy now, and 3 and 4 are behind it */
    posted_clear(&post);
    EXPECT(posted_settle(&post) == POSTED_OK);
    EXPECT(posted_weight(&post) == 6 && posted_count(&post) == 2); /* 3 is too heavy alone */
    posted_deinit(&post);
    EXPECT(pages_add(&cache, (struct page){1, 40, false}) == PAGES_OK);
    EXPECT(pages_add(&cache, (struct page){2, 40, false}) == PAGES_OK);
    EXPECT(pages_add(&cache, (struct page){2, 60, false}) == PAGES_REPLACED); /* 40 of it count no more */
    EXPECT(pages_weight(&cache) == 100 && pages_count(&cache) == 2);
    EXPECT(pages_add(&cache, (struct page){2, 70, false}) == PAGES_REPLACED); /* 1 makes way */
    EXPECT(pages_weight(&cache) == 70 && pages_count(&cache) == 1);
    EXPECT(pages_add(&cache, (struct page){3, 30, true}) == PAGES_OK);
    EXPECT(pages_add(&cache, (struct page){4, 71, false}) == PAGES_FULL);
    EXPECT(pages_add(&cache, (struct page){4, UINT64_MAX, false}) == PAGES_FULL);
    EXPECT(pages_weight(&cache) == 100 && pages_count(&cache) == 2);
    PAGES_EACH(&cache, page) { /* what is visited makes way */
        visited += page->name;
        if (page->name == 2) {
            EXPECT(pages_add(&cache, (struct page){5, 50, false}) == PAGES_OK);
        }
    }
    EXPECT(visited == 2 + 3 + 5 && pages_weight(&cache) == 80);
    pages_find(&cache, 3)->bytes = 60;
    EXPECT(strcmp(pages_check(&cache), "the sum of the weights is wrong, or a weight has changed without pages_reweigh") == 0);
    EXPECT(pages_reweigh(&cache, &(struct page){3, 0, false}, 30) == PAGES_OK); /* 5 makes way */
    EXPECT(pages_weight(&cache) == 60 && pages_count(&cache) == 1 && pages_check(&cache) == NULL);
    pages_find(&cache, 3)->bytes = 160;
    EXPECT(pages_reweigh(&cache, &(struct page){3, 0, false}, 60) == PAGES_FULL); /* it is kept */
    EXPECT(pages_add(&cache, (struct page){6, 0, false}) == PAGES_FULL);
    EXPECT(pages_add(&cache, (struct page){3, 10, false}) == PAGES_REPLACED); /* it is lighter */
    EXPECT(pages_reweigh(&cache, &(struct page){7, 0, false}, 0) == PAGES_ABSENT);
    pages_clear(&cache);
    EXPECT(pages_weight(&cache) == 0);

    EXPECT(pages_add(&cache, (struct page){1, 5, false}) == PAGES_OK);
    EXPECT(pages_add(&cache, (struct page){2, 10, false}) == PAGES_OK);
    EXPECT(pages_add(&cache, (struct page){3, 85, false}) == PAGES_OK);
    EXPECT(pages_add(&cache, (struct page){3, 90, false}) == PAGES_REPLACED); /* 1 is enough: what it replaces weighs no more */
    EXPECT(pages_weight(&cache) == 100 && pages_count(&cache) == 2 && pages_find(&cache, 1) == NULL);
    EXPECT(pages_add(&cache, (struct page){2, 100, true}) == PAGES_REPLACED); /* 3 makes way, though 2 is older */
    EXPECT(pages_weight(&cache) == 100 && pages_count(&cache) == 1);
    EXPECT(pages_add(&cache, (struct page){2, 101, false}) == PAGES_FULL && pages_weight(&cache) == 100);
    pages_clear(&cache);

    EXPECT(knots_add(&tied, &heavy) == KNOTS_OK);
    heavy.bytes = 101;
    EXPECT(knots_reweigh(&tied, &heavy, 60) == KNOTS_FULL);
    EXPECT(knots_add_from(&tied, &none, NULL) == KNOTS_OK); /* nothing is not too heavy */
    EXPECT(knots_add(&none, &light) == KNOTS_OK && knots_add_from(&tied, &none, NULL) == KNOTS_FULL && knots_count(&none) == 1);
    knots_deinit(&tied);
    knots_deinit(&none);

    EXPECT(strict_add(&list, (struct page){1, 40, false}) == STRICT_OK);
    EXPECT(strict_add(&list, (struct page){2, 60, false}) == STRICT_OK);
    EXPECT(strict_add(&list, (struct page){1, 41, false}) == STRICT_FULL);
    EXPECT(strict_replace_at(&list, 0, (struct page){1, 41, false}) == STRICT_FULL);
    EXPECT(strict_replace_at(&list, 0, (struct page){1, 39, false}) == STRICT_OK);
    EXPECT(strict_remove_range(&list, 0, 2) == STRICT_OK && strict_weight(&list) == 0);

    for (int i = 0; i < 3; i++) {
        EXPECT(vast_add(&all, (struct page){i, 715827882, false}) == VAST_OK);
    }
    EXPECT(vast_add(&all, (struct page){3, 2, false}) == VAST_FULL);
    EXPECT(vast_add(&all, (struct page){3, 1, false}) == VAST_OK && vast_weight(&all) == VAST_MAX);
    pages_deinit(&cache);
    strict_deinit(&list);
    vast_deinit(&all);
    return failed;
}
"""


def test_what_makes_way(tmp_path):
    for name, text in (("cache.yaml", SPEC), ("page.h", HEADER), ("main.c", PROGRAM)):
        (tmp_path / name).write_text(text)
    subprocess.run([os.path.join(ROOT, "bespoke"), "generate", "-q", "cache.yaml", "--no-format", "-o", "."], cwd=str(tmp_path), check=True)
    for flags in (["-std=c99"], ["-std=c11", "-DBESPOKE_CHECKS=1", "-DBESPOKE_CHAOS=2", "-fsanitize=address,undefined"]):
        subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", *flags, "-I.", "main.c", "cache.c", "-o", "cache"], cwd=str(tmp_path), check=True)
        ran = subprocess.run(["./cache"], cwd=str(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        assert ran.returncode == 0, ran.stdout
