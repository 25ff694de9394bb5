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

static struct bespoke_passes live;
static uint32_t last; /* the serial of the pass that began last */
static struct record records[FEW];
static struct bespoke_more_passes *more;
static uint32_t naive[MOST]; /* the serial of the live pass of a record; 0: it is free */
static struct record *seen[MOST]; /* where it lies: a record does not move */
static uint32_t begun;       /* passes that have ever begun */
static uint32_t largest;     /* the most records that there were */

static uint32_t room(void) { return bespoke_passes_room(FEW, more); }

static struct record *at(uint32_t number)
{
    return number < FEW ? &records[number] : (struct record *)bespoke_passes_more(more, number, sizeof *records);
}

/* A free record; if there is none, how many there are. */
static uint32_t free_one(void)
{
    uint32_t record = bespoke_passes_free(&live, FEW, records, sizeof *records);

    return record < FEW ? record : bespoke_passes_free_more(&live, FEW, more, sizeof *records);
}

static void check(void)
{
    uint32_t number = 0;
    uint32_t next = free_one();

    for (uint32_t record = 0; record < MOST; record++) {
        struct record *there = at(record);

        number += naive[record] != 0;
        CHECK((there == NULL) == (record >= room()) && there == seen[record]);
        CHECK(there == NULL || record < FEW || there == bespoke_passes_at(more, record, sizeof *records));
        CHECK(!bespoke_passes_is(there, last + 2));
        if (there != NULL) {
            CHECK(there->serial == naive[record] && bespoke_passes_is(there, naive[record]));
            CHECK(there->place == record * 7); /* nothing else of a record is touched */
        }
    }
    CHECK(bespoke_passes_used(FEW, records, sizeof *records) + bespoke_passes_used_more(FEW, more, sizeof *records) == number);
    CHECK(live.number == number);
    CHECK(number == room() ? next == room() : next < room() && naive[next] == 0);
    CHECK(live.number > 0 || next == 0);
}

/* There are more records, those there were stay where they are. */
static void grow(void)
{
    uint32_t first = room();
    size_t bytes = bespoke_passes_block(FEW, more, sizeof *records);
    struct bespoke_more_passes *block = (struct bespoke_more_passes *)calloc(1, bytes);

    CHECK(block != NULL);
    bespoke_passes_add(block, FEW, &more);
    CHECK(bytes == sizeof *block + bespoke_passes_in(block) * sizeof *records && room() == first + bespoke_passes_in(block));
    for (uint32_t record = first; record < room(); record++) {
        seen[record] = at(record);
        seen[record]->place = record * 7;
    }
    largest = largest < room() ? room() : largest;
}

/* None is in use. */
static void release(void)
{
    while (more != NULL) {
        struct bespoke_more_passes *block = more;

        more = block->earlier;
        free(block);
    }
    for (uint32_t record = FEW; record < MOST; record++) {
        seen[record] = NULL;
    }
}

/* What a container does where a pass begins; false: there is no record. */
static bool begin(uint32_t most)
{
    uint32_t record = free_one();
    uint32_t serial;

    if (record == room()) {
        if (room() >= most) {
            return false;
        }
        grow();
    }
    serial = bespoke_passes_begin(&live, &last);
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
    CHECK(bespoke_passes_settle(&live, FEW, records, sizeof *records) == any);
    release();
}

/* One change: 0 begins a pass, 1 to `most` ends one, the last settles. */
static void change(uint32_t choice, uint32_t most)
{
    if (choice == 0) {
        uint32_t number = live.number;

        CHECK(begin(most) || number == room());
    } else if (choice <= most) {
        if (naive[choice - 1] != 0) {
            bespoke_passes_end(&live, &at(choice - 1)->serial);
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
        seen[record] = &records[record];
        records[record].place = record * 7;
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
    return 0;
}
