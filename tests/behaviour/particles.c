/* Columns as loops see them: typed, aligned, one for each member; rows, lanes and words of occupancy; and nothing of
 * them has changed where there was no memory to grow. */
#include "particles.h"
#include "things.h"
#include "../regression/check.h"
#include <stdlib.h>
#include <string.h>

#define MANY 3000

/* -- memory at multiples of 64 bytes, which is counted and can run out --------------------------------------------- */

typedef struct arena {
    size_t held;     /* bytes that are given out */
    size_t requests; /* allocations that were asked for */
    size_t refuse;   /* all from this one on fail; 0: none */
} arena;

void *arena_alloc(void *context, size_t bytes)
{
    arena *from = context;
    unsigned char *whole;
    unsigned char *block;

    from->requests++;
    if (from->refuse != 0 && from->requests >= from->refuse) {
        return NULL;
    }
    whole = malloc(bytes + 128);
    if (whole == NULL) {
        return NULL;
    }
    block = whole + 128 - (uintptr_t)whole % 64;
    memcpy(block - sizeof whole, &whole, sizeof whole);
    memset(block, 0xA5, bytes);
    from->held += bytes;
    return block;
}

void arena_free(void *context, void *block, size_t bytes)
{
    arena *from = context;
    unsigned char *whole;

    if (block != NULL) {
        memcpy(&whole, (unsigned char *)block - sizeof whole, sizeof whole);
        from->held -= bytes;
        free(whole);
    }
}

void *arena_realloc(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    void *moved = arena_alloc(context, new_bytes);

    if (moved != NULL && block != NULL) {
        memcpy(moved, block, old_bytes < new_bytes ? old_bytes : new_bytes);
        arena_free(context, block, old_bytes);
    }
    return moved;
}

static bool is_aligned(const void *column)
{
    return (uintptr_t)column % 64 == 0;
}

static struct thing things[7];

/* The members of a particle all follow from its number. */
#define PARTICLE(T, n) \
    ((T##_row){(n), (float)(n) / 2, (uint8_t)((n) % 251), -(float)(n), (double)(n) * 3, &things[(n) % 7]})

#define IS_PARTICLE(element, n) \
    ((element).id == (n) && (element).x == (float)(n) / 2 && (element).tag == (uint8_t)((n) % 251) \
     && (element).y == -(float)(n) && (element).energy == (double)(n) * 3 && (element).parent == &things[(n) % 7])

/* -- one column for each member --------------------------------------------------------------------------------------- */

/* A loop over columns and the functions for one row tell the same; each column begins at a multiple of 64 bytes. */
static void row_columns_are_typed_and_aligned(void)
{
    arena memory = {0, 0, 0};
    flakes list;
    double sum = 0;

    flakes_init(&list, &memory);
    CHECK(flakes_rows(&list) == 0 && flakes_x(&list) == NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(flakes_add(&list, PARTICLE(flakes, i)) == FLAKES_OK);
        CHECK(is_aligned(flakes_id(&list)) && is_aligned(flakes_x(&list)) && is_aligned(flakes_tag(&list))
              && is_aligned(flakes_y(&list)) && is_aligned(flakes_energy(&list)) && is_aligned(flakes_parent(&list)));
    }
    CHECK(flakes_rows(&list) == MANY && flakes_capacity(&list) % 64 == 0);
    {
        const uint32_t *id = flakes_const_id(&list);
        float *x = flakes_x(&list);
        const float *y = flakes_const_y(&list);
        const uint8_t *tag = flakes_const_tag(&list);
        double *energy = flakes_energy(&list);
        struct thing *const *parent = flakes_const_parent(&list);

        for (size_t row = 0, rows = flakes_rows(&list); row < rows; row++) {
            CHECK(IS_PARTICLE(flakes_load(&list, row), id[row])); /* in any order, by the spec */
            CHECK(tag[row] == id[row] % 251 && parent[row] == &things[id[row] % 7]);
            x[row] += y[row];
            energy[row] = 1;
        }
        for (size_t row = 0; row < MANY; row++) {
            flakes_row element = flakes_load(&list, row);

            CHECK(element.x == -(float)id[row] / 2 && element.y == -(float)id[row] && element.energy == 1);
            CHECK(element.id == id[row]);
            sum += element.energy;
            element.x = 7;
            element.tag = 9;
            flakes_store(&list, row, element);
            CHECK(x[row] == 7 && tag[row] == 9 && id[row] == element.id);
        }
    }
    CHECK(sum == MANY);
    flakes_deinit(&list);
    CHECK(memory.held == 0);
}

/* A row that is removed takes its members along in every column, and the last row takes its place in all of them. */
static void row_members_stay_together(void)
{
    arena memory = {0, 0, 0};
    flakes list;

    flakes_init(&list, &memory);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(flakes_add(&list, PARTICLE(flakes, i)) == FLAKES_OK);
    }
    FLAKES_EACH(&list, row) {
        if (flakes_id(&list)[row] % 3 == 0) {
            CHECK(flakes_remove(&list, row) == FLAKES_OK);
        }
    }
    CHECK(flakes_rows(&list) == MANY - MANY / 3 && !flakes_contains(&list, MANY - MANY / 3));
    CHECK(flakes_remove(&list, FLAKES_NONE) == FLAKES_ABSENT && flakes_remove(&list, MANY) == FLAKES_ABSENT);
    for (size_t row = 0; row < flakes_rows(&list); row++) {
        flakes_row element = flakes_load(&list, row);

        CHECK(element.id % 3 != 0 && IS_PARTICLE(element, element.id));
    }
    flakes_deinit(&list);
    CHECK(memory.held == 0);
}

/* -- no memory ----------------------------------------------------------------------------------------------------- */

/* Growth that fails leaves every column where it was, with what it held. */
static void row_failing_growth_changes_nothing(void)
{
    arena memory = {0, 0, 0};
    flakes list;
    flakes before;
    size_t held;

    flakes_init(&list, &memory);
    memory.refuse = 1;
    CHECK(flakes_add(&list, PARTICLE(flakes, 1)) == FLAKES_NO_MEMORY);
    CHECK(flakes_emplace(&list) == FLAKES_NONE && flakes_rows(&list) == 0 && memory.held == 0);
    memory.refuse = 0;
    for (uint32_t i = 0; i == 0 || i < flakes_capacity(&list); i++) {
        CHECK(flakes_add(&list, PARTICLE(flakes, i)) == FLAKES_OK);
    }
    before = list;
    held = memory.held;
    memory.refuse = 1;
    CHECK(flakes_add(&list, PARTICLE(flakes, 1)) == FLAKES_NO_MEMORY);
    CHECK(flakes_emplace(&list) == FLAKES_NONE && flakes_reserve(&list, MANY) == FLAKES_NO_MEMORY);
    CHECK(memory.held == held && memcmp(&list, &before, sizeof list) == 0 && flakes_check(&list) == NULL);
    for (uint32_t i = 0; i < flakes_rows(&list); i++) {
        CHECK(IS_PARTICLE(flakes_load(&list, i), flakes_id(&list)[i]));
    }
    memory.refuse = 0;
    CHECK(flakes_add(&list, PARTICLE(flakes, (uint32_t)before.count)) == FLAKES_OK);
    for (uint32_t i = 0; i < flakes_rows(&list); i++) {
        CHECK(IS_PARTICLE(flakes_load(&list, i), flakes_id(&list)[i]));
    }
    flakes_deinit(&list);
    CHECK(memory.held == 0);
}

/* The same where columns lie in chunks, whichever of the allocations fails. */
static void row_failing_chunks_change_nothing(void)
{
    arena memory = {0, 0, 0};
    clouds list;
    clouds before;
    size_t held;
    size_t needed = 0; /* allocations of the growth below */
    float *x;

    clouds_init(&list, &memory);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK(clouds_add(&list, PARTICLE(clouds, i)) == CLOUDS_OK);
    }
    before = list;
    held = memory.held;
    x = clouds_x(&list, 0);
    for (size_t refuse = 1; refuse < 100; refuse++) {
        memory.requests = 0;
        memory.refuse = refuse;
        if (clouds_reserve(&list, 64 * 9) == CLOUDS_OK) {
            needed = refuse - 1;
            break;
        }
        CHECK(memory.held == held && memcmp(&list, &before, sizeof list) == 0 && clouds_check(&list) == NULL);
    }
    CHECK(needed == 9); /* the table of chunks, and eight chunks */
    CHECK(clouds_x(&list, 0) == x && clouds_capacity(&list) == 64 * 9);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK(IS_PARTICLE(clouds_load(&list, i), i));
    }
    clouds_deinit(&list);
    CHECK(memory.held == 0);
}

/* -- lanes ------------------------------------------------------------------------------------------------------------ */

/* The lanes of a chunk stay where they are while it grows; a word tells which of them hold an element. */
static void row_lanes_stay(void)
{
    static float *at[MANY / 64 + 1];
    arena memory = {0, 0, 0};
    clouds list;
    size_t seen = 0;

    clouds_init(&list, &memory);
    CHECK(clouds_chunk_count(&list) == 0 && clouds_x(&list, 0) == NULL && clouds_lanes(&list, 0) == 0);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(clouds_add(&list, PARTICLE(clouds, i)) == CLOUDS_OK);
        if (i % 64 == 0) {
            at[i / 64] = clouds_x(&list, i / 64);
        }
    }
    CHECK(clouds_chunk_count(&list) == MANY / 64 + 1 && clouds_lanes(&list, MANY / 64) == MANY % 64);
    for (uint32_t i = 0; i < MANY; i += i % 3 + 1) {
        CHECK(clouds_remove(&list, i) == CLOUDS_OK && !clouds_contains(&list, i));
    }
    for (size_t number = 0; number < clouds_chunk_count(&list); number++) {
        float *x = clouds_x(&list, number);
        const float *y = clouds_const_y(&list, number);
        uint64_t occupied = clouds_occupied(&list, number);

        CHECK(x == at[number] && is_aligned(x) && is_aligned(y) && is_aligned(clouds_tag(&list, number)));
        for (size_t i = 0; i < CLOUDS_CHUNK; i++) { /* all of them, so that the compiler knows the length */
            x[i] += y[i];
        }
        for (size_t i = 0; i < CLOUDS_CHUNK; i++) {
            size_t row = number * CLOUDS_CHUNK + i;

            CHECK(clouds_contains(&list, row) == ((occupied >> i & 1) != 0));
            if ((occupied >> i & 1) != 0) {
                CHECK(x[i] == -(float)row / 2 && clouds_load(&list, row).x == x[i]);
                seen++;
            }
        }
    }
    CHECK(seen == clouds_count(&list) && clouds_x(&list, clouds_chunk_count(&list)) == NULL);
    clouds_deinit(&list);
    CHECK(memory.held == 0);
}

/* Swap-removal in chunks: the rows stay dense, and what an index finds is the row of the moment. */
static void row_dense_chunks(void)
{
    arena memory = {0, 0, 0};
    bricks list;
    size_t seen = 0;

    bricks_init(&list, &memory);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(bricks_add(&list, PARTICLE(bricks, i)) == BRICKS_OK);
    }
    CHECK(bricks_add(&list, PARTICLE(bricks, 5)) == BRICKS_DUPLICATE);
    for (uint32_t i = 0; i < MANY; i += 2) {
        CHECK(bricks_remove_key(&list, i) == BRICKS_OK && bricks_find(&list, i) == BRICKS_NONE);
    }
    for (size_t number = 0; number < bricks_chunk_count(&list); number++) {
        const uint32_t *id = bricks_const_id(&list, number);

        for (size_t i = 0; i < bricks_lanes(&list, number); i++, seen++) {
            size_t row = number * BRICKS_CHUNK + i;

            CHECK(bricks_find(&list, id[i]) == row && IS_PARTICLE(bricks_load(&list, row), id[i]));
        }
    }
    CHECK(seen == MANY / 2 && bricks_rows(&list) == seen && bricks_check(&list) == NULL);
    bricks_deinit(&list);
    CHECK(memory.held == 0);
}

/* -- what else there is for elements in columns -------------------------------------------------------------------------- */

/* A loop over one column decides who leaves; the sweep from the last row to the first lets go of them. */
static void row_columns_decide_who_leaves(void)
{
    arena memory = {0, 0, 0};
    cinders list;

    cinders_init(&list, &memory);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(cinders_add(&list, PARTICLE(cinders, i + 1)) == CINDERS_OK);
    }
    for (size_t row = 0; row < cinders_rows(&list); row++) {
        cinders_energy(&list)[row] -= 3 * 1000;
    }
    cinders_update(&list);
    CHECK(cinders_rows(&list) == MANY - 1000 && cinders_check(&list) == NULL);
    for (size_t row = 0; row < cinders_rows(&list); row++) {
        cinders_row element = cinders_load(&list, row);

        CHECK(element.energy > 0 && element.energy == (double)element.id * 3 - 3000 && element.x == (float)element.id / 2);
    }
    cinders_deinit(&list);
    CHECK(memory.held == 0);
}

/* A handle gives the row for as long as its element lives. */
static void row_handles_name_rows(void)
{
    static stars_handle handles[MANY];
    arena memory = {0, 0, 0};
    stars list;

    stars_init(&list, &memory);
    for (uint32_t i = 0; i < MANY; i++) {
        size_t row = stars_emplace(&list);

        if (!CHECK(row != STARS_NONE)) {
            return;
        }
        stars_store(&list, row, PARTICLE(stars, i));
        handles[i] = stars_handle_of(&list, row);
    }
    for (uint32_t i = 0; i < MANY; i += 2) {
        CHECK(stars_remove(&list, handles[i]) == STARS_OK && stars_remove(&list, handles[i]) == STARS_STALE);
    }
    for (uint32_t i = 0; i < MANY; i += 4) {
        CHECK(stars_add(&list, PARTICLE(stars, MANY + i)) == STARS_OK);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        size_t row = stars_get(&list, handles[i]);

        CHECK((row == STARS_NONE) == (i % 2 == 0));
        CHECK(row == STARS_NONE || (stars_id(&list)[row] == i && IS_PARTICLE(stars_load(&list, row), i)));
    }
    CHECK(stars_check(&list) == NULL);
    stars_deinit(&list);
    CHECK(memory.held == 0);
}

/* Into an empty container the columns go over as they are; else row by row. */
static void row_columns_change_hands(void)
{
    arena memory = {0, 0, 0};
    flakes list;
    flakes other;
    float *x;
    size_t taken = 0;
    bool seen[200] = {false};

    flakes_init(&list, &memory);
    flakes_init(&other, &memory);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK(flakes_add(&other, PARTICLE(flakes, i)) == FLAKES_OK);
    }
    x = flakes_x(&other);
    CHECK(flakes_add_from(&list, &other, &taken) == FLAKES_OK && taken == 100);
    CHECK(flakes_x(&list) == x && flakes_rows(&other) == 0);
    for (uint32_t i = 100; i < 200; i++) {
        CHECK(flakes_add(&other, PARTICLE(flakes, i)) == FLAKES_OK);
    }
    CHECK(flakes_add_from(&list, &other, &taken) == FLAKES_OK && taken == 100 && flakes_rows(&other) == 0);
    for (size_t row = 0; row < flakes_rows(&list); row++) {
        flakes_row element = flakes_load(&list, row);

        if (CHECK(element.id < 200 && !seen[element.id] && IS_PARTICLE(element, element.id))) {
            seen[element.id] = true;
        }
    }
    CHECK(flakes_rows(&list) == 200);
    flakes_deinit(&list);
    flakes_deinit(&other);
    CHECK(memory.held == 0);
}

int main(void)
{
    row_columns_are_typed_and_aligned();
    row_members_stay_together();
    row_failing_growth_changes_nothing();
    row_failing_chunks_change_nothing();
    row_lanes_stay();
    row_dense_chunks();
    row_columns_decide_who_leaves();
    row_handles_name_rows();
    row_columns_change_hands();
    return checks_result();
}
