/* What is loaded by another version of the game: members that were added, other policies, refused files. And the bytes, which must
 * never change: files that players have would be lost. */
#include "saved.h"
#include "../regression/check.h"
#include <stdlib.h>

typedef struct bytes {
    unsigned char at[4096];
    size_t count, read;
} bytes;

static bool put(void *context, const void *what, size_t count)
{
    bytes *to = (bytes *)context;

    if (count > sizeof to->at - to->count) {
        return false;
    }
    memcpy(to->at + to->count, what, count);
    to->count += count;
    return true;
}

static bool get(void *context, void *what, size_t count)
{
    bytes *from = (bytes *)context;

    if (count > from->count - from->read) {
        return false;
    }
    memcpy(what, from->at + from->read, count);
    from->read += count;
    return true;
}

/* -- functions of the spec ------------------------------------------------------------------------------------------------ */

static unsigned upgraded, removed, destroyed, loaded;
static bool careless;  /* saved_tales_loads does not look at what a read returns */
static unsigned fails; /* it has no memory for the text of this number, from 1 */

void saved_after_upgrades(struct relic *element, uint32_t version)
{
    CHECK(version == 1 && element->glow == DULL && element->depth == 0 && element->hue.blue == 0);
    element->depth = 7;
    upgraded++;
}

void saved_after_removes(struct saved_after *list, struct relic *element)
{
    (void)list;
    (void)element;
    removed++;
}

void saved_tales_destroys(struct saved_tales *list, struct tale *element)
{
    (void)list;
    free(element->text);
    destroyed++;
}

bool saved_tales_saves(struct saved_tales_writer *to, const struct tale *element)
{
    return saved_tales_write_number(to, strlen(element->text), 1) && saved_tales_write(to, element->text, strlen(element->text));
}

bool saved_tales_loads(struct saved_tales_reader *from, struct tale *element)
{
    size_t length = (size_t)saved_tales_read_number(from, 1);

    CHECK(from->version == 3 && element->text == NULL);
    loaded++;
    element->text = loaded == fails ? NULL : (char *)calloc(length + 1, 1);
    if (element->text == NULL) {
        loaded--;
        from->status = SAVED_TALES_NO_MEMORY;
        return false;
    }
    if (saved_tales_read(from, element->text, length) || careless) {
        return true;
    }
    loaded--;
    free(element->text);
    return false;
}

void saved_tales_upgrades(struct tale *element, uint32_t version)
{
    (void)element;
    (void)version;
    CHECK(!"nothing has changed");
}

void saved_row_destroys(struct saved_row *list, struct relic *element)
{
    (void)list;
    (void)element;
}

void saved_buried_adds(struct saved_buried *list, struct relic *element)
{
    (void)list;
    (void)element;
}

void saved_buried_removes(struct saved_buried *list, struct relic *element)
{
    (void)list;
    (void)element;
}

void saved_tree_removes(struct saved_tree *list, struct relic *element)
{
    (void)list;
    (void)element;
}

static size_t allocated, most; /* bytes now, and at the most at once */

static void allocates(size_t more, size_t less)
{
    allocated += more;
    most = allocated > most ? allocated : most;
    allocated -= less;
}

void *arena_alloc(void *context, size_t count)
{
    (void)context;
    allocates(count, 0);
    return malloc(count);
}

void *arena_realloc(void *context, void *block, size_t old_count, size_t new_count)
{
    (void)context;
    allocates(new_count, old_count); /* both, while one is copied */
    return realloc(block, new_count);
}

void arena_free(void *context, void *block, size_t count)
{
    (void)context;
    allocates(0, count);
    free(block);
}

/* -- rows ----------------------------------------------------------------------------------------------------------------- */

static struct old_relic old_relic(uint32_t id)
{
    struct old_relic made;

    memset(&made, 0, sizeof made);
    made.id = id;
    made.rank = -3;
    made.worth = (coins)id * 1000;
    made.found = id % 2 != 0;
    memcpy(made.name, "grail", 6);
    made.age = id / 2.0;
    made.runes[1][2] = -77;
    return made;
}

/* A file of the older struct, from a list with tombstones, goes into chunks that are filled by the last element. */
static void row_members_are_added(void)
{
    saved_before before;
    saved_after after;
    saved_before_handle old[6];
    saved_after_handle same;
    bytes file = {{0}, 0, 0};

    saved_before_init(&before);
    saved_after_init(&after);
    for (uint32_t id = 0; id < 6; id++) {
        CHECK(saved_before_add(&before, old_relic(id)) == SAVED_BEFORE_OK);
    }
    {
        uint32_t n = 0;

        SAVED_BEFORE_EACH(&before, relic) {
            old[n++] = saved_before_handle_of(&before, relic);
        }
    }
    CHECK(saved_before_remove(&before, old[2]) == SAVED_BEFORE_OK);
    CHECK(saved_before_save(&before, put, &file) == SAVED_BEFORE_OK);

    {
        struct relic lost;

        memset(&lost, 0, sizeof lost);
        CHECK(saved_after_add(&after, lost) == SAVED_AFTER_OK);
    }
    CHECK(saved_after_load(&after, get, &file) == SAVED_AFTER_OK && file.read == file.count);
    CHECK(upgraded == 5 && removed == 1 && saved_after_count(&after) == 5 && saved_after_check(&after) == NULL);
    for (uint32_t id = 0; id < 6; id++) {
        struct relic *found;

        same.index = old[id].index;
        same.generation = old[id].generation;
        found = saved_after_get(&after, same);
        if (id == 2) {
            CHECK(found == NULL);
        } else if (CHECK(found != NULL)) {
            CHECK(found->id == id && found->rank == -3 && found->worth == (coins)id * 1000 && found->found == (id % 2 != 0));
            CHECK(strcmp(found->name, "grail") == 0 && found->age == id / 2.0 && found->runes[1][2] == -77 && found->depth == 7);
        }
    }
    saved_before_deinit(&before);
    saved_after_deinit(&after);
}

/* What the older game cannot read, it refuses; and each kind of another file by its status. */
static void row_refused(void)
{
    saved_before before;
    saved_after after;
    saved_swap swap;
    struct old_relic grail = old_relic(1);
    bytes file = {{0}, 0, 0};

    saved_before_init(&before);
    saved_after_init(&after);
    saved_swap_init(&swap);
    CHECK(saved_before_add(&before, grail) == SAVED_BEFORE_OK);

    CHECK(saved_after_save(&after, put, &file) == SAVED_AFTER_OK);
    CHECK(saved_before_load(&before, get, &file) == SAVED_BEFORE_OTHER_TYPE); /* more members */
    file.read = 0;
    CHECK(saved_swap_load(&swap, get, &file) == SAVED_SWAP_OTHER_VERSION); /* the same, of a newer version */
    file.count = file.read = 0;
    CHECK(saved_swap_save(&swap, put, &file) == SAVED_SWAP_OK);
    file.at[0]++;
    CHECK(saved_swap_load(&swap, get, &file) == SAVED_SWAP_CORRUPT);
    file.at[0]--;
    file.at[7] ^= 64;
    file.read = 0;
    CHECK(saved_swap_load(&swap, get, &file) == SAVED_SWAP_OTHER_VERSION); /* of the format */
    file.at[7] ^= 64;
    file.read = 0;
    file.count--;
    CHECK(saved_swap_load(&swap, get, &file) == SAVED_SWAP_IO);
    file.count = file.read = 0;
    CHECK(saved_before_save(&before, put, &file) == SAVED_BEFORE_OK);
    CHECK(saved_swap_load(&swap, get, &file) == SAVED_SWAP_OTHER_TYPE); /* fewer members, and no function to fill the others */
    file.count = sizeof file.at;
    CHECK(saved_before_save(&before, put, &file) == SAVED_BEFORE_IO);
    CHECK(saved_before_count(&before) == 1 && saved_before_check(&before) == NULL);
    saved_before_deinit(&before);
    saved_after_deinit(&after);
    saved_swap_deinit(&swap);
}

/* Without a member no element would take a byte: any number of them could be said to be there. */
static void row_without_members(void)
{
    saved_after after;
    bytes file = {{0}, 0, 0};

    saved_after_init(&after);
    CHECK(saved_after_save(&after, put, &file) == SAVED_AFTER_OK);
    memset(file.at + 16, 0, sizeof file.at - 16);
    file.at[20 + 3] = 1; /* 1 << 24 elements */
    file.count = 28;
    CHECK(saved_after_load(&after, get, &file) == SAVED_AFTER_OTHER_TYPE);
    saved_after_deinit(&after);
}

/* A load ends all passes, also of those that stand on what is replaced. */
static void row_passes_end(void)
{
    saved_before list;
    saved_before_cursor cursor;
    bytes file = {{0}, 0, 0};

    saved_before_init(&list);
    for (uint32_t id = 0; id < 4; id++) {
        CHECK(saved_before_add(&list, old_relic(id)) == SAVED_BEFORE_OK);
    }
    CHECK(saved_before_save(&list, put, &file) == SAVED_BEFORE_OK);
    cursor = saved_before_begin(&list);
    CHECK(saved_before_next(&cursor) != NULL);
    CHECK(saved_before_load(&list, get, &file) == SAVED_BEFORE_OK);
#if !BESPOKE_CHECKS /* which would stop the program */
    CHECK(saved_before_next(&cursor) == NULL);
#endif
    saved_before_end(&cursor);
    CHECK(saved_before_count(&list) == 4 && saved_before_check(&list) == NULL);
    saved_before_deinit(&list);
}

/* Owned memory: each element that was made is destroyed once, also those of a file that turns out to be damaged. */
static void row_owned(void)
{
    saved_tales list;
    bytes file = {{0}, 0, 0};
    static const char *const texts[] = {"one", "two", "three"};

    saved_tales_init(&list, NULL);
    for (uint32_t id = 0; id < 3; id++) {
        struct tale tale = {id, 0, NULL};

        tale.text = (char *)calloc(8, 1);
        memcpy(tale.text, texts[id], strlen(texts[id]));
        CHECK(saved_tales_add(&list, tale) == SAVED_TALES_OK);
    }
    CHECK(saved_tales_save(&list, put, &file) == SAVED_TALES_OK);
    file.at[file.count - 1] ^= 1;
    CHECK(saved_tales_load(&list, get, &file) == SAVED_TALES_CORRUPT && destroyed == 3);
    file.at[file.count - 1] ^= 1;
    file.read = 0;
    CHECK(saved_tales_load(&list, get, &file) == SAVED_TALES_OK && destroyed == 6);
    {
        uint32_t n = 0;

        SAVED_TALES_EACH(&list, tale) {
            CHECK(tale->id == n && strcmp(tale->text, texts[n]) == 0);
            n++;
        }
        CHECK(n == 3);
    }
    saved_tales_deinit(&list);
    CHECK(destroyed == 9);
}

/* Fills a list with three tales and saves it. */
static void save_three(saved_tales *list, bytes *file)
{
    saved_tales_init(list, NULL);
    for (uint32_t id = 0; id < 3; id++) {
        struct tale tale = {id, 0, NULL};

        tale.text = (char *)calloc(8, 1);
        memcpy(tale.text, "a tale", 7);
        CHECK(saved_tales_add(list, tale) == SAVED_TALES_OK);
    }
    CHECK(saved_tales_save(list, put, file) == SAVED_TALES_OK);
}

/* A function that leaves it to the list to notice the end of the file: what it made is destroyed wherever that is. */
static void row_cut(void)
{
    saved_tales list;
    bytes file = {{0}, 0, 0};

    save_three(&list, &file);
    careless = true;
    for (size_t whole = file.count; file.count > 0;) {
        file.count--;
        file.read = loaded = destroyed = 0;
        CHECK(saved_tales_load(&list, get, &file) == SAVED_TALES_IO && loaded == destroyed);
        CHECK(loaded > 0 || file.count < whole / 2);
    }
    careless = false;
    CHECK(saved_tales_count(&list) == 3 && saved_tales_check(&list) == NULL);
    saved_tales_deinit(&list);
}

/* A function that says why it gave up: no memory is no damage, and the same file can be loaded later. */
static void row_no_memory(void)
{
    saved_tales list;
    bytes file = {{0}, 0, 0};

    save_three(&list, &file);
    for (fails = 1; fails <= 3; fails++) {
        file.read = loaded = destroyed = 0;
        CHECK(saved_tales_load(&list, get, &file) == SAVED_TALES_NO_MEMORY && loaded == fails - 1 && loaded == destroyed);
        CHECK(saved_tales_count(&list) == 3 && saved_tales_check(&list) == NULL);
    }
    fails = 0;
    file.read = 0;
    CHECK(saved_tales_load(&list, get, &file) == SAVED_TALES_OK && saved_tales_count(&list) == 3);
    saved_tales_deinit(&list);
}

/* Where a free slot is a bit, 8 slots are made for each byte that is read, and no more whatever the file says that it has: docs/saving.md. */
static void row_free_slots(void)
{
    saved_tales list;
    bytes file = {{0}, 0, 0};
    size_t slot = sizeof(struct tale) + sizeof *list.next;

    saved_tales_init(&list, NULL);
    CHECK(saved_tales_save(&list, put, &file) == SAVED_TALES_OK);
    memset(file.at + file.count - 16, 0, 16);
    file.at[file.count - 16 + 5] = 1; /* 1 << 40 slots are said to be there */
    for (file.count -= 8; file.count < sizeof file.at; file.count += 8) {
        file.read = most = 0;
        CHECK(saved_tales_load(&list, get, &file) == SAVED_TALES_IO);
        CHECK(most <= 3 * (8 * file.read * slot + 64 * slot)); /* arrays double, and the old ones are there meanwhile */
    }
    CHECK(allocated == 0);
    saved_tales_deinit(&list);
}

/* The same of columns, in a row and in slots: wherever the file ends and whatever is damaged, what was made and is not kept is destroyed once. */
#define OWNED_COLUMNS(T, TT)                                                                                                            \
    void T##_destroys(struct T *list, struct tale *element)                                                                             \
    {                                                                                                                                   \
        (void)list;                                                                                                                     \
        free(element->text);                                                                                                            \
        destroyed++;                                                                                                                    \
    }                                                                                                                                   \
                                                                                                                                        \
    bool T##_saves(struct T##_writer *to, const struct tale *element)                                                                   \
    {                                                                                                                                   \
        return T##_write_number(to, strlen(element->text), 1) && T##_write(to, element->text, strlen(element->text));                   \
    }                                                                                                                                   \
                                                                                                                                        \
    bool T##_loads(struct T##_reader *from, struct tale *element)                                                                       \
    {                                                                                                                                   \
        size_t length = (size_t)T##_read_number(from, 1);                                                                               \
                                                                                                                                        \
        element->text = (char *)calloc(length + 1, 1);                                                                                  \
        if (element->text == NULL || !T##_read(from, element->text, length)) {                                                          \
            free(element->text);                                                                                                        \
            return false;                                                                                                               \
        }                                                                                                                               \
        loaded++;                                                                                                                       \
        return true;                                                                                                                    \
    }                                                                                                                                   \
                                                                                                                                        \
    static void row_##T(void)                                                                                                           \
    {                                                                                                                                   \
        T list;                                                                                                                         \
        bytes file = {{0}, 0, 0};                                                                                                       \
        bool kept = false;                                                                                                              \
                                                                                                                                        \
        T##_init(&list);                                                                                                                \
        for (uint32_t id = 0; id < 3; id++) {                                                                                           \
            struct tale tale = {id, 0, NULL};                                                                                           \
                                                                                                                                        \
            tale.text = (char *)calloc(8, 1);                                                                                           \
            memcpy(tale.text, "a tale", 7);                                                                                             \
            CHECK(T##_add(&list, tale) == TT##_OK);                                                                                     \
        }                                                                                                                               \
        CHECK(T##_save(&list, put, &file) == TT##_OK);                                                                                  \
        for (size_t whole = file.count, count = 0; count < whole; count++) {                                                            \
            file.count = count;                                                                                                         \
            file.read = loaded = destroyed = 0;                                                                                         \
            CHECK(T##_restore(&list, get, &file) == TT##_IO && loaded == destroyed);                                                    \
            kept = kept || loaded == 3;                                                                                                 \
            file.count = whole;                                                                                                         \
            file.at[count] ^= 1;                                                                                                        \
            file.read = loaded = destroyed = 0;                                                                                         \
            CHECK(T##_restore(&list, get, &file) != TT##_OK && loaded == destroyed);                                                    \
            file.at[count] ^= 1;                                                                                                        \
        }                                                                                                                               \
        CHECK(kept && T##_count(&list) == 3 && T##_check(&list) == NULL);                                                               \
        file.read = loaded = destroyed = 0;                                                                                             \
        CHECK(T##_restore(&list, get, &file) == TT##_OK && loaded == 3 && destroyed == 3);                                              \
        T##_deinit(&list);                                                                                                              \
        CHECK(destroyed == 6);                                                                                                          \
    }

OWNED_COLUMNS(saved_scrolls, SAVED_SCROLLS)
OWNED_COLUMNS(saved_slates, SAVED_SLATES)

/* Columns write the same bytes as whole elements, so the layout may be exchanged; members without a column of their own come along. */
static void row_columns(void)
{
    saved_swap whole;
    saved_columns columns;
    saved_swap_handle handles[5];
    bytes file = {{0}, 0, 0}, again = {{0}, 0, 0};

    saved_swap_init(&whole);
    saved_columns_init(&columns);
    for (uint32_t id = 0; id < 5; id++) {
        struct relic relic;

        memset(&relic, 0, sizeof relic);
        relic.id = id;
        relic.rank = 10 - (int)id;
        relic.kind = id & 31u;
        relic.at.y = (float)id / 2;
        relic.runes[1][0] = (int16_t)(id * 3);
        CHECK(saved_swap_add(&whole, relic) == SAVED_SWAP_OK);
        handles[id] = saved_swap_handle_of(&whole, saved_swap_find(&whole, id));
    }
    CHECK(saved_swap_remove(&whole, handles[1]) == SAVED_SWAP_OK);
    CHECK(saved_swap_save(&whole, put, &file) == SAVED_SWAP_OK);
    CHECK(saved_columns_restore(&columns, get, &file) == SAVED_COLUMNS_OK && file.read == file.count && saved_columns_count(&columns) == 4);
    for (uint32_t id = 0; id < 5; id++) {
        saved_columns_handle same;
        size_t row;

        same.index = handles[id].index;
        same.generation = handles[id].generation;
        row = saved_columns_get(&columns, same);
        if (id == 1) {
            CHECK(row == SAVED_COLUMNS_NONE);
        } else if (CHECK(row != SAVED_COLUMNS_NONE)) {
            struct relic found = saved_columns_load(&columns, row);

            CHECK(found.id == id && found.rank == 10 - (int)id && found.kind == id && found.at.y == (float)id / 2 && found.runes[1][0] == (int16_t)(id * 3));
        }
    }
    CHECK(saved_columns_save(&columns, put, &again) == SAVED_COLUMNS_OK);
    CHECK(again.count == file.count && memcmp(again.at, file.at, file.count) == 0);
    file.at[file.count - 60] ^= 1;
    file.read = 0;
    CHECK(saved_columns_restore(&columns, get, &file) == SAVED_COLUMNS_CORRUPT && saved_columns_count(&columns) == 4);
    CHECK(saved_columns_check(&columns) == NULL);
    saved_swap_deinit(&whole);
    saved_columns_deinit(&columns);
}

/* The checksum of bytes that were changed is right again. */
static void sum(bytes *file)
{
    uint64_t number = 0xcbf29ce484222325u;

    for (size_t i = 0; i + 8 < file->count; i++) {
        number = (number ^ file->at[i]) * 0x100000001b3u;
    }
    for (size_t i = 0; i < 8; i++) {
        file->at[file->count - 8 + i] = (unsigned char)(number >> 8 * i);
    }
}

static struct relic *nth(saved_tree *list, unsigned n)
{
    SAVED_TREE_EACH(list, relic) {
        if (n-- == 0) {
            return relic;
        }
    }
    return NULL;
}

/* A tree keeps parents, siblings and their order; whatever a file says of parents is a tree, or is refused. */
static void row_tree(void)
{
    static const unsigned parents[] = {0, 1, 2, 1, 0, 5}; /* of each slot from 1 on, in the order of a pass; 0: none */
    saved_tree tree, again;
    saved_tree_handle handles[6];
    bytes file = {{0}, 0, 0};
    unsigned char *said;

    saved_tree_init(&tree);
    saved_tree_init(&again);
    for (uint32_t id = 0; id < 6; id++) {
        struct relic relic;

        memset(&relic, 0, sizeof relic);
        relic.id = id;
        CHECK((parents[id] == 0 ? saved_tree_add(&tree, relic) : saved_tree_add_child(&tree, nth(&tree, parents[id] - 1), relic)) == SAVED_TREE_OK);
        handles[id] = saved_tree_handle_of(&tree, nth(&tree, id));
    }
    CHECK(saved_tree_save(&tree, put, &file) == SAVED_TREE_OK);
    CHECK(saved_tree_load(&again, get, &file) == SAVED_TREE_OK && saved_tree_check(&again) == NULL);
    for (uint32_t id = 0; id < 6; id++) {
        struct relic *relic = saved_tree_get(&again, handles[id]);
        struct relic *parent = saved_tree_parent_of(&again, relic);

        CHECK(relic != NULL && relic->id == id && relic == nth(&again, id));
        CHECK(parents[id] == 0 ? parent == NULL : parent != NULL && parent->id == parents[id] - 1);
    }
    CHECK(saved_tree_next_sibling_of(&again, nth(&again, 0)) == nth(&again, 4));
    CHECK(saved_tree_next_sibling_of(&again, nth(&again, 1)) == nth(&again, 3) && saved_tree_next_sibling_of(&again, nth(&again, 2)) == NULL);

    said = file.at + file.count - 16 - 6 * 4; /* the parents are the last numbers before the spent generations, of which there are none, and the checksum */
    for (unsigned id = 0; id < 6; id++) {
        CHECK(said[4 * id] == parents[id]);
        for (unsigned number = 0; number < 260; number++) {
            bool above = number == 0;

            for (unsigned at = id; at > 0 && !above; at = parents[at - 1]) { /* the one before it, and what that is below */
                above = number == at;
            }
            said[4 * id] = (unsigned char)(number < 256 ? number : parents[id]);
            said[4 * id + 3] = (unsigned char)(number < 256 ? 0 : 64 * (number - 255) - 1);
            sum(&file);
            file.read = 0;
            saved_tree_clear(&again);
            if (above && id == 5) {
                CHECK(saved_tree_load(&again, get, &file) == SAVED_TREE_OK && saved_tree_count(&again) == 6);
            } else if (!above) {
                CHECK(saved_tree_load(&again, get, &file) == SAVED_TREE_CORRUPT && saved_tree_count(&again) == 0);
            }
            CHECK(saved_tree_check(&again) == NULL);
        }
        said[4 * id] = (unsigned char)parents[id];
        said[4 * id + 3] = 0;
    }
    saved_tree_deinit(&tree);
    saved_tree_deinit(&again);
}

/* Byte for byte: what was written by this version must be read by all later ones, on every machine. */
static void row_bytes(void)
{
    static const unsigned char head[] = {'B', 'E', 'S', 'P', 'O', 'K', 'E', 2};
    static const unsigned char grail[] = {1,    0, 0, 0, 0xfd, 0xff, 0xff, 0xff, 0xe8, 3, 0, 0, 1, 'g', 'r', 'a', 'i', 'l', 0, 0, 0, 0, 0, 0,
                                          0,    0, 0, 0, 0,    0,    0,    0xe0, 0x3f, 0, 0, 0, 0, 0,   0,   0,   0,   0,   0, 0xb3, 0xff};
    saved_before list;
    bytes file = {{0}, 0, 0};

    saved_before_init(&list);
    CHECK(saved_before_add(&list, old_relic(1)) == SAVED_BEFORE_OK);
    CHECK(saved_before_save(&list, put, &file) == SAVED_BEFORE_OK);
    CHECK(memcmp(file.at, head, sizeof head) == 0);
    CHECK(file.at[12] == 1 && file.at[16] == 7);                                  /* the version, and the members */
    CHECK(file.at[48] == 1 && memcmp(file.at + 56, grail, sizeof grail) == 0); /* the count, and the element */
    CHECK(file.count == 56 + sizeof grail + 8 + 4 + 4 + 8 + 8);                 /* the handle, spent generations, and the checksum */
    file.at[7] = 1; /* the first format has no spent generations */
    file.count -= 8;
    sum(&file);
    CHECK(saved_before_load(&list, get, &file) == SAVED_BEFORE_OK && file.read == file.count && saved_before_count(&list) == 1);
    saved_before_deinit(&list);
}

/* Generations that must not be given again are in the file, too: a handle from a time that was taken back stays stale after it. */
static void row_spent(void)
{
    saved_before list, other;
    saved_before_handle first, late[3];
    bytes early = {{0}, 0, 0};
    bytes file = {{0}, 0, 0};

    saved_before_init(&list);
    saved_before_init(&other);
    CHECK(saved_before_add_handle(&list, old_relic(1), &first) == SAVED_BEFORE_OK);
    CHECK(saved_before_save(&list, put, &early) == SAVED_BEFORE_OK);
    CHECK(saved_before_remove(&list, first) == SAVED_BEFORE_OK);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(saved_before_add_handle(&list, old_relic(2), &late[i]) == SAVED_BEFORE_OK && saved_before_remove(&list, late[i]) == SAVED_BEFORE_OK);
    }
    CHECK(saved_before_load(&list, get, &early) == SAVED_BEFORE_OK);
    CHECK(saved_before_save(&list, put, &file) == SAVED_BEFORE_OK);
    CHECK(saved_before_load(&other, get, &file) == SAVED_BEFORE_OK && saved_before_get(&other, first) != NULL);
    CHECK(saved_before_remove(&other, first) == SAVED_BEFORE_OK);
    for (unsigned use = 0; use < 5; use++) {
        saved_before_handle next;

        CHECK(saved_before_add_handle(&other, old_relic(3), &next) == SAVED_BEFORE_OK);
        for (unsigned i = 0; i < 3; i++) {
            CHECK(saved_before_get(&other, late[i]) == NULL);
        }
        CHECK(saved_before_remove(&other, next) == SAVED_BEFORE_OK);
    }
    file.at[file.count - 8 - 4] = 1; /* less than the generation of the element that the handle names */
    sum(&file);
    file.read = 0;
    CHECK(saved_before_load(&other, get, &file) == SAVED_BEFORE_CORRUPT && saved_before_check(&other) == NULL);
    saved_before_deinit(&list);
    saved_before_deinit(&other);
}

/* Where equal keys are in a sorted index is in the file, of slots that stay as of others, which a load numbers anew; files of the formats
 * before, and of containers with other indexes, are read, too. */
#define ROW_TIES(T, OK, remove_it, rekey_it)                                                                                         \
    static bool order_of_##T(T *list, uint32_t *ids)                                                                                 \
    {                                                                                                                                \
        T##_range range = T##_all_by_rank(list);                                                                                     \
        struct relic *relic;                                                                                                         \
        size_t count = 0;                                                                                                            \
                                                                                                                                     \
        while ((relic = T##_next_by_rank(list, &range)) != NULL) {                                                                   \
            ids[count++] = relic->id;                                                                                                \
        }                                                                                                                            \
        return count == T##_count(list);                                                                                             \
    }                                                                                                                                \
                                                                                                                                     \
    static void row_ties_##T(void)                                                                                                   \
    {                                                                                                                                \
        uint32_t before[24], after[24];                                                                                              \
        unsigned random = 1;                                                                                                         \
        size_t count;                                                                                                                \
        bytes file = {{0}, 0, 0};                                                                                                    \
        T list, again;                                                                                                               \
                                                                                                                                     \
        T##_init(&list);                                                                                                             \
        T##_init(&again);                                                                                                            \
                                                                                                                                     \
        for (uint32_t id = 0; id < 24; id++ ) {                                                                                      \
            struct relic relic;                                                                                                      \
                                                                                                                                     \
            memset(&relic, 0, sizeof relic);                                                                                         \
            relic.id = id;                                                                                                           \
            relic.rank = (int)(id % 4);                                                                                              \
            CHECK(T##_add(&list, relic) == OK);                                                                                      \
        }                                                                                                                            \
        for (unsigned turn = 0; turn < 90 ; turn++) {                                                                                \
            random = random * 1664525u + 1013904223u;                                                                                \
            T##_find_by_id(&list, (random >> 8) % 24)->rank  = (int)(random >> 20) % 4;                                              \
            CHECK(rekey_it(&list, T##_find_by_id(&list, (random >> 8) % 24)) == OK);                                                 \
        }                                                                                                                            \
        for (uint32_t id = 0; id < 24; id += 5 ) {                                                                                   \
            CHECK(remove_it(&list, T##_find_by_id(&list, id)) == OK);                                                                \
        }                                                                                                                            \
        count = T##_count(&list) * sizeof *before;                                                                                   \
        CHECK(order_of_##T(&list, before) && T##_save(&list, put, &file) == OK);                                                     \
        CHECK(T##_load(&again, get, &file) == OK && file.read == file.count && T##_check(&again) == NULL);                           \
        CHECK(order_of_##T(&again, after) && memcmp(before, after, count) == 0);                                                     \
        T##_clear(&list);                                                                                                            \
        file.count = file.read = 0;                                                                                                  \
        CHECK(T##_save(&list, put, &file) == OK && file.at[7] == 3);                                                                 \
        file.at[7] = 2; /* the second format has neither the number of indexes nor one without equal keys */                         \
        file.count -= 4 + 4 + 8;                                                                                                     \
        sum(&file);                                                                                                                  \
        CHECK(T##_load(&again, get, &file) == OK && file.read == file.count && T##_count(&again) == 0);                              \
        T##_deinit(&list);                                                                                                           \
        T##_deinit(&again);                                                                                                          \
    }

#define ROW_REMOVE(list, relic) saved_cards_remove(list, saved_cards_handle_of(list, relic))
#define ROW_REKEY(list, relic) saved_cards_rekey_by_rank(list, saved_cards_handle_of(list, relic))
ROW_TIES(saved_filed, SAVED_FILED_OK, saved_filed_remove, saved_filed_rekey_by_rank)
ROW_TIES(saved_cards, SAVED_CARDS_OK, ROW_REMOVE, ROW_REKEY)

/* An index that is in the file and not in the container goes by. */
static void row_fewer_indexes(void)
{
    saved_filed filed;
    saved_row row;
    bytes file = {{0}, 0, 0};

    saved_filed_init(&filed);
    saved_row_init(&row);
    for (uint32_t id = 0; id < 6; id++) {
        struct relic relic;

        memset(&relic, 0, sizeof relic);
        relic.id = id;
        CHECK(saved_filed_add(&filed, relic) == SAVED_FILED_OK);
    }
    CHECK(saved_filed_save(&filed, put, &file) == SAVED_FILED_OK);
    CHECK(saved_row_load(&row, get, &file) == SAVED_ROW_OK && file.read == file.count && saved_row_count(&row) == 6);
    file.at[file.count - 8 - 4] = 6; /* no element has this place */
    sum(&file);
    file.read = 0;
    CHECK(saved_row_load(&row, get, &file) == SAVED_ROW_CORRUPT && saved_row_count(&row) == 6);
    file.read = 0;
    CHECK(saved_filed_load(&filed, get, &file) == SAVED_FILED_CORRUPT && saved_filed_count(&filed) == 6);
    saved_filed_deinit(&filed);
    saved_row_deinit(&row);
}

int main(void)
{
    row_spent();
    row_ties_saved_filed();
    row_ties_saved_cards();
    row_fewer_indexes();
    row_members_are_added();
    row_refused();
    row_without_members();
    row_passes_end();
    row_owned();
    row_cut();
    row_no_memory();
    row_free_slots();
    row_tree();
    row_saved_scrolls();
    row_saved_slates();
    row_columns();
    row_bytes();
    return checks_result();
}
