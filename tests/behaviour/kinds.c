/* Keys that are no integers: what callers pass, and keys that were chosen to collide. */
#include "kinds.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(what) ((what) ? (void)0 : (void)(printf("line %d: %s\n", __LINE__, #what), exit(1)))

static unsigned seeds, destroyed;

uint64_t kinds_seed(void)
{
    return 0x0123456789abcdefu * ++seeds;
}

void kinds_names_destroys(struct kinds_names *list, struct asset *element)
{
    (void)list;
    free(element->name);
    destroyed++;
}

void kinds_slices_adds(struct kinds_slices *list, struct asset *element)
{
    (void)list;
    (void)element;
}

void kinds_slices_removes(struct kinds_slices *list, struct asset *element)
{
    (void)list;
    (void)element;
}

const char *kinds_cases_name(const struct asset *element)
{
    return element->tag;
}

static int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool kinds_cases_same(const char *a, const char *b)
{
    for (; lower(*a) == lower(*b); a++, b++) {
        if (*a == '\0') {
            return true;
        }
    }
    return false;
}

uint64_t kinds_cases_hash(const char *key, uint64_t seed)
{
    for (; *key != '\0'; key++) {
        seed = seed * 31 + (uint64_t)lower(*key);
    }
    return seed;
}

const struct guid *kinds_objects_key(const struct asset *element)
{
    return &element->guid;
}

bool kinds_objects_same(const struct guid *a, const struct guid *b)
{
    return a->low == b->low; /* the other half is of no account */
}

uint64_t kinds_objects_hash(const struct guid *key, uint64_t seed)
{
    return key->low ^ seed;
}

const char *kinds_heap_rank(const struct asset *element)
{
    return element->tag;
}

size_t kinds_heap_length(const struct asset *element)
{
    return element->length;
}

static struct asset named(const char *name)
{
    struct asset asset = {0};

    asset.name = (char *)malloc(strlen(name) + 1);
    EXPECT(asset.name != NULL);
    strcpy(asset.name, name);
    return asset;
}

static void strings(void)
{
    kinds_names list = {0};
    char key[16] = "hull";
    struct asset twin = named("hull");

    EXPECT(kinds_names_add(&list, named("hull")) == KINDS_NAMES_OK);
    EXPECT(kinds_names_add(&list, named("")) == KINDS_NAMES_OK);
    EXPECT(kinds_names_add(&list, named("mast")) == KINDS_NAMES_OK);
    EXPECT(kinds_names_add(&list, twin) == KINDS_NAMES_DUPLICATE); /* and it is still the caller's */
    EXPECT(kinds_names_contains(&list, &twin));
    free(twin.name);
    EXPECT(strcmp(kinds_names_find(&list, key)->name, "hull") == 0);
    EXPECT(kinds_names_find(&list, "hul") == NULL && kinds_names_find(&list, "hulls") == NULL);
    EXPECT(kinds_names_find(&list, "") != NULL);
    /* The key may be the element's own, which is freed in the call. */
    EXPECT(kinds_names_remove_key(&list, kinds_names_find(&list, "mast")->name) == KINDS_NAMES_OK && destroyed == 1);
    EXPECT(kinds_names_remove_key(&list, "mast") == KINDS_NAMES_ABSENT);
    EXPECT(kinds_names_check(&list) == NULL);
    kinds_names_deinit(&list);
    EXPECT(destroyed == 3);
}

static void others(void)
{
    kinds_slices slices = {0};
    kinds_guids guids = {0};
    kinds_cases cases = {0};
    kinds_objects objects = {0};
    kinds_tags tags = {0};
    struct asset asset = {0};
    char text[] = {'a', 'b', '\0', 'c'}; /* no end, and NUL in it */
    struct guid guid = {7, 8};

    asset.name = text;
    asset.length = 4;
    EXPECT(kinds_slices_add(&slices, asset) == KINDS_SLICES_OK);
    EXPECT(kinds_slices_find(&slices, "ab\0c", 4) != NULL && kinds_slices_find(&slices, "ab", 2) == NULL && kinds_slices_find(&slices, "ab\0d", 4) == NULL);
    asset.length = 0;
    asset.name = NULL;
    EXPECT(kinds_slices_add(&slices, asset) == KINDS_SLICES_OK && kinds_slices_find(&slices, NULL, 0) != NULL);
    EXPECT(kinds_slices_remove_key(&slices, text, 4) == KINDS_SLICES_OK && kinds_slices_count(&slices) == 1);
    kinds_slices_deinit(&slices);

    asset.guid = guid;
    EXPECT(kinds_guids_add(&guids, asset) == KINDS_GUIDS_OK && kinds_guids_add(&guids, asset) == KINDS_GUIDS_DUPLICATE);
    guid.high++;
    EXPECT(kinds_guids_find(&guids, &asset.guid) != NULL && kinds_guids_find(&guids, &guid) == NULL);
    guid.high--;
    guid.low++;
    EXPECT(kinds_guids_find(&guids, &guid) == NULL && kinds_guids_remove_key(&guids, &guid) == KINDS_GUIDS_ABSENT);
    guid.low--;
    EXPECT(kinds_guids_find(&guids, &guid) != NULL);
    kinds_guids_deinit(&guids);

    EXPECT(kinds_objects_add(&objects, asset) == KINDS_OBJECTS_OK);
    guid.high++;
    EXPECT(kinds_objects_find(&objects, &guid) != NULL);
    kinds_objects_deinit(&objects);

    strcpy(asset.tag, "Keel");
    EXPECT(kinds_cases_add(&cases, asset) == KINDS_CASES_OK && kinds_cases_find(&cases, "kEEL") != NULL && kinds_cases_find(&cases, "keels") == NULL);
    kinds_cases_deinit(&cases);

    for (char first = 'z'; first >= 'a'; first--) {
        asset.tag[0] = first;
        EXPECT(kinds_tags_add(&tags, asset) == KINDS_TAGS_OK);
    }
    for (size_t at = 0; at < 26; at++) {
        EXPECT(kinds_tags_get(&tags, at)->tag[0] == (char)('a' + (int)at));
    }
    EXPECT(kinds_tags_find(&tags, "qeel") == kinds_tags_get(&tags, 16) && kinds_tags_find(&tags, "keel ") == NULL);
    kinds_tags_deinit(&tags);
}

/* How many groups of a hash index entries have passed on their ways, in all. */
#define DISTANCE(list, sum) \
    do { \
        (sum) = 0; \
        for (size_t at = 0; at < (size_t)1 << (32 - (list).table_shift); at++) { \
            for (size_t i = 0; i < 4; i++) { \
                (sum) += (list).table[at].passed[i]; \
            } \
        } \
    } while (0)

enum { CHOSEN = 500 };

/* Strings that all begin their search in the first group while no seed is mixed in, found by trial; then with a seed, and without it
 * again. `T`: what holds pointers to them. */
#define CHOSEN_STRINGS(T, TT) \
    do { \
        T list = {0}; \
        size_t distance; \
        unsigned number = 0; \
        EXPECT(T##_reserve(&list, CHOSEN) == TT##_OK); \
        for (size_t found = 0; found < CHOSEN; number++) { \
            char text[16]; \
            snprintf(text, sizeof text, "%u", number); \
            assets[found] = named(text); \
            EXPECT(T##_add(&list, &assets[found]) == TT##_OK); \
            if (list.hashes[found] >> list.table_shift == 0) { \
                found++; \
            } else { \
                EXPECT(T##_remove(&list, &assets[found]) == TT##_OK); \
                free(assets[found].name); \
            } \
        } \
        DISTANCE(list, distance); \
        EXPECT(distance >= CHOSEN - 12); \
        T##_set_hash_key(&list, 12345); \
        DISTANCE(list, distance); \
        EXPECT(distance < CHOSEN / 10 && T##_find(&list, assets[7].name) == &assets[7] && T##_check(&list) == NULL); \
        T##_set_hash_key(&list, 0); \
        DISTANCE(list, distance); \
        EXPECT(distance >= CHOSEN - 12); \
        T##_deinit(&list); \
    } while (0)

static void chosen_strings(void)
{
    static struct asset assets[CHOSEN];
    kinds_names seeded = {0};
    size_t sum;

    CHOSEN_STRINGS(kinds_fast, KINDS_FAST);
    for (size_t at = 0; at < CHOSEN; at++) {
        free(assets[at].name);
    }
    CHOSEN_STRINGS(kinds_open, KINDS_OPEN);
    /* The same by a function. */
    EXPECT(kinds_names_reserve(&seeded, CHOSEN) == KINDS_NAMES_OK);
    for (size_t at = 0; at < CHOSEN; at++) {
        EXPECT(kinds_names_add(&seeded, assets[at]) == KINDS_NAMES_OK);
    }
    DISTANCE(seeded, sum);
    EXPECT(sum < CHOSEN / 10);
    kinds_names_deinit(&seeded);
}

/* What becomes this where its upper half is folded into the lower one. */
static uint64_t unfolded(uint64_t number)
{
    return number ^ number >> 32;
}

/* Integers whose products have no high bits: multiples of what the factor is the inverse of. All are on one way through the groups. */
static void chosen_numbers(void)
{
    const uint64_t factor = 0x6a30dc8943d78b51u;
    uint64_t inverse = 1;
    kinds_numbers open = {0};
    kinds_seeded seeded = {0};
    size_t distance;

    for (unsigned i = 0; i < 7; i++) {
        inverse *= 2 - factor * inverse; /* Newton's: each step doubles the bits that are right */
    }
    EXPECT(factor * inverse == 1);
    for (unsigned i = 0; i < CHOSEN; i++) {
        struct asset asset = {0};

        asset.number = unfolded(inverse * i);
        EXPECT(kinds_numbers_add(&open, asset) == KINDS_NUMBERS_OK && kinds_seeded_add(&seeded, asset) == KINDS_SEEDED_OK);
    }
    DISTANCE(open, distance);
    /* 12 are in each of 41 groups, 8 in the next; 20 groups count no further than 255 */
    EXPECT(distance == 20 * 255 + 12 * (20 * 21 / 2) + 8 * 21);
    DISTANCE(seeded, distance);
    EXPECT(distance < CHOSEN / 2);
    { /* T_rekey knows the old key by its hash: the wrong one of these is as good as the right one */
        struct asset *changed = kinds_numbers_find(&open, unfolded(inverse * 3));

        changed->number = 77;
        EXPECT(kinds_numbers_rekey(&open, changed, 78) == KINDS_NUMBERS_ABSENT);
        EXPECT(kinds_numbers_rekey(&open, changed, unfolded(inverse * 5)) == KINDS_NUMBERS_OK && kinds_numbers_check(&open) == NULL);
        EXPECT(kinds_numbers_find(&open, 77) == changed && kinds_numbers_find(&open, unfolded(inverse * 3)) == NULL);
        EXPECT(kinds_numbers_find(&open, unfolded(inverse * 5)) != NULL);
    }
    kinds_numbers_deinit(&open);
    kinds_seeded_deinit(&seeded);
}

/* The same of numbers of 32 bits, whose table is in a row: how far entries are from where their searches begin, in all. */
static size_t steps(const kinds_codes *list)
{
    size_t sum = 0;

    for (size_t at = 0; at <= list->table_mask; at++) {
        if (list->table[at].slot != 0) {
            sum += (at - (list->table[at].hash >> list->table_shift)) & list->table_mask;
        }
    }
    return sum;
}

static void chosen_codes(void)
{
    const uint32_t factor = 0x9e3779b9u;
    uint32_t inverse = 1;
    kinds_codes codes = {0};

    for (unsigned i = 0; i < 6; i++) {
        inverse *= 2 - factor * inverse;
    }
    for (uint32_t i = 0; i < CHOSEN; i++) {
        EXPECT(kinds_codes_add(&codes, inverse * i) == KINDS_CODES_OK);
    }
    EXPECT(steps(&codes) == (size_t)CHOSEN * (CHOSEN - 1) / 2);
    kinds_codes_set_hash_key(&codes, 12345);
    EXPECT(steps(&codes) < 4 * CHOSEN);
    for (uint32_t i = 0; i < CHOSEN; i++) {
        EXPECT(kinds_codes_find(&codes, inverse * i) != NULL && *kinds_codes_find(&codes, inverse * i) == inverse * i);
    }
    EXPECT(kinds_codes_find(&codes, (uint64_t)1 << 32 | inverse) == NULL && kinds_codes_check(&codes) == NULL);
    kinds_codes_deinit(&codes);
}

int main(void)
{
    strings();
    others();
    chosen_strings();
    chosen_numbers();
    chosen_codes();
    EXPECT(seeds > 0);
    return 0;
}
