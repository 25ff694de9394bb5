/* Updates in which hooks do what they like, with each moment of asking who has expired (tests/specs/updates.yaml). The
 * stories stand in updates_stories.h, which is read once for each container. */
#include "updates.h"
#include "../regression/check.h"
#include "../regression/vocabulary.h"
#include "dice.h"

#define COUNT 2000
static struct thing things[COUNT];

/* What there is to know of each thing, by id. */
static struct {
    bool in;
    unsigned came, left, destroyed;
    unsigned updated, asked; /* in this update */
    bool before;             /* it was in when this update began */
    bool expired_early;      /* it expired when its turn had not come yet */
} known[COUNT];

static uint32_t next_id;
static unsigned depth; /* updates within updates */
static bool quiet;     /* hooks only note what they are told */
static bool nested;    /* other passes ask as well: nobody counts the questions */

enum { AFTER = 1, BEFORE, AROUND };

/* One that is in; 0: nobody. */
static uint32_t anybody(void)
{
    for (uint32_t tries = 0; tries < 20; tries++) {
        uint32_t id = next_id > 30 ? next_id - 1 - random_number(30) : 1 + random_number(next_id);

        if (id < COUNT && known[id].in) {
            return id;
        }
    }
    return 0;
}

static void expire(uint32_t id)
{
    if (id != 0) {
        things[id].left = 0;
        known[id].expired_early = known[id].expired_early || known[id].updated == 0;
    }
}

#define T prunes_after
#define TT PRUNES_AFTER
#define ASK AFTER
#include "updates_stories.h"

#define T prunes_around
#define TT PRUNES_AROUND
#define ASK AROUND
#include "updates_stories.h"

#define T prunes_later_after
#define TT PRUNES_LATER_AFTER
#define ASK AFTER
#define ADDS NEXT
#include "updates_stories.h"

#define T prunes_back_around
#define TT PRUNES_BACK_AROUND
#define ASK AROUND
#include "updates_stories.h"

#define T linked_before
#define TT LINKED_BEFORE
#define ASK BEFORE
#include "updates_stories.h"

#define T member_around
#define TT MEMBER_AROUND
#define ASK AROUND
#include "updates_stories.h"

#define T back_before
#define TT BACK_BEFORE
#define ASK BEFORE
#include "updates_stories.h"

#define T back_unique_after
#define TT BACK_UNIQUE_AFTER
#define ASK AFTER
#include "updates_stories.h"

int main(void)
{
    prunes_after_stories();
    prunes_around_stories();
    prunes_later_after_stories();
    prunes_back_around_stories();
    linked_before_stories();
    member_around_stories();
    back_before_stories();
    back_unique_after_stories();
    return checks_result();
}
