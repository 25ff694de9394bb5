#include "loops.h"
#include "lists.h"

#include <stdlib.h>

/* -- by hand ----------------------------------------------------------------------------------------------------------- */

struct plain {
    struct spot *items;
    size_t count, capacity;
};

static void *make_plain(size_t n)
{
    struct plain *list = malloc(sizeof *list);
    list->items = calloc(n, sizeof *list->items);
    list->count = list->capacity = n;
    return list;
}

static void *make_room(size_t n)
{
    struct plain *list = make_plain(n);
    list->count = 0;
    return list;
}

static float hand_data(void *of, size_t n)
{
    struct plain *list = of;
    float sum = 0;
    (void)n;
    for (size_t i = 0; i < list->count; i++) {
        sum += list->items[i].x;
    }
    return sum;
}

/* What may remove the element that it stands on looks at the list in each turn. */
static float hand_removing(void *of, size_t n)
{
    struct plain *list = of;
    float sum = 0;
    (void)n;
    for (size_t i = 0; i < list->count; i++) {
        struct spot *spot = &list->items[i];
        if (spot->id == 1) {
            list->items[i--] = list->items[--list->count];
            continue;
        }
        sum += spot->x;
        spot->x = 1;
    }
    return sum;
}

__attribute__((noinline)) static int hand_push(struct plain *list, struct spot spot)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2;
        struct spot *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            return 1;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = spot;
    return 0;
}

static float hand_add(void *of, size_t n)
{
    struct spot spot = {0};
    for (size_t i = 0; i < n; i++) {
        spot.id = (uint32_t)i;
        hand_push(of, spot);
    }
    return 0;
}

/* What asks for an element by its place, or by a handle, knows that one that is there has an address. */
static float hand_get(void *of, size_t n)
{
    struct plain *list = of;
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i < list->count) {
            sum += list->items[i].x;
        }
    }
    return sum;
}

struct generations {
    struct spot *items;
    uint32_t *generations;
    size_t used;
};

static void *make_generations(size_t n)
{
    struct generations *list = malloc(sizeof *list);
    list->items = calloc(n, sizeof *list->items);
    list->generations = malloc(n * sizeof *list->generations);
    list->used = n;
    for (size_t i = 0; i < n; i++) {
        list->generations[i] = 1;
    }
    return list;
}

static float hand_handle(void *of, size_t n)
{
    struct generations *list = of;
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t index = (uint32_t)i;
        if (index < list->used && list->generations[index] == 1) {
            sum += list->items[index].x;
        }
    }
    return sum;
}

/* -- the containers ---------------------------------------------------------------------------------------------------- */

#define CONTAINER(T, TT)                                                                                                         \
    static void *make_##T(size_t n)                                                                                              \
    {                                                                                                                            \
        T *list = calloc(1, sizeof *list);                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                                         \
            (void)T##_add(list, (struct spot){0});                                                                               \
        }                                                                                                                        \
        return list;                                                                                                             \
    }                                                                                                                            \
    static void *room_##T(size_t n)                                                                                              \
    {                                                                                                                            \
        T *list = calloc(1, sizeof *list);                                                                                       \
        T##_reserve(list, n);                                                                                                    \
        return list;                                                                                                             \
    }                                                                                                                            \
    static float walk_##T(void *of, size_t n)                                                                                    \
    {                                                                                                                            \
        float sum = 0;                                                                                                           \
        (void)n;                                                                                                                 \
        TT##_EACH((T *)of, spot)                                                                                                 \
        {                                                                                                                        \
            sum += spot->x;                                                                                                      \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }                                                                                                                            \
    static float removing_##T(void *of, size_t n)                                                                                \
    {                                                                                                                            \
        float sum = 0;                                                                                                           \
        (void)n;                                                                                                                 \
        TT##_EACH((T *)of, spot)                                                                                                 \
        {                                                                                                                        \
            if (spot->id == 1) {                                                                                                 \
                T##_remove_current(&spot_cursor);                                                                                \
                continue;                                                                                                        \
            }                                                                                                                    \
            sum += spot->x;                                                                                                      \
            spot->x = 1;                                                                                                         \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }                                                                                                                            \
    static float add_##T(void *of, size_t n)                                                                                     \
    {                                                                                                                            \
        struct spot spot = {0};                                                                                                  \
        for (size_t i = 0; i < n; i++) {                                                                                         \
            spot.id = (uint32_t)i;                                                                                               \
            (void)T##_add(of, spot);                                                                                             \
        }                                                                                                                        \
        return 0;                                                                                                                \
    }

/* Those whose elements are one array. */
#define ARRAY(T)                                                                                                                 \
    static float data_##T(void *of, size_t n)                                                                                    \
    {                                                                                                                            \
        T *list = of;                                                                                                            \
        struct spot *items = T##_data(list);                                                                                     \
        float sum = 0;                                                                                                           \
        (void)n;                                                                                                                 \
        for (size_t i = 0; i < T##_count(list); i++) {                                                                           \
            sum += items[i].x;                                                                                                   \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }

/* Those in which a place is asked for. */
#define PLACES(T)                                                                                                                \
    static float get_##T(void *of, size_t n)                                                                                     \
    {                                                                                                                            \
        float sum = 0;                                                                                                           \
        for (size_t i = 0; i < n; i++) {                                                                                         \
            struct spot *spot = T##_get(of, i);                                                                                  \
            if (spot != NULL) {                                                                                                  \
                sum += spot->x;                                                                                                  \
            }                                                                                                                    \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }

/* With three more passes under way, whose records are not all in the container; and where each turn removes what it stands on. */
#define NESTED(T, TT)                                                                                                            \
    static float nested_##T(void *of, size_t n)                                                                                  \
    {                                                                                                                            \
        T##_cursor others[3] = {T##_begin(of), T##_begin(of), T##_begin(of)};                                                    \
        float sum = walk_##T(of, n);                                                                                             \
        for (int i = 0; i < 3; i++) {                                                                                            \
            T##_end(&others[i]);                                                                                                 \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }                                                                                                                            \
    static float leaving_##T(void *of, size_t n)                                                                                 \
    {                                                                                                                            \
        (void)n;                                                                                                                 \
        TT##_EACH((T *)of, spot)                                                                                                 \
        {                                                                                                                        \
            T##_remove_current(&spot_cursor);                                                                                    \
        }                                                                                                                        \
        return 0;                                                                                                                \
    }

static void *make_named(size_t n)
{
    named *list = calloc(1, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        (void)named_add(list, (struct spot){0});
    }
    return list;
}

static float handle_named(void *of, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        named_handle handle = {.index = (uint32_t)i, .generation = 1};
        struct spot *spot = named_get(of, handle);
        if (spot != NULL) {
            sum += spot->x;
        }
    }
    return sum;
}

CONTAINER(shifted, SHIFTED)
CONTAINER(loose, LOOSE)
CONTAINER(many, MANY)
CONTAINER(gapped, GAPPED)
CONTAINER(chunked, CHUNKED)
CONTAINER(holes, HOLES)
CONTAINER(dead, DEAD)
CONTAINER(linked, LINKED)
NESTED(many, MANY)
NESTED(linked, LINKED)
ARRAY(shifted)
ARRAY(loose)
ARRAY(many)
ARRAY(gapped)
PLACES(shifted)
PLACES(chunked)

/* In range.cpp. */
#define RANGES(T) float range_##T(void *of, size_t n), range_removing_##T(void *of, size_t n);

RANGES(shifted)
RANGES(loose)
RANGES(many)
RANGES(gapped)
RANGES(chunked)
RANGES(holes)
RANGES(dead)
RANGES(linked)

#define LOOPS(T)                                                                                                                 \
    {#T " walk", make_##T, walk_##T}, {#T " removing", make_##T, removing_##T}, {#T " add", room_##T, add_##T},                  \
        {#T " range", make_##T, range_##T}, {#T " range removing", make_##T, range_removing_##T}

const struct loop loops[] = {
    {"hand data", make_plain, hand_data},
    {"hand removing", make_plain, hand_removing},
    {"hand add", make_room, hand_add},
    {"hand get", make_plain, hand_get},
    {"hand handle", make_generations, hand_handle},
    LOOPS(shifted),
    LOOPS(loose),
    LOOPS(many),
    LOOPS(gapped),
    LOOPS(chunked),
    LOOPS(holes),
    LOOPS(dead),
    LOOPS(linked),
    {"shifted data", make_shifted, data_shifted},
    {"loose data", make_loose, data_loose},
    {"many data", make_many, data_many},
    {"gapped data", make_gapped, data_gapped},
    {"shifted get", make_shifted, get_shifted},
    {"chunked get", make_chunked, get_chunked},
    {"many nested", make_many, nested_many},
    {"linked nested", make_linked, nested_linked},
    {"many leaving", make_many, leaving_many},
    {"linked leaving", make_linked, leaving_linked},
    {"named handle", make_named, handle_named},
    {NULL, NULL, NULL},
};
