/* Any bytes whatever in T_load of each container of tests/specs/saved.yaml: a status, never a crash, and no more memory than the bytes
 * account for. What it accepts is a valid container that works.
 *
 *     clang -g -fsanitize=fuzzer,address,undefined -DFUZZER -I<generated> -Itests/specs tests/fuzz/loads.c && ./a.out -max_len=4096
 *     cc -g -fsanitize=address,undefined -I<generated> -Itests/specs tests/fuzz/loads.c && ./a.out 2000
 *     ./a.out seeds FOLDER    a saved container of each kind, for the first of them to begin with
 *     ./a.out files FOLDER    the same, as they are saved
 *     ./a.out reads FOLDER    reads these, which another machine may have written: each is what this one writes
 *
 * The first byte is the number of the container, unless ONLY is in the environment. Where the bytes end, and 8 are asked for, the right checksum is read, so that what is
 * behind that is reached, too. The second program changes, cuts and inserts bytes of saved containers, the same in every run.
 */
#include "saved.c"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEED(what) ((what) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what), abort()))

typedef struct bytes {
    unsigned char at[1 << 16];
    size_t count, read;
    uint64_t sum;
} bytes;

static size_t arena_bytes, read_bytes;

static bool put(void *context, const void *what, size_t count)
{
    bytes *to = (bytes *)context;

    NEED(count <= sizeof to->at - to->count);
    memcpy(to->at + to->count, what, count);
    to->count += count;
    return true;
}

static bool get(void *context, void *what, size_t count)
{
    bytes *from = (bytes *)context;

    if (count == 8 && from->read == from->count) { /* the checksum, where it is not there */
        for (size_t i = 0; i < 8; i++) {
            ((unsigned char *)what)[i] = (unsigned char)(from->sum >> 8 * i);
        }
        return true;
    }
    if (count > from->count - from->read) {
        return false;
    }
    memcpy(what, from->at + from->read, count);
    for (size_t i = 0; i < count; i++) {
        from->sum = (from->sum ^ from->at[from->read + i]) * 0x100000001b3u;
    }
    from->read += count;
    read_bytes = from->read;
    return true;
}

/* -- what the containers call -------------------------------------------------------------------------------------------- */

void *arena_alloc(void *context, size_t count)
{
    (void)context;
    arena_bytes += count;
    NEED(arena_bytes <= 65536 + 1024 * read_bytes);
    return malloc(count);
}

void *arena_realloc(void *context, void *block, size_t old_count, size_t new_count)
{
    (void)context;
    arena_bytes += new_count - old_count;
    return realloc(block, new_count);
}

void arena_free(void *context, void *block, size_t count)
{
    (void)context;
    arena_bytes -= count;
    free(block);
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

void saved_after_removes(struct saved_after *list, struct relic *element)
{
    (void)list;
    (void)element;
}

void saved_after_upgrades(struct relic *element, uint32_t version)
{
    NEED(version <= 2);
    element->depth++;
}

/* Tales own their text: what is not freed is a leak. */
void saved_tales_destroys(struct saved_tales *list, struct tale *element)
{
    (void)list;
    free(element->text);
}

bool saved_tales_saves(struct saved_tales_writer *to, const struct tale *element)
{
    return saved_tales_write_number(to, strlen(element->text), 1) && saved_tales_write(to, element->text, strlen(element->text));
}

bool saved_tales_loads(struct saved_tales_reader *from, struct tale *element)
{
    size_t length = (size_t)saved_tales_read_number(from, 1);

    element->text = (char *)calloc(length + 1, 1);
    if (element->text != NULL && saved_tales_read(from, element->text, length) && memchr(element->text, 0, length) == NULL) {
        return true;
    }
    free(element->text);
    return false;
}

void saved_tales_upgrades(struct tale *element, uint32_t version)
{
    NEED(version <= 3);
    element->rank++;
}

/* And so do those in columns. */
#define TALES(T)                                                                                                       \
    void T##_destroys(struct T *list, struct tale *element)                                                            \
    {                                                                                                                  \
        (void)list;                                                                                                    \
        free(element->text);                                                                                           \
    }                                                                                                                  \
                                                                                                                       \
    bool T##_saves(struct T##_writer *to, const struct tale *element)                                                  \
    {                                                                                                                  \
        return T##_write_number(to, strlen(element->text), 1) && T##_write(to, element->text, strlen(element->text));  \
    }                                                                                                                  \
                                                                                                                       \
    bool T##_loads(struct T##_reader *from, struct tale *element)                                                      \
    {                                                                                                                  \
        size_t length = (size_t)T##_read_number(from, 1);                                                              \
                                                                                                                       \
        element->text = (char *)calloc(length + 1, 1);                                                                 \
        if (element->text != NULL && T##_read(from, element->text, length) && memchr(element->text, 0, length) == NULL) { \
            return true;                                                                                               \
        }                                                                                                              \
        free(element->text);                                                                                           \
        return false;                                                                                                  \
    }

TALES(saved_scrolls)
TALES(saved_slates)

/* -- each container ------------------------------------------------------------------------------------------------------ */

static struct relic a_relic(unsigned n)
{
    struct relic made;

    memset(&made, 0, sizeof made);
    made.id = n;
    made.rank = (int)(n * 7 % 5) - 2;
    made.turns = -(long long)n;
    made.found = n % 2;
    made.kind = n & 31;
    memcpy(made.name, "relic", 6);
    return made;
}

static struct old_relic a_old_relic(unsigned n)
{
    struct old_relic made;

    memset(&made, 0, sizeof made);
    made.id = n;
    made.found = n % 2;
    return made;
}

static struct tale a_tale(unsigned n)
{
    struct tale made;

    memset(&made, 0, sizeof made);
    made.id = n;
    made.text = (char *)calloc(8, 1);
    memcpy(made.text, "a tale", 7);
    return made;
}

static struct gem a_gem(unsigned n)
{
    struct gem made;

    memset(&made, 0, sizeof made);
    made.id = n;
    made.cut = n % 2;
    made.weight[2] = 1.5f;
    made.spent = -(long)n;
    return made;
}

static struct star a_star(unsigned n)
{
    struct star made;

    memset(&made, 0, sizeof made);
    made.id = n;
    made.rank = (int)(n * 7 % 5) - 2;
    made.parsecs = n / 4.0;
    return made;
}

#define DISCARD_gem(made) (void)made
#define DISCARD_star(made) (void)made
#define DISCARD_relic(made) (void)made
#define DISCARD_old_relic(made) (void)made
#define DISCARD_tale(made) free((made).text)

/* Saves a container that was in use. Loads bytes, and if they are accepted uses what they make. */
#define CONTAINER(T, TT, kind, reads)                                      \
    static void save_##T(bytes *to, unsigned number)                      \
    {                                                                     \
        T list;                                                           \
                                                                          \
        memset(&list, 0, sizeof list);                                    \
        for (unsigned n = 0; n < number; n++) {                           \
            struct kind made = a_##kind(n);                               \
            T##_status status = ADD_##T(&list, made);                     \
                                                                          \
            if (status != TT##_OK) {                                      \
                DISCARD_##kind(made);                                     \
            }                                                             \
        }                                                                 \
        DRAIN_##T(&list);                                                 \
        NEED(T##_save(&list, put, to) == TT##_OK);                        \
        T##_deinit(&list);                                                \
    }                                                                     \
                                                                          \
    static bool load_##T(bytes *from)                                     \
    {                                                                     \
        T list;                                                           \
        bool taken;                                                       \
                                                                          \
        memset(&list, 0, sizeof list);                                    \
        taken = T##_##reads(&list, get, from) == TT##_OK;                \
        NEED(T##_check(&list) == NULL);                                   \
        NEED(taken || T##_count(&list) == 0);                             \
        if (taken) {                                                      \
            static bytes again;                                           \
                                                                          \
            again.count = 0;                                              \
            if (T##_count(&list) < 300) {                                 \
                NEED(T##_save(&list, put, &again) == TT##_OK);            \
            }                                                             \
            for (unsigned n = 0; n < 70; n++) {                           \
                struct kind made = a_##kind(1000 + n);                    \
                                                                          \
                if (ADD_##T(&list, made) != TT##_OK) {                    \
                    DISCARD_##kind(made);                                 \
                }                                                         \
            }                                                             \
            DRAIN_##T(&list);                                             \
            NEED(T##_check(&list) == NULL);                               \
        }                                                                 \
        T##_deinit(&list);                                                \
        return taken;                                                     \
    }

/* Removes every third element. */
#define DRAIN(T, TT)                                  \
    static void DRAIN_##T(T *list)                    \
    {                                                 \
        unsigned n = 0;                               \
                                                      \
        TT##_EACH(list, element) {                    \
            if (n++ % 3 == 1) {                       \
                (void)T##_remove_current(&element_cursor); \
            }                                         \
        }                                             \
    }

/* Adds an element below one of the first, or below none. */
#define GROW(T, TT)                                                                                           \
    static T##_status ADD_##T(T *list, struct relic made)                                                     \
    {                                                                                                         \
        const struct relic *parent = NULL;                                                                    \
        unsigned n = 0;                                                                                       \
                                                                                                              \
        TT##_EACH(list, element) {                                                                            \
            if (n++ == made.id % 9) {                                                                         \
                parent = element;                                                                             \
                break;                                                                                        \
            }                                                                                                 \
        }                                                                                                     \
        return parent != NULL ? T##_add_child(list, parent, made) : T##_add(list, made);                      \
    }

GROW(saved_tree, SAVED_TREE)
GROW(saved_branches, SAVED_BRANCHES)
#define ADD_saved_row saved_row_add
#define ADD_saved_ring saved_ring_add
#define ADD_saved_sorted saved_sorted_add
#define ADD_saved_swap saved_swap_add
#define ADD_saved_narrow saved_narrow_add
#define ADD_saved_buried saved_buried_add
#define ADD_saved_waiting saved_waiting_add
#define ADD_saved_slots saved_slots_add
#define ADD_saved_inline saved_inline_add
#define ADD_saved_fixed saved_fixed_add
#define ADD_saved_links saved_links_add
#define ADD_saved_before saved_before_add
#define ADD_saved_after saved_after_add
#define ADD_saved_tales saved_tales_add
#define ADD_saved_columns saved_columns_add
#define ADD_saved_lanes saved_lanes_add
#define ADD_saved_sky saved_sky_add
#define ADD_saved_scrolls saved_scrolls_add
#define ADD_saved_slates saved_slates_add
#define ADD_saved_filed saved_filed_add
#define ADD_saved_cards saved_cards_add

/* Half of the elements have something beside them. */
static saved_beside_status ADD_saved_beside(saved_beside *list, struct relic made)
{
    saved_beside_handle handle;
    saved_beside_status status = saved_beside_add_handle(list, made, &handle);
    struct gem gem;

    memset(&gem, 0, sizeof gem);
    gem.id = made.id;
    gem.cut = made.id % 3 == 0;
    if (status == SAVED_BESIDE_OK && made.id % 2 == 0) {
        NEED(saved_beside_set_gem(list, handle, gem) == SAVED_BESIDE_OK && saved_beside_set_lit(list, handle, made.id % 3 == 1) == SAVED_BESIDE_OK);
        NEED(saved_beside_set_ally(list, handle, handle) == SAVED_BESIDE_OK);
    }
    return status;
}

DRAIN(saved_row, SAVED_ROW)
DRAIN(saved_ring, SAVED_RING)
DRAIN(saved_swap, SAVED_SWAP)
DRAIN(saved_narrow, SAVED_NARROW)
DRAIN(saved_buried, SAVED_BURIED)
DRAIN(saved_waiting, SAVED_WAITING)
DRAIN(saved_slots, SAVED_SLOTS)
DRAIN(saved_inline, SAVED_INLINE)
DRAIN(saved_fixed, SAVED_FIXED)
DRAIN(saved_links, SAVED_LINKS)
DRAIN(saved_tree, SAVED_TREE)
DRAIN(saved_branches, SAVED_BRANCHES)
DRAIN(saved_columns, SAVED_COLUMNS)
DRAIN(saved_lanes, SAVED_LANES)
DRAIN(saved_before, SAVED_BEFORE)
DRAIN(saved_after, SAVED_AFTER)
DRAIN(saved_tales, SAVED_TALES)
DRAIN(saved_scrolls, SAVED_SCROLLS)
DRAIN(saved_slates, SAVED_SLATES)
DRAIN(saved_filed, SAVED_FILED)
DRAIN(saved_cards, SAVED_CARDS)
DRAIN(saved_beside, SAVED_BESIDE)

static void DRAIN_saved_sorted(saved_sorted *list)
{
    for (size_t n = 1; n < saved_sorted_count(list); n += 2) {
        (void)saved_sorted_remove_at(list, n);
    }
}

static void DRAIN_saved_sky(saved_sky *list)
{
    for (size_t n = 1; n < saved_sky_count(list); n += 2) {
        (void)saved_sky_remove_at(list, n);
    }
}

CONTAINER(saved_row, SAVED_ROW, relic, load)
CONTAINER(saved_ring, SAVED_RING, relic, load)
CONTAINER(saved_sorted, SAVED_SORTED, relic, load)
CONTAINER(saved_swap, SAVED_SWAP, relic, load)
CONTAINER(saved_narrow, SAVED_NARROW, relic, load)
CONTAINER(saved_buried, SAVED_BURIED, relic, load)
CONTAINER(saved_waiting, SAVED_WAITING, relic, load)
CONTAINER(saved_slots, SAVED_SLOTS, relic, load)
CONTAINER(saved_inline, SAVED_INLINE, relic, load)
CONTAINER(saved_fixed, SAVED_FIXED, relic, load)
CONTAINER(saved_links, SAVED_LINKS, relic, load)
CONTAINER(saved_tree, SAVED_TREE, relic, load)
CONTAINER(saved_branches, SAVED_BRANCHES, relic, load)
CONTAINER(saved_columns, SAVED_COLUMNS, relic, restore)
CONTAINER(saved_lanes, SAVED_LANES, gem, restore)
CONTAINER(saved_sky, SAVED_SKY, star, restore)
CONTAINER(saved_before, SAVED_BEFORE, old_relic, load)
CONTAINER(saved_after, SAVED_AFTER, relic, load)
CONTAINER(saved_tales, SAVED_TALES, tale, load)
CONTAINER(saved_scrolls, SAVED_SCROLLS, tale, restore)
CONTAINER(saved_slates, SAVED_SLATES, tale, restore)
CONTAINER(saved_filed, SAVED_FILED, relic, load)
CONTAINER(saved_cards, SAVED_CARDS, relic, load)
CONTAINER(saved_beside, SAVED_BESIDE, relic, load)

#define BOTH(T) {#T, save_##T, load_##T}
static const struct {
    const char *name;
    void (*save)(bytes *to, unsigned number);
    bool (*load)(bytes *from);
} containers[] = {BOTH(saved_row), BOTH(saved_ring), BOTH(saved_sorted), BOTH(saved_swap), BOTH(saved_narrow), BOTH(saved_buried),
                  BOTH(saved_waiting), BOTH(saved_slots), BOTH(saved_inline), BOTH(saved_fixed), BOTH(saved_links), BOTH(saved_tales), BOTH(saved_before), BOTH(saved_after),
                  BOTH(saved_tree), BOTH(saved_branches), BOTH(saved_columns), BOTH(saved_lanes), BOTH(saved_sky), BOTH(saved_scrolls), BOTH(saved_slates),
                  BOTH(saved_filed), BOTH(saved_cards), BOTH(saved_beside)};
enum { CONTAINERS = sizeof containers / sizeof containers[0] };

static bool load(bytes *from, unsigned which)
{
    from->read = read_bytes = 0;
    from->sum = 0xcbf29ce484222325u;
    return containers[which % CONTAINERS].load(from);
}

#ifdef FUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bytes from;
    const char *only = getenv("ONLY");

    if (size > 0 && size <= sizeof from.at) {
        from.count = size - 1;
        memcpy(from.at, data + 1, size - 1);
        (void)load(&from, only != NULL ? (unsigned)atoi(only) : data[0]);
    }
    return 0;
}
#else
static uint64_t chance = 1;

static size_t below(size_t limit)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(chance >> 33) % limit;
}

static void mutate(bytes *what)
{
    static const unsigned char numbers[] = {0, 1, 2, 0x40, 0x7f, 0x80, 0xfe, 0xff};

    for (size_t many = 1 + below(3); many > 0 && what->count > 1; many--) {
        size_t at = below(2) == 0 ? below(what->count) : below(what->count < 160 ? what->count : 160);

        switch (below(5)) {
        case 0: what->at[at] ^= (unsigned char)(1u << below(8)); break;
        case 1: what->at[at] = numbers[below(sizeof numbers)]; break;
        case 2: what->count = at + 1; break;
        case 3: /* bytes once more */
            memmove(what->at + at + 4, what->at + at, what->count - at);
            what->count += 4;
            break;
        default: /* or not at all */
            memmove(what->at + at, what->at + at + 1, what->count - at - 1);
            what->count--;
            break;
        }
    }
}

/* What is done with a saved container and a file: seeds, files, reads. */
static void with_file(const char *how, const char *folder, unsigned which, unsigned number, bytes *saved)
{
    static bytes other;
    char name[300];
    FILE *file;

    snprintf(name, sizeof name, "%s/%s_%u", folder, containers[which].name, number);
    file = fopen(name, strcmp(how, "reads") == 0 ? "rb" : "wb");
    NEED(file != NULL);
    if (strcmp(how, "reads") == 0) {
        other.count = fread(other.at, 1, sizeof other.at, file);
        NEED(load(&other, which) && other.read == other.count);
        NEED(other.count == saved->count && memcmp(other.at, saved->at, saved->count) == 0);
    } else if (strcmp(how, "files") == 0) {
        NEED(fwrite(saved->at, 1, saved->count, file) == saved->count);
    } else {
        NEED(fputc((int)which, file) != EOF && fwrite(saved->at, 1, saved->count - 8, file) == saved->count - 8);
    }
    fclose(file);
}

int main(int count, char **arguments)
{
    static bytes saved, changed;
    static const unsigned numbers[] = {0, 1, 5, 40, 100};
    unsigned long runs = count > 1 ? strtoul(arguments[1], NULL, 10) : 2000;

    for (unsigned which = 0; which < CONTAINERS; which++) {
        unsigned long taken = 0;

        for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            saved.count = 0;
            containers[which].save(&saved, numbers[i]);
            if (count > 2) {
                with_file(arguments[1], arguments[2], which, numbers[i], &saved);
                continue;
            }
            NEED(load(&saved, which) && saved.read == saved.count);
            for (unsigned long run = 0; run < runs; run++) {
                memcpy(changed.at, saved.at, saved.count);
                changed.count = saved.count - 8; /* the checksum is right, or is no part of it */
                mutate(&changed);
                taken += load(&changed, which);
            }
        }
        printf("%s: %lu of %lu accepted\n", containers[which].name, taken, runs * 5);
        NEED(count > 2 || taken > 0);
    }
    return 0;
}
#endif
