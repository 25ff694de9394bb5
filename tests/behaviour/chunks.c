/* Containers of many chunks: nothing moves while they grow and shrink, and addresses are told from foreign ones. */
#include "chunks.h"
#include "../regression/check.h"

#define MANY 5000

static uint32_t *at[MANY];

/* The addresses of all that is in stay the same, whatever comes and goes. */
static void row_addresses_stay(void)
{
    numbers list = {0};
    uint32_t foreign = 7;
    size_t alive = MANY;
    size_t seen = 0;

    CHECK(!numbers_contains(&list, &foreign) && !numbers_contains(&list, NULL));
    for (uint32_t i = 0; i < MANY; i++) {
        at[i] = numbers_emplace(&list);
        if (!CHECK(at[i] != NULL)) {
            return;
        }
        *at[i] = i;
    }
    CHECK(numbers_check(&list) == NULL && numbers_count(&list) == MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(*at[i] == i && numbers_contains(&list, at[i]));
        CHECK(!numbers_contains(&list, (uint32_t *)(void *)((char *)at[i] + 1)));
    }
    for (uint32_t i = 0; i < MANY; i += i % 3 + 1) {
        CHECK(numbers_remove(&list, at[i]) == NUMBERS_OK);
        CHECK(numbers_remove(&list, at[i]) == NUMBERS_ABSENT);
        at[i] = NULL;
        alive--;
    }
    CHECK(numbers_remove(&list, &foreign) == NUMBERS_ABSENT);
    CHECK(numbers_shrink_to_fit(&list) == NUMBERS_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(at[i] == NULL || (*at[i] == i && numbers_contains(&list, at[i])));
    }
    for (size_t number = 0; number < numbers_chunk_count(&list); number++) {
        const uint64_t *bits;
        uint32_t *items = numbers_chunk(&list, number, &bits);

        for (size_t lane = 0; lane < NUMBERS_CHUNK; lane++) {
            if ((bits[lane / 64] >> lane % 64 & 1) != 0) {
                CHECK(at[items[lane]] == &items[lane]);
                seen++;
            }
        }
    }
    CHECK(seen == alive && numbers_count(&list) == alive && numbers_check(&list) == NULL);
    numbers_deinit(&list);
}

/* An address of the memory around the chunks, or of another container, is nobody's. */
static void row_foreign_addresses(void)
{
    numbers list = {0};
    numbers other = {0};
    uint32_t *mine[300];
    uint32_t *theirs[300];

    for (uint32_t i = 0; i < 300; i++) { /* turn about, so that their chunks lie between each other */
        mine[i] = numbers_emplace(&list);
        theirs[i] = numbers_emplace(&other);
        if (!CHECK(mine[i] != NULL && theirs[i] != NULL)) {
            return;
        }
        *mine[i] = *theirs[i] = i;
    }
    for (uint32_t i = 0; i < 300; i++) {
        CHECK(numbers_contains(&list, mine[i]) && !numbers_contains(&list, theirs[i]));
        CHECK(numbers_contains(&other, theirs[i]) && !numbers_contains(&other, mine[i]));
        CHECK(numbers_remove(&list, theirs[i]) == NUMBERS_ABSENT);
    }
    CHECK(!numbers_contains(&list, (uint32_t *)list.block) && !numbers_contains(&list, (uint32_t *)(void *)&list));
    for (size_t number = 0; number < numbers_chunk_count(&list); number++) {
        const uint64_t *bits;
        uint32_t *items = numbers_chunk(&list, number, &bits);

        CHECK(!numbers_contains(&list, items + NUMBERS_CHUNK)); /* one behind the last of a chunk */
    }
    numbers_deinit(&list);
    numbers_deinit(&other);
}

/* What is free behind the last element is given back, and comes again when it is needed. */
static void row_trailing_chunks_go(void)
{
    numbers list = {0};
    size_t most;

    for (uint32_t i = 0; i < MANY; i++) {
        at[i] = numbers_emplace(&list);
        if (!CHECK(at[i] != NULL)) {
            return;
        }
    }
    most = numbers_capacity(&list);
    for (uint32_t i = 100; i < MANY; i++) {
        CHECK(numbers_remove(&list, at[i]) == NUMBERS_OK);
    }
    CHECK(numbers_capacity(&list) == most);
    CHECK(numbers_shrink_to_fit(&list) == NUMBERS_OK);
    CHECK(numbers_capacity(&list) == 128 && numbers_chunk_count(&list) == 2);
    CHECK(numbers_contains(&list, at[99]) && numbers_check(&list) == NULL);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK(numbers_add(&list, i) == NUMBERS_OK);
    }
    CHECK(numbers_count(&list) == 1100 && numbers_check(&list) == NULL);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(numbers_contains(&list, at[i]));
    }
    numbers_clear(&list);
    CHECK(numbers_shrink_to_fit(&list) == NUMBERS_OK && numbers_capacity(&list) == 0);
    numbers_deinit(&list);
}

/* A pass over what once filled more chunks finds no traces of an earlier pass in them. */
static void row_passes_after_shrinking(void)
{
    numbers list = {0};
    uint32_t visited = 0;

    for (uint32_t i = 0; i < 1000; i++) {
        at[i] = numbers_emplace(&list);
        if (!CHECK(at[i] != NULL)) {
            return;
        }
    }
    NUMBERS_EACH(&list, element) { break; } /* what it has not visited stays noted */
    for (uint32_t i = 10; i < 1000; i++) {
        CHECK(numbers_remove(&list, at[i]) == NUMBERS_OK);
    }
    CHECK(numbers_settle(&list) == NUMBERS_OK && numbers_capacity(&list) == 1024); /* not less than `capacity.initial` */
    NUMBERS_EACH(&list, element)
    {
        if (visited++ < 800) {
            CHECK(numbers_add(&list, visited) == NUMBERS_OK);
        }
    }
    CHECK(visited == 810 && numbers_check(&list) == NULL);
    numbers_deinit(&list);
}

/* Swap-removal over many chunks: dense, and growing moves nothing. */
static void row_swap_over_chunks(void)
{
    pebbles list = {0};
    struct thing thing = {0};
    size_t seen = 0;
    size_t count;

    for (uint32_t i = 0; i < MANY; i++) {
        thing.id = i + 1;
        CHECK(pebbles_add(&list, thing) == PEBBLES_OK);
    }
    PEBBLES_EACH(&list, element)
    {
        if (element->id % 3 == 0) {
            CHECK(pebbles_remove(&list, element) == PEBBLES_OK);
        }
    }
    CHECK(pebbles_count(&list) == MANY - MANY / 3 && pebbles_check(&list) == NULL);
    for (size_t number = 0; number < pebbles_chunk_count(&list); number++) {
        struct thing *items = pebbles_chunk(&list, number, &count);

        for (size_t lane = 0; lane < count; lane++, seen++) {
            CHECK(items[lane].id % 3 != 0 && pebbles_get(&list, seen) == &items[lane]);
        }
    }
    CHECK(seen == pebbles_count(&list) && pebbles_chunk(&list, pebbles_chunk_count(&list), &count) == NULL && count == 0);
    CHECK(pebbles_shrink_to_fit(&list) == PEBBLES_OK && pebbles_capacity(&list) == (seen + 63) / 64 * 64);
    pebbles_deinit(&list);
}

/* Links in chunks: an order that any insertion keeps, and every element where it was added. */
static void row_links_stay(void)
{
    beads list = {0};
    uint32_t *before;
    uint32_t expected = MANY;
    size_t most;

    for (uint32_t i = 0; i < MANY; i++) {
        at[i] = beads_emplace(&list);
        if (!CHECK(at[i] != NULL)) {
            return;
        }
        *at[i] = i;
    }
    CHECK(beads_check(&list) == NULL && beads_count(&list) == MANY);
    BEADS_EACH(&list, element)
    {
        CHECK(element == at[*element]);
        if (*element % 2 == 1) {
            CHECK(beads_remove_current(&element_cursor) == BEADS_OK);
        } else if (*element == MANY - 2) {
            CHECK(beads_insert_before(&list, element, MANY) == BEADS_OK); /* in a slot that is free again */
        }
    }
    before = beads_previous_of(&list, at[MANY - 2]);
    CHECK(before != NULL && *before == MANY && before == at[1] && beads_remove(&list, before) == BEADS_OK);
    for (uint32_t *element = beads_last(&list); element != NULL; element = beads_previous_of(&list, element)) {
        expected -= 2;
        CHECK(*element == expected && element == at[expected]);
    }
    CHECK(expected == 0 && beads_count(&list) == MANY / 2 && beads_check(&list) == NULL);
    most = beads_capacity(&list);
    for (uint32_t i = 200; i < MANY; i += 2) {
        CHECK(beads_remove(&list, at[i]) == BEADS_OK);
    }
    CHECK(beads_capacity(&list) == most && beads_shrink_to_fit(&list) == BEADS_OK && beads_capacity(&list) == 256);
    CHECK(beads_reserve(&list, MANY) == BEADS_OK && beads_capacity(&list) >= MANY);
    for (uint32_t i = 0; i < 200; i += 2) {
        CHECK(*at[i] == i && beads_contains(&list, at[i]));
    }
    beads_deinit(&list);
}

int main(void)
{
    row_addresses_stay();
    row_foreign_addresses();
    row_trailing_chunks_go();
    row_passes_after_shrinking();
    row_swap_over_chunks();
    row_links_stay();
    return checks_result();
}
