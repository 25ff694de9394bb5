/* bespoke_passes_... beside an array of serials: each sequence of five changes with 3 records, and all 32 records at random. */
#include "support.h"
#include "../../templates/support/lowest_bit.h"
#include "../../templates/support/live_passes.h"
#include "../../templates/support/passes.h"

enum { MOST = 32 };

static struct bespoke_passes live;
static uint32_t noted[MOST];  /* the serial in each record, as a container has it */
static uint32_t naive[MOST];  /* the serial of the live pass of a record; 0: it is free */

static void check(void)
{
    uint32_t number = 0;
    uint32_t first_free = MOST;
    uint32_t some = 0;
    uint32_t one = MOST;

    for (uint32_t record = MOST; record-- > 0;) {
        if (naive[record] == 0) {
            first_free = record;
        } else {
            number++;
            some = record;
        }
    }
    CHECK(bespoke_passes_free(&live) == first_free);
    CHECK(bespoke_passes_one(&live, &one) == (number == 1));
    CHECK(one == (number == 1 ? some : (uint32_t)MOST));
    for (uint32_t record = 0; record < MOST; record++) { /* a cursor of each pass that there was */
        CHECK((live.records >> record & 1) == (naive[record] != 0));
        for (uint32_t serial = live.serial > 40 ? live.serial - 40 : 1; serial <= live.serial; serial++) {
            CHECK(bespoke_passes_has(&live, record, noted[record], serial) == (naive[record] == serial));
        }
    }
}

/* What a container does where a pass begins; false: there is no record. */
static bool begin(uint32_t most)
{
    uint32_t record = bespoke_passes_free(&live);
    uint32_t serial = live.serial + 1;

    if (record >= most) {
        return false;
    }
    bespoke_passes_begin(&live, record, serial);
    noted[record] = serial;
    naive[record] = serial;
    CHECK(live.serial == serial);
    return true;
}

static void settle(void)
{
    bool any = false;

    for (uint32_t record = 0; record < MOST; record++) {
        any = any || naive[record] != 0;
        naive[record] = 0;
    }
    CHECK(bespoke_passes_settle(&live) == any);
}

/* One change: 0 begins a pass, 1 to `most` ends one, the last settles. */
static void change(uint32_t choice, uint32_t most)
{
    if (choice == 0) {
        uint32_t number = 0;

        for (uint32_t record = 0; record < most; record++) {
            number += naive[record] != 0;
        }
        CHECK(begin(most) == (number < most));
    } else if (choice <= most) {
        if (naive[choice - 1] != 0) {
            bespoke_passes_end(&live, choice - 1);
            naive[choice - 1] = 0;
        }
    } else {
        settle();
    }
    check();
}

int main(void)
{
    uint32_t random = 1;

    for (uint32_t sequence = 0; sequence < 3125; sequence++) { /* five changes, each one of five */
        memset(&live, 0, sizeof live);
        memset(noted, 0, sizeof noted);
        memset(naive, 0, sizeof naive);
        for (uint32_t rest = sequence, step = 0; step < 5; step++, rest /= 5) {
            change(rest % 5, 3);
        }
    }
    for (unsigned step = 0; step < 20000; step++) {
        random = random * 1664525u + 1013904223u;
        change((random >> 31) != 0 ? 0 : (random >> 8) % 97 == 0 ? MOST + 1 : 1 + (random >> 16) % MOST, MOST);
    }
    return 0;
}
