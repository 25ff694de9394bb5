/* Bugs around hooks, with every way of leaving (tests/specs/hooked.yaml). The stories stand in hooked_stories.h, which is
 * read once for each container. */
#include "hooked.h"
#include "check.h"
#include "vocabulary.h"

#include <setjmp.h>

#define COUNT 40
static struct thing things[COUNT]; /* things[1] has id 1 */

/* What the hooks of a story were told, by id. */
static unsigned came[COUNT], left[COUNT], destroyed[COUNT], updated[COUNT];

/* What a story wants its hooks to do, once they have noted what they were told. */
static void (*on_add)(void *list, struct thing *thing);
static void (*on_destroy)(void *list, struct thing *thing);
static void (*on_update)(void *list, struct thing *thing);

static jmp_buf away;

static void begin_story(void)
{
    on_add = on_destroy = on_update = NULL;
    memset(things, 0, sizeof things);
    memset(came, 0, sizeof came);
    memset(left, 0, sizeof left);
    memset(destroyed, 0, sizeof destroyed);
    memset(updated, 0, sizeof updated);
    for (uint32_t id = 1; id < COUNT; id++) {
        things[id].id = id;
        things[id].left = 1;
    }
}

#define T shifts
#define TT SHIFTS
#include "hooked_stories.h"

#define T swaps
#define TT SWAPS
#include "hooked_stories.h"

#define T places
#define TT PLACES
#include "hooked_stories.h"

#define T hashes
#define TT HASHES
#include "hooked_stories.h"

#define T compacts
#define TT COMPACTS
#include "hooked_stories.h"

#define T buries
#define TT BURIES
#include "hooked_stories.h"

#define T waits
#define TT WAITS
#define ADDS DEFERRED
#include "hooked_stories.h"

#define T reuses
#define TT REUSES
#include "hooked_stories.h"

#define T prunes
#define TT PRUNES
#define UPDATES 1
#include "hooked_stories.h"

#define T back_copies
#define TT BACK_COPIES
#define UPDATES 1
#include "hooked_stories.h"

#define T chunked
#define TT CHUNKED
#include "hooked_stories.h"

#define T unlinks
#define TT UNLINKS
#include "hooked_stories.h"

#define T flock
#define TT FLOCK
#define UPDATES 1
#include "hooked_stories.h"

int main(void)
{
    shifts_stories();
    swaps_stories();
    places_stories();
    hashes_stories();
    compacts_stories();
    buries_stories();
    waits_stories();
    reuses_stories();
    prunes_stories();
    back_copies_stories();
    chunked_stories();
    unlinks_stories();
    flock_stories();
    return checks_result();
}
