/* bespoke_groups_... beside a model that is a row of (hash, slot): random steps on tables of each size, with hashes that meet, and at one size for long.
 * With and without vectors (groups_words.c) the tables are the same to the byte: what is left at the end has a sum that is written down here.
 * Then how even groups and tags are for keys with a pattern. */
#include "support.h"
#include "../../templates/support/lowest_bit.h"
#include "../../templates/support/group.h"
#include "../../templates/support/search.h"
#include "../../templates/support/groups.h"
#include "../../templates/support/groups_sum.h"

enum { MOST = 700 };

#define NEVER 0xffffffffu /* no number of the steps */

static uint32_t hashes[MOST], slots[MOST];
static size_t number;
static uint64_t state = 1;

static uint64_t drawn(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t found(const struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    struct bespoke_search search = bespoke_search_for(groups, shift, hash);
    size_t times = 0;
    uint32_t is;

    while (bespoke_search_next(&search, &is)) {
        CHECK(search.left > 0);
        times += is == slot;
    }
    return times;
}

static void check(const struct bespoke_group *groups, uint32_t shift)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < number; i++) {
        CHECK(found(groups, shift, hashes[i], slots[i]) == 1 && bespoke_groups_has(groups, shift, hashes[i], slots[i]));
        sum += bespoke_groups_share(groups, shift, hashes[i], slots[i]);
    }
    CHECK(sum == bespoke_groups_sum(groups, shift));
    CHECK(!bespoke_groups_has(groups, shift, (uint32_t)drawn(), NEVER) && sum + bespoke_groups_share(groups, shift, 0, NEVER) != bespoke_groups_sum(groups, shift));
}

/* Each kind of damage is in the sum. */
static void damaged(struct bespoke_group *groups, uint32_t shift)
{
    uint64_t sum = bespoke_groups_sum(groups, shift);

    for (size_t at = 0; at < bespoke_groups_number(shift); at++) {
        for (size_t i = 0; i < 4; i++) {
            if (groups[at].passed[i] < UINT8_MAX) {
                groups[at].passed[i]++;
                CHECK(bespoke_groups_sum(groups, shift) != sum);
                groups[at].passed[i]--;
            }
        }
        for (size_t i = 0; i < 12; i++) {
            uint8_t tag = groups[at].tags[i];

            groups[at].tags[i] = tag == 0;
            CHECK(bespoke_groups_sum(groups, shift) != sum);
            groups[at].tags[i] = tag;
        }
    }
    CHECK(bespoke_groups_sum(groups, shift) == sum);
}

/* `bits`: of the hashes, from the highest or the lowest on; few of them make all ways the same. */
static uint64_t steps(size_t capacity, uint32_t bits, size_t count)
{
    size_t of = bespoke_groups_for(capacity);
    uint32_t shift = bespoke_groups_shift(of);
    struct bespoke_group *groups = (struct bespoke_group *)calloc(of, sizeof *groups);
    uint64_t sum = 0;

    CHECK(groups != NULL && bespoke_groups_number(shift) == of && (of == 1 ? capacity <= 12 : capacity <= of * 10 && capacity * 2 > of * 5));
    number = 0;
    for (size_t step = 0; step < count; step++) {
        uint64_t random = drawn();

        if (number < capacity && (number == 0 || random % 16 < (step / 64 % 2 == 0 ? 12u : 4u))) {
            hashes[number] = (uint32_t)(random >> 32) & bits;
            slots[number] = (uint32_t)step;
            bespoke_groups_put(groups, shift, hashes[number], slots[number]);
            number++;
        } else if (random % 16 != 7) {
            size_t i = (size_t)(random >> 32) % number;

            bespoke_groups_drop(groups, shift, hashes[i], slots[i]);
            number--;
            hashes[i] = hashes[number];
            slots[i] = slots[number];
        } else {
            size_t i = (size_t)(random >> 32) % number;

            bespoke_groups_lead(groups, shift, hashes[i], slots[i], (uint32_t)step);
            slots[i] = (uint32_t)step;
        }
        if (step % 50 == 0) {
            check(groups, shift);
        }
    }
    check(groups, shift);
    damaged(groups, shift);
    for (size_t at = 0; at < of; at++) {
        for (size_t i = 0; i < 12; i++) {
            sum = sum * 31 + groups[at].tags[i] + (groups[at].tags[i] != 0 ? groups[at].numbers[i] : 0);
        }
        for (size_t i = 0; i < 4; i++) {
            sum = sum * 31 + groups[at].passed[i];
        }
    }
    if (number > 0) { /* an entry whose hash is another by now is found all the same */
        bespoke_groups_lead(groups, shift, ~hashes[0], slots[0], NEVER);
        CHECK(bespoke_groups_has(groups, shift, hashes[0], NEVER));
        bespoke_groups_drop(groups, shift, ~hashes[0], NEVER);
        CHECK(!bespoke_groups_has(groups, shift, hashes[0], NEVER));
        bespoke_groups_drop(groups, shift, ~hashes[0], NEVER); /* nowhere */
    } else {
        for (size_t at = 0; at < of; at++) {
            for (size_t i = 0; i < 4; i++) { /* a count that came to the most stays so */
                CHECK(groups[at].passed[i] == 0 || groups[at].passed[i] == UINT8_MAX);
            }
        }
    }
    free(groups);
    return sum;
}

/* More entries with one hash than a group counts, beside others: all are found while they are in, and the sum is right throughout. */
static void uncounted(void)
{
    enum { ALIKE = 600 };
    size_t of = bespoke_groups_for(MOST);
    uint32_t shift = bespoke_groups_shift(of);
    struct bespoke_group *groups = (struct bespoke_group *)calloc(of, sizeof *groups);
    size_t most = 0;

    CHECK(groups != NULL);
    for (number = 0; number < MOST; number++) {
        hashes[number] = number < ALIKE ? 0x12345678u : (uint32_t)drawn();
        slots[number] = (uint32_t)number;
        bespoke_groups_put(groups, shift, hashes[number], slots[number]);
    }
    check(groups, shift);
    for (size_t at = 0; at < of; at++) {
        most += groups[at].passed[0x78 % 4] == UINT8_MAX;
    }
    CHECK(most > 0);
    while (number > 0) {
        number--;
        bespoke_groups_drop(groups, shift, hashes[number], slots[number]);
        if (number % 20 == 0) {
            check(groups, shift);
        }
    }
    free(groups);
}

/* A first look finds a place with the tag where there is one, also beside tags that differ in one bit, by which a borrow goes on. */
static void looks(void)
{
    for (size_t i = 0; i < 200000; i++) {
        struct bespoke_group group = {{0}, {0}, {0}};
        uint64_t bits = drawn();
        uint32_t tag = (uint32_t)(drawn() % 255) + 1;
        uint32_t tagged;
        bespoke_fits fits;

        for (size_t place = 0; place < 12; place++, bits >>= 3) {
            group.tags[place] = (uint8_t)((bits & 7) == 0 ? 0 : (bits & 7) < 4 ? tag ^ 1 : (bits & 7) == 4 ? tag : drawn());
        }
        for (size_t class = 0; class < 4; class++) {
            group.passed[class] = (uint8_t)tag;
        }
        tagged = bespoke_group_tagged(&group, tag);
        fits = bespoke_group_fits(&group, tag);
        CHECK((fits != 0) == (tagged != 0));
        CHECK(fits == 0 || tagged >> bespoke_first_fit(fits) & 1);
    }
}

/* How uneven groups and tags are, by chi squared, which is 1 where keys are random: 8 keys for each of 16, 128 and 1,024 groups. */
static void pattern(const char *name, uint64_t (*key)(uint64_t i))
{
    for (size_t of = 16; of <= 1024; of *= 8) {
        static uint32_t groups[1024], tags[256];
        uint32_t shift = bespoke_groups_shift(of);
        double mean = (double)of * 8 / 256;
        double uneven = 0;

        memset(groups, 0, sizeof groups);
        memset(tags, 0, sizeof tags);
        for (uint64_t i = 0; i < of * 8; i++) {
            uint32_t hash = bespoke_spread(key(i), BESPOKE_MULTIPLIER);

            groups[bespoke_groups_home(shift, hash)]++;
            tags[bespoke_groups_tag(hash)]++;
        }
        CHECK(tags[0] == 0);
        for (size_t i = 0; i < of; i++) {
            uneven += ((double)groups[i] - 8) * ((double)groups[i] - 8) / 8 / (double)of;
        }
        if (uneven > 1.1) {
            fprintf(stderr, "%s: %u groups: %.2f\n", name, (unsigned)of, uneven);
            exit(1);
        }
        uneven = 0;
        for (size_t i = 2; i < 256; i++) {
            uneven += ((double)tags[i] - mean) * ((double)tags[i] - mean) / mean / 254;
        }
        if (uneven > 1.1 && mean > 1) {
            fprintf(stderr, "%s: tags in %u groups: %.2f\n", name, (unsigned)of, uneven);
            exit(1);
        }
    }
}

static uint64_t sequence(uint64_t i) { return i; }
static uint64_t backwards(uint64_t i) { return ~i; }
static uint64_t times_8(uint64_t i) { return i << 3; }
static uint64_t times_64(uint64_t i) { return 0x7f0000001000u + (i << 6); }
static uint64_t times_80(uint64_t i) { return 0x7f0000001000u + 80 * i; }
static uint64_t times_65536(uint64_t i) { return i << 16; }
static uint64_t times_2_24(uint64_t i) { return i << 24; }
static uint64_t times_2_40(uint64_t i) { return i << 40; }
static uint64_t times_a_prime(uint64_t i) { return i * 1000003; }
static uint64_t pages(uint64_t i) { return 0x5600000000u + 4096 * i; }
static uint64_t halves_of_words(uint64_t i) { return (i & 127) | i >> 7 << 16; }
static uint64_t squares(uint64_t i) { return i * i; }
static uint64_t times_4096(uint64_t i) { return i << 12; }
static uint64_t high_half(uint64_t i) { return i << 32; }
static uint64_t highest(uint64_t i) { return i << 51; }
static uint64_t both_halves(uint64_t i) { return i << 32 | i; }
static uint64_t hundreds(uint64_t i) { return i * 100; }
static uint64_t addresses(uint64_t i) { return 0x55d0c0de2000u + 48 * i; }
static uint64_t coordinates(uint64_t i) { return (i / 91) << 32 | i % 91; }
static uint64_t doubles(uint64_t i)
{
    double value = (double)i;
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static uint64_t tenths(uint64_t i)
{
    double value = (double)i * 0.1;
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static uint64_t floats(uint64_t i)
{
    float value = (float)i / 8;
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int main(void)
{
    const uint32_t kinds[] = {0xffffffffu, 0xff0000ffu, 0xf, 0x80000000u, 0};
    uint64_t sum = 0;

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (size_t capacity = 1; capacity <= MOST; capacity += capacity < 50 ? 1 : capacity / 5) {
            sum = sum * 31 + steps(capacity, kinds[kind], kind == 0 ? 4000 : 800);
        }
    }
    sum = sum * 31 + steps(100, 0xffffffffu, 2000000); /* at one size for long */
    if (sum != 0x4d652eda9002febcu) {
        fprintf(stderr, "the tables are others: 0x%llx\n", (unsigned long long)sum);
        return 1;
    }
    uncounted();
    looks();
    pattern("sequence", sequence);
    pattern("backwards", backwards);
    pattern("multiples of 8", times_8);
    pattern("multiples of 64", times_64);
    pattern("multiples of 4096", times_4096);
    pattern("high halves", high_half);
    pattern("highest bits", highest);
    pattern("both halves", both_halves);
    pattern("hundreds", hundreds);
    pattern("addresses", addresses);
    pattern("coordinates", coordinates);
    pattern("doubles", doubles);
    pattern("tenths", tenths);
    pattern("floats", floats);
    pattern("multiples of 80", times_80);
    pattern("multiples of 2^16", times_65536);
    pattern("multiples of 2^24", times_2_24);
    pattern("multiples of 2^40", times_2_40);
    pattern("multiples of a prime", times_a_prime);
    pattern("pages", pages);
    pattern("halves of words", halves_of_words);
    pattern("squares", squares);
    return 0;
}
