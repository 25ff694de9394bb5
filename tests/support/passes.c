/* bespoke_passes_... beside an array of serials: each sequence of six changes with 3 records, and many records at random, which grow as those of a
 * container do. */
#include "support.h"
#include "../../templates/support/live_passes.h"
#include "../../templates/support/passes.h"
#include "../../templates/support/passes_used.h"

enum { FEW = 3, MOST = 88 };

struct record {
    uint32_t serial;
    size_t place;
};

/* What a container has of them, and a cursor. */
struct list {
    struct record passes[FEW];
    struct bespoke_more_passes *more_passes;
    struct bespoke_passes live;
    uint32_t changes;
};
struct cursor {
    struct list *list;
    struct record *record;
    uint32_t pass, changes;
};

static struct list list;
static uint32_t last; /* the serial of the pass that began last */
static uint32_t naive[MOST]; /* the serial of the live pass of a record; 0: it is free */
static struct record *seen[MOST]; /* where it lies: a record does not move */
static uint32_t begun;       /* passes that have ever begun */
static uint32_t largest;     /* the most records that there were */

static uint32_t room(void) { return bespoke_passes_room(FEW, list.more_passes); }

static struct record *at(uint32_t number)
{
    return BESPOKE_PASS(struct record, FEW, &list, number);
}

/* The number of a free record. */
static uint32_t free_one(void)
{
    return bespoke_passes_free(&list.live, FEW, list.passes, list.more_passes, sizeof *list.passes);
}

/* The loop goes over the records in use, in the order of their numbers, also while it frees some. */
static void check_loop(void)
{
    uint32_t next = 0;
    uint32_t turns = 0;

    BESPOKE_EACH_PASS(const struct record, FEW, &list, pass, record) {
        for (; next < record; next++) {
            CHECK(naive[next] == 0);
        }
        CHECK(pass == seen[record] && pass->serial == naive[record]);
        next = record + 1;
        if (turns++ % 2 == 0) {
            continue;
        }
        CHECK(bespoke_passes_is(pass, naive[record]));
    }
    CHECK(turns == list.live.number);
}

static void check_own_loop(void)
{
    struct list own = {{{0, 0}}, NULL, {0}, 0};
    uint32_t turns = 0;

    for (uint32_t record = 0; record < FEW; record++) {
        own.passes[record].serial = naive[record];
        own.live.number += naive[record] != 0;
    }
    BESPOKE_EACH_OWN_PASS(struct record, &own, pass, record) {
        CHECK(pass->serial == naive[record]);
        bespoke_passes_end(&own.live, &pass->serial);
        turns++;
    }
    CHECK(own.live.number == 0 && turns == bespoke_passes_used(FEW, list.passes, sizeof *list.passes));
}

/* A cursor has the address of its record, and looks for it once something has changed. */
static void check_cursor(uint32_t record)
{
    struct record stale = {0, 0};
    struct cursor cursor = {&list, &stale, record, list.changes};

    CHECK(BESPOKE_CURSOR_PASS(struct record, FEW, &cursor) == &stale);
    cursor.changes--;
    CHECK(BESPOKE_CURSOR_PASS(struct record, FEW, &cursor) == seen[record]);
}

static void check(void)
{
    uint32_t number = 0;
    uint32_t next = free_one();

    for (uint32_t record = 0; record < MOST; record++) {
        struct record *there = at(record);

        number += naive[record] != 0;
        CHECK((there == NULL) == (record >= room()) && there == seen[record]);
        CHECK(there == NULL || record < FEW || there == bespoke_passes_at(list.more_passes, record, sizeof *there));
        check_cursor(record);
        CHECK(!bespoke_passes_is(there, last + 2));
        if (there != NULL) {
            CHECK(there->serial == naive[record] && bespoke_passes_is(there, naive[record]));
            CHECK(there->place == record * 7); /* nothing else of a record is touched */
        }
    }
    CHECK(BESPOKE_PASSES_USED(struct record, FEW, &list) == number);
    CHECK(list.live.number == number);
    CHECK(number == room() ? next == UINT32_MAX : next < room() && naive[next] == 0);
    CHECK(list.live.number > 0 || next == 0);
    check_loop();
    check_own_loop();
}

/* There are more records, those there were stay where they are; `memory`: there is some. */
static void grow(bool memory)
{
    struct bespoke_more_passes *before = list.more_passes;
    uint32_t first = room();
    size_t held = bespoke_passes_held(before, sizeof *list.passes);
    size_t bytes = bespoke_passes_block(FEW, before, sizeof *list.passes);
    void *block = memory ? malloc(bytes) : NULL;

    CHECK(memory == (block != NULL));
    if (block != NULL) {
        memset(block, 0xa5, bytes);
    }
    CHECK(bespoke_passes_add(&list.more_passes, FEW, block, bytes) == memory);
    if (!memory) {
        CHECK(list.more_passes == before && room() == first && free_one() == UINT32_MAX);
        return;
    }
    CHECK(bytes == sizeof *before + (room() - first) * sizeof *list.passes && room() == first + bespoke_passes_in(list.more_passes));
    CHECK(bespoke_passes_size(list.more_passes, sizeof *list.passes) == bytes);
    CHECK(bespoke_passes_held(list.more_passes, sizeof *list.passes) == held + bytes);
    for (uint32_t record = first; record < room(); record++) {
        seen[record] = at(record);
        CHECK(seen[record]->serial == 0 && seen[record]->place == 0);
        seen[record]->place = record * 7;
    }
    largest = largest < room() ? room() : largest;
}

/* None is in use. */
static void release(void)
{
    while (list.more_passes != NULL) {
        free(bespoke_passes_drop(&list.more_passes));
    }
    CHECK(bespoke_passes_held(list.more_passes, sizeof *list.passes) == 0);
    for (uint32_t record = FEW; record < MOST; record++) {
        seen[record] = NULL;
    }
}

/* What a container does where a pass begins; false: there is no record. */
static bool begin(uint32_t most)
{
    uint32_t record = free_one();
    uint32_t serial;

    if (record == UINT32_MAX) {
        grow(false);
        if (room() >= most) {
            return false;
        }
        grow(true);
        record = free_one();
    }
    serial = bespoke_passes_begin(&list.live, &last);
    CHECK(serial != 0 && serial == last);
    for (uint32_t other = 0; other < MOST; other++) {
        CHECK(naive[other] != serial);
    }
    at(record)->serial = serial;
    naive[record] = serial;
    begun++;
    return true;
}

static void settle(void)
{
    bool any = false;

    for (uint32_t record = 0; record < MOST; record++) {
        any = any || naive[record] != 0;
        naive[record] = 0;
    }
    CHECK(bespoke_passes_settle(&list.live, FEW, list.passes, sizeof *list.passes) == any);
    release();
}

/* One change: 0 begins a pass, 1 to `most` ends one, the last settles. */
static void change(uint32_t choice, uint32_t most)
{
    if (choice == 0) {
        uint32_t number = list.live.number;

        CHECK(begin(most) || number == room());
    } else if (choice <= most) {
        if (naive[choice - 1] != 0) {
            bespoke_passes_end(&list.live, &at(choice - 1)->serial);
            naive[choice - 1] = 0;
        }
    } else {
        settle();
    }
    check();
}

static void start(uint32_t serial)
{
    settle();
    last = serial;
    for (uint32_t record = 0; record < FEW; record++) {
        seen[record] = &list.passes[record];
        list.passes[record].place = record * 7;
    }
}

int main(void)
{
    uint32_t random = 1;

    for (uint32_t sequence = 0; sequence < 15625; sequence++) { /* six changes, each one of five; serials begin anew among them */
        start(sequence % 2 == 0 ? 0 : UINT32_MAX - 3);
        for (uint32_t rest = sequence, step = 0; step < 6; step++, rest /= 5) {
            change(rest % 5, FEW);
        }
    }
    start(0);
    for (unsigned step = 0; step < 40000; step++) {
        random = random * 1664525u + 1013904223u;
        change((random >> 29) != 0 ? 0 : (random >> 8) % 197 == 0 ? MOST + 1 : 1 + (random >> 16) % MOST, MOST);
    }
    CHECK(begun > 10000 && largest == MOST);
    {
        struct bespoke_more_passes last_block = {NULL, UINT32_MAX / 2};

        CHECK(bespoke_passes_block(FEW, &last_block, sizeof *list.passes) == 0); /* the numbers of more would repeat */
    }
    return 0;
}
