/* A list of the container that a program is compiled for (subjects.h), in the same words for all: made, filled, asked who is
 * in. */
#ifndef LISTS_H
#define LISTS_H

#include "subjects.h"
#include "check.h"

static ELEMENT elements[400]; /* elements[1] is number 1 */

/* Was the change made, or will it be? */
static inline void done(int said)
{
#if ADDS == DEFERRED
    CHECK(said == (int)SAYS(OK) || said == (int)SAYS(QUEUED));
#else
    CHECK(said == (int)SAYS(OK));
#endif
}

static inline void put(LIST *list, uint32_t id)
{
    done((int)ADD(list, id));
}

/* A list of the elements 1 to `count`. */
static inline LIST *list_of(uint32_t count)
{
    static LIST list; /* where elements may know it by its address */

    memset(&list, 0, sizeof list);
    memset(elements, 0, sizeof elements);
    for (uint32_t id = 1; id < sizeof elements / sizeof *elements; id++) {
        elements[id].NUMBER = id;
        ALIVE(&elements[id]);
    }
    for (uint32_t id = 1; id <= count; id++) {
        put(&list, id);
    }
    return &list;
}

/* Takes an element out that a pass may stand on, or not. */
static inline void take(LIST *list, uint32_t id)
{
#if POINTERS
    done((int)REMOVE(list, &elements[id]));
#else
    EACH(list, element) {
        if (ID(list, element) == id) {
#if ANY
            done((int)REMOVE(list, element));
#else
            done((int)CALL(remove_current)(&element_cursor));
#endif
            break;
        }
    }
#endif
}

/* Ids as bits: a set of elements. All tests do with few. */
#define BIT(id) ((uint32_t)1 << (id))
#define UP_TO(count) (BIT((count) + 1) - BIT(1))

/* Notes that a pass has come to an element, which it may do once. */
static inline void meet(uint32_t *met, uint32_t id)
{
    CHECK(id > 0 && id < 32 && (*met & BIT(id)) == 0);
    *met |= BIT(id);
}

/* Who is in, as a pass sees it, while no other pass is live. Elements are only ever added with rising numbers. */
static inline uint32_t held(LIST *list)
{
    uint32_t met = 0, last = 0;
    size_t count = 0;

    EACH(list, element) {
        uint32_t id = ID(list, element);

        meet(&met, id);
        count++;
        CHECK(ORDER == UNORDERED || last == 0 || (ORDER == FORWARD ? last < id : last > id));
        last = id;
    }
    CHECK(CALL(count)(list) == count && CALL(is_empty)(list) == (count == 0));
    CHECK(CALL(check)(list) == NULL);
    return met;
}

#endif
